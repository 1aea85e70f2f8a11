/* Regions of arrays: forwards and backwards, into C order, Fortran order and strided memory. */
#include "check.h"

enum { ROWS = 3, COLUMNS = 4 };

static const int64_t shape[] = {ROWS, COLUMNS};
static const char *const codecs[] = {NULL, "zlib", "bzp2", "lz4", "lz4f"};

static int16_t value(int64_t row, int64_t column) {
    return (int16_t)(100 * row + column);
}

/* Returns the array of value(row, column), stored with one of the codecs. */
static asdf_array *stored(const char *codec) {
    int16_t values[ROWS][COLUMNS];
    asdf_node *made = NULL;
    asdf_array *array = NULL;
    asdf_options *options = NULL;
    for (int row = 0; row < ROWS; row++) {
        for (int column = 0; column < COLUMNS; column++) values[row][column] = value(row, column);
    }
    asdf_file *file = new_file(&made);
    OK(asdf_options_new(&options));
    OK(set_codec(options, codec, -1));
    OK(asdf_node_set_array(made, "data", ASDF_INT16, 2, shape, values, sizeof values, options));
    asdf_options_free(options);
    asdf_file *again = written(file);
    asdf_node *root = root_of(again);
    OK(asdf_node_get_array(root, "data", &array));
    asdf_node_free(root);
    asdf_node_free(made);
    asdf_file_free(file);
    asdf_file_free(again);
    return array;
}

static void backwards(const asdf_array *array) {
    const int64_t start[] = {2, 3}, count[] = {3, 2}, step[] = {-1, -3}, far[] = {-1, -4};
    const int64_t one[] = {1, 1}, farthest[] = {INT64_MIN, INT64_MIN};
    int32_t found[3][2];
    OK(asdf_array_read_region(array, 2, start, count, step, ASDF_INT32, NULL, found, sizeof found, NULL, 0));
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 2; column++) CHECK(found[row][column] == value(2 - row, 3 - 3 * column));
    }
    FAILS(ASDF_ERR_OUT_OF_RANGE,
          asdf_array_read_region(array, 2, start, count, far, ASDF_INT32, NULL, found, sizeof found, NULL, 0));
    FAILS(ASDF_ERR_OUT_OF_RANGE,
          asdf_array_read_region(array, 2, start, count, farthest, ASDF_INT32, NULL, found, sizeof found, NULL, 0));
    OK(asdf_array_read_region(array, 2, start, one, farthest, ASDF_INT32, NULL, found, sizeof **found, NULL, 0));
    CHECK(found[0][0] == value(2, 3));
}

/* Prefetching is a hint and changes nothing. */
static void prefetch(const asdf_array *array) {
    const int64_t start[] = {2, 3}, count[] = {3, 2}, step[] = {-1, -3}, none[] = {0, 2};
    OK(asdf_array_prefetch(array, 2, start, count, step));
    OK(asdf_array_prefetch(array, 2, start, none, step));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_array_prefetch(array, 2, start, count, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_array_prefetch(array, 1, start, count, step));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_array_prefetch(array, -1, start, count, step));
}

static void orders(const asdf_array *array, asdf_options *options) {
    float fortran[COLUMNS][ROWS];
    int16_t c[ROWS][COLUMNS];
    OK(asdf_options_unset(options, ASDF_OPTION_STRIDES));
    OK(asdf_options_set_int(options, ASDF_OPTION_ORDER, ASDF_ORDER_FORTRAN));
    OK(asdf_array_read(array, ASDF_FLOAT32, options, fortran, sizeof fortran, NULL, 0));
    for (int row = 0; row < ROWS; row++) {
        for (int column = 0; column < COLUMNS; column++) CHECK(fortran[column][row] == (float)value(row, column));
    }
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL,
          asdf_array_read(array, ASDF_FLOAT32, options, fortran, sizeof fortran - 1, NULL, 0));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_ORDER, 2));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_ORDER, -1));
    OK(asdf_options_unset(options, ASDF_OPTION_ORDER));
    OK(asdf_array_read(array, ASDF_INT16, options, c, sizeof c, NULL, 0));
    CHECK(c[2][1] == value(2, 1));
}

/* Into every other column of a larger image, upside down; nothing else changes. */
static void strides(const asdf_array *array, asdf_options *options) {
    enum { HEIGHT = 4, WIDTH = 9 };
    double image[HEIGHT][WIDTH];
    const int64_t apart[] = {-(int64_t)sizeof image[0], 2 * (int64_t)sizeof **image};
    const int64_t start[] = {0, 1}, count[] = {3, 3}, step[] = {1, 1}, whole[] = {0, 0}, none[] = {0, 3};
    const size_t needed = (2 * WIDTH + 2 * 2 + 1) * sizeof(double);
    for (int row = 0; row < HEIGHT; row++) {
        for (int column = 0; column < WIDTH; column++) image[row][column] = -1;
    }
    OK(asdf_options_set_ints(options, ASDF_OPTION_STRIDES, apart, 2));
    OK(asdf_array_read_region(array, 2, start, count, step, ASDF_FLOAT64, options, &image[1][1], needed, NULL, 0));
    for (int row = 0; row < HEIGHT; row++) {
        for (int column = 0; column < WIDTH; column++) {
            int is_ours = row >= 1 && column % 2 == 1 && column <= 5;
            CHECK(image[row][column] == (is_ours ? value(3 - row, 1 + column / 2) : -1));
        }
    }
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL,
          asdf_array_read_region(array, 2, start, count, step, ASDF_FLOAT64, options, image, needed - 1, NULL, 0));
    OK(asdf_array_read_region(array, 2, start, none, step, ASDF_FLOAT64, options, NULL, 0, NULL, 0));

    const int64_t overlapping[] = {8, 2}, counted[] = {INT64_MAX, 2}, single[] = {2};
    OK(asdf_options_set_ints(options, ASDF_OPTION_STRIDES, overlapping, 2));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_array_read(array, ASDF_FLOAT64, options, image, sizeof image, NULL, 0));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_array_read(array, ASDF_INT32, options, image, sizeof image, NULL, 0));
    OK(asdf_array_read(array, ASDF_INT16, options, image, sizeof image, NULL, 0));
    OK(asdf_options_set_ints(options, ASDF_OPTION_STRIDES, counted, 2));
    FAILS(ASDF_ERR_LIMIT, asdf_array_read(array, ASDF_INT16, options, image, sizeof image, NULL, 0));
    OK(asdf_options_set_ints(options, ASDF_OPTION_STRIDES, whole, 2));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_array_read(array, ASDF_INT16, options, image, sizeof image, NULL, 0));
    OK(asdf_options_set_ints(options, ASDF_OPTION_STRIDES, single, 1));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_array_read(array, ASDF_INT16, options, image, sizeof image, NULL, 0));
    OK(asdf_options_set_ints(options, ASDF_OPTION_STRIDES, NULL, 0));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_array_read(array, ASDF_INT16, options, image, sizeof image, NULL, 0));
    OK(asdf_options_unset(options, ASDF_OPTION_STRIDES));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_options_set_ints(options, ASDF_OPTION_STRIDES, NULL, 1));
}

int main(void) {
    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_THREADS, 0));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_THREADS, -1));
    for (size_t i = 0; i < sizeof codecs / sizeof *codecs; i++) {
        asdf_array *array = stored(codecs[i]);
        OK(asdf_options_set_int(options, ASDF_OPTION_THREADS, 1 + (int32_t)i));
        prefetch(array);
        backwards(array);
        orders(array, options);
        strides(array, options);
        asdf_array_free(array);
    }
    asdf_options_free(options);
    return report();
}
