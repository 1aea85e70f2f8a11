// asdf::stream: a file that is written with an array whose rows are pushed one after another.
#pragma once

#include "datatype.hpp"
#include "extents.hpp"
#include "file.hpp"
#include "handle.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "record.hpp"
#include "text.hpp"

#include <asdf.h>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace asdf {

/// Writes a file with an array whose rows are pushed one after another; only a few rows are held in memory. T is the
/// type of the elements: a number, bool, std::complex, or a struct that is registered as a record. stream<std::byte>
/// takes elements of any datatype as their bytes.
///
/// The file gets its name in finish(); until then an existing file of that name stays unchanged. A stream that is
/// destroyed without finish() leaves no file. A stream moves and does not copy; one thread at a time may use it.
///
///     asdf::stream<float> spectra(asdf::file(), "run.asdf", "spectra", {2048});
///     while (read(spectrum)) spectra.push(spectrum);   // std::vector<float>(2048), or several rows at once
///     spectra.finish();
template <class T> class stream {
  public:
    /// Starts a file with the content of `file`, and the array at `node_path` from the root of its tree. `file` itself
    /// does not get the array. `row_shape` is the shape of a row, slowest axis first; empty if a row is one element.
    /// ASDF_ERR_FILE_EXISTS if a file of this name exists now or at finish(), unless options.replace is set.
    stream(const file &file, const c_string &path, const c_string &node_path, const extents &row_shape = {},
           const stream_options &options = {}) {
        detail::option_handle handle = detail::make_options(options);
        create(file, path, node_path, detail::scalar_code_v<T>, row_shape, handle.for_elements<T>());
        row_elements_ = static_cast<std::size_t>(row_shape.product());
        row_size_ = asdf::datatype::of<T>().item_size() * row_elements_;
    }

    /// Starts a file with elements of a datatype, such as strings of fixed length. Rows are pushed as bytes.
    stream(const file &file, const c_string &path, const c_string &node_path, const asdf::datatype &type,
           const extents &row_shape, const stream_options &options = {}) {
        static_assert(std::is_same_v<T, std::byte>, "the rows of a datatype are pushed as std::byte");
        create(file, path, node_path, 0, row_shape, detail::make_options(options).with(type));
        row_size_ = type.item_size() * static_cast<std::size_t>(row_shape.product());
        row_elements_ = row_size_;
    }

    /// Returns the handle of the C interface, which this object keeps.
    asdf_stream *native_handle() const noexcept {
        return handle_.get();
    }

    /// Adds rows: the elements of one or more whole rows in C order, from a std::vector, std::array, std::span or
    /// another contiguous container of T. ASDF_ERR_INVALID_ARGUMENT if the elements are not whole rows; then nothing is
    /// added. After ASDF_ERR_CANCELLED the next row can be pushed, row_count() tells which; after any other failure the
    /// stream can only be destroyed.
    template <class Elements, class = decltype(std::data(std::declval<const Elements &>()))>
    void push(const Elements &elements) {
        push(std::data(elements), std::size(elements));
    }

    /// Adds a row that is one element.
    void push(const T &element) {
        push(&element, 1);
    }

    /// Adds rows from a list of elements.
    void push(std::initializer_list<T> elements) {
        push(elements.begin(), elements.size());
    }

    /// Adds rows from `count` elements in memory.
    void push(const T *elements, std::size_t count) {
        if (row_elements_ > 0 && count % row_elements_ != 0) {
            throw error(ASDF_ERR_INVALID_ARGUMENT, "a row has " + std::to_string(row_elements_) + " elements, and " +
                                                       std::to_string(count) + " are no whole number of rows");
        }
        if constexpr (detail::is_record_v<T>) {
            if (count > 0 && !detail::record_layout<T>(*elements).is_packed()) {
                const std::vector<std::byte> packed = detail::record_layout<T>(*elements).pack(elements, count);
                return push_bytes(packed.data(), packed.size(), row_elements_ > 0 ? count / row_elements_ : 0);
            }
        }
        push_bytes(elements, count * sizeof(T), row_elements_ > 0 ? count / row_elements_ : 0);
    }

    /// Adds rows whose elements have the strides of the options: `count` is the size of their memory in elements.
    void push(const T *elements, std::size_t count, std::int64_t rows) {
        static_assert(detail::is_scalar_v<T>, "elements with strides are numbers");
        push_bytes(elements, count * sizeof(T), static_cast<std::size_t>(rows));
    }

    /// Returns the number of pushed rows, also after finish().
    std::int64_t row_count() const {
        std::int64_t count = 0;
        detail::check(asdf_stream_row_count(native_handle(), &count));
        return count;
    }

    /// Writes the remaining data and the number of rows, and gives the file its name. Afterwards, even after a failure,
    /// the stream can only be destroyed. ASDF_ERR_CLOSED if it is finished; ASDF_ERR_INCOMPLETE after a failed push.
    void finish() {
        detail::check(asdf_stream_finish(native_handle()));
    }

  private:
    void push_bytes(const void *rows, std::size_t size, std::size_t count) {
        detail::check(asdf_stream_push(native_handle(), static_cast<std::int64_t>(count), rows, size));
    }

    void create(const file &file, const c_string &path, const c_string &node_path, std::int32_t code,
                const extents &row_shape, const asdf_options *options) {
        detail::check(asdf_stream_create(file.native_handle(), path.c_str(), node_path.c_str(), code, row_shape.rank(),
                                         row_shape.data(), options, handle_.out()));
    }

    detail::unique_handle<asdf_stream, asdf_stream_free> handle_;
    std::size_t row_size_ = 1;
    std::size_t row_elements_ = 1;
};

} // namespace asdf
