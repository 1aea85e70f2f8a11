/* Reports as columns of a data frame: warnings, diagnostics, notes, differences, losses. */
#include "package.h"

static SEXP texts(const asdf_report *report, R_xlen_t count, int32_t field) {
    SEXP column = PROTECT(Rf_allocVector(STRSXP, count));
    for (R_xlen_t i = 0; i < count; i++) {
        char small[1] = "";
        size_t needed = 0;
        /* A field that an entry does not have is NA. */
        asdf_status status = asdf_report_text(report, i, field, small, sizeof small, &needed);
        SEXP text = NA_STRING;
        if (status == ASDF_OK || status == ASDF_ERR_BUFFER_TOO_SMALL)
            READ_TEXT(text, asdf_report_text(report, i, field, buffer, capacity, &needed));
        SET_STRING_ELT(column, i, text);
    }
    UNPROTECT(1);
    return column;
}

static SEXP numbers(const asdf_report *report, R_xlen_t count, int32_t field) {
    SEXP column = PROTECT(Rf_allocVector(REALSXP, count));
    for (R_xlen_t i = 0; i < count; i++) {
        int64_t value = -1;
        asdf_status status = asdf_report_int(report, i, field, &value);
        REAL(column)[i] = status == ASDF_OK && value >= 0 ? (double)value : NA_REAL;
    }
    UNPROTECT(1);
    return column;
}

SEXP C_report(SEXP owner) {
    const asdf_report *report = handle_of(owner, &report_type);
    static const struct {
        const char *name;
        int32_t field;
        int is_text;
    } fields[] = {
        {"kind", ASDF_REPORT_KIND, 0},       {"severity", ASDF_REPORT_SEVERITY, 0},
        {"message", ASDF_REPORT_MESSAGE, 1}, {"code", ASDF_REPORT_CODE, 1},
        {"path", ASDF_REPORT_PATH, 1},       {"file", ASDF_REPORT_FILE, 1},
        {"line", ASDF_REPORT_LINE, 0},       {"column", ASDF_REPORT_COLUMN, 0},
        {"offset", ASDF_REPORT_OFFSET, 0},   {"block", ASDF_REPORT_BLOCK, 0},
        {"bytes", ASDF_REPORT_BYTES, 0},     {"rows", ASDF_REPORT_ROWS, 0},
        {"subject", ASDF_REPORT_SUBJECT, 1}, {"operation", ASDF_REPORT_OPERATION, 0},
        {"old", ASDF_REPORT_OLD, 1},         {"new", ASDF_REPORT_NEW, 1},
    };
    enum { FIELDS = sizeof fields / sizeof *fields };
    int64_t count = 0, dropped = 0;
    check(asdf_report_count(report, &count, &dropped));
    SEXP columns = PROTECT(Rf_allocVector(VECSXP, FIELDS));
    SEXP names = PROTECT(Rf_allocVector(STRSXP, FIELDS));
    for (int i = 0; i < FIELDS; i++) {
        SET_STRING_ELT(names, i, Rf_mkChar(fields[i].name));
        SET_VECTOR_ELT(columns, i,
                       fields[i].is_text ? texts(report, (R_xlen_t)count, fields[i].field)
                                         : numbers(report, (R_xlen_t)count, fields[i].field));
    }
    Rf_setAttrib(columns, R_NamesSymbol, names);
    Rf_setAttrib(columns, Rf_install("dropped"), Rf_ScalarReal((double)dropped));
    UNPROTECT(2);
    return columns;
}
