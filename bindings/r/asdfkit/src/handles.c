/* Owners of handles: external pointers whose finalizers free the handles, in any order. */
#include "package.h"

#define HANDLE_TYPE(name)                                                                                              \
    static void free_##name(void *handle) {                                                                            \
        asdf_##name##_free(handle);                                                                                    \
    }                                                                                                                  \
    const struct handle_type name##_type = {                                                                           \
        "asdf_" #name, "the asdf_" #name " was closed, or comes from another session", free_##name};

HANDLE_TYPE(file)
HANDLE_TYPE(node)
HANDLE_TYPE(array)
HANDLE_TYPE(options)
HANDLE_TYPE(buffer)
HANDLE_TYPE(report)
HANDLE_TYPE(schemas)
HANDLE_TYPE(datatype)
HANDLE_TYPE(stream)
HANDLE_TYPE(table)
HANDLE_TYPE(table_reader)
HANDLE_TYPE(table_writer)
HANDLE_TYPE(time)
HANDLE_TYPE(coordinates)
HANDLE_TYPE(wcs)
HANDLE_TYPE(transform)
HANDLE_TYPE(ndl)
HANDLE_TYPE(ndl_builder)

static const struct handle_type *const types[] = {
    &file_type,     &node_type,        &array_type,       &options_type,      &buffer_type,       &report_type,
    &datatype_type, &stream_type,      &table_type,       &table_reader_type, &table_writer_type, &time_type,
    &ndl_type,      &ndl_builder_type, &coordinates_type, &wcs_type,          &transform_type,    &schemas_type,
};

static void finalize(SEXP owner) {
    void *handle = R_ExternalPtrAddr(owner);
    if (!handle) return;
    R_ClearExternalPtr(owner);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (R_ExternalPtrTag(owner) == Rf_install(types[i]->name)) types[i]->free(handle);
}

SEXP new_owner(const struct handle_type *type) {
    SEXP owner = PROTECT(R_MakeExternalPtr(NULL, Rf_install(type->name), R_NilValue));
    R_RegisterCFinalizerEx(owner, finalize, TRUE);
    Rf_setAttrib(owner, R_ClassSymbol, Rf_mkString(type->name));
    UNPROTECT(1);
    return owner;
}

void own(SEXP owner, void *handle) {
    R_SetExternalPtrAddr(owner, handle);
}

int is_owner(SEXP value, const struct handle_type *type) {
    return TYPEOF(value) == EXTPTRSXP && R_ExternalPtrTag(value) == Rf_install(type->name);
}

void *handle_of(SEXP owner, const struct handle_type *type) {
    if (!is_owner(owner, type)) fail(ASDF_ERR_WRONG_HANDLE, NULL, "expected an object of the class %s", type->name);
    void *handle = R_ExternalPtrAddr(owner);
    if (!handle) fail(ASDF_ERR_CLOSED, NULL, "%s", type->closed);
    return handle;
}

void release(SEXP owner, const struct handle_type *type) {
    if (is_owner(owner, type)) finalize(owner);
}

void close_handle(SEXP owner, const struct handle_type *type) {
    if (is_reporting())
        fail(ASDF_ERR_INVALID_ARGUMENT, NULL,
             "a function that reports progress must not close an object of the class %s", type->name);
    release(owner, type);
}

asdf_file *file_of(SEXP file) {
    return handle_of(file, &file_type);
}

asdf_node *node_of(SEXP place) {
    if (is_owner(place, &file_type)) {
        file_of(place);
        /* The root is kept beside the file. */
        return handle_of(R_ExternalPtrProtected(place), &node_type);
    }
    return handle_of(place, &node_type);
}
