/* Cells of tables are changed; masked columns stay masked. */
#include "check.h"

#include <math.h>

static asdf_table *table;

/* Makes a table of three rows with a column of each kind. */
static void make(void) {
    static const int16_t numbers[] = {1, 2, 3};
    static const float pairs[] = {0, 1, 10, 11, 20, 21};
    static const int64_t lengths[] = {1, -1, 2}, two[] = {2};
    static const uint8_t list[] = {5, 6, 7}, present[] = {0, 0, 0};
    static const char *const names[] = {"a", NULL, "c"}, *const json[] = {"1", "[2]", "{}"};
    OK(asdf_table_new(3, &table));
    OK(asdf_table_add_column(table, "n", ASDF_INT16, 0, NULL, numbers, sizeof numbers, NULL, 0, NULL));
    OK(asdf_table_add_column(table, "masked", ASDF_INT16, 0, NULL, numbers, sizeof numbers, present, 3, NULL));
    OK(asdf_table_add_column(table, "pair", ASDF_FLOAT32, 1, two, pairs, sizeof pairs, NULL, 0, NULL));
    OK(asdf_table_add_variable_column(table, "list", ASDF_UINT8, 0, NULL, lengths, 3, list, 3, NULL, 0, NULL));
    OK(add_texts(table, "name", ASDF_STRING, names, 3));
    OK(add_texts(table, "json", ASDF_JSON, json, 3));
    OK(asdf_table_set_column_unit(table, "n", SIZED("Jy")));
}

static void numbers_are_changed(void) {
    const double nine = 9, large = 1e9;
    const float pair[] = {7, 8};
    const uint8_t first[] = {1, 0};
    int16_t numbers[3];
    float pairs[6];
    uint8_t missing[6];
    OK(asdf_table_set_cells(table, "n", 1, 1, ASDF_FLOAT64, &nine, sizeof nine, NULL, 0, NULL));
    OK(asdf_table_read_column(table, "n", 0, -1, ASDF_INT16, NULL, numbers, sizeof numbers, NULL, 0));
    CHECK(numbers[0] == 1 && numbers[1] == 9 && numbers[2] == 3);
    TEXT("Jy", asdf_table_column_unit, table, "n");
    FAILS(ASDF_ERR_OVERFLOW, asdf_table_set_cells(table, "n", 1, 1, ASDF_FLOAT64, &large, sizeof large, NULL, 0, NULL));
    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_CLAMP, 1));
    OK(asdf_table_set_cells(table, "n", 1, 1, ASDF_FLOAT64, &large, sizeof large, NULL, 0, options));
    OK(asdf_table_read_column(table, "n", 0, -1, ASDF_INT16, NULL, numbers, sizeof numbers, NULL, 0));
    CHECK(numbers[1] == INT16_MAX);
    OK(asdf_options_set_int(options, ASDF_OPTION_DURABLE, 1));
    FAILS(ASDF_ERR_INVALID_ARGUMENT,
          asdf_table_set_cells(table, "n", 1, 1, ASDF_FLOAT64, &nine, sizeof nine, NULL, 0, options));
    asdf_options_free(options);
    OK(asdf_table_set_cells(table, "pair", 2, 1, ASDF_FLOAT32, pair, sizeof pair, first, 2, NULL));
    OK(asdf_table_read_column(table, "pair", 0, -1, ASDF_FLOAT32, NULL, pairs, sizeof pairs, missing, 6));
    CHECK(missing[3] == 0 && missing[4] == 1 && missing[5] == 0 && pairs[5] == 8);
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_table_set_cells(table, "n", 3, 1, ASDF_FLOAT64, &nine, 8, NULL, 0, NULL));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_table_set_cells(table, "n", -1, 1, ASDF_FLOAT64, &nine, 8, NULL, 0, NULL));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_table_set_cells(table, "n", 0, -1, ASDF_FLOAT64, &nine, 8, NULL, 0, NULL));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_table_set_cells(table, "m", 0, 1, ASDF_FLOAT64, &nine, 8, NULL, 0, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_set_cells(table, "n", 0, 1, ASDF_FLOAT64, &nine, 7, NULL, 0, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_set_cells(table, "n", 0, 1, 0, &nine, 8, NULL, 0, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_set_cells(table, "n", 0, 1, ASDF_FLOAT64, &nine, 8, first, 2, NULL));
    FAILS(ASDF_ERR_CONVERSION, asdf_table_set_cells(table, "name", 0, 1, ASDF_FLOAT64, &nine, 8, NULL, 0, NULL));
}

static void lists_are_changed(void) {
    const uint8_t list[] = {1, 2, 3, 4};
    int64_t lengths[3];
    OK(asdf_table_set_cells(table, "list", 1, 1, ASDF_UINT8, list, 4, NULL, 0, NULL));
    OK(asdf_table_set_cells(table, "list", 0, 1, ASDF_UINT8, NULL, 0, NULL, 0, NULL));
    OK(asdf_table_read_cell_lengths(table, "list", 0, 3, lengths, 3));
    CHECK(lengths[0] == 0 && lengths[1] == 4 && lengths[2] == 2);
    OK(asdf_table_set_missing(table, "list", 1, 2));
    OK(asdf_table_read_cell_lengths(table, "list", 0, 3, lengths, 3));
    CHECK(lengths[0] == 0 && lengths[1] == -1 && lengths[2] == -1);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_set_cells(table, "list", 0, 2, ASDF_UINT8, list, 4, NULL, 0, NULL));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_table_set_missing(table, "list", 2, 2));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_table_set_missing(table, "list", 0, -1));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_table_set_missing(table, "x", 0, 1));
}

static void texts_are_changed(void) {
    const char *big = "123456789012345678901234567890";
    char text[4];
    int32_t missing = 9;
    OK(asdf_table_set_text(table, "name", 1, 0, SIZED("a longer text")));
    OK(asdf_table_set_text(table, "name", 0, 0, NULL, 0));
    OK(asdf_table_set_text(table, "json", 2, 0, big, strlen(big)));
    TEXT("a longer text", asdf_table_read_text, table, "name", 1, 0, NULL);
    TEXT(big, asdf_table_read_text, table, "json", 2, 0, NULL);
    OK(asdf_table_read_text(table, "name", 0, 0, &missing, text, sizeof text, NULL));
    CHECK(missing == 1);
    FAILS(ASDF_ERR_VALUE_RANGE, asdf_table_set_text(table, "json", 0, 0, SIZED("{")));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_table_set_text(table, "name", 3, 0, SIZED("a")));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_table_set_text(table, "name", 0, 1, SIZED("a")));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_table_set_text(table, "name", -1, 0, SIZED("a")));
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_table_set_text(table, "n", 0, 0, SIZED("a")));
    FAILS(ASDF_ERR_ENCODING, asdf_table_set_text(table, "name", 0, 0, SIZED("\xFF")));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_table_set_text(NULL, "name", 0, 0, SIZED("a")));
}

/* Returns whether a column of a table has a mask, or -1. */
static int32_t has_mask(const asdf_table *of, const char *name) {
    int32_t has = -1;
    OK(asdf_table_column_has_mask(of, name, &has));
    return has;
}

static void masked_columns_stay_masked(void) {
    int32_t has = 7;
    CHECK(has_mask(table, "masked") == 1 && has_mask(table, "n") == 0);
    FAILS(ASDF_ERR_NOT_FOUND, asdf_table_column_has_mask(table, "x", &has));
    CHECK(has == 7);
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    asdf_table *read = NULL;
    OK(asdf_file_new(NULL, &file));
    OK(asdf_file_root(file, &root));
    OK(asdf_node_set_table(root, "t", table, NULL));
    OK(asdf_node_get_table(root, "t", NULL, &read));
    CHECK(has_mask(read, "masked") == 1 && has_mask(read, "n") == 0);
    int64_t lengths[3];
    OK(asdf_table_read_cell_lengths(read, "list", 0, 3, lengths, 3));
    CHECK(lengths[0] == 0 && lengths[1] == -1 && lengths[2] == -1);
    asdf_table_free(read);
    OK(asdf_table_write_ecsv(table, "masked.ecsv", NULL));
    OK(asdf_table_read_ecsv("masked.ecsv", NULL, &read));
    CHECK(has_mask(read, "masked") == 1 && has_mask(read, "n") == 0);
    asdf_table_free(read);
    /* A column is read as a table of this column. */
    OK(asdf_node_get_table(root, "t/columns/0", NULL, &read));
    TEXT("Jy", asdf_table_column_unit, read, "n");
    asdf_table_free(read);
    asdf_node_free(root);
    asdf_file_free(file);
}

/* Metadata that ECSV cannot hold are refused with their path. */
static void metadata_are_checked(void) {
    const int32_t numbers[] = {1, 2};
    const int64_t shape[] = {2};
    asdf_node *meta = NULL, *found = NULL;
    OK(asdf_node_new_mapping(&meta));
    OK(asdf_node_set_string(meta, "author", SIZED("me")));
    OK(asdf_table_set_meta(table, meta));
    OK(asdf_node_set_array(meta, "deep/data", ASDF_INT32, 1, shape, numbers, sizeof numbers, NULL));
    FAILS(ASDF_ERR_TREE, asdf_table_set_meta(table, meta));
    TEXT("/deep/data", asdf_error_text, ASDF_REPORT_PATH);
    FAILS(ASDF_ERR_TREE, asdf_table_set_column_meta(table, "n", meta));
    OK(asdf_node_remove(meta, "deep"));
    OK(asdf_node_set_string(meta, "list/-", SIZED("m")));
    OK(asdf_node_set_tag(meta, "list/0", "tag:stsci.edu:asdf/unit/unit-1.0.0"));
    FAILS(ASDF_ERR_TREE, asdf_table_set_meta(table, meta));
    TEXT("/list/0", asdf_error_text, ASDF_REPORT_PATH);
    OK(asdf_table_meta(table, &found));
    TEXT("me", asdf_node_get_text, found, "author");
    asdf_node_free(found);
    asdf_node_free(meta);
}

int main(void) {
    make();
    numbers_are_changed();
    lists_are_changed();
    texts_are_changed();
    masked_columns_stay_masked();
    metadata_are_checked();
    asdf_table_free(table);
    return report();
}
