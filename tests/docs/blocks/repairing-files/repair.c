#include "harness.h"

int main(void) {
    asdf_options *bare = NULL;
    OK(asdf_options_new(&bare));
    OK(asdf_options_set_int(bare, ASDF_OPTION_CHECKSUMS, 0));
    OK(asdf_options_set_int(bare, ASDF_OPTION_BLOCK_INDEX, 0));
    put_array("image.asdf", 2, 2, NULL, bare);
    asdf_options_free(bare);
    asdf_file *file = NULL;
#include "repair.block.c"
    CHECK(index == 1 && checksums == 1);
    asdf_file_free(file);
    return report();
}
