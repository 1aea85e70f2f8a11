#include "harness.h"

int main(void) {
#include "compare.block.c"
    return report();
}
