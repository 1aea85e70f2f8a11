// Points in time: std::chrono, Julian dates, text; scales with leap seconds.
#pragma once

#include "datatype.hpp"
#include "enumerations.hpp"
#include "error.hpp"
#include "extents.hpp"
#include "handle.hpp"
#include "options.hpp"
#include "report.hpp"
#include "text.hpp"

#include <asdf.h>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace asdf {

/// Point in time of the system clock, in nanoseconds: UTC without leap seconds.
using time_point = std::chrono::time_point<std::chrono::system_clock, std::chrono::nanoseconds>;

/// One or more points in time in one scale. They never change and do not depend on other
/// objects. A copy is one more owner of the same times.
class times {
  public:
    using handle_type = detail::handle<asdf_time, asdf_time_retain, asdf_time_free>;

    /// Takes over a handle of the C interface.
    explicit times(asdf_time *owned) noexcept : handle_(owned) {}

    /// Makes one point in time of the system clock.
    explicit times(time_point point, const time_options &options = {})
        : times(of_nanoseconds({point.time_since_epoch().count()}, {}, options)) {}

    /// Makes points in time of the system clock.
    explicit times(const std::vector<time_point> &points, const time_options &options = {})
        : times(of_points(points, options)) {}

    /// Makes a point in time of a text: "2027-01-31T04:05:06.7", "2027:031:04:05:06.7", "B1950.0" or "J2000.0".
    explicit times(const std::string &text, std::optional<time_scale> scale = {}, const time_options &options = {}) {
        const std::int64_t offsets[] = {0, static_cast<std::int64_t>(text.size())};
        detail::check(asdf_time_from_texts(text.data(), text.size(), offsets, 0, nullptr, scale ? code(*scale) : 0, 0,
                                           detail::make_options(options).get(), handle_.out()));
    }

    /// Makes points in time of Julian dates, each the sum of two doubles, in a scale.
    static times of_jd(const std::vector<double> &jd1, const std::vector<double> &jd2, time_scale scale,
                       const time_options &options = {}) {
        if (jd1.size() != jd2.size()) {
            throw error(ASDF_ERR_INVALID_ARGUMENT, "the two parts of the Julian dates differ in number");
        }
        const std::int64_t count = static_cast<std::int64_t>(jd1.size());
        handle_type made;
        detail::check(asdf_time_from_jd(jd1.data(), jd2.data(), 1, &count, code(scale), ASDF_TIME_FORMAT_JD,
                                        detail::make_options(options).get(), made.out()));
        return times(made.release());
    }

    /// Returns the number of points in time.
    std::size_t size() const {
        std::int64_t count = 0;
        detail::check(asdf_time_count(handle_.get(), &count));
        return static_cast<std::size_t>(count);
    }

    /// Returns the extents; none for a single point in time.
    asdf::shape shape() const {
        return detail::read_extents([&](std::int64_t *extents, std::int32_t capacity, std::int32_t *rank) {
            return asdf_time_shape(handle_.get(), extents, capacity, rank);
        });
    }

    /// Returns the scale.
    asdf::time_scale scale() const {
        std::int32_t scale = 0;
        detail::check(asdf_time_scale(handle_.get(), &scale));
        return static_cast<time_scale>(scale);
    }

    /// Returns the format.
    asdf::time_format format() const {
        std::int32_t format = 0;
        detail::check(asdf_time_format(handle_.get(), &format));
        return static_cast<time_format>(format);
    }

    /// Returns the same points in time in another scale. ASDF_ERR_UNSUPPORTED unless both are among UTC, TAI and TT.
    times to(time_scale scale) const {
        handle_type converted;
        detail::check(asdf_time_convert(handle_.get(), code(scale), converted.out()));
        return times(converted.release());
    }

    /// Returns the same points in time with the format in which they are stored.
    times with_format(time_format format) const {
        handle_type changed;
        detail::check(asdf_time_with_format(handle_.get(), code(format), changed.out()));
        return times(changed.release());
    }

    /// Returns dates of the same times, which have no time of day in text and in files. ASDF_ERR_VALUE_RANGE if a time
    /// is not the beginning of a day.
    times dates() const {
        handle_type changed;
        detail::check(asdf_time_with_dates(handle_.get(), changed.out()));
        return times(changed.release());
    }

    /// Returns whether the times are dates.
    bool has_dates() const {
        std::int32_t has = 0;
        detail::check(asdf_time_has_dates(handle_.get(), &has));
        return has != 0;
    }

    /// Returns points in time of the system clock, converted to UTC. ASDF_ERR_VALUE_RANGE for a time between two
    /// nanoseconds, ASDF_ERR_OUT_OF_RANGE in a leap second. A missing one is time_point::min().
    std::vector<time_point> time_points() const {
        std::vector<time_point> points;
        for (const std::int64_t since : nanoseconds(time_scale::utc)) {
            points.emplace_back(std::chrono::nanoseconds(since));
        }
        return points;
    }

    /// Returns the first point in time of the system clock; see time_points().
    asdf::time_point front() const {
        const std::vector<asdf::time_point> points = time_points();
        if (points.empty()) throw error(ASDF_ERR_OUT_OF_RANGE, "there is no point in time");
        return points.front();
    }

    /// Returns nanoseconds since 1970-01-01T00:00:00 on the clock of a scale; INT64_MIN for a missing time.
    std::vector<std::int64_t> nanoseconds(time_scale scale) const {
        std::vector<std::int64_t> since(size());
        detail::check(asdf_time_read_nanoseconds(handle_.get(), code(scale), since.data(), nullptr, since.size()));
        return since;
    }

    /// Returns Julian dates in the scale of the times: whole numbers and rests.
    std::pair<std::vector<double>, std::vector<double>> jd() const {
        std::pair<std::vector<double>, std::vector<double>> parts{std::vector<double>(size()), {}};
        parts.second.resize(parts.first.size());
        detail::check(asdf_time_read_jd(handle_.get(), parts.first.data(), parts.second.data(), parts.first.size()));
        return parts;
    }

    /// Returns numbers of a format; NaN for a missing time.
    std::vector<double> numbers(time_format format) const {
        std::vector<double> values(size());
        detail::check(asdf_time_read_numbers(handle_.get(), code(format), values.data(), values.size()));
        return values;
    }

    /// Returns a time as text, with decimals of a second, or with 3, 6 or 9 as needed for -1.
    std::string text(std::int64_t index = 0, time_format format = time_format::isot,
                     std::int32_t precision = -1) const {
        return detail::read_text(asdf_time_text, handle_.get(), index, code(format), precision);
    }

    /// Returns the warnings, such as a time after the end of the table of leap seconds.
    asdf::report report() const {
        asdf_report *report = nullptr;
        detail::check(asdf_time_report(handle_.get(), &report));
        return asdf::report(report);
    }

    /// Returns the handle of the C interface, which this object keeps.
    asdf_time *native_handle() const noexcept {
        return handle_.get();
    }

  private:
    template <class Enumeration> static std::int32_t code(Enumeration value) noexcept {
        return static_cast<std::int32_t>(value);
    }

    static times of_nanoseconds(const std::vector<std::int64_t> &since, const std::vector<std::int64_t> &extents,
                                const time_options &options) {
        handle_type made;
        detail::check(asdf_time_from_nanoseconds(since.data(), static_cast<std::int32_t>(extents.size()),
                                                 extents.data(), ASDF_TIME_SCALE_UTC,
                                                 detail::make_options(options).get(), made.out()));
        return times(made.release());
    }

    static times of_points(const std::vector<asdf::time_point> &points, const time_options &options) {
        std::vector<std::int64_t> since;
        for (const asdf::time_point &point : points) since.push_back(point.time_since_epoch().count());
        return of_nanoseconds(since, {static_cast<std::int64_t>(since.size())}, options);
    }

    handle_type handle_;
};

} // namespace asdf
