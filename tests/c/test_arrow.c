/* Tables exported to Arrow and imported from it: shared values, batches, owners that release in any order. */
#include "check.h"

static asdf_table *make(void) {
    static const double flux[] = {1.5, -2, 0.25, 1e300};
    static const uint8_t flux_mask[] = {0, 1, 0, 0}, grid_mask[] = {0, 0, 1, 0, 1, 1, 0, 0};
    static const int16_t grid[] = {1, 2, 3, 4, 5, 6, 7, 8};
    static const int64_t lengths[] = {2, 0, -1, 3}, two[] = {2};
    static const int32_t list[] = {10, 11, 12, 13, 14};
    static const uint8_t on[] = {1, 0, 1, 1};
    static const char *const names[] = {"first", NULL, "", "\xE6\x97\xA5\xE6\x9C\xAC"};
    asdf_table *table = NULL;
    OK(asdf_table_new(4, &table));
    OK(asdf_table_add_column(table, "flux", ASDF_FLOAT64, 0, NULL, flux, sizeof flux, flux_mask, 4, NULL));
    OK(asdf_table_set_column_unit(table, "flux", SIZED("Jy")));
    OK(asdf_table_add_column(table, "grid", ASDF_INT16, 1, two, grid, sizeof grid, grid_mask, 8, NULL));
    OK(asdf_table_add_variable_column(table, "lists", ASDF_INT32, 0, NULL, lengths, 4, list, sizeof list, NULL, 0,
                                      NULL));
    OK(asdf_table_add_column(table, "on", ASDF_BOOL8, 0, NULL, on, sizeof on, NULL, 0, NULL));
    OK(add_texts(table, "names", ASDF_STRING, names, 4));
    return table;
}

/* Returns the value under a key of metadata in Arrow's packed form. */
static int says(const char *metadata, const char *key, const char *value) {
    int32_t pairs, length;
    memcpy(&pairs, metadata, 4);
    metadata += 4;
    for (int32_t text = 0, found = 0; text < 2 * pairs; text++) {
        memcpy(&length, metadata, 4);
        metadata += 4;
        if (found) return (size_t)length == strlen(value) && memcmp(metadata, value, strlen(value)) == 0;
        found = text % 2 == 0 && (size_t)length == strlen(key) && memcmp(metadata, key, strlen(key)) == 0;
        metadata += length;
    }
    return 0;
}

static void look_at(const struct ArrowSchema *schema, const struct ArrowArray *array) {
    static const char *const formats[] = {"g", "+w:2", "+L", "b", "U"};
    CHECK(strcmp(schema->format, "+s") == 0 && schema->n_children == 5 && schema->dictionary == NULL);
    CHECK(array->length == 4 && array->offset == 0 && array->null_count == 0 && array->n_buffers == 1);
    CHECK(array->buffers[0] == NULL && array->n_children == 5 && array->dictionary == NULL);
    for (int i = 0; i < 5; i++) CHECK(strcmp(schema->children[i]->format, formats[i]) == 0);
    CHECK(strcmp(schema->children[0]->name, "flux") == 0 && schema->children[0]->flags == ARROW_FLAG_NULLABLE);
    CHECK(says(schema->children[0]->metadata, "ecsv:unit", "Jy"));
    CHECK(says(schema->children[1]->metadata, "ecsv:subtype", "int16[2]"));
    CHECK(!says(schema->children[1]->metadata, "ecsv:unit", ""));

    const struct ArrowArray *flux = array->children[0], *grid = array->children[1], *lists = array->children[2];
    const struct ArrowArray *on = array->children[3], *names = array->children[4];
    CHECK(flux->null_count == 1 && (*(const uint8_t *)flux->buffers[0] & 15) == 13);
    CHECK(((const double *)flux->buffers[1])[3] == 1e300);
    CHECK(grid->length == 4 && grid->null_count == 1 && grid->children[0]->length == 8);
    CHECK(((const int16_t *)grid->children[0]->buffers[1])[7] == 8);
    CHECK(lists->null_count == 1 && ((const int64_t *)lists->buffers[1])[4] == 5 && lists->children[0]->length == 5);
    CHECK(*(const uint8_t *)on->buffers[1] == 13);
    CHECK(names->null_count == 1 && names->n_buffers == 3 && ((const int64_t *)names->buffers[1])[4] == 11);
    CHECK(memcmp((const char *)names->buffers[2] + 5, "\xE6\x97\xA5", 3) == 0);
}

/* Children that were moved out of a struct outlive it, and both outlive the table. */
static void any_order(void) {
    struct ArrowSchema schema;
    struct ArrowArray array;
    asdf_table *table = make();
    OK(asdf_table_export_arrow(table, NULL, &schema, &array));
    look_at(&schema, &array);
    asdf_table_free(table);
    look_at(&schema, &array);
    struct ArrowArray lists = *array.children[2], items = *lists.children[0];
    array.children[2]->release = NULL;
    lists.children[0]->release = NULL;
    struct ArrowSchema names = *schema.children[4];
    schema.children[4]->release = NULL;
    array.release(&array);
    CHECK(array.release == NULL);
    schema.release(&schema);
    CHECK(schema.release == NULL);
    CHECK(strcmp(names.name, "names") == 0 && ((const int64_t *)lists.buffers[1])[1] == 2);
    lists.release(&lists);
    CHECK(((const int32_t *)items.buffers[1])[4] == 14);
    items.release(&items);
    names.release(&names);
}

static void check_same(asdf_table *found) {
    double flux[4];
    int16_t grid[8];
    uint8_t mask[8];
    int64_t rows = 0, lengths[4];
    OK(asdf_table_row_count(found, &rows));
    CHECK(rows == 4);
    OK(asdf_table_read_column(found, "flux", 0, -1, ASDF_FLOAT64, NULL, flux, sizeof flux, mask, 4));
    CHECK(flux[0] == 1.5 && flux[3] == 1e300 && mask[1] && !mask[0] && !mask[3]);
    OK(asdf_table_read_column(found, "grid", 0, -1, ASDF_INT16, NULL, grid, sizeof grid, mask, 8));
    CHECK(grid[0] == 1 && grid[7] == 8 && !mask[1] && mask[2] && !mask[3] && mask[4] && mask[5]);
    OK(asdf_table_read_cell_lengths(found, "lists", 0, 4, lengths, 4));
    CHECK(lengths[0] == 2 && lengths[1] == 0 && lengths[2] == -1 && lengths[3] == 3);
    TEXT("Jy", asdf_table_column_unit, found, "flux");
}

static asdf_status export_batches(const asdf_table *table, int64_t rows, struct ArrowArrayStream *stream) {
    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_BATCH_ROWS, rows));
    asdf_status status = asdf_table_export_arrow_stream(table, options, stream);
    asdf_options_free(options);
    return status;
}

static void there_and_back(void) {
    struct ArrowSchema schema;
    struct ArrowArray array;
    struct ArrowArrayStream stream;
    asdf_table *table = make(), *again = NULL;
    OK(asdf_table_export_arrow(table, NULL, &schema, &array));
    OK(asdf_table_import_arrow(&schema, &array, NULL, &again));
    CHECK(schema.release == NULL && array.release == NULL);
    check_same(again);
    asdf_table_free(again);
    for (int64_t batch_rows = 0; batch_rows < 6; batch_rows++) {
        OK(export_batches(table, batch_rows, &stream));
        OK(asdf_table_import_arrow_stream(&stream, NULL, &again));
        CHECK(stream.release == NULL);
        check_same(again);
        asdf_table_free(again);
    }
    asdf_table_free(table);
}

static void batches(void) {
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    struct ArrowArray first, second, third;
    asdf_table *table = make();
    OK(export_batches(table, 3, &stream));
    asdf_table_free(table);
    CHECK(stream.get_schema(&stream, &schema) == 0 && stream.get_last_error(&stream) == NULL);
    CHECK(stream.get_next(&stream, &first) == 0 && first.length == 3);
    CHECK(stream.get_next(&stream, &second) == 0 && second.length == 1);
    CHECK(stream.get_next(&stream, &third) == 0 && third.release == NULL);
    CHECK(stream.get_next(&stream, &third) == 0 && third.release == NULL);
    stream.release(&stream);
    CHECK(first.children[0]->null_count == 1 && second.children[0]->null_count == 0);
    /* No value was copied: the second batch begins where the first one ends. */
    CHECK(second.children[0]->offset == 3 && second.children[0]->buffers[1] == first.children[0]->buffers[1]);
    first.release(&first);
    CHECK(((const double *)second.children[0]->buffers[1])[3] == 1e300);
    second.release(&second);
    schema.release(&schema);
}

/* A file is exported batch by batch after its reader was freed; an error appears in the batch that has it. */
static void from_a_file(void) {
    static const char head[] = "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: a, datatype: int32, unit: m}\na\n";
    struct ArrowArrayStream stream;
    struct ArrowArray array;
    asdf_options *options = NULL;
    asdf_table_reader *reader = NULL;
    asdf_table *table = NULL;
    int32_t read[5];
    for (int with_error = 0; with_error < 2; with_error++) {
        FILE *file = fopen("rows.ecsv", "wb");
        if (!file) exit(1);
        fprintf(file, "%s1\n2\n3\n4\n%s\n", head, with_error ? "x" : "5");
        fclose(file);
        OK(asdf_options_new(&options));
        OK(asdf_options_set_int(options, ASDF_OPTION_BATCH_ROWS, 2));
        OK(asdf_table_reader_open("rows.ecsv", options, &reader));
        asdf_options_free(options);
        OK(asdf_table_reader_export_arrow_stream(reader, NULL, &stream));
        asdf_table_reader_free(reader);
        if (with_error) {
            CHECK(stream.get_next(&stream, &array) == 0 && array.length == 2);
            CHECK(((const int32_t *)array.children[0]->buffers[1])[1] == 2);
            array.release(&array);
            CHECK(stream.get_next(&stream, &array) == 0 && array.length == 2);
            array.release(&array);
            CHECK(stream.get_next(&stream, &array) != 0);
            CHECK(strstr(stream.get_last_error(&stream), "rows.ecsv:10") != NULL);
            stream.release(&stream);
        } else {
            OK(asdf_table_import_arrow_stream(&stream, NULL, &table));
            OK(asdf_table_read_column(table, "a", 0, -1, ASDF_INT32, NULL, read, sizeof read, NULL, 0));
            CHECK(read[0] == 1 && read[4] == 5);
            TEXT("m", asdf_table_column_unit, table, "a");
            asdf_table_free(table);
        }
    }
}

/* Rows go to the first stream that is read. Another one would silently lack them. */
static void second_stream(void) {
    struct ArrowArrayStream first, second, third;
    struct ArrowArray array;
    struct ArrowSchema schema;
    asdf_options *options = NULL;
    asdf_table_reader *reader = NULL;
    FILE *file = fopen("twice.ecsv", "wb");
    if (!file) exit(1);
    fprintf(file, "# %%ECSV 1.0\n# ---\n# datatype:\n# - {name: a, datatype: int32}\na\n1\n2\n3\n");
    fclose(file);
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_BATCH_ROWS, 2));
    OK(asdf_table_reader_open("twice.ecsv", options, &reader));
    OK(asdf_table_reader_export_arrow_stream(reader, NULL, &first));
    OK(asdf_table_reader_export_arrow_stream(reader, NULL, &second));
    CHECK(first.get_schema(&first, &schema) == 0);
    schema.release(&schema);
    CHECK(second.get_next(&second, &array) == 0 && array.length == 2);
    array.release(&array);
    CHECK(first.get_next(&first, &array) != 0);
    CHECK(strstr(first.get_last_error(&first), "another stream") != NULL);
    FAILS(ASDF_ERR_CLOSED, asdf_table_reader_export_arrow_stream(reader, NULL, &third));
    CHECK(second.get_next(&second, &array) == 0 && array.length == 1);
    array.release(&array);
    CHECK(second.get_next(&second, &array) == 0 && !array.release);
    first.release(&first);
    second.release(&second);
    asdf_options_free(options);
    asdf_table_reader_free(reader);
}

/* Wrong options: outputs are not written, and structs that were passed in are released once, as after any failure. */
static int releases;
static void (*own_schema_release)(struct ArrowSchema *);
static void (*own_array_release)(struct ArrowArray *);

static void count_schema(struct ArrowSchema *schema) {
    releases++;
    own_schema_release(schema);
}

static void count_array(struct ArrowArray *array) {
    releases++;
    own_array_release(array);
}

static void wrong_options(void) {
    struct ArrowSchema schema, unused_schema;
    struct ArrowArray array, unused_array;
    struct ArrowArrayStream stream, unused;
    asdf_options *wrong = replacing(), *options = NULL;
    asdf_table *table = make(), *none = NULL;
    asdf_table_reader *reader = NULL;
    memset(&unused_schema, 0x5A, sizeof unused_schema);
    memset(&unused_array, 0x5A, sizeof unused_array);
    memset(&unused, 0x5A, sizeof unused);
    struct ArrowSchema schema_before = unused_schema;
    struct ArrowArray array_before = unused_array;
    struct ArrowArrayStream before = unused;
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_export_arrow(table, wrong, &unused_schema, &unused_array));
    CHECK(message_holds("asdf_table_export_arrow does not know the option 'replace'"));
    CHECK(memcmp(&unused_schema, &schema_before, sizeof schema_before) == 0);
    CHECK(memcmp(&unused_array, &array_before, sizeof array_before) == 0);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_export_arrow_stream(table, wrong, &unused));
    OK(asdf_table_write_ecsv(table, "read.ecsv", NULL));
    OK(asdf_table_reader_open("read.ecsv", NULL, &reader));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_reader_export_arrow_stream(reader, wrong, &unused));
    asdf_table_reader_free(reader);
    CHECK(memcmp(&unused, &before, sizeof before) == 0);

    /* A handle of another kind is refused, too. */
    for (int round = 0; round < 2; round++) {
        const asdf_options *given = round ? (const asdf_options *)table : wrong;
        asdf_status expected = round ? ASDF_ERR_WRONG_HANDLE : ASDF_ERR_INVALID_ARGUMENT;
        releases = 0;
        OK(asdf_table_export_arrow(table, NULL, &schema, &array));
        own_schema_release = schema.release;
        own_array_release = array.release;
        schema.release = count_schema;
        array.release = count_array;
        FAILS(expected, asdf_table_import_arrow(&schema, &array, given, &none));
        CHECK(none == NULL && schema.release == NULL && array.release == NULL && releases == 2);
        OK(asdf_table_export_arrow_stream(table, NULL, &stream));
        FAILS(expected, asdf_table_import_arrow_stream(&stream, given, &none));
        CHECK(none == NULL && stream.release == NULL);
    }

    /* A NULL pointer is refused, and nothing is taken over. */
    OK(asdf_table_export_arrow(table, NULL, &schema, &array));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_table_import_arrow(&schema, NULL, wrong, &none));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_table_import_arrow(&schema, &array, wrong, NULL));
    CHECK(schema.release != NULL && array.release != NULL);

    /* The options for threads and limits are accepted. */
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_THREADS, 2));
    OK(asdf_table_import_arrow(&schema, &array, options, &none));
    check_same(none);
    asdf_table_free(none);
    asdf_options_free(options);
    asdf_options_free(wrong);
    asdf_table_free(table);
}

/* A stream that the program implements, and that fails at one of its calls. */
static int fails_at;

static int own_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
    struct ArrowArray array;
    asdf_table *table = NULL;
    (void)stream;
    if (fails_at == 1) return 5;
    OK(asdf_table_new(0, &table));
    OK(asdf_table_export_arrow(table, NULL, out, &array));
    array.release(&array);
    asdf_table_free(table);
    return 0;
}

static int own_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
    (void)stream;
    memset(out, 0, sizeof *out);
    return fails_at == 2 ? 5 : 0;
}

static const char *own_error(struct ArrowArrayStream *stream) {
    (void)stream;
    return fails_at ? "the disk is on fire" : NULL;
}

static void own_release(struct ArrowArrayStream *stream) {
    stream->release = NULL;
}

static void refusals(void) {
    struct ArrowSchema schema, column;
    struct ArrowArray array;
    asdf_table *table = make(), *none = NULL;
    for (fails_at = 0; fails_at < 3; fails_at++) {
        struct ArrowArrayStream stream = {own_schema, own_next, own_error, own_release, NULL};
        FAILS(fails_at ? ASDF_ERR_CALLBACK : ASDF_OK, asdf_table_import_arrow_stream(&stream, NULL, &none));
        CHECK(stream.release == NULL && (fails_at ? none == NULL && message_holds("the disk is on fire") : 1));
        asdf_table_free(none);
        FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_import_arrow_stream(&stream, NULL, &none));
    }

    OK(asdf_table_export_arrow(table, NULL, &schema, &array));
    array.children[1]->length = 3;
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_import_arrow(&schema, &array, NULL, &none));
    CHECK(none == NULL && schema.release == NULL && array.release == NULL);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_import_arrow(&schema, &array, NULL, &none));
    OK(asdf_table_export_arrow(table, NULL, &schema, &array));
    array.n_buffers = -1;
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_import_arrow(&schema, &array, NULL, &none));
    OK(asdf_table_export_arrow(table, NULL, &schema, &array));
    array.children[0]->buffers[1] = NULL;
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_import_arrow(&schema, &array, NULL, &none));
    OK(asdf_table_export_arrow(table, NULL, &schema, &array));
    schema.children[2]->format = "+vL";
    FAILS(ASDF_ERR_UNSUPPORTED, asdf_table_import_arrow(&schema, &array, NULL, &none));
    CHECK(message_holds("'lists'") && message_holds("list views"));
    /* A column alone is not a table. */
    OK(asdf_table_export_arrow(table, NULL, &schema, &array));
    column = *schema.children[0];
    schema.children[0]->release = NULL;
    schema.release(&schema);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_import_arrow(&column, &array, NULL, &none));
    CHECK(column.release == NULL && array.release == NULL);
    asdf_table_free(table);
}

/* A stream that the program implements, whose arrays have this many rows and no memory. */
static const char *column_format;
static int64_t rows_of_each, arrays_left;

static void release_schema(struct ArrowSchema *schema) {
    schema->release = NULL;
}

static void release_array(struct ArrowArray *array) {
    array->release = NULL;
}

static int bare_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
    static struct ArrowSchema column, item, *columns = &column, *items = &item;
    (void)stream;
    memset(out, 0, sizeof *out);
    memset(&column, 0, sizeof column);
    memset(&item, 0, sizeof item);
    out->format = "+s";
    out->release = column.release = item.release = release_schema;
    if (!column_format) return 0;
    out->n_children = 1;
    out->children = &columns;
    column.name = "c";
    column.format = column_format;
    if (column_format[0] != '+') return 0;
    column.n_children = 1;
    column.children = &items;
    item.name = "item";
    item.format = "n";
    return 0;
}

static int bare_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
    static struct ArrowArray column, item, *columns = &column, *items = &item;
    static const void *none = NULL;
    (void)stream;
    memset(out, 0, sizeof *out);
    memset(&column, 0, sizeof column);
    memset(&item, 0, sizeof item);
    if (arrays_left-- == 0) return 0;
    out->length = column.length = rows_of_each;
    out->release = column.release = item.release = release_array;
    out->n_buffers = 1;
    out->buffers = &none;
    if (!column_format) return 0;
    out->n_children = 1;
    out->children = &columns;
    if (column_format[0] != '+') return 0;
    column.n_buffers = 1;
    column.buffers = &none;
    column.n_children = 1;
    column.children = &items;
    item.length = strcmp(column_format, "+w:0") ? rows_of_each * 2 : 0;
    return 0;
}

static asdf_status import_bare_with(const char *format, int64_t rows, int64_t arrays, const asdf_options *options,
                                    asdf_table **table) {
    struct ArrowArrayStream stream = {bare_schema, bare_next, own_error, own_release, NULL};
    column_format = format;
    rows_of_each = rows;
    arrays_left = arrays;
    fails_at = 0;
    return asdf_table_import_arrow_stream(&stream, options, table);
}

static asdf_status import_bare(const char *format, int64_t rows, int64_t arrays, asdf_table **table) {
    return import_bare_with(format, rows, arrays, NULL, table);
}

/* Rows without memory cost no time. Rows that would need memory that Arrow does not have are refused. */
static void rows_without_memory(void) {
    static const int64_t many = (int64_t)1 << 62;
    asdf_table *table = NULL;
    int64_t rows = 0;
    OK(import_bare(NULL, many, 1, &table));
    OK(asdf_table_row_count(table, &rows));
    CHECK(rows == many);
    asdf_table_free(table);
    FAILS(ASDF_ERR_LIMIT, import_bare(NULL, many, 2, &table));
    FAILS(ASDF_ERR_LIMIT, import_bare(NULL, many, -1, &table));
    CHECK(table == NULL && message_holds("rows"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, import_bare(NULL, -1, 1, &table));
    FAILS(ASDF_ERR_LIMIT, import_bare("n", (int64_t)1 << 40, 1, &table));
    CHECK(message_holds("'c'"));
    FAILS(ASDF_ERR_LIMIT, import_bare("+w:2", many / 4, 1, &table));
    FAILS(ASDF_ERR_LIMIT, import_bare("+w:0", many, 1, &table));
    FAILS(ASDF_ERR_UNSUPPORTED, import_bare("+r", many, 1, &table));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, import_bare("l", many, 1, &table));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, import_bare("b", many, 1, &table));
    OK(import_bare("n", 1000, 3, &table));
    OK(asdf_table_row_count(table, &rows));
    CHECK(rows == 3000);
    asdf_table_free(table);
    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_LIMIT_TABLE_BYTES, 8000));
    OK(import_bare_with("n", 1000, 1, options, &table));
    asdf_table_free(table);
    FAILS(ASDF_ERR_LIMIT, import_bare_with("n", 1001, 1, options, &table));
    asdf_options_free(options);
}

static int32_t cancel_the_third(void *user, int64_t done, int64_t total) {
    (void)done, (void)total;
    return ++*(int *)user == 3;
}

/* A stream that never ends can be cancelled; without values it is refused. */
static void endless_streams(void) {
    asdf_table *table = NULL;
    asdf_options *options = NULL;
    int reports = 0;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_progress(options, cancel_the_third, NULL, &reports));
    /* Reports come by time, so the import must take long enough. */
    OK(asdf_options_set_int(options, ASDF_OPTION_LIMIT_TABLE_BYTES, INT64_MAX));
    FAILS(ASDF_ERR_CANCELLED, import_bare_with("n", 0, -1, options, &table));
    CHECK(reports == 3 && table == NULL);
    FAILS(ASDF_ERR_LIMIT, import_bare(NULL, 1, -1, &table));
    CHECK(message_holds("hold nothing"));
    OK(asdf_options_unset(options, ASDF_OPTION_PROGRESS));
    OK(asdf_options_set_int(options, ASDF_OPTION_LIMIT_TABLE_BYTES, 4096000));
    FAILS(ASDF_ERR_LIMIT, import_bare_with("n", 0, -1, options, &table));
    FAILS(ASDF_ERR_LIMIT, import_bare_with("n", 1, 1001, options, &table));
    OK(import_bare_with("n", 1, 1000, options, &table));
    asdf_table_free(table);
    asdf_options_free(options);
}

/* Tables of 2^62 rows without columns are exported and imported. No file format can hold them. */
static void tables_without_columns(void) {
    struct ArrowArrayStream stream;
    asdf_table *table = NULL, *again = NULL;
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    asdf_options *options = NULL;
    int64_t rows = 0;
    OK(asdf_table_new((int64_t)1 << 62, &table));
    OK(asdf_table_export_arrow_stream(table, NULL, &stream));
    OK(asdf_table_import_arrow_stream(&stream, NULL, &again));
    OK(asdf_table_row_count(again, &rows));
    CHECK(rows == (int64_t)1 << 62);
    asdf_table_free(again);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_write_ecsv(table, "none.ecsv", NULL));
    OK(asdf_file_new(NULL, &file));
    OK(asdf_file_root(file, &root));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_table(root, "t", table, NULL));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_get_table(root, "t", NULL, &again));
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_TABLE_FORM, ASDF_TABLE_FORM_RECORDS));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_table(root, "records", table, options));
    asdf_options_free(options);
    asdf_node_free(root);
    OK(asdf_file_close(file));
    asdf_file_free(file);
    asdf_table_free(table);
}

int main(void) {
    rows_without_memory();
    endless_streams();
    tables_without_columns();
    any_order();
    there_and_back();
    batches();
    second_stream();
    from_a_file();
    wrong_options();
    refusals();
    return report();
}
