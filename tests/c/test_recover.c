/* Recovering data from a truncated file, and the report of the losses. */
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

/* Recovers again, over the previous result. */
static asdf_report *recovered(int what) {
    asdf_report *losses = NULL;
    asdf_options *options = replacing();
    OK(asdf_file_recover("damaged.asdf", "recovered.asdf", what, options, &losses));
    asdf_options_free(options);
    return losses;
}

/* Returns the loss with this code for this array. */
static int64_t find(const asdf_report *losses, const char *code, const char *path) {
    for (int64_t i = 0; i < report_count(losses); i++) {
        char found[64] = "", found_path[64] = "";
        OK(asdf_report_text(losses, i, ASDF_REPORT_CODE, found, sizeof found, NULL));
        asdf_report_text(losses, i, ASDF_REPORT_PATH, found_path, sizeof found_path, NULL);
        if (strcmp(found, code) == 0 && strcmp(found_path, path) == 0) return i;
    }
    return -1;
}

int main(void) {
    const int64_t shape[] = {10, 2};
    double numbers[20], found[20];
    int64_t first = 0, payload = 0, extents[2] = {0};
    int32_t rank = 0;
    asdf_node *root = NULL;
    asdf_array *array = NULL;
    asdf_report *losses = NULL;
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

    losses = recovered(0);
    CHECK(report_count(losses) == 0);
    asdf_report_free(losses);

    /* Five and a half rows of the first array are left, and nothing of the second. */
    put("damaged.asdf", (size_t)payload + 88);
    FAILS(ASDF_ERR_FILE_EXISTS, asdf_file_recover("damaged.asdf", "recovered.asdf", 0, NULL, &losses));
    CHECK(losses == NULL);
    losses = recovered(0);
    CHECK(report_count(losses) == 4);
    int64_t end = find(losses, "L-ARRAY-END", "/a"), lost = find(losses, "L-ARRAY", "/b");
    CHECK(report_int(losses, end, ASDF_REPORT_KIND) == ASDF_REPORT_KIND_LOSS);
    CHECK(report_int(losses, end, ASDF_REPORT_SEVERITY) == ASDF_SEVERITY_ERROR);
    CHECK(report_int(losses, end, ASDF_REPORT_BLOCK) == 0 && report_int(losses, end, ASDF_REPORT_ROWS) == 5);
    TEXT("array /a, block 0: 5 of 10 rows are left", asdf_report_text, losses, end, ASDF_REPORT_ENTRY);
    TEXT("5 of 10 rows are left", asdf_report_text, losses, end, ASDF_REPORT_MESSAGE);
    CHECK(report_int(losses, lost, ASDF_REPORT_BLOCK) == 1 && report_int(losses, lost, ASDF_REPORT_ROWS) == -1);
    int64_t block_end = find(losses, "L-BLOCK-END", "");
    CHECK(report_int(losses, block_end, ASDF_REPORT_BLOCK) == 0);
    CHECK(report_int(losses, block_end, ASDF_REPORT_OFFSET) == first);
    CHECK(report_int(losses, block_end, ASDF_REPORT_BYTES) == 160 - 88);
    int64_t block = find(losses, "L-BLOCK", "");
    CHECK(report_int(losses, block, ASDF_REPORT_BLOCK) == 1 && report_int(losses, block, ASDF_REPORT_OFFSET) == -1);
    CHECK(report_int(losses, block, ASDF_REPORT_BYTES) == -1);
    asdf_report_free(losses);

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

    losses = recovered(ASDF_RECOVER_WHOLE_BLOCKS);
    CHECK(find(losses, "L-ARRAY", "/a") >= 0);
    asdf_report_free(losses);

    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_recover("damaged.asdf", "x.asdf", 2, NULL, &losses));
    FAILS(ASDF_ERR_FILE_NOT_FOUND, asdf_file_recover("missing.asdf", "x.asdf", 0, NULL, &losses));
    asdf_options *replace = replacing();
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_recover("damaged.asdf", "damaged.asdf", 0, replace, &losses));
    /* The report is optional. */
    OK(asdf_file_recover("damaged.asdf", "recovered.asdf", 0, replace, NULL));
    asdf_options_free(replace);
    put("damaged.asdf", 30);
    FAILS(ASDF_ERR_TRUNCATED, asdf_file_recover("damaged.asdf", "x.asdf", 0, NULL, &losses));
    CHECK(fopen("x.asdf", "rb") == NULL);
    return report();
}
