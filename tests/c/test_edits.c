/* Changes of existing content: items and keys inserted, renamed, moved; arrays resized and recompressed. */
#include "check.h"

/* Recompresses an array; NULL for no compression, -1 for the default level of the codec. */
static asdf_status recompress(asdf_node *node, const char *path, const char *codec, int level) {
    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    asdf_status status = set_codec(options, codec, level);
    if (status == ASDF_OK) status = asdf_node_recompress_array(node, path, options);
    asdf_options_free(options);
    return status;
}

static const char text[] = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n"
                           "--- !core/asdf-1.1.0\n"
                           "asdf_library: !core/software-1.0.0 {name: x, version: '1'}\n"
                           "meta:   # about it\n"
                           "  time: 139.8   # seconds\n"
                           "  deep:\n"
                           "    # inside\n"
                           "    a: 1\n"
                           "list:\n"
                           "- one   # first\n"
                           "- two   # second\n"
                           "shared: &s {x: 1}\n"
                           "merged: {<<: *s, y: 2}\n"
                           "...\n";

static asdf_file *begin(asdf_node **root) {
    FILE *stream = fopen("edits.asdf", "wb");
    if (!stream || fputs(text, stream) < 0 || fclose(stream) != 0) exit(1);
    asdf_file *file = NULL;
    OK(asdf_file_open_for_update("edits.asdf", NULL, &file));
    *root = root_of(file);
    return file;
}

/* Saves, and compares the text after the name of the library. */
static void end(asdf_file *file, asdf_node *root, const char *expected) {
    OK(asdf_file_save(file, NULL));
    asdf_node_free(root);
    asdf_file_free(file);
    char found[4096] = {0};
    FILE *stream = fopen("edits.asdf", "rb");
    if (!stream || fread(found, 1, sizeof found - 1, stream) == 0) exit(1);
    fclose(stream);
    const char *rest = strstr(found, "\nmeta:");
    CHECK(rest && strcmp(rest + 1, expected) == 0);
    if (rest && strcmp(rest + 1, expected) != 0) fprintf(stderr, "%s\n", found);
}

static void places(void) {
    asdf_node *root = NULL, *kept = NULL;
    asdf_file *file = begin(&root);
    OK(asdf_node_get(root, "meta/deep", &kept));
    OK(asdf_node_insert_item(root, "list", 1));
    OK(asdf_node_set_i64(root, "list/1", 7));
    OK(asdf_node_insert_item(root, "list", -1));
    OK(asdf_node_insert_key(root, "meta", "first", ASDF_INSERT_BEFORE, NULL));
    OK(asdf_node_insert_key(root, "meta", "next", ASDF_INSERT_AFTER, "time"));
    OK(asdf_node_insert_key(root, "meta", "last", ASDF_INSERT_AFTER, NULL));
    OK(asdf_node_rename_key(root, "meta/time", "seconds"));
    OK(asdf_node_move(root, "meta/deep", "deep"));
    OK(asdf_node_move(root, "list/0", "list/-"));
    OK(asdf_node_set_i64(root, "merged/x", 3));
    int64_t value = 0;
    OK(asdf_node_get_i64(kept, "a", &value));
    CHECK(value == 1);
    OK(asdf_node_get_i64(root, "deep/a", &value));
    OK(asdf_node_get_i64(root, "shared/x", &value));
    CHECK(value == 1);
    asdf_node_free(kept);
    end(file, root,
        "meta:   # about it\n"
        "  first: null\n"
        "  seconds: 139.8   # seconds\n"
        "  next: null\n"
        "  last: null\n"
        "list:\n"
        "- 7\n"
        "- two   # second\n"
        "- null\n"
        "- one   # first\n"
        "shared: &s {x: 1}\n"
        "merged: {<<: *s, y: 2, x: 3}\n"
        "deep:\n"
        "  # inside\n"
        "  a: 1\n"
        "...\n");
}

static void made(void) {
    asdf_node *root = NULL, *item = NULL;
    asdf_file *file = begin(&root);
    OK(asdf_node_make(root, "list/-", &item));
    OK(asdf_node_set_mapping(item, "", 0));
    OK(asdf_node_set_i64(item, "a", 1));
    OK(asdf_node_set_i64(item, "b/-", 2));
    asdf_node_free(item);
    OK(asdf_node_make(root, "meta/time", &item));
    double seconds = 0;
    OK(asdf_node_get_f64(item, "", &seconds));
    CHECK(seconds == 139.8);
    asdf_node_free(item);
    OK(asdf_node_make(root, "new/-/x", &item));
    OK(asdf_node_set_bool(item, "", 1));
    asdf_node_free(item);
    int64_t value = 0;
    OK(asdf_node_get_i64(root, "list/2/b/0", &value));
    CHECK(value == 2);
    OK(asdf_node_get_bool(root, "new/0/x", &(int32_t){0}));
    OK(asdf_file_save(file, NULL));
    item = root;
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_make(root, "list/9", &item));
    CHECK(item == NULL);
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_node_make(root, "meta/time/x", &item));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_node_make(root, "a", NULL));
    FAILS(ASDF_ERR_INCOMPLETE, asdf_file_save(file, NULL));
    asdf_node_free(root);
    asdf_file_free(file);
}

/* Keys that are no paths, and keys of each type. */
static void keys_made(void) {
    asdf_node *root = NULL, *item = NULL;
    asdf_file *file = begin(&root);
    OK(asdf_node_make_by_string(root, "meta", "a/b", 3, &item));
    OK(asdf_node_set_i64(item, "", 1));
    asdf_node_free(item);
    OK(asdf_node_make_by_string(root, "meta", "n\0l", 3, &item));
    OK(asdf_node_set_mapping(item, "", 1));
    asdf_node_free(item);
    OK(asdf_node_make_by_i64(root, "meta", 7, &item));
    OK(asdf_node_set_string(item, "", "seven", 5));
    asdf_node_free(item);
    OK(asdf_node_make_by_string(root, "meta", "7", 1, &item));
    OK(asdf_node_set_string(item, "", "text", 4));
    asdf_node_free(item);
    OK(asdf_node_make_by_bool(root, "meta", 17, &item));
    asdf_node_free(item);
    OK(asdf_node_make_by_string(root, "meta", "time", 4, &item));
    double seconds = 0;
    OK(asdf_node_get_f64(item, "", &seconds));
    CHECK(seconds == 139.8);
    asdf_node_free(item);
    char text[8] = "";
    OK(asdf_node_get_by_i64(root, "meta", 7, &item));
    OK(asdf_node_get_string(item, "", text, sizeof text, NULL));
    CHECK(strcmp(text, "seven") == 0);
    asdf_node_free(item);
    OK(asdf_node_get_by_bool(root, "meta", 1, &item));
    asdf_node_free(item);
    OK(asdf_node_get_i64(root, "meta/a~1b", &(int64_t){0}));
    OK(asdf_file_save(file, NULL));
    item = root;
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_make_by_i64(root, "nowhere", 7, &item));
    CHECK(item == NULL);
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_node_make_by_bool(root, "list", 1, &item));
    FAILS(ASDF_ERR_ENCODING, asdf_node_make_by_string(root, "meta", "\300", 1, &item));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_node_make_by_string(root, "meta", NULL, 1, &item));
    FAILS(ASDF_ERR_INCOMPLETE, asdf_file_save(file, NULL));
    asdf_node_free(root);
    asdf_file_free(file);
}

/* Options such as threads say nothing about the storage of a copy. */
static void copies_keep_their_storage(void) {
    asdf_node *root = NULL;
    asdf_options *options = NULL;
    asdf_array *array = NULL;
    asdf_file *file = begin(&root);
    const int64_t shape[] = {2};
    int32_t is_inline = 0;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_STORAGE, ASDF_STORAGE_INLINE));
    OK(asdf_node_set_array(root, "a", ASDF_UINT8, 1, shape, "ab", 2, options));
    OK(asdf_options_unset(options, ASDF_OPTION_STORAGE));
    OK(asdf_options_set_int(options, ASDF_OPTION_THREADS, 2));
    asdf_node *from = NULL;
    OK(asdf_node_get(root, "a", &from));
    OK(asdf_node_copy(root, "b", from, options));
    OK(asdf_node_get_array(root, "b", &array));
    OK(asdf_array_is_inline(array, &is_inline));
    CHECK(is_inline == 1);
    asdf_array_free(array);
    asdf_node_free(from);
    asdf_options_free(options);
    asdf_node_free(root);
    asdf_file_free(file);
}

static void refusals(void) {
    asdf_node *root = NULL;
    asdf_file *file = begin(&root);
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_node_insert_item(root, "list", 3));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_node_insert_item(root, "list", -2));
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_node_insert_item(root, "meta", 0));
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_node_insert_key(root, "list", "a", ASDF_INSERT_AFTER, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_insert_key(root, "meta", "time", ASDF_INSERT_AFTER, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_insert_key(root, "meta", "a", 2, NULL));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_insert_key(root, "meta", "a", ASDF_INSERT_AFTER, "none"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_rename_key(root, "meta/time", "deep"));
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_node_rename_key(root, "list/0", "a"));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_rename_key(root, "none", "a"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_move(root, "meta", "meta/deep/meta"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_move(root, "", "a"));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_node_move(root, "list/0", "list/2"));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_move(root, "none", "a"));
    /* A merged pair belongs to another mapping. */
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_remove(root, "merged/x"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_rename_key(root, "merged/x", "z"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_move(root, "merged/x", "z"));
    FAILS(ASDF_ERR_INCOMPLETE, asdf_file_save(file, NULL));
    OK(asdf_file_forget_failure(file));
    end(file, root, strstr(text, "meta:"));

    OK(asdf_file_open("edits.asdf", NULL, &file));
    root = root_of(file);
    FAILS(ASDF_ERR_READ_ONLY, asdf_node_insert_item(root, "list", 0));
    FAILS(ASDF_ERR_READ_ONLY, asdf_node_insert_key(root, "meta", "a", ASDF_INSERT_AFTER, NULL));
    FAILS(ASDF_ERR_READ_ONLY, asdf_node_rename_key(root, "meta", "a"));
    FAILS(ASDF_ERR_READ_ONLY, asdf_node_move(root, "meta", "a"));
    FAILS(ASDF_ERR_READ_ONLY, asdf_node_resize_array(root, "meta", 0, NULL, NULL, 0, NULL));
    FAILS(ASDF_ERR_READ_ONLY, recompress(root, "meta", NULL, -1));
    asdf_node_free(root);
    asdf_file_free(file);
}

static void arrays(void) {
    const int64_t shape[] = {2, 3}, wider[] = {3, 4}, negative[] = {2, -1};
    const int32_t elements[] = {1, 2, 3, 4, 5, 6}, fill = 9;
    const int32_t expected[] = {1, 2, 3, 9, 4, 5, 6, 9, 9, 9, 9, 9};
    int32_t found[12];
    asdf_node *root = NULL;
    asdf_array *array = NULL;
    asdf_options *options = NULL;
    asdf_file *file = new_file(&root);
    OK(asdf_node_set_array(root, "a", ASDF_INT32, 2, shape, elements, sizeof elements, NULL));
    asdf_node *unit_of_array = NULL;
    OK(asdf_node_make_by_string(root, "a", "unit", 4, &unit_of_array));
    OK(asdf_node_set_string(unit_of_array, "", "s", 1));
    asdf_node_free(unit_of_array);
    OK(asdf_node_set_array(root, "b", ASDF_INT32, 2, shape, elements, sizeof elements, NULL));
    OK(asdf_file_write(file, "shapes.asdf", NULL));
    asdf_node_free(root);
    asdf_file_free(file);

    OK(asdf_file_open_for_update("shapes.asdf", NULL, &file));
    root = root_of(file);
    OK(asdf_node_resize_array(root, "a", 2, wider, &fill, sizeof fill, NULL));
    OK(recompress(root, "a", "zlib", 9));
    OK(recompress(root, "b", "lz4", -1));
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_KEEP, 1));
    OK(asdf_file_save(file, NULL));
    OK(asdf_node_get_array(root, "a", &array));
    OK(asdf_array_read(array, ASDF_INT32, NULL, found, sizeof found, NULL, 0));
    CHECK(memcmp(found, expected, sizeof expected) == 0);
    asdf_array_free(array);
    OK(asdf_node_set_array(root, "a", ASDF_INT32, 2, shape, elements, sizeof elements, options));
    OK(asdf_file_save(file, NULL));
    char unit[8];
    size_t length = 0;
    OK(asdf_node_get_string(root, "a/unit", unit, sizeof unit, &length));
    CHECK(length == 1 && unit[0] == 's');
    int64_t blocks = 0, absent = 0, stored = 0, decoded = 0;
    OK(asdf_file_block_count(file, &blocks));
    OK(asdf_file_verify(file, NULL, &absent, &stored, &decoded));
    CHECK(blocks == 2 && stored == 2);

    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_resize_array(root, "a", 1, wider, NULL, 0, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_resize_array(root, "a", 2, negative, NULL, 0, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_resize_array(root, "a", 2, wider, &fill, 3, NULL));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_node_resize_array(root, "a", 2, NULL, NULL, 0, NULL));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_resize_array(root, "none", 2, wider, NULL, 0, NULL));
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_node_resize_array(root, "a/unit", 2, wider, NULL, 0, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, recompress(root, "a", "rar", -1));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, recompress(root, "a", "zlib", 10));
    FAILS(ASDF_ERR_WRONG_TYPE, recompress(root, "a/unit", "zlib", -1));
    asdf_options_free(options);
    asdf_node_free(root);
    asdf_file_free(file);
}

/* A refused call that changes nothing leaves the file complete, so the file can be saved. */
static void refused_storage(void) {
    static const char tree[] =
        "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n"
        "--- !core/asdf-1.1.0\n"
        "asdf_library: !core/software-1.0.0 {name: x, version: '1'}\n"
        "text: s\n"
        "inline: !core/ndarray-1.1.0 {data: [1, 2], datatype: int8, shape: [2]}\n"
        "apart: !core/ndarray-1.1.0 {source: a.asdf, datatype: int8, byteorder: little, shape: [2]}\n"
        "base: &b !core/ndarray-1.1.0 {source: 0, datatype: int8, byteorder: little, shape: [2]}\n"
        "merged: !core/ndarray-1.1.0 {<<: *b}\n"
        "...\n";
    static const unsigned char block[56] = {0xd3, 'B', 'L', 'K', 0, 48, [21] = 2, [29] = 2, [37] = 2, [54] = 7, 8};
    asdf_options *streamed = NULL;
    asdf_node *root = NULL;
    asdf_file *file = NULL;
    FILE *stream = fopen("refused.asdf", "wb");
    if (!stream || fputs(tree, stream) < 0 || fwrite(block, 1, sizeof block, stream) != sizeof block || fclose(stream))
        exit(1);
    OK(asdf_options_new(&streamed));
    OK(asdf_options_set_int(streamed, ASDF_OPTION_STORAGE, ASDF_STORAGE_STREAMED));
    OK(asdf_file_open_for_update("refused.asdf", NULL, &file));
    root = root_of(file);
    static const char *const paths[] = {"inline", "apart", "text", "none", "base", "merged", NULL};
    const int8_t rows[] = {1, 2};
    const int64_t two = 2;
    OK(asdf_node_set_array(root, "streamed", ASDF_INT8, 1, &two, rows, sizeof rows, streamed));
    for (int i = 0; i < 7; i++) {
        int is_array = i == 4 || i == 5;
        CHECK(recompress(root, paths[i], is_array ? "rar" : "zlib", -1) != ASDF_OK);
        CHECK(asdf_node_set_storage(root, paths[i], is_array ? 4 : ASDF_STORAGE_STREAMED, NULL) != ASDF_OK);
        OK(asdf_file_save(file, NULL));
    }
    FAILS(ASDF_ERR_UNSUPPORTED, asdf_node_set_storage(root, "merged", ASDF_STORAGE_INLINE, NULL));
    FAILS(ASDF_ERR_UNSUPPORTED, asdf_node_set_storage(root, "merged", ASDF_STORAGE_EXTERNAL, NULL));
    OK(asdf_file_save(file, NULL));
    int64_t blocks = 0;
    OK(asdf_file_block_count(file, &blocks));
    CHECK(blocks == 2);

    /* After a failed removal or resize the file is incomplete. */
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_remove(root, "merged/source"));
    FAILS(ASDF_ERR_INCOMPLETE, asdf_file_save(file, NULL));
    OK(asdf_file_forget_failure(file));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_resize_array(root, "none", 1, &two, NULL, 0, NULL));
    FAILS(ASDF_ERR_INCOMPLETE, asdf_file_save(file, NULL));
    asdf_options_free(streamed);
    asdf_node_free(root);
    asdf_file_free(file);
}

/* A loop that tries codecs until one succeeds leaves the file complete. */
static void refused_values(void) {
    static const char *const codecs[] = {"rar", "zip", "zlib"};
    const int64_t two = 2;
    const int8_t pixels[] = {1, 2};
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
    int done = 0;
    OK(asdf_node_set_i64(root, "data", 1));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_node_set_array(root, "data", ASDF_INT8, 1, &two, NULL, 2, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_array(root, "data", ASDF_INT8, 1, &two, pixels, 1, NULL));
    OK(asdf_node_set_i64(root, "other", 1));
    FAILS(ASDF_ERR_INCOMPLETE, write_over(file, "values.asdf"));
    for (int i = 0; i < 3 && !done; i++) {
        asdf_options *options = NULL;
        OK(asdf_options_new(&options));
        done = set_string(options, ASDF_OPTION_CODEC, codecs[i]) == ASDF_OK &&
               asdf_node_set_array(root, "data", ASDF_INT8, 1, &two, pixels, sizeof pixels, options) == ASDF_OK;
        asdf_options_free(options);
    }
    CHECK(done);
    OK(asdf_file_write(file, "values.asdf", NULL));

    /* A later append sets another item, and renaming a key does not set it. */
    OK(asdf_node_set_sequence(root, "list", 0));
    FAILS(ASDF_ERR_VALUE_RANGE, asdf_node_set_u64(root, "list/-", UINT64_MAX));
    OK(asdf_node_set_u64(root, "list/-", 1));
    FAILS(ASDF_ERR_INCOMPLETE, write_over(file, "values.asdf"));
    OK(asdf_file_forget_failure(file));
    CHECK(asdf_node_rename_key(root, "data", "other") != ASDF_OK);
    OK(asdf_node_set_i64(root, "data", 1));
    FAILS(ASDF_ERR_INCOMPLETE, write_over(file, "values.asdf"));
    asdf_node_free(root);
    asdf_file_free(file);
}

int main(void) {
    places();
    made();
    keys_made();
    copies_keep_their_storage();
    refusals();
    arrays();
    refused_storage();
    refused_values();
    return report();
}
