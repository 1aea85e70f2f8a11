/* Values of descriptions: read all at once as numbers or strings, and one by one in NDL notation. */
#include "check.h"
#include <math.h>

static const char text[] =
    "attributes: {title: t, n: {shape: [2], type: uint64, value: [7, 18446744073709551615]}}\n"
    "dimcoords:\n"
    "  x: {size: 3, type: float32, value: [0.5, 1, .nan]}\n"
    "ndarrays:\n"
    "  image: {shape: [2, 3], type: int16, value: [[1, 2, 3], [4, 5, -6]]}\n"
    "  state: {shape: [2], type: {enum: {members: {OFF: 0, ON: 200}}}, value: [ON, OFF]}\n"
    "  truth: {shape: [2], type: {enum: {members: {'FALSE': 0, 'TRUE': 1}}}, value: [TRUE, FALSE]}\n"
    "  vectors: {shape: [2], type: {array: {base: float64, shape: [2]}}, value: [[1, 2], [3, 4]]}\n"
    "  bytes: {shape: [2], type: {opaque: {size: 3}}, value: [AQID, BA==]}\n"
    "  names: {shape: [2], type: string, value: [caf\xC3\xA9, ab]}\n"
    "  links: {shape: [2], type: objref, value: [/image, null]}\n"
    "  records: {shape: [1], type: {compound: [k: int8, t: string]}, value: [[1, '[x, y]']]}\n"
    "  lists: {shape: [2], type: {vlen: {base: int8}}, value: [[1, 2], []]}\n"
    "  regions: {shape: [1], type: {regref: {selection: element}}, value: [{target: /image, selection: [[0, 2]]}]}\n"
    "  nothing: {shape: [2], type: int8}\n"
    "  none: {shape: [0], type: int8, value: []}\n";

static asdf_ndl *ndl;

static void numbers(void) {
    double x[3], vectors[4];
    int64_t image[6];
    uint64_t n[2];
    uint8_t small[6];
    OK(asdf_ndl_read_values(ndl, "/x", NULL, ASDF_FLOAT64, NULL, x, sizeof x));
    CHECK(x[0] == 0.5 && x[1] == 1 && isnan(x[2]));
    OK(asdf_ndl_read_values(ndl, "/image", NULL, ASDF_INT64, NULL, image, sizeof image));
    CHECK(image[0] == 1 && image[5] == -6);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL,
          asdf_ndl_read_values(ndl, "/image", NULL, ASDF_INT64, NULL, image, sizeof image - 1));
    FAILS(ASDF_ERR_OVERFLOW, asdf_ndl_read_values(ndl, "/image", NULL, ASDF_UINT8, NULL, small, sizeof small));
    CHECK(message_holds("element 5"));
    FAILS(ASDF_ERR_OVERFLOW, asdf_ndl_read_values(ndl, "/x", NULL, ASDF_INT64, NULL, image, sizeof image));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, asdf_ndl_read_values(ndl, "/image", NULL, 99, NULL, image, sizeof image));
    OK(asdf_ndl_read_values(ndl, "/", "n", ASDF_UINT64, NULL, n, sizeof n));
    CHECK(n[0] == 7 && n[1] == UINT64_MAX);
    FAILS(ASDF_ERR_OVERFLOW, asdf_ndl_read_values(ndl, "/", "n", ASDF_INT64, NULL, image, sizeof image));
    OK(asdf_ndl_read_values(ndl, "/vectors", NULL, ASDF_FLOAT64, NULL, vectors, sizeof vectors));
    CHECK(vectors[0] == 1 && vectors[3] == 4);
    OK(asdf_ndl_read_values(ndl, "/bytes", NULL, ASDF_UINT8, NULL, small, sizeof small));
    CHECK(memcmp(small, "\1\2\3\4\0\0", 6) == 0);
    OK(asdf_ndl_read_values(ndl, "/none", NULL, ASDF_UINT8, NULL, NULL, 0));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_ndl_read_values(ndl, "/nothing", NULL, ASDF_UINT8, NULL, small, sizeof small));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_ndl_read_values(ndl, "/other", NULL, ASDF_UINT8, NULL, small, sizeof small));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_ndl_read_values(ndl, "/", "other", ASDF_UINT8, NULL, small, sizeof small));
}

static void constants(void) {
    uint8_t state[2], truth[2];
    double number[2];
    OK(asdf_ndl_read_values(ndl, "/state", NULL, ASDF_UINT8, NULL, state, sizeof state));
    CHECK(state[0] == 200 && state[1] == 0);
    OK(asdf_ndl_read_values(ndl, "/truth", NULL, ASDF_BOOL8, NULL, truth, sizeof truth));
    CHECK(truth[0] == 1 && truth[1] == 0);
    OK(asdf_ndl_read_values(ndl, "/truth", NULL, ASDF_FLOAT64, NULL, number, sizeof number));
    CHECK(number[0] == 1 && number[1] == 0);
    FAILS(ASDF_ERR_CONVERSION, asdf_ndl_read_values(ndl, "/state", NULL, ASDF_BOOL8, NULL, truth, sizeof truth));
}

static void orders(void) {
    asdf_options *options = NULL;
    uint8_t image[6];
    OK(asdf_options_new(&options));
    OK(asdf_options_set_int(options, ASDF_OPTION_ORDER, ASDF_ORDER_FORTRAN));
    OK(asdf_options_set_int(options, ASDF_OPTION_CLAMP, 1));
    OK(asdf_ndl_read_values(ndl, "/image", NULL, ASDF_UINT8, options, image, sizeof image));
    CHECK(memcmp(image, "\1\4\2\5\3\0", 6) == 0);
    asdf_options_free(options);
}

static void strings(void) {
    asdf_datatype *five = NULL, *four = NULL, *units = NULL, *number = NULL;
    char name[20];
    uint32_t unit[8];
    OK(asdf_datatype_string(ASDF_ASCII, 5, &five));
    OK(asdf_datatype_string(ASDF_ASCII, 4, &four));
    OK(asdf_datatype_string(ASDF_UCS4, 4, &units));
    OK(asdf_datatype_scalar(ASDF_INT16, &number));
    OK(asdf_ndl_read_values(ndl, "/names", NULL, 0, of_type(five), name, sizeof name));
    CHECK(memcmp(name,
                 "caf\xC3\xA9"
                 "ab\0\0",
                 10) == 0);
    FAILS(ASDF_ERR_OVERFLOW, asdf_ndl_read_values(ndl, "/names", NULL, 0, of_type(four), name, sizeof name));
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_ndl_read_values(ndl, "/names", NULL, 0, of_type(five), name, 9));
    OK(asdf_ndl_read_values(ndl, "/names", NULL, 0, of_type(units), unit, sizeof unit));
    CHECK(unit[3] == 0xE9 && unit[4] == 'a' && unit[6] == 0);
    OK(asdf_ndl_read_values(ndl, "/state", NULL, 0, of_type(five), name, sizeof name));
    CHECK(memcmp(name, "ON\0\0\0OFF\0", 10) == 0);
    FAILS(ASDF_ERR_OVERFLOW, asdf_ndl_read_values(ndl, "/links", NULL, 0, of_type(five), name, sizeof name));
    OK(asdf_ndl_read_values(ndl, "/image", NULL, 0, of_type(number), name, sizeof name));
    FAILS(ASDF_ERR_CONVERSION, asdf_ndl_read_values(ndl, "/image", NULL, 0, of_type(five), name, sizeof name));
    FAILS(ASDF_ERR_CONVERSION, asdf_ndl_read_values(ndl, "/names", NULL, 0, of_type(number), name, sizeof name));
    FAILS(ASDF_ERR_CONVERSION, asdf_ndl_read_values(ndl, "/records", NULL, 0, of_type(five), name, sizeof name));
    FAILS(ASDF_ERR_CONVERSION, asdf_ndl_read_values(ndl, "/lists", NULL, 0, of_type(number), name, sizeof name));
    asdf_datatype_free(number);
    asdf_datatype_free(units);
    asdf_datatype_free(four);
    asdf_datatype_free(five);
}

static void records(void) {
    const char *names[] = {"k", "t"}, *others[] = {"k", "u"};
    asdf_datatype *number = NULL, *string = NULL, *record = NULL, *other = NULL;
    unsigned char bytes[8];
    const int32_t ranks[] = {0, 0};
    OK(asdf_datatype_scalar(ASDF_UINT8, &number));
    OK(asdf_datatype_string(ASDF_ASCII, 7, &string));
    const asdf_datatype *fields[] = {number, string};
    OK(asdf_datatype_record(2, names, fields, ranks, NULL, &record));
    OK(asdf_datatype_record(2, others, fields, ranks, NULL, &other));
    OK(asdf_ndl_read_values(ndl, "/records", NULL, 0, of_type(record), bytes, sizeof bytes));
    CHECK(memcmp(bytes, "\1[x, y]\0", 8) == 0);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_ndl_read_values(ndl, "/records", NULL, 0, of_type(record), bytes, 7));
    FAILS(ASDF_ERR_CONVERSION, asdf_ndl_read_values(ndl, "/records", NULL, 0, of_type(other), bytes, sizeof bytes));
    FAILS(ASDF_ERR_CONVERSION, asdf_ndl_read_values(ndl, "/image", NULL, 0, of_type(record), bytes, sizeof bytes));
    asdf_datatype_free(other);
    asdf_datatype_free(record);
    asdf_datatype_free(string);
    asdf_datatype_free(number);
}

static void notation(void) {
    char small[8] = "as it is";
    size_t needed = 0;
    TEXT(".nan", asdf_ndl_value_notation, ndl, "/x", NULL, 2);
    TEXT("t", asdf_ndl_value_notation, ndl, "/", "title", 0);
    TEXT("18446744073709551615", asdf_ndl_value_notation, ndl, "/", "n", 1);
    TEXT("\"ON\"", asdf_ndl_value_notation, ndl, "/state", NULL, 0);
    TEXT("[3.0, 4.0]", asdf_ndl_value_notation, ndl, "/vectors", NULL, 1);
    TEXT("\"BA==\"", asdf_ndl_value_notation, ndl, "/bytes", NULL, 1);
    TEXT("/image", asdf_ndl_value_notation, ndl, "/links", NULL, 0);
    TEXT("null", asdf_ndl_value_notation, ndl, "/links", NULL, 1);
    TEXT("[1, \"[x, y]\"]", asdf_ndl_value_notation, ndl, "/records", NULL, 0);
    TEXT("[1, 2]", asdf_ndl_value_notation, ndl, "/lists", NULL, 0);
    TEXT("[]", asdf_ndl_value_notation, ndl, "/lists", NULL, 1);
    TEXT("{target: /image, selection: [[0, 2]]}", asdf_ndl_value_notation, ndl, "/regions", NULL, 0);
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_ndl_value_notation(ndl, "/lists", NULL, 2, small, sizeof small, NULL));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_ndl_value_notation(ndl, "/lists", NULL, -1, small, sizeof small, NULL));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_ndl_value_notation(ndl, "/nothing", NULL, 0, small, sizeof small, NULL));
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_ndl_value_notation(ndl, "/vectors", NULL, 1, small, sizeof small, &needed));
    CHECK(needed == 10 && memcmp(small, "as it is", 8) == 0);
}

int main(void) {
    OK(asdf_ndl_read_memory(text, strlen(text), NULL, &ndl));
    numbers();
    constants();
    orders();
    strings();
    records();
    notation();
    asdf_ndl_free(ndl);
    return report();
}
