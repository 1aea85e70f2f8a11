//! Units of inputs, outputs and parameters of transforms: the texts of a file. Their meaning is read where it is needed.

use crate::standard::units::{Conversion, Equivalency, Spelling, Unit as Meaning, UnitKind};
use std::fmt;

/// A unit by its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    text: String,
}

impl Unit {
    /// Reads the text of a unit.
    pub(super) fn read(text: &str) -> Unit {
        Unit { text: text.trim().to_owned() }
    }

    pub(super) fn degree() -> Unit {
        Unit::read("deg")
    }

    pub(super) fn radian() -> Unit {
        Unit::read("rad")
    }

    fn meaning(&self) -> Meaning {
        // Texts of gwcs that are no units of astropy.
        let text = match self.text.as_str() {
            "one" | "dimensionless" => "",
            "turn" => "cycle",
            text => text,
        };
        Meaning::read(text, Spelling::VoUnit)
    }

    pub(super) fn is_known(&self) -> bool {
        self.meaning().kind() != UnitKind::Unknown
    }

    /// Returns the factor that converts values to another unit; `None` if there is none.
    pub(super) fn factor_to(&self, other: &Unit) -> Option<f64> {
        if self == other {
            return Some(1.0);
        }
        match self.meaning().conversion_to(&other.meaning(), &[]) {
            Ok(Conversion::Linear { factor, offset: 0.0 }) => Some(factor),
            _ => None,
        }
    }

    /// Returns the conversion of a spectral coordinate to another: wavelength, frequency, energy, wave number.
    pub(super) fn spectral_to(&self, other: &Unit) -> Option<Conversion> {
        self.meaning().conversion_to(&other.meaning(), &[Equivalency::Spectral]).ok()
    }

    /// Returns the product of two units.
    pub(super) fn times(&self, other: &Unit) -> Unit {
        let product = self.meaning().times(&other.meaning());
        Unit::composed(product, || format!("({self}) ({other})"))
    }

    /// Returns the quotient of two units.
    pub(super) fn over(&self, other: &Unit) -> Unit {
        let quotient = self.meaning().divided_by(&other.meaning());
        Unit::composed(quotient, || format!("({self}) / ({other})"))
    }

    /// Returns the unit with this meaning, or with a text that nothing else has.
    fn composed(meaning: Option<Meaning>, text: impl Fn() -> String) -> Unit {
        let simple = meaning.and_then(|unit| unit.text(Spelling::Generic).ok());
        Unit { text: simple.unwrap_or_else(text) }
    }

    pub(super) fn inverse(&self) -> Unit {
        Unit::read("").over(self)
    }

    /// Returns what a spectral coordinate in this unit is.
    pub(super) fn spectral(&self) -> Option<Spectral> {
        let kinds = [
            ("m", Spectral::Wavelength),
            ("Hz", Spectral::Frequency),
            ("J", Spectral::Energy),
            ("m / s", Spectral::Speed),
        ];
        kinds.into_iter().find(|(text, _)| self.factor_to(&Unit::read(text)).is_some()).map(|(_, kind)| kind)
    }
}

/// Kind of a spectral coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spectral {
    Wavelength,
    Frequency,
    Energy,
    Speed,
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_between_units() {
        let factor = |from: &str, to: &str| Unit::read(from).factor_to(&Unit::read(to));
        assert_eq!(factor("arcmin", "arcsec"), Some(60.0));
        assert_eq!(factor("km s-1", "m/s"), Some(1000.0));
        assert_eq!(factor("pixel", "pix"), Some(1.0));
        assert_eq!(factor("pixel", "deg"), None);
        assert_eq!(factor("frobs", "frobs"), Some(1.0));
        assert_eq!(factor("turn", "deg").map(f64::round), Some(360.0));
        assert_eq!(factor("um", "Angstrom").map(f64::round), Some(1e4));
        assert_eq!(factor("erg / (cm**2 s)", "W m-2").map(|factor| (factor * 1e6).round()), Some(1000.0));
    }

    #[test]
    fn products_have_a_meaning() {
        let unit = Unit::read("km.s**-1").times(&Unit::read("arcsec").inverse()).over(&Unit::read(""));
        assert_eq!(unit.factor_to(&Unit::read("m / (s arcmin)")).map(f64::round), Some(60_000.0));
        let twice = unit.times(&Unit::read("s2")).over(&Unit::read("arcsec").times(&Unit::read("s")));
        assert_eq!(twice.factor_to(&Unit::read("km / arcsec2")).map(f64::round), Some(1.0));
    }

    #[test]
    fn kinds_of_spectral_coordinates() {
        let kind = |text: &str| Unit::read(text).spectral();
        assert_eq!(kind("Angstrom"), Some(Spectral::Wavelength));
        assert_eq!(kind("GHz"), Some(Spectral::Frequency));
        assert_eq!(kind("keV"), Some(Spectral::Energy));
        assert_eq!(kind("km/s"), Some(Spectral::Speed));
        assert_eq!(kind("deg"), None);
        let to_frequency = Unit::read("um").spectral_to(&Unit::read("Hz")).map(|conversion| conversion.apply(1.0));
        assert_eq!(to_frequency.map(|value| (value / 1e9).round()), Some(299_792.0));
    }
}
