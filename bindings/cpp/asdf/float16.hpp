// asdf::float16: elements of binary16 in every version of C++.
#pragma once

#include "datatype.hpp"

#include <cstdint>
#include <cstring>

namespace asdf {

/// Number in binary16 as its bits, for compilers and standards without such a type. It converts from and to float.
/// _Float16 and, since C++23, std::float16_t are elements of the same datatype.
struct float16 {
    std::uint16_t bits = 0;

    float16() = default;

    /// Rounds to the nearest number of binary16, half to even; beyond its range to infinity.
    explicit float16(float value) noexcept {
        std::uint32_t wide = 0;
        std::memcpy(&wide, &value, sizeof wide);
        const std::uint32_t sign = wide >> 16 & 0x8000U;
        const std::uint32_t magnitude = wide & 0x7FFFFFFFU;
        std::uint32_t narrow = 0;
        if (magnitude > 0x7F800000U) {
            narrow = 0x7E00U; // NaN
        } else if (magnitude >= 0x477FF000U) {
            narrow = 0x7C00U; // beyond 65504, rounded
        } else if (magnitude >= 0x38800000U) {
            narrow = (magnitude - 0x38000000U + 0xFFFU + (magnitude >> 13 & 1U)) >> 13;
        } else if (magnitude >= 0x33000000U) {
            // Subnormal: the significand is shifted by what the exponent lacks.
            const std::uint32_t shift = 126 - (magnitude >> 23);
            const std::uint32_t significand = (magnitude & 0x7FFFFFU) | 0x800000U;
            const std::uint32_t half = (1U << (shift - 1)) - 1 + (significand >> shift & 1U);
            narrow = (significand + half) >> shift;
        }
        bits = static_cast<std::uint16_t>(sign | narrow);
    }

    /// Returns the same number.
    explicit operator float() const noexcept {
        const std::uint32_t sign = (bits & 0x8000U) << 16;
        const std::uint32_t exponent = bits >> 10 & 0x1FU;
        const std::uint32_t significand = bits & 0x3FFU;
        std::uint32_t wide = 0;
        if (exponent == 0) {
            const float value = static_cast<float>(significand) * 0x1p-24F;
            std::memcpy(&wide, &value, sizeof wide);
        } else {
            wide = (exponent == 31 ? 0x7F800000U : (exponent + 112) << 23) | significand << 13;
        }
        wide |= sign;
        float value = 0;
        std::memcpy(&value, &wide, sizeof value);
        return value;
    }

    friend bool operator==(float16 a, float16 b) noexcept {
        return static_cast<float>(a) == static_cast<float>(b);
    }
    friend bool operator!=(float16 a, float16 b) noexcept {
        return !(a == b);
    }
};

template <> struct scalar_type<float16> { static constexpr type_code code = type_code::float16; };

} // namespace asdf
