//! Parser of the spelling CDS.
//!
//! ```text
//! unit     = [factor] [combined] | "[" combined "]" | "---" | "[---]"
//! combined = item ["." combined] ("/" item)* | "/" item ("/" item)*
//! item     = name [integer] | "(" combined ")"
//! factor   = number | "10" signed | number "x10" signed
//! ```

use super::function::Function;
use super::names;
use super::parse::{Parsed, is_logarithm};
use super::power::Power;
use super::product::Product;
use super::spelling::Spelling;

/// Maximum depth of parentheses.
const MAX_DEPTH: usize = 32;

/// Maximum number of factors between points. Each factor is a level of the stack.
const MAX_POINTS: usize = 1 << 8;

const SYNTAX: &str = "its syntax is wrong";
const RANGE: &str = "a scale or a power is out of range";

#[derive(Clone, Copy, Debug, PartialEq)]
enum Token<'a> {
    Product,
    Division,
    Open,
    Close,
    OpenBracket,
    CloseBracket,
    Times,
    Integer(i64),
    Float(f64),
    Name(&'a str),
    Dimensionless,
}

/// Parses a text. Fails with a message that says why.
pub(super) fn parse(text: &str) -> Result<Parsed, String> {
    let tokens = tokens(text).map_err(|position| format!("it has a wrong character at position {position}"))?;
    for token in &tokens {
        if let Token::Name(name) = token {
            named(name)?;
        }
    }
    let mut parser = Parser { tokens: &tokens, depth: 0 };
    let parsed = parser.unit()?;
    if parser.tokens.is_empty() { Ok(parsed) } else { Err(SYNTAX.to_owned()) }
}

fn named(name: &str) -> Result<Product, String> {
    let found = names::find(name, Spelling::Cds);
    found.map(Product::named).ok_or_else(|| format!("the spelling cds has no unit '{name}'"))
}

/// Returns the tokens of a text. Fails with the position of a character that begins none.
fn tokens(text: &str) -> Result<Vec<Token<'_>>, usize> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (token, length) = token(rest).ok_or(text.len() - rest.len())?;
        tokens.push(token);
        rest = rest.get(length..).unwrap_or_default();
    }
    Ok(tokens)
}

fn token(text: &str) -> Option<(Token<'_>, usize)> {
    if let Some(number) = number(text) {
        return Some(number);
    }
    let first = text.chars().next()?;
    let name = |length: usize| Some((Token::Name(text.get(..length)?), length));
    match first {
        '.' => Some((Token::Product, 1)),
        '/' => Some((Token::Division, 1)),
        '(' => Some((Token::Open, 1)),
        ')' => Some((Token::Close, 1)),
        '[' => Some((Token::OpenBracket, 1)),
        ']' => Some((Token::CloseBracket, 1)),
        'x' | '\u{d7}' => Some((Token::Times, first.len_utf8())),
        '%' | '\u{b0}' => name(first.len_utf8()),
        '\\' if text.starts_with("\\h") => name(2),
        '-' if text.starts_with("---") => Some((Token::Dimensionless, 3)),
        '-' => Some((Token::Dimensionless, 1)),
        _ => match ["a0", "eps0", "mu0"].iter().find(|name| text.starts_with(**name)) {
            Some(constant) => name(constant.len()),
            None => {
                let ends = |c: char| !(c == '_' || c.is_alphanumeric()) || c.is_ascii_digit();
                name(text.find(ends).unwrap_or(text.len()).max(usize::from(first == '_')))
                    .filter(|(_, length)| *length > 0)
            }
        },
    }
}

/// Returns the number at the start of a text, with its sign.
fn number(text: &str) -> Option<(Token<'_>, usize)> {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes.iter().skip(from).take_while(|byte| byte.is_ascii_digit()).count();
    let sign = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    let whole = digits(sign);
    let mut end = sign + whole;
    let fraction = if bytes.get(end) == Some(&b'.') { digits(end + 1) } else { 0 };
    if fraction > 0 {
        end += 1 + fraction;
    } else if whole == 0 {
        return None;
    }
    let mut has_exponent = false;
    // An integer of one digit has no exponent: `2e` is two elementary charges.
    if matches!(bytes.get(end), Some(b'e' | b'E')) && (fraction > 0 || whole > 1) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let count = digits(end + 1 + sign);
        if count > 0 {
            end += 1 + sign + count;
            has_exponent = true;
        }
    }
    let number = text.get(..end)?;
    if fraction == 0 && !has_exponent {
        return Some((Token::Integer(number.parse().ok()?), end));
    }
    Some((Token::Float(number.parse().ok()?), end))
}

struct Parser<'a> {
    tokens: &'a [Token<'a>],
    depth: usize,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<Token<'a>> {
        self.tokens.first().copied()
    }

    fn take(&mut self, token: Token<'_>) -> bool {
        let found = self.peek() == Some(token);
        if found {
            self.skip(1);
        }
        found
    }

    fn skip(&mut self, count: usize) {
        self.tokens = self.tokens.get(count..).unwrap_or_default();
    }

    fn unit(&mut self) -> Result<Parsed, String> {
        match self.peek() {
            Some(Token::Dimensionless) => self.dimensionless().map(Parsed::Linear),
            Some(Token::OpenBracket) => {
                self.skip(1);
                let of = match self.peek() {
                    Some(Token::Dimensionless) => self.dimensionless()?,
                    _ => self.combined()?,
                };
                if !self.take(Token::CloseBracket) || is_logarithm(&of) {
                    return Err(SYNTAX.to_owned());
                }
                Ok(Parsed::Log(Function::Dex, of))
            }
            _ => {
                let product = match self.factor()? {
                    None => Some(self.combined()?),
                    Some(factor) if self.tokens.is_empty() => Product::of(factor, &[]),
                    Some(factor) => self.combined()?.scaled(factor),
                };
                product.map(Parsed::Linear).ok_or_else(|| RANGE.to_owned())
            }
        }
    }

    fn dimensionless(&mut self) -> Result<Product, String> {
        self.skip(1);
        named("---")
    }

    fn factor(&mut self) -> Result<Option<f64>, String> {
        let Some(first @ (Token::Integer(_) | Token::Float(_))) = self.peek() else { return Ok(None) };
        self.skip(1);
        let value = match first {
            Token::Float(value) => value,
            Token::Integer(value) => value as f64,
            _ => return Err(SYNTAX.to_owned()),
        };
        let base = "only powers of ten are factors";
        if self.take(Token::Times) {
            let &[Token::Integer(ten), Token::Integer(exponent), ..] = self.tokens else {
                return Err(SYNTAX.to_owned());
            };
            self.skip(2);
            return if ten == 10 { Ok(Some(value * 10_f64.powf(exponent as f64))) } else { Err(base.to_owned()) };
        }
        if let (Token::Integer(ten), Some(Token::Integer(exponent))) = (first, self.peek()) {
            self.skip(1);
            return if ten == 10 { Ok(Some(10_f64.powf(exponent as f64))) } else { Err(base.to_owned()) };
        }
        Ok(Some(value))
    }

    fn combined(&mut self) -> Result<Product, String> {
        let mut products = Vec::new();
        let mut starts_with_division = self.peek() == Some(Token::Division);
        if !starts_with_division {
            products.push(self.item()?);
            while self.take(Token::Product) {
                if products.len() == MAX_POINTS {
                    return Err("it is too long".to_owned());
                }
                if self.peek() == Some(Token::Division) {
                    starts_with_division = true;
                    break;
                }
                products.push(self.item()?);
            }
        }
        // A point binds what follows it: the quotients belong to the last part.
        let mut last = match (starts_with_division, products.pop()) {
            (false, Some(last)) => last,
            (true, before) => {
                products.extend(before);
                self.skip(1);
                self.item()?.raised(Power::integer(-1)).ok_or(RANGE)?
            }
            (false, None) => return Err(SYNTAX.to_owned()),
        };
        while self.take(Token::Division) {
            last = last.divided_by(&self.item()?).ok_or(RANGE)?;
        }
        products.into_iter().rev().try_fold(last, |product, item| item.times(product).ok_or_else(|| RANGE.to_owned()))
    }

    fn item(&mut self) -> Result<Product, String> {
        match self.peek() {
            Some(Token::Name(name)) => {
                self.skip(1);
                let product = named(name)?;
                match self.peek() {
                    Some(Token::Integer(power)) => {
                        self.skip(1);
                        product.raised(Power::integer(power)).ok_or_else(|| RANGE.to_owned())
                    }
                    _ => Ok(product),
                }
            }
            Some(Token::Open) if self.depth < MAX_DEPTH => {
                self.skip(1);
                self.depth += 1;
                let product = self.combined()?;
                self.depth -= 1;
                if self.take(Token::Close) { Ok(product) } else { Err(SYNTAX.to_owned()) }
            }
            _ => Err(SYNTAX.to_owned()),
        }
    }
}
