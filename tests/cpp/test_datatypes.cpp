// Datatypes: each C++ type, written in each order and compression, for Python asdf to read (test_datatypes.py).
#include "check.hpp"

#include <asdf.hpp>
#include <complex>
#include <limits>
#include <string>
#include <vector>

struct measurement {
    std::int16_t id;
    double value[2];
    char32_t label[3];
};

template <> struct asdf::record<measurement> {
    static constexpr auto fields =
        asdf::fields(asdf::field("id", &measurement::id), asdf::field("value", &measurement::value),
                     asdf::field("label", &measurement::label));
};

/// Writes the limits of a type in each way: contiguous, as Fortran order, compressed, big-endian, as text, strided.
template <class T> static void write_numbers(asdf::file &out, const std::string &name, std::vector<T> values) {
    using namespace asdf;
    array_options options;
    out["plain"][name].set(values, {2, 3});
    options.stored_order = order::fortran;
    out["fortran"][name].set(values, {2, 3}, options);
    options = array_options();
    options.byte_order = byte_order::big;
    options.codec = compression::zlib;
    out["big"][name].set(values, {6}, options);
    options = array_options();
    options.storage = storage::inline_;
    out["inline"][name].set(values, {3, 2}, options);
    options = array_options();
    options.order = order::fortran;
    out["transposed"][name].set(values, {3, 2}, options);
    for (const char *way : {"plain", "fortran", "big", "inline"}) {
        CHECK(out[way][name].array().template read<T>() == values);
    }
    CHECK(out["plain"][name].array().datatype() == datatype::of<T>());
}

template <class T> static std::vector<T> limits() {
    return {std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max(), T(0), T(1), T(2), T(3)};
}

int main() {
    asdf::file out;
    write_numbers(out, "int8", limits<std::int8_t>());
    write_numbers(out, "int16", limits<short>());
    write_numbers(out, "int32", limits<int>());
    write_numbers(out, "int64", limits<long>());
    write_numbers(out, "uint8", limits<unsigned char>());
    write_numbers(out, "uint16", limits<std::uint16_t>());
    write_numbers(out, "uint32", limits<std::uint32_t>());
    write_numbers(out, "float32", limits<float>());
    write_numbers(out, "float64", limits<double>());
    write_numbers(out, "complex64", std::vector<std::complex<float>>{{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}, {0, -1}});
    write_numbers(out, "complex128",
                  std::vector<std::complex<double>>{{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}, {0, -1}});
    out["plain/uint64"].set(limits<unsigned long long>(), {2, 3});
    out["plain/bytes"].set(std::vector<std::byte>(6, std::byte{7}), {2, 3});
    out["plain/bool8"].set(std::vector<bool>{true, false, true, false, true, true}, {2, 3});
    out["texts"].set({"one", "three"}, {2});
    out["points"].set({"日本", "a"}, {2, 1});
    out["records"].set(std::vector<measurement>{{1, {0.5, 1.5}, {U'a', U'é', 0}}, {-2, {2.5, 3.5}, {U'日', 0, 0}}},
                       {2});
    out["scalar"].set({42}, {});
    out["empty"].set(std::vector<float>(), {0, 3});
    asdf::array_options strided;
    strided.strides = std::vector<std::int64_t>{2 * sizeof(int)};
    out["strided"].set(std::vector<int>{1, -1, 2, -1, 3}, {3}, strided);
    out["values"] = std::vector<double>{0.5, 1e300};
    out["flag"] = true;
    out["text"] = "línea";
    out["complex"] = std::complex<double>(1.5, -2.5);
    out.write("datatypes.asdf");

    FAILS(ASDF_ERR_INVALID_ARGUMENT, "", out["bad"].set({1, 2, 3}, {2}));
    FAILS(ASDF_ERR_VALUE_RANGE, "", out["plain/uint64"].set_storage(asdf::storage::inline_));
    EQUAL(asdf::datatype::of<measurement>().item_size(), 2U + 16U + 12U);
    EQUAL(asdf::datatype::ucs4(3).item_size(), 12U);
    CHECK(asdf::datatype::of<std::byte>() == asdf::type_code::uint8);
    return report();
}
