/* Storage of the elements of arrays: chosen for new arrays, changed for existing ones. */
#include "check.h"

static const int64_t shape[] = {2, 3};
static const double elements[] = {1, 2, 3, 4, 5, 6};

static asdf_options *stored_as(int32_t storage) {
    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_STORAGE, storage));
    return options;
}

static void set(asdf_node *root, const char *path, const asdf_options *options) {
    OK(asdf_node_set_array(root, path, ASDF_FLOAT64, 2, shape, elements, sizeof elements, options));
}

static void check_elements(asdf_node *root, const char *path) {
    asdf_array *array = NULL;
    double found[6] = {0};
    OK(asdf_node_get_array(root, path, &array));
    OK(asdf_array_read(array, ASDF_FLOAT64, NULL, found, sizeof found, NULL, 0));
    CHECK(memcmp(found, elements, sizeof found) == 0);
    asdf_array_free(array);
}

static asdf_file *open_exploded(const char *name, asdf_node **root) {
    asdf_file *file = NULL;
    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_ACCESS, ASDF_ACCESS_SAME_DIRECTORY));
    OK(asdf_file_open(name, options, &file));
    asdf_options_free(options);
    *root = root_of(file);
    return file;
}

static void new_arrays(void) {
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root), *again = NULL;
    asdf_options *options = stored_as(ASDF_STORAGE_EXTERNAL);
    asdf_buffer *buffer = NULL;
    set(root, "external", options);
    OK(asdf_options_set_text(options, ASDF_OPTION_EXTERNAL_NAME, "named.asdf", 10));
    set(root, "named", options);
    OK(asdf_options_unset(options, ASDF_OPTION_EXTERNAL_NAME));
    OK(asdf_options_set_int(options, ASDF_OPTION_STORAGE, ASDF_STORAGE_STREAMED));
    set(root, "streamed", options);
    set(root, "internal", NULL);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_write_memory(file, NULL, &buffer));
    CHECK(message_holds("under a name"));
    OK(asdf_file_write(file, "main.asdf", NULL));
    asdf_node_free(root);
    asdf_file_free(file);

    again = open_exploded("main.asdf", &root);
    TEXT("main0000.asdf", asdf_node_get_string, root, "external/source");
    TEXT("named.asdf", asdf_node_get_string, root, "named/source");
    TEXT("*", asdf_node_get_string, root, "streamed/shape/0");
    check_elements(root, "external");
    check_elements(root, "named");
    check_elements(root, "streamed");
    check_elements(root, "internal");
    int64_t blocks = 0;
    int32_t streamed = 0;
    OK(asdf_file_block_count(again, &blocks));
    OK(asdf_file_block_is_streamed(again, 1, &streamed));
    CHECK(blocks == 2 && streamed == 1);
    asdf_node_free(root);
    asdf_file_free(again);

    /* Reading follows URIs only if the options allow it. */
    asdf_array *array = NULL;
    double found[6];
    OK(asdf_file_open("main.asdf", NULL, &again));
    root = root_of(again);
    OK(asdf_node_get_array(root, "external", &array));
    FAILS(ASDF_ERR_EXTERNAL_REFERENCE, asdf_array_read(array, ASDF_FLOAT64, NULL, found, sizeof found, NULL, 0));
    asdf_array_free(array);
    asdf_node_free(root);
    asdf_file_free(again);
    asdf_options_free(options);
}

static void moved(void) {
    static const int32_t storages[] = {ASDF_STORAGE_EXTERNAL, ASDF_STORAGE_INLINE, ASDF_STORAGE_STREAMED,
                                       ASDF_STORAGE_INTERNAL};
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
    set(root, "a", NULL);
    set(root, "b", NULL);
    OK(asdf_file_write(file, "moved.asdf", NULL));
    asdf_node_free(root);
    asdf_file_free(file);
    for (size_t i = 0; i < 4; i++) {
        asdf_options *open = NULL;
        OK(asdf_options_new(&open));
        OK(asdf_options_set_int(open, ASDF_OPTION_ACCESS, ASDF_ACCESS_SAME_DIRECTORY));
        OK(asdf_file_open_for_update("moved.asdf", open, &file));
        root = root_of(file);
        OK(asdf_node_set_storage(root, "a", storages[i], NULL));
        check_elements(root, "a");
        OK(asdf_file_save(file, NULL));
        check_elements(root, "a");
        asdf_node_free(root);
        asdf_file_free(file);
        asdf_options_free(open);
        file = open_exploded("moved.asdf", &root);
        check_elements(root, "a");
        check_elements(root, "b");
        asdf_node_free(root);
        asdf_file_free(file);
    }
}

static void whole_files(void) {
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root), *exploded = NULL, *imploded = NULL, *blind = NULL;
    asdf_options *zlib = NULL;
    OK(asdf_options_new(&zlib));
    OK(asdf_options_set_text(zlib, ASDF_OPTION_CODEC, "zlib", 4));
    set(root, "a", zlib);
    set(root, "b", NULL);
    OK(asdf_file_explode(file, "parts.asdf", NULL));
    /* The exploded file was a copy. */
    OK(asdf_file_write(file, "whole.asdf", NULL));
    asdf_node_free(root);
    asdf_file_free(file);

    int64_t blocks = -1;
    exploded = open_exploded("parts.asdf", &root);
    OK(asdf_file_block_count(exploded, &blocks));
    CHECK(blocks == 0);
    TEXT("parts0000.asdf", asdf_node_get_string, root, "a/source");
    TEXT("parts0001.asdf", asdf_node_get_string, root, "b/source");
    check_elements(root, "a");
    asdf_options *replace = replacing();
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_explode(exploded, "parts.asdf", replace));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_implode(exploded, "parts.asdf", replace));
    asdf_options_free(replace);
    OK(asdf_file_implode(exploded, "again.asdf", NULL));
    asdf_node_free(root);
    asdf_file_free(exploded);

    OK(asdf_file_open("again.asdf", NULL, &imploded));
    root = root_of(imploded);
    check_elements(root, "a");
    check_elements(root, "b");
    TEXT("zlib", asdf_file_block_compression, imploded, 0);
    asdf_node_free(root);
    asdf_file_free(imploded);

    OK(asdf_file_open("parts.asdf", NULL, &blind));
    FAILS(ASDF_ERR_EXTERNAL_REFERENCE, asdf_file_implode(blind, "never.asdf", NULL));
    CHECK(fopen("never.asdf", "rb") == NULL);
    OK(asdf_file_explode(blind, "same-folder.asdf", NULL));
    OK(asdf_file_close(blind));
    FAILS(ASDF_ERR_CLOSED, asdf_file_explode(blind, "never.asdf", NULL));
    asdf_file_free(blind);
    exploded = open_exploded("same-folder.asdf", &root);
    TEXT("parts0000.asdf", asdf_node_get_string, root, "a/source");
    check_elements(root, "b");
    asdf_node_free(root);
    asdf_file_free(exploded);
    asdf_options_free(zlib);
}

static void refusals(void) {
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root), *read_only = NULL;
    asdf_options *options = stored_as(ASDF_STORAGE_EXTERNAL);
    asdf_options *write = NULL;
    OK(asdf_options_new(&write));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_STORAGE, 4));
    static const char *const names[] = {"a/b.asdf", ".."}, *const patterns[] = {"{name}.asdf", "../{number}"};
    for (int i = 0; i < 2; i++) {
        OK(set_string(options, ASDF_OPTION_EXTERNAL_NAME, names[i]));
        FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_array(root, "a", ASDF_UINT8, 0, NULL, "a", 1, options));
        OK(set_string(write, ASDF_OPTION_EXTERNAL_NAMES, patterns[i]));
        FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_write(file, "refused.asdf", write));
    }
    OK(asdf_options_unset(options, ASDF_OPTION_EXTERNAL_NAME));
    OK(asdf_options_unset(write, ASDF_OPTION_EXTERNAL_NAMES));
    OK(asdf_file_forget_failure(file));

    /* An existing file is not replaced, and no temporary file is left behind. */
    set(root, "a", NULL);
    OK(asdf_file_write(file, "taken.asdf", NULL));
    set(root, "a", options);
    OK(asdf_options_set_text(options, ASDF_OPTION_EXTERNAL_NAME, "taken.asdf", 10));
    set(root, "b", options);
    FAILS(ASDF_ERR_FILE_EXISTS, asdf_file_write(file, "other.asdf", NULL));
    CHECK(message_holds("taken.asdf"));
    CHECK(fopen("other.asdf", "rb") == NULL && fopen("other0000.asdf", "rb") == NULL);
    OK(asdf_options_set_text(options, ASDF_OPTION_EXTERNAL_NAME, "free.asdf", 9));
    set(root, "b", options);
    OK(asdf_options_set_text(write, ASDF_OPTION_EXTERNAL_NAMES, "{number}-of-{name}", 18));
    OK(asdf_file_write(file, "other.asdf", write));
    OK(asdf_options_unset(write, ASDF_OPTION_EXTERNAL_NAMES));
    asdf_node_free(root);
    asdf_file *again = open_exploded("other.asdf", &root);
    TEXT("0000-of-other", asdf_node_get_string, root, "a/source");
    TEXT("free.asdf", asdf_node_get_string, root, "b/source");
    asdf_node_free(root);
    asdf_file_free(again);
    root = root_of(file);

    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_storage(root, "a", 4, NULL));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_set_storage(root, "c", ASDF_STORAGE_INLINE, NULL));
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_node_set_storage(root, "asdf_library", ASDF_STORAGE_INLINE, NULL));
    OK(asdf_options_set_int(options, ASDF_OPTION_STORAGE, ASDF_STORAGE_STREAMED));
    set(root, "stream", options);
    FAILS(ASDF_ERR_INVALID_ARGUMENT,
          asdf_node_set_array(root, "more", ASDF_FLOAT64, 2, shape, elements, sizeof elements, options));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_storage(root, "a", ASDF_STORAGE_STREAMED, NULL));
    OK(asdf_options_set_text(options, ASDF_OPTION_CODEC, "zlib", 4));
    FAILS(ASDF_ERR_INVALID_ARGUMENT,
          asdf_node_set_array(root, "stream", ASDF_FLOAT64, 2, shape, elements, sizeof elements, options));
    OK(asdf_node_set_array(root, "one", ASDF_FLOAT64, 0, NULL, elements, sizeof *elements, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_storage(root, "one", ASDF_STORAGE_INLINE, NULL));
    FAILS(ASDF_ERR_INCOMPLETE, asdf_file_write(file, "incomplete.asdf", NULL));
    asdf_node_free(root);
    asdf_file_free(file);

    OK(asdf_file_open("taken.asdf", NULL, &read_only));
    root = root_of(read_only);
    FAILS(ASDF_ERR_READ_ONLY, asdf_node_set_storage(root, "a", ASDF_STORAGE_INLINE, NULL));
    asdf_node_free(root);
    asdf_file_free(read_only);
    asdf_options_free(write);
    asdf_options_free(options);
}

int main(void) {
    new_arrays();
    moved();
    whole_files();
    refusals();
    return report();
}
