//! The characters that YAML allows in a text (`yaml_parser_update_buffer`).

use super::document::Document;
use crate::error::{Error, Result, Status};

/// Checks the characters of a text. Returns whether NEL, LS or PS is among them, which end lines in YAML 1.1.
///
/// Fails with [`Status::Encoding`] for characters that YAML forbids.
pub(super) fn check_characters(document: &Document) -> Result<bool> {
    let bytes = document.text.as_bytes();
    let mut has_unicode_breaks = false;
    let mut at = 0;
    while let Some(found) = first_not_allowed(&bytes[at..]) {
        at += found;
        let is_forbidden = match &bytes[at..] {
            [0xC2, 0x85, ..] | [0xE2, 0x80, 0xA8 | 0xA9, ..] => {
                has_unicode_breaks = true;
                false
            }
            [0xC2, 0x80..=0x9F, ..] | [0xEF, 0xBF, 0xBE | 0xBF, ..] => true,
            [0xC2 | 0xE2 | 0xEF, ..] => false,
            _ => true,
        };
        if is_forbidden {
            let character = document.text[at..].chars().next().unwrap_or_default();
            let code = u32::from(character);
            let escape = if code < 0x100 { format!("\\x{code:02x}") } else { format!("\\u{code:04x}") };
            let message = format!("the character U+{code:04X} is not allowed in YAML; write it as \"{escape}\"");
            return Err(document.locate(Error::new(Status::Encoding, message), at));
        }
        at += 1;
    }
    Ok(has_unicode_breaks)
}

/// Returns the position of the first byte that needs a look. Chunks without such a byte are skipped with vector
/// instructions.
fn first_not_allowed(bytes: &[u8]) -> Option<usize> {
    let (pieces, _) = bytes.as_chunks::<64>();
    let is_clean = |piece: &&[u8; 64]| {
        let has_any = |is_found: fn(u8) -> bool| piece.iter().fold(false, |found, &byte| found | is_found(byte));
        !has_any(is_forbidden_in_ascii) && (piece.is_ascii() || !has_any(needs_look))
    };
    let start = 64 * pieces.iter().take_while(is_clean).count();
    let found = bytes[start..].iter().position(|&byte| needs_look(byte));
    found.map(|found| start + found)
}

/// Returns whether a byte is forbidden, or may begin a character that is forbidden or a line break.
#[inline]
fn needs_look(byte: u8) -> bool {
    is_forbidden_in_ascii(byte) | (byte == 0xC2) | (byte == 0xE2) | (byte == 0xEF)
}

#[inline]
fn is_forbidden_in_ascii(byte: u8) -> bool {
    (byte < 0x20) & (byte != b'\t') & (byte != b'\n') & (byte != b'\r') | (byte == 0x7F)
}
