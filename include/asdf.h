/*
 * asdfkit: read and write ASDF files, ECSV tables and NDL descriptions
 *
 * - An ASDF file is a YAML tree with binary blocks. Open one or make one (`asdf_file`), walk its tree by paths
 *   (`asdf_node`), read its arrays into your memory (`asdf_array`), and write it.
 * - An ECSV file is a table with a header in YAML. Read it whole or in batches (`asdf_table`). Tables can also be
 *   stored in ASDF files.
 * - An NDL file describes the content of array files in YAML. Read it, check it, compare it, make a file from it, or
 *   describe a file (`asdf_ndl`).
 *
 * These conventions hold for every function unless its description says otherwise:
 *
 * Status. A function that can fail returns an asdf_status: ASDF_OK (0) or a positive number, ASDF_ERR_...
 *   asdf_error_message() and the other asdf_error_ functions return the details of the last failed call on this
 *   thread. A failed call leaves its outputs unchanged, with two exceptions: a handle output becomes NULL, and if a
 *   buffer is too small, its required length is written. Every function fails with ASDF_ERR_NULL_POINTER if a required
 *   pointer is NULL, and with ASDF_ERR_WRONG_HANDLE if a handle is of another kind.
 *
 * Handles. The caller owns each handle that a function returns, and frees it with the _free function of its type.
 *   Handles may be freed in any order: a node, an array or a view keeps its file alive. Freeing NULL does nothing. A
 *   _free function never changes the details of the last error. A _retain function adds an owner: it returns another
 *   handle, to be freed as well. Options, streams, table readers, table writers and builders of descriptions have one
 *   owner, and no _retain function.
 *
 * Strings. Names, keys, paths, tags, URIs, NDL datatypes and the units of asdf_unit_ functions are passed as
 *   NUL-terminated UTF-8. Values are passed as pointer and length, and may contain NULs if their format allows it. The
 *   length ASDF_NUL_TERMINATED stands for that of a text that ends with NUL.
 *   Arrays of texts are passed and returned as bytes with int64_t offsets: text i occupies the bytes from offset i
 *   to offset i + 1. A single string is returned as by snprintf: the text and a final NUL go into a buffer of
 *   `capacity` bytes, and the length without the NUL into `*needed`, which may be NULL. With capacity 0 the buffer
 *   may be NULL, and only the length is returned. A buffer that is too small is ASDF_ERR_BUFFER_TOO_SMALL and stays
 *   unchanged.
 *
 * Paths. A path is a JSON Pointer (RFC 6901) relative to a node. The leading "/" may be left out:
 *   "meta/exposure/time", "frames/0/name". The empty path is the node itself. In keys, "~" is written "~0" and "/" is
 *   written "~1". Paths follow aliases and JSON references: the target takes the place of the reference.
 *   An ordered mapping (!!omap) and a list of pairs (!!pairs) are sequences; in a path, a key finds its first pair.
 *   Items have numbers as parts of their own: "list/0", never in brackets. Elements of an array have no paths: they
 *   are read and written by regions. YAML 1.1 reads a key of digits without quotes as an integer, and one with a
 *   leading 0 as an octal number: the key 010 in a file has the path "8", and '010' in quotes the path "010".
 *
 * Numbers. Shapes and indices are int64_t, slowest axis first (C order). Truth values are int32_t: 0 is false, and any
 *   other number is true; the library returns 0 or 1. Sizes in memory are size_t. Sizes and offsets in files, and
 *   numbers of rows, entries and elements, are int64_t; -1 means unknown. A negative argument is an error unless the
 *   description of the parameter allows it.
 *
 * Arguments. Their order is: handle, inputs, options, outputs. A buffer is followed by its capacity.
 *
 * Options. A function with an options pointer takes NULL for the defaults. It works on a snapshot of the options. It
 *   refuses options that it does not know, unless ASDF_OPTION_SHARED is set in the same handle.
 *
 * Memory. The caller allocates the memory that a function reads into. Arguments are copied during the call. Two
 *   functions borrow memory for longer, and call back when they no longer need it (see Lent memory). (NULL, 0) is an
 *   empty input.
 *
 * Threads. Several threads may read from a handle at once. A call that changes a handle needs exclusive access to it
 *   and to all handles of the same file; only asdf_array_write_region() may run on several threads, for regions
 *   without a common element. Different files are independent. Handles may be freed on any thread. A call starts
 *   threads only if ASDF_OPTION_THREADS allows more than one, and these threads end before the call returns.
 *
 * Callbacks. A callback runs inside a call of the program, on the thread of that call; never on a thread that the
 *   library started.
 *   - Callbacks that read, resolve, decode or encode run inside the call that needs them. If several threads use a
 *     file, they run on several threads at once.
 *   - A callback that closes or releases something runs once, inside the call that ends the last use. This can be the
 *     _free function of the file or of a handle that depends on it (node, array, view, table, reader),
 *     asdf_file_close(), or the call that writes or saves the file after the array was replaced or removed. For a
 *     codec or a resolver it can also be the _free or unset function of options. A finalizer that frees handles on its
 *     own thread runs these callbacks on that thread.
 *   - No callback may throw or longjmp. It may call the library with handles that do not belong to the file, reader or
 *     options that it serves. If such a call fails, it changes the details of the last error of the thread.
 *
 * Floating point. Calls compute in the default environment: no traps, rounding to nearest, subnormal numbers. They
 *   leave the environment of the program as it was, including its flags. Callbacks run in the environment of the
 *   program.
 *
 * Processes. After a fork, the child process can read from the handles that it inherited, close them and free them.
 *   This releases memory and descriptors of the child only: it removes no temporary file, releases no lock, undoes
 *   nothing and writes nothing. Calls that change or write a file through such a handle fail with ASDF_ERR_FORKED. So
 *   does every use of an object that another thread was changing at the fork. No call waits for a thread that does not
 *   exist in the child. See docs/guide/threads.md.
 *
 *     asdf_file *file = NULL;
 *     asdf_node *root = NULL;
 *     double seconds;
 *     if (asdf_file_open("image.asdf", NULL, &file) || asdf_file_root(file, &root) ||
 *         asdf_node_get_f64(root, "meta/exposure/time", &seconds)) {
 *         char message[512];
 *         asdf_error_message(message, sizeof message, NULL);
 *         fprintf(stderr, "%s\n", message);   // image.asdf:12:7, byte 318, at /meta/exposure/time: ...
 *     }
 *     asdf_node_free(root);
 *     asdf_file_free(file);
 *
 * Contents:
 *   1. Basics: version, status, errors, handles, reports, lent memory, buffers
 *   2. Files: sources, files
 *   3. Nodes and values: nodes, finding nodes, values
 *   4. Arrays: datatypes, storage and order, arrays, arrays in memory of the library, masks, views
 *   5. Writing and changing: setting values, comments in the tree, writing, changing existing content,
 *      arrays larger than memory, streams, history, programs, references
 *   6. Options: options, keys of options
 *   7. Schemas: schemas, validation
 *   8. Units: units
 *   9. Tables: tables, reading columns, columns in memory of the library, making tables, changing cells,
 *      rows of tables, reading ECSV, writing ECSV, tables in ASDF files, logical columns, Arrow
 *   10. Times: times, making times, times in tables
 *   11. World coordinates: world coordinates, frames, transforms, FITS headers
 *   12. Coordinates: coordinates, storing coordinates
 *   13. Descriptions: descriptions, content of descriptions, datatypes of descriptions, storage in descriptions,
 *      values in descriptions, making descriptions, writing descriptions, comparing descriptions,
 *      descriptions and ASDF files
 *   14. Advanced: progress and cancelling, other files, codecs, tile-compressed images, blocks, chunk maps,
 *      recovering
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */

#ifndef ASDFKIT_ASDF_H
#define ASDFKIT_ASDF_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* 1. Basics ======================================================================================================== */

/*
 * Version -------------------------------------------------------------------------------------------------------------
 *
 * The constants are those of the header that the program was compiled with. The functions return those of the library
 * that it runs with.
 */

#define ASDF_VERSION_MAJOR 0 /**< Major version of this header. */
#define ASDF_VERSION_MINOR 1 /**< Minor version of this header. */
#define ASDF_VERSION_PATCH 0 /**< Patch version of this header. */
#define ASDF_ABI 1           /**< Number of the binary interface (ABI) of this header. */

/**
 * Returns the version of the library at run time, such as "0.1.0". It may be newer than this header.
 *
 * @return static string
 * @since 0.1.0
 */
const char *asdf_library_version(void);

/**
 * Gets the version of the library at run time, as numbers.
 *
 * @param major gets the major version; may be NULL
 * @param minor gets the minor version; may be NULL
 * @param patch gets the patch version; may be NULL
 * @since 0.1.0
 */
void asdf_library_version_numbers(int32_t *major, int32_t *minor, int32_t *patch);

/**
 * Returns the number of the binary interface (ABI) of the library at run time. Programs that load the library
 * dynamically should compare it with ASDF_ABI: if the numbers differ, functions may be missing or take other
 * arguments.
 *
 * @return the number
 * @since 0.1.0
 */
int32_t asdf_library_abi(void);

/*
 * Status --------------------------------------------------------------------------------------------------------------
 *
 * Most functions return a status. The hundreds digit is the group: 100 the call, 200 the operating system, 300 the
 * bytes of the file, 400 compression, 500 the tree, 600 arrays, 700 limits, 800 tables. A number never changes its
 * meaning. New numbers may be added: treat an unknown one as an error of its group.
 *
 *     asdf_status status = asdf_file_open("image.asdf", NULL, &file);
 *     if (status == ASDF_ERR_FILE_NOT_FOUND) return make_new_file();
 *     if (status != ASDF_OK) fprintf(stderr, "%s\n", asdf_status_name(status));
 */

/**
 * ASDF_OK, or one of ASDF_ERR_...
 */
typedef int32_t asdf_status;

#define ASDF_OK 0                     /**< No error. */
#define ASDF_ERR_INVALID_ARGUMENT 101 /**< The function does not accept this argument. */
#define ASDF_ERR_NULL_POINTER 102     /**< A required pointer is NULL. */
#define ASDF_ERR_WRONG_HANDLE 103     /**< The handle is of another kind, or is already freed. */
#define ASDF_ERR_CLOSED 104           /**< The file behind the handle was closed. */
#define ASDF_ERR_STALE 105            /**< The node behind the handle was removed by an edit. */
#define ASDF_ERR_BUFFER_TOO_SMALL 106 /**< The caller's buffer is too small for the result. */
#define ASDF_ERR_READ_ONLY 107        /**< The file was opened for reading only. */
#define ASDF_ERR_OUT_OF_RANGE 108     /**< An index, a region or a number is out of range. */

/**
 * An earlier setter failed, so the file to write is incomplete.
 */
#define ASDF_ERR_INCOMPLETE 109

/**
 * The library, or this build of it, does not support this.
 */
#define ASDF_ERR_UNSUPPORTED 110

/**
 * The changes need a new file, but the options ask for saving in place.
 */
#define ASDF_ERR_NOT_IN_PLACE 111

/**
 * The handle was made before a fork, by the parent process. The child may not use it for this call.
 */
#define ASDF_ERR_FORKED 112

#define ASDF_ERR_CANCELLED 113         /**< The progress callback cancelled the call. */
#define ASDF_ERR_IO 201                /**< The operating system reported an error. */
#define ASDF_ERR_FILE_NOT_FOUND 202    /**< No file has this name. */
#define ASDF_ERR_PERMISSION_DENIED 203 /**< The operating system denies the access. */
#define ASDF_ERR_NO_SPACE 204          /**< The device or the quota is full. */
#define ASDF_ERR_OUT_OF_MEMORY 205     /**< Memory could not be allocated. */
#define ASDF_ERR_FILE_CHANGED 206      /**< The file changed while it was open. */
#define ASDF_ERR_CALLBACK 207          /**< A callback of the caller reported failure. */
#define ASDF_ERR_ACCESS_DENIED 208     /**< The open options allow other files, but not this one. */
#define ASDF_ERR_LOCKED 209            /**< Another program or handle has the file open for update. */
#define ASDF_ERR_FILE_EXISTS 210       /**< A file of this name exists and may not be replaced. */

/**
 * The new file is in place, but may not be on the disk yet.
 */
#define ASDF_ERR_NOT_DURABLE 211

#define ASDF_ERR_INTERNAL 299        /**< A defect of the library: please report it. */
#define ASDF_ERR_NOT_ASDF 301        /**< The bytes do not begin like an ASDF file. */
#define ASDF_ERR_VERSION 302         /**< The version of the file format is unknown. */
#define ASDF_ERR_LAYOUT 303          /**< The parts of the file are not in the order of the standard. */
#define ASDF_ERR_TRUNCATED 304       /**< The file ends too early. */
#define ASDF_ERR_BLOCK_HEADER 305    /**< A block header contradicts itself or the file. */
#define ASDF_ERR_BLOCK_NOT_FOUND 306 /**< No block has this number. */
#define ASDF_ERR_CHECKSUM 307        /**< The stored checksum does not match the bytes. */
#define ASDF_ERR_NOT_ECSV 308        /**< The bytes do not begin like an ECSV file. */
#define ASDF_ERR_FITS_HEADER 309     /**< A header of a FITS file is not valid. */
#define ASDF_ERR_HDU_NOT_FOUND 310   /**< No HDU of the FITS file has this name or number. */
#define ASDF_ERR_UNKNOWN_CODEC 401   /**< The codec is unknown, or not part of this build. */
#define ASDF_ERR_CORRUPT 402         /**< The compressed bytes are damaged. */
#define ASDF_ERR_DECODED_SIZE 403    /**< The decoded size differs from the declared size. */
#define ASDF_ERR_YAML 501            /**< The tree is not well-formed YAML. */

/**
 * The text is not valid UTF-8, or has characters that YAML forbids.
 */
#define ASDF_ERR_ENCODING 502

#define ASDF_ERR_TREE 503               /**< The tree is well-formed YAML, but ASDF does not allow it. */
#define ASDF_ERR_NOT_FOUND 504          /**< Nothing exists at this path. */
#define ASDF_ERR_WRONG_TYPE 505         /**< The node does not have the requested type. */
#define ASDF_ERR_VALUE_RANGE 506        /**< The value does not fit the requested type. */
#define ASDF_ERR_PATH 507               /**< The path or the reference is malformed. */
#define ASDF_ERR_DANGLING_REFERENCE 508 /**< The target of a reference does not exist. */
#define ASDF_ERR_REFERENCE_CYCLE 509    /**< References form a cycle. */

/**
 * The target is in another file; the options do not allow that.
 */
#define ASDF_ERR_EXTERNAL_REFERENCE 510

#define ASDF_ERR_TAG_CONTENT 511  /**< The content of a known tag is not valid for the tag. */
#define ASDF_ERR_BAD_ARRAY 601    /**< The array's description is malformed. */
#define ASDF_ERR_BAD_DATATYPE 602 /**< The datatype is unknown or malformed. */
#define ASDF_ERR_BOUNDS 603       /**< The array reaches outside its block. */
#define ASDF_ERR_OVERFLOW 604     /**< An element does not fit the requested datatype. */
#define ASDF_ERR_CONVERSION 605   /**< There is no conversion between the two datatypes. */
#define ASDF_ERR_NOT_VIEWABLE 606 /**< The stored bytes cannot be viewed without a copy. */

/**
 * The array has a mask, or the column a missing element, but the call has neither mask nor fill value.
 */
#define ASDF_ERR_MASKED 607

/**
 * The text is not a unit, or values of one unit cannot be converted to the other.
 */
#define ASDF_ERR_UNITS 608

#define ASDF_ERR_LIMIT 701 /**< A limit of the open options was exceeded. */

/**
 * The file has warnings, and the options count warnings as errors.
 */
#define ASDF_ERR_STRICT 702

#define ASDF_ERR_TABLE_HEADER 801 /**< The table header is not valid in its format. */
#define ASDF_ERR_RECORD 802       /**< A record has a wrong number of fields, or wrong quotes. */
#define ASDF_ERR_CELL 803         /**< The text of a cell is not a value of the column's type. */

/**
 * The tag of a transform is not known. The file is readable, the transform is not.
 */
#define ASDF_ERR_UNKNOWN_TRANSFORM 901

/**
 * The name of a transform is known, but not its version.
 */
#define ASDF_ERR_TRANSFORM_VERSION 902

#define ASDF_ERR_NOT_TRANSFORM 903 /**< The node is not a transform. */
#define ASDF_ERR_ARITY 904         /**< Numbers of inputs and outputs of transforms do not fit. */
#define ASDF_ERR_NO_INVERSE 905    /**< The transform has no inverse. */
#define ASDF_ERR_SINGULAR 906      /**< The values of parameters make the inverse impossible. */

/**
 * A point lies outside of the domain of a transform that asks for an error there.
 */
#define ASDF_ERR_OUT_OF_DOMAIN 907

#define ASDF_ERR_NO_TRANSFORM 908 /**< No transform leads from a frame to the next. */

/**
 * The iteration of a numerical inverse did not converge.
 */
#define ASDF_ERR_NO_CONVERGENCE 909

/**
 * A schema is malformed, or a reference in it leads to nothing.
 */
#define ASDF_ERR_SCHEMA 1001

#define ASDF_ERR_SCHEMA_NOT_FOUND 1002 /**< No schemas were found, or none with this name. */
#define ASDF_ERR_INVALID 1003          /**< The content does not match its schemas. */

/**
 * Returns the name of the constant of a status, such as "ASDF_ERR_TRUNCATED".
 *
 * @param status any number
 * @return static string; "unknown status" for an unknown number
 * @since 0.1.0
 */
const char *asdf_status_name(asdf_status status);

/*
 * Errors --------------------------------------------------------------------------------------------------------------
 *
 * These functions return the details of the last call that failed on this thread. The details stay until another call
 * fails on the thread, or until asdf_error_clear(). A successful call does not change them, and neither do these
 * functions, even if they fail. Only asdf_error_print() looks at the last call: it prints nothing after a success. A
 * text that does not fit is cut to whole characters with a final NUL, and the function returns
 * ASDF_ERR_BUFFER_TOO_SMALL. A failure has the same fields as an entry of a report (see Reports).
 *
 *     if (status != ASDF_OK) {
 *         char message[512];
 *         asdf_error_message(message, sizeof message, NULL);
 *         fprintf(stderr, "%s: %s\n", asdf_status_name(status), message);
 *     }
 */

/**
 * Returns the status of the last failure of this thread.
 *
 * @return ASDF_OK if there was none
 * @since 0.1.0
 */
asdf_status asdf_error_status(void);

/**
 * Gets the whole message of the last failure: the position, if known, and a sentence. It is meant for people; its
 * wording may change in any release.
 *
 * @param buffer   gets the text, cut to the size of the buffer
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_error_message(char *buffer, size_t capacity, size_t *needed);

/**
 * Does the same as asdf_error_message() for languages that count from 1. Numbers of elements, rows and times count from
 * 1, and options are named without the constants of C.
 *
 * @param buffer   gets the text, cut to the size of the buffer
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_error_message_from_one(char *buffer, size_t capacity, size_t *needed);

/**
 * Prints the message of the last failure to standard error as one line, as perror() does: "PREFIX: MESSAGE". Prints
 * nothing if no call failed, or if a call on this thread has succeeded since then: the failure may have been dealt
 * with. Functions that free or close something do not count, so that a program can clean up first.
 *
 * @param prefix text before the message, such as the name of the program; may be NULL for none
 * @since 0.1.0
 */
void asdf_error_print(const char *prefix);

/**
 * Gets an integer field of the last failure.
 *
 * Every failure has ASDF_REPORT_SEVERITY and ASDF_REPORT_KIND. If known, it also has ASDF_REPORT_OFFSET,
 * ASDF_REPORT_LINE, ASDF_REPORT_COLUMN and ASDF_REPORT_OS_NUMBER.
 *
 * @param field one of the integer fields ASDF_REPORT_...; ASDF_ERR_INVALID_ARGUMENT for any other number
 * @param value gets the value; -1 if the failure does not have the field, or if no call failed
 * @since 0.1.0
 */
asdf_status asdf_error_int(int32_t field, int64_t *value);

/**
 * Gets a text field of the last failure.
 *
 * Every failure has ASDF_REPORT_ENTRY, ASDF_REPORT_MESSAGE and ASDF_REPORT_CODE (the name of its status without
 * "ASDF_ERR_"). If known, it also has ASDF_REPORT_PATH, ASDF_REPORT_FILE and ASDF_REPORT_SUBJECT (the column of a
 * table). A field that the failure does not have is returned as an empty text, so that error handlers do not fail;
 * asdf_report_text() returns ASDF_ERR_NOT_FOUND instead.
 *
 * @param field    one of the text fields ASDF_REPORT_...; ASDF_ERR_INVALID_ARGUMENT for any other number
 * @param buffer   gets the text, cut to the size of the buffer
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_error_text(int32_t field, char *buffer, size_t capacity, size_t *needed);

/**
 * Makes a failure of the program the last one of this thread, so that one place of it reports all failures: the other
 * functions of this group then return its status and message, and no other details.
 *
 * @param status  one of ASDF_ERR_...; ASDF_ERR_INVALID_ARGUMENT for ASDF_OK and any other number
 * @param message sentence in UTF-8
 * @param length  its length in bytes
 * @return the status, so that a function of the program can end with this call
 * @since 0.1.0
 */
asdf_status asdf_error_set(asdf_status status, const char *message, size_t length);

/**
 * Clears the last failure of this thread.
 *
 * @since 0.1.0
 */
void asdf_error_clear(void);

/*
 * Handles -------------------------------------------------------------------------------------------------------------
 *
 * All handles are opaque and count their owners; see Handles and Threads above.
 */
/**
 * In place of the length of a text that is passed as pointer and length: the text ends at its first NUL. It is refused
 * for binary data.
 */
#define ASDF_NUL_TERMINATED SIZE_MAX


/**
 * An ASDF file: opened for reading or for update, or new.
 */
typedef struct asdf_file asdf_file;

/**
 * A place in the tree of a file. It keeps the file alive.
 */
typedef struct asdf_node asdf_node;

/**
 * An n-dimensional array, stored in a block, in the tree or in another file. It never changes, and keeps its bytes
 * alive.
 */
typedef struct asdf_array asdf_array;

/**
 * A file that is being written, with an array whose rows are pushed one after another. One thread at a time can use
 * it. It changes, so it has one owner.
 */
typedef struct asdf_stream asdf_stream;

/**
 * Elements of an array where they are stored, without a copy. It stays valid until it is freed, even after the file is
 * closed.
 */
typedef struct asdf_view asdf_view;

/**
 * Positions of the bytes of an array, chunk by chunk. It never changes and does not depend on other handles.
 */
typedef struct asdf_chunk_map asdf_chunk_map;

/**
 * Datatype of array elements: a scalar, a string of fixed length, or a record. It never changes.
 */
typedef struct asdf_datatype asdf_datatype;

/**
 * A table in memory: columns of equal length with their units, descriptions and metadata.
 */
typedef struct asdf_table asdf_table;

/**
 * The columns of a table as the program that wrote the table had them, such as times and coordinates of astropy. They
 * never change.
 */
typedef struct asdf_logical_columns asdf_logical_columns;

/**
 * A table that is being written in batches. One thread at a time can use it. It changes, so it has one owner.
 */
typedef struct asdf_table_writer asdf_table_writer;

/**
 * A table that is being read in batches. One thread at a time can use it. It changes, so it has one owner.
 */
typedef struct asdf_table_reader asdf_table_reader;

/**
 * Points in time: Julian dates with a scale, a format and a shape. They never change and do not depend on other
 * handles.
 */
typedef struct asdf_time asdf_time;

/**
 * World coordinates of an image or a spectrum: frames, and the transforms between them. They never change and do not
 * depend on other handles.
 */
typedef struct asdf_wcs asdf_wcs;

/**
 * A function of several numbers to several numbers, as trees describe it. It never changes and does not depend on other
 * handles.
 */
typedef struct asdf_transform asdf_transform;

/**
 * Coordinates: named components with units, and attributes. They keep their file open, and never change.
 */
typedef struct asdf_coordinates asdf_coordinates;

/**
 * Bytes that the library allocated because only it knew their number. They never change.
 */
typedef struct asdf_buffer asdf_buffer;

/**
 * A list of findings: warnings, diagnostics, notes, differences or losses. It never changes and does not depend on
 * other handles.
 */
typedef struct asdf_report asdf_report;

/**
 * A compression method for blocks that the program implements. It never changes.
 */
typedef struct asdf_codec asdf_codec;

/**
 * A description of the content of a file in the Ndarray Data Language (NDL). It never changes and does not depend on
 * other handles.
 */
typedef struct asdf_ndl asdf_ndl;

/**
 * A description that is being built. One thread at a time can use it. It changes, so it has one owner.
 */
typedef struct asdf_ndl_builder asdf_ndl_builder;

/**
 * Datatype of the elements of an array, attribute or coordinate in a description, with all nested types. It never
 * changes and does not depend on other handles.
 */
typedef struct asdf_ndl_datatype asdf_ndl_datatype;

/**
 * Schemas of the nodes of trees. Several threads can validate with them; adding needs exclusive access.
 */
typedef struct asdf_schemas asdf_schemas;

/**
 * Settings of calls beyond their arguments. NULL means the defaults. It changes, so it has one owner;
 * asdf_options_copy() makes another handle with the same content.
 */
typedef struct asdf_options asdf_options;

/*
 * Reports -------------------------------------------------------------------------------------------------------------
 *
 * A report is a list of findings: warnings of a file or a table, damage of a file, diagnostics and notes of a
 * description, differences between descriptions, or losses of a recovered file. All entries have the same fields, and
 * so does the last failure (asdf_error_int(), asdf_error_text()). A report never changes and does not depend on other
 * handles. To see later findings, get a new report: it begins with the entries of the earlier one, in the same order.
 *
 *     void print_report(const asdf_report *report) {
 *         int64_t count = 0;
 *         asdf_report_count(report, &count, NULL);
 *         for (int64_t i = 0; i < count; i++) {
 *             char text[512] = "(too long)";
 *             asdf_report_text(report, i, ASDF_REPORT_ENTRY, text, sizeof text, NULL);
 *             puts(text);   // image.asdf:12:7, byte 318, at /meta: ...
 *         }
 *     }
 */

#define ASDF_SEVERITY_NOTE 1    /**< Severity: information; nothing is wrong. */
#define ASDF_SEVERITY_WARNING 2 /**< Severity: the data can be used, but check the finding. */
#define ASDF_SEVERITY_ERROR 3   /**< Severity: something is wrong or lost. */

/**
 * Kind: an irregularity in a file or a table that can be read.
 */
#define ASDF_REPORT_KIND_WARNING 1

/**
 * Kind: an error or an irregularity in the text of a description.
 */
#define ASDF_REPORT_KIND_DIAGNOSTIC 2

/**
 * Kind: information that only the file or only its description has.
 */
#define ASDF_REPORT_KIND_NOTE 3

#define ASDF_REPORT_KIND_DIFFERENCE 4 /**< Kind: a difference between two descriptions. */

/**
 * Kind: data that a recovered file lacks or may have wrong.
 */
#define ASDF_REPORT_KIND_LOSS 5

/**
 * Kind: damage that asdf_file_inspect() found, or the failure of a call, which asdf_error_int() returns.
 */
#define ASDF_REPORT_KIND_ERROR 6

/**
 * Operation of a difference: only the newer description has it.
 */
#define ASDF_OPERATION_ADD 1

/**
 * Operation of a difference: only the older description has it.
 */
#define ASDF_OPERATION_REMOVE 2

/**
 * Operation of a difference: both have it, with different values.
 */
#define ASDF_OPERATION_CHANGE 3

#define ASDF_REPORT_SEVERITY 1  /**< Integer field: one of ASDF_SEVERITY_... */
#define ASDF_REPORT_KIND 2      /**< Integer field: one of ASDF_REPORT_KIND_... */
#define ASDF_REPORT_OPERATION 3 /**< Integer field of differences: one of ASDF_OPERATION_... */
#define ASDF_REPORT_LINE 4      /**< Integer field: line of the file or text, from 1. */
#define ASDF_REPORT_COLUMN 5    /**< Integer field: column of the line in characters, from 1. */
#define ASDF_REPORT_OFFSET 6    /**< Integer field: offset in bytes from the start of the file. */
#define ASDF_REPORT_BLOCK 7     /**< Integer field: number of the block. */
#define ASDF_REPORT_BYTES 8     /**< Integer field: number of lost bytes. */
#define ASDF_REPORT_ROWS 9      /**< Integer field: number of lost rows of an array. */

/**
 * Integer field of failures: error number of the operating system (errno).
 */
#define ASDF_REPORT_OS_NUMBER 10

/**
 * Text field: the whole entry as one line, with the position.
 */
#define ASDF_REPORT_ENTRY 101

#define ASDF_REPORT_MESSAGE 102 /**< Text field: one sentence, without the position. */

/**
 * Text field: stable code of the finding, such as "E-VALUE-RANGE".
 */
#define ASDF_REPORT_CODE 103

/**
 * Text field: path of the node, or NDL path name in a description.
 */
#define ASDF_REPORT_PATH 104

#define ASDF_REPORT_FILE 105    /**< Text field: name of the file. */
#define ASDF_REPORT_SUBJECT 106 /**< Text field: column of a table, or property that differs. */
#define ASDF_REPORT_OLD 107     /**< Text field: old or expected value, as JSON on one line. */
#define ASDF_REPORT_NEW 108     /**< Text field: new value, as JSON on one line. */

/**
 * Gets the number of entries of a report.
 *
 * @param report  the report
 * @param count   gets the number of entries
 * @param dropped gets the number of findings that are not in the report because there were too many; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_report_count(const asdf_report *report, int64_t *count, int64_t *dropped);

/**
 * Gets an integer field of an entry. Every entry has ASDF_REPORT_SEVERITY and ASDF_REPORT_KIND.
 *
 * @param report the report
 * @param index  number of the entry, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param field  one of the integer fields ASDF_REPORT_...; ASDF_ERR_INVALID_ARGUMENT for any other number
 * @param value  gets the value; -1 if the entry does not have the field
 * @since 0.1.0
 */
asdf_status asdf_report_int(const asdf_report *report, int64_t index, int32_t field, int64_t *value);

/**
 * Gets a text field of an entry.
 *
 * Every entry has ASDF_REPORT_ENTRY and ASDF_REPORT_MESSAGE. They are meant for people; their wording may change in any
 * release. Programs should test ASDF_REPORT_CODE. In a description, the path of an attribute is the path of its owner,
 * "@" and the attribute's name. An empty path means the root of a tree, or a description as a whole.
 *
 * @param report   the report
 * @param index    number of the entry, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param field    one of the text fields ASDF_REPORT_...; ASDF_ERR_INVALID_ARGUMENT for any other number;
 *                 ASDF_ERR_NOT_FOUND if the entry does not have the field
 * @param buffer   gets the text
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_report_text(const asdf_report *report,
                             int64_t index,
                             int32_t field,
                             char *buffer,
                             size_t capacity,
                             size_t *needed);

/**
 * Converts a report to JSON: an array of objects, on one line, in UTF-8.
 *
 * Each object has the fields of its entry. Their names are those of the constants, in lower case and without
 * ASDF_REPORT_ ("severity", "line", "os_number", ...). "severity" is "note", "warning" or "error"; "kind" is
 * "warning", "diagnostic", "note", "difference" or "loss"; "operation" is "add", "remove" or "change". "old" and "new"
 * are JSON values; other texts are strings.
 *
 * @param report the report
 * @param json   gets the JSON, without NUL at its end; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_report_json(const asdf_report *report, asdf_buffer **json);

/**
 * Adds an owner to a report.
 *
 * @param report  the report
 * @param another gets another handle of the same object, to be freed as well; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_report_retain(const asdf_report *report, asdf_report **another);

/**
 * Gives up one owner of a report. The last owner frees it.
 *
 * @param report the report, or NULL
 * @since 0.1.0
 */
void asdf_report_free(asdf_report *report);

/*
 * Lent memory ---------------------------------------------------------------------------------------------------------
 *
 * Two functions borrow memory for longer than the call: asdf_file_open_borrowed() and asdf_node_set_array_borrowed().
 * They call asdf_release_callback when they no longer need the memory.
 */

/**
 * Returns lent memory to the program. It is called once, inside the call that ends the last use of the memory, on the
 * thread of that call:
 *
 * - the _free function of the last file, node, array, table or view that uses the memory
 * - asdf_file_close(), if no view is left
 * - the call that writes or saves the file after its array was replaced or removed
 *
 * It must not throw, longjmp or use the file (see Callbacks above). It is never called in a forked child of the
 * process that lent the memory.
 *
 * @param user pointer given with the callback
 */
typedef void (*asdf_release_callback)(void *user);

/*
 * Buffers -------------------------------------------------------------------------------------------------------------
 *
 * A buffer holds bytes whose number only the library knows, such as a file written to memory. Its first byte is
 * aligned for the elements that it holds.
 *
 *     asdf_buffer *buffer = NULL;
 *     const void *bytes;
 *     size_t size;
 *     if (asdf_file_write_memory(file, NULL, &buffer) == ASDF_OK) {
 *         asdf_buffer_bytes(buffer, &bytes, &size);
 *         send(socket, bytes, size, 0);
 *         asdf_buffer_free(buffer);
 *     }
 */

/**
 * Gets the address and the size of the bytes of a buffer.
 *
 * @param buffer the buffer
 * @param bytes  gets the address of the first byte; valid until the last owner frees the buffer. It is never NULL, but
 *               must not be dereferenced if the size is 0
 * @param size   gets the number of bytes
 * @since 0.1.0
 */
asdf_status asdf_buffer_bytes(const asdf_buffer *buffer, const void **bytes, size_t *size);

/**
 * Adds an owner to a buffer.
 *
 * @param buffer  the buffer
 * @param another gets another handle of the same object, to be freed as well; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_buffer_retain(const asdf_buffer *buffer, asdf_buffer **another);

/**
 * Gives up one owner of a buffer. The last owner frees the bytes.
 *
 * @param buffer the buffer, or NULL
 * @since 0.1.0
 */
void asdf_buffer_free(asdf_buffer *buffer);

/* 2. Files ========================================================================================================= */

/*
 * Sources -------------------------------------------------------------------------------------------------------------
 *
 * A program can implement the source of a file, of a table or of an array: the library asks a callback for the bytes
 * that it needs, and calls another one when it no longer needs the source.
 */

/**
 * Reads bytes of a source that the program implements.
 *
 * It is called inside the call that needs the bytes, on the thread of that call, even if the call uses several
 * threads. If several threads use the file, it may be called on several threads at once. It must not throw, longjmp,
 * or use the file or the reader (see Callbacks above).
 *
 * @param user   pointer given with the callback
 * @param offset position of the first byte
 * @param buffer gets the bytes
 * @param size   number of bytes to read, at least 1, never beyond the end of the source
 * @param got    gets the number of bytes read, at least 1; if it is less than size, the callback is called again for
 *               the rest
 * @return ASDF_OK, or any other number for failure: the call that needed the bytes fails with ASDF_ERR_CALLBACK
 */
typedef asdf_status (*asdf_read_callback)(void *user, int64_t offset, void *buffer, size_t size, size_t *got);

/**
 * Reads several ranges of a source that the program implements, for which a request takes long.
 *
 * It is called as asdf_read_callback is. It fills all buffers, or fails.
 *
 * @param user    pointer given with the callback
 * @param count   number of ranges, at least 1
 * @param offsets position of the first byte of each range
 * @param sizes   number of bytes of each range, at least 1. Ranges do not reach beyond the end of the source
 * @param buffers memory for the bytes of each range
 * @return ASDF_OK, or a failure. One of ASDF_ERR_FILE_NOT_FOUND, ASDF_ERR_PERMISSION_DENIED, ASDF_ERR_ACCESS_DENIED,
 *         ASDF_ERR_FILE_CHANGED, ASDF_ERR_TRUNCATED, ASDF_ERR_IO, ASDF_ERR_OUT_OF_MEMORY, ASDF_ERR_CANCELLED and
 *         ASDF_ERR_UNSUPPORTED becomes the status of the call that needed the bytes, with the message that the callback
 *         gave to asdf_error_set(). Any other number makes the call fail with ASDF_ERR_CALLBACK
 */
typedef asdf_status (*asdf_read_ranges_callback)(void *user,
                                                 size_t count,
                                                 const int64_t *offsets,
                                                 const size_t *sizes,
                                                 void *const *buffers);

/**
 * Releases the data that other callbacks use. It is called once, inside the call that ends the last use, on the thread
 * of that call:
 *
 * - source: asdf_file_close(), or the _free function of the reader or of the last handle that depends on the file
 * - elements of an array: as for asdf_release_callback
 * - codec or resolver: the _free function of the last codec, options, file, node, array or reader that uses it, or the
 *   call that unsets or replaces it in the last options
 *
 * It must not throw, longjmp or use the file (see Callbacks above). It is never called in a forked child of the
 * process that passed the callback.
 *
 * @param user pointer given with the callback
 * @return ASDF_OK, or any other number for failure, which asdf_file_close() reports and other calls ignore
 */
typedef asdf_status (*asdf_close_callback)(void *user);

/*
 * Files ---------------------------------------------------------------------------------------------------------------
 *
 * Opening a file reads its tree only; blocks are read when a call needs them. A file opened for reading cannot be
 * changed. A new file is filled with the setters of nodes (see Setting values) and then written.
 *
 * A file that is compressed as a whole by gzip, bzip2, xz or Zstandard is decompressed when it is opened: into memory
 * of at most ASDF_OPTION_LIMIT_DECODED_BYTES, or else into a temporary file. Its offsets count decompressed bytes. It
 * cannot be opened for update.
 *
 * A FITS file with an ASDF HDU is opened like the ASDF file in it, for reading or for update. Its arrays can be the
 * data of other HDUs. Byte offsets count from the start of the FITS file, those in errors about blocks from the start
 * of the ASDF file.
 *
 *     asdf_file *file = NULL;
 *     if (asdf_file_open("image.asdf", NULL, &file) != ASDF_OK) return report();
 *     asdf_report *warnings = NULL;
 *     if (asdf_file_report(file, &warnings) == ASDF_OK) print_report(warnings);   // see Reports
 *     asdf_report_free(warnings);
 *     asdf_file_free(file);
 */

/**
 * Opens a file for reading.
 *
 * A URL that begins with http, https, s3, gs or az names a file on a server, which the library libasdfkit_remote reads.
 * It is loaded when the first URL is opened. ASDF_OPTION_REMOTE names its file.
 *
 * @param path    name of the file; any bytes where the system allows names that are not UTF-8
 * @param options options, or NULL for the defaults
 * @param file    gets the file; NULL on failure. ASDF_ERR_FILE_NOT_FOUND if it does not exist; ASDF_ERR_NOT_ASDF if it
 *                is not an ASDF file; ASDF_ERR_UNSUPPORTED for a URL without libasdfkit_remote
 * @since 0.1.0
 */
asdf_status asdf_file_open(const char *path, const asdf_options *options, asdf_file **file);

/**
 * Opens a file to change it: nodes can be set and removed, and arrays can be added. The file on disk does not change
 * before asdf_file_save(); only asdf_array_write_region() writes to it earlier.
 *
 * @param path    name of the file; ASDF_ERR_PERMISSION_DENIED if it is not writable; ASDF_ERR_LOCKED if another
 *                handle, in this process or another, has it open for update (see ASDF_OPTION_LOCK);
 *                ASDF_ERR_UNSUPPORTED if it is compressed as a whole
 * @param options options, or NULL for the defaults
 * @param file    gets the file; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_file_open_for_update(const char *path, const asdf_options *options, asdf_file **file);

/**
 * Opens a file in memory to change it, as asdf_file_open_for_update() does. The bytes are copied. The changed file is
 * written by asdf_file_write_memory(), asdf_file_write() or asdf_file_write_descriptor(); asdf_file_save() is
 * ASDF_ERR_INVALID_ARGUMENT, because the file has no name. So is asdf_array_write_region() on a stored array, which
 * asdf_node_set_array() replaces.
 *
 * @param bytes   the file
 * @param size    number of bytes
 * @param options options, or NULL for the defaults
 * @param file    gets the file; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_file_open_memory_for_update(const void *bytes,
                                             size_t size,
                                             const asdf_options *options,
                                             asdf_file **file);

/**
 * Opens the regular file behind a descriptor to change it. On Linux, if the file has a name, this is the same as
 * asdf_file_open_for_update() with this name. A file without a name, and any file on other systems, is written as one
 * of asdf_file_open_memory_for_update(). The descriptor is duplicated and stays open.
 *
 * @param descriptor file descriptor, open for reading
 * @param options    options, or NULL for the defaults
 * @param file       gets the file; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_file_open_descriptor_for_update(int32_t descriptor, const asdf_options *options, asdf_file **file);

/**
 * Opens a file in memory. The bytes are copied.
 *
 * @param bytes   the file
 * @param size    number of bytes
 * @param options options, or NULL for the defaults
 * @param file    gets the file; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_file_open_memory(const void *bytes, size_t size, const asdf_options *options, asdf_file **file);

/**
 * Opens a file in memory that the program lends; the bytes are not copied.
 *
 * @param bytes   bytes of the file. They must stay valid and unchanged until release is called
 * @param size    number of bytes
 * @param release called once with user, on the thread of the call that ends the last use of the bytes: the _free
 *                function of the file or of a handle that depends on it (including views), or asdf_file_close() if no
 *                view is left. NULL for none. It is not called if this call fails
 * @param user    pointer passed to release; may be NULL
 * @param options options, or NULL for the defaults
 * @param file    gets the file; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_file_open_borrowed(const void *bytes,
                                    size_t size,
                                    asdf_release_callback release,
                                    void *user,
                                    const asdf_options *options,
                                    asdf_file **file);

/**
 * Opens the regular file behind a descriptor, from its first byte on; the position of the descriptor does not matter.
 * The descriptor is duplicated and stays open.
 *
 * @param descriptor file descriptor, open for reading
 * @param options    options, or NULL for the defaults
 * @param file       gets the file; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_file_open_descriptor(int32_t descriptor, const asdf_options *options, asdf_file **file);

/**
 * Opens a file whose bytes a callback of the program reads.
 *
 * @param read    reads bytes of the source
 * @param close   closes the source; NULL for none. It is not called if this call fails
 * @param user    pointer passed to the callbacks; may be NULL
 * @param length  size of the source in bytes; ASDF_ERR_INVALID_ARGUMENT if negative
 * @param options options, or NULL for the defaults
 * @param file    gets the file; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_file_open_source(asdf_read_callback read,
                                  asdf_close_callback close,
                                  void *user,
                                  int64_t length,
                                  const asdf_options *options,
                                  asdf_file **file);

/**
 * Opens a file whose bytes a callback of the program reads in ranges: one call for all ranges that the library needs
 * next. Ranges with a gap that costs less than a request are joined.
 *
 * If a request costs more than 12 KiB, the first call asks for the first MiB and the last 64 KiB; this opens most
 * files. Reads that go on from there ask for twice as much each time, at most 4 MiB before it is needed.
 *
 * ```c
 * // bytes_of_server() has the type asdf_read_ranges_callback
 * asdf_file_open_ranges(bytes_of_server, NULL, &server, size, 1 << 20, "https://example.org/image.asdf", NULL, &file);
 * ```
 *
 * @param read         reads ranges of the source
 * @param close        closes the source; NULL for none. It is not called if this call fails
 * @param user         pointer passed to the callbacks; may be NULL
 * @param length       size of the source in bytes; ASDF_ERR_INVALID_ARGUMENT if negative
 * @param request_cost cost of a request in bytes: reading so many bytes takes as long. 0 for that of a local file,
 *                     12 KiB; about 1 MiB for a server. ASDF_ERR_INVALID_ARGUMENT if negative
 * @param uri          absolute URI of the source, which is the name of the file and the base of relative URIs in it;
 *                     ASDF_ERR_INVALID_ARGUMENT if it is relative. NULL for none
 * @param options      options, or NULL for the defaults
 * @param file         gets the file; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_file_open_ranges(asdf_read_ranges_callback read,
                                  asdf_close_callback close,
                                  void *user,
                                  int64_t length,
                                  int64_t request_cost,
                                  const char *uri,
                                  const asdf_options *options,
                                  asdf_file **file);

/**
 * Gets how much was asked for from the sources of the program so far: those of asdf_file_open_source() and
 * asdf_file_open_ranges(), and of the files that this file refers to and a resolver opened. Other files have none.
 *
 * @param file     the file
 * @param requests gets the number of calls of asdf_read_ranges_callback, and of reads by asdf_read_callback; may be
 *                 NULL
 * @param bytes    gets the number of bytes asked for, including bytes that were read ahead; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_file_transfers(const asdf_file *file, int64_t *requests, int64_t *bytes);

/**
 * Creates a new file. Its tree contains only the name of this library.
 *
 * @param options options, or NULL for the defaults
 * @param file    gets the file; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_file_new(const asdf_options *options, asdf_file **file);

/**
 * Gets the root of the tree.
 *
 * @param file the file
 * @param root gets the root; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_file_root(const asdf_file *file, asdf_node **root);

/**
 * Closes a file immediately, even if nodes and arrays of it exist, together with the other files that were opened
 * because it refers to them. Calls with these nodes and arrays then fail with ASDF_ERR_CLOSED; views stay valid.
 * Closing a file twice is allowed. The handle must still be freed.
 *
 * @param file the file
 * @since 0.1.0
 */
asdf_status asdf_file_close(asdf_file *file);

/**
 * Adds an owner to a file.
 *
 * @param file    the file
 * @param another gets another handle of the same object, to be freed as well; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_file_retain(const asdf_file *file, asdf_file **another);

/**
 * Gives up one owner of a file. Nodes, arrays and other handles of the file keep it open.
 *
 * @param file the file, or NULL
 * @since 0.1.0
 */
void asdf_file_free(asdf_file *file);

/**
 * Gets the name under which the file was opened; empty if it was not opened by name.
 *
 * @param file     the file
 * @param buffer   gets the name; bytes that are not UTF-8 are replaced by U+FFFD
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_file_name(const asdf_file *file, char *buffer, size_t capacity, size_t *needed);

/**
 * Gets the version of the file format in the first line of the file: "1.0.0".
 *
 * @param file     the file
 * @param buffer   gets the version
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_file_format_version(const asdf_file *file, char *buffer, size_t capacity, size_t *needed);

/**
 * Gets the version of the ASDF standard that the library uses to read or write the file.
 *
 * @param file     the file
 * @param buffer   gets the version, such as "1.6.0"
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_file_standard(const asdf_file *file, char *buffer, size_t capacity, size_t *needed);

/**
 * Gets the version of the ASDF standard that the file declares; empty if it declares none. The library may not know
 * this version.
 *
 * @param file     the file
 * @param buffer   gets the version
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_file_declared_standard(const asdf_file *file, char *buffer, size_t capacity, size_t *needed);

/**
 * Gets the number of comment lines before the tree. For a file that was read this includes the line that declares the
 * standard; for a new file it is the number of added comments.
 *
 * @param file  the file
 * @param count gets the number
 * @since 0.1.0
 */
asdf_status asdf_file_comment_count(const asdf_file *file, int64_t *count);

/**
 * Gets a comment line before the tree, without its "#" and surrounding blanks.
 *
 * @param file     the file
 * @param index    its number, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param buffer   gets the comment
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_file_comment(const asdf_file *file, int64_t index, char *buffer, size_t capacity, size_t *needed);

/**
 * Adds a comment line to a new file.
 *
 * @param file   the file
 * @param text   comment in UTF-8; ASDF_ERR_INVALID_ARGUMENT if it has line breaks or begins with ASDF_STANDARD
 * @param length its length in bytes
 * @since 0.1.0
 */
asdf_status asdf_file_add_comment(asdf_file *file, const char *text, size_t length);

/**
 * Gets the warnings of a file so far: irregularities that do not prevent reading. Reading blocks can add warnings;
 * asdf_file_check_blocks() checks all block headers.
 *
 * @param file   the file
 * @param report gets the warnings, possibly none; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_file_report(const asdf_file *file, asdf_report **report);

/* 3. Nodes and values ============================================================================================== */

/*
 * Nodes ---------------------------------------------------------------------------------------------------------------
 *
 * A node is a place in a tree. Scalars have the types of YAML 1.1, as in Python asdf. A path without a node is
 * ASDF_ERR_NOT_FOUND. After an edit has removed a node, calls with its handle fail with ASDF_ERR_STALE.
 *
 *     int64_t count = 0;
 *     asdf_node_count(node, "", &count);
 *     for (int64_t i = 0; i < count; i++) {
 *         char key[64];
 *         asdf_node *child = NULL;
 *         asdf_node_key_string(node, "", i, key, sizeof key, NULL);   // of a mapping
 *         asdf_node_item(node, "", i, &child);
 *         visit(key, child);
 *         asdf_node_free(child);
 *     }
 */

#define ASDF_NODE_NULL 0      /**< Nothing. */
#define ASDF_NODE_BOOL 1      /**< True or false. */
#define ASDF_NODE_INTEGER 2   /**< An integer of any size. */
#define ASDF_NODE_FLOAT 3     /**< A binary64 number. */
#define ASDF_NODE_STRING 4    /**< Text. */
#define ASDF_NODE_TIMESTAMP 5 /**< A date, or a date with time; stored as text. */
#define ASDF_NODE_BINARY 6    /**< Bytes. */
#define ASDF_NODE_SEQUENCE 7  /**< A list. */
#define ASDF_NODE_MAPPING 8   /**< Pairs of key and value. */
#define ASDF_KIND_NULL 0      /**< Null. */
#define ASDF_KIND_BOOL 1      /**< True or false: asdf_node_get_bool(). */

/**
 * An integer of any size, also a core/integer: asdf_node_get_i64() and similar functions.
 */
#define ASDF_KIND_INTEGER 2

#define ASDF_KIND_FLOAT 3   /**< A binary64 number: asdf_node_get_f64(). */
#define ASDF_KIND_COMPLEX 4 /**< A complex number (core/complex): asdf_node_get_complex(). */
#define ASDF_KIND_STRING 5  /**< Text, also with an unknown tag: asdf_node_get_string(). */

/**
 * A date, or a date with time, of YAML: asdf_node_get_string().
 */
#define ASDF_KIND_TIMESTAMP 6

#define ASDF_KIND_BINARY 7 /**< Bytes (!!binary): asdf_node_get_binary(). */

/**
 * An array (core/ndarray), of numbers, strings or records: asdf_node_get_array().
 */
#define ASDF_KIND_ARRAY 8

/**
 * A sequence of numbers, or of such sequences of equal length, without a tag:
 * asdf_node_get_array().
 */
#define ASDF_KIND_NUMBER_LIST 9

#define ASDF_KIND_SEQUENCE 10 /**< Any other sequence: asdf_node_item(). */
#define ASDF_KIND_MAPPING 11  /**< Any other mapping: asdf_node_item(). */

/**
 * A table (core/table, table/table, astropy's table): asdf_node_get_table().
 */
#define ASDF_KIND_TABLE 12

/**
 * A column of a table (core/column, table/column): its array is under "data".
 */
#define ASDF_KIND_COLUMN 13

/**
 * A number or an array with a unit (unit/quantity): asdf_node_get_f64() or asdf_node_get_array(), and
 * asdf_node_get_unit().
 */
#define ASDF_KIND_QUANTITY 14

/**
 * Points in time (time/time): a string, or a mapping with "value".
 */
#define ASDF_KIND_TIME 15

#define ASDF_KIND_TIME_DELTA 16 /**< Spans of time (astropy's time/timedelta). */
#define ASDF_KIND_UNIT 17       /**< A unit: asdf_node_get_unit(). */

/**
 * A JSON reference that cannot be followed: asdf_node_reference(). Its target does not exist, it is part of a cycle,
 * or it points into a file that cannot be opened or that the options do not allow.
 */
#define ASDF_KIND_REFERENCE 18

/**
 * Coordinates of astropy: positions on the sky, a frame, a place on Earth, angles, spectral coordinates:
 * asdf_node_get_coordinates().
 */
#define ASDF_KIND_COORDINATES 19

#define ASDF_KEY_STRING 0  /**< The key is text. */
#define ASDF_KEY_INTEGER 1 /**< The key is an integer within 64 bits. */
#define ASDF_KEY_BOOL 2    /**< The key is true or false. */
#define ASDF_KEY_OTHER 3   /**< The file has a key of another type, which ASDF does not allow. */

/**
 * Gets the node at a path.
 *
 * @param node  node that the path starts from
 * @param path  the path
 * @param found gets the node; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_node_get(const asdf_node *node, const char *path, asdf_node **found);

/**
 * Adds an owner to a node.
 *
 * @param node    the node
 * @param another gets another handle of the same object, to be freed as well; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_node_retain(const asdf_node *node, asdf_node **another);

/**
 * Gives up one owner of a node. The last owner frees it.
 *
 * @param node the node, or NULL
 * @since 0.1.0
 */
void asdf_node_free(asdf_node *node);

/**
 * Gets the file of a node. If the path to the node passed a reference into another file, this is the other file.
 * Closing it closes the first file and all files that the first one refers to.
 *
 * @param node the node
 * @param file gets the file, to be freed as well; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_node_file(const asdf_node *node, asdf_file **file);

/**
 * Tests whether a node exists at a path.
 *
 * @param node   node that the path starts from
 * @param path   the path
 * @param exists gets 1 or 0; also 0 if the path passes through a scalar
 * @since 0.1.0
 */
asdf_status asdf_node_exists(const asdf_node *node, const char *path, int32_t *exists);

/**
 * Gets the YAML type of a node: the type of a scalar, sequence or mapping. A scalar with a tag that is not one of
 * YAML's own is a string. See asdf_node_kind() for the meaning of a node.
 *
 * @param node node that the path starts from
 * @param path the path
 * @param type gets one of ASDF_NODE_...
 * @since 0.1.0
 */
asdf_status asdf_node_type(const asdf_node *node, const char *path, int32_t *type);

/**
 * Gets the meaning of a node, which determines the function that reads it. A tag of the standard or of astropy, of any
 * version, determines the kind; the content can still be malformed. Other tags are ignored: a mapping with such a tag
 * is a mapping. References are followed if possible.
 *
 * The call takes constant time, except for a sequence whose tag does not determine the kind: it checks each element at
 * most once, up to the first that is not a number.
 *
 * @param node node that the path starts from
 * @param path the path
 * @param kind gets one of ASDF_KIND_...; later versions can add more kinds
 * @since 0.1.0
 */
asdf_status asdf_node_kind(const asdf_node *node, const char *path, int32_t *kind);

/**
 * Gets the full tag of a node: "tag:stsci.edu:asdf/core/ndarray-1.1.0"; empty if it has none. The non-specific tag of
 * YAML, as in `! 12`, counts as no tag: that node is an integer.
 *
 * @param node     node that the path starts from
 * @param path     the path
 * @param buffer   gets the tag
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_node_tag(const asdf_node *node, const char *path, char *buffer, size_t capacity, size_t *needed);

/**
 * Gets the path of a node from the root of its own file; empty for the root. If the node itself is a reference, its
 * own path is returned, not that of its target.
 *
 * @param node     node that the path starts from
 * @param path     the path; "" for the node itself
 * @param buffer   gets the path
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_node_path(const asdf_node *node, const char *path, char *buffer, size_t capacity, size_t *needed);

/**
 * Gets the position of a node in its own file. All three outputs get -1 if the node was not read from a file. If the
 * node itself is a reference, its own position is returned, not that of its target.
 *
 * @param node   node that the path starts from
 * @param path   the path; "" for the node itself
 * @param offset gets the offset in bytes from the start of the file; may be NULL
 * @param line   gets the line of the file from 1; may be NULL
 * @param column gets the column in characters from 1; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_node_position(const asdf_node *node,
                               const char *path,
                               int64_t *offset,
                               int64_t *line,
                               int64_t *column);

/**
 * Gets the note of a mapping: the text under its key "//"; see asdf_node_set_note().
 *
 * @param node     node that the path starts from
 * @param path     the path; ASDF_ERR_NOT_FOUND if the mapping has no note, or if the node is no mapping
 * @param buffer   gets the note
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_node_note(const asdf_node *node, const char *path, char *buffer, size_t capacity, size_t *needed);

/**
 * Gets a number that identifies the content of a node. Two nodes of a file, or of files that it refers to, have the
 * same number exactly if one is an alias of or a reference to the other, or if both refer to the same third node.
 *
 * @param node     node that the path starts from
 * @param path     the path
 * @param identity gets the number
 * @since 0.1.0
 */
asdf_status asdf_node_identity(const asdf_node *node, const char *path, int64_t *identity);

/**
 * Gets the URI of a JSON reference; empty if the node is not a reference.
 *
 * @param node     node that the path starts from
 * @param path     the path
 * @param buffer   gets the URI
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_node_reference(const asdf_node *node, const char *path, char *buffer, size_t capacity, size_t *needed);

/**
 * Gets the number of items of a sequence or pairs of a mapping.
 *
 * @param node  node that the path starts from
 * @param path  path of the sequence or mapping; ASDF_ERR_WRONG_TYPE if it is something else
 * @param count gets the number
 * @since 0.1.0
 */
asdf_status asdf_node_count(const asdf_node *node, const char *path, int64_t *count);

/**
 * Gets an item of a sequence, or the value of a pair of a mapping.
 *
 * @param node  node that the path starts from
 * @param path  path of the sequence or mapping
 * @param index position from 0 in the order of the file; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param item  gets the node; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_node_item(const asdf_node *node, const char *path, int64_t index, asdf_node **item);

/**
 * Gets the type of the key of a pair.
 *
 * @param node  node that the path starts from
 * @param path  path of the mapping; ASDF_ERR_WRONG_TYPE if it is something else
 * @param index position of the pair, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param type  gets one of ASDF_KEY_...
 * @since 0.1.0
 */
asdf_status asdf_node_key_type(const asdf_node *node, const char *path, int64_t index, int32_t *type);

/**
 * Reads the key of a pair as text, whatever its type: "flux", "17", "true".
 *
 * A key can contain NUL bytes; `needed` gets its whole length. A path ends at its first NUL, so it cannot contain such
 * a key. Use asdf_node_item() with the position of the pair, or asdf_node_get_by_string(), to get its value.
 *
 * @param node     node that the path starts from
 * @param path     path of the mapping; ASDF_ERR_WRONG_TYPE if it is something else
 * @param index    position of the pair, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param buffer   gets the key
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_node_key_string(const asdf_node *node,
                                 const char *path,
                                 int64_t index,
                                 char *buffer,
                                 size_t capacity,
                                 size_t *needed);

/**
 * Reads a key that is an integer.
 *
 * @param node  node that the path starts from
 * @param path  path of the mapping
 * @param index position of the pair, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param value gets the key; ASDF_ERR_WRONG_TYPE if it is not an integer
 * @since 0.1.0
 */
asdf_status asdf_node_key_i64(const asdf_node *node, const char *path, int64_t index, int64_t *value);

/**
 * Reads a key that is true or false.
 *
 * @param node  node that the path starts from
 * @param path  path of the mapping
 * @param index position of the pair, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param value gets 1 or 0; ASDF_ERR_WRONG_TYPE if the key is not a bool
 * @since 0.1.0
 */
asdf_status asdf_node_key_bool(const asdf_node *node, const char *path, int64_t index, int32_t *value);

/**
 * Gets the value under a string key. The key has no escapes and may contain NUL bytes. It never matches an integer key
 * of the same spelling.
 *
 * @param node   node that the path starts from
 * @param path   path of the mapping; ASDF_ERR_WRONG_TYPE if it is something else
 * @param key    the key, UTF-8
 * @param length its length in bytes
 * @param found  gets the node; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_node_get_by_string(const asdf_node *node,
                                    const char *path,
                                    const char *key,
                                    size_t length,
                                    asdf_node **found);

/**
 * Gets the value under an integer key.
 *
 * @param node  node that the path starts from
 * @param path  path of the mapping; ASDF_ERR_WRONG_TYPE if it is something else
 * @param key   the key
 * @param found gets the node; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_node_get_by_i64(const asdf_node *node, const char *path, int64_t key, asdf_node **found);

/**
 * Gets the value under the key true or false.
 *
 * @param node  node that the path starts from
 * @param path  path of the mapping; ASDF_ERR_WRONG_TYPE if it is something else
 * @param key   0 for false, anything else for true
 * @param found gets the node; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_node_get_by_bool(const asdf_node *node, const char *path, int32_t key, asdf_node **found);

/**
 * Gets the array at a path: a core/ndarray, a sequence of numbers without a tag, or one of these as the value of a
 * quantity. The call reads only the header of the array's block. If the open options verify checksums, it also reads
 * and verifies that block.
 *
 * @param node  node that the path starts from
 * @param path  path of the array; ASDF_ERR_WRONG_TYPE if it is something else
 * @param array gets the array; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_node_get_array(const asdf_node *node, const char *path, asdf_array **array);

/**
 * Returns the name of a kind, such as "number list".
 *
 * @param kind any number
 * @return static string; "unknown kind" for a number that is no constant ASDF_KIND_...
 * @since 0.1.0
 */
const char *asdf_kind_name(int32_t kind);

/**
 * Returns the name of a type of YAML, such as "sequence".
 *
 * @param type any number
 * @return static string; "unknown type" for a number that is no constant ASDF_NODE_...
 * @since 0.1.0
 */
const char *asdf_node_type_name(int32_t type);

/*
 * Finding nodes -------------------------------------------------------------------------------------------------------
 *
 * asdf_node_find() looks for a node by its key, its tag, its kind, or by a function of the program.
 *
 *     int32_t print(void *user, const asdf_node *node) {
 *         char path[256];
 *         if (asdf_node_path(node, "", path, sizeof path, NULL) == ASDF_OK) puts(path);
 *         return 0;   // go on
 *     }
 *
 *     asdf_node_find(root, "", "exposure", NULL, -1, NULL, NULL, &found);     // the first value under this key
 *     asdf_node_find(root, "", NULL, NULL, ASDF_KIND_ARRAY, print, NULL, &found);   // prints all arrays
 */

/**
 * Decides about a node that asdf_node_find() has found. It must not throw or longjmp. It can read and change the file
 * of the node; nodes that it removes are not found.
 *
 * @param user pointer given with the callback
 * @param node the node, valid until the callback returns: asdf_node_retain() keeps it
 * @return 0 to go on; any other number ends the search with this node
 */
typedef int32_t (*asdf_find_callback)(void *user, const asdf_node *node);

/**
 * Finds the first node, in the order of the file, that has a key, a tag and a kind, and that a callback accepts. The
 * node at the path and all nodes below it are tried. Aliases and references are not followed.
 *
 * @param node   node that the path starts from
 * @param path   the path
 * @param key    key under which the node stands, as text; NULL for any
 * @param tag    tag: full or short, "!core/ndarray-1.1.0", or without a version, which can then be any; NULL for any
 * @param kind   one of ASDF_KIND_..., or -1 for any; ASDF_ERR_INVALID_ARGUMENT for any other number
 * @param accept called with each such node; NULL to accept the first
 * @param user   pointer passed to the callback; may be NULL
 * @param found  gets the node; NULL on failure, which is ASDF_ERR_NOT_FOUND if there is none
 * @since 0.1.0
 */
asdf_status asdf_node_find(const asdf_node *node,
                           const char *path,
                           const char *key,
                           const char *tag,
                           int32_t kind,
                           asdf_find_callback accept,
                           void *user,
                           asdf_node **found);

/*
 * Values --------------------------------------------------------------------------------------------------------------
 *
 * Each function reads the value at a path. It fails with ASDF_ERR_WRONG_TYPE if the value has another type, and with
 * ASDF_ERR_VALUE_RANGE if the result cannot hold the exact value. The getters of numbers also read the value of a
 * quantity.
 *
 *     double seconds;
 *     char telescope[64];
 *     asdf_node_get_f64(root, "meta/exposure/time", &seconds);
 *     asdf_node_get_string(root, "meta/telescope", telescope, sizeof telescope, NULL);
 */

/**
 * Reads true or false.
 *
 * @param node  node that the path starts from
 * @param path  the path
 * @param value gets 1 or 0
 * @since 0.1.0
 */
asdf_status asdf_node_get_bool(const asdf_node *node, const char *path, int32_t *value);

/**
 * Reads an integer, also a core/integer, that fits 32 signed bits.
 *
 * @param node  node that the path starts from
 * @param path  the path
 * @param value gets the integer
 * @since 0.1.0
 */
asdf_status asdf_node_get_i32(const asdf_node *node, const char *path, int32_t *value);

/**
 * Reads an integer, also a core/integer, that fits 64 signed bits.
 *
 * @param node  node that the path starts from
 * @param path  the path
 * @param value gets the integer
 * @since 0.1.0
 */
asdf_status asdf_node_get_i64(const asdf_node *node, const char *path, int64_t *value);

/**
 * Reads an integer, also a core/integer, that fits 64 unsigned bits.
 *
 * @param node  node that the path starts from
 * @param path  the path
 * @param value gets the integer
 * @since 0.1.0
 */
asdf_status asdf_node_get_u64(const asdf_node *node, const char *path, uint64_t *value);

/**
 * Reads an integer of any size, also a core/integer, as decimal digits, with a leading "-" if it is negative.
 *
 * @param node     node that the path starts from
 * @param path     the path
 * @param buffer   gets the digits
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_node_get_integer(const asdf_node *node,
                                  const char *path,
                                  char *buffer,
                                  size_t capacity,
                                  size_t *needed);

/**
 * Reads a number as a double: a float, an integer or core/integer that a double represents exactly, a core/complex
 * whose imaginary part is zero, or a quantity with such a value. Fails with ASDF_ERR_VALUE_RANGE for other numbers.
 *
 * @param node  node that the path starts from
 * @param path  the path
 * @param value gets the number
 * @since 0.1.0
 */
asdf_status asdf_node_get_f64(const asdf_node *node, const char *path, double *value);

/**
 * Reads a complex number (core/complex), or a real number like asdf_node_get_f64() with the imaginary part 0.
 *
 * @param node      node that the path starts from
 * @param path      the path
 * @param real      gets the real part
 * @param imaginary gets the imaginary part
 * @since 0.1.0
 */
asdf_status asdf_node_get_complex(const asdf_node *node, const char *path, double *real, double *imaginary);

/**
 * Reads a string, a date or a time. It may contain NULs; `needed` gets its whole length.
 *
 * @param node     node that the path starts from
 * @param path     the path
 * @param buffer   gets the string
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_node_get_string(const asdf_node *node,
                                 const char *path,
                                 char *buffer,
                                 size_t capacity,
                                 size_t *needed);

/**
 * Reads a string, a date or a time of any length into a buffer that the library allocates. NUL bytes in the string are
 * kept; no final NUL is added.
 *
 * @param node   node that the path starts from
 * @param path   the path
 * @param buffer gets the bytes of the string, UTF-8; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_node_get_string_buffer(const asdf_node *node, const char *path, asdf_buffer **buffer);

/**
 * Reads a unit, or the unit of a quantity, a column or any other mapping with the key "unit". The text is that of the
 * file, for units of the standard (unit/unit) in VOUnit syntax: "km.s**-1". Magnitudes (astropy's units/magunit) are
 * spelled as astropy prints them: "mag(AB)". A dimensionless unit is an empty text.
 *
 * Fails with ASDF_ERR_NOT_FOUND if there is no unit, and with ASDF_ERR_UNSUPPORTED if the tag of the unit is unknown.
 *
 * @param node     node that the path starts from
 * @param path     the path
 * @param buffer   gets the unit
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_node_get_unit(const asdf_node *node, const char *path, char *buffer, size_t capacity, size_t *needed);

/**
 * Reads the number of a quantity, or of another mapping with the keys "value" and "unit", in another unit, as a double.
 * The number must be one that asdf_node_get_f64() reads.
 *
 * Fails with ASDF_ERR_UNITS if the number has no unit, or if the units are not commensurable. ASDF_OPTION_EQUIVALENCIES
 * allows more conversions.
 *
 * @param node     node that the path starts from
 * @param path     the path
 * @param unit     text of the unit to read the number in
 * @param spelling its spelling: an ASDF_SPELLING_ constant
 * @param options  options; may be NULL
 * @param value    gets the number in this unit
 * @since 0.1.0
 */
asdf_status asdf_node_get_quantity(const asdf_node *node,
                                   const char *path,
                                   const char *unit,
                                   int32_t spelling,
                                   const asdf_options *options,
                                   double *value);

/**
 * Reads the text of a scalar of any type, as it is written in the file.
 *
 * @param node     node that the path starts from
 * @param path     the path
 * @param buffer   gets the text
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_node_get_text(const asdf_node *node, const char *path, char *buffer, size_t capacity, size_t *needed);

/**
 * Reads binary data in the tree (!!binary). No NUL is added.
 *
 * @param node     node that the path starts from
 * @param path     the path
 * @param buffer   gets the bytes
 * @param capacity size of the buffer in bytes; 0 to get only the number
 * @param needed   gets the number of bytes; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_node_get_binary(const asdf_node *node,
                                 const char *path,
                                 void *buffer,
                                 size_t capacity,
                                 size_t *needed);

/* 4. Arrays ======================================================================================================== */

/*
 * Datatypes -----------------------------------------------------------------------------------------------------------
 *
 * Each scalar type has a code of type int32_t. A datatype handle can represent any type, also strings of fixed length
 * and records.
 *
 * Calls that read, set or write elements take a code. The code 0 stands for the datatype in their options
 * (asdf_options_set_datatype()), which can be of any type. Without one it stands for the datatype of the array itself.
 *
 *     asdf_datatype *record = NULL;
 *     int64_t fields = 0;
 *     asdf_array_datatype_handle(table, &record);
 *     asdf_datatype_field_count(record, &fields);
 *     for (int64_t i = 0; i < fields; i++) {
 *         char name[64];
 *         asdf_datatype_field_name(record, i, name, sizeof name, NULL);
 *     }
 *     asdf_datatype_free(record);
 *
 *     asdf_datatype_string(ASDF_ASCII, 16, &text);
 *     asdf_datatype_scalar(ASDF_FLOAT64, &number);
 *     const char *names[] = {"name", "position"};
 *     const asdf_datatype *datatypes[] = {text, number};
 *     const int32_t ranks[] = {0, 1};
 *     const int64_t extents[] = {3};
 *     asdf_datatype_record(2, names, datatypes, ranks, extents, &record);
 *
 *     asdf_options_set_datatype(options, record);
 *     asdf_array_read(table, 0, options, records, size, NULL, 0);
 */

#define ASDF_BYTE_ORDER_LITTLE 0 /**< The least significant byte comes first. */
#define ASDF_BYTE_ORDER_BIG 1    /**< The most significant byte comes first. */
#define ASDF_INT8 1              /**< Signed 8-bit integer. */
#define ASDF_INT16 2             /**< Signed 16-bit integer. */
#define ASDF_INT32 3             /**< Signed 32-bit integer. */
#define ASDF_INT64 4             /**< Signed 64-bit integer. */
#define ASDF_UINT8 11            /**< Unsigned 8-bit integer. */
#define ASDF_UINT16 12           /**< Unsigned 16-bit integer. */
#define ASDF_UINT32 13           /**< Unsigned 32-bit integer. */
#define ASDF_UINT64 14           /**< Unsigned 64-bit integer. */
#define ASDF_FLOAT16 21          /**< IEEE 754 binary16. */
#define ASDF_FLOAT32 22          /**< IEEE 754 binary32: float. */
#define ASDF_FLOAT64 23          /**< IEEE 754 binary64: double. */
#define ASDF_COMPLEX64 31        /**< Two float32: real and imaginary part. */
#define ASDF_COMPLEX128 32       /**< Two float64: real and imaginary part. */
#define ASDF_BOOL8 41            /**< A byte: 0 is false, anything else true. */
#define ASDF_ASCII 51            /**< Text of a fixed number of bytes, ASCII in files; not a scalar. */
#define ASDF_UCS4 52             /**< Text of a fixed number of UTF-32 code units; not a scalar. */
#define ASDF_RECORD 61           /**< A record of fields; not a scalar. */

/**
 * Creates a datatype handle for a code.
 *
 * @param code     code of a scalar type; ASDF_ERR_INVALID_ARGUMENT for any other number
 * @param datatype gets the datatype; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_datatype_scalar(int32_t code, asdf_datatype **datatype);

/**
 * Gets the size of one element of a scalar type.
 *
 * @param code code of a scalar type; ASDF_ERR_INVALID_ARGUMENT for any other number
 * @param size gets the number of bytes
 * @since 0.1.0
 */
asdf_status asdf_datatype_code_size(int32_t code, size_t *size);

/**
 * Creates a datatype of strings of fixed length, padded with NULs.
 *
 * @param code     ASDF_ASCII or ASDF_UCS4; ASDF_ERR_INVALID_ARGUMENT for any other number
 * @param length   number of bytes (ASDF_ASCII) or code units (ASDF_UCS4); ASDF_ERR_INVALID_ARGUMENT if negative
 * @param datatype gets the datatype; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_datatype_string(int32_t code, int64_t length, asdf_datatype **datatype);

/**
 * Creates a datatype of records. Fields follow one another without the padding of a C struct. Fails with
 * ASDF_ERR_BAD_DATATYPE if there are no fields, two fields have the same name, or records are nested too deeply.
 *
 * @param count     number of fields; ASDF_ERR_INVALID_ARGUMENT if negative
 * @param names     name of each field, NULL for a field without a name
 * @param datatypes datatype of each field
 * @param ranks     number of axes of each field; NULL if all fields are single elements
 * @param extents   extents along all axes of the first field, then of the second field, and so on; may be NULL if
 *                  there are none
 * @param record    gets the datatype; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_datatype_record(int64_t count,
                                 const char *const *names,
                                 const asdf_datatype *const *datatypes,
                                 const int32_t *ranks,
                                 const int64_t *extents,
                                 asdf_datatype **record);

/**
 * Gets the code of a datatype.
 *
 * @param datatype the datatype
 * @param code     gets the code of a scalar type, or ASDF_ASCII, ASDF_UCS4 or ASDF_RECORD
 * @since 0.1.0
 */
asdf_status asdf_datatype_code(const asdf_datatype *datatype, int32_t *code);

/**
 * Gets the size of one element.
 *
 * @param datatype the datatype
 * @param size     gets the number of bytes
 * @since 0.1.0
 */
asdf_status asdf_datatype_item_size(const asdf_datatype *datatype, size_t *size);

/**
 * Gets the length of a string type.
 *
 * @param datatype the datatype; ASDF_ERR_WRONG_TYPE if it is not a string type
 * @param length   gets the number of bytes (ASDF_ASCII) or code units (ASDF_UCS4)
 * @since 0.1.0
 */
asdf_status asdf_datatype_string_length(const asdf_datatype *datatype, int64_t *length);

/**
 * Gets a readable form of a datatype: "float32", "[ascii, 8]", "[x: int16, y: float64]".
 *
 * @param datatype the datatype
 * @param buffer   gets the text
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_datatype_name(const asdf_datatype *datatype, char *buffer, size_t capacity, size_t *needed);

/**
 * Tests whether two datatypes are equal, including the names and byte orders of their fields.
 *
 * @param first  a datatype
 * @param second a datatype
 * @param equal  gets 1 or 0
 * @since 0.1.0
 */
asdf_status asdf_datatype_equal(const asdf_datatype *first, const asdf_datatype *second, int32_t *equal);

/**
 * Gets the number of fields of a record.
 *
 * @param datatype the datatype; ASDF_ERR_WRONG_TYPE if it is not a record
 * @param count    gets the number
 * @since 0.1.0
 */
asdf_status asdf_datatype_field_count(const asdf_datatype *datatype, int64_t *count);

/**
 * Gets the name of a field; empty if it has none.
 *
 * @param datatype the datatype; ASDF_ERR_WRONG_TYPE if it is not a record
 * @param index    number of the field, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param buffer   gets the name
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_datatype_field_name(const asdf_datatype *datatype,
                                     int64_t index,
                                     char *buffer,
                                     size_t capacity,
                                     size_t *needed);

/**
 * Gets the datatype of a field.
 *
 * @param datatype the datatype; ASDF_ERR_WRONG_TYPE if it is not a record
 * @param index    number of the field, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param found    gets the datatype; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_datatype_field_datatype(const asdf_datatype *datatype, int64_t index, asdf_datatype **found);

/**
 * Gets the offset of a field in its record.
 *
 * @param datatype the datatype; ASDF_ERR_WRONG_TYPE if it is not a record
 * @param index    number of the field, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param offset   gets the offset in bytes
 * @since 0.1.0
 */
asdf_status asdf_datatype_field_offset(const asdf_datatype *datatype, int64_t index, size_t *offset);

/**
 * Gets the extents of a field, slowest axis first.
 *
 * @param datatype the datatype; ASDF_ERR_WRONG_TYPE if it is not a record
 * @param index    number of the field, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param shape    gets the extents; a buffer of ASDF_MAX_RANK numbers is always large enough
 * @param capacity size of the buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the rank; 0 to get only the
 *                 rank
 * @param rank     gets the number of axes, 0 for a single element; also if the capacity is too small. May be NULL
 * @since 0.1.0
 */
asdf_status asdf_datatype_field_shape(const asdf_datatype *datatype,
                                      int64_t index,
                                      int64_t *shape,
                                      int32_t capacity,
                                      int32_t *rank);

/**
 * Gets the stored byte order of the elements of a field, for views of them as they are stored.
 *
 * @param datatype  the datatype; ASDF_ERR_WRONG_TYPE if it is not a record
 * @param index     number of the field, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param byteorder gets ASDF_BYTE_ORDER_LITTLE or ASDF_BYTE_ORDER_BIG; -1 if the field has none of its own: then it has
 *                  that of the record that contains it, and in the end that of the array
 * @since 0.1.0
 */
asdf_status asdf_datatype_field_byte_order(const asdf_datatype *datatype, int64_t index, int32_t *byteorder);

/**
 * Sets the datatype that the code 0 of a call stands for.
 *
 * - In calls that read or write elements, it is that of the elements in memory. Strings are padded with NULs, or with
 *   blanks (ASDF_OPTION_BLANK_PADDED). Records are packed, each number in native byte order.
 * - A new array gets this datatype. The byte orders of fields in it are those in the file.
 *
 * @param options  the options
 * @param datatype the datatype; it is copied
 * @since 0.1.0
 */
asdf_status asdf_options_set_datatype(asdf_options *options, const asdf_datatype *datatype);

/**
 * Adds an owner to a datatype.
 *
 * @param datatype the datatype
 * @param another  gets another handle of the same object, to be freed as well; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_datatype_retain(const asdf_datatype *datatype, asdf_datatype **another);

/**
 * Gives up one owner of a datatype. The last owner frees it.
 *
 * @param datatype the datatype, or NULL
 * @since 0.1.0
 */
void asdf_datatype_free(asdf_datatype *datatype);

/*
 * Storage and order ---------------------------------------------------------------------------------------------------
 *
 * These are the constants for ASDF_OPTION_STORAGE, ASDF_OPTION_ORDER, ASDF_OPTION_STORED_ORDER and
 * ASDF_OPTION_SHUFFLE.
 */

#define ASDF_STORAGE_INTERNAL 0 /**< The elements have a block of their own. */
#define ASDF_STORAGE_INLINE 1   /**< The elements are text in the tree. */

/**
 * The elements are the only block of another file (the exploded form). That file is beside the main file. It is
 * written when the main file is written under a name, and never replaces an existing file.
 */
#define ASDF_STORAGE_EXTERNAL 2

/**
 * The elements are the last block, which extends to the end of the file, so that rows can be appended. It is not
 * compressed and has no checksum. Only one array of a file can be streamed.
 */
#define ASDF_STORAGE_STREAMED 3

#define ASDF_ORDER_C 0       /**< The last index runs fastest, as in C. */
#define ASDF_ORDER_FORTRAN 1 /**< The first index runs fastest, as in Fortran. */
#define ASDF_SHUFFLE_NONE 0  /**< The elements are compressed without a filter. */

/**
 * The first bytes of all elements come first, then all second bytes, and so on.
 */
#define ASDF_SHUFFLE_BYTE 1

/**
 * The first bits of all elements come first, then all second bits, and so on.
 */
#define ASDF_SHUFFLE_BIT 2

/*
 * Arrays --------------------------------------------------------------------------------------------------------------
 *
 * Elements are read into memory of the caller, in native byte order, converted to the requested datatype. They are in
 * C order, unless ASDF_OPTION_ORDER or ASDF_OPTION_STRIDES is set. The rules of conversion are:
 *
 * - A value that does not fit is ASDF_ERR_OVERFLOW; with ASDF_OPTION_CLAMP the nearest value is used instead.
 * - Integers are rounded to the nearest float.
 * - Only whole numbers are converted to integers.
 * - All numbers can be converted to complex128; complex numbers are converted to real ones only if their imaginary
 *   part is 0.
 * - Strings are read as UTF-8 or UTF-32 of a fixed length, padded with NULs, or one by one. A string that is too long
 *   is ASDF_ERR_OVERFLOW, and cut with ASDF_OPTION_CLAMP. A string that is not valid text is ASDF_ERR_ENCODING, unless
 *   the stored datatype is requested.
 * - Numbers with a unit are read in another unit with ASDF_OPTION_UNIT.
 * - Records are read as a record of the same fields, packed, each number in native byte order; or one field at a time
 *   as an array.
 *
 * Any other conversion is an error.
 *
 *     asdf_array *image = NULL;
 *     int64_t shape[ASDF_MAX_RANK];
 *     int32_t rank;
 *     size_t size;
 *     asdf_node_get_array(root, "data", &image);
 *     asdf_array_shape(image, shape, ASDF_MAX_RANK, &rank);
 *     asdf_array_byte_size(image, ASDF_FLOAT64, &size);
 *     double *pixels = malloc(size);
 *     asdf_array_read(image, ASDF_FLOAT64, NULL, pixels, size, NULL, 0);
 *     asdf_array_free(image);
 */

#define ASDF_MAX_RANK 32 /**< Largest number of axes of an array. */

/**
 * Gets the extents of an array, slowest axis first.
 *
 * @param array    the array
 * @param shape    gets the extents; a buffer of ASDF_MAX_RANK numbers is always large enough
 * @param capacity size of the buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the rank; 0 to get only the
 *                 rank
 * @param rank     gets the number of axes, 0 for a single element; also if the capacity is too small. May be NULL
 * @since 0.1.0
 */
asdf_status asdf_array_shape(const asdf_array *array, int64_t *shape, int32_t capacity, int32_t *rank);

/**
 * Gets the stored strides: the bytes from one element to the next along each axis. They may be negative or 0. Only
 * programs that read the bytes of the file by other means need them. The strides of a chunked array are those within a
 * decoded chunk.
 *
 * @param array    the array
 * @param strides  gets the strides; a buffer of ASDF_MAX_RANK numbers is always large enough
 * @param capacity size of the buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the rank; 0 to get only the
 *                 rank
 * @param rank     gets the number of axes; also if the capacity is too small. May be NULL
 * @since 0.1.0
 */
asdf_status asdf_array_strides(const asdf_array *array, int64_t *strides, int32_t capacity, int32_t *rank);

/**
 * Gets the shape of the chunks of a chunked array.
 *
 * @param array    the array; ASDF_ERR_NOT_FOUND if it is not chunked
 * @param shape    gets the shape; a buffer of ASDF_MAX_RANK numbers is always large enough
 * @param capacity size of the buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the rank; 0 to get only the
 *                 rank
 * @param rank     gets the number of axes; also if the capacity is too small. May be NULL
 * @since 0.1.0
 */
asdf_status asdf_array_chunk_shape(const asdf_array *array, int64_t *shape, int32_t capacity, int32_t *rank);

/**
 * Gets the code of the stored datatype of an array.
 *
 * @param array    the array
 * @param datatype gets the code: a scalar type, ASDF_ASCII, ASDF_UCS4 or ASDF_RECORD; asdf_array_datatype_handle()
 *                 returns the details
 * @since 0.1.0
 */
asdf_status asdf_array_datatype(const asdf_array *array, int32_t *datatype);

/**
 * Gets the stored datatype of an array as a handle.
 *
 * @param array    the array
 * @param datatype gets the datatype; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_array_datatype_handle(const asdf_array *array, asdf_datatype **datatype);

/**
 * Gets a readable form of the stored datatype of an array: "float32", "[ascii, 8]", "[x: int16, y: float64]".
 *
 * @param array    the array
 * @param buffer   gets the text
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_array_datatype_name(const asdf_array *array, char *buffer, size_t capacity, size_t *needed);

/**
 * Gets the stored byte order of an array. Reading always returns native byte order.
 *
 * @param array     the array
 * @param byteorder gets ASDF_BYTE_ORDER_LITTLE or ASDF_BYTE_ORDER_BIG
 * @since 0.1.0
 */
asdf_status asdf_array_byte_order(const asdf_array *array, int32_t *byteorder);

/**
 * Gets the unit of the elements of an array: of the quantity, the column or another mapping with the key "unit" whose
 * value the array is. The text is that of asdf_node_get_unit().
 *
 * Fails with ASDF_ERR_NOT_FOUND if there is no unit, and with ASDF_ERR_UNSUPPORTED if the tag of the unit is unknown.
 *
 * @param array    the array
 * @param buffer   gets the unit
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_array_unit(const asdf_array *array, char *buffer, size_t capacity, size_t *needed);

/**
 * Gets the number of elements of an array.
 *
 * @param array the array
 * @param count gets the number
 * @since 0.1.0
 */
asdf_status asdf_array_element_count(const asdf_array *array, int64_t *count);

/**
 * Gets the memory size of all elements of an array after reading. For another datatype handle, multiply the number of
 * elements by asdf_datatype_item_size().
 *
 * @param array    the array
 * @param datatype code of the scalar type to read them as, or 0 for the stored datatype; ASDF_ERR_INVALID_ARGUMENT for
 *                 any other number
 * @param size     gets the number of bytes
 * @since 0.1.0
 */
asdf_status asdf_array_byte_size(const asdf_array *array, int32_t datatype, size_t *size);

/**
 * Gets the memory size of the elements of a region after reading; see asdf_array_byte_size().
 *
 * @param array    the array
 * @param rank     number of axes; ASDF_ERR_INVALID_ARGUMENT if it is not that of the array
 * @param count    number of elements along each axis; ASDF_ERR_OUT_OF_RANGE if negative or larger than the extent. May
 *                 be NULL for rank 0
 * @param datatype code of the scalar type to read them as, or 0 for the stored datatype; ASDF_ERR_INVALID_ARGUMENT for
 *                 any other number
 * @param size     gets the number of bytes
 * @since 0.1.0
 */
asdf_status asdf_array_region_size(const asdf_array *array,
                                   int32_t rank,
                                   const int64_t *count,
                                   int32_t datatype,
                                   size_t *size);

/**
 * Tests whether the elements of an array are in the tree rather than in a block.
 *
 * @param array     the array
 * @param is_inline gets 1 or 0
 * @since 0.1.0
 */
asdf_status asdf_array_is_inline(const asdf_array *array, int32_t *is_inline);

/**
 * Gets the block of an array, as written in the tree: negative numbers count from the end.
 *
 * @param array the array; ASDF_ERR_NOT_FOUND if its elements are not in a block of its file
 * @param block gets the index of the block
 * @since 0.1.0
 */
asdf_status asdf_array_block(const asdf_array *array, int64_t *block);

/**
 * Reads all elements of an array, also strings and records.
 *
 * @param array    the array
 * @param datatype code of the scalar type to read them as; 0 for the datatype in the options, and without one for the
 *                 stored datatype; ASDF_ERR_INVALID_ARGUMENT for any other number
 * @param options  options, or NULL for the defaults
 * @param elements gets the elements; unspecified after a failure. May be NULL if there are no elements
 * @param capacity size of the buffer in bytes; ASDF_ERR_BUFFER_TOO_SMALL if less than asdf_array_byte_size() returns
 * @param mask     gets one byte for each element, in the order of the elements: 1 if it is missing, 0 if not. NULL for
 *                 no mask. With a mask, ASDF_OPTION_STRIDES must be multiples of the element size; the mask has the
 *                 same strides counted in elements. ASDF_ERR_INVALID_ARGUMENT if the mask overlaps the elements
 * @param mask_capacity size of the mask in bytes; ASDF_ERR_BUFFER_TOO_SMALL if too small
 * @since 0.1.0
 */
asdf_status asdf_array_read(const asdf_array *array,
                            int32_t datatype,
                            const asdf_options *options,
                            void *elements,
                            size_t capacity,
                            uint8_t *mask,
                            size_t mask_capacity);

/**
 * Reads a region of an array: along each axis `count` elements from `start` on, `step` apart. The cost depends on the
 * size of the region, not of the array. Compressed elements are decoded in the chunks of the region (lz4), or from the
 * start up to the last needed byte (other codecs). Decoded bytes are kept for the next region (see
 * ASDF_OPTION_CACHE_BYTES). Unlike asdf_array_read(), this function does not detect damage after these bytes.
 *
 * @param array    the array
 * @param rank     number of axes; ASDF_ERR_INVALID_ARGUMENT if it is not that of the array
 * @param start    first index along each axis; ASDF_ERR_OUT_OF_RANGE if the region reaches outside the array
 * @param count    number of elements along each axis: the shape of the result
 * @param step     distance between indices along each axis: not 0, negative to go backwards from start; NULL for 1
 *                 along each axis
 * @param datatype code of the scalar type to read them as, or 0 as in asdf_array_read(); ASDF_ERR_INVALID_ARGUMENT for
 *                 any other number
 * @param options  options, or NULL for the defaults
 * @param elements gets the elements, in C order unless the options say otherwise; unspecified after a failure. May be
 *                 NULL if there are no elements
 * @param capacity size of the buffer in bytes; ASDF_ERR_BUFFER_TOO_SMALL if too small
 * @param mask     gets one byte for each element, in the order of the elements: 1 if it is missing, 0 if not. NULL for
 *                 no mask. With a mask, ASDF_OPTION_STRIDES must be multiples of the element size; the mask has the
 *                 same strides counted in elements. ASDF_ERR_INVALID_ARGUMENT if the mask overlaps the elements
 * @param mask_capacity size of the mask in bytes; ASDF_ERR_BUFFER_TOO_SMALL if too small
 * @since 0.1.0
 */
asdf_status asdf_array_read_region(const asdf_array *array,
                                   int32_t rank,
                                   const int64_t *start,
                                   const int64_t *count,
                                   const int64_t *step,
                                   int32_t datatype,
                                   const asdf_options *options,
                                   void *elements,
                                   size_t capacity,
                                   uint8_t *mask,
                                   size_t mask_capacity);

/**
 * Asks the operating system to load the bytes of a region in the background, because the program will read them soon.
 * This is a hint: it has no effect if the system or the source of the file does not support it. For compressed
 * elements it loads the chunks of the region (lz4) or all stored bytes (other codecs).
 *
 * @param array the array
 * @param rank  number of axes; ASDF_ERR_INVALID_ARGUMENT if it is not that of the array
 * @param start first index along each axis; ASDF_ERR_OUT_OF_RANGE if the region reaches outside the array
 * @param count number of elements along each axis
 * @param step  distance between indices along each axis: not 0, negative to go backwards from start; NULL for 1 along
 *              each axis
 * @since 0.1.0
 */
asdf_status asdf_array_prefetch(const asdf_array *array,
                                int32_t rank,
                                const int64_t *start,
                                const int64_t *count,
                                const int64_t *step);

/**
 * Reads one string of an array of strings, as UTF-8 without trailing NULs.
 *
 * @param array    the array; ASDF_ERR_CONVERSION if its elements are not strings
 * @param rank     number of axes; ASDF_ERR_INVALID_ARGUMENT if it is not that of the array
 * @param index    index along each axis; ASDF_ERR_OUT_OF_RANGE if outside the array. May be NULL for rank 0
 * @param options  options, or NULL for the defaults
 * @param buffer   gets the string; ASDF_ERR_ENCODING if it is not valid text
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; the string may contain NULs; may be NULL
 * @param missing  gets 1 if the string is missing, 0 if not. If it is NULL, the array must have no mask, or the
 *                 options must set a fill value
 * @since 0.1.0
 */
asdf_status asdf_array_read_string(const asdf_array *array,
                                   int32_t rank,
                                   const int64_t *index,
                                   const asdf_options *options,
                                   char *buffer,
                                   size_t capacity,
                                   size_t *needed,
                                   int32_t *missing);

/**
 * Gets one field of an array of records as an array. Its axes are those of the records, followed by those of the
 * field. Nothing is read. For fields of nested records call it again.
 *
 * @param array the array; ASDF_ERR_WRONG_TYPE if its elements are not records
 * @param name  name of the field; ASDF_ERR_NOT_FOUND if there is none. A field without a name is called "f" and its
 *              number, from 0: "f0"
 * @param field gets the array; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_array_field(const asdf_array *array, const char *name, asdf_array **field);

/**
 * Adds an owner to an array.
 *
 * @param array   the array
 * @param another gets another handle of the same object, to be freed as well; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_array_retain(const asdf_array *array, asdf_array **another);

/**
 * Gives up one owner of an array. The last owner frees it.
 *
 * @param array the array, or NULL
 * @since 0.1.0
 */
void asdf_array_free(asdf_array *array);

/*
 * Arrays in memory of the library -------------------------------------------------------------------------------------
 *
 * These functions read like asdf_array_read(), but into an asdf_buffer that the library allocates. Its memory is
 * aligned for every scalar type. Compressed elements, or elements that strides repeat, take more memory than bytes in
 * the file. They may take at most ASDF_OPTION_LIMIT_DECODED_BYTES of the file's options; more is ASDF_ERR_LIMIT.
 *
 *     asdf_buffer *elements = NULL;
 *     const void *bytes;
 *     size_t size;
 *     if (asdf_array_load(image, ASDF_FLOAT64, NULL, &elements, NULL) == ASDF_OK) {
 *         asdf_buffer_bytes(elements, &bytes, &size);
 *         const double *pixels = bytes;
 *         asdf_buffer_free(elements);
 *     }
 */

/**
 * Reads all elements of an array into memory of the library, also strings of fixed length and records.
 *
 * @param array    the array
 * @param datatype code of the scalar type to read them as, or 0 as in asdf_array_read(); ASDF_ERR_INVALID_ARGUMENT for
 *                 any other number
 * @param options  options, or NULL for the defaults
 * @param elements gets the elements; NULL on failure
 * @param mask     gets one byte for each element, in the order of the elements: 1 if it is missing, 0 if not. NULL for
 *                 no mask; then ASDF_ERR_MASKED if the array has a mask and no fill value is set
 * @since 0.1.0
 */
asdf_status asdf_array_load(const asdf_array *array,
                            int32_t datatype,
                            const asdf_options *options,
                            asdf_buffer **elements,
                            asdf_buffer **mask);

/**
 * Reads all strings of an array of strings into memory of the library: as UTF-8, one after the other, without trailing
 * NULs. String i occupies the bytes from offset i to offset i + 1, as in an Arrow large string array. During the call,
 * memory also holds the strings at their fixed length.
 *
 * @param array   the array; ASDF_ERR_CONVERSION if its elements are not strings
 * @param options options, or NULL for the defaults
 * @param bytes   gets the texts; NULL on failure. ASDF_ERR_ENCODING if a string is not valid text
 * @param offsets gets the offsets: one int64_t more than strings, from 0 to the size of the bytes; NULL on failure
 * @param mask    gets one byte for each string: 1 if it is missing, 0 if not. NULL for no mask; then ASDF_ERR_MASKED
 *                if the array has a mask and no fill value is set. A missing string is empty, or the fill value
 * @since 0.1.0
 */
asdf_status asdf_array_load_text(const asdf_array *array,
                                 const asdf_options *options,
                                 asdf_buffer **bytes,
                                 asdf_buffer **offsets,
                                 asdf_buffer **mask);

/*
 * Masks ---------------------------------------------------------------------------------------------------------------
 *
 * The mask of an array marks missing elements. It has one of these forms:
 *
 * - Number: elements that are equal to it are missing (NaN matches NaN).
 * - Array: elements are missing where the mask array is not zero. A smaller mask array is repeated.
 * - Null: a null among inline elements is a missing element.
 *
 * Reading an array with a mask fails with ASDF_ERR_MASKED, unless the caller passes memory for the mask or a fill
 * value for missing elements (asdf_options_set_fill()). To ignore the mask, use asdf_array_without_mask(); only an
 * array without a mask can be viewed.
 *
 * A missing element never causes a conversion error. In the output, it gets the fill value, or without one the stored
 * value, clamped if necessary. With ASDF_OPTION_STRIDES, the strides of an array with a mask must be multiples of the
 * element size. To write a mask, set a number or an array under the key `mask` of the array's node ("image/mask").
 *
 *     asdf_options *options = NULL;
 *     const double nan = NAN;
 *     asdf_options_new(&options);
 *     asdf_options_set_fill(options, ASDF_FLOAT64, &nan, sizeof nan);
 *     asdf_array_read(image, ASDF_FLOAT32, options, pixels, size, NULL, 0);
 */

/**
 * Tests whether an array has a mask, or null among inline elements.
 *
 * @param array    the array
 * @param has_mask gets 1 or 0; also 1 if the mask marks no element
 * @since 0.1.0
 */
asdf_status asdf_array_has_mask(const asdf_array *array, int32_t *has_mask);

/**
 * Gets the same array without its mask, to read or view its stored elements. Null among inline elements is read as
 * zero, or as an empty text.
 *
 * @param array the array
 * @param plain gets the array without the mask; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_array_without_mask(const asdf_array *array, asdf_array **plain);

/**
 * Reads the mask of an array. An array without a mask has no missing elements.
 *
 * @param array    the array; ASDF_ERR_BAD_ARRAY if its mask does not fit it
 * @param options  options, or NULL for the defaults. Order and strides apply to the mask; a fill value has no effect
 * @param mask     gets one byte for each element: 1 if it is missing, 0 if not; unspecified after a failure. May be
 *                 NULL if there are no elements
 * @param capacity size of the buffer in bytes; ASDF_ERR_BUFFER_TOO_SMALL if less than the number of elements
 * @since 0.1.0
 */
asdf_status asdf_array_read_mask(const asdf_array *array, const asdf_options *options, uint8_t *mask, size_t capacity);

/**
 * Reads the mask of a region of an array; see asdf_array_read_mask().
 *
 * @param array    the array; ASDF_ERR_BAD_ARRAY if its mask does not fit it
 * @param rank     number of axes; ASDF_ERR_INVALID_ARGUMENT if it is not that of the array
 * @param start    first index along each axis; ASDF_ERR_OUT_OF_RANGE if the region reaches outside the array
 * @param count    number of elements along each axis: the shape of the result
 * @param step     distance of the indices along each axis, as in asdf_array_read_region(); NULL for 1
 * @param options  options, or NULL for the defaults. Order and strides apply to the mask
 * @param mask     gets one byte for each element: 1 if it is missing, 0 if not; unspecified after a failure. May be
 *                 NULL if there are no elements
 * @param capacity size of the buffer in bytes; ASDF_ERR_BUFFER_TOO_SMALL if less than the number of elements
 * @since 0.1.0
 */
asdf_status asdf_array_read_mask_region(const asdf_array *array,
                                        int32_t rank,
                                        const int64_t *start,
                                        const int64_t *count,
                                        const int64_t *step,
                                        const asdf_options *options,
                                        uint8_t *mask,
                                        size_t capacity);

/**
 * Sets the fill value, which replaces missing elements.
 *
 * @param options  the options
 * @param datatype code of the scalar type of the value; 0 for the datatype that the options have now, such as a string
 *                 or a record; ASDF_ERR_INVALID_ARGUMENT for any other number, or if they have none
 * @param value    one element, packed, each number in native byte order; it is copied. Reading converts it to the
 *                 requested datatype like an element of the array, but never clamps it
 * @param size     size of the value in bytes; ASDF_ERR_INVALID_ARGUMENT if it is not that of the datatype
 * @since 0.1.0
 */
asdf_status asdf_options_set_fill(asdf_options *options, int32_t datatype, const void *value, size_t size);

/*
 * Views ---------------------------------------------------------------------------------------------------------------
 *
 * A view gives access to the stored elements without copying them. It is not possible (ASDF_ERR_NOT_VIEWABLE) if
 * elements would have to be converted, byte-swapped, decoded or aligned; asdf_array_view_stored() gives access to
 * swapped and unaligned elements, too. A view stays valid until it is freed.
 *
 * The bytes may be a memory map of the file. If another program truncates the file, accessing them can end the program
 * with SIGBUS. If other programs may change the file, read the array into your own memory instead.
 *
 *     asdf_view *view = NULL;
 *     if (asdf_array_view(image, ASDF_FLOAT32, NULL, &view) == ASDF_OK) {
 *         const void *bytes;
 *         size_t size;
 *         asdf_view_bytes(view, &bytes, &size);
 *         show(bytes, size / sizeof(float));
 *         asdf_view_free(view);
 *     }
 */

/**
 * Creates a view of all elements of an array. Nothing is read.
 *
 * @param array    the array
 * @param datatype code of the scalar type of the elements, or 0 as in asdf_array_read(). The datatype must equal that
 *                 of the array, except for byte orders of fields
 * @param options  options, or NULL for the defaults. ASDF_OPTION_UNIT must be equal to the unit of the elements
 * @param view     gets the view; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_array_view(const asdf_array *array, int32_t datatype, const asdf_options *options, asdf_view **view);

/**
 * Creates a view of all elements as they are stored: in the byte order of the array (asdf_array_byte_order(), or that
 * of each field), and at addresses that need not be aligned for their type. Nothing is read. Other languages can use
 * such elements; C copies each to a variable by memcpy(), and swaps its bytes if necessary.
 *
 * @param array   the array
 * @param options options of every call (threads, progress, limits), or NULL for the defaults
 * @param view    gets the view; NULL on failure. ASDF_ERR_NOT_VIEWABLE if the elements are compressed or in the tree
 * @since 0.1.0
 */
asdf_status asdf_array_view_stored(const asdf_array *array, const asdf_options *options, asdf_view **view);

/**
 * Gets the bytes of a view, from the first to the last that an element occupies. If the strides are those of C order,
 * the elements follow one another without gaps.
 *
 * @param view  the view
 * @param bytes gets the address of the first byte, which must not be dereferenced if there are no elements
 * @param size  gets the number of bytes
 * @since 0.1.0
 */
asdf_status asdf_view_bytes(const asdf_view *view, const void **bytes, size_t *size);

/**
 * Gets the address of the element whose indices are all 0. The strides lead from there to the other elements. Unless a
 * stride is negative, it is the first byte of the view.
 *
 * @param view    the view
 * @param element gets the address of the element, which must not be dereferenced if there are no elements
 * @since 0.1.0
 */
asdf_status asdf_view_first_element(const asdf_view *view, const void **element);

/**
 * Gets the extents of a view, slowest axis first.
 *
 * @param view     the view
 * @param shape    gets the extents; a buffer of ASDF_MAX_RANK numbers is always large enough
 * @param capacity size of the buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the rank; 0 to get only the
 *                 rank
 * @param rank     gets the number of axes; also if the capacity is too small. May be NULL
 * @since 0.1.0
 */
asdf_status asdf_view_shape(const asdf_view *view, int64_t *shape, int32_t capacity, int32_t *rank);

/**
 * Gets the strides of a view: the bytes from one element to the next along each axis. They may be negative or 0.
 *
 * @param view     the view
 * @param strides  gets the strides; a buffer of ASDF_MAX_RANK numbers is always large enough
 * @param capacity size of the buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the rank; 0 to get only the
 *                 rank
 * @param rank     gets the number of axes; also if the capacity is too small. May be NULL
 * @since 0.1.0
 */
asdf_status asdf_view_strides(const asdf_view *view, int64_t *strides, int32_t capacity, int32_t *rank);

/**
 * Gets the code of the datatype of a view.
 *
 * @param view     the view
 * @param datatype gets the code. In a view of ASDF_BOOL8, 0 is false and every other byte is true
 * @since 0.1.0
 */
asdf_status asdf_view_datatype(const asdf_view *view, int32_t *datatype);

/**
 * Adds an owner to a view.
 *
 * @param view    the view
 * @param another gets another handle of the same object, to be freed as well; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_view_retain(const asdf_view *view, asdf_view **another);

/**
 * Gives up one owner of a view. Its addresses are invalid once the last owner has freed it.
 *
 * @param view the view, or NULL
 * @since 0.1.0
 */
void asdf_view_free(asdf_view *view);

/* 5. Writing and changing ========================================================================================== */

/*
 * Setting values ------------------------------------------------------------------------------------------------------
 *
 * These functions change files that are new or opened for update; a file opened for reading is ASDF_ERR_READ_ONLY.
 * They replace an existing value at the path. Paths follow JSON Pointer and JSON Patch:
 *
 * - In a sequence, a number is the index of an existing item, and "-" appends an item. In a mapping, both are ordinary
 *   keys.
 * - Missing collections are created: a sequence if the next part of the path is "-", otherwise a mapping. So "new/-"
 *   creates a sequence with one item. A number is never the first key of a new mapping: "new/0" is ASDF_ERR_NOT_FOUND
 *   unless "new" exists.
 * - Two mistakes are ASDF_ERR_INVALID_ARGUMENT: an index in brackets after the key of a sequence or an array
 *   (for "list/0"), and a new key below an array.
 *
 * A failed setter changes nothing. The file can then not be written until a setter with the same node and path
 * succeeds, or until asdf_file_forget_failure(). So a program cannot write an incomplete file by mistake. After a
 * failed append ("-"), insertion, renaming or move only asdf_file_forget_failure() helps. Failures of
 * asdf_node_set_storage() and asdf_node_recompress_array() do not prevent writing, because the file is still complete.
 *
 *     asdf_file *file = NULL;
 *     asdf_node *root = NULL;
 *     const int64_t shape[] = {512, 512};
 *     asdf_file_new(NULL, &file);
 *     asdf_file_root(file, &root);
 *     asdf_node_set_string(root, "meta/telescope", "Roman", 5);
 *     asdf_node_set_string(root, "meta/filters/-", "F146", 4);
 *     asdf_node_set_array(root, "data", ASDF_FLOAT32, 2, shape, pixels, sizeof pixels, NULL);
 *     if (asdf_file_write(file, "image.asdf", NULL) != ASDF_OK) return report();
 */

/**
 * Makes an empty mapping that belongs to no file: metadata of a table, and other values that are copied to where they
 * are needed. Setters change it like a node of a new file.
 *
 * @param mapping gets the node; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_node_new_mapping(asdf_node **mapping);

/**
 * Sets null.
 *
 * @param node node that the path starts from
 * @param path the path
 * @since 0.1.0
 */
asdf_status asdf_node_set_null(asdf_node *node, const char *path);

/**
 * Sets true or false.
 *
 * @param node  node that the path starts from
 * @param path  the path
 * @param value 0 for false, anything else for true
 * @since 0.1.0
 */
asdf_status asdf_node_set_bool(asdf_node *node, const char *path, int32_t value);

/**
 * Sets an integer.
 *
 * @param node  node that the path starts from
 * @param path  the path
 * @param value the integer
 * @since 0.1.0
 */
asdf_status asdf_node_set_i64(asdf_node *node, const char *path, int64_t value);

/**
 * Sets an integer.
 *
 * @param node  node that the path starts from
 * @param path  the path
 * @param value the integer; ASDF_ERR_VALUE_RANGE beyond INT64_MAX, because the standard does not allow larger integer
 *              literals: use asdf_node_set_integer() for them
 * @since 0.1.0
 */
asdf_status asdf_node_set_u64(asdf_node *node, const char *path, uint64_t value);

/**
 * Sets an integer of any size. It is written as a literal if it fits 64 signed bits, otherwise with the tag
 * core/integer, which the standard has since version 1.3.0.
 *
 * @param node   node that the path starts from
 * @param path   the path
 * @param digits decimal digits with an optional sign; ASDF_ERR_INVALID_ARGUMENT for any other text
 * @param length its length in bytes
 * @since 0.1.0
 */
asdf_status asdf_node_set_integer(asdf_node *node, const char *path, const char *digits, size_t length);

/**
 * Sets a floating-point number, also an infinity or NaN. Reading it returns the same bits.
 *
 * @param node  node that the path starts from
 * @param path  the path
 * @param value the number
 * @since 0.1.0
 */
asdf_status asdf_node_set_f64(asdf_node *node, const char *path, double value);

/**
 * Sets a floating-point number of single precision, with the shortest text that gives it: 0.1f is written 0.1. Its
 * value in double precision, which asdf_node_set_f64() would write, is 0.10000000149011612.
 *
 * @param node  node that the path starts from
 * @param path  the path
 * @param value the number
 * @since 0.1.0
 */
asdf_status asdf_node_set_f32(asdf_node *node, const char *path, float value);

/**
 * Sets a complex number (core/complex).
 *
 * @param node      node that the path starts from
 * @param path      the path
 * @param real      the real part
 * @param imaginary the imaginary part
 * @since 0.1.0
 */
asdf_status asdf_node_set_complex(asdf_node *node, const char *path, double real, double imaginary);

/**
 * Sets a string. It is quoted if a reader could take it for another type.
 *
 * @param node   node that the path starts from
 * @param path   the path
 * @param value  the string, UTF-8; may be NULL if it is empty
 * @param length its length in bytes
 * @since 0.1.0
 */
asdf_status asdf_node_set_string(asdf_node *node, const char *path, const char *value, size_t length);

/**
 * Sets a date, or a date with time, as a YAML timestamp: "2027-01-31", "2027-01-31T04:05:06.7Z". To store it as plain
 * text instead, use asdf_node_set_string().
 *
 * @param node   node that the path starts from
 * @param path   the path
 * @param value  the timestamp; ASDF_ERR_INVALID_ARGUMENT for any other text
 * @param length its length in bytes
 * @since 0.1.0
 */
asdf_status asdf_node_set_timestamp(asdf_node *node, const char *path, const char *value, size_t length);

/**
 * Makes a quantity (unit/quantity) of the mapping at a path, or of a new mapping, with the tags of the file's version
 * of the standard. Its number or array is set like any other node, before or after, under "value":
 * asdf_node_set_f64(node, "step/value", 0.5).
 *
 * A unit in VOUnit spelling is stored as it is (unit/unit). One in another spelling is stored as asdf-astropy does: in
 * VOUnit spelling, or under a tag of astropy if VOUnit does not have it. A text that is no unit is stored as it is,
 * under that tag.
 *
 * Fails with ASDF_ERR_WRONG_TYPE if another node is at the path, so that no value is lost, and with
 * ASDF_ERR_UNSUPPORTED in files of standard 1.0.0, which has no quantities.
 *
 * @param node   node that the path starts from
 * @param path   the path
 * @param unit   the unit, such as "km.s**-1" or "mag(AB)", empty if it is dimensionless; NULL to keep the unit that is
 *               there
 * @param length its length in bytes
 * @since 0.1.0
 */
asdf_status asdf_node_set_quantity(asdf_node *node, const char *path, const char *unit, size_t length);

/**
 * Sets a time of the standard (time/time): a date with time in UTC as in "2027-01-31T04:05:06.7", the day of a year
 * with time in UTC as in "2027:031:04:05:06.7", or a Besselian or Julian epoch as in "B1950.0" and "J2000.0". A date
 * or time of YAML is set by asdf_node_set_timestamp().
 *
 * @param node   node that the path starts from
 * @param path   the path
 * @param value  the time; ASDF_ERR_INVALID_ARGUMENT for any other text
 * @param length its length in bytes
 * @since 0.1.0
 */
asdf_status asdf_node_set_time(asdf_node *node, const char *path, const char *value, size_t length);

/**
 * Sets binary data, which is written as base64 text (!!binary). For large data use an array.
 *
 * @param node  node that the path starts from
 * @param path  the path
 * @param bytes the bytes; may be NULL if there are none
 * @param size  number of bytes
 * @since 0.1.0
 */
asdf_status asdf_node_set_binary(asdf_node *node, const char *path, const void *bytes, size_t size);

/**
 * Sets an empty sequence. Append items by paths that end in "-".
 *
 * @param node node that the path starts from
 * @param path the path
 * @param flow 1 to write it in brackets, 0 to write it line by line
 * @since 0.1.0
 */
asdf_status asdf_node_set_sequence(asdf_node *node, const char *path, int32_t flow);

/**
 * Sets an empty mapping.
 *
 * @param node node that the path starts from
 * @param path the path
 * @param flow 1 to write it in braces, 0 to write it line by line
 * @since 0.1.0
 */
asdf_status asdf_node_set_mapping(asdf_node *node, const char *path, int32_t flow);

/**
 * Sets or removes the tag of a node.
 *
 * @param node node that the path starts from
 * @param path the path
 * @param tag  full tag, or "!" and the short form of a tag of the standard: "!unit/unit-1.0.0" is
 *             "tag:stsci.edu:asdf/unit/unit-1.0.0", and "!!set" is "tag:yaml.org,2002:set"; NULL to remove the tag.
 *             ASDF_ERR_INVALID_ARGUMENT for a text that is neither, and for a tag of the standard or of YAML that does
 *             not exist: the message names the one that was probably meant. Tags of other prefixes can be any
 * @since 0.1.0
 */
asdf_status asdf_node_set_tag(asdf_node *node, const char *path, const char *tag);

/**
 * Sets the note of a mapping: the text under its key "//", for people who read the file. It is part of the data, so
 * all readers find it and copies keep it. A new note comes before all other keys.
 *
 * @param node   node that the path starts from
 * @param path   path of the mapping; ASDF_ERR_WRONG_TYPE if it is something else, ASDF_ERR_NOT_FOUND if it does not
 *               exist
 * @param note   the note, UTF-8; may be NULL if it is empty
 * @param length its length in bytes
 * @since 0.1.0
 */
asdf_status asdf_node_set_note(asdf_node *node, const char *path, const char *note, size_t length);

/**
 * Sets a JSON reference.
 *
 * @param node node that the path starts from
 * @param path the path
 * @param uri  URI, relative to the file, with the escaped path as its fragment: "other.asdf#/data"
 * @since 0.1.0
 */
asdf_status asdf_node_set_reference(asdf_node *node, const char *path, const char *uri);

/**
 * Sets a JSON reference to a place in the same file.
 *
 * @param node   node that the path starts from
 * @param path   the path
 * @param target path of the target from the root; the function adds the escapes of the URI
 * @since 0.1.0
 */
asdf_status asdf_node_set_reference_to(asdf_node *node, const char *path, const char *target);

/**
 * Sets an array, also of strings (padded with NULs) or records (packed).
 *
 * @param node     node that the path starts from
 * @param path     the path
 * @param datatype code of the scalar type of the elements, or 0 for the datatype in the options;
 *                 ASDF_ERR_INVALID_ARGUMENT for any other number, or if the options have none. ASDF_ERR_ENCODING if a
 *                 string is not ASCII (ASDF_ASCII) or not valid UTF-32 (ASDF_UCS4)
 * @param rank     number of axes, 0 for a single element
 * @param shape    extent along each axis, slowest first; may be NULL for rank 0
 * @param elements elements in native byte order, packed in C order unless the options set an order or strides. They
 *                 are copied. May be NULL if there are no elements
 * @param size     size of that memory in bytes; ASDF_ERR_INVALID_ARGUMENT unless packed elements fill it exactly, or
 *                 strided elements lie within it
 * @param options  options, or NULL for the defaults
 * @since 0.1.0
 */
asdf_status asdf_node_set_array(asdf_node *node,
                                const char *path,
                                int32_t datatype,
                                int32_t rank,
                                const int64_t *shape,
                                const void *elements,
                                size_t size,
                                const asdf_options *options);

/**
 * Sets an array whose elements the program lends until they are written. Writing the file packs them, and swaps bytes
 * if the file has another byte order, in pieces of 1 MiB; to compress the array, it holds the whole array in memory.
 *
 * @param node     node that the path starts from
 * @param path     the path
 * @param datatype code of the scalar type of the elements, or 0 for the datatype in the options, as in
 *                 asdf_node_set_array()
 * @param rank     number of axes, 0 for a single element
 * @param shape    extent along each axis, slowest first; may be NULL for rank 0
 * @param elements elements in native byte order, packed in C order unless the options set an order or strides. The
 *                 memory must stay valid and unchanged until release is called. May be NULL if there are no elements
 * @param size     size of that memory in bytes; ASDF_ERR_INVALID_ARGUMENT unless packed elements fill it exactly, or
 *                 strided elements lie within it
 * @param release  called once with user, after the last use of the elements: at the latest when the file of the array
 *                 and all handles that depend on it are freed. It runs inside the call that ends the last use, on the
 *                 thread of that call. NULL for none. It is not called if this call fails
 * @param user     pointer passed to release; may be NULL
 * @param options  options, or NULL for the defaults
 * @since 0.1.0
 */
asdf_status asdf_node_set_array_borrowed(asdf_node *node,
                                         const char *path,
                                         int32_t datatype,
                                         int32_t rank,
                                         const int64_t *shape,
                                         const void *elements,
                                         size_t size,
                                         asdf_release_callback release,
                                         void *user,
                                         const asdf_options *options);

/**
 * Changes the storage of an array: the place of its elements, but not their values. Datatype, byte order, mask and all
 * other properties stay unchanged. An array that already has this storage stays as it is.
 *
 * - Stored bytes are copied without decoding, compressed or not. Exceptions: a streamed block is never compressed, and
 *   elements that become text are decoded.
 * - Two arrays that share a block share a block or a file again, if both are moved.
 * - The old block stays unused in a file opened for update until asdf_file_compact(). An old external file stays, too.
 * - A mask array has its own storage; its path is the path of the array and "mask".
 * - Null among elements in the tree becomes a mask.
 *
 * @param node    node that the path starts from
 * @param path    the path
 * @param storage one of ASDF_STORAGE_...; ASDF_ERR_INVALID_ARGUMENT for any other number, and for a second streamed
 *                array. For ASDF_STORAGE_INLINE: ASDF_ERR_INVALID_ARGUMENT for a single element (rank 0),
 *                ASDF_ERR_VALUE_RANGE for an integer above INT64_MAX, and ASDF_ERR_LIMIT for more elements than a tree
 *                can hold
 * @param options options, or NULL for the defaults. They can set the name of an external file, slack and checksum; for
 *                elements that were text also byte order (unless the array has one), order in the file and
 *                compression. After a failure the array stays as it was, and the file can be written
 * @since 0.1.0
 */
asdf_status asdf_node_set_storage(asdf_node *node, const char *path, int32_t storage, const asdf_options *options);

/**
 * Copies a node with all its children from this or another file, for example to build a new file from parts of others.
 *
 * - Blocks of arrays are copied as they are stored. Two arrays that share a block also share the copy, even if they
 *   are copied one after the other.
 * - Aliases inside the node stay aliases.
 * - JSON references are copied unchanged. A reference within the file of `from` then refers to the same path in this
 *   file.
 * - If the two files have different versions of the standard, tags of the standard, of transforms and of astropy are
 *   converted: "core/ndarray-1.1.0" of standard 1.6.0 becomes "core/ndarray-1.0.0" in 1.4.0, and "core/table" becomes
 *   "table/table" from 1.6.0 on. Other tags are copied unchanged.
 * - If the standard of this file lacks a tag or does not allow the content (such as float16 before 1.6.0), the call
 *   fails with ASDF_ERR_UNSUPPORTED and copies nothing.
 * - Readers of standards up to 1.5.0 add missing keys that have a default in the schema of a tag; readers of later
 *   standards do not. A copy into a later standard gets the missing keys whose default is empty. If another such key is
 *   missing, the call fails with ASDF_ERR_UNSUPPORTED and copies nothing.
 * - Chunked arrays are copied with their chunks. If a node has data in other blocks that no array names, the copy
 *   would lose the blocks. The call fails with ASDF_ERR_UNSUPPORTED and copies nothing, unless both nodes are in the
 *   same file.
 *
 * The options set the storage of all copied arrays, as those of asdf_node_set_storage(). If an array cannot be stored
 * as requested, the call fails, but the copied nodes remain. Arrays whose blocks are in other files:
 *
 * - without options, the copy has the same URI
 * - with options, the block is copied, if the options of the file of `from` allow access to its file
 *
 * @param node    node that the path starts from
 * @param path    the path to copy to
 * @param from    node to copy
 * @param options storage of the copied arrays; NULL, or options that set only what every call knows (threads,
 *                progress, limits), keeps their storage
 * @since 0.1.0
 */
asdf_status asdf_node_copy(asdf_node *node, const char *path, const asdf_node *from, const asdf_options *options);

/**
 * Removes a node from its mapping or sequence. Calls with handles of it and of its children then fail with
 * ASDF_ERR_STALE.
 *
 * @param node node that the path starts from
 * @param path the path. ASDF_ERR_NOT_FOUND if there is no such node; the file can then be saved nevertheless
 * @since 0.1.0
 */
asdf_status asdf_node_remove(asdf_node *node, const char *path);

/*
 * Comments in the tree ------------------------------------------------------------------------------------------------
 *
 * A comment stands before a node on lines of its own, at the end of its line, or at the end of the document. Comments
 * are for people who read the file in an editor: other libraries do not keep them. What programs must find belongs
 * under the key "//" (see asdf_node_set_note()) or another key.
 *
 *     asdf_node_set_comment(root, "meta/exposure", ASDF_COMMENT_BEFORE, "Set by the scheduler.", ASDF_NUL_TERMINATED);
 *     asdf_node_set_comment(root, "meta/exposure/time", ASDF_COMMENT_LINE_END, "seconds", ASDF_NUL_TERMINATED);
 */

/**
 * On lines of its own, before the key or the dash of the node.
 */
#define ASDF_COMMENT_BEFORE 0

/**
 * At the end of the line of the node: after a scalar or brackets, or after the key of a block.
 */
#define ASDF_COMMENT_LINE_END 1

/**
 * On lines of its own at the end of the document. The node is the root.
 */
#define ASDF_COMMENT_DOCUMENT_END 2

/**
 * Sets the comment of a node. It replaces the comment that is there. asdf_node_copy() copies it with the node.
 *
 * @param node     node that the path starts from
 * @param path     the path; ASDF_ERR_UNSUPPORTED for a node in brackets or braces, which has no line of its own, and
 *                 for the root, which has a comment at the end of the document only
 * @param position one of ASDF_COMMENT_...; ASDF_ERR_INVALID_ARGUMENT for any other number
 * @param text     the comment without "#", UTF-8; ASDF_ERR_INVALID_ARGUMENT for control characters, and for line
 *                 feeds in a comment at the end of a line. May be NULL if it is empty, which removes the comment
 * @param length   its length in bytes
 * @since 0.1.0
 */
asdf_status asdf_node_set_comment(asdf_node *node, const char *path, int32_t position, const char *text, size_t length);

/**
 * Gets the comment of a node, without "#" and with line feeds between its lines.
 *
 * @param node     node that the path starts from
 * @param path     the path
 * @param position one of ASDF_COMMENT_...; ASDF_ERR_INVALID_ARGUMENT for any other number
 * @param buffer   gets the comment; ASDF_ERR_NOT_FOUND if there is none
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_node_comment(const asdf_node *node,
                              const char *path,
                              int32_t position,
                              char *buffer,
                              size_t capacity,
                              size_t *needed);

/*
 * Writing -------------------------------------------------------------------------------------------------------------
 *
 * Each call writes the current state of the file, which can then be changed and written again. If a setter failed,
 * writing fails with ASDF_ERR_INCOMPLETE.
 *
 *     asdf_options *options = NULL;
 *     asdf_options_new(&options);
 *     asdf_options_set_text(options, ASDF_OPTION_EXTERNAL_NAMES, "part{number}.asdf", 17);
 *     if (asdf_file_write(file, "image.asdf", NULL) != ASDF_OK) return report();        // a new file
 *     if (asdf_file_explode(file, "exploded.asdf", options) != ASDF_OK) return report();
 *     asdf_options_free(options);
 *
 * asdf_file_save() saves in one of two ways (ASDF_OPTION_SAVE_MODE):
 *
 * - As a whole: a new file replaces the old one.
 * - In place: the tree is written into the space before the first block (in a file without blocks, to the end of the
 *   file). New blocks replace the block index and everything after it. The cost depends on the size of the tree, not
 *   of the file.
 *
 * During a save in place, an undo journal ".NAME.asdf-journal" exists beside the file. After an interruption this
 * library restores the file with it; other readers may see a mix of old and new data. A journal does nothing to a file
 * that another program replaced or changed since; a warning then says how to keep or drop it. A save in place is not
 * possible in these cases:
 *
 * - The tree has outgrown its space. The new file has more of it (ASDF_OPTION_TREE_SLACK), so that later changes fit.
 * - A new array takes over the number of the block of the array that it replaces, or a mask that of the mask before.
 * - Elements were overwritten (asdf_array_write_region()) since the last save, and other parts of the file changed.
 * - An array was copied from another handle of the same file.
 * - The file has several names (hard links).
 *
 * A file that is written whole shares blocks with the old one, if the file system supports it (XFS, Btrfs and others).
 *
 * ASDF in a FITS file is saved in its HDU `ASDF`, which grows if it is the last one; other HDUs stay, byte for byte.
 * Checksums of HDUs (DATASUM, CHECKSUM) are renewed where their bytes changed and a header has them, and with them the
 * hash of the headers in the tree (`_fits_hash`), so that the tree counts for `stdatamodels`. A save in place writes up
 * to 16 MiB of ASDF anew.
 *
 * After ASDF_ERR_NOT_DURABLE the new file is in place and counts as saved, but a power cut may bring back the old
 * file. After any other error the old file remains.
 */

/**
 * In place if possible, and if the file is larger than both 256 KiB and the data to write in place; otherwise as a new
 * file.
 */
#define ASDF_SAVE_AUTO 0

/**
 * As a new file that replaces the old one: every reader sees either the old file or the new one.
 */
#define ASDF_SAVE_WHOLE 1

/**
 * In place; if that is not possible, fails with ASDF_ERR_NOT_IN_PLACE and writes nothing.
 */
#define ASDF_SAVE_IN_PLACE 2

/**
 * An ASDF file of its own. Arrays whose elements are in HDUs of a FITS file get blocks.
 */
#define ASDF_CONTAINER_ASDF 0

/**
 * A FITS file, whose HDU `ASDF` holds the ASDF file. From a FITS file the other HDUs are copied. In a new one, arrays
 * of numbers that images can hold are HDUs, with the names of their keys in capitals.
 */
#define ASDF_CONTAINER_FITS 1

#define ASDF_REPAIR_INDEX 1 /**< Write the block index, if it is missing or wrong. */

/**
 * Add checksums to blocks that have none. Streamed blocks never have one.
 */
#define ASDF_REPAIR_ABSENT_CHECKSUMS 2

/**
 * Replace checksums of the decoded bytes, as older writers stored them.
 */
#define ASDF_REPAIR_DECODED_CHECKSUMS 4

/**
 * Replace checksums that do not match, whatever the cause.
 */
#define ASDF_REPAIR_WRONG_CHECKSUMS 8

/**
 * Writes a file under a name. An existing file of that name is replaced only with ASDF_OPTION_REPLACE. It stays
 * unchanged until the new one is completely on disk. After a failure it stays unchanged, and no new file is left.
 * ASDF_ERR_NOT_DURABLE is the exception: the new file has the name, but waiting until the name is on disk failed.
 *
 * A file opened for reading is copied byte for byte; besides ASDF_OPTION_REPLACE, only ASDF_OPTION_DURABLE and
 * ASDF_OPTION_CONTAINER have an effect. A file opened for update is written with its changes; replacing it under its
 * own name equals asdf_file_save(). To a pipe or a character device the file is written as by
 * asdf_file_write_descriptor(). ASDF in a FITS file is written as an ASDF file, unless ASDF_OPTION_CONTAINER says
 * otherwise: the data of the HDUs that arrays name become blocks.
 *
 * @param file    the file
 * @param path    name of the file; any bytes where the system allows names that are not UTF-8. ASDF_ERR_FILE_EXISTS
 *                if it exists, unless ASDF_OPTION_REPLACE is 1. ASDF_ERR_INVALID_ARGUMENT if it is the name of this
 *                file and the file was opened for reading
 * @param options options, or NULL for the defaults
 * @since 0.1.0
 */
asdf_status asdf_file_write(const asdf_file *file, const char *path, const asdf_options *options);

/**
 * Saves the changes of a file that was opened by asdf_file_open_for_update(). Without changes nothing is written.
 * Changes of the tree and elements that asdf_array_write_region() has overwritten are saved together.
 *
 * The text of the tree changes only where nodes changed, and in `asdf_library`, which then names this library;
 * everywhere else it keeps its comments, order, styles and tags. Existing blocks keep their stored bytes and their
 * numbers, even if no array uses them any more. Blocks of new arrays follow them.
 *
 * There are two ways to save; ASDF_OPTION_SAVE_MODE selects one:
 *
 * - As a whole: a new file replaces the old one, as in asdf_file_write(). The name always refers to either the old or
 *   the new file. Handles that have the old file open keep it.
 * - In place: only the changes are written. Other handles that have the file open get ASDF_ERR_FILE_CHANGED. After an
 *   interruption, opening the file for reading shows its state before the save, with a warning; opening it for update
 *   restores that state on disk.
 *
 * Nodes stay valid; asdf_node_position() still returns their positions at the time of opening. The file can be changed
 * and saved again, also after a failure. After ASDF_ERR_NOT_DURABLE the file counts as saved: saving it again without
 * a change writes nothing and does not wait.
 *
 * @param file    the file; ASDF_ERR_FILE_CHANGED if someone else changed it after it was opened;
 *                ASDF_ERR_INVALID_ARGUMENT if it is a new file; ASDF_ERR_NOT_IN_PLACE if the options require a save in
 *                place that is not possible
 * @param options options, or NULL for the defaults
 * @since 0.1.0
 */
asdf_status asdf_file_save(asdf_file *file, const asdf_options *options);

/**
 * Saves a file that was opened by asdf_file_open_for_update(), changed or not, in its smallest form: without unused
 * blocks, without gaps between blocks, and with only the space after the tree that the options set. Blocks are copied
 * as they are stored. A new file replaces the old one, as in asdf_file_write(). A file without changes and without
 * unused blocks stays as it is if it would become larger.
 *
 * Only this call changes the numbers of blocks:
 *
 * - It updates the numbers in the tree of this file, and `asdf_library`. The rest of the text stays unchanged.
 * - It cannot update other files that refer to blocks of this file by number.
 * - An integer under the key `source` outside an array may be the number of a block. Such a block keeps its number;
 *   unused blocks before it become empty.
 * - If a key that contains "block" has an integer value, all blocks stay.
 *
 * @param file    the file; same errors as asdf_file_save()
 * @param options options, or NULL for the defaults
 * @since 0.1.0
 */
asdf_status asdf_file_compact(asdf_file *file, const asdf_options *options);

/**
 * Repairs the block index and the checksums of a file that was opened by asdf_file_open_for_update(). Tree and
 * payloads stay unchanged. If nothing needs repair, nothing is written.
 *
 * After an error the file stays unchanged:
 *
 * - ASDF_ERR_INVALID_ARGUMENT if the file has unsaved changes
 * - ASDF_ERR_TRUNCATED if the file ends within a block
 * - ASDF_ERR_LAYOUT if something other than an index follows the last block
 * - the error of the codec if a block must be decoded to check its checksum, and decoding fails
 *
 * @param file      the file
 * @param what      a sum of ASDF_REPAIR_ constants
 * @param options   options, or NULL for the defaults
 * @param index     gets 1 if the index was written, 0 if not; may be NULL
 * @param checksums gets the number of blocks whose checksum was changed; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_file_repair(asdf_file *file,
                             int32_t what,
                             const asdf_options *options,
                             int32_t *index,
                             int64_t *checksums);

/**
 * Writes a file to memory, with the same content as asdf_file_write().
 *
 * @param file    the file
 * @param options options, or NULL for the defaults
 * @param buffer  gets the bytes; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_file_write_memory(const asdf_file *file, const asdf_options *options, asdf_buffer **buffer);

/**
 * Writes a file sequentially to a descriptor, from its current position on; pipes are allowed. Bytes written before a
 * failure remain. The descriptor stays open.
 *
 * The library does not change signal handlers. Writing to a pipe without a reader raises SIGPIPE, which ends the
 * program unless it ignores the signal; then the call fails with ASDF_ERR_IO.
 *
 * @param file       the file
 * @param descriptor file descriptor, open for writing
 * @param options    options, or NULL for the defaults
 * @since 0.1.0
 */
asdf_status asdf_file_write_descriptor(const asdf_file *file, int32_t descriptor, const asdf_options *options);

/**
 * Writes a copy of a file in the exploded form: a main file, and one file for each block beside it. Arrays that share
 * a block share its file. The text of the tree stays, except for the sources of the arrays and `asdf_library`. Payloads
 * are copied as they are stored.
 *
 * The block files are written first, under names from ASDF_OPTION_EXTERNAL_NAMES; they never replace existing files.
 * Then the main file gets its name. After a failure none of the new files remains, and an existing main file stays
 * unchanged; after ASDF_ERR_NOT_DURABLE all new files are in place. If the program is killed during the call, complete
 * block files may remain; exploding the file again reuses them.
 *
 * A block that no array uses stays in the main file under its number, and so does a block that something other than an
 * array may refer to. Arrays in other files stay there, unless their relative URIs would point elsewhere from the new
 * main file. In that case their blocks are copied, if the options that the file was opened with allow it.
 *
 * @param file    the file: opened for reading, for update (with its changes), or new
 * @param path    name of the main file; ASDF_ERR_FILE_EXISTS if it exists, unless ASDF_OPTION_REPLACE is 1;
 *                ASDF_ERR_INVALID_ARGUMENT if it is this file, a pipe or a device
 * @param options options, or NULL for the defaults
 * @since 0.1.0
 */
asdf_status asdf_file_explode(const asdf_file *file, const char *path, const asdf_options *options);

/**
 * Writes a copy of a file that contains the blocks of arrays in other files (the reverse of asdf_file_explode()).
 * Arrays in the same file share a block. The text of the tree stays, except for the sources of these arrays and
 * `asdf_library`. Payloads are copied as they are stored. Blocks keep their numbers, and the added blocks follow.
 * References into the trees of other files stay references.
 *
 * @param file    the file. The options that it was opened with must allow the other files; ASDF_ERR_EXTERNAL_REFERENCE
 *                if they allow none
 * @param path    name of the file to write; ASDF_ERR_FILE_EXISTS if it exists, unless ASDF_OPTION_REPLACE is 1;
 *                ASDF_ERR_INVALID_ARGUMENT if it is this file, a pipe or a device
 * @param options options, or NULL for the defaults
 * @since 0.1.0
 */
asdf_status asdf_file_implode(const asdf_file *file, const char *path, const asdf_options *options);

/**
 * Allows a file to be written although a setter failed. The value of that setter is missing in the file.
 *
 * @param file the file
 * @since 0.1.0
 */
asdf_status asdf_file_forget_failure(asdf_file *file);

/*
 * Changing existing content -------------------------------------------------------------------------------------------
 *
 * These functions work on new files and on files opened for update, with the same errors as the setters. Node handles
 * stay valid. The text around a change keeps its comments and styles.
 *
 * - A key that comes from a merged mapping ("<<") belongs to that other mapping. Renaming, moving or removing it here
 *   is ASDF_ERR_INVALID_ARGUMENT, and the message names its position. Setters add a pair to the mapping itself.
 * - JSON references to a renamed or moved place are not updated, as the library cannot update those in other files.
 *   They then refer to whatever is at the old path, or to nothing.
 *
 *     asdf_file_open_for_update("image.asdf", NULL, &file);
 *     asdf_file_root(file, &root);
 *     asdf_node_rename_key(root, "meta/exp", "exposure");
 *     asdf_node_insert_key(root, "meta", "observer", ASDF_INSERT_AFTER, "exposure");
 *     asdf_node_set_string(root, "meta/observer", "N. Roman", 8);
 *     asdf_node_move(root, "draft/list/3", "list/0");
 *     asdf_options_set_text(options, ASDF_OPTION_CODEC, "zstd", 4);
 *     asdf_node_recompress_array(root, "data", options);
 *     asdf_file_save(file, NULL);
 */

#define ASDF_INSERT_BEFORE 0 /**< Before the neighbour, or before all keys. */
#define ASDF_INSERT_AFTER 1  /**< After the neighbour, or after all keys. */

/**
 * Makes the node at a path, with missing collections on the way as setters do. A new node holds null until it is set.
 * An existing node stays as it is, but "-" always appends an item to a sequence.
 *
 * The node serves to set several values of one new item: their paths start from it, so they do not append again.
 *
 * @param node node that the path starts from
 * @param path the path; ASDF_ERR_NOT_FOUND for an index beyond the items of a sequence, ASDF_ERR_WRONG_TYPE for a path
 *             through a scalar
 * @param made gets the node; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_node_make(asdf_node *node, const char *path, asdf_node **made);

/**
 * Makes the node under a string key. The key has no escapes and may contain NUL bytes, and is not a path: "a/b" is one
 * key. A missing key is appended to the mapping, with the value null until the node is set; an existing value stays as
 * it is.
 *
 * A program that copies the pairs of a mapping one by one makes each key with this function, asdf_node_make_by_i64()
 * or asdf_node_make_by_bool(), by the type of the key (asdf_node_key_type()).
 *
 * @param node   node that the path starts from
 * @param path   path of the mapping; ASDF_ERR_WRONG_TYPE if it is something else
 * @param key    the key, UTF-8
 * @param length its length in bytes
 * @param made   gets the node; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_node_make_by_string(asdf_node *node,
                                     const char *path,
                                     const char *key,
                                     size_t length,
                                     asdf_node **made);

/**
 * Makes the node under an integer key, as asdf_node_make_by_string() does under a string key.
 *
 * @param node node that the path starts from
 * @param path path of the mapping; ASDF_ERR_WRONG_TYPE if it is something else
 * @param key  the key
 * @param made gets the node; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_node_make_by_i64(asdf_node *node, const char *path, int64_t key, asdf_node **made);

/**
 * Makes the node under the key true or false, as asdf_node_make_by_string() does under a string key.
 *
 * @param node node that the path starts from
 * @param path path of the mapping; ASDF_ERR_WRONG_TYPE if it is something else
 * @param key  0 for false, anything else for true
 * @param made gets the node; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_node_make_by_bool(asdf_node *node, const char *path, int32_t key, asdf_node **made);

/**
 * Inserts an item with the value null into a sequence; set its value with a setter. The index of each following item
 * grows by one.
 *
 * @param node  node that the path starts from
 * @param path  path of the sequence; ASDF_ERR_WRONG_TYPE if it is something else
 * @param index index of the new item, from 0; the number of items, or -1, appends it. ASDF_ERR_OUT_OF_RANGE for any
 *              other number
 * @since 0.1.0
 */
asdf_status asdf_node_insert_item(asdf_node *node, const char *path, int64_t index);

/**
 * Inserts a key with the value null into a mapping; set its value with a setter. Setters themselves append new keys at
 * the end.
 *
 * @param node      node that the path starts from
 * @param path      path of the mapping; ASDF_ERR_WRONG_TYPE if it is something else
 * @param key       the key; ASDF_ERR_INVALID_ARGUMENT if the mapping has it
 * @param position  ASDF_INSERT_BEFORE or ASDF_INSERT_AFTER; ASDF_ERR_INVALID_ARGUMENT for any other number
 * @param neighbour existing key before or after which the new key is inserted; ASDF_ERR_NOT_FOUND if there is none.
 *                  NULL for before or after all keys
 * @since 0.1.0
 */
asdf_status asdf_node_insert_key(asdf_node *node,
                                 const char *path,
                                 const char *key,
                                 int32_t position,
                                 const char *neighbour);

/**
 * Renames a key of a mapping. The position, the text and the comments of its value stay unchanged.
 *
 * @param node node that the path starts from
 * @param path path of the value; ASDF_ERR_WRONG_TYPE if it is an item of a sequence, or the root
 * @param key  the new key; ASDF_ERR_INVALID_ARGUMENT if the mapping has it
 * @since 0.1.0
 */
asdf_status asdf_node_rename_key(asdf_node *node, const char *path, const char *key);

/**
 * Moves a node with all its children and comments, as "move" of JSON Patch (RFC 6902) does: removes it, and then adds
 * it at the new path. Arrays keep their blocks. If an alias would precede its anchor after the move, the content moves
 * to the first place, and the other places become aliases of it.
 *
 * @param node node that the path starts from
 * @param path path of the node to move; ASDF_ERR_INVALID_ARGUMENT for the root
 * @param to   new path. Its last part is the index in a sequence ("-" for the end; ASDF_ERR_OUT_OF_RANGE beyond the
 *             end), or the key in a mapping, where it replaces an existing value. Missing collections are created as
 *             by setters. ASDF_ERR_INVALID_ARGUMENT if it lies within the moved node
 * @since 0.1.0
 */
asdf_status asdf_node_move(asdf_node *node, const char *path, const char *to);

/**
 * Changes the shape of an array. Elements keep their indices: along each axis, elements at the end are removed or
 * added.
 *
 * - The datatype, the byte order, the compression (at its default level) and other keys of the node stay. So does the
 *   number of the block, unless something else refers to the block.
 * - The array is then packed in C order and no longer streamed.
 * - A mask array of the same shape is resized, too; no new element is missing.
 *
 * The call compares the block with its checksum (ASDF_ERR_CHECKSUM); the elements are read in pieces when the file is
 * written. Fails with ASDF_ERR_UNSUPPORTED if the elements are not in a block of the file.
 *
 * @param node  node that the path starts from
 * @param path  the path of the array
 * @param rank  number of axes; must be that of the array
 * @param shape new extent along each axis, slowest first; may be NULL for rank 0. ASDF_ERR_INVALID_ARGUMENT if the
 *              mask does not fit the new shape
 * @param fill  value of new elements: one element in native byte order, or NULL for zeros
 * @param size  size of fill in bytes; ASDF_ERR_INVALID_ARGUMENT if it is not the size of an element
 * @param options options of every call (threads, progress, limits), or NULL for the defaults
 * @since 0.1.0
 */
asdf_status asdf_node_resize_array(asdf_node *node,
                                   const char *path,
                                   int32_t rank,
                                   const int64_t *shape,
                                   const void *fill,
                                   size_t size,
                                   const asdf_options *options);

/**
 * Changes the compression of an array. Its values and the number of its block stay unchanged; the block has a checksum
 * afterwards if it had one before. Arrays that share the block keep their values. The block is decoded when the file
 * is written. The errors are those of asdf_node_resize_array(), but after a failure the array stays as it was, and the
 * file can be written.
 *
 * @param node  node that the path starts from
 * @param path  the path of the array
 * @param options codec and level, or NULL for no compression
 * @since 0.1.0
 */
asdf_status asdf_node_recompress_array(asdf_node *node, const char *path, const asdf_options *options);

/*
 * Arrays larger than memory -------------------------------------------------------------------------------------------
 *
 * An array can be set without its elements. Either a callback returns them while the file is written, or they are
 * zeros that asdf_array_write_region() overwrites later. For an unknown number of rows use a stream (see Streams), or
 * add them to an array of a file that others read meanwhile by asdf_array_append().
 *
 *     asdf_node_set_array_callback(root, "spectra", ASDF_FLOAT32, 2, shape, read_spectra, NULL, instrument, NULL);
 *     asdf_node_set_array_zeros(root, "cube", ASDF_FLOAT32, 3, huge, NULL);
 *     asdf_file_write(file, "survey.asdf", NULL);
 */

/**
 * Sets an array whose elements a callback returns when the file is written. The callback is called for all elements
 * once and in order, for at most 1 MiB at a time (or for one larger element); the library holds no more in memory.
 * Checksum and compressed size are filled in afterwards, without a second pass. zlib, bzp2, lz4, lz4f and zstd
 * compress the elements as they arrive; other codecs are ASDF_ERR_UNSUPPORTED.
 *
 * If the file is written to a descriptor, the array has no checksum and cannot be compressed (ASDF_ERR_UNSUPPORTED).
 *
 * If the callback fails, the call that writes the file fails with ASDF_ERR_CALLBACK and a message with the returned
 * number; an existing file of that name stays unchanged. The callback is called again for each write of the file. It
 * is also called if the array is read before it is saved, then for any part of it.
 *
 * @param node     node that the path starts from
 * @param path     the path
 * @param datatype code of the scalar type of the elements, or 0 for the datatype in the options, as in
 *                 asdf_node_set_array(). If a string is not valid text, writing the file fails with ASDF_ERR_ENCODING
 * @param rank     number of axes, 0 for a single element
 * @param shape    extent along each axis, slowest first; may be NULL for rank 0
 * @param read     returns the elements as bytes in native byte order, packed in C order; its offsets and sizes refer
 *                 to these bytes. It may return fewer bytes than requested
 * @param close    releases user. It is called once, after the last use of the elements. NULL for none. It is not
 *                 called if this call fails
 * @param user     pointer passed to the callbacks; may be NULL
 * @param options  options, or NULL for the defaults. ASDF_ERR_INVALID_ARGUMENT for storage in the tree or in Fortran
 *                 order
 * @since 0.1.0
 */
asdf_status asdf_node_set_array_callback(asdf_node *node,
                                         const char *path,
                                         int32_t datatype,
                                         int32_t rank,
                                         const int64_t *shape,
                                         asdf_read_callback read,
                                         asdf_close_callback close,
                                         void *user,
                                         const asdf_options *options);

/**
 * Sets an array of zeros of any size, to be overwritten later. Where the system supports sparse files, its block takes
 * no disk space until it is written to. The block has no checksum. To a descriptor the zeros are written.
 *
 * @param node     node that the path starts from
 * @param path     the path
 * @param datatype code of the scalar type of the elements, or 0 for the datatype in the options, as in
 *                 asdf_node_set_array(); strings are empty
 * @param rank     number of axes, 0 for a single element
 * @param shape    extent along each axis, slowest first; may be NULL for rank 0
 * @param options  options, or NULL for the defaults. ASDF_ERR_INVALID_ARGUMENT for storage in the tree, compression or
 *                 a checksum
 * @since 0.1.0
 */
asdf_status asdf_node_set_array_zeros(asdf_node *node,
                                      const char *path,
                                      int32_t datatype,
                                      int32_t rank,
                                      const int64_t *shape,
                                      const asdf_options *options);

/**
 * Overwrites the elements of a region of an array: along each axis `count` elements from `start` on, `step` apart. The
 * arguments are those of asdf_array_read_region(). The cost depends on the size of the region, not of the array.
 *
 * In a file opened for update, the elements are written to the file immediately, and all arrays of this file handle
 * return them. asdf_file_save() makes the change permanent:
 *
 * - Closing or freeing the file without saving restores the old elements. After a crash, the next opening does.
 * - A journal beside the file holds the old bytes: each piece of 1 MiB once, before its first change. For a piece of
 *   a hole in the file it holds only a mark. It also holds the new bytes.
 * - Until the file is saved, other programs that use this library read the old elements.
 * - If the block has a checksum, saving reads the block once and updates the checksum. With
 *   ASDF_OPTION_CHECKSUMS set to 0, saving removes the checksum.
 *
 * The elements of an array that was set and is not saved yet are changed in memory. So are those of a chunked array:
 * the chunks that the region touches stay in memory until the file is saved.
 *
 * In a FITS file, the data of images are overwritten, also those of unsigned integers, and those of tables without
 * conversions. Saving renews the checksums of their HDUs, if these have any.
 *
 * Several threads may write regions without a common element. The library writes them one after another.
 *
 * Errors:
 *
 * - ASDF_ERR_UNSUPPORTED if the elements are compressed in one block or by codecs of zarr, in the tree, in another
 *   file, in a file in memory, lent, or returned by a callback; if they are scaled or converted data of an HDU; if they
 *   are zeros in one block that are not saved yet; or if the array was looked up before a save that wrote a new file
 * - ASDF_ERR_MASKED if the array has a mask (see asdf_array_without_mask())
 * - ASDF_ERR_READ_ONLY if the file was opened for reading
 * - ASDF_ERR_FILE_CHANGED if another program changed or replaced the file
 * - ASDF_ERR_NOT_IN_PLACE if the file has several names (hard links)
 * - ASDF_ERR_OVERFLOW if an element does not fit; this is checked before anything is written
 *
 * One save makes overwritten elements and changes of the tree permanent together; closing the file undoes both. If
 * writing itself fails, the file cannot be saved until asdf_file_forget_failure().
 *
 * @param array    the array
 * @param rank     number of axes; ASDF_ERR_INVALID_ARGUMENT if it is not that of the array
 * @param start    first index along each axis; ASDF_ERR_OUT_OF_RANGE if the region reaches outside the array
 * @param count    number of elements along each axis
 * @param step     distance between indices along each axis: not 0, negative to go backwards from start; NULL for 1
 *                 along each axis
 * @param datatype code of the scalar type of the elements in memory, or 0 as in asdf_array_read();
 *                 ASDF_ERR_INVALID_ARGUMENT for any other number. The elements are converted by the rules of reading.
 *                 ASDF_ERR_ENCODING if a string is not valid text, or not ASCII where the array requires it
 * @param elements the elements in native byte order, in C order unless the options say otherwise. Strided elements may
 *                 overlap: strides of 0 fill the region with one element. May be NULL if there are no elements
 * @param size     size of that memory in bytes; ASDF_ERR_BUFFER_TOO_SMALL if too small, ASDF_ERR_INVALID_ARGUMENT if it
 *                 is larger than packed elements
 * @param options  options, or NULL for the defaults
 * @since 0.1.0
 */
asdf_status asdf_array_write_region(asdf_array *array,
                                    int32_t rank,
                                    const int64_t *start,
                                    const int64_t *count,
                                    const int64_t *step,
                                    int32_t datatype,
                                    const void *elements,
                                    size_t size,
                                    const asdf_options *options);

/**
 * Adds rows to an array: elements after the last ones along its first axis. asdf_file_save() makes them part of the
 * array.
 *
 * - The rows are written to the file immediately, after the end of the array, and never again. Saving writes a record
 *   of them and waits for the disk once (ASDF_OPTION_DURABLE). So a save after each step costs as much as writing the
 *   rows and waiting for them.
 * - After a crash or a power cut, the file has the rows of all saves that returned ASDF_OK, whole, and no others; those
 *   of the save that was interrupted are there whole or not at all.
 * - Other handles and programs see the rows after the save, when they open the file again. Handles of this library that
 *   have it open keep reading the rows that they know. Closing the file without saving drops the new rows.
 * - This handle keeps its shape, and can be used for all steps. To read new rows, look the array up again.
 *
 * The file must be open for update, and the array must be
 *
 * - in the last block of the file, not compressed, in C order, and all that the block holds. The first call prepares
 *   the file: it has no block index and no checksum of this block from then on. If there is no room before the first
 *   block, this call writes the file anew, once. Only one array of a file can grow in this way;
 * - or chunked (ASDF_OPTION_CHUNKS). Any number of arrays can grow. New rows stay in memory until the file is saved,
 *   in place. From the third save in a row on that only adds whole chunks, a save waits for the disk once, and the
 *   file has no block index until it is closed. Other saves have a journal, and wait four times. A compressed chunk
 *   that a later step goes on to fill gets a new block; asdf_file_compact() drops the earlier one.
 *
 * Errors:
 *
 * - ASDF_ERR_UNSUPPORTED if the array cannot grow, for one of these reasons
 * - ASDF_ERR_MASKED if the array has a mask
 * - ASDF_ERR_READ_ONLY if the file was opened for reading
 * - ASDF_ERR_FILE_CHANGED if another program changed or replaced the file
 * - ASDF_ERR_NOT_IN_PLACE if the file has several names (hard links)
 * - ASDF_ERR_NO_SPACE if the disk is full; ASDF_ERR_OVERFLOW if an element does not fit. The rows before are intact,
 *   and the call can be repeated
 *
 * Example: a step of 64 by 64 elements, on the disk when the loop goes on
 *
 * ```c
 * asdf_array_append(temperature, 1, ASDF_FLOAT32, field, sizeof field, NULL);
 * asdf_file_save(file, NULL);
 * ```
 *
 * @param array    the array; ASDF_ERR_INVALID_ARGUMENT if it has no axes, if another array of the file grows, or if the
 *                 file has other unsaved changes when it begins to grow
 * @param rows     number of new elements along the first axis, not negative
 * @param datatype code of the scalar type of the elements in memory, or 0 as in asdf_array_read();
 *                 ASDF_ERR_INVALID_ARGUMENT for any other number. The elements are converted by the rules of reading
 * @param elements the elements in native byte order, in C order unless the options say otherwise. May be NULL if there
 *                 are none
 * @param size     size of that memory in bytes; ASDF_ERR_BUFFER_TOO_SMALL if too small, ASDF_ERR_INVALID_ARGUMENT if it
 *                 is larger than packed elements
 * @param options  options, or NULL for the defaults
 * @since 0.1.0
 */
asdf_status asdf_array_append(asdf_array *array,
                              int64_t rows,
                              int32_t datatype,
                              const void *elements,
                              size_t size,
                              const asdf_options *options);

/*
 * Streams -------------------------------------------------------------------------------------------------------------
 *
 * A stream writes a file with an additional array whose rows are pushed one after another. Each row is converted to
 * the byte order of the file, compressed and added to the checksum immediately; only a few rows are held in memory.
 * asdf_stream_finish() writes the number of rows and gives the file its name. Until then an existing file of that name
 * stays unchanged. A stream that is freed without being finished leaves no file.
 *
 *     asdf_stream *stream = NULL;
 *     const int64_t row[] = {2048};
 *     asdf_stream_create(file, "run.asdf", "spectra", ASDF_FLOAT32, 1, row, NULL, &stream);
 *     while (next_spectrum(spectrum)) asdf_stream_push(stream, 1, spectrum, sizeof spectrum);
 *     asdf_stream_finish(stream);
 *     asdf_stream_free(stream);
 */

/**
 * Starts writing a file with an array whose rows will be pushed. The rest of the file is written immediately, as
 * asdf_file_write() would write it; later changes of `file` have no effect on it. `file` itself does not get the
 * array: to read it, open the written file.
 *
 * The array is in the last block of the file. ASDF_OPTION_STORAGE can change this:
 *
 * - ASDF_STORAGE_STREAMED: the block extends to the end of the file, and the tree does not contain the number of rows.
 *   The block cannot be compressed and has no checksum, and the file has no block index.
 * - ASDF_STORAGE_EXTERNAL: the block is the only one of a second file beside the first. That file gets its name just
 *   before the first one.
 *
 * zlib, bzp2, lz4, lz4f and zstd compress rows as they arrive; other codecs are ASDF_ERR_UNSUPPORTED. Besides the tree
 * and the memory of the codec, the stream holds 1 MiB of rows, and for each thread 1 MiB more with zlib or 4 MiB more
 * with lz4.
 *
 * @param file          the file, new or opened for update
 * @param path          name of the file to write; ASDF_ERR_FILE_EXISTS if it exists now or when the stream is
 *                      finished, unless ASDF_OPTION_REPLACE is 1; ASDF_ERR_INVALID_ARGUMENT for a pipe or a device
 * @param node_path     path of the array from the root of the tree; an existing node is replaced in the written file
 * @param datatype      code of the scalar type of the elements, or 0 for the datatype in the options, as in
 *                      asdf_node_set_array(); ASDF_ERR_INVALID_ARGUMENT if elements have no bytes
 * @param row_rank      number of axes of a row, 0 if it is a single element; the array has one more
 * @param row_shape     extent of a row along each axis; ASDF_ERR_INVALID_ARGUMENT if a row has no elements. May be
 *                      NULL for rank 0
 * @param options       options, or NULL for the defaults. ASDF_ERR_INVALID_ARGUMENT for storage in the tree or in
 *                      Fortran order, and for a streamed block with a codec or ASDF_OPTION_BLOCK_SLACK
 * @param stream        gets the stream; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_stream_create(const asdf_file *file,
                               const char *path,
                               const char *node_path,
                               int32_t datatype,
                               int32_t row_rank,
                               const int64_t *row_shape,
                               const asdf_options *options,
                               asdf_stream **stream);

/**
 * Adds rows to a stream.
 *
 * @param stream the stream; ASDF_ERR_CLOSED if it is finished
 * @param count  number of rows, 0 or more
 * @param rows   the elements in native byte order, one row after the other in C order. If the options set an order or
 *               strides, they apply to an array whose first axis is the rows. May be NULL if there are no rows
 * @param size   size of that memory in bytes; ASDF_ERR_INVALID_ARGUMENT unless packed elements fill it exactly, or
 *               strided elements lie within it; ASDF_ERR_ENCODING if a string is not ASCII or not valid UTF-32. In
 *               both cases nothing is added. After ASDF_ERR_CANCELLED asdf_stream_row_count() returns the number of
 *               rows added so far, and the next row can be pushed. After any other failure the stream can only be
 *               freed
 * @since 0.1.0
 */
asdf_status asdf_stream_push(asdf_stream *stream, int64_t count, const void *rows, size_t size);

/**
 * Gets the number of pushed rows, also after the stream is finished.
 *
 * @param stream the stream
 * @param count  gets the number
 * @since 0.1.0
 */
asdf_status asdf_stream_row_count(const asdf_stream *stream, int64_t *count);

/**
 * Finishes the file: writes the remaining data and the number of rows, and gives the file its name. With
 * ASDF_OPTION_DURABLE it waits until both are on disk. Afterwards, even after a failure, the stream can only be freed.
 * After ASDF_ERR_NOT_DURABLE the file has its name; only waiting until the name is on disk failed.
 *
 * @param stream the stream; ASDF_ERR_INCOMPLETE after a failed push; ASDF_ERR_CLOSED if it is finished
 * @since 0.1.0
 */
asdf_status asdf_stream_finish(asdf_stream *stream);

/**
 * Frees a stream. If it is not finished, no new file remains, and an existing file of that name stays unchanged.
 *
 * @param stream the stream, or NULL
 * @since 0.1.0
 */
void asdf_stream_free(asdf_stream *stream);

/*
 * History -------------------------------------------------------------------------------------------------------------
 *
 * The history of a file lists its processing steps and the extensions that it was written with. Entries are ordinary
 * nodes; the path of their list depends on the version of the standard. asdf_node_get_time() reads the time of an
 * entry, and asdf_node_get_software() its programs.
 *
 *     asdf_node *entries = NULL;
 *     int64_t count = 0;
 *     char text[200];
 *     asdf_file_add_history(file, "flat field divided", 18, NULL, "pipeline", "2.1", NULL, NULL);
 *     if (asdf_file_history(file, &entries) == ASDF_OK) {
 *         asdf_node_count(entries, "", &count);
 *         asdf_node_get_string(entries, "0/description", text, sizeof text, NULL);
 *         asdf_node_get_software(entries, "0/software", 0, ASDF_SOFTWARE_VERSION, text, sizeof text, NULL);
 *         asdf_node_free(entries);
 *     }
 */

/**
 * Gets the list of history entries, in the order in which they were appended.
 *
 * @param file    the file
 * @param entries gets the sequence; NULL on failure. ASDF_ERR_NOT_FOUND if the file has no history
 * @since 0.1.0
 */
asdf_status asdf_file_history(const asdf_file *file, asdf_node **entries);

/**
 * Appends an entry (core/history_entry) to the history of a file that is new or opened for update. From version 1.2.0
 * of the standard on, the list is `history/entries`; before, it is `history`. A list at the other path is moved,
 * unless that would lose `history/extensions`.
 *
 * @param file              the file
 * @param description       text that describes the processing step
 * @param length            its length in bytes
 * @param time              date and time with offset, "2027-01-31T04:05:06Z"; ASDF_ERR_INVALID_ARGUMENT for any other
 *                          form. NULL for the current time
 * @param software_name     name of the program, or NULL for none; then the three parameters below must be NULL, too
 * @param software_version  version of the program, which the standard requires: ASDF_ERR_INVALID_ARGUMENT if it is
 *                          NULL and software_name is not
 * @param software_author   author of the program, or NULL
 * @param software_homepage URI of the program's homepage, or NULL
 * @since 0.1.0
 */
asdf_status asdf_file_add_history(asdf_file *file,
                                  const char *description,
                                  size_t length,
                                  const char *time,
                                  const char *software_name,
                                  const char *software_version,
                                  const char *software_author,
                                  const char *software_homepage);

/**
 * Gets the list of the extensions that a file was written with. Each is a core/extension_metadata with the keys
 * `extension_class`, and possibly `extension_uri`, `software`, `manifest_software` and others.
 *
 * @param file       the file
 * @param extensions gets the sequence; NULL on failure. ASDF_ERR_NOT_FOUND if the file lists none
 * @since 0.1.0
 */
asdf_status asdf_file_extensions(const asdf_file *file, asdf_node **extensions);

/**
 * Records an extension in the history of a file that is new or opened for update, as a core/extension_metadata. An
 * entry with the same URI, or without one with the same class, is replaced. ASDF_ERR_UNSUPPORTED in files of the
 * standards 1.0.0 and 1.1.0, which have no extensions.
 *
 * @param file             the file
 * @param class_name       name of the class or of the code that implements the extension
 * @param uri              URI of the extension, or NULL
 * @param software_name    name of the package that implements it, or NULL for none
 * @param software_version version of the package; ASDF_ERR_INVALID_ARGUMENT unless both or none are NULL
 * @since 0.1.0
 */
asdf_status asdf_file_add_extension(asdf_file *file,
                                    const char *class_name,
                                    const char *uri,
                                    const char *software_name,
                                    const char *software_version);

/*
 * Programs ------------------------------------------------------------------------------------------------------------
 *
 * A `core/software` tells name, version, author and homepage of a program. A file has the library that wrote it under
 * `asdf_library`; entries of the history have one program or a list of them under `software`.
 *
 *     char version[40];
 *     asdf_node_get_software(root, "asdf_library", 0, ASDF_SOFTWARE_VERSION, version, sizeof version, NULL);
 *     asdf_node_set_software(root, "pipeline", "reduce", "2.1", NULL, "https://example.org");
 */

#define ASDF_SOFTWARE_NAME 0     /**< Name of a program. */
#define ASDF_SOFTWARE_VERSION 1  /**< Version of a program. */
#define ASDF_SOFTWARE_AUTHOR 2   /**< Author of a program. */
#define ASDF_SOFTWARE_HOMEPAGE 3 /**< Homepage of a program, as a URI. */

/**
 * Gets the number of programs at a path: 1 for a core/software, more for a list of them.
 *
 * @param node  node that the path starts from
 * @param path  the path; ASDF_ERR_WRONG_TYPE if the node does not name programs
 * @param count gets the number
 * @since 0.1.0
 */
asdf_status asdf_node_software_count(const asdf_node *node, const char *path, int64_t *count);

/**
 * Gets a part of the description of a program: a core/software, also without its tag, or one of a list of them.
 *
 * @param node     node that the path starts from
 * @param path     the path; ASDF_ERR_WRONG_TYPE if the node does not name programs
 * @param index    number of the program, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param part     an ASDF_SOFTWARE_ constant
 * @param buffer   gets the text; empty if the file does not tell
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_node_get_software(const asdf_node *node,
                                   const char *path,
                                   int64_t index,
                                   int32_t part,
                                   char *buffer,
                                   size_t capacity,
                                   size_t *needed);

/**
 * Sets the description of a program, a core/software.
 *
 * @param node              node that the path starts from
 * @param path              the path
 * @param software_name     name of the program
 * @param software_version  version of the program
 * @param software_author   author of the program, or NULL
 * @param software_homepage URI of the program's homepage, or NULL
 * @since 0.1.0
 */
asdf_status asdf_node_set_software(asdf_node *node,
                                   const char *path,
                                   const char *software_name,
                                   const char *software_version,
                                   const char *software_author,
                                   const char *software_homepage);

/*
 * References ----------------------------------------------------------------------------------------------------------
 *
 * References are JSON that tells readers of zarr where the chunks of arrays lie in ASDF files (kerchunk, version 1).
 * fsspec with zarr, xarray and Dask then read the arrays as they lie, also from object stores, without this library.
 *
 *     asdf_buffer *json = NULL;
 *     const void *bytes;
 *     size_t size;
 *     if (asdf_file_export_references((const asdf_file *const *)&file, 1, NULL, &json) != ASDF_OK) return report();
 *     asdf_buffer_bytes(json, &bytes, &size);
 *     fwrite(bytes, 1, size, output);
 *     asdf_buffer_free(json);
 */

/**
 * Makes references to the arrays of one file or several.
 *
 * - Uncompressed arrays are divided into parts of whole rows (ASDF_OPTION_SLAB_BYTES). No part is shorter than the
 *   others: some readers would fail or read wrong elements.
 * - Blocks of the codecs zlib, bzp2, zstd, blsc and lz4 are chunks with that codec, and so are the chunks of chunked
 *   arrays.
 * - Arrays in Fortran order have their dimensions reversed.
 * - With several files, the arrays of the same path become one array, along a new dimension or, if
 *   ASDF_OPTION_JOIN_DIMENSION is empty, along one that they have.
 * - A file is known by its URL, size and time: ASDF_OPTION_URL sets the URL.
 *
 * Arrays that zarr cannot express are left out: records, elements in the tree, other codecs, strides without rows of
 * packed elements, arrays that differ between the files in more than their elements. The list `notes` under the key
 * `asdfkit` of the JSON has an entry for each of them, in the form of asdf_report_json(), and for masks. Its list
 * `files` has the URL of each file, its `size` in bytes and the time of its last change, `modified_ns`, in nanoseconds
 * since 1970.
 *
 * Fails with ASDF_ERR_NOT_FOUND if the node of ASDF_OPTION_ROOT does not exist, with ASDF_ERR_UNSUPPORTED if a file
 * without a name has no URL, and with ASDF_ERR_INVALID_ARGUMENT if two files have the same URL.
 *
 * @param files      the files, in the order in which they are joined
 * @param count      their number; ASDF_ERR_INVALID_ARGUMENT if it is less than 1
 * @param options    options, or NULL for the defaults
 * @param references gets the JSON, in UTF-8; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_file_export_references(const asdf_file *const *files,
                                        int64_t count,
                                        const asdf_options *options,
                                        asdf_buffer **references);

/* 6. Options ======================================================================================================= */

/*
 * Options -------------------------------------------------------------------------------------------------------------
 *
 * Options change the defaults of calls. All calls use the same type; each option has a key (see Keys of options). In
 * new options nothing is set, and every option has its default; NULL in place of options means the same. A call works
 * on a snapshot of the options, so they can be changed or freed at any time. Options never refer to memory of the
 * program.
 *
 * A call fails with ASDF_ERR_INVALID_ARGUMENT if it does not know a key that is set, and a setter does so if a value
 * is out of range. The message names the option, the function and the allowed values. So one handle with options of
 * reading is refused by a call that writes: use a handle for each kind of call, or set ASDF_OPTION_SHARED in a handle
 * that several kinds of calls share. Each of them then uses the options that it knows.
 *
 *     asdf_options *options = NULL;
 *     asdf_options_new(&options);
 *     asdf_options_set_int(options, ASDF_OPTION_VERIFY_CHECKSUMS, 1);
 *     asdf_options_set_int(options, ASDF_OPTION_LIMIT_TREE_BYTES, 16 << 20);
 *     asdf_file_open("image.asdf", options, &file);
 *     asdf_options_free(options);
 */

/**
 * Creates options in which nothing is set.
 *
 * @param options gets the options; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_options_new(asdf_options **options);

/**
 * Copies options. Later changes of one do not affect the other.
 *
 * @param options the options
 * @param copy    gets the copy; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_options_copy(const asdf_options *options, asdf_options **copy);

/**
 * Frees options. Running calls that use them are not affected.
 *
 * @param options the options, or NULL
 * @since 0.1.0
 */
void asdf_options_free(asdf_options *options);

/**
 * Unsets an option, so that it has its default again.
 *
 * @param options the options
 * @param key     an ASDF_OPTION_ constant; ASDF_ERR_INVALID_ARGUMENT for any other number
 * @since 0.1.0
 */
asdf_status asdf_options_unset(asdf_options *options, int32_t key);

/**
 * Sets an integer option: a truth value (0 or 1), a number, or a constant.
 *
 * @param options the options
 * @param key     an ASDF_OPTION_ constant; ASDF_ERR_INVALID_ARGUMENT if the option is not an integer
 * @param value   the value; ASDF_ERR_INVALID_ARGUMENT if out of range
 * @since 0.1.0
 */
asdf_status asdf_options_set_int(asdf_options *options, int32_t key, int64_t value);

/**
 * Sets an option that is a floating-point number.
 *
 * @param options the options
 * @param key     an ASDF_OPTION_ constant; ASDF_ERR_INVALID_ARGUMENT if the option is not a floating-point number
 * @param value   the value; ASDF_ERR_INVALID_ARGUMENT if it is not finite and greater than 0
 * @since 0.1.0
 */
asdf_status asdf_options_set_float(asdf_options *options, int32_t key, double value);

/**
 * Sets an integer option for one path.
 *
 * @param options the options
 * @param key     ASDF_OPTION_EXTENT; ASDF_ERR_INVALID_ARGUMENT for any other key
 * @param path    the path, as described for the key. An earlier value for this path is replaced
 * @param value   the value; ASDF_ERR_INVALID_ARGUMENT if out of range
 * @since 0.1.0
 */
asdf_status asdf_options_set_int_at(asdf_options *options, int32_t key, const char *path, int64_t value);

/**
 * Sets a list of integers; it replaces an earlier list.
 *
 * @param options the options
 * @param key     ASDF_OPTION_STRIDES or ASDF_OPTION_CHUNKS; ASDF_ERR_INVALID_ARGUMENT for any other key
 * @param ints    the integers; they are copied. May be NULL if the count is 0
 * @param count   number of integers; 0 for an empty list; ASDF_ERR_INVALID_ARGUMENT if negative
 * @since 0.1.0
 */
asdf_status asdf_options_set_ints(asdf_options *options, int32_t key, const int64_t *ints, int64_t count);

/**
 * Sets a text option.
 *
 * @param options the options
 * @param key     an ASDF_OPTION_ constant; ASDF_ERR_INVALID_ARGUMENT if the option is not a single text
 * @param text    text in UTF-8; it is copied. Names of files are system names without NUL. May be NULL if the length
 *                is 0. The content of the text is checked by the call that uses it
 * @param length  its length in bytes
 * @since 0.1.0
 */
asdf_status asdf_options_set_text(asdf_options *options, int32_t key, const char *text, size_t length);

/**
 * Adds a text to a list option.
 *
 * @param options the options
 * @param key     an ASDF_OPTION_ constant; ASDF_ERR_INVALID_ARGUMENT if the option is not a list of texts
 * @param text    the text, as for asdf_options_set_text(). NULL sets an empty list, which differs from an unset option
 * @param length  its length in bytes
 * @since 0.1.0
 */
asdf_status asdf_options_add_text(asdf_options *options, int32_t key, const char *text, size_t length);

/**
 * Gets an integer option that was set.
 *
 * @param options the options
 * @param key     an ASDF_OPTION_ constant; ASDF_ERR_NOT_FOUND if the option is not set; ASDF_ERR_WRONG_TYPE if it is
 *                not an integer
 * @param value   gets the value
 * @since 0.1.0
 */
asdf_status asdf_options_get_int(const asdf_options *options, int32_t key, int64_t *value);

/**
 * Gets an option that is a floating-point number and was set.
 *
 * @param options the options
 * @param key     an ASDF_OPTION_ constant; ASDF_ERR_NOT_FOUND if the option is not set; ASDF_ERR_WRONG_TYPE if it is
 *                not a floating-point number
 * @param value   gets the value
 * @since 0.1.0
 */
asdf_status asdf_options_get_float(const asdf_options *options, int32_t key, double *value);

/**
 * Gets a list of integers that was set.
 *
 * @param options  the options
 * @param key      an ASDF_OPTION_ constant; ASDF_ERR_NOT_FOUND if the option is not set; ASDF_ERR_WRONG_TYPE if it is
 *                 not a list of integers
 * @param ints     gets the integers; may be NULL if the capacity is 0
 * @param capacity size of the buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if too small
 * @param count    gets the number of integers; may be NULL if the capacity is not 0
 * @since 0.1.0
 */
asdf_status asdf_options_get_ints(const asdf_options *options,
                                  int32_t key,
                                  int64_t *ints,
                                  int32_t capacity,
                                  int32_t *count);

/**
 * Gets a text option that was set, or one text of a list.
 *
 * @param options  the options
 * @param key      an ASDF_OPTION_ constant; ASDF_ERR_NOT_FOUND if the option is not set; ASDF_ERR_WRONG_TYPE if it is
 *                 not a text or a list of texts
 * @param index    number of the text in its list, from 0; ASDF_ERR_OUT_OF_RANGE if there is none. 0 if the option is
 *                 not a list
 * @param buffer   gets the text
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_options_get_text(const asdf_options *options,
                                  int32_t key,
                                  int64_t index,
                                  char *buffer,
                                  size_t capacity,
                                  size_t *needed);

/*
 * Keys of options -----------------------------------------------------------------------------------------------------
 *
 * A key has the same meaning, type, default and range in all calls that know it. The tables below list the keys of
 * each call. Every call knows ASDF_OPTION_THREADS, ASDF_OPTION_PROGRESS, ASDF_OPTION_SHARED and the limits, even if
 * they have no effect on it. So one options handle with limits can be used for all calls of a program.
 */

/**
 * Number of threads that one call may use, including the calling thread. The other threads end before the call
 * returns. Callbacks run on the calling thread only.
 */
#define ASDF_OPTION_THREADS 1

/**
 * Callback that receives the progress of a call and can cancel it: asdf_options_set_progress(). It is used for this
 * call only; but readers, writers and streams keep it for all their calls.
 */
#define ASDF_OPTION_PROGRESS 2

/**
 * The options are shared by calls of several kinds: a call ignores the options that it does not know, which otherwise
 * are an error. The default finds options that have no effect by mistake.
 */
#define ASDF_OPTION_SHARED 3

#define ASDF_OPTION_LIMIT_TREE_BYTES 20 /**< Largest size of the YAML tree in bytes. */

/**
 * Largest nesting depth of collections, counted separately for block and flow style. For descriptions at most 128.
 */
#define ASDF_OPTION_LIMIT_DEPTH 21

#define ASDF_OPTION_LIMIT_NODES 22         /**< Largest number of nodes of a tree. */
#define ASDF_OPTION_LIMIT_ANCHORS 23       /**< Largest number of anchors, and of aliases. */
#define ASDF_OPTION_LIMIT_RANK 24          /**< Largest number of axes of an array. */
#define ASDF_OPTION_LIMIT_BLOCKS 25        /**< Largest number of blocks of a file. */
#define ASDF_OPTION_LIMIT_DECODED_BYTES 26 /**< Largest memory for decoded blocks in bytes. */

/**
 * Largest number of other files that one file refers to, directly or through others.
 */
#define ASDF_OPTION_LIMIT_EXTERNAL_FILES 27

/**
 * Largest number of files that one lookup passes through after the first one.
 */
#define ASDF_OPTION_LIMIT_EXTERNAL_DEPTH 28

/**
 * Largest size of temporary files with decoded blocks in bytes.
 */
#define ASDF_OPTION_LIMIT_TEMPORARY_BYTES 29

/**
 * Largest size of one record of a text table in bytes.
 */
#define ASDF_OPTION_LIMIT_RECORD_BYTES 30

/**
 * Largest number of elements of one table cell, from its declared shape.
 */
#define ASDF_OPTION_LIMIT_CELL_ELEMENTS 31

/**
 * Largest memory of a table or batch in bytes, in addition to its stored size.
 */
#define ASDF_OPTION_LIMIT_TABLE_BYTES 32

/**
 * Largest total size of the arrays of a file that is made from a description, in bytes.
 */
#define ASDF_OPTION_LIMIT_CREATED_BYTES 33

/**
 * Compare each block with its MD5 checksum before its bytes are first used. A block that does not match is
 * ASDF_ERR_CHECKSUM; a block without a checksum is accepted.
 */
#define ASDF_OPTION_VERIFY_CHECKSUMS 100

/**
 * Treat each warning as an error. Opening an ASDF file with a warning fails with ASDF_ERR_STRICT; for this, all block
 * headers are read. A description with a warning is not valid.
 */
#define ASDF_OPTION_WARNINGS_AS_ERRORS 101

/**
 * Read the file and the files that it refers to through a memory map instead of positioned reads. This is faster on
 * some machines and slower on others. If another process truncates the mapped file, SIGBUS ends the program.
 */
#define ASDF_OPTION_MAPPED 102

/**
 * Hold an advisory lock while a file is open for update. Opening fails with ASDF_ERR_LOCKED if another handle of this
 * library, in this process or another, has the file open for update. On file systems without locks this option has no
 * effect.
 */
#define ASDF_OPTION_LOCK 103

/**
 * Size of the cache in bytes. After a region of an array is read, the cache keeps decoded bytes of its compressed
 * block for the next region. The file and the files that it refers to share one cache. The least recently used bytes
 * are dropped first. 0 keeps nothing, neither in memory nor on disk. Default and maximum:
 * ASDF_OPTION_LIMIT_DECODED_BYTES.
 */
#define ASDF_OPTION_CACHE_BYTES 104

/**
 * Directory for temporary files with the decoded bytes of blocks larger than ASDF_OPTION_CACHE_BYTES. These files have
 * no name and disappear when the file is closed or the program ends. Empty for no temporary files: then each read of a
 * region decodes the block again. It fails with ASDF_ERR_LIMIT if the block is larger than
 * ASDF_OPTION_LIMIT_DECODED_BYTES and the region needs its bytes in another order. For asdf_node_begin_table(): the
 * directory for the file that gathers the rows; it must not be empty.
 */
#define ASDF_OPTION_TEMPORARY_DIRECTORY 105

/**
 * Access to other files that the file refers to: an ASDF_ACCESS_ constant.
 */
#define ASDF_OPTION_ACCESS 106

/**
 * Directories in and below which such other files may be. Neither ".." nor symbolic links lead out of them.
 */
#define ASDF_OPTION_DIRECTORIES 107

/**
 * Callback that opens such other files, with URIs of any scheme: asdf_options_set_resolver().
 */
#define ASDF_OPTION_RESOLVER 108

/**
 * Codecs of the program: asdf_options_add_codec(). A call that reads uses them in addition to the codecs of the
 * library; of several with the same label, the last one counts. A call that stores an array compresses it with the
 * last one, instead of ASDF_OPTION_CODEC.
 */
#define ASDF_OPTION_CUSTOM_CODECS 109

/**
 * Before asdf_array_write_region() overwrites a piece for the first time since the last save, wait until its old bytes
 * are on disk. With 0, a power cut before the save may leave elements that are neither old nor new.
 */
#define ASDF_OPTION_DURABLE_REGIONS 110

/**
 * Version of the ASDF standard of a new file: "1.0.0" to "1.6.0", or "1.7.0", which is not stable yet. It determines
 * the versions of the tags.
 */
#define ASDF_OPTION_STANDARD 111

/**
 * Write a new file for readers of the first version of the format, such as asdf-cxx 8: standard 1.5.0 unless
 * ASDF_OPTION_STANDARD says otherwise, so that arrays have the tag core/ndarray-1.0.0; offset and strides of each
 * array; no free space after the tree and no padding in headers of blocks, whatever ASDF_OPTION_ALIGNMENT and
 * ASDF_OPTION_TREE_SLACK say. Streams keep their alignment.
 */
#define ASDF_OPTION_OLD_READERS 112

/**
 * File of the library libasdfkit_remote, which reads files on servers. Default: the one that the environment variable
 * ASDFKIT_REMOTE_LIBRARY names, the one beside this library, or the one that the system finds.
 */
#define ASDF_OPTION_REMOTE 113

/**
 * Settings of files on servers, one "key=value" on each line: time limits, budgets, headers, credentials. Keys that are
 * not among those of asdf_remote.h belong to the store, such as aws_access_key_id. asdf_options_get_text() returns the
 * text, so do not print it.
 */
#define ASDF_OPTION_REMOTE_SETTINGS 114

/**
 * Wait until data and name of a written file are on disk. With 0, a power cut soon after the call may leave an
 * incomplete file; a crash of the program does not. ASDF_ERR_NOT_DURABLE means that the file is in place, but the last
 * wait, for its name, failed.
 */
#define ASDF_OPTION_DURABLE 200

/**
 * Replace an existing file of the same name; otherwise such a file is ASDF_ERR_FILE_EXISTS, and nothing is written.
 * The old file stays until the new one is complete. A symbolic link is followed; one without a target counts as a
 * file. A directory is never replaced: it is ASDF_ERR_INVALID_ARGUMENT. Pipes and character devices, such as
 * /dev/null, are written to without this option.
 */
#define ASDF_OPTION_REPLACE 201

/**
 * Alignment of block payloads in the file in bytes, a power of two; 1 for no alignment.
 */
#define ASDF_OPTION_ALIGNMENT 202

/**
 * Free space after the tree in bytes, so that the tree can grow later without moving the blocks. Default: about a
 * tenth of the tree, at most 1 MiB, and in files larger than 256 KiB up to the end of a page; if the tree has outgrown
 * its space there, a quarter of the tree, from 8 KiB to 1 MiB; 0 without blocks.
 */
#define ASDF_OPTION_TREE_SLACK 203

/**
 * Write MD5 checksums of blocks. ASDF_OPTION_BLOCK_CHECKSUM overrides this for single blocks.
 */
#define ASDF_OPTION_CHECKSUMS 204

/**
 * Write a block index, so that readers find a block without reading the headers of the blocks before it.
 */
#define ASDF_OPTION_BLOCK_INDEX 205

/**
 * Pattern for the names of the files with external arrays, beside the main file. "{number}" is replaced by a number of
 * at least four digits, from 0000 on; "{name}" by the name of the main file without its last extension. Names of
 * existing files are skipped. Default: "{name}{number}.asdf".
 */
#define ASDF_OPTION_EXTERNAL_NAMES 206

#define ASDF_OPTION_SAVE_MODE 207 /**< Way of saving: an ASDF_SAVE_ constant. */

/**
 * Form of the file that is written: an ASDF_CONTAINER_ constant.
 */
#define ASDF_OPTION_CONTAINER 208

/**
 * Version of the ASDF standard, such as "1.5.0", in which the file is rewritten. Tags get the versions of that
 * standard, keys that readers of the old one imply are written, and content gets the form of that standard; elements of
 * arrays do not change. ASDF_ERR_UNSUPPORTED, with the path, for content that the standard has no form for; nothing is
 * written then. Default: the version that the file has.
 */
#define ASDF_OPTION_AS_STANDARD 209

/**
 * Compression of a block: "zlib", "bzp2", "lz4", "lz4f" (one LZ4 frame), "zstd" (one Zstandard frame), "blsc" or
 * "bls2" (one Blosc chunk of format 1 or 2, shuffled, compressed with LZ4 unless ASDF_OPTION_BLOSC_CODEC and
 * ASDF_OPTION_SHUFFLE say otherwise, at most 2 GiB), "xz" (one .xz stream); empty
 * for none. Every ASDF library reads zlib and bzp2, most read lz4, few read the others. In builds without zstd, blsc,
 * bls2 or xz these are ASDF_ERR_UNKNOWN_CODEC.
 */
#define ASDF_OPTION_CODEC 300

/**
 * Level of the compression; see the table of codecs below. Default: that of the codec. A level n of blsc and bls2
 * means the level n of zlib, 2 n - 1 of zstd, and 22 for 9; with lz4 inside, all levels are the same.
 */
#define ASDF_OPTION_LEVEL 301

/**
 * Place of the elements of an array: an ASDF_STORAGE_ constant.
 */
#define ASDF_OPTION_STORAGE 302

/**
 * Name of the file that an external array is written to, without a directory. Default: from
 * ASDF_OPTION_EXTERNAL_NAMES.
 */
#define ASDF_OPTION_EXTERNAL_NAME 303

/**
 * Order of the elements in the file: an ASDF_ORDER_ constant. Readers see the same array in either order. Fortran
 * order is stored as strides in the tree, which some readers ignore. No effect on elements in the tree.
 */
#define ASDF_OPTION_STORED_ORDER 304

/**
 * Byte order of the elements in the file: an ASDF_BYTE_ORDER_ constant. Default: that of the machine.
 */
#define ASDF_OPTION_BYTE_ORDER 305

/**
 * Free space after the payload of the block in bytes, for later growth.
 */
#define ASDF_OPTION_BLOCK_SLACK 306

/**
 * Write an MD5 checksum of the block (1), or none (0). Default: ASDF_OPTION_CHECKSUMS of the call that writes the
 * file.
 */
#define ASDF_OPTION_BLOCK_CHECKSUM 307

/**
 * Keep the other keys (including the mask), the tag and the comments of an existing array at the path.
 */
#define ASDF_OPTION_KEEP 308

/**
 * Codec inside of blsc and bls2: "lz4" (the default), "zlib" or "zstd". zstd makes the smallest files.
 */
#define ASDF_OPTION_BLOSC_CODEC 309

/**
 * Filter of blsc and bls2 before compression: an ASDF_SHUFFLE_ constant. Shuffled bits often compress measured numbers
 * best.
 */
#define ASDF_OPTION_SHUFFLE 310

/**
 * Size in bytes of the elements that blsc and bls2 shuffle. Default: that of an element of the array; 1 if it is
 * larger than 255.
 */
#define ASDF_OPTION_TYPE_SIZE 311

/**
 * Shape of the chunks of a chunked array, in the form of asdf-zarr. Each chunk is a block of its own, compressed by
 * ASDF_OPTION_CODEC. Set it by asdf_options_set_ints(). Without it, an array is one block.
 */
#define ASDF_OPTION_CHUNKS 312

/**
 * Compressor of zarr for the chunks of a chunked array, in place of ASDF_OPTION_CODEC: "zlib", "gzip", "bz2", "lz4",
 * "zstd" or "blosc"; empty for none. It stands in the metadata of the array, so that readers of zarr find it.
 * ASDF_OPTION_LEVEL, ASDF_OPTION_BLOSC_CODEC, ASDF_OPTION_SHUFFLE and ASDF_OPTION_TYPE_SIZE then belong to it. Levels
 * of gzip are those of zlib; lz4 has none.
 */
#define ASDF_OPTION_CHUNK_CODEC 313

/**
 * Filters of zarr for the chunks of a chunked array, in the order in which they are applied: "delta" (differences of
 * integers; it must be the first) and "shuffle" (bytes sorted by their place in the element). Set it by
 * asdf_options_add_text(). ASDF_OPTION_CHUNK_CODEC or ASDF_OPTION_CODEC compresses what they make.
 */
#define ASDF_OPTION_CHUNK_FILTERS 314

/**
 * Order of elements in memory, without gaps: an ASDF_ORDER_ constant. Indices and shapes do not depend on the order: a
 * Fortran array a(3, 2) has the shape {3, 2} with ASDF_ORDER_FORTRAN, or {2, 3} with ASDF_ORDER_C.
 */
#define ASDF_OPTION_ORDER 400

/**
 * Strides in memory: bytes from one element to the next along each axis, slowest axis of the array first. They may be
 * negative. The memory begins with the element at the lowest address. Elements of an output must not overlap. Excludes
 * ASDF_OPTION_ORDER.
 */
#define ASDF_OPTION_STRIDES 401

/**
 * Clamp elements that do not fit the datatype; otherwise they are ASDF_ERR_OVERFLOW. Clamping works as follows:
 * integers, float16 and float32 saturate; conversion to an integer drops the fraction and turns NaN into 0; conversion
 * to a real number drops the imaginary part; strings are cut.
 */
#define ASDF_OPTION_CLAMP 402

/**
 * Value that replaces missing elements: asdf_options_set_fill().
 */
#define ASDF_OPTION_FILL 403

/**
 * Pad strings of fixed length in memory with blanks instead of NULs, as in Fortran. Reading adds blanks at the ends of
 * strings; writing removes them. Strings that differ only in trailing blanks then become equal. To write them, the
 * library copies the elements.
 */
#define ASDF_OPTION_BLANK_PADDED 404

/**
 * Datatype of the elements in memory if the datatype code of the call is 0: asdf_options_set_datatype(). Without it, 0
 * means the datatype of the array itself; a call that makes an array or a column then fails.
 */
#define ASDF_OPTION_DATATYPE 405

/**
 * Unit in which numbers are read: of the elements of an array (of a quantity, a column, or another mapping with the
 * key "unit") or of a column of a table. The text can have any spelling, and an empty text is the unit of plain
 * numbers. Numbers are converted in binary64 before they are converted to the datatype of the call; between integers
 * the result is exact, or ASDF_ERR_OVERFLOW. The fill value is already in this unit. Elements without a unit, and
 * units that are not commensurable, are ASDF_ERR_UNITS; strings, records and truth values are ASDF_ERR_CONVERSION.
 */
#define ASDF_OPTION_UNIT 406

/**
 * Conversions between units of different dimensions that are allowed, by their names in astropy, separated by commas:
 * `spectral` (wavelength, frequency, energy and wave number of light), `dimensionless_angles` (radians are numbers),
 * `temperature` (degrees Celsius and kelvins).
 */
#define ASDF_OPTION_EQUIVALENCIES 407

/**
 * Form of a table in an ASDF file: an ASDF_TABLE_FORM_ constant.
 */
#define ASDF_OPTION_TABLE_FORM 500

/**
 * Leave out, with a warning of the table, information that the form of the table cannot hold, columns that do not
 * consist of arrays, and columns with units of unknown kinds. Otherwise these are errors.
 */
#define ASDF_OPTION_LEAVE_OUT 501

/**
 * Copy the metadata of a table in a simplified form that other formats can hold: arrays become lists, scalars with a
 * tag become texts, collections lose their tags, and references are replaced by their targets. Units, quantities,
 * times, coordinates and complex numbers get the tags that astropy gives them in ECSV.
 */
#define ASDF_OPTION_PLAIN_METADATA 502

#define ASDF_OPTION_ECSV_STRICT 503 /**< Read ECSV strictly as APE 6 specifies it. */

/**
 * Field texts that mean a missing cell, such as "null" in Gaia files. An empty field is a missing cell, too, except in
 * a column of strings that the metadata declare as masked: there it is an empty string.
 */
#define ASDF_OPTION_NULL_VALUES 504

/**
 * Names of the columns to read; they are returned in the order of the file. Default: all.
 */
#define ASDF_OPTION_COLUMNS 505

#define ASDF_OPTION_FIRST_ROW 506 /**< First row to read, from 0. */

/**
 * Largest number of rows to read. Default: all following rows.
 */
#define ASDF_OPTION_ROW_COUNT 507

/**
 * Largest number of rows of a batch. With 0, a batch has as many rows as take a few MiB if rows are read from a file,
 * and all rows if the table is in memory.
 */
#define ASDF_OPTION_BATCH_ROWS 508

/**
 * Treatment of column names that differ between the line of names and the header: an ASDF_COLUMN_NAMES_ constant.
 */
#define ASDF_OPTION_COLUMN_NAMES 509

/**
 * Remove leading and trailing blanks also from quoted fields, as astropy does. A field that is empty afterwards counts
 * as an empty field.
 */
#define ASDF_OPTION_TRIM_QUOTED 510

/**
 * File with the header of the table, if the rows are in a separate file. In the file of rows, lines before the line of
 * names that begin with # are then comments.
 */
#define ASDF_OPTION_HEADER_FILE 511

/**
 * Text of the header, if the rows are in a separate file. Excludes ASDF_OPTION_HEADER_FILE.
 */
#define ASDF_OPTION_HEADER_TEXT 512

#define ASDF_OPTION_DELIMITER 513 /**< Delimiter of fields: an ASDF_DELIMITER_ constant. */

/**
 * Compression of the whole text: an ASDF_TEXT_COMPRESSION_ constant.
 */
#define ASDF_OPTION_TEXT_COMPRESSION 514

/**
 * Treatment of empty strings that are not missing: an ASDF_EMPTY_STRINGS_ constant.
 */
#define ASDF_OPTION_EMPTY_STRINGS 515

/**
 * Spelling of infinite numbers and NaN as elements of arrays: an ASDF_JSON_NUMBERS_ constant.
 */
#define ASDF_OPTION_JSON_NUMBERS 516

/**
 * Read every column as text. The header then needs no datatypes, or is missing: of the lines before the line of names,
 * only a delimiter is read. Excludes ASDF_OPTION_HEADER_FILE and ASDF_OPTION_HEADER_TEXT.
 */
#define ASDF_OPTION_AS_TEXT 517

/**
 * Read the columns in the form that the file has. Otherwise a column of values and the column of its mask, as astropy
 * writes them for texts, are one column with missing elements.
 */
#define ASDF_OPTION_RAW_COLUMNS 518

/**
 * Text of the index of the table, from asdf_table_index(): reading begins near the first row.
 */
#define ASDF_OPTION_TABLE_INDEX 519

/**
 * Table of leap seconds in the form of leap-seconds.list or of Leap_Second.dat of the IERS. It replaces the table of
 * the library from 1972 on. Excludes ASDF_OPTION_LEAP_SECONDS_FILE.
 */
#define ASDF_OPTION_LEAP_SECONDS 550

/**
 * File with such a table, often /usr/share/zoneinfo/leap-seconds.list.
 */
#define ASDF_OPTION_LEAP_SECONDS_FILE 551

/**
 * Schemas that the content must match: asdf_options_set_schemas(). Opening fails with ASDF_ERR_INVALID if the content
 * does not match them; writing fails so before it writes anything.
 */
#define ASDF_OPTION_SCHEMAS 560

/**
 * URI of a schema that the root, or the node of the call, must match besides those of its tags. Empty for none. Without
 * ASDF_OPTION_SCHEMAS it has no effect on opening and writing.
 */
#define ASDF_OPTION_ROOT_SCHEMA 561

/**
 * Accept keys that the Ndarray Data Language does not define, with a warning; otherwise they are errors.
 */
#define ASDF_OPTION_UNKNOWN_KEYS 600

/**
 * Sort groups and their content by path name; otherwise they keep document order.
 */
#define ASDF_OPTION_SORT 601

#define ASDF_OPTION_CDL_VALUES 602 /**< Include the values of arrays in CDL. */

/**
 * Arrays whose values are included in the description of a file: an ASDF_NDL_VALUES_ constant.
 */
#define ASDF_OPTION_DESCRIBED_VALUES 603

/**
 * Path name of the part to describe: a group, array or dimension coordinate with its whole content. Empty for the
 * whole file.
 */
#define ASDF_OPTION_ONLY 604

#define ASDF_OPTION_ALL 605 /**< Also describe `asdf_library` and `history`. */

/**
 * Store information that the language cannot express under `x-asdf` keys: tags, strides, masks, lengths of strings.
 */
#define ASDF_OPTION_ANNOTATE 606

/**
 * Describe float16 arrays as float32; otherwise they are opaque bytes with the tag `IEEE 754 binary16`.
 */
#define ASDF_OPTION_WIDEN_FLOAT16 607

/**
 * Length of strings, in characters, in arrays without values; with 0 such arrays are ASDF_ERR_INCOMPLETE.
 */
#define ASDF_OPTION_STRING_LENGTH 608

/**
 * Number of elements along unlimited dimensions. asdf_options_set_int() sets it for all dimensions whose stored size
 * is not in the description. asdf_options_set_int_at() sets it for one dimension coordinate, or for the unlimited
 * dimensions of one array, by path name; it overrides the description.
 */
#define ASDF_OPTION_EXTENT 609

/**
 * Use zeros for elements without a value, even if the description has a fill value.
 */
#define ASDF_OPTION_ZEROS 610

/**
 * Path name of the array to store as a streamed last block, so that rows can be appended. Its first dimension must be
 * unlimited. Empty for none.
 */
#define ASDF_OPTION_STREAMED 611

/**
 * Give points outside of the bounding box the fill value. By default this is so for world coordinates, and not for a
 * transform. The fill value is NaN, or that of asdf_options_set_fill().
 */
#define ASDF_OPTION_BOUNDING_BOX 700

/**
 * Fail where a compound bounding box has no box for a point. Otherwise such a point gets the fill value.
 */
#define ASDF_OPTION_STRICT_BOXES 701

/**
 * Fail for points outside of arrays of labels. Otherwise such points have no label.
 */
#define ASDF_OPTION_STRICT_LABELS 702

/**
 * Largest length of the last step of an iteration that counts as converged, in pixels. Results are usually much more
 * exact.
 */
#define ASDF_OPTION_TOLERANCE 703

#define ASDF_OPTION_ITERATIONS 704 /**< Largest number of steps of an iteration. */

/**
 * Fail if an iteration does not converge. Otherwise such a point is NaN, and is counted.
 */
#define ASDF_OPTION_STRICT_CONVERGENCE 705

/**
 * Letter of an alternate WCS in a FITS header, such as A for the keywords CTYPE1A. Empty for the primary one.
 */
#define ASDF_OPTION_ALTERNATE 706

/**
 * Largest error of a position on the sky by cards that approximate a WCS, in pixels.
 */
#define ASDF_OPTION_MAX_ERROR 707

/**
 * Largest error of a pixel by cards that approximate a WCS, in pixels.
 */
#define ASDF_OPTION_MAX_INVERSE_ERROR 708

/**
 * Degree of the polynomials to the sky, up to 9; 0 for the smallest one that reaches the error.
 */
#define ASDF_OPTION_DEGREE 709

/**
 * Degree of the polynomials to pixels, up to 9; 0 for the smallest one that reaches the error.
 */
#define ASDF_OPTION_INVERSE_DEGREE 710

/**
 * Number of points along each axis at which cards that approximate a WCS are fitted.
 */
#define ASDF_OPTION_GRID_POINTS 711

/**
 * Wanted size in bytes of the parts of an uncompressed array. Parts have whole rows, and the size near this one that
 * divides the array without a remainder.
 */
#define ASDF_OPTION_SLAB_BYTES 800

/**
 * URL of the file, or, with '/' at its end, of the folder that holds the files. Empty for the places where the files
 * were opened.
 */
#define ASDF_OPTION_URL 801

/**
 * Path of the node that becomes the root group. Empty for the root of the tree.
 */
#define ASDF_OPTION_ROOT 802

/**
 * Index of the dimension along which the arrays of several files follow one another.
 */
#define ASDF_OPTION_JOIN_AXIS 803

/**
 * Name of the new dimension, with one index for each file. Empty if the arrays have the dimension already.
 */
#define ASDF_OPTION_JOIN_DIMENSION 804

/**
 * Paths of arrays that are the same in all files; they are taken from the first one.
 */
#define ASDF_OPTION_SAME 805

/**
 * Largest number of bytes of an array in the tree whose elements are written into the references. Some readers refuse
 * such references.
 */
#define ASDF_OPTION_INLINE_BYTES 806

/*
 * Options of calls. Each table lists the functions, then the options that they know, with type and
 * default. If the default is missing here, the description of the option above has it.
 *
 * All calls with options
 *   ASDF_OPTION_THREADS                integer 1 .. 1024            1
 *   ASDF_OPTION_PROGRESS               by asdf_options_set_progress() none
 *   ASDF_OPTION_SHARED                 0 or 1                       0
 *   ASDF_OPTION_LIMIT_TREE_BYTES       integer 1 .. 4294967294      1 GiB
 *   ASDF_OPTION_LIMIT_DEPTH            integer 1 .. 4294967295      255; descriptions: 128
 *   ASDF_OPTION_LIMIT_NODES            integer >= 1                 100 million; descriptions: 2 million
 *   ASDF_OPTION_LIMIT_ANCHORS          integer >= 1                 1 million each
 *   ASDF_OPTION_LIMIT_RANK             integer 1 .. 32              32
 *   ASDF_OPTION_LIMIT_BLOCKS           integer >= 1                 2^24
 *   ASDF_OPTION_LIMIT_DECODED_BYTES    integer >= 1                 1 GiB
 *   ASDF_OPTION_LIMIT_EXTERNAL_FILES   integer 1 .. 4294967295      1,000
 *   ASDF_OPTION_LIMIT_EXTERNAL_DEPTH   integer 1 .. 4294967295      4
 *   ASDF_OPTION_LIMIT_TEMPORARY_BYTES  integer >= 1                 16 GiB
 *   ASDF_OPTION_LIMIT_RECORD_BYTES     integer >= 1                 256 MiB
 *   ASDF_OPTION_LIMIT_CELL_ELEMENTS    integer >= 1                 2^24
 *   ASDF_OPTION_LIMIT_TABLE_BYTES      integer >= 1                 4 GiB
 *   ASDF_OPTION_LIMIT_CREATED_BYTES    integer >= 0                 1 GiB
 *
 * Opening files (the options apply as long as the handle that the call returns)
 *   asdf_file_open asdf_file_open_memory asdf_file_open_borrowed asdf_file_open_descriptor asdf_file_open_source
 *   asdf_file_open_ranges
 *   ASDF_OPTION_VERIFY_CHECKSUMS       0 or 1                       0
 *   ASDF_OPTION_WARNINGS_AS_ERRORS     0 or 1                       0
 *   ASDF_OPTION_MAPPED                 0 or 1                       0
 *   ASDF_OPTION_CACHE_BYTES            integer >= 0
 *   ASDF_OPTION_TEMPORARY_DIRECTORY    file name                    that of the system
 *   ASDF_OPTION_ACCESS                 ASDF_ACCESS_...              ASDF_ACCESS_DENY
 *   ASDF_OPTION_DIRECTORIES            file names                   none
 *   ASDF_OPTION_RESOLVER               by asdf_options_set_resolver() none
 *   ASDF_OPTION_CUSTOM_CODECS          by asdf_options_add_codec()  none
 *   ASDF_OPTION_REMOTE                 file name
 *   ASDF_OPTION_REMOTE_SETTINGS        text                         none
 *   ASDF_OPTION_SCHEMAS                by asdf_options_set_schemas() none
 *   ASDF_OPTION_ROOT_SCHEMA            text                         none
 *
 * Opening files for update (the options apply as long as the handle that the call returns)
 *   asdf_file_open_for_update asdf_file_open_memory_for_update asdf_file_open_descriptor_for_update
 *   ASDF_OPTION_VERIFY_CHECKSUMS       0 or 1                       0
 *   ASDF_OPTION_WARNINGS_AS_ERRORS     0 or 1                       0
 *   ASDF_OPTION_MAPPED                 0 or 1                       0
 *   ASDF_OPTION_CACHE_BYTES            integer >= 0
 *   ASDF_OPTION_TEMPORARY_DIRECTORY    file name                    that of the system
 *   ASDF_OPTION_ACCESS                 ASDF_ACCESS_...              ASDF_ACCESS_DENY
 *   ASDF_OPTION_DIRECTORIES            file names                   none
 *   ASDF_OPTION_RESOLVER               by asdf_options_set_resolver() none
 *   ASDF_OPTION_CUSTOM_CODECS          by asdf_options_add_codec()  none
 *   ASDF_OPTION_REMOTE                 file name
 *   ASDF_OPTION_REMOTE_SETTINGS        text                         none
 *   ASDF_OPTION_LOCK                   0 or 1                       1
 *   ASDF_OPTION_DURABLE_REGIONS        0 or 1                       1
 *   ASDF_OPTION_SCHEMAS                by asdf_options_set_schemas() none
 *   ASDF_OPTION_ROOT_SCHEMA            text                         none
 *
 * New files (the options apply as long as the handle that the call returns)
 *   asdf_file_new
 *   ASDF_OPTION_STANDARD               text                         1.6.0
 *   ASDF_OPTION_OLD_READERS            0 or 1                       0
 *
 * Writing files
 *   asdf_file_write
 *   ASDF_OPTION_REPLACE                0 or 1                       0
 *   ASDF_OPTION_DURABLE                0 or 1                       1
 *   ASDF_OPTION_ALIGNMENT              power of two <= 4096         64
 *   ASDF_OPTION_TREE_SLACK             integer >= 0
 *   ASDF_OPTION_CHECKSUMS              0 or 1                       1
 *   ASDF_OPTION_BLOCK_INDEX            0 or 1                       1
 *   ASDF_OPTION_EXTERNAL_NAMES         text
 *   ASDF_OPTION_CONTAINER              ASDF_CONTAINER_...           ASDF_CONTAINER_ASDF
 *   ASDF_OPTION_AS_STANDARD            text
 *   ASDF_OPTION_SCHEMAS                by asdf_options_set_schemas() none
 *   ASDF_OPTION_ROOT_SCHEMA            text                         none
 *
 * Exploding and imploding files
 *   asdf_file_explode asdf_file_implode
 *   ASDF_OPTION_REPLACE                0 or 1                       0
 *   ASDF_OPTION_DURABLE                0 or 1                       1
 *   ASDF_OPTION_ALIGNMENT              power of two <= 4096         64
 *   ASDF_OPTION_TREE_SLACK             integer >= 0
 *   ASDF_OPTION_CHECKSUMS              0 or 1                       1
 *   ASDF_OPTION_BLOCK_INDEX            0 or 1                       1
 *   ASDF_OPTION_EXTERNAL_NAMES         text
 *   ASDF_OPTION_SCHEMAS                by asdf_options_set_schemas() none
 *   ASDF_OPTION_ROOT_SCHEMA            text                         none
 *
 * Writing files without a name
 *   asdf_file_write_memory asdf_file_write_descriptor
 *   ASDF_OPTION_DURABLE                0 or 1                       1
 *   ASDF_OPTION_ALIGNMENT              power of two <= 4096         64
 *   ASDF_OPTION_TREE_SLACK             integer >= 0
 *   ASDF_OPTION_CHECKSUMS              0 or 1                       1
 *   ASDF_OPTION_BLOCK_INDEX            0 or 1                       1
 *   ASDF_OPTION_EXTERNAL_NAMES         text
 *   ASDF_OPTION_CONTAINER              ASDF_CONTAINER_...           ASDF_CONTAINER_ASDF
 *   ASDF_OPTION_AS_STANDARD            text
 *   ASDF_OPTION_SCHEMAS                by asdf_options_set_schemas() none
 *   ASDF_OPTION_ROOT_SCHEMA            text                         none
 *
 * Saving files
 *   asdf_file_save
 *   ASDF_OPTION_DURABLE                0 or 1                       1
 *   ASDF_OPTION_ALIGNMENT              power of two <= 4096         64
 *   ASDF_OPTION_TREE_SLACK             integer >= 0
 *   ASDF_OPTION_CHECKSUMS              0 or 1                       1
 *   ASDF_OPTION_BLOCK_INDEX            0 or 1                       1
 *   ASDF_OPTION_EXTERNAL_NAMES         text
 *   ASDF_OPTION_SAVE_MODE              ASDF_SAVE_...                ASDF_SAVE_AUTO
 *   ASDF_OPTION_AS_STANDARD            text
 *   ASDF_OPTION_SCHEMAS                by asdf_options_set_schemas() none
 *   ASDF_OPTION_ROOT_SCHEMA            text                         none
 *
 * Compacting and repairing files
 *   asdf_file_compact asdf_file_repair
 *   ASDF_OPTION_DURABLE                0 or 1                       1
 *   ASDF_OPTION_ALIGNMENT              power of two <= 4096         64
 *   ASDF_OPTION_TREE_SLACK             integer >= 0
 *   ASDF_OPTION_CHECKSUMS              0 or 1                       1
 *   ASDF_OPTION_BLOCK_INDEX            0 or 1                       1
 *   ASDF_OPTION_EXTERNAL_NAMES         text
 *   ASDF_OPTION_SAVE_MODE              ASDF_SAVE_...                ASDF_SAVE_AUTO
 *   ASDF_OPTION_SCHEMAS                by asdf_options_set_schemas() none
 *   ASDF_OPTION_ROOT_SCHEMA            text                         none
 *
 * Validating
 *   asdf_file_validate asdf_node_validate asdf_table_validate asdf_schema_describe
 *   ASDF_OPTION_ROOT_SCHEMA            text                         none
 *
 * Recovering files
 *   asdf_file_recover
 *   ASDF_OPTION_VERIFY_CHECKSUMS       0 or 1                       0
 *   ASDF_OPTION_WARNINGS_AS_ERRORS     0 or 1                       0
 *   ASDF_OPTION_MAPPED                 0 or 1                       0
 *   ASDF_OPTION_CACHE_BYTES            integer >= 0
 *   ASDF_OPTION_TEMPORARY_DIRECTORY    file name                    that of the system
 *   ASDF_OPTION_ACCESS                 ASDF_ACCESS_...              ASDF_ACCESS_DENY
 *   ASDF_OPTION_DIRECTORIES            file names                   none
 *   ASDF_OPTION_RESOLVER               by asdf_options_set_resolver() none
 *   ASDF_OPTION_CUSTOM_CODECS          by asdf_options_add_codec()  none
 *   ASDF_OPTION_REMOTE                 file name
 *   ASDF_OPTION_REMOTE_SETTINGS        text                         none
 *   ASDF_OPTION_REPLACE                0 or 1                       0
 *   ASDF_OPTION_DURABLE                0 or 1                       1
 *   ASDF_OPTION_ALIGNMENT              power of two <= 4096         64
 *   ASDF_OPTION_TREE_SLACK             integer >= 0
 *   ASDF_OPTION_CHECKSUMS              0 or 1                       1
 *   ASDF_OPTION_BLOCK_INDEX            0 or 1                       1
 *   ASDF_OPTION_EXTERNAL_NAMES         text
 *
 * Blocks, stored views and resizing
 *   asdf_array_view_stored asdf_node_resize_array asdf_file_read_block_stored asdf_file_read_block
 *   asdf_file_verify asdf_file_inspect asdf_file_verify_block
 *
 * Views
 *   asdf_array_view
 *   ASDF_OPTION_DATATYPE               by asdf_options_set_datatype()
 *   ASDF_OPTION_UNIT                   text                         that of the elements
 *   ASDF_OPTION_EQUIVALENCIES          text                         none
 *
 * Reading arrays and columns of tables
 *   asdf_array_read asdf_array_read_region asdf_table_read_column
 *   ASDF_OPTION_ORDER                  ASDF_ORDER_...               ASDF_ORDER_C
 *   ASDF_OPTION_STRIDES                integers
 *   ASDF_OPTION_CLAMP                  0 or 1                       0
 *   ASDF_OPTION_FILL                   by asdf_options_set_fill()   none
 *   ASDF_OPTION_DATATYPE               by asdf_options_set_datatype()
 *   ASDF_OPTION_BLANK_PADDED           0 or 1                       0
 *   ASDF_OPTION_UNIT                   text                         that of the elements
 *   ASDF_OPTION_EQUIVALENCIES          text                         none
 *
 * Reading values of descriptions
 *   asdf_ndl_read_values
 *   ASDF_OPTION_ORDER                  ASDF_ORDER_...               ASDF_ORDER_C
 *   ASDF_OPTION_STRIDES                integers
 *   ASDF_OPTION_CLAMP                  0 or 1                       0
 *   ASDF_OPTION_FILL                   by asdf_options_set_fill()   none
 *   ASDF_OPTION_DATATYPE               by asdf_options_set_datatype()
 *   ASDF_OPTION_BLANK_PADDED           0 or 1                       0
 *
 * Reading masks, and single strings of arrays
 *   asdf_array_read_mask asdf_array_read_mask_region asdf_array_read_string
 *   ASDF_OPTION_ORDER                  ASDF_ORDER_...               ASDF_ORDER_C
 *   ASDF_OPTION_STRIDES                integers
 *   ASDF_OPTION_CLAMP                  0 or 1                       0
 *   ASDF_OPTION_FILL                   by asdf_options_set_fill()   none
 *   ASDF_OPTION_DATATYPE               by asdf_options_set_datatype()
 *
 * Reading arrays and columns of tables into memory of the library
 *   asdf_array_load asdf_table_load_column
 *   ASDF_OPTION_ORDER                  ASDF_ORDER_...               ASDF_ORDER_C
 *   ASDF_OPTION_CLAMP                  0 or 1                       0
 *   ASDF_OPTION_FILL                   by asdf_options_set_fill()   none
 *   ASDF_OPTION_DATATYPE               by asdf_options_set_datatype()
 *   ASDF_OPTION_BLANK_PADDED           0 or 1                       0
 *   ASDF_OPTION_UNIT                   text                         that of the elements
 *   ASDF_OPTION_EQUIVALENCIES          text                         none
 *
 * Reading arrays of strings into memory of the library
 *   asdf_array_load_text
 *   ASDF_OPTION_ORDER                  ASDF_ORDER_...               ASDF_ORDER_C
 *   ASDF_OPTION_FILL                   by asdf_options_set_fill()   none
 *   ASDF_OPTION_DATATYPE               by asdf_options_set_datatype()
 *
 * Reading columns of text into memory of the library
 *   asdf_table_load_text
 *   ASDF_OPTION_FILL                   by asdf_options_set_fill()   none
 *   ASDF_OPTION_DATATYPE               by asdf_options_set_datatype()
 *
 * Writing regions
 *   asdf_array_write_region asdf_array_append
 *   ASDF_OPTION_ORDER                  ASDF_ORDER_...               ASDF_ORDER_C
 *   ASDF_OPTION_STRIDES                integers
 *   ASDF_OPTION_CLAMP                  0 or 1                       0
 *   ASDF_OPTION_DATATYPE               by asdf_options_set_datatype()
 *   ASDF_OPTION_BLANK_PADDED           0 or 1                       0
 *
 * Setting arrays
 *   asdf_node_set_array
 *   ASDF_OPTION_ORDER                  ASDF_ORDER_...               ASDF_ORDER_C
 *   ASDF_OPTION_STRIDES                integers
 *   ASDF_OPTION_CODEC                  text                         none
 *   ASDF_OPTION_LEVEL                  integer 0 .. 22
 *   ASDF_OPTION_BLOSC_CODEC            text                         lz4
 *   ASDF_OPTION_SHUFFLE                ASDF_SHUFFLE_...             ASDF_SHUFFLE_BYTE
 *   ASDF_OPTION_TYPE_SIZE              integer 1 .. 255
 *   ASDF_OPTION_STORAGE                ASDF_STORAGE_...             ASDF_STORAGE_INTERNAL
 *   ASDF_OPTION_CUSTOM_CODECS          by asdf_options_add_codec()  none
 *   ASDF_OPTION_EXTERNAL_NAME          file name
 *   ASDF_OPTION_STORED_ORDER           ASDF_ORDER_...               ASDF_ORDER_C
 *   ASDF_OPTION_BYTE_ORDER             ASDF_BYTE_ORDER_...
 *   ASDF_OPTION_BLOCK_SLACK            integer >= 0                 0
 *   ASDF_OPTION_BLOCK_CHECKSUM         0 or 1
 *   ASDF_OPTION_CHUNKS                 integers                     none
 *   ASDF_OPTION_CHUNK_CODEC            text                         none
 *   ASDF_OPTION_CHUNK_FILTERS          texts                        none
 *   ASDF_OPTION_KEEP                   0 or 1                       0
 *   ASDF_OPTION_DATATYPE               by asdf_options_set_datatype()
 *   ASDF_OPTION_BLANK_PADDED           0 or 1                       0
 *
 * Lending arrays
 *   asdf_node_set_array_borrowed
 *   ASDF_OPTION_ORDER                  ASDF_ORDER_...               ASDF_ORDER_C
 *   ASDF_OPTION_STRIDES                integers
 *   ASDF_OPTION_CODEC                  text                         none
 *   ASDF_OPTION_LEVEL                  integer 0 .. 22
 *   ASDF_OPTION_BLOSC_CODEC            text                         lz4
 *   ASDF_OPTION_SHUFFLE                ASDF_SHUFFLE_...             ASDF_SHUFFLE_BYTE
 *   ASDF_OPTION_TYPE_SIZE              integer 1 .. 255
 *   ASDF_OPTION_STORAGE                ASDF_STORAGE_...             ASDF_STORAGE_INTERNAL
 *   ASDF_OPTION_CUSTOM_CODECS          by asdf_options_add_codec()  none
 *   ASDF_OPTION_EXTERNAL_NAME          file name
 *   ASDF_OPTION_STORED_ORDER           ASDF_ORDER_...               ASDF_ORDER_C
 *   ASDF_OPTION_BYTE_ORDER             ASDF_BYTE_ORDER_...
 *   ASDF_OPTION_BLOCK_SLACK            integer >= 0                 0
 *   ASDF_OPTION_BLOCK_CHECKSUM         0 or 1
 *   ASDF_OPTION_CHUNKS                 integers                     none
 *   ASDF_OPTION_CHUNK_CODEC            text                         none
 *   ASDF_OPTION_CHUNK_FILTERS          texts                        none
 *   ASDF_OPTION_KEEP                   0 or 1                       0
 *   ASDF_OPTION_DATATYPE               by asdf_options_set_datatype()
 *
 * Setting arrays without memory for them
 *   asdf_node_set_array_callback asdf_node_set_array_zeros
 *   ASDF_OPTION_CODEC                  text                         none
 *   ASDF_OPTION_LEVEL                  integer 0 .. 22
 *   ASDF_OPTION_BLOSC_CODEC            text                         lz4
 *   ASDF_OPTION_SHUFFLE                ASDF_SHUFFLE_...             ASDF_SHUFFLE_BYTE
 *   ASDF_OPTION_TYPE_SIZE              integer 1 .. 255
 *   ASDF_OPTION_STORAGE                ASDF_STORAGE_...             ASDF_STORAGE_INTERNAL
 *   ASDF_OPTION_CUSTOM_CODECS          by asdf_options_add_codec()  none
 *   ASDF_OPTION_EXTERNAL_NAME          file name
 *   ASDF_OPTION_STORED_ORDER           ASDF_ORDER_...               ASDF_ORDER_C
 *   ASDF_OPTION_BYTE_ORDER             ASDF_BYTE_ORDER_...
 *   ASDF_OPTION_BLOCK_SLACK            integer >= 0                 0
 *   ASDF_OPTION_BLOCK_CHECKSUM         0 or 1
 *   ASDF_OPTION_CHUNKS                 integers                     none
 *   ASDF_OPTION_CHUNK_CODEC            text                         none
 *   ASDF_OPTION_CHUNK_FILTERS          texts                        none
 *   ASDF_OPTION_KEEP                   0 or 1                       0
 *   ASDF_OPTION_DATATYPE               by asdf_options_set_datatype()
 *
 * Copying nodes
 *   asdf_node_copy
 *   ASDF_OPTION_CODEC                  text                         none
 *   ASDF_OPTION_LEVEL                  integer 0 .. 22
 *   ASDF_OPTION_BLOSC_CODEC            text                         lz4
 *   ASDF_OPTION_SHUFFLE                ASDF_SHUFFLE_...             ASDF_SHUFFLE_BYTE
 *   ASDF_OPTION_TYPE_SIZE              integer 1 .. 255
 *   ASDF_OPTION_STORAGE                ASDF_STORAGE_...             ASDF_STORAGE_INTERNAL
 *   ASDF_OPTION_CUSTOM_CODECS          by asdf_options_add_codec()  none
 *   ASDF_OPTION_EXTERNAL_NAME          file name
 *   ASDF_OPTION_STORED_ORDER           ASDF_ORDER_...               ASDF_ORDER_C
 *   ASDF_OPTION_BYTE_ORDER             ASDF_BYTE_ORDER_...
 *   ASDF_OPTION_BLOCK_SLACK            integer >= 0                 0
 *   ASDF_OPTION_BLOCK_CHECKSUM         0 or 1
 *   ASDF_OPTION_CHUNKS                 integers                     none
 *   ASDF_OPTION_CHUNK_CODEC            text                         none
 *   ASDF_OPTION_CHUNK_FILTERS          texts                        none
 *   ASDF_OPTION_KEEP                   0 or 1                       0
 *
 * Changing the storage of arrays
 *   asdf_node_set_storage
 *   ASDF_OPTION_CODEC                  text                         none
 *   ASDF_OPTION_LEVEL                  integer 0 .. 22
 *   ASDF_OPTION_BLOSC_CODEC            text                         lz4
 *   ASDF_OPTION_SHUFFLE                ASDF_SHUFFLE_...             ASDF_SHUFFLE_BYTE
 *   ASDF_OPTION_TYPE_SIZE              integer 1 .. 255
 *   ASDF_OPTION_CUSTOM_CODECS          by asdf_options_add_codec()  none
 *   ASDF_OPTION_EXTERNAL_NAME          file name
 *   ASDF_OPTION_STORED_ORDER           ASDF_ORDER_...               ASDF_ORDER_C
 *   ASDF_OPTION_BYTE_ORDER             ASDF_BYTE_ORDER_...
 *   ASDF_OPTION_BLOCK_SLACK            integer >= 0                 0
 *   ASDF_OPTION_BLOCK_CHECKSUM         0 or 1
 *   ASDF_OPTION_CHUNKS                 integers                     none
 *   ASDF_OPTION_CHUNK_CODEC            text                         none
 *   ASDF_OPTION_CHUNK_FILTERS          texts                        none
 *
 * Changing the compression of arrays
 *   asdf_node_recompress_array
 *   ASDF_OPTION_CODEC                  text                         none
 *   ASDF_OPTION_LEVEL                  integer 0 .. 22
 *   ASDF_OPTION_BLOSC_CODEC            text                         lz4
 *   ASDF_OPTION_SHUFFLE                ASDF_SHUFFLE_...             ASDF_SHUFFLE_BYTE
 *   ASDF_OPTION_TYPE_SIZE              integer 1 .. 255
 *
 * Streaming rows (the options apply as long as the handle that the call returns)
 *   asdf_stream_create
 *   ASDF_OPTION_ORDER                  ASDF_ORDER_...               ASDF_ORDER_C
 *   ASDF_OPTION_STRIDES                integers
 *   ASDF_OPTION_CODEC                  text                         none
 *   ASDF_OPTION_LEVEL                  integer 0 .. 22
 *   ASDF_OPTION_BLOSC_CODEC            text                         lz4
 *   ASDF_OPTION_SHUFFLE                ASDF_SHUFFLE_...             ASDF_SHUFFLE_BYTE
 *   ASDF_OPTION_TYPE_SIZE              integer 1 .. 255
 *   ASDF_OPTION_STORAGE                ASDF_STORAGE_...             ASDF_STORAGE_INTERNAL
 *   ASDF_OPTION_CUSTOM_CODECS          by asdf_options_add_codec()  none
 *   ASDF_OPTION_EXTERNAL_NAME          file name
 *   ASDF_OPTION_STORED_ORDER           ASDF_ORDER_...               ASDF_ORDER_C
 *   ASDF_OPTION_BYTE_ORDER             ASDF_BYTE_ORDER_...
 *   ASDF_OPTION_BLOCK_SLACK            integer >= 0                 0
 *   ASDF_OPTION_BLOCK_CHECKSUM         0 or 1
 *   ASDF_OPTION_REPLACE                0 or 1                       0
 *   ASDF_OPTION_DURABLE                0 or 1                       1
 *   ASDF_OPTION_ALIGNMENT              power of two <= 4096         64
 *   ASDF_OPTION_TREE_SLACK             integer >= 0
 *   ASDF_OPTION_CHECKSUMS              0 or 1                       1
 *   ASDF_OPTION_BLOCK_INDEX            0 or 1                       1
 *   ASDF_OPTION_EXTERNAL_NAMES         text
 *   ASDF_OPTION_SCHEMAS                by asdf_options_set_schemas() none
 *   ASDF_OPTION_ROOT_SCHEMA            text                         none
 *   ASDF_OPTION_DATATYPE               by asdf_options_set_datatype()
 *   ASDF_OPTION_BLANK_PADDED           0 or 1                       0
 *
 * Adding columns
 *   asdf_table_add_column asdf_table_add_variable_column
 *   ASDF_OPTION_ORDER                  ASDF_ORDER_...               ASDF_ORDER_C
 *   ASDF_OPTION_STRIDES                integers
 *   ASDF_OPTION_DATATYPE               by asdf_options_set_datatype()
 *   ASDF_OPTION_BLANK_PADDED           0 or 1                       0
 *
 * Changing cells
 *   asdf_table_set_cells
 *   ASDF_OPTION_ORDER                  ASDF_ORDER_...               ASDF_ORDER_C
 *   ASDF_OPTION_STRIDES                integers
 *   ASDF_OPTION_CLAMP                  0 or 1                       0
 *   ASDF_OPTION_DATATYPE               by asdf_options_set_datatype()
 *   ASDF_OPTION_BLANK_PADDED           0 or 1                       0
 *
 * Adding values to descriptions
 *   asdf_ndl_builder_set_values
 *   ASDF_OPTION_ORDER                  ASDF_ORDER_...               ASDF_ORDER_C
 *   ASDF_OPTION_STRIDES                integers
 *   ASDF_OPTION_DATATYPE               by asdf_options_set_datatype()
 *
 * Reading tables of ASDF files
 *   asdf_node_get_table
 *   ASDF_OPTION_LEAVE_OUT              0 or 1                       0
 *   ASDF_OPTION_PLAIN_METADATA         0 or 1                       0
 *   ASDF_OPTION_FIRST_ROW              integer >= 0                 0
 *   ASDF_OPTION_ROW_COUNT              integer >= 0
 *
 * Storing tables in ASDF files
 *   asdf_node_set_table
 *   ASDF_OPTION_TABLE_FORM             ASDF_TABLE_FORM_...          ASDF_TABLE_FORM_AUTOMATIC
 *   ASDF_OPTION_LEAVE_OUT              0 or 1                       0
 *   ASDF_OPTION_CODEC                  text                         none
 *   ASDF_OPTION_LEVEL                  integer 0 .. 22
 *   ASDF_OPTION_BLOSC_CODEC            text                         lz4
 *   ASDF_OPTION_SHUFFLE                ASDF_SHUFFLE_...             ASDF_SHUFFLE_BYTE
 *   ASDF_OPTION_TYPE_SIZE              integer 1 .. 255
 *   ASDF_OPTION_STORAGE                ASDF_STORAGE_...             ASDF_STORAGE_INTERNAL
 *   ASDF_OPTION_CUSTOM_CODECS          by asdf_options_add_codec()  none
 *   ASDF_OPTION_EXTERNAL_NAME          file name
 *   ASDF_OPTION_STORED_ORDER           ASDF_ORDER_...               ASDF_ORDER_C
 *   ASDF_OPTION_BYTE_ORDER             ASDF_BYTE_ORDER_...
 *   ASDF_OPTION_BLOCK_SLACK            integer >= 0                 0
 *   ASDF_OPTION_BLOCK_CHECKSUM         0 or 1
 *
 * Storing tables in ASDF files in batches (the options apply as long as the handle that the call returns)
 *   asdf_node_begin_table
 *   ASDF_OPTION_TABLE_FORM             ASDF_TABLE_FORM_...          ASDF_TABLE_FORM_AUTOMATIC
 *   ASDF_OPTION_LEAVE_OUT              0 or 1                       0
 *   ASDF_OPTION_TEMPORARY_DIRECTORY    file name                    that of the system
 *   ASDF_OPTION_CODEC                  text                         none
 *   ASDF_OPTION_LEVEL                  integer 0 .. 22
 *   ASDF_OPTION_BLOSC_CODEC            text                         lz4
 *   ASDF_OPTION_SHUFFLE                ASDF_SHUFFLE_...             ASDF_SHUFFLE_BYTE
 *   ASDF_OPTION_TYPE_SIZE              integer 1 .. 255
 *   ASDF_OPTION_STORAGE                ASDF_STORAGE_...             ASDF_STORAGE_INTERNAL
 *   ASDF_OPTION_CUSTOM_CODECS          by asdf_options_add_codec()  none
 *   ASDF_OPTION_EXTERNAL_NAME          file name
 *   ASDF_OPTION_STORED_ORDER           ASDF_ORDER_...               ASDF_ORDER_C
 *   ASDF_OPTION_BYTE_ORDER             ASDF_BYTE_ORDER_...
 *   ASDF_OPTION_BLOCK_SLACK            integer >= 0                 0
 *   ASDF_OPTION_BLOCK_CHECKSUM         0 or 1
 *
 * Reading ECSV (the options apply as long as the handle that the call returns)
 *   asdf_table_read_ecsv asdf_table_read_ecsv_memory asdf_table_reader_open asdf_table_reader_open_source
 *   asdf_table_index
 *   ASDF_OPTION_ECSV_STRICT            0 or 1                       0
 *   ASDF_OPTION_NULL_VALUES            texts                        none
 *   ASDF_OPTION_COLUMNS                texts
 *   ASDF_OPTION_FIRST_ROW              integer >= 0                 0
 *   ASDF_OPTION_ROW_COUNT              integer >= 0
 *   ASDF_OPTION_BATCH_ROWS             integer >= 0                 0
 *   ASDF_OPTION_COLUMN_NAMES           ASDF_COLUMN_NAMES_...        ASDF_COLUMN_NAMES_DEFAULT
 *   ASDF_OPTION_TRIM_QUOTED            0 or 1                       0
 *   ASDF_OPTION_HEADER_FILE            file name                    none
 *   ASDF_OPTION_HEADER_TEXT            text                         none
 *   ASDF_OPTION_AS_TEXT                0 or 1                       0
 *   ASDF_OPTION_RAW_COLUMNS            0 or 1                       0
 *   ASDF_OPTION_TABLE_INDEX            text                         none
 *
 * Selecting and sorting rows of tables
 *   asdf_table_select asdf_table_slice asdf_table_sort
 *
 * Exporting tables as streams of Arrow (the options apply as long as the handle that the call returns)
 *   asdf_table_export_arrow_stream
 *   ASDF_OPTION_BATCH_ROWS             integer >= 0                 0
 *   ASDF_OPTION_RAW_COLUMNS            0 or 1                       0
 *
 * Exporting tables as arrays of Arrow
 *   asdf_table_export_arrow
 *   ASDF_OPTION_RAW_COLUMNS            0 or 1                       0
 *
 * Other exchange with Arrow
 *   asdf_table_reader_export_arrow_stream asdf_table_import_arrow asdf_table_import_arrow_stream
 *
 * Writing ECSV (the options apply as long as the handle that the call returns)
 *   asdf_table_write_ecsv asdf_table_writer_create
 *   ASDF_OPTION_REPLACE                0 or 1                       0
 *   ASDF_OPTION_DELIMITER              ASDF_DELIMITER_...           ASDF_DELIMITER_SAME
 *   ASDF_OPTION_TEXT_COMPRESSION       ASDF_TEXT_COMPRESSION_...    ASDF_TEXT_COMPRESSION_BY_SUFFIX
 *   ASDF_OPTION_EMPTY_STRINGS          ASDF_EMPTY_STRINGS_...       ASDF_EMPTY_STRINGS_MARK
 *   ASDF_OPTION_JSON_NUMBERS           ASDF_JSON_NUMBERS_...        ASDF_JSON_NUMBERS_NAMES
 *   ASDF_OPTION_DURABLE                0 or 1                       1
 *
 * Times
 *   asdf_node_get_time asdf_table_time asdf_time_from_jd asdf_time_from_numbers asdf_time_from_nanoseconds
 *   asdf_time_from_texts
 *   ASDF_OPTION_LEAP_SECONDS           text                         none
 *   ASDF_OPTION_LEAP_SECONDS_FILE      file name                    none
 *
 * Storing times
 *   asdf_node_set_times asdf_node_set_time_delta
 *   ASDF_OPTION_STORAGE                ASDF_STORAGE_...             ASDF_STORAGE_INTERNAL
 *   ASDF_OPTION_CODEC                  text                         none
 *   ASDF_OPTION_LEVEL                  integer 0 .. 22
 *   ASDF_OPTION_BLOSC_CODEC            text                         lz4
 *   ASDF_OPTION_SHUFFLE                ASDF_SHUFFLE_...             ASDF_SHUFFLE_BYTE
 *   ASDF_OPTION_TYPE_SIZE              integer 1 .. 255
 *   ASDF_OPTION_CUSTOM_CODECS          by asdf_options_add_codec()  none
 *   ASDF_OPTION_EXTERNAL_NAME          file name
 *   ASDF_OPTION_STORED_ORDER           ASDF_ORDER_...               ASDF_ORDER_C
 *   ASDF_OPTION_BYTE_ORDER             ASDF_BYTE_ORDER_...
 *   ASDF_OPTION_BLOCK_SLACK            integer >= 0                 0
 *   ASDF_OPTION_BLOCK_CHECKSUM         0 or 1
 *
 * Reading coordinates
 *   asdf_coordinates_read
 *
 * Storing coordinates
 *   asdf_node_set_coordinates
 *   ASDF_OPTION_STORAGE                ASDF_STORAGE_...             ASDF_STORAGE_INTERNAL
 *   ASDF_OPTION_CODEC                  text                         none
 *   ASDF_OPTION_LEVEL                  integer 0 .. 22
 *   ASDF_OPTION_BLOSC_CODEC            text                         lz4
 *   ASDF_OPTION_SHUFFLE                ASDF_SHUFFLE_...             ASDF_SHUFFLE_BYTE
 *   ASDF_OPTION_TYPE_SIZE              integer 1 .. 255
 *   ASDF_OPTION_CUSTOM_CODECS          by asdf_options_add_codec()  none
 *   ASDF_OPTION_EXTERNAL_NAME          file name
 *   ASDF_OPTION_STORED_ORDER           ASDF_ORDER_...               ASDF_ORDER_C
 *   ASDF_OPTION_BYTE_ORDER             ASDF_BYTE_ORDER_...
 *   ASDF_OPTION_BLOCK_SLACK            integer >= 0                 0
 *   ASDF_OPTION_BLOCK_CHECKSUM         0 or 1
 *
 * Reading descriptions
 *   asdf_ndl_read asdf_ndl_read_memory asdf_ndl_builder_finish
 *   ASDF_OPTION_WARNINGS_AS_ERRORS     0 or 1                       0
 *   ASDF_OPTION_UNKNOWN_KEYS           0 or 1                       0
 *
 * Writing descriptions
 *   asdf_ndl_write
 *   ASDF_OPTION_REPLACE                0 or 1                       0
 *   ASDF_OPTION_SORT                   0 or 1                       0
 *   ASDF_OPTION_DURABLE                0 or 1                       1
 *
 * Converting units
 *   asdf_unit_factor asdf_unit_convert asdf_node_get_quantity asdf_table_convert_column
 *   ASDF_OPTION_EQUIVALENCIES          text                         none
 *
 * Exporting descriptions
 *   asdf_ndl_export
 *   ASDF_OPTION_SORT                   0 or 1                       0
 *   ASDF_OPTION_CDL_VALUES             0 or 1                       0
 *
 * Describing ASDF files
 *   asdf_ndl_describe
 *   ASDF_OPTION_DESCRIBED_VALUES       ASDF_NDL_VALUES_...          ASDF_NDL_VALUES_INLINE
 *   ASDF_OPTION_ONLY                   text                         the whole file
 *   ASDF_OPTION_ALL                    0 or 1                       0
 *   ASDF_OPTION_ANNOTATE               0 or 1                       0
 *   ASDF_OPTION_WIDEN_FLOAT16          0 or 1                       0
 *
 * Making ASDF files from descriptions
 *   asdf_ndl_create_asdf
 *   ASDF_OPTION_REPLACE                0 or 1                       0
 *   ASDF_OPTION_DURABLE                0 or 1                       1
 *   ASDF_OPTION_ALIGNMENT              power of two <= 4096         64
 *   ASDF_OPTION_TREE_SLACK             integer >= 0
 *   ASDF_OPTION_CHECKSUMS              0 or 1                       1
 *   ASDF_OPTION_BLOCK_INDEX            0 or 1                       1
 *   ASDF_OPTION_EXTERNAL_NAMES         text
 *   ASDF_OPTION_SCHEMAS                by asdf_options_set_schemas() none
 *   ASDF_OPTION_ROOT_SCHEMA            text                         none
 *   ASDF_OPTION_CODEC                  text                         none
 *   ASDF_OPTION_LEVEL                  integer 0 .. 22
 *   ASDF_OPTION_BLOSC_CODEC            text                         lz4
 *   ASDF_OPTION_SHUFFLE                ASDF_SHUFFLE_...             ASDF_SHUFFLE_BYTE
 *   ASDF_OPTION_TYPE_SIZE              integer 1 .. 255
 *   ASDF_OPTION_STRING_LENGTH          integer >= 0                 0
 *   ASDF_OPTION_EXTENT                 integer >= 0, also at paths  0
 *   ASDF_OPTION_ZEROS                  0 or 1                       0
 *   ASDF_OPTION_STREAMED               text                         none
 *
 * Making transforms and world coordinates (the options apply as long as the handle that the call returns)
 *   asdf_node_get_wcs asdf_node_get_transform
 *   ASDF_OPTION_STRICT_LABELS          0 or 1                       0
 *
 * Evaluating transforms and world coordinates
 *   asdf_wcs_pixel_to_world asdf_wcs_sky_at asdf_transform_evaluate asdf_transform_at
 *   ASDF_OPTION_BOUNDING_BOX           0 or 1
 *   ASDF_OPTION_STRICT_BOXES           0 or 1                       0
 *   ASDF_OPTION_FILL                   by asdf_options_set_fill()   none
 *   ASDF_OPTION_DATATYPE               by asdf_options_set_datatype()
 *
 * Finding pixels of world coordinates
 *   asdf_wcs_world_to_pixel asdf_wcs_pixel_at
 *   ASDF_OPTION_BOUNDING_BOX           0 or 1
 *   ASDF_OPTION_STRICT_BOXES           0 or 1                       0
 *   ASDF_OPTION_FILL                   by asdf_options_set_fill()   none
 *   ASDF_OPTION_DATATYPE               by asdf_options_set_datatype()
 *   ASDF_OPTION_TOLERANCE              number > 0                   0.00001
 *   ASDF_OPTION_ITERATIONS             integer 1 .. 10000           30
 *   ASDF_OPTION_STRICT_CONVERGENCE     0 or 1                       0
 *
 * Reading cards of FITS headers
 *   asdf_wcs_read_cards asdf_node_set_wcs_cards
 *   ASDF_OPTION_ALTERNATE              text                         none
 *
 * Making cards of FITS headers
 *   asdf_wcs_make_cards
 *   ASDF_OPTION_MAX_ERROR              number > 0                   0.01
 *   ASDF_OPTION_MAX_INVERSE_ERROR      number > 0                   0.01
 *   ASDF_OPTION_DEGREE                 integer 0 .. 9               0
 *   ASDF_OPTION_INVERSE_DEGREE         integer 0 .. 9               0
 *   ASDF_OPTION_GRID_POINTS            integer 18 .. 1024           33
 *
 * Exporting references
 *   asdf_file_export_references
 *   ASDF_OPTION_SLAB_BYTES             integer >= 1                 16 MiB
 *   ASDF_OPTION_URL                    text
 *   ASDF_OPTION_ROOT                   text
 *   ASDF_OPTION_JOIN_AXIS              integer 0 .. 31              0
 *   ASDF_OPTION_JOIN_DIMENSION         text                         file
 *   ASDF_OPTION_SAME                   texts                        none
 *   ASDF_OPTION_INLINE_BYTES           integer >= 0                 0
 */

/*
 * Options of codecs. A codec refuses other levels, and options that are not in its row.
 *
 *   codec  levels                 other options
 *   zlib   0 .. 9, default 6
 *   bzp2   1 .. 9, default 9
 *   lz4    none
 *   lz4f   none
 *   zstd   1 .. 22, default 3
 *   blsc   1 .. 9, default 5      ASDF_OPTION_BLOSC_CODEC, ASDF_OPTION_SHUFFLE, ASDF_OPTION_TYPE_SIZE
 *   bls2   1 .. 9, default 5      ASDF_OPTION_BLOSC_CODEC, ASDF_OPTION_SHUFFLE, ASDF_OPTION_TYPE_SIZE
 *   xz     0 .. 9, default 6
 */

/* 7. Schemas ======================================================================================================= */

/*
 * Schemas -------------------------------------------------------------------------------------------------------------
 *
 * Schemas tell what the nodes with a tag must contain. They are not part of the library: packages of the Python
 * registry hold them (asdf-standard, asdf-transform-schemas, asdf-wcs-schemas, asdf-coordinates-schemas, asdf-astropy,
 * rad). `make install-schemas` installs them without Python. Load them once, and use them for many files.
 *
 * The search path of packages has the folders and archives of the environment variable ASDFKIT_SCHEMAS, the folder
 * share/asdfkit/schemas of the installation, and the packages of the first Python on PATH. Python is not started, and
 * nothing is fetched from a network. Of two schemas with the same URI, the first one is used.
 *
 *     asdf_schemas *schemas = NULL;
 *     asdf_report *report = NULL;
 *     asdf_schemas_new(&schemas);
 *     if (asdf_schemas_add_package(schemas, NULL) || asdf_file_validate(file, schemas, NULL, &report)) return fail();
 *     print_report(report);   // image.asdf:12:7, byte 318, at /meta/exposure: expected number, found ...
 */

/**
 * Creates a set of schemas. It has only the schema of draft 4 of JSON Schema.
 *
 * @param schemas gets the schemas; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_schemas_new(asdf_schemas **schemas);

/**
 * Adds the schemas of a package.
 *
 * @param schemas the schemas
 * @param name    the path of a folder, a wheel or a single schema, or the name of a package on the search path;
 *                NULL for all packages on the search path. ASDF_ERR_SCHEMA_NOT_FOUND if there is none
 * @since 0.1.0
 */
asdf_status asdf_schemas_add_package(asdf_schemas *schemas, const char *name);

/**
 * Adds a schema or a manifest from memory. It replaces a schema with the same URI.
 *
 * @param schemas the schemas
 * @param text    YAML or JSON in UTF-8; ASDF_ERR_YAML if malformed. May be NULL if the length is 0
 * @param length  its length in bytes
 * @param uri     gets the URI of the schema, without NUL at its end: its `id`, or a new URI if it has none; NULL on
 *                failure
 * @since 0.1.0
 */
asdf_status asdf_schemas_add_text(asdf_schemas *schemas, const char *text, size_t length, asdf_buffer **uri);

/**
 * Gets the URIs of all schemas and manifests.
 *
 * @param schemas the schemas
 * @param uris    gets the URIs, one on each line, without NUL at the end; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_schemas_uris(const asdf_schemas *schemas, asdf_buffer **uris);

/**
 * Sets the schemas that the content of files must match. Later changes of the schemas do not affect the options.
 *
 * Opening a file then fails with ASDF_ERR_INVALID if its content does not match; writing and saving fail so before they
 * write anything.
 *
 * @param options the options
 * @param schemas the schemas
 * @since 0.1.0
 */
asdf_status asdf_options_set_schemas(asdf_options *options, const asdf_schemas *schemas);

/**
 * Adds an owner to schemas.
 *
 * @param schemas the schemas
 * @param another gets another handle of the same object, to be freed as well; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_schemas_retain(const asdf_schemas *schemas, asdf_schemas **another);

/**
 * Gives up one owner of schemas. The last owner frees them.
 *
 * @param schemas the schemas, or NULL
 * @since 0.1.0
 */
void asdf_schemas_free(asdf_schemas *schemas);

/*
 * Validation ----------------------------------------------------------------------------------------------------------
 *
 * Each node with a tag must match the schemas of its tag. ASDF_OPTION_ROOT_SCHEMA names a schema that the root, the
 * node of the call or the header of the table must match as well. A report has an error for each violated keyword:
 *
 * - path, line and column of the node;
 * - the keyword as code ("type", "required", "anyOf", ...), and its place in the schema as subject, as a URI;
 * - after a violated choice (anyOf, oneOf), a note with the failure of the schema that comes closest.
 *
 * A warning tells that a schema is missing. Arrays are checked by their descriptions; no block is read. The content of
 * JSON references (`$ref`) is not checked. The key "//" is the note of its mapping, and no schema applies to it.
 */

/**
 * Field of a description: all known fields as a JSON object of strings.
 */
#define ASDF_DESCRIPTION_JSON 0

#define ASDF_DESCRIPTION_TITLE 1 /**< Field of a description: short name. */
#define ASDF_DESCRIPTION_TEXT 2  /**< Field of a description: explanation. */

/**
 * Field of a description: types of JSON Schema or a tag; of arrays also datatype and number of dimensions.
 */
#define ASDF_DESCRIPTION_TYPE 3

#define ASDF_DESCRIPTION_UNIT 4 /**< Field of a description: unit of the value. */

/**
 * Field of a description: value of a missing entry, as YAML.
 */
#define ASDF_DESCRIPTION_DEFAULT 5

#define ASDF_DESCRIPTION_SCHEMA 6 /**< Field of a description: URI of the schema. */

/**
 * Field of a description: the note of a mapping, which the mapping has under the key "//".
 */
#define ASDF_DESCRIPTION_NOTE 7

/**
 * Validates the tree of a file.
 *
 * @param file    the file
 * @param schemas the schemas
 * @param options options, or NULL for the defaults
 * @param report  gets the violations, possibly none; NULL on failure. ASDF_ERR_SCHEMA if a schema is malformed,
 *                ASDF_ERR_SCHEMA_NOT_FOUND if the schema of the options is missing, ASDF_ERR_LIMIT if the schemas need
 *                too much work
 * @since 0.1.0
 */
asdf_status asdf_file_validate(const asdf_file *file,
                               const asdf_schemas *schemas,
                               const asdf_options *options,
                               asdf_report **report);

/**
 * Validates a node with all nodes below it.
 *
 * @param node    the node
 * @param path    path of the node to validate, relative to `node`
 * @param schemas the schemas
 * @param options options, or NULL for the defaults
 * @param report  gets the violations, as for asdf_file_validate(); NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_node_validate(const asdf_node *node,
                               const char *path,
                               const asdf_schemas *schemas,
                               const asdf_options *options,
                               asdf_report **report);

/**
 * Validates the description of a table: its columns and its metadata.
 *
 * The schema of the options applies to a mapping as in the header of an ECSV file: "datatype" is the list of columns,
 * each with "name", "datatype" and, if known, "subtype", "unit", "description", "format" and "meta"; "meta" has the
 * metadata of the table, and "schema" the name of their convention. Nodes with a tag must match its schemas.
 *
 * @param table   the table
 * @param schemas the schemas
 * @param options options, or NULL for the defaults
 * @param report  gets the violations, as for asdf_file_validate(); lines and columns are those of the ECSV file; NULL
 *                on failure
 * @since 0.1.0
 */
asdf_status asdf_table_validate(const asdf_table *table,
                                const asdf_schemas *schemas,
                                const asdf_options *options,
                                asdf_report **report);

/**
 * Describes an entry: what the schemas of the tags on its path say about it. The entry need not exist.
 *
 * @param schemas  the schemas
 * @param node     the node where the path begins, usually the root of a file
 * @param path     path of the entry
 * @param field    one of ASDF_DESCRIPTION_...; ASDF_ERR_INVALID_ARGUMENT for any other number; ASDF_ERR_NOT_FOUND if
 *                 the schemas do not tell it
 * @param options  options, or NULL for the defaults
 * @param buffer   gets the text
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_schema_describe(const asdf_schemas *schemas,
                                 const asdf_node *node,
                                 const char *path,
                                 int32_t field,
                                 const asdf_options *options,
                                 char *buffer,
                                 size_t capacity,
                                 size_t *needed);

/* 8. Units ========================================================================================================= */

/*
 * Units ---------------------------------------------------------------------------------------------------------------
 *
 * These functions take units as text, as files have them. Units are read as astropy reads them: with prefixes, powers,
 * fractions, scales, and logarithms such as "mag(AB)", "dex(cm/s2)" and "dB(W)". A text that is not a unit in its
 * spelling is read in the other ones. A text that is no unit at all is kept, and equals only itself.
 *
 *     double factor = 0;
 *     asdf_unit_factor("km / h", ASDF_SPELLING_GENERIC, "m / s", ASDF_SPELLING_GENERIC, NULL, &factor, NULL);
 */

/**
 * The text of astropy's Unit.to_string(): "km / s", "mag(AB)". Columns of tables and astropy's own tags have it.
 */
#define ASDF_SPELLING_GENERIC 0

/**
 * VOUnit of the IVOA: "km.s**-1". The tag unit/unit of the standard has it.
 */
#define ASDF_SPELLING_VOUNIT 1

#define ASDF_SPELLING_FITS 2 /**< The FITS standard: "km s-1". */

/**
 * The Standards for Astronomical Catalogues of the CDS: "km.s-1".
 */
#define ASDF_SPELLING_CDS 3

#define ASDF_UNIT_KIND_UNKNOWN 0 /**< A text that is no known unit. */

/**
 * Values are proportional to the quantity, or are temperatures in degrees.
 */
#define ASDF_UNIT_KIND_LINEAR 1

#define ASDF_UNIT_KIND_MAGNITUDE 2 /**< Astronomical magnitudes: -2.5 for a factor of ten. */
#define ASDF_UNIT_KIND_DECIBEL 3   /**< Decibels: ten for a factor of ten. */
#define ASDF_UNIT_KIND_DEX 4       /**< Decimal logarithms: one for a factor of ten. */

/**
 * Writes a unit in another spelling, exactly as astropy does. Units that the spelling does not know are replaced by
 * their definitions: "micron" is "um" in FITS. A text that is no unit is returned as it is.
 *
 * Fails with ASDF_ERR_UNITS if the spelling cannot express the unit: VOUnit and FITS have no logarithms of units.
 *
 * @param unit         text of the unit
 * @param spelling     its spelling: an ASDF_SPELLING_ constant
 * @param new_spelling spelling of the result: an ASDF_SPELLING_ constant
 * @param buffer       gets the text
 * @param capacity     size of the buffer in bytes
 * @param needed       gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_unit_format(const char *unit,
                             int32_t spelling,
                             int32_t new_spelling,
                             char *buffer,
                             size_t capacity,
                             size_t *needed);

/**
 * Gets the kind of a unit. Any text has one.
 *
 * @param unit     text of the unit
 * @param spelling its spelling: an ASDF_SPELLING_ constant
 * @param kind     gets an ASDF_UNIT_KIND_ constant
 * @since 0.1.0
 */
asdf_status asdf_unit_kind(const char *unit, int32_t spelling, int32_t *kind);

/**
 * Gets the unit whose logarithm a unit is, in the generic spelling: "AB" of "mag(AB)". It is empty for the logarithm of
 * a number, "mag(1)".
 *
 * Fails with ASDF_ERR_NOT_FOUND for any other unit, also for a bare "mag".
 *
 * @param unit     text of the unit
 * @param spelling its spelling: an ASDF_SPELLING_ constant
 * @param buffer   gets the text
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_unit_physical(const char *unit, int32_t spelling, char *buffer, size_t capacity, size_t *needed);

/**
 * Tells whether two units are equal: "N" equals "kg m / s2". Texts that are no units are equal if they are the same.
 *
 * @param unit           text of the unit
 * @param spelling       its spelling: an ASDF_SPELLING_ constant
 * @param other          text of the other unit
 * @param other_spelling its spelling
 * @param equal          gets 0 or 1
 * @since 0.1.0
 */
asdf_status asdf_unit_equal(const char *unit,
                            int32_t spelling,
                            const char *other,
                            int32_t other_spelling,
                            int32_t *equal);

/**
 * Gets factor and offset between two units: a value in the new unit is factor * value + offset. The offset is 0 unless
 * the units are temperatures in degrees, or logarithms. Powers of ten are exact.
 *
 * Fails with ASDF_ERR_UNITS if the units are not commensurable, if one is unknown, or if the conversion is not linear.
 *
 * @param unit         text of the unit
 * @param spelling     its spelling: an ASDF_SPELLING_ constant
 * @param new_unit     text of the unit to convert to
 * @param new_spelling its spelling
 * @param options      options; may be NULL
 * @param factor       gets the factor
 * @param offset       gets the offset; may be NULL if it is known to be 0
 * @since 0.1.0
 */
asdf_status asdf_unit_factor(const char *unit,
                             int32_t spelling,
                             const char *new_unit,
                             int32_t new_spelling,
                             const asdf_options *options,
                             double *factor,
                             double *offset);

/**
 * Converts values from one unit to another. Logarithmic units are converted among each other and to the units of their
 * arguments; ASDF_OPTION_EQUIVALENCIES allows more.
 *
 * Fails with ASDF_ERR_UNITS if the units are not commensurable, or if one is unknown.
 *
 * @param unit         text of the unit of the values
 * @param spelling     its spelling: an ASDF_SPELLING_ constant
 * @param new_unit     text of the unit to convert to
 * @param new_spelling its spelling
 * @param values       the values
 * @param count        number of values
 * @param options      options; may be NULL
 * @param converted    gets the values in the new unit; must not overlap the values
 * @param capacity     number of values for which there is room
 * @since 0.1.0
 */
asdf_status asdf_unit_convert(const char *unit,
                              int32_t spelling,
                              const char *new_unit,
                              int32_t new_spelling,
                              const double *values,
                              size_t count,
                              const asdf_options *options,
                              double *converted,
                              size_t capacity);

/* 9. Tables ======================================================================================================== */

/*
 * Tables --------------------------------------------------------------------------------------------------------------
 *
 * A table consists of columns of equal length. Each column has a name, a type and a cell shape, and may have a unit, a
 * description, a format and metadata. Cells, and elements of cells that are arrays, may be missing. A table is in
 * memory and does not depend on the file that it was read from.
 *
 * Functions select a column by its exact name; ASDF_ERR_NOT_FOUND if there is none.
 *
 *     int64_t columns = 0;
 *     asdf_table_column_count(table, &columns);
 *     for (int64_t i = 0; i < columns; i++) {
 *         char name[64], unit[64];
 *         asdf_table_column_name(table, i, name, sizeof name, NULL);
 *         asdf_table_column_unit(table, name, unit, sizeof unit, NULL);
 *         printf("%s (%s)\n", name, unit);
 *     }
 *     asdf_table_free(table);
 */

/**
 * A number with up to 21 digits and a large exponent, stored as text.
 */
#define ASDF_FLOAT128 24

#define ASDF_COMPLEX256 33 /**< Two such numbers (real and imaginary part), stored as text. */
#define ASDF_STRING 53     /**< Text of any length. */
#define ASDF_JSON 54       /**< A JSON value, stored as text. */

/**
 * Gets the number of rows of a table.
 *
 * @param table the table
 * @param count gets the number
 * @since 0.1.0
 */
asdf_status asdf_table_row_count(const asdf_table *table, int64_t *count);

/**
 * Gets the number of columns of a table.
 *
 * @param table the table
 * @param count gets the number
 * @since 0.1.0
 */
asdf_status asdf_table_column_count(const asdf_table *table, int64_t *count);

/**
 * Gets the name of a column.
 *
 * @param table    the table
 * @param index    its number, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param buffer   gets the name
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_table_column_name(const asdf_table *table,
                                   int64_t index,
                                   char *buffer,
                                   size_t capacity,
                                   size_t *needed);

/**
 * Gets the position of a column, by its name.
 *
 * @param table the table
 * @param name  the name
 * @param index gets the position, from 0
 * @since 0.1.0
 */
asdf_status asdf_table_column_index(const asdf_table *table, const char *name, int64_t *index);

/**
 * Gets the code of the datatype of a column.
 *
 * @param table    the table
 * @param name     name of the column
 * @param datatype gets the code: a scalar type, ASDF_STRING, ASDF_JSON, ASDF_FLOAT128 or ASDF_COMPLEX256
 * @since 0.1.0
 */
asdf_status asdf_table_column_datatype(const asdf_table *table, const char *name, int32_t *datatype);

/**
 * Gets the shape of the cells of a column, slowest axis first.
 *
 * @param table    the table
 * @param name     name of the column
 * @param shape    gets the extents; the last one is -1 if it differs between cells. A buffer of ASDF_MAX_RANK numbers
 *                 is always large enough
 * @param capacity size of the buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the rank; 0 to get only the
 *                 rank
 * @param rank     gets the number of axes, 0 if a cell is one element; also if the capacity is too small. May be NULL
 * @since 0.1.0
 */
asdf_status asdf_table_column_shape(const asdf_table *table,
                                    const char *name,
                                    int64_t *shape,
                                    int32_t capacity,
                                    int32_t *rank);

/**
 * Gets the unit of a column, as it is spelled; empty if it has none, or an empty one (asdf_table_column_has_unit()).
 *
 * @param table    the table
 * @param name     name of the column
 * @param buffer   gets the unit
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_table_column_unit(const asdf_table *table,
                                   const char *name,
                                   char *buffer,
                                   size_t capacity,
                                   size_t *needed);

/**
 * Tests whether a column has a unit, which can be empty. In astropy, an empty unit means that
 * the column is a quantity without a dimension.
 *
 * @param table the table
 * @param name  name of the column
 * @param has   gets 1 or 0
 * @since 0.1.0
 */
asdf_status asdf_table_column_has_unit(const asdf_table *table, const char *name, int32_t *has);

/**
 * Gets the description of a column; empty if it has none.
 *
 * @param table    the table
 * @param name     name of the column
 * @param buffer   gets the text
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_table_column_description(const asdf_table *table,
                                          const char *name,
                                          char *buffer,
                                          size_t capacity,
                                          size_t *needed);

/**
 * Tests whether a column has a description, which can be empty.
 *
 * @param table the table
 * @param name  name of the column
 * @param has   gets 1 or 0
 * @since 0.1.0
 */
asdf_status asdf_table_column_has_description(const asdf_table *table, const char *name, int32_t *has);

/**
 * Gets the display format of a column, in the notation of printf or Python; empty if it has none. It does not affect
 * the values.
 *
 * @param table    the table
 * @param name     name of the column
 * @param buffer   gets the format
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_table_column_format(const asdf_table *table,
                                     const char *name,
                                     char *buffer,
                                     size_t capacity,
                                     size_t *needed);

/**
 * Tests whether a column has a display format, which can be empty.
 *
 * @param table the table
 * @param name  name of the column
 * @param has   gets 1 or 0
 * @since 0.1.0
 */
asdf_status asdf_table_column_has_format(const asdf_table *table, const char *name, int32_t *has);

/**
 * Tests whether a column has a mask, even if nothing is missing.
 *
 * @param table the table
 * @param name  name of the column
 * @param has   gets 1 or 0
 * @since 0.1.0
 */
asdf_status asdf_table_column_has_mask(const asdf_table *table, const char *name, int32_t *has);

/**
 * Gets the datatype of a column as it is spelled in the file of the table; empty if the table was not read from a
 * file.
 *
 * @param table    the table
 * @param name     name of the column
 * @param buffer   gets the datatype
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_table_column_declared_datatype(const asdf_table *table,
                                                const char *name,
                                                char *buffer,
                                                size_t capacity,
                                                size_t *needed);

/**
 * Gets the subtype of a column as it is spelled in the file of the table; empty if it has none.
 *
 * @param table    the table
 * @param name     name of the column
 * @param buffer   gets the subtype
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_table_column_declared_subtype(const asdf_table *table,
                                               const char *name,
                                               char *buffer,
                                               size_t capacity,
                                               size_t *needed);

/**
 * Gets the metadata of a column. Tables with the same column header share them, for example the batches of a file.
 *
 * @param table the table
 * @param name  name of the column
 * @param meta  gets the node; NULL on failure. ASDF_ERR_NOT_FOUND if the column has no metadata
 * @since 0.1.0
 */
asdf_status asdf_table_column_meta(const asdf_table *table, const char *name, asdf_node **meta);

/**
 * Gets the metadata of a table as a whole.
 *
 * @param table the table
 * @param meta  gets the node; NULL on failure. ASDF_ERR_NOT_FOUND if the table has no metadata
 * @since 0.1.0
 */
asdf_status asdf_table_meta(const asdf_table *table, asdf_node **meta);

/**
 * Gets the schema of the table: the name of the convention of its metadata, such as astropy-2.0; empty if it has none.
 *
 * @param table    the table
 * @param buffer   gets the name
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_table_schema(const asdf_table *table, char *buffer, size_t capacity, size_t *needed);

/**
 * Gets the warnings of a table so far: irregularities that do not prevent reading. Reading columns can add warnings.
 * Offsets are bytes in the decompressed text.
 *
 * @param table  the table
 * @param report gets the warnings, possibly none; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_table_report(const asdf_table *table, asdf_report **report);

/**
 * Adds an owner to a table.
 *
 * @param table   the table
 * @param another gets another handle of the same object, to be freed as well; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_table_retain(const asdf_table *table, asdf_table **another);

/**
 * Gives up one owner of a table. The last owner frees it.
 *
 * @param table the table, or NULL
 * @since 0.1.0
 */
void asdf_table_free(asdf_table *table);

/*
 * Reading columns -----------------------------------------------------------------------------------------------------
 *
 * A column is read like an array whose first axis is the rows, followed by the axes of its cells. Elements are
 * converted to the requested datatype by the rules of arrays, and are in C order unless the options set an order or
 * strides.
 *
 * - Cells of different length are read one after the other; asdf_table_read_cell_lengths() returns their numbers of
 *   elements.
 * - Text, and values that are stored as text, are read as strings of fixed length, or one by one.
 * - ASDF_FLOAT128 and ASDF_COMPLEX256 can also be read as other numbers; if values are rounded, the table gets a
 *   warning.
 *
 * The mask marks missing elements; it has one byte for each element, in the same order. Without a mask and without a
 * fill value (asdf_options_set_fill()), a missing element is ASDF_ERR_MASKED.
 *
 *     asdf_table *table = NULL;
 *     int64_t rows;
 *     asdf_table_read_ecsv("catalogue.ecsv", NULL, &table);
 *     asdf_table_row_count(table, &rows);
 *     double *flux = malloc(rows * sizeof *flux);
 *     uint8_t *missing = malloc(rows);
 *     asdf_table_read_column(table, "flux", 0, -1, ASDF_FLOAT64, NULL, flux, rows * sizeof *flux, missing, rows);
 */

/**
 * Reads the elements of a column in a range of rows, also text.
 *
 * @param table         the table
 * @param name          name of the column
 * @param first         first row, from 0
 * @param count         number of rows, -1 for all following rows; ASDF_ERR_OUT_OF_RANGE if a row does not exist
 * @param datatype      code of the scalar type to read them as; 0 for the datatype in the options, and without one for
 *                      that of the column, if it has numbers; ASDF_ERR_INVALID_ARGUMENT for any other number. A
 *                      string that is too long is ASDF_ERR_OVERFLOW, and cut with ASDF_OPTION_CLAMP;
 *                      asdf_table_longest_text() returns the required length
 * @param options       options, or NULL for the defaults
 * @param elements      gets the elements of these rows; may be NULL if there are no elements
 * @param capacity      size of the buffer in bytes; ASDF_ERR_BUFFER_TOO_SMALL if less than the size of the elements
 * @param mask          gets one byte for each element: 1 if it is missing, 0 if not. NULL for no mask
 * @param mask_capacity size of the mask in bytes; ASDF_ERR_BUFFER_TOO_SMALL if less than the number of elements
 * @since 0.1.0
 */
asdf_status asdf_table_read_column(const asdf_table *table,
                                   const char *name,
                                   int64_t first,
                                   int64_t count,
                                   int32_t datatype,
                                   const asdf_options *options,
                                   void *elements,
                                   size_t capacity,
                                   uint8_t *mask,
                                   size_t mask_capacity);

/**
 * Gets the number of elements of a column in a range of rows, which is the required size of memory and mask in
 * elements.
 *
 * @param table    the table
 * @param name     name of the column
 * @param first    first row, from 0
 * @param count    number of rows; ASDF_ERR_OUT_OF_RANGE if a row does not exist
 * @param elements gets the number of elements
 * @since 0.1.0
 */
asdf_status asdf_table_element_count(const asdf_table *table,
                                     const char *name,
                                     int64_t first,
                                     int64_t count,
                                     int64_t *elements);

/**
 * Reads the number of elements of each cell of a column in a range of rows, and which cells are missing.
 *
 * @param table    the table
 * @param name     name of the column
 * @param first    first row, from 0
 * @param count    number of rows; ASDF_ERR_OUT_OF_RANGE if a row does not exist
 * @param lengths  gets one number for each row: the number of elements of the cell over all axes, or -1 if the cell is
 *                 missing. (A missing cell of fixed shape has elements, which are all missing; other missing cells
 *                 have no elements.) May be NULL if there are no rows
 * @param capacity size of the buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the number of rows
 * @since 0.1.0
 */
asdf_status asdf_table_read_cell_lengths(const asdf_table *table,
                                         const char *name,
                                         int64_t first,
                                         int64_t count,
                                         int64_t *lengths,
                                         size_t capacity);

/**
 * Gets the length of the longest text in a column of text. A string type of this length can hold all texts.
 *
 * @param table  the table
 * @param name   name of the column; ASDF_ERR_WRONG_TYPE for a column of numbers
 * @param code   ASDF_ASCII to count bytes of UTF-8, ASDF_UCS4 to count characters; ASDF_ERR_INVALID_ARGUMENT for any
 *               other number
 * @param length gets the length, without a final NUL; 0 if there is no text
 * @since 0.1.0
 */
asdf_status asdf_table_longest_text(const asdf_table *table, const char *name, int32_t code, int64_t *length);

/**
 * Reads one text: a string, a JSON value, or a number that is stored as text.
 *
 * @param table    the table
 * @param name     name of the column; ASDF_ERR_WRONG_TYPE for a column of other numbers
 * @param row      number of the row, from 0
 * @param element  number of the element in the cell, from 0; ASDF_ERR_OUT_OF_RANGE if the row or the element does not
 *                 exist
 * @param missing  gets 1 if the element is missing, 0 if not. If it is NULL, a missing element is ASDF_ERR_MASKED
 * @param buffer   gets the text; empty if it is missing
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; the text may contain NULs; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_table_read_text(const asdf_table *table,
                                 const char *name,
                                 int64_t row,
                                 int64_t element,
                                 int32_t *missing,
                                 char *buffer,
                                 size_t capacity,
                                 size_t *needed);

/*
 * Columns in memory of the library ------------------------------------------------------------------------------------
 *
 * These functions read like asdf_table_read_column(), but into an asdf_buffer that the library allocates. Its memory
 * is aligned for every scalar type.
 *
 *     asdf_buffer *bytes = NULL, *offsets = NULL;
 *     if (asdf_table_load_text(table, "target", 0, -1, NULL, &bytes, &offsets, NULL) == ASDF_OK) {
 *         show_names(bytes, offsets);
 *         asdf_buffer_free(bytes);
 *         asdf_buffer_free(offsets);
 *     }
 */

/**
 * Reads the elements of a column in a range of rows into memory of the library, also text of fixed length.
 *
 * @param table    the table
 * @param name     name of the column
 * @param first    first row, from 0
 * @param count    number of rows, -1 for all following rows; ASDF_ERR_OUT_OF_RANGE if a row does not exist
 * @param datatype code of the scalar type to read them as, or 0 as in asdf_table_read_column();
 *                 ASDF_ERR_INVALID_ARGUMENT for any other number
 * @param options  options, or NULL for the defaults
 * @param elements gets the elements of these rows; NULL on failure
 * @param mask     gets one byte for each element: 1 if it is missing, 0 if not. NULL for no mask; then ASDF_ERR_MASKED
 *                 if an element is missing and no fill value is set
 * @since 0.1.0
 */
asdf_status asdf_table_load_column(const asdf_table *table,
                                   const char *name,
                                   int64_t first,
                                   int64_t count,
                                   int32_t datatype,
                                   const asdf_options *options,
                                   asdf_buffer **elements,
                                   asdf_buffer **mask);

/**
 * Copies the texts of a column in a range of rows into memory of the library: strings, JSON values, and numbers that
 * are stored as text. They are in UTF-8, one after the other: text i occupies the bytes from offset i to offset i + 1,
 * as in an Arrow large string array.
 *
 * @param table   the table
 * @param name    name of the column; ASDF_ERR_WRONG_TYPE for a column of other numbers
 * @param first   first row, from 0
 * @param count   number of rows, -1 for all following rows; ASDF_ERR_OUT_OF_RANGE if a row does not exist
 * @param options options, or NULL for the defaults
 * @param bytes   gets the texts of these rows; NULL on failure
 * @param offsets gets the offsets: one int64_t more than texts, from 0 to the size of the bytes; NULL on failure
 * @param mask    gets one byte for each text: 1 if it is missing, 0 if not. NULL for no mask; then ASDF_ERR_MASKED if
 *                a text is missing and no fill value is set. A missing text is empty, or the fill value, which must be
 *                a string
 * @since 0.1.0
 */
asdf_status asdf_table_load_text(const asdf_table *table,
                                 const char *name,
                                 int64_t first,
                                 int64_t count,
                                 const asdf_options *options,
                                 asdf_buffer **bytes,
                                 asdf_buffer **offsets,
                                 asdf_buffer **mask);

/*
 * Making tables -------------------------------------------------------------------------------------------------------
 *
 * A new table has no columns; each call adds one from memory of the caller, which is copied. A mask has one byte for
 * each element, which is not 0 if the element is missing; the value of a missing element is ignored. A column with a
 * mask stays a masked column in files, even if nothing is missing.
 *
 *     asdf_table *table = NULL;
 *     asdf_table_new(rows, &table);
 *     asdf_table_add_column(table, "flux", ASDF_FLOAT64, 0, NULL, flux, rows * sizeof *flux, missing, rows, NULL);
 *     asdf_table_set_column_unit(table, "flux", "Jy", 2);
 *     asdf_node_new_mapping(&meta);
 *     asdf_node_set_string(meta, "TELESCOP", "UT1", 3);
 *     asdf_table_set_meta(table, meta);
 *     asdf_table_add_text_column(table, "target", ASDF_STRING, names, names_size, offsets, rows + 1, NULL, 0);
 *     asdf_table_write_ecsv(table, "catalogue.ecsv", NULL);
 */

/**
 * Creates a table without columns.
 *
 * @param row_count number of rows of each column; ASDF_ERR_INVALID_ARGUMENT if negative
 * @param table     gets the table; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_table_new(int64_t row_count, asdf_table **table);

/**
 * Appends a column of numbers or text.
 *
 * @param table     the table
 * @param name      name of the column; ASDF_ERR_INVALID_ARGUMENT if another column has it
 * @param datatype  code of the scalar type of the elements, or 0 for the datatype in the options;
 *                  ASDF_ERR_INVALID_ARGUMENT for any other number, or if the options have none. Strings of fixed
 *                  length (ASDF_ASCII, here UTF-8 of that many bytes, and ASDF_UCS4) give a column of ASDF_STRING
 *                  without trailing NULs. ASDF_ERR_ENCODING if a string is not valid text; ASDF_ERR_CONVERSION for
 *                  records
 * @param rank      number of axes of a cell, 0 for a single element
 * @param shape     extent of a cell along each axis, slowest first; may be NULL for rank 0
 * @param elements  the elements in native byte order; the first axis is the rows. They are in C order unless the
 *                  options set an order or strides. May be NULL if there are no elements
 * @param size      size of that memory in bytes; ASDF_ERR_INVALID_ARGUMENT if it is not that of the elements
 * @param mask      one byte for each element in C order, not 0 if it is missing; NULL if no element is missing
 * @param mask_size size of the mask in bytes; ASDF_ERR_INVALID_ARGUMENT if it is not the number of elements
 * @param options   datatype, order or strides of the elements, or NULL for C order
 * @since 0.1.0
 */
asdf_status asdf_table_add_column(asdf_table *table,
                                  const char *name,
                                  int32_t datatype,
                                  int32_t rank,
                                  const int64_t *shape,
                                  const void *elements,
                                  size_t size,
                                  const uint8_t *mask,
                                  size_t mask_size,
                                  const asdf_options *options);

/**
 * Appends a column whose cells are arrays of different lengths.
 *
 * @param table     the table
 * @param name      name of the column; ASDF_ERR_INVALID_ARGUMENT if another column has it
 * @param datatype  code of the scalar type of the elements, or 0 for the datatype in the options, as in
 *                  asdf_table_add_column()
 * @param rank      number of axes of a cell before the last one; 0 if cells are lists
 * @param shape     extent along each of these axes, slowest first; may be NULL for rank 0
 * @param lengths   one number for each row: the number of elements of its cell over all axes, or -1 if the cell is
 *                  missing. May be NULL if there are no rows
 * @param count     number of lengths; ASDF_ERR_INVALID_ARGUMENT if it is not the number of rows
 * @param elements  the elements of all cells, one after the other in C order; may be NULL if there are no elements
 * @param size      size of that memory in bytes; ASDF_ERR_INVALID_ARGUMENT if it is not that of the elements
 * @param mask      one byte for each element, not 0 if it is missing; NULL if no element is missing
 * @param mask_size size of the mask in bytes; ASDF_ERR_INVALID_ARGUMENT if it is not the number of elements
 * @param options   datatype or strides of the elements, or NULL
 * @since 0.1.0
 */
asdf_status asdf_table_add_variable_column(asdf_table *table,
                                           const char *name,
                                           int32_t datatype,
                                           int32_t rank,
                                           const int64_t *shape,
                                           const int64_t *lengths,
                                           int64_t count,
                                           const void *elements,
                                           size_t size,
                                           const uint8_t *mask,
                                           size_t mask_size,
                                           const asdf_options *options);

/**
 * Appends a column of text of any length, one text in each cell. The texts follow one another: the text of row i
 * occupies the bytes from offset i to offset i + 1, as in the output of asdf_table_load_text().
 *
 * @param table     the table
 * @param name      name of the column; ASDF_ERR_INVALID_ARGUMENT if another column has it
 * @param code      type of the column: ASDF_STRING, ASDF_JSON, ASDF_FLOAT128 or ASDF_COMPLEX256;
 *                  ASDF_ERR_INVALID_ARGUMENT for any other number. ASDF_ERR_VALUE_RANGE if a text is not a value of
 *                  this type
 * @param bytes     the texts in UTF-8; they may contain NULs. ASDF_ERR_ENCODING if they are not UTF-8. May be NULL if
 *                  all texts are empty
 * @param size      number of these bytes
 * @param offsets   ascending offsets in the bytes; ASDF_ERR_INVALID_ARGUMENT if they descend or lie outside the bytes.
 *                  May be NULL if there are no rows
 * @param count     number of offsets; ASDF_ERR_INVALID_ARGUMENT if it is not the number of rows + 1
 * @param mask      one byte for each row, not 0 if its text is missing; NULL if no text is missing
 * @param mask_size size of the mask in bytes; ASDF_ERR_INVALID_ARGUMENT if it is not the number of rows
 * @since 0.1.0
 */
asdf_status asdf_table_add_text_column(asdf_table *table,
                                       const char *name,
                                       int32_t code,
                                       const char *bytes,
                                       size_t size,
                                       const int64_t *offsets,
                                       int64_t count,
                                       const uint8_t *mask,
                                       size_t mask_size);

/**
 * Sets the unit of a column.
 *
 * @param table  the table
 * @param name   name of the column
 * @param unit   the unit in UTF-8, stored as it is spelled; NULL for none. An empty unit is stored, too: astropy reads
 *               such a column as a quantity without a dimension
 * @param length its length in bytes
 * @since 0.1.0
 */
asdf_status asdf_table_set_column_unit(asdf_table *table, const char *name, const char *unit, size_t length);

/**
 * Converts the numbers of a column to another unit, which becomes that of the column, in the generic spelling.
 * Floats and complex numbers keep their datatype; integers, ASDF_FLOAT128 and ASDF_COMPLEX256 become ASDF_FLOAT64 or
 * ASDF_COMPLEX128. Missing elements stay missing. What is written or exported afterwards is in the new unit.
 *
 * Fails with ASDF_ERR_UNITS if the column has no unit or the units are not commensurable, with ASDF_ERR_CONVERSION for
 * texts and truth values, and with ASDF_ERR_OVERFLOW if a number becomes too large. The table is then unchanged.
 *
 * @param table    the table
 * @param name     name of the column
 * @param unit     text of the new unit
 * @param spelling its spelling: an ASDF_SPELLING_ constant
 * @param options  options; may be NULL. ASDF_OPTION_EQUIVALENCIES allows more conversions
 * @since 0.1.0
 */
asdf_status asdf_table_convert_column(asdf_table *table,
                                      const char *name,
                                      const char *unit,
                                      int32_t spelling,
                                      const asdf_options *options);

/**
 * Sets the description of a column.
 *
 * @param table       the table
 * @param name        name of the column
 * @param description the text in UTF-8, possibly empty; NULL for none
 * @param length      its length in bytes
 * @since 0.1.0
 */
asdf_status asdf_table_set_column_description(asdf_table *table,
                                              const char *name,
                                              const char *description,
                                              size_t length);

/**
 * Sets the display format of a column, in the notation of printf or Python.
 *
 * @param table  the table
 * @param name   name of the column
 * @param format the format in UTF-8, possibly empty; NULL for none
 * @param length its length in bytes
 * @since 0.1.0
 */
asdf_status asdf_table_set_column_format(asdf_table *table, const char *name, const char *format, size_t length);

/**
 * Sets the metadata of a column.
 *
 * @param table the table
 * @param name  name of the column
 * @param meta  node of any tree, which is copied with its children; NULL for none. ASDF_ERR_TREE as in
 *              asdf_table_set_meta()
 * @since 0.1.0
 */
asdf_status asdf_table_set_column_meta(asdf_table *table, const char *name, const asdf_node *meta);

/**
 * Sets the metadata of a table as a whole. The entries of the table under the key __serialized_columns__ stay: they
 * describe columns of times and other objects. They replace entries of the same names in `meta`.
 *
 * @param table the table
 * @param meta  node of any tree, which is copied with its children, such as one of asdf_node_new_mapping(); NULL for
 *              none. ASDF_ERR_TREE, with the path of the node, for what the header of an ECSV table cannot hold:
 *              arrays, other tags of ASDF and of programs, and cycles. ASDF_ERR_INVALID_ARGUMENT for a node
 *              that is no mapping if the table has such entries. asdf_node_copy() can copy metadata that ECSV cannot
 *              hold to the node "meta" of a table that asdf_node_set_table() has stored
 * @since 0.1.0
 */
asdf_status asdf_table_set_meta(asdf_table *table, const asdf_node *meta);

/**
 * Sets the schema of the table: the name of the convention of its metadata, such as astropy-2.0.
 *
 * @param table  the table
 * @param schema the name; NULL for none
 * @since 0.1.0
 */
asdf_status asdf_table_set_schema(asdf_table *table, const char *schema);

/*
 * Changing cells ------------------------------------------------------------------------------------------------------
 *
 * These functions change cells of a column. The column keeps its type, unit, description, format and metadata, and
 * stays a part of its logical column, so that a table which is read, changed and written is otherwise the same.
 * Numbers change in place. A change in a column of text, or of cells of different lengths, copies the column.
 *
 *     const double flux = 3.5;
 *     asdf_node_get_table(root, "catalogue", NULL, &table);
 *     asdf_table_set_cells(table, "flux", 7, 1, ASDF_FLOAT64, &flux, sizeof flux, NULL, 0, NULL);
 *     asdf_table_set_text(table, "name", 7, 0, "Vega", 4);
 *     asdf_table_set_missing(table, "note", 7, 1);
 *     asdf_node_set_table(root, "catalogue", table, NULL);
 */

/**
 * Replaces cells of a column. The elements are converted to the type of the column by the rules of arrays. On failure
 * the table does not change.
 *
 * @param table     the table
 * @param name      name of the column
 * @param first     first row, from 0
 * @param count     number of rows; ASDF_ERR_OUT_OF_RANGE if a row does not exist. 1 for a column whose cells have
 *                  different lengths: the new cell has as many elements as there are in memory
 * @param datatype  code of the scalar type of the elements, or 0 for the datatype in the options, as in
 *                  asdf_table_add_column(). ASDF_ERR_CONVERSION for numbers in a column of text, or strings in a column
 *                  of numbers. ASDF_ERR_VALUE_RANGE for a string in a column of times that is not a time of its format
 * @param elements  the elements of these cells in native byte order, in C order unless the options set an order or
 *                  strides. May be NULL if there are no elements
 * @param size      size of that memory in bytes; ASDF_ERR_INVALID_ARGUMENT if it is not that of the elements
 * @param mask      one byte for each element in C order, not 0 if it is missing; NULL if no element is missing
 * @param mask_size size of the mask in bytes; ASDF_ERR_INVALID_ARGUMENT if it is not the number of elements
 * @param options   datatype, order or strides of the elements; ASDF_OPTION_CLAMP for numbers that do not fit; or NULL
 * @since 0.1.0
 */
asdf_status asdf_table_set_cells(asdf_table *table,
                                 const char *name,
                                 int64_t first,
                                 int64_t count,
                                 int32_t datatype,
                                 const void *elements,
                                 size_t size,
                                 const uint8_t *mask,
                                 size_t mask_size,
                                 const asdf_options *options);

/**
 * Makes cells of a column missing. A cell of a column whose cells have different lengths loses its elements.
 *
 * @param table the table
 * @param name  name of the column
 * @param first first row, from 0
 * @param count number of rows; ASDF_ERR_OUT_OF_RANGE if a row does not exist
 * @since 0.1.0
 */
asdf_status asdf_table_set_missing(asdf_table *table, const char *name, int64_t first, int64_t count);

/**
 * Replaces a text in a column of ASDF_STRING, ASDF_JSON, ASDF_FLOAT128 or ASDF_COMPLEX256.
 *
 * @param table   the table
 * @param name    name of the column; ASDF_ERR_WRONG_TYPE for a column of numbers
 * @param row     the row, from 0
 * @param element number of the element in its cell, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param text    the text in UTF-8; NULL to make the element missing. ASDF_ERR_VALUE_RANGE if it is not a value of the
 *                type of the column, or not a time of the format of a column of times; the text is stored as it is
 * @param length  its length in bytes
 * @since 0.1.0
 */
asdf_status asdf_table_set_text(asdf_table *table,
                                const char *name,
                                int64_t row,
                                int64_t element,
                                const char *text,
                                size_t length);

/*
 * Rows of tables ------------------------------------------------------------------------------------------------------
 *
 * These functions make a new table from a part of another one, or from its rows in another order. The new table keeps
 * units, descriptions, formats, metadata and schema, and does not depend on the other one. Values are copied, unless
 * all rows are selected.
 *
 *     const char *flux = "flux";
 *     const int32_t descending = 1;
 *     int64_t rows = 0;
 *     asdf_table *sorted = NULL, *brightest = NULL;
 *     asdf_table_sort(table, &flux, &descending, 1, NULL, &sorted);
 *     asdf_table_row_count(sorted, &rows);
 *     asdf_table_slice(sorted, 0, rows < 10 ? rows : 10, 1, NULL, &brightest);
 */

/**
 * Makes a table of some rows and columns of a table, by numbers of rows or by a mask. Without both, all rows are
 * selected, and their values are shared instead of copied.
 *
 * @param table        the table
 * @param rows         numbers of rows, from 0, in any order and possibly repeated; ASDF_ERR_OUT_OF_RANGE if a row does
 *                     not exist. May be NULL if there are none
 * @param row_count    number of row numbers; -1 to select by the mask, or all rows; ASDF_ERR_INVALID_ARGUMENT for any
 *                     other negative number, or if there is a mask, too
 * @param mask         one byte for each row, not 0 if the row is selected; NULL for no mask
 * @param mask_size    size of the mask in bytes; ASDF_ERR_INVALID_ARGUMENT if it is not the number of rows
 * @param columns      names of columns in the new order; the name of a logical column stands for all its members.
 *                     ASDF_ERR_INVALID_ARGUMENT if a column is selected twice. May be NULL if there are none
 * @param column_count number of these names; -1 for all columns; ASDF_ERR_INVALID_ARGUMENT for any other negative
 *                     number
 * @param options      options, or NULL for the defaults
 * @param selected     gets the new table; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_table_select(const asdf_table *table,
                              const int64_t *rows,
                              int64_t row_count,
                              const uint8_t *mask,
                              size_t mask_size,
                              const char *const *columns,
                              int64_t column_count,
                              const asdf_options *options,
                              asdf_table **selected);

/**
 * Makes a table of rows at equal distances.
 *
 * @param table   the table
 * @param first   first row, from 0
 * @param count   number of rows; -1 for all rows up to the end of the table, or down to row 0 if the step is negative;
 *                ASDF_ERR_OUT_OF_RANGE if a row does not exist
 * @param step    distance from one row to the next, negative to reverse the order; ASDF_ERR_INVALID_ARGUMENT if 0
 * @param options options, or NULL for the defaults
 * @param slice   gets the new table; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_table_slice(const asdf_table *table,
                             int64_t first,
                             int64_t count,
                             int64_t step,
                             const asdf_options *options,
                             asdf_table **slice);

/**
 * Makes a table of the same rows, sorted by columns. A later column counts where all before it are equal; rows that
 * are equal in all of them keep their order.
 *
 * Numbers have the order of their values, complex ones by their real and then their imaginary parts, and texts the
 * order of their code points. In both directions, NaN comes after the other numbers, and missing cells come last.
 *
 * @param table      the table
 * @param columns    names of the columns to sort by, the most important one first; ASDF_ERR_WRONG_TYPE for a column
 *                   whose cells are arrays
 * @param descending one number for each of these columns, not 0 to begin with its largest value; NULL to begin with
 *                   the smallest value of each
 * @param count      number of these columns; ASDF_ERR_INVALID_ARGUMENT if less than 1
 * @param options    options, or NULL for the defaults
 * @param sorted     gets the new table; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_table_sort(const asdf_table *table,
                            const char *const *columns,
                            const int32_t *descending,
                            int64_t count,
                            const asdf_options *options,
                            asdf_table **sorted);

/*
 * Reading ECSV --------------------------------------------------------------------------------------------------------
 *
 * A table is read as a whole, or in batches with the memory of one batch. The text may be compressed with gzip or
 * bzip2, and with xz or Zstandard if the library was built with them. Every violation of the format is an error with
 * line and byte offset: nothing is left out, cut or guessed. Irregularities are warnings of the table.
 *
 *     asdf_table_reader *reader = NULL;
 *     asdf_table *batch = NULL;
 *     asdf_table_reader_open("gaia.ecsv.gz", NULL, &reader);
 *     while (asdf_table_reader_next(reader, &batch) == ASDF_OK && batch) {
 *         use(batch);
 *         asdf_table_free(batch);
 *     }
 *     asdf_table_reader_free(reader);
 */

#define ASDF_COLUMN_NAMES_DEFAULT 0 /**< Error; with ASDF_OPTION_ECSV_STRICT a warning. */
#define ASDF_COLUMN_NAMES_REFUSE 1  /**< Error. */
#define ASDF_COLUMN_NAMES_WARN 2    /**< Warning; the names in the header are used. */
#define ASDF_COLUMN_NAMES_IGNORE 3  /**< No warning; the names in the header are used. */

/**
 * Tests whether bytes are the beginning of an ECSV file, by their first line. Header and rows are not checked.
 *
 * @param bytes    the text, possibly compressed: the whole file, or its first few KiB
 * @param size     number of bytes
 * @param buffer   gets the version in the first line; empty if it is not an ECSV file
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_ecsv_probe(const void *bytes, size_t size, char *buffer, size_t capacity, size_t *needed);

/**
 * Reads a table from a file.
 *
 * @param path    name of the file
 * @param options options, or NULL for the defaults
 * @param table   gets the table; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_table_read_ecsv(const char *path, const asdf_options *options, asdf_table **table);

/**
 * Reads a table from memory.
 *
 * @param bytes   the text, possibly compressed
 * @param size    its length in bytes
 * @param options options, or NULL for the defaults
 * @param table   gets the table; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_table_read_ecsv_memory(const void *bytes,
                                        size_t size,
                                        const asdf_options *options,
                                        asdf_table **table);

/**
 * Makes the index of a table in a file: offsets of records, from which a reader can begin. Several processes then read
 * disjoint ranges of rows of the file, each with the options ASDF_OPTION_TABLE_INDEX, ASDF_OPTION_FIRST_ROW and
 * ASDF_OPTION_ROW_COUNT.
 *
 * The text is passed over once, from the first byte to the last, because only so a line feed inside quotes is known.
 * Quotes and line ends alone are looked at: faults of cells are errors when they are read. The index is text, which can
 * be stored and sent to other processes. A reader refuses it with ASDF_ERR_FILE_CHANGED if the file has another size or
 * another beginning.
 *
 * Fails with ASDF_ERR_UNSUPPORTED for compressed text, with ASDF_ERR_TRUNCATED if the file ends inside quotes, and like
 * asdf_table_reader_open().
 *
 * @param path    name of the file
 * @param step    rows from one offset to the next; 0 for about a thousand offsets; ASDF_ERR_INVALID_ARGUMENT if
 *                negative
 * @param options options for reading the table, or NULL for the defaults
 * @param rows    gets the number of rows; may be NULL
 * @param index   gets the index, UTF-8 without a final NUL; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_table_index(const char *path,
                             int64_t step,
                             const asdf_options *options,
                             int64_t *rows,
                             asdf_buffer **index);

/**
 * Opens a file to read its table in batches. Only the header is read.
 *
 * @param path    name of the file
 * @param options options, or NULL for the defaults
 * @param reader  gets the reader; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_table_reader_open(const char *path, const asdf_options *options, asdf_table_reader **reader);

/**
 * Opens a source that the program implements, to read its table in batches. Only the header is read.
 *
 * @param read    reads bytes; it is called on the thread that uses the reader
 * @param close   closes the source when the reader is freed; NULL for none. It is not called if this call fails
 * @param user    pointer passed to both callbacks; may be NULL
 * @param length  size of the source in bytes; ASDF_ERR_INVALID_ARGUMENT if negative
 * @param options options, or NULL for the defaults
 * @param reader  gets the reader; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_table_reader_open_source(asdf_read_callback read,
                                          asdf_close_callback close,
                                          void *user,
                                          int64_t length,
                                          const asdf_options *options,
                                          asdf_table_reader **reader);

/**
 * Gets a table without rows: the columns to read, with their units, descriptions and metadata.
 *
 * @param reader the reader
 * @param table  gets the table; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_table_reader_header(const asdf_table_reader *reader, asdf_table **table);

/**
 * Reads the next batch of rows. After a failure other than ASDF_ERR_CANCELLED, every further call fails with the same
 * error.
 *
 * Fails with ASDF_ERR_FILE_CHANGED if another program changed the file after it was opened. The batches before are
 * rows of the old file. If that program restored the modification time, only parts of the text are compared.
 *
 * @param reader the reader
 * @param table  gets a table of these rows; NULL after the last row (without an error), and on failure
 * @since 0.1.0
 */
asdf_status asdf_table_reader_next(asdf_table_reader *reader, asdf_table **table);

/**
 * Frees a reader. Tables that it returned stay valid.
 *
 * @param reader the reader, or NULL
 * @since 0.1.0
 */
void asdf_table_reader_free(asdf_table_reader *reader);

/*
 * Writing ECSV --------------------------------------------------------------------------------------------------------
 *
 * A table is written as text that astropy and other programs read, as a whole or in batches. The file gets its name
 * when it is complete; until then an existing file of that name stays unchanged. An empty field means a missing cell;
 * ASDF_OPTION_EMPTY_STRINGS selects how empty strings are written.
 *
 *     asdf_table_writer *writer = NULL;
 *     asdf_table_writer_create("events.ecsv.gz", batch, NULL, &writer);   // the columns of the first batch
 *     do asdf_table_writer_append(writer, batch); while (next(batch));
 *     asdf_table_writer_finish(writer);
 *     asdf_table_writer_free(writer);
 */

/**
 * As in the text that the table was read from, otherwise blanks.
 */
#define ASDF_DELIMITER_SAME 0

#define ASDF_DELIMITER_SPACE 1 /**< Blanks. */
#define ASDF_DELIMITER_COMMA 2 /**< Commas. */

/**
 * By the end of the file name: gzip for .gz, bzip2 for .bz2, otherwise none.
 */
#define ASDF_TEXT_COMPRESSION_BY_SUFFIX 0

#define ASDF_TEXT_COMPRESSION_NONE 1  /**< None, for any file name. */
#define ASDF_TEXT_COMPRESSION_GZIP 2  /**< gzip. */
#define ASDF_TEXT_COMPRESSION_BZIP2 3 /**< bzip2. */

/**
 * Mark columns whose first rows have an empty string; in other columns it is an error.
 */
#define ASDF_EMPTY_STRINGS_MARK 0

#define ASDF_EMPTY_STRINGS_MARK_ALL 1 /**< Mark all columns of strings. */
#define ASDF_EMPTY_STRINGS_MISSING 2  /**< Write empty strings as missing cells. */
#define ASDF_EMPTY_STRINGS_REFUSE 3   /**< Empty strings are an error. */
#define ASDF_JSON_NUMBERS_NAMES 0     /**< As NaN, Infinity and -Infinity. */
#define ASDF_JSON_NUMBERS_NULL 1      /**< As null, which readers take as missing elements. */

/**
 * Writes a table to a file, which gets its name when it is complete. After a failure an existing file stays unchanged;
 * after ASDF_ERR_NOT_DURABLE the new file has the name, and only waiting until the name is on disk failed. The
 * permissions of an existing file are kept, and a symbolic link is followed. Pipes and character devices are written
 * to.
 *
 * Metadata that are nodes of an ASDF file become plain, as with ASDF_OPTION_PLAIN_METADATA. Objects of astropy in them
 * stay objects.
 *
 * @param table   the table; ASDF_ERR_UNSUPPORTED for arrays of complex numbers; ASDF_ERR_VALUE_RANGE for text that is
 *                not the JSON value or number of its column type
 * @param path    name of the file; ASDF_ERR_FILE_EXISTS if it exists, unless ASDF_OPTION_REPLACE is 1
 * @param options options, or NULL for the defaults
 * @since 0.1.0
 */
asdf_status asdf_table_write_ecsv(const asdf_table *table, const char *path, const asdf_options *options);

/**
 * Starts writing a table in batches.
 *
 * @param path    name of the file; it gets this name when it is finished. ASDF_ERR_FILE_EXISTS if a file of this name
 *                exists now or then, unless ASDF_OPTION_REPLACE is 1
 * @param table   table with the columns, their properties and the metadata; its rows are not written
 * @param options options, or NULL for the defaults
 * @param writer  gets the writer; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_table_writer_create(const char *path,
                                     const asdf_table *table,
                                     const asdf_options *options,
                                     asdf_table_writer **writer);

/**
 * Appends the rows of a table. For writers of asdf_table_writer_create() and asdf_node_begin_table().
 *
 * @param writer the writer; ASDF_ERR_CLOSED if it is finished
 * @param table  the rows. The columns must have the names, types and order of the table that the writer was created
 *               with; otherwise the call fails with ASDF_ERR_INVALID_ARGUMENT and writes nothing. After
 *               ASDF_ERR_CANCELLED some rows are written; appending the same table again writes the others. After any
 *               other failure the writer can only be freed
 * @since 0.1.0
 */
asdf_status asdf_table_writer_append(asdf_table_writer *writer, const asdf_table *table);

/**
 * Writes the remaining data and gives the file its name. A writer of asdf_node_begin_table() stores the table in the
 * tree.
 *
 * @param writer the writer; ASDF_ERR_CLOSED if it is finished
 * @since 0.1.0
 */
asdf_status asdf_table_writer_finish(asdf_table_writer *writer);

/**
 * Frees a writer. If it is not finished, no new file remains, and nothing is stored in a tree.
 *
 * @param writer the writer, or NULL
 * @since 0.1.0
 */
void asdf_table_writer_free(asdf_table_writer *writer);

/*
 * Tables in ASDF files ------------------------------------------------------------------------------------------------
 *
 * A table is stored in a tree in one of four forms, and can be read from each: columns of the standard, columns of
 * astropy, an array of records, or a mapping of arrays. Numbers keep their type, texts become strings of the length of
 * the longest one, and masks mark missing elements. Information that ASDF has no place for (formats, and the types of
 * texts that are JSON or 128-bit numbers) is stored in the metadata under `__ecsv__`, and read from there.
 *
 * Special columns of astropy are read as plain columns: quantities as columns with units, times as the values of their
 * format, time differences as the columns `name.jd1` and `name.jd2`, and records as one column for each field,
 * `name.field`. Their other properties are in the metadata of the table under `__serialized_columns__`, as in ECSV
 * (see Logical columns). Writing such a table restores the objects of astropy.
 *
 *     asdf_table *table = NULL;
 *     asdf_node_get_table(root, "catalogue", NULL, &table);
 *     asdf_node_set_table(other_root, "copy", table, NULL);
 *     asdf_table_free(table);
 */

/**
 * The form of astropy if the table has objects of astropy (see Logical columns), and otherwise that of the standard.
 */
#define ASDF_TABLE_FORM_AUTOMATIC 0

#define ASDF_TABLE_FORM_STANDARD 1 /**< A table of the standard: an array for each column. */

/**
 * The form in which astropy writes its tables. Quantities, times and coordinates become objects of astropy.
 */
#define ASDF_TABLE_FORM_ASTROPY 2

/**
 * An array of records: only names and values, without missing elements.
 */
#define ASDF_TABLE_FORM_RECORDS 3

/**
 * A mapping of arrays, or of quantities for columns with a unit.
 */
#define ASDF_TABLE_FORM_ARRAYS 4

/**
 * Reads a table into memory: one of the standard or of astropy in any version, an array of records, or a mapping of
 * arrays, quantities and columns. Its metadata refer to nodes of the file, unless ASDF_OPTION_PLAIN_METADATA is 1.
 * Units keep their text, except magnitudes: "mag(AB)" for astropy's magunit of "AB". Besides the table, the call needs
 * at most about 40 MiB of memory for a decoded block whose columns are in row order.
 *
 * ASDF_OPTION_FIRST_ROW and ASDF_OPTION_ROW_COUNT choose rows. Of uncompressed blocks, only their bytes are read.
 *
 * Errors:
 *
 * - ASDF_ERR_WRONG_TYPE if the node is not a table
 * - ASDF_ERR_TAG_CONTENT if a required part is missing, two columns have the same name, or columns differ in length
 * - ASDF_ERR_UNSUPPORTED if a column does not consist of arrays, or if it, a unit or another text has an unknown tag
 * - ASDF_ERR_LIMIT if strides make a column much larger than its block, or if the table takes more memory than the sum
 *   of its stored bytes and ASDF_OPTION_LIMIT_TABLE_BYTES of the file's options
 *
 * @param node    node that the path starts from
 * @param path    the path
 * @param options options, or NULL for the defaults
 * @param table   gets the table; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_node_get_table(const asdf_node *node,
                                const char *path,
                                const asdf_options *options,
                                asdf_table **table);

/**
 * Stores a table in the tree. Numbers are not copied: the file shares the current content of the table until it is
 * written; later changes of the table or freeing its handle have no effect on it. Metadata and the arrays in them are
 * copied.
 *
 * Errors, with the column in the message:
 *
 * - ASDF_ERR_UNSUPPORTED for cells of different length, and for information that the form cannot hold
 * - ASDF_ERR_VALUE_RANGE for a text that ends with NUL, because strings of fixed length cannot represent it
 * - ASDF_ERR_INVALID_ARGUMENT for rows without a column
 *
 * @param node    node that the path starts from
 * @param path    the path
 * @param table   the table
 * @param options options, or NULL for the defaults
 * @since 0.1.0
 */
asdf_status asdf_node_set_table(asdf_node *node,
                                const char *path,
                                const asdf_table *table,
                                const asdf_options *options);

/**
 * Begins to store a table in batches, for a table that does not fit in memory. Append batches with
 * asdf_table_writer_append(). asdf_table_writer_finish() stores the table in the tree, and asdf_file_write() or
 * asdf_file_save() writes it. Until then the rows are in a temporary file without a name.
 *
 * Each column becomes an array of its own, as with asdf_node_set_table(), and texts get the length of the longest. Two
 * kinds of objects of astropy stay columns that the metadata describe: times whose column does not have their stored
 * form, such as missing times, and columns of records.
 *
 * Memory is needed for a batch and 32 MiB. The temporary file takes about as much space as the table: choose its
 * directory with ASDF_OPTION_TEMPORARY_DIRECTORY if that of the system is small or in memory. The table in the tree
 * keeps it until the file is closed.
 *
 * ```c
 * asdf_table_writer *writer = NULL;
 * asdf_node_begin_table(root, "catalogue", batch, NULL, &writer);   // the columns of the first batch
 * do asdf_table_writer_append(writer, batch); while (next(batch));
 * asdf_table_writer_finish(writer);
 * asdf_table_writer_free(writer);
 * asdf_file_write(file, "catalogue.asdf", NULL);
 * ```
 *
 * Errors, with the column in the message:
 *
 * - ASDF_ERR_UNSUPPORTED for ASDF_TABLE_FORM_RECORDS, for Blosc and codecs of the program, and for information that the
 *   form cannot hold
 * - ASDF_ERR_INVALID_ARGUMENT for an empty ASDF_OPTION_TEMPORARY_DIRECTORY
 * - of asdf_table_writer_append(): ASDF_ERR_VALUE_RANGE with the row for a text that ends with NUL, ASDF_ERR_NO_SPACE
 *
 * @param node    node that the path starts from
 * @param path    the path; the node there is replaced when the writer finishes
 * @param table   table with the columns, their properties and the metadata; its rows are not stored
 * @param options options, or NULL for the defaults
 * @param writer  gets the writer; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_node_begin_table(asdf_node *node,
                                  const char *path,
                                  const asdf_table *table,
                                  const asdf_options *options,
                                  asdf_table_writer **writer);

/*
 * Logical columns -----------------------------------------------------------------------------------------------------
 *
 * astropy stores some columns of a table as several columns of a file: the two halves of a time, or the angles of a
 * coordinate. The metadata describe how they belong together. An asdf_table has the columns of the file, but values and
 * their mask are one column, unless ASDF_OPTION_RAW_COLUMNS is 1. These functions return the original (logical)
 * columns: their name, class, unit, members (columns of the file) and other attributes. A column that the metadata do
 * not describe is a logical column itself, so the logical columns together are the whole original table.
 *
 * The class is only a name, so every class is accepted. Members that the table does not have are an error only when
 * their values are read.
 *
 *     asdf_logical_columns *columns = NULL;
 *     asdf_table *values = NULL;
 *     asdf_table_logical_columns(table, &columns);
 *     for (int64_t i = 0; i < count; i++) {
 *         asdf_logical_columns_name(columns, i, name, sizeof name, NULL);
 *         asdf_logical_columns_class(columns, i, class, sizeof class, NULL);
 *         if (strcmp(class, "astropy.time.core.Time") == 0) asdf_logical_columns_attributes(columns, i, &attributes);
 *         asdf_logical_columns_values(columns, i, &values);
 *     }
 */

/**
 * Gets the logical columns of a table in its current state. A logical column with several members has the position of
 * the first one.
 *
 * @param table   the table
 * @param columns gets the columns; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_table_logical_columns(const asdf_table *table, asdf_logical_columns **columns);

/**
 * Gets the number of logical columns.
 *
 * @param columns the columns
 * @param count   gets the number
 * @since 0.1.0
 */
asdf_status asdf_logical_columns_count(const asdf_logical_columns *columns, int64_t *count);

/**
 * Gets the name of a logical column.
 *
 * @param columns  the columns
 * @param index    its number, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param buffer   gets the name
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_logical_columns_name(const asdf_logical_columns *columns,
                                      int64_t index,
                                      char *buffer,
                                      size_t capacity,
                                      size_t *needed);

/**
 * Gets the class of a logical column: a dotted Python name; empty if the metadata do not describe the column.
 *
 * @param columns  the columns
 * @param index    its number, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param buffer   gets the name of the class
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_logical_columns_class(const asdf_logical_columns *columns,
                                       int64_t index,
                                       char *buffer,
                                       size_t capacity,
                                       size_t *needed);

/**
 * Gets the unit of a logical column as a whole, as it is spelled; empty if it has none, or an empty one
 * (asdf_logical_columns_has_unit()).
 *
 * @param columns  the columns
 * @param index    its number, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param buffer   gets the unit
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_logical_columns_unit(const asdf_logical_columns *columns,
                                      int64_t index,
                                      char *buffer,
                                      size_t capacity,
                                      size_t *needed);

/**
 * Tests whether a logical column has a unit, which can be empty.
 *
 * @param columns the columns
 * @param index   its number, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param has     gets 1 or 0
 * @since 0.1.0
 */
asdf_status asdf_logical_columns_has_unit(const asdf_logical_columns *columns, int64_t index, int32_t *has);

/**
 * Gets the attributes of a logical column in the metadata, such as format and scale of a time, or frame of a
 * coordinate.
 *
 * @param columns    the columns
 * @param index      its number, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param attributes gets the node in the metadata of the table; NULL on failure. ASDF_ERR_NOT_FOUND if the metadata do
 *                   not describe the column
 * @since 0.1.0
 */
asdf_status asdf_logical_columns_attributes(const asdf_logical_columns *columns, int64_t index, asdf_node **attributes);

/**
 * Gets the number of members of a logical column: columns of the file that it consists of.
 *
 * @param columns the columns
 * @param index   its number, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param count   gets the number
 * @since 0.1.0
 */
asdf_status asdf_logical_columns_member_count(const asdf_logical_columns *columns, int64_t index, int64_t *count);

/**
 * Gets the name of a member of a logical column. Members are in the order of the table; members that the table does
 * not have come last.
 *
 * @param columns  the columns
 * @param index    number of the logical column, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param member   number of the member, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param buffer   gets the name
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_logical_columns_member_name(const asdf_logical_columns *columns,
                                             int64_t index,
                                             int64_t member,
                                             char *buffer,
                                             size_t capacity,
                                             size_t *needed);

/**
 * Gets the role of a member in its logical column, as a path in the attributes: "jd1", "ra/value", "data", "mask".
 * Empty if the metadata do not describe the column.
 *
 * @param columns  the columns
 * @param index    number of the logical column, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param member   number of the member, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param buffer   gets the path
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_logical_columns_member_attribute(const asdf_logical_columns *columns,
                                                  int64_t index,
                                                  int64_t member,
                                                  char *buffer,
                                                  size_t capacity,
                                                  size_t *needed);

/**
 * Gets the values of a logical column: a table of its members, under their names in the file. Masks are applied, so
 * that the elements they mark are missing, and are left out as columns. Fails with ASDF_ERR_NOT_FOUND if the table
 * does not have a member, and with ASDF_ERR_WRONG_TYPE if a mask does not fit its values.
 *
 * @param columns the columns
 * @param index   its number, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param values  gets the table; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_logical_columns_values(const asdf_logical_columns *columns, int64_t index, asdf_table **values);

/**
 * Adds an owner to logical columns.
 *
 * @param columns the columns
 * @param another gets another handle of the same object, to be freed as well; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_logical_columns_retain(const asdf_logical_columns *columns, asdf_logical_columns **another);

/**
 * Gives up one owner of logical columns. The last owner frees them.
 *
 * @param columns the columns, or NULL
 * @since 0.1.0
 */
void asdf_logical_columns_free(asdf_logical_columns *columns);

/*
 * Arrow ---------------------------------------------------------------------------------------------------------------
 *
 * pyarrow, polars, pandas, DuckDB, nanoarrow for R, Arrow for Julia and many other programs accept a table as a struct
 * array of columns, or as a stream of such arrays. No Arrow library is needed: the structs below never change.
 * Exported numbers, texts and validity share memory with the table, which stays alive until they are released; only
 * truth values are copied, eight into a byte. The consumer of a struct releases it by calling its release callback, in
 * any order and on any thread.
 *
 * Types without an Arrow equivalent are exported as follows:
 *
 * - Arrays in cells: fixed-size lists for each axis with the same extent in all cells, and variable-size lists for a
 *   last axis whose extent differs.
 * - Complex numbers: fixed-size lists of two numbers.
 * - JSON: text with the extension type "arrow.json".
 *
 * Columns of times (asdf_table_time()) are exported as timestamps in nanoseconds: in UTC if their scale is UTC, TAI or
 * TT, and without a time zone for any other scale. Dates are exported as 32-bit days, spans of time as durations.
 * Format, scale and place stay in "ecsv:meta" of the schema. A column with a time in a leap second, between two
 * nanoseconds or beyond the years 1677 to 2262 is exported as it is stored, with a warning of the table
 * (asdf_table_report()). With ASDF_OPTION_RAW_COLUMNS all columns are exported as they are stored, as readers of
 * batches do. Timestamps, dates and durations are imported as columns of times and of spans of time: in UTC, or with
 * the format and the scale that the metadata have for the column. A time zone other than UTC is not kept, with a
 * warning.
 *
 * The metadata of a field have the other properties of its column: "ecsv:datatype" and "ecsv:subtype" (with the names
 * of ECSV), "ecsv:unit", "ecsv:description", "ecsv:format", and "ecsv:meta" (as JSON). The metadata of the schema have
 * "ecsv:meta" and "ecsv:schema" of the table. Values that JSON cannot express are written as {"__tag__": YAML tag,
 * "__value__": ...}.
 *
 *     struct ArrowArrayStream stream;
 *     asdf_table_export_arrow_stream(table, NULL, &stream);
 *     give_to_somebody(&stream);
 */
/* Structs of the C Data and C Stream interfaces of Arrow, copied from their specification. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif /* ARROW_C_DATA_INTERFACE */

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

#endif /* ARROW_C_STREAM_INTERFACE */

/**
 * Exports a table as one struct array, whose children are the columns.
 *
 * @param table   the table
 * @param options options, or NULL for the defaults
 * @param schema  gets the types and metadata of the columns, to be released; its previous content is ignored.
 *                ASDF_ERR_ENCODING if a name contains a NUL; ASDF_ERR_UNSUPPORTED for cells of more than 32 axes;
 *                ASDF_ERR_VALUE_RANGE for extents beyond INT32_MAX; ASDF_ERR_LIMIT if aliases make metadata too large
 * @param array   gets the values, to be released; its previous content is ignored
 * @since 0.1.0
 */
asdf_status asdf_table_export_arrow(const asdf_table *table,
                                    const asdf_options *options,
                                    struct ArrowSchema *schema,
                                    struct ArrowArray *array);

/**
 * Exports a table as a stream of struct arrays, whose children are the columns.
 *
 * @param table   the table; later changes do not affect the stream
 * @param options options, or NULL for the defaults. ASDF_OPTION_BATCH_ROWS is the largest number of rows of an array;
 *                the default is one array with all rows. Splitting copies no values
 * @param stream  gets the stream, to be released; its previous content is ignored. Errors are those of
 *                asdf_table_export_arrow()
 * @since 0.1.0
 */
asdf_status asdf_table_export_arrow_stream(const asdf_table *table,
                                           const asdf_options *options,
                                           struct ArrowArrayStream *stream);

/**
 * Exports the remaining rows of a reader as a stream of struct arrays, whose children are the columns. Each batch is
 * read when the consumer requests it, and has the size of the reader's batches, so memory does not grow with the file.
 *
 * The stream keeps the reader alive. Each row is returned once, either by the stream or by the reader. The options of
 * the reader determine how rows are read. Several streams can be exported, but only the first one that is read gets
 * rows: a program may export one for the schema alone.
 *
 * @param reader  the reader
 * @param options options, or NULL for the defaults
 * @param stream  gets the stream, to be released; its previous content is ignored. Errors are those of
 *                asdf_table_export_arrow(), and ASDF_ERR_CLOSED if another stream has read rows; errors of reading are
 *                returned by the stream
 * @since 0.1.0
 */
asdf_status asdf_table_reader_export_arrow_stream(asdf_table_reader *reader,
                                                  const asdf_options *options,
                                                  struct ArrowArrayStream *stream);

/**
 * Creates a table from one struct array. The values are copied.
 *
 * Supported column types are truth values, integers, floats, text (also string views), timestamps, dates, durations,
 * lists as in the export or with 32-bit offsets, dictionaries of all these, and the null type, which becomes a column
 * of missing strings. Errors:
 *
 * - ASDF_ERR_UNSUPPORTED for other types, nested variable-size lists, and rows that are null as a whole
 * - ASDF_ERR_INVALID_ARGUMENT for two columns of the same name, and for inconsistent structs
 * - ASDF_ERR_ENCODING for text that is not UTF-8
 * - ASDF_ERR_VALUE_RANGE for text that is not the JSON value or 128-bit number that its metadata declare
 * - ASDF_ERR_WRONG_TYPE for "ecsv:meta" that is not JSON
 *
 * @param schema  the schema, of struct type; the call releases it, also if it fails, unless schema, array or table is
 *                NULL
 * @param array   the values; the call releases them under the same condition
 * @param options options, or NULL for the defaults. ASDF_OPTION_LIMIT_TABLE_BYTES limits the memory for values that no
 *                buffer holds
 * @param table   gets the table; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_table_import_arrow(struct ArrowSchema *schema,
                                    struct ArrowArray *array,
                                    const asdf_options *options,
                                    asdf_table **table);

/**
 * Creates a table from all arrays of a stream. The values are copied, one array after the other.
 *
 * @param stream  the stream; the call releases it, also if it fails, unless stream or table is NULL. ASDF_ERR_CALLBACK
 *                if the stream reports an error. Supported types and other errors are those of
 *                asdf_table_import_arrow()
 * @param options options, or NULL for the defaults. ASDF_OPTION_LIMIT_TABLE_BYTES limits the memory for values that no
 *                buffer holds, and for each 4 KiB there may be one array whose buffers hold nothing
 * @param table   gets the table; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_table_import_arrow_stream(struct ArrowArrayStream *stream,
                                           const asdf_options *options,
                                           asdf_table **table);

/* 10. Times ======================================================================================================== */

/*
 * Times ---------------------------------------------------------------------------------------------------------------
 *
 * An asdf_time is one or more points in time in one scale: a `time/time` of the standard, or text such as a YAML
 * timestamp. Each is a Julian date as the sum of two doubles, as in astropy: `jd1` is a whole number, `jd2` is between
 * -0.5 and 0.5, and their sum is exact to about 10 picoseconds. UTC, TAI and TT are converted to one another. UT1,
 * TDB, TCB, TCG and local time are kept, and their conversion is ASDF_ERR_UNSUPPORTED.
 *
 * UTC has leap seconds. The library has a table of them from Bulletins C of the IERS, complete until 2027-06-28;
 * ASDF_OPTION_LEAP_SECONDS replaces it. A time after the end of the table is a warning of the times
 * (asdf_time_report()). Before 1972, UTC is that of ERFA: its seconds had other lengths from 1960 on, and before 1960
 * its difference from TAI is taken as 0, which is a warning, too.
 *
 * A Julian date in UTC divides the day by its length. A day with a leap second has longer seconds, as in ERFA and
 * astropy, and each of its 86,401 seconds has a Julian date of its own.
 *
 *     asdf_time *start = NULL, *tai = NULL;
 *     int64_t nanoseconds;
 *     char text[40];
 *     asdf_node_get_time(root, "meta/start", NULL, &start);
 *     asdf_time_text(start, 0, ASDF_TIME_FORMAT_ISOT, 6, text, sizeof text, NULL);
 *     asdf_time_read_nanoseconds(start, ASDF_TIME_SCALE_TAI, &nanoseconds, NULL, 1);
 *     asdf_time_free(start);
 */

#define ASDF_TIME_SCALE_UTC 1 /**< Scale: Coordinated Universal Time. */
#define ASDF_TIME_SCALE_TAI 2 /**< Scale: International Atomic Time. */
#define ASDF_TIME_SCALE_TT 3  /**< Scale: Terrestrial Time, TAI + 32.184 s. */
#define ASDF_TIME_SCALE_UT1 4 /**< Scale: Universal Time UT1, the rotation of the Earth. */
#define ASDF_TIME_SCALE_TDB 5 /**< Scale: Barycentric Dynamical Time. */
#define ASDF_TIME_SCALE_TCB 6 /**< Scale: Barycentric Coordinate Time. */
#define ASDF_TIME_SCALE_TCG 7 /**< Scale: Geocentric Coordinate Time. */

/**
 * Scale: local time of an unknown offset, as astropy stores it in tables.
 */
#define ASDF_TIME_SCALE_LOCAL 8

#define ASDF_TIME_FORMAT_ISO 1  /**< Format: text as in "2027-01-31 04:05:06.700". */
#define ASDF_TIME_FORMAT_ISOT 2 /**< Format: text as in "2027-01-31T04:05:06.700". */

/**
 * Format: like ASDF_TIME_FORMAT_ISOT; years beyond 0 to 9999 have a sign and five digits.
 */
#define ASDF_TIME_FORMAT_FITS 3

/**
 * Format: day of the year as text, as in "2027:031:04:05:06.700".
 */
#define ASDF_TIME_FORMAT_YDAY 4

#define ASDF_TIME_FORMAT_BYEAR 5     /**< Format: Besselian epoch as a number. */
#define ASDF_TIME_FORMAT_JYEAR 6     /**< Format: Julian epoch as a number. */
#define ASDF_TIME_FORMAT_BYEAR_STR 7 /**< Format: Besselian epoch as text, as in "B1950.0". */
#define ASDF_TIME_FORMAT_JYEAR_STR 8 /**< Format: Julian epoch as text, as in "J2000.0". */

/**
 * Format: year and fraction of this year as a number.
 */
#define ASDF_TIME_FORMAT_DECIMALYEAR 9

#define ASDF_TIME_FORMAT_JD 10  /**< Format: Julian date. */
#define ASDF_TIME_FORMAT_MJD 11 /**< Format: Modified Julian Date. */
#define ASDF_TIME_FORMAT_GPS 12 /**< Format: seconds of TAI since 1980-01-06T00:00:00 UTC. */

/**
 * Format: seconds of UTC since 1970-01-01, without leap seconds.
 */
#define ASDF_TIME_FORMAT_UNIX 13

#define ASDF_TIME_FORMAT_UNIX_TAI 14 /**< Format: seconds of TAI since 1970-01-01 TAI. */

/**
 * Format: seconds of UTC since 1979-01-01, without leap seconds.
 */
#define ASDF_TIME_FORMAT_UTIME 15

#define ASDF_TIME_FORMAT_TAI_SECONDS 16 /**< Format: seconds of TAI since 1958-01-01 TAI. */
#define ASDF_TIME_FORMAT_CXCSEC 17      /**< Format: seconds of TT since 1998-01-01 TT. */

/**
 * Format: seconds of UTC since 1980-01-06, without leap seconds.
 */
#define ASDF_TIME_FORMAT_GALEXSEC 18

/**
 * Format: days of UTC since 0001-01-01, which is day 1.
 */
#define ASDF_TIME_FORMAT_PLOT_DATE 19

/**
 * Format: year, month, day, hour, minute and second; text like ASDF_TIME_FORMAT_ISOT.
 */
#define ASDF_TIME_FORMAT_YMDHMS 20

/**
 * Format: Python's datetime; text like ASDF_TIME_FORMAT_ISOT.
 */
#define ASDF_TIME_FORMAT_DATETIME 21

/**
 * Format: numpy's datetime64; text like ASDF_TIME_FORMAT_ISOT.
 */
#define ASDF_TIME_FORMAT_DATETIME64 22

#define ASDF_TIME_FORMAT_STARDATE 23 /**< Format: stardate. */

/**
 * Reads points in time: a time/time in any version, whose value is text, a number, a list of texts, an array or a
 * quantity, or text without a tag. The Julian dates are those that astropy reads.
 *
 * Errors:
 *
 * - ASDF_ERR_WRONG_TYPE if the node is not a time
 * - ASDF_ERR_TAG_CONTENT for texts that are not times, and for numbers without a format
 * - ASDF_ERR_UNSUPPORTED for an unknown format or scale
 * - ASDF_ERR_UNITS for a unit that is not one of time, or one of a place that is not one of length
 *
 * @param node    node that the path starts from
 * @param path    the path
 * @param options options, or NULL for the defaults
 * @param time    gets the times; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_node_get_time(const asdf_node *node, const char *path, const asdf_options *options, asdf_time **time);

/**
 * Gets the scale of times.
 *
 * @param time  the times
 * @param scale gets an ASDF_TIME_SCALE_ constant
 * @since 0.1.0
 */
asdf_status asdf_time_scale(const asdf_time *time, int32_t *scale);

/**
 * Gets the format of times, in which they are stored.
 *
 * @param time   the times
 * @param format gets an ASDF_TIME_FORMAT_ constant
 * @since 0.1.0
 */
asdf_status asdf_time_format(const asdf_time *time, int32_t *format);

/**
 * Gets the extents of times, slowest axis first.
 *
 * @param time     the times
 * @param shape    gets the extents; a buffer of ASDF_MAX_RANK numbers is always large enough
 * @param capacity size of the buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the rank; 0 to get only the
 *                 rank
 * @param rank     gets the number of axes, 0 for a single time; also if the capacity is too small. May be NULL
 * @since 0.1.0
 */
asdf_status asdf_time_shape(const asdf_time *time, int64_t *shape, int32_t capacity, int32_t *rank);

/**
 * Gets the number of times, the product of the extents.
 *
 * @param time  the times
 * @param count gets the number, 1 for a single time
 * @since 0.1.0
 */
asdf_status asdf_time_count(const asdf_time *time, int64_t *count);

/**
 * Gets the warnings of times: a time after the end of the table of leap seconds, a time in UTC before 1960, a second 60
 * in a minute without leap second.
 *
 * @param time   the times
 * @param report gets the warnings, possibly none; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_time_report(const asdf_time *time, asdf_report **report);

/**
 * Converts times to another scale.
 *
 * @param time      the times
 * @param scale     an ASDF_TIME_SCALE_ constant; ASDF_ERR_UNSUPPORTED unless this and the scale of the times are among
 *                  UTC, TAI and TT, or equal
 * @param converted gets the converted times; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_time_convert(const asdf_time *time, int32_t scale, asdf_time **converted);

/**
 * Reads Julian dates in the scale of the times, each as the sum of two doubles. Those of missing times have no meaning.
 *
 * @param time     the times
 * @param jd1      gets whole numbers of days, in C order
 * @param jd2      gets the rests, between -0.5 and 0.5
 * @param capacity size of each of both buffers in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the number of times
 * @since 0.1.0
 */
asdf_status asdf_time_read_jd(const asdf_time *time, double *jd1, double *jd2, size_t capacity);

/**
 * Reads numbers in a format, converted to its scale; NaN for missing times. A double holds Julian dates to 40
 * microseconds, and seconds since 1970 to 0.2 microseconds.
 *
 * @param time     the times
 * @param format   an ASDF_TIME_FORMAT_ constant; ASDF_ERR_INVALID_ARGUMENT for a format of texts
 * @param numbers  gets the numbers, in C order
 * @param capacity size of the buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the number of times
 * @since 0.1.0
 */
asdf_status asdf_time_read_numbers(const asdf_time *time, int32_t format, double *numbers, size_t capacity);

/**
 * Reads nanoseconds since 1970-01-01T00:00:00 on the clock of a scale, to which the times are converted. The clock of
 * UTC does not count leap seconds; its nanoseconds are those of numpy's datetime64. A missing time is INT64_MIN.
 *
 * Errors:
 *
 * - ASDF_ERR_OUT_OF_RANGE for a time in a leap second in UTC, and before 1677-09-21 or after 2262-04-11
 * - ASDF_ERR_VALUE_RANGE if a time is between two nanoseconds and `rest` is NULL
 *
 * @param time        the times
 * @param scale       an ASDF_TIME_SCALE_ constant; see asdf_time_convert()
 * @param nanoseconds gets the nearest whole numbers, in C order
 * @param rest        gets the rests, from -0.5 to 0.5 nanoseconds; NULL if all times must be whole nanoseconds
 * @param capacity    size of each buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the number of times
 * @since 0.1.0
 */
asdf_status asdf_time_read_nanoseconds(const asdf_time *time,
                                       int32_t scale,
                                       int64_t *nanoseconds,
                                       double *rest,
                                       size_t capacity);

/**
 * Gets a time as text. That of a missing time has no meaning.
 *
 * @param time      the times
 * @param index     number of the time in C order, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param format    an ASDF_TIME_FORMAT_ constant; ASDF_ERR_INVALID_ARGUMENT for a format of numbers, and
 *                  ASDF_ERR_OUT_OF_RANGE if it has no text for the year
 * @param precision decimals of a second, 0 to 9; -1 for 3, 6 or 9 as needed
 * @param buffer    gets the text
 * @param capacity  size of the buffer in bytes
 * @param needed    gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_time_text(const asdf_time *time,
                           int64_t index,
                           int32_t format,
                           int32_t precision,
                           char *buffer,
                           size_t capacity,
                           size_t *needed);

/**
 * Reads which times are missing.
 *
 * @param time     the times
 * @param mask     gets a byte for each time in C order: 1 if it is missing, else 0
 * @param capacity size of the buffer in bytes; ASDF_ERR_BUFFER_TOO_SMALL if less than the number of times
 * @since 0.1.0
 */
asdf_status asdf_time_read_mask(const asdf_time *time, uint8_t *mask, size_t capacity);

/**
 * Gets the place on Earth of a time: geocentric coordinates in metres.
 *
 * @param time  the times
 * @param index number of the time in C order, from 0; ASDF_ERR_OUT_OF_RANGE if there is none, ASDF_ERR_NOT_FOUND if
 *              the times have no place
 * @param x     gets the coordinate towards longitude 0
 * @param y     gets the coordinate towards longitude 90 degrees east
 * @param z     gets the coordinate towards the north pole
 * @since 0.1.0
 */
asdf_status asdf_time_location(const asdf_time *time, int64_t index, double *x, double *y, double *z);

/**
 * Adds an owner to times.
 *
 * @param time    the times
 * @param another gets another handle of the same object, to be freed as well; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_time_retain(const asdf_time *time, asdf_time **another);

/**
 * Gives up one owner of times. The last owner frees them.
 *
 * @param time the times; may be NULL
 * @since 0.1.0
 */
void asdf_time_free(asdf_time *time);

/*
 * Making times --------------------------------------------------------------------------------------------------------
 *
 * Times are made of Julian dates, numbers in a format, nanoseconds or texts, with a shape: rank 0 for a single time.
 * The scale 0 means the one that the format or the text implies: TT for epochs of years, the scale of the epoch for
 * formats that count from an epoch, and UTC for all others. A handle never changes; the functions named
 * asdf_time_with_ make another one. Spans of time are pairs of numbers of days, without a handle.
 *
 *     int64_t clock[2] = {1798761600000000000, 1798761600250000000};
 *     int64_t shape[1] = {2};
 *     asdf_time *times = NULL;
 *     asdf_time_from_nanoseconds(clock, 1, shape, ASDF_TIME_SCALE_UTC, NULL, &times);
 *     asdf_node_set_times(root, "meta/times", times, NULL);
 *     asdf_time_free(times);
 */

/**
 * Makes times of Julian dates.
 *
 * @param jd1     first parts, in C order; may be NULL if there are none
 * @param jd2     second parts; ASDF_ERR_OUT_OF_RANGE if a sum is not finite. May be NULL if there are none
 * @param rank    number of axes, 0 for a single time
 * @param shape   extent along each axis, slowest first; may be NULL for rank 0
 * @param scale   an ASDF_TIME_SCALE_ constant; 0 for the one that the format implies
 * @param format  an ASDF_TIME_FORMAT_ constant, in which the times are stored
 * @param options options, or NULL for the defaults
 * @param time    gets the times; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_time_from_jd(const double *jd1,
                              const double *jd2,
                              int32_t rank,
                              const int64_t *shape,
                              int32_t scale,
                              int32_t format,
                              const asdf_options *options,
                              asdf_time **time);

/**
 * Makes times of numbers in a format. NaN makes a missing time.
 *
 * @param numbers the numbers, in C order; may be NULL if there are none
 * @param rank    number of axes, 0 for a single time
 * @param shape   extent along each axis, slowest first; may be NULL for rank 0
 * @param scale   an ASDF_TIME_SCALE_ constant; 0 for the one that the format implies
 * @param format  an ASDF_TIME_FORMAT_ constant; ASDF_ERR_INVALID_ARGUMENT for a format of texts
 * @param options options, or NULL for the defaults
 * @param time    gets the times; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_time_from_numbers(const double *numbers,
                                   int32_t rank,
                                   const int64_t *shape,
                                   int32_t scale,
                                   int32_t format,
                                   const asdf_options *options,
                                   asdf_time **time);

/**
 * Makes times of nanoseconds since 1970-01-01T00:00:00 on the clock of a scale. The clock of UTC does not count leap
 * seconds. INT64_MIN makes a missing time. The times are stored as text; see asdf_time_with_format().
 *
 * @param nanoseconds the nanoseconds, in C order; may be NULL if there are none
 * @param rank        number of axes, 0 for a single time
 * @param shape       extent along each axis, slowest first; may be NULL for rank 0
 * @param scale       an ASDF_TIME_SCALE_ constant; 0 for UTC
 * @param options     options, or NULL for the defaults
 * @param time        gets the times; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_time_from_nanoseconds(const int64_t *nanoseconds,
                                       int32_t rank,
                                       const int64_t *shape,
                                       int32_t scale,
                                       const asdf_options *options,
                                       asdf_time **time);

/**
 * Makes times of texts: dates with times of day as in "2027-01-31T04:05:06.7", days of a year as in
 * "2027:031:04:05:06.7", epochs as in "B1950.0", or, with a format of numbers, numbers.
 *
 * @param bytes   the texts one after the other, in C order; may be NULL if they are empty
 * @param size    size of the texts in bytes
 * @param offsets text i occupies the bytes from offset i to offset i + 1: one offset more than times
 * @param rank    number of axes, 0 for a single time
 * @param shape   extent along each axis, slowest first; may be NULL for rank 0
 * @param scale   an ASDF_TIME_SCALE_ constant; 0 for the one that the text implies
 * @param format  an ASDF_TIME_FORMAT_ constant; 0 for that of the first text
 * @param options options, or NULL for the defaults
 * @param time    gets the times; NULL on failure, with ASDF_ERR_INVALID_ARGUMENT for any other text
 * @since 0.1.0
 */
asdf_status asdf_time_from_texts(const char *bytes,
                                 size_t size,
                                 const int64_t *offsets,
                                 int32_t rank,
                                 const int64_t *shape,
                                 int32_t scale,
                                 int32_t format,
                                 const asdf_options *options,
                                 asdf_time **time);

/**
 * Makes the same times with another format, in which they are stored.
 *
 * @param time    the times
 * @param format  an ASDF_TIME_FORMAT_ constant
 * @param changed gets the times; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_time_with_format(const asdf_time *time, int32_t format, asdf_time **changed);

/**
 * Makes the same times with a mask of missing ones.
 *
 * @param time    the times
 * @param mask    a byte for each time in C order: not 0 if it is missing
 * @param count   number of bytes; ASDF_ERR_INVALID_ARGUMENT unless it is the number of times
 * @param changed gets the times; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_time_with_mask(const asdf_time *time, const uint8_t *mask, size_t count, asdf_time **changed);

/**
 * Makes the same times at one place on Earth.
 *
 * @param time    the times
 * @param x       geocentric coordinate towards longitude 0, in metres
 * @param y       coordinate towards longitude 90 degrees east; ASDF_ERR_OUT_OF_RANGE if one is not finite
 * @param z       coordinate towards the north pole
 * @param changed gets the times; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_time_with_location(const asdf_time *time, double x, double y, double z, asdf_time **changed);

/**
 * Stores times as a time/time of the file's standard, in their format. Several become an array. Formats that the
 * standard does not store, and numbers that a double does not hold to 0.05 nanoseconds, become text and the name of the
 * format. Text has 3, 6, 9 or 12 decimals of a second, as needed.
 *
 * @param node    node that the path starts from
 * @param path    the path
 * @param time    the times; ASDF_ERR_UNSUPPORTED for a single one that is missing, and for the scale "local".
 *                ASDF_ERR_VALUE_RANGE for a time that text does not hold, on the day of a step of UTC before 1972
 * @param options options, or NULL for the defaults
 * @since 0.1.0
 */
asdf_status asdf_node_set_times(asdf_node *node, const char *path, const asdf_time *time, const asdf_options *options);

/**
 * Reads spans of time, astropy's time/timedelta: each is a number of days as the sum of two doubles. Both are NaN for a
 * missing span.
 *
 * @param node     node that the path starts from
 * @param path     the path; ASDF_ERR_WRONG_TYPE if the node is not a span of time
 * @param jd1      gets whole numbers of days, in C order; may be NULL if the capacity is 0
 * @param jd2      gets the rests, between -0.5 and 0.5; may be NULL if the capacity is 0
 * @param capacity size of each of both buffers in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the number of spans;
 *                 0 to get only the number
 * @param count    gets the number of spans; also if the capacity is too small
 * @since 0.1.0
 */
asdf_status asdf_node_get_time_delta(const asdf_node *node,
                                     const char *path,
                                     double *jd1,
                                     double *jd2,
                                     size_t capacity,
                                     int64_t *count);

/**
 * Stores spans of time as astropy's time/timedelta.
 *
 * @param node    node that the path starts from
 * @param path    the path
 * @param jd1     first parts of the numbers of days, in C order; NaN makes a missing span. May be NULL if there are
 *                none
 * @param jd2     second parts; ASDF_ERR_OUT_OF_RANGE if a sum is not finite. May be NULL if there are none
 * @param rank    number of axes, 0 for a single span; ASDF_ERR_UNSUPPORTED if it is missing
 * @param shape   extent along each axis, slowest first; may be NULL for rank 0
 * @param scale   the scale in which the spans are uniform, an ASDF_TIME_SCALE_ constant; 0 for none
 * @param name    name of astropy's format: "sec", "jd", "datetime" or "quantity_str"
 * @param options options, or NULL for the defaults
 * @since 0.1.0
 */
asdf_status asdf_node_set_time_delta(asdf_node *node,
                                     const char *path,
                                     const double *jd1,
                                     const double *jd2,
                                     int32_t rank,
                                     const int64_t *shape,
                                     int32_t scale,
                                     const char *name,
                                     const asdf_options *options);

/*
 * Times in tables -----------------------------------------------------------------------------------------------------
 *
 * A table of astropy stores a column of times in its format, or as the two halves of its Julian dates, and its
 * metadata tell format, scale and place (see Logical columns). These functions read such a column as an asdf_time and
 * add one that astropy reads as the same `Time`, in ECSV and in ASDF files. The first axis of the times is the rows. A
 * missing cell is a missing time. asdf_table_time_kind() tells which columns are times.
 *
 * A new column is stored in its format, if both doubles of each time can be read from it again, and otherwise as the
 * columns `name.jd1` and `name.jd2`, which lose nothing. ASDF files hold the times to 0.05 nanoseconds: in their format
 * if possible, and otherwise as text with the name of the format. asdf-astropy ignores the mask of times in ASDF files.
 *
 *     asdf_time *times = NULL;
 *     asdf_table_time(table, "start", NULL, &times);
 *     asdf_time_read_nanoseconds(times, ASDF_TIME_SCALE_UTC, nanoseconds, NULL, rows);
 *     asdf_table_add_time(other, "start", times);
 *     asdf_time_free(times);
 */

/**
 * Tests whether a column is one of times or spans of time.
 *
 * @param table the table
 * @param name  name of the column, as a logical column
 * @param kind  gets ASDF_KIND_TIME, ASDF_KIND_TIME_DELTA, or 0 for any other column.
 *              ASDF_ERR_NOT_FOUND if the table has no such column
 * @since 0.1.0
 */
asdf_status asdf_table_time_kind(const asdf_table *table, const char *name, int32_t *kind);

/**
 * Reads a column of times: one of class `Time` of astropy in any of its forms, or a plain column of texts.
 *
 * Errors:
 *
 * - ASDF_ERR_NOT_FOUND if there is no such column
 * - ASDF_ERR_WRONG_TYPE for a column of another kind
 * - ASDF_ERR_TAG_CONTENT for texts that are not times
 * - ASDF_ERR_UNSUPPORTED for an unknown format, scale or attribute, and for cells of different length
 *
 * @param table   the table
 * @param name    name of the column
 * @param options options, or NULL for the defaults
 * @param time    gets the times; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_table_time(const asdf_table *table, const char *name, const asdf_options *options, asdf_time **time);

/**
 * Appends a column of times, with their format, scale, missing times and place.
 *
 * @param table the table
 * @param name  name of the column; ASDF_ERR_INVALID_ARGUMENT if another column has it
 * @param time  the times; ASDF_ERR_INVALID_ARGUMENT if their first extent is not the number of rows
 * @since 0.1.0
 */
asdf_status asdf_table_add_time(asdf_table *table, const char *name, const asdf_time *time);

/**
 * Replaces cells of a column of times. The new times are converted to the scale of the column, which keeps its format
 * and place. A missing time makes a missing cell.
 *
 * Errors:
 *
 * - ASDF_ERR_NOT_FOUND if there is no such column
 * - ASDF_ERR_WRONG_TYPE for a column that is not one of class `Time`
 * - ASDF_ERR_OUT_OF_RANGE for rows that do not exist
 * - ASDF_ERR_INVALID_ARGUMENT if the shape of the times is that of a cell, or of several, in no way
 * - ASDF_ERR_VALUE_RANGE for a time of day in a column of dates
 * - ASDF_ERR_UNSUPPORTED if the times cannot be converted to the scale
 *
 * @param table the table
 * @param name  name of the column
 * @param row   first row to replace, from 0
 * @param time  the times: one cell, or one for each row along their first axis
 * @since 0.1.0
 */
asdf_status asdf_table_set_time(asdf_table *table, const char *name, int64_t row, const asdf_time *time);

/**
 * Makes dates of the same times: they have no time of day in text and in files, and astropy's sub-format `date`.
 *
 * @param time    the times, in UTC or another scale; ASDF_ERR_INVALID_ARGUMENT unless their format is
 *                ASDF_TIME_FORMAT_ISO, ASDF_TIME_FORMAT_ISOT, ASDF_TIME_FORMAT_FITS or ASDF_TIME_FORMAT_YDAY
 * @param changed gets the times; NULL on failure. ASDF_ERR_VALUE_RANGE if a time is not the beginning of a day
 * @since 0.1.0
 */
asdf_status asdf_time_with_dates(const asdf_time *time, asdf_time **changed);

/**
 * Tests whether times are dates, which have no time of day.
 *
 * @param time the times
 * @param has  gets 1 or 0
 * @since 0.1.0
 */
asdf_status asdf_time_has_dates(const asdf_time *time, int32_t *has);

/**
 * Reads a column of spans of time, one of class `TimeDelta` of astropy in any of its forms: each is a number of days
 * as the sum of two doubles. Both are NaN for a missing span. Errors are those of asdf_table_time().
 *
 * @param table    the table
 * @param name     name of the column
 * @param jd1      gets whole numbers of days, in C order; may be NULL if the capacity is 0
 * @param jd2      gets the rests, between -0.5 and 0.5; may be NULL if the capacity is 0
 * @param capacity size of each of both buffers in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the number of spans;
 *                 0 to get only the number
 * @param count    gets the number of spans, that of the rows times that of the elements in a cell; also if the
 *                 capacity is too small
 * @param scale    gets the scale in which the spans are uniform, an ASDF_TIME_SCALE_ constant; 0 for none. May be NULL
 * @since 0.1.0
 */
asdf_status asdf_table_read_time_delta(const asdf_table *table,
                                       const char *name,
                                       double *jd1,
                                       double *jd2,
                                       size_t capacity,
                                       int64_t *count,
                                       int32_t *scale);

/**
 * Appends a column of spans of time, which astropy reads as a `TimeDelta`.
 *
 * @param table       the table
 * @param name        name of the column; ASDF_ERR_INVALID_ARGUMENT if another column has it
 * @param jd1         first parts of the numbers of days, in C order; NaN makes a missing span. May be NULL if there are
 *                    none
 * @param jd2         second parts; ASDF_ERR_OUT_OF_RANGE if a sum is not finite. May be NULL if there are none
 * @param rank        number of axes of a cell, 0 for a single span
 * @param shape       extent of a cell along each axis, slowest first; may be NULL for rank 0
 * @param scale       the scale in which the spans are uniform, an ASDF_TIME_SCALE_ constant; 0 for none
 * @param format_name astropy's format: "sec", "jd", "datetime" or "quantity_str"
 * @since 0.1.0
 */
asdf_status asdf_table_add_time_delta(asdf_table *table,
                                      const char *name,
                                      const double *jd1,
                                      const double *jd2,
                                      int32_t rank,
                                      const int64_t *shape,
                                      int32_t scale,
                                      const char *format_name);

/**
 * Converts spans of time from days to nanoseconds. A missing span, with NaN as days, is INT64_MIN.
 *
 * Errors:
 *
 * - ASDF_ERR_OUT_OF_RANGE for spans of more than 292 years, and for days that are infinite
 * - ASDF_ERR_VALUE_RANGE if a span is between two nanoseconds and `rest` is NULL
 *
 * @param jd1         first parts of the numbers of days; may be NULL if there are none
 * @param jd2         second parts; may be NULL if there are none
 * @param count       number of spans; ASDF_ERR_INVALID_ARGUMENT if negative
 * @param nanoseconds gets the nearest numbers of nanoseconds
 * @param rest        gets the rests, from -0.5 to 0.5 nanoseconds; NULL if all spans must be whole nanoseconds
 * @param capacity    size of each buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the number of spans
 * @since 0.1.0
 */
asdf_status asdf_time_delta_to_nanoseconds(const double *jd1,
                                           const double *jd2,
                                           int64_t count,
                                           int64_t *nanoseconds,
                                           double *rest,
                                           size_t capacity);

/**
 * Converts spans of time from nanoseconds to days, each the sum of two doubles. INT64_MIN makes a missing span: NaN.
 *
 * @param nanoseconds the nanoseconds; may be NULL if there are none
 * @param count       their number; ASDF_ERR_INVALID_ARGUMENT if negative
 * @param jd1         gets whole numbers of days
 * @param jd2         gets the rests, between -0.5 and 0.5
 * @param capacity    size of each buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the number of spans
 * @since 0.1.0
 */
asdf_status asdf_time_delta_from_nanoseconds(const int64_t *nanoseconds,
                                             int64_t count,
                                             double *jd1,
                                             double *jd2,
                                             size_t capacity);

/* 11. World coordinates ============================================================================================ */

/*
 * World coordinates ---------------------------------------------------------------------------------------------------
 *
 * An asdf_wcs is the WCS of an image or a spectrum: a gwcs/wcs node, or a FITS header. It has frames, and a transform
 * from each frame to the next. It is made once and evaluated for any number of points, from any number of threads, and
 * does not keep its file open.
 *
 * Pixel (0, 0) is the center of the first pixel, and the fastest axis comes first: x is the index along the last axis
 * of the array. World coordinates have the units of the last frame.
 *
 * A WCS can be opened even if one of its transforms is not known or not valid. Then its frames can be used, and the
 * functions that need this transform fail with its error, which names the tag and the path: ASDF_ERR_UNKNOWN_TRANSFORM
 * and the other errors of asdf_node_get_transform().
 *
 * Pixels outside of the bounding box have no world coordinates: all are NaN, or the fill value of the options.
 * ASDF_OPTION_BOUNDING_BOX 0 evaluates the transforms there as well.
 *
 *     asdf_wcs *wcs = NULL;
 *     double ra, dec, x, y;
 *     asdf_node_get_wcs(root, "roman/meta/wcs", NULL, &wcs);
 *     asdf_wcs_sky_at(wcs, 1024, 2048, NULL, &ra, &dec);
 *     asdf_wcs_pixel_at(wcs, ra, dec, NULL, &x, &y);
 *     asdf_wcs_free(wcs);
 */

/**
 * Makes a WCS from a node: a gwcs/wcs, or an astropy/wcs/wcs with the cards of a FITS header, also sliced or wrapped.
 * A transform of gwcs that is not known or not valid is no error here.
 *
 * @param node    node that the path starts from
 * @param path    the path; ASDF_ERR_NOT_TRANSFORM if the node is no WCS, ASDF_ERR_TAG_CONTENT and ASDF_ERR_ARITY if its
 *                steps or frames are not valid
 * @param options options, or NULL for the defaults
 * @param wcs     gets the WCS; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_node_get_wcs(const asdf_node *node, const char *path, const asdf_options *options, asdf_wcs **wcs);

/**
 * Gets longitude and latitude of a pixel of an image of the sky, in degrees.
 *
 * @param wcs       the WCS; ASDF_ERR_UNSUPPORTED for anything but two pixel axes and a celestial frame
 * @param x         pixel along the fastest axis
 * @param y         pixel along the slower axis
 * @param options   options, or NULL for the defaults
 * @param longitude gets the longitude, such as the right ascension; NaN outside of the bounding box
 * @param latitude  gets the latitude, such as the declination
 * @since 0.1.0
 */
asdf_status asdf_wcs_sky_at(const asdf_wcs *wcs,
                            double x,
                            double y,
                            const asdf_options *options,
                            double *longitude,
                            double *latitude);

/**
 * Gets the pixel at a longitude and latitude of an image of the sky.
 *
 * @param wcs       the WCS; ASDF_ERR_UNSUPPORTED for anything but two pixel axes and a celestial frame
 * @param longitude longitude in degrees, such as the right ascension
 * @param latitude  latitude in degrees, such as the declination; ASDF_ERR_INVALID_ARGUMENT beyond +-90
 * @param options   options, or NULL for the defaults
 * @param x         gets the pixel along the fastest axis; NaN outside of the bounding box, and if an iteration does not
 *                  converge
 * @param y         gets the pixel along the slower axis
 * @since 0.1.0
 */
asdf_status asdf_wcs_pixel_at(const asdf_wcs *wcs,
                              double longitude,
                              double latitude,
                              const asdf_options *options,
                              double *x,
                              double *y);

/**
 * Computes the world coordinates of many pixels. Strides are described with asdf_transform_evaluate(): those of
 * x0 x1 ... y0 y1 ... are the number of points and 1, those of x0 y0 x1 y1 ... are 1 and the number of axes.
 *
 * @param wcs                the WCS
 * @param count              number of points
 * @param input              pixels; may be NULL if there are none
 * @param length             number of elements of the input; ASDF_ERR_INVALID_ARGUMENT if less than the points take
 * @param input_axis_stride  distance of two coordinates of a pixel, in numbers
 * @param input_point_stride distance of two pixels, in numbers
 * @param options            options, or NULL for the defaults
 * @param output             gets the world coordinates; unspecified after a failure. May be the input, or NULL if there
 *                           are none
 * @param capacity           size of the output in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the results take
 * @param axis_stride        distance of two coordinates of a result, in numbers
 * @param point_stride       distance of two results, in numbers; ASDF_ERR_INVALID_ARGUMENT if results overlap
 * @param outside            gets the number of pixels outside of the bounding box; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_wcs_pixel_to_world(const asdf_wcs *wcs,
                                    int64_t count,
                                    const double *input,
                                    size_t length,
                                    int64_t input_axis_stride,
                                    int64_t input_point_stride,
                                    const asdf_options *options,
                                    double *output,
                                    size_t capacity,
                                    int64_t axis_stride,
                                    int64_t point_stride,
                                    int64_t *outside);

/**
 * Computes the pixels of many points in world coordinates. If each step has an inverse in the file or an analytic one,
 * these are applied. Otherwise pixels are found by iteration. A latitude beyond +-90 degrees counts as NaN. Strides are
 * those of asdf_wcs_pixel_to_world().
 *
 * @param wcs                the WCS; ASDF_ERR_NO_INVERSE if a step has no inverse and the numbers of axes exclude an
 *                           iteration
 * @param count              number of points
 * @param input              world coordinates; may be NULL if there are none
 * @param length             number of elements of the input; ASDF_ERR_INVALID_ARGUMENT if less than the points take
 * @param input_axis_stride  distance of two coordinates of a point, in numbers
 * @param input_point_stride distance of two points, in numbers
 * @param options            options, or NULL for the defaults
 * @param output             gets the pixels; unspecified after a failure. May be the input, or NULL if there are none
 * @param capacity           size of the output in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the results take
 * @param axis_stride        distance of two coordinates of a pixel, in numbers
 * @param point_stride       distance of two pixels, in numbers; ASDF_ERR_INVALID_ARGUMENT if results overlap
 * @param outside            gets the number of pixels outside of the bounding box, which are replaced; may be NULL
 * @param unconverged        gets the number of points for which the iteration did not converge, whose pixels are NaN;
 *                           may be NULL
 * @since 0.1.0
 */
asdf_status asdf_wcs_world_to_pixel(const asdf_wcs *wcs,
                                    int64_t count,
                                    const double *input,
                                    size_t length,
                                    int64_t input_axis_stride,
                                    int64_t input_point_stride,
                                    const asdf_options *options,
                                    double *output,
                                    size_t capacity,
                                    int64_t axis_stride,
                                    int64_t point_stride,
                                    int64_t *outside,
                                    int64_t *unconverged);

/**
 * Tests whether pixels of world coordinates are found by iteration, because a step has no inverse.
 *
 * @param wcs       the WCS; ASDF_ERR_NO_INVERSE if there is no inverse at all
 * @param numerical gets 1 or 0
 * @since 0.1.0
 */
asdf_status asdf_wcs_is_inverse_numerical(const asdf_wcs *wcs, int32_t *numerical);

/**
 * Makes the transform from one frame to another. From a later frame to an earlier one, it consists of inverses.
 *
 * @param wcs       the WCS
 * @param from      name of a frame; NULL for that of the pixels
 * @param to        name of a frame; NULL for that of the world. ASDF_ERR_NOT_FOUND if there is no frame of this name
 * @param transform gets the transform; NULL on failure, with the error of the step that cannot be evaluated or inverted
 * @since 0.1.0
 */
asdf_status asdf_wcs_transform(const asdf_wcs *wcs, const char *from, const char *to, asdf_transform **transform);

/**
 * Gets the name of a WCS.
 *
 * @param wcs      the WCS; ASDF_ERR_NOT_FOUND if it has no name
 * @param buffer   gets the name
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_wcs_name(const asdf_wcs *wcs, char *buffer, size_t capacity, size_t *needed);

/**
 * Gets the numbers of pixels along the axes of the image.
 *
 * @param wcs      the WCS; ASDF_ERR_NOT_FOUND if the file does not tell them
 * @param shape    gets the numbers, the fastest axis first: width, height
 * @param capacity size of the buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if too small; 0 to get only the number of
 *                 axes
 * @param count    gets the number of axes; also if the capacity is too small. May be NULL
 * @since 0.1.0
 */
asdf_status asdf_wcs_pixel_shape(const asdf_wcs *wcs, int64_t *shape, int32_t capacity, int32_t *count);

/**
 * Gets the interval of a pixel axis in the bounding box, which is that of the first step.
 *
 * @param wcs   the WCS; ASDF_ERR_UNSUPPORTED if its box depends on values of inputs
 * @param axis  number of the pixel axis, from 0 for the fastest; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param low   gets the lower end, which is inside; minus infinity if there is none
 * @param high  gets the upper end, which is inside; infinity if there is none
 * @param has   gets 1, or 0 if the WCS has no bounding box; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_wcs_bounding_box(const asdf_wcs *wcs, int64_t axis, double *low, double *high, int32_t *has);

/**
 * Gets the world coordinates of the corners of the bounding box, or of the whole image where there is no box. The
 * corners of an image are in the order (low x, low y), (low x, high y), (high x, high y), (high x, low y). For other
 * numbers of axes, the last pixel axis varies fastest.
 *
 * @param wcs      the WCS; ASDF_ERR_NOT_FOUND if it has neither a bounding box nor a pixel_shape
 * @param center   not 0 for the centers of the pixels in the corners, 0 for the corners themselves
 * @param corners  gets the coordinates of one corner after the other; may be NULL if the capacity is 0
 * @param capacity size of the buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if too small; 0 to get only the counts
 * @param count    gets the number of corners; also if the capacity is too small
 * @param axes     gets the number of coordinates of a corner; also if the capacity is too small
 * @since 0.1.0
 */
asdf_status asdf_wcs_footprint(const asdf_wcs *wcs,
                               int32_t center,
                               double *corners,
                               size_t capacity,
                               int64_t *count,
                               int64_t *axes);

/**
 * Gets the center of an image: the pixel in the middle of the bounding box, or of the whole image where there is no
 * box.
 *
 * @param wcs      the WCS; ASDF_ERR_NOT_FOUND if it has neither a bounding box nor a pixel_shape
 * @param pixel    gets the pixel, the fastest axis first
 * @param capacity size of the buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the number of pixel axes
 * @since 0.1.0
 */
asdf_status asdf_wcs_center(const asdf_wcs *wcs, double *pixel, size_t capacity);

/**
 * Gets the scale of an image of the sky at a pixel, also outside of the bounding box: the square root of the area of
 * the pixel.
 *
 * @param wcs   the WCS; ASDF_ERR_UNSUPPORTED for anything but two pixel axes and a celestial frame
 * @param x     pixel along the fastest axis
 * @param y     pixel along the slower axis
 * @param scale gets the scale in degrees
 * @since 0.1.0
 */
asdf_status asdf_wcs_pixel_scale(const asdf_wcs *wcs, double x, double y, double *scale);

/**
 * Gets the orientation of an image of the sky at a pixel, also outside of the bounding box.
 *
 * @param wcs      the WCS; ASDF_ERR_UNSUPPORTED for anything but two pixel axes and a celestial frame
 * @param x        pixel along the fastest axis
 * @param y        pixel along the slower axis
 * @param angle    gets the position angle of the y axis in degrees: from north through east, from 0 up to 360
 * @param mirrored gets 1 if east is to the right where north is up, else 0
 * @param x_scale  gets the length of the pixel along the x axis in degrees
 * @param y_scale  gets the length of the pixel along the y axis in degrees
 * @since 0.1.0
 */
asdf_status asdf_wcs_orientation(const asdf_wcs *wcs,
                                 double x,
                                 double y,
                                 double *angle,
                                 int32_t *mirrored,
                                 double *x_scale,
                                 double *y_scale);

/**
 * Gets the index of the array element that contains a pixel.
 *
 * @param wcs      the WCS
 * @param pixel    coordinates of the pixel, the fastest axis first
 * @param length   number of coordinates
 * @param index    gets the index, the slowest axis first; INT64_MIN for NaN
 * @param capacity size of the buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the number of coordinates
 * @since 0.1.0
 */
asdf_status asdf_wcs_array_index(const asdf_wcs *wcs,
                                 const double *pixel,
                                 size_t length,
                                 int64_t *index,
                                 size_t capacity);

/**
 * Gets which world coordinates depend on which pixel axes. Dependence that is not known counts as dependence.
 *
 * @param wcs      the WCS
 * @param matrix   gets a byte for each world coordinate and each pixel axis: 1 if the coordinate depends on the axis,
 *                 else 0. The pixel axes of the first coordinate come first
 * @param capacity size of the matrix in bytes; ASDF_ERR_BUFFER_TOO_SMALL if less than the product of both numbers
 * @since 0.1.0
 */
asdf_status asdf_wcs_axis_correlation(const asdf_wcs *wcs, uint8_t *matrix, size_t capacity);

/**
 * Adds an owner to a WCS.
 *
 * @param wcs     the WCS
 * @param another gets another handle of the same object, to be freed as well; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_wcs_retain(const asdf_wcs *wcs, asdf_wcs **another);

/**
 * Gives up one owner of a WCS. The last owner frees it.
 *
 * @param wcs the WCS; may be NULL
 * @since 0.1.0
 */
void asdf_wcs_free(asdf_wcs *wcs);

/*
 * Frames --------------------------------------------------------------------------------------------------------------
 *
 * A frame names and describes coordinates: those of pixels, of the sky, and of the steps between. Functions take the
 * number of a frame: 0 is the frame of the pixels, and the last of asdf_wcs_frame_count() is that of the world. A
 * composite frame has parts, which are frames as well: asdf_wcs_frame_part() returns their numbers.
 *
 *     int64_t frames = 0, axes = 0;
 *     char name[64], unit[64];
 *     asdf_wcs_frame_count(wcs, &frames);
 *     asdf_wcs_frame_axis_count(wcs, frames - 1, &axes);
 *     for (int64_t axis = 0; axis < axes; axis++) {
 *         asdf_wcs_axis_name(wcs, frames - 1, axis, name, sizeof name, NULL);
 *         asdf_wcs_axis_unit(wcs, frames - 1, axis, unit, sizeof unit, NULL);
 *         printf("%s (%s)\n", name, unit);
 *     }
 */

#define ASDF_FRAME_NAMED 0     /**< A name without information about axes. */
#define ASDF_FRAME_GENERIC 1   /**< Axes of any kind. */
#define ASDF_FRAME_PLANE 2     /**< Two axes of a plane, usually of a detector. */
#define ASDF_FRAME_CELESTIAL 3 /**< Longitude and latitude on the sky. */
#define ASDF_FRAME_SPECTRAL 4  /**< A spectral coordinate. */
#define ASDF_FRAME_TEMPORAL 5  /**< Time. */
#define ASDF_FRAME_STOKES 6    /**< Polarization. */
#define ASDF_FRAME_COMPOSITE 7 /**< Several frames together. */

/**
 * Gets the number of frames, without parts of composite frames.
 *
 * @param wcs   the world coordinates
 * @param count gets the number, at least 1
 * @since 0.1.0
 */
asdf_status asdf_wcs_frame_count(const asdf_wcs *wcs, int64_t *count);

/**
 * Gets the name of a frame. asdf_wcs_transform() takes these names.
 *
 * @param wcs      the world coordinates
 * @param frame    number of the frame; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param buffer   gets the name
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_wcs_frame_name(const asdf_wcs *wcs, int64_t frame, char *buffer, size_t capacity, size_t *needed);

/**
 * Gets the kind of a frame.
 *
 * @param wcs   the world coordinates
 * @param frame number of the frame; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param kind  gets an ASDF_FRAME_ constant
 * @since 0.1.0
 */
asdf_status asdf_wcs_frame_kind(const asdf_wcs *wcs, int64_t frame, int32_t *kind);

/**
 * Gets the number of parts of a composite frame.
 *
 * @param wcs   the world coordinates
 * @param frame number of the frame; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param count gets the number, 0 for other frames
 * @since 0.1.0
 */
asdf_status asdf_wcs_frame_part_count(const asdf_wcs *wcs, int64_t frame, int64_t *count);

/**
 * Gets the number of a part of a composite frame, for the functions that take the number of a frame.
 *
 * @param wcs   the world coordinates
 * @param frame number of the frame; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param index number of the part in its frame, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param part  gets the number of the part as a frame
 * @since 0.1.0
 */
asdf_status asdf_wcs_frame_part(const asdf_wcs *wcs, int64_t frame, int64_t index, int64_t *part);

/**
 * Gets the number of axes of a frame.
 *
 * @param wcs   the world coordinates
 * @param frame number of the frame; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param count gets the number, 0 for ASDF_FRAME_NAMED
 * @since 0.1.0
 */
asdf_status asdf_wcs_frame_axis_count(const asdf_wcs *wcs, int64_t frame, int64_t *count);

/**
 * Gets the order of the axes of a frame: which coordinate each axis is in the native order, longitude before latitude.
 * Other functions return the axes in the order of the coordinates.
 *
 * @param wcs      the world coordinates
 * @param frame    number of the frame; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param order    gets a number for each axis
 * @param capacity size of the buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if too small; 0 to get only the number
 * @param count    gets the number of axes; also if the capacity is too small. May be NULL
 * @since 0.1.0
 */
asdf_status asdf_wcs_frame_axes_order(const asdf_wcs *wcs,
                                      int64_t frame,
                                      int64_t *order,
                                      int32_t capacity,
                                      int32_t *count);

/**
 * Gets the name of an axis of a frame.
 *
 * @param wcs      the world coordinates
 * @param frame    number of the frame; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param axis     number of the coordinate, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param buffer   gets the name, which may be empty
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_wcs_axis_name(const asdf_wcs *wcs,
                               int64_t frame,
                               int64_t axis,
                               char *buffer,
                               size_t capacity,
                               size_t *needed);

/**
 * Gets the unit of an axis of a frame.
 *
 * @param wcs      the world coordinates
 * @param frame    number of the frame; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param axis     number of the coordinate, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param buffer   gets the unit as in the file; empty for a number without dimension
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_wcs_axis_unit(const asdf_wcs *wcs,
                               int64_t frame,
                               int64_t axis,
                               char *buffer,
                               size_t capacity,
                               size_t *needed);

/**
 * Gets the type of an axis of a frame: "SPATIAL", "SPECTRAL", "TIME", "STOKES" or any other word.
 *
 * @param wcs      the world coordinates
 * @param frame    number of the frame; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param axis     number of the coordinate, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param buffer   gets the type
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_wcs_axis_type(const asdf_wcs *wcs,
                               int64_t frame,
                               int64_t axis,
                               char *buffer,
                               size_t capacity,
                               size_t *needed);

/**
 * Gets the physical type of an axis of a frame: a word of the UCD1+ vocabulary such as "pos.eq.ra", or a word after
 * "custom:".
 *
 * @param wcs      the world coordinates
 * @param frame    number of the frame; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param axis     number of the coordinate, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param buffer   gets the physical type
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_wcs_axis_physical_type(const asdf_wcs *wcs,
                                        int64_t frame,
                                        int64_t axis,
                                        char *buffer,
                                        size_t capacity,
                                        size_t *needed);

/**
 * Gets the name of the reference frame of a frame: "icrs", "fk5", "galactic" and others of astropy. The zero point of
 * times is "time".
 *
 * @param wcs      the world coordinates
 * @param frame    number of the frame; ASDF_ERR_OUT_OF_RANGE if there is none, ASDF_ERR_NOT_FOUND if it has no
 *                 reference frame. The parts of a composite frame have reference frames, it has none itself
 * @param buffer   gets the name
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_wcs_frame_reference(const asdf_wcs *wcs, int64_t frame, char *buffer, size_t capacity, size_t *needed);

/**
 * Gets the number of attributes of a reference frame.
 *
 * @param wcs   the world coordinates
 * @param frame number of the frame; errors as for asdf_wcs_frame_reference()
 * @param count gets the number
 * @since 0.1.0
 */
asdf_status asdf_wcs_reference_attribute_count(const asdf_wcs *wcs, int64_t frame, int64_t *count);

/**
 * Gets the name of an attribute of a reference frame, such as "equinox".
 *
 * @param wcs      the world coordinates
 * @param frame    number of the frame; errors as for asdf_wcs_frame_reference()
 * @param index    number of the attribute, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param buffer   gets the name
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_wcs_reference_attribute_name(const asdf_wcs *wcs,
                                              int64_t frame,
                                              int64_t index,
                                              char *buffer,
                                              size_t capacity,
                                              size_t *needed);

/**
 * Gets the value of an attribute of a reference frame.
 *
 * @param wcs      the world coordinates
 * @param frame    number of the frame; errors as for asdf_wcs_frame_reference()
 * @param index    number of the attribute, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param buffer   gets the text of a single value, and YAML for any other
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_wcs_reference_attribute_value(const asdf_wcs *wcs,
                                               int64_t frame,
                                               int64_t index,
                                               char *buffer,
                                               size_t capacity,
                                               size_t *needed);

/*
 * Transforms ----------------------------------------------------------------------------------------------------------
 *
 * An asdf_transform is a function of several numbers to several numbers: a transform of a tree, with all its
 * parts. It is made once and evaluated for any number of points. It never changes and does not keep its file open.
 *
 * Coordinates of many points are passed as one array with two strides, in numbers: coordinate a of point p is the
 * element a * axis_stride + p * point_stride. With n points and two axes:
 *
 * - x0 x1 ... y0 y1 ...: axis stride n, point stride 1
 * - x0 y0 x1 y1 ...: axis stride 1, point stride 2
 * - a constant input: point stride 0
 *
 * Outputs can overwrite the inputs: pass the same array with the same strides. If inputs and outputs share memory in
 * another way, the call copies the inputs first.
 *
 * A point that the file does not define has NaN in all outputs. ASDF_OPTION_THREADS divides the points among threads.
 *
 *     asdf_transform *shift = NULL, *back = NULL;
 *     double values[3] = {1, 2, 3};
 *     asdf_node_get_transform(root, "shift", NULL, &shift);
 *     asdf_transform_evaluate(shift, 3, values, 3, 3, 1, NULL, values, 3, 3, 1, NULL);
 *     asdf_transform_inverse(shift, &back);
 *     asdf_transform_free(back);
 *     asdf_transform_free(shift);
 */

/**
 * Makes a transform from a node: one of the standard, of gwcs or of the JWST pipeline, with all its parts.
 *
 * Errors name the tag and the path of the part that cannot be made:
 *
 * - ASDF_ERR_UNKNOWN_TRANSFORM if the tag of a part is not known, ASDF_ERR_TRANSFORM_VERSION for a version of it
 * - ASDF_ERR_NOT_TRANSFORM if the tag of the node is not that of a transform, ASDF_ERR_WRONG_TYPE if it has no tag
 * - ASDF_ERR_TAG_CONTENT, ASDF_ERR_BAD_ARRAY, ASDF_ERR_ARITY, ASDF_ERR_UNITS for fields that are not valid
 * - ASDF_ERR_REFERENCE_CYCLE for a transform that contains itself
 *
 * @param node      node that the path starts from
 * @param path      the path
 * @param options   options, or NULL for the defaults
 * @param transform gets the transform; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_node_get_transform(const asdf_node *node,
                                    const char *path,
                                    const asdf_options *options,
                                    asdf_transform **transform);

/**
 * Gets the number of inputs of a transform.
 *
 * @param transform the transform
 * @param count     gets the number
 * @since 0.1.0
 */
asdf_status asdf_transform_input_count(const asdf_transform *transform, int64_t *count);

/**
 * Gets the number of outputs of a transform.
 *
 * @param transform the transform
 * @param count     gets the number
 * @since 0.1.0
 */
asdf_status asdf_transform_output_count(const asdf_transform *transform, int64_t *count);

/**
 * Gets the name of an input.
 *
 * @param transform the transform
 * @param index     number of the input, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param buffer    gets the name
 * @param capacity  size of the buffer in bytes
 * @param needed    gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_transform_input_name(const asdf_transform *transform,
                                      int64_t index,
                                      char *buffer,
                                      size_t capacity,
                                      size_t *needed);

/**
 * Gets the name of an output.
 *
 * @param transform the transform
 * @param index     number of the output, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param buffer    gets the name
 * @param capacity  size of the buffer in bytes
 * @param needed    gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_transform_output_name(const asdf_transform *transform,
                                       int64_t index,
                                       char *buffer,
                                       size_t capacity,
                                       size_t *needed);

/**
 * Gets the unit of an input. Values are numbers in this unit.
 *
 * @param transform the transform
 * @param index     number of the input, from 0; ASDF_ERR_OUT_OF_RANGE if there is none, ASDF_ERR_NOT_FOUND if the input
 *                  has no unit
 * @param buffer    gets the unit
 * @param capacity  size of the buffer in bytes
 * @param needed    gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_transform_input_unit(const asdf_transform *transform,
                                      int64_t index,
                                      char *buffer,
                                      size_t capacity,
                                      size_t *needed);

/**
 * Gets the unit of an output. Results are numbers in this unit.
 *
 * @param transform the transform
 * @param index     number of the output, from 0; ASDF_ERR_OUT_OF_RANGE if there is none, ASDF_ERR_NOT_FOUND if the
 *                  output has no unit
 * @param buffer    gets the unit
 * @param capacity  size of the buffer in bytes
 * @param needed    gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_transform_output_unit(const asdf_transform *transform,
                                       int64_t index,
                                       char *buffer,
                                       size_t capacity,
                                       size_t *needed);

/**
 * Gets the tag of a transform. An inverse has the tag of the transform that it was made of.
 *
 * @param transform the transform
 * @param buffer    gets the full tag; empty for a transform that is not a node of its own, as from asdf_wcs_transform()
 * @param capacity  size of the buffer in bytes
 * @param needed    gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_transform_tag(const asdf_transform *transform, char *buffer, size_t capacity, size_t *needed);

/**
 * Gets the name that a transform has in its file.
 *
 * @param transform the transform; ASDF_ERR_NOT_FOUND if it has no name
 * @param buffer    gets the name
 * @param capacity  size of the buffer in bytes
 * @param needed    gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_transform_name(const asdf_transform *transform, char *buffer, size_t capacity, size_t *needed);

/**
 * Describes a transform: one line for each part that is a node of the file. A line has the path, the tag and the
 * numbers of inputs and outputs, separated by tabs. A part follows its own parts.
 *
 * @param transform the transform
 * @param buffer    gets the text
 * @param capacity  size of the buffer in bytes
 * @param needed    gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_transform_describe(const asdf_transform *transform, char *buffer, size_t capacity, size_t *needed);

/**
 * Evaluates a transform for many points. Bounding boxes are ignored unless ASDF_OPTION_BOUNDING_BOX is set.
 *
 * @param transform          the transform
 * @param count              number of points
 * @param input              coordinates of the points; may be NULL if there are none
 * @param length             number of elements of the input; ASDF_ERR_INVALID_ARGUMENT if less than the points take
 * @param input_axis_stride  distance of two coordinates of a point, in numbers
 * @param input_point_stride distance of two points, in numbers
 * @param options            options, or NULL for the defaults
 * @param output             gets the coordinates of the results; unspecified after a failure. May be NULL if there are
 *                           none
 * @param capacity           size of the output in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the results take
 * @param axis_stride        distance of two coordinates of a result, in numbers
 * @param point_stride       distance of two results, in numbers; ASDF_ERR_INVALID_ARGUMENT if results overlap
 * @param outside            gets the number of points outside of the bounding box; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_transform_evaluate(const asdf_transform *transform,
                                    int64_t count,
                                    const double *input,
                                    size_t length,
                                    int64_t input_axis_stride,
                                    int64_t input_point_stride,
                                    const asdf_options *options,
                                    double *output,
                                    size_t capacity,
                                    int64_t axis_stride,
                                    int64_t point_stride,
                                    int64_t *outside);

/**
 * Evaluates a transform for one point.
 *
 * @param transform the transform
 * @param point     the inputs; may be NULL for a transform without any
 * @param length    number of inputs; ASDF_ERR_INVALID_ARGUMENT if it is another
 * @param options   options, or NULL for the defaults
 * @param result    gets the outputs
 * @param capacity  size of the result in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the number of outputs
 * @since 0.1.0
 */
asdf_status asdf_transform_at(const asdf_transform *transform,
                              const double *point,
                              size_t length,
                              const asdf_options *options,
                              double *result,
                              size_t capacity);

/**
 * Makes the inverse of a transform: the one in the file, or else the analytic one.
 *
 * @param transform the transform
 * @param inverse   gets the inverse; NULL on failure, with ASDF_ERR_NO_INVERSE if a part has none, and with
 *                  ASDF_ERR_SINGULAR if values of parameters make it impossible
 * @since 0.1.0
 */
asdf_status asdf_transform_inverse(const asdf_transform *transform, asdf_transform **inverse);

/**
 * Makes a transform of the other inputs by giving some inputs constant values.
 *
 * @param transform the transform
 * @param inputs    numbers of the inputs, from 0; may be NULL if there are none
 * @param count     number of these inputs
 * @param values    their values; may be NULL if there are none. ASDF_ERR_INVALID_ARGUMENT if there is no such input, or
 *                  if one is fixed twice
 * @param fixed     gets the transform of the remaining inputs; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_transform_fix(const asdf_transform *transform,
                               const int64_t *inputs,
                               int64_t count,
                               const double *values,
                               asdf_transform **fixed);

/**
 * Makes the same transform for values in other units. An input or output without a unit of its own ignores the
 * given one.
 *
 * @param transform    the transform
 * @param inputs       units of the inputs, each NULL for that which the transform has; may be NULL if there are none
 * @param input_count  number of these units: that of the inputs, 1 for one unit of all inputs, or 0 for the units that
 *                     the transform has; ASDF_ERR_INVALID_ARGUMENT for any other number
 * @param outputs      units of the outputs, in the same way
 * @param output_count number of these units
 * @param converted    gets the transform; NULL on failure, with ASDF_ERR_UNITS if a unit cannot be converted
 * @since 0.1.0
 */
asdf_status asdf_transform_in_units(const asdf_transform *transform,
                                    const char *const *inputs,
                                    int64_t input_count,
                                    const char *const *outputs,
                                    int64_t output_count,
                                    asdf_transform **converted);

/**
 * Gets the interval of an input in the bounding box of a transform.
 *
 * @param transform the transform; ASDF_ERR_UNSUPPORTED if its box depends on values of inputs
 * @param index     number of the input, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param low       gets the lower end, which is inside; minus infinity if there is none
 * @param high      gets the upper end, which is inside; infinity if there is none
 * @param has       gets 1, or 0 if the transform has no bounding box; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_transform_bounding_box(const asdf_transform *transform,
                                        int64_t index,
                                        double *low,
                                        double *high,
                                        int32_t *has);

/**
 * Gets which outputs depend on which inputs. Dependence that is not known counts as dependence.
 *
 * @param transform the transform
 * @param matrix    gets a byte for each output and each input: 1 if the output depends on the input, else 0. The inputs
 *                  of the first output come first
 * @param capacity  size of the matrix in bytes; ASDF_ERR_BUFFER_TOO_SMALL if less than the product of both numbers
 * @since 0.1.0
 */
asdf_status asdf_transform_dependence(const asdf_transform *transform, uint8_t *matrix, size_t capacity);

/**
 * Adds an owner to a transform.
 *
 * @param transform the transform
 * @param another   gets another handle of the same object, to be freed as well; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_transform_retain(const asdf_transform *transform, asdf_transform **another);

/**
 * Gives up one owner of a transform. The last owner frees it.
 *
 * @param transform the transform; may be NULL
 * @since 0.1.0
 */
void asdf_transform_free(asdf_transform *transform);

/*
 * FITS headers --------------------------------------------------------------------------------------------------------
 *
 * Header cards of FITS describe a WCS, too. The cards are those of a header as it is: cards of 80 characters in a row
 * or a card in each line, up to the card END. Cards without a meaning for the WCS may be among them; they may be
 * damaged. Pixels count from 0 here and from 1 in FITS: pixel (0, 0) is pixel (1, 1) of FITS.
 *
 * | part | keywords |
 * |---|---|
 * | axes | WCSAXES, NAXISi, CTYPEi, CUNITi, CRPIXi, CRVALi, CNAMEi, WCSNAME |
 * | linear transformation | PCi_j and CDELTi, CDi_j, CROTAi |
 * | zenithal projections | AIR, ARC, AZP, NCP, SIN, STG, SZP, TAN, ZEA |
 * | cylindrical projections | AIT, CAR, CEA, CYP, GLS, MER, MOL, PAR, SFL |
 * | other projections | BON, COD, COE, COO, COP, CSC, HPX, PCO, QSC, TSC, XPH |
 * | parameters of projections | LONPOLE, LATPOLE, PVi_m |
 * | reference frame | RADESYS, EQUINOX, EPOCH |
 * | distortion | SIP: A_i_j, B_i_j, AP_i_j, BP_i_j |
 * | other axes | linear and logarithmic (-LOG), STOKES |
 *
 *     asdf_node_set_wcs_cards(root, "meta/wcs", cards, strlen(cards), NULL);
 *
 *     const int64_t start[] = {100, 200}, count[] = {64, 64};
 *     asdf_node_set_wcs_cutout(cut_root, "meta/wcs", wcs_node, 2, start, count, NULL);
 */

/**
 * Makes a WCS from cards of a FITS header. NAXISi give its pixel shape; it has no bounding box.
 *
 * Errors:
 *
 * - ASDF_ERR_INVALID_ARGUMENT for a card that the WCS needs and that cannot be read, and for keywords that make no WCS
 * - ASDF_ERR_NOT_FOUND if the header has no alternate WCS of the letter in the options
 * - ASDF_ERR_UNITS for a unit that does not fit the axis
 * - ASDF_ERR_SINGULAR for a matrix without inverse
 * - ASDF_ERR_UNSUPPORTED for projections, spectral algorithms and distortions beyond those in the table
 *
 * @param cards   the cards
 * @param length  their length in bytes
 * @param options options, or NULL for the defaults
 * @param wcs     gets the WCS; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_wcs_read_cards(const char *cards, size_t length, const asdf_options *options, asdf_wcs **wcs);

/**
 * Writes the WCS of cards of a FITS header as a tree of gwcs, which Python's gwcs and asdf_node_get_wcs() read.
 *
 * NAXISi become the pixel shape and the bounding box. Polynomials that undo the distortion of SIP within the image are
 * computed and stored as its inverse. The errors are those of asdf_wcs_read_cards(); nothing is written then.
 *
 * @param node    node that the path starts from
 * @param path    the path of the WCS
 * @param cards   the cards
 * @param length  their length in bytes
 * @param options options, or NULL for the defaults
 * @since 0.1.0
 */
asdf_status asdf_node_set_wcs_cards(asdf_node *node,
                                    const char *path,
                                    const char *cards,
                                    size_t length,
                                    const asdf_options *options);

/**
 * Writes the WCS of a part of an image: another WCS, for pixels that count from the start of a region of the image's
 * array. Pixel p of the part has the world coordinates of pixel start + step * p of the whole.
 *
 * - The last axis of the region is the first pixel axis, x. Further axes of the region, as of a stack of images with
 *   one WCS, are ignored; pixel axes without an axis of the region stay whole.
 * - In a tree of gwcs, shifts (and scales, for steps) come before the first transform. The bounding box is moved and
 *   limited to the part, and the pixel shape becomes that of the part.
 * - In a WCS of astropy, the reference pixel and, for steps, matrix and distortion are changed.
 *
 * @param node   node that the path starts from
 * @param path   the path to write to
 * @param source the WCS of the whole, in any file; ASDF_ERR_NOT_TRANSFORM if it is no WCS, ASDF_ERR_UNSUPPORTED for
 *               FITS distortions in tables
 * @param rank   number of axes of the region
 * @param start  first index along each axis; may be NULL for rank 0
 * @param count  number of elements along each axis; ASDF_ERR_INVALID_ARGUMENT for 0. May be NULL for rank 0
 * @param step   distance of indices along each axis, not 0, or NULL for 1
 * @since 0.1.0
 */
asdf_status asdf_node_set_wcs_cutout(asdf_node *node,
                                     const char *path,
                                     const asdf_node *source,
                                     int32_t rank,
                                     const int64_t *start,
                                     const int64_t *count,
                                     const int64_t *step);

/**
 * Makes cards of a FITS header that approximate the WCS of an image: a tangent plane with polynomials of SIP, for
 * readers that know FITS only. The polynomials have the smallest degree that reaches the errors in the options. The
 * reference pixel is the center of the bounding box, or of the image without one.
 *
 * Errors:
 *
 * - ASDF_ERR_NO_CONVERGENCE if no degree reaches the errors
 * - ASDF_ERR_NOT_FOUND if the WCS has neither a bounding box nor a pixel shape
 * - ASDF_ERR_OUT_OF_DOMAIN if the image is larger than half of the sky, or its center has no coordinates
 * - ASDF_ERR_UNSUPPORTED for anything but two pixel axes and a celestial frame that FITS has a name for
 *
 * @param wcs           the WCS
 * @param options       options, or NULL for the defaults
 * @param cards         gets the cards: 80 characters each, the last one is END; NULL on failure
 * @param error         gets the largest distance in pixels between places of a pixel by the cards and by the WCS; may
 *                      be NULL
 * @param inverse_error gets the same for the pixels of a place; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_wcs_make_cards(const asdf_wcs *wcs,
                                const asdf_options *options,
                                asdf_buffer **cards,
                                double *error,
                                double *inverse_error);

/* 12. Coordinates ================================================================================================== */

/*
 * Coordinates ---------------------------------------------------------------------------------------------------------
 *
 * An asdf_coordinates is what astropy's tags of coordinates describe, in any version: positions on the sky (SkyCoord),
 * a frame with or without positions, coordinates without a frame (representations), a place on Earth, angles, and
 * spectral coordinates. It has components, which are numbers or arrays with a unit, and attributes, which are nodes.
 *
 * All names are those of astropy. A component has a name in its frame, such as "ra", "l" or "pm_ra_cosdec", and a
 * general name: "lon", "lat", "distance", "x", "y", "z", "pm_lon_coslat", "pm_lat", "radial_velocity". Functions find
 * it under both. Angles and spectral coordinates have the one component "value". Attributes of frames are "equinox",
 * "obstime" (asdf_node_get_time()), "location" (coordinates again) and so on.
 *
 *     asdf_coordinates *sky = NULL;
 *     char frame[30];
 *     int64_t count;
 *     asdf_node_get_coordinates(root, "target", &sky);
 *     asdf_coordinates_frame(sky, frame, sizeof frame, NULL);
 *     asdf_coordinates_count(sky, &count);
 *     double *ra = malloc(count * sizeof *ra);
 *     asdf_coordinates_read(sky, "lon", "deg", NULL, ra, count);
 *     asdf_coordinates_free(sky);
 */

/**
 * Kind: positions on the sky or in space in a frame, astropy's SkyCoord.
 */
#define ASDF_COORDINATES_KIND_SKY 1

#define ASDF_COORDINATES_KIND_FRAME 2 /**< Kind: a frame, with or without positions. */

/**
 * Kind: positions or velocities without a frame, astropy's representations and differentials.
 */
#define ASDF_COORDINATES_KIND_REPRESENTATION 3

/**
 * Kind: places on Earth, in geocentric coordinates.
 */
#define ASDF_COORDINATES_KIND_EARTH_LOCATION 4

#define ASDF_COORDINATES_KIND_ANGLE 5    /**< Kind: angles. */
#define ASDF_COORDINATES_KIND_LATITUDE 6 /**< Kind: latitudes. */

/**
 * Kind: longitudes, with the attribute "wrap_angle".
 */
#define ASDF_COORDINATES_KIND_LONGITUDE 7

/**
 * Kind: wavelengths, frequencies, energies or velocities, with the attributes "observer" and "target".
 */
#define ASDF_COORDINATES_KIND_SPECTRAL 8

/**
 * Reads coordinates at a path: astropy's coordinates/skycoord, coordinates/frames/..., representation, earthlocation,
 * angle, latitude, longitude and spectralcoord in any version, and the standard's wcs/icrs_coord. Numbers are read
 * later, so the handle keeps the file open.
 *
 * Errors:
 *
 * - ASDF_ERR_WRONG_TYPE for any other node
 * - ASDF_ERR_TAG_CONTENT if a required part is missing
 *
 * @param node        node that the path starts from
 * @param path        the path
 * @param coordinates gets the coordinates; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_node_get_coordinates(const asdf_node *node, const char *path, asdf_coordinates **coordinates);

/**
 * Gets the coordinates of a logical column: positions, places on Earth, coordinates without a frame or angles (see
 * Logical columns). They are those of this moment, and do not depend on the table.
 *
 * @param table       the table
 * @param name        name of the logical column; ASDF_ERR_NOT_FOUND if there is none, ASDF_ERR_WRONG_TYPE if it is not
 *                    one of coordinates
 * @param coordinates gets the coordinates; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_table_get_coordinates(const asdf_table *table, const char *name, asdf_coordinates **coordinates);

/**
 * Gets the kind of coordinates.
 *
 * @param coordinates the coordinates
 * @param kind        gets an ASDF_COORDINATES_KIND_ constant
 * @since 0.1.0
 */
asdf_status asdf_coordinates_kind(const asdf_coordinates *coordinates, int32_t *kind);

/**
 * Gets the name of the frame as astropy has it: "icrs", "fk5", "galactic", "altaz". Empty without a frame.
 *
 * @param coordinates the coordinates
 * @param buffer      gets the name
 * @param capacity    size of the buffer in bytes
 * @param needed      gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_coordinates_frame(const asdf_coordinates *coordinates, char *buffer, size_t capacity, size_t *needed);

/**
 * Gets the name of the representation of positions as astropy has it: "spherical", "unitspherical", "cartesian",
 * "cylindrical". Empty without positions.
 *
 * @param coordinates the coordinates
 * @param buffer      gets the name
 * @param capacity    size of the buffer in bytes
 * @param needed      gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_coordinates_representation(const asdf_coordinates *coordinates,
                                            char *buffer,
                                            size_t capacity,
                                            size_t *needed);

/**
 * Gets the name of the representation of velocities as astropy has it: "sphericalcoslat", "spherical", "cartesian".
 * Empty without velocities.
 *
 * @param coordinates the coordinates
 * @param buffer      gets the name
 * @param capacity    size of the buffer in bytes
 * @param needed      gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_coordinates_differential(const asdf_coordinates *coordinates,
                                          char *buffer,
                                          size_t capacity,
                                          size_t *needed);

/**
 * Gets the extents of the points, slowest axis first. All components have this shape, or are single numbers.
 *
 * @param coordinates the coordinates; ASDF_ERR_TAG_CONTENT if components differ in their shape
 * @param shape       gets the extents; a buffer of ASDF_MAX_RANK numbers is always large enough
 * @param capacity    size of the buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the rank; 0 to get only the
 *                    rank
 * @param rank        gets the number of axes, 0 for a single point; also if the capacity is too small. May be NULL
 * @since 0.1.0
 */
asdf_status asdf_coordinates_shape(const asdf_coordinates *coordinates,
                                   int64_t *shape,
                                   int32_t capacity,
                                   int32_t *rank);

/**
 * Gets the number of points, the product of the extents.
 *
 * @param coordinates the coordinates; ASDF_ERR_TAG_CONTENT if components differ in their shape
 * @param count       gets the number, 1 for a single point, 0 for a frame without positions
 * @since 0.1.0
 */
asdf_status asdf_coordinates_count(const asdf_coordinates *coordinates, int64_t *count);

/**
 * Gets the number of components.
 *
 * @param coordinates the coordinates
 * @param count       gets the number
 * @since 0.1.0
 */
asdf_status asdf_coordinates_component_count(const asdf_coordinates *coordinates, int64_t *count);

/**
 * Gets the name of a component in its frame: "ra", "dec", "distance". Longitude, latitude and distance, or x, y and z,
 * come first; velocities come last.
 *
 * @param coordinates the coordinates
 * @param index       its number, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param buffer      gets the name
 * @param capacity    size of the buffer in bytes
 * @param needed      gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_coordinates_component_name(const asdf_coordinates *coordinates,
                                            int64_t index,
                                            char *buffer,
                                            size_t capacity,
                                            size_t *needed);

/**
 * Tests whether coordinates have a component.
 *
 * @param coordinates the coordinates
 * @param name        name of the component in its frame, or its general name
 * @param has         gets 1 or 0
 * @since 0.1.0
 */
asdf_status asdf_coordinates_has_component(const asdf_coordinates *coordinates, const char *name, int32_t *has);

/**
 * Gets the unit of a component, as the file has it.
 *
 * @param coordinates the coordinates
 * @param name        name of the component in its frame, or its general name; ASDF_ERR_NOT_FOUND if there is none
 * @param buffer      gets the unit; empty if the numbers have no dimension
 * @param capacity    size of the buffer in bytes
 * @param needed      gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_coordinates_unit(const asdf_coordinates *coordinates,
                                  const char *name,
                                  char *buffer,
                                  size_t capacity,
                                  size_t *needed);

/**
 * Reads all numbers of a component as doubles, in C order, converted to a unit. Missing ones are NaN. A single number
 * is repeated for all points.
 *
 * @param coordinates the coordinates
 * @param name        name of the component in its frame, or its general name; ASDF_ERR_NOT_FOUND if there is none
 * @param unit        the unit, in any spelling; ASDF_ERR_UNITS if that of the component cannot be converted to it. NULL
 *                    for the unit of the component
 * @param options     options, or NULL for the defaults
 * @param values      gets the numbers
 * @param capacity    size of the buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the number of points
 * @since 0.1.0
 */
asdf_status asdf_coordinates_read(const asdf_coordinates *coordinates,
                                  const char *name,
                                  const char *unit,
                                  const asdf_options *options,
                                  double *values,
                                  size_t capacity);

/**
 * Gets the array of a component, whose numbers have the unit of the component.
 *
 * @param coordinates the coordinates
 * @param name        name of the component in its frame, or its general name; ASDF_ERR_NOT_FOUND if there is none,
 *                    ASDF_ERR_WRONG_TYPE if it is a single number
 * @param array       gets the array; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_coordinates_array(const asdf_coordinates *coordinates, const char *name, asdf_array **array);

/**
 * Gets the number of attributes.
 *
 * @param coordinates the coordinates
 * @param count       gets the number
 * @since 0.1.0
 */
asdf_status asdf_coordinates_attribute_count(const asdf_coordinates *coordinates, int64_t *count);

/**
 * Gets the name of an attribute: "equinox", "obstime", "location".
 *
 * @param coordinates the coordinates
 * @param index       its number, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param buffer      gets the name
 * @param capacity    size of the buffer in bytes
 * @param needed      gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_coordinates_attribute_name(const asdf_coordinates *coordinates,
                                            int64_t index,
                                            char *buffer,
                                            size_t capacity,
                                            size_t *needed);

/**
 * Gets the node of an attribute: a time (asdf_node_get_time()), coordinates (asdf_node_get_coordinates()), a quantity
 * (asdf_node_get_f64() and asdf_node_get_unit()) or text.
 *
 * @param coordinates the coordinates
 * @param name        name of the attribute; ASDF_ERR_NOT_FOUND if there is none
 * @param node        gets the node; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_coordinates_attribute(const asdf_coordinates *coordinates, const char *name, asdf_node **node);

/**
 * Adds an owner to coordinates.
 *
 * @param coordinates the coordinates
 * @param another     gets another handle of the same object, to be freed as well; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_coordinates_retain(const asdf_coordinates *coordinates, asdf_coordinates **another);

/**
 * Gives up one owner of coordinates. The last owner frees them.
 *
 * @param coordinates the coordinates; may be NULL
 * @since 0.1.0
 */
void asdf_coordinates_free(asdf_coordinates *coordinates);

/*
 * Storing coordinates -------------------------------------------------------------------------------------------------
 *
 * Positions are stored as astropy's SkyCoord. Attributes of the frame and velocities are set like other nodes. Astropy
 * has a default for each attribute.
 *
 *     double ra[2] = {10.5, 11.5}, dec[2] = {-5.0, 41.25};
 *     int64_t shape[1] = {2};
 *     asdf_node_set_coordinates(root, "target", "fk5", 1, shape, ra, dec, "deg", NULL, NULL, NULL);
 *     asdf_node_set_time(root, "target/equinox", "J1975.0", 7);
 *     asdf_node_set_f64(root, "target/pm_ra_cosdec/value", 1.5);
 *     asdf_node_set_quantity(root, "target/pm_ra_cosdec", "mas / yr", 8);
 */

/**
 * Stores positions on the sky as astropy's coordinates/skycoord. Several become arrays. Velocities and attributes of
 * the frame are set afterwards, under their names: see Storing coordinates.
 *
 * Errors:
 *
 * - ASDF_ERR_INVALID_ARGUMENT for a frame that astropy does not have
 * - ASDF_ERR_UNITS for a unit that is not one of angles or lengths
 * - ASDF_ERR_OUT_OF_RANGE for a latitude beyond 90 degrees and a negative distance, which astropy does not read
 * - ASDF_ERR_UNSUPPORTED in files of standard 1.0.0, which has no quantities
 *
 * @param node          node that the path starts from
 * @param path          the path
 * @param frame         name of the frame as astropy has it: "icrs", "fk5", "galactic", "altaz"
 * @param rank          number of axes, 0 for a single position
 * @param shape         extent along each axis, slowest first; may be NULL for rank 0
 * @param longitudes    right ascensions, galactic longitudes or azimuths, in C order; may be NULL if there are none
 * @param latitudes     declinations, galactic latitudes or altitudes; may be NULL if there are none
 * @param unit          unit of the angles, in any spelling: "deg", "rad"
 * @param distances     distances, in C order, or NULL for none
 * @param distance_unit unit of the distances, such as "pc"; NULL exactly if the distances are
 * @param options       options, or NULL for the defaults
 * @since 0.1.0
 */
asdf_status asdf_node_set_coordinates(asdf_node *node,
                                      const char *path,
                                      const char *frame,
                                      int32_t rank,
                                      const int64_t *shape,
                                      const double *longitudes,
                                      const double *latitudes,
                                      const char *unit,
                                      const double *distances,
                                      const char *distance_unit,
                                      const asdf_options *options);

/* 13. Descriptions ================================================================================================= */

/*
 * Descriptions --------------------------------------------------------------------------------------------------------
 *
 * A description is a YAML text about the content of a file of arrays: groups, arrays, the dimension coordinates of
 * their axes, attributes, datatypes, and their storage (Ndarray Data Language, NDL 0.6.1).
 *
 * Reading a description succeeds if the text is YAML. asdf_ndl_report() lists errors and irregularities; all correct
 * parts are available in spite of errors elsewhere. asdf_ndl_is_valid() tests whether there are errors.
 *
 *     asdf_ndl *description = NULL;
 *     asdf_report *diagnostics = NULL;
 *     asdf_ndl_read("model.yaml", NULL, &description);
 *     asdf_ndl_report(description, &diagnostics);
 *     print_report(diagnostics);   // model.yaml:12:7: E-VALUE-RANGE: /a: 300 is not in the range of int8
 *     asdf_report_free(diagnostics);
 *     asdf_ndl_free(description);
 */

/**
 * Reads a description from a file.
 *
 * Errors, with line and column in the details:
 *
 * - ASDF_ERR_YAML if the text is not YAML
 * - ASDF_ERR_ENCODING if it is neither UTF-8 nor UTF-16 with a byte order mark
 * - ASDF_ERR_LIMIT if it is too long or nested too deeply
 * - ASDF_ERR_IO if the name is that of a pipe or a device
 *
 * @param path    name of the file
 * @param options options, or NULL for the defaults
 * @param ndl     gets the description; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_ndl_read(const char *path, const asdf_options *options, asdf_ndl **ndl);

/**
 * Reads a description from memory, as asdf_ndl_read() does from a file.
 *
 * @param text    the text
 * @param length  its length in bytes
 * @param options options, or NULL for the defaults
 * @param ndl     gets the description; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_ndl_read_memory(const char *text, size_t length, const asdf_options *options, asdf_ndl **ndl);

/**
 * Tests whether a description has no errors.
 *
 * @param ndl   the description
 * @param valid gets 1 or 0
 * @since 0.1.0
 */
asdf_status asdf_ndl_is_valid(const asdf_ndl *ndl, int32_t *valid);

/**
 * Gets the diagnostics and the notes of a description.
 *
 * - Diagnostics are errors and irregularities, in the order of the text; at most 1000 are kept. Each has a code such
 *   as "E-VALUE-RANGE" or "W-TYPE-MISSING", and a path: a path name, followed by "@" and the name for an attribute, or
 *   "" for the document. If the description was made by asdf_ndl_builder_finish(), they have no lines and columns.
 * - Notes are about content that asdf_ndl_describe() left out or converted, with the path of the node.
 *
 * @param ndl    the description
 * @param report gets diagnostics and notes, possibly none; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_ndl_report(const asdf_ndl *ndl, asdf_report **report);

/**
 * Adds an owner to a description.
 *
 * @param ndl     the description
 * @param another gets another handle of the same object, to be freed as well; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_ndl_retain(const asdf_ndl *ndl, asdf_ndl **another);

/**
 * Gives up one owner of a description. The last owner frees it.
 *
 * @param ndl the description, or NULL
 * @since 0.1.0
 */
void asdf_ndl_free(asdf_ndl *ndl);

/*
 * Content of descriptions ---------------------------------------------------------------------------------------------
 *
 * Groups, dimension coordinates and arrays have path names ("/", "/site/wind"). No two objects of a description share
 * a path name, whatever their kinds. If a parameter is the name of an attribute, NULL means the array or dimension
 * coordinate itself.
 *
 *     int64_t count, extents[ASDF_MAX_RANK];
 *     int32_t rank;
 *     char path[256], keyword[16];
 *     asdf_ndl_count(description, ASDF_NDL_KIND_NDARRAY, &count);
 *     for (int64_t i = 0; i < count; i++) {
 *         asdf_ndl_path(description, ASDF_NDL_KIND_NDARRAY, i, path, sizeof path, NULL);
 *         asdf_ndl_shape(description, path, NULL, extents, ASDF_MAX_RANK, &rank);
 *         asdf_ndl_keyword(description, path, NULL, keyword, sizeof keyword, NULL);
 *         printf("%s: %s, %d dimensions\n", path, keyword, rank);
 *     }
 */

#define ASDF_NDL_KIND_GROUP 1    /**< A group. */
#define ASDF_NDL_KIND_DIMCOORD 2 /**< A dimension coordinate. */
#define ASDF_NDL_KIND_NDARRAY 3  /**< An array. */

/**
 * Gets the number of groups, dimension coordinates or arrays. Groups that are not listed count if they have content.
 *
 * @param ndl   the description
 * @param kind  ASDF_NDL_KIND_GROUP, ASDF_NDL_KIND_DIMCOORD or ASDF_NDL_KIND_NDARRAY; ASDF_ERR_INVALID_ARGUMENT for any
 *              other number
 * @param count gets the number
 * @since 0.1.0
 */
asdf_status asdf_ndl_count(const asdf_ndl *ndl, int32_t kind, int64_t *count);

/**
 * Gets the path name of a group, a dimension coordinate or an array.
 *
 * @param ndl      the description
 * @param kind     kind of object, as for asdf_ndl_count()
 * @param index    its number, from 0, in document order; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param buffer   gets the path name
 * @param capacity size of the buffer in bytes
 * @param needed   gets the length of the path name; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_ndl_path(const asdf_ndl *ndl,
                          int32_t kind,
                          int64_t index,
                          char *buffer,
                          size_t capacity,
                          size_t *needed);

/**
 * Gets the kind of the object that has a path name.
 *
 * @param ndl  the description
 * @param path path name; ASDF_ERR_NOT_FOUND if it does not exist
 * @param kind gets ASDF_NDL_KIND_GROUP, ASDF_NDL_KIND_DIMCOORD or ASDF_NDL_KIND_NDARRAY
 * @since 0.1.0
 */
asdf_status asdf_ndl_kind(const asdf_ndl *ndl, const char *path, int32_t *kind);

/**
 * Gets the number of attributes of a group, a dimension coordinate or an array.
 *
 * @param ndl   the description
 * @param path  path name; ASDF_ERR_NOT_FOUND if it does not exist
 * @param count gets the number
 * @since 0.1.0
 */
asdf_status asdf_ndl_attribute_count(const asdf_ndl *ndl, const char *path, int64_t *count);

/**
 * Gets the name of an attribute.
 *
 * @param ndl      the description
 * @param path     path name of its owner; ASDF_ERR_NOT_FOUND if it does not exist
 * @param index    its number, from 0, in document order; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param buffer   gets the name
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_ndl_attribute_name(const asdf_ndl *ndl,
                                    const char *path,
                                    int64_t index,
                                    char *buffer,
                                    size_t capacity,
                                    size_t *needed);

/**
 * Gets the shape of an array, a dimension coordinate or an attribute, with or without values.
 *
 * @param ndl       the description
 * @param path      path name; ASDF_ERR_NOT_FOUND if it does not exist or its shape is not valid
 * @param attribute name of the attribute, or NULL for the object itself
 * @param extents   gets the extents, slowest axis first: -1 for an unlimited or unknown one; NULL if capacity is 0
 * @param capacity  size of the buffer in numbers; 0 to get only the rank
 * @param rank      gets the number of extents; may be NULL unless capacity is 0
 * @since 0.1.0
 */
asdf_status asdf_ndl_shape(const asdf_ndl *ndl,
                           const char *path,
                           const char *attribute,
                           int64_t *extents,
                           int32_t capacity,
                           int32_t *rank);

/**
 * Gets the dimension coordinate of a dimension of an array.
 *
 * @param ndl       the description
 * @param path      path name of the array; ASDF_ERR_NOT_FOUND if it does not exist
 * @param dimension number of the dimension, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param buffer    gets the path name of the dimension coordinate; "" if there is none
 * @param capacity  size of the buffer in bytes
 * @param needed    gets the length of the path name; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_ndl_coordinate(const asdf_ndl *ndl,
                                const char *path,
                                int64_t dimension,
                                char *buffer,
                                size_t capacity,
                                size_t *needed);

/**
 * Gets the keyword of the datatype: "string", "int8" to "uint64", "float32", "float64", "objref", "opaque", "enum",
 * "regref", "compound", "vlen" or "array".
 *
 * @param ndl       the description
 * @param path      path name; ASDF_ERR_NOT_FOUND if it does not exist or has no datatype
 * @param attribute name of the attribute, or NULL for the object itself
 * @param buffer    gets the keyword
 * @param capacity  size of the buffer in bytes
 * @param needed    gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_ndl_keyword(const asdf_ndl *ndl,
                             const char *path,
                             const char *attribute,
                             char *buffer,
                             size_t capacity,
                             size_t *needed);

/*
 * Datatypes of descriptions -------------------------------------------------------------------------------------------
 *
 * A datatype describes the structure of an element: members of a compound, constants of an enum, elements of an array
 * or a vlen, nested to any depth. The caller frees the handles, in any order.
 *
 *     asdf_ndl_datatype *compound = NULL, *member = NULL;
 *     int64_t count;
 *     char name[64], keyword[16];
 *     asdf_ndl_get_datatype(description, "/site/wind", NULL, &compound);
 *     asdf_ndl_datatype_member_count(compound, &count);
 *     for (int64_t i = 0; i < count; i++) {
 *         asdf_ndl_datatype_member_name(compound, i, name, sizeof name, NULL);
 *         asdf_ndl_datatype_member(compound, i, &member);
 *         asdf_ndl_datatype_keyword(member, keyword, sizeof keyword, NULL);
 *         printf("%s: %s\n", name, keyword);
 *         asdf_ndl_datatype_free(member);
 *     }
 *     asdf_ndl_datatype_free(compound);
 */

/**
 * Gets the datatype of an array, a dimension coordinate or an attribute.
 *
 * @param ndl       the description
 * @param path      path name; ASDF_ERR_NOT_FOUND if it does not exist or has no datatype
 * @param attribute the name of an attribute, or NULL
 * @param datatype  gets the datatype; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_ndl_get_datatype(const asdf_ndl *ndl,
                                  const char *path,
                                  const char *attribute,
                                  asdf_ndl_datatype **datatype);

/**
 * Gets the keyword of a datatype; see asdf_ndl_keyword().
 *
 * @param datatype the datatype
 * @param buffer   gets the keyword
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_ndl_datatype_keyword(const asdf_ndl_datatype *datatype, char *buffer, size_t capacity, size_t *needed);

/**
 * Gets the NDL notation of a datatype, on one line: "float32", "{array: {base: float32, shape: [3, 3]}}".
 *
 * @param datatype the datatype
 * @param buffer   gets the text
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_ndl_datatype_text(const asdf_ndl_datatype *datatype, char *buffer, size_t capacity, size_t *needed);

/**
 * Gets the size of one element without padding, also of opaque bytes.
 *
 * @param datatype the datatype
 * @param size     gets the number of bytes; -1 if elements have no fixed size: text, references, vlen, and datatypes
 *                 that contain them. ASDF_ERR_VALUE_RANGE if it does not fit int64_t; ASDF_ERR_LIMIT if it does not
 *                 fit 128 bits
 * @since 0.1.0
 */
asdf_status asdf_ndl_datatype_element_size(const asdf_ndl_datatype *datatype, int64_t *size);

/**
 * Gets the number of members of a compound, or of constants of an enum.
 *
 * @param datatype the datatype; ASDF_ERR_WRONG_TYPE for any other kind
 * @param count    gets the number
 * @since 0.1.0
 */
asdf_status asdf_ndl_datatype_member_count(const asdf_ndl_datatype *datatype, int64_t *count);

/**
 * Gets the name of a member of a compound, or of a constant of an enum.
 *
 * @param datatype the datatype; ASDF_ERR_WRONG_TYPE for any other kind
 * @param index    its number, from 0, in document order; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param buffer   gets the name
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_ndl_datatype_member_name(const asdf_ndl_datatype *datatype,
                                          int64_t index,
                                          char *buffer,
                                          size_t capacity,
                                          size_t *needed);

/**
 * Gets the datatype of a member of a compound.
 *
 * @param datatype the datatype; ASDF_ERR_WRONG_TYPE for any other kind
 * @param index    number of the member, from 0, in document order; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param member   gets the datatype of the member; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_ndl_datatype_member(const asdf_ndl_datatype *datatype, int64_t index, asdf_ndl_datatype **member);

/**
 * Gets the number of a constant of an enum.
 *
 * @param datatype the datatype; ASDF_ERR_WRONG_TYPE for any other kind
 * @param index    position of the constant, from 0, in document order; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param value    gets the number; ASDF_ERR_VALUE_RANGE if it does not fit int64_t
 * @since 0.1.0
 */
asdf_status asdf_ndl_datatype_constant_i64(const asdf_ndl_datatype *datatype, int64_t index, int64_t *value);

/**
 * Gets the number of a constant of an enum whose base is unsigned.
 *
 * @param datatype the datatype; ASDF_ERR_WRONG_TYPE for any other kind
 * @param index    position of the constant, from 0, in document order; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param value    gets the number; ASDF_ERR_VALUE_RANGE if negative
 * @since 0.1.0
 */
asdf_status asdf_ndl_datatype_constant_u64(const asdf_ndl_datatype *datatype, int64_t index, uint64_t *value);

/**
 * Gets the base of a datatype: that of the elements of an array or a vlen, or of the constants of an enum.
 *
 * @param datatype the datatype; ASDF_ERR_WRONG_TYPE for any other kind
 * @param base     gets the base; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_ndl_datatype_base(const asdf_ndl_datatype *datatype, asdf_ndl_datatype **base);

/**
 * Gets the shape of an array datatype.
 *
 * @param datatype the datatype; ASDF_ERR_WRONG_TYPE for any other kind
 * @param extents  gets the extents, slowest axis first; NULL if capacity is 0
 * @param capacity size of the buffer in numbers; 0 to get only the rank
 * @param rank     gets the number of extents; may be NULL unless capacity is 0
 * @since 0.1.0
 */
asdf_status asdf_ndl_datatype_shape(const asdf_ndl_datatype *datatype,
                                    int64_t *extents,
                                    int32_t capacity,
                                    int32_t *rank);

/**
 * Gets the tag of opaque bytes, such as a media type.
 *
 * @param datatype the datatype; ASDF_ERR_WRONG_TYPE for any other kind, one without a tag ASDF_ERR_NOT_FOUND
 * @param buffer   gets the tag
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_ndl_datatype_tag(const asdf_ndl_datatype *datatype, char *buffer, size_t capacity, size_t *needed);

/**
 * Gets the selection of a region reference: "block" or "element".
 *
 * @param datatype the datatype; ASDF_ERR_WRONG_TYPE for any other kind
 * @param buffer   gets the word
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_ndl_datatype_selection(const asdf_ndl_datatype *datatype,
                                        char *buffer,
                                        size_t capacity,
                                        size_t *needed);

/**
 * Adds an owner to a datatype.
 *
 * @param datatype the datatype
 * @param another  gets another handle of the same object, to be freed as well; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_ndl_datatype_retain(const asdf_ndl_datatype *datatype, asdf_ndl_datatype **another);

/**
 * Gives up one owner of a datatype. The last owner frees it.
 *
 * @param datatype the datatype, or NULL
 * @since 0.1.0
 */
void asdf_ndl_datatype_free(asdf_ndl_datatype *datatype);

/*
 * Storage in descriptions ---------------------------------------------------------------------------------------------
 *
 * Storage directives describe how values are stored in a file. They are returned in NDL notation.
 *
 *     char chunk[256];
 *     asdf_ndl_storage(description, "/site/wind", NULL, "chunk", chunk, sizeof chunk, NULL);   // [512, 3]
 */

/**
 * Gets a storage directive, in NDL notation: "[512, 3]", "[shuffle, {deflate: {level: 5}}]", "little", "-9999.0".
 *
 * @param ndl       the description
 * @param path      path name; ASDF_ERR_NOT_FOUND if it does not exist
 * @param attribute name of the attribute, or NULL for the object itself
 * @param directive "shape" or "size" (stored extents), "chunk", "filter", "endian", "charset" or "fillvalue";
 *                  ASDF_ERR_INVALID_ARGUMENT for any other word; ASDF_ERR_NOT_FOUND if the description does not have
 *                  the directive
 * @param buffer    gets the text
 * @param capacity  size of the buffer in bytes
 * @param needed    gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_ndl_storage(const asdf_ndl *ndl,
                             const char *path,
                             const char *attribute,
                             const char *directive,
                             char *buffer,
                             size_t capacity,
                             size_t *needed);

/*
 * Values in descriptions ----------------------------------------------------------------------------------------------
 *
 * A description can contain the elements of arrays, dimension coordinates and attributes. They are read one by one, or
 * all at once into memory of the caller, with the conversions of arrays in ASDF files. Elements that are neither
 * numbers nor texts are returned in NDL notation.
 *
 *     int64_t extents[ASDF_MAX_RANK], levels = 1;
 *     int32_t rank;
 *     asdf_ndl_value_shape(description, "/level", NULL, extents, ASDF_MAX_RANK, &rank);
 *     for (int32_t i = 0; i < rank; i++) levels *= extents[i];
 *     double *level = malloc(levels * sizeof *level);
 *     asdf_ndl_read_values(description, "/level", NULL, ASDF_FLOAT64, level, levels * sizeof *level, NULL);
 *
 *     char region[256];
 *     asdf_ndl_value_notation(description, "/cutouts", NULL, 0, region, sizeof region, NULL);
 *     // {target: /sky, start: [10, 20], opposite: [29, 39]}
 */

/**
 * Gets the shape of the values: their number along each dimension. Along unlimited dimensions it is the number of
 * values in the description.
 *
 * @param ndl       the description
 * @param path      path name; ASDF_ERR_NOT_FOUND if it does not exist or has no values
 * @param attribute name of the attribute, or NULL for the object itself
 * @param extents   gets the extents, slowest axis first; NULL if capacity is 0
 * @param capacity  size of the buffer in numbers; 0 to get only the rank
 * @param rank      gets the number of extents; may be NULL unless capacity is 0
 * @since 0.1.0
 */
asdf_status asdf_ndl_value_shape(const asdf_ndl *ndl,
                                 const char *path,
                                 const char *attribute,
                                 int64_t *extents,
                                 int32_t capacity,
                                 int32_t *rank);

/**
 * Gets one integer, or the number of an enum constant.
 *
 * @param ndl       the description
 * @param path      path name; ASDF_ERR_NOT_FOUND if it does not exist or has no values
 * @param attribute name of the attribute, or NULL for the object itself
 * @param index     number of the element in C order; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param value     gets the number; ASDF_ERR_VALUE_RANGE if it does not fit int64_t; ASDF_ERR_WRONG_TYPE for any other
 *                  datatype
 * @since 0.1.0
 */
asdf_status asdf_ndl_value_i64(const asdf_ndl *ndl,
                               const char *path,
                               const char *attribute,
                               int64_t index,
                               int64_t *value);

/**
 * Gets one number. Integers beyond 2^53 are rounded.
 *
 * @param ndl       the description
 * @param path      path name; ASDF_ERR_NOT_FOUND if it does not exist or has no values
 * @param attribute name of the attribute, or NULL for the object itself
 * @param index     number of the element in C order; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param value     gets the number; ASDF_ERR_WRONG_TYPE if the datatype is not numeric
 * @since 0.1.0
 */
asdf_status asdf_ndl_value_f64(const asdf_ndl *ndl,
                               const char *path,
                               const char *attribute,
                               int64_t index,
                               double *value);

/**
 * Gets one text, name of an enum constant, or path name of an object reference ("" if it refers to nothing).
 *
 * @param ndl       the description
 * @param path      path name; ASDF_ERR_NOT_FOUND if it does not exist or has no values
 * @param attribute name of the attribute, or NULL for the object itself
 * @param index     number of the element in C order; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param buffer    gets the text; ASDF_ERR_WRONG_TYPE for any other datatype
 * @param capacity  size of the buffer in bytes
 * @param needed    gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_ndl_value_text(const asdf_ndl *ndl,
                                const char *path,
                                const char *attribute,
                                int64_t index,
                                char *buffer,
                                size_t capacity,
                                size_t *needed);

/**
 * Gets one element of any datatype in NDL notation: "[1, 0.5]" for a compound, a vlen or an array datatype, base64 for
 * opaque bytes, "{target: /sky, selection: [[3, 4]]}" for a region reference; texts in quotes if necessary.
 *
 * @param ndl       the description
 * @param path      path name; ASDF_ERR_NOT_FOUND if it does not exist or has no values
 * @param attribute name of the attribute, or NULL for the object itself
 * @param index     number of the element in C order; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param buffer    gets the text, on one line
 * @param capacity  size of the buffer in bytes
 * @param needed    gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_ndl_value_notation(const asdf_ndl *ndl,
                                    const char *path,
                                    const char *attribute,
                                    int64_t index,
                                    char *buffer,
                                    size_t capacity,
                                    size_t *needed);

/**
 * Reads all elements as numbers, strings of fixed length or records, with the conversion rules of asdf_array_read(): a
 * value that does not fit is ASDF_ERR_OVERFLOW.
 *
 * - Enum constants are returned as their numbers; those of an enum with FALSE and TRUE as truth values.
 * - An array datatype appends its extents to those of asdf_ndl_value_shape().
 * - Opaque bytes append one extent, their size; shorter values are padded with zeros.
 * - Texts, names of enum constants and path names of object references (empty if they refer to nothing) can be read as
 *   strings of ASDF_ASCII (here UTF-8 of that many bytes) or ASDF_UCS4, padded with NULs. One that is too long is
 *   ASDF_ERR_OVERFLOW, and cut with ASDF_OPTION_CLAMP.
 * - Compounds can be read as packed records whose fields have the names of the members, in their order, and the extents
 *   that array datatypes and opaque bytes append. Each member is converted separately.
 * - All other conversions are ASDF_ERR_CONVERSION.
 *
 * @param ndl       the description
 * @param path      path name; ASDF_ERR_NOT_FOUND if it does not exist or has no values
 * @param attribute name of the attribute, or NULL for the object itself
 * @param datatype  code of the scalar type to read them as; 0 for the datatype in the options, and without one for
 *                  that of the values, if they are numbers or bytes; ASDF_ERR_INVALID_ARGUMENT for any other number
 * @param options   options, or NULL for the defaults
 * @param elements  gets the elements; unspecified after a failure. May be NULL if there are no elements
 * @param capacity  size of the buffer in bytes; ASDF_ERR_BUFFER_TOO_SMALL if less than the size of the elements
 * @since 0.1.0
 */
asdf_status asdf_ndl_read_values(const asdf_ndl *ndl,
                                 const char *path,
                                 const char *attribute,
                                 int32_t datatype,
                                 const asdf_options *options,
                                 void *elements,
                                 size_t capacity);

/*
 * Making descriptions -------------------------------------------------------------------------------------------------
 *
 * A builder collects groups, dimension coordinates, arrays and attributes, one call for each. At the end
 * asdf_ndl_builder_finish() makes the description (asdf_ndl), which never changes. Each call checks its arguments, and
 * changes nothing if it fails. Errors that only the whole description can have are diagnostics of the description: an
 * unknown dimension coordinate, a path name that a group has, too, or a number of values that differs from the shape.
 * The diagnostics equal those of an NDL text with the same content.
 *
 * Datatypes, storage directives and values can be passed in NDL notation: "float32", "{array: {base: float32, shape:
 * [3, 3]}}", "[shuffle, {deflate: {level: 5}}]". If a parameter is the name of an attribute, NULL means the array or
 * dimension coordinate itself. Only one thread at a time may use a builder.
 *
 *     static const int64_t shape[] = {-1, 3};                  // -1: it may grow
 *     static const char *const coordinates[] = {"time", NULL};
 *     asdf_ndl_builder *builder = NULL;
 *     asdf_ndl *description = NULL;
 *     asdf_ndl_builder_new(NULL, &builder);
 *     asdf_ndl_builder_add_dimcoord(builder, "/time", -1, "float64");
 *     asdf_ndl_builder_add_ndarray(builder, "/wind", 2, shape, coordinates, "float32");
 *     asdf_ndl_builder_set_attribute_string(builder, "/wind", "units", "m/s", 3);
 *     asdf_ndl_builder_set_storage(builder, "/wind", NULL, "chunk", "[512, 3]", 8);
 *     asdf_ndl_builder_finish(builder, NULL, &description);
 *     asdf_ndl_builder_free(builder);
 *     asdf_ndl_write(description, "model.yaml", NULL);
 */

/**
 * Creates a builder.
 *
 * @param from    description to start from, which stays unchanged; NULL for an empty description
 * @param builder gets the builder; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_ndl_builder_new(const asdf_ndl *from, asdf_ndl_builder **builder);

/**
 * Adds a group. An existing group stays unchanged. Parent groups of other objects need not be added.
 *
 * @param builder the builder
 * @param path    path name of the group; ASDF_ERR_PATH if malformed; ASDF_ERR_INVALID_ARGUMENT if an array or a
 *                dimension coordinate has it
 * @since 0.1.0
 */
asdf_status asdf_ndl_builder_add_group(asdf_ndl_builder *builder, const char *path);

/**
 * Adds a dimension coordinate.
 *
 * @param builder  the builder
 * @param path     its path name; ASDF_ERR_PATH if malformed; ASDF_ERR_INVALID_ARGUMENT if it exists
 * @param extent   number of elements, at least 1, or -1 if unlimited; ASDF_ERR_INVALID_ARGUMENT for any other number
 * @param datatype its datatype in NDL notation; ASDF_ERR_BAD_DATATYPE if it is not a datatype; ASDF_ERR_YAML if it is
 *                 not YAML. NULL for none, which gives a warning in the diagnostics
 * @since 0.1.0
 */
asdf_status asdf_ndl_builder_add_dimcoord(asdf_ndl_builder *builder,
                                          const char *path,
                                          int64_t extent,
                                          const char *datatype);

/**
 * Adds an array.
 *
 * @param builder     the builder
 * @param path        its path name; ASDF_ERR_PATH if malformed; ASDF_ERR_INVALID_ARGUMENT if it exists
 * @param rank        number of dimensions
 * @param extents     extent along each dimension, slowest axis first, or -1 if unlimited; ignored for a dimension with
 *                    a dimension coordinate. May be NULL if every dimension has one
 * @param coordinates dimension coordinate of each dimension: its path name, its name (searched in the group of the
 *                    array and in the parent groups) or a relative path; NULL for a dimension without one. May be NULL
 *                    for none at all
 * @param datatype    its datatype in NDL notation, or NULL; see asdf_ndl_builder_add_dimcoord()
 * @since 0.1.0
 */
asdf_status asdf_ndl_builder_add_ndarray(asdf_ndl_builder *builder,
                                         const char *path,
                                         int32_t rank,
                                         const int64_t *extents,
                                         const char *const *coordinates,
                                         const char *datatype);

/**
 * Changes the size of a dimension coordinate.
 *
 * @param builder the builder
 * @param path    its path name; ASDF_ERR_NOT_FOUND if it does not exist
 * @param extent  number of elements, at least 1, or -1 if unlimited; ASDF_ERR_INVALID_ARGUMENT for any other number
 * @since 0.1.0
 */
asdf_status asdf_ndl_builder_set_size(asdf_ndl_builder *builder, const char *path, int64_t extent);

/**
 * Changes the shape of an array.
 *
 * @param builder     the builder
 * @param path        its path name; ASDF_ERR_NOT_FOUND if it does not exist
 * @param rank        number of dimensions
 * @param extents     extents, as for asdf_ndl_builder_add_ndarray(); may be NULL under the same condition
 * @param coordinates dimension coordinates, as for asdf_ndl_builder_add_ndarray(), or NULL
 * @since 0.1.0
 */
asdf_status asdf_ndl_builder_set_shape(asdf_ndl_builder *builder,
                                       const char *path,
                                       int32_t rank,
                                       const int64_t *extents,
                                       const char *const *coordinates);

/**
 * Changes the datatype of an array, a dimension coordinate or an attribute.
 *
 * @param builder   the builder
 * @param path      path name; ASDF_ERR_NOT_FOUND if it does not exist; ASDF_ERR_INVALID_ARGUMENT if it still has
 *                  values or a fill value (remove them first)
 * @param attribute name of the attribute, or NULL for the object itself
 * @param datatype  datatype in NDL notation; ASDF_ERR_BAD_DATATYPE if it is not a datatype
 * @since 0.1.0
 */
asdf_status asdf_ndl_builder_set_datatype(asdf_ndl_builder *builder,
                                          const char *path,
                                          const char *attribute,
                                          const char *datatype);

/**
 * Sets a text attribute; it replaces an existing one of the name.
 *
 * @param builder   the builder
 * @param path      path name of its owner; ASDF_ERR_NOT_FOUND if it does not exist
 * @param attribute name of the attribute; ASDF_ERR_INVALID_ARGUMENT if empty
 * @param text      the text
 * @param length    its length in bytes
 * @since 0.1.0
 */
asdf_status asdf_ndl_builder_set_attribute_string(asdf_ndl_builder *builder,
                                                  const char *path,
                                                  const char *attribute,
                                                  const char *text,
                                                  size_t length);

/**
 * Sets an integer attribute; it replaces an existing one of the name. Its datatype is int32 if the value fits,
 * otherwise int64.
 *
 * @param builder   the builder
 * @param path      path name of its owner; ASDF_ERR_NOT_FOUND if it does not exist
 * @param attribute name of the attribute; ASDF_ERR_INVALID_ARGUMENT if empty
 * @param value     the integer
 * @since 0.1.0
 */
asdf_status asdf_ndl_builder_set_attribute_i64(asdf_ndl_builder *builder,
                                               const char *path,
                                               const char *attribute,
                                               int64_t value);

/**
 * Sets a float64 attribute; it replaces an existing one of the name.
 *
 * @param builder   the builder
 * @param path      path name of its owner; ASDF_ERR_NOT_FOUND if it does not exist
 * @param attribute name of the attribute; ASDF_ERR_INVALID_ARGUMENT if empty
 * @param value     the number
 * @since 0.1.0
 */
asdf_status asdf_ndl_builder_set_attribute_f64(asdf_ndl_builder *builder,
                                               const char *path,
                                               const char *attribute,
                                               double value);

/**
 * Sets an attribute of any shape and datatype, without a value; it replaces an existing one of the name. Set its value
 * afterwards with one of the functions below; without a value, the description has an error.
 *
 * @param builder   the builder
 * @param path      path name of its owner; ASDF_ERR_NOT_FOUND if it does not exist
 * @param attribute name of the attribute; ASDF_ERR_INVALID_ARGUMENT if empty
 * @param rank      number of dimensions
 * @param extents   extent along each dimension, slowest axis first, 0 or more; may be NULL for rank 0
 * @param datatype  its datatype in NDL notation; ASDF_ERR_BAD_DATATYPE if it is not a datatype
 * @since 0.1.0
 */
asdf_status asdf_ndl_builder_set_attribute(asdf_ndl_builder *builder,
                                           const char *path,
                                           const char *attribute,
                                           int32_t rank,
                                           const int64_t *extents,
                                           const char *datatype);

/**
 * Sets values from numbers, from the numbers of enum constants, or from opaque bytes.
 *
 * Numbers are converted by the rules of asdf_array_read(): floats are rounded to the nearest value, and a value that
 * does not fit is ASDF_ERR_OVERFLOW. The function accepts all output of asdf_ndl_read_values(). ASDF_ERR_VALUE_RANGE
 * if no constant of an enum has the number; ASDF_ERR_CONVERSION for all other datatypes.
 *
 * @param builder   the builder
 * @param path      path name; ASDF_ERR_NOT_FOUND if it does not exist; ASDF_ERR_INCOMPLETE if it has no datatype or
 *                  shape
 * @param attribute name of the attribute, or NULL for the object itself
 * @param datatype  code of the scalar type of the elements, or 0 as in asdf_ndl_read_values();
 *                  ASDF_ERR_INVALID_ARGUMENT for any other number
 * @param rank      number of dimensions of the values; must be that of the shape
 * @param extents   number of values along each dimension, slowest axis first: that of the storage directive "shape" or
 *                  "size", or else of the shape; any number for a dimension that is unlimited or has a dimension
 *                  coordinate. ASDF_ERR_INVALID_ARGUMENT for any other number. May be NULL for rank 0
 * @param elements  the elements in native byte order, in C order unless the options set an order or strides. An array
 *                  datatype appends its extents to those of the values; opaque bytes append one extent, their size.
 *                  May be NULL if there are no elements
 * @param size      size of that memory in bytes; ASDF_ERR_INVALID_ARGUMENT if it is not that of the elements
 * @param options   datatype, order or strides of the elements, or NULL for C order
 * @since 0.1.0
 */
asdf_status asdf_ndl_builder_set_values(asdf_ndl_builder *builder,
                                        const char *path,
                                        const char *attribute,
                                        int32_t datatype,
                                        int32_t rank,
                                        const int64_t *extents,
                                        const void *elements,
                                        size_t size,
                                        const asdf_options *options);

/**
 * Sets values from texts; see asdf_ndl_builder_set_values().
 *
 * @param builder   the builder
 * @param path      path name
 * @param attribute name of the attribute, or NULL for the object itself
 * @param rank      number of dimensions of the values
 * @param extents   number of values along each dimension; may be NULL for rank 0
 * @param bytes     the values in UTF-8, in C order, one after the other: value i occupies the bytes from offset i to
 *                  offset i + 1. A value is a text (which may contain NULs), the name of an enum constant
 *                  (ASDF_ERR_VALUE_RANGE if there is none), or the path name of an object reference, "" for none
 *                  (ASDF_ERR_PATH if malformed). ASDF_ERR_WRONG_TYPE for other datatypes. May be NULL if all values
 *                  are empty
 * @param size      number of these bytes
 * @param offsets   ascending offsets in the bytes; ASDF_ERR_INVALID_ARGUMENT if they descend or lie outside the bytes.
 *                  May be NULL if there are no values
 * @param count     number of offsets, one more than values; ASDF_ERR_INVALID_ARGUMENT if it does not match the extents
 * @since 0.1.0
 */
asdf_status asdf_ndl_builder_set_texts(asdf_ndl_builder *builder,
                                       const char *path,
                                       const char *attribute,
                                       int32_t rank,
                                       const int64_t *extents,
                                       const char *bytes,
                                       size_t size,
                                       const int64_t *offsets,
                                       int64_t count);

/**
 * Sets a value of any datatype in NDL notation: "[[1, 2], [3, 4]]", "{target: /image, start: [0, 0], opposite: [9,
 * 9]}".
 *
 * Errors:
 *
 * - ASDF_ERR_YAML if the text is not YAML
 * - ASDF_ERR_WRONG_TYPE if an element is not of the kind of the datatype
 * - ASDF_ERR_VALUE_RANGE if an element is out of range, not an enum constant, or not base64
 * - ASDF_ERR_INVALID_ARGUMENT if the lists do not match the shape
 * - ASDF_ERR_INCOMPLETE if datatype or shape is missing
 *
 * @param builder   the builder
 * @param path      path name; ASDF_ERR_NOT_FOUND if it does not exist
 * @param attribute name of the attribute, or NULL for the object itself
 * @param value     the value; NULL removes an existing value
 * @param length    its length in bytes
 * @since 0.1.0
 */
asdf_status asdf_ndl_builder_set_value(asdf_ndl_builder *builder,
                                       const char *path,
                                       const char *attribute,
                                       const char *value,
                                       size_t length);

/**
 * Sets a storage directive, in NDL notation.
 *
 * @param builder   the builder
 * @param path      path name; ASDF_ERR_NOT_FOUND if it does not exist
 * @param attribute name of the attribute, or NULL for the object itself
 * @param directive "shape" or "size" (stored extents), "chunk", "filter", "endian", "charset", "fillvalue", or a key
 *                  that begins with "x-"; ASDF_ERR_INVALID_ARGUMENT for any other word, or if the directive does not
 *                  apply here
 * @param text      value of the directive: "[512, 3]", "little"; NULL removes it. ASDF_ERR_INVALID_ARGUMENT if it is
 *                  not valid; for a fill value, the errors of asdf_ndl_builder_set_value()
 * @param length    its length in bytes
 * @since 0.1.0
 */
asdf_status asdf_ndl_builder_set_storage(asdf_ndl_builder *builder,
                                         const char *path,
                                         const char *attribute,
                                         const char *directive,
                                         const char *text,
                                         size_t length);

/**
 * Sets the content of an extension key ("x-..."), which NDL keeps and ignores.
 *
 * @param builder   the builder
 * @param path      path name of a group, an array or a dimension coordinate; ASDF_ERR_NOT_FOUND if it does not exist.
 *                  NULL for the description itself
 * @param attribute name of the attribute, or NULL for the object itself
 * @param key       the key; ASDF_ERR_INVALID_ARGUMENT if it does not begin with "x-"
 * @param text      one YAML document; ASDF_ERR_YAML if it is not. NULL removes existing content
 * @param length    its length in bytes
 * @since 0.1.0
 */
asdf_status asdf_ndl_builder_set_extension(asdf_ndl_builder *builder,
                                           const char *path,
                                           const char *attribute,
                                           const char *key,
                                           const char *text,
                                           size_t length);

/**
 * Removes an attribute, an array, a dimension coordinate, or a group with its content.
 *
 * @param builder   the builder
 * @param path      path name; ASDF_ERR_NOT_FOUND if it does not exist; ASDF_ERR_INVALID_ARGUMENT for the root
 * @param attribute name of the attribute, or NULL for the object itself
 * @since 0.1.0
 */
asdf_status asdf_ndl_builder_remove(asdf_ndl_builder *builder, const char *path, const char *attribute);

/**
 * Makes a description from the current content of the builder, which can be used further.
 *
 * asdf_ndl_is_valid() and asdf_ndl_report() return its errors and warnings, which have no lines and columns. Fails
 * with ASDF_ERR_LIMIT if the description exceeds the limits of a text, and with ASDF_ERR_INCOMPLETE if a dimension has
 * neither an extent nor a name (possible if the builder started from a description with errors).
 *
 * @param builder the builder
 * @param options options as for asdf_ndl_read(), or NULL for the defaults
 * @param ndl     gets the description; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_ndl_builder_finish(const asdf_ndl_builder *builder, const asdf_options *options, asdf_ndl **ndl);

/**
 * Frees a builder.
 *
 * @param builder the builder, or NULL
 * @since 0.1.0
 */
void asdf_ndl_builder_free(asdf_ndl_builder *builder);

/*
 * Writing descriptions ------------------------------------------------------------------------------------------------
 *
 * Descriptions are written as canonical text, or exported to other formats. Equal descriptions have the same canonical
 * text. Readers of YAML 1.1 and 1.2 read it with the same result, and writing it again after reading does not change
 * it. A description that was read with errors is incomplete and has no canonical text.
 *
 *     char name[256];
 *     asdf_ndl_file_name("example.asdf", name, sizeof name, NULL);   // example.yaml
 *     asdf_ndl_write(description, name, NULL);
 */

#define ASDF_NDL_FORMAT_TEXT 1    /**< The canonical text, in YAML. */
#define ASDF_NDL_FORMAT_JSON 2    /**< JSON. */
#define ASDF_NDL_FORMAT_CDL 3     /**< CDL, the text form of netCDF. */
#define ASDF_NDL_FORMAT_C 4       /**< A header of C99. */
#define ASDF_NDL_FORMAT_FORTRAN 5 /**< A module of Fortran 2003. */

/**
 * Exports a description as text.
 *
 * - ASDF_NDL_FORMAT_TEXT: the canonical text.
 * - ASDF_NDL_FORMAT_JSON: JSON on one line, an object of "form" ("flat" or "grouped"), "groups", "dimcoords" and
 *   "ndarrays", the latter three by path name. Missing information is left out, or null. References are resolved,
 *   values are typed; non-finite floats are the texts "nan", "inf" and "-inf". Only this format accepts descriptions
 *   that were read with errors.
 * - ASDF_NDL_FORMAT_CDL: CDL, from which ncgen makes a netCDF-4 file. Content that netCDF cannot store (references,
 *   array datatypes outside compounds, extents of 0, attributes of rank 2 and more), and names that CDL does not
 *   allow, are ASDF_ERR_UNSUPPORTED.
 * - ASDF_NDL_FORMAT_C: a header of C99. An array "/g/a" becomes a type name_g_a of its elements, and macros
 *   name_g_a_RANK, name_g_a_EXTENT_0 and so on; unlimited dimensions have no macro.
 * - ASDF_NDL_FORMAT_FORTRAN: a module of Fortran 2003. A compound becomes a type g_a, an enumeration a kind g_a_kind
 *   with parameters, and the extents an array g_a_shape, in Fortran order, with -1 for unlimited dimensions.
 *
 * In source code, characters other than letters and digits become "_"; identifiers that would be equal get numbers.
 * Fails with ASDF_ERR_UNSUPPORTED for datatypes that the programming language does not have, and with ASDF_ERR_LIMIT
 * for elements of 2 GiB or more.
 *
 * @param ndl     the description; ASDF_ERR_INCOMPLETE if it lacks information that the format needs
 * @param format  an ASDF_NDL_FORMAT_ constant; ASDF_ERR_INVALID_ARGUMENT for any other number
 * @param name    name of the CDL data set, prefix of the C identifiers, or name of the Fortran module. NULL for the
 *                other formats
 * @param options options, or NULL for the defaults
 * @param buffer  gets the text in UTF-8, without a final NUL; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_ndl_export(const asdf_ndl *ndl,
                            int32_t format,
                            const char *name,
                            const asdf_options *options,
                            asdf_buffer **buffer);

/**
 * Writes the canonical text of a description to a file. The file gets its name when it is complete. After
 * ASDF_ERR_NOT_DURABLE it has its name; only waiting until the name is on disk failed. Pipes and character devices are
 * written to.
 *
 * @param ndl     the description; ASDF_ERR_INCOMPLETE if it was read with errors and is incomplete
 * @param path    name of the file; ASDF_ERR_FILE_EXISTS if it exists, unless ASDF_OPTION_REPLACE is 1
 * @param options options, or NULL for the defaults
 * @since 0.1.0
 */
asdf_status asdf_ndl_write(const asdf_ndl *ndl, const char *path, const asdf_options *options);

/**
 * Gets the usual name of the description of a file: "example.yaml" for "example.asdf".
 *
 * @param path     name of the described file
 * @param buffer   gets the name
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_ndl_file_name(const char *path, char *buffer, size_t capacity, size_t *needed);

/*
 * Comparing descriptions ----------------------------------------------------------------------------------------------
 *
 * These functions compare the meaning of descriptions. Differences of notation do not count: grouped or flat form,
 * short or long form of attributes, inferred datatypes, spelling of references and numbers, order of keys, and empty
 * groups.
 *
 *     asdf_report *differences = NULL;
 *     asdf_ndl_compare(before, after, 0, &differences);
 *     print_report(differences);   // ~ /image@units: value "K" -> "mK"
 *     asdf_report_free(differences);
 */

#define ASDF_NDL_IGNORE_ATTRIBUTES 1 /**< Ignore attributes. */
#define ASDF_NDL_IGNORE_STORAGE 2    /**< Ignore storage directives. */
#define ASDF_NDL_IGNORE_VALUES 4     /**< Ignore values of arrays and dimension coordinates. */
#define ASDF_NDL_IGNORE_EXTENSIONS 8 /**< Ignore the content of x- keys. */

/**
 * Gets the size of an array or a dimension coordinate. Fails with ASDF_ERR_LIMIT if a size does not fit int64_t.
 *
 * @param ndl           the description
 * @param path          its path name; ASDF_ERR_NOT_FOUND if it does not exist
 * @param elements      gets the number of stored elements or, if that is not described, of all elements; -1 if
 *                      unknown. May be NULL
 * @param element_bytes gets the size of an element in bytes without padding; -1 if it differs between elements. May be
 *                      NULL
 * @param bytes         gets the size of all elements in bytes; -1 if unknown. May be NULL
 * @since 0.1.0
 */
asdf_status asdf_ndl_size(const asdf_ndl *ndl,
                          const char *path,
                          int64_t *elements,
                          int64_t *element_bytes,
                          int64_t *bytes);

/**
 * Gets the total size of all arrays and dimension coordinates.
 *
 * @param ndl     the description
 * @param bytes   gets the sum of all known sizes in bytes; ASDF_ERR_LIMIT if it does not fit int64_t
 * @param unknown gets the number of arrays and dimension coordinates of unknown size; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_ndl_total_size(const asdf_ndl *ndl, int64_t *bytes, int64_t *unknown);

/**
 * Tests whether two descriptions have the same meaning.
 *
 * @param ndl   a description
 * @param other another description
 * @param same  gets 1 or 0
 * @since 0.1.0
 */
asdf_status asdf_ndl_is_same(const asdf_ndl *ndl, const asdf_ndl *other, int32_t *same);

/**
 * Lists the differences between two descriptions.
 *
 * Each entry has these fields:
 *
 * - ASDF_REPORT_KIND is ASDF_REPORT_KIND_DIFFERENCE, ASDF_REPORT_SEVERITY is ASDF_SEVERITY_NOTE.
 * - ASDF_REPORT_OPERATION is ASDF_OPERATION_ADD, ASDF_OPERATION_REMOVE or ASDF_OPERATION_CHANGE.
 * - ASDF_REPORT_PATH is the path name, with "@" and the name of an attribute; "" for the description as a whole.
 * - ASDF_REPORT_SUBJECT is "group", "dimcoord", "ndarray" or "attribute" for a whole object. For a part of it, it is
 *   "size", "shape", "dims", "type", "value", "extensions", "storage.extensions", or "storage." with the name of a
 *   directive.
 * - ASDF_REPORT_OLD and ASDF_REPORT_NEW are JSON as in ASDF_NDL_FORMAT_JSON. An addition has no old value, and a
 *   removal has no new one.
 * - ASDF_REPORT_ENTRY is "+", "-" or "~", path, subject, and old and new value, shortened if long.
 *
 * @param ndl    the older description
 * @param newer  the newer description
 * @param ignore a sum of ASDF_NDL_IGNORE_ constants, or 0
 * @param report gets the differences, none if both have the same meaning; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_ndl_compare(const asdf_ndl *ndl, const asdf_ndl *newer, int32_t ignore, asdf_report **report);

/**
 * Lists the places where a file does not conform to a description.
 *
 * The entries have the fields of asdf_ndl_compare(), but with ASDF_SEVERITY_ERROR. The old value is that of the
 * required description, the new value that of the file:
 *
 * - ASDF_OPERATION_REMOVE: the file lacks something.
 * - ASDF_OPERATION_ADD: the file has something that is not required.
 * - ASDF_OPERATION_CHANGE: the file differs.
 *
 * An unlimited dimension allows any extent. A datatype, storage directive or value that is missing in either
 * description is not an error. Stored extents and x- keys are ignored.
 *
 * @param ndl    the required description
 * @param file   the description of the file
 * @param subset 1 if the file may have additional groups, arrays, attributes and coordinates of dimensions, 0 if not
 * @param report gets the differences, none if the file conforms; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_ndl_conform(const asdf_ndl *ndl, const asdf_ndl *file, int32_t subset, asdf_report **report);

/*
 * Descriptions and ASDF files -----------------------------------------------------------------------------------------
 *
 * asdf_ndl_describe() makes a description of any ASDF file. Mappings become groups, arrays become ndarrays, scalars
 * and rectangular lists of scalars become attributes; the path name is the path of the node. No block is read unless
 * the options request values of arrays. Content that the language cannot express (null, masks, references to other
 * files) is left out or converted, and the report has a note about it.
 *
 * asdf_ndl_create_asdf() makes an ASDF file from a description. Arrays get their values, or fill values or zeros;
 * zeros take no disk space where the system supports sparse files. Information that has no place in an ASDF tree, such
 * as names of enum constants and coordinates of dimensions, is stored under its key `ndl`. A description of the new
 * file therefore equals the original one.
 *
 *     asdf_file *file = NULL;
 *     asdf_ndl *description = NULL;
 *     asdf_file_open("image.asdf", NULL, &file);
 *     asdf_ndl_describe(file, NULL, &description);
 *     asdf_ndl_create_asdf(description, "empty.asdf", NULL, NULL);   // a file of the same structure
 *     asdf_ndl_free(description);
 *     asdf_file_free(file);
 */

#define ASDF_NDL_VALUES_NONE 0        /**< No values of arrays. */
#define ASDF_NDL_VALUES_INLINE 1      /**< Values of arrays in the tree; no block is read. */
#define ASDF_NDL_VALUES_ALL 2         /**< Values of all arrays. */
#define ASDF_NDL_VALUES_COORDINATES 3 /**< Values of dimension coordinates. */

/**
 * Describes an ASDF file. The content of the file is never an error; asdf_ndl_report() lists the content that the
 * description cannot express.
 *
 * Fails with ASDF_ERR_OUT_OF_MEMORY if requested values do not fit in memory, and with ASDF_ERR_NOT_FOUND if the part
 * of ASDF_OPTION_ONLY does not exist. Fails if the file cannot be read or changes, for example with ASDF_ERR_IO,
 * ASDF_ERR_CALLBACK or ASDF_ERR_FILE_CHANGED.
 *
 * @param file    the file
 * @param options options, or NULL for the defaults
 * @param ndl     gets the description; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_ndl_describe(const asdf_file *file, const asdf_options *options, asdf_ndl **ndl);

/**
 * Creates an ASDF file from a description. The file gets its name when it is complete.
 *
 * Errors, with the path name in the details:
 *
 * - ASDF_ERR_INCOMPLETE for an array without datatype, or a string of unknown length
 * - ASDF_ERR_UNSUPPORTED for content that ASDF cannot store
 * - ASDF_ERR_INVALID_ARGUMENT for the reserved names `asdf_library`, `history` and `ndl` in the root, and for an extent
 *   (ASDF_OPTION_EXTENT) that differs from the values of the description
 * - ASDF_ERR_NOT_FOUND for an extent under a path name that does not exist
 * - ASDF_ERR_LIMIT for too many bytes or too deep nesting
 * - ASDF_ERR_FILE_EXISTS if a file of this name exists, unless ASDF_OPTION_REPLACE is 1
 *
 * `x-asdf` keys, as asdf_ndl_describe() writes them, set ASDF properties: tags, null, masks, storage in the tree,
 * datatypes of elements, Fortran order. The report has a note for each such key without effect, and for all other
 * differences between file and description, such as filters that ASDF does not have.
 *
 * @param ndl     the description
 * @param path    name of the file
 * @param options options, or NULL for the defaults
 * @param report  gets the notes, possibly none; NULL on failure. May be NULL
 * @since 0.1.0
 */
asdf_status asdf_ndl_create_asdf(const asdf_ndl *ndl,
                                 const char *path,
                                 const asdf_options *options,
                                 asdf_report **report);

/* 14. Advanced ===================================================================================================== */

/*
 * Progress and cancelling ---------------------------------------------------------------------------------------------
 *
 * A long call can report its progress to a callback in its options, and the callback can cancel the call. The callback
 * gets the number of processed bytes and the total: bytes of elements to read, of blocks to write or verify, or of
 * text of tables. The number of processed bytes never decreases and never exceeds the total. The total can grow during
 * the call; it is -1 while unknown.
 *
 * The first report comes before the work begins; the next ones are at least 100 ms apart. If the call succeeds, a last
 * report has done = total, or a total of -1 if it stayed unknown. Calls without such work report only if they take
 * longer than 100 ms. A reader, writer or stream that was created with such options reports in each of its calls.
 *
 * If the callback returns a number other than 0, the call fails with ASDF_ERR_CANCELLED:
 *
 * - A file to write or change stays as it was before the call, and no other file is left. A call can no longer be
 *   cancelled once the new content is about to take effect, or once asdf_array_write_region() has overwritten its
 *   first element; then it continues.
 * - Buffers and masks have unspecified content. Bytes already written to a descriptor remain.
 * - A stream has complete rows; asdf_stream_row_count() returns their number. The next row can be pushed.
 * - A table reader returns the same rows in its next call. A table writer may have written some of the rows: append
 *   the same table again to write the others; until then no other table can be appended.
 * - All handles stay usable, and unsaved changes can be saved again. A cancelled setter counts as a failed one.
 *
 *     int32_t show(void *user, int64_t done, int64_t total) {
 *         draw_bar(user, done, total);
 *         return button_was_pressed(user);
 *     }
 *
 *     asdf_options_set_progress(options, show, NULL, window);
 *     asdf_status status = asdf_file_save(file, options);
 *     if (status == ASDF_ERR_CANCELLED) asdf_file_save(file, NULL);   // later
 */

/**
 * Receives the progress of a call.
 *
 * It is called inside the reporting call, on the thread of that call. It must not throw, longjmp, or free handles that
 * the call uses. Calls with a file, stream, reader or writer that the reporting call uses, or with handles that depend
 * on it, fail with ASDF_ERR_INVALID_ARGUMENT. All other calls are allowed.
 *
 * @param user  pointer given with the callback
 * @param done  number of processed bytes
 * @param total total number of bytes; -1 if unknown
 * @return 0 to continue; any other number ends the call with ASDF_ERR_CANCELLED
 */
typedef int32_t (*asdf_progress_callback)(void *user, int64_t done, int64_t total);

/**
 * Sets a callback that receives the progress of calls and can cancel them.
 *
 * @param options  the options
 * @param progress receives the progress of a call
 * @param close    releases user. It is called once, inside the call that frees the last of the options, their copies,
 *                 and the readers, writers and streams created with them, on the thread of that call. Its result is
 *                 ignored. NULL for none. It is not called if this call fails
 * @param user     pointer passed to the callbacks; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_options_set_progress(asdf_options *options,
                                      asdf_progress_callback progress,
                                      asdf_close_callback close,
                                      void *user);

/*
 * Other files ---------------------------------------------------------------------------------------------------------
 *
 * The elements of an array can be in another file, and a reference can point into one. The library opens such a file
 * when it is first needed, and only if the options of the first file allow it. It is opened with the same options,
 * closed with the first file, and counts for ASDF_OPTION_LIMIT_EXTERNAL_FILES and ASDF_OPTION_LIMIT_EXTERNAL_DEPTH.
 *
 * If a file cannot be opened, only the calls that need it fail:
 *
 * - ASDF_ERR_EXTERNAL_REFERENCE if the options allow no other files (the default)
 * - ASDF_ERR_ACCESS_DENIED if the options do not allow this file
 *
 * Neither ".." nor symbolic links lead out of an allowed directory. A URL in ASDF_OPTION_DIRECTORIES allows files on a
 * server, in this directory and below.
 *
 * Names are URIs, relative to the URI of the file that contains them. A file that was not opened by name has neither a
 * URI nor a directory.
 *
 *     asdf_options *options = NULL;
 *     asdf_options_new(&options);
 *     asdf_options_set_int(options, ASDF_OPTION_ACCESS, ASDF_ACCESS_SAME_DIRECTORY);
 *     asdf_file_open("exploded.asdf", options, &file);
 */

#define ASDF_ACCESS_DENY 0 /**< No other files (the default). */

/**
 * Regular files in the directory of the first file and below. For a file on a server, files of the same server there.
 */
#define ASDF_ACCESS_SAME_DIRECTORY 1

/**
 * Opens the file that a URI names, as a source that the program implements.
 *
 * It is called inside the call that needs the file, on the thread of that call. It must not throw, longjmp, or use the
 * file that contains the URI or any file that refers to that one (see Callbacks above). It may be called until that
 * file and all handles that depend on it are freed. The source that it returns is closed together with the file that
 * contains the URI.
 *
 * @param user   pointer given with the callback
 * @param uri    URI of the file, without a fragment: absolute, or relative if the first file was not opened by name
 * @param read   gets the callback that reads bytes; NULL before the call
 * @param close  gets the callback that closes the source; NULL before the call, and may stay NULL
 * @param source gets the user pointer of both callbacks; NULL before the call
 * @param length gets the size of the source in bytes; 0 before the call. If it is negative, the call fails with
 *               ASDF_ERR_CALLBACK
 * @return ASDF_OK, or a failure: ASDF_ERR_ACCESS_DENIED and ASDF_ERR_FILE_NOT_FOUND become the status of the call; any
 *         other number makes it fail with ASDF_ERR_CALLBACK. After a failure close is not called
 */
typedef asdf_status (*asdf_resolve_callback)(void *user,
                                             const char *uri,
                                             asdf_read_callback *read,
                                             asdf_close_callback *close,
                                             void **source,
                                             int64_t *length);

/**
 * Sets a callback that opens other files, with URIs of any scheme.
 *
 * @param options the options
 * @param resolve opens the file that a URI names
 * @param close   releases user. It is called once, inside the call that frees the last of the options, their copies,
 *                and the files and readers opened with them, on the thread of that call. Its result is ignored. NULL
 *                for none. It is not called if this call fails
 * @param user    pointer passed to the callbacks; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_options_set_resolver(asdf_options *options,
                                      asdf_resolve_callback resolve,
                                      asdf_close_callback close,
                                      void *user);

/*
 * Codecs --------------------------------------------------------------------------------------------------------------
 *
 * Each block has a label of four bytes that names its codec. A program can add its own codecs to those of the library
 * through options: a call that opens files accepts any number of codecs; a call that stores an array compresses it
 * with the codec that was added last.
 *
 *     asdf_codec *codec = NULL;
 *     asdf_codec_new("runs", decode_runs, encode_runs, NULL, NULL, &codec);
 *     asdf_options_add_codec(options, codec);   // to open files, or to set an array
 *     asdf_codec_free(codec);
 */

/**
 * Decodes the stored bytes of a block.
 *
 * It is called inside the call that needs the bytes, on the thread of that call, even if the call uses several
 * threads. If several threads use files, it is called on several threads at once. It must not throw, longjmp or use
 * the file (see Callbacks above). The stored bytes may be damaged or malicious.
 *
 * @param user        pointer given with the callback
 * @param stored      the stored bytes
 * @param stored_size size of the stored bytes
 * @param out         gets the decoded bytes
 * @param out_size    required number of decoded bytes: the size that the block declares, which may be 0
 * @param decoded     gets the number of bytes written to out; if it is not out_size, the call fails with
 *                    ASDF_ERR_DECODED_SIZE
 * @return ASDF_OK, or a failure: ASDF_ERR_CORRUPT, ASDF_ERR_TRUNCATED, ASDF_ERR_DECODED_SIZE and
 *         ASDF_ERR_OUT_OF_MEMORY become the status of the call; any other number makes it fail with ASDF_ERR_CALLBACK
 */
typedef asdf_status (*asdf_decode_callback)(void *user,
                                            const void *stored,
                                            size_t stored_size,
                                            void *out,
                                            size_t out_size,
                                            size_t *decoded);

/**
 * Encodes the bytes of a block, inside the call that writes or saves the file. The rules of asdf_decode_callback
 * apply.
 *
 * @param user     pointer given with the callback
 * @param data     bytes to encode
 * @param size     number of bytes to encode, at least 1
 * @param out      gets the encoded bytes
 * @param capacity size of out in bytes: slightly more than size in the first call
 * @param encoded  gets the number of bytes written to out, or with ASDF_ERR_BUFFER_TOO_SMALL the required size of out
 * @return ASDF_OK, or ASDF_ERR_BUFFER_TOO_SMALL to be called once more with an out of the required size, or a failure:
 *         ASDF_ERR_OUT_OF_MEMORY becomes the status of the call; any other number makes it fail with ASDF_ERR_CALLBACK
 */
typedef asdf_status (*asdf_encode_callback)(void *user,
                                            const void *data,
                                            size_t size,
                                            void *out,
                                            size_t capacity,
                                            size_t *encoded);

/**
 * Creates a codec.
 *
 * @param label  label in the headers of blocks: 1 to 4 printable ASCII characters; ASDF_ERR_INVALID_ARGUMENT for other
 *               texts and for labels of the library's own codecs
 * @param decode decodes blocks
 * @param encode encodes blocks; NULL for a codec that only reads
 * @param close  releases user. It is called once, when the handle and all options, files and arrays that use the codec
 *               are freed. NULL for none. It is not called if this call fails
 * @param user   pointer passed to the callbacks; may be NULL
 * @param codec  gets the codec; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_codec_new(const char *label,
                           asdf_decode_callback decode,
                           asdf_encode_callback encode,
                           asdf_close_callback close,
                           void *user,
                           asdf_codec **codec);

/**
 * Adds a codec to options. Files opened with these options, and the files that they refer to, can then be read with
 * the codec. Arrays stored with these options are compressed with the codec that was added last; they can be read
 * again only with that codec.
 *
 * @param options the options
 * @param codec   the codec; it replaces an earlier one with the same label. If it cannot encode, writing a file with
 *                such an array fails with ASDF_ERR_UNSUPPORTED
 * @since 0.1.0
 */
asdf_status asdf_options_add_codec(asdf_options *options, const asdf_codec *codec);

/**
 * Adds an owner to a codec.
 *
 * @param codec   the codec
 * @param another gets another handle of the same codec, to be freed as well; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_codec_retain(const asdf_codec *codec, asdf_codec **another);

/**
 * Gives up one owner of a codec. Options, files and arrays that use the codec keep it alive.
 *
 * @param codec the codec, or NULL
 * @since 0.1.0
 */
void asdf_codec_free(asdf_codec *codec);

/*
 * Tile-compressed images ----------------------------------------------------------------------------------------------
 *
 * Arrays of an ASDF tree in a FITS file can be tile-compressed images, as those that fpack writes. libasdfkit_formats
 * decodes them: asdf_formats_load() sets it as the decoder. Without a decoder such arrays fail with
 * ASDF_ERR_UNSUPPORTED.
 */

/**
 * Decodes pixels of a tile-compressed image.
 *
 * It is called inside the call that reads the pixels, on the thread of that call. If several threads use files, it is
 * called on several threads at once. It must not throw, longjmp or use the file (see Callbacks above). The bytes of the
 * HDU may be damaged or malicious.
 *
 * @param user     pointer given with the callback
 * @param hdu      header and data of the HDU
 * @param hdu_size size of header and data in bytes
 * @param first    number of the first pixel, in the order of the file
 * @param count    number of pixels, at least 1
 * @param pixels   gets the pixels as an image without compression stores them: big-endian, of the type of ZBITPIX,
 *                 before BSCALE and BZERO are applied
 * @param capacity size of `pixels` in bytes, which is that of `count` pixels
 * @return ASDF_OK, or a status that becomes that of the call, with the message of asdf_error_set() if that was called
 */
typedef asdf_status (*asdf_image_decode_callback)(void *user,
                                                  const void *hdu,
                                                  size_t hdu_size,
                                                  int64_t first,
                                                  int64_t count,
                                                  void *pixels,
                                                  size_t capacity);

/**
 * Sets the decoder of tile-compressed images in FITS files, for all files and threads of the process. Arrays that were
 * read before keep the decoder that they had, so callback and pointer stay valid until the end of the process.
 *
 * @param decode decodes pixels; NULL for no decoder, as in the beginning
 * @param user   pointer passed to the callback; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_image_decoder_set(asdf_image_decode_callback decode, void *user);

/*
 * Blocks --------------------------------------------------------------------------------------------------------------
 *
 * Blocks hold the bytes of arrays. These functions serve programs that inspect the file itself rather than its arrays.
 * Blocks are numbered from 0; a negative index counts from the end, -1 is the last block. An index out of range is
 * ASDF_ERR_BLOCK_NOT_FOUND. In a new file, the blocks are those of its arrays; a block whose array was replaced or
 * removed counts until the file is written. Sizes and offsets that are unknown before writing are -1.
 *
 *     int64_t count = 0, absent, stored, decoded;
 *     asdf_file_block_count(file, &count);
 *     if (asdf_file_verify(file, NULL, &absent, &stored, &decoded) == ASDF_ERR_CHECKSUM) return damaged();
 */

#define ASDF_CHECKSUM_ABSENT 0 /**< The block has no checksum. */
#define ASDF_CHECKSUM_STORED 1 /**< The checksum matches the stored bytes. */

/**
 * The checksum matches the decoded bytes, as some writers of compressed blocks store it.
 */
#define ASDF_CHECKSUM_DECODED 2

#define ASDF_CHECKSUM_MISMATCH 3 /**< The checksum matches neither: the block is damaged. */

/**
 * Gets the number of blocks. In a file without a block index this reads the header of every block.
 *
 * @param file  the file
 * @param count gets the number
 * @since 0.1.0
 */
asdf_status asdf_file_block_count(const asdf_file *file, int64_t *count);

/**
 * Checks the header of every block, so that the warnings of the file are complete (asdf_file_report()).
 *
 * @param file the file
 * @since 0.1.0
 */
asdf_status asdf_file_check_blocks(const asdf_file *file);

/**
 * Gets the offset of the header of a block.
 *
 * @param file   the file
 * @param index  number of the block, from 0; a negative one counts from the end
 * @param offset gets the offset in bytes from the start of the file
 * @since 0.1.0
 */
asdf_status asdf_file_block_offset(const asdf_file *file, int64_t index, int64_t *offset);

/**
 * Gets the offset of the payload of a block.
 *
 * @param file   the file
 * @param index  number of the block, from 0; a negative one counts from the end
 * @param offset gets the offset in bytes from the start of the file
 * @since 0.1.0
 */
asdf_status asdf_file_block_payload_offset(const asdf_file *file, int64_t index, int64_t *offset);

/**
 * Gets the size that is allocated for the payload of a block.
 *
 * @param file  the file
 * @param index number of the block, from 0; a negative one counts from the end
 * @param size  gets the number of bytes; -1 for a streamed block
 * @since 0.1.0
 */
asdf_status asdf_file_block_allocated_size(const asdf_file *file, int64_t index, int64_t *size);

/**
 * Gets the stored (possibly compressed) size of the payload of a block.
 *
 * @param file  the file
 * @param index number of the block, from 0; a negative one counts from the end
 * @param size  gets the number of bytes
 * @since 0.1.0
 */
asdf_status asdf_file_block_stored_size(const asdf_file *file, int64_t index, int64_t *size);

/**
 * Gets the decoded size of the payload of a block.
 *
 * @param file  the file
 * @param index number of the block, from 0; a negative one counts from the end
 * @param size  gets the number of bytes
 * @since 0.1.0
 */
asdf_status asdf_file_block_decoded_size(const asdf_file *file, int64_t index, int64_t *size);

/**
 * Gets the compression label of a block: "zlib", "bzp2", "lz4", "lz4f", "zstd" or the label of another codec; empty if
 * the block is not compressed. Unprintable bytes are escaped.
 *
 * @param file     the file
 * @param index    number of the block, from 0; a negative one counts from the end
 * @param buffer   gets the label
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_file_block_compression(const asdf_file *file,
                                        int64_t index,
                                        char *buffer,
                                        size_t capacity,
                                        size_t *needed);

/**
 * Gets the MD5 checksum in the header of a block.
 *
 * @param file     the file
 * @param index    number of the block, from 0; a negative one counts from the end
 * @param checksum gets 16 bytes; all zero if the block has no checksum
 * @param capacity size of the buffer in bytes; ASDF_ERR_BUFFER_TOO_SMALL if less than 16
 * @since 0.1.0
 */
asdf_status asdf_file_block_checksum(const asdf_file *file, int64_t index, uint8_t *checksum, size_t capacity);

/**
 * Tests whether a block is streamed: its payload extends to the end of the file.
 *
 * @param file     the file
 * @param index    number of the block, from 0; a negative one counts from the end
 * @param streamed gets 1 or 0
 * @since 0.1.0
 */
asdf_status asdf_file_block_is_streamed(const asdf_file *file, int64_t index, int32_t *streamed);

/**
 * Reads the stored payload of a block, without decoding it.
 *
 * @param file     the file
 * @param index    number of the block, from 0; a negative one counts from the end
 * @param options  options, or NULL for the defaults
 * @param bytes    gets the bytes; may be NULL if there are none
 * @param capacity size of the buffer in bytes; ASDF_ERR_BUFFER_TOO_SMALL if less than the stored size
 * @since 0.1.0
 */
asdf_status asdf_file_read_block_stored(const asdf_file *file,
                                        int64_t index,
                                        const asdf_options *options,
                                        void *bytes,
                                        size_t capacity);

/**
 * Reads and decodes the payload of a block.
 *
 * @param file     the file
 * @param index    number of the block, from 0; a negative one counts from the end
 * @param options  options, or NULL for the defaults
 * @param bytes    gets the bytes; may be NULL if there are none
 * @param capacity size of the buffer in bytes; ASDF_ERR_BUFFER_TOO_SMALL if less than the decoded size
 * @since 0.1.0
 */
asdf_status asdf_file_read_block(const asdf_file *file,
                                 int64_t index,
                                 const asdf_options *options,
                                 void *bytes,
                                 size_t capacity);

/**
 * Checks that the file is whole, without reading the elements of arrays. Fails with the first problem:
 *
 * - a block that does not match its checksum (ASDF_ERR_CHECKSUM), is cut (ASDF_ERR_TRUNCATED), or has no checksum and
 *   cannot be decoded
 * - an array whose block is missing or too short, or a chunked array (asdf-zarr) whose chunks are missing
 * - a reference that leads nowhere; other files are opened only if the open options allow it
 *
 * A block with an unknown codec is no problem: it cannot be checked. Warnings of the file, such as that of an
 * incomplete last row, are in asdf_file_report().
 *
 * @param file    the file
 * @param options options, or NULL for the defaults
 * @param absent  gets the number of blocks without a checksum; may be NULL
 * @param stored  gets the number of blocks whose checksum matches the stored bytes; may be NULL
 * @param decoded gets the number of blocks whose checksum matches the decoded bytes; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_file_verify(const asdf_file *file,
                             const asdf_options *options,
                             int64_t *absent,
                             int64_t *stored,
                             int64_t *decoded);

/**
 * Checks that the file is whole, as asdf_file_verify() does, and gets all findings instead of the first one. Damage is
 * a finding here, not an error.
 *
 * The entries of the report are, in this order:
 *
 * - damage: kind ASDF_REPORT_KIND_ERROR, severity ASDF_SEVERITY_ERROR; the code is the name of the status, such as
 *   "CHECKSUM"
 * - parts that cannot be checked, such as a block with an unknown codec: kind ASDF_REPORT_KIND_ERROR, severity
 *   ASDF_SEVERITY_WARNING
 * - warnings of the file: kind ASDF_REPORT_KIND_WARNING
 * - notes, such as blocks that no node uses: kind ASDF_REPORT_KIND_NOTE
 *
 * The file is whole if no entry has the severity ASDF_SEVERITY_ERROR.
 *
 * @param file    the file
 * @param options options, or NULL for the defaults
 * @param report  gets the findings, possibly none; NULL on failure, such as ASDF_ERR_IO or ASDF_ERR_LIMIT
 * @since 0.1.0
 */
asdf_status asdf_file_inspect(const asdf_file *file, const asdf_options *options, asdf_report **report);

/**
 * Compares a block with its checksum. A mismatch is an outcome here, not an error.
 *
 * @param file    the file
 * @param index   number of the block, from 0; a negative one counts from the end
 * @param options options, or NULL for the defaults
 * @param outcome gets one of ASDF_CHECKSUM_...
 * @since 0.1.0
 */
asdf_status asdf_file_verify_block(const asdf_file *file, int64_t index, const asdf_options *options, int32_t *outcome);

/*
 * Chunk maps ----------------------------------------------------------------------------------------------------------
 *
 * A chunk is a piece of a file that can be read and decoded on its own. For each chunk of an array, the chunk map has
 * its position, its compression and its elements. Programs use it to read in parallel by themselves, or to write
 * references to the bytes for other formats. The map is made without decoding.
 *
 * Uncompressed elements are one chunk, from the first to the last byte that an element occupies. Compressed elements
 * are one chunk, too, except with the codec "lz4", which has many chunks. The bytes of an lz4 chunk are its decoded
 * size, as a little-endian 32-bit integer, followed by an LZ4 block.
 *
 * To find elements in the decoded bytes of a chunk: the element at the origin of the chunk begins at the byte that
 * asdf_chunk_map_first_element() returns. The strides of asdf_array_strides() lead from there to the other elements.
 * Their byte order is that of asdf_array_byte_order().
 *
 *     asdf_chunk_map *map = NULL;
 *     int64_t count, offset, length, decoded;
 *     asdf_array_chunk_map(image, &map);
 *     asdf_chunk_map_count(map, &count);
 *     for (int64_t i = 0; i < count; i++) {
 *         asdf_chunk_map_bytes(map, i, &offset, &length, &decoded);
 *         note_range(offset, length);
 *     }
 *     asdf_chunk_map_free(map);
 */

/**
 * Makes the chunk map of an array. Only the sizes before lz4 chunks are read.
 *
 * An array without elements has no chunks, and so has an array whose elements are in the tree.
 *
 * @param array the array; ASDF_ERR_UNSUPPORTED if its file is not written yet, or is compressed as a whole
 * @param map   gets the chunk map; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_array_chunk_map(const asdf_array *array, asdf_chunk_map **map);

/**
 * Gets the number of chunks that hold elements of the array.
 *
 * @param map   the chunk map
 * @param count gets the number
 * @since 0.1.0
 */
asdf_status asdf_chunk_map_count(const asdf_chunk_map *map, int64_t *count);

/**
 * Gets the file that contains all chunks: the name under which it was opened, or the URI that was passed to the
 * resolver; "" for a file without a name, or if there are no chunks.
 *
 * @param map      the chunk map
 * @param buffer   gets the name
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_chunk_map_file(const asdf_chunk_map *map, char *buffer, size_t capacity, size_t *needed);

/**
 * Gets the codec of all chunks: "zlib", "lz4" and so on; "" if they are not compressed. An LZ4 frame is "lz4f",
 * whatever the label of its block.
 *
 * @param map      the chunk map
 * @param buffer   gets the name of the codec
 * @param capacity size of the buffer in bytes
 * @param needed   gets its length in bytes, without the final NUL; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_chunk_map_codec(const asdf_chunk_map *map, char *buffer, size_t capacity, size_t *needed);

/**
 * Gets the position and the size of the bytes of a chunk.
 *
 * @param map     the chunk map
 * @param index   number of the chunk, in the order of the file; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param offset  gets the offset of the first byte in the file; may be NULL
 * @param length  gets the number of bytes in the file; may be NULL
 * @param decoded gets the number of bytes after decoding; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_chunk_map_bytes(const asdf_chunk_map *map,
                                 int64_t index,
                                 int64_t *offset,
                                 int64_t *length,
                                 int64_t *decoded);

/**
 * Gets the origin of a chunk: the lowest index along each axis of the elements that it may contain bytes of.
 *
 * @param map      the chunk map
 * @param index    number of the chunk; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param origin   gets one index for each axis; a buffer of ASDF_MAX_RANK numbers is always large enough
 * @param capacity size of the buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the rank; 0 to get only the
 *                 rank
 * @param rank     gets the number of axes; also if the capacity is too small. May be NULL
 * @since 0.1.0
 */
asdf_status asdf_chunk_map_origin(const asdf_chunk_map *map,
                                  int64_t index,
                                  int64_t *origin,
                                  int32_t capacity,
                                  int32_t *rank);

/**
 * Gets the shape of a chunk: the extents, from its origin on, of a box that includes every element the chunk contains
 * bytes of.
 *
 * @param map      the chunk map
 * @param index    number of the chunk; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param shape    gets the extents; a buffer of ASDF_MAX_RANK numbers is always large enough
 * @param capacity size of the buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the rank; 0 to get only the
 *                 rank
 * @param rank     gets the number of axes; also if the capacity is too small. May be NULL
 * @since 0.1.0
 */
asdf_status asdf_chunk_map_shape(const asdf_chunk_map *map,
                                 int64_t index,
                                 int64_t *shape,
                                 int32_t capacity,
                                 int32_t *rank);

/**
 * Gets the offset of the element at the origin of a chunk in the decoded bytes.
 *
 * @param map         the chunk map
 * @param index       number of the chunk; ASDF_ERR_OUT_OF_RANGE if there is none
 * @param first       gets the offset in bytes; negative or beyond the last byte if the element is not in the chunk
 * @param is_complete gets 1 if the chunk contains all bytes of all elements of its box, so that it can be used as an
 *                    array on its own; otherwise 0. May be NULL
 * @since 0.1.0
 */
asdf_status asdf_chunk_map_first_element(const asdf_chunk_map *map,
                                         int64_t index,
                                         int64_t *first,
                                         int32_t *is_complete);

/**
 * Adds an owner to a chunk map.
 *
 * @param map     the chunk map
 * @param another gets another handle of the same object, to be freed as well; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_chunk_map_retain(const asdf_chunk_map *map, asdf_chunk_map **another);

/**
 * Gives up one owner of a chunk map. The last owner frees it.
 *
 * @param map the chunk map, or NULL
 * @since 0.1.0
 */
void asdf_chunk_map_free(asdf_chunk_map *map);

/*
 * Recovering ----------------------------------------------------------------------------------------------------------
 *
 * Reading never guesses: if a file is truncated or damaged, opening it fails, or reading its damaged arrays fails.
 * asdf_file_recover() writes the readable rest of such a file into a new file, and reports the losses.
 *
 *     asdf_report *losses = NULL;
 *     if (asdf_file_recover("damaged.asdf", "recovered.asdf", 0, NULL, &losses) != ASDF_OK) return report();
 *     print_report(losses);   // array /a, block 0: 5 of 10 rows are there
 *     asdf_report_free(losses);
 */

/**
 * Drop truncated blocks completely, even their readable rows.
 */
#define ASDF_RECOVER_WHOLE_BLOCKS 1

/**
 * Writes the readable parts of a damaged or truncated file into a new file. The damaged file is only read.
 *
 * - Tree: a truncated tree keeps its top-level entries up to the last complete one.
 * - Lost blocks: blocks keep their numbers; a block without readable bytes becomes an empty block. Its arrays keep
 *   their descriptions. Reading them fails, or returns no rows if their number of rows follows from the size of the
 *   block.
 * - Truncated blocks: an uncompressed block keeps its readable bytes. Its arrays keep the complete rows, and their
 *   shapes are reduced accordingly.
 * - Damaged blocks: blocks that do not match their checksums are kept.
 * - Compressed files: a file that is compressed as a whole, such as image.asdf.gz, is decompressed as far as possible.
 *   Offsets in the report then refer to its content.
 * - History: if anything was lost, the new file gets a history entry.
 *
 * The report has an entry for each loss. If applicable and known, it has the path of the array, the number of the
 * block, the offset in the damaged file, and the numbers of lost bytes and rows. Its code is one of:
 *
 * - "L-TREE": entries of the tree are lost, from the given offset on.
 * - "L-BLOCK": a whole block is lost; an empty block has its number.
 * - "L-BLOCK-END": the end of a block is lost.
 * - "L-BLOCK-DAMAGED": a block is kept, but its bytes do not match its checksum, cannot be decoded, or its header
 *   contradicts its neighbours.
 * - "L-BLOCK-NAME": the recovered tree does not refer to a block; or the number of a block is unknown, and the block
 *   is left out.
 * - "L-ARRAY": all elements of an array are lost.
 * - "L-ARRAY-END": the last rows of an array are lost.
 * - "L-ARRAY-DAMAGED": an array is kept, but its block is damaged.
 * - "L-BYTES": bytes of the damaged file have an unknown purpose or, in a file that is compressed as a whole, cannot be
 *   decompressed.
 *
 * @param path     name of the damaged file; ASDF_ERR_NOT_ASDF if it does not begin like an ASDF file;
 *                 ASDF_ERR_TRUNCATED if nothing can be recovered
 * @param new_path name of the new file; ASDF_ERR_FILE_EXISTS if it exists, unless ASDF_OPTION_REPLACE is 1;
 *                 ASDF_ERR_INVALID_ARGUMENT if it is the damaged file, a pipe or a device
 * @param what     ASDF_RECOVER_WHOLE_BLOCKS or 0; ASDF_ERR_INVALID_ARGUMENT for any other number
 * @param options  options, or NULL for the defaults
 * @param report   gets the losses, possibly none; NULL on failure. May be NULL. After a failure no new file exists,
 *                 except after ASDF_ERR_NOT_DURABLE
 * @since 0.1.0
 */
asdf_status asdf_file_recover(const char *path,
                              const char *new_path,
                              int32_t what,
                              const asdf_options *options,
                              asdf_report **report);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* ASDFKIT_ASDF_H */
