/* Files: opening, writing, saving, repairing, and what is known about a file. */
#include "package.h"

#include <string.h>

/* Returns the R object of a file that was opened or made, with its root beside it. */
static SEXP finish_file(SEXP owner, asdf_file *file) {
    own(owner, file);
    SEXP root = PROTECT(new_owner(&node_type));
    asdf_node *node = NULL;
    check(asdf_file_root(file, &node));
    own(root, node);
    R_SetExternalPtrProtected(owner, root);
    UNPROTECT(1);
    return owner;
}

SEXP C_file_open(SEXP path, SEXP update, SEXP options) {
    const char *name = text_of(path, "the name of the file");
    SEXP owner = PROTECT(new_owner(&file_type));
    asdf_file *file = NULL;
    check(Rf_asLogical(update) == TRUE ? asdf_file_open_for_update(name, options_of(options), &file)
                                       : asdf_file_open(name, options_of(options), &file));
    finish_file(owner, file);
    UNPROTECT(1);
    return owner;
}

SEXP C_file_open_memory(SEXP bytes, SEXP options) {
    if (TYPEOF(bytes) != RAWSXP) fail(ASDF_ERR_INVALID_ARGUMENT, NULL, "the bytes of a file must be a raw vector");
    SEXP owner = PROTECT(new_owner(&file_type));
    asdf_file *file = NULL;
    check(asdf_file_open_memory(RAW(bytes), (size_t)XLENGTH(bytes), options_of(options), &file));
    finish_file(owner, file);
    UNPROTECT(1);
    return owner;
}

SEXP C_file_new(SEXP options) {
    SEXP owner = PROTECT(new_owner(&file_type));
    asdf_file *file = NULL;
    check(asdf_file_new(options_of(options), &file));
    finish_file(owner, file);
    UNPROTECT(1);
    return owner;
}

/* Closes a file. Closing it again does nothing. */
SEXP C_file_close(SEXP owner) {
    if (is_owner(owner, &file_type) && !R_ExternalPtrAddr(owner)) return R_NilValue;
    asdf_file *file = file_of(owner);
    asdf_status status = asdf_file_close(file);
    check(status);
    release(R_ExternalPtrProtected(owner), &node_type);
    release(owner, &file_type);
    return R_NilValue;
}

SEXP C_is_open(SEXP owner) {
    return Rf_ScalarLogical(TYPEOF(owner) == EXTPTRSXP && R_ExternalPtrAddr(owner) != NULL);
}

SEXP C_file_write(SEXP file, SEXP path, SEXP options) {
    check(asdf_file_write(file_of(file), text_of(path, "the name of the file"), options_of(options)));
    return R_NilValue;
}

SEXP C_file_explode(SEXP file, SEXP path, SEXP options) {
    check(asdf_file_explode(file_of(file), text_of(path, "the name of the file"), options_of(options)));
    return R_NilValue;
}

SEXP C_file_implode(SEXP file, SEXP path, SEXP options) {
    check(asdf_file_implode(file_of(file), text_of(path, "the name of the file"), options_of(options)));
    return R_NilValue;
}

SEXP C_file_write_memory(SEXP file, SEXP options) {
    SEXP owner = PROTECT(new_owner(&buffer_type));
    asdf_buffer *buffer = NULL;
    check(asdf_file_write_memory(file_of(file), options_of(options), &buffer));
    own(owner, buffer);
    const void *bytes = NULL;
    size_t size = 0;
    check(asdf_buffer_bytes(buffer, &bytes, &size));
    SEXP raw = PROTECT(Rf_allocVector(RAWSXP, (R_xlen_t)size));
    if (size) memcpy(RAW(raw), bytes, size);
    release(owner, &buffer_type);
    UNPROTECT(2);
    return raw;
}

SEXP C_file_save(SEXP file, SEXP options) {
    check(asdf_file_save(file_of(file), options_of(options)));
    return R_NilValue;
}

SEXP C_file_compact(SEXP file, SEXP options) {
    check(asdf_file_compact(file_of(file), options_of(options)));
    return R_NilValue;
}

/* Repairs the block index, the checksums or both. Returns whether the index and how many checksums were written. */
SEXP C_file_repair(SEXP file, SEXP what, SEXP options) {
    int32_t index = 0;
    int64_t checksums = 0;
    check(asdf_file_repair(file_of(file), Rf_asInteger(what), options_of(options), &index, &checksums));
    static const char *names[] = {"index", "checksums", ""};
    SEXP result = PROTECT(Rf_mkNamed(VECSXP, names));
    SET_VECTOR_ELT(result, 0, Rf_ScalarLogical(index));
    SET_VECTOR_ELT(result, 1, Rf_ScalarReal((double)checksums));
    UNPROTECT(1);
    return result;
}

SEXP C_file_recover(SEXP path, SEXP new_path, SEXP what, SEXP options) {
    SEXP owner = PROTECT(new_owner(&report_type));
    asdf_report *report = NULL;
    check(asdf_file_recover(text_of(path, "the name of the file"), text_of(new_path, "the name of the new file"),
                            Rf_asInteger(what), options_of(options), &report));
    own(owner, report);
    UNPROTECT(1);
    return owner;
}

SEXP C_file_forget_failure(SEXP file) {
    check(asdf_file_forget_failure(file_of(file)));
    return R_NilValue;
}

SEXP C_file_report(SEXP file) {
    SEXP owner = PROTECT(new_owner(&report_type));
    asdf_report *report = NULL;
    check(asdf_file_report(file_of(file), &report));
    own(owner, report);
    UNPROTECT(1);
    return owner;
}

/* Returns name, version of the format and version of the standard. */
SEXP C_file_info(SEXP file) {
    const asdf_file *handle = file_of(file);
    SEXP text, result = PROTECT(Rf_allocVector(STRSXP, 3));
    READ_TEXT(text, asdf_file_name(handle, buffer, capacity, &needed));
    SET_STRING_ELT(result, 0, text);
    READ_TEXT(text, asdf_file_format_version(handle, buffer, capacity, &needed));
    SET_STRING_ELT(result, 1, text);
    READ_TEXT(text, asdf_file_standard(handle, buffer, capacity, &needed));
    SET_STRING_ELT(result, 2, text);
    UNPROTECT(1);
    return result;
}

/* Returns the history entries as a node, or NULL if there are none. */
SEXP C_file_history(SEXP file) {
    SEXP owner = PROTECT(new_owner(&node_type));
    asdf_node *entries = NULL;
    asdf_status status = asdf_file_history(file_of(file), &entries);
    if (status == ASDF_ERR_NOT_FOUND) {
        UNPROTECT(1);
        return R_NilValue;
    }
    check(status);
    own(owner, entries);
    UNPROTECT(1);
    return owner;
}

static const char *optional_text(SEXP value, const char *what) {
    return value == R_NilValue ? NULL : text_of(value, what);
}

SEXP C_file_add_history(SEXP file, SEXP description, SEXP time, SEXP software) {
    const char *text = text_of(description, "the description");
    check(asdf_file_add_history(file_of(file), text, strlen(text), optional_text(time, "the time"),
                                optional_text(VECTOR_ELT(software, 0), "the name of the software"),
                                optional_text(VECTOR_ELT(software, 1), "the version of the software"),
                                optional_text(VECTOR_ELT(software, 2), "the author of the software"),
                                optional_text(VECTOR_ELT(software, 3), "the homepage of the software")));
    return R_NilValue;
}

/* Returns the extensions as a node, or NULL if there are none. */
SEXP C_file_extensions(SEXP file) {
    SEXP owner = PROTECT(new_owner(&node_type));
    asdf_node *entries = NULL;
    asdf_status status = asdf_file_extensions(file_of(file), &entries);
    if (status == ASDF_ERR_NOT_FOUND) {
        UNPROTECT(1);
        return R_NilValue;
    }
    check(status);
    own(owner, entries);
    UNPROTECT(1);
    return owner;
}

SEXP C_file_add_extension(SEXP file, SEXP class, SEXP uri, SEXP name, SEXP version) {
    check(asdf_file_add_extension(file_of(file), text_of(class, "the class"), optional_text(uri, "the URI"),
                                  optional_text(name, "the name of the software"),
                                  optional_text(version, "the version of the software")));
    return R_NilValue;
}

/* Returns names, versions, authors and homepages of programs. */
SEXP C_node_software(SEXP place, SEXP path) {
    const asdf_node *node = node_of(place);
    const char *at = path_of(path);
    const int32_t parts[] = {ASDF_SOFTWARE_NAME, ASDF_SOFTWARE_VERSION, ASDF_SOFTWARE_AUTHOR, ASDF_SOFTWARE_HOMEPAGE};
    int64_t count = 0;
    check(asdf_node_software_count(node, at, &count));
    SEXP result = PROTECT(Rf_allocVector(VECSXP, 4));
    for (int part = 0; part < 4; part++) {
        SEXP texts = Rf_allocVector(STRSXP, (R_xlen_t)count);
        SET_VECTOR_ELT(result, part, texts);
        for (int64_t i = 0; i < count; i++) {
            SEXP text;
            READ_TEXT(text, asdf_node_get_software(node, at, i, parts[part], buffer, capacity, &needed));
            SET_STRING_ELT(texts, (R_xlen_t)i, text);
        }
    }
    UNPROTECT(1);
    return result;
}

SEXP C_node_set_software(SEXP place, SEXP path, SEXP name, SEXP version, SEXP author, SEXP homepage) {
    check(asdf_node_set_software(node_of(place), path_of(path), text_of(name, "the name"),
                                 text_of(version, "the version"), optional_text(author, "the author"),
                                 optional_text(homepage, "the homepage")));
    return R_NilValue;
}

/* Returns the numbers of blocks without a checksum, with one of the stored and with one of the decoded bytes. */
SEXP C_file_verify(SEXP file, SEXP options) {
    int64_t absent = 0, stored = 0, decoded = 0;
    check(asdf_file_verify(file_of(file), options_of(options), &absent, &stored, &decoded));
    static const char *names[] = {"absent", "stored", "decoded", ""};
    SEXP result = PROTECT(Rf_mkNamed(REALSXP, names));
    REAL(result)[0] = (double)absent;
    REAL(result)[1] = (double)stored;
    REAL(result)[2] = (double)decoded;
    UNPROTECT(1);
    return result;
}

/* Returns the columns of a data frame of blocks. Sizes that are unknown before writing are NA. */
/* Requests to sources and their bytes; numbers of 64 bits are doubles. */
SEXP C_file_transfers(SEXP file) {
    int64_t requests = 0, bytes = 0;
    check(asdf_file_transfers(file_of(file), &requests, &bytes));
    static const char *names[] = {"requests", "bytes", ""};
    SEXP counts = PROTECT(Rf_mkNamed(REALSXP, names));
    REAL(counts)[0] = (double)requests;
    REAL(counts)[1] = (double)bytes;
    UNPROTECT(1);
    return counts;
}

SEXP C_file_blocks(SEXP file) {
    const asdf_file *handle = file_of(file);
    int64_t count = 0;
    check(asdf_file_block_count(handle, &count));
    static asdf_status (*const numbers[])(const asdf_file *, int64_t, int64_t *) = {
        asdf_file_block_offset, asdf_file_block_payload_offset, asdf_file_block_allocated_size,
        asdf_file_block_stored_size, asdf_file_block_decoded_size};
    static const char *names[] = {"offset",       "payload_offset", "allocated_size", "stored_size",
                                  "decoded_size", "compression",    "streamed",       ""};
    SEXP columns = PROTECT(Rf_mkNamed(VECSXP, names));
    for (int column = 0; column < 5; column++) {
        SEXP values = Rf_allocVector(REALSXP, (R_xlen_t)count);
        SET_VECTOR_ELT(columns, column, values);
        for (int64_t block = 0; block < count; block++) {
            int64_t value = -1;
            check(numbers[column](handle, block, &value));
            REAL(values)[block] = value < 0 ? NA_REAL : (double)value;
        }
    }
    SEXP compression = Rf_allocVector(STRSXP, (R_xlen_t)count);
    SET_VECTOR_ELT(columns, 5, compression);
    SEXP streamed = Rf_allocVector(LGLSXP, (R_xlen_t)count);
    SET_VECTOR_ELT(columns, 6, streamed);
    for (int64_t block = 0; block < count; block++) {
        SEXP text;
        READ_TEXT(text, asdf_file_block_compression(handle, block, buffer, capacity, &needed));
        SET_STRING_ELT(compression, block, text);
        int32_t is_streamed = 0;
        check(asdf_file_block_is_streamed(handle, block, &is_streamed));
        LOGICAL(streamed)[block] = is_streamed != 0;
    }
    UNPROTECT(1);
    return columns;
}

SEXP C_library_version(void) {
    return Rf_mkString(asdf_library_version());
}
