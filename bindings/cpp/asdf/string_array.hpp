// Arrays of strings: strings of fixed length in a file, std::string in a program.
#pragma once

#include "datatype.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace asdf {
namespace detail {

/// Returns the code points of a UTF-8 text; throws asdf::error with ASDF_ERR_ENCODING if it is not valid UTF-8.
inline std::u32string to_utf32(std::string_view text) {
    std::u32string points;
    for (std::size_t at = 0; at < text.size();) {
        const auto lead = static_cast<unsigned char>(text[at++]);
        const int following = lead < 0x80   ? 0
                              : lead < 0xc2 ? -1
                              : lead < 0xe0 ? 1
                              : lead < 0xf0 ? 2
                              : lead < 0xf5 ? 3
                                            : -1;
        char32_t point = following <= 0 ? lead : lead & (0x3fU >> following);
        bool valid = following >= 0;
        for (int i = 0; valid && i < following; ++i) {
            valid = at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80U;
            if (valid) point = (point << 6) | (static_cast<unsigned char>(text[at++]) & 0x3fU);
        }
        const bool is_short = (following == 2 && point < 0x800) || (following == 3 && point < 0x10000);
        if (!valid || is_short || point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) {
            throw error(ASDF_ERR_ENCODING, "a string is not valid UTF-8");
        }
        points.push_back(point);
    }
    return points;
}

/// Strings of one length, padded with NULs.
struct padded_strings {
    datatype type;
    std::vector<std::byte> bytes;
};

/// Pads strings to the longest one: as ASCII, or as UCS-4 if one has other characters.
template <class Strings> padded_strings pad_strings(const Strings &strings) {
    bool is_ascii = true;
    std::size_t longest = 0;
    for (const std::string_view text : strings) {
        longest = std::max(longest, text.size());
        is_ascii = is_ascii && std::all_of(text.begin(), text.end(), [](char c) { return (c & 0x80) == 0; });
    }
    std::vector<std::u32string> points;
    if (!is_ascii) {
        longest = 0;
        for (const std::string_view text : strings) {
            points.push_back(to_utf32(text));
            longest = std::max(longest, points.back().size());
        }
    }
    const auto length = static_cast<std::int64_t>(longest);
    const std::size_t item_size = is_ascii ? longest : longest * sizeof(char32_t);
    padded_strings padded{is_ascii ? datatype::ascii(length) : datatype::ucs4(length),
                          std::vector<std::byte>(std::size(strings) * item_size)};
    std::byte *to = padded.bytes.data();
    for (const std::u32string &text : points) {
        if (!text.empty()) std::memcpy(to, text.data(), text.size() * sizeof(char32_t));
        to += item_size;
    }
    if (is_ascii) {
        for (const std::string_view text : strings) {
            if (!text.empty()) std::memcpy(to, text.data(), text.size());
            to += item_size;
        }
    }
    return padded;
}

/// Returns strings of a length in bytes without the NULs that pad them.
inline std::vector<std::string> trim_strings(const char *bytes, std::size_t count, std::size_t length) {
    std::vector<std::string> strings;
    strings.reserve(count);
    for (std::size_t index = 0; index < count; ++index) {
        const std::string_view padded(bytes + index * length, length);
        const std::size_t last = padded.find_last_not_of('\0');
        strings.emplace_back(padded.substr(0, last == std::string_view::npos ? 0 : last + 1));
    }
    return strings;
}

} // namespace detail
} // namespace asdf
