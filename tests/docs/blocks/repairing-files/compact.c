#include "harness.h"

int main(void) {
    put_array("image.asdf", 2, 2, NULL, NULL);
    asdf_file *file = NULL;
    OK(asdf_file_open_for_update("image.asdf", NULL, &file));
    asdf_node *root = root_of(file);
    OK(asdf_node_remove(root, "data"));
    OK(asdf_file_save(file, NULL));
    asdf_node_free(root);
    asdf_file_free(file);
#include "compact.block.c"
    asdf_file_free(file);
    int64_t blocks = -1;
    file = open_file("image.asdf");
    OK(asdf_file_block_count(file, &blocks));
    CHECK(blocks == 0);
    asdf_file_free(file);
    return report();
}
