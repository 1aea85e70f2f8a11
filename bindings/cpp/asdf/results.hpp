// Calls with options, and results that may not exist.
#pragma once

#include "error.hpp"
#include "handle.hpp"
#include "option_values.hpp"
#include "progress.hpp"

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

/// Makes the options of a call, calls, and throws if the call failed: call(options) returns a status.
template <class Options, class Call> void with_options(const Options &options, Call &&call) {
    const option_handle handle = make_options(options);
    check(call(handle.get()));
}

} // namespace detail
} // namespace asdf
