#include "harness.h"

int main(void) {
    asdf_ndl_builder *builder = NULL;
    asdf_ndl *description = NULL;
#include "build.block.c"
    TEXT("float32", asdf_ndl_keyword, description, "/wind", NULL);
    TEXT("[512, 3]", asdf_ndl_storage, description, "/wind", NULL, "chunk");
    asdf_ndl_free(description);
    asdf_ndl_builder_free(builder);
    return report();
}
