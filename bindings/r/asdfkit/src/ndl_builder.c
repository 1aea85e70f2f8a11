/* Descriptions in NDL that a program makes. Dimensions have the order of the file. */
#include "package.h"

#include <string.h>

static asdf_ndl_builder *builder_of(SEXP owner) {
    return handle_of(owner, &ndl_builder_type);
}

static const char *name_of(SEXP path) {
    return text_of(path, "the path name");
}

/* A text, or NULL. */
static const char *optional_text(SEXP value, const char *what) {
    return value == R_NilValue ? NULL : text_of(value, what);
}

SEXP C_ndl_builder_new(SEXP from) {
    SEXP owner = PROTECT(new_owner(&ndl_builder_type));
    asdf_ndl_builder *builder = NULL;
    check(asdf_ndl_builder_new(from == R_NilValue ? NULL : handle_of(from, &ndl_type), &builder));
    own(owner, builder);
    UNPROTECT(1);
    return owner;
}

SEXP C_ndl_builder_add_group(SEXP owner, SEXP path) {
    check(asdf_ndl_builder_add_group(builder_of(owner), name_of(path)));
    return R_NilValue;
}

SEXP C_ndl_builder_add_dimcoord(SEXP owner, SEXP path, SEXP extent, SEXP datatype) {
    if (XLENGTH(extent) != 1) fail(ASDF_ERR_INVALID_ARGUMENT, NULL, "a dimension coordinate has one extent");
    check(asdf_ndl_builder_add_dimcoord(builder_of(owner), name_of(path), whole_number(extent, 0, "the extent"),
                                        optional_text(datatype, "the datatype")));
    return R_NilValue;
}

/* Whole numbers that live until the .Call returns. */
static int64_t *whole_numbers(SEXP values, const char *what) {
    int64_t *numbers = (int64_t *)R_alloc((size_t)XLENGTH(values) + 1, sizeof *numbers);
    for (R_xlen_t i = 0; i < XLENGTH(values); i++) numbers[i] = whole_number(values, i, what);
    return numbers;
}

SEXP C_ndl_builder_add_ndarray(SEXP owner, SEXP path, SEXP rank, SEXP extents, SEXP coordinates, SEXP datatype) {
    const char **names = NULL;
    if (coordinates != R_NilValue) {
        if (TYPEOF(coordinates) != STRSXP)
            fail(ASDF_ERR_INVALID_ARGUMENT, NULL, "coordinates must be strings, NA for none");
        names = (const char **)R_alloc((size_t)XLENGTH(coordinates) + 1, sizeof *names);
        for (R_xlen_t i = 0; i < XLENGTH(coordinates); i++)
            names[i] = STRING_ELT(coordinates, i) == NA_STRING ? NULL : utf8_of(STRING_ELT(coordinates, i));
    }
    check(asdf_ndl_builder_add_ndarray(builder_of(owner), name_of(path), Rf_asInteger(rank),
                                       extents == R_NilValue ? NULL : whole_numbers(extents, "extents"), names,
                                       optional_text(datatype, "the datatype")));
    return R_NilValue;
}

SEXP C_ndl_builder_set_text(SEXP owner, SEXP path, SEXP name, SEXP value) {
    const char *text = text_of(value, "the value");
    check(asdf_ndl_builder_set_attribute_string(builder_of(owner), name_of(path), text_of(name, "the name"), text,
                                                strlen(text)));
    return R_NilValue;
}

SEXP C_ndl_builder_set_attribute(SEXP owner, SEXP path, SEXP name, SEXP extents, SEXP datatype) {
    check(asdf_ndl_builder_set_attribute(builder_of(owner), name_of(path), text_of(name, "the name"),
                                         (int32_t)XLENGTH(extents), whole_numbers(extents, "extents"),
                                         text_of(datatype, "the datatype")));
    return R_NilValue;
}

/* Values in the order of the elements of R: the first extent of the file is the slowest, so a matrix is transposed
   before. */
SEXP C_ndl_builder_set_values(SEXP owner, SEXP path, SEXP name, SEXP extents, SEXP values) {
    SEXP memory_owner;
    struct memory *memory = find_memory(&memory_owner, values, R_NilValue, "");
    PROTECT(memory_owner);
    check(asdf_ndl_builder_set_values(builder_of(owner), name_of(path), optional_text(name, "the name"), memory->code,
                                      (int32_t)XLENGTH(extents), whole_numbers(extents, "extents"), memory->elements,
                                      memory->size, NULL));
    release_memory(memory_owner);
    UNPROTECT(1);
    return R_NilValue;
}

SEXP C_ndl_builder_set_texts(SEXP owner, SEXP path, SEXP name, SEXP extents, SEXP values) {
    const R_xlen_t count = XLENGTH(values);
    size_t size = 0;
    const char **texts = (const char **)R_alloc((size_t)count + 1, sizeof *texts);
    int64_t *offsets = (int64_t *)R_alloc((size_t)count + 1, sizeof *offsets);
    offsets[0] = 0;
    for (R_xlen_t i = 0; i < count; i++) {
        texts[i] = utf8_of(STRING_ELT(values, i));
        size += strlen(texts[i]);
        offsets[i + 1] = (int64_t)size;
    }
    char *bytes = R_alloc(size + 1, 1);
    for (R_xlen_t i = 0; i < count; i++) memcpy(bytes + offsets[i], texts[i], (size_t)(offsets[i + 1] - offsets[i]));
    check(asdf_ndl_builder_set_texts(builder_of(owner), name_of(path), optional_text(name, "the name"),
                                     (int32_t)XLENGTH(extents), whole_numbers(extents, "extents"), bytes, size, offsets,
                                     (int64_t)count + 1));
    return R_NilValue;
}

SEXP C_ndl_builder_set_storage(SEXP owner, SEXP path, SEXP directive, SEXP value) {
    const char *text = text_of(value, "the value of the directive");
    check(asdf_ndl_builder_set_storage(builder_of(owner), name_of(path), NULL, text_of(directive, "the directive"),
                                       text, strlen(text)));
    return R_NilValue;
}

SEXP C_ndl_builder_remove(SEXP owner, SEXP path, SEXP name) {
    check(asdf_ndl_builder_remove(builder_of(owner), name_of(path), optional_text(name, "the name of the attribute")));
    return R_NilValue;
}

SEXP C_ndl_builder_finish(SEXP owner, SEXP options) {
    SEXP made = PROTECT(new_owner(&ndl_type));
    asdf_ndl *ndl = NULL;
    check(asdf_ndl_builder_finish(builder_of(owner), options_of(options), &ndl));
    own(made, ndl);
    UNPROTECT(1);
    return made;
}
