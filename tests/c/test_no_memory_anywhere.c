/* Any allocation can fail. Operations run with the first, the second, the third … allocation failing, alone or with all
   later ones. The call then works, or fails with ASDF_ERR_OUT_OF_MEMORY; old files stay as they are, and nothing leaks.
   ASDFKIT_MALLOC_STEP is the distance of the allocations that are tried; 20 without it. */
#include "failing_malloc.h"

#include "check.h"

enum { ROWS = 40, COLUMNS = 25, ELEMENTS = ROWS * COLUMNS };

static const int64_t shape[] = {ROWS, COLUMNS};
static const int64_t chunks[] = {16, 16};
static const int64_t start[] = {3, 4}, count[] = {30, 12};
static int32_t numbers[ELEMENTS], found[ELEMENTS];

static asdf_file *file;
static asdf_node *root;
static asdf_table *table;
static asdf_options *replace, *compressed, *chunked, *fits;
static asdf_schemas *schemas;
static asdf_ndl *description;

static asdf_status walk(const asdf_node *node, int depth) {
    asdf_status status = ASDF_OK;
    asdf_node *item = NULL;
    int32_t type = 0;
    int64_t items = 0;
    char text[256];
    TRY(asdf_node_type(node, "", &type));
    TRY(asdf_node_tag(node, "", text, sizeof text, NULL));
    TRY(asdf_node_path(node, "", text, sizeof text, NULL));
    if (type == ASDF_NODE_STRING) TRY(asdf_node_get_string(node, "", text, sizeof text, NULL));
    if (type < ASDF_NODE_SEQUENCE || depth == 20) return ASDF_OK;
    TRY(asdf_node_count(node, "", &items));
    for (int64_t i = 0; i < items && i < 30; i++) {
        TRY(asdf_node_item(node, "", i, &item));
        TRY(walk(item, depth + 1));
        asdf_node_free(item);
        item = NULL;
    }
end:
    asdf_node_free(item);
    return status;
}

static asdf_status open_and(const char *name, asdf_status (*look)(asdf_file *, asdf_node *)) {
    asdf_status status = ASDF_OK;
    asdf_file *opened = NULL;
    asdf_node *node = NULL;
    TRY(asdf_file_open(name, NULL, &opened));
    TRY(asdf_file_root(opened, &node));
    TRY(look(opened, node));
end:
    asdf_node_free(node);
    asdf_file_free(opened);
    return status;
}

static asdf_status walk_from(asdf_file *opened, asdf_node *node) {
    (void)opened;
    return walk(node, 0);
}

static asdf_status walk_file(void) {
    return open_and("main.asdf", walk_from);
}

static asdf_status read_numbers(const asdf_node *node, const char *path) {
    asdf_status status = ASDF_OK;
    asdf_array *array = NULL;
    TRY(asdf_node_get_array(node, path, &array));
    memset(found, 0, sizeof found);
    TRY(asdf_array_read(array, ASDF_INT32, NULL, found, sizeof found, NULL, 0));
    CHECK(memcmp(found, numbers, sizeof found) == 0);
end:
    asdf_array_free(array);
    return status;
}

/* Reads in an operation that has already changed its file. */
static void read_after(const asdf_node *node, const char *path) {
    asdf_status status = read_numbers(node, path);
    CHECK(status == ASDF_OK || status == ASDF_ERR_OUT_OF_MEMORY);
}

static asdf_status read_every(asdf_file *opened, asdf_node *node) {
    static const char *const paths[] = {"plain", "zlib", "zstd", "bzp2", "lz4", "inline", "chunked"};
    asdf_status status = ASDF_OK;
    (void)opened;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) TRY(read_numbers(node, paths[i]));
end:
    return status;
}

static asdf_status read_arrays(void) {
    return open_and("main.asdf", read_every);
}

static asdf_status read_converted(void) {
    static double doubles[30 * 12];
    asdf_status status = ASDF_OK;
    asdf_array *array = NULL;
    TRY(asdf_node_get_array(root, "zlib", &array));
    TRY(asdf_array_read_region(array, 2, start, count, NULL, ASDF_FLOAT64, NULL, doubles, sizeof doubles, NULL, 0));
    CHECK(doubles[0] == numbers[3 * COLUMNS + 4] && doubles[12] == numbers[4 * COLUMNS + 4]);
end:
    asdf_array_free(array);
    return status;
}

static asdf_status load_and_view(void) {
    asdf_status status = ASDF_OK;
    asdf_array *array = NULL;
    asdf_buffer *elements = NULL;
    asdf_view *view = NULL;
    const void *bytes = NULL;
    size_t size = 0;
    TRY(asdf_node_get_array(root, "plain", &array));
    TRY(asdf_array_load(array, ASDF_INT32, NULL, &elements, NULL));
    TRY(asdf_buffer_bytes(elements, &bytes, &size));
    CHECK(size == sizeof numbers && memcmp(bytes, numbers, size) == 0);
    TRY(asdf_array_view(array, ASDF_INT32, NULL, &view));
    TRY(asdf_view_bytes(view, &bytes, &size));
    CHECK(size == sizeof numbers && memcmp(bytes, numbers, size) == 0);
end:
    asdf_view_free(view);
    asdf_buffer_free(elements);
    asdf_array_free(array);
    return status;
}

/* Makes a file in memory and returns it with its root. */
static asdf_status make(asdf_file **made, asdf_node **node) {
    asdf_status status = ASDF_OK;
    *node = NULL;
    TRY(asdf_file_new(NULL, made));
    TRY(asdf_file_root(*made, node));
    TRY(asdf_node_set_string(*node, "meta/observer", SIZED("Ada")));
    TRY(asdf_node_set_f64(*node, "meta/exposure/time", 139.8));
    TRY(asdf_node_set_sequence(*node, "list", 1));
    for (int i = 0; i < 20; i++) TRY(asdf_node_set_i64(*node, "list/-", i));
    TRY(asdf_node_set_array(*node, "plain", ASDF_INT32, 2, shape, numbers, sizeof numbers, NULL));
    TRY(asdf_node_set_array(*node, "zlib", ASDF_INT32, 2, shape, numbers, sizeof numbers, compressed));
    TRY(asdf_node_set_array(*node, "chunked", ASDF_INT32, 2, shape, numbers, sizeof numbers, chunked));
end:
    return status;
}

static asdf_status write_new(void) {
    asdf_status status = ASDF_OK;
    asdf_file *made = NULL;
    asdf_node *node = NULL;
    TRY(make(&made, &node));
    TRY(asdf_file_write(made, "target.asdf", replace));
end:
    asdf_node_free(node);
    asdf_file_free(made);
    return status;
}

static asdf_status write_to_memory(void) {
    asdf_status status = ASDF_OK;
    asdf_file *made = NULL, *again = NULL;
    asdf_node *node = NULL;
    asdf_buffer *buffer = NULL;
    const void *bytes = NULL;
    size_t size = 0;
    TRY(make(&made, &node));
    TRY(asdf_file_write_memory(made, NULL, &buffer));
    TRY(asdf_buffer_bytes(buffer, &bytes, &size));
    TRY(asdf_file_open_memory(bytes, size, NULL, &again));
    asdf_node_free(node);
    node = NULL;
    TRY(asdf_file_root(again, &node));
    TRY(read_numbers(node, "zlib"));
    TRY(read_numbers(node, "chunked"));
end:
    asdf_node_free(node);
    asdf_file_free(again);
    asdf_buffer_free(buffer);
    asdf_file_free(made);
    return status;
}

static asdf_status write_fits(void) {
    asdf_status status = ASDF_OK;
    asdf_file *made = NULL, *again = NULL;
    asdf_node *node = NULL;
    TRY(asdf_file_new(NULL, &made));
    TRY(asdf_file_root(made, &node));
    TRY(asdf_node_set_array(node, "plain", ASDF_INT32, 2, shape, numbers, sizeof numbers, NULL));
    TRY(asdf_file_write(made, "target.fits", fits));
    asdf_node_free(node);
    node = NULL;
    TRY(asdf_file_open("target.fits", NULL, &again));
    TRY(asdf_file_root(again, &node));
    TRY(read_numbers(node, "plain"));
end:
    asdf_node_free(node);
    asdf_file_free(again);
    asdf_file_free(made);
    return status;
}

/* Changes target.asdf, whose content is that of main.asdf. */
static asdf_status update(asdf_status (*change)(asdf_file *, asdf_node *)) {
    asdf_status status = ASDF_OK;
    asdf_file *opened = NULL;
    asdf_node *node = NULL;
    TRY(asdf_file_open_for_update("target.asdf", NULL, &opened));
    TRY(asdf_file_root(opened, &node));
    TRY(change(opened, node));
end:
    asdf_node_free(node);
    asdf_file_free(opened);
    return status;
}

static asdf_status save_text(asdf_file *opened, asdf_node *node) {
    asdf_status status = asdf_node_set_string(node, "meta/observer", SIZED("Grace"));
    return status ? status : asdf_file_save(opened, NULL);
}

static asdf_status save_array(asdf_file *opened, asdf_node *node) {
    asdf_status status = ASDF_OK;
    TRY(asdf_node_set_array(node, "more", ASDF_INT32, 2, shape, numbers, sizeof numbers, compressed));
    TRY(asdf_node_remove(node, "zstd"));
    TRY(asdf_file_save(opened, NULL));
    read_after(node, "more");
    read_after(node, "lz4");
end:
    return status;
}

static asdf_status save_region(asdf_file *opened, asdf_node *node) {
    asdf_status status = ASDF_OK;
    asdf_array *array = NULL;
    (void)opened;
    TRY(asdf_node_get_array(node, "plain", &array));
    TRY(asdf_array_write_region(array, 2, start, count, NULL, ASDF_INT32, numbers, 30 * 12 * 4, NULL));
    TRY(asdf_file_save(opened, NULL));
end:
    asdf_array_free(array);
    return status;
}

static asdf_status grow(asdf_file *opened, asdf_node *node) {
    asdf_status status = ASDF_OK;
    asdf_array *array = NULL;
    TRY(asdf_node_get_array(node, "chunked", &array));
    TRY(asdf_array_append(array, 2, ASDF_INT32, numbers, 2 * COLUMNS * 4, NULL));
    TRY(asdf_file_save(opened, NULL));
end:
    asdf_array_free(array);
    return status;
}

static asdf_status compact(asdf_file *opened, asdf_node *node) {
    asdf_status status = asdf_node_remove(node, "zlib");
    return status ? status : asdf_file_compact(opened, NULL);
}

static asdf_status history(asdf_file *opened, asdf_node *node) {
    asdf_status status = ASDF_OK;
    (void)node;
    TRY(asdf_file_add_history(opened, SIZED("changed"), NULL, "pipe", "1", NULL, NULL));
    TRY(asdf_file_add_extension(opened, "a.B", "asdf://x.org/e-1.0.0", "pipe", "2.1"));
    TRY(asdf_file_save(opened, NULL));
end:
    return status;
}

static asdf_status rename_and_move(asdf_file *opened, asdf_node *node) {
    asdf_status status = ASDF_OK;
    TRY(asdf_node_rename_key(node, "meta/observer", "astronomer"));
    TRY(asdf_node_move(node, "meta/astronomer", "who"));
    TRY(asdf_node_set_comment(node, "who", 0, SIZED("a name")));
    TRY(asdf_node_recompress_array(node, "plain", compressed));
    TRY(asdf_file_save(opened, NULL));
    read_after(node, "plain");
end:
    return status;
}

static asdf_status update_text(void) {
    return update(save_text);
}
static asdf_status update_array(void) {
    return update(save_array);
}
static asdf_status update_region(void) {
    return update(save_region);
}
static asdf_status update_growing(void) {
    return update(grow);
}
static asdf_status update_compact(void) {
    return update(compact);
}
static asdf_status update_history(void) {
    return update(history);
}
static asdf_status update_names(void) {
    return update(rename_and_move);
}

static asdf_status copy_nodes(void) {
    asdf_status status = ASDF_OK;
    asdf_file *made = NULL;
    asdf_node *node = NULL;
    TRY(asdf_file_new(NULL, &made));
    TRY(asdf_file_root(made, &node));
    TRY(asdf_node_copy(node, "all", root, NULL));
    TRY(read_numbers(node, "all/zlib"));
    TRY(asdf_file_write(made, "target.asdf", replace));
end:
    asdf_node_free(node);
    asdf_file_free(made);
    return status;
}

static asdf_status explode(void) {
    return asdf_file_explode(file, "exploded.asdf", replace);
}

static asdf_status implode(void) {
    return asdf_file_implode(file, "target.asdf", replace);
}

static asdf_status verify(void) {
    asdf_status status = ASDF_OK;
    asdf_report *report = NULL;
    int64_t absent = 0, stored = 0, decoded = 0;
    TRY(asdf_file_verify(file, NULL, &absent, &stored, &decoded));
    TRY(asdf_file_inspect(file, NULL, &report));
end:
    asdf_report_free(report);
    return status;
}

static asdf_status recover(void) {
    asdf_report *losses = NULL;
    asdf_status status = asdf_file_recover("damaged.asdf", "target.asdf", 0, replace, &losses);
    asdf_report_free(losses);
    return status;
}

static asdf_status references(void) {
    asdf_buffer *buffer = NULL;
    const asdf_file *files[] = {file};
    asdf_status status = asdf_file_export_references(files, 1, NULL, &buffer);
    asdf_buffer_free(buffer);
    return status;
}

static asdf_status chunk_map(void) {
    asdf_status status = ASDF_OK;
    asdf_array *array = NULL;
    asdf_chunk_map *map = NULL;
    int64_t chunk_count = 0;
    TRY(asdf_node_get_array(root, "chunked", &array));
    TRY(asdf_array_chunk_map(array, &map));
    TRY(asdf_chunk_map_count(map, &chunk_count));
    CHECK(chunk_count == 6);
end:
    asdf_chunk_map_free(map);
    asdf_array_free(array);
    return status;
}

static asdf_status stream(void) {
    asdf_status status = ASDF_OK;
    asdf_file *made = NULL;
    asdf_stream *rows = NULL;
    TRY(asdf_file_new(NULL, &made));
    TRY(asdf_stream_create(made, "target.asdf", "rows", ASDF_INT32, 1, &shape[1], replace, &rows));
    for (int i = 0; i < ROWS; i++) TRY(asdf_stream_push(rows, 1, numbers + i * COLUMNS, COLUMNS * 4));
    TRY(asdf_stream_finish(rows));
end:
    asdf_stream_free(rows);
    asdf_file_free(made);
    return status;
}

static asdf_status check_table(const asdf_table *read) {
    int64_t rows = 0;
    double flux[3] = {0, 0, 0};
    asdf_status status = asdf_table_row_count(read, &rows);
    if (status == ASDF_OK) status = asdf_table_read_column(read, "flux", 0, 3, 0, NULL, flux, sizeof flux, NULL, 0);
    if (status == ASDF_OK) CHECK(rows == 3 && flux[2] == 2.5);
    return status;
}

static asdf_status read_ecsv(void) {
    asdf_status status = ASDF_OK;
    asdf_table *read = NULL;
    TRY(asdf_table_read_ecsv("table.ecsv", NULL, &read));
    TRY(check_table(read));
end:
    asdf_table_free(read);
    return status;
}

static asdf_status read_batches(void) {
    asdf_status status = ASDF_OK;
    asdf_table_reader *reader = NULL;
    asdf_table *batch = NULL;
    TRY(asdf_table_reader_open("table.ecsv", NULL, &reader));
    TRY(asdf_table_reader_next(reader, &batch));
    TRY(check_table(batch));
end:
    asdf_table_free(batch);
    asdf_table_reader_free(reader);
    return status;
}

static asdf_status make_table(void) {
    static const double flux[] = {0.5, 1.5, 2.5};
    static const char *const names[] = {"a", NULL, "ccc"};
    asdf_status status = ASDF_OK;
    asdf_table *made = NULL, *sorted = NULL;
    const char *columns[] = {"flux"};
    const int32_t descending[] = {1};
    TRY(asdf_table_new(3, &made));
    TRY(asdf_table_add_column(made, "flux", ASDF_FLOAT64, 0, NULL, flux, sizeof flux, NULL, 0, NULL));
    TRY(add_texts(made, "name", ASDF_STRING, names, 3));
    TRY(asdf_table_set_column_unit(made, "flux", SIZED("Jy")));
    TRY(asdf_table_sort(made, columns, descending, 1, NULL, &sorted));
    TRY(asdf_table_write_ecsv(sorted, "target.ecsv", replace));
end:
    asdf_table_free(sorted);
    asdf_table_free(made);
    return status;
}

static asdf_status table_in_file(void) {
    asdf_status status = ASDF_OK;
    asdf_file *made = NULL;
    asdf_node *node = NULL;
    asdf_table *read = NULL;
    TRY(asdf_file_new(NULL, &made));
    TRY(asdf_file_root(made, &node));
    TRY(asdf_node_set_table(node, "t", table, NULL));
    TRY(asdf_node_get_table(node, "t", NULL, &read));
    TRY(check_table(read));
end:
    asdf_table_free(read);
    asdf_node_free(node);
    asdf_file_free(made);
    return status;
}

static asdf_status arrow(void) {
    asdf_status status = ASDF_OK;
    struct ArrowSchema schema = {0};
    struct ArrowArray array = {0};
    asdf_table *read = NULL;
    TRY(asdf_table_export_arrow(table, NULL, &schema, &array));
    TRY(asdf_table_import_arrow(&schema, &array, NULL, &read));
    TRY(check_table(read));
end:
    asdf_table_free(read);
    if (array.release) array.release(&array);
    if (schema.release) schema.release(&schema);
    return status;
}

static const char document[] = "attributes: {title: {value: A cube}}\n"
                               "dimcoords:\n"
                               "  t: {size: 3, type: float64, value: [1.0, 2.0, 3.0]}\n"
                               "  x: {size: 4, type: int32}\n"
                               "ndarrays:\n"
                               "  a: {shape: [t, x], type: float32, attributes: {unit: {value: K}}}\n"
                               "  b: {shape: [t], type: int8, value: [1, 2, 3]}\n";

static asdf_status read_ndl(void) {
    asdf_status status = ASDF_OK;
    asdf_ndl *read = NULL;
    asdf_report *report = NULL;
    TRY(asdf_ndl_read_memory(document, sizeof document - 1, NULL, &read));
    TRY(asdf_ndl_report(read, &report));
end:
    asdf_report_free(report);
    asdf_ndl_free(read);
    return status;
}

static asdf_status export_ndl(void) {
    asdf_status status = ASDF_OK;
    asdf_buffer *buffer = NULL;
    for (int32_t format = ASDF_NDL_FORMAT_TEXT; format <= ASDF_NDL_FORMAT_FORTRAN; format++) {
        TRY(asdf_ndl_export(description, format, "cube", NULL, &buffer));
        asdf_buffer_free(buffer);
        buffer = NULL;
    }
end:
    asdf_buffer_free(buffer);
    return status;
}

static asdf_status file_of_ndl(void) {
    asdf_report *report = NULL;
    asdf_status status = asdf_ndl_create_asdf(description, "target.asdf", replace, &report);
    asdf_report_free(report);
    return status;
}

static asdf_status describe(void) {
    asdf_ndl *made = NULL;
    asdf_status status = asdf_ndl_describe(file, NULL, &made);
    asdf_ndl_free(made);
    return status;
}

static const char schema_text[] = "id: asdf://example.org/schemas/a-1.0.0\n"
                                  "properties:\n"
                                  "  meta: {anyOf: [{type: integer}, {properties: {observer: {type: string}}}]}\n"
                                  "  plain: {ndim: 2, datatype: int32}\n"
                                  "  list: {items: {minimum: 0, maximum: 5}}\n";

static asdf_status read_schema(void) {
    asdf_status status = ASDF_OK;
    asdf_schemas *read = NULL;
    asdf_buffer *uri = NULL;
    TRY(asdf_schemas_new(&read));
    TRY(asdf_schemas_add_text(read, schema_text, sizeof schema_text - 1, &uri));
end:
    asdf_buffer_free(uri);
    asdf_schemas_free(read);
    return status;
}

static asdf_status validate(void) {
    asdf_status status = ASDF_OK;
    asdf_options *options = NULL;
    asdf_report *report = NULL;
    TRY(asdf_options_new(&options));
    TRY(set_string(options, ASDF_OPTION_ROOT_SCHEMA, "asdf://example.org/schemas/a-1.0.0"));
    TRY(asdf_file_validate(file, schemas, options, &report));
    CHECK(report_count(report) > 0);
end:
    asdf_report_free(report);
    asdf_options_free(options);
    return status;
}

static const char cards[] = "CTYPE1  = 'RA---TAN'\nCTYPE2  = 'DEC--TAN'\nCRPIX1  = 10\nCRPIX2  = 20\n"
                            "CRVAL1  = 150.0\nCRVAL2  = 30.0\nCDELT1  = -1.0E-4\nCDELT2  = 1.0E-4\n"
                            "CUNIT1  = 'deg'\nCUNIT2  = 'deg'\nNAXIS   = 2\nNAXIS1  = 100\nNAXIS2  = 50\n";

static asdf_status write_wcs(void) {
    asdf_status status = ASDF_OK;
    asdf_file *made = NULL;
    asdf_node *node = NULL;
    asdf_wcs *read = NULL;
    double longitude = 0, latitude = 0, x = 0, y = 0;
    TRY(asdf_file_new(NULL, &made));
    TRY(asdf_file_root(made, &node));
    TRY(asdf_node_set_wcs_cards(node, "wcs", cards, sizeof cards - 1, NULL));
    TRY(asdf_node_get_wcs(node, "wcs", NULL, &read));
    TRY(asdf_wcs_sky_at(read, 9, 19, NULL, &longitude, &latitude));
    CHECK(longitude > 149.999 && longitude < 150.001 && latitude > 29.999 && latitude < 30.001);
    TRY(asdf_wcs_pixel_at(read, longitude, latitude, NULL, &x, &y));
    CHECK(x > 8.99 && x < 9.01 && y > 18.99 && y < 19.01);
end:
    asdf_wcs_free(read);
    asdf_node_free(node);
    asdf_file_free(made);
    return status;
}

static asdf_status times(void) {
    static const char text[] = "2027-01-31T04:05:062027-02-01T00:00:00";
    static const int64_t offsets[] = {0, 19, 38}, two[] = {2};
    asdf_status status = ASDF_OK;
    asdf_time *time = NULL, *converted = NULL;
    asdf_file *made = NULL;
    asdf_node *node = NULL;
    TRY(asdf_time_from_texts(text, sizeof text - 1, offsets, 1, two, ASDF_TIME_SCALE_UTC, ASDF_TIME_FORMAT_ISOT, NULL,
                             &time));
    TRY(asdf_time_convert(time, ASDF_TIME_SCALE_TAI, &converted));
    TRY(asdf_file_new(NULL, &made));
    TRY(asdf_file_root(made, &node));
    TRY(asdf_node_set_times(node, "t", converted, NULL));
end:
    asdf_node_free(node);
    asdf_file_free(made);
    asdf_time_free(converted);
    asdf_time_free(time);
    return status;
}

/* A failure of another kind stays one, or becomes ASDF_ERR_OUT_OF_MEMORY. */
static asdf_status bad_text(void) {
    asdf_ndl *read = NULL;
    asdf_status status = asdf_ndl_read_memory(SIZED("a: [1, 2"), NULL, &read);
    asdf_ndl_free(read);
    CHECK(status != ASDF_OK);
    return status == ASDF_ERR_YAML ? ASDF_OK : status;
}

static const struct operation {
    const char *name;
    asdf_status (*call)(void);
    /* The file that the operation changes or replaces; it is a copy of main.asdf before. */
    const char *target;
} operations[] = {
    {"open and walk", walk_file, NULL},
    {"open and read every array", read_arrays, NULL},
    {"read a converted region", read_converted, NULL},
    {"load and view", load_and_view, NULL},
    {"write a new file", write_new, "target.asdf"},
    {"write to memory and read", write_to_memory, NULL},
    {"write and read FITS", write_fits, "target.fits"},
    {"save a text", update_text, "target.asdf"},
    {"save arrays", update_array, "target.asdf"},
    {"write a region", update_region, NULL},
    {"append to chunks", update_growing, NULL},
    {"compact", update_compact, "target.asdf"},
    {"save history", update_history, "target.asdf"},
    {"rename, move, comment, recompress", update_names, "target.asdf"},
    {"copy", copy_nodes, "target.asdf"},
    {"explode", explode, NULL},
    {"implode", implode, "target.asdf"},
    {"verify and inspect", verify, NULL},
    {"recover", recover, "target.asdf"},
    {"export references", references, NULL},
    {"chunk map", chunk_map, NULL},
    {"stream", stream, "target.asdf"},
    {"read ECSV", read_ecsv, NULL},
    {"read ECSV in batches", read_batches, NULL},
    {"make, sort and write a table", make_table, "target.ecsv"},
    {"table in a file", table_in_file, NULL},
    {"Arrow", arrow, NULL},
    {"read NDL", read_ndl, NULL},
    {"export NDL", export_ndl, NULL},
    {"make a file of NDL", file_of_ndl, "target.asdf"},
    {"describe", describe, NULL},
    {"read a schema", read_schema, NULL},
    {"validate", validate, NULL},
    {"write and read a WCS", write_wcs, NULL},
    {"times", times, NULL},
    {"fail", bad_text, NULL},
};

static char original[1 << 20], current[1 << 20];
static size_t original_size;

static size_t slurp(const char *name, char *bytes) {
    FILE *stream = fopen(name, "rb");
    if (!stream) return 0;
    size_t size = fread(bytes, 1, sizeof original, stream);
    fclose(stream);
    return size;
}

static void put(const char *name, const char *bytes, size_t size) {
    FILE *stream = fopen(name, "wb");
    if (!stream || fwrite(bytes, 1, size, stream) != size || fclose(stream) != 0) exit(1);
}

static int out_of_memory, completed;

/* Runs an operation with a failing allocation. Returns the number of failures. */
static int run(const struct operation *operation, int before, int last) {
    put("target.asdf", original, original_size);
    if (operation->target) put(operation->target, original, original_size);
    asdf_error_clear();
    long pieces_before = pieces;
    int checks_before = checks_failed;
    if (before >= 0) fail_after(before, last);
    asdf_status status = operation->call();
    int failed = stop_failing();
    char message[512] = "";
    asdf_error_message(message, sizeof message, NULL);
    asdf_error_clear();
    if (before < 0) CHECK(status == ASDF_OK);
    /* The program keeps a piece that its first panic makes, in a library that has no other way to refuse. */
    static long kept = 1;
    if (pieces == pieces_before + kept) {
        kept = 0;
    } else if (before >= 0 && pieces > pieces_before) {
        fprintf(stderr, "%ld pieces of memory are lost\n", pieces - pieces_before);
        checks_failed++;
    }
    if (status == ASDF_OK) {
        completed++;
    } else if (status == ASDF_ERR_NOT_DURABLE) {
        /* The new file is in place. */
    } else {
        CHECK(status == ASDF_ERR_OUT_OF_MEMORY);
        out_of_memory++;
        if (operation->target) {
            size_t size = slurp(operation->target, current);
            /* FITS is written first and read then. */
            CHECK((size == original_size && memcmp(original, current, size) == 0) || memcmp(current, "SIMPLE", 6) == 0);
        }
    }
    if (checks_failed != checks_before) {
        fprintf(stderr, "%s, allocation %d%s: %s: %s\n", operation->name, before, last ? " and later ones" : "",
                asdf_status_name(status), message);
    }
    return failed;
}

static void prepare(void) {
    static const char *const codecs[] = {"zlib", "zstd", "bzp2", "lz4"};
    static const double flux[] = {0.5, 1.5, 2.5};
    static const char *const names[] = {"a", NULL, "ccc"};
    asdf_options *options = NULL;
    asdf_buffer *uri = NULL;
    asdf_node *node = NULL;
    for (int i = 0; i < ELEMENTS; i++) numbers[i] = i / 3 * 7 - 50;
    replace = replacing();
    OK(asdf_options_new(&compressed));
    OK(set_codec(compressed, "zlib", -1));
    OK(asdf_options_new(&chunked));
    OK(asdf_options_set_ints(chunked, ASDF_OPTION_CHUNKS, chunks, 2));
    fits = replacing();
    OK(asdf_options_set_int(fits, ASDF_OPTION_CONTAINER, ASDF_CONTAINER_FITS));

    asdf_file *made = NULL;
    OK(make(&made, &node));
    OK(asdf_options_new(&options));
    for (size_t i = 0; i < sizeof codecs / sizeof *codecs; i++) {
        OK(set_codec(options, codecs[i], -1));
        OK(asdf_node_set_array(node, codecs[i], ASDF_INT32, 2, shape, numbers, sizeof numbers, options));
    }
    OK(asdf_node_set_array(node, "inline", ASDF_INT32, 2, shape, numbers, sizeof numbers, NULL));
    OK(asdf_node_set_storage(node, "inline", ASDF_STORAGE_INLINE, NULL));
    OK(write_over(made, "main.asdf"));
    asdf_options_free(options);
    asdf_node_free(node);
    asdf_file_free(made);
    original_size = slurp("main.asdf", original);
    put("damaged.asdf", original, original_size - 500);
    OK(asdf_file_open("main.asdf", NULL, &file));
    root = root_of(file);

    OK(asdf_table_new(3, &table));
    OK(asdf_table_add_column(table, "flux", ASDF_FLOAT64, 0, NULL, flux, sizeof flux, NULL, 0, NULL));
    OK(add_texts(table, "name", ASDF_STRING, names, 3));
    OK(asdf_table_write_ecsv(table, "table.ecsv", replace));
    OK(asdf_ndl_read_memory(document, sizeof document - 1, NULL, &description));
    OK(asdf_schemas_new(&schemas));
    OK(asdf_schemas_add_text(schemas, schema_text, sizeof schema_text - 1, &uri));
    asdf_buffer_free(uri);
}

int main(int argc, char **argv) {
    const char *variable = getenv("ASDFKIT_MALLOC_STEP");
    int step = variable && atoi(variable) > 0 ? atoi(variable) : 20, points = 0;
    prepare();
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        /* Arguments are names of operations. */
        int wanted = argc < 2;
        for (int argument = 1; argument < argc; argument++) wanted |= strcmp(argv[argument], operations[i].name) == 0;
        if (!wanted) continue;
        /* Parts that are made once and kept. */
        run(&operations[i], -1, 0);
        run(&operations[i], -1, 0);
        for (int last = 0; last < 2; last++) {
            int before = (int)i % step;
            while (checks_failed < 20 && run(&operations[i], before, last) > 0) before += step, points++;
        }
        if (getenv("ASDFKIT_VERBOSE")) fprintf(stderr, "%s: %d points so far\n", operations[i].name, points);
    }
    CHECK(points > 0 && (argc > 1 || out_of_memory > points / 10));
    printf("%d points: %d calls worked, %d were out of memory\n", points, completed, out_of_memory);
    asdf_schemas_free(schemas);
    asdf_ndl_free(description);
    asdf_table_free(table);
    asdf_node_free(root);
    asdf_file_free(file);
    asdf_options_free(fits);
    asdf_options_free(chunked);
    asdf_options_free(compressed);
    asdf_options_free(replace);
    return report();
}
