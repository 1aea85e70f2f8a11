// Streams: rows of numbers, records and strings pushed one after another; what is left without finish().
#include "check.hpp"

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using std::string;
using std::vector;

struct event {
    double time;
    std::int32_t channel;
};
bool operator==(const event &left, const event &right) {
    return left.time == right.time && left.channel == right.channel;
}
template <> struct asdf::record<event> {
    static constexpr auto fields =
        asdf::fields(asdf::field("time", &event::time), asdf::field("channel", &event::channel));
};

static bool exists(const string &path) {
    return static_cast<bool>(std::ifstream(path));
}

static void numbers() {
    asdf::file file;
    file["meta/telescope"] = "Roman";
    asdf::stream<float> stream(file, "numbers.asdf", "spectra", {3});
    stream.push(vector<float>{1, 2, 3});
    stream.push(std::array<float, 6>{4, 5, 6, 7, 8, 9});
    stream.push({10, 11, 12});
    CHECK(stream.row_count() == 4 && !exists("numbers.asdf"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "2 are no whole number of rows", stream.push(vector<float>{1, 2}));
    stream.push(vector<float>{});
    stream.finish();
    CHECK(stream.row_count() == 4);
    FAILS(ASDF_ERR_CLOSED, "", stream.finish());
    FAILS(ASDF_ERR_CLOSED, "", stream.push({1, 2, 3}));

    const asdf::file written = asdf::file::open("numbers.asdf");
    CHECK(written["meta/telescope"].get<string>() == "Roman");
    const asdf::array spectra = written["spectra"].array();
    CHECK((spectra.shape() == asdf::shape{4, 3}));
    CHECK((spectra.read<float>() == vector<float>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
    FAILS(ASDF_ERR_NOT_FOUND, "", file["spectra"].array());
    FAILS(ASDF_ERR_FILE_EXISTS, "", asdf::stream<float>(file, "numbers.asdf", "spectra", {3}));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", asdf::stream<float>(file, "empty.asdf", "spectra", {3, 0}));
    FAILS(ASDF_ERR_FILE_NOT_FOUND, "", asdf::stream<float>(file, "nowhere/numbers.asdf", "spectra"));
}

static void elements_and_options() {
    asdf::stream_options options;
    options.codec = asdf::compression::zlib;
    options.replace = true;
    for (int turn = 0; turn < 2; turn++) {
        asdf::stream<std::complex<double>> stream(asdf::file(), "elements.asdf", "signal", {}, options);
        for (int i = 0; i < 1000; i++) stream.push(std::complex<double>(i, -turn));
        stream.finish();
    }
    const auto signal = asdf::file::open("elements.asdf")["signal"].array().read<std::complex<double>>();
    CHECK(signal.size() == 1000 && (signal[999] == std::complex<double>(999, -1)));

    // Rows that lie apart in memory.
    asdf::stream_options apart;
    apart.strides = vector<std::int64_t>{8, 4};
    asdf::stream<std::int16_t> spread(asdf::file(), "apart.asdf", "a", {2}, apart);
    const vector<std::int16_t> memory = {1, 0, 2, 0, 3, 0, 4};
    spread.push(memory.data(), memory.size(), 2);
    spread.finish();
    CHECK((asdf::file::open("apart.asdf")["a"].array().read<int>() == vector<int>{1, 2, 3, 4}));
}

static void records() {
    const vector<event> events = {{0.5, 1}, {1.5, 2}, {2.5, 3}};
    asdf::stream<event> stream(asdf::file(), "records.asdf", "events");
    stream.push(events);
    stream.push(event{3.5, 4});
    stream.finish();
    const asdf::array written = asdf::file::open("records.asdf")["events"].array();
    const vector<event> found = written.read<event>();
    CHECK(found.size() == 4 && found[0] == events[0] && (found[3] == event{3.5, 4}));

    const string names = "NGC 1275M 31\0\0\0\0";
    asdf::stream<std::byte> strings(asdf::file(), "strings.asdf", "names", asdf::datatype::ascii(8), {});
    vector<std::byte> bytes(16);
    std::memcpy(bytes.data(), "NGC 1275M 31\0\0\0\0", 16);
    strings.push(bytes);
    CHECK(strings.row_count() == 2);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", strings.push(vector<std::byte>(7)));
    FAILS(ASDF_ERR_ENCODING, "", strings.push(vector<std::byte>(8, std::byte(0xff))));
    strings.finish();
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "",
          asdf::stream<std::byte>(asdf::file(), "none.asdf", "names", asdf::datatype::ascii(0), {}));
}

// Without finish(), an old file stays and a new one does not appear.
static void abandoned() {
    std::ofstream("old.asdf") << "old";
    asdf::stream_options options;
    options.replace = true;
    {
        asdf::stream<int> old(asdf::file(), "old.asdf", "a", {}, options);
        asdf::stream<int> stream(asdf::file(), "new.asdf", "a");
        asdf::stream<int> moved = std::move(stream);
        moved.push(1);
        old.push(2);
        CHECK(moved.row_count() == 1);
    }
    string content;
    std::ifstream("old.asdf") >> content;
    CHECK(content == "old" && !exists("new.asdf"));
}

int main() {
    numbers();
    elements_and_options();
    records();
    abandoned();
    return report();
}
