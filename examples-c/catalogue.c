/* Reads a catalogue in ECSV, prints its fluxes, and writes a table of the bright sources:
 *
 *     catalogue [INPUT [OUTPUT]]
 */
#include <asdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(asdf_status status, const char *what) {
    if (status == ASDF_OK) return;
    char message[512];
    asdf_error_message(message, sizeof message, NULL);
    fprintf(stderr, "%s: %s\n", what, message); /* line, column and reason */
    exit(1);
}

int main(int argc, char **argv) {
    const char *input = argc > 1 ? argv[1] : "catalogue.ecsv";
    const char *output = argc > 2 ? argv[2] : "bright.ecsv";
    asdf_table *table = NULL, *bright = NULL;
    int64_t rows, count = 0;
    char unit[64];
    check(asdf_table_read_ecsv(input, NULL, &table), input);
    check(asdf_table_row_count(table, &rows), "rows");
    check(asdf_table_column_unit(table, "flux", unit, sizeof unit, NULL), "flux"); /* empty if the column has no unit */

    size_t room = (size_t)rows + 1;
    double *flux = malloc(room * sizeof *flux), *bright_flux = malloc(room * sizeof *flux);
    uint8_t *missing = malloc(room);
    char name[64], *bright_names = malloc(room * sizeof name);
    int64_t *offsets = calloc(room + 1, sizeof *offsets); /* start of each bright name, and end of the last one */
    if (!flux || !bright_flux || !missing || !bright_names || !offsets) return 1;
    check(asdf_table_read_column(table, "flux", 0, -1, ASDF_FLOAT64, NULL, flux, room * sizeof *flux, missing, room),
          "flux");
    for (int64_t i = 0; i < rows; i++) {
        size_t length;
        check(asdf_table_read_text(table, "name", i, 0, NULL, name, sizeof name, &length), "name");
        if (missing[i]) {
            printf("%-12s not measured\n", name);
            continue;
        }
        printf("%-12s %g %s\n", name, flux[i], unit);
        if (flux[i] > 1) {
            memcpy(bright_names + offsets[count], name, length);
            offsets[count + 1] = offsets[count] + (int64_t)length;
            bright_flux[count++] = flux[i];
        }
    }

    size_t size = (size_t)count * sizeof *bright_flux;
    check(asdf_table_new(count, &bright), "new");
    check(asdf_table_add_text_column(bright, "name", ASDF_STRING, bright_names, (size_t)offsets[count], offsets,
                                     count + 1, NULL, 0),
          "name");
    check(asdf_table_add_column(bright, "flux", ASDF_FLOAT64, 0, NULL, bright_flux, size, NULL, 0, NULL), "flux");
    check(asdf_table_set_column_unit(bright, "flux", unit, strlen(unit)), "unit");
    check(asdf_table_write_ecsv(bright, output, NULL), output);
    free(offsets);
    free(bright_names);
    free(missing);
    free(bright_flux);
    free(flux);
    asdf_table_free(bright);
    asdf_table_free(table);
    return 0;
}
