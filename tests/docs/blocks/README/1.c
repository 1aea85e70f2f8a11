#include "harness.h"

int main(void) {
    /* The program reads every second row and column from row 100 and column 200 on. */
    put_array("image.asdf", 200, 300, NULL, NULL);
    asdf_file *file = NULL;
    OK(asdf_file_open_for_update("image.asdf", NULL, &file));
    asdf_node *root = root_of(file);
    OK(asdf_node_set_f64(root, "roman/meta/exposure/exposure_time", 139.8));
    OK(asdf_node_move(root, "data", "roman/data"));
    OK(asdf_file_save(file, NULL));
    asdf_node_free(root);
    asdf_file_free(file);

    CHECK(system("./program >output") == 0);
    char line[100] = "";
    FILE *output = fopen("output", "r");
    CHECK(output && fgets(line, sizeof line, output) && strcmp(line, "139.8 s, first pixel 30200\n") == 0);
    if (output) fclose(output);

    remove("image.asdf");
    CHECK(system("./program 2>output") != 0);
    return report();
}
