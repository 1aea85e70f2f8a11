//! The four-byte compression label of a block header.
//!
//! The table of formats lists the known labels.

use std::fmt;

/// The compression field of a block header: four bytes, padded with NUL on the right.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Label(pub [u8; 4]);

impl Label {
    /// The label of an uncompressed payload.
    pub const NONE: Label = Label([0; 4]);

    /// Returns the text before the padding, or an empty string if it is not UTF-8.
    pub(super) fn name(&self) -> &str {
        let length = self.0.iter().position(|&byte| byte == 0).unwrap_or(self.0.len());
        str::from_utf8(&self.0[..length]).unwrap_or_default()
    }

    /// Returns the label of the codec with this name, which has at most four bytes.
    pub(super) fn of_name(name: &str) -> Label {
        let mut bytes = [0; 4];
        bytes.iter_mut().zip(name.bytes()).for_each(|(to, from)| *to = from);
        Label(bytes)
    }
}

/// The text without the padding. Quotes, backslashes and bytes that are not printable ASCII appear as escapes such as
/// `\xff`.
impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let length = self.0.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        self.0.iter().take(length).try_for_each(|&byte| write!(f, "{}", std::ascii::escape_default(byte)))
    }
}
