// The ranges that nodes take as values. asdf::list writes a range as a list of YAML.
#pragma once

#include "array.hpp"
#include "elements.hpp"
#include "value.hpp"

#include <complex>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace asdf {

/// Range that is written as a list of YAML, also if its numbers would otherwise become an array:
///
///     file["size"] = asdf::list{512, 512};
///     file["weights"] = asdf::list(weights);
template <class Range> struct list {
    Range values;

    explicit list(Range range) : values(std::move(range)) {}
    template <class T> list(std::initializer_list<T> items) : values(items) {}
};
template <class T> list(std::initializer_list<T>) -> list<std::vector<T>>;
template <class Range> list(Range) -> list<Range>;

namespace detail {

template <class> inline constexpr bool never = false;

template <class T> struct is_named_list : std::false_type {};
template <class Range> struct is_named_list<list<Range>> : std::true_type {};

template <class T, class = void> struct range_of : std::false_type { using entry = void; };
template <class T>
struct range_of<
    T, std::void_t<decltype(std::begin(std::declval<const T &>())), decltype(std::end(std::declval<const T &>()))>>
    : std::true_type {
    using entry =
        std::remove_cv_t<typename std::iterator_traits<decltype(std::begin(std::declval<const T &>()))>::value_type>;
};

/// Type of the entries of a range; that of std::vector<bool> is bool.
template <class T> using range_value = typename range_of<T>::entry;

template <class T, class = void> struct map_of : std::false_type {};
template <class T>
struct map_of<T, std::void_t<typename T::key_type, typename T::mapped_type>> : std::bool_constant<range_of<T>::value> {
};
/// True for std::map and similar containers.
template <class T> inline constexpr bool is_map_v = map_of<T>::value && !has_conversion<T>::value;

/// True for ranges of values: no text, no map, no type with asdf::conversion.
template <class T>
inline constexpr bool is_range_v = range_of<T>::value && !is_map_v<T> && !has_conversion<T>::value &&
                                   !std::is_convertible_v<const T &, std::string_view>;

template <class T, class = void> struct contiguous_elements : std::is_same<T, std::vector<bool>> {};
template <class T>
struct contiguous_elements<
    T, std::void_t<decltype(std::data(std::declval<const T &>())), decltype(std::size(std::declval<const T &>()))>>
    : std::bool_constant<is_element_v<without_optional<range_value<T>>> && !std::is_same_v<range_value<T>, std::byte>> {
};

/// True for ranges that become an array of one axis: contiguous numbers or structs with asdf::record, bool, and
/// std::optional of these.
template <class T> constexpr bool is_elements() noexcept {
    if constexpr (is_range_v<T>)
        return contiguous_elements<T>::value;
    else
        return false;
}
template <class T> inline constexpr bool is_elements_v = is_elements<T>();

/// True for ranges of ranges that become an array.
template <class T> constexpr bool is_nested_elements() noexcept {
    if constexpr (is_range_v<T>)
        return is_elements_v<range_value<T>> || is_nested_elements<range_value<T>>();
    else
        return false;
}
template <class T> inline constexpr bool is_nested_elements_v = is_nested_elements<T>();

template <class T, bool = is_range_v<T>> struct nesting {
    using type = T;
    static constexpr std::size_t depth = 0;
};
template <class T> struct nesting<T, true> {
    using type = typename nesting<range_value<T>>::type;
    static constexpr std::size_t depth = nesting<range_value<T>>::depth + 1;
};
/// Type of the entries of the innermost of nested ranges, and the number of these.
template <class T> using innermost = typename nesting<T>::type;
template <class T> inline constexpr std::size_t depth_v = nesting<T>::depth;

template <class T, class = void> struct has_insert : std::false_type {};
template <class T>
struct has_insert<
    T, std::void_t<decltype(std::declval<T &>().insert(std::declval<T &>().end(), std::declval<range_value<T>>()))>>
    : std::true_type {};
/// True for containers that entries can be added to.
template <class T> constexpr bool is_growing() noexcept {
    if constexpr (is_range_v<T>)
        return has_insert<T>::value;
    else
        return false;
}
template <class T> inline constexpr bool is_growing_v = is_growing<T>();

template <class T, class = void> struct fixed_range : std::false_type {};
template <class T> struct fixed_range<T, std::void_t<decltype(std::tuple_size<T>::value)>> : range_of<T> {};
/// True for std::array.
template <class T> inline constexpr bool is_fixed_v = fixed_range<T>::value &&is_range_v<T>;

/// True for types that array::read() reads.
template <class T> struct readable_element : std::bool_constant<is_element_v<T> || std::is_same_v<T, std::string>> {};
template <class T> struct readable_element<std::optional<T>> : readable_element<T> {};
template <class T> inline constexpr bool is_readable_element_v = readable_element<T>::value;

template <class T> struct is_vector : std::false_type {};
template <class T> struct is_vector<std::vector<T>> : std::true_type {};
template <class T> struct is_complex : std::false_type {};
template <class T> struct is_complex<std::complex<T>> : std::true_type {};

/// True for types that a node converts to without get().
template <class T>
inline constexpr bool is_implicit_v = is_number_v<T> || std::is_same_v<T, bool> || std::is_same_v<T, std::string> ||
                                      is_complex<T>::value || is_vector<T>::value || std::is_same_v<T, asdf::array>;

} // namespace detail
} // namespace asdf
