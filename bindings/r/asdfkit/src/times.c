/* Points in time as seconds since 1970, the numbers of POSIXct. */
#include "package.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char stored_remedy[] = "times = \"stored\" reads what the file has";

/* Returns the number of days from 1970-01-01 to a date of the proleptic Gregorian calendar. */
static int64_t days_since_1970(int64_t year, int month, int day) {
    const int64_t from_march = month > 2 ? year : year - 1;
    const int64_t era = (from_march >= 0 ? from_march : from_march - 399) / 400;
    const int64_t of_era = from_march - era * 400;
    const int64_t of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static NORET void fail_at_time(const char *column, int64_t i, const char *text) {
    static const char reason[] = "is in a leap second, which POSIXct does not hold";
    if (column)
        fail(ASDF_ERR_OUT_OF_RANGE, NULL, "column '%s': row %lld: %s %s; %s", column, (long long)i + 1, text, reason,
             stored_remedy);
    fail(ASDF_ERR_OUT_OF_RANGE, NULL, "time number %lld, %s, %s", (long long)i + 1, text, reason);
}

/* Reads seconds of UTC since 1970 from the texts of times, some of which nanoseconds do not hold. */
static void read_far_seconds(const asdf_time *time, double *seconds, int64_t count, const char *column) {
    SEXP owner = PROTECT(new_owner(&time_type));
    asdf_time *utc = NULL;
    uint8_t *mask = (uint8_t *)R_alloc((size_t)count + 1, 1);
    check(asdf_time_convert(time, ASDF_TIME_SCALE_UTC, &utc));
    own(owner, utc);
    check(asdf_time_read_mask(utc, mask, (size_t)count));
    for (int64_t i = 0; i < count; i++) {
        char text[64];
        long long year = 0;
        int month = 1, day = 1, hour = 0, minute = 0;
        double second = 0;
        seconds[i] = NA_REAL;
        if (mask[i]) continue;
        check(asdf_time_text(utc, i, ASDF_TIME_FORMAT_FITS, 9, text, sizeof text, NULL));
        const int found = sscanf(text, "%lld-%d-%dT%d:%d:%lf", &year, &month, &day, &hour, &minute, &second);
        if (found != 6 || second >= 60)
            fail_at_time(column, i, text);
        seconds[i] = (double)(days_since_1970(year, month, day) * 86400 + hour * 3600 + minute * 60) + second;
    }
    UNPROTECT(1);
}

/* Reads seconds of UTC since 1970; NA for missing times. They come from nanoseconds, because the numbers of the format
   `unix` divide a day with a leap second into 86400 parts. Nanoseconds hold the years 1678 to 2261. `is_rounded` gets 1
   if a time has more than the microseconds that are about the resolution of a double. */
static asdf_status read_seconds(const asdf_time *time, double *seconds, int64_t count, const char *column,
                                int *is_rounded) {
    int64_t *since = (int64_t *)(void *)R_alloc((size_t)count + 1, sizeof *since);
    double *rest = (double *)(void *)R_alloc((size_t)count + 1, sizeof *rest);
    const asdf_status status = asdf_time_read_nanoseconds(time, ASDF_TIME_SCALE_UTC, since, rest, (size_t)count);
    *is_rounded = 0;
    if (status == ASDF_ERR_OUT_OF_RANGE) {
        read_far_seconds(time, seconds, count, column);
        for (int64_t i = 0; i < count; i++)
            if (!isnan(seconds[i]) && seconds[i] != floor(seconds[i])) *is_rounded = 1;
        return ASDF_OK;
    }
    for (int64_t i = 0; status == ASDF_OK && i < count; i++) {
        seconds[i] = since[i] == INT64_MIN ? NA_REAL : (double)(((long double)since[i] + rest[i]) / 1e9L);
        if (since[i] != INT64_MIN && (since[i] % 1000 != 0 || rest[i] != 0)) *is_rounded = 1;
    }
    return status;
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
    int is_rounded;
    check(read_seconds(time, REAL(seconds), count, NULL, &is_rounded));
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

/* Room for the text of a time, whatever its numbers are. */
#define TIME_TEXT 96

/* Writes the text of a time in UTC with microseconds. Returns whether the year has four digits. */
static int put_text(double seconds, char text[TIME_TEXT]) {
    double whole = floor(seconds);
    long long microseconds = llround((seconds - whole) * 1e6);
    if (microseconds == 1000000) {
        microseconds = 0;
        whole += 1;
    }
    if (fabs(whole) > 3.0e12) fail(ASDF_ERR_OUT_OF_RANGE, NULL, "a time is outside the years -90000 to 90000");
    const int64_t since = (int64_t)whole, day = (since >= 0 ? since : since - 86399) / 86400;
    const int of_day = (int)(since - day * 86400);
    /* The calendar repeats after 146097 days; its years begin on March 1 here. */
    const int64_t shifted = day + 719468, era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
    const int64_t of_era = shifted - era * 146097;
    const int64_t year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    const int of_year = (int)(of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100));
    const int month = (5 * of_year + 2) / 153;
    const int64_t year = year_of_era + era * 400 + (month > 9 ? 1 : 0);
    const int is_short = year >= 0 && year <= 9999;
    const int length = snprintf(text, TIME_TEXT, is_short ? "%04lld" : "%+06lld", (long long)year);
    snprintf(text + length, (size_t)(TIME_TEXT - length), "-%02d-%02dT%02d:%02d:%02d.%06lld",
             month > 9 ? month - 9 : month + 3, of_year - (153 * month + 2) / 5 + 1, of_day / 3600, of_day / 60 % 60,
             of_day % 60, microseconds);
    return is_short;
}

/* Makes times of seconds of UTC since 1970 of which nanoseconds do not hold some. */
static asdf_status far_times(SEXP seconds, int32_t rank, const int64_t *shape, asdf_time **time) {
    const R_xlen_t count = XLENGTH(seconds);
    char *texts = R_alloc((size_t)count + 1, TIME_TEXT);
    int64_t *offsets = (int64_t *)(void *)R_alloc((size_t)count + 1, sizeof *offsets);
    uint8_t *mask = (uint8_t *)R_alloc((size_t)count + 1, 1);
    int are_short = 1;
    offsets[0] = 0;
    for (R_xlen_t i = 0; i < count; i++) {
        mask[i] = isnan(REAL(seconds)[i]) ? 1 : 0;
        char *text = texts + offsets[i];
        if (!put_text(mask[i] ? 0 : REAL(seconds)[i], text)) are_short = 0;
        offsets[i + 1] = offsets[i] + (int64_t)strlen(text);
    }
    SEXP owner = PROTECT(new_owner(&time_type));
    asdf_time *all = NULL;
    check(asdf_time_from_texts(texts, (size_t)offsets[count], offsets, rank, shape, ASDF_TIME_SCALE_UTC,
                               are_short ? ASDF_TIME_FORMAT_ISOT : ASDF_TIME_FORMAT_FITS, NULL, &all));
    own(owner, all);
    const asdf_status status = asdf_time_with_mask(all, mask, (size_t)count, time);
    UNPROTECT(1);
    return status;
}

/* Returns the owner of times in UTC from seconds since 1970, rounded to microseconds, which is about the resolution of a
   double. The caller protects it. */
static SEXP times_of(SEXP seconds, int32_t rank, asdf_time **time) {
    const R_xlen_t count = XLENGTH(seconds);
    const int64_t shape[1] = {(int64_t)count};
    int64_t *nanoseconds = (int64_t *)(void *)R_alloc((size_t)count + 1, sizeof *nanoseconds);
    int is_far = 0;
    SEXP owner = PROTECT(new_owner(&time_type));
    for (R_xlen_t i = 0; i < count; i++) {
        const double microseconds = REAL(seconds)[i] * 1e6;
        if (fabs(microseconds) > 9.2e15) is_far = 1;
        nanoseconds[i] = isnan(microseconds) || is_far ? INT64_MIN : (int64_t)llround(microseconds) * 1000;
    }
    check(is_far ? far_times(seconds, rank, shape, time)
                 : asdf_time_from_nanoseconds(nanoseconds, rank, shape, ASDF_TIME_SCALE_UTC, NULL, time));
    own(owner, *time);
    UNPROTECT(1);
    return owner;
}

/* Sets seconds of UTC since 1970. */
SEXP C_node_set_times(SEXP place, SEXP path, SEXP seconds, SEXP options) {
    asdf_time *time;
    PROTECT(times_of(seconds, XLENGTH(seconds) == 1 ? 0 : 1, &time));
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

/* Reads the days of dates since 1970, NA for missing ones. */
static void read_dates(const asdf_time *time, double *days, int64_t count) {
    double *rest = (double *)(void *)R_alloc((size_t)count + 1, sizeof *rest);
    uint8_t *mask = (uint8_t *)R_alloc((size_t)count + 1, 1);
    check(asdf_time_read_jd(time, days, rest, (size_t)count));
    check(asdf_time_read_mask(time, mask, (size_t)count));
    for (int64_t i = 0; i < count; i++) days[i] = mask[i] ? NA_REAL : days[i] - 2440587.5 + rest[i];
}

/* Returns a column of times as seconds of UTC since 1970, or as days if `dates` is true, and whether they were rounded.
   NULL for cells that are arrays, and for attributes of a time that the library does not know. */
SEXP C_table_times(SEXP table, SEXP name, SEXP dates) {
    SEXP owner = PROTECT(new_owner(&time_type));
    asdf_time *time = NULL;
    int64_t count = 0, shape[ASDF_MAX_RANK];
    int32_t rank = 0, has_dates = 0;
    const char *column = text_of(name, "the name of a column");
    asdf_status status = asdf_table_time(handle_of(table, &table_type), column, NULL, &time);
    if (status == ASDF_ERR_UNSUPPORTED) {
        UNPROTECT(1);
        return R_NilValue;
    }
    check_column(status, column, stored_remedy);
    own(owner, time);
    check(asdf_time_count(time, &count));
    check(asdf_time_shape(time, shape, ASDF_MAX_RANK, &rank));
    check(asdf_time_has_dates(time, &has_dates));
    if (rank != 1) {
        UNPROTECT(1);
        return R_NilValue;
    }
    SEXP values = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)count));
    int is_rounded = 0;
    if (!Rf_asLogical(dates)) {
        check_column(read_seconds(time, REAL(values), count, column, &is_rounded), column, stored_remedy);
    } else if (has_dates) {
        read_dates(time, REAL(values), count);
    } else {
        fail(ASDF_ERR_VALUE_RANGE, NULL, "column '%s': it is one of dates, but has times of day; times = \"POSIXct\" "
             "reads them", column);
    }
    SEXP result = PROTECT(Rf_allocVector(VECSXP, 2));
    SET_VECTOR_ELT(result, 0, values);
    SET_VECTOR_ELT(result, 1, Rf_ScalarLogical(is_rounded));
    UNPROTECT(3);
    return result;
}

/* Returns spans of time in seconds, NA for missing ones; NULL as for times. */
SEXP C_table_spans(SEXP table, SEXP name) {
    const asdf_table *handle = handle_of(table, &table_type);
    const char *column = text_of(name, "the name of a column");
    int64_t count = 0, rows = 0;
    check(asdf_table_row_count(handle, &rows));
    const asdf_status status = asdf_table_read_time_delta(handle, column, NULL, NULL, 0, &count, NULL);
    if (status == ASDF_ERR_UNSUPPORTED) return R_NilValue;
    check_column(status, column, stored_remedy);
    if (count != rows) return R_NilValue;
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

/* Adds a column of times from seconds of UTC since 1970. */
SEXP C_table_add_times(SEXP table, SEXP name, SEXP seconds) {
    asdf_time *time;
    PROTECT(times_of(seconds, 1, &time));
    check(asdf_table_add_time(handle_of(table, &table_type), text_of(name, "the name of a column"), time));
    UNPROTECT(1);
    return R_NilValue;
}

/* Replaces cells of a column of times, from a row on that is counted from 0, by seconds of UTC since 1970. */
SEXP C_table_set_times(SEXP table, SEXP name, SEXP row, SEXP seconds) {
    asdf_time *time;
    PROTECT(times_of(seconds, 1, &time));
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

/* Adds a column of spans of time from seconds. The format "sec" is one column of the file if numbers hold the spans and
   none is missing; the format "datetime" is always two, as batches need it. */
SEXP C_table_add_spans(SEXP table, SEXP name, SEXP seconds, SEXP format) {
    const R_xlen_t count = XLENGTH(seconds);
    double *jd1 = (double *)(void *)R_alloc((size_t)count + 1, sizeof *jd1);
    double *jd2 = (double *)(void *)R_alloc((size_t)count + 1, sizeof *jd2);
    for (R_xlen_t i = 0; i < count; i++) {
        /* The quotient of two doubles and what it lacks. */
        jd1[i] = REAL(seconds)[i] / 86400.0;
        jd2[i] = fma(-jd1[i], 86400.0, REAL(seconds)[i]) / 86400.0;
    }
    check(asdf_table_add_time_delta(handle_of(table, &table_type), text_of(name, "the name of a column"), jd1, jd2, 0,
                                    NULL, 0, text_of(format, "the format")));
    return R_NilValue;
}
