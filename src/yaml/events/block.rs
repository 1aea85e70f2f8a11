//! Block sequences and block mappings.

use super::{Event, Events, ParserState};
use crate::error::Result;
use crate::yaml::scan::{BlockKind, TokenKind};

impl Events<'_> {
    /// Reads simple entries of a block collection, and of the block collections in them, if there are any.
    fn block_run(&mut self, kind: BlockKind) -> Result<Option<Event>> {
        self.block.begin(kind, self.depth.saturating_sub(self.block_depth), self.flow_depth_left())?;
        self.scanner.scan_block_run(&mut self.block, &mut self.run)?;
        let event = self.run_event();
        if event.is_some() {
            self.state = state_in(kind);
            for number in 1..self.block.open.len() {
                self.push(self.state)?;
                self.state = state_in(self.block.open[number]);
                self.block_depth += 1;
            }
            if self.block.needs_value {
                self.state = ParserState::BlockMappingValue;
            }
        }
        Ok(event)
    }

    /// Reads an entry of a block sequence, or its end (`yaml_parser_parse_block_sequence_entry`).
    pub(super) fn block_sequence_entry(&mut self) -> Result<Event> {
        let token = self.take()?;
        match token.kind {
            TokenKind::BlockEntry => {
                if let Some(event) = self.block_run(BlockKind::Sequence)? {
                    return Ok(event);
                }
                match self.peek()?.kind {
                    TokenKind::BlockEntry | TokenKind::BlockEnd => Ok(Self::omitted(token.span.end)),
                    _ => {
                        self.push(ParserState::BlockSequenceEntry)?;
                        self.block_node(false)
                    }
                }
            }
            TokenKind::BlockEnd => Ok(self.end_of_block(token.span.start)),
            _ => Err(self.no_item(&token)),
        }
    }

    /// Reads an entry of a sequence that has the indentation of the mapping around it.
    /// Follows `yaml_parser_parse_indentless_sequence_entry`.
    pub(super) fn indentless_sequence_entry(&mut self) -> Result<Event> {
        if self.peek()?.kind != TokenKind::BlockEntry {
            let position = self.peek()?.span.start;
            return Ok(self.end_of_block(position));
        }
        let end = self.take()?.span.end;
        if let Some(event) = self.block_run(BlockKind::IndentlessSequence)? {
            return Ok(event);
        }
        match self.peek()?.kind {
            TokenKind::BlockEntry | TokenKind::Key | TokenKind::Value | TokenKind::BlockEnd => Ok(Self::omitted(end)),
            _ => {
                self.push(ParserState::IndentlessSequenceEntry)?;
                self.block_node(false)
            }
        }
    }

    /// Reads a key of a block mapping, or its end (`yaml_parser_parse_block_mapping_key`).
    pub(super) fn block_mapping_key(&mut self) -> Result<Event> {
        if self.token.is_none()
            && let Some(event) = self.block_run(BlockKind::Mapping)?
        {
            return Ok(event);
        }
        let token = self.take()?;
        match token.kind {
            TokenKind::Key => {
                self.state = ParserState::BlockMappingValue;
                self.node_or_omitted(token.span.end, ParserState::BlockMappingValue)
            }
            TokenKind::BlockEnd => Ok(self.end_of_block(token.span.start)),
            _ => Err(self.no_key(&token)),
        }
    }

    /// Reads the value after a key of a block mapping (`yaml_parser_parse_block_mapping_value`).
    pub(super) fn block_mapping_value(&mut self) -> Result<Event> {
        self.state = ParserState::BlockMappingKey;
        if self.peek()?.kind != TokenKind::Value {
            return Ok(Self::omitted(self.peek()?.span.start));
        }
        let end = self.take()?.span.end;
        self.node_or_omitted(end, ParserState::BlockMappingKey)
    }

    /// Reads a key or a value of a block mapping, and goes on with `next`. The indicator before it ends at `position`.
    fn node_or_omitted(&mut self, position: u32, next: ParserState) -> Result<Event> {
        match self.peek()?.kind {
            TokenKind::Key | TokenKind::Value | TokenKind::BlockEnd => Ok(Self::omitted(position)),
            _ => {
                self.push(next)?;
                self.block_node(true)
            }
        }
    }
}

/// Returns the state before an entry of a block collection.
fn state_in(kind: BlockKind) -> ParserState {
    match kind {
        BlockKind::Mapping => ParserState::BlockMappingKey,
        BlockKind::Sequence => ParserState::BlockSequenceEntry,
        BlockKind::IndentlessSequence => ParserState::IndentlessSequenceEntry,
    }
}
