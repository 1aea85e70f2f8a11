#include "harness.h"

int main(void) {
    put_text("image.asdf", HEAD "    time: 139.8 # seconds\ndraft: true\n" INLINE_IMAGE);
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    const int64_t shape[] = {1, 2};
    const float pixels[] = {1, 2};
#include "edit.block.c"
    asdf_node_free(root);
    asdf_file_free(file);

    double seconds = 0, more[2] = {0};
    int32_t draft = 1;
    file = open_file("image.asdf");
    root = root_of(file);
    OK(asdf_node_get_f64(root, "meta/exposure/time", &seconds));
    OK(asdf_node_exists(root, "draft", &draft));
    CHECK(seconds == 140.2 && !draft);
    read_doubles("image.asdf", "more", more, 2);
    CHECK(more[0] == 1 && more[1] == 2);
    asdf_node_free(root);
    asdf_file_free(file);
    CHECK(system("grep -q '# seconds' image.asdf") == 0);
    return report();
}
