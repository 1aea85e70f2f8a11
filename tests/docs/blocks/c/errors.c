#include "files.h"

int main(void) {
    put_image_file();
    double seconds = -1;
    asdf_file *file = open_file("image.asdf");
    asdf_node *root = root_of(file);
#include "errors.block.c"
    CHECK(status == ASDF_ERR_NOT_FOUND && seconds == 0);
    asdf_node_free(root);
    asdf_file_free(file);
    return report();
}
