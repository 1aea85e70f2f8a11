/* Arrays that are never in memory as a whole: provided by a callback during writing, or made of zeros. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT 400000

/* Returns increasing numbers, a few bytes at a time, and checks that they are requested in order. */
struct counter {
    int64_t next, fail_at;
    size_t most, largest;
    int in_order, closed;
};

static asdf_status count_up(void *user, int64_t offset, void *buffer, size_t size, size_t *got) {
    struct counter *counter = user;
    if (offset == 0) counter->next = 0;
    if (offset != counter->next) counter->in_order = 0;
    if (offset + (int64_t)size > counter->fail_at) return 77;
    if (size > counter->largest) counter->largest = size;
    if (size > counter->most) size = counter->most;
    for (size_t at = 0; at < size; at++) {
        uint32_t number = (uint32_t)((offset + at) / 4);
        unsigned char bytes[4];
        memcpy(bytes, &number, 4);
        ((unsigned char *)buffer)[at] = bytes[(offset + at) % 4];
    }
    counter->next = offset + size;
    *got = size;
    return ASDF_OK;
}

static asdf_status stop_counting(void *user) {
    ((struct counter *)user)->closed++;
    return ASDF_OK;
}

static struct counter new_counter(void) {
    struct counter counter = {0, INT64_MAX, 100001, 0, 1, 0};
    return counter;
}

static void counts_up(asdf_file *file, const char *path, int checksum) {
    asdf_node *root = root_of(file);
    asdf_array *array = NULL;
    static uint32_t numbers[COUNT];
    int64_t shape[2], block, absent, as_stored, as_decoded;
    int32_t rank;
    OK(asdf_node_get_array(root, path, &array));
    OK(asdf_array_shape(array, shape, 2, &rank));
    CHECK(rank == 2 && shape[0] == COUNT / 4 && shape[1] == 4);
    OK(asdf_array_read(array, ASDF_UINT32, NULL, numbers, sizeof numbers, NULL, 0));
    for (uint32_t index = 0; index < COUNT; index++) {
        if (numbers[index] != index) {
            CHECK(!"the numbers count up");
            break;
        }
    }
    OK(asdf_array_block(array, &block));
    OK(asdf_file_verify(file, NULL, &absent, &as_stored, &as_decoded));
    CHECK(checksum ? as_stored == 1 && absent == 0 : as_stored == 0 && absent == 1);
    asdf_array_free(array);
    asdf_node_free(root);
}

static asdf_file *opened(const char *name) {
    asdf_file *file = NULL;
    OK(asdf_file_open(name, NULL, &file));
    return file;
}

static void given_by_a_callback(void) {
    static const int64_t shape[] = {COUNT / 4, 4};
    static const char *codecs[] = {NULL, "zlib", "bzp2", "lz4", "lz4f", "zstd"};
    asdf_options *options = NULL;
    for (size_t index = 0; index < sizeof codecs / sizeof *codecs; index++) {
        struct counter counter = new_counter();
        asdf_node *root = NULL;
        asdf_file *file = new_file(&root);
        OK(asdf_options_new(&options));
        if (codecs[index]) OK(set_codec(options, codecs[index], -1));
        OK(asdf_options_set_int(options, ASDF_OPTION_BYTE_ORDER,
                                index % 2 ? ASDF_BYTE_ORDER_BIG : ASDF_BYTE_ORDER_LITTLE));
        OK(asdf_node_set_array_callback(root, "a", ASDF_UINT32, 2, shape, count_up, stop_counting, &counter, options));
        OK(write_over(file, "counted.asdf"));
        CHECK(counter.in_order && counter.next == 4 * COUNT && counter.largest <= 1 << 20);
        asdf_file *again = opened("counted.asdf");
        counts_up(again, "a", 1);
        asdf_file_free(again);
        /* Writing to memory fills in the checksum, too; writing to a descriptor, perhaps a pipe, does not. */
        again = written(file);
        counts_up(again, "a", 1);
        asdf_file_free(again);
        int descriptor = open("described.asdf", O_WRONLY | O_CREAT | O_TRUNC, 0666);
        if (codecs[index]) {
            FAILS(ASDF_ERR_UNSUPPORTED, asdf_file_write_descriptor(file, descriptor, NULL));
        } else {
            OK(asdf_file_write_descriptor(file, descriptor, NULL));
            again = opened("described.asdf");
            counts_up(again, "a", 0);
            asdf_file_free(again);
        }
        close(descriptor);
        /* The array can be read before it is written. */
        counts_up(file, "a", 0);
        CHECK(counter.in_order && counter.closed == 0);
        asdf_node_free(root);
        asdf_file_free(file);
        CHECK(counter.closed == 1);
        asdf_options_free(options);
    }
}

static void a_callback_that_fails(void) {
    static const int64_t shape[] = {COUNT / 4, 4};
    struct counter counter = new_counter();
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
    counter.fail_at = 5 * COUNT / 2;
    OK(asdf_node_set_array_callback(root, "a", ASDF_UINT32, 2, shape, count_up, stop_counting, &counter, NULL));
    FAILS(ASDF_ERR_CALLBACK, write_over(file, "counted.asdf"));
    CHECK(message_holds("77"));
    FAILS(ASDF_ERR_CALLBACK, asdf_file_write(file, "never.asdf", NULL));
    CHECK(access("never.asdf", F_OK) != 0);
    asdf_file *again = opened("counted.asdf");
    counts_up(again, "a", 1);
    asdf_file_free(again);
    counter.fail_at = INT64_MAX;
    OK(write_over(file, "counted.asdf"));

    /* After the array was replaced, its callback is not called. */
    OK(asdf_node_set_null(root, "a"));
    counter.next = 5;
    OK(write_over(file, "counted.asdf"));
    CHECK(counter.next == 5);
    asdf_node_free(root);
    asdf_file_free(file);
    CHECK(counter.closed == 1);
}

static void what_callbacks_cannot_have(void) {
    struct counter counter = new_counter();
    asdf_node *root = NULL;
    asdf_options *options = NULL;
    asdf_datatype *text = NULL;
    static const int64_t shape[] = {3}, negative[] = {-3}, huge[] = {INT64_MAX, 4};
    OK(asdf_options_new(&options));
    asdf_file *file = new_file(&root);
#define SET(shape, rank)                                                                                               \
    asdf_node_set_array_callback(root, "a", ASDF_UINT32, rank, shape, count_up, stop_counting, &counter, options)
    FAILS(ASDF_ERR_INVALID_ARGUMENT, SET(negative, 1));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, SET(huge, 2));
    FAILS(ASDF_ERR_NULL_POINTER,
          asdf_node_set_array_callback(root, "a", ASDF_UINT32, 1, shape, NULL, stop_counting, &counter, options));
    OK(asdf_options_set_int(options, ASDF_OPTION_STORAGE, ASDF_STORAGE_INLINE));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, SET(shape, 1));
    OK(asdf_options_set_int(options, ASDF_OPTION_STORAGE, ASDF_STORAGE_INTERNAL));
    OK(asdf_options_set_int(options, ASDF_OPTION_STORED_ORDER, ASDF_ORDER_FORTRAN));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, SET(shape, 1));
    OK(asdf_options_set_int(options, ASDF_OPTION_STORED_ORDER, ASDF_ORDER_C));
    OK(asdf_file_forget_failure(file));
    CHECK(counter.closed == 0);

    OK(asdf_options_set_text(options, ASDF_OPTION_CODEC, "blsc", 4));
    OK(SET(shape, 1));
    FAILS(ASDF_ERR_UNSUPPORTED, asdf_file_write(file, "never.asdf", NULL));
    OK(asdf_options_unset(options, ASDF_OPTION_CODEC));
    OK(SET(shape, 1));
    CHECK(counter.closed == 1);
    OK(asdf_file_write(file, "small.asdf", NULL));

    /* Strings are checked as they arrive: some of these bytes are not ASCII. */
    OK(asdf_datatype_string(ASDF_ASCII, 1200, &text));
    OK(asdf_node_set_array_callback(root, "a", 0, 0, NULL, count_up, stop_counting, &counter, of_type(text)));
    FAILS(ASDF_ERR_ENCODING, asdf_file_write(file, "never.asdf", NULL));
    asdf_datatype_free(text);
    OK(asdf_datatype_string(ASDF_ASCII, 500, &text));
    OK(asdf_node_set_array_callback(root, "a", 0, 0, NULL, count_up, stop_counting, &counter, of_type(text)));
    OK(write_over(file, "small.asdf"));
    asdf_datatype_free(text);
    asdf_node_free(root);
    asdf_file_free(file);
    CHECK(counter.closed == 4);
    asdf_options_free(options);
}

static void zeros_take_no_room(void) {
    static const int64_t shape[] = {1 << 20, 1 << 17}, last[] = {(1 << 20) - 1, (1 << 17) - 3}, three[] = {1, 3};
    asdf_node *root = NULL;
    asdf_array *array = NULL;
    asdf_datatype *text = NULL;
    asdf_file *file = new_file(&root);
    double numbers[3] = {1, 1, 1};
    int64_t size = 0;
    struct stat state;
    /* 1 TiB, and a block after it. */
    OK(asdf_node_set_array_zeros(root, "a", ASDF_FLOAT64, 2, shape, NULL));
    OK(asdf_node_set_array(root, "b", ASDF_INT64, 1, (int64_t[]){2}, last, sizeof last, NULL));
    OK(asdf_datatype_string(ASDF_ASCII, 8, &text));
    OK(asdf_node_set_array_zeros(root, "c", 0, 1, three + 1, of_type(text)));
    OK(asdf_file_write(file, "sparse.asdf", NULL));
    asdf_node_free(root);
    asdf_file_free(file);

    CHECK(stat("sparse.asdf", &state) == 0 && state.st_size > (int64_t)1 << 40 && state.st_blocks < 1000);
    file = opened("sparse.asdf");
    root = root_of(file);
    OK(asdf_node_get_array(root, "a", &array));
    OK(asdf_array_read_region(array, 2, last, three, NULL, ASDF_FLOAT64, NULL, numbers, sizeof numbers, NULL, 0));
    CHECK(numbers[0] == 0 && numbers[1] == 0 && numbers[2] == 0);
    asdf_array_free(array);
    OK(asdf_file_block_stored_size(file, 0, &size));
    CHECK(size == (int64_t)1 << 40);
    OK(asdf_node_get_array(root, "b", &array));
    int64_t pair[2];
    OK(asdf_array_read(array, ASDF_INT64, NULL, pair, sizeof pair, NULL, 0));
    CHECK(memcmp(pair, last, sizeof pair) == 0);
    asdf_array_free(array);
    OK(asdf_node_get_array(root, "c", &array));
    char string[8] = "?";
    OK(asdf_array_read_string(array, 1, (int64_t[]){2}, NULL, string, sizeof string, NULL, NULL));
    CHECK(string[0] == 0);
    asdf_array_free(array);
    asdf_node_free(root);
    asdf_file_free(file);
    asdf_datatype_free(text);
    unlink("sparse.asdf");
}

static void zeros_are_stored_as_they_are(void) {
    static const int64_t shape[] = {100}, negative[] = {-1};
    asdf_node *root = NULL;
    asdf_options *options = NULL;
    asdf_file *file = new_file(&root);
    OK(asdf_options_new(&options));
    OK(asdf_options_set_text(options, ASDF_OPTION_CODEC, "zlib", 4));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_array_zeros(root, "a", ASDF_INT8, 1, shape, options));
    OK(asdf_options_unset(options, ASDF_OPTION_CODEC));
    OK(asdf_options_set_int(options, ASDF_OPTION_BLOCK_CHECKSUM, 1));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_array_zeros(root, "a", ASDF_INT8, 1, shape, options));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_array_zeros(root, "a", ASDF_INT8, 1, negative, NULL));
    OK(asdf_file_forget_failure(file));
    OK(asdf_options_unset(options, ASDF_OPTION_BLOCK_CHECKSUM));
    OK(asdf_options_set_int(options, ASDF_OPTION_BLOCK_SLACK, 50));
    OK(asdf_node_set_array_zeros(root, "a", ASDF_INT8, 1, shape, options));
    asdf_file *again = written(file);
    int64_t size = 0;
    OK(asdf_file_block_allocated_size(again, 0, &size));
    CHECK(size == 150);
    asdf_file_free(again);
    asdf_node_free(root);
    asdf_file_free(file);
    asdf_options_free(options);
}

int main(void) {
    given_by_a_callback();
    a_callback_that_fails();
    what_callbacks_cannot_have();
    zeros_take_no_room();
    zeros_are_stored_as_they_are();
    return report();
}
