//! Cards of FITS headers: their keywords and values (FITS standard 4.0, chapter 4).

/// Length of a card.
pub(crate) const CARD: usize = 80;
/// Largest number of cards of a header.
pub(crate) const MAX_CARDS: usize = 1 << 20;

/// Value of a keyword.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Integer(i64),
    Number(f64),
    Text(String),
    Logical(bool),
    /// A value that cannot be read. Holds the reason.
    Damaged(String),
}

/// Returns the keyword of a card, and the bytes behind its value indicator; `None` if it has no value.
pub(crate) fn parts(card: &[u8]) -> Option<(&str, &[u8])> {
    let (keyword, rest) = card.split_at_checked(8)?;
    let keyword = std::str::from_utf8(keyword).ok()?.trim_end();
    // The blank of the indicator is missing if nothing follows.
    let rest = rest.strip_prefix(b"= ").or_else(|| rest.strip_prefix(b"=").filter(|rest| rest.is_empty()))?;
    (!matches!(keyword, "" | "COMMENT" | "HISTORY" | "CONTINUE")).then_some((keyword, rest))
}

/// Reads the value of a card; `None` if it has none.
pub(crate) fn read_value(rest: &str) -> std::result::Result<Option<Value>, &'static str> {
    let rest = rest.trim_start();
    if let Some(text) = rest.strip_prefix('\'') {
        return Ok(Some(Value::Text(quoted(text)?)));
    }
    let value = rest.split_once('/').map_or(rest, |(value, _)| value).trim();
    Ok(match value {
        // A value that is not defined, and complex numbers.
        "" => None,
        _ if value.starts_with('(') => None,
        "T" | "F" => Some(Value::Logical(value == "T")),
        _ => Some(number(value).ok_or("the value is not a number")?),
    })
}

/// Reads a text up to its closing quote. Two quotes stand for one.
fn quoted(text: &str) -> std::result::Result<String, &'static str> {
    let mut value = String::new();
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        if character == '\'' {
            let mut following = rest.clone();
            if following.next() != Some('\'') {
                return Ok(value);
            }
            rest = following;
        }
        value.push(character);
    }
    Err("the text has no closing quote")
}

/// Reads a number. Fortran's exponents with `D` are allowed. An integer beyond 64 bits is a float.
fn number(text: &str) -> Option<Value> {
    let is_number = |byte: u8| byte.is_ascii_digit() || b"+-.eEdD".contains(&byte);
    if !text.bytes().all(is_number) {
        return None;
    }
    if let Ok(integer) = text.parse() {
        return Some(Value::Integer(integer));
    }
    let number = text.replace(['d', 'D'], "e").parse().ok().filter(|number: &f64| number.is_finite())?;
    Some(Value::Number(number))
}
