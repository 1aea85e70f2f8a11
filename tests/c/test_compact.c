/* Compacting a file: unused blocks are dropped, and the others get new numbers. */
#include "check.h"

static int64_t blocks_of(const asdf_file *file) {
    int64_t count = -1;
    OK(asdf_file_block_count(file, &count));
    return count;
}

/* Returns 1 if a file has this byte 32 times in a row. */
static int has_run(const char *path, int byte) {
    FILE *stream = fopen(path, "rb");
    int run = 0, longest = 0, next = 0;
    CHECK(stream != NULL);
    while (stream && (next = fgetc(stream)) != EOF) {
        run = next == byte ? run + 1 : 0;
        if (run > longest) {
            longest = run;
        }
    }
    if (stream) {
        fclose(stream);
    }
    return longest >= 32;
}

static long size_of(const char *path) {
    FILE *stream = fopen(path, "rb");
    long size = -1;
    if (stream && fseek(stream, 0, SEEK_END) == 0) {
        size = ftell(stream);
    }
    if (stream) {
        fclose(stream);
    }
    CHECK(size > 0);
    return size;
}

/* Removed data goes, also from a file that does not become smaller. The rest of the file needs more alignment then. */
static void drop_small_block(void) {
    const int64_t shape[] = {32};
    char secret[32];
    memset(secret, 'S', sizeof secret);
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
    OK(asdf_node_set_array(root, "secret", ASDF_UINT8, 1, shape, secret, sizeof secret, NULL));
    OK(asdf_node_set_array(root, "open", ASDF_UINT8, 1, shape, "0123456789abcdef0123456789abcdef", 32, NULL));
    OK(asdf_file_write(file, "secret.asdf", NULL));
    asdf_node_free(root);
    asdf_file_free(file);
    CHECK(has_run("secret.asdf", 'S'));

    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_TREE_SLACK, 4096));
    OK(asdf_file_open_for_update("secret.asdf", NULL, &file));
    root = root_of(file);
    OK(asdf_node_remove(root, "secret"));
    OK(asdf_file_save(file, NULL));
    CHECK(blocks_of(file) == 2 && has_run("secret.asdf", 'S'));
    OK(asdf_file_compact(file, options));
    CHECK(blocks_of(file) == 1 && !has_run("secret.asdf", 'S'));
    asdf_node_free(root);
    asdf_file_free(file);

    /* Without unused blocks, the file does not grow. */
    const long size = size_of("secret.asdf");
    OK(asdf_options_set_int(options, ASDF_OPTION_TREE_SLACK, 65536));
    OK(asdf_file_open_for_update("secret.asdf", NULL, &file));
    OK(asdf_file_compact(file, options));
    asdf_file_free(file);
    CHECK(size_of("secret.asdf") == size);
    asdf_options_free(options);
}

int main(void) {
    drop_small_block();
    const int64_t shape[] = {3};
    const double numbers[] = {1, 2, 3};
    double found[3] = {0};
    asdf_node *root = NULL;
    asdf_array *array = NULL;
    asdf_file *file = new_file(&root);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_compact(file, NULL));
    for (int i = 0; i < 3; i++) {
        const char *const names[] = {"a", "b", "c"};
        OK(asdf_node_set_array(root, names[i], ASDF_FLOAT64, 1, shape, numbers, sizeof numbers, NULL));
    }
    OK(asdf_file_write(file, "compact.asdf", NULL));
    asdf_node_free(root);
    asdf_file_free(file);

    OK(asdf_file_open_for_update("compact.asdf", NULL, &file));
    root = root_of(file);
    OK(asdf_node_remove(root, "b"));
    OK(asdf_file_save(file, NULL));
    CHECK(blocks_of(file) == 3);
    OK(asdf_file_compact(file, NULL));
    CHECK(blocks_of(file) == 2);
    int64_t number = -1;
    OK(asdf_node_get_array(root, "c", &array));
    OK(asdf_array_block(array, &number));
    OK(asdf_array_read(array, ASDF_FLOAT64, NULL, found, sizeof found, NULL, 0));
    CHECK(number == 1 && memcmp(found, numbers, sizeof found) == 0);
    asdf_array_free(array);

    /* A failed setter prevents writing, so that no file is incomplete by mistake. */
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_node_set_i64(root, "a/source/x", 1));
    FAILS(ASDF_ERR_INCOMPLETE, asdf_file_compact(file, NULL));
    OK(asdf_file_close(file));
    FAILS(ASDF_ERR_CLOSED, asdf_file_compact(file, NULL));
    asdf_node_free(root);
    asdf_file_free(file);

    OK(asdf_file_open("compact.asdf", NULL, &file));
    FAILS(ASDF_ERR_READ_ONLY, asdf_file_compact(file, NULL));
    asdf_file_free(file);
    return report();
}
