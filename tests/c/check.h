/* The checks of the C tests. A program includes this once, and ends with `return report();`. */
#ifndef CHECK_H
#define CHECK_H

#include <asdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int checks_failed = 0;
static asdf_options *typed_options = NULL;

/* Checks that the condition holds. */
#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            checks_failed++;                                                                                           \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                                    \
        }                                                                                                              \
    } while (0)

/* Checks that the call succeeds. */
#define OK(call) check_status(ASDF_OK, (call), __FILE__, __LINE__, #call)

/* Checks that the call fails with this status, and that the details have the same status. */
#define FAILS(expected, call) check_status(expected, (call), __FILE__, __LINE__, #call)

/* Returns the text that a call writes, whose last arguments are buffer, capacity and needed. */
#define TEXT(expected, ...)                                                                                            \
    do {                                                                                                               \
        char text_[256] = "?";                                                                                         \
        size_t needed_ = 0;                                                                                            \
        OK(CALL_(__VA_ARGS__, text_, sizeof text_, &needed_));                                                         \
        if (strcmp(text_, expected) != 0 || needed_ != strlen(expected)) {                                             \
            checks_failed++;                                                                                           \
            fprintf(stderr, "%s:%d: \"%s\" instead of \"%s\"\n", __FILE__, __LINE__, text_, expected);                 \
        }                                                                                                              \
    } while (0)
#define CALL_(function, ...) function(__VA_ARGS__)

static inline void check_status(asdf_status expected, asdf_status found, const char *file, int line, const char *call) {
    if (found != expected) {
        char message[512] = "";
        asdf_error_message(message, sizeof message, NULL);
        fprintf(stderr, "%s:%d: %s instead of %s: %s\n  %s\n", file, line, asdf_status_name(found),
                asdf_status_name(expected), call, found == ASDF_OK ? "" : message);
        checks_failed++;
    } else if (found != ASDF_OK && asdf_error_status() != found) {
        fprintf(stderr, "%s:%d: the details are of %s: %s\n", file, line, asdf_status_name(asdf_error_status()), call);
        checks_failed++;
    }
}

/* Expands to a text and its length, as two arguments. */
#define SIZED(text) (text), strlen(text)

/* Concatenated texts with offsets, as calls take them. */
struct texts {
    char bytes[256];
    int64_t offsets[17];
    uint8_t missing[16];
    size_t size;
};

/* Makes them from texts that end with NUL; NULL is a missing text. */
static inline struct texts texts_of(const char *const *texts, int64_t count) {
    struct texts out = {.size = 0};
    for (int64_t i = 0; i < count; i++) {
        size_t length = texts[i] ? strlen(texts[i]) : 0;
        memcpy(out.bytes + out.size, texts[i] ? texts[i] : "", length);
        out.missing[i] = !texts[i];
        out.offsets[i + 1] = (int64_t)(out.size += length);
    }
    return out;
}

static inline asdf_status add_texts(asdf_table *table, const char *name, int32_t code, const char *const *texts,
                                    int64_t count) {
    struct texts all = texts_of(texts, count);
    return asdf_table_add_text_column(table, name, code, all.bytes, all.size, all.offsets, count + 1, all.missing,
                                      (size_t)count);
}

/* Checks that the message of the last failure contains this text. */
static inline int message_holds(const char *part) {
    char message[1024] = "";
    asdf_error_message(message, sizeof message, NULL);
    if (strstr(message, part)) return 1;
    fprintf(stderr, "the message is \"%s\"\n", message);
    return 0;
}

/* Returns an integer field of the last failure. */
static inline int64_t error_int(int32_t field) {
    int64_t value = -2;
    if (asdf_error_int(field, &value) != ASDF_OK) checks_failed++;
    return value;
}

/* Returns an integer field of an entry. */
static inline int64_t report_int(const asdf_report *entries, int64_t index, int32_t field) {
    int64_t value = -2;
    OK(asdf_report_int(entries, index, field, &value));
    return value;
}

/* Returns the number of entries of a report. */
static inline int64_t report_count(const asdf_report *entries) {
    int64_t count = -1;
    OK(asdf_report_count(entries, &count, NULL));
    return count;
}

static inline asdf_report *report_of_file(const asdf_file *file) {
    asdf_report *entries = NULL;
    OK(asdf_file_report(file, &entries));
    return entries;
}

static inline asdf_report *report_of_table(const asdf_table *table) {
    asdf_report *entries = NULL;
    OK(asdf_table_report(table, &entries));
    return entries;
}

static inline asdf_report *report_of_ndl(const asdf_ndl *ndl) {
    asdf_report *entries = NULL;
    OK(asdf_ndl_report(ndl, &entries));
    return entries;
}

/* Returns the number of warnings of a file. */
static inline int64_t file_warnings(const asdf_file *file) {
    asdf_report *entries = report_of_file(file);
    int64_t count = report_count(entries);
    asdf_report_free(entries);
    return count;
}

/* Returns the number of warnings of a table. */
static inline int64_t table_warnings(const asdf_table *table) {
    asdf_report *entries = report_of_table(table);
    int64_t count = report_count(entries);
    asdf_report_free(entries);
    return count;
}

/* Opens a file whose content is given as text and bytes. */
static inline asdf_file *open_bytes(const void *bytes, size_t size) {
    asdf_file *file = NULL;
    OK(asdf_file_open_memory(bytes, size, NULL, &file));
    return file;
}

/* Opens a file that consists of this YAML tree. */
static inline asdf_file *open_tree(const char *yaml) {
    static const char head[] =
        "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n";
    size_t size = sizeof head + strlen(yaml) + 8;
    char *text = malloc(size);
    if (!text) exit(1);
    snprintf(text, size, "%s%s...\n", head, yaml);
    asdf_file *file = open_bytes(text, strlen(text));
    free(text);
    return file;
}

static inline asdf_node *root_of(asdf_file *file) {
    asdf_node *root = NULL;
    OK(asdf_file_root(file, &root));
    return root;
}

/* Returns options that let a call replace a file. */
static inline asdf_options *replacing(void) {
    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_REPLACE, 1));
    return options;
}

/* Writes a file, replacing an existing one. */
static inline asdf_status write_over(const asdf_file *file, const char *path) {
    asdf_options *options = replacing();
    asdf_status status = asdf_file_write(file, path, options);
    asdf_options_free(options);
    return status;
}

/* Makes a new file and its root. */
static inline asdf_file *new_file(asdf_node **root) {
    asdf_file *file = NULL;
    OK(asdf_file_new(NULL, &file));
    *root = root_of(file);
    return file;
}

/* Frees a file, its root and an array, and sets the variables to NULL. */
static inline void free_file(asdf_file **file, asdf_node **root, asdf_array **array) {
    asdf_array_free(*array);
    asdf_node_free(*root);
    asdf_file_free(*file);
    *array = NULL;
    *root = NULL;
    *file = NULL;
}

/* Writes the file and opens the result. */
static inline asdf_file *written(const asdf_file *file) {
    asdf_buffer *buffer = NULL;
    const void *bytes = NULL;
    size_t size = 0;
    OK(asdf_file_write_memory(file, NULL, &buffer));
    OK(asdf_buffer_bytes(buffer, &bytes, &size));
    asdf_file *again = open_bytes(bytes, size);
    asdf_buffer_free(buffer);
    return again;
}

/* Sets a text option from a string; NULL unsets the option. */
static inline asdf_status set_string(asdf_options *options, int32_t key, const char *text) {
    return text ? asdf_options_set_text(options, key, text, strlen(text)) : asdf_options_unset(options, key);
}

/* Sets codec and level; NULL for no codec, -1 for the default level. */
static inline asdf_status set_codec(asdf_options *options, const char *codec, int level) {
    asdf_status status = set_string(options, ASDF_OPTION_CODEC, codec);
    if (status) return status;
    return level < 0 ? asdf_options_unset(options, ASDF_OPTION_LEVEL)
                     : asdf_options_set_int(options, ASDF_OPTION_LEVEL, level);
}

/* Sets the datatype of options, and returns them: for the code 0 of a call. */
static inline asdf_options *with_type(asdf_options *options, const asdf_datatype *datatype) {
    OK(asdf_options_set_datatype(options, datatype));
    return options;
}

/* Returns options with this datatype only. The next call changes them; report() frees them. */
static inline asdf_options *of_type(const asdf_datatype *datatype) {
    if (!typed_options) OK(asdf_options_new(&typed_options));
    return with_type(typed_options, datatype);
}

static inline int report(void) {
    asdf_options_free(typed_options);
    if (checks_failed) fprintf(stderr, "%d checks failed\n", checks_failed);
    return checks_failed != 0;
}

#endif
