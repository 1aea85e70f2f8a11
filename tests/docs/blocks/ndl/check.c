#include "harness.h"

static void check(void) {
#include "check.block.c"
    int32_t valid = 1;
    OK(asdf_ndl_is_valid(ndl, &valid));
    CHECK(!valid);
    asdf_report_free(report);
    asdf_ndl_free(ndl);
}

int main(void) {
    put_text("model.yaml", "ndarrays:\n  wind:\n    shape: [3]\n    dtype: float32\n  flags:\n    shape: [1]\n"
                           "    type: int8\n    value: [300]\n");
    check();
    return report();
}
