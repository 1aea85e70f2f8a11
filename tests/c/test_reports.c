/* Reports: the fields of their entries, JSON, and handles that they outlive. */
#include "check.h"

static asdf_ndl *parsed(const char *text) {
    asdf_ndl *ndl = NULL;
    OK(asdf_ndl_read_memory(text, strlen(text), NULL, &ndl));
    return ndl;
}

/* The report of a file is a snapshot, and depends neither on the file nor on its first owner. */
static void warnings(void) {
    asdf_file *file = open_tree("a: 1\na: 2\nd: !core/ndarray-1.1.0 {data: [1], datatype: int8, mask: null}\n");
    asdf_report *first = NULL, *second = NULL, *another = NULL;
    asdf_node *root = root_of(file);
    asdf_array *array = NULL;
    int64_t count = -1, dropped = -1;
    OK(asdf_file_report(file, &first));
    OK(asdf_node_get_array(root, "d", &array));
    second = report_of_file(file);
    asdf_array_free(array);
    asdf_node_free(root);
    OK(asdf_file_close(file));
    asdf_file_free(file);
    OK(asdf_report_count(first, &count, &dropped));
    CHECK(count == 1 && dropped == 0);
    CHECK(report_count(second) == 2);
    OK(asdf_report_retain(first, &another));
    asdf_report_free(first);

    CHECK(report_int(another, 0, ASDF_REPORT_SEVERITY) == ASDF_SEVERITY_WARNING);
    CHECK(report_int(another, 0, ASDF_REPORT_KIND) == ASDF_REPORT_KIND_WARNING);
    CHECK(report_int(another, 0, ASDF_REPORT_LINE) == 7 && report_int(another, 0, ASDF_REPORT_COLUMN) == 1);
    CHECK(report_int(another, 0, ASDF_REPORT_OFFSET) == 96);
    for (int32_t field = ASDF_REPORT_BLOCK; field <= ASDF_REPORT_OS_NUMBER; field++)
        CHECK(report_int(another, 0, field) == -1);
    CHECK(report_int(another, 0, ASDF_REPORT_OPERATION) == -1);
    asdf_report_free(another);
    TEXT("/d", asdf_report_text, second, 1, ASDF_REPORT_PATH);
    TEXT("'mask' is null; the array is read without a mask", asdf_report_text, second, 1, ASDF_REPORT_MESSAGE);
    asdf_report_free(second);
    asdf_report_free(NULL);
}

/* An absent text is an error, and so is a field of the other type. */
static void wrong_questions(void) {
    asdf_ndl *ndl = parsed("ndarrays:\n  a: {shape: [1], type: int8, value: [300]}\n");
    asdf_report *found = report_of_ndl(ndl);
    asdf_ndl_free(ndl);
    char text[14] = "as it was";
    size_t needed = 0;
    int64_t value = 7;
    CHECK(report_count(found) == 1);
    FAILS(ASDF_ERR_NOT_FOUND, asdf_report_text(found, 0, ASDF_REPORT_FILE, text, sizeof text, NULL));
    CHECK(message_holds("ASDF_REPORT_FILE"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_report_int(found, 0, ASDF_REPORT_PATH, &value));
    CHECK(message_holds("ASDF_REPORT_PATH"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_report_text(found, 0, ASDF_REPORT_LINE, text, sizeof text, NULL));
    CHECK(message_holds("ASDF_REPORT_LINE"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_report_int(found, 0, 0, &value));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_report_text(found, 0, 109, text, sizeof text, NULL));
    CHECK(message_holds("109"));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_report_int(found, 1, ASDF_REPORT_LINE, &value));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_report_int(found, -1, ASDF_REPORT_LINE, &value));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_report_text(found, 1, ASDF_REPORT_ENTRY, text, sizeof text, NULL));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_report_text(found, INT64_MAX, ASDF_REPORT_ENTRY, text, sizeof text, NULL));
    CHECK(value == 7);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_report_text(found, 0, ASDF_REPORT_CODE, text, 13, &needed));
    CHECK(needed == 13 && strcmp(text, "as it was") == 0);
    OK(asdf_report_text(found, 0, ASDF_REPORT_CODE, text, sizeof text, NULL));
    CHECK(strcmp(text, "E-VALUE-RANGE") == 0);
    asdf_report_free(found);
}

static int json_is(const asdf_report *found, const char *expected) {
    asdf_buffer *json = NULL;
    const void *bytes = NULL;
    size_t size = 0;
    OK(asdf_report_json(found, &json));
    OK(asdf_buffer_bytes(json, &bytes, &size));
    int same = size == strlen(expected) && memcmp(bytes, expected, size) == 0;
    if (!same) fprintf(stderr, "the JSON is %.*s\n", (int)size, (const char *)bytes);
    asdf_buffer_free(json);
    return same;
}

static void json(void) {
    asdf_ndl *ndl = parsed("ndarrays:\n  a: {shape: [1], type: int8, value: [300]}\n");
    asdf_ndl *other = parsed("ndarrays: {\"\\\"\": {shape: [2], type: int8}}");
    asdf_report *found = report_of_ndl(ndl);
    CHECK(json_is(found, "[{\"severity\": \"error\", \"kind\": \"diagnostic\", \"code\": \"E-VALUE-RANGE\", "
                         "\"text\": \"2:39: E-VALUE-RANGE: /a: 300 is not in the range of int8\", "
                         "\"message\": \"300 is not in the range of int8\", \"path\": \"/a\", \"line\": 2, "
                         "\"column\": 39}]"));
    asdf_report_free(found);
    OK(asdf_ndl_compare(other, other, 0, &found));
    CHECK(report_count(found) == 0 && json_is(found, "[]"));
    asdf_report_free(found);
    asdf_ndl_free(ndl);

    /* Old and new content are JSON values, not strings. */
    ndl = parsed("ndarrays: {\"\\\"\": {shape: [3], type: int8}}");
    OK(asdf_ndl_compare(ndl, other, 0, &found));
    CHECK(json_is(found, "[{\"severity\": \"note\", \"kind\": \"difference\", \"operation\": \"change\", "
                         "\"text\": \"~ /\\\": shape [3] -> [2]\", \"message\": \"shape [3] -> [2]\", "
                         "\"path\": \"/\\\"\", \"subject\": \"shape\", \"old\": [3], \"new\": [2]}]"));
    asdf_report_free(found);
    asdf_ndl_free(other);
    asdf_ndl_free(ndl);
}

/* If there are very many diagnostics, the first ones are kept and all are counted. */
static void dropped(void) {
    enum { COUNT = 1234 };
    size_t size = 16 + COUNT * 32, length = 0;
    char *text = malloc(size);
    if (!text) exit(1);
    length += (size_t)snprintf(text, size, "ndarrays:\n");
    for (int i = 0; i < COUNT; i++)
        length += (size_t)snprintf(text + length, size - length, "  a%d: {type: int8}\n", i);
    asdf_ndl *ndl = parsed(text);
    asdf_report *found = report_of_ndl(ndl);
    int64_t kept = -1, beyond = -1;
    OK(asdf_report_count(found, &kept, &beyond));
    CHECK(kept == 1000 && kept + beyond == COUNT);
    asdf_report_free(found);
    asdf_ndl_free(ndl);
    free(text);
}

int main(void) {
    warnings();
    wrong_questions();
    json();
    dropped();
    return report();
}
