/* The content of the matrix: datatypes, shapes, codecs. matrix.py has the same lists and says what the files hold. */
#ifndef MATRIX_H
#define MATRIX_H

#include <stdint.h>

#define RANKS 5

static const int64_t SHAPES[RANKS][4] = {{0}, {7}, {3, 5}, {2, 3, 4}, {2, 3, 2, 5}};
static const char *const CODECS[] = {"none", "zlib", "bzp2", "lz4", "lz4f", "zstd", "blsc", "bls2"};
static const char *const ORDERS[] = {"c", "fortran"};
static const char *const BYTE_ORDERS[] = {"little", "big"};

#define CODEC_COUNT (sizeof CODECS / sizeof *CODECS)

#endif
