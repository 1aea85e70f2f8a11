/* Decodes the images that make_damaged.py writes: whole, and a part of them. Run by valgrind, which sees bytes that are
 * read behind a stream. Fails if the library does, if a part of a whole image is refused, or if no image or no damage
 * was found. */

#include <asdfkit/asdf_formats.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int64_t record[3];
    long decoded = 0, refused = 0;
    while (fread(record, sizeof record, 1, stdin) == 1) {
        int64_t size = record[0], pixels = record[2];
        size_t pixel = (size_t)record[1];
        /* Exactly as large as needed. */
        char *hdu = malloc((size_t)size), *out = malloc((size_t)pixels * pixel);
        if (hdu == NULL || out == NULL || fread(hdu, (size_t)size, 1, stdin) != 1) {
            return 2;
        }
        int64_t first = pixels / 3, count = pixels / 2;
        asdf_status status = asdf_formats_decode_image(hdu, (size_t)size, 0, pixels, out, (size_t)pixels * pixel);
        asdf_status part = asdf_formats_decode_image(hdu, (size_t)size, first, count, out, (size_t)count * pixel);
        if (status == ASDF_OK) {
            decoded++;
        } else {
            refused++;
        }
        if (status == ASDF_ERR_INTERNAL || (status == ASDF_OK && part != ASDF_OK)) {
            char text[1000];
            asdf_formats_error_message(text, sizeof text, NULL);
            fprintf(stderr, "statuses %d and %d: %s\n", (int)status, (int)part, text);
            return 1;
        }
        free(hdu);
        free(out);
    }
    printf("%ld images decoded, %ld refused\n", decoded, refused);
    return decoded == 0 || refused == 0;
}
