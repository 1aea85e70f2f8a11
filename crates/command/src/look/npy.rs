//! Headers of `.npy` files, in version 1.0 or, for long headers, 2.0.

use crate::core::failure::{Failure, Result};
use asdfkit::array::{Datatype, ScalarType};

/// Returns the header for packed elements in C order and native byte order.
pub(crate) fn header(datatype: &Datatype, shape: &[i64]) -> Result<Vec<u8>> {
    let extents: String = shape.iter().map(|extent| format!("{extent}, ")).collect();
    let extents = if shape.len() > 1 { extents.trim_end_matches(", ") } else { extents.trim_end() };
    let text = format!("{{'descr': {}, 'fortran_order': False, 'shape': ({extents}), }}", descr(datatype)?);
    let long = text.len() + 65 > usize::from(u16::MAX);
    let start = if long { 12 } else { 10 };
    // The elements begin at a multiple of 64 bytes, after blanks and a line feed.
    let length = (start + text.len() + 1).next_multiple_of(64) - start;
    let mut out = b"\x93NUMPY".to_vec();
    out.extend(if long { [2, 0] } else { [1, 0] });
    let size = u32::try_from(length).map_err(|_| Failure::usage("the datatype is too long for an .npy file"))?;
    out.extend(&size.to_le_bytes()[..start - 8]);
    out.extend(text.as_bytes());
    out.resize(start + length - 1, b' ');
    out.push(b'\n');
    Ok(out)
}

/// Returns the description of a datatype as a Python literal.
fn descr(datatype: &Datatype) -> Result<String> {
    let order = if cfg!(target_endian = "big") { '>' } else { '<' };
    Ok(match datatype {
        Datatype::Scalar(scalar) => {
            let kind = match scalar {
                ScalarType::Bool8 => return Ok("'|b1'".to_owned()),
                ScalarType::Int8 | ScalarType::Int16 | ScalarType::Int32 | ScalarType::Int64 => 'i',
                ScalarType::Uint8 | ScalarType::Uint16 | ScalarType::Uint32 | ScalarType::Uint64 => 'u',
                ScalarType::Float16 | ScalarType::Float32 | ScalarType::Float64 => 'f',
                ScalarType::Complex64 | ScalarType::Complex128 => 'c',
                other => return Err(Failure::usage(format!("numpy has no type {other}"))),
            };
            let order = if scalar.size() == 1 { '|' } else { order };
            format!("'{order}{kind}{}'", scalar.size())
        }
        Datatype::Ascii(length) => format!("'|S{length}'"),
        Datatype::Ucs4(length) => format!("'{order}U{length}'"),
        Datatype::Record(fields) => {
            let mut parts = Vec::new();
            for (index, field) in fields.iter().enumerate() {
                let name = field.name.clone().unwrap_or_else(|| format!("f{index}"));
                let shape: String = field.shape.iter().map(|extent| format!("{extent},")).collect();
                let shape = if shape.is_empty() { shape } else { format!(", ({shape})") };
                parts.push(format!("({}, {}{shape})", quoted(&name), descr(&field.datatype)?));
            }
            format!("[{}]", parts.join(", "))
        }
    })
}

/// Returns a Python string literal of ASCII characters.
fn quoted(text: &str) -> String {
    let mut out = String::from("'");
    for character in text.chars() {
        match character {
            '\'' | '\\' => out.extend(['\\', character]),
            ' '..='~' => out.push(character),
            other => out.push_str(&format!("\\U{:08x}", u32::from(other))),
        }
    }
    out.push('\'');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_fill_whole_lines_of_64_bytes() {
        for shape in [&[][..], &[3], &[2, 3]] {
            let header = header(&ScalarType::Float64.into(), shape).unwrap();
            assert_eq!(header.len() % 64, 0);
            assert_eq!(header.last(), Some(&b'\n'));
            assert_eq!(usize::from(u16::from_le_bytes([header[8], header[9]])), header.len() - 10);
        }
        assert_eq!(quoted("a'b\\é"), "'a\\'b\\\\\\U000000e9'");
    }
}
