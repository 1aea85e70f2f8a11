/* Schemas, validation, and descriptions of entries. */
#include "package.h"

SEXP C_schemas(SEXP packages) {
    SEXP owner = PROTECT(new_owner(&schemas_type));
    asdf_schemas *schemas = NULL;
    check(asdf_schemas_new(&schemas));
    own(owner, schemas);
    if (packages == R_NilValue) check(asdf_schemas_add_package(schemas, NULL));
    for (R_xlen_t i = 0; i < Rf_xlength(packages); i++)
        check(asdf_schemas_add_package(schemas, Rf_translateCharUTF8(STRING_ELT(packages, i))));
    UNPROTECT(1);
    return owner;
}

/* Validates a file, a table or a node. */
SEXP C_validate(SEXP target, SEXP schemas, SEXP options) {
    SEXP owner = PROTECT(new_owner(&report_type));
    asdf_report *report = NULL;
    const asdf_schemas *set = handle_of(schemas, &schemas_type);
    if (is_owner(target, &table_type))
        check(asdf_table_validate(handle_of(target, &table_type), set, options_of(options), &report));
    else if (is_owner(target, &file_type))
        check(asdf_file_validate(file_of(target), set, options_of(options), &report));
    else
        check(asdf_node_validate(node_of(target), "", set, options_of(options), &report));
    own(owner, report);
    UNPROTECT(1);
    return owner;
}

/* Returns a field of the description of an entry; NULL if the schemas do not tell it. */
SEXP C_describe_entry(SEXP schemas, SEXP node, SEXP path, SEXP field) {
    const asdf_schemas *set = handle_of(schemas, &schemas_type);
    const asdf_node *start = node_of(node);
    const char *place = text_of(path, "the path");
    size_t needed = 0;
    asdf_status status = asdf_schema_describe(set, start, place, Rf_asInteger(field), NULL, NULL, 0, &needed);
    if (status == ASDF_ERR_NOT_FOUND) return R_NilValue;
    if (status != ASDF_ERR_BUFFER_TOO_SMALL) check(status);
    char *buffer = R_alloc(needed + 1, 1);
    check(asdf_schema_describe(set, start, place, Rf_asInteger(field), NULL, buffer, needed + 1, &needed));
    return Rf_ScalarString(Rf_mkCharLenCE(buffer, (int)needed, CE_UTF8));
}
