/* Datatypes of descriptions: their parts. */
#include "check.h"

static const char described[] =
    "attributes:\n"
    "  on: {shape: [], type: {enum: {base: uint64, members: {NO: 0, ALL: 18446744073709551615}}}, value: NO}\n"
    "dimcoords: {x: {size: 3, type: float32}}\n"
    "ndarrays:\n"
    "  record:\n"
    "    shape: [x]\n"
    "    type:\n"
    "      compound:\n"
    "        - id: int32\n"
    "        - place: {array: {base: {compound: [{lon: float64}, {lat: float64}]}, shape: [2, 4]}}\n"
    "        - state: {enum: {members: {COLD: -5, HOT: 7}}}\n"
    "  text: {shape: [x], type: {compound: [{id: int8}, {name: string}]}}\n"
    "  list: {shape: [x], type: {vlen: {base: uint16}}}\n"
    "  image: {shape: [x], type: {opaque: {size: 12, tag: image/png}}}\n"
    "  bytes: {shape: [x], type: {opaque: {size: 9223372036854775808}}}\n"
    "  part: {shape: [x], type: {regref: {selection: element}}}\n"
    "  nothing: {shape: [x]}\n";

static asdf_ndl *ndl;

static asdf_ndl_datatype *datatype_of(const char *path, const char *attribute) {
    asdf_ndl_datatype *datatype = NULL;
    OK(asdf_ndl_get_datatype(ndl, path, attribute, &datatype));
    return datatype;
}

/* Returns the datatype inside another one, which is freed. */
static asdf_ndl_datatype *into(asdf_ndl_datatype *datatype, int64_t member) {
    asdf_ndl_datatype *inner = NULL;
    if (member < 0) {
        OK(asdf_ndl_datatype_base(datatype, &inner));
    } else {
        OK(asdf_ndl_datatype_member(datatype, member, &inner));
    }
    asdf_ndl_datatype_free(datatype);
    return inner;
}

static void check_size(const asdf_ndl_datatype *datatype, int64_t expected) {
    int64_t size = -2;
    OK(asdf_ndl_datatype_element_size(datatype, &size));
    CHECK(size == expected);
}

static void compounds(void) {
    asdf_ndl_datatype *record = datatype_of("/record", NULL), *none = record;
    int64_t count = 0, extents[2] = {0};
    int32_t rank = 0;
    char text[32];
    TEXT("compound", asdf_ndl_datatype_keyword, record);
    check_size(record, 4 + 8 * 16 + 1);
    OK(asdf_ndl_datatype_member_count(record, &count));
    CHECK(count == 3);
    TEXT("place", asdf_ndl_datatype_member_name, record, 1);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_ndl_datatype_member_name(record, 1, text, 5, NULL));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_ndl_datatype_member_name(record, 3, text, sizeof text, NULL));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_ndl_datatype_member(record, -1, &none));
    CHECK(!none);
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_ndl_datatype_base(record, &none));
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_ndl_datatype_constant_i64(record, 0, &count));
    asdf_ndl_datatype *place = into(record, 1);
    TEXT("array", asdf_ndl_datatype_keyword, place);
    OK(asdf_ndl_datatype_shape(place, extents, 2, &rank));
    CHECK(rank == 2 && extents[0] == 2 && extents[1] == 4);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_ndl_datatype_shape(place, extents, 1, &rank));
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_ndl_datatype_member_count(place, &count));
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_ndl_datatype_member_name(place, 0, text, sizeof text, NULL));
    asdf_ndl_datatype *latitude = into(into(place, -1), 1);
    TEXT("float64", asdf_ndl_datatype_keyword, latitude);
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_ndl_datatype_shape(latitude, extents, 2, &rank));
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_ndl_datatype_member(latitude, 0, &none));
    asdf_ndl_datatype_free(latitude);
}

static void enums(void) {
    asdf_ndl_datatype *state = into(datatype_of("/record", NULL), 2);
    int64_t number = 0;
    uint64_t large = 0;
    OK(asdf_ndl_datatype_member_count(state, &number));
    CHECK(number == 2);
    TEXT("COLD", asdf_ndl_datatype_member_name, state, 0);
    OK(asdf_ndl_datatype_constant_i64(state, 0, &number));
    CHECK(number == -5);
    FAILS(ASDF_ERR_VALUE_RANGE, asdf_ndl_datatype_constant_u64(state, 0, &large));
    FAILS(ASDF_ERR_OUT_OF_RANGE, asdf_ndl_datatype_constant_i64(state, 2, &number));
    asdf_ndl_datatype *base = into(state, -1);
    TEXT("int8", asdf_ndl_datatype_keyword, base);
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_ndl_datatype_constant_u64(base, 0, &large));
    asdf_ndl_datatype_free(base);
    asdf_ndl_datatype *all = datatype_of("/", "on");
    OK(asdf_ndl_datatype_constant_u64(all, 1, &large));
    CHECK(large == UINT64_MAX);
    FAILS(ASDF_ERR_VALUE_RANGE, asdf_ndl_datatype_constant_i64(all, 1, &number));
    asdf_ndl_datatype_free(all);
}

static void others(void) {
    char text[32];
    int64_t size = 0;
    asdf_ndl_datatype *image = datatype_of("/image", NULL), *another = NULL;
    check_size(image, 12);
    TEXT("image/png", asdf_ndl_datatype_tag, image);
    OK(asdf_ndl_datatype_retain(image, &another));
    asdf_ndl_datatype_free(image);
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_ndl_datatype_selection(another, text, sizeof text, NULL));
    asdf_ndl_datatype_free(another);
    asdf_ndl_datatype *bytes = datatype_of("/bytes", NULL);
    FAILS(ASDF_ERR_NOT_FOUND, asdf_ndl_datatype_tag(bytes, text, sizeof text, NULL));
    FAILS(ASDF_ERR_VALUE_RANGE, asdf_ndl_datatype_element_size(bytes, &size));
    asdf_ndl_datatype_free(bytes);
    asdf_ndl_datatype *part = datatype_of("/part", NULL);
    TEXT("element", asdf_ndl_datatype_selection, part);
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_ndl_datatype_tag(part, text, sizeof text, NULL));
    asdf_ndl_datatype_free(part);
    asdf_ndl_datatype *list = datatype_of("/list", NULL);
    check_size(list, -1);
    asdf_ndl_datatype *element = into(list, -1);
    check_size(element, 2);
    asdf_ndl_datatype_free(element);
    asdf_ndl_datatype *record = datatype_of("/text", NULL);
    check_size(record, -1);
    asdf_ndl_datatype_free(record);
    FAILS(ASDF_ERR_NOT_FOUND, asdf_ndl_get_datatype(ndl, "/nothing", NULL, &record));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_ndl_get_datatype(ndl, "/", "off", &record));
}

int main(void) {
    OK(asdf_ndl_read_memory(described, strlen(described), NULL, &ndl));
    int32_t valid = 0;
    OK(asdf_ndl_is_valid(ndl, &valid));
    CHECK(valid == 1);
    compounds();
    enums();
    /* Datatypes outlive the description. */
    asdf_ndl_datatype *kept = datatype_of("/x", NULL);
    others();
    asdf_ndl_free(ndl);
    TEXT("float32", asdf_ndl_datatype_keyword, kept);
    asdf_ndl_datatype_free(kept);
    return report();
}
