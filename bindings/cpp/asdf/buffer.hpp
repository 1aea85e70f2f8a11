// Bytes that the library allocated: a file in memory, an exported description, a table of JSON.
#pragma once

#include "handle.hpp"

#include <asdf.h>
#include <cstddef>
#include <string_view>
#include <utility>
#ifdef __has_include
#if __has_include(<version>)
#include <version>
#endif
#endif
#ifdef __cpp_lib_span
#include <span>
#endif

namespace asdf {

/// Bytes that the library allocated because only it knew their number. They never change. A copy is one more owner of
/// the same bytes.
class buffer {
  public:
    using handle_type = detail::handle<asdf_buffer, asdf_buffer_retain, asdf_buffer_free>;

    /// Makes an empty buffer.
    buffer() noexcept = default;

    /// Takes over a handle of the C interface.
    explicit buffer(asdf_buffer *owned) : handle_(owned) {
        if (!handle_) return;
        const void *bytes = nullptr;
        detail::check(asdf_buffer_bytes(handle_.get(), &bytes, &size_));
        data_ = static_cast<const std::byte *>(bytes);
    }

    buffer(const buffer &) = default;
    buffer &operator=(const buffer &) = default;
    buffer(buffer &&other) noexcept
        : handle_(std::move(other.handle_)), data_(std::exchange(other.data_, nullptr)),
          size_(std::exchange(other.size_, 0)) {}
    buffer &operator=(buffer &&other) noexcept {
        handle_ = std::move(other.handle_);
        data_ = std::exchange(other.data_, nullptr);
        size_ = std::exchange(other.size_, 0);
        return *this;
    }
    ~buffer() = default;

    /// Returns the first byte. It is valid as long as a buffer owns the bytes.
    const std::byte *data() const noexcept {
        return data_;
    }

    /// Returns the number of bytes.
    std::size_t size() const noexcept {
        return size_;
    }

    bool empty() const noexcept {
        return size_ == 0;
    }
    const std::byte *begin() const noexcept {
        return data_;
    }
    const std::byte *end() const noexcept {
        return data_ + size_;
    }

    /// Returns the bytes as text. It is valid as long as a buffer owns the bytes.
    std::string_view text() const noexcept {
        return {reinterpret_cast<const char *>(data_), size_};
    }

#ifdef __cpp_lib_span
    operator std::span<const std::byte>() const noexcept {
        return {data_, size_};
    }
#endif

    /// Returns the handle of the C interface, which this object keeps.
    asdf_buffer *native_handle() const noexcept {
        return handle_.get();
    }

  private:
    handle_type handle_;
    const std::byte *data_ = nullptr;
    std::size_t size_ = 0;
};

} // namespace asdf
