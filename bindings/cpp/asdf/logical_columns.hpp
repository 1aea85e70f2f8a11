// asdf::logical_column: a column as the program that wrote the table had it, such as a time or a coordinate of astropy,
// which a file stores as several columns.
#pragma once

#include "error.hpp"
#include "handle.hpp"
#include "node.hpp"
#include "results.hpp"

#include <asdf.h>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace asdf {

class table;

/// A column of the file that is part of a logical column.
struct logical_member {
    std::string name;      ///< name of the column
    std::string attribute; ///< role as a path in the attributes: "jd1", "ra/value", "mask"; empty if not described
};

/// A column of a table as the program that wrote it had it. The metadata of the table describe it; a column that they
/// do not describe is a logical column itself, so all logical columns together are the original table.
///
///     for (const asdf::logical_column &column : table.logical_columns())
///         if (column.class_name() == "astropy.time.core.Time") show_time(column.values(), column.attributes());
class logical_column {
  public:
    /// Returns the name.
    std::string name() const {
        return text(asdf_logical_columns_name);
    }

    /// Returns the class as a dotted Python name; empty if the metadata do not describe the column.
    std::string class_name() const {
        return text(asdf_logical_columns_class);
    }

    /// Returns the unit of the column as a whole, as it is spelled; empty if there is none, or an empty one
    /// (has_unit()).
    std::string unit() const {
        return text(asdf_logical_columns_unit);
    }

    /// Returns whether there is a unit, which can be empty.
    bool has_unit() const {
        std::int32_t answer = 0;
        detail::check(asdf_logical_columns_has_unit(columns_.get(), index_, &answer));
        return answer != 0;
    }

    /// Returns the attributes, such as format and scale of a time: a node in the metadata of the table; std::nullopt if
    /// the metadata do not describe the column.
    std::optional<node> attributes() const {
        return detail::if_found(
            [this] { return detail::made_by<node>(asdf_logical_columns_attributes, columns_.get(), index_); });
    }

    /// Returns the columns of the file that it consists of, in the order of the table. Members that the table does not
    /// have come last.
    std::vector<logical_member> members() const {
        std::int64_t count = 0;
        detail::check(asdf_logical_columns_member_count(columns_.get(), index_, &count));
        std::vector<logical_member> all;
        for (std::int64_t i = 0; i < count; i++)
            all.push_back({member_text(asdf_logical_columns_member_name, i),
                           member_text(asdf_logical_columns_member_attribute, i)});
        return all;
    }

    /// Returns the values: a table of the members under their names in the file. Masks are applied and left out.
    /// ASDF_ERR_NOT_FOUND if the table does not have a member; ASDF_ERR_WRONG_TYPE if a mask does not fit its values.
    table values() const;

  private:
    friend class table;
    using handle_type = detail::handle<asdf_logical_columns, asdf_logical_columns_retain, asdf_logical_columns_free>;
    using getter = asdf_status(const asdf_logical_columns *, std::int64_t, char *, std::size_t, std::size_t *);
    using member_getter = asdf_status(const asdf_logical_columns *, std::int64_t, std::int64_t, char *, std::size_t,
                                      std::size_t *);

    logical_column(handle_type columns, std::int64_t index) : columns_(std::move(columns)), index_(index) {}

    std::string text(getter *get) const {
        return detail::read_text(get, columns_.get(), index_);
    }

    std::string member_text(member_getter *get, std::int64_t member) const {
        return detail::read_text(get, columns_.get(), index_, member);
    }

    handle_type columns_;
    std::int64_t index_;
};

} // namespace asdf
