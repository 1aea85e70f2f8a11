//! Execution of choices: points are grouped by their alternative, and each group is evaluated once.

use super::choice::Rule;
use super::execute::Scratch;
use super::program::Program;
use crate::wcs::kernel::{Inputs, Kernel, OutOfDomain, Registers};
use std::sync::Arc;

/// A choice whose parts are ready for evaluation.
#[derive(Debug)]
pub(super) struct Chooser {
    pub(super) key: Option<Arc<Program>>,
    pub(super) rule: Rule,
    pub(super) alternatives: Vec<Arc<Program>>,
    pub(super) undefined: f64,
    pub(super) arity: (usize, usize),
}

impl Chooser {
    /// Returns the columns of some points, and the number of those points.
    fn gathered(inputs: &Inputs, first: usize, count: usize, points: &[usize]) -> Registers {
        (first..count).map(|input| points.iter().map(|point| inputs.get(input)[*point]).collect()).collect()
    }
}

impl Kernel for Chooser {
    fn arity(&self) -> (usize, usize) {
        self.arity
    }

    fn evaluate(&self, inputs: &Inputs, outputs: &mut [Vec<f64>]) -> Result<(), OutOfDomain> {
        let all: Vec<usize> = (0..inputs.count).collect();
        let keys = match &self.key {
            None => inputs.get(0).to_vec(),
            Some(key) => {
                let columns = Chooser::gathered(inputs, 0, self.arity.0, &all);
                let mut results = key.apply(&columns, inputs.count, &mut Scratch::default())?;
                results.pop().unwrap_or_default()
            }
        };
        let first = usize::from(self.key.is_none());
        if let ([output, ..], true) = (&mut *outputs, first == 1) {
            output[..inputs.count].copy_from_slice(&keys);
        }
        for output in &mut outputs[first..] {
            output[..inputs.count].fill(self.undefined);
        }
        let mut groups: Vec<Vec<usize>> = vec![Vec::new(); self.alternatives.len()];
        for (point, key) in keys.iter().enumerate() {
            if let Some(group) = self.rule.alternative(*key).and_then(|alternative| groups.get_mut(alternative)) {
                group.push(point);
            }
        }
        for (points, program) in groups.iter().zip(&self.alternatives).filter(|(points, _)| !points.is_empty()) {
            let columns = Chooser::gathered(inputs, first, self.arity.0, points);
            let results = program
                .apply(&columns, points.len(), &mut Scratch::default())
                .map_err(|fault| OutOfDomain { point: points[fault.point] })?;
            for (output, values) in outputs[first..].iter_mut().zip(results) {
                for (point, value) in points.iter().zip(values) {
                    output[*point] = value;
                }
            }
        }
        Ok(())
    }
}
