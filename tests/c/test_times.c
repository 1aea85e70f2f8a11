/* Points in time: reading, conversion, making, storing. */
#include "check.h"
#include <math.h>

static asdf_time *of_text(const char *text, int32_t scale, int32_t format) {
    const int64_t offsets[2] = {0, (int64_t)strlen(text)};
    asdf_time *time = NULL;
    OK(asdf_time_from_texts(text, strlen(text), offsets, 0, NULL, scale, format, NULL, &time));
    return time;
}

static int64_t warnings_of(const asdf_time *time) {
    asdf_report *report = NULL;
    int64_t count = -1;
    OK(asdf_time_report(time, &report));
    OK(asdf_report_count(report, &count, NULL));
    asdf_report_free(report);
    return count;
}

static void reading(void) {
    asdf_file *file =
        open_tree("leap: !time/time-1.4.0 2016-12-31T23:59:60.5\n"
                  "many: !time/time-1.4.0 {value: [['2000-01-01', '2000-01-02 00:00:00.25']], scale: tai}\n"
                  "place: !time/time-1.4.0 {value: 51544.5, format: mjd, location: {x: 1.0, y: 2.0, z: 3.0}}\n"
                  "tdb: !time/time-1.4.0 {value: 2451545.0, format: jd, scale: tdb}\nnone: now\nfar: 2030-01-01\n");
    asdf_node *root = root_of(file);
    asdf_time *time = NULL, *other = NULL;
    int32_t scale = 9, format = 9, rank = 9;
    int64_t count = 9, shape[2] = {9, 9}, since[2] = {9, 9};
    double jd1[2] = {9, 9}, jd2[2] = {9, 9}, x = 9, y = 9, z = 9, rest[2] = {9, 9};
    uint8_t mask[2] = {9, 9};
    FAILS(ASDF_ERR_TAG_CONTENT, asdf_node_get_time(root, "none", NULL, &time));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_get_time(root, "missing", NULL, &time));
    CHECK(time == NULL);

    OK(asdf_node_get_time(root, "leap", NULL, &time));
    OK(asdf_time_scale(time, &scale));
    OK(asdf_time_format(time, &format));
    OK(asdf_time_shape(time, NULL, 0, &rank));
    OK(asdf_time_count(time, &count));
    CHECK(scale == ASDF_TIME_SCALE_UTC && format == ASDF_TIME_FORMAT_ISOT && rank == 0 && count == 1);
    CHECK(warnings_of(time) == 0);
    char text[40] = "";
    OK(asdf_time_text(time, 0, ASDF_TIME_FORMAT_ISO, -1, text, sizeof text, NULL));
    CHECK(strcmp(text, "2016-12-31 23:59:60.500") == 0);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_time_text(time, 0, ASDF_TIME_FORMAT_ISO, -1, text, 23, NULL));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_time_text(time, 1, ASDF_TIME_FORMAT_ISO, -1, text, sizeof text, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_time_text(time, 0, ASDF_TIME_FORMAT_ISO, 10, text, sizeof text, NULL));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_time_text(time, 0, ASDF_TIME_FORMAT_JD, 3, text, sizeof text, NULL));
    /* A leap second has a place in TAI, but none in UTC. */
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_time_read_nanoseconds(time, ASDF_TIME_SCALE_UTC, since, NULL, 1));
    CHECK(since[0] == 9);
    OK(asdf_time_read_nanoseconds(time, ASDF_TIME_SCALE_TAI, since, NULL, 1));
    CHECK(since[0] == 1483228836500000000);
    FAILS(ASDF_ERR_NOT_FOUND, asdf_time_location(time, 0, &x, &y, &z));
    OK(asdf_time_convert(time, ASDF_TIME_SCALE_TT, &other));
    OK(asdf_time_text(other, 0, ASDF_TIME_FORMAT_ISOT, 3, text, sizeof text, NULL));
    CHECK(strcmp(text, "2017-01-01T00:01:08.684") == 0);
    asdf_time_free(other);
    FAILS(ASDF_ERR_UNSUPPORTED, asdf_time_convert(time, ASDF_TIME_SCALE_TDB, &other));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_time_convert(time, 99, &other));
    CHECK(other == NULL);
    asdf_time_free(time);

    OK(asdf_node_get_time(root, "many", NULL, &time));
    OK(asdf_time_shape(time, shape, 2, &rank));
    CHECK(rank == 2 && shape[0] == 1 && shape[1] == 2);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_time_shape(time, shape, 1, &rank));
    OK(asdf_time_read_jd(time, jd1, jd2, 2));
    CHECK(jd1[0] == 2451544 && jd2[0] == 0.5 && jd1[1] + jd2[1] == 2451545.5 + 0.25 / 86400);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_time_read_jd(time, jd1, jd2, 1));
    OK(asdf_time_read_numbers(time, ASDF_TIME_FORMAT_MJD, jd1, 2));
    CHECK(jd1[0] == 51544);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_time_read_numbers(time, ASDF_TIME_FORMAT_MJD, jd1, 1));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_time_read_numbers(time, ASDF_TIME_FORMAT_ISO, jd1, 2));
    OK(asdf_time_read_mask(time, mask, 2));
    CHECK(mask[0] == 0 && mask[1] == 0);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_time_read_mask(time, mask, 1));
    OK(asdf_time_read_nanoseconds(time, ASDF_TIME_SCALE_TAI, since, rest, 2));
    CHECK(since[1] == 946771200250000000 && rest[1] == 0);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_time_read_nanoseconds(time, ASDF_TIME_SCALE_TAI, since, NULL, 1));
    OK(asdf_time_retain(time, &other));
    asdf_time_free(time);
    OK(asdf_time_count(other, &count));
    CHECK(count == 2);
    asdf_time_free(other);

    OK(asdf_node_get_time(root, "place", NULL, &time));
    OK(asdf_time_location(time, 0, &x, &y, &z));
    CHECK(x == 1 && y == 2 && z == 3);
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_time_location(time, 1, &x, &y, &z));
    asdf_time_free(time);

    OK(asdf_node_get_time(root, "tdb", NULL, &time));
    FAILS(ASDF_ERR_UNSUPPORTED, asdf_time_read_numbers(time, ASDF_TIME_FORMAT_UNIX, jd1, 1));
    asdf_time_free(time);
    OK(asdf_node_get_time(root, "far", NULL, &time));
    CHECK(warnings_of(time) == 1);
    asdf_time_free(time);
    asdf_node_free(root);
    asdf_file_free(file);
}

/* A table of leap seconds of 1972 instead of that of the library. */
static void leap_seconds(void) {
    static const char table[] = "2272060800 10\n2287785600 11\n";
    asdf_options *options = NULL;
    const int64_t since = 1893456000000000000;
    int64_t tai = 0;
    asdf_time *time = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_text(options, ASDF_OPTION_LEAP_SECONDS, SIZED(table)));
    OK(asdf_time_from_nanoseconds(&since, 0, NULL, 0, options, &time));
    OK(asdf_time_read_nanoseconds(time, ASDF_TIME_SCALE_TAI, &tai, NULL, 1));
    CHECK(tai - since == 11000000000 && warnings_of(time) == 0);
    asdf_time_free(time);
    OK(asdf_options_set_text(options, ASDF_OPTION_LEAP_SECONDS, SIZED("2272060800 ten")));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_time_from_nanoseconds(&since, 0, NULL, 0, options, &time));
    FILE *file = fopen("leap-seconds.list", "w");
    CHECK(file && fputs(table, file) >= 0 && fclose(file) == 0);
    OK(asdf_options_set_text(options, ASDF_OPTION_LEAP_SECONDS_FILE, SIZED("leap-seconds.list")));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_time_from_nanoseconds(&since, 0, NULL, 0, options, &time));
    OK(asdf_options_unset(options, ASDF_OPTION_LEAP_SECONDS));
    OK(asdf_time_from_nanoseconds(&since, 0, NULL, 0, options, &time));
    OK(asdf_time_read_nanoseconds(time, ASDF_TIME_SCALE_TAI, &tai, NULL, 1));
    CHECK(tai - since == 11000000000);
    asdf_time_free(time);
    OK(asdf_options_set_text(options, ASDF_OPTION_LEAP_SECONDS_FILE, SIZED("none.list")));
    FAILS(ASDF_ERR_FILE_NOT_FOUND, asdf_time_from_nanoseconds(&since, 0, NULL, 0, options, &time));
    asdf_options_free(options);
    remove("leap-seconds.list");
}

static void making(void) {
    asdf_file *file = NULL;
    OK(asdf_file_new(NULL, &file));
    asdf_node *root = root_of(file);
    const int64_t shape[1] = {2}, wrong[1] = {-1};
    const int64_t clock[2] = {1798761600000000000, INT64_MIN};
    const double jd1[2] = {2451545, 2451546}, jd2[2] = {0.25, -0.5}, bad[2] = {NAN, INFINITY};
    asdf_time *time = NULL, *other = NULL;
    OK(asdf_time_from_jd(jd1, jd2, 1, shape, ASDF_TIME_SCALE_TDB, ASDF_TIME_FORMAT_JD, NULL, &time));
    OK(asdf_node_set_times(root, "jd", time, NULL));
    asdf_time_free(time);
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_time_from_jd(jd1, bad, 1, shape, 0, ASDF_TIME_FORMAT_JD, NULL, &time));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_time_from_jd(jd1, jd2, 1, wrong, 0, ASDF_TIME_FORMAT_JD, NULL, &time));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_time_from_jd(jd1, jd2, 1, shape, 0, 0, NULL, &time));
    OK(asdf_time_from_numbers(bad, 0, NULL, 0, ASDF_TIME_FORMAT_GPS, NULL, &time));
    int32_t scale = 0;
    OK(asdf_time_scale(time, &scale));
    CHECK(scale == ASDF_TIME_SCALE_TAI);
    FAILS(ASDF_ERR_UNSUPPORTED, asdf_node_set_times(root, "single", time, NULL));
    asdf_time_free(time);
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_time_from_numbers(bad, 1, shape, 0, ASDF_TIME_FORMAT_GPS, NULL, &time));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_time_from_numbers(jd1, 0, NULL, 0, ASDF_TIME_FORMAT_ISO, NULL, &time));

    OK(asdf_time_from_nanoseconds(clock, 1, shape, 0, NULL, &time));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_time_from_nanoseconds(clock, 1, shape, 99, NULL, &other));
    OK(asdf_time_with_format(time, ASDF_TIME_FORMAT_DATETIME64, &other));
    OK(asdf_node_set_times(root, "clock", other, NULL));
    asdf_time_free(other);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_time_with_format(time, 0, &other));
    TEXT("datetime64", asdf_node_get_string, root, "clock/base_format");
    OK(asdf_node_get_time(root, "clock", NULL, &other));
    int64_t since[2] = {0, 0};
    OK(asdf_time_read_nanoseconds(other, ASDF_TIME_SCALE_UTC, since, NULL, 2));
    CHECK(since[0] == clock[0] && since[1] == INT64_MIN);
    asdf_time_free(other);
    const uint8_t mask[2] = {1, 0};
    uint8_t read[2] = {9, 9};
    OK(asdf_time_with_mask(time, mask, 2, &other));
    OK(asdf_time_read_mask(other, read, 2));
    CHECK(read[0] == 1 && read[1] == 0);
    asdf_time_free(other);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_time_with_mask(time, mask, 1, &other));
    double x = 0, y = 0, z = 0;
    OK(asdf_time_with_location(time, 1, 2, 3, &other));
    OK(asdf_node_set_times(root, "place", other, NULL));
    asdf_time_free(other);
    OK(asdf_node_get_time(root, "place", NULL, &other));
    OK(asdf_time_location(other, 1, &x, &y, &z));
    CHECK(x == 1 && y == 2 && z == 3);
    asdf_time_free(other);
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_time_with_location(time, NAN, 2, 3, &other));
    asdf_time_free(time);

    time = of_text("J2000.0", 0, 0);
    OK(asdf_node_set_times(root, "epoch", time, NULL));
    TEXT("J2000.0", asdf_node_get_string, root, "epoch/value");
    asdf_time_free(time);
    time = of_text("2451545.000000000000001", ASDF_TIME_SCALE_TT, ASDF_TIME_FORMAT_JD);
    double first = 0, second = 0, rest = 0;
    OK(asdf_time_read_jd(time, &first, &second, 1));
    CHECK(first == 2451545 && second == 1e-15);
    /* 86 ps after noon. */
    FAILS(ASDF_ERR_VALUE_RANGE, asdf_time_read_nanoseconds(time, ASDF_TIME_SCALE_TT, since, NULL, 1));
    OK(asdf_time_read_nanoseconds(time, ASDF_TIME_SCALE_TT, since, &rest, 1));
    CHECK(since[0] == 946728000000000000 && rest > 0.05 && rest < 0.12);
    asdf_time_free(time);
    const int64_t offsets[2] = {0, 3};
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_time_from_texts("now", 3, offsets, 0, NULL, 0, 0, NULL, &time));
    asdf_node_free(root);
    asdf_file_free(file);
}

static void spans(void) {
    asdf_file *file = NULL;
    OK(asdf_file_new(NULL, &file));
    asdf_node *root = root_of(file);
    const int64_t shape[1] = {2};
    const double jd1[2] = {1, 2}, jd2[2] = {0.25, 1e-15};
    double days[2] = {9, 9}, rests[2] = {9, 9};
    int64_t count = 0;
    OK(asdf_node_set_time_delta(root, "span", jd1, jd2, 1, shape, ASDF_TIME_SCALE_TAI, "sec", NULL));
    TEXT("tai", asdf_node_get_string, root, "span/scale");
    OK(asdf_node_get_time_delta(root, "span", NULL, NULL, 0, &count));
    CHECK(count == 2);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_node_get_time_delta(root, "span", days, rests, 1, &count));
    CHECK(days[0] == 9 && rests[0] == 9);
    OK(asdf_node_get_time_delta(root, "span", days, rests, 2, &count));
    CHECK(days[1] == 2 && rests[1] == 1e-15 && rests[0] == 0.25);
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_node_get_time_delta(root, "span/jd1", days, rests, 2, &count));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_time_delta(root, "s", jd1, jd2, 0, NULL, 99, "sec", NULL));
    asdf_node_free(root);
    asdf_file_free(file);
}

int main(void) {
    reading();
    leap_seconds();
    making();
    spans();
    return report();
}
