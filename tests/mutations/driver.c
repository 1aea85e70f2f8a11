/*
 * Reads everything in hostile files through the C interface, on a thread with a small stack, into buffers of exactly
 * the required size. Under a memory checker this finds errors that the tests in Rust cannot see.
 */
#define _POSIX_C_SOURCE 200809L
#include <asdf.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 60, BUFFER = 1 << 20, STACK = 256 << 10 };

static long calls, refusals, failures;
static const char *current;

/* Counts a call. An error must have a message, and must not be ASDF_ERR_INTERNAL. */
static int ok(asdf_status status) {
    calls++;
    if (status == ASDF_OK) return 1;
    refusals++;
    size_t needed = 0;
    if (status == ASDF_ERR_INTERNAL || asdf_error_status() != status || asdf_error_message(NULL, 0, &needed) ||
        needed == 0) {
        printf("FAILED %s: %s\n", current, asdf_status_name(status));
        failures++;
    }
    return 0;
}

static void failed(const char *what) {
    printf("FAILED %s: %s\n", current, what);
    failures++;
}

/* Calls a function that returns a string: first for its length, then into memory of exactly that size. */
#define TEXT(call)                                                                                                     \
    do {                                                                                                               \
        char *buffer = NULL;                                                                                           \
        size_t capacity = 0, needed = 0;                                                                               \
        if (ok(call) && needed < BUFFER) {                                                                             \
            capacity = needed + 1;                                                                                     \
            buffer = malloc(capacity);                                                                                 \
            if (!buffer) abort();                                                                                      \
            if (!ok(call)) failed("a length is told, but the text cannot be had");                                     \
            free(buffer);                                                                                              \
        }                                                                                                              \
    } while (0)

static void ask_datatype(asdf_datatype *datatype) {
    int64_t length, count = 0;
    size_t size;
    int32_t code, rank;
    ok(asdf_datatype_code(datatype, &code));
    ok(asdf_datatype_item_size(datatype, &size));
    ok(asdf_datatype_string_length(datatype, &length));
    TEXT(asdf_datatype_name(datatype, buffer, capacity, &needed));
    ok(asdf_datatype_field_count(datatype, &count));
    for (int64_t index = -1; index <= count && index < 5; index++) {
        int64_t shape[ASDF_MAX_RANK];
        asdf_datatype *field = NULL;
        TEXT(asdf_datatype_field_name(datatype, index, buffer, capacity, &needed));
        ok(asdf_datatype_field_offset(datatype, index, &size));
        ok(asdf_datatype_field_shape(datatype, index, shape, ASDF_MAX_RANK, &rank));
        if (ok(asdf_datatype_field_datatype(datatype, index, &field))) asdf_datatype_free(field);
    }
}

static void ask_view(asdf_array *array, int32_t datatype) {
    asdf_view *view = NULL;
    if (!ok(asdf_array_view(array, datatype, NULL, &view))) return;
    const void *bytes = NULL, *first = NULL;
    size_t size = 0;
    int64_t extents[ASDF_MAX_RANK];
    int32_t rank = 0;
    ok(asdf_view_first_element(view, &first));
    ok(asdf_view_shape(view, extents, ASDF_MAX_RANK, &rank));
    ok(asdf_view_strides(view, extents, ASDF_MAX_RANK, &rank));
    if (ok(asdf_view_bytes(view, &bytes, &size))) {
        unsigned sum = 0;
        for (size_t at = 0; at < size && at < BUFFER; at++) sum += ((const unsigned char *)bytes)[at];
        if (sum == 1) calls++; /* uses the bytes */
    }
    asdf_view_free(view);
}

/* Reads the mask alone, and together with the elements, with and without a fill value. */
static void ask_mask(asdf_array *array, size_t count, int32_t datatype, void *elements, size_t size) {
    const int8_t one = 1;
    asdf_options *options = NULL;
    uint8_t *mask = malloc(count ? count : 1);
    if (!mask) abort();
    ok(asdf_array_read_mask(array, NULL, mask, count));
    if (count > 0 && asdf_array_read_mask(array, NULL, mask, count - 1) == ASDF_OK)
        failed("a buffer is too small for a mask and nobody says so");
    if (!ok(asdf_options_new(&options))) abort();
    ok(asdf_array_read(array, datatype, options, elements, size, mask, count));
    ok(asdf_options_set_fill(options, ASDF_INT8, &one, sizeof one));
    ok(asdf_array_read(array, datatype, options, elements, size, mask, count));
    asdf_options_free(options);
    free(mask);
}

static void ask_array(asdf_array *array) {
    int64_t shape[ASDF_MAX_RANK], zeros[ASDF_MAX_RANK] = {0}, ones[ASDF_MAX_RANK], count = 0, number;
    int32_t rank = 0, datatype = 0, flag;
    size_t size = 0;
    asdf_datatype *handle = NULL;
    ok(asdf_array_shape(array, shape, ASDF_MAX_RANK, &rank));
    ok(asdf_array_datatype(array, &datatype));
    TEXT(asdf_array_datatype_name(array, buffer, capacity, &needed));
    ok(asdf_array_element_count(array, &count));
    ok(asdf_array_byte_order(array, &flag));
    ok(asdf_array_is_inline(array, &flag));
    ok(asdf_array_has_mask(array, &flag));
    ok(asdf_array_block(array, &number));
    if (ok(asdf_array_datatype_handle(array, &handle))) ask_datatype(handle);
    const int32_t targets[] = {0, datatype, ASDF_UINT8, ASDF_FLOAT64, ASDF_COMPLEX128, ASDF_BOOL8};
    for (size_t target = 0; target < sizeof targets / sizeof *targets; target++) {
        unsigned char few[16];
        for (int axis = 0; axis < rank; axis++) ones[axis] = shape[axis] > 0;
        ok(asdf_array_read_region(array, rank, zeros, ones, NULL, targets[target], NULL, few, sizeof few, NULL, 0));
        ask_view(array, targets[target]);
        if (!ok(asdf_array_byte_size(array, targets[target], &size)) || size > BUFFER) continue;
        void *elements = malloc(size ? size : 1);
        if (!elements) abort();
        ok(asdf_array_read(array, targets[target], NULL, elements, size, NULL, 0));
        if (size > 0 && asdf_array_read(array, targets[target], NULL, elements, size - 1, NULL, 0) == ASDF_OK)
            failed("a buffer is too small and nobody says so");
        if (count <= BUFFER) ask_mask(array, (size_t)count, targets[target], elements, size);
        free(elements);
    }
    asdf_datatype_free(handle);
}

static void ask_value(asdf_node *node) {
    int32_t flag;
    int64_t number, line, column;
    uint64_t positive;
    double real, imaginary;
    ok(asdf_node_position(node, "", &number, &line, &column));
    ok(asdf_node_get_bool(node, "", &flag));
    ok(asdf_node_get_i32(node, "", &flag));
    ok(asdf_node_get_i64(node, "", &number));
    ok(asdf_node_get_u64(node, "", &positive));
    ok(asdf_node_get_f64(node, "", &real));
    ok(asdf_node_get_complex(node, "", &real, &imaginary));
    TEXT(asdf_node_path(node, "", buffer, capacity, &needed));
    TEXT(asdf_node_tag(node, "", buffer, capacity, &needed));
    TEXT(asdf_node_reference(node, "", buffer, capacity, &needed));
    TEXT(asdf_node_get_integer(node, "", buffer, capacity, &needed));
    TEXT(asdf_node_get_string(node, "", buffer, capacity, &needed));
    TEXT(asdf_node_get_text(node, "", buffer, capacity, &needed));
    TEXT(asdf_node_get_binary(node, "", buffer, capacity, &needed));
    ok(asdf_node_exists(node, "a/0/~1", &flag));
    ok(asdf_node_kind(node, "", &flag));
    TEXT(asdf_node_get_unit(node, "", buffer, capacity, &needed));
    asdf_buffer *bytes = NULL;
    ok(asdf_node_get_string_buffer(node, "", &bytes));
    asdf_buffer_free(bytes);
}

static void ask_tree(asdf_file *file) {
    asdf_node *nodes[NODES] = {NULL};
    int known = ok(asdf_file_root(file, &nodes[0])) ? 1 : 0;
    for (int current_node = 0; current_node < known; current_node++) {
        asdf_node *node = nodes[current_node];
        int64_t count = 0, identity;
        asdf_array *array = NULL;
        int32_t type = -1;
        ask_value(node);
        ok(asdf_node_type(node, "", &type));
        ok(asdf_node_identity(node, "", &identity));
        if (ok(asdf_node_get_array(node, "", &array))) ask_array(array);
        asdf_array_free(array);
        if (!ok(asdf_node_count(node, "", &count))) continue;
        for (int64_t index = -1; index <= count && index < 30; index++) {
            asdf_node *item = NULL;
            if (type == ASDF_NODE_MAPPING) {
                ok(asdf_node_key_type(node, "", index, &type));
                TEXT(asdf_node_key_string(node, "", index, buffer, capacity, &needed));
                type = ASDF_NODE_MAPPING;
            }
            if (!ok(asdf_node_item(node, "", index, &item))) {
                if (item) failed("a failed call gives out a handle");
            } else if (known < NODES) {
                nodes[known++] = item;
            } else {
                asdf_node_free(item);
            }
        }
    }
    /* Copies the first child into a new file, writes it and reads it again. */
    asdf_file *copy = NULL, *again = NULL;
    asdf_node *root = NULL;
    asdf_buffer *buffer = NULL;
    const void *bytes = NULL;
    size_t size = 0;
    if (known > 1 && ok(asdf_file_new(NULL, &copy)) && ok(asdf_file_root(copy, &root)) &&
        ok(asdf_node_copy(root, "copy", nodes[1], NULL)) && ok(asdf_file_write_memory(copy, NULL, &buffer)) &&
        ok(asdf_buffer_bytes(buffer, &bytes, &size)) && !ok(asdf_file_open_memory(bytes, size, NULL, &again)))
        failed("what was written cannot be read");
    asdf_buffer_free(buffer);
    asdf_file_free(again);
    asdf_file_free(copy);
    asdf_node_free(root);
    while (known > 0) asdf_node_free(nodes[--known]);
}

static void ask_file(asdf_file *file) {
    int64_t count = 0, number, line, column;
    ok(asdf_file_check_blocks(file));
    ok(asdf_file_block_count(file, &count));
    for (int64_t index = -1; index <= count && index < 8; index++) {
        int32_t outcome;
        int64_t size = 0;
        unsigned char checksum[16];
        TEXT(asdf_file_block_compression(file, index, buffer, capacity, &needed));
        ok(asdf_file_block_offset(file, index, &number));
        ok(asdf_file_block_payload_offset(file, index, &number));
        ok(asdf_file_block_allocated_size(file, index, &number));
        ok(asdf_file_block_stored_size(file, index, &number));
        ok(asdf_file_block_checksum(file, index, checksum, sizeof checksum));
        ok(asdf_file_block_is_streamed(file, index, &outcome));
        ok(asdf_file_verify_block(file, index, NULL, &outcome));
        if (!ok(asdf_file_block_decoded_size(file, index, &size)) || size > BUFFER) continue;
        void *bytes = malloc(size ? (size_t)size : 1);
        if (!bytes) abort();
        ok(asdf_file_read_block(file, index, NULL, bytes, (size_t)size));
        ok(asdf_file_read_block_stored(file, index, NULL, bytes, (size_t)size));
        free(bytes);
    }
    ok(asdf_file_verify(file, NULL, &number, &line, &column));
    ask_tree(file);
    asdf_report *found = NULL;
    if (ok(asdf_file_report(file, &found))) {
        asdf_buffer *json = NULL;
        ok(asdf_report_count(found, &count, NULL));
        for (int64_t index = 0; index <= count && index < 5; index++) {
            TEXT(asdf_report_text(found, index, ASDF_REPORT_ENTRY, buffer, capacity, &needed));
            ok(asdf_report_int(found, index, ASDF_REPORT_OFFSET, &number));
        }
        if (ok(asdf_report_json(found, &json))) asdf_buffer_free(json);
        asdf_report_free(found);
    }
    TEXT(asdf_file_standard(file, buffer, capacity, &needed));
    TEXT(asdf_file_declared_standard(file, buffer, capacity, &needed));
    TEXT(asdf_file_format_version(file, buffer, capacity, &needed));
    ok(asdf_file_close(file));
    ok(asdf_file_block_count(file, &count));
}

static void *ask_all(void *paths) {
    asdf_options *options = NULL;
    if (!ok(asdf_options_new(&options))) abort();
    ok(asdf_options_set_int(options, ASDF_OPTION_ACCESS, ASDF_ACCESS_SAME_DIRECTORY));
    for (char **path = paths; *path; path++) {
        asdf_file *file = NULL;
        current = *path;
        if (ok(asdf_file_open(*path, options, &file))) {
            ask_file(file);
        } else if (file) {
            failed("a failed call gives out a handle");
        }
        asdf_file_free(file);
    }
    asdf_options_free(options);
    return NULL;
}

int main(int count, char **paths) {
    pthread_attr_t attributes;
    pthread_t thread;
    if (pthread_attr_init(&attributes) || pthread_attr_setstacksize(&attributes, STACK) ||
        pthread_create(&thread, &attributes, ask_all, paths + 1) || pthread_join(thread, NULL))
        abort();
    pthread_attr_destroy(&attributes);
    printf("%d files, %ld calls, %ld refused, %ld failed\n", count - 1, calls, refusals, failures);
    return failures != 0;
}
