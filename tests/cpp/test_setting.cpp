// Setting and changing nodes: values of each type, sequences, mappings, moving, removing, copying.
#include "check.hpp"

#include <asdf.hpp>
#include <complex>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Returns the file as another one that was written and read.
static asdf::file again(const asdf::file &file) {
    return asdf::file::open_memory(file.write_memory());
}

static void values() {
    asdf::file out;
    out["text"] = "Roman";
    out["string"] = std::string("a\0b", 3);
    out["view"] = std::string_view("view");
    out["bool"] = true;
    out["int"] = -7;
    out["long"] = INT64_MAX;
    out["unsigned"] = 7U;
    out["double"] = 0.1;
    out["float"] = 0.5F;
    out["complex"] = std::complex<double>(1.5, -2.5);
    out["null"] = nullptr;
    out["absent"] = std::optional<int>();
    out["present"] = std::optional<int>(3);
    out["binary"] = std::vector<std::byte>{std::byte{0}, std::byte{255}};
    out["empty"] = std::vector<std::byte>{};
    out["time"] = asdf::timestamp{"2027-01-31T04:05:06.7Z"};
    out["large"] = asdf::big_integer{"123456789012345678901234567890"};
    out["deep/er/path"] = 1;
    const asdf::file in = again(out);
    EQUAL(in["text"].get<std::string>(), "Roman");
    EQUAL(in["string"].get<std::string>(), std::string("a\0b", 3));
    EQUAL(in["view"].get<std::string>(), "view");
    EQUAL(in["bool"].get<bool>(), true);
    EQUAL(in["int"].get<int>(), -7);
    EQUAL(in["long"].get<std::int64_t>(), INT64_MAX);
    EQUAL(in["unsigned"].get<unsigned>(), 7U);
    EQUAL(in["double"].get<double>(), 0.1);
    EQUAL(in["float"].get<float>(), 0.5F);
    CHECK((in["complex"].get<std::complex<double>>() == std::complex<double>(1.5, -2.5)));
    CHECK(in["null"].is_null() && in["absent"].is_null());
    EQUAL(in["present"].get<int>(), 3);
    CHECK((in["binary"].get<std::vector<std::byte>>() == std::vector<std::byte>{std::byte{0}, std::byte{255}}));
    CHECK(in["empty"].get<std::vector<std::byte>>().empty());
    EQUAL(in["time"].get<asdf::timestamp>().text, "2027-01-31T04:05:06.7Z");
    EQUAL(in["time"].get<std::string>(), "2027-01-31T04:05:06.7Z");
    EQUAL(in["large"].get<asdf::big_integer>().digits, "123456789012345678901234567890");
    EQUAL(in["deep/er"]["path"].get<int>(), 1);

    FAILS(ASDF_ERR_VALUE_RANGE, "", out["u"] = UINT64_MAX);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", out["t"] = asdf::timestamp{"yesterday"});
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", out["b"] = asdf::big_integer{"ten"});
    FAILS(ASDF_ERR_INCOMPLETE, "", out.write_memory());
    out.forget_failure();
    CHECK(!out.write_memory().empty());
    const asdf::file read = asdf::file::open("input.asdf");
    FAILS(ASDF_ERR_READ_ONLY, "", read["meta"] = 1);
}

static void collections() {
    asdf::file out;
    out["numbers"] = {1, 2, 3};
    out["texts"] = {"a", "b"};
    out["vector"] = std::vector<double>{0.5, 1.5};
    out["bools"] = std::vector<bool>{true, false};
    out["none"] = std::vector<int>{};
    out["map"] = std::map<std::string, int>{{"x/y", 1}, {"z", 2}};
    out["nested"] = std::vector<std::vector<int>>{{1}, {2, 3}};
    out["grows"].append(1);
    out["grows"].append("two");
    out["list"].set_sequence();
    out["dict"].set_mapping(true);
    const asdf::file in = again(out);
    CHECK((in["numbers"].get<std::vector<int>>() == std::vector<int>{1, 2, 3}));
    CHECK((in["texts"].get<std::vector<std::string>>() == std::vector<std::string>{"a", "b"}));
    CHECK((in["vector"].get<std::vector<double>>() == std::vector<double>{0.5, 1.5}));
    CHECK((in["bools"].get<std::vector<bool>>() == std::vector<bool>{true, false}));
    EQUAL(in["none"].size(), 0);
    CHECK((in["map"].get<std::map<std::string, int>>() == std::map<std::string, int>{{"x/y", 1}, {"z", 2}}));
    CHECK((in["nested"].get<std::vector<std::vector<int>>>() == std::vector<std::vector<int>>{{1}, {2, 3}}));
    EQUAL(in["grows/1"].get<std::string>(), "two");
    CHECK(in["list"].is_sequence() && in["dict"].is_mapping() && in["dict"].size() == 0);
    FAILS(ASDF_ERR_NOT_FOUND, "out of range", out["numbers/9"] = 1);
    FAILS(ASDF_ERR_WRONG_TYPE, "", out["map"].append(1));
}

static void changes() {
    asdf::file out;
    out["a/b"] = 1;
    out["a/c"] = 2;
    out["list"] = {1, 2, 3};
    const asdf::node kept = out["a/b"];
    out.root().rename("a/b", "renamed");
    EQUAL(kept.path(), "/a/renamed");
    EQUAL(out["a/renamed"].get<int>(), 1);
    out["a/c"].rename("last");
    EQUAL(out["a/last"].get<int>(), 2);
    out["a"].move("last", "inner/moved");
    EQUAL(out["a/inner/moved"].get<int>(), 2);
    out["list"].move("2", "0");
    CHECK((out["list"].get<std::vector<int>>() == std::vector<int>{3, 1, 2}));
    out["list"].insert(1) = 10;
    out["list"].insert(-1) = 20;
    CHECK((out["list"].get<std::vector<int>>() == std::vector<int>{3, 10, 1, 2, 20}));
    out["a"].insert("first", asdf::insert_position::before) = "1st";
    out["a"].insert("x/y", asdf::insert_position::after, "first") = "2nd";
    std::string order;
    for (const auto &[key, value] : out["a"].items()) order += key + ' ';
    EQUAL(order, "first x/y renamed inner ");
    EQUAL(out["a/x~1y"].get<std::string>(), "2nd");
    out["a/first"].remove();
    out["a"].remove("inner");
    EQUAL(out["a"].size(), 2);
    out.root().remove("a/renamed");
    FAILS(ASDF_ERR_STALE, "", kept.get<int>());
    FAILS(ASDF_ERR_NOT_FOUND, "", out["a/renamed"].remove());
    FAILS(ASDF_ERR_NOT_FOUND, "", out["a"].rename("b", "c"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", out["a"].move("", "inner"));
    FAILS(ASDF_ERR_OUT_OF_RANGE, "", out["list"].insert(100));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", out["a"].insert("x/y", asdf::insert_position::before));
    FAILS(ASDF_ERR_NOT_FOUND, "", out["a"].insert("k", asdf::insert_position::before, "none"));
}

static void copies_and_references() {
    const asdf::file in = asdf::file::open("input.asdf");
    asdf::file out;
    out["meta"] = in["meta"];
    out["image"].set(in["image"].resolve(), asdf::store_options());
    out["copy"] = in.root().at("cube");
    out["same"] = out["meta/telescope"];
    out["first"].set_reference_to("copy");
    out["other"].set_reference("input.asdf#/meta");
    out["unit"] = "km";
    out["unit"].set_tag("!unit/unit-1.0.0");
    EQUAL(out["unit"].unit(), "km");
    out["step/value"] = 0.5;
    out["step"].set_quantity("arcsec");
    out["start"].set_time("J2000.0");
    FAILS(ASDF_ERR_WRONG_TYPE, "/unit", out["unit"].set_quantity("m"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "/start", out["start"].set_time("now"));
    out["unit"].set_tag("!unit/unit-1.0.0");
    out["start"].set_time("2027-01-31T04:05:06.7");
    const asdf::file read = again(out);
    EQUAL(read["meta/telescope"].get<std::string>(), "Roman");
    EQUAL(read["same"].get<std::string>(), "Roman");
    EQUAL(read["image"].array().read<int>().at(11), 11);
    EQUAL(read["first"].array().read<float>().at(23), 23.0F);
    EQUAL(read["other"].reference(), "input.asdf#/meta");
    CHECK(read["other"].kind() == asdf::kind::reference);
    CHECK(read["first"].identity() == read["copy"].identity());
    CHECK(read["unit"].kind() == asdf::kind::unit);
    CHECK(read["step"].kind() == asdf::kind::quantity && read["start"].kind() == asdf::kind::time);
    EQUAL(read["step"].get<double>(), 0.5);
    EQUAL(read["step"].unit(), "arcsec");
    EQUAL(read["start"].get<std::string>(), "2027-01-31T04:05:06.7");
    out["unit"].remove_tag();
    CHECK(out["unit"].kind() == asdf::kind::string);
    FAILS(ASDF_ERR_NOT_FOUND, "", out["x"] = in["none"]);
    FAILS(ASDF_ERR_EXTERNAL_REFERENCE, "", read["other/telescope"].get<std::string>());
    FAILS(ASDF_ERR_NOT_FOUND, "", out["nothing"].remove_tag());
    // A place writes through, a node is only another handle.
    asdf::node node = out["meta"];
    node = out["image"];
    EQUAL(out["meta/telescope"].get<std::string>(), "Roman");
    asdf::place place = out["meta/telescope"];
    place = out["unit"];
    EQUAL(out["meta/telescope"].get<std::string>(), "km");
}

namespace sky {
struct direction {
    double ra = 0;
    double dec = 0;
};
} // namespace sky

template <> struct asdf::conversion<sky::direction> {
    static sky::direction read(const asdf_node *node, const char *path) {
        const std::string base(path);
        return {conversion<double>::read(node, (base + "/ra").c_str()),
                conversion<double>::read(node, (base + "/dec").c_str())};
    }
    static void write(asdf_node *node, const char *path, const sky::direction &value) {
        const std::string base(path);
        asdf::detail::check(asdf_node_set_mapping(node, path, 1));
        conversion<double>::write(node, (base + "/ra").c_str(), value.ra);
        conversion<double>::write(node, (base + "/dec").c_str(), value.dec);
    }
};

static void own_types() {
    asdf::file out;
    out["target"] = sky::direction{10.5, -3.5};
    EQUAL(out["target/dec"].get<double>(), -3.5);
    EQUAL(out["target"].get<sky::direction>().ra, 10.5);
    out["targets"] = std::vector<sky::direction>{{1, 2}, {3, 4}};
    EQUAL(out["targets"].get<std::vector<sky::direction>>().at(1).dec, 4.0);
    FAILS(ASDF_ERR_WRONG_TYPE, "", (out["target/dec"] = "north", out["target"].get<sky::direction>()));
}

int main() {
    values();
    collections();
    changes();
    copies_and_references();
    own_types();
    return report();
}
