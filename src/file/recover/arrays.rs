//! What becomes of the arrays of a damaged file: they keep their blocks, their first rows, or their description alone.

use super::report::{Loss, LossKind};
use crate::array::{DeclaredShape, Descriptor, Geometry};
use crate::file::blocks::number_of;
use crate::file::open::block_uses::{block_source, for_each_node};
use crate::file::open::standard_tags::name_of;
use crate::layout::{Salvage, SalvagedBlock};
use crate::limits::Limits;
use crate::tree::edit::Content;
use crate::tree::{Kind, NodeId, Scalar, Style, Tree};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Blocks without bytes that are made so that a number means nothing else later; beyond them it is replaced.
const MAX_MISSING: u64 = 1 << 12;

/// A block of the file to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    /// As it was found.
    Found(SalvagedBlock),
    /// A block of no bytes.
    Empty,
}

/// A node that names a block.
struct Name {
    node: NodeId,
    /// The place of the number.
    place: NodeId,
    index: i64,
    is_array: bool,
}

/// Decides what becomes of arrays and blocks, and changes the tree accordingly.
pub(super) struct Arrays<'a> {
    pub(super) tree: &'a mut Tree,
    pub(super) salvage: &'a mut Salvage,
    pub(super) file_length: u64,
    pub(super) limits: &'a Limits,
    /// Whether arrays keep the rows that are there of a block that ends early.
    pub(super) keeps_rows: bool,
    pub(super) losses: Vec<Loss>,
}

impl Arrays<'_> {
    /// Gives the blocks to write by their numbers.
    pub(super) fn settle(&mut self) -> Vec<Kept> {
        let names = self.names();
        self.judge_doubtful_blocks(&names);
        let found = self.salvage.blocks.len() as u64;
        let is_complete = self.is_complete(&names);
        // What counts from the end means something only if the end is there.
        let number = |name: &Name| match name.index {
            0.. => u64::try_from(name.index).ok(),
            _ if is_complete => number_of(name.index, found),
            _ => None,
        };
        let mut count = found;
        let missing = |name: &&Name| number(name).filter(|number| (found..found + MAX_MISSING).contains(number));
        count = names.iter().filter_map(|name| missing(&name)).map(|number| number + 1).fold(count, u64::max);
        let mut kept: Vec<Kept> = (0..count)
            .map(|number| match usize::try_from(number).ok().and_then(|number| self.salvage.blocks.get(number)) {
                Some(block @ SalvagedBlock::Whole(_)) => Kept::Found(*block),
                Some(block @ SalvagedBlock::Cut(header, _)) if self.keeps_rows && !header.is_compressed() => {
                    Kept::Found(*block)
                }
                _ => Kept::Empty,
            })
            .collect();
        self.report_blocks(&kept);
        let masks = self.masks(&names);
        let mut named = BTreeSet::new();
        let mut shortened = HashSet::new();
        let mut without_number = Vec::new();
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
                    let message = "the block is there, but what is left of the tree does not name it";
                    self.losses.push(Loss::new(LossKind::BlockName, message).of_block(number));
                }
            }
        }
        kept
    }

    fn names(&self) -> Vec<Name> {
        let mut names = Vec::new();
        let tree = &*self.tree;
        for_each_node(tree, |node| {
            if tree.kind(node) != Kind::Mapping {
                return;
            }
            let Some(place) = tree.find_token(node, "source") else { return };
            if let Some((_, index)) = block_source(tree, node) {
                names.push(Name { node, place, index, is_array: true });
            } else if tree.tag(node).is_some()
                && let Ok(value) = tree.resolve(place)
                && tree.kind(value) == Kind::Scalar
                && let Ok(Scalar::Integer(integer)) = tree.scalar(value)
                && let Some(index) = integer.to_i64()
            {
                names.push(Name { node, place, index, is_array: false });
            }
        });
        names
    }

    /// Whether all blocks are there that the file had.
    fn is_complete(&self, names: &[Name]) -> bool {
        let blocks = &self.salvage.blocks;
        let count = blocks.len() as u64;
        let numbers = |name: &&Name| u64::try_from(name.index).ok().filter(|_| name.is_array);
        if !self.salvage.is_complete || names.iter().filter_map(|name| numbers(&name)).any(|number| number >= count) {
            return false;
        }
        // A file that was cut between two blocks looks whole, unless it has an index or a streamed block at its end.
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

    /// Numbers that had to be guessed count only if the tree bears them out; else the blocks stay without the numbers.
    fn judge_doubtful_blocks(&mut self, names: &[Name]) {
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
                let message = "a block was found here, but which number it had cannot be told; it is left out";
                let loss = Loss::new(LossKind::BlockName, message);
                self.losses.push(loss.at(header.offset, end.saturating_sub(header.offset)));
            }
        }
    }

    /// Whether the decoded bytes of a block are all that an array needs, and no more.
    fn fills(&self, node: NodeId, block: &SalvagedBlock) -> bool {
        let SalvagedBlock::Whole(header) = block else { return false };
        let size = header.decoded_size(self.file_length);
        self.needs(node).is_some_and(|needed| needed == size)
    }

    /// The bytes of its block that an array of known shape reaches to.
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
                        let message = "the block ends early, and nothing of it is kept";
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
                (None, _) => Loss::new(LossKind::Block, "the block is not there"),
            };
            self.losses.push(loss.of_block(number));
        }
        let unknown = std::mem::take(&mut self.salvage.unknown);
        for range in unknown {
            let bytes = range.end.saturating_sub(range.start);
            self.losses.push(Loss::new(LossKind::Bytes, "these bytes belong to no block").at(range.start, bytes));
        }
    }

    /// The arrays that are masks of others.
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
            (true, None) => "the array is lost: which block it had cannot be told",
            (false, _) => "what stands here may have named the block that is lost",
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
        let is_number = self
            .tree
            .parent(name.node)
            .is_some_and(|parent| self.tree.tag(parent).and_then(name_of).is_some_and(|tag| tag == "core/integer"));
        // A mask of fewer rows than its array would hide what is missing, or be spread over the others.
        if low == 0 || is_number || masks.contains_key(&name.node) || matches!(block, SalvagedBlock::Whole(_)) {
            let message = "the array is lost: its block ends before it, or in it";
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
        let message = format!("{low} of {rows} rows are there");
        let loss = Loss::new(LossKind::ArrayEnd, message).of_block(number).of_rows(rows - low);
        self.losses.push(loss.of_array(self.tree.path(name.node)));
    }

    /// Gives an array so many rows. Its shape may be shared, so it becomes another one.
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

/// Whether an array, or as many rows of it, lies within so many bytes.
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
