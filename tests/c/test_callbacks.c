/* The call and the thread that run each callback: always the thread of a running call, never a thread that the library
 * started. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include <pthread.h>

/* Name of the call that runs on this thread; NULL outside of calls and on threads of the library. */
static _Thread_local const char *running;

/* The object behind a callback, and what happened to it. */
struct witness {
    const char *bytes;
    size_t size;
    int reads, ended;
    char inside[64]; /* the function in which it ended */
};

#define IN(call) (running = #call, running_is(call))
static asdf_status running_is(asdf_status status) {
    running = NULL;
    return status;
}
#define FREE(call) (running = #call, (call), running = NULL)

/* A callback may use handles that do not belong to the call that runs it. */
static void use_the_library(void) {
    const char *outer = running;
    double value = 0;
    asdf_file *file = open_tree("x: 1.5\n");
    asdf_node *root = root_of(file);
    OK(asdf_node_get_f64(root, "x", &value));
    CHECK(value == 1.5);
    asdf_node_free(root);
    asdf_file_free(file);
    running = outer;
}

static asdf_status give(void *user, int64_t offset, void *buffer, size_t size, size_t *got) {
    struct witness *witness = user;
    CHECK(running != NULL);
    if (witness->reads++ == 0) use_the_library();
    memcpy(buffer, witness->bytes + offset, size);
    *got = size;
    return ASDF_OK;
}

static void end(void *user) {
    struct witness *witness = user;
    CHECK(running != NULL);
    use_the_library();
    witness->ended++;
    snprintf(witness->inside, sizeof witness->inside, "%.*s", (int)strcspn(running, "("), running);
}

static asdf_status end_status(void *user) {
    end(user);
    return ASDF_OK;
}

static int ended_in(struct witness *witness, const char *function) {
    if (witness->ended == 1 && strcmp(witness->inside, function) == 0) return 1;
    fprintf(stderr, "ended %d times, at last in '%s'\n", witness->ended, witness->inside);
    return 0;
}

enum { COUNT = 1 << 19 };
static const int64_t shape[] = {COUNT};
static int32_t numbers[COUNT];

/* Returns a file with an array that is compressed in many pieces, which several threads can decode. */
static asdf_buffer *sample(const char *codec) {
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
    asdf_options *options = NULL;
    asdf_buffer *buffer = NULL;
    OK(asdf_options_new(&options));
    OK(set_codec(options, codec, -1));
    OK(asdf_node_set_array(root, "a", ASDF_INT32, 1, shape, numbers, sizeof numbers, options));
    OK(asdf_file_write_memory(file, NULL, &buffer));
    asdf_options_free(options);
    asdf_node_free(root);
    asdf_file_free(file);
    return buffer;
}

static struct witness witness_of(asdf_buffer *buffer) {
    struct witness witness = {0};
    const void *bytes = NULL;
    OK(asdf_buffer_bytes(buffer, &bytes, &witness.size));
    witness.bytes = bytes;
    return witness;
}

static asdf_options *on_threads(int64_t threads) {
    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_THREADS, threads));
    return options;
}

/* The last handle that depends on a source closes it, whichever handle that is. */
static void sources(void) {
    static const char *const last[] = {"asdf_file_free", "asdf_node_free", "asdf_array_free"};
    asdf_buffer *buffer = sample(NULL);
    for (int i = 0; i < 3; i++) {
        struct witness source = witness_of(buffer);
        asdf_file *file = NULL;
        asdf_node *root = NULL;
        asdf_array *array = NULL;
        OK(IN(asdf_file_open_source(give, end_status, &source, (int64_t)source.size, NULL, &file)));
        OK(IN(asdf_file_root(file, &root)));
        OK(IN(asdf_node_get_array(root, "a", &array)));
        for (int each = 0; each < 3; each++) {
            CHECK(source.ended == 0);
            /* Free the handle under test last. */
            int which = (i + 1 + each) % 3;
            if (which == 0) FREE(asdf_file_free(file));
            if (which == 1) FREE(asdf_node_free(root));
            if (which == 2) FREE(asdf_array_free(array));
        }
        CHECK(ended_in(&source, last[i]));
    }

    struct witness source = witness_of(buffer);
    asdf_file *file = NULL;
    OK(IN(asdf_file_open_source(give, end_status, &source, (int64_t)source.size, NULL, &file)));
    OK(IN(asdf_file_close(file)));
    CHECK(ended_in(&source, "asdf_file_close"));
    FREE(asdf_file_free(file));
    CHECK(source.ended == 1);
    asdf_buffer_free(buffer);
}

/* A table can keep the file alive by its metadata. */
static void tables(void) {
    static const double flux[] = {1.5, 2};
    asdf_node *root = NULL, *meta = NULL;
    asdf_file *file = new_file(&root);
    asdf_table *table = NULL;
    asdf_buffer *buffer = NULL;
    OK(asdf_node_set_i64(root, "meta/x", 1));
    OK(asdf_node_get(root, "meta", &meta));
    OK(asdf_table_new(2, &table));
    OK(asdf_table_add_column(table, "flux", ASDF_FLOAT64, 0, NULL, flux, sizeof flux, NULL, 0, NULL));
    OK(asdf_table_set_meta(table, meta));
    OK(asdf_node_set_table(root, "t", table, NULL));
    OK(asdf_file_write_memory(file, NULL, &buffer));
    asdf_table_free(table);
    asdf_node_free(meta);
    asdf_node_free(root);
    asdf_file_free(file);

    struct witness source = witness_of(buffer);
    OK(IN(asdf_file_open_source(give, end_status, &source, (int64_t)source.size, NULL, &file)));
    OK(IN(asdf_file_root(file, &root)));
    OK(IN(asdf_node_get_table(root, "t", NULL, &table)));
    FREE(asdf_node_free(root));
    FREE(asdf_file_free(file));
    CHECK(source.ended == 0);
    FREE(asdf_table_free(table));
    CHECK(ended_in(&source, "asdf_table_free"));
    asdf_buffer_free(buffer);
}

/* Sources are read on the calling thread, even if other threads decode. */
static void threads_that_decode(void) {
    static const char *const codecs[] = {NULL, "zlib", "bzp2", "lz4", "blsc"};
    static int32_t found[COUNT];
    asdf_options *four = on_threads(4);
    for (int i = 0; i < 5; i++) {
        asdf_buffer *buffer = sample(codecs[i]);
        struct witness source = witness_of(buffer);
        asdf_file *file = NULL;
        asdf_node *root = NULL;
        asdf_array *array = NULL;
        int64_t start[] = {1000}, count[] = {2 * COUNT / 3};
        OK(IN(asdf_file_open_source(give, end_status, &source, (int64_t)source.size, four, &file)));
        OK(IN(asdf_file_root(file, &root)));
        OK(IN(asdf_node_get_array(root, "a", &array)));
        OK(IN(asdf_array_read_region(array, 1, start, count, NULL, ASDF_INT32, four, found, sizeof found, NULL, 0)));
        CHECK(found[5] == numbers[1005]);
        OK(IN(asdf_array_read(array, ASDF_INT32, four, found, sizeof found, NULL, 0)));
        CHECK(memcmp(found, numbers, sizeof found) == 0);
        OK(IN(asdf_file_verify(file, four, NULL, NULL, NULL)));
        FREE(asdf_array_free(array));
        FREE(asdf_node_free(root));
        FREE(asdf_file_free(file));
        CHECK(ended_in(&source, "asdf_file_free"));
        asdf_buffer_free(buffer);
    }
    asdf_options_free(four);
}

/* Elements of an array and text of a table are read on the calling thread, too. */
static void threads_that_convert(void) {
    static const char head[] = "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: a, datatype: int64}\na\n";
    enum { ROWS = 600000 };
    asdf_options *four = on_threads(4);
    size_t size = sizeof head + 8 * ROWS;
    char *text = malloc(size), *at = text + sizeof head - 1;
    if (!text) exit(1);
    memcpy(text, head, sizeof head);
    for (int row = 0; row < ROWS; row++) at += snprintf(at, size - (size_t)(at - text), "%d\n", row);
    struct witness source = {text, (size_t)(at - text), 0, 0, ""};
    asdf_table_reader *reader = NULL;
    asdf_table *table = NULL;
    int64_t next = 0, value = -1, rows = 0;
    OK(IN(asdf_table_reader_open_source(give, end_status, &source, (int64_t)source.size, four, &reader)));
    for (;;) {
        OK(IN(asdf_table_reader_next(reader, &table)));
        if (!table) break;
        OK(asdf_table_row_count(table, &rows));
        OK(asdf_table_read_column(table, "a", rows - 1, 1, ASDF_INT64, NULL, &value, 8, NULL, 0));
        CHECK(value == next + rows - 1);
        next += rows;
        asdf_table_free(table);
    }
    CHECK(next == ROWS && source.reads > 4 && source.ended == 0);
    FREE(asdf_table_reader_free(reader));
    CHECK(ended_in(&source, "asdf_table_reader_free"));
    free(text);

    static const char *const codecs[] = {NULL, "zlib", "lz4"};
    for (int i = 0; i < 3; i++) {
        struct witness elements = {(const char *)numbers, sizeof numbers, 0, 0, ""};
        asdf_node *root = NULL;
        asdf_file *file = new_file(&root);
        asdf_options *options = on_threads(4);
        asdf_buffer *buffer = NULL;
        OK(set_codec(options, codecs[i], -1));
        OK(IN(asdf_node_set_array_callback(root, "a", ASDF_INT32, 1, shape, give, end_status, &elements, options)));
        OK(IN(asdf_file_write_memory(file, four, &buffer)));
        CHECK(elements.reads > 1 && elements.ended == 0);
        OK(IN(asdf_node_set_i64(root, "a", 1)));
        asdf_buffer_free(buffer);
        CHECK(elements.ended == 0);
        OK(IN(asdf_file_write_memory(file, four, &buffer)));
        CHECK(ended_in(&elements, "asdf_file_write_memory"));
        asdf_buffer_free(buffer);
        asdf_options_free(options);
        asdf_node_free(root);
        asdf_file_free(file);
    }
    asdf_options_free(four);
}

/* Lent memory is released by the call that ends its last use. */
static void lent_memory(void) {
    static const char *const last[] = {"asdf_file_free", "asdf_array_free", "asdf_view_free"};
    asdf_buffer *buffer = sample(NULL);
    for (int i = 0; i < 3; i++) {
        struct witness memory = witness_of(buffer);
        asdf_file *file = NULL;
        asdf_node *root = NULL;
        asdf_array *array = NULL;
        asdf_view *view = NULL;
        OK(IN(asdf_file_open_borrowed(memory.bytes, memory.size, end, &memory, NULL, &file)));
        OK(asdf_file_root(file, &root));
        OK(asdf_node_get_array(root, "a", &array));
        OK(asdf_array_view(array, ASDF_INT32, NULL, &view));
        asdf_node_free(root);
        for (int each = 0; each < 3; each++) {
            CHECK(memory.ended == 0);
            int which = (i + 1 + each) % 3;
            if (which == 0) FREE(asdf_file_free(file));
            if (which == 1) FREE(asdf_array_free(array));
            if (which == 2) FREE(asdf_view_free(view));
        }
        CHECK(ended_in(&memory, last[i]));
    }

    struct witness memory = witness_of(buffer);
    asdf_file *file = NULL;
    OK(IN(asdf_file_open_borrowed(memory.bytes, memory.size, end, &memory, NULL, &file)));
    OK(IN(asdf_file_close(file)));
    CHECK(ended_in(&memory, "asdf_file_close"));
    asdf_file_free(file);
    asdf_buffer_free(buffer);

    /* Lent elements of an array that is replaced, removed, saved, closed, or freed with its file. */
    static const char *const ways[] = {"asdf_file_save", "asdf_file_save", "asdf_file_save", "asdf_file_close",
                                       "asdf_node_free"};
    for (int i = 0; i < 5; i++) {
        struct witness elements = {0};
        char name[] = "lent0.asdf";
        asdf_node *root = NULL;
        name[4] = (char)('0' + i);
        file = new_file(&root);
        OK(asdf_file_write(file, name, NULL));
        asdf_node_free(root);
        asdf_file_free(file);
        OK(asdf_file_open_for_update(name, NULL, &file));
        root = root_of(file);
        OK(IN(asdf_node_set_array_borrowed(root, "a", ASDF_INT32, 1, shape, numbers, sizeof numbers, end, &elements,
                                           NULL)));
        if (i == 0) OK(IN(asdf_node_set_null(root, "a")));
        if (i == 1) OK(IN(asdf_node_remove(root, "a")));
        CHECK(elements.ended == 0);
        if (i <= 2) OK(IN(asdf_file_save(file, NULL)));
        if (i == 3) OK(IN(asdf_file_close(file)));
        FREE(asdf_file_free(file));
        FREE(asdf_node_free(root));
        CHECK(ended_in(&elements, ways[i]));
    }
}

static struct witness far;

static asdf_status find(void *user, const char *uri, asdf_read_callback *read, asdf_close_callback *close,
                        void **source, int64_t *length) {
    (void)uri;
    CHECK(running != NULL);
    ((struct witness *)user)->reads++;
    use_the_library();
    *read = give;
    *close = end_status;
    *source = &far;
    *length = (int64_t)far.size;
    return ASDF_OK;
}

/* A resolver ends with the last of the options and files that use it, a source that it gave with the first file. */
static void resolvers(void) {
    static const char *const last[] = {"asdf_options_free", "asdf_file_free", "asdf_options_unset"};
    static const char yaml[] = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n"
                               "--- !core/asdf-1.1.0\na: {$ref: 'other.asdf#/x'}\n...\n";
    static const char other[] = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n"
                                "--- !core/asdf-1.1.0\nx: 7\n...\n";
    for (int i = 0; i < 3; i++) {
        struct witness resolver = {0};
        far = (struct witness){other, sizeof other - 1, 0, 0, ""};
        asdf_options *options = NULL;
        asdf_file *file = NULL;
        int64_t value = 0;
        OK(asdf_options_new(&options));
        OK(asdf_options_set_resolver(options, find, end_status, &resolver));
        OK(IN(asdf_file_open_memory(yaml, sizeof yaml - 1, options, &file)));
        if (i == 1) FREE(asdf_options_free(options));
        asdf_node *root = root_of(file);
        OK(IN(asdf_node_get_i64(root, "a", &value)));
        CHECK(value == 7 && resolver.reads == 1 && far.ended == 0);
        asdf_node_free(root);
        CHECK(resolver.ended == 0);
        FREE(asdf_file_free(file));
        CHECK(ended_in(&far, "asdf_file_free"));
        if (i == 2) OK(IN(asdf_options_unset(options, ASDF_OPTION_RESOLVER)));
        if (i != 1) FREE(asdf_options_free(options));
        CHECK(ended_in(&resolver, last[i]));
    }
}

static asdf_status copy(void *user, const void *from, size_t from_size, void *out, size_t room, size_t *made) {
    struct witness *codec = user;
    CHECK(running != NULL);
    if (codec->reads++ == 0) use_the_library();
    *made = from_size;
    if (from_size > room) return ASDF_ERR_CORRUPT;
    memcpy(out, from, from_size);
    return ASDF_OK;
}

/* A codec works on the calling thread, and is closed with the last handle that uses it. */
static void codecs(void) {
    static int32_t found[COUNT];
    struct witness state = {0};
    asdf_codec *codec = NULL;
    asdf_options *four = on_threads(4);
    asdf_node *root = NULL;
    asdf_array *array = NULL;
    asdf_file *file = new_file(&root), *again = NULL;
    asdf_buffer *buffer = NULL;
    OK(asdf_codec_new("copy", copy, copy, end_status, &state, &codec));
    OK(asdf_options_add_codec(four, codec));
    OK(IN(asdf_node_set_array(root, "a", ASDF_INT32, 1, shape, numbers, sizeof numbers, four)));
    OK(asdf_node_set_array(root, "b", ASDF_INT32, 1, shape, numbers, sizeof numbers, four));
    OK(asdf_options_unset(four, ASDF_OPTION_CUSTOM_CODECS));
    OK(IN(asdf_file_write_memory(file, four, &buffer)));
    CHECK(state.reads == 2);
    asdf_node_free(root);
    asdf_file_free(file);
    struct witness bytes = witness_of(buffer);
    OK(asdf_options_add_codec(four, codec));
    FREE(asdf_codec_free(codec));
    OK(IN(asdf_file_open_memory(bytes.bytes, bytes.size, four, &again)));
    FREE(asdf_options_free(four));
    four = on_threads(4);
    root = root_of(again);
    OK(asdf_node_get_array(root, "b", &array));
    OK(IN(asdf_array_read(array, ASDF_INT32, four, found, sizeof found, NULL, 0)));
    CHECK(memcmp(found, numbers, sizeof found) == 0 && state.reads == 3 && state.ended == 0);
    FREE(asdf_file_free(again));
    FREE(asdf_node_free(root));
    FREE(asdf_array_free(array));
    CHECK(ended_in(&state, "asdf_array_free"));
    asdf_options_free(four);
    asdf_buffer_free(buffer);
}

static void *free_elsewhere(void *file) {
    FREE(asdf_file_free(file));
    return NULL;
}

/* A source is closed on the thread that frees the last handle. */
static void other_threads(void) {
    asdf_buffer *buffer = sample(NULL);
    struct witness source = witness_of(buffer);
    asdf_file *file = NULL;
    pthread_t thread;
    OK(IN(asdf_file_open_source(give, end_status, &source, (int64_t)source.size, NULL, &file)));
    if (pthread_create(&thread, NULL, free_elsewhere, file)) exit(1);
    pthread_join(thread, NULL);
    CHECK(ended_in(&source, "asdf_file_free"));
    asdf_buffer_free(buffer);
}

int main(void) {
    for (int32_t i = 0; i < COUNT; i++) numbers[i] = i * 7 % 1001;
    sources();
    tables();
    threads_that_decode();
    threads_that_convert();
    lent_memory();
    resolvers();
    codecs();
    other_threads();
    return report();
}
