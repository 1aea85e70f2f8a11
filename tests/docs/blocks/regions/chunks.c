#include "harness.h"

int main(void) {
    put_array("image.asdf", 2, 2, NULL, NULL);
    asdf_array *image = array_of("image.asdf", "data");
#include "chunks.block.c"
    CHECK(count == 1 && length == 16 && decoded == 16);
    asdf_array_free(image);
    return report();
}
