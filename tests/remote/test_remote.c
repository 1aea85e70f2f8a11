/* The C interface of libasdfkit_remote: test_remote URL, which names small.asdf. */
#include <asdf_remote.h>
#include <stdio.h>
#include <string.h>

static int failed = 0;

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            failed++;                                                                                                  \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                                    \
        }                                                                                                              \
    } while (0)

/* Reads a string of a file and frees the file. */
static void check_name(asdf_file *file, const char *expected) {
    asdf_node *root = NULL;
    char name[32] = "";
    size_t size = 0;
    CHECK(asdf_file_root(file, &root) == ASDF_OK);
    CHECK(asdf_node_get_string(root, "name", name, sizeof name, &size) == ASDF_OK);
    CHECK(strcmp(name, expected) == 0);
    asdf_node_free(root);
    asdf_file_free(file);
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    const char *url = argv[1];
    char message[512] = "";
    asdf_file *file = NULL;
    asdf_options *options = NULL;
    CHECK(asdf_remote_abi() == ASDF_REMOTE_ABI);
    CHECK(asdf_remote_load(NULL) == ASDF_OK);
    CHECK(asdf_remote_open(url, NULL, &file) == ASDF_OK);
    check_name(file, "small");

    /* The core finds the library by itself. */
    CHECK(asdf_file_open(url, NULL, &file) == ASDF_OK);
    char name[512] = "";
    CHECK(asdf_file_name(file, name, sizeof name, NULL) == ASDF_OK && strcmp(name, url) == 0);
    check_name(file, "small");

    CHECK(asdf_options_new(&options) == ASDF_OK);
    CHECK(asdf_options_set_text(options, ASDF_OPTION_REMOTE_SETTINGS, "retries=0\ncall_seconds=20", (size_t)-1) ==
          ASDF_OK);
    CHECK(asdf_remote_open(url, options, &file) == ASDF_OK);
    check_name(file, "small");

    /* Failures are those of the core, too. */
    CHECK(asdf_options_set_text(options, ASDF_OPTION_REMOTE_SETTINGS, "retries=many", (size_t)-1) == ASDF_OK);
    CHECK(asdf_remote_open(url, options, &file) == ASDF_ERR_INVALID_ARGUMENT && !file);
    CHECK(asdf_error_status() == ASDF_ERR_INVALID_ARGUMENT);
    CHECK(asdf_error_message(message, sizeof message, NULL) == ASDF_OK && strstr(message, "retries"));
    CHECK(asdf_remote_message(message, sizeof message, NULL) == ASDF_OK && strstr(message, "retries"));
    size_t needed = 0;
    CHECK(asdf_remote_message(message, 3, &needed) == ASDF_ERR_BUFFER_TOO_SMALL && needed > 3);
    CHECK(asdf_remote_open(NULL, NULL, &file) == ASDF_ERR_NULL_POINTER);
    CHECK(asdf_remote_open(url, NULL, NULL) == ASDF_ERR_NULL_POINTER);
    CHECK(asdf_remote_open("ftp://a/b", NULL, &file) == ASDF_ERR_INVALID_ARGUMENT);
    CHECK(asdf_file_open_for_update(url, NULL, &file) == ASDF_ERR_UNSUPPORTED);

    /* The source for any core. */
    asdf_read_ranges_callback read = NULL;
    asdf_close_callback close = NULL;
    void *source = NULL;
    int64_t length = 0, cost = 0;
    CHECK(asdf_remote_connect(url, NULL, &read, &close, &source, &length, &cost) == ASDF_OK);
    CHECK(length > 100 && cost == 1 << 20);
    CHECK(asdf_file_open_ranges(read, close, source, length, cost, NULL, NULL, &file) == ASDF_OK);
    check_name(file, "small");
    CHECK(asdf_remote_connect(url, "=", &read, &close, &source, &length, &cost) == ASDF_ERR_INVALID_ARGUMENT);
    CHECK(asdf_remote_connect(url, NULL, NULL, &close, &source, &length, &cost) == ASDF_ERR_NULL_POINTER);
    int64_t requests = 0, bytes = 0;
    CHECK(asdf_remote_statistics(&requests, &bytes, NULL) == ASDF_OK && requests >= 4 && bytes >= 4 * length);
    asdf_options_free(options);
    return failed > 0;
}
