/* Nodes of the tree: looking up, items of collections, scalars as R values, and changes of the tree. */
#include "package.h"

#include <stdio.h>
#include <string.h>

static SEXP own_node(SEXP owner, asdf_node *node) {
    own(owner, node);
    return owner;
}

SEXP C_node_get(SEXP place, SEXP path) {
    SEXP owner = PROTECT(new_owner(&node_type));
    asdf_node *node = NULL;
    check(asdf_node_get(node_of(place), path_of(path), &node));
    own_node(owner, node);
    UNPROTECT(1);
    return owner;
}

/* Makes an empty mapping that belongs to no file. */
SEXP C_node_new_mapping(void) {
    SEXP owner = PROTECT(new_owner(&node_type));
    asdf_node *node = NULL;
    check(asdf_node_new_mapping(&node));
    own_node(owner, node);
    UNPROTECT(1);
    return owner;
}

/* Makes the node at a path unless it exists; "-" appends an item. */
SEXP C_node_make(SEXP place, SEXP path) {
    SEXP owner = PROTECT(new_owner(&node_type));
    asdf_node *node = NULL;
    check(asdf_node_make(node_of(place), path_of(path), &node));
    own_node(owner, node);
    UNPROTECT(1);
    return owner;
}

/* Returns the item of a sequence or mapping at a position from 1. */
SEXP C_node_item(SEXP place, SEXP path, SEXP index) {
    double position = Rf_asReal(index);
    if (!(position >= 1 && position <= 9e15 && position == (double)(int64_t)position))
        fail(ASDF_ERR_OUT_OF_RANGE, NULL, "the position of an item must be a whole number from 1");
    SEXP owner = PROTECT(new_owner(&node_type));
    asdf_node *node = NULL;
    check(asdf_node_item(node_of(place), path_of(path), (int64_t)position - 1, &node));
    own_node(owner, node);
    UNPROTECT(1);
    return owner;
}

SEXP C_node_exists(SEXP place, SEXP path) {
    int32_t exists = 0;
    check(asdf_node_exists(node_of(place), path_of(path), &exists));
    return Rf_ScalarLogical(exists);
}

static const char *const kinds[] = {"null",      "logical",    "integer", "double",    "complex",
                                    "character", "timestamp",  "raw",     "array",     "number list",
                                    "sequence",  "mapping",    "table",   "column",    "quantity",
                                    "time",      "time delta", "unit",    "reference", "coordinates"};

static const char *kind_name(int32_t kind) {
    return kind >= 0 && kind < (int32_t)(sizeof kinds / sizeof *kinds) ? kinds[kind] : "other";
}

SEXP C_node_kind(SEXP place, SEXP path) {
    int32_t kind = 0;
    check(asdf_node_kind(node_of(place), path_of(path), &kind));
    return Rf_mkString(kind_name(kind));
}

SEXP C_node_tag(SEXP place, SEXP path) {
    const asdf_node *node = node_of(place);
    const char *at = path_of(path);
    SEXP text;
    READ_TEXT(text, asdf_node_tag(node, at, buffer, capacity, &needed));
    return Rf_ScalarString(text);
}

SEXP C_node_path(SEXP place) {
    const asdf_node *node = node_of(place);
    SEXP text;
    READ_TEXT(text, asdf_node_path(node, "", buffer, capacity, &needed));
    return Rf_ScalarString(text);
}

SEXP C_node_count(SEXP place, SEXP path) {
    int64_t count = 0;
    check(asdf_node_count(node_of(place), path_of(path), &count));
    return Rf_ScalarReal((double)count);
}

static SEXP key_text(const asdf_node *node, const char *path, int64_t index) {
    int32_t type = ASDF_KEY_OTHER, flag = 0;
    int64_t number = 0;
    char digits[32];
    SEXP text = R_BlankString;
    check(asdf_node_key_type(node, path, index, &type));
    if (type == ASDF_KEY_STRING) {
        READ_TEXT(text, asdf_node_key_string(node, path, index, buffer, capacity, &needed));
    } else if (type == ASDF_KEY_INTEGER) {
        check(asdf_node_key_i64(node, path, index, &number));
        snprintf(digits, sizeof digits, "%lld", (long long)number);
        text = Rf_mkChar(digits);
    } else if (type == ASDF_KEY_BOOL) {
        check(asdf_node_key_bool(node, path, index, &flag));
        text = Rf_mkChar(flag ? "true" : "false");
    }
    return text;
}

/* Returns the keys of a mapping in the order of the file, or NULL for anything else. */
SEXP C_node_keys(SEXP place, SEXP path) {
    const asdf_node *node = node_of(place);
    const char *at = path_of(path);
    int32_t type = 0;
    int64_t count = 0;
    check(asdf_node_type(node, at, &type));
    if (type != ASDF_NODE_MAPPING) return R_NilValue;
    check(asdf_node_count(node, at, &count));
    SEXP keys = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)count));
    for (int64_t i = 0; i < count; i++) SET_STRING_ELT(keys, i, key_text(node, at, i));
    UNPROTECT(1);
    return keys;
}

/* Returns the keys of a mapping as a list of texts, integers and truth values. */
SEXP C_node_typed_keys(SEXP place, SEXP path) {
    const asdf_node *node = node_of(place);
    const char *at = path_of(path);
    int64_t count = 0, number = 0;
    check(asdf_node_count(node, at, &count));
    SEXP keys = PROTECT(Rf_allocVector(VECSXP, (R_xlen_t)count));
    for (int64_t i = 0; i < count; i++) {
        int32_t type = ASDF_KEY_OTHER, flag = 0;
        SEXP text;
        check(asdf_node_key_type(node, at, i, &type));
        if (type == ASDF_KEY_INTEGER) {
            check(asdf_node_key_i64(node, at, i, &number));
            SET_VECTOR_ELT(keys, (R_xlen_t)i, big_scalar(number, AS_INTEGER64, at));
        } else if (type == ASDF_KEY_BOOL) {
            check(asdf_node_key_bool(node, at, i, &flag));
            SET_VECTOR_ELT(keys, (R_xlen_t)i, Rf_ScalarLogical(flag));
        } else {
            READ_TEXT(text, asdf_node_key_string(node, at, i, buffer, capacity, &needed));
            PROTECT(text);
            SET_VECTOR_ELT(keys, (R_xlen_t)i, Rf_ScalarString(text));
            UNPROTECT(1);
        }
    }
    UNPROTECT(1);
    return keys;
}

/* Returns an integer key. */
static int64_t integer_key(SEXP key, const char *path) {
    if (Rf_inherits(key, "integer64")) return *(int64_t *)REAL(key);
    double number = Rf_asReal(key);
    if (!(number >= -9e15 && number <= 9e15 && number == (double)(int64_t)number))
        fail(ASDF_ERR_INVALID_ARGUMENT, path, "a key must be a text, a whole number or a truth value, and not NA");
    return (int64_t)number;
}

/* Returns the node under a key, which is no path: a text, an integer or a truth value. Makes it if asked to. */
SEXP C_node_by_key(SEXP place, SEXP path, SEXP key, SEXP is_made) {
    asdf_node *node = node_of(place), *found = NULL;
    const char *at = path_of(path);
    int make = Rf_asLogical(is_made) == TRUE;
    SEXP owner = PROTECT(new_owner(&node_type));
    if (XLENGTH(key) != 1) fail(ASDF_ERR_INVALID_ARGUMENT, at, "a key must have the length 1");
    if (TYPEOF(key) == STRSXP) {
        const char *text = text_of(key, "the key");
        check(make ? asdf_node_make_by_string(node, at, text, strlen(text), &found)
                   : asdf_node_get_by_string(node, at, text, strlen(text), &found));
    } else if (TYPEOF(key) == LGLSXP && LOGICAL(key)[0] != NA_LOGICAL) {
        check(make ? asdf_node_make_by_bool(node, at, LOGICAL(key)[0], &found)
                   : asdf_node_get_by_bool(node, at, LOGICAL(key)[0], &found));
    } else {
        int64_t number = integer_key(key, at);
        check(make ? asdf_node_make_by_i64(node, at, number, &found) : asdf_node_get_by_i64(node, at, number, &found));
    }
    own_node(owner, found);
    UNPROTECT(1);
    return owner;
}

static SEXP integer_value(const asdf_node *node, const char *path, enum bigint bigint) {
    int64_t value = 0;
    asdf_status status = asdf_node_get_i64(node, path, &value);
    if (status == ASDF_ERR_OVERFLOW || status == ASDF_ERR_VALUE_RANGE) {
        if (bigint != AS_CHARACTER) check(status);
        SEXP text;
        READ_TEXT(text, asdf_node_get_integer(node, path, buffer, capacity, &needed));
        return Rf_ScalarString(text);
    }
    check(status);
    return big_scalar(value, bigint, path);
}

static SEXP binary_value(const asdf_node *node, const char *path) {
    size_t size = 0;
    asdf_status status = asdf_node_get_binary(node, path, NULL, 0, &size);
    if (status != ASDF_ERR_BUFFER_TOO_SMALL) check(status);
    SEXP bytes = PROTECT(Rf_allocVector(RAWSXP, (R_xlen_t)size));
    check(asdf_node_get_binary(node, path, RAW(bytes), size, &size));
    UNPROTECT(1);
    return bytes;
}

static SEXP string_value(const asdf_node *node, const char *path) {
    SEXP text;
    READ_TEXT(text, asdf_node_get_string(node, path, buffer, capacity, &needed));
    return Rf_ScalarString(text);
}

/* Returns a text with its tag as an attribute, if it has one beside that of YAML for texts. */
static SEXP tagged_value(const asdf_node *node, const char *path, int32_t kind) {
    SEXP tag, value = PROTECT(string_value(node, path));
    if (kind == ASDF_KIND_TIMESTAMP) {
        tag = Rf_mkChar("tag:yaml.org,2002:timestamp");
    } else {
        READ_TEXT(tag, asdf_node_tag(node, path, buffer, capacity, &needed));
    }
    PROTECT(tag);
    if (LENGTH(tag) > 0 && strcmp(CHAR(tag), "tag:yaml.org,2002:str") != 0)
        Rf_setAttrib(value, Rf_install("tag"), Rf_ScalarString(tag));
    UNPROTECT(2);
    return value;
}

/* Returns a scalar as an R value, an array or list of numbers as an asdf_array, and another collection as an asdf_node.
 */
SEXP C_node_value(SEXP place, SEXP path, SEXP bigint_name) {
    const asdf_node *node = node_of(place);
    const char *at = path_of(path);
    enum bigint bigint = bigint_of(bigint_name);
    int32_t kind = 0, type = 0;
    check(asdf_node_kind(node, at, &kind));
    check(asdf_node_type(node, at, &type));
    if (kind == ASDF_KIND_ARRAY || kind == ASDF_KIND_NUMBER_LIST) {
        SEXP owner = PROTECT(new_owner(&array_type));
        asdf_array *array = NULL;
        check(asdf_node_get_array(node, at, &array));
        own(owner, array);
        if (kind == ASDF_KIND_NUMBER_LIST) Rf_setAttrib(owner, Rf_install("list"), Rf_ScalarLogical(TRUE));
        UNPROTECT(1);
        return owner;
    }
    if (kind == ASDF_KIND_COMPLEX) {
        Rcomplex value;
        check(asdf_node_get_complex(node, at, &value.r, &value.i));
        return Rf_ScalarComplex(value);
    }
    switch (type) {
    case ASDF_NODE_NULL:
        return R_NilValue;
    case ASDF_NODE_BOOL: {
        int32_t value = 0;
        check(asdf_node_get_bool(node, at, &value));
        return Rf_ScalarLogical(value);
    }
    case ASDF_NODE_INTEGER:
        return integer_value(node, at, bigint);
    case ASDF_NODE_FLOAT: {
        double value = 0;
        check(asdf_node_get_f64(node, at, &value));
        return Rf_ScalarReal(ISNAN(value) ? R_NaN : value);
    }
    case ASDF_NODE_BINARY:
        return binary_value(node, at);
    case ASDF_NODE_SEQUENCE:
    case ASDF_NODE_MAPPING:
        return C_node_get(place, path);
    default:
        return tagged_value(node, at, kind);
    }
}

/* Sets a scalar: logical, integer, integer64, double, complex, string, raw vector; NULL for null. */
SEXP C_node_set_scalar(SEXP place, SEXP path, SEXP value) {
    asdf_node *node = node_of(place);
    const char *at = path_of(path);
    if (value == R_NilValue) {
        check(asdf_node_set_null(node, at));
        return R_NilValue;
    }
    if (TYPEOF(value) == RAWSXP) {
        check(asdf_node_set_binary(node, at, RAW(value), (size_t)XLENGTH(value)));
        return R_NilValue;
    }
    if (XLENGTH(value) != 1) fail(ASDF_ERR_INVALID_ARGUMENT, at, "a scalar must have the length 1");
    const char *missing = "NA has no form as a scalar; asdf_set(file, path, NULL) sets null";
    if (Rf_inherits(value, "integer64")) {
        int64_t number = *(int64_t *)REAL(value);
        if (number == INT64_MIN) fail(ASDF_ERR_INVALID_ARGUMENT, at, "%s", missing);
        check(asdf_node_set_i64(node, at, number));
        return R_NilValue;
    }
    switch (TYPEOF(value)) {
    case LGLSXP:
        if (LOGICAL(value)[0] == NA_LOGICAL) fail(ASDF_ERR_INVALID_ARGUMENT, at, "%s", missing);
        check(asdf_node_set_bool(node, at, LOGICAL(value)[0]));
        break;
    case INTSXP:
        if (INTEGER(value)[0] == NA_INTEGER) fail(ASDF_ERR_INVALID_ARGUMENT, at, "%s", missing);
        check(asdf_node_set_i64(node, at, INTEGER(value)[0]));
        break;
    case REALSXP:
        if (R_IsNA(REAL(value)[0])) fail(ASDF_ERR_INVALID_ARGUMENT, at, "%s", missing);
        check(asdf_node_set_f64(node, at, REAL(value)[0]));
        break;
    case CPLXSXP:
        if (R_IsNA(COMPLEX(value)[0].r)) fail(ASDF_ERR_INVALID_ARGUMENT, at, "%s", missing);
        check(asdf_node_set_complex(node, at, COMPLEX(value)[0].r, COMPLEX(value)[0].i));
        break;
    case STRSXP: {
        if (STRING_ELT(value, 0) == NA_STRING) fail(ASDF_ERR_INVALID_ARGUMENT, at, "%s", missing);
        const char *text = utf8_of(STRING_ELT(value, 0));
        check(asdf_node_set_string(node, at, text, strlen(text)));
        break;
    }
    default:
        fail(ASDF_ERR_INVALID_ARGUMENT, at, "a scalar must not be of the type %s", Rf_type2char(TYPEOF(value)));
    }
    return R_NilValue;
}

SEXP C_node_set_timestamp(SEXP place, SEXP path, SEXP text) {
    const char *time = text_of(text, "the time");
    check(asdf_node_set_timestamp(node_of(place), path_of(path), time, strlen(time)));
    return R_NilValue;
}

/* Sets an empty mapping or sequence. */
SEXP C_node_set_collection(SEXP place, SEXP path, SEXP is_mapping, SEXP flow) {
    asdf_node *node = node_of(place);
    const char *at = path_of(path);
    int32_t style = Rf_asLogical(flow) == TRUE;
    check(Rf_asLogical(is_mapping) == TRUE ? asdf_node_set_mapping(node, at, style)
                                           : asdf_node_set_sequence(node, at, style));
    return R_NilValue;
}

SEXP C_node_set_quantity(SEXP place, SEXP path, SEXP unit) {
    const char *text = text_of(unit, "the unit");
    check(asdf_node_set_quantity(node_of(place), path_of(path), text, strlen(text)));
    return R_NilValue;
}

/* Returns the number of a quantity in another unit. */
SEXP C_node_get_quantity(SEXP place, SEXP path, SEXP unit, SEXP spelling, SEXP options) {
    double value = 0;
    check(asdf_node_get_quantity(node_of(place), path_of(path), text_of(unit, "the unit"), Rf_asInteger(spelling),
                                 options_of(options), &value));
    return Rf_ScalarReal(value);
}

SEXP C_node_set_note(SEXP place, SEXP path, SEXP text) {
    const char *note = text_of(text, "the note");
    check(asdf_node_set_note(node_of(place), path_of(path), note, strlen(note)));
    return R_NilValue;
}

SEXP C_node_note(SEXP place, SEXP path) {
    const asdf_node *node = node_of(place);
    const char *at = path_of(path);
    SEXP text;
    READ_TEXT(text, asdf_node_note(node, at, buffer, capacity, &needed));
    return Rf_ScalarString(text);
}

SEXP C_node_set_comment(SEXP place, SEXP path, SEXP position, SEXP text) {
    const char *comment = text_of(text, "the comment");
    check(asdf_node_set_comment(node_of(place), path_of(path), Rf_asInteger(position), comment, strlen(comment)));
    return R_NilValue;
}

SEXP C_node_comment(SEXP place, SEXP path, SEXP position) {
    const asdf_node *node = node_of(place);
    const char *at = path_of(path);
    SEXP text;
    READ_TEXT(text, asdf_node_comment(node, at, Rf_asInteger(position), buffer, capacity, &needed));
    return Rf_ScalarString(text);
}

SEXP C_node_set_time(SEXP place, SEXP path, SEXP text) {
    const char *time = text_of(text, "the time");
    check(asdf_node_set_time(node_of(place), path_of(path), time, strlen(time)));
    return R_NilValue;
}

SEXP C_node_set_tag(SEXP place, SEXP path, SEXP tag) {
    check(asdf_node_set_tag(node_of(place), path_of(path), text_of(tag, "the tag")));
    return R_NilValue;
}

/* Sets a reference to a place: in this file if the URI begins with "#", in another file otherwise. */
SEXP C_node_set_reference(SEXP place, SEXP path, SEXP uri) {
    check(asdf_node_set_reference(node_of(place), path_of(path), text_of(uri, "the URI")));
    return R_NilValue;
}

SEXP C_node_set_wcs_cards(SEXP place, SEXP path, SEXP cards, SEXP options) {
    const char *text = text_of(cards, "the cards");
    check(asdf_node_set_wcs_cards(node_of(place), path_of(path), text, strlen(text), options_of(options)));
    return R_NilValue;
}

/* Writes the WCS of a region. The first dimension of R is the last axis. */
SEXP C_node_set_wcs_cutout(SEXP place, SEXP path, SEXP from, SEXP start, SEXP count, SEXP step) {
    int64_t region[3][ASDF_MAX_RANK];
    R_xlen_t rank = XLENGTH(start);
    if (rank > ASDF_MAX_RANK)
        fail(ASDF_ERR_INVALID_ARGUMENT, NULL, "a region has at most %d dimensions", ASDF_MAX_RANK);
    for (R_xlen_t axis = 0; axis < rank; axis++) {
        region[0][rank - 1 - axis] = whole_number(start, axis, "start");
        region[1][rank - 1 - axis] = whole_number(count, axis, "count");
        region[2][rank - 1 - axis] = whole_number(step, axis, "step");
    }
    check(asdf_node_set_wcs_cutout(node_of(place), path_of(path), node_of(from), (int32_t)rank, region[0], region[1],
                                   region[2]));
    return R_NilValue;
}

SEXP C_node_copy(SEXP place, SEXP path, SEXP from, SEXP options) {
    check(asdf_node_copy(node_of(place), path_of(path), node_of(from), options_of(options)));
    return R_NilValue;
}

SEXP C_node_remove(SEXP place, SEXP path) {
    check(asdf_node_remove(node_of(place), path_of(path)));
    return R_NilValue;
}

SEXP C_node_rename(SEXP place, SEXP path, SEXP key) {
    check(asdf_node_rename_key(node_of(place), path_of(path), text_of(key, "the key")));
    return R_NilValue;
}

SEXP C_node_move(SEXP place, SEXP path, SEXP to) {
    check(asdf_node_move(node_of(place), path_of(path), text_of(to, "the new path")));
    return R_NilValue;
}

SEXP C_node_set_storage(SEXP place, SEXP path, SEXP storage, SEXP options) {
    check(asdf_node_set_storage(node_of(place), path_of(path), Rf_asInteger(storage), options_of(options)));
    return R_NilValue;
}

SEXP C_node_recompress(SEXP place, SEXP path, SEXP options) {
    check(asdf_node_recompress_array(node_of(place), path_of(path), options_of(options)));
    return R_NilValue;
}
