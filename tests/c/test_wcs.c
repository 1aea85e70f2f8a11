/* World coordinates and transforms: evaluation, inverses, frames, what cannot be evaluated. */
#include "check.h"
#include <math.h>

/* An image of 100 * 50 pixels of 0.36 arc seconds around (150, 30) degrees, with its reference pixel at (10, 20). */
static const char camera[] =
    "wcs: !<tag:stsci.edu:gwcs/wcs-1.2.0>\n"
    "  name: camera\n"
    "  pixel_shape: [100, 50]\n"
    "  steps:\n"
    "  - !<tag:stsci.edu:gwcs/step-1.1.0>\n"
    "    frame: !<tag:stsci.edu:gwcs/frame2d-1.0.0>\n"
    "      {axes_names: [x, y], axes_order: [0, 1], name: detector, unit: [pixel, pixel]}\n"
    "    transform: !transform/compose-1.3.0\n"
    "      bounding_box: [[-0.5, 49.5], [-0.5, 99.5]]\n"
    "      forward:\n"
    "      - !transform/concatenate-1.3.0\n"
    "        forward:\n"
    "        - !transform/shift-1.2.0 {name: move, offset: -10.0}\n"
    "        - !transform/shift-1.2.0 {offset: -20.0}\n"
    "      - !transform/concatenate-1.3.0\n"
    "        forward: [!transform/scale-1.2.0 {factor: -1.0e-4}, !transform/scale-1.2.0 {factor: 1.0e-4}]\n"
    "  - !<tag:stsci.edu:gwcs/step-1.1.0>\n"
    "    frame: !<tag:stsci.edu:gwcs/frame2d-1.0.0>\n"
    "      {axes_names: [x, y], axes_order: [0, 1], name: plane, unit: [deg, deg]}\n"
    "    transform: !transform/compose-1.3.0\n"
    "      forward:\n"
    "      - !transform/gnomonic-1.2.0 {direction: pix2sky}\n"
    "      - !transform/rotate3d-1.3.0 {direction: native2celestial, phi: 150.0, theta: 30.0, psi: 180.0}\n"
    "  - !<tag:stsci.edu:gwcs/step-1.1.0>\n"
    "    frame: !<tag:stsci.edu:gwcs/celestial_frame-1.0.0>\n"
    "      axes_names: [ra, dec]\n"
    "      axes_order: [0, 1]\n"
    "      name: sky\n"
    "      reference_frame: !<tag:astropy.org:astropy/coordinates/frames/fk5-1.1.0>\n"
    "        {frame_attributes: {equinox: J1975.0}}\n"
    "      unit: [deg, deg]\n"
    "    transform: null\n";

static asdf_wcs *wcs_of(const char *tree) {
    asdf_file *file = open_tree(tree);
    asdf_node *root = root_of(file);
    asdf_wcs *wcs = NULL;
    OK(asdf_node_get_wcs(root, "wcs", NULL, &wcs));
    asdf_node_free(root);
    asdf_file_free(file);
    return wcs;
}

static asdf_transform *transform_of(const char *yaml) {
    char tree[512];
    snprintf(tree, sizeof tree, "t: %s\n", yaml);
    asdf_file *file = open_tree(tree);
    asdf_node *root = root_of(file);
    asdf_transform *transform = NULL;
    OK(asdf_node_get_transform(root, "t", NULL, &transform));
    asdf_node_free(root);
    asdf_file_free(file);
    return transform;
}

static int near(double value, double wanted) {
    return fabs(value - wanted) <= 1e-9;
}

static asdf_options *with_int(int32_t key, int64_t value) {
    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, key, value));
    return options;
}

static void single_points(const asdf_wcs *wcs) {
    double ra = 9, dec = 9, x = 9, y = 9;
    OK(asdf_wcs_sky_at(wcs, 10, 20, NULL, &ra, &dec));
    CHECK(near(ra, 150) && near(dec, 30));
    OK(asdf_wcs_pixel_at(wcs, 150, 30, NULL, &x, &y));
    CHECK(near(x, 10) && near(y, 20));
    OK(asdf_wcs_sky_at(wcs, 1000, 20, NULL, &ra, &dec));
    CHECK(isnan(ra) && isnan(dec));
    OK(asdf_wcs_pixel_at(wcs, 151, 30, NULL, &x, &y));
    CHECK(isnan(x) && isnan(y));
    /* No point of the sky is beyond a pole. */
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_wcs_pixel_at(wcs, 400, 100, NULL, &x, &y));
    const double beyond[] = {150, 30, 150, 100, 150, -90.5};
    double pixels[6];
    OK(asdf_wcs_world_to_pixel(wcs, 3, beyond, 6, 1, 2, NULL, pixels, 6, 1, 2, NULL, NULL));
    CHECK(near(pixels[0], 10) && isnan(pixels[2]) && isnan(pixels[3]) && isnan(pixels[4]) && isnan(pixels[5]));
    asdf_options *all = with_int(ASDF_OPTION_BOUNDING_BOX, 0);
    OK(asdf_wcs_sky_at(wcs, 1000, 20, all, &ra, &dec));
    OK(asdf_wcs_pixel_at(wcs, ra, dec, all, &x, &y));
    CHECK(near(x, 1000) && near(y, 20));
    const double fill = -1;
    OK(asdf_options_unset(all, ASDF_OPTION_BOUNDING_BOX));
    OK(asdf_options_set_fill(all, ASDF_FLOAT64, &fill, sizeof fill));
    OK(asdf_wcs_sky_at(wcs, 1000, 20, all, &ra, &dec));
    CHECK(ra == -1 && dec == -1);
    OK(asdf_options_set_int(all, ASDF_OPTION_STRICT_LABELS, 1));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_wcs_sky_at(wcs, 10, 20, all, &ra, &dec));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_wcs_pixel_at(wcs, 10, 20, all, &x, &y));
    asdf_options_free(all);
}

static void many_points(const asdf_wcs *wcs) {
    enum { COUNT = 5000 };
    static double columns[2 * COUNT], rows[2 * COUNT], table[4 * COUNT];
    int64_t outside = 9, unconverged = 9;
    for (int i = 0; i < COUNT; i++) {
        table[4 * i] = columns[i] = rows[2 * i] = i % 101;
        table[4 * i + 1] = columns[COUNT + i] = rows[2 * i + 1] = i % 50;
    }
    asdf_options *options = with_int(ASDF_OPTION_THREADS, 3);
    OK(asdf_wcs_pixel_to_world(wcs, COUNT, columns, 2 * COUNT, COUNT, 1, options, columns, 2 * COUNT, COUNT, 1,
                               &outside));
    CHECK(outside == 49);
    OK(asdf_wcs_pixel_to_world(wcs, COUNT, rows, 2 * COUNT, 1, 2, NULL, rows, 2 * COUNT, 1, 2, NULL));
    /* Pixels and results are in one table, side by side. */
    OK(asdf_wcs_pixel_to_world(wcs, COUNT, table, 4 * COUNT, 1, 4, NULL, table + 2, 4 * COUNT - 2, 1, 4, NULL));
    int same = 1;
    for (int i = 0; i < COUNT; i++) {
        same &= memcmp(&columns[i], &rows[2 * i], 8) == 0 && memcmp(&columns[COUNT + i], &rows[2 * i + 1], 8) == 0;
        same &= memcmp(&columns[i], &table[4 * i + 2], 8) == 0 && table[4 * i] == i % 101;
    }
    CHECK(same);
    OK(asdf_wcs_world_to_pixel(wcs, COUNT, columns, 2 * COUNT, COUNT, 1, options, rows, 2 * COUNT, 1, 2, &outside,
                               &unconverged));
    CHECK(outside == 0 && unconverged == 0 && near(rows[2 * 77], 77) && near(rows[2 * 77 + 1], 27));
    CHECK(isnan(rows[200]) && isnan(rows[201]));
    /* The same memory with other strides. */
    OK(asdf_wcs_world_to_pixel(wcs, COUNT, columns, 2 * COUNT, COUNT, 1, NULL, columns, 2 * COUNT, 1, 2, NULL, NULL));
    CHECK(memcmp(columns, rows, sizeof rows) == 0);
    OK(asdf_wcs_pixel_to_world(wcs, 0, NULL, 0, 1, 1, NULL, NULL, 0, 1, 1, &outside));
    CHECK(outside == 0);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_wcs_pixel_to_world(wcs, -1, rows, 2, 1, 2, NULL, columns, 2, 1, 2, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_wcs_pixel_to_world(wcs, 1, rows, 1, 1, 2, NULL, columns, 2, 1, 2, NULL));
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_wcs_pixel_to_world(wcs, 1, rows, 2, 1, 2, NULL, columns, 1, 1, 2, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_wcs_pixel_to_world(wcs, 2, rows, 4, 1, 2, NULL, columns, 4, 1, 1, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT,
          asdf_wcs_world_to_pixel(wcs, 1, rows, 2, -1, 2, NULL, columns, 2, 1, 2, NULL, NULL));
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL,
          asdf_wcs_world_to_pixel(wcs, INT64_MAX, rows, 2, 0, 0, NULL, columns, 2, 1, INT64_MAX, NULL, NULL));
    asdf_options_free(options);
}

static void image(const asdf_wcs *wcs) {
    double corners[8], low = 9, high = 9, pixel[2] = {9, 9}, scale = 9, x_scale = 9, y_scale = 9, angle = 9;
    int64_t count = 9, axes = 9, shape[2] = {9, 9}, index[2] = {9, 9};
    int32_t number = 9, has = 9, mirrored = 9;
    uint8_t matrix[4] = {9, 9, 9, 9};
    TEXT("camera", asdf_wcs_name, wcs);
    OK(asdf_wcs_pixel_shape(wcs, shape, 2, &number));
    CHECK(number == 2 && shape[0] == 100 && shape[1] == 50);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_wcs_pixel_shape(wcs, shape, 1, NULL));
    OK(asdf_wcs_bounding_box(wcs, 0, &low, &high, &has));
    CHECK(has == 1 && low == -0.5 && high == 99.5);
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_wcs_bounding_box(wcs, 2, &low, &high, &has));
    OK(asdf_wcs_footprint(wcs, 0, NULL, 0, &count, &axes));
    CHECK(count == 4 && axes == 2);
    OK(asdf_wcs_footprint(wcs, 1, corners, 8, &count, &axes));
    OK(asdf_wcs_sky_at(wcs, 100, 0, NULL, &low, &high));
    CHECK(corners[7] < corners[5] && corners[0] > corners[6]);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_wcs_footprint(wcs, 0, corners, 7, &count, &axes));
    OK(asdf_wcs_center(wcs, pixel, 2));
    CHECK(pixel[0] == 49.5 && pixel[1] == 24.5);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_wcs_center(wcs, pixel, 1));
    OK(asdf_wcs_pixel_scale(wcs, 10, 20, &scale));
    CHECK(fabs(scale - 1e-4) < 1e-12);
    OK(asdf_wcs_orientation(wcs, 10, 20, &angle, &mirrored, &x_scale, &y_scale));
    CHECK(fmin(angle, 360 - angle) < 1e-6 && mirrored == 0 && fabs(x_scale - 1e-4) < 1e-12 && near(x_scale, y_scale));
    pixel[0] = 49.5, pixel[1] = NAN;
    OK(asdf_wcs_array_index(wcs, pixel, 2, index, 2));
    CHECK(index[0] == INT64_MIN && index[1] == 50);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_wcs_array_index(wcs, pixel, 2, index, 1));
    OK(asdf_wcs_axis_correlation(wcs, matrix, 4));
    CHECK(matrix[0] == 1 && matrix[1] == 1 && matrix[2] == 1 && matrix[3] == 1);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_wcs_axis_correlation(wcs, matrix, 3));
    OK(asdf_wcs_is_inverse_numerical(wcs, &has));
    CHECK(has == 0);
}

static void frames(const asdf_wcs *wcs) {
    int64_t count = 9, order[2] = {9, 9}, part = 9;
    int32_t kind = 9, number = 9;
    char text[8] = "";
    OK(asdf_wcs_frame_count(wcs, &count));
    CHECK(count == 3);
    OK(asdf_wcs_frame_kind(wcs, 2, &kind));
    CHECK(kind == ASDF_FRAME_CELESTIAL);
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_wcs_frame_kind(wcs, 3, &kind));
    OK(asdf_wcs_frame_axis_count(wcs, 2, &count));
    CHECK(count == 2);
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_wcs_frame_axis_count(wcs, -1, &count));
    OK(asdf_wcs_frame_axes_order(wcs, 2, order, 2, &number));
    CHECK(number == 2 && order[0] == 0 && order[1] == 1);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_wcs_frame_axes_order(wcs, 2, order, 1, NULL));
    TEXT("plane", asdf_wcs_frame_name, wcs, 1);
    TEXT("dec", asdf_wcs_axis_name, wcs, 2, 1);
    TEXT("deg", asdf_wcs_axis_unit, wcs, 2, 1);
    TEXT("SPATIAL", asdf_wcs_axis_type, wcs, 2, 0);
    TEXT("pos.eq.ra", asdf_wcs_axis_physical_type, wcs, 2, 0);
    TEXT("fk5", asdf_wcs_frame_reference, wcs, 2);
    OK(asdf_wcs_reference_attribute_count(wcs, 2, &count));
    CHECK(count == 1);
    TEXT("equinox", asdf_wcs_reference_attribute_name, wcs, 2, 0);
    TEXT("J1975.0", asdf_wcs_reference_attribute_value, wcs, 2, 0);
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_wcs_frame_name(wcs, 3, text, sizeof text, NULL));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_wcs_axis_name(wcs, 2, 2, text, sizeof text, NULL));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_wcs_axis_unit(wcs, 2, -1, text, sizeof text, NULL));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_wcs_axis_type(wcs, 9, 0, text, sizeof text, NULL));
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_wcs_axis_physical_type(wcs, 2, 0, text, sizeof text, NULL));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_wcs_frame_reference(wcs, 0, text, sizeof text, NULL));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_wcs_reference_attribute_count(wcs, 1, &count));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_wcs_reference_attribute_name(wcs, 2, 1, text, sizeof text, NULL));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_wcs_reference_attribute_value(wcs, 2, 1, text, sizeof text, NULL));
    OK(asdf_wcs_frame_part_count(wcs, 2, &count));
    CHECK(count == 0);
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_wcs_frame_part(wcs, 2, 0, &part));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_wcs_frame_part_count(wcs, 4, &count));
    FAILS(ASDF_ERR_WRONG_HANDLE, asdf_wcs_frame_count((void *)text, &count));

    asdf_wcs *composite = wcs_of(
        "wcs: !<tag:stsci.edu:gwcs/wcs-1.2.0>\n  steps:\n  - !<tag:stsci.edu:gwcs/step-1.1.0>\n    frame: pixels\n"
        "    transform: !transform/identity-1.2.0 {n_dims: 3}\n  - !<tag:stsci.edu:gwcs/step-1.1.0>\n"
        "    frame: !<tag:stsci.edu:gwcs/composite_frame-1.0.0>\n      name: world\n      frames:\n"
        "      - !<tag:stsci.edu:gwcs/celestial_frame-1.0.0> {name: sky, axes_order: [0, 1], axes_names: [l, b],\n"
        "         unit: [deg, deg],\n"
        "         reference_frame: !<tag:astropy.org:astropy/coordinates/frames/galactic-1.0.0> {frame_attributes: "
        "{}}}\n"
        "      - !<tag:stsci.edu:gwcs/spectral_frame-1.0.0> {name: wave, axes_order: [2], axes_names: [lambda], unit: "
        "[um]}\n"
        "    transform: null\n");
    OK(asdf_wcs_frame_part_count(composite, 1, &count));
    OK(asdf_wcs_frame_part(composite, 1, 1, &part));
    CHECK(count == 2 && part == 3);
    TEXT("wave", asdf_wcs_frame_name, composite, part);
    TEXT("galactic", asdf_wcs_frame_reference, composite, 2);
    TEXT("em.wl", asdf_wcs_axis_physical_type, composite, 1, 2);
    FAILS(ASDF_ERR_NOT_FOUND, asdf_wcs_name(composite, text, sizeof text, NULL));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_wcs_pixel_shape(composite, order, 2, NULL));
    double x = 9, y = 9, pixel[3];
    int32_t has = 9;
    OK(asdf_wcs_bounding_box(composite, 1, &x, &y, &has));
    CHECK(has == 0 && isinf(x) && isinf(y));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_wcs_footprint(composite, 0, NULL, 0, &count, &part));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_wcs_center(composite, pixel, 3));
    FAILS(ASDF_ERR_UNSUPPORTED, asdf_wcs_sky_at(composite, 1, 1, NULL, &x, &y));
    FAILS(ASDF_ERR_UNSUPPORTED, asdf_wcs_pixel_at(composite, 1, 1, NULL, &x, &y));
    FAILS(ASDF_ERR_UNSUPPORTED, asdf_wcs_pixel_scale(composite, 1, 1, &x));
    FAILS(ASDF_ERR_UNSUPPORTED, asdf_wcs_orientation(composite, 1, 1, &x, &number, &x, &y));
    asdf_wcs_free(composite);
}

static void steps(const asdf_wcs *wcs) {
    asdf_transform *transform = NULL;
    double result[2] = {9, 9};
    const double point[2] = {110, 20};
    OK(asdf_wcs_transform(wcs, "detector", "plane", &transform));
    OK(asdf_transform_at(transform, point, 2, NULL, result, 2));
    CHECK(near(result[0], -0.01) && near(result[1], 0));
    asdf_transform_free(transform);
    OK(asdf_wcs_transform(wcs, NULL, NULL, &transform));
    OK(asdf_transform_at(transform, point, 2, NULL, result, 2));
    CHECK(result[0] < 150 && near(result[1], 30 - 4.4e-7) == 0);
    asdf_transform_free(transform);
    OK(asdf_wcs_transform(wcs, "sky", "detector", &transform));
    OK(asdf_transform_at(transform, result, 2, NULL, result, 2));
    CHECK(near(result[0], 110) && near(result[1], 20));
    asdf_transform_free(transform);
    FAILS(ASDF_ERR_NOT_FOUND, asdf_wcs_transform(wcs, "nowhere", "sky", &transform));
    FAILS(ASDF_ERR_NO_TRANSFORM, asdf_wcs_transform(wcs, "sky", "sky", &transform));
    CHECK(transform == NULL);
}

static void transforms(void) {
    asdf_transform *shift = transform_of("!transform/shift-1.2.0 {name: move, offset: 2.5, bounding_box: [0.0, 10.0]}");
    asdf_transform *other = NULL;
    double values[4] = {1, 2, 11, NAN}, low = 9, high = 9, one = 1;
    int64_t count = 9, outside = 9, fixed = 0;
    int32_t has = 9;
    uint8_t matrix[2] = {9, 9};
    char text[256] = "";
    OK(asdf_transform_input_count(shift, &count));
    CHECK(count == 1);
    FAILS(ASDF_ERR_NULL_POINTER, asdf_transform_input_count(shift, NULL));
    OK(asdf_transform_output_count(shift, &count));
    CHECK(count == 1);
    FAILS(ASDF_ERR_NULL_POINTER, asdf_transform_output_count(NULL, &count));
    TEXT("x", asdf_transform_input_name, shift, 0);
    TEXT("y", asdf_transform_output_name, shift, 0);
    TEXT("move", asdf_transform_name, shift);
    TEXT("tag:stsci.edu:asdf/transform/shift-1.2.0", asdf_transform_tag, shift);
    TEXT("/t\ttag:stsci.edu:asdf/transform/shift-1.2.0\t1\t1\n", asdf_transform_describe, shift);
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_transform_input_name(shift, 1, text, sizeof text, NULL));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_transform_output_name(shift, -1, text, sizeof text, NULL));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_transform_input_unit(shift, 0, text, sizeof text, NULL));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_transform_output_unit(shift, 0, text, sizeof text, NULL));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_transform_output_unit(shift, 1, text, sizeof text, NULL));
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_transform_tag(shift, text, 3, NULL));
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_transform_describe(shift, text, 3, NULL));
    OK(asdf_transform_evaluate(shift, 4, values, 4, 4, 1, NULL, values, 4, 4, 1, &outside));
    CHECK(values[0] == 3.5 && values[2] == 13.5 && isnan(values[3]) && outside == 0);
    asdf_options *boxed = with_int(ASDF_OPTION_BOUNDING_BOX, 1);
    OK(asdf_transform_evaluate(shift, 4, values, 4, 4, 1, boxed, values, 4, 4, 1, &outside));
    CHECK(values[0] == 6 && isnan(values[2]) && outside == 1);
    asdf_options_free(boxed);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_transform_evaluate(shift, 4, values, 3, 4, 1, NULL, values, 4, 4, 1, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_transform_at(shift, values, 2, NULL, &one, 1));
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_transform_at(shift, values, 1, NULL, &one, 0));
    OK(asdf_transform_bounding_box(shift, 0, &low, &high, &has));
    CHECK(low == 0 && high == 10 && has == 1);
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_transform_bounding_box(shift, 1, &low, &high, NULL));
    OK(asdf_transform_dependence(shift, matrix, 1));
    CHECK(matrix[0] == 1 && matrix[1] == 9);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_transform_dependence(shift, matrix, 0));
    OK(asdf_transform_inverse(shift, &other));
    asdf_transform_free(shift);
    OK(asdf_transform_retain(other, &shift));
    asdf_transform_free(other);
    OK(asdf_transform_at(shift, values, 1, NULL, &one, 1));
    CHECK(one == 3.5);
    OK(asdf_transform_fix(shift, &fixed, 1, values, &other));
    OK(asdf_transform_at(other, NULL, 0, NULL, &one, 1));
    CHECK(one == 3.5);
    asdf_transform_free(other);
    fixed = 1;
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_transform_fix(shift, &fixed, 1, values, &other));
    asdf_transform_free(shift);

    asdf_transform *angle =
        transform_of("!transform/shift-1.2.0 {offset: !unit/quantity-1.2.0 {value: 60.0, unit: arcsec}}");
    TEXT("arcsec", asdf_transform_input_unit, angle, 0);
    FAILS(ASDF_ERR_NOT_FOUND, asdf_transform_name(angle, text, sizeof text, NULL));
    const char *degrees = "deg", *minutes = "arcmin", *none = NULL, *two[] = {"deg", "deg"}, *mass = "kg";
    OK(asdf_transform_in_units(angle, &degrees, 1, &minutes, 1, &other));
    values[0] = 1;
    OK(asdf_transform_at(other, values, 1, NULL, &one, 1));
    CHECK(near(one, 61));
    TEXT("arcmin", asdf_transform_output_unit, other, 0);
    asdf_transform_free(other);
    OK(asdf_transform_in_units(angle, &none, 1, NULL, 0, &other));
    TEXT("arcsec", asdf_transform_input_unit, other, 0);
    asdf_transform_free(other);
    FAILS(ASDF_ERR_UNITS, asdf_transform_in_units(angle, &mass, 1, NULL, 0, &other));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_transform_in_units(angle, two, 2, NULL, 0, &other));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_transform_in_units(angle, NULL, 0, NULL, -1, &other));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_transform_in_units(angle, NULL, 1, NULL, 0, &other));
    asdf_transform_free(angle);
    asdf_transform *constant = transform_of("!transform/constant-1.4.0 {value: 5.0, dimensions: 1}");
    FAILS(ASDF_ERR_NO_INVERSE, asdf_transform_inverse(constant, &other));
    asdf_transform_free(constant);
}

/* Files with such transforms open, and so do their WCS; what needs the transform fails with its tag and path. */
static void not_evaluated(void) {
    char path[64] = "", message[512] = "";
    double ra = 9, dec = 9;
    int32_t has = 9;
    asdf_transform *transform = NULL;
    asdf_wcs *other = NULL;
    asdf_file *file = open_tree("t: !transform/unheard_of-1.0.0 {}\ns: !core/software-1.0.0 {name: a, version: b}\n");
    asdf_node *root = root_of(file);
    FAILS(ASDF_ERR_UNKNOWN_TRANSFORM, asdf_node_get_transform(root, "t", NULL, &transform));
    OK(asdf_error_text(ASDF_REPORT_PATH, path, sizeof path, NULL));
    OK(asdf_error_message(message, sizeof message, NULL));
    CHECK(strcmp(path, "/t") == 0 && strstr(message, "tag:stsci.edu:asdf/transform/unheard_of-1.0.0"));
    FAILS(ASDF_ERR_NOT_TRANSFORM, asdf_node_get_transform(root, "s", NULL, &transform));
    FAILS(ASDF_ERR_NOT_TRANSFORM, asdf_node_get_wcs(root, "s", NULL, &other));
    CHECK(transform == NULL && other == NULL);
    asdf_node_free(root);
    asdf_file_free(file);
    asdf_wcs *wcs = wcs_of("wcs: !<tag:stsci.edu:gwcs/wcs-1.2.0>\n  steps:\n"
                           "  - !<tag:stsci.edu:gwcs/step-1.1.0>\n    frame: a\n"
                           "    transform: !transform/unheard_of-1.0.0 {}\n"
                           "  - !<tag:stsci.edu:gwcs/step-1.1.0> {frame: b, transform: !transform/constant-1.4.0\n"
                           "      {value: 5.0, dimensions: 2}}\n"
                           "  - !<tag:stsci.edu:gwcs/step-1.1.0> {frame: c}\n");
    TEXT("b", asdf_wcs_frame_name, wcs, 1);
    FAILS(ASDF_ERR_UNKNOWN_TRANSFORM, asdf_wcs_transform(wcs, "a", "b", &transform));
    OK(asdf_error_text(ASDF_REPORT_PATH, path, sizeof path, NULL));
    CHECK(strcmp(path, "/wcs/steps/0/transform") == 0);
    OK(asdf_wcs_transform(wcs, "b", "c", &transform));
    asdf_transform_free(transform);
    FAILS(ASDF_ERR_NO_INVERSE, asdf_wcs_transform(wcs, "c", "b", &transform));
    FAILS(ASDF_ERR_UNKNOWN_TRANSFORM, asdf_wcs_is_inverse_numerical(wcs, &has));
    OK(asdf_wcs_retain(wcs, &other));
    asdf_wcs_free(wcs);
    FAILS(ASDF_ERR_UNSUPPORTED, asdf_wcs_sky_at(other, 1, 2, NULL, &ra, &dec));
    asdf_wcs_free(other);
    FAILS(ASDF_ERR_NULL_POINTER, asdf_wcs_retain(NULL, &other));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_transform_retain(NULL, &transform));
}

/* Counts reports, and cancels at the report of this number. */
struct watch {
    int reports, last;
    int64_t done, total;
};

static int32_t look(void *user, int64_t done, int64_t total) {
    struct watch *watch = user;
    watch->done = done;
    watch->total = total;
    return ++watch->reports == watch->last;
}

static void progress(const asdf_wcs *wcs) {
    enum { COUNT = 1 << 20 };
    double *points = calloc(2 * COUNT, sizeof *points);
    struct watch watch = {0, 0, 0, 0};
    asdf_options *options = NULL;
    CHECK(points != NULL);
    OK(asdf_options_new(&options));
    OK(asdf_options_set_progress(options, look, NULL, &watch));
    for (int threads = 1; threads <= 2; threads++) {
        OK(asdf_options_set_int(options, ASDF_OPTION_THREADS, threads));
        watch = (struct watch){0, 0, 0, 0};
        OK(asdf_wcs_pixel_to_world(wcs, COUNT, points, 2 * COUNT, 1, 2, options, points, 2 * COUNT, 1, 2, NULL));
        CHECK(watch.done == 16 * COUNT && watch.total == 16 * COUNT);
        watch = (struct watch){0, 1, 0, 0};
        FAILS(ASDF_ERR_CANCELLED, asdf_wcs_world_to_pixel(wcs, COUNT, points, 2 * COUNT, 1, 2, options, points,
                                                          2 * COUNT, 1, 2, NULL, NULL));
    }
    asdf_options_free(options);
    free(points);
}

/* Pixels by iteration: the parabola has no inverse in the file. */
static void iteration(void) {
    asdf_wcs *wcs = wcs_of("wcs: !<tag:stsci.edu:gwcs/wcs-1.2.0>\n  pixel_shape: [100]\n  steps:\n"
                           "  - !<tag:stsci.edu:gwcs/step-1.1.0>\n    frame: a\n"
                           "    transform: !transform/polynomial-1.2.0 {coefficients: [1.0, 2.0, 0.01]}\n"
                           "  - !<tag:stsci.edu:gwcs/step-1.1.0> {frame: b}\n");
    double values[3] = {1 + 2 * 30 + 0.01 * 900, -1e6, NAN};
    int64_t unconverged = 9;
    int32_t numerical = 9;
    OK(asdf_wcs_is_inverse_numerical(wcs, &numerical));
    CHECK(numerical == 1);
    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_float(options, ASDF_OPTION_TOLERANCE, 1e-6));
    OK(asdf_options_set_int(options, ASDF_OPTION_ITERATIONS, 50));
    OK(asdf_wcs_world_to_pixel(wcs, 3, values, 3, 3, 1, options, values, 3, 3, 1, NULL, &unconverged));
    CHECK(near(values[0], 30) && isnan(values[1]) && isnan(values[2]) && unconverged == 1);
    OK(asdf_options_set_int(options, ASDF_OPTION_STRICT_CONVERGENCE, 1));
    values[1] = -1e6;
    FAILS(ASDF_ERR_NO_CONVERGENCE,
          asdf_wcs_world_to_pixel(wcs, 3, values, 3, 3, 1, options, values, 3, 3, 1, NULL, NULL));
    double got = 9;
    int64_t whole = 9;
    OK(asdf_options_get_float(options, ASDF_OPTION_TOLERANCE, &got));
    CHECK(got == 1e-6);
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_options_get_float(options, ASDF_OPTION_ITERATIONS, &got));
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_options_get_int(options, ASDF_OPTION_TOLERANCE, &whole));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_float(options, ASDF_OPTION_TOLERANCE, 0));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_float(options, ASDF_OPTION_TOLERANCE, INFINITY));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_float(options, ASDF_OPTION_ITERATIONS, 1));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_TOLERANCE, 1));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_ITERATIONS, 0));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_STRICT_BOXES, 2));
    OK(asdf_options_unset(options, ASDF_OPTION_TOLERANCE));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_options_get_float(options, ASDF_OPTION_TOLERANCE, &got));
    asdf_options_free(options);
    asdf_wcs_free(wcs);
}

int main(void) {
    asdf_wcs *wcs = wcs_of(camera);
    single_points(wcs);
    many_points(wcs);
    image(wcs);
    frames(wcs);
    steps(wcs);
    progress(wcs);
    asdf_wcs_free(wcs);
    transforms();
    not_evaluated();
    iteration();
    asdf_wcs_free(NULL);
    asdf_transform_free(NULL);
    return report();
}
