// Coordinates: positions on the sky, in trees and in columns.
#include "check.hpp"

#include <asdf.hpp>
#include <string>
#include <vector>

static void positions() {
    asdf::file out;
    asdf::sky_points points;
    points.frame = "fk5";
    points.longitudes = {10, 20};
    points.latitudes = {-5, 41.25};
    points.distances = {1, 2};
    points.distance_unit = "kpc";
    out["sky"].set_coordinates(points);
    out["sky/equinox"].set_time("J1975.0");
    const asdf::file read = asdf::file::open_memory(out.write_memory());
    CHECK(read["sky"].kind() == asdf::kind::coordinates);
    const asdf::coordinates sky = read["sky"].coordinates();
    CHECK(sky.kind() == asdf::coordinates_kind::sky);
    EQUAL(sky.frame(), "fk5");
    EQUAL(sky.representation(), "spherical");
    EQUAL(sky.differential(), "");
    CHECK(sky.names() == std::vector<std::string>({"ra", "dec", "distance"}));
    CHECK(sky.numbers("lat") == points.latitudes);
    CHECK(sky.numbers("distance", "pc") == std::vector<double>({1000, 2000}));
    EQUAL(sky.unit("lon"), "deg");
    EQUAL(sky.shape().front(), 2);
    EQUAL(sky.array("ra").shape().size(), 1U);
    CHECK(sky.has("dec") && !sky.has("x"));
    CHECK(sky.attribute_names() == std::vector<std::string>({"equinox"}));
    EQUAL(sky.attribute("equinox").times().text(0, asdf::time_format::jyear_str), "J1975.0");
    FAILS(ASDF_ERR_UNITS, "", sky.numbers("ra", "m"));
    FAILS(ASDF_ERR_NOT_FOUND, "ra, dec, distance", sky.numbers("x"));
    FAILS(ASDF_ERR_NOT_FOUND, "obstime", sky.attribute("obstime"));
    FAILS(ASDF_ERR_WRONG_TYPE, "coordinate", read["sky/equinox"].coordinates());
    points.latitudes.pop_back();
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "shape", out["sky"].set_coordinates(points));
    points.latitudes = {91, 0};
    FAILS(ASDF_ERR_OUT_OF_RANGE, "latitude", out["sky"].set_coordinates(points));
}

static void columns() {
    asdf::table table(2);
    table.add_column("x", std::vector<double>{1, 2});
    FAILS(ASDF_ERR_WRONG_TYPE, "x", table.coordinates("x"));
    FAILS(ASDF_ERR_NOT_FOUND, "y", table.coordinates("y"));
}

int main() {
    positions();
    columns();
    return report();
}
