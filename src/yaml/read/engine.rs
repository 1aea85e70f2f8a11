//! Events of a YAML scanner, in document order and with positions in the text.
//!
//! Events carry no types: the scanner resolves tags to their full form, unescapes and folds scalars, and nothing more.

use crate::error::Result;
use crate::tree::{Extent, Style};
use std::borrow::Cow;
use std::ops::Range;

/// One step through a document.
#[derive(Debug)]
pub(crate) struct Event<'a> {
    pub(super) kind: EventKind<'a>,
    /// Byte range of the event's content in the text. It includes quotes and brackets, but not tag and anchor. It is
    /// empty for omitted values.
    pub(super) span: Range<usize>,
}

#[derive(Debug)]
pub(crate) enum EventKind<'a> {
    /// Start of a document, with the version of its `%YAML` directive.
    DocumentStart { version: Option<(u32, u32)> },
    /// A scalar. The text of an omitted value is empty.
    Scalar { text: Cow<'a, str>, style: Style, tag: Option<String> },
    /// The pieces (`plain.rs`) of complete pairs or items of the innermost open collection, and of collections around
    /// it that end among them.
    Pieces {
        /// The pieces in document order.
        pieces: &'a [Extent],
        /// A list of more plain scalars than this takes less memory as plain items.
        items: usize,
        /// The prefix for the tag handle `!`.
        tag_prefix: &'a str,
    },
    /// Start of a sequence.
    SequenceStart { style: Style, tag: Option<String> },
    /// Start of a mapping. Keys and values follow in turn.
    MappingStart { style: Style, tag: Option<String> },
    /// End of the innermost open sequence or mapping.
    CollectionEnd,
    /// Anchor of the node that began last. Each anchor has a number of its own, even if names repeat.
    Anchor { number: usize, name: Cow<'a, str> },
    /// An alias of the node with this anchor.
    Alias { number: usize },
}

/// A scanner of YAML syntax. Its errors contain the byte offset, line and column in the file.
pub(crate) trait Engine<'a> {
    /// Returns the next event; `None` at the end of the text.
    fn next(&mut self) -> Result<Option<Event<'a>>>;
}
