// Tables in memory: columns of every kind made from standard containers and read into them, properties, failures.
#include "check.hpp"

#include <array>
#include <complex>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

using std::optional;
using std::string;
using std::vector;

// A table whose column "c" is made from these entries.
template <class Entries> static asdf::table with(const Entries &entries) {
    asdf::table table(static_cast<std::int64_t>(std::size(entries)));
    table.add_column("c", entries);
    return table;
}

// A column of type T holds what it was made from.
template <class T> static void keeps(const vector<T> &entries, asdf::type_code code) {
    const asdf::table table = with(entries);
    CHECK(table["c"].datatype() == code);
    CHECK(table["c"].template read<T>() == entries);
    vector<optional<T>> cells(entries.begin(), entries.end());
    CHECK(table["c"].template read<optional<T>>() == cells);
    if (cells.empty()) return;
    cells.back() = std::nullopt;
    const asdf::table masked = with(cells);
    CHECK(masked["c"].template read<optional<T>>() == cells);
    FAILS(ASDF_ERR_MASKED, "", masked["c"].template read<T>());
    vector<std::uint8_t> mask(cells.size(), 0);
    mask.back() = 1;
    CHECK(masked["c"].mask() == mask);
}

static void elements() {
    keeps<std::int8_t>({-128, 127}, asdf::type_code::int8);
    keeps<std::int64_t>({std::numeric_limits<std::int64_t>::min(), 0}, asdf::type_code::int64);
    keeps<std::uint64_t>({std::numeric_limits<std::uint64_t>::max()}, asdf::type_code::uint64);
    keeps<float>({0.1F, -1e38F}, asdf::type_code::float32);
    keeps<double>({0.1, 1e300}, asdf::type_code::float64);
    CHECK(with(vector<double>())["c"].read<double>().empty());
    CHECK(with(vector<double>())["c"].read<optional<double>>().empty());
    keeps<std::complex<double>>({{0.1, 2}, {3, -4}}, asdf::type_code::complex128);
    keeps<bool>({true, false, true}, asdf::type_code::bool8);
    keeps<string>({"3C 273", "", "\u65e5\u672c", string("a\0b", 3)}, asdf::type_code::string);

    // Other containers, and texts of other types.
    CHECK(with(std::array<double, 2>{1, 2})["c"].read<double>() == vector<double>{1, 2});
    CHECK(with(std::deque<int>{1, 2, 3})["c"].read<int>() == vector<int>{1, 2, 3});
    CHECK(with(vector<std::string_view>{"a", "b"})["c"].read<string>() == vector<string>{"a", "b"});
    asdf::table table(2);
    table.add_column("numbers", {1.5, 2.5}).add_column("texts", {"a", "b"});
    CHECK(table["numbers"].read<double>()[1] == 2.5 && table["texts"].read<string>()[1] == "b");

    // Conversion, overflow and clamping follow the rules of arrays.
    CHECK(with(vector<int>{1, 2})["c"].read<float>() == vector<float>{1, 2});
    const asdf::table large = with(vector<int>{1, 300});
    FAILS(ASDF_ERR_OVERFLOW, "", large["c"].read<std::int8_t>());
    asdf::read_options clamping;
    clamping.clamp = true;
    CHECK(large["c"].read<std::int8_t>(clamping) == vector<std::int8_t>{1, 127});
    FAILS(ASDF_ERR_CONVERSION, "", with(vector<string>{"a"})["c"].read<double>());
    FAILS(ASDF_ERR_WRONG_TYPE, "", with(vector<int>{1})["c"].read<string>());
}

// A fill value takes the place of missing elements, also where they could be std::nullopt.
static void fill() {
    const asdf::table table = with(vector<optional<int>>{1, std::nullopt});
    asdf::read_options options;
    options.fill = -9;
    CHECK(table["c"].read<int>(options) == vector<int>{1, -9});
    CHECK((table["c"].read<optional<int>>(options) == vector<optional<int>>{1, -9}));
    const asdf::table lists = with(vector<vector<optional<int>>>{{1, std::nullopt}, {}});
    CHECK((lists["c"].read<vector<int>>(options) == vector<vector<int>>{{1, -9}, {}}));
    FAILS(ASDF_ERR_OVERFLOW, "", table["c"].read<std::uint8_t>(options));
    const asdf::masked<int> masked = table["c"].read_masked<int>();
    CHECK(masked.values[0] == 1 && masked.mask == vector<std::uint8_t>{0, 1});
    CHECK(table["c"].read_masked<int>(options).values == vector<int>{1, -9});
    FAILS(ASDF_ERR_OVERFLOW, "", with(vector<int>{300})["c"].read_masked<std::int8_t>());

    const asdf::table texts = with(vector<optional<string>>{"a", std::nullopt});
    CHECK(texts["c"].read_masked<string>().values == vector<string>{"a", ""});
    asdf::read_options text_options;
    text_options.fill = asdf::fill_value(asdf::datatype::ascii(1), {std::byte('-')});
    CHECK(texts["c"].read<string>(text_options) == vector<string>{"a", "-"});
    text_options.order = asdf::order::fortran;
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", texts["c"].read<string>(text_options));
}

static void cells() {
    // Cells of different length.
    const vector<vector<std::int32_t>> lists = {{1, 2, 3}, {}, {4}};
    const asdf::table table = with(lists);
    CHECK(table["c"].shape() == asdf::shape{-1} && table["c"].element_count() == 4);
    CHECK(table["c"].read<vector<std::int32_t>>() == lists);
    CHECK(table["c"].read<std::int32_t>() == vector<std::int32_t>{1, 2, 3, 4});
    CHECK((table["c"].cell_lengths() == vector<optional<std::int64_t>>{3, 0, 1}));
    const vector<vector<bool>> flags = {{true}, {false, true}};
    CHECK(with(flags)["c"].read<vector<bool>>() == flags);
    const vector<vector<string>> names = {{"a", "bcd"}, {}};
    CHECK(with(names)["c"].read<vector<string>>() == names);
    CHECK((with(vector<std::array<float, 2>>{{1, 2}, {3, 4}})["c"].read<vector<float>>()[1] == vector<float>{3, 4}));

    // Missing cells and missing elements.
    const vector<optional<vector<double>>> missing = {vector<double>{1.5}, std::nullopt, vector<double>{}};
    const asdf::table holes = with(missing);
    CHECK(holes["c"].read<optional<vector<double>>>() == missing);
    CHECK((holes["c"].cell_lengths() == vector<optional<std::int64_t>>{1, std::nullopt, 0}));
    FAILS(ASDF_ERR_MASKED, "", holes["c"].read<vector<double>>());
    const vector<vector<optional<int>>> gaps = {{1, std::nullopt}, {3}};
    CHECK(with(gaps)["c"].read<vector<optional<int>>>() == gaps);
    FAILS(ASDF_ERR_MASKED, "", with(gaps)["c"].read<vector<int>>());
    FAILS(ASDF_ERR_MASKED, "", with(gaps)["c"].read<optional<vector<int>>>());
    const vector<optional<vector<optional<string>>>> all = {vector<optional<string>>{"a", std::nullopt}, std::nullopt};
    CHECK(with(all)["c"].read<optional<vector<optional<string>>>>() == all);
    try {
        holes["c"].read<vector<double>>();
    } catch (const asdf::error &problem) {
        CHECK(problem.subject() == "c" && problem.text().find("row 1") != string::npos);
    }

    // Cells of one shape, in C and in Fortran order.
    asdf::table images(2);
    const vector<int> pixels = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    images.add_array_column("image", {2, 3}, pixels, {"Jy"});
    CHECK((images["image"].shape() == asdf::shape{2, 3}) && images["image"].unit() == "Jy");
    CHECK(images["image"].read<int>() == pixels);
    CHECK((images["image"].read<vector<int>>()[1] == vector<int>{7, 8, 9, 10, 11, 12}));
    asdf::column_options fortran;
    fortran.order = asdf::order::fortran;
    images.add_array_column("columns", {2}, vector<int>{1, 2, 3, 4}, {}, fortran);
    CHECK((images["columns"].read<vector<int>>() == vector<vector<int>>{{1, 3}, {2, 4}}));
    images.add_array_column("names", {2}, vector<optional<string>>{"a", std::nullopt, "", "b"});
    CHECK((images["names"].read<vector<optional<string>>>()[0] == vector<optional<string>>{"a", std::nullopt}));
    images.add_array_column("flags", {2}, vector<bool>{true, false, false, true});
    CHECK((images["flags"].read<bool>() == vector<bool>{true, false, false, true}));
    images.add_variable_column("pairs", {2}, vector<vector<int>>{{1, 2, 3, 4}, {5, 6}});
    CHECK((images["pairs"].shape() == asdf::shape{2, -1}));
    CHECK((images["pairs"].read<vector<int>>() == vector<vector<int>>{{1, 2, 3, 4}, {5, 6}}));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "of 2 elements", images.add_array_column("few", {2}, vector<int>{1, 2, 3}));
    images.add_column("equal", vector<std::array<float, 2>>(static_cast<std::size_t>(images.row_count())));
    CHECK((images["equal"].shape() == asdf::shape{2}));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", images.add_variable_column("odd", {2}, vector<vector<int>>{{1, 2, 3}, {}}));
}

static void ranges_and_memory() {
    const asdf::table table = with(vector<optional<double>>{1, 2, std::nullopt, 4});
    const asdf::column range = table["c"].rows(1, 2);
    CHECK(range.row_count() == 2 && range.element_count() == 2 && table["c"].row_count() == 4);
    CHECK((range.read<optional<double>>() == vector<optional<double>>{2, std::nullopt}));
    CHECK((range.mask() == vector<std::uint8_t>{0, 1}));
    CHECK(table["c"].rows(4, 0).read<double>().empty());
    FAILS(ASDF_ERR_OUT_OF_RANGE, "", table["c"].rows(3, 2));
    FAILS(ASDF_ERR_OUT_OF_RANGE, "", table["c"].rows(-1, 1));

    std::array<float, 4> numbers{};
    vector<std::uint8_t> mask(4);
    table["c"].read_into(numbers, mask);
    CHECK(numbers[0] == 1 && numbers[3] == 4 && (mask == vector<std::uint8_t>{0, 0, 1, 0}));
    table["c"].rows(0, 2).read_into(numbers);
    CHECK(numbers[0] == 1 && numbers[1] == 2);
    FAILS(ASDF_ERR_MASKED, "", table["c"].read_into(numbers));
    vector<double> small(3);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, "", table["c"].read_into(small, mask));
    vector<std::uint8_t> few(3);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, "", table["c"].read_into(numbers, few));
    asdf::read_options spread;
    spread.strides = vector<std::int64_t>{16};
    spread.fill = 0;
    vector<double> strided(8, -1);
    table["c"].read_into(strided, spread);
    CHECK(strided[0] == 1 && strided[1] == -1 && strided[2] == 2 && strided[4] == 0 && strided[6] == 4);

    // Strings of fixed length, and single texts.
    const asdf::table texts = with(vector<optional<string>>{"one", "\u00e9", std::nullopt});
    CHECK(texts["c"].longest_text() == 3 && texts["c"].longest_text(asdf::type_code::ucs4) == 3);
    CHECK(texts["c"].text(0) == "one" && texts["c"].text(1) == "\u00e9" && texts["c"].text(2) == std::nullopt);
    FAILS(ASDF_ERR_OUT_OF_RANGE, "", texts["c"].text(3));
    FAILS(ASDF_ERR_WRONG_TYPE, "", table["c"].text(0));
    FAILS(ASDF_ERR_WRONG_TYPE, "", table["c"].longest_text());
    vector<char> bytes(6, 'x');
    texts["c"].rows(0, 2).read_into(asdf::datatype::ascii(3), bytes);
    CHECK((bytes == vector<char>{'o', 'n', 'e', '\xc3', '\xa9', '\0'}));
    FAILS(ASDF_ERR_OVERFLOW, "", texts["c"].rows(0, 2).read_into(asdf::datatype::ascii(2), bytes));
    vector<char> all(9);
    mask.assign(3, 9);
    texts["c"].read_into(asdf::datatype::ascii(3), all, mask);
    CHECK(mask == vector<std::uint8_t>{0, 0, 1} && all[2] == 'e');
    FAILS(ASDF_ERR_MASKED, "", texts["c"].read_into(asdf::datatype::ascii(3), all));

    asdf::table typed(2);
    typed.add_typed_column("half", asdf::type_code::float16, {}, vector<std::uint16_t>{0x3c00, 0xc000}, {"m"});
    CHECK(typed["half"].read<double>() == vector<double>{1, -2} && typed["half"].unit() == "m");
    typed.add_typed_column("words", asdf::datatype::ascii(2), {}, string("abc\0", 4));
    CHECK(typed["words"].read<string>() == vector<string>{"ab", "c"});
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", typed.add_typed_column("x", asdf::datatype::ascii(2), {}, string("abc")));
}

static void text_types() {
    asdf::table table(2);
    table.add_text_column("json", asdf::type_code::json, {"{\"a\": 1}", "[2]"});
    table.add_text_column("precise", asdf::type_code::float128, vector<optional<string>>{"1.25", std::nullopt});
    table.add_text_column("pair", asdf::type_code::complex256, {"1+2j", "3-4j"});
    CHECK(table["json"].datatype() == asdf::type_code::json && table["json"].read<string>()[1] == "[2]");
    CHECK(table["precise"].datatype() == asdf::type_code::float128);
    CHECK((table["precise"].read<optional<double>>() == vector<optional<double>>{1.25, std::nullopt}));
    CHECK((table["precise"].mask() == vector<std::uint8_t>{0, 1}));
    CHECK((table["pair"].read<std::complex<double>>()[1] == std::complex<double>{3, -4}));
    FAILS(ASDF_ERR_VALUE_RANGE, "", table.add_text_column("bad", asdf::type_code::json, {"{", "1"}));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", table.add_text_column("bad", asdf::type_code::int8, {"1", "1"}));
    FAILS(ASDF_ERR_ENCODING, "", table.add_column("bad", {"\xff", "a"}));
}

static void properties() {
    asdf::table table(1);
    table.add_column("a", {1}, {"deg", "Right ascension", "%.3f"}).add_column("b", {2});
    CHECK(table.row_count() == 1 && table.column_count() == 2);
    CHECK(table["a"].unit() == "deg" && table["a"].description() == "Right ascension" && table["a"].format() == "%.3f");
    CHECK(table["b"].unit().empty() && table["b"].description().empty() && table["b"].format().empty());
    CHECK(table["a"].declared_datatype().empty() && table["a"].declared_subtype().empty());
    table.set_column_unit("b", "m").set_column_description("b", "d").set_column_format("b", "%d");
    CHECK(table["b"].unit() == "m" && table["b"].description() == "d" && table["b"].format() == "%d");
    CHECK(table["b"].has_unit() && table["b"].has_description() && table["b"].has_format());
    table.set_column_unit("b", "")
        .set_column_description("b", std::string())
        .set_column_format("b", std::string_view());
    CHECK(table["b"].has_unit() && table["b"].has_description() && table["b"].has_format());
    CHECK(table["b"].unit().empty() && table["b"].description().empty() && table["b"].format().empty());
    CHECK(table.logical_columns()[1].has_unit());
    table.set_column_unit("b", std::nullopt).set_column_description("b", {}).set_column_format("b", {});
    CHECK(!table["b"].has_unit() && !table["b"].has_description() && !table["b"].has_format());
    CHECK(!table.logical_columns()[1].has_unit());
    FAILS(ASDF_ERR_NOT_FOUND, "", table.set_column_unit("c", "m"));
    FAILS(ASDF_ERR_NOT_FOUND, "", table.set_column_description("c", "m"));
    FAILS(ASDF_ERR_NOT_FOUND, "", table.set_column_format("c", "m"));
    FAILS(ASDF_ERR_ENCODING, "", table.set_column_unit("b", "\xff"));

    CHECK(table[1].name() == "b" && table.column("b").name() == "b" && table.index_of("b") == 1);
    CHECK(table.columns().size() == 2 && table.columns()[0].name() == "a");
    CHECK(table.find("a") && !table.find("c"));
    FAILS(ASDF_ERR_NOT_FOUND, "", table["c"]);
    FAILS(ASDF_ERR_NOT_FOUND, "", table.index_of("c"));
    FAILS(ASDF_ERR_OUT_OF_RANGE, "", table[2]);
    FAILS(ASDF_ERR_OUT_OF_RANGE, "", table.column(-1));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", table.add_column("a", {1}));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "column 'c' has 2 entries, but the table has ", table.add_column("c", {1, 2}));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", asdf::table(-1));

    CHECK(table.schema().empty());
    table.set_schema("astropy-2.0");
    CHECK(table.schema() == "astropy-2.0");
    table.set_schema(std::nullopt);
    CHECK(table.schema().empty() && table.report().empty());
}

static void metadata() {
    asdf::file file;
    file["origin/telescope"] = "Roman";
    const asdf::node origin = file["origin"];
    asdf::table table(1);
    CHECK(!table.meta());
    table.set_meta(origin).add_column("a", {1}, {"", "", "", origin}).add_column("b", {1});
    CHECK(table.meta()->at("telescope").get<string>() == "Roman");
    CHECK(table["a"].meta()->at("telescope").get<string>() == "Roman" && !table["b"].meta());
    asdf::node made = asdf::node::new_mapping();
    made["telescope"] = "UT1";
    table.set_meta(made);
    CHECK(table.meta()->at("telescope").get<string>() == "UT1");
    table.set_column_meta("b", origin).set_column_meta("a", std::nullopt).set_meta(std::nullopt);
    CHECK(table["b"].meta() && !table["a"].meta() && !table.meta());
    FAILS(ASDF_ERR_NOT_FOUND, "", table.set_column_meta("c", origin));
}

// Tables of some rows and columns, or of all rows in another order.
static void rows() {
    asdf::table table(4);
    table.add_column("id", {1, 2, 3, 4}, {"s"});
    table.add_column("name", vector<optional<string>>{"b", "a", std::nullopt, "a"});
    table.add_column("cells", vector<vector<double>>{{1}, {}, {2, 3}, {4}});
    const auto ids = [](const asdf::table &part) { return part["id"].read<int>(); };
    CHECK(ids(table.select_rows({3, 0, 3})) == vector<int>({4, 1, 4}));
    CHECK(table.select_rows(vector<std::size_t>{2})["cells"].read<vector<double>>()[0] == vector<double>({2, 3}));
    CHECK(ids(table.select_rows(vector<bool>{false, true, true, false})) == vector<int>({2, 3}));
    CHECK(ids(table.select_rows(vector<std::uint8_t>{7, 0, 0, 1})) == vector<int>({1, 4}));
    CHECK(table.select_rows(vector<int>{}).row_count() == 0);
    CHECK(asdf::table(std::int64_t{0}).select_rows(vector<bool>{}).row_count() == 0);
    const asdf::table part = table.select_columns({"cells", "id"});
    CHECK(part.column_count() == 2 && part.column(0).name() == "cells" && part["id"].unit() == "s");
    CHECK(ids(table.slice(1)) == vector<int>({2, 3, 4}) && ids(table.slice(1, 2)) == vector<int>({2, 3}));
    CHECK(ids(table.slice(3, std::nullopt, -2)) == vector<int>({4, 2}));
    CHECK(ids(table.sort_by({"name"})) == vector<int>({2, 4, 1, 3}));
    CHECK(ids(table.sort_by({"name", {"id", true}})) == vector<int>({4, 2, 1, 3}));
    CHECK(ids(table.sort_by({{"name", true}})) == vector<int>({1, 2, 4, 3}));
    FAILS(ASDF_ERR_OUT_OF_RANGE, "", table.select_rows({4}));
    FAILS(ASDF_ERR_OUT_OF_RANGE, "", table.slice(3, 2));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", table.select_rows(vector<bool>{}));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", table.select_columns({"id", "id"}));
    FAILS(ASDF_ERR_NOT_FOUND, "", table.select_columns({"none"}));
    FAILS(ASDF_ERR_WRONG_TYPE, "", table.sort_by({"cells"}));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", table.sort_by({}));
}

// Cells change; the columns keep their types.
static void cells_change() {
    asdf::table table(3);
    table.add_column("n", vector<std::int16_t>{1, 2, 3}, {"Jy"});
    table.add_column("flag", vector<bool>{true, true, true});
    table.add_column("name", {"a", "b", "c"});
    table.add_column("list", vector<vector<double>>{{1}, {}, {2, 3}});
    table.add_array_column("pair", {2}, vector<float>{0, 1, 2, 3, 4, 5});
    table.set_cell("n", 1, 9.0).set_cell("flag", 2, false).set_cell("name", 0, "a longer text");
    table.set_cell("name", 1, string()).set_cell("name", 2, std::nullopt).set_cell("n", 2, optional<int>());
    table.set_cell("list", 1, vector<double>{7, 8, 9}).set_cell("pair", 0, vector<optional<float>>{{}, 5.0F});
    CHECK(table["n"].read<optional<int>>() == vector<optional<int>>({1, 9, std::nullopt}));
    CHECK(table["n"].unit() == "Jy" && table["n"].has_mask() && !table["list"].has_mask());
    CHECK(table["flag"].read<bool>() == vector<bool>({true, true, false}));
    CHECK(table["name"].read<optional<string>>() == vector<optional<string>>({"a longer text", "", std::nullopt}));
    CHECK(table["list"].read<vector<double>>()[1] == vector<double>({7, 8, 9}));
    CHECK(table["pair"].mask() == vector<std::uint8_t>({1, 0, 0, 0, 0, 0}));
    table.set_cells("n", 0, 2, vector<int>{5, 6}).set_missing("list", 0, 2);
    CHECK(table["n"].read<optional<int>>() == vector<optional<int>>({5, 6, std::nullopt}));
    asdf::set_cells_options clamp;
    clamp.clamp = true;
    table.set_cell("n", 0, 1e9, clamp);
    CHECK(table["n"].read<optional<int>>()[0] == 32767);
    FAILS(ASDF_ERR_OVERFLOW, "", table.set_cell("n", 0, 1e9));
    FAILS(ASDF_ERR_OUT_OF_RANGE, "", table.set_cell("n", 3, 1));
    FAILS(ASDF_ERR_OUT_OF_RANGE, "", table.set_missing("n", 2, 2));
    FAILS(ASDF_ERR_NOT_FOUND, "", table["x"].has_mask());
    FAILS(ASDF_ERR_WRONG_TYPE, "", table.set_cell("n", 0, "text"));
    FAILS(ASDF_ERR_CONVERSION, "", table.set_cell("name", 0, 1));
}

// A copy is the same table, a clone another one.
static void clones() {
    asdf::table table(2);
    table.add_column("n", vector<int>{1, 2}, {"Jy"});
    asdf::table copy = table;
    asdf::table clone = table.clone();
    clone.set_cell("n", 0, 7).add_column("more", vector<int>{3, 4});
    copy.set_cell("n", 1, 9);
    CHECK(table["n"].read<int>() == vector<int>({1, 9}) && table.column_count() == 1);
    CHECK(clone["n"].read<int>() == vector<int>({7, 2}) && clone["n"].unit() == "Jy");
    asdf::table none = std::move(copy);
    FAILS(ASDF_ERR_NULL_POINTER, "", copy.clone());
}

// Copies share the table, columns keep it alive, and a table that was moved from is empty.
static void owners() {
    optional<asdf::column> column;
    {
        asdf::table table = with(vector<int>{7});
        asdf::table copy = table;
        copy.add_column("d", {8});
        CHECK(table.column_count() == 2);
        asdf::table moved = std::move(table);
        copy = moved;
        column = moved["d"];
        FAILS(ASDF_ERR_NULL_POINTER, "", table.row_count());
    }
    CHECK(column->read<int>() == vector<int>{8});
}

int main() {
    elements();
    fill();
    cells();
    ranges_and_memory();
    text_types();
    properties();
    metadata();
    rows();
    cells_change();
    clones();
    owners();
    return report();
}
