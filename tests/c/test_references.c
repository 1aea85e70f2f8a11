/* References: JSON that tells readers of zarr where the chunks of arrays lie. */
#include "check.h"

static const int64_t shape[] = {6, 4};
static int32_t numbers[6][4];

/* Writes a file with an array, a compressed one and one in the tree, and opens it. */
static asdf_file *sample(const char *path) {
    asdf_node *root = NULL;
    asdf_options *options = NULL;
    asdf_file *file = new_file(&root), *opened = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_node_set_array(root, "a", ASDF_INT32, 2, shape, numbers, sizeof numbers, NULL));
    OK(set_codec(options, "zlib", -1));
    OK(asdf_node_set_array(root, "z", ASDF_INT32, 2, shape, numbers, sizeof numbers, options));
    OK(asdf_options_unset(options, ASDF_OPTION_CODEC));
    OK(asdf_options_set_int(options, ASDF_OPTION_STORAGE, ASDF_STORAGE_INLINE));
    OK(asdf_node_set_array(root, "inline", ASDF_INT32, 1, shape, numbers, 6 * sizeof(int32_t), options));
    asdf_options_free(options);
    remove(path);
    OK(asdf_file_write(file, path, NULL));
    asdf_node_free(root);
    asdf_file_free(file);
    OK(asdf_file_open(path, NULL, &opened));
    return opened;
}

/* Tells whether the references of these files contain a text. */
static int contain(const asdf_file *const *files, int64_t count, const asdf_options *options, const char *text) {
    asdf_buffer *json = NULL;
    const void *bytes = NULL;
    size_t size = 0;
    int found = 0;
    OK(asdf_file_export_references(files, count, options, &json));
    if (json == NULL) return 0;
    OK(asdf_buffer_bytes(json, &bytes, &size));
    for (size_t at = 0; at + strlen(text) <= size; at++) {
        found |= memcmp((const char *)bytes + at, text, strlen(text)) == 0;
    }
    asdf_buffer_free(json);
    return found;
}

int main(void) {
    for (int i = 0; i < 24; i++) numbers[i / 4][i % 4] = i;
    const asdf_file *files[] = {sample("references_1.asdf"), sample("references_2.asdf")};
    asdf_options *options = NULL;
    OK(asdf_options_new(&options));

    CHECK(contain(files, 1, NULL, "\"a/.zarray\":\"{\\\"zarr_format\\\":2,\\\"shape\\\":[6,4],\\\"chunks\\\":[6,4]"));
    CHECK(contain(files, 1, NULL, "\\\"filters\\\":[{\\\"id\\\":\\\"zlib\\\""));
    CHECK(contain(files, 1, NULL, "\"path\": \"/inline\""));
    CHECK(contain(files, 1, NULL, "references_1.asdf\",\"size\":"));
    OK(asdf_options_set_int(options, ASDF_OPTION_SLAB_BYTES, 32));
    OK(asdf_options_set_text(options, ASDF_OPTION_URL, SIZED("https://a/b/")));
    CHECK(contain(files, 1, options, "\"a/2.0\":[\"https://a/b/references_1.asdf\","));
    OK(asdf_options_set_int(options, ASDF_OPTION_INLINE_BYTES, 100));
    CHECK(contain(files, 1, options, "\"inline/0\":\"base64:"));
    OK(asdf_options_set_text(options, ASDF_OPTION_ROOT, SIZED("a")));
    CHECK(!contain(files, 1, options, "\"z/.zarray\""));
    OK(asdf_options_unset(options, ASDF_OPTION_ROOT));

    /* Two files: along a new dimension, and along the first one. */
    CHECK(contain(files, 2, options, "\\\"shape\\\":[2,6,4]"));
    OK(asdf_options_set_text(options, ASDF_OPTION_JOIN_DIMENSION, SIZED("")));
    CHECK(contain(files, 2, options, "\\\"shape\\\":[12,4]"));
    OK(asdf_options_set_int(options, ASDF_OPTION_JOIN_AXIS, 1));
    CHECK(contain(files, 2, options, "\\\"shape\\\":[6,8]"));
    OK(asdf_options_set_int(options, ASDF_OPTION_JOIN_AXIS, 31));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_JOIN_AXIS, 32));
    CHECK(contain(files, 2, options, "the array is left out: it has no dimension 31"));

    asdf_buffer *json = (asdf_buffer *)&json;
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_export_references(files, 0, NULL, &json));
    CHECK(json == NULL);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_export_references(files, -1, NULL, &json));
    FAILS(ASDF_ERR_INVALID_ARGUMENT,
          asdf_file_export_references((const asdf_file *[]){files[0], files[0]}, 2, NULL, &json));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_file_export_references((const asdf_file *[]){files[0], NULL}, 2, NULL, &json));
    OK(asdf_options_set_text(options, ASDF_OPTION_ROOT, SIZED("none")));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_file_export_references(files, 1, options, &json));
    OK(asdf_options_unset(options, ASDF_OPTION_ROOT));
    OK(asdf_options_set_int(options, ASDF_OPTION_MAPPED, 1));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_export_references(files, 1, options, &json));
    asdf_options_free(options);
    asdf_file_free((asdf_file *)files[0]);
    asdf_file_free((asdf_file *)files[1]);
    return report();
}
