/* Decides by the status of a call, and prints the place of an error: handle_errors FILE */
#include <asdf.h>
#include <stdio.h>

static int report(void) {
    asdf_error_print(NULL);
    return 1;
}

int main(int argc, char **argv) {
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    int64_t line;
    double seconds;
    if (argc != 2) return 2;
    if (asdf_file_open(argv[1], NULL, &file) || asdf_file_root(file, &root)) return report();
    if (asdf_node_get_f64(root, "meta/exposure/start", &seconds) == ASDF_ERR_WRONG_TYPE) {
        if (asdf_error_int(ASDF_REPORT_LINE, &line)) return report();
        printf("line %lld is no number\n", (long long)line);
        report();
    }
    asdf_node_free(root);
    asdf_file_free(file);
    return 0;
}
