/* Lists that grow with a file or a request: each request of more than 32 KiB fails in turn, in a process of its own.
   The call then fails with ASDF_ERR_OUT_OF_MEMORY, or does without. It never ends the process. ASDFKIT_MALLOC_STEP is
   the distance of the requests that are tried; 29 without it. */
#include "failing_malloc.h"

#include "check.h"

#include <sys/wait.h>
#include <unistd.h>

enum { COUNT = 6000, LEAST = (32 << 10) + 1, MOST_POINTS = 4000 };

static asdf_file *file;
static asdf_node *root;
static asdf_table *table;
static asdf_schemas *schemas;
static asdf_ndl *description, *other_description;
static asdf_wcs *wcs, *numerical;
static asdf_options *replace;
static double numbers[2 * COUNT], found[2 * COUNT];
static int64_t offsets[COUNT + 1];
static const int64_t shape[] = {COUNT};

/* A text with a line for each number. */
static char *lines(const char *head, const char *line, const char *end) {
    char *text = malloc(strlen(head) + COUNT * (strlen(line) + 40) + strlen(end) + 1);
    if (!text) exit(1);
    size_t length = (size_t)sprintf(text, "%s", head);
    for (int i = 0; i < COUNT; i++) length += (size_t)sprintf(text + length, line, i, i, i);
    strcpy(text + length, end);
    return text;
}

static void put(const char *name, char *text) {
    FILE *stream = fopen(name, "wb");
    if (!stream || fputs(text, stream) < 0 || fclose(stream) != 0) exit(1);
    free(text);
}

static asdf_status open_file(void) {
    asdf_status status = ASDF_OK;
    asdf_file *opened = NULL;
    asdf_node *node = NULL, *match = NULL;
    asdf_report *report = NULL;
    TRY(asdf_file_open("main.asdf", NULL, &opened));
    TRY(asdf_file_root(opened, &node));
    TRY(asdf_node_find(node, "", "key5999", NULL, -1, NULL, NULL, &match));
    TRY(asdf_file_report(opened, &report));
end:
    asdf_report_free(report);
    asdf_node_free(match);
    asdf_node_free(node);
    asdf_file_free(opened);
    return status;
}

/* Walks through a list of numbers, which is long enough for the list of its nodes to be one large request. */
static asdf_status walk_list(void) {
    asdf_status status = ASDF_OK;
    asdf_file *opened = NULL;
    asdf_node *node = NULL, *item = NULL, *last = NULL, *match = NULL;
    TRY(asdf_file_open("list.asdf", NULL, &opened));
    TRY(asdf_file_root(opened, &node));
    TRY(asdf_node_item(node, "list", 2 * COUNT - 1, &item));
    TRY(asdf_node_get(node, "list/11999", &last));
    TRY(asdf_node_find(node, "", "other", NULL, -1, NULL, NULL, &match));
end:
    asdf_node_free(match);
    asdf_node_free(last);
    asdf_node_free(item);
    asdf_node_free(node);
    asdf_file_free(opened);
    return status;
}

/* Copies a file, so that each process changes its own. */
static void copy_file(const char *from, const char *to) {
    static char bytes[1 << 21];
    FILE *stream = fopen(from, "rb");
    size_t size = stream ? fread(bytes, 1, sizeof bytes, stream) : 0;
    if (!size || fclose(stream) != 0) exit(1);
    stream = fopen(to, "wb");
    if (!stream || fwrite(bytes, 1, size, stream) != size || fclose(stream) != 0) exit(1);
}

static asdf_status change_file(void) {
    asdf_status status = ASDF_OK;
    copy_file("main.asdf", "changed.asdf");
    asdf_file *opened = NULL;
    asdf_node *node = NULL;
    asdf_buffer *bytes = NULL;
    TRY(asdf_file_open_for_update("changed.asdf", NULL, &opened));
    TRY(asdf_file_root(opened, &node));
    TRY(asdf_node_rename_key(node, "key17", "renamed"));
    TRY(asdf_node_move(node, "key18", "list/0"));
    TRY(asdf_node_insert_item(node, "list", 3));
    TRY(asdf_node_set_i64(node, "list/3", 7));
    TRY(asdf_node_remove(node, "key19"));
    TRY(asdf_node_set_comment(node, "key20", ASDF_COMMENT_BEFORE, SIZED("a comment")));
    TRY(asdf_node_copy(node, "copied", root, NULL));
    TRY(asdf_node_set_f64(node, "list/-", 0.5));
    TRY(asdf_file_write_memory(opened, NULL, &bytes));
    TRY(asdf_file_save(opened, NULL));
end:
    asdf_buffer_free(bytes);
    asdf_node_free(node);
    asdf_file_free(opened);
    return status;
}

static asdf_status make_arrays(void) {
    asdf_status status = ASDF_OK;
    asdf_file *made = NULL;
    asdf_node *node = NULL;
    asdf_options *options = NULL;
    const int64_t chunks[] = {1};
    double one = 1;
    const int64_t single[] = {1};
    TRY(asdf_file_new(NULL, &made));
    TRY(asdf_file_root(made, &node));
    for (int i = 0; i < COUNT; i++) {
        char key[32];
        snprintf(key, sizeof key, "array%d", i);
        TRY(asdf_node_set_array(node, key, ASDF_FLOAT64, 1, single, &one, sizeof one, NULL));
    }
    TRY(asdf_options_new(&options));
    TRY(asdf_options_set_ints(options, ASDF_OPTION_CHUNKS, chunks, 1));
    TRY(asdf_node_set_array(node, "chunked", ASDF_FLOAT64, 1, shape, numbers, sizeof numbers / 2, options));
    TRY(asdf_file_write(made, "arrays.asdf", replace));
end:
    asdf_options_free(options);
    asdf_node_free(node);
    asdf_file_free(made);
    return status;
}

static asdf_status read_arrays(void) {
    asdf_status status = ASDF_OK;
    asdf_file *opened = NULL;
    asdf_node *node = NULL;
    asdf_array *array = NULL;
    asdf_buffer *buffer = NULL;
    asdf_chunk_map *map = NULL;
    asdf_report *report = NULL;
    int64_t absent = 0, stored = 0, decoded = 0;
    TRY(asdf_file_open("arrays.asdf", NULL, &opened));
    TRY(asdf_file_root(opened, &node));
    TRY(asdf_node_get_array(node, "chunked", &array));
    TRY(asdf_array_load(array, ASDF_FLOAT32, NULL, &buffer, NULL));
    TRY(asdf_array_chunk_map(array, &map));
    TRY(asdf_file_verify(opened, NULL, &absent, &stored, &decoded));
    TRY(asdf_file_inspect(opened, NULL, &report));
end:
    asdf_report_free(report);
    asdf_chunk_map_free(map);
    asdf_buffer_free(buffer);
    asdf_array_free(array);
    asdf_node_free(node);
    asdf_file_free(opened);
    return status;
}

static asdf_status references(void) {
    asdf_status status = ASDF_OK;
    asdf_file *opened = NULL;
    asdf_buffer *buffer = NULL;
    TRY(asdf_file_open("arrays.asdf", NULL, &opened));
    TRY(asdf_file_export_references((const asdf_file *const[]){opened}, 1, NULL, &buffer));
end:
    asdf_buffer_free(buffer);
    asdf_file_free(opened);
    return status;
}

static asdf_status compact(void) {
    asdf_status status = ASDF_OK;
    asdf_file *opened = NULL;
    copy_file("arrays.asdf", "compact.asdf");
    TRY(asdf_file_open_for_update("compact.asdf", NULL, &opened));
    TRY(asdf_file_compact(opened, NULL));
end:
    asdf_file_free(opened);
    return status;
}

static asdf_status explode(void) {
    asdf_status status = ASDF_OK;
    asdf_file *opened = NULL;
    TRY(asdf_file_open("main.asdf", NULL, &opened));
    TRY(asdf_file_explode(opened, "exploded.asdf", replace));
end:
    asdf_file_free(opened);
    return status;
}

static asdf_status recover(void) {
    asdf_report *report = NULL;
    asdf_status status = asdf_file_recover("damaged.asdf", "recovered.asdf", 0, replace, &report);
    asdf_report_free(report);
    return status;
}

static asdf_status read_ecsv(void) {
    asdf_status status = ASDF_OK;
    asdf_table *read = NULL, *batch = NULL;
    asdf_table_reader *reader = NULL;
    asdf_buffer *index = NULL;
    asdf_report *report = NULL;
    int64_t rows = 0;
    TRY(asdf_table_read_ecsv("table.ecsv", NULL, &read));
    TRY(asdf_table_report(read, &report));
    TRY(asdf_table_reader_open("table.ecsv", NULL, &reader));
    TRY(asdf_table_reader_next(reader, &batch));
    TRY(asdf_table_index("table.ecsv", 1, NULL, &rows, &index));
end:
    asdf_buffer_free(index);
    asdf_report_free(report);
    asdf_table_free(batch);
    asdf_table_reader_free(reader);
    asdf_table_free(read);
    return status;
}

static asdf_status change_table(void) {
    static const char *const columns[] = {"name", "time"}, *const numeric[] = {"flux"};
    asdf_status status = ASDF_OK;
    asdf_table *sorted = NULL, *selected = NULL, *slice = NULL;
    asdf_buffer *bytes = NULL, *starts = NULL, *mask = NULL;
    asdf_time *time = NULL;
    TRY(asdf_table_sort(table, columns, NULL, 2, NULL, &sorted));
    TRY(asdf_table_select(sorted, offsets, COUNT, NULL, 0, NULL, -1, NULL, &selected));
    TRY(asdf_table_slice(selected, COUNT - 1, -1, -1, NULL, &slice));
    TRY(asdf_table_load_text(slice, "name", 0, COUNT, NULL, &bytes, &starts, &mask));
    TRY(asdf_table_time(slice, "time", NULL, &time));
    TRY(asdf_table_read_column(slice, "flux", 0, COUNT, ASDF_FLOAT64, NULL, found, sizeof found, NULL, 0));
    TRY(asdf_table_set_cells(slice, "flux", 0, COUNT, ASDF_FLOAT64, numbers, sizeof numbers / 2, NULL, 0, NULL));
    TRY(asdf_table_set_missing(slice, "flux", 5, COUNT - 5));
    TRY(asdf_table_set_text(slice, "name", 3, 0, SIZED("a longer text than before")));
    TRY(asdf_table_sort(slice, numeric, NULL, 1, NULL, &(asdf_table *){NULL}));
end:
    asdf_time_free(time);
    asdf_buffer_free(mask);
    asdf_buffer_free(starts);
    asdf_buffer_free(bytes);
    asdf_table_free(slice);
    asdf_table_free(selected);
    asdf_table_free(sorted);
    return status;
}

static asdf_status store_table(void) {
    asdf_status status = ASDF_OK;
    asdf_file *made = NULL;
    asdf_node *node = NULL;
    asdf_table *read = NULL;
    TRY(asdf_table_write_ecsv(table, "written.ecsv", replace));
    TRY(asdf_file_new(NULL, &made));
    TRY(asdf_file_root(made, &node));
    TRY(asdf_node_set_table(node, "t", table, NULL));
    TRY(asdf_file_write(made, "table.asdf", replace));
    TRY(asdf_node_get_table(node, "t", NULL, &read));
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
end:
    asdf_table_free(read);
    if (array.release) array.release(&array);
    if (schema.release) schema.release(&schema);
    return status;
}

static asdf_status read_ndl(void) {
    asdf_status status = ASDF_OK;
    asdf_ndl *read = NULL;
    asdf_report *report = NULL;
    TRY(asdf_ndl_read("description.yaml", NULL, &read));
    TRY(asdf_ndl_report(read, &report));
end:
    asdf_report_free(report);
    asdf_ndl_free(read);
    return status;
}

static asdf_status compare_ndl(void) {
    asdf_report *report = NULL;
    asdf_status status = asdf_ndl_compare(description, other_description, 0, &report);
    asdf_report_free(report);
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

static asdf_status create_ndl(void) {
    asdf_report *report = NULL;
    asdf_status status = asdf_ndl_create_asdf(description, "created.asdf", replace, &report);
    asdf_report_free(report);
    return status;
}

static asdf_status describe(void) {
    asdf_ndl *made = NULL;
    asdf_status status = asdf_ndl_describe(file, NULL, &made);
    asdf_ndl_free(made);
    return status;
}

static char *schema_text;

static asdf_status read_schema(void) {
    asdf_status status = ASDF_OK;
    asdf_schemas *read = NULL;
    asdf_buffer *uri = NULL;
    TRY(asdf_schemas_new(&read));
    TRY(asdf_schemas_add_text(read, schema_text, strlen(schema_text), &uri));
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
    TRY(set_string(options, ASDF_OPTION_ROOT_SCHEMA, "asdf://example.org/schemas/large-1.0.0"));
    TRY(asdf_file_validate(file, schemas, options, &report));
    if (report_count(report) == 0) status = ASDF_ERR_INTERNAL;
end:
    asdf_report_free(report);
    asdf_options_free(options);
    return status;
}

static asdf_status read_wcs(void) {
    asdf_status status = ASDF_OK;
    asdf_wcs *read = NULL;
    asdf_buffer *made = NULL;
    TRY(asdf_node_get_wcs(root, "wcs", NULL, &read));
    TRY(asdf_wcs_make_cards(read, NULL, &made, NULL, NULL));
end:
    asdf_buffer_free(made);
    asdf_wcs_free(read);
    return status;
}

static asdf_status evaluate_wcs(void) {
    asdf_status status = ASDF_OK;
    TRY(asdf_wcs_pixel_to_world(wcs, COUNT, numbers, 2 * COUNT, COUNT, 1, NULL, found, 2 * COUNT, COUNT, 1, NULL));
    TRY(asdf_wcs_world_to_pixel(wcs, COUNT, found, 2 * COUNT, COUNT, 1, NULL, found, 2 * COUNT, COUNT, 1, NULL, NULL));
    TRY(asdf_wcs_pixel_to_world(numerical, COUNT, numbers, 2 * COUNT, COUNT, 1, NULL, found, 2 * COUNT, COUNT, 1,
                                NULL));
    TRY(asdf_wcs_world_to_pixel(numerical, COUNT, found, 2 * COUNT, COUNT, 1, NULL, found, 2 * COUNT, COUNT, 1, NULL,
                                NULL));
end:
    return status;
}

static asdf_status times(void) {
    asdf_status status = ASDF_OK;
    asdf_time *time = NULL, *converted = NULL, *read = NULL;
    asdf_file *made = NULL;
    asdf_node *node = NULL;
    static int64_t nanoseconds[COUNT];
    TRY(asdf_time_from_numbers(numbers, 1, shape, ASDF_TIME_SCALE_UTC, ASDF_TIME_FORMAT_UNIX, NULL, &time));
    TRY(asdf_time_convert(time, ASDF_TIME_SCALE_TT, &converted));
    TRY(asdf_time_read_nanoseconds(time, ASDF_TIME_SCALE_TAI, nanoseconds, found, COUNT));
    TRY(asdf_file_new(NULL, &made));
    TRY(asdf_file_root(made, &node));
    TRY(asdf_node_set_times(node, "t", time, NULL));
    TRY(asdf_node_get_time(node, "t", NULL, &read));
end:
    asdf_node_free(node);
    asdf_file_free(made);
    asdf_time_free(read);
    asdf_time_free(converted);
    asdf_time_free(time);
    return status;
}

static asdf_status coordinates(void) {
    asdf_status status = ASDF_OK;
    asdf_file *made = NULL;
    asdf_node *node = NULL;
    asdf_coordinates *read = NULL;
    TRY(asdf_file_new(NULL, &made));
    TRY(asdf_file_root(made, &node));
    TRY(asdf_node_set_coordinates(node, "c", "icrs", 1, shape, numbers, numbers, "arcsec", NULL, NULL, NULL));
    TRY(asdf_node_get_coordinates(node, "c", &read));
    TRY(asdf_coordinates_read(read, "lon", "rad", NULL, found, COUNT));
end:
    asdf_coordinates_free(read);
    asdf_node_free(node);
    asdf_file_free(made);
    return status;
}

static asdf_status units(void) {
    return asdf_unit_convert("km / s", ASDF_SPELLING_FITS, "m / s", ASDF_SPELLING_FITS, numbers, COUNT, NULL, found,
                             COUNT);
}

static const struct operation {
    const char *name;
    asdf_status (*call)(void);
    /* Requests that end the process; SECURITY.md names them. */
    int fatal;
} operations[] = {
    {"open", open_file, 0},
    {"walk a list", walk_list, 0},
    {"change", change_file, 0},
    {"make arrays", make_arrays, 0},
    {"read arrays", read_arrays, 0},
    {"references", references, 0},
    {"compact", compact, 0},
    {"explode", explode, 0},
    {"recover", recover, 0},
    {"read ECSV", read_ecsv, 0},
    {"change a table", change_table, 0},
    {"store a table", store_table, 0},
    {"Arrow", arrow, 0},
    {"read NDL", read_ndl, 0},
    {"compare NDL", compare_ndl, 0},
    {"export NDL", export_ndl, 0},
    {"make a file of NDL", create_ndl, 0},
    {"describe", describe, 0},
    {"read a schema", read_schema, 0},
    {"validate", validate, 0},
    {"read a WCS", read_wcs, 0},
    {"evaluate a WCS", evaluate_wcs, 0},
    {"times", times, 0},
    {"coordinates", coordinates, 0},
    {"units", units, 0},
};

static void prepare(void) {
    asdf_buffer *uri = NULL;
    for (int i = 0; i < COUNT; i++) {
        numbers[i] = i % 77 + 0.25;
        numbers[COUNT + i] = i / 77 + 0.5;
        offsets[i] = COUNT - 1 - i;
    }
    failing_size = LEAST;
    replace = replacing();
    char *tree =
        lines("#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n",
              "key%d: {value: [%d, a text], anchored: &a%d 5}\n", "list:\n");
    char *list = lines("", "- item %d\n", "short: [1, 2]\n...\n");
    char *whole = malloc(strlen(tree) + strlen(list) + 1);
    if (!whole) exit(1);
    strcat(strcpy(whole, tree), list);
    put("main.asdf", whole);
    free(tree);
    free(list);
    asdf_file *made = NULL;
    asdf_node *node = NULL;
    OK(asdf_file_open_for_update("main.asdf", NULL, &made));
    OK(asdf_file_root(made, &node));
    static const char cards[] =
        "CTYPE1  = 'RA---TAN-SIP'\nCTYPE2  = 'DEC--TAN-SIP'\nCRPIX1  = 10\nCRPIX2  = 20\nA_ORDER = 2\nB_ORDER = 2\n"
        "A_2_0   = 1.0E-6\nB_0_2   = 1.0E-6\nCRVAL1  = 150.0\nCRVAL2  = 30.0\nCDELT1  = -1.0E-4\nCDELT2  = 1.0E-4\n"
        "CUNIT1  = 'deg'\nCUNIT2  = 'deg'\nNAXIS   = 2\nNAXIS1  = 1000\nNAXIS2  = 500\n";
    OK(asdf_node_set_wcs_cards(node, "wcs", cards, sizeof cards - 1, NULL));
    OK(asdf_node_set_array(node, "array", ASDF_FLOAT64, 1, shape, numbers, sizeof numbers / 2, NULL));
    OK(asdf_file_save(made, NULL));
    asdf_node_free(node);
    asdf_file_free(made);
    OK(asdf_file_open("main.asdf", NULL, &file));
    root = root_of(file);
    OK(asdf_node_get_wcs(root, "wcs", NULL, &numerical));
    char plain[512];
    snprintf(plain, sizeof plain, "%s", strstr(cards, "CRVAL1"));
    char simple[700];
    snprintf(simple, sizeof simple, "CTYPE1  = 'RA---TAN'\nCTYPE2  = 'DEC--TAN'\n%s", plain);
    OK(asdf_wcs_read_cards(simple, strlen(simple), NULL, &wcs));

    put("list.asdf",
        lines("#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n---\nlist:\n", "- %d\n- %d\n", "other: 1\n...\n"));
    put("table.ecsv", lines("# %ECSV 1.0\n# ---\n# datatype:\n# - {name: id, datatype: int64}\n"
                            "# - {name: name, datatype: string}\n# - {name: flux, datatype: float64}\n"
                            "# - {name: list, datatype: string, subtype: 'float64[null]'}\n"
                            "# - {name: time, datatype: string}\n"
                            "# meta: !!omap\n# - __serialized_columns__:\n"
                            "#     time: {__class__: astropy.time.core.Time, format: isot, scale: utc, value: "
                            "!astropy.table.SerializedColumn {name: time}}\n# schema: astropy-2.0\n"
                            "id name flux list time\n",
                            "%d \"a name of %d\" %d.5 [1.5,2.5] 2024-02-03T04:05:06\n", ""));
    OK(asdf_table_read_ecsv("table.ecsv", NULL, &table));
    put("description.yaml",
        lines("ndarrays:\n", "  a%d: {type: int8, shape: [2], attributes: {unit: {value: K}}}\n", ""));
    put("other.yaml", lines("ndarrays:\n", "  b%d: {type: int16, shape: [%d]}\n", ""));
    OK(asdf_ndl_read("description.yaml", NULL, &description));
    OK(asdf_ndl_read("other.yaml", NULL, &other_description));
    schema_text = lines("id: asdf://example.org/schemas/large-1.0.0\nproperties:\n",
                        "  key%d: {properties: {value: {maxItems: 1}, anchored: {enum: [%d, a, %d]}}}\n",
                        "patternProperties: {'^key.*7$': {required: [other]}}\nrequired: [wanted]\n");
    OK(asdf_schemas_new(&schemas));
    OK(asdf_schemas_add_text(schemas, schema_text, strlen(schema_text), &uri));
    asdf_buffer_free(uri);
    OK(make_arrays());
    copy_file("arrays.asdf", "damaged.asdf");
    if (truncate("damaged.asdf", 1500000) != 0) exit(1);
}

enum { WORKED, OUT_OF_MEMORY, OTHER, NOTHING_FAILED, ENDED };

/* Runs an operation in a child, with a failing request. */
static int run(const struct operation *operation, int before) {
    fflush(NULL);
    pid_t child = fork();
    if (child < 0) exit(1);
    if (child == 0) {
        if (before >= 0) fail_after(before, 0);
        asdf_status status = operation->call();
        int failed = stop_failing();
        if (status != ASDF_OK && (status != ASDF_ERR_OUT_OF_MEMORY || !failed)) {
            fprintf(stderr, "%s, request %d: ", operation->name, before);
            asdf_error_print(NULL);
            _exit(OTHER);
        }
        _exit(before >= 0 && !failed ? NOTHING_FAILED : status == ASDF_OK ? WORKED : OUT_OF_MEMORY);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    fprintf(stderr, "%s, request %d: signal %d\n", operation->name, before, WTERMSIG(status));
    return ENDED;
}

int main(int argc, char **argv) {
    const char *variable = getenv("ASDFKIT_MALLOC_STEP");
    int step = variable && atoi(variable) > 0 ? atoi(variable) : 29, points = 0, out_of_memory = 0;
    prepare();
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        int wanted = argc < 2;
        for (int argument = 1; argument < argc; argument++) wanted |= strcmp(argv[argument], operations[i].name) == 0;
        if (!wanted) continue;
        int works = run(&operations[i], -1) == WORKED;
        CHECK(works);
        if (!works) continue;
        int first = points, fatal = 0;
        for (int before = (int)i % 5 % step; before < MOST_POINTS; before += step, points++) {
            int outcome = run(&operations[i], before);
            if (outcome == NOTHING_FAILED) break;
            CHECK(outcome != OTHER);
            fatal += outcome == ENDED;
            out_of_memory += outcome == OUT_OF_MEMORY;
        }
        CHECK(fatal <= operations[i].fatal);
        if (getenv("ASDFKIT_VERBOSE")) fprintf(stderr, "%s: %d points\n", operations[i].name, points - first);
    }
    CHECK(points > 0 && (argc > 1 || out_of_memory > points / 2));
    printf("%d points, %d out of memory\n", points, out_of_memory);
    asdf_wcs_free(wcs);
    asdf_wcs_free(numerical);
    asdf_ndl_free(other_description);
    asdf_ndl_free(description);
    asdf_schemas_free(schemas);
    asdf_table_free(table);
    asdf_node_free(root);
    asdf_file_free(file);
    asdf_options_free(replace);
    free(schema_text);
    return report();
}
