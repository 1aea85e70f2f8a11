#include "harness.h"

int main(void) {
    put_array("image.asdf", 2, 2, NULL, NULL);
    asdf_file *image = open_file("image.asdf"), *file = NULL;
    OK(asdf_file_explode(image, "exploded.asdf", NULL));
    asdf_file_free(image);
#include "allow.block.c"
    float pixels[4] = {0};
    asdf_node *root = root_of(file);
    asdf_array *array = NULL;
    OK(asdf_node_get_array(root, "data", &array));
    OK(asdf_array_read(array, ASDF_FLOAT32, NULL, pixels, sizeof pixels, NULL, 0));
    CHECK(pixels[3] == 3);
    asdf_array_free(array);
    asdf_node_free(root);
    asdf_options_free(options);
    asdf_file_free(file);
    return report();
}
