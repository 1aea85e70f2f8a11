/* Describes the content of a file in NDL: describe_content FILE */
#include <asdf.h>
#include <stdio.h>

static int report(void) {
    asdf_error_print(NULL);
    return 1;
}

int main(int argc, char **argv) {
    asdf_file *file = NULL;
    asdf_ndl *description = NULL;
    asdf_buffer *text = NULL;
    const void *bytes;
    size_t size;
    if (argc != 2) return 2;
    if (asdf_file_open(argv[1], NULL, &file) || asdf_ndl_describe(file, NULL, &description)) return report();
    if (asdf_ndl_export(description, ASDF_NDL_FORMAT_TEXT, NULL, NULL, &text) || asdf_buffer_bytes(text, &bytes, &size))
        return report();
    fwrite(bytes, 1, size, stdout);
    asdf_buffer_free(text);
    asdf_ndl_free(description);
    asdf_file_free(file);
    return 0;
}
