// Conversion between std::chrono and the nanoseconds of the library. A missing time or span is INT64_MIN.
#pragma once

#include "elements.hpp"
#include "error.hpp"

#include <asdf.h>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <ratio>
#include <type_traits>
#include <vector>

namespace asdf::detail {

template <class T> struct chrono_of : std::false_type {};

template <class Rep, class Period> struct chrono_of<std::chrono::duration<Rep, Period>> : std::true_type {
    using duration = std::chrono::duration<Rep, Period>;
    static constexpr bool is_time_point = false;
};

template <class Duration>
struct chrono_of<std::chrono::time_point<std::chrono::system_clock, Duration>> : std::true_type {
    using duration = Duration;
    static constexpr bool is_time_point = true;
};

/// True for durations and for points in time of the system clock.
template <class T> inline constexpr bool is_chrono_v = chrono_of<T>::value;

/// True for points in time with the resolution of days, such as std::chrono::sys_days.
template <class T>
inline constexpr bool is_day_v = std::ratio_equal_v<typename chrono_of<T>::duration::period, std::ratio<86400>>;

/// Returns a duration in nanoseconds, or fails if 64 bits do not hold it.
template <class Rep, class Period> std::int64_t checked_nanoseconds(std::chrono::duration<Rep, Period> duration) {
    static_assert(std::is_integral_v<Rep>, "only durations of integers have an exact number of nanoseconds");
    using factor = std::ratio_divide<Period, std::nano>;
    static_assert(factor::den == 1, "the library stores nanoseconds; cast the durations with std::chrono first");
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / factor::num;
    if (duration.count() > most || duration.count() < -most) {
        throw error(ASDF_ERR_OUT_OF_RANGE, "nanoseconds in 64 bits reach from 1677-09-21 to 2262-04-11");
    }
    return static_cast<std::int64_t>(duration.count()) * factor::num;
}

/// Returns the nanoseconds of times or durations, which may be optional.
template <class Entries> std::vector<std::int64_t> packed_nanoseconds(const Entries &entries) {
    using entry = typename entry_of<Entries>::type;
    using value = without_optional<entry>;
    std::vector<std::int64_t> packed;
    for (const entry &each : entries) {
        const value *present = value_or_null(each);
        if (!present) {
            packed.push_back(std::numeric_limits<std::int64_t>::min());
        } else if constexpr (chrono_of<value>::is_time_point) {
            packed.push_back(checked_nanoseconds(present->time_since_epoch()));
        } else {
            packed.push_back(checked_nanoseconds(*present));
        }
    }
    return packed;
}

/// Returns times or durations of nanoseconds; std::nullopt for missing ones.
template <class T> std::vector<std::optional<T>> unpacked_nanoseconds(const std::vector<std::int64_t> &nanoseconds) {
    std::vector<std::optional<T>> values;
    for (const std::int64_t each : nanoseconds) {
        const bool is_missing = each == std::numeric_limits<std::int64_t>::min();
        values.push_back(is_missing ? std::nullopt : std::optional<T>(T(std::chrono::nanoseconds(each))));
    }
    return values;
}

} // namespace asdf::detail
