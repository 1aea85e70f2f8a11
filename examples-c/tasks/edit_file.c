/* Changes a number in a file and saves it: edit_file FILE */
#include <asdf.h>
#include <stdio.h>

static int report(void) {
    asdf_error_print(NULL);
    return 1;
}

int main(int argc, char **argv) {
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    if (argc != 2) return 2;
    if (asdf_file_open_for_update(argv[1], NULL, &file) || asdf_file_root(file, &root)) return report();
    if (asdf_node_set_f64(root, "meta/exposure/time", 140.5)) return report();
    if (asdf_file_save(file, NULL)) return report();
    asdf_node_free(root);
    asdf_file_free(file);
    return 0;
}
