#include "harness.h"

int main(void) {
    put_array("image.asdf", 2, 2, NULL, NULL);
    asdf_file *file = open_file("image.asdf"), *exploded = NULL, *part = NULL;
    asdf_options *access = NULL, *how = NULL;
    OK(asdf_file_explode(file, "exploded.asdf", NULL));
    OK(asdf_options_new(&access));
    OK(asdf_options_set_int(access, ASDF_OPTION_ACCESS, ASDF_ACCESS_SAME_DIRECTORY));
    OK(asdf_file_open("exploded.asdf", access, &exploded));
    asdf_node *exploded_science = root_of(exploded), *target = NULL;
#include "copy.block.c"
    double elements[4] = {0};
    read_doubles("science.asdf", "science/data", elements, 4); /* without permission for other files */
    CHECK(elements[3] == 3);
    asdf_node_free(exploded_science);
    asdf_node_free(target);
    asdf_options_free(access);
    asdf_options_free(how);
    asdf_file_free(exploded);
    asdf_file_free(part);
    asdf_file_free(file);
    return report();
}
