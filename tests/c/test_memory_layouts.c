/* Arrays written from memory with other layouts than packed C order. */
#include "check.h"

static int32_t grid[4][6]; /* element (i, j) is 10 i + j */
static const int64_t part[] = {2, 3};

static asdf_options *options;

static void set(asdf_node *root, const char *path, const int64_t *shape, const void *memory, size_t size) {
    OK(asdf_node_set_array(root, path, ASDF_INT32, 2, shape, memory, size, options));
}

static void set_borrowed(asdf_node *root, const char *path, const int64_t *shape, const void *memory, size_t size) {
    OK(asdf_node_set_array_borrowed(root, path, ASDF_INT32, 2, shape, memory, size, NULL, NULL, options));
}

static void check_numbers(asdf_node *root, const char *path, size_t count, const int32_t *expected) {
    int32_t found[24];
    asdf_array *array = NULL;
    OK(asdf_node_get_array(root, path, &array));
    OK(asdf_array_read(array, ASDF_INT32, NULL, found, sizeof found, NULL, 0));
    if (memcmp(found, expected, count * sizeof *found) != 0) {
        fprintf(stderr, "%s has other elements\n", path);
        checks_failed++;
    }
    asdf_array_free(array);
}

/* Compares the array before it is written, and in the file. */
static void check_both(asdf_file *file, const char *path, size_t count, const int32_t *expected) {
    asdf_node *root = root_of(file);
    check_numbers(root, path, count, expected);
    asdf_node_free(root);
    asdf_file *again = written(file);
    root = root_of(again);
    check_numbers(root, path, count, expected);
    asdf_node_free(root);
    asdf_file_free(again);
}

static void strides(void) {
    static const int64_t row = sizeof grid[0], item = sizeof grid[0][0];
    static const struct {
        int64_t strides[2];
        int lowest; /* number of the element at the lowest address */
        int32_t expected[6];
    } cases[] = {
        {{row, item}, 0, {0, 1, 2, 10, 11, 12}},
        {{row, item}, 8, {12, 13, 14, 22, 23, 24}},
        {{2 * row, 2 * item}, 6, {10, 12, 14, 30, 32, 34}},
        {{-row, item}, 0, {10, 11, 12, 0, 1, 2}},
        {{-2 * row, -item}, 9, {35, 34, 33, 15, 14, 13}},
        {{item, row}, 0, {0, 10, 20, 1, 11, 21}},
        {{0, item}, 6, {10, 11, 12, 10, 11, 12}},
        {{0, 0}, 6, {10, 10, 10, 10, 10, 10}},
    };
    static const char *const codecs[] = {NULL, "zlib"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int variant = 0; variant < 32; variant++) {
            asdf_node *root = NULL;
            asdf_file *file = new_file(&root);
            OK(asdf_options_new(&options));
            OK(asdf_options_set_ints(options, ASDF_OPTION_STRIDES, cases[i].strides, 2));
            OK(asdf_options_set_int(options, ASDF_OPTION_BYTE_ORDER, variant & 1));
            OK(asdf_options_set_int(options, ASDF_OPTION_STORED_ORDER, variant >> 2 & 1));
            OK(asdf_options_set_int(options, ASDF_OPTION_STORAGE, variant >> 3 & 1));
            OK(set_codec(options, codecs[variant >> 4 & 1], -1));
            const int32_t *lowest = *grid + cases[i].lowest;
            (variant >> 1 & 1 ? set_borrowed : set)(root, "data", part, lowest,
                                                    sizeof grid - (size_t)cases[i].lowest * sizeof *lowest);
            asdf_options_free(options);
            check_both(file, "data", 6, cases[i].expected);
            asdf_node_free(root);
            asdf_file_free(file);
        }
}

static void orders(void) {
    static const int64_t shape[] = {6, 4};
    static const int32_t turned[] = {0, 10, 20, 30, 1, 11, 21, 31, 2, 12, 22, 32,
                                     3, 13, 23, 33, 4, 14, 24, 34, 5, 15, 25, 35};
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_ORDER, ASDF_ORDER_FORTRAN));
    set(root, "turned", shape, grid, sizeof grid);
    OK(asdf_options_set_int(options, ASDF_OPTION_STORED_ORDER, ASDF_ORDER_FORTRAN));
    set(root, "as it lies", shape, grid, sizeof grid);
    asdf_options_free(options);
    check_both(file, "turned", 24, turned);
    check_both(file, "as it lies", 24, turned);

    /* One array is stored in C order, the other in its order in memory. The tree says which. */
    asdf_file *again = written(file);
    int32_t bytes[24];
    OK(asdf_file_read_block(again, 0, NULL, bytes, sizeof bytes));
    CHECK(memcmp(bytes, turned, sizeof bytes) == 0);
    OK(asdf_file_read_block(again, 1, NULL, bytes, sizeof bytes));
    CHECK(memcmp(bytes, grid, sizeof bytes) == 0);
    asdf_node_free(root);
    root = root_of(again);
    int64_t stride = 0;
    OK(asdf_node_get_i64(root, "as it lies/strides/0", &stride));
    CHECK(stride == 4);
    OK(asdf_node_get_i64(root, "as it lies/strides/1", &stride));
    CHECK(stride == 24);
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_get_i64(root, "turned/strides/0", &stride));
    asdf_node_free(root);
    asdf_file_free(again);
    asdf_file_free(file);
}

/* The later one of the two setters applies. */
static void order_or_strides(void) {
    static const int64_t strides[] = {24, 4};
    static const int32_t expected[] = {0, 1, 2, 10, 11, 12};
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
    OK(asdf_options_new(&options));
    OK(asdf_options_set_ints(options, ASDF_OPTION_STRIDES, strides, 2));
    set(root, "strides", part, grid, sizeof grid);
    OK(asdf_options_unset(options, ASDF_OPTION_STRIDES));
    set(root, "order", part, expected, sizeof expected);
    asdf_options_free(options);
    check_both(file, "strides", 6, expected);
    check_both(file, "order", 6, expected);
    asdf_node_free(root);
    asdf_file_free(file);
}

/* Every second name of a table, and a structure with padding at its end. */
static void strings_and_records(void) {
    static const char names[4][3] = {{'a'}, {'b', 'c'}, {'d', 'e', 'f'}, {'g'}};
    static const int64_t seven = 7, two[] = {2};
    typedef struct {
        double value;
        int32_t id;
    } element;
    static const element elements[2] = {{1.5, 1}, {-2.5, 2}};
    static const int64_t apart = sizeof(element), step = 2 * 3;
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
    asdf_datatype *text = NULL, *value = NULL, *id = NULL, *record = NULL;
    OK(asdf_datatype_string(ASDF_ASCII, 3, &text));
    OK(asdf_options_new(&options));
    OK(asdf_options_set_ints(options, ASDF_OPTION_STRIDES, &step, 1));
    OK(asdf_node_set_array(root, "names", 0, 1, two, names + 1, sizeof names - 3, with_type(options, text)));
    OK(asdf_node_set_array_borrowed(root, "borrowed", 0, 1, two, names + 1, sizeof names - 3, NULL, NULL,
                                    with_type(options, text)));

    OK(asdf_datatype_scalar(ASDF_FLOAT64, &value));
    OK(asdf_datatype_scalar(ASDF_INT32, &id));
    const char *const fields[] = {"value", "id"};
    const asdf_datatype *const types[] = {value, id};
    OK(asdf_datatype_record(2, fields, types, NULL, NULL, &record));
    OK(asdf_options_set_ints(options, ASDF_OPTION_STRIDES, &apart, 1));
    OK(asdf_options_set_int(options, ASDF_OPTION_BYTE_ORDER, ASDF_BYTE_ORDER_BIG));
    OK(asdf_node_set_array(root, "records", 0, 1, two, elements, sizeof elements, with_type(options, record)));
    OK(asdf_options_set_ints(options, ASDF_OPTION_STRIDES, &seven, 1));
    static const unsigned char high[] = {'a', 'b', 'c', 0, 0, 0, 0, 200};
    FAILS(ASDF_ERR_ENCODING,
          asdf_node_set_array(root, "bad", 0, 1, (int64_t[]){1}, high + 5, 3, with_type(options, text)));
    OK(asdf_file_forget_failure(file));
    OK(asdf_node_set_array(root, "good", 0, 1, (int64_t[]){1}, high, sizeof high, with_type(options, text)));
    asdf_options_free(options);

    asdf_file *again = written(file);
    asdf_node *found = root_of(again);
    for (int i = 0; i < 2; i++) {
        asdf_array *array = NULL;
        OK(asdf_node_get_array(found, i ? "borrowed" : "names", &array));
        char read[4] = "?";
        OK(asdf_array_read_string(array, 1, (const int64_t[]){0}, NULL, read, sizeof read, NULL, NULL));
        CHECK(strcmp(read, "bc") == 0);
        asdf_array_free(array);
    }
    asdf_array *array = NULL, *field = NULL;
    double values[2];
    int32_t ids[2];
    OK(asdf_node_get_array(found, "records", &array));
    OK(asdf_array_field(array, "value", &field));
    OK(asdf_array_read(field, ASDF_FLOAT64, NULL, values, sizeof values, NULL, 0));
    asdf_array_free(field);
    OK(asdf_array_field(array, "id", &field));
    OK(asdf_array_read(field, ASDF_INT32, NULL, ids, sizeof ids, NULL, 0));
    asdf_array_free(field);
    asdf_array_free(array);
    CHECK(values[0] == 1.5 && values[1] == -2.5 && ids[0] == 1 && ids[1] == 2);
    asdf_node_free(found);
    asdf_file_free(again);
    asdf_datatype_free(record);
    asdf_datatype_free(id);
    asdf_datatype_free(value);
    asdf_datatype_free(text);
    asdf_node_free(root);
    asdf_file_free(file);
}

static void failures(void) {
    static const struct {
        int64_t shape[2], strides[2];
        size_t size;
    } cases[] = {
        {{2, 3}, {24, 4}, 35},
        {{2, 3}, {-24, 4}, 35},
        {{2, 3}, {24, 4}, 0},
        {{-1, 3}, {24, 4}, sizeof grid},
        {{2, 3}, {INT64_MAX, 4}, sizeof grid},
        {{2, 3}, {INT64_MIN, 4}, sizeof grid},
        {{3, 3}, {INT64_MIN, INT64_MAX}, sizeof grid},
        {{INT64_MAX, INT64_MAX}, {0, 0}, sizeof grid},
        {{INT64_MAX, 1}, {0, 0}, sizeof grid},
        {{INT64_MAX, INT64_MAX}, {INT64_MAX, INT64_MAX}, sizeof grid},
    };
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
    OK(asdf_options_new(&options));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OK(asdf_options_set_ints(options, ASDF_OPTION_STRIDES, cases[i].strides, 2));
        FAILS(ASDF_ERR_INVALID_ARGUMENT,
              asdf_node_set_array(root, "data", ASDF_INT32, 2, cases[i].shape, grid, cases[i].size, options));
    }
    /* Strides for another rank, and memory of another size than the packed elements. */
    OK(asdf_options_set_ints(options, ASDF_OPTION_STRIDES, cases[0].strides, 2));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_array(root, "data", ASDF_INT32, 1, part, grid, 8, options));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_node_set_array(root, "data", ASDF_INT32, 2, part, NULL, 96, options));
    OK(asdf_options_unset(options, ASDF_OPTION_STRIDES));
    OK(asdf_options_set_int(options, ASDF_OPTION_ORDER, ASDF_ORDER_FORTRAN));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_array(root, "data", ASDF_INT32, 2, part, grid, 25, options));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_array(root, "data", ASDF_INT32, 2, part, grid, 23, options));

    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_ORDER, 2));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_STORED_ORDER, -1));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_ints(options, ASDF_OPTION_STRIDES, cases[0].strides, -1));

    /* An array of rank 0, and an array without elements. */
    static const int64_t none[] = {0, 3};
    int32_t value = 0;
    asdf_array *array = NULL;
    OK(asdf_file_forget_failure(file));
    OK(asdf_options_unset(options, ASDF_OPTION_ORDER));
    OK(asdf_options_set_ints(options, ASDF_OPTION_STRIDES, NULL, 0));
    OK(asdf_node_set_array(root, "single", ASDF_INT32, 0, NULL, grid[1], sizeof grid[1], options));
    OK(asdf_options_set_ints(options, ASDF_OPTION_STRIDES, cases[4].strides, 2));
    OK(asdf_node_set_array(root, "none", ASDF_INT32, 2, none, NULL, 0, options));
    OK(asdf_node_get_array(root, "single", &array));
    OK(asdf_array_read(array, ASDF_INT32, NULL, &value, sizeof value, NULL, 0));
    CHECK(value == 10);
    asdf_array_free(array);
    asdf_options_free(options);
    asdf_node_free(root);
    asdf_file_free(file);
}

int main(void) {
    for (int i = 0; i < 24; i++) grid[i / 6][i % 6] = i / 6 * 10 + i % 6;
    strides();
    orders();
    order_or_strides();
    strings_and_records();
    failures();
    return report();
}
