// asdf::table_writer: a table that is written in batches, as ECSV or in an ASDF file.
#pragma once

#include "handle.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "table.hpp"
#include "text.hpp"

#include <asdf.h>

namespace asdf {

/// Writes a table in batches of rows. A writer moves and does not copy; one thread at a time may use it.
///
/// An ECSV file gets its name in finish(); until then an existing file of that name stays unchanged. A writer that is
/// destroyed without finish() leaves no new file.
///
///     asdf::table_writer writer("events.ecsv.gz", reader.header());
///     for (const asdf::table &batch : reader) writer.append(batch);
///     writer.finish();
///
/// A table in an ASDF file is gathered in a temporary file without a name. finish() stores it in the tree, and writing
/// the file writes it.
///
///     asdf::table_writer writer = file["events"].begin_table(reader.header());
///     for (const asdf::table &batch : reader) writer.append(batch);
///     writer.finish();
///     file.write("events.asdf");
class table_writer {
  public:
    /// Starts a file. The columns, their properties and the metadata are those of `columns`; its rows are not written.
    /// ASDF_ERR_FILE_EXISTS if a file of this name exists now or at finish(), unless options.replace is set.
    table_writer(const c_string &path, const table &columns, const write_ecsv_options &options = {}) {
        detail::check(asdf_table_writer_create(path.c_str(), columns.native_handle(),
                                               detail::make_options(options).get(), handle_.out()));
    }

    /// Returns the handle of the C interface, which this object keeps.
    asdf_table_writer *native_handle() const noexcept {
        return handle_.get();
    }

    /// Appends the rows of a table. Its columns must have the names, types and order of the columns of the writer;
    /// otherwise the call throws ASDF_ERR_INVALID_ARGUMENT and writes nothing. After ASDF_ERR_CANCELLED append the same
    /// table again; after any other failure the writer can only be destroyed.
    void append(const table &rows) {
        detail::check(asdf_table_writer_append(native_handle(), rows.native_handle()));
    }

    /// Writes the remaining data and gives the file its name, or stores the table in the tree. ASDF_ERR_CLOSED if the
    /// writer is finished.
    void finish() {
        detail::check(asdf_table_writer_finish(native_handle()));
    }

  private:
    template <class> friend class detail::node_tables;

    table_writer() = default;

    detail::unique_handle<asdf_table_writer, asdf_table_writer_free> handle_;
};

template <class Derived>
table_writer detail::node_tables<Derived>::begin_table(const table &columns, const begin_table_options &options) {
    const Derived &node = static_cast<const Derived &>(*this);
    table_writer writer;
    detail::check(asdf_node_begin_table(node.base(), node.base_path(), columns.native_handle(),
                                        detail::make_options(options).get(), writer.handle_.out()));
    return writer;
}

} // namespace asdf
