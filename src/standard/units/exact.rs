//! Factors that binary64 arithmetic would miss by a rounding error: powers of ten, integers and their reciprocals.

use std::collections::BTreeMap;

use super::power::Power;
use super::product::{Product, definition};

/// Returns the factor between two products whose quotient `computed` was computed in binary64.
///
/// A power of ten is exact. A number that differs from an integer, or from the reciprocal of one, by at most one
/// rounding error is this number, so that a degree has 3600 arc seconds.
pub(super) fn factor(from: &Product, to: &Product, computed: f64) -> f64 {
    if let Some(factor) = power_of_ten(from, to) {
        return factor;
    }
    let whole = computed.round();
    if whole != 0.0 && neighbours(computed, whole) {
        return whole;
    }
    let divisor = (1.0 / computed).round();
    if divisor.is_finite()
        && divisor != 0.0
        && divisor.abs() < (1_u64 << 53) as f64
        && neighbours(computed, 1.0 / divisor)
    {
        return 1.0 / divisor;
    }
    computed
}

/// Returns whether two numbers are equal or next to each other.
fn neighbours(left: f64, right: f64) -> bool {
    left == right || left.next_up() == right || left.next_down() == right
}

/// Scales of a product as powers of numbers, which are not multiplied.
#[derive(Default)]
struct Scales {
    /// Exponent of ten.
    tens: Option<Power>,
    /// Other numbers, by their bits.
    others: BTreeMap<u64, Power>,
}

/// Returns the factor between two products if it is a power of ten.
fn power_of_ten(from: &Product, to: &Product) -> Option<f64> {
    let mut scales = Scales { tens: Some(Power::integer(0)), others: BTreeMap::new() };
    scales.gather(from, Power::ONE)?;
    scales.gather(to, Power::integer(-1))?;
    if scales.others.values().any(|power| !power.is_zero()) {
        return None;
    }
    format!("1e{}", scales.tens?.as_integer()?).parse().ok().filter(|factor: &f64| factor.is_finite() && *factor != 0.0)
}

impl Scales {
    /// Adds the scales in a power of a product and in its definitions, which are a few deep.
    fn gather(&mut self, product: &Product, power: Power) -> Option<()> {
        self.add(product.scale, power)?;
        for (named, inner) in &product.factors {
            if let Some(definition) = definition(named) {
                self.gather(&definition, inner.times(power)?)?;
            }
        }
        Some(())
    }

    fn add(&mut self, scale: f64, power: Power) -> Option<()> {
        if scale == 1.0 {
            return Some(());
        }
        if let Some(exponent) = exponent_of_ten(scale) {
            self.tens = Some(self.tens?.plus(Power::integer(exponent).times(power)?)?);
            return Some(());
        }
        let present = self.others.entry(scale.to_bits()).or_insert(Power::integer(0));
        *present = present.plus(power)?;
        Some(())
    }
}

/// Returns the exponent of a number that is the nearest one to a power of ten.
fn exponent_of_ten(scale: f64) -> Option<i64> {
    let exponent = scale.log10().round();
    let power: f64 = format!("1e{exponent}").parse().ok()?;
    (power == scale).then_some(exponent as i64)
}
