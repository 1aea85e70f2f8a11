#include "harness.h"

#include "grow.block.c"

int main(void) {
    static float step[64][64];
    for (int run = 0; run < 2; run++) {
        asdf_file *file = NULL;
        asdf_array *field = NULL;
        int64_t steps = -1;
        OK(begin("ocean.asdf", &file, &field, &steps));
        CHECK(steps == 3 * run);
        for (int i = 0; i < 3; i++) {
            step[0][1] = (float)(steps + i);
            OK(add(file, field, (const float(*)[64])step));
        }
        asdf_array_free(field);
        asdf_file_free(file);
    }
    static double elements[6 * 64 * 64];
    read_doubles("ocean.asdf", "temperature", elements, 6 * 64 * 64);
    for (int i = 0; i < 6; i++) CHECK(elements[i * 64 * 64 + 1] == i);
    return report();
}
