/* Shared by the harnesses of code blocks: the checks of the C tests, and small input files. */
#ifndef HARNESS_H
#define HARNESS_H

#include "check.h"
#include <math.h>

static inline void put_bytes(const char *name, const void *bytes, size_t size) {
    FILE *file = fopen(name, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) exit(1);
}

static inline void put_text(const char *name, const char *text) {
    put_bytes(name, text, strlen(text));
}

static inline int exists(const char *name) {
    FILE *file = fopen(name, "rb");
    if (file) fclose(file);
    return file != NULL;
}

/* Header line and tree of a file with a 2 x 2 image. */
#define HEAD                                                                                                           \
    "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n"                 \
    "meta:\n  telescope: Roman\n  exposure:\n"
#define INLINE_IMAGE "data: !core/ndarray-1.1.0\n  data: [[1, 2], [3, 300]]\n  datatype: int16\n...\n"

/* image.asdf: a tree with a 2 x 2 inline array of int16. */
static inline void put_image(void) {
    put_text("image.asdf", HEAD "    time: 139.8\n" INLINE_IMAGE);
}

/* The same file, but the exposure time is a string. */
static inline void put_image_with_text_as_time(void) {
    put_text("image.asdf", HEAD "    time: about two minutes\n" INLINE_IMAGE);
}

/* Writes a file with the float32 array `data`, 0, 1, 2 and so on. */
static inline void put_array(const char *name, int64_t rows, int64_t columns, const char *codec,
                             const asdf_options *how_to_write) {
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
    asdf_options *how = NULL;
    const int64_t shape[] = {rows, columns};
    const size_t count = (size_t)(rows * columns);
    float *pixels = malloc(count * sizeof *pixels);
    if (!pixels) exit(1);
    for (size_t i = 0; i < count; i++) pixels[i] = (float)i;
    OK(asdf_options_new(&how));
    OK(set_codec(how, codec, -1));
    OK(asdf_node_set_array(root, "data", ASDF_FLOAT32, 2, shape, pixels, count * sizeof *pixels, how));
    OK(asdf_file_write(file, name, how_to_write));
    asdf_options_free(how);
    free(pixels);
    asdf_node_free(root);
    asdf_file_free(file);
}

static inline asdf_file *open_file(const char *name) {
    asdf_file *file = NULL;
    OK(asdf_file_open(name, NULL, &file));
    return file;
}

/* Returns an array of a file; the array keeps the file alive. */
static inline asdf_array *array_of(const char *name, const char *path) {
    asdf_file *file = open_file(name);
    asdf_node *root = root_of(file);
    asdf_array *array = NULL;
    OK(asdf_node_get_array(root, path, &array));
    asdf_node_free(root);
    asdf_file_free(file);
    return array;
}

/* Reads all elements of an array in a file as double. */
static inline void read_doubles(const char *name, const char *path, double *elements, size_t count) {
    asdf_array *array = array_of(name, path);
    OK(asdf_array_read(array, ASDF_FLOAT64, NULL, elements, count * sizeof *elements, NULL, 0));
    asdf_array_free(array);
}

#endif
