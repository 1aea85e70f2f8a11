#include "harness.h"

int main(void) {
    put_image();
    double seconds = 0;
#include "free.block.c"
    CHECK(seconds == 139.8);
    return report();
}
