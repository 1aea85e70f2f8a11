//! Strings of fixed length: ASCII or UTF-8 bytes and UTF-32 code units, padded with NULs.
//!
//! Trailing NULs are not part of a string; inner NULs are. All strings here are in native byte order.

use super::datatype::Datatype;
use crate::error::{Error, Result, Status};

/// The encoding of a string's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// The bytes of an `ascii` string: ASCII in a file, UTF-8 when written to memory.
    Bytes,
    /// UTF-8 in memory, to be converted to a stored string.
    Utf8,
    /// UTF-32 in native byte order.
    Units,
}

/// The reason why a string cannot be converted; the message is a predicate, such as "is not ASCII".
pub(crate) type Misfit = (Status, String);

impl Encoding {
    /// Returns the encoding of a string datatype in a file; `None` for other datatypes.
    pub(crate) fn of(datatype: &Datatype) -> Option<Encoding> {
        match datatype {
            Datatype::Ascii(_) => Some(Encoding::Bytes),
            Datatype::Ucs4(_) => Some(Encoding::Units),
            Datatype::Scalar(_) | Datatype::Record(_) => None,
        }
    }

    /// Replaces `text` by the decoded element. Fails with [`Status::Encoding`].
    pub(crate) fn decode(self, element: &[u8], text: &mut String) -> std::result::Result<(), Misfit> {
        text.clear();
        match self {
            Encoding::Utf8 => {
                let decoded = std::str::from_utf8(without_nuls(element));
                text.push_str(decoded.map_err(|error| {
                    (Status::Encoding, format!("is not valid UTF-8 from byte {} on", error.valid_up_to()))
                })?);
            }
            Encoding::Bytes => {
                let bytes = without_nuls(element);
                if let Some(at) = bytes.iter().position(|byte| !byte.is_ascii()) {
                    let byte = bytes.get(at).copied().unwrap_or_default();
                    return Err((Status::Encoding, format!("has the byte 0x{byte:02X} at {at}, which is not ASCII")));
                }
                text.extend(bytes.iter().copied().map(char::from));
            }
            Encoding::Units => {
                let units = element.as_chunks().0;
                let end = units.iter().rposition(|&unit| unit != [0; 4]).map_or(0, |last| last + 1);
                for (at, &unit) in units.iter().take(end).enumerate() {
                    let unit = u32::from_ne_bytes(unit);
                    let character = char::from_u32(unit).ok_or_else(|| {
                        (Status::Encoding, format!("has the unit 0x{unit:X} at {at}, which is not a Unicode character"))
                    });
                    text.push(character?);
                }
            }
        }
        Ok(())
    }

    /// Writes a text into `out` and pads it with NULs. Returns false if the text is too long; it is then cut at the end
    /// of a character.
    pub(crate) fn encode(self, text: &str, out: &mut [u8]) -> bool {
        match self {
            Encoding::Bytes | Encoding::Utf8 => {
                let mut length = text.len().min(out.len());
                while !text.is_char_boundary(length) {
                    length -= 1;
                }
                let (head, tail) = out.split_at_mut(length);
                head.copy_from_slice(text.as_bytes().get(..length).unwrap_or_default());
                tail.fill(0);
                length == text.len()
            }
            Encoding::Units => {
                let mut characters = text.chars();
                for unit in out.as_chunks_mut().0 {
                    *unit = characters.next().map_or(0, u32::from).to_ne_bytes();
                }
                characters.next().is_none()
            }
        }
    }

    /// Writes a text as a stored string. Fails with [`Status::Encoding`] for a character outside ASCII in an ASCII
    /// string, and with [`Status::Overflow`] if the text is too long.
    pub(crate) fn store(self, text: &str, out: &mut [u8]) -> std::result::Result<(), Misfit> {
        if self == Encoding::Bytes && !text.is_ascii() {
            return Err((Status::Encoding, "is not ASCII".to_owned()));
        }
        if self.encode(text, out) { Ok(()) } else { Err(too_long(self, text)) }
    }
}

/// Returns a string of bytes without trailing NULs.
fn without_nuls(element: &[u8]) -> &[u8] {
    let end = element.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    element.get(..end).unwrap_or_default()
}

fn too_long(encoding: Encoding, text: &str) -> Misfit {
    let length = match encoding {
        Encoding::Bytes | Encoding::Utf8 => format!("{} bytes", text.len()),
        Encoding::Units => format!("{} characters", text.chars().count()),
    };
    (Status::Overflow, format!("has {length}"))
}

/// Converts strings of `sizes[0]` bytes into strings of `sizes[1]` bytes. Fails with the index of the first string that
/// is invalid, or too long unless `clamp` is set, which cuts it.
pub(crate) fn convert(
    encodings: [Encoding; 2],
    sizes: [usize; 2],
    input: &[u8],
    output: &mut [u8],
    clamp: bool,
) -> std::result::Result<(), (usize, Misfit)> {
    let [from, to] = encodings;
    let [item, made] = sizes;
    let mut text = String::new();
    for (index, (element, out)) in input.chunks_exact(item).zip(output.chunks_exact_mut(made)).enumerate() {
        from.decode(element, &mut text).map_err(|misfit| (index, misfit))?;
        if !to.encode(&text, out) && !clamp {
            return Err((index, too_long(to, &text)));
        }
    }
    Ok(())
}

/// Returns the text of one native element.
pub(crate) fn text_of(datatype: &Datatype, element: &[u8]) -> Result<String> {
    let Some(encoding) = Encoding::of(datatype) else {
        let message = format!("the elements are {datatype}, not strings");
        return Err(Error::new(Status::Conversion, message));
    };
    let mut text = String::new();
    match encoding.decode(element, &mut text) {
        Ok(()) => Ok(text),
        Err((status, what)) => Err(Error::new(status, format!("the string {what}"))),
    }
}

/// Returns the text of one native string in memory; the bytes of an `ascii` string are UTF-8.
pub(crate) fn text_of_memory(datatype: &Datatype, element: &[u8]) -> Result<String> {
    let encoding = memory_encoding(datatype)?;
    let mut text = String::new();
    let decoded = encoding.decode(element, &mut text);
    decoded.map(|()| text).map_err(|(status, what)| Error::new(status, format!("the string {what}")))
}

/// Writes a text as one native string in memory; UTF-8 for an `ascii` datatype. Fails with [`Status::Overflow`] if the
/// text is too long, unless `cut` is set, which cuts it at the end of a character.
pub(crate) fn put_text(text: &str, datatype: &Datatype, cut: bool, out: &mut [u8]) -> Result<()> {
    let encoding = memory_encoding(datatype)?;
    if encoding.encode(text, out) || cut {
        return Ok(());
    }
    let (status, what) = too_long(encoding, text);
    Err(Error::new(status, format!("the string {what}, which {datatype} cannot hold")))
}

fn memory_encoding(datatype: &Datatype) -> Result<Encoding> {
    match Encoding::of(datatype) {
        Some(Encoding::Bytes) => Ok(Encoding::Utf8),
        Some(encoding) => Ok(encoding),
        None => Err(Error::new(Status::Conversion, format!("there is no conversion between string and {datatype}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(text: &str, length: usize) -> Vec<u8> {
        let mut out: Vec<u8> = text.chars().flat_map(|character| u32::from(character).to_ne_bytes()).collect();
        out.resize(4 * length, 0);
        out
    }

    fn bytes(text: &str, length: usize) -> Vec<u8> {
        let mut out = text.as_bytes().to_vec();
        out.resize(length, 0);
        out
    }

    #[test]
    fn strings_convert_to_longer_and_shorter_ones() {
        use Encoding::{Bytes, Units};
        let texts = ["", "ab", "a\0b", "é😀"];
        let stored: Vec<u8> = texts.iter().flat_map(|text| units(text, 4)).collect();
        let mut out = vec![9; 4 * 6];
        convert([Units, Bytes], [16, 6], &stored, &mut out, false).unwrap();
        assert_eq!(out, texts.iter().flat_map(|text| bytes(text, 6)).collect::<Vec<_>>());
        let short = convert([Units, Bytes], [16, 5], &stored, &mut [0; 20], false);
        assert_eq!(short, Err((3, (Status::Overflow, "has 6 bytes".to_owned()))));
        let mut cut = [9; 20];
        convert([Units, Bytes], [16, 5], &stored, &mut cut, true).unwrap();
        assert_eq!(cut[15..], *bytes("é", 5));
        let mut out = vec![9; 4 * 8];
        convert([Bytes, Units], [4, 16], &[bytes("ab", 4), bytes("a\0b", 4)].concat(), &mut out, false).unwrap();
        assert_eq!(out, [units("ab", 4), units("a\0b", 4)].concat());
        let mut out = [9; 8];
        let long = convert([Units, Units], [16, 8], &units("abc", 4), &mut out, false);
        assert_eq!(long, Err((0, (Status::Overflow, "has 3 characters".to_owned()))));
    }

    #[test]
    fn invalid_text_is_refused() {
        let mut text = String::new();
        let surrogate = [units("a", 1), 0xD800u32.to_ne_bytes().to_vec(), units("", 1)].concat();
        let error = Encoding::Units.decode(&surrogate, &mut text).unwrap_err();
        assert_eq!(error, (Status::Encoding, "has the unit 0xD800 at 1, which is not a Unicode character".to_owned()));
        assert!(Encoding::Units.decode(&0x110000u32.to_ne_bytes(), &mut text).is_err());
        let error = Encoding::Bytes.decode(b"a\xE9\0", &mut text).unwrap_err();
        assert_eq!(error, (Status::Encoding, "has the byte 0xE9 at 1, which is not ASCII".to_owned()));
        assert_eq!(Encoding::Bytes.store("é", &mut [0; 4]).unwrap_err().0, Status::Encoding);
        assert_eq!(text_of(&Datatype::Ucs4(2), &units("é", 2)).unwrap(), "é");
    }
}
