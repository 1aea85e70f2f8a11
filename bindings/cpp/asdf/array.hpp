// Arrays: their description, reading, regions, views, masks, and overwriting stored elements.
#pragma once

#include "buffer.hpp"
#include "chunk_map.hpp"
#include "datatype.hpp"
#include "elements.hpp"
#include "extents.hpp"
#include "handle.hpp"
#include "options.hpp"
#include "record.hpp"
#include "string_array.hpp"
#include "view.hpp"

#include <algorithm>
#include <asdf.h>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace asdf {

class array;
class region;

/// Elements with their mask, in the same order.
template <class T> struct masked {
    std::vector<T> values;          ///< elements; a missing one has its stored value, or the fill value
    std::vector<std::uint8_t> mask; ///< 1 if the element is missing, 0 if not
};

namespace detail {

/// Element type of a contiguous container, without const.
template <class Container>
using container_element = std::remove_cv_t<std::remove_reference_t<decltype(*std::data(std::declval<Container &>()))>>;

/// Reading of an array or a region of it. Derived provides size(), item_type() and read_elements(),
/// read_mask_bytes(), which call the C functions.
///
/// T is a number type, bool, std::complex, std::string, a struct with asdf::record, or std::optional of one of these.
/// Elements are converted to T, in native byte order and in C order unless the options say otherwise. A value that does
/// not fit is ASDF_ERR_OVERFLOW. With the options asdf::in_unit("km"), they are read in this unit. An array with a mask
/// is ASDF_ERR_MASKED unless the options have a fill value, the mask is read, too, or T is std::optional.
template <class Derived> class readable {
  public:
    /// Reads all elements.
    template <class T> std::vector<T> read(const read_options &options = {}) const {
        if constexpr (is_optional_v<T>) {
            using value = typename T::value_type;
            masked<value> found = read_masked<value>(options);
            std::vector<T> values(found.values.size());
            for (std::size_t index = 0; index < values.size(); ++index) {
                if (found.mask[index] == 0) values[index] = std::move(found.values[index]);
            }
            return values;
        } else {
            return read_values<T>(make_options(options), nullptr, 0);
        }
    }

    /// Reads all elements and their mask.
    template <class T> masked<T> read_masked(const read_options &options = {}) const {
        std::vector<std::uint8_t> mask(count());
        // A mask has an address even if it is empty: NULL would mean that the caller cannot take one.
        std::uint8_t none = 0;
        std::uint8_t *const address = mask.empty() ? &none : mask.data();
        std::vector<T> values = read_values<T>(make_options(options), address, mask.size());
        return {std::move(values), std::move(mask)};
    }

    /// Reads all elements into memory of the program. `capacity` is its size in elements: ASDF_ERR_BUFFER_TOO_SMALL if
    /// it is too small. With options.strides, the memory begins with the element at the lowest address.
    template <class T> void read_into(T *elements, std::size_t capacity, const read_options &options = {}) const {
        read_into(elements, capacity, nullptr, 0, options);
    }

    /// Reads all elements, and their mask: one byte for each element, 1 if it is missing, 0 if not.
    template <class T>
    void read_into(T *elements, std::size_t capacity, std::uint8_t *mask, std::size_t mask_capacity,
                   const read_options &options = {}) const {
        static_assert(is_element_v<T>, "neither a number type nor a struct with asdf::record");
        fill(elements, capacity, make_options(options), mask, mask_capacity);
    }

    /// Reads all elements as a datatype that is known at run time, into memory of `size` bytes: packed, in native byte
    /// order. ASDF_ERR_BUFFER_TOO_SMALL if it is too small.
    void read_into(const datatype &type, void *elements, std::size_t size, const read_options &options = {}) const {
        option_handle handle = make_options(options);
        check(derived().read_elements(0, handle.with(type), elements, size, nullptr, 0));
    }

    /// Reads all elements into a std::vector, std::array, std::span or another contiguous container, which must have
    /// room for them.
    template <class Container, class = container_element<Container>>
    void read_into(Container &&elements, const read_options &options = {}) const {
        read_into(std::data(elements), std::size(elements), options);
    }

    /// Reads the mask: one byte for each element, 1 if it is missing, 0 if not. Order and strides of the options apply.
    std::vector<std::uint8_t> read_mask(const read_options &options = {}) const {
        std::vector<std::uint8_t> mask(count());
        check(derived().read_mask_bytes(make_options(options).get(), mask.data(), mask.size()));
        return mask;
    }

  private:
    const Derived &derived() const noexcept {
        return static_cast<const Derived &>(*this);
    }

    std::size_t count() const {
        return static_cast<std::size_t>(derived().size());
    }

    template <class T>
    std::vector<T> read_values(option_handle options, std::uint8_t *mask, std::size_t mask_capacity) const {
        if constexpr (std::is_same_v<T, std::string>) {
            return read_strings(std::move(options), mask, mask_capacity);
        } else if constexpr (std::is_same_v<T, bool>) {
            // std::vector<bool> has no memory of bool elements.
            std::vector<std::uint8_t> bytes(count());
            check(derived().read_elements(ASDF_BOOL8, options.get(), bytes.data(), bytes.size(), mask, mask_capacity));
            return std::vector<bool>(bytes.begin(), bytes.end());
        } else {
            static_assert(is_element_v<T>, "neither a number type, std::string, nor a struct with asdf::record");
            std::vector<T> values(count());
            fill(values.data(), values.size(), std::move(options), mask, mask_capacity);
            return values;
        }
    }

    template <class T>
    void fill(T *elements, std::size_t capacity, option_handle options, std::uint8_t *mask,
              std::size_t mask_capacity) const {
        constexpr std::int32_t code = scalar_code_v<T>;
        if constexpr (is_scalar_v<T>) {
            check(derived().read_elements(code, options.get(), elements, capacity * sizeof(T), mask, mask_capacity));
        } else {
            const std::size_t records = count();
            if (capacity == 0 || records == 0) {
                check(derived().read_elements(code, options.for_elements<T>(), elements, 0, mask, mask_capacity));
                return;
            }
            const record_layout<T> layout(elements[0]);
            if (!layout.is_packed()) refuse_strides(options.get());
            // Packed records are read into the end of the memory and then copied to their structs: no second memory.
            const std::size_t used = layout.is_packed() || capacity < records ? capacity : records;
            const std::size_t packed_bytes = used * layout.packed_size();
            std::byte *const packed = reinterpret_cast<std::byte *>(elements) + (used * sizeof(T) - packed_bytes);
            const asdf_status status =
                derived().read_elements(code, options.for_elements<T>(), packed, packed_bytes, mask, mask_capacity);
            if (status == ASDF_ERR_CONVERSION && !mask && capacity >= records &&
                derived().item_type().code() == type_code::record) {
                return fill_by_fields(elements, records);
            }
            check(status);
            if (!layout.is_packed()) layout.unpack(elements, used);
        }
    }

    /// Reads the fields of a struct one by one, of records that have more fields, other types or another order.
    template <class T> void fill_by_fields(T *elements, std::size_t records) const {
        std::apply(
            [&](const auto &...field) {
                (fill_members(derived().field_part(field.name), elements, records, field.member), ...);
            },
            record<T>::fields);
    }

    template <class Part, class T, class Member>
    static void fill_members(const Part &part, T *elements, std::size_t records, Member T::*member) {
        using leaf = typename member_leaf<Member>::type;
        constexpr std::size_t each = sizeof(Member) / sizeof(leaf);
        if constexpr (is_text<leaf>()) {
            constexpr std::int64_t length = fixed_array<leaf>::extent;
            constexpr bool is_ascii = std::is_same_v<typename fixed_array<leaf>::element, char>;
            std::vector<std::byte> texts(records * sizeof(Member));
            part.read_into(is_ascii ? datatype::ascii(length) : datatype::ucs4(length), texts.data(), texts.size());
            for (std::size_t i = 0; i < records; ++i) {
                std::memcpy(&(elements[i].*member), texts.data() + i * sizeof(Member), sizeof(Member));
            }
        } else {
            const auto values = part.template read<leaf>();
            for (std::size_t i = 0; i < records; ++i) {
                auto *const first = reinterpret_cast<leaf *>(&(elements[i].*member));
                for (std::size_t j = 0; j < each; ++j) first[j] = values.at(i * each + j);
            }
        }
    }

    /// Records are unpacked in place, so their memory has no strides.
    static void refuse_strides(const asdf_options *options) {
        std::int32_t count = 0;
        if (options && asdf_options_get_ints(options, ASDF_OPTION_STRIDES, nullptr, 0, &count) != ASDF_ERR_NOT_FOUND) {
            throw error(ASDF_ERR_INVALID_ARGUMENT, "strides need a struct without padding");
        }
    }

    std::vector<std::string> read_strings(option_handle options, std::uint8_t *mask, std::size_t mask_capacity) const {
        const datatype stored = derived().item_type();
        std::int64_t length = 1;
        if (stored.code() == type_code::ascii) length = stored.string_length();
        // A code point takes up to four bytes of UTF-8.
        if (stored.code() == type_code::ucs4) length = 4 * stored.string_length();
        const asdf_options *const typed = options.with(datatype::ascii(length));
        const auto bytes_each = static_cast<std::size_t>(length);
        std::vector<char> bytes(count() * bytes_each);
        check(derived().read_elements(0, typed, bytes.data(), bytes.size(), mask, mask_capacity));
        return trim_strings(bytes.data(), count(), bytes_each);
    }
};

} // namespace detail

/// Array of n dimensions, stored in a block, in the tree or in another file. It never changes, and keeps its bytes
/// alive. A copy is one more owner of the same array.
class array : public detail::readable<array> {
  public:
    using handle_type = detail::handle<asdf_array, asdf_array_retain, asdf_array_free>;

    /// Makes an object without an array, to be assigned later. Its use is ASDF_ERR_NULL_POINTER.
    array() noexcept = default;

    /// Takes over a handle of the C interface.
    explicit array(asdf_array *owned) noexcept : handle_(owned) {}

    /// Returns the extents, slowest axis first (C order); empty for a single element.
    asdf::shape shape() const {
        return detail::read_extents([this](std::int64_t *extents, std::int32_t capacity, std::int32_t *rank) {
            return asdf_array_shape(handle_.get(), extents, capacity, rank);
        });
    }

    /// Returns the number of axes.
    std::int32_t rank() const {
        std::int32_t rank = 0;
        const asdf_status status = asdf_array_shape(handle_.get(), nullptr, 0, &rank);
        detail::check(status);
        return rank;
    }

    /// Returns the number of elements.
    std::int64_t size() const {
        std::int64_t count = 0;
        detail::check(asdf_array_element_count(handle_.get(), &count));
        return count;
    }

    /// Returns the stored datatype.
    asdf::datatype datatype() const {
        return item_type();
    }

    /// Returns the code of the stored datatype.
    asdf::type_code type_code() const {
        std::int32_t code = 0;
        detail::check(asdf_array_datatype(handle_.get(), &code));
        return static_cast<asdf::type_code>(code);
    }

    /// Returns the stored byte order. Reading always returns native byte order.
    asdf::byte_order byte_order() const {
        std::int32_t order = 0;
        detail::check(asdf_array_byte_order(handle_.get(), &order));
        return static_cast<asdf::byte_order>(order);
    }

    /// Returns the unit of the elements, as it is spelled: of the quantity, the column or another mapping with the key
    /// "unit" whose value the array is; ASDF_ERR_NOT_FOUND if there is none. To read in another unit, pass
    /// asdf::in_unit("km") as options.
    std::string unit() const {
        return detail::read_text(asdf_array_unit, handle_.get());
    }

    /// Returns the stored strides: the bytes from one element to the next along each axis. They may be negative or 0.
    std::vector<std::int64_t> strides() const {
        return detail::read_extents([this](std::int64_t *strides, std::int32_t capacity, std::int32_t *rank) {
            return asdf_array_strides(handle_.get(), strides, capacity, rank);
        });
    }

    /// Returns the shape of the chunks of a chunked array; ASDF_ERR_NOT_FOUND for other arrays.
    std::vector<std::int64_t> chunk_shape() const {
        return detail::read_extents([this](std::int64_t *shape, std::int32_t capacity, std::int32_t *rank) {
            return asdf_array_chunk_shape(handle_.get(), shape, capacity, rank);
        });
    }

    /// Returns true if the elements are in the tree rather than in a block.
    bool is_inline() const {
        return flag(asdf_array_is_inline);
    }

    /// Returns the number of the block, as written in the tree: negative numbers count from the end. std::nullopt if
    /// the elements are not in a block of the file.
    std::optional<std::int64_t> block() const {
        std::int64_t block = 0;
        const asdf_status status = asdf_array_block(handle_.get(), &block);
        if (status == ASDF_ERR_NOT_FOUND) return std::nullopt;
        detail::check(status);
        return block;
    }

    /// Returns true if the array has a mask, or null among elements in the tree; also if the mask marks no element.
    bool has_mask() const {
        return flag(asdf_array_has_mask);
    }

    /// Returns the same array without its mask, to read or view the stored elements.
    array without_mask() const {
        return detail::made_by<array>(asdf_array_without_mask, handle_.get());
    }

    /// Returns a field of an array of records as an array. Its axes are those of the records, followed by those of the
    /// field. Nothing is read. Throws asdf::error with ASDF_ERR_NOT_FOUND if there is no such field.
    array field(const c_string &name) const {
        return detail::made_by<array>(asdf_array_field, handle_.get(), name.c_str());
    }

    /// Returns a region: along each axis `count` elements from `start` on, `step` apart. A step may be negative;
    /// without steps it is 1 along each axis. Nothing is read or checked before the region is used.
    asdf::region region(const extents &start, const extents &count, const extents &step = {}) const;

    /// Returns a view of all elements, without a copy. T must be the stored datatype. Throws asdf::error with
    /// ASDF_ERR_NOT_VIEWABLE if elements would have to be converted, byte-swapped, decoded or aligned.
    ///
    /// A bool member of a struct needs a stored byte of 0 or 1; read() accepts any byte.
    template <class T> asdf::view<const T> view(const view_options &options = {}) const {
        detail::option_handle handle = detail::make_options(options);
        auto view = detail::made_by<asdf::view<const T>>(asdf_array_view, handle_.get(), detail::scalar_code_v<T>,
                                                         handle.for_elements<T>());
        if constexpr (detail::is_record_v<T>) {
            if (!detail::record_layout<T>(T{}).is_packed()) {
                throw error(ASDF_ERR_NOT_VIEWABLE,
                            "no view is possible because the struct has padding or another order than "
                            "the stored records; reading copies the elements");
            }
        }
        return view;
    }

    /// Returns a view of elements of a datatype that is known at run time; see view().
    raw_view view(const asdf::datatype &type, const view_options &options = {}) const {
        detail::option_handle handle = detail::make_options(options);
        return detail::made_by<raw_view>(asdf_array_view, handle_.get(), 0, handle.with(type));
    }

    /// Reads all elements into memory of the library, converted to T.
    template <class T> buffer load(const load_options &options = {}) const {
        detail::option_handle handle = detail::make_options(options);
        return detail::made_by<buffer>([&](asdf_buffer **made) {
            return asdf_array_load(handle_.get(), detail::scalar_code_v<T>, handle.for_elements<T>(), made, nullptr);
        });
    }

    /// Reads one string of an array of strings, as UTF-8; std::nullopt if it is missing.
    std::optional<std::string> read_string(const extents &index, const read_options &options = {}) const {
        const detail::option_handle handle = detail::make_options(options);
        std::int32_t missing = 0;
        std::string text = detail::read_text([&](char *buffer, std::size_t capacity, std::size_t *needed) {
            return asdf_array_read_string(handle_.get(), index.rank(), index.data(), handle.get(), buffer, capacity,
                                          needed, &missing);
        });
        return missing != 0 ? std::nullopt : std::optional(std::move(text));
    }

    /// Overwrites all elements; see region::write().
    template <class Container> void write(const Container &elements, const write_region_options &options = {}) const;

    /// Adds `rows` elements along the first axis, after the last ones: a contiguous container with all elements of the
    /// new rows, in C order unless the options say otherwise. file::save() keeps them, with one wait for the disk. This
    /// array keeps its shape; look it up again to read them.
    ///
    ///     temperature.append(1, step);
    ///     file.save();
    template <class Container, class = detail::container_element<const Container>>
    void append(std::int64_t rows, const Container &elements, const write_region_options &options = {}) const {
        using element = std::remove_cv_t<std::remove_pointer_t<decltype(std::data(elements))>>;
        static_assert(detail::is_scalar_v<element>, "the elements of new rows are numbers");
        const detail::option_handle handle = detail::make_options(options);
        detail::check(asdf_array_append(handle_.get(), rows, detail::scalar_code_v<element>, std::data(elements),
                                        std::size(elements) * sizeof(element), handle.get()));
    }

    /// Asks the operating system to load the bytes in the background. This is a hint without an effect on results.
    void prefetch() const;

    /// Returns the positions of the bytes. Only the sizes before lz4 chunks are read.
    asdf::chunk_map chunk_map() const {
        return detail::made_by<asdf::chunk_map>(asdf_array_chunk_map, handle_.get());
    }

    /// Returns the handle of the C interface, which this object keeps.
    asdf_array *native_handle() const noexcept {
        return handle_.get();
    }

  private:
    friend class detail::readable<array>;
    friend class asdf::region;

    asdf::datatype item_type() const {
        return detail::made_by<asdf::datatype>(asdf_array_datatype_handle, handle_.get());
    }

    array field_part(const char *name) const {
        return field(name);
    }

    bool flag(asdf_status (*call)(const asdf_array *, std::int32_t *)) const {
        std::int32_t flag = 0;
        detail::check(call(handle_.get(), &flag));
        return flag != 0;
    }

    asdf_status read_elements(std::int32_t code, const asdf_options *options, void *elements, std::size_t capacity,
                              std::uint8_t *mask, std::size_t mask_capacity) const {
        return asdf_array_read(handle_.get(), code, options, elements, capacity, mask, mask_capacity);
    }

    asdf_status read_mask_bytes(const asdf_options *options, std::uint8_t *mask, std::size_t capacity) const {
        return asdf_array_read_mask(handle_.get(), options, mask, capacity);
    }

    handle_type handle_;
};

/// Region of an array, to read or overwrite. The cost depends on the size of the region, not of the array.
///
///     std::vector<float> window = image.region({100, 200}, {32, 32}, {2, 2}).read<float>();
class region : public detail::readable<region> {
  public:
    region(array from, const extents &start, const extents &count, const extents &step)
        : array_(std::move(from)), start_(start), count_(count), step_(step) {
        if (start_.size() != count_.size() || (!step_.empty() && step_.size() != count_.size())) {
            throw error(ASDF_ERR_INVALID_ARGUMENT, "start, count and step of a region have different numbers of axes");
        }
    }

    /// Returns the extents of the result: `count`.
    asdf::shape shape() const {
        return {count_.begin(), count_.end()};
    }

    /// Returns the number of elements.
    std::int64_t size() const {
        return count_.product();
    }

    /// Overwrites the elements with those of a contiguous container, in C order unless the options say otherwise. They
    /// are converted to the stored datatype. Strings must not be longer than the stored ones.
    ///
    /// In a file opened for update the elements are written to the file immediately; file::save() makes the change
    /// permanent. Compressed, lent and external elements and elements in the tree are ASDF_ERR_UNSUPPORTED.
    template <class Container, class = detail::container_element<const Container>>
    void write(const Container &elements, const write_region_options &options = {}) const {
        write(std::data(elements), std::size(elements), options);
    }

    /// Overwrites the elements with `count` elements in memory.
    template <class T>
    void write(const T *elements, std::size_t count, const write_region_options &options = {}) const {
        static_assert(detail::is_element_v<T> || detail::is_text_v<T>,
                      "neither a number type, a text, nor a struct with asdf::record");
        if constexpr (detail::is_text_v<T>) {
            write_texts({elements, elements + count}, options);
        } else {
            if constexpr (detail::is_record_v<T>) {
                if (count == 0) return write_bytes<T>(nullptr, 0, options);
                const detail::record_layout<T> layout(elements[0]);
                if (!layout.is_packed()) {
                    const std::vector<std::byte> packed = layout.pack(elements, count);
                    return write_bytes<T>(packed.data(), packed.size(), options);
                }
            }
            write_bytes<T>(elements, count * sizeof(T), options);
        }
    }

    /// Overwrites all elements with one value.
    template <class T, class = std::enable_if_t<detail::is_scalar_v<T>>>
    void fill(const T &value, write_region_options options = {}) const {
        options.strides = std::vector<std::int64_t>(count_.size(), 0);
        write(&value, 1, options);
    }

    /// Overwrites all elements with one text.
    void fill(std::string_view text, write_region_options options = {}) const {
        options.strides = std::vector<std::int64_t>(count_.size(), 0);
        write(&text, 1, options);
    }

    /// Asks the operating system to load the bytes in the background. This is a hint without an effect on results.
    void prefetch() const {
        detail::check(
            asdf_array_prefetch(array_.native_handle(), count_.rank(), start_.data(), count_.data(), steps()));
    }

  private:
    friend class detail::readable<region>;

    /// Returns NULL for steps of 1.
    const std::int64_t *steps() const noexcept {
        return step_.empty() ? nullptr : step_.data();
    }

    asdf::datatype item_type() const {
        return array_.item_type();
    }

    /// Returns the same region of a field, with all elements of the field.
    region field_part(const char *name) const {
        const array part = array_.field(name);
        const asdf::shape extents = part.shape();
        std::vector<std::int64_t> start(start_.begin(), start_.end());
        std::vector<std::int64_t> count(count_.begin(), count_.end());
        std::vector<std::int64_t> step(step_.begin(), step_.end());
        count.insert(count.end(), extents.begin() + static_cast<std::ptrdiff_t>(count.size()), extents.end());
        start.resize(count.size(), 0);
        if (!step.empty()) step.resize(count.size(), 1);
        return region(part, start, count, step);
    }

    template <class T>
    void write_bytes(const void *elements, std::size_t size, const write_region_options &options) const {
        detail::option_handle handle = detail::make_options(options);
        write_packed(detail::scalar_code_v<T>, elements, size, handle.for_elements<T>());
    }

    void write_texts(const std::vector<std::string_view> &texts, const write_region_options &options) const {
        const auto is_zero = [](std::int64_t stride) { return stride == 0; };
        if (options.strides && !std::all_of(options.strides->begin(), options.strides->end(), is_zero)) {
            throw error(ASDF_ERR_INVALID_ARGUMENT, "strings are not at regular distances in memory: strides must be 0");
        }
        const detail::padded_strings padded = detail::pad_strings(texts);
        detail::option_handle handle = detail::make_options(options);
        write_packed(0, padded.bytes.data(), padded.bytes.size(), handle.with(padded.type));
    }

    void write_packed(std::int32_t code, const void *elements, std::size_t size, const asdf_options *options) const {
        detail::check(asdf_array_write_region(array_.native_handle(), count_.rank(), start_.data(), count_.data(),
                                              steps(), code, elements, size, options));
    }

    asdf_status read_elements(std::int32_t code, const asdf_options *options, void *elements, std::size_t capacity,
                              std::uint8_t *mask, std::size_t mask_capacity) const {
        return asdf_array_read_region(array_.native_handle(), count_.rank(), start_.data(), count_.data(), steps(),
                                      code, options, elements, capacity, mask, mask_capacity);
    }

    asdf_status read_mask_bytes(const asdf_options *options, std::uint8_t *mask, std::size_t capacity) const {
        return asdf_array_read_mask_region(array_.native_handle(), count_.rank(), start_.data(), count_.data(), steps(),
                                           options, mask, capacity);
    }

    array array_;
    extents start_;
    extents count_;
    extents step_;
};

inline region array::region(const extents &start, const extents &count, const extents &step) const {
    return asdf::region(*this, start, count, step);
}

template <class Container> void array::write(const Container &elements, const write_region_options &options) const {
    const extents count(shape());
    region(std::vector<std::int64_t>(count.size(), 0), count).write(elements, options);
}

inline void array::prefetch() const {
    const extents count(shape());
    region(std::vector<std::int64_t>(count.size(), 0), count).prefetch();
}

} // namespace asdf
