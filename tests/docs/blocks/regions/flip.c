#include "harness.h"

int main(void) {
    const int64_t rows = 5, columns = 2;
    float pixels[3][2] = {{0}};
    const size_t size = sizeof pixels;
    put_array("image.asdf", rows, columns, "zlib", NULL);
    asdf_array *image = array_of("image.asdf", "data");
#include "flip.block.c"
    CHECK(pixels[0][0] == 8 && pixels[0][1] == 9 && pixels[1][0] == 4 && pixels[2][0] == 0 && pixels[2][1] == 1);
    asdf_array_free(image);
    return report();
}
