/**
 * asdf_formats.h - other file formats to ASDF and back: FITS
 *
 * These functions are in a library of their own, libasdfkit_formats, so that libasdfkit needs no other libraries. It
 * calls the libasdfkit that the program has loaded: handles and options are those of asdf.h, and asdf_error_message()
 * describes a failure of these functions, too. The message names HDU, card and byte.
 *
 *     asdf_formats_report *report = NULL;
 *     if (asdf_formats_fits_to_asdf("image.fits", "image.asdf", NULL, &report) != ASDF_OK) {
 *         asdf_error_print("image.fits");
 *     }
 *     asdf_formats_report_free(report);
 *
 * A program that links to both libraries needs no other call. One that loads this library at run time calls
 * asdf_formats_load() first, if its libasdfkit is not among its global symbols.
 */
#ifndef ASDF_FORMATS_H
#define ASDF_FORMATS_H

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

/** Number of the interface that this header describes: asdf_formats_abi(). */
#define ASDF_FORMATS_ABI 1

/** What a conversion did not carry over, and what a reader should know. */
typedef struct asdf_formats_report asdf_formats_report;

/**
 * Returns the number of the interface of the loaded library: ASDF_FORMATS_ABI, if header and library belong together.
 *
 * @since 0.1.0
 */
int32_t asdf_formats_abi(void);

/**
 * Finds libasdfkit. Every function does so by itself if this was not called: it takes the library that the program has
 * loaded, the one that the environment variable ASDFKIT_LIBRARY names, or the one beside this library. The ABI number
 * of libasdfkit must be the one that this library was built for. What was found stays.
 *
 * @param core_path file of libasdfkit, or NULL
 * @return ASDF_OK, or ASDF_ERR_NOT_FOUND: see asdf_formats_error_message()
 * @since 0.1.0
 */
asdf_status asdf_formats_load(const char *core_path);

/**
 * Gets the message of the last failed call of this library on this thread: that of asdf_error_message(), which a program
 * without the functions of libasdfkit cannot call, or the reason why libasdfkit was not found. Empty without a failure.
 *
 * @param buffer   gets the text; may be NULL if capacity is 0
 * @param capacity size of the buffer in bytes; ASDF_ERR_BUFFER_TOO_SMALL if too small
 * @param needed   gets the length of the text without its NUL, also if the buffer is too small; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_formats_error_message(char *buffer, size_t capacity, size_t *needed);

/* FITS ------------------------------------------------------------------------------------------------------------- */

/**
 * Reads a FITS file, compressed by gzip or not, as a new ASDF file, which is not written yet. Elements are read when they are needed, so the FITS
 * file must stay as it is until the new file is freed.
 *
 * | key | content |
 * |---|---|
 * | fits | the HDUs, with the tag fits/fits: cards that the tag can hold, and data as they mean |
 * | cards | one mapping for each HDU: all cards byte by byte, and stored data that do not follow from the data in fits |
 * | wcs | for each HDU the world coordinates of its cards as a gwcs, or null; absent without any |
 *
 * Errors:
 *
 * - ASDF_ERR_FITS_HEADER for a file that is no FITS file, and for a card that states no valid structure
 * - ASDF_ERR_TRUNCATED for a header without END, and for data beyond the end of the file
 * - ASDF_ERR_CORRUPT for a cell outside the heap of its table, and for a compressed image that cannot be decoded
 *
 * @param fits_path name of the FITS file
 * @param file      gets the file; NULL on failure
 * @param report    gets the report; NULL on failure. May be NULL
 * @since 0.1.0
 */
asdf_status asdf_formats_open_fits(const char *fits_path, asdf_file **file, asdf_formats_report **report);

/**
 * Writes a FITS file as an ASDF file; see asdf_formats_open_fits().
 *
 * @param fits_path name of the FITS file
 * @param asdf_path name of the ASDF file; ASDF_ERR_FILE_EXISTS if it exists, unless ASDF_OPTION_REPLACE is 1
 * @param options   options of asdf_file_write(), or NULL for the defaults. Blocks have checksums only if
 *                  ASDF_OPTION_CHECKSUMS is 1: FITS data have none, and MD5 takes longer than the conversion
 * @param report    gets the report; NULL on failure. May be NULL
 * @since 0.1.0
 */
asdf_status asdf_formats_fits_to_asdf(const char *fits_path,
                                      const char *asdf_path,
                                      const asdf_options *options,
                                      asdf_formats_report **report);

/**
 * Writes the HDU with the name ASDF that makes a FITS file one with ASDF inside. Its tree is that of
 * asdf_formats_open_fits(). Images whose elements an HDU stores are not copied: they have a source such as fits:1. The
 * FITS file up to the byte `place`, followed by the HDU, is a file that asdf_file_open() opens.
 *
 * @param fits_path name of the FITS file
 * @param hdu_path  name of the new file, which gets header and data of the HDU; ASDF_ERR_FILE_EXISTS if it exists
 * @param place     gets the byte of the FITS file where the HDU belongs. It can be after the end of the file, if the last
 *                  HDU lacks padding; zeros are between. May be NULL
 * @param report    gets the report; NULL on failure. May be NULL
 * @since 0.1.0
 */
asdf_status asdf_formats_fits_to_hdu(const char *fits_path,
                                     const char *hdu_path,
                                     int64_t *place,
                                     asdf_formats_report **report);

/**
 * Decodes pixels of a tile-compressed image. libasdfkit calls this function after asdf_formats_load() for such images
 * in FITS files with an ASDF tree.
 *
 * Pixels are as an image without compression stores them: big-endian, in the order of the file, with the type that
 * ZBITPIX names, before BSCALE and BZERO are applied. NaN stands for undefined pixels of floating-point images.
 *
 * @param hdu      header and data of the HDU
 * @param hdu_size size of header and data in bytes
 * @param first    number of the first pixel, from 0
 * @param count    number of pixels
 * @param pixels   gets the pixels
 * @param capacity size of `pixels` in bytes, which is that of `count` pixels
 * @return ASDF_OK; ASDF_ERR_FITS_HEADER, ASDF_ERR_TRUNCATED or ASDF_ERR_CORRUPT for a damaged HDU;
 *         ASDF_ERR_OUT_OF_RANGE for pixels that the image does not have; ASDF_ERR_INVALID_ARGUMENT for another capacity
 * @since 0.1.0
 */
asdf_status asdf_formats_decode_image(const void *hdu,
                                      size_t hdu_size,
                                      int64_t first,
                                      int64_t count,
                                      void *pixels,
                                      size_t capacity);

/**
 * Writes an ASDF file as a FITS file.
 *
 * A node of the root with the tag fits/fits becomes the FITS file that it describes. Where the key cards of
 * asdf_formats_open_fits() is beside it, everything that was not changed gets its old bytes; new values win over old
 * cards and old stored data. Any other tree is written by this rule:
 *
 * - Scalars become cards of the primary header. The keyword is the last part of the path, or HIERARCH and the path.
 * - Arrays become image extensions, tables become binary tables. EXTNAME is the path.
 * - A WCS becomes cards of the images beside it, or of those of its size: TAN with SIP.
 * - The report names everything else as a loss.
 *
 * @param asdf_path name of the ASDF file
 * @param fits_path name of the FITS file; ASDF_ERR_FILE_EXISTS if it exists, unless ASDF_OPTION_REPLACE is 1
 * @param options   ASDF_OPTION_REPLACE, ASDF_OPTION_DURABLE, and options of asdf_file_open() such as ASDF_OPTION_ACCESS for
 *                  arrays in other files; NULL for the defaults
 * @param report    gets the report; NULL on failure. May be NULL
 * @since 0.1.0
 */
asdf_status asdf_formats_asdf_to_fits(const char *asdf_path,
                                      const char *fits_path,
                                      const asdf_options *options,
                                      asdf_formats_report **report);

/* Reports ---------------------------------------------------------------------------------------------------------- */

/**
 * Gets the number of entries of a report.
 *
 * @param report the report
 * @param count  gets the number
 * @since 0.1.0
 */
asdf_status asdf_formats_report_count(const asdf_formats_report *report, int64_t *count);

/**
 * Gets an entry of a report.
 *
 * @param report   the report
 * @param index    number of the entry, from 0; ASDF_ERR_OUT_OF_RANGE for any other number
 * @param is_loss  gets 1 for something that the new file does not hold, 0 for a note; may be NULL
 * @param buffer   gets the text: place and message; may be NULL if capacity is 0
 * @param capacity size of the buffer in bytes; ASDF_ERR_BUFFER_TOO_SMALL if too small
 * @param needed   gets the length of the text without its NUL, also if the buffer is too small; may be NULL
 * @since 0.1.0
 */
asdf_status asdf_formats_report_entry(const asdf_formats_report *report,
                                      int64_t index,
                                      int32_t *is_loss,
                                      char *buffer,
                                      size_t capacity,
                                      size_t *needed);

/**
 * Frees a report.
 *
 * @param report the report, or NULL
 * @since 0.1.0
 */
void asdf_formats_report_free(asdf_formats_report *report);

#ifdef __cplusplus
}
#endif

#endif
