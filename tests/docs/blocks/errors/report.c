#include "harness.h"

int main(void) {
    put_image_with_text_as_time();
    double seconds = 0;
    asdf_file *file = open_file("image.asdf");
    asdf_node *root = root_of(file);
#include "report.block.c"
    CHECK(status == ASDF_ERR_WRONG_TYPE);
    asdf_node_free(root);
    asdf_file_free(file);
    return report();
}
