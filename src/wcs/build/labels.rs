//! Labels that are texts. Each stands for a number, which is the same in all label mappers and selectors of a transform.

use std::collections::HashMap;

/// Number of the first text. Labels that are numbers are smaller.
const FIRST: f64 = 4_503_599_627_370_496.0;

/// Numbers of texts.
#[derive(Debug, Default)]
pub(super) struct Labels(HashMap<String, f64>);

impl Labels {
    /// Returns the number of a label: 0, which stands for no label, for a blank one.
    pub(super) fn number(&mut self, text: &str) -> f64 {
        if text.trim().is_empty() {
            return 0.0;
        }
        if let Some(number) = self.0.get(text) {
            return *number;
        }
        let number = FIRST + self.0.len() as f64;
        self.0.insert(text.to_owned(), number);
        number
    }
}
