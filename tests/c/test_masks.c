/* Masks: numbers, arrays and null; read, filled, ignored and written. */
#include "check.h"

#include <math.h>

#define NDARRAY "!core/ndarray-1.1.0 "

static const char tree[] =
    "number: " NDARRAY "{data: [1, 300, -1, 300], datatype: int32, mask: 300}\n"
    "nans: " NDARRAY "{data: [.nan, 2.0], mask: .nan}\n"
    "complex: " NDARRAY "{data: [!core/complex-1.0.0 1+2j, 1],\n"
    "  mask: !core/complex-1.0.0 1+2j}\n"
    "rows: " NDARRAY "{data: [[1, 2, 3], [4, 5, 6]], mask: " NDARRAY "[0, 1, 0]}\n"
    "elsewhere: " NDARRAY "{data: [1, 2], mask: {$ref: '#/flags'}}\n"
    "flags: " NDARRAY "[false, true]\n"
    "nulls: " NDARRAY "[1, null, 3]\n"
    "texts: " NDARRAY "{data: [one, null], datatype: [ascii, 4]}\n"
    "records: " NDARRAY "{data: [[1, null], [2, 3]], datatype: [int8, {name: b, datatype: int8}]}\n"
    "plain: " NDARRAY "[1, 2]\n"
    "unsuited: " NDARRAY "{data: [1, 2], mask: " NDARRAY "[0, 1, 0]}\n"
    "dangling: " NDARRAY "{data: [1, 2], mask: {$ref: '#/nowhere'}}\n"
    "away: " NDARRAY "{data: [1, 2], mask: {$ref: 'other.asdf#/m'}}\n"
    "list: " NDARRAY "{data: [1, 2], mask: [0, 1]}\n";

static asdf_node *root;
static asdf_options *options;
static uint8_t mask[8];

static asdf_array *get(const char *path) {
    asdf_array *array = NULL;
    OK(asdf_node_get_array(root, path, &array));
    return array;
}

/* Reads only the mask of an array. */
static void masked(const char *path, const char *expected) {
    asdf_array *array = get(path);
    int64_t count = 0;
    int32_t has_mask = 0;
    OK(asdf_array_has_mask(array, &has_mask));
    CHECK(has_mask == 1);
    OK(asdf_array_element_count(array, &count));
    CHECK((size_t)count == strlen(expected));
    memset(mask, 9, sizeof mask);
    OK(asdf_array_read_mask(array, NULL, mask, (size_t)count));
    for (int64_t i = 0; i < count; i++) CHECK(mask[i] == expected[i] - '0');
    CHECK(mask[count] == 9);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_array_read_mask(array, NULL, mask, (size_t)count - 1));
    asdf_array_free(array);
}

static void every_kind(void) {
    masked("number", "0101");
    masked("nans", "10");
    masked("complex", "10");
    masked("rows", "010010");
    masked("elsewhere", "01");
    masked("nulls", "010");
    masked("texts", "01");
    masked("records", "10");
    asdf_array *plain = get("plain");
    int32_t has_mask = 1;
    OK(asdf_array_has_mask(plain, &has_mask));
    CHECK(has_mask == 0);
    memset(mask, 9, sizeof mask);
    OK(asdf_array_read_mask(plain, NULL, mask, sizeof mask));
    CHECK(mask[0] == 0 && mask[1] == 0 && mask[2] == 9);
    asdf_array_free(plain);
    asdf_array *records = get("records"), *b = NULL;
    OK(asdf_array_field(records, "b", &b));
    OK(asdf_array_read_mask(b, NULL, mask, sizeof mask));
    CHECK(mask[0] == 1 && mask[1] == 0);
    asdf_array_free(b);
    asdf_array_free(records);
}

static void beside_the_elements(void) {
    int8_t found[4];
    const int64_t start[] = {3}, count[] = {2}, step[] = {-2}, strides[] = {2}, odd[] = {3};
    asdf_array *array = get("number");
    FAILS(ASDF_ERR_MASKED, asdf_array_read(array, ASDF_INT8, NULL, found, sizeof found, NULL, 0));
    CHECK(message_holds("mask"));
    OK(asdf_array_read(array, ASDF_INT8, options, found, sizeof found, mask, sizeof mask));
    CHECK(found[0] == 1 && found[1] == 127 && found[2] == -1 && found[3] == 127);
    CHECK(mask[0] == 0 && mask[1] == 1 && mask[2] == 0 && mask[3] == 1);
    OK(asdf_array_read_region(array, 1, start, count, step, ASDF_INT8, options, found, sizeof found, mask,
                              sizeof mask));
    CHECK(found[0] == 127 && found[1] == 127 && mask[0] == 1 && mask[1] == 1);
    memset(mask, 9, sizeof mask);
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_array_read_mask_region(array, 1, start, count, NULL, NULL, mask, 8));
    OK(asdf_array_read_mask_region(array, 1, start, count, step, NULL, mask, 2));
    CHECK(mask[0] == 1 && mask[1] == 1 && mask[2] == 9);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_array_read_mask_region(array, 2, start, count, step, NULL, mask, 8));
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_array_read_mask_region(array, 1, start, count, step, NULL, mask, 1));

    int16_t spread[8] = {0};
    OK(asdf_options_set_ints(options, ASDF_OPTION_STRIDES, (int64_t[]){2 * sizeof *spread}, 1));
    memset(mask, 9, sizeof mask);
    OK(asdf_array_read(array, ASDF_INT16, options, spread, sizeof spread, mask, sizeof mask));
    CHECK(spread[0] == 1 && spread[2] == 300 && spread[6] == 300);
    CHECK(mask[0] == 0 && mask[1] == 9 && mask[2] == 1 && mask[3] == 9 && mask[4] == 0 && mask[6] == 1);
    OK(asdf_options_set_ints(options, ASDF_OPTION_STRIDES, odd, 1));
    FAILS(ASDF_ERR_INVALID_ARGUMENT,
          asdf_array_read(array, ASDF_INT16, options, spread, sizeof spread, mask, sizeof mask));
    OK(asdf_options_set_ints(options, ASDF_OPTION_STRIDES, strides, 1));
    OK(asdf_array_read_mask(array, options, mask, sizeof mask));
    CHECK(mask[0] == 0 && mask[2] == 1 && mask[4] == 0 && mask[6] == 1);
    OK(asdf_options_unset(options, ASDF_OPTION_STRIDES));
    OK(asdf_options_set_int(options, ASDF_OPTION_ORDER, ASDF_ORDER_FORTRAN));
    asdf_array *rows = get("rows");
    OK(asdf_array_read_mask(rows, options, mask, sizeof mask));
    CHECK(!mask[0] && !mask[1] && mask[2] && mask[3] && !mask[4] && !mask[5]);
    OK(asdf_options_set_int(options, ASDF_OPTION_ORDER, ASDF_ORDER_C));
    asdf_array_free(rows);

    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_array_read(array, ASDF_INT8, options, mask + 4, 4, mask, sizeof mask));
    CHECK(message_holds("share memory"));
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_array_read(array, ASDF_INT8, options, found, sizeof found, mask, 3));
    FAILS(ASDF_ERR_MASKED, asdf_array_read(array, ASDF_INT8, options, found, sizeof found, NULL, 0));
    asdf_array_free(array);
}

static void filled(void) {
    float floats[4];
    int8_t bytes[4];
    const double nan = NAN;
    const int16_t seven = -7, large = 128;
    asdf_array *array = get("number");
    OK(asdf_options_set_fill(options, ASDF_FLOAT64, &nan, sizeof nan));
    OK(asdf_array_read(array, ASDF_FLOAT32, options, floats, sizeof floats, NULL, 0));
    CHECK(floats[0] == 1 && isnan(floats[1]) && floats[2] == -1 && isnan(floats[3]));
    FAILS(ASDF_ERR_OVERFLOW, asdf_array_read(array, ASDF_INT8, options, bytes, sizeof bytes, NULL, 0));
    CHECK(message_holds("fill value"));
    OK(asdf_options_set_fill(options, ASDF_INT16, &seven, sizeof seven));
    OK(asdf_array_read(array, ASDF_INT8, options, bytes, sizeof bytes, NULL, 0));
    CHECK(bytes[0] == 1 && bytes[1] == -7 && bytes[2] == -1 && bytes[3] == -7);
    OK(asdf_options_set_fill(options, ASDF_INT16, &large, sizeof large));
    OK(asdf_options_set_int(options, ASDF_OPTION_CLAMP, 1));
    FAILS(ASDF_ERR_OVERFLOW, asdf_array_read(array, ASDF_INT8, options, bytes, sizeof bytes, NULL, 0));
    OK(asdf_options_set_int(options, ASDF_OPTION_CLAMP, 0));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_fill(options, ASDF_INT16, &large, 1));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_fill(options, 0, &large, sizeof large));
    OK(asdf_options_unset(options, ASDF_OPTION_FILL));
    FAILS(ASDF_ERR_MASKED, asdf_array_read(array, ASDF_FLOAT32, options, floats, sizeof floats, NULL, 0));
    asdf_array_free(array);

    asdf_datatype *text = NULL;
    char found[2][4];
    int64_t second = 1;
    size_t length = 0;
    array = get("texts");
    OK(asdf_datatype_string(ASDF_ASCII, 4, &text));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_fill(with_type(options, text), 0, "none!", 5));
    OK(asdf_options_set_fill(with_type(options, text), 0, "none", 4));
    OK(asdf_array_read(array, 0, with_type(options, text), found, sizeof found, NULL, 0));
    CHECK(memcmp(found, "one\0none", sizeof found) == 0);
    char single[8];
    OK(asdf_array_read_string(array, 1, &second, options, single, sizeof single, &length, NULL));
    CHECK(strcmp(single, "none") == 0 && length == 4);
    OK(asdf_options_unset(options, ASDF_OPTION_FILL));
    FAILS(ASDF_ERR_MASKED, asdf_array_read_string(array, 1, &second, options, single, sizeof single, &length, NULL));
    int32_t missing = 7;
    OK(asdf_array_read_string(array, 1, &second, options, single, sizeof single, &length, &missing));
    CHECK(missing == 1 && length == 0);
    second = 0;
    OK(asdf_array_read_string(array, 1, &second, options, single, sizeof single, &length, &missing));
    CHECK(missing == 0 && strcmp(single, "one") == 0);
    asdf_datatype_free(text);
    asdf_array_free(array);
}

static void ignored(void) {
    int32_t found[4], has_mask = 1;
    asdf_array *array = get("number"), *plain = NULL;
    asdf_view *view = NULL;
    FAILS(ASDF_ERR_MASKED, asdf_array_view(array, ASDF_INT32, NULL, &view));
    OK(asdf_array_without_mask(array, &plain));
    asdf_array_free(array);
    OK(asdf_array_has_mask(plain, &has_mask));
    CHECK(has_mask == 0);
    OK(asdf_array_read(plain, ASDF_INT32, NULL, found, sizeof found, NULL, 0));
    CHECK(found[0] == 1 && found[1] == 300 && found[2] == -1 && found[3] == 300);
    OK(asdf_array_view(plain, ASDF_INT32, NULL, &view));
    asdf_view_free(view);
    asdf_array_free(plain);
}

/* A mask that cannot be read makes only those calls fail that need it. */
static void refused(void) {
    const struct {
        const char *path;
        asdf_status status;
    } cases[] = {{"unsuited", ASDF_ERR_BAD_ARRAY},
                 {"dangling", ASDF_ERR_DANGLING_REFERENCE},
                 {"away", ASDF_ERR_EXTERNAL_REFERENCE},
                 {"list", ASDF_ERR_BAD_ARRAY}};
    int8_t found[2];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        asdf_array *array = get(cases[i].path), *plain = NULL;
        FAILS(cases[i].status, asdf_array_read_mask(array, NULL, mask, sizeof mask));
        FAILS(ASDF_ERR_MASKED, asdf_array_read(array, ASDF_INT8, NULL, found, sizeof found, NULL, 0));
        FAILS(cases[i].status, asdf_array_read(array, ASDF_INT8, options, found, sizeof found, mask, sizeof mask));
        OK(asdf_array_without_mask(array, &plain));
        OK(asdf_array_read(plain, ASDF_INT8, NULL, found, sizeof found, NULL, 0));
        CHECK(found[0] == 1 && found[1] == 2);
        asdf_array_free(plain);
        asdf_array_free(array);
    }
}

static void set_in_new_files(void) {
    const int64_t shape[] = {2, 2}, row[] = {2};
    const int16_t values[] = {1, -999, 3, 4};
    const uint8_t flags[] = {0, 1};
    asdf_node *made = NULL;
    asdf_file *file = new_file(&made);
    OK(asdf_node_set_array(made, "a", ASDF_INT16, 2, shape, values, sizeof values, NULL));
    OK(asdf_node_set_i64(made, "a/mask", -999));
    OK(asdf_node_set_array(made, "b", ASDF_INT16, 2, shape, values, sizeof values, NULL));
    OK(asdf_node_set_array(made, "b/mask", ASDF_BOOL8, 1, row, flags, sizeof flags, NULL));
    asdf_file *again = written(file);
    asdf_node *before = root;
    root = root_of(again);
    masked("a", "0100");
    masked("b", "0101");
    asdf_node_free(root);
    root = before;
    asdf_node_free(made);
    asdf_file_free(file);
    asdf_file_free(again);
}

int main(void) {
    asdf_file *file = open_tree(tree);
    root = root_of(file);
    OK(asdf_options_new(&options));
    every_kind();
    beside_the_elements();
    filled();
    ignored();
    refused();
    set_in_new_files();
    asdf_options_free(options);
    asdf_node_free(root);
    asdf_file_free(file);
    return report();
}
