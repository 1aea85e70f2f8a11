// Coordinates: positions on the sky, frames, places on Earth and angles, as components with units, and attributes.
#pragma once

#include "array.hpp"
#include "enumerations.hpp"
#include "error.hpp"
#include "extents.hpp"
#include "handle.hpp"
#include "options.hpp"
#include "text.hpp"

#include <asdf.h>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace asdf {

class node;

/// Coordinates of a file or of a column of a table. A component is found under its name in the frame, such as "ra",
/// and under its general name: "lon", "lat", "distance", "x". They never change. A copy is one more owner of the same
/// coordinates.
///
///     asdf::coordinates sky = file["target"].coordinates();
///     std::vector<double> ra = sky.numbers("lon", "deg");
class coordinates {
  public:
    using handle_type = detail::handle<asdf_coordinates, asdf_coordinates_retain, asdf_coordinates_free>;

    /// Takes over a handle of the C interface.
    explicit coordinates(asdf_coordinates *owned) noexcept : handle_(owned) {}

    /// Returns the kind.
    coordinates_kind kind() const {
        std::int32_t kind = 0;
        detail::check(asdf_coordinates_kind(handle_.get(), &kind));
        return static_cast<coordinates_kind>(kind);
    }

    /// Returns the name of the frame: "icrs", "fk5", "galactic"; empty without a frame.
    std::string frame() const {
        return detail::read_text(asdf_coordinates_frame, handle_.get());
    }

    /// Returns the name of the representation of positions: "spherical", "cartesian"; empty without positions.
    std::string representation() const {
        return detail::read_text(asdf_coordinates_representation, handle_.get());
    }

    /// Returns the name of the representation of velocities: "sphericalcoslat"; empty without velocities.
    std::string differential() const {
        return detail::read_text(asdf_coordinates_differential, handle_.get());
    }

    /// Returns the extents of the points; none for a single point.
    asdf::shape shape() const {
        return detail::read_extents([&](std::int64_t *extents, std::int32_t capacity, std::int32_t *rank) {
            return asdf_coordinates_shape(handle_.get(), extents, capacity, rank);
        });
    }

    /// Returns the number of points.
    std::size_t size() const {
        return count(asdf_coordinates_count);
    }

    /// Returns the names of the components in their frame: "ra", "dec", "distance", "pm_ra_cosdec".
    std::vector<std::string> names() const {
        return list(asdf_coordinates_component_count, asdf_coordinates_component_name);
    }

    /// Returns whether there is a component of this name.
    bool has(const c_string &name) const {
        std::int32_t answer = 0;
        detail::check(asdf_coordinates_has_component(handle_.get(), name.c_str(), &answer));
        return answer != 0;
    }

    /// Returns the unit of a component as the file has it. ASDF_ERR_NOT_FOUND if there is no such component.
    std::string unit(const c_string &name) const {
        return detail::read_text(asdf_coordinates_unit, handle_.get(), name.c_str());
    }

    /// Reads the numbers of a component in its unit; NaN for missing ones.
    std::vector<double> numbers(const c_string &name, const coordinates_options &options = {}) const {
        return read(name, nullptr, options);
    }

    /// Reads the numbers of a component, converted to a unit. ASDF_ERR_UNITS if that is not possible.
    std::vector<double> numbers(const c_string &name, const c_string &unit,
                                const coordinates_options &options = {}) const {
        return read(name, unit.c_str(), options);
    }

    /// Returns the array of a component. ASDF_ERR_WRONG_TYPE if it is a single number.
    asdf::array array(const c_string &name) const {
        asdf_array *found = nullptr;
        detail::check(asdf_coordinates_array(handle_.get(), name.c_str(), &found));
        return asdf::array(found);
    }

    /// Returns the names of the attributes: "equinox", "obstime", "location".
    std::vector<std::string> attribute_names() const {
        return list(asdf_coordinates_attribute_count, asdf_coordinates_attribute_name);
    }

    /// Returns the node of an attribute: a time, coordinates, a quantity or text. ASDF_ERR_NOT_FOUND if there is none.
    node attribute(const c_string &name) const;

    /// Returns the handle of the C interface, which this object keeps.
    asdf_coordinates *native_handle() const noexcept {
        return handle_.get();
    }

  private:
    std::vector<double> read(const c_string &name, const char *unit, const coordinates_options &options) const {
        std::vector<double> values(size());
        const auto made = detail::make_options(options);
        detail::check(
            asdf_coordinates_read(handle_.get(), name.c_str(), unit, made.get(), values.data(), values.size()));
        return values;
    }

    template <class Function> std::size_t count(Function function) const {
        std::int64_t count = 0;
        detail::check(function(handle_.get(), &count));
        return static_cast<std::size_t>(count);
    }

    template <class Count, class Name> std::vector<std::string> list(Count counter, Name name) const {
        std::vector<std::string> names;
        const std::size_t total = count(counter);
        for (std::size_t index = 0; index < total; index++) {
            names.push_back(detail::read_text(name, handle_.get(), static_cast<std::int64_t>(index)));
        }
        return names;
    }

    handle_type handle_;
};

/// Positions on the sky, to be stored.
struct sky_points {
    std::string frame = "icrs";       ///< name of the frame as astropy has it
    std::vector<double> longitudes;   ///< right ascensions, galactic longitudes or azimuths
    std::vector<double> latitudes;    ///< declinations, galactic latitudes or altitudes
    std::string unit = "deg";         ///< unit of the angles
    std::vector<double> distances;    ///< distances; empty for none
    std::string distance_unit;        ///< unit of the distances
    std::optional<asdf::shape> shape; ///< shape of the points; by default one axis
};

} // namespace asdf
