// Units of physical quantities: texts, kinds, conversions.
#pragma once

#include "enumerations.hpp"
#include "error.hpp"
#include "options.hpp"
#include "results.hpp"
#include "text.hpp"

#include <asdf.h>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace asdf {

/// Factor and offset between two units.
struct unit_scale {
    double factor = 1;
    double offset = 0;

    /// Returns a value in the new unit.
    double operator()(double value) const noexcept {
        return factor * value + offset;
    }
};

/// A unit of a file: its text and the spelling of the text. Any text is accepted; one that is no unit equals only
/// itself.
///
///     const asdf::unit speed("km / h");
///     speed.scale_to("m / s").factor;
class unit {
  public:
    unit(std::string text, asdf::spelling spelling = asdf::spelling::generic)
        : text_(std::move(text)), spelling_(spelling) {}

    unit(const char *text, asdf::spelling spelling = asdf::spelling::generic) : unit(std::string(text), spelling) {}

    /// Returns the text as it was given.
    const std::string &text() const noexcept {
        return text_;
    }

    /// Returns the unit in a spelling, as astropy writes it. Throws ASDF_ERR_UNITS if the spelling cannot express it.
    std::string format(asdf::spelling spelling = asdf::spelling::generic) const {
        return detail::read_text(asdf_unit_format, c_string(text_).c_str(), number(spelling_), number(spelling));
    }

    /// Returns the kind of the unit.
    unit_kind kind() const {
        std::int32_t kind = 0;
        detail::check(asdf_unit_kind(c_string(text_).c_str(), number(spelling_), &kind));
        return static_cast<unit_kind>(kind);
    }

    /// Returns the unit whose logarithm this one is: AB of mag(AB).
    std::optional<unit> physical() const {
        return detail::if_found(
            [&] { return unit(detail::read_text(asdf_unit_physical, c_string(text_).c_str(), number(spelling_))); });
    }

    /// Returns factor and offset to another unit. Throws ASDF_ERR_UNITS if the units are not commensurable, or if the
    /// conversion is not linear.
    unit_scale scale_to(const unit &other, const unit_options &options = {}) const {
        const detail::option_handle given = detail::make_options(options);
        unit_scale scale;
        detail::check(asdf_unit_factor(c_string(text_).c_str(), number(spelling_), c_string(other.text_).c_str(),
                                       number(other.spelling_), given.get(), &scale.factor, &scale.offset));
        return scale;
    }

    /// Returns values in another unit. Logarithms are converted, too.
    std::vector<double> convert(const std::vector<double> &values, const unit &other,
                                const unit_options &options = {}) const {
        const detail::option_handle given = detail::make_options(options);
        std::vector<double> converted(values.size());
        detail::check(asdf_unit_convert(c_string(text_).c_str(), number(spelling_), c_string(other.text_).c_str(),
                                        number(other.spelling_), values.data(), values.size(), given.get(),
                                        converted.data(), converted.size()));
        return converted;
    }

    friend bool operator==(const unit &left, const unit &right) {
        std::int32_t equal = 0;
        detail::check(asdf_unit_equal(c_string(left.text_).c_str(), number(left.spelling_),
                                      c_string(right.text_).c_str(), number(right.spelling_), &equal));
        return equal != 0;
    }

    friend bool operator!=(const unit &left, const unit &right) {
        return !(left == right);
    }

  private:
    static std::int32_t number(asdf::spelling spelling) noexcept {
        return static_cast<std::int32_t>(spelling);
    }

    std::string text_;
    asdf::spelling spelling_;
};

/// Returns options for reading an array, a region or a column in a unit. Other options can be added to them.
///
///     std::vector<double> metres = file["distance"].array().read<double>(asdf::in_unit("m"));
inline read_options in_unit(const unit &unit, std::string equivalencies = {}) {
    read_options options;
    options.unit = unit.format();
    if (!equivalencies.empty()) options.equivalencies = std::move(equivalencies);
    return options;
}

} // namespace asdf
