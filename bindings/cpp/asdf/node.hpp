// Nodes of a tree and places in it: asdf::node, asdf::place, and iteration over their items.
#pragma once

#include "chrono.hpp"
#include "elements.hpp"
#include "index_iterator.hpp"
#include "node_functions.hpp"

#include <algorithm>
#include <asdf.h>
#include <chrono>
#include <cstddef>
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

/// Node in the tree of a file. It keeps the file alive, and stays the same node if it is renamed or moved; after an
/// edit has removed it, its use is ASDF_ERR_STALE. A copy is one more owner.
class node : public node_functions<node> {
  public:
    using handle_type = detail::node_handle;

    /// Makes an object without a node, to be assigned later. Its use is ASDF_ERR_NULL_POINTER.
    node() noexcept = default;

    /// Takes over a handle of the C interface.
    explicit node(asdf_node *owned) noexcept : handle_(owned) {}

    /// Makes an empty mapping that belongs to no file, such as metadata of a table.
    static node new_mapping() {
        return detail::made_by<node>(asdf_node_new_mapping);
    }

    /// Takes the node at a place. Throws asdf::error with ASDF_ERR_NOT_FOUND if nothing exists there.
    node(const place &from);

    /// Returns the handle of the C interface, which this object keeps.
    asdf_node *native_handle() const noexcept {
        return handle_.get();
    }

  private:
    template <class> friend class node_functions;
    template <class> friend class detail::node_arrays;
    template <class> friend class detail::node_tables;
    friend class place;

    asdf_node *base() const noexcept {
        return handle_.get();
    }
    static const char *base_path() noexcept {
        return "";
    }

    handle_type handle_;
};

/// Path from a node, where something may exist or be set: file["meta/exposure/time"]. It keeps the file alive.
///
/// Assigning a value or a node to a place sets its content. A place cannot be assigned to a place, since containers
/// assign their elements when they move them: copy_from() copies the content of another place. Convert a place to
/// asdf::node to keep the node that is there now.
class place : public node_functions<place> {
  public:
    /// Makes the place at a path from a node.
    place(node from, std::string path) : from_(std::move(from)), path_(std::move(path)) {}

    place(const place &) = default;
    place(place &&) noexcept = default;
    ~place() = default;

    /// Sets a value; see set().
    template <class T, class = std::enable_if_t<!std::is_same_v<std::decay_t<T>, place>>> place &operator=(T &&value) {
        set(std::forward<T>(value));
        return *this;
    }
    template <class T> place &operator=(std::initializer_list<T> values) {
        set(values);
        return *this;
    }

    /// Use copy_from(): file["b"].copy_from(file["a"]).
    place &operator=(const place &) = delete;
    place &operator=(place &&) = delete;

    /// Renames the key of the node here. Position, text and comments of its value stay unchanged.
    using node_functions<place>::rename;
    void rename(const c_string &key) {
        detail::check(asdf_node_rename_key(base(), base_path(), key.c_str()));
    }

  private:
    template <class> friend class node_functions;
    template <class> friend class detail::node_arrays;
    template <class> friend class detail::node_tables;
    friend class node;

    asdf_node *base() const noexcept {
        return from_.base();
    }
    const char *base_path() const noexcept {
        return path_.c_str();
    }

    node from_;
    std::string path_;
};

/// Nodes and places in containers, whose content is copied.
template <> struct conversion<node> {
    static node read(const asdf_node *from, const char *path) {
        return detail::made_by<node>(asdf_node_get, from, path);
    }
    static void write(asdf_node *to, const char *path, const node &value) {
        detail::check(asdf_node_copy(to, path, value.native_handle(), nullptr));
    }
};
template <> struct conversion<place> {
    static void write(asdf_node *to, const char *path, const place &value) {
        conversion<node>::write(to, path, node(value));
    }
};

/// Key of a mapping with its type: a text that is taken literally and not as a path. An integer or a truth value has
/// the text "17", "true".
struct key : std::string {
    asdf::key_type type = asdf::key_type::string; ///< type in the file

    key() = default;
    explicit key(std::string text, asdf::key_type kind = asdf::key_type::string)
        : std::string(std::move(text)), type(kind) {}
};

/// Pair of a mapping, or item of a sequence with its index as key. `target[pair.key] = pair.value` copies a pair whose
/// key is text, target.make_key(pair.key).set(pair.value) any pair.
struct item {
    asdf::key key;
    node value;
};

/// Input iterator over the items of a sequence or the values of a mapping.
class node_iterator : public detail::index_iterator<node_iterator, node, node> {
  public:
    using index_iterator::index_iterator;
    node_iterator() = default;

    node operator*() const {
        return detail::made_by<node>(asdf_node_item, source_.native_handle(), "", index_);
    }
};

/// Pairs of key and node of a mapping or sequence.
class node_items {
  public:
    /// Input iterator over the pairs.
    class iterator : public detail::index_iterator<iterator, node, item> {
      public:
        iterator() = default;
        iterator(node parent, std::int64_t index, bool has_keys)
            : index_iterator(std::move(parent), index), has_keys_(has_keys) {}

        item operator*() const {
            key key{std::to_string(index_)};
            if (has_keys_) {
                key.assign(detail::read_text(asdf_node_key_string, source_.native_handle(), "", index_));
                key.type = source_.key_type(index_);
            }
            return {std::move(key), detail::made_by<node>(asdf_node_item, source_.native_handle(), "", index_)};
        }

      private:
        bool has_keys_ = false;
    };

    explicit node_items(node parent)
        : parent_(std::move(parent)), size_(parent_.size()), has_keys_(parent_.is_mapping()) {}

    std::int64_t size() const noexcept {
        return size_;
    }
    iterator begin() const {
        return iterator(parent_, 0, has_keys_);
    }
    iterator end() const {
        return iterator(parent_, size_, has_keys_);
    }

  private:
    node parent_;
    std::int64_t size_;
    bool has_keys_;
};

inline node::node(const place &from) : node(from.resolve()) {}

template <class Derived> place node_functions<Derived>::operator[](const c_string &path) {
    const Derived &self = static_cast<const Derived &>(*this);
    if constexpr (std::is_same_v<Derived, place>) {
        return place(self.from_, detail::join(base_path(), path.c_str()));
    } else {
        return place(self, path.c_str());
    }
}

template <class Derived> place node_functions<Derived>::operator[](const char *path) {
    return (*this)[c_string(path)];
}

template <class Derived> template <class Integer, class> place node_functions<Derived>::operator[](Integer index) {
    return (*this)[std::to_string(index)];
}

template <class Derived> place node_functions<Derived>::operator[](const key &key) {
    if (key.type == key_type::string) return (*this)["/" + escape(key)];
    return place(at_key(key), "");
}

// The place of a constant node is constant, too: it has no setters.
template <class Derived> const place node_functions<Derived>::operator[](const c_string &path) const {
    return const_cast<node_functions &>(*this)[path];
}

template <class Derived> const place node_functions<Derived>::operator[](const char *path) const {
    return const_cast<node_functions &>(*this)[path];
}

template <class Derived>
template <class Integer, class>
const place node_functions<Derived>::operator[](Integer index) const {
    return const_cast<node_functions &>(*this)[index];
}

template <class Derived> const place node_functions<Derived>::operator[](const key &key) const {
    return const_cast<node_functions &>(*this)[key];
}

template <class Derived> node node_functions<Derived>::resolve() const {
    return at("");
}

template <class Derived> node node_functions<Derived>::at(const c_string &path) const {
    return detail::made_by<node>(asdf_node_get, base(), detail::join(base_path(), path.c_str()).c_str());
}

template <class Derived> std::optional<node> node_functions<Derived>::find(const c_string &path) const {
    if (!contains(path)) return std::nullopt;
    return at(path);
}

template <class Derived> bool node_functions<Derived>::contains(const c_string &path) const {
    std::int32_t exists = 0;
    detail::check(asdf_node_exists(base(), detail::join(base_path(), path.c_str()).c_str(), &exists));
    return exists != 0;
}

template <class Derived> node node_functions<Derived>::at_key(std::string_view key) const {
    return detail::made_by<node>(asdf_node_get_by_string, base(), base_path(), key.data(), key.size());
}

template <class Derived> node node_functions<Derived>::at_key(const char *key) const {
    return at_key(std::string_view(key));
}

template <class Derived> node node_functions<Derived>::at_key(std::int64_t key) const {
    return detail::made_by<node>(asdf_node_get_by_i64, base(), base_path(), key);
}

template <class Derived> node node_functions<Derived>::at_key(bool key) const {
    return detail::made_by<node>(asdf_node_get_by_bool, base(), base_path(), key ? 1 : 0);
}

template <class Derived> node node_functions<Derived>::at_key(const key &key) const {
    if (key.type == key_type::integer) return at_key(detail::integer_of(key));
    if (key.type == key_type::bool_) return at_key(key == "true");
    if (key.type == key_type::string) return at_key(std::string_view(key));
    return at("/" + escape(key));
}

template <class Derived> node node_functions<Derived>::make_key(std::string_view key) {
    return detail::made_by<node>(asdf_node_make_by_string, base(), base_path(), key.data(), key.size());
}

template <class Derived> node node_functions<Derived>::make_key(const char *key) {
    return make_key(std::string_view(key));
}

template <class Derived> node node_functions<Derived>::make_key(std::int64_t key) {
    return detail::made_by<node>(asdf_node_make_by_i64, base(), base_path(), key);
}

template <class Derived> node node_functions<Derived>::make_key(bool key) {
    return detail::made_by<node>(asdf_node_make_by_bool, base(), base_path(), key ? 1 : 0);
}

template <class Derived> node node_functions<Derived>::make_key(const key &key) {
    if (key.type == key_type::integer) return make_key(detail::integer_of(key));
    if (key.type == key_type::bool_) return make_key(key == "true");
    if (key.type == key_type::string) return make_key(std::string_view(key));
    throw error(ASDF_ERR_INVALID_ARGUMENT,
                "ASDF allows only strings, integers and booleans as keys, not '" + key + "'");
}

template <class Derived> template <class T> T node_functions<Derived>::get() const {
    if constexpr (detail::is_optional_v<T>) {
        if (!exists() || is_null()) return std::nullopt;
        return get<typename T::value_type>();
    } else if constexpr (detail::has_conversion<T>::value) {
        return conversion<T>::read(base(), base_path());
    } else if constexpr (std::is_same_v<T, asdf::array>) {
        return this->array();
    } else if constexpr (detail::is_map_v<T>) {
        return detail::get_map<T>(resolve());
    } else if constexpr (detail::is_fixed_v<T> || detail::is_growing_v<T>) {
        return detail::get_range<T>(resolve());
    } else {
        static_assert(detail::never<T>,
                      "get<T>() reads numbers, bool, std::complex, texts, times, containers and maps of "
                      "these, std::optional, asdf::node, asdf::array, and types with asdf::conversion");
    }
}

template <class Derived> node_iterator node_functions<Derived>::begin() const {
    return node_iterator(resolve(), 0);
}

template <class Derived> node_iterator node_functions<Derived>::end() const {
    return node_iterator(resolve(), size());
}

template <class Derived> node_items node_functions<Derived>::items() const {
    return node_items(resolve());
}

template <class Derived> template <class T> void node_functions<Derived>::append(const T &value) {
    if (!exists()) set_sequence();
    detail::append_value(base(), base_path(), size(), value);
}

template <class Derived> void node_functions<Derived>::set(const place &from) {
    copy(from.resolve(), nullptr);
}

template <class Derived> void node_functions<Derived>::copy_from(const place &from) {
    copy(from.resolve(), nullptr);
}

template <class Derived> void node_functions<Derived>::copy(const node &from, const asdf_options *options) {
    detail::check(asdf_node_copy(base(), base_path(), from.native_handle(), options));
}

template <class Derived>
void node_functions<Derived>::set_wcs_cutout(const node &from, const std::vector<std::int64_t> &start,
                                             const std::vector<std::int64_t> &count,
                                             const std::vector<std::int64_t> &step) {
    if (count.size() != start.size() || (!step.empty() && step.size() != start.size())) {
        throw error(ASDF_ERR_INVALID_ARGUMENT, "start, count and step of a region have different numbers of axes");
    }
    detail::check(asdf_node_set_wcs_cutout(base(), base_path(), from.native_handle(),
                                           static_cast<std::int32_t>(start.size()), start.data(), count.data(),
                                           step.empty() ? nullptr : step.data()));
}

template <class Derived> place node_functions<Derived>::insert(std::int64_t index) {
    detail::check(asdf_node_insert_item(base(), base_path(), index));
    return (*this)[index >= 0 ? index : size() - 1];
}

template <class Derived> place node_functions<Derived>::insert(const c_string &key, insert_position where) {
    return insert_key(key, where, nullptr);
}

template <class Derived>
place node_functions<Derived>::insert(const c_string &key, insert_position where, const c_string &neighbour) {
    return insert_key(key, where, neighbour.c_str());
}

template <class Derived>
place node_functions<Derived>::insert_key(const c_string &key, insert_position where, const char *neighbour) {
    detail::check(asdf_node_insert_key(base(), base_path(), key.c_str(), static_cast<std::int32_t>(where), neighbour));
    return (*this)["/" + escape(key.c_str())];
}

inline node coordinates::attribute(const c_string &name) const {
    return detail::made_by<node>(asdf_coordinates_attribute, handle_.get(), name.c_str());
}

/// Returns the node at a path of the C interface, for asdf::conversion.
inline node node_at(const asdf_node *from, const char *path) {
    return detail::made_by<node>(asdf_node_get, from, path);
}

/// Returns the place at a path of the C interface, for asdf::conversion.
inline place place_at(asdf_node *from, const char *path) {
    return place(detail::made_by<node>(asdf_node_retain, from), path);
}

namespace detail {

/// Returns the key of a pair as a type: a text, an integer or bool.
template <class Key> Key key_as(const key &key) {
    if constexpr (std::is_constructible_v<Key, const std::string &>) {
        return Key(static_cast<const std::string &>(key));
    } else if constexpr (std::is_same_v<Key, bool>) {
        if (key.type != key_type::bool_) throw error(ASDF_ERR_WRONG_TYPE, "the key '" + key + "' is not a bool");
        return key == "true";
    } else {
        static_assert(std::is_integral_v<Key>, "keys of a mapping are texts, integers or bool");
        if (key.type != key_type::integer) throw error(ASDF_ERR_WRONG_TYPE, "the key '" + key + "' is not an integer");
        const std::int64_t value = integer_of(key);
        if (static_cast<std::int64_t>(static_cast<Key>(value)) != value || (value < 0) != (static_cast<Key>(value) < 0))
            throw error(ASDF_ERR_VALUE_RANGE, "the key " + key + " does not fit the type of the keys");
        return static_cast<Key>(value);
    }
}

template <class Map> Map get_map(const node &from) {
    Map values;
    if (from.size() > 0 && !from.is_mapping()) {
        throw_at(from.native_handle(), "", ASDF_ERR_WRONG_TYPE, "the node is a sequence, not a mapping");
    }
    for (const item &pair : from.items()) {
        values.emplace(key_as<typename Map::key_type>(pair.key), pair.value.template get<typename Map::mapped_type>());
    }
    return values;
}

/// Fills nested ranges from the elements of an array, in C order. Returns the next element.
template <class Range, class Iterator>
Iterator fill_nested(Range &range, Iterator next, const shape &extents, std::size_t axis) {
    for (std::int64_t index = 0; index < extents[axis]; ++index) {
        if constexpr (is_growing_v<range_value<Range>> && !has_conversion<range_value<Range>>::value) {
            range_value<Range> inner;
            next = fill_nested(inner, next, extents, axis + 1);
            range.insert(range.end(), std::move(inner));
        } else {
            range.insert(range.end(), std::move(*next++));
        }
    }
    return next;
}

/// Reads an array into a range: all elements in C order, or nested ranges with its shape.
template <class Range> Range get_elements(const node &from) {
    using element = innermost<Range>;
    const asdf::array array = from.array();
    auto flat = array.read<element>();
    if constexpr (std::is_same_v<Range, decltype(flat)>) {
        return flat;
    } else if constexpr (depth_v<Range> == 1) {
        return Range(std::make_move_iterator(flat.begin()), std::make_move_iterator(flat.end()));
    } else {
        const shape extents = array.shape();
        if (extents.size() != depth_v<Range>) {
            throw_at(from.native_handle(), "", ASDF_ERR_WRONG_TYPE,
                     "the array has " + std::to_string(extents.size()) + " axes, but the containers are nested " +
                         std::to_string(depth_v<Range>) + " deep");
        }
        Range range;
        fill_nested(range, flat.begin(), extents, 0);
        return range;
    }
}

template <class Range> Range get_range(const node &from) {
    if constexpr (is_fixed_v<Range>) {
        const auto found = get_range<std::vector<range_value<Range>>>(from);
        Range values{};
        if (found.size() != std::size(values)) {
            throw_at(from.native_handle(), "", ASDF_ERR_WRONG_TYPE,
                     "the node has " + std::to_string(found.size()) + " elements, not " +
                         std::to_string(std::size(values)));
        }
        std::copy(found.begin(), found.end(), std::begin(values));
        return values;
    } else {
        const asdf::kind kind = from.kind();
        const bool is_list = kind == asdf::kind::sequence || kind == asdf::kind::number_list;
        if constexpr (is_readable_element_v<innermost<Range>>) {
            const bool has_array =
                kind == asdf::kind::array || kind == asdf::kind::quantity || kind == asdf::kind::column;
            if (has_array) return get_elements<Range>(kind == asdf::kind::column ? from.at("data") : from);
        }
        if (!is_list) {
            const std::string found = asdf_kind_name(static_cast<std::int32_t>(kind));
            throw_at(from.native_handle(), "", ASDF_ERR_WRONG_TYPE, "the node is a " + found + ", not a sequence");
        }
        Range values;
        for (const node &child : from) values.insert(values.end(), child.get<range_value<Range>>());
        return values;
    }
}

/// Appends the extents of nested ranges. Throws asdf::error if ranges of one depth have different lengths.
template <class Range> void add_extents(const Range &range, shape &extents, std::size_t axis) {
    const auto length = static_cast<std::int64_t>(std::distance(std::begin(range), std::end(range)));
    if (axis == extents.size()) {
        extents.push_back(length);
    } else if (extents[axis] != length) {
        throw error(ASDF_ERR_INVALID_ARGUMENT, "the ranges have different lengths, " + std::to_string(extents[axis]) +
                                                   " and " + std::to_string(length) +
                                                   ", and make no array; asdf::list makes a list of YAML of them");
    }
    if constexpr (!is_elements_v<Range>) {
        for (const auto &inner : range) add_extents(inner, extents, axis + 1);
        // Without inner ranges, their extents are 0.
        if (length == 0) extents.resize(axis + depth_v<Range>, 0);
    }
}

template <class Range, class T> void append_elements(const Range &range, std::vector<T> &all) {
    if constexpr (is_elements_v<Range>) {
        all.insert(all.end(), std::begin(range), std::end(range));
    } else {
        for (const auto &inner : range) append_elements(inner, all);
    }
}

template <class Derived>
template <class Container>
void node_arrays<Derived>::set_optionals(const Container &elements, const extents &shape,
                                         const array_options &options) {
    using value = without_optional<iterated_element<Container>>;
    if (options.strides) throw error(ASDF_ERR_INVALID_ARGUMENT, "elements of std::optional have no strides");
    std::vector<value> values;
    std::vector<bool> missing;
    values.reserve(std::size(elements));
    missing.reserve(std::size(elements));
    bool any_missing = false;
    for (const std::optional<value> &element : elements) {
        values.push_back(element ? *element : value());
        missing.push_back(!element);
        any_missing = any_missing || !element;
    }
    // A mask that stays from an earlier array is replaced, too.
    const bool needs_mask = any_missing || options.keep.value_or(false);
    if (!needs_mask || shape.product() != static_cast<std::int64_t>(values.size())) {
        set<std::vector<value>>(values, shape, options);
        return;
    }
    // A path that ends with "-" appends an item, which the array and its mask share.
    const asdf::node made = made_by<asdf::node>(asdf_node_make, base(), base_path());
    place at = place_at(made.native_handle(), "");
    at.template set<std::vector<value>>(values, shape, options);
    // The mask is compressed as the elements are.
    array_options of_mask;
    of_mask.order = options.order;
    of_mask.codec = options.codec;
    of_mask.level = options.level;
    of_mask.threads = options.threads;
    at["mask"].template set<std::vector<bool>>(missing, shape, of_mask);
}

template <bool as_lists, class T> void set_value(asdf_node *node, const char *path, const T &value) {
    if constexpr (std::is_same_v<T, std::nullptr_t>) {
        check(asdf_node_set_null(node, path));
    } else if constexpr (is_optional_v<T>) {
        if (value) return set_value<as_lists>(node, path, *value);
        check(asdf_node_set_null(node, path));
    } else if constexpr (std::is_convertible_v<const T &, std::string_view>) {
        conversion<std::string>::write(node, path, value);
    } else if constexpr (has_conversion<T>::value) {
        conversion<T>::write(node, path, value);
    } else if constexpr (is_named_list<T>::value) {
        set_value<true>(node, path, value.values);
    } else if constexpr (is_map_v<T>) {
        check(asdf_node_set_mapping(node, path, 0));
        place mapping = place_at(node, path);
        for (const auto &[key, element] : value) {
            asdf::node made;
            if constexpr (std::is_convertible_v<decltype(key), std::string_view>)
                made = mapping.make_key(std::string_view(key));
            else if constexpr (std::is_same_v<std::decay_t<decltype(key)>, bool>)
                made = mapping.make_key(key);
            else
                made = mapping.make_key(checked_int64(key));
            set_value<as_lists>(made.native_handle(), "", element);
        }
    } else if constexpr (is_elements_v<T> && !as_lists) {
        const auto count = static_cast<std::int64_t>(std::size(value));
        place at = place_at(node, path);
        if constexpr (std::is_array_v<T> && !is_optional_v<range_value<T>>)
            at.set(std::data(value), std::size(value), {count});
        else
            at.template set<T>(value, extents(count));
    } else if constexpr (is_nested_elements_v<T> && !as_lists) {
        shape extents;
        add_extents(value, extents, 0);
        std::vector<innermost<T>> all;
        append_elements(value, all);
        place_at(node, path).set(std::move(all), extents);
    } else if constexpr (is_range_v<T>) {
        // Numbers and bool values fit on one line; texts and collections get a line each.
        using element = range_value<T>;
        check(asdf_node_set_sequence(node, path, std::is_arithmetic_v<element> ? 1 : 0));
        std::int64_t index = 0;
        for (const element &each : value) append_value<as_lists, element>(node, path, index++, each);
    } else {
        static_assert(never<T>, "a node takes numbers, bool, std::complex, texts, times, ranges and maps of these, "
                                "std::optional, nullptr, nodes, tables, and types with asdf::conversion");
    }
}

} // namespace detail

/// Points in time of the system clock: a time of the standard, or a timestamp.
template <class Duration> struct conversion<std::chrono::time_point<std::chrono::system_clock, Duration>> {
    using point = std::chrono::time_point<std::chrono::system_clock, Duration>;

    static point read(const asdf_node *node, const char *path) {
        const std::vector<asdf::time_point> points = node_at(node, path).times().time_points();
        if (points.size() != 1) {
            detail::throw_at(node, path, ASDF_ERR_WRONG_TYPE,
                             "the node has " + std::to_string(points.size()) + " times, not one");
        }
        return std::chrono::time_point_cast<Duration>(points.front());
    }
    static void write(asdf_node *node, const char *path, const point &value) {
        const std::int64_t since = detail::checked_nanoseconds(value.time_since_epoch());
        place_at(node, path).set_times(asdf::times(asdf::time_point(std::chrono::nanoseconds(since))));
    }
};

/// Durations: a quantity in seconds, or in another unit of time.
template <class Rep, class Period> struct conversion<std::chrono::duration<Rep, Period>> {
    using duration = std::chrono::duration<Rep, Period>;
    using seconds = std::chrono::duration<double>;

    static duration read(const asdf_node *node, const char *path) {
        const seconds found(node_at(node, path).number_in(unit("s")));
        if constexpr (std::is_floating_point_v<Rep>) {
            return std::chrono::duration_cast<duration>(found);
        } else {
            const auto count = std::chrono::duration<double, Period>(found).count();
            const double nearest = count < 0 ? count - 0.5 : count + 0.5;
            if (!(nearest > -9.2e18 && nearest < 9.2e18))
                detail::throw_at(node, path, ASDF_ERR_VALUE_RANGE, "the duration does not fit its type");
            return duration(static_cast<Rep>(nearest));
        }
    }
    static void write(asdf_node *node, const char *path, const duration &value) {
        place at = place_at(node, path);
        at.set_mapping();
        at["value"] = seconds(value).count();
        at.set_quantity("s");
    }
};

} // namespace asdf
