// Elements of columns and descriptions as the C interface takes them, from standard containers: flat elements with a
// mask, texts with offsets, strings of equal length.
#pragma once

#include "datatype.hpp"
#include "error.hpp"

#include <algorithm>
#include <asdf.h>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace asdf::detail {

/// Type of the entries of a container; that of std::vector<bool> is bool.
template <class Container, class = void> struct entry_of {
    using type = std::decay_t<decltype(*std::begin(std::declval<const Container &>()))>;
};
template <class Container> struct entry_of<Container, std::void_t<typename Container::value_type>> {
    using type = std::remove_cv_t<typename Container::value_type>;
};

template <class T> struct optional_of : std::false_type { using type = T; };
template <class T> struct optional_of<std::optional<T>> : std::true_type { using type = T; };
template <class T> inline constexpr bool is_optional_v = optional_of<T>::value;
template <class T> using without_optional = typename optional_of<T>::type;

template <class T>
inline constexpr bool is_text_v = std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view> ||
                                  std::is_same_v<T, const char *> || std::is_same_v<T, char *>;

template <class T, class = void> struct cell_of : std::false_type {};
template <class T>
struct cell_of<T, std::void_t<decltype(std::data(std::declval<const T &>())), typename T::value_type>>
    : std::bool_constant<!is_text_v<T>> {
    using element = typename T::value_type;
};
template <> struct cell_of<std::vector<bool>> : std::true_type { using element = bool; };
/// True if T is a cell that holds several elements, such as a std::vector.
template <class T> inline constexpr bool is_cell_v = cell_of<T>::value;

template <class T, class = void> struct contiguous : std::false_type {};
template <class T>
struct contiguous<T, std::void_t<decltype(std::data(std::declval<const T &>()))>> : std::true_type {};
/// True if the elements of a container lie one after the other in memory.
template <class T> inline constexpr bool is_contiguous_v = contiguous<T>::value;

/// Type of an element in memory: bool takes one byte.
template <class T> using stored_element = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;

/// An integer as the C interface takes it.
template <class Integer> std::int64_t checked_int64(Integer value) {
    if constexpr (std::is_unsigned_v<Integer> && sizeof(Integer) == sizeof(std::int64_t)) {
        if (value > static_cast<std::uint64_t>(INT64_MAX))
            throw error(ASDF_ERR_OUT_OF_RANGE, "the integer " + std::to_string(value) + " does not fit int64");
    }
    return static_cast<std::int64_t>(value);
}

/// The value of an element, an empty one if it is missing.
template <class T> const without_optional<T> *value_or_null(const T &element) {
    if constexpr (is_optional_v<T>)
        return element ? &*element : nullptr;
    else
        return &element;
}

/// Texts one after the other, as the C interface takes them: text i occupies the bytes from offset i to i + 1.
struct packed_texts {
    std::string bytes;
    std::vector<std::int64_t> offsets = {0};
    std::vector<std::uint8_t> mask;
    bool any_missing = false;

    void add(const std::string_view *text) {
        if (text) bytes += *text;
        offsets.push_back(static_cast<std::int64_t>(bytes.size()));
        mask.push_back(!text);
        any_missing = any_missing || !text;
    }

    const std::uint8_t *mask_or_null() const noexcept {
        return any_missing ? mask.data() : nullptr;
    }
    std::size_t mask_size() const noexcept {
        return any_missing ? mask.size() : 0;
    }
};

/// Elements one after the other with their mask.
template <class T> struct packed_elements {
    std::vector<stored_element<T>> values;
    std::vector<std::uint8_t> mask;
    bool any_missing = false;

    void add(const T *element) {
        values.push_back(element ? static_cast<stored_element<T>>(*element) : stored_element<T>());
        mask.push_back(!element);
        any_missing = any_missing || !element;
    }

    std::size_t size_in_bytes() const noexcept {
        return values.size() * sizeof(stored_element<T>);
    }
    const std::uint8_t *mask_or_null() const noexcept {
        return any_missing ? mask.data() : nullptr;
    }
    std::size_t mask_size() const noexcept {
        return any_missing ? mask.size() : 0;
    }
};

/// Texts as strings of equal length in bytes, padded with NULs.
struct packed_strings {
    explicit packed_strings(packed_texts texts)
        : type(datatype::ascii(longest(texts))), mask(std::move(texts.mask)), any_missing(texts.any_missing) {
        const auto length = type.item_size();
        bytes.reserve(length * mask.size());
        for (std::size_t i = 0; i < mask.size(); i++) {
            const auto begin = static_cast<std::size_t>(texts.offsets[i]);
            const auto size = static_cast<std::size_t>(texts.offsets[i + 1]) - begin;
            bytes.append(texts.bytes, begin, size).append(length - size, '\0');
        }
    }

    const std::uint8_t *mask_or_null() const noexcept {
        return any_missing ? mask.data() : nullptr;
    }
    std::size_t mask_size() const noexcept {
        return any_missing ? mask.size() : 0;
    }

    datatype type;
    std::string bytes;
    std::vector<std::uint8_t> mask;
    bool any_missing;

  private:
    /// The length of the longest text, at least 1.
    static std::int64_t longest(const packed_texts &texts) {
        std::int64_t length = 1;
        for (std::size_t i = 0; i < texts.mask.size(); i++)
            length = std::max(length, texts.offsets[i + 1] - texts.offsets[i]);
        return length;
    }
};

} // namespace asdf::detail
