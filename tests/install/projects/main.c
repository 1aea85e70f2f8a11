/* First steps of a typical program: check the version, open a file, read one value. */
#include <asdf.h>
#include <stdio.h>

static int check(asdf_status status) {
    if (status == ASDF_OK) return 1;
    char message[512];
    asdf_error_message(message, sizeof message, NULL);
    fprintf(stderr, "%s\n", message);
    return 0;
}

int main(int argc, char **argv) {
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    double seconds = 0;
    int ok = argc == 2 && check(asdf_file_open(argv[1], NULL, &file)) && check(asdf_file_root(file, &root)) &&
             check(asdf_node_get_f64(root, "meta/exposure/time", &seconds));
    asdf_node_free(root);
    asdf_file_free(file);
    if (!ok) return 1;
    printf("asdfkit %s: %.1f s\n", asdf_library_version(), seconds);
    return 0;
}
