/* Lists the keys at the root of a file: list_tree FILE */
#include <asdf.h>
#include <stdio.h>

static int report(void) {
    asdf_error_print(NULL);
    return 1;
}

int main(int argc, char **argv) {
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    int64_t count;
    if (argc != 2) return 2;
    if (asdf_file_open(argv[1], NULL, &file) || asdf_file_root(file, &root)) return report();
    if (asdf_node_count(root, "", &count)) return report();
    for (int64_t i = 0; i < count; i++) {
        char key[256];
        if (asdf_node_key_string(root, "", i, key, sizeof key, NULL)) return report();
        printf("%s\n", key);
    }
    asdf_node_free(root);
    asdf_file_free(file);
    return 0;
}
