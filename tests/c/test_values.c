/* Reading and setting the values of nodes. */
#include "check.h"
#include <math.h>

static void reading(void) {
    asdf_file *file =
        open_tree("t: true\nsmall: -7\nint64: 9223372036854775807\nuint64: 18446744073709551615\n"
                  "huge: -123456789012345678901234567890\nfloat: 2.5e-3\ncomplex: !core/complex-1.0.0 1.5-2i\n"
                  "s: \"a\\0b \\u00e9\"\ntime: 2027-01-31T00:00:00\nbytes: !!binary AAEC\nempty: ''\n");
    asdf_node *root = root_of(file);
    int32_t truth = 9, i32 = 9;
    int64_t i64 = 9;
    uint64_t u64 = 9;
    double f64 = 9, real = 9, imaginary = 9;
    OK(asdf_node_get_bool(root, "t", &truth));
    OK(asdf_node_get_i32(root, "small", &i32));
    CHECK(truth == 1 && i32 == -7);
    OK(asdf_node_get_i64(root, "int64", &i64));
    OK(asdf_node_get_u64(root, "uint64", &u64));
    CHECK(i64 == INT64_MAX && u64 == UINT64_MAX);
    TEXT("-123456789012345678901234567890", asdf_node_get_integer, root, "huge");
    OK(asdf_node_get_f64(root, "float", &f64));
    CHECK(f64 == 2.5e-3);
    OK(asdf_node_get_f64(root, "small", &f64));
    CHECK(f64 == -7);
    OK(asdf_node_get_complex(root, "complex", &real, &imaginary));
    CHECK(real == 1.5 && imaginary == -2);
    OK(asdf_node_get_complex(root, "float", &real, &imaginary));
    CHECK(real == 2.5e-3 && imaginary == 0);
    TEXT("2027-01-31T00:00:00", asdf_node_get_string, root, "time");
    TEXT("2.5e-3", asdf_node_get_text, root, "float");
    TEXT("", asdf_node_get_string, root, "empty");

    /* Every result that is not exactly the value is refused. */
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_node_get_bool(root, "small", &truth));
    FAILS(ASDF_ERR_VALUE_RANGE, asdf_node_get_i32(root, "int64", &i32));
    FAILS(ASDF_ERR_VALUE_RANGE, asdf_node_get_i64(root, "uint64", &i64));
    FAILS(ASDF_ERR_VALUE_RANGE, asdf_node_get_u64(root, "small", &u64));
    FAILS(ASDF_ERR_VALUE_RANGE, asdf_node_get_f64(root, "int64", &f64));
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_node_get_i64(root, "float", &i64));
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_node_get_complex(root, "s", &real, &imaginary));
    char text[8] = "1234567";
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_node_get_integer(root, "float", text, sizeof text, NULL));
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_node_get_string(root, "small", text, sizeof text, NULL));
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_node_get_text(root, "", text, sizeof text, NULL));
    CHECK(truth == 1 && i32 == -7 && i64 == INT64_MAX && u64 == UINT64_MAX && f64 == -7);
    CHECK(real == 2.5e-3 && imaginary == 0 && strcmp(text, "1234567") == 0);

    /* A string may hold NUL; a buffer that is too small stays unchanged. */
    size_t needed = 0;
    OK(asdf_node_get_string(root, "s", text, sizeof text, &needed));
    CHECK(needed == 6 && memcmp(text, "a\0b \303\251", 7) == 0);
    memcpy(text, "xxxxxxx", 8);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_node_get_string(root, "s", text, 6, &needed));
    CHECK(needed == 6 && strcmp(text, "xxxxxxx") == 0);
    OK(asdf_node_get_string(root, "s", NULL, 0, &needed));
    CHECK(needed == 6);

    asdf_buffer *buffer = NULL;
    const void *held = NULL;
    OK(asdf_node_get_string_buffer(root, "s", &buffer));
    OK(asdf_buffer_bytes(buffer, &held, &needed));
    CHECK(needed == 6 && memcmp(held, "a\0b \303\251", 6) == 0);
    asdf_buffer_free(buffer);
    OK(asdf_node_get_string_buffer(root, "empty", &buffer));
    OK(asdf_buffer_bytes(buffer, &held, &needed));
    CHECK(needed == 0);
    asdf_buffer_free(buffer);
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_node_get_string_buffer(root, "small", &buffer));
    CHECK(buffer == NULL);

    unsigned char bytes[3] = {9, 9, 9};
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, asdf_node_get_binary(root, "bytes", bytes, 2, &needed));
    CHECK(needed == 3 && bytes[0] == 9);
    OK(asdf_node_get_binary(root, "bytes", bytes, 3, NULL));
    CHECK(bytes[0] == 0 && bytes[1] == 1 && bytes[2] == 2);
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_node_get_binary(root, "s", bytes, 3, &needed));
    asdf_node_free(root);
    asdf_file_free(file);
}

static void setting(void) {
    static const char awkward[] = "yes: # \"no\"\n  \303\251\t";
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
    OK(asdf_node_set_null(root, "scalars/null"));
    OK(asdf_node_set_bool(root, "scalars/bool", 2));
    OK(asdf_node_set_i64(root, "scalars/i64", INT64_MIN));
    OK(asdf_node_set_u64(root, "scalars/u64", INT64_MAX));
    OK(asdf_node_set_integer(root, "scalars/integer", "+123456789012345678901234567890", 31));
    OK(asdf_node_set_f64(root, "scalars/f64", 0.1));
    OK(asdf_node_set_f64(root, "scalars/inf", -HUGE_VAL));
    OK(asdf_node_set_complex(root, "scalars/complex", -0.5, 1e300));
    OK(asdf_node_set_string(root, "scalars/string", awkward, sizeof awkward - 1));
    OK(asdf_node_set_string(root, "scalars/empty", NULL, 0));
    OK(asdf_node_set_timestamp(root, "scalars/time", "2027-01-31T04:05:06", 19));
    OK(asdf_node_set_binary(root, "scalars/bytes", "\0\377", 2));
    OK(asdf_node_set_sequence(root, "list", 1));
    OK(asdf_node_set_string(root, "list/-", "first", 5));
    OK(asdf_node_set_mapping(root, "list/-", 0));
    OK(asdf_node_set_i64(root, "list/1/x", 1));
    OK(asdf_node_set_bool(root, "list/0", 0));
    OK(asdf_node_set_string(root, "unit", "m", 1));
    OK(asdf_node_set_tag(root, "unit", "!unit/unit-1.0.0"));
    OK(asdf_node_set_f32(root, "single", 0.1f));
    TEXT("0.1", asdf_node_get_text, root, "single");
    OK(asdf_node_set_string(root, "terminated", "text", ASDF_NUL_TERMINATED));
    TEXT("text", asdf_node_get_string, root, "terminated");
    OK(asdf_node_set_string(root, "untagged", "m", 1));
    OK(asdf_node_set_tag(root, "untagged", "tag:example.org:x"));
    OK(asdf_node_set_tag(root, "untagged", NULL));
    OK(asdf_node_set_reference(root, "external", "other.asdf#/a~1b"));
    OK(asdf_node_set_reference_to(root, "internal", "/scalars/f64"));
    OK(asdf_node_copy(root, "copy", root, NULL));
    OK(asdf_node_remove(root, "copy/list"));

    asdf_file *again = written(file);
    asdf_node *read = root_of(again);
    int32_t type = -1, truth = -1, exists = -1;
    int64_t number = 0;
    uint64_t unsigned_number = 0;
    double value = 0, imaginary = 0;
    OK(asdf_node_type(read, "scalars/null", &type));
    CHECK(type == ASDF_NODE_NULL);
    OK(asdf_node_get_bool(read, "scalars/bool", &truth));
    CHECK(truth == 1);
    OK(asdf_node_get_i64(read, "scalars/i64", &number));
    OK(asdf_node_get_u64(read, "scalars/u64", &unsigned_number));
    CHECK(number == INT64_MIN && unsigned_number == INT64_MAX);
    TEXT("123456789012345678901234567890", asdf_node_get_integer, read, "scalars/integer");
    OK(asdf_node_get_f64(read, "scalars/f64", &value));
    CHECK(value == 0.1);
    OK(asdf_node_get_f64(read, "scalars/inf", &value));
    CHECK(value == -HUGE_VAL);
    OK(asdf_node_get_complex(read, "scalars/complex", &value, &imaginary));
    CHECK(value == -0.5 && imaginary == 1e300);
    TEXT(awkward, asdf_node_get_string, read, "scalars/string");
    TEXT("", asdf_node_get_string, read, "scalars/empty");
    OK(asdf_node_type(read, "scalars/time", &type));
    CHECK(type == ASDF_NODE_TIMESTAMP);
    TEXT("2027-01-31T04:05:06", asdf_node_get_string, read, "scalars/time");
    unsigned char bytes[2] = {9, 9};
    OK(asdf_node_get_binary(read, "scalars/bytes", bytes, sizeof bytes, NULL));
    CHECK(bytes[0] == 0 && bytes[1] == 255);
    OK(asdf_node_get_bool(read, "list/0", &truth));
    OK(asdf_node_get_i64(read, "list/1/x", &number));
    CHECK(truth == 0 && number == 1);
    TEXT("tag:stsci.edu:asdf/unit/unit-1.0.0", asdf_node_tag, read, "unit");
    TEXT("", asdf_node_tag, read, "untagged");
    TEXT("other.asdf#/a~1b", asdf_node_reference, read, "external");
    OK(asdf_node_get_f64(read, "internal", &value));
    CHECK(value == 0.1);
    OK(asdf_node_get_f64(read, "copy/scalars/f64", &value));
    OK(asdf_node_exists(read, "copy/list", &exists));
    CHECK(exists == 0);

    FAILS(ASDF_ERR_READ_ONLY, asdf_node_set_null(read, "x"));
    asdf_node_free(read);
    asdf_file_free(again);
    asdf_node_free(root);
    asdf_file_free(file);
}

/* A setter that fails for any reason prevents writing the file. */
static void failing(void) {
    asdf_node *root = NULL, *other = NULL;
    asdf_file *file = new_file(&root);
    asdf_file *source = open_tree("circle: &a [*a]\nx: {$ref: '#/y'}\n");
    other = root_of(source);
    OK(asdf_node_set_i64(root, "list", 1));
    asdf_buffer *buffer = NULL;
#define SPOILS(expected, call)                                                                                         \
    do {                                                                                                               \
        FAILS(expected, call);                                                                                         \
        FAILS(ASDF_ERR_INCOMPLETE, asdf_file_write_memory(file, NULL, &buffer));                                       \
        OK(asdf_file_forget_failure(file));                                                                            \
        OK(asdf_file_write_memory(file, NULL, &buffer));                                                               \
        asdf_buffer_free(buffer);                                                                                      \
    } while (0)
    SPOILS(ASDF_ERR_NULL_POINTER, asdf_node_set_string(root, "x", NULL, 5));
    SPOILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_timestamp(root, "x", "today", 5));
    SPOILS(ASDF_ERR_NULL_POINTER, asdf_node_set_binary(root, "x", NULL, 5));
    SPOILS(ASDF_ERR_ENCODING, asdf_node_set_string(root, "x", "\377", 1));
    SPOILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_string(root, "x", "", SIZE_MAX - 1));
    SPOILS(ASDF_ERR_NULL_POINTER, asdf_node_set_string(root, "x", NULL, ASDF_NUL_TERMINATED));
    SPOILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_binary(root, "x", "", ASDF_NUL_TERMINATED));
    SPOILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_f32(root, "", 1));
    SPOILS(ASDF_ERR_NULL_POINTER, asdf_node_set_null(root, NULL));
    SPOILS(ASDF_ERR_PATH, asdf_node_set_bool(root, "~", 1));
    SPOILS(ASDF_ERR_ENCODING, asdf_node_set_i64(root, "\377", 1));
    SPOILS(ASDF_ERR_VALUE_RANGE, asdf_node_set_u64(root, "x", UINT64_MAX));
    SPOILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_integer(root, "x", "1.5", 3));
    SPOILS(ASDF_ERR_WRONG_TYPE, asdf_node_set_f64(root, "list/x", 1));
    SPOILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_complex(root, "", 1, 1));
    SPOILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_sequence(root, "", 0));
    SPOILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_mapping(root, "", 0));
    SPOILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_tag(root, "list", "a b"));
    SPOILS(ASDF_ERR_NOT_FOUND, asdf_node_set_tag(root, "x", "!a-1.0.0"));
    /* Tags that do not exist. */
    SPOILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_tag(root, "list", "unit/quantity-1.2.0"));
    CHECK(message_holds("did you mean '!unit/quantity-1.2.0'?"));
    SPOILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_tag(root, "list", "!unit/quantiy-1.2.0"));
    CHECK(message_holds("did you mean 'unit/quantity'?"));
    SPOILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_tag(root, "list", "tag:stsci.edu:asdf/unit/quantity-9.2.0"));
    CHECK(message_holds("it has 1.1.0, 1.2.0, 1.3.0"));
    SPOILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_tag(root, "list", "!!nul"));
    /* Paths that mean something else than they say. */
    OK(asdf_node_set_sequence(root, "items", 0));
    OK(asdf_node_set_array(root, "data", ASDF_UINT8, 0, NULL, "a", 1, NULL));
    SPOILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_i64(root, "items[0]", 1));
    CHECK(message_holds("'items/0'"));
    SPOILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_i64(root, "data[0]", 1));
    SPOILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_i64(root, "data/unit", 1));
    SPOILS(ASDF_ERR_NOT_FOUND, asdf_node_set_i64(root, "absent/5", 1));
    CHECK(message_holds("append an item by 'absent/-'"));
    SPOILS(ASDF_ERR_NOT_FOUND, asdf_node_move(root, "list", "absent/5"));
    SPOILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_reference(root, "x", "a b"));
    SPOILS(ASDF_ERR_PATH, asdf_node_set_reference_to(root, "x", "~"));
    SPOILS(ASDF_ERR_NULL_POINTER, asdf_node_copy(root, "x", NULL, NULL));
    SPOILS(ASDF_ERR_WRONG_HANDLE, asdf_node_copy(root, "x", (asdf_node *)(void *)source, NULL));
    SPOILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_remove(root, ""));
    asdf_node_free(other);
    asdf_file_free(source);
    asdf_node_free(root);
    asdf_file_free(file);
}

/* Integers beyond 64 bits can be set and read like others. */
static void large_integers(void) {
    asdf_file *file = NULL;
    OK(asdf_file_new(NULL, &file));
    asdf_node *root = root_of(file);
    double f64 = 9, real = 9, imaginary = 9;
    uint64_t u64 = 9;
    OK(asdf_node_set_integer(root, "exact", "18446744073709551616", 20));
    OK(asdf_node_set_integer(root, "inexact", "-18446744073709551617", 21));
    TEXT("tag:stsci.edu:asdf/core/integer-1.1.0", asdf_node_tag, root, "exact");
    OK(asdf_node_get_f64(root, "exact", &f64));
    OK(asdf_node_get_complex(root, "exact", &real, &imaginary));
    CHECK(f64 == 18446744073709551616.0 && real == f64 && imaginary == 0);
    FAILS(ASDF_ERR_VALUE_RANGE, asdf_node_get_f64(root, "inexact", &f64));
    CHECK(message_holds("inexact"));
    FAILS(ASDF_ERR_VALUE_RANGE, asdf_node_get_complex(root, "inexact", &real, &imaginary));
    FAILS(ASDF_ERR_VALUE_RANGE, asdf_node_get_u64(root, "exact", &u64));
    TEXT("-18446744073709551617", asdf_node_get_integer, root, "inexact");
    asdf_node_free(root);
    asdf_file_free(file);
}

/* Every getter that can hold a core/integer or a core/complex reads it. */
static void tagged_numbers(void) {
    asdf_file *file = open_tree("small: !core/integer-1.1.0 {sign: '-', string: '-7', words: !core/ndarray-1.1.0 "
                                "{data: [7], datatype: uint32, shape: [1]}}\n"
                                "real: !core/complex-1.0.0 '2.5'\nzero: !core/complex-1.0.0 \"2.5-0j\"\n"
                                "complex: !core/complex-1.0.0 1+1j\nlist: !core/complex-1.0.0 [1, 2]\n"
                                "bad: !core/complex-1.0.0 1 + 1j\n");
    asdf_node *root = root_of(file);
    int32_t i32 = 9;
    int64_t i64 = 9;
    uint64_t u64 = 9;
    double f64 = 9, real = 9, imaginary = 9;
    OK(asdf_node_get_i32(root, "small", &i32));
    OK(asdf_node_get_i64(root, "small", &i64));
    OK(asdf_node_get_f64(root, "small", &f64));
    OK(asdf_node_get_complex(root, "small", &real, &imaginary));
    CHECK(i32 == -7 && i64 == -7 && f64 == -7 && real == -7 && imaginary == 0);
    FAILS(ASDF_ERR_VALUE_RANGE, asdf_node_get_u64(root, "small", &u64));
    TEXT("-7", asdf_node_get_integer, root, "small");
    OK(asdf_node_get_f64(root, "real", &f64));
    CHECK(f64 == 2.5);
    f64 = 9;
    OK(asdf_node_get_f64(root, "zero", &f64));
    CHECK(f64 == 2.5);
    FAILS(ASDF_ERR_VALUE_RANGE, asdf_node_get_f64(root, "complex", &f64));
    CHECK(message_holds("/complex"));
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_node_get_complex(root, "list", &real, &imaginary));
    FAILS(ASDF_ERR_TAG_CONTENT, asdf_node_get_f64(root, "bad", &f64));
    CHECK(f64 == 2.5 && real == -7 && imaginary == 0);
    asdf_node_free(root);
    asdf_file_free(file);
}

/* Missing collections along a path are created. */
static void quantities_and_times(void) {
    asdf_file *file = NULL;
    asdf_node *root = NULL;
    asdf_buffer *buffer = NULL;
    double value = 0;
    OK(asdf_file_new(NULL, &file));
    OK(asdf_file_root(file, &root));
    OK(asdf_node_set_f64(root, "step/value", 0.5));
    OK(asdf_node_set_quantity(root, "step", SIZED("arcsec")));
    OK(asdf_node_set_quantity(root, "step", NULL, 0));
    OK(asdf_node_get_f64(root, "step", &value));
    CHECK(value == 0.5);
    TEXT("arcsec", asdf_node_get_unit, root, "step");
    TEXT("tag:stsci.edu:asdf/unit/quantity-1.3.0", asdf_node_tag, root, "step");
    OK(asdf_node_set_time(root, "start", SIZED("J2000.0")));
    TEXT("J2000.0", asdf_node_get_string, root, "start");
    TEXT("tag:stsci.edu:asdf/time/time-1.4.0", asdf_node_tag, root, "start");
    SPOILS(ASDF_ERR_WRONG_TYPE, asdf_node_set_quantity(root, "start", SIZED("m")));
    SPOILS(ASDF_ERR_NULL_POINTER, asdf_node_set_quantity(root, "step", NULL, 1));
    SPOILS(ASDF_ERR_INVALID_ARGUMENT, asdf_node_set_time(root, "start", SIZED("2027-02-30T00:00:00")));
    TEXT("J2000.0", asdf_node_get_string, root, "start");
    asdf_node_free(root);
    asdf_file_free(file);
}

static void made_on_the_way(void) {
    asdf_node *root = NULL;
    asdf_file *file = new_file(&root);
    int32_t type = -1;
    int64_t count = -1;
    double value = 0;
    OK(asdf_node_set_f64(root, "new/-", 1));
    OK(asdf_node_set_f64(root, "new/-", 2));
    OK(asdf_node_type(root, "new", &type));
    OK(asdf_node_count(root, "new", &count));
    OK(asdf_node_get_f64(root, "new/1", &value));
    CHECK(type == ASDF_NODE_SEQUENCE && count == 2 && value == 2);
    OK(asdf_node_set_string(root, "rows/-/name", "a", 1));
    TEXT("a", asdf_node_get_string, root, "rows/0/name");
    OK(asdf_node_set_mapping(root, "numbered", 0));
    OK(asdf_node_set_f64(root, "numbered/0", 1));
    OK(asdf_node_type(root, "numbered", &type));
    CHECK(type == ASDF_NODE_MAPPING);
    TEXT("0", asdf_node_key_string, root, "numbered", 0);
    OK(asdf_node_move(root, "numbered/0", "moved/-"));
    OK(asdf_node_get_f64(root, "moved/0", &value));
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_set_f64(root, "new/2", 3));
    FAILS(ASDF_ERR_WRONG_TYPE, asdf_node_set_f64(root, "new/0/-", 3));
    OK(asdf_node_count(root, "new", &count));
    CHECK(count == 2 && value == 1);
    asdf_node_free(root);
    asdf_file_free(file);
}

/* Copies get the tags of the standard of their file, or the whole copy is refused. */
static void other_standards(void) {
    asdf_file *source = open_tree("a: !core/ndarray-1.1.0 {data: [1], datatype: int8}\n"
                                  "t: !table/table-1.2.0 {columns: []}\n"
                                  "half: {h: !core/ndarray-1.1.0 {data: [1.5], datatype: float16}}\n");
    asdf_file *file = NULL;
    asdf_options *options = NULL;
    OK(asdf_options_new(&options));
    OK(asdf_options_set_text(options, ASDF_OPTION_STANDARD, "1.4.0", 5));
    OK(asdf_file_new(options, &file));
    asdf_options_free(options);
    asdf_node *root = root_of(file), *from = root_of(source), *part = NULL;
    for (const char *const *key = (const char *const[]){"a", "t", NULL}; *key; key++) {
        OK(asdf_node_get(from, *key, &part));
        OK(asdf_node_copy(root, *key, part, NULL));
        asdf_node_free(part);
    }
    TEXT("tag:stsci.edu:asdf/core/ndarray-1.0.0", asdf_node_tag, root, "a");
    TEXT("tag:stsci.edu:asdf/core/table-1.0.0", asdf_node_tag, root, "t");
    OK(asdf_node_get(from, "half", &part));
    FAILS(ASDF_ERR_UNSUPPORTED, asdf_node_copy(root, "half", part, NULL));
    CHECK(message_holds("/half/h") && message_holds("ndarray-1.1.0") && message_holds("float16"));
    asdf_node_free(part);
    FAILS(ASDF_ERR_NOT_FOUND, asdf_node_get(root, "half", &part));
    asdf_node_free(from);
    asdf_node_free(root);
    asdf_file_free(source);
    asdf_file_free(file);
}

int main(void) {
    reading();
    setting();
    failing();
    large_integers();
    tagged_numbers();
    quantities_and_times();
    made_on_the_way();
    other_standards();
    return report();
}
