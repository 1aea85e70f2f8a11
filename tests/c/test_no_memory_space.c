/* An address space of 12 to 112 MiB: opening and walking files of the corpora, and files whose trees and tables do not
 * fit, ends in a result or in ASDF_ERR_OUT_OF_MEMORY, never in the end of the process. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "check.h"

#include <ftw.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MIB = 1 << 20,
    LEAST = 12,
    MOST = 112,
    STEP = 10,
    LIMITS = (MOST - LEAST) / STEP + 1,
    FILES = 250,
    SECONDS = 240
};

static char *files[2000];
static int file_count = 0;

static int note_file(const char *path, const struct stat *info, int kind, struct FTW *place) {
    (void)info, (void)place;
    size_t length = strlen(path);
    int is_file = kind == FTW_F && length > 5 && !strcmp(path + length - 5, ".asdf");
    if (is_file && file_count < 2000) files[file_count++] = strdup(path);
    return 0;
}

static int compare_paths(const void *one, const void *other) {
    return strcmp(*(char *const *)one, *(char *const *)other);
}

/* Reads a node and its array. The depth of the walk is that of the tree, so it is limited. */
static asdf_status walk(const asdf_node *node, int depth) {
    int64_t count = 0;
    asdf_array *array = NULL;
    asdf_buffer *elements = NULL;
    asdf_status status = asdf_node_get_array(node, "", &array);
    if (status == ASDF_OK) status = asdf_array_load(array, 0, NULL, &elements, NULL);
    asdf_buffer_free(elements);
    asdf_array_free(array);
    if (status == ASDF_ERR_OUT_OF_MEMORY) return status;
    if (depth > 50 || asdf_node_count(node, "", &count) != ASDF_OK) return ASDF_OK;
    for (int64_t index = 0; index < count; index++) {
        asdf_node *child = NULL;
        char key[64];
        status = asdf_node_key_string(node, "", index, key, sizeof key, NULL);
        if (status != ASDF_ERR_OUT_OF_MEMORY) status = asdf_node_item(node, "", index, &child);
        if (status == ASDF_OK) status = walk(child, depth + 1);
        asdf_node_free(child);
        if (status == ASDF_ERR_OUT_OF_MEMORY) return status;
    }
    return ASDF_OK;
}

static asdf_status open_and_walk(const char *path) {
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    asdf_status status = asdf_file_open(path, NULL, &file);
    if (status == ASDF_OK) status = asdf_file_root(file, &root);
    if (status == ASDF_OK) status = walk(root, 0);
    asdf_node_free(root);
    asdf_file_free(file);
    return status;
}

static asdf_status read_table(const char *path) {
    asdf_table *table = NULL;
    asdf_status status = asdf_table_read_ecsv(path, NULL, &table);
    asdf_table_free(table);
    return status;
}

static asdf_status read_description(const char *path) {
    asdf_ndl *description = NULL;
    asdf_report *report = NULL;
    asdf_status status = asdf_ndl_read(path, NULL, &description);
    if (status == ASDF_OK) status = asdf_ndl_report(description, &report);
    asdf_report_free(report);
    asdf_ndl_free(description);
    return status;
}

/* Appends to a sequence until there is no memory. */
static asdf_status append(const char *path) {
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    (void)path;
    asdf_status status = asdf_file_new(NULL, &file);
    if (status == ASDF_OK) status = asdf_file_root(file, &root);
    if (status == ASDF_OK) status = asdf_node_set_sequence(root, "list", 0);
    for (int64_t index = 0; status == ASDF_OK && index < 1000000; index++) {
        status = asdf_node_set_i64(root, "list/-", index);
    }
    asdf_node_free(root);
    asdf_file_free(file);
    return status;
}

/* Makes the world coordinates of a header with very many cards. */
static asdf_status read_cards(const char *path) {
    enum { CARDS = 200000 };
    char *cards = malloc((size_t)(CARDS + 10) * 81);
    (void)path;
    if (!cards) return ASDF_ERR_OUT_OF_MEMORY;
    size_t length = (size_t)sprintf(cards, "CTYPE1  = 'RA---TAN'\nCTYPE2  = 'DEC--TAN'\nCDELT1  = 1\nCDELT2  = 1\n");
    for (int number = 0; number < CARDS; number++) {
        length += (size_t)snprintf(cards + length, 82, "A%07d= 1%69s\n", number, "");
    }
    asdf_wcs *wcs = NULL;
    asdf_status status = asdf_wcs_read_cards(cards, length, NULL, &wcs);
    asdf_wcs_free(wcs);
    free(cards);
    return status;
}

typedef asdf_status (*work)(const char *path);

/* Touches the stack that the calls may need. The system ends a process whose stack cannot grow later. */
#ifdef __GNUC__
__attribute__((noinline))
#endif
static void
grow_stack(void) {
    volatile char stack[4 * MIB];
    for (size_t at = 0; at < sizeof stack; at += 4096) stack[at] = 1;
}

/* Works in a child with little address space. Returns its status, or -1 if a signal ended it. */
static asdf_status in_space(work work, const char *path, int mib) {
    fflush(NULL);
    pid_t child = fork();
    if (child < 0) exit(1);
    if (child == 0) {
        grow_stack();
        struct rlimit limit = {(rlim_t)mib * MIB, (rlim_t)mib * MIB};
        setrlimit(RLIMIT_AS, &limit);
        alarm(SECONDS);
        asdf_status status = work(path);
        if (status != ASDF_OK && status != ASDF_ERR_OUT_OF_MEMORY) _exit(2);
        _exit(status == ASDF_OK ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) {
        fprintf(stderr, "%s in %d MiB: signal %d\n", path, mib, WTERMSIG(status));
        checks_failed++;
        return -1;
    }
    return WEXITSTATUS(status);
}

static void write_file(const char *path, const char *head, const char *line, int count, const char *end) {
    FILE *file = fopen(path, "w");
    if (!file) exit(1);
    fputs(head, file);
    for (int number = 0; number < count; number++) fprintf(file, line, number, number);
    fputs(end, file);
    fclose(file);
}

/* Works in each space. In the smallest ones there must be too little memory, or the test tries nothing. */
static void in_all_spaces(work work, const char *path) {
    int failed = 0;
    for (int limit = 0; limit < LIMITS; limit++) {
        asdf_status status = in_space(work, path, LEAST + limit * STEP);
        if (status == 2) fprintf(stderr, "%s in %d MiB: another error\n", path, LEAST + limit * STEP);
        CHECK(status != 2);
        failed += status == 1;
    }
    CHECK(failed > 0);
}

int main(void) {
    char corpora[512];
    const char *source = getenv("ASDFKIT_SOURCE");
    snprintf(corpora, sizeof corpora, "%s/tests/corpora", source ? source : ".");
    /* A source package has no corpora. */
    if (nftw(corpora, note_file, 16, FTW_PHYS) == 0) CHECK(file_count > 100);
    qsort(files, (size_t)file_count, sizeof files[0], compare_paths);
    /* The library is loaded, and its thread-local variables exist. */
    asdf_file *none = NULL;
    CHECK(asdf_file_open("/nowhere", NULL, &none) != ASDF_OK);
    for (int number = 0; number < FILES && file_count > 0; number++) {
        const char *path = files[(size_t)number * (size_t)file_count / FILES];
        in_space(open_and_walk, path, LEAST + number % LIMITS * STEP);
    }
    const char *head =
        "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n";
    write_file("mapping.asdf", head, "key%d: {value: [%d, text]}\n", 300000, "...\n");
    write_file("inline.asdf", head, "a%d: !core/ndarray-1.1.0 {data: [%d, 2, 3]}\n", 30000, "...\n");
    write_file(
        "table.ecsv",
        "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: a, datatype: int64}\n# - {name: b, datatype: string}\na b\n",
        "%d text%d\n", 1000000, "");
    write_file("wide.yaml", "ndarrays:\n", "  a%d: {type: int8, shape: [%d]}\n", 100000, "");
    in_all_spaces(open_and_walk, "mapping.asdf");
    in_all_spaces(open_and_walk, "inline.asdf");
    in_all_spaces(read_table, "table.ecsv");
    in_all_spaces(read_description, "wide.yaml");
    in_all_spaces(append, "appending");
    in_all_spaces(read_cards, "cards");
    while (file_count > 0) free(files[--file_count]);
    return report();
}
