#include "harness.h"

int main(void) {
    asdf_node *meta = NULL;
    asdf_table *table = NULL;
#include "write.block.c"
    asdf_table_free(table);
    asdf_node_free(meta);
    double values[2] = {0};
    OK(asdf_table_read_ecsv("made.ecsv", NULL, &table));
    OK(asdf_table_read_column(table, "flux", 0, -1, ASDF_FLOAT64, NULL, values, sizeof values, NULL, 0));
    CHECK(values[1] == 2.25);
    TEXT("mJy", asdf_table_column_unit, table, "flux");
    asdf_table_free(table);
    return report();
}
