// Arrays of nodes: getting them, setting them from memory, from a callable or as zeros, changing them.
#pragma once

#include "array.hpp"
#include "callback.hpp"
#include "elements.hpp"
#include "extents.hpp"
#include "options.hpp"
#include "record.hpp"
#include "string_array.hpp"

#include <asdf.h>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace asdf {
namespace detail {

/// Element type of a container: bool for std::vector<bool>.
template <class Container>
using iterated_element =
    typename std::iterator_traits<decltype(std::begin(std::declval<const Container &>()))>::value_type;

/// True for elements that an array is set from: numbers, structs with asdf::record, texts, or std::optional of these.
template <class T>
inline constexpr bool is_settable_v =
    is_element_v<without_optional<T>> || std::is_convertible_v<without_optional<T>, std::string_view>;

/// True for options of other calls that store arrays or write files.
template <class Options>
inline constexpr bool is_wrong_for_arrays_v =
    std::is_same_v<Options, store_options> || std::is_same_v<Options, storage_options> ||
    std::is_same_v<Options, recompress_options> || std::is_same_v<Options, stream_options> ||
    std::is_same_v<Options, write_options> || std::is_same_v<Options, write_region_options>;

/// Callable that makes elements of an array: fill(first, elements, count).
template <class T> using generator = std::function<void(std::int64_t first, T *elements, std::size_t count)>;

/// Read callback of a generator: makes the elements that cover the requested bytes.
template <class T>
asdf_status generate(void *user, std::int64_t offset, void *buffer, std::size_t size, std::size_t *got) noexcept {
    return guard([&] {
        const auto &fill = *static_cast<generator<T> *>(user);
        constexpr auto item = static_cast<std::int64_t>(sizeof(T));
        const std::int64_t first = offset / item;
        const auto skipped = static_cast<std::size_t>(offset % item);
        *got = size;
        if (skipped == 0 && size % sizeof(T) == 0 && reinterpret_cast<std::uintptr_t>(buffer) % alignof(T) == 0) {
            fill(first, static_cast<T *>(buffer), size / sizeof(T));
        } else {
            std::vector<T> elements((skipped + size + sizeof(T) - 1) / sizeof(T));
            fill(first, elements.data(), elements.size());
            std::memcpy(buffer, reinterpret_cast<const std::byte *>(elements.data()) + skipped, size);
        }
    });
}

/// Release callback of an owner on the heap.
template <class Owner> void delete_owner(void *user) noexcept {
    delete static_cast<Owner *>(user);
}

/// Functions of nodes that are about arrays. Derived provides base() and base_path().
template <class Derived> class node_arrays {
  public:
    /// Returns the array here: an array, a sequence of numbers, or one of these as the value of a quantity. No block is
    /// read. Anything else is ASDF_ERR_WRONG_TYPE.
    asdf::array array() const {
        return made_by<asdf::array>(asdf_node_get_array, base(), base_path());
    }

    /// Sets an array from a container: contiguous numbers or structs with asdf::record, std::vector<bool>, or strings.
    /// The elements are copied; those of a vector that is an rvalue are moved, and set_borrowed() takes none. Strings
    /// are padded to the longest one: as ASCII, or as UCS-4 if one has other characters. The number of elements must be
    /// that of the shape: ASDF_ERR_INVALID_ARGUMENT otherwise.
    ///
    /// Elements of std::optional are copied, too. If one is std::nullopt, the array gets a mask, compressed as the
    /// elements are.
    ///
    /// The file keeps strings and structs with padding as a packed copy. region::write() cannot overwrite such an array
    /// before the file is written and opened again.
    ///
    ///     file["data"].set(pixels, {512, 512}, asdf::compression::zlib);
    template <class Container, class T = iterated_element<Container>, class = std::enable_if_t<is_settable_v<T>>>
    void set(const Container &elements, const extents &shape, const array_options &options = {}) {
        if constexpr (is_optional_v<T>) {
            set_optionals(elements, shape, options);
        } else if constexpr (std::is_convertible_v<T, std::string_view>) {
            padded_strings padded = pad_strings(elements);
            lend_owner(0, shape, std::move(padded.bytes), make_options(options).with(padded.type));
        } else if constexpr (std::is_same_v<Container, std::vector<bool>>) {
            const std::vector<std::uint8_t> bytes(elements.begin(), elements.end());
            set_bytes(ASDF_BOOL8, shape, bytes.data(), bytes.size(), make_options(options).get());
        } else {
            set(std::data(elements), std::size(elements), shape, options);
        }
    }
    template <class Container, class T = iterated_element<Container>, class = std::enable_if_t<is_settable_v<T>>>
    void set(const Container &elements, const extents &shape, compression method) {
        array_options options;
        options.codec = method;
        set(elements, shape, options);
    }
    template <class T>
    void set(std::initializer_list<T> elements, const extents &shape, const array_options &options = {}) {
        set<std::initializer_list<T>>(elements, shape, options);
    }
    // Options of another call are one clear error instead of a list of all overloads.
    template <class Container, class Options, class T = iterated_element<Container>,
              class = std::enable_if_t<is_settable_v<T> && is_wrong_for_arrays_v<Options>>>
    void set(const Container & /*elements*/, const extents & /*shape*/, const Options & /*options*/) {
        static_assert(!is_wrong_for_arrays_v<Options>, "set(elements, shape, options) takes asdf::array_options");
    }

    /// Sets an array from a vector that is moved into the file, as set_moved() does: no element is copied.
    template <class T, class = std::enable_if_t<is_scalar_v<T> && !std::is_same_v<T, bool>>>
    void set(std::vector<T> &&elements, const extents &shape, const array_options &options = {}) {
        set_moved(std::move(elements), shape, options);
    }
    template <class T, class = std::enable_if_t<is_scalar_v<T> && !std::is_same_v<T, bool>>>
    void set(std::vector<T> &&elements, const extents &shape, compression method) {
        array_options options;
        options.codec = method;
        set_moved(std::move(elements), shape, options);
    }

    /// Sets an array from `count` elements in memory, which are copied. With options.strides, the memory begins with
    /// the element at the lowest address, and `count` is its size in elements.
    template <class T, class = std::enable_if_t<is_element_v<T>>>
    void set(const T *elements, std::size_t count, const extents &shape, const array_options &options = {}) {
        option_handle handle = make_options(options);
        if constexpr (is_record_v<T>) {
            const bool is_packed = count == 0 || record_layout<T>(elements[0]).is_packed();
            if (!is_packed) {
                return lend_owner(0, shape, record_layout<T>(elements[0]).pack(elements, count),
                                  handle.for_elements<T>());
            }
        }
        set_bytes(scalar_code_v<T>, shape, elements, count * sizeof(T), handle.for_elements<T>());
    }

    /// Sets an array of any datatype from packed elements in native byte order, which are copied.
    void set(const datatype &type, const void *elements, std::size_t size, const extents &shape,
             const array_options &options = {}) {
        set_bytes(0, shape, elements, size, make_options(options).with(type));
    }

    /// Sets an array from a vector that the file keeps: the elements are not copied. Such an array cannot be
    /// overwritten or resized before the file is written and opened again.
    template <class T>
    void set_moved(std::vector<T> &&elements, const extents &shape, const array_options &options = {}) {
        static_assert(is_scalar_v<T> && !std::is_same_v<T, bool>, "a vector to keep has elements of a number type");
        lend_owner(scalar_code_v<T>, shape, std::move(elements), make_options(options).get());
    }

    /// Sets an array of elements that the program lends: they must stay valid and unchanged until `release` is called.
    /// That happens once, at the latest when the file of the array and all objects that depend on it are destroyed.
    /// `release` must not throw.
    template <class T>
    void set_borrowed(const T *elements, std::size_t count, const extents &shape, std::function<void()> release = {},
                      const array_options &options = {}) {
        static_assert(is_scalar_v<T>, "lent elements are of a number type");
        hand_over(std::move(release), [&](void *user) {
            return asdf_node_set_array_borrowed(base(), base_path(), scalar_code_v<T>, shape.rank(), shape.data(),
                                                elements, count * sizeof(T), call_release, user,
                                                make_options(options).get());
        });
    }

    /// Sets an array of any datatype of packed elements in native byte order, which the program lends.
    void set_borrowed(const datatype &type, const void *elements, std::size_t size, const extents &shape,
                      std::function<void()> release = {}, const array_options &options = {}) {
        option_handle handle = make_options(options);
        hand_over(std::move(release), [&](void *user) {
            return asdf_node_set_array_borrowed(base(), base_path(), 0, shape.rank(), shape.data(), elements, size,
                                                call_release, user, handle.with(type));
        });
    }

    /// Sets an array whose elements a callable makes when the file is written: fill(first, elements, count) writes
    /// `count` elements from the number `first` on, in C order. It is called for all elements once and in order, at
    /// most about 1 MiB at a time. An exception ends the call that writes the file, which throws it again.
    ///
    ///     file["cube"].set_generated<float>({1000, 4096, 4096}, [&](std::int64_t first, float *to, std::size_t count)
    ///     {
    ///         camera.read(first, to, count);
    ///     });
    template <class T>
    void set_generated(const extents &shape, std::function<void(std::int64_t, T *, std::size_t)> fill,
                       const store_options &options = {}) {
        static_assert(is_scalar_v<T>, "generated elements are of a number type");
        hand_over(generator<T>(std::move(fill)), [&](void *user) {
            return asdf_node_set_array_callback(base(), base_path(), scalar_code_v<T>, shape.rank(), shape.data(),
                                                generate<T>, delete_callable<generator<T>>, user,
                                                make_options(options).get());
        });
    }

    /// Sets an array of any datatype whose packed bytes a callable returns when the file is written, in native byte
    /// order and C order. The length of the source is ignored.
    void set_generated(const datatype &type, const extents &shape, const byte_source &source,
                       const store_options &options = {}) {
        option_handle handle = make_options(options);
        hand_over(source.read, [&](void *user) {
            return asdf_node_set_array_callback(base(), base_path(), 0, shape.rank(), shape.data(), read_source,
                                                delete_callable<decltype(source.read)>, user, handle.with(type));
        });
    }

    /// Sets an array of zeros of any size, to be overwritten later by region::write(). Where the system supports sparse
    /// files, it takes no disk space until then.
    void set_zeros(const datatype &type, const extents &shape, const store_options &options = {}) {
        check(asdf_node_set_array_zeros(base(), base_path(), 0, shape.rank(), shape.data(),
                                        make_options(options).with(type)));
    }
    template <class T> void set_zeros(const extents &shape, const store_options &options = {}) {
        set_zeros(datatype::of<T>(), shape, options);
    }

    /// Changes the place of the elements of an array: block, tree, external file or streamed block. Values stay.
    void set_storage(storage place, const storage_options &options = {}) {
        check(
            asdf_node_set_storage(base(), base_path(), static_cast<std::int32_t>(place), make_options(options).get()));
    }

    /// Changes the compression of an array. Its values stay. Without a level it is that of the codec.
    void recompress(compression method, std::optional<std::int64_t> level = std::nullopt) {
        recompress_options options;
        options.codec = method;
        options.level = level;
        recompress(options);
    }
    void recompress(const recompress_options &options) {
        check(asdf_node_recompress_array(base(), base_path(), make_options(options).get()));
    }

    /// Changes the shape of an array. Elements keep their indices; new elements are zero.
    void resize(const extents &shape, const call_options &options = {}) {
        resize_bytes(shape, nullptr, 0, options);
    }

    /// Changes the shape of an array. New elements get a value, whose type must have the size of an element.
    template <class T, class = std::enable_if_t<is_scalar_v<T>>>
    void resize(const extents &shape, const T &fill, const call_options &options = {}) {
        resize_bytes(shape, &fill, sizeof fill, options);
    }

  private:
    asdf_node *base() const noexcept {
        return static_cast<const Derived &>(*this).base();
    }
    const char *base_path() const noexcept {
        return static_cast<const Derived &>(*this).base_path();
    }

    void set_bytes(std::int32_t code, const extents &shape, const void *elements, std::size_t size,
                   const asdf_options *options) {
        check(asdf_node_set_array(base(), base_path(), code, shape.rank(), shape.data(), elements, size, options));
    }

    /// Sets an array, and its mask if an element is std::nullopt.
    template <class Container>
    void set_optionals(const Container &elements, const extents &shape, const array_options &options);

    /// Lends the elements of a container that the library then owns.
    template <class Container>
    void lend_owner(std::int32_t code, const extents &shape, Container elements, const asdf_options *options) {
        hand_over(std::move(elements), [&](void *user) {
            const auto &owner = *static_cast<const Container *>(user);
            return asdf_node_set_array_borrowed(base(), base_path(), code, shape.rank(), shape.data(), owner.data(),
                                                owner.size() * sizeof(*owner.data()), delete_owner<Container>, user,
                                                options);
        });
    }

    void resize_bytes(const extents &shape, const void *fill, std::size_t size, const call_options &options) {
        check(asdf_node_resize_array(base(), base_path(), shape.rank(), shape.data(), fill, size,
                                     make_options(options).get()));
    }
};

} // namespace detail
} // namespace asdf
