//! Functions that are computed for several points at once, with the vector instructions of the machine.

use super::vector::{LANES, Lanes};
use super::{Inputs, OutOfDomain};
use crate::array::{Loop, run_widest};

/// A function of several coordinates. Methods are `#[inline(always)]`, and so is all that they call.
pub(super) trait OnLanes<const N: usize, const M: usize> {
    /// Returns the values at some points.
    fn lanes(&self, point: &[Lanes; N]) -> [Lanes; M];

    /// Returns whether [`OnLanes::lanes`] serves for these points. Otherwise each is computed alone.
    fn serves(&self, point: &[Lanes; N]) -> bool;

    /// Returns the values at a single point, whatever its coordinates are.
    fn alone(&self, point: [f64; N]) -> [f64; M];
}

/// Computes a function for all points of a block.
pub(super) fn on_lanes<const N: usize, const M: usize>(
    function: &impl OnLanes<N, M>,
    inputs: &Inputs,
    outputs: &mut [Vec<f64>],
) -> Result<(), OutOfDomain> {
    run_widest(AllLanes { function, inputs, outputs });
    Ok(())
}

struct AllLanes<'a, 'b, F, const N: usize, const M: usize> {
    function: &'a F,
    inputs: &'a Inputs<'b>,
    outputs: &'a mut [Vec<f64>],
}

impl<F: OnLanes<N, M>, const N: usize, const M: usize> Loop for AllLanes<'_, '_, F, N, M> {
    type Result = ();

    #[inline(always)]
    fn run(self) {
        let count = self.inputs.count;
        let mut start = 0;
        while start < count {
            let length = LANES.min(count - start);
            let mut point = [[0.0; LANES]; N];
            for input in 0..N {
                let column = &self.inputs.get(input)[start..start + length];
                match <&Lanes>::try_from(column) {
                    Ok(lanes) => point[input] = *lanes,
                    Err(_) => point[input][..length].copy_from_slice(column),
                }
            }
            let results = if self.function.serves(&point) { self.function.lanes(&point) } else { self.each(&point) };
            for (output, result) in self.outputs.iter_mut().zip(&results) {
                let place = &mut output[start..start + length];
                match <&mut Lanes>::try_from(&mut *place) {
                    Ok(lanes) => *lanes = *result,
                    Err(_) => place.copy_from_slice(&result[..length]),
                }
            }
            start += LANES;
        }
    }
}

impl<F: OnLanes<N, M>, const N: usize, const M: usize> AllLanes<'_, '_, F, N, M> {
    #[cold]
    #[inline(never)]
    fn each(&self, point: &[Lanes; N]) -> [Lanes; M] {
        let mut results = [[0.0; LANES]; M];
        for lane in 0..LANES {
            let values = self.function.alone(std::array::from_fn(|input| point[input][lane]));
            for (result, value) in results.iter_mut().zip(values) {
                result[lane] = value;
            }
        }
        results
    }
}

/// Returns whether squares of coordinates are neither infinite nor, unless the coordinate is zero, rounded to zero. NaN
/// passes.
#[inline(always)]
pub(super) fn have_squares(coordinates: &[&Lanes]) -> bool {
    let mut any = false;
    for lanes in coordinates {
        for value in *lanes {
            let size = value.abs();
            any |= (size > 1e150) | ((size < 1e-140) & (size != 0.0));
        }
    }
    !any
}
