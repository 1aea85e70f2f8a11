// Calls with options, and results of the C interface as standard types: optional results, bytes of buffers.
#pragma once

#include "error.hpp"
#include "handle.hpp"
#include "option_values.hpp"
#include "progress.hpp"

#include <asdf.h>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
    check_call([&] { return call(handle.get()); });
}

/// Bytes that the library allocated.
class buffer {
  public:
    /// The place for the buffer: the output argument of a C function.
    asdf_buffer **out() noexcept { return handle_.out(); }

    /// The bytes; valid as long as this object.
    std::string_view bytes() const {
        const void *address = nullptr;
        std::size_t size = 0;
        check(asdf_buffer_bytes(handle_.get(), &address, &size));
        return std::string_view(static_cast<const char *>(address), size);
    }

    /// The first element; the bytes are aligned for it.
    template <class T> const T *elements() const { return reinterpret_cast<const T *>(bytes().data()); }

  private:
    unique_handle<asdf_buffer, asdf_buffer_free> handle_;
};

} // namespace detail
} // namespace asdf
