// Functions of nodes and places: looking up, reading values, walking, setting and changing.
#pragma once

#include "array.hpp"
#include "coordinates.hpp"
#include "enumerations.hpp"
#include "extents.hpp"
#include "handle.hpp"
#include "node_arrays.hpp"
#include "node_tables.hpp"
#include "options.hpp"
#include "report.hpp"
#include "results.hpp"
#include "schemas.hpp"
#include "text.hpp"
#include "times.hpp"
#include "unit.hpp"
#include "value.hpp"
#include "value_ranges.hpp"
#include "wcs.hpp"

#include <asdf.h>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace asdf {

class node;
class place;
struct key;
class node_items;
class node_iterator;

/// Returns a key as a part of a path: "~" becomes "~0", "/" becomes "~1".
inline std::string escape(std::string_view key) {
    std::string part;
    for (const char character : key) {
        if (character == '~') {
            part += "~0";
        } else if (character == '/') {
            part += "~1";
        } else {
            part += character;
        }
    }
    return part;
}

/// A program that a tree names.
struct software {
    std::string name;
    std::string version;
    std::string author{};   ///< may be empty
    std::string homepage{}; ///< URI; may be empty
};

/// Position of a node in its file; -1 if the node was not read from a file.
struct position {
    std::int64_t offset = -1; ///< offset in bytes from the start of the file
    std::int64_t line = -1;   ///< line of the file, from 1
    std::int64_t column = -1; ///< column in characters, from 1
};

namespace detail {

using node_handle = handle<asdf_node, asdf_node_retain, asdf_node_free>;

/// Returns the integer with these decimal digits, which fits 64 bits.
inline std::int64_t integer_of(const std::string &digits) {
    return std::stoll(digits);
}

/// Joins two paths.
inline std::string join(std::string_view path, std::string_view rest) {
    if (path.empty() || rest.empty()) return std::string(path.empty() ? rest : path);
    std::string joined(path);
    if (rest.front() != '/') joined += '/';
    return joined.append(rest);
}

/// Sets a value of any type that nodes can have. Ranges of numbers become arrays, or lists of YAML if `as_lists`.
template <bool as_lists = false, class T> void set_value(asdf_node *node, const char *path, const T &value);

/// Appends a value to a sequence that has `size` items.
template <bool as_lists = false, class T>
void append_value(asdf_node *node, const char *path, std::int64_t size, const T &value) {
    // A value that takes several calls needs a path that stays the same.
    check(asdf_node_insert_item(node, path, -1));
    set_value<as_lists>(node, join(path, std::to_string(size)).c_str(), value);
}

/// Reads a mapping, or a sequence or an array, into a container.
template <class Map> Map get_map(const node &from);
template <class Range> Range get_range(const node &from);

} // namespace detail

/// Functions of asdf::node and asdf::place. They throw asdf::error; its status is ASDF_ERR_NOT_FOUND if nothing exists
/// at the path.
template <class Derived>
class node_functions : public detail::node_arrays<Derived>, public detail::node_tables<Derived> {
  public:
    // Looking up --------------------------------------------------------------------------------------------------

    /// Returns the place at a path below this node. Nothing is looked up before the place is used.
    place operator[](const c_string &path);
    const place operator[](const c_string &path) const;
    // A literal fits these better than the index of the language, for which a node would become an integer.
    place operator[](const char *path);
    const place operator[](const char *path) const;

    /// Returns the place of a pair that iteration returned: its key is no path. Throws asdf::error with
    /// ASDF_ERR_NOT_FOUND if the key is no text and does not exist; make_key() makes it.
    place operator[](const key &key);
    const place operator[](const key &key) const;

    /// Returns the place at an index of a sequence.
    template <class Integer, class = std::enable_if_t<std::is_integral_v<Integer>>> place operator[](Integer index);
    template <class Integer, class = std::enable_if_t<std::is_integral_v<Integer>>>
    const place operator[](Integer index) const;

    /// Returns this node itself, which later renaming and moving does not affect.
    node resolve() const;

    /// Returns the node at a path.
    node at(const c_string &path) const;

    /// Returns the node at a path; std::nullopt if nothing exists there.
    std::optional<node> find(const c_string &path) const;

    /// Tests whether something exists at a path.
    bool contains(const c_string &path) const;

    /// Tests whether this node exists.
    bool exists() const {
        return contains("");
    }

    /// Returns the value under a key of this mapping, which is not a path: it has no escapes, and its type counts.
    node at_key(std::string_view key) const;
    node at_key(const char *key) const;
    node at_key(std::int64_t key) const;
    node at_key(bool key) const;
    node at_key(const key &key) const;

    // Reading -----------------------------------------------------------------------------------------------------

    /// Reads the value. T is one of:
    ///
    /// - bool, integers and floating-point numbers: ASDF_ERR_VALUE_RANGE if the value does not fit
    /// - std::complex, std::string, std::vector<std::byte> (binary), asdf::timestamp, asdf::big_integer
    /// - a point in time of std::chrono::system_clock (a time or timestamp), a duration (a quantity),
    ///   std::filesystem::path
    /// - std::vector<T>, std::list, std::set or another container with insert(): of a sequence, or of an array of any
    ///   rank in C order; std::vector<std::vector<T>> has the rows of an array of two axes. std::array<T, N> too
    /// - std::map<K, T> of a mapping: K is a text, an integer or bool
    /// - std::optional<T>: std::nullopt if nothing exists here, or null
    /// - asdf::node, asdf::array
    /// - a type with asdf::conversion
    ///
    /// A value of another type is ASDF_ERR_WRONG_TYPE. Numbers can also be read from quantities.
    template <class T> T get() const;

    /// Reads the value where a number, bool, text, std::complex, std::vector or asdf::array is initialized:
    /// double seconds = file["meta/exposure/time"].
    template <class T, class = std::enable_if_t<detail::is_implicit_v<T>>> operator T() const {
        return get<T>();
    }

    /// Reads the value; returns `otherwise` if nothing exists here, or null. A value of another type is an error.
    template <class T> T value_or(T otherwise) const {
        return exists() && !is_null() ? get<T>() : std::move(otherwise);
    }
    std::string value_or(const char *otherwise) const {
        return value_or(std::string(otherwise));
    }

    /// Returns the meaning of the node, which determines the function that reads it.
    asdf::kind kind() const {
        return static_cast<asdf::kind>(number(asdf_node_kind));
    }

    /// Returns the YAML type of the node.
    node_type type() const {
        return static_cast<node_type>(number(asdf_node_type));
    }

    bool is_null() const {
        return type() == node_type::null;
    }
    bool is_sequence() const {
        return type() == node_type::sequence;
    }
    bool is_mapping() const {
        return type() == node_type::mapping;
    }

    /// Returns the full tag: "tag:stsci.edu:asdf/core/ndarray-1.1.0"; empty if it has none.
    std::string tag() const {
        return text_of(asdf_node_tag);
    }

    /// Returns the path from the root of the node's own file; empty for the root.
    std::string path() const {
        return text_of(asdf_node_path);
    }

    /// Returns the text of a scalar as it is written in the file.
    std::string text() const {
        return text_of(asdf_node_get_text);
    }

    /// Returns a unit, or the unit of a quantity or column; ASDF_ERR_NOT_FOUND if there is none.
    std::string unit() const {
        return text_of(asdf_node_get_unit);
    }

    /// Returns the number of a quantity in another unit; ASDF_ERR_UNITS if it has no unit, or if the units are not
    /// commensurable.
    double number_in(const asdf::unit &unit, const unit_options &options = {}) const {
        double number = 0;
        detail::check(asdf_node_get_quantity(base(), base_path(), c_string(unit.format()).c_str(),
                                             ASDF_SPELLING_GENERIC, detail::make_options(options).get(), &number));
        return number;
    }

    /// Returns points in time: a time of the standard, or text such as a timestamp; ASDF_ERR_WRONG_TYPE for other
    /// nodes.
    asdf::times times(const time_options &options = {}) const {
        asdf_time *time = nullptr;
        detail::check(asdf_node_get_time(base(), base_path(), detail::make_options(options).get(), &time));
        return asdf::times(time);
    }

    /// Returns coordinates of astropy: positions on the sky, a frame, a place on Earth or angles; ASDF_ERR_WRONG_TYPE
    /// for other nodes.
    asdf::coordinates coordinates() const {
        return detail::made_by<asdf::coordinates>(asdf_node_get_coordinates, base(), base_path());
    }

    /// Returns world coordinates. A transform that is not known is an error of the functions that need it.
    asdf::wcs wcs(const get_wcs_options &options = {}) const {
        asdf_wcs *made = nullptr;
        detail::check(asdf_node_get_wcs(base(), base_path(), detail::make_options(options).get(), &made));
        return asdf::wcs(made);
    }

    /// Returns a transform as a function.
    asdf::transform transform(const get_wcs_options &options = {}) const {
        asdf_transform *made = nullptr;
        detail::check(asdf_node_get_transform(base(), base_path(), detail::make_options(options).get(), &made));
        return asdf::transform(made);
    }

    /// Returns the programs of a core/software, or of a list of them, as under "asdf_library" and under "software" of a
    /// history entry; ASDF_ERR_WRONG_TYPE for other nodes.
    std::vector<asdf::software> software() const {
        std::int64_t count = 0;
        detail::check(asdf_node_software_count(base(), base_path(), &count));
        std::vector<asdf::software> programs;
        for (std::int64_t index = 0; index < count; index++) {
            const auto part = [&](std::int32_t which) {
                return detail::read_text(asdf_node_get_software, base(), base_path(), index, which);
            };
            programs.push_back({part(ASDF_SOFTWARE_NAME), part(ASDF_SOFTWARE_VERSION), part(ASDF_SOFTWARE_AUTHOR),
                                part(ASDF_SOFTWARE_HOMEPAGE)});
        }
        return programs;
    }

    /// Returns the note of a mapping: the text under its key "//"; std::nullopt if it has none.
    std::optional<std::string> note() const {
        return detail::if_found([this] { return text_of(asdf_node_note); });
    }

    /// Returns the comment of this node in the YAML text, without "#"; std::nullopt if there is none.
    std::optional<std::string> comment(comment_position position = comment_position::before) const {
        return detail::if_found([this, position] {
            return detail::read_text(asdf_node_comment, base(), base_path(), static_cast<std::int32_t>(position));
        });
    }

    /// Returns the URI of a JSON reference; empty if the node is not a reference.
    std::string reference() const {
        return text_of(asdf_node_reference);
    }

    /// Validates this node with all nodes below it by schemas. Violations are findings with the severity error.
    asdf::report validate(const schemas &all, const validate_options &options = {}) const {
        return detail::made_by<asdf::report>(asdf_node_validate, base(), base_path(), all.native_handle(),
                                             detail::make_options(options).get());
    }

    /// Returns what the schemas say about the entry at a path below this node. The entry need not exist.
    description describe(const schemas &all, const c_string &path, const validate_options &options = {}) const {
        return detail::describe(all, base(), detail::join(base_path(), path.c_str()).c_str(),
                                detail::make_options(options).get());
    }

    /// Returns the position in the node's own file.
    asdf::position position() const {
        asdf::position found;
        detail::check(asdf_node_position(base(), base_path(), &found.offset, &found.line, &found.column));
        return found;
    }

    /// Returns a number that identifies the content: aliases of and references to the same node have the same number.
    std::int64_t identity() const {
        std::int64_t identity = 0;
        detail::check(asdf_node_identity(base(), base_path(), &identity));
        return identity;
    }

    /// Returns the number of items of a sequence or pairs of a mapping.
    std::int64_t size() const {
        std::int64_t count = 0;
        detail::check(asdf_node_count(base(), base_path(), &count));
        return count;
    }

    /// Returns the items of a sequence, or the values of a mapping, in the order of the file:
    /// for (asdf::node item : file["list"]).
    node_iterator begin() const;
    node_iterator end() const;

    /// Returns pairs of key and node: for (const auto &[key, value] : file["meta"].items()). In a sequence, the key is
    /// the index.
    node_items items() const;

    /// Returns the type of a key of this mapping, by the position of its pair.
    asdf::key_type key_type(std::int64_t index) const {
        std::int32_t type = 0;
        detail::check(asdf_node_key_type(base(), base_path(), index, &type));
        return static_cast<asdf::key_type>(type);
    }

    // Setting -----------------------------------------------------------------------------------------------------
    //
    // The file must be new or open for update. Missing mappings on the way are created. A failed setter changes
    // nothing, but the file cannot be written until the setter succeeds, or file::forget_failure() is called.

    /// Sets a value of a type that get() reads, a text, or nullptr for null. A std::optional without a value is null.
    ///
    /// A contiguous range of numbers (std::vector, std::array, std::span, {1, 2}, T[N]), of bool or of structs with
    /// asdf::record becomes an array, as in Fortran. A range of such ranges of equal length becomes an array of two or
    /// more axes; different lengths are ASDF_ERR_INVALID_ARGUMENT. Elements may be in std::optional: std::nullopt is
    /// missing by the mask of the array. Other ranges, such as one of texts or a std::list, become a list of YAML, and
    /// so do numbers in asdf::list: file["size"] = asdf::list{512, 512}.
    template <class T> void set(const T &value) {
        detail::set_value(base(), base_path(), value);
    }
    template <class T> void set(std::initializer_list<T> values) {
        detail::set_value(base(), base_path(), values);
    }

    /// Sets an array from a vector that is moved into the file: no element is copied. See set_moved().
    template <class T, class = std::enable_if_t<detail::is_scalar_v<T> && !std::is_same_v<T, bool> &&
                                                !std::is_same_v<T, std::byte>>>
    void set(std::vector<T> &&elements) {
        const auto count = static_cast<std::int64_t>(elements.size());
        this->set_moved(std::move(elements), {count});
    }

    /// Sets a list of YAML. Values stand in the text of the tree, numbers on one line.
    template <class Range> void set_list(const Range &values) {
        detail::set_value<true>(base(), base_path(), values);
    }
    template <class T> void set_list(std::initializer_list<T> values) {
        detail::set_value<true>(base(), base_path(), values);
    }

    /// Sets a copy of a node with all its children, from this or another file; see set().
    void copy_from(const node &from) {
        copy(from, nullptr);
    }
    void copy_from(const place &from);
    void copy_from(const node &from, const store_options &options) {
        set(from, options);
    }

    /// Sets a copy of a node with all its children, from this or another file. Blocks of its arrays are copied as they
    /// are stored; with options, they are stored accordingly.
    void set(const node &from) {
        copy(from, nullptr);
    }
    void set(const place &from);
    void set(const node &from, const store_options &options) {
        copy(from, detail::make_options(options).get());
    }

    /// Sets the world coordinates of cards of a FITS header, as a tree that Python's gwcs reads.
    void set_wcs_cards(std::string_view cards, const cards_options &options = {}) {
        detail::check(asdf_node_set_wcs_cards(base(), base_path(), cards.data(), cards.size(),
                                              detail::make_options(options).get()));
    }

    /// Sets the world coordinates of a part of an image: those of the node `from`, for pixels that count from the start
    /// of a region of the image's array.
    void set_wcs_cutout(const node &from, const std::vector<std::int64_t> &start,
                        const std::vector<std::int64_t> &count, const std::vector<std::int64_t> &step = {});

    using detail::node_arrays<Derived>::set;
    using detail::node_tables<Derived>::set;

    /// Sets an empty sequence. In flow style it is written in brackets, otherwise line by line.
    void set_sequence(bool flow = false) {
        detail::check(asdf_node_set_sequence(base(), base_path(), flow ? 1 : 0));
    }

    /// Sets an empty mapping. In flow style it is written in braces, otherwise line by line.
    void set_mapping(bool flow = false) {
        detail::check(asdf_node_set_mapping(base(), base_path(), flow ? 1 : 0));
    }

    /// Makes a quantity of this mapping, or of a new one, with this unit in VOUnit spelling. Its number or array is set
    /// below it, before or after: `file["step/value"] = 0.5`. ASDF_ERR_WRONG_TYPE if another node is here.
    void set_quantity(const std::string &unit) {
        detail::check(asdf_node_set_quantity(base(), base_path(), unit.data(), unit.size()));
    }

    /// Sets a time of the standard: "2027-01-31T04:05:06.7", "2027:031:04:05:06.7", "B1950.0" or "J2000.0".
    void set_time(const std::string &time) {
        detail::check(asdf_node_set_time(base(), base_path(), time.data(), time.size()));
    }

    /// Sets points in time as a time of the standard, in their format. Several become an array.
    void set_times(const asdf::times &times, const set_times_options &options = {}) {
        const auto made = detail::make_options(options);
        detail::check(asdf_node_set_times(base(), base_path(), times.native_handle(), made.get()));
    }

    /// Sets the description of a program, a core/software.
    void set_software(const asdf::software &program) {
        const auto optional = [](const std::string &text) { return text.empty() ? nullptr : text.c_str(); };
        detail::check(asdf_node_set_software(base(), base_path(), program.name.c_str(), program.version.c_str(),
                                             optional(program.author), optional(program.homepage)));
    }

    /// Sets positions on the sky as astropy's SkyCoord. Attributes of the frame and velocities are set below it, such
    /// as `file["target/equinox"].set_time("J1975.0")`.
    void set_coordinates(const sky_points &points, const set_coordinates_options &options = {}) {
        const std::int64_t count = static_cast<std::int64_t>(points.longitudes.size());
        const asdf::shape shape = points.shape ? *points.shape : asdf::shape{count};
        std::int64_t total = 1;
        for (const std::int64_t extent : shape) total *= extent;
        const bool is_far = !points.distances.empty();
        if (total != count || points.latitudes.size() != points.longitudes.size() ||
            (is_far && points.distances.size() != points.longitudes.size())) {
            throw error(ASDF_ERR_INVALID_ARGUMENT, "the numbers of the coordinates do not fit their shape");
        }
        const auto made = detail::make_options(options);
        detail::check(asdf_node_set_coordinates(
            base(), base_path(), points.frame.c_str(), static_cast<std::int32_t>(shape.size()), shape.data(),
            points.longitudes.data(), points.latitudes.data(), points.unit.c_str(),
            is_far ? points.distances.data() : nullptr, is_far ? points.distance_unit.c_str() : nullptr, made.get()));
    }

    /// Sets the tag: a full tag, or "!" and the short form of a tag of the standard, as in "!unit/unit-1.0.0".
    void set_tag(const c_string &tag) {
        detail::check(asdf_node_set_tag(base(), base_path(), tag.c_str()));
    }

    /// Removes the tag.
    void remove_tag() {
        detail::check(asdf_node_set_tag(base(), base_path(), nullptr));
    }

    /// Sets the note of a mapping: the text under its key "//", for people who read the file.
    void set_note(std::string_view note) {
        detail::check(asdf_node_set_note(base(), base_path(), note.data(), note.size()));
    }

    /// Sets the comment of this node in the YAML text, without "#"; an empty one removes it. ASDF_ERR_UNSUPPORTED for a
    /// node in brackets or braces, which has no line of its own.
    void set_comment(std::string_view text, comment_position position = comment_position::before) {
        detail::check(
            asdf_node_set_comment(base(), base_path(), static_cast<std::int32_t>(position), text.data(), text.size()));
    }

    /// Sets a JSON reference to a URI, relative to the file: "other.asdf#/data".
    void set_reference(const c_string &uri) {
        detail::check(asdf_node_set_reference(base(), base_path(), uri.c_str()));
    }

    /// Sets a JSON reference to a path of the same file, from its root.
    void set_reference_to(const c_string &path) {
        detail::check(asdf_node_set_reference_to(base(), base_path(), path.c_str()));
    }

    /// Appends a value to this sequence. If nothing exists here, a sequence is created.
    template <class T> void append(const T &value);

    // Changing ----------------------------------------------------------------------------------------------------

    /// Removes the node at a path. Later uses of it are ASDF_ERR_STALE.
    void remove(const c_string &path) {
        detail::check(asdf_node_remove(base(), detail::join(base_path(), path.c_str()).c_str()));
    }

    /// Removes this node.
    void remove() {
        detail::check(asdf_node_remove(base(), base_path()));
    }

    /// Renames the key of the node at a path. Position, text and comments of its value stay unchanged.
    void rename(const c_string &path, const c_string &key) {
        detail::check(asdf_node_rename_key(base(), detail::join(base_path(), path.c_str()).c_str(), key.c_str()));
    }

    /// Moves a node with its children and comments. Both paths begin at this node. The last part of `to` is the index
    /// in a sequence ("-" for the end), or the key in a mapping, where it replaces an existing value.
    void move(const c_string &path, const c_string &to) {
        detail::check(asdf_node_move(base(), detail::join(base_path(), path.c_str()).c_str(),
                                     detail::join(base_path(), to.c_str()).c_str()));
    }

    /// Returns the node under a key of this mapping, which is not a path: it has no escapes, and its type counts. A
    /// missing key is appended, with the value null: file["channels"].make_key(std::int64_t{7}).set("F146").
    node make_key(std::string_view key);
    node make_key(const char *key);
    node make_key(std::int64_t key);
    node make_key(bool key);
    node make_key(const key &key);

    /// Inserts an item with the value null into this sequence; the size, or -1, appends it. Returns its place.
    place insert(std::int64_t index);

    /// Inserts a key with the value null into this mapping, before or after all other keys. Returns its place.
    place insert(const c_string &key, insert_position where);

    /// Inserts a key with the value null into this mapping, before or after another key. Returns its place.
    place insert(const c_string &key, insert_position where, const c_string &neighbour);

  private:
    asdf_node *base() const noexcept {
        return static_cast<const Derived &>(*this).base();
    }
    const char *base_path() const noexcept {
        return static_cast<const Derived &>(*this).base_path();
    }

    std::int32_t number(asdf_status (*call)(const asdf_node *, const char *, std::int32_t *)) const {
        std::int32_t value = 0;
        detail::check(call(base(), base_path(), &value));
        return value;
    }

    std::string text_of(asdf_status (*call)(const asdf_node *, const char *, char *, std::size_t,
                                            std::size_t *)) const {
        return detail::read_text(call, base(), base_path());
    }

    void copy(const node &from, const asdf_options *options);
    place insert_key(const c_string &key, insert_position where, const char *neighbour);
};

} // namespace asdf
