/* Arrays that grow: rows that are added, saved, dropped, refused; a process that ends between two saves; a full disk.
 */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COLUMNS = 500 };
#define NAME "growth.asdf"

static float row[COLUMNS];

static void fill_row(int64_t number) {
    for (int column = 0; column < COLUMNS; column++) row[column] = (float)(number * COLUMNS + column);
}

/* Makes a file with an array of no rows; `chunked` has chunks of four rows and a codec. */
static void make(int chunked) {
    const int64_t shape[] = {0, COLUMNS}, chunks[] = {4, 100};
    asdf_node *root = NULL;
    asdf_options *options = NULL;
    asdf_file *file = new_file(&root);
    static double other[50000];
    OK(asdf_options_new(&options));
    OK(asdf_node_set_array(root, "other", ASDF_FLOAT64, 1, (int64_t[]){50000}, other, sizeof other, NULL));
    if (chunked) {
        OK(asdf_options_set_ints(options, ASDF_OPTION_CHUNKS, chunks, 2));
        OK(set_codec(options, "zlib", -1));
    }
    OK(asdf_node_set_array(root, "field", ASDF_FLOAT32, 2, shape, NULL, 0, options));
    OK(write_over(file, NAME));
    asdf_options_free(options);
    asdf_node_free(root);
    asdf_file_free(file);
}

static asdf_file *opened(int for_update) {
    asdf_file *file = NULL;
    OK(for_update ? asdf_file_open_for_update(NAME, NULL, &file) : asdf_file_open(NAME, NULL, &file));
    return file;
}

static asdf_array *field_of(asdf_file *file) {
    asdf_array *array = NULL;
    asdf_node *root = root_of(file);
    OK(asdf_node_get_array(root, "field", &array));
    asdf_node_free(root);
    return array;
}

/* Returns the number of rows, after a check of all elements; -1 for a wrong one. */
static int64_t rows_in(asdf_file *file) {
    asdf_array *array = field_of(file);
    int64_t shape[2] = {-1, -1};
    int32_t rank = 0;
    OK(asdf_array_shape(array, shape, 2, &rank));
    for (int64_t number = 0; number < shape[0]; number++) {
        float found[COLUMNS];
        OK(asdf_array_read_region(array, 2, (int64_t[]){number, 0}, (int64_t[]){1, COLUMNS}, NULL, ASDF_FLOAT32, NULL,
                                  found, sizeof found, NULL, 0));
        fill_row(number);
        if (memcmp(found, row, sizeof row) != 0) shape[0] = -1;
    }
    asdf_array_free(array);
    return shape[0];
}

static int64_t rows_on_disk(void) {
    asdf_file *file = opened(0);
    int64_t rows = rows_in(file);
    CHECK(file_warnings(file) == 0);
    asdf_file_free(file);
    return rows;
}

static asdf_status append(asdf_array *array, int64_t number) {
    fill_row(number);
    return asdf_array_append(array, 1, ASDF_FLOAT32, row, sizeof row, NULL);
}

static void steps(int chunked) {
    make(chunked);
    asdf_file *file = opened(1);
    asdf_array *array = field_of(file);
    for (int64_t number = 0; number < 10; number++) {
        OK(append(array, number));
        CHECK(rows_in(file) == number + 1);
        CHECK(rows_on_disk() == number);
        OK(asdf_file_save(file, NULL));
        CHECK(rows_on_disk() == number + 1);
    }
    OK(asdf_array_append(array, 0, ASDF_FLOAT32, NULL, 0, NULL));
    double wide[COLUMNS];
    fill_row(10);
    for (int column = 0; column < COLUMNS; column++) wide[column] = row[column];
    OK(asdf_array_append(array, 1, ASDF_FLOAT64, wide, sizeof wide, NULL));
    OK(asdf_file_save(file, NULL));
    OK(append(array, 11));
    OK(asdf_file_close(file));
    asdf_array_free(array);
    asdf_file_free(file);
    CHECK(rows_on_disk() == 11);
}

/* A process appends and saves, and ends in the middle of the next step. */
static void ended(int chunked) {
    make(chunked);
    pid_t child = fork();
    if (child == 0) {
        asdf_file *file = opened(1);
        asdf_array *array = field_of(file);
        for (int64_t number = 0; number < 5; number++) {
            if (append(array, number) || asdf_file_save(file, NULL)) _exit(1);
        }
        if (append(array, 5)) _exit(1);
        raise(SIGKILL);
    }
    int status = -1;
    CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
    CHECK(rows_on_disk() == 5);
    asdf_file *file = opened(1);
    asdf_array *array = field_of(file);
    CHECK(rows_in(file) == 5);
    OK(append(array, 5));
    OK(asdf_file_save(file, NULL));
    asdf_array_free(array);
    asdf_file_free(file);
    CHECK(rows_on_disk() == 6);
}

static void refused(void) {
    make(0);
    asdf_file *file = opened(1);
    asdf_array *array = field_of(file), *other = NULL;
    asdf_node *root = root_of(file);
    FAILS(ASDF_ERR_NULL_POINTER, asdf_array_append(NULL, 1, ASDF_FLOAT32, row, sizeof row, NULL));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_array_append(array, 1, ASDF_FLOAT32, NULL, sizeof row, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_array_append(array, -1, ASDF_FLOAT32, row, sizeof row, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_array_append(array, 1, 9999, row, sizeof row, NULL));
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_array_append(array, 2, ASDF_FLOAT32, row, sizeof row, NULL));
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_array_append(array, 1, ASDF_FLOAT32, row, sizeof row - 4, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_array_append(array, 0, ASDF_FLOAT32, row, sizeof row, NULL));
    OK(asdf_node_get_array(root, "other", &other));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_array_append(other, 0, ASDF_FLOAT64, NULL, 0, NULL));
    CHECK(message_holds("another array"));
    OK(append(array, 0));
    FAILS(ASDF_ERR_INVALID_ARGUMENT,
          asdf_array_write_region(array, 2, (int64_t[]){0, 0}, (int64_t[]){0, 0}, NULL, ASDF_FLOAT32, NULL, 0, NULL));
    asdf_file_free(file);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_array_append(other, -1, ASDF_FLOAT64, NULL, 0, NULL));
    asdf_array_free(array);
    asdf_array_free(other);
    asdf_node_free(root);
    file = opened(1);
    root = root_of(file);
    OK(asdf_node_get_array(root, "other", &other));
    FAILS(ASDF_ERR_UNSUPPORTED, asdf_array_append(other, 0, ASDF_FLOAT64, NULL, 0, NULL));
    CHECK(message_holds("last block"));
    array = field_of(file);
    OK(asdf_node_set_bool(root, "flag", 1));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, append(array, 0));
    CHECK(message_holds("unsaved changes"));
    OK(asdf_file_save(file, NULL));
    OK(append(array, 0));
    OK(asdf_file_save(file, NULL));
    OK(asdf_file_close(file));
    FAILS(ASDF_ERR_CLOSED, append(array, 1));
    asdf_array_free(array);
    asdf_array_free(other);
    asdf_node_free(root);
    asdf_file_free(file);
    file = opened(0);
    array = field_of(file);
    FAILS(ASDF_ERR_READ_ONLY, append(array, 1));
    asdf_array_free(array);
    asdf_file_free(file);
    CHECK(rows_on_disk() == 1);
}

/* The file may not become longer; afterwards it may. */
static void full(void) {
    make(0);
    asdf_file *file = opened(1);
    asdf_array *array = field_of(file);
    OK(append(array, 0));
    OK(asdf_file_save(file, NULL));
    struct stat state;
    struct rlimit before;
    CHECK(stat(NAME, &state) == 0 && getrlimit(RLIMIT_FSIZE, &before) == 0);
    const struct rlimit less = {.rlim_cur = (rlim_t)state.st_size + 100, .rlim_max = before.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    CHECK(setrlimit(RLIMIT_FSIZE, &less) == 0);
    FAILS(ASDF_ERR_NO_SPACE, append(array, 1));
    OK(asdf_file_save(file, NULL));
    CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0);
    CHECK(rows_on_disk() == 1 && rows_in(file) == 1);
    OK(append(array, 1));
    OK(asdf_file_save(file, NULL));
    asdf_array_free(array);
    asdf_file_free(file);
    CHECK(rows_on_disk() == 2);
}

int main(void) {
    for (int chunked = 0; chunked < 2; chunked++) {
        steps(chunked);
        ended(chunked);
    }
    refused();
    full();
    return report();
}
