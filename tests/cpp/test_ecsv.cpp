// ECSV: tables read as a whole, in batches, from sources of the program, and written as a whole and in batches.
#include "check.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>
#if __cplusplus >= 202002L
#include <ranges>
static_assert(std::ranges::input_range<asdf::table_reader>);
#endif

using std::optional;
using std::string;
using std::vector;

static const string text =
    "# %ECSV 1.0\n"
    "# ---\n"
    "# datatype:\n"
    "# - {name: name, datatype: string}\n"
    "# - {name: flux, unit: mJy, datatype: float64, description: Flux at 1.4 GHz, format: '%.1f'}\n"
    "# - {name: xy, datatype: string, subtype: 'int32[2]', meta: {frame: icrs}}\n"
    "# - {name: hits, datatype: string, subtype: 'int64[null]'}\n"
    "# delimiter: ','\n"
    "# meta: {survey: deep}\n"
    "# schema: astropy-2.0\n"
    "name,flux,xy,hits\n"
    "a,1.5,\"[1, 2]\",[]\n"
    "b,,\"[3, 4]\",\"[5, 6, 7]\"\n"
    "c,2.5,\"[5, 6]\",\n";

static void write_file(const string &path, const string &content) {
    std::ofstream(path, std::ios::binary) << content;
}

static string read_file(const string &path) {
    std::ostringstream content;
    content << std::ifstream(path, std::ios::binary).rdbuf();
    return content.str();
}

static bool exists(const string &path) {
    return static_cast<bool>(std::ifstream(path));
}

static void check_content(const asdf::table &table) {
    CHECK(table.row_count() == 3 && table.column_count() == 4 && table.schema() == "astropy-2.0");
    CHECK((table["name"].read<string>() == vector<string>{"a", "b", "c"}));
    CHECK((table["flux"].read<optional<double>>() == vector<optional<double>>{1.5, std::nullopt, 2.5}));
    CHECK(table["flux"].unit() == "mJy" && table["flux"].description() == "Flux at 1.4 GHz");
    CHECK(table["flux"].format() == "%.1f");
    CHECK((table["xy"].read<vector<int>>() == vector<vector<int>>{{1, 2}, {3, 4}, {5, 6}}));
    const auto hits = table["hits"].read<optional<vector<long>>>();
    CHECK((hits == vector<optional<vector<long>>>{vector<long>{}, vector<long>{5, 6, 7}, std::nullopt}));
    CHECK((*table.meta())["survey"].get<string>() == "deep");
    CHECK((*table["xy"].meta())["frame"].get<string>() == "icrs" && !table["flux"].meta());
}

static void whole() {
    const asdf::table table = asdf::table::read_ecsv_memory(text);
    check_content(table);
    CHECK(table["xy"].declared_datatype() == "string" && table["xy"].declared_subtype() == "int32[2]");
    CHECK(table["name"].declared_subtype().empty());
    write_file("in.ecsv", text);
    check_content(asdf::table::read_ecsv("in.ecsv"));
    table.write_ecsv("out.ecsv");
    check_content(asdf::table::read_ecsv("out.ecsv"));
    table.write_ecsv("out.ecsv.gz");
    check_content(asdf::table::read_ecsv("out.ecsv.gz"));
    CHECK(asdf::table::ecsv_version(read_file("out.ecsv.gz")) == "1.0");
    CHECK(asdf::table::ecsv_version(text) == "1.0" && asdf::table::ecsv_version("a,b\n") == std::nullopt);

    asdf::read_ecsv_options options;
    options.columns = vector<string>{"flux"};
    options.first_row = 1;
    options.row_count = 1;
    const asdf::table part = asdf::table::read_ecsv_memory(text, options);
    CHECK(part.row_count() == 1 && part.column_count() == 1);
    asdf::write_ecsv_options writing;
    writing.replace = true;
    part.write_ecsv("out.ecsv", writing);
    CHECK(asdf::table::read_ecsv("out.ecsv").column_count() == 1);

    FAILS(ASDF_ERR_FILE_EXISTS, "", part.write_ecsv("out.ecsv"));
    FAILS(ASDF_ERR_FILE_NOT_FOUND, "", asdf::table::read_ecsv("nothing.ecsv"));
    FAILS(ASDF_ERR_NOT_ECSV, "", asdf::table::read_ecsv_memory("a,b\n1,2\n"));
    options.columns = vector<string>{"fluxes"};
    FAILS(ASDF_ERR_NOT_FOUND, "", asdf::table::read_ecsv_memory(text, options));
    try {
        asdf::table::read_ecsv_memory(text + "d,two,\"[5, 6]\",\n");
        CHECK(false);
    } catch (const asdf::error &problem) {
        CHECK(problem.status() == ASDF_ERR_CELL && problem.line() == 15 && problem.subject() == "flux");
    }
}

static void batches() {
    write_file("batches.ecsv", text);
    asdf::read_ecsv_options options;
    options.batch_rows = 2;
    vector<string> names;
    vector<std::int64_t> sizes;
    for (const asdf::table &batch : asdf::table_reader("batches.ecsv", options)) {
        sizes.push_back(batch.row_count());
        for (const string &name : batch["name"].read<string>()) names.push_back(name);
    }
    CHECK((sizes == vector<std::int64_t>{2, 1}) && (names == vector<string>{"a", "b", "c"}));

    asdf::table_reader reader("batches.ecsv", options);
    const asdf::table header = reader.header();
    CHECK(header.row_count() == 0 && header.column_count() == 4 && header["flux"].unit() == "mJy");
    asdf::table_reader moved = std::move(reader);
    const optional<asdf::table> first = moved.next();
    CHECK(first && first->row_count() == 2 && moved.next() && !moved.next() && !moved.next());
    CHECK(moved.begin() == moved.end());
    FAILS(ASDF_ERR_FILE_NOT_FOUND, "", asdf::table_reader("nothing.ecsv"));

    // A reader stays at its error.
    write_file("wrong.ecsv", text + "d,two,\"[5, 6]\",\n");
    asdf::table_reader wrong("wrong.ecsv", options);
    CHECK(wrong.next());
    FAILS(ASDF_ERR_CELL, "", wrong.next());
    FAILS(ASDF_ERR_CELL, "", wrong.next());
    std::int64_t rows = 0;
    try {
        for (const asdf::table &batch : asdf::table_reader("wrong.ecsv", options)) rows += batch.row_count();
        CHECK(false);
    } catch (const asdf::error &problem) {
        CHECK(rows == 2 && problem.status() == ASDF_ERR_CELL && problem.file() == "wrong.ecsv");
    }
}

static asdf::byte_source source_of(const string &content, std::size_t most) {
    return {[content, most](std::int64_t offset, void *buffer, std::size_t size) {
                const std::size_t got = std::min(size, most);
                std::memcpy(buffer, content.data() + offset, got);
                return got;
            },
            static_cast<std::int64_t>(content.size())};
}

static void sources() {
    for (const std::size_t most : {std::size_t(1), std::size_t(7), std::size_t(1000)}) {
        asdf::table_reader reader(source_of(text, most));
        check_content(*reader.next());
        CHECK(!reader.next());
    }
    // An exception of the source comes out of the call that reads.
    const asdf::byte_source failing = {
        [](std::int64_t, void *, std::size_t) -> std::size_t { throw std::runtime_error("the line is down"); }, 100};
    try {
        asdf::table_reader reader(failing);
        CHECK(false);
    } catch (const std::runtime_error &problem) {
        CHECK(string(problem.what()) == "the line is down");
    }
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", asdf::table_reader(asdf::byte_source{source_of(text, 1).read, -1}));
    FAILS(ASDF_ERR_NOT_ECSV, "", asdf::table_reader(source_of("a,b\n1,2\n", 3)));
}

static void indices() {
    write_file("index.ecsv", text);
    const asdf::table::text_index index = asdf::table::index("index.ecsv", 1);
    CHECK(index.row_count == 3);
    asdf::read_ecsv_options options;
    options.table_index = index.text;
    options.first_row = 2;
    const asdf::table last = asdf::table::read_ecsv("index.ecsv", options);
    CHECK(last.row_count() == 1 && last["name"].read<string>() == vector<string>{"c"});
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "-1", asdf::table::index("index.ecsv", -1));
}

static void writers() {
    const asdf::table table = asdf::table::read_ecsv_memory(text);
    {
        asdf::table_writer writer("rows.ecsv", table);
        writer.append(table);
        writer.append(table);
        CHECK(!exists("rows.ecsv"));
        writer.finish();
        FAILS(ASDF_ERR_CLOSED, "", writer.append(table));
        FAILS(ASDF_ERR_CLOSED, "", writer.finish());
    }
    CHECK(asdf::table::read_ecsv("rows.ecsv").row_count() == 6);
    FAILS(ASDF_ERR_FILE_EXISTS, "", asdf::table_writer("rows.ecsv", table));
    FAILS(ASDF_ERR_FILE_NOT_FOUND, "", asdf::table_writer("nowhere/rows.ecsv", table));

    // A writer that is not finished leaves the old file as it was, and a new one does not appear.
    const string old = read_file("rows.ecsv");
    asdf::write_ecsv_options options;
    options.replace = true;
    {
        asdf::table_writer writer("rows.ecsv", table, options);
        asdf::table_writer moved = std::move(writer);
        moved.append(table);
        asdf::table other(1);
        other.add_column("name", {"d"});
        FAILS(ASDF_ERR_INVALID_ARGUMENT, "", moved.append(other));
        asdf::table_writer abandoned("new.ecsv", table);
        abandoned.append(table);
    }
    CHECK(read_file("rows.ecsv") == old && !exists("new.ecsv"));

    options.delimiter = asdf::delimiter::space;
    asdf::table_writer copy("rows.ecsv", table, options);
    for (const asdf::table &batch : asdf::table_reader("batches.ecsv")) copy.append(batch);
    copy.finish();
    check_content(asdf::table::read_ecsv("rows.ecsv"));
}

int main() {
    whole();
    batches();
    sources();
    indices();
    writers();
    return report();
}
