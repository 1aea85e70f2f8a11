//! Parser of the spellings that follow FITS: generic, VOUnit, FITS itself. They share a grammar and differ in the names
//! that they know.
//!
//! ```text
//! unit     = [factor] ["*"] (quotient | "/" item) | factor
//! quotient = product ("/" product)*
//! product  = item (["*"] item)*
//! item     = function "(" unit ")" | name [power] | "(" product ")"
//! ```
//!
//! A name binds an opening parenthesis as the start of its power, and an integer as that of its exponent. So `m (s)` is
//! no unit, as in astropy.

use super::function::Function;
use super::names::{self, Named};
use super::power::Power;
use super::prefixes::PREFIXES;
use super::product::Product;
use super::spelling::Spelling;
use super::token::{FunctionName, Token, tokens};

/// Maximum depth of parentheses.
const MAX_DEPTH: usize = 32;

/// Maximum number of tokens. The longest units of files have some dozens.
const MAX_TOKENS: usize = 1 << 12;

/// Meaning of a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Parsed {
    Linear(Product),
    Log(Function, Product),
}

/// Parses a text. Fails with a message that says why.
pub(super) fn parse(text: &str, spelling: Spelling) -> Result<Parsed, String> {
    let tokens = tokens(text).map_err(|position| format!("it has a wrong character at position {position}"))?;
    if tokens.len() > MAX_TOKENS {
        return Err("it is too long".to_owned());
    }
    for token in &tokens {
        // Names are looked up first, so that a message names the one that is unknown.
        if let Token::Name(name) = token {
            named(name, spelling)?;
        }
    }
    let mut parser = Parser { tokens: &tokens, spelling, depth: 0 };
    let parsed = parser.unit()?;
    match parser.tokens.first() {
        None => Ok(parsed),
        Some(_) => Err(SYNTAX.to_owned()),
    }
}

const SYNTAX: &str = "its syntax is wrong";
const RANGE: &str = "a scale or a power is out of range";

struct Parser<'a> {
    tokens: &'a [Token<'a>],
    spelling: Spelling,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<Token<'a>> {
        self.tokens.first().copied()
    }

    fn peek_at(&self, index: usize) -> Option<Token<'a>> {
        self.tokens.get(index).copied()
    }

    fn skip(&mut self, count: usize) {
        self.tokens = self.tokens.get(count..).unwrap_or_default();
    }

    fn take(&mut self, token: Token<'_>) -> bool {
        let found = self.peek() == Some(token);
        if found {
            self.skip(1);
        }
        found
    }

    fn expect(&mut self, token: Token<'_>) -> Result<(), String> {
        if self.take(token) { Ok(()) } else { Err(SYNTAX.to_owned()) }
    }

    fn unit(&mut self) -> Result<Parsed, String> {
        let factor = self.factor()?;
        if let Some(factor) = factor {
            if matches!(self.peek(), None | Some(Token::Close)) {
                return Product::of(factor, &[]).map(Parsed::Linear).ok_or_else(|| RANGE.to_owned());
            }
            self.take(Token::Product);
        }
        let parsed =
            if self.take(Token::Division) { power_of(self.item()?, Power::integer(-1))? } else { self.quotient()? };
        match (factor, parsed) {
            (None, parsed) => Ok(parsed),
            (Some(factor), Parsed::Linear(product)) => {
                product.scaled(factor).map(Parsed::Linear).ok_or_else(|| RANGE.to_owned())
            }
            (Some(_), Parsed::Log(..)) => Err("a logarithmic unit has no scale".to_owned()),
        }
    }

    fn quotient(&mut self) -> Result<Parsed, String> {
        let mut quotient = self.product()?;
        while self.take(Token::Division) {
            let divisor = self.product()?;
            let (dividend, divisor) = (linear(quotient)?, linear(divisor)?);
            quotient = Parsed::Linear(dividend.divided_by(&divisor).ok_or(RANGE)?);
        }
        Ok(quotient)
    }

    fn product(&mut self) -> Result<Parsed, String> {
        let mut items = vec![self.item()?];
        loop {
            let explicit = self.take(Token::Product);
            if !explicit && !matches!(self.peek(), Some(Token::Function(_) | Token::Name(_) | Token::Open)) {
                break;
            }
            items.push(self.item()?);
        }
        // Products associate to the right.
        let last = items.pop().ok_or(SYNTAX)?;
        items.into_iter().rev().try_fold(last, |product, item| {
            linear(item)?.times(linear(product)?).map(Parsed::Linear).ok_or_else(|| RANGE.to_owned())
        })
    }

    fn item(&mut self) -> Result<Parsed, String> {
        match self.peek() {
            Some(Token::Name(name)) => {
                self.skip(1);
                let product = Product::named(named(name, self.spelling)?);
                match self.power()? {
                    None => Ok(Parsed::Linear(product)),
                    Some(power) => product.raised(power).map(Parsed::Linear).ok_or_else(|| RANGE.to_owned()),
                }
            }
            Some(Token::Open) => {
                self.skip(1);
                self.nested(Parser::product)
            }
            Some(Token::Function(function)) => {
                self.skip(1);
                self.expect(Token::Open)?;
                let of = self.nested(Parser::unit)?;
                self.function(function, of)
            }
            _ => Err(SYNTAX.to_owned()),
        }
    }

    /// Reads what is in parentheses, whose opening one was read.
    fn nested(&mut self, read: fn(&mut Parser<'a>) -> Result<Parsed, String>) -> Result<Parsed, String> {
        if self.depth == MAX_DEPTH {
            return Err("its parentheses are too deep".to_owned());
        }
        self.depth += 1;
        let parsed = read(self)?;
        self.depth -= 1;
        self.expect(Token::Close)?;
        Ok(parsed)
    }

    fn function(&self, function: FunctionName, of: Parsed) -> Result<Parsed, String> {
        match function {
            FunctionName::Sqrt => power_of(of, Power::Ratio(1, 2)),
            FunctionName::Log(function) => {
                if !self.spelling.knows(function.name()) {
                    return Err(format!("the spelling {} has no unit '{}'", self.spelling.name(), function.name()));
                }
                let Parsed::Linear(of) = of else { return Err("a logarithm is not of a logarithm".to_owned()) };
                if is_logarithm(&of) {
                    return Err("a logarithm is not of a logarithm".to_owned());
                }
                Ok(Parsed::Log(function, of))
            }
            FunctionName::Other => Err("a function is unknown".to_owned()),
        }
    }

    /// Reads the factor at the start of a unit.
    fn factor(&mut self) -> Result<Option<f64>, String> {
        if !matches!(self.peek(), Some(Token::Sign(_) | Token::Integer(_) | Token::Float(_))) {
            return Ok(None);
        }
        let factor = match self.peek() {
            Some(Token::Integer(value)) => {
                self.skip(1);
                self.factor_from_integer(value)?
            }
            _ => {
                let (sign, value) = self.signed()?;
                let first = f64::from(sign) * value;
                let scaled = if matches!(self.peek(), Some(Token::Integer(_))) { self.scale_after()? } else { 1.0 };
                Factor::Number(first * scaled)
            }
        };
        match factor {
            Factor::Number(_) if self.spelling == Spelling::Fits => {
                Err("FITS allows only powers of ten as a factor".to_owned())
            }
            Factor::Number(value) | Factor::PowerOfTen(value) => Ok(Some(value)),
        }
    }

    /// Reads the rest of a factor that begins with an integer: `10`, `10**3`, `10-3`, `10(-3)`, `5 10**3`.
    fn factor_from_integer(&mut self, value: u64) -> Result<Factor, String> {
        let ten = |exponent: i64| match value {
            10 => Ok(Factor::PowerOfTen(power_of_ten(exponent)?)),
            _ => Err("only a power of ten has an integer exponent".to_owned()),
        };
        match (self.peek(), self.peek_at(1)) {
            (Some(Token::Power), Some(Token::Open)) => {
                self.skip(2);
                let is_signed = matches!(self.peek(), Some(Token::Sign(_)));
                if let Some(Token::Integer(_)) = self.peek_at(usize::from(is_signed)) {
                    let (sign, exponent) = self.signed_integer()?;
                    self.expect(Token::Close)?;
                    return ten(sign * exponent);
                }
                let (sign, exponent) = self.signed()?;
                self.expect(Token::Close)?;
                Ok(Factor::Number((value as f64).powf(f64::from(sign) * exponent)))
            }
            (Some(Token::Power), _) => {
                self.skip(1);
                let (sign, exponent) = self.signed_integer()?;
                ten(sign * exponent)
            }
            (Some(Token::Sign(_)), Some(Token::Integer(_))) => {
                let (sign, exponent) = self.signed_integer()?;
                ten(sign * exponent)
            }
            (Some(Token::Open), _) => {
                self.skip(1);
                if !matches!(self.peek(), Some(Token::Sign(_))) {
                    return Err(SYNTAX.to_owned());
                }
                let (sign, exponent) = self.signed_integer()?;
                self.expect(Token::Close)?;
                ten(sign * exponent)
            }
            (Some(Token::Integer(_)), _) => Ok(Factor::Number(value as f64 * self.scale_after()?)),
            _ => Ok(Factor::Number(value as f64)),
        }
    }

    /// Reads the power after the first number of a factor: the `10**3` of `5 10**3`.
    fn scale_after(&mut self) -> Result<f64, String> {
        let Some(Token::Integer(base)) = self.peek() else { return Err(SYNTAX.to_owned()) };
        self.skip(1);
        if self.take(Token::Power) {
            return Ok(self.numeric_power()?.value_of(base));
        }
        if !matches!(self.peek(), Some(Token::Sign(_))) {
            return Err(SYNTAX.to_owned());
        }
        let (sign, exponent) = self.signed_integer()?;
        Ok((base as f64).powf((sign * exponent) as f64))
    }

    fn sign(&mut self) -> i8 {
        match self.peek() {
            Some(Token::Sign(sign)) => {
                self.skip(1);
                sign
            }
            _ => 1,
        }
    }

    /// Reads a number with an optional sign.
    fn signed(&mut self) -> Result<(i8, f64), String> {
        let sign = self.sign();
        let value = match self.peek() {
            Some(Token::Integer(value)) => value as f64,
            Some(Token::Float(value)) => value,
            _ => return Err(SYNTAX.to_owned()),
        };
        self.skip(1);
        Ok((sign, value))
    }

    /// Reads an integer with an optional sign.
    fn signed_integer(&mut self) -> Result<(i64, i64), String> {
        let sign = self.sign();
        let Some(Token::Integer(value)) = self.peek() else { return Err(SYNTAX.to_owned()) };
        self.skip(1);
        Ok((i64::from(sign), integer(value)?))
    }

    /// Reads the power after a name, if there is one.
    fn power(&mut self) -> Result<Option<Power>, String> {
        let explicit = self.take(Token::Power);
        if explicit || matches!(self.peek(), Some(Token::Sign(_) | Token::Integer(_) | Token::Open)) {
            return self.numeric_power().map(Some);
        }
        Ok(None)
    }

    /// Reads `2`, `-2`, `(2)`, `(1.5)`, `(-3/2)`.
    fn numeric_power(&mut self) -> Result<Power, String> {
        if !self.take(Token::Open) {
            let (sign, value) = self.signed_integer()?;
            return Ok(Power::integer(sign * value));
        }
        let power = match (self.peek(), self.peek_at(1)) {
            (Some(Token::Float(_)), _) | (Some(Token::Sign(_)), Some(Token::Float(_))) => {
                let (sign, value) = self.signed()?;
                Power::float(f64::from(sign) * value)
            }
            _ => {
                let (sign, numerator) = self.signed_integer()?;
                let (divisor_sign, divisor) = if self.take(Token::Division) { self.signed_integer()? } else { (1, 1) };
                Power::ratio(i128::from(sign * numerator), i128::from(divisor_sign * divisor))
            }
        };
        self.expect(Token::Close)?;
        power.ok_or_else(|| RANGE.to_owned())
    }
}

/// Factor of a unit.
enum Factor {
    /// A number, which FITS does not allow.
    Number(f64),
    PowerOfTen(f64),
}

impl Power {
    /// Returns the power of an integer.
    fn value_of(self, base: u64) -> f64 {
        (base as f64).powf(self.value())
    }
}

fn integer(value: u64) -> Result<i64, String> {
    i64::try_from(value).map_err(|_| RANGE.to_owned())
}

/// Returns a power of ten with correct rounding.
fn power_of_ten(exponent: i64) -> Result<f64, String> {
    let value: f64 = format!("1e{exponent}").parse().unwrap_or(f64::INFINITY);
    if value.is_finite() && value > 0.0 { Ok(value) } else { Err(RANGE.to_owned()) }
}

fn power_of(parsed: Parsed, power: Power) -> Result<Parsed, String> {
    linear(parsed)?.raised(power).map(Parsed::Linear).ok_or_else(|| RANGE.to_owned())
}

/// Returns the unit as a product. A logarithm of a number is the unit of the logarithm itself.
fn linear(parsed: Parsed) -> Result<Product, String> {
    match parsed {
        Parsed::Linear(product) => Ok(product),
        Parsed::Log(function, of) if of.is_unity() == Some(true) => {
            let named = names::find(function.name(), Spelling::Generic).ok_or(SYNTAX)?;
            Ok(Product::named(named))
        }
        Parsed::Log(..) => Err("a logarithm of a unit is no part of another unit".to_owned()),
    }
}

/// Returns whether a product is a multiple of the dex.
pub(super) fn is_logarithm(product: &Product) -> bool {
    product.decomposed().is_some_and(|product| match &*product.factors {
        [(named, Power::ONE)] => named.name() == Function::Dex.name(),
        _ => false,
    })
}

/// Returns the unit with a name.
fn named(name: &str, spelling: Spelling) -> Result<Named, String> {
    if let Some(found) = names::find(name, spelling) {
        return Ok(found);
    }
    if spelling == Spelling::VoUnit
        && let Some(custom) = custom_unit(name)
    {
        return Ok(custom);
    }
    Err(format!("the spelling {} has no unit '{name}'", spelling.name()))
}

/// Returns a unit in quotes, which VOUnit allows for units that it does not know. A prefix may be before the quotes.
fn custom_unit(name: &str) -> Option<Named> {
    let is_word = |word: &str| !word.is_empty() && word.chars().all(|c| c == '_' || c.is_alphabetic());
    let (before, quoted) = name.split_at(name.find('\'')?);
    let inner = quoted.strip_prefix('\'')?.strip_suffix('\'')?;
    if !is_word(inner) {
        return None;
    }
    if before.is_empty() {
        return Some(Named::custom(quoted, None));
    }
    let prefix = PREFIXES.iter().zip(0..).find(|(prefix, _)| !prefix.binary && prefix.symbols.first() == Some(&before));
    prefix.map(|(_, number)| Named::custom(quoted, Some(number)))
}
