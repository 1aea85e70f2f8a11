/* World coordinates and transforms: points as matrices with a row for each. */
#include "package.h"

SEXP C_node_get_wcs(SEXP place, SEXP path, SEXP options) {
    SEXP owner = PROTECT(new_owner(&wcs_type));
    asdf_wcs *wcs;
    check(asdf_node_get_wcs(node_of(place), path_of(path), options_of(options), &wcs));
    own(owner, wcs);
    UNPROTECT(1);
    return owner;
}

SEXP C_wcs_read_cards(SEXP cards, SEXP options) {
    SEXP owner = PROTECT(new_owner(&wcs_type));
    const char *text = text_of(cards, "the cards");
    asdf_wcs *wcs;
    check(asdf_wcs_read_cards(text, strlen(text), options_of(options), &wcs));
    own(owner, wcs);
    UNPROTECT(1);
    return owner;
}

/* Returns the text of all cards and the errors. */
SEXP C_wcs_make_cards(SEXP wcs, SEXP options) {
    SEXP owner = PROTECT(new_owner(&buffer_type));
    asdf_buffer *buffer = NULL;
    double error = 0, inverse_error = 0;
    const void *bytes = NULL;
    size_t size = 0;
    check(asdf_wcs_make_cards(handle_of(wcs, &wcs_type), options_of(options), &buffer, &error, &inverse_error));
    own(owner, buffer);
    check(asdf_buffer_bytes(buffer, &bytes, &size));
    SEXP made = PROTECT(Rf_allocVector(VECSXP, 3));
    SET_VECTOR_ELT(made, 0, Rf_ScalarString(Rf_mkCharLenCE(bytes, (int)size, CE_UTF8)));
    SET_VECTOR_ELT(made, 1, Rf_ScalarReal(error));
    SET_VECTOR_ELT(made, 2, Rf_ScalarReal(inverse_error));
    UNPROTECT(2);
    return made;
}

SEXP C_node_get_transform(SEXP place, SEXP path, SEXP options) {
    SEXP owner = PROTECT(new_owner(&transform_type));
    asdf_transform *transform;
    check(asdf_node_get_transform(node_of(place), path_of(path), options_of(options), &transform));
    own(owner, transform);
    UNPROTECT(1);
    return owner;
}

static const char *name_or_null(SEXP name) {
    return name == R_NilValue ? NULL : text_of(name, "the name of a frame");
}

/* The transform between two frames; NULL stands for the pixels and for the world. */
SEXP C_wcs_transform(SEXP wcs, SEXP from, SEXP to) {
    SEXP owner = PROTECT(new_owner(&transform_type));
    asdf_transform *transform;
    check(asdf_wcs_transform(handle_of(wcs, &wcs_type), name_or_null(from), name_or_null(to), &transform));
    own(owner, transform);
    UNPROTECT(1);
    return owner;
}

SEXP C_transform_inverse(SEXP transform) {
    SEXP owner = PROTECT(new_owner(&transform_type));
    asdf_transform *inverse;
    check(asdf_transform_inverse(handle_of(transform, &transform_type), &inverse));
    own(owner, inverse);
    UNPROTECT(1);
    return owner;
}

/* Numbers of inputs and outputs. */
SEXP C_transform_arity(SEXP transform) {
    const asdf_transform *function = handle_of(transform, &transform_type);
    int64_t inputs = 0, outputs = 0;
    check(asdf_transform_input_count(function, &inputs));
    check(asdf_transform_output_count(function, &outputs));
    SEXP result = PROTECT(Rf_allocVector(INTSXP, 2));
    INTEGER(result)[0] = (int)inputs;
    INTEGER(result)[1] = (int)outputs;
    UNPROTECT(1);
    return result;
}

/* Evaluates points, a matrix with a row for each. The direction is 1 for pixels to the world, -1 for the world to
   pixels, and 0 for a transform. */
SEXP C_points(SEXP object, SEXP direction, SEXP points, SEXP outputs, SEXP options) {
    const int way = Rf_asInteger(direction);
    const int64_t count = Rf_nrows(points);
    const size_t length = (size_t)XLENGTH(points);
    const int columns = Rf_asInteger(outputs);
    SEXP result = PROTECT(Rf_allocMatrix(REALSXP, (int)count, columns));
    const size_t capacity = (size_t)XLENGTH(result);
    const double *from = REAL(points);
    double *to = REAL(result);
    const asdf_options *given = options_of(options);
    if (way > 0) {
        check(asdf_wcs_pixel_to_world(handle_of(object, &wcs_type), count, from, length, count, 1, given, to, capacity,
                                      count, 1, NULL));
    } else if (way < 0) {
        check(asdf_wcs_world_to_pixel(handle_of(object, &wcs_type), count, from, length, count, 1, given, to, capacity,
                                      count, 1, NULL, NULL));
    } else {
        check(asdf_transform_evaluate(handle_of(object, &transform_type), count, from, length, count, 1, given, to,
                                      capacity, count, 1, NULL));
    }
    UNPROTECT(1);
    return result;
}

/* Longitudes and latitudes of pixels in degrees, or pixels of longitudes and latitudes: a matrix with a row for each.
 */
SEXP C_sky_points(SEXP object, SEXP to_sky, SEXP first, SEXP second, SEXP options) {
    const asdf_wcs *wcs = handle_of(object, &wcs_type);
    const asdf_options *given = options_of(options);
    const R_xlen_t count = XLENGTH(first);
    SEXP result = PROTECT(Rf_allocMatrix(REALSXP, (int)count, 2));
    const double *a = REAL(first), *b = REAL(second);
    double *c = REAL(result), *d = c + count;
    const int is_sky = Rf_asLogical(to_sky) == TRUE;
    for (R_xlen_t i = 0; i < count; i++)
        check(is_sky ? asdf_wcs_sky_at(wcs, a[i], b[i], given, &c[i], &d[i])
                     : asdf_wcs_pixel_at(wcs, a[i], b[i], given, &c[i], &d[i]));
    UNPROTECT(1);
    return result;
}

/* A list of the fields of a frame. */
static SEXP frame_of(const asdf_wcs *wcs, int64_t number) {
    static const char *const names[] = {"name",           "kind",      "axes",       "units", "types",
                                        "physical_types", "reference", "attributes", "parts", ""};
    SEXP result = PROTECT(Rf_mkNamed(VECSXP, (const char **)names));
    SEXP text;
    int32_t kind = 0;
    int64_t axes = 0, attributes = 0, parts = 0;
    READ_TEXT(text, asdf_wcs_frame_name(wcs, number, buffer, capacity, &needed));
    SET_VECTOR_ELT(result, 0, Rf_ScalarString(text));
    check(asdf_wcs_frame_kind(wcs, number, &kind));
    SET_VECTOR_ELT(result, 1, Rf_ScalarInteger(kind));
    check(asdf_wcs_frame_axis_count(wcs, number, &axes));
    for (int field = 2; field < 6; field++) SET_VECTOR_ELT(result, field, Rf_allocVector(STRSXP, (R_xlen_t)axes));
    for (int64_t axis = 0; axis < axes; axis++) {
        READ_TEXT(text, asdf_wcs_axis_name(wcs, number, axis, buffer, capacity, &needed));
        SET_STRING_ELT(VECTOR_ELT(result, 2), axis, text);
        READ_TEXT(text, asdf_wcs_axis_unit(wcs, number, axis, buffer, capacity, &needed));
        SET_STRING_ELT(VECTOR_ELT(result, 3), axis, text);
        READ_TEXT(text, asdf_wcs_axis_type(wcs, number, axis, buffer, capacity, &needed));
        SET_STRING_ELT(VECTOR_ELT(result, 4), axis, text);
        READ_TEXT(text, asdf_wcs_axis_physical_type(wcs, number, axis, buffer, capacity, &needed));
        SET_STRING_ELT(VECTOR_ELT(result, 5), axis, text);
    }
    const asdf_status status = asdf_wcs_reference_attribute_count(wcs, number, &attributes);
    if (status != ASDF_ERR_NOT_FOUND) {
        check(status);
        READ_TEXT(text, asdf_wcs_frame_reference(wcs, number, buffer, capacity, &needed));
        SET_VECTOR_ELT(result, 6, Rf_ScalarString(text));
        SEXP values = Rf_allocVector(STRSXP, (R_xlen_t)attributes);
        SET_VECTOR_ELT(result, 7, values);
        SEXP keys = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)attributes));
        for (int64_t index = 0; index < attributes; index++) {
            READ_TEXT(text, asdf_wcs_reference_attribute_name(wcs, number, index, buffer, capacity, &needed));
            SET_STRING_ELT(keys, index, text);
            READ_TEXT(text, asdf_wcs_reference_attribute_value(wcs, number, index, buffer, capacity, &needed));
            SET_STRING_ELT(values, index, text);
        }
        Rf_setAttrib(values, R_NamesSymbol, keys);
        UNPROTECT(1);
    }
    check(asdf_wcs_frame_part_count(wcs, number, &parts));
    SEXP list = Rf_allocVector(VECSXP, (R_xlen_t)parts);
    SET_VECTOR_ELT(result, 8, list);
    for (int64_t index = 0; index < parts; index++) {
        int64_t part = 0;
        check(asdf_wcs_frame_part(wcs, number, index, &part));
        SET_VECTOR_ELT(list, index, frame_of(wcs, part));
    }
    UNPROTECT(1);
    return result;
}

SEXP C_wcs_frames(SEXP wcs) {
    const asdf_wcs *world = handle_of(wcs, &wcs_type);
    int64_t count = 0;
    check(asdf_wcs_frame_count(world, &count));
    SEXP result = PROTECT(Rf_allocVector(VECSXP, (R_xlen_t)count));
    for (int64_t number = 0; number < count; number++) SET_VECTOR_ELT(result, number, frame_of(world, number));
    UNPROTECT(1);
    return result;
}

/* Corners of the image, a row for each. */
SEXP C_wcs_footprint(SEXP wcs, SEXP center) {
    const asdf_wcs *world = handle_of(wcs, &wcs_type);
    const int32_t inside = Rf_asLogical(center) == TRUE;
    int64_t count = 0, axes = 0;
    check(asdf_wcs_footprint(world, inside, NULL, 0, &count, &axes));
    const size_t size = (size_t)(count * axes);
    double *corners = (double *)(void *)R_alloc(size, sizeof *corners);
    check(asdf_wcs_footprint(world, inside, corners, size, &count, &axes));
    SEXP result = PROTECT(Rf_allocMatrix(REALSXP, (int)count, (int)axes));
    for (int64_t corner = 0; corner < count; corner++)
        for (int64_t axis = 0; axis < axes; axis++) REAL(result)[axis * count + corner] = corners[corner * axes + axis];
    UNPROTECT(1);
    return result;
}

/* Pixel in the middle of the image; the second argument is the number of pixel axes. */
SEXP C_wcs_center(SEXP wcs, SEXP axes) {
    SEXP pixel = PROTECT(Rf_allocVector(REALSXP, Rf_asInteger(axes)));
    check(asdf_wcs_center(handle_of(wcs, &wcs_type), REAL(pixel), (size_t)XLENGTH(pixel)));
    UNPROTECT(1);
    return pixel;
}

/* Scale in degrees, position angle of the y axis, and whether the image is mirrored, as numbers. */
SEXP C_wcs_orientation(SEXP wcs, SEXP x, SEXP y) {
    const asdf_wcs *world = handle_of(wcs, &wcs_type);
    const double column = Rf_asReal(x), row = Rf_asReal(y);
    double scale = 0, angle = 0, x_scale = 0, y_scale = 0;
    int32_t mirrored = 0;
    check(asdf_wcs_pixel_scale(world, column, row, &scale));
    check(asdf_wcs_orientation(world, column, row, &angle, &mirrored, &x_scale, &y_scale));
    SEXP result = PROTECT(Rf_allocVector(REALSXP, 3));
    REAL(result)[0] = scale;
    REAL(result)[1] = angle;
    REAL(result)[2] = mirrored;
    UNPROTECT(1);
    return result;
}
