//! Inverses of models, made of the inverses of their parts.

use super::choice::{Choice, Rule};
use super::limits::{Box as BoundingBox, Limits};
use super::part::{Model, Operation, Part, PartUnits, joined};
use crate::error::{Result, Status};
use crate::wcs::kernel::Inverse;
use std::sync::Arc;

impl Model {
    /// Returns the inverse: the one in the file, or else the analytic one.
    pub(in crate::wcs) fn inverse(&self) -> Result<Model> {
        let mut parts = self.parts.to_vec();
        let mut inverses: Vec<Result<usize>> = Vec::with_capacity(parts.len());
        for (number, part) in self.parts.iter().enumerate() {
            let inverse = match part.inverse {
                Some(inverse) => Ok(inverse),
                None => made(number, &mut parts, &inverses),
            };
            inverses.push(inverse);
        }
        let root = inverses.swap_remove(self.root)?;
        Ok(Model { parts: Arc::new(parts), root })
    }
}

/// Appends the analytic inverse of a part, and returns its number.
fn made(number: usize, parts: &mut Vec<Part>, inverses: &[Result<usize>]) -> Result<usize> {
    let part = parts[number].clone();
    let inverse_of = |number: usize| inverses[number].clone();
    let none = || Err(part.error(Status::NoInverse, "the transform has no inverse"));
    let (operation, units) = match &part.operation {
        Operation::Kernel(kernel) => match kernel.inverse() {
            Inverse::None => return none(),
            Inverse::Singular(field) => {
                let message = "the matrix has no inverse: its determinant is zero";
                return Err(part.place.error_at(Status::Singular, field, message));
            }
            Inverse::Kernel(inverse) => (Operation::Kernel(inverse), part.units.swapped()),
        },
        Operation::Remap(mapping) => {
            let place = |input: usize| mapping.iter().position(|from| *from == input);
            match (0..part.inputs.len()).map(place).collect() {
                Some(inverse) => (Operation::Remap(inverse), PartUnits::default()),
                None => return none(),
            }
        }
        Operation::Compose(first, second) => {
            (Operation::Compose(inverse_of(*second)?, inverse_of(*first)?), PartUnits::default())
        }
        Operation::Concatenate(left, right) => {
            (Operation::Concatenate(inverse_of(*left)?, inverse_of(*right)?), PartUnits::default())
        }
        Operation::Arithmetic(..) | Operation::Fix(..) => return none(),
        Operation::Choose(Choice { key: Some(key), rule: rule @ Rule::Equal(_), parts: alternatives, .. }) => {
            // The key of the inverse must be given: the analytic inverse of a label has no meaning.
            let Some(key) = parts[*key].inverse else {
                return Err(parts[*key].error(Status::NoInverse, "the label mapper has no inverse"));
            };
            let alternatives = alternatives.iter().map(|&part| inverse_of(part)).collect::<Result<_>>()?;
            let choice = Choice { key: Some(key), rule: rule.clone(), parts: alternatives, undefined: f64::NAN };
            (Operation::Choose(choice), PartUnits::default())
        }
        Operation::Choose(Choice { key: None, rule, parts: alternatives, undefined }) => {
            let alternatives = alternatives.iter().map(|&part| inverse_of(part)).collect::<Result<_>>()?;
            let choice = Choice { key: None, rule: rule.clone(), parts: alternatives, undefined: *undefined };
            (Operation::Choose(choice), PartUnits::default())
        }
        Operation::Choose(_) => return none(),
    };
    // The inverse of the inverse of a compound is made of its parts again, of which some can have an inverse in the file.
    let is_simple = matches!(operation, Operation::Kernel(_) | Operation::Remap(_));
    let (inputs, outputs) = names(&part, &operation, parts);
    parts.push(Part {
        limits: carried(&part),
        inputs,
        outputs,
        inverse: is_simple.then_some(number),
        operation,
        units,
        name: None,
        place: part.place,
        has_units: part.has_units,
    });
    Ok(parts.len() - 1)
}

/// Returns the names of inputs and outputs of an inverse.
fn names(part: &Part, operation: &Operation, parts: &[Part]) -> (Vec<String>, Vec<String>) {
    match operation {
        Operation::Compose(first, second) => (parts[*first].inputs.clone(), parts[*second].outputs.clone()),
        Operation::Concatenate(left, right) => {
            let (left, right) = (&parts[*left], &parts[*right]);
            (joined(&left.inputs, &right.inputs), joined(&left.outputs, &right.outputs))
        }
        // As in Python, a function of one number and its inverse have the same names.
        Operation::Kernel(_) if part.inputs.len() == 1 && part.outputs.len() == 1 => {
            (part.inputs.clone(), part.outputs.clone())
        }
        _ => (part.outputs.clone(), part.inputs.clone()),
    }
}

/// Returns the limits of the inverse, for the few types that carry them over.
fn carried(part: &Part) -> Option<Arc<Limits>> {
    let Operation::Kernel(kernel) = &part.operation else { return None };
    if !matches!(part.place.short(), "shift" | "scale" | "multiplyscale" | "redshift_scale_factor") {
        return None;
    }
    let BoundingBox(intervals) = part.limits.as_ref()?.as_box()?;
    let [low, high] = (*intervals.first()?)?;
    let registers = [vec![low, high]];
    let inputs = crate::wcs::kernel::Inputs { registers: &registers, places: &[0], count: 2 };
    let mut outputs = [vec![0.0; 2]];
    kernel.evaluate(&inputs, &mut outputs).ok()?;
    let [low, high] = [outputs[0][0], outputs[0][1]];
    let sorted = if low > high { [high, low] } else { [low, high] };
    Some(Arc::new(Limits::Box(BoundingBox(vec![Some(sorted)]))))
}

impl PartUnits {
    /// Returns the units of the inverse.
    fn swapped(&self) -> PartUnits {
        PartUnits {
            inputs: self.outputs.clone(),
            outputs: self.inputs.clone(),
            times: self.times.as_ref().map(crate::wcs::unit::Unit::inverse),
            strict: self.strict,
            spectral: Vec::new(),
        }
    }
}
