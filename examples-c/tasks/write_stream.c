/* Writes spectra as they come: write_stream FILE */
#include <asdf.h>

static int report(void) {
    asdf_error_print(NULL);
    return 1;
}

int main(int argc, char **argv) {
    asdf_file *file = NULL;
    asdf_stream *spectra = NULL;
    const int64_t row[] = {4};
    if (argc != 2) return 2;
    if (asdf_file_new(NULL, &file)) return report();
    if (asdf_stream_create(file, argv[1], "spectra", ASDF_FLOAT32, 1, row, NULL, &spectra)) return report();
    for (int number = 0; number < 10; number++) {
        const float value = (float)number, spectrum[] = {value, value, value, value};
        if (asdf_stream_push(spectra, 1, spectrum, sizeof spectrum)) return report();
    }
    if (asdf_stream_finish(spectra)) return report(); /* the file gets its name */
    asdf_stream_free(spectra);
    asdf_file_free(file);
    return 0;
}
