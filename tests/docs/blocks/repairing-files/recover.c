#include "harness.h"

int main(void) {
    /* An array of 4 x 2 float32 in a block of 32 bytes, cut after 20 of them. */
    static const char tree[] = HEAD "    time: 139.8\ndata: !core/ndarray-1.1.0\n  source: 0\n  datatype: float32\n"
                                    "  byteorder: little\n  shape: [4, 2]\n...\n";
    uint8_t bytes[sizeof tree - 1 + 54 + 20] = {0};
    uint8_t *block = bytes + sizeof tree - 1;
    memcpy(bytes, tree, sizeof tree - 1);
    memcpy(block, "\323BLK\0\060", 6);                  /* magic, header of 48 bytes */
    block[14 + 7] = block[22 + 7] = block[30 + 7] = 32; /* allocated, used, decoded */
    put_bytes("damaged.asdf", bytes, sizeof bytes);
    int64_t count = 0;
#include "recover.block.c"
    CHECK(count > 0);
    double elements[4] = {0};
    read_doubles("recovered.asdf", "data", elements, 4); /* two whole rows */
    return report();
}
