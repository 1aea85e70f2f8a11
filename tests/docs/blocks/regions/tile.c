#include "harness.h"

int main(void) {
    put_array("image.asdf", 3, 3, NULL, NULL);
    asdf_array *image = array_of("image.asdf", "data");
#include "tile.block.c"
    CHECK(mosaic[2][2] == 0 && mosaic[2][3] == 1 && mosaic[3][2] == 3 && mosaic[3][3] == 4 && mosaic[3][1] == 0);
    asdf_array_free(image);
    return report();
}
