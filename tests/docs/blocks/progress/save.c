#include "harness.h"
#include "save.block.c"

int main(void) {
    asdf_file *file = NULL;
    double seconds = 0;
    put_image();
    OK(asdf_file_open_for_update("image.asdf", NULL, &file));
    asdf_node *root = root_of(file);
    OK(asdf_node_set_f64(root, "meta/exposure/time", 140.5));
    int wants_to_stop = 1;
    FAILS(ASDF_ERR_CANCELLED, save(file, &wants_to_stop));
    wants_to_stop = 0;
    OK(save(file, &wants_to_stop));
    asdf_node_free(root);
    asdf_file_free(file);
    file = NULL;
    OK(asdf_file_open("image.asdf", NULL, &file));
    root = root_of(file);
    OK(asdf_node_get_f64(root, "meta/exposure/time", &seconds));
    CHECK(seconds == 140.5);
    asdf_node_free(root);
    asdf_file_free(file);
    return report();
}
