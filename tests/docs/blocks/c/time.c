#include "files.h"

int main(void) {
    put_image_file();
    asdf_file *file = open_file("image.asdf");
    asdf_node *root = root_of(file);
#include "time.block.c"
    OK(status);
    asdf_node_free(root);
    asdf_file_free(file);
    return report();
}
