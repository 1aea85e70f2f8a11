/* Records: making their datatype; storing and reading them whole, and by field. */
#include "check.h"

static const int64_t two[] = {2};
/* id, a name of three bytes and two numbers, packed. */
enum { RECORD_SIZE = 4 + 3 + 2 * 8 };

static asdf_datatype *record_type(void) {
    asdf_datatype *number = NULL, *name = NULL, *pair = NULL, *record = NULL;
    OK(asdf_datatype_scalar(ASDF_INT32, &number));
    OK(asdf_datatype_string(ASDF_ASCII, 3, &name));
    OK(asdf_datatype_scalar(ASDF_FLOAT64, &pair));
    const char *const names[] = {"id", "name", NULL};
    const asdf_datatype *const datatypes[] = {number, name, pair};
    const int32_t ranks[] = {0, 0, 1};
    OK(asdf_datatype_record(3, names, datatypes, ranks, two, &record));
    asdf_datatype_free(number);
    asdf_datatype_free(name);
    asdf_datatype_free(pair);
    return record;
}

static void fill(unsigned char *bytes, int32_t id, const char *name, double first, double second) {
    memcpy(bytes, &id, 4);
    memset(bytes + 4, 0, 3);
    memcpy(bytes + 4, name, strlen(name));
    memcpy(bytes + 7, &first, 8);
    memcpy(bytes + 15, &second, 8);
}

static void types(void) {
    asdf_datatype *record = record_type(), *outer = NULL, *none = NULL;
    int64_t count = 0, extents[1] = {0};
    size_t offset = 0, size = 0;
    int32_t rank = 9;
    OK(asdf_datatype_field_count(record, &count));
    OK(asdf_datatype_field_offset(record, 2, &offset));
    OK(asdf_datatype_field_shape(record, 2, extents, 1, &rank));
    OK(asdf_datatype_item_size(record, &size));
    CHECK(count == 3 && offset == 7 && rank == 1 && extents[0] == 2 && size == RECORD_SIZE);
    TEXT("[id: int32, name: [ascii, 3], float64]", asdf_datatype_name, record);
    const char *const names[] = {"a", "a"};
    const asdf_datatype *const datatypes[] = {record, record};
    FAILS(ASDF_ERR_BAD_DATATYPE, asdf_datatype_record(2, names, datatypes, NULL, NULL, &none));
    FAILS(ASDF_ERR_BAD_DATATYPE, asdf_datatype_record(0, NULL, NULL, NULL, NULL, &none));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_datatype_record(-1, names, datatypes, NULL, NULL, &none));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_datatype_record(1, names, datatypes, (int32_t[]){33}, two, &none));
    FAILS(ASDF_ERR_BAD_DATATYPE, asdf_datatype_record(1, names, datatypes, (int32_t[]){1}, (int64_t[]){-1}, &none));
    FAILS(ASDF_ERR_BAD_DATATYPE,
          asdf_datatype_record(1, names, datatypes, (int32_t[]){1}, (int64_t[]){INT64_MAX}, &none));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_datatype_record(1, names, datatypes, (int32_t[]){1}, NULL, &none));
    CHECK(none == NULL);
    OK(asdf_datatype_record(1, names, datatypes, NULL, NULL, &outer));
    asdf_datatype_free(record);
    for (int level = 0; level < 30; level++) {
        const asdf_datatype *const inner[] = {outer};
        asdf_datatype *next = NULL;
        OK(asdf_datatype_record(1, names, inner, NULL, NULL, &next));
        asdf_datatype_free(outer);
        outer = next;
    }
    const asdf_datatype *const deepest[] = {outer};
    FAILS(ASDF_ERR_BAD_DATATYPE, asdf_datatype_record(1, names, deepest, NULL, NULL, &none));
    asdf_datatype_free(outer);
}

static void stored(int32_t storage, int32_t byteorder) {
    unsigned char bytes[2 * RECORD_SIZE], again[2 * RECORD_SIZE] = {0};
    fill(bytes, 7, "ab", 1.5, -2);
    fill(bytes + RECORD_SIZE, -8, "xyz", 0.25, 1e300);
    asdf_node *made = NULL;
    asdf_file *new = new_file(&made);
    asdf_datatype *record = record_type();
    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_STORAGE, storage));
    OK(asdf_options_set_int(options, ASDF_OPTION_BYTE_ORDER, byteorder));
    OK(asdf_node_set_array(made, "table", 0, 1, two, bytes, sizeof bytes, with_type(options, record)));
    asdf_file *file = written(new);
    asdf_node *root = root_of(file);
    asdf_array *table = NULL, *id = NULL, *name = NULL, *pairs = NULL, *none = NULL;
    OK(asdf_node_get_array(root, "table", &table));
    OK(asdf_array_read(table, 0, of_type(record), again, sizeof again, NULL, 0));
    CHECK(memcmp(again, bytes, sizeof bytes) == 0);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_array_read(table, 0, of_type(record), again, sizeof again - 1, NULL, 0));
    FAILS(ASDF_ERR_CONVERSION, asdf_array_read(table, ASDF_FLOAT64, NULL, again, sizeof again, NULL, 0));

    int64_t ids[2], shape[2] = {0};
    double numbers[4];
    int32_t rank = 0;
    char text[4];
    OK(asdf_array_field(table, "id", &id));
    OK(asdf_array_field(table, "name", &name));
    OK(asdf_array_field(table, "f2", &pairs));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_array_field(table, "f0", &none));
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_array_field(id, "id", &none));
    asdf_array_free(table);
    OK(asdf_array_read(id, ASDF_INT64, NULL, ids, sizeof ids, NULL, 0));
    CHECK(ids[0] == 7 && ids[1] == -8);
    OK(asdf_array_read_string(name, 1, (int64_t[]){1}, NULL, text, sizeof text, NULL, NULL));
    CHECK(strcmp(text, "xyz") == 0);
    OK(asdf_array_shape(pairs, shape, 2, &rank));
    CHECK(rank == 2 && shape[0] == 2 && shape[1] == 2);
    OK(asdf_array_read(pairs, ASDF_FLOAT64, NULL, numbers, sizeof numbers, NULL, 0));
    CHECK(numbers[0] == 1.5 && numbers[1] == -2 && numbers[2] == 0.25 && numbers[3] == 1e300);
    asdf_array_free(id);
    asdf_array_free(name);
    asdf_array_free(pairs);
    asdf_node_free(root);
    asdf_file_free(file);
    asdf_datatype_free(record);
    asdf_options_free(options);
    asdf_node_free(made);
    asdf_file_free(new);
}

int main(void) {
    types();
    stored(ASDF_STORAGE_INTERNAL, ASDF_BYTE_ORDER_LITTLE);
    stored(ASDF_STORAGE_INTERNAL, ASDF_BYTE_ORDER_BIG);
    stored(ASDF_STORAGE_INLINE, ASDF_BYTE_ORDER_LITTLE);
    return report();
}
