//! Texts that the caller passes in UTF-8; arrays of texts are bytes and offsets, as in an Arrow large string array.

use crate::error::{Error, Result, Status};

/// Texts one after the other in the caller's memory.
pub(crate) struct Texts<'a> {
    bytes: &'a [u8],
    /// Ascending offsets into the bytes: one more than the number of texts, or none.
    offsets: &'a [i64],
}

impl<'a> Texts<'a> {
    /// Fails with [`Status::InvalidArgument`] if offsets descend or lie outside the bytes.
    pub(super) fn new(bytes: &'a [u8], offsets: &'a [i64]) -> Result<Texts<'a>> {
        let mut before = 0;
        for (index, &offset) in offsets.iter().enumerate() {
            if offset < before || usize::try_from(offset).map_or(true, |offset| offset > bytes.len()) {
                let message = format!(
                    "offset {index} of 'offsets' is {offset}, but must be between {before} and the {} bytes",
                    bytes.len()
                );
                return Err(Error::new(Status::InvalidArgument, message));
            }
            before = offset;
        }
        Ok(Texts { bytes, offsets })
    }

    /// The number of texts.
    pub(crate) fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// The text at an index. Fails with [`Status::Encoding`] if its bytes are not UTF-8.
    pub(crate) fn get(&self, index: usize) -> Result<&'a str> {
        let text = match self.offsets.get(index..).unwrap_or_default() {
            [start, end, ..] => self.bytes.get(*start as usize..*end as usize).unwrap_or_default(),
            _ => &[],
        };
        utf8(text, "bytes").map_err(|error| Error::because_of(&format!("text {index}"), &error))
    }
}

/// The bytes of an argument as text.
pub(super) fn utf8<'a>(bytes: &'a [u8], argument: &str) -> Result<&'a str> {
    std::str::from_utf8(bytes).map_err(|error| {
        let message = format!("the argument '{argument}' is not valid UTF-8 from byte {} on", error.valid_up_to());
        Error::new(Status::Encoding, message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_where_the_offsets_say() {
        let texts = Texts::new("xabé".as_bytes(), &[1, 2, 2, 5]).unwrap();
        assert_eq!((0..texts.len()).map(|index| texts.get(index).unwrap()).collect::<Vec<_>>(), ["a", "", "bé"]);
        assert_eq!(Texts::new(b"", &[]).unwrap().len(), 0);
        let error = Texts::new("é".as_bytes(), &[0, 1]).unwrap().get(0).unwrap_err();
        assert_eq!(error.status(), Status::Encoding);
        for wrong in [[-1, 0], [2, 1], [0, 3]] {
            assert_eq!(Texts::new(b"ab", &wrong).err().map(|error| error.status()), Some(Status::InvalidArgument));
        }
    }
}
