#include "harness.h"

int main(void) {
    const double flux[] = {1, 5, 3};
    const char names[] = "abc", classes[] = "yxy";
    const int64_t offsets[] = {0, 1, 2, 3};
    asdf_table *table = NULL;
    double values[1] = {0};
    OK(asdf_table_new(3, &table));
    OK(asdf_table_add_column(table, "flux", ASDF_FLOAT64, 0, NULL, flux, sizeof flux, NULL, 0, NULL));
    OK(asdf_table_add_text_column(table, "name", ASDF_STRING, names, 3, offsets, 4, NULL, 0));
    OK(asdf_table_add_text_column(table, "class", ASDF_STRING, classes, 3, offsets, 4, NULL, 0));
    asdf_table *whole = table;
    table = NULL;
    /* Ten rows, as the example takes. */
    const int64_t rows[] = {0, 1, 2, 0, 1, 2, 0, 1, 2, 0};
    OK(asdf_table_select(whole, rows, 10, NULL, 0, NULL, -1, NULL, &table));
#include "rows.block.c"
    TEXT("name", asdf_table_column_name, narrow, 0);
    OK(asdf_table_read_column(narrow, "flux", 3, 1, ASDF_FLOAT64, NULL, values, sizeof values, NULL, 0));
    CHECK(values[0] == 3);
    asdf_table_free(narrow);
    asdf_table_free(first);
    asdf_table_free(sorted);
    asdf_table_free(table);
    asdf_table_free(whole);
    return report();
}
