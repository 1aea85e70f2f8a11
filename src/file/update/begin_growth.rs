//! The first step of an array that grows: the file gets the form that [`growth`](crate::file::disk::growth) describes.

use super::append::unsaved;
use super::change::Change;
use super::in_place::InPlacePlan;
use crate::array::{Array, ArraySource, Descriptor, Payload, packed_size};
use crate::error::{Error, Result, Status};
use crate::file::blocks::number_of;
use crate::file::disk::growth::{DIGITS, GrowingArray, Growth, GrowthPlace, SLOTS, encode_rows, new_session};
use crate::file::tree::described::OpenedArray;
use crate::file::write::output::Target;
use crate::file::write::prepared::Prepared;
use crate::file::{File, Node, SaveMode, WriteOptions};
use crate::layout::{self, BlockHeader};
use crate::limits::Limits;
use crate::tree::edit::Content;
use crate::tree::{NodeId, Style, Tree};
use crate::yaml;
use std::path::Path;

/// An array that can grow.
struct Candidate {
    array: NodeId,
    shape: Vec<i64>,
    /// Header of its block, which is the last one.
    header: BlockHeader,
    /// Offset of the first row in the file, and size of a row.
    rows: u64,
    row_size: u64,
}

/// Returns true if the block of an array can grow.
pub(super) fn can_grow(array: &Array) -> bool {
    array.node().and_then(Candidate::of).is_ok()
}

/// Begins the growth of an array.
pub(super) fn begin_growth(array: &Array) -> Result<GrowingArray> {
    let node = array.node()?;
    let file = node.file();
    let path = file.update_path()?;
    {
        let state = file.state()?;
        if state.is_changed || state.update.overwritten.is_some() {
            return Err(unsaved());
        }
        state.update.check_unchanged(path)?;
    }
    let durable = file.family.options().durable;
    let options = WriteOptions { durable, save_mode: SaveMode::InPlace, ..WriteOptions::default() };
    loop {
        let candidate = Candidate::of(node)?;
        // A power cut could bring back the journal, and steps would be lost with it.
        let begun = |error: Error| match std::error::Error::source(&error).and_then(|source| source.downcast_ref()) {
            Some(reason) if error.status() == Status::NotDurable => Error::io("the array cannot grow", reason),
            _ => error,
        };
        match candidate.begin(file, path, &options).map_err(begun)? {
            Some(growing) => return Ok(growing),
            None => candidate.make_room(file, path, &options).map_err(begun)?,
        }
    }
}

impl Candidate {
    /// Fails with [`Status::Unsupported`] if the array cannot grow.
    fn of(node: &Node) -> Result<Candidate> {
        let unsupported = |message: &str| Err(Error::new(Status::Unsupported, message));
        let OpenedArray { array, descriptor, node, .. } = node.open_array("")?;
        let file = node.file();
        let Descriptor { source, strides, mask, .. } = &descriptor;
        if mask.is_some() {
            return Err(Error::new(
                Status::Masked,
                "the array has a mask, which does not grow: remove the mask before, and set a new one after",
            ));
        }
        let &ArraySource::Block(index) = source else {
            return unsupported("only an array in a block of the file can grow, or one in chunks");
        };
        let (payload, length) = match array.payload() {
            Payload::Stored { offset, length, .. } => (*offset, *length),
            Payload::Absent { .. } => return array.payload().check().and(unsupported("the array has no bytes")),
            Payload::Encoded { .. } | Payload::Chunked(_) => {
                return unsupported("a compressed array cannot grow; store it uncompressed or in chunks");
            }
        };
        let store = file.store()?;
        if store.fits().is_some() {
            return unsupported("an array of ASDF in a FITS file cannot grow");
        }
        let missing = || Error::new(Status::Internal, "the array has no block in the file");
        let stored = store.of_file().ok_or_else(missing)?;
        let count = stored.layout.blocks.count()?;
        let number = number_of(index, store.count()?).ok_or_else(missing)?;
        if number.checked_add(1) != Some(count) {
            return unsupported("the array is not in the last block of the file; store it in chunks");
        }
        let header = stored.layout.blocks.get(number)?;
        let shape = array.shape().to_vec();
        let rest = shape.get(1..).unwrap_or_default();
        let row_size = packed_size(array.datatype(), rest)?;
        if row_size == 0 {
            return Err(Error::new(Status::InvalidArgument, "the rows of the array have no bytes"));
        }
        if strides.as_ref().is_some_and(|strides| !is_packed(strides, rest, row_size)) {
            return unsupported("the array is not packed in C order");
        }
        let used = shape.first().and_then(|&rows| u64::try_from(rows).ok()).and_then(|rows| rows.checked_mul(row_size));
        let start = payload.checked_add_signed(descriptor.offset);
        let (Some(used), Some(start)) = (used, start) else { return Err(missing()) };
        let rest = payload.saturating_add(length).checked_sub(start.saturating_add(used));
        // Less than a row is left of a step that another writer did not end.
        if rest.is_none_or(|rest| rest > 0 && !(header.is_streamed() && rest < row_size)) {
            return unsupported("the block of the array has other bytes after its elements");
        }
        Ok(Candidate { array: node.id(), shape, header, rows: start, row_size })
    }

    /// Returns the number of rows.
    fn count(&self) -> i64 {
        self.shape.first().copied().unwrap_or(0)
    }

    /// Writes the shape of the array anew. Returns the node of the number of rows, which is set to the largest number.
    fn describe(&self, tree: &mut Tree) -> Result<NodeId> {
        let shape = tree.place(self.array, "shape")?;
        tree.replace(shape, Content::Sequence(Style::Flow));
        for extent in std::iter::once(&i64::MAX).chain(self.shape.iter().skip(1)) {
            tree.append_item(shape, Content::Scalar(&extent.to_string(), Style::Plain));
        }
        tree.items(shape).first().copied().ok_or_else(|| Error::new(Status::Internal, "the array has no shape"))
    }

    /// Returns the file with a place for every number of rows in its tree, the text before its blocks, and where it has
    /// the number.
    fn prepare(&self, file: &File, path: &Path, options: &WriteOptions) -> Result<(Prepared, NodeId, Vec<u8>, usize)> {
        let mut prepared = Prepared::new(file, Some(path), options)?;
        let mut tree = prepared.tree.duplicate()?;
        let number = self.describe(&mut tree)?;
        let mut head = prepared.head_with(&tree)?;
        let at = prepared.header().len() + place_in(&head, prepared.header().len(), &tree, number, file.limits())?;
        let place = head.get_mut(at..).and_then(|rest| rest.get_mut(..DIGITS));
        let place = place.ok_or_else(|| Error::new(Status::Internal, "the tree has no number of rows"))?;
        place.copy_from_slice(&encode_rows(self.count()));
        tree.replace(number, Content::Scalar(&self.count().to_string(), Style::Plain));
        prepared.tree = std::sync::Arc::new(tree);
        Ok((prepared, number, head, at))
    }

    /// Prepares the file in place. Returns `None` if there is no room for the records.
    fn begin(&self, file: &File, path: &Path, options: &WriteOptions) -> Result<Option<GrowingArray>> {
        let (prepared, number, head, at) = self.prepare(file, path, options)?;
        let first = prepared.store.of_file().and_then(|stored| stored.layout.blocks.first());
        let Some(first) = first else { return Ok(None) };
        let header = prepared.header().len() as u64;
        let place = GrowthPlace {
            tree: header..head.len() as u64,
            number: at as u64,
            first_block: first.offset,
            rows: self.rows,
            row_size: self.row_size,
        };
        let slots = place.slots();
        if slots < head.len() as u64 {
            return Ok(None);
        }
        let session = new_session();
        let text = head.get(header as usize..).unwrap_or_default();
        let records = Growth::first_records(&place, session, text, self.count())?;
        let (from, to) = (slots as usize, slots as usize + SLOTS);
        let mut start = [head, layout::slack_bytes(first.offset - place.tree.end)?].concat();
        if let Some(room) = start.get_mut(from..to) {
            room.copy_from_slice(&records);
        }
        let stored = file.state()?.update.file.clone();
        let stored =
            stored.ok_or_else(|| Error::new(Status::Internal, "a file opened for update has no descriptor"))?;
        let end = place.end_of(self.count())?;
        let opened = (self.header.opened(), end);
        let plan = InPlacePlan::to_grow(&prepared.store, path, stored, start, opened)?;
        plan.save(prepared, path, options)?;
        let stored = file.state()?.update.file.clone();
        let stored = stored.ok_or_else(|| Error::new(Status::Internal, "a saved file has no descriptor"))?;
        let growth = Growth::new(stored, place, session, self.count())?;
        Ok(Some(GrowingArray { growth, array: self.array, number }))
    }

    /// Writes the file anew, with room for the records.
    fn make_room(&self, file: &File, path: &Path, options: &WriteOptions) -> Result<()> {
        let (prepared, _, head, _) = self.prepare(file, path, options)?;
        let options = WriteOptions { tree_slack: Some(ROOM), save_mode: SaveMode::Whole, ..options.clone() };
        let write = |target: Target, prepared: &Prepared| prepared.write_with_head(&head, target, &options);
        let replaced = file.replace_stored(path, &options, prepared, write, u64::MAX)?;
        replaced.map_or(Ok(()), |replaced| file.finish_replaced(replaced))
    }
}

/// Room after the tree of a file that is written anew, in bytes: for the records, and for the tree to grow.
const ROOM: u64 = 4 * SLOTS as u64;

/// Returns true if these strides are those of rows that are packed in C order.
fn is_packed(strides: &[i64], rest: &[i64], row_size: u64) -> bool {
    let Some((&row, inner)) = strides.split_first() else { return false };
    let mut packed = row_size as i64;
    row == packed
        && inner.len() == rest.len()
        && inner.iter().zip(rest).all(|(&stride, &extent)| {
            packed /= extent.max(1);
            stride == packed || extent == 1
        })
}

/// Returns the place of a scalar in the text of a tree, from the start of that text.
fn place_in(head: &[u8], header: usize, tree: &Tree, scalar: NodeId, limits: &Limits) -> Result<usize> {
    let missing = || Error::new(Status::Internal, "the number of rows is not in the text of the tree");
    let text = head.get(header..).unwrap_or_default().to_vec();
    let parsed = yaml::parse(yaml::text_of(text, header as u64, 1)?, header as u64, 1, limits)?.tree;
    let found = parsed.find_path(parsed.root(), &tree.path(scalar)).ok_or_else(missing)?;
    let span = parsed.span(found).filter(|span| span.len() == DIGITS).ok_or_else(missing)?;
    Ok(span.start)
}
