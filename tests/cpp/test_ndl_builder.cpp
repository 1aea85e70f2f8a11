// Descriptions made by a builder: each call, and what it refuses.
#include "check.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using std::string;
using std::vector;

static void objects() {
    asdf::ndl_builder builder;
    builder.add_group("/site").add_dimcoord("/time", std::nullopt, "float64").add_dimcoord("/height", 3, "float32");
    builder.add_ndarray("/wind", {"time", "/height", 2}, "float32");
    builder.add_ndarray("/site/open", {asdf::ndl_dimension::unlimited()}, "int8").add_ndarray("/scalar", {}, "int8");
    const asdf::ndl ndl = builder.finish();
    CHECK(ndl.is_valid() && ndl.report().empty());
    CHECK((ndl.shape("/wind") == vector<std::optional<std::int64_t>>{std::nullopt, 3, 2}));
    CHECK(ndl.coordinate("/wind", 1) == "/height" && !ndl.coordinate("/wind", 2) && ndl.shape("/scalar").empty());
    CHECK(ndl.find("/site") == asdf::ndl_kind::group && ndl.shape("/site/open")[0] == std::nullopt);
    FAILS(ASDF_ERR_PATH, "", builder.add_group("site"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", builder.add_dimcoord("/time", 1));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", builder.add_dimcoord("/none", 0, "int8"));
    FAILS(ASDF_ERR_BAD_DATATYPE, "", builder.add_ndarray("/none", {1}, "double"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", builder.add_ndarray("/wind", {1}, "int8"));
    FAILS(ASDF_ERR_OUT_OF_RANGE, "", asdf::ndl_dimension(std::numeric_limits<std::uint64_t>::max()));

    builder.set_size("/height", 4).set_shape("/scalar", {2, "time"}).set_datatype("/scalar", "uint16");
    const asdf::ndl changed = builder.finish();
    CHECK((changed.shape("/wind")[1] == 4) && changed.coordinate("/scalar", 1) == "/time");
    CHECK(changed.keyword("/scalar") == "uint16");
    FAILS(ASDF_ERR_NOT_FOUND, "", builder.set_size("/depth", 1));
    FAILS(ASDF_ERR_NOT_FOUND, "", builder.set_shape("/calm", {1}));
    FAILS(ASDF_ERR_BAD_DATATYPE, "", builder.set_datatype("/scalar", "double"));

    // A builder that starts from a description leaves it as it is; builders move.
    asdf::ndl_builder from(changed);
    asdf::ndl_builder moved = std::move(from);
    moved.remove("/site");
    CHECK(!moved.finish().find("/site/open") && changed.find("/site/open"));
    FAILS(ASDF_ERR_NOT_FOUND, "", moved.remove("/site"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", moved.remove("/"));

    // Errors of the whole are diagnostics.
    moved.add_ndarray("/lost", {"nowhere"}, "int8").add_dimcoord("/untyped", 2);
    const asdf::ndl wrong = moved.finish();
    CHECK(!wrong.is_valid() && wrong.report().size() == 2 && wrong.report()[0].line() == std::nullopt);
}

static void attributes() {
    asdf::ndl_builder builder;
    builder.add_ndarray("/a", {2}, "float32");
    builder.set_attribute("/", "title", "a station").set_attribute("/a", "units", string("m/s"));
    builder.set_attribute("/a", "part", std::string_view("wind speed").substr(0, 4));
    builder.set_attribute("/a", "level", 3).set_attribute("/a", "far", std::int64_t(1) << 40);
    builder.set_attribute("/a", "scale", 0.5).set_attribute("/a", "single", 0.25F);
    builder.declare_attribute("/a", "range", {2}, "float64").set_values({"/a", "range"}, vector<double>{-1, 1});
    const asdf::ndl ndl = builder.finish();
    CHECK(ndl.is_valid() && ndl.report().empty());
    CHECK(ndl.value<string>({"/", "title"}) == "a station" && ndl.value<string>({"/a", "part"}) == "wind");
    CHECK(ndl.keyword({"/a", "level"}) == "int32" && ndl.keyword({"/a", "far"}) == "int64");
    CHECK(ndl.value<double>({"/a", "scale"}) == 0.5 && ndl.value<double>({"/a", "single"}) == 0.25);
    CHECK((ndl.read<double>({"/a", "range"}) == vector<double>{-1, 1}));
    FAILS(ASDF_ERR_NOT_FOUND, "", builder.set_attribute("/b", "units", "m"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", builder.set_attribute("/a", "", 1));
    FAILS(ASDF_ERR_OUT_OF_RANGE, "", builder.set_attribute("/a", "big", std::numeric_limits<std::uint64_t>::max()));
    FAILS(ASDF_ERR_BAD_DATATYPE, "", builder.declare_attribute("/a", "x", {}, "double"));
    builder.remove({"/a", "units"});
    FAILS(ASDF_ERR_NOT_FOUND, "", builder.remove({"/a", "units"}));
    CHECK((builder.finish().attributes("/a") == vector<string>{"part", "level", "far", "scale", "single", "range"}));
}

static void values() {
    asdf::ndl_builder builder;
    builder.add_ndarray("/grid", {2, 3}, "int16").add_ndarray("/words", {2}, "string");
    builder.add_ndarray("/state", {2}, "{enum: {members: {OFF: 0, ON: 1}}}").add_ndarray("/one", {}, "float64");
    builder.set_values("/grid", vector<int>{1, 2, 3, 4, 5, 6}, asdf::extents{2, 3});
    builder.set_values("/words", vector<string>{"a", "b c"})
        .set_values("/state", std::array<const char *, 2>{"ON", "OFF"});
    builder.set_values("/one", std::array<double, 1>{2.5}, asdf::extents{});
    asdf::ndl ndl = builder.finish();
    CHECK(ndl.is_valid() && (ndl.read<int>("/grid") == vector<int>{1, 2, 3, 4, 5, 6}));
    CHECK((ndl.read<string>("/words") == vector<string>{"a", "b c"}));
    CHECK((ndl.read<int>("/state") == vector<int>{1, 0}) && ndl.value<double>("/one") == 2.5);
    asdf::column_options fortran;
    fortran.order = asdf::order::fortran;
    builder.set_values("/grid", vector<int>{1, 4, 2, 5, 3, 6}, asdf::extents{2, 3}, fortran);
    builder.set_values("/state", vector<std::uint8_t>{0, 1});
    ndl = builder.finish();
    CHECK((ndl.read<int>("/grid") == vector<int>{1, 2, 3, 4, 5, 6}) && (ndl.read<int>("/state") == vector<int>{0, 1}));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", builder.set_values("/grid", vector<int>{1, 2, 3}));
    FAILS(ASDF_ERR_OVERFLOW, "", builder.set_values("/grid", vector<int>(6, 70000), asdf::extents{2, 3}));
    FAILS(ASDF_ERR_VALUE_RANGE, "", builder.set_values("/state", vector<int>{0, 2}));
    FAILS(ASDF_ERR_VALUE_RANGE, "", builder.set_values("/state", vector<string>{"ON", "UP"}));
    FAILS(ASDF_ERR_NOT_FOUND, "", builder.set_values("/none", vector<int>{1}));

    builder.set_notation("/grid", "[[6, 5, 4], [3, 2, 1]]").remove_values("/words");
    ndl = builder.finish();
    CHECK(ndl.value<std::int64_t>("/grid") == 6 && !ndl.has_values("/words"));
    FAILS(ASDF_ERR_YAML, "", builder.set_notation("/grid", "["));
    FAILS(ASDF_ERR_WRONG_TYPE, "", builder.set_notation("/grid", "[[a, b, c], [d, e, f]]"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", builder.set_notation("/grid", "[1, 2]"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", builder.set_datatype("/grid", "int8"));
}

static void storage_and_extensions() {
    asdf::ndl_builder builder;
    builder.add_ndarray("/a", {10}, "int16").set_storage("/a", "chunk", "[5]").set_storage("/a", "endian", "big");
    builder.set_extension(std::nullopt, "x-origin", "{by: hand}").set_extension("/a", "x-note", "seen");
    asdf::ndl ndl = builder.finish();
    CHECK(ndl.is_valid() && ndl.storage("/a", "chunk") == "[5]" && ndl.storage("/a", "endian") == "big");
    CHECK(ndl.to_text().find("x-origin") != string::npos && ndl.to_text().find("x-note") != string::npos);
    builder.set_storage("/a", "chunk", std::nullopt).set_extension("/a", "x-note", std::nullopt);
    ndl = builder.finish();
    CHECK(!ndl.storage("/a", "chunk") && ndl.to_text().find("x-note") == string::npos);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", builder.set_storage("/a", "chunk", "five"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", builder.set_storage("/a", "color", "red"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", builder.set_extension("/a", "note", "seen"));
    FAILS(ASDF_ERR_YAML, "", builder.set_extension("/a", "x-note", "["));
    asdf::read_ndl_options options;
    options.limits.nodes = 1;
    FAILS(ASDF_ERR_LIMIT, "", builder.finish(options));
}

int main() {
    objects();
    attributes();
    values();
    storage_and_extensions();
    return report();
}
