//! A card: keyword, value, comment, as its 80 bytes say.

use super::CARD;

/// The bytes of one card.
pub(crate) type Raw = [u8; CARD];

/// Value of a card.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    /// A value that is absent.
    Undefined,
    Bool(bool),
    Integer(i64),
    Float(f64),
    Text(String),
    /// Text of a card without a value: COMMENT, HISTORY, and keywords without `= `.
    Commentary(String),
    /// A value of another form: a complex number, an integer beyond 64 bits, or nothing that the standard allows.
    Other(String),
}

/// A card, or a text with the cards that continue it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Card {
    pub(crate) keyword: String,
    pub(crate) value: Value,
    pub(crate) comment: String,
}

impl Card {
    pub(crate) fn new(keyword: &str, value: Value, comment: &str) -> Card {
        Card { keyword: keyword.into(), value, comment: comment.into() }
    }

    /// Reads a card. Any bytes have a meaning; those beyond ASCII are taken as Latin-1.
    pub(crate) fn parse(raw: &Raw) -> Card {
        let text: String = raw.iter().map(|&byte| char::from(byte)).collect();
        let bytes = raw.as_slice();
        let keyword = latin1(&bytes[..8]);
        let keyword = keyword.trim_end_matches(' ');
        if matches!(keyword, "COMMENT" | "HISTORY" | "") {
            return Card::new(keyword, Value::Commentary(trimmed(&bytes[8..])), "");
        }
        if &bytes[8..10] == b"= " {
            let (value, comment) = parse_value(&bytes[10..]);
            return Card { keyword: keyword.into(), value, comment };
        }
        if keyword == "HIERARCH"
            && let Some(equals) = text.find('=')
        {
            let long = latin1(&bytes[8..equals.min(CARD)]);
            let (value, comment) = parse_value(&bytes[(equals + 1).min(CARD)..]);
            return Card { keyword: format!("HIERARCH {}", long.trim()), value, comment };
        }
        if keyword == "CONTINUE" {
            let (value, comment) = parse_value(&bytes[8..]);
            return Card { keyword: keyword.into(), value, comment };
        }
        Card::new(keyword, Value::Commentary(trimmed(&bytes[8..])), "")
    }

    /// Value as an integer, also a float without a fraction.
    pub(crate) fn integer(&self) -> Option<i64> {
        match self.value {
            Value::Integer(value) => Some(value),
            #[allow(clippy::cast_possible_truncation)]
            Value::Float(value) if value.fract() == 0.0 && value.abs() < 9e15 => Some(value as i64),
            _ => None,
        }
    }

    /// Value as a float.
    pub(crate) fn float(&self) -> Option<f64> {
        match self.value {
            Value::Float(value) => Some(value),
            #[allow(clippy::cast_precision_loss)]
            Value::Integer(value) => Some(value as f64),
            // An integer beyond 64 bits, such as the zero of unsigned numbers of 64 bits with a sign.
            Value::Other(ref text) => text.parse().ok(),
            _ => None,
        }
    }

    /// Value as text.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }
}

fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| char::from(byte)).collect()
}

fn trimmed(bytes: &[u8]) -> String {
    let mut text = latin1(bytes);
    text.truncate(text.trim_end_matches(' ').len());
    text
}

/// Reads what stands behind the value indicator.
fn parse_value(bytes: &[u8]) -> (Value, String) {
    let start = bytes.iter().position(|&byte| byte != b' ').unwrap_or(bytes.len());
    let rest = &bytes[start..];
    if rest.first() == Some(&b'\'') {
        return match quoted(rest) {
            Some((text, length)) => (Value::Text(text), comment(&rest[length..])),
            None => (Value::Other(trimmed(rest)), String::new()),
        };
    }
    let end = rest.iter().position(|&byte| byte == b'/').unwrap_or(rest.len());
    let text = latin1(&rest[..end]);
    (parse_plain(text.trim()), comment(&rest[end..]))
}

/// Reads a text in quotes and the number of bytes that it takes.
fn quoted(bytes: &[u8]) -> Option<(String, usize)> {
    let mut text = String::new();
    let mut at = 1;
    loop {
        match (bytes.get(at)?, bytes.get(at + 1)) {
            (b'\'', Some(b'\'')) => {
                text.push('\'');
                at += 2;
            }
            (b'\'', _) => {
                text.truncate(text.trim_end_matches(' ').len());
                return Some((text, at + 1));
            }
            (&byte, _) => {
                text.push(char::from(byte));
                at += 1;
            }
        }
    }
}

/// Reads the comment behind a value.
fn comment(bytes: &[u8]) -> String {
    let text = latin1(bytes);
    let text = text.trim();
    text.strip_prefix('/').map_or(String::new(), |text| text.trim_matches(' ').into())
}

fn parse_plain(text: &str) -> Value {
    match text {
        "" => return Value::Undefined,
        "T" => return Value::Bool(true),
        "F" => return Value::Bool(false),
        _ => {}
    }
    let digits = text.trim_start_matches(['+', '-']);
    if text.len() - digits.len() <= 1 && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.trim_start_matches('+').parse().map_or_else(|_| Value::Other(text.into()), Value::Integer);
    }
    let numeric = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'E' | b'e' | b'D' | b'd');
    if text.bytes().all(numeric)
        && digits.starts_with(|first: char| first.is_ascii_digit() || first == '.')
        && let Ok(value) = text.replace(['D', 'd'], "E").parse::<f64>()
        && value.is_finite()
    {
        return Value::Float(value);
    }
    Value::Other(text.into())
}

#[cfg(test)]
mod tests {
    use super::{CARD, Card, Value};

    fn parse(text: &str) -> Card {
        let mut raw = [b' '; CARD];
        raw[..text.len()].copy_from_slice(text.as_bytes());
        Card::parse(&raw)
    }

    #[test]
    fn values_of_all_kinds() {
        assert_eq!(parse("A       =                    T / yes"), Card::new("A", Value::Bool(true), "yes"));
        assert_eq!(parse("A       = 'it''s  ' / c"), Card::new("A", Value::Text("it's".into()), "c"));
        assert_eq!(parse("A       = 1.5D3").value, Value::Float(1500.0));
        assert_eq!(parse("A       = -12/c").value, Value::Integer(-12));
        assert_eq!(parse("A       =").value, Value::Undefined);
        assert_eq!(parse("A       = 9223372036854775808").value, Value::Other("9223372036854775808".into()));
        assert_eq!(parse("A       = (1.0, 2.0)").value, Value::Other("(1.0, 2.0)".into()));
        assert_eq!(parse("A       = 'open").value, Value::Other("'open".into()));
        assert_eq!(parse("COMMENT = 'x'").value, Value::Commentary("= 'x'".into()));
        assert_eq!(parse("HIERARCH ESO A = 3 / c"), Card::new("HIERARCH ESO A", Value::Integer(3), "c"));
    }
}
