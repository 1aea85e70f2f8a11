//! Products and quotients of units.

use super::product::Product;
use super::unit::{Content, Unit};

impl Unit {
    /// Returns the product of two units; `None` for logarithms and unknown texts.
    pub(crate) fn times(&self, other: &Unit) -> Option<Unit> {
        match (&self.content, &other.content) {
            (Content::Linear(one), Content::Linear(two)) => one.clone().times(two.clone()).map(linear),
            _ => None,
        }
    }

    /// Returns the quotient of two units; `None` for logarithms and unknown texts.
    pub(crate) fn divided_by(&self, other: &Unit) -> Option<Unit> {
        match (&self.content, &other.content) {
            (Content::Linear(one), Content::Linear(two)) => one.clone().divided_by(two).map(linear),
            _ => None,
        }
    }
}

fn linear(product: Product) -> Unit {
    Unit { content: Content::Linear(product) }
}
