/* Reads a column of angles in hours instead of degrees: read_in_unit TABLE */
#include <asdf.h>
#include <stdio.h>

static int report(void) {
    asdf_error_print(NULL);
    return 1;
}

int main(int argc, char **argv) {
    asdf_table *table = NULL;
    asdf_options *options = NULL;
    asdf_buffer *values = NULL;
    const void *hours;
    size_t size;
    if (argc != 2) return 2;
    if (asdf_table_read_ecsv(argv[1], NULL, &table) || asdf_options_new(&options)) return report();
    if (asdf_options_set_text(options, ASDF_OPTION_UNIT, "hourangle", 9)) return report();
    if (asdf_table_load_column(table, "ra", 0, -1, ASDF_FLOAT64, options, &values, NULL)) return report();
    if (asdf_buffer_bytes(values, &hours, &size)) return report();
    for (size_t row = 0; row < size / sizeof(double); row++) printf("%.4f h\n", ((const double *)hours)[row]);
    asdf_buffer_free(values);
    asdf_options_free(options);
    asdf_table_free(table);
    return 0;
}
