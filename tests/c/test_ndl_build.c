/* Descriptions that are built and changed part by part. */
#include "check.h"

static asdf_ndl *finished(const asdf_ndl_builder *builder) {
    asdf_ndl *ndl = NULL;
    OK(asdf_ndl_builder_finish(builder, NULL, &ndl));
    return ndl;
}

/* Checks the diagnostics of a builder: codes and places, in order, each with a final line feed. */
static void diagnosed(const asdf_ndl_builder *builder, const char *expected) {
    char found[1024] = "", code[32], place[64];
    int32_t valid = -1, errors = 0;
    asdf_ndl *ndl = finished(builder);
    asdf_report *entries = report_of_ndl(ndl);
    for (int64_t i = 0; i < report_count(entries); i++) {
        OK(asdf_report_text(entries, i, ASDF_REPORT_CODE, code, sizeof code, NULL));
        OK(asdf_report_text(entries, i, ASDF_REPORT_PATH, place, sizeof place, NULL));
        CHECK(report_int(entries, i, ASDF_REPORT_LINE) == -1 && report_int(entries, i, ASDF_REPORT_COLUMN) == -1);
        errors += report_int(entries, i, ASDF_REPORT_SEVERITY) == ASDF_SEVERITY_ERROR;
        snprintf(found + strlen(found), sizeof found - strlen(found), "%s %s\n", code, place);
    }
    asdf_report_free(entries);
    OK(asdf_ndl_is_valid(ndl, &valid));
    CHECK(valid == (errors == 0));
    if (strcmp(found, expected) != 0) {
        checks_failed++;
        fprintf(stderr, "the diagnostics are\n%s", found);
    }
    asdf_ndl_free(ndl);
}

/* Returns the canonical text of the content of a builder. */
static void written_as(const asdf_ndl_builder *builder, const char *expected) {
    asdf_buffer *buffer = NULL;
    const void *bytes = NULL;
    size_t size = 0;
    asdf_ndl *ndl = finished(builder);
    OK(asdf_ndl_export(ndl, ASDF_NDL_FORMAT_TEXT, NULL, NULL, &buffer));
    OK(asdf_buffer_bytes(buffer, &bytes, &size));
    if (size != strlen(expected) || memcmp(bytes, expected, size) != 0) {
        checks_failed++;
        fprintf(stderr, "the text is\n%.*s", (int)size, (const char *)bytes);
    }
    asdf_buffer_free(buffer);
    asdf_ndl_free(ndl);
}

static asdf_status set_texts(asdf_ndl_builder *builder, const char *path, const char *attribute, int32_t rank,
                             const int64_t *extents, const char *const *texts, int64_t count) {
    struct texts all = texts_of(texts, count);
    return asdf_ndl_builder_set_texts(builder, path, attribute, rank, extents, all.bytes, all.size, all.offsets,
                                      count + 1);
}

static void from_nothing(void) {
    static const int64_t grid[] = {-1, 3}, pair[] = {2}, triple[] = {3}, two_three[] = {2, 3};
    static const char *const coordinates[] = {"time", NULL}, *const named[] = {"/time"};
    static const double winds[] = {0.5, 1, 2, 3, 4, 1e300};
    static const int64_t flags[] = {1, 0}, limits[] = {-1, 40000};
    static const uint64_t large[] = {0, UINT64_MAX};
    static const char *const words[] = {"a", "No"}, *const states[] = {"OFF", "ON"}, *const links[] = {"", "/site"};
    asdf_ndl_builder *builder = NULL;
    OK(asdf_ndl_builder_new(NULL, &builder));
    written_as(builder, "{}\n");
    OK(asdf_ndl_builder_add_dimcoord(builder, "/time", -1, "float64"));
    OK(asdf_ndl_builder_add_ndarray(builder, "/site/wind", 2, grid, coordinates, "float32"));
    OK(asdf_ndl_builder_add_ndarray(builder, "/site/state", 1, pair, NULL, "{enum: {members: {OFF: 0, ON: 1}}}"));
    OK(asdf_ndl_builder_add_ndarray(builder, "/links", 1, pair, NULL, "objref"));
    OK(asdf_ndl_builder_add_ndarray(builder, "/counts", 1, pair, NULL, "uint64"));
    OK(asdf_ndl_builder_add_ndarray(builder, "/pairs", 1, NULL, named,
                                    "{compound: [a: int8, b: {vlen: {base: string}}]}"));
    OK(asdf_ndl_builder_add_ndarray(builder, "/scalar", 0, NULL, NULL, "{array: {base: int16, shape: [2]}}"));
    OK(asdf_ndl_builder_add_group(builder, "/empty"));

    OK(asdf_ndl_builder_set_attribute_string(builder, "/", "title", "a b", 3));
    OK(asdf_ndl_builder_set_attribute_i64(builder, "/site", "height", -5));
    OK(asdf_ndl_builder_set_attribute_i64(builder, "/site", "large", INT64_C(5000000000)));
    OK(asdf_ndl_builder_set_attribute_f64(builder, "/time", "scale", 0.1));
    OK(asdf_ndl_builder_set_attribute(builder, "/site/wind", "range", 1, pair, "int32"));
    OK(asdf_ndl_builder_set_values(builder, "/site/wind", "range", ASDF_INT64, 1, pair, limits, 2 * 8, NULL));
    OK(asdf_ndl_builder_set_attribute(builder, "/site/wind", "words", 1, pair, "string"));
    OK(set_texts(builder, "/site/wind", "words", 1, pair, words, 2));
    OK(asdf_ndl_builder_set_storage(builder, "/site/wind", "words", "charset", SIZED("ascii")));

    OK(asdf_ndl_builder_set_storage(builder, "/site/wind", NULL, "chunk", SIZED("[512, 3]")));
    OK(asdf_ndl_builder_set_storage(builder, "/site/wind", NULL, "filter", SIZED("[shuffle, {deflate: {level: 5}}]")));
    OK(asdf_ndl_builder_set_storage(builder, "/site/wind", NULL, "endian", SIZED("little")));
    OK(asdf_ndl_builder_set_storage(builder, "/site/wind", NULL, "endian", NULL, 0));
    OK(asdf_ndl_builder_set_storage(builder, "/time", NULL, "size", SIZED("7")));
    FAILS(ASDF_ERR_OVERFLOW,
          asdf_ndl_builder_set_values(builder, "/site/wind", NULL, ASDF_FLOAT64, 2, two_three, winds, 6 * 8, NULL));
    OK(asdf_ndl_builder_set_values(builder, "/site/state", NULL, ASDF_INT64, 1, pair, flags, 2 * 8, NULL));
    OK(set_texts(builder, "/site/state", NULL, 1, pair, states, 2));
    OK(set_texts(builder, "/links", NULL, 1, pair, links, 2));
    OK(asdf_ndl_builder_set_values(builder, "/counts", NULL, ASDF_UINT64, 1, pair, large, 2 * 8, NULL));
    FAILS(ASDF_ERR_OVERFLOW,
          asdf_ndl_builder_set_values(builder, "/scalar", NULL, ASDF_INT64, 0, NULL, limits, 2 * 8, NULL));
    OK(asdf_ndl_builder_set_values(builder, "/scalar", NULL, ASDF_INT64, 0, NULL, flags, 2 * 8, NULL));
    OK(asdf_ndl_builder_set_value(builder, "/pairs", NULL, SIZED("[[1, [x, y]], {b: [], a: 2}]")));
    OK(asdf_ndl_builder_set_extension(builder, NULL, NULL, "x-ndl", SIZED("0.6")));
    OK(asdf_ndl_builder_set_extension(builder, "/site", NULL, "x-made", SIZED("{by: hand}")));
    OK(asdf_ndl_builder_set_extension(builder, "/site/wind", "range", "x-kept", SIZED("1")));
    OK(asdf_ndl_builder_set_extension(builder, "/site/wind", "range", "x-kept", NULL, 0));
    OK(asdf_ndl_builder_set_storage(builder, "/counts", NULL, "x-storage", SIZED("[1]")));
    FAILS(ASDF_ERR_CONVERSION,
          asdf_ndl_builder_set_values(builder, "/links", NULL, ASDF_INT64, 1, pair, flags, 16, NULL));
    FAILS(ASDF_ERR_VALUE_RANGE,
          asdf_ndl_builder_set_values(builder, "/site/state", NULL, ASDF_UINT8, 1, pair, "\1\2", 2, NULL));
    OK(asdf_ndl_builder_set_values(builder, "/site/state", NULL, ASDF_UINT8, 1, pair, "\0\1", 2, NULL));
    diagnosed(builder, "");
    written_as(builder, "/:\n"
                        "  attributes:\n"
                        "    title: a b\n"
                        "  dimcoords:\n"
                        "    time:\n"
                        "      size: null\n"
                        "      type: float64\n"
                        "      storage:\n"
                        "        size: 7\n"
                        "      attributes:\n"
                        "        scale: 0.1\n"
                        "  ndarrays:\n"
                        "    links:\n"
                        "      shape: [2]\n"
                        "      type: objref\n"
                        "      value: [null, /site]\n"
                        "    counts:\n"
                        "      shape: [2]\n"
                        "      type: uint64\n"
                        "      storage:\n"
                        "        x-storage: [1]\n"
                        "      value: [0, 18446744073709551615]\n"
                        "    pairs:\n"
                        "      shape: [/time]\n"
                        "      type:\n"
                        "        compound:\n"
                        "          - a: int8\n"
                        "          - b:\n"
                        "              vlen:\n"
                        "                base: string\n"
                        "      value: [[1, [x, \"y\"]], [2, []]]\n"
                        "    scalar:\n"
                        "      shape: []\n"
                        "      type:\n"
                        "        array:\n"
                        "          base: int16\n"
                        "          shape: [2]\n"
                        "      value: [1, 0]\n"
                        "/site:\n"
                        "  attributes:\n"
                        "    height: -5\n"
                        "    large:\n"
                        "      shape: []\n"
                        "      type: int64\n"
                        "      value: 5000000000\n"
                        "  ndarrays:\n"
                        "    wind:\n"
                        "      shape: [/time, 3]\n"
                        "      type: float32\n"
                        "      storage:\n"
                        "        chunk: [512, 3]\n"
                        "        filter: [shuffle, {deflate: {\"level\": 5}}]\n"
                        "      attributes:\n"
                        "        range:\n"
                        "          shape: [2]\n"
                        "          type: int32\n"
                        "          value: [-1, 40000]\n"
                        "        words:\n"
                        "          shape: [2]\n"
                        "          type: string\n"
                        "          storage:\n"
                        "            charset: ascii\n"
                        "          value: [a, \"No\"]\n"
                        "    state:\n"
                        "      shape: [2]\n"
                        "      type:\n"
                        "        enum:\n"
                        "          base: uint8\n"
                        "          members:\n"
                        "            \"OFF\": 0\n"
                        "            \"ON\": 1\n"
                        "      value: [\"OFF\", \"ON\"]\n"
                        "  x-made: {\"by\": \"hand\"}\n"
                        "/empty: {}\n"
                        "x-ndl: 0.6\n");
    OK(asdf_ndl_builder_set_shape(builder, "/counts", 1, triple, NULL));
    diagnosed(builder, "E-VALUE-SHAPE /counts\n");
    asdf_ndl_builder_free(builder);
}

/* Faults that only the whole description can show, and strict reading. */
static void diagnostics(void) {
    static const char *const coordinates[] = {"x"};
    static const int64_t two[] = {2};
    asdf_ndl_builder *builder = NULL;
    asdf_options *options = NULL;
    asdf_ndl *ndl = NULL;
    int32_t valid = -1;
    OK(asdf_ndl_builder_new(NULL, &builder));
    OK(asdf_ndl_builder_add_ndarray(builder, "/a", 1, NULL, coordinates, "int8"));
    OK(asdf_ndl_builder_add_ndarray(builder, "/b", 1, two, NULL, NULL));
    OK(asdf_ndl_builder_add_group(builder, "/a/g"));
    OK(asdf_ndl_builder_set_attribute(builder, "/b", "n", 0, NULL, "int8"));
    OK(asdf_ndl_builder_set_storage(builder, "/a", NULL, "chunk", SIZED("[4]")));
    diagnosed(builder, "E-NAME-CLASH /a\nE-DIM-UNRESOLVED /a\nW-TYPE-MISSING /b\nE-ATTR-NO-VALUE /b@n\n");
    ndl = finished(builder);
    asdf_report *entries = report_of_ndl(ndl);
    TEXT("W-TYPE-MISSING: /b: the datatype is missing", asdf_report_text, entries, 2, ASDF_REPORT_ENTRY);
    asdf_report_free(entries);
    asdf_ndl_free(ndl);
    OK(asdf_ndl_builder_remove(builder, "/a/g", NULL));
    OK(asdf_ndl_builder_remove(builder, "/b", "n"));
    OK(asdf_ndl_builder_add_dimcoord(builder, "/x", 2, "string"));
    diagnosed(builder, "W-CHUNK-LARGE /a\nW-TYPE-MISSING /b\n");
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_WARNINGS_AS_ERRORS, 1));
    OK(asdf_ndl_builder_finish(builder, options, &ndl));
    OK(asdf_ndl_is_valid(ndl, &valid));
    CHECK(valid == 0);
    asdf_ndl_free(ndl);
    OK(asdf_ndl_builder_set_datatype(builder, "/b", NULL, "float32"));
    OK(asdf_ndl_builder_set_size(builder, "/x", -1));
    OK(asdf_ndl_builder_finish(builder, options, &ndl));
    OK(asdf_ndl_is_valid(ndl, &valid));
    CHECK(valid == 1);
    asdf_ndl_free(ndl);
    asdf_options_free(options);
    asdf_ndl_builder_free(builder);
}

static void wrong_calls(void) {
    static const int64_t two[] = {2}, bad[] = {-2};
    static const double numbers[] = {1.5, 2};
    static const int64_t integers[] = {1, 300};
    static const char *const texts[] = {"a", "b"}, *const odd[] = {"\xff"};
    asdf_ndl_builder *builder = NULL;
    OK(asdf_ndl_builder_new(NULL, &builder));
    OK(asdf_ndl_builder_add_ndarray(builder, "/a", 1, two, NULL, "int8"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_ndl_builder_add_ndarray(builder, "/a", 1, two, NULL, "int8"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_ndl_builder_add_dimcoord(builder, "/a", 1, "int8"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_ndl_builder_add_group(builder, "/a"));
    FAILS(ASDF_ERR_PATH, asdf_ndl_builder_add_group(builder, "/g/"));
    FAILS(ASDF_ERR_PATH, asdf_ndl_builder_add_ndarray(builder, "b", 1, two, NULL, "int8"));
    FAILS(ASDF_ERR_PATH, asdf_ndl_builder_add_dimcoord(builder, "/", 1, "int8"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_ndl_builder_add_ndarray(builder, "/b", 1, bad, NULL, "int8"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_ndl_builder_add_ndarray(builder, "/b", -1, two, NULL, "int8"));
    FAILS(ASDF_ERR_ENCODING, asdf_ndl_builder_add_ndarray(builder, "/b", 1, NULL, odd, "int8"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_ndl_builder_add_dimcoord(builder, "/b", 0, "int8"));
    FAILS(ASDF_ERR_BAD_DATATYPE, asdf_ndl_builder_add_dimcoord(builder, "/b", 1, "double"));
    CHECK(message_holds("float64"));
    FAILS(ASDF_ERR_YAML, asdf_ndl_builder_add_dimcoord(builder, "/b", 1, "{vlen"));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_ndl_builder_set_size(builder, "/a", 1));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_ndl_builder_set_shape(builder, "/b", 1, two, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_ndl_builder_set_shape(builder, "/a", 1, bad, NULL));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_ndl_builder_set_attribute_string(builder, "/b", "u", "m", 1));
    FAILS(ASDF_ERR_ENCODING, asdf_ndl_builder_set_attribute_string(builder, "/a", "u", "\xff", 1));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_ndl_builder_set_attribute_i64(builder, "/a", "", 1));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_ndl_builder_set_attribute_f64(builder, "/b", "u", 1));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_ndl_builder_set_attribute(builder, "/a", "u", 1, bad, "int8"));
    FAILS(ASDF_ERR_OVERFLOW,
          asdf_ndl_builder_set_values(builder, "/a", NULL, ASDF_FLOAT64, 1, two, numbers, 2 * 8, NULL));
    FAILS(ASDF_ERR_OVERFLOW,
          asdf_ndl_builder_set_values(builder, "/a", NULL, ASDF_INT64, 1, two, integers, 2 * 8, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT,
          asdf_ndl_builder_set_values(builder, "/a", NULL, ASDF_INT64, 1, two, integers, 1 * 8, NULL));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_ndl_builder_set_values(builder, "/a", "u", ASDF_UINT64, 0, NULL, NULL, 0 * 8, NULL));
    FAILS(ASDF_ERR_WRONG_TYPE, set_texts(builder, "/a", NULL, 1, two, texts, 2));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_ndl_builder_set_value(builder, "/a", NULL, NULL, 3));
    FAILS(ASDF_ERR_ENCODING, asdf_ndl_builder_set_value(builder, "/a", NULL, "\xff", 1));
    FAILS(ASDF_ERR_ENCODING, asdf_ndl_builder_set_value(builder, "/a", NULL, "[1,\0 2]", 8));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_ndl_builder_set_storage(builder, "/a", NULL, "chunk", NULL, 1));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_ndl_builder_set_extension(builder, "/a", NULL, "x-made", NULL, 1));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_ndl_builder_set_value(builder, "/a", NULL, SIZED("[1]")));
    FAILS(ASDF_ERR_VALUE_RANGE, asdf_ndl_builder_set_value(builder, "/a", NULL, SIZED("[1, 300]")));
    CHECK(error_int(ASDF_REPORT_LINE) == 1 && error_int(ASDF_REPORT_COLUMN) == 5);
    FAILS(ASDF_ERR_YAML, asdf_ndl_builder_set_value(builder, "/a", NULL, SIZED("[1, 2] # ]\n--- 3")));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_ndl_builder_set_storage(builder, "/a", NULL, "chunks", SIZED("[1]")));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_ndl_builder_set_storage(builder, "/a", NULL, "chunk", SIZED("[1, 1]")));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_ndl_builder_set_extension(builder, "/a", NULL, "made", SIZED("1")));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_ndl_builder_set_extension(builder, "/b", NULL, "x-made", SIZED("1")));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_ndl_builder_remove(builder, "/b", NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_ndl_builder_remove(builder, "/", NULL));
    OK(asdf_ndl_builder_set_value(builder, "/a", NULL, SIZED("[1, 2]")));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_ndl_builder_set_datatype(builder, "/a", NULL, "int16"));
    written_as(builder, "ndarrays:\n  a:\n    shape: [2]\n    type: int8\n    value: [1, 2]\n");
    OK(asdf_ndl_builder_set_value(builder, "/a", NULL, NULL, 0));
    OK(asdf_ndl_builder_set_datatype(builder, "/a", NULL, "int16"));
    diagnosed(builder, "");
    asdf_ndl_builder_free(builder);
}

/* Texts with NULs are set and read back; wrong offsets are refused. */
static void texts_in_bulk(void) {
    static const int64_t two[] = {2}, none[] = {0}, offsets[] = {1, 4, 6}, descending[] = {4, 1, 6};
    static const int64_t beyond[] = {0, 4, 7}, negative[] = {-1, 4, 6}, halves[] = {0, 5, 6};
    static const char bytes[] = "-a\0b\xC3\xA9";
    char text[8] = "";
    size_t length = 0;
    asdf_ndl *ndl = NULL;
    asdf_ndl_builder *builder = NULL;
    OK(asdf_ndl_builder_new(NULL, &builder));
    OK(asdf_ndl_builder_add_ndarray(builder, "/a", 1, two, NULL, "string"));
    OK(asdf_ndl_builder_add_ndarray(builder, "/none", 1, none, NULL, "string"));
    OK(asdf_ndl_builder_set_texts(builder, "/a", NULL, 1, two, bytes, 6, offsets, 3));
    OK(asdf_ndl_builder_set_texts(builder, "/none", NULL, 1, none, NULL, 0, NULL, 0));
    ndl = finished(builder);
    OK(asdf_ndl_value_text(ndl, "/a", NULL, 0, text, sizeof text, &length));
    CHECK(length == 3 && memcmp(text, "a\0b", 4) == 0);
    TEXT("\xC3\xA9", asdf_ndl_value_text, ndl, "/a", NULL, 1);
    asdf_ndl_free(ndl);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_ndl_builder_set_texts(builder, "/a", NULL, 1, two, bytes, 6, offsets, 2));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_ndl_builder_set_texts(builder, "/a", NULL, 1, two, bytes, 6, offsets, -1));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_ndl_builder_set_texts(builder, "/a", NULL, 1, two, bytes, 6, descending, 3));
    CHECK(message_holds("'offsets'"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_ndl_builder_set_texts(builder, "/a", NULL, 1, two, bytes, 6, beyond, 3));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_ndl_builder_set_texts(builder, "/a", NULL, 1, two, bytes, 6, negative, 3));
    FAILS(ASDF_ERR_ENCODING, asdf_ndl_builder_set_texts(builder, "/a", NULL, 1, two, bytes, 6, halves, 3));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_ndl_builder_set_texts(builder, "/a", NULL, 1, two, NULL, 6, offsets, 3));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_ndl_builder_set_texts(builder, "/a", NULL, 1, two, bytes, 6, NULL, 3));
    asdf_ndl_builder_free(builder);
}

/* A builder changes a description, and the description that was read stays unchanged. */
static void altered(void) {
    static const char text[] = "attributes: {title: a}\n"
                               "dimcoords: {x: {size: 3, type: int8, value: [1, 2, 3]}}\n"
                               "ndarrays:\n"
                               "  a: {shape: [x, 2], type: {compound: [r: float32, i: float32]}}\n"
                               "  wrong: {type: int8}\n";
    char notation[64];
    asdf_ndl *read = NULL, *ndl = NULL;
    asdf_ndl_builder *builder = NULL;
    asdf_ndl_datatype *datatype = NULL;
    int32_t same = -1, valid = -1;
    OK(asdf_ndl_read_memory(text, strlen(text), NULL, &read));
    OK(asdf_ndl_builder_new(read, &builder));
    diagnosed(builder, "E-SHAPE-MISSING /wrong\n");
    OK(asdf_ndl_get_datatype(read, "/a", NULL, &datatype));
    OK(asdf_ndl_datatype_text(datatype, notation, sizeof notation, NULL));
    TEXT("{compound: [{r: float32}, {i: float32}]}", asdf_ndl_datatype_text, datatype);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_ndl_datatype_text(datatype, notation, 40, NULL));
    asdf_ndl_datatype_free(datatype);
    OK(asdf_ndl_builder_remove(builder, "/wrong", NULL));
    OK(asdf_ndl_builder_add_ndarray(builder, "/b", 0, NULL, NULL, notation));
    OK(asdf_ndl_builder_set_attribute_string(builder, "/", "title", "b", 1));
    ndl = finished(builder);
    asdf_ndl_builder_free(builder);
    OK(asdf_ndl_is_same(read, ndl, &same));
    OK(asdf_ndl_is_valid(ndl, &valid));
    CHECK(same == 0 && valid == 1);
    TEXT("b", asdf_ndl_value_text, ndl, "/", "title", 0);
    TEXT("a", asdf_ndl_value_text, read, "/", "title", 0);
    TEXT("/x", asdf_ndl_coordinate, ndl, "/a", 0);
    TEXT("compound", asdf_ndl_keyword, ndl, "/b", NULL);
    asdf_ndl_free(ndl);
    asdf_ndl_free(read);
}

/* Many values are set and read back without becoming text. */
static void many_values(void) {
    enum { COUNT = 1000000 };
    static const int64_t extents[] = {COUNT / 4, 4}, unlimited[] = {-1, 4};
    asdf_ndl_builder *builder = NULL;
    double *numbers = malloc(COUNT * sizeof *numbers), last = 0;
    if (!numbers) exit(1);
    for (int i = 0; i < COUNT; i++) numbers[i] = i / 8.0;
    OK(asdf_ndl_builder_new(NULL, &builder));
    OK(asdf_ndl_builder_add_ndarray(builder, "/a", 2, unlimited, NULL, "float64"));
    OK(asdf_ndl_builder_set_values(builder, "/a", NULL, ASDF_FLOAT64, 2, extents, numbers, COUNT * 8, NULL));
    asdf_ndl *ndl = finished(builder);
    OK(asdf_ndl_value_f64(ndl, "/a", NULL, COUNT - 1, &last));
    CHECK(last == (COUNT - 1) / 8.0);
    asdf_ndl_free(ndl);
    asdf_ndl_builder_free(builder);
    free(numbers);
}

int main(void) {
    from_nothing();
    diagnostics();
    wrong_calls();
    texts_in_bulk();
    altered();
    many_values();
    return report();
}
