/* Writes a new file with a string, a number and a compressed image: write_file FILE */
#include <asdf.h>
#include <stdio.h>

static int report(void) {
    asdf_error_print(NULL);
    return 1;
}

int main(int argc, char **argv) {
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    asdf_options *options = NULL;
    float image[4][6] = {{1, 2, 3}};
    const int64_t shape[] = {4, 6};
    if (argc != 2) return 2;
    if (asdf_file_new(NULL, &file) || asdf_file_root(file, &root)) return report();
    if (asdf_options_new(&options) || asdf_options_set_text(options, ASDF_OPTION_CODEC, "zlib", 4)) return report();
    if (asdf_node_set_string(root, "meta/telescope", "Roman", 5)) return report();
    if (asdf_node_set_f64(root, "meta/exposure/time", 139.8)) return report();
    if (asdf_node_set_array(root, "data", ASDF_FLOAT32, 2, shape, image, sizeof image, options)) return report();
    if (asdf_file_write(file, argv[1], NULL)) return report();
    asdf_options_free(options);
    asdf_node_free(root);
    asdf_file_free(file);
    return 0;
}
