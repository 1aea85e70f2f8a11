/* Points in time as seconds since 1970, the numbers of POSIXct. */
#include "package.h"
#include <math.h>

/* Seconds since 1970 of 1960, when UTC began, and of a time after all that nanoseconds hold. */
static const double utc_begins = -315619200, nanoseconds_end = 9.3e9;

/* Reads seconds of UTC since 1970; NA for missing times. They come from nanoseconds, because the numbers of the format
   `unix` divide a day with a leap second into 86400 parts. Nanoseconds hold the years 1678 to 2261; other times may be
   read if none is of the years in which UTC has leap seconds. */
static void read_seconds(const asdf_time *time, double *seconds, int64_t count) {
    int64_t *since = (int64_t *)(void *)R_alloc((size_t)count + 1, sizeof *since);
    double *rest = (double *)(void *)R_alloc((size_t)count + 1, sizeof *rest);
    const asdf_status status = asdf_time_read_nanoseconds(time, ASDF_TIME_SCALE_UTC, since, rest, (size_t)count);
    if (status != ASDF_ERR_OUT_OF_RANGE) {
        check(status);
        for (int64_t i = 0; i < count; i++)
            seconds[i] = since[i] == INT64_MIN ? NA_REAL : (double)(((long double)since[i] + rest[i]) / 1e9L);
        return;
    }
    double *unix_seconds = (double *)(void *)R_alloc((size_t)count + 1, sizeof *unix_seconds);
    check(asdf_time_read_numbers(time, ASDF_TIME_FORMAT_UNIX, unix_seconds, (size_t)count));
    for (int64_t i = 0; i < count; i++) {
        /* The second call fails as the first did, with its message. */
        if (unix_seconds[i] > utc_begins && unix_seconds[i] < nanoseconds_end)
            check(asdf_time_read_nanoseconds(time, ASDF_TIME_SCALE_UTC, since, rest, (size_t)count));
        seconds[i] = isnan(unix_seconds[i]) ? NA_REAL : unix_seconds[i];
    }
}

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
    read_seconds(time, REAL(seconds), count);
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

/* Returns seconds as nanoseconds, rounded to microseconds, which is about the resolution of a double. */
static int64_t *nanoseconds_of(SEXP seconds) {
    const R_xlen_t count = XLENGTH(seconds);
    int64_t *nanoseconds = (int64_t *)(void *)R_alloc((size_t)count + 1, sizeof *nanoseconds);
    for (R_xlen_t i = 0; i < count; i++) {
        double microseconds = REAL(seconds)[i] * 1e6;
        if (fabs(microseconds) > 9.2e15) fail(ASDF_ERR_OUT_OF_RANGE, NULL, "a time is outside the years 1679 to 2261");
        nanoseconds[i] = isnan(microseconds) ? INT64_MIN : (int64_t)llround(microseconds) * 1000;
    }
    return nanoseconds;
}

/* Sets seconds of UTC since 1970. */
SEXP C_node_set_times(SEXP place, SEXP path, SEXP seconds, SEXP options) {
    const R_xlen_t count = XLENGTH(seconds);
    const int64_t shape[1] = {(int64_t)count};
    SEXP owner = PROTECT(new_owner(&time_type));
    asdf_time *time;
    check(asdf_time_from_nanoseconds(nanoseconds_of(seconds), count == 1 ? 0 : 1, shape, ASDF_TIME_SCALE_UTC, NULL,
                                     &time));
    own(owner, time);
    check(asdf_node_set_times(node_of(place), path_of(path), time, options_of(options)));
    UNPROTECT(1);
    return R_NilValue;
}

/* Columns of tables ------------------------------------------------------------------------------------------------ */

/* Returns the kind of a column of times or spans of time; 0 for any other, or none. */
SEXP C_table_time_kind(SEXP table, SEXP name) {
    int32_t kind = 0;
    const char *column = text_of(name, "the name of a column");
    if (asdf_table_time_kind(handle_of(table, &table_type), column, &kind) != ASDF_OK) kind = 0;
    return Rf_ScalarInteger(kind == ASDF_KIND_TIME ? 1 : kind == ASDF_KIND_TIME_DELTA ? 2 : 0);
}

/* Returns the days of dates since 1970, NA for missing ones. */
static SEXP dates_of(const asdf_time *time, int64_t count) {
    SEXP days = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)count));
    double *rest = (double *)(void *)R_alloc((size_t)count + 1, sizeof *rest);
    uint8_t *mask = (uint8_t *)R_alloc((size_t)count + 1, 1);
    check(asdf_time_read_jd(time, REAL(days), rest, (size_t)count));
    check(asdf_time_read_mask(time, mask, (size_t)count));
    for (int64_t i = 0; i < count; i++) REAL(days)[i] = mask[i] ? NA_REAL : REAL(days)[i] - 2440587.5 + rest[i];
    SEXP result = PROTECT(Rf_allocVector(VECSXP, 3));
    SET_VECTOR_ELT(result, 0, days);
    SET_VECTOR_ELT(result, 1, Rf_ScalarLogical(1));
    SET_VECTOR_ELT(result, 2, Rf_ScalarLogical(0));
    UNPROTECT(2);
    return result;
}

/* Returns seconds of UTC since 1970, or days of dates; whether the times are dates; and whether they have nanoseconds.
   NULL if nanoseconds do not hold the times, or if cells are arrays. */
SEXP C_table_times(SEXP table, SEXP name) {
    SEXP owner = PROTECT(new_owner(&time_type));
    asdf_time *time = NULL;
    int64_t count = 0, shape[ASDF_MAX_RANK];
    int32_t rank = 0, has_dates = 0;
    const char *column = text_of(name, "the name of a column");
    if (asdf_table_time(handle_of(table, &table_type), column, NULL, &time) != ASDF_OK) {
        UNPROTECT(1);
        return R_NilValue;
    }
    own(owner, time);
    check(asdf_time_count(time, &count));
    check(asdf_time_shape(time, shape, ASDF_MAX_RANK, &rank));
    check(asdf_time_has_dates(time, &has_dates));
    if (rank == 1 && has_dates) {
        SEXP result = dates_of(time, count);
        UNPROTECT(1);
        return result;
    }
    int64_t *since = (int64_t *)(void *)R_alloc((size_t)count + 1, sizeof *since);
    if (rank != 1 || asdf_time_read_nanoseconds(time, ASDF_TIME_SCALE_UTC, since, NULL, (size_t)count) != ASDF_OK) {
        UNPROTECT(1);
        return R_NilValue;
    }
    SEXP seconds = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)count));
    int is_rounded = 0;
    for (int64_t i = 0; i < count; i++) {
        const double second = (double)((long double)since[i] / 1e9L);
        REAL(seconds)[i] = since[i] == INT64_MIN ? NA_REAL : second;
        /* Microseconds are about the resolution of a double. */
        if (since[i] != INT64_MIN && since[i] % 1000 != 0) is_rounded = 1;
    }
    SEXP result = PROTECT(Rf_allocVector(VECSXP, 3));
    SET_VECTOR_ELT(result, 0, seconds);
    SET_VECTOR_ELT(result, 1, Rf_ScalarLogical(has_dates));
    SET_VECTOR_ELT(result, 2, Rf_ScalarLogical(is_rounded));
    UNPROTECT(3);
    return result;
}

/* Returns spans of time in seconds, NA for missing ones; NULL if cells are arrays. */
SEXP C_table_spans(SEXP table, SEXP name) {
    const asdf_table *handle = handle_of(table, &table_type);
    const char *column = text_of(name, "the name of a column");
    int64_t count = 0, rows = 0;
    check(asdf_table_row_count(handle, &rows));
    if (asdf_table_read_time_delta(handle, column, NULL, NULL, 0, &count, NULL) != ASDF_OK || count != rows)
        return R_NilValue;
    SEXP seconds = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)count));
    double *rest = (double *)(void *)R_alloc((size_t)count + 1, sizeof *rest);
    if (count > 0) check(asdf_table_read_time_delta(handle, column, REAL(seconds), rest, (size_t)count, &count, NULL));
    for (int64_t i = 0; i < count; i++) {
        const double days = REAL(seconds)[i];
        REAL(seconds)[i] = isnan(days) ? NA_REAL : fma(days, 86400.0, rest[i] * 86400.0);
    }
    UNPROTECT(1);
    return seconds;
}

/* Returns the owner of times in UTC from seconds since 1970, rounded to microseconds. The caller protects it. */
static SEXP times_of(SEXP seconds, asdf_time **time) {
    const int64_t shape[1] = {(int64_t)XLENGTH(seconds)};
    SEXP owner = PROTECT(new_owner(&time_type));
    check(asdf_time_from_nanoseconds(nanoseconds_of(seconds), 1, shape, ASDF_TIME_SCALE_UTC, NULL, time));
    own(owner, *time);
    UNPROTECT(1);
    return owner;
}

/* Adds a column of times from seconds of UTC since 1970. */
SEXP C_table_add_times(SEXP table, SEXP name, SEXP seconds) {
    asdf_time *time;
    PROTECT(times_of(seconds, &time));
    check(asdf_table_add_time(handle_of(table, &table_type), text_of(name, "the name of a column"), time));
    UNPROTECT(1);
    return R_NilValue;
}

/* Replaces cells of a column of times, from a row on that is counted from 0, by seconds of UTC since 1970. */
SEXP C_table_set_times(SEXP table, SEXP name, SEXP row, SEXP seconds) {
    asdf_time *time;
    PROTECT(times_of(seconds, &time));
    const char *column = text_of(name, "the name of a column");
    check(asdf_table_set_time(handle_of(table, &table_type), column, (int64_t)Rf_asReal(row), time));
    UNPROTECT(1);
    return R_NilValue;
}

/* Adds a column of dates from days since 1970. */
SEXP C_table_add_dates(SEXP table, SEXP name, SEXP days) {
    const R_xlen_t count = XLENGTH(days);
    const int64_t shape[1] = {(int64_t)count};
    double *jd1 = (double *)(void *)R_alloc((size_t)count + 1, sizeof *jd1);
    double *jd2 = (double *)(void *)R_alloc((size_t)count + 1, sizeof *jd2);
    uint8_t *mask = (uint8_t *)R_alloc((size_t)count + 1, 1);
    for (R_xlen_t i = 0; i < count; i++) {
        mask[i] = isnan(REAL(days)[i]) ? 1 : 0;
        jd1[i] = 2440587.5 + (mask[i] ? 0 : floor(REAL(days)[i]));
        jd2[i] = 0;
    }
    asdf_time *time, *masked, *dates;
    SEXP owners[3];
    for (int i = 0; i < 3; i++) owners[i] = PROTECT(new_owner(&time_type));
    check(asdf_time_from_jd(jd1, jd2, 1, shape, ASDF_TIME_SCALE_UTC, ASDF_TIME_FORMAT_ISO, NULL, &time));
    own(owners[0], time);
    check(asdf_time_with_mask(time, mask, (size_t)count, &masked));
    own(owners[1], masked);
    check(asdf_time_with_dates(masked, &dates));
    own(owners[2], dates);
    check(asdf_table_add_time(handle_of(table, &table_type), text_of(name, "the name of a column"), dates));
    UNPROTECT(3);
    return R_NilValue;
}

/* Adds a column of spans of time from seconds. */
SEXP C_table_add_spans(SEXP table, SEXP name, SEXP seconds) {
    const R_xlen_t count = XLENGTH(seconds);
    double *jd1 = (double *)(void *)R_alloc((size_t)count + 1, sizeof *jd1);
    double *jd2 = (double *)(void *)R_alloc((size_t)count + 1, sizeof *jd2);
    for (R_xlen_t i = 0; i < count; i++) {
        /* The quotient of two doubles and what it lacks. */
        jd1[i] = REAL(seconds)[i] / 86400.0;
        jd2[i] = fma(-jd1[i], 86400.0, REAL(seconds)[i]) / 86400.0;
    }
    check(asdf_table_add_time_delta(handle_of(table, &table_type), text_of(name, "the name of a column"), jd1, jd2, 0,
                                    NULL, 0, "sec"));
    return R_NilValue;
}
