#include "files.h"

int main(void) {
    put_image_file();
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    asdf_array *dark = NULL;
    const float pixels[] = {-1, -2};
    const int64_t first = 3, length = 2;
#include "change.block.c"
    OK(status);
    asdf_array_free(dark);
    asdf_node_free(root);
    asdf_file_free(file);

    double elements[8] = {0}, seconds = 0;
    int32_t draft = 1, renamed = 0;
    read_doubles("image.asdf", "dark", elements, 8);
    CHECK(elements[2] == 2 && elements[3] == -1 && elements[4] == -2 && elements[5] == 5);
    file = open_file("image.asdf");
    root = root_of(file);
    OK(asdf_node_get_f64(root, "meta/exposure/time", &seconds));
    OK(asdf_node_exists(root, "draft", &draft));
    OK(asdf_node_exists(root, "meta/observatory", &renamed));
    CHECK(seconds == 140.2 && !draft && renamed);
    CHECK(system("grep -q '# seconds' image.asdf") == 0);
    asdf_node_free(root);
    asdf_file_free(file);
    return report();
}
