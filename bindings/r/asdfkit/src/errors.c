/* Failures of the library as R conditions; the function raise_error() of R makes them. */
#include "package.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static SEXP string_or_na(const char *text) {
    return Rf_ScalarString(text ? Rf_mkCharLenCE(text, (int)strlen(text), CE_UTF8) : NA_STRING);
}

/* The whole message of the last failure, in which elements and rows count from 1; else one of its fields. */
#define WHOLE_MESSAGE (-1)

static asdf_status get_text(int32_t field, char *text, size_t capacity, size_t *needed) {
    return field == WHOLE_MESSAGE ? asdf_error_message_from_one(text, capacity, needed)
                                  : asdf_error_text(field, text, capacity, needed);
}

/* Returns a text of the last failure, or NULL. */
static const char *text_field(int32_t field) {
    size_t needed = 0;
    get_text(field, NULL, 0, &needed);
    char *text = R_alloc(needed + 1, 1);
    return get_text(field, text, needed + 1, NULL) == ASDF_OK ? text : NULL;
}

/* Returns the sentence in a message that begins with the place of the last failure. */
static const char *sentence_of(const char *message) {
    const char *entry = text_field(ASDF_REPORT_ENTRY), *sentence = text_field(ASDF_REPORT_MESSAGE);
    size_t place = entry && sentence && strlen(entry) > strlen(sentence) ? strlen(entry) - strlen(sentence) : 0;
    return message && strlen(message) > place ? message + place : message;
}

/* Returns a number of the last failure, or NA. */
static SEXP number_field(int32_t field) {
    int64_t value = -1;
    return Rf_ScalarReal(asdf_error_int(field, &value) == ASDF_OK && value >= 0 ? (double)value : NA_REAL);
}

/* Raises a condition from these fields: message, text, path, file, subject, line, column, offset, number of the
   system. */
static NORET void raise(asdf_status status, SEXP fields) {
    PROTECT(fields);
    SEXP call = PROTECT(Rf_lang4(Rf_install("raise_error"), PROTECT(Rf_ScalarInteger(status)),
                                 PROTECT(Rf_mkString(asdf_status_name(status))), fields));
    SEXP space = PROTECT(R_FindNamespace(PROTECT(Rf_mkString("asdfkit"))));
    Rf_eval(call, space);
    Rf_error("%s", asdf_status_name(status)); /* raise_error() does not return */
}

void check(asdf_status status) {
    static const int32_t texts[] = {ASDF_REPORT_PATH, ASDF_REPORT_FILE, ASDF_REPORT_SUBJECT};
    static const int32_t numbers[] = {ASDF_REPORT_LINE, ASDF_REPORT_COLUMN, ASDF_REPORT_OFFSET, ASDF_REPORT_OS_NUMBER};
    /* A failure in a callback comes before what the library makes of it. */
    continue_unwinding();
    if (status == ASDF_OK) return;
    SEXP fields = PROTECT(Rf_allocVector(VECSXP, 9));
    const char *message = text_field(WHOLE_MESSAGE);
    SET_VECTOR_ELT(fields, 0, string_or_na(message));
    SET_VECTOR_ELT(fields, 1, string_or_na(sentence_of(message)));
    for (int i = 0; i < 3; i++) SET_VECTOR_ELT(fields, 2 + i, string_or_na(text_field(texts[i])));
    for (int i = 0; i < 4; i++) SET_VECTOR_ELT(fields, 5 + i, number_field(numbers[i]));
    raise(status, fields);
}

void fail(asdf_status status, const char *path, const char *format, ...) {
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    SEXP fields = PROTECT(Rf_allocVector(VECSXP, 9));
    char entry[2048];
    snprintf(entry, sizeof entry, "%s%s%s", path && *path ? path : "", path && *path ? ": " : "", message);
    SEXP unknown = PROTECT(Rf_ScalarString(NA_STRING));
    SET_VECTOR_ELT(fields, 0, Rf_mkString(entry));
    SET_VECTOR_ELT(fields, 1, Rf_mkString(message));
    SET_VECTOR_ELT(fields, 2, path && *path ? Rf_mkString(path) : unknown);
    for (int i = 3; i < 5; i++) SET_VECTOR_ELT(fields, i, unknown);
    for (int i = 5; i < 9; i++) SET_VECTOR_ELT(fields, i, Rf_ScalarReal(NA_REAL));
    raise(status, fields);
}

void check_column(asdf_status status, const char *column, const char *remedy) {
    if (status == ASDF_OK) return;
    const char *message = text_field(WHOLE_MESSAGE);
    fail(status, NULL, "column '%s': %s; %s", column, message ? message : asdf_status_name(status), remedy);
}

static size_t count_of(const char *text, char wanted) {
    size_t count = 0;
    for (; *text; text++) count += *text == wanted;
    return count;
}

/* R writes a byte that is not valid as "<ff>", which would change the text. */
const char *utf8_of(SEXP string) {
    const char *text = Rf_translateCharUTF8(string);
    if (text != CHAR(string) && count_of(text, '<') > count_of(CHAR(string), '<'))
        fail(ASDF_ERR_ENCODING, NULL, "the string \"%s\" has bytes that are not valid in its encoding", text);
    return text;
}

const char *text_of(SEXP value, const char *what) {
    if (TYPEOF(value) != STRSXP || XLENGTH(value) != 1 || STRING_ELT(value, 0) == NA_STRING)
        fail(ASDF_ERR_INVALID_ARGUMENT, NULL, "%s must be one string", what);
    return utf8_of(STRING_ELT(value, 0));
}

const char *path_of(SEXP path) {
    return path == R_NilValue ? "" : text_of(path, "the path");
}

SEXP utf8(const char *text, size_t length) {
    if (length > INT_MAX) fail(ASDF_ERR_UNSUPPORTED, NULL, "R cannot hold a string of %.0f bytes", (double)length);
    if (memchr(text, 0, length)) fail(ASDF_ERR_UNSUPPORTED, NULL, "R cannot hold a string that contains a NUL");
    return Rf_mkCharLenCE(text, (int)length, CE_UTF8);
}
