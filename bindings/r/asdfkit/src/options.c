/* Options of calls: an options handle made of a list that check_options() of R has made of named arguments. */
#include "package.h"

#include <setjmp.h>
#include <string.h>

/* What unwinds after a failure or interrupt in a function that reports progress; NULL if nothing does. */
static SEXP unwinding = NULL;

static SEXP call_progress(void *call) {
    return Rf_eval((SEXP)call, R_GlobalEnv);
}

static void leave(void *place, Rboolean jump) {
    if (jump) longjmp(*(jmp_buf *)place, 1);
}

/* The progress callback: calls the R function, which cancels by FALSE. R must not jump over frames of the library, so
   failures and interrupts wait until the library has returned; see continue_unwinding(). */
static int32_t report_progress(void *function, int64_t done, int64_t total) {
    if (unwinding) return 1;
    SEXP token = PROTECT(R_MakeUnwindCont());
    SEXP call = PROTECT(Rf_lang3((SEXP)function, PROTECT(Rf_ScalarReal((double)done)),
                                 PROTECT(Rf_ScalarReal(total < 0 ? NA_REAL : (double)total))));
    jmp_buf place;
    if (setjmp(place)) {
        R_PreserveObject(token);
        unwinding = token;
        UNPROTECT(4);
        return 1;
    }
    SEXP result = R_UnwindProtect(call_progress, call, leave, &place, token);
    int32_t cancelled = TYPEOF(result) == LGLSXP && XLENGTH(result) == 1 && LOGICAL(result)[0] == FALSE;
    UNPROTECT(4);
    return cancelled;
}

static asdf_status release_progress(void *function) {
    R_ReleaseObject((SEXP)function);
    return ASDF_OK;
}

void continue_unwinding(void) {
    if (!unwinding) return;
    SEXP token = PROTECT(unwinding);
    R_ReleaseObject(token);
    unwinding = NULL;
    R_ContinueUnwind(token);
}

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

/* Makes options of a list of items list(key, name, value, several): a number, a string, strings, or a function. */
SEXP C_options(SEXP items) {
    SEXP owner = PROTECT(new_owner(&options_type));
    asdf_options *options = NULL;
    check(asdf_options_new(&options));
    own(owner, options);
    for (R_xlen_t i = 0; i < XLENGTH(items); i++) {
        SEXP item = VECTOR_ELT(items, i);
        int32_t key = Rf_asInteger(VECTOR_ELT(item, 0));
        const char *name = text_of(VECTOR_ELT(item, 1), "the name of an option");
        SEXP value = VECTOR_ELT(item, 2);
        if (Rf_isFunction(value)) {
            R_PreserveObject(value);
            asdf_status status = asdf_options_set_progress(options, report_progress, release_progress, value);
            if (status != ASDF_OK) R_ReleaseObject(value);
            check(status);
            continue;
        }
        if (TYPEOF(value) != STRSXP) {
            check(asdf_options_set_int(options, key, integer_of(value, name)));
            continue;
        }
        for (R_xlen_t k = 0; k < XLENGTH(value); k++) {
            if (STRING_ELT(value, k) == NA_STRING)
                fail(ASDF_ERR_INVALID_ARGUMENT, NULL, "the option %s must not be NA", name);
            const char *text = Rf_translateCharUTF8(STRING_ELT(value, k));
            size_t length = strlen(text);
            int several = Rf_asLogical(VECTOR_ELT(item, 3)) == TRUE;
            check(several ? asdf_options_add_text(options, key, text, length)
                          : asdf_options_set_text(options, key, text, length));
        }
    }
    UNPROTECT(1);
    return owner;
}

const asdf_options *options_of(SEXP options) {
    return options == R_NilValue ? NULL : handle_of(options, &options_type);
}

SEXP own_options(SEXP options) {
    SEXP owner = PROTECT(new_owner(&options_type));
    asdf_options *copy = NULL;
    check(options == R_NilValue ? asdf_options_new(&copy) : asdf_options_copy(options_of(options), &copy));
    own(owner, copy);
    UNPROTECT(1);
    return owner;
}
