/* The blocks of a file, and the open options that concern them. */
#include "check.h"

static const int64_t shape_1000[] = {1000};
static unsigned char values[1000];

/* Returns a file with an uncompressed and a compressed block, as bytes that the caller frees. */
static unsigned char *sample(size_t *size) {
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
    asdf_options *options = NULL;
    asdf_buffer *buffer = NULL;
    const void *bytes = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_node_set_array(root, "plain", ASDF_UINT8, 1, shape_1000, values, sizeof values, options));
    OK(asdf_options_set_text(options, ASDF_OPTION_CODEC, "zlib", 4));
    OK(asdf_node_set_array(root, "small", ASDF_UINT8, 1, shape_1000, values, sizeof values, options));
    OK(asdf_file_write_memory(file, NULL, &buffer));
    OK(asdf_buffer_bytes(buffer, &bytes, size));
    unsigned char *copy = malloc(*size);
    if (!copy) exit(1);
    memcpy(copy, bytes, *size);
    asdf_buffer_free(buffer);
    asdf_options_free(options);
    asdf_node_free(root);
    asdf_file_free(file);
    return copy;
}

static void headers(const unsigned char *bytes, size_t size) {
    asdf_file *file = open_bytes(bytes, size);
    int64_t count = 0, offset = 0, payload = 0, allocated = 0, stored = 0, decoded = 0;
    int32_t streamed = 9;
    unsigned char checksum[17] = {0};
    OK(asdf_file_block_count(file, &count));
    OK(asdf_file_check_blocks(file));
    CHECK(count == 2);
    OK(asdf_file_block_offset(file, 0, &offset));
    OK(asdf_file_block_payload_offset(file, 0, &payload));
    CHECK(memcmp(bytes + offset, "\323BLK", 4) == 0 && memcmp(bytes + payload, values, sizeof values) == 0);
    OK(asdf_file_block_offset(file, -1, &offset));
    CHECK(offset > payload);
    OK(asdf_file_block_allocated_size(file, 1, &allocated));
    OK(asdf_file_block_stored_size(file, 1, &stored));
    OK(asdf_file_block_decoded_size(file, 1, &decoded));
    CHECK(allocated == stored && stored < 1000 && decoded == 1000);
    TEXT("zlib", asdf_file_block_compression, file, 1);
    TEXT("", asdf_file_block_compression, file, 0);
    OK(asdf_file_block_is_streamed(file, 1, &streamed));
    CHECK(streamed == 0);
    OK(asdf_file_block_checksum(file, 0, checksum, sizeof checksum));
    CHECK(checksum[0] != 0 || checksum[1] != 0);
    memset(checksum, 7, sizeof checksum);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_file_block_checksum(file, 0, checksum, 15));
    CHECK(checksum[0] == 7);

    FAILS(ASDF_ERR_BLOCK_NOT_FOUND, asdf_file_block_offset(file, 2, &offset));
    FAILS(ASDF_ERR_BLOCK_NOT_FOUND, asdf_file_block_payload_offset(file, -3, &offset));
    FAILS(ASDF_ERR_BLOCK_NOT_FOUND, asdf_file_block_allocated_size(file, INT64_MAX, &offset));
    FAILS(ASDF_ERR_BLOCK_NOT_FOUND, asdf_file_block_stored_size(file, INT64_MIN, &offset));
    FAILS(ASDF_ERR_BLOCK_NOT_FOUND, asdf_file_block_decoded_size(file, 2, &offset));
    FAILS(ASDF_ERR_BLOCK_NOT_FOUND, asdf_file_block_is_streamed(file, 2, &streamed));
    FAILS(ASDF_ERR_BLOCK_NOT_FOUND, asdf_file_block_checksum(file, 2, checksum, 16));
    char label[8] = "x";
    FAILS(ASDF_ERR_BLOCK_NOT_FOUND, asdf_file_block_compression(file, 2, label, sizeof label, NULL));
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_file_block_compression(file, 1, label, 4, NULL));
    CHECK(strcmp(label, "x") == 0);
    asdf_file_free(file);
}

static void payloads(const unsigned char *bytes, size_t size) {
    asdf_file *file = open_bytes(bytes, size);
    unsigned char read[1000];
    int64_t stored = 0, payload = 0;
    OK(asdf_file_read_block(file, 1, NULL, read, sizeof read));
    CHECK(memcmp(read, values, sizeof read) == 0);
    OK(asdf_file_block_stored_size(file, 1, &stored));
    OK(asdf_file_block_payload_offset(file, 1, &payload));
    OK(asdf_file_read_block_stored(file, 1, NULL, read, (size_t)stored));
    CHECK(memcmp(read, bytes + payload, (size_t)stored) == 0);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_file_read_block_stored(file, 1, NULL, read, (size_t)stored - 1));
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_file_read_block(file, 1, NULL, read, 999));
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_file_read_block(file, 0, NULL, NULL, 0));
    FAILS(ASDF_ERR_BLOCK_NOT_FOUND, asdf_file_read_block_stored(file, 2, NULL, read, sizeof read));
    asdf_file_free(file);
}

static void checksums(unsigned char *bytes, size_t size) {
    asdf_file *file = open_bytes(bytes, size);
    int64_t absent = 9, stored = 9, decoded = 9, payload = 0;
    int32_t outcome = -1;
    OK(asdf_file_verify(file, NULL, &absent, &stored, &decoded));
    CHECK(absent == 0 && stored == 2 && decoded == 0);
    OK(asdf_file_verify(file, NULL, NULL, NULL, NULL));
    OK(asdf_file_verify_block(file, -1, NULL, &outcome));
    CHECK(outcome == ASDF_CHECKSUM_STORED);
    FAILS(ASDF_ERR_BLOCK_NOT_FOUND, asdf_file_verify_block(file, 2, NULL, &outcome));
    OK(asdf_file_block_payload_offset(file, 0, &payload));
    asdf_file_free(file);

    bytes[payload] ^= 1;
    file = open_bytes(bytes, size);
    absent = stored = decoded = 9;
    FAILS(ASDF_ERR_CHECKSUM, asdf_file_verify(file, NULL, &absent, &stored, &decoded));
    CHECK(absent == 9 && stored == 9 && decoded == 9);
    OK(asdf_file_verify_block(file, 0, NULL, &outcome));
    CHECK(outcome == ASDF_CHECKSUM_MISMATCH);
    unsigned char read[1000];
    OK(asdf_file_read_block(file, 0, NULL, read, sizeof read));
    asdf_file_free(file);

    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_VERIFY_CHECKSUMS, 1));
    OK(asdf_file_open_memory(bytes, size, options, &file));
    FAILS(ASDF_ERR_CHECKSUM, asdf_file_read_block(file, 0, NULL, read, sizeof read));
    OK(asdf_file_read_block(file, 1, NULL, read, sizeof read));
    asdf_file_free(file);
    asdf_options_free(options);
}

/* A block that is cut is found without its checksum. */
static void cut_blocks(const unsigned char *bytes, size_t size) {
    asdf_file *file = open_bytes(bytes, size);
    int64_t offset[2] = {0, 0}, payload = 0, absent = 9;
    for (int block = 0; block < 2; block++) OK(asdf_file_block_offset(file, block, &offset[block]));
    OK(asdf_file_block_payload_offset(file, 1, &payload));
    asdf_file_free(file);
    unsigned char *copy = malloc(size);
    if (!copy) exit(1);
    memcpy(copy, bytes, size);
    for (int block = 0; block < 2; block++) memset(copy + offset[block] + 38, 0, 16);
    file = open_bytes(copy, size);
    OK(asdf_file_verify(file, NULL, &absent, NULL, NULL));
    CHECK(absent == 2);
    asdf_file_free(file);
    file = open_bytes(copy, (size_t)payload + 1);
    FAILS(ASDF_ERR_TRUNCATED, asdf_file_verify(file, NULL, &absent, NULL, NULL));
    asdf_file_free(file);
    copy[payload + 1] ^= 0xff;
    copy[payload + 9] ^= 0xff;
    file = open_bytes(copy, size);
    FAILS(ASDF_ERR_CORRUPT, asdf_file_verify(file, NULL, &absent, NULL, NULL));
    asdf_file_free(file);
    memcpy(copy + offset[1] + 10 + 2, "none", 4);
    file = open_bytes(copy, size);
    OK(asdf_file_verify(file, NULL, &absent, NULL, NULL));
    asdf_file_free(file);
    free(copy);
    static const char dangling[] = "#ASDF 1.0.0\n%YAML 1.1\n--- {a: {$ref: '#/b'}}\n...\n";
    file = open_bytes((const unsigned char *)dangling, sizeof dangling - 1);
    FAILS(ASDF_ERR_DANGLING_REFERENCE, asdf_file_verify(file, NULL, &absent, NULL, NULL));
    CHECK(absent == 2);
    asdf_file_free(file);
}

/* Checks an entry of a report. A code of NULL means none. */
static void check_finding(const asdf_report *report, int64_t entry, int64_t kind, int64_t severity, const char *code) {
    int64_t found = 0;
    OK(asdf_report_int(report, entry, ASDF_REPORT_KIND, &found));
    CHECK(found == kind);
    OK(asdf_report_int(report, entry, ASDF_REPORT_SEVERITY, &found));
    CHECK(found == severity);
    char text[100] = "";
    if (code) OK(asdf_report_text(report, entry, ASDF_REPORT_CODE, text, sizeof text, NULL));
    CHECK(!code || strcmp(text, code) == 0);
}

static int64_t inspect(asdf_file *file, asdf_report **report) {
    int64_t count = -1;
    OK(asdf_file_inspect(file, NULL, report));
    OK(asdf_report_count(*report, &count, NULL));
    return count;
}

/* An inspection finds all damage, not only the first. */
static void inspections(const unsigned char *bytes, size_t size) {
    asdf_report *report = NULL;
    asdf_file *file = open_bytes(bytes, size);
    CHECK(inspect(file, &report) == 0);
    asdf_report_free(report);
    int64_t offset = 0, payload = 0;
    OK(asdf_file_block_offset(file, 1, &offset));
    OK(asdf_file_block_payload_offset(file, 0, &payload));
    asdf_file_free(file);

    unsigned char *copy = malloc(size);
    if (!copy) exit(1);
    memcpy(copy, bytes, size);
    copy[payload] ^= 1;
    copy[offset + 38] ^= 1;
    file = open_bytes(copy, size);
    CHECK(inspect(file, &report) == 2);
    check_finding(report, 0, ASDF_REPORT_KIND_ERROR, ASDF_SEVERITY_ERROR, "CHECKSUM");
    check_finding(report, 1, ASDF_REPORT_KIND_ERROR, ASDF_SEVERITY_ERROR, "CHECKSUM");
    asdf_report_free(report);
    asdf_file_free(file);

    memset(copy + offset + 38, 0, 16);
    memcpy(copy + offset + 10 + 2, "none", 4);
    file = open_bytes(copy, size);
    CHECK(inspect(file, &report) >= 2);
    check_finding(report, 0, ASDF_REPORT_KIND_ERROR, ASDF_SEVERITY_ERROR, "CHECKSUM");
    check_finding(report, 1, ASDF_REPORT_KIND_ERROR, ASDF_SEVERITY_WARNING, "UNKNOWN_CODEC");
    asdf_report_free(report);
    asdf_file_free(file);
    free(copy);

    static const char head[] = "#ASDF 1.0.0\n%YAML 1.1\n--- {a: 1}\n...\n\xd3"
                               "BLK\0\x30";
    unsigned char unused[sizeof head - 1 + 48] = {0};
    memcpy(unused, head, sizeof head - 1);
    file = open_bytes(unused, sizeof unused);
    CHECK(inspect(file, &report) == 1);
    check_finding(report, 0, ASDF_REPORT_KIND_NOTE, ASDF_SEVERITY_NOTE, NULL);
    asdf_report_free(report);
    OK(asdf_file_close(file));
    FAILS(ASDF_ERR_CLOSED, asdf_file_inspect(file, NULL, &report));
    CHECK(report == NULL);
    asdf_file_free(file);
}

static void waiting_to_be_written(void) {
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
    int64_t count = 9, offset = 9, size = 9;
    OK(asdf_node_set_array(root, "a", ASDF_UINT8, 1, shape_1000, values, sizeof values, NULL));
    OK(asdf_file_block_count(file, &count));
    OK(asdf_file_block_offset(file, 0, &offset));
    OK(asdf_file_block_decoded_size(file, 0, &size));
    CHECK(count == 1 && offset == -1 && size == 1000);
    FAILS(ASDF_ERR_BLOCK_NOT_FOUND, asdf_file_block_offset(file, 1, &offset));
    asdf_node_free(root);
    asdf_file_free(file);
}

static void open_options(void) {
    static const char deep[] = "#ASDF 1.0.0\n%YAML 1.1\n--- {a: [[[[1]]]], b: &x 1, c: &y 2, a: 3}\n...\n";
    asdf_options *options = NULL;
    asdf_file *file = NULL;
    OK(asdf_options_new(&options));
    static const int32_t limits[] = {ASDF_OPTION_LIMIT_TREE_BYTES, ASDF_OPTION_LIMIT_DEPTH, ASDF_OPTION_LIMIT_NODES,
                                     ASDF_OPTION_LIMIT_ANCHORS};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        OK(asdf_options_set_int(options, limits[i], 1));
        FAILS(ASDF_ERR_LIMIT, asdf_file_open_memory(deep, sizeof deep - 1, options, &file));
        OK(asdf_options_unset(options, limits[i]));
        OK(asdf_file_open_memory(deep, sizeof deep - 1, options, &file));
        asdf_file_free(file);
    }
    OK(asdf_options_set_int(options, ASDF_OPTION_LIMIT_RANK, 32));
    OK(asdf_options_set_int(options, ASDF_OPTION_LIMIT_BLOCKS, INT64_MAX));
    OK(asdf_options_set_int(options, ASDF_OPTION_LIMIT_DECODED_BYTES, 1));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_LIMIT_RANK, 33));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, 0, 1));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, 99, 1));

    OK(asdf_options_set_int(options, ASDF_OPTION_WARNINGS_AS_ERRORS, 1));
    FAILS(ASDF_ERR_STRICT, asdf_file_open_memory(deep, sizeof deep - 1, options, &file));
    asdf_options_free(options);
}

int main(void) {
    for (size_t i = 0; i < sizeof values; i++) values[i] = (unsigned char)(i / 10);
    size_t size = 0;
    unsigned char *bytes = sample(&size);
    headers(bytes, size);
    payloads(bytes, size);
    inspections(bytes, size);
    checksums(bytes, size);
    cut_blocks(bytes, size);
    free(bytes);
    waiting_to_be_written();
    open_options();
    return report();
}
