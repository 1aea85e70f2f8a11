//! Runs: simple nodes that follow one another.

use super::Builder;
use super::nodes::{inset_of, positions};
use super::oddities::{may_be_odd, oddity};
use crate::error::Result;
use crate::progress;
use crate::reserve;
use crate::tree::{Extent, Kind, NodeId, ScalarText, Style};
use crate::yaml::events::Events;
use crate::yaml::scan::{Piece, PieceKind, unescape};
use std::borrow::Cow;

impl<'a> Builder<'a> {
    /// Adds simple nodes that follow one another.
    pub(super) fn run(&mut self, events: &Events<'a>) -> Result<()> {
        progress::check()?;
        let mut rest = events.run();
        let mut tag = None;
        let mut anchor = None;
        if self.open.last().is_some_and(|open| !open.is_mapping) {
            rest = self.long_list(rest)?;
        }
        while let Some((&Piece { kind, span }, following)) = rest.split_first() {
            rest = following;
            let id = match kind {
                PieceKind::Scalar(style) if tag.is_none() => {
                    self.check_nodes(span)?;
                    let content = ScalarText::InSource { inset: inset_of(style) };
                    let id = self.tree.add_scalar(content, style, self.parent(), positions(span));
                    if style == Style::Plain {
                        self.check_text(id, span);
                    }
                    reserve::room_for(&mut self.pending, 1)?;
                    self.pending.push(id);
                    self.content_end = span.end;
                    id
                }
                PieceKind::Scalar(style) => self.scalar(style, None, tag.take(), span)?,
                PieceKind::Escaped(style) => {
                    let text = unescape(&self.document.text[span.range()])?;
                    self.scalar(style, Some(text), tag.take(), span)?
                }
                PieceKind::Omitted => self.scalar(Style::Plain, None, tag.take(), span)?,
                PieceKind::MappingStart(style) => self.start(Kind::Mapping, style, tag.take(), span)?,
                PieceKind::SequenceStart(style) => {
                    let id = self.start(Kind::Sequence, style, tag.take(), span)?;
                    rest = self.long_list(rest)?;
                    id
                }
                PieceKind::CollectionEnd => {
                    self.end(span)?;
                    continue;
                }
                PieceKind::Alias => {
                    self.alias(span)?;
                    continue;
                }
                PieceKind::Tag => {
                    tag = Some(self.tag_number(span, events)?);
                    continue;
                }
                PieceKind::Anchor => {
                    anchor = Some(span);
                    continue;
                }
            };
            if let Some(name) = anchor.take() {
                self.anchor(id, name)?;
            }
        }
        Ok(())
    }

    /// Adds the plain scalars at the start of `pieces` as plain items, if they are many. Returns the other pieces.
    fn long_list<'p>(&mut self, pieces: &'p [Piece]) -> Result<&'p [Piece]> {
        let is_plain = |piece: &Piece| piece.kind == PieceKind::Scalar(Style::Plain);
        let count = match pieces.get(..self.plain_items) {
            Some(start) if start.iter().all(is_plain) => pieces.iter().take_while(|&piece| is_plain(piece)).count(),
            _ => return Ok(pieces),
        };
        let (list, rest) = pieces.split_at(count);
        let room = self.max_nodes.saturating_sub(self.tree.node_count() as u64);
        if let Some(&beyond) = usize::try_from(room).ok().and_then(|room| list.get(room)) {
            return Err(self.too_many_nodes(beyond.span));
        }
        let first = self.tree.add_plain_items(self.parent(), list.iter().map(|piece| piece.span))?;
        for (id, piece) in first.following().zip(list) {
            self.check_text(id, piece.span);
        }
        self.content_end = list.last().map_or(self.content_end, |piece| piece.span.end);
        Ok(rest)
    }

    /// Adds a warning for the text of a plain scalar without a tag if other readers understand it in another way.
    #[inline(always)]
    fn check_text(&mut self, id: NodeId, span: Extent) {
        // Letters follow digits and signs in ASCII. Most texts begin with a letter.
        if self.document.text.as_bytes()[span.start as usize] <= b'9' {
            self.check_number(id, span);
        }
    }

    fn check_number(&mut self, id: NodeId, span: Extent) {
        let text = self.document.text;
        if may_be_odd(&text.as_bytes()[span.range()])
            && let Some(oddity) = oddity(&text[span.range()], true, None)
        {
            self.remark(id, Cow::Borrowed(oddity));
        }
    }
}
