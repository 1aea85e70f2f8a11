/* Tables in memory: columns made, described, and read with types, checks and missing elements. */
#include "check.h"

#include <math.h>

static asdf_table *table;
static uint8_t mask[16];
static double doubles[16];
static int32_t ints[16];

static asdf_datatype *string_of(int32_t code, int64_t length) {
    asdf_datatype *datatype = NULL;
    OK(asdf_datatype_string(code, length, &datatype));
    return datatype;
}

/* A table of four rows with a column of each kind. */
static void make(void) {
    static const double flux[] = {1.5, -2, NAN, 1e300};
    static const uint8_t flux_mask[] = {0, 7, 0, 0};
    static const int16_t grid[] = {1, 2, 3, 4, 5, 6, 7, 8};
    static const uint8_t grid_mask[] = {0, 0, 1, 0, 1, 1, 0, 0};
    static const int64_t lengths[] = {2, 0, -1, 4}, two[] = {2};
    static const uint8_t list[] = {1, 0, 9, 1, 0, 1}, list_mask[] = {0, 0, 0, 1, 0, 0};
    static const char fixed[4][4] = {"ab", "\xC3\xA9", "", "abcd"};
    static const char *const wide[] = {"0.1", "9007199254740993", NULL, "1e400"};
    static const char *const names[] = {"first", NULL, "", "\xE6\x97\xA5\xE6\x9C\xAC"};
    asdf_datatype *four = string_of(ASDF_ASCII, 4);

    OK(asdf_table_new(4, &table));
    OK(asdf_table_add_column(table, "flux", ASDF_FLOAT64, 0, NULL, flux, sizeof flux, flux_mask, 4, NULL));
    OK(asdf_table_add_column(table, "grid", ASDF_INT16, 1, two, grid, sizeof grid, grid_mask, 8, NULL));
    OK(asdf_table_add_variable_column(table, "lists", ASDF_BOOL8, 1, two, lengths, 4, list, 6, list_mask, 6, NULL));
    OK(asdf_table_add_column(table, "fixed", 0, 0, NULL, fixed, sizeof fixed, NULL, 0, of_type(four)));
    OK(add_texts(table, "wide", ASDF_FLOAT128, wide, 4));
    OK(add_texts(table, "names", ASDF_STRING, names, 4));
    asdf_datatype_free(four);
}

/* An empty text is not the same as none. */
static void texts_can_be_empty(asdf_table *table) {
    const struct {
        asdf_status (*has)(const asdf_table *, const char *, int32_t *);
        asdf_status (*set)(asdf_table *, const char *, const char *, size_t);
        asdf_status (*get)(const asdf_table *, const char *, char *, size_t, size_t *);
    } texts[] = {{asdf_table_column_has_unit, asdf_table_set_column_unit, asdf_table_column_unit},
                 {asdf_table_column_has_description, asdf_table_set_column_description, asdf_table_column_description},
                 {asdf_table_column_has_format, asdf_table_set_column_format, asdf_table_column_format}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const struct {
            const char *text;
            int32_t has;
        } cases[] = {{"", 1}, {NULL, 0}, {"K", 1}};
        for (size_t j = 0; j < sizeof cases / sizeof *cases; j++) {
            char found[8];
            int32_t has = -1;
            OK(texts[i].set(table, "lists", cases[j].text, cases[j].text ? strlen(cases[j].text) : 0));
            OK(texts[i].has(table, "lists", &has));
            OK(texts[i].get(table, "lists", found, sizeof found, NULL));
            CHECK(has == cases[j].has && !strcmp(found, cases[j].text ? cases[j].text : ""));
            has = -1;
            FAILS(ASDF_ERR_NOT_FOUND, texts[i].has(table, "none", &has));
            CHECK(has == -1);
        }
    }
}

static void introspection(void) {
    int64_t number = -1, shape[ASDF_MAX_RANK];
    int32_t code = 0, rank = -1;
    OK(asdf_table_row_count(table, &number));
    CHECK(number == 4);
    OK(asdf_table_column_count(table, &number));
    CHECK(number == 6);
    TEXT("grid", asdf_table_column_name, table, 1);
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_table_column_name(table, 6, NULL, 0, (size_t *)&number));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_table_column_name(table, -1, NULL, 0, (size_t *)&number));
    char small[4];
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_table_column_name(table, 1, small, 4, NULL));
    OK(asdf_table_column_index(table, "lists", &number));
    CHECK(number == 2);
    FAILS(ASDF_ERR_NOT_FOUND, asdf_table_column_index(table, "Flux", &number));
    CHECK(message_holds("'Flux'"));

    static const struct {
        const char *name;
        int32_t code, rank;
        int64_t shape[2];
    } columns[] = {{"flux", ASDF_FLOAT64, 0, {0}}, {"grid", ASDF_INT16, 1, {2}},    {"lists", ASDF_BOOL8, 2, {2, -1}},
                   {"fixed", ASDF_STRING, 0, {0}}, {"wide", ASDF_FLOAT128, 0, {0}}, {"names", ASDF_STRING, 0, {0}}};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        OK(asdf_table_column_datatype(table, columns[i].name, &code));
        OK(asdf_table_column_shape(table, columns[i].name, shape, ASDF_MAX_RANK, &rank));
        CHECK(code == columns[i].code && rank == columns[i].rank);
        for (int32_t axis = 0; axis < rank; axis++) CHECK(shape[axis] == columns[i].shape[axis]);
    }
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_table_column_shape(table, "lists", shape, 1, &rank));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_table_column_shape(table, "none", shape, 1, &rank));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_table_column_datatype(table, "none", &code));

    TEXT("", asdf_table_column_unit, table, "flux");
    OK(asdf_table_set_column_unit(table, "flux", SIZED("Jy")));
    OK(asdf_table_set_column_description(table, "flux", SIZED("how much")));
    OK(asdf_table_set_column_format(table, "flux", SIZED("%.3f")));
    TEXT("Jy", asdf_table_column_unit, table, "flux");
    TEXT("how much", asdf_table_column_description, table, "flux");
    TEXT("%.3f", asdf_table_column_format, table, "flux");
    OK(asdf_table_set_column_unit(table, "flux", NULL, 0));
    TEXT("", asdf_table_column_unit, table, "flux");
    texts_can_be_empty(table);
    FAILS(ASDF_ERR_NOT_FOUND, asdf_table_set_column_unit(table, "none", SIZED("Jy")));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_table_set_column_description(table, "none", SIZED("x")));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_table_set_column_format(table, "none", SIZED("x")));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_table_column_unit(table, "none", NULL, 0, (size_t *)&number));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_table_column_description(table, "none", NULL, 0, (size_t *)&number));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_table_column_format(table, "none", NULL, 0, (size_t *)&number));
}

static void metadata(void) {
    asdf_node *root = NULL, *meta = NULL, *again = NULL;
    asdf_file *file = new_file(&root);
    int64_t year = 0;
    FAILS(ASDF_ERR_NOT_FOUND, asdf_table_meta(table, &meta));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_table_column_meta(table, "flux", &meta));
    OK(asdf_node_set_i64(root, "meta/year", 2027));
    OK(asdf_node_get(root, "meta", &meta));
    OK(asdf_table_set_meta(table, meta));
    OK(asdf_table_set_column_meta(table, "flux", meta));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_table_set_column_meta(table, "none", meta));
    asdf_node_free(meta);
    asdf_node_free(root);
    OK(asdf_file_close(file));
    asdf_file_free(file);

    /* Metadata need no file. */
    OK(asdf_node_new_mapping(&meta));
    OK(asdf_node_set_i64(meta, "year", 2027));
    OK(asdf_table_set_meta(table, meta));
    asdf_node_free(meta);
    FAILS(ASDF_ERR_NULL_POINTER, asdf_node_new_mapping(NULL));

    OK(asdf_table_meta(table, &meta));
    OK(asdf_node_get_i64(meta, "year", &year));
    CHECK(year == 2027);
    OK(asdf_table_column_meta(table, "flux", &again));
    OK(asdf_node_set_i64(again, "year", 2028));
    OK(asdf_node_get_i64(meta, "year", &year));
    CHECK(year == 2027);
    OK(asdf_table_set_meta(table, NULL));
    OK(asdf_table_set_column_meta(table, "flux", NULL));
    asdf_node_free(again);
    again = meta;
    FAILS(ASDF_ERR_NOT_FOUND, asdf_table_meta(table, &meta));
    CHECK(meta == NULL);
    OK(asdf_node_get_i64(again, "year", &year));
    asdf_node_free(again);
}

static void numbers(void) {
    OK(asdf_table_read_column(table, "flux", 0, -1, ASDF_FLOAT64, NULL, doubles, 32, mask, 4));
    CHECK(doubles[0] == 1.5 && isnan(doubles[2]) && doubles[3] == 1e300);
    CHECK(memcmp(mask, "\0\1\0\0", 4) == 0);
    FAILS(ASDF_ERR_MASKED, asdf_table_read_column(table, "flux", 0, -1, ASDF_FLOAT64, NULL, doubles, 32, NULL, 0));
    CHECK(message_holds("'flux'"));
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL,
          asdf_table_read_column(table, "flux", 0, -1, ASDF_FLOAT64, NULL, doubles, 31, mask, 4));
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL,
          asdf_table_read_column(table, "flux", 0, -1, ASDF_FLOAT64, NULL, doubles, 32, mask, 3));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_table_read_column(table, "none", 0, -1, ASDF_FLOAT64, NULL, doubles, 32, mask, 4));
    FAILS(ASDF_ERR_INVALID_ARGUMENT,
          asdf_table_read_column(table, "flux", 0, -1, ASDF_ASCII, NULL, doubles, 32, mask, 4));
    FAILS(ASDF_ERR_INVALID_ARGUMENT,
          asdf_table_read_column(table, "flux", 0, -1, ASDF_FLOAT64, NULL, doubles, 32, (uint8_t *)doubles, 4));
    FAILS(ASDF_ERR_OVERFLOW, asdf_table_read_column(table, "flux", 0, -1, ASDF_INT32, NULL, ints, 16, mask, 4));

    /* Only elements in the rows that are read need a mask. */
    OK(asdf_table_read_column(table, "flux", 2, 2, ASDF_FLOAT64, NULL, doubles, 16, NULL, 0));
    CHECK(isnan(doubles[0]) && doubles[1] == 1e300);
    FAILS(ASDF_ERR_MASKED, asdf_table_read_column(table, "flux", 1, 1, ASDF_FLOAT64, NULL, doubles, 8, NULL, 0));
    OK(asdf_table_read_column(table, "flux", 4, 0, ASDF_FLOAT64, NULL, NULL, 0, NULL, 0));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_table_read_column(table, "flux", 3, 2, ASDF_FLOAT64, NULL, doubles, 16, mask, 2));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_table_read_column(table, "flux", -1, 1, ASDF_FLOAT64, NULL, doubles, 8, mask, 1));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_table_read_column(table, "flux", 1, -1, ASDF_FLOAT64, NULL, doubles, 8, mask, 1));
    FAILS(ASDF_ERR_OUT_OF_RANGE,
          asdf_table_read_column(table, "flux", INT64_MAX, 1, ASDF_FLOAT64, NULL, doubles, 8, mask, 1));

    asdf_options *options = NULL;
    const int32_t fill = -1;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_fill(options, ASDF_INT32, &fill, sizeof fill));
    OK(asdf_options_set_int(options, ASDF_OPTION_CLAMP, 1));
    OK(asdf_table_read_column(table, "flux", 0, -1, ASDF_INT32, options, ints, 16, NULL, 0));
    CHECK(ints[0] == 1 && ints[1] == -1 && ints[2] == 0 && ints[3] == INT32_MAX);

    /* Cells that are arrays. */
    OK(asdf_table_read_column(table, "grid", 0, -1, ASDF_INT32, NULL, ints, 32, mask, 8));
    CHECK(ints[0] == 1 && ints[1] == 2 && ints[7] == 8);
    CHECK(memcmp(mask, "\0\0\1\0\1\1\0\0", 8) == 0);
    OK(asdf_options_set_int(options, ASDF_OPTION_ORDER, ASDF_ORDER_FORTRAN));
    OK(asdf_table_read_column(table, "grid", 0, -1, ASDF_INT32, options, ints, 32, NULL, 0));
    CHECK(ints[0] == 1 && ints[1] == -1 && ints[2] == -1 && ints[3] == 7 && ints[4] == 2 && ints[5] == 4);
    asdf_options_free(options);

    int64_t lengths[4], count = 0;
    OK(asdf_table_read_cell_lengths(table, "grid", 0, 4, lengths, 4));
    CHECK(lengths[0] == 2 && lengths[1] == 2 && lengths[2] == -1 && lengths[3] == 2);
    OK(asdf_table_read_cell_lengths(table, "lists", 0, 4, lengths, 4));
    CHECK(lengths[0] == 2 && lengths[1] == 0 && lengths[2] == -1 && lengths[3] == 4);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_table_read_cell_lengths(table, "lists", 0, 4, lengths, 3));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_table_read_cell_lengths(table, "lists", 0, 5, lengths, 4));
    OK(asdf_table_element_count(table, "lists", 1, 3, &count));
    CHECK(count == 4);
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_table_element_count(table, "lists", 1, 4, &count));
    OK(asdf_table_read_column(table, "lists", 1, 3, ASDF_INT32, NULL, ints, 16, mask, 4));
    CHECK(ints[0] == 1 && ints[2] == 0 && ints[3] == 1);
    CHECK(memcmp(mask, "\0\1\0\0", 4) == 0);
    OK(asdf_table_read_column(table, "lists", 0, 2, ASDF_BOOL8, NULL, mask, 2, NULL, 0));
    CHECK(mask[0] == 1 && mask[1] == 0);
    FAILS(ASDF_ERR_CONVERSION, asdf_table_read_column(table, "grid", 0, -1, ASDF_BOOL8, NULL, ints, 32, mask, 8));
    FAILS(ASDF_ERR_CONVERSION, asdf_table_read_column(table, "names", 0, -1, ASDF_INT32, NULL, ints, 16, mask, 4));
}

static void texts(void) {
    asdf_datatype *bytes = string_of(ASDF_ASCII, 6), *units = string_of(ASDF_UCS4, 5),
                  *short_ = string_of(ASDF_ASCII, 5);
    char out[24];
    uint32_t wide[20];
    int64_t length = 0;
    OK(asdf_table_read_column(table, "names", 0, -1, 0, of_type(bytes), out, 24, mask, 4));
    CHECK(memcmp(out, "first\0\0\0\0\0\0\0\0\0\0\0\0\0\xE6\x97\xA5\xE6\x9C\xAC", 24) == 0);
    CHECK(memcmp(mask, "\0\1\0\0", 4) == 0);
    OK(asdf_table_read_column(table, "names", 2, 2, 0, of_type(units), wide, 40, NULL, 0));
    CHECK(wide[0] == 0 && wide[5] == 0x65E5 && wide[6] == 0x672C && wide[7] == 0);
    FAILS(ASDF_ERR_OVERFLOW, asdf_table_read_column(table, "names", 0, -1, 0, of_type(short_), out, 24, mask, 4));
    CHECK(message_holds("row 3") && message_holds("6 bytes"));
    FAILS(ASDF_ERR_MASKED, asdf_table_read_column(table, "names", 0, -1, 0, of_type(bytes), out, 24, NULL, 0));
    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_CLAMP, 1));
    OK(asdf_options_set_fill(with_type(options, short_), 0, "-\0\0\0\0", 5));
    OK(asdf_table_read_column(table, "names", 0, -1, 0, with_type(options, short_), out, 24, NULL, 0));
    CHECK(memcmp(out, "first-\0\0\0\0\0\0\0\0\0\xE6\x97\xA5\0\0", 20) == 0);
    asdf_options_free(options);

    OK(asdf_table_longest_text(table, "names", ASDF_ASCII, &length));
    CHECK(length == 6);
    OK(asdf_table_longest_text(table, "names", ASDF_UCS4, &length));
    CHECK(length == 5);
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_table_longest_text(table, "flux", ASDF_UCS4, &length));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_longest_text(table, "names", ASDF_RECORD, &length));

    /* The length from longest_text() is enough also if all texts are missing. */
    static const char *const none[] = {NULL, NULL, NULL}, *const blank[] = {"", NULL, ""},
                             *const some[] = {"x", NULL, ""};
    static const int32_t codes[] = {ASDF_ASCII, ASDF_UCS4};
    asdf_table *sparse = NULL;
    OK(asdf_table_new(3, &sparse));
    OK(add_texts(sparse, "none", ASDF_STRING, none, 3));
    OK(add_texts(sparse, "blank", ASDF_STRING, blank, 3));
    OK(add_texts(sparse, "some", ASDF_STRING, some, 3));
    for (size_t i = 0; i < 2; i++) {
        asdf_datatype *empty = NULL;
        char nothing[1] = {'x'};
        OK(asdf_table_longest_text(sparse, "none", codes[i], &length));
        CHECK(length == 0);
        OK(asdf_datatype_string(codes[i], length, &empty));
        OK(asdf_table_read_column(sparse, "none", 0, -1, 0, of_type(empty), nothing, 0, mask, 3));
        CHECK(memcmp(mask, "\1\1\1", 3) == 0 && nothing[0] == 'x');
        OK(asdf_table_read_column(sparse, "blank", 0, -1, 0, of_type(empty), NULL, 0, mask, 3));
        CHECK(memcmp(mask, "\0\1\0", 3) == 0);
        OK(asdf_table_read_column(sparse, "blank", 1, 2, 0, of_type(empty), NULL, 0, mask, 2));
        CHECK(memcmp(mask, "\1\0", 2) == 0);
        FAILS(ASDF_ERR_MASKED, asdf_table_read_column(sparse, "none", 0, -1, 0, of_type(empty), NULL, 0, NULL, 0));
        FAILS(ASDF_ERR_BUFFER_TOO_SMALL,
              asdf_table_read_column(sparse, "none", 0, -1, 0, of_type(empty), NULL, 0, mask, 2));
        FAILS(ASDF_ERR_OVERFLOW, asdf_table_read_column(sparse, "some", 0, -1, 0, of_type(empty), NULL, 0, mask, 3));
        CHECK(message_holds("row 0"));
        asdf_datatype_free(empty);
    }
    asdf_table_free(sparse);

    int32_t missing = -1;
    TEXT("first", asdf_table_read_text, table, "names", 0, 0, &missing);
    CHECK(missing == 0);
    TEXT("", asdf_table_read_text, table, "names", 1, 0, &missing);
    CHECK(missing == 1);
    TEXT("\xC3\xA9", asdf_table_read_text, table, "fixed", 1, 0, NULL);
    TEXT("9007199254740993", asdf_table_read_text, table, "wide", 1, 0, NULL);
    FAILS(ASDF_ERR_MASKED, asdf_table_read_text(table, "names", 1, 0, NULL, out, sizeof out, NULL));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_table_read_text(table, "names", 4, 0, &missing, out, sizeof out, NULL));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_table_read_text(table, "names", 0, 1, &missing, out, sizeof out, NULL));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_table_read_text(table, "names", -1, 0, &missing, out, sizeof out, NULL));
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_table_read_text(table, "flux", 0, 0, &missing, out, sizeof out, NULL));
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_table_read_text(table, "names", 0, 0, &missing, out, 5, NULL));
    asdf_datatype_free(short_);
    asdf_datatype_free(units);
    asdf_datatype_free(bytes);
}

/* Numbers that are kept as text are read exactly if possible; otherwise a warning counts them. */
static void wide_numbers(void) {
    int64_t longs[2];
    CHECK(table_warnings(table) == 0);
    OK(asdf_table_read_column(table, "wide", 1, 1, ASDF_INT64, NULL, longs, 8, NULL, 0));
    CHECK(longs[0] == 9007199254740993);
    CHECK(table_warnings(table) == 0);
    FAILS(ASDF_ERR_OVERFLOW, asdf_table_read_column(table, "wide", 0, 1, ASDF_INT64, NULL, longs, 8, NULL, 0));
    FAILS(ASDF_ERR_OVERFLOW, asdf_table_read_column(table, "wide", 0, -1, ASDF_FLOAT64, NULL, doubles, 32, mask, 4));
    CHECK(message_holds("1e400") && message_holds("row 3"));
    OK(asdf_table_read_column(table, "wide", 0, 3, ASDF_FLOAT64, NULL, doubles, 24, mask, 3));
    CHECK(doubles[0] == 0.1 && doubles[1] == 9007199254740992.0 && mask[2] == 1);
    CHECK(table_warnings(table) == 1);
    asdf_report *found = report_of_table(table);
    TEXT("the column 'wide': 2 numbers were rounded to float64", asdf_report_text, found, 0, ASDF_REPORT_ENTRY);
    asdf_report_free(found);
}

/* Values with NULs, and texts with offsets that do not begin at 0. */
static void texts_in_bulk(void) {
    static const int64_t offsets[] = {1, 4, 4, 6}, descending[] = {1, 4, 3, 6}, beyond[] = {1, 4, 4, 7};
    static const int64_t negative[] = {-1, 4, 4, 6}, halves[] = {0, 5, 5, 6};
    static const char bytes[] = "-a\0b\xC3\xA9";
    asdf_table *own = NULL;
    char found[16] = "";
    size_t length = 0;
    int32_t missing = -1;
    OK(asdf_table_new(3, &own));
    OK(asdf_table_add_text_column(own, "all", ASDF_STRING, bytes, 6, offsets, 4, NULL, 0));
    OK(asdf_table_add_text_column(own, "some", ASDF_STRING, bytes, 6, offsets, 4, (const uint8_t *)"\0\2\0", 3));
    OK(asdf_table_read_text(own, "all", 0, 0, NULL, found, sizeof found, &length));
    CHECK(length == 3 && memcmp(found, "a\0b", 4) == 0);
    TEXT("", asdf_table_read_text, own, "all", 1, 0, NULL);
    TEXT("\xC3\xA9", asdf_table_read_text, own, "some", 2, 0, NULL);
    TEXT("", asdf_table_read_text, own, "some", 1, 0, &missing);
    CHECK(missing == 1);
    /* The stored text of a missing element does not matter. */
    OK(asdf_table_add_text_column(own, "odd", ASDF_STRING, bytes, 6, halves, 4, (const uint8_t *)"\1\1\1", 3));
    FAILS(ASDF_ERR_ENCODING, asdf_table_add_text_column(own, "x", ASDF_STRING, bytes, 6, halves, 4, NULL, 0));
    FAILS(ASDF_ERR_INVALID_ARGUMENT,
          asdf_table_add_text_column(own, "x", ASDF_STRING, bytes, 6, descending, 4, NULL, 0));
    CHECK(message_holds("'offsets'"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_add_text_column(own, "x", ASDF_STRING, bytes, 6, beyond, 4, NULL, 0));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_add_text_column(own, "x", ASDF_STRING, bytes, 6, negative, 4, NULL, 0));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_add_text_column(own, "x", ASDF_STRING, bytes, 6, offsets, 3, NULL, 0));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_add_text_column(own, "x", ASDF_STRING, bytes, 6, offsets, -1, NULL, 0));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_add_text_column(own, "x", ASDF_STRING, NULL, 0, NULL, 0, NULL, 0));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_add_text_column(own, "x", ASDF_STRING, bytes, 6, offsets, 4, mask, 2));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_table_add_text_column(own, "x", ASDF_STRING, NULL, 6, offsets, 4, NULL, 0));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_table_add_text_column(own, "x", ASDF_STRING, bytes, 6, NULL, 4, NULL, 0));

    OK(asdf_table_set_column_unit(own, "all", "m/s or so", 3));
    TEXT("m/s", asdf_table_column_unit, own, "all");
    OK(asdf_table_set_column_description(own, "all", "a\0b", 3));
    OK(asdf_table_column_description(own, "all", found, sizeof found, &length));
    CHECK(length == 3 && memcmp(found, "a\0b", 4) == 0);
    FAILS(ASDF_ERR_NULL_POINTER, asdf_table_set_column_unit(own, "all", NULL, 1));
    FAILS(ASDF_ERR_ENCODING, asdf_table_set_column_unit(own, "all", "\xff", 1));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_table_set_column_description(own, "all", NULL, 1));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_table_set_column_format(own, "all", NULL, 1));

    /* The written text has all of that, too. */
    asdf_table *again = NULL;
    OK(asdf_table_write_ecsv(own, "bulk.ecsv", NULL));
    OK(asdf_table_read_ecsv("bulk.ecsv", NULL, &again));
    OK(asdf_table_column_description(again, "all", found, sizeof found, &length));
    CHECK(length == 3 && memcmp(found, "a\0b", 4) == 0);
    OK(asdf_table_read_text(again, "all", 0, 0, NULL, found, sizeof found, &length));
    CHECK(length == 3 && memcmp(found, "a\0b", 4) == 0);
    asdf_table_free(again);
    asdf_table_free(own);
    OK(asdf_table_new(0, &own));
    OK(asdf_table_add_text_column(own, "none", ASDF_STRING, NULL, 0, NULL, 0, NULL, 0));
    OK(asdf_table_add_text_column(own, "also", ASDF_STRING, NULL, 0, (int64_t[]){0}, 1, NULL, 0));
    asdf_table_free(own);
}

static void what_does_not_fit(void) {
    const double two[] = {1, 2};
    const int64_t lengths[] = {2, -2}, one[] = {1}, negative[] = {-1};
    const char *const no_number[] = {"1", "x"};
    const char bad[2] = {'a', (char)0xFF};
    asdf_datatype *string = string_of(ASDF_ASCII, 1);
    asdf_table *own = NULL, *another = NULL;
    int64_t count = -1;
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_new(-1, &own));
    OK(asdf_table_new(2, &own));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_add_column(own, "a", ASDF_FLOAT64, 0, NULL, two, 15, NULL, 0, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_add_column(own, "a", 0, 0, NULL, two, 16, NULL, 0, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_add_column(own, "a", ASDF_FLOAT64, 0, NULL, two, 16, mask, 1, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT,
          asdf_table_add_column(own, "a", ASDF_FLOAT64, 1, negative, two, 16, NULL, 0, NULL));
    FAILS(ASDF_ERR_ENCODING, asdf_table_add_column(own, "a", 0, 0, NULL, bad, 2, NULL, 0, of_type(string)));
    FAILS(ASDF_ERR_INVALID_ARGUMENT,
          asdf_table_add_variable_column(own, "a", ASDF_FLOAT64, 0, NULL, lengths, 2, two, 16, NULL, 0, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT,
          asdf_table_add_variable_column(own, "a", ASDF_FLOAT64, 0, NULL, lengths, 1, two, 16, NULL, 0, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT,
          asdf_table_add_variable_column(own, "a", ASDF_FLOAT64, 0, NULL, lengths, -1, two, 16, NULL, 0, NULL));
    FAILS(ASDF_ERR_VALUE_RANGE, add_texts(own, "a", ASDF_FLOAT128, no_number, 2));
    CHECK(message_holds("row 1"));
    FAILS(ASDF_ERR_VALUE_RANGE, add_texts(own, "a", ASDF_JSON, no_number, 2));
    CHECK(message_holds("row 1"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, add_texts(own, "a", ASDF_FLOAT64, no_number, 2));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, add_texts(own, "a", ASDF_STRING, no_number, 1));
    OK(asdf_table_column_count(own, &count));
    CHECK(count == 0);
    OK(asdf_table_add_column(own, "a", ASDF_FLOAT64, 1, one, two, 16, NULL, 0, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_add_column(own, "a", ASDF_FLOAT64, 0, NULL, two, 16, NULL, 0, NULL));

    /* Strided, and lists of strings. */
    asdf_options *options = NULL;
    const int64_t stride[] = {-8}, one_and_none[] = {1, 0};
    OK(asdf_options_new(&options));
    OK(asdf_options_set_ints(options, ASDF_OPTION_STRIDES, stride, 1));
    OK(asdf_table_add_column(own, "back", ASDF_FLOAT64, 0, NULL, two, 16, NULL, 0, options));
    OK(asdf_table_read_column(own, "back", 0, -1, ASDF_FLOAT64, NULL, doubles, 16, NULL, 0));
    CHECK(doubles[0] == 2 && doubles[1] == 1);
    asdf_options_free(options);
    OK(asdf_table_add_variable_column(own, "s", 0, 0, NULL, one_and_none, 2, "q", 1, NULL, 0, of_type(string)));
    TEXT("q", asdf_table_read_text, own, "s", 0, 0, NULL);
    FAILS(ASDF_ERR_ENCODING,
          asdf_table_add_variable_column(own, "t", 0, 0, NULL, one_and_none, 2, bad + 1, 1, NULL, 0, of_type(string)));

    OK(asdf_table_retain(own, &another));
    CHECK(another == own);
    asdf_table_free(own);
    OK(asdf_table_row_count(another, &count));
    asdf_table_free(another);
    asdf_table_free(NULL);
    asdf_datatype_free(string);
}

int main(void) {
    make();
    introspection();
    metadata();
    numbers();
    texts();
    wide_numbers();
    texts_in_bulk();
    what_does_not_fit();
    asdf_table_free(table);
    return report();
}
