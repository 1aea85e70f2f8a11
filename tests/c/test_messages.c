/* Common mistakes and their messages. A message says what is wrong, where and why, and suggests a remedy if there is
 * one. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <sys/stat.h>
#include <unistd.h>

static const char *const image =
    "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n"
    "meta:\n  exposure: {time: 139.8, start: 2027-01-31T04:05:06, count: 300}\n  name: WFI\n  large: 3000000000\n"
    "data: !core/ndarray-1.1.0\n  data: [[1.5, 2, 3], [4, 5, 6.5]]\n  datatype: float64\n"
    "far: !core/ndarray-1.1.0 {source: far.asdf, shape: [4], datatype: int8, byteorder: little}\n"
    "loop: {$ref: '#/loop'}\n...\n";

static void write_text(const char *name, const char *text) {
    FILE *file = fopen(name, "wb");
    CHECK(file != NULL && fwrite(text, 1, strlen(text), file) == strlen(text));
    if (file) fclose(file);
}

static void write_bytes(const char *name, const char *bytes, size_t size) {
    FILE *file = fopen(name, "wb");
    CHECK(file != NULL && fwrite(bytes, 1, size, file) == size);
    if (file) fclose(file);
}

/* Checks that the call fails with this status and exactly this message; DIRECTORY is the working directory. */
static void expect(asdf_status expected, asdf_status found, const char *message, int line) {
    char text[2048], directory[1024];
    asdf_error_message(text, sizeof text, NULL);
    char *place = getcwd(directory, sizeof directory) ? strstr(text, directory) : NULL;
    if (place) {
        memmove(place + 9, place + strlen(directory), strlen(place + strlen(directory)) + 1);
        memcpy(place, "DIRECTORY", 9);
    }
    if (found != expected || strcmp(text, message) != 0) {
        checks_failed++;
        fprintf(stderr, "test_messages.c:%d: %s\n  %s\n", line, asdf_status_name(found), text);
    }
}
#define MESSAGE(status, call, message) expect(status, (call), message, __LINE__)

static void opening(void) {
    asdf_file *file = NULL;
    mkdir("directory", 0700);
    MESSAGE(ASDF_ERR_FILE_NOT_FOUND, asdf_file_open("", NULL, &file), "the file name is empty");
    MESSAGE(ASDF_ERR_FILE_NOT_FOUND, asdf_file_open("nothing.asdf", NULL, &file),
            "nothing.asdf: cannot open the file: No such file or directory (os error 2)");
    MESSAGE(ASDF_ERR_IO, asdf_file_open("directory", NULL, &file), "directory: this is a directory, not a file");
    MESSAGE(ASDF_ERR_NULL_POINTER, asdf_file_open(NULL, NULL, &file), "the argument 'path' is NULL");
    write_text("empty.asdf", "");
    MESSAGE(ASDF_ERR_NOT_ASDF, asdf_file_open("empty.asdf", NULL, &file),
            "empty.asdf:1:1, byte 0: not an ASDF file: it is empty");
    write_text("text.asdf", "Dear colleague,\n");
    MESSAGE(ASDF_ERR_NOT_ASDF, asdf_file_open("text.asdf", NULL, &file),
            "text.asdf:1:1, byte 0: not an ASDF file: it does not begin with '#ASDF'");
    write_text("fits.asdf", "SIMPLE  =                    T / file does conform to FITS standard             ");
    MESSAGE(ASDF_ERR_TRUNCATED, asdf_file_open("fits.asdf", NULL, &file),
            "fits.asdf: byte 80: the header of HDU 0 has no card END before the end of the file");
    write_bytes("hdf5.asdf", "\211HDF\r\n\032\n\0\0\0\0\0\0\0\0", 16);
    MESSAGE(ASDF_ERR_NOT_ASDF, asdf_file_open("hdf5.asdf", NULL, &file),
            "hdf5.asdf:1:1, byte 0: not an ASDF file: it seems to be an HDF5 file");
    write_bytes("gzip.asdf", "\037\213\010\0\0\0\0\0\0\003\0\0\0\0", 14);
    MESSAGE(ASDF_ERR_TRUNCATED, asdf_file_open("gzip.asdf", NULL, &file), "gzip.asdf: byte 0: the gzip data end early");
    write_text("list.asdf", "#ASDF 1.0.0\n%YAML 1.1\n---\na: 1\nb: [1, 2,\nc: 3\n...\n");
    MESSAGE(ASDF_ERR_YAML, asdf_file_open("list.asdf", NULL, &file),
            "list.asdf:5:4, byte 34: in the value of 'b': this '[' has no closing ']'");
    write_text("tab.asdf", "#ASDF 1.0.0\n%YAML 1.1\n---\na:\n\tb: 2\n...\n");
    MESSAGE(
        ASDF_ERR_YAML, asdf_file_open("tab.asdf", NULL, &file),
        "tab.asdf:5:1, byte 29: in the value of 'a', begun in line 4: a tab stands in the indentation of this line; "
        "use spaces");
    write_text("new.asdf", "#ASDF 3.0.0\n%YAML 1.1\n---\na: 1\n...\n");
    MESSAGE(ASDF_ERR_VERSION, asdf_file_open("new.asdf", NULL, &file),
            "new.asdf:1:1, byte 0: version 3.0.0 of the file format is not supported; only 1.0.0 is");
    write_text("cut.asdf", "#ASDF 1.0.0\n%YAML 1.1\n---\na: 1\n");
    MESSAGE(ASDF_ERR_TRUNCATED, asdf_file_open("cut.asdf", NULL, &file),
            "cut.asdf: byte 31: the tree has no end line '...' before the end of the file");
}

/* Writes a FITS file: its cards, and zeros in place of its data. */
static void write_fits(const char *name, const char *const cards[], size_t count, size_t data) {
    static char bytes[3 * 2880];
    size_t blocks = 1 + (data + 2879) / 2880;
    memset(bytes, ' ', 2880);
    memset(bytes + 2880, 0, sizeof bytes - 2880);
    for (size_t card = 0; card < count; card++) memcpy(bytes + 80 * card, cards[card], strlen(cards[card]));
    write_bytes(name, bytes, 2880 * blocks);
}

static void fits(void) {
    asdf_file *file = NULL;
    const char *const image[] = {"SIMPLE  =                    T", "BITPIX  =                    8",
                                 "NAXIS   =                    1", "NAXIS1  =                 2880", "END"};
    write_fits("image.fits", image, 5, 2880);
    MESSAGE(
        ASDF_ERR_NOT_ASDF, asdf_file_open("image.fits", NULL, &file),
        "image.fits: byte 0: this is a FITS file without an HDU of the name ASDF, so it holds no ASDF tree (1 HDU)");
    write_fits("image.fits", image, 5, 0);
    MESSAGE(ASDF_ERR_TRUNCATED, asdf_file_open("image.fits", NULL, &file),
            "image.fits: byte 2880: the data of HDU 0 end at byte 5760, but the file has 2880 bytes");
    const char *const bits[] = {"SIMPLE  =                    T", "BITPIX  =                   12",
                                "NAXIS   =                    0", "END"};
    write_fits("bits.fits", bits, 4, 0);
    MESSAGE(ASDF_ERR_FITS_HEADER, asdf_file_open("bits.fits", NULL, &file),
            "bits.fits: byte 80: HDU 0: BITPIX is 12; expected 8, 16, 32, 64, -32 or -64");
    MESSAGE(ASDF_ERR_FITS_HEADER, asdf_file_open_for_update("bits.fits", NULL, &file),
            "bits.fits: byte 80: HDU 0: BITPIX is 12; expected 8, 16, 32, 64, -32 or -64");
}

/* An ASDF file in the primary HDU, whose array is in an HDU that does not exist. */
static void missing_hdu(void) {
    static const char tree[] = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n---\n"
                               "data: !core/ndarray-1.1.0 {source: 'fits:SCI,1', datatype: int16, byteorder: big, "
                               "shape: [2]}\n...\n";
    static char bytes[2 * 2880];
    const char *const cards[] = {"SIMPLE  =                    T", "BITPIX  =                    8",
                                 "NAXIS   =                    1", NULL,
                                 "EXTNAME = 'ASDF    '",           "END"};
    char size[81];
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    asdf_array *array = NULL;
    snprintf(size, sizeof size, "NAXIS1  = %20zu", sizeof tree - 1);
    memset(bytes, ' ', 2880);
    for (size_t card = 0; card < 6; card++) {
        const char *text = cards[card] != NULL ? cards[card] : size;
        memcpy(bytes + 80 * card, text, strlen(text));
    }
    memcpy(bytes + 2880, tree, sizeof tree - 1);
    write_bytes("tree.fits", bytes, sizeof bytes);
    OK(asdf_file_open("tree.fits", NULL, &file));
    OK(asdf_file_root(file, &root));
    MESSAGE(ASDF_ERR_HDU_NOT_FOUND, asdf_node_get_array(root, "data", &array),
            "tree.fits:6:27, at /data: no HDU of the FITS file, which has 1, is that of the source 'fits:SCI,1'");
    MESSAGE(ASDF_ERR_HDU_NOT_FOUND, asdf_file_write(file, "copy.asdf", NULL),
            "tree.fits: at /data: no HDU of the FITS file, which has 1, is that of the source 'fits:SCI,1'");
    asdf_node_free(root);
    asdf_file_free(file);
}

static void values(void) {
    asdf_file *file = NULL;
    asdf_node *root = NULL, *node = NULL;
    double number;
    int32_t integer;

    write_text("image.asdf", image);
    OK(asdf_file_open("image.asdf", NULL, &file));
    OK(asdf_file_root(file, &root));
    MESSAGE(ASDF_ERR_NOT_FOUND, asdf_node_get_f64(root, "meta/exposure/tme", &number),
            "image.asdf:7:13, byte 109, at /meta/exposure: the mapping has no key 'tme'; did you mean 'time'?");
    MESSAGE(ASDF_ERR_NOT_FOUND, asdf_node_get_f64(root, "meta/nothing/like/it", &number),
            "image.asdf:7:3, byte 99, at /meta: the mapping has no key 'nothing'");
    MESSAGE(ASDF_ERR_WRONG_TYPE, asdf_node_get_f64(root, "meta/name/first", &number),
            "image.asdf:8:9, byte 171, at /meta/name: a scalar has no child 'first'");
    MESSAGE(ASDF_ERR_WRONG_TYPE, asdf_node_get_f64(root, "meta/exposure/start", &number),
            "image.asdf:7:34, byte 130, at /meta/exposure/start: expected a number, found a timestamp");
    MESSAGE(ASDF_ERR_WRONG_TYPE, asdf_node_get_f64(root, "meta/exposure", &number),
            "image.asdf:7:13, byte 109, at /meta/exposure: expected a number, found a mapping");
    MESSAGE(ASDF_ERR_VALUE_RANGE, asdf_node_get_i32(root, "meta/large", &integer),
            "image.asdf:9:10, at /meta/large: 3000000000 does not fit a signed integer of 32 bits");
    MESSAGE(ASDF_ERR_WRONG_TYPE, asdf_node_get_i32(root, "meta/exposure/time", &integer),
            "image.asdf:7:20, byte 116, at /meta/exposure/time: expected an integer, found a float");
    MESSAGE(ASDF_ERR_PATH, asdf_node_get(root, "meta/~name", &node),
            "image.asdf: '~' must be followed by 0 or 1 in the path 'meta/~name'");
    MESSAGE(ASDF_ERR_REFERENCE_CYCLE, asdf_node_get_f64(root, "loop", &number),
            "image.asdf:14:7, byte 373, at /loop: the reference leads back to itself");
    MESSAGE(ASDF_ERR_READ_ONLY, asdf_node_set_f64(root, "meta/exposure/time", 1),
            "image.asdf: at /meta/exposure/time: the file was opened for reading; open it for update, or copy its "
            "nodes to a new file");
    asdf_node_free(root);
    asdf_file_free(file);
}

static void arrays(void) {
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    asdf_array *array = NULL, *far = NULL;
    float pixels[5];
    int64_t start[] = {0, 2}, count[] = {2, 2};
    OK(asdf_file_open("image.asdf", NULL, &file));
    OK(asdf_file_root(file, &root));
    MESSAGE(ASDF_ERR_WRONG_TYPE, asdf_node_get_array(root, "meta", &array),
            "image.asdf:7:3, byte 99, at /meta: expected an array, found a mapping");
    double number = 7;
    MESSAGE(ASDF_ERR_WRONG_TYPE, asdf_node_get_f64(root, "data", &number),
            "image.asdf:11:3, byte 223, at /data: expected a number, found an array");
    MESSAGE(ASDF_ERR_NOT_FOUND, asdf_node_get_f64(root, "data/0", &number),
            "image.asdf:11:3, byte 223, at /data: the array has no key '0'; its elements are read by regions, not by "
            "paths");
    OK(asdf_node_get_array(root, "data", &array));
    MESSAGE(ASDF_ERR_BUFFER_TOO_SMALL, asdf_array_read(array, ASDF_FLOAT32, NULL, pixels, sizeof pixels, NULL, 0),
            "image.asdf:11:3, at /data: the elements take 24 bytes, but the buffer has 20 bytes");
    MESSAGE(ASDF_ERR_OUT_OF_RANGE,
            asdf_array_read_region(array, 2, start, count, NULL, ASDF_FLOAT32, NULL, pixels, sizeof pixels, NULL, 0),
            "image.asdf:11:3, at /data: the region selects 2 elements from index 2 on with step 1 along dimension 1, "
            "which has 3 elements");
    MESSAGE(ASDF_ERR_INVALID_ARGUMENT,
            asdf_array_read_region(array, 1, start, count, NULL, ASDF_FLOAT32, NULL, pixels, sizeof pixels, NULL, 0),
            "image.asdf:11:3, at /data: the region must have as many dimensions as the array, which has 2");
    MESSAGE(ASDF_ERR_OVERFLOW, asdf_array_read(array, ASDF_INT8, NULL, pixels, sizeof pixels, NULL, 0),
            "image.asdf:11:3, at /data: element 0 is 1.5, which int8 cannot hold");
    MESSAGE(ASDF_ERR_INVALID_ARGUMENT, asdf_array_read(array, 99, NULL, pixels, sizeof pixels, NULL, 0),
            "the datatype code 99 is not a scalar type; use ASDF_INT8 to ASDF_BOOL8");
    OK(asdf_node_get_array(root, "far", &far));
    MESSAGE(ASDF_ERR_EXTERNAL_REFERENCE, asdf_array_read(far, ASDF_INT8, NULL, pixels, sizeof pixels, NULL, 0),
            "image.asdf:13:26, at /far: 'file://DIRECTORY/far.asdf' is another file; set the open option 'access' "
            "(ASDF_OPTION_ACCESS) to allow other files");
    asdf_array_free(far);
    asdf_array_free(array);
    asdf_node_free(root);
    asdf_file_free(file);
}

static void options(void) {
    asdf_options *options = NULL;
    asdf_file *file = NULL;
    OK(asdf_options_new(&options));
    MESSAGE(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_THREADS, 0),
            "0 is not allowed for the option 'threads' (ASDF_OPTION_THREADS); it takes an integer 1 .. 1024");
    MESSAGE(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_CODEC, 1),
            "asdf_options_set_int cannot set the option 'codec' (ASDF_OPTION_CODEC), which takes a text");
    MESSAGE(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, 9999, 1),
            "9999 is not the key of an option; use a constant ASDF_OPTION_...");
    OK(asdf_options_set_int(options, ASDF_OPTION_LEVEL, 3));
    MESSAGE(ASDF_ERR_INVALID_ARGUMENT, asdf_file_open("image.asdf", options, &file),
            "asdf_file_open does not know the option 'level' (ASDF_OPTION_LEVEL); unset it, pass other options, or set "
            "the option 'shared' (ASDF_OPTION_SHARED)");
    asdf_options_free(options);
}

static void writing(void) {
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    asdf_options *options = NULL;
    asdf_report *lost = NULL;
    float pixels[5] = {0};
    int64_t shape[] = {2, 3};
    OK(asdf_file_new(NULL, &file));
    OK(asdf_file_root(file, &root));
    MESSAGE(ASDF_ERR_INVALID_ARGUMENT,
            asdf_node_set_array(root, "data", ASDF_FLOAT32, 2, shape, pixels, sizeof pixels, NULL),
            "at /data: float32 [2, 3] takes 24 bytes, but 20 are given");

    OK(asdf_options_new(&options));
    OK(asdf_options_set_text(options, ASDF_OPTION_CODEC, "gzip", 4));
    shape[0] = 1;
    MESSAGE(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_array(root, "data", ASDF_FLOAT32, 2, shape, pixels, 12, options),
            "at /data: there is no codec \"gzip\"; did you mean 'zlib'? The codecs are zlib, bzp2, lz4, lz4f, zstd, "
            "blsc, bls2, xz");
    OK(asdf_node_set_array(root, "data", ASDF_FLOAT32, 2, shape, pixels, 12, NULL));
    MESSAGE(ASDF_ERR_FILE_NOT_FOUND, asdf_file_write(file, "nowhere/new.asdf", NULL),
            "nowhere/new.asdf: cannot make a file in the directory 'nowhere': No such file or directory (os error 2)");
    MESSAGE(ASDF_ERR_FILE_EXISTS, asdf_file_write(file, "image.asdf", NULL),
            "image.asdf: the file exists; set the option 'replace' (ASDF_OPTION_REPLACE) to replace it");
    remove("written.asdf");
    OK(asdf_file_write(file, "written.asdf", NULL));
    MESSAGE(ASDF_ERR_FILE_EXISTS, asdf_file_recover("image.asdf", "written.asdf", 0, NULL, &lost),
            "written.asdf: the file exists; set the option 'replace' (ASDF_OPTION_REPLACE) to replace it");
    asdf_node_free(root);
    asdf_file_free(file);

    OK(asdf_file_open_for_update("written.asdf", NULL, &file));
    OK(asdf_file_root(file, &root));
    MESSAGE(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_integer(root, "count", "12 stars", 8),
            "written.asdf: at /count: an integer must consist of decimal digits with an optional sign");
    MESSAGE(ASDF_ERR_INCOMPLETE, asdf_file_save(file, NULL),
            "written.asdf: at /count: an earlier change failed and is missing in the file; repeat it, or forget the "
            "failure: an integer must consist of decimal digits with an optional sign");
    asdf_options_free(options);
    asdf_node_free(root);
    asdf_file_free(file);
}

static void tables(void) {
    asdf_table *table = NULL;
    asdf_buffer *flux = NULL;
    static const char good[] = "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: flux, datatype: int32}\nflux\n1\n\"\"\n";
    static const char large[] =
        "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: flux, datatype: int32}\nflux\n1\n3000000000\n";
    static const char wide[] = "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: flux, datatype: int32}\nflux\n1 2\n";
    MESSAGE(ASDF_ERR_NOT_ECSV, asdf_table_read_ecsv("fits.asdf", NULL, &table),
            "fits.asdf:1:1, byte 0: not an ECSV table: it seems to be a FITS file");
    MESSAGE(ASDF_ERR_NOT_ECSV, asdf_table_read_ecsv("image.asdf", NULL, &table),
            "image.asdf:1:1, byte 0: not an ECSV table: it seems to be an ASDF file");
    MESSAGE(ASDF_ERR_NOT_ECSV, asdf_table_read_ecsv("text.asdf", NULL, &table),
            "text.asdf:1:1, byte 0: not an ECSV table: it does not begin with '# %ECSV' and a version");
    MESSAGE(ASDF_ERR_VALUE_RANGE, asdf_table_read_ecsv_memory(large, sizeof large - 1, NULL, &table),
            "7:1, byte 71, column 'flux': \"3000000000\" is outside the range of int32, -2147483648 to 2147483647");
    MESSAGE(ASDF_ERR_RECORD, asdf_table_read_ecsv_memory(wide, sizeof wide - 1, NULL, &table),
            "6:3, byte 71: the record has more fields than the table has columns (1)");
    OK(asdf_table_read_ecsv_memory(good, sizeof good - 1, NULL, &table));
    MESSAGE(ASDF_ERR_NOT_FOUND, asdf_table_load_column(table, "flx", 0, -1, ASDF_INT32, NULL, &flux, NULL),
            "the table has no column 'flx'; did you mean 'flux'?");
    MESSAGE(ASDF_ERR_MASKED, asdf_table_load_column(table, "flux", 0, -1, ASDF_INT32, NULL, &flux, NULL),
            "column 'flux': some values are missing: pass a mask or a fill value");
    asdf_table_free(table);
}

static void descriptions(void) {
    asdf_ndl *description = NULL;
    MESSAGE(ASDF_ERR_YAML, asdf_ndl_read("image.asdf", NULL, &description),
            "image.asdf:1:1: E-YAML-SYNTAX: not a description: the file seems to be an ASDF file");
    asdf_ndl_free(description);
    MESSAGE(ASDF_ERR_YAML, asdf_ndl_read("hdf5.asdf", NULL, &description),
            "hdf5.asdf:1:1: E-YAML-SYNTAX: not a description: the file seems to be an HDF5 file");
    asdf_ndl_free(description);
    MESSAGE(ASDF_ERR_FILE_NOT_FOUND, asdf_ndl_read("nothing.yaml", NULL, &description),
            "nothing.yaml: cannot open the file: No such file or directory (os error 2)");
}

int main(void) {
    opening();
    fits();
    missing_hdu();
    values();
    arrays();
    options();
    writing();
    tables();
    descriptions();
    return report();
}
