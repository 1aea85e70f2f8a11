/* Recovering what is left of a file that was cut, and the report of what is not. */
#include "check.h"

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

static asdf_recovery *recovered(int what) {
    asdf_recovery *recovery = NULL;
    OK(asdf_file_recover("damaged.asdf", "recovered.asdf", what, NULL, &recovery));
    return recovery;
}

static int64_t losses_of(const asdf_recovery *recovery) {
    int64_t count = -1;
    OK(asdf_recovery_count(recovery, &count));
    return count;
}

/* The loss of this kind that is about this array. */
static int64_t find(const asdf_recovery *recovery, int32_t kind, const char *path) {
    for (int64_t i = 0; i < losses_of(recovery); i++) {
        char found[64] = "";
        int32_t found_kind = 0;
        OK(asdf_recovery_loss(recovery, i, &found_kind, NULL, NULL, NULL));
        OK(asdf_recovery_path(recovery, i, found, sizeof found, NULL));
        if (found_kind == kind && strcmp(found, path) == 0) return i;
    }
    return -1;
}

int main(void) {
    const int64_t shape[] = {10, 2};
    double numbers[20], found[20];
    int64_t first = 0, payload = 0, extents[2] = {0}, block = 0, offset = 0, missing = 0;
    int32_t rank = 0, kind = 0;
    asdf_node *root = NULL;
    asdf_array *array = NULL;
    asdf_recovery *recovery = NULL, *another = NULL;
    asdf_file *file = new_file(&root);
    for (int i = 0; i < 20; i++) numbers[i] = i;
    OK(asdf_node_set_array(root, "a", ASDF_FLOAT64, 2, shape, numbers, sizeof numbers, NULL));
    OK(asdf_node_set_array(root, "b", ASDF_FLOAT64, 2, shape, numbers, sizeof numbers, NULL));
    OK(asdf_file_write(file, "damaged.asdf", NULL));
    asdf_node_free(root);
    asdf_file_free(file);
    OK(asdf_file_open("damaged.asdf", NULL, &file));
    OK(asdf_file_block_offset(file, 0, &first));
    OK(asdf_file_block_payload_offset(file, 0, &payload));
    asdf_file_free(file);
    slurp("damaged.asdf");
    remove("recovered.asdf");

    recovery = recovered(0);
    CHECK(losses_of(recovery) == 0);
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_recovery_loss(recovery, 0, &kind, NULL, NULL, NULL));
    asdf_recovery_free(recovery);

    /* Five rows and a half of the first array are there, and nothing of the second. */
    put("damaged.asdf", (size_t)payload + 88);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_recover("damaged.asdf", "recovered.asdf", 0, NULL, &recovery));
    CHECK(recovery == NULL);
    recovery = recovered(ASDF_RECOVER_REPLACE);
    CHECK(find(recovery, ASDF_LOSS_ARRAY_END, "/a") >= 0 && find(recovery, ASDF_LOSS_ARRAY, "/b") >= 0);
    OK(asdf_recovery_loss(recovery, find(recovery, ASDF_LOSS_BLOCK_END, ""), &kind, &block, &offset, &missing));
    CHECK(block == 0 && offset == first && missing == 160 - 88);
    OK(asdf_recovery_loss(recovery, find(recovery, ASDF_LOSS_BLOCK, ""), &kind, &block, &offset, &missing));
    CHECK(block == 1 && offset == -1 && missing == -1);
    TEXT("array /a, block 0: 5 of 10 rows are there", asdf_recovery_text, recovery,
         find(recovery, ASDF_LOSS_ARRAY_END, "/a"));
    char little[4];
    size_t needed = 0;
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_recovery_text(recovery, 0, little, sizeof little, &needed));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_recovery_text(recovery, -1, NULL, 0, &needed));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_recovery_path(recovery, 99, NULL, 0, &needed));
    OK(asdf_recovery_retain(recovery, &another));
    asdf_recovery_free(recovery);
    CHECK(losses_of(another) == 4);
    asdf_recovery_free(another);

    OK(asdf_file_open("recovered.asdf", NULL, &file));
    root = root_of(file);
    OK(asdf_node_get_array(root, "a", &array));
    OK(asdf_array_shape(array, extents, 2, &rank));
    CHECK(rank == 2 && extents[0] == 5 && extents[1] == 2);
    OK(asdf_array_read(array, ASDF_FLOAT64, NULL, found, 80, NULL, 0));
    CHECK(memcmp(found, numbers, 80) == 0);
    asdf_array_free(array);
    FAILS(ASDF_ERR_BOUNDS, asdf_node_get_array(root, "b", &array));
    asdf_node_free(root);
    asdf_file_free(file);

    recovery = recovered(ASDF_RECOVER_REPLACE | ASDF_RECOVER_WHOLE_BLOCKS);
    CHECK(find(recovery, ASDF_LOSS_ARRAY, "/a") >= 0);
    asdf_recovery_free(recovery);

    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_recover("damaged.asdf", "x.asdf", 4, NULL, &recovery));
    FAILS(ASDF_ERR_FILE_NOT_FOUND, asdf_file_recover("missing.asdf", "x.asdf", 0, NULL, &recovery));
    FAILS(ASDF_ERR_INVALID_ARGUMENT,
          asdf_file_recover("damaged.asdf", "damaged.asdf", ASDF_RECOVER_REPLACE, NULL, &recovery));
    put("damaged.asdf", 30);
    FAILS(ASDF_ERR_TRUNCATED, asdf_file_recover("damaged.asdf", "x.asdf", 0, NULL, &recovery));
    CHECK(fopen("x.asdf", "rb") == NULL);
    return report();
}
