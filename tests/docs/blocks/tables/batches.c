#include "harness.h"

int main(void) {
    static const char text[] = "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: n, datatype: int32, unit: m}\nn\n1\n2\n3\n";
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    asdf_table *table = NULL;
    int64_t rows = 0;
    int32_t values[3] = {0};
    FILE *ecsv = fopen("catalogue.ecsv", "wb");
    CHECK(ecsv && fwrite(text, 1, sizeof text - 1, ecsv) == sizeof text - 1 && !fclose(ecsv));
    OK(asdf_file_new(NULL, &file));
    OK(asdf_file_root(file, &root));
    {
#include "batches.block.c"
        asdf_table_writer_free(writer);
        asdf_table_reader_free(reader);
    }
    asdf_node_free(root);
    asdf_file_free(file);
    OK(asdf_file_open("catalogue.asdf", NULL, &file));
    OK(asdf_file_root(file, &root));
    OK(asdf_node_get_table(root, "catalogue", NULL, &table));
    OK(asdf_table_row_count(table, &rows));
    CHECK(rows == 3);
    OK(asdf_table_read_column(table, "n", 0, -1, ASDF_INT32, NULL, values, sizeof values, NULL, 0));
    CHECK(values[2] == 3);
    TEXT("m", asdf_table_column_unit, table, "n");
    asdf_table_free(table);
    asdf_node_free(root);
    asdf_file_free(file);
    return report();
}
