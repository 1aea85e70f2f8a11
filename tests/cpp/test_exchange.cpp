// Exchange with Python: reads the tables that astropy wrote (make_tables.py), and leaves files that Python asdf,
// astropy and PyYAML read afterwards (test_exchange.py).
#include "check.hpp"

#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

using std::optional;
using std::string;
using std::vector;

template <class T> static void check_integers(const asdf::table &table, const char *name) {
    using limits = std::numeric_limits<T>;
    CHECK(table[name].read<T>() == vector<T>{limits::min(), 1, limits::max()});
    CHECK(static_cast<std::int32_t>(table[name].datatype()) == asdf::detail::scalar_code_v<T>);
}

static void check_astropy(const asdf::table &table) {
    check_integers<std::int8_t>(table, "int8");
    check_integers<std::int16_t>(table, "int16");
    check_integers<std::int32_t>(table, "int32");
    check_integers<std::int64_t>(table, "int64");
    check_integers<std::uint8_t>(table, "uint8");
    check_integers<std::uint16_t>(table, "uint16");
    check_integers<std::uint32_t>(table, "uint32");
    check_integers<std::uint64_t>(table, "uint64");
    CHECK(table["float32"].read<float>() == vector<float>{0.1F, -1e38F, std::numeric_limits<float>::infinity()});
    const vector<double> numbers = table["float64"].read<double>();
    CHECK(numbers == vector<double>{0.1, 1e300, 0.0} && std::signbit(numbers[2]));
    CHECK(table["complex128"].read<std::complex<double>>() == vector<std::complex<double>>{{1, 2}, {3, -4}, {0, 0.5}});
    CHECK(table["bool"].read<bool>() == vector<bool>{true, false, true});
    CHECK(table["text"].read<string>() == vector<string>{"3C 273", "plain", "日本 'quoted', \"twice\""});
    CHECK(table["masked"].read<optional<double>>() == vector<optional<double>>{1.5, std::nullopt, 3.5});
    CHECK(table["masked"].unit() == "mJy" && table["masked"].description() == "Flux");
    CHECK(table["words"].read<optional<string>>() == vector<optional<string>>{std::nullopt, "b", "c"});
    CHECK(table["cells"].shape() == asdf::shape{2, 2});
    CHECK(table["cells"].read<vector<int>>()[2] == vector<int>{8, 9, 10, 11});
    CHECK((*table.meta())["survey"].get<string>() == "deep" && (*table.meta())["epochs/1"].get<int>() == 2);
}

static void read_astropy() {
    const asdf::table table = asdf::table::read_ecsv("astropy.ecsv");
    check_astropy(table);
    CHECK(table["masked"].format() == "%.2f");
    CHECK(table["lists"].read<vector<std::int64_t>>() == vector<vector<std::int64_t>>{{1, 2}, {}, {3}});
    check_astropy(asdf::file::open("astropy.asdf")["table"].get_table());

    const vector<asdf::logical_column> columns = asdf::table::read_ecsv("times.ecsv").logical_columns();
    CHECK(columns.size() == 2 && columns[0].class_name() == "astropy.time.core.Time");
    CHECK(columns[0].attributes()->at("scale").get<string>() == "tai" && columns[1].unit() == "Jy");
    const asdf::table time = columns[0].values();
    CHECK(time["time.jd1"].read<double>()[1] + time["time.jd2"].read<double>()[1] == 2459001.75);
}

static asdf::table make() {
    asdf::table table(3);
    table.add_column("i", {1, -2, 3}, {"s", "Seconds", "%d"});
    table.add_column("u", vector<std::uint64_t>{0, 1, std::numeric_limits<std::uint64_t>::max()});
    table.add_column("x", vector<optional<double>>{0.1, std::nullopt, 1e-300}, {"Jy"});
    table.add_column("c", vector<std::complex<float>>{{1, 2}, {3, -4}, {0, 0}});
    table.add_column("b", vector<bool>{true, false, true});
    table.add_column("t", vector<optional<string>>{"a b", std::nullopt, "日本, \"q\""});
    table.add_array_column("m", {2}, vector<optional<std::int16_t>>{1, 2, std::nullopt, 4, 5, 6});
    asdf::file file;
    file["meta/by"] = "C++";
    table.set_meta(asdf::node(file["meta"]));
    return table;
}

static void write_for_python() {
    asdf::table table = make();
    asdf::file file;
    file["table"].set(table);
    file.write("ours.asdf");
    table.add_column("v", vector<vector<int>>{{1, 2, 3}, {}, {4}});
    table.write_ecsv("ours.ecsv");
    asdf::table_writer writer("batches.ecsv", table);
    writer.append(table);
    writer.append(table);
    writer.finish();

    asdf::stream_options packed;
    packed.codec = asdf::compression::zlib;
    asdf::stream<double> stream(asdf::file(), "stream.asdf", "rows", {2}, packed);
    for (int row = 0; row < 5; row++) stream.push({row + 0.5, -row - 0.25});
    stream.finish();

    asdf::ndl_builder builder;
    builder.add_dimcoord("/height", 3, "float32").set_values("/height", vector<float>{2, 10, 30});
    builder.add_ndarray("/wind", {2, "height"}, "float64").set_attribute("/wind", "units", "m s-1");
    builder.set_values("/wind", vector<double>{1, 2, 3, 4, 5, 6.5}, asdf::extents{2, 3});
    const asdf::ndl description = builder.finish();
    description.write("model.yaml");
    description.create_asdf("created.asdf");
}

int main() {
    read_astropy();
    write_for_python();
    FAILS(ASDF_ERR_FILE_EXISTS, "ours.ecsv", make().write_ecsv("ours.ecsv"));
    return report();
}
