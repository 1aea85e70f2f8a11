/* Reads an image with missing pixels: read_masked FILE */
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
    asdf_buffer *pixels = NULL, *mask = NULL;
    const void *bytes, *flags;
    size_t size, count, missing = 0;
    double least = 1e308;
    if (argc != 2) return 2;
    if (asdf_file_open(argv[1], NULL, &file) || asdf_file_root(file, &root)) return report();
    if (asdf_node_get_array(root, "data", &image)) return report();
    if (asdf_array_load(image, ASDF_FLOAT64, NULL, &pixels, &mask)) return report();
    if (asdf_buffer_bytes(pixels, &bytes, &size) || asdf_buffer_bytes(mask, &flags, &count)) return report();
    for (size_t i = 0; i < count; i++) {
        const double pixel = ((const double *)bytes)[i];
        if (((const unsigned char *)flags)[i])
            missing++;
        else if (pixel < least)
            least = pixel;
    }
    printf("%zu missing, the others from %.1f\n", missing, least);
    asdf_buffer_free(mask);
    asdf_buffer_free(pixels);
    asdf_array_free(image);
    asdf_node_free(root);
    asdf_file_free(file);
    return 0;
}
