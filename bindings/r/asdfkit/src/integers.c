/* 64-bit integers in R, which has none of its own: the class integer64 of bit64, double if exact, or text. */
#include "package.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum bigint bigint_of(SEXP bigint) {
    const char *name = text_of(bigint, "bigint");
    if (strcmp(name, "integer64") == 0) return AS_INTEGER64;
    if (strcmp(name, "numeric") == 0) return AS_NUMERIC;
    if (strcmp(name, "character") == 0) return AS_CHARACTER;
    fail(ASDF_ERR_INVALID_ARGUMENT, NULL, "bigint must be \"integer64\", \"numeric\" or \"character\"");
}

SEXP integer64_class(SEXP values) {
    Rf_setAttrib(values, R_ClassSymbol, Rf_mkString("integer64"));
    return values;
}

double exact_double(int64_t value, const char *path) {
    double number = (double)value;
    /* 2^63 itself cannot be converted back. */
    if (number >= 9223372036854775808.0 || (int64_t)number != value)
        fail(ASDF_ERR_OVERFLOW, path,
             "%" PRId64 " is not exact as a double; use bigint = \"integer64\" or \"character\"", value);
    return number;
}

SEXP big_scalar(int64_t value, enum bigint bigint, const char *path) {
    if (value > INT32_MIN && value <= INT32_MAX) return Rf_ScalarInteger((int)value);
    if (bigint == AS_NUMERIC) return Rf_ScalarReal(exact_double(value, path));
    if (bigint == AS_CHARACTER) {
        char digits[32];
        snprintf(digits, sizeof digits, "%" PRId64, value);
        return Rf_mkString(digits);
    }
    if (value == INT64_MIN)
        fail(ASDF_ERR_OVERFLOW, path, "-2^63 is NA in the class integer64; use bigint = \"character\"");
    SEXP result = PROTECT(Rf_allocVector(REALSXP, 1));
    memcpy(REAL(result), &value, sizeof value);
    integer64_class(result);
    UNPROTECT(1);
    return result;
}
