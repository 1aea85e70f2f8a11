/* Reads a column with missing values of an ECSV table: read_table TABLE */
#include <asdf.h>
#include <stdio.h>

static int report(void) {
    asdf_error_print(NULL);
    return 1;
}

int main(int argc, char **argv) {
    asdf_table *table = NULL;
    asdf_buffer *values = NULL, *mask = NULL;
    const void *flux, *missing;
    size_t size, rows;
    if (argc != 2) return 2;
    if (asdf_table_read_ecsv(argv[1], NULL, &table)) return report();
    if (asdf_table_load_column(table, "flux", 0, -1, ASDF_FLOAT64, NULL, &values, &mask)) return report();
    if (asdf_buffer_bytes(values, &flux, &size) || asdf_buffer_bytes(mask, &missing, &rows)) return report();
    for (size_t row = 0; row < rows; row++) {
        if (((const uint8_t *)missing)[row])
            printf("missing\n");
        else
            printf("%g\n", ((const double *)flux)[row]);
    }
    asdf_buffer_free(mask);
    asdf_buffer_free(values);
    asdf_table_free(table);
    return 0;
}
