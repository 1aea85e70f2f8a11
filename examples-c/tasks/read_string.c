/* Reads a string of any length by its path: read_string FILE */
#include <asdf.h>
#include <stdio.h>

static int report(void) {
    asdf_error_print(NULL);
    return 1;
}

int main(int argc, char **argv) {
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    asdf_buffer *text = NULL;
    const void *bytes;
    size_t size;
    if (argc != 2) return 2;
    if (asdf_file_open(argv[1], NULL, &file) || asdf_file_root(file, &root)) return report();
    if (asdf_node_get_string_buffer(root, "meta/target/name", &text)) return report();
    if (asdf_buffer_bytes(text, &bytes, &size)) return report();
    printf("%.*s\n", (int)size, (const char *)bytes);
    asdf_buffer_free(text);
    asdf_node_free(root);
    asdf_file_free(file);
    return 0;
}
