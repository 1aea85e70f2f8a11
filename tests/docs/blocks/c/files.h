/* The files that the blocks of the page read. */
#ifndef FILES_H
#define FILES_H

#include "harness.h"

#define TREE                                                                                                           \
    "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n"                 \
    "meta:\n  telescope: Roman\n  exposure:\n    time: 139.8 # seconds\n    count: 3\n    calibrated: true\n"          \
    "    start: !time/time-1.2.0 '2027-01-31T04:05:06.700'\ndraft: true\n"                                             \
    "bands: !core/ndarray-1.1.0\n  data: [Y106, J129, F184]\n  datatype: [ascii, 4]\n...\n"

/* image.asdf: numbers, texts, a compressed image of 512 x 512 pixels, and an array that can be overwritten. */
static inline void put_image_file(void) {
    put_text("image.asdf", TREE);
    asdf_file *file = NULL;
    asdf_options *zlib = NULL;
    static float pixels[512][512];
    const int64_t shape[] = {512, 512}, eight = 8;
    for (int i = 0; i < 512 * 512; i++) pixels[i / 512][i % 512] = (float)i;
    OK(asdf_file_open_for_update("image.asdf", NULL, &file));
    asdf_node *root = root_of(file);
    OK(asdf_options_new(&zlib));
    OK(asdf_options_set_text(zlib, ASDF_OPTION_CODEC, "zlib", 4));
    OK(asdf_node_set_array(root, "data", ASDF_FLOAT32, 2, shape, pixels, sizeof pixels, zlib));
    OK(asdf_node_set_array(root, "dark", ASDF_FLOAT32, 1, &eight, pixels, 8 * sizeof(float), NULL));
    OK(asdf_file_save(file, NULL));
    asdf_options_free(zlib);
    asdf_node_free(root);
    asdf_file_free(file);
}

#endif
