//! Making cards from keyword, value and comment, in the fixed format where it has room.

use super::CARD;
use super::card::{Card, Raw, Value};

/// Makes the cards of a keyword. Returns `None` if no card can hold it.
pub(crate) fn format(card: &Card) -> Option<Vec<Raw>> {
    let printable = |text: &str| text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    if !printable(&card.keyword) || !printable(&card.comment) {
        return None;
    }
    match &card.value {
        Value::Commentary(text) => printable(text).then(|| commentary(&card.keyword, text))?,
        Value::Text(text) => printable(text).then(|| text_cards(card, text))?,
        value => one_card(&card.keyword, &plain(value), &card.comment),
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::Bool(true) => "T".into(),
        Value::Bool(false) => "F".into(),
        Value::Integer(value) => value.to_string(),
        Value::Float(value) => float(*value),
        Value::Other(text) => text.clone(),
        Value::Undefined | Value::Text(_) | Value::Commentary(_) => String::new(),
    }
}

/// Shortest text that reads back as the same number; FITS wants a decimal point.
fn float(value: f64) -> String {
    let text =
        if value == 0.0 || (1e-4..1e16).contains(&value.abs()) { format!("{value}") } else { format!("{value:E}") };
    if text.contains('.') {
        return text;
    }
    match text.split_once('E') {
        Some((digits, exponent)) => format!("{digits}.0E{exponent}"),
        None => format!("{text}.0"),
    }
}

/// Keyword with the value indicator behind it.
fn prefix(keyword: &str) -> Option<String> {
    match keyword.strip_prefix("HIERARCH ") {
        Some(_) => Some(format!("{keyword} = ")),
        None if keyword.len() <= 8 => Some(format!("{keyword:<8}= ")),
        None => Some(format!("HIERARCH {keyword} = ")),
    }
    .filter(|prefix| prefix.len() < CARD - 2)
}

fn raw(text: &str) -> Option<Raw> {
    let mut raw = [b' '; CARD];
    raw.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
    Some(raw)
}

fn one_card(keyword: &str, value: &str, comment: &str) -> Option<Vec<Raw>> {
    let prefix = prefix(keyword)?;
    let width = if prefix.len() == 10 { 20 } else { 0 };
    let mut text = format!("{prefix}{value:>width$}");
    if text.len() > CARD {
        return None;
    }
    add_comment(&mut text, comment);
    Some(vec![raw(&text)?])
}

/// Adds as much of a comment as the card has room for.
fn add_comment(text: &mut String, comment: &str) {
    if !comment.is_empty() && text.len() + 4 <= CARD {
        text.push_str(" / ");
        text.extend(comment.chars().take(CARD - text.len()));
    }
}

fn commentary(keyword: &str, text: &str) -> Option<Vec<Raw>> {
    if keyword.len() > 8 {
        return None;
    }
    let mut cards = Vec::new();
    let mut rest = text;
    loop {
        let (first, more) = rest.split_at(rest.len().min(CARD - 8));
        cards.push(raw(&format!("{keyword:<8}{first}"))?);
        rest = more;
        if rest.is_empty() {
            return Some(cards);
        }
    }
}

fn text_cards(card: &Card, text: &str) -> Option<Vec<Raw>> {
    let prefix = prefix(&card.keyword)?;
    let quoted = text.replace('\'', "''");
    if prefix.len() + quoted.len() + 2 <= CARD {
        let width = if prefix.len() == 10 { 8 } else { 0 };
        let mut line = format!("{prefix}'{quoted:<width$}'");
        if prefix.len() == 10 {
            line = format!("{line:<30}");
        }
        add_comment(&mut line, &card.comment);
        return Some(vec![raw(&line)?]);
    }
    continued(&prefix, text, &card.comment)
}

/// Divides a long text over cards with the keyword CONTINUE.
fn continued(prefix: &str, text: &str, comment: &str) -> Option<Vec<Raw>> {
    let mut cards = Vec::new();
    let mut rest = text;
    let mut start = prefix.to_owned();
    loop {
        let room = CARD - start.len() - 3;
        let (mut length, mut used) = (0, 0);
        for character in rest.chars() {
            let size = if character == '\'' { 2 } else { 1 };
            if used + size > room {
                break;
            }
            used += size;
            length += 1;
        }
        let (piece, more) = rest.split_at(length);
        let piece = piece.replace('\'', "''");
        rest = more;
        if rest.is_empty() {
            let mut line = format!("{start}'{piece}'");
            add_comment(&mut line, comment);
            cards.push(raw(&line)?);
            return Some(cards);
        }
        if length == 0 {
            return None;
        }
        cards.push(raw(&format!("{start}'{piece}&'"))?);
        start = "CONTINUE  ".into();
    }
}

#[cfg(test)]
mod tests {
    use super::super::card::{Card, Value};
    use super::super::group::groups;
    use super::format;

    #[test]
    fn cards_read_back_as_they_were() {
        let long = "it's ".repeat(60);
        let values = [
            Value::Bool(false),
            Value::Integer(i64::MIN),
            Value::Float(1e300),
            Value::Float(-0.1),
            Value::Float(3.0),
            Value::Text(String::new()),
            Value::Text("a'b".into()),
            Value::Text(long.trim_end().into()),
            Value::Undefined,
        ];
        for keyword in ["KEY", "HIERARCH ESO DET CHIP1 NAME"] {
            for value in &values {
                let card = Card::new(keyword, value.clone(), "c");
                let read = groups(&format(&card).unwrap());
                assert_eq!(read.len(), 1);
                assert_eq!(read[0].card, card);
            }
        }
    }
}
