/* Opens a file of somebody else with tight limits, and compares all checksums: open_untrusted FILE */
#include <asdf.h>
#include <stdio.h>

int main(int argc, char **argv) {
    asdf_options *options = NULL;
    asdf_file *file = NULL;
    int64_t absent = 0;
    if (argc != 2) return 2;
    int failed = asdf_options_new(&options) || asdf_options_set_int(options, ASDF_OPTION_LIMIT_TREE_BYTES, 1 << 20) ||
                 asdf_options_set_int(options, ASDF_OPTION_LIMIT_DEPTH, 50) ||
                 asdf_options_set_int(options, ASDF_OPTION_LIMIT_DECODED_BYTES, 64 << 20) ||
                 asdf_file_open(argv[1], options, &file) || asdf_file_verify(file, NULL, &absent, NULL, NULL);
    if (failed) {
        asdf_error_print("refused");
        return 1;
    }
    printf("accepted; %lld blocks have no checksum\n", (long long)absent);
    asdf_options_free(options);
    asdf_file_free(file);
    return 0;
}
