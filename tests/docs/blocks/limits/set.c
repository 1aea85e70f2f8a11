#include "harness.h"

int main(void) {
    put_image();
#include "set.block.c"
    CHECK(asdf_error_status() == ASDF_ERR_LIMIT);
    CHECK(file == NULL);
    OK(asdf_file_open("image.asdf", options, &file));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_LIMIT_NODES, 0));
    OK(asdf_options_set_int(options, ASDF_OPTION_LIMIT_CREATED_BYTES, 0));
    asdf_options_free(options);
    asdf_file_free(file);
    return report();
}
