/* Opening files from every source, making and closing them, owners, and properties of whole files. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include <fcntl.h>
#include <unistd.h>

static const char *quickstart(void) {
    static char path[1024];
    const char *source = getenv("ASDFKIT_SOURCE");
    snprintf(path, sizeof path, "%s/examples-c/quickstart.asdf", source ? source : ".");
    return path;
}

/* All bytes of the sample. */
static void *sample(size_t *size) {
    FILE *stream = fopen(quickstart(), "rb");
    if (!stream || fseek(stream, 0, SEEK_END) != 0) exit(1);
    *size = (size_t)ftell(stream);
    void *bytes = malloc(*size);
    rewind(stream);
    if (!bytes || fread(bytes, 1, *size, stream) != *size) exit(1);
    fclose(stream);
    return bytes;
}

static void check_content(asdf_file *file) {
    asdf_node *root = root_of(file);
    asdf_array *array = NULL;
    double seconds = 0;
    float pixels[256];
    const int64_t start[] = {0, 0}, count[] = {1, 256};
    OK(asdf_node_get_f64(root, "meta/exposure/time", &seconds));
    CHECK(seconds == 139.8);
    OK(asdf_node_get_array(root, "data", &array));
    OK(asdf_array_read_region(array, 2, start, count, NULL, ASDF_FLOAT32, NULL, pixels, sizeof pixels, NULL, 0));
    CHECK(pixels[0] >= 100 && pixels[0] < 110);
    asdf_array_free(array);
    asdf_node_free(root);
}

static void by_name(void) {
    asdf_file *file = NULL;
    OK(asdf_file_open(quickstart(), NULL, &file));
    check_content(file);
    char name[1024];
    OK(asdf_file_name(file, name, sizeof name, NULL));
    CHECK(strcmp(name, quickstart()) == 0);
    TEXT("1.0.0", asdf_file_format_version, file);
    TEXT("1.6.0", asdf_file_standard, file);
    TEXT("1.6.0", asdf_file_declared_standard, file);
    OK(asdf_file_close(file));
    asdf_file_free(file);

    asdf_options *mapped = NULL;
    OK(asdf_options_new(&mapped));
    OK(asdf_options_set_int(mapped, ASDF_OPTION_MAPPED, 1));
    OK(asdf_file_open(quickstart(), mapped, &file));
    check_content(file);
    asdf_file_free(file);
    asdf_options_free(mapped);

    file = (asdf_file *)&file;
    FAILS(ASDF_ERR_FILE_NOT_FOUND, asdf_file_open("missing.asdf", NULL, &file));
    CHECK(file == NULL);
    FILE *stream = fopen("\377 not UTF-8", "wb");
    if (stream) {
        fputs("#ASDF 1.0.0\n", stream);
        fclose(stream);
        OK(asdf_file_open("\377 not UTF-8", NULL, &file));
        TEXT("\357\277\275 not UTF-8", asdf_file_name, file);
        asdf_file_free(file);
    }
}

static void count_release(void *user) {
    ++*(int *)user;
}

static void from_memory(void) {
    size_t size;
    void *bytes = sample(&size);
    asdf_file *file = NULL;
    OK(asdf_file_open_memory(bytes, size, NULL, &file));
    TEXT("", asdf_file_name, file);

    asdf_file *borrower = NULL;
    int released = 0;
    OK(asdf_file_open_borrowed(bytes, size, count_release, &released, NULL, &borrower));
    check_content(borrower);
    CHECK(released == 0);
    asdf_file_free(borrower);
    CHECK(released == 1);
    FAILS(ASDF_ERR_NOT_ASDF, asdf_file_open_borrowed("#AVRO", 5, count_release, &released, NULL, &borrower));
    CHECK(released == 1 && !borrower);

    memset(bytes, 0, size); /* only the borrower would notice */
    free(bytes);
    check_content(file);
    asdf_file_free(file);
    FAILS(ASDF_ERR_NOT_ASDF, asdf_file_open_memory("#AVRO", 5, NULL, &file));
    FAILS(ASDF_ERR_NOT_ASDF, asdf_file_open_memory(NULL, 0, NULL, &file));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_open_memory("#ASDF 1.0.0\n", SIZE_MAX, NULL, &file));
}

static void by_descriptor(void) {
    asdf_file *file = NULL;
    int descriptor = open(quickstart(), O_RDONLY);
    CHECK(lseek(descriptor, 5, SEEK_SET) == 5);
    OK(asdf_file_open_descriptor(descriptor, NULL, &file));
    CHECK(lseek(descriptor, 0, SEEK_CUR) == 5);
    CHECK(close(descriptor) == 0);
    check_content(file);
    asdf_file_free(file);
    FAILS(ASDF_ERR_IO, asdf_file_open_descriptor(descriptor, NULL, &file));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_open_descriptor(-1, NULL, &file));
}

struct source {
    const char *bytes;
    size_t size, piece;
    asdf_status answer, closing;
    int calls, closed, lies;
};

static asdf_status give(void *user, int64_t offset, void *buffer, size_t size, size_t *got) {
    struct source *source = user;
    source->calls++;
    if (source->answer != ASDF_OK) return source->answer;
    CHECK(offset >= 0 && (size_t)offset + size <= source->size && size > 0);
    size_t count = size < source->piece ? size : source->piece;
    memcpy(buffer, source->bytes + offset, count);
    *got = source->lies ? size + 1 : count;
    return ASDF_OK;
}

static asdf_status let_go(void *user) {
    struct source *source = user;
    source->closed++;
    return source->closing;
}

static void from_callbacks(void) {
    size_t size;
    void *bytes = sample(&size);
    struct source source = {bytes, size, 1000, ASDF_OK, ASDF_OK, 0, 0, 0};
    asdf_file *file = NULL;
    OK(asdf_file_open_source(give, let_go, &source, size, NULL, &file));
    CHECK(source.calls > 0);
    check_content(file);

    asdf_node *root = root_of(file);
    asdf_array *array = NULL;
    float *pixels = malloc(256 * 256 * sizeof *pixels);
    OK(asdf_node_get_array(root, "data", &array));
    source.answer = 42;
    FAILS(ASDF_ERR_CALLBACK, asdf_array_read(array, ASDF_FLOAT32, NULL, pixels, 256 * 256 * sizeof *pixels, NULL, 0));
    CHECK(message_holds("42"));
    source.answer = ASDF_OK;
    OK(asdf_array_read(array, ASDF_FLOAT32, NULL, pixels, 256 * 256 * sizeof *pixels, NULL, 0));
    source.lies = 1;
    FAILS(ASDF_ERR_CALLBACK, asdf_array_read(array, ASDF_FLOAT32, NULL, pixels, 256 * 256 * sizeof *pixels, NULL, 0));
    source.lies = 0;
    source.piece = 0;
    FAILS(ASDF_ERR_CALLBACK, asdf_array_read(array, ASDF_FLOAT32, NULL, pixels, 256 * 256 * sizeof *pixels, NULL, 0));
    free(pixels);
    asdf_node_free(root);
    asdf_file_free(file);
    CHECK(source.closed == 0); /* the array still needs it */
    asdf_array_free(array);
    CHECK(source.closed == 1);

    /* Closing returns the status of the callback, and does not call it again. */
    source.piece = 1000;
    source.closing = 77;
    OK(asdf_file_open_source(give, let_go, &source, size, NULL, &file));
    FAILS(ASDF_ERR_CALLBACK, asdf_file_close(file));
    CHECK(message_holds("77") && source.closed == 2);
    OK(asdf_file_close(file));
    asdf_file_free(file);
    CHECK(source.closed == 2);

    /* After a failed open the source still belongs to the caller. */
    source.answer = 3;
    FAILS(ASDF_ERR_CALLBACK, asdf_file_open_source(give, let_go, &source, size, NULL, &file));
    CHECK(file == NULL && source.closed == 2);
    source.answer = ASDF_OK;
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_open_source(give, let_go, &source, -1, NULL, &file));
    CHECK(message_holds("'length'"));
    OK(asdf_file_open_source(give, NULL, &source, size, NULL, &file));
    asdf_file_free(file);
    CHECK(source.closed == 2);
    free(bytes);
}

static void closing(void) {
    asdf_file *file = NULL;
    asdf_array *array = NULL;
    double value[5];
    OK(asdf_file_open(quickstart(), NULL, &file));
    asdf_node *root = root_of(file);
    OK(asdf_node_get_array(root, "cube", &array));
    OK(asdf_file_close(file));
    OK(asdf_file_close(file));
    int32_t type = 99;
    int64_t count = 99;
    FAILS(ASDF_ERR_CLOSED, asdf_node_type(root, "", &type));
    FAILS(ASDF_ERR_CLOSED, asdf_array_read(array, ASDF_FLOAT64, NULL, value, sizeof value, NULL, 0));
    FAILS(ASDF_ERR_CLOSED, asdf_file_block_count(file, &count));
    asdf_node *again = root;
    FAILS(ASDF_ERR_CLOSED, asdf_file_root(file, &again));
    CHECK(type == 99 && count == 99 && again == NULL);
    asdf_file_free(file);
    asdf_array_free(array);
    asdf_node_free(root);
}

static void owners(void) {
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root), *another = NULL, *third = NULL;
    OK(asdf_node_set_i64(root, "a", 1));
    OK(asdf_file_retain(file, &another));
    asdf_file_free(file);
    OK(asdf_node_file(root, &third));
    asdf_file_free(third);
    asdf_node_free(root);
    root = root_of(another);
    int64_t value = 0;
    asdf_file_free(another);
    OK(asdf_node_get_i64(root, "a", &value));
    CHECK(value == 1);
    asdf_node_free(root);
}

static void comments(void) {
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
    int64_t count = 9;
    OK(asdf_file_comment_count(file, &count));
    CHECK(count == 0);
    OK(asdf_file_add_comment(file, "written by a test!", 17));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_add_comment(file, "a\nb", 3));
    FAILS(ASDF_ERR_ENCODING, asdf_file_add_comment(file, "\377", 1));
    asdf_file *again = written(file);
    OK(asdf_file_comment_count(again, &count));
    CHECK(count == 2);
    TEXT("ASDF_STANDARD 1.6.0", asdf_file_comment, again, 0);
    TEXT("written by a test", asdf_file_comment, again, 1);
    char text[4];
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_file_comment(again, 2, text, sizeof text, NULL));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_file_comment(again, -1, text, sizeof text, NULL));
    FAILS(ASDF_ERR_READ_ONLY, asdf_file_add_comment(again, "no", 2));
    asdf_file_free(again);
    asdf_file_free(file);
    asdf_node_free(root);
}

static void standards(void) {
    asdf_file *file = open_bytes("#ASDF 1.0.0\n#ASDF_STANDARD 1.99.0\n", 34);
    TEXT("1.6.0", asdf_file_standard, file);
    TEXT("1.99.0", asdf_file_declared_standard, file);
    asdf_file_free(file);
    file = open_bytes("#ASDF 1.0.0\n", 12);
    TEXT("1.0.0", asdf_file_standard, file);
    TEXT("", asdf_file_declared_standard, file);
    asdf_file_free(file);

    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_text(options, ASDF_OPTION_STANDARD, "2.0.0", 5));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_new(options, &file));
    OK(asdf_options_set_text(options, ASDF_OPTION_STANDARD, "1.2.0", 5));
    OK(asdf_file_new(options, &file));
    TEXT("1.2.0", asdf_file_standard, file);
    asdf_options_free(options);
    asdf_file_free(file);
}

static void warnings(void) {
    asdf_file *file = open_tree("a: 1\na: 2\n");
    asdf_report *found = NULL;
    char text[256];
    OK(asdf_file_report(file, &found));
    CHECK(report_count(found) == 1);
    OK(asdf_report_text(found, 0, ASDF_REPORT_ENTRY, text, sizeof text, NULL));
    CHECK(strstr(text, "7:1") != NULL);
    CHECK(report_int(found, 0, ASDF_REPORT_OFFSET) == 96);
    CHECK(report_int(found, 0, ASDF_REPORT_LINE) == 7 && report_int(found, 0, ASDF_REPORT_COLUMN) == 1);
    asdf_report_free(found);
    asdf_file_free(file);
}

/* A file that gzip compressed. */
static void compressed(void) {
    static const uint8_t bytes[] = {0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x53, 0x76, 0x0c, 0x76,
                                    0x71, 0x53, 0x30, 0xd4, 0x33, 0xd0, 0x33, 0xe0, 0x52, 0x06, 0xb1, 0xe3, 0x83, 0x43,
                                    0x1c, 0xfd, 0x5c, 0x1c, 0x83, 0x5c, 0x80, 0x82, 0x66, 0x40, 0x41, 0xd5, 0x48, 0x47,
                                    0x5f, 0x1f, 0x20, 0xdb, 0x90, 0x4b, 0x35, 0xc4, 0xd1, 0x5d, 0x41, 0x51, 0xa1, 0x24,
                                    0x31, 0xdd, 0xaa, 0xb8, 0xa4, 0x38, 0x39, 0x53, 0x2f, 0x35, 0xa5, 0xd4, 0x2a, 0xb1,
                                    0x38, 0x25, 0x4d, 0x9f, 0x4b, 0x57, 0x57, 0x57, 0x41, 0x31, 0x39, 0xbf, 0x28, 0x55,
                                    0x1f, 0xc4, 0xd7, 0x05, 0xaa, 0x06, 0xea, 0x4c, 0xb4, 0x52, 0x30, 0xe7, 0xd2, 0xd3,
                                    0xd3, 0xe3, 0x02, 0x00, 0x87, 0x6b, 0x52, 0x20, 0x64, 0x00, 0x00, 0x00};
    asdf_file *file = open_bytes(bytes, sizeof bytes);
    asdf_node *root = root_of(file);
    int64_t value = 0;
    OK(asdf_node_get_i64(root, "a", &value));
    CHECK(value == 7);
    asdf_node_free(root);
    asdf_file_free(file);
    file = NULL;
    FAILS(ASDF_ERR_TRUNCATED, asdf_file_open_memory(bytes, sizeof bytes - 9, NULL, &file));

    FILE *out = fopen("tree.asdf.gz", "wb");
    CHECK(out && fwrite(bytes, sizeof bytes, 1, out) == 1 && fclose(out) == 0);
    OK(asdf_file_open("tree.asdf.gz", NULL, &file));
    FAILS(ASDF_ERR_READ_ONLY, asdf_file_save(file, NULL));
    asdf_file_free(file);
    file = NULL;
    FAILS(ASDF_ERR_UNSUPPORTED, asdf_file_open_for_update("tree.asdf.gz", NULL, &file));
    CHECK(!file && message_holds("gzip"));
    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_LIMIT_DECODED_BYTES, 20));
    OK(asdf_file_open("tree.asdf.gz", options, &file));
    asdf_file_free(file);
    file = NULL;
    OK(asdf_options_set_int(options, ASDF_OPTION_LIMIT_TEMPORARY_BYTES, 50));
    FAILS(ASDF_ERR_LIMIT, asdf_file_open("tree.asdf.gz", options, &file));
    asdf_options_free(options);
}

int main(void) {
    compressed();
    by_name();
    from_memory();
    by_descriptor();
    from_callbacks();
    closing();
    owners();
    comments();
    standards();
    warnings();
    return report();
}
