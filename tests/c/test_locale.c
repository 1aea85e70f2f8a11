/* Numbers and keys in files are the same in every locale of the program. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include <locale.h>

/* Reads and writes numbers and keys. */
static void read_and_write(void) {
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

    /* In Turkish, the small letter of I is not i. */
    static const char words[] = "#ASDF 1.0.0\n%YAML 1.1\n---\nI: TRUE\ni: .INF\nd: 1.0E+2\n\xc4\xb1: \xc3\xa9\n...\n";
    int32_t truth = 0;
    OK(asdf_file_open_memory(words, sizeof words - 1, NULL, &file));
    root = root_of(file);
    OK(asdf_node_get_bool(root, "I", &truth));
    CHECK(truth == 1);
    OK(asdf_node_get_f64(root, "i", &value));
    CHECK(value > 1e308);
    OK(asdf_node_get_f64(root, "d", &value));
    CHECK(value == 100);
    TEXT("\xc3\xa9", asdf_node_get_string, root, "\xc4\xb1");
    asdf_node_free(root);
    asdf_file_free(file);

    asdf_table *table = NULL;
    static const char rows[] = "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: a, datatype: float64}\na\n1.5\n-2.25\n";
    OK(asdf_table_read_ecsv_memory(rows, sizeof rows - 1, NULL, &table));
    remove("locale.ecsv");
    OK(asdf_table_write_ecsv(table, "locale.ecsv", NULL));
    char back[200] = "";
    FILE *stream = fopen("locale.ecsv", "rb");
    CHECK(stream && fread(back, 1, sizeof back - 1, stream) > 0 && strstr(back, "\n1.5\n-2.25\n"));
    if (stream) fclose(stream);
    asdf_table_free(table);

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
}

/* Languages whose numbers have a comma or other digits, whose letters have other capitals, and whose texts have other
 * encodings. */
static const struct {
    const char *locale, *language, *charset, *half;
} locales[] = {
    {"de_DE.UTF-8", "de_DE", "UTF-8", "1,5"},   {"fr_FR.ISO-8859-1", "fr_FR", "ISO-8859-1", "1,5"},
    {"tr_TR.UTF-8", "tr_TR", "UTF-8", "1,5"},   {"fa_IR.UTF-8", "fa_IR", "UTF-8", NULL},
    {"ja_JP.EUC-JP", "ja_JP", "EUC-JP", "1.5"},
};

int main(void) {
    read_and_write();
    int tried = 0;
    if (setenv("LOCPATH", ".", 1)) return 1;
    for (size_t i = 0; i < sizeof locales / sizeof *locales; i++) {
        /* Made here, because the system may have none. If that fails, there is nothing to test. */
        char command[200], text[64];
        snprintf(command, sizeof command, "localedef -i %s -f %s ./%s >/dev/null 2>&1", locales[i].language,
                 locales[i].charset, locales[i].locale);
        if (system(command) == -1 || !setlocale(LC_ALL, locales[i].locale)) {
            fprintf(stderr, "skipped: there is no locale %s\n", locales[i].locale);
            continue;
        }
        tried++;
        snprintf(text, sizeof text, "%.1f", 1.5);
        CHECK(!locales[i].half || strcmp(text, locales[i].half) == 0);
        read_and_write();
    }
    printf("%d locales\n", tried);
    return report();
}
