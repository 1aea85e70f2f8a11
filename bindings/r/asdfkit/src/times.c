/* Points in time as seconds since 1970, the numbers of POSIXct. */
#include "package.h"
#include <math.h>

/* Returns seconds of UTC since 1970 with the dimensions of the times; NA for missing ones. */
SEXP C_node_get_times(SEXP place, SEXP path, SEXP options) {
    SEXP owner = PROTECT(new_owner(&time_type));
    asdf_time *time;
    check(asdf_node_get_time(node_of(place), path_of(path), options_of(options), &time));
    own(owner, time);
    int64_t count = 0, shape[ASDF_MAX_RANK];
    int32_t rank = 0;
    check(asdf_time_count(time, &count));
    check(asdf_time_shape(time, shape, ASDF_MAX_RANK, &rank));
    SEXP seconds = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)count));
    check(asdf_time_read_numbers(time, ASDF_TIME_FORMAT_UNIX, REAL(seconds), (size_t)count));
    for (int64_t i = 0; i < count; i++)
        if (isnan(REAL(seconds)[i])) REAL(seconds)[i] = NA_REAL;
    if (rank > 1) {
        SEXP dim = PROTECT(Rf_allocVector(INTSXP, rank));
        for (int32_t axis = 0; axis < rank; axis++) {
            int64_t extent = shape[rank - 1 - axis];
            if (extent > INT32_MAX) fail(ASDF_ERR_UNSUPPORTED, NULL, "an extent does not fit into an integer of R");
            INTEGER(dim)[axis] = (int)extent;
        }
        Rf_setAttrib(seconds, R_DimSymbol, dim);
        UNPROTECT(1);
    }
    UNPROTECT(2);
    return seconds;
}

/* Sets seconds of UTC since 1970, rounded to microseconds, which is about the resolution of a double. */
SEXP C_node_set_times(SEXP place, SEXP path, SEXP seconds, SEXP options) {
    const R_xlen_t count = XLENGTH(seconds);
    const int64_t shape[1] = {(int64_t)count};
    int64_t *nanoseconds = (int64_t *)(void *)R_alloc((size_t)count, sizeof *nanoseconds);
    for (R_xlen_t i = 0; i < count; i++) {
        double microseconds = REAL(seconds)[i] * 1e6;
        if (fabs(microseconds) > 9.2e15) fail(ASDF_ERR_OUT_OF_RANGE, NULL, "a time is outside the years 1679 to 2261");
        nanoseconds[i] = isnan(microseconds) ? INT64_MIN : (int64_t)llround(microseconds) * 1000;
    }
    SEXP owner = PROTECT(new_owner(&time_type));
    asdf_time *time;
    check(asdf_time_from_nanoseconds(nanoseconds, count == 1 ? 0 : 1, shape, ASDF_TIME_SCALE_UTC, NULL, &time));
    own(owner, time);
    check(asdf_node_set_times(node_of(place), path_of(path), time, options_of(options)));
    UNPROTECT(1);
    return R_NilValue;
}
