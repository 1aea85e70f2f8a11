//! Decodes the bytes of a text.

use crate::error::{Error, Result, Status};
use crate::reserve;
use crate::yaml::text_of;

/// Decodes UTF-8, or UTF-16 with a byte order mark.
pub(super) fn decode(bytes: &[u8]) -> Result<String> {
    let text = match bytes {
        [0xEF, 0xBB, 0xBF, rest @ ..] => text_of(reserve::copy_of(rest)?, 0, 1),
        [0xFF, 0xFE, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => utf16(rest, u16::from_be_bytes),
        _ => text_of(reserve::copy_of(bytes)?, 0, 1),
    }?;
    Ok(with_line_feeds(text))
}

/// Replaces each lone carriage return by a line feed. Both end a line in YAML, but only line feeds are counted as line
/// ends later.
fn with_line_feeds(text: String) -> String {
    if !text.as_bytes().contains(&b'\r') {
        return text;
    }
    let mut bytes = text.into_bytes();
    let mut next = None;
    for byte in bytes.iter_mut().rev() {
        let given = *byte;
        if given == b'\r' && next != Some(b'\n') {
            *byte = b'\n';
        }
        next = Some(given);
    }
    String::from_utf8(bytes).unwrap_or_default()
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let mut text = String::new();
    // No character needs more than three bytes for each two.
    let length = pairs.len().saturating_mul(3);
    text.try_reserve(length).map_err(|_| Error::out_of_memory(length as u64))?;
    let (mut line, mut column) = (1, 1);
    let wrong = |message: &str, line, column| Err(Error::new(Status::Encoding, message).at_line(line, column));
    for character in char::decode_utf16(pairs.iter().map(|pair| unit(*pair))) {
        let Ok(character) = character else {
            return wrong("invalid UTF-16: a surrogate without its pair", line, column);
        };
        text.push(character);
        (line, column) = if character == '\n' { (line + 1, 1) } else { (line, column + 1) };
    }
    if rest.is_empty() {
        Ok(text)
    } else {
        wrong("invalid UTF-16: the text ends in the middle of a code unit", line, column)
    }
}
