//! New bytes of the chunks that a change of elements touches.

use super::overwrite::{WritablePayload, given_elements};
use crate::array::convert::kernel::Kernel;
use crate::array::convert::native::Fix;
use crate::array::element::datatype::Datatype;
use crate::array::payload::chunks::Chunks;
use crate::array::payload::fetch::Memory;
use crate::array::place::destination::{Destination, Order};
use crate::array::place::geometry::Geometry;
use crate::array::place::region::{Region, Selection};
use crate::array::read::copy::copy;
use crate::array::read::options::ReadOptions;
use crate::array::read::pieces::{Piece, Pieces};
use crate::array::{Array, DeclaredShape, Payload};
use crate::error::{Error, Result, Status};
use crate::source::zeroed_bytes;

/// The bytes of a chunk, as a payload.
struct ChunkBytes(Vec<u8>);

impl ChunkBytes {
    fn part(&mut self, offset: u64, size: usize) -> Result<&mut [u8]> {
        let part = usize::try_from(offset).ok().and_then(|start| self.0.get_mut(start..)?.get_mut(..size));
        part.ok_or_else(|| Error::new(Status::Internal, "an array lies outside its chunk"))
    }
}

impl WritablePayload for ChunkBytes {
    fn prepare(&mut self, _: u64, _: u64) -> Result<()> {
        Ok(())
    }

    fn begin(&mut self) -> Result<()> {
        Ok(())
    }

    fn fetch(&mut self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        buffer.copy_from_slice(self.part(offset, buffer.len())?);
        Ok(())
    }

    fn store(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        self.part(offset, bytes.len())?.copy_from_slice(bytes);
        Ok(())
    }
}

impl Array {
    /// Returns the numbers and the new bytes of the chunks of a chunked array, after these elements were written over
    /// those of a region. Fails like [`Array::write_region_to`].
    pub(crate) fn changed_chunks(
        &self,
        region: Option<&Region>,
        memory: &Datatype,
        bytes: &[u8],
        options: &ReadOptions,
    ) -> Result<Vec<(u64, Vec<u8>)>> {
        let Payload::Chunked(chunks) = &self.payload else { return Ok(Vec::new()) };
        let item = memory.item_size()?;
        let order = if item == 0 { &Order::C } else { &options.order };
        let source = Destination::to_read(self.selected_shape(region)?, item, order)?;
        let bytes = given_elements(bytes, source.size(), item > 0 && !matches!(order, Order::Strided(_)))?;
        let options = ReadOptions { order: Order::Strided(source.strides().to_vec()), ..options.clone() };
        let mut changed = Vec::new();
        for piece in Pieces::new(&chunks.grid, region, &source) {
            let mut chunk = ChunkBytes(self.chunk_or_fill(chunks, piece.number)?);
            let from = bytes.get(first_byte(&piece, &source)..).unwrap_or_default();
            let column = |part: fn(&crate::array::read::pieces::Part) -> i64| piece.parts.iter().map(part).collect();
            let [start, count, step]: [Vec<i64>; 3] =
                [column(|part| part.first), column(|part| part.count), column(|part| part.step)];
            let local = Region { start: &start, count: &count, step: Some(&step) };
            self.in_chunk(chunks)?.write_region_to(Some(&local), memory, from, &options, &mut chunk)?;
            changed.push((piece.number, chunk.0));
        }
        Ok(changed)
    }

    /// Returns the numbers of the chunks with elements of a region.
    pub(crate) fn touched_chunks(&self, region: Option<&Region>) -> Result<impl Iterator<Item = u64>> {
        let pieces = match &self.payload {
            Payload::Chunked(chunks) => {
                // The memory does not matter.
                let memory = Destination::to_read(self.selected_shape(region)?, 0, &Order::C)?;
                Some(Pieces::new(&chunks.grid, region, &memory))
            }
            _ => None,
        };
        Ok(pieces.into_iter().flatten().map(|piece| piece.number))
    }

    /// Returns the elements of one chunk as an array of its own, without its bytes.
    fn in_chunk(&self, chunks: &Chunks) -> Result<Array> {
        let rank = chunks.grid.chunk().len();
        let inner = self.shape().get(rank..).unwrap_or_default();
        let inner_strides = self.geometry.strides().get(rank..).unwrap_or_default();
        let shape = DeclaredShape::Fixed([chunks.grid.chunk(), inner].concat());
        let strides = [&chunks.strides, inner_strides].concat();
        let (offset, item) = (self.geometry.offset(), self.geometry.item_size().unsigned_abs());
        let geometry = Geometry::new(&shape, Some(&strides), offset, item, Some(chunks.size))?;
        let payload = crate::array::payload::stored(Vec::new());
        Ok(Array { geometry, payload, owner: None, warnings: Vec::new(), ..self.clone() })
    }

    /// Returns the bytes of a chunk, or fill values if it is not stored.
    fn chunk_or_fill(&self, chunks: &Chunks, number: u64) -> Result<Vec<u8>> {
        match self.chunk_bytes(chunks, number)? {
            Some(bytes) => Ok(std::sync::Arc::unwrap_or_clone(bytes)),
            None => filled(chunks),
        }
    }

    /// Returns the bytes of a chunk with fill values outside of the first `within` elements along each dimension.
    pub(crate) fn chunk_with_fill(&self, chunks: &Chunks, number: u64, within: &[i64]) -> Result<Vec<u8>> {
        let (mut out, former) = (filled(chunks)?, self.chunk_or_fill(chunks, number)?);
        let item = chunks.item_size.unsigned_abs();
        let element = Datatype::Ascii(item);
        let kernel = Kernel::new(&element, self.byteorder, &element, false)?;
        let destination = Destination::new(within, item, &Order::Strided(chunks.strides.clone()))?;
        let shape = DeclaredShape::Fixed(within.to_vec());
        let geometry = Geometry::new(&shape, Some(&chunks.strides), 0, item, Some(chunks.size))?;
        let part = destination.part_of(&mut out, "the chunk takes")?;
        if let Some(selection) = Selection::new(&geometry, None, &destination).filter(|_| item > 0) {
            copy(&selection, &mut Memory(&former), &kernel, &destination, part, None)?;
        }
        Ok(out)
    }

    /// Returns stored elements in native byte order.
    pub(crate) fn native_element(&self, mut stored: Vec<u8>) -> Result<Vec<u8>> {
        Fix::new(&self.datatype, self.byteorder)?.apply(&mut stored);
        Ok(stored)
    }
}

/// Returns the first byte of the elements of a piece in the caller's memory.
fn first_byte(piece: &Piece, source: &Destination) -> usize {
    let mut first = source.first() as i64;
    for (part, &stride) in piece.parts.iter().zip(source.strides()) {
        // The strides of a dimension with one element do not matter.
        if part.done > 0 || part.count > 1 {
            first += stride * part.done + (stride * (part.count - 1)).min(0);
        }
    }
    usize::try_from(first).unwrap_or(0)
}

/// Returns a chunk of fill values.
fn filled(chunks: &Chunks) -> Result<Vec<u8>> {
    let fill = chunks.fill_bytes();
    let mut bytes = zeroed_bytes(chunks.size)?;
    if fill.iter().any(|&byte| byte != 0) {
        bytes.chunks_exact_mut(fill.len()).for_each(|element| element.copy_from_slice(&fill));
    }
    Ok(bytes)
}
