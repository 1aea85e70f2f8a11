/* Rows of tables: selected by numbers, masks and slices, and sorted. */
#include "check.h"

#include <math.h>

static asdf_table *table;

/* A table of five rows with a column of each kind, and metadata. */
static void make(void) {
    static const double flux[] = {2, NAN, -1, 7, -1};
    static const uint8_t missing[] = {0, 0, 0, 1, 0};
    static const int16_t pairs[] = {0, 1, 10, 11, 20, 21, 30, 31, 40, 41};
    static const int64_t lengths[] = {1, 0, -1, 2, 1}, two[] = {2};
    static const uint8_t list[] = {5, 6, 7, 8};
    static const char *const names[] = {"b", "a", NULL, "", "c"};
    asdf_file *file = NULL;
    asdf_node *root = NULL, *meta = NULL;
    OK(asdf_table_new(5, &table));
    OK(asdf_table_add_column(table, "flux", ASDF_FLOAT64, 0, NULL, flux, sizeof flux, missing, 5, NULL));
    OK(asdf_table_add_column(table, "pair", ASDF_INT16, 1, two, pairs, sizeof pairs, NULL, 0, NULL));
    OK(asdf_table_add_variable_column(table, "list", ASDF_UINT8, 0, NULL, lengths, 5, list, 4, NULL, 0, NULL));
    OK(add_texts(table, "name", ASDF_STRING, names, 5));
    OK(asdf_table_set_column_unit(table, "flux", SIZED("Jy")));
    OK(asdf_file_new(NULL, &file));
    OK(asdf_file_root(file, &root));
    OK(asdf_node_set_string(root, "meta/author", SIZED("me")));
    OK(asdf_node_get(root, "meta", &meta));
    OK(asdf_table_set_meta(table, meta));
    asdf_node_free(meta);
    asdf_node_free(root);
    asdf_file_free(file);
}

/* Checks that a table has these rows of the table: first elements of "pair", divided by ten. */
#define HAS_ROWS(made, ...)                                                                                            \
    has_rows(made, (const int64_t[]){__VA_ARGS__}, sizeof(int64_t[]){__VA_ARGS__} / sizeof(int64_t), __LINE__)

static void has_rows(asdf_table *made, const int64_t *rows, size_t count, int line) {
    int64_t row_count = 0;
    int16_t pairs[20];
    OK(asdf_table_row_count(made, &row_count));
    OK(asdf_table_read_column(made, "pair", 0, -1, ASDF_INT16, NULL, pairs, sizeof pairs, NULL, 0));
    int is_same = row_count == (int64_t)count;
    for (size_t i = 0; is_same && i < count; i++)
        is_same = pairs[2 * i] == 10 * rows[i] && pairs[2 * i + 1] == 10 * rows[i] + 1;
    if (!is_same) {
        checks_failed++;
        fprintf(stderr, "%s:%d: other rows\n", __FILE__, line);
    }
    asdf_table_free(made);
}

static void rows_are_selected(void) {
    const int64_t rows[] = {3, 0, 3};
    const uint8_t mask[] = {0, 1, 0, 0, 9};
    asdf_table *made = NULL;
    OK(asdf_table_select(table, rows, 3, NULL, 0, NULL, -1, NULL, &made));
    int64_t lengths[3];
    uint8_t missing[3];
    double flux[3];
    OK(asdf_table_read_cell_lengths(made, "list", 0, 3, lengths, 3));
    CHECK(lengths[0] == 2 && lengths[1] == 1 && lengths[2] == 2);
    OK(asdf_table_read_column(made, "flux", 0, -1, ASDF_FLOAT64, NULL, flux, sizeof flux, missing, 3));
    CHECK(missing[0] == 1 && missing[1] == 0 && missing[2] == 1 && flux[1] == 2);
    TEXT("Jy", asdf_table_column_unit, made, "flux");
    asdf_node *meta = NULL;
    OK(asdf_table_meta(made, &meta));
    TEXT("me", asdf_node_get_text, meta, "author");
    asdf_node_free(meta);
    HAS_ROWS(made, 3, 0, 3);
    OK(asdf_table_select(table, NULL, -1, mask, 5, NULL, -1, NULL, &made));
    HAS_ROWS(made, 1, 4);
    OK(asdf_table_select(table, NULL, -1, NULL, 0, NULL, -1, NULL, &made));
    HAS_ROWS(made, 0, 1, 2, 3, 4);
    const int64_t none[] = {5}, negative[] = {-1};
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_table_select(table, none, 1, NULL, 0, NULL, -1, NULL, &made));
    CHECK(made == NULL);
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_table_select(table, negative, 1, NULL, 0, NULL, -1, NULL, &made));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_select(table, rows, 3, mask, 5, NULL, -1, NULL, &made));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_select(table, rows, -2, NULL, 0, NULL, -1, NULL, &made));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_select(table, NULL, -1, mask, 4, NULL, -1, NULL, &made));
}

static void columns_are_selected(void) {
    const char *const names[] = {"name", "pair"}, *const twice[] = {"pair", "pair"}, *const unknown[] = {"flu"};
    const int64_t rows[] = {1};
    int64_t count = 0;
    asdf_table *made = NULL;
    OK(asdf_table_select(table, rows, 1, NULL, 0, names, 2, NULL, &made));
    OK(asdf_table_column_count(made, &count));
    CHECK(count == 2);
    TEXT("name", asdf_table_column_name, made, 0);
    HAS_ROWS(made, 1);
    OK(asdf_table_select(table, NULL, 0, NULL, 0, NULL, 0, NULL, &made));
    OK(asdf_table_column_count(made, &count));
    CHECK(count == 0);
    OK(asdf_table_row_count(made, &count));
    CHECK(count == 0);
    asdf_table_free(made);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_select(table, NULL, -1, NULL, 0, twice, 2, NULL, &made));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_table_select(table, NULL, -1, NULL, 0, unknown, 1, NULL, &made));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_select(table, NULL, -1, NULL, 0, names, -2, NULL, &made));
}

static void slices_are_taken(void) {
    asdf_table *made = NULL;
    OK(asdf_table_slice(table, 1, 3, 1, NULL, &made));
    HAS_ROWS(made, 1, 2, 3);
    OK(asdf_table_slice(table, 1, -1, 2, NULL, &made));
    HAS_ROWS(made, 1, 3);
    OK(asdf_table_slice(table, 4, -1, -1, NULL, &made));
    HAS_ROWS(made, 4, 3, 2, 1, 0);
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_table_slice(table, 3, 3, 1, NULL, &made));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_table_slice(table, -1, 1, 1, NULL, &made));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_table_slice(table, 0, -2, 1, NULL, &made));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_slice(table, 0, 1, 0, NULL, &made));
}

static void rows_are_sorted(void) {
    const char *const keys[] = {"flux", "name"}, *const arrays[] = {"pair"}, *const unknown[] = {"fluxes"};
    const int32_t descending[] = {1, 0}, later[] = {0, 1};
    asdf_table *made = NULL;
    OK(asdf_table_sort(table, keys, NULL, 1, NULL, &made));
    HAS_ROWS(made, 2, 4, 0, 1, 3);
    OK(asdf_table_sort(table, keys, descending, 1, NULL, &made));
    HAS_ROWS(made, 0, 2, 4, 1, 3);
    OK(asdf_table_sort(table, keys, NULL, 2, NULL, &made));
    HAS_ROWS(made, 4, 2, 0, 1, 3);
    OK(asdf_table_sort(table, keys + 1, later + 1, 1, NULL, &made));
    HAS_ROWS(made, 4, 0, 1, 3, 2);
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_table_sort(table, arrays, NULL, 1, NULL, &made));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_table_sort(table, unknown, NULL, 1, NULL, &made));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_sort(table, keys, NULL, 0, NULL, &made));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_sort(table, keys, NULL, -1, NULL, &made));
    CHECK(made == NULL);
}

int main(void) {
    make();
    rows_are_selected();
    columns_are_selected();
    slices_are_taken();
    rows_are_sorted();
    asdf_table_free(table);
    return report();
}
