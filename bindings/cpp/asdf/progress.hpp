// Progress of a call: a callable in the options sees it and can cancel the call.
#pragma once

#include "callback.hpp"

#include <asdf.h>
#include <cstdint>
#include <functional>
#include <optional>

namespace asdf {

/// Progress of a call: bytes of elements to read, of blocks to write or verify, or of text of tables.
struct progress {
    std::int64_t done = 0;   ///< processed bytes; never decreases and never exceeds the total
    std::int64_t total = -1; ///< all bytes; can grow during the call; -1 while unknown

    /// Returns the processed part, from 0 to 1; std::nullopt while the total is unknown.
    std::optional<double> fraction() const noexcept {
        if (total < 0) return std::nullopt;
        return total == 0 ? 1.0 : static_cast<double>(done) / static_cast<double>(total);
    }
};

/// Receives the progress of a call, on the thread of the call. It returns true to continue; false cancels the call,
/// which throws asdf::error with ASDF_ERR_CANCELLED. An exception cancels the call, too, which throws it again.
///
/// It is called before the work begins, then at least 100 ms apart, and once at the end. A call whose result is about
/// to take effect is no longer cancelled: it completes, and then throws an exception of the callable. The callable must
/// not use the file, reader, writer or stream of the call. Readers, writers and streams keep it for all their calls.
///
///     asdf::read_ecsv_options options;
///     options.progress = [&](asdf::progress now) { return window.show(now.fraction()); };
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
