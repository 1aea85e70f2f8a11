/* Each operation begins with a file of its own, and undisturbed it always leaves the same bytes. */
#include "operations.h"
#include "trace.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
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

static asdf_options *save_options(int32_t durable) {
    asdf_options *options = NULL;
    must(asdf_options_new(&options));
    must(asdf_options_set_int(options, ASDF_OPTION_DURABLE, durable));
    return options;
}

/* Returns options for calls that write a file by name and replace the old one. */
static asdf_options *write_options(int32_t durable) {
    asdf_options *options = save_options(durable);
    must(asdf_options_set_int(options, ASDF_OPTION_REPLACE, 1));
    return options;
}

static void set_array(asdf_node *root, const char *path, int32_t first, const char *codec) {
    static int32_t elements[ROWS * COLUMNS];
    const int64_t shape[2] = {ROWS, COLUMNS};
    asdf_options *options = NULL;
    for (int32_t i = 0; i < ROWS * COLUMNS; i++) elements[i] = first + i;
    must(asdf_options_new(&options));
    must(asdf_options_set_text(options, ASDF_OPTION_CODEC, codec, codec ? strlen(codec) : 0));
    must(asdf_node_set_array(root, path, ASDF_INT32, 2, shape, elements, sizeof elements, options));
    asdf_options_free(options);
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

static void write_and_free(asdf_file *made, const char *path, asdf_options *options) {
    must(asdf_file_write(made, path, options));
    asdf_options_free(options);
    asdf_file_free(made);
}

static void old_file(void) {
    write_and_free(make("Böhm", 1000), NAME, write_options(0));
}

/* Makes a FITS file with the ASDF file in its last HDU. The array "plain" is an image. */
static void old_fits(void) {
    asdf_options *options = write_options(0);
    must(asdf_options_set_int(options, ASDF_OPTION_CONTAINER, ASDF_CONTAINER_FITS));
    write_and_free(make("Böhm", 1000), NAME, options);
}

static void open_for_update(void) {
    must(asdf_file_open_for_update(NAME, NULL, &file));
}

static void prepare_write(void) {
    file = make("a new name that is longer than the old one", 50000);
}

static asdf_status run_to_name(asdf_status (*call)(const asdf_file *, const char *, const asdf_options *),
                               int32_t durable) {
    asdf_options *options = write_options(durable);
    asdf_status status = call(file, NAME, options);
    asdf_options_free(options);
    return status;
}

static asdf_status run_on_itself(asdf_status (*call)(asdf_file *, const asdf_options *), int32_t mode,
                                 int32_t durable) {
    asdf_options *options = save_options(durable);
    must(asdf_options_set_int(options, ASDF_OPTION_SAVE_MODE, mode));
    asdf_status status = call(file, options);
    asdf_options_free(options);
    return status;
}

static asdf_status run_write(int32_t durable) {
    return run_to_name(asdf_file_write, durable);
}

static asdf_status run_save(int32_t durable) {
    return run_on_itself(asdf_file_save, ASDF_SAVE_WHOLE, durable);
}

/* Changes the text, removes an array, and adds others. */
static void prepare_much(void) {
    open_for_update();
    asdf_node *root = root_of(file);
    set_string(root, "name", "Erwin");
    must(asdf_node_remove(root, "plain"));
    set_array(root, "more", 9000, NULL);
    set_array(root, "packed", 800, "lz4");
    asdf_node_free(root);
}

static asdf_status run_in_place(int32_t durable) {
    return run_on_itself(asdf_file_save, ASDF_SAVE_IN_PLACE, durable);
}

/* The text becomes longer than the room, and there are new blocks. */
static void prepare_long_text(void) {
    static char text[7000];
    memset(text, 'x', sizeof text - 1);
    open_for_update();
    asdf_node *root = root_of(file);
    set_string(root, "name", text);
    set_array(root, "more", 9000, NULL);
    asdf_node_free(root);
}

/* Makes a file without a block index. */
static void old_without_index(void) {
    asdf_options *options = write_options(0);
    must(asdf_options_set_int(options, ASDF_OPTION_BLOCK_INDEX, 0));
    write_and_free(make("Böhm", 1000), NAME, options);
}

/* Writes a file of this text and the bytes after it. */
static void put(const char *text, size_t size) {
    FILE *stream = fopen(NAME, "wb");
    if (!stream || fwrite(text, 1, size, stream) != size || fclose(stream)) abort();
}

/* Makes a file whose only block is streamed, so it ends with the file. */
static void old_streamed(void) {
    static const char text[] =
        "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n"
        "--- !core/asdf-1.1.0\nname: B\nplain: !core/ndarray-1.1.0 {source: -1, datatype: uint8, "
        "byteorder: little, shape: ['*', 4]}\n...\n";
    static const unsigned char header[10] = {0xd3, 'B', 'L', 'K', 0, 48, 0, 0, 0, 1};
    static char whole[4096 + 6 + 48 + 3000];
    memset(whole, 'x', sizeof whole);
    memset(whole, 0, 4096 + 6 + 48);
    memcpy(whole, text, sizeof text - 1);
    memcpy(whole + 4096, header, sizeof header);
    put(whole, sizeof whole);
}

static void old_without_blocks(void) {
    static const char text[] = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n"
                               "--- !core/asdf-1.1.0\n# who it was\nname: B\n...\n";
    put(text, sizeof text - 1);
}

/* Changes one scalar. */
static void prepare_scalar(void) {
    open_for_update();
    asdf_node *root = root_of(file);
    set_string(root, "name", "Erwin Finlay-Freundlich");
    asdf_node_free(root);
}

/* Makes the tree shorter. */
static void prepare_shorter(void) {
    open_for_update();
    asdf_node *root = root_of(file);
    must(asdf_node_remove(root, "filters"));
    asdf_node_free(root);
}

/* Adds arrays after the last block. */
static void prepare_arrays(void) {
    open_for_update();
    asdf_node *root = root_of(file);
    set_array(root, "more", 9000, NULL);
    set_array(root, "packed more", 800, "lz4");
    asdf_node_free(root);
}

/* Saves, and prepares a second save. */
static void prepare_again(void) {
    prepare_arrays();
    must(run_in_place(1));
    asdf_node *root = root_of(file);
    set_string(root, "name", "Erwin");
    set_array(root, "still more", 4000, NULL);
    asdf_node_free(root);
}

static void save_in_place(void) {
    run_in_place(1);
}

static void unreachable(void) {
    abort();
}

/* Makes a file with a save that was killed in the middle. */
static void old_interrupted(void) {
    old_file();
    struct plan kill = {.action = KILL_BEFORE, .calls = 1U << CALL_SYNC, .number = 3};
    trace(&kill, prepare_arrays, save_in_place, unreachable, NULL);
}

static void prepare_same_length(void) {
    open_for_update();
    asdf_node *root = root_of(file);
    set_string(root, "name", "Bohr!");
    asdf_node_free(root);
}

/* Makes a file with a save that was killed at its end. */
static void old_nearly_saved(void) {
    old_file();
    struct plan kill = {.action = KILL_BEFORE, .calls = 1U << CALL_UNLINK, .number = 1};
    trace(&kill, prepare_same_length, save_in_place, unreachable, NULL);
}

/* Prepares a new file with the bytes that the interrupted save has written. */
static void prepare_write_same(void) {
    file = make("Böhm", 1000);
    asdf_node *root = root_of(file);
    set_string(root, "name", "Bohr!");
    asdf_node_free(root);
}

/* Opens the interrupted file and saves it. */
static asdf_status run_all(int32_t durable) {
    if (file) asdf_file_free(file);
    file = NULL;
    asdf_status status = asdf_file_open_for_update(NAME, NULL, &file);
    if (status != ASDF_OK) return status;
    asdf_node *root = root_of(file);
    set_string(root, "name", "Erwin");
    asdf_node_free(root);
    return run_in_place(durable);
}

static void prepare_nothing(void) {}

/* Pushes rows into a new file of this name; the stream can be repeated from its start. */
static asdf_status stream_rows(int32_t storage, const char *codec, int32_t durable) {
    static int32_t rows[ROWS][COLUMNS];
    const int64_t shape[1] = {COLUMNS};
    asdf_stream *stream = NULL;
    asdf_options *options = write_options(durable);
    must(asdf_options_set_int(options, ASDF_OPTION_STORAGE, storage));
    must(asdf_options_set_text(options, ASDF_OPTION_CODEC, codec, codec ? strlen(codec) : 0));
    asdf_status status = asdf_stream_create(file, NAME, "rows", ASDF_INT32, 1, shape, options, &stream);
    for (int32_t part = 0; part < 5 && status == ASDF_OK; part++) {
        for (int32_t i = 0; i < ROWS * COLUMNS; i++) rows[i / COLUMNS][i % COLUMNS] = part * 100000 + i;
        status = asdf_stream_push(stream, ROWS, rows, sizeof rows);
    }
    if (status == ASDF_OK) status = asdf_stream_finish(stream);
    asdf_stream_free(stream);
    asdf_options_free(options);
    return status;
}

static asdf_status run_stream(int32_t durable) {
    return stream_rows(ASDF_STORAGE_INTERNAL, NULL, durable);
}

static asdf_status run_packed_stream(int32_t durable) {
    return stream_rows(ASDF_STORAGE_INTERNAL, "zlib", durable);
}

static asdf_status run_streamed(int32_t durable) {
    return stream_rows(ASDF_STORAGE_STREAMED, NULL, durable);
}

static asdf_status run_external_stream(int32_t durable) {
    return stream_rows(ASDF_STORAGE_EXTERNAL, NULL, durable);
}

static void open_other(const char *path) {
    asdf_options *options = NULL;
    must(asdf_options_new(&options));
    must(asdf_options_set_int(options, ASDF_OPTION_ACCESS, ASDF_ACCESS_SAME_DIRECTORY));
    must(asdf_file_open(path, options, &file));
    asdf_options_free(options);
}

static asdf_array *array;

static void prepare_regions(void) {
    open_for_update();
    asdf_node *root = root_of(file);
    must(asdf_node_get_array(root, "plain", &array));
    asdf_node_free(root);
}

/* Overwrites two regions in place, and saves. */
static asdf_status run_regions(int32_t durable) {
    static int32_t elements[10][COLUMNS];
    const int64_t first[2] = {3, 0}, second[2] = {20, 10}, counts[2] = {10, COLUMNS}, fewer[2] = {5, 20};
    asdf_options *options = save_options(durable);
    for (int32_t i = 0; i < 10 * COLUMNS; i++) elements[i / COLUMNS][i % COLUMNS] = -i;
    asdf_status status =
        asdf_array_write_region(array, 2, first, counts, NULL, ASDF_INT32, elements, sizeof elements, NULL);
    if (status == ASDF_OK)
        status = asdf_array_write_region(array, 2, second, fewer, NULL, ASDF_INT32, elements,
                                         5 * 20 * sizeof **elements, NULL);
    if (status == ASDF_OK) status = asdf_file_save(file, options);
    asdf_options_free(options);
    return status;
}

/* Makes a file with a long tree, in which a change in the middle is far from both ends. */
static void old_with_long_tree(void) {
    static char text[70001];
    memset(text, 'x', sizeof text - 1);
    asdf_file *made = make("Böhm", 1000);
    asdf_node *root = root_of(made);
    set_string(root, "long", text);
    set_string(root, "middle", "old");
    set_string(root, "longer", text);
    asdf_node_free(root);
    write_and_free(made, NAME, write_options(0));
}

static void prepare_regions_and_text(void) {
    prepare_regions();
    asdf_node *root = root_of(file);
    set_string(root, "middle", "new");
    asdf_node_free(root);
}

/* Makes a file under another name, beside the one that is overwritten. */
static void old_beside(void) {
    write_and_free(make("a name", 70000), "other.asdf", write_options(0));
    old_file();
}

static void prepare_explode(void) {
    open_other("other.asdf");
}

static asdf_status run_explode(int32_t durable) {
    return run_to_name(asdf_file_explode, durable);
}

static void old_exploded(void) {
    old_beside();
    open_other("other.asdf");
    asdf_options *options = write_options(0);
    must(asdf_file_explode(file, "exploded.asdf", options));
    asdf_options_free(options);
    asdf_file_free(file);
}

static void prepare_implode(void) {
    open_other("exploded.asdf");
}

static asdf_status run_implode(int32_t durable) {
    return run_to_name(asdf_file_implode, durable);
}

/* Adds an array in a separate file. */
static void prepare_external(void) {
    const int64_t shape[1] = {3000};
    static uint8_t elements[3000];
    asdf_options *options = NULL;
    open_for_update();
    asdf_node *root = root_of(file);
    must(asdf_options_new(&options));
    must(asdf_options_set_int(options, ASDF_OPTION_STORAGE, ASDF_STORAGE_EXTERNAL));
    must(asdf_node_set_array(root, "apart", ASDF_UINT8, 1, shape, elements, sizeof elements, options));
    asdf_options_free(options);
    asdf_node_free(root);
}

/* Makes a file with a block that no array names. */
static void old_with_unused(void) {
    old_file();
    open_for_update();
    asdf_node *root = root_of(file);
    must(asdf_node_remove(root, "plain"));
    asdf_node_free(root);
    must(run_save(0));
    asdf_file_free(file);
}

static asdf_status run_compact(int32_t durable) {
    return run_on_itself(asdf_file_compact, ASDF_SAVE_AUTO, durable);
}

/* Makes a file whose index does not match its blocks. */
static void old_with_bad_index(void) {
    old_file();
    FILE *stream = fopen(NAME, "r+b");
    if (!stream || fseek(stream, -12, SEEK_END) || fwrite("9", 1, 1, stream) != 1 || fclose(stream)) abort();
}

static asdf_status run_repair(int32_t durable) {
    asdf_options *options = save_options(durable);
    asdf_status status = asdf_file_repair(file, ASDF_REPAIR_INDEX, options, NULL, NULL);
    asdf_options_free(options);
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

const struct operation careless = {"careless", IN_PLACE, 0, 1, old_file, prepare_write, run_careless};

asdf_status save_whole(void) {
    return run_save(0);
}

asdf_status save_later(void) {
    asdf_file *again = NULL;
    asdf_node *root = NULL;
    asdf_options *options = save_options(0);
    asdf_status status = asdf_file_open_for_update(NAME, NULL, &again);
    if (status == ASDF_OK) status = asdf_file_root(again, &root);
    if (status == ASDF_OK) status = asdf_node_set_string(root, "later", "x", 1);
    if (status == ASDF_OK) status = asdf_file_save(again, options);
    asdf_node_free(root);
    asdf_file_free(again);
    asdf_options_free(options);
    return status;
}

/* Appends twenty rows that begin with this number to the array `rows`, and saves. */
static asdf_status append_rows(int32_t first, int32_t durable) {
    int32_t step[20 * COLUMNS];
    asdf_array *rows = NULL;
    asdf_node *root = root_of(file);
    for (int32_t i = 0; i < 20 * COLUMNS; i++) step[i] = first + i;
    asdf_options *options = save_options(durable);
    asdf_status status = asdf_node_get_array(root, "rows", &rows);
    if (status == ASDF_OK) status = asdf_array_append(rows, 20, ASDF_INT32, step, sizeof step, NULL);
    if (status == ASDF_OK) status = asdf_file_save(file, options);
    asdf_options_free(options);
    asdf_array_free(rows);
    asdf_node_free(root);
    return status;
}

/* Makes a file with an array that grows, as a process leaves it that is killed after a step. */
static void old_growing(void) {
    asdf_file *made = make("Böhm", 1000);
    asdf_node *root = root_of(made);
    set_array(root, "rows", 3000, NULL);
    asdf_node_free(root);
    write_and_free(made, NAME, write_options(0));
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        open_for_update();
        must(append_rows(100, 0));
        _exit(0);
    }
    int status = -1;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) abort();
}

/* Opens the file, appends a step, saves and closes. */
static asdf_status run_step(int32_t durable) {
    if (file) asdf_file_free(file);
    file = NULL;
    asdf_status status = asdf_file_open_for_update(NAME, NULL, &file);
    if (status != ASDF_OK) return status;
    status = append_rows(200, durable);
    asdf_file_close(file);
    return status;
}

/* Makes a file with a chunked array, whose last chunk has room for more rows. */
static void old_chunked(void) {
    static int32_t elements[ROWS * COLUMNS];
    const int64_t shape[2] = {ROWS, COLUMNS}, chunks[2] = {7, 20};
    asdf_file *made = make("Böhm", 1000);
    asdf_node *root = root_of(made);
    asdf_options *options = NULL;
    must(asdf_options_new(&options));
    must(asdf_options_set_ints(options, ASDF_OPTION_CHUNKS, chunks, 2));
    must(asdf_node_set_array(root, "rows", ASDF_INT32, 2, shape, elements, sizeof elements, options));
    asdf_options_free(options);
    asdf_node_free(root);
    write_and_free(made, NAME, write_options(0));
}

static void prepare_chunks(void) {
    int32_t row[3][COLUMNS] = {{1, 2, 3}};
    asdf_array *rows = NULL;
    open_for_update();
    asdf_node *root = root_of(file);
    must(asdf_node_get_array(root, "rows", &rows));
    must(asdf_array_append(rows, 3, ASDF_INT32, row, sizeof row, NULL));
    asdf_array_free(rows);
    asdf_node_free(root);
}

/* Makes a file with an array in chunks of twenty rows, and room for records. */
static void old_whole_chunks(void) {
    static int32_t elements[40 * COLUMNS];
    const int64_t shape[2] = {40, COLUMNS}, chunks[2] = {20, COLUMNS};
    asdf_file *made = make("Böhm", 1000);
    asdf_node *root = root_of(made);
    asdf_options *options = NULL;
    must(asdf_options_new(&options));
    must(asdf_options_set_ints(options, ASDF_OPTION_CHUNKS, chunks, 2));
    must(asdf_node_set_array(root, "rows", ASDF_INT32, 2, shape, elements, sizeof elements, options));
    asdf_options_free(options);
    asdf_node_free(root);
    options = write_options(0);
    must(asdf_options_set_int(options, ASDF_OPTION_TREE_SLACK, 4096));
    write_and_free(made, NAME, options);
}

/* Appends chunks until a save needs one wait only, and then once more without a save. */
static void prepare_chunk_step(void) {
    static int32_t step[20 * COLUMNS];
    open_for_update();
    for (int32_t number = 0; number < 4; number++) {
        asdf_node *root = root_of(file);
        asdf_array *rows = NULL;
        for (int32_t i = 0; i < 20 * COLUMNS; i++) step[i] = 1000 * number + i;
        must(asdf_node_get_array(root, "rows", &rows));
        must(asdf_array_append(rows, 20, ASDF_INT32, step, sizeof step, NULL));
        asdf_array_free(rows);
        asdf_node_free(root);
        if (number < 3) must(run_in_place(1));
    }
}

/* Saves the last step and closes. */
static asdf_status run_chunk_step(int32_t durable) {
    asdf_status status = run_in_place(durable);
    asdf_file_close(file);
    return status;
}

int begins_prepared(const struct operation *operation) {
    return operation->prepare == prepare_chunk_step;
}

const struct operation operations[] = {
    {"write over", WHOLE, 0, 1, old_file, prepare_write, run_write},
    {"write over, not durable", WHOLE, 0, 0, old_file, prepare_write, run_write},
    {"save", WHOLE, 0, 1, old_file, prepare_much, run_save},
    {"save, not durable", WHOLE, 0, 0, old_file, prepare_much, run_save},
    {"scalar in place", IN_PLACE, 0, 1, old_file, prepare_scalar, run_in_place},
    {"scalar in place, not durable", IN_PLACE, 0, 0, old_file, prepare_scalar, run_in_place},
    {"shorter tree in place", IN_PLACE, 0, 1, old_file, prepare_shorter, run_in_place},
    {"arrays in place", IN_PLACE, 0, 1, old_file, prepare_arrays, run_in_place},
    {"arrays in place, not durable", IN_PLACE, 0, 0, old_file, prepare_arrays, run_in_place},
    {"arrays in place, no index", IN_PLACE, 0, 1, old_without_index, prepare_arrays, run_in_place},
    {"scalar in place, streamed block", IN_PLACE, 0, 1, old_streamed, prepare_scalar, run_in_place},
    {"arrays in place, streamed block", IN_PLACE, 0, 1, old_streamed, prepare_arrays, run_in_place},
    {"tree in place, no blocks", IN_PLACE, 0, 1, old_without_blocks, prepare_scalar, run_in_place},
    {"first arrays in place, no blocks", IN_PLACE, 0, 1, old_without_blocks, prepare_arrays, run_in_place},
    {"longer tree", WHOLE, 0, 1, old_file, prepare_long_text, run_save},
    {"longer tree, not durable", WHOLE, 0, 0, old_file, prepare_long_text, run_save},
    {"in place again", IN_PLACE, 0, 1, old_file, prepare_again, run_in_place},
    {"save what was interrupted", INTERRUPTED, 0, 1, old_interrupted, prepare_nothing, run_all},
    {"write over what was interrupted", INTERRUPTED, 0, 1, old_interrupted, prepare_write, run_write},
    {"write over what was interrupted, the same", INTERRUPTED, 0, 1, old_nearly_saved, prepare_write_same, run_write},
    {"stream", WHOLE, 0, 1, old_file, prepare_write, run_stream},
    {"packed stream", WHOLE, 0, 1, old_file, prepare_write, run_packed_stream},
    {"streamed block", WHOLE, 0, 1, old_file, prepare_write, run_streamed},
    {"external stream", WHOLE, 0, 1, old_file, prepare_write, run_external_stream},
    {"regions", IN_PLACE, 1, 1, old_file, prepare_regions, run_regions},
    {"regions and text", INTERRUPTED, 1, 1, old_with_long_tree, prepare_regions_and_text, run_regions},
    {"appended step", INTERRUPTED, 1, 1, old_growing, prepare_nothing, run_step},
    {"appended chunks", IN_PLACE, 0, 1, old_chunked, prepare_chunks, run_in_place},
    {"appended chunk step", INTERRUPTED, 1, 1, old_whole_chunks, prepare_chunk_step, run_chunk_step},
    {"explode", WHOLE, 0, 1, old_beside, prepare_explode, run_explode},
    {"implode", WHOLE, 0, 1, old_exploded, prepare_implode, run_implode},
    {"external array", WHOLE, 0, 1, old_file, prepare_external, run_save},
    {"external array in place", IN_PLACE, 0, 1, old_file, prepare_external, run_in_place},
    {"scalar in place, FITS", IN_PLACE, 0, 1, old_fits, prepare_scalar, run_in_place},
    {"regions, FITS", IN_PLACE, 1, 1, old_fits, prepare_regions, run_regions},
    {"save, FITS", WHOLE, 0, 1, old_fits, prepare_much, run_save},
    {"repair", WHOLE, 0, 1, old_with_bad_index, open_for_update, run_repair},
    {"compact", WHOLE, 0, 1, old_with_unused, open_for_update, run_compact},
};
const int operation_count = sizeof operations / sizeof *operations;
