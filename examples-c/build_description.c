/* Makes a description and writes it: build_description FILE [DATATYPE]
 *
 * DATATYPE is in the notation of the language: "float32", "{array: {base: float32, shape: [2]}}".
 */
#include <asdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(asdf_status status, const char *what) {
    if (status == ASDF_OK) return;
    char message[512];
    asdf_error_message(message, sizeof message, NULL);
    fprintf(stderr, "%s: %s\n", what, message);
    exit(1);
}

/* Prints the faults that only the whole description can show, such as a dimension coordinate that does not exist. */
static int print_diagnostics(const asdf_ndl *description) {
    asdf_report *diagnostics = NULL;
    int64_t count;
    int32_t valid;
    check(asdf_ndl_report(description, &diagnostics), "diagnostics");
    check(asdf_report_count(diagnostics, &count, NULL), "diagnostics");
    for (int64_t i = 0; i < count; i++) {
        char line[512] = "a diagnostic that is too long for this program";
        asdf_report_text(diagnostics, i, ASDF_REPORT_ENTRY, line, sizeof line, NULL);
        fprintf(stderr, "%s\n", line);
    }
    asdf_report_free(diagnostics);
    check(asdf_ndl_is_valid(description, &valid), "diagnostics");
    return valid;
}

int main(int argc, char **argv) {
    static const float heights[] = {2, 10, 50};
    static const int64_t height_count[] = {3};
    static const char *const coordinates[] = {"time", "height"};
    static const char filter[] = "[shuffle, {deflate: {level: 5}}]";
    asdf_ndl_builder *builder = NULL;
    asdf_ndl *description = NULL;
    if (argc < 2 || argc > 3) return fprintf(stderr, "usage: %s FILE [DATATYPE]\n", argv[0]), 2;
    const char *datatype = argc == 3 ? argv[2] : "float32";
    check(asdf_ndl_builder_new(NULL, &builder), "beginning");
    check(asdf_ndl_builder_set_attribute_string(builder, "/", "title", "weather station", 15), "title");

    /* An unlimited number of times, three heights. */
    check(asdf_ndl_builder_add_dimcoord(builder, "/time", -1, "float64"), "time");
    check(asdf_ndl_builder_set_attribute_string(builder, "/time", "units", "days since 2000-01-01", 21), "time");
    check(asdf_ndl_builder_add_dimcoord(builder, "/height", 3, "float32"), "height");
    check(asdf_ndl_builder_set_values(builder, "/height", NULL, ASDF_FLOAT32, 1, height_count, heights, sizeof heights,
                                      NULL),
          "height");

    /* An array over both, with their extents. */
    check(asdf_ndl_builder_add_ndarray(builder, "/wind", 2, NULL, coordinates, datatype), "wind");
    check(asdf_ndl_builder_set_storage(builder, "/wind", NULL, "chunk", "[512, 3]", 8), "wind");
    check(asdf_ndl_builder_set_storage(builder, "/wind", NULL, "filter", filter, strlen(filter)), "wind");

    check(asdf_ndl_builder_finish(builder, NULL, &description), "finishing");
    int valid = print_diagnostics(description);
    if (valid) check(asdf_ndl_write(description, argv[1], NULL), argv[1]);
    asdf_ndl_free(description);
    asdf_ndl_builder_free(builder);
    return !valid;
}
