// Arrays: descriptions, reading of each type, regions, strides, masks, strings. input.asdf comes from Python asdf.
#include "check.hpp"

#include <array>
#include <asdf.hpp>
#include <cmath>
#include <complex>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>
#ifdef __cpp_lib_span
#include <span>
#endif

static void descriptions() {
    const asdf::file file = asdf::file::open("input.asdf");
    const asdf::array image = file["image"].array();
    CHECK((image.shape() == asdf::shape{3, 4}));
    EQUAL(image.rank(), 2);
    EQUAL(image.size(), 12);
    CHECK(image.type_code() == asdf::type_code::int16);
    CHECK(image.datatype() == asdf::datatype::of<short>());
    CHECK(image.datatype() != asdf::type_code::int32);
    EQUAL(image.datatype().name(), "int16");
    EQUAL(image.datatype().item_size(), 2U);
    CHECK((image.strides() == std::vector<std::int64_t>{8, 2}));
    CHECK(file["big_endian"].array().byte_order() == asdf::byte_order::big);
    CHECK(!image.is_inline() && file["list"].array().is_inline());
    CHECK(image.block().has_value() && !file["list"].array().block());
    CHECK(file["scalar"].array().shape().empty());
    EQUAL(file["texts"].array().datatype().string_length(), 3);
    FAILS(ASDF_ERR_WRONG_TYPE, "not a record", image.datatype().fields());
    FAILS(ASDF_ERR_WRONG_TYPE, "", image.datatype().string_length());
    FAILS(ASDF_ERR_WRONG_TYPE, "/meta", file["meta"].array());
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", asdf::datatype(asdf::type_code::record));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", asdf::datatype::ascii(-1));
    FAILS(ASDF_ERR_BAD_DATATYPE, "", asdf::datatype::record({}));
}

static void reading() {
    const asdf::file file = asdf::file::open("input.asdf");
    const asdf::array image = file["image"].array();
    const std::vector<int> expected{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    CHECK(image.read<int>() == expected);
    CHECK(image.read<std::int16_t>() == std::vector<std::int16_t>(expected.begin(), expected.end()));
    CHECK(image.read<double>() == std::vector<double>(expected.begin(), expected.end()));
    CHECK(image.read<std::complex<double>>().at(11) == std::complex<double>(11, 0));
    CHECK((file["big_endian"].array().read<double>() == std::vector<double>{1.5, -2.5, 1e10}));
    CHECK((file["big_endian"].array().read<float>() == std::vector<float>{1.5F, -2.5F, 1e10F}));
    CHECK((file["complex"].array().read<std::complex<float>>() == std::vector<std::complex<float>>{{1, 2}, {3, -4}}));
    CHECK((file["flags"].array().read<bool>() == std::vector<bool>{true, false, true}));
    CHECK((file["scalar"].array().read<int>() == std::vector<int>{42}));
    CHECK((file["list"].array().read<long>() == std::vector<long>{1, 2, 3}));
    CHECK((file["list"].get<asdf::array>().size() == 3));
    std::array<float, 12> into{};
    image.read_into(into);
    EQUAL(into[11], 11.0F);
    std::vector<short> part(11);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, "", image.read_into(part));
#ifdef __cpp_lib_span
    std::vector<double> whole(12);
    image.read_into(std::span(whole));
    EQUAL(whole[5], 5.0);
#endif
    CHECK(image.load<double>().size() == 12 * sizeof(double));

    asdf::read_options options;
    options.order = asdf::order::fortran;
    CHECK((image.read<int>(options) == std::vector<int>{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11}));
    // Rows of five elements, of which four are read.
    options = asdf::read_options();
    options.strides = std::vector<std::int64_t>{5 * sizeof(int), sizeof(int)};
    std::vector<int> rows(15, -1);
    image.read_into(rows, options);
    CHECK((rows == std::vector<int>{0, 1, 2, 3, -1, 4, 5, 6, 7, -1, 8, 9, 10, 11, -1}));

    FAILS(ASDF_ERR_OVERFLOW, "/large", file["large"].array().read<std::uint8_t>());
    options = asdf::read_options();
    options.clamp = true;
    CHECK((file["large"].array().read<std::uint8_t>(options) == std::vector<std::uint8_t>{1, 255, 0}));
    FAILS(ASDF_ERR_CONVERSION, "", file["texts"].array().read<int>());
    FAILS(ASDF_ERR_CONVERSION, "", image.read<std::string>());
    options.threads = 0;
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", image.read<int>(options));
}

static void regions() {
    const asdf::file file = asdf::file::open("input.asdf");
    const asdf::array cube = file["cube"].array();
    const asdf::region part = cube.region({0, 1, 0}, {2, 2, 2}, {1, 1, 2});
    CHECK((part.read<int>() == std::vector<int>{4, 6, 8, 10, 16, 18, 20, 22}));
    CHECK((part.shape() == asdf::shape{2, 2, 2}));
    CHECK((cube.region({1, 2, 3}, {1, 1, 4}, {1, 1, -1}).read<int>() == std::vector<int>{23, 22, 21, 20}));
    const std::vector<std::size_t> start{1, 0, 0};
    CHECK((cube.region(start, std::array<int, 3>{1, 1, 2}).read<double>() == std::vector<double>{12, 13}));
    std::vector<float> into(8);
    part.read_into(into);
    EQUAL(into[7], 22.0F);
    part.prefetch();
    cube.prefetch();
    CHECK(file["scalar"].array().region({}, {}).read<int>().at(0) == 42);
    FAILS(ASDF_ERR_OUT_OF_RANGE, "", cube.region({0, 0, 0}, {2, 3, 5}).read<float>());
    FAILS(ASDF_ERR_OUT_OF_RANGE, "", cube.region({0, 0, 0}, {2, 3, -1}).read<float>());
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", cube.region({0, 0}, {1, 1}).read<float>());
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "different numbers of axes", cube.region({0, 0}, {1, 1, 1}));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "different numbers of axes", cube.region({0, 0, 0}, {1, 1, 1}, {1}));
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", cube.region({0, 0, 0}, {1, 1, 1}, {0, 1, 1}).read<float>());
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", cube.region({0, 0}, {1, 1}).prefetch());
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "at most 32 axes", asdf::extents(std::vector<int>(33)));
    FAILS(ASDF_ERR_OUT_OF_RANGE, "", asdf::extents(INT64_MAX, 2).product());
}

static void masks() {
    const asdf::file file = asdf::file::open("input.asdf");
    const asdf::array masked = file["masked"].array();
    CHECK(masked.has_mask() && !file["image"].array().has_mask());
    CHECK((masked.read_mask() == std::vector<std::uint8_t>{0, 1, 0}));
    CHECK((file["list"].array().read_mask() == std::vector<std::uint8_t>{0, 0, 0}));
    CHECK((masked.region({1}, {2}).read_mask() == std::vector<std::uint8_t>{1, 0}));
    const asdf::masked<double> both = masked.read_masked<double>();
    CHECK((both.mask == std::vector<std::uint8_t>{0, 1, 0}) && both.values[0] == 1 && both.values[2] == 3);
    CHECK((masked.read<std::optional<double>>() == std::vector<std::optional<double>>{1.0, std::nullopt, 3.0}));
    CHECK((masked.region({0}, {2}).read<std::optional<int>>() == std::vector<std::optional<int>>{1, std::nullopt}));
    asdf::read_options options;
    options.fill = -1;
    CHECK((masked.read<double>(options) == std::vector<double>{1, -1, 3}));
    CHECK((masked.without_mask().read<double>().size() == 3));
    std::vector<float> values(3);
    std::vector<std::uint8_t> mask(3);
    masked.read_into(values.data(), 3, mask.data(), 3);
    CHECK(mask[1] == 1 && values[2] == 3);
    FAILS(ASDF_ERR_MASKED, "/masked", masked.read<double>());
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, "", masked.read_into(values.data(), 3, mask.data(), 2));
    FAILS(ASDF_ERR_OUT_OF_RANGE, "", masked.region({1}, {3}).read_mask());
    asdf::file out;
    out["a"].set(std::vector<int>{}, {0});
    EQUAL(out["a"].array().read_masked<int>().values.size(), 0U);
}

static void strings() {
    const asdf::file file = asdf::file::open("input.asdf");
    CHECK((file["texts"].array().read<std::string>() == std::vector<std::string>{"a", "bc", ""}));
    CHECK((file["unicode"].array().read<std::string>() == std::vector<std::string>{"é", "日本", ""}));
    CHECK((file["unicode"].array().region({2}, {2}, {-1}).read<std::string>() == std::vector<std::string>{"", "日本"}));
    CHECK(file["unicode"].array().read_string({1}) == "日本");
    FAILS(ASDF_ERR_OUT_OF_RANGE, "", file["unicode"].array().read_string({3}));
    FAILS(ASDF_ERR_CONVERSION, "", file["image"].array().read_string({0, 0}));
    asdf::file out;
    out["ascii"].set({"one", "three"}, {2});
    out["ucs4"].set({"日本", "\xf0\x9f\x8c\x9f", "a", ""}, {2, 2});
    CHECK(out["ascii"].array().datatype() == asdf::datatype::ascii(5));
    CHECK(out["ucs4"].array().datatype() == asdf::datatype::ucs4(2));
    CHECK((out["ascii"].array().read<std::string>() == std::vector<std::string>{"one", "three"}));
    CHECK((out["ucs4"].array().read<std::string>() == std::vector<std::string>{"日本", "\xf0\x9f\x8c\x9f", "a", ""}));
    for (const char *text : {"\xff", "\xc3", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80"}) {
        FAILS(ASDF_ERR_ENCODING, "UTF-8", out["bad"].set(std::vector<std::string>{text}, {1}));
    }
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", out["bad"].set({"one", "two"}, {3}));
}

// Elements of binary16, of types with a trait, and of datatypes that are known at run time.
struct half {
    std::uint16_t bits;
};
template <> struct asdf::scalar_type<half> { static constexpr asdf::type_code code = asdf::type_code::float16; };

static void other_elements() {
    asdf::file out;
    out["own"] = std::vector<half>{{0x3C00}, {0xC000}};
    const std::vector<float> numbers{0, 1, -2, 65504, 65520, 1e-8F, 6e-8F, 0.1F, 2049, 1e30F};
    std::vector<asdf::float16> halves;
    for (const float number : numbers) halves.emplace_back(number);
    out["halves"] = halves;
    const asdf::datatype type(asdf::type_code::int16);
    static const std::int16_t lent[] = {7, 8, 9};
    int released = 0;
    out["lent"].set_borrowed(type, lent, sizeof lent, {3}, [&] { ++released; });
    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", out["bad"].set_borrowed(type, lent, 5, {3}));
    out.forget_failure();
    const asdf::file in = asdf::file::open_memory(out.write_memory());
    out = asdf::file();
    EQUAL(released, 1);
    CHECK((in["own"].array().read<float>() == std::vector<float>{1, -2}));
    EQUAL(in["own"].array().read<half>()[1].bits, 0xC000);
    // The library rounds as float16 does.
    const std::vector<float> stored = in["halves"].array().read<float>();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        EQUAL(static_cast<float>(halves[i]), stored[i]);
        CHECK(asdf::float16(stored[i]) == halves[i]);
    }
    CHECK(std::isinf(stored[4]) && stored[5] == 0 && stored[6] > 0 && stored[8] == 2048);
    CHECK(static_cast<float>(asdf::float16(NAN)) != static_cast<float>(asdf::float16(NAN)));
    std::int16_t read[3] = {};
    in["lent"].array().read_into(type, read, sizeof read);
    EQUAL(read[2], 9);
    FAILS(ASDF_ERR_BUFFER_TOO_SMALL, "", in["lent"].array().read_into(type, read, 2));
}

int main() {
    other_elements();
    descriptions();
    reading();
    regions();
    masks();
    strings();
    return report();
}
