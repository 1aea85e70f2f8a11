#include "files.h"

int main(void) {
    put_image_file();
    asdf_array *data = array_of("image.asdf", "data");
#include "region.block.c"
    OK(status);
    CHECK(window[0][0] == 100 * 512 + 200 && window[31][31] == 162 * 512 + 262);
    asdf_array_free(data);
    return report();
}
