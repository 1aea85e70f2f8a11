/* Reads every second pixel of a window of an image: read_region FILE */
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
    float window[4][6];
    const int64_t start[] = {76, 54}, count[] = {4, 6}, step[] = {2, 2};
    if (argc != 2) return 2;
    if (asdf_file_open(argv[1], NULL, &file) || asdf_file_root(file, &root)) return report();
    if (asdf_node_get_array(root, "data", &image)) return report();
    if (asdf_array_read_region(image, 2, start, count, step, ASDF_FLOAT32, NULL, window, sizeof window, NULL, 0))
        return report();
    printf("first %g, last %g\n", (double)window[0][0], (double)window[3][5]);
    asdf_array_free(image);
    asdf_node_free(root);
    asdf_file_free(file);
    return 0;
}
