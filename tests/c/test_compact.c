/* Compacting a file: unused blocks are dropped, and the others get new numbers. */
#include "check.h"

static int64_t blocks_of(const asdf_file *file) {
    int64_t count = -1;
    OK(asdf_file_block_count(file, &count));
    return count;
}

int main(void) {
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
