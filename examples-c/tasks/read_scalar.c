/* Reads a number by its path: read_scalar FILE */
#include <asdf.h>
#include <stdio.h>

static int report(void) {
    asdf_error_print(NULL);
    return 1;
}

int main(int argc, char **argv) {
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    double seconds;
    if (argc != 2) return 2;
    if (asdf_file_open(argv[1], NULL, &file) || asdf_file_root(file, &root)) return report();
    if (asdf_node_get_f64(root, "meta/exposure/time", &seconds)) return report();
    printf("%g s\n", seconds);
    asdf_node_free(root);
    asdf_file_free(file);
    return 0;
}
