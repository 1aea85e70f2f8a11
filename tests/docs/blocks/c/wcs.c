#include "files.h"

int main(void) {
    const char *cards = "NAXIS   = 2\nNAXIS1  = 64\nNAXIS2  = 48\nCTYPE1  = 'RA---TAN'\nCTYPE2  = 'DEC--TAN'\n"
                        "CRPIX1  = 21\nCRPIX2  = 14\nCRVAL1  = 10\nCRVAL2  = 20\nCDELT1  = -0.001\nCDELT2  = 0.001\n"
                        "END\n";
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
    OK(asdf_node_set_wcs_cards(root, "meta/wcs", cards, strlen(cards), NULL));
#include "wcs.block.c"
    OK(status);
    CHECK(fabs(ra - 10) < 1e-9 && fabs(dec - 20) < 1e-9 && fabs(x - 20) < 1e-6 && fabs(y - 13) < 1e-6);
    asdf_node_free(root);
    asdf_file_free(file);
    return report();
}
