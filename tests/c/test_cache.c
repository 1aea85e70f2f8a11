/* Many regions of a compressed array decode it once. The test counts the bytes that are read from the file. */
#include "check.h"

enum { ROWS = 400, COLUMNS = 1000 };

static const int64_t shape[] = {ROWS, COLUMNS};

/* A file in memory that counts the bytes read from it. */
struct counted {
    const unsigned char *bytes;
    uint64_t total;
};

static asdf_status read_counted(void *user, int64_t offset, void *buffer, size_t size, size_t *got) {
    struct counted *file = user;
    memcpy(buffer, file->bytes + offset, size);
    file->total += size;
    *got = size;
    return ASDF_OK;
}

static uint16_t value(int64_t row, int64_t column) {
    uint32_t mixed = (uint32_t)(row * COLUMNS + column) * 2654435761U;
    return (uint16_t)(mixed >> 20);
}

/* Returns a file with a compressed array of value(row, column). */
static asdf_buffer *compressed(const char *codec) {
    uint16_t *values = malloc(sizeof *values * ROWS * COLUMNS);
    asdf_node *root = NULL;
    asdf_options *options = NULL;
    asdf_buffer *buffer = NULL;
    if (!values) exit(1);
    for (int64_t row = 0; row < ROWS; row++) {
        for (int64_t column = 0; column < COLUMNS; column++) values[row * COLUMNS + column] = value(row, column);
    }
    asdf_file *file = new_file(&root);
    OK(asdf_options_new(&options));
    OK(set_codec(options, codec, -1));
    OK(asdf_node_set_array(root, "data", ASDF_UINT16, 2, shape, values, sizeof *values * ROWS * COLUMNS, options));
    OK(asdf_file_write_memory(file, NULL, &buffer));
    asdf_options_free(options);
    asdf_node_free(root);
    asdf_file_free(file);
    free(values);
    return buffer;
}

/* Reads tiles everywhere in the array, each with a new handle. */
static void read_tiles(const asdf_node *root, int number) {
    const int64_t count[] = {5, 30};
    for (int tile = 0; tile < number; tile++) {
        const int64_t start[] = {value(tile, 1) % (ROWS - 5), value(tile, 2) % (COLUMNS - 30)};
        uint16_t found[5][30];
        asdf_array *array = NULL;
        OK(asdf_node_get_array(root, "data", &array));
        OK(asdf_array_read_region(array, 2, start, count, NULL, ASDF_UINT16, NULL, found, sizeof found, NULL, 0));
        CHECK(found[0][0] == value(start[0], start[1]));
        CHECK(found[4][29] == value(start[0] + 4, start[1] + 29));
        asdf_array_free(array);
    }
}

/* Does the same for a copy of the array in a new file. */
static void read_copy(const asdf_node *from, int number) {
    asdf_node *root = NULL, *data = NULL;
    asdf_file *file = new_file(&root);
    OK(asdf_node_get(from, "data", &data));
    OK(asdf_node_copy(root, "data", data, NULL));
    read_tiles(root, number);
    asdf_node_free(data);
    asdf_node_free(root);
    asdf_file_free(file);
}

/* Returns how many bytes of the file are read for the tiles. */
static uint64_t cost(const asdf_buffer *buffer, const asdf_options *options, int number) {
    struct counted counted = {NULL, 0};
    const void *bytes = NULL;
    size_t size = 0;
    asdf_file *file = NULL;
    OK(asdf_buffer_bytes(buffer, &bytes, &size));
    counted.bytes = bytes;
    OK(asdf_file_open_source(read_counted, NULL, &counted, size, options, &file));
    asdf_node *root = root_of(file);
    counted.total = 0;
    read_tiles(root, number);
    read_copy(root, number);
    asdf_node_free(root);
    asdf_file_free(file);
    return counted.total;
}

int main(void) {
    static const char *const codecs[] = {"zlib", "lz4", "bzp2"};
    for (size_t i = 0; i < sizeof codecs / sizeof *codecs; i++) {
        asdf_buffer *buffer = compressed(codecs[i]);
        asdf_options *options = NULL;
        const void *bytes = NULL;
        size_t size = 0;
        OK(asdf_buffer_bytes(buffer, &bytes, &size));
        OK(asdf_options_new(&options));
        size += 4096; /* to find the chunks of lz4 */
        CHECK(cost(buffer, NULL, 1000) <= size);
        /* Bytes that do not fit in memory are in a temporary file. */
        OK(asdf_options_set_int(options, ASDF_OPTION_CACHE_BYTES, 1000));
        CHECK(cost(buffer, options, 1000) <= size);
        OK(asdf_options_set_text(options, ASDF_OPTION_TEMPORARY_DIRECTORY, ".", 1));
        CHECK(cost(buffer, options, 1000) <= size);
        /* Without memory and temporary files, the array is decoded again. */
        OK(asdf_options_set_text(options, ASDF_OPTION_TEMPORARY_DIRECTORY, "", 0));
        CHECK(cost(buffer, options, 6) > size);
        OK(asdf_options_set_text(options, ASDF_OPTION_TEMPORARY_DIRECTORY, "missing/directory", 17));
        CHECK(cost(buffer, options, 6) > size);
        OK(asdf_options_unset(options, ASDF_OPTION_TEMPORARY_DIRECTORY));
        OK(asdf_options_set_int(options, ASDF_OPTION_LIMIT_TEMPORARY_BYTES, 1000));
        CHECK(cost(buffer, options, 6) > size);
        OK(asdf_options_set_int(options, ASDF_OPTION_CACHE_BYTES, 0));
        CHECK(cost(buffer, options, 6) > size);
        asdf_options_free(options);
        asdf_buffer_free(buffer);
    }
    return report();
}
