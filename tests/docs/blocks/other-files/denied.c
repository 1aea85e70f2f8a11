#include "harness.h"

int main(void) {
    put_text("exploded.asdf", HEAD "    time: 139.8\ndata: !core/ndarray-1.1.0\n  source: exploded0000.asdf\n"
                                   "  datatype: float32\n  byteorder: little\n  shape: [2, 2]\n...\n");
    float pixels[4];
    asdf_file *file = open_file("exploded.asdf");
    asdf_node *root = root_of(file);
    asdf_array *array = NULL;
#include "denied.block.c"
    CHECK(asdf_error_status() == ASDF_ERR_EXTERNAL_REFERENCE);
    asdf_array_free(array);
    asdf_node_free(root);
    asdf_file_free(file);
    return report();
}
