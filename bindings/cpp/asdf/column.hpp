// asdf::column: one column of a table, its properties and its values as standard containers.
#pragma once

#include "array.hpp"
#include "buffer.hpp"
#include "datatype.hpp"
#include "elements.hpp"
#include "error.hpp"
#include "handle.hpp"
#include "node.hpp"
#include "options.hpp"
#include "results.hpp"
#include "text.hpp"

#include <algorithm>
#include <asdf.h>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace asdf {

class table;

namespace detail {

/// A table with the number of its rows, which never changes. A table and its columns share it.
struct table_state {
    explicit table_state(asdf_table *owned) : handle(owned) {}

    std::int64_t row_count() const {
        std::int64_t count = rows.load(std::memory_order_relaxed);
        if (count < 0) {
            check(asdf_table_row_count(handle.get(), &count));
            rows.store(count, std::memory_order_relaxed);
        }
        return count;
    }

    detail::handle<asdf_table, asdf_table_retain, asdf_table_free> handle;
    mutable std::atomic<std::int64_t> rows{-1};
};

} // namespace detail

/// One column of a table, or a range of its rows. A column keeps its table alive.
///
/// read<T>() copies the values into a std::vector<T>. T says what an entry of the vector is:
///
/// | T                                      | an entry of the vector                                         |
/// |----------------------------------------|----------------------------------------------------------------|
/// | double, std::int32_t, std::complex...  | one element; arrays in cells follow one another in C order     |
/// | bool, std::string                      | one element                                                    |
/// | std::optional<U>                       | one element; std::nullopt if it is missing                     |
/// | std::vector<U>                         | the elements of one cell in C order, also of different number  |
/// | std::vector<std::optional<U>>          | the same; std::nullopt for elements that are missing           |
/// | std::optional<std::vector<U>>          | the same as std::vector<U>; std::nullopt for a missing cell    |
///
/// Numbers are converted to T; a value that does not fit is ASDF_ERR_OVERFLOW, unless options.clamp is set. A missing
/// element or cell that T cannot express is ASDF_ERR_MASKED. options.fill replaces missing elements; a missing cell
/// without elements is then empty. Texts take no options but fill, threads, progress and limits.
///
///     asdf::table table = asdf::table::read_ecsv("catalogue.ecsv");
///     std::vector<std::optional<double>> flux = table.column("flux").read<std::optional<double>>();
class column {
  public:
    /// Returns the name.
    const std::string &name() const noexcept {
        return name_;
    }

    /// Returns the datatype of the elements: a scalar type, string, json, float128 or complex256.
    type_code datatype() const {
        std::int32_t code = 0;
        detail::check(asdf_table_column_datatype(table_->handle.get(), name_.c_str(), &code));
        return static_cast<type_code>(code);
    }

    /// Returns the shape of a cell, slowest axis first; empty if a cell is one element. The last extent is -1 if it
    /// differs between cells.
    asdf::shape shape() const {
        return detail::read_extents([this](std::int64_t *extents, std::int32_t capacity, std::int32_t *rank) {
            return asdf_table_column_shape(table_->handle.get(), name_.c_str(), extents, capacity, rank);
        });
    }

    /// Returns the unit, as it is spelled; empty if there is none, or an empty one (has_unit()).
    std::string unit() const {
        return property(asdf_table_column_unit);
    }

    /// Returns whether there is a unit, which can be empty: the unit of a quantity without a dimension.
    bool has_unit() const {
        return has(asdf_table_column_has_unit);
    }

    /// Returns whether the column has a mask, even if nothing is missing.
    bool has_mask() const {
        return has(asdf_table_column_has_mask);
    }

    /// Returns the description; empty if there is none.
    std::string description() const {
        return property(asdf_table_column_description);
    }

    /// Returns whether there is a description, which can be empty.
    bool has_description() const {
        return has(asdf_table_column_has_description);
    }

    /// Returns the display format, in the notation of printf or Python; empty if there is none.
    std::string format() const {
        return property(asdf_table_column_format);
    }

    /// Returns whether there is a display format, which can be empty.
    bool has_format() const {
        return has(asdf_table_column_has_format);
    }

    /// Returns the datatype as the file of the table spells it; empty if the table was not read from a file.
    std::string declared_datatype() const {
        return property(asdf_table_column_declared_datatype);
    }

    /// Returns the subtype as the file of the table spells it; empty if there is none.
    std::string declared_subtype() const {
        return property(asdf_table_column_declared_subtype);
    }

    /// Returns the metadata; std::nullopt if there are none.
    std::optional<node> meta() const {
        return detail::if_found(
            [this] { return detail::made_by<node>(asdf_table_column_meta, table_->handle.get(), name_.c_str()); });
    }

    /// Returns a range of the rows of this column, counted from the first row of the table. ASDF_ERR_OUT_OF_RANGE if a
    /// row does not exist.
    column rows(std::int64_t first, std::int64_t count) const {
        std::int64_t elements = 0;
        detail::check(asdf_table_element_count(table_->handle.get(), name_.c_str(), first, count, &elements));
        column range = *this;
        range.first_ = first;
        range.count_ = count;
        return range;
    }

    /// Returns the number of rows.
    std::int64_t row_count() const noexcept {
        return count_;
    }

    /// Returns the number of elements: the rows times the elements of their cells.
    std::int64_t element_count() const {
        std::int64_t elements = 0;
        detail::check(asdf_table_element_count(table_->handle.get(), name_.c_str(), first_, count_, &elements));
        return elements;
    }

    /// Returns the number of elements of each cell; std::nullopt if the cell is missing.
    std::vector<std::optional<std::int64_t>> cell_lengths() const {
        std::vector<std::optional<std::int64_t>> lengths;
        lengths.reserve(static_cast<std::size_t>(count_));
        for (const std::int64_t length : raw_lengths()) lengths.push_back(detail::known(length));
        return lengths;
    }

    /// Copies the values; see the table above.
    template <class T> std::vector<T> read(const read_options &options = {}) const {
        if constexpr (detail::is_cell_v<detail::without_optional<T>>)
            return cells<T>(options);
        else
            return elements<T>(options);
    }

    /// Copies the values and their mask. T is a number type, bool or std::string. The value of a missing element is
    /// unspecified, or options.fill.
    template <class T> masked<T> read_masked(const read_options &options = {}) const {
        std::vector<std::uint8_t> mask;
        std::vector<T> found = values<T>(options, &mask);
        return {std::move(found), std::move(mask)};
    }

    /// Reads the elements into memory of the caller: a std::vector, std::array, std::span or another contiguous
    /// container of numbers. They are in C order, or in the order or with the strides of the options.
    /// ASDF_ERR_BUFFER_TOO_SMALL if the memory is too small; ASDF_ERR_MASKED if an element is missing and no fill value
    /// is set.
    template <class Elements> void read_into(Elements &&elements, const read_options &options = {}) const {
        read_numbers(std::data(elements), std::size(elements), nullptr, 0, options);
    }

    /// Reads the elements into memory of the caller, and sets one byte of `mask` for each element: 1 if it is missing,
    /// 0 if not. The value of a missing element is unspecified.
    template <class Elements, class Mask,
              class = std::enable_if_t<detail::is_contiguous_v<std::remove_reference_t<Elements>> &&
                                       detail::is_contiguous_v<std::remove_reference_t<Mask>>>>
    void read_into(Elements &&elements, Mask &&mask, const read_options &options = {}) const {
        read_numbers(std::data(elements), std::size(elements), std::data(mask), std::size(mask), options);
    }

    /// Reads the elements as a datatype of the library, such as strings of fixed length, into memory of the caller: a
    /// contiguous container of bytes. ASDF_ERR_OVERFLOW if a string is too long.
    template <class Bytes>
    void read_into(const asdf::datatype &type, Bytes &&bytes, const read_options &options = {}) const {
        read_bytes(type, std::data(bytes), std::size(bytes), nullptr, 0, options);
    }
    template <class Bytes, class Mask, class = std::enable_if_t<detail::is_contiguous_v<std::remove_reference_t<Mask>>>>
    void read_into(const asdf::datatype &type, Bytes &&bytes, Mask &&mask, const read_options &options = {}) const {
        read_bytes(type, std::data(bytes), std::size(bytes), std::data(mask), std::size(mask), options);
    }

    /// Returns one byte for each element: 1 if it is missing, 0 if not.
    std::vector<std::uint8_t> mask() const {
        buffer::handle_type values, offsets, mask;
        const auto code = static_cast<std::int32_t>(datatype());
        if (is_text(code))
            detail::check(asdf_table_load_text(table_->handle.get(), name_.c_str(), first_, count_, nullptr,
                                               values.out(), offsets.out(), mask.out()));
        else
            detail::check(asdf_table_load_column(table_->handle.get(), name_.c_str(), first_, count_, code, nullptr,
                                                 values.out(), mask.out()));
        return bytes_of(buffer(mask.release()));
    }

    /// Returns one text: a string, a JSON value, or a number that is stored as text; std::nullopt if it is missing. The
    /// row counts from the first row of the table.
    std::optional<std::string> text(std::int64_t row, std::int64_t element = 0) const {
        std::int32_t missing = 0;
        std::string text =
            detail::read_text(asdf_table_read_text, table_->handle.get(), name_.c_str(), row, element, &missing);
        if (missing) return std::nullopt;
        return text;
    }

    /// Returns the length of the longest text of the whole column in bytes of UTF-8, or in characters if the code is
    /// type_code::ucs4. ASDF_ERR_WRONG_TYPE for a column of numbers.
    std::int64_t longest_text(type_code code = type_code::ascii) const {
        std::int64_t length = 0;
        detail::check(
            asdf_table_longest_text(table_->handle.get(), name_.c_str(), static_cast<std::int32_t>(code), &length));
        return length;
    }

  private:
    friend class table;
    using shared_table = std::shared_ptr<const detail::table_state>;
    using getter = asdf_status(const asdf_table *, const char *, char *, std::size_t, std::size_t *);

    column(shared_table table, std::string name)
        : table_(std::move(table)), name_(std::move(name)), count_(table_->row_count()) {}

    bool has(asdf_status (*ask)(const asdf_table *, const char *, std::int32_t *)) const {
        std::int32_t answer = 0;
        detail::check(ask(table_->handle.get(), name_.c_str(), &answer));
        return answer != 0;
    }

    std::string property(getter *get) const {
        return detail::read_text(get, table_->handle.get(), name_.c_str());
    }

    static bool is_text(std::int32_t code) noexcept {
        return code == ASDF_STRING || code == ASDF_JSON || code == ASDF_FLOAT128 || code == ASDF_COMPLEX256;
    }

    [[noreturn]] void throw_missing(std::size_t row) const {
        const std::string text = "column '" + name_ + "', row " +
                                 std::to_string(first_ + static_cast<std::int64_t>(row)) +
                                 ": the cell has a missing value; read it as std::optional, or set a fill value";
        error::details details;
        details.text = text;
        details.subject = name_;
        throw error(ASDF_ERR_MASKED, text, details);
    }

    std::vector<std::int64_t> raw_lengths() const {
        std::vector<std::int64_t> lengths(static_cast<std::size_t>(count_));
        detail::check(asdf_table_read_cell_lengths(table_->handle.get(), name_.c_str(), first_, count_, lengths.data(),
                                                   lengths.size()));
        return lengths;
    }

    // Reads numbers; the mask is NULL if missing elements are errors.
    template <class U>
    void read_numbers(U *values, std::size_t count, std::uint8_t *mask, std::size_t mask_size,
                      const read_options &options) const {
        static_assert(detail::is_scalar_v<U>, "a column is read as numbers, bool, std::string, or std::optional or "
                                              "std::vector of these");
        detail::check(asdf_table_read_column(table_->handle.get(), name_.c_str(), first_, count_,
                                             detail::scalar_code_v<U>, detail::make_options(options).get(), values,
                                             count * sizeof(U), mask, mask_size));
    }

    template <class Byte>
    void read_bytes(const asdf::datatype &type, Byte *bytes, std::size_t size, std::uint8_t *mask,
                    std::size_t mask_size, const read_options &options) const {
        static_assert(sizeof(Byte) == 1, "elements of a datatype are read as bytes");
        detail::check(asdf_table_read_column(table_->handle.get(), name_.c_str(), first_, count_, 0,
                                             detail::make_options(options).with(type), bytes, size, mask, mask_size));
    }

    // Copies elements: numbers, bool or texts. Without a mask, missing elements are errors.
    template <class T> std::vector<T> values(const read_options &options, std::vector<std::uint8_t> *mask) const {
        if constexpr (std::is_same_v<T, std::string>) {
            return texts(options, mask);
        } else {
            std::vector<detail::stored_element<T>> values(static_cast<std::size_t>(element_count()));
            if (mask) mask->resize(values.size());
            read_numbers(reinterpret_cast<T *>(values.data()), values.size(), mask ? mask->data() : nullptr,
                         values.size(), options);
            if constexpr (std::is_same_v<T, bool>)
                return std::vector<bool>(values.begin(), values.end());
            else
                return values;
        }
    }

    std::vector<std::string> texts(const read_options &options, std::vector<std::uint8_t> *mask) const {
        buffer::handle_type bytes_handle, offsets_handle, mask_handle;
        detail::check(asdf_table_load_text(table_->handle.get(), name_.c_str(), first_, count_,
                                           detail::make_options(options).get(), bytes_handle.out(),
                                           offsets_handle.out(), mask ? mask_handle.out() : nullptr));
        const buffer bytes(bytes_handle.release()), offsets(offsets_handle.release());
        const auto *offset = reinterpret_cast<const std::int64_t *>(offsets.data());
        std::vector<std::string> all;
        all.reserve(offsets.size() / sizeof *offset - 1);
        for (std::size_t i = 0; i + 1 < offsets.size() / sizeof *offset; i++)
            all.emplace_back(bytes.text().substr(static_cast<std::size_t>(offset[i]),
                                                 static_cast<std::size_t>(offset[i + 1] - offset[i])));
        if (mask) *mask = bytes_of(buffer(mask_handle.release()));
        return all;
    }

    static std::vector<std::uint8_t> bytes_of(const buffer &mask) {
        const auto *first = reinterpret_cast<const std::uint8_t *>(mask.data());
        return std::vector<std::uint8_t>(first, first + mask.size());
    }

    // Copies elements: numbers, bool, texts, or std::optional of these.
    template <class T> std::vector<T> elements(const read_options &options) const {
        if constexpr (detail::is_optional_v<T>) {
            // In pieces, so that there is no second memory for all elements.
            std::vector<T> all;
            all.reserve(static_cast<std::size_t>(element_count()));
            const std::int64_t piece = 1 << 16;
            for (std::int64_t row = 0; row < count_; row += piece) {
                const column part = count_ <= piece ? *this : rows(first_ + row, std::min(piece, count_ - row));
                masked<detail::without_optional<T>> found =
                    part.template read_masked<detail::without_optional<T>>(options);
                for (std::size_t i = 0; i < found.mask.size(); i++) {
                    if (found.mask[i] && !options.fill)
                        all.emplace_back();
                    else
                        all.emplace_back(std::move(found.values[i]));
                }
            }
            return all;
        } else {
            return values<T>(options, nullptr);
        }
    }

    // Copies cells: vectors of elements, or std::optional of these.
    template <class T> std::vector<T> cells(const read_options &options) const {
        using cell = detail::without_optional<T>;
        using element = typename cell::value_type;
        // The elements of a missing cell must be readable, so they are read as optional ones.
        using read_as = std::conditional_t<detail::is_optional_v<T> && !detail::is_optional_v<element>,
                                           std::optional<element>, element>;
        const asdf::shape extents = shape();
        const bool fixed = extents.empty() || extents.back() >= 0;
        const std::vector<std::int64_t> lengths = raw_lengths();
        std::vector<read_as> flat = elements<read_as>(options);
        const std::size_t fixed_length = fixed && !lengths.empty() ? flat.size() / lengths.size() : 0;
        std::vector<T> all;
        all.reserve(lengths.size());
        std::size_t at = 0;
        for (std::size_t row = 0; row < lengths.size(); row++) {
            const bool missing = lengths[row] < 0;
            const std::size_t length = missing ? fixed_length : static_cast<std::size_t>(lengths[row]);
            if constexpr (detail::is_optional_v<T>) {
                if (missing && !options.fill) {
                    all.emplace_back(std::nullopt);
                    at += length;
                    continue;
                }
            } else if (missing && !fixed && !options.fill) {
                throw_missing(row);
            }
            cell one;
            one.reserve(length);
            for (const std::size_t end = at + length; at < end; at++) {
                if constexpr (detail::is_optional_v<read_as> && !detail::is_optional_v<element>) {
                    if (!flat[at]) throw_missing(row);
                    one.push_back(std::move(*flat[at]));
                } else {
                    one.push_back(std::move(flat[at]));
                }
            }
            all.emplace_back(std::move(one));
        }
        return all;
    }

    shared_table table_;
    std::string name_;
    std::int64_t first_ = 0;
    std::int64_t count_ = 0;
};

} // namespace asdf
