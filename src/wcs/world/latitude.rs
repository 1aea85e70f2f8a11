//! Latitudes beyond the poles: no point of the sky has one, though the formulas give it a pixel.

use crate::error::{Error, Result, Status};
use crate::wcs::model::{Blocks, Evaluation};

/// Largest latitude in degrees: 90, and rounding errors of other units.
const LARGEST_DEGREES: f64 = 90.0 + 1e-9;

/// The coordinate that is the latitude.
#[derive(Clone, Copy, Debug)]
pub(super) struct Latitude {
    pub(super) axis: usize,
    /// Factor that converts it to degrees.
    pub(super) to_degrees: f64,
}

impl Latitude {
    fn is_beyond(self, value: f64) -> bool {
        (value * self.to_degrees).abs() > LARGEST_DEGREES
    }

    pub(super) fn check(self, point: &[f64]) -> Result<()> {
        match point.get(self.axis) {
            Some(value) if self.is_beyond(*value) => Err(Error::new(
                Status::InvalidArgument,
                format!("the latitude {} is not between -90 and 90 degrees", value * self.to_degrees),
            )),
            _ => Ok(()),
        }
    }
}

/// A function of points in world coordinates for which latitudes beyond the poles are NaN.
pub(super) struct OnSphere<B> {
    pub(super) function: B,
    pub(super) latitude: Option<Latitude>,
}

impl<B: Blocks> Blocks for OnSphere<B> {
    type Scratch = B::Scratch;

    fn arity(&self) -> (usize, usize) {
        self.function.arity()
    }

    fn block(
        &self,
        scratch: &mut Self::Scratch,
        first: usize,
        count: usize,
        load: &mut dyn FnMut(usize, &mut [f64]),
        store: &mut dyn FnMut(usize, &[f64]),
    ) -> Result<Evaluation> {
        let mut load = |axis: usize, column: &mut [f64]| {
            load(axis, column);
            if let Some(latitude) = self.latitude
                && latitude.axis == axis
            {
                column.iter_mut().filter(|value| latitude.is_beyond(**value)).for_each(|value| *value = f64::NAN);
            }
        };
        self.function.block(scratch, first, count, &mut load, store)
    }
}
