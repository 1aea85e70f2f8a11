/* Elements as R vectors: which vector holds which datatype, and what becomes of NA. */
#include "package.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void read_as(const struct elements *from, int32_t code, void *memory, size_t element_size) {
    check(from->read(from, code, memory, (size_t)from->count * element_size));
}

static int is_missing(const struct elements *from, R_xlen_t index) {
    return from->mask && from->mask[index];
}

/* Doubles. A NaN that R would take for NA becomes another NaN; a missing element becomes NA. */
static SEXP read_doubles(const struct elements *from) {
    SEXP values = PROTECT(Rf_allocVector(REALSXP, from->count));
    double *elements = REAL(values);
    read_as(from, ASDF_FLOAT64, elements, sizeof *elements);
    for (R_xlen_t i = 0; i < from->count; i++) {
        if (is_missing(from, i))
            elements[i] = NA_REAL;
        else if (elements[i] != elements[i] && R_IsNA(elements[i]))
            elements[i] = R_NaN;
    }
    UNPROTECT(1);
    return values;
}

/* Integers of up to 32 bits. INT32_MIN is NA in R, so an array that holds it becomes doubles. */
static SEXP read_integers(const struct elements *from) {
    SEXP values = PROTECT(Rf_allocVector(INTSXP, from->count));
    int *elements = INTEGER(values);
    read_as(from, ASDF_INT32, elements, sizeof *elements);
    for (R_xlen_t i = 0; i < from->count; i++) {
        if (is_missing(from, i)) {
            elements[i] = NA_INTEGER;
        } else if (elements[i] == NA_INTEGER) {
            UNPROTECT(1);
            return read_doubles(from);
        }
    }
    UNPROTECT(1);
    return values;
}

/* Truth values. The bytes are read into the end of the vector and spread from its beginning. */
static SEXP read_logicals(const struct elements *from) {
    R_xlen_t count = from->count;
    SEXP values = PROTECT(Rf_allocVector(LGLSXP, count));
    int *elements = LOGICAL(values);
    const uint8_t *bytes = (const uint8_t *)elements + (sizeof *elements - 1) * (size_t)count;
    read_as(from, ASDF_BOOL8, (void *)bytes, 1);
    for (R_xlen_t i = 0; i < count; i++) {
        int value = bytes[i] != 0;
        elements[i] = is_missing(from, i) ? NA_LOGICAL : value;
    }
    UNPROTECT(1);
    return values;
}

static SEXP read_complex(const struct elements *from) {
    SEXP values = PROTECT(Rf_allocVector(CPLXSXP, from->count));
    Rcomplex *elements = COMPLEX(values);
    read_as(from, ASDF_COMPLEX128, elements, sizeof *elements);
    for (R_xlen_t i = 0; i < from->count; i++) {
        if (is_missing(from, i))
            elements[i].r = elements[i].i = NA_REAL;
        else {
            if (R_IsNA(elements[i].r)) elements[i].r = R_NaN;
            if (R_IsNA(elements[i].i)) elements[i].i = R_NaN;
        }
    }
    UNPROTECT(1);
    return values;
}

/* Integers of 64 bits. integer64 keeps them in the memory of doubles. */
static SEXP read_big_integers(const struct elements *from, int32_t code, enum bigint bigint) {
    R_xlen_t count = from->count;
    int is_unsigned = code == ASDF_UINT64 && bigint == AS_CHARACTER;
    SEXP values = PROTECT(Rf_allocVector(REALSXP, count));
    /* The library refuses a uint64 beyond 2^63 - 1, unless it is read as text. */
    read_as(from, is_unsigned ? ASDF_UINT64 : ASDF_INT64, REAL(values), sizeof(double));
    SEXP result = bigint == AS_CHARACTER ? Rf_allocVector(STRSXP, count) : values;
    PROTECT(result);
    for (R_xlen_t i = 0; i < count; i++) {
        int64_t value;
        char digits[32];
        memcpy(&value, REAL(values) + i, sizeof value);
        if (bigint == AS_NUMERIC) {
            REAL(values)[i] = is_missing(from, i) ? NA_REAL : exact_double(value, from->name);
        } else if (bigint == AS_CHARACTER) {
            if (is_unsigned)
                snprintf(digits, sizeof digits, "%" PRIu64, (uint64_t)value);
            else
                snprintf(digits, sizeof digits, "%" PRId64, value);
            SET_STRING_ELT(result, i, is_missing(from, i) ? NA_STRING : Rf_mkChar(digits));
        } else if (is_missing(from, i)) {
            value = INT64_MIN;
            memcpy(REAL(values) + i, &value, sizeof value);
        } else if (value == INT64_MIN) {
            fail(ASDF_ERR_OVERFLOW, from->name,
                 "element %.0f is -2^63, which is NA in the class integer64; use bigint = "
                 "\"numeric\" or \"character\"",
                 (double)i + 1);
        }
    }
    if (bigint == AS_INTEGER64) integer64_class(result);
    UNPROTECT(2);
    return result;
}

SEXP read_elements(const struct elements *from, enum bigint bigint) {
    switch (from->code) {
    case ASDF_INT8:
    case ASDF_INT16:
    case ASDF_INT32:
    case ASDF_UINT8:
    case ASDF_UINT16:
        return read_integers(from);
    case ASDF_UINT32:
    case ASDF_FLOAT16:
    case ASDF_FLOAT32:
    case ASDF_FLOAT64:
    case ASDF_FLOAT128:
        return read_doubles(from);
    case ASDF_INT64:
    case ASDF_UINT64:
        return read_big_integers(from, from->code, bigint);
    case ASDF_COMPLEX64:
    case ASDF_COMPLEX128:
    case ASDF_COMPLEX256:
        return read_complex(from);
    case ASDF_BOOL8:
        return read_logicals(from);
    default:
        fail(ASDF_ERR_UNSUPPORTED, NULL, "R has no vectors for this datatype");
    }
}
