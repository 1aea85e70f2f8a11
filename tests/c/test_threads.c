/* Several threads read one file at once, have separate errors, and free one another's handles in any order. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include <pthread.h>

enum { THREADS = 8, ROUNDS = 6, ELEMENTS = 256 * 256 };

static asdf_file *file;
static asdf_node *root;
static asdf_array *array;
static asdf_array *compressed[2];
static float expected[ELEMENTS];
static asdf_array *arrays[THREADS][ROUNDS];
static asdf_node *nodes[THREADS][ROUNDS];
static pthread_barrier_t all_read;

static void read_values(int number) {
    double time = 0;
    int64_t count = 0, absent = -1, stored = -1, decoded = -1;
    char key[32], path[64];
    OK(asdf_node_get_f64(root, "meta/exposure/time", &time));
    CHECK(time == 139.8);
    CHECK(file_warnings(file) == 0);
    OK(asdf_file_block_count(file, &count));
    CHECK(count == 2);
    OK(asdf_file_verify(file, NULL, &absent, &stored, &decoded));
    CHECK(absent == 0 && stored + decoded == 2);

    /* The details are those of the failure on this thread. */
    snprintf(key, sizeof key, "missing %d", number);
    snprintf(path, sizeof path, "meta/%s", key);
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_get_f64(root, path, &time));
    CHECK(message_holds(key));
}

static void read_arrays(int number, float *elements, float *row) {
    const int64_t start[] = {number, 0}, count[] = {1, 256};
    OK(asdf_array_read(array, ASDF_FLOAT32, NULL, elements, ELEMENTS * sizeof *elements, NULL, 0));
    CHECK(memcmp(elements, expected, sizeof expected) == 0);
    OK(asdf_array_read_region(array, 2, start, count, NULL, ASDF_FLOAT32, NULL, row, 256 * sizeof *row, NULL, 0));
    CHECK(memcmp(row, expected + 256 * number, 256 * sizeof *row) == 0);
}

/* Parts of arrays whose decoded bytes the threads share. */
static void read_compressed(int number, int round) {
    for (int codec = 0; codec < 2; codec++) {
        const int64_t start[] = {(number * 29 + round * 41) % 240, 17 * number}, count[] = {16, 100};
        float found[16][100];
        OK(asdf_array_read_region(compressed[codec], 2, start, count, NULL, ASDF_FLOAT32, NULL, found, sizeof found,
                                  NULL, 0));
        for (int row = 0; row < 16; row++) {
            CHECK(memcmp(found[row], expected + 256 * (start[0] + row) + start[1], sizeof *found) == 0);
        }
    }
}

/* Returns the arrays of another file; only they keep it alive. */
static void compress(void) {
    static const char *const codecs[] = {"zlib", "lz4"};
    const int64_t shape[] = {256, 256};
    asdf_node *made = NULL;
    asdf_options *options = NULL;
    asdf_file *another = new_file(&made);
    OK(asdf_options_new(&options));
    for (int codec = 0; codec < 2; codec++) {
        OK(set_codec(options, codecs[codec], -1));
        OK(asdf_node_set_array(made, codecs[codec], ASDF_FLOAT32, 2, shape, expected, sizeof expected, options));
    }
    asdf_options_free(options);
    asdf_file *again = written(another);
    asdf_node *again_root = root_of(again);
    for (int codec = 0; codec < 2; codec++) {
        OK(asdf_node_get_array(again_root, codecs[codec], &compressed[codec]));
    }
    asdf_node_free(again_root);
    asdf_file_free(again);
    asdf_node_free(made);
    asdf_file_free(another);
}

static void *read_everything(void *argument) {
    int number = *(const int *)argument;
    float *elements = malloc(ELEMENTS * sizeof *elements), row[256];
    if (!elements) abort();
    for (int round = 0; round < ROUNDS; round++) {
        read_values(number);
        read_arrays(number, elements, row);
        read_compressed(number, round);
        OK(asdf_node_get_array(root, round % 2 ? "data" : "cube", &arrays[number][round]));
        OK(asdf_node_get(root, "meta/telescope", &nodes[number][round]));
    }
    pthread_barrier_wait(&all_read);
    /* Frees the handles of the next thread; those of the file itself first. */
    int next = (number + 1) % THREADS;
    if (number == 0) {
        asdf_file_free(file);
        asdf_node_free(root);
    }
    for (int round = 0; round < ROUNDS; round++) {
        char telescope[16];
        int64_t shape[ASDF_MAX_RANK];
        int32_t rank = 0;
        OK(asdf_array_shape(arrays[next][round], shape, ASDF_MAX_RANK, &rank));
        FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_array_read(arrays[next][round], ASDF_FLOAT64, NULL, NULL, 0, NULL, 0));
        asdf_array_free(arrays[next][round]);
        OK(asdf_node_get_string(nodes[next][round], "", telescope, sizeof telescope, NULL));
        CHECK(strcmp(telescope, "Roman") == 0);
        asdf_node_free(nodes[next][round]);
    }
    free(elements);
    return NULL;
}

int main(void) {
    char path[1024];
    pthread_t threads[THREADS];
    int numbers[THREADS];
    const char *source = getenv("ASDFKIT_SOURCE");
    snprintf(path, sizeof path, "%s/examples-c/quickstart.asdf", source ? source : ".");
    OK(asdf_file_open(path, NULL, &file));
    OK(asdf_file_root(file, &root));
    OK(asdf_node_get_array(root, "data", &array));
    OK(asdf_array_read(array, ASDF_FLOAT32, NULL, expected, sizeof expected, NULL, 0));
    compress();
    CHECK(pthread_barrier_init(&all_read, NULL, THREADS) == 0);
    for (int number = 0; number < THREADS; number++) {
        numbers[number] = number;
        CHECK(pthread_create(&threads[number], NULL, read_everything, &numbers[number]) == 0);
    }
    for (int number = 0; number < THREADS; number++) CHECK(pthread_join(threads[number], NULL) == 0);
    asdf_array_free(array);
    for (int codec = 0; codec < 2; codec++) asdf_array_free(compressed[codec]);
    pthread_barrier_destroy(&all_read);
    return report();
}
