// Progress of a call: a callable in the options sees it and can cancel the call.
#pragma once

#include "callback.hpp"

#include <asdf.h>
#include <cstdint>
#include <functional>

namespace asdf {

/// Progress of a call in bytes.
struct progress {
    std::int64_t done = 0;   ///< processed bytes
    std::int64_t total = -1; ///< all bytes; -1 while unknown
};

/// Receives the progress of a call, on the thread of the call. It returns true to continue; false cancels the call,
/// which throws asdf::error with ASDF_ERR_CANCELLED. An exception cancels the call, too, which throws it again.
using progress_callback = std::function<bool(progress)>;

namespace detail {

inline void set_progress(asdf_options *options, const progress_callback &callback) {
    const auto report = [](void *user, std::int64_t done, std::int64_t total) noexcept -> std::int32_t {
        bool goes_on = false;
        guard([&] { goes_on = (*static_cast<progress_callback *>(user))(progress{done, total}); });
        return goes_on ? 0 : 1;
    };
    hand_over(callback, [&](void *user) {
        return asdf_options_set_progress(options, report, delete_callable<progress_callback>, user);
    });
}

} // namespace detail
} // namespace asdf
