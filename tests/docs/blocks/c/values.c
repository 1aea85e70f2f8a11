#include "files.h"

int main(void) {
    put_image_file();
    asdf_file *file = open_file("image.asdf");
    asdf_node *root = root_of(file);
#include "values.block.c"
    OK(status);
    CHECK(strcmp(telescope, "Roman") == 0 && count == 3 && calibrated == 1 && known == 0);
    asdf_node_free(root);
    asdf_file_free(file);
    return report();
}
