/* Each operation begins with a file of its own, and leaves the same bytes whenever it is done undisturbed. */
#include "operations.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS = 40, COLUMNS = 50 };

static asdf_file *file;

static void must(asdf_status status) {
    if (status == ASDF_OK) return;
    char message[300] = "";
    asdf_error_message(message, sizeof message, NULL);
    fprintf(stderr, "an operation cannot be prepared: %s\n", message);
    abort();
}

static asdf_node *root_of(asdf_file *of) {
    asdf_node *root = NULL;
    must(asdf_file_root(of, &root));
    return root;
}

static asdf_write_options *write_options(int32_t durable) {
    asdf_write_options *options = NULL;
    must(asdf_write_options_new(&options));
    must(asdf_write_options_set_durable(options, durable));
    return options;
}

static void set_array(asdf_node *root, const char *path, int32_t first, const char *codec) {
    static int32_t elements[ROWS * COLUMNS];
    const int64_t shape[2] = {ROWS, COLUMNS};
    asdf_array_options *options = NULL;
    for (int32_t i = 0; i < ROWS * COLUMNS; i++) elements[i] = first + i;
    must(asdf_array_options_new(&options));
    must(asdf_array_options_set_compression(options, codec, -1));
    must(asdf_node_set_array(root, path, ASDF_INT32, 2, shape, elements, sizeof elements, options));
    asdf_array_options_free(options);
}

static void set_string(asdf_node *root, const char *path, const char *text) {
    must(asdf_node_set_string(root, path, text, strlen(text)));
}

static asdf_file *make(const char *name, int32_t first) {
    asdf_file *made = NULL;
    must(asdf_file_new(NULL, &made));
    asdf_node *root = root_of(made);
    set_string(root, "name", name);
    set_array(root, "plain", first, NULL);
    set_array(root, "packed", first + 7, "zlib");
    must(asdf_node_set_sequence(root, "filters", 1));
    set_string(root, "filters/-", "F146");
    set_string(root, "filters/-", name);
    asdf_node_free(root);
    return made;
}

static void old_file(void) {
    asdf_file *made = make("Böhm", 1000);
    asdf_write_options *options = write_options(0);
    must(asdf_file_write(made, NAME, options));
    asdf_write_options_free(options);
    asdf_file_free(made);
}

static void open_for_update(void) {
    must(asdf_file_open_for_update(NAME, NULL, &file));
}

static void prepare_write(void) {
    file = make("a new name that is longer than the old one", 50000);
}

static asdf_status run_write(int32_t durable) {
    asdf_write_options *options = write_options(durable);
    asdf_status status = asdf_file_write(file, NAME, options);
    asdf_write_options_free(options);
    return status;
}

static asdf_status run_save(int32_t durable) {
    asdf_write_options *options = write_options(durable);
    asdf_status status = asdf_file_save(file, options);
    asdf_write_options_free(options);
    return status;
}

/* Changes the text, drops an array, and adds others. */
static void prepare_much(void) {
    open_for_update();
    asdf_node *root = root_of(file);
    set_string(root, "name", "Erwin");
    must(asdf_node_remove(root, "plain"));
    set_array(root, "more", 9000, NULL);
    set_array(root, "packed", 800, "lz4");
    asdf_node_free(root);
}

/* A file with a block that nothing names. */
static void old_with_unused(void) {
    old_file();
    open_for_update();
    asdf_node *root = root_of(file);
    must(asdf_node_remove(root, "plain"));
    asdf_node_free(root);
    must(run_save(0));
    asdf_file_free(file);
}

static void with_room(const char *padding, int with_blocks) {
    asdf_file *made = NULL;
    must(asdf_file_new(NULL, &made));
    asdf_node *root = root_of(made);
    set_string(root, "name", padding);
    if (with_blocks) {
        set_array(root, "plain", 1000, NULL);
        set_array(root, "packed", 1007, "zlib");
    }
    asdf_write_options *options = write_options(0);
    must(asdf_file_write(made, NAME, options));
    asdf_write_options_free(options);
    asdf_node_free(root);
    asdf_file_free(made);
}

static void old_with_room(void) {
    with_room("a name", 1);
}

static void old_without_blocks(void) {
    with_room("a name", 0);
}

/* The text changes and fits before the blocks. */
static void prepare_text(void) {
    open_for_update();
    asdf_node *root = root_of(file);
    set_string(root, "name", "another name, which is longer");
    set_string(root, "more", "and more");
    asdf_node_free(root);
}

static void prepare_arrays(void) {
    prepare_text();
    asdf_node *root = root_of(file);
    set_array(root, "third", 70000, NULL);
    set_array(root, "fourth", 80000, "zlib");
    asdf_node_free(root);
}

static asdf_status run_in_place(int32_t durable) {
    asdf_write_options *options = write_options(durable);
    must(asdf_write_options_set_save_mode(options, ASDF_SAVE_IN_PLACE));
    asdf_status status = asdf_file_save(file, options);
    asdf_write_options_free(options);
    return status;
}

static asdf_status run_compact(int32_t durable) {
    asdf_write_options *options = write_options(durable);
    asdf_status status = asdf_file_compact(file, options);
    asdf_write_options_free(options);
    return status;
}

static asdf_status run_careless(int32_t durable) {
    asdf_buffer *buffer = NULL;
    const void *bytes = NULL;
    size_t size = 0;
    must(asdf_file_write_memory(file, NULL, &buffer));
    must(asdf_buffer_bytes(buffer, &bytes, &size));
    int descriptor = open(NAME, O_WRONLY | O_TRUNC);
    size_t half = size / 2;
    int good = descriptor >= 0 && write(descriptor, bytes, half) == (ssize_t)half &&
               write(descriptor, (const char *)bytes + half, size - half) == (ssize_t)(size - half) &&
               (!durable || fsync(descriptor) == 0);
    if (descriptor >= 0) close(descriptor);
    asdf_buffer_free(buffer);
    return good ? ASDF_OK : ASDF_ERR_IO;
}

const struct operation careless = {"careless", 1, 0, 1, old_file, prepare_write, run_careless};

asdf_status save_later(void) {
    asdf_file *again = NULL;
    asdf_node *root = NULL;
    asdf_write_options *options = write_options(0);
    asdf_status status = asdf_file_open_for_update(NAME, NULL, &again);
    if (status == ASDF_OK) status = asdf_file_root(again, &root);
    if (status == ASDF_OK) status = asdf_node_set_string(root, "later", "x", 1);
    if (status == ASDF_OK) status = asdf_file_save(again, options);
    asdf_node_free(root);
    asdf_file_free(again);
    asdf_write_options_free(options);
    return status;
}

const struct operation operations[] = {
    {"write over", 0, 0, 1, old_file, prepare_write, run_write},
    {"write over, not durable", 0, 0, 0, old_file, prepare_write, run_write},
    {"save", 0, 0, 1, old_file, prepare_much, run_save},
    {"save, not durable", 0, 0, 0, old_file, prepare_much, run_save},
    {"save in place", 1, 0, 1, old_with_room, prepare_text, run_in_place},
    {"save in place, not durable", 1, 0, 0, old_with_room, prepare_text, run_in_place},
    {"append in place", 1, 0, 1, old_with_room, prepare_arrays, run_in_place},
    {"append in place, not durable", 1, 0, 0, old_with_room, prepare_arrays, run_in_place},
    {"grow in place", 1, 0, 1, old_without_blocks, prepare_text, run_in_place},
    {"first blocks in place", 1, 0, 1, old_without_blocks, prepare_arrays, run_in_place},
    {"compact", 0, 0, 1, old_with_unused, open_for_update, run_compact},
};
const int operation_count = sizeof operations / sizeof *operations;
