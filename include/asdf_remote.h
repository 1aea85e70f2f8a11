/**
 * asdf_remote.h - ASDF files on web servers and in object stores
 *
 * These functions are in a library of their own, libasdfkit_remote, so that libasdfkit needs no network. Programs seldom
 * call them: asdf_file_open() loads the library when it gets a URL. They serve programs that link to it.
 *
 *     asdf_file *file = NULL;
 *     if (asdf_remote_open("s3://bucket/image.asdf", NULL, &file) != ASDF_OK) asdf_error_print("image");
 *
 * | URL | store | credentials |
 * |---|---|---|
 * | http://, https:// | a web server that answers ranges of bytes | user:password in the URL, a signed URL, or headers |
 * | s3://BUCKET/KEY | Amazon S3 and its like | settings aws_..., variables AWS_...; else without a signature |
 * | gs://BUCKET/KEY | Google Cloud Storage | settings google_..., variables GOOGLE_...; else without a signature |
 * | az://CONTAINER/KEY | Azure | settings azure_..., variables AZURE_...; else without a signature |
 * | file:///PATH | the disk | |
 *
 * Nothing else is asked for credentials: no metadata service of a cloud, no file in a home directory.
 *
 * Settings are lines of key=value in ASDF_OPTION_REMOTE_SETTINGS:
 *
 * | key | default | meaning |
 * |---|---|---|
 * | request_cost | 1048576 | cost of a request in bytes; see asdf_file_open_ranges() |
 * | parallel | 8 | most requests at once for one call |
 * | retries | 5 | further attempts after 429, 5xx, a cut or short answer; the first wait is 0.1 s, each next one twice as long |
 * | connect_seconds | 10 | most time for a connection |
 * | stall_seconds | 30 | most time without any bytes |
 * | call_seconds | 600 | most time for a call with all attempts; 0 for no limit |
 * | cache_bytes | 0 | budget of a cache of blocks of 256 KiB in memory, for each file |
 * | cache_directory | none | folder with a cache of blocks of 256 KiB that programs share; it is made if it does not exist |
 * | cache_disk_bytes | 1073741824 | budget of this folder in bytes |
 * | whole_bytes | 8388608 | largest object that is fetched as a whole if the server ignores ranges |
 * | header.NAME | | header of each request |
 *
 * Every other key belongs to the store, with the names of the crate object_store, such as aws_access_key_id, aws_endpoint
 * and aws_region.
 *
 * Each answer must have the version (ETag, or else time and size) of the first one: an object that was replaced while it
 * was open is ASDF_ERR_FILE_CHANGED, never a mixture of old and new bytes. Other failures are ASDF_ERR_FILE_NOT_FOUND,
 * ASDF_ERR_PERMISSION_DENIED, ASDF_ERR_UNSUPPORTED (a server that ignores ranges) and ASDF_ERR_IO.
 *
 * Blocks in the folder belong to URL and version of an object: each opening asks the server for the version, and only
 * blocks of this version are used. Each block has a hash (SHA-256), and a damaged one is fetched again. Objects without a
 * strong ETag are not kept. The blocks that were used least recently are removed first. Only the owner can read the files.
 * Several programs together may exceed the budget by a sixteenth each.
 *
 * All functions may be called on any thread, but not inside an asynchronous runtime of Rust. Opening the first file starts
 * a thread.
 */
#ifndef ASDF_REMOTE_H
#define ASDF_REMOTE_H

#ifdef __has_include
#if __has_include(<asdfkit/asdf.h>)
#include <asdfkit/asdf.h>
#else
#include "asdf.h"
#endif
#else
#include <asdfkit/asdf.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Number of the interface that this header describes: asdf_remote_abi(). */
#define ASDF_REMOTE_ABI 1

/**
 * Returns the number of the interface of the loaded library: ASDF_REMOTE_ABI, if header and library belong together.
 *
 * @since 0.1.0
 */
int32_t asdf_remote_abi(void);

/**
 * Finds libasdfkit. asdf_remote_open() does so by itself if this was not called: it takes the library that the program
 * has loaded, the one that the environment variable ASDFKIT_LIBRARY names, or the one beside this library. The ABI number
 * of libasdfkit must be the one that this library was built for. What was found stays.
 *
 * @param core_path file of libasdfkit, or NULL
 * @return ASDF_OK, or ASDF_ERR_NOT_FOUND: see asdf_remote_message()
 * @since 0.1.0
 */
asdf_status asdf_remote_load(const char *core_path);

/**
 * Opens a file for reading.
 *
 * @param url     URL of the file
 * @param options options of asdf_file_open_ranges(), or NULL for the defaults
 * @param file    gets the file; NULL on failure. ASDF_ERR_INVALID_ARGUMENT for a URL or a setting that is not valid
 * @since 0.1.0
 */
asdf_status asdf_remote_open(const char *url, const asdf_options *options, asdf_file **file);

/**
 * Opens the bytes behind a URL, for any copy of libasdfkit: the outputs are arguments of asdf_file_open_ranges().
 *
 * @param url          URL of the file
 * @param settings     settings, or NULL for the defaults
 * @param read         gets the callback that reads ranges
 * @param close        gets the callback that closes the source, to be called once
 * @param source       gets the user pointer of both callbacks
 * @param length       gets the size of the object in bytes
 * @param request_cost gets the cost of a request in bytes
 * @since 0.1.0
 */
asdf_status asdf_remote_connect(const char *url,
                                const char *settings,
                                asdf_read_ranges_callback *read,
                                asdf_close_callback *close,
                                void **source,
                                int64_t *length,
                                int64_t *request_cost);

/**
 * Gets the message of the last failure of this library on this thread; empty for none.
 *
 * @param buffer   gets the text; may be NULL if capacity is 0
 * @param capacity size of the buffer in bytes; ASDF_ERR_BUFFER_TOO_SMALL if too small
 * @param needed   gets the length of the text without its NUL, also if the buffer is too small; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_remote_message(char *buffer, size_t capacity, size_t *needed);

/**
 * Gets the counts of this process so far.
 *
 * @param requests gets the number of HTTP requests, with repeated ones; may be NULL
 * @param bytes    gets the number of bytes that arrived; may be NULL
 * @param cached   gets the number of blocks that came from caches; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_remote_statistics(int64_t *requests, int64_t *bytes, int64_t *cached);

#ifdef __cplusplus
}
#endif

#endif
