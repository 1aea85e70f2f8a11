/* Reading quantities, arrays and columns of tables in another unit. */
#include "check.h"
#include <math.h>

static const char document[] =
    "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n"
    "length: !unit/quantity-1.2.0 {unit: !unit/unit-1.0.0 km,\n"
    "  value: !core/ndarray-1.1.0 {data: [1, 2, 3], datatype: int16, mask: !core/ndarray-1.1.0 [false, true, false]}}\n"
    "angle: !unit/quantity-1.2.0 {unit: !unit/unit-1.0.0 deg, value: 180.0}\n"
    "wave: !unit/quantity-1.2.0 {unit: !unit/unit-1.0.0 m, value: [1.0, 2.0]}\n"
    "names: !unit/quantity-1.2.0 {unit: !unit/unit-1.0.0 m, value: [a, b]}\n"
    "odd: !unit/quantity-1.2.0 {unit: !<tag:astropy.org:astropy/units/unit-1.0.0> furlong, value: [1.0]}\n"
    "complex: !unit/quantity-1.2.0 {unit: !unit/unit-1.0.0 cm,\n"
    "  value: !core/ndarray-1.1.0 {data: [!core/complex-1.0.0 1+2j], datatype: complex64}}\n"
    "cold: !unit/quantity-1.2.0 {unit: !unit/unit-1.0.0 deg_C,\n"
    "  value: !core/ndarray-1.1.0 {data: [0, 10], datatype: int16}}\n"
    "plain: [1.0, 2.0]\n"
    "...\n";

static asdf_options *in_unit(const char *unit, const char *equivalencies) {
    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_text(options, ASDF_OPTION_UNIT, SIZED(unit)));
    if (equivalencies) OK(asdf_options_set_text(options, ASDF_OPTION_EQUIVALENCIES, SIZED(equivalencies)));
    return options;
}

static asdf_array *array_at(const asdf_node *root, const char *path) {
    asdf_array *array = NULL;
    OK(asdf_node_get_array(root, path, &array));
    return array;
}

static void arrays(const asdf_node *root) {
    asdf_array *length = array_at(root, "length");
    asdf_options *metres = in_unit("m", NULL), *hours = in_unit("h", NULL);
    TEXT("km", asdf_array_unit, length);
    double values[3] = {9, 9, 9};
    uint8_t mask[3] = {9, 9, 9};
    OK(asdf_array_read(length, ASDF_FLOAT64, metres, values, sizeof values, mask, sizeof mask));
    CHECK(values[0] == 1000 && values[2] == 3000 && mask[0] == 0 && mask[1] == 1);
    FAILS(ASDF_ERR_MASKED, asdf_array_read(length, ASDF_FLOAT64, metres, values, sizeof values, NULL, 0));
    FAILS(ASDF_ERR_UNITS, asdf_array_read(length, ASDF_FLOAT64, hours, values, sizeof values, mask, sizeof mask));
    /* The fill value is in metres. */
    double fill = -1;
    OK(asdf_options_set_fill(metres, ASDF_FLOAT64, &fill, sizeof fill));
    int16_t integers[3] = {0, 0, 0};
    OK(asdf_array_read(length, 0, metres, integers, sizeof integers, NULL, 0));
    CHECK(integers[0] == 1000 && integers[1] == -1 && integers[2] == 3000);
    int64_t start[] = {2}, count[] = {2}, step[] = {-2};
    OK(asdf_array_read_region(length, 1, start, count, step, ASDF_FLOAT64, metres, values, sizeof values, NULL, 0));
    CHECK(values[0] == 3000 && values[1] == 1000);
    asdf_buffer *loaded = NULL;
    const void *bytes = NULL;
    size_t size = 0;
    OK(asdf_array_load(length, ASDF_FLOAT32, metres, &loaded, NULL));
    OK(asdf_buffer_bytes(loaded, &bytes, &size));
    float first = 0;
    if (size == 12) memcpy(&first, bytes, sizeof first);
    CHECK(size == 12 && first == 1000);
    asdf_buffer_free(loaded);
    FAILS(ASDF_ERR_UNITS, asdf_array_load(length, ASDF_FLOAT32, hours, &loaded, NULL));

    /* Integers are exact, or refused. */
    asdf_options *micrometres = in_unit("um", NULL), *megametres = in_unit("Mm", NULL);
    FAILS(ASDF_ERR_OVERFLOW,
          asdf_array_read(length, ASDF_INT16, micrometres, integers, sizeof integers, mask, sizeof mask));
    FAILS(ASDF_ERR_OVERFLOW,
          asdf_array_read(length, ASDF_INT16, megametres, integers, sizeof integers, mask, sizeof mask));
    OK(asdf_options_set_int(micrometres, ASDF_OPTION_CLAMP, 1));
    OK(asdf_array_read(length, ASDF_INT16, micrometres, integers, sizeof integers, mask, sizeof mask));
    CHECK(integers[0] == INT16_MAX && integers[2] == INT16_MAX);
    asdf_options_free(micrometres);
    asdf_options_free(megametres);
    asdf_options_free(hours);

    asdf_array *names = array_at(root, "names"), *plain = array_at(root, "plain"), *odd = array_at(root, "odd");
    char text[4] = "???";
    FAILS(ASDF_ERR_CONVERSION, asdf_array_read(names, ASDF_FLOAT64, metres, values, sizeof values, NULL, 0));
    FAILS(ASDF_ERR_UNITS, asdf_array_read(plain, ASDF_FLOAT64, metres, values, sizeof values, NULL, 0));
    FAILS(ASDF_ERR_UNITS, asdf_array_read(odd, ASDF_FLOAT64, metres, values, sizeof values, NULL, 0));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_array_unit(plain, text, sizeof text, NULL));
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_array_unit(odd, text, sizeof text, NULL));
    asdf_options *furlongs = in_unit("furlong", NULL);
    OK(asdf_array_read(odd, ASDF_FLOAT64, furlongs, values, sizeof values, NULL, 0));
    CHECK(values[0] == 1);
    asdf_options_free(furlongs);
    asdf_array *complex = array_at(root, "complex");
    double parts[2] = {0, 0};
    OK(asdf_array_read(complex, ASDF_COMPLEX128, metres, parts, sizeof parts, NULL, 0));
    CHECK(fabs(parts[0] - 0.01) < 1e-15 && fabs(parts[1] - 0.02) < 1e-15);
    asdf_array_free(complex);
    asdf_array_free(names);
    asdf_array_free(plain);
    asdf_array_free(odd);

    /* The mask functions do not know units. */
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_array_read_mask(length, metres, mask, sizeof mask));
    asdf_options_free(metres);
    asdf_array_free(length);
}

/* Zero degrees are no integer in kelvins. */
static void temperatures(const asdf_node *root) {
    asdf_array *cold = array_at(root, "cold");
    asdf_options *kelvins = in_unit("K", "temperature");
    int16_t integers[2] = {0, 0};
    double values[2] = {0, 0};
    OK(asdf_array_read(cold, ASDF_FLOAT64, kelvins, values, sizeof values, NULL, 0));
    CHECK(values[0] == 273.15 && values[1] == 283.15);
    FAILS(ASDF_ERR_OVERFLOW, asdf_array_read(cold, ASDF_INT16, kelvins, integers, sizeof integers, NULL, 0));
    OK(asdf_options_set_int(kelvins, ASDF_OPTION_CLAMP, 1));
    OK(asdf_array_read(cold, ASDF_INT16, kelvins, integers, sizeof integers, NULL, 0));
    CHECK(integers[0] == 273 && integers[1] == 283);
    asdf_options_free(kelvins);
    asdf_array_free(cold);
}

static void light(const asdf_node *root) {
    asdf_array *wave = array_at(root, "wave");
    asdf_options *strict = in_unit("Hz", NULL), *spectral = in_unit("Hz", "spectral");
    double values[2] = {0, 0};
    FAILS(ASDF_ERR_UNITS, asdf_array_read(wave, ASDF_FLOAT64, strict, values, sizeof values, NULL, 0));
    OK(asdf_array_read(wave, ASDF_FLOAT64, spectral, values, sizeof values, NULL, 0));
    CHECK(values[0] == 299792458 && values[1] == 149896229);
    asdf_options_free(strict);
    asdf_options_free(spectral);
    asdf_array_free(wave);
}

static void numbers(const asdf_node *root) {
    double value = 7;
    OK(asdf_node_get_quantity(root, "angle", "arcmin", ASDF_SPELLING_GENERIC, NULL, &value));
    CHECK(value == 10800);
    OK(asdf_node_get_quantity(root, "angle/value", "arcmin", ASDF_SPELLING_GENERIC, NULL, &value));
    CHECK(value == 10800);
    FAILS(ASDF_ERR_UNITS, asdf_node_get_quantity(root, "angle", "m", ASDF_SPELLING_GENERIC, NULL, &value));
    FAILS(ASDF_ERR_UNITS, asdf_node_get_quantity(root, "plain/0", "m", ASDF_SPELLING_GENERIC, NULL, &value));
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_node_get_quantity(root, "wave", "m", ASDF_SPELLING_GENERIC, NULL, &value));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_get_quantity(root, "angle", "deg", 9, NULL, &value));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_get_quantity(root, "nothing", "deg", 0, NULL, &value));
    CHECK(value == 10800);
    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_text(options, ASDF_OPTION_EQUIVALENCIES, SIZED("dimensionless_angles")));
    OK(asdf_node_get_quantity(root, "angle", "", ASDF_SPELLING_GENERIC, options, &value));
    CHECK(fabs(value - 3.141592653589793) < 1e-15);
    asdf_options_free(options);
}

static void views(void) {
    asdf_file *file = NULL, *again = NULL;
    asdf_node *root = NULL;
    const double values[2] = {1, 2};
    const int64_t shape[] = {2};
    OK(asdf_file_new(NULL, &file));
    OK(asdf_file_root(file, &root));
    OK(asdf_node_set_array(root, "q/value", ASDF_FLOAT64, 1, shape, values, sizeof values, NULL));
    OK(asdf_node_set_quantity(root, "q", SIZED("km")));
    asdf_node_free(root);
    OK(asdf_file_write(file, "views.asdf", NULL));
    asdf_file_free(file);
    OK(asdf_file_open("views.asdf", NULL, &again));
    OK(asdf_file_root(again, &root));
    asdf_array *array = array_at(root, "q");
    asdf_options *same = in_unit("1000 m", NULL), *other = in_unit("m", NULL), *wrong = in_unit("s", NULL);
    asdf_view *view = NULL;
    OK(asdf_array_view(array, ASDF_FLOAT64, same, &view));
    asdf_view_free(view);
    FAILS(ASDF_ERR_NOT_VIEWABLE, asdf_array_view(array, ASDF_FLOAT64, other, &view));
    FAILS(ASDF_ERR_UNITS, asdf_array_view(array, ASDF_FLOAT64, wrong, &view));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_array_view_stored(array, same, &view));
    asdf_options_free(same);
    asdf_options_free(other);
    asdf_options_free(wrong);
    asdf_array_free(array);
    asdf_node_free(root);
    asdf_file_free(again);
    remove("views.asdf");
}

static void columns(void) {
    static const char text[] = "# %ECSV 1.0\n# ---\n# datatype:\n"
                               "# - {name: length, unit: km, datatype: int32}\n"
                               "# - {name: exact, unit: km, datatype: float128}\n"
                               "# - {name: flux, unit: mag(AB), datatype: float64}\n"
                               "# - {name: count, datatype: int32}\n"
                               "# - {name: name, unit: km, datatype: string}\n"
                               "length exact flux count name\n1 1.5 23.9 5 a\n\"\" 2.5 23.9 6 b\n";
    asdf_table *table = NULL;
    OK(asdf_table_read_ecsv_memory(text, strlen(text), NULL, &table));
    asdf_options *metres = in_unit("m", NULL), *microjansky = in_unit("uJy", NULL);
    int32_t integers[2] = {0, 0};
    double values[2] = {0, 0};
    uint8_t mask[2] = {9, 9};
    OK(asdf_table_read_column(table, "length", 0, -1, 0, metres, integers, sizeof integers, mask, sizeof mask));
    CHECK(integers[0] == 1000 && mask[0] == 0 && mask[1] == 1);
    OK(asdf_table_read_column(table, "exact", 0, -1, ASDF_FLOAT64, metres, values, sizeof values, NULL, 0));
    CHECK(values[0] == 1500 && values[1] == 2500);
    OK(asdf_table_read_column(table, "flux", 0, 1, ASDF_FLOAT64, microjansky, values, sizeof values, NULL, 0));
    CHECK(fabs(values[0] - 1) < 1e-3);
    FAILS(ASDF_ERR_UNITS,
          asdf_table_read_column(table, "length", 0, -1, 0, microjansky, integers, sizeof integers, mask, sizeof mask));
    FAILS(ASDF_ERR_UNITS, asdf_table_read_column(table, "count", 0, -1, 0, metres, integers, sizeof integers, NULL, 0));
    FAILS(ASDF_ERR_CONVERSION,
          asdf_table_read_column(table, "name", 0, -1, ASDF_FLOAT64, metres, values, sizeof values, NULL, 0));
    asdf_buffer *loaded = NULL;
    const void *bytes = NULL;
    size_t size = 0;
    OK(asdf_table_load_column(table, "exact", 1, 1, ASDF_FLOAT64, metres, &loaded, NULL));
    OK(asdf_buffer_bytes(loaded, &bytes, &size));
    if (size == 8) memcpy(values, bytes, size);
    CHECK(size == 8 && values[0] == 2500);
    asdf_buffer_free(loaded);
    FAILS(ASDF_ERR_UNITS, asdf_table_load_column(table, "count", 0, -1, 0, metres, &loaded, NULL));
    asdf_options_free(metres);
    asdf_options_free(microjansky);

    /* The table itself in another unit. */
    int32_t datatype = 0;
    OK(asdf_table_convert_column(table, "length", "m", ASDF_SPELLING_GENERIC, NULL));
    TEXT("m", asdf_table_column_unit, table, "length");
    OK(asdf_table_column_datatype(table, "length", &datatype));
    OK(asdf_table_read_column(table, "length", 0, -1, 0, NULL, values, sizeof values, mask, sizeof mask));
    CHECK(datatype == ASDF_FLOAT64 && values[0] == 1000 && mask[0] == 0 && mask[1] == 1);
    FAILS(ASDF_ERR_UNITS, asdf_table_convert_column(table, "length", "s", ASDF_SPELLING_GENERIC, NULL));
    FAILS(ASDF_ERR_UNITS, asdf_table_convert_column(table, "count", "s", ASDF_SPELLING_GENERIC, NULL));
    FAILS(ASDF_ERR_CONVERSION, asdf_table_convert_column(table, "name", "m", ASDF_SPELLING_GENERIC, NULL));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_table_convert_column(table, "other", "m", ASDF_SPELLING_GENERIC, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_convert_column(table, "length", "m", 9, NULL));
    TEXT("m", asdf_table_column_unit, table, "length");
    asdf_table_free(table);
}

int main(void) {
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    OK(asdf_file_open_memory(document, strlen(document), NULL, &file));
    OK(asdf_file_root(file, &root));
    arrays(root);
    temperatures(root);
    light(root);
    numbers(root);
    asdf_node_free(root);
    asdf_file_free(file);
    views();
    columns();
    return report();
}
