//! Units of inputs, outputs and parameters of transforms: as much as is needed to convert between those of a chain.

use std::fmt;

/// Number of base units.
const BASES: usize = 8;
/// Powers of degree, m, s, kg, K, pixel, A, cd, in this order.
type Powers = [i16; BASES];

/// A unit: a factor and powers of base units. A text that is not understood is a unit of its own.
#[derive(Clone, Debug)]
pub(super) struct Unit {
    text: String,
    /// `None` for a text that is not understood.
    meaning: Option<(f64, Powers)>,
}

const NONE: Powers = [0; BASES];

const fn power(base: usize) -> Powers {
    let mut powers = NONE;
    powers[base] = 1;
    powers
}

const ANGLE: Powers = power(0);
const LENGTH: Powers = power(1);
const TIME: Powers = power(2);
const FREQUENCY: Powers = [0, 0, -1, 0, 0, 0, 0, 0];
const ENERGY: Powers = [0, 2, -2, 1, 0, 0, 0, 0];
const PIXEL: Powers = power(5);

/// Units by name, with their factor; the last column tells whether prefixes are allowed.
const NAMES: [(&str, f64, Powers, bool); 44] = [
    ("deg", 1.0, ANGLE, false),
    ("arcmin", 1.0 / 60.0, ANGLE, false),
    ("arcsec", 1.0 / 3600.0, ANGLE, true),
    ("as", 1.0 / 3600.0, ANGLE, true),
    ("rad", 180.0 / std::f64::consts::PI, ANGLE, true),
    ("hourangle", 15.0, ANGLE, false),
    ("cycle", 360.0, ANGLE, false),
    ("turn", 360.0, ANGLE, false),
    ("m", 1.0, LENGTH, true),
    ("Angstrom", 1e-10, LENGTH, false),
    ("angstrom", 1e-10, LENGTH, false),
    ("AA", 1e-10, LENGTH, false),
    ("micron", 1e-6, LENGTH, false),
    ("au", 149_597_870_700.0, LENGTH, false),
    ("AU", 149_597_870_700.0, LENGTH, false),
    ("lyr", 9.460_730_472_580_8e15, LENGTH, true),
    ("pc", 3.085_677_581_491_367_4e16, LENGTH, true),
    ("solRad", 695_700_000.0, LENGTH, false),
    ("R_sun", 695_700_000.0, LENGTH, false),
    ("s", 1.0, TIME, true),
    ("min", 60.0, TIME, false),
    ("h", 3600.0, TIME, false),
    ("d", 86400.0, TIME, false),
    ("yr", 31_557_600.0, TIME, true),
    ("a", 31_557_600.0, TIME, true),
    ("Hz", 1.0, FREQUENCY, true),
    ("J", 1.0, ENERGY, true),
    ("eV", 1.602_176_634e-19, ENERGY, true),
    ("erg", 1e-7, ENERGY, true),
    ("W", 1.0, [0, 2, -3, 1, 0, 0, 0, 0], true),
    ("N", 1.0, [0, 1, -2, 1, 0, 0, 0, 0], true),
    ("Pa", 1.0, [0, -1, -2, 1, 0, 0, 0, 0], true),
    ("Jy", 1e-26, [0, 0, -2, 1, 0, 0, 0, 0], true),
    ("g", 1e-3, power(3), true),
    ("K", 1.0, power(4), true),
    ("pix", 1.0, PIXEL, true),
    ("pixel", 1.0, PIXEL, true),
    ("A", 1.0, power(6), true),
    ("cd", 1.0, power(7), true),
    ("sr", 180.0 / std::f64::consts::PI * (180.0 / std::f64::consts::PI), [2, 0, 0, 0, 0, 0, 0, 0], true),
    ("%", 0.01, NONE, false),
    ("one", 1.0, NONE, false),
    ("dimensionless", 1.0, NONE, false),
    ("radian", 180.0 / std::f64::consts::PI, ANGLE, false),
];

#[rustfmt::skip]
const PREFIXES: [(&str, f64); 21] = [
    ("da", 1e1), ("y", 1e-24), ("z", 1e-21), ("a", 1e-18), ("f", 1e-15), ("p", 1e-12), ("n", 1e-9), ("u", 1e-6),
    ("µ", 1e-6), ("m", 1e-3), ("c", 1e-2), ("d", 1e-1), ("h", 1e2), ("k", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12),
    ("P", 1e15), ("E", 1e18), ("Z", 1e21), ("Y", 1e24),
];

impl Unit {
    /// Reads the text of a unit.
    pub(super) fn read(text: &str) -> Unit {
        Unit { text: text.to_owned(), meaning: Parser { rest: text.trim() }.unit() }
    }

    pub(super) fn degree() -> Unit {
        Unit { text: "deg".to_owned(), meaning: Some((1.0, ANGLE)) }
    }

    pub(super) fn radian() -> Unit {
        Unit::read("rad")
    }

    pub(super) fn is_known(&self) -> bool {
        self.meaning.is_some()
    }

    /// Returns the factor that converts values to another unit; `None` if there is none.
    pub(super) fn factor_to(&self, other: &Unit) -> Option<f64> {
        if self.text == other.text {
            return Some(1.0);
        }
        let ((one, powers), (two, others)) = (self.meaning?, other.meaning?);
        (powers == others).then(|| one / two)
    }

    /// Returns the product of two units.
    pub(super) fn times(&self, other: &Unit) -> Unit {
        self.joined(other, 1, &format!("({}) ({})", self.text, other.text))
    }

    /// Returns the quotient of two units.
    pub(super) fn over(&self, other: &Unit) -> Unit {
        self.joined(other, -1, &format!("({}) / ({})", self.text, other.text))
    }

    pub(super) fn inverse(&self) -> Unit {
        let one = Unit { text: String::new(), meaning: Some((1.0, NONE)) };
        one.joined(self, -1, &format!("({})-1", self.text))
    }

    fn joined(&self, other: &Unit, sign: i16, text: &str) -> Unit {
        let meaning = self.meaning.zip(other.meaning).map(|((one, powers), (two, others))| {
            let powers = std::array::from_fn(|base| powers[base] + sign * others[base]);
            (one * two.powi(i32::from(sign)), powers)
        });
        Unit { text: text.to_owned(), meaning }
    }

    /// Returns what a spectral coordinate in this unit is.
    pub(super) fn spectral(&self) -> Option<Spectral> {
        let (_, powers) = self.meaning?;
        Some(match powers {
            LENGTH => Spectral::Wavelength,
            FREQUENCY => Spectral::Frequency,
            ENERGY => Spectral::Energy,
            [0, -1, 0, 0, 0, 0, 0, 0] => Spectral::Wavenumber,
            [0, 1, -1, 0, 0, 0, 0, 0] => Spectral::Speed,
            _ => return None,
        })
    }

    /// Returns the factor to the base units.
    pub(super) fn factor(&self) -> Option<f64> {
        self.meaning.map(|(factor, _)| factor)
    }
}

/// Kind of a spectral coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spectral {
    Wavelength,
    Frequency,
    Energy,
    Wavenumber,
    Speed,
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Reader of products of units with powers. Parentheses are opened at most once.
struct Parser<'a> {
    rest: &'a str,
}

impl Parser<'_> {
    fn unit(mut self) -> Option<(f64, Powers)> {
        let (mut factor, mut powers) = (1.0, NONE);
        let mut divides = false;
        let mut group = false;
        loop {
            self.rest = self.rest.trim_start_matches([' ', '.', '*']);
            if let Some(rest) = self.rest.strip_prefix(')') {
                (self.rest, group) = (rest, false);
                divides = false;
                continue;
            }
            if self.rest.is_empty() {
                return (!group).then_some((factor, powers));
            }
            if let Some(rest) = self.rest.strip_prefix('/') {
                (self.rest, divides) = (rest.trim_start(), true);
            }
            if let Some(rest) = self.rest.strip_prefix('(') {
                if group {
                    return None;
                }
                (self.rest, group) = (rest, true);
            }
            let (one, item) = self.item()?;
            let sign: i32 = if divides { -1 } else { 1 };
            factor *= one.powi(sign);
            for (sum, power) in powers.iter_mut().zip(item) {
                *sum = sum.checked_add(power * sign as i16)?;
            }
            if !group {
                divides = false;
            }
        }
    }

    /// Reads a name or number with its power.
    fn item(&mut self) -> Option<(f64, Powers)> {
        let is_name = |c: char| c.is_alphabetic() || matches!(c, '_' | '%' | 'µ');
        let end = self.rest.find(|c: char| !is_name(c)).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        let (factor, powers) = if name.is_empty() {
            let end = self.rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(self.rest.len());
            let (number, rest) = self.rest.split_at(end);
            self.rest = rest;
            (number.parse().ok()?, NONE)
        } else {
            self.rest = rest;
            named(name)?
        };
        let exponent = self.exponent()?;
        let powers: Powers = std::array::from_fn(|base| powers[base] * exponent);
        Some((factor.powi(i32::from(exponent)), powers))
    }

    fn exponent(&mut self) -> Option<i16> {
        let rest = self.rest.strip_prefix("**").or(self.rest.strip_prefix('^')).unwrap_or(self.rest);
        let group = rest.strip_prefix('(');
        let rest = group.unwrap_or(rest);
        let digits = rest.strip_prefix(['+', '-']).unwrap_or(rest);
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        if end == 0 {
            // Without a number the parenthesis begins a group.
            return (group.is_some() || rest.len() == self.rest.len()).then_some(1);
        }
        let length = rest.len() - digits.len() + end;
        let exponent: i16 = rest[..length].parse().ok().filter(|exponent: &i16| exponent.abs() < 100)?;
        self.rest = &rest[length..];
        if group.is_some() {
            self.rest = self.rest.strip_prefix(')')?;
        }
        Some(exponent)
    }
}

fn named(name: &str) -> Option<(f64, Powers)> {
    let find = |name: &str| NAMES.iter().find(|(known, ..)| *known == name);
    if let Some((_, factor, powers, _)) = find(name) {
        return Some((*factor, *powers));
    }
    PREFIXES.iter().find_map(|(prefix, scale)| {
        let (_, factor, powers, _) = find(name.strip_prefix(prefix)?).filter(|(.., prefixed)| *prefixed)?;
        Some((factor * scale, *powers))
    })
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
        assert_eq!(factor("um", "Angstrom").map(f64::round), Some(1e4));
        assert_eq!(factor("erg / (cm**2 s)", "W m-2").map(|factor| (factor * 1e6).round()), Some(1000.0));
    }
}
