// asdf::table: a table in memory, read from ECSV or from an ASDF file, or made from standard containers.
#pragma once

#include "chrono.hpp"
#include "column.hpp"
#include "coordinates.hpp"
#include "elements.hpp"
#include "error.hpp"
#include "extents.hpp"
#include "logical_columns.hpp"
#include "node.hpp"
#include "node_tables.hpp"
#include "options.hpp"
#include "report.hpp"
#include "results.hpp"
#include "text.hpp"
#include "times.hpp"
#include "unit.hpp"

#include <asdf.h>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace asdf {

/// Properties of a column to add; an empty text is none.
struct column_properties {
    std::optional<std::string> unit{}; ///< unit, stored as it is spelled; empty for a quantity without a dimension
    std::optional<std::string> description{}; ///< description
    std::optional<std::string> format{};      ///< display format, in the notation of printf or Python
    std::optional<node> meta{};               ///< metadata: a node of any tree, which is copied with its children
};

/// A column to sort by.
struct sort_key {
    std::string column;      ///< its name
    bool descending = false; ///< whether the largest value comes first

    /// Sorts by a column, the smallest value first: table.sort_by({"flux"}).
    sort_key(const char *name) : column(name) {}

    /// Sorts by a column: table.sort_by({{"flux", true}}).
    sort_key(std::string name, bool is_descending = false) : column(std::move(name)), descending(is_descending) {}
};

/// A table in memory: columns of equal length with their units, descriptions and metadata. It does not depend on the
/// file that it was read from. A copy is one more owner of the same table: adding a column shows in both. clone()
/// returns a table of its own.
///
///     asdf::table table = asdf::table::read_ecsv("catalogue.ecsv");
///     for (const asdf::column &column : table.columns()) std::cout << column.name() << ' ' << column.unit() << '\n';
///     std::vector<double> ra = table["ra"].read<double>();
///
///     asdf::table bright(2);
///     bright.add_column("name", {"3C 273", "NGC 1275"});
///     bright.add_column("flux", std::vector<std::optional<double>>{54.9, std::nullopt}, {"mJy"});
///     bright.write_ecsv("bright.ecsv");
class table {
  public:
    using handle_type = detail::handle<asdf_table, asdf_table_retain, asdf_table_free>;

    /// Makes a table without columns; each column to add has so many rows. ASDF_ERR_INVALID_ARGUMENT if negative.
    explicit table(std::int64_t row_count) {
        handle_type made;
        detail::check(asdf_table_new(row_count, made.out()));
        state_ = std::make_shared<const detail::table_state>(made.release());
    }

    /// Takes over a handle of the C interface.
    explicit table(asdf_table *owned) : state_(std::make_shared<const detail::table_state>(owned)) {}

    /// Returns the handle of the C interface, which this object keeps.
    asdf_table *native_handle() const noexcept {
        return state_ ? state_->handle.get() : nullptr;
    }

    /// Reads a table from an ECSV file, possibly compressed.
    static table read_ecsv(const c_string &path, const read_ecsv_options &options = {}) {
        return detail::made_by<table>(asdf_table_read_ecsv, path.c_str(), detail::make_options(options).get());
    }

    /// Reads a table from an ECSV text in memory, possibly compressed.
    static table read_ecsv_memory(std::string_view text, const read_ecsv_options &options = {}) {
        return detail::made_by<table>(asdf_table_read_ecsv_memory, text.data(), text.size(),
                                      detail::make_options(options).get());
    }

    /// Index of the records of an ECSV file, and the number of its rows.
    struct text_index {
        std::string text;
        std::int64_t row_count = 0;
    };

    /// Makes the index of an ECSV file, with an offset every `step` rows, or about a thousand offsets. With it as the
    /// option table_index, several processes read disjoint ranges of rows.
    static text_index index(const c_string &path, std::int64_t step = 0, const read_ecsv_options &options = {}) {
        text_index made;
        const auto text = detail::made_by<buffer>(asdf_table_index, path.c_str(), step,
                                                  detail::make_options(options).get(), &made.row_count);
        made.text.assign(static_cast<const char *>(static_cast<const void *>(text.data())), text.size());
        return made;
    }

    /// Returns the version of ECSV that a text has in its first line; std::nullopt if it is not ECSV. The text may be
    /// compressed and may be only the first KiB of a file. Header and rows are not checked.
    static std::optional<std::string> ecsv_version(std::string_view text) {
        std::string version = detail::read_text(asdf_ecsv_probe, text.data(), text.size());
        if (version.empty()) return std::nullopt;
        return version;
    }

    /// Writes the table to an ECSV file, which gets its name when it is complete. ASDF_ERR_FILE_EXISTS if a file of
    /// this name exists, unless options.replace is set.
    void write_ecsv(const c_string &path, const write_ecsv_options &options = {}) const {
        detail::check(asdf_table_write_ecsv(native_handle(), path.c_str(), detail::make_options(options).get()));
    }

    // Properties ------------------------------------------------------------------------------------------------------

    /// Returns the number of rows.
    std::int64_t row_count() const {
        if (state_) return state_->row_count();
        std::int64_t count = 0;
        detail::check(asdf_table_row_count(nullptr, &count));
        return count;
    }

    /// Returns the number of columns.
    std::int64_t column_count() const {
        std::int64_t count = 0;
        detail::check(asdf_table_column_count(native_handle(), &count));
        return count;
    }

    /// Returns a column by its exact name; ASDF_ERR_NOT_FOUND if there is none.
    asdf::column column(const c_string &name) const {
        index_of(name);
        return asdf::column(state_, name.c_str());
    }

    /// Returns a column by its position, from 0; ASDF_ERR_OUT_OF_RANGE if there is none.
    template <class Integer, class = std::enable_if_t<std::is_integral_v<Integer>>>
    asdf::column column(Integer index) const {
        return column_at(detail::checked_int64(index));
    }

    /// Returns a column by its name or position, as column().
    template <class Which> asdf::column operator[](const Which &which) const {
        return column(which);
    }

    /// Returns a column by its exact name; std::nullopt if there is none.
    std::optional<asdf::column> find(const c_string &name) const {
        return detail::if_found([&] { return column(name); });
    }

    /// Returns the position of a column, from 0; ASDF_ERR_NOT_FOUND if there is none of this name.
    std::int64_t index_of(const c_string &name) const {
        std::int64_t index = 0;
        detail::check(asdf_table_column_index(native_handle(), name.c_str(), &index));
        return index;
    }

    /// Returns all columns in their order.
    std::vector<asdf::column> columns() const {
        std::vector<asdf::column> all;
        for (std::int64_t i = 0, count = column_count(); i < count; i++) all.push_back(column_at(i));
        return all;
    }

    /// Returns the metadata of the table as a whole; std::nullopt if there are none.
    std::optional<node> meta() const {
        return detail::if_found([this] { return detail::made_by<node>(asdf_table_meta, native_handle()); });
    }

    /// Returns the name of the convention of the metadata, such as astropy-2.0; empty if there is none.
    std::string schema() const {
        return detail::read_text(asdf_table_schema, native_handle());
    }

    /// Returns the warnings so far: irregularities that do not prevent reading. Reading columns can add some.
    asdf::report report() const {
        return detail::made_by<asdf::report>(asdf_table_report, native_handle());
    }

    /// Validates the description of the table by schemas: columns and metadata, as in the header of an ECSV file.
    asdf::report validate(const schemas &all, const validate_options &options = {}) const {
        return detail::made_by<asdf::report>(asdf_table_validate, native_handle(), all.native_handle(),
                                             detail::make_options(options).get());
    }

    /// Returns the columns as the program that wrote the table had them, such as times and coordinates of astropy.
    std::vector<logical_column> logical_columns() const {
        logical_column::handle_type columns;
        detail::check(asdf_table_logical_columns(native_handle(), columns.out()));
        std::int64_t count = 0;
        detail::check(asdf_logical_columns_count(columns.get(), &count));
        std::vector<logical_column> all;
        for (std::int64_t i = 0; i < count; i++) all.push_back(logical_column(columns, i));
        return all;
    }

    /// Returns the coordinates of a logical column: positions, places on Earth or angles. ASDF_ERR_WRONG_TYPE for other
    /// columns.
    asdf::coordinates coordinates(const c_string &name) const {
        return detail::made_by<asdf::coordinates>(asdf_table_get_coordinates, native_handle(), name.c_str());
    }

    // Times -----------------------------------------------------------------------------------------------------------

    /// Returns a column of times: one of class Time of astropy, or a column of texts. ASDF_ERR_WRONG_TYPE for another.
    ///
    ///     for (const auto &start : table.time_points("start")) if (start) use(*start);
    asdf::times times(const c_string &name, const time_options &options = {}) const {
        return detail::made_by<asdf::times>(asdf_table_time, native_handle(), name.c_str(),
                                            detail::make_options(options).get());
    }

    /// Returns a column of times as points in time of the system clock, std::nullopt for missing ones.
    /// ASDF_ERR_VALUE_RANGE for a time between two nanoseconds, ASDF_ERR_OUT_OF_RANGE in a leap second,
    /// ASDF_ERR_UNSUPPORTED for a scale that cannot be converted to UTC; times() holds them.
    std::vector<std::optional<asdf::time_point>> time_points(const c_string &name,
                                                             const time_options &options = {}) const {
        return detail::unpacked_nanoseconds<asdf::time_point>(times(name, options).nanoseconds(time_scale::utc));
    }

    /// Returns a column of spans of time, class TimeDelta of astropy, std::nullopt for missing ones.
    /// ASDF_ERR_VALUE_RANGE for a span between two nanoseconds.
    std::vector<std::optional<std::chrono::nanoseconds>> durations(const c_string &name) const {
        std::int64_t count = 0;
        detail::check(asdf_table_read_time_delta(native_handle(), name.c_str(), nullptr, nullptr, 0, &count, nullptr));
        const std::size_t size = static_cast<std::size_t>(count);
        std::vector<double> jd1(size), jd2(size);
        std::vector<std::int64_t> nanoseconds(size);
        if (size == 0) return {};
        detail::check(
            asdf_table_read_time_delta(native_handle(), name.c_str(), jd1.data(), jd2.data(), size, &count, nullptr));
        detail::check(asdf_time_delta_to_nanoseconds(jd1.data(), jd2.data(), count, nanoseconds.data(), nullptr, size));
        return detail::unpacked_nanoseconds<std::chrono::nanoseconds>(nanoseconds);
    }

    /// Tests whether a column is one of times or spans of time: kind::time, kind::time_delta, or std::nullopt.
    std::optional<asdf::kind> time_kind(const c_string &name) const {
        std::int32_t kind = 0;
        detail::check(asdf_table_time_kind(native_handle(), name.c_str(), &kind));
        return kind == 0 ? std::nullopt : std::optional<asdf::kind>(static_cast<asdf::kind>(kind));
    }

    // Rows ------------------------------------------------------------------------------------------------------------

    /// Returns a table with the same content that does not depend on this one. Values are shared until one of the two
    /// changes.
    table clone() const {
        return select(nullptr, -1, nullptr, 0, nullptr, {});
    }

    /// Returns a table of some rows, with units, descriptions, formats and metadata. A container of integers has the
    /// numbers of the rows, from 0, in any order and possibly repeated; ASDF_ERR_OUT_OF_RANGE if a row does not exist.
    /// A container of bool or of bytes is a mask with an entry for each row, true or not 0 if it is selected.
    template <class Rows> table select_rows(const Rows &rows, const table_rows_options &options = {}) const {
        using entry = typename detail::entry_of<Rows>::type;
        if constexpr (std::is_same_v<entry, bool> || std::is_same_v<entry, std::uint8_t>) {
            std::vector<std::uint8_t> mask;
            for (const entry each : rows) mask.push_back(each ? 1 : 0);
            // The data of an empty vector may be NULL, which stands for all rows; so there are none, or the size fails.
            const std::uint8_t none = 0;
            return select(nullptr, -1, mask.empty() ? &none : mask.data(), mask.size(), nullptr, options);
        } else {
            static_assert(std::is_integral_v<entry>, "rows are selected by integers, or by a mask of bool or bytes");
            std::vector<std::int64_t> numbers;
            for (const entry &each : rows) numbers.push_back(detail::checked_int64(each));
            return select(numbers.data(), static_cast<std::int64_t>(numbers.size()), nullptr, 0, nullptr, options);
        }
    }

    /// Returns a table of the rows of a list: table.select_rows({3, 0}).
    table select_rows(std::initializer_list<std::int64_t> rows, const table_rows_options &options = {}) const {
        return select_rows<std::initializer_list<std::int64_t>>(rows, options);
    }

    /// Returns a table of some columns in this order, which shares their values. The name of a logical column stands
    /// for all its members. ASDF_ERR_INVALID_ARGUMENT if a column is selected twice.
    table select_columns(const std::vector<std::string> &names, const table_rows_options &options = {}) const {
        return select(nullptr, -1, nullptr, 0, &names, options);
    }

    /// Returns a table of rows at equal distances, backwards if the step is negative. Without a count, the rows up to
    /// the end of the table, or down to row 0. ASDF_ERR_OUT_OF_RANGE if a row does not exist.
    table slice(std::int64_t first, std::optional<std::int64_t> count = std::nullopt, std::int64_t step = 1,
                const table_rows_options &options = {}) const {
        return detail::made_by<table>(asdf_table_slice, native_handle(), first, count.value_or(-1), step,
                                      detail::make_options(options).get());
    }

    /// Returns a table of the same rows, sorted by columns. Rows that are equal in all of them keep their order. NaN
    /// comes after the other numbers and missing cells come last, in both directions. ASDF_ERR_WRONG_TYPE for a column
    /// whose cells are arrays.
    table sort_by(const std::vector<sort_key> &keys, const table_rows_options &options = {}) const {
        std::vector<const char *> names;
        std::vector<std::int32_t> descending;
        for (const sort_key &key : keys) {
            names.push_back(c_string(key.column).c_str());
            descending.push_back(key.descending ? 1 : 0);
        }
        return detail::made_by<table>(asdf_table_sort, native_handle(), names.data(), descending.data(),
                                      static_cast<std::int64_t>(names.size()), detail::make_options(options).get());
    }

    // Making tables ---------------------------------------------------------------------------------------------------

    /// Appends a column from a container with one entry for each row. An entry is
    ///
    /// - a number, bool, std::complex or text (std::string, std::string_view, const char *)
    /// - a point in time of std::chrono::system_clock, which becomes a Time of astropy in UTC, or a date if it counts
    ///   days; or a duration, which becomes a TimeDelta
    /// - a std::vector or other contiguous container of these: a cell that is an array. If all cells have the same
    ///   length, the column has cells of this shape; otherwise their lengths differ (add_variable_column())
    /// - std::optional of these: std::nullopt is a missing cell; in a cell that is an array, a missing element
    ///
    /// ASDF_ERR_INVALID_ARGUMENT if another column has this name, or if the number of entries is not that of the rows.
    /// The entries are copied. Strings in array cells lose NULs at their ends.
    template <class Entries>
    table &add_column(const c_string &name, const Entries &entries, const column_properties &properties = {}) {
        using entry = typename detail::entry_of<Entries>::type;
        using value = detail::without_optional<entry>;
        if constexpr (detail::is_chrono_v<value>)
            return add_chrono_column(name, entries, properties);
        else if constexpr (detail::is_text_v<value>)
            return add_text_column(name, type_code::string, entries, properties);
        else if constexpr (detail::is_cell_v<value>)
            return add_cells(name, entries, properties);
        else
            return add_array_column(name, {}, entries, properties);
    }

    /// Replaces cells of a column of times from a row on, in the scale and the format of the column.
    /// ASDF_ERR_WRONG_TYPE for another column, ASDF_ERR_OUT_OF_RANGE for rows that do not exist.
    ///
    ///     table.set_times("start", 7, asdf::times(std::chrono::system_clock::now()));
    table &set_times(const c_string &name, std::int64_t row, const asdf::times &times) {
        detail::check(asdf_table_set_time(native_handle(), name.c_str(), row, times.native_handle()));
        return *this;
    }

    /// Appends a column of times with their scale, format, missing times and place. ASDF_ERR_INVALID_ARGUMENT if their
    /// first extent is not the number of rows.
    table &add_column(const c_string &name, const asdf::times &times, const column_properties &properties = {}) {
        detail::check(asdf_table_add_time(native_handle(), name.c_str(), times.native_handle()));
        set_properties(name, properties);
        return *this;
    }

    /// Appends a column from a list: table.add_column("flux", {54.9, 23.0}).
    template <class Entry>
    table &add_column(const c_string &name, std::initializer_list<Entry> entries,
                      const column_properties &properties = {}) {
        return add_column<std::initializer_list<Entry>>(name, entries, properties);
    }

    /// Appends a column whose cells are arrays of one shape, from the elements of all rows in C order, or in the order
    /// or with the strides of the options. An element is a number, bool, std::complex, text, or std::optional of these.
    template <class Elements>
    table &add_array_column(const c_string &name, const extents &cell_shape, const Elements &elements,
                            const column_properties &properties = {}, const column_options &options = {}) {
        using entry = typename detail::entry_of<Elements>::type;
        using value = detail::without_optional<entry>;
        if (!options.strides) check_entries(name, elements, cell_shape.product());
        if constexpr (detail::is_text_v<value>) {
            const detail::packed_strings strings(pack_texts(elements));
            detail::check(asdf_table_add_column(native_handle(), name.c_str(), 0, cell_shape.rank(), cell_shape.data(),
                                                strings.bytes.data(), strings.bytes.size(), strings.mask_or_null(),
                                                strings.mask_size(), detail::make_options(options).with(strings.type)));
        } else {
            const auto add = [&](const void *bytes, std::size_t size, const std::uint8_t *mask, std::size_t mask_size) {
                detail::check(asdf_table_add_column(native_handle(), name.c_str(), detail::scalar_code_v<value>,
                                                    cell_shape.rank(), cell_shape.data(), bytes, size, mask, mask_size,
                                                    detail::make_options(options).get()));
            };
            static_assert(detail::is_scalar_v<value>, "a column is made from numbers, bool, std::complex or texts");
            if constexpr (detail::is_contiguous_v<Elements> && !detail::is_optional_v<entry>) {
                add(std::data(elements), std::size(elements) * sizeof(value), nullptr, 0);
            } else {
                detail::packed_elements<value> packed;
                for (const entry &element : elements) packed.add(detail::value_or_null(element));
                add(packed.values.data(), packed.size_in_bytes(), packed.mask_or_null(), packed.mask_size());
            }
        }
        set_properties(name, properties);
        return *this;
    }

    /// Appends a column of any datatype, such as strings of fixed length or float16, from packed elements in native
    /// byte order: a contiguous container. A cell is an array of the shape, or one element for {}.
    template <class Bytes>
    table &add_typed_column(const c_string &name, const datatype &type, const extents &cell_shape,
                            const Bytes &elements, const column_properties &properties = {},
                            const column_options &options = {}) {
        detail::check(asdf_table_add_column(native_handle(), name.c_str(), 0, cell_shape.rank(), cell_shape.data(),
                                            std::data(elements), std::size(elements) * sizeof *std::data(elements),
                                            nullptr, 0, detail::make_options(options).with(type)));
        set_properties(name, properties);
        return *this;
    }

    /// Appends a column whose cells are arrays that differ in their last extent. `leading_shape` has the extents of the
    /// axes before; an entry has all elements of its cell in C order. Entries are as in add_column().
    template <class Cells>
    table &add_variable_column(const c_string &name, const extents &leading_shape, const Cells &cells,
                               const column_properties &properties = {}) {
        using entry = typename detail::entry_of<Cells>::type;
        using element = typename detail::cell_of<detail::without_optional<entry>>::element;
        using value = detail::without_optional<element>;
        check_entries(name, cells, 1);
        std::vector<std::int64_t> lengths;
        std::conditional_t<detail::is_text_v<value>, detail::packed_texts, detail::packed_elements<value>> packed;
        for (const entry &each : cells) {
            const auto *cell = detail::value_or_null(each);
            lengths.push_back(cell ? static_cast<std::int64_t>(std::size(*cell)) : -1);
            if (!cell) continue;
            for (const element &one : *cell) add_to(packed, detail::value_or_null(one));
        }
        const auto count = static_cast<std::int64_t>(lengths.size());
        if constexpr (detail::is_text_v<value>) {
            const detail::packed_strings strings(std::move(packed));
            detail::check(asdf_table_add_variable_column(
                native_handle(), name.c_str(), 0, leading_shape.rank(), leading_shape.data(), lengths.data(), count,
                strings.bytes.data(), strings.bytes.size(), strings.mask_or_null(), strings.mask_size(),
                detail::option_handle().with(strings.type)));
        } else {
            detail::check(asdf_table_add_variable_column(native_handle(), name.c_str(), detail::scalar_code_v<value>,
                                                         leading_shape.rank(), leading_shape.data(), lengths.data(),
                                                         count, packed.values.data(), packed.size_in_bytes(),
                                                         packed.mask_or_null(), packed.mask_size(), nullptr));
        }
        set_properties(name, properties);
        return *this;
    }

    /// Appends a column of texts of a type: type_code::string, json, float128 or complex256. ASDF_ERR_VALUE_RANGE if a
    /// text is not a value of this type.
    template <class Texts>
    table &add_text_column(const c_string &name, type_code type, const Texts &texts,
                           const column_properties &properties = {}) {
        check_entries(name, texts, 1);
        const detail::packed_texts packed = pack_texts(texts);
        detail::check(asdf_table_add_text_column(native_handle(), name.c_str(), static_cast<std::int32_t>(type),
                                                 packed.bytes.data(), packed.bytes.size(), packed.offsets.data(),
                                                 static_cast<std::int64_t>(packed.offsets.size()),
                                                 packed.mask_or_null(), packed.mask_size()));
        set_properties(name, properties);
        return *this;
    }

    /// Appends a column of texts of a type from a list.
    table &add_text_column(const c_string &name, type_code type, std::initializer_list<const char *> texts,
                           const column_properties &properties = {}) {
        return add_text_column<std::initializer_list<const char *>>(name, type, texts, properties);
    }

    /// Converts the numbers of a column to another unit, which becomes that of the column. Integers become float64.
    /// ASDF_ERR_UNITS if the column has no unit, or if the units are not commensurable.
    table &convert_column(const c_string &name, const asdf::unit &unit, const unit_options &options = {}) {
        detail::check(asdf_table_convert_column(native_handle(), name.c_str(), c_string(unit.format()).c_str(),
                                                ASDF_SPELLING_GENERIC, detail::make_options(options).get()));
        return *this;
    }

    /// Sets the unit of a column; std::nullopt for none. An empty unit is that of a quantity without a dimension.
    table &set_column_unit(const c_string &name, std::optional<std::string_view> unit) {
        return set_text(asdf_table_set_column_unit, name, unit);
    }

    /// Sets the description of a column; std::nullopt for none.
    table &set_column_description(const c_string &name, std::optional<std::string_view> description) {
        return set_text(asdf_table_set_column_description, name, description);
    }

    /// Sets the display format of a column, in the notation of printf or Python; std::nullopt for none.
    table &set_column_format(const c_string &name, std::optional<std::string_view> format) {
        return set_text(asdf_table_set_column_format, name, format);
    }

    /// Sets the metadata of a column: a node of any tree, which is copied with its children; std::nullopt for none.
    table &set_column_meta(const c_string &name, const std::optional<node> &meta) {
        detail::check(
            asdf_table_set_column_meta(native_handle(), name.c_str(), meta ? meta->native_handle() : nullptr));
        return *this;
    }

    /// Sets the metadata of the table: a node of any tree, which is copied with its children; std::nullopt for none.
    table &set_meta(const std::optional<node> &meta) {
        detail::check(asdf_table_set_meta(native_handle(), meta ? meta->native_handle() : nullptr));
        return *this;
    }

    /// Sets the name of the convention of the metadata, such as astropy-2.0; std::nullopt for none.
    table &set_schema(const std::optional<std::string> &schema) {
        detail::check(asdf_table_set_schema(native_handle(), schema ? c_string(*schema).c_str() : nullptr));
        return *this;
    }

    // Changing cells --------------------------------------------------------------------------------------------------

    /// Replaces one cell: table.set_cell("flux", 7, 3.5). The cell is
    ///
    /// - a number, bool, std::complex or text
    /// - a container of these, or of std::optional of these, for a cell that is an array. Where cells have different
    ///   lengths, the new one can have any length
    /// - std::optional of these or std::nullopt, for a missing cell
    ///
    /// The column keeps its type; ASDF_ERR_OVERFLOW for a number that does not fit. Other cells, unit, description and
    /// metadata stay.
    template <class Cell>
    table &set_cell(const c_string &name, std::int64_t row, const Cell &cell, const set_cells_options &options = {}) {
        if constexpr (std::is_same_v<Cell, std::nullopt_t>) {
            return set_missing(name, row);
        } else if constexpr (detail::is_optional_v<Cell>) {
            return cell ? set_cell(name, row, *cell, options) : set_missing(name, row);
        } else if constexpr (std::is_convertible_v<const Cell &, std::string_view>) {
            const std::string_view text(cell);
            // The data of an empty view may be NULL, which means a missing text.
            const char *bytes = text.empty() ? "" : text.data();
            detail::check(asdf_table_set_text(native_handle(), name.c_str(), row, 0, bytes, text.size()));
            return *this;
        } else if constexpr (detail::is_cell_v<Cell>) {
            return set_cells(name, row, 1, cell, options);
        } else {
            return set_cells(name, row, 1, std::initializer_list<Cell>{cell}, options);
        }
    }

    /// Replaces `count` cells from the row `first` on by elements in C order: numbers, bool, std::complex, texts, or
    /// std::optional of these.
    template <class Elements>
    table &set_cells(const c_string &name, std::int64_t first, std::int64_t count, const Elements &elements,
                     const set_cells_options &options = {}) {
        using value = detail::without_optional<typename detail::entry_of<Elements>::type>;
        if constexpr (detail::is_text_v<value>) {
            const detail::packed_strings strings(pack_texts(elements));
            detail::check(asdf_table_set_cells(native_handle(), name.c_str(), first, count, 0, strings.bytes.data(),
                                               strings.bytes.size(), strings.mask_or_null(), strings.mask_size(),
                                               detail::make_options(options).with(strings.type)));
        } else {
            detail::packed_elements<value> packed;
            for (const auto &element : elements) packed.add(detail::value_or_null(element));
            detail::check(asdf_table_set_cells(native_handle(), name.c_str(), first, count,
                                               detail::scalar_code_v<value>, packed.values.data(),
                                               packed.size_in_bytes(), packed.mask_or_null(), packed.mask_size(),
                                               detail::make_options(options).get()));
        }
        return *this;
    }

    /// Makes `count` cells from the row `first` on missing.
    table &set_missing(const c_string &name, std::int64_t first, std::int64_t count = 1) {
        detail::check(asdf_table_set_missing(native_handle(), name.c_str(), first, count));
        return *this;
    }

    // Arrow -----------------------------------------------------------------------------------------------------------

    /// Exports the table as one struct array of the Arrow C data interface. Numbers, texts and validity are shared with
    /// the table, not copied. The consumer releases both structs; their previous content is ignored.
    void export_arrow(ArrowSchema *schema, ArrowArray *array, const arrow_array_options &options = {}) const {
        detail::check(asdf_table_export_arrow(native_handle(), detail::make_options(options).get(), schema, array));
    }

    /// Exports the table as a stream of struct arrays of at most options.batch_rows rows; by default one array with all
    /// rows. Later changes of the table do not affect the stream.
    void export_arrow_stream(ArrowArrayStream *stream, const arrow_stream_options &options = {}) const {
        detail::check(asdf_table_export_arrow_stream(native_handle(), detail::make_options(options).get(), stream));
    }

    /// Makes a table from one struct array. The values are copied; both structs are released, also after a failure.
    static table import_arrow(ArrowSchema *schema, ArrowArray *array, const arrow_options &options = {}) {
        return detail::made_by<table>(asdf_table_import_arrow, schema, array, detail::make_options(options).get());
    }

    /// Makes a table from all arrays of a stream. The values are copied; the stream is released, also after a failure.
    static table import_arrow_stream(ArrowArrayStream *stream, const arrow_options &options = {}) {
        return detail::made_by<table>(asdf_table_import_arrow_stream, stream, detail::make_options(options).get());
    }

  private:
    table select(const std::int64_t *rows, std::int64_t row_count, const std::uint8_t *mask, std::size_t mask_size,
                 const std::vector<std::string> *columns, const table_rows_options &options) const {
        std::vector<const char *> names;
        if (columns)
            for (const std::string &column : *columns) names.push_back(c_string(column).c_str());
        return detail::made_by<table>(asdf_table_select, native_handle(), rows, row_count, mask, mask_size,
                                      names.data(), columns ? static_cast<std::int64_t>(names.size()) : -1,
                                      detail::make_options(options).get());
    }

    /// Throws asdf::error unless a container has `cell_size` elements for each row.
    template <class Entries>
    void check_entries(const c_string &name, const Entries &entries, std::int64_t cell_size) const {
        const auto count = static_cast<std::int64_t>(std::distance(std::begin(entries), std::end(entries)));
        const std::int64_t rows = row_count();
        if (cell_size == 0 ? count == 0 : count / cell_size == rows && count % cell_size == 0) return;
        error::details details;
        details.subject = name.c_str();
        details.text = "column '" + details.subject + "' has " + std::to_string(count) +
                       " entries, but the table has " + std::to_string(rows) + (rows == 1 ? " row" : " rows");
        if (cell_size != 1) details.text += " of " + std::to_string(cell_size) + " elements";
        const std::string text = details.text;
        throw error(ASDF_ERR_INVALID_ARGUMENT, text, details);
    }

    /// Appends a column of cells: of one shape if all have the same number of elements, and no cell is missing.
    template <class Cells>
    table &add_cells(const c_string &name, const Cells &cells, const column_properties &properties) {
        using entry = typename detail::entry_of<Cells>::type;
        using element = typename detail::cell_of<detail::without_optional<entry>>::element;
        check_entries(name, cells, 1);
        std::int64_t length = -1;
        bool is_fixed = true;
        for (const entry &each : cells) {
            const auto *cell = detail::value_or_null(each);
            const std::int64_t size = cell ? static_cast<std::int64_t>(std::size(*cell)) : -1;
            is_fixed = is_fixed && size > 0 && (length == -1 || length == size);
            length = size;
        }
        if (!is_fixed || length < 0) return add_variable_column(name, {}, cells, properties);
        std::vector<element> all;
        all.reserve(static_cast<std::size_t>(length * row_count()));
        for (const entry &each : cells) {
            const auto *cell = detail::value_or_null(each);
            all.insert(all.end(), std::begin(*cell), std::end(*cell));
        }
        return add_array_column(name, length, all, properties);
    }

    template <class Texts> static detail::packed_texts pack_texts(const Texts &texts) {
        detail::packed_texts packed;
        for (const auto &text : texts) add_to(packed, detail::value_or_null(text));
        return packed;
    }

    template <class T> static void add_to(detail::packed_texts &packed, const T *text) {
        const std::string_view view = text ? std::string_view(*text) : std::string_view();
        packed.add(text ? &view : nullptr);
    }

    template <class T> static void add_to(detail::packed_elements<T> &packed, const T *element) {
        packed.add(element);
    }

    asdf::column column_at(std::int64_t index) const {
        return asdf::column(state_, detail::read_text(asdf_table_column_name, native_handle(), index));
    }

    template <class Set> table &set_text(Set set, const c_string &name, std::optional<std::string_view> text) {
        // The data of an empty view may be NULL, which means none.
        const char *bytes = text ? (text->empty() ? "" : text->data()) : nullptr;
        detail::check(set(native_handle(), name.c_str(), bytes, text ? text->size() : 0));
        return *this;
    }

    template <class Entries>
    table &add_chrono_column(const c_string &name, const Entries &entries, const column_properties &properties) {
        using value = detail::without_optional<typename detail::entry_of<Entries>::type>;
        check_entries(name, entries, 1);
        const std::vector<std::int64_t> packed = detail::packed_nanoseconds(entries);
        const std::int64_t count = static_cast<std::int64_t>(packed.size());
        if constexpr (detail::chrono_of<value>::is_time_point) {
            const asdf::times made =
                detail::made_by<asdf::times>(asdf_time_from_nanoseconds, packed.data(), 1, &count, ASDF_TIME_SCALE_UTC,
                                             static_cast<const asdf_options *>(nullptr));
            return add_column(name, detail::is_day_v<value> ? made.dates() : made, properties);
        } else {
            // Room for one, because the data of an empty vector may be NULL.
            std::vector<double> jd1(packed.size() + 1), jd2(packed.size() + 1);
            detail::check(asdf_time_delta_from_nanoseconds(packed.data(), count, jd1.data(), jd2.data(), jd1.size()));
            detail::check(
                asdf_table_add_time_delta(native_handle(), name.c_str(), jd1.data(), jd2.data(), 0, nullptr, 0, "sec"));
            set_properties(name, properties);
            return *this;
        }
    }

    void set_properties(const c_string &name, const column_properties &properties) {
        if (properties.unit) set_column_unit(name, *properties.unit);
        if (properties.description) set_column_description(name, *properties.description);
        if (properties.format) set_column_format(name, *properties.format);
        if (properties.meta) set_column_meta(name, properties.meta);
    }

    std::shared_ptr<const detail::table_state> state_;
};

inline table logical_column::values() const {
    return detail::made_by<table>(asdf_logical_columns_values, columns_.get(), index_);
}

template <class Derived> table detail::node_tables<Derived>::get_table(const get_table_options &options) const {
    const Derived &node = static_cast<const Derived &>(*this);
    return detail::made_by<table>(asdf_node_get_table, node.base(), node.base_path(),
                                  detail::make_options(options).get());
}

template <class Derived> void detail::node_tables<Derived>::set(const table &table, const set_table_options &options) {
    const Derived &node = static_cast<const Derived &>(*this);
    detail::check(
        asdf_node_set_table(node.base(), node.base_path(), table.native_handle(), detail::make_options(options).get()));
}

} // namespace asdf
