/* Progress reports of the library: they call an R function, and let the user interrupt a call. */
#include "package.h"

#include <setjmp.h>

/* Number of running functions that report progress; one can start another by its own calls. */
static int reporting = 0;

/* What unwinds after a failure or interrupt in a function that reports progress; NULL if nothing does. */
static SEXP unwinding = NULL;

struct progress {
    SEXP function; /* NULL if there is none */
    double done, total;
};

static SEXP call_progress(void *data) {
    const struct progress *progress = data;
    R_CheckUserInterrupt();
    if (!progress->function) return R_NilValue;
    SEXP done = PROTECT(Rf_ScalarReal(progress->done));
    SEXP total = PROTECT(Rf_ScalarReal(progress->total));
    SEXP result = Rf_eval(PROTECT(Rf_lang3(progress->function, done, total)), R_GlobalEnv);
    UNPROTECT(3);
    return result;
}

static void leave(void *place, Rboolean jump) {
    if (jump) longjmp(*(jmp_buf *)place, 1);
}

/* The progress callback: lets the user interrupt the call, and calls the R function, if there is one, which cancels by
   FALSE. R must not jump over frames of the library, so failures and interrupts wait until the library has returned;
   see continue_unwinding(). */
int32_t report_progress(void *function, int64_t done, int64_t total) {
    if (unwinding) return 1;
    SEXP token = PROTECT(R_MakeUnwindCont());
    struct progress progress = {function, (double)done, total < 0 ? NA_REAL : (double)total};
    reporting++;
    jmp_buf place;
    if (setjmp(place)) {
        reporting--;
        R_PreserveObject(token);
        unwinding = token;
        UNPROTECT(1);
        return 1;
    }
    SEXP result = R_UnwindProtect(call_progress, &progress, leave, &place, token);
    int32_t cancelled = TYPEOF(result) == LGLSXP && XLENGTH(result) == 1 && LOGICAL(result)[0] == FALSE;
    reporting--;
    UNPROTECT(1);
    return cancelled;
}

int is_reporting(void) {
    return reporting > 0;
}

void continue_unwinding(void) {
    if (!unwinding) return;
    SEXP token = PROTECT(unwinding);
    R_ReleaseObject(token);
    unwinding = NULL;
    R_ContinueUnwind(token);
}
