//! Products of powers of units with a scale, and their decomposition to base units.
//!
//! Scales are computed in binary64 in the order in which astropy computes them, so that factors have the same bits.

use once_cell::race::OnceBox;

use super::cds_table::CDS_UNITS;
use super::names::{self, Named, Unprefixed};
use super::power::{Power, is_unity};
use super::prefixes::prefix;
use super::spelling::Spelling;
use super::table::{Definition, UNITS};

/// A scale and powers of units.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Product {
    pub(super) scale: f64,
    /// Units with their powers, without zeros. Higher powers come first.
    pub(super) factors: Vec<(Named, Power)>,
}

impl Product {
    pub(super) fn scalar(scale: f64) -> Product {
        Product { scale, factors: Vec::new() }
    }

    pub(super) fn named(named: Named) -> Product {
        Product { scale: 1.0, factors: vec![(named, Power::ONE)] }
    }

    /// Returns the unit of a name in the generic spelling.
    pub(super) fn of_name(name: &str) -> Option<Product> {
        names::find(name, Spelling::Generic).map(Product::named)
    }

    /// Returns whether the scale is a number, also in base units.
    pub(super) fn is_in_range(&self) -> bool {
        self.scale.is_finite() && self.decomposed().is_some()
    }

    /// Returns the product of a scale and powers of products, sorted. `None` if a scale or a power is out of range.
    pub(super) fn of(scale: f64, parts: &[(&Product, Power)]) -> Option<Product> {
        let mut gathering = Gathering { scale, factors: Vec::new() };
        for (part, power) in parts {
            gathering.scale(part.scale, *power)?;
            for (named, inner) in &part.factors {
                gathering.add(named, inner.times(*power)?)?;
            }
        }
        gathering.finish()
    }

    /// Returns this product with another scale before it. The units are sorted, unless there is one with a positive
    /// power only.
    pub(super) fn scaled(&self, scale: f64) -> Option<Product> {
        Product::of(scale * self.scale, &[(&Product { scale: 1.0, factors: self.factors.clone() }, Power::ONE)])
    }

    /// Returns the product with another one. A part that equals 1 is left out.
    pub(super) fn times(self, other: Product) -> Option<Product> {
        if other.is_unity()? {
            Some(self)
        } else if self.is_unity()? {
            Some(other)
        } else {
            Product::of(1.0, &[(&self, Power::ONE), (&other, Power::ONE)])
        }
    }

    /// Returns the quotient by another product.
    pub(super) fn divided_by(self, other: &Product) -> Option<Product> {
        if other.is_unity()? {
            return Some(self);
        }
        Product::of(1.0, &[(&self, Power::ONE), (other, Power::integer(-1))])
    }

    /// Returns a power of the product.
    pub(super) fn raised(&self, power: Power) -> Option<Product> {
        if power.is_zero() {
            return Some(Product::scalar(1.0));
        }
        if power.is_negative() {
            return Product::of(1.0, &[(self, power)]);
        }
        let factors = self.factors.iter().map(|(named, inner)| Some((named.clone(), inner.times(power)?)));
        let scale = checked_scale(power.of(self.scale))?;
        Some(Product { scale, factors: factors.collect::<Option<_>>()? })
    }

    /// Returns whether the product is 1; `None` if its scale in base units is out of range.
    pub(super) fn is_unity(&self) -> Option<bool> {
        let product = self.decomposed()?;
        Some(product.factors.is_empty() && product.scale == 1.0)
    }

    /// Returns the product in base units.
    pub(super) fn decomposed(&self) -> Option<Product> {
        let is_base = |named: &Named| named.prefix.is_none() && named.entry().is_none_or(|e| e.definition.is_none());
        if self.factors.iter().all(|(named, _)| is_base(named)) {
            return Some(self.clone());
        }
        let mut gathering = Gathering { scale: self.scale, factors: Vec::new() };
        for (named, power) in &self.factors {
            let part = decomposed(named)?;
            gathering.scale(part.scale, *power)?;
            for (base, inner) in &part.factors {
                gathering.add(base, inner.times(*power)?)?;
            }
        }
        gathering.finish()
    }

    /// Returns the product without the units that a spelling does not know: these are replaced by their definitions.
    /// Fails with the name of a unit that has none.
    pub(super) fn in_spelling(&self, spelling: Spelling) -> Result<Product, String> {
        let parts = self.factors.iter().map(|(named, power)| Ok((known(named, spelling)?, *power)));
        let parts = parts.collect::<Result<Vec<_>, String>>()?;
        let large = || "its powers are too large".to_owned();
        if let [(only, power)] = &*parts
            && !power.is_negative()
        {
            let scale = self.scale * power.of(only.scale);
            let raised = only.raised(*power).ok_or_else(large)?;
            let scale = if is_unity(scale) { 1.0 } else { scale };
            return Ok(Product { scale, factors: raised.factors });
        }
        let parts: Vec<_> = parts.iter().map(|(part, power)| (part, *power)).collect();
        Product::of(self.scale, &parts).ok_or_else(large)
    }
}

/// A product while its parts are multiplied.
struct Gathering {
    scale: f64,
    factors: Vec<(Named, Power)>,
}

impl Gathering {
    /// Multiplies the scale by a power of another one; `None` if the power is too large.
    fn scale(&mut self, scale: f64, power: Power) -> Option<()> {
        let factor = power.of(scale);
        self.scale *= factor;
        (!factor.is_infinite()).then_some(())
    }

    fn add(&mut self, named: &Named, power: Power) -> Option<()> {
        match self.factors.iter_mut().find(|(present, _)| present == named) {
            Some((_, present)) => *present = present.plus(power)?,
            None => self.factors.push((named.clone(), power)),
        }
        Some(())
    }

    /// Returns the product with sorted units: descending powers, then names.
    fn finish(mut self) -> Option<Product> {
        self.factors.retain(|(_, power)| !power.is_zero());
        if self.factors.len() > 1 {
            self.factors.sort_by_cached_key(|(named, _)| named.name());
            self.factors.sort_by(|(_, left), (_, right)| right.compare(*left));
        }
        Some(Product { scale: checked_scale(self.scale)?, factors: self.factors })
    }
}

/// Returns a scale, or 1 if it is 1 within a few rounding errors; `None` for zero. The scale of a root of a negative
/// one, such as `mag(1/2)`, is NaN.
fn checked_scale(scale: f64) -> Option<f64> {
    if is_unity(scale) {
        return Some(1.0);
    }
    (scale != 0.0).then_some(scale)
}

/// Returns a unit as the units that a spelling knows.
fn known(named: &Named, spelling: Spelling) -> Result<Product, String> {
    if spelling == Spelling::Generic {
        return Ok(Product::named(named.clone()));
    }
    let prefix = named.prefix.and_then(prefix);
    let without_prefix = |factor: f64| {
        let inner = known(&Named { prefix: None, of: named.of.clone() }, spelling)?;
        Ok(Product { scale: factor * inner.scale, factors: inner.factors })
    };
    if let (Spelling::VoUnit, Some(prefix)) = (spelling, prefix)
        && matches!(prefix.symbols, ["d"] | ["da"])
    {
        // VOUnit discourages these prefixes.
        return without_prefix(prefix.factor);
    }
    let name = named.name_in(spelling);
    if matches!(named.of, Unprefixed::Custom(_)) {
        return if spelling == Spelling::VoUnit {
            Ok(Product::named(named.clone()))
        } else {
            Err(unknown(&name, spelling))
        };
    }
    if let Some(found) = names::find(&name, spelling) {
        return Ok(Product::named(found));
    }
    if let Some(prefix) = prefix {
        return without_prefix(prefix.factor);
    }
    let definition = named.entry().and_then(|entry| entry.definition);
    definition
        .and_then(|definition| defined(&definition))
        .ok_or_else(|| unknown(&name, spelling))?
        .in_spelling(spelling)
}

fn unknown(name: &str, spelling: Spelling) -> String {
    format!("the spelling {} has no unit '{name}'", spelling.name())
}

/// Returns a definition as a product.
fn defined(definition: &Definition) -> Option<Product> {
    let factors = definition.units.split_ascii_whitespace().map(|word| {
        let end = word.find(|c: char| c.is_ascii_digit() || c == '-').unwrap_or(word.len());
        let (name, power) = word.split_at(end);
        let power = match power.split_once('/') {
            None if power.is_empty() => Power::ONE,
            None => Power::integer(power.parse().ok()?),
            Some((numerator, denominator)) => Power::ratio(numerator.parse().ok()?, denominator.parse().ok()?)?,
        };
        Some((names::find(name, Spelling::Generic)?, power))
    });
    Some(Product { scale: definition.scale, factors: factors.collect::<Option<_>>()? })
}

/// Returns a unit as the units of its definition: a unit with a prefix as a multiple of the one without. `None` for a base
/// unit.
pub(super) fn definition(named: &Named) -> Option<Product> {
    match named.prefix.and_then(prefix) {
        Some(prefix) => {
            let factors = vec![(Named { prefix: None, of: named.of.clone() }, Power::ONE)];
            Some(Product { scale: prefix.factor, factors })
        }
        None => defined(&named.entry()?.definition?),
    }
}

/// Returns a unit in base units.
fn decomposed(named: &Named) -> Option<Product> {
    let of = match named.of {
        Unprefixed::Listed(number) => decomposed_entry(number)?.clone(),
        Unprefixed::Custom(_) => Product::named(Named { prefix: None, of: named.of.clone() }),
    };
    match named.prefix.and_then(prefix) {
        None => Some(of),
        Some(prefix) => Some(Product { scale: checked_scale(prefix.factor * of.scale)?, factors: of.factors }),
    }
}

/// Returns an entry of the tables in base units. Definitions refer to other entries, a few deep.
fn decomposed_entry(number: u16) -> Option<&'static Product> {
    static PRODUCTS: OnceBox<Vec<OnceBox<Option<Product>>>> = OnceBox::new();
    let count = UNITS.len() + CDS_UNITS.len();
    let products = PRODUCTS.get_or_init(|| Box::new((0..count).map(|_| OnceBox::new()).collect()));
    products.get(usize::from(number))?.get_or_init(|| Box::new(decompose_entry(number))).as_ref()
}

fn decompose_entry(number: u16) -> Option<Product> {
    match names::entry(number)?.definition {
        None => Some(Product::named(Named { prefix: None, of: Unprefixed::Listed(number) })),
        Some(definition) => defined(&definition)?.decomposed(),
    }
}
