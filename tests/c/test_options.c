/* Options: one handle type for all calls, checked by the setters and by the calls. */
#include "check.h"

static void integers(void) {
    asdf_options *options = NULL;
    int64_t value = 7;
    OK(asdf_options_new(&options));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_options_get_int(options, ASDF_OPTION_THREADS, &value));
    CHECK(value == 7 && message_holds("the option 'threads' (ASDF_OPTION_THREADS) is not set"));
    OK(asdf_options_set_int(options, ASDF_OPTION_THREADS, 4));
    OK(asdf_options_get_int(options, ASDF_OPTION_THREADS, &value));
    CHECK(value == 4);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_THREADS, 0));
    CHECK(message_holds("0 is not allowed for the option 'threads'") && message_holds("1 .. 1024"));
    OK(asdf_options_get_int(options, ASDF_OPTION_THREADS, &value));
    CHECK(value == 4);
    OK(asdf_options_unset(options, ASDF_OPTION_THREADS));
    OK(asdf_options_unset(options, ASDF_OPTION_THREADS));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_options_get_int(options, ASDF_OPTION_THREADS, &value));
    static const struct {
        int32_t key;
        int64_t value;
    } wrong[] = {{ASDF_OPTION_DURABLE, 2},
                 {ASDF_OPTION_DURABLE, -1},
                 {ASDF_OPTION_ALIGNMENT, 0},
                 {ASDF_OPTION_ALIGNMENT, 24},
                 {ASDF_OPTION_ALIGNMENT, 8192},
                 {ASDF_OPTION_ALIGNMENT, INT64_MIN},
                 {ASDF_OPTION_STORAGE, 4},
                 {ASDF_OPTION_SAVE_MODE, -1},
                 {ASDF_OPTION_LIMIT_RANK, 33},
                 {ASDF_OPTION_LIMIT_NODES, 0},
                 {ASDF_OPTION_TREE_SLACK, -1},
                 {ASDF_OPTION_CODEC, 1},
                 {ASDF_OPTION_STRIDES, 1},
                 {ASDF_OPTION_COLUMNS, 1},
                 {ASDF_OPTION_FILL, 1},
                 {ASDF_OPTION_CACHE_BYTES, -1},
                 {ASDF_OPTION_EXTENT, -1},
                 {0, 1},
                 {-1, 1},
                 {INT32_MAX, 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, wrong[i].key, wrong[i].value));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_unset(options, 0));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_get_int(options, 0, &value));
    OK(asdf_options_set_int(options, ASDF_OPTION_ALIGNMENT, 4096));

    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int_at(options, ASDF_OPTION_THREADS, "/a", 1));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int_at(options, ASDF_OPTION_EXTENT, "/a", -1));
    OK(asdf_options_set_int_at(options, ASDF_OPTION_EXTENT, "/a", 1));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_options_get_int(options, ASDF_OPTION_EXTENT, &value));
    OK(asdf_options_set_int(options, ASDF_OPTION_EXTENT, 5));
    OK(asdf_options_get_int(options, ASDF_OPTION_EXTENT, &value));
    CHECK(value == 5);
    asdf_options_free(options);
}

static void lists(void) {
    const int64_t strides[] = {8, -4};
    int64_t found[2] = {0};
    int32_t count = 0;
    size_t length = 0;
    char text[8];
    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_ints(options, ASDF_OPTION_STRIDES, strides, 2));
    OK(asdf_options_get_ints(options, ASDF_OPTION_STRIDES, found, 2, &count));
    CHECK(count == 2 && found[0] == 8 && found[1] == -4);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_options_get_ints(options, ASDF_OPTION_STRIDES, found, 1, &count));
    OK(asdf_options_set_ints(options, ASDF_OPTION_STRIDES, NULL, 0));
    OK(asdf_options_get_ints(options, ASDF_OPTION_STRIDES, NULL, 0, &count));
    CHECK(count == 0);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_ints(options, ASDF_OPTION_THREADS, strides, 1));
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_options_get_text(options, ASDF_OPTION_STRIDES, 0, text, sizeof text, &length));

    OK(asdf_options_set_text(options, ASDF_OPTION_CODEC, "zlib, no", 4));
    OK(asdf_options_get_text(options, ASDF_OPTION_CODEC, 0, text, sizeof text, &length));
    CHECK(length == 4 && !strcmp(text, "zlib"));
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_options_get_text(options, ASDF_OPTION_CODEC, 0, text, 4, &length));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_options_get_text(options, ASDF_OPTION_CODEC, 1, text, sizeof text, &length));
    FAILS(ASDF_ERR_ENCODING, asdf_options_set_text(options, ASDF_OPTION_CODEC, "\xff", 1));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_text(options, ASDF_OPTION_HEADER_FILE, "a\0b", 3));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_text(options, ASDF_OPTION_COLUMNS, "a", 1));
    OK(asdf_options_set_text(options, ASDF_OPTION_HEADER_FILE, "\xff", 1)); /* a name of the system */
    OK(asdf_options_get_text(options, ASDF_OPTION_HEADER_FILE, 0, text, sizeof text, &length));
    CHECK(length == 1 && text[0] == '\xff');

    OK(asdf_options_add_text(options, ASDF_OPTION_COLUMNS, "a", 1));
    OK(asdf_options_add_text(options, ASDF_OPTION_COLUMNS, "b", 1));
    OK(asdf_options_get_text(options, ASDF_OPTION_COLUMNS, 1, text, sizeof text, NULL));
    CHECK(!strcmp(text, "b"));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_options_get_text(options, ASDF_OPTION_COLUMNS, 2, text, sizeof text, NULL));
    OK(asdf_options_add_text(options, ASDF_OPTION_COLUMNS, NULL, 0));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_options_get_text(options, ASDF_OPTION_COLUMNS, 0, text, sizeof text, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_add_text(options, ASDF_OPTION_CODEC, "a", 1));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_options_get_text(options, ASDF_OPTION_NULL_VALUES, 0, text, sizeof text, NULL));
    asdf_options_free(options);
}

static void copies(void) {
    int64_t value = 0;
    asdf_options *options = NULL, *copy = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_THREADS, 2));
    OK(asdf_options_copy(options, &copy));
    OK(asdf_options_set_int(options, ASDF_OPTION_THREADS, 3));
    asdf_options_free(options);
    OK(asdf_options_get_int(copy, ASDF_OPTION_THREADS, &value));
    CHECK(value == 2);
    asdf_options_free(copy);
}

/* A call refuses options that it does not know, and options that exclude each other. */
static void calls(void) {
    asdf_options *options = NULL;
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    asdf_table *table = NULL;
    const int64_t four = 4;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_LIMIT_DEPTH, 5));
    OK(asdf_options_set_int(options, ASDF_OPTION_THREADS, 2));
    OK(asdf_file_new(options, &file));
    OK(asdf_file_root(file, &root));
    OK(asdf_node_set_array(root, "a", ASDF_UINT8, 1, &four, "abcd", 4, options));
    OK(asdf_options_set_int(options, ASDF_OPTION_MAPPED, 1));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_array(root, "a", ASDF_UINT8, 1, &four, "abcd", 4, options));
    CHECK(message_holds("asdf_node_set_array does not know the option 'mapped'"));
    OK(asdf_options_set_int(options, ASDF_OPTION_SHARED, 1));
    OK(asdf_node_set_array(root, "a", ASDF_UINT8, 1, &four, "abcd", 4, options));
    OK(asdf_options_set_int(options, ASDF_OPTION_SHARED, 0));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_SHARED, 2));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_write(file, "options.asdf", options));
    OK(asdf_options_unset(options, ASDF_OPTION_MAPPED));
    OK(asdf_file_forget_failure(file));
    OK(asdf_file_write(file, "options.asdf", options));
    asdf_node_free(root);
    asdf_file_free(file);

    OK(asdf_options_set_text(options, ASDF_OPTION_STANDARD, "1.9.0", 5));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_new(options, &file));
    CHECK(message_holds("the option 'standard' (ASDF_OPTION_STANDARD) is '1.9.0'") && !file);
    OK(asdf_options_unset(options, ASDF_OPTION_STANDARD));

    OK(asdf_options_set_int(options, ASDF_OPTION_ACCESS, ASDF_ACCESS_SAME_DIRECTORY));
    OK(asdf_options_add_text(options, ASDF_OPTION_DIRECTORIES, ".", 1));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_open("options.asdf", options, &file));
    CHECK(message_holds("(ASDF_OPTION_ACCESS) and the option 'directories' (ASDF_OPTION_DIRECTORIES) exclude"));
    OK(asdf_options_unset(options, ASDF_OPTION_ACCESS));
    OK(asdf_file_open("options.asdf", options, &file));
    asdf_file_free(file);
    asdf_options_free(options);

    OK(asdf_options_new(&options));
    OK(asdf_options_set_text(options, ASDF_OPTION_HEADER_FILE, "a", 1));
    OK(asdf_options_set_text(options, ASDF_OPTION_HEADER_TEXT, "b", 1));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_read_ecsv("none.ecsv", options, &table));
    asdf_options_free(options);

    OK(asdf_options_new(&options));
    file = open_bytes("#ASDF 1.0.0\n%YAML 1.1\n--- {a: [1, 2]}\n...\n", 42);
    root = root_of(file);
    asdf_array *array = NULL;
    int32_t found[2];
    const int64_t stride = 4;
    OK(asdf_node_get_array(root, "a", &array));
    OK(asdf_options_set_int(options, ASDF_OPTION_ORDER, ASDF_ORDER_FORTRAN));
    OK(asdf_options_set_ints(options, ASDF_OPTION_STRIDES, &stride, 1));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_array_read(array, ASDF_INT32, options, found, sizeof found, NULL, 0));
    OK(asdf_options_unset(options, ASDF_OPTION_ORDER));
    OK(asdf_array_read(array, ASDF_INT32, options, found, sizeof found, NULL, 0));
    CHECK(found[0] == 1 && found[1] == 2);
    asdf_array_free(array);
    asdf_node_free(root);
    asdf_file_free(file);
    asdf_options_free(options);
}

static int closed = 0;

static asdf_status count_close(void *user) {
    ++*(int *)user;
    return ASDF_OK;
}

static asdf_status find_nothing(void *user, const char *uri, asdf_read_callback *read, asdf_close_callback *close,
                                void **source, int64_t *length) {
    (void)user, (void)uri, (void)read, (void)close, (void)source, (void)length;
    return ASDF_ERR_FILE_NOT_FOUND;
}

/* The object behind a resolver is closed once, by the call that frees the last user. */
static void owners(void) {
    asdf_options *options = NULL, *copy = NULL;
    asdf_file *file = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_resolver(options, find_nothing, count_close, &closed));
    OK(asdf_options_copy(options, &copy));
    OK(asdf_file_open_memory("#ASDF 1.0.0\n", 12, options, &file));
    asdf_options_free(options);
    asdf_options_free(copy);
    CHECK(closed == 0);
    asdf_file_free(file);
    CHECK(closed == 1);
}

int main(void) {
    integers();
    lists();
    copies();
    calls();
    owners();
    return report();
}
