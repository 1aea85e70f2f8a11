//! Nodes: aliases, scalars, and the starts of collections, with tag and anchor (`yaml_parser_parse_node`).

use super::{Event, EventKind, Events, ParserState, Properties};
use crate::error::Result;
use crate::limits::Limit;
use crate::tree::{Extent, Style};
use crate::yaml::scan::{Token, TokenKind};

impl Events<'_> {
    /// Reads a node of a block collection. A sequence may have the indentation of the mapping around it if
    /// `may_be_indentless` is true.
    pub(super) fn block_node(&mut self, may_be_indentless: bool) -> Result<Event> {
        self.node(true, may_be_indentless)
    }

    /// Reads a node of a flow collection.
    pub(super) fn flow_node(&mut self) -> Result<Event> {
        self.node(false, false)
    }

    #[inline]
    fn node(&mut self, is_in_block: bool, may_be_indentless: bool) -> Result<Event> {
        let token = self.take()?;
        match token.kind {
            TokenKind::Scalar(style, decoded) => {
                self.pop();
                Ok(Event::at(EventKind::Scalar(style, decoded), token.span))
            }
            TokenKind::Alias => {
                self.pop();
                Ok(Event::at(EventKind::Alias, token.span))
            }
            TokenKind::Anchor | TokenKind::Tag => {
                let (properties, end) = self.properties(token)?;
                self.node_after_properties(is_in_block, may_be_indentless, properties, end)
            }
            _ => {
                self.token = Some(token);
                let Some(event) = self.collection(is_in_block, may_be_indentless, Properties::default())? else {
                    return Err(self.no_node(is_in_block)?);
                };
                Ok(event)
            }
        }
    }

    /// Reads the tag and the anchor of a node, beginning with `first`. Returns the position after them, too.
    fn properties(&mut self, first: Token) -> Result<(Properties, u32)> {
        let mut properties = Properties::default();
        let mut token = first;
        loop {
            let end = token.span.end;
            match token.kind {
                TokenKind::Anchor => properties.anchor = Some(token.span),
                TokenKind::Tag => {
                    self.check_handle(token.span)?;
                    properties.tag = Some(token.span);
                }
                _ => return Err(super::no_token()),
            }
            let is_other = match self.peek()?.kind {
                TokenKind::Anchor => properties.anchor.is_none(),
                TokenKind::Tag => properties.tag.is_none(),
                _ => false,
            };
            if !is_other {
                return Ok((properties, end));
            }
            token = self.take()?;
        }
    }

    fn node_after_properties(
        &mut self,
        is_in_block: bool,
        may_be_indentless: bool,
        properties: Properties,
        end: u32,
    ) -> Result<Event> {
        let token = self.take()?;
        if let TokenKind::Scalar(style, decoded) = token.kind {
            self.pop();
            return Ok(Event { kind: EventKind::Scalar(style, decoded), span: token.span, properties });
        }
        self.token = Some(token);
        if let Some(event) = self.collection(is_in_block, may_be_indentless, properties)? {
            return Ok(event);
        }
        self.pop();
        let kind = EventKind::Scalar(Style::Plain, None);
        Ok(Event { kind, span: Extent { start: end, end }, properties })
    }

    /// Reads the start of a collection, if the next token is one.
    fn collection(
        &mut self,
        is_in_block: bool,
        may_be_indentless: bool,
        properties: Properties,
    ) -> Result<Option<Event>> {
        let token = self.peek()?;
        let start = token.span.start;
        let (state, kind) = match token.kind {
            TokenKind::BlockEntry if may_be_indentless => {
                (ParserState::IndentlessSequenceEntry, EventKind::SequenceStart(Style::Block))
            }
            TokenKind::FlowSequenceStart => {
                (ParserState::FlowSequenceEntry { is_first: true }, EventKind::SequenceStart(Style::Flow))
            }
            TokenKind::FlowMappingStart => {
                (ParserState::FlowMappingKey { is_first: true }, EventKind::MappingStart(Style::Flow))
            }
            TokenKind::BlockSequenceStart if is_in_block => {
                (ParserState::BlockSequenceEntry, EventKind::SequenceStart(Style::Block))
            }
            TokenKind::BlockMappingStart if is_in_block => {
                (ParserState::BlockMappingKey, EventKind::MappingStart(Style::Block))
            }
            _ => return Ok(None),
        };
        let end = if state == ParserState::IndentlessSequenceEntry { start } else { self.take()?.span.end };
        let is_flow = matches!(kind, EventKind::SequenceStart(Style::Flow) | EventKind::MappingStart(Style::Flow));
        let nested = if is_flow { &mut self.flow_depth } else { &mut self.block_depth };
        if *nested >= self.depth {
            let error = Limit::Depth.exceeded("the nesting depth of the YAML tree", u64::from(self.depth));
            return Err(error.at_offset(u64::from(start)));
        }
        *nested += 1;
        self.state = state;
        Ok(Some(Event { kind, span: Extent { start, end }, properties }))
    }

    /// Returns the end of a block collection, which has no characters of its own.
    pub(super) fn end_of_block(&mut self, position: u32) -> Event {
        self.block_depth -= 1;
        self.pop();
        Event::at(EventKind::CollectionEnd, Extent { start: position, end: position })
    }

    /// Returns the end of a flow collection, whose bracket is the next token.
    pub(super) fn end_of_flow(&mut self) -> Result<Event> {
        let token = self.take()?;
        self.flow_depth -= 1;
        self.pop();
        Ok(Event::at(EventKind::CollectionEnd, token.span))
    }
}
