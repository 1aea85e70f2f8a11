//! Derivatives of programs, carried from step to step by the chain rule.

use super::execute::{Fault, Scratch};
use super::program::Program;
use crate::wcs::kernel::{Inputs, Kernel, OutOfDomain, Registers};

/// Memory for derivatives, which is used again for the next block.
#[derive(Debug, Default)]
pub(in crate::wcs) struct SlopeScratch {
    /// Derivatives of each register by the inputs of the program; those of a register stand together.
    slopes: Registers,
    /// Derivatives of the outputs of a step by its inputs.
    local: Registers,
    /// Derivatives of the outputs of a step by the inputs of the program.
    made: Registers,
    differences: Differences,
}

/// Memory for differences.
#[derive(Debug, Default)]
struct Differences {
    moved: Registers,
    here: Registers,
    low: Registers,
    high: Registers,
}

/// Makes a number of columns of at least this length.
fn reserve(columns: &mut Registers, number: usize, count: usize) {
    if columns.len() < number {
        columns.resize_with(number, Vec::new);
    }
    for column in &mut columns[..number] {
        if column.len() < count {
            column.resize(count, 0.0);
        }
    }
}

impl Program {
    /// Computes the outputs for columns of inputs, and the derivatives of each output by each input; those of an output
    /// stand together in the second result.
    pub(in crate::wcs) fn values_and_slopes<'a>(
        &'a self,
        columns: &[Vec<f64>],
        count: usize,
        scratch: &'a mut Scratch,
        memory: &'a mut SlopeScratch,
    ) -> Result<(Inputs<'a>, Vec<&'a [f64]>), OutOfDomain> {
        let axes = self.inputs.len();
        self.load(columns, count, scratch);
        reserve(&mut memory.slopes, self.registers * axes, count);
        for (input, &register) in self.inputs.iter().enumerate() {
            for axis in 0..axes {
                let slope = if axis == input { 1.0 } else { 0.0 };
                memory.slopes[register * axes + axis][..count].fill(slope);
            }
        }
        for number in 0..self.steps.len() {
            self.derive_step(number, scratch, memory, count).map_err(|fault| OutOfDomain { point: fault.point })?;
        }
        let slopes = self.outputs.iter().flat_map(|&register| &memory.slopes[register * axes..(register + 1) * axes]);
        Ok((self.results(scratch, count), slopes.map(|column| &column[..count]).collect()))
    }

    /// Executes a step, and applies the chain rule.
    fn derive_step(
        &self,
        number: usize,
        scratch: &mut Scratch,
        memory: &mut SlopeScratch,
        count: usize,
    ) -> Result<(), Fault> {
        let (axes, step) = (self.inputs.len(), &self.steps[number]);
        let (inputs, outputs) = (step.inputs.len(), step.outputs.len());
        reserve(&mut memory.local, inputs * outputs, count);
        reserve(&mut memory.made, outputs * axes, count);
        let columns = Inputs { registers: &scratch.registers, places: &step.inputs, count };
        let local = &mut memory.local[..inputs * outputs];
        if !step.kernel.slopes(&columns, local) {
            let differences = memory.differences.take(&*step.kernel, &columns, local);
            differences.map_err(|OutOfDomain { point }| Fault { step: number, point })?;
        }
        for output in 0..outputs {
            for axis in 0..axes {
                let sum = &mut memory.made[output * axes + axis][..count];
                sum.fill(0.0);
                for (input, &register) in step.inputs.iter().enumerate() {
                    let before = &memory.slopes[register * axes + axis][..count];
                    let local = &memory.local[output * inputs + input][..count];
                    for ((sum, before), slope) in sum.iter_mut().zip(before).zip(local) {
                        *sum += before * slope;
                    }
                }
            }
        }
        for (output, &register) in step.outputs.iter().enumerate() {
            for axis in 0..axes {
                std::mem::swap(&mut memory.slopes[register * axes + axis], &mut memory.made[output * axes + axis]);
            }
        }
        self.execute_step(number, scratch, count)
    }
}

/// Part of a coordinate over which differences are taken: about the cube root of the rounding error.
const STEP: f64 = 6e-6;

impl Differences {
    /// Writes differences of a kernel as its derivatives: central ones, or those on the side where the kernel has values.
    fn take(&mut self, kernel: &dyn Kernel, inputs: &Inputs, slopes: &mut [Vec<f64>]) -> Result<(), OutOfDomain> {
        let ((axes, results), count) = (kernel.arity(), inputs.count);
        reserve(&mut self.moved, axes, count);
        for columns in [&mut self.here, &mut self.low, &mut self.high] {
            reserve(columns, results, count);
        }
        kernel.evaluate(inputs, &mut self.here[..results])?;
        for axis in 0..axes {
            self.moved[axis][..count].copy_from_slice(inputs.get(axis));
        }
        let places: Vec<usize> = (0..axes).collect();
        for axis in 0..axes {
            let column = inputs.get(axis);
            let size = column.iter().fold(0.0, |size: f64, x| if x.is_finite() { size.max(x.abs()) } else { size });
            let least = if size > 0.0 { 1e-3 * size } else { 1.0 };
            let step = |x: f64| STEP * x.abs().max(least);
            for (columns, sign) in [(&mut self.low, -1.0), (&mut self.high, 1.0)] {
                for (moved, x) in self.moved[axis].iter_mut().zip(column) {
                    *moved = x + sign * step(*x);
                }
                let moved = Inputs { registers: &self.moved, places: &places, count };
                if kernel.evaluate(&moved, &mut columns[..results]).is_err() {
                    columns[..results].iter_mut().for_each(|column| column[..count].fill(f64::NAN));
                }
            }
            self.moved[axis][..count].copy_from_slice(column);
            for result in 0..results {
                let slope = &mut slopes[result * axes + axis];
                for (point, x) in column.iter().enumerate() {
                    let [here, low, high] =
                        [self.here[result][point], self.low[result][point], self.high[result][point]];
                    let (above, below) = ((x + step(*x)) - x, x - (x - step(*x)));
                    slope[point] = match (low.is_finite(), high.is_finite()) {
                        (true, true) => (high - low) / (above + below),
                        (true, false) => (here - low) / below,
                        _ => (high - here) / above,
                    };
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wcs::kernel::each;
    use crate::wcs::kernel::elementary::{Affine, Arithmetic, Constant, Copied, Linear, Planar, Rotate2d};
    use crate::wcs::kernel::polynomial::{Family, Polynomial1d, Polynomial2d, Rescale, Series};
    use crate::wcs::kernel::rotation::{
        Axis, Cartesian, CartesianToSpherical, FromDirectionCosines, Spherical, SphericalToCartesian,
        ToDirectionCosines, Turns, Wrap,
    };
    use crate::wcs::kernel::tabular::{Method, Outside, Table};
    use std::sync::Arc;

    fn kernels() -> Vec<Arc<dyn Kernel>> {
        let turns = || Turns(vec![(Axis::Z, 30.0), (Axis::X, -50.0), (Axis::Y, 110.0)]);
        let rescale = [Rescale::new([-3.0, 5.0], [-1.0, 2.0]), None];
        let coefficients: Vec<f64> = (0..12).map(|number| 0.1 * f64::from(number * 7 % 12) - 0.4).collect();
        let series = |family, shape: &[usize]| -> Arc<dyn Kernel> {
            let count = shape.iter().product();
            Arc::new(Series { family, coefficients: coefficients[..count].to_vec(), shape: shape.to_vec(), rescale })
        };
        let mut all: Vec<Arc<dyn Kernel>> = vec![
            each(Linear { slope: 2.0, intercept: 1.0 }),
            each(Planar([1.0, 2.0, 3.0])),
            each(Rotate2d::new(20.0)),
            each(Affine { matrix: [[1.0, 2.0], [3.0, 5.0]], translation: [1.0, 2.0] }),
            Arc::new(Constant { value: 3.0, inputs: 2 }),
            Arc::new(Copied(3)),
            Arc::new(Polynomial1d { coefficients: coefficients.clone(), rescale: rescale[0] }),
            Arc::new(Polynomial2d::new(&coefficients[..9], 3, rescale)),
            Cartesian::kernel(turns()),
            Spherical::kernel(turns(), true),
            Arc::new(SphericalToCartesian(Wrap::At180)),
            Arc::new(CartesianToSpherical(Wrap::At360)),
            each(ToDirectionCosines),
            each(FromDirectionCosines),
            Arc::new(Table::new(vec![vec![-9.0, 9.0]], vec![2.0, 7.0], Method::Linear, Outside::Extrapolate)),
        ];
        for operator in
            [Arithmetic::Add, Arithmetic::Subtract, Arithmetic::Multiply, Arithmetic::Divide, Arithmetic::Power]
        {
            all.push(each(operator));
        }
        for family in [Family::Chebyshev, Family::Legendre, Family::Hermite] {
            all.extend([series(family, &[5]), series(family, &[1]), series(family, &[3, 4]), series(family, &[4, 1])]);
        }
        all
    }

    #[test]
    fn derivatives_of_kernels_are_those_of_their_values() {
        for kernel in kernels() {
            let (inputs, outputs) = kernel.arity();
            let columns: Registers = (0..inputs)
                .map(|axis| (0..9).map(|point| 0.3 + 0.37 * f64::from(point) + axis as f64 * 0.2).collect())
                .collect();
            let places: Vec<usize> = (0..inputs).collect();
            let inputs = Inputs { registers: &columns, places: &places, count: 9 };
            let (mut exact, mut taken) = (Registers::new(), Registers::new());
            reserve(&mut exact, places.len() * outputs, 9);
            reserve(&mut taken, places.len() * outputs, 9);
            assert!(kernel.slopes(&inputs, &mut exact), "{kernel:?}");
            Differences::default().take(&*kernel, &inputs, &mut taken).unwrap();
            for (exact, taken) in exact.iter().flatten().zip(taken.iter().flatten()) {
                assert!((exact - taken).abs() < 1e-8 * (1.0 + exact.abs()), "{exact} {taken} {kernel:?}");
            }
        }
    }
}
