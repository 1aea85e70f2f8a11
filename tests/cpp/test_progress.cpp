// Progress: functions in the options of calls see it, cancel the call, and may throw through it.
#include "check.hpp"

#include <cstdio>
#include <fstream>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using std::string;
using std::vector;

// An exception that no other code throws.
struct interrupted : std::runtime_error {
    interrupted() : std::runtime_error("interrupted") {}
};

static bool exists(const string &path) {
    return static_cast<bool>(std::ifstream(path));
}

static asdf::table make() {
    asdf::table table(1000);
    vector<double> numbers(1000);
    for (std::size_t i = 0; i < numbers.size(); i++) numbers[i] = static_cast<double>(i) / 7;
    table.add_column("number", numbers);
    return table;
}

// A call with options of this type reports its progress, can be cancelled, and throws what its function throws.
template <class Options> static void reports(const char *name, const std::function<void(const Options &)> &call) {
    Options options;
    auto alive = std::make_shared<int>(0);
    vector<asdf::progress> seen;
    options.progress = [&seen, alive](asdf::progress now) {
        seen.push_back(now);
        return true;
    };
    call(options);
    CHECK(!seen.empty() && seen.front().done == 0);
    for (const asdf::progress &now : seen) CHECK(now.total < 0 || now.done <= now.total);
    options.progress = [](asdf::progress) { return false; };
    try {
        call(options);
        std::fprintf(stderr, "%s was not cancelled\n", name);
        CHECK(false);
    } catch (const asdf::error &problem) {
        CHECK(problem.status() == ASDF_ERR_CANCELLED);
    }
    options.progress = [](asdf::progress) -> bool { throw interrupted(); };
    try {
        call(options);
        std::fprintf(stderr, "%s hides an exception\n", name);
        CHECK(false);
    } catch (const interrupted &problem) {
        CHECK(string(problem.what()) == "interrupted");
    }
    options.progress = nullptr;
    call(options);
    CHECK(alive.use_count() == 1);
}

static void calls() {
    const asdf::table table = make();
    const asdf::column column = table["number"];
    reports<asdf::read_options>("read", [&](const auto &options) { column.read<double>(options); });
    reports<asdf::read_options>("optional", [&](const auto &options) { column.read<std::optional<float>>(options); });
    reports<asdf::write_ecsv_options>("write_ecsv", [&](asdf::write_ecsv_options options) {
        options.replace = true;
        table.write_ecsv("progress.ecsv", options);
    });
    reports<asdf::read_ecsv_options>("read_ecsv",
                                     [](const auto &options) { asdf::table::read_ecsv("progress.ecsv", options); });
    string text;
    std::getline(std::ifstream("progress.ecsv"), text, '\0');
    reports<asdf::read_ecsv_options>("read_ecsv_memory",
                                     [&](const auto &options) { asdf::table::read_ecsv_memory(text, options); });
    reports<asdf::read_ecsv_options>("table_reader", [](const auto &options) {
        for (const asdf::table &batch : asdf::table_reader("progress.ecsv", options)) CHECK(batch.row_count() == 1000);
    });
    reports<asdf::write_ecsv_options>("table_writer", [&](asdf::write_ecsv_options options) {
        std::remove("writer.ecsv");
        asdf::table_writer writer("writer.ecsv", table, options);
        writer.append(table);
        writer.finish();
    });
    reports<asdf::stream_options>("stream", [](asdf::stream_options options) {
        options.replace = true;
        asdf::stream<int> stream(asdf::file(), "progress.asdf", "a", {}, options);
        stream.push(vector<int>(1000));
        stream.finish();
    });
    asdf::file tables;
    tables["table"].set(table);
    tables.write("tables.asdf");
    const asdf::file read = asdf::file::open("tables.asdf");
    reports<asdf::get_table_options>("get_table", [&](const auto &options) { read["table"].get_table(options); });
    const asdf::ndl description = asdf::ndl::read_memory("ndarrays: {a: {shape: [100], type: float64}}\n");
    reports<asdf::create_asdf_options>("create_asdf", [&](asdf::create_asdf_options options) {
        options.replace = true;
        description.create_asdf("progress.asdf", options);
    });
}

// A cancelled call leaves no file; readers, writers and streams continue where they were.
static void afterwards() {
    const asdf::table table = make();
    bool goes_on = false;
    asdf::write_ecsv_options writing;
    writing.progress = [&](asdf::progress) { return goes_on; };
    FAILS(ASDF_ERR_CANCELLED, "", table.write_ecsv("none.ecsv", writing));
    CHECK(!exists("none.ecsv"));
    goes_on = true;
    table.write_ecsv("some.ecsv", writing);

    asdf::read_ecsv_options reading;
    reading.progress = [&](asdf::progress) { return goes_on; };
    reading.batch_rows = 600;
    asdf::table_reader reader("some.ecsv", reading);
    CHECK(reader.next()->row_count() == 600);
    goes_on = false;
    FAILS(ASDF_ERR_CANCELLED, "", reader.next());
    goes_on = true;
    CHECK(reader.next()->row_count() == 400 && !reader.next());

    asdf::stream_options streaming;
    streaming.progress = [&](asdf::progress) { return goes_on; };
    asdf::stream<int> stream(asdf::file(), "stream.asdf", "a", {}, streaming);
    stream.push(1);
    goes_on = false;
    FAILS(ASDF_ERR_CANCELLED, "", stream.push(2));
    goes_on = true;
    CHECK(stream.row_count() == 1);
    stream.push(3);
    stream.finish();
    CHECK((asdf::file::open("stream.asdf")["a"].array().read<int>() == vector<int>{1, 3}));

    // An exception after the result took effect still reaches the caller.
    const asdf::ndl description = asdf::ndl::read_memory("ndarrays: {a: {shape: [100], type: float64}}\n");
    asdf::create_asdf_options late;
    late.progress = [](asdf::progress now) {
        if (now.done > 0 && now.done == now.total) throw interrupted();
        return true;
    };
    try {
        description.create_asdf("late.asdf", late);
        CHECK(false);
    } catch (const interrupted &) {
        CHECK(exists("late.asdf"));
    }
    asdf::write_options writing_file;
    writing_file.progress = late.progress;
    asdf::file file;
    file["data"].set(vector<int>(1000), {1000});
    try {
        file.write("late_file.asdf", writing_file);
        CHECK(false);
    } catch (const interrupted &) {
        CHECK(exists("late_file.asdf"));
    }
    CHECK(make().column_count() == 1);
}

static void fractions() {
    CHECK((asdf::progress{0, 0}.fraction() == 1.0) && (asdf::progress{1, 4}.fraction() == 0.25));
    CHECK(!(asdf::progress{1, -1}.fraction()));
}

int main() {
    calls();
    afterwards();
    fractions();
    return report();
}
