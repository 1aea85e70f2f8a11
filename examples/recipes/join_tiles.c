/* Reads images of the same size side by side into one mosaic, without a copy in between: join_tiles FILE... */
#include <asdf.h>
#include <stdio.h>
#include <stdlib.h>

static int read_tile(const char *name, int64_t rows, int64_t columns, float *corner, int64_t width, size_t size) {
    const int64_t strides[] = {width * (int64_t)sizeof(float), sizeof(float)};
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    asdf_array *image = NULL;
    asdf_options *options = NULL;
    int64_t shape[2];
    int32_t rank = 0;
    int failed = asdf_file_open(name, NULL, &file) || asdf_file_root(file, &root) ||
                 asdf_node_get_array(root, "data", &image) || asdf_array_shape(image, shape, 2, &rank) ||
                 asdf_options_new(&options) || asdf_options_set_ints(options, ASDF_OPTION_STRIDES, strides, 2);
    if (!failed && (rank != 2 || shape[0] != rows || shape[1] != columns)) {
        fprintf(stderr, "%s: the image has another size\n", name);
        exit(1);
    }
    if (failed || asdf_array_read(image, ASDF_FLOAT32, options, corner, size, NULL, 0)) {
        asdf_error_print(NULL);
        exit(1);
    }
    asdf_options_free(options);
    asdf_array_free(image);
    asdf_node_free(root);
    asdf_file_free(file);
    return 0;
}

int main(int argc, char **argv) {
    enum { ROWS = 64, COLUMNS = 64 };
    const int64_t width = (int64_t)(argc - 1) * COLUMNS;
    if (argc < 2) return 2;
    float *mosaic = calloc(ROWS * width, sizeof *mosaic);
    if (!mosaic) return 1;
    for (int i = 1; i < argc; i++) {
        float *corner = mosaic + (i - 1) * COLUMNS;
        size_t size = ((ROWS - 1) * width + COLUMNS) * sizeof *mosaic;
        read_tile(argv[i], ROWS, COLUMNS, corner, width, size);
    }
    printf("%d x %lld, last pixel %g\n", ROWS, (long long)width, mosaic[ROWS * width - 1]);
    free(mosaic);
    return 0;
}
