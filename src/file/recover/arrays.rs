//! Arrays of a damaged file: each keeps its block, its first rows, or only its description.

use super::report::{Loss, LossKind};
use crate::array::{DeclaredShape, Descriptor, Geometry};
use crate::error::Result;
use crate::file::blocks::number_of;
use crate::file::open::held_blocks::is_of_unknown_extension;
use crate::file::open::named_blocks::{block_source, chunk_map, for_each_node};
use crate::layout::{Salvage, SalvagedBlock};
use crate::limits::Limits;
use crate::reserve;
use crate::tags;
use crate::tree::edit::Content;
use crate::tree::{Kind, NodeId, Scalar, Style, Tree};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Maximum number of empty blocks that are added to preserve block numbers. Larger numbers of missing blocks are
/// replaced in the tree.
const MAX_MISSING: u64 = 1 << 12;

/// A block of the new file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    /// A block as found.
    Found(SalvagedBlock),
    /// An empty block.
    Empty,
}

/// A node that uses a block.
struct Name {
    node: NodeId,
    /// Place of the block number in the tree.
    place: NodeId,
    index: i64,
    is_array: bool,
}

/// Decides which arrays and blocks are kept, and changes the tree accordingly.
pub(super) struct Arrays<'a> {
    pub(super) tree: &'a mut Tree,
    pub(super) salvage: &'a mut Salvage,
    pub(super) file_length: u64,
    pub(super) limits: &'a Limits,
    /// True if arrays keep the complete rows of a block that ends early.
    pub(super) keeps_rows: bool,
    pub(super) losses: Vec<Loss>,
}

impl Arrays<'_> {
    /// Returns the blocks of the new file, in the order of their numbers.
    pub(super) fn settle(&mut self) -> Result<Vec<Kept>> {
        let names = self.names()?;
        self.check_guessed_numbers(&names);
        let found = self.salvage.blocks.len() as u64;
        let is_complete = self.is_complete(&names);
        // A negative index has a meaning only if the end of the file is present.
        let number = |name: &Name| match name.index {
            0.. => u64::try_from(name.index).ok(),
            _ if is_complete => number_of(name.index, found),
            _ => None,
        };
        let mut count = found;
        let missing = |name: &&Name| number(name).filter(|number| (found..found + MAX_MISSING).contains(number));
        count = names.iter().filter_map(|name| missing(&name)).map(|number| number + 1).fold(count, u64::max);
        let keep = |number| match usize::try_from(number).ok().and_then(|number| self.salvage.blocks.get(number)) {
            Some(block @ SalvagedBlock::Whole(_)) => Kept::Found(*block),
            Some(block @ SalvagedBlock::Cut(header, _)) if self.keeps_rows && !header.is_compressed() => {
                Kept::Found(*block)
            }
            _ => Kept::Empty,
        };
        let mut kept = reserve::collected((0..count).map(|number| Ok(keep(number))))?;
        self.report_blocks(&kept);
        self.report_chunks(&names, &kept);
        let masks = self.masks(&names);
        let mut named = BTreeSet::new();
        let mut shortened = HashSet::new();
        let mut without_number = Vec::new();
        self.keep_whole_rows(&names, &mut kept);
        for name in &names {
            let number = number(name);
            named.extend(number);
            match number.and_then(|number| kept.get(usize::try_from(number).ok()?).copied()) {
                Some(Kept::Found(block)) if name.is_array => {
                    self.look_at_array(name, block, number.unwrap_or_default(), &masks, &mut shortened);
                }
                Some(Kept::Found(_)) => {}
                Some(Kept::Empty) => self.lose(name, number),
                None if name.is_array => {
                    self.lose(name, number);
                    without_number.push(name.place);
                }
                None if chunk_map(self.tree, name.node).is_some() => self.lose(name, number),
                None => {}
            }
        }
        if !without_number.is_empty() {
            let number = kept.len().to_string();
            kept.push(Kept::Empty);
            for place in without_number {
                self.tree.replace(place, Content::Scalar(&number, Style::Plain));
            }
        }
        if self.losses.iter().any(|loss| loss.kind == LossKind::Tree) {
            for (number, block) in (0..).zip(&kept) {
                if matches!(block, Kept::Found(_)) && !named.contains(&number) {
                    let message = "the block is present, but the rest of the tree does not refer to it";
                    self.losses.push(Loss::new(LossKind::BlockName, message).of_block(number));
                }
            }
        }
        Ok(kept)
    }

    fn names(&self) -> Result<Vec<Name>> {
        let mut names = Vec::new();
        let tree = &*self.tree;
        for_each_node(tree, |node| {
            if tree.kind(node) != Kind::Mapping {
                return Ok(());
            }
            if let Some((place, index)) = chunk_map(tree, node) {
                reserve::push(&mut names, Name { node, place, index, is_array: false })?;
            }
            let Some(place) = tree.find_token(node, "source") else { return Ok(()) };
            if let Some((_, index)) = block_source(tree, node) {
                reserve::push(&mut names, Name { node, place, index, is_array: true })?;
            } else if tree.tag(node).is_some_and(is_of_unknown_extension)
                && let Ok(value) = tree.resolve(place)
                && tree.kind(value) == Kind::Scalar
                && let Ok(Scalar::Integer(integer)) = tree.scalar(value)
                && let Some(index) = integer.to_i64()
            {
                reserve::push(&mut names, Name { node, place, index, is_array: false })?;
            }
            Ok(())
        })?;
        Ok(names)
    }

    /// Returns true if all blocks of the original file are present.
    fn is_complete(&self, names: &[Name]) -> bool {
        let blocks = &self.salvage.blocks;
        let count = blocks.len() as u64;
        let numbers = |name: &&Name| u64::try_from(name.index).ok().filter(|_| name.is_array);
        if !self.salvage.is_complete || names.iter().filter_map(|name| numbers(&name)).any(|number| number >= count) {
            return false;
        }
        // A file that was cut between two blocks looks complete, unless it ends with an index or a streamed block.
        let ends_surely = self.salvage.has_index
            || matches!(blocks.last(), Some(SalvagedBlock::Whole(header)) if header.is_streamed());
        ends_surely
            || names.iter().filter(|name| name.is_array && name.index < 0).all(|name| {
                let number = number_of(name.index, count);
                let is_alone = names.iter().all(|other| other.index < 0 || u64::try_from(other.index).ok() != number);
                let block = number.and_then(|number| blocks.get(usize::try_from(number).ok()?));
                is_alone && block.is_some_and(|block| self.fills(name.node, block))
            })
    }

    /// Checks block numbers that were guessed. If the arrays in the tree do not confirm them, these blocks are dropped
    /// and reported.
    fn check_guessed_numbers(&mut self, names: &[Name]) {
        let Some(from) = self.salvage.doubtful_from else { return };
        let arrays = names.iter().filter(|name| name.is_array);
        let highest = arrays.clone().filter_map(|name| u64::try_from(name.index).ok()).max();
        let expected = highest.map_or(0, |highest| highest.saturating_add(1));
        if from == 0 && self.salvage.blocks.len() as u64 + 1 == expected {
            let offset = self.salvage.unknown.first().map_or(0, |range| range.start);
            self.salvage.blocks.insert(0, SalvagedBlock::Lost(offset));
            self.salvage.unsure.iter_mut().for_each(|number| *number += 1);
        }
        let blocks = &self.salvage.blocks;
        let fits = |name: &Name| {
            let block = usize::try_from(name.index).ok().filter(|&number| number >= from).and_then(|n| blocks.get(n));
            block.is_none_or(|block| matches!(block, SalvagedBlock::Lost(_)) || self.fills(name.node, block))
        };
        if expected == blocks.len() as u64 && arrays.clone().all(|name| name.index >= 0 && fits(name)) {
            return;
        }
        let rest = self.salvage.blocks.split_off(from.min(self.salvage.blocks.len()));
        self.salvage.is_complete = false;
        for block in rest {
            if let SalvagedBlock::Whole(header) | SalvagedBlock::Cut(header, _) = block {
                let end = header.end().unwrap_or(self.file_length).min(self.file_length);
                let message = "a block was found here, but its number is unknown; it is left out";
                let loss = Loss::new(LossKind::BlockName, message);
                self.losses.push(loss.at(header.offset, end.saturating_sub(header.offset)));
            }
        }
    }

    /// Returns true if an array needs exactly the decoded bytes of a block.
    fn fills(&self, node: NodeId, block: &SalvagedBlock) -> bool {
        let SalvagedBlock::Whole(header) = block else { return false };
        let size = header.decoded_size(self.file_length);
        self.needs(node).is_some_and(|needed| needed == size)
    }

    /// Returns the size of the block that an array needs, in bytes; `None` if its shape is not fixed.
    fn needs(&self, node: NodeId) -> Option<u64> {
        let descriptor = Descriptor::parse(self.tree, node, self.limits).ok()?;
        let (mut low, mut high) = (0_u64, i64::MAX as u64);
        if !fits(&descriptor, None, high) || !matches!(descriptor.shape, Some(DeclaredShape::Fixed(_))) {
            return None;
        }
        while low < high {
            let middle = low + (high - low) / 2;
            if fits(&descriptor, None, middle) { high = middle } else { low = middle + 1 }
        }
        Some(low)
    }

    fn report_blocks(&mut self, kept: &[Kept]) {
        for (number, kept) in (0..).zip(kept) {
            let block = usize::try_from(number).ok().and_then(|number: usize| self.salvage.blocks.get(number));
            let loss = match (block, kept) {
                (Some(SalvagedBlock::Whole(_)), _) => continue,
                (Some(SalvagedBlock::Cut(header, there)), kept) => {
                    let missing = (!header.is_streamed()).then(|| header.used_size.saturating_sub(*there));
                    if *kept == Kept::Empty {
                        let message = "the block ends early; nothing of it is kept";
                        Loss::new(LossKind::Block, message).at(header.offset, missing)
                    } else if missing == Some(0) {
                        continue;
                    } else {
                        let message = format!("the block ends early, after {there} bytes");
                        Loss::new(LossKind::BlockEnd, message).at(header.offset, missing)
                    }
                }
                (Some(SalvagedBlock::Lost(offset)), _) => {
                    Loss::new(LossKind::Block, "the header of the block is lost").at(*offset, None)
                }
                (None, _) => Loss::new(LossKind::Block, "the block is missing"),
            };
            self.losses.push(loss.of_block(number));
        }
        let unknown = std::mem::take(&mut self.salvage.unknown);
        for range in unknown {
            let bytes = range.end.saturating_sub(range.start);
            self.losses.push(Loss::new(LossKind::Bytes, "these bytes belong to no block").at(range.start, bytes));
        }
    }

    /// Reports chunked arrays whose map is present, if any block is lost: it may hold one of their chunks.
    fn report_chunks(&mut self, names: &[Name], kept: &[Kept]) {
        if !kept.contains(&Kept::Empty) {
            return;
        }
        let is_lost = |number| usize::try_from(number).is_ok_and(|number| kept.get(number) == Some(&Kept::Empty));
        for name in names.iter().filter(|name| chunk_map(self.tree, name.node).is_some()) {
            if !number_of(name.index, kept.len() as u64).is_some_and(is_lost) {
                let message = "chunks of the array may be lost with a block";
                self.losses.push(Loss::new(LossKind::Array, message).of_array(self.tree.path(name.node)));
            }
        }
    }

    /// Drops the incomplete last row of blocks of unknown length, which the kill of a writer leaves.
    fn keep_whole_rows(&mut self, names: &[Name], kept: &mut [Kept]) {
        let mut uses: BTreeMap<i64, usize> = BTreeMap::new();
        names.iter().for_each(|name| *uses.entry(name.index).or_default() += 1);
        for name in names.iter().filter(|name| name.is_array && uses.get(&name.index) == Some(&1)) {
            let number = number_of(name.index, kept.len() as u64);
            let Some(block) = number.and_then(|number| kept.get_mut(usize::try_from(number).ok()?)) else { continue };
            let (header, there) = match *block {
                Kept::Found(SalvagedBlock::Whole(header)) if header.is_streamed() => {
                    (header, header.decoded_size(self.file_length))
                }
                Kept::Found(SalvagedBlock::Cut(header, there)) => (header, there),
                _ => continue,
            };
            let Ok(descriptor) = Descriptor::parse(self.tree, name.node, self.limits) else { continue };
            let Some(rest) = incomplete_row(&descriptor, there).filter(|&rest| rest > 0) else { continue };
            *block = Kept::Found(SalvagedBlock::Cut(header, there - rest));
            let has_rows = i64::try_from(there - rest).is_ok_and(|end| end > descriptor.offset);
            let kind = if has_rows { LossKind::ArrayEnd } else { LossKind::Array };
            let message = "the last row is incomplete, and is dropped";
            let mut loss = Loss::new(kind, message).of_array(self.tree.path(name.node));
            loss.block = number;
            loss.bytes = Some(rest);
            self.losses.push(loss);
        }
    }

    /// Returns the arrays that are masks, each with the array that it masks.
    fn masks(&self, names: &[Name]) -> BTreeMap<NodeId, NodeId> {
        let mut masks = BTreeMap::new();
        for name in names.iter().filter(|name| name.is_array) {
            if let Some(mask) = self.tree.find_token(name.node, "mask") {
                masks.insert(self.tree.dealias(mask), name.node);
            }
        }
        masks
    }

    fn lose(&mut self, name: &Name, number: Option<u64>) {
        let message = match (name.is_array, number) {
            (true, Some(_)) => "the array is lost with its block",
            (true, None) => "the array is lost: its block is unknown",
            (false, _) => "this node may have referred to the lost block",
        };
        let mut loss = Loss::new(LossKind::Array, message).of_array(self.tree.path(name.node));
        loss.block = number;
        self.losses.push(loss);
    }

    fn look_at_array(
        &mut self,
        name: &Name,
        block: SalvagedBlock,
        number: u64,
        masks: &BTreeMap<NodeId, NodeId>,
        shortened: &mut HashSet<NodeId>,
    ) {
        let there = match block {
            SalvagedBlock::Whole(header) => header.decoded_size(self.file_length),
            SalvagedBlock::Cut(_, there) => there,
            SalvagedBlock::Lost(_) => 0,
        };
        let Ok(descriptor) = Descriptor::parse(self.tree, name.node, self.limits) else { return };
        if shortened.contains(&name.node) || fits(&descriptor, None, there) {
            return;
        }
        let declared_rows = match &descriptor.shape {
            Some(DeclaredShape::Fixed(shape)) => shape.first().copied(),
            _ => None,
        };
        let rows = declared_rows.unwrap_or(0);
        let (mut low, mut high) = (0, rows);
        while low < high {
            let middle = low + (high - low + 1) / 2;
            if fits(&descriptor, Some(middle), there) { low = middle } else { high = middle - 1 }
        }
        let parent = self.tree.parent(name.node);
        let is_number = parent.is_some_and(|parent| self.tree.is_tagged(parent, tags::INTEGER));
        // A mask with fewer rows than its array would hide missing elements, or would be broadcast.
        if low == 0 || is_number || masks.contains_key(&name.node) || matches!(block, SalvagedBlock::Whole(_)) {
            let message = "the array is lost: its block ends before the end of the array";
            let mut loss = Loss::new(LossKind::Array, message).of_block(number);
            loss.rows = declared_rows.and_then(|rows| u64::try_from(rows).ok());
            self.losses.push(loss.of_array(self.tree.path(name.node)));
            return;
        }
        self.shorten(name.node, low);
        shortened.insert(name.node);
        let mask = self.tree.find_token(name.node, "mask").filter(|&mask| self.tree.kind(mask) == Kind::Mapping);
        if let Some(mask) = mask
            && let Ok(descriptor) = Descriptor::parse(self.tree, mask, self.limits)
            && matches!(&descriptor.shape, Some(DeclaredShape::Fixed(shape)) if shape.first() == Some(&rows))
        {
            self.shorten(mask, low);
        }
        let message = format!("{low} of {rows} rows are left");
        let loss = Loss::new(LossKind::ArrayEnd, message).of_block(number).of_rows(rows - low);
        self.losses.push(loss.of_array(self.tree.path(name.node)));
    }

    /// Reduces the number of rows of an array. The shape may be shared with other nodes, so it is replaced.
    fn shorten(&mut self, array: NodeId, rows: i64) {
        let Ok(Descriptor { shape: Some(DeclaredShape::Fixed(mut shape)), .. }) =
            Descriptor::parse(self.tree, array, self.limits)
        else {
            return;
        };
        let (Some(place), Some(first)) = (self.tree.find_token(array, "shape"), shape.first_mut()) else { return };
        *first = rows;
        self.tree.replace(place, Content::Sequence(Style::Flow));
        for extent in shape {
            self.tree.append_item(place, Content::Scalar(&extent.to_string(), Style::Plain));
        }
    }
}

/// Returns the number of bytes of the incomplete last row, if the rows of the array extend to the end of its block.
fn incomplete_row(descriptor: &Descriptor, bytes: u64) -> Option<u64> {
    let (Some(DeclaredShape::Streamed(extents)), Some(datatype), None) =
        (&descriptor.shape, &descriptor.datatype, &descriptor.strides)
    else {
        return None;
    };
    let extents = extents.iter().map(|&extent| u64::try_from(extent).ok());
    let row = extents.fold(datatype.item_size().ok(), |size, extent| size?.checked_mul(extent?))?;
    bytes.checked_sub(u64::try_from(descriptor.offset).ok()?)?.checked_rem(row)
}

/// Returns true if an array, or its first `rows` rows, fits into `bytes` bytes.
fn fits(descriptor: &Descriptor, rows: Option<i64>, bytes: u64) -> bool {
    let (Some(shape), Some(datatype)) = (&descriptor.shape, &descriptor.datatype) else { return false };
    let Ok(item_size) = datatype.item_size() else { return false };
    let mut shape = shape.clone();
    if let (DeclaredShape::Fixed(extents), Some(rows)) = (&mut shape, rows)
        && let Some(first) = extents.first_mut()
    {
        *first = rows;
    }
    Geometry::new(&shape, descriptor.strides.as_deref(), descriptor.offset, item_size, Some(bytes)).is_ok()
}
