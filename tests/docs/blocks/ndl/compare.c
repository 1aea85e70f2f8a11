#include "harness.h"

static void compare(void) {
    asdf_ndl *old = NULL, *newer = NULL;
    asdf_report *report = NULL;
    int64_t count = 0;
#include "compare.block.c"
    CHECK(count == 2);
    asdf_report_free(report);
    asdf_ndl_free(old);
    asdf_ndl_free(newer);
}

int main(void) {
    put_text("old.yaml", "ndarrays:\n  image: {shape: [2], type: float32, attributes: {units: K}}\n");
    put_text("new.yaml", "ndarrays:\n  image: {shape: [2], type: float32, attributes: {units: mK}}\n"
                         "  mask: {shape: [2, 3], type: uint8}\n");
    compare();
    return report();
}
