/* Every call that writes a file by name: the name is free, taken, or taken and may be replaced. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static asdf_file *file;
static asdf_table *table;
static asdf_ndl *ndl;

static asdf_status write_file(const char *path, const asdf_options *options) {
    return asdf_file_write(file, path, options);
}

static asdf_status explode(const char *path, const asdf_options *options) {
    return asdf_file_explode(file, path, options);
}

static asdf_status implode(const char *path, const asdf_options *options) {
    return asdf_file_implode(file, path, options);
}

static asdf_status finished(asdf_status status, asdf_stream *stream) {
    static const double row = 1;
    if (status == ASDF_OK) {
        OK(asdf_stream_push(stream, 1, &row, sizeof row));
        status = asdf_stream_finish(stream);
    }
    asdf_stream_free(stream);
    return status;
}

static asdf_status stream_rows(const char *path, const asdf_options *options) {
    asdf_stream *stream = NULL;
    asdf_status status = asdf_stream_create(file, path, "rows", ASDF_FLOAT64, 0, NULL, options, &stream);
    return finished(status, stream);
}

static asdf_status stream_typed(const char *path, const asdf_options *options) {
    asdf_stream *stream = NULL;
    asdf_datatype *datatype = NULL;
    asdf_options *typed = NULL;
    OK(asdf_datatype_scalar(ASDF_FLOAT64, &datatype));
    OK(options ? asdf_options_copy(options, &typed) : asdf_options_new(&typed));
    asdf_status status = asdf_stream_create(file, path, "rows", 0, 0, NULL, with_type(typed, datatype), &stream);
    asdf_options_free(typed);
    asdf_datatype_free(datatype);
    return finished(status, stream);
}

static asdf_status recover(const char *path, const asdf_options *options) {
    return asdf_file_recover("source.asdf", path, 0, options, NULL);
}

static asdf_status write_ecsv(const char *path, const asdf_options *options) {
    return asdf_table_write_ecsv(table, path, options);
}

static asdf_status write_batches(const char *path, const asdf_options *options) {
    asdf_table_writer *writer = NULL;
    asdf_status status = asdf_table_writer_create(path, table, options, &writer);
    if (status == ASDF_OK) {
        OK(asdf_table_writer_append(writer, table));
        status = asdf_table_writer_finish(writer);
    }
    asdf_table_writer_free(writer);
    return status;
}

static asdf_status write_ndl(const char *path, const asdf_options *options) {
    return asdf_ndl_write(ndl, path, options);
}

static asdf_status create_asdf(const char *path, const asdf_options *options) {
    return asdf_ndl_create_asdf(ndl, path, options, NULL);
}

static const struct {
    const char *name;
    asdf_status (*write)(const char *path, const asdf_options *options);
    /* Whether the call writes to pipes and devices. */
    int to_devices;
} writers[] = {
    {"write", write_file, 1},
    {"explode", explode, 0},
    {"implode", implode, 0},
    {"stream", stream_rows, 0},
    {"typed stream", stream_typed, 0},
    {"recover", recover, 0},
    {"ECSV", write_ecsv, 1},
    {"ECSV batches", write_batches, 1},
    {"NDL", write_ndl, 1},
    {"create", create_asdf, 1},
};

static void put(const char *path, const char *text) {
    FILE *stream = fopen(path, "wb");
    if (!stream || fputs(text, stream) < 0 || fclose(stream) != 0) exit(1);
}

static int holds(const char *path, const char *text) {
    char found[16] = "";
    FILE *stream = fopen(path, "rb");
    if (!stream) return 0;
    size_t count = fread(found, 1, sizeof found - 1, stream);
    fclose(stream);
    return count == strlen(text) && memcmp(found, text, count) == 0;
}

/* Returns the number of files in the working directory. Each writer has a directory of its own. */
static int files_here(void) {
    FILE *listing = popen("ls -A | wc -l", "r");
    int count = -1;
    if (!listing || fscanf(listing, "%d", &count) != 1) exit(1);
    pclose(listing);
    return count;
}

static void names(size_t index, const asdf_options *replace) {
    asdf_status (*write)(const char *, const asdf_options *) = writers[index].write;
    char text[256];
    OK(write("free", NULL));
    OK(write("also free", replace));

    put("taken", "mine");
    int files = files_here();
    FAILS(ASDF_ERR_FILE_EXISTS, write("taken", NULL));
    CHECK(message_holds("ASDF_OPTION_REPLACE"));
    OK(asdf_error_text(ASDF_REPORT_FILE, text, sizeof text, NULL));
    CHECK(strcmp(text, "taken") == 0);
    CHECK(holds("taken", "mine") && files_here() == files);
    FAILS(ASDF_ERR_FILE_EXISTS, write("free", NULL));

    /* A link is followed; a link without a target occupies the name, too. */
    CHECK(symlink("taken", "link") == 0 && symlink("nowhere", "dangling") == 0);
    FAILS(ASDF_ERR_FILE_EXISTS, write("link", NULL));
    FAILS(ASDF_ERR_FILE_EXISTS, write("dangling", NULL));
    CHECK(access("nowhere", F_OK) != 0 && holds("taken", "mine"));
    OK(write("link", replace));
    struct stat status;
    CHECK(lstat("link", &status) == 0 && S_ISLNK(status.st_mode) && !holds("taken", "mine"));
    OK(write("taken", replace));

    /* A directory is never replaced. */
    CHECK(mkdir("directory", 0777) == 0);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, write("directory", NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, write("directory", replace));

    CHECK(mkfifo("pipe", 0666) == 0);
    const char *outputs[] = {"/dev/null", "pipe"};
    int reader = open("pipe", O_RDONLY | O_NONBLOCK);
    for (size_t i = 0; i < 2; i++) {
        if (writers[index].to_devices) {
            OK(write(outputs[i], NULL));
            OK(write(outputs[i], replace));
        } else {
            FAILS(ASDF_ERR_INVALID_ARGUMENT, write(outputs[i], NULL));
            FAILS(ASDF_ERR_INVALID_ARGUMENT, write(outputs[i], replace));
        }
    }
    char start = 0;
    CHECK((read(reader, &start, 1) == 1) == writers[index].to_devices);
    close(reader);
    CHECK(stat("/dev/null", &status) == 0 && S_ISCHR(status.st_mode));
    CHECK(stat("pipe", &status) == 0 && S_ISFIFO(status.st_mode));
}

/* A save replaces its own file without ASDF_OPTION_REPLACE. */
static void saving(const asdf_options *replace) {
    asdf_file *own = NULL;
    asdf_node *root = NULL;
    OK(asdf_file_open_for_update("source.asdf", NULL, &own));
    root = root_of(own);
    OK(asdf_node_set_i64(root, "more", 1));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_save(own, replace));
    CHECK(message_holds("does not know the option 'replace'"));
    OK(asdf_file_save(own, NULL));
    OK(asdf_file_compact(own, NULL));
    asdf_node_free(root);
    asdf_file_free(own);
    asdf_buffer *buffer = NULL;
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_write_memory(file, replace, &buffer));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_write_descriptor(file, 1, replace));
}

int main(void) {
    static const double values[] = {1.5, 2.5};
    static const int64_t shape[] = {2};
    asdf_node *root = NULL;
    asdf_options *replace = replacing();
    file = new_file(&root);
    OK(asdf_node_set_array(root, "a", ASDF_FLOAT64, 1, shape, values, sizeof values, NULL));
    OK(asdf_table_new(2, &table));
    OK(asdf_table_add_column(table, "x", ASDF_FLOAT64, 0, NULL, values, sizeof values, NULL, 0, NULL));
    OK(asdf_ndl_describe(file, NULL, &ndl));
    for (size_t index = 0; index < sizeof writers / sizeof *writers; index++) {
        int before = checks_failed;
        if (mkdir(writers[index].name, 0777) != 0 || chdir(writers[index].name) != 0) exit(1);
        OK(asdf_file_write(file, "source.asdf", NULL));
        names(index, replace);
        if (chdir("..") != 0) exit(1);
        if (checks_failed != before) fprintf(stderr, "the checks above are of: %s\n", writers[index].name);
    }
    OK(asdf_file_write(file, "source.asdf", NULL));
    saving(replace);
    asdf_options_free(replace);
    asdf_ndl_free(ndl);
    asdf_table_free(table);
    asdf_node_free(root);
    asdf_file_free(file);
    return report();
}
