//! Programs: a model as a list of steps on registers, without recursion. A register is used again when its value is not
//! needed any more.

use super::part::Where;
use crate::error::{Result, Status};
use crate::wcs::kernel::elementary::Scale;
use crate::wcs::kernel::gnomonic::fused;
use crate::wcs::kernel::{Kernel, each};
use crate::wcs::unit::Unit;
use std::sync::Arc;

/// A kernel with the registers that it reads and writes.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) kernel: Arc<dyn Kernel>,
    pub(super) inputs: Vec<usize>,
    pub(super) outputs: Vec<usize>,
    /// Index of the part in the places.
    pub(super) part: usize,
}

/// A model that is ready for evaluation.
#[derive(Debug)]
pub(in crate::wcs) struct Program {
    pub(super) steps: Vec<Step>,
    /// Number of registers.
    pub(super) registers: usize,
    pub(super) inputs: Vec<usize>,
    pub(super) outputs: Vec<usize>,
    /// Units of the outputs, where they are known.
    pub(in crate::wcs) output_units: Vec<Option<Unit>>,
    /// Units that the inputs must have, where a part asks for one.
    pub(in crate::wcs) input_units: Vec<Option<Unit>>,
    pub(super) places: Arc<[Where]>,
}

impl Program {
    /// Returns the numbers of inputs and outputs.
    pub(in crate::wcs) fn arity(&self) -> (usize, usize) {
        (self.inputs.len(), self.outputs.len())
    }

    /// Appends conversions of the outputs to other units, where both are known.
    pub(in crate::wcs) fn convert_outputs(&mut self, wanted: &[Option<Unit>], place: &Where) -> Result<()> {
        for (index, unit) in wanted.iter().enumerate() {
            let (Some(to), Some(Some(from))) = (unit, self.output_units.get(index)) else { continue };
            let factor = from.factor_to(to).ok_or_else(|| {
                place.error(
                    Status::Units,
                    &format!("output {index} has the unit '{from}', which is not convertible to '{to}'"),
                )
            })?;
            if factor != 1.0 {
                let register = self.registers;
                self.registers += 1;
                self.steps.push(Step {
                    kernel: each(Scale(factor)),
                    inputs: vec![self.outputs[index]],
                    outputs: vec![register],
                    part: self.places.len().saturating_sub(1),
                });
                self.outputs[index] = register;
            }
            self.output_units[index] = Some(to.clone());
        }
        Ok(())
    }

    /// Returns the place of the part that a step belongs to.
    pub(super) fn place(&self, step: usize) -> &Where {
        &self.places[self.steps[step].part]
    }

    /// Replaces pairs of steps by one that does the work of both. Each register is written once.
    pub(super) fn fuse(&mut self) {
        let mut uses = vec![0usize; self.registers];
        let read = self.steps.iter().flat_map(|step| &step.inputs).chain(&self.outputs);
        read.for_each(|&register| uses[register] += 1);
        let mut fused: Vec<Step> = Vec::with_capacity(self.steps.len());
        for mut step in std::mem::take(&mut self.steps) {
            let pair = fused.last().filter(|before| {
                before.outputs == step.inputs && before.outputs.iter().all(|&register| uses[register] == 1)
            });
            if let Some((before, kernel)) = pair.and_then(|before| Some((before, fused_of(before, &step)?))) {
                step = Step { kernel, inputs: before.inputs.clone(), ..step };
                fused.pop();
            }
            fused.push(step);
        }
        self.steps = fused;
    }

    /// Renumbers the registers, so that few are needed.
    pub(super) fn reuse_registers(&mut self) {
        let mut last_use = vec![0; self.registers];
        for (number, step) in self.steps.iter().enumerate() {
            step.inputs.iter().chain(&step.outputs).for_each(|&register| last_use[register] = number);
        }
        self.outputs.iter().for_each(|&register| last_use[register] = usize::MAX);
        let mut place: Vec<usize> = (0..self.registers).collect();
        let mut next = self.inputs.len();
        let mut free: Vec<usize> = Vec::new();
        for (number, step) in self.steps.iter_mut().enumerate() {
            for register in &mut step.outputs {
                place[*register] = free.pop().unwrap_or_else(|| {
                    next += 1;
                    next - 1
                });
            }
            let mut ended: Vec<usize> = step
                .inputs
                .iter()
                .chain(&step.outputs)
                .copied()
                .filter(|&register| last_use[register] == number)
                .collect();
            ended.sort_unstable();
            ended.dedup();
            free.extend(ended.into_iter().map(|register| place[register]));
            step.inputs.iter_mut().chain(&mut step.outputs).for_each(|register| *register = place[*register]);
        }
        self.outputs.iter_mut().for_each(|register| *register = place[*register]);
        self.registers = next;
    }
}

fn fused_of(first: &Step, second: &Step) -> Option<Arc<dyn Kernel>> {
    fused(&*first.kernel, &*second.kernel)
}
