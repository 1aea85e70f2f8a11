/* A stream whose program is killed: the temporary file can be recovered, stays, and is named by the next run. */
#define _GNU_SOURCE
#include "check.h"
/* Included after the checks. */
#include "child.h"
#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>

enum { WIDTH = 1000 };

static const int64_t width[] = {WIDTH};
static int32_t row[WIDTH], many[100][WIDTH];

/* A way of streaming. */
static const struct way {
    const char *name, *codec;
    int32_t storage, width;
    /* Rows that are pushed, and the smallest number of them that must be found. */
    int64_t rows, found;
    /* True if the program waits before each push, and the number of rows of a push. */
    int pauses, at_once;
} ways[] = {
    {"internal", NULL, ASDF_STORAGE_INTERNAL, WIDTH, 500, 484, 0, 1},
    {"streamed", NULL, ASDF_STORAGE_STREAMED, WIDTH, 500, 484, 0, 1},
    {"external", NULL, ASDF_STORAGE_EXTERNAL, WIDTH, 500, 484, 0, 1},
    {"large", NULL, ASDF_STORAGE_INTERNAL, WIDTH, 500, 500, 0, 100},
    {"slow", NULL, ASDF_STORAGE_INTERNAL, 1, 4, 4, 1, 1},
    {"zlib", "zlib", ASDF_STORAGE_INTERNAL, WIDTH, 600, 500, 0, 1},
    {"lz4", "lz4", ASDF_STORAGE_INTERNAL, WIDTH, 1200, 1000, 0, 1},
    {"bzp2", "bzp2", ASDF_STORAGE_INTERNAL, WIDTH, 600, 200, 0, 1},
    {"zstd", "zstd", ASDF_STORAGE_INTERNAL, WIDTH, 1200, 1000, 0, 1},
    {"lz4f", "lz4f", ASDF_STORAGE_INTERNAL, WIDTH, 1200, 1000, 0, 1},
};
enum { WAYS = sizeof ways / sizeof *ways };

static void set_row(int64_t number) {
    for (int i = 0; i < WIDTH; i++) row[i] = (int32_t)((number * 7919 + (int64_t)i * i) & 0xFFFF);
}

static asdf_file *content(void) {
    static const int32_t numbers[] = {1, 2, 3};
    const int64_t three[] = {3};
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
    OK(asdf_node_set_string(root, "meta/instrument", SIZED("buoy 7")));
    OK(asdf_node_set_array(root, "other", ASDF_INT32, 1, three, numbers, sizeof numbers, NULL));
    asdf_node_free(root);
    return file;
}

static asdf_status begin(const struct way *way, asdf_stream **stream, asdf_file **file) {
    asdf_options *options = replacing();
    *file = content();
    OK(asdf_options_set_int(options, ASDF_OPTION_STORAGE, way->storage));
    if (way->codec) OK(asdf_options_set_text(options, ASDF_OPTION_CODEC, SIZED(way->codec)));
    asdf_status status =
        asdf_stream_create(*file, "series.asdf", "wave", ASDF_INT32, way->width > 1, width, options, stream);
    asdf_options_free(options);
    return status;
}

static const struct way *current;

/* Pushes rows and dies. */
static void push_and_die(void) {
    asdf_stream *stream = NULL;
    asdf_file *file = NULL;
    if (begin(current, &stream, &file) != ASDF_OK) _exit(1);
    int64_t at_once = current->at_once;
    for (int64_t i = 0; i < current->rows; i += at_once) {
        if (current->pauses) usleep(1100000);
        for (int64_t k = 0; k < at_once; k++) {
            set_row(i + k);
            memcpy(many[k], row, sizeof row);
        }
        size_t size = (size_t)(at_once * current->width) * 4;
        if (asdf_stream_push(stream, at_once, many, size) != ASDF_OK) _exit(1);
    }
    raise(SIGKILL);
}

static void kill_writer(const struct way *way) {
    current = way;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) push_and_die();
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static int exists(const char *path) {
    struct stat found;
    return stat(path, &found) == 0;
}

/* Checks the rows of a recovered file, and returns their number. */
static int64_t rows_of(const char *path, const struct way *way) {
    asdf_options *options = NULL;
    asdf_file *file = NULL;
    asdf_array *array = NULL;
    int64_t shape[2] = {-1, -1}, wrong = 0;
    static int32_t found[WIDTH];
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_ACCESS, ASDF_ACCESS_SAME_DIRECTORY));
    OK(asdf_file_open(path, options, &file));
    asdf_node *root = root_of(file);
    TEXT("buoy 7", asdf_node_get_string, root, "meta/instrument");
    OK(asdf_node_get_array(root, "wave", &array));
    OK(asdf_array_shape(array, shape, 2, NULL));
    for (int64_t i = 0; i < shape[0]; i += 97) {
        const int64_t start[] = {i, 0}, count[] = {1, way->width};
        OK(asdf_array_read_region(array, way->width > 1 ? 2 : 1, start, count, NULL, ASDF_INT32, NULL, found,
                                  (size_t)way->width * 4, NULL, 0));
        set_row(i);
        wrong += memcmp(found, row, (size_t)way->width * 4) != 0;
    }
    CHECK(wrong == 0);
    free_file(&file, &root, &array);
    asdf_options_free(options);
    return shape[0];
}

static int report_names(const asdf_file *file, const char *path) {
    asdf_report *warnings = report_of_file(file);
    int named = 0;
    for (int64_t i = 0; i < report_count(warnings); i++) {
        char text[1000] = "";
        OK(asdf_report_text(warnings, i, ASDF_REPORT_MESSAGE, text, sizeof text, NULL));
        named |= strstr(text, path) && strstr(text, "asdfkit recover");
    }
    asdf_report_free(warnings);
    return named;
}

/* Copies a temporary file as a recovery would find it in another folder, with the incomplete row of a kill. */
static void cut_copy(const char *from, const char *to, long cut) {
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    if (!in || !out || fseek(in, 0, SEEK_END) != 0) exit(1);
    long size = ftell(in) - cut;
    char *bytes = malloc((size_t)size);
    rewind(in);
    if (!bytes || fread(bytes, 1, (size_t)size, in) != (size_t)size ||
        fwrite(bytes, 1, (size_t)size, out) != (size_t)size)
        exit(1);
    free(bytes);
    fclose(in), fclose(out);
}

static void rows_are_recovered(const struct way *way) {
    const char *left = ".series.asdf.0.asdf-tmp", *second = ".series.asdf.1.asdf-tmp";
    int before = checks_failed;
    asdf_report *losses = NULL;
    asdf_options *options = replacing();
    remove(left), remove(second), remove("series.asdf");
    kill_writer(way);
    CHECK(exists(left) && exists(second) == (way->storage == ASDF_STORAGE_EXTERNAL) && !exists("series.asdf"));

    /* A reader that looks for the file is told where the rows are. */
    asdf_file *file = NULL;
    FAILS(ASDF_ERR_FILE_NOT_FOUND, asdf_file_open("series.asdf", NULL, &file));
    CHECK(message_holds(left) && message_holds("asdfkit recover"));

    OK(asdf_file_recover(left, "recovered.asdf", 0, options, &losses));
    /* The decoded bytes may end within a row. */
    CHECK(report_count(losses) <= (way->codec != NULL));
    asdf_report_free(losses);
    int64_t rows = rows_of("recovered.asdf", way);
    if (rows < way->found || rows > way->rows) fprintf(stderr, "%s: %d rows\n", way->name, (int)rows);
    CHECK(rows >= way->found && rows <= way->rows);
    OK(asdf_file_open("recovered.asdf", NULL, &file));
    asdf_file_free(file);
    if (!way->codec && way->storage != ASDF_STORAGE_EXTERNAL) {
        /* The temporary file is itself a file that can be read. */
        CHECK(rows_of(left, way) == rows);
        cut_copy(left, "cut.asdf", 3);
        OK(asdf_file_recover("cut.asdf", "recovered.asdf", 0, options, &losses));
        CHECK(report_count(losses) == 1 && rows_of("recovered.asdf", way) == rows - 1);
        asdf_report_free(losses);
    }

    /* The next run leaves it alone, and names it. */
    asdf_stream *stream = NULL;
    OK(begin(way, &stream, &file));
    CHECK(report_names(file, left) && (way->storage != ASDF_STORAGE_EXTERNAL || report_names(file, second)));
    OK(asdf_stream_push(stream, 1, row, (size_t)way->width * 4));
    OK(asdf_stream_finish(stream));
    asdf_stream_free(stream);
    asdf_file_free(file);
    CHECK(exists(left) && exists("series.asdf"));
    file = content();
    FAILS(ASDF_ERR_FILE_EXISTS, asdf_file_write(file, "series.asdf", NULL));
    CHECK(message_holds(left));
    OK(write_over(file, "series.asdf"));
    CHECK(report_names(file, left) && exists(left));
    asdf_file_free(file);
    OK(asdf_file_open_for_update("series.asdf", NULL, &file));
    asdf_node *root = root_of(file);
    OK(asdf_node_set_i64(root, "number", 1));
    OK(asdf_file_save(file, NULL));
    CHECK(report_names(file, left) && exists(left));
    asdf_node_free(root);
    asdf_file_free(file);
    asdf_options_free(options);
    remove("series0000.asdf");
    if (checks_failed > before) fprintf(stderr, "  so it is with: %s\n", way->name);
}

/* A file of this name that no writer made is not removed either. */
static void files_of_others_stay(void) {
    remove(".series.asdf.0.asdf-tmp"), remove(".series.asdf.1.asdf-tmp");
    FILE *stream = fopen(".series.asdf.0.asdf-tmp", "wb");
    if (!stream || fputs("precious", stream) < 0 || fclose(stream) != 0) exit(1);
    asdf_file *file = content();
    OK(write_over(file, "series.asdf"));
    asdf_file_free(file);
    CHECK(exists(".series.asdf.0.asdf-tmp"));
    remove(".series.asdf.0.asdf-tmp");
}

int main(void) {
    for (int i = 0; i < WAYS; i++) {
        asdf_stream *stream = NULL;
        asdf_file *file = NULL;
        asdf_status status = begin(&ways[i], &stream, &file);
        asdf_stream_free(stream);
        asdf_file_free(file);
        if (status == ASDF_OK)
            rows_are_recovered(&ways[i]);
        else
            printf("skipped: the library has no %s\n", ways[i].name);
    }
    files_of_others_stay();
    return report();
}
