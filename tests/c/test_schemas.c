/* Schemas: sets, validation of files, nodes and tables, as an option of opening and writing, and descriptions. */
#include "check.h"

static const char *const MANIFEST = "id: asdf://example.org/manifests/a-1.0.0\n"
                                    "extension_uri: asdf://example.org/extensions/a-1.0.0\n"
                                    "tags:\n"
                                    "- tag_uri: asdf://example.org/tags/thing-1.0.0\n"
                                    "  schema_uri: asdf://example.org/schemas/thing-1.0.0\n";
static const char *const THING =
    "id: asdf://example.org/schemas/thing-1.0.0\n"
    "title: A thing\n"
    "properties:\n"
    "  size: {title: Size, description: How large., type: number, unit: m, default: 1.5}\n";
static const char *const ROOT = "properties:\n  a: {anyOf: [{type: integer}, {properties: {size: {maximum: 9}}}]}\n";
static const char *const TREE = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n---\n"
                                "a: !<asdf://example.org/tags/thing-1.0.0>\n  size: SIZE\n  //: light\n...\n";

static asdf_schemas *schemas;

/* Adds a text, and returns its URI in memory of the test. */
static const char *add(const char *text) {
    static char uri[256];
    asdf_buffer *buffer = NULL;
    const void *bytes = NULL;
    size_t size = 0;
    OK(asdf_schemas_add_text(schemas, text, strlen(text), &buffer));
    OK(asdf_buffer_bytes(buffer, &bytes, &size));
    memcpy(uri, bytes, size);
    uri[size] = '\0';
    asdf_buffer_free(buffer);
    return uri;
}

static asdf_status open_sized(const char *size, const asdf_options *options, asdf_file **file) {
    static char text[512];
    const char *mark = strstr(TREE, "SIZE");
    snprintf(text, sizeof text, "%.*s%s%s", (int)(mark - TREE), TREE, size, mark + 4);
    return asdf_file_open_memory(text, strlen(text), options, file);
}

static void sets(void) {
    asdf_buffer *buffer = NULL;
    asdf_schemas *another = NULL;
    const void *bytes = NULL;
    size_t size = 0;
    OK(asdf_schemas_new(&schemas));
    CHECK(strcmp(add(MANIFEST), "asdf://example.org/manifests/a-1.0.0") == 0);
    CHECK(strcmp(add(THING), "asdf://example.org/schemas/thing-1.0.0") == 0);
    OK(asdf_schemas_uris(schemas, &buffer));
    OK(asdf_buffer_bytes(buffer, &bytes, &size));
    CHECK(size > 40 && memcmp(bytes, "http://json-schema.org/draft-04/schema\nasdf://", 46) == 0);
    asdf_buffer_free(buffer);
    FAILS(ASDF_ERR_YAML, asdf_schemas_add_text(schemas, "{", 1, &buffer));
    CHECK(buffer == NULL);
    FAILS(ASDF_ERR_SCHEMA_NOT_FOUND, asdf_schemas_add_package(schemas, "no-such-package"));
    OK(asdf_schemas_retain(schemas, &another));
    asdf_schemas_free(another);
    asdf_schemas_free(NULL);
    FILE *stream = fopen("schema.yaml", "w");
    if (!stream || fputs("id: asdf://example.org/schemas/file-1.0.0\ntype: [\n", stream) < 0 || fclose(stream)) exit(1);
    OK(asdf_schemas_add_package(schemas, "schema.yaml"));
}

static void validation(void) {
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    asdf_report *report = NULL;
    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    OK(open_sized("12", NULL, &file));
    OK(asdf_file_root(file, &root));
    OK(asdf_file_validate(file, schemas, NULL, &report));
    CHECK(report_count(report) == 0);
    asdf_report_free(report);

    const char *uri = add(ROOT);
    OK(asdf_options_set_text(options, ASDF_OPTION_ROOT_SCHEMA, uri, strlen(uri)));
    OK(asdf_file_validate(file, schemas, options, &report));
    CHECK(report_count(report) == 2);
    CHECK(report_int(report, 0, ASDF_REPORT_SEVERITY) == ASDF_SEVERITY_ERROR);
    CHECK(report_int(report, 0, ASDF_REPORT_LINE) == 6 && report_int(report, 0, ASDF_REPORT_COLUMN) == 3);
    TEXT("anyOf", asdf_report_text, report, 0, ASDF_REPORT_CODE);
    TEXT("/a", asdf_report_text, report, 0, ASDF_REPORT_PATH);
    CHECK(report_int(report, 1, ASDF_REPORT_SEVERITY) == ASDF_SEVERITY_NOTE);
    TEXT("maximum", asdf_report_text, report, 1, ASDF_REPORT_CODE);
    TEXT("/a/size", asdf_report_text, report, 1, ASDF_REPORT_PATH);
    asdf_report_free(report);
    OK(asdf_node_validate(root, "a", schemas, options, &report));
    CHECK(report_count(report) == 0);
    asdf_report_free(report);
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_validate(root, "b", schemas, NULL, &report));
    CHECK(report == NULL);

    uri = "asdf://example.org/schemas/none-1.0.0";
    OK(asdf_options_set_text(options, ASDF_OPTION_ROOT_SCHEMA, uri, strlen(uri)));
    FAILS(ASDF_ERR_SCHEMA_NOT_FOUND, asdf_file_validate(file, schemas, options, &report));
    uri = add("$ref: '#'\n");
    OK(asdf_options_set_text(options, ASDF_OPTION_ROOT_SCHEMA, uri, strlen(uri)));
    FAILS(ASDF_ERR_SCHEMA, asdf_node_validate(root, "", schemas, options, &report));
    OK(asdf_options_set_int(options, ASDF_OPTION_LOCK, 0));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_validate(file, schemas, options, &report));
    asdf_options_free(options);
    asdf_node_free(root);
    asdf_file_free(file);
}

static void opening_and_writing(void) {
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    asdf_options *options = NULL, *write = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_schemas(options, schemas));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_SCHEMAS, 1));
    OK(open_sized("12", options, &file));
    asdf_file_free(file);
    FAILS(ASDF_ERR_INVALID, open_sized("large", options, &file));
    CHECK(file == NULL);

    OK(open_sized("large", NULL, &file));
    remove("invalid.asdf");
    FAILS(ASDF_ERR_INVALID, asdf_file_write(file, "invalid.asdf", options));
    FILE *stream = fopen("invalid.asdf", "rb");
    CHECK(stream == NULL);
    if (stream) fclose(stream);
    asdf_file_free(file);
    file = new_file(&root);
    OK(asdf_node_set_i64(root, "a", 1));
    OK(asdf_options_copy(options, &write));
    OK(asdf_options_set_int(write, ASDF_OPTION_REPLACE, 1));
    OK(asdf_file_write(file, "valid.asdf", write));
    asdf_options_free(write);
    asdf_options_free(options);
    asdf_node_free(root);
    asdf_file_free(file);
}

static void descriptions(void) {
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    char text[512] = "", small[4] = "";
    size_t needed = 0;
    OK(open_sized("12", NULL, &file));
    OK(asdf_file_root(file, &root));
#define DESCRIBED(expected, path, field)                                                                               \
    OK(asdf_schema_describe(schemas, root, path, field, NULL, text, sizeof text, NULL));                               \
    CHECK(strcmp(text, expected) == 0)
    DESCRIBED("A thing", "a", ASDF_DESCRIPTION_TITLE);
    DESCRIBED("light", "a", ASDF_DESCRIPTION_NOTE);
    DESCRIBED("Size", "a/size", ASDF_DESCRIPTION_TITLE);
    DESCRIBED("How large.", "a/size", ASDF_DESCRIPTION_TEXT);
    DESCRIBED("number", "a/size", ASDF_DESCRIPTION_TYPE);
    DESCRIBED("m", "a/size", ASDF_DESCRIPTION_UNIT);
    DESCRIBED("1.5", "a/size", ASDF_DESCRIPTION_DEFAULT);
    DESCRIBED("asdf://example.org/schemas/thing-1.0.0#/properties/size", "a/size", ASDF_DESCRIPTION_SCHEMA);
    DESCRIBED("{\"note\": \"light\"}", "a/~1~1", ASDF_DESCRIPTION_JSON);
    DESCRIBED("{}", "b/c", ASDF_DESCRIPTION_JSON);
    FAILS(ASDF_ERR_NOT_FOUND,
          asdf_schema_describe(schemas, root, "a", ASDF_DESCRIPTION_UNIT, NULL, text, sizeof text, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_schema_describe(schemas, root, "a", 8, NULL, text, sizeof text, NULL));
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL,
          asdf_schema_describe(schemas, root, "a/size", ASDF_DESCRIPTION_TITLE, NULL, small, sizeof small, &needed));
    CHECK(needed == 4);
    asdf_node_free(root);
    asdf_file_free(file);
}

static void tables(void) {
    static const char *const text = "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: a, datatype: int32, unit: 5}\n"
                                    "# meta: {observer: 7}\na\n1\n";
    asdf_table *table = NULL;
    asdf_report *report = NULL;
    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    FILE *stream = fopen("table.ecsv", "w");
    if (!stream || fputs(text, stream) < 0 || fclose(stream)) exit(1);
    OK(asdf_table_read_ecsv("table.ecsv", NULL, &table));
    const char *uri = add("properties:\n  meta: {properties: {observer: {type: string}}}\n"
                          "  datatype: {items: {required: [name, description]}}\n");
    OK(asdf_options_set_text(options, ASDF_OPTION_ROOT_SCHEMA, uri, strlen(uri)));
    OK(asdf_table_validate(table, schemas, options, &report));
    CHECK(report_count(report) == 2);
    TEXT("/datatype/0", asdf_report_text, report, 0, ASDF_REPORT_PATH);
    CHECK(report_int(report, 0, ASDF_REPORT_LINE) == 4);
    TEXT("/meta/observer", asdf_report_text, report, 1, ASDF_REPORT_PATH);
    CHECK(report_int(report, 1, ASDF_REPORT_LINE) == 5 && report_int(report, 1, ASDF_REPORT_COLUMN) == 20);
    asdf_report_free(report);
    OK(asdf_table_validate(table, schemas, NULL, &report));
    CHECK(report_count(report) == 0);
    asdf_report_free(report);
    FAILS(ASDF_ERR_WRONG_HANDLE, asdf_table_validate(table, (asdf_schemas *)table, NULL, &report));
    asdf_options_free(options);
    asdf_table_free(table);
}

int main(void) {
    sets();
    validation();
    opening_and_writing();
    descriptions();
    tables();
    asdf_schemas_free(schemas);
    return report();
}
