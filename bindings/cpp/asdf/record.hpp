// Structs as records: a trait names the members of a struct that are the fields of a record.
#pragma once

#include "datatype.hpp"

#include <array>
#include <cstddef>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace asdf {

/// Describes a struct as a record: specialize it for your struct, with a constant `fields`.
///
///     struct star { double ra; double dec; std::int32_t id; char name[16]; float flux[3]; };
///
///     template <> struct asdf::record<star> {
///         static constexpr auto fields = asdf::fields(
///             asdf::field("ra", &star::ra), asdf::field("dec", &star::dec), asdf::field("id", &star::id),
///             asdf::field("name", &star::name), asdf::field("flux", &star::flux));
///     };
///
///     std::vector<star> stars = file["catalogue"].array().read<star>();
///
/// Members are numbers, bool, std::complex, other structs with such a trait, and arrays of these (std::array or T[N]).
/// A char[N] is a string of N bytes, a char32_t[N] one of N code units; both are padded with NULs. The struct must be
/// trivially copyable. Records in a file have no padding; a struct may have some.
template <class T> struct record;

/// Field of a record: its name and the member that holds it.
template <class Struct, class Member> struct record_field {
    const char *name;
    Member Struct::*member;
};

/// Names the member that holds a field.
template <class Struct, class Member>
constexpr record_field<Struct, Member> field(const char *name, Member Struct::*member) noexcept {
    return {name, member};
}

/// Lists the fields of a record, in the order of the file.
template <class... Fields> constexpr std::tuple<Fields...> fields(Fields... all) noexcept {
    return std::tuple<Fields...>(all...);
}

namespace detail {

template <class T, class = void> struct has_record : std::false_type {};
template <class T> struct has_record<T, std::void_t<decltype(record<T>::fields)>> : std::true_type {};

/// True for structs with asdf::record.
template <class T> inline constexpr bool is_record_v = has_record<std::remove_cv_t<T>>::value;

/// True for types that an array of numbers or records can be read into without a conversion in this binding.
template <class T> inline constexpr bool is_element_v = is_scalar_v<T> || is_record_v<T>;

template <class T> struct fixed_array : std::false_type {};
template <class T, std::size_t N> struct fixed_array<T[N]> : std::true_type {
    using element = T;
    static constexpr std::int64_t extent = N;
};
template <class T, std::size_t N> struct fixed_array<std::array<T, N>> : fixed_array<T[N]> {};

/// True for a fixed array of characters: a string of fixed length.
template <class T> constexpr bool is_text() noexcept {
    if constexpr (fixed_array<T>::value) {
        using element = typename fixed_array<T>::element;
        return std::is_same_v<element, char> || std::is_same_v<element, char32_t>;
    } else {
        return false;
    }
}

/// Type of the elements of a member: a number, a struct, or a string of fixed length.
template <class T, bool = fixed_array<T>::value && !is_text<T>()> struct member_leaf { using type = T; };
template <class T> struct member_leaf<T, true> : member_leaf<typename fixed_array<T>::element> {};

/// Returns the datatype of a member, and prepends its extents to `extents`.
template <class Member> datatype member_datatype(shape &extents) {
    if constexpr (is_text<Member>()) {
        constexpr std::int64_t length = fixed_array<Member>::extent;
        constexpr bool is_ascii = std::is_same_v<typename fixed_array<Member>::element, char>;
        return is_ascii ? datatype::ascii(length) : datatype::ucs4(length);
    } else if constexpr (fixed_array<Member>::value) {
        datatype type = member_datatype<typename fixed_array<Member>::element>(extents);
        extents.insert(extents.begin(), fixed_array<Member>::extent);
        return type;
    } else {
        return datatype::of<Member>();
    }
}

/// Part of a record that is contiguous both in the struct and in the packed record.
struct record_part {
    std::size_t in_struct;
    std::size_t in_record;
    std::size_t size;
};

/// Adds the parts of one value, which begins at `start` in a struct, to `parts`.
template <class T> void add_record_parts(const T &value, const char *start, std::vector<record_part> &parts) {
    if constexpr (is_record_v<T>) {
        std::apply([&](const auto &...field) { (add_record_parts(value.*field.member, start, parts), ...); },
                   record<T>::fields);
    } else if constexpr (fixed_array<T>::value && !is_text<T>()) {
        for (const auto &element : value) add_record_parts(element, start, parts);
    } else {
        const std::size_t in_struct = static_cast<std::size_t>(reinterpret_cast<const char *>(&value) - start);
        const std::size_t in_record = parts.empty() ? 0 : parts.back().in_record + parts.back().size;
        if (!parts.empty() && parts.back().in_struct + parts.back().size == in_struct) {
            parts.back().size += sizeof value;
        } else {
            parts.push_back({in_struct, in_record, sizeof value});
        }
    }
}

/// Positions of the fields of a struct, found on one of its values.
template <class T> class record_layout {
    static_assert(std::is_trivially_copyable_v<T>, "a struct with asdf::record must be trivially copyable");

  public:
    explicit record_layout(const T &value) {
        add_record_parts(value, reinterpret_cast<const char *>(&value), parts_);
        packed_size_ = parts_.back().in_record + parts_.back().size;
    }

    /// Returns the size of a record without padding.
    std::size_t packed_size() const noexcept {
        return packed_size_;
    }

    /// Returns true if the struct has the bytes of the record, without padding and in the same order.
    bool is_packed() const noexcept {
        return parts_.size() == 1 && packed_size_ == sizeof(T);
    }

    /// Copies packed records, which are at the end of the memory of `count` structs, to their structs.
    void unpack(T *values, std::size_t count) const {
        std::byte *const memory = reinterpret_cast<std::byte *>(values);
        const std::byte *const packed = memory + count * (sizeof(T) - packed_size_);
        // A struct may overlap its own record, but no later one: the records are at the end of the memory.
        std::vector<std::byte> one(packed_size_);
        for (std::size_t index = 0; index < count; ++index) {
            std::memcpy(one.data(), packed + index * packed_size_, packed_size_);
            for (const record_part &part : parts_) {
                std::memcpy(memory + index * sizeof(T) + part.in_struct, one.data() + part.in_record, part.size);
            }
        }
    }

    /// Returns the records without padding.
    std::vector<std::byte> pack(const T *values, std::size_t count) const {
        std::vector<std::byte> packed(count * packed_size_);
        const std::byte *const memory = reinterpret_cast<const std::byte *>(values);
        for (std::size_t index = 0; index < count; ++index) {
            for (const record_part &part : parts_) {
                std::memcpy(packed.data() + index * packed_size_ + part.in_record,
                            memory + index * sizeof(T) + part.in_struct, part.size);
            }
        }
        return packed;
    }

  private:
    std::vector<record_part> parts_;
    std::size_t packed_size_ = 0;
};

} // namespace detail

template <class T> datatype datatype::of() {
    if constexpr (detail::is_record_v<T>) {
        std::vector<field> members;
        std::apply(
            [&](const auto &...described) {
                const auto add = [&](const auto &one) {
                    using member = std::remove_reference_t<decltype(std::declval<T &>().*one.member)>;
                    asdf::shape extents;
                    datatype type = detail::member_datatype<member>(extents);
                    members.push_back({one.name, std::move(type), std::move(extents), 0});
                };
                (add(described), ...);
            },
            asdf::record<T>::fields);
        return datatype::record(members);
    } else {
        static_assert(detail::is_scalar_v<T>, "neither a number nor a struct with asdf::record");
        return datatype(static_cast<type_code>(detail::scalar_code_v<T>));
    }
}

} // namespace asdf
