/* Reads a column of times of an ECSV table: read_times TABLE */
#include <asdf.h>
#include <stdio.h>

#define ROWS 100

static int report(void) {
    asdf_error_print(NULL);
    return 1;
}

int main(int argc, char **argv) {
    asdf_table *table = NULL;
    asdf_time *start = NULL;
    int64_t rows, nanoseconds[ROWS];
    if (argc != 2) return 2;
    if (asdf_table_read_ecsv(argv[1], NULL, &table) || asdf_table_time(table, "start", NULL, &start)) return report();
    if (asdf_time_count(start, &rows)) return report();
    if (asdf_time_read_nanoseconds(start, ASDF_TIME_SCALE_UTC, nanoseconds, NULL, ROWS)) return report();
    for (int64_t row = 0; row < rows; row++) {
        if (nanoseconds[row] == INT64_MIN)
            puts("missing");
        else
            printf("%.3f s of UTC since 1970\n", 1e-9 * (double)nanoseconds[row]);
    }
    asdf_time_free(start);
    asdf_table_free(table);
    return 0;
}
