#include "harness.h"

int main(void) {
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
    const int64_t shape[] = {1, 3};
    const float pixels[] = {1, NAN, 3};
    const int16_t counts[] = {1, 2, 3};
    const uint8_t missing[] = {1, 0, 0};
#include "write.block.c"
    OK(asdf_file_write(file, "masks.asdf", NULL));
    uint8_t mask[3] = {9, 9, 9};
    asdf_array *image = array_of("masks.asdf", "image");
    OK(asdf_array_read_mask(image, NULL, mask, sizeof mask));
    CHECK(mask[0] == 0 && mask[1] == 1 && mask[2] == 0);
    asdf_array_free(image);
    image = array_of("masks.asdf", "counts");
    OK(asdf_array_read_mask(image, NULL, mask, sizeof mask));
    CHECK(mask[0] == 1 && mask[1] == 0 && mask[2] == 0);
    asdf_array_free(image);
    asdf_node_free(root);
    asdf_file_free(file);
    return report();
}
