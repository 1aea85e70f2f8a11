#include "harness.h"

static void warnings(const asdf_file *file) {
#include "warnings.block.c"
    CHECK(count == 1);
}

int main(void) {
    put_text("image.asdf", "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.2\n--- {time: 139.8}\n...\n");
    asdf_file *file = open_file("image.asdf");
    warnings(file);
    asdf_file_free(file);
    return report();
}
