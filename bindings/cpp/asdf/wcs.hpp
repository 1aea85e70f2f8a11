// World coordinates: pixels to the sky and back, frames; transforms as functions.
#pragma once

#include "buffer.hpp"
#include "enumerations.hpp"
#include "error.hpp"
#include "handle.hpp"
#include "options.hpp"
#include "text.hpp"

#include <array>
#include <asdf.h>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace asdf {

/// Position on the sky in degrees, such as right ascension and declination.
struct sky_position {
    double longitude = 0;
    double latitude = 0;
};

/// Pixel of an image. (0, 0) is the center of the first pixel; x is the fastest axis.
struct pixel_position {
    double x = 0;
    double y = 0;
};

/// Interval of a coordinate. Both ends are inside.
struct interval {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
};

/// Scale and orientation of an image of the sky at a pixel.
struct sky_orientation {
    /// Position angle of the y axis in degrees, from north through east.
    double position_angle = 0;
    /// True if east is to the right where north is up.
    bool is_mirrored = false;
    /// Length of the pixel along the x axis in degrees.
    double x_scale = 0;
    /// Length of the pixel along the y axis in degrees.
    double y_scale = 0;
};

/// Places of the coordinates of many points in memory, in numbers.
struct point_strides {
    /// Distance of two coordinates of a point.
    std::int64_t axis = 0;
    /// Distance of two points.
    std::int64_t point = 0;

    /// Strides of x0 x1 ... y0 y1 ...
    static point_strides columns(std::size_t points) {
        return {static_cast<std::int64_t>(points), 1};
    }

    /// Strides of x0 y0 x1 y1 ...
    static point_strides rows(std::size_t axes) {
        return {1, static_cast<std::int64_t>(axes)};
    }
};

/// Counts of points with a special result.
struct evaluated_points {
    /// Points outside of the bounding box.
    std::int64_t outside = 0;
    /// Points for which an iteration did not converge.
    std::int64_t unconverged = 0;
};

/// Axis of a frame.
struct frame_axis {
    std::string name;
    /// Empty for a number without dimension.
    std::string unit;
    /// "SPATIAL", "SPECTRAL" or another word.
    std::string type;
    /// Such as "pos.eq.ra".
    std::string physical_type;
};

/// Coordinate frame: of pixels, of the world, or of a step between.
struct frame {
    std::string name;
    frame_kind kind = frame_kind::named;
    /// Axes in the order of the coordinates.
    std::vector<frame_axis> axes;
    /// Coordinate that each axis is in the native order: longitude, latitude.
    std::vector<std::int64_t> axes_order;
    /// Name of the reference frame, such as "icrs".
    std::optional<std::string> reference;
    /// Attributes of the reference frame, such as equinox.
    std::map<std::string, std::string> attributes;
    /// Parts of a composite frame.
    std::vector<frame> parts;
};

namespace detail {

inline std::size_t axes_of(const asdf_transform *transform,
                           asdf_status (*function)(const asdf_transform *, std::int64_t *)) {
    std::int64_t count = 0;
    check(function(transform, &count));
    return static_cast<std::size_t>(count);
}

/// Returns the number of points whose coordinates are one after the other.
inline std::size_t whole_points(std::size_t numbers, std::size_t axes) {
    if (axes == 0 || numbers % axes != 0) throw error(ASDF_ERR_INVALID_ARGUMENT, "the numbers are not whole points");
    return numbers / axes;
}

template <class Call> std::vector<interval> read_box(std::size_t axes, Call call) {
    std::vector<interval> box(axes);
    std::int32_t has = 0;
    for (std::size_t axis = 0; axis < axes; axis++) {
        check(call(static_cast<std::int64_t>(axis), &box[axis].low, &box[axis].high, &has));
    }
    return has ? box : std::vector<interval>();
}

} // namespace detail

/// Function of several numbers to several numbers. It never changes and does not depend on the file; several threads
/// can use it at once. A copy is one more owner of the same transform.
class transform {
  public:
    using handle_type = detail::handle<asdf_transform, asdf_transform_retain, asdf_transform_free>;

    /// Takes over a handle of the C interface.
    explicit transform(asdf_transform *owned) noexcept : handle_(owned) {}

    /// Returns the number of inputs.
    std::size_t input_count() const {
        return detail::axes_of(handle_.get(), asdf_transform_input_count);
    }

    /// Returns the number of outputs.
    std::size_t output_count() const {
        return detail::axes_of(handle_.get(), asdf_transform_output_count);
    }

    /// Returns the name of an input.
    std::string input_name(std::size_t index) const {
        return detail::read_text(asdf_transform_input_name, handle_.get(), static_cast<std::int64_t>(index));
    }

    /// Returns the name of an output.
    std::string output_name(std::size_t index) const {
        return detail::read_text(asdf_transform_output_name, handle_.get(), static_cast<std::int64_t>(index));
    }

    /// Returns the unit of an input; ASDF_ERR_NOT_FOUND if it has none.
    std::string input_unit(std::size_t index) const {
        return detail::read_text(asdf_transform_input_unit, handle_.get(), static_cast<std::int64_t>(index));
    }

    /// Returns the unit of an output; ASDF_ERR_NOT_FOUND if it has none.
    std::string output_unit(std::size_t index) const {
        return detail::read_text(asdf_transform_output_unit, handle_.get(), static_cast<std::int64_t>(index));
    }

    /// Returns the full tag.
    std::string tag() const {
        return detail::read_text(asdf_transform_tag, handle_.get());
    }

    /// Returns the name in the file; ASDF_ERR_NOT_FOUND if it has none.
    std::string name() const {
        return detail::read_text(asdf_transform_name, handle_.get());
    }

    /// Returns a line for each part: path, tag, numbers of inputs and outputs.
    std::string describe() const {
        return detail::read_text(asdf_transform_describe, handle_.get());
    }

    /// Returns the results for one point.
    std::vector<double> operator()(const std::vector<double> &point, const evaluate_options &options = {}) const {
        std::vector<double> result(output_count());
        detail::check(asdf_transform_at(handle_.get(), point.data(), point.size(), detail::make_options(options).get(),
                                        result.data(), result.size()));
        return result;
    }

    /// Returns the result for one number, for a transform of one input to one output.
    double operator()(double x, const evaluate_options &options = {}) const {
        double result = 0;
        detail::check(
            asdf_transform_at(handle_.get(), &x, 1, detail::make_options(options).get(), &result, std::size_t{1}));
        return result;
    }

    /// Evaluates points in memory of the caller. The output can be the input.
    evaluated_points evaluate(std::size_t points, const double *input, std::size_t length, point_strides input_strides,
                              double *output, std::size_t capacity, point_strides strides,
                              const evaluate_options &options = {}) const {
        evaluated_points done;
        detail::check(asdf_transform_evaluate(
            handle_.get(), static_cast<std::int64_t>(points), input, length, input_strides.axis, input_strides.point,
            detail::make_options(options).get(), output, capacity, strides.axis, strides.point, &done.outside));
        return done;
    }

    /// Returns the results for points whose coordinates are one after the other: x0 y0 x1 y1 ...
    std::vector<double> evaluate(const std::vector<double> &points, const evaluate_options &options = {}) const {
        const std::size_t inputs = input_count(), outputs = output_count();
        const std::size_t count = detail::whole_points(points.size(), inputs);
        std::vector<double> results(count * outputs);
        evaluate(count, points.data(), points.size(), point_strides::rows(inputs), results.data(), results.size(),
                 point_strides::rows(outputs), options);
        return results;
    }

    /// Returns the inverse: the one in the file, or else the analytic one; ASDF_ERR_NO_INVERSE if there is none.
    transform inverse() const {
        handle_type made;
        detail::check(asdf_transform_inverse(handle_.get(), made.out()));
        return transform(made.release());
    }

    /// Returns the transform of the other inputs, with constants for some inputs.
    transform fix(const std::map<std::int64_t, double> &values) const {
        std::vector<std::int64_t> inputs;
        std::vector<double> constants;
        for (const auto &[input, value] : values) {
            inputs.push_back(input);
            constants.push_back(value);
        }
        handle_type made;
        detail::check(asdf_transform_fix(handle_.get(), inputs.data(), static_cast<std::int64_t>(inputs.size()),
                                         constants.data(), made.out()));
        return transform(made.release());
    }

    /// Returns the same transform for values in other units; NULL for the own ones of the transform. A list in braces
    /// is never one unit.
    template <typename Unit, typename = std::enable_if_t<std::is_convertible_v<Unit, const char *>>>
    transform in_units(Unit input_unit, const char *output_unit = nullptr) const {
        return in_units(std::vector<const char *>{input_unit}, std::vector<const char *>{output_unit});
    }

    /// Returns the same transform for values in other units, one for each coordinate: `{"deg", "deg", nullptr}`. NULL
    /// and an empty list stand for the own units of the transform.
    transform in_units(const std::vector<const char *> &inputs, const std::vector<const char *> &outputs = {}) const {
        handle_type made;
        detail::check(asdf_transform_in_units(handle_.get(), inputs.data(), static_cast<std::int64_t>(inputs.size()),
                                              outputs.data(), static_cast<std::int64_t>(outputs.size()), made.out()));
        return transform(made.release());
    }

    /// Returns the interval of each input; nothing without a bounding box.
    std::vector<interval> bounding_box() const {
        return detail::read_box(input_count(), [this](std::int64_t axis, double *low, double *high, std::int32_t *has) {
            return asdf_transform_bounding_box(handle_.get(), axis, low, high, has);
        });
    }

    /// Returns for each output and each input 1 if the output depends on the input, else 0.
    std::vector<std::uint8_t> dependence() const {
        std::vector<std::uint8_t> matrix(input_count() * output_count());
        detail::check(asdf_transform_dependence(handle_.get(), matrix.data(), matrix.size()));
        return matrix;
    }

    /// Returns the handle for functions of the C interface.
    const asdf_transform *native_handle() const noexcept {
        return handle_.get();
    }

  private:
    handle_type handle_;
};

/// Cards of a FITS header that approximate world coordinates.
struct fits_cards {
    /// Cards of 80 characters in a row. The last one is END.
    std::string text;
    /// Largest error of a position on the sky in pixels.
    double error = 0;
    /// Largest error of a pixel in pixels.
    double inverse_error = 0;
};

/// World coordinates of an image or a spectrum. They never change and do not depend on the file; several threads can
/// use them at once. A copy is one more owner of the same object.
class wcs {
  public:
    using handle_type = detail::handle<asdf_wcs, asdf_wcs_retain, asdf_wcs_free>;

    /// Takes over a handle of the C interface.
    explicit wcs(asdf_wcs *owned) noexcept : handle_(owned) {}

    /// Makes world coordinates of cards of a FITS header: cards of 80 characters in a row, or one in each line.
    static wcs from_cards(std::string_view cards, const cards_options &options = {}) {
        handle_type made;
        detail::check(asdf_wcs_read_cards(cards.data(), cards.size(), detail::make_options(options).get(), made.out()));
        return wcs(made.release());
    }

    /// Makes cards of a FITS header that approximate the image: a tangent plane with polynomials of SIP.
    /// ASDF_ERR_NO_CONVERGENCE if they do not reach the errors in the options.
    fits_cards cards(const make_cards_options &options = {}) const {
        fits_cards made;
        asdf_buffer *owned = nullptr;
        detail::check(asdf_wcs_make_cards(handle_.get(), detail::make_options(options).get(), &owned, &made.error,
                                          &made.inverse_error));
        const buffer text(owned);
        made.text.assign(reinterpret_cast<const char *>(text.data()), text.size());
        return made;
    }

    /// Returns the position of a pixel on the sky: `auto [ra, dec] = wcs(x, y)`. NaN outside of the bounding box.
    /// ASDF_ERR_UNSUPPORTED for anything but an image of the sky.
    sky_position operator()(double x, double y, const evaluate_options &options = {}) const {
        sky_position sky;
        detail::check(
            asdf_wcs_sky_at(handle_.get(), x, y, detail::make_options(options).get(), &sky.longitude, &sky.latitude));
        return sky;
    }

    /// Returns the pixel at a position on the sky: `auto [x, y] = wcs.pixel(ra, dec)`. NaN outside of the bounding box.
    pixel_position pixel(double longitude, double latitude, const evaluate_options &options = {}) const {
        pixel_position pixel;
        detail::check(asdf_wcs_pixel_at(handle_.get(), longitude, latitude, detail::make_options(options).get(),
                                        &pixel.x, &pixel.y));
        return pixel;
    }

    /// Computes the world coordinates of pixels in memory of the caller. The output can be the input.
    evaluated_points pixel_to_world(std::size_t points, const double *input, std::size_t length,
                                    point_strides input_strides, double *output, std::size_t capacity,
                                    point_strides strides, const evaluate_options &options = {}) const {
        evaluated_points done;
        detail::check(asdf_wcs_pixel_to_world(
            handle_.get(), static_cast<std::int64_t>(points), input, length, input_strides.axis, input_strides.point,
            detail::make_options(options).get(), output, capacity, strides.axis, strides.point, &done.outside));
        return done;
    }

    /// Computes the pixels of world coordinates in memory of the caller. The output can be the input.
    evaluated_points world_to_pixel(std::size_t points, const double *input, std::size_t length,
                                    point_strides input_strides, double *output, std::size_t capacity,
                                    point_strides strides, const evaluate_options &options = {}) const {
        evaluated_points done;
        detail::check(asdf_wcs_world_to_pixel(handle_.get(), static_cast<std::int64_t>(points), input, length,
                                              input_strides.axis, input_strides.point,
                                              detail::make_options(options).get(), output, capacity, strides.axis,
                                              strides.point, &done.outside, &done.unconverged));
        return done;
    }

    /// Returns the world coordinates of pixels, both one point after the other: x0 y0 x1 y1 ...
    std::vector<double> pixel_to_world(const std::vector<double> &pixels, const evaluate_options &options = {}) const {
        const auto [inputs, outputs] = axes();
        const std::size_t count = detail::whole_points(pixels.size(), inputs);
        std::vector<double> results(count * outputs);
        pixel_to_world(count, pixels.data(), pixels.size(), point_strides::rows(inputs), results.data(), results.size(),
                       point_strides::rows(outputs), options);
        return results;
    }

    /// Returns the pixels of world coordinates, both one point after the other.
    std::vector<double> world_to_pixel(const std::vector<double> &world, const evaluate_options &options = {}) const {
        const auto [outputs, inputs] = axes();
        const std::size_t count = detail::whole_points(world.size(), inputs);
        std::vector<double> results(count * outputs);
        world_to_pixel(count, world.data(), world.size(), point_strides::rows(inputs), results.data(), results.size(),
                       point_strides::rows(outputs), options);
        return results;
    }

    /// Returns whether pixels are found by iteration, because a step has no inverse.
    bool is_inverse_numerical() const {
        std::int32_t numerical = 0;
        detail::check(asdf_wcs_is_inverse_numerical(handle_.get(), &numerical));
        return numerical != 0;
    }

    /// Returns the transform from one frame to another, by their names; NULL for the pixels, and for the world.
    asdf::transform transform(const char *from = nullptr, const char *to = nullptr) const {
        asdf::transform::handle_type made;
        detail::check(asdf_wcs_transform(handle_.get(), from, to, made.out()));
        return asdf::transform(made.release());
    }

    /// Returns the name; ASDF_ERR_NOT_FOUND if it has none.
    std::string name() const {
        return detail::read_text(asdf_wcs_name, handle_.get());
    }

    /// Returns the frames in the order of the steps: that of the pixels first, that of the world last.
    std::vector<frame> frames() const {
        std::int64_t count = 0;
        detail::check(asdf_wcs_frame_count(handle_.get(), &count));
        std::vector<frame> found;
        for (std::int64_t number = 0; number < count; number++) found.push_back(frame_of(number));
        return found;
    }

    /// Returns the numbers of pixels along the axes, x first; ASDF_ERR_NOT_FOUND if the file does not tell them.
    std::vector<std::int64_t> pixel_shape() const {
        std::vector<std::int64_t> shape(ASDF_MAX_RANK);
        std::int32_t count = 0;
        detail::check(asdf_wcs_pixel_shape(handle_.get(), shape.data(), ASDF_MAX_RANK, &count));
        shape.resize(static_cast<std::size_t>(count));
        return shape;
    }

    /// Returns the interval of each pixel axis, x first; nothing without a bounding box.
    std::vector<interval> bounding_box() const {
        return detail::read_box(axes().first, [this](std::int64_t axis, double *low, double *high, std::int32_t *has) {
            return asdf_wcs_bounding_box(handle_.get(), axis, low, high, has);
        });
    }

    /// Returns the world coordinates of the corners, or of the centers of the pixels in the corners. Those of an image
    /// are (low x, low y), (low x, high y), (high x, high y), (high x, low y).
    std::vector<std::vector<double>> footprint(bool center = false) const {
        std::int64_t count = 0, coordinates = 0;
        detail::check(asdf_wcs_footprint(handle_.get(), center, nullptr, 0, &count, &coordinates));
        const auto width = static_cast<std::size_t>(coordinates);
        std::vector<double> all(static_cast<std::size_t>(count) * width);
        detail::check(asdf_wcs_footprint(handle_.get(), center, all.data(), all.size(), &count, &coordinates));
        std::vector<std::vector<double>> corners;
        for (std::size_t start = 0; start < all.size(); start += width) {
            corners.emplace_back(all.data() + start, all.data() + start + width);
        }
        return corners;
    }

    /// Returns the pixel in the middle of the image, x first.
    std::vector<double> center() const {
        std::vector<double> pixel(axes().first);
        detail::check(asdf_wcs_center(handle_.get(), pixel.data(), pixel.size()));
        return pixel;
    }

    /// Returns the scale at a pixel in degrees: the square root of its area.
    double pixel_scale(double x, double y) const {
        double scale = 0;
        detail::check(asdf_wcs_pixel_scale(handle_.get(), x, y, &scale));
        return scale;
    }

    /// Returns the orientation at a pixel.
    sky_orientation orientation(double x, double y) const {
        sky_orientation found;
        std::int32_t mirrored = 0;
        detail::check(asdf_wcs_orientation(handle_.get(), x, y, &found.position_angle, &mirrored, &found.x_scale,
                                           &found.y_scale));
        found.is_mirrored = mirrored != 0;
        return found;
    }

    /// Returns the index of the array element that contains a pixel: the slowest axis first.
    std::vector<std::int64_t> array_index(const std::vector<double> &pixel) const {
        std::vector<std::int64_t> index(pixel.size());
        detail::check(asdf_wcs_array_index(handle_.get(), pixel.data(), pixel.size(), index.data(), index.size()));
        return index;
    }

    /// Returns for each world coordinate and each pixel axis 1 if the coordinate depends on the axis, else 0.
    std::vector<std::uint8_t> axis_correlation() const {
        const auto [pixels, world] = axes();
        std::vector<std::uint8_t> matrix(pixels * world);
        detail::check(asdf_wcs_axis_correlation(handle_.get(), matrix.data(), matrix.size()));
        return matrix;
    }

    /// Returns the handle for functions of the C interface.
    const asdf_wcs *native_handle() const noexcept {
        return handle_.get();
    }

  private:
    /// Returns the numbers of pixel axes and world coordinates.
    std::pair<std::size_t, std::size_t> axes() const {
        const asdf::transform whole = transform();
        return {whole.input_count(), whole.output_count()};
    }

    frame frame_of(std::int64_t number) const {
        const asdf_wcs *self = handle_.get();
        frame found;
        std::int32_t kind = 0, order = 0;
        std::int64_t axes = 0, parts = 0;
        found.name = detail::read_text(asdf_wcs_frame_name, self, number);
        detail::check(asdf_wcs_frame_kind(self, number, &kind));
        found.kind = static_cast<frame_kind>(kind);
        detail::check(asdf_wcs_frame_axis_count(self, number, &axes));
        for (std::int64_t axis = 0; axis < axes; axis++) {
            found.axes.push_back({detail::read_text(asdf_wcs_axis_name, self, number, axis),
                                  detail::read_text(asdf_wcs_axis_unit, self, number, axis),
                                  detail::read_text(asdf_wcs_axis_type, self, number, axis),
                                  detail::read_text(asdf_wcs_axis_physical_type, self, number, axis)});
        }
        detail::check(asdf_wcs_frame_axes_order(self, number, nullptr, 0, &order));
        found.axes_order.resize(static_cast<std::size_t>(order));
        if (order > 0) {
            detail::check(asdf_wcs_frame_axes_order(self, number, found.axes_order.data(), order, &order));
        }
        read_reference(number, found);
        detail::check(asdf_wcs_frame_part_count(self, number, &parts));
        for (std::int64_t index = 0; index < parts; index++) {
            std::int64_t part = 0;
            detail::check(asdf_wcs_frame_part(self, number, index, &part));
            found.parts.push_back(frame_of(part));
        }
        return found;
    }

    void read_reference(std::int64_t number, frame &found) const {
        const asdf_wcs *self = handle_.get();
        std::int64_t attributes = 0;
        const asdf_status status = asdf_wcs_reference_attribute_count(self, number, &attributes);
        if (status == ASDF_ERR_NOT_FOUND) return;
        detail::check(status);
        found.reference = detail::read_text(asdf_wcs_frame_reference, self, number);
        for (std::int64_t index = 0; index < attributes; index++) {
            found.attributes[detail::read_text(asdf_wcs_reference_attribute_name, self, number, index)] =
                detail::read_text(asdf_wcs_reference_attribute_value, self, number, index);
        }
    }

    handle_type handle_;
};

} // namespace asdf
