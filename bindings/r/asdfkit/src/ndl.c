/* Descriptions in NDL: reading, checking, describing files, making files, comparing, exporting. */
#include "package.h"

#include <string.h>

static const asdf_ndl *ndl_of(SEXP owner) {
    return handle_of(owner, &ndl_type);
}

SEXP C_ndl_read(SEXP path, SEXP options) {
    SEXP owner = PROTECT(new_owner(&ndl_type));
    asdf_ndl *ndl = NULL;
    check(asdf_ndl_read(text_of(path, "the name of the file"), options_of(options), &ndl));
    own(owner, ndl);
    UNPROTECT(1);
    return owner;
}

SEXP C_ndl_parse(SEXP text, SEXP options) {
    const char *bytes = text_of(text, "the text of a description");
    SEXP owner = PROTECT(new_owner(&ndl_type));
    asdf_ndl *ndl = NULL;
    check(asdf_ndl_read_memory(bytes, strlen(bytes), options_of(options), &ndl));
    own(owner, ndl);
    UNPROTECT(1);
    return owner;
}

SEXP C_ndl_describe(SEXP file, SEXP options) {
    SEXP owner = PROTECT(new_owner(&ndl_type));
    asdf_ndl *ndl = NULL;
    check(asdf_ndl_describe(file_of(file), options_of(options), &ndl));
    own(owner, ndl);
    UNPROTECT(1);
    return owner;
}

SEXP C_ndl_is_valid(SEXP ndl) {
    int32_t valid = 0;
    check(asdf_ndl_is_valid(ndl_of(ndl), &valid));
    return Rf_ScalarLogical(valid);
}

SEXP C_ndl_report(SEXP ndl) {
    SEXP owner = PROTECT(new_owner(&report_type));
    asdf_report *report = NULL;
    check(asdf_ndl_report(ndl_of(ndl), &report));
    own(owner, report);
    UNPROTECT(1);
    return owner;
}

SEXP C_ndl_create(SEXP ndl, SEXP path, SEXP options) {
    SEXP owner = PROTECT(new_owner(&report_type));
    asdf_report *report = NULL;
    check(asdf_ndl_create_asdf(ndl_of(ndl), text_of(path, "the name of the file"), options_of(options), &report));
    own(owner, report);
    UNPROTECT(1);
    return owner;
}

SEXP C_ndl_compare(SEXP ndl, SEXP newer, SEXP ignore) {
    SEXP owner = PROTECT(new_owner(&report_type));
    asdf_report *report = NULL;
    check(asdf_ndl_compare(ndl_of(ndl), ndl_of(newer), Rf_asInteger(ignore), &report));
    own(owner, report);
    UNPROTECT(1);
    return owner;
}

SEXP C_ndl_conform(SEXP ndl, SEXP file, SEXP subset) {
    SEXP owner = PROTECT(new_owner(&report_type));
    asdf_report *report = NULL;
    check(asdf_ndl_conform(ndl_of(ndl), ndl_of(file), Rf_asLogical(subset) == TRUE, &report));
    own(owner, report);
    UNPROTECT(1);
    return owner;
}

SEXP C_ndl_export(SEXP ndl, SEXP format, SEXP name, SEXP options) {
    SEXP owner = PROTECT(new_owner(&buffer_type));
    asdf_buffer *buffer = NULL;
    const char *prefix = name == R_NilValue ? NULL : text_of(name, "the name");
    check(asdf_ndl_export(ndl_of(ndl), Rf_asInteger(format), prefix, options_of(options), &buffer));
    own(owner, buffer);
    const void *bytes = NULL;
    size_t size = 0;
    check(asdf_buffer_bytes(buffer, &bytes, &size));
    SEXP text = PROTECT(Rf_ScalarString(utf8(bytes, size)));
    release(owner, &buffer_type);
    UNPROTECT(2);
    return text;
}

SEXP C_ndl_write(SEXP ndl, SEXP path, SEXP options) {
    check(asdf_ndl_write(ndl_of(ndl), text_of(path, "the name of the file"), options_of(options)));
    return R_NilValue;
}

/* Returns the path names of the objects of a kind. */
SEXP C_ndl_paths(SEXP owner, SEXP kind) {
    const asdf_ndl *ndl = ndl_of(owner);
    int32_t which = Rf_asInteger(kind);
    int64_t count = 0;
    check(asdf_ndl_count(ndl, which, &count));
    SEXP paths = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)count));
    for (int64_t i = 0; i < count; i++) {
        SEXP text;
        READ_TEXT(text, asdf_ndl_path(ndl, which, i, buffer, capacity, &needed));
        SET_STRING_ELT(paths, i, text);
    }
    UNPROTECT(1);
    return paths;
}
