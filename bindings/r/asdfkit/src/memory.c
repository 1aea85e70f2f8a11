/* R vectors as memory that the library reads: the vector itself, or a copy in another datatype. */
#include "package.h"

#include <stdlib.h>
#include <string.h>

static void free_memory(SEXP owner) {
    struct memory *memory = R_ExternalPtrAddr(owner);
    if (!memory) return;
    R_ClearExternalPtr(owner);
    free(memory->copy);
    free(memory->mask);
    free(memory);
}

void release_memory(SEXP owner) {
    free_memory(owner);
}

static void *allocate(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size ? size : 1);
    if (!memory)
        fail(ASDF_ERR_OUT_OF_MEMORY, NULL, "there is not enough memory for %.0f bytes", (double)count * (double)size);
    return memory;
}

static void note_missing(struct memory *memory, R_xlen_t index) {
    if (!memory->mask) memory->mask = allocate((size_t)memory->count, 1);
    memory->mask[index] = 1;
}

/* Converts a number, which must fit and, for integers, be whole. */
#define CONVERT(type, least, most)                                                                                     \
    do {                                                                                                               \
        type *copy = memory->copy = allocate((size_t)memory->count, sizeof(type));                                     \
        memory->size = (size_t)memory->count * sizeof(type);                                                           \
        for (R_xlen_t i = 0; i < memory->count; i++) {                                                                 \
            double value = number_at(values, i);                                                                       \
            if (memory->mask && memory->mask[i]) continue;                                                             \
            if (!(value >= (least) && value <= (most)) || value != (double)(type)value)                                \
                fail(ASDF_ERR_OVERFLOW, path, "element %.0f is %.17g, which is no %s", (double)i + 1, value, name);    \
            copy[i] = (type)value;                                                                                     \
        }                                                                                                              \
    } while (0)

static double number_at(SEXP values, R_xlen_t index) {
    return TYPEOF(values) == REALSXP ? REAL(values)[index] : (double)INTEGER(values)[index];
}

/* Makes elements of another datatype of doubles, integers or truth values. */
static void convert(struct memory *memory, SEXP values, const char *name, const char *path) {
    static const struct {
        const char *name;
        int32_t code;
    } codes[] = {{"int8", ASDF_INT8},       {"int16", ASDF_INT16},    {"int32", ASDF_INT32},   {"int64", ASDF_INT64},
                 {"uint8", ASDF_UINT8},     {"uint16", ASDF_UINT16},  {"uint32", ASDF_UINT32}, {"uint64", ASDF_UINT64},
                 {"float32", ASDF_FLOAT32}, {"float64", ASDF_FLOAT64}};
    memory->code = 0;
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (strcmp(codes[i].name, name) == 0) memory->code = codes[i].code;
    switch (memory->code) {
    case ASDF_INT8:
        CONVERT(int8_t, INT8_MIN, INT8_MAX);
        break;
    case ASDF_INT16:
        CONVERT(int16_t, INT16_MIN, INT16_MAX);
        break;
    case ASDF_INT32:
        CONVERT(int32_t, INT32_MIN, INT32_MAX);
        break;
    case ASDF_INT64:
        CONVERT(int64_t, -9223372036854775808.0, 9223372036854774784.0);
        break;
    case ASDF_UINT8:
        CONVERT(uint8_t, 0, UINT8_MAX);
        break;
    case ASDF_UINT16:
        CONVERT(uint16_t, 0, UINT16_MAX);
        break;
    case ASDF_UINT32:
        CONVERT(uint32_t, 0, UINT32_MAX);
        break;
    case ASDF_UINT64:
        CONVERT(uint64_t, 0, 18446744073709549568.0);
        break;
    case ASDF_FLOAT32: {
        float *copy = memory->copy = allocate((size_t)memory->count, sizeof *copy);
        memory->size = (size_t)memory->count * sizeof *copy;
        for (R_xlen_t i = 0; i < memory->count; i++) {
            double value = number_at(values, i);
            if (memory->mask && memory->mask[i]) continue;
            copy[i] = (float)value;
            if (R_FINITE(value) && !R_FINITE((double)copy[i]))
                fail(ASDF_ERR_OVERFLOW, path, "element %.0f is %.17g, which is too large for float32", (double)i + 1,
                     value);
        }
        break;
    }
    case ASDF_FLOAT64: {
        double *copy = memory->copy = allocate((size_t)memory->count, sizeof *copy);
        memory->size = (size_t)memory->count * sizeof *copy;
        for (R_xlen_t i = 0; i < memory->count; i++)
            if (!memory->mask || !memory->mask[i]) copy[i] = number_at(values, i);
        break;
    }
    default:
        fail(ASDF_ERR_BAD_DATATYPE, path,
             "the datatype '%s' is not one of int8 to int64, uint8 to uint64, float32, float64", name);
    }
    memory->elements = memory->copy;
}

/* Number of characters of UTF-8, or -1 if it is not valid. */
static int64_t decode(const char *text, size_t size, uint32_t *points) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    int64_t count = 0;
    for (size_t at = 0; at < size; count++) {
        unsigned char head = (unsigned char)text[at];
        size_t length = head < 0x80 ? 1 : head >= 0xf0 ? 4 : head >= 0xe0 ? 3 : 2;
        uint32_t point = length == 1 ? head : head & (0x7fu >> length);
        if ((head >= 0x80 && head < 0xc0) || head > 0xf4 || length > size - at) return -1;
        for (size_t k = 1; k < length; k++) {
            if (((unsigned char)text[at + k] & 0xc0) != 0x80) return -1;
            point = point << 6 | ((unsigned char)text[at + k] & 0x3f);
        }
        if (point < least[length] || point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) return -1;
        if (points) points[count] = point;
        at += length;
    }
    return count;
}

/* Makes strings of equal length, padded with NULs: ASCII, or UCS-4 if one has other characters. */
static void convert_strings(struct memory *memory, SEXP values, const char *path) {
    memory->code = ASDF_ASCII;
    memory->length = 1;
    for (R_xlen_t i = 0; i < memory->count; i++) {
        if (STRING_ELT(values, i) == NA_STRING) {
            note_missing(memory, i);
            continue;
        }
        const char *text = utf8_of(STRING_ELT(values, i));
        size_t size = strlen(text);
        int64_t length = decode(text, size, NULL);
        if (length < 0) fail(ASDF_ERR_ENCODING, path, "element %.0f is not valid UTF-8", (double)i + 1);
        if ((size_t)length != size) memory->code = ASDF_UCS4;
        if (length > memory->length) memory->length = length;
    }
    size_t width = memory->code == ASDF_UCS4 ? 4 : 1;
    size_t item = (size_t)memory->length * width;
    memory->elements = memory->copy = allocate((size_t)memory->count, item);
    memory->size = (size_t)memory->count * item;
    for (R_xlen_t i = 0; i < memory->count; i++) {
        if (STRING_ELT(values, i) == NA_STRING) continue;
        const char *text = utf8_of(STRING_ELT(values, i));
        char *element = (char *)memory->copy + (size_t)i * item;
        if (width == 4)
            decode(text, strlen(text), (uint32_t *)(void *)element);
        else
            memcpy(element, text, strlen(text));
    }
}

static void take(struct memory *memory, int32_t code, const void *elements, size_t size) {
    memory->code = code;
    memory->elements = elements;
    memory->size = (size_t)memory->count * size;
}

struct memory *find_memory(SEXP *owner, SEXP values, SEXP datatype, const char *path) {
    *owner = R_MakeExternalPtr(NULL, R_NilValue, R_NilValue);
    PROTECT(*owner);
    R_RegisterCFinalizerEx(*owner, free_memory, TRUE);
    struct memory *memory = allocate(1, sizeof *memory);
    R_SetExternalPtrAddr(*owner, memory);
    memory->count = Rf_isVector(values) ? XLENGTH(values) : 0;
    const char *name = datatype == R_NilValue ? NULL : text_of(datatype, "the datatype");
    int is_number = TYPEOF(values) == REALSXP || TYPEOF(values) == INTSXP || TYPEOF(values) == LGLSXP;
    if (name && (!is_number || Rf_inherits(values, "integer64")))
        fail(ASDF_ERR_INVALID_ARGUMENT, path,
             "only doubles, integers and truth values can be stored as another datatype");
    if (Rf_inherits(values, "integer64")) {
        take(memory, ASDF_INT64, REAL(values), sizeof(double));
        for (R_xlen_t i = 0; i < memory->count; i++) {
            int64_t value;
            memcpy(&value, REAL(values) + i, sizeof value);
            if (value == INT64_MIN) note_missing(memory, i);
        }
        UNPROTECT(1);
        return memory;
    }
    switch (TYPEOF(values)) {
    case LGLSXP: {
        uint8_t *copy = memory->copy = allocate((size_t)memory->count, 1);
        take(memory, ASDF_BOOL8, copy, 1);
        for (R_xlen_t i = 0; i < memory->count; i++) {
            if (LOGICAL(values)[i] == NA_LOGICAL)
                note_missing(memory, i);
            else
                copy[i] = LOGICAL(values)[i] != 0;
        }
        if (name) {
            free(memory->copy);
            memory->copy = NULL;
        }
        break;
    }
    case INTSXP:
        take(memory, ASDF_INT32, INTEGER(values), sizeof(int));
        for (R_xlen_t i = 0; i < memory->count; i++)
            if (INTEGER(values)[i] == NA_INTEGER) note_missing(memory, i);
        break;
    case REALSXP:
        take(memory, ASDF_FLOAT64, REAL(values), sizeof(double));
        for (R_xlen_t i = 0; i < memory->count; i++)
            if (R_IsNA(REAL(values)[i])) note_missing(memory, i);
        break;
    case CPLXSXP:
        take(memory, ASDF_COMPLEX128, COMPLEX(values), sizeof(Rcomplex));
        for (R_xlen_t i = 0; i < memory->count; i++)
            if (R_IsNA(COMPLEX(values)[i].r) || R_IsNA(COMPLEX(values)[i].i)) note_missing(memory, i);
        break;
    case STRSXP:
        convert_strings(memory, values, path);
        break;
    default:
        fail(ASDF_ERR_INVALID_ARGUMENT, path, "the elements of an array must not be of the type %s",
             Rf_type2char(TYPEOF(values)));
    }
    if (name) convert(memory, values, name, path);
    UNPROTECT(1);
    return memory;
}
