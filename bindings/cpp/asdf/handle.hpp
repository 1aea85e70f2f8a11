// Owners of handles of the C interface: freed by destructors, copied by the _retain functions.
#pragma once

#include "error.hpp"

#include <asdf.h>
#include <utility>

namespace asdf {
namespace detail {

/// Owner of a handle that has one owner: it moves and does not copy.
template <class T, auto Free> class unique_handle {
  public:
    unique_handle() noexcept = default;

    /// Takes over a handle. NULL gives an empty owner.
    explicit unique_handle(T *owned) noexcept : handle_(owned) {}

    unique_handle(unique_handle &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}

    unique_handle &operator=(unique_handle &&other) noexcept {
        if (this != &other) reset(std::exchange(other.handle_, nullptr));
        return *this;
    }

    ~unique_handle() {
        reset();
    }

    /// Returns the handle; NULL if this object is empty or was moved from.
    T *get() const noexcept {
        return handle_;
    }

    explicit operator bool() const noexcept {
        return handle_ != nullptr;
    }

    /// Frees the handle and takes over another one. Most owners are empty by then, so that no call is spent on NULL.
    void reset(T *owned = nullptr) noexcept {
        if (T *freed = std::exchange(handle_, owned)) Free(freed);
    }

    /// Gives the handle to the caller, who frees it.
    T *release() noexcept {
        return std::exchange(handle_, nullptr);
    }

    /// Frees the handle and returns the place for another one: the output argument of a C function.
    T **out() noexcept {
        reset();
        return &handle_;
    }

  private:
    T *handle_ = nullptr;
};

/// Owner of a handle that counts its owners: a copy is one more owner of the same object.
template <class T, auto Retain, auto Free> class handle : public unique_handle<T, Free> {
  public:
    using unique_handle<T, Free>::unique_handle;
    handle() noexcept = default;
    handle(handle &&) noexcept = default;
    handle &operator=(handle &&) noexcept = default;
    ~handle() = default;

    handle(const handle &other) : unique_handle<T, Free>() {
        if (other) check(Retain(other.get(), this->out()));
    }

    handle &operator=(const handle &other) {
        if (this != &other) *this = handle(other);
        return *this;
    }
};

/// Returns the object of a C function whose last argument is the output for a new handle. If the call succeeds and the
/// exception of a callback is thrown after it, the handle is freed.
template <class Object, class Function, class... Arguments> Object made_by(Function function, Arguments... arguments) {
    typename Object::handle_type owner;
    check(function(arguments..., owner.out()));
    return Object(owner.release());
}

} // namespace detail
} // namespace asdf
