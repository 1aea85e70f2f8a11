/* Descriptions in the Ndarray Data Language: writing, sizes, and differences. */
#include "check.h"

static const char TEXT_OF_A[] = "ndarrays: {a: {attributes: {units: K}, type: float32, shape: [2, 3]}}\n";
static const char CANONICAL[] =
    "ndarrays:\n  a:\n    shape: [2, 3]\n    type: float32\n    attributes:\n      units: K\n";

static asdf_ndl *parsed(const char *text) {
    asdf_ndl *ndl = NULL;
    OK(asdf_ndl_read_memory(text, strlen(text), NULL, &ndl));
    return ndl;
}

/* Checks the text in a buffer, and frees it. */
static void holds(asdf_buffer *buffer, const char *expected, int whole) {
    const void *bytes = "";
    size_t size = 0;
    OK(asdf_buffer_bytes(buffer, &bytes, &size));
    char *text = calloc(size + 1, 1);
    memcpy(text, bytes, size);
    if (whole ? strcmp(text, expected) != 0 : strstr(text, expected) == NULL) {
        fprintf(stderr, "'%s' instead of '%s'\n", text, expected);
        checks_failed++;
    }
    free(text);
    asdf_buffer_free(buffer);
}

static void texts(void) {
    asdf_ndl *ndl = parsed(TEXT_OF_A), *bad = parsed("attributes: {a: }\nndarrays: {b: {type: int8}}\n");
    asdf_ndl *references = parsed("ndarrays: {r: {shape: [], type: objref}}\n");
    asdf_options *options = NULL;
    asdf_buffer *buffer = NULL;

    OK(asdf_options_new(&options));
    OK(asdf_ndl_export(ndl, ASDF_NDL_FORMAT_TEXT, NULL, NULL, &buffer));
    holds(buffer, CANONICAL, 1);
    OK(asdf_ndl_export(ndl, ASDF_NDL_FORMAT_JSON, NULL, NULL, &buffer));
    holds(buffer, "\"/a\": {\"shape\": [2, 3], \"dims\": [null, null], \"type\": \"float32\"", 0);
    OK(asdf_ndl_export(ndl, ASDF_NDL_FORMAT_CDL, "one", NULL, &buffer));
    holds(buffer, "\tfloat a(extent_2, extent_3) ;\n\t\ta:units = \"K\" ;\n", 0);
    OK(asdf_ndl_export(ndl, ASDF_NDL_FORMAT_C, "one", NULL, &buffer));
    holds(buffer, "#define one_a_EXTENT_1 UINT64_C(3)\ntypedef float one_a;\n", 0);
    OK(asdf_ndl_export(ndl, ASDF_NDL_FORMAT_FORTRAN, "one", NULL, &buffer));
    holds(buffer, "a_shape(2) = [&\n    3_c_int64_t, &\n    2_c_int64_t]\n", 0);

    FAILS(ASDF_ERR_INCOMPLETE, asdf_ndl_export(bad, ASDF_NDL_FORMAT_TEXT, NULL, NULL, &buffer));
    CHECK(buffer == NULL);
    OK(asdf_ndl_export(bad, ASDF_NDL_FORMAT_JSON, NULL, NULL, &buffer));
    holds(buffer, "\"/b\": {\"shape\": null", 0);
    FAILS(ASDF_ERR_INCOMPLETE, asdf_ndl_export(bad, ASDF_NDL_FORMAT_CDL, "one", NULL, &buffer));
    FAILS(ASDF_ERR_INCOMPLETE, asdf_ndl_export(bad, ASDF_NDL_FORMAT_C, "one", NULL, &buffer));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_ndl_export(ndl, 99, "one", NULL, &buffer));
    FAILS(ASDF_ERR_UNSUPPORTED, asdf_ndl_export(references, ASDF_NDL_FORMAT_CDL, "one", NULL, &buffer));
    asdf_ndl_free(bad);
    asdf_ndl_free(ndl);
    asdf_ndl_free(references);

    ndl = parsed("ndarrays:\n  z: {shape: [1], type: int8, value: [7]}\n  y: {shape: [], type: int8}\n");
    OK(asdf_options_set_int(options, ASDF_OPTION_SORT, 1));
    OK(asdf_options_set_int(options, ASDF_OPTION_CDL_VALUES, 1));
    OK(asdf_ndl_export(ndl, ASDF_NDL_FORMAT_TEXT, NULL, options, &buffer));
    holds(buffer, "ndarrays:\n  \"y\":\n", 0);
    OK(asdf_ndl_export(ndl, ASDF_NDL_FORMAT_CDL, "one", options, &buffer));
    holds(buffer, "data:\n\tz = 7b ;\n", 0);
    asdf_ndl_free(ndl);
    asdf_options_free(options);
}

static void files(void) {
    asdf_ndl *ndl = parsed(TEXT_OF_A), *again = NULL;
    asdf_options *options = NULL;
    char small[4] = "was";
    size_t needed = 0;
    int32_t same = 0;

    TEXT("folder.d/example.yaml", asdf_ndl_file_name, "folder.d/example.fmt");
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_ndl_file_name("a.asdf", small, sizeof small, &needed));
    CHECK(needed == 6 && strcmp(small, "was") == 0);
    remove("written.yaml");
    OK(asdf_ndl_write(ndl, "written.yaml", NULL));
    FAILS(ASDF_ERR_FILE_EXISTS, asdf_ndl_write(ndl, "written.yaml", NULL));
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_DURABLE, 0));
    OK(asdf_options_set_int(options, ASDF_OPTION_REPLACE, 1));
    OK(asdf_ndl_write(ndl, "written.yaml", options));
    OK(asdf_ndl_read("written.yaml", NULL, &again));
    OK(asdf_ndl_is_same(ndl, again, &same));
    CHECK(same == 1);
    asdf_options_free(options);
    asdf_ndl_free(again);
    asdf_ndl_free(ndl);
    remove("written.yaml");
}

static void sizes(void) {
    asdf_ndl *ndl = parsed("ndarrays:\n  a: {shape: [2, 3], type: float32}\n  b: {shape: [4], type: string}\n"
                           "  c: {shape: [9223372036854775807], type: int16}\n");
    int64_t elements = 0, element_bytes = 0, bytes = 0, unknown = 0;
    OK(asdf_ndl_size(ndl, "/a", &elements, &element_bytes, &bytes));
    CHECK(elements == 6 && element_bytes == 4 && bytes == 24);
    OK(asdf_ndl_size(ndl, "/b", &elements, &element_bytes, &bytes));
    CHECK(elements == 4 && element_bytes == -1 && bytes == -1);
    OK(asdf_ndl_size(ndl, "/a", NULL, NULL, NULL));
    FAILS(ASDF_ERR_LIMIT, asdf_ndl_size(ndl, "/c", &elements, &element_bytes, &bytes));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_ndl_size(ndl, "/d", &elements, &element_bytes, &bytes));
    FAILS(ASDF_ERR_LIMIT, asdf_ndl_total_size(ndl, &bytes, &unknown));
    asdf_ndl_free(ndl);
    ndl = parsed("ndarrays:\n  a: {shape: [2, 3], type: float32}\n  b: {shape: [4], type: string}\n");
    OK(asdf_ndl_total_size(ndl, &bytes, &unknown));
    CHECK(bytes == 24 && unknown == 1);
    asdf_ndl_free(ndl);
}

static void differences(void) {
    asdf_ndl *ndl = parsed(TEXT_OF_A);
    asdf_ndl *newer = parsed("ndarrays:\n  a: {shape: [2, 4], type: float32, attributes: {units: mK}}\n"
                             "  b: {shape: [], type: int8}\n");
    asdf_ndl *promise = parsed("ndarrays: {a: {shape: [null, null], type: float32}}\n");
    asdf_report *found = NULL;
    asdf_buffer *buffer = NULL;
    int32_t same = 1;
    char small[3];

    OK(asdf_ndl_is_same(ndl, newer, &same));
    CHECK(same == 0);
    OK(asdf_ndl_compare(ndl, newer, 0, &found));
    CHECK(report_count(found) == 3);
    CHECK(report_int(found, 0, ASDF_REPORT_KIND) == ASDF_REPORT_KIND_DIFFERENCE);
    CHECK(report_int(found, 0, ASDF_REPORT_SEVERITY) == ASDF_SEVERITY_NOTE);
    TEXT("~ /a: shape [2, 3] -> [2, 4]", asdf_report_text, found, 0, ASDF_REPORT_ENTRY);
    TEXT("shape [2, 3] -> [2, 4]", asdf_report_text, found, 0, ASDF_REPORT_MESSAGE);
    TEXT("/a@units", asdf_report_text, found, 1, ASDF_REPORT_PATH);
    TEXT("value", asdf_report_text, found, 1, ASDF_REPORT_SUBJECT);
    CHECK(report_int(found, 1, ASDF_REPORT_OPERATION) == ASDF_OPERATION_CHANGE);
    CHECK(report_int(found, 2, ASDF_REPORT_OPERATION) == ASDF_OPERATION_ADD);
    TEXT("[2, 3]", asdf_report_text, found, 0, ASDF_REPORT_OLD);
    TEXT("[2, 4]", asdf_report_text, found, 0, ASDF_REPORT_NEW);
    TEXT("\"mK\"", asdf_report_text, found, 1, ASDF_REPORT_NEW);
    FAILS(ASDF_ERR_NOT_FOUND, asdf_report_text(found, 2, ASDF_REPORT_OLD, small, sizeof small, NULL));
    OK(asdf_report_json(found, &buffer));
    holds(buffer, "\"path\": \"/a@units\", \"subject\": \"value\", \"old\": \"K\", \"new\": \"mK\"}", 0);
    asdf_report_free(found);

    OK(asdf_ndl_compare(ndl, newer, ASDF_NDL_IGNORE_ATTRIBUTES | ASDF_NDL_IGNORE_VALUES, &found));
    CHECK(report_count(found) == 2);
    asdf_report_free(found);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_ndl_compare(ndl, newer, 16, &found));
    CHECK(found == NULL);

    OK(asdf_ndl_conform(promise, newer, 1, &found));
    CHECK(report_count(found) == 0);
    asdf_report_free(found);
    OK(asdf_ndl_conform(promise, newer, 0, &found));
    CHECK(report_count(found) == 2);
    asdf_report_free(found);
    OK(asdf_ndl_conform(newer, promise, 1, &found));
    CHECK(report_int(found, 1, ASDF_REPORT_OPERATION) == ASDF_OPERATION_REMOVE);
    CHECK(report_int(found, 1, ASDF_REPORT_SEVERITY) == ASDF_SEVERITY_ERROR);
    FAILS(ASDF_ERR_NOT_FOUND, asdf_report_text(found, 1, ASDF_REPORT_NEW, small, sizeof small, NULL));
    asdf_report_free(found);
    asdf_ndl_free(promise);
    asdf_ndl_free(newer);
    asdf_ndl_free(ndl);
}

int main(void) {
    texts();
    files();
    sizes();
    differences();
    return report();
}
