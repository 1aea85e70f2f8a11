#include "harness.h"

int main(void) {
    put_array("image.asdf", 2, 2, NULL, NULL);
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    asdf_options *options = NULL;
#include "move.block.c"
    asdf_node_free(root);
    asdf_file_free(file);
    CHECK(exists("image0000.asdf"));
    return report();
}
