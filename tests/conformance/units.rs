//! Comparison of unit spellings, as far as corpora need it: a manifest spells units as astropy does, independent of the
//! spelling in the file.

use std::collections::BTreeMap;

/// Returns whether the factors are the same, in any order and with either spelling of powers.
pub(crate) fn are_same(one: Option<&str>, other: Option<&str>) -> bool {
    one == other || one.is_some() && other.is_some() && one.map(factors) == other.map(factors)
}

/// Returns the power of each factor.
fn factors(unit: &str) -> BTreeMap<String, i32> {
    let mut powers = BTreeMap::new();
    let (mut divides, mut in_group) = (false, false);
    let spaced = unit.replace("**", "^").replace('/', " / ").replace('(', " ( ").replace(')', " ) ");
    let is_product = |text: &str| text.contains('.') && !text.starts_with(|first: char| first.is_ascii_digit());
    for word in spaced.split(' ').flat_map(|word| word.split(if is_product(word) { '.' } else { ' ' })) {
        match word {
            "" => {}
            "/" => divides = true,
            "(" => in_group = true,
            ")" => (divides, in_group) = (false, false),
            factor => {
                let is_number = factor.starts_with(|first: char| first.is_ascii_digit());
                let digits = factor.trim_end_matches(|last: char| last.is_ascii_digit() || last == '-').len();
                let (name, power) = if is_number { (factor, "") } else { factor.split_at(digits) };
                let power = if power.is_empty() { 1 } else { power.parse().unwrap_or(i32::MAX) };
                *powers.entry(name.trim_end_matches('^').to_owned()).or_default() +=
                    if divides { -power } else { power };
                divides &= in_group;
            }
        }
    }
    powers
}
