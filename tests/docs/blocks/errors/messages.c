#include "harness.h"

int main(void) {
    put_image();
    double seconds = 0, pixels[4];
    asdf_file *other = NULL, *file = open_file("image.asdf");
    asdf_node *root = root_of(file);
    asdf_array *image = NULL;
    OK(asdf_node_get_array(root, "data", &image));
#include "messages.block.c"
    CHECK(asdf_error_status() == ASDF_ERR_READ_ONLY);
    asdf_array_free(image);
    asdf_node_free(root);
    asdf_file_free(file);
    return report();
}
