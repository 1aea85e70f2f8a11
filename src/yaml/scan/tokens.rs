//! Tokens of YAML.

use super::TagAsWritten;
use crate::tree::Style;
use std::borrow::Cow;

/// A token and its byte range in the text.
#[derive(Debug)]
pub(in crate::yaml) struct Token<'a> {
    pub(in crate::yaml) kind: TokenKind<'a>,
    pub(in crate::yaml) start: u32,
    pub(in crate::yaml) end: u32,
}

/// Kind of a token. The names are those of the YAML specification.
#[derive(Debug, PartialEq)]
pub(in crate::yaml) enum TokenKind<'a> {
    StreamEnd,
    VersionDirective { major: u32, minor: u32 },
    TagDirective { handle: &'a str, prefix: &'a str },
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
    Alias(&'a str),
    Anchor(&'a str),
    Tag(TagAsWritten<'a>),
    Scalar { text: Cow<'a, str>, style: Style },
}
