// Datatypes: which C++ type is which datatype of arrays, and asdf::datatype for strings and records.
#pragma once

#include "enumerations.hpp"
#include "handle.hpp"
#include "text.hpp"

#include <asdf.h>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>
#if __has_include(<stdfloat>) && __cplusplus > 202002L
#include <stdfloat>
#endif

namespace asdf {

/// Datatype of a type of your own whose bytes are those of a scalar of the library: specialize it for a class of
/// binary16, of angles, of enumerations. The type is then an element of arrays and columns like the built-in ones.
///
///     template <> struct asdf::scalar_type<half_float::half> {
///         static constexpr asdf::type_code code = asdf::type_code::float16;
///     };
template <class T, class = void> struct scalar_type {};

namespace detail {

// Compilers that have _Float16 in C++; for others the name stands for a type that nothing is.
#if defined(__FLT16_MANT_DIG__) && (defined(__clang__) || __GNUC__ >= 13)
__extension__ typedef _Float16 builtin_float16;
#else
struct builtin_float16;
#endif

template <class T, class = void> struct own_scalar { static constexpr std::int32_t code = 0; };
template <class T> struct own_scalar<T, std::void_t<decltype(scalar_type<T>::code)>> {
    static_assert(std::is_trivially_copyable_v<T>, "a type with asdf::scalar_type must be trivially copyable");
    static constexpr std::int32_t code = static_cast<std::int32_t>(scalar_type<T>::code);
};

/// Returns the code of an arithmetic or complex type, or of one with asdf::scalar_type; 0 for any other type. `char`
/// has none, because it is text.
template <class T> constexpr std::int32_t scalar_code() noexcept {
    static_assert(sizeof(bool) == 1, "asdfkit needs a bool of one byte");
    if constexpr (std::is_same_v<T, bool>) {
        return ASDF_BOOL8;
    } else if constexpr (std::is_same_v<T, std::byte>) {
        return ASDF_UINT8;
    } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, char> && !std::is_same_v<T, wchar_t> &&
                         !std::is_same_v<T, char16_t> && !std::is_same_v<T, char32_t>) {
        constexpr bool is_signed = std::is_signed_v<T>;
        if constexpr (sizeof(T) == 1) return is_signed ? ASDF_INT8 : ASDF_UINT8;
        if constexpr (sizeof(T) == 2) return is_signed ? ASDF_INT16 : ASDF_UINT16;
        if constexpr (sizeof(T) == 4) return is_signed ? ASDF_INT32 : ASDF_UINT32;
        if constexpr (sizeof(T) == 8) return is_signed ? ASDF_INT64 : ASDF_UINT64;
        return 0;
    } else if constexpr (std::is_same_v<T, float>) {
        return ASDF_FLOAT32;
    } else if constexpr (std::is_same_v<T, double>) {
        return ASDF_FLOAT64;
    } else if constexpr (std::is_same_v<T, builtin_float16>) {
        return ASDF_FLOAT16;
#ifdef __STDCPP_FLOAT16_T__
    } else if constexpr (std::is_same_v<T, std::float16_t>) {
        return ASDF_FLOAT16;
#endif
    } else if constexpr (std::is_same_v<T, std::complex<float>>) {
        return ASDF_COMPLEX64;
    } else if constexpr (std::is_same_v<T, std::complex<double>>) {
        return ASDF_COMPLEX128;
    } else {
        return own_scalar<T>::code;
    }
}

template <class T> inline constexpr std::int32_t scalar_code_v = scalar_code<std::remove_cv_t<T>>();

/// True for types that are elements of arrays: integers, bool, std::byte, floating-point numbers, their std::complex
/// types, types with asdf::scalar_type.
template <class T> inline constexpr bool is_scalar_v = scalar_code_v<T> != 0;

/// Gets extents from a function with the parameters (buffer, capacity, rank).
template <class Call> std::vector<std::int64_t> read_extents(Call &&call) {
    std::int64_t extents[ASDF_MAX_RANK];
    std::int32_t rank = 0;
    check(call(extents, ASDF_MAX_RANK, &rank));
    return std::vector<std::int64_t>(extents, extents + rank);
}

} // namespace detail

/// Extents of an array, slowest axis first (C order).
using shape = std::vector<std::int64_t>;

/// Datatype of array elements: a scalar, a string of fixed length, or a record. It never changes. A copy is one more
/// owner of the same object.
class datatype {
  public:
    using handle_type = detail::handle<asdf_datatype, asdf_datatype_retain, asdf_datatype_free>;

    /// Field of a record.
    struct field;

    /// Takes over a handle of the C interface.
    explicit datatype(asdf_datatype *owned) noexcept : handle_(owned) {}

    /// Returns the datatype of a scalar type.
    datatype(type_code code) {
        detail::check(asdf_datatype_scalar(static_cast<std::int32_t>(code), handle_.out()));
    }

    /// Returns the datatype of a C++ type: an arithmetic type, std::complex, or a struct with asdf::record.
    template <class T> static datatype of();

    /// Returns the datatype of strings with a fixed number of bytes.
    static datatype ascii(std::int64_t length) {
        return string(ASDF_ASCII, length);
    }

    /// Returns the datatype of strings with a fixed number of UTF-32 code units.
    static datatype ucs4(std::int64_t length) {
        return string(ASDF_UCS4, length);
    }

    /// Returns the datatype of records. Fields follow one another without padding.
    static datatype record(const std::vector<field> &fields);

    /// Returns the code: that of a scalar type, type_code::ascii, type_code::ucs4 or type_code::record.
    type_code code() const {
        std::int32_t code = 0;
        detail::check(asdf_datatype_code(handle_.get(), &code));
        return static_cast<type_code>(code);
    }

    /// Returns the size of one element in bytes.
    std::size_t item_size() const {
        std::size_t size = 0;
        detail::check(asdf_datatype_item_size(handle_.get(), &size));
        return size;
    }

    /// Returns the length of a string type in bytes (ascii) or code units (ucs4).
    std::int64_t string_length() const {
        std::int64_t length = 0;
        detail::check(asdf_datatype_string_length(handle_.get(), &length));
        return length;
    }

    /// Returns a readable form: "float32", "[ascii, 8]", "[x: int16, y: float64]".
    std::string name() const {
        return detail::read_text(asdf_datatype_name, handle_.get());
    }

    /// Returns the fields of a record; throws asdf::error with ASDF_ERR_WRONG_TYPE for any other datatype.
    std::vector<field> fields() const;

    /// Tests for equality, including names and byte orders of fields.
    friend bool operator==(const datatype &first, const datatype &second) {
        std::int32_t equal = 0;
        detail::check(asdf_datatype_equal(first.native_handle(), second.native_handle(), &equal));
        return equal != 0;
    }
    friend bool operator!=(const datatype &first, const datatype &second) {
        return !(first == second);
    }

    /// Returns the handle of the C interface, which this object keeps.
    asdf_datatype *native_handle() const noexcept {
        return handle_.get();
    }

  private:
    static datatype string(std::int32_t code, std::int64_t length) {
        return detail::made_by<datatype>(asdf_datatype_string, code, length);
    }

    handle_type handle_;
};

struct datatype::field {
    std::string name;       ///< empty if it has none
    datatype type;          ///< datatype of its elements
    asdf::shape shape{};    ///< extents of an array as field; empty for a single element
    std::size_t offset = 0; ///< offset in its record in bytes; ignored by datatype::record()
};

inline datatype datatype::record(const std::vector<field> &fields) {
    std::vector<const char *> names;
    std::vector<const asdf_datatype *> types;
    std::vector<std::int32_t> ranks;
    std::vector<std::int64_t> extents;
    for (const field &member : fields) {
        names.push_back(member.name.empty() ? nullptr : member.name.c_str());
        types.push_back(member.type.native_handle());
        ranks.push_back(static_cast<std::int32_t>(member.shape.size()));
        extents.insert(extents.end(), member.shape.begin(), member.shape.end());
    }
    return detail::made_by<datatype>(asdf_datatype_record, static_cast<std::int64_t>(fields.size()), names.data(),
                                     types.data(), ranks.data(), extents.data());
}

inline std::vector<datatype::field> datatype::fields() const {
    std::int64_t count = 0;
    detail::check(asdf_datatype_field_count(handle_.get(), &count));
    std::vector<field> fields;
    fields.reserve(static_cast<std::size_t>(count));
    for (std::int64_t index = 0; index < count; ++index) {
        asdf_datatype *type = nullptr;
        detail::check(asdf_datatype_field_datatype(handle_.get(), index, &type));
        fields.push_back(field{{}, datatype(type)});
        field &added = fields.back();
        added.name = detail::read_text(asdf_datatype_field_name, handle_.get(), index);
        added.shape = detail::read_extents([&](std::int64_t *extents, std::int32_t capacity, std::int32_t *rank) {
            return asdf_datatype_field_shape(handle_.get(), index, extents, capacity, rank);
        });
        detail::check(asdf_datatype_field_offset(handle_.get(), index, &added.offset));
    }
    return fields;
}

} // namespace asdf
