// Descriptions: reading, diagnostics, content, datatypes, storage, values, comparison, exports, ASDF files.
#include "check.hpp"

#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using std::optional;
using std::string;
using std::vector;

using names = vector<string>;
using optional_extents = vector<optional<std::int64_t>>;

struct site {
    float latitude;
    double longitude;
    std::array<std::int16_t, 2> xy;
};
template <> struct asdf::record<site> {
    static constexpr auto fields =
        asdf::fields(asdf::field("latitude", &site::latitude), asdf::field("longitude", &site::longitude),
                     asdf::field("xy", &site::xy));
};

static const string full =
    "/:\n"
    "  attributes: {title: station}\n"
    "  dimcoords:\n"
    "    time: {size: null, type: float64, attributes: {units: days}}\n"
    "    height: {size: 3, type: float32, value: [2, 10, .inf]}\n"
    "  ndarrays:\n"
    "    wind:\n"
    "      shape: [time, height]\n"
    "      type: float32\n"
    "      storage: {shape: [4, 3], chunk: [512, 3], filter: [shuffle, {deflate: {level: 4}}], fillvalue: .nan}\n"
    "      attributes: {range: {shape: [2], type: uint64, value: [7, 18446744073709551615]}, offset: 0.5, count: -3}\n"
    "    state:\n"
    "      shape: [2]\n"
    "      type: {enum: {base: uint8, members: {GOOD: 0, BAD: 200}}}\n"
    "      value: [BAD, GOOD]\n"
    "    sites:\n"
    "      shape: [2]\n"
    "      type: {compound: [latitude: float32, longitude: float64, xy: {array: {base: int16, shape: [2]}}]}\n"
    "      value: [[52.5, 13.25, [1, 2]], [48.0, 11.5, [3, 4]]]\n"
    "    tiles: {shape: [2], type: {array: {base: int16, shape: [2, 2]}}, value: [[[1, 2], [3, 4]], [[5, 6], [7, "
    "8]]]}\n"
    "    refs: {shape: [2], type: objref, value: [/wind, null]}\n"
    "    regions: {shape: [1], type: {regref: {selection: block}}}\n"
    "    raw: {shape: [2], type: {opaque: {size: 2, tag: image/png}}, value: [AQI=, AwQ=]}\n"
    "    lists: {shape: [2], type: {vlen: {base: int32}}, value: [[1], [2, 3]]}\n"
    "    words: {shape: [2], type: string, value: [a, \"two words\"]}\n"
    "/deep/er:\n"
    "  ndarrays: {scalar: {shape: [], type: int64, value: 9007199254740993}}\n";

static asdf::ndl parsed(const string &text) {
    return asdf::ndl::read_memory(text);
}

static void reading() {
    const asdf::ndl bad = parsed("attributes: {t: true}\nndarrays:\n  a: {shape: [1], type: int8, value: [300]}\n");
    CHECK(!bad.is_valid() && bad.report().size() == 2);
    names codes;
    for (const asdf::finding &finding : bad.report()) codes.push_back(*finding.code());
    CHECK((codes == names{"W-ATTR-BOOL", "E-VALUE-RANGE"}));
    CHECK(bad.report()[1].text() == "3:39: E-VALUE-RANGE: /a: 300 is not in the range of int8");
    CHECK(bad.report()[1].line() == 3 && bad.report()[1].severity() == asdf::severity::error);

    const asdf::ndl good = parsed(full);
    for (const asdf::finding &finding : good.report()) std::fprintf(stderr, "%s\n", finding.text().c_str());
    CHECK(good.is_valid() && good.report().empty());
    std::ofstream("model.yaml") << full;
    const asdf::ndl file = asdf::ndl::read("model.yaml");
    CHECK(file == good && !(file != good) && file != bad);
    FAILS(ASDF_ERR_FILE_NOT_FOUND, "", asdf::ndl::read("nothing.yaml"));
    FAILS(ASDF_ERR_YAML, "", parsed("a: ["));
    FAILS(ASDF_ERR_ENCODING, "", parsed("a: \xe9"));
    asdf::read_ndl_options options;
    options.unknown_keys = true;
    CHECK(!parsed("dims: {}\n").is_valid() && asdf::ndl::read_memory("dims: {}\n", options).is_valid());
    options.limits.nodes = 2;
    FAILS(ASDF_ERR_LIMIT, "", asdf::ndl::read_memory(full, options));
}

static void content() {
    const asdf::ndl ndl = parsed(full);
    CHECK((ndl.groups() == names{"/", "/deep", "/deep/er"}));
    CHECK((ndl.dimcoords() == names{"/time", "/height"}));
    CHECK(ndl.ndarrays().size() == 10 && ndl.ndarrays()[9] == "/deep/er/scalar");
    CHECK(ndl.paths(asdf::ndl_kind::dimcoord) == ndl.dimcoords());
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", ndl.paths(static_cast<asdf::ndl_kind>(9)));
    CHECK(ndl.kind("/deep") == asdf::ndl_kind::group && ndl.find("/wind") == asdf::ndl_kind::ndarray);
    CHECK(!ndl.find("/calm"));
    FAILS(ASDF_ERR_NOT_FOUND, "", ndl.kind("/calm"));
    CHECK((ndl.attributes("/wind") == names{"range", "offset", "count"}) && ndl.attributes("/state").empty());
    FAILS(ASDF_ERR_NOT_FOUND, "", ndl.attributes("/calm"));
    CHECK((ndl.shape("/wind") == optional_extents{std::nullopt, 3}) && ndl.shape("/deep/er/scalar").empty());
    CHECK((ndl.shape({"/wind", "range"}) == optional_extents{2}));
    FAILS(ASDF_ERR_NOT_FOUND, "", ndl.shape("/calm"));
    CHECK(ndl.coordinate("/wind", 0) == "/time" && ndl.coordinate("/state", 0) == std::nullopt);
    FAILS(ASDF_ERR_OUT_OF_RANGE, "", ndl.coordinate("/wind", 2));
    CHECK(ndl.keyword("/wind") == "float32" && ndl.keyword({"/time", "units"}) == "string");
    FAILS(ASDF_ERR_NOT_FOUND, "", ndl.keyword({"/time", "unit"}));
    CHECK(ndl.storage("/wind", "chunk") == "[512, 3]" && ndl.storage("/wind", "endian") == std::nullopt);
    CHECK(ndl.storage("/wind", "filter")->find("deflate") != string::npos);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", ndl.storage("/wind", "chunks"));
    FAILS(ASDF_ERR_NOT_FOUND, "", ndl.storage("/calm", "chunk"));
    const asdf::ndl_size size = ndl.size("/wind");
    CHECK(size.elements == 12 && size.element_bytes == 4 && size.bytes == 48);
    CHECK(!ndl.size("/words").bytes && !ndl.size("/words").element_bytes && ndl.size("/words").elements == 2);
    FAILS(ASDF_ERR_NOT_FOUND, "", ndl.size("/calm"));
    CHECK(ndl.total_size().unknown == 5 && ndl.total_size().bytes == 48 + 12 + 2 + 32 + 16 + 4 + 8);
    FAILS(ASDF_ERR_LIMIT, "", parsed("ndarrays: {a: {shape: [9223372036854775807], type: int64}}\n").total_size());
}

static void datatypes() {
    const asdf::ndl ndl = parsed(full);
    const asdf::ndl_datatype sites = ndl.datatype("/sites");
    CHECK(sites.keyword() == "compound" && sites.element_size() == 16 && sites.members().size() == 3);
    CHECK(sites.members()[0].first == "latitude" && sites.members()[1].second.keyword() == "float64");
    const asdf::ndl_datatype xy = sites.members()[2].second;
    CHECK(xy.keyword() == "array" && (xy.shape() == asdf::shape{2}) && xy.base().keyword() == "int16");
    CHECK(xy.notation() == "{array: {base: int16, shape: [2]}}");
    const asdf::ndl_datatype state = ndl.datatype("/state");
    CHECK((state.constants() == vector<std::pair<string, std::int64_t>>{{"GOOD", 0}, {"BAD", 200}}));
    CHECK(state.constants<std::uint64_t>()[1].second == 200 && state.base().keyword() == "uint8");
    const asdf::ndl negative = parsed("ndarrays: {a: {shape: [1], type: {enum: {members: {X: -1}}}}}\n");
    FAILS(ASDF_ERR_VALUE_RANGE, "", negative.datatype("/a").constants<std::uint64_t>());
    CHECK(ndl.datatype("/raw").tag() == "image/png" && ndl.datatype("/raw").element_size() == 2);
    CHECK(!parsed("ndarrays: {a: {shape: [1], type: {opaque: {size: 1}}}}\n").datatype("/a").tag());
    CHECK(ndl.datatype("/regions").selection() == "block" && !ndl.datatype("/words").element_size());
    CHECK(ndl.datatype({"/wind", "range"}).keyword() == "uint64");
    FAILS(ASDF_ERR_WRONG_TYPE, "", state.shape());
    FAILS(ASDF_ERR_WRONG_TYPE, "", state.members());
    FAILS(ASDF_ERR_WRONG_TYPE, "", state.tag());
    FAILS(ASDF_ERR_WRONG_TYPE, "", state.selection());
    FAILS(ASDF_ERR_WRONG_TYPE, "", xy.constants());
    FAILS(ASDF_ERR_WRONG_TYPE, "", sites.base());
    FAILS(ASDF_ERR_NOT_FOUND, "", ndl.datatype("/calm"));
}

static void values() {
    const asdf::ndl ndl = parsed(full);
    const double infinity = std::numeric_limits<double>::infinity();
    CHECK((ndl.read<double>("/height") == vector<double>{2, 10, infinity}));
    CHECK((ndl.value_shape("/height") == asdf::shape{3}) && ndl.value_shape("/deep/er/scalar").empty());
    CHECK((ndl.read<std::uint64_t>({"/wind", "range"}) == vector<std::uint64_t>{7, 18446744073709551615U}));
    CHECK((ndl.read<int>("/state") == vector<int>{200, 0}) && (ndl.read<string>("/state") == names{"BAD", "GOOD"}));
    CHECK((ndl.read<int>("/tiles") == vector<int>{1, 2, 3, 4, 5, 6, 7, 8}));
    CHECK((ndl.read<std::uint8_t>("/raw") == vector<std::uint8_t>{1, 2, 3, 4}));
    CHECK((ndl.read<string>("/words") == names{"a", "two words"}));
    CHECK((ndl.read<string>("/refs") == names{"/wind", ""}));
    CHECK((ndl.read<std::complex<float>>({"/wind", "offset"}) == vector<std::complex<float>>{0.5F}));
    const vector<site> sites = ndl.read<site>("/sites");
    CHECK(sites.size() == 2 && sites[0].latitude == 52.5F && sites[1].longitude == 11.5 && sites[1].xy[1] == 4);
    FAILS(ASDF_ERR_CONVERSION, "", ndl.read<bool>("/deep/er/scalar"));
    const string flags =
        "ndarrays: {a: {shape: [2], type: {enum: {members: {FALSE: 0, TRUE: 1}}}, value: [TRUE, FALSE]}}";
    CHECK((parsed(flags).read<bool>("/a") == vector<bool>{true, false}));
    asdf::read_options clamping;
    clamping.clamp = true;
    CHECK((ndl.read<std::int8_t>("/state", clamping) == vector<std::int8_t>{127, 0}));
    FAILS(ASDF_ERR_OVERFLOW, "", ndl.read<std::int8_t>("/state"));
    FAILS(ASDF_ERR_CONVERSION, "", ndl.read<double>("/words"));
    FAILS(ASDF_ERR_WRONG_TYPE, "", ndl.read<string>("/height"));
    FAILS(ASDF_ERR_NOT_FOUND, "", ndl.read<double>("/wind"));
    CHECK(ndl.has_values("/height") && !ndl.has_values("/wind") && !ndl.has_values({"/wind", "calm"}));
    FAILS(ASDF_ERR_NOT_FOUND, "", ndl.value_shape("/wind"));

    CHECK(ndl.value<std::int64_t>("/deep/er/scalar") == 9007199254740993 && ndl.value<double>("/height", 1) == 10);
    CHECK(ndl.value<std::int64_t>({"/wind", "count"}) == -3 && ndl.value<string>("/words", 1) == "two words");
    CHECK(ndl.value<string>({"/time", "units"}) == "days" && ndl.value<string>({"/", "title"}) == "station");
    FAILS(ASDF_ERR_VALUE_RANGE, "", ndl.value<std::int64_t>({"/wind", "range"}, 1));
    FAILS(ASDF_ERR_WRONG_TYPE, "", ndl.value<double>("/words"));
    FAILS(ASDF_ERR_OUT_OF_RANGE, "", ndl.value<double>("/height", 3));
    FAILS(ASDF_ERR_WRONG_TYPE, "", ndl.value<string>("/height"));
    CHECK(ndl.value_notation("/lists", 1) == "[2, 3]" && ndl.value_notation("/raw") == "\"AQI=\"");
    FAILS(ASDF_ERR_OUT_OF_RANGE, "", ndl.value_notation("/lists", 2));
}

static void comparing() {
    const asdf::ndl before = parsed("ndarrays: {a: {shape: [2], type: int8, attributes: {units: K}}}\n");
    const asdf::ndl after = parsed("ndarrays: {a: {shape: [2], type: int8, attributes: {units: mK}}}\n");
    const asdf::report differences = before.compare(after);
    CHECK(differences.size() == 1 && differences[0].text() == "~ /a@units: value \"K\" -> \"mK\"");
    CHECK(differences[0].operation() == asdf::operation::change && differences[0].old_value() == "\"K\"");
    CHECK(before.compare(after, asdf::ndl_ignore::attributes).empty() && before.compare(before).empty());
    CHECK(before.compare(after, asdf::ndl_ignore::storage | asdf::ndl_ignore::values).size() == 1);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", before.compare(after, static_cast<asdf::ndl_ignore>(64)));
    const asdf::ndl more = parsed("ndarrays: {a: {shape: [2], type: int8, attributes: {units: K}}, b: {shape: [1]}}\n");
    CHECK(before.conform(more).size() == 1 && before.conform(more, true).empty());
    CHECK(before.conform(more)[0].severity() == asdf::severity::error);
}

static void writing() {
    const asdf::ndl ndl = parsed(full);
    CHECK(parsed(ndl.to_text()) == ndl && parsed(ndl.to_text()).to_text() == ndl.to_text());
    CHECK(ndl.export_as(asdf::ndl_format::json).front() == '{');
    const asdf::ndl simple = parsed("ndarrays: {a: {shape: [2], type: int8}, b: {shape: [1], type: float32}}\n");
    CHECK(simple.export_as(asdf::ndl_format::cdl, "set").find("netcdf set {") == 0);
    CHECK(simple.export_as(asdf::ndl_format::c, "set").find("set_a") != string::npos);
    CHECK(simple.export_as(asdf::ndl_format::fortran, "set").find("module set") != string::npos);
    FAILS(ASDF_ERR_UNSUPPORTED, "", ndl.export_as(asdf::ndl_format::cdl, "set"));
    FAILS(ASDF_ERR_NULL_POINTER, "", simple.export_as(asdf::ndl_format::c));
    asdf::export_ndl_options sorting;
    sorting.sort = true;
    CHECK(parsed("ndarrays: {b: {shape: []}, a: {shape: []}}\n").export_as(asdf::ndl_format::text, {}, sorting) !=
          parsed("ndarrays: {b: {shape: []}, a: {shape: []}}\n").to_text());
    const asdf::ndl incomplete = parsed("ndarrays: {a: {shape: x, type: int8}}\n");
    FAILS(ASDF_ERR_INCOMPLETE, "", incomplete.to_text());
    FAILS(ASDF_ERR_INCOMPLETE, "", incomplete.write("incomplete.yaml"));

    ndl.write("written.yaml");
    CHECK(asdf::ndl::read("written.yaml") == ndl);
    FAILS(ASDF_ERR_FILE_EXISTS, "", ndl.write("written.yaml"));
    asdf::write_ndl_options replacing;
    replacing.replace = true;
    simple.write("written.yaml", replacing);
    CHECK(asdf::ndl::read("written.yaml") == simple);
    CHECK(asdf::ndl::file_name("example.asdf") == "example.yaml");
}

static void asdf_files() {
    asdf::file file;
    file["meta/telescope"] = "Roman";
    file["meta/nothing"] = nullptr;
    file["image"].set(vector<float>{1, 2, 3, 4, 5, 6}, {2, 3});
    const asdf::ndl described = asdf::ndl::describe(file);
    CHECK(described.keyword("/image") == "float32" && (described.shape("/image") == optional_extents{2, 3}));
    CHECK(described.value<string>({"/meta", "telescope"}) == "Roman");
    CHECK(described.report().size() == 1 && described.report()[0].path() == "/meta/nothing");
    CHECK(!described.has_values("/image"));
    asdf::describe_options options;
    options.described_values = asdf::ndl_values::all;
    options.only = "/image";
    const asdf::ndl image = asdf::ndl::describe(file, options);
    CHECK((image.read<int>("/image") == vector<int>{1, 2, 3, 4, 5, 6}) && !image.find("/meta"));
    options.only = "/moon";
    FAILS(ASDF_ERR_NOT_FOUND, "", asdf::ndl::describe(file, options));

    CHECK(image.create_asdf("created.asdf").empty());
    CHECK((asdf::file::open("created.asdf")["image"].array().read<int>() == vector<int>{1, 2, 3, 4, 5, 6}));
    FAILS(ASDF_ERR_FILE_EXISTS, "", image.create_asdf("created.asdf"));
    asdf::create_asdf_options creating;
    creating.replace = true;
    creating.extent_at["/time"] = 5;
    const asdf::ndl filtered = parsed("dimcoords: {time: {size: null, type: float64}}\n"
                                      "ndarrays: {a: {shape: [time], type: int8, storage: {filter: [szip]}}}\n");
    const asdf::report notes = filtered.create_asdf("created.asdf", creating);
    CHECK(notes.size() == 1 && notes[0].path() == "/a" && notes[0].kind() == asdf::finding_kind::note);
    CHECK((asdf::file::open("created.asdf")["a"].array().shape() == asdf::shape{5}));
    FAILS(ASDF_ERR_INCOMPLETE, "", parsed("ndarrays: {a: {shape: [2]}}\n").create_asdf("none.asdf"));
}

int main() {
    reading();
    content();
    datatypes();
    values();
    comparing();
    writing();
    asdf_files();
    return report();
}
