// Nodes of a tree: looking up, reading values, walking, setting and changing.
#pragma once

#include "array.hpp"
#include "enumerations.hpp"
#include "extents.hpp"
#include "handle.hpp"
#include "node_arrays.hpp"
#include "node_tables.hpp"
#include "options.hpp"
#include "text.hpp"
#include "value.hpp"

#include <asdf.h>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace asdf {

class node;
class place;
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

/// Position of a node in its file; -1 if the node was not read from a file.
struct position {
    std::int64_t offset = -1; ///< offset in bytes from the start of the file
    std::int64_t line = -1;   ///< line of the file, from 1
    std::int64_t column = -1; ///< column in characters, from 1
};

namespace detail {

using node_handle = handle<asdf_node, asdf_node_retain, asdf_node_free>;

/// Joins two paths.
inline std::string join(std::string_view path, std::string_view rest) {
    if (path.empty() || rest.empty()) return std::string(path.empty() ? rest : path);
    std::string joined(path);
    if (rest.front() != '/') joined += '/';
    return joined.append(rest);
}

template <class T> struct is_list : std::false_type {};
template <class T> struct is_list<std::vector<T>> : std::bool_constant<!std::is_same_v<T, std::byte>> {};
template <class T> struct is_map : std::false_type {};
template <class T> struct is_map<std::map<std::string, T>> : std::true_type {};

/// Sets a value of any type that nodes can have. T may be convertible to std::string_view.
template <class T> void set_value(asdf_node *node, const char *path, const T &value);

/// Appends a value to a sequence that has `size` items.
template <class T> void append_value(asdf_node *node, const char *path, std::int64_t size, const T &value) {
    // A value that takes several calls needs a path that stays the same.
    check(asdf_node_insert_item(node, path, -1));
    set_value(node, join(path, std::to_string(size)).c_str(), value);
}

} // namespace detail

/// What asdf::node and asdf::place have in common. The functions throw asdf::error; its status is ASDF_ERR_NOT_FOUND if
/// nothing exists at the path.
template <class Derived>
class node_functions : public detail::node_arrays<Derived>, public detail::node_tables<Derived> {
  public:
    // Looking up --------------------------------------------------------------------------------------------------

    /// Returns the place at a path below this node. Nothing is looked up before the place is used.
    place operator[](const c_string &path) const;

    /// Returns the place at an index of a sequence.
    template <class Integer, class = std::enable_if_t<std::is_integral_v<Integer>>>
    place operator[](Integer index) const;

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

    // Reading -----------------------------------------------------------------------------------------------------

    /// Reads the value. T is one of:
    ///
    /// - bool, integers and floating-point numbers: ASDF_ERR_VALUE_RANGE if the value does not fit
    /// - std::complex, std::string, std::vector<std::byte> (binary), asdf::timestamp, asdf::big_integer
    /// - std::vector<T> of a sequence, std::map<std::string, T> of a mapping
    /// - std::optional<T>: std::nullopt if nothing exists here, or null
    /// - a type with asdf::conversion
    ///
    /// A value of another type is ASDF_ERR_WRONG_TYPE. Numbers can also be read from quantities.
    template <class T> T get() const;

    /// Reads the value; returns `otherwise` if nothing exists here. A value of another type is an error.
    template <class T> T value_or(T otherwise) const {
        return exists() ? get<T>() : std::move(otherwise);
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

    /// Returns the URI of a JSON reference; empty if the node is not a reference.
    std::string reference() const {
        return text_of(asdf_node_reference);
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

    /// Sets a value of a type that get() reads, a text, or nullptr for null. Numbers in a std::vector or std::map are
    /// text in the tree; see set() with a shape for arrays. A std::optional without a value is null.
    template <class T> void set(const T &value) {
        detail::set_value(base(), base_path(), value);
    }
    template <class T> void set(std::initializer_list<T> values) {
        set(std::vector<T>(values));
    }

    /// Sets a copy of a node with all its children, from this or another file. Blocks of its arrays are copied as they
    /// are stored; with options, they are stored accordingly.
    void set(const node &from) {
        copy(from, nullptr);
    }
    void set(const place &from);
    void set(const node &from, const store_options &options) {
        const detail::option_handle handle = detail::make_options(options);
        copy(from, handle.get());
    }

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

    /// Sets the tag: a full tag, or "!" and the short form of a tag of the standard, as in "!unit/unit-1.0.0".
    void set_tag(const c_string &tag) {
        detail::check(asdf_node_set_tag(base(), base_path(), tag.c_str()));
    }

    /// Removes the tag.
    void remove_tag() {
        detail::check(asdf_node_set_tag(base(), base_path(), nullptr));
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
        return detail::read_text([&](char *buffer, std::size_t capacity, std::size_t *needed) {
            return call(base(), base_path(), buffer, capacity, needed);
        });
    }

    void copy(const node &from, const asdf_options *options);
    place insert_key(const c_string &key, insert_position where, const char *neighbour);
};

/// Node in the tree of a file. It keeps the file alive, and stays the same node if it is renamed or moved; after an
/// edit has removed it, its use is ASDF_ERR_STALE. A copy is one more owner.
class node : public node_functions<node> {
  public:
    using handle_type = detail::node_handle;

    /// Takes over a handle of the C interface.
    explicit node(asdf_node *owned) noexcept : handle_(owned) {}

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
/// Assigning to a place sets its value, also if the assigned value is another place or a node: its content is copied.
/// Convert a place to asdf::node to keep the node that is there now.
class place : public node_functions<place> {
  public:
    /// Makes the place at a path from a node.
    place(node from, std::string path) : from_(std::move(from)), path_(std::move(path)) {}

    place(const place &) = default;
    place(place &&) noexcept = default;
    ~place() = default;

    /// Sets a value; see set().
    template <class T> place &operator=(const T &value) {
        set(value);
        return *this;
    }
    template <class T> place &operator=(std::initializer_list<T> values) {
        set(values);
        return *this;
    }
    place &operator=(const place &other) {
        if (this != &other) set(other);
        return *this;
    }
    // A place that is moved from keeps its content, which is in a file.
    place &operator=(place &&other) {
        return *this = static_cast<const place &>(other);
    }

    /// Moves the key of this node to another one of the same mapping.
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

/// Pair of a mapping, or item of a sequence with its index as key. A key that is not text is written as text: "17",
/// "true"; node_functions::key_type() tells them apart.
struct item {
    std::string key;
    node value;
};

/// Input iterator over the items of a sequence or the values of a mapping.
class node_iterator {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = node;
    using difference_type = std::ptrdiff_t;
    using pointer = const node *;
    using reference = node;

    node_iterator(node parent, std::int64_t index) : parent_(std::move(parent)), index_(index) {}

    node operator*() const {
        return detail::made_by<node>(
            [&](asdf_node **made) { return asdf_node_item(parent_.native_handle(), "", index_, made); });
    }
    node_iterator &operator++() {
        ++index_;
        return *this;
    }
    node_iterator operator++(int) {
        return node_iterator(parent_, index_++);
    }
    friend bool operator==(const node_iterator &a, const node_iterator &b) {
        return a.index_ == b.index_;
    }
    friend bool operator!=(const node_iterator &a, const node_iterator &b) {
        return a.index_ != b.index_;
    }

  protected:
    node parent_;
    std::int64_t index_;
};

/// Pairs of key and node of a mapping or sequence.
class node_items {
  public:
    /// Input iterator over the pairs.
    class iterator : public node_iterator {
      public:
        using value_type = item;
        using pointer = const item *;
        using reference = item;

        iterator(node parent, std::int64_t index, bool has_keys)
            : node_iterator(std::move(parent), index), has_keys_(has_keys) {}

        item operator*() const {
            if (!has_keys_) return {std::to_string(index_), node_iterator::operator*()};
            std::string key = detail::read_text([this](char *buffer, std::size_t capacity, std::size_t *needed) {
                return asdf_node_key_string(parent_.native_handle(), "", index_, buffer, capacity, needed);
            });
            return {std::move(key), node_iterator::operator*()};
        }
        iterator &operator++() {
            ++index_;
            return *this;
        }
        iterator operator++(int) {
            return iterator(parent_, index_++, has_keys_);
        }

      private:
        bool has_keys_;
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

template <class Derived> place node_functions<Derived>::operator[](const c_string &path) const {
    const Derived &self = static_cast<const Derived &>(*this);
    if constexpr (std::is_same_v<Derived, place>) {
        return place(self.from_, detail::join(base_path(), path.c_str()));
    } else {
        return place(self, path.c_str());
    }
}

template <class Derived>
template <class Integer, class>
place node_functions<Derived>::operator[](Integer index) const {
    return (*this)[std::to_string(index)];
}

template <class Derived> node node_functions<Derived>::resolve() const {
    return at("");
}

template <class Derived> node node_functions<Derived>::at(const c_string &path) const {
    return detail::made_by<node>(
        [&](asdf_node **made) { return asdf_node_get(base(), detail::join(base_path(), path.c_str()).c_str(), made); });
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
    return detail::made_by<node>(
        [&](asdf_node **made) { return asdf_node_get_by_string(base(), base_path(), key.data(), key.size(), made); });
}

template <class Derived> node node_functions<Derived>::at_key(const char *key) const {
    return at_key(std::string_view(key));
}

template <class Derived> node node_functions<Derived>::at_key(std::int64_t key) const {
    return detail::made_by<node>(
        [&](asdf_node **made) { return asdf_node_get_by_i64(base(), base_path(), key, made); });
}

template <class Derived> node node_functions<Derived>::at_key(bool key) const {
    return detail::made_by<node>(
        [&](asdf_node **made) { return asdf_node_get_by_bool(base(), base_path(), key ? 1 : 0, made); });
}

template <class Derived> template <class T> T node_functions<Derived>::get() const {
    if constexpr (detail::is_optional<T>::value) {
        if (!exists() || is_null()) return std::nullopt;
        return get<typename T::value_type>();
    } else if constexpr (detail::is_list<T>::value) {
        T values;
        values.reserve(static_cast<std::size_t>(size()));
        if (!is_sequence()) {
            detail::throw_at(base(), base_path(), ASDF_ERR_WRONG_TYPE, "the node is a mapping, not a sequence");
        }
        for (const node &child : *this) values.push_back(child.template get<typename T::value_type>());
        return values;
    } else if constexpr (detail::is_map<T>::value) {
        T values;
        if (size() > 0 && !is_mapping()) {
            detail::throw_at(base(), base_path(), ASDF_ERR_WRONG_TYPE, "the node is a sequence, not a mapping");
        }
        for (const item &pair : items()) {
            values.emplace(pair.key, pair.value.template get<typename T::mapped_type>());
        }
        return values;
    } else if constexpr (std::is_same_v<T, node>) {
        return resolve();
    } else if constexpr (std::is_same_v<T, array>) {
        return this->array();
    } else {
        return conversion<T>::read(base(), base_path());
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

template <class Derived> void node_functions<Derived>::copy(const node &from, const asdf_options *options) {
    detail::check(asdf_node_copy(base(), base_path(), from.native_handle(), options));
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
    return (*this)[escape(key.c_str())];
}

template <class T> void detail::set_value(asdf_node *node, const char *path, const T &value) {
    if constexpr (std::is_same_v<T, std::nullptr_t>) {
        check(asdf_node_set_null(node, path));
    } else if constexpr (is_optional<T>::value) {
        if (value) return set_value(node, path, *value);
        check(asdf_node_set_null(node, path));
    } else if constexpr (is_list<T>::value) {
        // Numbers and bool values fit on one line; texts and collections get a line each.
        using element = typename T::value_type;
        check(asdf_node_set_sequence(node, path, std::is_arithmetic_v<element> ? 1 : 0));
        std::int64_t index = 0;
        for (const auto &value_of_index : value) {
            append_value<element>(node, path, index++, value_of_index);
        }
    } else if constexpr (is_map<T>::value) {
        check(asdf_node_set_mapping(node, path, 0));
        for (const auto &[key, element] : value) set_value(node, join(path, escape(key)).c_str(), element);
    } else if constexpr (std::is_convertible_v<const T &, std::string_view>) {
        conversion<std::string>::write(node, path, value);
    } else {
        conversion<T>::write(node, path, value);
    }
}

} // namespace asdf
