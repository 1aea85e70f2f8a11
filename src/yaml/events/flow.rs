//! Flow sequences and flow mappings.

use super::{Event, EventKind, Events, ParserState};
use crate::error::Result;
use crate::tree::{Extent, Style};
use crate::yaml::scan::TokenKind;

impl Events<'_> {
    /// Reads an entry of a flow sequence, or its end (`yaml_parser_parse_flow_sequence_entry`).
    pub(super) fn flow_sequence_entry(&mut self, is_first: bool) -> Result<Event> {
        if self.token.is_none() {
            self.scanner.scan_flow_items(is_first, self.flow_depth_left(), &mut self.run)?;
            if let Some(event) = self.run_event() {
                self.state = ParserState::FlowSequenceEntry { is_first: false };
                return Ok(event);
            }
        }
        if self.is_flow_end(is_first, TokenKind::FlowSequenceEnd, ']')? {
            return self.end_of_flow();
        }
        match self.peek()?.kind {
            TokenKind::Key => {
                let token = self.take()?;
                self.state = ParserState::FlowPairKey;
                let span = Extent { start: token.span.start, end: token.span.start };
                Ok(Event::at(EventKind::MappingStart(Style::Flow), span))
            }
            _ => {
                self.push(ParserState::FlowSequenceEntry { is_first: false })?;
                self.flow_node()
            }
        }
    }

    /// Returns whether a flow collection ends here, with the token `end`, which is written as `closing`. Takes the comma
    /// before an entry that is not the first.
    fn is_flow_end(&mut self, is_first: bool, end: TokenKind, closing: char) -> Result<bool> {
        if is_first || self.peek()?.kind == end {
            return Ok(self.peek()?.kind == end);
        }
        let token = self.take()?;
        if token.kind != TokenKind::FlowEntry {
            return Err(self.no_comma(&token, closing));
        }
        Ok(self.peek()?.kind == end)
    }

    /// Reads the key of a pair in a sequence (`yaml_parser_parse_flow_sequence_entry_mapping_key`).
    pub(super) fn flow_pair_key(&mut self) -> Result<Event> {
        self.state = ParserState::FlowPairValue;
        let token = self.peek()?;
        match token.kind {
            TokenKind::Value | TokenKind::FlowEntry | TokenKind::FlowSequenceEnd => {
                // libyaml skips this token, so that the value is always omitted.
                let position = token.span.start;
                self.take()?;
                Ok(Self::omitted(position))
            }
            _ => {
                self.push(ParserState::FlowPairValue)?;
                self.flow_node()
            }
        }
    }

    /// Reads the value of a pair in a sequence (`yaml_parser_parse_flow_sequence_entry_mapping_value`).
    pub(super) fn flow_pair_value(&mut self) -> Result<Event> {
        self.flow_value(ParserState::FlowPairEnd, TokenKind::FlowSequenceEnd)
    }

    /// Ends the mapping that a pair in a sequence forms (`yaml_parser_parse_flow_sequence_entry_mapping_end`).
    pub(super) fn flow_pair_end(&mut self) -> Result<Event> {
        self.state = ParserState::FlowSequenceEntry { is_first: false };
        let position = self.peek()?.span.start;
        Ok(Event::at(EventKind::CollectionEnd, Extent { start: position, end: position }))
    }

    /// Reads a key of a flow mapping, or its end (`yaml_parser_parse_flow_mapping_key`).
    pub(super) fn flow_mapping_key(&mut self, is_first: bool) -> Result<Event> {
        if self.token.is_none() {
            let needs_value = self.scanner.scan_flow_pairs(is_first, self.flow_depth_left(), &mut self.run)?;
            if let Some(event) = self.run_event() {
                let next = ParserState::FlowMappingKey { is_first: false };
                self.state = if needs_value { ParserState::FlowMappingValue } else { next };
                return Ok(event);
            }
        }
        if self.is_flow_end(is_first, TokenKind::FlowMappingEnd, '}')? {
            return self.end_of_flow();
        }
        match self.peek()?.kind {
            TokenKind::Key => {
                self.take()?;
                let position = self.peek()?.span.start;
                match self.peek()?.kind {
                    TokenKind::Value | TokenKind::FlowEntry | TokenKind::FlowMappingEnd => {
                        self.state = ParserState::FlowMappingValue;
                        Ok(Self::omitted(position))
                    }
                    _ => {
                        self.push(ParserState::FlowMappingValue)?;
                        self.flow_node()
                    }
                }
            }
            _ => {
                self.push(ParserState::FlowMappingOmittedValue)?;
                self.flow_node()
            }
        }
    }

    /// Reads the value after a key of a flow mapping (`yaml_parser_parse_flow_mapping_value`).
    pub(super) fn flow_mapping_value(&mut self) -> Result<Event> {
        self.flow_value(ParserState::FlowMappingKey { is_first: false }, TokenKind::FlowMappingEnd)
    }

    /// Reads the value after a key in a collection that ends with the token `end`, and goes on with `next`.
    fn flow_value(&mut self, next: ParserState, end: TokenKind) -> Result<Event> {
        self.state = next;
        let mut position = self.peek()?.span.start;
        if self.peek()?.kind == TokenKind::Value {
            position = self.take()?.span.end;
            let token = self.peek()?;
            if token.kind != TokenKind::FlowEntry && token.kind != end {
                self.push(next)?;
                return self.flow_node();
            }
        }
        Ok(Self::omitted(position))
    }

    /// Returns the value of a key without a colon.
    pub(super) fn omitted_flow_value(&mut self) -> Result<Event> {
        self.state = ParserState::FlowMappingKey { is_first: false };
        Ok(Self::omitted(self.peek()?.span.start))
    }
}
