/* Reads positions on the sky and their frame: read_coordinates FILE */
#include <asdf.h>
#include <stdio.h>

#define POINTS 100

static int report(void) {
    asdf_error_print(NULL);
    return 1;
}

int main(int argc, char **argv) {
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    asdf_coordinates *sky = NULL;
    char frame[30];
    int64_t count;
    double ra[POINTS], dec[POINTS];
    if (argc != 2) return 2;
    if (asdf_file_open(argv[1], NULL, &file) || asdf_file_root(file, &root)) return report();
    if (asdf_node_get_coordinates(root, "targets", &sky)) return report();
    if (asdf_coordinates_frame(sky, frame, sizeof frame, NULL) || asdf_coordinates_count(sky, &count)) return report();
    if (asdf_coordinates_read(sky, "ra", "deg", NULL, ra, POINTS)) return report();
    if (asdf_coordinates_read(sky, "dec", "deg", NULL, dec, POINTS)) return report();
    for (int64_t point = 0; point < count; point++) printf("%s: ra %.4f, dec %.4f\n", frame, ra[point], dec[point]);
    asdf_coordinates_free(sky);
    asdf_node_free(root);
    asdf_file_free(file);
    return 0;
}
