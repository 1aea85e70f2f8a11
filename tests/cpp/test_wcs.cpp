// World coordinates: pixels and the sky, frames, transforms, what cannot be evaluated.
#include "check.hpp"

#include <asdf.hpp>
#include <cmath>
#include <string>
#include <vector>

// An image of 100 * 50 pixels of 0.36 arc seconds around (150, 30) degrees, with its reference pixel at (10, 20).
static const std::string tree = R"(#ASDF 1.0.0
#ASDF_STANDARD 1.6.0
%YAML 1.1
%TAG ! tag:stsci.edu:asdf/
--- !core/asdf-1.1.0
wcs: !<tag:stsci.edu:gwcs/wcs-1.2.0>
  name: camera
  pixel_shape: [100, 50]
  steps:
  - !<tag:stsci.edu:gwcs/step-1.1.0>
    frame: !<tag:stsci.edu:gwcs/frame2d-1.0.0>
      {axes_names: [x, y], axes_order: [0, 1], name: detector, unit: [pixel, pixel]}
    transform: !transform/compose-1.3.0
      bounding_box: [[-0.5, 49.5], [-0.5, 99.5]]
      forward:
      - !transform/concatenate-1.3.0
        forward: [!transform/shift-1.2.0 {offset: -10.0}, !transform/shift-1.2.0 {offset: -20.0}]
      - !transform/concatenate-1.3.0
        forward: [!transform/scale-1.2.0 {factor: -1.0e-4}, !transform/scale-1.2.0 {factor: 1.0e-4}]
  - !<tag:stsci.edu:gwcs/step-1.1.0>
    frame: plane
    transform: !transform/compose-1.3.0
      forward:
      - !transform/gnomonic-1.2.0 {direction: pix2sky}
      - !transform/rotate3d-1.3.0 {direction: native2celestial, phi: 150.0, theta: 30.0, psi: 180.0}
  - !<tag:stsci.edu:gwcs/step-1.1.0>
    frame: !<tag:stsci.edu:gwcs/celestial_frame-1.0.0>
      axes_names: [ra, dec]
      axes_order: [0, 1]
      name: sky
      reference_frame: !<tag:astropy.org:astropy/coordinates/frames/fk5-1.1.0>
        {frame_attributes: {equinox: J1975.0}}
      unit: [deg, deg]
shift: !transform/shift-1.2.0 {name: move, offset: 2.5, bounding_box: [0.0, 10.0]}
unknown: !transform/unheard_of-1.0.0 {}
...
)";

static bool near(double value, double wanted) {
    return std::fabs(value - wanted) <= 1e-9;
}

static void the_sky(const asdf::wcs &wcs) {
    const auto [ra, dec] = wcs(10, 20);
    CHECK(near(ra, 150) && near(dec, 30));
    const auto [x, y] = wcs.pixel(ra, dec);
    CHECK(near(x, 10) && near(y, 20));
    CHECK(std::isnan(wcs(1000, 0).longitude) && std::isnan(wcs.pixel(151, 30).x));
    asdf::evaluate_options options;
    options.bounding_box = false;
    options.threads = 2;
    CHECK(!std::isnan(wcs(1000, 0, options).longitude));
    const std::vector<double> pixels = {10, 20, 1000, 0, 50, 49};
    const std::vector<double> sky = wcs.pixel_to_world(pixels);
    CHECK(sky.size() == 6 && near(sky[0], 150) && std::isnan(sky[2]) && std::isnan(sky[3]));
    const std::vector<double> back = wcs.world_to_pixel(wcs.pixel_to_world(pixels, options), options);
    CHECK(near(back[2], 1000) && near(back[5], 49));
    std::vector<double> columns = {10, 1000, 50, 20, 0, 49};
    const asdf::point_strides strides = asdf::point_strides::columns(3);
    EQUAL(wcs.pixel_to_world(3, columns.data(), 6, strides, columns.data(), 6, strides).outside, 1);
    CHECK(columns[0] == sky[0] && columns[5] == sky[5]);
    EQUAL(wcs.world_to_pixel(3, columns.data(), 6, strides, columns.data(), 6, strides).unconverged, 0);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "whole points", wcs.pixel_to_world({1, 2, 3}));
    options.tolerance = 1e-6;
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "ASDF_OPTION_TOLERANCE", wcs(1, 2, options));
    CHECK(!wcs.is_inverse_numerical());
}

static void the_image(const asdf::wcs &wcs) {
    EQUAL(wcs.name(), "camera");
    const std::vector<asdf::frame> frames = wcs.frames();
    EQUAL(frames.size(), 3U);
    CHECK(frames[2].kind == asdf::frame_kind::celestial && frames[1].axes.empty() && !frames[1].reference);
    EQUAL(frames[2].axes[1].physical_type, "pos.eq.dec");
    EQUAL(*frames[2].reference, "fk5");
    EQUAL(frames[2].attributes.at("equinox"), "J1975.0");
    CHECK(wcs.pixel_shape() == std::vector<std::int64_t>({100, 50}));
    CHECK(wcs.bounding_box().at(0).high == 99.5 && wcs.center() == std::vector<double>({49.5, 24.5}));
    CHECK(wcs.footprint().size() == 4 && wcs.footprint(true)[0][0] > 150);
    CHECK(std::fabs(wcs.pixel_scale(10, 20) - 1e-4) < 1e-12);
    CHECK(!wcs.orientation(10, 20).is_mirrored && std::fabs(wcs.orientation(10, 20).x_scale - 1e-4) < 1e-12);
    CHECK(wcs.array_index({49.5, 3}) == std::vector<std::int64_t>({3, 50}));
    CHECK(wcs.axis_correlation() == std::vector<std::uint8_t>({1, 1, 1, 1}));
    const std::vector<double> plane = wcs.transform("detector", "plane")({110, 20});
    CHECK(near(plane[0], -0.01) && near(plane[1], 0));
    FAILS(ASDF_ERR_NOT_FOUND, "nowhere", wcs.transform("nowhere"));
}

static void transforms(const asdf::file &file) {
    const asdf::transform shift = file["shift"].transform();
    EQUAL(shift(1.0), 3.5);
    EQUAL(shift.inverse()(3.5), 1.0);
    EQUAL(shift.name(), "move");
    EQUAL(shift.input_name(0), "x");
    EQUAL(shift.output_name(0), "y");
    CHECK(shift.evaluate({1, 20}) == std::vector<double>({3.5, 22.5}));
    CHECK(shift.bounding_box().at(0).high == 10 && shift.dependence() == std::vector<std::uint8_t>({1}));
    EQUAL(shift.fix({{0, 1.0}})(std::vector<double>())[0], 3.5);
    CHECK(shift.describe().find(shift.tag()) != std::string::npos);
    const asdf::transform copy = shift;
    EQUAL(copy.in_units("deg")(1.0), 3.5);
    EQUAL(copy.in_units({nullptr}, {"deg"})(1.0), 3.5);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "must be 0, 1 or 1", copy.in_units({"deg", "m"}));
    FAILS(ASDF_ERR_NOT_FOUND, "unit", shift.input_unit(0));
    FAILS(ASDF_ERR_NOT_FOUND, "unit", shift.output_unit(0));
    FAILS(ASDF_ERR_UNKNOWN_TRANSFORM, "unheard_of", file["unknown"].transform());
    FAILS(ASDF_ERR_NOT_TRANSFORM, "WCS", file["shift"].wcs());
}

int main() {
    const asdf::file file = asdf::file::open_memory(tree.data(), tree.size());
    const asdf::wcs wcs = file["wcs"].wcs();
    the_sky(wcs);
    the_image(wcs);
    transforms(file);
    return report();
}
