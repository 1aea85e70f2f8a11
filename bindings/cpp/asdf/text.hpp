// Text at the boundary to the C interface: NUL-terminated arguments, and buffers for results.
#pragma once

#include "error.hpp"

#include <asdf.h>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace asdf {
namespace detail {

/// Returns the text of a C function whose last arguments are a buffer, its capacity and the output for the length.
template <class Function, class... Arguments> std::string read_text(Function function, Arguments... arguments) {
    char small[text_buffer_size];
    std::size_t needed = 0;
    const asdf_status status = function(arguments..., small, sizeof small, &needed);
    if (status == ASDF_OK) return std::string(small, needed);
    if (status != ASDF_ERR_BUFFER_TOO_SMALL) throw_failure(status);
    std::string text(needed, '\0');
    // The final NUL goes to text[needed], which std::string provides.
    check(function(arguments..., text.data(), needed + 1, &needed));
    return text;
}

} // namespace detail

/// Argument that is passed on as NUL-terminated UTF-8: a key, a path of a node, the name of a file.
///
/// It is made from a string literal, std::string, std::string_view or std::filesystem::path. Only a std::string_view is
/// copied. A text that contains a NUL throws asdf::error instead of being cut silently.
class c_string {
  public:
    c_string(const char *text) noexcept : text_(text) {}

    c_string(const std::string &text) : text_(text.c_str()) {
        refuse_nul(text);
    }

    c_string(std::string_view text) : copy_(text), text_(copy_.c_str()) {
        refuse_nul(text);
    }

    /// Takes a std::filesystem::path whose native text is of char.
    template <class Path, class = decltype(static_cast<const std::string &>(std::declval<const Path &>().native()))>
    c_string(const Path &path) : c_string(static_cast<const std::string &>(path.native())) {}

    /// text_ may point into copy_, so there is no copy and no move.
    c_string(const c_string &) = delete;
    c_string &operator=(const c_string &) = delete;

    /// Returns the text. It is valid as long as this object and its source.
    const char *c_str() const noexcept {
        return text_;
    }

  private:
    static void refuse_nul(std::string_view text) {
        if (text.find('\0') != std::string_view::npos) {
            throw error(ASDF_ERR_INVALID_ARGUMENT, "a name, key or path contains a NUL character");
        }
    }

    std::string copy_;
    const char *text_;
};

} // namespace asdf
