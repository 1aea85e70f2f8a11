//! Block sequences and block mappings.

use super::{Event, Events, State};
use crate::error::Result;
use crate::yaml::scan::TokenKind;

impl<'a> Events<'a> {
    pub(super) fn block_sequence_entry(&mut self) -> Result<Event<'a>> {
        let token = self.take()?;
        match token.kind {
            TokenKind::BlockEntry => match self.peek()?.kind {
                TokenKind::BlockEntry | TokenKind::BlockEnd => Ok(Self::omitted(token.end)),
                _ => {
                    self.push(State::BlockSequenceEntry)?;
                    self.block_node(false)
                }
            },
            TokenKind::BlockEnd => Ok(self.end_of_block(token.start)),
            _ => {
                let message = "the list has items with '-'; this line is neither an item nor indented less or further";
                Err(self.error(message, token.start))
            }
        }
    }

    /// Reads an entry of a sequence that has the indentation of the mapping around it.
    pub(super) fn indentless_sequence_entry(&mut self) -> Result<Event<'a>> {
        if self.peek()?.kind != TokenKind::BlockEntry {
            let position = self.peek()?.start;
            return Ok(self.end_of_block(position));
        }
        let end = self.take()?.end;
        match self.peek()?.kind {
            TokenKind::BlockEntry | TokenKind::Key | TokenKind::Value | TokenKind::BlockEnd => Ok(Self::omitted(end)),
            _ => {
                self.push(State::IndentlessSequenceEntry)?;
                self.block_node(false)
            }
        }
    }

    pub(super) fn block_mapping_key(&mut self) -> Result<Event<'a>> {
        let token = self.take()?;
        match token.kind {
            TokenKind::Key => {
                self.state = State::BlockMappingValue;
                self.node_or_omitted(token.end, State::BlockMappingValue)
            }
            TokenKind::BlockEnd => Ok(self.end_of_block(token.start)),
            _ => {
                let message = "a key is expected here; check the indentation, and quote a text that contains ': '";
                Err(self.error(message, token.start))
            }
        }
    }

    pub(super) fn block_mapping_value(&mut self) -> Result<Event<'a>> {
        self.state = State::BlockMappingKey;
        if self.peek()?.kind != TokenKind::Value {
            return Ok(Self::omitted(self.peek()?.start));
        }
        let end = self.take()?.end;
        self.node_or_omitted(end, State::BlockMappingKey)
    }

    /// Reads a key or a value of a block mapping, and goes on with `next`. The indicator before it ends at `position`.
    fn node_or_omitted(&mut self, position: u32, next: State) -> Result<Event<'a>> {
        match self.peek()?.kind {
            TokenKind::Key | TokenKind::Value | TokenKind::BlockEnd => Ok(Self::omitted(position)),
            _ => {
                self.push(next)?;
                self.block_node(true)
            }
        }
    }
}
