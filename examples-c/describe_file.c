/* Describes an ASDF file in the Ndarray Data Language, without reading its blocks: describe_file FILE */
#include <asdf.h>
#include <stdio.h>
#include <stdlib.h>

static void check(asdf_status status, const char *what) {
    if (status == ASDF_OK) return;
    char message[512];
    asdf_error_message(message, sizeof message, NULL);
    fprintf(stderr, "%s: %s\n", what, message);
    exit(1);
}

/* Prints the notes: content without a form in the language is left out or written in another form. */
static void print_notes(const asdf_ndl *description) {
    asdf_report *notes = NULL;
    int64_t count;
    check(asdf_ndl_report(description, &notes), "notes");
    check(asdf_report_count(notes, &count, NULL), "notes");
    for (int64_t i = 0; i < count; i++) {
        char line[512] = "a note that is too long for this program";
        asdf_report_text(notes, i, ASDF_REPORT_ENTRY, line, sizeof line, NULL);
        fprintf(stderr, "%s\n", line);
    }
    asdf_report_free(notes);
}

int main(int argc, char **argv) {
    asdf_file *file = NULL;
    asdf_ndl *description = NULL;
    asdf_buffer *text = NULL;
    const void *bytes;
    size_t size;
    if (argc != 2) return fprintf(stderr, "usage: %s FILE\n", argv[0]), 2;
    check(asdf_file_open(argv[1], NULL, &file), argv[1]);
    check(asdf_ndl_describe(file, NULL, &description), argv[1]);
    print_notes(description);
    check(asdf_ndl_export(description, ASDF_NDL_FORMAT_TEXT, NULL, NULL, &text), argv[1]);
    check(asdf_buffer_bytes(text, &bytes, &size), "text");
    fwrite(bytes, 1, size, stdout);
    asdf_buffer_free(text);
    asdf_ndl_free(description);
    asdf_file_free(file);
    return 0;
}
