#include "harness.h"
#include <sys/stat.h>

int main(void) {
    put_image();
    asdf_file *file = NULL;
    OK(asdf_file_open("image.asdf", NULL, &file));
    mkdir("schemas", 0777);
    FILE *stream = fopen("schemas/a-1.0.0.yaml", "w");
    CHECK(stream && fputs("id: asdf://example.org/schemas/a-1.0.0\n", stream) >= 0 && fclose(stream) == 0);
#include "validate.block.c"
    CHECK(report_count(findings) == 0);
    asdf_report_free(findings);
    asdf_schemas_free(schemas);
    asdf_file_free(file);
    return report();
}
