//! Values of an image in memory, and which of them are masked.

/// Values of an image, row by row, the first row of the array first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grid {
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// Values; a value that is not a number is drawn in a colour of its own.
    pub values: Vec<f64>,
    /// True for each masked value; empty if there is no mask.
    pub masked: Vec<bool>,
}

impl Grid {
    /// Makes a grid without a mask. Missing values are filled with NaN, surplus ones are dropped.
    pub fn new(width: usize, height: usize, mut values: Vec<f64>) -> Grid {
        values.resize(width.saturating_mul(height), f64::NAN);
        Grid { width, height, values, masked: Vec::new() }
    }

    /// Returns whether the value with an index is masked.
    pub fn is_masked(&self, index: usize) -> bool {
        self.masked.get(index).copied().unwrap_or(false)
    }

    /// Returns the finite values that are not masked, in their order.
    pub fn present(&self) -> impl Iterator<Item = f64> + '_ {
        let shown = self.values.iter().enumerate().filter(|(index, _)| !self.is_masked(*index));
        shown.map(|(_, value)| *value).filter(|value| value.is_finite())
    }

    /// Returns the numbers of masked values and of others that are not a number.
    pub fn absent(&self) -> (usize, usize) {
        let masked = self.masked.iter().filter(|masked| **masked).count();
        let undefined = self.values.iter().enumerate();
        let undefined = undefined.filter(|(index, value)| value.is_nan() && !self.is_masked(*index)).count();
        (masked, undefined)
    }
}
