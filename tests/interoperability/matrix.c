/* The C program of the matrix: `write EXPECTED DIR` writes the files, `read FOUND FILE...` reads files and dumps what
 * it finds into the directory FOUND. matrix.py describes files and dumps. */
#include "matrix.h"

#include <asdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS 5
#define TEXT_LENGTH 16

static const struct type {
    const char *name;
    int32_t code;
} TYPES[] = {{"int8", ASDF_INT8},
             {"int16", ASDF_INT16},
             {"int32", ASDF_INT32},
             {"int64", ASDF_INT64},
             {"uint8", ASDF_UINT8},
             {"uint16", ASDF_UINT16},
             {"uint32", ASDF_UINT32},
             {"uint64", ASDF_UINT64},
             {"float16", ASDF_FLOAT16},
             {"float32", ASDF_FLOAT32},
             {"float64", ASDF_FLOAT64},
             {"complex64", ASDF_COMPLEX64},
             {"complex128", ASDF_COMPLEX128},
             {"bool8", ASDF_BOOL8}};

/* Fields of the records; a rank of 1 has the extent 3. */
static const struct field {
    const char *name;
    int32_t code, rank;
} FIELDS[] = {{"id", ASDF_INT32, 0},
              {"position", ASDF_FLOAT64, 1},
              {"name", ASDF_ASCII, 0},
              {"flux", ASDF_FLOAT32, 0},
              {"good", ASDF_BOOL8, 0}};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static char bytes[4096];

static void check(asdf_status status, const char *what) {
    if (status == ASDF_OK) return;
    asdf_error_print(what);
    exit(1);
}

static void require(int condition, const char *what) {
    if (condition) return;
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static size_t item_size(int32_t code) {
    size_t size;
    check(asdf_datatype_code_size(code, &size), "item size");
    return size;
}

static size_t elements_of(int32_t rank) {
    size_t count = 1;
    for (int32_t axis = 0; axis < rank; axis++) count *= (size_t)SHAPES[rank][axis];
    return count;
}

/* Writing ---------------------------------------------------------------------------------------------------------- */

/* Reads a file of the directory EXPECTED into `bytes`, and returns its size. */
static size_t expected(const char *directory, const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "rb");
    require(file != NULL, path);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    require(size < sizeof bytes, path);
    return size;
}

/* Reads lines of the directory EXPECTED, padded with NULs; returns their number. */
static size_t expected_texts(const char *directory, const char *name, char texts[][TEXT_LENGTH]) {
    bytes[expected(directory, name)] = '\0';
    size_t count = 0;
    for (char *line = strtok(bytes, "\n"); line; line = strtok(NULL, "\n")) strncpy(texts[count++], line, TEXT_LENGTH);
    return count;
}

/* Makes a new file and its root. */
static asdf_file *new_file(asdf_node **root) {
    asdf_file *file = NULL;
    check(asdf_file_new(NULL, &file), "new");
    check(asdf_file_root(file, root), "root");
    return file;
}

static void write_arrays(const char *from, const char *to, const char *codec, int32_t order, int32_t byte_order) {
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
    asdf_options *options = NULL;
    char path[1024];
    check(asdf_options_new(&options), "options");
    if (strcmp(codec, "none") != 0)
        check(asdf_options_set_text(options, ASDF_OPTION_CODEC, codec, strlen(codec)), codec);
    check(asdf_options_set_int(options, ASDF_OPTION_STORED_ORDER, order), "order");
    check(asdf_options_set_int(options, ASDF_OPTION_BYTE_ORDER, byte_order), "byte order");
    for (const struct type *type = TYPES; type < TYPES + COUNT(TYPES); type++) {
        for (int32_t rank = 0; rank < RANKS; rank++) {
            snprintf(path, sizeof path, "%s-rank%d.bin", type->name, (int)rank);
            size_t size = expected(from, path);
            snprintf(path, sizeof path, "%s/rank%d", type->name, (int)rank);
            check(asdf_node_set_array(root, path, type->code, rank, SHAPES[rank], bytes, size, options), path);
        }
    }
    snprintf(path, sizeof path, "%s/%s-%s-%s.asdf", to, codec, ORDERS[order], BYTE_ORDERS[byte_order]);
    check(asdf_file_write(file, path, NULL), path);
    asdf_options_free(options);
    asdf_node_free(root);
    asdf_file_free(file);
}

/* Returns options with a datatype, which the code 0 stands for. */
static const asdf_options *of_type(const asdf_datatype *datatype) {
    static asdf_options *options = NULL;
    if (!options) check(asdf_options_new(&options), "options");
    check(asdf_options_set_datatype(options, datatype), "datatype");
    return options;
}

static void set_texts(asdf_node *root, const char *path, int32_t code, int64_t length, size_t size) {
    const int64_t shape[] = {2, 3};
    asdf_datatype *datatype = NULL;
    check(asdf_datatype_string(code, length, &datatype), path);
    check(asdf_node_set_array(root, path, 0, 2, shape, bytes, size, of_type(datatype)), path);
    asdf_datatype_free(datatype);
}

static void set_records(asdf_node *root, size_t size) {
    const int64_t shape[] = {ROWS}, extents[] = {3};
    const char *names[COUNT(FIELDS)];
    asdf_datatype *datatypes[COUNT(FIELDS)], *record = NULL;
    int32_t ranks[COUNT(FIELDS)];
    for (size_t i = 0; i < COUNT(FIELDS); i++) {
        names[i] = FIELDS[i].name;
        ranks[i] = FIELDS[i].rank;
        check(FIELDS[i].code == ASDF_ASCII ? asdf_datatype_string(ASDF_ASCII, 8, &datatypes[i])
                                           : asdf_datatype_scalar(FIELDS[i].code, &datatypes[i]),
              names[i]);
    }
    check(asdf_datatype_record(COUNT(FIELDS), names, (const asdf_datatype *const *)datatypes, ranks, extents, &record),
          "record");
    check(asdf_node_set_array(root, "records", 0, 1, shape, bytes, size, of_type(record)), "records");
    for (size_t i = 0; i < COUNT(FIELDS); i++) asdf_datatype_free(datatypes[i]);
    asdf_datatype_free(record);
}

static void add_column(asdf_table *table, const char *from, const char *name, int32_t code, int32_t rank,
                       const uint8_t *mask) {
    const int64_t shape[] = {2};
    char file[64];
    snprintf(file, sizeof file, "table-%s.bin", name);
    size_t size = expected(from, file);
    check(asdf_table_add_column(table, name, code, rank, shape, bytes, size, mask, mask ? ROWS : 0, NULL), name);
}

static asdf_table *make_table(const char *from) {
    asdf_table *table = NULL;
    asdf_datatype *text = NULL;
    uint8_t mask[ROWS];
    char names[ROWS][TEXT_LENGTH];
    check(asdf_table_new(ROWS, &table), "table");
    require(expected(from, "table-flux.mask.bin") == ROWS, "mask of the table");
    memcpy(mask, bytes, sizeof mask);
    add_column(table, from, "id", ASDF_INT64, 0, NULL);
    add_column(table, from, "flux", ASDF_FLOAT64, 0, mask);
    require(expected_texts(from, "table-name.txt", names) == ROWS, "names of the table");
    check(asdf_datatype_string(ASDF_ASCII, TEXT_LENGTH, &text), "text");
    check(asdf_table_add_column(table, "name", 0, 0, NULL, names, sizeof names, NULL, 0, of_type(text)), "name");
    asdf_datatype_free(text);
    add_column(table, from, "good", ASDF_BOOL8, 0, NULL);
    add_column(table, from, "position", ASDF_FLOAT64, 1, NULL);
    return table;
}

static void write_extras(const char *from, const char *to) {
    const int64_t shape[] = {3, 4};
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
    asdf_options *options = NULL;
    char path[1024];
    set_texts(root, "strings/ascii", ASDF_ASCII, 6, expected(from, "strings-ascii.bin"));
    set_texts(root, "strings/ucs4", ASDF_UCS4, 4, expected(from, "strings-ucs4.bin"));
    set_records(root, expected(from, "records.bin"));
    size_t size = expected(from, "masks-image.bin");
    check(asdf_node_set_array(root, "masks/image", ASDF_FLOAT64, 2, shape, bytes, size, NULL), "image");
    size = expected(from, "masks-image.mask.bin");
    check(asdf_node_set_array(root, "masks/image/mask", ASDF_BOOL8, 2, shape, bytes, size, NULL), "mask");

    asdf_table *table = make_table(from);
    check(asdf_options_new(&options), "options");
    check(asdf_options_set_int(options, ASDF_OPTION_TABLE_FORM, ASDF_TABLE_FORM_ASTROPY), "form");
    check(asdf_node_set_table(root, "table", table, options), "table");
    snprintf(path, sizeof path, "%s/extras.asdf", to);
    check(asdf_file_write(file, path, NULL), path);
    snprintf(path, sizeof path, "%s/table.ecsv", to);
    check(asdf_table_write_ecsv(table, path, NULL), path);
    asdf_options_free(options);
    asdf_table_free(table);
    asdf_node_free(root);
    asdf_file_free(file);
}

/* Reading ---------------------------------------------------------------------------------------------------------- */

static void dump(FILE *found, const char *name, const void *content, size_t size) {
    fprintf(found, "%s %zu\n", name, size);
    require(fwrite(content, 1, size, found) == size, name);
}

/* Dumps texts of a fixed length as lines. */
static void dump_texts(FILE *found, const char *name, const char *texts, size_t count, size_t length) {
    char lines[1024];
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(lines + used, sizeof lines - used, "%.*s\n", (int)length, texts + i * length);
    dump(found, name, lines, used);
}

static void read_array(FILE *found, asdf_node *root, const struct type *type, int32_t rank) {
    char path[64];
    asdf_array *array = NULL;
    int64_t shape[ASDF_MAX_RANK];
    int32_t found_rank, code;
    size_t size = elements_of(rank) * item_size(type->code);
    snprintf(path, sizeof path, "%s/rank%d", type->name, (int)rank);
    asdf_status status = asdf_node_get_array(root, path, &array);
    if (status == ASDF_ERR_NOT_FOUND) return;
    check(status, path);
    check(asdf_array_datatype(array, &code), path);
    check(asdf_array_shape(array, shape, ASDF_MAX_RANK, &found_rank), path);
    require(code == type->code && found_rank == rank, path);
    require(rank == 0 || memcmp(shape, SHAPES[rank], (size_t)rank * sizeof *shape) == 0, path);
    check(asdf_array_read(array, code, NULL, bytes, size, NULL, 0), path);
    dump(found, path, bytes, size);
    asdf_array_free(array);
}

static void read_texts(FILE *found, const asdf_array *array, const char *name, size_t count) {
    asdf_datatype *text = NULL;
    check(asdf_datatype_string(ASDF_ASCII, TEXT_LENGTH, &text), name);
    check(asdf_array_read(array, 0, of_type(text), bytes, count * TEXT_LENGTH, NULL, 0), name);
    dump_texts(found, name, bytes, count, TEXT_LENGTH);
    asdf_datatype_free(text);
}

static void read_strings(FILE *found, asdf_node *root, const char *path) {
    asdf_array *array = NULL;
    asdf_status status = asdf_node_get_array(root, path, &array);
    if (status == ASDF_ERR_NOT_FOUND) return;
    check(status, path);
    read_texts(found, array, path, 6);
    asdf_array_free(array);
}

static void read_records(FILE *found, asdf_node *root) {
    asdf_array *records = NULL;
    asdf_status status = asdf_node_get_array(root, "records", &records);
    if (status == ASDF_ERR_NOT_FOUND) return;
    check(status, "records");
    for (const struct field *field = FIELDS; field < FIELDS + COUNT(FIELDS); field++) {
        char name[64];
        asdf_array *array = NULL;
        snprintf(name, sizeof name, "records/%s", field->name);
        check(asdf_array_field(records, field->name, &array), name);
        if (field->code == ASDF_ASCII) {
            read_texts(found, array, name, ROWS);
        } else {
            size_t size = ROWS * (field->rank ? 3 : 1) * item_size(field->code);
            check(asdf_array_read(array, field->code, NULL, bytes, size, NULL, 0), name);
            dump(found, name, bytes, size);
        }
        asdf_array_free(array);
    }
    asdf_array_free(records);
}

static void read_mask(FILE *found, asdf_node *root) {
    asdf_array *image = NULL;
    double elements[12];
    uint8_t mask[12];
    asdf_status status = asdf_node_get_array(root, "masks/image", &image);
    if (status == ASDF_ERR_NOT_FOUND) return;
    check(status, "image");
    check(asdf_array_read(image, ASDF_FLOAT64, NULL, elements, sizeof elements, mask, sizeof mask), "image");
    for (size_t i = 0; i < sizeof mask; i++)
        if (mask[i]) elements[i] = 0;
    dump(found, "masks/image", elements, sizeof elements);
    dump(found, "masks/image.mask", mask, sizeof mask);
    asdf_array_free(image);
}

static void read_column(FILE *found, const asdf_table *table, const char *name, int32_t code, size_t count) {
    char section[64];
    size_t size = count * item_size(code);
    snprintf(section, sizeof section, "table/%s", name);
    check(asdf_table_read_column(table, name, 0, -1, code, NULL, bytes, size, NULL, 0), section);
    dump(found, section, bytes, size);
}

static void read_table(FILE *found, const asdf_table *table) {
    double flux[ROWS];
    uint8_t mask[ROWS];
    asdf_datatype *text = NULL;
    read_column(found, table, "id", ASDF_INT64, ROWS);
    check(asdf_table_read_column(table, "flux", 0, -1, ASDF_FLOAT64, NULL, flux, sizeof flux, mask, sizeof mask),
          "flux");
    for (int row = 0; row < ROWS; row++)
        if (mask[row]) flux[row] = 0;
    dump(found, "table/flux", flux, sizeof flux);
    dump(found, "table/flux.mask", mask, sizeof mask);
    check(asdf_datatype_string(ASDF_ASCII, TEXT_LENGTH, &text), "text");
    check(asdf_table_read_column(table, "name", 0, -1, 0, of_type(text), bytes, ROWS * TEXT_LENGTH, NULL, 0), "name");
    dump_texts(found, "table/name", bytes, ROWS, TEXT_LENGTH);
    asdf_datatype_free(text);
    read_column(found, table, "good", ASDF_BOOL8, ROWS);
    read_column(found, table, "position", ASDF_FLOAT64, 2 * ROWS);
}

static void read_asdf(FILE *found, const char *path) {
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    asdf_table *table = NULL;
    asdf_options *options = NULL;
    check(asdf_options_new(&options), "options");
    check(asdf_options_set_int(options, ASDF_OPTION_VERIFY_CHECKSUMS, 1), "checksums");
    check(asdf_file_open(path, options, &file), path);
    check(asdf_file_root(file, &root), path);
    for (const struct type *type = TYPES; type < TYPES + COUNT(TYPES); type++)
        for (int32_t rank = 0; rank < RANKS; rank++) read_array(found, root, type, rank);
    read_strings(found, root, "strings/ascii");
    read_strings(found, root, "strings/ucs4");
    read_records(found, root);
    read_mask(found, root);
    asdf_status status = asdf_node_get_table(root, "table", NULL, &table);
    if (status != ASDF_ERR_NOT_FOUND) {
        check(status, "table");
        read_table(found, table);
        asdf_table_free(table);
    }
    asdf_options_free(options);
    asdf_node_free(root);
    asdf_file_free(file);
}

static void read_file(const char *directory, const char *path) {
    char name[1024];
    const char *base = strrchr(path, '/') + 1;
    snprintf(name, sizeof name, "%s/%s.found", directory, base);
    FILE *found = fopen(name, "wb");
    require(found != NULL, name);
    if (strstr(base, ".ecsv")) {
        asdf_table *table = NULL;
        check(asdf_table_read_ecsv(path, NULL, &table), path);
        read_table(found, table);
        asdf_table_free(table);
    } else {
        read_asdf(found, path);
    }
    require(fclose(found) == 0, name);
}

int main(int argc, char **argv) {
    require(argc >= 4, "usage: matrix write EXPECTED DIR | read FOUND FILE...");
    if (strcmp(argv[1], "write") == 0) {
        for (size_t codec = 0; codec < CODEC_COUNT; codec++)
            for (int32_t orders = 0; orders < 4; orders++)
                write_arrays(argv[2], argv[3], CODECS[codec], orders / 2, orders % 2);
        write_extras(argv[2], argv[3]);
    } else {
        for (int i = 3; i < argc; i++) read_file(argv[2], argv[i]);
    }
    return 0;
}
