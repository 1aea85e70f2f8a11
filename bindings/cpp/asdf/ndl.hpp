// asdf::ndl: a description in the Ndarray Data Language (NDL), read from a text or made from an ASDF file: its content,
// its values, its comparison with others, and the texts and files that are written from it.
#pragma once

#include "buffer.hpp"
#include "datatype.hpp"
#include "elements.hpp"
#include "enumerations.hpp"
#include "error.hpp"
#include "file.hpp"
#include "handle.hpp"
#include "ndl_datatype.hpp"
#include "ndl_place.hpp"
#include "options.hpp"
#include "record.hpp"
#include "report.hpp"
#include "text.hpp"

#include <asdf.h>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace asdf {

/// The size of an array or a dimension coordinate.
struct ndl_size {
    std::optional<std::int64_t> elements;      ///< Number of stored elements; std::nullopt if unknown.
    std::optional<std::int64_t> element_bytes; ///< Bytes of an element; std::nullopt if it differs between elements.
    std::optional<std::int64_t> bytes;         ///< Bytes of all elements; std::nullopt if unknown.
};

/// The size of all arrays and dimension coordinates of a description.
struct ndl_total_size {
    std::int64_t bytes;   ///< Sum of all known sizes in bytes.
    std::int64_t unknown; ///< Number of arrays and dimension coordinates of unknown size.
};

/// A description of groups, arrays, dimension coordinates and attributes. It never changes and does not depend on other
/// objects; copies share it.
///
/// Reading succeeds if the text is YAML. report() lists errors and irregularities; all correct parts are available in
/// spite of errors elsewhere.
///
///     asdf::ndl description = asdf::ndl::read("model.yaml");
///     for (const asdf::finding &finding : description.report()) std::cerr << finding.text() << '\n';
///     std::vector<double> heights = description.read<double>("/height");
///
/// Functions that take a place throw ASDF_ERR_NOT_FOUND if the description does not have it.
class ndl {
  public:
    using handle_type = detail::handle<asdf_ndl, asdf_ndl_retain, asdf_ndl_free>;

    /// Takes over a handle of the C interface.
    explicit ndl(asdf_ndl *owned) noexcept : handle_(owned) {}

    /// Returns the handle of the C interface, which this object keeps.
    const asdf_ndl *native_handle() const noexcept {
        return handle_.get();
    }

    /// Reads a description from a file. Throws ASDF_ERR_YAML if the text is not YAML, ASDF_ERR_ENCODING if it is
    /// neither UTF-8 nor UTF-16, and ASDF_ERR_LIMIT if it is too long or nested too deeply.
    static ndl read(const c_string &path, const read_ndl_options &options = {}) {
        return detail::made_by<ndl>(asdf_ndl_read, path.c_str(), detail::make_options(options).get());
    }

    /// Reads a description from a text in memory.
    static ndl read_memory(std::string_view text, const read_ndl_options &options = {}) {
        return detail::made_by<ndl>(asdf_ndl_read_memory, text.data(), text.size(),
                                    detail::make_options(options).get());
    }

    /// Describes an ASDF file. The content of the file is never an error: report() lists what the language cannot
    /// express. No block is read unless the options request values of arrays.
    static ndl describe(const file &file, const describe_options &options = {}) {
        return detail::made_by<ndl>(asdf_ndl_describe, file.native_handle(), detail::make_options(options).get());
    }

    /// Returns the usual name of the description of a file: "example.yaml" for "example.asdf".
    static std::string file_name(const c_string &path) {
        return detail::read_text(asdf_ndl_file_name, path.c_str());
    }

    /// Returns true if the description has no errors.
    bool is_valid() const {
        std::int32_t valid = 0;
        detail::check(asdf_ndl_is_valid(native_handle(), &valid));
        return valid != 0;
    }

    /// Returns errors and irregularities in the order of the text, and notes about content that describe() left out or
    /// converted.
    asdf::report report() const {
        return detail::made_by<asdf::report>(asdf_ndl_report, native_handle());
    }

    // Content ---------------------------------------------------------------------------------------------------------

    /// Returns the path names of all objects of a kind, in document order.
    std::vector<std::string> paths(ndl_kind kind) const {
        std::int64_t count = 0;
        detail::check(asdf_ndl_count(native_handle(), static_cast<std::int32_t>(kind), &count));
        std::vector<std::string> all;
        for (std::int64_t i = 0; i < count; i++) {
            all.push_back(detail::read_text(asdf_ndl_path, native_handle(), static_cast<std::int32_t>(kind), i));
        }
        return all;
    }

    /// Returns the path names of the groups; groups that are not listed count if they have content.
    std::vector<std::string> groups() const {
        return paths(ndl_kind::group);
    }

    /// Returns the path names of the dimension coordinates.
    std::vector<std::string> dimcoords() const {
        return paths(ndl_kind::dimcoord);
    }

    /// Returns the path names of the arrays.
    std::vector<std::string> ndarrays() const {
        return paths(ndl_kind::ndarray);
    }

    /// Returns the kind of the object that has a path name; std::nullopt if there is none.
    std::optional<ndl_kind> find(const c_string &path) const {
        return detail::if_found([&] { return kind(path); });
    }

    /// Returns the kind of the object that has a path name.
    ndl_kind kind(const c_string &path) const {
        std::int32_t kind = 0;
        detail::check(asdf_ndl_kind(native_handle(), path.c_str(), &kind));
        return static_cast<ndl_kind>(kind);
    }

    /// Returns the names of the attributes of an object, in document order.
    std::vector<std::string> attributes(const c_string &path) const {
        std::int64_t count = 0;
        detail::check(asdf_ndl_attribute_count(native_handle(), path.c_str(), &count));
        std::vector<std::string> all;
        for (std::int64_t i = 0; i < count; i++) {
            all.push_back(detail::read_text(asdf_ndl_attribute_name, native_handle(), path.c_str(), i));
        }
        return all;
    }

    /// Returns the shape, slowest axis first, with or without values; std::nullopt for an extent that is unlimited or
    /// unknown.
    std::vector<std::optional<std::int64_t>> shape(const ndl_place &place) const {
        std::vector<std::optional<std::int64_t>> all;
        for (const std::int64_t extent :
             detail::read_extents([&](std::int64_t *out, std::int32_t capacity, std::int32_t *rank) {
                 return asdf_ndl_shape(native_handle(), place.path.c_str(), place.attribute_or_null(), out, capacity,
                                       rank);
             }))
            all.push_back(detail::known(extent));
        return all;
    }

    /// Returns the path name of the dimension coordinate of a dimension of an array; std::nullopt if there is none.
    std::optional<std::string> coordinate(const c_string &path, std::int64_t dimension) const {
        std::string name = detail::read_text(asdf_ndl_coordinate, native_handle(), path.c_str(), dimension);
        if (name.empty()) return std::nullopt;
        return name;
    }

    /// Returns the keyword of the datatype, such as "float32" or "compound"; see ndl_datatype::keyword().
    std::string keyword(const ndl_place &place) const {
        return detail::read_text(asdf_ndl_keyword, native_handle(), place.path.c_str(), place.attribute_or_null());
    }

    /// Returns the datatype with all nested types.
    ndl_datatype datatype(const ndl_place &place) const {
        return detail::made_by<ndl_datatype>(asdf_ndl_get_datatype, native_handle(), place.path.c_str(),
                                             place.attribute_or_null());
    }

    /// Returns a storage directive in NDL notation, such as "[512, 3]"; std::nullopt if the description does not have
    /// it. The directive is "shape" or "size" (stored extents), "chunk", "filter", "endian", "charset" or "fillvalue";
    /// any other word throws ASDF_ERR_INVALID_ARGUMENT.
    std::optional<std::string> storage(const ndl_place &place, const c_string &directive) const {
        kind(place.path);
        return detail::if_found([&] {
            return detail::read_text(asdf_ndl_storage, native_handle(), place.path.c_str(), place.attribute_or_null(),
                                     directive.c_str());
        });
    }

    /// Returns the size of an array or a dimension coordinate. Throws ASDF_ERR_LIMIT if a size does not fit
    /// std::int64_t.
    ndl_size size(const c_string &path) const {
        std::int64_t elements = -1, element_bytes = -1, bytes = -1;
        detail::check(asdf_ndl_size(native_handle(), path.c_str(), &elements, &element_bytes, &bytes));
        return {detail::known(elements), detail::known(element_bytes), detail::known(bytes)};
    }

    /// Returns the total size of all arrays and dimension coordinates.
    ndl_total_size total_size() const {
        ndl_total_size total = {0, 0};
        detail::check(asdf_ndl_total_size(native_handle(), &total.bytes, &total.unknown));
        return total;
    }

    // Values ----------------------------------------------------------------------------------------------------------

    /// Returns the number of values along each dimension, slowest axis first. Along unlimited dimensions it is the
    /// number of values in the description.
    std::vector<std::int64_t> value_shape(const ndl_place &place) const {
        return detail::read_extents([&](std::int64_t *out, std::int32_t capacity, std::int32_t *rank) {
            return asdf_ndl_value_shape(native_handle(), place.path.c_str(), place.attribute_or_null(), out, capacity,
                                        rank);
        });
    }

    /// Returns true if the description has values of a place.
    bool has_values(const ndl_place &place) const {
        std::int32_t rank = 0;
        const asdf_status status =
            asdf_ndl_value_shape(native_handle(), place.path.c_str(), place.attribute_or_null(), nullptr, 0, &rank);
        if (status == ASDF_ERR_NOT_FOUND) return false;
        detail::check(status);
        return true;
    }

    /// Returns one element as std::int64_t (integers and enum constants), double (all numbers) or std::string (texts,
    /// names of enum constants, and path names of object references, "" if they refer to nothing). The index counts in
    /// C order. Throws ASDF_ERR_WRONG_TYPE for any other datatype, and ASDF_ERR_VALUE_RANGE if an integer does not fit.
    template <class T> T value(const ndl_place &place, std::int64_t index = 0) const {
        static_assert(std::is_same_v<T, std::int64_t> || std::is_same_v<T, double> || std::is_same_v<T, std::string>,
                      "a value is read as std::int64_t, double or std::string; read<T>() reads other types");
        const char *path = place.path.c_str(), *attribute = place.attribute_or_null();
        if constexpr (std::is_same_v<T, std::string>) {
            return detail::read_text(asdf_ndl_value_text, native_handle(), path, attribute, index);
        } else {
            T number = 0;
            if constexpr (std::is_same_v<T, double>)
                detail::check(asdf_ndl_value_f64(native_handle(), path, attribute, index, &number));
            else
                detail::check(asdf_ndl_value_i64(native_handle(), path, attribute, index, &number));
            return number;
        }
    }

    /// Returns one element of any datatype in NDL notation, on one line: "[1, 0.5]" for a compound, base64 for opaque
    /// bytes, "{target: /sky, selection: [[3, 4]]}" for a region reference.
    std::string value_notation(const ndl_place &place, std::int64_t index = 0) const {
        return detail::read_text(asdf_ndl_value_notation, native_handle(), place.path.c_str(),
                                 place.attribute_or_null(), index);
    }

    /// Reads all elements in C order. T is a type of numbers (bool and std::complex included), std::string for texts,
    /// names of enum constants and object references, or a registered record for compounds.
    ///
    /// Numbers are converted with the rules of arrays: a value that does not fit throws ASDF_ERR_OVERFLOW. An array
    /// datatype appends its extents to those of value_shape(); opaque bytes append one extent, their size.
    template <class T> std::vector<T> read(const ndl_place &place, const read_options &options = {}) const;

    // Comparing -------------------------------------------------------------------------------------------------------

    /// Tests whether two descriptions have the same meaning. Differences of notation do not count.
    friend bool operator==(const ndl &left, const ndl &right) {
        std::int32_t same = 0;
        detail::check(asdf_ndl_is_same(left.native_handle(), right.native_handle(), &same));
        return same != 0;
    }
    /// Tests whether two descriptions differ in meaning.
    friend bool operator!=(const ndl &left, const ndl &right) {
        return !(left == right);
    }

    /// Returns the differences between this description and a newer one; none if both have the same meaning.
    asdf::report compare(const ndl &newer, ndl_ignore ignore = {}) const {
        return detail::made_by<asdf::report>(asdf_ndl_compare, native_handle(), newer.native_handle(),
                                             static_cast<std::int32_t>(ignore));
    }

    /// Returns the places where a file, given by its description, does not conform to this description; none if it
    /// conforms. With `subset` the file may have additional groups, arrays, attributes and coordinates of dimensions.
    asdf::report conform(const ndl &file, bool subset = false) const {
        return detail::made_by<asdf::report>(asdf_ndl_conform, native_handle(), file.native_handle(), subset);
    }

    // Writing ---------------------------------------------------------------------------------------------------------

    /// Exports the description as text in UTF-8. `name` is the name of the CDL data set, the prefix of the C
    /// identifiers, or the name of the Fortran module; other formats take none. Throws ASDF_ERR_INCOMPLETE if the
    /// description lacks information that the format needs, and ASDF_ERR_UNSUPPORTED if the format cannot express it.
    std::string export_as(ndl_format format, const std::optional<std::string> &name = std::nullopt,
                          const export_ndl_options &options = {}) const {
        const buffer text =
            detail::made_by<buffer>(asdf_ndl_export, native_handle(), static_cast<std::int32_t>(format),
                                    name ? name->c_str() : nullptr, detail::make_options(options).get());
        return std::string(text.text());
    }

    /// Returns the canonical text: equal descriptions have the same.
    std::string to_text() const {
        return export_as(ndl_format::text);
    }

    /// Writes the canonical text to a file, which gets its name when it is complete. Throws ASDF_ERR_FILE_EXISTS if a
    /// file of this name exists, unless options.replace is true.
    void write(const c_string &path, const write_ndl_options &options = {}) const {
        detail::check(asdf_ndl_write(native_handle(), path.c_str(), detail::make_options(options).get()));
    }

    /// Creates an ASDF file: arrays get their values, or fill values or zeros. Returns notes about differences between
    /// the file and the description. The file gets its name when it is complete.
    asdf::report create_asdf(const c_string &path, const create_asdf_options &options = {}) const {
        return detail::made_by<asdf::report>(asdf_ndl_create_asdf, native_handle(), path.c_str(),
                                             detail::make_options(options).get());
    }

  private:
    handle_type handle_;
};

template <class T> std::vector<T> ndl::read(const ndl_place &place, const read_options &options) const {
    const std::vector<std::int64_t> extents = value_shape(place);
    std::size_t count = 1;
    for (const std::int64_t extent : extents) count *= static_cast<std::size_t>(extent);
    if constexpr (std::is_same_v<T, std::string>) {
        std::vector<std::string> texts;
        for (std::size_t i = 0; i < count; i++) texts.push_back(value<T>(place, static_cast<std::int64_t>(i)));
        return texts;
    } else {
        // An array datatype appends its extents, and opaque bytes their size.
        ndl_datatype type = datatype(place);
        for (; type.keyword() == "array"; type = type.base())
            for (const std::int64_t extent : type.shape()) count *= static_cast<std::size_t>(extent);
        if (type.keyword() == "opaque") count *= static_cast<std::size_t>(type.element_size().value_or(1));
        std::vector<detail::stored_element<T>> elements(count);
        detail::option_handle handle = detail::make_options(options);
        const auto read = [&](void *memory, std::size_t size) {
            detail::check(asdf_ndl_read_values(native_handle(), place.path.c_str(), place.attribute_or_null(),
                                               detail::scalar_code_v<T>, handle.for_elements<T>(), memory, size));
        };
        if constexpr (detail::is_scalar_v<T>) {
            read(elements.data(), count * sizeof(T));
        } else {
            const T value{};
            const detail::record_layout<T> layout(value);
            const std::size_t size = count * layout.packed_size();
            auto *const packed = reinterpret_cast<std::byte *>(elements.data()) + count * sizeof(T) - size;
            read(packed, size);
            layout.unpack(elements.data(), count);
        }
        if constexpr (std::is_same_v<T, bool>)
            return std::vector<bool>(elements.begin(), elements.end());
        else
            return elements;
    }
}

} // namespace asdf
