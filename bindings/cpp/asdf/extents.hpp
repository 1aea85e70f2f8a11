// Extents and indices along the axes of an array, as arguments of calls.
#pragma once

#include "error.hpp"

#include <asdf.h>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <type_traits>

namespace asdf {

/// Extents, indices or steps along each axis, slowest axis first (C order): {512, 512}, or any contiguous container of
/// integers. Empty braces are rank 0, a single element.
class extents {
  public:
    extents() noexcept = default;

    /// Takes an integer for each axis, of any integer types.
    template <class... Integers, class = std::enable_if_t<(sizeof...(Integers) > 0) &&
                                                          (std::is_integral_v<std::decay_t<Integers>> && ...)>>
    extents(Integers... values) : rank_(sizeof...(Integers)), values_{static_cast<std::int64_t>(values)...} {
        static_assert(sizeof...(Integers) <= ASDF_MAX_RANK, "an array has at most 32 axes");
    }

    /// Takes the integers of std::vector, std::array, std::span and similar containers.
    template <class Container, class Integer = std::decay_t<decltype(*std::data(std::declval<const Container &>()))>,
              class = std::enable_if_t<std::is_integral_v<Integer>>>
    extents(const Container &container) : rank_(std::size(container)) {
        if (rank_ > ASDF_MAX_RANK) {
            throw error(ASDF_ERR_INVALID_ARGUMENT, "an array has at most 32 axes, not " + std::to_string(rank_));
        }
        for (std::size_t axis = 0; axis < rank_; ++axis) {
            values_[axis] = static_cast<std::int64_t>(std::data(container)[axis]);
        }
    }

    /// Returns the number of axes.
    std::int32_t rank() const noexcept {
        return static_cast<std::int32_t>(rank_);
    }

    const std::int64_t *data() const noexcept {
        return values_;
    }
    std::size_t size() const noexcept {
        return rank_;
    }
    bool empty() const noexcept {
        return rank_ == 0;
    }
    const std::int64_t *begin() const noexcept {
        return values_;
    }
    const std::int64_t *end() const noexcept {
        return values_ + rank_;
    }
    std::int64_t operator[](std::size_t axis) const noexcept {
        return values_[axis];
    }

    /// Returns the product: the number of elements of an array with these extents.
    std::int64_t product() const {
        std::int64_t product = 1;
        for (const std::int64_t value : *this) {
            if (value != 0 && (value < 0 || product > INT64_MAX / value)) {
                throw error(ASDF_ERR_OUT_OF_RANGE, "the number of elements is negative or exceeds 2^63 - 1");
            }
            product *= value;
        }
        return product;
    }

  private:
    std::size_t rank_ = 0;
    std::int64_t values_[ASDF_MAX_RANK] = {};
};

} // namespace asdf
