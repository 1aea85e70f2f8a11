//! What a scanner of YAML's syntax tells: events in document order, with places in the text.
//!
//! Events carry no meaning: tags are resolved to their full form, scalars are unescaped and folded, and that is all.

use crate::error::Result;
use crate::tree::{Extent, Style};
use std::borrow::Cow;
use std::ops::Range;

/// One step through a document.
#[derive(Debug)]
pub(crate) struct Event<'a> {
    pub(super) kind: EventKind<'a>,
    /// Bytes of the text that the event's content occupies: quotes and brackets included, tag and anchor not.
    /// It is empty for omitted values.
    pub(super) span: Range<usize>,
}

#[derive(Debug)]
pub(crate) enum EventKind<'a> {
    /// A document begins, with the version of its `%YAML` directive.
    DocumentStart { version: Option<(u32, u32)> },
    /// A scalar; the text of an omitted value is empty.
    Scalar { text: Cow<'a, str>, style: Style, tag: Option<String> },
    /// Many plain scalars without tags and anchors, one after the other in the innermost open sequence.
    PlainItems(&'a [Extent]),
    /// A sequence begins.
    SequenceStart { style: Style, tag: Option<String> },
    /// A mapping begins; keys and values follow in turn.
    MappingStart { style: Style, tag: Option<String> },
    /// The innermost open sequence or mapping ends.
    CollectionEnd,
    /// The node that began last has an anchor. Each anchor has a number of its own, even if names repeat.
    Anchor { number: usize, name: Cow<'a, str> },
    /// The node with this anchor once more.
    Alias { number: usize },
}

/// A scanner of YAML's syntax. Errors know their byte, line and column in the file.
pub(crate) trait Engine<'a> {
    /// The next event; nothing at the end of the text.
    fn next(&mut self) -> Result<Option<Event<'a>>>;
}
