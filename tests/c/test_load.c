/* Arrays and columns read into memory of the library, and limits on its size. */
#include "check.h"

#define NDARRAY "!core/ndarray-1.1.0 "

static asdf_buffer *elements, *offsets, *mask, *last;

/* Returns the bytes of a buffer, which must have this size; the next call frees the buffer. */
static const void *bytes_of(asdf_buffer **buffer, size_t expected) {
    const void *bytes = NULL;
    size_t size = 0;
    OK(asdf_buffer_bytes(*buffer, &bytes, &size));
    CHECK(size == expected);
    asdf_buffer_free(last);
    last = *buffer;
    *buffer = NULL;
    return bytes;
}

static void sizes(const asdf_node *root) {
    static const int32_t codes[] = {ASDF_INT8, ASDF_UINT16, ASDF_FLOAT32, ASDF_COMPLEX128, ASDF_BOOL8};
    static const size_t expected[] = {1, 2, 4, 16, 1};
    static const int64_t part[] = {1, 2}, none[] = {0, 3}, outside[] = {1, 4};
    static const int64_t negative[] = {-1, 2};
    size_t of_code = 0, size = 7;
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        OK(asdf_datatype_code_size(codes[i], &of_code));
        CHECK(of_code == expected[i]);
    }
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_datatype_code_size(ASDF_ASCII, &of_code));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_datatype_code_size(0, &of_code));

    asdf_array *array = NULL;
    OK(asdf_node_get_array(root, "numbers", &array));
    OK(asdf_array_region_size(array, 2, part, ASDF_FLOAT64, &size));
    CHECK(size == 16);
    OK(asdf_array_region_size(array, 2, none, ASDF_FLOAT64, &size));
    CHECK(size == 0);
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_array_region_size(array, 2, outside, ASDF_FLOAT64, &size));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_array_region_size(array, 2, negative, ASDF_FLOAT64, &size));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_array_region_size(array, 1, part, ASDF_FLOAT64, &size));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_array_region_size(array, 2, part, ASDF_UCS4, &size));
    CHECK(size == 0);
    OK(asdf_array_region_size(array, 2, part, 0, &size));
    CHECK(size == 16);
    asdf_array_free(array);
}

static void arrays(const asdf_node *root) {
    asdf_array *array = NULL, *masked = NULL, *texts = NULL;
    asdf_options *options = NULL;
    asdf_datatype *utf8 = NULL;
    const int16_t fill = -7;
    OK(asdf_options_new(&options));
    OK(asdf_node_get_array(root, "numbers", &array));
    OK(asdf_node_get_array(root, "masked", &masked));
    OK(asdf_node_get_array(root, "texts", &texts));

    OK(asdf_array_load(array, ASDF_FLOAT64, NULL, &elements, NULL));
    const double *doubles = bytes_of(&elements, 48);
    CHECK(doubles[0] == 1 && doubles[5] == 300);
    CHECK((uintptr_t)doubles % 16 == 0);
    OK(asdf_options_set_int(options, ASDF_OPTION_ORDER, ASDF_ORDER_FORTRAN));
    OK(asdf_array_load(array, ASDF_INT32, options, &elements, &mask));
    const int32_t *ints = bytes_of(&elements, 24);
    CHECK(ints[0] == 1 && ints[1] == 4 && ints[5] == 300);
    CHECK(memcmp(bytes_of(&mask, 6), "\0\0\0\0\0\0", 6) == 0);
    FAILS(ASDF_ERR_OVERFLOW, asdf_array_load(array, ASDF_INT8, NULL, &elements, &mask));
    CHECK(elements == NULL && mask == NULL);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_array_load(array, ASDF_ASCII, NULL, &elements, &mask));
    const int64_t stride[] = {8, 4};
    OK(asdf_options_set_ints(options, ASDF_OPTION_STRIDES, stride, 2));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_array_load(array, ASDF_INT32, options, &elements, &mask));
    CHECK(message_holds("ASDF_OPTION_STRIDES"));
    OK(asdf_options_unset(options, ASDF_OPTION_STRIDES));
    OK(asdf_options_unset(options, ASDF_OPTION_ORDER));

    OK(asdf_array_load(masked, ASDF_INT16, NULL, &elements, &mask));
    CHECK(((const int16_t *)bytes_of(&elements, 6))[2] == 3);
    CHECK(memcmp(bytes_of(&mask, 3), "\0\1\0", 3) == 0);
    FAILS(ASDF_ERR_MASKED, asdf_array_load(masked, ASDF_INT16, NULL, &elements, NULL));
    CHECK(elements == NULL);
    OK(asdf_options_set_fill(options, ASDF_INT16, &fill, sizeof fill));
    OK(asdf_array_load(masked, ASDF_INT16, options, &elements, NULL));
    CHECK(((const int16_t *)bytes_of(&elements, 6))[1] == -7);

    OK(asdf_datatype_string(ASDF_ASCII, 3, &utf8));
    OK(asdf_array_load(texts, 0, of_type(utf8), &elements, &mask));
    CHECK(memcmp(bytes_of(&elements, 6), "ab\0\303\251\0", 6) == 0);
    CHECK(memcmp(bytes_of(&mask, 2), "\0\0", 2) == 0);
    FAILS(ASDF_ERR_CONVERSION, asdf_array_load(array, 0, of_type(utf8), &elements, &mask));
    CHECK(elements == NULL && mask == NULL);
    asdf_datatype_free(utf8);
    asdf_array_free(array);
    asdf_array_free(masked);
    asdf_array_free(texts);
    asdf_options_free(options);
}

/* A mebibyte of zeros, compressed to few bytes, exceeds the memory limit of the file. */
static void limits(void) {
    static unsigned char zeros[1 << 20];
    static const int64_t shape[] = {sizeof zeros};
    asdf_node *root = NULL;
    asdf_file *made = new_file(&root), *file = NULL;
    asdf_options *options = NULL;
    asdf_buffer *buffer = NULL;
    asdf_array *array = NULL;
    const void *bytes = NULL;
    size_t size = 0;
    OK(asdf_options_new(&options));
    OK(set_codec(options, "zlib", -1));
    OK(asdf_node_set_array(root, "a", ASDF_UINT8, 1, shape, zeros, sizeof zeros, options));
    OK(asdf_options_unset(options, ASDF_OPTION_CODEC));
    OK(asdf_file_write_memory(made, NULL, &buffer));
    OK(asdf_buffer_bytes(buffer, &bytes, &size));
    asdf_node_free(root);
    asdf_file_free(made);

    OK(asdf_options_set_int(options, ASDF_OPTION_LIMIT_DECODED_BYTES, 1 << 18));
    OK(asdf_file_open_memory(bytes, size, options, &file));
    root = root_of(file);
    OK(asdf_node_get_array(root, "a", &array));
    FAILS(ASDF_ERR_LIMIT, asdf_array_load(array, ASDF_UINT8, NULL, &elements, &mask));
    CHECK(elements == NULL && mask == NULL);
    OK(asdf_array_read(array, ASDF_UINT8, NULL, zeros, sizeof zeros, NULL, 0));
    asdf_array_free(array);
    asdf_node_free(root);
    asdf_file_free(file);

    file = open_bytes(bytes, size);
    root = root_of(file);
    OK(asdf_node_get_array(root, "a", &array));
    OK(asdf_array_load(array, ASDF_UINT8, NULL, &elements, NULL));
    CHECK(memcmp(bytes_of(&elements, sizeof zeros), zeros, sizeof zeros) == 0);
    asdf_array_free(array);
    asdf_node_free(root);
    asdf_file_free(file);
    asdf_buffer_free(buffer);
    asdf_options_free(options);
}

static void columns(void) {
    static const double flux[] = {1.5, -2, 4};
    static const uint8_t missing[] = {0, 1, 0};
    static const char *const names[] = {"first", NULL, "\xC3\xA9"};
    const double fill = 9;
    asdf_table *table = NULL;
    asdf_options *options = NULL;
    asdf_datatype *five = NULL;
    OK(asdf_table_new(3, &table));
    OK(asdf_table_add_column(table, "flux", ASDF_FLOAT64, 0, NULL, flux, sizeof flux, missing, 3, NULL));
    OK(add_texts(table, "names", ASDF_STRING, names, 3));
    OK(asdf_datatype_string(ASDF_ASCII, 5, &five));

    OK(asdf_table_load_column(table, "flux", 0, -1, ASDF_FLOAT32, NULL, &elements, &mask));
    const float *floats = bytes_of(&elements, 12);
    CHECK(floats[0] == 1.5F && floats[2] == 4);
    CHECK(memcmp(bytes_of(&mask, 3), missing, 3) == 0);
    OK(asdf_table_load_column(table, "flux", 2, 1, ASDF_FLOAT64, NULL, &elements, NULL));
    CHECK(*(const double *)bytes_of(&elements, 8) == 4);
    FAILS(ASDF_ERR_MASKED, asdf_table_load_column(table, "flux", 0, 2, ASDF_FLOAT64, NULL, &elements, NULL));
    CHECK(elements == NULL);
    OK(asdf_options_new(&options));
    OK(asdf_options_set_fill(options, ASDF_FLOAT64, &fill, sizeof fill));
    OK(asdf_table_load_column(table, "flux", 0, 2, ASDF_FLOAT64, options, &elements, NULL));
    CHECK(((const double *)bytes_of(&elements, 16))[1] == 9);
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_table_load_column(table, "flux", 2, 2, ASDF_UINT8, NULL, &elements, &mask));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_table_load_column(table, "x", 0, -1, ASDF_UINT8, NULL, &elements, &mask));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_load_column(table, "flux", 0, -1, 99, NULL, &elements, &mask));
    CHECK(elements == NULL && mask == NULL);

    OK(asdf_table_load_column(table, "names", 0, -1, 0, of_type(five), &elements, &mask));
    CHECK(memcmp(bytes_of(&elements, 15), "first\0\0\0\0\0\xC3\xA9\0\0\0", 15) == 0);
    CHECK(memcmp(bytes_of(&mask, 3), missing, 3) == 0);
    FAILS(ASDF_ERR_MASKED, asdf_table_load_column(table, "names", 0, -1, 0, of_type(five), &elements, NULL));
    FAILS(ASDF_ERR_CONVERSION, asdf_table_load_column(table, "flux", 0, -1, 0, of_type(five), &elements, &mask));
    CHECK(elements == NULL && mask == NULL);
    asdf_datatype_free(five);
    asdf_options_free(options);
    asdf_table_free(table);
}

/* Texts: text i occupies the bytes from offset i to offset i + 1. */
static void texts_are(int64_t count, const int64_t *expected, const char *text) {
    const int64_t *found = bytes_of(&offsets, ((size_t)count + 1) * sizeof *found);
    CHECK((uintptr_t)found % sizeof *found == 0);
    CHECK(memcmp(found, expected, ((size_t)count + 1) * sizeof *found) == 0);
    CHECK(memcmp(bytes_of(&elements, strlen(text)), text, strlen(text)) == 0);
}

static void texts_of_arrays(const asdf_node *root) {
    static const int64_t wide[] = {0, 2, 4}, square[] = {0, 1, 3, 6, 6}, turned[] = {0, 1, 4, 6, 6};
    static const int64_t masked_ends[] = {0, 3, 3}, filled[] = {0, 3, 4}, none[] = {0};
    asdf_options *options = NULL;
    asdf_datatype *one = NULL;
    asdf_array *array = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_node_get_array(root, "texts", &array));
    OK(asdf_array_load_text(array, NULL, &elements, &offsets, &mask));
    texts_are(2, wide, "ab\303\251");
    CHECK(memcmp(bytes_of(&mask, 2), "\0\0", 2) == 0);
    asdf_array_free(array);

    OK(asdf_node_get_array(root, "square", &array));
    OK(asdf_array_load_text(array, NULL, &elements, &offsets, NULL));
    texts_are(4, square, "abbccc");
    OK(asdf_options_set_int(options, ASDF_OPTION_ORDER, ASDF_ORDER_FORTRAN));
    OK(asdf_array_load_text(array, options, &elements, &offsets, NULL));
    texts_are(4, turned, "acccbb");
    OK(asdf_options_unset(options, ASDF_OPTION_ORDER));
    asdf_array_free(array);

    OK(asdf_node_get_array(root, "some", &array));
    OK(asdf_array_load_text(array, NULL, &elements, &offsets, &mask));
    texts_are(2, masked_ends, "one");
    CHECK(memcmp(bytes_of(&mask, 2), "\0\1", 2) == 0);
    FAILS(ASDF_ERR_MASKED, asdf_array_load_text(array, NULL, &elements, &offsets, NULL));
    CHECK(elements == NULL && offsets == NULL);
    OK(asdf_datatype_string(ASDF_ASCII, 1, &one));
    OK(asdf_options_set_fill(with_type(options, one), 0, "-", 1));
    OK(asdf_array_load_text(array, options, &elements, &offsets, &mask));
    texts_are(2, filled, "one-");
    CHECK(memcmp(bytes_of(&mask, 2), "\0\1", 2) == 0);
    OK(asdf_array_load_text(array, options, &elements, &offsets, NULL));
    texts_are(2, filled, "one-");
    OK(asdf_options_set_int(options, ASDF_OPTION_CLAMP, 1));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_array_load_text(array, options, &elements, &offsets, &mask));
    asdf_array_free(array);

    OK(asdf_node_get_array(root, "empty", &array));
    OK(asdf_array_load_text(array, NULL, &elements, &offsets, &mask));
    texts_are(0, none, "");
    bytes_of(&mask, 0);
    asdf_array_free(array);

    OK(asdf_node_get_array(root, "numbers", &array));
    FAILS(ASDF_ERR_CONVERSION, asdf_array_load_text(array, NULL, &elements, &offsets, &mask));
    CHECK(elements == NULL && offsets == NULL && mask == NULL);
    asdf_array_free(array);
    asdf_datatype_free(one);
    asdf_options_free(options);
}

static void texts_of_columns(void) {
    static const char *const names[] = {"first", NULL, "", "\xC3\xA9"}, *const wide[] = {"1e400", "0.1", "2", NULL};
    static const int32_t numbers[] = {1, 2, 3, 4};
    static const int64_t ends[] = {0, 5, 5, 5, 7}, filled[] = {0, 5, 7, 7, 9}, last_two[] = {0, 0, 2}, none[] = {0};
    static const int64_t wide_ends[] = {0, 5, 8, 9, 9};
    asdf_table *table = NULL;
    asdf_options *options = NULL;
    asdf_datatype *two = NULL;
    OK(asdf_table_new(4, &table));
    OK(add_texts(table, "names", ASDF_STRING, names, 4));
    OK(add_texts(table, "wide", ASDF_FLOAT128, wide, 4));
    OK(asdf_table_add_column(table, "numbers", ASDF_INT32, 0, NULL, numbers, sizeof numbers, NULL, 0, NULL));
    OK(asdf_table_load_text(table, "names", 0, -1, NULL, &elements, &offsets, &mask));
    texts_are(4, ends, "first\xC3\xA9");
    CHECK(memcmp(bytes_of(&mask, 4), "\0\1\0\0", 4) == 0);
    OK(asdf_table_load_text(table, "names", 2, 2, NULL, &elements, &offsets, NULL));
    texts_are(2, last_two, "\xC3\xA9");
    OK(asdf_table_load_text(table, "names", 4, 0, NULL, &elements, &offsets, &mask));
    texts_are(0, none, "");
    bytes_of(&mask, 0);
    OK(asdf_table_load_text(table, "wide", 0, -1, NULL, &elements, &offsets, &mask));
    texts_are(4, wide_ends, "1e4000.12");
    bytes_of(&mask, 4);

    FAILS(ASDF_ERR_MASKED, asdf_table_load_text(table, "names", 0, -1, NULL, &elements, &offsets, NULL));
    OK(asdf_options_new(&options));
    OK(asdf_datatype_string(ASDF_ASCII, 2, &two));
    OK(asdf_options_set_fill(with_type(options, two), 0, "--", 2));
    OK(asdf_table_load_text(table, "names", 0, -1, options, &elements, &offsets, NULL));
    texts_are(4, filled, "first--\xC3\xA9");
    OK(asdf_options_set_fill(options, ASDF_INT32, numbers, sizeof *numbers));
    FAILS(ASDF_ERR_CONVERSION, asdf_table_load_text(table, "names", 0, -1, options, &elements, &offsets, &mask));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_table_load_text(table, "names", 3, 2, NULL, &elements, &offsets, &mask));
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_table_load_text(table, "numbers", 0, -1, NULL, &elements, &offsets, &mask));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_table_load_text(table, "x", 0, -1, NULL, &elements, &offsets, &mask));
    CHECK(elements == NULL && offsets == NULL && mask == NULL);
    asdf_datatype_free(two);
    asdf_options_free(options);
    asdf_table_free(table);
}

int main(void) {
    asdf_file *file = open_tree("numbers: " NDARRAY "[[1, 2, 3], [4, 5, 300]]\n"
                                "masked: " NDARRAY "[1, null, 3]\n"
                                "texts: " NDARRAY "{data: [ab, \"\\xE9\"], datatype: [ucs4, 2]}\n"
                                "square: " NDARRAY "{data: [[a, bb], [ccc, '']], datatype: [ascii, 4]}\n"
                                "some: " NDARRAY "{data: [one, null], datatype: [ascii, 4]}\n"
                                "empty: " NDARRAY "{data: [], datatype: [ascii, 4]}\n");
    asdf_node *root = root_of(file);
    sizes(root);
    arrays(root);
    limits();
    columns();
    texts_of_arrays(root);
    texts_of_columns();
    asdf_buffer_free(last);
    asdf_node_free(root);
    asdf_file_free(file);
    return report();
}
