//! Arrays of labels, looked up by pixel.

use super::{Inputs, Kernel, OutOfDomain};

/// An image of labels.
#[derive(Debug)]
pub(in crate::wcs) struct LabelArray {
    pub(in crate::wcs) labels: Vec<f64>,
    pub(in crate::wcs) rows: usize,
    pub(in crate::wcs) columns: usize,
    /// Fails outside of the image; otherwise the label there is 0.
    pub(in crate::wcs) strict: bool,
}

impl Kernel for LabelArray {
    fn arity(&self) -> (usize, usize) {
        (2, 1)
    }

    fn evaluate(&self, inputs: &Inputs, outputs: &mut [Vec<f64>]) -> Result<(), OutOfDomain> {
        let [output] = outputs else { return Ok(()) };
        let (x, y) = (inputs.get(0), inputs.get(1));
        let place = |value: f64, extent: usize| {
            let rounded = (value + 0.5).floor();
            (rounded >= 0.0 && rounded < extent as f64).then_some(rounded as usize)
        };
        for point in 0..inputs.count {
            output[point] = match (place(x[point], self.columns), place(y[point], self.rows)) {
                (Some(column), Some(row)) => self.labels[row * self.columns + column],
                _ if self.strict => return Err(OutOfDomain { point }),
                _ => 0.0,
            };
        }
        Ok(())
    }
}
