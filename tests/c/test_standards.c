/* Files in another version of the standard. */
#include "check.h"

static asdf_options *as_standard(const char *version) {
    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_text(options, ASDF_OPTION_AS_STANDARD, version, strlen(version)));
    return options;
}

static void check_content(asdf_file *file, const char *standard, const char *tag) {
    int32_t numbers[3];
    asdf_node *root = root_of(file);
    asdf_array *array = NULL;
    TEXT(standard, asdf_file_declared_standard, file);
    TEXT(standard, asdf_file_standard, file);
    TEXT(tag, asdf_node_tag, root, "data");
    OK(asdf_node_get_array(root, "data", &array));
    OK(asdf_array_read(array, ASDF_INT32, NULL, numbers, sizeof numbers, NULL, 0));
    CHECK(numbers[0] == 1 && numbers[1] == 2 && numbers[2] == 3);
    asdf_array_free(array);
    asdf_node_free(root);
}

static asdf_file *made(asdf_node **root) {
    asdf_file *file = new_file(root);
    OK(asdf_node_set_array(*root, "data", ASDF_INT32, 1, (int64_t[]){3}, (int32_t[]){1, 2, 3}, 12, NULL));
    return file;
}

static void written_in_all(void) {
    static const char *versions[] = {"1.0.0", "1.1.0", "1.2.0", "1.3.0", "1.4.0", "1.5.0", "1.6.0"};
    asdf_node *root = NULL;
    asdf_file *file = made(&root);
    OK(asdf_file_add_comment(file, "a comment", 9));
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        asdf_options *options = as_standard(versions[i]);
        asdf_file *again = NULL;
        OK(asdf_options_set_int(options, ASDF_OPTION_REPLACE, 1));
        OK(asdf_file_write(file, "standard.asdf", options));
        OK(asdf_file_open("standard.asdf", NULL, &again));
        check_content(again, versions[i],
                      i < 6 ? "tag:stsci.edu:asdf/core/ndarray-1.0.0" : "tag:stsci.edu:asdf/core/ndarray-1.1.0");
        TEXT("a comment", asdf_file_comment, again, 1);
        /* A file that was opened for reading is rewritten, too. */
        asdf_options *newest = as_standard("1.6.0");
        OK(asdf_options_set_int(newest, ASDF_OPTION_REPLACE, 1));
        OK(asdf_file_write(again, "newest.asdf", newest));
        asdf_file_free(again);
        OK(asdf_file_open("newest.asdf", NULL, &again));
        check_content(again, "1.6.0", "tag:stsci.edu:asdf/core/ndarray-1.1.0");
        asdf_file_free(again);
        asdf_options_free(newest);
        asdf_options_free(options);
    }
    /* The file itself did not change. */
    check_content(file, "1.6.0", "tag:stsci.edu:asdf/core/ndarray-1.1.0");
    asdf_node_free(root);
    asdf_file_free(file);
}

static void saved(void) {
    asdf_node *root = NULL;
    asdf_file *file = made(&root);
    remove("saved.asdf");
    OK(asdf_file_write(file, "saved.asdf", NULL));
    asdf_node_free(root);
    asdf_file_free(file);
    asdf_options *options = as_standard("1.4.0");
    OK(asdf_file_open_for_update("saved.asdf", NULL, &file));
    root = root_of(file);
    OK(asdf_options_set_int(options, ASDF_OPTION_SAVE_MODE, ASDF_SAVE_IN_PLACE));
    FAILS(ASDF_ERR_NOT_IN_PLACE, asdf_file_save(file, options));
    OK(asdf_options_set_int(options, ASDF_OPTION_SAVE_MODE, ASDF_SAVE_AUTO));
    OK(asdf_file_save(file, options));
    check_content(file, "1.4.0", "tag:stsci.edu:asdf/core/ndarray-1.0.0");
    /* Nodes stay valid, and later changes have the tags of the new version. */
    OK(asdf_node_set_f64(root, "length/value", 1.5));
    OK(asdf_node_set_quantity(root, "length", SIZED("m")));
    TEXT("tag:stsci.edu:asdf/unit/quantity-1.1.0", asdf_node_tag, root, "length");
    OK(asdf_file_save(file, NULL));
    asdf_node_free(root);
    asdf_file_free(file);
    OK(asdf_file_open("saved.asdf", NULL, &file));
    check_content(file, "1.4.0", "tag:stsci.edu:asdf/core/ndarray-1.0.0");
    asdf_file_free(file);
    asdf_options_free(options);
}

static void refused(void) {
    const uint16_t half = 0x3c00;
    asdf_node *root = NULL;
    asdf_file *file = made(&root);
    asdf_options *options = as_standard("1.5.0"), *unknown = as_standard("1.5");
    asdf_buffer *bytes = NULL;
    OK(asdf_node_set_array(root, "deep/half", ASDF_FLOAT16, 1, (int64_t[]){1}, &half, sizeof half, NULL));
    remove("refused.asdf");
    FAILS(ASDF_ERR_UNSUPPORTED, asdf_file_write(file, "refused.asdf", options));
    char path[64];
    OK(asdf_error_text(ASDF_REPORT_PATH, path, sizeof path, NULL));
    CHECK(strcmp(path, "/deep/half") == 0);
    CHECK(fopen("refused.asdf", "rb") == NULL);
    FAILS(ASDF_ERR_UNSUPPORTED, asdf_file_write_memory(file, options, &bytes));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_write(file, "refused.asdf", unknown));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_explode(file, "refused.asdf", options));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_compact(file, options));
    asdf_options_free(unknown);
    asdf_options_free(options);
    asdf_node_free(root);
    asdf_file_free(file);
}

int main(void) {
    written_in_all();
    saved();
    refused();
    return report();
}
