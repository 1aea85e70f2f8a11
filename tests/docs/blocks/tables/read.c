#include "harness.h"

int main(void) {
    put_text("catalogue.ecsv", "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: name, datatype: string}\n"
                               "# - {name: flux, unit: mJy, datatype: float64}\nname flux\na 1.5\nb \"\"\n");
#include "read.block.c"
    CHECK(rows == 2 && flux[0] == 1.5 && missing[0] == 0 && missing[1] == 1);
    free(flux);
    free(missing);
    return report();
}
