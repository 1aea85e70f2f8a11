/* Declarations that the files of the glue share: handles, errors, text, options, elements. */
#ifndef ASDFKIT_R_PACKAGE_H
#define ASDFKIT_R_PACKAGE_H

#define R_NO_REMAP
#include <R.h>
#include <Rinternals.h>
#include <asdf.h>
#include <stdint.h>

/*
 * Handles. An external pointer owns each handle; its finalizer frees it. new_owner() makes the owner before the call
 * that makes the handle, so that nothing is lost when R jumps:
 *
 *     SEXP owner = PROTECT(new_owner(&file_type));
 *     asdf_file *file;
 *     check(asdf_file_new(NULL, &file));
 *     own(owner, file);
 */
struct handle_type {
    const char *name;           /* class of the R object, and tag of the external pointer */
    const char *closed;         /* message when the handle is used after it was freed */
    void (*free)(void *handle); /* frees the handle */
};

extern const struct handle_type file_type, node_type, array_type, options_type, buffer_type, report_type, datatype_type;
extern const struct handle_type stream_type, table_type, table_reader_type, table_writer_type, time_type, ndl_type,
    ndl_builder_type, coordinates_type, wcs_type, transform_type, schemas_type;

SEXP new_owner(const struct handle_type *type);
void own(SEXP owner, void *handle);
void *handle_of(SEXP owner, const struct handle_type *type);
void release(SEXP owner, const struct handle_type *type);
int is_owner(SEXP value, const struct handle_type *type);

/* Returns the node that paths start from: the node, or the root of the file. */
asdf_node *node_of(SEXP place);
asdf_file *file_of(SEXP file);

/* The progress callback of the library; its first argument is an R function, or NULL. */
int32_t report_progress(void *function, int64_t done, int64_t total);
/* Whether an R function that reports progress is running. */
int is_reporting(void);
/* Continues the failure or interrupt of an R function that reported progress, if there was one. */
void continue_unwinding(void);

/* Raises the R condition of the last failure, unless the status is ASDF_OK. */
void check(asdf_status status);
/* Frees a handle that a running call could use, so not in a function that reports progress. */
void close_handle(SEXP owner, const struct handle_type *type);
/* Raises a condition of this package with a status of the library. */
NORET void fail(asdf_status status, const char *path, const char *format, ...);

/* Fails if a call for a column failed; the message ends with the remedy. */
void check_column(asdf_status status, const char *column, const char *remedy);

/* Texts. R strings become UTF-8 that lives until the .Call returns. */
const char *text_of(SEXP value, const char *what);
/* Returns the UTF-8 of a CHARSXP. */
const char *utf8_of(SEXP string);
const char *path_of(SEXP path);
SEXP utf8(const char *text, size_t length);

/* Gets a text by the rule of snprintf. The call uses `buffer`, `capacity` and `&needed`; `result` is a CHARSXP. */
#define READ_TEXT(result, ...)                                                                                         \
    do {                                                                                                               \
        char small_[256];                                                                                              \
        char *buffer = small_;                                                                                         \
        size_t capacity = sizeof small_, needed = 0;                                                                   \
        asdf_status status_ = (__VA_ARGS__);                                                                           \
        if (status_ == ASDF_ERR_BUFFER_TOO_SMALL) {                                                                    \
            capacity = needed + 1;                                                                                     \
            buffer = R_alloc(capacity, 1);                                                                             \
            status_ = (__VA_ARGS__);                                                                                   \
        }                                                                                                              \
        check(status_);                                                                                                \
        (result) = utf8(buffer, needed);                                                                               \
    } while (0)

/* Options: the external pointer of an options handle, or NULL for none. */
const asdf_options *options_of(SEXP options);
SEXP options_for_strings(SEXP options, int32_t code, int64_t length);
/* Makes the owner of a handle that uses these options in later calls, too. */
void own_with_options(SEXP owner, void *handle, SEXP options);

/* 64-bit integers in R: class of bit64, double if exact, or text. */
enum bigint { AS_INTEGER64, AS_NUMERIC, AS_CHARACTER };
enum bigint bigint_of(SEXP bigint);
SEXP integer64_class(SEXP values);
double exact_double(int64_t value, const char *path);
SEXP big_scalar(int64_t value, enum bigint bigint, const char *path);

/* A region in the order of R: the first axis varies fastest. The library takes the axes in reverse. */
struct region {
    int32_t rank;
    int64_t start[ASDF_MAX_RANK], count[ASDF_MAX_RANK], step[ASDF_MAX_RANK]; /* in the order of the library */
    R_xlen_t size;                                                           /* number of elements */
};
/* The whole array if `start` is NULL. Start counts from 0 here. */
void find_region(struct region *region, const asdf_array *array, SEXP start, SEXP count, SEXP step);
/* Sets the attribute dim, unless there is one axis or none. */
void set_dim(SEXP values, const struct region *region);
/* Returns a whole number of a vector; `what` names it in the message. */
int64_t whole_number(SEXP values, R_xlen_t index, const char *what);

/* Elements as an R vector; see elements.c. The call of `read` fills memory of `count` elements of a datatype, and the
   mask unless it is NULL. */
struct elements {
    R_xlen_t count;
    int32_t code;  /* stored datatype */
    uint8_t *mask; /* memory for the mask; NULL if no element can be missing */
    const void *from;
    const char *name; /* column of a table for messages, or NULL */
    asdf_status (*read)(const struct elements *elements, int32_t code, void *memory, size_t size);
};
SEXP read_elements(const struct elements *elements, enum bigint bigint);

/* R vectors as elements; see memory.c. */
struct memory {
    int32_t code;         /* datatype of the elements; ASDF_ASCII or ASDF_UCS4 for strings */
    int64_t length;       /* characters of each string */
    const void *elements; /* elements in the order of R */
    size_t size;          /* their size in bytes */
    void *copy;           /* memory of malloc() that holds them; NULL if they are those of the R vector */
    uint8_t *mask;        /* memory of malloc() with 1 where the R vector is NA; NULL if there is no NA */
    R_xlen_t count;
};
/* Finds the elements of a vector, or makes them in the datatype of this name (R_NilValue: the one that suits the
   vector). `owner`, which the caller protects, frees the memory if R jumps. */
struct memory *find_memory(SEXP *owner, SEXP values, SEXP datatype, const char *path);
void release_memory(SEXP owner);

#endif
