// asdf::ndl_builder: makes a description from groups, dimension coordinates, arrays and attributes.
#pragma once

#include "datatype.hpp"
#include "elements.hpp"
#include "error.hpp"
#include "extents.hpp"
#include "handle.hpp"
#include "ndl.hpp"
#include "ndl_place.hpp"
#include "options.hpp"

#include <asdf.h>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace asdf {

/// A dimension of an array in a description: its extent, or its dimension coordinate.
///
///     builder.add_ndarray("/wind", {"time", 3}, "float32");   // along the coordinate /time, and 3 elements
class ndl_dimension {
  public:
    /// Makes a dimension of so many elements.
    template <class Integer, class = std::enable_if_t<std::is_integral_v<Integer>>>
    ndl_dimension(Integer extent) : extent_(detail::checked_int64(extent)) {}
    /// Makes a dimension along a dimension coordinate: its path name, its name (searched in the group of the array and
    /// in the parent groups) or a relative path.
    ndl_dimension(std::string coordinate) : coordinate_(std::move(coordinate)) {}
    /// Makes a dimension along a dimension coordinate.
    ndl_dimension(const char *coordinate) : coordinate_(coordinate) {}

    /// Makes a dimension without a limit.
    static ndl_dimension unlimited() {
        return ndl_dimension(-1);
    }

    /// Returns the number of elements, -1 if unlimited or given by a dimension coordinate.
    std::int64_t extent() const noexcept {
        return extent_;
    }
    /// Returns the dimension coordinate; NULL for none.
    const char *coordinate_or_null() const noexcept {
        return coordinate_ ? coordinate_->c_str() : nullptr;
    }

  private:
    std::int64_t extent_ = -1;
    std::optional<std::string> coordinate_;
};

/// Collects the content of a description. Each call checks its arguments, and changes nothing if it fails. Errors that
/// only the whole description can have, such as an unknown dimension coordinate, are diagnostics of the description
/// that finish() returns.
///
/// Datatypes, storage directives and values are passed in NDL notation: "float32", "{array: {base: float32, shape: [3,
/// 3]}}", "[shuffle, {deflate: {level: 5}}]". A builder moves and does not copy; one thread at a time may use it.
///
///     asdf::ndl_builder builder;
///     builder.add_dimcoord("/time", std::nullopt, "float64");
///     builder.add_ndarray("/wind", {"time", 3}, "float32");
///     builder.set_attribute("/wind", "units", "m/s");
///     builder.set_storage("/wind", "chunk", "[512, 3]");
///     builder.finish().write("model.yaml");
class ndl_builder {
  public:
    using handle_type = detail::unique_handle<asdf_ndl_builder, asdf_ndl_builder_free>;

    /// Starts from an empty description.
    ndl_builder() {
        detail::check(asdf_ndl_builder_new(nullptr, handle_.out()));
    }

    /// Starts from a description, which stays unchanged.
    explicit ndl_builder(const ndl &from) {
        detail::check(asdf_ndl_builder_new(from.native_handle(), handle_.out()));
    }

    /// Returns the handle of the C interface, which this object keeps.
    asdf_ndl_builder *native_handle() const noexcept {
        return handle_.get();
    }

    /// Adds a group; an existing one stays unchanged. Parent groups of other objects need not be added.
    ndl_builder &add_group(const c_string &path) {
        detail::check(asdf_ndl_builder_add_group(native_handle(), path.c_str()));
        return *this;
    }

    /// Adds a dimension coordinate. `extent` is its number of elements, at least 1, or std::nullopt if it is unlimited.
    /// Without a datatype, the description gets a warning.
    ndl_builder &add_dimcoord(const c_string &path, std::optional<std::int64_t> extent,
                              const std::optional<std::string> &datatype = std::nullopt) {
        detail::check(asdf_ndl_builder_add_dimcoord(native_handle(), path.c_str(), extent.value_or(-1),
                                                    datatype ? datatype->c_str() : nullptr));
        return *this;
    }

    /// Adds an array. Without a datatype, the description gets a warning.
    ndl_builder &add_ndarray(const c_string &path, const std::vector<ndl_dimension> &dimensions,
                             const std::optional<std::string> &datatype = std::nullopt) {
        const split_dimensions split(dimensions);
        detail::check(asdf_ndl_builder_add_ndarray(native_handle(), path.c_str(), split.rank(), split.extents.data(),
                                                   split.coordinates.data(), datatype ? datatype->c_str() : nullptr));
        return *this;
    }

    /// Changes the size of a dimension coordinate; std::nullopt if it is unlimited.
    ndl_builder &set_size(const c_string &path, std::optional<std::int64_t> extent) {
        detail::check(asdf_ndl_builder_set_size(native_handle(), path.c_str(), extent.value_or(-1)));
        return *this;
    }

    /// Changes the shape of an array.
    ndl_builder &set_shape(const c_string &path, const std::vector<ndl_dimension> &dimensions) {
        const split_dimensions split(dimensions);
        detail::check(asdf_ndl_builder_set_shape(native_handle(), path.c_str(), split.rank(), split.extents.data(),
                                                 split.coordinates.data()));
        return *this;
    }

    /// Changes the datatype. Throws ASDF_ERR_INVALID_ARGUMENT if the place still has values or a fill value.
    ndl_builder &set_datatype(const ndl_place &place, const c_string &datatype) {
        detail::check(asdf_ndl_builder_set_datatype(native_handle(), place.path.c_str(), place.attribute_or_null(),
                                                    datatype.c_str()));
        return *this;
    }

    /// Sets an attribute to a text, an integer (int32 if the value fits, otherwise int64; std::uint64_t must fit
    /// std::int64_t) or a float64. It replaces an existing attribute of the name.
    template <class T> ndl_builder &set_attribute(const c_string &path, const c_string &name, const T &value) {
        if constexpr (std::is_convertible_v<const T &, std::string_view>) {
            const std::string_view text = value;
            detail::check(asdf_ndl_builder_set_attribute_string(native_handle(), path.c_str(), name.c_str(),
                                                                text.data(), text.size()));
        } else if constexpr (std::is_integral_v<T>) {
            static_assert(!std::is_same_v<T, bool>, "NDL has no truth values; pass a number");
            detail::check(asdf_ndl_builder_set_attribute_i64(native_handle(), path.c_str(), name.c_str(),
                                                             detail::checked_int64(value)));
        } else {
            static_assert(std::is_floating_point_v<T> && sizeof(T) <= sizeof(double),
                          "an attribute is a text, an integer or a double; declare_attribute() takes other datatypes");
            detail::check(asdf_ndl_builder_set_attribute_f64(native_handle(), path.c_str(), name.c_str(), value));
        }
        return *this;
    }

    /// Sets an attribute of any shape and datatype, without a value; it replaces an existing one of the name. Set its
    /// value afterwards: without one, the description has an error.
    ndl_builder &declare_attribute(const c_string &path, const c_string &name, const extents &lengths,
                                   const c_string &datatype) {
        detail::check(asdf_ndl_builder_set_attribute(native_handle(), path.c_str(), name.c_str(), lengths.rank(),
                                                     lengths.data(), datatype.c_str()));
        return *this;
    }

    /// Sets the values from a contiguous container of numbers (also of enum constants, or opaque bytes) or of texts
    /// (also names of enum constants, or path names of object references, "" for none), in C order.
    ///
    /// `lengths` is the number of values along each dimension, slowest axis first; by default the container is a list
    /// of one dimension. An array datatype appends its extents to those of the values; opaque bytes append one extent,
    /// their size. Numbers are converted with the rules of arrays. Throws ASDF_ERR_INVALID_ARGUMENT if the extents do
    /// not match the shape, and ASDF_ERR_VALUE_RANGE if a value is no constant of its enum.
    template <class Values>
    ndl_builder &set_values(const ndl_place &place, const Values &values,
                            const std::optional<extents> &lengths = std::nullopt, const column_options &options = {});

    /// Sets the values in NDL notation: "[[1, 2], [3, 4]]", "{target: /image, start: [0, 0], opposite: [9, 9]}". Throws
    /// ASDF_ERR_YAML if the text is not YAML, and ASDF_ERR_WRONG_TYPE, ASDF_ERR_VALUE_RANGE or
    /// ASDF_ERR_INVALID_ARGUMENT if it does not fit datatype and shape.
    ndl_builder &set_notation(const ndl_place &place, std::string_view value) {
        return set_value(place, value.data() ? value : std::string_view(""));
    }

    /// Removes the values of a place.
    ndl_builder &remove_values(const ndl_place &place) {
        return set_value(place, std::string_view());
    }

    /// Sets a storage directive in NDL notation; std::nullopt removes it. The directive is "shape" or "size" (stored
    /// extents), "chunk", "filter", "endian", "charset", "fillvalue", or a key that begins with "x-".
    ndl_builder &set_storage(const ndl_place &place, const c_string &directive,
                             const std::optional<std::string> &text) {
        detail::check(asdf_ndl_builder_set_storage(native_handle(), place.path.c_str(), place.attribute_or_null(),
                                                   directive.c_str(), text ? text->data() : nullptr,
                                                   text ? text->size() : 0));
        return *this;
    }

    /// Sets the content of an extension key, "x-...", which NDL keeps and ignores: one YAML document. std::nullopt
    /// removes it. The place std::nullopt is the description itself.
    ndl_builder &set_extension(const std::optional<ndl_place> &place, const c_string &key,
                               const std::optional<std::string> &text) {
        detail::check(asdf_ndl_builder_set_extension(native_handle(), place ? place->path.c_str() : nullptr,
                                                     place ? place->attribute_or_null() : nullptr, key.c_str(),
                                                     text ? text->data() : nullptr, text ? text->size() : 0));
        return *this;
    }

    /// Removes an attribute, an array, a dimension coordinate, or a group with its content. Throws
    /// ASDF_ERR_INVALID_ARGUMENT for the root.
    ndl_builder &remove(const ndl_place &place) {
        detail::check(asdf_ndl_builder_remove(native_handle(), place.path.c_str(), place.attribute_or_null()));
        return *this;
    }

    /// Makes a description from the current content; the builder can be used further. ndl::is_valid() and ndl::report()
    /// return its errors and warnings, which have no lines and columns.
    ndl finish(const read_ndl_options &options = {}) const {
        return detail::made_by<ndl>(asdf_ndl_builder_finish, native_handle(), detail::make_options(options).get());
    }

  private:
    struct split_dimensions {
        explicit split_dimensions(const std::vector<ndl_dimension> &dimensions) {
            for (const ndl_dimension &dimension : dimensions) {
                extents.push_back(dimension.extent());
                coordinates.push_back(dimension.coordinate_or_null());
            }
        }
        std::int32_t rank() const noexcept {
            return static_cast<std::int32_t>(extents.size());
        }

        std::vector<std::int64_t> extents;
        std::vector<const char *> coordinates;
    };

    ndl_builder &set_value(const ndl_place &place, std::string_view value) {
        detail::check(asdf_ndl_builder_set_value(native_handle(), place.path.c_str(), place.attribute_or_null(),
                                                 value.data(), value.size()));
        return *this;
    }

    handle_type handle_;
};

template <class Values>
ndl_builder &ndl_builder::set_values(const ndl_place &place, const Values &values,
                                     const std::optional<extents> &lengths, const column_options &options) {
    using element = typename detail::entry_of<Values>::type;
    const extents counts = lengths.value_or(extents(std::size(values)));
    if constexpr (std::is_convertible_v<element, std::string_view>) {
        detail::packed_texts texts;
        for (const auto &value : values) {
            const std::string_view text = value;
            texts.add(&text);
        }
        detail::check(asdf_ndl_builder_set_texts(native_handle(), place.path.c_str(), place.attribute_or_null(),
                                                 counts.rank(), counts.data(), texts.bytes.data(), texts.bytes.size(),
                                                 texts.offsets.data(),
                                                 static_cast<std::int64_t>(texts.offsets.size())));
    } else {
        detail::check(asdf_ndl_builder_set_values(native_handle(), place.path.c_str(), place.attribute_or_null(),
                                                  detail::scalar_code_v<element>, counts.rank(), counts.data(),
                                                  std::data(values), std::size(values) * sizeof(element),
                                                  detail::make_options(options).get()));
    }
    return *this;
}

} // namespace asdf
