/* ECSV through the C interface: whole tables and batches, read and written, and every option. */
#include "check.h"
#include <math.h>

static const char text[] = "# %ECSV 1.0\n"
                           "# ---\n"
                           "# datatype:\n"
                           "# - {name: id, datatype: int32}\n"
                           "# - {name: flux, unit: Jy, datatype: float64, format: '%.1f', description: how much}\n"
                           "# - {name: name, datatype: string}\n"
                           "# - {name: pair, datatype: string, subtype: 'int16[2]'}\n"
                           "# - {name: list, datatype: string, subtype: 'float32[null]'}\n"
                           "# delimiter: ','\n"
                           "# meta: !!omap\n"
                           "# - {TELESCOP: UT1}\n"
                           "id,flux,name,pair,list\n"
                           "1,1.5,first,\"[1,2]\",[]\n"
                           "2,,\"a, b\",\"[3,null]\",\"[1.5,2.5]\"\n"
                           "3,null,,,\n";

static asdf_options *options;

static void fresh(void) {
    asdf_options_free(options);
    OK(asdf_options_new(&options));
}

static asdf_status read_with(const char *bytes, asdf_table **table) {
    return asdf_table_read_ecsv_memory(bytes, strlen(bytes), options, table);
}

static int64_t rows_of(asdf_table *table) {
    int64_t rows = -1;
    OK(asdf_table_row_count(table, &rows));
    return rows;
}

static void write_text(const char *path, const char *bytes) {
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, strlen(bytes), file) != strlen(bytes) || fclose(file) != 0) exit(1);
}

/* Returns the table that the text holds. */
static void is_the_table(asdf_table *table) {
    double flux[3];
    int16_t pairs[6];
    float lists[2];
    int64_t lengths[3];
    uint8_t mask[6];
    CHECK(rows_of(table) == 3);
    OK(asdf_table_read_column(table, "flux", 0, -1, ASDF_FLOAT64, NULL, flux, sizeof flux, mask, 3));
    CHECK(flux[0] == 1.5 && memcmp(mask, "\0\1\1", 3) == 0);
    OK(asdf_table_read_column(table, "pair", 0, -1, ASDF_INT16, NULL, pairs, sizeof pairs, mask, 6));
    CHECK(pairs[0] == 1 && pairs[1] == 2 && pairs[2] == 3 && memcmp(mask, "\0\0\0\1\1\1", 6) == 0);
    OK(asdf_table_read_cell_lengths(table, "list", 0, 3, lengths, 3));
    CHECK(lengths[0] == 0 && lengths[1] == 2 && lengths[2] == -1);
    OK(asdf_table_read_column(table, "list", 0, -1, ASDF_FLOAT32, NULL, lists, sizeof lists, NULL, 0));
    CHECK(lists[0] == 1.5f && lists[1] == 2.5f);
    TEXT("a, b", asdf_table_read_text, table, "name", 1, 0, NULL);
    TEXT("Jy", asdf_table_column_unit, table, "flux");
    TEXT("how much", asdf_table_column_description, table, "flux");
    TEXT("%.1f", asdf_table_column_format, table, "flux");
}

static void reading(void) {
    asdf_table *table = NULL;
    asdf_node *meta = NULL;
    TEXT("1.0", asdf_ecsv_probe, text, sizeof text - 1);
    TEXT("1.0", asdf_ecsv_probe, text, 20);
    TEXT("", asdf_ecsv_probe, "#ASDF 1.0.0\n", 12);
    char small[3];
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_ecsv_probe(text, 20, small, sizeof small, NULL));
    fresh();
    CHECK(read_with(text, &table) != ASDF_OK && table == NULL);
    CHECK(message_holds("flux"));
    OK(asdf_options_add_text(options, ASDF_OPTION_NULL_VALUES, "null", 4));
    OK(read_with(text, &table));
    is_the_table(table);
    OK(asdf_table_meta(table, &meta));
    TEXT("UT1", asdf_node_get_string, meta, "TELESCOP");
    asdf_node_free(meta);
    asdf_table_free(table);

    write_text("table.ecsv", text);
    OK(asdf_table_read_ecsv("table.ecsv", options, &table));
    is_the_table(table);
    asdf_table_free(table);
    FAILS(ASDF_ERR_FILE_NOT_FOUND, asdf_table_read_ecsv("none.ecsv", options, &table));
    CHECK(table == NULL);
    CHECK(asdf_table_read_ecsv_memory(NULL, 0, NULL, &table) != ASDF_OK && table == NULL);
}

static void parts(void) {
    asdf_table *table = NULL;
    int64_t columns = 0;
    fresh();
    OK(asdf_options_add_text(options, ASDF_OPTION_NULL_VALUES, "null", 4));
    OK(asdf_options_add_text(options, ASDF_OPTION_COLUMNS, "name", 4));
    OK(asdf_options_add_text(options, ASDF_OPTION_COLUMNS, "id", 2));
    OK(asdf_options_set_int(options, ASDF_OPTION_FIRST_ROW, 1));
    OK(asdf_options_set_int(options, ASDF_OPTION_ROW_COUNT, 1));
    OK(read_with(text, &table));
    OK(asdf_table_column_count(table, &columns));
    CHECK(columns == 2 && rows_of(table) == 1);
    TEXT("id", asdf_table_column_name, table, 0);
    TEXT("a, b", asdf_table_read_text, table, "name", 0, 0, NULL);
    asdf_table_free(table);
    OK(asdf_options_set_int(options, ASDF_OPTION_FIRST_ROW, 1));
    OK(asdf_options_unset(options, ASDF_OPTION_ROW_COUNT));
    OK(read_with(text, &table));
    CHECK(rows_of(table) == 2);
    asdf_table_free(table);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_FIRST_ROW, -1));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_ROW_COUNT, -2));
    OK(asdf_options_add_text(options, ASDF_OPTION_COLUMNS, "none", 4));
    FAILS(ASDF_ERR_NOT_FOUND, read_with(text, &table));
}

static void policies(void) {
    static const char head[] = "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: a, datatype: string}\n";
    static const char renamed[] = "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: a, datatype: int8}\nb\n1\n";
    static const char blanks[] = "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: a, datatype: string}\na\n\" x \"\n";
    asdf_table *table = NULL;
    fresh();
    CHECK(read_with(renamed, &table) != ASDF_OK && table == NULL);
    OK(asdf_options_set_int(options, ASDF_OPTION_COLUMN_NAMES, ASDF_COLUMN_NAMES_REFUSE));
    CHECK(read_with(renamed, &table) != ASDF_OK);
    OK(asdf_options_set_int(options, ASDF_OPTION_COLUMN_NAMES, ASDF_COLUMN_NAMES_WARN));
    OK(read_with(renamed, &table));
    CHECK(table_warnings(table) == 1);
    asdf_table_free(table);
    OK(asdf_options_set_int(options, ASDF_OPTION_COLUMN_NAMES, ASDF_COLUMN_NAMES_IGNORE));
    OK(read_with(renamed, &table));
    CHECK(table_warnings(table) == 0);
    asdf_table_free(table);
    OK(asdf_options_set_int(options, ASDF_OPTION_COLUMN_NAMES, ASDF_COLUMN_NAMES_DEFAULT));
    CHECK(read_with(renamed, &table) != ASDF_OK);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_COLUMN_NAMES, 9));

    OK(read_with(blanks, &table));
    TEXT(" x ", asdf_table_read_text, table, "a", 0, 0, NULL);
    asdf_table_free(table);
    OK(asdf_options_set_int(options, ASDF_OPTION_TRIM_QUOTED, 1));
    OK(read_with(blanks, &table));
    TEXT("x", asdf_table_read_text, table, "a", 0, 0, NULL);
    asdf_table_free(table);

    OK(asdf_options_set_int(options, ASDF_OPTION_ECSV_STRICT, 1));
    CHECK(read_with("#%ECSV 1.0\n#---\n#datatype:\n#- {name: a, datatype: int8}\na\n1\n", &table) != ASDF_OK);
    OK(asdf_options_set_int(options, ASDF_OPTION_ECSV_STRICT, 0));

    OK(asdf_options_set_text(options, ASDF_OPTION_HEADER_TEXT, head, sizeof head - 1));
    OK(read_with("# a comment\na\nx\n", &table));
    TEXT("x", asdf_table_read_text, table, "a", 0, 0, NULL);
    asdf_table_free(table);
    write_text("head.ecsv", head);
    OK(asdf_options_unset(options, ASDF_OPTION_HEADER_TEXT));
    OK(asdf_options_set_text(options, ASDF_OPTION_HEADER_FILE, "head.ecsv", 9));
    OK(read_with("a\ny\n", &table));
    TEXT("y", asdf_table_read_text, table, "a", 0, 0, NULL);
    asdf_table_free(table);
    OK(asdf_options_unset(options, ASDF_OPTION_HEADER_FILE));
    CHECK(read_with("a\ny\n", &table) != ASDF_OK);

    OK(asdf_options_set_int(options, ASDF_OPTION_AS_TEXT, 1));
    OK(read_with("a,b\n007,x y\n", &table));
    TEXT("007", asdf_table_read_text, table, "a", 0, 0, NULL);
    TEXT("x y", asdf_table_read_text, table, "b", 0, 0, NULL);
    asdf_table_free(table);
    FAILS(ASDF_ERR_TABLE_HEADER, read_with("a,,b\n", &table));
    OK(asdf_options_set_text(options, ASDF_OPTION_HEADER_FILE, "head.ecsv", 9));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, read_with("a\ny\n", &table));
    OK(asdf_options_unset(options, ASDF_OPTION_HEADER_FILE));
    OK(asdf_options_set_text(options, ASDF_OPTION_HEADER_TEXT, head, sizeof head - 1));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, read_with("a\ny\n", &table));
    OK(asdf_options_unset(options, ASDF_OPTION_HEADER_TEXT));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_AS_TEXT, 2));
    OK(asdf_options_unset(options, ASDF_OPTION_AS_TEXT));

    OK(asdf_options_set_int(options, ASDF_OPTION_LIMIT_TREE_BYTES, 16));
    FAILS(ASDF_ERR_LIMIT, read_with(renamed, &table));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, 99, 16));
    OK(asdf_options_unset(options, ASDF_OPTION_LIMIT_TREE_BYTES));
    OK(asdf_options_set_int(options, ASDF_OPTION_THREADS, 2));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_THREADS, -1));
    OK(read_with(blanks, &table));
    asdf_table_free(table);
}

/* Declared datatypes and formats as the file spells them, and the places of irregularities. */
static void declarations(void) {
    static const char odd[] = "# %ECSV 1.0\n# ---\n# datatype:\n"
                              "# - {name: a, datatype: int}\n"
                              "# - {name: b, datatype: string, subtype: 'float64[3]'}\n"
                              "# schema: astropy-2.0\n"
                              "a b\n1 [1,2,3]\n";
    asdf_table *table = NULL;
    size_t needed = 0;
    fresh();
    OK(read_with(odd, &table));
    TEXT("int", asdf_table_column_declared_datatype, table, "a");
    TEXT("", asdf_table_column_declared_subtype, table, "a");
    TEXT("float64[3]", asdf_table_column_declared_subtype, table, "b");
    FAILS(ASDF_ERR_NOT_FOUND, asdf_table_column_declared_datatype(table, "c", NULL, 0, &needed));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_table_column_declared_subtype(table, "c", NULL, 0, &needed));
    TEXT("astropy-2.0", asdf_table_schema, table);
    char small[11];
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_table_schema(table, small, sizeof small, NULL));
    OK(asdf_table_set_schema(table, "other"));
    TEXT("other", asdf_table_schema, table);
    OK(asdf_table_set_schema(table, NULL));
    TEXT("", asdf_table_schema, table);
    asdf_report *found = NULL;
    OK(asdf_table_report(table, &found));
    CHECK(report_int(found, 0, ASDF_REPORT_LINE) == 4);
    CHECK(report_int(found, 0, ASDF_REPORT_COLUMN) == strstr(odd, "{name: a") - strstr(odd, "# - {name: a") + 1);
    CHECK(report_int(found, 0, ASDF_REPORT_OFFSET) == strstr(odd, "{name: a") - odd);
    asdf_report_free(found);
    asdf_table_free(table);

    OK(asdf_options_set_int(options, ASDF_OPTION_LIMIT_CELL_ELEMENTS, 2));
    FAILS(ASDF_ERR_LIMIT, read_with(odd, &table));
    OK(asdf_options_unset(options, ASDF_OPTION_LIMIT_CELL_ELEMENTS));
    /* A table may take as many bytes as its text, plus the limit. */
    static const char short_cells[] = "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: a, datatype: complex128}\na\n"
                                      "1\n1\n1\n1\n1\n1\n1\n1\n1\n1\n";
    OK(asdf_options_set_int(options, ASDF_OPTION_LIMIT_TABLE_BYTES, 16 * 10 - (sizeof short_cells - 1)));
    OK(read_with(short_cells, &table));
    asdf_table_free(table);
    OK(asdf_options_set_int(options, ASDF_OPTION_LIMIT_TABLE_BYTES, 16 * 10 - sizeof short_cells));
    FAILS(ASDF_ERR_LIMIT, read_with(short_cells, &table));
    OK(asdf_options_unset(options, ASDF_OPTION_LIMIT_TABLE_BYTES));
    OK(read_with(short_cells, &table));
    asdf_table_free(table);
    OK(asdf_options_set_int(options, ASDF_OPTION_LIMIT_RECORD_BYTES, 1 << 20));
    char *large = malloc(9 << 20);
    if (!large) exit(1);
    size_t head = (size_t)(strstr(odd, "1 [") - odd);
    memcpy(large, odd, head);
    memset(large + head, '1', (9 << 20) - head);
    large[(9 << 20) - 1] = 0;
    FAILS(ASDF_ERR_LIMIT, read_with(large, &table));
    free(large);
}

static size_t closed;

static asdf_status give(void *user, int64_t offset, void *buffer, size_t size, size_t *got) {
    memcpy(buffer, (const char *)user + offset, size);
    *got = size;
    return ASDF_OK;
}

static asdf_status count_close(void *user) {
    (void)user;
    closed++;
    return ASDF_OK;
}

static void batches(void) {
    asdf_table_reader *reader = NULL;
    asdf_table *table = NULL, *header = NULL;
    char bytes[sizeof text];
    memcpy(bytes, text, sizeof text);
    fresh();
    OK(asdf_options_add_text(options, ASDF_OPTION_NULL_VALUES, "null", 4));
    OK(asdf_options_set_int(options, ASDF_OPTION_BATCH_ROWS, 2));
    OK(asdf_table_reader_open("table.ecsv", options, &reader));
    OK(asdf_table_reader_header(reader, &header));
    CHECK(rows_of(header) == 0);
    TEXT("Jy", asdf_table_column_unit, header, "flux");
    OK(asdf_table_reader_next(reader, &table));
    CHECK(rows_of(table) == 2);
    asdf_table_free(table);
    OK(asdf_table_reader_next(reader, &table));
    CHECK(rows_of(table) == 1);
    asdf_table_reader_free(reader);
    TEXT("id", asdf_table_column_name, table, 0);
    asdf_table_free(table);
    asdf_table_free(header);

    OK(asdf_table_reader_open_source(give, count_close, bytes, sizeof text - 1, options, &reader));
    int64_t rows = 0;
    while (asdf_table_reader_next(reader, &table) == ASDF_OK && table) {
        rows += rows_of(table);
        asdf_table_free(table);
    }
    CHECK(rows == 3 && closed == 0);
    OK(asdf_table_reader_next(reader, &table));
    CHECK(table == NULL);
    asdf_table_reader_free(reader);
    CHECK(closed == 1);
    CHECK(asdf_table_reader_open_source(give, count_close, bytes + 3, 20, options, &reader) != ASDF_OK);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_reader_open_source(give, count_close, bytes, -1, options, &reader));
    CHECK(closed == 1 && reader == NULL);
    FAILS(ASDF_ERR_FILE_NOT_FOUND, asdf_table_reader_open("none.ecsv", NULL, &reader));

    fresh();
    OK(asdf_table_reader_open("table.ecsv", options, &reader));
    asdf_status failed = asdf_table_reader_next(reader, &table);
    CHECK(failed != ASDF_OK && table == NULL && message_holds("flux"));
    FAILS(failed, asdf_table_reader_next(reader, &table));
    asdf_table_reader_free(reader);
    asdf_table_reader_free(NULL);
}

static int begins_with(const char *path, const char *expected) {
    char bytes[8] = "";
    FILE *file = fopen(path, "rb");
    if (!file) return 0;
    size_t count = fread(bytes, 1, strlen(expected), file);
    fclose(file);
    return count == strlen(expected) && memcmp(bytes, expected, count) == 0;
}

static void writing(void) {
    asdf_table *table = NULL, *again = NULL;
    asdf_options *own = NULL;
    asdf_table_writer *writer = NULL;
    fresh();
    OK(asdf_options_add_text(options, ASDF_OPTION_NULL_VALUES, "null", 4));
    OK(read_with(text, &table));
    own = replacing();
    OK(asdf_options_set_int(own, ASDF_OPTION_DURABLE, 0));
    static const int32_t delimiters[] = {ASDF_DELIMITER_SAME, ASDF_DELIMITER_SPACE, ASDF_DELIMITER_COMMA};
    for (size_t i = 0; i < 3; i++) {
        OK(asdf_options_set_int(own, ASDF_OPTION_DELIMITER, delimiters[i]));
        OK(asdf_table_write_ecsv(table, "written.ecsv", own));
        OK(asdf_table_read_ecsv("written.ecsv", NULL, &again));
        is_the_table(again);
        asdf_table_free(again);
    }
    static const struct {
        int32_t compression;
        const char *name, *begin;
    } files[] = {{ASDF_TEXT_COMPRESSION_BY_SUFFIX, "written.ecsv.gz", "\x1F\x8B"},
                 {ASDF_TEXT_COMPRESSION_NONE, "plain.ecsv.gz", "# %ECSV"},
                 {ASDF_TEXT_COMPRESSION_GZIP, "gzip.ecsv", "\x1F\x8B"},
                 {ASDF_TEXT_COMPRESSION_BZIP2, "bzip2.ecsv", "BZh"}};
    for (size_t i = 0; i < 4; i++) {
        OK(asdf_options_set_int(own, ASDF_OPTION_TEXT_COMPRESSION, files[i].compression));
        OK(asdf_table_write_ecsv(table, files[i].name, own));
        CHECK(begins_with(files[i].name, files[i].begin));
        OK(asdf_table_read_ecsv(files[i].name, NULL, &again));
        is_the_table(again);
        asdf_table_free(again);
    }
    OK(asdf_options_set_int(own, ASDF_OPTION_TEXT_COMPRESSION, ASDF_TEXT_COMPRESSION_NONE));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(own, ASDF_OPTION_TEXT_COMPRESSION, 9));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(own, ASDF_OPTION_DELIMITER, 9));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(own, ASDF_OPTION_EMPTY_STRINGS, 9));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(own, ASDF_OPTION_JSON_NUMBERS, 9));
    CHECK(asdf_table_write_ecsv(table, "nowhere/written.ecsv", own) != ASDF_OK);

    remove("rows.ecsv");
    OK(asdf_table_writer_create("rows.ecsv", table, own, &writer));
    OK(asdf_table_writer_append(writer, table));
    OK(asdf_table_writer_append(writer, table));
    CHECK(!begins_with("rows.ecsv", "#"));
    OK(asdf_table_writer_finish(writer));
    FAILS(ASDF_ERR_CLOSED, asdf_table_writer_append(writer, table));
    FAILS(ASDF_ERR_CLOSED, asdf_table_writer_finish(writer));
    asdf_table_writer_free(writer);
    OK(asdf_table_read_ecsv("rows.ecsv", NULL, &again));
    CHECK(rows_of(again) == 6);
    asdf_table_free(again);

    OK(asdf_table_new(1, &again));
    OK(asdf_table_writer_create("none.ecsv", table, NULL, &writer));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_writer_append(writer, again));
    asdf_table_writer_free(writer);
    CHECK(!begins_with("none.ecsv", "#"));
    CHECK(asdf_table_writer_create("nowhere/none.ecsv", table, NULL, &writer) != ASDF_OK && writer == NULL);
    asdf_table_writer_free(NULL);
    asdf_table_free(again);
    asdf_options_free(own);
    asdf_table_free(table);
}

/* Empty strings, and numbers that JSON cannot express. */
static void what_text_cannot_say(void) {
    static const char *const names[] = {"", NULL};
    const double pair[] = {1, INFINITY, 3, 4};
    const int64_t two[] = {2};
    asdf_table *table = NULL, *again = NULL;
    asdf_options *own = NULL;
    int32_t missing = -1;
    double back[4];
    uint8_t mask[4];
    OK(asdf_table_new(2, &table));
    OK(add_texts(table, "s", ASDF_STRING, names, 2));
    OK(asdf_table_add_column(table, "p", ASDF_FLOAT64, 1, two, pair, sizeof pair, NULL, 0, NULL));
    own = replacing();
    OK(asdf_options_set_int(own, ASDF_OPTION_EMPTY_STRINGS, ASDF_EMPTY_STRINGS_REFUSE));
    FAILS(ASDF_ERR_VALUE_RANGE, asdf_table_write_ecsv(table, "empty.ecsv", own));
    OK(asdf_options_set_int(own, ASDF_OPTION_EMPTY_STRINGS, ASDF_EMPTY_STRINGS_MISSING));
    OK(asdf_options_set_int(own, ASDF_OPTION_JSON_NUMBERS, ASDF_JSON_NUMBERS_NULL));
    OK(asdf_table_write_ecsv(table, "empty.ecsv", own));
    OK(asdf_table_read_ecsv("empty.ecsv", NULL, &again));
    TEXT("", asdf_table_read_text, again, "s", 0, 0, &missing);
    CHECK(missing == 1);
    OK(asdf_table_read_column(again, "p", 0, -1, ASDF_FLOAT64, NULL, back, sizeof back, mask, 4));
    CHECK(memcmp(mask, "\0\1\0\0", 4) == 0);
    asdf_table_free(again);

    static const int32_t marks[] = {ASDF_EMPTY_STRINGS_MARK, ASDF_EMPTY_STRINGS_MARK_ALL};
    OK(asdf_options_set_int(own, ASDF_OPTION_JSON_NUMBERS, ASDF_JSON_NUMBERS_NAMES));
    for (size_t i = 0; i < 2; i++) {
        OK(asdf_options_set_int(own, ASDF_OPTION_EMPTY_STRINGS, marks[i]));
        OK(asdf_table_write_ecsv(table, "empty.ecsv", own));
        OK(asdf_table_read_ecsv("empty.ecsv", NULL, &again));
        for (int64_t row = 0; row < 2; row++) {
            TEXT("", asdf_table_read_text, again, "s", row, 0, &missing);
            CHECK(missing == row);
        }
        OK(asdf_table_read_column(again, "p", 0, -1, ASDF_FLOAT64, NULL, back, sizeof back, NULL, 0));
        CHECK(memcmp(back, pair, sizeof pair) == 0);
        asdf_table_free(again);
    }
    asdf_options_free(own);
    asdf_table_free(table);
}

int main(void) {
    reading();
    parts();
    policies();
    declarations();
    batches();
    writing();
    what_text_cannot_say();
    asdf_options_free(options);
    return report();
}
