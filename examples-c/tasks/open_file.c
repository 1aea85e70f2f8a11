/* Opens a file, prints the version of its format, closes it: open_file FILE */
#include <asdf.h>
#include <stdio.h>

static int report(void) {
    asdf_error_print(NULL);
    return 1;
}

int main(int argc, char **argv) {
    asdf_file *file = NULL;
    char version[32];
    if (argc != 2) return 2;
    if (asdf_file_open(argv[1], NULL, &file)) return report();
    if (asdf_file_format_version(file, version, sizeof version, NULL)) return report();
    printf("%s\n", version);
    asdf_file_free(file);
    return 0;
}
