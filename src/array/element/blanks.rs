//! Blank-padded strings in memory, as Fortran uses them, and their conversion from and to NUL-padded ones.

use super::datatype::Datatype;
use crate::error::{Error, Result};

const BLANK: u8 = b' ';
const BLANK_UNIT: [u8; 4] = (BLANK as u32).to_ne_bytes();

/// Replaces trailing NULs by blanks, in strings and in the string fields of records. The elements are native and
/// packed.
pub(crate) fn pad(datatype: &Datatype, elements: &mut [u8]) -> Result<()> {
    for_each_string(datatype, elements, &mut |string| match string {
        String::Bytes(bytes) => trailing(bytes, &[0]).fill(BLANK),
        String::Units(units) => trailing(units, &[[0; 4]]).fill(BLANK_UNIT),
    })
}

/// Replaces trailing blanks, also mixed with NULs, by NULs: the inverse of [`pad`].
pub(crate) fn strip(datatype: &Datatype, elements: &mut [u8]) -> Result<()> {
    for_each_string(datatype, elements, &mut |string| match string {
        String::Bytes(bytes) => trailing(bytes, &[0, BLANK]).fill(0),
        String::Units(units) => trailing(units, &[[0; 4], BLANK_UNIT]).fill([0; 4]),
    })
}

/// One string in memory.
enum String<'a> {
    Bytes(&'a mut [u8]),
    Units(&'a mut [[u8; 4]]),
}

/// Returns the longest end of a string that consists of `characters` only.
fn trailing<'a, T: PartialEq>(string: &'a mut [T], characters: &[T]) -> &'a mut [T] {
    let end = string.iter().rposition(|character| !characters.contains(character)).map_or(0, |last| last + 1);
    string.get_mut(end..).unwrap_or_default()
}

/// The recursion depth is the nesting of the datatype, which is bounded.
fn for_each_string(datatype: &Datatype, elements: &mut [u8], visit: &mut dyn FnMut(String)) -> Result<()> {
    let item = size(datatype.item_size()?)?;
    if item == 0 || !datatype.holds_text() {
        return Ok(());
    }
    let elements = elements.chunks_exact_mut(item);
    match datatype {
        Datatype::Scalar(_) => {}
        Datatype::Ascii(_) => elements.for_each(|element| visit(String::Bytes(element))),
        Datatype::Ucs4(_) => elements.for_each(|element| visit(String::Units(element.as_chunks_mut().0))),
        Datatype::Record(fields) => {
            let sizes = fields.iter().map(|field| size(field.size()?)).collect::<Result<Vec<_>>>()?;
            for record in elements {
                let mut rest = record;
                for (field, &size) in fields.iter().zip(&sizes) {
                    // Always succeeds: the sizes of the fields add up to the size of the record.
                    let Some((here, after)) = rest.split_at_mut_checked(size) else { break };
                    for_each_string(&field.datatype, here, visit)?;
                    rest = after;
                }
            }
        }
    }
    Ok(())
}

fn size(size: u64) -> Result<usize> {
    usize::try_from(size).map_err(|_| Error::out_of_memory(size))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::{Field, ScalarType};

    fn units(text: &str) -> Vec<u8> {
        text.chars().flat_map(|character| u32::from(character).to_ne_bytes()).collect()
    }

    #[test]
    fn blanks_replace_nuls_and_back() {
        let there_and_back = |datatype: &Datatype, nuls: &[u8], blanks: &[u8]| {
            let mut elements = nuls.to_vec();
            pad(datatype, &mut elements).unwrap();
            assert_eq!(elements, blanks, "{datatype}");
            strip(datatype, &mut elements).unwrap();
            assert_eq!(elements, nuls, "{datatype}");
        };
        there_and_back(&Datatype::Ascii(3), b"ab\0\0\0\0a\0babc", b"ab    a\0babc");
        there_and_back(&Datatype::Ucs4(2), &units("é\0\0\0ab"), &units("é   ab"));
        there_and_back(&ScalarType::Int16.into(), b" \0\0\0", b" \0\0\0");
        there_and_back(&Datatype::Ascii(0), b"", b"");
        let field =
            |datatype: Datatype, shape: &[i64]| Field { name: None, datatype, byteorder: None, shape: shape.to_vec() };
        let inner = Datatype::record(vec![field(ScalarType::Int8.into(), &[]), field(Datatype::Ascii(2), &[])]);
        let record = Datatype::record(vec![field(inner.unwrap(), &[2]), field(ScalarType::Uint16.into(), &[])]);
        there_and_back(&record.unwrap(), b"\0a\0 \0\0\0\0", b"\0a    \0\0");
        let mut mixed = b"a \0 ".to_vec();
        strip(&Datatype::Ascii(4), &mut mixed).unwrap();
        assert_eq!(mixed, b"a\0\0\0");
    }
}
