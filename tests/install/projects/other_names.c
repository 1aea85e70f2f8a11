/* A program with functions whose names the static library has inside, too: of Debian's libzstd.a, or its own. */
#include <asdf.h>
#include <stdio.h>
#include <string.h>

#ifdef DEBIAN
unsigned ZSTD_versionNumber(void);
#else
unsigned ZSTD_versionNumber(void) {
    return 7;
}
size_t ZSTD_compress(void *to, size_t capacity, const void *from, size_t size, int level) {
    (void)to, (void)capacity, (void)from, (void)size, (void)level;
    return 99;
}
void libdeflate_free_decompressor(void *decompressor) {
    (void)decompressor;
}
#endif

int main(void) {
    asdf_options *options = NULL;
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    asdf_array *array = NULL;
    asdf_buffer *buffer = NULL;
    const void *bytes = NULL;
    size_t size = 0;
    const int64_t count = 8;
    char found[8] = "";
    int failed = ZSTD_versionNumber() == 0;
    failed |= asdf_options_new(&options) || asdf_options_set_text(options, ASDF_OPTION_CODEC, "zstd", 4);
    failed |= asdf_file_new(NULL, &file) || asdf_file_root(file, &root);
    failed |= asdf_node_set_array(root, "a", ASDF_UINT8, 1, &count, "aaaabbbb", 8, options);
    failed |= asdf_file_write_memory(file, NULL, &buffer) || asdf_buffer_bytes(buffer, &bytes, &size);
    asdf_node_free(root);
    asdf_file_free(file);
    failed |= asdf_file_open_memory(bytes, size, NULL, &file) || asdf_file_root(file, &root);
    failed |= asdf_node_get_array(root, "a", &array);
    failed |= asdf_array_read(array, ASDF_UINT8, NULL, found, sizeof found, NULL, 0) != ASDF_OK;
    failed |= memcmp(found, "aaaabbbb", 8) != 0;
    asdf_array_free(array);
    asdf_node_free(root);
    asdf_file_free(file);
    asdf_buffer_free(buffer);
    asdf_options_free(options);
    if (failed) asdf_error_print("other_names");
    return failed;
}
