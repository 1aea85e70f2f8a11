/* Eight threads write disjoint regions of the arrays of one open file, whose tiles share chunks; others read meanwhile.
 */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include <pthread.h>

enum { THREADS = 8, SIDE = 240, TILE = 20, TILES = (SIDE / TILE) * (SIDE / TILE), ARRAYS = 4 };

static const char *const names[ARRAYS] = {"plain", "chunked", "label", "zarr"};
static asdf_array *arrays[ARRAYS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next_tile;

static int32_t value_at(int64_t row, int64_t column, int which) {
    return (int32_t)(row * 1000 + column) * (which + 1);
}

static int take_tile(void) {
    pthread_mutex_lock(&lock);
    int tile = next_tile < TILES * ARRAYS ? next_tile++ : -1;
    pthread_mutex_unlock(&lock);
    return tile;
}

/* Writes tiles, and reads each one again. */
static void *work(void *unused) {
    int32_t made[TILE][TILE], found[TILE][TILE];
    for (int tile; (tile = take_tile()) >= 0;) {
        int which = tile % ARRAYS, place = tile / ARRAYS;
        const int64_t start[] = {place / (SIDE / TILE) * TILE, place % (SIDE / TILE) * TILE}, count[] = {TILE, TILE};
        for (int row = 0; row < TILE; row++) {
            for (int column = 0; column < TILE; column++)
                made[row][column] = value_at(start[0] + row, start[1] + column, which);
        }
        OK(asdf_array_write_region(arrays[which], 2, start, count, NULL, ASDF_INT32, made, sizeof made, NULL));
        OK(asdf_array_read_region(arrays[which], 2, start, count, NULL, ASDF_INT32, NULL, found, sizeof found, NULL,
                                  0));
        CHECK(memcmp(found, made, sizeof made) == 0);
    }
    return unused;
}

static void check_all(const asdf_node *root) {
    static int32_t found[SIDE][SIDE];
    for (int which = 0; which < ARRAYS; which++) {
        asdf_array *array = NULL;
        int wrong = 0;
        OK(asdf_node_get_array(root, names[which], &array));
        OK(asdf_array_read(array, ASDF_INT32, NULL, found, sizeof found, NULL, 0));
        for (int row = 0; row < SIDE; row++) {
            for (int column = 0; column < SIDE; column++) wrong += found[row][column] != value_at(row, column, which);
        }
        CHECK(wrong == 0);
        asdf_array_free(array);
    }
}

static void make(void) {
    const int64_t shape[] = {SIDE, SIDE}, chunk[] = {64, 48};
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_node_set_array_zeros(root, names[0], ASDF_INT32, 2, shape, NULL));
    OK(asdf_options_set_ints(options, ASDF_OPTION_CHUNKS, chunk, 2));
    OK(asdf_node_set_array_zeros(root, names[1], ASDF_INT32, 2, shape, options));
    OK(asdf_options_set_text(options, ASDF_OPTION_CODEC, "zlib", 4));
    OK(asdf_node_set_array_zeros(root, names[2], ASDF_INT32, 2, shape, options));
    OK(asdf_options_unset(options, ASDF_OPTION_CODEC));
    OK(asdf_options_set_text(options, ASDF_OPTION_CHUNK_CODEC, "lz4", 3));
    OK(asdf_options_add_text(options, ASDF_OPTION_CHUNK_FILTERS, "shuffle", 7));
    OK(asdf_node_set_array_zeros(root, names[3], ASDF_INT32, 2, shape, options));
    OK(write_over(file, "regions.asdf"));
    asdf_options_free(options);
    asdf_node_free(root);
    asdf_file_free(file);
}

int main(void) {
    pthread_t threads[THREADS];
    asdf_file *file = NULL;
    make();
    OK(asdf_file_open_for_update("regions.asdf", NULL, &file));
    asdf_node *root = root_of(file);
    for (int which = 0; which < ARRAYS; which++) OK(asdf_node_get_array(root, names[which], &arrays[which]));
    for (int i = 0; i < THREADS; i++) CHECK(pthread_create(&threads[i], NULL, work, NULL) == 0);
    for (int i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    check_all(root);
    OK(asdf_file_save(file, NULL));
    check_all(root);
    const int64_t start[] = {SIDE, 0}, count[] = {1, 1};
    int32_t none = 0;
    FAILS(ASDF_ERR_OUT_OF_RANGE,
          asdf_array_write_region(arrays[1], 2, start, count, NULL, ASDF_INT32, &none, sizeof none, NULL));
    for (int which = 0; which < ARRAYS; which++) asdf_array_free(arrays[which]);
    asdf_node_free(root);
    asdf_file_free(file);
    OK(asdf_file_open("regions.asdf", NULL, &file));
    root = root_of(file);
    check_all(root);
    asdf_node_free(root);
    asdf_file_free(file);
    return report();
}
