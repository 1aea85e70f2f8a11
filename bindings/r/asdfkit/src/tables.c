/* Tables: columns of ECSV and of ASDF files as R vectors, and tables made of R vectors. */
#include "package.h"

#include <stdlib.h>
#include <string.h>

static SEXP own_table(SEXP owner, asdf_table *table) {
    own(owner, table);
    return owner;
}

static const asdf_table *table_of(SEXP owner) {
    return handle_of(owner, &table_type);
}

static const char *column_of(SEXP name) {
    return text_of(name, "the name of a column");
}

SEXP C_table_read_ecsv(SEXP path, SEXP options) {
    SEXP owner = PROTECT(new_owner(&table_type));
    asdf_table *table = NULL;
    if (TYPEOF(path) == RAWSXP)
        check(asdf_table_read_ecsv_memory(RAW(path), (size_t)XLENGTH(path), options_of(options), &table));
    else
        check(asdf_table_read_ecsv(text_of(path, "the name of the file"), options_of(options), &table));
    own_table(owner, table);
    UNPROTECT(1);
    return owner;
}

/* Index of an ECSV file: the text, with the number of rows as an attribute. */
SEXP C_table_index(SEXP path, SEXP step, SEXP options) {
    SEXP owner = PROTECT(new_owner(&buffer_type));
    asdf_buffer *buffer = NULL;
    int64_t rows = 0;
    const char *name = text_of(path, "the name of the file");
    check(asdf_table_index(name, (int64_t)Rf_asReal(step), options_of(options), &rows, &buffer));
    own(owner, buffer);
    const void *bytes = NULL;
    size_t size = 0;
    check(asdf_buffer_bytes(buffer, &bytes, &size));
    SEXP text = PROTECT(Rf_ScalarString(utf8(bytes, size)));
    release(owner, &buffer_type);
    SEXP count = PROTECT(Rf_ScalarReal((double)rows));
    Rf_setAttrib(text, Rf_install("rows"), count);
    UNPROTECT(3);
    return text;
}

SEXP C_node_get_table(SEXP place, SEXP path, SEXP options) {
    SEXP owner = PROTECT(new_owner(&table_type));
    asdf_table *table = NULL;
    check(asdf_node_get_table(node_of(place), path_of(path), options_of(options), &table));
    own_table(owner, table);
    UNPROTECT(1);
    return owner;
}

SEXP C_node_set_table(SEXP place, SEXP path, SEXP table, SEXP options) {
    check(asdf_node_set_table(node_of(place), path_of(path), table_of(table), options_of(options)));
    return R_NilValue;
}

SEXP C_table_reader_open(SEXP path, SEXP options) {
    SEXP owner = PROTECT(new_owner(&table_reader_type));
    asdf_table_reader *reader = NULL;
    check(asdf_table_reader_open(text_of(path, "the name of the file"), options_of(options), &reader));
    own_with_options(owner, reader, options);
    UNPROTECT(1);
    return owner;
}

/* Returns the next batch, or NULL after the last one. */
SEXP C_table_reader_next(SEXP reader) {
    SEXP owner = PROTECT(new_owner(&table_type));
    asdf_table *table = NULL;
    check(asdf_table_reader_next(handle_of(reader, &table_reader_type), &table));
    if (table) own_table(owner, table);
    UNPROTECT(1);
    return table ? owner : R_NilValue;
}

SEXP C_table_reader_close(SEXP reader) {
    close_handle(reader, &table_reader_type);
    return R_NilValue;
}

/* Returns the number of rows. */
SEXP C_table_rows(SEXP table) {
    int64_t count = 0;
    check(asdf_table_row_count(table_of(table), &count));
    return Rf_ScalarReal((double)count);
}

SEXP C_table_names(SEXP owner) {
    const asdf_table *table = table_of(owner);
    int64_t count = 0;
    check(asdf_table_column_count(table, &count));
    SEXP names = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)count));
    for (int64_t i = 0; i < count; i++) {
        SEXP text;
        READ_TEXT(text, asdf_table_column_name(table, i, buffer, capacity, &needed));
        SET_STRING_ELT(names, i, text);
    }
    UNPROTECT(1);
    return names;
}

/* Tells whether a column has a mask, even if nothing is missing. */
SEXP C_table_has_mask(SEXP owner, SEXP name) {
    int32_t has = 0;
    check(asdf_table_column_has_mask(table_of(owner), text_of(name, "the name of a column"), &has));
    return Rf_ScalarLogical(has);
}

/* Returns a text of a column, or NA if the column does not have it. An empty text is not the same as none. */
static SEXP text_or_na(const asdf_table *table, const char *column,
                       asdf_status (*has)(const asdf_table *, const char *, int32_t *),
                       asdf_status (*get)(const asdf_table *, const char *, char *, size_t, size_t *)) {
    int32_t is_there = 0;
    check(has(table, column, &is_there));
    if (!is_there) return NA_STRING;
    SEXP text;
    READ_TEXT(text, get(table, column, buffer, capacity, &needed));
    return text;
}

/* Returns unit, description and format of a column; NA for what it does not have. */
SEXP C_table_column_texts(SEXP owner, SEXP name) {
    const asdf_table *table = table_of(owner);
    const char *column = column_of(name);
    SEXP texts = PROTECT(Rf_allocVector(STRSXP, 3));
    SET_STRING_ELT(texts, 0, text_or_na(table, column, asdf_table_column_has_unit, asdf_table_column_unit));
    SET_STRING_ELT(texts, 1,
                   text_or_na(table, column, asdf_table_column_has_description, asdf_table_column_description));
    SET_STRING_ELT(texts, 2, text_or_na(table, column, asdf_table_column_has_format, asdf_table_column_format));
    UNPROTECT(1);
    return texts;
}

/* Returns the name of the type of a column. */
SEXP C_table_column_type(SEXP owner, SEXP name) {
    static const struct {
        int32_t code;
        const char *name;
    } types[] = {{ASDF_INT8, "int8"},
                 {ASDF_INT16, "int16"},
                 {ASDF_INT32, "int32"},
                 {ASDF_INT64, "int64"},
                 {ASDF_UINT8, "uint8"},
                 {ASDF_UINT16, "uint16"},
                 {ASDF_UINT32, "uint32"},
                 {ASDF_UINT64, "uint64"},
                 {ASDF_FLOAT16, "float16"},
                 {ASDF_FLOAT32, "float32"},
                 {ASDF_FLOAT64, "float64"},
                 {ASDF_FLOAT128, "float128"},
                 {ASDF_COMPLEX64, "complex64"},
                 {ASDF_COMPLEX128, "complex128"},
                 {ASDF_COMPLEX256, "complex256"},
                 {ASDF_BOOL8, "bool"},
                 {ASDF_JSON, "json"}};
    int32_t code = 0;
    check(asdf_table_column_datatype(table_of(owner), column_of(name), &code));
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].code == code) return Rf_mkString(types[i].name);
    return Rf_mkString("string");
}

/* Returns the metadata of a column, or of the table if the name is NULL; NULL if there are none. */
SEXP C_table_meta(SEXP owner, SEXP name) {
    const asdf_table *table = table_of(owner);
    SEXP node_owner = PROTECT(new_owner(&node_type));
    asdf_node *node = NULL;
    asdf_status status =
        name == R_NilValue ? asdf_table_meta(table, &node) : asdf_table_column_meta(table, column_of(name), &node);
    if (status == ASDF_ERR_NOT_FOUND) {
        UNPROTECT(1);
        return R_NilValue;
    }
    check(status);
    own(node_owner, node);
    UNPROTECT(1);
    return node_owner;
}

SEXP C_table_report(SEXP table) {
    SEXP owner = PROTECT(new_owner(&report_type));
    asdf_report *report = NULL;
    check(asdf_table_report(table_of(table), &report));
    own(owner, report);
    UNPROTECT(1);
    return owner;
}

/* A column under way. */
struct column {
    const asdf_table *table;
    const char *name;
    const asdf_options *options;
};

static asdf_status read_column(const struct elements *elements, int32_t code, void *memory, size_t size) {
    const struct column *column = elements->from;
    return asdf_table_read_column(column->table, column->name, 0, -1, code, column->options, memory, size,
                                  elements->mask, (size_t)elements->count);
}

static const void *bytes_of(SEXP owner, asdf_buffer *buffer, size_t *size) {
    const void *bytes = NULL;
    own(owner, buffer);
    check(asdf_buffer_bytes(buffer, &bytes, size));
    return bytes;
}

static SEXP read_texts(const struct column *column) {
    SEXP owners[3];
    for (int i = 0; i < 3; i++) owners[i] = PROTECT(new_owner(&buffer_type));
    asdf_buffer *texts = NULL, *offsets = NULL, *masks = NULL;
    check(asdf_table_load_text(column->table, column->name, 0, -1, column->options, &texts, &offsets, &masks));
    own(owners[0], texts);
    own(owners[1], offsets);
    own(owners[2], masks);
    size_t size = 0, count = 0;
    const char *text = bytes_of(owners[0], texts, &size);
    const int64_t *offset = bytes_of(owners[1], offsets, &size);
    const uint8_t *mask = bytes_of(owners[2], masks, &count);
    SEXP values = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)count));
    for (size_t i = 0; i < count; i++)
        SET_STRING_ELT(values, (R_xlen_t)i,
                       mask[i] ? NA_STRING : utf8(text + offset[i], (size_t)(offset[i + 1] - offset[i])));
    for (int i = 0; i < 3; i++) release(owners[i], &buffer_type);
    UNPROTECT(4);
    return values;
}

/* Returns list(elements, dim of a cell in the order of R): all elements of the column in a vector. The last extent of
   the library, which is the first of R, is -1 if the cells differ in it; then the third item has their lengths. */
SEXP C_table_column(SEXP owner, SEXP name, SEXP bigint, SEXP options) {
    struct column column = {table_of(owner), column_of(name), options_of(options)};
    int64_t shape[ASDF_MAX_RANK], count = 0, rows = 0;
    int32_t rank = 0, code = 0;
    check(asdf_table_column_shape(column.table, column.name, shape, ASDF_MAX_RANK, &rank));
    check(asdf_table_column_datatype(column.table, column.name, &code));
    check(asdf_table_row_count(column.table, &rows));
    check(asdf_table_element_count(column.table, column.name, 0, rows, &count));
    SEXP result = PROTECT(Rf_allocVector(VECSXP, 3));
    if (code == ASDF_STRING || code == ASDF_JSON) {
        SET_VECTOR_ELT(result, 0, read_texts(&column));
    } else {
        struct elements elements = {(R_xlen_t)count, code,        (uint8_t *)R_alloc((size_t)count + 1, 1),
                                    &column,         column.name, read_column};
        SET_VECTOR_ELT(result, 0, read_elements(&elements, bigint_of(bigint)));
    }
    SEXP dim = Rf_allocVector(REALSXP, rank);
    SET_VECTOR_ELT(result, 1, dim);
    for (int32_t axis = 0; axis < rank; axis++) REAL(dim)[axis] = (double)shape[rank - 1 - axis];
    if (rank > 0 && shape[rank - 1] < 0) {
        int64_t *lengths = (int64_t *)R_alloc((size_t)rows + 1, sizeof *lengths);
        check(asdf_table_read_cell_lengths(column.table, column.name, 0, rows, lengths, (size_t)rows));
        SEXP numbers = Rf_allocVector(REALSXP, (R_xlen_t)rows);
        SET_VECTOR_ELT(result, 2, numbers);
        for (int64_t i = 0; i < rows; i++) REAL(numbers)[i] = (double)lengths[i];
    }
    UNPROTECT(1);
    return result;
}

SEXP C_table_new(SEXP rows) {
    SEXP owner = PROTECT(new_owner(&table_type));
    asdf_table *table = NULL;
    check(asdf_table_new((int64_t)Rf_asReal(rows), &table));
    own_table(owner, table);
    UNPROTECT(1);
    return owner;
}

/* Adds a column of strings. */
static void add_texts(asdf_table *table, const char *name, SEXP values) {
    R_xlen_t count = XLENGTH(values);
    int64_t *offsets = (int64_t *)R_alloc((size_t)count + 1, sizeof *offsets);
    uint8_t *mask = (uint8_t *)R_alloc((size_t)count + 1, 1);
    int has_missing = 0;
    offsets[0] = 0;
    for (R_xlen_t i = 0; i < count; i++) {
        mask[i] = STRING_ELT(values, i) == NA_STRING;
        has_missing |= mask[i];
        offsets[i + 1] = offsets[i];
        if (!mask[i]) offsets[i + 1] += (int64_t)strlen(utf8_of(STRING_ELT(values, i)));
    }
    char *bytes = R_alloc((size_t)offsets[count] + 1, 1);
    for (R_xlen_t i = 0; i < count; i++)
        if (!mask[i]) memcpy(bytes + offsets[i], utf8_of(STRING_ELT(values, i)), (size_t)(offsets[i + 1] - offsets[i]));
    check(asdf_table_add_text_column(table, name, ASDF_STRING, bytes, (size_t)offsets[count], offsets, count + 1,
                                     has_missing ? mask : NULL, has_missing ? (size_t)count : 0));
}

/* Adds a column. `dim` has the extents of a cell in the order of R; the elements of a row follow one another. `lengths`
   has the number of elements of each cell, -1 for a missing cell, if they differ; NULL otherwise. */
SEXP C_table_add(SEXP owner, SEXP name, SEXP values, SEXP dim, SEXP lengths) {
    asdf_table *table = handle_of(owner, &table_type);
    const char *column = column_of(name);
    if (TYPEOF(values) == STRSXP) {
        if (XLENGTH(dim) || lengths != R_NilValue)
            fail(ASDF_ERR_UNSUPPORTED, column, "arrays of strings in cells are not possible");
        add_texts(table, column, values);
        return R_NilValue;
    }
    int64_t shape[ASDF_MAX_RANK];
    int32_t rank = (int32_t)XLENGTH(dim);
    if (rank > ASDF_MAX_RANK) fail(ASDF_ERR_UNSUPPORTED, column, "a cell has at most %d dimensions", ASDF_MAX_RANK);
    for (int32_t axis = 0; axis < rank; axis++) shape[rank - 1 - axis] = (int64_t)REAL(dim)[axis];
    SEXP memory_owner;
    struct memory *memory = find_memory(&memory_owner, values, R_NilValue, column);
    PROTECT(memory_owner);
    size_t mask_size = memory->mask ? (size_t)memory->count : 0;
    if (lengths == R_NilValue) {
        check(asdf_table_add_column(table, column, memory->code, rank, shape, memory->elements, memory->size,
                                    memory->mask, mask_size, NULL));
    } else {
        int64_t *numbers = (int64_t *)R_alloc((size_t)XLENGTH(lengths) + 1, sizeof *numbers);
        for (R_xlen_t i = 0; i < XLENGTH(lengths); i++) numbers[i] = (int64_t)REAL(lengths)[i];
        check(asdf_table_add_variable_column(table, column, memory->code, 0, NULL, numbers, XLENGTH(lengths),
                                             memory->elements, memory->size, memory->mask, mask_size, NULL));
    }
    release_memory(memory_owner);
    UNPROTECT(1);
    return R_NilValue;
}

/* Sets unit, description and format of a column, those that are not NULL. */
SEXP C_table_describe(SEXP owner, SEXP name, SEXP unit, SEXP description, SEXP format) {
    asdf_table *table = handle_of(owner, &table_type);
    const char *column = column_of(name);
    if (unit != R_NilValue) {
        const char *text = text_of(unit, "a unit");
        check(asdf_table_set_column_unit(table, column, text, strlen(text)));
    }
    if (description != R_NilValue) {
        const char *text = text_of(description, "a description");
        check(asdf_table_set_column_description(table, column, text, strlen(text)));
    }
    if (format != R_NilValue) {
        const char *text = text_of(format, "a format");
        check(asdf_table_set_column_format(table, column, text, strlen(text)));
    }
    return R_NilValue;
}

/* Converts a column to another unit. */
SEXP C_table_convert_column(SEXP owner, SEXP name, SEXP unit) {
    asdf_table *table = handle_of(owner, &table_type);
    check(asdf_table_convert_column(table, column_of(name), text_of(unit, "a unit"), ASDF_SPELLING_GENERIC, NULL));
    return R_NilValue;
}

/* Sets the metadata of a column, or of the table if the name is NULL. */
SEXP C_table_set_meta(SEXP owner, SEXP name, SEXP meta) {
    asdf_table *table = handle_of(owner, &table_type);
    check(name == R_NilValue ? asdf_table_set_meta(table, node_of(meta))
                             : asdf_table_set_column_meta(table, column_of(name), node_of(meta)));
    return R_NilValue;
}

/* Returns whether a value stands for a missing cell: NULL, or NA alone. */
static int is_missing(SEXP values) {
    if (values == R_NilValue) return 1;
    if (XLENGTH(values) != 1 || Rf_getAttrib(values, R_DimSymbol) != R_NilValue) return 0;
    if (TYPEOF(values) == LGLSXP) return LOGICAL(values)[0] == NA_LOGICAL;
    return TYPEOF(values) == STRSXP && STRING_ELT(values, 0) == NA_STRING;
}

/* Replaces a cell; rows count from 0 here. */
SEXP C_table_set_cell(SEXP owner, SEXP name, SEXP row, SEXP values) {
    asdf_table *table = handle_of(owner, &table_type);
    const char *column = column_of(name);
    int64_t at = (int64_t)Rf_asReal(row);
    int32_t rank = 0, code = 0;
    check(asdf_table_column_shape(table, column, NULL, 0, &rank));
    check(asdf_table_column_datatype(table, column, &code));
    if (is_missing(values)) {
        check(asdf_table_set_missing(table, column, at, 1));
        return R_NilValue;
    }
    if (TYPEOF(values) == STRSXP && rank == 0) {
        if (XLENGTH(values) != 1) fail(ASDF_ERR_INVALID_ARGUMENT, column, "the cell must be one text");
        const char *text = utf8_of(STRING_ELT(values, 0));
        check(asdf_table_set_text(table, column, at, 0, text, strlen(text)));
        return R_NilValue;
    }
    SEXP memory_owner;
    struct memory *memory = find_memory(&memory_owner, values, R_NilValue, column);
    PROTECT(memory_owner);
    int is_string = memory->code == ASDF_ASCII || memory->code == ASDF_UCS4;
    SEXP options = PROTECT(is_string ? options_for_strings(R_NilValue, memory->code, memory->length) : R_NilValue);
    check(asdf_table_set_cells(table, column, at, 1, is_string ? 0 : memory->code, memory->elements, memory->size,
                               memory->mask, memory->mask ? (size_t)memory->count : 0, options_of(options)));
    release_memory(memory_owner);
    UNPROTECT(2);
    return R_NilValue;
}

SEXP C_table_write_ecsv(SEXP table, SEXP path, SEXP options) {
    check(asdf_table_write_ecsv(table_of(table), text_of(path, "the name of the file"), options_of(options)));
    return R_NilValue;
}

SEXP C_table_writer_create(SEXP path, SEXP table, SEXP options) {
    SEXP owner = PROTECT(new_owner(&table_writer_type));
    asdf_table_writer *writer = NULL;
    check(
        asdf_table_writer_create(text_of(path, "the name of the file"), table_of(table), options_of(options), &writer));
    own_with_options(owner, writer, options);
    UNPROTECT(1);
    return owner;
}

SEXP C_node_begin_table(SEXP place, SEXP path, SEXP table, SEXP options) {
    SEXP owner = PROTECT(new_owner(&table_writer_type));
    asdf_table_writer *writer = NULL;
    check(asdf_node_begin_table(node_of(place), path_of(path), table_of(table), options_of(options), &writer));
    own_with_options(owner, writer, options);
    UNPROTECT(1);
    return owner;
}

SEXP C_table_writer_append(SEXP writer, SEXP table) {
    check(asdf_table_writer_append(handle_of(writer, &table_writer_type), table_of(table)));
    return R_NilValue;
}

/* Completes the file, which gets its name. */
SEXP C_table_writer_finish(SEXP writer) {
    check(asdf_table_writer_finish(handle_of(writer, &table_writer_type)));
    release(writer, &table_writer_type);
    return R_NilValue;
}
