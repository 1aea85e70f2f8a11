// Units: texts, kinds, equality, conversions.
#include "check.hpp"

#include <asdf.hpp>
#include <string>
#include <vector>

static void texts() {
    const asdf::unit speed("km/s");
    CHECK(speed.text() == "km/s");
    CHECK(speed.format() == "km / s");
    CHECK(speed.format(asdf::spelling::vounit) == "km.s**-1");
    CHECK(speed.kind() == asdf::unit_kind::linear);
    CHECK(!speed.physical());
    const asdf::unit magnitude("mag(AB)");
    CHECK(magnitude.kind() == asdf::unit_kind::magnitude);
    CHECK(magnitude.physical() && *magnitude.physical() == asdf::unit("AB"));
    FAILS(ASDF_ERR_UNITS, "", magnitude.format(asdf::spelling::fits));
    CHECK(asdf::unit("m.s**-1", asdf::spelling::vounit) == asdf::unit("m s-1", asdf::spelling::fits));
    CHECK(asdf::unit("gauss") != asdf::unit("G", asdf::spelling::cds));
    CHECK(asdf::unit("no unit") == asdf::unit("no unit"));
}

static void conversions() {
    CHECK(asdf::unit("deg").scale_to("arcsec").factor == 3600);
    FAILS(ASDF_ERR_UNITS, "", asdf::unit("m").scale_to("kg"));
    asdf::unit_options options;
    options.equivalencies = "temperature";
    const asdf::unit_scale kelvins = asdf::unit("deg_C").scale_to("K", options);
    CHECK(kelvins(20) == 293.15);
    const std::vector<double> converted = asdf::unit("mm").convert({1, 2.5}, "m");
    CHECK((converted == std::vector<double>{0.001, 0.0025}));
    FAILS(ASDF_ERR_UNITS, "", asdf::unit("deg_C").convert({1}, "K"));
}

int main() {
    texts();
    conversions();
    return report();
}
