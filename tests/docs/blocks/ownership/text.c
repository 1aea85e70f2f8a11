#include "harness.h"

int main(void) {
    put_image();
    asdf_file *file = open_file("image.asdf");
    asdf_node *root = root_of(file);
#include "text.block.c"
    CHECK(strcmp(telescope, "Roman") == 0 && length == 5);
    free(telescope);
    asdf_node_free(root);
    asdf_file_free(file);
    return report();
}
