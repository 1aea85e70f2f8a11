#include "harness.h"

int main(void) {
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
    const int64_t shape[] = {1, 2};
    const float pixels[] = {1, 2};
#include "external.block.c"
    asdf_options_free(how);
    asdf_node_free(root);
    asdf_file_free(file);
    CHECK(exists("image.asdf"));
    asdf_file *part = open_file("image0000.asdf");
    int64_t blocks = 0;
    OK(asdf_file_block_count(part, &blocks));
    CHECK(blocks == 1);
    asdf_file_free(part);
    return report();
}
