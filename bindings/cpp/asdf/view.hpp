// Views: elements of an array where they are stored, without a copy.
#pragma once

#include "datatype.hpp"
#include "extents.hpp"
#include "handle.hpp"
#include "options.hpp"
#include "record.hpp"

#include <array>
#include <asdf.h>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>
#ifdef __has_include
#if __has_include(<version>)
#include <version>
#endif
#endif
#ifdef __cpp_lib_span
#include <span>
#endif
#ifdef __cpp_lib_mdspan
#include <mdspan>
#endif

namespace asdf {

template <class T> class view;

/// Elements of an array where they are stored. They are read-only.
///
/// The bytes stay valid as long as the view or a copy of it exists, also after the file is closed. They may be a memory
/// map of the file: if another program truncates the file, accessing them can end the program with SIGBUS.
///
///     asdf::view<const float> image = file["data"].array().view<float>();
///     float pixel = image(10, 20);
template <class T> class view<const T> {
    static_assert(detail::is_element_v<T>, "a view needs a number type or a struct with asdf::record");

  public:
    using handle_type = detail::handle<asdf_view, asdf_view_retain, asdf_view_free>;

    /// Type in memory. A stored bool8 may be any byte, so a view of bool has bytes and returns bool by value.
    using element_type = std::conditional_t<std::is_same_v<T, bool>, const unsigned char, const T>;
    using reference = std::conditional_t<std::is_same_v<T, bool>, bool, const T &>;

    /// Random access iterator over the elements in C order, also of strided ones. It belongs to its view.
    class iterator;

    /// Makes an empty view.
    view() noexcept = default;

    view(const view &) = default;
    view &operator=(const view &) = default;
    ~view() = default;

    /// A view that was moved from is empty.
    view(view &&other) noexcept : view() {
        swap(other);
    }
    view &operator=(view &&other) noexcept {
        view(std::move(other)).swap(*this);
        return *this;
    }

    /// Takes over a handle of the C interface, of a view of elements of type T.
    explicit view(asdf_view *owned) : handle_(owned), size_(1) {
        detail::check(asdf_view_shape(handle_.get(), shape_.data(), ASDF_MAX_RANK, &rank_));
        detail::check(asdf_view_strides(handle_.get(), strides_.data(), ASDF_MAX_RANK, nullptr));
        const void *first = nullptr;
        detail::check(asdf_view_first_element(handle_.get(), &first));
        data_ = static_cast<element_type *>(first);
        for (std::size_t axis = 0; axis < rank(); ++axis) size_ *= static_cast<std::size_t>(shape_[axis]);
        contiguous_ = has_c_order();
        if constexpr (detail::is_record_v<T>) refuse_unaligned();
    }

    /// Returns the number of axes.
    std::size_t rank() const noexcept {
        return static_cast<std::size_t>(rank_);
    }

    /// Returns the extent along an axis, from 0.
    std::int64_t extent(std::size_t axis) const noexcept {
        return shape_[axis];
    }

    /// Returns the bytes from one element to the next along an axis. They may be negative or 0.
    std::int64_t stride(std::size_t axis) const noexcept {
        return strides_[axis];
    }

    /// Returns the extents, slowest axis first.
    asdf::shape shape() const {
        return {shape_.begin(), shape_.begin() + rank_};
    }

    /// Returns the number of elements.
    std::size_t size() const noexcept {
        return size_;
    }

    /// Returns the address of the element whose indices are all 0.
    element_type *data() const noexcept {
        return data_;
    }

    /// Returns an element. There must be one index for each axis, within its extent: neither is checked.
    template <class... Indices> reference operator()(Indices... indices) const noexcept {
        static_assert((std::is_integral_v<Indices> && ...), "indices are integers");
        std::int64_t offset = 0;
        std::size_t axis = 0;
        ((offset += static_cast<std::int64_t>(indices) * strides_[axis++]), ...);
        return at_offset(offset);
    }

    /// Returns an element; throws asdf::error with ASDF_ERR_OUT_OF_RANGE if there is none.
    template <class... Indices> reference at(Indices... indices) const {
        const extents index(indices...);
        if (index.size() != rank()) {
            throw error(ASDF_ERR_OUT_OF_RANGE,
                        std::to_string(index.size()) + " indices for an array of rank " + std::to_string(rank()));
        }
        for (std::size_t axis = 0; axis < rank(); ++axis) {
            if (index[axis] < 0 || index[axis] >= shape_[axis]) {
                throw error(ASDF_ERR_OUT_OF_RANGE, "index " + std::to_string(index[axis]) + " of axis " +
                                                       std::to_string(axis) + " is not within its extent " +
                                                       std::to_string(shape_[axis]));
            }
        }
        return (*this)(indices...);
    }

    /// Returns the element with a number, which counts all elements from 0 in C order. It is not checked.
    reference operator[](std::size_t number) const noexcept {
        if (contiguous_) return at_offset(static_cast<std::int64_t>(number * sizeof(T)));
        std::int64_t offset = 0;
        auto rest = static_cast<std::int64_t>(number);
        for (std::size_t axis = rank(); axis-- > 0;) {
            offset += rest % shape_[axis] * strides_[axis];
            rest /= shape_[axis];
        }
        return at_offset(offset);
    }

#if defined(__cpp_multidimensional_subscript)
    /// Returns an element by one index for each axis, as operator() does.
    template <class... Indices, class = std::enable_if_t<(sizeof...(Indices) > 1)>>
    reference operator[](Indices... indices) const noexcept {
        return (*this)(indices...);
    }
#endif

    /// Returns iterators over all elements in C order.
    iterator begin() const noexcept {
        return iterator(this, 0);
    }
    iterator end() const noexcept {
        return iterator(this, static_cast<std::ptrdiff_t>(size_));
    }

    bool empty() const noexcept {
        return size_ == 0;
    }

    /// Returns true if the elements follow one another in C order, without gaps.
    bool is_contiguous() const noexcept {
        return contiguous_;
    }

#ifdef __cpp_lib_span
    /// Returns the elements in C order; throws asdf::error with ASDF_ERR_NOT_VIEWABLE unless they are contiguous. The
    /// elements are valid as long as the view exists, so there is no span of a temporary view: keep the view in a
    /// variable.
    std::span<element_type> span() const & {
        if (!is_contiguous()) throw error(ASDF_ERR_NOT_VIEWABLE, "the stored elements are not contiguous");
        return {data_, size_};
    }
    std::span<element_type> span() const && = delete;
#endif

#ifdef __cpp_lib_mdspan
    /// Returns the elements as std::mdspan of a rank. Throws asdf::error with ASDF_ERR_NOT_VIEWABLE if the view has
    /// another rank, or strides that std::layout_stride cannot have.
    template <std::size_t Rank>
    std::mdspan<element_type, std::dextents<std::int64_t, Rank>, std::layout_stride> mdspan() const & {
        if (Rank != rank()) {
            throw error(ASDF_ERR_NOT_VIEWABLE,
                        "the array has rank " + std::to_string(rank()) + ", not " + std::to_string(Rank));
        }
        std::array<std::int64_t, Rank> counts{};
        std::array<std::int64_t, Rank> steps{};
        for (std::size_t axis = 0; axis < Rank; ++axis) {
            counts[axis] = shape_[axis];
            steps[axis] = strides_[axis] / static_cast<std::int64_t>(sizeof(T));
            if (steps[axis] <= 0 || strides_[axis] % static_cast<std::int64_t>(sizeof(T)) != 0) {
                throw error(ASDF_ERR_NOT_VIEWABLE, "the strides are not positive multiples of the element size");
            }
        }
        using mapping = std::layout_stride::mapping<std::dextents<std::int64_t, Rank>>;
        return {data_, mapping(std::dextents<std::int64_t, Rank>(counts), steps)};
    }
    template <std::size_t Rank>
    std::mdspan<element_type, std::dextents<std::int64_t, Rank>, std::layout_stride> mdspan() const && = delete;
#endif

    /// Returns the handle of the C interface, which this object keeps.
    asdf_view *native_handle() const noexcept {
        return handle_.get();
    }

  private:
    void swap(view &other) noexcept {
        std::swap(handle_, other.handle_);
        std::swap(rank_, other.rank_);
        std::swap(size_, other.size_);
        std::swap(data_, other.data_);
        std::swap(contiguous_, other.contiguous_);
        std::swap(shape_, other.shape_);
        std::swap(strides_, other.strides_);
    }

    bool has_c_order() const noexcept {
        std::int64_t packed = sizeof(T);
        for (std::size_t axis = rank(); axis-- > 0;) {
            if (shape_[axis] != 1 && strides_[axis] != packed) return size_ == 0;
            packed *= shape_[axis];
        }
        return true;
    }

    reference at_offset(std::int64_t offset) const noexcept {
        const auto *const address = reinterpret_cast<const std::byte *>(data_) + offset;
        if constexpr (std::is_same_v<T, bool>) {
            return *reinterpret_cast<element_type *>(address) != 0;
        } else {
            return *reinterpret_cast<element_type *>(address);
        }
    }

    /// Records in a file have any address; a struct needs an aligned one.
    void refuse_unaligned() const {
        bool aligned = reinterpret_cast<std::uintptr_t>(data_) % alignof(T) == 0;
        for (std::size_t axis = 0; axis < rank(); ++axis) {
            aligned = aligned && strides_[axis] % static_cast<std::int64_t>(alignof(T)) == 0;
        }
        if (!aligned && size_ > 0)
            throw error(ASDF_ERR_NOT_VIEWABLE, "no view is possible because the stored records are not aligned for the "
                                               "struct; reading copies the elements");
    }

    handle_type handle_;
    std::int32_t rank_ = 0;
    std::size_t size_ = 0;
    element_type *data_ = nullptr;
    bool contiguous_ = true;
    std::array<std::int64_t, ASDF_MAX_RANK> shape_{};
    std::array<std::int64_t, ASDF_MAX_RANK> strides_{};
};

template <class T> class view<const T>::iterator {
  public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = const T *;
    using reference = typename view::reference;

    iterator() = default;
    iterator(const view *of, std::ptrdiff_t number) noexcept : view_(of), number_(number) {}

    reference operator*() const noexcept {
        return (*view_)[static_cast<std::size_t>(number_)];
    }
    reference operator[](difference_type step) const noexcept {
        return *(*this + step);
    }
    iterator &operator++() noexcept {
        ++number_;
        return *this;
    }
    iterator operator++(int) noexcept {
        return iterator(view_, number_++);
    }
    iterator &operator--() noexcept {
        --number_;
        return *this;
    }
    iterator operator--(int) noexcept {
        return iterator(view_, number_--);
    }
    iterator &operator+=(difference_type step) noexcept {
        number_ += step;
        return *this;
    }
    iterator &operator-=(difference_type step) noexcept {
        number_ -= step;
        return *this;
    }
    friend iterator operator+(iterator at, difference_type step) noexcept {
        return at += step;
    }
    friend iterator operator+(difference_type step, iterator at) noexcept {
        return at += step;
    }
    friend iterator operator-(iterator at, difference_type step) noexcept {
        return at -= step;
    }
    friend difference_type operator-(const iterator &a, const iterator &b) noexcept {
        return a.number_ - b.number_;
    }
    friend bool operator==(const iterator &a, const iterator &b) noexcept {
        return a.number_ == b.number_;
    }
    friend bool operator!=(const iterator &a, const iterator &b) noexcept {
        return a.number_ != b.number_;
    }
    friend bool operator<(const iterator &a, const iterator &b) noexcept {
        return a.number_ < b.number_;
    }
    friend bool operator>(const iterator &a, const iterator &b) noexcept {
        return a.number_ > b.number_;
    }
    friend bool operator<=(const iterator &a, const iterator &b) noexcept {
        return a.number_ <= b.number_;
    }
    friend bool operator>=(const iterator &a, const iterator &b) noexcept {
        return a.number_ >= b.number_;
    }

  private:
    const view *view_ = nullptr;
    std::ptrdiff_t number_ = 0;
};

/// Elements of a datatype that is known at run time, where they are stored.
class raw_view {
  public:
    using handle_type = detail::handle<asdf_view, asdf_view_retain, asdf_view_free>;

    /// Takes over a handle of the C interface.
    explicit raw_view(asdf_view *owned) noexcept : handle_(owned) {}

    /// Returns the extents, slowest axis first.
    asdf::shape shape() const {
        return detail::read_extents([this](std::int64_t *extents, std::int32_t capacity, std::int32_t *rank) {
            return asdf_view_shape(handle_.get(), extents, capacity, rank);
        });
    }

    /// Returns the bytes from one element to the next along each axis. They may be negative or 0.
    std::vector<std::int64_t> strides() const {
        return detail::read_extents([this](std::int64_t *strides, std::int32_t capacity, std::int32_t *rank) {
            return asdf_view_strides(handle_.get(), strides, capacity, rank);
        });
    }

    /// Returns the address of the element whose indices are all 0.
    const void *data() const {
        const void *first = nullptr;
        detail::check(asdf_view_first_element(handle_.get(), &first));
        return first;
    }

    /// Returns the handle of the C interface, which this object keeps.
    asdf_view *native_handle() const noexcept {
        return handle_.get();
    }

  private:
    handle_type handle_;
};

} // namespace asdf
