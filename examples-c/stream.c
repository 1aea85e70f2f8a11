/* Writes spectra as they come; their number is not known in advance: stream FILE */
#include <asdf.h>
#include <stdio.h>

#define CHANNELS 2048

static int report(const char *what) {
    char message[512] = "";
    asdf_error_message(message, sizeof message, NULL);
    fprintf(stderr, "%s: %s\n", what, message);
    return 1;
}

/* Simulates an instrument. */
static int next_spectrum(float *spectrum) {
    static int count = 0;
    for (int channel = 0; channel < CHANNELS; channel++) spectrum[channel] = (float)(count * channel);
    return count++ < 1000;
}

int main(int argc, char **argv) {
    const int64_t row[] = {CHANNELS};
    float spectrum[CHANNELS];
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    asdf_stream *stream = NULL;
    if (argc != 2) return fprintf(stderr, "usage: %s FILE\n", argv[0]), 2;
    if (asdf_file_new(NULL, &file) || asdf_file_root(file, &root) ||
        asdf_node_set_string(root, "meta/instrument", "spectrograph", 12) ||
        asdf_stream_create(file, argv[1], "spectra", ASDF_FLOAT32, 1, row, NULL, &stream))
        return report("beginning");
    while (next_spectrum(spectrum)) {
        if (asdf_stream_push(stream, 1, spectrum, sizeof spectrum)) return report("writing");
    }
    if (asdf_stream_finish(stream)) return report("finishing");
    asdf_stream_free(stream);
    asdf_node_free(root);
    asdf_file_free(file);
    return 0;
}
