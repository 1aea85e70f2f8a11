#include "files.h"

int main(void) {
    put_image_file();
    asdf_file *file = NULL;
#include "options.block.c"
    OK(status);
    asdf_node *root = root_of(file);
    asdf_array *data = NULL;
    OK(asdf_node_get_array(root, "data", &data));
    asdf_array_free(data);
    asdf_node_free(root);
    asdf_file_free(file);
    return report();
}
