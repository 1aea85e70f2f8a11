// Tables in ASDF files, and logical columns: what astropy's metadata say that columns were made from.
#include "check.hpp"

#include <optional>
#include <string>
#include <vector>

using std::optional;
using std::string;
using std::vector;

static asdf::table make() {
    asdf::table table(3);
    table.add_column("name", {"a", "bc", ""});
    table.add_column("flux", vector<optional<double>>{1.5, std::nullopt, 2.5}, {"mJy", "Flux"});
    table.add_array_column("xy", {2}, vector<std::int16_t>{1, 2, 3, 4, 5, 6});
    return table;
}

static void check_content(const asdf::table &table) {
    CHECK(table.row_count() == 3 && table.column_count() == 3);
    CHECK((table["name"].read<string>() == vector<string>{"a", "bc", ""}));
    CHECK((table["flux"].read<optional<double>>() == vector<optional<double>>{1.5, std::nullopt, 2.5}));
    CHECK(table["flux"].unit() == "mJy" && table["flux"].description() == "Flux");
    CHECK((table["xy"].read<vector<int>>() == vector<vector<int>>{{1, 2}, {3, 4}, {5, 6}}));
}

static void files() {
    {
        asdf::file file;
        asdf::table table = make();
        file["standard"].set(table);
        table.add_column("later", {1, 2, 3});
        asdf::set_table_options options;
        options.table_form = asdf::table_form::astropy;
        options.codec = asdf::compression::zlib;
        file["astropy"].set(make(), options);
        options.table_form = asdf::table_form::records;
        FAILS(ASDF_ERR_UNSUPPORTED, "", file["records"].set(make(), options));
        file.forget_failure();
        options.leave_out = true;
        asdf::table plain(2);
        plain.add_column("a", {1, 2}, {"m"});
        file["records"].set(plain, options);
        file.write("tables.asdf");
    }
    const asdf::file file = asdf::file::open("tables.asdf");
    check_content(file["standard"].get_table());
    check_content(file["astropy"].get_table());
    const asdf::table records = file.root().at("records").get_table();
    CHECK((records["a"].read<int>() == vector<int>{1, 2}) && records["a"].unit().empty());
    FAILS(ASDF_ERR_WRONG_TYPE, "", file["asdf_library/name"].get_table());
    FAILS(ASDF_ERR_NOT_FOUND, "", file["nothing"].get_table());
    FAILS(ASDF_ERR_READ_ONLY, "", asdf::node(file.root()).set(make()));

    asdf::file lists;
    asdf::table variable(1);
    variable.add_variable_column("lists", {}, vector<vector<int>>{{1, 2}});
    lists["table"] = variable;
    CHECK((lists["table"].get_table()["lists"].read<vector<int>>() == vector<vector<int>>{{1, 2}}));
    asdf::set_table_options records_only;
    records_only.table_form = asdf::table_form::records;
    FAILS(ASDF_ERR_UNSUPPORTED, "different lengths", lists["records"].set(variable, records_only));
}

// A table that is stored batch by batch.
static void batches() {
    {
        asdf::file file;
        const asdf::table table = make();
        asdf::begin_table_options options;
        options.codec = asdf::compression::zlib;
        options.temporary_directory = ".";
        asdf::table_writer writer = file["deep/table"].begin_table(table, options);
        writer.append(table);
        asdf::table other(1);
        other.add_column("name", {"d"});
        FAILS(ASDF_ERR_INVALID_ARGUMENT, "columns", writer.append(other));
        writer.append(table);
        FAILS(ASDF_ERR_NOT_FOUND, "", file["deep/table"].get_table());
        writer.finish();
        FAILS(ASDF_ERR_CLOSED, "", writer.finish());
        CHECK(file["deep/table"].get_table().row_count() == 6);
        options.temporary_directory = "nowhere";
        FAILS(ASDF_ERR_FILE_NOT_FOUND, "nowhere", file["other"].begin_table(table, options));
        file.write("batches.asdf");
    }
    const asdf::table table = asdf::file::open("batches.asdf")["deep/table"].get_table();
    CHECK((table["flux"].read<optional<double>>() ==
           vector<optional<double>>{1.5, std::nullopt, 2.5, 1.5, std::nullopt, 2.5}));
    CHECK(table["flux"].unit() == "mJy" && table["name"].read<string>()[4] == "bc");
}

#define COLUMN "!astropy.table.SerializedColumn "

static const string text = "# %ECSV 1.0\n"
                           "# ---\n"
                           "# datatype:\n"
                           "# - {name: plain, unit: Jy, datatype: int32}\n"
                           "# - {name: s, datatype: string}\n"
                           "# - {name: s.mask, datatype: bool}\n"
                           "# - {name: t.jd1, datatype: float64}\n"
                           "# - {name: t.jd2, datatype: float64}\n"
                           "# meta: !!omap\n"
                           "# - __serialized_columns__:\n"
                           "#     s:\n"
                           "#       __class__: astropy.table.column.MaskedColumn\n"
                           "#       data: " COLUMN "{name: s}\n"
                           "#       mask: " COLUMN "{name: s.mask}\n"
                           "#     t:\n"
                           "#       __class__: astropy.time.core.Time\n"
                           "#       scale: tai\n"
                           "#       jd1: " COLUMN "{name: t.jd1}\n"
                           "#       jd2: " COLUMN "{name: t.jd2}\n"
                           "#     lost:\n"
                           "#       __class__: no.such.Class\n"
                           "#       unit: !astropy.units.Unit {unit: km}\n"
                           "#       value: " COLUMN "{name: gone}\n"
                           "plain s s.mask t.jd1 t.jd2\n"
                           "1 a False 2459000.5 0.25\n"
                           "2 b True 2459001.5 0.5\n";

// The table with its columns as the file stores them.
static asdf::table raw_table() {
    asdf::read_ecsv_options options;
    options.raw_columns = true;
    return asdf::table::read_ecsv_memory(text, options);
}

// Values and their mask are one column, also of a table that the library wrote.
static void masked_columns() {
    const asdf::table table = asdf::table::read_ecsv_memory(text);
    CHECK(table.column_count() == 4 && !table.find("s.mask"));
    CHECK((table["s"].read<optional<string>>() == vector<optional<string>>{"a", std::nullopt}));
    asdf::table made(3);
    const vector<optional<string>> notes{"a", std::nullopt, ""};
    made.add_column("note", notes);
    asdf::write_ecsv_options replace;
    replace.replace = true;
    for (int i = 0; i < 2; i++) {
        made.write_ecsv("notes.ecsv", replace);
        made = asdf::table::read_ecsv("notes.ecsv");
        CHECK(made.column_count() == 1 && made["note"].read<optional<string>>() == notes);
    }
    FAILS(ASDF_ERR_NOT_FOUND, "", made["note.mask"]);
}

static void logical_columns() {
    const vector<asdf::logical_column> columns = raw_table().logical_columns();
    CHECK(columns.size() == 4);
    CHECK(columns[0].name() == "plain" && columns[0].class_name().empty() && columns[0].unit() == "Jy");
    CHECK(!columns[0].attributes() && columns[0].members().size() == 1 && columns[0].members()[0].attribute.empty());
    CHECK((columns[0].values()["plain"].read<int>() == vector<int>{1, 2}));
    CHECK(columns[1].class_name() == "astropy.table.column.MaskedColumn");
    const asdf::table masked = columns[1].values();
    CHECK(masked.column_count() == 1);
    CHECK((masked["s"].read<optional<string>>() == vector<optional<string>>{"a", std::nullopt}));
    CHECK(columns[2].name() == "t" && columns[2].attributes()->at("scale").get<string>() == "tai");
    CHECK(columns[2].members().size() == 2 && columns[2].members()[1].name == "t.jd2" &&
          columns[2].members()[1].attribute == "jd2");
    CHECK(columns[2].values()["t.jd1"].read<double>()[1] == 2459001.5);
    CHECK(columns[3].name() == "lost" && columns[3].unit() == "km" && columns[3].members()[0].name == "gone");
    FAILS(ASDF_ERR_NOT_FOUND, "", columns[3].values());
}

int main() {
    files();
    batches();
    logical_columns();
    masked_columns();
    return report();
}
