/*
 * asdfkit: read and write ASDF files, ECSV tables and NDL descriptions
 *
 * - An ASDF file is a YAML tree with binary blocks. Open one or make one (`asdf_file`), walk its tree by paths
 *   (`asdf_node`), read its arrays into your memory (`asdf_array`), and write it.
 * - An ECSV file is a table with a header in YAML. Read it whole or in batches (`asdf_table`), from and to ASDF files,
 *   too.
 * - An NDL file describes the content of array files in YAML. Read it, check it, compare it, make a file from it, or
 *   describe a file (`asdf_ndl`).
 *
 * Conventions, which hold for every function unless it says otherwise:
 *
 * Status. A function that can fail returns an asdf_status: ASDF_OK (0) or a positive number, ASDF_ERR_...
 *   asdf_error_message() and the other asdf_error_ functions return the details of the last failure of the thread. A
 *   failed call leaves its outputs as they were, with two exceptions: a handle output becomes NULL, and the length
 *   that a buffer should have is written where the buffer is too small. NULL where a pointer is required is
 *   ASDF_ERR_NULL_POINTER, a handle of another kind ASDF_ERR_WRONG_HANDLE.
 *
 * Handles. Each handle that a function gives out is yours: free it with the _free function of its kind. Any order of
 *   freeing is right: a node, an array or a view keeps its file alive. Freeing NULL does nothing. No _free function
 *   touches the details of an error. A _retain function gives another owner, to be freed as well. Options, streams,
 *   table readers, table writers and builders of descriptions have one owner, and no such function.
 *
 * Strings. Names, keys, paths, tags, URIs and datatypes in the notation of NDL go in as NUL-terminated UTF-8. Values
 *   go in as pointer and length, and may hold NULs where their format can. Many texts go in and come out as bytes with
 *   int64_t offsets: text i is in the bytes from offset i to offset i + 1. One string comes out by the rule of
 *   snprintf: into a buffer of `capacity` bytes with a final NUL, the length without it in `*needed`, which may be
 *   NULL. With capacity 0 the buffer may be NULL and only the length is told. Too small a buffer is
 *   ASDF_ERR_BUFFER_TOO_SMALL; it stays as it was.
 *
 * Paths. A path is a JSON Pointer (RFC 6901) relative to a node; its leading "/" may be left out: "meta/exposure/time",
 *   "frames/0/name". The empty path is the node itself. In keys, "~" is written "~0" and "/" is written "~1".
 *   Aliases and JSON references are followed as if their targets stood in their place.
 *
 * Numbers. Shapes and indices are int64_t, slowest axis first (C order). Truth values go in and come out as int32_t: 0
 *   is false, anything else true, and 1 comes out. Bytes in memory are counted by size_t. Sizes and offsets in files
 *   and numbers of rows, entries and elements are int64_t, -1 where not known. A negative number goes in only where the
 *   description of the parameter says so.
 *
 * Arguments. Their order is handle, inputs, options, outputs. A buffer is followed by its capacity.
 *
 * Options. A function with an options pointer takes NULL for the defaults. It works on a snapshot of the options.
 *
 * Memory. You allocate what you read into. Arguments are copied during the call; two functions borrow memory, and tell
 *   by a callback when they need it no longer. (NULL, 0) is an empty input.
 *
 * Threads. A handle may be read on several threads at once; changing it, and what hangs on the same file, needs one
 *   thread alone. Different files are independent. Handles may be freed on any thread. A call starts threads only if
 *   ASDF_OPTION_THREADS allows more than one; they have ended when the call returns.
 *
 * Callbacks. A callback runs inside a call of your program and on the thread of that call, never on a thread that the
 *   library started.
 *   - Callbacks that read, resolve, decode or encode run inside the call that needs them. If several threads use a
 *     file, they run on several threads at once.
 *   - A callback that closes or releases runs once, inside the call that ends the last use: the _free function of the
 *     file or of whatever hangs on it (node, array, view, table, reader), asdf_file_close(), or the call that writes or
 *     saves the file after the array was replaced or removed; that of a codec or a resolver also inside the _free or
 *     unset function of options. A finalizer that frees handles on a thread of its own runs these callbacks there.
 *   - No callback may throw or longjmp. It may call the library with handles that have nothing to do with the file,
 *     reader or options that it serves. If such a call fails, it changes the details of the last error of the thread.
 *
 * Processes. The child of a fork can read by the handles that it inherited, close and free them. That releases memory
 *   and descriptors of the child alone: no temporary file is removed, no lock given up, nothing undone or written. What
 *   changes or writes a file by such a handle is ASDF_ERR_FORKED, and so is any use of what another thread was changing
 *   at the fork. No call waits for a thread that the child does not have. docs/threads.md tells more.
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
 *   2. Files: files
 *   3. Nodes and values: nodes, values
 *   4. Arrays: datatypes, storage and order, arrays, arrays in memory of the library, masks, views
 *   5. Writing and changing: setting values, writing, changing what is there, arrays larger than memory,
 *      streams, history
 *   6. Options: options, keys of options
 *   7. Tables: tables, reading columns, columns in memory of the library, making tables, reading ECSV,
 *      writing ECSV, tables in ASDF files, logical columns, arrow
 *   8. Descriptions: descriptions, what a description tells, datatypes of descriptions, storage in descriptions,
 *      values in descriptions, making descriptions, writing descriptions, comparing descriptions,
 *      descriptions and ASDF files
 *   9. Advanced: progress and cancelling, other files, codecs, blocks, chunk maps, recovering
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
 */

#define ASDF_VERSION_MAJOR 0 /**< Major version of this header. */
#define ASDF_VERSION_MINOR 1 /**< Minor version of this header. */
#define ASDF_VERSION_PATCH 0 /**< Patch version of this header. */
#define ASDF_ABI 1           /**< Number of the binary interface that this header declares. */

/**
 * The version of the library that the program runs with, which may be newer than this header: "0.1.0".
 *
 * @return a string that lives as long as the program
 * @since 0.1.0
 */
const char *asdf_library_version(void);

/**
 * The version of the library that the program runs with, as numbers.
 *
 * @param major gets the major version; may be NULL
 * @param minor gets the minor version; may be NULL
 * @param patch gets the patch version; may be NULL
 * @since 0.1.0
 */
void asdf_library_version_numbers(int32_t *major, int32_t *minor, int32_t *patch);

/**
 * The number of the binary interface of the library that the program runs with. Programs that load the library at run
 * time compare it with ASDF_ABI: with another number, functions may be missing or take other arguments.
 *
 * @return the number
 * @since 0.1.0
 */
int32_t asdf_library_abi(void);

/*
 * Status --------------------------------------------------------------------------------------------------------------
 *
 * A call returns a status. The hundreds group the numbers: 100 the call, 200 the machine, 300 the file as bytes, 400
 * compression, 500 the tree, 600 arrays, 700 limits, 800 tables. A number never changes its meaning. New numbers may be
 * added: treat an unknown one as an error of its group.
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
#define ASDF_ERR_INVALID_ARGUMENT 101 /**< An argument is outside what the function accepts. */
#define ASDF_ERR_NULL_POINTER 102     /**< A required pointer is NULL. */

/**
 * A handle is of another kind than the function needs, or was freed.
 */
#define ASDF_ERR_WRONG_HANDLE 103

#define ASDF_ERR_CLOSED 104 /**< The file behind the handle was closed. */
#define ASDF_ERR_STALE 105  /**< The node behind the handle was removed by an edit. */

/**
 * The caller's buffer is smaller than what it must hold.
 */
#define ASDF_ERR_BUFFER_TOO_SMALL 106

#define ASDF_ERR_READ_ONLY 107 /**< The file was opened for reading only. */

/**
 * An index, a region or a number lies outside what exists.
 */
#define ASDF_ERR_OUT_OF_RANGE 108

/**
 * An earlier setter failed, so what would be written is incomplete.
 */
#define ASDF_ERR_INCOMPLETE 109

/**
 * The library does not support this yet, or this build lacks it.
 */
#define ASDF_ERR_UNSUPPORTED 110

/**
 * The changes need a new file, but were to be saved in place.
 */
#define ASDF_ERR_NOT_IN_PLACE 111

/**
 * A process made the handle that this one is a child of, by a fork.
 */
#define ASDF_ERR_FORKED 112

#define ASDF_ERR_CANCELLED 113         /**< The progress callback asked to end the call. */
#define ASDF_ERR_IO 201                /**< The operating system reported an error. */
#define ASDF_ERR_FILE_NOT_FOUND 202    /**< There is no file of this name. */
#define ASDF_ERR_PERMISSION_DENIED 203 /**< The operating system does not allow it. */
#define ASDF_ERR_NO_SPACE 204          /**< The device or the quota is full. */
#define ASDF_ERR_OUT_OF_MEMORY 205     /**< Memory could not be had. */
#define ASDF_ERR_FILE_CHANGED 206      /**< The file changed while it was open. */
#define ASDF_ERR_CALLBACK 207          /**< A callback of the caller reported failure. */
#define ASDF_ERR_ACCESS_DENIED 208     /**< The open options allow other files, but not this one. */

/**
 * Another program, or another handle, has the file open for update.
 */
#define ASDF_ERR_LOCKED 209

#define ASDF_ERR_FILE_EXISTS 210 /**< Another file has the name, and must not be replaced. */

/**
 * The new file is in place, but it is not sure that it is on the disk.
 */
#define ASDF_ERR_NOT_DURABLE 211

#define ASDF_ERR_INTERNAL 299 /**< A defect of the library: please report it. */
#define ASDF_ERR_NOT_ASDF 301 /**< The bytes do not begin as an ASDF file does. */

/**
 * A version of the file format that the library does not know.
 */
#define ASDF_ERR_VERSION 302

/**
 * The parts of the file do not follow one another as the standard asks.
 */
#define ASDF_ERR_LAYOUT 303

#define ASDF_ERR_TRUNCATED 304       /**< The file ends before something that it announces. */
#define ASDF_ERR_BLOCK_HEADER 305    /**< A block header contradicts itself or the file. */
#define ASDF_ERR_BLOCK_NOT_FOUND 306 /**< There is no block of this number. */
#define ASDF_ERR_CHECKSUM 307        /**< The stored checksum is not that of the bytes. */
#define ASDF_ERR_NOT_ECSV 308        /**< The bytes do not begin as an ECSV file does. */

/**
 * The compression label is unknown, or its codec not part of this build.
 */
#define ASDF_ERR_UNKNOWN_CODEC 401

#define ASDF_ERR_CORRUPT 402 /**< The compressed bytes are damaged. */

/**
 * The compressed bytes decode to another length than declared.
 */
#define ASDF_ERR_DECODED_SIZE 403

#define ASDF_ERR_YAML 501 /**< The tree is not well-formed YAML. */

/**
 * Text is not valid UTF-8 or holds characters that YAML forbids.
 */
#define ASDF_ERR_ENCODING 502

#define ASDF_ERR_TREE 503               /**< The tree is well-formed but not one that ASDF allows. */
#define ASDF_ERR_NOT_FOUND 504          /**< There is nothing at this path. */
#define ASDF_ERR_WRONG_TYPE 505         /**< The node has another type than asked for. */
#define ASDF_ERR_VALUE_RANGE 506        /**< The value does not fit the type asked for. */
#define ASDF_ERR_PATH 507               /**< The path or the reference is malformed. */
#define ASDF_ERR_DANGLING_REFERENCE 508 /**< A reference leads nowhere. */
#define ASDF_ERR_REFERENCE_CYCLE 509    /**< References lead round in a circle. */

/**
 * It is in another file, and the open options allow no other files.
 */
#define ASDF_ERR_EXTERNAL_REFERENCE 510

#define ASDF_ERR_TAG_CONTENT 511  /**< The text under a known tag is not what the tag demands. */
#define ASDF_ERR_BAD_ARRAY 601    /**< The array's description is malformed. */
#define ASDF_ERR_BAD_DATATYPE 602 /**< The datatype is unknown or malformed. */
#define ASDF_ERR_BOUNDS 603       /**< The array reaches outside its block. */
#define ASDF_ERR_OVERFLOW 604     /**< An element does not fit the datatype asked for. */
#define ASDF_ERR_CONVERSION 605   /**< There is no conversion between the two datatypes. */
#define ASDF_ERR_NOT_VIEWABLE 606 /**< The stored bytes cannot be shown without a copy. */

/**
 * The array has a mask and the call does not say what to do with it.
 */
#define ASDF_ERR_MASKED 607

#define ASDF_ERR_LIMIT 701 /**< A limit of the open options was exceeded. */

/**
 * The file was to be opened strictly, and would have given warnings.
 */
#define ASDF_ERR_STRICT 702

/**
 * The header of a table is not one that its format allows.
 */
#define ASDF_ERR_TABLE_HEADER 801

/**
 * A record of a table has a wrong number of fields, or wrong quotes.
 */
#define ASDF_ERR_RECORD 802

/**
 * The text of a table's cell is not a value of its column's type.
 */
#define ASDF_ERR_CELL 803

/**
 * The constant's name of a status, such as "ASDF_ERR_TRUNCATED".
 *
 * @param status any number
 * @return a string that lives as long as the program; "unknown status" for a number without a meaning
 * @since 0.1.0
 */
const char *asdf_status_name(asdf_status status);

/*
 * Errors --------------------------------------------------------------------------------------------------------------
 *
 * The details of the last call that failed on this thread. They stay until another call fails on it or
 * asdf_error_clear() is called; a call that succeeds leaves them. These functions do not change them either, even if
 * they fail. Where a text does not fit they write as many characters as do and a final NUL, and return
 * ASDF_ERR_BUFFER_TOO_SMALL. The fields of a failure are those of a report (see Reports).
 *
 *     if (status != ASDF_OK) {
 *         char message[512];
 *         asdf_error_message(message, sizeof message, NULL);
 *         fprintf(stderr, "%s: %s\n", asdf_status_name(status), message);
 *     }
 */

/**
 * The status of the last failure of this thread.
 *
 * @return ASDF_OK if there was none
 * @since 0.1.0
 */
asdf_status asdf_error_status(void);

/**
 * The whole message of the last failure: its place, as far as it is known, and a sentence. For people; its wording may
 * change in any release.
 *
 * @param buffer   gets the text; as much of it as fits
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the whole text; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_error_message(char *buffer, size_t capacity, size_t *needed);

/**
 * Prints the message of the last failure on a line of standard error, as perror() does: "PREFIX: MESSAGE". It prints
 * nothing where no call failed.
 *
 * @param prefix what stands before the message, such as the name of the program; may be NULL for none
 * @since 0.1.0
 */
void asdf_error_print(const char *prefix);

/**
 * Gets an integer field of the last failure.
 *
 * A failure has ASDF_REPORT_SEVERITY, ASDF_REPORT_KIND and, as far as they are known, ASDF_REPORT_OFFSET,
 * ASDF_REPORT_LINE, ASDF_REPORT_COLUMN and ASDF_REPORT_OS_NUMBER.
 *
 * @param field one of the integer fields ASDF_REPORT_...; other numbers are ASDF_ERR_INVALID_ARGUMENT
 * @param value gets the value, -1 if the failure does not have it, or if there was none
 * @since 0.1.0
 */
asdf_status asdf_error_int(int32_t field, int64_t *value);

/**
 * Gets a text field of the last failure.
 *
 * A failure has ASDF_REPORT_TEXT, ASDF_REPORT_MESSAGE, ASDF_REPORT_CODE (the name of its status without "ASDF_ERR_")
 * and, as far as they are known, ASDF_REPORT_PATH, ASDF_REPORT_FILE and ASDF_REPORT_SUBJECT (the column of a table). A
 * text that it does not have is empty, because an error handler must not fail; asdf_report_text() fails there.
 *
 * @param field    one of the text fields ASDF_REPORT_...; other numbers are ASDF_ERR_INVALID_ARGUMENT
 * @param buffer   gets the text; as much of it as fits
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the whole text; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_error_text(int32_t field, char *buffer, size_t capacity, size_t *needed);

/**
 * Forgets the last failure of this thread.
 *
 * @since 0.1.0
 */
void asdf_error_clear(void);

/*
 * Handles -------------------------------------------------------------------------------------------------------------
 *
 * All are opaque and counted; the conventions above tell of owners and threads.
 */

/**
 * An ASDF file: opened for reading, or new and being made.
 */
typedef struct asdf_file asdf_file;

/**
 * A place in the tree of a file, which it keeps alive.
 */
typedef struct asdf_node asdf_node;

/**
 * An n-dimensional array, wherever its elements are. It does not change, and keeps its bytes alive.
 */
typedef struct asdf_array asdf_array;

/**
 * A file that is being written with an array whose rows are pushed as they come. One thread at a time can use it. It
 * changes, so it has one owner.
 */
typedef struct asdf_stream asdf_stream;

/**
 * Elements of an array where they are stored, without a copy; good until freed, also after the file was closed.
 */
typedef struct asdf_view asdf_view;

/**
 * Places of the bytes of an array, chunk by chunk. It does not change, and needs nothing else to be alive.
 */
typedef struct asdf_chunk_map asdf_chunk_map;

/**
 * Datatype of array elements: a scalar, a string of fixed length, or a record. It does not change.
 */
typedef struct asdf_datatype asdf_datatype;

/**
 * A table in memory: columns of one length with what is said of them.
 */
typedef struct asdf_table asdf_table;

/**
 * The columns of a table as the program had them that wrote it. They do not change.
 */
typedef struct asdf_logical_columns asdf_logical_columns;

/**
 * A table that is being written batch by batch. One thread at a time can use it. It changes, so it has one owner.
 */
typedef struct asdf_table_writer asdf_table_writer;

/**
 * A table that is being read batch by batch. One thread at a time can use it. It changes, so it has one owner.
 */
typedef struct asdf_table_reader asdf_table_reader;

/**
 * Bytes that the library made, because only it knew how many. They do not change.
 */
typedef struct asdf_buffer asdf_buffer;

/**
 * A list of what was found: warnings, diagnostics, notes, differences or losses. It does not change, and needs nothing
 * else to be alive.
 */
typedef struct asdf_report asdf_report;

/**
 * A way of compressing blocks that the program brings. It does not change.
 */
typedef struct asdf_codec asdf_codec;

/**
 * A description of what a file holds, in the Ndarray Data Language. It does not change, and needs nothing else to be
 * alive.
 */
typedef struct asdf_ndl asdf_ndl;

/**
 * A description that is being made, which one thread at a time changes. It has one owner.
 */
typedef struct asdf_ndl_builder asdf_ndl_builder;

/**
 * What the elements of something described are, with all that is in them. It does not change, and needs nothing else
 * to be alive.
 */
typedef struct asdf_ndl_datatype asdf_ndl_datatype;

/**
 * What calls may be told beyond their arguments. NULL in its place means the defaults. It changes, so it has one owner;
 * asdf_options_copy() gives another one of the same content.
 */
typedef struct asdf_options asdf_options;

/*
 * Reports -------------------------------------------------------------------------------------------------------------
 *
 * A report lists what was found: warnings of a file or a table, diagnostics and notes of a description, differences
 * between descriptions, losses of a recovered file. All entries have the same fields, and so has the last failure
 * (asdf_error_int(), asdf_error_text()). A report does not change, and needs nothing else to be alive. To see what was
 * found later, ask for another one: it begins with the entries of the earlier one, in the same order.
 *
 *     void print_report(const asdf_report *report) {
 *         int64_t count = 0;
 *         asdf_report_count(report, &count, NULL);
 *         for (int64_t i = 0; i < count; i++) {
 *             char text[512] = "(too long)";
 *             asdf_report_text(report, i, ASDF_REPORT_TEXT, text, sizeof text, NULL);
 *             puts(text);   // image.asdf:12:7, byte 318, at /meta: ...
 *         }
 *     }
 */

#define ASDF_SEVERITY_NOTE 1 /**< Severity: information; nothing is wrong. */

/**
 * Severity: a reader should know it, although the data can be used.
 */
#define ASDF_SEVERITY_WARNING 2

#define ASDF_SEVERITY_ERROR 3 /**< Severity: something is wrong or lost. */

/**
 * Kind: something odd in a file or a table that can be read.
 */
#define ASDF_REPORT_KIND_WARNING 1

/**
 * Kind: something wrong or odd in the text of a description.
 */
#define ASDF_REPORT_KIND_DIAGNOSTIC 2

#define ASDF_REPORT_KIND_NOTE 3       /**< Kind: what a file and its description do not both tell. */
#define ASDF_REPORT_KIND_DIFFERENCE 4 /**< Kind: a difference between two descriptions. */

/**
 * Kind: something that a recovered file lacks, or may have wrong.
 */
#define ASDF_REPORT_KIND_LOSS 5

/**
 * Kind: the failure of a call; only asdf_error_int() gives it.
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

#define ASDF_OPERATION_CHANGE 3 /**< Operation of a difference: both have it, but not alike. */
#define ASDF_REPORT_SEVERITY 1  /**< Integer field: one of ASDF_SEVERITY_... */
#define ASDF_REPORT_KIND 2      /**< Integer field: one of ASDF_REPORT_KIND_... */

/**
 * Integer field: one of ASDF_OPERATION_..., of differences.
 */
#define ASDF_REPORT_OPERATION 3

#define ASDF_REPORT_LINE 4   /**< Integer field: line of the file or text, from 1. */
#define ASDF_REPORT_COLUMN 5 /**< Integer field: column of the line in characters, from 1. */
#define ASDF_REPORT_OFFSET 6 /**< Integer field: offset in bytes from the start of the file. */
#define ASDF_REPORT_BLOCK 7  /**< Integer field: number of the block. */
#define ASDF_REPORT_BYTES 8  /**< Integer field: number of bytes that are lost. */
#define ASDF_REPORT_ROWS 9   /**< Integer field: number of rows of an array that are lost. */

/**
 * Integer field: error number of the operating system (errno), of errors.
 */
#define ASDF_REPORT_OS_NUMBER 10

#define ASDF_REPORT_TEXT 101    /**< Text field: the whole entry as one line, place included. */
#define ASDF_REPORT_MESSAGE 102 /**< Text field: one sentence, without the place. */

/**
 * Text field: a stable word for what was found, such as "E-VALUE-RANGE".
 */
#define ASDF_REPORT_CODE 103

/**
 * Text field: path of the node, or path name in a description.
 */
#define ASDF_REPORT_PATH 104

#define ASDF_REPORT_FILE 105    /**< Text field: name of the file. */
#define ASDF_REPORT_SUBJECT 106 /**< Text field: column of a table, or property that differs. */

/**
 * Text field: what was there, or was promised, as JSON in one line.
 */
#define ASDF_REPORT_OLD 107

#define ASDF_REPORT_NEW 108 /**< Text field: what is there now, as JSON in one line. */

/**
 * Gets the number of entries of a report.
 *
 * @param report  the report
 * @param count   gets the number of entries
 * @param dropped gets the number of things that were found but are not in the report, because they were too many; may
 *                be NULL
 * @since 0.1.0
 */
asdf_status asdf_report_count(const asdf_report *report, int64_t *count, int64_t *dropped);

/**
 * Gets an integer field of an entry. Every entry has ASDF_REPORT_SEVERITY and ASDF_REPORT_KIND.
 *
 * @param report the report
 * @param index  number of the entry, from 0; outside is ASDF_ERR_OUT_OF_RANGE
 * @param field  one of the integer fields ASDF_REPORT_...; other numbers are ASDF_ERR_INVALID_ARGUMENT
 * @param value  gets the value, -1 if the entry does not have it
 * @since 0.1.0
 */
asdf_status asdf_report_int(const asdf_report *report, int64_t index, int32_t field, int64_t *value);

/**
 * Gets a text field of an entry.
 *
 * Every entry has ASDF_REPORT_TEXT and ASDF_REPORT_MESSAGE, which are for people: their wording may change in any
 * release. Decide by ASDF_REPORT_CODE. In a description, the path of an attribute is that of its owner, "@" and its
 * name. An empty path is the root of a tree, or a description as a whole.
 *
 * @param report   the report
 * @param index    number of the entry, from 0; outside is ASDF_ERR_OUT_OF_RANGE
 * @param field    one of the text fields ASDF_REPORT_...; other numbers are ASDF_ERR_INVALID_ARGUMENT, and a text that
 *                 the entry does not have is ASDF_ERR_NOT_FOUND
 * @param buffer   gets the text
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the text; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_report_text(const asdf_report *report,
                             int64_t index,
                             int32_t field,
                             char *buffer,
                             size_t capacity,
                             size_t *needed);

/**
 * Makes JSON of a report: an array of objects, on one line, in UTF-8.
 *
 * Each object has the fields that its entry has, by the lower-case names of their constants without ASDF_REPORT_
 * ("severity", "line", "os_number", ...). "severity" is "note", "warning" or "error"; "kind" is "warning",
 * "diagnostic", "note", "difference" or "loss"; "operation" is "add", "remove" or "change". "old" and "new" are the
 * values themselves; other texts are strings.
 *
 * @param report the report
 * @param json   gets the JSON, without NUL at its end; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_report_json(const asdf_report *report, asdf_buffer **json);

/**
 * Gives another owner of a report.
 *
 * @param report  the report
 * @param another gets the owner, to be freed as well; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_report_retain(const asdf_report *report, asdf_report **another);

/**
 * Gives up a report; the last owner frees it.
 *
 * @param report the report, or NULL
 * @since 0.1.0
 */
void asdf_report_free(asdf_report *report);

/*
 * Lent memory ---------------------------------------------------------------------------------------------------------
 *
 * Two functions borrow memory for longer than the call: asdf_file_open_borrowed() and asdf_node_set_array_borrowed()
 * with its twin for any datatype. A callback tells when the memory is free again.
 */

/**
 * Gives memory back that was lent. It is called once, on the thread of the call after which nothing uses the memory:
 * the _free function of the last file, node, array, table or view that did, asdf_file_close() if no view is left, or
 * the call that writes or saves the file after its array was replaced or removed. It must not throw, longjmp or use the
 * file (see Callbacks above). In a child of the process that lent the memory it is never called.
 *
 * @param user what was given with the callback
 */
typedef void (*asdf_release_callback)(void *user);

/*
 * Buffers -------------------------------------------------------------------------------------------------------------
 *
 * The first byte of a buffer is aligned for the elements that the buffer holds.
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
 * Shows the bytes of a buffer.
 *
 * @param buffer the buffer
 * @param bytes  gets the address of the first byte; valid until the last owner of the buffer frees it. Never NULL, but
 *               not to be followed if there are no bytes
 * @param size   gets the number of bytes
 * @since 0.1.0
 */
asdf_status asdf_buffer_bytes(const asdf_buffer *buffer, const void **bytes, size_t *size);

/**
 * Gives another owner of a buffer.
 *
 * @param buffer  the buffer
 * @param another gets the owner, to be freed as well; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_buffer_retain(const asdf_buffer *buffer, asdf_buffer **another);

/**
 * Gives up a buffer; the last owner frees the bytes.
 *
 * @param buffer the buffer, or NULL
 * @since 0.1.0
 */
void asdf_buffer_free(asdf_buffer *buffer);

/* 2. Files ========================================================================================================= */

/*
 * Files ---------------------------------------------------------------------------------------------------------------
 *
 * Opening reads the tree alone; blocks are touched when they are asked for. A file opened for reading is not changed;
 * a new one is filled by setting nodes (below) and then written.
 *
 *     asdf_file *file = NULL;
 *     if (asdf_file_open("image.asdf", NULL, &file) != ASDF_OK) return report();
 *     asdf_report *warnings = NULL;
 *     if (asdf_file_report(file, &warnings) == ASDF_OK) print_report(warnings);   // see Reports
 *     asdf_report_free(warnings);
 *     asdf_file_free(file);
 */

/**
 * Gives bytes of a source that the program implements.
 *
 * It is called inside the call that needs the bytes, on the thread of that call, also if the call uses several threads.
 * A file that is used on several threads may call it on several at once. It must not throw, longjmp, or use the file or
 * the reader (see Callbacks above).
 *
 * @param user   what was given with the callback
 * @param offset position of the first byte
 * @param buffer gets the bytes
 * @param size   bytes to get, at least 1; never reaching beyond the length of the source
 * @param got    gets how many there are in the buffer: at least 1; if fewer than size, the rest is asked for again
 * @return ASDF_OK, or any other number for failure: the call that needed the bytes fails with ASDF_ERR_CALLBACK
 */
typedef asdf_status (*asdf_read_callback)(void *user, int64_t offset, void *buffer, size_t size, size_t *got);

/**
 * Releases what other callbacks use. It is called once, when nothing needs them any more, on the thread of the call
 * that ends their last use:
 *
 * - of a source: asdf_file_close(), or the _free function of the last handle that hangs on the file or is the reader
 * - of the elements of an array: as asdf_release_callback
 * - of a codec or a resolver: the _free function of the last codec, options, file, node, array or reader that uses it,
 *   or the call that unsets or replaces it in the last options
 *
 * It must not throw, longjmp or use the file (see Callbacks above). In a child of the process that gave the callback it
 * is never called.
 *
 * @param user what was given with the callback
 * @return ASDF_OK, or any other number for failure, which asdf_file_close() reports and other calls ignore
 */
typedef asdf_status (*asdf_close_callback)(void *user);

/**
 * Opens a file for reading.
 *
 * @param path    name of the file. Where the system allows other bytes than UTF-8 in names, they are taken as they are
 * @param options how to open it, or NULL
 * @param file    gets the file; NULL on failure. Missing, it is ASDF_ERR_FILE_NOT_FOUND; not ASDF, ASDF_ERR_NOT_ASDF
 * @since 0.1.0
 */
asdf_status asdf_file_open(const char *path, const asdf_options *options, asdf_file **file);

/**
 * Opens a file to change it: its nodes can be set and removed, and arrays added, until asdf_file_save(). The file
 * itself is not touched before that.
 *
 * @param path    name of the file; one that may not be written is ASDF_ERR_PERMISSION_DENIED, and one that another
 *                handle has open for update, here or in another process, ASDF_ERR_LOCKED (see
 *                ASDF_OPTION_LOCK)
 * @param options how to open it, or NULL
 * @param file    gets the file; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_file_open_for_update(const char *path, const asdf_options *options, asdf_file **file);

/**
 * Opens a file that is in memory. The bytes are copied.
 *
 * @param bytes   the file
 * @param size    number of bytes
 * @param options how to open it, or NULL
 * @param file    gets the file; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_file_open_memory(const void *bytes, size_t size, const asdf_options *options, asdf_file **file);

/**
 * Opens a file that is in memory which the program lends.
 *
 * @param bytes   the file. It must stay valid and unchanged until it is released
 * @param size    number of bytes
 * @param release called with user once, when the file and all that hangs on it, views included, are freed: from the
 *                call that frees the last of them, on its thread. NULL for none. If this call fails, it is not called
 * @param user    given to release; may be NULL
 * @param options how to open it, or NULL
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
 * Opens the file behind a descriptor, from its first byte on. The descriptor is duplicated: yours stays open, and
 * where it stands in the file does not matter. It must be that of a regular file.
 *
 * @param descriptor file descriptor, open for reading
 * @param options    how to open it, or NULL
 * @param file       gets the file; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_file_open_descriptor(int32_t descriptor, const asdf_options *options, asdf_file **file);

/**
 * Opens a file whose bytes the program gives.
 *
 * @param read    gives bytes
 * @param close   releases what `read` reads from; NULL for none. If this call fails, it is not called
 * @param user    given to the callbacks; may be NULL
 * @param length  bytes of the source; a negative number is ASDF_ERR_INVALID_ARGUMENT
 * @param options how to open it, or NULL
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
 * Makes a new file, whose tree holds the name of this library and nothing else.
 *
 * @param options how to make it, or NULL
 * @param file    gets the file; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_file_new(const asdf_options *options, asdf_file **file);

/**
 * Gives the root of the tree.
 *
 * @param file the file
 * @param root gets the root; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_file_root(const asdf_file *file, asdf_node **root);

/**
 * Closes a file at once, although nodes and arrays still hang on it: they answer ASDF_ERR_CLOSED from then on, views
 * stay valid. Closing twice is allowed. The handle is still to be freed.
 *
 * @param file the file
 * @since 0.1.0
 */
asdf_status asdf_file_close(asdf_file *file);

/**
 * Gives another owner of a file.
 *
 * @param file    the file
 * @param another gets the owner, to be freed as well; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_file_retain(const asdf_file *file, asdf_file **another);

/**
 * Gives up a file. What hangs on it keeps it open.
 *
 * @param file the file, or NULL
 * @since 0.1.0
 */
void asdf_file_free(asdf_file *file);

/**
 * The name that the file was opened by; empty if it was not opened by name.
 *
 * @param file     the file
 * @param buffer   gets the name; bytes that are not UTF-8 are replaced
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the name; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_file_name(const asdf_file *file, char *buffer, size_t capacity, size_t *needed);

/**
 * The version of the file format in the first line of the file: "1.0.0".
 *
 * @param file     the file
 * @param buffer   gets the version
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the version; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_file_format_version(const asdf_file *file, char *buffer, size_t capacity, size_t *needed);

/**
 * The version of the ASDF standard that the file is read or written by: one that the library knows.
 *
 * @param file     the file
 * @param buffer   gets the version, such as "1.6.0"
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the version; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_file_standard(const asdf_file *file, char *buffer, size_t capacity, size_t *needed);

/**
 * The version of the ASDF standard as the file declares it, known to the library or not; empty if it declares none.
 *
 * @param file     the file
 * @param buffer   gets the version
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the version; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_file_declared_standard(const asdf_file *file, char *buffer, size_t capacity, size_t *needed);

/**
 * The number of comment lines before the tree of a file that was read, the line that declares the standard among
 * them; or of those added to a new file.
 *
 * @param file  the file
 * @param count gets the number
 * @since 0.1.0
 */
asdf_status asdf_file_comment_count(const asdf_file *file, int64_t *count);

/**
 * A comment line before the tree, without its "#" and the blanks around.
 *
 * @param file     the file
 * @param index    which one, from 0; outside is ASDF_ERR_OUT_OF_RANGE
 * @param buffer   gets the comment
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the comment; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_file_comment(const asdf_file *file, int64_t index, char *buffer, size_t capacity, size_t *needed);

/**
 * Adds a comment line to a new file.
 *
 * @param file   the file
 * @param text   the comment: UTF-8 without line breaks, not beginning with ASDF_STANDARD; else
 *               ASDF_ERR_INVALID_ARGUMENT
 * @param length its length in bytes
 * @since 0.1.0
 */
asdf_status asdf_file_add_comment(asdf_file *file, const char *text, size_t length);

/**
 * Reports the warnings of a file so far: things that a reader should know, although the file can be read. Reading
 * blocks can add more; asdf_file_check_blocks() looks at all block headers.
 *
 * @param file   the file
 * @param report gets the warnings, none if nothing was noticed; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_file_report(const asdf_file *file, asdf_report **report);

/* 3. Nodes and values ============================================================================================== */

/*
 * Nodes ---------------------------------------------------------------------------------------------------------------
 *
 * A node is a place in a tree. Types are those of YAML 1.1, as Python asdf reads it. When an edit removes the place,
 * the node answers ASDF_ERR_STALE. There being nothing at a path is ASDF_ERR_NOT_FOUND.
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
#define ASDF_NODE_TIMESTAMP 5 /**< A date, or a date with time; kept as text. */
#define ASDF_NODE_BINARY 6    /**< Bytes. */
#define ASDF_NODE_SEQUENCE 7  /**< A list. */
#define ASDF_NODE_MAPPING 8   /**< Pairs of key and value. */
#define ASDF_KIND_NULL 0      /**< Null. */
#define ASDF_KIND_BOOL 1      /**< True or false: asdf_node_get_bool(). */

/**
 * An integer of any size, also a core/integer: asdf_node_get_i64() and its like.
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

#define ASDF_KIND_SEQUENCE 10 /**< Another sequence: asdf_node_item(). */

/**
 * A mapping that is none of the other kinds: asdf_node_item().
 */
#define ASDF_KIND_MAPPING 11

/**
 * A table (core/table, table/table, astropy's table): asdf_node_get_table().
 */
#define ASDF_KIND_TABLE 12

/**
 * A column of a table (core/column, table/column): its array stands under "data".
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
 * A JSON reference that cannot be followed: asdf_node_reference(). It leads nowhere, in a circle, or into a file that
 * cannot be opened or that the open options do not allow.
 */
#define ASDF_KIND_REFERENCE 18

#define ASDF_KEY_STRING 0  /**< The key is text. */
#define ASDF_KEY_INTEGER 1 /**< The key is an integer within 64 bits. */
#define ASDF_KEY_BOOL 2    /**< The key is true or false. */

/**
 * The key is something that ASDF does not allow but the file holds.
 */
#define ASDF_KEY_OTHER 3

/**
 * Gives the place at a path.
 *
 * @param node  where the path begins
 * @param path  the path
 * @param found gets the node; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_node_get(const asdf_node *node, const char *path, asdf_node **found);

/**
 * Gives another owner of a node.
 *
 * @param node    the node
 * @param another gets the owner, to be freed as well; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_node_retain(const asdf_node *node, asdf_node **another);

/**
 * Gives up a node.
 *
 * @param node the node, or NULL
 * @since 0.1.0
 */
void asdf_node_free(asdf_node *node);

/**
 * Gives the file that a node belongs to. Behind a reference into another file that is the other one; to close it closes
 * the first file and all that it leads to.
 *
 * @param node the node
 * @param file gets the file, to be freed as any; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_node_file(const asdf_node *node, asdf_file **file);

/**
 * Whether there is something at a path.
 *
 * @param node   where the path begins
 * @param path   the path
 * @param exists gets 1 or 0; 0 also for a path that leads through a scalar
 * @since 0.1.0
 */
asdf_status asdf_node_exists(const asdf_node *node, const char *path, int32_t *exists);

/**
 * Tells how a node is built in YAML: whether it is a scalar, of which type, a sequence or a mapping. A tag that is not
 * one of YAML's own only makes text of a scalar. asdf_node_kind() tells what a node means.
 *
 * @param node where the path begins
 * @param path the path
 * @param type gets one of ASDF_NODE_...
 * @since 0.1.0
 */
asdf_status asdf_node_type(const asdf_node *node, const char *path, int32_t *type);

/**
 * Tells what a node means, and thus which function reads it. A tag of the standard or of astropy decides, whatever its
 * version; its content can still be malformed. Other tags are ignored, so that a mapping with such a tag is a mapping.
 * References are followed where that is possible.
 *
 * The call takes constant time, except for a sequence without a tag: its elements are looked at, each once at most,
 * until one is no number.
 *
 * @param node where the path begins
 * @param path the path
 * @param kind gets one of ASDF_KIND_...; later versions can have more of them
 * @since 0.1.0
 */
asdf_status asdf_node_kind(const asdf_node *node, const char *path, int32_t *kind);

/**
 * The tag of what stands at a path, in full: "tag:stsci.edu:asdf/core/ndarray-1.1.0"; empty for none. The
 * non-specific tag of YAML, as in `! 12`, counts as none: that node is an integer.
 *
 * @param node     where the path begins
 * @param path     the path
 * @param buffer   gets the tag
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the tag; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_node_tag(const asdf_node *node, const char *path, char *buffer, size_t capacity, size_t *needed);

/**
 * Gives the path, from the root of its own file, of the place that a path leads to; empty for the root. A reference is
 * such a place, and is not followed.
 *
 * @param node     where the path begins
 * @param path     the path; "" for the node itself
 * @param buffer   gets the path
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the path; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_node_path(const asdf_node *node, const char *path, char *buffer, size_t capacity, size_t *needed);

/**
 * Tells where in its own file the place at a path is written. All three outputs get -1 for a place that was not read
 * from a file. A reference is such a place, and is not followed.
 *
 * @param node   where the path begins
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
 * A number that two places of a file, or of those that it leads to, share exactly if one is an alias of or a reference
 * to the other, or both to a third.
 *
 * @param node     where the path begins
 * @param path     the path
 * @param identity gets the number
 * @since 0.1.0
 */
asdf_status asdf_node_identity(const asdf_node *node, const char *path, int64_t *identity);

/**
 * The URI of the JSON reference that itself stands at a path; empty if something else does.
 *
 * @param node     where the path begins
 * @param path     the path
 * @param buffer   gets the URI
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the URI; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_node_reference(const asdf_node *node, const char *path, char *buffer, size_t capacity, size_t *needed);

/**
 * The number of items of a sequence or pairs of a mapping.
 *
 * @param node  where the path begins
 * @param path  the path; to anything else is ASDF_ERR_WRONG_TYPE
 * @param count gets the number
 * @since 0.1.0
 */
asdf_status asdf_node_count(const asdf_node *node, const char *path, int64_t *count);

/**
 * Gives an item of a sequence, or the value of a pair of a mapping.
 *
 * @param node  where the path begins
 * @param path  path of the sequence or mapping
 * @param index position from 0 in the order of the file; outside is ASDF_ERR_OUT_OF_RANGE
 * @param item  gets the node; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_node_item(const asdf_node *node, const char *path, int64_t index, asdf_node **item);

/**
 * Tells the type of the key of a pair.
 *
 * @param node  where the path begins
 * @param path  path of the mapping; ASDF_ERR_WRONG_TYPE if something else stands there
 * @param index position of the pair, from 0; outside is ASDF_ERR_OUT_OF_RANGE
 * @param type  gets one of ASDF_KEY_...
 * @since 0.1.0
 */
asdf_status asdf_node_key_type(const asdf_node *node, const char *path, int64_t index, int32_t *type);

/**
 * Reads the key of a pair as text, whatever its type: "flux", "17", "true".
 *
 * A key can hold NUL bytes, and `needed` tells its whole length. A path ends at the first NUL and never finds such a
 * key. asdf_node_item() with the position of the pair, or asdf_node_get_by_string(), gives its value.
 *
 * @param node     where the path begins
 * @param path     path of the mapping; ASDF_ERR_WRONG_TYPE if something else stands there
 * @param index    position of the pair, from 0; outside is ASDF_ERR_OUT_OF_RANGE
 * @param buffer   gets the key
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the key; may be NULL
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
 * @param node  where the path begins
 * @param path  path of the mapping
 * @param index position of the pair, from 0; outside is ASDF_ERR_OUT_OF_RANGE
 * @param value gets the key; one that is no integer is ASDF_ERR_WRONG_TYPE
 * @since 0.1.0
 */
asdf_status asdf_node_key_i64(const asdf_node *node, const char *path, int64_t index, int64_t *value);

/**
 * Reads a key that is true or false.
 *
 * @param node  where the path begins
 * @param path  path of the mapping
 * @param index position of the pair, from 0; outside is ASDF_ERR_OUT_OF_RANGE
 * @param value gets 1 or 0; a key that is no bool is ASDF_ERR_WRONG_TYPE
 * @since 0.1.0
 */
asdf_status asdf_node_key_bool(const asdf_node *node, const char *path, int64_t index, int32_t *value);

/**
 * Gives the value under a string key. The key has no escapes, may hold NUL bytes, and never means an integer key of the
 * same spelling.
 *
 * @param node   where the path begins
 * @param path   path of the mapping; ASDF_ERR_WRONG_TYPE if something else stands there
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
 * Gives the value under an integer key.
 *
 * @param node  where the path begins
 * @param path  path of the mapping; ASDF_ERR_WRONG_TYPE if something else stands there
 * @param key   the key
 * @param found gets the node; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_node_get_by_i64(const asdf_node *node, const char *path, int64_t key, asdf_node **found);

/**
 * Gives the value under the key true or false.
 *
 * @param node  where the path begins
 * @param path  path of the mapping; ASDF_ERR_WRONG_TYPE if something else stands there
 * @param key   0 for false, anything else for true
 * @param found gets the node; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_node_get_by_bool(const asdf_node *node, const char *path, int32_t key, asdf_node **found);

/**
 * Gives the array at a path: a core/ndarray, a sequence of numbers without a tag, or one of the two as the value of a
 * quantity. No other block than that of the array is touched, and none is read.
 *
 * @param node  where the path begins
 * @param path  the path; to something else is ASDF_ERR_WRONG_TYPE
 * @param array gets the array; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_node_get_array(const asdf_node *node, const char *path, asdf_array **array);

/*
 * Values --------------------------------------------------------------------------------------------------------------
 *
 * Each function reads what stands at a path, if it is of the type asked for; another is ASDF_ERR_WRONG_TYPE. A value is
 * given exactly or not at all: an integer that does not fit is ASDF_ERR_VALUE_RANGE. The getters of numbers read the
 * value of a quantity, too.
 *
 *     double seconds;
 *     char telescope[64];
 *     asdf_node_get_f64(root, "meta/exposure/time", &seconds);
 *     asdf_node_get_string(root, "meta/telescope", telescope, sizeof telescope, NULL);
 */

/**
 * Reads true or false.
 *
 * @param node  where the path begins
 * @param path  the path
 * @param value gets 1 or 0
 * @since 0.1.0
 */
asdf_status asdf_node_get_bool(const asdf_node *node, const char *path, int32_t *value);

/**
 * Reads an integer, also a core/integer, that fits 32 signed bits.
 *
 * @param node  where the path begins
 * @param path  the path
 * @param value gets the integer
 * @since 0.1.0
 */
asdf_status asdf_node_get_i32(const asdf_node *node, const char *path, int32_t *value);

/**
 * Reads an integer, also a core/integer, that fits 64 signed bits.
 *
 * @param node  where the path begins
 * @param path  the path
 * @param value gets the integer
 * @since 0.1.0
 */
asdf_status asdf_node_get_i64(const asdf_node *node, const char *path, int64_t *value);

/**
 * Reads an integer, also a core/integer, that fits 64 unsigned bits.
 *
 * @param node  where the path begins
 * @param path  the path
 * @param value gets the integer
 * @since 0.1.0
 */
asdf_status asdf_node_get_u64(const asdf_node *node, const char *path, uint64_t *value);

/**
 * Reads an integer of any size, also a core/integer, as decimal digits with "-" in front of a negative one.
 *
 * @param node     where the path begins
 * @param path     the path
 * @param buffer   gets the digits
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the text; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_node_get_integer(const asdf_node *node,
                                  const char *path,
                                  char *buffer,
                                  size_t capacity,
                                  size_t *needed);

/**
 * Reads a float, an integer or core/integer that a double represents exactly, a core/complex whose imaginary part is
 * zero, or such a number as the value of a quantity. Other numbers are ASDF_ERR_VALUE_RANGE.
 *
 * @param node  where the path begins
 * @param path  the path
 * @param value gets the number
 * @since 0.1.0
 */
asdf_status asdf_node_get_f64(const asdf_node *node, const char *path, double *value);

/**
 * Reads a complex number (core/complex), or a real number as asdf_node_get_f64() reads it, with the imaginary part 0.
 *
 * @param node      where the path begins
 * @param path      the path
 * @param real      gets the real part
 * @param imaginary gets the imaginary part
 * @since 0.1.0
 */
asdf_status asdf_node_get_complex(const asdf_node *node, const char *path, double *real, double *imaginary);

/**
 * Reads a string, a date or a time. It may hold NUL; the length needed tells where it ends.
 *
 * @param node     where the path begins
 * @param path     the path
 * @param buffer   gets the string
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the string; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_node_get_string(const asdf_node *node,
                                 const char *path,
                                 char *buffer,
                                 size_t capacity,
                                 size_t *needed);

/**
 * Reads a string, a date or a time of any length into a buffer that the library makes. NUL bytes in it are kept, and
 * none is added.
 *
 * @param node   where the path begins
 * @param path   the path
 * @param buffer gets the bytes of the string, UTF-8; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_node_get_string_buffer(const asdf_node *node, const char *path, asdf_buffer **buffer);

/**
 * Reads the unit of a quantity, of a column, or of another mapping with the key "unit"; or a unit itself. A unit of the
 * standard (unit/unit) is spelled as VOUnit has it, "km.s**-1"; one with a tag of astropy as astropy prints it,
 * "mag(AB)". A dimensionless unit is an empty text.
 *
 * Fails with ASDF_ERR_NOT_FOUND if there is no unit, and with ASDF_ERR_UNSUPPORTED for a unit whose tag is not known.
 *
 * @param node     where the path begins
 * @param path     the path
 * @param buffer   gets the unit
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the unit; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_node_get_unit(const asdf_node *node, const char *path, char *buffer, size_t capacity, size_t *needed);

/**
 * Reads a scalar as the text that stands in the file, whatever it means.
 *
 * @param node     where the path begins
 * @param path     the path
 * @param buffer   gets the text
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the text; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_node_get_text(const asdf_node *node, const char *path, char *buffer, size_t capacity, size_t *needed);

/**
 * Reads bytes that stand in the tree (!!binary). No NUL is added.
 *
 * @param node     where the path begins
 * @param path     the path
 * @param buffer   gets the bytes
 * @param capacity bytes of the buffer; 0 to ask for the number alone
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
 * A scalar type has a code, which functions take and give as int32_t. A datatype handle stands for any type, also for
 * strings of fixed length and records.
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
#define ASDF_ASCII 51            /**< Text of a fixed number of bytes, ASCII in files; no scalar. */
#define ASDF_UCS4 52             /**< Text of a fixed number of UTF-32 code units; no scalar. */
#define ASDF_RECORD 61           /**< A record of fields; no scalar. */

/**
 * Gives the datatype of a code.
 *
 * @param code     code of a scalar type; another number is ASDF_ERR_INVALID_ARGUMENT
 * @param datatype gets the datatype; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_datatype_scalar(int32_t code, asdf_datatype **datatype);

/**
 * The bytes that one element of a scalar type takes.
 *
 * @param code code of a scalar type; another number is ASDF_ERR_INVALID_ARGUMENT
 * @param size gets the number of bytes
 * @since 0.1.0
 */
asdf_status asdf_datatype_code_size(int32_t code, size_t *size);

/**
 * Gives a datatype of strings of fixed length, filled up with NUL.
 *
 * @param code     ASDF_ASCII or ASDF_UCS4; another number is ASDF_ERR_INVALID_ARGUMENT
 * @param length   number of bytes or code units; a negative one is ASDF_ERR_INVALID_ARGUMENT
 * @param datatype gets the datatype; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_datatype_string(int32_t code, int64_t length, asdf_datatype **datatype);

/**
 * Gives a datatype of records: fields one after the other, without gaps as a C struct may have. What is wrong with the
 * fields is ASDF_ERR_BAD_DATATYPE: none, two of one name, records too deep.
 *
 * @param count     number of fields; a negative one is ASDF_ERR_INVALID_ARGUMENT
 * @param names     name of each field, NULL for none
 * @param datatypes datatype of each field
 * @param ranks     number of axes of each field; NULL if all are single elements
 * @param extents   extents along all axes of the first field, then of the next; may be NULL if there are none
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
 * The code of a datatype.
 *
 * @param datatype the datatype
 * @param code     gets the code of a scalar type, or ASDF_ASCII, ASDF_UCS4 or ASDF_RECORD
 * @since 0.1.0
 */
asdf_status asdf_datatype_code(const asdf_datatype *datatype, int32_t *code);

/**
 * The bytes of one element.
 *
 * @param datatype the datatype
 * @param size     gets the number of bytes
 * @since 0.1.0
 */
asdf_status asdf_datatype_item_size(const asdf_datatype *datatype, size_t *size);

/**
 * The length of a string type.
 *
 * @param datatype ASCII or UCS4; another is ASDF_ERR_WRONG_TYPE
 * @param length   gets the number of characters
 * @since 0.1.0
 */
asdf_status asdf_datatype_string_length(const asdf_datatype *datatype, int64_t *length);

/**
 * A datatype for people: "float32", "[ascii, 8]", "[x: int16, y: float64]".
 *
 * @param datatype the datatype
 * @param buffer   gets the text
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the text; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_datatype_name(const asdf_datatype *datatype, char *buffer, size_t capacity, size_t *needed);

/**
 * Whether two datatypes are the same: with the same fields, names and byte orders of fields included.
 *
 * @param first  a datatype
 * @param second a datatype
 * @param equal  gets 1 or 0
 * @since 0.1.0
 */
asdf_status asdf_datatype_equal(const asdf_datatype *first, const asdf_datatype *second, int32_t *equal);

/**
 * The number of fields of a record.
 *
 * @param datatype a record; another is ASDF_ERR_WRONG_TYPE
 * @param count    gets the number
 * @since 0.1.0
 */
asdf_status asdf_datatype_field_count(const asdf_datatype *datatype, int64_t *count);

/**
 * The name of a field; empty if it has none.
 *
 * @param datatype a record; another is ASDF_ERR_WRONG_TYPE
 * @param index    which field, from 0; outside is ASDF_ERR_OUT_OF_RANGE
 * @param buffer   gets the name
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the name; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_datatype_field_name(const asdf_datatype *datatype,
                                     int64_t index,
                                     char *buffer,
                                     size_t capacity,
                                     size_t *needed);

/**
 * The datatype of a field.
 *
 * @param datatype a record; another is ASDF_ERR_WRONG_TYPE
 * @param index    which field, from 0; outside is ASDF_ERR_OUT_OF_RANGE
 * @param found    gets the datatype; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_datatype_field_datatype(const asdf_datatype *datatype, int64_t index, asdf_datatype **found);

/**
 * Where a field begins in its record.
 *
 * @param datatype a record; another is ASDF_ERR_WRONG_TYPE
 * @param index    which field, from 0; outside is ASDF_ERR_OUT_OF_RANGE
 * @param offset   gets the offset in bytes
 * @since 0.1.0
 */
asdf_status asdf_datatype_field_offset(const asdf_datatype *datatype, int64_t index, size_t *offset);

/**
 * The extents of a field, slowest axis first.
 *
 * @param datatype a record; another is ASDF_ERR_WRONG_TYPE
 * @param index    which field, from 0; outside is ASDF_ERR_OUT_OF_RANGE
 * @param shape    gets the extents; ASDF_MAX_RANK of them always have room
 * @param capacity extents that may be written; too few are ASDF_ERR_BUFFER_TOO_SMALL, 0 asks for the rank alone
 * @param rank     gets the number of axes, 0 for a single element; also if the capacity is too small. May be NULL
 * @since 0.1.0
 */
asdf_status asdf_datatype_field_shape(const asdf_datatype *datatype,
                                      int64_t index,
                                      int64_t *shape,
                                      int32_t capacity,
                                      int32_t *rank);

/**
 * Gives another owner of a datatype.
 *
 * @param datatype the datatype
 * @param another  gets the owner, to be freed as well; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_datatype_retain(const asdf_datatype *datatype, asdf_datatype **another);

/**
 * Gives up a datatype.
 *
 * @param datatype the datatype, or NULL
 * @since 0.1.0
 */
void asdf_datatype_free(asdf_datatype *datatype);

/*
 * Storage and order ---------------------------------------------------------------------------------------------------
 *
 * Constants for ASDF_OPTION_STORAGE, ASDF_OPTION_ORDER and ASDF_OPTION_STORED_ORDER.
 */

#define ASDF_STORAGE_INTERNAL 0 /**< The elements have a block of their own. */
#define ASDF_STORAGE_INLINE 1   /**< The elements are text in the tree. */

/**
 * The elements are the only block of another file (the exploded form). The file stands beside the one that names it,
 * is written when that is written under a name, and replaces none.
 */
#define ASDF_STORAGE_EXTERNAL 2

/**
 * The elements are the last block, which runs to the end of the file, neither compressed nor with a checksum; rows can
 * be appended. One array of a file can be streamed.
 */
#define ASDF_STORAGE_STREAMED 3

#define ASDF_ORDER_C 0       /**< The last index runs fastest, as in C. */
#define ASDF_ORDER_FORTRAN 1 /**< The first index runs fastest, as in Fortran. */

/*
 * Arrays --------------------------------------------------------------------------------------------------------------
 *
 * Elements arrive in memory of yours in native byte order, converted to the datatype you ask for: in C order, or as
 * ASDF_OPTION_ORDER or ASDF_OPTION_STRIDES say. A value that does not fit is
 * ASDF_ERR_OVERFLOW, or the nearest that does by an option; integers become the nearest float; an integer is made of
 * whole numbers only; complex128 is made of any number, a real number of complex ones without imaginary part only.
 * Strings arrive as UTF-8 or UTF-32 of a fixed length, filled up with NUL, or one by one; records packed, or one field
 * as an array. What cannot be had that way is an error, never something else.
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

#define ASDF_MAX_RANK 32 /**< No array has more axes. */

/**
 * The extents of an array, slowest axis first.
 *
 * @param array    the array
 * @param shape    gets the extents; ASDF_MAX_RANK of them always have room
 * @param capacity extents that may be written; too few are ASDF_ERR_BUFFER_TOO_SMALL, 0 asks for the rank alone
 * @param rank     gets the number of axes, 0 for a single element; also if the capacity is too small. May be NULL
 * @since 0.1.0
 */
asdf_status asdf_array_shape(const asdf_array *array, int64_t *shape, int32_t capacity, int32_t *rank);

/**
 * Bytes from one element to the next along each axis, as they are stored; they may be negative or 0. Reading does not
 * ask for them, but who takes the bytes from the file by other means does.
 *
 * @param array    the array
 * @param strides  gets the strides; ASDF_MAX_RANK of them always have room
 * @param capacity strides that may be written; too few are ASDF_ERR_BUFFER_TOO_SMALL, 0 asks for the rank alone
 * @param rank     gets the number of axes; also if the capacity is too small. May be NULL
 * @since 0.1.0
 */
asdf_status asdf_array_strides(const asdf_array *array, int64_t *strides, int32_t capacity, int32_t *rank);

/**
 * What the elements of an array are as they are stored.
 *
 * @param array    the array
 * @param datatype gets the code: a scalar type, or ASDF_ASCII, ASDF_UCS4 or ASDF_RECORD, of which
 *                 asdf_array_datatype_handle() tells more
 * @since 0.1.0
 */
asdf_status asdf_array_datatype(const asdf_array *array, int32_t *datatype);

/**
 * What the elements of an array are, in full.
 *
 * @param array    the array
 * @param datatype gets the datatype; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_array_datatype_handle(const asdf_array *array, asdf_datatype **datatype);

/**
 * What the elements of an array are, for people: "float32", "[ascii, 8]", "[x: int16, y: float64]".
 *
 * @param array    the array
 * @param buffer   gets the text
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the text; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_array_datatype_name(const asdf_array *array, char *buffer, size_t capacity, size_t *needed);

/**
 * The byte order in which the elements of an array are stored. Reading always gives native order.
 *
 * @param array     the array
 * @param byteorder gets ASDF_BYTE_ORDER_LITTLE or ASDF_BYTE_ORDER_BIG
 * @since 0.1.0
 */
asdf_status asdf_array_byte_order(const asdf_array *array, int32_t *byteorder);

/**
 * The number of elements of an array.
 *
 * @param array the array
 * @param count gets the number
 * @since 0.1.0
 */
asdf_status asdf_array_element_count(const asdf_array *array, int64_t *count);

/**
 * The bytes that all elements of an array take once they are read.
 *
 * @param array    the array
 * @param datatype code of the scalar type to read them as; another number is ASDF_ERR_INVALID_ARGUMENT
 * @param size     gets the number of bytes
 * @since 0.1.0
 */
asdf_status asdf_array_byte_size(const asdf_array *array, int32_t datatype, size_t *size);

/**
 * The bytes that all elements of an array take once they are read.
 *
 * @param array    the array
 * @param datatype what to read them as
 * @param size     gets the number of bytes
 * @since 0.1.0
 */
asdf_status asdf_array_byte_size_typed(const asdf_array *array, const asdf_datatype *datatype, size_t *size);

/**
 * The bytes that the elements of a region take once they are read.
 *
 * @param array    the array
 * @param rank     number of axes, which is that of the array; else ASDF_ERR_INVALID_ARGUMENT
 * @param count    number of elements along each axis; a negative one, or one larger than the extent, is
 *                 ASDF_ERR_OUT_OF_RANGE. May be NULL for rank 0
 * @param datatype code of the scalar type to read them as; another number is ASDF_ERR_INVALID_ARGUMENT
 * @param size     gets the number of bytes
 * @since 0.1.0
 */
asdf_status asdf_array_region_size(const asdf_array *array,
                                   int32_t rank,
                                   const int64_t *count,
                                   int32_t datatype,
                                   size_t *size);

/**
 * The bytes that the elements of a region take once they are read; see asdf_array_region_size().
 *
 * @param array    the array
 * @param rank     number of axes, which is that of the array; else ASDF_ERR_INVALID_ARGUMENT
 * @param count    number of elements along each axis; a negative one, or one larger than the extent, is
 *                 ASDF_ERR_OUT_OF_RANGE. May be NULL for rank 0
 * @param datatype what to read them as
 * @param size     gets the number of bytes
 * @since 0.1.0
 */
asdf_status asdf_array_region_size_typed(const asdf_array *array,
                                         int32_t rank,
                                         const int64_t *count,
                                         const asdf_datatype *datatype,
                                         size_t *size);

/**
 * Whether the elements of an array stand in the tree rather than in a block.
 *
 * @param array     the array
 * @param is_inline gets 1 or 0
 * @since 0.1.0
 */
asdf_status asdf_array_is_inline(const asdf_array *array, int32_t *is_inline);

/**
 * The block that holds the elements of an array, as the tree says it: negative numbers count from the end.
 *
 * @param array the array; one without a block in its file is ASDF_ERR_NOT_FOUND
 * @param block gets the index of the block
 * @since 0.1.0
 */
asdf_status asdf_array_block(const asdf_array *array, int64_t *block);

/**
 * Reads all elements of an array.
 *
 * @param array    the array
 * @param datatype code of the scalar type to read them as; another number is ASDF_ERR_INVALID_ARGUMENT
 * @param options  how to read, or NULL
 * @param elements gets the elements; what it holds after a failure is not specified. May be NULL if there are none
 * @param capacity bytes that may be written; fewer than asdf_array_byte_size() says are ASDF_ERR_BUFFER_TOO_SMALL
 * @param mask     gets a byte for each element, 1 if it is missing and else 0, in the order of the elements; NULL for
 *                 none. With strides, which must be multiples of an element then, as many bytes from one to the next
 *                 as there are elements. It must not overlap the elements (ASDF_ERR_INVALID_ARGUMENT)
 * @param mask_capacity bytes of the mask that may be written; too few are ASDF_ERR_BUFFER_TOO_SMALL
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
 * Reads all elements of an array, also strings and records.
 *
 * @param array    the array
 * @param datatype what to read them as. Strings can be read as ASDF_ASCII, which then is UTF-8 of so many bytes, and as
 *                 ASDF_UCS4 of any length; one that is too long is ASDF_ERR_OVERFLOW, or cut where
 *                 ASDF_OPTION_CLAMP is 1, one that is not valid text ASDF_ERR_ENCODING, unless it is
 *                 read as it is stored. Records can be read as a record of the same fields; they are packed, each
 *                 number in native byte order
 * @param options  how to read, or NULL
 * @param elements gets the elements; what it holds after a failure is not specified. May be NULL if there are none
 * @param capacity bytes that may be written; fewer than asdf_array_byte_size_typed() says are
 *                 ASDF_ERR_BUFFER_TOO_SMALL
 * @param mask     gets a byte for each element, 1 if it is missing and else 0, in the order of the elements; NULL for
 *                 none. With strides, which must be multiples of an element then, as many bytes from one to the next
 *                 as there are elements. It must not overlap the elements (ASDF_ERR_INVALID_ARGUMENT)
 * @param mask_capacity bytes of the mask that may be written; too few are ASDF_ERR_BUFFER_TOO_SMALL
 * @since 0.1.0
 */
asdf_status asdf_array_read_typed(const asdf_array *array,
                                  const asdf_datatype *datatype,
                                  const asdf_options *options,
                                  void *elements,
                                  size_t capacity,
                                  uint8_t *mask,
                                  size_t mask_capacity);

/**
 * Reads a region of an array: along each axis `count` elements from `start` on, `step` apart. What it costs follows
 * the region, not the array. Where the elements are compressed, that means the chunks touched (lz4) or all up to the
 * last byte needed; these are kept, so that the next region need not decode them again (see
 * ASDF_OPTION_CACHE_BYTES). Damage behind that is not seen, as asdf_array_read() would.
 *
 * @param array    the array
 * @param rank     number of axes, which is that of the array; else ASDF_ERR_INVALID_ARGUMENT
 * @param start    first index along each axis; a region that reaches outside is ASDF_ERR_OUT_OF_RANGE
 * @param count    number of elements along each axis: the shape of what is read
 * @param step     distance of the indices along each axis, negative to go backwards from start, never 0; NULL for 1
 * @param datatype code of the scalar type to read them as; another number is ASDF_ERR_INVALID_ARGUMENT
 * @param options  how to read, or NULL
 * @param elements gets the elements, in C order unless the options say otherwise; what it holds after a failure is not
 *                 specified. May be NULL if there are none
 * @param capacity bytes that may be written; too few are ASDF_ERR_BUFFER_TOO_SMALL
 * @param mask     gets a byte for each element, 1 if it is missing and else 0, in the order of the elements; NULL for
 *                 none. With strides, which must be multiples of an element then, as many bytes from one to the next
 *                 as there are elements. It must not overlap the elements (ASDF_ERR_INVALID_ARGUMENT)
 * @param mask_capacity bytes of the mask that may be written; too few are ASDF_ERR_BUFFER_TOO_SMALL
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
 * Reads a region of an array; see asdf_array_read_region().
 *
 * @param array    the array
 * @param rank     number of axes, which is that of the array; else ASDF_ERR_INVALID_ARGUMENT
 * @param start    first index along each axis; a region that reaches outside is ASDF_ERR_OUT_OF_RANGE
 * @param count    number of elements along each axis: the shape of what is read
 * @param step     distance of the indices along each axis, negative to go backwards from start, never 0; NULL for 1
 * @param datatype what to read them as
 * @param options  how to read, or NULL
 * @param elements gets the elements, in C order unless the options say otherwise; what it holds after a failure is not
 *                 specified. May be NULL if there are none
 * @param capacity bytes that may be written; too few are ASDF_ERR_BUFFER_TOO_SMALL
 * @param mask     gets a byte for each element, 1 if it is missing and else 0, in the order of the elements; NULL for
 *                 none. With strides, which must be multiples of an element then, as many bytes from one to the next
 *                 as there are elements. It must not overlap the elements (ASDF_ERR_INVALID_ARGUMENT)
 * @param mask_capacity bytes of the mask that may be written; too few are ASDF_ERR_BUFFER_TOO_SMALL
 * @since 0.1.0
 */
asdf_status asdf_array_read_region_typed(const asdf_array *array,
                                         int32_t rank,
                                         const int64_t *start,
                                         const int64_t *count,
                                         const int64_t *step,
                                         const asdf_datatype *datatype,
                                         const asdf_options *options,
                                         void *elements,
                                         size_t capacity,
                                         uint8_t *mask,
                                         size_t mask_capacity);

/**
 * Lets the system begin to fetch the bytes of a region that will be read soon, while the program does something else.
 * A hint: where the system or the source of the file cannot do that, nothing happens. Of compressed elements it takes
 * the chunks touched (lz4) or all bytes stored.
 *
 * @param array the array
 * @param rank  number of axes, which is that of the array; else ASDF_ERR_INVALID_ARGUMENT
 * @param start first index along each axis; a region that reaches outside is ASDF_ERR_OUT_OF_RANGE
 * @param count number of elements along each axis
 * @param step  distance of the indices along each axis, negative to go backwards from start, never 0; NULL for 1
 * @since 0.1.0
 */
asdf_status asdf_array_prefetch(const asdf_array *array,
                                int32_t rank,
                                const int64_t *start,
                                const int64_t *count,
                                const int64_t *step);

/**
 * Reads one string of an array of strings, without the NULs at its end, as UTF-8.
 *
 * @param array    the array; one of anything else is ASDF_ERR_CONVERSION
 * @param rank     number of axes, which is that of the array; else ASDF_ERR_INVALID_ARGUMENT
 * @param index    index along each axis; outside is ASDF_ERR_OUT_OF_RANGE. May be NULL for rank 0
 * @param options  how to read, or NULL
 * @param buffer   gets the string; one that is not valid text is ASDF_ERR_ENCODING
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the string, in which NULs may be; may be NULL
 * @param missing  gets 1 if the string is missing and else 0. With NULL the array must have no mask, or the options a
 *                 fill value
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
 * One field of an array of records, as an array: its axes are those of the records, then those of the field. Nothing
 * is read. Fields of records in records are had by another call.
 *
 * @param array the array; one of anything but records is ASDF_ERR_WRONG_TYPE
 * @param name  the name; another than those of the fields is ASDF_ERR_NOT_FOUND. A field without a name is "f" with its
 *              number, counted from 0
 * @param field gets the array; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_array_field(const asdf_array *array, const char *name, asdf_array **field);

/**
 * Gives another owner of an array.
 *
 * @param array   the array
 * @param another gets the owner, to be freed as well; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_array_retain(const asdf_array *array, asdf_array **another);

/**
 * Gives up an array.
 *
 * @param array the array, or NULL
 * @since 0.1.0
 */
void asdf_array_free(asdf_array *array);

/*
 * Arrays in memory of the library -------------------------------------------------------------------------------------
 *
 * Elements arrive in an asdf_buffer, otherwise as asdf_array_read() reads them. Its memory is aligned for each scalar
 * type. Elements that are compressed, or that strides repeat, take more memory than their file has bytes: those may
 * take as much as the file was opened with (ASDF_OPTION_LIMIT_DECODED_BYTES), more is ASDF_ERR_LIMIT.
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
 * Reads all elements of an array into memory of the library.
 *
 * @param array    the array
 * @param datatype code of the scalar type to read them as; another number is ASDF_ERR_INVALID_ARGUMENT
 * @param options  how to read, or NULL
 * @param elements gets the elements; NULL on failure
 * @param mask     gets a byte for each element, 1 if it is missing and else 0, in the order of the elements; NULL for
 *                 none: a masked array without a fill value is ASDF_ERR_MASKED then
 * @since 0.1.0
 */
asdf_status asdf_array_load(const asdf_array *array,
                            int32_t datatype,
                            const asdf_options *options,
                            asdf_buffer **elements,
                            asdf_buffer **mask);

/**
 * Reads all elements of an array into memory of the library, also strings of fixed length and records.
 *
 * @param array    the array
 * @param datatype what to read them as; see asdf_array_read_typed()
 * @param options  how to read, or NULL
 * @param elements gets the elements; NULL on failure
 * @param mask     gets a byte for each element, 1 if it is missing and else 0, in the order of the elements; NULL for
 *                 none: a masked array without a fill value is ASDF_ERR_MASKED then
 * @since 0.1.0
 */
asdf_status asdf_array_load_typed(const asdf_array *array,
                                  const asdf_datatype *datatype,
                                  const asdf_options *options,
                                  asdf_buffer **elements,
                                  asdf_buffer **mask);

/**
 * Reads all strings of an array of strings into memory of the library: as UTF-8 one after the other, each as long as it
 * is, without the NULs at its end. String i of the array is in the bytes from offset i to offset i + 1, as in a large
 * string array of Arrow. While the call runs, memory holds the strings at their fixed length as well.
 *
 * @param array   the array; one of anything else is ASDF_ERR_CONVERSION
 * @param options how to read, or NULL
 * @param bytes   gets the text; one that is not valid is ASDF_ERR_ENCODING. NULL on failure
 * @param offsets gets an int64_t for each string and one more, 0 the first and the size of the bytes the last; NULL on
 *                failure
 * @param mask    gets a byte for each string, 1 if it is missing and else 0; NULL for none: a masked array without a
 *                fill value is ASDF_ERR_MASKED then. A missing string is empty, or the fill value
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
 * Elements are missing where the array's mask says so: where they equal a number (a float NaN where it is NaN), or
 * where another array, which may be smaller and is repeated then, is not zero; and where null stands among inline
 * elements. Reading an array that has a mask is ASDF_ERR_MASKED unless the call is given memory for the mask, or the
 * options hold a value for missing elements (asdf_options_set_fill()). To ignore the mask, take the array without it;
 * only that one can be viewed.
 *
 * A missing element has no value, so it need not fit the datatype asked for: its place gets the fill value, or without
 * one what is stored there, clamped where necessary. Where the options set strides, those of an array with a mask are
 * multiples of an element. To write a mask, set the number or the array under the key `mask` of the array's node
 * ("image/mask").
 *
 *     asdf_options *options = NULL;
 *     const double nan = NAN;
 *     asdf_options_new(&options);
 *     asdf_options_set_fill(options, ASDF_FLOAT64, &nan, sizeof nan);
 *     asdf_array_read(image, ASDF_FLOAT32, options, pixels, size, NULL, 0);
 */

/**
 * Whether a mask, or null among inline elements, says that elements are missing.
 *
 * @param array    the array
 * @param has_mask gets 1 or 0; 1 also if the mask marks no element
 * @since 0.1.0
 */
asdf_status asdf_array_has_mask(const asdf_array *array, int32_t *has_mask);

/**
 * The same array as if it had no mask, to be read and viewed as it is stored. Where null stands among inline elements,
 * that is zero, or no text.
 *
 * @param array the array
 * @param plain gets the array without the mask; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_array_without_mask(const asdf_array *array, asdf_array **plain);

/**
 * Reads which elements of an array are missing. Nothing is missing of an array without a mask.
 *
 * @param array    the array; a mask that does not suit it is ASDF_ERR_BAD_ARRAY
 * @param options  how to read, or NULL. Order and strides are those of the mask; a fill value does not matter
 * @param mask     gets a byte for each element, 1 if it is missing and else 0; what it holds after a failure is not
 *                 specified. May be NULL if there are no elements
 * @param capacity bytes that may be written; fewer than there are elements are ASDF_ERR_BUFFER_TOO_SMALL
 * @since 0.1.0
 */
asdf_status asdf_array_read_mask(const asdf_array *array, const asdf_options *options, uint8_t *mask, size_t capacity);

/**
 * Reads which elements of a region are missing; see asdf_array_read_mask().
 *
 * @param array    the array; a mask that does not suit it is ASDF_ERR_BAD_ARRAY
 * @param rank     number of axes, which is that of the array; else ASDF_ERR_INVALID_ARGUMENT
 * @param start    first index along each axis; a region that reaches outside is ASDF_ERR_OUT_OF_RANGE
 * @param count    number of elements along each axis: the shape of what is read
 * @param step     distance of the indices along each axis, as in asdf_array_read_region(); NULL for 1
 * @param options  how to read, or NULL. Order and strides are those of the mask
 * @param mask     gets a byte for each element, 1 if it is missing and else 0; what it holds after a failure is not
 *                 specified. May be NULL if there are no elements
 * @param capacity bytes that may be written; fewer than there are elements are ASDF_ERR_BUFFER_TOO_SMALL
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
 * Sets the value in the place of missing elements.
 *
 * @param options  the options
 * @param datatype code of the scalar type of the value; another number is ASDF_ERR_INVALID_ARGUMENT
 * @param value    one element, which is copied. Reads convert it to the datatype asked for like an element of the
 *                 array, but never clamp it
 * @param size     bytes of the value; another number than the datatype has is ASDF_ERR_INVALID_ARGUMENT
 * @since 0.1.0
 */
asdf_status asdf_options_set_fill(asdf_options *options, int32_t datatype, const void *value, size_t size);

/**
 * Sets the value in the place of missing elements, also of strings and records.
 *
 * @param options  the options
 * @param datatype datatype of the value
 * @param value    one element, packed, each number in native byte order; see asdf_options_set_fill()
 * @param size     bytes of the value; another number than the datatype has is ASDF_ERR_INVALID_ARGUMENT
 * @since 0.1.0
 */
asdf_status asdf_options_set_fill_typed(asdf_options *options,
                                        const asdf_datatype *datatype,
                                        const void *value,
                                        size_t size);

/*
 * Views ---------------------------------------------------------------------------------------------------------------
 *
 * A view costs nothing but address space. It is refused (ASDF_ERR_NOT_VIEWABLE) where the stored bytes are not what
 * the machine wants: where elements would have to be converted, swapped, decoded or aligned. It stays valid until it
 * is freed. The bytes may be a mapping of the file: if another program shortens the file, touching them can end the
 * program; read into memory of yours where files change under you.
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
 * Views all elements of an array. Nothing is read.
 *
 * @param array    the array
 * @param datatype code of the scalar type that the elements are to be
 * @param options  NULL, or options; none of them changes a view
 * @param view     gets the view; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_array_view(const asdf_array *array, int32_t datatype, const asdf_options *options, asdf_view **view);

/**
 * Views all elements of an array. Nothing is read.
 *
 * @param array    the array
 * @param datatype what the elements are to be
 * @param options  NULL, or options; none of them changes a view
 * @param view     gets the view; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_array_view_typed(const asdf_array *array,
                                  const asdf_datatype *datatype,
                                  const asdf_options *options,
                                  asdf_view **view);

/**
 * The bytes from the first to the last that an element occupies. If the strides are those of C order, these are the
 * elements one after the other.
 *
 * @param view  the view
 * @param bytes gets the address of the first byte, not to be followed if there are none
 * @param size  gets the number of bytes
 * @since 0.1.0
 */
asdf_status asdf_view_bytes(const asdf_view *view, const void **bytes, size_t *size);

/**
 * The element with all indices 0, from which the strides lead to the others. It is the first byte of the view unless
 * a stride is negative.
 *
 * @param view    the view
 * @param element gets the address of the element, not to be followed if there are none
 * @since 0.1.0
 */
asdf_status asdf_view_first_element(const asdf_view *view, const void **element);

/**
 * The extents of a view, slowest axis first.
 *
 * @param view     the view
 * @param shape    gets the extents; ASDF_MAX_RANK of them always have room
 * @param capacity extents that may be written; too few are ASDF_ERR_BUFFER_TOO_SMALL, 0 asks for the rank alone
 * @param rank     gets the number of axes; also if the capacity is too small. May be NULL
 * @since 0.1.0
 */
asdf_status asdf_view_shape(const asdf_view *view, int64_t *shape, int32_t capacity, int32_t *rank);

/**
 * Bytes from an element of a view to the next along each axis; they may be negative or 0.
 *
 * @param view     the view
 * @param strides  gets the strides; ASDF_MAX_RANK of them always have room
 * @param capacity strides that may be written; too few are ASDF_ERR_BUFFER_TOO_SMALL, 0 asks for the rank alone
 * @param rank     gets the number of axes; also if the capacity is too small. May be NULL
 * @since 0.1.0
 */
asdf_status asdf_view_strides(const asdf_view *view, int64_t *strides, int32_t capacity, int32_t *rank);

/**
 * What the elements of a view are.
 *
 * @param view     the view
 * @param datatype gets the code. A bool8 is any byte, of which only 0 is false
 * @since 0.1.0
 */
asdf_status asdf_view_datatype(const asdf_view *view, int32_t *datatype);

/**
 * Gives another owner of a view.
 *
 * @param view    the view
 * @param another gets the owner, to be freed as well; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_view_retain(const asdf_view *view, asdf_view **another);

/**
 * Gives up a view; its addresses are not to be used any more once the last owner has.
 *
 * @param view the view, or NULL
 * @since 0.1.0
 */
void asdf_view_free(asdf_view *view);

/* 5. Writing and changing ========================================================================================== */

/*
 * Setting values ------------------------------------------------------------------------------------------------------
 *
 * These functions change files that were made or opened for update; one opened for reading is ASDF_ERR_READ_ONLY. They
 * replace what stands at the path. Paths follow JSON Pointer and JSON Patch:
 *
 * - In a sequence a number names an item that exists, and "-" appends one. In a mapping both are keys like others.
 * - Collections that are missing on the way are made: a sequence if the next part of the path is "-", else a mapping.
 *   Thus "new/-" makes a sequence with one item, and "new/0" makes a mapping with the key "0".
 *
 * A setter that fails changes nothing. Its file cannot be written until a setter of the same path of the same node
 * succeeds, or until asdf_file_forget_failure(), so that nothing is left out unnoticed. asdf_node_set_storage() and
 * asdf_node_recompress_array() may be refused: they say only how arrays are stored, and the file lacks nothing.
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
 * Sets null.
 *
 * @param node where the path begins
 * @param path the path
 * @since 0.1.0
 */
asdf_status asdf_node_set_null(asdf_node *node, const char *path);

/**
 * Sets true or false.
 *
 * @param node  where the path begins
 * @param path  the path
 * @param value 0 for false, anything else for true
 * @since 0.1.0
 */
asdf_status asdf_node_set_bool(asdf_node *node, const char *path, int32_t value);

/**
 * Sets an integer.
 *
 * @param node  where the path begins
 * @param path  the path
 * @param value the integer
 * @since 0.1.0
 */
asdf_status asdf_node_set_i64(asdf_node *node, const char *path, int64_t value);

/**
 * Sets an integer.
 *
 * @param node  where the path begins
 * @param path  the path
 * @param value the integer; beyond INT64_MAX, which the standard does not allow literally, it is ASDF_ERR_VALUE_RANGE:
 *              asdf_node_set_integer() takes those
 * @since 0.1.0
 */
asdf_status asdf_node_set_u64(asdf_node *node, const char *path, uint64_t value);

/**
 * Sets an integer of any size: literally if it fits 64 signed bits, else with the tag core/integer, which the standard
 * has from version 1.3.0 on.
 *
 * @param node   where the path begins
 * @param path   the path
 * @param digits decimal digits with an optional sign; anything else is ASDF_ERR_INVALID_ARGUMENT
 * @param length their number of bytes
 * @since 0.1.0
 */
asdf_status asdf_node_set_integer(asdf_node *node, const char *path, const char *digits, size_t length);

/**
 * Sets a number. It is written so that reading it gives the same bits; infinities and NaN, too.
 *
 * @param node  where the path begins
 * @param path  the path
 * @param value the number
 * @since 0.1.0
 */
asdf_status asdf_node_set_f64(asdf_node *node, const char *path, double value);

/**
 * Sets a complex number (core/complex).
 *
 * @param node      where the path begins
 * @param path      the path
 * @param real      the real part
 * @param imaginary the imaginary part
 * @since 0.1.0
 */
asdf_status asdf_node_set_complex(asdf_node *node, const char *path, double real, double imaginary);

/**
 * Sets a string. It is quoted where a reader could take it for something else.
 *
 * @param node   where the path begins
 * @param path   the path
 * @param value  the string, UTF-8; may be NULL if it is empty
 * @param length its length in bytes
 * @since 0.1.0
 */
asdf_status asdf_node_set_string(asdf_node *node, const char *path, const char *value, size_t length);

/**
 * Sets a date, or a date with time, in the form that YAML has for them: "2027-01-31", "2027-01-31T04:05:06.7Z". Such a
 * text may as well be set as a string, which readers do not take apart.
 *
 * @param node   where the path begins
 * @param path   the path
 * @param value  the date; any other text is ASDF_ERR_INVALID_ARGUMENT
 * @param length its length in bytes
 * @since 0.1.0
 */
asdf_status asdf_node_set_timestamp(asdf_node *node, const char *path, const char *value, size_t length);

/**
 * Sets bytes, which are written as text in base 64 (!!binary). For more than a few use an array.
 *
 * @param node  where the path begins
 * @param path  the path
 * @param bytes the bytes; may be NULL if there are none
 * @param size  their number
 * @since 0.1.0
 */
asdf_status asdf_node_set_binary(asdf_node *node, const char *path, const void *bytes, size_t size);

/**
 * Sets an empty sequence, to be filled by "-" in paths.
 *
 * @param node where the path begins
 * @param path the path
 * @param flow 1 to write it in brackets, 0 to write it line by line
 * @since 0.1.0
 */
asdf_status asdf_node_set_sequence(asdf_node *node, const char *path, int32_t flow);

/**
 * Sets an empty mapping.
 *
 * @param node where the path begins
 * @param path the path
 * @param flow 1 to write it in braces, 0 to write it line by line
 * @since 0.1.0
 */
asdf_status asdf_node_set_mapping(asdf_node *node, const char *path, int32_t flow);

/**
 * Sets the tag of what stands at a path, or takes it away.
 *
 * @param node where the path begins
 * @param path the path
 * @param tag  the tag in full, or beginning with "!" for one of the standard: "!unit/unit-1.0.0" is
 *             "tag:stsci.edu:asdf/unit/unit-1.0.0"; NULL for none
 * @since 0.1.0
 */
asdf_status asdf_node_set_tag(asdf_node *node, const char *path, const char *tag);

/**
 * Sets a JSON reference.
 *
 * @param node where the path begins
 * @param path the path
 * @param uri  the URI, relative to the file, with an escaped path as its fragment: "other.asdf#/data"
 * @since 0.1.0
 */
asdf_status asdf_node_set_reference(asdf_node *node, const char *path, const char *uri);

/**
 * Sets a JSON reference to a place in the same file.
 *
 * @param node   where the path begins
 * @param path   the path
 * @param target path of the place from the root; the escapes of URIs are made here
 * @since 0.1.0
 */
asdf_status asdf_node_set_reference_to(asdf_node *node, const char *path, const char *target);

/**
 * Sets an array.
 *
 * @param node     where the path begins
 * @param path     the path
 * @param datatype code of the scalar type of the elements; another number is ASDF_ERR_INVALID_ARGUMENT
 * @param rank     number of axes, 0 for a single element
 * @param shape    extent along each axis, slowest first; may be NULL for rank 0
 * @param elements memory with the elements in native byte order, packed in C order unless the options say how they
 *                 lie, which are copied. May be NULL if there are none
 * @param size     bytes of the memory; else than packed elements fill it and others lie within it is
 *                 ASDF_ERR_INVALID_ARGUMENT
 * @param options  how to store it, or NULL
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
 * Sets an array of anything: strings, filled up with NUL; records, packed, each number in native byte order. Byte
 * orders that the datatype gives to fields are those of the file.
 *
 * @param node     where the path begins
 * @param path     the path
 * @param datatype what the elements are; strings that are not ASCII or valid UTF-32, as it says, are ASDF_ERR_ENCODING
 * @param rank     number of axes, 0 for a single element
 * @param shape    extent along each axis, slowest first; may be NULL for rank 0
 * @param elements memory with the elements in native byte order, packed in C order unless the options say how they
 *                 lie, which are copied. May be NULL if there are none
 * @param size     bytes of the memory; else than packed elements fill it and others lie within it is
 *                 ASDF_ERR_INVALID_ARGUMENT
 * @param options  how to store it, or NULL
 * @since 0.1.0
 */
asdf_status asdf_node_set_array_typed(asdf_node *node,
                                      const char *path,
                                      const asdf_datatype *datatype,
                                      int32_t rank,
                                      const int64_t *shape,
                                      const void *elements,
                                      size_t size,
                                      const asdf_options *options);

/**
 * Sets an array whose elements the program lends until they are written. They are packed, and swapped where the byte
 * order of the file is another one, in pieces of 1 MiB as the file is written, or with the whole array in memory while
 * it is compressed.
 *
 * @param node     where the path begins
 * @param path     the path
 * @param datatype code of the scalar type of the elements; another number is ASDF_ERR_INVALID_ARGUMENT
 * @param rank     number of axes, 0 for a single element
 * @param shape    extent along each axis, slowest first; may be NULL for rank 0
 * @param elements memory with the elements in native byte order, packed in C order unless the options say how they
 *                 lie. It must stay valid and unchanged until it is released. May be NULL if there are none
 * @param size     bytes of the memory; else than packed elements fill it and others lie within it is
 *                 ASDF_ERR_INVALID_ARGUMENT
 * @param release  called with user once, when the file that the array is set in and all that hangs on it are freed, or
 *                 nothing needs the elements any more: by the call that frees the last of them, on its thread. NULL
 *                 for none. If this call fails, it is not called
 * @param user     given to release; may be NULL
 * @param options  how to store it, or NULL
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
 * Sets an array of anything whose elements the program lends; see asdf_node_set_array_typed() and
 * asdf_node_set_array_borrowed().
 *
 * @param node     where the path begins
 * @param path     the path
 * @param datatype what the elements are; strings that are not ASCII or valid UTF-32, as it says, are ASDF_ERR_ENCODING
 * @param rank     number of axes, 0 for a single element
 * @param shape    extent along each axis, slowest first; may be NULL for rank 0
 * @param elements memory with the elements, which must stay valid and unchanged until it is released. May be NULL if
 *                 there are none
 * @param size     bytes of the memory
 * @param release  called with user once, when nothing needs the elements any more. NULL for none. If this call fails,
 *                 it is not called
 * @param user     given to release; may be NULL
 * @param options  how to store it, or NULL
 * @since 0.1.0
 */
asdf_status asdf_node_set_array_borrowed_typed(asdf_node *node,
                                               const char *path,
                                               const asdf_datatype *datatype,
                                               int32_t rank,
                                               const int64_t *shape,
                                               const void *elements,
                                               size_t size,
                                               asdf_release_callback release,
                                               void *user,
                                               const asdf_options *options);

/**
 * Changes where the elements of an array are stored, without changing their values. What is stored so already stays as
 * it is, and so do datatype, byte order, mask and all else that the array says of itself.
 *
 * A block is stored again as it is, compressed or not; only a streamed one is never compressed, and elements that are
 * to be text are read. Two arrays on one block are on one block again, or in one file, if both are moved. The block
 * that an array had stays in a file that was opened, unused, until it is compacted; a file that it was in stays, too.
 * A mask that is an array has a storage of its own: its path is that of the array and "mask". Null among elements in
 * the tree becomes a mask.
 *
 * @param node    where the path begins
 * @param path    the path
 * @param storage one of ASDF_STORAGE_...; another number is ASDF_ERR_INVALID_ARGUMENT, and so is a second streamed
 *                array. Inline, a single element (rank 0) is ASDF_ERR_INVALID_ARGUMENT, an integer above INT64_MAX
 *                ASDF_ERR_VALUE_RANGE, and more elements than a tree can hold ASDF_ERR_LIMIT
 * @param options the name of an external file, room and checksum; for elements that were text also byte order (unless
 *                the array says one), order in the file and compression; or NULL. After a failure the array is stored
 *                as before, and the file can be written
 * @since 0.1.0
 */
asdf_status asdf_node_set_storage(asdf_node *node, const char *path, int32_t storage, const asdf_options *options);

/**
 * Copies a node with all below it, from this or another file: so a new file can be made of parts of others. Arrays
 * take their blocks along as they are stored, and no others; two arrays on one block are on one block again, also if
 * they are copied one after the other. Aliases inside stay aliases. JSON references are copied as they are, so those
 * into the file of `from` lead to the same path of this file.
 *
 * A file of another version of the standard gets the tags of its own version: "core/ndarray-1.1.0" of standard 1.6.0
 * is "core/ndarray-1.0.0" in 1.4.0, and "core/table" is "table/table" from 1.6.0 on. So it is for tags of the
 * standard, of transforms and of astropy; other tags are copied as they are. A node with a tag that the version does
 * not have, or with content that it has no place for, such as float16 before 1.6.0, is ASDF_ERR_UNSUPPORTED, and
 * nothing is copied.
 *
 * @param node    where the path begins
 * @param path    the path to copy to
 * @param from    what to copy
 * @param options storage of the elements of all arrays, as for asdf_node_set_storage(); NULL, or options in which
 *                nothing is set, to leave them where they are. With options the blocks of arrays in other files are
 *                brought along, if the options allow it that the file of `from` was opened with; without, the URIs of
 *                such arrays are copied as they are. If an array cannot be stored so, what was copied stays
 * @since 0.1.0
 */
asdf_status asdf_node_copy(asdf_node *node, const char *path, const asdf_node *from, const asdf_options *options);

/**
 * Removes what stands at a path from its mapping or sequence. Nodes there and below answer ASDF_ERR_STALE.
 *
 * @param node where the path begins
 * @param path the path
 * @since 0.1.0
 */
asdf_status asdf_node_remove(asdf_node *node, const char *path);

/*
 * Writing -------------------------------------------------------------------------------------------------------------
 *
 * What is written is the file as it is at that moment; it can be changed and written again. If a setter failed, it is
 * ASDF_ERR_INCOMPLETE.
 *
 * A file is saved as a new file that takes the place of the old one, or in place (ASDF_OPTION_SAVE_MODE). In place,
 * the tree is written into the room between it and the first block (in a file without blocks, to the end of the file),
 * and new blocks replace the block index and what is behind it: the cost follows the tree, not the file. An undo
 * journal beside the file, ".NAME.asdf-journal", lasts as long as the save. This library repairs with it what was
 * interrupted; other readers may meet a mix. These cannot be saved in place: a tree that has outgrown its room, unless
 * the file system can insert room (ASDF_OPTION_INSERT_ROOM); an array with another block under the same number; a file
 * with several names (hard links).
 *
 * Room is inserted on ext4, where it is one transaction, if a page begins in the room (as in files larger than 256 KiB
 * that this library wrote) and nobody has views of the file by this library. Elsewhere the file is written anew, with
 * its blocks shared by both files where the file system can do that (XFS, Btrfs and others).
 *
 * After ASDF_ERR_NOT_DURABLE alone the new file is in place and counts as saved, but a power cut may bring the old one
 * back. After any other error the old file stands.
 */

/**
 * In place if that can be done and the file is larger than 256 KiB and than what is to be written in place; otherwise
 * as a new file.
 */
#define ASDF_SAVE_AUTO 0

/**
 * As a new file that takes the place of the old one: every reader finds the old file or the new one.
 */
#define ASDF_SAVE_WHOLE 1

/**
 * In place; what cannot be saved in place is ASDF_ERR_NOT_IN_PLACE, and nothing is written.
 */
#define ASDF_SAVE_IN_PLACE 2

#define ASDF_REPAIR_INDEX 1 /**< Write the block index, if it is missing or wrong. */

/**
 * Give checksums to blocks that have none. Streamed blocks never have one.
 */
#define ASDF_REPAIR_ABSENT_CHECKSUMS 2

/**
 * Replace those that are of the decoded bytes, as older writers made them.
 */
#define ASDF_REPAIR_DECODED_CHECKSUMS 4

/**
 * Replace those that do not match, whatever happened to the bytes.
 */
#define ASDF_REPAIR_WRONG_CHECKSUMS 8

/**
 * Writes a file under a name. A file that has the name is replaced only with ASDF_OPTION_REPLACE. Until all of the new
 * one is on the disk the old one stays as it was; if anything fails it stays for good, and nothing else is left behind.
 * ASDF_ERR_NOT_DURABLE is the exception: the new file has the name, but waiting for the name failed.
 *
 * A file that was opened for reading is copied byte for byte, and of the other options only the durability counts. One
 * that was opened for update is written with its changes; replaced under its own name it is saved, as by
 * asdf_file_save(). To a pipe or a character device the file is written as by asdf_file_write_descriptor().
 *
 * @param file    the file
 * @param path    name of the file. Where the system allows other bytes than UTF-8 in names, they are taken as they are.
 *                A file that has the name is ASDF_ERR_FILE_EXISTS unless ASDF_OPTION_REPLACE is set. The own name of
 *                a file that was opened for reading is ASDF_ERR_INVALID_ARGUMENT
 * @param options how to write it, or NULL
 * @since 0.1.0
 */
asdf_status asdf_file_write(const asdf_file *file, const char *path, const asdf_options *options);

/**
 * Saves the changes of a file that was opened by asdf_file_open_for_update(); without any, nothing is written.
 *
 * The text of the tree is changed where nodes were, and stays as it is everywhere else, with its comments, order,
 * styles and tags. Blocks stay as they are stored, under their numbers; those of new arrays follow, and those that
 * nothing names any more stay.
 *
 * Either all is written to a new file that then takes the place of the old one, as asdf_file_write() does it: under
 * the name there is always either the old file or the new one, and who has the old one open keeps it. Or what changes
 * is written where the file lies; ASDF_OPTION_SAVE_MODE says when, and forbids the one or the other. Who
 * has the file open then gets ASDF_ERR_FILE_CHANGED. If that is interrupted, the file reads as before the save when
 * it is opened next, with a warning, and is made so when it is opened for update.
 *
 * Nodes stay valid; asdf_node_position() still tells where they were when the file was opened. The file can be
 * changed and saved again, also after a failure. After ASDF_ERR_NOT_DURABLE it is saved: to save it again without a
 * change writes nothing and waits for nothing.
 *
 * @param file    the file. One that somebody else changed since it was opened is ASDF_ERR_FILE_CHANGED, a new one
 *                ASDF_ERR_INVALID_ARGUMENT, one that needs to be written anew against the options
 *                ASDF_ERR_NOT_IN_PLACE
 * @param options how to write it, or NULL
 * @since 0.1.0
 */
asdf_status asdf_file_save(asdf_file *file, const asdf_options *options);

/**
 * Saves a file that was opened by asdf_file_open_for_update(), changed or not, as small as it can be: without the
 * blocks that nothing in its tree names, without gaps between the others, and with no more room behind the tree than
 * the options ask for. Blocks are copied as they are stored. A whole new file takes the place of the old one, as with
 * asdf_file_write().
 *
 * This is the one call that changes the numbers of blocks: the tree gets the new ones, and its text stays as it is
 * everywhere else; other files that name blocks of this one by number are not known. A block that something else than
 * an array may name, by an integer under the key `source`, stays under its number, and blocks before it that nothing
 * names lose their bytes only. All blocks stay if a key that speaks of blocks has an integer.
 *
 * @param file    the file; it fails as asdf_file_save() does
 * @param options how to write it, or NULL
 * @since 0.1.0
 */
asdf_status asdf_file_compact(asdf_file *file, const asdf_options *options);

/**
 * Mends what a file that was opened by asdf_file_open_for_update() says of its blocks. Tree and payloads stay as they
 * are; if there is nothing to mend, nothing is written.
 *
 * The file must have no changes that wait to be saved, else it is ASDF_ERR_INVALID_ARGUMENT. A block that the file
 * ends in is ASDF_ERR_TRUNCATED, something else than an index behind the last block ASDF_ERR_LAYOUT, and a block that
 * must be decoded to judge its checksum and cannot be, whatever decoding it reports. Such files stay as they are.
 *
 * @param file      the file
 * @param what      a sum of ASDF_REPAIR_ constants
 * @param options   how to write it, or NULL
 * @param index     gets whether the index was written; may be NULL
 * @param checksums gets the number of blocks that got another checksum; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_file_repair(asdf_file *file,
                             int32_t what,
                             const asdf_options *options,
                             int32_t *index,
                             int64_t *checksums);

/**
 * Writes a file into memory, as asdf_file_write() writes it.
 *
 * @param file    the file
 * @param options how to write it, or NULL
 * @param buffer  gets the bytes; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_file_write_memory(const asdf_file *file, const asdf_options *options, asdf_buffer **buffer);

/**
 * Writes a file to a descriptor, from where it stands on, in one go from front to back: a pipe will do. What was
 * written before a failure cannot be taken back. The descriptor stays open.
 *
 * The library leaves signals alone: a program that does not ignore SIGPIPE ends when it writes to a pipe that nobody
 * reads any more; one that does gets ASDF_ERR_IO.
 *
 * @param file       the file
 * @param descriptor file descriptor, open for writing
 * @param options    how to write it, or NULL
 * @since 0.1.0
 */
asdf_status asdf_file_write_descriptor(const asdf_file *file, int32_t descriptor, const asdf_options *options);

/**
 * Writes a copy of a file under a name, with each block in a file of its own beside it: the exploded form. Two arrays
 * on one block share a file. The text of the tree and the payloads stay as they are stored.
 *
 * The files of blocks are written first, under names that ASDF_OPTION_EXTERNAL_NAMES decides, and replace
 * none; then the main file takes its name. If anything fails, none of them stays, and an existing main file stays as
 * it was; after ASDF_ERR_NOT_DURABLE all are in place. If the program is killed meanwhile, some may be left, whole;
 * exploding the file again takes them for its own.
 *
 * A block that no array names stays in the main file under its number, and so do those that something else than an
 * array may name. Arrays in other files stay there, unless their URIs would mean others where the main file is: then
 * their blocks come along, if the options that the file was opened with allow it.
 *
 * @param file    the file: opened for reading, for update (with its changes), or new
 * @param path    name of the main file. A file that has it is ASDF_ERR_FILE_EXISTS unless ASDF_OPTION_REPLACE is set;
 *                the file itself, a pipe and a device are ASDF_ERR_INVALID_ARGUMENT
 * @param options how to write it, or NULL
 * @since 0.1.0
 */
asdf_status asdf_file_explode(const asdf_file *file, const char *path, const asdf_options *options);

/**
 * Writes a copy of a file under a name, to which the blocks of arrays in other files are brought. Arrays on the same
 * file share a block. The text of the tree and the payloads stay as they are stored; blocks keep their numbers, and
 * those that are brought follow. References into the trees of other files stay references.
 *
 * @param file    the file. The options that it was opened with must allow the other files: if they allow none, it is
 *                ASDF_ERR_EXTERNAL_REFERENCE
 * @param path    name of the file to write. A file that has it is ASDF_ERR_FILE_EXISTS unless ASDF_OPTION_REPLACE is
 *                set; the file itself, a pipe and a device are ASDF_ERR_INVALID_ARGUMENT
 * @param options how to write it, or NULL
 * @since 0.1.0
 */
asdf_status asdf_file_implode(const asdf_file *file, const char *path, const asdf_options *options);

/**
 * Lets a file be written although a setter failed, without what that was to set.
 *
 * @param file the file
 * @since 0.1.0
 */
asdf_status asdf_file_forget_failure(asdf_file *file);

/*
 * Changing what is there ----------------------------------------------------------------------------------------------
 *
 * These functions work on new files and on those opened for update, and fail as the setters do. Nodes stay valid, and
 * the text around them stays as it is, with comments and styles.
 *
 * A key that a mapping has only because another one is merged into it ("<<") belongs to that one: to rename, move or
 * remove it here is ASDF_ERR_INVALID_ARGUMENT, and the message tells where it stands; setters give the mapping a pair
 * of its own. JSON references that lead to a place that is renamed or moved are left as they are, as those of other
 * files have to be: they then lead to what stands under the old path, or nowhere.
 *
 *     asdf_file_open_for_update("image.asdf", NULL, &file);
 *     asdf_file_root(file, &root);
 *     asdf_node_rename_key(root, "meta/exp", "exposure");
 *     asdf_node_insert_key(root, "meta", "observer", ASDF_INSERT_AFTER, "exposure");
 *     asdf_node_set_string(root, "meta/observer", "N. Roman", 8);
 *     asdf_node_move(root, "draft/list/3", "list/0");
 *     asdf_node_recompress_array(root, "data", "zstd", -1);
 *     asdf_file_save(file, NULL);
 */

#define ASDF_INSERT_BEFORE 0 /**< Before the neighbour, or before all. */
#define ASDF_INSERT_AFTER 1  /**< Behind the neighbour, or behind all. */

/**
 * Inserts null into a sequence, to be set as any item that exists. Items behind it move up by one.
 *
 * @param node  where the path begins
 * @param path  the path of the sequence; something else there is ASDF_ERR_WRONG_TYPE
 * @param index the item before which it goes, from 0; as many as there are items, or -1, for the end. Another is
 *              ASDF_ERR_OUT_OF_RANGE
 * @since 0.1.0
 */
asdf_status asdf_node_insert_item(asdf_node *node, const char *path, int64_t index);

/**
 * Inserts a key with null into a mapping, to be set as any value that exists. Without this a key that is set goes to
 * the end.
 *
 * @param node      where the path begins
 * @param path      the path of the mapping; something else there is ASDF_ERR_WRONG_TYPE
 * @param key       the key; one that the mapping has is ASDF_ERR_INVALID_ARGUMENT
 * @param position  ASDF_INSERT_BEFORE or ASDF_INSERT_AFTER; another number is ASDF_ERR_INVALID_ARGUMENT
 * @param neighbour the key that it goes before or after, ASDF_ERR_NOT_FOUND if there is none; NULL for before or after
 *                  all
 * @since 0.1.0
 */
asdf_status asdf_node_insert_key(asdf_node *node,
                                 const char *path,
                                 const char *key,
                                 int32_t position,
                                 const char *neighbour);

/**
 * Gives a value of a mapping another key. Its place, its text and its comments stay.
 *
 * @param node where the path begins
 * @param path the path of the value; an item of a sequence, or the root, is ASDF_ERR_WRONG_TYPE
 * @param key  the new key; one that the mapping has is ASDF_ERR_INVALID_ARGUMENT
 * @since 0.1.0
 */
asdf_status asdf_node_rename_key(asdf_node *node, const char *path, const char *key);

/**
 * Moves what stands at a path, with all below it and its comments, as JSON Patch (RFC 6902) does: it is taken out, and
 * then put in at the other path. Arrays keep their blocks. An alias never comes to stand before what it means: the
 * first place gets the content, and the others become aliases of it.
 *
 * @param node where both paths begin
 * @param path the path of what to move; the root is ASDF_ERR_INVALID_ARGUMENT
 * @param to   where to. The last part is the index that it gets in a sequence ("-" for the end; beyond the end is
 *             ASDF_ERR_OUT_OF_RANGE), or its key in a mapping, where it takes the place of what has that key.
 *             Collections that are missing on the way are made as setters make them. A place within what is moved is
 *             ASDF_ERR_INVALID_ARGUMENT
 * @since 0.1.0
 */
asdf_status asdf_node_move(asdf_node *node, const char *path, const char *to);

/**
 * Gives an array another shape. Elements keep their indices: along each axis the end is cut off or filled up.
 * Datatype, byte order, compression (at the usual level), the number of the block, unless something else names that,
 * and other keys of the node stay; it is then packed in C order, and no longer streamed. A mask that is an array of
 * the same shape gets the new one as well, with no new element missing.
 *
 * The block is compared with its checksum now (ASDF_ERR_CHECKSUM); the elements are read in pieces when the file is
 * written. Elements that are not in a block of the file are ASDF_ERR_UNSUPPORTED.
 *
 * @param node  where the path begins
 * @param path  the path of the array
 * @param rank  number of axes, which is that of the array
 * @param shape new extent along each axis, slowest first; may be NULL for rank 0. One that the mask does not suit is
 *              ASDF_ERR_INVALID_ARGUMENT
 * @param fill  one element in native byte order for the new ones, or NULL for zeros
 * @param size  its bytes; else than an element takes is ASDF_ERR_INVALID_ARGUMENT
 * @param options NULL, or options; none of them changes how the array is resized
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
 * Stores an array with another compression. The number of its block, the values, and whether there is a checksum stay;
 * arrays that share the block find the same in it. Fails as asdf_node_resize_array() does, but the array is stored as
 * before then, and the file can be written. The block is decoded when the file is written.
 *
 * @param node  where the path begins
 * @param path  the path of the array
 * @param options codec and level, or NULL for no compression
 * @since 0.1.0
 */
asdf_status asdf_node_recompress_array(asdf_node *node, const char *path, const asdf_options *options);

/*
 * Arrays larger than memory -------------------------------------------------------------------------------------------
 *
 * An array can be set without its elements: a callback gives them while the file is written, or they are zeros that
 * are written over later. For rows whose number is not known before there are streams.
 *
 *     asdf_node_set_array_callback(root, "spectra", ASDF_FLOAT32, 2, shape, read_spectra, NULL, instrument, NULL);
 *     asdf_node_set_array_zeros(root, "cube", ASDF_FLOAT32, 3, huge, NULL);
 *     asdf_file_write(file, "survey.asdf", NULL);
 */

/**
 * Sets an array whose elements a callback gives when the file is written. It is asked for them in order and for each
 * once, for at most 1 MiB at a time, or one element that is larger; no more is held. The checksum and the sizes of
 * compressed bytes are filled in afterwards, so the callback is not called twice for them. zlib, bzp2, lz4, lz4f and
 * zstd compress the elements as they come; other codecs are ASDF_ERR_UNSUPPORTED then.
 *
 * A file with such an array that is written to a descriptor has no checksum for it, and cannot have it compressed
 * (ASDF_ERR_UNSUPPORTED).
 *
 * If the callback fails, so does the call that writes, with ASDF_ERR_CALLBACK and a message with what it answered;
 * what stood under the file's name before stays. Each time that the file is written the callback is asked anew; and
 * also if the array is read while it is not saved, then for any part of it.
 *
 * @param node     where the path begins
 * @param path     the path
 * @param datatype code of the scalar type of the elements; another number is ASDF_ERR_INVALID_ARGUMENT
 * @param rank     number of axes, 0 for a single element
 * @param shape    extent along each axis, slowest first; may be NULL for rank 0
 * @param read     gives the elements in native byte order, packed in C order: its offsets and sizes are those of these
 *                 bytes. It may give fewer than it is asked for
 * @param close    releases what user stands for: called once, when nothing needs the elements any more. NULL for none.
 *                 If this call fails, it is not called
 * @param user     given to the callbacks; may be NULL
 * @param options  how to store it, or NULL. Storage in the tree and in Fortran's order is ASDF_ERR_INVALID_ARGUMENT
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
 * Sets an array of anything whose elements a callback gives when the file is written; see
 * asdf_node_set_array_callback().
 *
 * @param node     where the path begins
 * @param path     the path
 * @param datatype what the elements are: strings are filled up with NUL, records packed. Strings that are not ASCII or
 *                 valid UTF-32, as it says, are ASDF_ERR_ENCODING when the file is written
 * @param rank     number of axes, 0 for a single element
 * @param shape    extent along each axis, slowest first; may be NULL for rank 0
 * @param read     gives the elements in native byte order, packed in C order
 * @param close    releases what user stands for; NULL for none. If this call fails, it is not called
 * @param user     given to the callbacks; may be NULL
 * @param options  how to store it, or NULL
 * @since 0.1.0
 */
asdf_status asdf_node_set_array_callback_typed(asdf_node *node,
                                               const char *path,
                                               const asdf_datatype *datatype,
                                               int32_t rank,
                                               const int64_t *shape,
                                               asdf_read_callback read,
                                               asdf_close_callback close,
                                               void *user,
                                               const asdf_options *options);

/**
 * Sets an array of zeros, however large, to be written over later. Its block is left out of the file where the system
 * can do that, so that it takes no room on the disk until it is written to, and has no checksum. To a descriptor the
 * zeros are written.
 *
 * @param node     where the path begins
 * @param path     the path
 * @param datatype code of the scalar type of the elements; another number is ASDF_ERR_INVALID_ARGUMENT
 * @param rank     number of axes, 0 for a single element
 * @param shape    extent along each axis, slowest first; may be NULL for rank 0
 * @param options  how to store it, or NULL. Storage in the tree, compression and a checksum are
 *                 ASDF_ERR_INVALID_ARGUMENT
 * @since 0.1.0
 */
asdf_status asdf_node_set_array_zeros(asdf_node *node,
                                      const char *path,
                                      int32_t datatype,
                                      int32_t rank,
                                      const int64_t *shape,
                                      const asdf_options *options);

/**
 * Sets an array of anything whose bytes are all zero; see asdf_node_set_array_zeros().
 *
 * @param node     where the path begins
 * @param path     the path
 * @param datatype what the elements are; strings are empty
 * @param rank     number of axes, 0 for a single element
 * @param shape    extent along each axis, slowest first; may be NULL for rank 0
 * @param options  how to store it, or NULL
 * @since 0.1.0
 */
asdf_status asdf_node_set_array_zeros_typed(asdf_node *node,
                                            const char *path,
                                            const asdf_datatype *datatype,
                                            int32_t rank,
                                            const int64_t *shape,
                                            const asdf_options *options);

/**
 * Writes elements over those of a region of an array: along each axis `count` elements from `start` on, `step` apart.
 * It takes the arguments of asdf_array_read_region(), and what it costs follows the region, too.
 *
 * In a file opened for update the elements are written where they are stored, at once, and all arrays of this handle
 * of the file show them. asdf_file_save() makes them last; closing or freeing the file without it gives back what was
 * there, and so does the next opening if the program did not get that far: what is overwritten is kept in a journal
 * beside the file, by the MiB and once for each, where nothing was written yet as a mark. Until the file is saved,
 * others that use this library read it as it was. A block that had a checksum gets a new one when the file is saved,
 * for which it is read once, or none if the options for writing say so.
 *
 * An array that was set and not saved yet is changed in memory. Elements that are compressed, in the tree, in another
 * file, lent, or given by a callback are ASDF_ERR_UNSUPPORTED, an array with a mask is ASDF_ERR_MASKED (see
 * asdf_array_without_mask()), a file opened for reading is ASDF_ERR_READ_ONLY.
 *
 * Elements that do not fit are seen before anything is written. If writing itself fails, the file is not saved any
 * more without asdf_file_forget_failure().
 *
 * @param array    the array
 * @param rank     number of axes, which is that of the array; else ASDF_ERR_INVALID_ARGUMENT
 * @param start    first index along each axis; a region that reaches outside is ASDF_ERR_OUT_OF_RANGE
 * @param count    number of elements along each axis
 * @param step     distance of the indices along each axis, negative to go backwards from start, never 0; NULL for 1
 * @param datatype code of the scalar type of the elements in memory, which are converted as reading does it; another
 *                 number is ASDF_ERR_INVALID_ARGUMENT
 * @param elements the elements, native, in C order unless the options say otherwise: by strides they may overlap, so
 *                 that strides of 0 fill the region with one element. May be NULL if there are none
 * @param size     bytes of that memory; too few are ASDF_ERR_BUFFER_TOO_SMALL
 * @param options  how the elements lie in memory, and whether those that do not fit are clamped, or NULL
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
 * Writes elements over those of a region of an array, also strings and records; see asdf_array_write_region().
 *
 * @param array    the array
 * @param rank     number of axes, which is that of the array; else ASDF_ERR_INVALID_ARGUMENT
 * @param start    first index along each axis; a region that reaches outside is ASDF_ERR_OUT_OF_RANGE
 * @param count    number of elements along each axis
 * @param step     distance of the indices along each axis, negative to go backwards from start, never 0; NULL for 1
 * @param datatype what the elements in memory are. ASDF_ASCII stands for UTF-8 of so many bytes where strings are
 *                 converted; what is no text, or not ASCII where it must be, is ASDF_ERR_ENCODING
 * @param elements the elements; may be NULL if there are none
 * @param size     bytes of that memory; too few are ASDF_ERR_BUFFER_TOO_SMALL
 * @param options  how the elements lie in memory, or NULL
 * @since 0.1.0
 */
asdf_status asdf_array_write_region_typed(asdf_array *array,
                                          int32_t rank,
                                          const int64_t *start,
                                          const int64_t *count,
                                          const int64_t *step,
                                          const asdf_datatype *datatype,
                                          const void *elements,
                                          size_t size,
                                          const asdf_options *options);

/*
 * Streams -------------------------------------------------------------------------------------------------------------
 *
 * A stream writes a file with one array more, whose rows are pushed as they come: converted to the byte order of the
 * file, compressed and added to the checksum on the way, with few of them held in memory. asdf_stream_finish() fills
 * in how many they were and gives the file its name; until then what had the name before stays as it was, and a stream
 * that is freed without it leaves nothing behind.
 *
 *     asdf_stream *stream = NULL;
 *     const int64_t row[] = {2048};
 *     asdf_stream_create(file, "run.asdf", "spectra", ASDF_FLOAT32, 1, row, NULL, NULL, &stream);
 *     while (next_spectrum(spectrum)) asdf_stream_push(stream, 1, spectrum, sizeof spectrum);
 *     asdf_stream_finish(stream);
 *     asdf_stream_free(stream);
 */

/**
 * Begins to write a file under a name, with an array at a path of its tree whose rows are to be pushed. What else the
 * file holds is written as asdf_file_write() would write it now, before the first row; what is set in it later has no
 * part in that. The file itself does not get the array: to read it, open what was written.
 *
 * The array is in the last block of the file. With ASDF_STORAGE_STREAMED that block runs to the end of the file, and
 * the tree does not say how many rows it has: so it can neither be compressed nor have a checksum, and the file has no
 * block index. With ASDF_STORAGE_EXTERNAL it is the only block of another file beside, which gets its name just before
 * the one that names it.
 *
 * zlib, bzp2, lz4, lz4f and zstd compress rows as they come; other codecs are ASDF_ERR_UNSUPPORTED. Besides the tree
 * and what the codec needs, 1 MiB of rows is held; with zlib 1 MiB and with lz4 4 MiB more for each thread.
 *
 * @param file          the file, new or opened for update
 * @param path          name of the file to write. A file that has it, now or when the stream is finished, is
 *                      ASDF_ERR_FILE_EXISTS unless ASDF_OPTION_REPLACE is set; a pipe or a device is
 *                      ASDF_ERR_INVALID_ARGUMENT
 * @param node_path     path of the array from the root of the tree; what stands there is replaced in what is written
 * @param datatype      code of the scalar type of the elements; another number is ASDF_ERR_INVALID_ARGUMENT
 * @param row_rank      number of axes of a row, 0 if it is a single element; the array has one more
 * @param row_shape     extent of a row along each axis; rows of no elements are ASDF_ERR_INVALID_ARGUMENT. May be NULL
 *                      for rank 0
 * @param options       how to store the array, how rows lie in memory, and how to write the file, or NULL. Storage in
 *                      the tree or in Fortran's order is ASDF_ERR_INVALID_ARGUMENT
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
 * Begins to write a file with an array of anything whose rows are to be pushed; see asdf_stream_create().
 *
 * @param file          the file, new or opened for update
 * @param path          name of the file to write
 * @param node_path     path of the array from the root of the tree
 * @param datatype      what the elements are: strings, records, anything. Elements without bytes are
 *                      ASDF_ERR_INVALID_ARGUMENT
 * @param row_rank      number of axes of a row, 0 if it is a single element
 * @param row_shape     extent of a row along each axis; may be NULL for rank 0
 * @param options       how to store the array, how rows lie in memory, and how to write the file, or NULL
 * @param stream        gets the stream; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_stream_create_typed(const asdf_file *file,
                                     const char *path,
                                     const char *node_path,
                                     const asdf_datatype *datatype,
                                     int32_t row_rank,
                                     const int64_t *row_shape,
                                     const asdf_options *options,
                                     asdf_stream **stream);

/**
 * Adds rows to a stream.
 *
 * @param stream the stream; one that was finished is ASDF_ERR_CLOSED
 * @param count  how many rows, 0 or more
 * @param rows   the elements in native byte order, one row after the other in C order, unless the options say
 *               how they lie: then as an array whose first axis counts the rows. May be NULL if there are none
 * @param size   bytes of that memory; else than packed elements fill it and others lie within it is
 *               ASDF_ERR_INVALID_ARGUMENT, strings that are not ASCII or valid UTF-32 are ASDF_ERR_ENCODING: nothing is
 *               added then. After any other failure the stream can only be freed
 * @since 0.1.0
 */
asdf_status asdf_stream_push(asdf_stream *stream, int64_t count, const void *rows, size_t size);

/**
 * The number of rows that were pushed.
 *
 * @param stream the stream
 * @param count  gets the number, also after it was finished
 * @since 0.1.0
 */
asdf_status asdf_stream_row_count(const asdf_stream *stream, int64_t *count);

/**
 * Writes what is left, fills in how many rows there are, and gives the file its name, waiting for the disk if the
 * options for writing ask for that. The stream is of no further use then, whether or not that succeeded, and is to be
 * freed. After ASDF_ERR_NOT_DURABLE the file has its name; only waiting for the name failed.
 *
 * @param stream the stream. After a failed push it is ASDF_ERR_INCOMPLETE, if it was finished ASDF_ERR_CLOSED
 * @since 0.1.0
 */
asdf_status asdf_stream_finish(asdf_stream *stream);

/**
 * Frees a stream. One that was not finished leaves nothing behind, and what had the name of its file stays.
 *
 * @param stream the stream, or NULL
 * @since 0.1.0
 */
void asdf_stream_free(asdf_stream *stream);

/*
 * History -------------------------------------------------------------------------------------------------------------
 *
 * A file may tell what was done to it. Entries are nodes like any other; only the place of their list depends on the
 * version of the standard.
 *
 *     asdf_node *entries = NULL;
 *     int64_t count = 0;
 *     char text[200];
 *     asdf_file_add_history(file, "flat field divided", 18, NULL, "pipeline", "2.1", NULL, NULL);
 *     if (asdf_file_history(file, &entries) == ASDF_OK) {
 *         asdf_node_count(entries, "", &count);
 *         asdf_node_get_string(entries, "0/description", text, sizeof text, NULL);
 *         asdf_node_free(entries);
 *     }
 */

/**
 * Gives the list of the history's entries, in the order in which they were appended.
 *
 * @param file    the file
 * @param entries gets the sequence; NULL on failure. A file that tells nothing is ASDF_ERR_NOT_FOUND
 * @since 0.1.0
 */
asdf_status asdf_file_history(const asdf_file *file, asdf_node **entries);

/**
 * Appends an entry to the history of a file that is new or was opened for update (core/history_entry), where the
 * version of the standard wants it: from 1.2.0 on in the list `history/entries`, before in the list `history`. A list
 * at the other place moves, unless it would have to leave `history/extensions` behind.
 *
 * @param file              the file
 * @param description       what was done
 * @param length            its length in bytes
 * @param time              when it was done: a date with time and offset, "2027-01-31T04:05:06Z"; anything else is
 *                          ASDF_ERR_INVALID_ARGUMENT. NULL for now
 * @param software_name     which program did it, or NULL to leave that open; then the three below are NULL, too
 * @param software_version  its version, which the standard wants with the name: NULL is ASDF_ERR_INVALID_ARGUMENT
 * @param software_author   who made it, or NULL
 * @param software_homepage a URI where it is found, or NULL
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

/* 6. Options ======================================================================================================= */

/*
 * Options -------------------------------------------------------------------------------------------------------------
 *
 * One kind of options serves all calls. Options begin empty, which means the defaults; each is set under its key, and
 * NULL in the place of options means the defaults, too. A call works on a snapshot: what is set later does not change
 * it, and options can be freed at any time. They never hold memory of the program.
 *
 * A key that a call does not know is ASDF_ERR_INVALID_ARGUMENT, and so is a value out of range; the message names
 * option, call and what is allowed.
 *
 *     asdf_options *options = NULL;
 *     asdf_options_new(&options);
 *     asdf_options_set_int(options, ASDF_OPTION_VERIFY_CHECKSUMS, 1);
 *     asdf_options_set_int(options, ASDF_OPTION_LIMIT_TREE_BYTES, 16 << 20);
 *     asdf_file_open("image.asdf", options, &file);
 *     asdf_options_free(options);
 */

/**
 * Makes options in which nothing is set.
 *
 * @param options gets the options; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_options_new(asdf_options **options);

/**
 * Copies options. A change of the one does not change the other.
 *
 * @param options the options
 * @param copy    gets the copy; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_options_copy(const asdf_options *options, asdf_options **copy);

/**
 * Frees options. Calls that began with them go on.
 *
 * @param options the options, or NULL
 * @since 0.1.0
 */
void asdf_options_free(asdf_options *options);

/**
 * Unsets an option, so that its default holds again.
 *
 * @param options the options
 * @param key     an ASDF_OPTION_ constant; another number is ASDF_ERR_INVALID_ARGUMENT
 * @since 0.1.0
 */
asdf_status asdf_options_unset(asdf_options *options, int32_t key);

/**
 * Sets an integer: a truth value (0 or 1), a number, or a constant.
 *
 * @param options the options
 * @param key     an ASDF_OPTION_ constant; one that takes no integer is ASDF_ERR_INVALID_ARGUMENT
 * @param value   the value; one out of range is ASDF_ERR_INVALID_ARGUMENT
 * @since 0.1.0
 */
asdf_status asdf_options_set_int(asdf_options *options, int32_t key, int64_t value);

/**
 * Sets an integer for one path.
 *
 * @param options the options
 * @param key     ASDF_OPTION_EXTENT; another key is ASDF_ERR_INVALID_ARGUMENT
 * @param path    the path, as the meaning of the key says. An integer that was set for it before is replaced
 * @param value   the value; one out of range is ASDF_ERR_INVALID_ARGUMENT
 * @since 0.1.0
 */
asdf_status asdf_options_set_int_at(asdf_options *options, int32_t key, const char *path, int64_t value);

/**
 * Sets a list of integers in the place of an earlier one.
 *
 * @param options the options
 * @param key     ASDF_OPTION_STRIDES; another key is ASDF_ERR_INVALID_ARGUMENT
 * @param ints    the integers, which are copied; may be NULL if there are none
 * @param count   how many they are; 0 for an empty list, a negative number is ASDF_ERR_INVALID_ARGUMENT
 * @since 0.1.0
 */
asdf_status asdf_options_set_ints(asdf_options *options, int32_t key, const int64_t *ints, int64_t count);

/**
 * Sets a text.
 *
 * @param options the options
 * @param key     an ASDF_OPTION_ constant; one that takes no text, or a list, is ASDF_ERR_INVALID_ARGUMENT
 * @param text    the text in UTF-8, which is copied. Names of files are bytes of the system without NUL. May be NULL if
 *                the length is 0. A text that names nothing known fails in the call that uses it
 * @param length  its bytes
 * @since 0.1.0
 */
asdf_status asdf_options_set_text(asdf_options *options, int32_t key, const char *text, size_t length);

/**
 * Adds a text to a list.
 *
 * @param options the options
 * @param key     an ASDF_OPTION_ constant; one that takes no list of texts is ASDF_ERR_INVALID_ARGUMENT
 * @param text    the text, as for asdf_options_set_text(). NULL makes the list empty, which is not the same as unset
 * @param length  its bytes
 * @since 0.1.0
 */
asdf_status asdf_options_add_text(asdf_options *options, int32_t key, const char *text, size_t length);

/**
 * Gets an integer that was set.
 *
 * @param options the options
 * @param key     an ASDF_OPTION_ constant; one that was not set is ASDF_ERR_NOT_FOUND, one that takes no integer
 *                ASDF_ERR_WRONG_TYPE
 * @param value   gets the value
 * @since 0.1.0
 */
asdf_status asdf_options_get_int(const asdf_options *options, int32_t key, int64_t *value);

/**
 * Gets a list of integers that was set.
 *
 * @param options  the options
 * @param key      an ASDF_OPTION_ constant; one that was not set is ASDF_ERR_NOT_FOUND, one that takes no integers
 *                 ASDF_ERR_WRONG_TYPE
 * @param ints     gets the integers; may be NULL if the capacity is 0
 * @param capacity integers that may be written; fewer than there are is ASDF_ERR_BUFFER_TOO_SMALL
 * @param count    gets how many there are; may be NULL if the capacity is not 0
 * @since 0.1.0
 */
asdf_status asdf_options_get_ints(const asdf_options *options,
                                  int32_t key,
                                  int64_t *ints,
                                  int32_t capacity,
                                  int32_t *count);

/**
 * Gets a text that was set, or one of a list.
 *
 * @param options  the options
 * @param key      an ASDF_OPTION_ constant; one that was not set is ASDF_ERR_NOT_FOUND, one that takes no text
 *                 ASDF_ERR_WRONG_TYPE
 * @param index    number of the text in its list, from 0; one behind the last is ASDF_ERR_OUT_OF_RANGE. 0 for what is
 *                 no list
 * @param buffer   gets the text
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the text; may be NULL
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
 * A key has one meaning, type, default and range in every call that knows it. The tables further down tell which call
 * knows which key. Every call knows ASDF_OPTION_THREADS, ASDF_OPTION_PROGRESS and the limits, also where they change
 * nothing; so options with limits can serve all calls of a program.
 */

/**
 * Threads that one call may use, the calling one included. All have ended when the call returns; callbacks run on the
 * calling thread alone.
 */
#define ASDF_OPTION_THREADS 1

/**
 * Callback that is told how far a call is, and can end it: asdf_options_set_progress(). It lasts for the call. Readers,
 * writers and streams keep it, files do not.
 */
#define ASDF_OPTION_PROGRESS 2

#define ASDF_OPTION_LIMIT_TREE_BYTES 20 /**< Most bytes of the YAML tree. */

/**
 * Deepest nesting of collections, in block and in flow style each. Descriptions nest at most 128 deep.
 */
#define ASDF_OPTION_LIMIT_DEPTH 21

#define ASDF_OPTION_LIMIT_NODES 22         /**< Most nodes of a tree. */
#define ASDF_OPTION_LIMIT_ANCHORS 23       /**< Most anchors, and most aliases. */
#define ASDF_OPTION_LIMIT_RANK 24          /**< Most axes of an array. */
#define ASDF_OPTION_LIMIT_BLOCKS 25        /**< Most blocks of a file. */
#define ASDF_OPTION_LIMIT_DECODED_BYTES 26 /**< Most bytes of memory for decoded blocks. */

/**
 * Most other files that one file leads to, also through others.
 */
#define ASDF_OPTION_LIMIT_EXTERNAL_FILES 27

#define ASDF_OPTION_LIMIT_EXTERNAL_DEPTH 28 /**< Most files that a look-up passes through. */

/**
 * Most bytes of temporary files with decoded blocks.
 */
#define ASDF_OPTION_LIMIT_TEMPORARY_BYTES 29

#define ASDF_OPTION_LIMIT_RECORD_BYTES 30 /**< Most bytes of one record of a table in text. */

/**
 * Most elements in one cell of a table, by its declared shape.
 */
#define ASDF_OPTION_LIMIT_CELL_ELEMENTS 31

/**
 * Most bytes of memory of a table or batch beyond those stored.
 */
#define ASDF_OPTION_LIMIT_TABLE_BYTES 32

/**
 * Most bytes of all arrays of a file made from a description.
 */
#define ASDF_OPTION_LIMIT_CREATED_BYTES 33

/**
 * Compare each block with its MD5 checksum before its bytes are first given out. A block that differs is
 * ASDF_ERR_CHECKSUM; a block without a checksum passes.
 */
#define ASDF_OPTION_VERIFY_CHECKSUMS 100

/**
 * Count each warning as an error. Opening an ASDF file with a warning fails, and all block headers are read for that;
 * a description with a warning is not valid.
 */
#define ASDF_OPTION_WARNINGS_AS_ERRORS 101

/**
 * Read through a map of the file instead of by position, also the files that it leads to. On some machines that is
 * faster, on others slower. If another process shortens the mapped file, the program is stopped by SIGBUS.
 */
#define ASDF_OPTION_MAPPED 102

/**
 * Hold an advisory lock while a file is open for update. A file that another handle of this library has open for
 * update, in this process or another one, is then ASDF_ERR_LOCKED. Where the file system has no locks, nothing is
 * refused.
 */
#define ASDF_OPTION_LOCK 103

/**
 * Decoded bytes of compressed blocks that stay in memory after a part of an array was read, for the next part of it.
 * The file and the files that it leads to share them. The least recently used bytes go first. 0 keeps nothing, in
 * memory or on disk. Default: ASDF_OPTION_LIMIT_DECODED_BYTES, which is also the most.
 */
#define ASDF_OPTION_CACHE_BYTES 104

/**
 * Directory for the decoded bytes of blocks larger than ASDF_OPTION_CACHE_BYTES. They go to files without a name,
 * which are gone when the file is closed or the program ends. Empty for no such files: each read of a region then
 * decodes the block again.
 */
#define ASDF_OPTION_TEMPORARY_DIRECTORY 105

/**
 * Other files that may be opened because the file names them: an ASDF_ACCESS_ constant.
 */
#define ASDF_OPTION_ACCESS 106

/**
 * Directories in which, and below which, such files may be. Neither ".." nor links lead out of them.
 */
#define ASDF_OPTION_DIRECTORIES 107

/**
 * Callback that opens such files, of any scheme: asdf_options_set_resolver().
 */
#define ASDF_OPTION_RESOLVER 108

/**
 * Codecs of the program: asdf_options_add_codec(). A call that reads uses them beside the codecs of the library, one
 * of the same label counts once, the last one. A call that stores an array compresses it with the last one, in place
 * of ASDF_OPTION_CODEC.
 */
#define ASDF_OPTION_CUSTOM_CODECS 109

/**
 * Wait for the disk before asdf_array_write_region() overwrites a piece for the first time since the last save.
 * Without waiting, a power cut before the save may leave elements that are neither old nor new.
 */
#define ASDF_OPTION_DURABLE_REGIONS 110

/**
 * Version of the ASDF standard of a new file, "1.0.0" to "1.6.0", or "1.7.0", which is not stable yet. It decides the
 * versions of the tags.
 */
#define ASDF_OPTION_STANDARD 111

/**
 * Wait until data and name are on the disk. Without waiting, a power cut soon after may leave an incomplete file; a
 * crash of the program does not. ASDF_ERR_NOT_DURABLE says that the last wait failed, for the name of a file that is
 * in place.
 */
#define ASDF_OPTION_DURABLE 200

/**
 * Replace a file that has the name already; otherwise such a file is ASDF_ERR_FILE_EXISTS, and nothing is written. The
 * old file stays until the new one is whole. A link is followed; a link that leads nowhere counts as a file. A
 * directory is never replaced: it is ASDF_ERR_INVALID_ARGUMENT. Pipes and character devices, such as /dev/null, are
 * written to and need no leave.
 */
#define ASDF_OPTION_REPLACE 201

/**
 * Alignment of payloads in the file in bytes, a power of two; 1 for none.
 */
#define ASDF_OPTION_ALIGNMENT 202

/**
 * Bytes left free after the tree, so that it can grow later without moving the blocks. Default: a number that follows
 * the size of the tree.
 */
#define ASDF_OPTION_TREE_SLACK 203

/**
 * Write MD5 checksums of blocks, except where ASDF_OPTION_BLOCK_CHECKSUM decided for a block.
 */
#define ASDF_OPTION_CHECKSUMS 204

/**
 * Write a block index, by which readers find a block without reading the headers of those before it.
 */
#define ASDF_OPTION_BLOCK_INDEX 205

/**
 * Pattern for the names of files that external arrays are written to, beside the main file. "{number}" stands for a
 * number of at least four digits from 0000 on, "{name}" for the name of the main file without its last extension.
 * Names that exist are passed over. Default: "{name}{number}.asdf".
 */
#define ASDF_OPTION_EXTERNAL_NAMES 206

#define ASDF_OPTION_SAVE_MODE 207 /**< Way of saving: an ASDF_SAVE_ constant. */

/**
 * Let the file system insert room before the blocks when a tree has outgrown its room and the file is saved in place
 * (ext4). Programs that map the file otherwise than by this library see their pages move.
 */
#define ASDF_OPTION_INSERT_ROOM 208

/**
 * Compression of a block: "zlib", "bzp2", "lz4", "lz4f" (one LZ4 frame), "zstd" (one Zstandard frame), "blsc" or
 * "bls2" (one Blosc chunk of format 1 or 2, shuffled, compressed with LZ4, at most 2 GiB); empty for none. Every ASDF
 * library reads zlib and bzp2, most read lz4, few the others. A build without zstd, blsc or bls2 answers
 * ASDF_ERR_UNKNOWN_CODEC.
 */
#define ASDF_OPTION_CODEC 300

/**
 * Level of the compression: 0 to 9 for zlib, 1 to 9 for bzp2, 1 to 22 for zstd. Other codecs have no levels. Default:
 * that of the codec.
 */
#define ASDF_OPTION_LEVEL 301

/**
 * Place of the elements of an array: an ASDF_STORAGE_ constant.
 */
#define ASDF_OPTION_STORAGE 302

/**
 * Name, without a directory, of the file that an external array is written to. Default: by
 * ASDF_OPTION_EXTERNAL_NAMES.
 */
#define ASDF_OPTION_EXTERNAL_NAME 303

/**
 * Order of the elements in the file: an ASDF_ORDER_ constant. Readers see the same array. Strides in the
 * tree tell Fortran's order, and some readers overlook them. No meaning for elements in the tree.
 */
#define ASDF_OPTION_STORED_ORDER 304

/**
 * Byte order of the elements in the file: an ASDF_BYTE_ORDER_ constant. Default: that of the machine.
 */
#define ASDF_OPTION_BYTE_ORDER 305

/**
 * Bytes reserved after the payload of the block for later growth.
 */
#define ASDF_OPTION_BLOCK_SLACK 306

/**
 * Give the block an MD5 checksum, or none. Default: as ASDF_OPTION_CHECKSUMS of the call that writes the file says.
 */
#define ASDF_OPTION_BLOCK_CHECKSUM 307

/**
 * Keep the other keys, the tag and the comments of the array that stands at the path, its mask included.
 */
#define ASDF_OPTION_KEEP 308

/**
 * Order of elements in memory, without gaps: an ASDF_ORDER_ constant. Indices and shapes are those of the array in
 * either order: a Fortran array a(3, 2) has the shape {3, 2} in ASDF_ORDER_FORTRAN, or {2, 3} in ASDF_ORDER_C.
 */
#define ASDF_OPTION_ORDER 400

/**
 * Bytes in memory from one element to the next along each axis, slowest axis of the array first; negative ones are
 * allowed. The memory begins with the element at the lowest address. Elements that are written to must not overlap.
 * Not together with ASDF_OPTION_ORDER.
 */
#define ASDF_OPTION_STRIDES 401

/**
 * Clamp elements that do not fit the datatype; otherwise they are ASDF_ERR_OVERFLOW. Integers, float16 and float32
 * saturate, fractions are cut off on the way to an integer, NaN becomes the integer 0, a complex number loses its
 * imaginary part on the way to a real one, a string is cut.
 */
#define ASDF_OPTION_CLAMP 402

/**
 * Value in the place of missing elements: asdf_options_set_fill().
 */
#define ASDF_OPTION_FILL 403

/**
 * Fill strings of fixed length in memory up with blanks instead of NULs, as Fortran does: elements that are read get
 * blanks at the ends of strings, elements that are written lose them. Strings that differ in blanks at their ends
 * alone are then the same. A copy of the elements is made to write them.
 */
#define ASDF_OPTION_BLANK_PADDED 404

/**
 * Form of a table in an ASDF file: an ASDF_TABLE_FORM_ constant.
 */
#define ASDF_OPTION_TABLE_FORM 500

/**
 * Leave out what a form has no place for, and columns that are no arrays or have units of unknown kinds; the table
 * then has a warning. Otherwise these are errors.
 */
#define ASDF_OPTION_LEAVE_OUT 501

/**
 * Copy the metadata of a table and make them plain, as other formats can carry them: lists for arrays, texts for what
 * has a tag of ASDF, targets for references.
 */
#define ASDF_OPTION_PLAIN_METADATA 502

#define ASDF_OPTION_ECSV_STRICT 503 /**< Read ECSV by the letter of APE 6. */

/**
 * Texts that mean a missing cell where one is a whole field: "null" in files of Gaia. An empty field always does.
 */
#define ASDF_OPTION_NULL_VALUES 504

#define ASDF_OPTION_COLUMNS 505   /**< Columns to read, in the order of the file. Default: all. */
#define ASDF_OPTION_FIRST_ROW 506 /**< First row to read, from 0. */

/**
 * Number of rows to read at most. Default: all that follow.
 */
#define ASDF_OPTION_ROW_COUNT 507

/**
 * Rows of a batch at most; 0 for a number that suits: as many as take a few MiB where rows are read, all rows of a
 * table that is in memory.
 */
#define ASDF_OPTION_BATCH_ROWS 508

/**
 * Treatment of names in the line of names that differ from those in the header: an ASDF_COLUMN_NAMES_ constant.
 */
#define ASDF_OPTION_COLUMN_NAMES 509

/**
 * Take blanks off the ends of quoted fields as well, as astropy does. A field that is empty then is missing.
 */
#define ASDF_OPTION_TRIM_QUOTED 510

/**
 * File with the header of the table, for rows in a file of their own. Lines of that file that begin with # before the
 * line of names are comments then.
 */
#define ASDF_OPTION_HEADER_FILE 511

/**
 * Text of the header; see ASDF_OPTION_HEADER_FILE, which it excludes.
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
 * Accept keys that the Ndarray Data Language does not know, with a warning; otherwise they are errors.
 */
#define ASDF_OPTION_UNKNOWN_KEYS 600

/**
 * Sort groups, and what is in each, by path name; otherwise they stand in document order.
 */
#define ASDF_OPTION_SORT 601

#define ASDF_OPTION_CDL_VALUES 602 /**< Write the values of arrays into CDL, too. */

/**
 * Values of arrays that a description of a file gets: an ASDF_NDL_VALUES_ constant.
 */
#define ASDF_OPTION_DESCRIBED_VALUES 603

/**
 * Path name of the only part that is described: a group, array or dimension coordinate with all that is in it. Empty
 * for the whole file.
 */
#define ASDF_OPTION_ONLY 604

#define ASDF_OPTION_ALL 605 /**< Describe `asdf_library` and `history`, too. */

/**
 * Tell under `x-asdf` keys what has no form in the language: tags, strides, masks, lengths of strings.
 */
#define ASDF_OPTION_ANNOTATE 606

/**
 * Describe float16 arrays as float32; otherwise they are opaque bytes with the tag `IEEE 754 binary16`.
 */
#define ASDF_OPTION_WIDEN_FLOAT16 607

/**
 * Characters of strings where no value tells their number; 0 makes such arrays ASDF_ERR_INCOMPLETE.
 */
#define ASDF_OPTION_STRING_LENGTH 608

/**
 * Elements along unlimited dimensions. asdf_options_set_int() sets it for dimensions whose stored size the description
 * does not tell; asdf_options_set_int_at() for one dimension coordinate, or for the unlimited dimensions of one array,
 * by path name, whatever the description says.
 */
#define ASDF_OPTION_EXTENT 609

/**
 * Use zeros for elements without a value, although there is a fill value.
 */
#define ASDF_OPTION_ZEROS 610

/**
 * Path name of the array that becomes the last block, to which rows can be added. Its first dimension must be
 * unlimited. Empty for none.
 */
#define ASDF_OPTION_STREAMED 611

/*
 * Options of calls. Each table names the calls, then option, type and default; a default
 * that is not given stands in the meaning of the option above.
 *
 * Every call with options
 *   ASDF_OPTION_THREADS                integer 1 .. 1024            1
 *   ASDF_OPTION_PROGRESS               by asdf_options_set_progress() none
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
 * Opening files (options last as long as the handle that the call makes)
 *   asdf_file_open asdf_file_open_memory asdf_file_open_borrowed asdf_file_open_descriptor asdf_file_open_source
 *   ASDF_OPTION_VERIFY_CHECKSUMS       0 or 1                       0
 *   ASDF_OPTION_WARNINGS_AS_ERRORS     0 or 1                       0
 *   ASDF_OPTION_MAPPED                 0 or 1                       0
 *   ASDF_OPTION_CACHE_BYTES            integer >= 0
 *   ASDF_OPTION_TEMPORARY_DIRECTORY    file name                    that of the system
 *   ASDF_OPTION_ACCESS                 ASDF_ACCESS_...              ASDF_ACCESS_DENY
 *   ASDF_OPTION_DIRECTORIES            file names                   none
 *   ASDF_OPTION_RESOLVER               by asdf_options_set_resolver() none
 *   ASDF_OPTION_CUSTOM_CODECS          by asdf_options_add_codec()  none
 *
 * Opening files for update (options last as long as the handle that the call makes)
 *   asdf_file_open_for_update
 *   ASDF_OPTION_VERIFY_CHECKSUMS       0 or 1                       0
 *   ASDF_OPTION_WARNINGS_AS_ERRORS     0 or 1                       0
 *   ASDF_OPTION_MAPPED                 0 or 1                       0
 *   ASDF_OPTION_CACHE_BYTES            integer >= 0
 *   ASDF_OPTION_TEMPORARY_DIRECTORY    file name                    that of the system
 *   ASDF_OPTION_ACCESS                 ASDF_ACCESS_...              ASDF_ACCESS_DENY
 *   ASDF_OPTION_DIRECTORIES            file names                   none
 *   ASDF_OPTION_RESOLVER               by asdf_options_set_resolver() none
 *   ASDF_OPTION_CUSTOM_CODECS          by asdf_options_add_codec()  none
 *   ASDF_OPTION_LOCK                   0 or 1                       1
 *   ASDF_OPTION_DURABLE_REGIONS        0 or 1                       1
 *
 * New files (options last as long as the handle that the call makes)
 *   asdf_file_new
 *   ASDF_OPTION_STANDARD               text                         1.6.0
 *
 * Writing files
 *   asdf_file_write asdf_file_explode asdf_file_implode
 *   ASDF_OPTION_REPLACE                0 or 1                       0
 *   ASDF_OPTION_DURABLE                0 or 1                       1
 *   ASDF_OPTION_ALIGNMENT              power of two <= 4096         64
 *   ASDF_OPTION_TREE_SLACK             integer >= 0
 *   ASDF_OPTION_CHECKSUMS              0 or 1                       1
 *   ASDF_OPTION_BLOCK_INDEX            0 or 1                       1
 *   ASDF_OPTION_EXTERNAL_NAMES         text
 *
 * Writing files without a name
 *   asdf_file_write_memory asdf_file_write_descriptor
 *   ASDF_OPTION_DURABLE                0 or 1                       1
 *   ASDF_OPTION_ALIGNMENT              power of two <= 4096         64
 *   ASDF_OPTION_TREE_SLACK             integer >= 0
 *   ASDF_OPTION_CHECKSUMS              0 or 1                       1
 *   ASDF_OPTION_BLOCK_INDEX            0 or 1                       1
 *   ASDF_OPTION_EXTERNAL_NAMES         text
 *
 * Saving and repairing files
 *   asdf_file_save asdf_file_compact asdf_file_repair
 *   ASDF_OPTION_DURABLE                0 or 1                       1
 *   ASDF_OPTION_ALIGNMENT              power of two <= 4096         64
 *   ASDF_OPTION_TREE_SLACK             integer >= 0
 *   ASDF_OPTION_CHECKSUMS              0 or 1                       1
 *   ASDF_OPTION_BLOCK_INDEX            0 or 1                       1
 *   ASDF_OPTION_EXTERNAL_NAMES         text
 *   ASDF_OPTION_SAVE_MODE              ASDF_SAVE_...                ASDF_SAVE_AUTO
 *   ASDF_OPTION_INSERT_ROOM            0 or 1                       1
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
 *   ASDF_OPTION_REPLACE                0 or 1                       0
 *   ASDF_OPTION_DURABLE                0 or 1                       1
 *   ASDF_OPTION_ALIGNMENT              power of two <= 4096         64
 *   ASDF_OPTION_TREE_SLACK             integer >= 0
 *   ASDF_OPTION_CHECKSUMS              0 or 1                       1
 *   ASDF_OPTION_BLOCK_INDEX            0 or 1                       1
 *   ASDF_OPTION_EXTERNAL_NAMES         text
 *
 * Blocks, views and resizing
 *   asdf_array_view asdf_array_view_typed asdf_node_resize_array asdf_file_read_block_stored asdf_file_read_block
 *   asdf_file_verify asdf_file_verify_block
 *
 * Reading arrays, columns of tables, and values of descriptions
 *   asdf_array_read asdf_array_read_region asdf_array_read_mask asdf_array_read_mask_region
 *   asdf_array_read_string asdf_table_read_column asdf_ndl_read_values
 *   ASDF_OPTION_ORDER                  ASDF_ORDER_...               ASDF_ORDER_C
 *   ASDF_OPTION_STRIDES                integers
 *   ASDF_OPTION_CLAMP                  0 or 1                       0
 *   ASDF_OPTION_FILL                   by asdf_options_set_fill()   none
 *
 * Reading arrays, columns and values of any datatype
 *   asdf_array_read_typed asdf_array_read_region_typed asdf_table_read_column_typed asdf_ndl_read_values_typed
 *   ASDF_OPTION_ORDER                  ASDF_ORDER_...               ASDF_ORDER_C
 *   ASDF_OPTION_STRIDES                integers
 *   ASDF_OPTION_CLAMP                  0 or 1                       0
 *   ASDF_OPTION_FILL                   by asdf_options_set_fill()   none
 *   ASDF_OPTION_BLANK_PADDED           0 or 1                       0
 *
 * Reading arrays and columns of tables into memory of the library
 *   asdf_array_load asdf_table_load_column
 *   ASDF_OPTION_ORDER                  ASDF_ORDER_...               ASDF_ORDER_C
 *   ASDF_OPTION_CLAMP                  0 or 1                       0
 *   ASDF_OPTION_FILL                   by asdf_options_set_fill()   none
 *
 * Reading arrays and columns of any datatype into memory of the library
 *   asdf_array_load_typed asdf_table_load_column_typed
 *   ASDF_OPTION_ORDER                  ASDF_ORDER_...               ASDF_ORDER_C
 *   ASDF_OPTION_CLAMP                  0 or 1                       0
 *   ASDF_OPTION_FILL                   by asdf_options_set_fill()   none
 *   ASDF_OPTION_BLANK_PADDED           0 or 1                       0
 *
 * Reading arrays of strings into memory of the library
 *   asdf_array_load_text
 *   ASDF_OPTION_ORDER                  ASDF_ORDER_...               ASDF_ORDER_C
 *   ASDF_OPTION_FILL                   by asdf_options_set_fill()   none
 *
 * Reading columns of text into memory of the library
 *   asdf_table_load_text
 *   ASDF_OPTION_FILL                   by asdf_options_set_fill()   none
 *
 * Writing regions
 *   asdf_array_write_region
 *   ASDF_OPTION_ORDER                  ASDF_ORDER_...               ASDF_ORDER_C
 *   ASDF_OPTION_STRIDES                integers
 *   ASDF_OPTION_CLAMP                  0 or 1                       0
 *
 * Writing regions of any datatype
 *   asdf_array_write_region_typed
 *   ASDF_OPTION_ORDER                  ASDF_ORDER_...               ASDF_ORDER_C
 *   ASDF_OPTION_STRIDES                integers
 *   ASDF_OPTION_CLAMP                  0 or 1                       0
 *   ASDF_OPTION_BLANK_PADDED           0 or 1                       0
 *
 * Setting arrays
 *   asdf_node_set_array asdf_node_set_array_borrowed asdf_node_set_array_borrowed_typed
 *   ASDF_OPTION_ORDER                  ASDF_ORDER_...               ASDF_ORDER_C
 *   ASDF_OPTION_STRIDES                integers
 *   ASDF_OPTION_CODEC                  text                         none
 *   ASDF_OPTION_LEVEL                  integer 0 .. 22
 *   ASDF_OPTION_STORAGE                ASDF_STORAGE_...             ASDF_STORAGE_INTERNAL
 *   ASDF_OPTION_CUSTOM_CODECS          by asdf_options_add_codec()  none
 *   ASDF_OPTION_EXTERNAL_NAME          file name
 *   ASDF_OPTION_STORED_ORDER           ASDF_ORDER_...               ASDF_ORDER_C
 *   ASDF_OPTION_BYTE_ORDER             ASDF_BYTE_ORDER_...
 *   ASDF_OPTION_BLOCK_SLACK            integer >= 0                 0
 *   ASDF_OPTION_BLOCK_CHECKSUM         0 or 1
 *   ASDF_OPTION_KEEP                   0 or 1                       0
 *
 * Setting arrays of any datatype
 *   asdf_node_set_array_typed
 *   ASDF_OPTION_ORDER                  ASDF_ORDER_...               ASDF_ORDER_C
 *   ASDF_OPTION_STRIDES                integers
 *   ASDF_OPTION_CODEC                  text                         none
 *   ASDF_OPTION_LEVEL                  integer 0 .. 22
 *   ASDF_OPTION_STORAGE                ASDF_STORAGE_...             ASDF_STORAGE_INTERNAL
 *   ASDF_OPTION_CUSTOM_CODECS          by asdf_options_add_codec()  none
 *   ASDF_OPTION_EXTERNAL_NAME          file name
 *   ASDF_OPTION_STORED_ORDER           ASDF_ORDER_...               ASDF_ORDER_C
 *   ASDF_OPTION_BYTE_ORDER             ASDF_BYTE_ORDER_...
 *   ASDF_OPTION_BLOCK_SLACK            integer >= 0                 0
 *   ASDF_OPTION_BLOCK_CHECKSUM         0 or 1
 *   ASDF_OPTION_KEEP                   0 or 1                       0
 *   ASDF_OPTION_BLANK_PADDED           0 or 1                       0
 *
 * Setting arrays without memory for them, and storing arrays otherwise
 *   asdf_node_set_array_callback asdf_node_set_array_callback_typed asdf_node_set_array_zeros
 *   asdf_node_set_array_zeros_typed asdf_node_copy
 *   ASDF_OPTION_CODEC                  text                         none
 *   ASDF_OPTION_LEVEL                  integer 0 .. 22
 *   ASDF_OPTION_STORAGE                ASDF_STORAGE_...             ASDF_STORAGE_INTERNAL
 *   ASDF_OPTION_CUSTOM_CODECS          by asdf_options_add_codec()  none
 *   ASDF_OPTION_EXTERNAL_NAME          file name
 *   ASDF_OPTION_STORED_ORDER           ASDF_ORDER_...               ASDF_ORDER_C
 *   ASDF_OPTION_BYTE_ORDER             ASDF_BYTE_ORDER_...
 *   ASDF_OPTION_BLOCK_SLACK            integer >= 0                 0
 *   ASDF_OPTION_BLOCK_CHECKSUM         0 or 1
 *   ASDF_OPTION_KEEP                   0 or 1                       0
 *
 * Changing the storage of arrays
 *   asdf_node_set_storage
 *   ASDF_OPTION_CODEC                  text                         none
 *   ASDF_OPTION_LEVEL                  integer 0 .. 22
 *   ASDF_OPTION_CUSTOM_CODECS          by asdf_options_add_codec()  none
 *   ASDF_OPTION_EXTERNAL_NAME          file name
 *   ASDF_OPTION_STORED_ORDER           ASDF_ORDER_...               ASDF_ORDER_C
 *   ASDF_OPTION_BYTE_ORDER             ASDF_BYTE_ORDER_...
 *   ASDF_OPTION_BLOCK_SLACK            integer >= 0                 0
 *   ASDF_OPTION_BLOCK_CHECKSUM         0 or 1
 *
 * Changing the compression of arrays
 *   asdf_node_recompress_array
 *   ASDF_OPTION_CODEC                  text                         none
 *   ASDF_OPTION_LEVEL                  integer 0 .. 22
 *
 * Streaming rows (options last as long as the handle that the call makes)
 *   asdf_stream_create
 *   ASDF_OPTION_ORDER                  ASDF_ORDER_...               ASDF_ORDER_C
 *   ASDF_OPTION_STRIDES                integers
 *   ASDF_OPTION_CODEC                  text                         none
 *   ASDF_OPTION_LEVEL                  integer 0 .. 22
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
 *
 * Streaming rows of any datatype (options last as long as the handle that the call makes)
 *   asdf_stream_create_typed
 *   ASDF_OPTION_ORDER                  ASDF_ORDER_...               ASDF_ORDER_C
 *   ASDF_OPTION_STRIDES                integers
 *   ASDF_OPTION_CODEC                  text                         none
 *   ASDF_OPTION_LEVEL                  integer 0 .. 22
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
 *   ASDF_OPTION_BLANK_PADDED           0 or 1                       0
 *
 * Adding columns and values
 *   asdf_table_add_column asdf_table_add_variable_column asdf_ndl_builder_set_values
 *   ASDF_OPTION_ORDER                  ASDF_ORDER_...               ASDF_ORDER_C
 *   ASDF_OPTION_STRIDES                integers
 *
 * Adding columns of any datatype
 *   asdf_table_add_column_typed asdf_table_add_variable_column_typed
 *   ASDF_OPTION_ORDER                  ASDF_ORDER_...               ASDF_ORDER_C
 *   ASDF_OPTION_STRIDES                integers
 *   ASDF_OPTION_BLANK_PADDED           0 or 1                       0
 *
 * Reading tables of ASDF files
 *   asdf_node_get_table
 *   ASDF_OPTION_LEAVE_OUT              0 or 1                       0
 *   ASDF_OPTION_PLAIN_METADATA         0 or 1                       0
 *
 * Storing tables in ASDF files
 *   asdf_node_set_table
 *   ASDF_OPTION_TABLE_FORM             ASDF_TABLE_FORM_...          ASDF_TABLE_FORM_STANDARD
 *   ASDF_OPTION_LEAVE_OUT              0 or 1                       0
 *   ASDF_OPTION_CODEC                  text                         none
 *   ASDF_OPTION_LEVEL                  integer 0 .. 22
 *   ASDF_OPTION_STORAGE                ASDF_STORAGE_...             ASDF_STORAGE_INTERNAL
 *   ASDF_OPTION_CUSTOM_CODECS          by asdf_options_add_codec()  none
 *   ASDF_OPTION_EXTERNAL_NAME          file name
 *   ASDF_OPTION_STORED_ORDER           ASDF_ORDER_...               ASDF_ORDER_C
 *   ASDF_OPTION_BYTE_ORDER             ASDF_BYTE_ORDER_...
 *   ASDF_OPTION_BLOCK_SLACK            integer >= 0                 0
 *   ASDF_OPTION_BLOCK_CHECKSUM         0 or 1
 *
 * Reading ECSV (options last as long as the handle that the call makes)
 *   asdf_table_read_ecsv asdf_table_read_ecsv_memory asdf_table_reader_open asdf_table_reader_open_source
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
 *
 * Exporting tables as streams of Arrow (options last as long as the handle that the call makes)
 *   asdf_table_export_arrow_stream
 *   ASDF_OPTION_BATCH_ROWS             integer >= 0                 0
 *
 * Other exchange with Arrow
 *   asdf_table_export_arrow asdf_table_reader_export_arrow_stream asdf_table_import_arrow
 *   asdf_table_import_arrow_stream
 *
 * Writing ECSV (options last as long as the handle that the call makes)
 *   asdf_table_write_ecsv asdf_table_writer_create
 *   ASDF_OPTION_REPLACE                0 or 1                       0
 *   ASDF_OPTION_DELIMITER              ASDF_DELIMITER_...           ASDF_DELIMITER_SAME
 *   ASDF_OPTION_TEXT_COMPRESSION       ASDF_TEXT_COMPRESSION_...    ASDF_TEXT_COMPRESSION_BY_SUFFIX
 *   ASDF_OPTION_EMPTY_STRINGS          ASDF_EMPTY_STRINGS_...       ASDF_EMPTY_STRINGS_MARK
 *   ASDF_OPTION_JSON_NUMBERS           ASDF_JSON_NUMBERS_...        ASDF_JSON_NUMBERS_NAMES
 *   ASDF_OPTION_DURABLE                0 or 1                       1
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
 *   ASDF_OPTION_CODEC                  text                         none
 *   ASDF_OPTION_LEVEL                  integer 0 .. 22
 *   ASDF_OPTION_STRING_LENGTH          integer >= 0                 0
 *   ASDF_OPTION_EXTENT                 integer >= 0, also at paths  0
 *   ASDF_OPTION_ZEROS                  0 or 1                       0
 *   ASDF_OPTION_STREAMED               text                         none
 */

/* 7. Tables ======================================================================================================== */

/*
 * Tables --------------------------------------------------------------------------------------------------------------
 *
 * A table is columns of one length. Each column has a name, a type, a shape of its cells and, where they are known, a
 * unit, a description, a format and metadata; cells, and elements of cells that are arrays, may be missing. A table is
 * in memory, and does not depend on the file that it was read from.
 *
 * Columns are asked for by name. Names are compared exactly; one that no column has is ASDF_ERR_NOT_FOUND.
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
 * A number with up to 21 digits and a large exponent, which a column keeps as its text.
 */
#define ASDF_FLOAT128 24

#define ASDF_COMPLEX256 33 /**< Two of those, kept as their text. */
#define ASDF_STRING 53     /**< Text of any length, of which a column has as many as elements. */
#define ASDF_JSON 54       /**< A JSON value, which a column keeps as its text. */

/**
 * The number of rows of a table.
 *
 * @param table the table
 * @param count gets the number
 * @since 0.1.0
 */
asdf_status asdf_table_row_count(const asdf_table *table, int64_t *count);

/**
 * The number of columns of a table.
 *
 * @param table the table
 * @param count gets the number
 * @since 0.1.0
 */
asdf_status asdf_table_column_count(const asdf_table *table, int64_t *count);

/**
 * The name of a column.
 *
 * @param table    the table
 * @param index    which one, from 0; outside is ASDF_ERR_OUT_OF_RANGE
 * @param buffer   gets the name
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the name; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_table_column_name(const asdf_table *table,
                                   int64_t index,
                                   char *buffer,
                                   size_t capacity,
                                   size_t *needed);

/**
 * The place of the column with a name among the columns.
 *
 * @param table the table
 * @param name  the name
 * @param index gets the place, from 0
 * @since 0.1.0
 */
asdf_status asdf_table_column_index(const asdf_table *table, const char *name, int64_t *index);

/**
 * What the elements of a column are.
 *
 * @param table    the table
 * @param name     name of the column
 * @param datatype gets the code: a scalar type, ASDF_STRING, ASDF_JSON, ASDF_FLOAT128 or ASDF_COMPLEX256
 * @since 0.1.0
 */
asdf_status asdf_table_column_datatype(const asdf_table *table, const char *name, int32_t *datatype);

/**
 * The extents of each cell of a column, slowest axis first.
 *
 * @param table    the table
 * @param name     name of the column
 * @param shape    gets the extents; the last one is -1 if it differs from cell to cell. ASDF_MAX_RANK of them always
 *                 have room
 * @param capacity extents that may be written; too few are ASDF_ERR_BUFFER_TOO_SMALL, 0 asks for the rank alone
 * @param rank     gets the number of axes, 0 if a cell is one element; also if the capacity is too small. May be NULL
 * @since 0.1.0
 */
asdf_status asdf_table_column_shape(const asdf_table *table,
                                    const char *name,
                                    int64_t *shape,
                                    int32_t capacity,
                                    int32_t *rank);

/**
 * The unit of a column, as it is spelled; empty if none is said.
 *
 * @param table    the table
 * @param name     name of the column
 * @param buffer   gets the unit
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the unit; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_table_column_unit(const asdf_table *table,
                                   const char *name,
                                   char *buffer,
                                   size_t capacity,
                                   size_t *needed);

/**
 * What a column holds, in words; empty if nothing is said.
 *
 * @param table    the table
 * @param name     name of the column
 * @param buffer   gets the text
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the text; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_table_column_description(const asdf_table *table,
                                          const char *name,
                                          char *buffer,
                                          size_t capacity,
                                          size_t *needed);

/**
 * How a value of a column is to be shown to people, in the notation of printf or Python; empty if nothing is said. The
 * values themselves do not depend on it.
 *
 * @param table    the table
 * @param name     name of the column
 * @param buffer   gets the format
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the format; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_table_column_format(const asdf_table *table,
                                     const char *name,
                                     char *buffer,
                                     size_t capacity,
                                     size_t *needed);

/**
 * The datatype of a column as the file spells it that the table was read from; empty for other tables.
 *
 * @param table    the table
 * @param name     name of the column
 * @param buffer   gets the datatype
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the datatype; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_table_column_declared_datatype(const asdf_table *table,
                                                const char *name,
                                                char *buffer,
                                                size_t capacity,
                                                size_t *needed);

/**
 * The subtype of a column as the file spells it that the table was read from; empty if there is none.
 *
 * @param table    the table
 * @param name     name of the column
 * @param buffer   gets the subtype
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the subtype; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_table_column_declared_subtype(const asdf_table *table,
                                               const char *name,
                                               char *buffer,
                                               size_t capacity,
                                               size_t *needed);

/**
 * The metadata of a column. Tables that share what is said of the column share them, as the batches of a file do.
 *
 * @param table the table
 * @param name  name of the column
 * @param meta  gets the node; NULL on failure. A column without metadata is ASDF_ERR_NOT_FOUND
 * @since 0.1.0
 */
asdf_status asdf_table_column_meta(const asdf_table *table, const char *name, asdf_node **meta);

/**
 * The metadata of a table as a whole.
 *
 * @param table the table
 * @param meta  gets the node; NULL on failure. A table without metadata is ASDF_ERR_NOT_FOUND
 * @since 0.1.0
 */
asdf_status asdf_table_meta(const asdf_table *table, asdf_node **meta);

/**
 * The name of a convention that the metadata follow, such as astropy-2.0; empty if none is said.
 *
 * @param table    the table
 * @param buffer   gets the name
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the name; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_table_schema(const asdf_table *table, char *buffer, size_t capacity, size_t *needed);

/**
 * Reports the warnings of a table so far: things that a reader should know, although the table could be read. Reading
 * columns can add more. Offsets count bytes of the decompressed text.
 *
 * @param table  the table
 * @param report gets the warnings, none if nothing was noticed; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_table_report(const asdf_table *table, asdf_report **report);

/**
 * Gives another owner of a table.
 *
 * @param table   the table
 * @param another gets the owner, to be freed as well; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_table_retain(const asdf_table *table, asdf_table **another);

/**
 * Gives up a table.
 *
 * @param table the table, or NULL
 * @since 0.1.0
 */
void asdf_table_free(asdf_table *table);

/*
 * Reading columns -----------------------------------------------------------------------------------------------------
 *
 * A column is read like an array that has its rows as the first axis and the axes of its cells behind: into memory of
 * yours, converted to the datatype you ask for by the same rules, in C order unless the options say otherwise. Cells
 * whose last extent differs are read one after the other, and asdf_table_read_cell_lengths() tells which elements
 * belong to which. Text, and what is kept as text, is read as strings of fixed length, or one by one; ASDF_FLOAT128
 * and ASDF_COMPLEX256 also as other numbers, which adds a warning to the table where they had to be rounded.
 *
 * Missing elements are told by a mask, which has a byte for each element in the same order. Without a mask, and
 * without a fill value (asdf_options_set_fill()), a missing element is ASDF_ERR_MASKED; it is never taken for a value.
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
 * Reads the elements of a column in some rows, or in all.
 *
 * @param table         the table
 * @param name          name of the column
 * @param first         the first row, from 0
 * @param count         how many rows, -1 for all that follow; rows that do not exist are ASDF_ERR_OUT_OF_RANGE
 * @param datatype      code of the scalar type to read them as; another number is ASDF_ERR_INVALID_ARGUMENT
 * @param options       how to read, or NULL
 * @param elements      gets the elements of these rows; may be NULL if there are none
 * @param capacity      bytes that may be written; fewer than the elements take are ASDF_ERR_BUFFER_TOO_SMALL
 * @param mask          gets a byte for each element, 1 if it is missing and else 0; NULL for none
 * @param mask_capacity bytes of the mask that may be written; fewer than there are elements are
 *                      ASDF_ERR_BUFFER_TOO_SMALL
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
 * Reads the elements of a column in some rows, or in all, also text; see asdf_table_read_column().
 *
 * @param table         the table
 * @param name          name of the column
 * @param first         the first row, from 0
 * @param count         how many rows, -1 for all that follow; rows that do not exist are ASDF_ERR_OUT_OF_RANGE
 * @param datatype      what to read them as. Text can be read as ASDF_ASCII, which then is UTF-8 of so many bytes, and
 *                      as ASDF_UCS4; one that is too long is ASDF_ERR_OVERFLOW, or cut where ASDF_OPTION_CLAMP is 1.
 *                      asdf_table_longest_text() tells what is enough
 * @param options       how to read, or NULL
 * @param elements      gets the elements of these rows; may be NULL if there are none
 * @param capacity      bytes that may be written; fewer than the elements take are ASDF_ERR_BUFFER_TOO_SMALL
 * @param mask          gets a byte for each element, 1 if it is missing and else 0; NULL for none
 * @param mask_capacity bytes of the mask that may be written; fewer than there are elements are
 *                      ASDF_ERR_BUFFER_TOO_SMALL
 * @since 0.1.0
 */
asdf_status asdf_table_read_column_typed(const asdf_table *table,
                                         const char *name,
                                         int64_t first,
                                         int64_t count,
                                         const asdf_datatype *datatype,
                                         const asdf_options *options,
                                         void *elements,
                                         size_t capacity,
                                         uint8_t *mask,
                                         size_t mask_capacity);

/**
 * The number of elements of a column in some rows: what the memory and the mask to read them need room for.
 *
 * @param table    the table
 * @param name     name of the column
 * @param first    the first row, from 0
 * @param count    how many rows; such as do not exist are ASDF_ERR_OUT_OF_RANGE
 * @param elements gets the number of elements
 * @since 0.1.0
 */
asdf_status asdf_table_element_count(const asdf_table *table,
                                     const char *name,
                                     int64_t first,
                                     int64_t count,
                                     int64_t *elements);

/**
 * Tells how many elements each cell of a column has in some rows, and which cells are missing.
 *
 * @param table    the table
 * @param name     name of the column
 * @param first    the first row, from 0
 * @param count    how many rows; such as do not exist are ASDF_ERR_OUT_OF_RANGE
 * @param lengths  gets a number for each row: of the elements of the cell, all axes together, or -1 if the cell is
 *                 missing. (The elements of a missing cell of fixed shape are read, and missing; others have none.)
 *                 May be NULL if there are no rows
 * @param capacity numbers that may be written; fewer than rows are ASDF_ERR_BUFFER_TOO_SMALL
 * @since 0.1.0
 */
asdf_status asdf_table_read_cell_lengths(const asdf_table *table,
                                         const char *name,
                                         int64_t first,
                                         int64_t count,
                                         int64_t *lengths,
                                         size_t capacity);

/**
 * The length of the longest text in a column of text, which a string type needs to hold them all.
 *
 * @param table  the table
 * @param name   name of the column; one of numbers is ASDF_ERR_WRONG_TYPE
 * @param code   ASDF_ASCII to count bytes of UTF-8, ASDF_UCS4 to count characters; another number is
 *               ASDF_ERR_INVALID_ARGUMENT
 * @param length gets the length, without a final NUL; 0 if there is no text
 * @since 0.1.0
 */
asdf_status asdf_table_longest_text(const asdf_table *table, const char *name, int32_t code, int64_t *length);

/**
 * Reads one text: that of a string, of a JSON value, or of a number that is kept as text.
 *
 * @param table    the table
 * @param name     name of the column; one of other numbers is ASDF_ERR_WRONG_TYPE
 * @param row      the row, from 0
 * @param element  which element of the cell, from 0; it or a row that does not exist is ASDF_ERR_OUT_OF_RANGE
 * @param missing  gets 1 if the element is missing and else 0; NULL for a missing element to be ASDF_ERR_MASKED
 * @param buffer   gets the text, an empty one if it is missing
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the text, in which NULs may be; may be NULL
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
 * The elements of a column arrive in an asdf_buffer, otherwise as asdf_table_read_column() reads them. Its memory is
 * aligned for each scalar type.
 */

/**
 * Reads the elements of a column in some rows, or in all, into memory of the library.
 *
 * @param table    the table
 * @param name     name of the column
 * @param first    the first row, from 0
 * @param count    how many rows, -1 for all that follow; rows that do not exist are ASDF_ERR_OUT_OF_RANGE
 * @param datatype code of the scalar type to read them as; another number is ASDF_ERR_INVALID_ARGUMENT
 * @param options  how to read, or NULL
 * @param elements gets the elements of these rows; NULL on failure
 * @param mask     gets a byte for each element, 1 if it is missing and else 0; NULL for none: a missing element without
 *                 a fill value is ASDF_ERR_MASKED then
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
 * Reads the elements of a column in some rows, or in all, into memory of the library, also text of fixed length.
 *
 * @param table    the table
 * @param name     name of the column
 * @param first    the first row, from 0
 * @param count    how many rows, -1 for all that follow; rows that do not exist are ASDF_ERR_OUT_OF_RANGE
 * @param datatype what to read them as; see asdf_table_read_column_typed()
 * @param options  how to read, or NULL
 * @param elements gets the elements of these rows; NULL on failure
 * @param mask     gets a byte for each element, 1 if it is missing and else 0; NULL for none: a missing element without
 *                 a fill value is ASDF_ERR_MASKED then
 * @since 0.1.0
 */
asdf_status asdf_table_load_column_typed(const asdf_table *table,
                                         const char *name,
                                         int64_t first,
                                         int64_t count,
                                         const asdf_datatype *datatype,
                                         const asdf_options *options,
                                         asdf_buffer **elements,
                                         asdf_buffer **mask);

/**
 * Copies the texts of a column in some rows, or in all, into memory of the library: strings, JSON values, and numbers
 * that are kept as text, as UTF-8 one after the other. Text i is in the bytes from offset i to offset i + 1, as in a
 * large string array of Arrow.
 *
 * @param table   the table
 * @param name    name of the column; one of other numbers is ASDF_ERR_WRONG_TYPE
 * @param first   the first row, from 0
 * @param count   how many rows, -1 for all that follow; rows that do not exist are ASDF_ERR_OUT_OF_RANGE
 * @param options how to read, or NULL
 * @param bytes   gets the text of these rows; NULL on failure
 * @param offsets gets an int64_t for each text and one more, 0 the first and the size of the bytes the last; NULL on
 *                failure
 * @param mask    gets a byte for each text, 1 if it is missing and else 0; NULL for none: a missing text without a fill
 *                value is ASDF_ERR_MASKED then. A missing text is empty, or the fill value, which must be a string
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
 * A new table gets its columns one by one, each from memory of yours, which is copied. What is missing is told by a
 * mask with a byte for each element, not 0 where it is missing; what stands in the memory there does not matter.
 *
 *     asdf_table *table = NULL;
 *     asdf_table_new(rows, &table);
 *     asdf_table_add_column(table, "flux", ASDF_FLOAT64, 0, NULL, flux, rows * sizeof *flux, missing, rows, NULL);
 *     asdf_table_set_column_unit(table, "flux", "Jy", 2);
 *     asdf_table_add_text_column(table, "target", ASDF_STRING, names, names_size, offsets, rows + 1, NULL, 0);
 *     asdf_table_write_ecsv(table, "catalogue.ecsv", NULL);
 */

/**
 * Makes a table without columns.
 *
 * @param row_count number of rows that each column will have; a negative one is ASDF_ERR_INVALID_ARGUMENT
 * @param table     gets the table; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_table_new(int64_t row_count, asdf_table **table);

/**
 * Adds a column of numbers behind the others.
 *
 * @param table     the table
 * @param name      name of the column; one that another column has is ASDF_ERR_INVALID_ARGUMENT
 * @param datatype  code of the scalar type of the elements; another number is ASDF_ERR_INVALID_ARGUMENT
 * @param rank      number of axes of a cell, 0 if it is one element
 * @param shape     extent of a cell along each axis, slowest first; may be NULL for rank 0
 * @param elements  the elements in native byte order: in C order, the rows being the first axis, unless the options say
 *                  how they lie. May be NULL if there are none
 * @param size      bytes of that memory; other than the elements take is ASDF_ERR_INVALID_ARGUMENT
 * @param mask      a byte for each element in C order, not 0 if it is missing; NULL if none is
 * @param mask_size bytes of the mask; other than there are elements is ASDF_ERR_INVALID_ARGUMENT
 * @param options   order or strides of the elements, or NULL
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
 * Adds a column, also of text, behind the others; see asdf_table_add_column().
 *
 * @param table     the table
 * @param name      name of the column
 * @param datatype  what the elements are in memory: ASDF_ASCII, which is UTF-8 of so many bytes, and ASDF_UCS4 make a
 *                  column of ASDF_STRING, without the NULs at the end; what is no text is ASDF_ERR_ENCODING.
 *                  Records are ASDF_ERR_CONVERSION
 * @param rank      number of axes of a cell, 0 if it is one element
 * @param shape     extent of a cell along each axis; may be NULL for rank 0
 * @param elements  the elements; may be NULL if there are none
 * @param size      bytes of that memory
 * @param mask      a byte for each element in C order, not 0 if it is missing; NULL if none is
 * @param mask_size bytes of the mask
 * @param options   order or strides of the elements, or NULL
 * @since 0.1.0
 */
asdf_status asdf_table_add_column_typed(asdf_table *table,
                                        const char *name,
                                        const asdf_datatype *datatype,
                                        int32_t rank,
                                        const int64_t *shape,
                                        const void *elements,
                                        size_t size,
                                        const uint8_t *mask,
                                        size_t mask_size,
                                        const asdf_options *options);

/**
 * Adds a column whose cells are arrays of different lengths, behind the others.
 *
 * @param table     the table
 * @param name      name of the column; one that another column has is ASDF_ERR_INVALID_ARGUMENT
 * @param datatype  code of the scalar type of the elements; another number is ASDF_ERR_INVALID_ARGUMENT
 * @param rank      number of axes of a cell before the last one; 0 if its cells are lists
 * @param shape     extent along each of these axes, slowest first; may be NULL for rank 0
 * @param lengths   a number for each row: of the elements of its cell, all axes together, or -1 if the cell is missing.
 *                  May be NULL if there are no rows
 * @param count     how many numbers these are; other than rows is ASDF_ERR_INVALID_ARGUMENT
 * @param elements  the elements of all cells, one after the other in C order; may be NULL if there are none
 * @param size      bytes of that memory; other than the elements take is ASDF_ERR_INVALID_ARGUMENT
 * @param mask      a byte for each element, not 0 if it is missing; NULL if none is
 * @param mask_size bytes of the mask; other than there are elements is ASDF_ERR_INVALID_ARGUMENT
 * @param options   strides of the elements, or NULL
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
 * Adds a column whose cells are arrays of different lengths, also of text; see asdf_table_add_variable_column().
 *
 * @param table     the table
 * @param name      name of the column
 * @param datatype  what the elements are in memory; strings make a column of ASDF_STRING
 * @param rank      number of axes of a cell before the last one; 0 if its cells are lists
 * @param shape     extent along each of these axes; may be NULL for rank 0
 * @param lengths   a number for each row: of the elements of its cell, or -1 if the cell is missing. May be NULL if
 *                  there are no rows
 * @param count     how many numbers these are
 * @param elements  the elements of all cells, one after the other; may be NULL if there are none
 * @param size      bytes of that memory
 * @param mask      a byte for each element, not 0 if it is missing; NULL if none is
 * @param mask_size bytes of the mask
 * @param options   strides of the elements, or NULL
 * @since 0.1.0
 */
asdf_status asdf_table_add_variable_column_typed(asdf_table *table,
                                                 const char *name,
                                                 const asdf_datatype *datatype,
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
 * Adds a column of text of any length, one in each cell, behind the others. The texts stand one after the other: that
 * of row i is in the bytes from offset i to offset i + 1, as asdf_table_load_text() gives them.
 *
 * @param table     the table
 * @param name      name of the column; one that another column has is ASDF_ERR_INVALID_ARGUMENT
 * @param code      what the text is: ASDF_STRING, ASDF_JSON, ASDF_FLOAT128 or ASDF_COMPLEX256; another number is
 *                  ASDF_ERR_INVALID_ARGUMENT. A text that is no such number, or no JSON, is ASDF_ERR_VALUE_RANGE
 * @param bytes     the texts, UTF-8 (other bytes are ASDF_ERR_ENCODING), which may hold NULs; may be NULL if all are
 *                  empty
 * @param size      number of these bytes
 * @param offsets   offsets in the bytes. One below the one before, or outside the bytes, is ASDF_ERR_INVALID_ARGUMENT.
 *                  May be NULL if there are no rows
 * @param count     number of offsets, one more than rows; another is ASDF_ERR_INVALID_ARGUMENT
 * @param mask      a byte for each row, not 0 if its text is missing; NULL if none is
 * @param mask_size bytes of the mask; other than there are rows is ASDF_ERR_INVALID_ARGUMENT
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
 * @param unit   the unit in UTF-8, as it is to be spelled; empty for none, and may be NULL then
 * @param length its length in bytes
 * @since 0.1.0
 */
asdf_status asdf_table_set_column_unit(asdf_table *table, const char *name, const char *unit, size_t length);

/**
 * Sets what a column holds, in words.
 *
 * @param table       the table
 * @param name        name of the column
 * @param description the text in UTF-8; empty for none, and may be NULL then
 * @param length      its length in bytes
 * @since 0.1.0
 */
asdf_status asdf_table_set_column_description(asdf_table *table,
                                              const char *name,
                                              const char *description,
                                              size_t length);

/**
 * Sets how a value of a column is to be shown to people, in the notation of printf or Python.
 *
 * @param table  the table
 * @param name   name of the column
 * @param format the format in UTF-8; empty for none, and may be NULL then
 * @param length its length in bytes
 * @since 0.1.0
 */
asdf_status asdf_table_set_column_format(asdf_table *table, const char *name, const char *format, size_t length);

/**
 * Sets the metadata of a column.
 *
 * @param table the table
 * @param name  name of the column
 * @param meta  what is copied: a node of any tree, with all below it; NULL for none
 * @since 0.1.0
 */
asdf_status asdf_table_set_column_meta(asdf_table *table, const char *name, const asdf_node *meta);

/**
 * Sets the metadata of a table as a whole.
 *
 * @param table the table
 * @param meta  what is copied: a node of any tree, with all below it; NULL for none
 * @since 0.1.0
 */
asdf_status asdf_table_set_meta(asdf_table *table, const asdf_node *meta);

/**
 * Sets the name of a convention that the metadata follow, such as astropy-2.0.
 *
 * @param table  the table
 * @param schema the name; NULL for none
 * @since 0.1.0
 */
asdf_status asdf_table_set_schema(asdf_table *table, const char *schema);

/*
 * Reading ECSV --------------------------------------------------------------------------------------------------------
 *
 * A table is read as a whole, or batch by batch in the memory of one batch. The text may be compressed: by gzip, by
 * bzip2, and by xz or Zstandard where the library was built with these. Whatever is wrong with it is an error that
 * tells line and byte, and nothing is left out, cut or filled in; what is odd is a warning of the table.
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

/**
 * The table is refused; in strict reading, there is a warning.
 */
#define ASDF_COLUMN_NAMES_DEFAULT 0

#define ASDF_COLUMN_NAMES_REFUSE 1 /**< The table is refused. */
#define ASDF_COLUMN_NAMES_WARN 2   /**< There is a warning, and the names of the header count. */
#define ASDF_COLUMN_NAMES_IGNORE 3 /**< The names of the header count. */

/**
 * Tells whether bytes are the beginning of an ECSV file, by its first line. Neither header nor rows have to be right.
 *
 * @param bytes    the text, or the compressed text: all of it, or a few KiB
 * @param size     how many bytes these are
 * @param buffer   gets the version that the first line declares; empty if this is something else
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the version; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_ecsv_probe(const void *bytes, size_t size, char *buffer, size_t capacity, size_t *needed);

/**
 * Reads the table in a file.
 *
 * @param path    name of the file
 * @param options how to read, or NULL
 * @param table   gets the table; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_table_read_ecsv(const char *path, const asdf_options *options, asdf_table **table);

/**
 * Reads a table in memory.
 *
 * @param bytes   the text, or the compressed text
 * @param size    its length in bytes
 * @param options how to read, or NULL
 * @param table   gets the table; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_table_read_ecsv_memory(const void *bytes,
                                        size_t size,
                                        const asdf_options *options,
                                        asdf_table **table);

/**
 * Opens the table in a file, to be read batch by batch. Only its header is read.
 *
 * @param path    name of the file
 * @param options how to read, or NULL
 * @param reader  gets the reader; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_table_reader_open(const char *path, const asdf_options *options, asdf_table_reader **reader);

/**
 * Opens a table whose bytes a callback gives, to be read batch by batch. Only its header is read.
 *
 * @param read    gives bytes; called on the thread that uses the reader
 * @param close   releases what read reads from, when the reader is freed; NULL for nothing. If opening fails, it is
 *                not called
 * @param user    given to both; may be NULL
 * @param length  bytes of the source; a negative number is ASDF_ERR_INVALID_ARGUMENT
 * @param options how to read, or NULL
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
 * Gives a table without rows: the columns that are read, with their units, descriptions and metadata.
 *
 * @param reader the reader
 * @param table  gets the table; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_table_reader_header(const asdf_table_reader *reader, asdf_table **table);

/**
 * Reads the next rows.
 *
 * @param reader the reader
 * @param table  gets a table of these rows; NULL without an error behind the last one. What failed once fails again
 * @since 0.1.0
 */
asdf_status asdf_table_reader_next(asdf_table_reader *reader, asdf_table **table);

/**
 * Gives up a reader. Tables that it gave stay.
 *
 * @param reader the reader, or NULL
 * @since 0.1.0
 */
void asdf_table_reader_free(asdf_table_reader *reader);

/*
 * Writing ECSV --------------------------------------------------------------------------------------------------------
 *
 * A table is written as text that astropy and others read, as a whole or batch by batch. The file gets its name when
 * all is written; until then what had the name before stays as it was. An empty field means a missing cell, so what
 * becomes of empty strings is told by ASDF_OPTION_EMPTY_STRINGS.
 *
 *     asdf_table_writer *writer = NULL;
 *     asdf_table_writer_create("events.ecsv.gz", batch, NULL, &writer);   // the columns of the first batch
 *     do asdf_table_writer_append(writer, batch); while (next(batch));
 *     asdf_table_writer_finish(writer);
 *     asdf_table_writer_free(writer);
 */

#define ASDF_DELIMITER_SAME 0  /**< As in the text that the table was read from, else blanks. */
#define ASDF_DELIMITER_SPACE 1 /**< Blanks. */
#define ASDF_DELIMITER_COMMA 2 /**< Commas. */

/**
 * As the name of the file ends: gzip for .gz, bzip2 for .bz2, else none.
 */
#define ASDF_TEXT_COMPRESSION_BY_SUFFIX 0

#define ASDF_TEXT_COMPRESSION_NONE 1  /**< None, whatever the name. */
#define ASDF_TEXT_COMPRESSION_GZIP 2  /**< gzip. */
#define ASDF_TEXT_COMPRESSION_BZIP2 3 /**< bzip2. */

/**
 * Mark columns whose first rows have one; others refuse it.
 */
#define ASDF_EMPTY_STRINGS_MARK 0

#define ASDF_EMPTY_STRINGS_MARK_ALL 1 /**< Mark all columns of strings. */
#define ASDF_EMPTY_STRINGS_MISSING 2  /**< They are written as missing ones. */
#define ASDF_EMPTY_STRINGS_REFUSE 3   /**< They are an error. */
#define ASDF_JSON_NUMBERS_NAMES 0     /**< As NaN, Infinity and -Infinity. */
#define ASDF_JSON_NUMBERS_NULL 1      /**< As null, which makes them missing elements. */

/**
 * Writes a table to a file, which gets its name when all is written. If anything fails, what had the name before keeps
 * it; after ASDF_ERR_NOT_DURABLE the file has it, and only waiting for the name failed. Permissions of an existing
 * file are kept, and a symbolic link is followed. A pipe or a character device of the name is written to.
 *
 * @param table   the table; arrays of complex numbers are ASDF_ERR_UNSUPPORTED, metadata with tags that are neither
 *                local nor YAML's own ASDF_ERR_TREE, and text that is not the JSON or the number that it should be
 *                ASDF_ERR_VALUE_RANGE
 * @param path    name of the file. A file that has it is ASDF_ERR_FILE_EXISTS unless ASDF_OPTION_REPLACE is set
 * @param options how to write, or NULL
 * @since 0.1.0
 */
asdf_status asdf_table_write_ecsv(const asdf_table *table, const char *path, const asdf_options *options);

/**
 * Begins to write a table batch by batch.
 *
 * @param path    name that the file gets when it is finished. A file that has it, now or then, is
 *                ASDF_ERR_FILE_EXISTS unless ASDF_OPTION_REPLACE is set
 * @param table   tells the columns, and what is said of them and of the table; its rows are not written
 * @param options how to write, or NULL
 * @param writer  gets the writer; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_table_writer_create(const char *path,
                                     const asdf_table *table,
                                     const asdf_options *options,
                                     asdf_table_writer **writer);

/**
 * Appends the rows of a table.
 *
 * @param writer the writer; one that was finished is ASDF_ERR_CLOSED
 * @param table  the rows, in columns of the same names and types in the same order as those of the table that the
 *               writer was made with; others are ASDF_ERR_INVALID_ARGUMENT, and nothing is written. After any other
 *               failure the writer can only be freed
 * @since 0.1.0
 */
asdf_status asdf_table_writer_append(asdf_table_writer *writer, const asdf_table *table);

/**
 * Writes what is left and gives the file its name.
 *
 * @param writer the writer; one that was finished is ASDF_ERR_CLOSED
 * @since 0.1.0
 */
asdf_status asdf_table_writer_finish(asdf_table_writer *writer);

/**
 * Gives up a writer. If it was not finished, it leaves no file behind.
 *
 * @param writer the writer, or NULL
 * @since 0.1.0
 */
void asdf_table_writer_free(asdf_table_writer *writer);

/*
 * Tables in ASDF files ------------------------------------------------------------------------------------------------
 *
 * A table in memory is stored at a place of a tree in one of four forms, and read from any of them: columns as the
 * standard has them, columns as astropy has them, an array of records, a mapping of arrays. Numbers keep their type,
 * texts become strings of the length of the longest, masks tell what is missing. What ASDF has no place for (formats,
 * and that texts are JSON or numbers of 128 bits) is noted in the metadata under `__ecsv__`, and taken from there.
 *
 * Of what astropy stores in its tables, quantities become columns with units, times the values of their format, spans
 * of time the columns `name.jd1` and `name.jd2`, and columns of records a column for each field, `name.field`. What
 * they are besides is in the metadata of the table, under `__serialized_columns__`, as in ECSV.
 *
 *     asdf_table *table = NULL;
 *     asdf_node_get_table(root, "catalogue", NULL, &table);
 *     asdf_node_set_table(other_root, "copy", table, NULL);
 *     asdf_table_free(table);
 */

#define ASDF_TABLE_FORM_STANDARD 0 /**< A table of the standard: an array for each column. */
#define ASDF_TABLE_FORM_ASTROPY 1  /**< What astropy writes of its tables: the same columns. */

/**
 * An array of records: names and values only, none missing.
 */
#define ASDF_TABLE_FORM_RECORDS 2

/**
 * A mapping of arrays, or of quantities where there is a unit.
 */
#define ASDF_TABLE_FORM_ARRAYS 3

/**
 * Reads the table at a place into memory: one of the standard or of astropy in whatever version, an array of records,
 * or a mapping of arrays, quantities and columns. Its metadata are places in the tree of the file, unless the options
 * say otherwise. Units are spelled as astropy prints them: "mag(AB)" for astropy's magunit of "AB". A unit or another
 * text with a tag that is not known is ASDF_ERR_UNSUPPORTED.
 *
 * Anything else is ASDF_ERR_WRONG_TYPE, a table without what it must have, with two columns of one name or with
 * columns of different length ASDF_ERR_TAG_CONTENT, a column that is no array (sky coordinates, places on Earth)
 * ASDF_ERR_UNSUPPORTED, and strides by which a column is much larger than its block ASDF_ERR_LIMIT. So is a table that
 * takes more memory than its blocks have bytes in the file and the limit ASDF_OPTION_LIMIT_TABLE_BYTES (with which the
 * file was opened) together. Besides the table, memory holds at most some 40 MiB of a decoded block whose columns lie
 * in row order.
 *
 * @param node    where the path begins
 * @param path    the path
 * @param options how to read, or NULL
 * @param table   gets the table; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_node_get_table(const asdf_node *node,
                                const char *path,
                                const asdf_options *options,
                                asdf_table **table);

/**
 * Stores a table at a place. Numbers are not copied: the file keeps what the table holds now until it is written,
 * whatever becomes of the handle. Metadata are copied with the arrays in them.
 *
 * Cells of different length, and what the form has no place for, are ASDF_ERR_UNSUPPORTED; a text that ends with NUL,
 * which does not show in a string of fixed length, is ASDF_ERR_VALUE_RANGE. The message names the column.
 *
 * @param node    where the path begins
 * @param path    the path
 * @param table   the table
 * @param options how to store it, or NULL
 * @since 0.1.0
 */
asdf_status asdf_node_set_table(asdf_node *node,
                                const char *path,
                                const asdf_table *table,
                                const asdf_options *options);

/*
 * Logical columns -----------------------------------------------------------------------------------------------------
 *
 * astropy stores some columns as several: numbers and a column of truth values that tells which are missing, the two
 * halves of a time, the angles of a coordinate. The metadata tell what belongs together. The columns of the file are
 * columns of the table in any case; here is what they were made from: a name, a class, a unit, members, and whatever
 * else the metadata say. A column of which nothing is said is a logical column of its own, so that all of them together
 * are the table as it was. No class is unknown, as it is only a name, and members that the table does not have are no
 * error before their values are asked for.
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
 * The logical columns of a table, as it is now. One made of several columns stands where the first of those does.
 *
 * @param table   the table
 * @param columns gets the columns; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_table_logical_columns(const asdf_table *table, asdf_logical_columns **columns);

/**
 * The number of logical columns.
 *
 * @param columns the columns
 * @param count   gets the number
 * @since 0.1.0
 */
asdf_status asdf_logical_columns_count(const asdf_logical_columns *columns, int64_t *count);

/**
 * The name of a logical column.
 *
 * @param columns  the columns
 * @param index    which one, from 0; outside is ASDF_ERR_OUT_OF_RANGE
 * @param buffer   gets the name
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the name; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_logical_columns_name(const asdf_logical_columns *columns,
                                      int64_t index,
                                      char *buffer,
                                      size_t capacity,
                                      size_t *needed);

/**
 * The class of a logical column, by its dotted name in Python; empty for a column of which the metadata say nothing.
 *
 * @param columns  the columns
 * @param index    which one, from 0; outside is ASDF_ERR_OUT_OF_RANGE
 * @param buffer   gets the name of the class
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the name; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_logical_columns_class(const asdf_logical_columns *columns,
                                       int64_t index,
                                       char *buffer,
                                       size_t capacity,
                                       size_t *needed);

/**
 * The unit of a logical column as a whole, as it is spelled; empty if none is said.
 *
 * @param columns  the columns
 * @param index    which one, from 0; outside is ASDF_ERR_OUT_OF_RANGE
 * @param buffer   gets the unit
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the unit; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_logical_columns_unit(const asdf_logical_columns *columns,
                                      int64_t index,
                                      char *buffer,
                                      size_t capacity,
                                      size_t *needed);

/**
 * Whatever the metadata say of a logical column, such as format and scale of a time or frame of a coordinate.
 *
 * @param columns    the columns
 * @param index      which one, from 0; outside is ASDF_ERR_OUT_OF_RANGE
 * @param attributes gets the node, a place in the metadata of the table; NULL on failure. If the metadata say nothing
 *                   of the column, that is ASDF_ERR_NOT_FOUND
 * @since 0.1.0
 */
asdf_status asdf_logical_columns_attributes(const asdf_logical_columns *columns, int64_t index, asdf_node **attributes);

/**
 * The number of columns of the file that a logical column is made of.
 *
 * @param columns the columns
 * @param index   which one, from 0; outside is ASDF_ERR_OUT_OF_RANGE
 * @param count   gets the number
 * @since 0.1.0
 */
asdf_status asdf_logical_columns_member_count(const asdf_logical_columns *columns, int64_t index, int64_t *count);

/**
 * The name of a column of the file that a logical column is made of. They come in the order of the table; such as it
 * does not have come last.
 *
 * @param columns  the columns
 * @param index    which logical column, from 0; outside is ASDF_ERR_OUT_OF_RANGE
 * @param member   which column of the file, from 0; outside is ASDF_ERR_OUT_OF_RANGE
 * @param buffer   gets the name
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the name; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_logical_columns_member_name(const asdf_logical_columns *columns,
                                             int64_t index,
                                             int64_t member,
                                             char *buffer,
                                             size_t capacity,
                                             size_t *needed);

/**
 * What a column of the file is in a logical column, as a path in its attributes: "jd1", "ra/value", "data", "mask".
 * Empty for a column of which the metadata say nothing.
 *
 * @param columns  the columns
 * @param index    which logical column, from 0; outside is ASDF_ERR_OUT_OF_RANGE
 * @param member   which column of the file, from 0; outside is ASDF_ERR_OUT_OF_RANGE
 * @param buffer   gets the path
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the path; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_logical_columns_member_attribute(const asdf_logical_columns *columns,
                                                  int64_t index,
                                                  int64_t member,
                                                  char *buffer,
                                                  size_t capacity,
                                                  size_t *needed);

/**
 * The values of a logical column: a table of the columns that it is made of, under their names in the file, in which is
 * missing what their masks say; the masks themselves are left out. A member that the table does not have is
 * ASDF_ERR_NOT_FOUND, and a mask that does not fit its values ASDF_ERR_WRONG_TYPE.
 *
 * @param columns the columns
 * @param index   which one, from 0; outside is ASDF_ERR_OUT_OF_RANGE
 * @param values  gets the table; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_logical_columns_values(const asdf_logical_columns *columns, int64_t index, asdf_table **values);

/**
 * Gives another owner of logical columns.
 *
 * @param columns the columns
 * @param another gets the owner, to be freed as well; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_logical_columns_retain(const asdf_logical_columns *columns, asdf_logical_columns **another);

/**
 * Gives up logical columns.
 *
 * @param columns the columns, or NULL
 * @since 0.1.0
 */
void asdf_logical_columns_free(asdf_logical_columns *columns);

/*
 * Arrow ---------------------------------------------------------------------------------------------------------------
 *
 * pyarrow, polars, pandas, DuckDB, R's nanoarrow, Julia's Arrow and many others take a table as a struct of columns, or
 * as a stream of such. No library of Arrow's is needed: the structs below never change. Numbers, text and what is
 * missing are shared with the table, which stays alive as long as they are in use; only truth values are copied, eight
 * into a byte. Whoever is given a struct releases it by its callback, in any order and on any thread.
 *
 * Arrays in cells are lists: of fixed length for each axis whose extent is that of every cell, of variable length for a
 * last axis whose extent is not. A complex number is a list of two, and JSON is text with the extension "arrow.json".
 * The metadata of a field tell what else is known of its column: "ecsv:datatype" and "ecsv:subtype" as ECSV names them,
 * "ecsv:unit", "ecsv:description", "ecsv:format", and "ecsv:meta" as JSON; those of the schema tell "ecsv:meta" and
 * "ecsv:schema" of the table. In JSON, what it has no words for is {"__tag__": a tag of YAML, "__value__": ...}.
 *
 *     struct ArrowArrayStream stream;
 *     asdf_table_export_arrow_stream(table, NULL, &stream);
 *     give_to_somebody(&stream);
 */
/* What the specification of Arrow's C Data and C Stream interfaces gives to be copied. */
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
 * Gives a table as one array: a struct whose children are the columns.
 *
 * @param table   the table
 * @param options how to export it, or NULL
 * @param schema  gets the types and what else is known of the columns, to be released; what it holds before is not
 *                read. A name with a NUL is ASDF_ERR_ENCODING; cells of more than 32 axes are ASDF_ERR_UNSUPPORTED,
 *                extents beyond INT32_MAX ASDF_ERR_VALUE_RANGE, metadata whose aliases make them huge ASDF_ERR_LIMIT
 * @param array   gets the values, to be released; what it holds before is not read
 * @since 0.1.0
 */
asdf_status asdf_table_export_arrow(const asdf_table *table,
                                    const asdf_options *options,
                                    struct ArrowSchema *schema,
                                    struct ArrowArray *array);

/**
 * Gives a table as a stream of arrays, each a struct whose children are the columns.
 *
 * @param table   the table; what is changed in it later has no part in the stream
 * @param options how to export it, or NULL: ASDF_OPTION_BATCH_ROWS is the number of rows of an array, of which no value
 *                is copied for that. Default: all rows in one array
 * @param stream  gets the stream, to be released; what it holds before is not read. Errors are those of
 *                asdf_table_export_arrow()
 * @since 0.1.0
 */
asdf_status asdf_table_export_arrow_stream(const asdf_table *table,
                                           const asdf_options *options,
                                           struct ArrowArrayStream *stream);

/**
 * Gives the rows that a reader has left as a stream of arrays, each a struct whose children are the columns. Each batch
 * is read when it is asked for, and holds as many rows as one of the reader's own, so that memory does not grow with
 * the file.
 *
 * The stream keeps the reader alive. Rows that one of the two has given the other does not give again. The options that
 * the reader was opened with decide how the rows are read.
 *
 * @param reader  the reader
 * @param options how to export the rows, or NULL
 * @param stream  gets the stream, to be released; what it holds before is not read. Errors are those of
 *                asdf_table_export_arrow(); errors of reading are those of the stream
 * @since 0.1.0
 */
asdf_status asdf_table_reader_export_arrow_stream(asdf_table_reader *reader,
                                                  const asdf_options *options,
                                                  struct ArrowArrayStream *stream);

/**
 * Makes a table of one array. The values are copied.
 *
 * Columns may be of truth values, integers, floats, text (also in the form of views), lists as the export makes them or
 * with offsets of 32 bits, dictionaries of all these, and of nothing but missing values, which become missing strings.
 * Other types are ASDF_ERR_UNSUPPORTED, as are lists in lists of variable length and rows that are missing as a whole;
 * two columns of one name, and structs that contradict themselves, are ASDF_ERR_INVALID_ARGUMENT, text that is not
 * UTF-8 is ASDF_ERR_ENCODING, text that is to be JSON or a number of 128 bits and is not is ASDF_ERR_VALUE_RANGE, and
 * metadata of ours that are not JSON are ASDF_ERR_WRONG_TYPE.
 *
 * @param schema  the type, a struct; released by the call, also when it fails, unless schema, array or table is NULL
 * @param array   the values; released by the call as well
 * @param options how to import them, or NULL: ASDF_OPTION_LIMIT_TABLE_BYTES limits the memory for values that no
 *                buffer holds
 * @param table   gets the table; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_table_import_arrow(struct ArrowSchema *schema,
                                    struct ArrowArray *array,
                                    const asdf_options *options,
                                    asdf_table **table);

/**
 * Makes a table of all arrays of a stream. The values are copied, one array after the other.
 *
 * @param stream  the stream, whose errors are ASDF_ERR_CALLBACK; released by the call, also when it fails, unless
 *                stream or table is NULL. What it may give, and other errors, are those of asdf_table_import_arrow()
 * @param options how to import it, or NULL
 * @param table   gets the table; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_table_import_arrow_stream(struct ArrowArrayStream *stream,
                                           const asdf_options *options,
                                           asdf_table **table);

/* 8. Descriptions ================================================================================================== */

/*
 * Descriptions --------------------------------------------------------------------------------------------------------
 *
 * A description is a YAML text that tells what a file of arrays holds: groups, arrays, the dimension coordinates that
 * belong to their axes, attributes, datatypes, and how all that is stored (Ndarray Data Language, NDL 0.6.1).
 *
 * Reading one succeeds whenever the text is YAML. asdf_ndl_report() lists what is wrong or odd in it; what is right is
 * there although something else is wrong. asdf_ndl_is_valid() tells whether there are errors.
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
 * A text that is not YAML is ASDF_ERR_YAML, one that is neither UTF-8 nor UTF-16 with a byte order mark
 * ASDF_ERR_ENCODING, one that is too long or too deep ASDF_ERR_LIMIT; the details of the error name line and column.
 *
 * @param path    the name of the file
 * @param options how to read it, or NULL
 * @param ndl     gets the description; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_ndl_read(const char *path, const asdf_options *options, asdf_ndl **ndl);

/**
 * Reads a description from memory, as asdf_ndl_read() does from a file.
 *
 * @param text    the text
 * @param length  its length in bytes
 * @param options how to read it, or NULL
 * @param ndl     gets the description; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_ndl_read_memory(const char *text, size_t length, const asdf_options *options, asdf_ndl **ndl);

/**
 * Tells whether there is no error in a description.
 *
 * @param ndl   the description
 * @param valid gets 1 or 0
 * @since 0.1.0
 */
asdf_status asdf_ndl_is_valid(const asdf_ndl *ndl, int32_t *valid);

/**
 * Reports the diagnostics and the notes of a description.
 *
 * - Diagnostics tell what is wrong or odd, in the order of the text; at most 1000 are kept. Each has a code such as
 *   "E-VALUE-RANGE" or "W-TYPE-MISSING", and a path: a path name, with "@" and the name of an attribute if it belongs
 *   to one, "" for the document. A description that was built with asdf_ndl_builder_finish() has no lines and columns.
 * - Notes tell what asdf_ndl_describe() left out or wrote in another form, with the path of the node.
 *
 * @param ndl    the description
 * @param report gets diagnostics and notes, none if there is nothing to tell; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_ndl_report(const asdf_ndl *ndl, asdf_report **report);

/**
 * Gives another owner of a description.
 *
 * @param ndl     the description
 * @param another gets the owner, to be freed as well; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_ndl_retain(const asdf_ndl *ndl, asdf_ndl **another);

/**
 * Gives up a description; the last owner frees it.
 *
 * @param ndl the description, or NULL
 * @since 0.1.0
 */
void asdf_ndl_free(asdf_ndl *ndl);

/*
 * What a description tells --------------------------------------------------------------------------------------------
 *
 * Groups, dimension coordinates and arrays have path names ("/", "/site/wind"), which differ among all three. Where a
 * function takes the name of an attribute, NULL means the array or dimension coordinate itself.
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
 * How many groups, dimension coordinates or arrays there are. Groups that are not listed, but in which something is,
 * count as well.
 *
 * @param ndl   the description
 * @param kind  ASDF_NDL_KIND_GROUP, ASDF_NDL_KIND_DIMCOORD or ASDF_NDL_KIND_NDARRAY; others are
 *              ASDF_ERR_INVALID_ARGUMENT
 * @param count gets the number
 * @since 0.1.0
 */
asdf_status asdf_ndl_count(const asdf_ndl *ndl, int32_t kind, int64_t *count);

/**
 * The path name of one of them.
 *
 * @param ndl      the description
 * @param kind     what is counted, as for asdf_ndl_count()
 * @param index    its number from 0, in document order; outside is ASDF_ERR_OUT_OF_RANGE
 * @param buffer   gets the path name
 * @param capacity bytes of the buffer
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
 * What has a path name.
 *
 * @param ndl  the description
 * @param path the path name; one that nothing has is ASDF_ERR_NOT_FOUND
 * @param kind gets ASDF_NDL_KIND_GROUP, ASDF_NDL_KIND_DIMCOORD or ASDF_NDL_KIND_NDARRAY
 * @since 0.1.0
 */
asdf_status asdf_ndl_kind(const asdf_ndl *ndl, const char *path, int32_t *kind);

/**
 * How many attributes a group, a dimension coordinate or an array has.
 *
 * @param ndl   the description
 * @param path  the path name; one that nothing has is ASDF_ERR_NOT_FOUND
 * @param count gets the number
 * @since 0.1.0
 */
asdf_status asdf_ndl_attribute_count(const asdf_ndl *ndl, const char *path, int64_t *count);

/**
 * The name of an attribute.
 *
 * @param ndl      the description
 * @param path     the path name of what has it; one that nothing has is ASDF_ERR_NOT_FOUND
 * @param index    its number from 0, in document order; outside is ASDF_ERR_OUT_OF_RANGE
 * @param buffer   gets the name
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the name; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_ndl_attribute_name(const asdf_ndl *ndl,
                                    const char *path,
                                    int64_t index,
                                    char *buffer,
                                    size_t capacity,
                                    size_t *needed);

/**
 * The shape of an array, a dimension coordinate or an attribute, whether or not values are given.
 *
 * @param ndl       the description
 * @param path      the path name; one that nothing suitable has, or whose shape is wrong, is ASDF_ERR_NOT_FOUND
 * @param attribute the name of an attribute, or NULL
 * @param extents   gets the extents, slowest axis first: -1 for one that may grow or is not known; NULL if capacity
 *                  is 0
 * @param capacity  how many extents there is room for; 0 to get only their number
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
 * The dimension coordinate that belongs to a dimension of an array.
 *
 * @param ndl       the description
 * @param path      the path name of the array; one that no array has is ASDF_ERR_NOT_FOUND
 * @param dimension number of the dimension from 0; outside is ASDF_ERR_OUT_OF_RANGE
 * @param buffer    gets the path name of the dimension coordinate; "" if there is none
 * @param capacity  bytes of the buffer
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
 * The keyword of the datatype: "string", "int8" to "uint64", "float32", "float64", "objref", "opaque", "enum",
 * "regref", "compound", "vlen" or "array".
 *
 * @param ndl       the description
 * @param path      the path name; one that nothing suitable has, or without a datatype, is ASDF_ERR_NOT_FOUND
 * @param attribute the name of an attribute, or NULL
 * @param buffer    gets the keyword
 * @param capacity  bytes of the buffer
 * @param needed    gets the length of the keyword; may be NULL
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
 * What an element is made of: members of a compound, constants of an enum, elements of an array or a vlen, nested at
 * will. Handles are yours to free, in any order.
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
 * The datatype of an array, a dimension coordinate or an attribute.
 *
 * @param ndl       the description
 * @param path      the path name; one that nothing suitable has, or without a datatype, is ASDF_ERR_NOT_FOUND
 * @param attribute the name of an attribute, or NULL
 * @param datatype  gets the datatype; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_ndl_get_datatype(const asdf_ndl *ndl,
                                  const char *path,
                                  const char *attribute,
                                  asdf_ndl_datatype **datatype);

/**
 * The keyword, as asdf_ndl_keyword() gives it.
 *
 * @param datatype the datatype
 * @param buffer   gets the keyword
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the keyword; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_ndl_datatype_keyword(const asdf_ndl_datatype *datatype, char *buffer, size_t capacity, size_t *needed);

/**
 * The datatype in the notation of the language, on one line: "float32", "{array: {base: float32, shape: [3, 3]}}".
 *
 * @param datatype the datatype
 * @param buffer   gets the text
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the text; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_ndl_datatype_text(const asdf_ndl_datatype *datatype, char *buffer, size_t capacity, size_t *needed);

/**
 * The bytes of one element without gaps, also the size of opaque bytes.
 *
 * @param datatype the datatype
 * @param size     gets the number of bytes; -1 if elements have no fixed size, as text, references and vlen have none,
 *                 and what holds them. A number beyond int64_t is ASDF_ERR_VALUE_RANGE, one beyond 128 bits
 *                 ASDF_ERR_LIMIT
 * @since 0.1.0
 */
asdf_status asdf_ndl_datatype_element_size(const asdf_ndl_datatype *datatype, int64_t *size);

/**
 * How many members a compound has, or constants an enum.
 *
 * @param datatype the datatype; any other kind is ASDF_ERR_WRONG_TYPE
 * @param count    gets the number
 * @since 0.1.0
 */
asdf_status asdf_ndl_datatype_member_count(const asdf_ndl_datatype *datatype, int64_t *count);

/**
 * The name of a member of a compound, or of a constant of an enum.
 *
 * @param datatype the datatype; any other kind is ASDF_ERR_WRONG_TYPE
 * @param index    its number from 0, in document order; outside is ASDF_ERR_OUT_OF_RANGE
 * @param buffer   gets the name
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the name; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_ndl_datatype_member_name(const asdf_ndl_datatype *datatype,
                                          int64_t index,
                                          char *buffer,
                                          size_t capacity,
                                          size_t *needed);

/**
 * The datatype of a member of a compound.
 *
 * @param datatype the datatype; any other kind is ASDF_ERR_WRONG_TYPE
 * @param index    number of the member from 0, in document order; outside is ASDF_ERR_OUT_OF_RANGE
 * @param member   gets the datatype of the member; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_ndl_datatype_member(const asdf_ndl_datatype *datatype, int64_t index, asdf_ndl_datatype **member);

/**
 * The number of a constant of an enum.
 *
 * @param datatype the datatype; any other kind is ASDF_ERR_WRONG_TYPE
 * @param index    the place of the constant from 0, in document order; outside is ASDF_ERR_OUT_OF_RANGE
 * @param value    gets the number; one beyond int64_t is ASDF_ERR_VALUE_RANGE
 * @since 0.1.0
 */
asdf_status asdf_ndl_datatype_constant_i64(const asdf_ndl_datatype *datatype, int64_t index, int64_t *value);

/**
 * The number of a constant of an enum whose base is unsigned.
 *
 * @param datatype the datatype; any other kind is ASDF_ERR_WRONG_TYPE
 * @param index    the place of the constant from 0, in document order; outside is ASDF_ERR_OUT_OF_RANGE
 * @param value    gets the number; a negative one is ASDF_ERR_VALUE_RANGE
 * @since 0.1.0
 */
asdf_status asdf_ndl_datatype_constant_u64(const asdf_ndl_datatype *datatype, int64_t index, uint64_t *value);

/**
 * The datatype that another one is made of: of the elements of an array or a vlen, of the constants of an enum.
 *
 * @param datatype the datatype; any other kind is ASDF_ERR_WRONG_TYPE
 * @param base     gets the other one; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_ndl_datatype_base(const asdf_ndl_datatype *datatype, asdf_ndl_datatype **base);

/**
 * The shape of an array datatype.
 *
 * @param datatype the datatype; any other kind is ASDF_ERR_WRONG_TYPE
 * @param extents  gets the extents, slowest axis first; NULL if capacity is 0
 * @param capacity how many extents there is room for; 0 to get only their number
 * @param rank     gets the number of extents; may be NULL unless capacity is 0
 * @since 0.1.0
 */
asdf_status asdf_ndl_datatype_shape(const asdf_ndl_datatype *datatype,
                                    int64_t *extents,
                                    int32_t capacity,
                                    int32_t *rank);

/**
 * What opaque bytes are, such as a media type.
 *
 * @param datatype the datatype; any other kind is ASDF_ERR_WRONG_TYPE, one without a tag ASDF_ERR_NOT_FOUND
 * @param buffer   gets the tag
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the tag; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_ndl_datatype_tag(const asdf_ndl_datatype *datatype, char *buffer, size_t capacity, size_t *needed);

/**
 * How a region reference selects elements: "block" or "element".
 *
 * @param datatype the datatype; any other kind is ASDF_ERR_WRONG_TYPE
 * @param buffer   gets the word
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the word; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_ndl_datatype_selection(const asdf_ndl_datatype *datatype,
                                        char *buffer,
                                        size_t capacity,
                                        size_t *needed);

/**
 * Gives another owner of a datatype.
 *
 * @param datatype the datatype
 * @param another  gets the owner, to be freed as well; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_ndl_datatype_retain(const asdf_ndl_datatype *datatype, asdf_ndl_datatype **another);

/**
 * Gives up a datatype; the last owner frees it.
 *
 * @param datatype the datatype, or NULL
 * @since 0.1.0
 */
void asdf_ndl_datatype_free(asdf_ndl_datatype *datatype);

/*
 * Storage in descriptions ---------------------------------------------------------------------------------------------
 *
 * How values are kept in a file, in the words of the description.
 *
 *     char chunk[256];
 *     asdf_ndl_storage(description, "/site/wind", NULL, "chunk", chunk, sizeof chunk, NULL);   // [512, 3]
 */

/**
 * A storage directive, in the notation of the language: "[512, 3]", "[shuffle, {deflate: {level: 5}}]", "little",
 * "-9999.0".
 *
 * @param ndl       the description
 * @param path      the path name; one that nothing suitable has is ASDF_ERR_NOT_FOUND
 * @param attribute the name of an attribute, or NULL
 * @param directive "shape" or "size" (of what is stored), "chunk", "filter", "endian", "charset" or "fillvalue";
 *                  another word is ASDF_ERR_INVALID_ARGUMENT, one that is not given ASDF_ERR_NOT_FOUND
 * @param buffer    gets the text
 * @param capacity  bytes of the buffer
 * @param needed    gets the length of the text; may be NULL
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
 * A description may give the elements of arrays, dimension coordinates and attributes. They are read one by one, or
 * all at once into memory of yours, converted as the elements of arrays of ASDF files are. What is no number and no
 * text is told in the notation of the language.
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
 * How many values there are along each dimension; along those that may grow, as many as are given.
 *
 * @param ndl       the description
 * @param path      the path name; one that nothing suitable has, or without values, is ASDF_ERR_NOT_FOUND
 * @param attribute the name of an attribute, or NULL
 * @param extents   gets the extents, slowest axis first; NULL if capacity is 0
 * @param capacity  how many extents there is room for; 0 to get only their number
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
 * One integer, or the number of a constant of an enum.
 *
 * @param ndl       the description
 * @param path      the path name; one that nothing suitable has, or without values, is ASDF_ERR_NOT_FOUND
 * @param attribute the name of an attribute, or NULL
 * @param index     number of the element in C order; outside is ASDF_ERR_OUT_OF_RANGE
 * @param value     gets the number; one beyond int64_t is ASDF_ERR_VALUE_RANGE, any other datatype
 *                  ASDF_ERR_WRONG_TYPE
 * @since 0.1.0
 */
asdf_status asdf_ndl_value_i64(const asdf_ndl *ndl,
                               const char *path,
                               const char *attribute,
                               int64_t index,
                               int64_t *value);

/**
 * One number. Integers beyond 2^53 are rounded.
 *
 * @param ndl       the description
 * @param path      the path name; one that nothing suitable has, or without values, is ASDF_ERR_NOT_FOUND
 * @param attribute the name of an attribute, or NULL
 * @param index     number of the element in C order; outside is ASDF_ERR_OUT_OF_RANGE
 * @param value     gets the number; a datatype that is not of numbers is ASDF_ERR_WRONG_TYPE
 * @since 0.1.0
 */
asdf_status asdf_ndl_value_f64(const asdf_ndl *ndl,
                               const char *path,
                               const char *attribute,
                               int64_t index,
                               double *value);

/**
 * One text, name of a constant of an enum, or path name that an object reference holds ("" if it holds none).
 *
 * @param ndl       the description
 * @param path      the path name; one that nothing suitable has, or without values, is ASDF_ERR_NOT_FOUND
 * @param attribute the name of an attribute, or NULL
 * @param index     number of the element in C order; outside is ASDF_ERR_OUT_OF_RANGE
 * @param buffer    gets the text; any other datatype is ASDF_ERR_WRONG_TYPE
 * @param capacity  bytes of the buffer
 * @param needed    gets the length of the text; may be NULL
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
 * One element in the notation of the language, whatever its datatype: "[1, 0.5]" for a compound, a vlen or an array
 * datatype, base64 for opaque bytes, "{target: /sky, selection: [[3, 4]]}" for a region reference; texts in quotes
 * where they need them.
 *
 * @param ndl       the description
 * @param path      the path name; one that nothing suitable has, or without values, is ASDF_ERR_NOT_FOUND
 * @param attribute the name of an attribute, or NULL
 * @param index     number of the element in C order; outside is ASDF_ERR_OUT_OF_RANGE
 * @param buffer    gets the text, which is one line
 * @param capacity  bytes of the buffer
 * @param needed    gets the length of the text; may be NULL
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
 * Reads all elements as numbers, by the conversion rule of asdf_array_read(): what does not fit is ASDF_ERR_OVERFLOW.
 *
 * Constants of an enum are their numbers, those of FALSE and TRUE truth values. An array datatype adds its extents
 * behind those of asdf_ndl_value_shape(); opaque bytes add one of their size, and are followed by zeros in it. Of any
 * other datatype that is not of numbers this is ASDF_ERR_CONVERSION.
 *
 * @param ndl       the description
 * @param path      the path name; one that nothing suitable has, or without values, is ASDF_ERR_NOT_FOUND
 * @param attribute the name of an attribute, or NULL
 * @param datatype  code of the scalar type to read them as; another number is ASDF_ERR_INVALID_ARGUMENT
 * @param options   how to read, or NULL
 * @param elements  gets the elements; what it holds after a failure is not specified. May be NULL if there are none
 * @param capacity  bytes that may be written; fewer than the elements take are ASDF_ERR_BUFFER_TOO_SMALL
 * @since 0.1.0
 */
asdf_status asdf_ndl_read_values(const asdf_ndl *ndl,
                                 const char *path,
                                 const char *attribute,
                                 int32_t datatype,
                                 const asdf_options *options,
                                 void *elements,
                                 size_t capacity);

/**
 * Reads all elements, also as strings (texts, names of constants, and path names of object references, which are empty
 * where there is none) and compounds as records. See asdf_ndl_read_values().
 *
 * @param ndl       the description
 * @param path      the path name; one that nothing suitable has, or without values, is ASDF_ERR_NOT_FOUND
 * @param attribute the name of an attribute, or NULL
 * @param datatype  what to read them as. Text can be read as ASDF_ASCII, which then is UTF-8 of so many bytes, and as
 *                  ASDF_UCS4; one that is too long is ASDF_ERR_OVERFLOW, or cut where ASDF_OPTION_CLAMP
 *                  is 1. A record has fields with the names of the members, in their order, and with the extents
 *                  that array datatypes and opaque bytes add; each member is converted by itself
 * @param options   how to read, or NULL
 * @param elements  gets the elements, strings filled up with NUL, records without gaps; may be NULL if there are none
 * @param capacity  bytes that may be written
 * @since 0.1.0
 */
asdf_status asdf_ndl_read_values_typed(const asdf_ndl *ndl,
                                       const char *path,
                                       const char *attribute,
                                       const asdf_datatype *datatype,
                                       const asdf_options *options,
                                       void *elements,
                                       size_t capacity);

/*
 * Making descriptions -------------------------------------------------------------------------------------------------
 *
 * A builder gets groups, dimension coordinates, arrays and attributes one by one, and what belongs to each; the
 * description itself (asdf_ndl) is made at the end, and never changes. Each call checks what it is given, and changes
 * nothing if it fails. What only the whole can tell (a name that no dimension coordinate has, a path name that is also
 * that of a group, values that are not as many as the shape says) is among the diagnostics of the description, which
 * are those of a text that says the same.
 *
 * Datatypes, storage directives and values are also taken in the notation of the language: "float32", "{array: {base:
 * float32, shape: [3, 3]}}", "[shuffle, {deflate: {level: 5}}]". Where a function takes the name of an attribute, NULL
 * means the array or dimension coordinate itself. A builder is changed by one thread at a time.
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
 * Makes a builder.
 *
 * @param from    what it begins with: a description, which stays as it is; NULL for that of an empty file
 * @param builder gets the builder; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_ndl_builder_new(const asdf_ndl *from, asdf_ndl_builder **builder);

/**
 * Lists a group; one that is there stays as it is. Groups that others are in need not be added.
 *
 * @param builder the builder
 * @param path    the path name; what is none is ASDF_ERR_PATH, that of an array or a dimension coordinate
 *                ASDF_ERR_INVALID_ARGUMENT
 * @since 0.1.0
 */
asdf_status asdf_ndl_builder_add_group(asdf_ndl_builder *builder, const char *path);

/**
 * Adds a dimension coordinate.
 *
 * @param builder  the builder
 * @param path     its path name; what is none is ASDF_ERR_PATH, one that something has ASDF_ERR_INVALID_ARGUMENT
 * @param extent   how many elements it has, at least 1, or -1 if it may grow; others are ASDF_ERR_INVALID_ARGUMENT
 * @param datatype its datatype in the notation of the language; what is none is ASDF_ERR_BAD_DATATYPE, what is no YAML
 *                 ASDF_ERR_YAML. NULL for none, which the diagnostics warn of
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
 * @param path        its path name; what is none is ASDF_ERR_PATH, one that something has ASDF_ERR_INVALID_ARGUMENT
 * @param rank        number of dimensions
 * @param extents     extent along each dimension, slowest axis first, or -1 if it may grow; not looked at where a
 *                    dimension coordinate is named. May be NULL if one is for each
 * @param coordinates for each dimension the dimension coordinate, by its path name, by its name (looked for in the
 *                    group of the array, and in those that this is in) or by a relative path; NULL where there is none.
 *                    May be NULL altogether
 * @param datatype    its datatype in the notation of the language, or NULL; see asdf_ndl_builder_add_dimcoord()
 * @since 0.1.0
 */
asdf_status asdf_ndl_builder_add_ndarray(asdf_ndl_builder *builder,
                                         const char *path,
                                         int32_t rank,
                                         const int64_t *extents,
                                         const char *const *coordinates,
                                         const char *datatype);

/**
 * Gives a dimension coordinate another size.
 *
 * @param builder the builder
 * @param path    its path name; any other is ASDF_ERR_NOT_FOUND
 * @param extent  how many elements it has, at least 1, or -1 if it may grow; others are ASDF_ERR_INVALID_ARGUMENT
 * @since 0.1.0
 */
asdf_status asdf_ndl_builder_set_size(asdf_ndl_builder *builder, const char *path, int64_t extent);

/**
 * Gives an array another shape.
 *
 * @param builder     the builder
 * @param path        its path name; any other is ASDF_ERR_NOT_FOUND
 * @param rank        number of dimensions
 * @param extents     extents, as for asdf_ndl_builder_add_ndarray(); NULL where that takes it
 * @param coordinates dimension coordinates, as for asdf_ndl_builder_add_ndarray(), or NULL
 * @since 0.1.0
 */
asdf_status asdf_ndl_builder_set_shape(asdf_ndl_builder *builder,
                                       const char *path,
                                       int32_t rank,
                                       const int64_t *extents,
                                       const char *const *coordinates);

/**
 * Gives an array, a dimension coordinate or an attribute another datatype.
 *
 * @param builder   the builder
 * @param path      the path name; one that nothing suitable has is ASDF_ERR_NOT_FOUND, one whose values or fill value
 *                  are not taken out before ASDF_ERR_INVALID_ARGUMENT
 * @param attribute the name of an attribute, or NULL
 * @param datatype  the datatype in the notation of the language; what is none is ASDF_ERR_BAD_DATATYPE
 * @since 0.1.0
 */
asdf_status asdf_ndl_builder_set_datatype(asdf_ndl_builder *builder,
                                          const char *path,
                                          const char *attribute,
                                          const char *datatype);

/**
 * Gives an attribute that is a text, in the place of one that has the name.
 *
 * @param builder   the builder
 * @param path      the path name of what has it; one that nothing has is ASDF_ERR_NOT_FOUND
 * @param attribute its name; "" is ASDF_ERR_INVALID_ARGUMENT
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
 * Gives an attribute that is an integer, in the place of one that has the name: int32 if it is in its range, else
 * int64.
 *
 * @param builder   the builder
 * @param path      the path name of what has it; one that nothing has is ASDF_ERR_NOT_FOUND
 * @param attribute its name; "" is ASDF_ERR_INVALID_ARGUMENT
 * @param value     the integer
 * @since 0.1.0
 */
asdf_status asdf_ndl_builder_set_attribute_i64(asdf_ndl_builder *builder,
                                               const char *path,
                                               const char *attribute,
                                               int64_t value);

/**
 * Gives an attribute that is a float64, in the place of one that has the name.
 *
 * @param builder   the builder
 * @param path      the path name of what has it; one that nothing has is ASDF_ERR_NOT_FOUND
 * @param attribute its name; "" is ASDF_ERR_INVALID_ARGUMENT
 * @param value     the number
 * @since 0.1.0
 */
asdf_status asdf_ndl_builder_set_attribute_f64(asdf_ndl_builder *builder,
                                               const char *path,
                                               const char *attribute,
                                               double value);

/**
 * Gives an attribute of any shape and datatype, in the place of one that has the name. Its value is given after that,
 * by one of the functions below; as long as it is missing, that is an error in the description.
 *
 * @param builder   the builder
 * @param path      the path name of what has it; one that nothing has is ASDF_ERR_NOT_FOUND
 * @param attribute its name; "" is ASDF_ERR_INVALID_ARGUMENT
 * @param rank      number of dimensions
 * @param extents   extent along each dimension, slowest axis first, from 0; may be NULL for rank 0
 * @param datatype  its datatype in the notation of the language; what is none is ASDF_ERR_BAD_DATATYPE
 * @since 0.1.0
 */
asdf_status asdf_ndl_builder_set_attribute(asdf_ndl_builder *builder,
                                           const char *path,
                                           const char *attribute,
                                           int32_t rank,
                                           const int64_t *extents,
                                           const char *datatype);

/**
 * Gives numbers, constants by their numbers, or opaque bytes as values.
 *
 * They are converted by the rule of asdf_array_read(): what does not fit is ASDF_ERR_OVERFLOW, floats become the
 * nearest. What asdf_ndl_read_values() gives is taken again. A number that no constant of an enum has is
 * ASDF_ERR_VALUE_RANGE, any other datatype ASDF_ERR_CONVERSION.
 *
 * @param builder   the builder
 * @param path      the path name; one that nothing suitable has is ASDF_ERR_NOT_FOUND. Without datatype or shape it is
 *                  ASDF_ERR_INCOMPLETE
 * @param attribute the name of an attribute, or NULL
 * @param datatype  code of the scalar type of the elements; another number is ASDF_ERR_INVALID_ARGUMENT
 * @param rank      number of dimensions of the values: that of the shape
 * @param extents   how many values there are along each dimension, slowest axis first: as many as are stored
 *                  (directive "shape" or "size"), or else as the shape says, any number where it may grow or names a
 *                  dimension coordinate. Another number is ASDF_ERR_INVALID_ARGUMENT. May be NULL for rank 0
 * @param elements  the elements in native byte order: in C order, unless the options say how they lie. An array
 *                  datatype adds its extents behind those of the values, opaque bytes one of their size. May be NULL if
 *                  there are none
 * @param size      bytes of that memory; other than the elements take is ASDF_ERR_INVALID_ARGUMENT
 * @param options   order or strides of the elements, or NULL
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
 * Gives texts as values; see asdf_ndl_builder_set_values().
 *
 * @param builder   the builder
 * @param path      the path name
 * @param attribute the name of an attribute, or NULL
 * @param rank      number of dimensions of the values
 * @param extents   how many values there are along each dimension; may be NULL for rank 0
 * @param bytes     the values in C order, one after the other, UTF-8: value i is in the bytes from offset i to offset
 *                  i + 1. Values are texts, which may hold NULs, names of constants of an enum (others are
 *                  ASDF_ERR_VALUE_RANGE), or path names that object references hold (what is none is ASDF_ERR_PATH),
 *                  "" for none. Another datatype is ASDF_ERR_WRONG_TYPE. May be NULL if all are empty
 * @param size      number of these bytes
 * @param offsets   offsets in the bytes. One below the one before, or outside the bytes, is ASDF_ERR_INVALID_ARGUMENT.
 *                  May be NULL if there are no values
 * @param count     number of offsets, one more than values; other than the extents say is ASDF_ERR_INVALID_ARGUMENT
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
 * Gives a value in the notation of the language, whatever the datatype: "[[1, 2], [3, 4]]", "{target: /image, start:
 * [0, 0], opposite: [9, 9]}".
 *
 * @param builder   the builder
 * @param path      the path name; one that nothing suitable has is ASDF_ERR_NOT_FOUND
 * @param attribute the name of an attribute, or NULL
 * @param value     the value; NULL takes out the one that is there. What is no YAML is ASDF_ERR_YAML, an element of
 *                  another kind than the datatype has ASDF_ERR_WRONG_TYPE, one that is out of range, no constant or no
 *                  base64 ASDF_ERR_VALUE_RANGE, lists other than the shape says ASDF_ERR_INVALID_ARGUMENT; without
 *                  datatype or shape it is ASDF_ERR_INCOMPLETE
 * @param length    its length in bytes
 * @since 0.1.0
 */
asdf_status asdf_ndl_builder_set_value(asdf_ndl_builder *builder,
                                       const char *path,
                                       const char *attribute,
                                       const char *value,
                                       size_t length);

/**
 * Gives a storage directive, in the notation of the language.
 *
 * @param builder   the builder
 * @param path      the path name; one that nothing suitable has is ASDF_ERR_NOT_FOUND
 * @param attribute the name of an attribute, or NULL
 * @param directive "shape" or "size" (of what is stored), "chunk", "filter", "endian", "charset", "fillvalue", or a key
 *                  that begins with "x-"; another word, or one that has no meaning here, is ASDF_ERR_INVALID_ARGUMENT
 * @param text      what it is: "[512, 3]", "little"; NULL takes it out. What is wrong with it is
 *                  ASDF_ERR_INVALID_ARGUMENT or, of a fill value, as for asdf_ndl_builder_set_value()
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
 * Gives what stands under a key of one's own, which the language keeps and ignores.
 *
 * @param builder   the builder
 * @param path      the path name of a group, an array or a dimension coordinate; one that nothing has is
 *                  ASDF_ERR_NOT_FOUND. NULL for the description itself
 * @param attribute the name of an attribute, or NULL
 * @param key       the key, which begins with "x-"; another is ASDF_ERR_INVALID_ARGUMENT
 * @param text      YAML of one document; what is none is ASDF_ERR_YAML. NULL takes out what is there
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
 * Takes out an attribute, an array, a dimension coordinate, or a group with all that is in it.
 *
 * @param builder   the builder
 * @param path      the path name; one that nothing has is ASDF_ERR_NOT_FOUND, the root ASDF_ERR_INVALID_ARGUMENT
 * @param attribute the name of an attribute, or NULL
 * @since 0.1.0
 */
asdf_status asdf_ndl_builder_remove(asdf_ndl_builder *builder, const char *path, const char *attribute);

/**
 * Makes the description of what the builder has; it can go on after that.
 *
 * asdf_ndl_is_valid() and asdf_ndl_report() tell errors and warnings, which have no lines and columns. More than
 * a text may hold is ASDF_ERR_LIMIT. A dimension of a description that was read with errors may have neither an extent
 * nor a name, which is ASDF_ERR_INCOMPLETE.
 *
 * @param builder the builder
 * @param options as for reading, or NULL
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
 * The canonical text is one text for one content, which readers of YAML 1.1 and 1.2 take alike, and is its own
 * canonical text. What was read with errors is incomplete, and has none.
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
 *   "ndarrays", the latter three by path name. What the description does not tell is left out, or null. References are
 *   resolved, values are typed; floats that are not finite are the texts "nan", "inf" and "-inf". This format alone
 *   takes descriptions that were read with errors.
 * - ASDF_NDL_FORMAT_CDL: CDL, of which ncgen makes a netCDF-4 file. What netCDF cannot hold (references, array
 *   datatypes outside compounds, extents of 0, attributes of rank 2 and more), and names that CDL cannot write, are
 *   ASDF_ERR_UNSUPPORTED.
 * - ASDF_NDL_FORMAT_C: a header of C99. An array "/g/a" is a type name_g_a of its elements and macros name_g_a_RANK,
 *   name_g_a_EXTENT_0 and so on, none for unlimited dimensions.
 * - ASDF_NDL_FORMAT_FORTRAN: a module of Fortran 2003. A compound is a type g_a, an enumeration a kind g_a_kind and
 *   parameters, and extents are g_a_shape, in the order of Fortran, with -1 for unlimited dimensions.
 *
 * In source code characters other than letters and digits become "_"; identifiers that meet get numbers. What the
 * language does not have is ASDF_ERR_UNSUPPORTED, an element of 2 GiB and more ASDF_ERR_LIMIT.
 *
 * @param ndl     the description; one that lacks something that the format needs is ASDF_ERR_INCOMPLETE
 * @param format  an ASDF_NDL_FORMAT_ constant; another number is ASDF_ERR_INVALID_ARGUMENT
 * @param name    name of the CDL data set, beginning of the identifiers of C, or name of the Fortran module. NULL for
 *                the other formats
 * @param options how to write it, or NULL
 * @param buffer  gets the text in UTF-8, without NUL at its end; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_ndl_export(const asdf_ndl *ndl,
                            int32_t format,
                            const char *name,
                            const asdf_options *options,
                            asdf_buffer **buffer);

/**
 * Writes the canonical text of a description to a file, which has its name only when it is whole. After
 * ASDF_ERR_NOT_DURABLE it has the name; only waiting for that failed. A pipe or a character device of the name is
 * written to.
 *
 * @param ndl     the description; one that lacks something since it was read with errors is ASDF_ERR_INCOMPLETE
 * @param path    the name of the file. A file that has it is ASDF_ERR_FILE_EXISTS unless ASDF_OPTION_REPLACE is set
 * @param options how to write it, or NULL
 * @since 0.1.0
 */
asdf_status asdf_ndl_write(const asdf_ndl *ndl, const char *path, const asdf_options *options);

/**
 * The name of the file with the description of another file: "example.yaml" for "example.asdf".
 *
 * @param path     the name of the other file
 * @param buffer   gets the name
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the name; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_ndl_file_name(const char *path, char *buffer, size_t capacity, size_t *needed);

/*
 * Comparing descriptions ----------------------------------------------------------------------------------------------
 *
 * Notation does not matter: groups or none, short or long attributes, inferred datatypes, spellings of references and
 * numbers, the order of keys, and whether a group is listed in which nothing is.
 *
 *     asdf_report *differences = NULL;
 *     asdf_ndl_compare(before, after, 0, &differences);
 *     print_report(differences);   // ~ /image@units: value "K" -> "mK"
 *     asdf_report_free(differences);
 */

#define ASDF_NDL_IGNORE_ATTRIBUTES 1 /**< Attributes do not matter. */
#define ASDF_NDL_IGNORE_STORAGE 2    /**< Storage directives do not matter. */

/**
 * Values of arrays and dimension coordinates do not matter.
 */
#define ASDF_NDL_IGNORE_VALUES 4

#define ASDF_NDL_IGNORE_EXTENSIONS 8 /**< What stands under x- keys does not matter. */

/**
 * The size of an array or a dimension coordinate.
 *
 * @param ndl           the description
 * @param path          its path name; if nothing has it, that is ASDF_ERR_NOT_FOUND
 * @param elements      gets how many elements are stored, or else how many there are; -1 if that is not
 *                      known. May be NULL
 * @param element_bytes gets the bytes of an element without gaps, -1 if elements differ; may be NULL
 * @param bytes         gets the bytes of all elements, -1 if not known; may be NULL. Sizes beyond int64_t are
 *                      ASDF_ERR_LIMIT
 * @since 0.1.0
 */
asdf_status asdf_ndl_size(const asdf_ndl *ndl,
                          const char *path,
                          int64_t *elements,
                          int64_t *element_bytes,
                          int64_t *bytes);

/**
 * The sizes of all arrays and dimension coordinates together.
 *
 * @param ndl     the description
 * @param bytes   gets the sum of the bytes that are known; beyond int64_t that is ASDF_ERR_LIMIT
 * @param unknown gets how many of them have a size that is not known; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_ndl_total_size(const asdf_ndl *ndl, int64_t *bytes, int64_t *unknown);

/**
 * Whether two descriptions mean the same.
 *
 * @param ndl   a description
 * @param other another one
 * @param same  gets 1 or 0
 * @since 0.1.0
 */
asdf_status asdf_ndl_is_same(const asdf_ndl *ndl, const asdf_ndl *other, int32_t *same);

/**
 * Reports the differences between two descriptions.
 *
 * Each entry has these fields:
 *
 * - ASDF_REPORT_KIND is ASDF_REPORT_KIND_DIFFERENCE, ASDF_REPORT_SEVERITY is ASDF_SEVERITY_NOTE.
 * - ASDF_REPORT_OPERATION tells whether something was added, removed or changed.
 * - ASDF_REPORT_PATH is the path name, with "@" and the name of an attribute; "" for the description as a whole.
 * - ASDF_REPORT_SUBJECT is "group", "dimcoord", "ndarray" or "attribute" for all of it. For a part it is "size",
 *   "shape", "dims", "type", "value", "extensions", "storage.extensions", or "storage." with the name of a directive.
 * - ASDF_REPORT_OLD and ASDF_REPORT_NEW are JSON like that of ASDF_NDL_FORMAT_JSON. What was added has no old content,
 *   what was removed no new content.
 * - ASDF_REPORT_TEXT is "+", "-" or "~", path, subject, and old and new content, cut where it is long.
 *
 * @param ndl    the older description
 * @param newer  the newer one
 * @param ignore a sum of ASDF_NDL_IGNORE_ constants, or 0
 * @param report gets the differences, none if both mean the same; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_ndl_compare(const asdf_ndl *ndl, const asdf_ndl *newer, int32_t ignore, asdf_report **report);

/**
 * Reports where a file is not as a description promises.
 *
 * The entries have the fields that asdf_ndl_compare() lists, but ASDF_SEVERITY_ERROR. ASDF_OPERATION_REMOVE marks what
 * the file lacks, ASDF_OPERATION_ADD what it has beyond the promise, ASDF_OPERATION_CHANGE what is different. The old
 * content was promised, the new content is in the file. An unlimited dimension promises any extent; what either
 * description does not tell of datatypes, storage and values is no fault; stored extents and x- keys do not matter.
 *
 * @param ndl    what is promised
 * @param file   the description of the file
 * @param subset 1 if the file may have further groups, arrays, attributes and coordinates of dimensions, else 0
 * @param report gets the differences, none if the file conforms; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_ndl_conform(const asdf_ndl *ndl, const asdf_ndl *file, int32_t subset, asdf_report **report);

/*
 * Descriptions and ASDF files -----------------------------------------------------------------------------------------
 *
 * Any ASDF file can be described: mappings are groups, arrays are ndarrays, scalars and even lists of scalars are
 * attributes, and a path name is the path of the node. No block is read unless values of arrays are asked for. What
 * the language has no form for (null, masks, references to other files) is left out or written in another form, and
 * noted.
 *
 * The other way round a file is made that holds what a description tells: its values, else fill values or zeros, which
 * take no room on the disk where the system can leave it out. What the tree cannot tell, as the names of constants and
 * the coordinates of dimensions, stands under its key `ndl`, so that the file is described as what it was made from.
 *
 *     asdf_file *file = NULL;
 *     asdf_ndl *description = NULL;
 *     asdf_file_open("image.asdf", NULL, &file);
 *     asdf_ndl_describe(file, NULL, &description);
 *     asdf_ndl_create_asdf(description, "empty.asdf", NULL, NULL);   // of the same shape
 *     asdf_ndl_free(description);
 *     asdf_file_free(file);
 */

#define ASDF_NDL_VALUES_NONE 0 /**< No values of arrays. */

/**
 * Those that stand in the tree, for which no block is read.
 */
#define ASDF_NDL_VALUES_INLINE 1

#define ASDF_NDL_VALUES_ALL 2         /**< All. */
#define ASDF_NDL_VALUES_COORDINATES 3 /**< Those of dimension coordinates. */

/**
 * Describes an ASDF file. What it holds never makes this fail; asdf_ndl_report() lists what cannot be told.
 *
 * Values that are asked for and do not fit into memory are ASDF_ERR_OUT_OF_MEMORY, a part that is asked for and is not
 * there ASDF_ERR_NOT_FOUND.
 *
 * @param file    the file
 * @param options how to describe it, or NULL
 * @param ndl     gets the description; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_ndl_describe(const asdf_file *file, const asdf_options *options, asdf_ndl **ndl);

/**
 * Makes an ASDF file that holds what is described. It appears under its name when it is whole.
 *
 * What cannot be stored fails, with the path name in the details: an array without datatype or a string of unknown
 * length as ASDF_ERR_INCOMPLETE, what ASDF has no form for as ASDF_ERR_UNSUPPORTED, names that ASDF keeps for itself
 * (`asdf_library`, `history` and `ndl` in the root) as ASDF_ERR_INVALID_ARGUMENT, too many bytes and too deep nesting
 * as ASDF_ERR_LIMIT. A file that has the name is ASDF_ERR_FILE_EXISTS unless ASDF_OPTION_REPLACE is set.
 *
 * `x-asdf` keys, as asdf_ndl_describe() writes them, choose the form in the file: tags, null, masks, storage in the
 * tree, datatypes of elements, Fortran's order. The report has a note for each key that the file does not follow, and
 * for everything else that is not as the description says, such as filters that are no codec of ASDF.
 *
 * @param ndl     the description
 * @param path    the name of the file
 * @param options how to make it, or NULL
 * @param report  gets the notes, none if all is as described; NULL on failure. It may be NULL
 * @since 0.1.0
 */
asdf_status asdf_ndl_create_asdf(const asdf_ndl *ndl,
                                 const char *path,
                                 const asdf_options *options,
                                 asdf_report **report);

/* 9. Advanced ====================================================================================================== */

/*
 * Progress and cancelling ---------------------------------------------------------------------------------------------
 *
 * A call that takes long can tell the program how far it is, and the program can end it: with options in which a
 * callback is set. The callback gets the bytes that are done and their total, of whatever takes the time: elements
 * that are read, blocks that are written or compared with their checksums, text of tables. The number of bytes done
 * never goes down and never exceeds the total, which can grow when more turns out to be needed. Where the total is
 * not known before, it is -1.
 *
 * The first report is made before the work begins, the others at least 100 ms apart. When the call succeeds, a last one
 * says that all is done. Calls that do no such work report only if they last longer than 100 ms. A reader, writer or
 * stream that was made with such options reports in each of its calls.
 *
 * A callback that returns anything but 0 ends the call with ASDF_ERR_CANCELLED:
 *
 * - A file that was to be written or changed is as it was before the call, and nothing else is left behind. Once the
 *   new content is about to take effect, and from the first element that asdf_array_write_region() overwrites, it is
 *   too late, and the call goes on.
 * - Buffers and masks have unspecified content. Bytes that were written to a descriptor stay there.
 * - A stream has whole rows, as many as asdf_stream_row_count() tells. The next row can be pushed.
 * - A reader of tables gives the same rows in its next call. A writer has some of the rows: to append the same table
 *   again writes the others, and until then no other table can be appended.
 * - All handles can be used as before, and changes that were not saved can be saved again. A setter that was cancelled
 *   counts as one that failed.
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
 * Is told how far a call is.
 *
 * It is called on the thread that made the call, while that call lasts. It must not throw, longjmp or free what the
 * call uses. A call on a file, stream, reader or writer that the reporting call uses, or on what hangs on it, fails
 * with ASDF_ERR_INVALID_ARGUMENT. All other calls are allowed.
 *
 * @param user  what was given with the callback
 * @param done  bytes that are done
 * @param total all bytes; -1 if that is not known
 * @return 0 to go on; another number ends the call with ASDF_ERR_CANCELLED
 */
typedef int32_t (*asdf_progress_callback)(void *user, int64_t done, int64_t total);

/**
 * Lets the program see how far calls are, and end them.
 *
 * @param options  the options
 * @param progress is told how far a call is
 * @param close    releases what user stands for: called once, when the options, their copies, and the readers, writers
 *                 and streams made with them are freed, by the call that frees the last of them, on its thread. Its
 *                 answer is ignored. NULL for none. If this call fails, it is not called
 * @param user     given to the callbacks; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_options_set_progress(asdf_options *options,
                                      asdf_progress_callback progress,
                                      asdf_close_callback close,
                                      void *user);

/*
 * Other files ---------------------------------------------------------------------------------------------------------
 *
 * Elements of an array can be in another file, and a reference can lead into one. Such files are opened when they are
 * needed, each once, and only if the options that the first file was opened with allow it. They are opened with the
 * same options, closed with the first file, and count for ASDF_OPTION_LIMIT_EXTERNAL_FILES and
 * ASDF_OPTION_LIMIT_EXTERNAL_DEPTH. If one cannot be had, only what needs it fails. Without such options that is
 * ASDF_ERR_EXTERNAL_REFERENCE; what the options rule out is ASDF_ERR_ACCESS_DENIED. Neither ".." nor symbolic links
 * lead out of a directory that is allowed, and nothing is ever fetched from a network.
 *
 * Names are URIs, relative to that of the file they stand in; a file that was not opened by name has neither a URI nor
 * a directory.
 *
 *     asdf_options *options = NULL;
 *     asdf_options_new(&options);
 *     asdf_options_set_int(options, ASDF_OPTION_ACCESS, ASDF_ACCESS_SAME_DIRECTORY);
 *     asdf_file_open("exploded.asdf", options, &file);
 */

#define ASDF_ACCESS_DENY 0 /**< No other files: the default. */

/**
 * Regular files in the directory of the first file, and below.
 */
#define ASDF_ACCESS_SAME_DIRECTORY 1

/**
 * Opens what a URI names, as a source that the program implements.
 *
 * It is called inside the call that needs the file, on the thread of that call. It must not throw, longjmp or use the
 * file that leads there or another that leads to it (see Callbacks above). It may be called as long as that file or
 * what hangs on it lives. The source that it gives is closed with the file that leads there.
 *
 * @param user   what was given with the callback
 * @param uri    what is wanted, without a fragment: absolute, or relative if the first file was not opened by name
 * @param read   gets the callback that gives bytes; NULL before
 * @param close  gets the callback that releases what read reads from; NULL before, and may stay so
 * @param source gets what is given to both as user; NULL before
 * @param length gets the number of bytes of the source; 0 before. With a negative one the call fails with
 *               ASDF_ERR_CALLBACK
 * @return ASDF_OK; ASDF_ERR_ACCESS_DENIED or ASDF_ERR_FILE_NOT_FOUND, with which the call fails then; or another
 *         number, with which it fails with ASDF_ERR_CALLBACK. Unless it is ASDF_OK, close is not called
 */
typedef asdf_status (*asdf_resolve_callback)(void *user,
                                             const char *uri,
                                             asdf_read_callback *read,
                                             asdf_close_callback *close,
                                             void **source,
                                             int64_t *length);

/**
 * Lets the program open other files, whatever their scheme.
 *
 * @param options the options
 * @param resolve opens what a URI names
 * @param close   releases what user stands for: called once, when the options, their copies, and the files and readers
 *                opened with them are freed, by the call that frees the last of them, on its thread. Its answer is
 *                ignored. NULL for none. If this call fails, it is not called
 * @param user    given to the callbacks; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_options_set_resolver(asdf_options *options,
                                      asdf_resolve_callback resolve,
                                      asdf_close_callback close,
                                      void *user);

/*
 * Codecs --------------------------------------------------------------------------------------------------------------
 *
 * A block is compressed by the codec that its label of four bytes names. A program can bring codecs beside those of
 * the library, by options: a call that opens files takes any number; a call that stores an array compresses it with
 * the last one.
 *
 *     asdf_codec *codec = NULL;
 *     asdf_codec_new("runs", decode_runs, encode_runs, NULL, NULL, &codec);
 *     asdf_options_add_codec(options, codec);   // to open files, or to set an array
 *     asdf_codec_free(codec);
 */

/**
 * Decodes the stored bytes of a block.
 *
 * It is called inside the call that needs the bytes, on the thread of that call, also if the call uses several threads.
 * It is called on several threads at once if files are used so. It must not throw, longjmp or use the file (see
 * Callbacks above). The stored bytes may be damaged or made to do harm.
 *
 * @param user        what was given with the callback
 * @param stored      the stored bytes
 * @param stored_size how many they are
 * @param out         gets the decoded bytes
 * @param out_size    how many they must be: the size that the block declares, which may be 0
 * @param decoded     gets how many were written to out; anything but out_size is ASDF_ERR_DECODED_SIZE
 * @return ASDF_OK; ASDF_ERR_CORRUPT, ASDF_ERR_TRUNCATED, ASDF_ERR_DECODED_SIZE or ASDF_ERR_OUT_OF_MEMORY, with which
 *         the call fails then; or another number, with which it fails with ASDF_ERR_CALLBACK
 */
typedef asdf_status (*asdf_decode_callback)(void *user,
                                            const void *stored,
                                            size_t stored_size,
                                            void *out,
                                            size_t out_size,
                                            size_t *decoded);

/**
 * Encodes the bytes of a block, inside the call that writes or saves the file. The rules of asdf_decode_callback hold.
 *
 * @param user     what was given with the callback
 * @param data     the bytes
 * @param size     how many they are, at least 1
 * @param out      gets the encoded bytes
 * @param capacity room in out: at first somewhat more than size
 * @param encoded  gets how many were written to out, or with ASDF_ERR_BUFFER_TOO_SMALL how much room is needed
 * @return ASDF_OK; ASDF_ERR_BUFFER_TOO_SMALL, after which it is called once more with the room that it needs;
 *         ASDF_ERR_OUT_OF_MEMORY, with which the call fails then; or another number, with which it fails with
 *         ASDF_ERR_CALLBACK
 */
typedef asdf_status (*asdf_encode_callback)(void *user,
                                            const void *data,
                                            size_t size,
                                            void *out,
                                            size_t capacity,
                                            size_t *encoded);

/**
 * Makes a codec.
 *
 * @param label  1 to 4 printable ASCII characters, as they stand in the headers of blocks; others, and the labels of
 *               codecs that the library has, are ASDF_ERR_INVALID_ARGUMENT
 * @param decode decodes blocks
 * @param encode encodes blocks; NULL for a codec that only reads
 * @param close  releases what user stands for: called once, when the handle and all options, files and arrays that use
 *               the codec are freed. NULL for none. If this call fails, it is not called
 * @param user   given to the callbacks; may be NULL
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
 * Adds a codec: files opened with the options, and the files that they lead to, can be read with it; arrays stored
 * with the options are compressed with the codec that was added last. Such arrays can be read again only with the
 * codec.
 *
 * @param options the options
 * @param codec   the codec, which replaces an earlier one of the same label. One that only reads is
 *                ASDF_ERR_UNSUPPORTED when a file with such an array is written
 * @since 0.1.0
 */
asdf_status asdf_options_add_codec(asdf_options *options, const asdf_codec *codec);

/**
 * Gives another owner of a codec.
 *
 * @param codec   the codec
 * @param another gets the same codec, to be freed as well; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_codec_retain(const asdf_codec *codec, asdf_codec **another);

/**
 * Frees a codec. Options, files and arrays that use it keep it alive.
 *
 * @param codec the codec, or NULL
 * @since 0.1.0
 */
void asdf_codec_free(asdf_codec *codec);

/*
 * Blocks --------------------------------------------------------------------------------------------------------------
 *
 * For programs that look at the file rather than at its arrays. Blocks count from 0; a negative index counts from the
 * end, -1 being the last. There is none at an index outside: ASDF_ERR_BLOCK_NOT_FOUND. In a file being made they are
 * the blocks that wait to be written; sizes and offsets that follow only then are -1.
 *
 *     int64_t count = 0, absent, stored, decoded;
 *     asdf_file_block_count(file, &count);
 *     if (asdf_file_verify(file, NULL, &absent, &stored, &decoded) == ASDF_ERR_CHECKSUM) return damaged();
 */

#define ASDF_CHECKSUM_ABSENT 0 /**< The block has no checksum. */
#define ASDF_CHECKSUM_STORED 1 /**< The checksum is that of the bytes as they are stored. */

/**
 * The checksum is that of the decoded bytes; some writers do so if they compress.
 */
#define ASDF_CHECKSUM_DECODED 2

#define ASDF_CHECKSUM_MISMATCH 3 /**< The checksum is neither: the block is damaged. */

/**
 * The number of blocks. In a file without a block index this goes from header to header.
 *
 * @param file  the file
 * @param count gets the number
 * @since 0.1.0
 */
asdf_status asdf_file_block_count(const asdf_file *file, int64_t *count);

/**
 * Looks at the header of every block, so that the warnings are complete.
 *
 * @param file the file
 * @since 0.1.0
 */
asdf_status asdf_file_check_blocks(const asdf_file *file);

/**
 * Where the header of a block begins.
 *
 * @param file   the file
 * @param index  which block
 * @param offset gets the offset in bytes from the start of the file
 * @since 0.1.0
 */
asdf_status asdf_file_block_offset(const asdf_file *file, int64_t index, int64_t *offset);

/**
 * Where the payload of a block begins.
 *
 * @param file   the file
 * @param index  which block
 * @param offset gets the offset in bytes from the start of the file
 * @since 0.1.0
 */
asdf_status asdf_file_block_payload_offset(const asdf_file *file, int64_t index, int64_t *offset);

/**
 * The room that a block has for its payload.
 *
 * @param file  the file
 * @param index which block
 * @param size  gets the number of bytes; -1 for a streamed block
 * @since 0.1.0
 */
asdf_status asdf_file_block_allocated_size(const asdf_file *file, int64_t index, int64_t *size);

/**
 * The size of the payload of a block as it is stored.
 *
 * @param file  the file
 * @param index which block
 * @param size  gets the number of bytes
 * @since 0.1.0
 */
asdf_status asdf_file_block_stored_size(const asdf_file *file, int64_t index, int64_t *size);

/**
 * The size of the payload of a block once it is decoded.
 *
 * @param file  the file
 * @param index which block
 * @param size  gets the number of bytes
 * @since 0.1.0
 */
asdf_status asdf_file_block_decoded_size(const asdf_file *file, int64_t index, int64_t *size);

/**
 * The label of a block's compression: "zlib", "bzp2", "lz4", "lz4f", "zstd" or that of another codec; empty for
 * none. Bytes that are not printable appear as escapes.
 *
 * @param file     the file
 * @param index    which block
 * @param buffer   gets the label
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the label; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_file_block_compression(const asdf_file *file,
                                        int64_t index,
                                        char *buffer,
                                        size_t capacity,
                                        size_t *needed);

/**
 * The MD5 checksum in the header of a block.
 *
 * @param file     the file
 * @param index    which block
 * @param checksum gets 16 bytes; all zero for none
 * @param capacity bytes that may be written, at least 16; else ASDF_ERR_BUFFER_TOO_SMALL
 * @since 0.1.0
 */
asdf_status asdf_file_block_checksum(const asdf_file *file, int64_t index, uint8_t *checksum, size_t capacity);

/**
 * Whether the payload of a block runs to the end of the file.
 *
 * @param file     the file
 * @param index    which block
 * @param streamed gets 1 or 0
 * @since 0.1.0
 */
asdf_status asdf_file_block_is_streamed(const asdf_file *file, int64_t index, int32_t *streamed);

/**
 * Reads the payload of a block as it is stored.
 *
 * @param file     the file
 * @param index    which block
 * @param options  how to read, or NULL
 * @param bytes    gets the bytes; may be NULL if there are none
 * @param capacity bytes that may be written; fewer than the stored size is ASDF_ERR_BUFFER_TOO_SMALL
 * @since 0.1.0
 */
asdf_status asdf_file_read_block_stored(const asdf_file *file,
                                        int64_t index,
                                        const asdf_options *options,
                                        void *bytes,
                                        size_t capacity);

/**
 * Reads the payload of a block, decoded.
 *
 * @param file     the file
 * @param index    which block
 * @param options  how to read, or NULL
 * @param bytes    gets the bytes; may be NULL if there are none
 * @param capacity bytes that may be written; fewer than the decoded size is ASDF_ERR_BUFFER_TOO_SMALL
 * @since 0.1.0
 */
asdf_status asdf_file_read_block(const asdf_file *file,
                                 int64_t index,
                                 const asdf_options *options,
                                 void *bytes,
                                 size_t capacity);

/**
 * Compares every block with its checksum. The first that differs is ASDF_ERR_CHECKSUM.
 *
 * @param file    the file
 * @param options how to read, or NULL
 * @param absent  gets the number of blocks without a checksum; may be NULL
 * @param stored  gets the number of blocks whose checksum is that of the bytes as they are stored; may be NULL
 * @param decoded gets the number of blocks whose checksum is that of the decoded bytes; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_file_verify(const asdf_file *file,
                             const asdf_options *options,
                             int64_t *absent,
                             int64_t *stored,
                             int64_t *decoded);

/**
 * Compares a block with its checksum. That they differ is an outcome here, not an error.
 *
 * @param file    the file
 * @param index   which block
 * @param options how to read, or NULL
 * @param outcome gets one of ASDF_CHECKSUM_...
 * @since 0.1.0
 */
asdf_status asdf_file_verify_block(const asdf_file *file, int64_t index, const asdf_options *options, int32_t *outcome);

/*
 * Chunk maps ----------------------------------------------------------------------------------------------------------
 *
 * A chunk is a piece of a file that can be read and decoded without any others. The map of an array tells of each
 * chunk where it is, how it is compressed and which elements it holds: what programs need that read in parallel by
 * themselves, or write references to the bytes for other formats. Nothing is decoded to find out.
 *
 * Elements that are not compressed are one chunk, from the first byte to the last that an element takes. So are those
 * of every codec but "lz4", whose chunks are found one by one. An lz4 chunk is an LZ4 block behind the number of bytes
 * it decodes to, a 32-bit integer with the least significant byte first.
 *
 * In the decoded bytes of a chunk, the element at its origin begins at the byte that
 * asdf_chunk_map_first_element() tells, and asdf_array_strides() leads from there to the others, in the byte order of
 * asdf_array_byte_order().
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
 * Finds the chunks of an array. Only the sizes that stand before lz4 chunks are read.
 *
 * @param array the array. One whose elements are in the tree, or that has none, has no chunks; one in a file that was
 *              not written yet is ASDF_ERR_UNSUPPORTED
 * @param map   gets the chunk map; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_array_chunk_map(const asdf_array *array, asdf_chunk_map **map);

/**
 * The number of chunks that hold elements of the array.
 *
 * @param map   the chunk map
 * @param count gets the number
 * @since 0.1.0
 */
asdf_status asdf_chunk_map_count(const asdf_chunk_map *map, int64_t *count);

/**
 * The file that all chunks are in: the name that it was opened by, or the URI that the callback for other files was
 * asked for; "" for a file without a name, and where there are no chunks.
 *
 * @param map      the chunk map
 * @param buffer   gets the name
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the name; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_chunk_map_file(const asdf_chunk_map *map, char *buffer, size_t capacity, size_t *needed);

/**
 * The compression of each chunk: "zlib", "lz4" and so on, "" for none. An LZ4 frame is "lz4f", whatever its block is
 * labelled.
 *
 * @param map      the chunk map
 * @param buffer   gets the name of the codec
 * @param capacity bytes of the buffer
 * @param needed   gets the length of the name; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_chunk_map_codec(const asdf_chunk_map *map, char *buffer, size_t capacity, size_t *needed);

/**
 * Where the bytes of a chunk are.
 *
 * @param map     the chunk map
 * @param index   number of the chunk, in the order of the file; outside is ASDF_ERR_OUT_OF_RANGE
 * @param offset  gets the offset of the first byte in the file; may be NULL
 * @param length  gets the number of bytes in the file; may be NULL
 * @param decoded gets the number of bytes that they decode to; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_chunk_map_bytes(const asdf_chunk_map *map,
                                 int64_t index,
                                 int64_t *offset,
                                 int64_t *length,
                                 int64_t *decoded);

/**
 * The first of the elements that a chunk may hold bytes of: the lowest index along each axis.
 *
 * @param map      the chunk map
 * @param index    number of the chunk; outside is ASDF_ERR_OUT_OF_RANGE
 * @param origin   gets the index along each axis; ASDF_MAX_RANK of them always have room
 * @param capacity indices that may be written; too few are ASDF_ERR_BUFFER_TOO_SMALL, 0 asks for the rank alone
 * @param rank     gets the number of axes; also if the capacity is too small. May be NULL
 * @since 0.1.0
 */
asdf_status asdf_chunk_map_origin(const asdf_chunk_map *map,
                                  int64_t index,
                                  int64_t *origin,
                                  int32_t capacity,
                                  int32_t *rank);

/**
 * Gets the extents, from its origin on, of the box of elements that a chunk may hold bytes of. All elements of which
 * it does hold bytes are among them.
 *
 * @param map      the chunk map
 * @param index    number of the chunk; outside is ASDF_ERR_OUT_OF_RANGE
 * @param shape    gets the extents; ASDF_MAX_RANK of them always have room
 * @param capacity extents that may be written; too few are ASDF_ERR_BUFFER_TOO_SMALL, 0 asks for the rank alone
 * @param rank     gets the number of axes; also if the capacity is too small. May be NULL
 * @since 0.1.0
 */
asdf_status asdf_chunk_map_shape(const asdf_chunk_map *map,
                                 int64_t index,
                                 int64_t *shape,
                                 int32_t capacity,
                                 int32_t *rank);

/**
 * Where the element at the origin of a chunk begins in its decoded bytes.
 *
 * @param map         the chunk map
 * @param index       number of the chunk; outside is ASDF_ERR_OUT_OF_RANGE
 * @param first       gets the byte; below 0 or beyond the last if the element is not in the chunk
 * @param is_complete gets 1 if the chunk has all bytes of all elements from its origin on that its shape tells, so that
 *                    it can be taken for an array by itself, else 0. May be NULL
 * @since 0.1.0
 */
asdf_status asdf_chunk_map_first_element(const asdf_chunk_map *map,
                                         int64_t index,
                                         int64_t *first,
                                         int32_t *is_complete);

/**
 * Gives another owner of a chunk map.
 *
 * @param map     the chunk map
 * @param another gets the owner, to be freed as well; NULL on failure
 * @since 0.1.0
 */
asdf_status asdf_chunk_map_retain(const asdf_chunk_map *map, asdf_chunk_map **another);

/**
 * Gives up a chunk map.
 *
 * @param map the chunk map, or NULL
 * @since 0.1.0
 */
void asdf_chunk_map_free(asdf_chunk_map *map);

/*
 * Recovering ----------------------------------------------------------------------------------------------------------
 *
 * Reading never guesses: a file that was cut or damaged is an error, or has arrays that are. On request, what is left
 * of it can be written into a new file, with a report of what is not.
 *
 *     asdf_report *losses = NULL;
 *     if (asdf_file_recover("damaged.asdf", "recovered.asdf", 0, NULL, &losses) != ASDF_OK) return report();
 *     print_report(losses);   // array /a, block 0: 5 of 10 rows are there
 *     asdf_report_free(losses);
 */

/**
 * Drop blocks that end early as a whole, with the rows that are there.
 */
#define ASDF_RECOVER_WHOLE_BLOCKS 1

/**
 * Writes what can be read of a damaged file, or of one that was cut short, into a new file. The damaged file is only
 * read.
 *
 * A tree that breaks off keeps its entries at the top level up to the last that is whole. Blocks keep their numbers:
 * one of which nothing is left becomes a block of no bytes. Its arrays keep their descriptions; reading them fails, or
 * shows no rows if the number of rows was to follow from the block. An uncompressed block that ends early keeps the
 * bytes that are there, and its arrays whole rows, with a shape that says so. Blocks that do not match their checksums
 * are kept. If anything was lost, the history of the new file says so.
 *
 * The code of a loss tells what was lost. A loss has the path of its array, the number of its block, an offset in the
 * damaged file, and the numbers of bytes and rows that are missing, as far as they apply and are known.
 *
 * - "L-TREE": entries of the tree, from a byte of the damaged file on.
 * - "L-BLOCK": all of a block; one of no bytes has its number.
 * - "L-BLOCK-END": the end of a block.
 * - "L-BLOCK-DAMAGED": nothing of a block, but its bytes are not those that were written.
 * - "L-BLOCK-NAME": what named a block that is there, or its number.
 * - "L-ARRAY": all elements of an array.
 * - "L-ARRAY-END": the last rows of an array.
 * - "L-ARRAY-DAMAGED": nothing of an array, but its block is damaged.
 * - "L-BYTES": bytes of the damaged file of which nothing is known.
 *
 * @param path     name of the damaged file; one whose first lines are not those of an ASDF file is
 *                 ASDF_ERR_NOT_ASDF, and one of which nothing can be recovered ASDF_ERR_TRUNCATED
 * @param new_path name of the new file. A file that has it is ASDF_ERR_FILE_EXISTS unless ASDF_OPTION_REPLACE is set;
 *                 the damaged file itself, a pipe and a device are ASDF_ERR_INVALID_ARGUMENT
 * @param what     ASDF_RECOVER_WHOLE_BLOCKS or 0; another number is ASDF_ERR_INVALID_ARGUMENT
 * @param options  how to read the file and write the new one, or NULL
 * @param report   gets the losses, none if nothing was lost; NULL on failure, when there is no new file either unless
 *                 the status is ASDF_ERR_NOT_DURABLE. It may be NULL
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
