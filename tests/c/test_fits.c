/* ASDF in FITS files: written, read, changed in place, and taken out again. */
#include "check.h"

static const int64_t shape[] = {2, 3};

static asdf_options *with_int(int32_t key, int64_t value) {
    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, key, value));
    return options;
}

/* Writes a new FITS file with an image of unsigned integers. */
static void make(const char *name) {
    const uint16_t numbers[] = {0, 1, 2, 40000, 50000, 65535};
    asdf_options *fits = with_int(ASDF_OPTION_CONTAINER, ASDF_CONTAINER_FITS);
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
    OK(asdf_node_set_array(root, "data", ASDF_UINT16, 2, shape, numbers, sizeof numbers, NULL));
    OK(asdf_node_set_string(root, "name", SIZED("M 31")));
    remove(name);
    OK(asdf_file_write(file, name, fits));
    asdf_options_free(fits);
    asdf_node_free(root);
    asdf_file_free(file);
}

static void check_content(asdf_file *file, const char *name, uint16_t last) {
    uint16_t numbers[6];
    asdf_node *root = root_of(file);
    asdf_array *array = NULL;
    TEXT(name, asdf_node_get_string, root, "name");
    OK(asdf_node_get_array(root, "data", &array));
    OK(asdf_array_read(array, ASDF_UINT16, NULL, numbers, sizeof numbers, NULL, 0));
    CHECK(numbers[0] == 0 && numbers[3] == 40000 && numbers[5] == last);
    asdf_array_free(array);
    asdf_node_free(root);
}

static void changed(void) {
    const uint16_t number = 7;
    asdf_options *in_place = NULL;
    asdf_file *file = NULL;
    asdf_array *array = NULL;
    OK(asdf_options_new(&in_place));
    OK(asdf_options_set_int(in_place, ASDF_OPTION_SAVE_MODE, ASDF_SAVE_IN_PLACE));
    make("image.fits");
    OK(asdf_file_open_for_update("image.fits", NULL, &file));
    asdf_node *root = root_of(file);
    OK(asdf_node_get_array(root, "data", &array));
    OK(asdf_array_write_region(array, 2, (int64_t[]){1, 2}, (int64_t[]){1, 1}, NULL, ASDF_UINT16, &number,
                               sizeof number, NULL));
    OK(asdf_file_save(file, NULL));
    OK(asdf_node_set_string(root, "name", SIZED("a longer name than it was before")));
    OK(asdf_file_save(file, in_place));
    asdf_array_free(array);
    asdf_node_free(root);
    asdf_file_free(file);
    OK(asdf_file_open("image.fits", NULL, &file));
    check_content(file, "a longer name than it was before", 7);
    asdf_file_free(file);
    asdf_options_free(in_place);
}

static void converted(void) {
    asdf_options *asdf = with_int(ASDF_OPTION_CONTAINER, ASDF_CONTAINER_ASDF);
    asdf_options *fits = with_int(ASDF_OPTION_CONTAINER, ASDF_CONTAINER_FITS);
    asdf_file *file = NULL, *plain = NULL;
    asdf_buffer *bytes = NULL;
    make("image.fits");
    OK(asdf_file_open("image.fits", NULL, &file));
    remove("image.asdf");
    OK(asdf_file_write(file, "image.asdf", asdf));
    OK(asdf_file_open("image.asdf", NULL, &plain));
    check_content(plain, "M 31", 65535);
    OK(asdf_file_write_memory(plain, fits, &bytes));
    asdf_buffer_free(bytes);
    OK(asdf_file_write_memory(file, NULL, &bytes));
    asdf_buffer_free(bytes);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_explode(file, "exploded.asdf", fits));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_file_save(plain, fits));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(fits, ASDF_OPTION_CONTAINER, 2));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(fits, ASDF_OPTION_CONTAINER, -1));
    asdf_file_free(file);
    asdf_file_free(plain);
    asdf_options_free(fits);
    asdf_options_free(asdf);
}

/* A card of a header, filled with blanks. */
static char *add_card(char *at, const char *text) {
    memset(at, ' ', 80);
    memcpy(at, text, strlen(text));
    return at + 80;
}

/* A FITS file whose ASDF tree names a tile-compressed image of 40 x 2 pixels; the tiles have a byte each. */
static size_t tiles_with_tree(char *bytes) {
    static const char *const tiles[] = {
        "XTENSION= 'BINTABLE'", "BITPIX  = 8", "NAXIS   = 2",     "NAXIS1  = 1",     "NAXIS2  = 2",  "PCOUNT  = 0",
        "GCOUNT  = 1",          "TFIELDS = 1", "TFORM1  = '1B'",  "ZIMAGE  = T",     "ZBITPIX = 16", "ZNAXIS  = 2",
        "ZNAXIS1 = 40",         "ZNAXIS2 = 2", "BZERO   = 32768", "EXTNAME = 'SCI'", "END"};
    static const char tree[] = "#ASDF 1.0.0\n#ASDF_STANDARD 1.5.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n"
                               "--- !core/asdf-1.1.0\ndata: !core/ndarray-1.0.0 {source: 'fits:SCI,1', "
                               "datatype: uint16, byteorder: big, shape: [2, 40]}\n...\n";
    char axis[32], *at = bytes;
    memset(bytes, ' ', 6 * 2880);
    at = add_card(add_card(add_card(add_card(at, "SIMPLE  = T"), "BITPIX  = 8"), "NAXIS   = 0"), "END");
    at = bytes + 2880;
    for (size_t i = 0; i < sizeof tiles / sizeof *tiles; i++) {
        at = add_card(at, tiles[i]);
    }
    memset(bytes + 2 * 2880, 0, 2880);
    bytes[2 * 2880] = 1;
    bytes[2 * 2880 + 1] = 2;
    at = add_card(add_card(add_card(bytes + 3 * 2880, "XTENSION= 'IMAGE'"), "BITPIX  = 8"), "NAXIS   = 1");
    snprintf(axis, sizeof axis, "NAXIS1  = %zu", strlen(tree));
    at = add_card(add_card(add_card(add_card(at, axis), "PCOUNT  = 0"), "GCOUNT  = 1"), "EXTNAME = 'ASDF'");
    add_card(at, "END");
    memset(bytes + 4 * 2880, 0, 2880);
    memcpy(bytes + 4 * 2880, tree, strlen(tree));
    return 5 * 2880;
}

/* Pixel n of a tile is n plus the number in the table; user counts the calls. */
static asdf_status decode(void *user, const void *hdu, size_t hdu_size, int64_t first, int64_t count, void *pixels,
                          size_t capacity) {
    const char *tiles = (const char *)hdu + 2880;
    unsigned char *out = pixels;
    ++*(int *)user;
    if (hdu_size != 2880 + 2 || memcmp(hdu, "XTENSION", 8) != 0 || capacity != 2 * (size_t)count) {
        return ASDF_ERR_INVALID_ARGUMENT;
    }
    for (int64_t i = first; i < first + count; i++, out += 2) {
        out[0] = 0;
        out[1] = (unsigned char)(i % 40 + tiles[i / 40]);
    }
    return ASDF_OK;
}

static asdf_status refuse(void *user, const void *hdu, size_t hdu_size, int64_t first, int64_t count, void *pixels,
                          size_t capacity) {
    (void)hdu, (void)hdu_size, (void)first, (void)count, (void)pixels, (void)capacity;
    return user ? asdf_error_set(ASDF_ERR_CORRUPT, SIZED("the second tile is damaged")) : 12345;
}

static void decoded(void) {
    char *bytes = malloc(6 * 2880);
    const size_t size = tiles_with_tree(bytes);
    uint16_t numbers[80], one = 0;
    int calls = 0;
    asdf_file *file = NULL;
    asdf_array *array = NULL, *other = NULL;
    OK(asdf_file_open_memory(bytes, size, NULL, &file));
    asdf_node *root = root_of(file);
    FAILS(ASDF_ERR_UNSUPPORTED, asdf_node_get_array(root, "data", &array));
    CHECK(message_holds("libasdfkit_formats") && message_holds("HDU 1 ('SCI', 1)"));
    OK(asdf_image_decoder_set(decode, &calls));
    OK(asdf_node_get_array(root, "data", &array));
    CHECK(calls == 0);
    OK(asdf_array_read(array, ASDF_UINT16, NULL, numbers, sizeof numbers, NULL, 0));
    CHECK(numbers[0] == 32768 + 1 && numbers[39] == 32768 + 40 && numbers[40] == 32768 + 2 &&
          numbers[79] == 32768 + 41);
    OK(asdf_array_read_region(array, 2, (int64_t[]){1, 5}, (int64_t[]){1, 1}, NULL, ASDF_UINT16, NULL, &one, sizeof one,
                              NULL, 0));
    CHECK(one == 32768 + 7 && calls == 1);
    OK(asdf_image_decoder_set(refuse, NULL));
    OK(asdf_node_get_array(root, "data", &other));
    FAILS(ASDF_ERR_CALLBACK, asdf_array_read(other, ASDF_UINT16, NULL, numbers, sizeof numbers, NULL, 0));
    asdf_array_free(other);
    OK(asdf_image_decoder_set(refuse, &calls));
    OK(asdf_node_get_array(root, "data", &other));
    FAILS(ASDF_ERR_CORRUPT, asdf_array_read(other, ASDF_UINT16, NULL, numbers, sizeof numbers, NULL, 0));
    CHECK(message_holds("the second tile is damaged"));
    asdf_array_free(other);
    OK(asdf_image_decoder_set(NULL, NULL));
    FAILS(ASDF_ERR_UNSUPPORTED, asdf_node_get_array(root, "data", &other));
    asdf_array_free(array);
    asdf_node_free(root);
    asdf_file_free(file);
    free(bytes);
}

int main(void) {
    changed();
    decoded();
    converted();
    return report();
}
