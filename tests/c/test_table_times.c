/* Columns of times and spans of time in tables. */
#include "check.h"
#include <math.h>

static const int64_t nanoseconds[3] = {1577840523123456789, INT64_MIN, 946684800000000000};

static asdf_table *table_of(int64_t rows) {
    asdf_table *table = NULL;
    OK(asdf_table_new(rows, &table));
    return table;
}

static void times(void) {
    const int64_t shape[1] = {3};
    int64_t back[3] = {9, 9, 9}, count = 9;
    int32_t kind = 9, scale = 9, format = 9, has = 9;
    double x = 0, y = 0, z = 0;
    asdf_time *time = NULL, *placed = NULL, *read = NULL, *single = NULL;
    OK(asdf_time_from_nanoseconds(nanoseconds, 1, shape, 0, NULL, &time));
    OK(asdf_time_with_location(time, 1.0, 2.0, 3.0, &placed));
    asdf_table *table = table_of(3);
    OK(asdf_table_add_time(table, "start", placed));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_add_time(table, "start", time));
    OK(asdf_time_from_nanoseconds(nanoseconds, 0, NULL, 0, NULL, &single));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_add_time(table, "single", single));
    /* Cells are replaced, and keep the place. */
    FAILS(ASDF_ERR_NOT_FOUND, asdf_table_set_time(table, "none", 0, single));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_table_set_time(table, "start", 3, single));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_table_set_time(table, "start", -1, single));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_table_set_time(table, "start", 1, time));
    OK(asdf_table_set_time(table, "start", 2, single));
    OK(asdf_table_time(table, "start", NULL, &read));
    OK(asdf_time_read_nanoseconds(read, ASDF_TIME_SCALE_UTC, back, NULL, 3));
    CHECK(back[0] == nanoseconds[0] && back[1] == nanoseconds[1] && back[2] == nanoseconds[0]);
    asdf_time_free(read);
    /* Texts are cells if they are times. */
    static const char cells[] = "2027-01-31T04:05:062027-01-31T04:05:xx";
    asdf_options *options = NULL;
    asdf_datatype *nineteen = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_datatype_string(ASDF_ASCII, 19, &nineteen));
    OK(asdf_options_set_datatype(options, nineteen));
    OK(asdf_table_set_text(table, "start", 1, 0, cells, 19));
    FAILS(ASDF_ERR_VALUE_RANGE, asdf_table_set_text(table, "start", 1, 0, "garbage", 7));
    char message[200];
    OK(asdf_error_message(message, sizeof message, NULL));
    CHECK(strstr(message, "row 1: 'garbage' is not a time of format 'isot' in scale utc"));
    OK(asdf_table_set_cells(table, "start", 1, 1, 0, cells, 19, NULL, 0, options));
    FAILS(ASDF_ERR_VALUE_RANGE, asdf_table_set_cells(table, "start", 1, 2, 0, cells, 38, NULL, 0, options));
    asdf_datatype_free(nineteen);
    asdf_options_free(options);
    OK(asdf_table_set_time(table, "start", 0, time));
    OK(asdf_table_column_count(table, &count));
    CHECK(count == 1);
    /* Other metadata, or none, leave the column one of times. */
    asdf_node *meta = NULL;
    OK(asdf_node_new_mapping(&meta));
    OK(asdf_node_set_string(meta, "survey", "deep", ASDF_NUL_TERMINATED));
    OK(asdf_table_set_meta(table, NULL));
    OK(asdf_table_set_meta(table, meta));
    asdf_node_free(meta);
    OK(asdf_table_write_ecsv(table, "times.ecsv", NULL));
    asdf_table_free(table);

    OK(asdf_table_read_ecsv("times.ecsv", NULL, &table));
    OK(asdf_table_time_kind(table, "start", &kind));
    CHECK(kind == ASDF_KIND_TIME);
    FAILS(ASDF_ERR_NOT_FOUND, asdf_table_time_kind(table, "nosuch", &kind));
    OK(asdf_table_time(table, "start", NULL, &read));
    OK(asdf_time_read_nanoseconds(read, ASDF_TIME_SCALE_UTC, back, NULL, 3));
    CHECK(memcmp(back, nanoseconds, sizeof back) == 0);
    OK(asdf_time_scale(read, &scale));
    OK(asdf_time_format(read, &format));
    OK(asdf_time_location(read, 2, &x, &y, &z));
    CHECK(scale == ASDF_TIME_SCALE_UTC && format == ASDF_TIME_FORMAT_ISOT && x == 1 && y == 2 && z == 3);
    asdf_time_free(read);
    FAILS(ASDF_ERR_NOT_FOUND, asdf_table_time(table, "nosuch", NULL, &read));
    CHECK(read == NULL);

    /* The same through an ASDF file. */
    asdf_file *file = NULL;
    OK(asdf_file_new(NULL, &file));
    asdf_node *root = root_of(file);
    OK(asdf_node_set_table(root, "t", table, NULL));
    asdf_table_free(table);
    OK(asdf_node_get_table(root, "t", NULL, &table));
    OK(asdf_table_time(table, "start", NULL, &read));
    OK(asdf_time_read_nanoseconds(read, ASDF_TIME_SCALE_UTC, back, NULL, 3));
    CHECK(memcmp(back, nanoseconds, sizeof back) == 0);
    asdf_time_free(read);
    asdf_node_free(root);
    asdf_file_free(file);

    /* Dates. */
    static const char texts[] = "2020-01-012020-01-022020-01-03";
    const int64_t offsets[4] = {0, 10, 20, 30};
    asdf_time *days = NULL, *dates = NULL;
    OK(asdf_time_from_texts(texts, 30, offsets, 1, shape, 0, ASDF_TIME_FORMAT_ISO, NULL, &days));
    OK(asdf_time_has_dates(days, &has));
    CHECK(has == 0);
    OK(asdf_time_with_dates(days, &dates));
    FAILS(ASDF_ERR_VALUE_RANGE, asdf_time_with_dates(time, &read));
    FAILS(ASDF_ERR_WRONG_HANDLE, asdf_time_has_dates((const asdf_time *)table, &has));
    OK(asdf_table_add_time(table, "day", dates));
    OK(asdf_table_time(table, "day", NULL, &read));
    OK(asdf_time_has_dates(read, &has));
    CHECK(has == 1);
    asdf_time_free(read);
    asdf_time_free(days);
    asdf_time_free(dates);
    asdf_time_free(time);
    asdf_time_free(placed);
    asdf_time_free(single);
    asdf_table_free(table);
}

static void spans(void) {
    const int64_t given[2] = {129600000000001, INT64_MIN};
    int64_t back[2] = {9, 9}, count = 9;
    int32_t scale = 9, kind = 9;
    double jd1[2] = {9, 9}, jd2[2] = {9, 9}, rest[2] = {9, 9};
    OK(asdf_time_delta_from_nanoseconds(given, 2, jd1, jd2, 2));
    CHECK(jd1[0] == 2 && isnan(jd1[1]) && isnan(jd2[1]));
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_time_delta_from_nanoseconds(given, 2, jd1, jd2, 1));
    OK(asdf_time_delta_to_nanoseconds(jd1, jd2, 2, back, NULL, 2));
    CHECK(memcmp(back, given, sizeof back) == 0);
    asdf_table *table = table_of(2);
    OK(asdf_table_add_time_delta(table, "span", jd1, jd2, 0, NULL, ASDF_TIME_SCALE_TAI, "sec"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_add_time_delta(table, "span", jd1, jd2, 0, NULL, 0, "sec"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_table_add_time_delta(table, "more", jd1, jd2, 0, NULL, 99, "sec"));
    OK(asdf_table_write_ecsv(table, "spans.ecsv", NULL));
    asdf_table_free(table);
    OK(asdf_table_read_ecsv("spans.ecsv", NULL, &table));
    OK(asdf_table_time_kind(table, "span", &kind));
    CHECK(kind == ASDF_KIND_TIME_DELTA);
    OK(asdf_table_read_time_delta(table, "span", NULL, NULL, 0, &count, &scale));
    CHECK(count == 2 && scale == ASDF_TIME_SCALE_TAI);
    jd1[0] = jd1[1] = 9;
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_table_read_time_delta(table, "span", jd1, jd2, 1, &count, NULL));
    OK(asdf_table_read_time_delta(table, "span", jd1, jd2, 2, &count, NULL));
    CHECK(jd1[0] == 2 && isnan(jd1[1]));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_table_read_time_delta(table, "nosuch", jd1, jd2, 2, &count, NULL));
    asdf_time *time = NULL;
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_table_time(table, "span", NULL, &time));
    asdf_table_free(table);

    /* A third of a nanosecond is told or refused. */
    jd1[0] = 0;
    jd2[0] = 1e-9 / 86400 / 3;
    FAILS(ASDF_ERR_VALUE_RANGE, asdf_time_delta_to_nanoseconds(jd1, jd2, 1, back, NULL, 1));
    OK(asdf_time_delta_to_nanoseconds(jd1, jd2, 1, back, rest, 1));
    CHECK(back[0] == 0 && fabs(rest[0] - 1.0 / 3) < 1e-6);
    jd1[0] = 1e9;
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_time_delta_to_nanoseconds(jd1, jd2, 1, back, rest, 1));
}

static void arrow(void) {
    static const char texts[] = "2016-12-31T23:59:60.52020-01-01T00:00:00.0";
    const int64_t offsets[3] = {0, 21, 42}, shape[1] = {2}, clock[2] = {1577840523123456789, INT64_MIN};
    struct ArrowSchema schema;
    struct ArrowArray array;
    asdf_time *time = NULL, *leap = NULL, *read = NULL;
    asdf_options *raw = NULL;
    asdf_report *report = NULL;
    int64_t back[2] = {9, 9}, count = 9;
    asdf_table *table = table_of(2), *again = NULL;
    OK(asdf_time_from_nanoseconds(clock, 1, shape, 0, NULL, &time));
    OK(asdf_time_from_texts(texts, 42, offsets, 1, shape, 0, 0, NULL, &leap));
    OK(asdf_table_add_time(table, "start", time));
    OK(asdf_table_add_time(table, "leap", leap));
    OK(asdf_table_export_arrow(table, NULL, &schema, &array));
    CHECK(strcmp(schema.children[0]->format, "tsn:UTC") == 0 && strcmp(schema.children[1]->format, "U") == 0);
    CHECK(((const int64_t *)array.children[0]->buffers[1])[0] == clock[0] && array.children[0]->null_count == 1);
    /* The leap second is told. */
    OK(asdf_table_report(table, &report));
    OK(asdf_report_count(report, &count, NULL));
    CHECK(count == 1);
    asdf_report_free(report);
    OK(asdf_table_import_arrow(&schema, &array, NULL, &again));
    OK(asdf_table_time(again, "start", NULL, &read));
    OK(asdf_time_read_nanoseconds(read, ASDF_TIME_SCALE_UTC, back, NULL, 2));
    CHECK(memcmp(back, clock, sizeof back) == 0);
    OK(asdf_options_new(&raw));
    OK(asdf_options_set_int(raw, ASDF_OPTION_RAW_COLUMNS, 1));
    OK(asdf_table_export_arrow(table, raw, &schema, &array));
    CHECK(strcmp(schema.children[0]->format, "U") == 0);
    schema.release(&schema);
    array.release(&array);
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(raw, ASDF_OPTION_RAW_COLUMNS, 2));
    asdf_options_free(raw);
    asdf_time_free(read);
    asdf_time_free(time);
    asdf_time_free(leap);
    asdf_table_free(table);
    asdf_table_free(again);
}

int main(void) {
    arrow();
    times();
    spans();
    return report();
}
