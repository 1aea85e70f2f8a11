/* Chunked arrays: made, changed in regions, resized, compressed in another way, copied. */
#include "check.h"

#define ROWS 30
#define COLUMNS 20

static const int64_t shape[] = {ROWS, COLUMNS};
static const int64_t chunks[] = {8, 8};
static int32_t values[ROWS][COLUMNS];

static asdf_array *array_of(const asdf_node *root, const char *path) {
    asdf_array *array = NULL;
    OK(asdf_node_get_array(root, path, &array));
    return array;
}

static void check(const asdf_node *root, const char *path) {
    static int32_t found[ROWS][COLUMNS];
    asdf_array *array = array_of(root, path);
    OK(asdf_array_read(array, ASDF_INT32, NULL, found, sizeof found, NULL, 0));
    CHECK(memcmp(found, values, sizeof values) == 0);
    asdf_array_free(array);
}

static void shapes(const asdf_node *root) {
    int64_t found[2] = {0, 0};
    int32_t rank = 0;
    asdf_array *array = array_of(root, "z");
    OK(asdf_array_chunk_shape(array, found, 2, &rank));
    CHECK(rank == 2 && found[0] == 8 && found[1] == 8);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_array_chunk_shape(array, found, 1, &rank));
    OK(asdf_array_strides(array, found, 2, &rank));
    CHECK(found[0] == 32 && found[1] == 4);
    asdf_array_free(array);
    array = array_of(root, "plain");
    FAILS(ASDF_ERR_NOT_FOUND, asdf_array_chunk_shape(array, found, 2, &rank));
    asdf_array_free(array);
}

/* Codecs of zarr in the metadata of the array. */
static void codecs(void) {
    static const char *const names[] = {"zlib", "gzip", "bz2", "lz4", "zstd", "blosc"};
    asdf_options *options = NULL;
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
    OK(asdf_options_new(&options));
    OK(asdf_options_set_text(options, ASDF_OPTION_CHUNK_CODEC, "zlib", 4));
    FAILS(ASDF_ERR_INVALID_ARGUMENT,
          asdf_node_set_array(root, "z", ASDF_INT32, 2, shape, values, sizeof values, options));
    OK(asdf_options_set_ints(options, ASDF_OPTION_CHUNKS, chunks, 2));
    OK(asdf_options_set_text(options, ASDF_OPTION_CODEC, "zlib", 4));
    FAILS(ASDF_ERR_INVALID_ARGUMENT,
          asdf_node_set_array(root, "z", ASDF_INT32, 2, shape, values, sizeof values, options));
    OK(asdf_options_unset(options, ASDF_OPTION_CODEC));
    OK(asdf_options_set_text(options, ASDF_OPTION_CHUNK_CODEC, "bzp2", 4));
    FAILS(ASDF_ERR_INVALID_ARGUMENT,
          asdf_node_set_array(root, "z", ASDF_INT32, 2, shape, values, sizeof values, options));
    OK(asdf_options_add_text(options, ASDF_OPTION_CHUNK_FILTERS, "delta", 5));
    OK(asdf_options_add_text(options, ASDF_OPTION_CHUNK_FILTERS, "shuffle", 7));
    OK(asdf_options_set_int(options, ASDF_OPTION_THREADS, 2));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char key[16];
        int64_t level = 0;
        OK(asdf_options_set_text(options, ASDF_OPTION_CHUNK_CODEC, names[i], strlen(names[i])));
        OK(asdf_options_unset(options, ASDF_OPTION_LEVEL));
        if (strcmp(names[i], "lz4") != 0) {
            OK(asdf_options_set_int(options, ASDF_OPTION_LEVEL, 3));
        }
        snprintf(key, sizeof key, "z%zu", i);
        asdf_status status = asdf_node_set_array(root, key, ASDF_INT32, 2, shape, values, sizeof values, options);
        if (status == ASDF_ERR_UNKNOWN_CODEC && i > 3) continue;
        OK(status);
        check(root, key);
        char path[64];
        snprintf(path, sizeof path, "%s/.zarray/compressor/%s", key, i == 5 ? "clevel" : "level");
        if (i != 3) {
            OK(asdf_node_get_i64(root, path, &level));
            CHECK(level == 3);
        }
        OK(asdf_node_recompress_array(root, key, NULL));
        check(root, key);
    }
    OK(asdf_options_unset(options, ASDF_OPTION_LEVEL));
    OK(asdf_options_set_text(options, ASDF_OPTION_CHUNK_CODEC, "gzip", 4));
    OK(asdf_node_set_array(root, "g", ASDF_INT32, 2, shape, values, sizeof values, options));
    static double floats[ROWS][COLUMNS];
    FAILS(ASDF_ERR_INVALID_ARGUMENT,
          asdf_node_set_array(root, "f", ASDF_FLOAT64, 2, shape, floats, sizeof floats, options));
    OK(asdf_file_forget_failure(file));
    OK(write_over(file, "codecs.asdf"));
    asdf_node_free(root);
    asdf_file_free(file);
    OK(asdf_file_open_for_update("codecs.asdf", NULL, &file));
    root = root_of(file);
    check(root, "g");
    asdf_array *array = array_of(root, "g");
    values[9][9] = -5;
    OK(asdf_array_write_region(array, 2, (int64_t[]){9, 9}, (int64_t[]){1, 1}, NULL, ASDF_INT32, &values[9][9],
                               sizeof(int32_t), NULL));
    asdf_array_free(array);
    OK(asdf_file_save(file, NULL));
    check(root, "g");
    asdf_node_free(root);
    asdf_file_free(file);
    asdf_options_free(options);
}

int main(void) {
    asdf_options *options = NULL;
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
    for (int row = 0; row < ROWS; row++) {
        for (int column = 0; column < COLUMNS; column++) values[row][column] = row * 100 + column;
    }
    OK(asdf_options_new(&options));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_CHUNKS, 8));
    OK(asdf_options_set_ints(options, ASDF_OPTION_CHUNKS, chunks, 2));
    FAILS(ASDF_ERR_INVALID_ARGUMENT,
          asdf_node_set_array(root, "z", ASDF_INT32, 1, (int64_t[]){ROWS * COLUMNS}, values, sizeof values, options));
    asdf_node_free(root);
    asdf_file_free(file);

    file = new_file(&root);
    OK(asdf_options_set_text(options, ASDF_OPTION_CODEC, "zlib", 4));
    OK(asdf_node_set_array(root, "z", ASDF_INT32, 2, shape, values, sizeof values, options));
    OK(asdf_node_set_array(root, "plain", ASDF_INT32, 2, shape, values, sizeof values, NULL));
    check(root, "z");
    shapes(root);
    OK(write_over(file, "chunked.asdf"));
    asdf_node_free(root);
    asdf_file_free(file);

    OK(asdf_file_open_for_update("chunked.asdf", NULL, &file));
    root = root_of(file);
    check(root, "z");
    shapes(root);
    asdf_array *array = array_of(root, "z");
    int32_t part[2][3] = {{1, 2, 3}, {4, 5, 6}};
    OK(asdf_array_write_region(array, 2, (int64_t[]){7, 6}, (int64_t[]){2, 3}, NULL, ASDF_INT32, part, sizeof part,
                               NULL));
    for (int row = 0; row < 2; row++) memcpy(&values[7 + row][6], part[row], sizeof part[row]);
    asdf_array_free(array);
    check(root, "z");
    OK(asdf_node_resize_array(root, "z", 2, (int64_t[]){ROWS + 10, COLUMNS}, NULL, 0, NULL));
    OK(asdf_node_resize_array(root, "z", 2, shape, NULL, 0, NULL));
    OK(asdf_file_save(file, NULL));
    check(root, "z");
    asdf_node *other = NULL, *chunked = NULL;
    OK(asdf_node_get(root, "z", &chunked));
    asdf_file *copy = new_file(&other);
    OK(asdf_node_copy(other, "copy", chunked, NULL));
    check(other, "copy");
    OK(asdf_node_set_storage(other, "copy", ASDF_STORAGE_INTERNAL, NULL));
    asdf_array *plain = array_of(other, "copy");
    int32_t rank = 0;
    FAILS(ASDF_ERR_NOT_FOUND, asdf_array_chunk_shape(plain, NULL, 0, &rank));
    asdf_array_free(plain);
    OK(asdf_options_set_text(options, ASDF_OPTION_CODEC, "lz4", 3));
    OK(asdf_node_set_storage(other, "copy", ASDF_STORAGE_INTERNAL, options));
    check(other, "copy");
    asdf_node_free(chunked);
    asdf_node_free(other);
    asdf_file_free(copy);
    asdf_node_free(root);
    asdf_file_free(file);
    asdf_options_free(options);
    codecs();
    return report();
}
