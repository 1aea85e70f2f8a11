//! Units of physical quantities: parsed, compared, printed.

use std::fmt;

use crate::error::{Error, Result, Status};

use super::function::Function;
use super::names;
use super::parse::{self, Parsed};
use super::parse_cds;
use super::power::{Power, is_unity};
use super::print;
use super::product::Product;
use super::spelling::Spelling;

/// Maximum length of a text that is parsed, in bytes.
const MAX_TEXT: usize = 1 << 12;

/// A unit: a product of named units, the logarithm of one, or a text that is neither.
///
/// Two units are equal if each value has the same number in both: `N` equals `kg m / s2`. An unknown text equals only
/// itself.
#[derive(Clone, Debug)]
pub struct Unit {
    pub(super) content: Content,
}

#[derive(Clone, Debug)]
pub(super) enum Content {
    Linear(Product),
    /// The logarithm of the ratio of a quantity to a unit.
    Log(Function, Product),
    Unknown(String),
}

/// Kind of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum UnitKind {
    /// A text that is no known unit.
    Unknown,
    /// Values are proportional to the quantity, or are temperatures in degrees.
    Linear,
    /// Astronomical magnitudes: -2.5 for a factor of ten.
    Magnitude,
    /// Decibels: ten for a factor of ten.
    Decibel,
    /// Decimal logarithms: one for a factor of ten.
    Dex,
}

impl Unit {
    /// Parses a text in one spelling, as astropy does. In VOUnit, a name in quotes is a unit of its own.
    ///
    /// Fails with [`Status::Units`] if the text is not a unit in this spelling.
    pub fn parse(text: &str, spelling: Spelling) -> Result<Unit> {
        parsed(text, spelling).map_err(|reason| {
            Error::new(Status::Units, format!("'{text}' is no unit in the spelling {}: {reason}", spelling.name()))
        })
    }

    /// Reads the text of a file. Never fails: a text that is not a unit in any spelling is kept as it is.
    ///
    /// `spelling` is the one that the file should use. It decides about texts that mean something else in another
    /// spelling. Names that it does not know may be those of another spelling.
    #[must_use]
    pub fn read(text: &str, spelling: Spelling) -> Unit {
        if let Ok(unit) = parsed(text, spelling) {
            return unit;
        }
        let found =
            Spelling::ALL.iter().filter(|other| **other != spelling).find_map(|other| parsed(text, *other).ok());
        found.unwrap_or_else(|| Unit { content: Content::Unknown(text.to_owned()) })
    }

    /// Returns the text of the unit in a spelling, as astropy writes it. An unknown text is returned as it is.
    ///
    /// Units that the spelling does not know are replaced by their definitions. Fails with [`Status::Units`] if the
    /// spelling cannot express the unit.
    pub fn text(&self, spelling: Spelling) -> Result<String> {
        let text = match &self.content {
            Content::Linear(product) => print::product(product, spelling),
            Content::Log(function, of) => print::log(*function, of, spelling),
            Content::Unknown(text) => return Ok(text.clone()),
        };
        text.map_err(|reason| {
            Error::new(Status::Units, format!("cannot write the unit '{self}' as {}: {reason}", spelling.name()))
        })
    }

    /// Returns the kind of the unit.
    #[must_use]
    pub fn kind(&self) -> UnitKind {
        let of = |function: Function| match function {
            Function::Magnitude => UnitKind::Magnitude,
            Function::Decibel => UnitKind::Decibel,
            Function::Dex => UnitKind::Dex,
        };
        match &self.content {
            Content::Unknown(_) => UnitKind::Unknown,
            Content::Log(function, _) => of(*function),
            Content::Linear(product) => plain_logarithm(product).map_or(UnitKind::Linear, of),
        }
    }

    /// Returns the unit whose logarithm this one is: `AB` of `mag(AB)`. `None` for a unit that is no logarithm, and for a
    /// bare one such as `mag`.
    #[must_use]
    pub fn physical(&self) -> Option<Unit> {
        match &self.content {
            Content::Log(_, of) => Some(Unit { content: Content::Linear(of.clone()) }),
            _ => None,
        }
    }

    /// Returns whether the unit is a number: it has no dimension, and is no logarithm.
    #[must_use]
    pub fn is_dimensionless(&self) -> bool {
        match &self.content {
            Content::Linear(product) => product.decomposed().is_some_and(|product| product.factors.is_empty()),
            _ => false,
        }
    }
}

fn parsed(text: &str, spelling: Spelling) -> std::result::Result<Unit, String> {
    if text.len() > MAX_TEXT {
        return Err("it is too long".to_owned());
    }
    if text.trim().is_empty() {
        return Ok(Unit { content: Content::Linear(Product::scalar(1.0)) });
    }
    // Some names of CDS have characters that its grammar does not allow, such as the `Ma0`.
    if let Some(named) = names::find(text, spelling) {
        return Ok(Unit { content: Content::Linear(Product::named(named)) });
    }
    let parsed = match spelling {
        Spelling::Generic => parse::parse(&ascii_powers(text), spelling)?,
        Spelling::VoUnit if matches!(text, "unknown" | "UNKNOWN") => return Err("it stands for no unit".to_owned()),
        Spelling::VoUnit if has_slashes(text) => return Err("it has several slashes".to_owned()),
        Spelling::VoUnit | Spelling::Fits => parse::parse(text, spelling)?,
        Spelling::Cds => parse_cds::parse(text)?,
    };
    let (Parsed::Linear(product) | Parsed::Log(_, product)) = &parsed;
    if !product.is_in_range() {
        return Err("its scale is out of range".to_owned());
    }
    let content = match parsed {
        Parsed::Log(..) if matches!(spelling, Spelling::VoUnit | Spelling::Fits) => {
            return Err("the spelling has no logarithms of units".to_owned());
        }
        Parsed::Linear(product) => Content::Linear(product),
        Parsed::Log(function, of) => Content::Log(function, of),
    };
    Ok(Unit { content })
}

/// Returns whether a text has several slashes that are not in a power such as `(3/2)`.
fn has_slashes(text: &str) -> bool {
    let slashes = text.matches('/').count();
    let in_powers = text.split('(').skip(1).filter(|part| {
        let power = part.split(')').next().unwrap_or_default();
        let is_digits = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        part.contains(')') && power.split_once('/').is_some_and(|(before, after)| is_digits(before) && is_digits(after))
    });
    slashes > 1 && slashes - in_powers.count() > 1
}

/// Returns a text with superscripts as powers in parentheses, and with the usual characters for others of the same
/// look.
fn ascii_powers(text: &str) -> std::borrow::Cow<'_, str> {
    if text.is_ascii() {
        return text.into();
    }
    let superscript = |c: char| {
        "\u{207b}\u{207a}\u{2070}\u{b9}\u{b2}\u{b3}\u{2074}\u{2075}\u{2076}\u{2077}\u{2078}\u{2079}"
            .chars()
            .zip("-+0123456789".chars())
            .find(|(from, _)| *from == c)
            .map(|(_, to)| to)
    };
    let mut out = String::new();
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        let is_sign = |c: char| matches!(c, '\u{207b}' | '\u{207a}');
        let starts = match superscript(c) {
            Some(_) if is_sign(c) => {
                characters.peek().is_some_and(|next| !is_sign(*next) && superscript(*next).is_some())
            }
            found => found.is_some(),
        };
        if starts {
            out.push('(');
            out.extend(superscript(c));
            while let Some(digit) = characters.peek().copied().filter(|c| !is_sign(*c)).and_then(superscript) {
                out.push(digit);
                characters.next();
            }
            out.push(')');
            continue;
        }
        match c {
            '\u{2212}' => out.push('-'),
            '\u{2126}' => out.push('\u{3a9}'),
            '\u{212b}' => out.push('\u{c5}'),
            '\u{212a}' => out.push('K'),
            '\u{30a}' if out.ends_with('A') => {
                out.pop();
                out.push('\u{c5}');
            }
            _ => out.push(c),
        }
    }
    out.into()
}

/// Returns the logarithm that a product is: `mag`, `dB`, `dex`, with or without a prefix.
fn plain_logarithm(product: &Product) -> Option<Function> {
    let [(named, Power::ONE)] = &*product.factors else { return None };
    match *named.entry()?.short.first()? {
        "mag" => Some(Function::Magnitude),
        "dB" => Some(Function::Decibel),
        "dex" => Some(Function::Dex),
        _ => None,
    }
}

/// Writes the unit in the generic spelling, which has a text for each unit.
impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match &self.content {
            Content::Linear(product) => print::product(product, Spelling::Generic),
            Content::Log(function, of) => print::log(*function, of, Spelling::Generic),
            Content::Unknown(text) => Ok(text.clone()),
        };
        f.write_str(&text.unwrap_or_default())
    }
}

impl PartialEq for Unit {
    fn eq(&self, other: &Unit) -> bool {
        match (&self.content, &other.content) {
            (Content::Unknown(left), Content::Unknown(right)) => left == right,
            (Content::Linear(left), Content::Linear(right)) => ratio(left, right).is_some_and(is_unity),
            (Content::Log(function, left), Content::Log(other, right)) => {
                function == other && ratio(left, right).is_some_and(is_unity)
            }
            // A logarithm of a number is the bare logarithm.
            (Content::Log(function, of), Content::Linear(bare))
            | (Content::Linear(bare), Content::Log(function, of)) => {
                of.is_unity() == Some(true) && bare.scale == 1.0 && plain_logarithm(bare) == Some(*function)
            }
            _ => false,
        }
    }
}

/// Returns the factor between two products; `None` if they have different dimensions.
pub(super) fn ratio(from: &Product, to: &Product) -> Option<f64> {
    let (from, to) = (from.decomposed()?, to.decomposed()?);
    (from.factors == to.factors).then_some(from.scale / to.scale)
}
