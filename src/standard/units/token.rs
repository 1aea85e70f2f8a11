//! Tokens of the spellings that follow FITS: generic, VOUnit, FITS itself.

use super::function::Function;

/// A part of a unit's text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Token<'a> {
    Comma,
    Power,
    Product,
    Division,
    Open,
    Close,
    /// `None` for a function that is no logarithmic unit: `sqrt` has a place of its own.
    Function(FunctionName),
    Name(&'a str),
    /// A sign before a digit: 1 or -1.
    Sign(i8),
    /// An integer without sign. Its value as a float is infinite if it is very large.
    Integer(u64),
    Float(f64),
}

/// Name of a function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum FunctionName {
    Sqrt,
    Log(Function),
    /// A function that no spelling has a meaning for: `ln`, `log`, `exp`.
    Other,
}

const FUNCTIONS: [(&str, FunctionName); 7] = [
    ("sqrt", FunctionName::Sqrt),
    ("ln", FunctionName::Other),
    ("exp", FunctionName::Other),
    ("log", FunctionName::Other),
    ("mag", FunctionName::Log(Function::Magnitude)),
    ("dB", FunctionName::Log(Function::Decibel)),
    ("dex", FunctionName::Log(Function::Dex)),
];

/// Returns the tokens of a text. Fails with the position of a character that begins none.
pub(super) fn tokens(text: &str) -> Result<Vec<Token<'_>>, usize> {
    let mut tokens = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(' ');
        let position = text.len() - rest.len();
        let Some(first) = rest.chars().next() else { return Ok(tokens) };
        let (token, length) = token(rest, first).ok_or(position)?;
        tokens.push(token);
        rest = rest.get(length..).unwrap_or_default();
    }
}

/// Returns the first token of a text and its length.
fn token(text: &str, first: char) -> Option<(Token<'_>, usize)> {
    if let Some(number) = number(text) {
        return Some(number);
    }
    let digit_follows = text.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
    let simple = match first {
        '+' if digit_follows => Token::Sign(1),
        '-' if digit_follows => Token::Sign(-1),
        '*' if text.starts_with("**") => return Some((Token::Power, 2)),
        '*' | '.' => Token::Product,
        '/' => Token::Division,
        '^' => Token::Power,
        '(' => Token::Open,
        ')' => Token::Close,
        ',' => Token::Comma,
        '+' | '-' => return None,
        _ => return name(text),
    };
    Some((simple, 1))
}

/// Returns the name at the start of a text: of a function if a parenthesis follows.
fn name(text: &str) -> Option<(Token<'_>, usize)> {
    for (name, function) in FUNCTIONS {
        if text.strip_prefix(name).is_some_and(|rest| rest.trim_start_matches(' ').starts_with('(')) {
            return Some((Token::Function(function), name.len()));
        }
    }
    let ends = |c: char| c.is_whitespace() || c.is_ascii_digit() || "+-./*^(),".contains(c);
    let length = text.find(ends).unwrap_or(text.len());
    let name = text.get(..length).filter(|name| !name.is_empty())?;
    Some((Token::Name(name), length))
}

/// Returns the number at the start of a text: `2`, `2.`, `2.5`, `.5`, `1e3`. A number with a bare point is an integer.
fn number(text: &str) -> Option<(Token<'_>, usize)> {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes.iter().skip(from).take_while(|byte| byte.is_ascii_digit()).count();
    let whole = digits(0);
    let mut length = whole;
    let mut fraction = 0;
    if bytes.get(length) == Some(&b'.') {
        fraction = digits(length + 1);
        if whole == 0 && fraction == 0 {
            return None;
        }
        length += 1 + fraction;
    } else if whole == 0 {
        return None;
    }
    let mut exponent = 0;
    if matches!(bytes.get(length), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(length + 1), Some(b'+' | b'-')));
        let count = digits(length + 1 + sign);
        if count > 0 {
            exponent = 1 + sign + count;
        }
    }
    length += exponent;
    if fraction == 0 && exponent == 0 {
        // A larger integer stands for no power and for no usual scale.
        return Some((Token::Integer(text.get(..whole)?.parse().ok()?), length));
    }
    Some((Token::Float(text.get(..length)?.parse().ok()?), length))
}
