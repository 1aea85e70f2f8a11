/* Units: texts in all spellings, kinds, equality, conversions. */
#include "check.h"
#include <math.h>

static void texts(void) {
    TEXT("km.s**-1", asdf_unit_format, "km/s", ASDF_SPELLING_GENERIC, ASDF_SPELLING_VOUNIT);
    TEXT("km / s", asdf_unit_format, "km.s**-1", ASDF_SPELLING_VOUNIT, ASDF_SPELLING_GENERIC);
    TEXT("10**-23 erg Hz-1 s-1 cm-2", asdf_unit_format, "10**-23 erg / (Hz s cm2)", ASDF_SPELLING_GENERIC,
         ASDF_SPELLING_FITS);
    TEXT("[cm.s-2]", asdf_unit_format, "dex(cm/s2)", ASDF_SPELLING_GENERIC, ASDF_SPELLING_CDS);
    TEXT("furlongs per week", asdf_unit_format, "furlongs per week", ASDF_SPELLING_GENERIC, ASDF_SPELLING_FITS);
    TEXT("", asdf_unit_format, "", ASDF_SPELLING_VOUNIT, ASDF_SPELLING_GENERIC);
    char text[7] = "??????";
    size_t needed = 0;
    FAILS(ASDF_ERR_UNITS, asdf_unit_format("mag(AB)", ASDF_SPELLING_GENERIC, ASDF_SPELLING_VOUNIT, text, 7, &needed));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_unit_format("m", 4, ASDF_SPELLING_FITS, text, 7, &needed));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_unit_format("m", ASDF_SPELLING_FITS, -1, text, 7, &needed));
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL,
          asdf_unit_format("km/s", ASDF_SPELLING_GENERIC, ASDF_SPELLING_GENERIC, text, 6, &needed));
    CHECK(needed == 6 && strcmp(text, "??????") == 0);
    OK(asdf_unit_format("km/s", ASDF_SPELLING_GENERIC, ASDF_SPELLING_GENERIC, text, 7, &needed));
}

static void kinds(void) {
    int32_t kind = -1, equal = -1;
    char text[16] = "";
    OK(asdf_unit_kind("mag(AB)", ASDF_SPELLING_GENERIC, &kind));
    CHECK(kind == ASDF_UNIT_KIND_MAGNITUDE);
    OK(asdf_unit_kind("dB(W)", ASDF_SPELLING_GENERIC, &kind));
    CHECK(kind == ASDF_UNIT_KIND_DECIBEL);
    OK(asdf_unit_kind("[cm/s2]", ASDF_SPELLING_CDS, &kind));
    CHECK(kind == ASDF_UNIT_KIND_DEX);
    OK(asdf_unit_kind("m", ASDF_SPELLING_VOUNIT, &kind));
    CHECK(kind == ASDF_UNIT_KIND_LINEAR);
    OK(asdf_unit_kind("a word", ASDF_SPELLING_GENERIC, &kind));
    CHECK(kind == ASDF_UNIT_KIND_UNKNOWN);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_unit_kind("m", 9, &kind));
    TEXT("AB", asdf_unit_physical, "mag(AB)", ASDF_SPELLING_GENERIC);
    TEXT("", asdf_unit_physical, "mag(1)", ASDF_SPELLING_GENERIC);
    FAILS(ASDF_ERR_NOT_FOUND, asdf_unit_physical("mag", ASDF_SPELLING_GENERIC, text, sizeof text, NULL));
    OK(asdf_unit_equal("N", ASDF_SPELLING_GENERIC, "kg m / s2", ASDF_SPELLING_GENERIC, &equal));
    CHECK(equal == 1);
    /* In CDS, G is the gravitational constant. */
    OK(asdf_unit_equal("G", ASDF_SPELLING_CDS, "gauss", ASDF_SPELLING_GENERIC, &equal));
    CHECK(equal == 0);
    OK(asdf_unit_equal("G", ASDF_SPELLING_GENERIC, "gauss", ASDF_SPELLING_GENERIC, &equal));
    CHECK(equal == 1);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_unit_equal("m", 0, "m", 9, &equal));
}

static void conversions(void) {
    double factor = 9, offset = 9;
    OK(asdf_unit_factor("mm3", ASDF_SPELLING_GENERIC, "km3", ASDF_SPELLING_GENERIC, NULL, &factor, &offset));
    CHECK(factor == 1e-18 && offset == 0);
    OK(asdf_unit_factor("deg", ASDF_SPELLING_GENERIC, "arcsec", ASDF_SPELLING_GENERIC, NULL, &factor, NULL));
    CHECK(factor == 3600);
    FAILS(ASDF_ERR_UNITS,
          asdf_unit_factor("m", ASDF_SPELLING_GENERIC, "kg", ASDF_SPELLING_GENERIC, NULL, &factor, &offset));
    FAILS(ASDF_ERR_UNITS,
          asdf_unit_factor("mag(AB)", ASDF_SPELLING_GENERIC, "Jy", ASDF_SPELLING_GENERIC, NULL, &factor, &offset));
    FAILS(ASDF_ERR_UNITS,
          asdf_unit_factor("deg_C", ASDF_SPELLING_GENERIC, "K", ASDF_SPELLING_GENERIC, NULL, &factor, &offset));
    CHECK(factor == 3600 && offset == 0);

    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_text(options, ASDF_OPTION_EQUIVALENCIES, SIZED("temperature, spectral")));
    OK(asdf_unit_factor("deg_C", ASDF_SPELLING_GENERIC, "K", ASDF_SPELLING_GENERIC, options, &factor, &offset));
    CHECK(factor == 1 && offset == 273.15);
    double values[2] = {1, 2}, converted[2] = {7, 7};
    OK(asdf_unit_convert("m", ASDF_SPELLING_GENERIC, "Hz", ASDF_SPELLING_GENERIC, values, 2, options, converted, 2));
    CHECK(converted[0] == 299792458 && converted[1] == 149896229);
    OK(asdf_unit_convert("mag(AB)", ASDF_SPELLING_GENERIC, "uJy", ASDF_SPELLING_GENERIC, values, 1, NULL, converted,
                         2));
    CHECK(fabs(converted[0] / 1.4454397707459272e9 - 1) < 1e-3 && converted[1] == 149896229);
    FAILS(ASDF_ERR_UNITS,
          asdf_unit_convert("m", ASDF_SPELLING_GENERIC, "Hz", ASDF_SPELLING_GENERIC, values, 2, NULL, converted, 2));
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL,
          asdf_unit_convert("m", ASDF_SPELLING_GENERIC, "km", ASDF_SPELLING_GENERIC, values, 2, NULL, converted, 1));
    OK(asdf_options_set_text(options, ASDF_OPTION_EQUIVALENCIES, SIZED("parallax")));
    FAILS(ASDF_ERR_INVALID_ARGUMENT,
          asdf_unit_factor("m", ASDF_SPELLING_GENERIC, "km", ASDF_SPELLING_GENERIC, options, &factor, &offset));
    asdf_options_free(options);
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_CLAMP, 1));
    FAILS(ASDF_ERR_INVALID_ARGUMENT,
          asdf_unit_factor("m", ASDF_SPELLING_GENERIC, "km", ASDF_SPELLING_GENERIC, options, &factor, &offset));
    asdf_options_free(options);
}

int main(void) {
    texts();
    kinds();
    conversions();
    return report();
}
