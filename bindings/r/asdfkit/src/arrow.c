/* Tables as streams of Arrow, whose structures belong to external pointers of other packages. */
#include "package.h"

/* Returns the structure of an external pointer. */
static struct ArrowArrayStream *stream_of(SEXP pointer) {
    void *stream = TYPEOF(pointer) == EXTPTRSXP ? R_ExternalPtrAddr(pointer) : NULL;
    if (!stream) fail(ASDF_ERR_INVALID_ARGUMENT, NULL, "expected a stream of Arrow");
    return stream;
}

SEXP C_table_export_arrow(SEXP table, SEXP options, SEXP pointer) {
    struct ArrowArrayStream *stream = stream_of(pointer);
    if (stream->release) fail(ASDF_ERR_INVALID_ARGUMENT, NULL, "the stream of Arrow is in use");
    check(asdf_table_export_arrow_stream(handle_of(table, &table_type), options_of(options), stream));
    return R_NilValue;
}

SEXP C_table_reader_export_arrow(SEXP reader, SEXP options, SEXP pointer) {
    struct ArrowArrayStream *stream = stream_of(pointer);
    if (stream->release) fail(ASDF_ERR_INVALID_ARGUMENT, NULL, "the stream of Arrow is in use");
    check(asdf_table_reader_export_arrow_stream(handle_of(reader, &table_reader_type), options_of(options), stream));
    return R_NilValue;
}

SEXP C_table_import_arrow(SEXP pointer) {
    struct ArrowArrayStream *stream = stream_of(pointer);
    if (!stream->release) fail(ASDF_ERR_INVALID_ARGUMENT, NULL, "the stream of Arrow was released");
    SEXP owner = PROTECT(new_owner(&table_type));
    asdf_table *table = NULL;
    check(asdf_table_import_arrow_stream(stream, NULL, &table));
    own(owner, table);
    UNPROTECT(1);
    return owner;
}

static void release_stream(SEXP pointer) {
    struct ArrowArrayStream *stream = R_ExternalPtrAddr(pointer);
    if (!stream) return;
    if (stream->release) stream->release(stream);
    R_Free(stream);
    R_ClearExternalPtr(pointer);
}

/* Makes an empty stream, as nanoarrow does, for tests without it. */
SEXP C_arrow_stream_new(void) {
    struct ArrowArrayStream *stream = R_Calloc(1, struct ArrowArrayStream);
    SEXP pointer = PROTECT(R_MakeExternalPtr(stream, R_NilValue, R_NilValue));
    R_RegisterCFinalizerEx(pointer, release_stream, TRUE);
    Rf_setAttrib(pointer, R_ClassSymbol, Rf_mkString("nanoarrow_array_stream"));
    UNPROTECT(1);
    return pointer;
}
