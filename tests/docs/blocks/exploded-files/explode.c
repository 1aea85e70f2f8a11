#include "harness.h"

int main(void) {
    put_array("image.asdf", 2, 2, NULL, NULL);
    asdf_file *exploded = NULL, *file = open_file("image.asdf");
#include "explode.block.c"
    CHECK(exists("exploded0000.asdf"));
    double elements[4] = {0};
    read_doubles("imploded.asdf", "data", elements, 4);
    CHECK(elements[3] == 3);
    asdf_options_free(access);
    asdf_file_free(exploded);
    asdf_file_free(file);
    return report();
}
