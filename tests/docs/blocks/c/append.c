#include "files.h"

int main(void) {
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
    asdf_array *steps = NULL;
    const int64_t shape[] = {0, 3};
    OK(asdf_node_set_array(root, "steps", ASDF_FLOAT32, 2, shape, NULL, 0, NULL));
    OK(asdf_file_write(file, "steps.asdf", NULL));
    asdf_node_free(root);
    asdf_file_free(file);
    OK(asdf_file_open_for_update("steps.asdf", NULL, &file));
    root = root_of(file);
    OK(asdf_node_get_array(root, "steps", &steps));
    for (int number = 0; number < 2; number++) {
        const float first = (float)(3 * number), step[] = {first, first + 1, first + 2};
#include "append.block.c"
        OK(status);
    }
    double elements[6] = {0};
    read_doubles("steps.asdf", "steps", elements, 6);
    for (int i = 0; i < 6; i++) CHECK(elements[i] == i);
    asdf_array_free(steps);
    asdf_node_free(root);
    asdf_file_free(file);
    return report();
}
