/* Arrays: what is known about them, and their elements as R vectors. */
#include "package.h"

#include <inttypes.h>
#include <string.h>

SEXP C_array_get(SEXP place, SEXP path) {
    SEXP owner = PROTECT(new_owner(&array_type));
    asdf_array *array = NULL;
    check(asdf_node_get_array(node_of(place), path_of(path), &array));
    own(owner, array);
    UNPROTECT(1);
    return owner;
}

SEXP C_array_field(SEXP array, SEXP name) {
    SEXP owner = PROTECT(new_owner(&array_type));
    asdf_array *field = NULL;
    check(asdf_array_field(handle_of(array, &array_type), text_of(name, "the name of a field"), &field));
    own(owner, field);
    UNPROTECT(1);
    return owner;
}

static SEXP datatype_of(const asdf_array *array) {
    SEXP owner = PROTECT(new_owner(&datatype_type));
    asdf_datatype *datatype = NULL;
    check(asdf_array_datatype_handle(array, &datatype));
    own(owner, datatype);
    UNPROTECT(1);
    return owner;
}

/* Returns the names of the fields of records, and none for other arrays. */
SEXP C_array_fields(SEXP array) {
    SEXP owner = PROTECT(datatype_of(handle_of(array, &array_type)));
    const asdf_datatype *datatype = handle_of(owner, &datatype_type);
    int32_t code = 0;
    int64_t count = 0;
    check(asdf_datatype_code(datatype, &code));
    if (code == ASDF_RECORD) check(asdf_datatype_field_count(datatype, &count));
    SEXP names = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)count));
    for (int64_t i = 0; i < count; i++) {
        SEXP text;
        READ_TEXT(text, asdf_datatype_field_name(datatype, i, buffer, capacity, &needed));
        SET_STRING_ELT(names, i, text);
    }
    release(owner, &datatype_type);
    UNPROTECT(2);
    return names;
}

/* Returns dim (in the order of R), name of the datatype, and whether there is a mask. */
SEXP C_array_info(SEXP owner) {
    const asdf_array *array = handle_of(owner, &array_type);
    int64_t shape[ASDF_MAX_RANK];
    int32_t rank = 0, masked = 0;
    SEXP text;
    check(asdf_array_shape(array, shape, ASDF_MAX_RANK, &rank));
    check(asdf_array_has_mask(array, &masked));
    static const char *names[] = {"dim", "datatype", "masked", ""};
    SEXP info = PROTECT(Rf_mkNamed(VECSXP, names));
    SEXP dim = Rf_allocVector(REALSXP, rank);
    SET_VECTOR_ELT(info, 0, dim);
    for (int32_t i = 0; i < rank; i++) REAL(dim)[i] = (double)shape[rank - 1 - i];
    READ_TEXT(text, asdf_array_datatype_name(array, buffer, capacity, &needed));
    SET_VECTOR_ELT(info, 1, Rf_ScalarString(text));
    SET_VECTOR_ELT(info, 2, Rf_ScalarLogical(masked));
    UNPROTECT(1);
    return info;
}

int64_t whole_number(SEXP values, R_xlen_t index, const char *what) {
    double value = TYPEOF(values) == INTSXP ? (INTEGER(values)[index] == NA_INTEGER ? NA_REAL : INTEGER(values)[index])
                   : TYPEOF(values) == REALSXP ? REAL(values)[index]
                                               : NA_REAL;
    if (!(value >= -9e15 && value <= 9e15 && value == (double)(int64_t)value))
        fail(ASDF_ERR_INVALID_ARGUMENT, NULL, "%s must be whole numbers", what);
    return (int64_t)value;
}

void find_region(struct region *region, const asdf_array *array, SEXP start, SEXP count, SEXP step) {
    check(asdf_array_shape(array, region->count, ASDF_MAX_RANK, &region->rank));
    int32_t rank = region->rank;
    for (int32_t axis = 0; axis < rank; axis++) region->start[axis] = 0, region->step[axis] = 1;
    if (start != R_NilValue) {
        if (XLENGTH(start) != rank || XLENGTH(count) != rank || XLENGTH(step) != rank)
            fail(ASDF_ERR_INVALID_ARGUMENT, NULL,
                 "the array has %d dimensions, so start, count and step must have as many "
                 "numbers",
                 rank);
        for (int32_t axis = 0; axis < rank; axis++) {
            R_xlen_t index = rank - 1 - axis;
            region->start[axis] = whole_number(start, index, "start");
            region->count[axis] = whole_number(count, index, "count");
            region->step[axis] = whole_number(step, index, "step");
            if (region->count[axis] < 0) fail(ASDF_ERR_INVALID_ARGUMENT, NULL, "count must not be negative");
        }
    }
    double size = 1;
    for (int32_t axis = 0; axis < rank; axis++) size *= (double)region->count[axis];
    if (size > R_XLEN_T_MAX) fail(ASDF_ERR_UNSUPPORTED, NULL, "R has no vectors of %.0f elements", size);
    region->size = (R_xlen_t)size;
}

void set_dim(SEXP values, const struct region *region) {
    if (region->rank < 2) return;
    SEXP dim = PROTECT(Rf_allocVector(INTSXP, region->rank));
    for (int32_t axis = 0; axis < region->rank; axis++) {
        int64_t extent = region->count[region->rank - 1 - axis];
        if (extent > INT_MAX) fail(ASDF_ERR_UNSUPPORTED, NULL, "R has no dimensions of %" PRId64, extent);
        INTEGER(dim)[axis] = (int)extent;
    }
    Rf_setAttrib(values, R_DimSymbol, dim);
    UNPROTECT(1);
}

/* A reading under way. */
struct reading {
    const asdf_array *array;
    struct region region;
    const asdf_options *options;
};

static asdf_status read_region(const struct elements *elements, int32_t code, void *memory, size_t size) {
    const struct reading *reading = elements->from;
    const struct region *region = &reading->region;
    return asdf_array_read_region(reading->array, region->rank, region->start, region->count, region->step, code,
                                  reading->options, memory, size, elements->mask,
                                  elements->mask ? (size_t)elements->count : 0);
}

/* Writes the UTF-8 of a character; returns the number of bytes. The library has checked the code point. */
static size_t put_utf8(char *text, uint32_t point) {
    if (point < 0x80) return text[0] = (char)point, 1;
    size_t size = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    static const unsigned char heads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = size - 1; i > 0; i--, point >>= 6) text[i] = (char)(0x80 | (point & 0x3f));
    text[0] = (char)(heads[size] | point);
    return size;
}

static SEXP read_strings(const struct reading *reading, SEXP options, uint8_t *mask) {
    SEXP stored = PROTECT(datatype_of(reading->array));
    int64_t length = 0;
    check(asdf_datatype_string_length(handle_of(stored, &datatype_type), &length));
    SEXP with_datatype = PROTECT(options_for_strings(options, ASDF_UCS4, length));
    const struct region *region = &reading->region;
    size_t count = (size_t)region->size, stored_size = 0;
    /* This size is at least that of the code points in number, so the product does not overflow. */
    check(asdf_array_region_size(reading->array, region->rank, region->count, 0, &stored_size));
    size_t point_count = count * (size_t)length;
    uint32_t *points = (uint32_t *)R_alloc(point_count + 1, sizeof *points);
    char *text = R_alloc((size_t)length + 1, 4);
    check(asdf_array_read_region(reading->array, region->rank, region->start, region->count, region->step, 0,
                                 handle_of(with_datatype, &options_type), points, point_count * sizeof *points, mask,
                                 mask ? count : 0));
    SEXP values = PROTECT(Rf_allocVector(STRSXP, region->size));
    for (R_xlen_t i = 0; i < region->size; i++) {
        const uint32_t *string = points + i * length;
        int64_t end = length;
        while (end > 0 && string[end - 1] == 0) end--;
        size_t used = 0;
        for (int64_t k = 0; k < end; k++) used += put_utf8(text + used, string[k]);
        SET_STRING_ELT(values, i, mask && mask[i] ? NA_STRING : utf8(text, used));
    }
    UNPROTECT(3);
    return values;
}

/* Returns the unit of an array. */
SEXP C_array_unit(SEXP owner) {
    const asdf_array *array = handle_of(owner, &array_type);
    SEXP result;
    READ_TEXT(result, asdf_array_unit(array, buffer, capacity, &needed));
    PROTECT(result);
    result = Rf_ScalarString(result);
    UNPROTECT(1);
    return result;
}

/* Reads an array or a region as a vector with the attribute dim. Records are read field by field, by R. Integers that
 * are read in another unit become doubles. */
SEXP C_array_read(SEXP owner, SEXP start, SEXP count, SEXP step, SEXP bigint, SEXP options, SEXP in_unit) {
    struct reading reading = {handle_of(owner, &array_type), {0}, options_of(options)};
    int32_t code = 0, masked = 0;
    find_region(&reading.region, reading.array, start, count, step);
    check(asdf_array_datatype(reading.array, &code));
    check(asdf_array_has_mask(reading.array, &masked));
    const int is_integer = (code >= ASDF_INT8 && code <= ASDF_INT64) || (code >= ASDF_UINT8 && code <= ASDF_UINT64);
    if (is_integer && Rf_asLogical(in_unit) == TRUE) code = ASDF_FLOAT64;
    uint8_t *mask = masked ? (uint8_t *)R_alloc((size_t)reading.region.size + 1, 1) : NULL;
    struct elements elements = {reading.region.size, code, mask, &reading, NULL, read_region};
    SEXP values = PROTECT(code == ASDF_ASCII || code == ASDF_UCS4 ? read_strings(&reading, options, mask)
                                                                  : read_elements(&elements, bigint_of(bigint)));
    set_dim(values, &reading.region);
    UNPROTECT(1);
    return values;
}
