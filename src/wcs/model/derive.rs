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
