// Callables of the program as callbacks of the C interface: exceptions are caught, kept, and rethrown after the call.
#pragma once

#include "error.hpp"

#include <asdf.h>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace asdf {

/// Bytes that the program provides: a file in an archive, an object in a store.
///
///     asdf::byte_source source{[&](std::int64_t offset, void* buffer, std::size_t size) {
///         return connection.read_at(offset, buffer, size);
///     }, connection.length()};
///     asdf::file file = asdf::file::open(source);
///
/// The callable is copied. The copy is destroyed when the file is closed, or when the last handle that depends on it is
/// destroyed; then its captures release what they own.
struct byte_source {
    /// Reads `size` bytes from `offset` on into `buffer`, at least 1, and returns their number. If it is less than
    /// `size`, the callable is called again for the rest. It runs inside the call that needs the bytes; an exception
    /// ends that call, which throws it again. It must not use the file.
    std::function<std::size_t(std::int64_t offset, void *buffer, std::size_t size)> read{};
    /// Size of the source in bytes.
    std::int64_t length = 0;
};

namespace detail {

/// Runs a callable of the program inside a callback. An exception becomes the returned status: that of asdf::error
/// where the library passes it on, and ASDF_ERR_CALLBACK for all others. check() rethrows it after the call.
template <class Call> asdf_status guard(Call &&call) noexcept {
    callback_exception() = nullptr;
    try {
        std::forward<Call>(call)();
        return ASDF_OK;
    } catch (const error &failure) {
        callback_exception() = std::current_exception();
        return failure.status();
    } catch (...) {
        callback_exception() = std::current_exception();
        return ASDF_ERR_CALLBACK;
    }
}

/// Close callback of a callable on the heap.
template <class Callable> asdf_status delete_callable(void *user) noexcept {
    delete static_cast<Callable *>(user);
    return ASDF_OK;
}

/// Release callback of a std::function on the heap: calls it and deletes it.
inline void call_release(void *user) noexcept {
    const std::unique_ptr<std::function<void()>> release(static_cast<std::function<void()> *>(user));
    if (*release) (*release)();
}

/// Read callback of a std::function of byte_source.
inline asdf_status read_source(void *user, std::int64_t offset, void *buffer, std::size_t size,
                               std::size_t *got) noexcept {
    auto &read = *static_cast<decltype(byte_source::read) *>(user);
    return guard([&] { *got = read(offset, buffer, size); });
}

/// Passes a callable to a C function that takes it over: call(user) returns a status and keeps `user` if it succeeds.
template <class Callable, class Call> void hand_over(Callable callable, Call &&call) {
    auto owner = std::make_unique<Callable>(std::move(callable));
    const asdf_status status = call(static_cast<void *>(owner.get()));
    // Also if check() throws the exception of a callback: the library owns the callable then.
    if (status == ASDF_OK) static_cast<void>(owner.release());
    check(status);
}

} // namespace detail
} // namespace asdf
