/* World coordinates of FITS headers: cards read, trees written, cut-outs, approximations. */
#include "check.h"
#include <math.h>

static const char cards[] = "NAXIS   =                    2\n"
                            "NAXIS1  =                  100\n"
                            "NAXIS2  =                   80\n"
                            "CTYPE1  = 'RA---TAN-SIP'\n"
                            "CTYPE2  = 'DEC--TAN-SIP'\n"
                            "CRPIX1  =                 50.5\n"
                            "CRPIX2  =                 40.0\n"
                            "CRVAL1  =                 10.0\n"
                            "CRVAL2  =                 20.0\n"
                            "CD1_1   =               -1E-05\n"
                            "CD2_1   =                1E-06\n"
                            "CD2_2   =                1E-05\n"
                            "A_ORDER =                    3\n"
                            "B_ORDER =                    2\n"
                            "A_2_0   =                1E-05\n"
                            "A_1_2   =               -3E-07\n"
                            "B_0_2   =                2E-05\n"
                            "B_1_1   =                4E-06\n"
                            "CTYPE1B = 'LINEAR'\n"
                            "CRVAL1B =                  7.0\n"
                            "END\n";

static int near(double value, double expected) {
    return fabs(value - expected) < 1e-9;
}

static void read_cards(void) {
    asdf_wcs *wcs = NULL;
    double ra = 0, dec = 0, x = 0, y = 0;
    OK(asdf_wcs_read_cards(cards, strlen(cards), NULL, &wcs));
    /* The values of astropy. */
    OK(asdf_wcs_sky_at(wcs, 3.25, 70.5, NULL, &ra, &dec));
    CHECK(near(ra, 10.000491808915323) && near(dec, 20.000268924654705));
    OK(asdf_wcs_pixel_at(wcs, ra, dec, NULL, &x, &y));
    CHECK(fabs(x - 3.25) < 1e-6 && fabs(y - 70.5) < 1e-6);
    asdf_wcs_free(wcs);

    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_text(options, ASDF_OPTION_ALTERNATE, SIZED("B")));
    OK(asdf_wcs_read_cards(cards, strlen(cards), options, &wcs));
    asdf_wcs_free(wcs);
    OK(asdf_options_set_text(options, ASDF_OPTION_ALTERNATE, SIZED("C")));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_wcs_read_cards(cards, strlen(cards), options, &wcs));
    CHECK(wcs == NULL);
    OK(asdf_options_set_text(options, ASDF_OPTION_ALTERNATE, SIZED("AB")));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_wcs_read_cards(cards, strlen(cards), options, &wcs));
    OK(asdf_options_set_text(options, ASDF_OPTION_ALTERNATE, SIZED("a")));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_wcs_read_cards(cards, strlen(cards), options, &wcs));
    asdf_options_free(options);

    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_wcs_read_cards("", 0, NULL, &wcs));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_wcs_read_cards(cards, 118, NULL, &wcs));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_wcs_read_cards(NULL, 80, NULL, &wcs));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_wcs_read_cards(cards, strlen(cards), NULL, NULL));
    static const char other[] = "CTYPE1  = 'RA---ZPN'\nCTYPE2  = 'DEC--ZPN'\n";
    FAILS(ASDF_ERR_UNSUPPORTED, asdf_wcs_read_cards(other, strlen(other), NULL, &wcs));
}

static void trees(void) {
    asdf_file *file = NULL;
    OK(asdf_file_new(NULL, &file));
    asdf_node *root = root_of(file);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_wcs_cards(root, "meta/wcs", cards, 118, NULL));
    OK(asdf_node_set_wcs_cards(root, "meta/wcs", cards, strlen(cards), NULL));
    asdf_wcs *wcs = NULL;
    double ra = 0, dec = 0, x = 0, y = 0;
    OK(asdf_node_get_wcs(root, "meta/wcs", NULL, &wcs));
    OK(asdf_wcs_sky_at(wcs, 3.25, 70.5, NULL, &ra, &dec));
    CHECK(near(ra, 10.000491808915323) && near(dec, 20.000268924654705));
    OK(asdf_wcs_pixel_at(wcs, ra, dec, NULL, &x, &y));
    CHECK(fabs(x - 3.25) < 1e-6 && fabs(y - 70.5) < 1e-6);
    OK(asdf_wcs_sky_at(wcs, 100, 0, NULL, &ra, &dec));
    CHECK(isnan(ra) && isnan(dec));

    /* A part of every second row. */
    asdf_node *source = NULL;
    OK(asdf_node_get(root, "meta/wcs", &source));
    const int64_t start[] = {10, 20}, count[] = {30, 40}, step[] = {2, 1}, none[] = {0, 1};
    OK(asdf_node_set_wcs_cutout(root, "part/wcs", source, 2, start, count, step));
    asdf_wcs *part = NULL;
    OK(asdf_node_get_wcs(root, "part/wcs", NULL, &part));
    OK(asdf_wcs_sky_at(wcs, 25, 24, NULL, &ra, &dec));
    double part_ra = 0, part_dec = 0;
    OK(asdf_wcs_sky_at(part, 5, 7, NULL, &part_ra, &part_dec));
    CHECK(near(ra, part_ra) && near(dec, part_dec));
    OK(asdf_wcs_sky_at(part, 39.6, 7, NULL, &part_ra, &part_dec));
    CHECK(isnan(part_ra));
    asdf_wcs_free(part);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_wcs_cutout(root, "a", source, 2, start, none, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_wcs_cutout(root, "a", source, 2, start, count, none));
    FAILS(ASDF_ERR_NOT_TRANSFORM, asdf_node_set_wcs_cutout(root, "a", root, 2, start, count, NULL));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_node_set_wcs_cutout(root, "a", source, 2, NULL, count, NULL));
    FAILS(ASDF_ERR_NULL_POINTER, asdf_node_set_wcs_cutout(root, "a", NULL, 2, start, count, NULL));
    OK(asdf_node_set_wcs_cutout(root, "a", source, 0, NULL, NULL, NULL));

    /* An approximation of it: exact, because it has the same form. */
    asdf_buffer *made = NULL;
    double error = 1, inverse_error = 1;
    OK(asdf_wcs_make_cards(wcs, NULL, &made, &error, &inverse_error));
    CHECK(error < 0.01 && inverse_error < 0.01);
    const void *text = NULL;
    size_t length = 0;
    OK(asdf_buffer_bytes(made, &text, &length));
    CHECK(length % 80 == 0);
    asdf_wcs *approximation = NULL;
    OK(asdf_wcs_read_cards(text, length, NULL, &approximation));
    OK(asdf_wcs_sky_at(approximation, 24, 24, NULL, &part_ra, &part_dec));
    OK(asdf_wcs_sky_at(wcs, 24, 24, NULL, &ra, &dec));
    CHECK(fabs(ra - part_ra) < 1e-7 && fabs(dec - part_dec) < 1e-7);
    asdf_wcs_free(approximation);
    asdf_buffer_free(made);

    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_float(options, ASDF_OPTION_MAX_ERROR, 1e-6));
    OK(asdf_options_set_float(options, ASDF_OPTION_MAX_INVERSE_ERROR, 1e-3));
    OK(asdf_options_set_int(options, ASDF_OPTION_GRID_POINTS, 18));
    OK(asdf_options_set_int(options, ASDF_OPTION_DEGREE, 3));
    OK(asdf_options_set_int(options, ASDF_OPTION_INVERSE_DEGREE, 9));
    OK(asdf_wcs_make_cards(wcs, options, &made, NULL, NULL));
    asdf_buffer_free(made);
    OK(asdf_options_set_int(options, ASDF_OPTION_DEGREE, 1));
    FAILS(ASDF_ERR_NO_CONVERGENCE, asdf_wcs_make_cards(wcs, options, &made, NULL, NULL));
    CHECK(made == NULL);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_DEGREE, 10));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_INVERSE_DEGREE, -1));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_GRID_POINTS, 17));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_GRID_POINTS, 1025));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_float(options, ASDF_OPTION_MAX_ERROR, 0));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_float(options, ASDF_OPTION_MAX_INVERSE_ERROR, NAN));
    asdf_wcs *unused = NULL;
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_wcs_read_cards(cards, strlen(cards), options, &unused));
    asdf_options_free(options);

    asdf_wcs_free(wcs);
    asdf_node_free(source);
    asdf_node_free(root);
    asdf_file_free(file);
}

/* astropy.wcs.WCS, as asdf-astropy stores it. */
static void astropy(void) {
    asdf_file *file = open_tree("wcs: !<tag:astropy.org:astropy/wcs/wcs-1.0.0>\n"
                                "  attrs: {naxis: 2, pixel_bounds: null, pixel_shape: [100, 80]}\n"
                                "  hdulist: !<tag:astropy.org:astropy/fits/fits-1.2.0>\n"
                                "  - header:\n"
                                "    - [SIMPLE, true, conforms to FITS standard]\n"
                                "    - [CRPIX1, 1.0, Pixel coordinate of reference point]\n"
                                "    - [CTYPE1, RA---CAR, plate caree projection]\n"
                                "    - [CTYPE2, DEC--CAR, plate caree projection]\n"
                                "    - [CRPIX2, 1, Pixel coordinate of reference point]\n"
                                "    - [CDELT1, -0.5, Coordinate increment]\n");
    asdf_node *root = root_of(file);
    asdf_wcs *wcs = NULL;
    double longitude = 0, latitude = 0;
    OK(asdf_node_get_wcs(root, "wcs", NULL, &wcs));
    OK(asdf_wcs_sky_at(wcs, 10, 20, NULL, &longitude, &latitude));
    CHECK(near(longitude, 355) && near(latitude, 20));
    asdf_wcs_free(wcs);
    FAILS(ASDF_ERR_NOT_TRANSFORM, asdf_node_get_wcs(root, "wcs/hdulist", NULL, &wcs));
    asdf_node_free(root);
    asdf_file_free(file);
}

int main(void) {
    read_cards();
    trees();
    astropy();
    return report();
}
