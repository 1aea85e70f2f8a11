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
    refusals();
    return report();
}
