/* A process is forked while its other threads use the library. The child reads from inherited handles, and never waits
   for a lock that one of those threads held. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
/* Included after the checks. */
#include "child.h"
#include <pthread.h>
#include <stdatomic.h>

enum { ROWS = 64, COLUMNS = 1024, ELEMENTS = ROWS * COLUMNS };

static const int64_t shape[] = {ROWS, COLUMNS};
static float expected[ELEMENTS];

/* A source whose callback stops a thread of the arming process until it may continue. */
static struct {
    const char *bytes;
    size_t size;
    int64_t first, last;
    int is_armed, is_there, may_go, closed;
    pid_t process;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
} stop = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void stop_here(void) {
    /* In a child no thread would let it continue. */
    if (getpid() != stop.process) return;
    pthread_mutex_lock(&stop.mutex);
    if (stop.is_armed) {
        stop.is_armed = 0;
        stop.is_there = 1;
        pthread_cond_broadcast(&stop.changed);
        while (!stop.may_go) pthread_cond_wait(&stop.changed, &stop.mutex);
    }
    pthread_mutex_unlock(&stop.mutex);
}

static asdf_status read_bytes(void *user, int64_t offset, void *buffer, size_t size, size_t *got) {
    (void)user;
    if (offset + (int64_t)size > stop.first && offset < stop.last) stop_here();
    memcpy(buffer, stop.bytes + offset, size);
    *got = size;
    return ASDF_OK;
}

static asdf_status close_bytes(void *user) {
    (void)user;
    stop.closed++;
    return ASDF_OK;
}

static asdf_status resolve(void *user, const char *uri, asdf_read_callback *read, asdf_close_callback *close,
                           void **source, int64_t *length) {
    (void)user;
    CHECK(strstr(uri, "other.asdf") != NULL);
    stop_here();
    *read = read_bytes;
    *close = close_bytes;
    *source = NULL;
    *length = stop.size;
    return ASDF_OK;
}

/* Runs a function on a thread until it stops, forks, and lets the thread finish. */
static void forked_meanwhile(const char *name, void *(*work)(void *), void (*child)(void)) {
    pthread_t thread;
    pthread_mutex_lock(&stop.mutex);
    stop.process = getpid();
    stop.is_armed = 1;
    stop.is_there = stop.may_go = 0;
    pthread_mutex_unlock(&stop.mutex);
    if (pthread_create(&thread, NULL, work, NULL) != 0) exit(1);
    pthread_mutex_lock(&stop.mutex);
    while (!stop.is_there) pthread_cond_wait(&stop.changed, &stop.mutex);
    pthread_mutex_unlock(&stop.mutex);
    in_child(name, child);
    pthread_mutex_lock(&stop.mutex);
    stop.may_go = 1;
    pthread_cond_broadcast(&stop.changed);
    pthread_mutex_unlock(&stop.mutex);
    CHECK(pthread_join(thread, NULL) == 0);
}

static asdf_file *file;
static asdf_node *root;
static asdf_array *array;

static void check_region(int64_t row) {
    static float found[2][COLUMNS];
    const int64_t start[] = {row, 0}, count[] = {2, COLUMNS};
    OK(asdf_array_read_region(array, 2, start, count, NULL, ASDF_FLOAT32, NULL, found, sizeof found, NULL, 0));
    CHECK(memcmp(found, expected + row * COLUMNS, sizeof found) == 0);
}

static void *read_region(void *unused) {
    (void)unused;
    check_region(30);
    return NULL;
}

static void free_all(void) {
    asdf_array_free(array);
    asdf_node_free(root);
    asdf_file_free(file);
}

static void *count_blocks(void *unused) {
    int64_t count = 0;
    (void)unused;
    OK(asdf_file_block_count(file, &count));
    CHECK(count == 6);
    return NULL;
}

static void reading_child(void) {
    asdf_node *node = NULL;
    count_blocks(NULL);
    check_region(20);
    check_region(0);
    CHECK(file_warnings(file) == 0);
    OK(asdf_file_verify(file, NULL, NULL, NULL, NULL));
    OK(asdf_node_get(root, "zlib", &node));
    asdf_node_free(node);
    OK(asdf_file_close(file));
    FAILS(ASDF_ERR_CLOSED, asdf_file_verify(file, NULL, NULL, NULL, NULL));
    free_all();
    CHECK(stop.closed == 0);
}

static asdf_buffer *make_bytes(void) {
    static const char *const codecs[] = {"", "zlib", "bzp2", "lz4", "zstd", ""};
    asdf_options *options = NULL;
    asdf_options *write = NULL;
    asdf_buffer *buffer = NULL;
    const void *bytes = NULL;
    asdf_node *made = NULL;
    asdf_file *new = new_file(&made);
    OK(asdf_options_new(&options));
    for (int i = 0; i < 6; i++) {
        char path[16];
        snprintf(path, sizeof path, "%s%d", codecs[i], i);
        OK(set_codec(options, *codecs[i] ? codecs[i] : NULL, -1));
        OK(asdf_node_set_array(made, *codecs[i] ? codecs[i] : path, ASDF_FLOAT32, 2, shape, expected, sizeof expected,
                               options));
    }
    OK(asdf_options_new(&write));
    OK(asdf_options_set_int(write, ASDF_OPTION_BLOCK_INDEX, 0));
    OK(asdf_file_write_memory(new, write, &buffer));
    OK(asdf_buffer_bytes(buffer, &bytes, &stop.size));
    stop.bytes = bytes;
    asdf_options_free(write);
    asdf_options_free(options);
    asdf_node_free(made);
    asdf_file_free(new);
    return buffer;
}

/* Returns the offset of the magic of a block. */
static int64_t block_at(int number) {
    for (size_t at = 0; at + 4 < stop.size; at++) {
        if (memcmp(stop.bytes + at,
                   "\xD3"
                   "BLK",
                   4) == 0 &&
            number-- == 0)
            return at;
    }
    exit(1);
}

static void stopped_while_reading(void) {
    static const char *const arrays[] = {"zlib", "bzp2", "lz4", "zstd"};
    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    for (int verify = 0; verify < 2; verify++) {
        OK(asdf_options_set_int(options, ASDF_OPTION_VERIFY_CHECKSUMS, verify));
        for (int i = 0; i < 5; i++) {
            stop.is_armed = stop.closed = 0;
            stop.first = stop.last = 0;
            OK(asdf_file_open_source(read_bytes, close_bytes, NULL, stop.size, options, &file));
            OK(asdf_file_root(file, &root));
            OK(asdf_node_get_array(root, arrays[i % 4], &array));
            /* In the first bytes of a payload, or at a header that counting the blocks reads. */
            stop.first = i < 4 ? block_at(i + 1) + 64 : block_at(4);
            stop.last = stop.first + 54;
            forked_meanwhile(i < 4 ? arrays[i] : "blocks", i < 4 ? read_region : count_blocks, reading_child);
            stop.first = stop.last = 0;
            check_region(10);
            free_all();
            CHECK(stop.closed == 1);
        }
    }
    asdf_options_free(options);
}

static void *read_elsewhere(void *unused) {
    float found = 0;
    asdf_array *there = NULL;
    (void)unused;
    OK(asdf_node_get_array(root, "a", &there));
    OK(asdf_array_read_region(there, 2, (int64_t[]){3, 5}, (int64_t[]){1, 1}, NULL, ASDF_FLOAT32, NULL, &found,
                              sizeof found, NULL, 0));
    CHECK(found == expected[3 * COLUMNS + 5]);
    asdf_array_free(there);
    return NULL;
}

static void other_file_child(void) {
    read_elsewhere(NULL);
    read_elsewhere(NULL);
    free_all();
}

static void stopped_while_opening_another(void) {
    asdf_options *options = NULL;
    stop.first = stop.last = 0;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_resolver(options, resolve, NULL, NULL));
    static const char text[] =
        "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n"
        "a: !core/ndarray-1.1.0 {source: other.asdf, datatype: float32, byteorder: little, shape: [64, 1024]}\n...\n";
    OK(asdf_file_open_memory(text, sizeof text - 1, options, &file));
    asdf_options_free(options);
    root = root_of(file);
    array = NULL;
    forked_meanwhile("another file", read_elsewhere, other_file_child);
    read_elsewhere(NULL);
    free_all();
}

/* Elements that a callback provides while the file is saved. */
static asdf_status give_zeros(void *user, int64_t offset, void *buffer, size_t size, size_t *got) {
    (void)user;
    (void)offset;
    stop_here();
    memset(buffer, 0, size);
    *got = size;
    return ASDF_OK;
}

static void *save(void *unused) {
    (void)unused;
    OK(asdf_file_save(file, NULL));
    return NULL;
}

static void child_of_a_saving_process(void) {
    int64_t number = 0;
    asdf_node *another = NULL;
    FAILS(ASDF_ERR_FORKED, asdf_node_get_i64(root, "number", &number));
    FAILS(ASDF_ERR_FORKED, asdf_node_set_i64(root, "number", 3));
    FAILS(ASDF_ERR_FORKED, asdf_file_root(file, &another));
    FAILS(ASDF_ERR_FORKED, asdf_file_save(file, NULL));
    OK(asdf_file_close(file));
    FAILS(ASDF_ERR_CLOSED, asdf_node_get_i64(root, "number", &number));
    free_all();
    /* The child's own reads are not affected. */
    OK(asdf_file_open("saved.asdf", NULL, &file));
    OK(asdf_file_root(file, &root));
    OK(asdf_node_get_i64(root, "number", &number));
    CHECK(number == 1);
}

static void stopped_while_saving(void) {
    int64_t number = 0;
    asdf_file *made = new_file(&root);
    OK(asdf_node_set_i64(root, "number", 1));
    OK(asdf_file_write(made, "saved.asdf", NULL));
    asdf_node_free(root);
    asdf_file_free(made);
    OK(asdf_file_open_for_update("saved.asdf", NULL, &file));
    root = root_of(file);
    array = NULL;
    OK(asdf_node_set_i64(root, "number", 2));
    OK(asdf_node_set_array_callback(root, "made", ASDF_FLOAT32, 2, shape, give_zeros, NULL, NULL, NULL));
    forked_meanwhile("saving", save, child_of_a_saving_process);
    free_all();
    OK(asdf_file_open("saved.asdf", NULL, &file));
    root = root_of(file);
    OK(asdf_node_get_i64(root, "number", &number));
    CHECK(number == 2);
    OK(asdf_file_verify(file, NULL, NULL, NULL, NULL));
    free_all();
}

/* Threads that read continuously; the fork happens at any point of their work. */
enum { READERS = 3 };

static asdf_array *arrays[4];
static atomic_int is_enough;

static void *read_all_the_time(void *argument) {
    int number = *(const int *)argument;
    static float found[READERS][3][COLUMNS];
    for (int round = number; !is_enough; round++) {
        const int64_t start[] = {round * 7 % (ROWS - 3), 0}, count[] = {3, COLUMNS};
        asdf_array *another = NULL;
        OK(asdf_array_read_region(arrays[round % 4], 2, start, count, NULL, ASDF_FLOAT32, NULL, found[number],
                                  sizeof found[number], NULL, 0));
        CHECK(memcmp(found[number], expected + start[0] * COLUMNS, sizeof found[number]) == 0);
        OK(asdf_node_get_array(root, "lz4", &another));
        asdf_array_free(another);
    }
    return NULL;
}

static void child_of_readers(void) {
    for (int i = 0; i < 4; i++) {
        array = arrays[i];
        check_region(i * 11);
        asdf_array_free(array);
    }
    count_blocks(NULL);
    asdf_node_free(root);
    asdf_file_free(file);
}

static void forked_at_random(int forks) {
    static const char *const names[] = {"zlib", "bzp2", "lz4", "zstd"};
    int numbers[READERS];
    pthread_t threads[READERS];
    FILE *out = fopen("arrays.asdf", "wb");
    if (!out || fwrite(stop.bytes, 1, stop.size, out) != stop.size || fclose(out) != 0) exit(1);
    for (int in_files = 0; in_files < 2; in_files++) {
        asdf_options *options = NULL;
        OK(asdf_options_new(&options));
        /* With little memory, decoded bytes go to temporary files. */
        if (in_files) OK(asdf_options_set_int(options, ASDF_OPTION_LIMIT_DECODED_BYTES, 200 << 10));
        OK(asdf_file_open("arrays.asdf", options, &file));
        asdf_options_free(options);
        root = root_of(file);
        /* Arrays that can be read with this little memory. */
        for (int i = 0; i < 4; i++) OK(asdf_node_get_array(root, names[in_files ? i % 2 : i], &arrays[i]));
        is_enough = 0;
        for (int i = 0; i < READERS; i++) {
            numbers[i] = i;
            if (pthread_create(&threads[i], NULL, read_all_the_time, &numbers[i]) != 0) exit(1);
        }
        for (int i = 0; i < forks; i++) in_child("of readers", child_of_readers);
        is_enough = 1;
        for (int i = 0; i < READERS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
        for (int i = 0; i < 4; i++) asdf_array_free(arrays[i]);
        asdf_node_free(root);
        asdf_file_free(file);
    }
}

/* test_fork_threads [FORKS]: each fork takes long under valgrind. */
int main(int argc, char **argv) {
    for (int i = 0; i < ELEMENTS; i++) expected[i] = (float)(i * 37 % 1009);
    asdf_buffer *buffer = make_bytes();
    stopped_while_reading();
    stopped_while_opening_another();
    stopped_while_saving();
    forked_at_random(argc > 1 ? atoi(argv[1]) : 30);
    asdf_buffer_free(buffer);
    return report();
}
