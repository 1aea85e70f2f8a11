/* Streams: files whose last array is written row by row. */
#include "package.h"

/* Makes a stream. `code` is the datatype, `dim` the extents of a row in the order of R. */
SEXP C_stream_create(SEXP file, SEXP path, SEXP node_path, SEXP code, SEXP dim, SEXP options) {
    int64_t shape[ASDF_MAX_RANK];
    int32_t rank = (int32_t)XLENGTH(dim);
    if (rank >= ASDF_MAX_RANK) fail(ASDF_ERR_UNSUPPORTED, NULL, "a row has fewer than %d dimensions", ASDF_MAX_RANK);
    for (int32_t axis = 0; axis < rank; axis++) shape[rank - 1 - axis] = (int64_t)REAL(dim)[axis];
    SEXP owner = PROTECT(new_owner(&stream_type));
    asdf_stream *stream = NULL;
    check(asdf_stream_create(file_of(file), text_of(path, "the name of the file"), path_of(node_path),
                             Rf_asInteger(code), rank, shape, options_of(options), &stream));
    own_with_options(owner, stream, options);
    UNPROTECT(1);
    return owner;
}

/* Appends rows: the vector holds them one after the other, converted to the datatype of the stream. */
SEXP C_stream_push(SEXP owner, SEXP values, SEXP datatype, SEXP count) {
    asdf_stream *stream = handle_of(owner, &stream_type);
    SEXP memory_owner;
    struct memory *memory = find_memory(&memory_owner, values, datatype, "");
    PROTECT(memory_owner);
    if (memory->mask) fail(ASDF_ERR_UNSUPPORTED, NULL, "the rows of a stream cannot have NA");
    check(asdf_stream_push(stream, (int64_t)Rf_asReal(count), memory->elements, memory->size));
    release_memory(memory_owner);
    UNPROTECT(1);
    return R_NilValue;
}

SEXP C_stream_rows(SEXP owner) {
    int64_t count = 0;
    check(asdf_stream_row_count(handle_of(owner, &stream_type), &count));
    return Rf_ScalarReal((double)count);
}

/* Completes the file, which gets its name. */
SEXP C_stream_finish(SEXP owner) {
    check(asdf_stream_finish(handle_of(owner, &stream_type)));
    release(owner, &stream_type);
    return R_NilValue;
}

/* Gives up the file without leaving anything. */
SEXP C_stream_discard(SEXP owner) {
    close_handle(owner, &stream_type);
    return R_NilValue;
}
