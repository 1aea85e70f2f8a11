/* Writes a description in another language: generate_code c|fortran|cdl|json DESCRIPTION NAME */
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

int main(int argc, char **argv) {
    asdf_ndl *description = NULL;
    asdf_buffer *code = NULL;
    const void *bytes;
    size_t size;
    if (argc != 4) return fprintf(stderr, "usage: %s c|fortran|cdl|json DESCRIPTION NAME\n", argv[0]), 2;
    const char *language = argv[1], *name = argv[3];
    check(asdf_ndl_read(argv[2], NULL, &description), argv[2]);
    if (strcmp(language, "c") == 0) {
        check(asdf_ndl_export(description, ASDF_NDL_FORMAT_C, name, NULL, &code), argv[2]);
    } else if (strcmp(language, "fortran") == 0) {
        check(asdf_ndl_export(description, ASDF_NDL_FORMAT_FORTRAN, name, NULL, &code), argv[2]);
    } else if (strcmp(language, "cdl") == 0) {
        check(asdf_ndl_export(description, ASDF_NDL_FORMAT_CDL, name, NULL, &code), argv[2]); /* for ncgen -k nc4 */
    } else if (strcmp(language, "json") == 0) {
        check(asdf_ndl_export(description, ASDF_NDL_FORMAT_JSON, NULL, NULL, &code), argv[2]);
    } else {
        return fprintf(stderr, "%s is not c, fortran, cdl or json\n", language), 2;
    }
    check(asdf_buffer_bytes(code, &bytes, &size), "code");
    fwrite(bytes, 1, size, stdout);
    asdf_buffer_free(code);
    asdf_ndl_free(description);
    return 0;
}
