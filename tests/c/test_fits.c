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

int main(void) {
    changed();
    converted();
    return report();
}
