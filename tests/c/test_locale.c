/* Numbers in files have a decimal point in every locale of the program. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include <locale.h>

int main(void) {
    /* A German locale made here, because the system may have none. If that fails, there is nothing to test. */
    if (system("localedef -i de_DE -f UTF-8 ./de_DE.UTF-8 >/dev/null 2>&1") == -1 || setenv("LOCPATH", ".", 1) ||
        !setlocale(LC_ALL, "de_DE.UTF-8")) {
        fprintf(stderr, "skipped: there is no German locale\n");
        return 0;
    }
    char text[64];
    snprintf(text, sizeof text, "%.1f", 1.5);
    CHECK(strcmp(text, "1,5") == 0);

    static const char written[] = "#ASDF 1.0.0\n%YAML 1.1\n---\na: 1.5\nb: 1,5\nc: 1.5e+3\n"
                                  "d: [0.5, 2.25]\ne: 1_000.5\n...\n";
    asdf_file *file = NULL;
    OK(asdf_file_open_memory(written, sizeof written - 1, NULL, &file));
    asdf_node *root = root_of(file);
    double value = 0, values[2] = {0, 0};
    asdf_array *array = NULL;
    OK(asdf_node_get_f64(root, "a", &value));
    CHECK(value == 1.5);
    TEXT("1,5", asdf_node_get_string, root, "b");
    OK(asdf_node_get_f64(root, "c", &value));
    CHECK(value == 1500);
    OK(asdf_node_get_f64(root, "e", &value));
    CHECK(value == 1000.5);
    OK(asdf_node_get_array(root, "d", &array));
    OK(asdf_array_read(array, ASDF_FLOAT64, NULL, values, sizeof values, NULL, 0));
    CHECK(values[0] == 0.5 && values[1] == 2.25);
    asdf_array_free(array);
    asdf_node_free(root);
    asdf_file_free(file);

    const int64_t shape[] = {2};
    asdf_options *inline_array = NULL;
    file = new_file(&root);
    OK(asdf_node_set_f64(root, "a", 1.5));
    OK(asdf_node_set_complex(root, "b", -0.5, 2.5));
    OK(asdf_options_new(&inline_array));
    OK(asdf_options_set_int(inline_array, ASDF_OPTION_STORAGE, ASDF_STORAGE_INLINE));
    OK(asdf_node_set_array(root, "c", ASDF_FLOAT64, 1, shape, values, sizeof values, inline_array));
    TEXT("1.5", asdf_node_get_text, root, "a");
    TEXT("-0.5+2.5i", asdf_node_get_text, root, "b");
    TEXT("0.5", asdf_node_get_text, root, "c/data/0");
    asdf_options_free(inline_array);
    asdf_node_free(root);
    asdf_file_free(file);
    return report();
}
