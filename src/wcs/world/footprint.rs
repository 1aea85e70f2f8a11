//! Outline of an image on the sky.

use super::wcs::Wcs;
use crate::error::{Error, Result, Status};

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
    pub(in crate::wcs) fn pixel_limits(&self) -> Result<Vec<[f64; 2]>> {
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
}
