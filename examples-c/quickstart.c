/* Opens an ASDF file, prints its tree, reads arrays, writes a new file and compares the two.
 *
 *     quickstart [INPUT [OUTPUT]]
 */
#include <asdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(asdf_status status, const char *what) {
    if (status == ASDF_OK) return;
    char message[512];
    asdf_error_message(message, sizeof message, NULL);
    fprintf(stderr, "%s: %s\n", what, message); /* file, line and column or byte, reason */
    exit(1);
}

static void print_array(const asdf_node *node) {
    asdf_array *array = NULL;
    char type[64];
    int32_t rank, inlined;
    int64_t shape[ASDF_MAX_RANK];
    check(asdf_node_get_array(node, "", &array), "array");
    check(asdf_array_datatype_name(array, type, sizeof type, NULL), "datatype");
    check(asdf_array_shape(array, shape, ASDF_MAX_RANK, &rank), "shape");
    check(asdf_array_is_inline(array, &inlined), "storage");
    printf("%s [", type);
    for (int32_t axis = 0; axis < rank; axis++) printf("%s%lld", axis ? " x " : "", (long long)shape[axis]);
    printf("]%s\n", inlined ? " in the tree" : "");
    asdf_array_free(array);
}

/* Prints one line for each node. It recurses, because trees are a few levels deep in practice. */
static void print_tree(const asdf_node *node, int depth) {
    int32_t type, kind;
    check(asdf_node_kind(node, "", &kind), "tree");
    if (kind == ASDF_KIND_ARRAY) {
        print_array(node);
        return;
    }
    check(asdf_node_type(node, "", &type), "type");
    if (type != ASDF_NODE_MAPPING && type != ASDF_NODE_SEQUENCE) {
        char text[60] = "…";
        asdf_node_get_text(node, "", text, sizeof text, NULL); /* a longer text fails and leaves the ellipsis */
        text[strcspn(text, "\n")] = '\0';
        printf("%s\n", text);
        return;
    }
    int64_t count;
    check(asdf_node_count(node, "", &count), "count");
    printf(type == ASDF_NODE_MAPPING ? "{%lld}\n" : "[%lld]\n", (long long)count);
    for (int64_t i = 0; i < count; i++) {
        asdf_node *child = NULL;
        char key[64] = "-";
        if (type == ASDF_NODE_MAPPING) check(asdf_node_key_string(node, "", i, key, sizeof key, NULL), "key");
        check(asdf_node_item(node, "", i, &child), "item");
        printf("%*s%s: ", 2 * depth + 2, "", key);
        print_tree(child, depth + 1);
        asdf_node_free(child);
    }
}

static void print_statistics(const float *pixels, size_t rows, size_t columns) {
    double sum = 0;
    size_t faintest = 0, brightest = 0;
    for (size_t i = 0; i < rows * columns; i++) {
        sum += pixels[i];
        if (pixels[i] < pixels[faintest]) faintest = i;
        if (pixels[i] > pixels[brightest]) brightest = i;
    }
    printf("image: mean %.3f, from %g to %g at [%zu, %zu]\n", sum / (double)(rows * columns), (double)pixels[faintest],
           (double)pixels[brightest], brightest / columns, brightest % columns);
}

/* Reads a whole array, in any storage, into memory that the caller frees. */
static void *read_array(const asdf_node *root, const char *path, int32_t datatype, size_t *size) {
    asdf_array *array = NULL;
    check(asdf_node_get_array(root, path, &array), path);
    check(asdf_array_byte_size(array, datatype, size), path);
    void *elements = malloc(*size);
    if (!elements) exit(1);
    check(asdf_array_read(array, datatype, NULL, elements, *size, NULL, 0), path);
    asdf_array_free(array);
    return elements;
}

int main(int argc, char **argv) {
    const char *input = argc > 1 ? argv[1] : "quickstart.asdf";
    const char *output = argc > 2 ? argv[2] : "written.asdf";
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    check(asdf_file_open(input, NULL, &file), "open");
    check(asdf_file_root(file, &root), "root");
    printf("%s: ", input);
    print_tree(root, 0);

    /* Read a value by its path, the whole image as float32, and the big-endian cube as native float64. */
    double seconds;
    size_t image_size, cube_size;
    check(asdf_node_get_f64(root, "meta/exposure/time", &seconds), "exposure time");
    float *image = read_array(root, "data", ASDF_FLOAT32, &image_size);
    double *cube = read_array(root, "cube", ASDF_FLOAT64, &cube_size);
    printf("\nexposure: %g s\n", seconds);
    print_statistics(image, 256, 256);

    /* Read every second pixel of a window. The cost depends on the window, not on the image. */
    asdf_array *array = NULL;
    float window[4][6];
    const int64_t start[] = {76, 54}, count[] = {4, 6}, step[] = {2, 2};
    check(asdf_node_get_array(root, "data", &array), "data");
    check(asdf_array_read_region(array, 2, start, count, step, ASDF_FLOAT32, NULL, window, sizeof window, NULL, 0),
          "region");
    asdf_array_free(array);
    printf("data[76:84:2, 54:66:2]:\n");
    for (int row = 0; row < 4; row++) {
        for (int column = 0; column < 6; column++) printf("%9.3f", (double)window[row][column]);
        printf("\n");
    }

    /* Make a new file: values by path, arrays from memory, and an unchanged part of the other file. */
    asdf_file *made = NULL;
    asdf_node *tree = NULL, *bands = NULL;
    asdf_options *how = NULL;
    const int64_t image_shape[] = {256, 256}, cube_shape[] = {8, 16, 16};
    check(asdf_file_new(NULL, &made), "new");
    check(asdf_file_root(made, &tree), "root");
    check(asdf_node_set_f64(tree, "meta/exposure/time", seconds), "time");
    check(asdf_node_set_string(tree, "meta/telescope", "Roman", 5), "telescope");
    check(asdf_options_new(&how), "options");
    check(asdf_options_set_text(how, ASDF_OPTION_CODEC, "lz4", 3), "compression");
    check(asdf_node_set_array(tree, "data", ASDF_FLOAT32, 2, image_shape, image, image_size, how), "data");
    check(asdf_node_set_array(tree, "cube", ASDF_FLOAT64, 3, cube_shape, cube, cube_size, NULL), "cube");
    check(asdf_node_get(root, "bands", &bands), "bands");
    check(asdf_node_copy(tree, "bands", bands, NULL), "copy");
    check(asdf_file_write(made, output, NULL), "write"); /* a file that exists needs ASDF_OPTION_REPLACE */
    asdf_options_free(how);
    asdf_node_free(bands);
    asdf_node_free(tree);
    asdf_file_free(made);

    /* Read the written file again. */
    asdf_file *again = NULL;
    check(asdf_file_open(output, NULL, &again), "open again");
    check(asdf_file_verify(again, NULL, NULL, NULL, NULL), "verify");
    check(asdf_file_root(again, &tree), "root");
    size_t size;
    float *image_again = read_array(tree, "data", ASDF_FLOAT32, &size);
    int same = size == image_size && memcmp(image, image_again, size) == 0;
    double *cube_again = read_array(tree, "cube", ASDF_FLOAT64, &size);
    same = same && size == cube_size && memcmp(cube, cube_again, size) == 0;
    printf("\n%s: %s\n", output, same ? "the same image and cube" : "DIFFERENT");

    free(image_again);
    free(cube_again);
    free(image);
    free(cube);
    asdf_node_free(tree);
    asdf_file_free(again);
    asdf_node_free(root);
    check(asdf_file_close(file), "close");
    asdf_file_free(file);
    return same ? 0 : 1;
}
