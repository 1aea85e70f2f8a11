/* Chunk maps: the bytes that they list are the bytes of the elements. */
#include "check.h"

/* Enough elements for more than one chunk of lz4. */
enum { ROWS = 1500, COLUMNS = 1001 };

static const int64_t shape[] = {ROWS, COLUMNS};
static float values[ROWS][COLUMNS];

/* Writes a file with the values, stored in several ways, into the buffer. */
static asdf_file *sample(asdf_buffer **buffer) {
    static const char *const codecs[] = {"zlib", "lz4", "lz4f"};
    asdf_node *root = NULL;
    asdf_options *options = NULL;
    const void *bytes = NULL;
    size_t size = 0;
    asdf_file *file = new_file(&root);
    OK(asdf_node_set_array(root, "plain", ASDF_FLOAT32, 2, shape, values, sizeof values, NULL));
    OK(asdf_options_new(&options));
    for (size_t i = 0; i < sizeof codecs / sizeof *codecs; i++) {
        OK(set_codec(options, codecs[i], -1));
        OK(asdf_node_set_array(root, codecs[i], ASDF_FLOAT32, 2, shape, values, sizeof values, options));
    }
    OK(asdf_options_unset(options, ASDF_OPTION_CODEC));
    OK(asdf_options_set_int(options, ASDF_OPTION_STORAGE, ASDF_STORAGE_INLINE));
    OK(asdf_node_set_array(root, "inline", ASDF_FLOAT32, 1, &(int64_t){3}, values, 3 * sizeof(float), options));
    OK(asdf_options_set_int(options, ASDF_OPTION_STORAGE, ASDF_STORAGE_INTERNAL));
    OK(asdf_node_set_array(root, "none", ASDF_FLOAT32, 1, &(int64_t){0}, NULL, 0, options));
    asdf_options_free(options);

    asdf_chunk_map *none = (asdf_chunk_map *)&none;
    asdf_array *array = NULL;
    OK(asdf_node_get_array(root, "plain", &array));
    FAILS(ASDF_ERR_UNSUPPORTED, asdf_array_chunk_map(array, &none));
    CHECK(none == NULL);
    asdf_array_free(array);

    OK(asdf_file_write_memory(file, NULL, buffer));
    OK(asdf_buffer_bytes(*buffer, &bytes, &size));
    asdf_node_free(root);
    asdf_file_free(file);
    return open_bytes(bytes, size);
}

static asdf_chunk_map *map_of(const asdf_node *root, const char *path, int64_t expected) {
    asdf_array *array = NULL;
    asdf_chunk_map *map = NULL;
    int64_t count = -1;
    OK(asdf_node_get_array(root, path, &array));
    OK(asdf_array_chunk_map(array, &map));
    asdf_array_free(array);
    OK(asdf_chunk_map_count(map, &count));
    CHECK(count == expected);
    TEXT("", asdf_chunk_map_file, map);
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_chunk_map_bytes(map, count, NULL, NULL, NULL));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_chunk_map_bytes(map, -1, NULL, NULL, NULL));
    return map;
}

static void one_chunk(const asdf_node *root, const unsigned char *bytes) {
    asdf_chunk_map *map = map_of(root, "plain", 1), *another = NULL;
    int64_t offset = 0, length = 0, decoded = 0, first = -1, numbers[2] = {9, 9};
    int32_t is_complete = -1, rank = 0;
    TEXT("", asdf_chunk_map_codec, map);
    OK(asdf_chunk_map_bytes(map, 0, &offset, &length, &decoded));
    CHECK(length == sizeof values && decoded == length && memcmp(bytes + offset, values, sizeof values) == 0);
    OK(asdf_chunk_map_origin(map, 0, numbers, 2, &rank));
    CHECK(rank == 2 && numbers[0] == 0 && numbers[1] == 0);
    OK(asdf_chunk_map_shape(map, 0, numbers, 2, &rank));
    CHECK(rank == 2 && numbers[0] == ROWS && numbers[1] == COLUMNS);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_chunk_map_origin(map, 0, numbers, 1, &rank));
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_chunk_map_shape(map, 0, numbers, 1, &rank));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_chunk_map_origin(map, 1, numbers, 2, &rank));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_chunk_map_shape(map, 1, numbers, 2, &rank));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_chunk_map_first_element(map, 1, &first, &is_complete));
    OK(asdf_chunk_map_first_element(map, 0, &first, &is_complete));
    CHECK(first == 0 && is_complete == 1);
    OK(asdf_chunk_map_first_element(map, 0, &first, NULL));
    OK(asdf_chunk_map_retain(map, &another));
    asdf_chunk_map_free(map);
    OK(asdf_chunk_map_bytes(another, 0, NULL, &length, NULL));
    asdf_chunk_map_free(another);

    map = map_of(root, "zlib", 1);
    TEXT("zlib", asdf_chunk_map_codec, map);
    OK(asdf_chunk_map_bytes(map, 0, &offset, &length, &decoded));
    CHECK(decoded == sizeof values && length < decoded && bytes[offset] == 0x78);
    asdf_chunk_map_free(map);
    map = map_of(root, "lz4f", 1);
    TEXT("lz4f", asdf_chunk_map_codec, map);
    asdf_chunk_map_free(map);
}

/* Chunks of 4 MiB that do not end with a row. */
static void several_chunks(const asdf_node *root, const unsigned char *bytes) {
    asdf_chunk_map *map = map_of(root, "lz4", 2);
    const int64_t row = COLUMNS * sizeof(float), cut = 4 << 20;
    TEXT("lz4", asdf_chunk_map_codec, map);
    for (int64_t index = 0; index < 2; index++) {
        int64_t offset = 0, length = 0, decoded = 0, first = -1, origin[2], extents[2];
        int32_t is_complete = -1;
        OK(asdf_chunk_map_bytes(map, index, &offset, &length, &decoded));
        OK(asdf_chunk_map_origin(map, index, origin, 2, NULL));
        OK(asdf_chunk_map_shape(map, index, extents, 2, NULL));
        OK(asdf_chunk_map_first_element(map, index, &first, &is_complete));
        const unsigned char *size = bytes + offset;
        CHECK(decoded == (size[0] | size[1] << 8 | size[2] << 16 | (int64_t)size[3] << 24));
        CHECK(length < decoded && decoded == (index == 0 ? cut : (int64_t)sizeof values - cut));
        CHECK(origin[0] == (index == 0 ? 0 : cut / row) && origin[1] == 0 && extents[1] == COLUMNS);
        CHECK(extents[0] == (index == 0 ? cut / row + 1 : ROWS - cut / row));
        CHECK(first == (index == 0 ? 0 : cut / row * row - cut) && is_complete == 0);
    }
    asdf_chunk_map_free(map);
}

/* The map returns the name of the file, also of another file. */
static void names(const asdf_buffer *buffer) {
    static const char text[] = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n"
                               "--- !core/asdf-1.1.0\n"
                               "a: !core/ndarray-1.1.0\n"
                               "  {source: values.asdf, datatype: float32, byteorder: little, shape: [3]}\n...\n";
    const void *bytes = NULL;
    size_t size = 0;
    asdf_options *options = NULL;
    asdf_file *file = NULL;
    asdf_array *array = NULL;
    asdf_chunk_map *map = NULL;
    char name[1024];
    FILE *out = fopen("values.asdf", "wb");
    OK(asdf_buffer_bytes(buffer, &bytes, &size));
    CHECK(out && fwrite(bytes, 1, size, out) == size && fclose(out) == 0);
    out = fopen("names.asdf", "wb");
    CHECK(out && fwrite(text, 1, sizeof text - 1, out) == sizeof text - 1 && fclose(out) == 0);
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_ACCESS, ASDF_ACCESS_SAME_DIRECTORY));
    OK(asdf_file_open("names.asdf", options, &file));
    asdf_node *root = root_of(file);
    OK(asdf_node_get_array(root, "a", &array));
    OK(asdf_array_chunk_map(array, &map));
    OK(asdf_chunk_map_file(map, name, sizeof name, &size));
    CHECK(size > 11 && strcmp(name + size - 11, "values.asdf") == 0);
    asdf_chunk_map_free(map);
    asdf_array_free(array);
    asdf_node_free(root);
    asdf_file_free(file);
    asdf_options_free(options);
}

static void strides(const asdf_node *root) {
    asdf_array *array = NULL;
    int64_t found[2] = {0, 0};
    int32_t rank = 0;
    OK(asdf_node_get_array(root, "plain", &array));
    OK(asdf_array_strides(array, found, 2, &rank));
    CHECK(rank == 2 && found[0] == COLUMNS * sizeof(float) && found[1] == sizeof(float));
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_array_strides(array, found, 1, &rank));
    asdf_array_free(array);
}

int main(void) {
    asdf_buffer *buffer = NULL;
    const void *bytes = NULL;
    size_t size = 0;
    for (int row = 0; row < ROWS; row++) {
        for (int column = 0; column < COLUMNS; column++) values[row][column] = (float)((row * 7 + column) % 1000);
    }
    asdf_file *file = sample(&buffer);
    asdf_node *root = root_of(file);
    OK(asdf_buffer_bytes(buffer, &bytes, &size));
    one_chunk(root, bytes);
    several_chunks(root, bytes);
    asdf_chunk_map_free(map_of(root, "inline", 0));
    asdf_chunk_map_free(map_of(root, "none", 0));
    strides(root);
    names(buffer);
    asdf_node_free(root);
    asdf_file_free(file);
    asdf_buffer_free(buffer);
    return report();
}
