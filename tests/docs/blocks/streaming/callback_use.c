#include "harness.h"

#include "callback.block.c"

int main(void) {
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
#include "callback_use.block.c"
    static double elements[1000 * 1000];
    read_doubles("ramp.asdf", "ramp", elements, 1000 * 1000);
    CHECK(elements[0] == 0 && elements[999999] == 999999);
    asdf_node_free(root);
    asdf_file_free(file);
    return report();
}
