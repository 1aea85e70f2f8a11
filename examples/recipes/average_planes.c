/* Averages each plane of a cube without its missing elements, one plane in memory: average_planes FILE */
#include <asdf.h>
#include <stdio.h>
#include <stdlib.h>

static int report(void) {
    asdf_error_print(NULL);
    return 1;
}

int main(int argc, char **argv) {
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    asdf_array *cube = NULL;
    int64_t shape[3] = {0};
    int32_t rank;
    if (argc != 2) return 2;
    if (asdf_file_open(argv[1], NULL, &file) || asdf_file_root(file, &root) ||
        asdf_node_get_array(root, "cube", &cube) || asdf_array_shape(cube, shape, 3, &rank))
        return report();
    int64_t size = shape[1] * shape[2], start[] = {0, 0, 0};
    const int64_t count[] = {1, shape[1], shape[2]};
    double *plane = malloc(size * sizeof *plane);
    uint8_t *missing = malloc(size);
    if (!plane || !missing) return 1;
    for (; start[0] < shape[0]; start[0]++) {
        if (asdf_array_read_region(cube, rank, start, count, NULL, ASDF_FLOAT64, NULL, plane, size * sizeof *plane,
                                   missing, size))
            return report();
        double sum = 0;
        int64_t good = 0;
        for (int64_t i = 0; i < size; i++) {
            if (missing[i]) continue;
            sum += plane[i];
            good++;
        }
        printf("plane %lld: %lld good pixels, mean %g\n", (long long)start[0], (long long)good, sum / good);
    }
    free(plane);
    free(missing);
    asdf_array_free(cube);
    asdf_node_free(root);
    asdf_file_free(file);
    return 0;
}
