/* History of a file: entries appended where the standard requires them, and found again. */
#include "check.h"

static asdf_status add(asdf_file *file, const char *description, const char *time, const char *name,
                       const char *version, const char *author, const char *homepage) {
    return asdf_file_add_history(file, description, strlen(description), time, name, version, author, homepage);
}

static void new_files(void) {
    static const struct {
        const char *standard, *path;
    } kinds[] = {{"1.6.0", "history/entries/1"}, {"1.2.0", "history/entries/1"}, {"1.1.0", "history/1"}};
    for (int i = 0; i < 3; i++) {
        asdf_options *options = NULL;
        asdf_file *file = NULL;
        asdf_node *root = NULL, *entries = NULL, *entry = NULL;
        int64_t count = 0;
        OK(asdf_options_new(&options));
        OK(set_string(options, ASDF_OPTION_STANDARD, kinds[i].standard));
        OK(asdf_file_new(options, &file));
        asdf_options_free(options);
        FAILS(ASDF_ERR_NOT_FOUND, asdf_file_history(file, &entries));
        CHECK(entries == NULL);
        OK(add(file, "begun", NULL, NULL, NULL, NULL, NULL));
        OK(add(file, "flat field: divided", "2027-01-31T04:05:06Z", "pipeline", "2.1", "we", "https://example.org/p"));
        asdf_file *again = written(file);
        root = root_of(again);
        OK(asdf_file_history(again, &entries));
        OK(asdf_node_count(entries, "", &count));
        CHECK(count == 2);
        OK(asdf_node_get(root, kinds[i].path, &entry));
        TEXT("tag:stsci.edu:asdf/core/history_entry-1.0.0", asdf_node_tag, entry, "");
        TEXT("flat field: divided", asdf_node_get_string, entry, "description");
        TEXT("2027-01-31T04:05:06Z", asdf_node_get_string, entry, "time");
        TEXT("tag:stsci.edu:asdf/core/software-1.0.0", asdf_node_tag, entry, "software");
        TEXT("2.1", asdf_node_get_string, entry, "software/version");
        TEXT("we", asdf_node_get_string, entry, "software/author");
        TEXT("https://example.org/p", asdf_node_get_string, entry, "software/homepage");
        TEXT("begun", asdf_node_get_string, entries, "0/description");
        char now[64];
        size_t length = 0;
        OK(asdf_node_get_string(entries, "0/time", now, sizeof now, &length));
        CHECK(length == 20 && now[10] == 'T' && now[19] == 'Z' && memcmp(now, "20", 2) == 0);
        asdf_node_free(entry);
        asdf_node_free(entries);
        asdf_node_free(root);
        asdf_file_free(again);
        asdf_file_free(file);
    }
}

static void programs(void) {
    asdf_node *root = NULL, *entries = NULL;
    asdf_file *file = new_file(&root);
    int64_t count = 9;
    char text[40] = "";
    FAILS(ASDF_ERR_NOT_FOUND, asdf_file_extensions(file, &entries));
    CHECK(entries == NULL);
    OK(asdf_file_add_extension(file, "a.B", "asdf://x.org/e-1.0.0", "pipe", "2.1"));
    OK(asdf_file_add_extension(file, "a.C", "asdf://x.org/e-1.0.0", NULL, NULL));
    OK(asdf_file_add_extension(file, "a.D", NULL, "pipe", "2.1"));
    OK(asdf_file_extensions(file, &entries));
    OK(asdf_node_count(entries, "", &count));
    CHECK(count == 2);
    TEXT("a.C", asdf_node_get_string, entries, "0/extension_class");
    TEXT("tag:stsci.edu:asdf/core/extension_metadata-1.0.0", asdf_node_tag, entries, "1");
    OK(asdf_node_get_software(entries, "1/software", 0, ASDF_SOFTWARE_VERSION, text, sizeof text, NULL));
    CHECK(strcmp(text, "2.1") == 0);
    asdf_node_free(entries);

    OK(asdf_node_set_software(root, "by", "pipe", "2.1", "we", NULL));
    OK(asdf_node_software_count(root, "by", &count));
    CHECK(count == 1);
    OK(asdf_node_get_software(root, "by", 0, ASDF_SOFTWARE_HOMEPAGE, text, sizeof text, NULL));
    CHECK(strcmp(text, "") == 0);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_node_get_software(root, "by", 0, ASDF_SOFTWARE_NAME, text, 4, NULL));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_node_get_software(root, "by", 1, ASDF_SOFTWARE_NAME, text, sizeof text, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_get_software(root, "by", 0, 99, text, sizeof text, NULL));
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_node_software_count(root, "by/name", &count));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_node_set_software(root, "x", "pipe", NULL, NULL, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_add_extension(file, "a.B", NULL, "pipe", NULL));
    asdf_node_free(root);
    asdf_file_free(file);
}

static void refusals(void) {
    asdf_node *root = NULL, *entries = NULL;
    asdf_file *file = new_file(&root);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, add(file, "x", "2027-01-31", NULL, NULL, NULL, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, add(file, "x", NULL, "name", NULL, NULL, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, add(file, "x", NULL, NULL, "1", NULL, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, add(file, "x", NULL, NULL, NULL, NULL, "https://example.org"));
    FAILS(ASDF_ERR_ENCODING, asdf_file_add_history(file, "\xFF", 1, NULL, NULL, NULL, NULL, NULL));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_file_history(file, &entries));
    /* A failed entry prevents writing, so that no file is incomplete by mistake. */
    asdf_buffer *buffer = NULL;
    FAILS(ASDF_ERR_INCOMPLETE, asdf_file_write_memory(file, NULL, &buffer));
    OK(asdf_file_forget_failure(file));
    OK(asdf_node_set_i64(root, "history", 5));
    FAILS(ASDF_ERR_WRONG_TYPE, add(file, "x", NULL, NULL, NULL, NULL, NULL));
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_file_history(file, &entries));
    asdf_node_free(root);
    asdf_file_free(file);

    file = open_tree("a: 1\n");
    FAILS(ASDF_ERR_READ_ONLY, add(file, "x", NULL, NULL, NULL, NULL, NULL));
    asdf_file_free(file);
}

int main(void) {
    new_files();
    programs();
    refusals();
    return report();
}
