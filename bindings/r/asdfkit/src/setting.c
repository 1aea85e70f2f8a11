/* Arrays in trees: setting them without a copy of the elements, resizing them, and writing regions of stored ones. */
#include "package.h"

#include <stdlib.h>
#include <string.h>

/* The release callback for elements of an R vector, which was preserved. */
static void release_vector(void *vector) {
    R_ReleaseObject((SEXP)vector);
}

/* Extents in the order of the library, from `dim`, from the attribute of this name, or from the length. */
static int32_t shape_of(SEXP values, SEXP dim, int64_t *shape) {
    SEXP extents = PROTECT(Rf_coerceVector(dim == R_NilValue ? Rf_getAttrib(values, R_DimSymbol) : dim, REALSXP));
    int is_vector = dim == R_NilValue && XLENGTH(extents) == 0;
    int32_t rank = is_vector ? 1 : (int32_t)XLENGTH(extents);
    if (rank > ASDF_MAX_RANK) fail(ASDF_ERR_UNSUPPORTED, NULL, "an array has at most %d dimensions", ASDF_MAX_RANK);
    double size = 1;
    for (int32_t axis = 0; axis < rank; axis++) {
        double extent = is_vector ? (double)XLENGTH(values) : REAL(extents)[axis];
        if (!(extent >= 0 && extent <= 9e15))
            fail(ASDF_ERR_INVALID_ARGUMENT, NULL, "an extent must be a whole number from 0");
        shape[rank - 1 - axis] = (int64_t)extent;
        size *= extent;
    }
    if (size != (double)XLENGTH(values))
        fail(ASDF_ERR_INVALID_ARGUMENT, NULL, "the vector has %.0f elements, and dim asks for %.0f",
             (double)XLENGTH(values), size);
    UNPROTECT(1);
    return rank;
}

static int is_string(const struct memory *memory) {
    return memory->code == ASDF_ASCII || memory->code == ASDF_UCS4;
}

/* Returns the code of elements in memory: 0 for strings, whose datatype is in the options of elements. */
static int32_t code_of(const struct memory *memory) {
    return is_string(memory) ? 0 : memory->code;
}

/* Returns the options of a call that passes these elements. */
static SEXP options_for(const struct memory *memory, SEXP options) {
    return is_string(memory) ? options_for_strings(options, memory->code, memory->length) : options;
}

/* Lends the elements to the file. R copies the vector if a program changes it, so the elements stay as they are. */
SEXP C_node_set_array(SEXP place, SEXP path, SEXP values, SEXP dim, SEXP datatype, SEXP options, SEXP mask_options) {
    asdf_node *node = node_of(place);
    const char *at = path_of(path);
    int64_t shape[ASDF_MAX_RANK];
    int32_t rank = shape_of(values, dim, shape);
    SEXP owner;
    struct memory *memory = find_memory(&owner, values, datatype, at);
    PROTECT(owner);
    options = PROTECT(options_for(memory, options));
    SEXP item = PROTECT(new_owner(&node_type));
    if (memory->mask) {
        /* A path that ends with "-" appends an item, which the array and its mask share. */
        asdf_node *made;
        check(asdf_node_make(node, at, &made));
        own(item, made);
        node = made;
        at = "";
    }
    void *user = memory->copy;
    asdf_release_callback give_back = free;
    if (!memory->copy) {
        MARK_NOT_MUTABLE(values);
        R_PreserveObject(values);
        user = values;
        give_back = release_vector;
    }
    asdf_status status = asdf_node_set_array_borrowed(node, at, code_of(memory), rank, shape, memory->elements,
                                                      memory->size, give_back, user, options_of(options));
    if (status == ASDF_OK)
        memory->copy = NULL;
    else if (give_back == release_vector)
        R_ReleaseObject(values);
    check(status);
    if (memory->mask)
        check(asdf_node_set_array(node, "mask", ASDF_BOOL8, rank, shape, memory->mask, (size_t)memory->count,
                                  options_of(mask_options)));
    release(item, &node_type);
    release_memory(owner);
    UNPROTECT(3);
    return R_NilValue;
}

/* Extents in the order of R as a shape. Returns their number. */
static int32_t shape_of_dim(SEXP dim, int64_t shape[ASDF_MAX_RANK]) {
    R_xlen_t rank = XLENGTH(dim);
    if (rank > ASDF_MAX_RANK) fail(ASDF_ERR_UNSUPPORTED, NULL, "an array has at most %d dimensions", ASDF_MAX_RANK);
    for (R_xlen_t axis = 0; axis < rank; axis++) {
        double extent = REAL(dim)[axis];
        if (!(extent >= 0 && extent <= 9e15))
            fail(ASDF_ERR_INVALID_ARGUMENT, NULL, "an extent must be a whole number from 0");
        shape[rank - 1 - axis] = (int64_t)extent;
    }
    return (int32_t)rank;
}

/* Changes extents; new elements are 0. */
SEXP C_node_resize_array(SEXP place, SEXP path, SEXP dim, SEXP options) {
    int64_t shape[ASDF_MAX_RANK];
    int32_t rank = shape_of_dim(dim, shape);
    check(asdf_node_resize_array(node_of(place), path_of(path), rank, shape, NULL, 0, options_of(options)));
    return R_NilValue;
}

/* Makes an array of zeros of the datatype with this code. */
SEXP C_node_set_zeros(SEXP place, SEXP path, SEXP code, SEXP dim, SEXP options) {
    int64_t shape[ASDF_MAX_RANK];
    int32_t rank = shape_of_dim(dim, shape);
    check(
        asdf_node_set_array_zeros(node_of(place), path_of(path), Rf_asInteger(code), rank, shape, options_of(options)));
    return R_NilValue;
}

/* Adds elements along the last dimension of an array in a file that is open for update. */
SEXP C_array_append(SEXP array_owner, SEXP values, SEXP options) {
    asdf_array *array = handle_of(array_owner, &array_type);
    int64_t shape[ASDF_MAX_RANK] = {0};
    int32_t rank = 0;
    double row = 1;
    check(asdf_array_shape(array, shape, ASDF_MAX_RANK, &rank));
    for (int32_t axis = 1; axis < rank; axis++) row *= (double)shape[axis];
    double rows = row > 0 ? (double)XLENGTH(values) / row : -1;
    if (rank < 1 || rows < 0 || rows != (double)(int64_t)rows)
        fail(ASDF_ERR_INVALID_ARGUMENT, NULL, "%.0f elements do not fill the last dimension of the array",
             (double)XLENGTH(values));
    SEXP owner;
    struct memory *memory = find_memory(&owner, values, R_NilValue, "");
    PROTECT(owner);
    if (memory->mask)
        fail(ASDF_ERR_UNSUPPORTED, NULL, "NA cannot be appended; give missing values a value of their own");
    options = PROTECT(options_for(memory, options));
    check(
        asdf_array_append(array, (int64_t)rows, code_of(memory), memory->elements, memory->size, options_of(options)));
    release_memory(owner);
    UNPROTECT(2);
    return R_NilValue;
}

/* Replaces the elements of a region in a file that is open for update. */
SEXP C_array_write(SEXP array_owner, SEXP start, SEXP count, SEXP step, SEXP values, SEXP options) {
    asdf_array *array = handle_of(array_owner, &array_type);
    struct region region;
    find_region(&region, array, start, count, step);
    if (XLENGTH(values) != region.size)
        fail(ASDF_ERR_INVALID_ARGUMENT, NULL, "the region has %.0f elements, and the vector %.0f", (double)region.size,
             (double)XLENGTH(values));
    SEXP owner;
    struct memory *memory = find_memory(&owner, values, R_NilValue, "");
    PROTECT(owner);
    if (memory->mask) fail(ASDF_ERR_UNSUPPORTED, NULL, "NA cannot be written to a region; set the whole array");
    options = PROTECT(options_for(memory, options));
    check(asdf_array_write_region(array, region.rank, region.start, region.count, region.step, code_of(memory),
                                  memory->elements, memory->size, options_of(options)));
    release_memory(owner);
    UNPROTECT(2);
    return R_NilValue;
}
