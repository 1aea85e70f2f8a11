// Tables of nodes: asdf::node and asdf::place read and store them. table.hpp has the definitions.
#pragma once

#include "options.hpp"

namespace asdf {

class table;
class table_writer;

namespace detail {

/// Functions of nodes that are about tables. Derived provides base() and base_path().
template <class Derived> class node_tables {
  public:
    /// Reads the table here into memory: a table of the standard or of astropy, an array of records, or a mapping of
    /// arrays. ASDF_ERR_WRONG_TYPE if it is none; ASDF_ERR_UNSUPPORTED if a column is not an array, unless
    /// options.leave_out is set.
    table get_table(const get_table_options &options = {}) const;

    /// Stores a table. Numbers are not copied: the file shares the current content of the table until it is written.
    /// ASDF_ERR_UNSUPPORTED for cells of different length, and for information that the form of the options cannot
    /// hold.
    void set(const table &table, const set_table_options &options = {});

    /// Starts to store a table here in batches, for a table that does not fit in memory; see table_writer.
    table_writer begin_table(const table &columns, const begin_table_options &options = {});
};

} // namespace detail
} // namespace asdf
