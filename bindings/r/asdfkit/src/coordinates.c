/* Coordinates: positions on the sky, frames, places on Earth and angles, as components with units, and attributes. */
#include "package.h"

static asdf_coordinates *coordinates_of(SEXP owner) {
    return handle_of(owner, &coordinates_type);
}

SEXP C_node_get_coordinates(SEXP place, SEXP path) {
    SEXP owner = PROTECT(new_owner(&coordinates_type));
    asdf_coordinates *coordinates = NULL;
    check(asdf_node_get_coordinates(node_of(place), path_of(path), &coordinates));
    own(owner, coordinates);
    UNPROTECT(1);
    return owner;
}

SEXP C_table_get_coordinates(SEXP table, SEXP name) {
    SEXP owner = PROTECT(new_owner(&coordinates_type));
    asdf_coordinates *coordinates = NULL;
    check(asdf_table_get_coordinates(handle_of(table, &table_type), text_of(name, "the name of the column"),
                                     &coordinates));
    own(owner, coordinates);
    UNPROTECT(1);
    return owner;
}

typedef asdf_status (*text_getter)(const asdf_coordinates *, char *, size_t, size_t *);
typedef asdf_status (*name_getter)(const asdf_coordinates *, int64_t, char *, size_t, size_t *);
typedef asdf_status (*counter)(const asdf_coordinates *, int64_t *);

/* Returns frame, representation and differential. */
SEXP C_coordinates_texts(SEXP owner) {
    const asdf_coordinates *coordinates = coordinates_of(owner);
    const text_getter getters[] = {asdf_coordinates_frame, asdf_coordinates_representation,
                                   asdf_coordinates_differential};
    SEXP texts = PROTECT(Rf_allocVector(STRSXP, 3));
    for (int i = 0; i < 3; i++) {
        SEXP text;
        READ_TEXT(text, getters[i](coordinates, buffer, capacity, &needed));
        SET_STRING_ELT(texts, i, text);
    }
    UNPROTECT(1);
    return texts;
}

SEXP C_coordinates_kind(SEXP owner) {
    int32_t kind = 0;
    check(asdf_coordinates_kind(coordinates_of(owner), &kind));
    return Rf_ScalarInteger(kind);
}

static SEXP names_of(const asdf_coordinates *coordinates, counter number, name_getter name) {
    int64_t count = 0;
    check(number(coordinates, &count));
    SEXP names = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)count));
    for (int64_t i = 0; i < count; i++) {
        SEXP text;
        READ_TEXT(text, name(coordinates, i, buffer, capacity, &needed));
        SET_STRING_ELT(names, (R_xlen_t)i, text);
    }
    UNPROTECT(1);
    return names;
}

SEXP C_coordinates_components(SEXP owner) {
    return names_of(coordinates_of(owner), asdf_coordinates_component_count, asdf_coordinates_component_name);
}

SEXP C_coordinates_attributes(SEXP owner) {
    return names_of(coordinates_of(owner), asdf_coordinates_attribute_count, asdf_coordinates_attribute_name);
}

SEXP C_coordinates_attribute(SEXP owner, SEXP name) {
    SEXP made = PROTECT(new_owner(&node_type));
    asdf_node *node = NULL;
    check(asdf_coordinates_attribute(coordinates_of(owner), text_of(name, "the name"), &node));
    own(made, node);
    UNPROTECT(1);
    return made;
}

SEXP C_coordinates_unit(SEXP owner, SEXP name) {
    const asdf_coordinates *coordinates = coordinates_of(owner);
    const char *of = text_of(name, "the name");
    SEXP text;
    READ_TEXT(text, asdf_coordinates_unit(coordinates, of, buffer, capacity, &needed));
    PROTECT(text);
    text = Rf_ScalarString(text);
    UNPROTECT(1);
    return text;
}

/* Returns the numbers of a component with the dimensions of the points. */
SEXP C_coordinates_read(SEXP owner, SEXP name, SEXP unit, SEXP options) {
    const asdf_coordinates *coordinates = coordinates_of(owner);
    int64_t count = 0, shape[ASDF_MAX_RANK];
    int32_t rank = 0;
    check(asdf_coordinates_count(coordinates, &count));
    check(asdf_coordinates_shape(coordinates, shape, ASDF_MAX_RANK, &rank));
    SEXP values = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)count));
    check(asdf_coordinates_read(coordinates, text_of(name, "the name"),
                                Rf_isNull(unit) ? NULL : text_of(unit, "the unit"), options_of(options), REAL(values),
                                (size_t)count));
    if (rank > 1) {
        SEXP dim = PROTECT(Rf_allocVector(INTSXP, rank));
        for (int32_t axis = 0; axis < rank; axis++) {
            int64_t extent = shape[rank - 1 - axis];
            if (extent > INT32_MAX) fail(ASDF_ERR_UNSUPPORTED, NULL, "an extent does not fit into an integer of R");
            INTEGER(dim)[axis] = (int)extent;
        }
        Rf_setAttrib(values, R_DimSymbol, dim);
        UNPROTECT(1);
    }
    UNPROTECT(1);
    return values;
}

SEXP C_node_set_coordinates(SEXP place, SEXP path, SEXP frame, SEXP shape, SEXP angles, SEXP unit, SEXP distances,
                            SEXP distance_unit, SEXP options) {
    const int32_t rank = (int32_t)XLENGTH(shape);
    int64_t extents[ASDF_MAX_RANK];
    if (rank > ASDF_MAX_RANK) fail(ASDF_ERR_INVALID_ARGUMENT, NULL, "the coordinates have too many dimensions");
    for (int32_t axis = 0; axis < rank; axis++) extents[axis] = (int64_t)REAL(shape)[rank - 1 - axis];
    const int has_distances = !Rf_isNull(distances);
    check(asdf_node_set_coordinates(
        node_of(place), path_of(path), text_of(frame, "the frame"), rank, extents, REAL(VECTOR_ELT(angles, 0)),
        REAL(VECTOR_ELT(angles, 1)), text_of(unit, "the unit"), has_distances ? REAL(distances) : NULL,
        has_distances ? text_of(distance_unit, "the unit of the distances") : NULL, options_of(options)));
    return R_NilValue;
}
