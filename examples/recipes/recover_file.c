/* Saves what a damaged file still holds, and lists what is lost: recover_file DAMAGED NEW */
#include <asdf.h>
#include <stdio.h>

int main(int argc, char **argv) {
    asdf_report *losses = NULL;
    int64_t count = 0;
    if (argc != 3) return 2;
    if (asdf_file_recover(argv[1], argv[2], 0, NULL, &losses) || asdf_report_count(losses, &count, NULL)) {
        asdf_error_print(NULL);
        return 1;
    }
    for (int64_t i = 0; i < count; i++) {
        char text[512] = "(too long)";
        asdf_report_text(losses, i, ASDF_REPORT_ENTRY, text, sizeof text, NULL);
        puts(text);
    }
    asdf_report_free(losses);
    return 0;
}
