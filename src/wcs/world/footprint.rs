//! Outline and scale of an image on the sky.

use super::wcs::Wcs;
use crate::error::{Error, Result, Status};
use crate::wcs::kernel::rotation::to_cartesian;

/// Largest number of pixel axes with a footprint, whose corners are two to this power.
const MAX_AXES: usize = 16;

impl Wcs {
    /// Returns the world coordinates of the corners of the bounding box of the pixels, or of the whole image where there
    /// is no box.
    ///
    /// Four corners are in the order (x₀, y₀), (x₀, y₁), (x₁, y₁), (x₁, y₀). Corners of more or fewer axes are in the order
    /// in which the last axis varies fastest. `center` rounds corners to the centers of pixels.
    pub fn footprint(&self, center: bool) -> Result<Vec<Vec<f64>>> {
        let limits = self.pixel_limits()?;
        if limits.len() > MAX_AXES {
            return Err(Error::limit("axes of a footprint", MAX_AXES as u64));
        }
        let mut corners: Vec<Vec<f64>> = vec![Vec::new()];
        for ends in &limits {
            let rounded = |end: f64| if center { (end + 0.5).floor() } else { end };
            let extended = |corner: &Vec<f64>| ends.map(|end| [corner.as_slice(), &[rounded(end)]].concat());
            corners = corners.iter().flat_map(extended).collect();
        }
        let is_image =
            self.frames().last().is_none_or(|frame| frame.axes.iter().all(|axis| axis.axis_type == "SPATIAL"));
        if corners.len() == 4 && self.forward()?.arity().1 == 2 && is_image {
            corners.swap(2, 3);
        }
        corners.iter().map(|corner| self.world(corner)).collect()
    }

    /// Returns the limits of all pixel axes.
    fn pixel_limits(&self) -> Result<Vec<[f64; 2]>> {
        let missing = || Error::new(Status::NotFound, "the WCS has no bounding box");
        match self.bounding_box() {
            Ok(limits) => limits.into_iter().collect::<Option<_>>().ok_or_else(missing),
            Err(error) if error.status() == Status::NotFound => {
                let shape = self.pixel_shape().ok_or(error)?;
                Ok(shape.iter().map(|length| [-0.5, *length as f64 - 0.5]).collect())
            }
            Err(error) => Err(error),
        }
    }

    /// Returns the scale at a pixel in degrees: the square root of the area of the pixel on the sky.
    ///
    /// Fails with [`Status::Unsupported`] for anything but two pixel axes to longitude and latitude.
    pub fn pixel_scale(&self, pixel: &[f64]) -> Result<f64> {
        let celestial = self.frames().last().and_then(|frame| frame.celestial());
        let (Some([longitude, latitude]), [x, y]) = (celestial, pixel) else {
            return Err(Error::new(Status::Unsupported, "a scale needs an image of the sky"));
        };
        let direction = |x: f64, y: f64| -> Result<[f64; 3]> {
            let world = self.world(&[x, y])?;
            match (world.get(longitude), world.get(latitude)) {
                (Some(longitude), Some(latitude)) => Ok(to_cartesian([*longitude, *latitude])),
                _ => Err(Error::new(Status::Unsupported, "a scale needs an image of the sky")),
            }
        };
        let (left, right) = (direction(x - 0.5, *y)?, direction(x + 0.5, *y)?);
        let (below, above) = (direction(*x, y - 0.5)?, direction(*x, y + 0.5)?);
        let along: [f64; 3] = std::array::from_fn(|axis| right[axis] - left[axis]);
        let across: [f64; 3] = std::array::from_fn(|axis| above[axis] - below[axis]);
        let normal = [
            along[1] * across[2] - along[2] * across[1],
            along[2] * across[0] - along[0] * across[2],
            along[0] * across[1] - along[1] * across[0],
        ];
        let area = normal.iter().map(|value| value * value).sum::<f64>().sqrt();
        Ok(area.sqrt().to_degrees())
    }
}
