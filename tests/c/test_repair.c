/* Repairing the index and the checksums of a file. */
#include "check.h"

static const int all =
    ASDF_REPAIR_INDEX | ASDF_REPAIR_ABSENT_CHECKSUMS | ASDF_REPAIR_DECODED_CHECKSUMS | ASDF_REPAIR_WRONG_CHECKSUMS;

static char bytes[1 << 16];
static size_t size;

static void slurp(const char *name) {
    FILE *stream = fopen(name, "rb");
    if (!stream) exit(1);
    size = fread(bytes, 1, sizeof bytes, stream);
    fclose(stream);
}

static void put(const char *name, size_t count) {
    FILE *stream = fopen(name, "wb");
    if (!stream || fwrite(bytes, 1, count, stream) != count || fclose(stream) != 0) exit(1);
}

/* Returns the first offset of these bytes from `from` on. */
static size_t find(const char *part, size_t length, size_t from) {
    for (size_t at = from; at + length <= size; at++)
        if (memcmp(bytes + at, part, length) == 0) return at;
    fprintf(stderr, "nowhere\n");
    exit(1);
}

static void repair(asdf_status expected, int what, int has_index, int64_t has_checksums) {
    asdf_file *file = NULL;
    int32_t index = 7;
    int64_t checksums = 7;
    OK(asdf_file_open_for_update("repaired.asdf", NULL, &file));
    check_status(expected, asdf_file_repair(file, what, NULL, &index, &checksums), __FILE__, __LINE__, "repair");
    CHECK(index == has_index && checksums == has_checksums);
    if (expected == ASDF_OK) {
        OK(asdf_file_repair(file, what, NULL, &index, &checksums));
        CHECK(index == 0 && checksums == 0);
    }
    asdf_file_free(file);
}

int main(void) {
    const int64_t shape[] = {3};
    const double numbers[] = {1, 2, 3};
    static char whole[1 << 16];
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_repair(file, all, NULL, NULL, NULL));
    OK(asdf_node_set_array(root, "a", ASDF_FLOAT64, 1, shape, numbers, sizeof numbers, NULL));
    OK(asdf_node_set_array(root, "b", ASDF_FLOAT64, 1, shape, numbers, sizeof numbers, NULL));
    OK(asdf_file_write(file, "repaired.asdf", NULL));
    asdf_node_free(root);
    asdf_file_free(file);
    slurp("repaired.asdf");
    memcpy(whole, bytes, size);
    size_t whole_size = size, index = find("#ASDF BLOCK INDEX", 17, 0),
           first = find("\xD3"
                        "BLK",
                        4, 0);
    repair(ASDF_OK, all, 0, 0);

    /* Without an index, with a wrong one, with half of one. */
    put("repaired.asdf", index);
    repair(ASDF_OK, ASDF_REPAIR_ABSENT_CHECKSUMS, 0, 0);
    repair(ASDF_OK, ASDF_REPAIR_INDEX, 1, 0);
    slurp("repaired.asdf");
    CHECK(size == whole_size && memcmp(bytes, whole, size) == 0);
    bytes[find("- ", 2, index) + 2]++;
    put("repaired.asdf", size);
    repair(ASDF_OK, all, 1, 0);
    put("repaired.asdf", index + 25);
    repair(ASDF_OK, all, 1, 0);
    slurp("repaired.asdf");
    CHECK(size == whole_size && memcmp(bytes, whole, size) == 0);

    /* Without a checksum, with a wrong one. */
    memset(bytes + first + 38, 0, 16);
    put("repaired.asdf", size);
    repair(ASDF_OK, ASDF_REPAIR_INDEX | ASDF_REPAIR_WRONG_CHECKSUMS, 0, 0);
    repair(ASDF_OK, ASDF_REPAIR_ABSENT_CHECKSUMS, 0, 1);
    slurp("repaired.asdf");
    CHECK(size == whole_size && memcmp(bytes, whole, size) == 0);
    bytes[first + 40] ^= 1;
    put("repaired.asdf", size);
    repair(ASDF_OK, all & ~ASDF_REPAIR_WRONG_CHECKSUMS, 0, 0);
    repair(ASDF_OK, ASDF_REPAIR_WRONG_CHECKSUMS, 0, 1);
    slurp("repaired.asdf");
    CHECK(size == whole_size && memcmp(bytes, whole, size) == 0);

    /* Lost data are not repaired, and the file stays unchanged. */
    put("repaired.asdf", index - 1);
    repair(ASDF_ERR_TRUNCATED, all, 7, 7);
    slurp("repaired.asdf");
    CHECK(size == index - 1);
    memcpy(bytes, whole, whole_size);
    memcpy(bytes + index, "important", 9);
    put("repaired.asdf", whole_size);
    repair(ASDF_ERR_LAYOUT, all, 7, 7);

    OK(asdf_file_open_for_update("repaired.asdf", NULL, &file));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_repair(file, 16, NULL, NULL, NULL));
    root = root_of(file);
    OK(asdf_node_set_i64(root, "c", 1));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_repair(file, all, NULL, NULL, NULL));
    asdf_node_free(root);
    asdf_file_free(file);
    OK(asdf_file_open("repaired.asdf", NULL, &file));
    FAILS(ASDF_ERR_READ_ONLY, asdf_file_repair(file, all, NULL, NULL, NULL));
    asdf_file_free(file);
    return report();
}
