#include "harness.h"

int main(void) {
    CHECK(system("./program") == 0);
    asdf_array *spectra = array_of("run.asdf", "spectra");
    int64_t count = 0;
    OK(asdf_array_element_count(spectra, &count));
    CHECK(count == 1000 * 2048);
    asdf_array_free(spectra);
    return report();
}
