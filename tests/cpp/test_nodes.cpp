// Nodes: looking up, reading values of each type, walking. input.asdf comes from Python asdf.
#include "check.hpp"

#include <asdf.hpp>
#include <complex>
#include <map>
#include <optional>
#include <string>
#include <vector>

static void values() {
    const asdf::file file = asdf::file::open("input.asdf");
    EQUAL(file["meta/exposure/time"].get<double>(), 139.8);
    EQUAL(file["meta/exposure/time"].get<float>(), 139.8F);
    EQUAL(file["/meta/exposure"]["count"].get<int>(), 300);
    EQUAL(file["meta/exposure/count"].get<std::uint16_t>(), 300);
    EQUAL(file["meta/exposure/count"].get<double>(), 300.0);
    EQUAL(file["meta/exposure/big"].get<std::int64_t>(), INT64_MAX);
    EQUAL(file["meta/exposure/big"].get<unsigned long long>(), static_cast<unsigned long long>(INT64_MAX));
    EQUAL(file["meta/exposure/big"].get<asdf::big_integer>().digits, "9223372036854775807");
    EQUAL(file["meta/telescope"].get<std::string>(), "Roman");
    EQUAL(file["meta/note"].get<std::string>(), std::string(1000, 'x'));
    EQUAL(file["meta/ready"].get<bool>(), true);
    CHECK((file["meta/point"].get<std::complex<double>>() == std::complex<double>(1.5, -2.5)));
    CHECK((file["meta/exposure/time"].get<std::complex<float>>() == std::complex<float>(139.8F, 0)));
    CHECK((file["list"].get<std::vector<int>>() == std::vector<int>{1, 2, 3}));
    CHECK((file["list"].get<std::vector<double>>() == std::vector<double>{1, 2, 3}));
    CHECK((file["names"].get<std::vector<std::string>>() == std::vector<std::string>{"alpha", "beta"}));
    CHECK(
        (file["sizes"].get<std::map<std::string, long>>() == std::map<std::string, long>{{"small", 1}, {"large", 10}}));
    EQUAL(file["list"][2].get<int>(), 3);
    EQUAL(file[asdf::escape("list") + "/0"].get<int>(), 1);

    FAILS(ASDF_ERR_NOT_FOUND, "no key 'expsure'", file["meta/expsure/time"].get<double>());
    FAILS(ASDF_ERR_WRONG_TYPE, "input.asdf:", file["meta/telescope"].get<double>());
    FAILS(ASDF_ERR_WRONG_TYPE, "/meta/exposure/time", file["meta/exposure/time"].get<std::string>());
    FAILS(ASDF_ERR_WRONG_TYPE, "", file["meta/exposure/count"].get<bool>());
    FAILS(ASDF_ERR_WRONG_TYPE, "not a timestamp", file["meta/telescope"].get<asdf::timestamp>());
    FAILS(ASDF_ERR_VALUE_RANGE, "at /meta/exposure/count: the integer 300 does not fit int8",
          file["meta/exposure/count"].get<std::int8_t>());
    FAILS(ASDF_ERR_VALUE_RANGE, "the integer 300 does not fit uint8", file["meta/exposure/count"].get<std::uint8_t>());
    FAILS(ASDF_ERR_VALUE_RANGE, "", file["meta/exposure/big"].get<int>());
    FAILS(ASDF_ERR_VALUE_RANGE, "", file["meta/exposure/negative"].get<unsigned>());
    FAILS(ASDF_ERR_VALUE_RANGE, "", file["meta/exposure/big"].get<double>());
    FAILS(ASDF_ERR_VALUE_RANGE, "does not fit float32", file["meta/tiny"].get<float>());
    FAILS(ASDF_ERR_WRONG_TYPE, "/mixed/1", file["mixed"].get<std::vector<int>>());
    FAILS(ASDF_ERR_WRONG_TYPE, "not a sequence", file["sizes"].get<std::vector<int>>());
    FAILS(ASDF_ERR_WRONG_TYPE, "not a mapping", file["list"].get<std::map<std::string, int>>());
    FAILS(ASDF_ERR_WRONG_TYPE, "", file["meta"].get<std::vector<std::byte>>());
}

static void missing() {
    const asdf::file file = asdf::file::open("input.asdf");
    EQUAL(file["meta/exposure/time"].value_or(1.0), 139.8);
    EQUAL(file["meta/missing"].value_or(1.0), 1.0);
    EQUAL(file["meta/missing"].value_or("none"), "none");
    FAILS(ASDF_ERR_WRONG_TYPE, "", file["meta/telescope"].value_or(1.0));
    CHECK(file["meta/exposure/count"].get<std::optional<int>>() == 300);
    CHECK(!file["meta/nothing"].get<std::optional<int>>());
    CHECK(!file["meta/missing"].get<std::optional<int>>());
    CHECK(file.find("meta/telescope").has_value());
    CHECK(!file.find("meta/telescope/deeper").has_value());
    CHECK(file.contains("meta") && !file.contains("mata"));
    CHECK(file["meta"].contains("exposure/time") && !file["meta"].contains("time"));
    CHECK(file["meta"].exists() && !file["mata"].exists());
    FAILS(ASDF_ERR_NOT_FOUND, "no key 'mata'", asdf::node(file["mata"]));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "NUL", file[std::string("a\0b", 3)]);
}

static void descriptions() {
    const asdf::file file = asdf::file::open("input.asdf");
    CHECK(file["image"].kind() == asdf::kind::array && file["list"].kind() == asdf::kind::number_list);
    CHECK(file["meta/telescope"].type() == asdf::node_type::string);
    CHECK(file["meta/nothing"].is_null() && file["list"].is_sequence() && file["meta"].is_mapping());
    CHECK(file["image"].tag().find("core/ndarray") != std::string::npos);
    EQUAL(file["list"].tag(), "");
    EQUAL(file["meta"]["exposure"].path(), "/meta/exposure");
    EQUAL(file.root().path(), "");
    EQUAL(file["meta/exposure/time"].text(), "139.8");
    EQUAL(file["meta"].reference(), "");
    EQUAL(file["list"].size(), 3);
    const asdf::position where = file["meta/exposure/time"].position();
    CHECK(where.line > 1 && where.column > 1 && where.offset > where.line);
    CHECK(file["meta"].identity() == file.root().at("meta").identity());
    CHECK(file["meta"].identity() != file["list"].identity());
    FAILS(ASDF_ERR_WRONG_TYPE, "", file["meta/telescope"].size());
    FAILS(ASDF_ERR_NOT_FOUND, "", file["meta"].unit());
    FAILS(ASDF_ERR_NOT_FOUND, "no key 'x'", file["x"].kind());
}

// A loop over all pairs copies them, whatever their keys.
static void pairs_are_copied() {
    const asdf::file from = asdf::file::open("input.asdf");
    asdf::file to;
    for (const asdf::item &pair : from.root().items()) {
        to.root().make_key(pair.key).set(pair.value);
    }
    std::int64_t index = 0;
    for (const asdf::item &pair : from.root().items()) {
        CHECK(to.root().at_key(pair.key).kind() == pair.value.kind());
        CHECK(to.root().key_type(index + to.root().size() - from.root().size()) == pair.key.type);
        ++index;
    }
    for (const auto &[key, value] : from["meta"].items()) to["copy"][key] = value;
    EQUAL(to["copy"].at_key("a/b").at_key("~").get<std::string>(), "escaped");
    EQUAL(to["copy"].size(), from["meta"].size());
    asdf::file flat;
    for (const auto &[key, value] : from["meta"].items()) flat[key] = value;
    EQUAL(flat.root().size(), from["meta"].size() + 1);
    EQUAL(flat.root().at_key("a/b").at_key("~").get<std::string>(), "escaped");
    to["made"].set_mapping();
    to["made"].make_key("").set(1);
    to["made"].make_key(std::int64_t{-1}).set(2);
    to["made"].make_key(false).set(3);
    to["made"].make_key("false").set(4);
    EQUAL(to["made"].size(), 4);
    EQUAL(to["made"].at_key(false).get<int>(), 3);
    for (const auto &[key, value] : to["made"].items()) EQUAL(to["made"][key].get<int>(), value.get<int>());
    to["made"].make_key(asdf::key("a/b", asdf::key_type::string)).set(6);
    EQUAL(to["made"][asdf::key("a/b")].get<int>(), 6);
    asdf::key missing("8", asdf::key_type::integer);
    FAILS(ASDF_ERR_NOT_FOUND, "", to["made"][missing]);
    missing.type = asdf::key_type::other;
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "not '8'", to["made"].make_key(missing));
    FAILS(ASDF_ERR_WRONG_TYPE, "", to["made"].at_key("").make_key("x"));
    to["empty"].set(std::map<std::string, int>{{"", 5}});
    EQUAL(to["empty"].at_key("").get<int>(), 5);
}

static void keys() {
    const asdf::file file = asdf::file::open("input.asdf");
    EQUAL(file.root().at_key(std::int64_t{7}).get<std::string>(), "seven");
    EQUAL(file.root().at_key(true).get<std::string>(), "yes");
    EQUAL(file["meta"].at_key("a/b").at_key("~").get<std::string>(), "escaped");
    EQUAL(file["meta"][asdf::escape("a/b")][asdf::escape("~")].get<std::string>(), "escaped");
    FAILS(ASDF_ERR_NOT_FOUND, "", file["meta"].at_key("b"));
    FAILS(ASDF_ERR_NOT_FOUND, "", file.root().at_key(std::int64_t{8}));
    FAILS(ASDF_ERR_NOT_FOUND, "", file.root().at_key(false));
    int integers = 0;
    for (std::int64_t index = 0; index < file.root().size(); ++index) {
        integers += file.root().key_type(index) == asdf::key_type::integer;
    }
    EQUAL(integers, 1);
    FAILS(ASDF_ERR_OUT_OF_RANGE, "", file["meta"].key_type(100));
}

static void walking() {
    const asdf::file file = asdf::file::open("input.asdf");
    std::string found;
    for (const auto &[key, value] : file["sizes"].items()) found += key + '=' + value.text() + ' ';
    EQUAL(found, "large=10 small=1 ");
    found.clear();
    for (const auto &[key, value] : file["names"].items()) found += key + '=' + value.get<std::string>() + ' ';
    EQUAL(found, "0=alpha 1=beta ");
    found.clear();
    for (const asdf::node &name : file["names"]) found += name.get<std::string>() + ' ';
    EQUAL(found, "alpha beta ");
    EQUAL(file["names"].items().size(), 2);
    FAILS(ASDF_ERR_WRONG_TYPE, "", file["meta/telescope"].items());
    FAILS(ASDF_ERR_WRONG_TYPE, "", file["meta/telescope"].end());
    FAILS(ASDF_ERR_OUT_OF_RANGE, "", *file["names"].end());
}

static void ownership() {
    std::optional<asdf::node> kept;
    std::optional<asdf::place> place;
    {
        const asdf::file file = asdf::file::open("input.asdf");
        kept = file["meta/exposure"];
        place.emplace(file["meta/telescope"]);
    }
    asdf::node copy = *kept;
    asdf::node moved = std::move(*kept);
    EQUAL(copy["time"].get<double>(), 139.8);
    EQUAL(moved["time"].get<double>(), 139.8);
    EQUAL(place->get<std::string>(), "Roman");
    EQUAL(asdf::file_of(copy).name(), "input.asdf");
    FAILS(ASDF_ERR_NULL_POINTER, "it was moved from", kept->get<double>());
    asdf::file_of(copy).close();
    FAILS(ASDF_ERR_CLOSED, "", copy["time"].get<double>());
    // C calls can be mixed in.
    const asdf::file again = asdf::file::open("input.asdf");
    double seconds = 0;
    CHECK(asdf_node_get_f64(again.root().native_handle(), "meta/exposure/time", &seconds) == ASDF_OK);
    EQUAL(seconds, 139.8);
}

static void programs() {
    asdf::file out;
    CHECK(!out.extensions());
    out.add_extension("a.B", "asdf://x.org/e-1.0.0", asdf::software{"pipe", "2.1"});
    out.add_extension("a.C", "asdf://x.org/e-1.0.0");
    EQUAL((*out.extensions())["0/extension_class"].get<std::string>(), "a.C");
    out["by"].set_software({"pipe", "2.1", "we"});
    const std::vector<asdf::software> by = out["by"].software();
    EQUAL(by.size(), 1U);
    EQUAL(by.front().name + by.front().version + by.front().author + by.front().homepage, "pipe2.1we");
    out["x"] = 5;
    FAILS(ASDF_ERR_WRONG_TYPE, "program", out["x"].software());
}

int main() {
    programs();
    values();
    missing();
    descriptions();
    keys();
    pairs_are_copied();
    walking();
    ownership();
    return report();
}
