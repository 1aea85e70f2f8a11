// Points in time: std::chrono, Julian dates, text, scales.
#include "check.hpp"

#include <asdf.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <ratio>
#include <string>
#include <vector>

using namespace std::chrono_literals;

static void the_clock() {
    const asdf::time_point start{1'798'761'600s + 123'456'789ns};
    asdf::file out;
    out["start"].set_times(asdf::times(start));
    out["all"].set_times(asdf::times({start, start + 1s, start + 2s}));
    const asdf::file read = asdf::file::open_memory(out.write_memory());
    CHECK(read["start"].times().front() == start);
    EQUAL(read["start"].times().text(), "2027-01-01T00:00:00.123456789");
    const asdf::times all = read["all"].times();
    CHECK(all.time_points() == std::vector<asdf::time_point>({start, start + 1s, start + 2s}));
    EQUAL(all.size(), 3U);
    EQUAL(all.shape().size(), 1U);
    EQUAL(all.nanoseconds(asdf::time_scale::tai).front() - start.time_since_epoch().count(), 37'000'000'000);
    FAILS(ASDF_ERR_NOT_FOUND, "none", read["none"].times());
}

static void leap_seconds() {
    const asdf::times leap("2016-12-31T23:59:60.5");
    EQUAL(leap.text(0, asdf::time_format::iso, 1), "2016-12-31 23:59:60.5");
    EQUAL(leap.to(asdf::time_scale::tt).text(), "2017-01-01T00:01:08.684");
    FAILS(ASDF_ERR_OUT_OF_RANGE, "leap second", leap.front());
    FAILS(ASDF_ERR_UNSUPPORTED, "tdb", leap.to(asdf::time_scale::tdb));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "now", asdf::times("now"));
    asdf::time_options options;
    options.leap_seconds = "2272060800 10\n2287785600 11\n";
    const asdf::times old("2016-12-31T23:59:60.5", asdf::time_scale::utc, options);
    EQUAL(old.report().size(), 1);
    EQUAL(old.text(), "2017-01-01T00:00:00.500");
}

static void numbers() {
    const asdf::times dates = asdf::times::of_jd({2451545.0, 2451546.0}, {0.25, 0.0}, asdf::time_scale::tdb);
    CHECK(dates.scale() == asdf::time_scale::tdb);
    EQUAL(dates.jd().second.front(), 0.25);
    EQUAL(dates.numbers(asdf::time_format::mjd).back(), 51545.5);
    const asdf::times changed = dates.with_format(asdf::time_format::mjd);
    CHECK(changed.format() == asdf::time_format::mjd);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "differ", asdf::times::of_jd({1.0}, {}, asdf::time_scale::utc));
    FAILS(ASDF_ERR_UNSUPPORTED, "tdb", dates.numbers(asdf::time_format::unix_));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "constant", dates.with_format(static_cast<asdf::time_format>(0)));
}

static asdf::table through_ecsv(const asdf::table &table, const char *path) {
    asdf::write_ecsv_options options;
    options.replace = true;
    table.write_ecsv(path, options);
    return asdf::table::read_ecsv(path);
}

static void columns() {
    const asdf::time_point start{1'798'761'600s + 123'456'789ns};
    using days = std::chrono::duration<std::int32_t, std::ratio<86400>>;
    using day = std::chrono::time_point<std::chrono::system_clock, days>;
    asdf::table table(2);
    table.add_column("start", std::vector<asdf::time_point>{start, start}, {{}, "first"});
    table.set_times("start", 1, asdf::times(start + 1s));
    FAILS(ASDF_ERR_OUT_OF_RANGE, "row", table.set_times("start", 2, asdf::times(start)));
    table.add_column("end", std::vector<std::optional<asdf::time_point>>{start, std::nullopt});
    table.add_column("day", std::vector<day>{day(days(0)), day(days(20'000))});
    table.add_column("span", std::vector<std::chrono::milliseconds>{1500ms, -1ms});
    table.add_column("wait", std::vector<std::optional<std::chrono::nanoseconds>>{1ns, std::nullopt});
    table.add_column("tdb", asdf::times::of_jd({2451545.0, 2451546.0}, {1e-17, 0.0}, asdf::time_scale::tdb));
    const auto check = [&](const asdf::table &read) {
        CHECK(read.times("start").time_points() == std::vector<asdf::time_point>({start, start + 1s}));
        CHECK(read.time_points("end") == std::vector<std::optional<asdf::time_point>>({start, std::nullopt}));
        CHECK(read.times("day").has_dates() && !read.times("start").has_dates());
        EQUAL(read.times("day").text(1, asdf::time_format::iso, 0), "2024-10-04 00:00:00");
        CHECK(read.durations("span") == std::vector<std::optional<std::chrono::nanoseconds>>({1500ms, -1ms}));
        CHECK(read.durations("wait") == std::vector<std::optional<std::chrono::nanoseconds>>({1ns, std::nullopt}));
        CHECK(read.time_kind("start") == asdf::kind::time && read.time_kind("span") == asdf::kind::time_delta);
        EQUAL(read["start"].description(), "first");
        CHECK(read.times("tdb").scale() == asdf::time_scale::tdb);
        FAILS(ASDF_ERR_UNSUPPORTED, "tdb", read.time_points("tdb"));
        FAILS(ASDF_ERR_WRONG_TYPE, "span", read.times("span"));
        FAILS(ASDF_ERR_WRONG_TYPE, "start", read.durations("start"));
        FAILS(ASDF_ERR_NOT_FOUND, "none", read.times("none"));
    };
    check(table);
    const asdf::table read = through_ecsv(table, "times.ecsv");
    check(read);
    EQUAL(read.times("tdb").jd().second.front(), 1e-17);
    asdf::file out;
    out["t"] = table;
    check(asdf::file::open_memory(out.write_memory())["t"].get_table());
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "rows", table.add_column("x", std::vector<asdf::time_point>{start}));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "rows", table.add_column("x", std::vector<std::chrono::seconds>{1s}));
    FAILS(
        ASDF_ERR_OUT_OF_RANGE, "nanoseconds",
        table.add_column("x", std::vector<std::chrono::hours>{std::chrono::hours(1), std::chrono::hours(10'000'000)}));
    FAILS(ASDF_ERR_VALUE_RANGE, "beginning", table.times("start").dates());
}

int main() {
    columns();
    the_clock();
    leap_seconds();
    numbers();
    return report();
}
