#include "harness.h"

/* Flips a bit of the last payload byte: 3.0f is 00 00 40 40 in little-endian order. */
static void damage(void) {
    static uint8_t bytes[1 << 16];
    FILE *file = fopen("image.asdf", "rb");
    if (!file) exit(1);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    const uint8_t last[] = {0, 0, 0x40, 0x40};
    size_t at = size;
    while (at > 0 && memcmp(bytes + at - 4, last, 4) != 0) at--;
    CHECK(at > 0);
    bytes[at - 1] ^= 1;
    put_bytes("damaged.asdf", bytes, size);
}

int main(void) {
    put_array("image.asdf", 2, 2, NULL, NULL);
    damage();
    float pixels[4] = {0};
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    /* Without the option, the damaged byte is read as it is. */
    asdf_array *image = array_of("damaged.asdf", "data");
    OK(asdf_array_read(image, ASDF_FLOAT32, NULL, pixels, sizeof pixels, NULL, 0));
    CHECK(pixels[3] != 3);
    asdf_array_free(image);
#include "verify.block.c"
    CHECK(asdf_error_status() == ASDF_ERR_CHECKSUM);
    asdf_array_free(image);
    asdf_node_free(root);
    asdf_options_free(options);
    asdf_file_free(file);
    return report();
}
