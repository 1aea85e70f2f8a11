/* Strings of fixed length, padded with blanks in memory: each call that knows the option reads or writes them, and all
 * other calls refuse the option. */
#include "check.h"

static const int64_t three[] = {3};
static asdf_options *padded;

static asdf_datatype *string(int32_t code, int64_t length) {
    asdf_datatype *datatype = NULL;
    OK(asdf_datatype_string(code, length, &datatype));
    return datatype;
}

static void arrays(int32_t storage, int32_t byte_order) {
    asdf_node *made = NULL, *root = NULL;
    asdf_file *new = new_file(&made), *file = NULL;
    asdf_datatype *four = string(ASDF_ASCII, 4), *units = string(ASDF_UCS4, 3), *five = string(ASDF_ASCII, 5);
    asdf_datatype *narrow = string(ASDF_ASCII, 3);
    asdf_options *options = NULL;
    asdf_array *array = NULL;
    asdf_buffer *buffer = NULL, *no_mask = NULL;
    const uint32_t wide[] = {0xE9, ' ', ' ', 'a', ' ', 'b', ' ', ' ', ' '};
    uint32_t found[9];
    char bytes[20];
    int64_t start[] = {1}, count[] = {2}, strides[] = {-6};
    const void *loaded = NULL;
    size_t size = 0;

    OK(asdf_options_copy(padded, &options));
    OK(asdf_options_set_int(options, ASDF_OPTION_STORAGE, storage));
    OK(asdf_options_set_int(options, ASDF_OPTION_BYTE_ORDER, byte_order));
    OK(asdf_node_set_array(made, "a", 0, 1, three, "ab      abcd", 12, with_type(options, four)));
    OK(asdf_node_set_array(made, "u", 0, 1, three, wide, sizeof wide, with_type(options, units)));
    OK(asdf_options_set_ints(options, ASDF_OPTION_STRIDES, strides, 1));
    OK(asdf_node_set_array(made, "s", 0, 1, three, "c   --b   --a   ", 16, with_type(options, four)));
    file = written(new);
    root = root_of(file);
    OK(asdf_node_get_array(root, "a", &array));
    OK(asdf_array_read(array, 0, of_type(four), bytes, 12, NULL, 0));
    CHECK(memcmp(bytes, "ab\0\0\0\0\0\0abcd", 12) == 0);
    OK(asdf_array_read(array, 0, with_type(padded, four), bytes, 12, NULL, 0));
    CHECK(memcmp(bytes, "ab      abcd", 12) == 0);
    OK(asdf_array_read(array, 0, with_type(padded, five), bytes, 15, NULL, 0));
    CHECK(memcmp(bytes, "ab        abcd ", 15) == 0);
    FAILS(ASDF_ERR_OVERFLOW, asdf_array_read(array, 0, with_type(padded, narrow), bytes, 9, NULL, 0));
    OK(asdf_array_read_region(array, 1, start, count, NULL, 0, with_type(padded, four), bytes, 8, NULL, 0));
    CHECK(memcmp(bytes, "    abcd", 8) == 0);
    /* Bytes between the elements stay unchanged. */
    memset(bytes, '?', sizeof bytes);
    OK(asdf_options_unset(options, ASDF_OPTION_STORAGE));
    OK(asdf_options_unset(options, ASDF_OPTION_BYTE_ORDER));
    OK(asdf_array_read(array, 0, with_type(options, four), bytes, 16, NULL, 0));
    CHECK(memcmp(bytes, "abcd??    ??ab  ????", 20) == 0);
    OK(asdf_array_load(array, 0, with_type(padded, four), &buffer, &no_mask));
    OK(asdf_buffer_bytes(buffer, &loaded, &size));
    CHECK(size == 12 && memcmp(loaded, "ab      abcd", 12) == 0);
    asdf_buffer_free(buffer);
    asdf_buffer_free(no_mask);
    asdf_array_free(array);

    OK(asdf_node_get_array(root, "u", &array));
    OK(asdf_array_read(array, 0, with_type(padded, units), found, sizeof found, NULL, 0));
    CHECK(memcmp(found, wide, sizeof wide) == 0);
    OK(asdf_array_read(array, 0, of_type(units), found, sizeof found, NULL, 0));
    CHECK(found[1] == 0 && found[2] == 0 && found[4] == ' ' && found[6] == 0);
    OK(asdf_array_read(array, 0, with_type(padded, four), bytes, 12, NULL, 0));
    CHECK(memcmp(bytes, "\xC3\xA9  a b     ", 12) == 0);
    asdf_array_free(array);

    OK(asdf_node_get_array(root, "s", &array));
    OK(asdf_array_read(array, 0, of_type(four), bytes, 12, NULL, 0));
    CHECK(memcmp(bytes, "a\0\0\0b\0\0\0c\0\0", 12) == 0);
    asdf_array_free(array);
    asdf_datatype_free(narrow);
    asdf_datatype_free(five);
    asdf_datatype_free(units);
    asdf_datatype_free(four);
    asdf_options_free(options);
    asdf_node_free(root);
    asdf_file_free(file);
    asdf_node_free(made);
    asdf_file_free(new);
}

/* Strings in records; overwritten regions; missing strings and fill values. */
static void other_arrays(void) {
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
    asdf_datatype *three_bytes = string(ASDF_ASCII, 3), *four = string(ASDF_ASCII, 4), *number = NULL, *record = NULL;
    asdf_array *array = NULL;
    char bytes[16], mask[3];
    int64_t start[] = {1}, count[] = {2};
    OK(asdf_datatype_scalar(ASDF_INT8, &number));
    const asdf_datatype *fields[] = {number, three_bytes};
    OK(asdf_datatype_record(2, (const char *[]){"n", "s"}, fields, NULL, NULL, &record));
    OK(asdf_node_set_array(root, "r", 0, 1, three, " a   b  \0ccc", 12, with_type(padded, record)));
    OK(asdf_node_get_array(root, "r", &array));
    OK(asdf_array_read(array, 0, of_type(record), bytes, 12, NULL, 0));
    CHECK(memcmp(bytes, " a\0\0 b\0\0\0ccc", 12) == 0);
    OK(asdf_array_read(array, 0, with_type(padded, record), bytes, 12, NULL, 0));
    CHECK(memcmp(bytes, " a   b  \0ccc", 12) == 0);
    asdf_array_free(array);

    OK(asdf_node_set_array(root, "a", 0, 1, three, "a  b  c  ", 9, with_type(padded, three_bytes)));
    OK(asdf_node_get_array(root, "a", &array));
    OK(asdf_array_write_region(array, 1, start, count, NULL, 0, "xy  z   ", 8, with_type(padded, four)));
    FAILS(ASDF_ERR_OVERFLOW,
          asdf_array_write_region(array, 1, start, count, NULL, 0, "xyzzz   ", 8, with_type(padded, four)));
    FAILS(ASDF_ERR_OVERFLOW, asdf_array_write_region(array, 1, start, count, NULL, 0, "xy  z   ", 8, of_type(four)));
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL,
          asdf_array_write_region(array, 1, start, count, NULL, 0, "xy  z  ", 7, with_type(padded, four)));
    OK(asdf_array_read(array, 0, of_type(three_bytes), bytes, 9, NULL, 0));
    CHECK(memcmp(bytes, "a\0\0xy\0z\0\0", 9) == 0);
    asdf_array_free(array);
    asdf_node_free(root);
    asdf_file_free(file);

    file = open_tree("some: !core/ndarray-1.1.0 {data: [one, null, x], datatype: [ascii, 4]}\n");
    root = root_of(file);
    OK(asdf_node_get_array(root, "some", &array));
    OK(asdf_array_read(array, 0, with_type(padded, four), bytes, 12, (uint8_t *)mask, 3));
    CHECK(memcmp(bytes, "one     x   ", 12) == 0 && memcmp(mask, "\0\1\0", 3) == 0);
    asdf_options *filled = NULL;
    OK(asdf_options_copy(padded, &filled));
    OK(asdf_options_set_fill(with_type(filled, three_bytes), 0, "no\0", 3));
    OK(asdf_array_read(array, 0, with_type(filled, four), bytes, 12, NULL, 0));
    CHECK(memcmp(bytes, "one no  x   ", 12) == 0);
    asdf_options_free(filled);
    asdf_array_free(array);
    asdf_datatype_free(record);
    asdf_datatype_free(number);
    asdf_datatype_free(four);
    asdf_datatype_free(three_bytes);
    asdf_node_free(root);
    asdf_file_free(file);
}

static void streams(void) {
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root), *again = NULL;
    asdf_datatype *two = string(ASDF_ASCII, 2);
    asdf_stream *stream = NULL;
    asdf_array *array = NULL;
    char bytes[6];
    OK(asdf_stream_create(file, "blanks.asdf", "a", 0, 0, NULL, with_type(padded, two), &stream));
    OK(asdf_stream_push(stream, 2, "a bb", 4));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_stream_push(stream, 2, "a b", 3));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_stream_push(stream, -1, "a ", 2));
    OK(asdf_stream_push(stream, 1, "  ", 2));
    OK(asdf_stream_finish(stream));
    asdf_stream_free(stream);
    asdf_node_free(root);
    asdf_file_free(file);
    OK(asdf_file_open("blanks.asdf", NULL, &again));
    root = root_of(again);
    OK(asdf_node_get_array(root, "a", &array));
    OK(asdf_array_read(array, 0, of_type(two), bytes, 6, NULL, 0));
    CHECK(memcmp(bytes, "a\0bb\0\0", 6) == 0);
    asdf_array_free(array);
    asdf_node_free(root);
    asdf_file_free(again);
    asdf_datatype_free(two);
}

static void tables(void) {
    static const int64_t lengths[] = {2, 0, 1};
    asdf_table *table = NULL;
    asdf_datatype *four = string(ASDF_ASCII, 4);
    asdf_buffer *buffer = NULL;
    const void *loaded = NULL;
    size_t size = 0;
    char bytes[12];
    OK(asdf_table_new(3, &table));
    OK(asdf_table_add_column(table, "a", 0, 0, NULL, "ab      abcd", 12, NULL, 0, with_type(padded, four)));
    OK(asdf_table_add_column(table, "kept", 0, 0, NULL, "ab      abcd", 12, NULL, 0, of_type(four)));
    OK(asdf_table_add_variable_column(table, "v", 0, 0, NULL, lengths, 3, "x       z   ", 12, NULL, 0,
                                      with_type(padded, four)));
    TEXT("ab", asdf_table_read_text, table, "a", 0, 0, NULL);
    TEXT("", asdf_table_read_text, table, "a", 1, 0, NULL);
    TEXT("ab  ", asdf_table_read_text, table, "kept", 0, 0, NULL);
    TEXT("z", asdf_table_read_text, table, "v", 2, 0, NULL);
    OK(asdf_table_read_column(table, "a", 0, -1, 0, with_type(padded, four), bytes, 12, NULL, 0));
    CHECK(memcmp(bytes, "ab      abcd", 12) == 0);
    OK(asdf_table_read_column(table, "a", 0, -1, 0, of_type(four), bytes, 12, NULL, 0));
    CHECK(memcmp(bytes, "ab\0\0\0\0\0\0abcd", 12) == 0);
    OK(asdf_table_load_column(table, "v", 0, -1, 0, with_type(padded, four), &buffer, NULL));
    OK(asdf_buffer_bytes(buffer, &loaded, &size));
    CHECK(size == 12 && memcmp(loaded, "x       z   ", 12) == 0);
    asdf_buffer_free(buffer);
    asdf_datatype_free(four);
    asdf_table_free(table);
}

static void descriptions(void) {
    static const char text[] = "ndarrays: {names: {shape: [2], type: string, value: [ab, abcd]}, "
                               "pair: {shape: [1], type: {compound: [a: int8, b: string]}, value: [[1, x]]}}";
    asdf_ndl *ndl = NULL;
    asdf_datatype *four = string(ASDF_ASCII, 4), *two = string(ASDF_ASCII, 2), *number = NULL, *record = NULL;
    char bytes[8];
    OK(asdf_ndl_read_memory(text, sizeof text - 1, NULL, &ndl));
    OK(asdf_ndl_read_values(ndl, "/names", NULL, 0, with_type(padded, four), bytes, 8));
    CHECK(memcmp(bytes, "ab  abcd", 8) == 0);
    OK(asdf_ndl_read_values(ndl, "/names", NULL, 0, of_type(four), bytes, 8));
    CHECK(memcmp(bytes, "ab\0\0abcd", 8) == 0);
    FAILS(ASDF_ERR_OVERFLOW, asdf_ndl_read_values(ndl, "/names", NULL, 0, with_type(padded, two), bytes, 8));
    OK(asdf_datatype_scalar(ASDF_INT8, &number));
    const asdf_datatype *fields[] = {number, two};
    OK(asdf_datatype_record(2, (const char *[]){"a", "b"}, fields, NULL, NULL, &record));
    OK(asdf_ndl_read_values(ndl, "/pair", NULL, 0, with_type(padded, record), bytes, 3));
    CHECK(memcmp(bytes, "\1x ", 3) == 0);
    asdf_datatype_free(record);
    asdf_datatype_free(number);
    asdf_datatype_free(two);
    asdf_datatype_free(four);
    asdf_ndl_free(ndl);
}

/* Calls that neither read strings of fixed length into memory of the program nor write them from there. */
static void refusals(void) {
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
    asdf_array *array = NULL;
    asdf_datatype *two = string(ASDF_ASCII, 2);
    char text[3];
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(padded, ASDF_OPTION_BLANK_PADDED, 2));
    FAILS(ASDF_ERR_INVALID_ARGUMENT,
          asdf_node_set_array_borrowed(root, "a", 0, 1, three, "a b c ", 6, NULL, NULL, with_type(padded, two)));
    CHECK(message_holds("ASDF_OPTION_BLANK_PADDED"));
    OK(asdf_file_forget_failure(file));
    OK(asdf_node_set_array(root, "a", 0, 1, three, "a b c ", 6, with_type(padded, two)));
    OK(asdf_node_get_array(root, "a", &array));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_array_read_mask(array, padded, (uint8_t *)text, 3));
    FAILS(ASDF_ERR_INVALID_ARGUMENT,
          asdf_array_read_string(array, 1, (int64_t[]){0}, padded, text, sizeof text, NULL, NULL));
    asdf_array_free(array);
    asdf_datatype_free(two);
    asdf_node_free(root);
    asdf_file_free(file);
}

int main(void) {
    OK(asdf_options_new(&padded));
    OK(asdf_options_set_int(padded, ASDF_OPTION_BLANK_PADDED, 1));
    arrays(ASDF_STORAGE_INTERNAL, ASDF_BYTE_ORDER_LITTLE);
    arrays(ASDF_STORAGE_INTERNAL, ASDF_BYTE_ORDER_BIG);
    arrays(ASDF_STORAGE_INLINE, ASDF_BYTE_ORDER_LITTLE);
    other_arrays();
    streams();
    tables();
    descriptions();
    refusals();
    asdf_options_free(padded);
    return report();
}
