#include "files.h"

#include "write.block.c"

int main(void) {
    const float flux[2][3] = {{1, 2, 3}, {4, 5, 6}};
    const uint8_t missing[2][3] = {{0, 0, 1}, {0, 0, 0}};
    float found[6] = {0};
    uint8_t mask[6] = {0};
    char unit[8] = "";
    OK(write_flux("flux.asdf", flux, missing));
    FAILS(ASDF_ERR_FILE_EXISTS, write_flux("flux.asdf", flux, missing));
    asdf_file *file = open_file("flux.asdf");
    asdf_node *root = root_of(file);
    asdf_array *array = NULL;
    OK(asdf_node_get_array(root, "flux", &array));
    OK(asdf_array_read(array, ASDF_FLOAT32, NULL, found, sizeof found, mask, sizeof mask));
    OK(asdf_node_get_unit(root, "flux", unit, sizeof unit, NULL));
    CHECK(found[5] == 6 && mask[2] == 1 && mask[5] == 0 && strcmp(unit, "Jy") == 0);
    asdf_array_free(array);
    asdf_node_free(root);
    asdf_file_free(file);
    return report();
}
