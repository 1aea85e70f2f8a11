/* Arrays, their views and datatypes. */
#include "check.h"

static const int32_t numbers[2][3] = {{1, 2, 3}, {-4, 5, 1000}};
static const int64_t shape_2_3[] = {2, 3};

static asdf_array *array_at(const asdf_node *node, const char *path) {
    asdf_array *array = NULL;
    OK(asdf_node_get_array(node, path, &array));
    return array;
}

static int message_has(const char *part) {
    char message[512] = "";
    asdf_error_message(message, sizeof message, NULL);
    return strstr(message, part) != NULL;
}

/* A new file with arrays: plain, compressed, byte-swapped and inline. */
static asdf_file *sample(asdf_node **root) {
    asdf_node *made = NULL;
    asdf_file *file = new_file(&made);
    asdf_options *options = NULL;
    const uint16_t one = 1;
    const int32_t other = *(const unsigned char *)&one ? ASDF_BYTE_ORDER_BIG : ASDF_BYTE_ORDER_LITTLE;
    OK(asdf_node_set_array(made, "plain", ASDF_INT32, 2, shape_2_3, numbers, sizeof numbers, NULL));
    OK(asdf_options_new(&options));
    OK(asdf_options_set_text(options, ASDF_OPTION_CODEC, "zlib", 4));
    OK(asdf_options_set_int(options, ASDF_OPTION_LEVEL, 9));
    OK(asdf_node_set_array(made, "compressed", ASDF_INT32, 2, shape_2_3, numbers, sizeof numbers, options));
    OK(set_codec(options, NULL, -1));
    OK(asdf_options_set_int(options, ASDF_OPTION_BYTE_ORDER, other));
    OK(asdf_node_set_array(made, "swapped", ASDF_INT32, 2, shape_2_3, numbers, sizeof numbers, options));
    OK(asdf_options_set_int(options, ASDF_OPTION_STORAGE, ASDF_STORAGE_INLINE));
    OK(asdf_node_set_array(made, "inline", ASDF_INT32, 2, shape_2_3, numbers, sizeof numbers, options));
    OK(asdf_options_set_int(options, ASDF_OPTION_STORAGE, ASDF_STORAGE_INTERNAL));
    OK(asdf_node_set_array(made, "single", ASDF_FLOAT64, 0, NULL, &(double){2.5}, sizeof(double), NULL));
    OK(asdf_node_set_array(made, "empty", ASDF_UINT8, 1, &(int64_t){0}, NULL, 0, NULL));
    asdf_options_free(options);
    asdf_file *again = written(file);
    asdf_node_free(made);
    asdf_file_free(file);
    *root = root_of(again);
    return again;
}

static void description(const asdf_node *root) {
    asdf_array *array = array_at(root, "plain");
    int64_t shape[3] = {9, 9, 9}, count = 0, block = 9;
    int32_t rank = 9, code = 0, flag = 9, order = 9, other = 9;
    size_t size = 0;
    OK(asdf_array_shape(array, shape, 3, &rank));
    CHECK(rank == 2 && shape[0] == 2 && shape[1] == 3 && shape[2] == 9);
    shape[0] = 9;
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_array_shape(array, shape, 1, &rank));
    CHECK(rank == 2 && shape[0] == 9);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_array_shape(array, shape, -1, &rank));
    rank = 9;
    OK(asdf_array_shape(array, NULL, 0, &rank));
    CHECK(rank == 2);
    OK(asdf_array_datatype(array, &code));
    CHECK(code == ASDF_INT32);
    TEXT("int32", asdf_array_datatype_name, array);
    OK(asdf_array_element_count(array, &count));
    OK(asdf_array_byte_size(array, ASDF_COMPLEX128, &size));
    CHECK(count == 6 && size == 96);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_array_byte_size(array, -1, &size));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_array_byte_size(array, ASDF_ASCII, &size));
    OK(asdf_array_is_inline(array, &flag));
    CHECK(flag == 0);
    OK(asdf_array_has_mask(array, &flag));
    CHECK(flag == 0 && size == 96);
    OK(asdf_array_block(array, &block));
    CHECK(block == 0);
    OK(asdf_array_byte_order(array, &order));

    asdf_array *swapped = array_at(root, "swapped"), *single = array_at(root, "single"),
               *text = array_at(root, "inline");
    OK(asdf_array_byte_order(swapped, &other));
    CHECK(order != other && order + other == ASDF_BYTE_ORDER_LITTLE + ASDF_BYTE_ORDER_BIG);
    OK(asdf_array_shape(single, shape, 3, &rank));
    OK(asdf_array_element_count(single, &count));
    CHECK(rank == 0 && count == 1);
    OK(asdf_array_is_inline(text, &flag));
    CHECK(flag == 1);
    FAILS(ASDF_ERR_NOT_FOUND, asdf_array_block(text, &block));

    asdf_array *another = NULL;
    OK(asdf_array_retain(array, &another));
    asdf_array_free(array);
    OK(asdf_array_element_count(another, &count));
    CHECK(count == 6);
    asdf_array_free(another);
    asdf_array_free(swapped);
    asdf_array_free(single);
    asdf_array_free(text);
}

static void whole(const asdf_node *root) {
    static const char *const paths[] = {"plain", "compressed", "swapped", "inline"};
    asdf_datatype *datatype = NULL;
    asdf_options *clamp = NULL;
    OK(asdf_datatype_scalar(ASDF_FLOAT64, &datatype));
    OK(asdf_options_new(&clamp));
    OK(asdf_options_set_int(clamp, ASDF_OPTION_CLAMP, 1));
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        asdf_array *array = array_at(root, paths[i]);
        int32_t same[2][3];
        double doubles[6];
        signed char bytes[6];
        size_t size = 0;
        OK(asdf_array_read(array, ASDF_INT32, NULL, same, sizeof same, NULL, 0));
        CHECK(memcmp(same, numbers, sizeof same) == 0);
        OK(asdf_array_byte_size(array, ASDF_FLOAT64, &size));
        CHECK(size == sizeof doubles);
        OK(asdf_array_read(array, 0, of_type(datatype), doubles, sizeof doubles, NULL, 0));
        CHECK(doubles[3] == -4 && doubles[5] == 1000);
        FAILS(ASDF_ERR_OVERFLOW, asdf_array_read(array, ASDF_INT8, NULL, bytes, sizeof bytes, NULL, 0));
        OK(asdf_array_read(array, ASDF_INT8, clamp, bytes, sizeof bytes, NULL, 0));
        CHECK(bytes[3] == -4 && bytes[5] == 127);
        FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_array_read(array, ASDF_INT32, NULL, same, sizeof same - 1, NULL, 0));
        FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_array_read(array, 0, of_type(datatype), doubles, 47, NULL, 0));
        FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_array_read(array, 99, NULL, same, sizeof same, NULL, 0));
        FAILS(ASDF_ERR_CONVERSION, asdf_array_read(array, ASDF_BOOL8, NULL, same, sizeof same, NULL, 0));
        asdf_array_free(array);
    }
    asdf_options_free(clamp);
    asdf_datatype_free(datatype);

    asdf_array *single = array_at(root, "single"), *empty = array_at(root, "empty");
    float value = 0;
    OK(asdf_array_read(single, ASDF_FLOAT32, NULL, &value, sizeof value, NULL, 0));
    CHECK(value == 2.5F);
    OK(asdf_array_read_region(single, 0, NULL, NULL, NULL, ASDF_FLOAT32, NULL, &value, sizeof value, NULL, 0));
    OK(asdf_array_read(empty, ASDF_UINT8, NULL, NULL, 0, NULL, 0));
    asdf_array_free(single);
    asdf_array_free(empty);
}

static void regions(const asdf_node *root) {
    static const char *const paths[] = {"plain", "compressed", "swapped", "inline"};
    asdf_datatype *datatype = NULL;
    OK(asdf_datatype_scalar(ASDF_INT64, &datatype));
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        asdf_array *array = array_at(root, paths[i]);
        int64_t found[4] = {9, 9, 9, 9};
        const int64_t start[] = {0, 0}, count[] = {2, 2}, step[] = {1, 2}, outside[] = {0, 2}, zero[] = {1, 0};
        OK(asdf_array_read_region(array, 2, start, count, step, ASDF_INT64, NULL, found, sizeof found, NULL, 0));
        CHECK(found[0] == 1 && found[1] == 3 && found[2] == -4 && found[3] == 1000);
        OK(asdf_array_read_region(array, 2, start, count, NULL, 0, of_type(datatype), found, sizeof found, NULL, 0));
        CHECK(found[0] == 1 && found[1] == 2 && found[2] == -4 && found[3] == 5);
        size_t size = sizeof found;
        FAILS(ASDF_ERR_OUT_OF_RANGE,
              asdf_array_read_region(array, 2, outside, count, NULL, ASDF_INT64, NULL, found, size, NULL, 0));
        FAILS(ASDF_ERR_INVALID_ARGUMENT,
              asdf_array_read_region(array, 2, start, count, zero, ASDF_INT64, NULL, found, size, NULL, 0));
        FAILS(ASDF_ERR_INVALID_ARGUMENT,
              asdf_array_read_region(array, 1, start, count, NULL, ASDF_INT64, NULL, found, size, NULL, 0));
        FAILS(ASDF_ERR_INVALID_ARGUMENT,
              asdf_array_read_region(array, 33, start, count, NULL, ASDF_INT64, NULL, found, size, NULL, 0));
        FAILS(ASDF_ERR_INVALID_ARGUMENT,
              asdf_array_read_region(array, -1, start, count, NULL, ASDF_INT64, NULL, found, size, NULL, 0));
        FAILS(ASDF_ERR_BUFFER_TOO_SMALL,
              asdf_array_read_region(array, 2, start, count, NULL, 0, of_type(datatype), found, size - 1, NULL, 0));
        asdf_array_free(array);
    }
    asdf_datatype_free(datatype);
}

static void views(void) {
    asdf_node *root = NULL;
    asdf_file *file = sample(&root);
    asdf_array *array = array_at(root, "plain"), *swapped = array_at(root, "swapped");
    asdf_datatype *datatype = NULL;
    asdf_view *view = NULL, *typed = NULL, *none = (asdf_view *)&none;
    OK(asdf_datatype_scalar(ASDF_INT32, &datatype));
    OK(asdf_array_view(array, ASDF_INT32, NULL, &view));
    OK(asdf_array_view(array, 0, of_type(datatype), &typed));
    FAILS(ASDF_ERR_NOT_VIEWABLE, asdf_array_view(array, ASDF_UINT32, NULL, &none));
    CHECK(none == NULL);
    FAILS(ASDF_ERR_NOT_VIEWABLE, asdf_array_view(swapped, 0, of_type(datatype), &none));
    CHECK(message_has("/swapped: no view is possible because the byte order of the elements"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_array_view(array, -1, NULL, &none));
    asdf_view *stored = NULL;
    const void *swapped_bytes = NULL;
    size_t swapped_size = 0;
    OK(asdf_array_view_stored(swapped, NULL, &stored));
    OK(asdf_view_bytes(stored, &swapped_bytes, &swapped_size));
    CHECK(swapped_size == sizeof numbers);
    for (size_t i = 0; i < sizeof numbers; i++)
        CHECK(((const char *)swapped_bytes)[i] == ((const char *)numbers)[i / 4 * 4 + 3 - i % 4]);
    asdf_view_free(stored);
    asdf_array *compressed = array_at(root, "compressed");
    FAILS(ASDF_ERR_NOT_VIEWABLE, asdf_array_view_stored(compressed, NULL, &stored));
    CHECK(message_has("no view is possible because the elements are compressed; reading copies the elements"));
    CHECK(stored == NULL);
    asdf_array_free(compressed);
    asdf_datatype_free(datatype);
    asdf_view_free(typed);
    asdf_array_free(array);
    asdf_array_free(swapped);
    asdf_node_free(root);

    /* The view stays valid after everything else is closed and freed. */
    OK(asdf_file_close(file));
    asdf_file_free(file);
    asdf_view *another = NULL;
    OK(asdf_view_retain(view, &another));
    asdf_view_free(view);
    const void *bytes = NULL, *first = NULL;
    size_t size = 0;
    int64_t shape[2], strides[2];
    int32_t rank = 0, code = 0;
    OK(asdf_view_bytes(another, &bytes, &size));
    OK(asdf_view_first_element(another, &first));
    CHECK(size == sizeof numbers && first == bytes && memcmp(bytes, numbers, size) == 0);
    OK(asdf_view_shape(another, shape, 2, &rank));
    CHECK(rank == 2 && shape[0] == 2 && shape[1] == 3);
    OK(asdf_view_strides(another, strides, 2, NULL));
    CHECK(strides[0] == 12 && strides[1] == 4);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_view_shape(another, shape, 1, &rank));
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_view_strides(another, strides, 1, &rank));
    OK(asdf_view_datatype(another, &code));
    CHECK(code == ASDF_INT32);
    asdf_view_free(another);
}

static void datatypes(void) {
    asdf_file *file = open_tree("table: !core/ndarray-1.1.0\n  source: 0\n  shape: [2]\n  byteorder: little\n"
                                "  datatype: [{name: x, datatype: int16, byteorder: big},\n"
                                "    {name: y, datatype: [ascii, 8], shape: [2, 3]},\n"
                                "    {datatype: [ucs4, 2]}]\n");
    asdf_node *root = root_of(file);
    asdf_array *array = NULL;
    /* Without its block the array cannot be opened. */
    FAILS(ASDF_ERR_BLOCK_NOT_FOUND, asdf_node_get_array(root, "table", &array));
    asdf_node_free(root);
    asdf_file_free(file);

    static const char head[] = "#ASDF 1.0.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n"
                               "table: !core/ndarray-1.1.0\n  source: 0\n  shape: [1]\n  byteorder: little\n"
                               "  datatype: [{name: x, datatype: int16, byteorder: big},\n"
                               "    {name: y, datatype: [ascii, 8], shape: [2, 3]},\n"
                               "    {datatype: [ucs4, 2]}]\n...\n";
    unsigned char bytes[sizeof head - 1 + 54 + 58] = {0};
    memcpy(bytes, head, sizeof head - 1);
    unsigned char *header = bytes + sizeof head - 1;
    memcpy(header, "\323BLK\0\060", 6);
    header[21] = header[29] = header[37] = 58; /* allocated, used and decoded size end with these bytes */
    file = open_bytes(bytes, sizeof bytes);
    root = root_of(file);
    array = array_at(root, "table");

    asdf_datatype *record = NULL, *field = NULL, *scalar = NULL, *another = NULL;
    int32_t code = 0, equal = 9, rank = 9;
    int64_t count = 0, length = 0, shape[2] = {0};
    size_t offset = 0, size = 0;
    OK(asdf_array_datatype(array, &code));
    CHECK(code == ASDF_RECORD);
    OK(asdf_array_datatype_handle(array, &record));
    TEXT("[x: int16, y: [ascii, 8], [ucs4, 2]]", asdf_datatype_name, record);
    OK(asdf_datatype_code(record, &code));
    OK(asdf_datatype_item_size(record, &size));
    OK(asdf_datatype_field_count(record, &count));
    CHECK(code == ASDF_RECORD && size == 58 && count == 3);
    TEXT("y", asdf_datatype_field_name, record, 1);
    TEXT("", asdf_datatype_field_name, record, 2);
    OK(asdf_datatype_field_offset(record, 2, &offset));
    CHECK(offset == 50);
    OK(asdf_datatype_field_shape(record, 1, shape, 2, &rank));
    CHECK(rank == 2 && shape[0] == 2 && shape[1] == 3);
    int32_t order = 0;
    OK(asdf_datatype_field_byte_order(record, 0, &order));
    CHECK(order == ASDF_BYTE_ORDER_BIG);
    OK(asdf_datatype_field_byte_order(record, 1, &order));
    CHECK(order == -1);
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_datatype_field_byte_order(record, 9, &order));
    OK(asdf_datatype_field_shape(record, 0, NULL, 0, &rank));
    CHECK(rank == 0);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_datatype_field_shape(record, 1, shape, 1, &rank));
    OK(asdf_datatype_field_datatype(record, 2, &field));
    OK(asdf_datatype_code(field, &code));
    OK(asdf_datatype_string_length(field, &length));
    OK(asdf_datatype_item_size(field, &size));
    CHECK(code == ASDF_UCS4 && length == 2 && size == 8);
    asdf_datatype_free(field);
    OK(asdf_datatype_field_datatype(record, 0, &field));
    OK(asdf_datatype_scalar(ASDF_INT16, &scalar));
    OK(asdf_datatype_equal(field, scalar, &equal));
    CHECK(equal == 1);
    OK(asdf_datatype_equal(field, record, &equal));
    CHECK(equal == 0);

    FAILS(ASDF_ERR_WRONG_TYPE, asdf_datatype_field_count(scalar, &count));
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_datatype_string_length(scalar, &length));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_datatype_field_offset(record, 3, &offset));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_datatype_field_datatype(record, -1, &another));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_datatype_scalar(ASDF_RECORD, &another));
    CHECK(another == NULL);
    char name[1];
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_datatype_name(record, name, 1, NULL));
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_datatype_field_name(scalar, 0, name, 1, NULL));

    OK(asdf_datatype_retain(record, &another));
    asdf_datatype_free(record);
    OK(asdf_datatype_field_count(another, &count));
    asdf_datatype_free(another);
    asdf_datatype_free(field);
    asdf_datatype_free(scalar);
    asdf_array_free(array);
    asdf_node_free(root);
    asdf_file_free(file);
}

int main(void) {
    asdf_node *root = NULL;
    asdf_file *file = sample(&root);
    description(root);
    whole(root);
    regions(root);
    asdf_node_free(root);
    asdf_file_free(file);
    views();
    datatypes();
    return report();
}
