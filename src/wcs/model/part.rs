//! Parts of a model.

use super::choice::Choice;
use super::limits::Limits;
use crate::error::{Error, Location, Status};
use crate::wcs::kernel::Kernel;
use crate::wcs::kernel::elementary::Arithmetic;
use crate::wcs::unit::Unit;
use std::sync::Arc;

/// Function of a part. Numbers are indices of other parts, which come before it.
#[derive(Clone, Debug)]
pub(in crate::wcs) enum Operation {
    Kernel(Arc<dyn Kernel>),
    /// Output i is the input `mapping[i]`.
    Remap(Vec<usize>),
    /// The second after the first.
    Compose(usize, usize),
    /// Each on its own inputs.
    Concatenate(usize, usize),
    /// Both on the same inputs; then an operation for each output.
    Arithmetic(Arithmetic, usize, usize),
    /// A part with constants for some of its inputs.
    Fix(usize, Vec<(usize, f64)>),
    /// One of several parts for each point.
    Choose(Choice),
}

/// Place in the file that a part comes from.
#[derive(Clone, Debug, Default)]
pub(in crate::wcs) struct Where {
    pub(in crate::wcs) tag: Arc<str>,
    pub(in crate::wcs) location: Location,
}

/// Units that a part asks for and gives.
#[derive(Clone, Debug, Default)]
pub(in crate::wcs) struct PartUnits {
    /// Unit of each input; an empty list stands for none.
    pub(in crate::wcs) inputs: Vec<Option<Unit>>,
    /// Unit of each output.
    pub(in crate::wcs) outputs: Vec<Option<Unit>>,
    /// Factor of the units of inputs, which gives those of the outputs.
    pub(in crate::wcs) times: Option<Unit>,
    /// True if inputs must have convertible units; otherwise other units are ignored.
    pub(in crate::wcs) strict: bool,
    /// Inputs that can be any spectral coordinate.
    pub(in crate::wcs) spectral: Vec<usize>,
}

/// A transform, with the names and numbers of its inputs and outputs.
#[derive(Clone, Debug)]
pub(in crate::wcs) struct Part {
    pub(in crate::wcs) place: Where,
    pub(in crate::wcs) name: Option<String>,
    pub(in crate::wcs) inputs: Vec<String>,
    pub(in crate::wcs) outputs: Vec<String>,
    pub(in crate::wcs) operation: Operation,
    /// Intervals of the inputs that the file gives.
    pub(in crate::wcs) limits: Option<Arc<Limits>>,
    /// Part that the file gives as the inverse.
    pub(in crate::wcs) inverse: Option<usize>,
    pub(in crate::wcs) units: PartUnits,
    /// True if the part, or one of its own parts, has parameters with units.
    pub(in crate::wcs) has_units: bool,
}

impl Part {
    /// Creates a part without names, units, limits and inverse.
    pub(in crate::wcs) fn bare(operation: Operation, inputs: usize, outputs: usize) -> Part {
        Part {
            place: Where::default(),
            name: None,
            inputs: numbered(inputs),
            outputs: numbered(outputs),
            operation,
            limits: None,
            inverse: None,
            units: PartUnits::default(),
            has_units: false,
        }
    }

    /// Returns the error of a kind at the place of the part.
    pub(in crate::wcs) fn error(&self, status: Status, message: &str) -> Error {
        self.place.error(status, message)
    }
}

impl Where {
    /// Returns an error at this place.
    pub(in crate::wcs) fn error(&self, status: Status, message: &str) -> Error {
        let mut error = Error::new(status, message);
        let location = &self.location;
        if let Some(file) = &location.file {
            error = error.in_file(file);
        }
        if let (Some(line), Some(column)) = (location.line, location.column) {
            error = error.at_line(line, column);
        }
        match &location.path {
            Some(path) => error.at_path(path.clone()),
            None => error,
        }
    }

    /// Returns an error at a key of this place.
    pub(in crate::wcs) fn error_at(&self, status: Status, key: &str, message: &str) -> Error {
        let mut place = self.clone();
        if let Some(path) = &mut place.location.path {
            path.push('/');
            path.push_str(key);
        }
        place.error(status, message)
    }

    /// Returns the last part of the tag, without its version.
    pub(in crate::wcs) fn short(&self) -> &str {
        let name = self.tag.rsplit_once('/').map_or(&*self.tag, |(_, name)| name);
        name.rsplit_once('-').map_or(name, |(name, _)| name)
    }
}

/// Returns the names of both sides, with numbers if they share a name.
pub(in crate::wcs) fn joined(left: &[String], right: &[String]) -> Vec<String> {
    let mut all = left.to_vec();
    if left.iter().any(|name| right.contains(name)) {
        all.iter_mut().for_each(|name| name.push('0'));
        all.extend(right.iter().map(|name| format!("{name}1")));
    } else {
        all.extend_from_slice(right);
    }
    all
}

/// Returns the names x0, x1, …
pub(in crate::wcs) fn numbered(count: usize) -> Vec<String> {
    (0..count).map(|index| format!("x{index}")).collect()
}

/// A transform with all its parts.
#[derive(Clone, Debug)]
pub(in crate::wcs) struct Model {
    /// A part follows its own parts.
    pub(in crate::wcs) parts: Arc<Vec<Part>>,
    pub(in crate::wcs) root: usize,
}

impl Model {
    /// Returns the part that is the whole.
    pub(in crate::wcs) fn whole(&self) -> &Part {
        &self.parts[self.root]
    }

    /// Replaces the limits of the whole.
    pub(in crate::wcs) fn set_limits(&mut self, limits: Option<Arc<Limits>>) {
        let root = self.root;
        if let Some(part) = Arc::make_mut(&mut self.parts).get_mut(root) {
            part.limits = limits;
        }
    }

    /// Returns the model with constants for some inputs.
    pub(in crate::wcs) fn fixed(&self, values: &[(usize, f64)]) -> Model {
        let whole = self.whole();
        let is_free = |input: usize| values.iter().all(|(fixed, _)| *fixed != input);
        let mut part = Part::bare(Operation::Fix(self.root, values.to_vec()), 0, 0);
        part.inputs =
            (0..whole.inputs.len()).filter(|&input| is_free(input)).map(|input| whole.inputs[input].clone()).collect();
        part.outputs.clone_from(&whole.outputs);
        part.limits = whole.limits.as_ref().and_then(|limits| limits.fixed(values)).map(Arc::new);
        part.has_units = whole.has_units;
        let mut parts = self.parts.to_vec();
        parts.push(part);
        Model { root: parts.len() - 1, parts: Arc::new(parts) }
    }

    /// Returns the model that applies several models in turn; `None` without any.
    pub(in crate::wcs) fn chain(models: &[Model]) -> Option<Model> {
        let mut parts: Vec<Part> = Vec::new();
        let mut root = None;
        for model in models {
            let base = parts.len();
            parts.extend(model.parts[..=model.root].iter().map(|part| part.moved(base)));
            let next = base + model.root;
            root = Some(match root {
                None => next,
                Some(first) => {
                    parts.push(composed(&parts, first, next));
                    parts.len() - 1
                }
            });
        }
        root.map(|root| Model { parts: Arc::new(parts), root })
    }
}

/// Returns the composition of two parts.
pub(in crate::wcs) fn composed(parts: &[Part], first: usize, second: usize) -> Part {
    let (one, other) = (&parts[first], &parts[second]);
    Part {
        inputs: one.inputs.clone(),
        outputs: other.outputs.clone(),
        has_units: one.has_units || other.has_units,
        place: one.place.clone(),
        ..Part::bare(Operation::Compose(first, second), 0, 0)
    }
}

impl Part {
    /// Returns the part with indices of other parts increased.
    fn moved(&self, base: usize) -> Part {
        let mut part = self.clone();
        part.inverse = part.inverse.map(|inverse| inverse + base);
        part.operation = match part.operation {
            Operation::Compose(first, second) => Operation::Compose(first + base, second + base),
            Operation::Concatenate(left, right) => Operation::Concatenate(left + base, right + base),
            Operation::Arithmetic(operator, left, right) => Operation::Arithmetic(operator, left + base, right + base),
            Operation::Fix(of, values) => Operation::Fix(of + base, values),
            Operation::Choose(choice) => Operation::Choose(choice.moved(base)),
            other => other,
        };
        part
    }
}
