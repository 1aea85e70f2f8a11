// Tables given to Arrow and taken from it: values, batches, owners that release in any order.
#include "check.hpp"

#include <cstring>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

using std::optional;
using std::string;
using std::vector;

static const vector<optional<double>> flux = {1.5, std::nullopt, 0.25};
static const vector<string> names = {"first", "", "third"};

static asdf::table make() {
    asdf::table table(3);
    table.add_column("flux", flux, {"Jy"}).add_column("name", names);
    return table;
}

static void check_content(const asdf::table &table) {
    CHECK(table["flux"].read<optional<double>>() == flux && table["flux"].unit() == "Jy");
    CHECK(table["name"].read<string>() == names);
}

static void arrays() {
    ArrowSchema schema;
    ArrowArray array;
    {
        const asdf::table table = make();
        table.export_arrow(&schema, &array);
    }
    CHECK(std::strcmp(schema.format, "+s") == 0 && schema.n_children == 2 && array.length == 3);
    CHECK(std::strcmp(schema.children[0]->name, "flux") == 0 && std::strcmp(schema.children[0]->format, "g") == 0);
    CHECK(static_cast<const double *>(array.children[0]->buffers[1])[2] == 0.25 && array.children[0]->null_count == 1);
    check_content(asdf::table::import_arrow(&schema, &array));
    CHECK(schema.release == nullptr && array.release == nullptr);

    make().export_arrow(&schema, &array);
    schema.children[0]->format = "?";
    FAILS(ASDF_ERR_UNSUPPORTED, "", asdf::table::import_arrow(&schema, &array));
    CHECK(schema.release == nullptr && array.release == nullptr);
    FAILS(ASDF_ERR_NULL_POINTER, "", make().export_arrow(nullptr, &array));
}

static void streams() {
    asdf::arrow_stream_options options;
    options.batch_rows = 2;
    ArrowArrayStream stream;
    make().export_arrow_stream(&stream, options);
    ArrowArray first;
    CHECK(stream.get_next(&stream, &first) == 0 && first.length == 2);
    first.release(&first);
    CHECK(asdf::table::import_arrow_stream(&stream).row_count() == 1 && stream.release == nullptr);
    make().export_arrow_stream(&stream);
    check_content(asdf::table::import_arrow_stream(&stream));
    options.batch_rows = -1;
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", make().export_arrow_stream(&stream, options));

    // A reader hands on its remaining rows, and its errors.
    make().write_ecsv("arrow.ecsv");
    {
        asdf::table_reader reader("arrow.ecsv");
        reader.export_arrow_stream(&stream);
    }
    check_content(asdf::table::import_arrow_stream(&stream));
    std::ofstream("arrow.ecsv", std::ios::app) << "x y z\n";
    asdf::table_reader reader("arrow.ecsv");
    reader.export_arrow_stream(&stream);
    FAILS(ASDF_ERR_CALLBACK, "", asdf::table::import_arrow_stream(&stream));
    FAILS(ASDF_ERR_NULL_POINTER, "", reader.export_arrow_stream(nullptr));
}

int main() {
    arrays();
    streams();
    return report();
}
