/* Changes one cell in each table of a folder: cells FROM TO PLAN. A line of the plan has, divided by tabs, the name of
   the file, the column, the row, the kind of the value, and the value; see cells.py. */
#include <asdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 64

static void check(asdf_status status, const char *place) {
    if (status == ASDF_OK) return;
    asdf_error_print(place);
    exit(1);
}

static void change(asdf_table *table, const char *column, int64_t row, const char *kind, const char *value) {
    double numbers[MOST];
    size_t count = 0;
    if (strcmp(kind, "missing") == 0) {
        check(asdf_table_set_missing(table, column, row, 1), column);
    } else if (strcmp(kind, "text") == 0) {
        check(asdf_table_set_text(table, column, row, 0, value, strlen(value)), column);
    } else {
        char *end = NULL;
        for (const char *at = value; *at && count < MOST; at = end + (*end == ' ')) numbers[count++] = strtod(at, &end);
        uint8_t flags[MOST];
        for (size_t i = 0; i < count; i++) flags[i] = numbers[i] != 0;
        int32_t type = strcmp(kind, "complex") == 0 ? ASDF_COMPLEX128 : ASDF_FLOAT64;
        asdf_status status =
            strcmp(kind, "flags") == 0
                ? asdf_table_set_cells(table, column, row, 1, ASDF_BOOL8, flags, count, NULL, 0, NULL)
                : asdf_table_set_cells(table, column, row, 1, type, numbers, count * sizeof *numbers, NULL, 0, NULL);
        check(status, column);
    }
}

static void change_asdf(const char *from, const char *to, char **fields) {
    asdf_file *source = NULL, *made = NULL;
    asdf_node *root = NULL, *target = NULL;
    asdf_table *table = NULL;
    check(asdf_file_open(from, NULL, &source), from);
    check(asdf_file_root(source, &root), from);
    check(asdf_node_get_table(root, "t", NULL, &table), from);
    change(table, fields[1], atoll(fields[2]), fields[3], fields[4]);
    check(asdf_file_new(NULL, &made), to);
    check(asdf_file_root(made, &target), to);
    check(asdf_node_set_table(target, "t", table, NULL), to);
    check(asdf_file_write(made, to, NULL), to);
    asdf_table_free(table);
    asdf_node_free(target);
    asdf_file_free(made);
    asdf_node_free(root);
    asdf_file_free(source);
}

static void change_ecsv(const char *from, const char *to, char **fields) {
    asdf_table *table = NULL;
    check(asdf_table_read_ecsv(from, NULL, &table), from);
    change(table, fields[1], atoll(fields[2]), fields[3], fields[4]);
    check(asdf_table_write_ecsv(table, to, NULL), to);
    asdf_table_free(table);
}

int main(int count, char **arguments) {
    char line[4096], from[1024], to[1024];
    FILE *plan = count == 4 ? fopen(arguments[3], "r") : NULL;
    if (!plan) return 1;
    while (fgets(line, sizeof line, plan)) {
        char *fields[5] = {line};
        line[strcspn(line, "\n")] = 0;
        for (int i = 1; i < 5; i++) {
            fields[i] = strchr(fields[i - 1], '\t');
            if (!fields[i]) return 1;
            *fields[i]++ = 0;
        }
        snprintf(from, sizeof from, "%s/%s", arguments[1], fields[0]);
        snprintf(to, sizeof to, "%s/%s", arguments[2], fields[0]);
        if (strstr(fields[0], ".asdf"))
            change_asdf(from, to, fields);
        else
            change_ecsv(from, to, fields);
    }
    return fclose(plan);
}
