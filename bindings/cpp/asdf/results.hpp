// Results that may not exist.
#pragma once

#include "error.hpp"

#include <asdf.h>
#include <cstdint>
#include <optional>

namespace asdf {
namespace detail {

/// A number for which the C interface has -1 if it is unknown.
inline std::optional<std::int64_t> known(std::int64_t number) noexcept {
    return number < 0 ? std::nullopt : std::optional<std::int64_t>(number);
}

/// The result of a call that fails with ASDF_ERR_NOT_FOUND if there is none: get(), which throws, gives the result.
template <class Get> auto if_found(Get &&get) -> std::optional<decltype(get())> {
    try {
        return get();
    } catch (const error &problem) {
        if (problem.status() != ASDF_ERR_NOT_FOUND) throw;
        return std::nullopt;
    }
}

} // namespace detail
} // namespace asdf
