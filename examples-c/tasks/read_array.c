/* Reads a whole image of any size as float64: read_array FILE */
#include <asdf.h>
#include <stdio.h>

static int report(void) {
    asdf_error_print(NULL);
    return 1;
}

int main(int argc, char **argv) {
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    asdf_array *image = NULL;
    asdf_buffer *pixels = NULL;
    const void *bytes;
    size_t size;
    int32_t rank;
    int64_t shape[ASDF_MAX_RANK];
    if (argc != 2) return 2;
    if (asdf_file_open(argv[1], NULL, &file) || asdf_file_root(file, &root)) return report();
    if (asdf_node_get_array(root, "data", &image)) return report();
    if (asdf_array_shape(image, shape, ASDF_MAX_RANK, &rank)) return report();
    if (asdf_array_load(image, ASDF_FLOAT64, NULL, &pixels, NULL)) return report();
    if (asdf_buffer_bytes(pixels, &bytes, &size)) return report();
    printf("%lld x %lld, last pixel %g\n", (long long)shape[0], (long long)shape[rank - 1],
           ((const double *)bytes)[size / sizeof(double) - 1]);
    asdf_buffer_free(pixels);
    asdf_array_free(image);
    asdf_node_free(root);
    asdf_file_free(file);
    return 0;
}
