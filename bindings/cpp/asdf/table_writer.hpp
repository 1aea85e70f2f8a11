// asdf::table_writer: an ECSV table that is written in batches.
#pragma once

#include "handle.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "table.hpp"
#include "text.hpp"

#include <asdf.h>

namespace asdf {

/// Writes an ECSV table in batches of rows. The file gets its name in finish(); until then an existing file of that
/// name stays unchanged. A writer that is destroyed without finish() leaves no new file. A writer moves and does not
/// copy; one thread at a time may use it.
///
///     asdf::table_writer writer("events.ecsv.gz", reader.header());
///     for (const asdf::table &batch : reader) writer.append(batch);
///     writer.finish();
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

    /// Writes the remaining data and gives the file its name. ASDF_ERR_CLOSED if the writer is finished.
    void finish() {
        detail::check(asdf_table_writer_finish(native_handle()));
    }

  private:
    detail::unique_handle<asdf_table_writer, asdf_table_writer_free> handle_;
};

} // namespace asdf
