/* Reads a time, and converts it from UTC to TAI: read_time FILE */
#include <asdf.h>
#include <inttypes.h>
#include <stdio.h>

static int report(void) {
    asdf_error_print(NULL);
    return 1;
}

int main(int argc, char **argv) {
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    asdf_time *utc = NULL, *tai = NULL;
    int64_t nanoseconds;
    char text[40];
    if (argc != 2) return 2;
    if (asdf_file_open(argv[1], NULL, &file) || asdf_file_root(file, &root)) return report();
    if (asdf_node_get_time(root, "meta/exposure/start", NULL, &utc)) return report();
    if (asdf_time_convert(utc, ASDF_TIME_SCALE_TAI, &tai)) return report();
    if (asdf_time_text(tai, 0, ASDF_TIME_FORMAT_ISOT, 3, text, sizeof text, NULL)) return report();
    if (asdf_time_read_nanoseconds(utc, ASDF_TIME_SCALE_UTC, &nanoseconds, NULL, 1)) return report();
    printf("%s TAI, %" PRId64 " ns of UTC since 1970\n", text, nanoseconds);
    asdf_time_free(tai);
    asdf_time_free(utc);
    asdf_node_free(root);
    asdf_file_free(file);
    return 0;
}
