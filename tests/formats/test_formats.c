/* Tests the C interface of libasdfkit_formats: ./test_formats FITS_FILE TILES_FILE */
#include <asdfkit/asdf_formats.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                            \
            asdf_error_print("test");                                                                                  \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)
#define OK(call) CHECK((call) == ASDF_OK)

/* A failure has a message that holds a text. */
static void check_failure(asdf_status status, asdf_status expected, const char *text) {
    char message[1000];
    CHECK(status == expected);
    OK(asdf_error_message(message, sizeof message, NULL));
    if (strstr(message, text) == NULL) {
        fprintf(stderr, "\"%s\" is not in \"%s\"\n", text, message);
        exit(1);
    }
}

static void write_cards(const char *path, const char *const *cards, size_t data) {
    FILE *file = fopen(path, "wb");
    size_t size = 0;
    CHECK(file != NULL);
    for (; *cards != NULL; cards++) {
        size += (size_t)fprintf(file, "%-80s", *cards);
    }
    for (; size % 2880 != 0; size++) {
        fputc(' ', file);
    }
    for (; data > 0; data--) {
        fputc(0, file);
    }
    CHECK(fclose(file) == 0);
}

static void test_conversion(const char *path) {
    asdf_formats_report *report = NULL;
    asdf_options *options = NULL;
    int64_t count = -1;
    remove("new.asdf");
    remove("new.fits");
    OK(asdf_formats_fits_to_asdf(path, "new.asdf", NULL, &report));
    OK(asdf_formats_report_count(report, &count));
    CHECK(count == 1);
    {
        char text[200];
        size_t needed = 0;
        int32_t is_loss = -1;
        OK(asdf_formats_report_entry(report, 0, &is_loss, text, sizeof text, &needed));
        CHECK(is_loss == 0 && needed == strlen(text));
        CHECK(asdf_formats_report_entry(report, 0, NULL, text, needed, NULL) == ASDF_ERR_BUFFER_TOO_SMALL);
        CHECK(asdf_formats_report_entry(report, 0, NULL, NULL, 0, &needed) == ASDF_ERR_BUFFER_TOO_SMALL);
        CHECK(asdf_formats_report_entry(report, 0, NULL, NULL, 1, NULL) == ASDF_ERR_NULL_POINTER);
        CHECK(asdf_formats_report_entry(report, 1, NULL, text, sizeof text, NULL) == ASDF_ERR_OUT_OF_RANGE);
        CHECK(asdf_formats_report_entry(report, -1, NULL, text, sizeof text, NULL) == ASDF_ERR_OUT_OF_RANGE);
        CHECK(asdf_formats_report_entry(NULL, 0, NULL, text, sizeof text, NULL) == ASDF_ERR_NULL_POINTER);
    }
    CHECK(asdf_formats_report_count(NULL, &count) == ASDF_ERR_NULL_POINTER);
    CHECK(asdf_formats_report_count(report, NULL) == ASDF_ERR_NULL_POINTER);
    asdf_formats_report_free(report);
    asdf_formats_report_free(NULL);

    check_failure(asdf_formats_fits_to_asdf(path, "new.asdf", NULL, NULL), ASDF_ERR_FILE_EXISTS, "new.asdf");
    OK(asdf_formats_asdf_to_fits("new.asdf", "new.fits", NULL, NULL));
    check_failure(asdf_formats_asdf_to_fits("new.asdf", "new.fits", NULL, &report), ASDF_ERR_FILE_EXISTS, "new.fits");
    CHECK(report == NULL);
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_REPLACE, 1));
    OK(asdf_formats_fits_to_asdf(path, "new.asdf", options, NULL));
    OK(asdf_formats_asdf_to_fits("new.asdf", "new.fits", options, NULL));
    asdf_options_free(options);
    CHECK(asdf_formats_asdf_to_fits(NULL, "new.fits", NULL, NULL) == ASDF_ERR_NULL_POINTER);
    CHECK(asdf_formats_asdf_to_fits("new.asdf", NULL, NULL, NULL) == ASDF_ERR_NULL_POINTER);
    CHECK(asdf_formats_fits_to_asdf(NULL, "new.asdf", NULL, NULL) == ASDF_ERR_NULL_POINTER);
    CHECK(asdf_formats_fits_to_asdf(path, NULL, NULL, NULL) == ASDF_ERR_NULL_POINTER);
    check_failure(asdf_formats_asdf_to_fits("none.asdf", "none.fits", NULL, NULL), ASDF_ERR_FILE_NOT_FOUND, "none");
}

/* Arrays in other files are read if the options allow it. */
static void test_exploded(void) {
    static const double pixels[3] = {1.5, 2.5, 3.5};
    static const int64_t shape[1] = {3};
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    asdf_options *options = NULL;
    remove("exploded.asdf");
    remove("exploded0000.asdf");
    remove("exploded.fits");
    OK(asdf_file_new(NULL, &file));
    OK(asdf_file_root(file, &root));
    OK(asdf_node_set_array(root, "image", ASDF_FLOAT64, 1, shape, pixels, sizeof pixels, NULL));
    OK(asdf_file_explode(file, "exploded.asdf", NULL));
    asdf_node_free(root);
    asdf_file_free(file);
    check_failure(asdf_formats_asdf_to_fits("exploded.asdf", "exploded.fits", NULL, NULL), ASDF_ERR_EXTERNAL_REFERENCE,
                  "exploded0000.asdf");
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_ACCESS, ASDF_ACCESS_SAME_DIRECTORY));
    OK(asdf_formats_asdf_to_fits("exploded.asdf", "exploded.fits", options, NULL));
    check_failure(asdf_formats_asdf_to_fits("exploded.asdf", "exploded.fits", options, NULL), ASDF_ERR_FILE_EXISTS,
                  "exploded.fits");
    asdf_options_free(options);
}

/* A file in memory: its arrays are those of the FITS file. */
static void test_open(const char *path) {
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    asdf_array *array = NULL;
    uint16_t pixels[6];
    OK(asdf_formats_open_fits(path, &file, NULL));
    OK(asdf_file_root(file, &root));
    OK(asdf_node_get_array(root, "fits/1/data", &array));
    OK(asdf_array_read(array, ASDF_UINT16, NULL, pixels, sizeof pixels, NULL, 0));
    for (int i = 0; i < 6; i++) {
        CHECK(pixels[i] == 65530 + i);
    }
    asdf_array_free(array);
    asdf_node_free(root);
    asdf_file_free(file);
    CHECK(asdf_formats_open_fits(path, NULL, NULL) == ASDF_ERR_NULL_POINTER);
    check_failure(asdf_formats_open_fits("none.fits", &file, NULL), ASDF_ERR_FILE_NOT_FOUND, "none.fits");
    CHECK(file == NULL);
}

/* Content of a file, with room for more. The caller frees it. */
static unsigned char *content_of(const char *path, size_t more, size_t *size) {
    unsigned char *bytes = NULL;
    FILE *file = fopen(path, "rb");
    long length = 0;
    CHECK(file != NULL && fseek(file, 0, SEEK_END) == 0);
    length = ftell(file);
    CHECK(length > 0 && fseek(file, 0, SEEK_SET) == 0);
    bytes = calloc(1, (size_t)length + more);
    CHECK(bytes != NULL && fread(bytes, 1, (size_t)length, file) == (size_t)length);
    CHECK(fclose(file) == 0);
    *size = (size_t)length;
    return bytes;
}

/* The HDU behind the FITS file makes it one that the core opens. */
static void test_hdu(const char *path) {
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    asdf_array *array = NULL;
    uint16_t pixels[6];
    size_t fits_size = 0, hdu_size = 0;
    int64_t place = -1;
    char source[20];
    remove("tree.hdu");
    OK(asdf_formats_fits_to_hdu(path, "tree.hdu", &place, NULL));
    unsigned char *hdu = content_of("tree.hdu", 0, &hdu_size);
    unsigned char *bytes = content_of(path, hdu_size, &fits_size);
    CHECK(place == (int64_t)fits_size && hdu_size % 2880 == 0);
    memcpy(bytes + fits_size, hdu, hdu_size);
    OK(asdf_file_open_memory(bytes, fits_size + hdu_size, NULL, &file));
    OK(asdf_file_root(file, &root));
    OK(asdf_node_get_string(root, "fits/1/data/source", source, sizeof source, NULL));
    CHECK(strcmp(source, "fits:1") == 0);
    OK(asdf_node_get_array(root, "fits/1/data", &array));
    OK(asdf_array_read(array, ASDF_UINT16, NULL, pixels, sizeof pixels, NULL, 0));
    CHECK(pixels[0] == 65530 && pixels[5] == 65535);
    asdf_array_free(array);
    asdf_node_free(root);
    asdf_file_free(file);
    free(bytes);
    free(hdu);
    check_failure(asdf_formats_fits_to_hdu(path, "tree.hdu", NULL, NULL), ASDF_ERR_FILE_EXISTS, "tree.hdu");
    check_failure(asdf_formats_fits_to_hdu("none.fits", "new.hdu", NULL, NULL), ASDF_ERR_FILE_NOT_FOUND, "none.fits");
    CHECK(asdf_formats_fits_to_hdu(NULL, "new.hdu", NULL, NULL) == ASDF_ERR_NULL_POINTER);
    CHECK(asdf_formats_fits_to_hdu(path, NULL, NULL, NULL) == ASDF_ERR_NULL_POINTER);
}

/* Pixels of a compressed image are big-endian and without BZERO. */
static void test_decoder(const char *path) {
    unsigned char pixels[12];
    size_t size = 0;
    unsigned char *bytes = content_of(path, 0, &size), *hdu = bytes + 2880;
    size_t hdu_size = size - 2880;
    OK(asdf_formats_decode_image(hdu, hdu_size, 0, 6, pixels, sizeof pixels));
    for (int i = 0; i < 6; i++) {
        CHECK((pixels[2 * i] << 8 | pixels[2 * i + 1]) == 65530 + i - 32768);
    }
    OK(asdf_formats_decode_image(hdu, hdu_size, 4, 1, pixels, 2));
    CHECK((pixels[0] << 8 | pixels[1]) == 65534 - 32768);
    OK(asdf_formats_decode_image(hdu, hdu_size, 6, 0, pixels, 0));
    check_failure(asdf_formats_decode_image(hdu, hdu_size, 4, 3, pixels, 6), ASDF_ERR_OUT_OF_RANGE, "has 6");
    check_failure(asdf_formats_decode_image(hdu, hdu_size, -1, 2, pixels, 4), ASDF_ERR_OUT_OF_RANGE, "has 6");
    check_failure(asdf_formats_decode_image(hdu, hdu_size, INT64_MAX, 2, pixels, 4), ASDF_ERR_OUT_OF_RANGE, "has 6");
    check_failure(asdf_formats_decode_image(hdu, hdu_size, 0, 6, pixels, 11), ASDF_ERR_INVALID_ARGUMENT, "11 bytes");
    check_failure(asdf_formats_decode_image(hdu, 2880, 0, 6, pixels, 12), ASDF_ERR_TRUNCATED, "cut off");
    check_failure(asdf_formats_decode_image(bytes, 2880, 0, 6, pixels, 12), ASDF_ERR_FITS_HEADER, "no tile-compressed");
    CHECK(asdf_formats_decode_image(NULL, hdu_size, 0, 6, pixels, 12) == ASDF_ERR_NULL_POINTER);
    CHECK(asdf_formats_decode_image(hdu, hdu_size, 0, 6, NULL, 12) == ASDF_ERR_NULL_POINTER);
    /* Tiles that say nothing of use. */
    memset(hdu + hdu_size - 2880, 0xff, 2880);
    check_failure(asdf_formats_decode_image(hdu, hdu_size, 0, 6, pixels, 12), ASDF_ERR_CORRUPT, "HDU 1");
    free(bytes);
}

/* Padding is not carried over. */
static void test_padding(const char *const *cards) {
    asdf_file *file = NULL;
    asdf_formats_report *report = NULL;
    int64_t count = -1;
    int32_t is_loss = -1;
    char text[200];
    FILE *bytes = NULL;
    write_cards("padding.fits", cards, 2880);
    OK(asdf_formats_open_fits("padding.fits", &file, &report));
    OK(asdf_formats_report_count(report, &count));
    CHECK(count == 0);
    asdf_formats_report_free(report);
    asdf_file_free(file);
    bytes = fopen("padding.fits", "rb+");
    CHECK(bytes != NULL && fseek(bytes, 2880 + 100, SEEK_SET) == 0 && fputc('x', bytes) == 'x' && fclose(bytes) == 0);
    OK(asdf_formats_open_fits("padding.fits", &file, &report));
    OK(asdf_formats_report_count(report, &count));
    CHECK(count == 1);
    OK(asdf_formats_report_entry(report, 0, &is_loss, text, sizeof text, NULL));
    CHECK(is_loss == 1 && strstr(text, "byte 2980") != NULL);
    asdf_formats_report_free(report);
    asdf_file_free(file);
}

static void test_damage(void) {
    static const char simple[] = "SIMPLE  =                    T";
    static const char none[] = "NAXIS   =                    0";
    static const char *const no_end[] = {simple, "BITPIX  =                    8", none, NULL};
    static const char *const bitpix[] = {simple, "BITPIX  =                   24", none, "END", NULL};
    static const char *const missing[] = {simple, "BITPIX  =                    8", "NAXIS   =                    1",
                                          "END", NULL};
    static const char *const large[] = {simple,
                                        "BITPIX  =                   64",
                                        "NAXIS   =                    2",
                                        "NAXIS1  =  9223372036854775807",
                                        "NAXIS2  =                    9",
                                        "END",
                                        NULL};
    static const char *const truncated[] = {simple,
                                            "BITPIX  =                    8",
                                            "NAXIS   =                    1",
                                            "NAXIS1  =                 9999",
                                            "END",
                                            NULL};
    static const char *const wide[] = {simple, "BITPIX  =                    8", none, "END", NULL};
    static const char *const small[] = {simple,
                                        "BITPIX  =                    8",
                                        "NAXIS   =                    1",
                                        "NAXIS1  =                   99",
                                        "END",
                                        NULL};
    asdf_file *file = NULL;
    write_cards("bad.fits", no_end, 0);
    check_failure(asdf_formats_open_fits("bad.fits", &file, NULL), ASDF_ERR_TRUNCATED, "no card END");
    write_cards("bad.fits", bitpix, 0);
    check_failure(asdf_formats_open_fits("bad.fits", &file, NULL), ASDF_ERR_FITS_HEADER,
                  "HDU 0: card 2 (BITPIX) at byte 80");
    write_cards("bad.fits", missing, 0);
    check_failure(asdf_formats_open_fits("bad.fits", &file, NULL), ASDF_ERR_FITS_HEADER, "NAXIS1");
    write_cards("bad.fits", large, 0);
    check_failure(asdf_formats_open_fits("bad.fits", &file, NULL), ASDF_ERR_FITS_HEADER, "NAXIS1) at byte 240");
    write_cards("bad.fits", truncated, 100);
    check_failure(asdf_formats_open_fits("bad.fits", &file, NULL), ASDF_ERR_TRUNCATED, "at byte 2880");
    write_cards("good.fits", wide, 0);
    OK(asdf_formats_open_fits("good.fits", &file, NULL));
    asdf_file_free(file);
    test_padding(small);
}

int main(int argc, char **argv) {
    char text[8];
    CHECK(argc == 3);
    CHECK(asdf_formats_abi() == ASDF_FORMATS_ABI);
    OK(asdf_formats_load(NULL));
    OK(asdf_formats_error_message(text, sizeof text, NULL));
    CHECK(text[0] == 0);
    CHECK(asdf_formats_error_message(NULL, 0, NULL) == ASDF_ERR_BUFFER_TOO_SMALL);
    CHECK(asdf_formats_error_message(NULL, 1, NULL) == ASDF_ERR_NULL_POINTER);
    test_conversion(argv[1]);
    test_exploded();
    test_open(argv[1]);
    test_hdu(argv[1]);
    test_decoder(argv[2]);
    test_damage();
    return 0;
}
