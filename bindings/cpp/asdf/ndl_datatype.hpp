// asdf::ndl_datatype: the datatype of elements in a description, with all nested types.
#pragma once

#include "datatype.hpp"
#include "error.hpp"
#include "handle.hpp"
#include "results.hpp"
#include "text.hpp"

#include <asdf.h>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace asdf {

/// Datatype of the elements of an array, a dimension coordinate or an attribute in a description: a scalar, a compound
/// of members, an enum of constants, an array or a vlen of a base, nested to any depth.
///
/// A datatype never changes and does not depend on other objects; copies share it. Functions that do not fit the kind
/// of the datatype throw ASDF_ERR_WRONG_TYPE.
class ndl_datatype {
  public:
    using handle_type = detail::handle<asdf_ndl_datatype, asdf_ndl_datatype_retain, asdf_ndl_datatype_free>;

    /// Takes over a handle of the C interface.
    explicit ndl_datatype(asdf_ndl_datatype *owned) noexcept : handle_(owned) {}

    /// Returns the handle of the C interface, which this object keeps.
    const asdf_ndl_datatype *native_handle() const noexcept {
        return handle_.get();
    }

    /// Returns the keyword: "string", "int8" to "uint64", "float32", "float64", "objref", "opaque", "enum", "regref",
    /// "compound", "vlen" or "array".
    std::string keyword() const {
        return text(asdf_ndl_datatype_keyword);
    }

    /// Returns the NDL notation on one line, such as "{array: {base: float32, shape: [3, 3]}}".
    std::string notation() const {
        return text(asdf_ndl_datatype_text);
    }

    /// Returns the size of one element in bytes, without padding; std::nullopt if elements have no fixed size.
    std::optional<std::int64_t> element_size() const {
        std::int64_t size = -1;
        detail::check(asdf_ndl_datatype_element_size(native_handle(), &size));
        return detail::known(size);
    }

    /// Returns the members of a compound in document order: name and datatype.
    std::vector<std::pair<std::string, ndl_datatype>> members() const {
        std::vector<std::pair<std::string, ndl_datatype>> all;
        for (std::int64_t i = 0, count = member_count(); i < count; i++) {
            all.emplace_back(member_name(i),
                             detail::made_by<ndl_datatype>(asdf_ndl_datatype_member, native_handle(), i));
        }
        return all;
    }

    /// Returns the constants of an enum in document order: name and number. T is std::int64_t, or std::uint64_t for an
    /// enum with an unsigned base. Throws ASDF_ERR_VALUE_RANGE if a number does not fit.
    template <class T = std::int64_t> std::vector<std::pair<std::string, T>> constants() const {
        static_assert(std::is_same_v<T, std::int64_t> || std::is_same_v<T, std::uint64_t>,
                      "constants are read as std::int64_t or std::uint64_t");
        std::vector<std::pair<std::string, T>> all;
        for (std::int64_t i = 0, count = member_count(); i < count; i++) {
            T number = 0;
            if constexpr (std::is_signed_v<T>)
                detail::check(asdf_ndl_datatype_constant_i64(native_handle(), i, &number));
            else
                detail::check(asdf_ndl_datatype_constant_u64(native_handle(), i, &number));
            all.emplace_back(member_name(i), number);
        }
        return all;
    }

    /// Returns the datatype of the elements of an array or a vlen, or of the constants of an enum.
    ndl_datatype base() const {
        return detail::made_by<ndl_datatype>(asdf_ndl_datatype_base, native_handle());
    }

    /// Returns the shape of an array datatype, slowest axis first.
    std::vector<std::int64_t> shape() const {
        return detail::read_extents([this](std::int64_t *extents, std::int32_t capacity, std::int32_t *rank) {
            return asdf_ndl_datatype_shape(native_handle(), extents, capacity, rank);
        });
    }

    /// Returns the tag of opaque bytes, such as a media type; std::nullopt if there is none.
    std::optional<std::string> tag() const {
        return detail::if_found([this] { return text(asdf_ndl_datatype_tag); });
    }

    /// Returns the selection of a region reference: "block" or "element".
    std::string selection() const {
        return text(asdf_ndl_datatype_selection);
    }

  private:
    using getter = asdf_status(const asdf_ndl_datatype *, char *, std::size_t, std::size_t *);

    std::string text(getter *get_text) const {
        return detail::read_text(get_text, native_handle());
    }

    std::int64_t member_count() const {
        std::int64_t count = 0;
        detail::check(asdf_ndl_datatype_member_count(native_handle(), &count));
        return count;
    }

    std::string member_name(std::int64_t index) const {
        return detail::read_text(asdf_ndl_datatype_member_name, native_handle(), index);
    }

    handle_type handle_;
};

} // namespace asdf
