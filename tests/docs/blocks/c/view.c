#include "files.h"

static float corner_of(const char *path, asdf_status expected) {
    asdf_array *data = array_of("image.asdf", path);
    float corner = -1;
#include "view.block.c"
    CHECK(status == expected);
    asdf_array_free(data);
    return corner;
}

int main(void) {
    put_image_file();
    CHECK(corner_of("data", ASDF_ERR_NOT_VIEWABLE) == -1);
    CHECK(corner_of("dark", ASDF_OK) == 0);
    return report();
}
