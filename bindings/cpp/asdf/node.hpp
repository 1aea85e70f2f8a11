// Nodes of a tree and places in it: asdf::node, asdf::place, and iteration over their items.
#pragma once

#include "index_iterator.hpp"
#include "node_functions.hpp"

#include <asdf.h>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
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

/// Key of a mapping with its type: a text that is taken literally and not as a path. An integer or a truth value has
/// the text "17", "true".
struct key : std::string {
    asdf::key_type type = asdf::key_type::string; ///< type in the file
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

template <class Derived> place node_functions<Derived>::operator[](const key &key) const {
    if (key.type == key_type::string) return (*this)["/" + escape(key)];
    return place(at_key(key), "");
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
        for (const auto &[key, element] : value) set_value(node, join(path, "/" + escape(key)).c_str(), element);
    } else if constexpr (std::is_convertible_v<const T &, std::string_view>) {
        conversion<std::string>::write(node, path, value);
    } else {
        conversion<T>::write(node, path, value);
    }
}

} // namespace asdf
