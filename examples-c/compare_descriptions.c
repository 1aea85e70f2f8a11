/* Lists the differences of two files or descriptions, or what a file lacks of a promised description:
 *
 *     compare_descriptions OLD NEW
 *     compare_descriptions --conform PROMISE FILE     exactly as promised
 *     compare_descriptions --subset PROMISE FILE      the file may have more
 *
 * A name that ends in ".asdf" is a file to describe, any other name is a description. Exit status: 0 for no difference,
 * 1 for differences, 2 for an error.
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
    exit(2);
}

static asdf_ndl *description_of(const char *name) {
    asdf_ndl *description = NULL;
    size_t length = strlen(name);
    if (length >= 5 && strcmp(name + length - 5, ".asdf") == 0) {
        asdf_file *file = NULL;
        check(asdf_file_open(name, NULL, &file), name);
        check(asdf_ndl_describe(file, NULL, &description), name);
        asdf_file_free(file);
        return description;
    }
    int32_t valid;
    check(asdf_ndl_read(name, NULL, &description), name);
    check(asdf_ndl_is_valid(description, &valid), name);
    if (!valid) {
        fprintf(stderr, "%s is not valid; check_description tells why\n", name);
        exit(2);
    }
    return description;
}

int main(int argc, char **argv) {
    int conform = argc == 4 && strcmp(argv[1], "--conform") == 0;
    int subset = argc == 4 && strcmp(argv[1], "--subset") == 0;
    asdf_report *differences = NULL;
    int64_t count;
    if (argc != 3 && !conform && !subset)
        return fprintf(stderr, "usage: %s [--conform|--subset] ONE OTHER\n", argv[0]), 2;
    asdf_ndl *one = description_of(argv[argc - 2]), *other = description_of(argv[argc - 1]);
    if (conform || subset)
        check(asdf_ndl_conform(one, other, subset, &differences), "conform");
    else
        check(asdf_ndl_compare(one, other, 0, &differences), "compare");
    check(asdf_report_count(differences, &count, NULL), "count");
    for (int64_t i = 0; i < count; i++) {
        char line[1024] = "a difference that is too long for this program";
        asdf_report_text(differences, i, ASDF_REPORT_ENTRY, line, sizeof line, NULL);
        printf("%s\n", line);
    }
    asdf_report_free(differences);
    asdf_ndl_free(other);
    asdf_ndl_free(one);
    return count ? 1 : 0;
}
