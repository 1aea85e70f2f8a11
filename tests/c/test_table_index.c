/* Indices of tables in text: readers begin in the middle of a file. */
#include "check.h"

static const char header[] = "# %ECSV 1.0\n# ---\n# delimiter: ','\n# datatype:\n"
                             "# - {name: a, datatype: int64}\n# - {name: b, datatype: string}\na,b\n";

/* Writes a table of these records. */
static void write_text(const char *path, const char *records) {
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL && fputs(header, file) >= 0 && fputs(records, file) >= 0 && fclose(file) == 0);
}

int main(void) {
    const void *text = NULL;
    size_t size = 0;
    int64_t rows = -1, count = -1, number[2] = {0, 0};
    asdf_buffer *index = NULL;
    asdf_options *options = NULL;
    asdf_table *table = NULL;
    write_text("index.ecsv", "0,\"x\n\"\"y\n\"\r\n# \"\n1,z\n\n2,\"\n\"\n3,w");

    OK(asdf_table_index("index.ecsv", 2, NULL, &rows, &index));
    CHECK(rows == 4);
    OK(asdf_buffer_bytes(index, &text, &size));
    OK(asdf_options_new(&options));
    OK(asdf_options_set_text(options, ASDF_OPTION_TABLE_INDEX, text, size));
    for (int64_t first = 0; first < 5; first++) {
        OK(asdf_options_set_int(options, ASDF_OPTION_FIRST_ROW, first));
        OK(asdf_options_set_int(options, ASDF_OPTION_ROW_COUNT, 1));
        OK(asdf_table_read_ecsv("index.ecsv", options, &table));
        OK(asdf_table_row_count(table, &count));
        CHECK(count == (first < 4));
        if (count == 1) {
            OK(asdf_table_read_column(table, "a", 0, -1, ASDF_INT64, NULL, number, sizeof(int64_t), NULL, 0));
            CHECK(number[0] == first);
        }
        asdf_table_free(table);
    }
    asdf_buffer_free(index);

    /* The file is no longer the one that the index was made of. */
    write_text("index.ecsv", "0,\"x\n\"\"y\n\"\r\n# \"\n1,z\n\n2,\"\n\"\n3,ww");
    FAILS(ASDF_ERR_FILE_CHANGED, asdf_table_read_ecsv("index.ecsv", options, &table));
    OK(asdf_options_set_text(options, ASDF_OPTION_TABLE_INDEX, SIZED("no index")));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_read_ecsv("index.ecsv", options, &table));
    asdf_options_free(options);

    index = (asdf_buffer *)&index;
    rows = 7;
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_index("index.ecsv", -1, NULL, &rows, &index));
    CHECK(index == NULL && rows == 7);
    FAILS(ASDF_ERR_FILE_NOT_FOUND, asdf_table_index("none.ecsv", 0, NULL, &rows, &index));
    write_text("index.ecsv", "0,\"x\n");
    FAILS(ASDF_ERR_TRUNCATED, asdf_table_index("index.ecsv", 0, NULL, NULL, &index));
    remove("index.ecsv");
    return report();
}
