/* Lists the faults of a description, and the arrays in it: check_description FILE */
#include <asdf.h>
#include <stdio.h>
#include <stdlib.h>

static void check(asdf_status status, const char *what) {
    if (status == ASDF_OK) return;
    char message[512];
    asdf_error_message(message, sizeof message, NULL);
    fprintf(stderr, "%s: %s\n", what, message);
    exit(2);
}

/* Prints one line for each diagnostic: model.yaml:12:7: E-VALUE-RANGE: /a: 300 is not in the range of int8 */
static void print_diagnostics(const asdf_ndl *description) {
    asdf_report *diagnostics = NULL;
    int64_t count;
    check(asdf_ndl_report(description, &diagnostics), "diagnostics");
    check(asdf_report_count(diagnostics, &count, NULL), "diagnostics");
    for (int64_t i = 0; i < count; i++) {
        char line[512] = "a diagnostic that is too long for this program";
        asdf_report_text(diagnostics, i, ASDF_REPORT_ENTRY, line, sizeof line, NULL);
        fprintf(stderr, "%s\n", line);
    }
    asdf_report_free(diagnostics);
}

static void print_array(const asdf_ndl *description, const char *path) {
    int64_t extents[ASDF_MAX_RANK], bytes;
    int32_t rank;
    char keyword[16], coordinate[256], notation[256];
    check(asdf_ndl_keyword(description, path, NULL, keyword, sizeof keyword, NULL), path);
    check(asdf_ndl_shape(description, path, NULL, extents, ASDF_MAX_RANK, &rank), path);
    printf("%s: %s", path, keyword);
    for (int32_t i = 0; i < rank; i++) {
        check(asdf_ndl_coordinate(description, path, i, coordinate, sizeof coordinate, NULL), path);
        printf("%s%s%s", i ? " x " : " ", coordinate, *coordinate ? ": " : "");
        if (extents[i] < 0)
            printf("unlimited");
        else
            printf("%lld", (long long)extents[i]);
    }
    check(asdf_ndl_size(description, path, NULL, NULL, &bytes), path);
    if (bytes >= 0) printf(", %lld bytes", (long long)bytes);
    /* The first element of the value, if the description has one; works for any datatype. */
    if (asdf_ndl_value_notation(description, path, NULL, 0, notation, sizeof notation, NULL) == ASDF_OK)
        printf(", first %s", notation);
    printf("\n");
}

int main(int argc, char **argv) {
    asdf_ndl *description = NULL;
    int64_t count;
    int32_t valid;
    char path[1024];
    if (argc != 2) return fprintf(stderr, "usage: %s FILE\n", argv[0]), 2;
    check(asdf_ndl_read(argv[1], NULL, &description), argv[1]);
    print_diagnostics(description);
    check(asdf_ndl_is_valid(description, &valid), argv[1]);
    if (valid) {
        check(asdf_ndl_count(description, ASDF_NDL_KIND_NDARRAY, &count), argv[1]);
        for (int64_t i = 0; i < count; i++) {
            check(asdf_ndl_path(description, ASDF_NDL_KIND_NDARRAY, i, path, sizeof path, NULL), argv[1]);
            print_array(description, path);
        }
    }
    asdf_ndl_free(description);
    return valid ? 0 : 1;
}
