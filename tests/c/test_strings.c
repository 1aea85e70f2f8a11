/* Strings of fixed length: made, stored, read whole, converted and one by one. */
#include "check.h"

static const int64_t shape[] = {3};
/* "ab", "é" and a text of three characters with a NUL inside. */
static const uint32_t units[3][4] = {{'a', 'b'}, {0xE9}, {'x', 0, 'y'}};

static asdf_datatype *string(int32_t code, int64_t length) {
    asdf_datatype *datatype = NULL;
    OK(asdf_datatype_string(code, length, &datatype));
    return datatype;
}

static void types(void) {
    asdf_datatype *datatype = string(ASDF_UCS4, 4), *other = NULL;
    int64_t length = 0;
    size_t size = 0;
    int32_t code = 0;
    OK(asdf_datatype_code(datatype, &code));
    OK(asdf_datatype_string_length(datatype, &length));
    OK(asdf_datatype_item_size(datatype, &size));
    CHECK(code == ASDF_UCS4 && length == 4 && size == 16);
    TEXT("[ucs4, 4]", asdf_datatype_name, datatype);
    asdf_datatype_free(datatype);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_datatype_string(ASDF_INT8, 4, &other));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_datatype_string(ASDF_ASCII, -1, &other));
    FAILS(ASDF_ERR_BAD_DATATYPE, asdf_datatype_string(ASDF_UCS4, INT64_MAX, &other));
    CHECK(other == NULL);
}

static void one_by_one(const asdf_array *array) {
    char text[4] = "?";
    size_t needed = 0;
    int64_t index[] = {1};
    OK(asdf_array_read_string(array, 1, index, NULL, text, sizeof text, &needed, NULL));
    CHECK(needed == 2 && memcmp(text, "\303\251", 3) == 0);
    index[0] = 2;
    OK(asdf_array_read_string(array, 1, index, NULL, NULL, 0, &needed, NULL));
    CHECK(needed == 3);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_array_read_string(array, 1, index, NULL, text, 3, &needed, NULL));
    OK(asdf_array_read_string(array, 1, index, NULL, text, 4, NULL, NULL));
    CHECK(memcmp(text, "x\0y", 4) == 0);
    index[0] = 3;
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_array_read_string(array, 1, index, NULL, text, sizeof text, &needed, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_array_read_string(array, 0, NULL, NULL, text, sizeof text, &needed, NULL));
}

static void converted(const asdf_array *array) {
    char bytes[3][3] = {"???"};
    uint32_t wide[3][5];
    asdf_datatype *utf8 = string(ASDF_ASCII, 3), *narrow = string(ASDF_ASCII, 2), *ucs4 = string(ASDF_UCS4, 5);
    asdf_options *clamp = NULL;
    OK(asdf_options_new(&clamp));
    OK(asdf_options_set_int(clamp, ASDF_OPTION_CLAMP, 1));
    OK(asdf_array_read(array, 0, of_type(utf8), bytes, sizeof bytes, NULL, 0));
    CHECK(memcmp(bytes, "ab\0\303\251\0x\0y", 9) == 0);
    FAILS(ASDF_ERR_OVERFLOW, asdf_array_read(array, 0, of_type(narrow), bytes, sizeof bytes, NULL, 0));
    CHECK(message_holds("element 2 has 3 bytes"));
    OK(asdf_array_read(array, 0, with_type(clamp, narrow), bytes, sizeof bytes, NULL, 0));
    CHECK(memcmp(bytes, "ab\303\251x", 6) == 0);
    OK(asdf_array_read(array, 0, of_type(ucs4), wide, sizeof wide, NULL, 0));
    CHECK(wide[0][1] == 'b' && wide[0][2] == 0 && wide[1][0] == 0xE9 && wide[2][2] == 'y' && wide[2][4] == 0);
    FAILS(ASDF_ERR_CONVERSION, asdf_array_read(array, ASDF_INT32, NULL, wide, sizeof wide, NULL, 0));
    asdf_options_free(clamp);
    asdf_datatype_free(utf8);
    asdf_datatype_free(narrow);
    asdf_datatype_free(ucs4);
}

static void stored(int32_t storage, int32_t byteorder) {
    asdf_node *made = NULL;
    asdf_file *new = new_file(&made);
    asdf_datatype *datatype = string(ASDF_UCS4, 4), *found = NULL;
    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_STORAGE, storage));
    OK(asdf_options_set_int(options, ASDF_OPTION_BYTE_ORDER, byteorder));
    OK(asdf_node_set_array(made, "a", 0, 1, shape, units, sizeof units, with_type(options, datatype)));
    asdf_file *file = written(new);
    asdf_node *root = root_of(file);
    asdf_array *array = NULL;
    uint32_t again[3][4] = {{9}};
    int32_t equal = 0;
    OK(asdf_node_get_array(root, "a", &array));
    OK(asdf_array_datatype_handle(array, &found));
    OK(asdf_datatype_equal(found, datatype, &equal));
    CHECK(equal == 1);
    OK(asdf_array_read(array, 0, of_type(datatype), again, sizeof again, NULL, 0));
    CHECK(memcmp(again, units, sizeof units) == 0);
    one_by_one(array);
    converted(array);
    asdf_array_free(array);
    asdf_node_free(root);
    asdf_file_free(file);
    asdf_datatype_free(found);
    asdf_datatype_free(datatype);
    asdf_options_free(options);
    asdf_node_free(made);
    asdf_file_free(new);
}

static void refused(void) {
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
    asdf_datatype *ascii = string(ASDF_ASCII, 2), *ucs4 = string(ASDF_UCS4, 1);
    const uint32_t surrogate[] = {'a', 0xD800, 'b'};
    asdf_array *array = NULL;
    FAILS(ASDF_ERR_ENCODING, asdf_node_set_array(root, "a", 0, 1, shape, "ab\303\251cd", 6, of_type(ascii)));
    FAILS(ASDF_ERR_ENCODING, asdf_node_set_array(root, "a", 0, 1, shape, surrogate, 12, of_type(ucs4)));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_array(root, "a", 0, 1, shape, "abcde", 5, of_type(ascii)));
    OK(asdf_node_set_array(root, "a", ASDF_UINT8, 1, shape, "abc", 3, NULL));
    OK(asdf_node_get_array(root, "a", &array));
    char text[4];
    FAILS(ASDF_ERR_CONVERSION, asdf_array_read_string(array, 1, (int64_t[]){0}, NULL, text, sizeof text, NULL, NULL));
    FAILS(ASDF_ERR_CONVERSION, asdf_array_read(array, 0, of_type(ascii), text, sizeof text, NULL, 0));
    asdf_array_free(array);
    asdf_datatype_free(ascii);
    asdf_datatype_free(ucs4);
    asdf_node_free(root);
    asdf_file_free(file);
}

int main(void) {
    types();
    stored(ASDF_STORAGE_INTERNAL, ASDF_BYTE_ORDER_LITTLE);
    stored(ASDF_STORAGE_INTERNAL, ASDF_BYTE_ORDER_BIG);
    stored(ASDF_STORAGE_INLINE, ASDF_BYTE_ORDER_BIG);
    refused();
    return report();
}
