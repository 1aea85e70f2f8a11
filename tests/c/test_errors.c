/* Statuses, the details of errors, versions. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <fcntl.h>
#include <unistd.h>

static void versions(void) {
    int32_t major = -1, minor = -1, patch = -1;
    char text[32];
    asdf_library_version_numbers(&major, &minor, &patch);
    CHECK(major == ASDF_VERSION_MAJOR && minor == ASDF_VERSION_MINOR && patch == ASDF_VERSION_PATCH);
    asdf_library_version_numbers(NULL, NULL, NULL);
    snprintf(text, sizeof text, "%d.%d.%d", (int)major, (int)minor, (int)patch);
    CHECK(strcmp(asdf_library_version(), text) == 0);
    CHECK(asdf_library_abi() == ASDF_ABI && ASDF_ABI == 1);
}

static void names(void) {
    CHECK(strcmp(asdf_status_name(ASDF_OK), "ASDF_OK") == 0);
    CHECK(strcmp(asdf_status_name(ASDF_ERR_TRUNCATED), "ASDF_ERR_TRUNCATED") == 0);
    CHECK(strcmp(asdf_status_name(-1), "unknown status") == 0);
    CHECK(strcmp(asdf_status_name(123456), "unknown status") == 0);
}

static void nothing_failed_yet(void) {
    asdf_error_clear();
    CHECK(asdf_error_status() == ASDF_OK);
    TEXT("", asdf_error_message);
    TEXT("", asdf_error_message_from_one);
    for (int32_t field = ASDF_REPORT_SEVERITY; field <= ASDF_REPORT_OS_NUMBER; field++) CHECK(error_int(field) == -1);
    for (int32_t field = ASDF_REPORT_ENTRY; field <= ASDF_REPORT_NEW; field++) TEXT("", asdf_error_text, field);
}

static void details(void) {
    asdf_file *file = open_tree("meta:\n  name: NGC 1300\n");
    asdf_node *root = root_of(file);
    double value = 7;
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_node_get_f64(root, "meta/name", &value));
    CHECK(value == 7);

    CHECK(error_int(ASDF_REPORT_SEVERITY) == ASDF_SEVERITY_ERROR);
    CHECK(error_int(ASDF_REPORT_KIND) == ASDF_REPORT_KIND_ERROR);
    CHECK(error_int(ASDF_REPORT_OFFSET) == 105);
    CHECK(error_int(ASDF_REPORT_LINE) == 7 && error_int(ASDF_REPORT_COLUMN) == 9);
    CHECK(error_int(ASDF_REPORT_OS_NUMBER) == -1 && error_int(ASDF_REPORT_BLOCK) == -1);
    TEXT("/meta/name", asdf_error_text, ASDF_REPORT_PATH);
    TEXT("WRONG_TYPE", asdf_error_text, ASDF_REPORT_CODE);
    TEXT("", asdf_error_text, ASDF_REPORT_FILE);
    TEXT("", asdf_error_text, ASDF_REPORT_SUBJECT);
    TEXT("expected a number, found a string", asdf_error_text, ASDF_REPORT_MESSAGE);
    TEXT("7:9, byte 105, at /meta/name: expected a number, found a string", asdf_error_text, ASDF_REPORT_ENTRY);
    TEXT("7:9, byte 105, at /meta/name: expected a number, found a string", asdf_error_message);

    /* Successful calls, frees and the functions that return the details do not change them. */
    char tag[64];
    OK(asdf_node_tag(root, "", tag, sizeof tag, NULL));
    asdf_node_free(root);
    asdf_file_free(file);
    asdf_file_free(NULL);
    CHECK(asdf_error_message(NULL, 8, NULL) == ASDF_ERR_NULL_POINTER);
    CHECK(asdf_error_message_from_one(NULL, 8, NULL) == ASDF_ERR_NULL_POINTER);
    int64_t number = 7;
    CHECK(asdf_error_int(ASDF_REPORT_PATH, &number) == ASDF_ERR_INVALID_ARGUMENT);
    CHECK(asdf_error_int(0, &number) == ASDF_ERR_INVALID_ARGUMENT && number == 7);
    CHECK(asdf_error_text(ASDF_REPORT_LINE, tag, sizeof tag, NULL) == ASDF_ERR_INVALID_ARGUMENT);
    CHECK(asdf_error_text(-1, tag, sizeof tag, NULL) == ASDF_ERR_INVALID_ARGUMENT);
    CHECK(asdf_error_status() == ASDF_ERR_WRONG_TYPE);
}

/* Redirects standard error to a file, to read the printed message. */
static void printing(void) {
    asdf_file *file = NULL;
    FAILS(ASDF_ERR_FILE_NOT_FOUND, asdf_file_open("nothing.asdf", NULL, &file));
    int terminal = dup(2), redirected = open("printed.txt", O_CREAT | O_TRUNC | O_WRONLY, 0600);
    CHECK(terminal >= 0 && dup2(redirected, 2) == 2);
    asdf_error_print("program");
    asdf_error_print(NULL);
    asdf_error_clear();
    asdf_error_print("nothing failed");
    /* A success says that the failure was dealt with, unless it cleans up. */
    FAILS(ASDF_ERR_FILE_NOT_FOUND, asdf_file_open("nothing.asdf", NULL, &file));
    OK(asdf_file_new(NULL, &file));
    asdf_error_print("stale");
    FAILS(ASDF_ERR_NOT_FOUND, asdf_error_set(ASDF_ERR_NOT_FOUND, "the frame has no channels", ASDF_NUL_TERMINATED));
    OK(asdf_file_close(file));
    asdf_file_free(file);
    asdf_error_print("own");
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_error_set(ASDF_OK, "x", 1));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_error_set(-1, "x", 1));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_error_set(ASDF_ERR_NOT_FOUND, NULL, 5));
    asdf_error_clear();
    CHECK(dup2(terminal, 2) == 2);
    close(terminal);
    close(redirected);
    CHECK(asdf_error_status() == ASDF_OK);
    FILE *printed = fopen("printed.txt", "r");
    char line[256];
    CHECK(printed != NULL);
    CHECK(fgets(line, sizeof line, printed) != NULL && strncmp(line, "program: nothing.asdf: ", 23) == 0);
    CHECK(fgets(line, sizeof line, printed) != NULL && strncmp(line, "nothing.asdf: ", 14) == 0);
    CHECK(line[strlen(line) - 1] == '\n');
    CHECK(fgets(line, sizeof line, printed) != NULL && strcmp(line, "own: the frame has no channels\n") == 0);
    CHECK(fgets(line, sizeof line, printed) == NULL);
    fclose(printed);
}

static void short_buffers(void) {
    asdf_file *file = NULL;
    FAILS(ASDF_ERR_FILE_NOT_FOUND, asdf_file_open("d\303\251j\303\240.asdf", NULL, &file));
    TEXT("d\303\251j\303\240.asdf", asdf_error_text, ASDF_REPORT_FILE);
    CHECK(error_int(ASDF_REPORT_OS_NUMBER) > 0);

    char name[16];
    size_t needed = 0;
    memset(name, 'x', sizeof name);
    CHECK(asdf_error_text(ASDF_REPORT_FILE, name, 3, &needed) == ASDF_ERR_BUFFER_TOO_SMALL);
    CHECK(strcmp(name, "d") == 0 && needed == 11); /* half a character is none */
    CHECK(asdf_error_text(ASDF_REPORT_FILE, name, 1, NULL) == ASDF_ERR_BUFFER_TOO_SMALL && name[0] == '\0');
    CHECK(asdf_error_text(ASDF_REPORT_FILE, name, 12, &needed) == ASDF_OK && strlen(name) == 11);
    CHECK(asdf_error_message(NULL, 0, &needed) == ASDF_OK && needed > 11);
    CHECK(asdf_error_text(ASDF_REPORT_ENTRY, name, 2, NULL) == ASDF_ERR_BUFFER_TOO_SMALL);
    CHECK(asdf_error_text(ASDF_REPORT_PATH, NULL, 0, NULL) == ASDF_ERR_NULL_POINTER);
    CHECK(asdf_error_status() == ASDF_ERR_FILE_NOT_FOUND);
    asdf_error_clear();
    CHECK(asdf_error_status() == ASDF_OK);
}

static void columns(void) {
    static const char text[] = "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: n, datatype: int8}\nn\n1\n300\n";
    asdf_table *table = NULL;
    FAILS(ASDF_ERR_VALUE_RANGE, asdf_table_read_ecsv_memory(text, sizeof text - 1, NULL, &table));
    TEXT("n", asdf_error_text, ASDF_REPORT_SUBJECT);
    CHECK(error_int(ASDF_REPORT_LINE) == 7);
    char small[1];
    size_t needed;
    CHECK(asdf_error_text(ASDF_REPORT_SUBJECT, small, sizeof small, &needed) == ASDF_ERR_BUFFER_TOO_SMALL);
    CHECK(needed == 1 && !*small);

    OK(asdf_table_new(2, &table));
    const int32_t values[] = {1, 1000};
    OK(asdf_table_add_column(table, "wide", ASDF_INT32, 0, NULL, values, sizeof values, NULL, 0, NULL));
    int8_t narrow[2];
    FAILS(ASDF_ERR_OVERFLOW,
          asdf_table_read_column(table, "wide", 0, -1, ASDF_INT8, NULL, narrow, sizeof narrow, NULL, 0));
    TEXT("wide", asdf_error_text, ASDF_REPORT_SUBJECT);
    asdf_table_free(table);
}

static void counted_from_one(void) {
    static const double values[] = {0.5, 1000};
    static const int64_t shape[] = {2};
    asdf_array *array = NULL;
    asdf_file *file = NULL;
    int8_t narrow[2];
    OK(asdf_file_new(NULL, &file));
    asdf_node *root = root_of(file);
    OK(asdf_node_set_array(root, "data", ASDF_FLOAT64, 1, shape, values, sizeof values, NULL));
    OK(asdf_node_get_array(root, "data", &array));
    FAILS(ASDF_ERR_OVERFLOW, asdf_array_read(array, ASDF_INT8, NULL, narrow, sizeof narrow, NULL, 0));
    TEXT("at /data: element 0 is 0.5, which int8 cannot hold", asdf_error_message);
    TEXT("at /data: element 1 is 0.5, which int8 cannot hold", asdf_error_message_from_one);
    asdf_array_free(array);
    asdf_node_free(root);
    asdf_file_free(file);
    FAILS(ASDF_ERR_FILE_EXISTS, asdf_error_set(ASDF_ERR_FILE_EXISTS, "set 'replace' (ASDF_OPTION_REPLACE)", 35));
    TEXT("set 'replace'", asdf_error_message_from_one);
    asdf_error_clear();
}

int main(void) {
    versions();
    names();
    columns();
    nothing_failed_yet();
    details();
    short_buffers();
    printing();
    counted_from_one();
    return report();
}
