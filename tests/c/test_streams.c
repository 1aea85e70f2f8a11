/* Arrays whose rows are pushed one after the other to a file that gets its name when it is complete. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include <dirent.h>
#include <unistd.h>

static int64_t number_of_files(void) {
    int64_t count = 0;
    DIR *directory = opendir(".");
    if (!directory) return -1;
    for (struct dirent *entry = readdir(directory); entry; entry = readdir(directory)) count++;
    closedir(directory);
    return count;
}

static asdf_file *opened(const char *name) {
    asdf_file *file = NULL;
    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_ACCESS, ASDF_ACCESS_SAME_DIRECTORY));
    OK(asdf_file_open(name, options, &file));
    asdf_options_free(options);
    return file;
}

/* Checks that the file has an array of this many rows of 3 x 5 increasing numbers, and its earlier content. */
static void holds_rows(const char *name, int64_t rows, int checksum) {
    asdf_file *file = opened(name);
    asdf_node *root = root_of(file);
    asdf_array *array = NULL;
    int64_t shape[3], block, absent, as_stored, as_decoded;
    int32_t rank, byte = 0;
    double first[2];
    OK(asdf_node_get_array(root, "run/rows", &array));
    OK(asdf_array_shape(array, shape, 3, &rank));
    CHECK(rank == 3 && shape[0] == rows && shape[1] == 3 && shape[2] == 5);
    size_t size = (size_t)rows * 15 * sizeof(int32_t);
    int32_t *numbers = malloc(size + 1);
    OK(asdf_array_read(array, ASDF_INT32, NULL, numbers, size, NULL, 0));
    for (int32_t index = 0; index < 15 * rows; index++) {
        if (numbers[index] != index) {
            CHECK(!"the rows are as they were pushed");
            break;
        }
    }
    free(numbers);
    if (asdf_array_block(array, &block) == ASDF_OK) {
        OK(asdf_file_verify(file, NULL, &absent, &as_stored, &as_decoded));
        CHECK(absent == !checksum);
    }
    asdf_array_free(array);
    OK(asdf_node_get_array(root, "before", &array));
    OK(asdf_array_read(array, ASDF_FLOAT64, NULL, first, sizeof first, NULL, 0));
    CHECK(first[0] == 0.5 && first[1] == -2);
    asdf_array_free(array);
    OK(asdf_node_get_bool(root, "meta/truth", &byte));
    CHECK(byte == 1);
    CHECK(file_warnings(file) == 0);
    asdf_node_free(root);
    asdf_file_free(file);
}

/* Removes the files of earlier runs. */
static void begin_anew(void) {
    static const char *names[] = {"run.asdf", "stored.asdf", "apart.asdf", "apart0000.asdf", "rows.asdf"};
    for (size_t index = 0; index < sizeof names / sizeof *names; index++) unlink(names[index]);
}

static asdf_file *with_something(void) {
    static const double numbers[] = {0.5, -2};
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
    OK(asdf_node_set_array(root, "before", ASDF_FLOAT64, 1, (int64_t[]){2}, numbers, sizeof numbers, NULL));
    OK(asdf_node_set_bool(root, "meta/truth", 1));
    asdf_node_free(root);
    return file;
}

static const int64_t row[] = {3, 5};

/* Pushes rows, a few at a time. */
static void push_rows(asdf_stream *stream, int32_t rows, int32_t at_once) {
    int32_t *numbers = malloc((size_t)at_once * 15 * sizeof *numbers);
    int64_t count = -1;
    if (!numbers) exit(1);
    for (int32_t done = 0; done < rows; done += at_once) {
        int32_t now = at_once < rows - done ? at_once : rows - done;
        for (int32_t index = 0; index < 15 * now; index++) numbers[index] = 15 * done + index;
        OK(asdf_stream_push(stream, now, numbers, (size_t)now * 15 * sizeof *numbers));
    }
    OK(asdf_stream_push(stream, 0, NULL, 0));
    OK(asdf_stream_row_count(stream, &count));
    CHECK(count == rows);
    free(numbers);
}

static void every_codec(void) {
    static const char *codecs[] = {NULL, "zlib", "bzp2", "lz4", "lz4f", "zstd"};
    asdf_file *file = with_something();
    for (size_t index = 0; index < sizeof codecs / sizeof *codecs; index++) {
        asdf_options *options = NULL;
        asdf_stream *stream = NULL;
        options = replacing();
        OK(set_codec(options, codecs[index], -1));
        OK(asdf_options_set_int(options, ASDF_OPTION_BYTE_ORDER,
                                index % 2 ? ASDF_BYTE_ORDER_LITTLE : ASDF_BYTE_ORDER_BIG));
        static const int32_t rows[] = {0, 1, 70000}, at_once[] = {1, 1, 999};
        for (int size = 0; size < 3; size++) {
            OK(asdf_stream_create(file, "run.asdf", "run/rows", ASDF_INT32, 2, row, options, &stream));
            push_rows(stream, rows[size], at_once[size]);
            OK(asdf_stream_finish(stream));
            FAILS(ASDF_ERR_CLOSED, asdf_stream_finish(stream));
            FAILS(ASDF_ERR_CLOSED, asdf_stream_push(stream, 0, NULL, 0));
            asdf_stream_free(stream);
            holds_rows("run.asdf", rows[size], 1);
        }
        asdf_options_free(options);
    }
    asdf_file_free(file);
}

static void streamed_and_without_checksum(void) {
    asdf_file *file = with_something();
    asdf_options *options = NULL;
    asdf_stream *stream = NULL;
    int32_t is_streamed = 0;
    options = replacing();
    OK(asdf_options_set_int(options, ASDF_OPTION_DURABLE, 0));
    OK(asdf_options_set_int(options, ASDF_OPTION_BLOCK_CHECKSUM, 0));
    OK(asdf_options_set_int(options, ASDF_OPTION_BLOCK_SLACK, 100));
    OK(asdf_stream_create(file, "run.asdf", "run/rows", ASDF_INT32, 2, row, options, &stream));
    push_rows(stream, 20, 3);
    OK(asdf_stream_finish(stream));
    asdf_stream_free(stream);
    holds_rows("run.asdf", 20, 0);

    OK(asdf_options_set_int(options, ASDF_OPTION_STORAGE, ASDF_STORAGE_STREAMED));
    FAILS(ASDF_ERR_INVALID_ARGUMENT,
          asdf_stream_create(file, "run.asdf", "run/rows", ASDF_INT32, 2, row, options, &stream));
    OK(asdf_options_set_int(options, ASDF_OPTION_BLOCK_SLACK, 0));
    for (int32_t rows = 0; rows < 50; rows += 49) {
        OK(asdf_stream_create(file, "run.asdf", "run/rows", ASDF_INT32, 2, row, options, &stream));
        push_rows(stream, rows, 5);
        OK(asdf_stream_finish(stream));
        asdf_stream_free(stream);
        holds_rows("run.asdf", rows, 0);
        asdf_file *again = opened("run.asdf");
        OK(asdf_file_block_is_streamed(again, -1, &is_streamed));
        CHECK(is_streamed == 1);
        asdf_file_free(again);
    }
    OK(asdf_options_set_text(options, ASDF_OPTION_CODEC, "zlib", 4));
    FAILS(ASDF_ERR_INVALID_ARGUMENT,
          asdf_stream_create(file, "run.asdf", "run/rows", ASDF_INT32, 2, row, options, &stream));
    asdf_options_free(options);
    asdf_file_free(file);
}

/* The rows are in a separate file, which does not exist if the stream is abandoned. */
static void external(void) {
    asdf_file *file = with_something();
    asdf_options *options = NULL;
    asdf_stream *stream = NULL;
    options = replacing();
    OK(asdf_options_set_int(options, ASDF_OPTION_STORAGE, ASDF_STORAGE_EXTERNAL));
    OK(asdf_options_set_text(options, ASDF_OPTION_CODEC, "zlib", 4));
    int64_t files = number_of_files();
    OK(asdf_stream_create(file, "apart.asdf", "run/rows", ASDF_INT32, 2, row, options, &stream));
    push_rows(stream, 50, 3);
    asdf_stream_free(stream);
    CHECK(number_of_files() == files);
    OK(asdf_stream_create(file, "apart.asdf", "run/rows", ASDF_INT32, 2, row, options, &stream));
    push_rows(stream, 50, 3);
    OK(asdf_stream_finish(stream));
    asdf_stream_free(stream);
    CHECK(number_of_files() == files + 2);
    holds_rows("apart.asdf", 50, 1);

    OK(asdf_options_set_text(options, ASDF_OPTION_EXTERNAL_NAME, "rows.asdf", 9));
    OK(asdf_stream_create(file, "apart.asdf", "run/rows", ASDF_INT32, 2, row, options, &stream));
    push_rows(stream, 5, 2);
    OK(asdf_stream_finish(stream));
    asdf_stream_free(stream);
    CHECK(number_of_files() == files + 3);
    holds_rows("apart.asdf", 5, 1);
    /* This name is taken now, and its file stays unchanged. */
    OK(asdf_stream_create(file, "apart.asdf", "run/rows", ASDF_INT32, 2, row, options, &stream));
    push_rows(stream, 6, 2);
    FAILS(ASDF_ERR_FILE_EXISTS, asdf_stream_finish(stream));
    asdf_stream_free(stream);
    CHECK(number_of_files() == files + 3);
    holds_rows("apart.asdf", 5, 1);
    asdf_options_free(options);
    asdf_file_free(file);
}

/* A stream writes the content of a file opened for update at that moment, also under its own name. */
static void beside_what_is_stored(void) {
    asdf_file *file = with_something();
    asdf_node *root = NULL;
    asdf_stream *stream = NULL;
    char text[100];
    OK(asdf_file_write(file, "stored.asdf", NULL));
    asdf_file_free(file);
    OK(asdf_file_open_for_update("stored.asdf", NULL, &file));
    root = root_of(file);
    OK(asdf_node_set_string(root, "note", "in", 2));
    FAILS(ASDF_ERR_FILE_EXISTS, asdf_stream_create(file, "stored.asdf", "run/rows", ASDF_INT32, 2, row, NULL, &stream));
    asdf_options *replace = replacing();
    OK(asdf_stream_create(file, "stored.asdf", "run/rows", ASDF_INT32, 2, row, replace, &stream));
    asdf_options_free(replace);
    OK(asdf_node_set_string(root, "note", "out", 3));
    push_rows(stream, 1000, 1000);
    asdf_node_free(root);
    asdf_file_free(file);
    OK(asdf_stream_finish(stream));
    asdf_stream_free(stream);
    holds_rows("stored.asdf", 1000, 1);
    file = opened("stored.asdf");
    root = root_of(file);
    OK(asdf_node_get_string(root, "note", text, sizeof text, NULL));
    CHECK(strcmp(text, "in") == 0);
    FAILS(ASDF_ERR_READ_ONLY, asdf_stream_create(file, "other.asdf", "run/rows", ASDF_INT32, 2, row, NULL, &stream));
    asdf_node_free(root);
    asdf_file_free(file);
}

static void given_up(void) {
    asdf_file *file = with_something();
    asdf_stream *stream = NULL;
    static const int32_t numbers[30] = {0};
    asdf_options *options = replacing();
    OK(asdf_stream_create(file, "run.asdf", "run/rows", ASDF_INT32, 2, row, options, &stream));
    push_rows(stream, 3, 1);
    OK(asdf_stream_finish(stream));
    asdf_stream_free(stream);
    int64_t files = number_of_files();
    OK(asdf_stream_create(file, "run.asdf", "run/rows", ASDF_INT32, 2, row, options, &stream));
    CHECK(number_of_files() == files + 1);
    push_rows(stream, 100000, 50000);
    asdf_stream_free(stream);
    OK(asdf_stream_create(file, "new.asdf", "run/rows", ASDF_INT32, 2, row, NULL, &stream));
    asdf_stream_free(stream);
    CHECK(number_of_files() == files);
    holds_rows("run.asdf", 3, 1);

    /* Errors in the arguments of a push are found before rows are added. */
    OK(asdf_stream_create(file, "run.asdf", "run/rows", ASDF_INT32, 2, row, options, &stream));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_stream_push(stream, 2, numbers, sizeof numbers - 1));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_stream_push(stream, -1, numbers, sizeof numbers));
    push_rows(stream, 7, 7);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_stream_push(stream, INT64_MAX, numbers, sizeof numbers));
    OK(asdf_stream_finish(stream));
    asdf_stream_free(stream);
    holds_rows("run.asdf", 7, 1);

#define OPEN(path, node_path, rank, options)                                                                           \
    asdf_stream_create(file, path, node_path, ASDF_INT32, rank, row, options, &stream)
    FAILS(ASDF_ERR_FILE_NOT_FOUND, OPEN("no/such/folder.asdf", "a", 2, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, OPEN("run.asdf", "", 2, options));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, OPEN("run.asdf", "a", -1, options));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, OPEN("run.asdf", "a", 40, options));
    OK(asdf_options_set_int(options, ASDF_OPTION_STORAGE, ASDF_STORAGE_INLINE));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, OPEN("run.asdf", "a", 2, options));
    OK(asdf_options_set_int(options, ASDF_OPTION_STORAGE, ASDF_STORAGE_INTERNAL));
    OK(asdf_options_set_int(options, ASDF_OPTION_STORED_ORDER, ASDF_ORDER_FORTRAN));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, OPEN("run.asdf", "a", 2, options));
    OK(asdf_options_set_int(options, ASDF_OPTION_STORED_ORDER, ASDF_ORDER_C));
    OK(asdf_options_set_text(options, ASDF_OPTION_CODEC, "blsc", 4));
    FAILS(ASDF_ERR_UNSUPPORTED, OPEN("run.asdf", "a", 2, options));
    OK(asdf_options_unset(options, ASDF_OPTION_CODEC));
    FAILS(ASDF_ERR_INVALID_ARGUMENT,
          asdf_stream_create(file, "run.asdf", "a", ASDF_INT32, 1, (int64_t[]){0}, options, &stream));
    CHECK(stream == NULL && number_of_files() == files);
    asdf_options_free(options);
    holds_rows("run.asdf", 7, 1);
    asdf_file_free(file);
}

/* Rows in other layouts of memory: Fortran order, with gaps; single elements; strings. */
static void rows_in_memory(void) {
    asdf_file *file = with_something();
    asdf_node *root = NULL;
    asdf_options *options = NULL;
    asdf_array *array = NULL;
    asdf_stream *stream = NULL;
    asdf_datatype *text = NULL;
    static const int16_t fortran[] = {0, 3, 1, 4, 2, 5}, gaps[] = {0, -1, 1, -1, 2, -1};
    int16_t numbers[9];
    options = replacing();
    OK(asdf_options_set_int(options, ASDF_OPTION_ORDER, ASDF_ORDER_FORTRAN));
    OK(asdf_stream_create(file, "rows.asdf", "a", ASDF_INT16, 1, (int64_t[]){3}, options, &stream));
    OK(asdf_stream_push(stream, 2, fortran, sizeof fortran));
    OK(asdf_stream_finish(stream));
    asdf_stream_free(stream);
    asdf_file *again = opened("rows.asdf");
    root = root_of(again);
    OK(asdf_node_get_array(root, "a", &array));
    OK(asdf_array_read(array, ASDF_INT16, NULL, numbers, sizeof numbers, NULL, 0));
    for (int16_t index = 0; index < 6; index++) CHECK(numbers[index] == index);
    asdf_array_free(array);
    asdf_node_free(root);
    asdf_file_free(again);

    OK(asdf_options_unset(options, ASDF_OPTION_ORDER));
    OK(asdf_options_set_ints(options, ASDF_OPTION_STRIDES, (int64_t[]){4}, 1));
    OK(asdf_stream_create(file, "rows.asdf", "a", ASDF_INT16, 0, NULL, options, &stream));
    OK(asdf_stream_push(stream, 3, gaps, sizeof gaps));
    OK(asdf_stream_push(stream, 1, gaps + 4, 2));
    OK(asdf_stream_finish(stream));
    asdf_stream_free(stream);
    again = opened("rows.asdf");
    root = root_of(again);
    OK(asdf_node_get_array(root, "a", &array));
    OK(asdf_array_read(array, ASDF_INT16, NULL, numbers, sizeof numbers, NULL, 0));
    CHECK(numbers[0] == 0 && numbers[1] == 1 && numbers[2] == 2 && numbers[3] == 2);
    asdf_array_free(array);
    asdf_node_free(root);
    asdf_file_free(again);

    OK(asdf_datatype_string(ASDF_ASCII, 4, &text));
    OK(asdf_options_unset(options, ASDF_OPTION_STRIDES));
    OK(asdf_stream_create(file, "rows.asdf", "a", 0, 0, NULL, with_type(options, text), &stream));
    asdf_options_free(options);
    OK(asdf_stream_push(stream, 2, "ab\0\0cdef", 8));
    FAILS(ASDF_ERR_ENCODING, asdf_stream_push(stream, 1, "\xFF\0\0\0", 4));
    OK(asdf_stream_finish(stream));
    asdf_stream_free(stream);
    again = opened("rows.asdf");
    root = root_of(again);
    OK(asdf_node_get_array(root, "a", &array));
    char string[8] = "?";
    OK(asdf_array_read_string(array, 1, (int64_t[]){1}, NULL, string, sizeof string, NULL, NULL));
    CHECK(strcmp(string, "cdef") == 0);
    asdf_array_free(array);
    asdf_node_free(root);
    asdf_file_free(again);
    asdf_datatype_free(text);
    asdf_file_free(file);
}

int main(void) {
    begin_anew();
    every_codec();
    streamed_and_without_checksum();
    external();
    beside_what_is_stored();
    given_up();
    rows_in_memory();
    return report();
}
