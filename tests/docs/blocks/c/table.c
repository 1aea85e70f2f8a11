#include "files.h"

int main(void) {
    put_text("catalogue.ecsv", "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: name, datatype: string}\n"
                               "# - {name: flux, unit: mJy, datatype: float64}\nname flux\na 54.9\nb \"\"\n");
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
#include "table.block.c"
    OK(status);
    int64_t stored = 0;
    OK(asdf_node_get_table(root, "catalogue", NULL, &table));
    OK(asdf_table_row_count(table, &stored));
    CHECK(stored == 2);
    asdf_table_free(table);
    asdf_node_free(root);
    asdf_file_free(file);
    return report();
}
