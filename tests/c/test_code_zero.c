/* The datatype code 0: the datatype in the options, or without one that of the array, in each call that takes a code.
 */
#include "check.h"

static const int64_t two[] = {2}, one[] = {1}, zero[] = {0};

static asdf_datatype *string(int64_t length) {
    asdf_datatype *datatype = NULL;
    OK(asdf_datatype_string(ASDF_ASCII, length, &datatype));
    return datatype;
}

static asdf_datatype *scalar(int32_t code) {
    asdf_datatype *datatype = NULL;
    OK(asdf_datatype_scalar(code, &datatype));
    return datatype;
}

/* A record of an int8 and a string of two bytes. */
static asdf_datatype *record(void) {
    asdf_datatype *number = scalar(ASDF_INT8), *text = string(2), *made = NULL;
    const asdf_datatype *fields[] = {number, text};
    OK(asdf_datatype_record(2, (const char *[]){"n", "s"}, fields, NULL, NULL, &made));
    asdf_datatype_free(number);
    asdf_datatype_free(text);
    return made;
}

static asdf_array *get(const asdf_node *root, const char *path) {
    asdf_array *array = NULL;
    OK(asdf_node_get_array(root, path, &array));
    return array;
}

static void setter(void) {
    asdf_options *options = NULL, *copy = NULL;
    asdf_datatype *text = string(4);
    int64_t value = 0;
    OK(asdf_options_new(&options));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_options_set_datatype(options, NULL));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_options_set_datatype(NULL, text));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_fill(options, 0, "none", 4));
    CHECK(message_holds("asdf_options_set_datatype()"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_DATATYPE, ASDF_INT8));
    OK(asdf_options_set_datatype(options, text));
    /* The options have a copy. */
    asdf_datatype_free(text);
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_options_get_int(options, ASDF_OPTION_DATATYPE, &value));
    OK(asdf_options_set_fill(options, 0, "none", 4));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_fill(options, 0, "none!", 5));
    OK(asdf_options_copy(options, &copy));
    OK(asdf_options_unset(options, ASDF_OPTION_DATATYPE));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_fill(options, 0, "none", 4));
    OK(asdf_options_set_fill(copy, 0, "null", 4));
    asdf_options_free(copy);
    asdf_options_free(options);
}

static void reads(const asdf_node *root) {
    asdf_array *numbers = get(root, "numbers"), *texts = get(root, "texts"), *records = get(root, "records");
    asdf_datatype *wide = scalar(ASDF_FLOAT64), *three = string(3);
    asdf_options *options = NULL;
    asdf_buffer *buffer = NULL;
    const void *bytes = NULL;
    int16_t shorts[2];
    double doubles[2];
    char out[8];
    size_t size = 0;

    OK(asdf_array_byte_size(numbers, 0, &size));
    CHECK(size == 4);
    OK(asdf_array_byte_size(texts, 0, &size));
    CHECK(size == 8);
    OK(asdf_array_region_size(records, 1, one, 0, &size));
    CHECK(size == 3);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_array_byte_size(texts, ASDF_ASCII, &size));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_array_region_size(records, 1, (int64_t[]){3}, 0, &size));

    /* The array's own datatype, in native byte order. */
    OK(asdf_array_read(numbers, 0, NULL, shorts, sizeof shorts, NULL, 0));
    CHECK(shorts[0] == 1 && shorts[1] == -2);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_array_read(numbers, 0, NULL, shorts, 3, NULL, 0));
    OK(asdf_array_read(texts, 0, NULL, out, 8, NULL, 0));
    CHECK(memcmp(out, "ab\0\0abcd", 8) == 0);
    OK(asdf_array_read_region(records, 1, one, one, NULL, 0, NULL, out, 3, NULL, 0));
    CHECK(memcmp(out, "\2cd", 3) == 0);
    OK(asdf_array_load(records, 0, NULL, &buffer, NULL));
    OK(asdf_buffer_bytes(buffer, &bytes, &size));
    CHECK(size == 6 && memcmp(bytes, "\1ab\2cd", 6) == 0);
    asdf_buffer_free(buffer);

    /* That of the options; any other code counts more. */
    OK(asdf_array_read(numbers, 0, of_type(wide), doubles, sizeof doubles, NULL, 0));
    CHECK(doubles[0] == 1 && doubles[1] == -2);
    OK(asdf_array_read(numbers, ASDF_INT16, of_type(wide), shorts, sizeof shorts, NULL, 0));
    CHECK(shorts[1] == -2);
    OK(asdf_array_read_region(numbers, 1, one, one, NULL, 0, of_type(wide), doubles, 8, NULL, 0));
    CHECK(doubles[0] == -2);
    FAILS(ASDF_ERR_OVERFLOW, asdf_array_read(texts, 0, of_type(three), out, 6, NULL, 0));
    FAILS(ASDF_ERR_CONVERSION, asdf_array_read(texts, 0, of_type(wide), doubles, sizeof doubles, NULL, 0));
    FAILS(ASDF_ERR_CONVERSION, asdf_array_load(numbers, 0, of_type(three), &buffer, NULL));
    OK(asdf_array_load(numbers, 0, of_type(wide), &buffer, NULL));
    OK(asdf_buffer_bytes(buffer, &bytes, &size));
    CHECK(size == 16 && ((const double *)bytes)[0] == 1);
    asdf_buffer_free(buffer);

    /* With strides. */
    OK(asdf_options_new(&options));
    OK(asdf_options_set_ints(options, ASDF_OPTION_STRIDES, (int64_t[]){-4}, 1));
    OK(asdf_array_read(texts, 0, options, out, 8, NULL, 0));
    CHECK(memcmp(out, "abcdab\0\0", 8) == 0);
    OK(asdf_options_set_int(options, ASDF_OPTION_CLAMP, 1));
    memset(out, '?', sizeof out);
    OK(asdf_array_read(texts, 0, with_type(options, three), out, 7, NULL, 0));
    CHECK(memcmp(out, "abc?ab\0?", 8) == 0);
    asdf_options_free(options);

    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_array_read(texts, ASDF_ASCII, NULL, out, 8, NULL, 0));
    CHECK(message_holds("asdf_options_set_datatype()"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_array_read(numbers, 99, of_type(wide), out, 8, NULL, 0));
    asdf_datatype_free(three);
    asdf_datatype_free(wide);
    asdf_array_free(records);
    asdf_array_free(texts);
    asdf_array_free(numbers);
}

static void views(const asdf_node *root) {
    asdf_array *texts = get(root, "texts"), *numbers = get(root, "numbers");
    asdf_datatype *four = string(4), *three = string(3);
    asdf_view *view = NULL;
    const void *bytes = NULL;
    size_t size = 0;
    OK(asdf_array_view(texts, 0, NULL, &view));
    OK(asdf_view_bytes(view, &bytes, &size));
    CHECK(size == 8 && memcmp(bytes, "ab\0\0abcd", 8) == 0);
    asdf_view_free(view);
    OK(asdf_array_view(texts, 0, of_type(four), &view));
    asdf_view_free(view);
    FAILS(ASDF_ERR_NOT_VIEWABLE, asdf_array_view(texts, 0, of_type(three), &view));
    FAILS(ASDF_ERR_NOT_VIEWABLE, asdf_array_view(numbers, 0, of_type(four), &view));
    asdf_datatype_free(three);
    asdf_datatype_free(four);
    asdf_array_free(numbers);
    asdf_array_free(texts);
}

static void region_writes(asdf_node *root) {
    asdf_array *texts = get(root, "texts"), *numbers = get(root, "numbers");
    asdf_datatype *two_bytes = string(2), *wide = scalar(ASDF_FLOAT64);
    const int16_t seven = 7;
    const double half = 0.5, eight = 8;
    int16_t shorts[2];
    char out[8];
    OK(asdf_array_write_region(texts, 1, zero, one, NULL, 0, "wxyz", 4, NULL));
    OK(asdf_array_write_region(texts, 1, one, one, NULL, 0, "no", 2, of_type(two_bytes)));
    OK(asdf_array_read(texts, 0, NULL, out, 8, NULL, 0));
    CHECK(memcmp(out, "wxyzno\0\0", 8) == 0);
    OK(asdf_array_write_region(numbers, 1, zero, one, NULL, 0, &seven, sizeof seven, NULL));
    OK(asdf_array_write_region(numbers, 1, one, one, NULL, 0, &eight, sizeof eight, of_type(wide)));
    OK(asdf_array_read(numbers, 0, NULL, shorts, sizeof shorts, NULL, 0));
    CHECK(shorts[0] == 7 && shorts[1] == 8);
    FAILS(ASDF_ERR_CONVERSION,
          asdf_array_write_region(numbers, 1, one, one, NULL, 0, &half, sizeof half, of_type(two_bytes)));
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_array_write_region(texts, 1, zero, one, NULL, 0, "wxy", 3, NULL));
    asdf_datatype_free(wide);
    asdf_datatype_free(two_bytes);
    asdf_array_free(numbers);
    asdf_array_free(texts);
}

static asdf_status give(void *user, int64_t offset, void *buffer, size_t size, size_t *read) {
    memcpy(buffer, (const char *)user + offset, size);
    *read = size;
    return ASDF_OK;
}

/* New arrays need a datatype. */
static void setting(void) {
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root), *again = NULL;
    asdf_datatype *text = string(2), *pair = record();
    asdf_stream *stream = NULL;
    asdf_array *array = NULL;
    char out[6], lent[] = "cdab";

    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_array(root, "a", 0, 1, two, "abcd", 4, NULL));
    CHECK(message_holds("asdf_options_set_datatype()"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_array_borrowed(root, "a", 0, 1, two, lent, 4, NULL, NULL, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_array_callback(root, "a", 0, 1, two, give, NULL, lent, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_array_zeros(root, "a", 0, 1, two, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_stream_create(file, "zero.asdf", "s", 0, 0, NULL, NULL, &stream));
    CHECK(stream == NULL);
    OK(asdf_file_forget_failure(file));

    OK(asdf_node_set_array(root, "a", 0, 1, two, "abcd", 4, of_type(text)));
    OK(asdf_node_set_array(root, "r", 0, 1, two, "\1ab\2cd", 6, of_type(pair)));
    OK(asdf_node_set_array_borrowed(root, "b", 0, 1, two, lent, 4, NULL, NULL, of_type(text)));
    OK(asdf_node_set_array_callback(root, "c", 0, 1, two, give, NULL, lent, of_type(text)));
    OK(asdf_node_set_array_zeros(root, "z", 0, 1, two, of_type(pair)));
    /* A code other than 0 is the datatype. */
    OK(asdf_node_set_array(root, "n", ASDF_INT8, 1, two, "\1\2", 2, of_type(pair)));
    /* Growing and copying keep the datatype; a copy has no code, so it refuses the option. */
    OK(asdf_node_resize_array(root, "r", 1, (int64_t[]){3}, "\3ef", 3, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_copy(root, "copy", root, of_type(pair)));
    CHECK(message_holds("ASDF_OPTION_DATATYPE"));
    OK(asdf_file_forget_failure(file));
    again = written(file);
    asdf_node *found = root_of(again);
    static const struct {
        const char *path, *datatype, *bytes;
        size_t size;
    } arrays[] = {{"a", "[ascii, 2]", "abcd", 4},
                  {"b", "[ascii, 2]", "cdab", 4},
                  {"c", "[ascii, 2]", "cdab", 4},
                  {"z", "[n: int8, s: [ascii, 2]]", "\0\0\0\0\0\0", 6},
                  {"n", "int8", "\1\2", 2}};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        array = get(found, arrays[i].path);
        TEXT(arrays[i].datatype, asdf_array_datatype_name, array);
        OK(asdf_array_read(array, 0, NULL, out, arrays[i].size, NULL, 0));
        CHECK(memcmp(out, arrays[i].bytes, arrays[i].size) == 0);
        asdf_array_free(array);
    }
    array = get(found, "r");
    char records[9];
    OK(asdf_array_read(array, 0, NULL, records, sizeof records, NULL, 0));
    CHECK(memcmp(records, "\1ab\2cd\3ef", 9) == 0);
    asdf_array_free(array);
    asdf_node_free(found);
    asdf_file_free(again);

    OK(asdf_stream_create(file, "zero.asdf", "s", 0, 0, NULL, of_type(pair), &stream));
    OK(asdf_stream_push(stream, 1, "\7xy", 3));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_stream_push(stream, 1, "\7x", 2));
    OK(asdf_stream_finish(stream));
    asdf_stream_free(stream);
    OK(asdf_file_open("zero.asdf", NULL, &again));
    found = root_of(again);
    array = get(found, "s");
    OK(asdf_array_read(array, 0, NULL, out, 3, NULL, 0));
    CHECK(memcmp(out, "\7xy", 3) == 0);
    free_file(&again, &found, &array);
    remove("zero.asdf");
    asdf_datatype_free(pair);
    asdf_datatype_free(text);
    asdf_node_free(root);
    asdf_file_free(file);
}

static void tables(void) {
    static const int64_t lengths[] = {1, 0};
    asdf_table *table = NULL;
    asdf_datatype *text = string(2), *pair = record(), *wide = scalar(ASDF_FLOAT64);
    asdf_buffer *buffer = NULL;
    const void *bytes = NULL;
    const int16_t numbers[] = {1, -2};
    int16_t shorts[2];
    double doubles[2];
    char out[4];
    size_t size = 0;
    OK(asdf_table_new(2, &table));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_add_column(table, "t", 0, 0, NULL, "abcd", 4, NULL, 0, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT,
          asdf_table_add_variable_column(table, "v", 0, 0, NULL, lengths, 2, "xy", 2, NULL, 0, NULL));
    FAILS(ASDF_ERR_CONVERSION, asdf_table_add_column(table, "r", 0, 0, NULL, "\1ab\2cd", 6, NULL, 0, of_type(pair)));
    OK(asdf_table_add_column(table, "t", 0, 0, NULL, "abcd", 4, NULL, 0, of_type(text)));
    OK(asdf_table_add_variable_column(table, "v", 0, 0, NULL, lengths, 2, "xy", 2, NULL, 0, of_type(text)));
    OK(asdf_table_add_column(table, "n", ASDF_INT16, 0, NULL, numbers, sizeof numbers, NULL, 0, of_type(text)));

    OK(asdf_table_read_column(table, "n", 0, -1, 0, NULL, shorts, sizeof shorts, NULL, 0));
    CHECK(shorts[0] == 1 && shorts[1] == -2);
    OK(asdf_table_read_column(table, "n", 1, 1, 0, of_type(wide), doubles, 8, NULL, 0));
    CHECK(doubles[0] == -2);
    OK(asdf_table_load_column(table, "n", 0, -1, 0, NULL, &buffer, NULL));
    OK(asdf_buffer_bytes(buffer, &bytes, &size));
    CHECK(size == sizeof numbers && memcmp(bytes, numbers, size) == 0);
    asdf_buffer_free(buffer);
    OK(asdf_table_read_column(table, "t", 0, -1, 0, of_type(text), out, 4, NULL, 0));
    CHECK(memcmp(out, "abcd", 4) == 0);
    OK(asdf_table_load_column(table, "v", 0, -1, 0, of_type(text), &buffer, NULL));
    OK(asdf_buffer_bytes(buffer, &bytes, &size));
    CHECK(size == 2 && memcmp(bytes, "xy", 2) == 0);
    asdf_buffer_free(buffer);
    /* Texts have no length of their own. */
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_read_column(table, "t", 0, -1, 0, NULL, out, 4, NULL, 0));
    CHECK(message_holds("'t'") && message_holds("asdf_table_load_text()"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_load_column(table, "v", 0, -1, 0, NULL, &buffer, NULL));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_table_read_column(table, "x", 0, -1, 0, NULL, out, 4, NULL, 0));
    asdf_datatype_free(wide);
    asdf_datatype_free(pair);
    asdf_datatype_free(text);
    asdf_table_free(table);
}

static void descriptions(void) {
    static const char yaml[] = "ndarrays:\n"
                               "  n: {shape: [2], type: int16, value: [1, -2]}\n"
                               "  f: {shape: [1], type: {array: {base: float32, shape: [2]}}, value: [[0.5, 2]]}\n"
                               "  b: {shape: [1], type: {enum: {members: {FALSE: 0, TRUE: 1}}}, value: [TRUE]}\n"
                               "  o: {shape: [1], type: {opaque: {size: 2}}, value: [AQI=]}\n"
                               "  t: {shape: [1], type: string, value: [ab]}\n";
    asdf_ndl *ndl = NULL;
    asdf_datatype *text = string(2);
    int16_t shorts[2];
    float floats[2];
    char out[2];
    OK(asdf_ndl_read_memory(yaml, sizeof yaml - 1, NULL, &ndl));
    OK(asdf_ndl_read_values(ndl, "/n", NULL, 0, NULL, shorts, sizeof shorts));
    CHECK(shorts[0] == 1 && shorts[1] == -2);
    OK(asdf_ndl_read_values(ndl, "/f", NULL, 0, NULL, floats, sizeof floats));
    CHECK(floats[0] == 0.5f && floats[1] == 2);
    OK(asdf_ndl_read_values(ndl, "/b", NULL, 0, NULL, out, 1));
    CHECK(out[0] == 1);
    OK(asdf_ndl_read_values(ndl, "/o", NULL, 0, NULL, out, 2));
    CHECK(memcmp(out, "\1\2", 2) == 0);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_ndl_read_values(ndl, "/n", NULL, 0, NULL, shorts, 3));
    OK(asdf_ndl_read_values(ndl, "/t", NULL, 0, of_type(text), out, 2));
    CHECK(memcmp(out, "ab", 2) == 0);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_ndl_read_values(ndl, "/t", NULL, 0, NULL, out, 2));
    CHECK(message_holds("asdf_options_set_datatype()"));
    FAILS(ASDF_ERR_CONVERSION, asdf_ndl_read_values(ndl, "/n", NULL, 0, of_type(text), out, 2));
    asdf_ndl_free(ndl);

    asdf_ndl_builder *builder = NULL;
    asdf_datatype *wide = scalar(ASDF_FLOAT64);
    const int16_t stored[] = {3, -4};
    const double numbers[] = {5, 0.5}, whole[] = {3, -4};
    OK(asdf_ndl_builder_new(NULL, &builder));
    OK(asdf_ndl_builder_add_ndarray(builder, "/n", 1, two, NULL, "int16"));
    OK(asdf_ndl_builder_add_ndarray(builder, "/t", 1, one, NULL, "string"));
    OK(asdf_ndl_builder_set_values(builder, "/n", NULL, 0, 1, two, stored, sizeof stored, NULL));
    FAILS(ASDF_ERR_OVERFLOW, asdf_ndl_builder_set_values(builder, "/n", NULL, 0, 1, two, numbers, 16, of_type(wide)));
    OK(asdf_ndl_builder_set_values(builder, "/n", NULL, 0, 1, two, whole, sizeof whole, of_type(wide)));
    FAILS(ASDF_ERR_CONVERSION, asdf_ndl_builder_set_values(builder, "/n", NULL, 0, 1, two, "abcd", 4, of_type(text)));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_ndl_builder_set_values(builder, "/t", NULL, 0, 1, one, "ab", 2, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_ndl_builder_set_values(builder, "/n", NULL, 99, 1, two, stored, 4, NULL));
    OK(asdf_ndl_builder_finish(builder, NULL, &ndl));
    OK(asdf_ndl_read_values(ndl, "/n", NULL, 0, NULL, shorts, sizeof shorts));
    CHECK(memcmp(shorts, stored, sizeof stored) == 0);
    asdf_ndl_free(ndl);
    asdf_ndl_builder_free(builder);
    asdf_datatype_free(wide);
    asdf_datatype_free(text);
}

int main(void) {
    asdf_node *made = NULL;
    asdf_file *new = new_file(&made), *file = NULL;
    asdf_datatype *four = string(4), *pair = record();
    asdf_options *big = NULL;
    setter();
    OK(asdf_options_new(&big));
    OK(asdf_options_set_int(big, ASDF_OPTION_BYTE_ORDER, ASDF_BYTE_ORDER_BIG));
    OK(asdf_node_set_array(made, "numbers", ASDF_INT16, 1, two, (int16_t[]){1, -2}, 4, big));
    OK(asdf_node_set_array(made, "texts", 0, 1, two, "ab\0\0abcd", 8, of_type(four)));
    OK(asdf_node_set_array(made, "records", 0, 1, two, "\1ab\2cd", 6, of_type(pair)));
    file = written(new);
    asdf_node *root = root_of(file);
    reads(root);
    reads(made);
    views(root);
    region_writes(made);
    setting();
    tables();
    descriptions();
    asdf_options_free(big);
    asdf_datatype_free(pair);
    asdf_datatype_free(four);
    asdf_node_free(root);
    asdf_file_free(file);
    asdf_node_free(made);
    asdf_file_free(new);
    return report();
}
