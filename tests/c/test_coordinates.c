/* Coordinates: reading from trees and tables, and storing. */
#include "check.h"
#include <math.h>

#define A "!<tag:astropy.org:astropy/coordinates/"
#define DEG "unit: !unit/unit-1.0.0 deg"

static const char *text_of(asdf_status (*getter)(const asdf_coordinates *, char *, size_t, size_t *),
                           const asdf_coordinates *coordinates) {
    static char text[40];
    size_t needed = 0;
    OK(getter(coordinates, text, sizeof text, &needed));
    CHECK(needed == strlen(text));
    if (needed > 0) FAILS(ASDF_ERR_BUFFER_TOO_SMALL, getter(coordinates, text, needed, NULL));
    OK(getter(coordinates, text, sizeof text, NULL));
    return text;
}

static void sky(void) {
    asdf_file *file = open_tree(
        "sky: " A "skycoord-1.0.0> {frame: fk5, representation_type: spherical, differential_type: sphericalcoslat,\n"
        "  equinox: !time/time-1.4.0 {scale: tt, value: J1975.000},\n"
        "  ra: " A "longitude-1.2.0> {value: [1.0, 180.0], " DEG "},\n"
        "  dec: " A "latitude-1.2.0> {value: [3.0, 4.0], " DEG "},\n"
        "  distance: !unit/quantity-1.3.0 {value: 5.0, unit: !unit/unit-1.0.0 kpc},\n"
        "  pm_dec: !unit/quantity-1.3.0 {value: [1.0, 2.0], unit: !unit/unit-1.0.0 mas.yr**-1}}\n"
        "bad: " A "skycoord-1.0.0> {frame: icrs, ra: [1, 2], dec: [1, 2, 3]}\n"
        "none: " A "skycoord-1.0.0> {ra: 5}\nnumber: 5\n");
    asdf_node *root = root_of(file), *node = NULL;
    asdf_coordinates *sky = NULL, *other = NULL;
    asdf_array *array = NULL;
    asdf_time *time = NULL;
    int32_t kind = 9, rank = 9, has = 9;
    int64_t count = 9, shape[1] = {9};
    double values[2] = {9, 9};
    char text[30] = "";
    OK(asdf_node_kind(root, "sky", &kind));
    CHECK(kind == ASDF_KIND_COORDINATES);
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_node_get_coordinates(root, "number", &sky));
    FAILS(ASDF_ERR_TAG_CONTENT, asdf_node_get_coordinates(root, "none", &sky));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_get_coordinates(root, "missing", &sky));
    CHECK(sky == NULL);

    OK(asdf_node_get_coordinates(root, "sky", &sky));
    OK(asdf_coordinates_kind(sky, &kind));
    CHECK(kind == ASDF_COORDINATES_KIND_SKY);
    FAILS(ASDF_ERR_NULL_POINTER, asdf_coordinates_kind(NULL, &kind));
    CHECK(strcmp(text_of(asdf_coordinates_frame, sky), "fk5") == 0);
    CHECK(strcmp(text_of(asdf_coordinates_representation, sky), "spherical") == 0);
    CHECK(strcmp(text_of(asdf_coordinates_differential, sky), "sphericalcoslat") == 0);
    OK(asdf_coordinates_shape(sky, shape, 1, &rank));
    OK(asdf_coordinates_count(sky, &count));
    CHECK(rank == 1 && shape[0] == 2 && count == 2);
    OK(asdf_coordinates_component_count(sky, &count));
    CHECK(count == 4);
    const char *names[] = {"ra", "dec", "distance", "pm_dec"};
    for (int64_t i = 0; i < count; i++) {
        OK(asdf_coordinates_component_name(sky, i, text, sizeof text, NULL));
        CHECK(strcmp(text, names[i]) == 0);
    }
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_coordinates_component_name(sky, 4, text, sizeof text, NULL));
    OK(asdf_coordinates_has_component(sky, "lon", &has));
    CHECK(has == 1);
    OK(asdf_coordinates_has_component(sky, "x", &has));
    CHECK(has == 0);
    OK(asdf_coordinates_unit(sky, "lat", text, sizeof text, NULL));
    CHECK(strcmp(text, "deg") == 0);
    FAILS(ASDF_ERR_NOT_FOUND, asdf_coordinates_unit(sky, "x", text, sizeof text, NULL));

    OK(asdf_coordinates_read(sky, "lon", "rad", NULL, values, 2));
    CHECK(fabs(values[1] - 3.14159265358979) < 1e-12);
    OK(asdf_coordinates_read(sky, "distance", NULL, NULL, values, 2));
    CHECK(values[0] == 5 && values[1] == 5);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_coordinates_read(sky, "dec", "deg", NULL, values, 1));
    FAILS(ASDF_ERR_UNITS, asdf_coordinates_read(sky, "dec", "m", NULL, values, 2));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_coordinates_read(sky, "x", NULL, NULL, values, 2));
    OK(asdf_coordinates_array(sky, "pm_lat", &array));
    OK(asdf_array_read(array, ASDF_FLOAT64, NULL, values, sizeof values, NULL, 0));
    CHECK(values[1] == 2);
    asdf_array_free(array);
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_coordinates_array(sky, "distance", &array));

    OK(asdf_coordinates_attribute_count(sky, &count));
    OK(asdf_coordinates_attribute_name(sky, 0, text, sizeof text, NULL));
    CHECK(count == 1 && strcmp(text, "equinox") == 0);
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_coordinates_attribute_name(sky, 1, text, sizeof text, NULL));
    OK(asdf_coordinates_attribute(sky, "equinox", &node));
    OK(asdf_node_get_time(node, "", NULL, &time));
    asdf_time_free(time);
    asdf_node_free(node);
    FAILS(ASDF_ERR_NOT_FOUND, asdf_coordinates_attribute(sky, "obstime", &node));
    OK(asdf_coordinates_retain(sky, &other));
    asdf_coordinates_free(sky);
    OK(asdf_coordinates_kind(other, &kind));
    asdf_coordinates_free(other);
    asdf_coordinates_free(NULL);

    OK(asdf_node_get_coordinates(root, "bad", &sky));
    FAILS(ASDF_ERR_TAG_CONTENT, asdf_coordinates_shape(sky, shape, 1, &rank));
    FAILS(ASDF_ERR_TAG_CONTENT, asdf_coordinates_count(sky, &count));
    /* Coordinates keep their file, but do not keep it open. */
    OK(asdf_file_close(file));
    FAILS(ASDF_ERR_CLOSED, asdf_coordinates_count(sky, &count));
    asdf_coordinates_free(sky);
    asdf_node_free(root);
    asdf_file_free(file);
}

static void storing(void) {
    asdf_file *file = NULL;
    OK(asdf_file_new(NULL, &file));
    asdf_node *root = root_of(file);
    const double l[2] = {10, 20}, b[2] = {-5, 90}, far[2] = {1, 2};
    const int64_t shape[1] = {2};
    asdf_coordinates *sky = NULL;
    double values[2] = {9, 9};
    OK(asdf_node_set_coordinates(root, "sky", "galactic", 1, shape, l, b, "deg", far, "kpc", NULL));
    OK(asdf_node_get_coordinates(root, "sky", &sky));
    OK(asdf_coordinates_read(sky, "distance", "pc", NULL, values, 2));
    CHECK(values[1] == 2000);
    asdf_coordinates_free(sky);
    OK(asdf_node_set_coordinates(root, "one", "icrs", 0, NULL, l, b, "deg", NULL, NULL, NULL));
    OK(asdf_node_get_f64(root, "one/dec", values));
    CHECK(values[0] == -5);
    FAILS(ASDF_ERR_INVALID_ARGUMENT,
          asdf_node_set_coordinates(root, "x", "ICRS", 1, shape, l, b, "deg", NULL, NULL, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT,
          asdf_node_set_coordinates(root, "x", "icrs", 1, shape, l, b, "deg", far, NULL, NULL));
    FAILS(ASDF_ERR_UNITS, asdf_node_set_coordinates(root, "x", "icrs", 1, shape, l, b, "m", NULL, NULL, NULL));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_node_set_coordinates(root, "x", "icrs", 1, shape, b, l, "rad", NULL, NULL, NULL));
    asdf_node_free(root);
    asdf_file_free(file);
}

static const char ECSV[] =
    "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: s.ra, unit: deg, datatype: float64}\n"
    "# - {name: s.dec, unit: deg, datatype: float64}\n# - {name: n, datatype: float64}\n# meta:\n"
    "#   __serialized_columns__:\n#     s:\n#       __class__: astropy.coordinates.sky_coordinate.SkyCoord\n"
    "#       frame: fk5\n#       equinox: !astropy.time.Time {format: jyear_str, scale: tt, value: J1975.0}\n"
    "#       ra: !astropy.table.SerializedColumn {__class__: astropy.coordinates.angles.core.Longitude,\n"
    "#         unit: &u !astropy.units.Unit {unit: deg}, value: !astropy.table.SerializedColumn {name: s.ra}}\n"
    "#       dec: !astropy.table.SerializedColumn {__class__: astropy.coordinates.angles.core.Latitude,\n"
    "#         unit: *u, value: !astropy.table.SerializedColumn {name: s.dec}}\n"
    "# schema: astropy-2.0\ns.ra s.dec n\n10.0 20.0 1.0\n11.0 21.0 2.0\n";

static void columns(void) {
    asdf_table *table = NULL;
    asdf_coordinates *sky = NULL;
    double values[2] = {9, 9};
    int64_t count = 9;
    OK(asdf_table_read_ecsv_memory(ECSV, strlen(ECSV), NULL, &table));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_table_get_coordinates(table, "s.ra", &sky));
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_table_get_coordinates(table, "n", &sky));
    CHECK(sky == NULL);
    OK(asdf_table_get_coordinates(table, "s", &sky));
    asdf_table_free(table);
    CHECK(strcmp(text_of(asdf_coordinates_frame, sky), "fk5") == 0);
    OK(asdf_coordinates_read(sky, "lat", "deg", NULL, values, 2));
    CHECK(values[1] == 21);
    OK(asdf_coordinates_attribute_count(sky, &count));
    CHECK(count == 1);
    asdf_coordinates_free(sky);
}

int main(void) {
    sky();
    storing();
    columns();
    return report();
}
