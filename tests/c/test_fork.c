/* The child of a fork may read from, close and free inherited handles. It removes, unlocks, undoes and writes nothing
   of the parent. Its own handles can be used without restriction. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
/* Included after the checks. */
#include "child.h"
#include <dirent.h>

enum { ROWS = 300, COLUMNS = 1000 };

static const int64_t shape[] = {ROWS, COLUMNS}, row_shape[] = {COLUMNS};
static const int64_t start[] = {7, 0}, one_row[] = {1, COLUMNS};
static int32_t numbers[ROWS * COLUMNS];
static asdf_file *file;
static asdf_node *root;
static asdf_array *array;
static asdf_stream *stream;
static asdf_table *table;
static asdf_table_writer *writer;
static asdf_table_reader *reader;
static asdf_options *options;
static const char *name;

/* Returns the number of files whose name contains this text. */
static int files_named(const char *part) {
    DIR *folder = opendir(".");
    int count = 0;
    if (!folder) exit(1);
    for (struct dirent *entry; (entry = readdir(folder));) count += strstr(entry->d_name, part) != NULL;
    closedir(folder);
    return count;
}

static void make(const char *path) {
    asdf_node *made = NULL;
    asdf_file *new = new_file(&made);
    OK(asdf_node_set_i64(made, "number", 1));
    OK(asdf_node_set_array(made, "a", ASDF_INT32, 2, shape, numbers, sizeof numbers, NULL));
    OK(asdf_file_write(new, path, NULL));
    asdf_node_free(made);
    asdf_file_free(new);
}

static void open_all(const char *path, int for_update) {
    name = path;
    OK(for_update ? asdf_file_open_for_update(path, NULL, &file) : asdf_file_open(path, NULL, &file));
    root = root_of(file);
    OK(asdf_node_get_array(root, "a", &array));
}

static void free_all(void) {
    free_file(&file, &root, &array);
}

static void check_array(int32_t first) {
    static int32_t found[COLUMNS];
    OK(asdf_array_read_region(array, 2, start, one_row, NULL, ASDF_INT32, NULL, found, sizeof found, NULL, 0));
    CHECK(found[0] == first && memcmp(found + 1, numbers + 7 * COLUMNS + 1, sizeof found - sizeof *found) == 0);
}

/* Updates -----------------------------------------------------------------------------------------------------------
 */

static void refused(void) {
    int64_t number = 0, checksums = 0;
    int32_t index = 0;
    asdf_buffer *buffer = NULL;
    FAILS(ASDF_ERR_FORKED, asdf_node_set_i64(root, "number", 5));
    FAILS(ASDF_ERR_FORKED, asdf_node_remove(root, "number"));
    FAILS(ASDF_ERR_FORKED, asdf_node_set_array(root, "b", ASDF_INT32, 2, shape, numbers, sizeof numbers, NULL));
    FAILS(ASDF_ERR_FORKED, asdf_node_copy(root, "b", root, NULL));
    FAILS(ASDF_ERR_FORKED, asdf_file_add_comment(file, "c", 1));
    FAILS(ASDF_ERR_FORKED, asdf_file_add_history(file, "h", 1, NULL, NULL, NULL, NULL, NULL));
    FAILS(ASDF_ERR_FORKED, asdf_array_write_region(array, 2, start, one_row, NULL, ASDF_INT32, numbers,
                                                   COLUMNS * sizeof *numbers, NULL));
    FAILS(ASDF_ERR_FORKED, asdf_file_save(file, NULL));
    FAILS(ASDF_ERR_FORKED, asdf_file_compact(file, NULL));
    FAILS(ASDF_ERR_FORKED, asdf_file_repair(file, ASDF_REPAIR_INDEX, NULL, &index, &checksums));
    FAILS(ASDF_ERR_FORKED, asdf_file_write(file, "copy.asdf", NULL));
    FAILS(ASDF_ERR_FORKED, asdf_file_write(file, name, NULL));
    FAILS(ASDF_ERR_FORKED, asdf_file_write_memory(file, NULL, &buffer));
    FAILS(ASDF_ERR_FORKED, asdf_file_explode(file, "copy.asdf", NULL));
    FAILS(ASDF_ERR_FORKED, asdf_file_implode(file, "copy.asdf", NULL));
    FAILS(ASDF_ERR_FORKED, asdf_file_forget_failure(file));
    FAILS(ASDF_ERR_FORKED, asdf_stream_create(file, "copy.asdf", "rows", ASDF_INT32, 1, row_shape, NULL, &stream));
    CHECK(message_holds("a child process can only read"));
    OK(asdf_node_get_i64(root, "number", &number));
    CHECK(number == 2);
    check_array(-1);
    CHECK(files_named("copy.asdf") == 0);
}

static void child_that_frees(void) {
    free_all();
}

static void child_that_closes(void) {
    asdf_view *view = NULL;
    asdf_file *another = NULL;
    int64_t number = 0;
    refused();
    OK(asdf_array_view(array, ASDF_INT32, NULL, &view));
    const void *bytes = NULL;
    size_t size = 0;
    OK(asdf_view_bytes(view, &bytes, &size));
    CHECK(size == sizeof numbers && memcmp(bytes, numbers, 7 * COLUMNS * sizeof *numbers) == 0);
    asdf_view_free(view);
    FAILS(ASDF_ERR_LOCKED, asdf_file_open_for_update(name, NULL, &another));
    OK(asdf_file_close(file));
    FAILS(ASDF_ERR_CLOSED, asdf_node_get_i64(root, "number", &number));
    OK(asdf_file_close(file));
    free_all();
}

static void child_that_only_ends(void) {
    refused();
}

static void child_with_a_child(void) {
    in_child("of a child", child_that_closes);
    refused();
    free_all();
}

static void updates(void) {
    static const struct {
        const char *name;
        void (*work)(void);
    } children[] = {{"frees", child_that_frees},
                    {"closes", child_that_closes},
                    {"only ends", child_that_only_ends},
                    {"has a child", child_with_a_child}};
    const int32_t minus = -1;
    asdf_file *another = NULL;
    make("update.asdf");
    open_all("update.asdf", 1);
    OK(asdf_node_set_i64(root, "number", 2));
    OK(asdf_array_write_region(array, 2, start, (int64_t[]){1, 1}, NULL, ASDF_INT32, &minus, sizeof minus, NULL));
    CHECK(files_named("journal") == 1);
    for (size_t i = 0; i < sizeof children / sizeof *children; i++) {
        in_child(children[i].name, children[i].work);
        /* Journal, lock and written bytes are unchanged. */
        CHECK(files_named("journal") == 1);
        FAILS(ASDF_ERR_LOCKED, asdf_file_open_for_update("update.asdf", NULL, &another));
        check_array(-1);
    }
    OK(asdf_file_save(file, NULL));
    free_all();
    CHECK(files_named("journal") == 0);
    open_all("update.asdf", 1);
    int64_t number = 0;
    OK(asdf_node_get_i64(root, "number", &number));
    CHECK(number == 2);
    check_array(-1);
    OK(asdf_file_verify(file, NULL, NULL, NULL, NULL));
    free_all();
}

/* Writing ------------------------------------------------------------------------------------------------------------
 */

static void child_of_a_stream(void) {
    int64_t count = 0;
    FAILS(ASDF_ERR_FORKED, asdf_stream_push(stream, 1, numbers, COLUMNS * sizeof *numbers));
    FAILS(ASDF_ERR_FORKED, asdf_stream_push(stream, -1, numbers, 3));
    FAILS(ASDF_ERR_FORKED, asdf_stream_finish(stream));
    OK(asdf_stream_row_count(stream, &count));
    CHECK(count == 3);
    asdf_stream_free(stream);
}

static void streams(void) {
    static const int32_t storages[] = {ASDF_STORAGE_INTERNAL, ASDF_STORAGE_EXTERNAL, ASDF_STORAGE_STREAMED};
    for (int i = 0; i < 4; i++) {
        char path[32];
        asdf_options *store = NULL;
        asdf_options *access = NULL;
        snprintf(path, sizeof path, "stream%d.asdf", i);
        file = new_file(&root);
        /* A child writes the same names again. */
        store = replacing();
        OK(asdf_options_set_int(store, ASDF_OPTION_STORAGE, storages[i % 3]));
        if (i == 3) OK(asdf_options_set_text(store, ASDF_OPTION_CODEC, "zlib", 4));
        OK(asdf_stream_create(file, path, "a", ASDF_INT32, 1, row_shape, store, &stream));
        asdf_options_free(store);
        OK(asdf_stream_push(stream, 3, numbers, 3 * COLUMNS * sizeof *numbers));
        int before = files_named("asdf-tmp");
        CHECK(before >= 1);
        in_child("of a stream", child_of_a_stream);
        CHECK(files_named("asdf-tmp") == before);
        OK(asdf_stream_push(stream, ROWS - 3, numbers + 3 * COLUMNS, sizeof numbers - 3 * COLUMNS * sizeof *numbers));
        OK(asdf_stream_finish(stream));
        asdf_stream_free(stream);
        CHECK(files_named("asdf-tmp") == 0);
        asdf_node_free(root);
        asdf_file_free(file);
        OK(asdf_options_new(&access));
        OK(asdf_options_set_int(access, ASDF_OPTION_ACCESS, ASDF_ACCESS_SAME_DIRECTORY));
        OK(asdf_file_open(path, access, &file));
        asdf_options_free(access);
        root = root_of(file);
        OK(asdf_node_get_array(root, "a", &array));
        check_array(numbers[7 * COLUMNS]);
        free_all();
    }
}

static void child_of_a_writer(void) {
    double values[2] = {0};
    asdf_table *own = NULL;
    FAILS(ASDF_ERR_FORKED, asdf_table_writer_append(writer, table));
    FAILS(ASDF_ERR_FORKED, asdf_table_writer_finish(writer));
    asdf_table_writer_free(writer);
    /* A table is private memory of the child. */
    OK(asdf_table_add_column(table, "y", ASDF_FLOAT64, 0, NULL, values, sizeof values, NULL, 0, NULL));
    asdf_options *replace = replacing();
    OK(asdf_table_write_ecsv(table, "child.ecsv", replace));
    asdf_options_free(replace);
    asdf_table_free(table);
    /* Parent and child both continue from the fork. */
    OK(asdf_table_reader_next(reader, &own));
    OK(asdf_table_read_column(own, "x", 0, -1, ASDF_FLOAT64, NULL, values, sizeof values, NULL, 0));
    CHECK(values[0] == 1.5);
    asdf_table_free(own);
    asdf_table_reader_free(reader);
}

static void tables(void) {
    const double values[] = {1.5, 2.5};
    static const char *const names[] = {"t.ecsv", "t.ecsv.gz", "t.ecsv.bz2"};
    int64_t count = 0;
    OK(asdf_table_new(2, &table));
    OK(asdf_table_add_column(table, "x", ASDF_FLOAT64, 0, NULL, values, sizeof values, NULL, 0, NULL));
    OK(asdf_table_write_ecsv(table, "in.ecsv", NULL));
    for (int i = 0; i < 3; i++) {
        asdf_table *again = NULL;
        double found[4] = {0};
        OK(asdf_table_reader_open("in.ecsv", NULL, &reader));
        OK(asdf_table_writer_create(names[i], table, NULL, &writer));
        OK(asdf_table_writer_append(writer, table));
        in_child("of a writer", child_of_a_writer);
        CHECK(files_named("asdf-tmp") == 1);
        OK(asdf_table_writer_append(writer, table));
        OK(asdf_table_writer_finish(writer));
        asdf_table_writer_free(writer);
        OK(asdf_table_read_ecsv(names[i], NULL, &again));
        OK(asdf_table_row_count(again, &count));
        CHECK(count == 4);
        OK(asdf_table_read_column(again, "x", 0, -1, ASDF_FLOAT64, NULL, found, sizeof found, NULL, 0));
        CHECK(found[0] == 1.5 && found[3] == 2.5);
        asdf_table_free(again);
        OK(asdf_table_reader_next(reader, &again));
        OK(asdf_table_row_count(again, &count));
        CHECK(count == 2);
        asdf_table_free(again);
        asdf_table_reader_free(reader);
    }
    asdf_table_free(table);
}

/* Reading ------------------------------------------------------------------------------------------------------------
 */

static int closed;

static asdf_status read_callback(void *user, int64_t offset, void *buffer, size_t size, size_t *got) {
    memcpy(buffer, (const char *)user + offset, size);
    *got = size;
    return ASDF_OK;
}

static asdf_status close_callback(void *user) {
    (void)user;
    closed++;
    return ASDF_OK;
}

static void child_of_a_source(void) {
    int64_t number = 0;
    OK(asdf_node_get_i64(root, "x", &number));
    CHECK(number == 3);
    OK(asdf_file_close(file));
    asdf_node_free(root);
    asdf_file_free(file);
    CHECK(closed == 0);
}

static void sources(void) {
    static char text[] =
        "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\nx: 3\n...\n";
    OK(asdf_file_open_source(read_callback, close_callback, text, sizeof text - 1, NULL, &file));
    root = root_of(file);
    in_child("of a source", child_of_a_source);
    asdf_node_free(root);
    asdf_file_free(file);
    CHECK(closed == 1);
}

/* Handles that the child makes. */
static void child_on_its_own(void) {
    asdf_file *inherited = file;
    asdf_node *inherited_root = root;
    asdf_array *inherited_array = array;
    asdf_view *view = NULL;
    asdf_file *own = NULL;
    asdf_node *own_root = NULL;
    const int32_t minus = -1;
    /* Options are private memory of the child. */
    OK(asdf_options_set_int(options, ASDF_OPTION_VERIFY_CHECKSUMS, 1));
    OK(asdf_array_view(array, ASDF_INT32, NULL, &view));
    asdf_view_free(view);
    OK(asdf_file_new(NULL, &own));
    own_root = root_of(own);
    OK(asdf_node_copy(own_root, "b", inherited_root, NULL));
    OK(asdf_file_write(own, "own.asdf", NULL));
    asdf_node_free(own_root);
    asdf_file_free(own);

    OK(asdf_file_open_for_update("own.asdf", options, &own));
    own_root = root_of(own);
    OK(asdf_node_get_array(own_root, "b/a", &array));
    check_array(numbers[7 * COLUMNS]);
    OK(asdf_array_write_region(array, 2, start, (int64_t[]){1, 1}, NULL, ASDF_INT32, &minus, sizeof minus, NULL));
    OK(asdf_node_set_i64(own_root, "number", 9));
    OK(asdf_file_save(own, NULL));
    asdf_array_free(array);
    OK(asdf_node_get_array(own_root, "b/a", &array));
    check_array(-1);
    asdf_array_free(array);
    asdf_node_free(own_root);
    asdf_file_free(own);

    array = inherited_array;
    check_array(numbers[7 * COLUMNS]);
    asdf_array_free(array);
    asdf_node_free(inherited_root);
    asdf_file_free(inherited);
    streams();
    asdf_options_free(options);
}

static void own_handles(void) {
    make("read.asdf");
    open_all("read.asdf", 0);
    OK(asdf_options_new(&options));
    asdf_options *kept = options;
    in_child("on its own", child_on_its_own);
    asdf_options_free(kept);
    check_array(numbers[7 * COLUMNS]);
    free_all();
}

int main(void) {
    for (int i = 0; i < ROWS * COLUMNS; i++) numbers[i] = i;
    updates();
    streams();
    tables();
    sources();
    own_handles();
    return report();
}
