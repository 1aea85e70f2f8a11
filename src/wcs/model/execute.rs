//! Execution of programs.

use super::program::Program;
use crate::error::{Error, Status};
use crate::wcs::kernel::{Inputs, OutOfDomain, Registers};

/// Memory of an execution, which is used again for the next block.
#[derive(Debug, Default)]
pub(in crate::wcs) struct Scratch {
    pub(super) registers: Registers,
    outputs: Registers,
    /// Points of the block for which an iteration did not converge.
    pub(super) unconverged: Vec<usize>,
}

/// Failure of a step for a point.
#[derive(Clone, Copy, Debug)]
pub(in crate::wcs) struct Fault {
    pub(super) step: usize,
    pub(super) point: usize,
}

impl Program {
    pub(super) fn prepare(&self, scratch: &mut Scratch, count: usize) {
        if scratch.registers.len() < self.registers {
            scratch.registers.resize_with(self.registers, Vec::new);
        }
        for register in &mut scratch.registers {
            if register.len() < count {
                register.resize(count, 0.0);
            }
        }
    }

    /// Executes all steps. The first registers contain the inputs.
    pub(super) fn execute(&self, scratch: &mut Scratch, count: usize) -> std::result::Result<(), Fault> {
        (0..self.steps.len()).try_for_each(|number| self.execute_step(number, scratch, count))
    }

    /// Executes a step.
    pub(super) fn execute_step(
        &self,
        number: usize,
        scratch: &mut Scratch,
        count: usize,
    ) -> std::result::Result<(), Fault> {
        let step = &self.steps[number];
        for &output in &step.outputs {
            scratch.outputs.push(std::mem::take(&mut scratch.registers[output]));
        }
        let inputs = Inputs { registers: &scratch.registers, places: &step.inputs, count };
        let result = step.kernel.evaluate(&inputs, &mut scratch.outputs);
        for (&output, column) in step.outputs.iter().zip(scratch.outputs.drain(..)) {
            scratch.registers[output] = column;
        }
        if step.kernel.is_iterative() {
            self.find_unconverged(number, scratch, count);
        }
        result.map_err(|OutOfDomain { point }| Fault { step: number, point })
    }

    /// Notes the points for which a step found no value.
    fn find_unconverged(&self, number: usize, scratch: &mut Scratch, count: usize) {
        let step = &self.steps[number];
        let Scratch { registers, unconverged, .. } = scratch;
        let is_lost = |point: usize| step.outputs.iter().any(|&output| registers[output][point].is_nan());
        let is_finite = |point: usize| step.inputs.iter().all(|&input| registers[input][point].is_finite());
        unconverged.extend((0..count).filter(|&point| is_lost(point) && is_finite(point)));
    }

    /// Copies columns of inputs to their registers.
    pub(super) fn load(&self, columns: &[Vec<f64>], count: usize, scratch: &mut Scratch) {
        self.prepare(scratch, count);
        for (&register, column) in self.inputs.iter().zip(columns) {
            scratch.registers[register][..count].copy_from_slice(&column[..count]);
        }
    }

    /// Computes the outputs for columns of inputs.
    pub(in crate::wcs) fn values<'a>(
        &'a self,
        columns: &[Vec<f64>],
        count: usize,
        scratch: &'a mut Scratch,
    ) -> std::result::Result<Inputs<'a>, OutOfDomain> {
        self.load(columns, count, scratch);
        self.execute(scratch, count).map_err(|fault| OutOfDomain { point: fault.point })?;
        Ok(self.results(scratch, count))
    }

    /// Returns the outputs after an execution.
    pub(super) fn results<'a>(&'a self, scratch: &'a Scratch, count: usize) -> Inputs<'a> {
        Inputs { registers: &scratch.registers, places: &self.outputs, count }
    }

    /// Returns the outputs for columns of inputs.
    pub(in crate::wcs) fn apply(
        &self,
        columns: &[Vec<f64>],
        count: usize,
        scratch: &mut Scratch,
    ) -> std::result::Result<Registers, OutOfDomain> {
        let results = self.values(columns, count, scratch)?;
        Ok((0..self.outputs.len()).map(|output| results.get(output).to_vec()).collect())
    }

    /// Returns the error for a fault. `first` is the number of the first point of the block.
    pub(super) fn error(&self, fault: Fault, first: usize) -> Error {
        let message = format!("point {} lies outside of the domain of the transform", first + fault.point);
        self.place(fault.step).error(Status::OutOfDomain, &message)
    }
}
