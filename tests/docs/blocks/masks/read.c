#include "harness.h"

int main(void) {
    put_text("image.asdf",
             HEAD "    time: 139.8\ndata: !core/ndarray-1.1.0\n  data: [1, 2, null, 4]\n  datatype: float32\n...\n");
    asdf_array *image = array_of("image.asdf", "data");
#include "read.block.c"
    CHECK(isnan(pixels[2]) && missing[2] == 1 && missing[3] == 0);
    FAILS(ASDF_ERR_MASKED, asdf_array_read(image, ASDF_FLOAT32, NULL, pixels, sizeof pixels, NULL, 0));
    asdf_options_free(options);
    asdf_array_free(image);
    return report();
}
