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

static void reads() {
    asdf::file file;
    file["distance/value"].set(std::vector<std::int16_t>{1, 2, 3}, {3});
    file["distance"].set_quantity("km");
    file["angle/value"] = 180.0;
    file["angle"].set_quantity("deg");
    file["plain"].set(std::vector<double>{1}, {1});
    const asdf::array distance = file["distance"].array();
    CHECK(distance.unit() == "km");
    CHECK((distance.read<double>(asdf::in_unit("m")) == std::vector<double>{1000, 2000, 3000}));
    CHECK((distance.read<std::int16_t>(asdf::in_unit("m")) == std::vector<std::int16_t>{1000, 2000, 3000}));
    CHECK((distance.region({1}, {2}).read<float>(asdf::in_unit("m")) == std::vector<float>{2000, 3000}));
    FAILS(ASDF_ERR_OVERFLOW, "", distance.read<std::int16_t>(asdf::in_unit("Mm")));
    FAILS(ASDF_ERR_UNITS, "", distance.read<double>(asdf::in_unit("s")));
    FAILS(ASDF_ERR_UNITS, "", file["plain"].array().read<double>(asdf::in_unit("s")));
    FAILS(ASDF_ERR_NOT_FOUND, "", file["plain"].array().unit());
    const double hertz = distance.read<double>(asdf::in_unit("Hz", "spectral")).front();
    CHECK(hertz > 299792.4 && hertz < 299792.5);
    CHECK(file["angle"].number_in("arcmin") == 10800);
    FAILS(ASDF_ERR_UNITS, "", file["angle"].number_in("m"));
    asdf::table table(2);
    table.add_column("d", std::vector<double>{1, 2}, {"km"});
    CHECK((table["d"].read<double>(asdf::in_unit("m")) == std::vector<double>{1000, 2000}));
    FAILS(ASDF_ERR_UNITS, "", table["d"].read<double>(asdf::in_unit("s")));
    table.convert_column("d", "m");
    CHECK((table["d"].unit() == "m" && table["d"].read<double>() == std::vector<double>{1000, 2000}));
    FAILS(ASDF_ERR_UNITS, "", table.convert_column("d", "s"));
}

int main() {
    texts();
    conversions();
    reads();
    return report();
}
