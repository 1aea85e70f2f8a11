//! Images of the sky: single positions, and center, scale and orientation of an image.

use super::frame::Frame;
use super::latitude::Latitude;
use super::wcs::Wcs;
use crate::error::{Error, Result, Status};
use crate::wcs::kernel::rotation::to_cartesian;
use crate::wcs::model::Layout;
use crate::wcs::options::EvaluateOptions;
use crate::wcs::unit::Unit;

/// Direction as a unit vector.
type Direction = [f64; 3];

/// Scale and orientation of an image of the sky at a pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SkyGeometry {
    /// Length of a pixel along the x axis and along the y axis, in degrees.
    pub scale: [f64; 2],
    /// Area of the pixel in square degrees.
    pub area: f64,
    /// Position angle of the y axis in degrees: from north through east, from 0 up to 360.
    pub position_angle: f64,
    /// True if the image is mirrored: east is to the right where north is up.
    pub is_mirrored: bool,
}

/// Coordinates of a WCS that are longitude and latitude, and the factors that convert them to degrees.
struct Celestial {
    places: [usize; 2],
    factors: [f64; 2],
}

fn no_image() -> Error {
    Error::new(Status::Unsupported, "the WCS is not that of an image of the sky: two pixel axes to a celestial frame")
}

fn dot(a: &Direction, b: &Direction) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

impl Wcs {
    fn celestial(&self) -> Result<Celestial> {
        let frame = self.frames().last().ok_or_else(no_image)?;
        let places = frame.celestial().ok_or_else(no_image)?;
        let factor = |place: usize| factor_to_degrees(frame, place);
        Ok(Celestial { places, factors: [factor(places[0])?, factor(places[1])?] })
    }

    /// Returns which of the world coordinates is the latitude, if there is one.
    pub(super) fn latitude(&self) -> Option<Latitude> {
        let celestial = self.celestial().ok()?;
        Some(Latitude { axis: celestial.places[1], to_degrees: celestial.factors[1] })
    }

    /// Fails with [`Status::InvalidArgument`] for a point in world coordinates whose latitude is beyond ±90°.
    pub fn check_world(&self, point: &[f64]) -> Result<()> {
        self.latitude().map_or(Ok(()), |latitude| latitude.check(point))
    }

    /// Returns longitude and latitude of a pixel in degrees. A pixel outside of the bounding box has the fill value
    /// unless the options say otherwise.
    ///
    /// Fails with [`Status::Unsupported`] for anything but two pixel axes and a celestial frame.
    pub fn sky(&self, x: f64, y: f64, options: &EvaluateOptions) -> Result<[f64; 2]> {
        let Celestial { places, factors } = self.celestial()?;
        let (inputs, outputs) = self.forward()?.arity();
        if inputs != 2 {
            return Err(no_image());
        }
        let mut world = [0.0; 8];
        let world = world.get_mut(..outputs).ok_or_else(no_image)?;
        let layout = Layout::columns(1);
        self.pixel_to_world(1, &[x, y], layout, world, layout, options)?;
        match places.map(|place| world.get(place).copied()) {
            [Some(longitude), Some(latitude)] => Ok([longitude * factors[0], latitude * factors[1]]),
            _ => Err(no_image()),
        }
    }

    /// Returns the pixel at a longitude and latitude in degrees. A pixel outside of the bounding box is replaced by the
    /// fill value unless the options say otherwise. Both coordinates are NaN if an iteration does not converge.
    ///
    /// Fails with [`Status::Unsupported`] for anything but two pixel axes and the two of a celestial frame, with
    /// [`Status::InvalidArgument`] for a latitude beyond ±90°.
    pub fn pixel_of_sky(&self, longitude: f64, latitude: f64, options: &EvaluateOptions) -> Result<[f64; 2]> {
        let Celestial { places, factors } = self.celestial()?;
        if self.forward()?.arity() != (2, 2) {
            return Err(no_image());
        }
        let mut world = [longitude / factors[0], latitude / factors[1]];
        if places[0] > places[1] {
            world.swap(0, 1);
        }
        self.check_world(&world)?;
        let mut pixel = [0.0; 2];
        let layout = Layout::columns(1);
        self.world_to_pixel(1, &world, layout, &mut pixel, layout, options)?;
        Ok(pixel)
    }

    /// Returns the center of an image: the pixel in the middle of the bounding box, or of the whole image where there is
    /// no box.
    pub fn center(&self) -> Result<Vec<f64>> {
        Ok(self.pixel_limits()?.iter().map(|[low, high]| low + (high - low) / 2.0).collect())
    }

    /// Returns scale and orientation at a pixel, also outside of the bounding box.
    ///
    /// Fails with [`Status::Unsupported`] for anything but two pixel axes and a celestial frame.
    pub fn sky_geometry(&self, x: f64, y: f64) -> Result<SkyGeometry> {
        let options = EvaluateOptions { with_bounding_box: Some(false), ..EvaluateOptions::default() };
        let direction = |x: f64, y: f64| self.sky(x, y, &options).map(to_cartesian);
        let difference = |from: Direction, to: Direction| -> Direction { std::array::from_fn(|i| to[i] - from[i]) };
        let along = difference(direction(x - 0.5, y)?, direction(x + 0.5, y)?);
        let across = difference(direction(x, y - 0.5)?, direction(x, y + 0.5)?);
        let [longitude, latitude] = self.sky(x, y, &options)?;
        let (sine, cosine) = longitude.to_radians().sin_cos();
        let (up_sine, up_cosine) = latitude.to_radians().sin_cos();
        let east = [-sine, cosine, 0.0];
        let north = [-up_sine * cosine, -up_sine * sine, up_cosine];
        let flat = |vector: &Direction| [dot(vector, &east), dot(vector, &north)];
        let ([along_east, along_north], [across_east, across_north]) = (flat(&along), flat(&across));
        let determinant = along_east * across_north - along_north * across_east;
        let angle = across_east.atan2(across_north).to_degrees();
        Ok(SkyGeometry {
            scale: [along_east.hypot(along_north).to_degrees(), across_east.hypot(across_north).to_degrees()],
            area: determinant.abs().to_degrees().to_degrees(),
            position_angle: if angle < 0.0 { angle + 360.0 } else { angle },
            is_mirrored: determinant > 0.0,
        })
    }

    /// Returns the scale at a pixel in degrees: the square root of the area of the pixel on the sky.
    ///
    /// Fails with [`Status::Unsupported`] for anything but two pixel axes and a celestial frame.
    pub fn pixel_scale(&self, x: f64, y: f64) -> Result<f64> {
        Ok(self.sky_geometry(x, y)?.area.sqrt())
    }
}

fn factor_to_degrees(frame: &Frame, place: usize) -> Result<f64> {
    let axis = frame.axes.get(place).ok_or_else(no_image)?;
    if axis.unit.is_empty() || axis.unit == "deg" {
        return Ok(1.0);
    }
    Unit::read(&axis.unit).factor_to(&Unit::degree()).ok_or_else(|| {
        Error::new(
            Status::Units,
            format!("the unit '{}' of the axis '{}' is not that of an angle", axis.unit, axis.name),
        )
    })
}
