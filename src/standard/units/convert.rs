//! Conversions of values between units.

use crate::array::Conversion;
use crate::error::{Error, Result, Status};

use super::exact;
use super::function::Function;
use super::names::Named;
use super::parse::is_logarithm;
use super::power::Power;
use super::product::Product;
use super::table::{C, H};
use super::unit::{Content, Unit, ratio};

/// A relation between quantities of different dimensions. A conversion uses it only if it is asked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Equivalency {
    /// Wavelength, frequency, photon energy and wave number of light in vacuum.
    Spectral,
    /// Radians are numbers: `rad / s` equals `1 / s`.
    DimensionlessAngles,
    /// Temperatures in degrees Celsius and in kelvins, which differ by an offset.
    Temperature,
}

impl Equivalency {
    /// All equivalencies.
    pub const ALL: &'static [Equivalency] =
        &[Equivalency::Spectral, Equivalency::DimensionlessAngles, Equivalency::Temperature];

    /// Returns the name of the equivalency, which is that of astropy: `spectral`, `dimensionless_angles`, `temperature`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Equivalency::Spectral => "spectral",
            Equivalency::DimensionlessAngles => "dimensionless_angles",
            Equivalency::Temperature => "temperature",
        }
    }
}

impl Unit {
    /// Returns the conversion of values in this unit to another unit.
    ///
    /// Logarithmic units are converted among each other and to the units of their arguments. `equivalencies` allows
    /// conversions between quantities of different dimensions. Fails with [`Status::Units`] if the units are not
    /// commensurable, or if one is unknown and the other is another text.
    pub fn conversion_to(&self, other: &Unit, equivalencies: &[Equivalency]) -> Result<Conversion> {
        let conversion = match (&self.content, &other.content) {
            (Content::Unknown(from), Content::Unknown(to)) => (from == to).then_some(Conversion::IDENTITY),
            (Content::Unknown(_), _) | (_, Content::Unknown(_)) => None,
            (Content::Linear(from), Content::Linear(to)) => scaled(from, to)
                .map(scale)
                .or_else(|| equivalencies.iter().find_map(|equivalency| equivalency.convert(from, to))),
            (Content::Log(function, from), Content::Log(other, to)) => between_logs(*function, from, *other, to),
            (Content::Log(function, from), Content::Linear(to)) => match bare(*function, from) {
                Some(bare) if is_logarithm(to) => scaled(&bare, to).map(scale),
                _ => scaled(from, to).map(|factor| Conversion::Power { factor, rate: function.dex() }),
            },
            (Content::Linear(from), Content::Log(function, to)) => match bare(*function, to) {
                Some(bare) if is_logarithm(from) => scaled(from, &bare).map(scale),
                _ => scaled(from, to).map(|factor| Conversion::Logarithm { factor, rate: function.dex() }),
            },
        };
        conversion.ok_or_else(|| {
            let unknown = |unit: &Unit| matches!(unit.content, Content::Unknown(_));
            let reason = match (unknown(self), unknown(other)) {
                (false, false) => "the units are not commensurable".to_owned(),
                (true, _) => format!("the unit '{self}' is unknown"),
                (false, true) => format!("the unit '{other}' is unknown"),
            };
            Error::new(Status::Units, format!("cannot convert '{self}' to '{other}': {reason}"))
        })
    }
}

fn scale(factor: f64) -> Conversion {
    Conversion::Linear { factor, offset: 0.0 }
}

/// Returns the factor between two products of the same dimension.
fn scaled(from: &Product, to: &Product) -> Option<f64> {
    let computed = ratio(from, to)?;
    computed.is_finite().then(|| exact::factor(from, to, computed))
}

/// Returns the logarithm of a number as a unit.
fn bare(function: Function, of: &Product) -> Option<Product> {
    if of.is_unity()? { Product::of_name(function.name()) } else { None }
}

/// Returns the conversion between two logarithms. Their units may differ by a factor, which is an offset here.
fn between_logs(function: Function, from: &Product, other: Function, to: &Product) -> Option<Conversion> {
    let ratio = scaled(from, to)?;
    let factor = scaled(&Product::of_name(function.name())?, &Product::of_name(other.name())?)?;
    let offset = if ratio == 1.0 { 0.0 } else { ratio.log10() / other.dex() };
    offset.is_finite().then_some(Conversion::Linear { factor, offset })
}

impl Equivalency {
    fn convert(self, from: &Product, to: &Product) -> Option<Conversion> {
        match self {
            Equivalency::Spectral => spectral(from, to),
            Equivalency::DimensionlessAngles => {
                let (from, to) = (without_radians(from)?, without_radians(to)?);
                (from.factors == to.factors).then(|| scale(from.scale / to.scale))
            }
            Equivalency::Temperature => temperature(from, to),
        }
    }
}

/// Returns a product in base units without its radians.
fn without_radians(product: &Product) -> Option<Product> {
    let is_radian = |named: &Named| named.entry().is_some_and(|entry| entry.short == ["rad"]);
    let mut product = product.decomposed()?;
    product.factors.retain(|(named, _)| !is_radian(named));
    Some(product)
}

/// Difference between the numbers of a temperature in kelvins and in degrees Celsius.
const ZERO_CELSIUS: f64 = 273.15;

fn temperature(from: &Product, to: &Product) -> Option<Conversion> {
    let (kelvin, celsius) = (Product::of_name("K")?, Product::of_name("deg_C")?);
    if let (Some(scale), Some(other)) = (ratio(from, &kelvin), ratio(&celsius, to)) {
        return Some(Conversion::Linear { factor: scale * other, offset: -ZERO_CELSIUS * other });
    }
    let (scale, other) = (ratio(from, &celsius)?, ratio(&kelvin, to)?);
    Some(Conversion::Linear { factor: scale * other, offset: ZERO_CELSIUS * other })
}

/// A quantity of light that determines the others.
struct OfLight {
    /// Name of the unit, and its power.
    unit: (&'static str, i64),
    /// Frequency in hertz for the value 1, or the product of value and frequency if the quantity is a length.
    frequency: f64,
}

/// Wavelength, frequency, energy, wave number.
const OF_LIGHT: [OfLight; 4] = [
    OfLight { unit: ("m", 1), frequency: C },
    OfLight { unit: ("Hz", 1), frequency: 1.0 },
    OfLight { unit: ("J", 1), frequency: 1.0 / H },
    OfLight { unit: ("m", -1), frequency: C },
];

fn spectral(from: &Product, to: &Product) -> Option<Conversion> {
    let find = |product: &Product| {
        OF_LIGHT.iter().enumerate().find_map(|(index, of)| {
            let unit = Product::of_name(of.unit.0)?.raised(Power::integer(of.unit.1))?;
            Some((index == 0, of, ratio(product, &unit)?))
        })
    };
    let ((from_length, from, from_scale), (to_length, to, to_scale)) = (find(from)?, find(to)?);
    // Energies have the only constant that is no speed, and are multiplied by it to avoid rounding twice.
    Some(match (from_length, to_length) {
        (false, false) => scale(quotient(from, to) * from_scale / to_scale),
        (true, false) => Conversion::Reciprocal { numerator: quotient(from, to) / from_scale / to_scale },
        (false, true) => Conversion::Reciprocal { numerator: quotient(to, from) / from_scale / to_scale },
        (true, true) => scale(from_scale / to_scale),
    })
}

/// Returns the ratio of the frequencies of two quantities, without the reciprocal of the Planck constant.
fn quotient(left: &OfLight, right: &OfLight) -> f64 {
    match (left.unit.0, right.unit.0) {
        ("J", "J") => 1.0,
        ("J", _) => 1.0 / (H * right.frequency),
        (_, "J") => left.frequency * H,
        _ => left.frequency / right.frequency,
    }
}
