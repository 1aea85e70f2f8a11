/* Overwriting the elements of a region: on disk in a file opened for update, otherwise in memory. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include <sys/stat.h>
#include <unistd.h>

#define ROWS 400
#define COLUMNS 1000

static const int64_t shape[] = {ROWS, COLUMNS};

static asdf_file *opened(const char *name) {
    asdf_file *file = NULL;
    OK(asdf_file_open(name, NULL, &file));
    return file;
}

static asdf_file *for_update(const char *name) {
    asdf_file *file = NULL;
    OK(asdf_file_open_for_update(name, NULL, &file));
    return file;
}

static asdf_array *array_of(asdf_file *file, const char *path) {
    asdf_node *root = root_of(file);
    asdf_array *array = NULL;
    OK(asdf_node_get_array(root, path, &array));
    asdf_node_free(root);
    return array;
}

static int32_t element(asdf_file *file, int64_t row, int64_t column) {
    int32_t value = -1;
    asdf_array *array = array_of(file, "a");
    OK(asdf_array_read_region(array, 2, (int64_t[]){row, column}, (int64_t[]){1, 1}, NULL, ASDF_INT32, NULL, &value,
                              sizeof value, NULL, 0));
    asdf_array_free(array);
    return value;
}

static int32_t element_in(const char *name, int64_t row, int64_t column) {
    asdf_file *file = opened(name);
    int32_t value = element(file, row, column);
    asdf_file_free(file);
    return value;
}

/* Makes a file with increasing big-endian numbers. */
static void make(const char *name) {
    static int32_t numbers[ROWS * COLUMNS];
    asdf_options *options = NULL;
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
    for (int32_t index = 0; index < ROWS * COLUMNS; index++) numbers[index] = index;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_BYTE_ORDER, ASDF_BYTE_ORDER_BIG));
    OK(asdf_node_set_array(root, "before", ASDF_INT32, 2, shape, numbers, sizeof numbers, NULL));
    OK(asdf_node_set_array(root, "a", ASDF_INT32, 2, shape, numbers, sizeof numbers, options));
    OK(asdf_node_set_array(root, "after", ASDF_INT32, 2, shape, numbers, sizeof numbers, NULL));
    OK(write_over(file, name));
    asdf_options_free(options);
    asdf_node_free(root);
    asdf_file_free(file);
}

static void verify(asdf_file *file, int64_t expected_absent) {
    int64_t absent, as_stored, as_decoded;
    OK(asdf_file_verify(file, NULL, &absent, &as_stored, &as_decoded));
    CHECK(absent == expected_absent);
}

static void write_two(asdf_array *array, int64_t row, double first, double second) {
    double pair[] = {first, second};
    OK(asdf_array_write_region(array, 2, (int64_t[]){row, 7}, (int64_t[]){1, 2}, (int64_t[]){1, -3}, ASDF_FLOAT64, pair,
                               sizeof pair, NULL));
}

static void saved_and_given_back(void) {
    make("regions.asdf");
    asdf_file *file = for_update("regions.asdf");
    asdf_array *array = array_of(file, "a");
    write_two(array, 3, -1, -2);
    /* All handles of this file see the new elements; other readers do not. */
    CHECK(element(file, 3, 7) == -1 && element(file, 3, 4) == -2 && element(file, 3, 5) == 3005);
    CHECK(element_in("regions.asdf", 3, 7) == 3007);
    verify(file, 1);
    CHECK(access(".regions.asdf.asdf-journal", F_OK) == 0);
    asdf_array_free(array);
    asdf_file_free(file);
    CHECK(access(".regions.asdf.asdf-journal", F_OK) != 0);
    CHECK(element_in("regions.asdf", 3, 7) == 3007);
    file = opened("regions.asdf");
    verify(file, 0);
    asdf_file_free(file);

    file = for_update("regions.asdf");
    array = array_of(file, "a");
    write_two(array, 3, -1, -2);
    write_two(array, 300, -3, -4);
    OK(asdf_file_save(file, NULL));
    CHECK(access(".regions.asdf.asdf-journal", F_OK) != 0);
    CHECK(element_in("regions.asdf", 3, 7) == -1 && element_in("regions.asdf", 300, 4) == -4);
    verify(file, 0);
    /* The array can still be used. */
    write_two(array, 399, -5, -6);
    OK(asdf_file_close(file));
    CHECK(element_in("regions.asdf", 399, 7) == 399007);
    FAILS(ASDF_ERR_CLOSED, asdf_array_write_region(array, 2, shape, shape, NULL, ASDF_INT8, NULL, 0, NULL));
    asdf_array_free(array);
    asdf_file_free(file);
    file = opened("regions.asdf");
    verify(file, 0);
    asdf_file_free(file);
}

/* Together with other changes, and without checksums. */
static void with_other_changes(void) {
    make("regions.asdf");
    asdf_options *open_options = NULL;
    asdf_file *file = NULL;
    OK(asdf_options_new(&open_options));
    OK(asdf_options_set_int(open_options, ASDF_OPTION_DURABLE_REGIONS, 0));
    OK(asdf_file_open_for_update("regions.asdf", open_options, &file));
    asdf_options_free(open_options);
    asdf_node *root = root_of(file);
    asdf_array *array = array_of(file, "a");
    asdf_options *options = NULL;
    write_two(array, 3, -1, -2);
    OK(asdf_node_set_bool(root, "truth", 1));
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_SAVE_MODE, ASDF_SAVE_IN_PLACE));
    FAILS(ASDF_ERR_NOT_IN_PLACE, asdf_file_save(file, options));
    OK(asdf_options_set_int(options, ASDF_OPTION_SAVE_MODE, ASDF_SAVE_AUTO));
    CHECK(element_in("regions.asdf", 3, 7) == 3007);
    OK(asdf_file_save(file, options));
    CHECK(access(".regions.asdf.asdf-journal", F_OK) != 0);
    CHECK(element_in("regions.asdf", 3, 7) == -1 && element(file, 3, 4) == -2);
    verify(file, 0);
    /* The array handle refers to the old file. */
    FAILS(ASDF_ERR_UNSUPPORTED,
          asdf_array_write_region(array, 2, (int64_t[]){0, 0}, (int64_t[]){1, 1}, NULL, ASDF_INT8, "", 1, NULL));
    asdf_array_free(array);
    array = array_of(file, "a");
    write_two(array, 4, -1, -2);
    OK(asdf_options_set_int(options, ASDF_OPTION_CHECKSUMS, 0));
    OK(asdf_file_save(file, options));
    verify(file, 1);
    asdf_array_free(array);
    asdf_node_free(root);
    asdf_file_free(file);
    file = opened("regions.asdf");
    verify(file, 1);
    asdf_file_free(file);
    asdf_options_free(options);
}

/* A process that ends without saving or closing leaves a journal, which the next process undoes. */
static void left_behind(void) {
    make("regions.asdf");
    asdf_file *file = for_update("regions.asdf");
    asdf_array *array = array_of(file, "a");
    write_two(array, 3, -1, -2);
    CHECK(link(".regions.asdf.asdf-journal", "kept") == 0 && link("regions.asdf", "written.asdf") == 0);
    OK(asdf_file_save(file, NULL));
    asdf_array_free(array);
    asdf_file_free(file);
    CHECK(element_in("regions.asdf", 3, 7) == -1);
    CHECK(rename("kept", ".regions.asdf.asdf-journal") == 0);
    CHECK(element_in("regions.asdf", 3, 7) == 3007);
    file = for_update("regions.asdf");
    CHECK(element(file, 3, 7) == 3007);
    asdf_file_free(file);
    CHECK(access(".regions.asdf.asdf-journal", F_OK) != 0);
    file = opened("regions.asdf");
    verify(file, 0);
    asdf_file_free(file);
    unlink("written.asdf");
}

static void zeros_are_filled(void) {
    static const int64_t large[] = {1 << 20, 1 << 18}, corner[] = {(1 << 20) - 2, (1 << 18) - 2};
    struct stat state;
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
    OK(asdf_node_set_array_zeros(root, "a", ASDF_INT32, 2, large, NULL));
    asdf_array *array = array_of(file, "a");
    FAILS(ASDF_ERR_UNSUPPORTED,
          asdf_array_write_region(array, 2, corner, (int64_t[]){1, 1}, NULL, ASDF_INT8, "", 1, NULL));
    asdf_array_free(array);
    OK(asdf_file_write(file, "sparse.asdf", NULL));
    asdf_node_free(root);
    asdf_file_free(file);
    file = for_update("sparse.asdf");
    array = array_of(file, "a");
    static const int32_t four[] = {1, 2, 3, 4};
    OK(asdf_array_write_region(array, 2, corner, (int64_t[]){2, 2}, NULL, ASDF_INT32, four, sizeof four, NULL));
    OK(asdf_array_write_region(array, 2, (int64_t[]){0, 0}, (int64_t[]){1, 4}, NULL, ASDF_INT32, four, sizeof four,
                               NULL));
    CHECK(stat(".sparse.asdf.asdf-journal", &state) == 0 && state.st_size < 100000);
    OK(asdf_file_save(file, NULL));
    CHECK(element_in("sparse.asdf", corner[0] + 1, corner[1]) == 3 && element_in("sparse.asdf", 0, 3) == 4);
    OK(asdf_array_write_region(array, 2, (int64_t[]){5, 5}, (int64_t[]){1, 4}, NULL, ASDF_INT32, four, sizeof four,
                               NULL));
    asdf_array_free(array);
    asdf_file_free(file);
    CHECK(stat("sparse.asdf", &state) == 0 && state.st_blocks < 20000);
    CHECK(element_in("sparse.asdf", 5, 5) == 0 && element_in("sparse.asdf", 0, 3) == 4);
    unlink("sparse.asdf");
}

static void in_memory(void) {
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root), *other = NULL;
    asdf_node *other_root = NULL;
    asdf_array *array = NULL;
    asdf_view *view = NULL;
    const void *bytes = NULL;
    int32_t numbers[6] = {0, 1, 2, 3, 4, 5};
    OK(asdf_node_set_array(root, "a", ASDF_INT32, 2, (int64_t[]){2, 3}, numbers, sizeof numbers, NULL));
    other = new_file(&other_root);
    OK(asdf_node_copy(other_root, "copy", root, NULL));
    array = array_of(file, "a");
    OK(asdf_array_view(array, ASDF_INT32, NULL, &view));
    OK(asdf_view_first_element(view, &bytes));
    OK(asdf_array_write_region(array, 2, (int64_t[]){0, 1}, (int64_t[]){2, 1}, NULL, ASDF_INT32, numbers + 4, 8, NULL));
    CHECK(element(file, 0, 1) == 4 && element(file, 1, 1) == 5 && element(file, 0, 2) == 2);
    /* The view shows the old elements. */
    CHECK(((const int32_t *)bytes)[1] == 1);
    asdf_view_free(view);
    asdf_array_free(array);
    asdf_file *again = written(file);
    CHECK(element(again, 1, 1) == 5);
    /* A copy in another file does not change either. */
    int32_t copied[6];
    array = array_of(other, "copy/a");
    OK(asdf_array_read(array, ASDF_INT32, NULL, copied, sizeof copied, NULL, 0));
    CHECK(memcmp(copied, numbers, sizeof numbers) == 0);
    asdf_array_free(array);
    asdf_file_free(again);
    asdf_node_free(other_root);
    asdf_file_free(other);
    asdf_node_free(root);
    asdf_file_free(file);
}

static void what_cannot_be_written(void) {
    static const int64_t two[] = {2}, zero[] = {0};
    asdf_node *root = NULL;
    asdf_array *array = NULL;
    asdf_options *options = NULL;
    asdf_options *read_options = NULL;
    int16_t numbers[] = {1, 300};
    make("regions.asdf");
    asdf_file *file = opened("regions.asdf");
    array = array_of(file, "a");
    FAILS(ASDF_ERR_READ_ONLY,
          asdf_array_write_region(array, 2, (int64_t[]){0, 0}, (int64_t[]){1, 1}, NULL, ASDF_INT8, "", 1, NULL));
    asdf_array_free(array);
    asdf_file_free(file);

    file = new_file(&root);
    OK(asdf_options_new(&options));
    OK(asdf_options_new(&read_options));
    OK(asdf_options_set_text(options, ASDF_OPTION_CODEC, "zlib", 4));
    OK(asdf_node_set_array(root, "packed", ASDF_INT16, 1, two, numbers, sizeof numbers, options));
    OK(asdf_options_unset(options, ASDF_OPTION_CODEC));
    OK(asdf_options_set_int(options, ASDF_OPTION_STORAGE, ASDF_STORAGE_INLINE));
    OK(asdf_node_set_array(root, "inline", ASDF_INT16, 1, two, numbers, sizeof numbers, options));
    OK(asdf_options_set_int(options, ASDF_OPTION_STORAGE, ASDF_STORAGE_INTERNAL));
    OK(asdf_node_set_array_borrowed(root, "lent", ASDF_INT16, 1, two, numbers, sizeof numbers, NULL, NULL, NULL));
    OK(asdf_node_set_array(root, "small", ASDF_INT8, 1, two, "ab", 2, NULL));
    OK(asdf_file_write(file, "others.asdf", NULL));
    array = array_of(file, "lent");
    FAILS(ASDF_ERR_UNSUPPORTED, asdf_array_write_region(array, 1, zero, two, NULL, ASDF_INT16, numbers, 4, NULL));
    asdf_array_free(array);
    asdf_node_free(root);
    asdf_file_free(file);

    file = for_update("others.asdf");
    static const char *paths[] = {"packed", "inline"};
    for (int index = 0; index < 2; index++) {
        array = array_of(file, paths[index]);
        FAILS(ASDF_ERR_UNSUPPORTED, asdf_array_write_region(array, 1, zero, two, NULL, ASDF_INT16, numbers, 4, NULL));
        asdf_array_free(array);
    }
    array = array_of(file, "small");
#define WRITE(count, size, options)                                                                                    \
    asdf_array_write_region(array, 1, zero, count, NULL, ASDF_INT16, numbers, size, options)
    FAILS(ASDF_ERR_OVERFLOW, WRITE(two, sizeof numbers, NULL));
    CHECK(access(".others.asdf.asdf-journal", F_OK) != 0);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, WRITE(two, 3, NULL));
    /* More elements are meant for another region. */
    FAILS(ASDF_ERR_INVALID_ARGUMENT, WRITE(((int64_t[]){1}), sizeof numbers, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, WRITE(zero, sizeof numbers, NULL));
    FAILS(ASDF_ERR_OUT_OF_RANGE, WRITE(((int64_t[]){3}), 6, NULL));
    OK(asdf_options_set_fill(read_options, ASDF_INT16, numbers, sizeof *numbers));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, WRITE(two, sizeof numbers, read_options));
    CHECK(message_holds("ASDF_OPTION_FILL"));
    OK(asdf_options_unset(read_options, ASDF_OPTION_FILL));
    OK(asdf_options_set_int(read_options, ASDF_OPTION_CLAMP, 1));
    OK(WRITE(two, sizeof numbers, read_options));
    asdf_datatype *byte = NULL;
    OK(asdf_datatype_scalar(ASDF_INT8, &byte));
    OK(asdf_array_write_region(array, 1, zero, (int64_t[]){1}, NULL, 0, "\5", 1, of_type(byte)));
    OK(asdf_array_write_region(array, 1, zero, zero, NULL, 0, NULL, 0, of_type(byte)));
    OK(asdf_file_save(file, NULL));
    signed char bytes[2];
    OK(asdf_array_read(array, ASDF_INT8, NULL, bytes, 2, NULL, 0));
    CHECK(bytes[0] == 5 && bytes[1] == 127);
    asdf_datatype_free(byte);
    asdf_array_free(array);
    asdf_file_free(file);
    asdf_options_free(options);
    asdf_options_free(read_options);
}

int main(void) {
    saved_and_given_back();
    with_other_changes();
    left_behind();
    zeros_are_filled();
    in_memory();
    what_cannot_be_written();
    return report();
}
