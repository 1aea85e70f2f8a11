#include "harness.h"

#include "callback.block.c"

int main(void) {
    float elements[2] = {0};
    size_t got = 0;
    CHECK(ramp(NULL, 8, elements, sizeof elements, &got) == ASDF_OK && got == sizeof elements);
    CHECK(elements[0] == 2 && elements[1] == 3);
    return report();
}
