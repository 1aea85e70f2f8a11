//! The events of a document: the structure that its tokens form, as libyaml finds it.
//!
//! The events are produced by a state machine, so depth in the text is never depth on the stack. The names of the states
//! are those of libyaml.

mod block;
mod document;
mod flow;
mod messages;
mod node;

use self::document::TagPrefixes;
use super::document::Document;
use super::scan::{BlockRun, Decoded, Piece, Run, Scanner, Token};
use crate::error::{Error, Result, Status};
use crate::tree::{Extent, Style};

/// One step through a document.
#[derive(Debug)]
pub(in crate::yaml) struct Event {
    pub(in crate::yaml) kind: EventKind,
    /// Byte range of the content. It includes quotes and brackets, but not tag and anchor. It is empty for omitted
    /// values.
    pub(in crate::yaml) span: Extent,
    /// Tag and anchor of a node.
    pub(in crate::yaml) properties: Properties,
}

#[derive(Debug)]
pub(in crate::yaml) enum EventKind {
    /// Start of a document, with the version of its `%YAML` directive. [`Events::ignored_directives`] returns the others.
    DocumentStart { version: Option<Version> },
    /// A scalar. An omitted value is plain, with an empty byte range.
    Scalar(Style, Decoded),
    /// Simple nodes that follow one another in a collection. [`Events::run`] returns their pieces.
    Run,
    /// Start of a sequence.
    SequenceStart(Style),
    /// Start of a mapping. Keys and values follow in turn.
    MappingStart(Style),
    /// End of the innermost open sequence or mapping.
    CollectionEnd,
    /// An alias. Its byte range includes the `*`.
    Alias,
}

/// The version that a `%YAML` directive declares.
#[derive(Clone, Copy, Debug)]
pub(in crate::yaml) struct Version {
    pub(in crate::yaml) major: u32,
    pub(in crate::yaml) minor: u32,
    /// Position of the directive.
    pub(in crate::yaml) position: u32,
}

/// Byte ranges of the tag and the anchor of a node in the text.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::yaml) struct Properties {
    pub(in crate::yaml) anchor: Option<Extent>,
    pub(in crate::yaml) tag: Option<Extent>,
}

/// The state of the parser: the rule of the grammar that the next token must follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ParserState {
    DocumentStart { is_first: bool },
    DocumentContent { start: u32 },
    DocumentEnd,
    BlockSequenceEntry,
    IndentlessSequenceEntry,
    BlockMappingKey,
    BlockMappingValue,
    FlowSequenceEntry { is_first: bool },
    FlowPairKey,
    FlowPairValue,
    FlowPairEnd,
    FlowMappingKey { is_first: bool },
    FlowMappingValue,
    FlowMappingOmittedValue,
    End,
}

/// Iterates over the events of a text.
pub(in crate::yaml) struct Events<'a> {
    scanner: Scanner<'a>,
    /// The next token, once it was looked at.
    token: Option<Token>,
    state: ParserState,
    /// States to return to when the collections that are open end.
    states: Vec<ParserState>,
    prefixes: TagPrefixes<'a>,
    /// Byte ranges of the first directives before the document that YAML does not define.
    ignored_directives: Vec<Extent>,
    run: Run,
    block: BlockRun,
    /// Maximum nesting depth of flow collections, and of block collections.
    depth: u32,
    flow_depth: u32,
    block_depth: u32,
    /// True after an error about a token that cannot stand where it stands.
    has_misplaced_token: bool,
}

impl<'a> Events<'a> {
    /// Creates the events of a text whose characters were checked. NEL, LS and PS end lines if `has_unicode_breaks` is
    /// true.
    pub(in crate::yaml) fn new(document: Document<'a>, has_unicode_breaks: bool, depth: u32) -> Events<'a> {
        Events {
            scanner: Scanner::new(document, has_unicode_breaks),
            token: None,
            state: ParserState::DocumentStart { is_first: true },
            states: Vec::new(),
            prefixes: TagPrefixes::default(),
            ignored_directives: Vec::new(),
            run: Run::new(),
            block: BlockRun::default(),
            depth,
            flow_depth: 0,
            block_depth: 0,
            has_misplaced_token: false,
        }
    }

    /// Creates the events of a text of YAML 1.2, whose characters were checked.
    pub(in crate::yaml) fn of_version_1_2(document: Document<'a>, depth: u32) -> Events<'a> {
        let mut events = Events::new(document, false, depth);
        events.scanner.set_version_1_2();
        events
    }

    /// Returns the next event; `None` at the end of the text. The byte offset of an error is its position in the text.
    /// Follows `yaml_parser_state_machine`.
    #[inline]
    pub(in crate::yaml) fn next(&mut self) -> Result<Option<Event>> {
        loop {
            let event = match self.state {
                ParserState::DocumentStart { is_first } => self.document_start(is_first)?,
                ParserState::DocumentContent { start } => Some(self.document_content(start)?),
                ParserState::DocumentEnd => self.document_end()?,
                ParserState::BlockSequenceEntry => Some(self.block_sequence_entry()?),
                ParserState::IndentlessSequenceEntry => Some(self.indentless_sequence_entry()?),
                ParserState::BlockMappingKey => Some(self.block_mapping_key()?),
                ParserState::BlockMappingValue => Some(self.block_mapping_value()?),
                ParserState::FlowSequenceEntry { is_first } => Some(self.flow_sequence_entry(is_first)?),
                ParserState::FlowPairKey => Some(self.flow_pair_key()?),
                ParserState::FlowPairValue => Some(self.flow_pair_value()?),
                ParserState::FlowPairEnd => Some(self.flow_pair_end()?),
                ParserState::FlowMappingKey { is_first } => Some(self.flow_mapping_key(is_first)?),
                ParserState::FlowMappingValue => Some(self.flow_mapping_value()?),
                ParserState::FlowMappingOmittedValue => Some(self.omitted_flow_value()?),
                ParserState::End => return Ok(None),
            };
            if event.is_some() {
                return Ok(event);
            }
        }
    }

    /// Returns the pieces of the last event, which was a run.
    #[inline]
    pub(in crate::yaml) fn run(&self) -> &[Piece] {
        &self.run
    }

    /// Returns the byte ranges of the first directives before the document that YAML does not define.
    pub(in crate::yaml) fn ignored_directives(&self) -> &[Extent] {
        &self.ignored_directives
    }

    /// Returns the run that was just read as an event, if it has a piece.
    #[inline]
    fn run_event(&self) -> Option<Event> {
        let (first, last) = (self.run.first()?, self.run.last()?);
        Some(Event::at(EventKind::Run, Extent { start: first.span.start, end: last.span.end }))
    }

    /// Returns the next token without taking it.
    #[inline]
    fn peek(&mut self) -> Result<&Token> {
        if self.token.is_none() {
            self.token = Some(self.scanner.next()?);
        }
        self.token.as_ref().ok_or_else(no_token)
    }

    /// Takes the next token.
    #[inline]
    fn take(&mut self) -> Result<Token> {
        match self.token.take() {
            Some(token) => Ok(token),
            None => self.scanner.next(),
        }
    }

    /// Returns the number of flow collections that may still be nested.
    fn flow_depth_left(&self) -> u32 {
        self.depth.saturating_sub(self.flow_depth)
    }

    /// Returns to `state` after the next node.
    fn push(&mut self, state: ParserState) -> Result<()> {
        self.states.try_reserve(1).map_err(|_| Error::out_of_memory(size_of::<ParserState>() as u64))?;
        self.states.push(state);
        Ok(())
    }

    fn pop(&mut self) {
        self.state = self.states.pop().unwrap_or(ParserState::End);
    }

    fn error(&self, message: &str, position: u32) -> Error {
        Error::new(Status::Yaml, message).at_offset(u64::from(position))
    }

    /// Returns an omitted node, which stands at a position (`yaml_parser_process_empty_scalar`).
    fn omitted(position: u32) -> Event {
        let kind = EventKind::Scalar(Style::Plain, None);
        Event::at(kind, Extent { start: position, end: position })
    }
}

impl Event {
    /// Returns an event without tag and anchor.
    #[inline]
    fn at(kind: EventKind, span: Extent) -> Event {
        Event { kind, span, properties: Properties::default() }
    }
}

fn no_token() -> Error {
    Error::new(Status::Internal, "the scanner of YAML returned no token")
}
