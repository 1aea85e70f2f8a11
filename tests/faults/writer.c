/*
 * Overwrites an existing file while one system call after the other fails. After each failure the old file must be
 * unchanged, no other file may be left behind, and the library must still work. Only one failure can come after the new
 * file has its name: the sync of the name. It has a status of its own.
 */
#define _GNU_SOURCE
#include "faults.h"
#include <asdf.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NAME "image.asdf"
enum { SIZE = 300000 };

static int passed, failures;
/* Number of cases in which the new file was in place, but a wait for the disk failed. */
static int not_durable;
static char situation[200];

#define CHECK(condition) check((condition) != 0, #condition, __LINE__)

static void check(int holds, const char *condition, int line) {
    if (holds) return;
    char message[300] = "";
    asdf_error_message(message, sizeof message, NULL);
    printf("FAILED %s: line %d: %s; last error: %s\n", situation, line, condition, message);
    failures++;
}

/* Returns the system's error number of the last failure. */
static int64_t os_number(void) {
    int64_t number = -1;
    asdf_error_int(ASDF_REPORT_OS_NUMBER, &number);
    return number;
}

/* Reads a whole file; NULL if it does not exist. */
static unsigned char *slurp(const char *path, size_t *size) {
    FILE *stream = fopen(path, "rb");
    if (!stream) return NULL;
    unsigned char *bytes = malloc(2 * SIZE);
    if (!bytes) abort();
    *size = fread(bytes, 1, 2 * SIZE, stream);
    fclose(stream);
    return bytes;
}

static int has(const char *path, const unsigned char *expected, size_t expected_size) {
    size_t size = 0;
    unsigned char *bytes = slurp(path, &size);
    int same = bytes && size == expected_size && memcmp(bytes, expected, size) == 0;
    free(bytes);
    return same;
}

static int entries(void) {
    int count = 0;
    DIR *folder = opendir(".");
    while (folder && readdir(folder)) count++;
    if (folder) closedir(folder);
    return count - 2; /* . and .. */
}

/* Makes a new file with an array of zeros. */
static asdf_file *make(int64_t size, int32_t compressed) {
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    asdf_options *options = NULL;
    unsigned char *zeros = calloc(1, (size_t)size);
    int good = zeros && !asdf_file_new(NULL, &file) && !asdf_file_root(file, &root) && !asdf_options_new(&options) &&
               !asdf_options_set_text(options, ASDF_OPTION_CODEC, "zlib", compressed ? 4 : 0) &&
               !asdf_node_set_array(root, "data", ASDF_UINT8, 1, &size, zeros, (size_t)size, options) &&
               !asdf_node_set_string(root, "name", "Böhm", 5);
    if (!good) abort();
    asdf_options_free(options);
    asdf_node_free(root);
    free(zeros);
    return file;
}

static const unsigned char *old = (const unsigned char *)"what was here before";
static size_t old_size = 20;

static void put_old(void) {
    FILE *stream = fopen(NAME, "wb");
    if (!stream || fwrite(old, 1, old_size, stream) != old_size || fclose(stream)) abort();
}

static int32_t save_mode = ASDF_SAVE_WHOLE;
/* Whether the options are for a save. A save takes a save mode, and does not take ASDF_OPTION_REPLACE. */
static int is_saving = 0;
/* The latest options, if they are durable. */
static const asdf_options *durable_options;

static asdf_options *durable(int32_t durable) {
    asdf_options *options = NULL;
    if (asdf_options_new(&options) || asdf_options_set_int(options, ASDF_OPTION_DURABLE, durable) ||
        (is_saving ? asdf_options_set_int(options, ASDF_OPTION_SAVE_MODE, save_mode)
                   : asdf_options_set_int(options, ASDF_OPTION_REPLACE, 1))) {
        abort();
    }
    durable_options = durable ? options : NULL;
    return options;
}

/* Overwrites the file NAME. */
static asdf_status write_over(const asdf_file *file) {
    asdf_options *options = durable(1);
    asdf_status status = asdf_file_write(file, NAME, options);
    asdf_options_free(options);
    return status;
}

/* Returns whether a save in place could neither be finished nor undone, and left a journal with which the file still
 * reads as the old one. */
static int is_left_to_a_journal(void) {
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    char name[20] = "";
    int good = save_mode == ASDF_SAVE_IN_PLACE && access(".image.asdf.asdf-journal", F_OK) == 0 &&
               !asdf_file_open(NAME, NULL, &file) && !asdf_file_root(file, &root) &&
               !asdf_node_get_string(root, "name", name, sizeof name, NULL) && strcmp(name, "Böhm") == 0;
    asdf_node_free(root);
    asdf_file_free(file);
    return good;
}

/* An attempt to replace the old file: by writing a file, or by saving a changed one. */
struct attempt {
    asdf_file *(*prepare)(void);
    asdf_status (*run)(asdf_file *file, const asdf_options *options);
    const unsigned char *new;
    size_t new_size;
};

static asdf_file *prepare_plain(void) {
    return make(SIZE, 0);
}

static asdf_file *prepare_compressed(void) {
    return make(SIZE, 1);
}

static asdf_file *prepare_update(void) {
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    const int64_t shape = 3;
    if (asdf_file_open_for_update(NAME, NULL, &file) || asdf_file_root(file, &root) ||
        asdf_node_set_string(root, "name", "Erwin", 5) ||
        asdf_node_set_array(root, "more", ASDF_UINT8, 1, &shape, "abc", 3, NULL)) {
        abort();
    }
    asdf_node_free(root);
    return file;
}

static asdf_status run_write(asdf_file *file, const asdf_options *options) {
    return asdf_file_write(file, NAME, options);
}

/* Lets each call of one kind fail with one error, one after the other, until no more calls are made. */
static void each_call(const struct attempt *attempt, enum fault_call call, int error, int forever, int32_t is_durable) {
    const unsigned char *new = attempt->new;
    size_t new_size = attempt->new_size;
    asdf_options *options = durable(is_durable);
    for (long number = 1;; number++) {
        snprintf(situation, sizeof situation, "%s number %ld, %s%s%s", fault_call_names[call], number,
                 error == SHORT_WRITE ? "short" : strerror(error), forever ? " from then on" : "",
                 is_durable ? "" : ", not durable");
        put_old();
        asdf_file *file = attempt->prepare();
        faults_arm(call, number, error, forever);
        asdf_status status = attempt->run(file, options);
        long fired = faults_disarm();
        int is_in_place = save_mode == ASDF_SAVE_IN_PLACE;
        int is_left = is_left_to_a_journal();
        CHECK(entries() == 1 || is_left || (is_in_place && call == CALL_UNLINK));
        if (fired == 0) {
            CHECK(status == ASDF_OK && has(NAME, new, new_size));
            asdf_file_free(file);
            break;
        }
        int is_new = has(NAME, new, new_size);
        if (error == EINTR || error == SHORT_WRITE) {
            CHECK(status == ASDF_OK && is_new);
        } else if (call == CALL_CLOSE) {
            /* All necessary waits came before this call, or were not requested. */
            CHECK(is_new);
        } else if (is_new) {
            int is_waiting = status == ASDF_ERR_NOT_DURABLE && call == CALL_FSYNC && is_durable;
            /* These failures do not matter: an empty journal stays, a time cannot be read, files that other writers
               may have left are not found, or the new file has fewer rights, which gives a warning. */
            int is_unneeded =
                status == ASDF_OK && (call == CALL_STAT || call == CALL_CHMOD || (is_in_place && call == CALL_UNLINK));
            CHECK(is_waiting || is_unneeded);
            if (is_waiting) {
                CHECK(os_number() == error);
                not_durable++;
            }
        } else {
            CHECK(status != ASDF_OK && status != ASDF_ERR_NOT_DURABLE && (is_left || has(NAME, old, old_size)));
            CHECK(os_number() == error);
            if (error == ENOSPC) CHECK(status == ASDF_ERR_NO_SPACE);
        }
        faults_arm(CALL_WRITE, 0, EIO, 0);
        CHECK(attempt->run(file, options) == ASDF_OK && has(NAME, new, new_size));
        faults_disarm();
        /* A file that is in place counts as saved, and is not synced again. */
        if (status == ASDF_ERR_NOT_DURABLE && attempt->run == asdf_file_save)
            CHECK(faults_count(CALL_FSYNC) == 0 && faults_count(CALL_WRITE) == 0);
        asdf_file_free(file);
        passed++;
    }
    asdf_options_free(options);
}

static void all_calls(asdf_file *(*prepare)(void), asdf_status (*run)(asdf_file *, const asdf_options *)) {
    is_saving = run == asdf_file_save || run == asdf_file_compact;
    asdf_options *options = durable(0);
    put_old();
    asdf_file *file = prepare();
    if (run(file, options)) abort();
    asdf_file_free(file);
    struct attempt attempt = {prepare, run, NULL, 0};
    unsigned char *new = slurp(NAME, &attempt.new_size);
    attempt.new = new;
    for (int32_t is_durable = 0; is_durable <= 1; is_durable++) {
        for (int call = 0; call < CALLS; call++) {
            each_call(&attempt, call, EIO, 0, is_durable);
            each_call(&attempt, call, ENOSPC, 0, is_durable);
            if (call != CALL_CLOSE && call != CALL_STAT) each_call(&attempt, call, EINTR, 0, is_durable);
        }
        each_call(&attempt, CALL_WRITE, ENOSPC, 1, is_durable);
        each_call(&attempt, CALL_WRITE, SHORT_WRITE, 0, is_durable);
        each_call(&attempt, CALL_WRITE, SHORT_WRITE, 1, is_durable);
    }
    CHECK(not_durable > 0);
    not_durable = 0;
    is_saving = 0;
    asdf_options_free(options);
    free(new);
}

/* Writes a stream over the old file. */
static asdf_status run_stream(asdf_file *file, const asdf_options *options) {
    static const char rows[1000];
    const int64_t row = 10;
    asdf_stream *stream = NULL;
    asdf_status status = asdf_stream_create(file, NAME, "rows", ASDF_UINT8, 1, &row, options, &stream);
    if (status == ASDF_OK) status = asdf_stream_push(stream, 100, rows, sizeof rows);
    if (status == ASDF_OK) status = asdf_stream_finish(stream);
    asdf_stream_free(stream);
    return status;
}

/* Writes a table and a description over the old file; neither is an ASDF file. */
static int32_t is_text_durable(const asdf_options *options) {
    return options == durable_options;
}

static asdf_status run_table(asdf_file *file, const asdf_options *options) {
    static const double numbers[3] = {1, 2, 3};
    asdf_table *table = NULL;
    asdf_options *ecsv = NULL;
    (void)file;
    if (asdf_table_new(3, &table) ||
        asdf_table_add_column(table, "x", ASDF_FLOAT64, 0, NULL, numbers, sizeof numbers, NULL, 0, NULL) ||
        asdf_options_new(&ecsv) || asdf_options_set_int(ecsv, ASDF_OPTION_REPLACE, 1) ||
        asdf_options_set_int(ecsv, ASDF_OPTION_DURABLE, is_text_durable(options))) {
        abort();
    }
    asdf_status status = asdf_table_write_ecsv(table, NAME, ecsv);
    asdf_options_free(ecsv);
    asdf_table_free(table);
    return status;
}

static asdf_status run_description(asdf_file *file, const asdf_options *options) {
    static const char text[] = "ndarrays: {a: {datatype: float64, shape: [2]}}\n";
    asdf_ndl *ndl = NULL;
    asdf_options *ndl_options = NULL;
    (void)file;
    if (asdf_ndl_read_memory(text, sizeof text - 1, NULL, &ndl) || asdf_options_new(&ndl_options) ||
        asdf_options_set_int(ndl_options, ASDF_OPTION_REPLACE, 1) ||
        asdf_options_set_int(ndl_options, ASDF_OPTION_DURABLE, is_text_durable(options))) {
        abort();
    }
    asdf_status status = asdf_ndl_write(ndl, NAME, ndl_options);
    asdf_options_free(ndl_options);
    asdf_ndl_free(ndl);
    return status;
}

/* Overwrites a part of the array of zeros. */
static asdf_status overwrite(asdf_file *file) {
    asdf_node *root = NULL;
    asdf_array *array = NULL;
    const int64_t first = 100, count = 4;
    if (asdf_file_root(file, &root) || asdf_node_get_array(root, "data", &array)) abort();
    asdf_status status = asdf_array_write_region(array, 1, &first, &count, NULL, ASDF_UINT8, "abcd", 4, NULL);
    asdf_array_free(array);
    asdf_node_free(root);
    return status;
}

/* If the sync of elements that were overwritten in place fails, they may be lost. A second sync would not show it. */
static void regions_that_are_not_sure(void) {
    asdf_file *file = make(SIZE, 0);
    size_t size = 0;
    if (write_over(file)) abort();
    asdf_file_free(file);
    unsigned char *before = slurp(NAME, &size);

    snprintf(situation, sizeof situation, "regions, the file cannot be waited for");
    if (asdf_file_open_for_update(NAME, NULL, &file)) abort();
    CHECK(overwrite(file) == ASDF_OK);
    faults_arm(CALL_FSYNC, 1, EIO, 0);
    CHECK(asdf_file_save(file, NULL) == ASDF_ERR_IO && os_number() == EIO);
    faults_disarm();
    CHECK(asdf_file_save(file, NULL) == ASDF_ERR_INCOMPLETE);
    CHECK(asdf_file_write(file, "other.asdf", NULL) == ASDF_ERR_INCOMPLETE);
    asdf_file_free(file);
    CHECK(has(NAME, before, size) && entries() == 1);
    passed++;

    snprintf(situation, sizeof situation, "regions, the first journal cannot be waited for");
    if (asdf_file_open_for_update(NAME, NULL, &file)) abort();
    faults_arm(CALL_FSYNC, 1, EIO, 0);
    CHECK(overwrite(file) == ASDF_ERR_IO && os_number() == EIO);
    faults_disarm();
    /* Nothing was changed, so a new journal can begin, and a save has nothing to do. */
    CHECK(entries() == 1 && has(NAME, before, size));
    CHECK(asdf_file_save(file, NULL) == ASDF_OK && has(NAME, before, size));
    faults_arm(CALL_WRITE, 0, EIO, 0);
    CHECK(overwrite(file) == ASDF_OK);
    faults_disarm();
    CHECK(faults_count(CALL_FSYNC) == 2);
    faults_arm(CALL_FSYNC, 2, EIO, 0);
    CHECK(asdf_file_save(file, NULL) == ASDF_ERR_NOT_DURABLE && os_number() == EIO);
    faults_disarm();
    asdf_file_free(file);
    CHECK(entries() == 1 && !has(NAME, before, size));
    free(before);
    passed++;
}

/* Writes an old file that can be opened. */
static void save_calls(void) {
    asdf_file *file = make(SIZE, 1);
    if (write_over(file)) abort();
    asdf_file_free(file);
    const unsigned char *text = old;
    size_t text_size = old_size;
    unsigned char *bytes = slurp(NAME, &old_size);
    old = bytes;
    for (save_mode = ASDF_SAVE_WHOLE; save_mode <= ASDF_SAVE_IN_PLACE; save_mode++)
        all_calls(prepare_update, asdf_file_save);
    save_mode = ASDF_SAVE_WHOLE;
    all_calls(prepare_update, asdf_file_compact);
    regions_that_are_not_sure();
    old = text;
    old_size = text_size;
    free(bytes);
}

/* Makes two arrays in separate files beside the main file. They exist only if the main file exists. */
static asdf_file *prepare_two(void) {
    asdf_file *file = make(SIZE, 0);
    asdf_node *root = NULL;
    const int64_t shape = 3;
    if (asdf_file_root(file, &root) || asdf_node_set_array(root, "more", ASDF_UINT8, 1, &shape, "abc", 3, NULL))
        abort();
    asdf_node_free(root);
    return file;
}

static int is_readable(void) {
    asdf_options *options = NULL;
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    asdf_array *array = NULL;
    char found[3] = "";
    int good = !asdf_options_new(&options) &&
               !asdf_options_set_int(options, ASDF_OPTION_ACCESS, ASDF_ACCESS_SAME_DIRECTORY) &&
               !asdf_file_open(NAME, options, &file) && !asdf_file_root(file, &root) &&
               !asdf_node_get_array(root, "more", &array) &&
               !asdf_array_read(array, ASDF_UINT8, NULL, found, sizeof found, NULL, 0) && memcmp(found, "abc", 3) == 0;
    asdf_array_free(array);
    asdf_node_free(root);
    asdf_file_free(file);
    asdf_options_free(options);
    return good;
}

static void each_call_of_exploding(enum fault_call call, int error, int32_t is_durable) {
    asdf_options *options = durable(is_durable);
    for (long number = 1;; number++) {
        snprintf(situation, sizeof situation, "exploding, %s number %ld, %s%s", fault_call_names[call], number,
                 strerror(error), is_durable ? "" : ", not durable");
        put_old();
        asdf_file *file = prepare_two();
        faults_arm(call, number, error, 0);
        asdf_status status = asdf_file_explode(file, NAME, options);
        long fired = faults_disarm();
        if (has(NAME, old, old_size)) {
            CHECK(status != ASDF_OK && os_number() == error && entries() == 1);
        } else {
            CHECK(entries() == 3 && is_readable());
            int is_waiting = fired && call == CALL_FSYNC;
            CHECK(status == (is_waiting ? ASDF_ERR_NOT_DURABLE : ASDF_OK));
            if (is_waiting) CHECK(os_number() == error);
        }
        CHECK(asdf_file_explode(file, NAME, options) == ASDF_OK && entries() == 3 && is_readable());
        asdf_file_free(file);
        unlink("image0000.asdf");
        unlink("image0001.asdf");
        if (fired == 0) break;
        passed++;
    }
    asdf_options_free(options);
}

static void exploding(void) {
    for (int32_t is_durable = 0; is_durable <= 1; is_durable++) {
        for (int call = 0; call < CALLS; call++) {
            each_call_of_exploding(call, EIO, is_durable);
            each_call_of_exploding(call, ENOSPC, is_durable);
        }
    }
}

/* With a free name, any failure leaves the whole new file or none. */
static void each_call_of_a_free_name(enum fault_call call, int error, int32_t is_durable) {
    asdf_options *options = durable(is_durable);
    asdf_file *file = make(SIZE, 0), *again = NULL;
    if (asdf_options_unset(options, ASDF_OPTION_REPLACE)) abort();
    for (long number = 1;; number++) {
        snprintf(situation, sizeof situation, "a free name, %s number %ld, %s%s", fault_call_names[call], number,
                 strerror(error), is_durable ? "" : ", not durable");
        unlink(NAME);
        faults_arm(call, number, error, 0);
        asdf_status status = asdf_file_write(file, NAME, options);
        long fired = faults_disarm();
        if (access(NAME, F_OK) != 0) {
            CHECK(status != ASDF_OK && os_number() == error && entries() == 0);
        } else {
            int is_waiting = fired && call == CALL_FSYNC;
            CHECK(status == (is_waiting ? ASDF_ERR_NOT_DURABLE : ASDF_OK) && entries() == 1);
            CHECK(asdf_file_open(NAME, NULL, &again) == ASDF_OK);
            CHECK(asdf_file_verify(again, NULL, NULL, NULL, NULL) == ASDF_OK);
            asdf_file_free(again);
            CHECK(asdf_file_write(file, NAME, options) == ASDF_ERR_FILE_EXISTS && entries() == 1);
        }
        if (fired == 0) break;
        passed++;
    }
    asdf_file_free(file);
    asdf_options_free(options);
}

static void free_names(void) {
    for (int32_t is_durable = 0; is_durable <= 1; is_durable++) {
        for (int call = 0; call < CALLS; call++) {
            each_call_of_a_free_name(call, EIO, is_durable);
            each_call_of_a_free_name(call, ENOSPC, is_durable);
        }
    }
    put_old();
}

/* The file and its folder are synced exactly if that is requested. */
static void waiting(void) {
    asdf_file *file = make(100, 0);
    for (int32_t is_durable = 0; is_durable <= 1; is_durable++) {
        snprintf(situation, sizeof situation, "durable = %d", (int)is_durable);
        asdf_options *options = durable(is_durable);
        faults_arm(CALL_WRITE, 0, EIO, 0);
        CHECK(asdf_file_write(file, NAME, options) == ASDF_OK);
        faults_disarm();
        CHECK(faults_count(CALL_FSYNC) == (is_durable ? 2 : 0));
        asdf_options_free(options);
        passed++;
    }
    asdf_file_free(file);
}

/* A folder that cannot be synced at all is not an error, but such a file is. */
static void folders_without_waiting(void) {
    static const int errors[] = {EINVAL, ENOTSUP};
    asdf_file *file = make(100, 0);
    for (int i = 0; i < 2; i++) {
        snprintf(situation, sizeof situation, "waiting is %s", strerror(errors[i]));
        put_old();
        faults_arm(CALL_FSYNC, 1, errors[i], 0);
        CHECK(write_over(file) == ASDF_ERR_IO && has(NAME, old, old_size));
        faults_arm(CALL_FSYNC, 2, errors[i], 0);
        CHECK(write_over(file) == ASDF_OK);
        CHECK(faults_disarm() == 1 && !has(NAME, old, old_size));
        passed++;
    }
    asdf_file_free(file);
}

/* Runs a test in a separate process, which may change its limits. */
static void apart(const char *name, void (*test)(void)) {
    snprintf(situation, sizeof situation, "%s", name);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        failures = 0;
        test();
        fflush(stdout);
        _exit(failures != 0);
    }
    int status = -1;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
        printf("FAILED %s: wait status %#x\n", name, (unsigned)status);
        failures++;
    } else {
        passed++;
    }
}

/* Checks that the file cannot be written and the old one stays. */
static void refused(asdf_status expected) {
    asdf_file *file = make(SIZE, 0);
    put_old();
    int before = entries();
    CHECK(write_over(file) == expected);
    CHECK(has(NAME, old, old_size) && entries() == before);
    asdf_file_free(file);
}

/* A file system that copies on write has no room for the old content either. The journal restores it once there is. */
static void restored_with_room(const unsigned char *before, size_t size) {
    asdf_file *file = NULL;
    CHECK(entries() == 2 && remove("../filler") == 0);
    CHECK(asdf_file_open_for_update(NAME, NULL, &file) == ASDF_OK);
    CHECK(has(NAME, before, size) && entries() == 1);
    asdf_file_free(file);
}

/* There is no space for another array, neither in place nor in a new file. */
static void no_room_for_more(void) {
    asdf_file *file = make(20000, 0);
    asdf_node *root = NULL;
    const int64_t shape = SIZE;
    void *zeros = calloc(1, SIZE);
    size_t size = 0;
    if (!zeros || write_over(file)) abort();
    asdf_file_free(file);
    unsigned char *before = slurp(NAME, &size);
    is_saving = 1;
    for (save_mode = ASDF_SAVE_WHOLE; save_mode <= ASDF_SAVE_IN_PLACE; save_mode++) {
        asdf_options *options = durable(1);
        file = prepare_update();
        if (asdf_file_root(file, &root)) abort();
        CHECK(asdf_node_set_array(root, "large", ASDF_UINT8, 1, &shape, zeros, SIZE, NULL) == ASDF_OK);
        CHECK(asdf_file_save(file, options) == ASDF_ERR_NO_SPACE);
        bool is_restored = has(NAME, before, size);
        if (is_restored) {
            CHECK(entries() == 1);
            CHECK(asdf_node_remove(root, "large") == ASDF_OK);
            CHECK(asdf_file_save(file, options) == ASDF_OK);
        }
        asdf_node_free(root);
        asdf_file_free(file);
        asdf_options_free(options);
        if (!is_restored) restored_with_room(before, size);
        FILE *stream = fopen(NAME, "wb");
        if (!stream || fwrite(before, 1, size, stream) != size || fclose(stream)) abort();
    }
    is_saving = 0;
    free(before);
    free(zeros);
    if (remove(NAME)) abort();
}

static void too_large(void) {
    struct rlimit limit = {100000, 100000};
    signal(SIGXFSZ, SIG_IGN);
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    refused(ASDF_ERR_NO_SPACE);
}

/* Files are renamed without the C library, so here the system itself refuses. */
static void no_renaming(void) {
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#ifdef SYS_rename
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rename, 3, 0),
#else
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_renameat2, 3, 0),
#endif
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_renameat, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_renameat2, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EIO),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        printf("skipped: the system has no seccomp filters\n");
        return;
    }
    refused(ASDF_ERR_IO);
}

/* A file system that can neither rename without replacing nor make hard links. */
static void only_plain_renaming(void) {
#ifdef SYS_link
    enum { LINK = SYS_link };
#else
    enum { LINK = SYS_linkat };
#endif
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_linkat, 5, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, LINK, 4, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_renameat2, 0, 2),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[4])), /* the flags */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 2),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        printf("skipped: the system has no seccomp filters\n");
        return;
    }
    put_old();
    asdf_file *file = make(100, 0);
    CHECK(link(NAME, "another name") != 0 && errno == EPERM);
    CHECK(asdf_file_write(file, NAME, NULL) == ASDF_ERR_FILE_EXISTS && has(NAME, old, old_size));
    CHECK(unlink(NAME) == 0 && asdf_file_write(file, NAME, NULL) == ASDF_OK && entries() == 1);
    CHECK(asdf_file_write(file, NAME, NULL) == ASDF_ERR_FILE_EXISTS && write_over(file) == ASDF_OK && entries() == 1);
    asdf_file_free(file);
    put_old();
}

static void folder_for_reading(void) {
    if (geteuid() == 0) {
        printf("skipped: permissions do not bind root\n");
        return;
    }
    put_old();
    CHECK(chmod(".", 0555) == 0);
    asdf_file *file = make(100, 0);
    CHECK(write_over(file) == ASDF_ERR_PERMISSION_DENIED);
    CHECK(has(NAME, old, old_size) && entries() == 1);
    CHECK(chmod(".", 0777) == 0);
    asdf_file_free(file);
}

static void full_device(void) {
    asdf_file *file = make(100, 0);
    int descriptor = open("/dev/full", O_WRONLY);
    CHECK(descriptor >= 0 && asdf_file_write_descriptor(file, descriptor, NULL) == ASDF_ERR_NO_SPACE);
    CHECK(close(descriptor) == 0);
    asdf_file_free(file);
}

static int broken_pipe(void) {
    int ends[2];
    if (pipe(ends)) abort();
    close(ends[0]);
    return ends[1];
}

static void pipe_without_reader(void) {
    signal(SIGPIPE, SIG_IGN);
    asdf_file *file = make(100, 0);
    CHECK(asdf_file_write_descriptor(file, broken_pipe(), NULL) == ASDF_ERR_IO);
    CHECK(os_number() == EPIPE);
    asdf_file_free(file);
}

/* The library changes no signal handlers. */
static void signals_untouched(void) {
    for (int number = 1; number < NSIG; number++) {
        struct sigaction action;
        if (sigaction(number, NULL, &action)) continue;
        // The starting program may ignore some signals, as a shell does for background processes.
        bool is_inherited = action.sa_handler == SIG_IGN && number != SIGPIPE;
        CHECK(action.sa_handler == SIG_DFL || is_inherited);
    }
    pid_t child = fork();
    if (child == 0) {
        asdf_file_write_descriptor(make(100, 0), broken_pipe(), NULL);
        _exit(0);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
}

int main(int count, char **arguments) {
    if (count > 1 && strcmp(arguments[1], "full") == 0) { /* in a folder on a small device */
        refused(ASDF_ERR_NO_SPACE);
        if (remove(NAME)) abort();
        no_room_for_more();
        passed = 2;
    } else {
        all_calls(prepare_plain, run_write);
        all_calls(prepare_compressed, run_write);
        all_calls(prepare_plain, run_stream);
        all_calls(prepare_plain, run_table);
        all_calls(prepare_plain, run_description);
        save_calls();
        exploding();
        free_names();
        waiting();
        folders_without_waiting();
        apart("a limit on the size of files", too_large);
        apart("renaming fails", no_renaming);
        apart("only plain renaming", only_plain_renaming);
        apart("a folder for reading only", folder_for_reading);
        apart("a full device", full_device);
        apart("a pipe without a reader", pipe_without_reader);
        apart("signals", signals_untouched);
    }
    printf("%d passed, %d failed\n", passed, failures);
    return failures != 0;
}
