/* Writing to paths, memory and descriptors, and the effect of the options for arrays and writing. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include <fcntl.h>
#include <unistd.h>

static const int64_t shape_1000[] = {1000};
static unsigned char values[1000];

static asdf_file *sample(asdf_node **root) {
    asdf_file *file = new_file(root);
    OK(asdf_node_set_array(*root, "data", ASDF_UINT8, 1, shape_1000, values, sizeof values, NULL));
    return file;
}

static void check_content(asdf_file *file) {
    asdf_node *root = root_of(file);
    asdf_array *array = NULL;
    unsigned char read[1000];
    OK(asdf_node_get_array(root, "data", &array));
    OK(asdf_array_read(array, ASDF_UINT8, NULL, read, sizeof read, NULL, 0));
    CHECK(memcmp(read, values, sizeof read) == 0);
    asdf_array_free(array);
    asdf_node_free(root);
    asdf_file_free(file);
}

static int64_t number(asdf_status (*get)(const asdf_file *, int64_t, int64_t *), const asdf_file *file, int64_t index) {
    int64_t found = -2;
    OK(get(file, index, &found));
    return found;
}

static void to_path(void) {
    asdf_node *root = NULL;
    asdf_file *file = sample(&root), *again = NULL;
    asdf_options *fast = NULL;
    OK(asdf_file_write(file, "new.asdf", NULL));
    fast = replacing();
    OK(asdf_options_set_int(fast, ASDF_OPTION_DURABLE, 0));
    OK(asdf_file_write(file, "new.asdf", fast));
    asdf_options_free(fast);
    OK(asdf_file_open("new.asdf", NULL, &again));
    check_content(again);

    /* A failed write leaves the old file unchanged. */
    FAILS(ASDF_ERR_NULL_POINTER, asdf_node_set_null(root, NULL));
    FAILS(ASDF_ERR_INCOMPLETE, write_over(file, "new.asdf"));
    OK(asdf_file_open("new.asdf", NULL, &again));
    check_content(again);
    OK(asdf_file_forget_failure(file));
    FAILS(ASDF_ERR_FILE_NOT_FOUND, asdf_file_write(file, "no/such/folder.asdf", NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_write(file, ".", NULL));
    asdf_node_free(root);
    asdf_file_free(file);
}

static void to_descriptor(void) {
    asdf_node *root = NULL;
    asdf_file *file = sample(&root), *again = NULL;
    int descriptor = open("descriptor.asdf", O_RDWR | O_CREAT | O_TRUNC, 0600);
    OK(asdf_file_write_descriptor(file, descriptor, NULL));
    CHECK(lseek(descriptor, 0, SEEK_CUR) > 1000); /* still open */
    OK(asdf_file_open_descriptor(descriptor, NULL, &again));
    check_content(again);
    CHECK(close(descriptor) == 0);
    FAILS(ASDF_ERR_IO, asdf_file_write_descriptor(file, descriptor, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_write_descriptor(file, -5, NULL));
    int reading = open("descriptor.asdf", O_RDONLY);
    FAILS(ASDF_ERR_IO, asdf_file_write_descriptor(file, reading, NULL));
    close(reading);

    int ends[2];
    CHECK(pipe(ends) == 0);
    OK(asdf_file_write_descriptor(file, ends[1], NULL));
    CHECK(close(ends[1]) == 0);
    char start[12];
    CHECK(read(ends[0], start, sizeof start) == 12 && memcmp(start, "#ASDF 1.0.0\n", 12) == 0);
    close(ends[0]);
    asdf_node_free(root);
    asdf_file_free(file);
}

static void to_memory(void) {
    asdf_node *root = NULL;
    asdf_file *file = sample(&root);
    asdf_buffer *buffer = NULL, *another = NULL;
    const void *bytes = NULL;
    size_t size = 0;
    OK(asdf_file_write_memory(file, NULL, &buffer));
    OK(asdf_buffer_retain(buffer, &another));
    asdf_buffer_free(buffer);
    OK(asdf_buffer_bytes(another, &bytes, &size));
    check_content(open_bytes(bytes, size));
    asdf_file *read_only = open_bytes(bytes, size);
    const void *copy = NULL;
    size_t copy_size = 0;
    OK(asdf_file_write_memory(read_only, NULL, &buffer));
    OK(asdf_buffer_bytes(buffer, &copy, &copy_size));
    CHECK(copy_size == size && memcmp(copy, bytes, size) == 0);
    asdf_buffer_free(buffer);
    asdf_file_free(read_only);
    asdf_buffer_free(another);
    OK(asdf_file_close(file));
    FAILS(ASDF_ERR_CLOSED, asdf_file_write_memory(file, NULL, &buffer));
    CHECK(buffer == NULL);
    asdf_node_free(root);
    asdf_file_free(file);
}

static long size_of(const char *name) {
    FILE *stream = fopen(name, "rb");
    if (!stream || fseek(stream, 0, SEEK_END) != 0) exit(1);
    long size = ftell(stream);
    fclose(stream);
    return size;
}

/* A file opened for reading is copied byte for byte, under another name. */
static void copied(void) {
    asdf_node *root = NULL;
    asdf_file *file = sample(&root), *read_only = NULL, *updated = NULL;
    OK(asdf_file_write(file, "original.asdf", NULL));
    OK(asdf_file_open("original.asdf", NULL, &read_only));
    OK(asdf_file_write(read_only, "copy.asdf", NULL));
    CHECK(size_of("copy.asdf") == size_of("original.asdf"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, write_over(read_only, "original.asdf"));
    CHECK(message_holds("open it for update"));
    OK(asdf_file_open("copy.asdf", NULL, &updated));
    check_content(updated);
    asdf_node_free(root);

    /* A file that was opened for update is saved by replacing it under its own name. */
    OK(asdf_file_open_for_update("copy.asdf", NULL, &updated));
    root = root_of(updated);
    OK(asdf_node_set_i64(root, "more", 1));
    OK(asdf_file_write(updated, "changed.asdf", NULL));
    CHECK(size_of("copy.asdf") == size_of("original.asdf"));
    FAILS(ASDF_ERR_FILE_EXISTS, asdf_file_write(updated, "copy.asdf", NULL));
    OK(write_over(updated, "copy.asdf"));
    CHECK(size_of("copy.asdf") == size_of("changed.asdf"));
    OK(asdf_node_set_i64(root, "more", 2));
    OK(asdf_file_save(updated, NULL));
    asdf_node_free(root);
    asdf_file_free(updated);
    asdf_file_free(read_only);
    asdf_file_free(file);
}

static void count_release(void *user) {
    ++*(int *)user;
}

static void borrowed(void) {
    unsigned char mine[1000] = {1};
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
    int released = 0;
    OK(asdf_node_set_array_borrowed(root, "data", ASDF_UINT8, 1, shape_1000, mine, sizeof mine, count_release,
                                    &released, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_array_borrowed(root, "data", ASDF_UINT8, 1, shape_1000, mine, 999,
                                                                  count_release, &released, NULL));
    OK(asdf_file_forget_failure(file));
    CHECK(released == 0);
    memcpy(mine, values, sizeof mine); /* shows that there is no copy; a program should not */
    check_content(written(file));
    asdf_node_free(root);
    asdf_file_free(file);
    CHECK(released == 1);
}

static void array_options(void) {
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_text(options, ASDF_OPTION_CODEC, "bzp2", 4));
    OK(asdf_options_set_int(options, ASDF_OPTION_LEVEL, 9));
    OK(asdf_options_set_int(options, ASDF_OPTION_BLOCK_SLACK, 100));
    OK(asdf_options_set_int(options, ASDF_OPTION_BLOCK_CHECKSUM, 0));
    OK(asdf_node_set_array(root, "data", ASDF_UINT8, 1, shape_1000, values, sizeof values, options));
    OK(set_codec(options, "", -1));
    OK(asdf_options_set_int(options, ASDF_OPTION_BLOCK_SLACK, 0));
    OK(asdf_options_unset(options, ASDF_OPTION_BLOCK_CHECKSUM));
    OK(asdf_node_set_array(root, "plain", ASDF_UINT8, 1, shape_1000, values, sizeof values, options));
    static const struct {
        const char *codec;
        int level;
    } wrong[] = {{"brotli", -1}, {"zlib", 10}, {"lz4", 1}, {"lz4f", 1}, {"zstd", 0}, {NULL, 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        OK(set_codec(options, wrong[i].codec, wrong[i].level));
        FAILS(ASDF_ERR_INVALID_ARGUMENT,
              asdf_node_set_array(root, "data", ASDF_UINT8, 1, shape_1000, values, sizeof values, options));
    }
    /* Options of Blosc, and only of it. */
    OK(set_codec(options, "blsc", 9));
    OK(asdf_options_set_text(options, ASDF_OPTION_BLOSC_CODEC, "zstd", ASDF_NUL_TERMINATED));
    OK(asdf_options_set_int(options, ASDF_OPTION_SHUFFLE, ASDF_SHUFFLE_BIT));
    OK(asdf_options_set_int(options, ASDF_OPTION_TYPE_SIZE, 2));
    OK(asdf_node_set_array(root, "blosc", ASDF_UINT8, 1, shape_1000, values, sizeof values, options));
    OK(asdf_node_remove(root, "blosc"));
    OK(asdf_options_set_text(options, ASDF_OPTION_CODEC, "zlib", 4));
    FAILS(ASDF_ERR_INVALID_ARGUMENT,
          asdf_node_set_array(root, "data", ASDF_UINT8, 1, shape_1000, values, sizeof values, options));
    OK(asdf_options_set_text(options, ASDF_OPTION_CODEC, "blsc", 4));
    OK(asdf_options_set_text(options, ASDF_OPTION_BLOSC_CODEC, "snappy", 6));
    FAILS(ASDF_ERR_INVALID_ARGUMENT,
          asdf_node_set_array(root, "data", ASDF_UINT8, 1, shape_1000, values, sizeof values, options));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_SHUFFLE, 3));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_TYPE_SIZE, 0));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_TYPE_SIZE, 256));
    OK(asdf_options_unset(options, ASDF_OPTION_BLOSC_CODEC));
    OK(asdf_options_unset(options, ASDF_OPTION_SHUFFLE));
    OK(asdf_options_unset(options, ASDF_OPTION_TYPE_SIZE));
    OK(asdf_file_forget_failure(file));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_LEVEL, 23));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_LEVEL, -2));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_STORAGE, 7));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_BYTE_ORDER, 7));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_BLOCK_CHECKSUM, 2));
    asdf_options_free(options);

    asdf_file *again = written(file);
    int32_t outcome = -1;
    TEXT("bzp2", asdf_file_block_compression, again, 0);
    CHECK(number(asdf_file_block_allocated_size, again, 0) == number(asdf_file_block_stored_size, again, 0) + 100);
    OK(asdf_file_verify_block(again, 0, NULL, &outcome));
    CHECK(outcome == ASDF_CHECKSUM_ABSENT);
    TEXT("", asdf_file_block_compression, again, 1);
    CHECK(number(asdf_file_block_allocated_size, again, 1) == 1000);
    OK(asdf_file_verify_block(again, 1, NULL, &outcome));
    CHECK(outcome == ASDF_CHECKSUM_STORED);
    check_content(again);
    asdf_node_free(root);
    asdf_file_free(file);
}

static size_t size_with(const asdf_file *file, const asdf_options *options, int64_t *payload, size_t *index) {
    asdf_buffer *buffer = NULL;
    const void *bytes = NULL;
    size_t size = 0;
    OK(asdf_file_write_memory(file, options, &buffer));
    OK(asdf_buffer_bytes(buffer, &bytes, &size));
    asdf_file *again = open_bytes(bytes, size);
    *payload = number(asdf_file_block_payload_offset, again, 0);
    *index = size - (size_t)*payload - 1000;
    int64_t absent = 0, stored = 0;
    OK(asdf_file_verify(again, NULL, &absent, &stored, NULL));
    CHECK(absent + stored == 1);
    asdf_file_free(again);
    asdf_buffer_free(buffer);
    return absent ? 0 : size;
}

static void write_options(void) {
    asdf_node *root = NULL;
    asdf_file *file = sample(&root);
    asdf_options *options = NULL;
    int64_t payload = 0, moved = 0;
    size_t index = 0;
    CHECK(size_with(file, NULL, &payload, &index) > 1000);
    CHECK(payload % 64 == 0 && index > 0);
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_ALIGNMENT, 4096));
    CHECK(size_with(file, options, &payload, &index) > 4096);
    CHECK(payload % 4096 == 0);
    OK(asdf_options_set_int(options, ASDF_OPTION_ALIGNMENT, 1));
    OK(asdf_options_set_int(options, ASDF_OPTION_TREE_SLACK, 0));
    CHECK(size_with(file, options, &payload, &index) > 0);
    OK(asdf_options_set_int(options, ASDF_OPTION_TREE_SLACK, 777));
    CHECK(size_with(file, options, &moved, &index) > 0);
    CHECK(moved == payload + 777);
    OK(asdf_options_unset(options, ASDF_OPTION_TREE_SLACK));
    OK(asdf_options_set_int(options, ASDF_OPTION_BLOCK_INDEX, 0));
    CHECK(size_with(file, options, &payload, &index) > 0);
    CHECK(index == 0);
    OK(asdf_options_set_int(options, ASDF_OPTION_CHECKSUMS, 0));
    CHECK(size_with(file, options, &payload, &index) == 0);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_ALIGNMENT, 3));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_ALIGNMENT, 8192));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_ALIGNMENT, 0));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_TREE_SLACK, -2));
    asdf_options_free(options);
    asdf_node_free(root);
    asdf_file_free(file);
}

static asdf_status gives_nothing(void *user, int64_t offset, void *buffer, size_t size, size_t *count) {
    (void)user, (void)offset, (void)buffer, (void)size, (void)count;
    return 77;
}

/* Errors of setters name the path and the sizes, whenever they surface. */
static void named_places(void) {
    static const int64_t five[] = {5}, eight[] = {8}, two[] = {2}, many[] = {INT64_MAX, INT64_MAX};
    static const float floats[5] = {0};
    asdf_node *root = NULL, *inner = NULL;
    asdf_file *file = new_file(&root);
    asdf_options *options = NULL;
    OK(asdf_node_set_mapping(root, "meta", 0));
    OK(asdf_node_get(root, "meta", &inner));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_array(root, "b", ASDF_FLOAT32, 1, five, floats, 16, NULL));
    CHECK(message_holds("at /b: float32 [5] takes 20 bytes, but 16 are given"));
    TEXT("/b", asdf_error_text, ASDF_REPORT_PATH);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_array(inner, "/b", ASDF_FLOAT32, 1, five, floats, 24, NULL));
    CHECK(message_holds("at /meta/b: float32 [5] takes 20 bytes, but 24 are given"));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_node_set_array(root, "b", ASDF_FLOAT32, 1, five, NULL, 20, NULL));
    TEXT("/b", asdf_error_text, ASDF_REPORT_PATH);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_array(root, "b", 12345, 1, five, floats, 20, NULL));
    TEXT("/b", asdf_error_text, ASDF_REPORT_PATH);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_array_zeros(root, "z", ASDF_FLOAT32, 2, many, NULL));
    TEXT("/z", asdf_error_text, ASDF_REPORT_PATH);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_integer(root, "i", "x", 1));
    TEXT("/i", asdf_error_text, ASDF_REPORT_PATH);
    FAILS(ASDF_ERR_ENCODING, asdf_node_set_string(root, "s", "\377", 1));
    TEXT("/s", asdf_error_text, ASDF_REPORT_PATH);
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_remove(root, "meta/none"));
    CHECK(message_holds("at /meta"));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_resize_array(root, "none", 1, five, NULL, 0, NULL));
    CHECK(message_holds("none"));
    /* A write names the setter that failed. */
    FAILS(ASDF_ERR_INCOMPLETE, asdf_file_write(file, "named.asdf", NULL));
    CHECK(message_holds("at /meta/b: an earlier change failed and is missing in the file; repeat it, or forget the "
                        "failure: float32 [5]"));
    TEXT("/meta/b", asdf_error_text, ASDF_REPORT_PATH);
    OK(asdf_file_forget_failure(file));
    /* A file lacks nothing because a node is not there to be removed. */
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_remove(root, "meta/none"));
    OK(asdf_file_write(file, "nothing_removed.asdf", NULL));

    OK(asdf_options_new(&options));
    OK(asdf_options_set_ints(options, ASDF_OPTION_STRIDES, eight, 1));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_array(root, "strided", ASDF_FLOAT32, 1, two, floats, 8, options));
    CHECK(message_holds("at /strided: float32 [2] with these strides takes 12 bytes, but 8 are given"));
    asdf_options_free(options);
    OK(asdf_file_forget_failure(file));

    OK(asdf_node_set_array_callback(root, "meta/late", ASDF_FLOAT32, 1, five, gives_nothing, NULL, NULL, NULL));
    FAILS(ASDF_ERR_CALLBACK, asdf_file_write(file, "named.asdf", NULL));
    TEXT("/meta/late", asdf_error_text, ASDF_REPORT_PATH);
    asdf_node_free(inner);
    asdf_node_free(root);
    asdf_file_free(file);
}

/* Values that the standard of the file does not support. */
static void named_by_the_standard(void) {
    static const int64_t two[] = {2};
    static const uint16_t halves[2] = {0};
    asdf_options *options = NULL;
    asdf_file *file = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_text(options, ASDF_OPTION_STANDARD, "1.2.0", 5));
    OK(asdf_file_new(options, &file));
    asdf_options_free(options);
    asdf_node *root = root_of(file);
    FAILS(ASDF_ERR_UNSUPPORTED, asdf_node_set_array(root, "a/h", ASDF_FLOAT16, 1, two, halves, 4, NULL));
    CHECK(message_holds("at /a/h: float16 is not part of standard 1.2.0"));
    FAILS(ASDF_ERR_UNSUPPORTED, asdf_node_set_integer(root, "n", "123456789012345678901234567890", 30));
    CHECK(message_holds("at /n: "));
    asdf_node_free(root);
    asdf_file_free(file);
}

/* A file for readers of the first version of the format. */
static void for_old_readers(void) {
    asdf_options *options = NULL;
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    asdf_buffer *buffer = NULL;
    const int64_t shape[] = {2, 3};
    const float elements[] = {1, 2, 3, 4, 5, 6};
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_OLD_READERS, 1));
    OK(asdf_file_new(options, &file));
    root = root_of(file);
    OK(asdf_node_set_array(root, "a", ASDF_FLOAT32, 2, shape, elements, sizeof elements, NULL));
    OK(asdf_file_write_memory(file, NULL, &buffer));
    const void *bytes = NULL;
    size_t size = 0;
    OK(asdf_buffer_bytes(buffer, &bytes, &size));
    char *text = calloc(size + 1, 1);
    memcpy(text, bytes, size);
    CHECK(strstr(text, "#ASDF_STANDARD 1.5.0\n") && strstr(text, "a: !core/ndarray-1.0.0\n"));
    CHECK(strstr(text, "offset: 0\n") && strstr(text, "strides: [12, 4]\n"));
    CHECK(strstr(text, "\n...\n\323BLK") != NULL);
    const unsigned char *block = (const unsigned char *)strstr(text, "\323BLK");
    CHECK(block != NULL && block[4] == 0 && block[5] == 48);
    free(text);
    asdf_buffer_free(buffer);
    asdf_node_free(root);
    asdf_file_free(file);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_open("new.asdf", options, &file));
    asdf_options_free(options);
}

/* Files without a name are changed and written. */
static void unnamed_updates(void) {
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    asdf_buffer *buffer = NULL;
    const void *bytes = NULL;
    size_t size = 0;
    const int64_t three = 3;
    OK(asdf_file_new(NULL, &file));
    root = root_of(file);
    OK(asdf_node_set_array(root, "a", ASDF_UINT8, 1, &three, "abc", 3, NULL));
    OK(asdf_file_write(file, "unnamed.asdf", NULL));
    OK(asdf_file_write_memory(file, NULL, &buffer));
    asdf_node_free(root);
    asdf_file_free(file);
    OK(asdf_buffer_bytes(buffer, &bytes, &size));
    OK(asdf_file_open_memory_for_update(bytes, size, NULL, &file));
    asdf_buffer_free(buffer);
    root = root_of(file);
    OK(asdf_node_set_i64(root, "b", 7));
    asdf_array *array = NULL;
    OK(asdf_node_get_array(root, "a", &array));
    const int64_t first = 0, one = 1;
    FAILS(ASDF_ERR_UNSUPPORTED, asdf_array_write_region(array, 1, &first, &one, NULL, ASDF_UINT8, "x", 1, NULL));
    asdf_array_free(array);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_save(file, NULL));
    OK(asdf_file_write_memory(file, NULL, &buffer));
    asdf_node_free(root);
    asdf_file_free(file);
    OK(asdf_buffer_bytes(buffer, &bytes, &size));
    OK(asdf_file_open_memory(bytes, size, NULL, &file));
    asdf_buffer_free(buffer);
    root = root_of(file);
    int64_t value = 0;
    OK(asdf_node_get_i64(root, "b", &value));
    CHECK(value == 7);
    asdf_node_free(root);
    asdf_file_free(file);
    FAILS(ASDF_ERR_NOT_ASDF, asdf_file_open_memory_for_update("text", 4, NULL, &file));
    int descriptor = open("unnamed.asdf", O_RDWR);
    CHECK(descriptor >= 0);
    OK(asdf_file_open_descriptor_for_update(descriptor, NULL, &file));
    close(descriptor);
    root = root_of(file);
    OK(asdf_node_set_i64(root, "b", 8));
    OK(asdf_file_save(file, NULL));
    asdf_node_free(root);
    asdf_file_free(file);
    OK(asdf_file_open("unnamed.asdf", NULL, &file));
    root = root_of(file);
    OK(asdf_node_get_i64(root, "b", &value));
    CHECK(value == 8);
    asdf_node_free(root);
    asdf_file_free(file);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_open_descriptor_for_update(-1, NULL, &file));
}

int main(void) {
    for (size_t i = 0; i < sizeof values; i++) values[i] = (unsigned char)(i * i);
    to_path();
    to_descriptor();
    to_memory();
    copied();
    borrowed();
    array_options();
    write_options();
    named_places();
    named_by_the_standard();
    for_old_readers();
    unnamed_updates();
    return report();
}
