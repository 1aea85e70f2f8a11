/* Makes the ASDF file of a description, with its values, otherwise fill values, otherwise zeros (holes on the disk).
 *
 *     create_file DESCRIPTION FILE
 */
#include <asdf.h>
#include <stdio.h>
#include <stdlib.h>

static void check(asdf_status status, const char *what) {
    if (status == ASDF_OK) return;
    char message[512];
    asdf_error_message(message, sizeof message, NULL); /* names the array that cannot be stored */
    fprintf(stderr, "%s: %s\n", what, message);
    exit(1);
}

int main(int argc, char **argv) {
    asdf_ndl *description = NULL;
    asdf_options *how = NULL;
    asdf_report *notes = NULL;
    int64_t count;
    int32_t valid;
    if (argc != 3) return fprintf(stderr, "usage: %s DESCRIPTION FILE\n", argv[0]), 2;
    check(asdf_ndl_read(argv[1], NULL, &description), argv[1]);
    check(asdf_ndl_is_valid(description, &valid), argv[1]);
    if (!valid) return fprintf(stderr, "%s is not valid; check_description tells why\n", argv[1]), 1;

    check(asdf_options_new(&how), "options");
    check(asdf_options_set_int(how, ASDF_OPTION_STRING_LENGTH, 32), "string length"); /* if no value shows it */
    check(asdf_options_set_int(how, ASDF_OPTION_LIMIT_CREATED_BYTES, 1 << 20),
          "size"); /* a larger file is an error, not a full disk */
    check(asdf_ndl_create_asdf(description, argv[2], how, &notes), argv[2]);

    /* Deviations of the file from the description. */
    check(asdf_report_count(notes, &count, NULL), "notes");
    for (int64_t i = 0; i < count; i++) {
        char line[512] = "a note that is too long for this program";
        asdf_report_text(notes, i, ASDF_REPORT_ENTRY, line, sizeof line, NULL);
        fprintf(stderr, "%s\n", line);
    }
    asdf_report_free(notes);
    asdf_options_free(how);
    asdf_ndl_free(description);
    return 0;
}
