/* Descriptions in the Ndarray Data Language: reading, and diagnostics. */
#include "check.h"

static asdf_ndl *parsed(const char *text, const asdf_options *options) {
    asdf_ndl *ndl = NULL;
    OK(asdf_ndl_read_memory(text, strlen(text), options, &ndl));
    return ndl;
}

static void check_counts(const asdf_ndl *ndl, int64_t expected, int32_t expected_valid) {
    asdf_report *found = report_of_ndl(ndl);
    int32_t valid = -1;
    OK(asdf_ndl_is_valid(ndl, &valid));
    CHECK(report_count(found) == expected && valid == expected_valid);
    asdf_report_free(found);
}

static void diagnostics(void) {
    asdf_ndl *ndl = parsed("attributes: {t: true}\nndarrays:\n  a: {shape: [1], type: int8, value: [300]}\n", NULL);
    asdf_report *found = NULL;
    char small[13] = "as it was";
    size_t needed = 0;
    OK(asdf_ndl_report(ndl, &found));

    check_counts(ndl, 2, 0);
    asdf_ndl_free(ndl);
    CHECK(report_int(found, 0, ASDF_REPORT_SEVERITY) == ASDF_SEVERITY_WARNING);
    CHECK(report_int(found, 0, ASDF_REPORT_KIND) == ASDF_REPORT_KIND_DIAGNOSTIC);
    CHECK(report_int(found, 0, ASDF_REPORT_LINE) == 1 && report_int(found, 0, ASDF_REPORT_COLUMN) == 17);
    CHECK(report_int(found, 1, ASDF_REPORT_SEVERITY) == ASDF_SEVERITY_ERROR);
    CHECK(report_int(found, 1, ASDF_REPORT_LINE) == 3 && report_int(found, 1, ASDF_REPORT_COLUMN) == 39);
    TEXT("W-ATTR-BOOL", asdf_report_text, found, 0, ASDF_REPORT_CODE);
    TEXT("/@t", asdf_report_text, found, 0, ASDF_REPORT_PATH);
    TEXT("E-VALUE-RANGE", asdf_report_text, found, 1, ASDF_REPORT_CODE);
    TEXT("/a", asdf_report_text, found, 1, ASDF_REPORT_PATH);
    TEXT("300 is not in the range of int8", asdf_report_text, found, 1, ASDF_REPORT_MESSAGE);
    TEXT("3:39: E-VALUE-RANGE: /a: 300 is not in the range of int8", asdf_report_text, found, 1, ASDF_REPORT_ENTRY);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_report_text(found, 1, ASDF_REPORT_CODE, small, sizeof small, &needed));
    CHECK(needed == 13 && strcmp(small, "as it was") == 0);
    asdf_report_free(found);
}

static void options(void) {
    asdf_options *choices = NULL;
    OK(asdf_options_new(&choices));
    OK(asdf_options_set_int(choices, ASDF_OPTION_UNKNOWN_KEYS, 1));
    asdf_ndl *ndl = parsed("dims: {}\n", choices);
    check_counts(ndl, 1, 1);
    asdf_ndl_free(ndl);
    OK(asdf_options_set_int(choices, ASDF_OPTION_WARNINGS_AS_ERRORS, 1));
    ndl = parsed("dims: {}\n", choices);
    check_counts(ndl, 1, 0);
    asdf_ndl_free(ndl);
    asdf_options_free(choices);
    ndl = parsed("dims: {}\n", NULL);
    check_counts(ndl, 1, 0);
    asdf_ndl_free(ndl);
}

static void files(void) {
    static const char text[] = "attributes:\n  a:\n";
    asdf_ndl *ndl = NULL, *another = NULL;
    FILE *file = fopen("model.yaml", "wb");
    CHECK(file && fwrite(text, 1, sizeof text - 1, file) == sizeof text - 1 && fclose(file) == 0);
    OK(asdf_ndl_read("model.yaml", NULL, &ndl));
    OK(asdf_ndl_retain(ndl, &another));
    CHECK(another == ndl);
    asdf_ndl_free(ndl);
    asdf_report *found = report_of_ndl(another);
    TEXT("model.yaml:2:3: E-ATTR-NULL: /@a: an attribute cannot be null, because NDL has no datatype for null",
         asdf_report_text, found, 0, ASDF_REPORT_ENTRY);
    TEXT("model.yaml", asdf_report_text, found, 0, ASDF_REPORT_FILE);
    asdf_report_free(found);
    asdf_ndl_free(another);
    FAILS(ASDF_ERR_FILE_NOT_FOUND, asdf_ndl_read("nothing.yaml", NULL, &ndl));
    CHECK(ndl == NULL && message_holds("nothing.yaml"));
}

/* A text that is not YAML cannot be read at all. */
static void unreadable(void) {
    static const struct {
        const char *text;
        asdf_status status;
    } wrong[] = {
        {"a: [", ASDF_ERR_YAML},
        {"a: \xE9", ASDF_ERR_ENCODING},
        {"a: *a", ASDF_ERR_YAML},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        asdf_ndl *ndl = (asdf_ndl *)1;
        FAILS(wrong[i].status, asdf_ndl_read_memory(wrong[i].text, strlen(wrong[i].text), NULL, &ndl));
        CHECK(ndl == NULL && message_holds("1:"));
    }
    asdf_ndl *ndl = parsed("", NULL);
    asdf_report *found = report_of_ndl(ndl);
    TEXT("E-EMPTY-DOC", asdf_report_text, found, 0, ASDF_REPORT_CODE);
    TEXT("", asdf_report_text, found, 0, ASDF_REPORT_PATH);
    asdf_report_free(found);
    asdf_ndl_free(ndl);
    asdf_ndl_free(NULL);
}

static const char full[] =
    "/g/h:\n"
    "  attributes: {title: t, n: {shape: [2], type: uint64, value: [7, 18446744073709551615]}}\n"
    "  dimcoords:\n"
    "    x: {size: 3, type: float32, value: [0.5, 1, .inf]}\n"
    "  ndarrays:\n"
    "    a: {shape: [x, null], type: {enum: {members: {OFF: 0, ON: 200}}}, value: [[ON], [OFF], [ON]]}\n"
    "    r: {shape: [2], type: objref, value: [/g, null]}\n"
    "    b: {type: {compound: [k: int8]}}\n"
    "    big: {shape: [18446744073709551615]}\n";

static void names(void) {
    asdf_ndl *ndl = parsed(full, NULL);
    char text[64];
    int64_t count = 0;
    int32_t kind = 0;
    OK(asdf_ndl_count(ndl, ASDF_NDL_KIND_GROUP, &count));
    CHECK(count == 3);
    OK(asdf_ndl_count(ndl, ASDF_NDL_KIND_DIMCOORD, &count));
    CHECK(count == 1);
    OK(asdf_ndl_count(ndl, ASDF_NDL_KIND_NDARRAY, &count));
    CHECK(count == 4);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_ndl_count(ndl, 4, &count));
    TEXT("/g", asdf_ndl_path, ndl, ASDF_NDL_KIND_GROUP, 1);
    TEXT("/g/h/x", asdf_ndl_path, ndl, ASDF_NDL_KIND_DIMCOORD, 0);
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_ndl_path(ndl, ASDF_NDL_KIND_DIMCOORD, 1, text, sizeof text, NULL));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_ndl_path(ndl, ASDF_NDL_KIND_DIMCOORD, -1, text, sizeof text, NULL));
    OK(asdf_ndl_kind(ndl, "/g", &kind));
    CHECK(kind == ASDF_NDL_KIND_GROUP);
    OK(asdf_ndl_kind(ndl, "/g/h/x", &kind));
    CHECK(kind == ASDF_NDL_KIND_DIMCOORD);
    OK(asdf_ndl_kind(ndl, "/g/h/a", &kind));
    CHECK(kind == ASDF_NDL_KIND_NDARRAY);
    FAILS(ASDF_ERR_NOT_FOUND, asdf_ndl_kind(ndl, "/g/a", &kind));
    OK(asdf_ndl_attribute_count(ndl, "/g/h", &count));
    CHECK(count == 2);
    FAILS(ASDF_ERR_NOT_FOUND, asdf_ndl_attribute_count(ndl, "g", &count));
    TEXT("n", asdf_ndl_attribute_name, ndl, "/g/h", 1);
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_ndl_attribute_name(ndl, "/g/h", 2, text, sizeof text, NULL));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_ndl_attribute_name(ndl, "/h", 0, text, sizeof text, NULL));
    asdf_ndl_free(ndl);
}

static void shapes(void) {
    asdf_ndl *ndl = parsed(full, NULL);
    int64_t extents[2] = {0};
    int32_t rank = 0;
    char text[64];
    OK(asdf_ndl_shape(ndl, "/g/h/a", NULL, extents, 2, &rank));
    CHECK(rank == 2 && extents[0] == 3 && extents[1] == -1);
    OK(asdf_ndl_value_shape(ndl, "/g/h/a", NULL, extents, 2, &rank));
    CHECK(rank == 2 && extents[0] == 3 && extents[1] == 1);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_ndl_shape(ndl, "/g/h/a", NULL, extents, 1, &rank));
    OK(asdf_ndl_shape(ndl, "/g/h", "n", extents, 2, &rank));
    CHECK(rank == 1 && extents[0] == 2);
    OK(asdf_ndl_shape(ndl, "/g/h", "title", NULL, 0, &rank));
    CHECK(rank == 0);
    FAILS(ASDF_ERR_NOT_FOUND, asdf_ndl_shape(ndl, "/g/h", NULL, extents, 2, &rank));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_ndl_shape(ndl, "/g/h", "other", extents, 2, &rank));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_ndl_shape(ndl, "/g/h/b", NULL, extents, 2, &rank));
    FAILS(ASDF_ERR_VALUE_RANGE, asdf_ndl_shape(ndl, "/g/h/big", NULL, extents, 2, &rank));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_ndl_value_shape(ndl, "/g/h/b", NULL, extents, 2, &rank));
    TEXT("/g/h/x", asdf_ndl_coordinate, ndl, "/g/h/a", 0);
    TEXT("", asdf_ndl_coordinate, ndl, "/g/h/a", 1);
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_ndl_coordinate(ndl, "/g/h/a", 2, text, sizeof text, NULL));
    TEXT("enum", asdf_ndl_keyword, ndl, "/g/h/a", NULL);
    TEXT("string", asdf_ndl_keyword, ndl, "/g/h", "title");
    FAILS(ASDF_ERR_NOT_FOUND, asdf_ndl_keyword(ndl, "/g/h/big", NULL, text, sizeof text, NULL));
    asdf_ndl_free(ndl);
}

static void values(void) {
    asdf_ndl *ndl = parsed(full, NULL);
    int64_t integer = 0;
    double number = 0;
    char text[64];
    OK(asdf_ndl_value_i64(ndl, "/g/h", "n", 0, &integer));
    CHECK(integer == 7);
    FAILS(ASDF_ERR_VALUE_RANGE, asdf_ndl_value_i64(ndl, "/g/h", "n", 1, &integer));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_ndl_value_i64(ndl, "/g/h", "n", 2, &integer));
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_ndl_value_i64(ndl, "/g/h/x", NULL, 0, &integer));
    OK(asdf_ndl_value_i64(ndl, "/g/h/a", NULL, 2, &integer));
    CHECK(integer == 200);
    OK(asdf_ndl_value_f64(ndl, "/g/h/x", NULL, 0, &number));
    CHECK(number == 0.5);
    OK(asdf_ndl_value_f64(ndl, "/g/h", "n", 1, &number));
    CHECK(number == 18446744073709551616.0);
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_ndl_value_f64(ndl, "/g/h", "title", 0, &number));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_ndl_value_f64(ndl, "/g/h/b", NULL, 0, &number));
    TEXT("t", asdf_ndl_value_text, ndl, "/g/h", "title", 0);
    TEXT("OFF", asdf_ndl_value_text, ndl, "/g/h/a", NULL, 1);
    TEXT("/g", asdf_ndl_value_text, ndl, "/g/h/r", NULL, 0);
    TEXT("", asdf_ndl_value_text, ndl, "/g/h/r", NULL, 1);
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_ndl_value_text(ndl, "/g/h/x", NULL, 0, text, sizeof text, NULL));
    asdf_ndl_free(ndl);
}

int main(void) {
    names();
    shapes();
    values();
    diagnostics();
    options();
    files();
    unreadable();
    return report();
}
