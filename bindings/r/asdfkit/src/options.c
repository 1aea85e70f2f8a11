/* Options of calls: an options handle made of a list that check_options() of R has made of named arguments. */
#include "package.h"

#include <string.h>

static int64_t integer_of(SEXP value, const char *what) {
    if (XLENGTH(value) == 1) {
        if (Rf_inherits(value, "integer64")) return *(int64_t *)REAL(value);
        if (TYPEOF(value) == INTSXP && INTEGER(value)[0] != NA_INTEGER) return INTEGER(value)[0];
        if (TYPEOF(value) == LGLSXP && LOGICAL(value)[0] != NA_LOGICAL) return LOGICAL(value)[0];
        if (TYPEOF(value) == REALSXP && REAL(value)[0] == (double)(int64_t)REAL(value)[0])
            return (int64_t)REAL(value)[0];
    }
    fail(ASDF_ERR_INVALID_ARGUMENT, NULL, "the option %s must be one whole number", what);
}

/* Makes options of a list of items list(key, name, value, setter): a number, a string, strings, or a function. */
SEXP C_options(SEXP items) {
    SEXP owner = PROTECT(new_owner(&options_type));
    asdf_options *options = NULL;
    check(asdf_options_new(&options));
    own(owner, options);
    check(asdf_options_set_progress(options, report_progress, NULL, NULL));
    for (R_xlen_t i = 0; i < XLENGTH(items); i++) {
        SEXP item = VECTOR_ELT(items, i);
        int32_t key = Rf_asInteger(VECTOR_ELT(item, 0));
        const char *name = text_of(VECTOR_ELT(item, 1), "the name of an option");
        SEXP value = VECTOR_ELT(item, 2);
        if (Rf_isFunction(value)) {
            R_SetExternalPtrProtected(owner, value);
            check(asdf_options_set_progress(options, report_progress, NULL, value));
            continue;
        }
        const char *setter = text_of(VECTOR_ELT(item, 3), "the setter of an option");
        if (strcmp(setter, "schemas") == 0) {
            check(asdf_options_set_schemas(options, handle_of(value, &schemas_type)));
            continue;
        }
        if (strcmp(setter, "float") == 0) {
            check(asdf_options_set_float(options, key, Rf_asReal(value)));
            continue;
        }
        if (strcmp(setter, "ints") == 0) {
            int64_t numbers[ASDF_MAX_RANK];
            R_xlen_t count = XLENGTH(value);
            if (count > ASDF_MAX_RANK)
                fail(ASDF_ERR_INVALID_ARGUMENT, NULL, "the option %s has at most %d numbers", name, ASDF_MAX_RANK);
            /* The library has the last extent of R first. */
            for (R_xlen_t k = 0; k < count; k++) numbers[count - 1 - k] = (int64_t)REAL(value)[k];
            check(asdf_options_set_ints(options, key, numbers, (int64_t)count));
            continue;
        }
        if (TYPEOF(value) != STRSXP) {
            check(asdf_options_set_int(options, key, integer_of(value, name)));
            continue;
        }
        for (R_xlen_t k = 0; k < XLENGTH(value); k++) {
            if (STRING_ELT(value, k) == NA_STRING)
                fail(ASDF_ERR_INVALID_ARGUMENT, NULL, "the option %s must not be NA", name);
            const char *text = utf8_of(STRING_ELT(value, k));
            size_t length = strlen(text);
            check(strcmp(setter, "texts") == 0 ? asdf_options_add_text(options, key, text, length)
                                               : asdf_options_set_text(options, key, text, length));
        }
    }
    UNPROTECT(1);
    return owner;
}

/* The garbage collector sees the function this way. If the library kept the function itself, an object whose function
   refers to it would never be freed. */
void own_with_options(SEXP owner, void *handle, SEXP options) {
    R_SetExternalPtrProtected(owner, options);
    own(owner, handle);
}

/* Without options a call can still be interrupted. */
const asdf_options *options_of(SEXP options) {
    static asdf_options *interruptible = NULL;
    if (options != R_NilValue) return handle_of(options, &options_type);
    if (!interruptible) {
        asdf_options *made = NULL;
        check(asdf_options_new(&made));
        check(asdf_options_set_progress(made, report_progress, NULL, NULL));
        interruptible = made;
    }
    return interruptible;
}

/* Returns a copy of options with a datatype of strings, which the code 0 of a call then stands for. */
SEXP options_for_strings(SEXP options, int32_t code, int64_t length) {
    SEXP type = PROTECT(new_owner(&datatype_type));
    SEXP owner = PROTECT(new_owner(&options_type));
    asdf_datatype *datatype = NULL;
    asdf_options *made = NULL;
    check(asdf_datatype_string(code, length, &datatype));
    own(type, datatype);
    check(asdf_options_copy(options_of(options), &made));
    own(owner, made);
    check(asdf_options_set_datatype(made, datatype));
    UNPROTECT(2);
    return owner;
}
