#include "files.h"

int main(void) {
    put_image_file();
    asdf_array *bands = array_of("image.asdf", "bands");
#include "texts.block.c"
    OK(status);
    asdf_array_free(bands);
    return report();
}
