//! Tokens of YAML.

use crate::tree::{Extent, Style};

/// A token and its byte range in the text.
#[derive(Debug)]
pub(in crate::yaml) struct Token {
    pub(in crate::yaml) kind: TokenKind,
    pub(in crate::yaml) span: Extent,
}

/// Kind of a token. The names are those of the YAML specification.
#[derive(Debug, PartialEq)]
pub(in crate::yaml) enum TokenKind {
    StreamEnd,
    VersionDirective {
        major: u32,
        minor: u32,
    },
    TagDirective {
        handle: Extent,
        prefix: Extent,
    },
    /// A directive that YAML does not define.
    UnknownDirective,
    DocumentStart,
    DocumentEnd,
    BlockSequenceStart,
    BlockMappingStart,
    BlockEnd,
    FlowSequenceStart,
    FlowSequenceEnd,
    FlowMappingStart,
    FlowMappingEnd,
    BlockEntry,
    FlowEntry,
    Key,
    Value,
    /// An alias. The byte range includes the `*`.
    Alias,
    /// An anchor. The byte range includes the `&`.
    Anchor,
    /// A tag as it is written.
    Tag,
    Scalar(Style, Decoded),
}

/// Text of a scalar; `None` if the text stands between its quotes, or in its byte range, as it is.
pub(in crate::yaml) type Decoded = Option<Box<str>>;
