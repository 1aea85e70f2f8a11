//! Evaluation of a program for points that have limits.

use super::execute::Scratch;
use super::limits::{Inside, Limits};
use super::program::Program;
use super::strided::{Blocks, Evaluation};
use crate::error::{Error, Result, Status};
use crate::wcs::kernel::BLOCK;
use std::sync::Arc;

/// Memory of an evaluation, which is used again for the next block.
#[derive(Debug, Default)]
pub(in crate::wcs) struct Memory {
    scratch: Scratch,
    inside: Vec<Inside>,
    filled: Vec<f64>,
    /// True if the limits of the inputs excluded points of the block.
    were_limited: bool,
}

impl Memory {
    /// Returns the number of points for which an iteration did not converge. They stay NaN, and are not outside; points
    /// outside of the limits of the inputs were not evaluated.
    fn count_unconverged(&mut self) -> u64 {
        let Memory { scratch, inside, were_limited, .. } = self;
        scratch.unconverged.sort_unstable();
        scratch.unconverged.dedup();
        let mut count = 0;
        for &point in &scratch.unconverged {
            match inside.get_mut(point) {
                Some(place) if *were_limited && *place != Inside::Yes => {}
                Some(place) => (*place, count) = (Inside::Yes, count + 1),
                None => count += 1,
            }
        }
        count
    }
}

/// A program with the limits of its inputs, or of its outputs.
#[derive(Clone, Debug)]
pub(in crate::wcs) struct Run {
    pub(in crate::wcs) program: Arc<Program>,
    /// Points outside of these limits are not evaluated.
    pub(in crate::wcs) limits: Option<Arc<Limits>>,
    /// Results outside of these limits are replaced.
    pub(in crate::wcs) output_limits: Option<Arc<Limits>>,
    /// Value of all outputs of such points.
    pub(in crate::wcs) fill: f64,
    /// Fails where a compound box has no box for a point.
    pub(in crate::wcs) needs_box: bool,
}

impl Run {
    /// Finds the points of a block outside of the limits, and gives them the coordinates of one inside, so that nothing
    /// fails there. Returns whether there is one inside.
    fn enter(&self, limits: &Limits, scratch: &mut Memory, count: usize, first: usize) -> Result<bool> {
        let registers = &mut scratch.scratch.registers;
        scratch.inside.clear();
        for point in 0..count {
            let inside = limits.locate(|input| registers[self.program.inputs[input]][point]);
            if inside == Inside::NoBox && self.needs_box {
                let message = format!("no bounding box belongs to point {}", first + point);
                return Err(Error::new(Status::OutOfDomain, message));
            }
            scratch.inside.push(inside);
        }
        let Some(sample) = scratch.inside.iter().position(|inside| *inside == Inside::Yes) else { return Ok(false) };
        for &input in &self.program.inputs {
            let value = registers[input][sample];
            for (inside, place) in scratch.inside.iter().zip(&mut registers[input]) {
                if *inside != Inside::Yes {
                    *place = value;
                }
            }
        }
        Ok(true)
    }
}

impl Blocks for Run {
    type Scratch = Memory;

    fn arity(&self) -> (usize, usize) {
        self.program.arity()
    }

    fn block(
        &self,
        scratch: &mut Memory,
        first: usize,
        count: usize,
        load: &mut dyn FnMut(usize, &mut [f64]),
        store: &mut dyn FnMut(usize, &[f64]),
    ) -> Result<Evaluation> {
        debug_assert!(count <= BLOCK);
        self.program.prepare(&mut scratch.scratch, count);
        for (input, &register) in self.program.inputs.iter().enumerate() {
            load(input, &mut scratch.scratch.registers[register][..count]);
        }
        let mut any = true;
        scratch.inside.clear();
        scratch.scratch.unconverged.clear();
        scratch.were_limited = false;
        if let Some(limits) = &self.limits
            && !limits.contain(|input| &scratch.scratch.registers[self.program.inputs[input]][..count])
        {
            scratch.were_limited = true;
            any = self.enter(limits, scratch, count, first)?;
        }
        if any {
            self.program.execute(&mut scratch.scratch, count).map_err(|fault| self.program.error(fault, first))?;
        }
        if let Some(limits) = &self.output_limits
            && !limits.contain(|output| &scratch.scratch.registers[self.program.outputs[output]][..count])
        {
            scratch.inside.clear();
            scratch.were_limited = false;
            let registers = &scratch.scratch.registers;
            let places = (0..count).map(|point| limits.locate(|output| registers[self.program.outputs[output]][point]));
            scratch.inside.extend(places);
        }
        let unconverged = scratch.count_unconverged();
        let outside = scratch.inside.iter().filter(|inside| **inside != Inside::Yes).count();
        for (output, &register) in self.program.outputs.iter().enumerate() {
            let column = &scratch.scratch.registers[register][..count];
            if outside == 0 {
                store(output, column);
                continue;
            }
            scratch.filled.clear();
            let value = |(place, value): (&Inside, &f64)| if *place == Inside::Yes { *value } else { self.fill };
            scratch.filled.extend(scratch.inside.iter().zip(column).map(value));
            store(output, &scratch.filled);
        }
        Ok(Evaluation { outside: outside as u64, unconverged })
    }
}
