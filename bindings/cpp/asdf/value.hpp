// Values of nodes: how C++ types are read from a tree and written to it.
#pragma once

#include "handle.hpp"
#include "text.hpp"

#include <asdf.h>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace asdf {

/// Date, or date with time, as a YAML timestamp: "2027-01-31", "2027-01-31T04:05:06.7Z".
struct timestamp {
    std::string text;
};

/// Integer of any size in decimal digits, with a leading "-" if it is negative.
struct big_integer {
    std::string digits;
};

/// Reader and writer of values of a type in nodes. Specialize it to use node::get() and node::set() with
/// a type of your own, alone, in containers and in std::optional. Both functions take the node that the path starts
/// from, and throw asdf::error. A value may exist at the path; write() replaces it:
///
///     template <> struct asdf::conversion<direction> {
///         static direction read(const asdf_node *node, const char *path) {
///             const asdf::node at = asdf::node_at(node, path);
///             return {at["ra"].get<double>(), at["dec"].get<double>()};
///         }
///         static void write(asdf_node *node, const char *path, const direction &value) {
///             asdf::place at = asdf::place_at(node, path);
///             at.set_mapping();
///             at["ra"] = value.ra;
///             at["dec"] = value.dec;
///         }
///     };
///
/// One of the two functions is enough for a type that is only read or only written.
template <class T, class = void> struct conversion {
    using is_missing = void; ///< not in a specialization
};

namespace detail {

/// True for types with asdf::conversion.
template <class T, class = void> struct has_conversion : std::true_type {};
template <class T> struct has_conversion<T, typename conversion<T>::is_missing> : std::false_type {};

/// Throws asdf::error about the node at a path, with its file, path and position.
[[noreturn]] inline void throw_at(const asdf_node *node, const char *path, asdf_status status,
                                  const std::string &sentence) {
    error::details known{sentence, {}, {}, {}};
    handle<asdf_file, asdf_file_retain, asdf_file_free> file;
    check(asdf_node_file(node, file.out()));
    known.file = read_text(asdf_file_name, file.get());
    known.path = read_text(asdf_node_path, node, path);
    check(asdf_node_position(node, path, &known.offset, &known.line, &known.column));
    std::string message = known.file;
    if (known.line >= 0) {
        message += (message.empty() ? "line " : ":") + std::to_string(known.line) + ":" + std::to_string(known.column) +
                   ", byte " + std::to_string(known.offset);
    }
    if (!known.path.empty()) message += (message.empty() ? "at " : ", at ") + known.path;
    throw error(status, message.empty() ? sentence : message + ": " + sentence, known);
}

/// Integers that conversion reads: no bool, no characters.
template <class T>
inline constexpr bool is_number_v =
    std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, char> && !std::is_same_v<T, wchar_t> &&
    !std::is_same_v<T, char16_t> && !std::is_same_v<T, char32_t>;

} // namespace detail

template <> struct conversion<bool> {
    static bool read(const asdf_node *node, const char *path) {
        std::int32_t value = 0;
        detail::check(asdf_node_get_bool(node, path, &value));
        return value != 0;
    }
    static void write(asdf_node *node, const char *path, bool value) {
        detail::check(asdf_node_set_bool(node, path, value ? 1 : 0));
    }
};

/// Integers: a value outside the range of the type is ASDF_ERR_VALUE_RANGE.
template <class T> struct conversion<T, std::enable_if_t<detail::is_number_v<T> && std::is_integral_v<T>>> {
    static T read(const asdf_node *node, const char *path) {
        if constexpr (std::is_unsigned_v<T>) {
            std::uint64_t value = 0;
            detail::check(asdf_node_get_u64(node, path, &value));
            if (value <= std::numeric_limits<T>::max()) return static_cast<T>(value);
            throw_range(node, path, std::to_string(value));
        } else {
            std::int64_t value = 0;
            detail::check(asdf_node_get_i64(node, path, &value));
            if (value >= std::numeric_limits<T>::min() && value <= std::numeric_limits<T>::max()) {
                return static_cast<T>(value);
            }
            throw_range(node, path, std::to_string(value));
        }
    }
    static void write(asdf_node *node, const char *path, T value) {
        if constexpr (std::is_unsigned_v<T>) {
            if (static_cast<std::uint64_t>(value) > static_cast<std::uint64_t>(INT64_MAX)) refuse(node, path, value);
            detail::check(asdf_node_set_u64(node, path, value));
        } else {
            detail::check(asdf_node_set_i64(node, path, value));
        }
    }

  private:
    /// Lets the setter fail, so that the file counts as incomplete, and says what C++ can do.
    static void refuse(asdf_node *node, const char *path, T value) {
        asdf_node_set_u64(node, path, value);
        const std::string digits = std::to_string(value);
        throw error(ASDF_ERR_VALUE_RANGE, "the integer " + digits +
                                              " exceeds the 64 signed bits of integers in ASDF; asdf::big_integer{\"" +
                                              digits + "\"} is written with a tag that says so");
    }

    [[noreturn]] static void throw_range(const asdf_node *node, const char *path, const std::string &digits) {
        const std::string type = std::string(std::is_unsigned_v<T> ? "uint" : "int") + std::to_string(8 * sizeof(T));
        detail::throw_at(node, path, ASDF_ERR_VALUE_RANGE, "the integer " + digits + " does not fit " + type);
    }
};

/// Floating-point numbers: an integer that a double cannot hold exactly is ASDF_ERR_VALUE_RANGE, and so is a number
/// beyond the range of float. A float gets the nearest value, and is written with the shortest text that gives it.
/// A long double that no double represents is ASDF_ERR_VALUE_RANGE when it is written.
template <class T> struct conversion<T, std::enable_if_t<std::is_floating_point_v<T>>> {
    static T read(const asdf_node *node, const char *path) {
        double value = 0;
        detail::check(asdf_node_get_f64(node, path, &value));
        if constexpr (sizeof(T) < sizeof(double)) {
            const double most = static_cast<double>(std::numeric_limits<T>::max());
            const bool is_finite = value - value == 0;
            if (is_finite && (value > most || value < -most)) {
                detail::throw_at(node, path, ASDF_ERR_VALUE_RANGE,
                                 "the number " + std::to_string(value) + " does not fit float" +
                                     std::to_string(8 * sizeof(T)));
            }
        }
        return static_cast<T>(value);
    }
    static void write(asdf_node *node, const char *path, T value) {
        if constexpr (std::is_same_v<T, float>) {
            detail::check(asdf_node_set_f32(node, path, value));
        } else {
            const double rounded = static_cast<double>(value);
            if (static_cast<T>(rounded) != value && value == value) {
                throw error(ASDF_ERR_VALUE_RANGE,
                            "no double represents the long double exactly; static_cast<double>() rounds it");
            }
            detail::check(asdf_node_set_f64(node, path, rounded));
        }
    }
};

template <class T> struct conversion<std::complex<T>> {
    static std::complex<T> read(const asdf_node *node, const char *path) {
        double real = 0;
        double imaginary = 0;
        detail::check(asdf_node_get_complex(node, path, &real, &imaginary));
        return {static_cast<T>(real), static_cast<T>(imaginary)};
    }
    static void write(asdf_node *node, const char *path, const std::complex<T> &value) {
        detail::check(
            asdf_node_set_complex(node, path, static_cast<double>(value.real()), static_cast<double>(value.imag())));
    }
};

/// Text: strings, and timestamps as text.
template <> struct conversion<std::string> {
    static std::string read(const asdf_node *node, const char *path) {
        return detail::read_text(asdf_node_get_string, node, path);
    }
    static void write(asdf_node *node, const char *path, std::string_view value) {
        detail::check(asdf_node_set_string(node, path, value.data(), value.size()));
    }
};

template <> struct conversion<timestamp> {
    static timestamp read(const asdf_node *node, const char *path) {
        std::int32_t type = 0;
        detail::check(asdf_node_type(node, path, &type));
        if (type != ASDF_NODE_TIMESTAMP) {
            detail::throw_at(node, path, ASDF_ERR_WRONG_TYPE, "the node is not a timestamp");
        }
        return {conversion<std::string>::read(node, path)};
    }
    static void write(asdf_node *node, const char *path, const timestamp &value) {
        detail::check(asdf_node_set_timestamp(node, path, value.text.data(), value.text.size()));
    }
};

template <> struct conversion<big_integer> {
    static big_integer read(const asdf_node *node, const char *path) {
        return {detail::read_text(asdf_node_get_integer, node, path)};
    }
    static void write(asdf_node *node, const char *path, const big_integer &value) {
        detail::check(asdf_node_set_integer(node, path, value.digits.data(), value.digits.size()));
    }
};

/// Binary data in the tree (!!binary).
template <> struct conversion<std::vector<std::byte>> {
    static std::vector<std::byte> read(const asdf_node *node, const char *path) {
        std::size_t size = 0;
        detail::check(asdf_node_get_binary(node, path, nullptr, 0, &size));
        std::vector<std::byte> bytes(size);
        if (size > 0) detail::check(asdf_node_get_binary(node, path, bytes.data(), size, &size));
        return bytes;
    }
    static void write(asdf_node *node, const char *path, const std::vector<std::byte> &bytes) {
        detail::check(asdf_node_set_binary(node, path, bytes.data(), bytes.size()));
    }
};

/// Paths of files (std::filesystem::path) as text.
template <class T>
struct conversion<T, std::enable_if_t<std::is_same_v<decltype(T::preferred_separator), const typename T::value_type>>> {
    static T read(const asdf_node *node, const char *path) {
        return T(conversion<std::string>::read(node, path));
    }
    static void write(asdf_node *node, const char *path, const T &value) {
        const auto text = value.u8string();
        detail::check(asdf_node_set_string(node, path, reinterpret_cast<const char *>(text.data()), text.size()));
    }
};

} // namespace asdf
