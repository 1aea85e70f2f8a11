/* Logical columns: the original columns that the metadata describe, as astropy writes them. */
#include "check.h"

#define COLUMN "!astropy.table.SerializedColumn "

static const char text[] = "# %ECSV 1.0\n"
                           "# ---\n"
                           "# datatype:\n"
                           "# - {name: plain, unit: Jy, datatype: int32}\n"
                           "# - {name: s, datatype: string}\n"
                           "# - {name: s.mask, datatype: bool}\n"
                           "# - {name: q, unit: m, datatype: float64}\n"
                           "# - {name: t.jd1, datatype: float64}\n"
                           "# - {name: t.jd2, datatype: float64}\n"
                           "# - {name: t.mask, datatype: bool}\n"
                           "# meta: !!omap\n"
                           "# - __serialized_columns__:\n"
                           "#     s:\n"
                           "#       __class__: astropy.table.column.MaskedColumn\n"
                           "#       data: " COLUMN "{name: s}\n"
                           "#       mask: " COLUMN "{name: s.mask}\n"
                           "#     q:\n"
                           "#       __class__: astropy.units.quantity.Quantity\n"
                           "#       unit: !astropy.units.Unit {unit: km}\n"
                           "#       value: " COLUMN "{name: q}\n"
                           "#     t:\n"
                           "#       __class__: astropy.time.core.Time\n"
                           "#       format: isot\n"
                           "#       scale: tai\n"
                           "#       jd1: " COLUMN "\n"
                           "#         __class__: astropy.utils.masked.core.MaskedNDArray\n"
                           "#         data: " COLUMN "{name: t.jd1}\n"
                           "#         mask: " COLUMN "{name: t.mask}\n"
                           "#       jd2: " COLUMN "{name: t.jd2}\n"
                           "#     lost:\n"
                           "#       __class__: no.such.Class\n"
                           "#       value: " COLUMN "{name: gone}\n"
                           "#     wrong:\n"
                           "#       data: " COLUMN "{name: plain}\n"
                           "#       mask: " COLUMN "{name: q}\n"
                           "plain s s.mask q t.jd1 t.jd2 t.mask\n"
                           "1 a False 1.5 2459000.5 0.25 True\n"
                           "2 b True 2.5 2459001.5 0.5 False\n"
                           "3 \"\" False 3.5 2459002.5 0.75 False\n";

static asdf_table *table;
static asdf_logical_columns *columns;

static int64_t number(asdf_status (*ask)(const asdf_logical_columns *, int64_t, int64_t *), int64_t index) {
    int64_t found = -1;
    OK(ask(columns, index, &found));
    return found;
}

static asdf_table *values_of(int64_t index) {
    asdf_table *values = NULL;
    OK(asdf_logical_columns_values(columns, index, &values));
    return values;
}

static int64_t width_of(const asdf_table *of) {
    int64_t found = -1;
    OK(asdf_table_column_count(of, &found));
    return found;
}

static void descriptions(void) {
    static const char *const expected[][3] = {{"wrong", "", "Jy"},
                                              {"s", "astropy.table.column.MaskedColumn", ""},
                                              {"q", "astropy.units.quantity.Quantity", "km"},
                                              {"t", "astropy.time.core.Time", ""},
                                              {"lost", "no.such.Class", ""}};
    int64_t count = -1;
    OK(asdf_logical_columns_count(columns, &count));
    CHECK(count == 5);
    for (int64_t i = 0; i < 5; i++) {
        TEXT(expected[i][0], asdf_logical_columns_name, columns, i);
        TEXT(expected[i][1], asdf_logical_columns_class, columns, i);
        TEXT(expected[i][2], asdf_logical_columns_unit, columns, i);
        int32_t has_unit = -1;
        OK(asdf_logical_columns_has_unit(columns, i, &has_unit));
        CHECK(has_unit == (expected[i][2][0] != 0));
    }
    size_t needed = 0;
    char small[4];
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_logical_columns_name(columns, 4, small, sizeof small, &needed));
    CHECK(needed == 4);
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_logical_columns_name(columns, 5, NULL, 0, &needed));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_logical_columns_class(columns, -1, NULL, 0, &needed));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_logical_columns_unit(columns, 5, NULL, 0, &needed));
    int32_t none = -1;
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_logical_columns_has_unit(columns, 5, &none));
    CHECK(none == -1);

    asdf_node *attributes = NULL;
    OK(asdf_logical_columns_attributes(columns, 3, &attributes));
    TEXT("tai", asdf_node_get_string, attributes, "scale");
    asdf_node_free(attributes);
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_logical_columns_attributes(columns, 5, &attributes));
    CHECK(attributes == NULL);
}

static void members(void) {
    static const char *const of_time[][2] = {{"t.jd1", "jd1/data"}, {"t.jd2", "jd2"}, {"t.mask", "jd1/mask"}};
    size_t needed = 0;
    int64_t count = 0;
    CHECK(number(asdf_logical_columns_member_count, 3) == 3);
    for (int64_t i = 0; i < 3; i++) {
        TEXT(of_time[i][0], asdf_logical_columns_member_name, columns, 3, i);
        TEXT(of_time[i][1], asdf_logical_columns_member_attribute, columns, 3, i);
    }
    TEXT("gone", asdf_logical_columns_member_name, columns, 4, 0);
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_logical_columns_member_count(columns, 5, &count));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_logical_columns_member_name(columns, 3, 3, NULL, 0, &needed));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_logical_columns_member_attribute(columns, 3, -1, NULL, 0, &needed));
}

static void values(void) {
    uint8_t mask[3];
    double doubles[3];
    char texts[3];
    asdf_datatype *one = NULL;
    OK(asdf_datatype_string(ASDF_ASCII, 1, &one));
    asdf_table *found = values_of(1);
    CHECK(width_of(found) == 1);
    OK(asdf_table_read_column(found, "s", 0, -1, 0, of_type(one), texts, 3, mask, 3));
    CHECK(memcmp(mask, "\0\1\0", 3) == 0 && texts[0] == 'a' && texts[2] == 0);
    /* The column of the file is unchanged. */
    OK(asdf_table_read_column(table, "s", 0, -1, 0, of_type(one), texts, 3, NULL, 0));
    CHECK(memcmp(texts, "ab", 3) == 0);
    asdf_table_free(found);
    asdf_datatype_free(one);

    found = values_of(2);
    OK(asdf_table_read_column(found, "q", 0, -1, ASDF_FLOAT64, NULL, doubles, sizeof doubles, NULL, 0));
    CHECK(doubles[0] == 1.5 && doubles[2] == 3.5);
    TEXT("m", asdf_table_column_unit, found, "q");
    asdf_table_free(found);

    found = values_of(3);
    CHECK(width_of(found) == 2);
    OK(asdf_table_read_column(found, "t.jd1", 0, -1, ASDF_FLOAT64, NULL, doubles, sizeof doubles, mask, 3));
    CHECK(memcmp(mask, "\1\0\0", 3) == 0 && doubles[1] == 2459001.5);
    FAILS(ASDF_ERR_MASKED,
          asdf_table_read_column(found, "t.jd1", 0, -1, ASDF_FLOAT64, NULL, doubles, sizeof doubles, NULL, 0));
    OK(asdf_table_read_column(found, "t.jd2", 0, -1, ASDF_FLOAT64, NULL, doubles, sizeof doubles, NULL, 0));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_table_read_column(found, "t.mask", 0, -1, ASDF_BOOL8, NULL, mask, 3, NULL, 0));
    asdf_table_free(found);

    FAILS(ASDF_ERR_NOT_FOUND, asdf_logical_columns_values(columns, 4, &found));
    CHECK(found == NULL && message_holds("'gone'"));
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_logical_columns_values(columns, 0, &found));
    CHECK(message_holds("'wrong'"));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_logical_columns_values(columns, 5, &found));
}

/* Columns without a description in the metadata, and owners that outlive the table. */
static void plain(void) {
    asdf_table *made = NULL, *found = NULL;
    asdf_logical_columns *first = NULL;
    asdf_node *node = NULL;
    static const int8_t ints[] = {1, 2};
    int8_t again[2];
    int64_t count = -1;
    OK(asdf_table_new(2, &made));
    OK(asdf_table_logical_columns(made, &first));
    OK(asdf_table_add_column(made, "a", ASDF_INT8, 0, NULL, ints, 2, NULL, 0, NULL));
    OK(asdf_logical_columns_count(first, &count));
    CHECK(count == 0);
    asdf_logical_columns_free(first);
    OK(asdf_table_logical_columns(made, &first));
    asdf_table_free(made);
    OK(asdf_logical_columns_retain(first, &columns));
    asdf_logical_columns_free(first);
    TEXT("a", asdf_logical_columns_name, columns, 0);
    TEXT("", asdf_logical_columns_class, columns, 0);
    TEXT("", asdf_logical_columns_member_attribute, columns, 0, 0);
    FAILS(ASDF_ERR_NOT_FOUND, asdf_logical_columns_attributes(columns, 0, &node));
    OK(asdf_logical_columns_values(columns, 0, &found));
    asdf_logical_columns_free(columns);
    OK(asdf_table_read_column(found, "a", 0, -1, ASDF_INT8, NULL, again, 2, NULL, 0));
    CHECK(again[0] == 1 && again[1] == 2);
    asdf_table_free(found);
}

/* Without the option for raw columns, values and their masks are one column, and parts keep their names. */
static void masks_are_no_columns(void) {
    static const char *const names[] = {"plain", "s", "q", "t.jd1", "t.jd2"};
    asdf_table *found = NULL;
    asdf_logical_columns *logical = NULL;
    asdf_options *options = NULL;
    uint8_t mask[3];
    double doubles[3];
    int64_t count = 0, times = 0;
    int32_t missing = -1;
    OK(asdf_table_read_ecsv_memory(text, sizeof text - 1, NULL, &found));
    CHECK(width_of(found) == 5);
    for (int64_t i = 0; i < 5; i++) TEXT(names[i], asdf_table_column_name, found, i);
    TEXT("", asdf_table_read_text, found, "s", 1, 0, &missing);
    CHECK(missing == 1);
    TEXT("", asdf_table_read_text, found, "s", 2, 0, &missing);
    CHECK(missing == 0);
    OK(asdf_table_read_column(found, "t.jd1", 0, -1, ASDF_FLOAT64, NULL, doubles, sizeof doubles, mask, 3));
    CHECK(memcmp(mask, "\1\0\0", 3) == 0 && doubles[1] == 2459001.5);
    FAILS(ASDF_ERR_NOT_FOUND, asdf_table_read_column(found, "s.mask", 0, -1, ASDF_BOOL8, NULL, mask, 3, NULL, 0));
    OK(asdf_table_logical_columns(found, &logical));
    OK(asdf_logical_columns_count(logical, &count));
    CHECK(count == 5);
    TEXT("s", asdf_logical_columns_name, logical, 1);
    TEXT("", asdf_logical_columns_class, logical, 1);
    TEXT("t", asdf_logical_columns_name, logical, 3);
    OK(asdf_logical_columns_member_count(logical, 3, &times));
    CHECK(times == 2);
    asdf_logical_columns_free(logical);
    asdf_table_free(found);

    /* A mask is read with its column, and cannot be read alone. */
    OK(asdf_options_new(&options));
    OK(asdf_options_add_text(options, ASDF_OPTION_COLUMNS, SIZED("s")));
    OK(asdf_table_read_ecsv_memory(text, sizeof text - 1, options, &found));
    CHECK(width_of(found) == 1);
    TEXT("", asdf_table_read_text, found, "s", 1, 0, &missing);
    CHECK(missing == 1);
    asdf_table_free(found);
    OK(asdf_options_add_text(options, ASDF_OPTION_COLUMNS, SIZED("s.mask")));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_table_read_ecsv_memory(text, sizeof text - 1, options, &found));
    CHECK(message_holds("mask"));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_options_set_int(options, ASDF_OPTION_RAW_COLUMNS, 2));
    OK(asdf_options_set_int(options, ASDF_OPTION_RAW_COLUMNS, 1));
    OK(asdf_table_read_ecsv_memory(text, sizeof text - 1, options, &found));
    CHECK(width_of(found) == 2);
    asdf_table_free(found);
    asdf_options_free(options);
}

int main(void) {
    asdf_options *raw = NULL;
    OK(asdf_options_new(&raw));
    OK(asdf_options_set_int(raw, ASDF_OPTION_RAW_COLUMNS, 1));
    OK(asdf_table_read_ecsv_memory(text, sizeof text - 1, raw, &table));
    asdf_options_free(raw);
    OK(asdf_table_logical_columns(table, &columns));
    descriptions();
    members();
    values();
    asdf_logical_columns_free(columns);
    asdf_table_free(table);
    plain();
    masks_are_no_columns();
    return report();
}
