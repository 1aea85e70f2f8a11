//! Headers of `.npy` files: a literal of Python with datatype, order and shape.

use crate::core::failure::{Failure, Result};
use asdfkit::array::{ByteOrder, Datatype, Field, ScalarType};

/// Maximum length of a header.
const MAX_HEADER: usize = 1 << 20;
/// Maximum depth of lists and tuples in a header.
const MAX_DEPTH: usize = 16;

/// The content of a header.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) datatype: Datatype,
    /// Byte order of all numbers.
    pub(super) byteorder: ByteOrder,
    pub(super) fortran_order: bool,
    pub(super) shape: Vec<i64>,
    /// Offset of the first element.
    pub(super) start: u64,
}

/// Literal of Python.
#[derive(Debug, PartialEq)]
enum Literal {
    Text(String),
    Integer(i64),
    Boolean(bool),
    List(Vec<Literal>),
    Dictionary(Vec<(Literal, Literal)>),
}

/// Reads a header from the first bytes of a file.
pub(super) fn read(bytes: &[u8]) -> Result<Header> {
    let wrong = |what: &str| Failure::usage(format!("not an .npy file: {what}"));
    let Some(rest) = bytes.strip_prefix(b"\x93NUMPY") else { return Err(wrong("it does not begin with \\x93NUMPY")) };
    let (length, start) = match rest {
        [1, _, low, high, ..] => (usize::from(u16::from_le_bytes([*low, *high])), 10),
        [2 | 3, _, a, b, c, d, ..] => (u32::from_le_bytes([*a, *b, *c, *d]) as usize, 12),
        _ => return Err(wrong("its version is unknown")),
    };
    let text = bytes.get(start..start + length.min(MAX_HEADER)).ok_or_else(|| wrong("the header ends early"))?;
    let text = std::str::from_utf8(text).map_err(|_| wrong("the header is not UTF-8"))?;
    let mut parser = Parser { rest: text };
    let Some(Literal::Dictionary(entries)) = parser.literal(0) else { return Err(wrong("the header is malformed")) };
    let entry = |name: &str| {
        let key = Literal::Text(name.to_owned());
        entries.iter().find(|(known, _)| *known == key).map(|(_, value)| value)
    };
    let mut order = None;
    let datatype =
        entry("descr").ok_or_else(|| wrong("the header has no descr")).and_then(|descr| datatype(descr, &mut order))?;
    let Some(Literal::Boolean(fortran_order)) = entry("fortran_order") else { return Err(wrong("no fortran_order")) };
    let Some(Literal::List(extents)) = entry("shape") else { return Err(wrong("the header has no shape")) };
    let shape = extents.iter().map(|extent| match extent {
        Literal::Integer(extent) if *extent >= 0 => Ok(*extent),
        _ => Err(wrong("an extent is no integer from 0")),
    });
    Ok(Header {
        datatype,
        byteorder: order.unwrap_or(ByteOrder::NATIVE),
        fortran_order: *fortran_order,
        shape: shape.collect::<Result<_>>()?,
        start: (start + length) as u64,
    })
}

/// Returns a datatype of numpy. All its numbers must have one byte order.
pub(super) fn parse_datatype(text: &str) -> Result<(Datatype, ByteOrder)> {
    if let Some(scalar) = ScalarType::from_name(text.trim_start_matches(['<', '>', '='])) {
        let order = match text.as_bytes().first() {
            Some(b'<') => ByteOrder::Little,
            Some(b'>') => ByteOrder::Big,
            _ => ByteOrder::NATIVE,
        };
        return Ok((scalar.into(), order));
    }
    let mut order = None;
    let datatype = datatype(&Literal::Text(text.to_owned()), &mut order)?;
    Ok((datatype, order.unwrap_or(ByteOrder::NATIVE)))
}

fn datatype(descr: &Literal, order: &mut Option<ByteOrder>) -> Result<Datatype> {
    let unknown = || match descr {
        Literal::Text(text) => Failure::usage(format!("ASDF has no datatype for '{text}' of numpy")),
        _ => Failure::usage("ASDF has no datatype for these elements of numpy"),
    };
    match descr {
        Literal::Text(text) => {
            let mut characters = text.chars();
            let own = match characters.next() {
                Some('<') => Some(ByteOrder::Little),
                Some('>') => Some(ByteOrder::Big),
                Some('=') => Some(ByteOrder::NATIVE),
                Some('|') => None,
                _ => return Err(unknown()),
            };
            let kind = characters.next().ok_or_else(unknown)?;
            let size: u64 = characters.as_str().parse().map_err(|_| unknown())?;
            let found = match (kind, size) {
                ('b', 1) => ScalarType::Bool8.into(),
                ('i', 1) => ScalarType::Int8.into(),
                ('i', 2) => ScalarType::Int16.into(),
                ('i', 4) => ScalarType::Int32.into(),
                ('i', 8) => ScalarType::Int64.into(),
                ('u', 1) => ScalarType::Uint8.into(),
                ('u', 2) => ScalarType::Uint16.into(),
                ('u', 4) => ScalarType::Uint32.into(),
                ('u', 8) => ScalarType::Uint64.into(),
                ('f', 2) => ScalarType::Float16.into(),
                ('f', 4) => ScalarType::Float32.into(),
                ('f', 8) => ScalarType::Float64.into(),
                ('c', 8) => ScalarType::Complex64.into(),
                ('c', 16) => ScalarType::Complex128.into(),
                ('S', 1..) => Datatype::Ascii(size),
                ('U', 1..) => Datatype::Ucs4(size),
                _ => return Err(unknown()),
            };
            if let (Some(own), true) = (own, size > 1 || kind == 'U') {
                match order.replace(own) {
                    Some(other) if other != own => return Err(Failure::usage("the fields have different byte orders")),
                    _ => {}
                }
            }
            Ok(found)
        }
        Literal::List(fields) if !fields.is_empty() => {
            let mut made = Vec::new();
            for field in fields {
                let Literal::List(parts) = field else { return Err(unknown()) };
                let (name, inner, shape) = match &parts[..] {
                    [Literal::Text(name), inner] => (name, inner, Vec::new()),
                    [Literal::Text(name), inner, Literal::List(extents)] => {
                        let extents = extents.iter().map(|extent| match extent {
                            Literal::Integer(extent) if *extent > 0 => Ok(*extent),
                            _ => Err(unknown()),
                        });
                        (name, inner, extents.collect::<Result<_>>()?)
                    }
                    _ => return Err(unknown()),
                };
                if name.is_empty() {
                    return Err(Failure::usage("a field has no name: ASDF has no padding in records"));
                }
                made.push(Field {
                    name: Some(name.clone()),
                    datatype: datatype(inner, order)?,
                    shape,
                    byteorder: None,
                });
            }
            Ok(Datatype::Record(made.into()))
        }
        _ => Err(unknown()),
    }
}

struct Parser<'a> {
    rest: &'a str,
}

impl Parser<'_> {
    /// Takes a token from the start, after blanks.
    fn take(&mut self, token: &str) -> bool {
        let text = self.rest.trim_start();
        let found = text.strip_prefix(token);
        self.rest = found.unwrap_or(text);
        found.is_some()
    }

    fn literal(&mut self, depth: usize) -> Option<Literal> {
        if depth > MAX_DEPTH {
            return None;
        }
        for (open, close) in [("(", ")"), ("[", "]")] {
            if self.take(open) {
                let mut items = Vec::new();
                while !self.take(close) {
                    items.push(self.literal(depth + 1)?);
                    if !self.take(",") {
                        return self.take(close).then_some(Literal::List(items));
                    }
                }
                return Some(Literal::List(items));
            }
        }
        if self.take("{") {
            let mut entries = Vec::new();
            while !self.take("}") {
                let key = self.literal(depth + 1)?;
                if !self.take(":") {
                    return None;
                }
                entries.push((key, self.literal(depth + 1)?));
                if !self.take(",") {
                    return self.take("}").then_some(Literal::Dictionary(entries));
                }
            }
            return Some(Literal::Dictionary(entries));
        }
        for (word, value) in [("True", true), ("False", false)] {
            if self.take(word) {
                return Some(Literal::Boolean(value));
            }
        }
        self.text().or_else(|| self.integer())
    }

    /// Takes a string without escapes other than those of quotes and backslashes.
    fn text(&mut self) -> Option<Literal> {
        let quote = self.rest.chars().next().filter(|first| matches!(first, '\'' | '"'))?;
        let mut text = String::new();
        let mut characters = self.rest.char_indices().skip(1);
        while let Some((place, character)) = characters.next() {
            match character {
                '\\' => match characters.next()? {
                    (_, next @ ('\\' | '\'' | '"')) => text.push(next),
                    _ => return None,
                },
                _ if character == quote => {
                    self.rest = &self.rest[place + 1..];
                    return Some(Literal::Text(text));
                }
                _ => text.push(character),
            }
        }
        None
    }

    fn integer(&mut self) -> Option<Literal> {
        let end = self.rest.find(|character: char| !character.is_ascii_digit()).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        let number = digits.parse().ok()?;
        self.rest = rest.strip_prefix('L').unwrap_or(rest);
        Some(Literal::Integer(number))
    }
}
