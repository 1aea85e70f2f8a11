// asdf::table_reader: an ECSV table as a range of batches, in the memory of one batch.
#pragma once

#include "callback.hpp"
#include "handle.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "table.hpp"
#include "text.hpp"

#include <asdf.h>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>

namespace asdf {

/// Reads an ECSV table in batches of rows. Each batch is a table with all columns; tables stay valid when the reader is
/// gone. Each row is read once. A reader moves and does not copy; one thread at a time may use it.
///
///     asdf::read_ecsv_options options;
///     options.batch_rows = 100000;
///     for (const asdf::table &batch : asdf::table_reader("gaia.ecsv.gz", options))
///         add(batch["phot_g_mean_mag"].read<float>());
///
/// After a failure other than ASDF_ERR_CANCELLED, every further call fails with the same error. After
/// ASDF_ERR_CANCELLED, the next call returns the same rows.
class table_reader {
  public:
    /// Opens an ECSV file, possibly compressed. Only the header is read.
    explicit table_reader(const c_string &path, const read_ecsv_options &options = {}) {
        detail::check(asdf_table_reader_open(path.c_str(), detail::make_options(options).get(), handle_.out()));
    }

    /// Opens bytes that the program provides. Only the header is read. An exception of the source ends the call that
    /// reads, which throws it again.
    explicit table_reader(byte_source source, const read_ecsv_options &options = {}) {
        detail::hand_over(std::move(source.read), [&](void *user) {
            return asdf_table_reader_open_source(detail::read_source, detail::delete_callable<decltype(source.read)>,
                                                 user, source.length, detail::make_options(options).get(),
                                                 handle_.out());
        });
    }

    /// Returns the handle of the C interface, which this object keeps.
    asdf_table_reader *native_handle() const noexcept {
        return handle_.get();
    }

    /// Returns a table without rows: the columns to read, with their units, descriptions and metadata.
    table header() const {
        return detail::made_by<table>(asdf_table_reader_header, native_handle());
    }

    /// Reads the next batch of rows; std::nullopt after the last row.
    std::optional<table> next() {
        detail::unique_handle<asdf_table, asdf_table_free> batch;
        detail::check(asdf_table_reader_next(native_handle(), batch.out()));
        if (!batch) return std::nullopt;
        return table(batch.release());
    }

    /// Exports the remaining rows as a stream of struct arrays of the Arrow C data interface. Each batch is read when
    /// the consumer requests it. The stream keeps what it needs of this reader.
    void export_arrow_stream(ArrowArrayStream *stream, const arrow_options &options = {}) {
        detail::check(
            asdf_table_reader_export_arrow_stream(native_handle(), detail::make_options(options).get(), stream));
    }

    /// Input iterator over batches: it reads a batch when it is incremented.
    class iterator {
      public:
        using iterator_category = std::input_iterator_tag;
        using value_type = table;
        using difference_type = std::ptrdiff_t;
        using pointer = const table *;
        using reference = const table &;

        /// The end of every reader.
        iterator() noexcept = default;

        reference operator*() const noexcept {
            return *batch_;
        }
        pointer operator->() const noexcept {
            return &*batch_;
        }

        iterator &operator++() {
            batch_ = reader_->next();
            return *this;
        }
        void operator++(int) {
            ++*this;
        }

        /// Iterators are equal if both are at an end, or neither is.
        friend bool operator==(const iterator &left, const iterator &right) noexcept {
            return left.batch_.has_value() == right.batch_.has_value();
        }
        friend bool operator!=(const iterator &left, const iterator &right) noexcept {
            return !(left == right);
        }

      private:
        friend class table_reader;
        explicit iterator(table_reader &reader) : reader_(&reader), batch_(reader.next()) {}

        table_reader *reader_ = nullptr;
        std::optional<table> batch_;
    };

    /// Reads the next batch. The iterator refers to this object, which must not move.
    iterator begin() {
        return iterator(*this);
    }

    /// Returns the end: no more rows.
    iterator end() noexcept {
        return iterator();
    }

  private:
    detail::unique_handle<asdf_table_reader, asdf_table_reader_free> handle_;
};

} // namespace asdf
