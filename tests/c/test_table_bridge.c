/* Tables stored in ASDF files in each form, and read from them. */
#include "check.h"

static const int64_t four[] = {4}, pair[] = {2};
static asdf_table *table;

/* Columns that every form can store. */
static void make(void) {
    static const double flux[] = {1.5, -2, 0.1, 1e300};
    static const int16_t grid[] = {1, 2, 3, 4, 5, 6, 7, 8};
    static const char *const names[] = {"first", "", "\xE6\x97\xA5\xE6\x9C\xAC", "last"};
    OK(asdf_table_new(4, &table));
    OK(asdf_table_add_column(table, "flux", ASDF_FLOAT64, 0, NULL, flux, sizeof flux, NULL, 0, NULL));
    OK(asdf_table_add_column(table, "a/b", ASDF_INT16, 1, pair, grid, sizeof grid, NULL, 0, NULL));
    OK(add_texts(table, "name", ASDF_STRING, names, 4));
}

/* Writes a file with a table at "t", and opens the result. */
static asdf_node *reopened(const asdf_table *stored, const asdf_options *options) {
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    OK(asdf_file_new(NULL, &file));
    OK(asdf_file_root(file, &root));
    OK(asdf_node_set_table(root, "t", stored, options));
    OK(write_over(file, "table.asdf"));
    asdf_node_free(root);
    asdf_file_free(file);
    OK(asdf_file_open("table.asdf", NULL, &file));
    OK(asdf_file_root(file, &root));
    asdf_file_free(file);
    return root;
}

/* Two rows from the third on; rows after the last one are ignored. */
static void part_of(const asdf_node *root, const char *third) {
    asdf_options *rows = NULL;
    asdf_table *part = NULL;
    int64_t count = -1;
    double flux[2];
    char text[8];
    OK(asdf_options_new(&rows));
    OK(asdf_options_set_int(rows, ASDF_OPTION_FIRST_ROW, 2));
    OK(asdf_options_set_int(rows, ASDF_OPTION_ROW_COUNT, 5));
    OK(asdf_node_get_table(root, "t", rows, &part));
    OK(asdf_table_row_count(part, &count));
    CHECK(count == 2);
    OK(asdf_table_read_column(part, "flux", 0, -1, ASDF_FLOAT64, NULL, flux, sizeof flux, NULL, 0));
    CHECK(flux[0] == 0.1 && flux[1] == 1e300);
    OK(asdf_table_read_text(part, "name", 0, 0, NULL, text, sizeof text, NULL));
    CHECK(!strcmp(text, third));
    asdf_table_free(part);
    OK(asdf_options_set_int(rows, ASDF_OPTION_FIRST_ROW, INT64_MAX));
    OK(asdf_node_get_table(root, "t", rows, &part));
    OK(asdf_table_row_count(part, &count));
    CHECK(count == 0);
    asdf_table_free(part);
    OK(asdf_options_set_int(rows, ASDF_OPTION_BATCH_ROWS, 2));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_get_table(root, "t", rows, &part));
    asdf_options_free(rows);
}

static void in_each_form(void) {
    static const int32_t forms[] = {ASDF_TABLE_FORM_AUTOMATIC, ASDF_TABLE_FORM_STANDARD, ASDF_TABLE_FORM_ASTROPY,
                                    ASDF_TABLE_FORM_RECORDS, ASDF_TABLE_FORM_ARRAYS};
    static const char *const tags[] = {"tag:stsci.edu:asdf/table/table-1.2.0", "tag:stsci.edu:asdf/table/table-1.2.0",
                                       "tag:astropy.org:astropy/table/table-1.3.0",
                                       "tag:stsci.edu:asdf/core/ndarray-1.1.0", ""};
    asdf_options *options = NULL, *reading = NULL;
    OK(asdf_options_new(&reading));
    OK(asdf_options_set_int(reading, ASDF_OPTION_THREADS, 2));
    OK(asdf_options_new(&options));
    OK(asdf_options_set_text(options, ASDF_OPTION_CODEC, "zlib", 4));
    OK(asdf_options_set_int(options, ASDF_OPTION_THREADS, 2));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_THREADS, 0));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_TABLE_FORM, 5));
    CHECK(message_holds("ASDF_TABLE_FORM_"));
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        OK(asdf_options_set_int(options, ASDF_OPTION_TABLE_FORM, forms[i]));
        asdf_node *root = reopened(table, options);
        TEXT(tags[i], asdf_node_tag, root, "t");
        asdf_table *found = NULL;
        OK(asdf_node_get_table(root, "t", reading, &found));
        double flux[4] = {0};
        int32_t grid[8] = {0};
        int64_t rows = 0;
        OK(asdf_table_row_count(found, &rows));
        CHECK(rows == 4);
        OK(asdf_table_read_column(found, "flux", 0, -1, ASDF_FLOAT64, NULL, flux, sizeof flux, NULL, 0));
        CHECK(flux[2] == 0.1 && flux[3] == 1e300);
        OK(asdf_table_read_column(found, "a/b", 0, -1, ASDF_INT32, NULL, grid, sizeof grid, NULL, 0));
        CHECK(grid[0] == 1 && grid[7] == 8);
        char texts[4][8] = {{0}};
        asdf_datatype *eight = NULL;
        OK(asdf_datatype_string(ASDF_ASCII, 8, &eight));
        OK(asdf_table_read_column(found, "name", 0, -1, 0, of_type(eight), texts, sizeof texts, NULL, 0));
        CHECK(!strcmp(texts[0], "first") && !texts[1][0] && !strcmp(texts[2], "\xE6\x97\xA5\xE6\x9C\xAC"));
        asdf_datatype_free(eight);
        asdf_table_free(found);
        part_of(root, texts[2]);
        asdf_node_free(root);
    }
    asdf_options_free(options);
    asdf_options_free(reading);
}

static void with_all_that_can_be_said(void) {
    static const uint8_t missing[] = {0, 1, 0, 0};
    static const float values[] = {1, 2, 3, 4};
    asdf_node *root = NULL;
    asdf_table *found = NULL;
    asdf_options *options = NULL;
    OK(asdf_table_add_column(table, "v", ASDF_FLOAT32, 0, NULL, values, sizeof values, missing, 4, NULL));
    OK(asdf_table_set_column_unit(table, "v", SIZED("km / s")));
    OK(asdf_table_set_column_description(table, "v", SIZED("how fast")));
    OK(asdf_table_set_column_format(table, "v", SIZED("%.1f")));
    root = reopened(table, NULL);
    OK(asdf_node_get_table(root, "t", NULL, &found));
    TEXT("km / s", asdf_table_column_unit, found, "v");
    TEXT("how fast", asdf_table_column_description, found, "v");
    TEXT("%.1f", asdf_table_column_format, found, "v");
    TEXT("%.1f", asdf_node_get_string, root, "t/columns/3/meta/__ecsv__/format");
    float read[4];
    uint8_t mask[4] = {9, 9, 9, 9};
    OK(asdf_table_read_column(found, "v", 0, -1, ASDF_FLOAT32, NULL, read, sizeof read, mask, sizeof mask));
    CHECK(!memcmp(mask, missing, sizeof mask) && read[3] == 4);
    asdf_table_free(found);
    asdf_node_free(root);

    asdf_file *file = NULL;
    OK(asdf_file_new(NULL, &file));
    OK(asdf_file_root(file, &root));
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_TABLE_FORM, ASDF_TABLE_FORM_ARRAYS));
    FAILS(ASDF_ERR_UNSUPPORTED, asdf_node_set_table(root, "t", table, options));
    CHECK(message_holds("'v'") && message_holds("description"));
    FAILS(ASDF_ERR_INCOMPLETE, asdf_file_write(file, "lacking.asdf", NULL));
    OK(asdf_file_forget_failure(file));
    OK(asdf_options_set_int(options, ASDF_OPTION_LEAVE_OUT, 1));
    OK(asdf_node_set_table(root, "t", table, options));
    TEXT("km / s", asdf_node_get_string, root, "t/v/unit");
    OK(asdf_options_set_int(options, ASDF_OPTION_TABLE_FORM, ASDF_TABLE_FORM_RECORDS));
    FAILS(ASDF_ERR_UNSUPPORTED, asdf_node_set_table(root, "r", table, options));
    CHECK(message_holds("missing"));
    OK(asdf_file_forget_failure(file));

    OK(asdf_node_set_table(root, "tables/-", table, NULL));
    OK(asdf_node_set_table(root, "tables/-", table, NULL));
    TEXT("km / s", asdf_node_get_string, root, "tables/1/columns/3/unit");
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_node_set_table(root, "tables/1/columns/3/unit/-", table, NULL));
    OK(asdf_file_forget_failure(file));

    OK(asdf_node_set_array(root, "m/columns", ASDF_FLOAT32, 1, four, values, sizeof values, NULL));
    found = table;
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_node_get_table(root, "m/columns", NULL, &found));
    CHECK(found == NULL);
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_get_table(root, "none", NULL, &found));
    asdf_node_free(root);
    asdf_file_free(file);
    asdf_options_free(options);
}

/* Metadata stay in their file, or become lists and texts. */
static void with_metadata(void) {
    static const char text[] =
        "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n"
        "--- !core/asdf-1.1.0\n"
        "t: !table/table-1.2.0\n"
        "  columns:\n"
        "  - !table/column-1.2.0 {name: a, data: !core/ndarray-1.1.0 {data: [1, null, 3]}}\n"
        "  meta: {list: !core/ndarray-1.1.0 {data: [5, 6]}, circle: &c [1]}\n"
        "bad: !table/table-1.2.0 {columns: [], meta: &m {self: *m}}\n"
        "sky: !<tag:astropy.org:astropy/table/table-1.3.0>\n"
        "  {colnames: [s], columns: [!<tag:astropy.org:astropy/coordinates/skycoord-1.0.0> {}]}\n"
        "unit: {a: !unit/quantity-1.3.0 {value: [1], unit: !<tag:astropy.org:astropy/units/magunit-1.1.0> AB}}\n"
        "odd: {a: [2], b: !unit/quantity-1.3.0 {value: [1], unit: !<tag:astropy.org:astropy/units/x-1.0.0> AB}}\n"
        "...\n";
    asdf_file *file = NULL;
    asdf_node *root = NULL, *meta = NULL;
    asdf_table *found = NULL;
    asdf_options *options = NULL;
    int32_t kind = -1;
    int64_t number = 0;
    OK(asdf_file_open_memory(text, sizeof text - 1, NULL, &file));
    OK(asdf_file_root(file, &root));
    OK(asdf_node_get_table(root, "t", NULL, &found));
    OK(asdf_table_meta(found, &meta));
    OK(asdf_node_kind(meta, "list", &kind));
    CHECK(kind == ASDF_KIND_ARRAY);
    asdf_node_free(meta);
    asdf_table_free(found);

    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_PLAIN_METADATA, 1));
    OK(asdf_node_get_table(root, "t", options, &found));
    OK(asdf_table_meta(found, &meta));
    OK(asdf_node_kind(meta, "list", &kind));
    OK(asdf_node_get_i64(meta, "list/1", &number));
    CHECK(kind == ASDF_KIND_NUMBER_LIST && number == 6);
    asdf_node_free(meta);
    asdf_table_free(found);
    FAILS(ASDF_ERR_REFERENCE_CYCLE, asdf_node_get_table(root, "bad", options, &found));

    FAILS(ASDF_ERR_UNSUPPORTED, asdf_node_get_table(root, "sky", options, &found));
    OK(asdf_options_set_int(options, ASDF_OPTION_LEAVE_OUT, 1));
    OK(asdf_node_get_table(root, "sky", options, &found));
    CHECK(table_warnings(found) == 1);
    asdf_table_free(found);

    /* The table gets the complete unit or none. */
    OK(asdf_node_get_table(root, "unit", NULL, &found));
    TEXT("mag(AB)", asdf_table_column_unit, found, "a");
    asdf_table_free(found);
    FAILS(ASDF_ERR_UNSUPPORTED, asdf_node_get_table(root, "odd", NULL, &found));
    CHECK(message_holds("units/x-1.0.0") && message_holds("/odd/b/unit"));
    OK(asdf_node_get_table(root, "odd", options, &found));
    OK(asdf_table_column_count(found, &number));
    CHECK(number == 1);
    asdf_table_free(found);
    asdf_options_free(options);
    asdf_node_free(root);
    asdf_file_free(file);
}

/* Objects of astropy in ECSV become objects in ASDF, and columns again. */
static void with_objects(void) {
    static const char text[] =
        "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: q, unit: km, datatype: float64}\n"
        "# - {name: s.ra, unit: deg, datatype: float64}\n# - {name: s.dec, unit: deg, datatype: float64}\n"
        "# meta:\n#   __serialized_columns__:\n"
        "#     q: {__class__: astropy.units.quantity.Quantity, unit: !astropy.units.Unit {unit: km},\n"
        "#       value: !astropy.table.SerializedColumn {name: q}}\n"
        "#     s:\n#       __class__: astropy.coordinates.sky_coordinate.SkyCoord\n#       frame: icrs\n"
        "#       ra: !astropy.table.SerializedColumn {__class__: astropy.coordinates.angles.Longitude,\n"
        "#         unit: !astropy.units.Unit {unit: deg}, value: !astropy.table.SerializedColumn {name: s.ra}}\n"
        "#       dec: !astropy.table.SerializedColumn {__class__: astropy.coordinates.angles.Latitude,\n"
        "#         unit: !astropy.units.Unit {unit: deg}, value: !astropy.table.SerializedColumn {name: s.dec}}\n"
        "q s.ra s.dec\n1.0 10.0 20.0\n2.0 11.0 21.0\n";
    asdf_table *read = NULL, *again = NULL;
    OK(asdf_table_read_ecsv_memory(text, sizeof text - 1, NULL, &read));
    asdf_node *root = reopened(read, NULL);
    TEXT("tag:astropy.org:astropy/table/table-1.3.0", asdf_node_tag, root, "t");
    TEXT("tag:stsci.edu:asdf/unit/quantity-1.3.0", asdf_node_tag, root, "t/columns/0");
    TEXT("tag:astropy.org:astropy/coordinates/skycoord-1.0.0", asdf_node_tag, root, "t/columns/1");
    TEXT("tag:astropy.org:astropy/coordinates/longitude-1.2.0", asdf_node_tag, root, "t/columns/1/ra");
    OK(asdf_node_get_table(root, "t", NULL, &again));
    double dec[2] = {0};
    OK(asdf_table_read_column(again, "s.dec", 0, -1, ASDF_FLOAT64, NULL, dec, sizeof dec, NULL, 0));
    CHECK(dec[0] == 20 && dec[1] == 21);
    asdf_node *meta = NULL;
    OK(asdf_table_meta(again, &meta));
    TEXT("icrs", asdf_node_get_string, meta, "__serialized_columns__/s/frame");
    asdf_node_free(meta);
    asdf_table_free(again);
    asdf_node_free(root);

    asdf_options *options = NULL;
    asdf_file *file = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_TABLE_FORM, ASDF_TABLE_FORM_STANDARD));
    root = reopened(read, options);
    TEXT("tag:stsci.edu:asdf/table/table-1.2.0", asdf_node_tag, root, "t");
    asdf_node_free(root);
    asdf_options_free(options);

    /* Standard 1.0.0 has no quantities. */
    OK(asdf_options_new(&options));
    OK(asdf_options_set_text(options, ASDF_OPTION_STANDARD, SIZED("1.0.0")));
    OK(asdf_file_new(options, &file));
    OK(asdf_file_root(file, &root));
    FAILS(ASDF_ERR_UNSUPPORTED, asdf_node_set_table(root, "t", read, NULL));
    CHECK(message_holds("unit/quantity"));
    asdf_node_free(root);
    asdf_file_free(file);
    asdf_options_free(options);
    asdf_table_free(read);
}

/* A table stored in batches: all rows of each batch, texts of the length of the longest, masks from the batch on that
   has one. */
static void in_batches(void) {
    static const char *const longer[] = {"much longer than the others"};
    static const double flux[] = {7};
    static const int16_t grid[] = {9, 10};
    static const uint8_t missing[] = {1};
    asdf_options *options = NULL;
    asdf_table_writer *writer = NULL;
    asdf_table *last = NULL, *other = NULL, *stored = NULL;
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    int64_t rows = 0;
    int32_t is_there = -1, has_mask = -1;
    double read[13];
    uint8_t mask[13];
    char text[40];
    OK(asdf_options_new(&options));
    OK(asdf_table_new(1, &last));
    OK(asdf_table_add_column(last, "flux", ASDF_FLOAT64, 0, NULL, flux, sizeof flux, missing, 1, NULL));
    OK(asdf_table_add_column(last, "a/b", ASDF_INT16, 1, pair, grid, sizeof grid, NULL, 0, NULL));
    OK(add_texts(last, "name", ASDF_STRING, longer, 1));
    OK(asdf_file_new(NULL, &file));
    OK(asdf_file_root(file, &root));

    FAILS(ASDF_ERR_NULL_POINTER, asdf_node_begin_table(root, "t", NULL, NULL, &writer));
    OK(asdf_options_set_int(options, ASDF_OPTION_TABLE_FORM, ASDF_TABLE_FORM_RECORDS));
    FAILS(ASDF_ERR_UNSUPPORTED, asdf_node_begin_table(root, "t", table, options, &writer));
    CHECK(writer == NULL);
    OK(asdf_options_set_int(options, ASDF_OPTION_TABLE_FORM, ASDF_TABLE_FORM_STANDARD));
    OK(asdf_options_set_text(options, ASDF_OPTION_TEMPORARY_DIRECTORY, "", 0));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_begin_table(root, "t", table, options, &writer));
    OK(asdf_options_set_text(options, ASDF_OPTION_TEMPORARY_DIRECTORY, "nowhere", 7));
    FAILS(ASDF_ERR_FILE_NOT_FOUND, asdf_node_begin_table(root, "t", table, options, &writer));
    OK(asdf_options_set_text(options, ASDF_OPTION_TEMPORARY_DIRECTORY, ".", 1));
    OK(asdf_options_set_int(options, ASDF_OPTION_REPLACE, 1));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_begin_table(root, "t", table, options, &writer));
    OK(asdf_options_unset(options, ASDF_OPTION_REPLACE));
    OK(asdf_options_set_text(options, ASDF_OPTION_CODEC, "zlib", 4));

    OK(asdf_node_begin_table(root, "t", table, options, &writer));
    for (int i = 0; i < 3; i++) OK(asdf_table_writer_append(writer, table));
    OK(asdf_table_new(1, &other));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_writer_append(writer, other));
    OK(asdf_table_writer_append(writer, last));
    OK(asdf_node_exists(root, "t", &is_there));
    CHECK(!is_there);
    OK(asdf_table_writer_finish(writer));
    FAILS(ASDF_ERR_CLOSED, asdf_table_writer_append(writer, table));
    FAILS(ASDF_ERR_CLOSED, asdf_table_writer_finish(writer));
    asdf_table_writer_free(writer);
    OK(write_over(file, "batches.asdf"));

    /* A writer that is freed before it finishes stores nothing. */
    OK(asdf_node_begin_table(root, "u", table, NULL, &writer));
    OK(asdf_table_writer_append(writer, table));
    asdf_table_writer_free(writer);
    OK(asdf_node_exists(root, "u", &is_there));
    CHECK(!is_there);
    asdf_node_free(root);
    asdf_file_free(file);

    OK(asdf_file_open("batches.asdf", NULL, &file));
    OK(asdf_file_root(file, &root));
    OK(asdf_node_get_table(root, "t", NULL, &stored));
    OK(asdf_table_row_count(stored, &rows));
    CHECK(rows == 13);
    OK(asdf_table_column_has_mask(stored, "flux", &has_mask));
    CHECK(has_mask == 1);
    OK(asdf_table_column_has_mask(stored, "a/b", &has_mask));
    CHECK(has_mask == 0);
    OK(asdf_table_read_column(stored, "flux", 0, -1, ASDF_FLOAT64, NULL, read, sizeof read, mask, sizeof mask));
    for (int i = 0; i < 13; i++) CHECK(mask[i] == (i == 12) && (i == 12 || i % 4 != 1 || read[i] == -2));
    OK(asdf_table_read_text(stored, "name", 12, 0, NULL, text, sizeof text, NULL));
    CHECK(!strcmp(text, longer[0]));
    OK(asdf_table_read_text(stored, "name", 6, 0, NULL, text, sizeof text, NULL));
    CHECK(!strcmp(text, "\xE6\x97\xA5\xE6\x9C\xAC"));
    asdf_table_free(stored);
    asdf_table_free(last);
    asdf_table_free(other);
    asdf_node_free(root);
    asdf_file_free(file);
    asdf_options_free(options);
}

int main(void) {
    make();
    in_each_form();
    in_batches();
    with_all_that_can_be_said();
    with_metadata();
    with_objects();
    asdf_table_free(table);
    return report();
}
