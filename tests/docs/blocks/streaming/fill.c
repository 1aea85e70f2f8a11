#include "harness.h"

int main(void) {
    asdf_node *root = NULL, *cube_root = NULL;
    asdf_file *file = new_file(&root), *cube = NULL;
    asdf_array *array = NULL;
    const int64_t shape[] = {2, 2, 2}, start[] = {1, 0, 0}, count[] = {1, 1, 2};
    const float tile[] = {5, 6};
#include "fill.block.c"
    asdf_array_free(array);
    asdf_node_free(cube_root);
    asdf_file_free(cube);
    asdf_node_free(root);
    asdf_file_free(file);
    double elements[8] = {0};
    read_doubles("cube.asdf", "cube", elements, 8);
    CHECK(elements[3] == 0 && elements[4] == 5 && elements[5] == 6 && elements[6] == 0);
    return report();
}
