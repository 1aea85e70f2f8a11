/* Calls that report their progress, and stop when the program cancels them. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include <dirent.h>
#include <pthread.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define COUNT 60000

static double numbers[COUNT];

/* Record of the reports that a callback got. */
struct watch {
    int32_t reports, last_wanted, closed;
    int64_t done, total;
    pthread_t thread;
    const asdf_file *used;
};

static int32_t look(void *user, int64_t done, int64_t total) {
    struct watch *watch = user;
    CHECK(pthread_equal(pthread_self(), watch->thread));
    CHECK(done >= watch->done && (total < 0 || done <= total) && total >= watch->total);
    if (watch->used) {
        /* Using the file of the call or its handles is refused; other handles are allowed. */
        asdf_node *node = NULL;
        asdf_file *other = NULL;
        FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_root(watch->used, &node));
        CHECK(message_holds("callback"));
        OK(asdf_file_new(NULL, &other));
        OK(asdf_file_root(other, &node));
        OK(asdf_node_set_i64(node, "a", 1));
        asdf_node_free(node);
        asdf_file_free(other);
    }
    watch->done = done;
    watch->total = total;
    return ++watch->reports > watch->last_wanted;
}

static asdf_status count_close(void *user) {
    ((struct watch *)user)->closed++;
    return ASDF_OK;
}

/* Returns options whose callback accepts this number of reports. */
static asdf_options *watching(struct watch *watch, int32_t wanted) {
    asdf_options *options = NULL;
    *watch = (struct watch){.last_wanted = wanted, .total = -1, .thread = pthread_self()};
    OK(asdf_options_new(&options));
    OK(asdf_options_set_progress(options, look, count_close, watch));
    return options;
}

/* Resets the count: the next call may make all its reports. */
static void let_go_on(struct watch *watch) {
    watch->done = 0;
    watch->total = -1;
    watch->last_wanted = 1 << 30;
}

/* The next call is cancelled at its first report. */
static void stop_at_once(struct watch *watch) {
    let_go_on(watch);
    watch->last_wanted = watch->reports;
}

/* Returns a hash of all names and bytes in the directory. */
static uint64_t state_of_directory(void) {
    uint64_t sum = 0;
    DIR *directory = opendir(".");
    for (struct dirent *entry = directory ? readdir(directory) : NULL; entry; entry = readdir(directory)) {
        uint64_t hash = 14695981039346656037u;
        struct stat status;
        for (const char *at = entry->d_name; *at; at++) hash = (hash ^ (unsigned char)*at) * 1099511628211u;
        FILE *stream = stat(entry->d_name, &status) == 0 && S_ISREG(status.st_mode) ? fopen(entry->d_name, "rb") : NULL;
        uint64_t words[4096] = {0};
        for (size_t bytes; stream && (bytes = fread(words, 1, sizeof words, stream)) > 0;) {
            for (size_t word = 0; word < (bytes + 7) / 8; word++) hash = (hash ^ words[word]) * 1099511628211u;
        }
        if (stream) fclose(stream);
        sum += hash;
    }
    if (directory) closedir(directory);
    return sum;
}

static asdf_file *file = NULL;
static asdf_node *root = NULL;
static asdf_table *table = NULL;
static asdf_ndl *description = NULL;
static asdf_array *array = NULL;
static double found[COUNT];

static void set(const char *path, const char *codec) {
    const int64_t shape[] = {COUNT};
    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    OK(set_codec(options, codec, -1));
    OK(asdf_node_set_array(root, path, ASDF_FLOAT64, 1, shape, numbers, sizeof numbers, options));
    asdf_options_free(options);
}

static void close_file(void) {
    free_file(&file, &root, &array);
}

static void begin_file(void) {
    OK(asdf_file_new(NULL, &file));
    root = root_of(file);
    set("plain", NULL);
    set("packed", "zlib");
    set("fast", "lz4");
}

static void open_file(const char *name, const char *path) {
    OK(asdf_file_open(name, NULL, &file));
    root = root_of(file);
    if (path) OK(asdf_node_get_array(root, path, &array));
}

static void update_file(const char *name) {
    OK(asdf_file_open_for_update(name, NULL, &file));
    root = root_of(file);
}

/* The calls under test. Each can be repeated after it was cancelled. */
static asdf_status write_file(asdf_options *options) {
    return asdf_file_write(file, "written.asdf", options);
}
static asdf_status write_memory(asdf_options *options) {
    asdf_buffer *buffer = NULL;
    asdf_status status = asdf_file_write_memory(file, options, &buffer);
    CHECK((status == ASDF_OK) == (buffer != NULL));
    asdf_buffer_free(buffer);
    return status;
}
static asdf_status save(asdf_options *options) {
    return asdf_file_save(file, options);
}
static asdf_status save_whole(asdf_options *options) {
    OK(asdf_options_set_int(options, ASDF_OPTION_SAVE_MODE, ASDF_SAVE_WHOLE));
    return asdf_file_save(file, options);
}
static asdf_status save_in_place(asdf_options *options) {
    OK(asdf_options_set_int(options, ASDF_OPTION_SAVE_MODE, ASDF_SAVE_IN_PLACE));
    return asdf_file_save(file, options);
}
static asdf_status compact(asdf_options *options) {
    return asdf_file_compact(file, options);
}
static asdf_status repair(asdf_options *options) {
    int32_t index;
    int64_t checksums;
    return asdf_file_repair(file, ASDF_REPAIR_INDEX | ASDF_REPAIR_WRONG_CHECKSUMS, options, &index, &checksums);
}
static asdf_status explode(asdf_options *options) {
    return asdf_file_explode(file, "exploded.asdf", options);
}
static asdf_status implode(asdf_options *options) {
    return asdf_file_implode(file, "imploded.asdf", options);
}
static asdf_status recover(asdf_options *options) {
    return asdf_file_recover("whole.asdf", "recovered.asdf", 0, options, NULL);
}
static asdf_status verify(asdf_options *options) {
    int64_t absent, stored, decoded;
    return asdf_file_verify(file, options, &absent, &stored, &decoded);
}
static asdf_status verify_block(asdf_options *options) {
    int32_t verdict;
    return asdf_file_verify_block(file, 0, options, &verdict);
}
static asdf_status read_block(asdf_options *options) {
    return asdf_file_read_block(file, 1, options, found, sizeof found);
}
static asdf_status read_array(asdf_options *options) {
    asdf_status status = asdf_array_read(array, ASDF_FLOAT64, options, found, sizeof found, NULL, 0);
    CHECK(status != ASDF_OK || memcmp(found, numbers, sizeof found) == 0);
    return status;
}
static asdf_status read_on_threads(asdf_options *options) {
    OK(asdf_options_set_int(options, ASDF_OPTION_THREADS, 3));
    return read_array(options);
}
static asdf_status read_converted(asdf_options *options) {
    return asdf_array_read(array, ASDF_FLOAT32, options, found, sizeof found, NULL, 0);
}
static asdf_status read_region(asdf_options *options) {
    const int64_t start = COUNT - 1, count = COUNT / 2, step = -2;
    return asdf_array_read_region(array, 1, &start, &count, &step, ASDF_FLOAT64, options, found, sizeof found, NULL, 0);
}
static asdf_status load(asdf_options *options) {
    asdf_buffer *elements = NULL;
    asdf_status status = asdf_array_load(array, ASDF_FLOAT64, options, &elements, NULL);
    CHECK((status == ASDF_OK) == (elements != NULL));
    asdf_buffer_free(elements);
    return status;
}
static asdf_status write_region(asdf_options *options) {
    const int64_t start = 5, count = COUNT - 5;
    return asdf_array_write_region(array, 1, &start, &count, NULL, ASDF_FLOAT64, numbers, sizeof numbers - 40, options);
}
static asdf_status write_ecsv(asdf_options *options) {
    return asdf_table_write_ecsv(table, "table.ecsv", options);
}
static asdf_status read_ecsv(asdf_options *options) {
    asdf_table *again = NULL;
    int64_t rows = 0;
    asdf_status status = asdf_table_read_ecsv("rows.ecsv", options, &again);
    CHECK((status == ASDF_OK) == (again != NULL));
    if (again) OK(asdf_table_row_count(again, &rows));
    CHECK(!again || rows == 20000);
    asdf_table_free(again);
    return status;
}
static asdf_status read_ecsv_on_threads(asdf_options *options) {
    OK(asdf_options_set_int(options, ASDF_OPTION_THREADS, 3));
    return read_ecsv(options);
}
static asdf_status create_asdf(asdf_options *options) {
    return asdf_ndl_create_asdf(description, "created.asdf", options, NULL);
}
static asdf_status read_values(asdf_options *options) {
    int32_t values[4];
    return asdf_ndl_read_values(description, "/a", NULL, ASDF_INT32, options, values, sizeof values);
}

/* A call reports from 0 to its total. If cancelled, it leaves the directory unchanged and can be repeated. */
static void check_call(const char *name, asdf_status (*call)(asdf_options *)) {
    struct watch watch;
    uint64_t before = state_of_directory();
    asdf_options *options = watching(&watch, 0);
    watch.used = file;
    FAILS(ASDF_ERR_CANCELLED, call(options));
    CHECK(message_holds("asdf_") && message_holds("cancelled"));
    CHECK(watch.reports == 1 && watch.closed == 0);
    asdf_options_free(options);
    CHECK(watch.closed == 1);
    if (state_of_directory() != before) {
        fprintf(stderr, "%s: the directory is not as it was\n", name);
        CHECK(!"the directory is as it was");
    }
    options = watching(&watch, 1 << 30);
    OK(call(options));
    if (watch.reports < 1 || (watch.total >= 0 && watch.done != watch.total)) {
        fprintf(stderr, "%s: %d reports up to %lld of %lld\n", name, (int)watch.reports, (long long)watch.done,
                (long long)watch.total);
        CHECK(!"the last report says that all is done");
    }
    asdf_options_free(options);
    CHECK(watch.closed == 1);
}
#define CALL(call) check_call(#call, call)

static void writing(void) {
    begin_file();
    CALL(write_file);
    CALL(write_memory);
    OK(asdf_file_write(file, "whole.asdf", NULL));
    CALL(explode);
    close_file();
    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_ACCESS, ASDF_ACCESS_SAME_DIRECTORY));
    OK(asdf_file_open("exploded.asdf", options, &file));
    CALL(implode);
    close_file();
    asdf_options_free(options);
    CALL(recover);
}

static void saving(void) {
    update_file("whole.asdf");
    OK(asdf_node_set_f64(root, "number", 0.5));
    CALL(save_whole);
    set("more", NULL);
    CALL(save_in_place);
    set("external", "lz4");
    OK(asdf_node_set_i64(root, "again", 1));
    CALL(save);
    OK(asdf_node_remove(root, "more"));
    CALL(compact);
    close_file();
    open_file("whole.asdf", "external");
    asdf_options *none = NULL;
    OK(asdf_options_new(&none));
    OK(read_array(none));
    close_file();
    asdf_options_free(none);

    /* A file without an index. */
    struct watch watch;
    open_file("whole.asdf", NULL);
    none = watching(&watch, 1 << 30);
    OK(asdf_options_set_int(none, ASDF_OPTION_BLOCK_INDEX, 0));
    asdf_file *other = NULL;
    asdf_node *to = NULL;
    OK(asdf_file_new(NULL, &other));
    to = root_of(other);
    asdf_node *from = NULL;
    OK(asdf_node_get(root, "plain", &from));
    OK(asdf_node_copy(to, "a", from, NULL));
    asdf_node_free(from);
    OK(asdf_file_write(other, "bare.asdf", none));
    asdf_node_free(to);
    asdf_file_free(other);
    asdf_options_free(none);
    close_file();
    update_file("bare.asdf");
    CALL(repair);
    close_file();
}

static void reading(void) {
    static const char *paths[] = {"plain", "packed", "fast"};
    for (int index = 0; index < 3; index++) {
        open_file("written.asdf", paths[index]);
        CALL(read_array);
        CALL(read_on_threads);
        CALL(read_converted);
        CALL(read_region);
        CALL(load);
        close_file();
    }
    open_file("written.asdf", NULL);
    CALL(verify);
    CALL(verify_block);
    CALL(read_block);
    close_file();
}

static void regions(void) {
    update_file("written.asdf");
    OK(asdf_node_get_array(root, "plain", &array));
    CALL(write_region);
    OK(asdf_file_save(file, NULL));
    close_file();
}

static void text(void) {
    static int64_t values[20000];
    for (int64_t row = 0; row < 20000; row++) values[row] = row * row;
    OK(asdf_table_new(20000, &table));
    OK(asdf_table_add_column(table, "a", ASDF_INT64, 0, NULL, values, sizeof values, NULL, 0, NULL));
    OK(asdf_table_write_ecsv(table, "rows.ecsv", NULL));
    CALL(write_ecsv);
    CALL(read_ecsv);
    CALL(read_ecsv_on_threads);

    /* The next call of a reader returns the same rows. */
    struct watch watch;
    asdf_table_reader *reader = NULL;
    asdf_table *batch = NULL;
    int64_t rows = 0, all = 0;
    asdf_options *options = watching(&watch, 1 << 30);
    OK(asdf_options_set_int(options, ASDF_OPTION_BATCH_ROWS, 5000));
    OK(asdf_table_reader_open("rows.ecsv", options, &reader));
    asdf_options_free(options);
    for (;;) {
        stop_at_once(&watch);
        FAILS(ASDF_ERR_CANCELLED, asdf_table_reader_next(reader, &batch));
        CHECK(!batch);
        let_go_on(&watch);
        OK(asdf_table_reader_next(reader, &batch));
        let_go_on(&watch);
        if (!batch) break;
        OK(asdf_table_row_count(batch, &rows));
        CHECK(rows == 5000);
        all += rows;
        asdf_table_free(batch);
        batch = NULL;
    }
    CHECK(all == 20000 && watch.closed == 0);
    asdf_table_reader_free(reader);
    CHECK(watch.closed == 1);

    /* A writer continues with the same table, and refuses another one before that. */
    asdf_table_writer *writer = NULL;
    options = watching(&watch, 1 << 30);
    OK(asdf_table_writer_create("again.ecsv", table, options, &writer));
    asdf_options_free(options);
    stop_at_once(&watch);
    FAILS(ASDF_ERR_CANCELLED, asdf_table_writer_append(writer, table));
    let_go_on(&watch);
    OK(asdf_table_writer_append(writer, table));
    let_go_on(&watch);
    OK(asdf_table_writer_finish(writer));
    asdf_table_writer_free(writer);
    CHECK(watch.closed == 1);
    asdf_table *again = NULL;
    OK(asdf_table_read_ecsv("again.ecsv", NULL, &again));
    OK(asdf_table_row_count(again, &rows));
    CHECK(rows == 20000);
    asdf_table_free(again);
    asdf_table_free(table);
    table = NULL;
}

static void descriptions(void) {
    static const char ndl[] = "ndarrays:\n  a: {type: int32, shape: [4], value: [1, 2, 3, 4]}\n";
    OK(asdf_ndl_read_memory(ndl, sizeof ndl - 1, NULL, &description));
    CALL(create_asdf);
    CALL(read_values);
    asdf_ndl_free(description);
}

static void streams(void) {
    const int64_t row_shape[] = {200};
    struct watch watch;
    asdf_stream *stream = NULL;
    int64_t rows = -1;
    OK(asdf_file_new(NULL, &file));
    asdf_options *options = watching(&watch, 0);
    FAILS(ASDF_ERR_CANCELLED,
          asdf_stream_create(file, "rows.asdf", "rows", ASDF_FLOAT64, 1, row_shape, options, &stream));
    CHECK(!stream);
    asdf_options_free(options);
    options = watching(&watch, 1 << 30);
    OK(asdf_stream_create(file, "rows.asdf", "rows", ASDF_FLOAT64, 1, row_shape, options, &stream));
    asdf_options_free(options);
    stop_at_once(&watch);
    FAILS(ASDF_ERR_CANCELLED, asdf_stream_push(stream, 300, numbers, sizeof numbers));
    OK(asdf_stream_row_count(stream, &rows));
    CHECK(rows >= 0 && rows < 300);
    let_go_on(&watch);
    OK(asdf_stream_push(stream, 300 - rows, numbers + 200 * rows, sizeof numbers - 1600 * (size_t)rows));
    let_go_on(&watch);
    OK(asdf_stream_finish(stream));
    asdf_stream_free(stream);
    CHECK(watch.closed == 1);
    close_file();
    open_file("rows.asdf", "rows");
    options = watching(&watch, 1 << 30);
    OK(read_array(options));
    asdf_options_free(options);
    close_file();
}

static void arguments(void) {
    struct watch watch = {0};
    asdf_options *options = NULL;
    int64_t value;
    OK(asdf_options_new(&options));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_options_set_progress(options, NULL, count_close, &watch));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_options_set_progress(NULL, look, count_close, &watch));
    CHECK(watch.closed == 0);
    OK(asdf_options_set_progress(options, look, count_close, &watch));
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_options_get_int(options, ASDF_OPTION_PROGRESS, &value));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_PROGRESS, 1));
    OK(asdf_options_unset(options, ASDF_OPTION_PROGRESS));
    CHECK(watch.closed == 1);
    OK(asdf_options_set_progress(options, look, NULL, NULL));
    asdf_options_free(options);
}

/* A source that gives one byte at a time, the first ones slowly. */
struct slow {
    const char *bytes;
    size_t size;
    int slow_calls;
};

static asdf_status read_slowly(void *user, int64_t offset, void *buffer, size_t size, size_t *got) {
    static const struct timespec millisecond = {.tv_nsec = 1000000};
    struct slow *slow = user;
    (void)size;
    if (slow->slow_calls-- > 0) nanosleep(&millisecond, NULL);
    memcpy(buffer, slow->bytes + offset, 1);
    *got = 1;
    return ASDF_OK;
}

static asdf_status open_slowly(asdf_options *options) {
    static struct slow slow;
    const void *bytes = NULL;
    asdf_buffer *buffer = NULL;
    OK(asdf_file_write_memory(file, NULL, &buffer));
    OK(asdf_buffer_bytes(buffer, &bytes, &slow.size));
    slow.bytes = bytes;
    slow.slow_calls = 300;
    asdf_file *opened = NULL;
    asdf_status status = asdf_file_open_source(read_slowly, NULL, &slow, (int64_t)slow.size, options, &opened);
    asdf_file_free(opened);
    asdf_buffer_free(buffer);
    return status;
}

/* The number of calls that a callback of the program needs is limited by cancelling only. */
static void slow_sources(void) {
    struct watch watch;
    begin_file();
    asdf_options *options = watching(&watch, 0);
    FAILS(ASDF_ERR_CANCELLED, open_slowly(options));
    CHECK(watch.reports == 1);
    asdf_options_free(options);
    options = watching(&watch, 1 << 30);
    OK(open_slowly(options));
    CHECK(watch.reports > 1);
    asdf_options_free(options);
    close_file();
}

int main(void) {
    for (int index = 0; index < COUNT; index++) numbers[index] = index * 0.5;
    writing();
    saving();
    reading();
    regions();
    text();
    descriptions();
    streams();
    slow_sources();
    arguments();
    return report();
}
