//! Parts with the names and units that their type gives them.

use super::fields::Quantity;
use crate::wcs::kernel::Kernel;
use crate::wcs::model::{Operation, Part, PartUnits};
use crate::wcs::unit::Unit;
use std::sync::Arc;

/// A new part.
pub(super) struct Made {
    pub(super) part: Part,
}

impl Made {
    /// Makes a part from a kernel, with the default names of a transform with these numbers of inputs and outputs.
    pub(super) fn kernel(kernel: Arc<dyn Kernel>) -> Made {
        let (inputs, outputs) = kernel.arity();
        let limits = kernel.default_box().map(|limits| {
            use crate::wcs::model::{BoundingBox, Limits};
            Arc::new(Limits::Box(BoundingBox(limits.into_iter().map(Some).collect())))
        });
        let mut made = Made::operation(Operation::Kernel(kernel), inputs, outputs);
        made.part.limits = limits;
        let names: &[(usize, &[&str])] = &[(1, &["x"]), (2, &["x", "y"]), (3, &["x", "y", "z"])];
        let names_of = |count: usize| names.iter().find(|(known, _)| *known == count).map(|(_, names)| texts(names));
        if let Some(names) = names_of(inputs) {
            made.part.inputs = names;
        }
        match (inputs, outputs) {
            (1, 1) => made.part.outputs = texts(&["y"]),
            (2, 1) => made.part.outputs = texts(&["z"]),
            _ => {
                if let Some(names) = names_of(outputs) {
                    made.part.outputs = names;
                }
            }
        }
        made
    }

    pub(super) fn operation(operation: Operation, inputs: usize, outputs: usize) -> Made {
        Made { part: Part::bare(operation, inputs, outputs) }
    }

    /// Sets other names.
    pub(super) fn names(mut self, inputs: &[&str], outputs: &[&str]) -> Made {
        self.part.inputs = texts(inputs);
        self.part.outputs = texts(outputs);
        self
    }

    /// Sets units of all inputs and outputs.
    pub(super) fn units(mut self, inputs: Option<&Unit>, outputs: Option<&Unit>, strict: bool) -> Made {
        self.part.units = PartUnits {
            inputs: vec![inputs.cloned(); self.part.inputs.len()],
            outputs: vec![outputs.cloned(); self.part.outputs.len()],
            times: None,
            strict,
            spectral: Vec::new(),
        };
        self.part.has_units = strict;
        self
    }

    /// Sets that inputs and outputs are angles in degrees.
    pub(super) fn angles(self, strict: bool) -> Made {
        let degree = Unit::degree();
        self.units(Some(&degree), Some(&degree).filter(|_| strict), strict)
    }
}

pub(super) fn texts(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// Returns whether any of the parameters has a unit.
pub(super) fn any_unit(quantities: &[&Quantity]) -> bool {
    quantities.iter().any(|quantity| quantity.unit.is_some())
}
