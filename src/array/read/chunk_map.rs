//! Chunk map of an array: the pieces of the file that can be read and decoded separately, and the elements in each.
//!
//! For parallel readers and for tools that write references to the bytes of other files. Nothing is decoded.

use crate::array::payload::decoded::Compressed;
use crate::array::place::geometry::Geometry;
use crate::array::{Array, Chunks, Payload};
use crate::codec::AnyCodec;
use crate::error::{Error, Result, Status};
use crate::limits::Limit;
use std::cmp::Reverse;

/// A range of bytes of a file that can be read and decoded separately.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Offset of the first byte in the file.
    pub offset: u64,
    /// Number of bytes in the file.
    pub length: u64,
    /// Number of decoded bytes; equal to `length` without compression.
    pub decoded_length: u64,
    /// The lowest index, along each dimension, of the elements that may have bytes in the chunk.
    pub origin: Vec<i64>,
    /// The number of these elements along each dimension. The box contains all elements with bytes in the chunk.
    pub shape: Vec<i64>,
    /// Byte of the decoded chunk at which the element `origin` begins. [`Array::strides`] lead from there to the other
    /// elements. Negative or beyond the end if that element is not in the chunk.
    pub first: i64,
    /// True if the chunk contains all bytes of all elements of the box.
    pub is_complete: bool,
}

/// The chunks of an array in file order, with their codec.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ChunkMap {
    /// Codec of each chunk; `None` without compression. [`Codec`](crate::codec::Codec) describes the bytes of a chunk.
    pub codec: Option<AnyCodec>,
    /// The chunks that contain bytes of elements.
    pub chunks: Vec<Chunk>,
}

impl Array {
    /// Returns the location of the elements in the source of the payload. Uncompressed elements are one chunk, from
    /// their first byte to their last. Elements of a codec without chunks are one chunk, too.
    ///
    /// Fails with the errors of reading the codec's chunk index, with [`Status::Limit`](crate::Status::Limit) if the
    /// chunks need more memory than `limits.decoded_bytes`, and like [`Array::read`] for unavailable bytes.
    pub(crate) fn payload_chunks(&self) -> Result<ChunkMap> {
        self.payload.check()?;
        if self.element_count() == 0 || self.geometry.item_size() == 0 {
            return Ok(ChunkMap::default());
        }
        match &self.payload {
            Payload::Stored { offset, .. } => {
                let (low, length) = self.geometry.span();
                let offset = offset.checked_add(low).ok_or_else(crate::array::place::geometry::uncountable)?;
                let chunk = self.chunk_of([offset, length], [low, length]);
                Ok(ChunkMap { codec: None, chunks: Vec::from_iter(chunk) })
            }
            Payload::Encoded { .. } => {
                let compressed = self.payload.compressed(self.decoded_bytes);
                compressed.map_or_else(|| Ok(ChunkMap::default()), |compressed| self.compressed_chunks(&compressed))
            }
            Payload::Chunked(chunks) => self.grid_chunks(chunks),
            Payload::Absent { .. } => Ok(ChunkMap::default()),
        }
    }

    fn compressed_chunks(&self, compressed: &Compressed) -> Result<ChunkMap> {
        let Compressed { codec, source, offset, used_size, data_size, decoded_bytes } = compressed;
        let codec = codec.of_payload(&**source, *offset, *used_size)?;
        if !codec.is_chunked(&**source, *offset, *used_size, *data_size)? {
            let chunk = self.chunk_of([*offset, *used_size], [0, *data_size]);
            return Ok(ChunkMap { codec: Some(codec), chunks: Vec::from_iter(chunk) });
        }
        let each = size_of::<Chunk>() + 2 * self.shape().len() * size_of::<i64>();
        let most = usize::try_from(decoded_bytes / each as u64).unwrap_or(usize::MAX);
        let index = codec.chunk_index(&**source, *offset, *used_size, *data_size, most)?;
        let index =
            index.ok_or_else(|| Limit::DecodedBytes.exceeded("memory for the chunks of an array", *decoded_bytes))?;
        let mut chunks = Vec::new();
        for chunk in &index.chunks {
            if let Some(chunk) = self.chunk_of(index.place(chunk), [chunk.decoded_offset, chunk.decoded_length]) {
                chunks.try_reserve(1).map_err(|_| Error::out_of_memory(each as u64))?;
                chunks.push(chunk);
            }
        }
        Ok(ChunkMap { codec: Some(codec), chunks })
    }

    /// Returns the stored chunks of a chunked array. They must have one codec.
    fn grid_chunks(&self, chunks: &Chunks) -> Result<ChunkMap> {
        let pipeline = chunks.check()?;
        let each = size_of::<Chunk>() + 2 * self.shape().len() * size_of::<i64>();
        let most = self.decoded_bytes / each as u64;
        let unsupported = |message: &str| Err(Error::new(Status::Unsupported, message));
        let of_pipeline = match pipeline.stages() {
            [] => None,
            [stage] => match stage.codec() {
                Some(codec) => Some(AnyCodec::from(codec)),
                None => return unsupported("no codec of ASDF decodes the chunks"),
            },
            _ => return unsupported("the chunks have filters before their compressor, which no codec of ASDF has"),
        };
        let mut map = ChunkMap::default();
        for number in 0..chunks.grid.len() {
            let Some(stored) = chunks.store.chunk(&chunks.grid, number)? else { continue };
            stored.payload.check()?;
            let Some((_, offset)) = stored.payload.place() else { continue };
            let codec = match (&stored.payload, &of_pipeline) {
                (Payload::Encoded { .. }, Some(_)) => return unsupported("the chunks are compressed twice"),
                (Payload::Encoded { codec, .. }, None) => Some(codec.clone()),
                (_, codec) => codec.clone(),
            };
            if !map.chunks.is_empty() && map.codec != codec {
                return unsupported("the chunks have different codecs");
            }
            if map.chunks.len() as u64 >= most {
                return Err(Limit::DecodedBytes.exceeded("memory for the chunks of an array", self.decoded_bytes));
            }
            let index = chunks.grid.index(number);
            let (mut origin, mut shape) = chunks.grid.box_of(&index);
            // Dimensions of the elements follow.
            origin.resize(self.shape().len(), 0);
            shape.extend_from_slice(self.shape().get(shape.len()..).unwrap_or_default());
            map.codec = codec;
            map.chunks.try_reserve(1).map_err(|_| Error::out_of_memory(each as u64))?;
            map.chunks.push(Chunk {
                offset,
                length: stored.payload.stored_bytes(),
                decoded_length: chunks.size,
                origin,
                shape,
                first: self.geometry.offset(),
                is_complete: true,
            });
        }
        Ok(map)
    }

    /// Returns the chunk with these offsets and lengths; `None` if no element has bytes in it.
    fn chunk_of(&self, stored: [u64; 2], decoded: [u64; 2]) -> Option<Chunk> {
        let found = ElementBox::around(&self.geometry, decoded[0], decoded[0] + decoded[1])?;
        Some(Chunk {
            offset: stored[0],
            length: stored[1],
            decoded_length: decoded[1],
            first: found.first - decoded[0] as i64,
            is_complete: found.low >= decoded[0] && found.high <= decoded[0] + decoded[1],
            origin: found.origin,
            shape: found.shape,
        })
    }
}

/// A box of elements, contiguous along each dimension.
struct ElementBox {
    origin: Vec<i64>,
    shape: Vec<i64>,
    /// Byte of the payload at which the first element of the box begins.
    first: i64,
    /// The payload bytes of the box: the lowest, and the one after the highest.
    low: u64,
    high: u64,
}

impl ElementBox {
    /// Returns a box of all elements with bytes from `start` to `end`; `None` if there are none.
    fn around(geometry: &Geometry, start: u64, end: u64) -> Option<ElementBox> {
        let (shape, strides, item) = (geometry.shape(), geometry.strides(), geometry.item_size() as u64);
        let mut found = ElementBox { origin: vec![0; shape.len()], shape: shape.to_vec(), first: 0, low: 0, high: 0 };
        let mut axes: Vec<usize> = (0..shape.len()).filter(|&axis| shape[axis] > 1).collect();
        axes.sort_by_key(|&axis| Reverse(strides[axis].unsigned_abs()));
        // The remaining axes span `span` bytes from `low` on.
        let (mut low, mut span) = geometry.span();
        for axis in axes {
            let (count, stride) = (shape[axis] as u64, strides[axis].unsigned_abs());
            span -= stride * (count - 1);
            if low >= end || low + stride * (count - 1) + span <= start {
                return None;
            }
            // Indices in payload order. With a stride of 0 all indices have the same bytes.
            let before = (start + 1).saturating_sub(low + span);
            let from = if stride == 0 { 0 } else { before.div_ceil(stride) };
            let to = (end - 1 - low).checked_div(stride).map_or(count - 1, |to| to.min(count - 1));
            if from > to {
                return None;
            }
            found.shape[axis] = (to - from + 1) as i64;
            found.origin[axis] = if strides[axis] < 0 { count - 1 - to } else { from } as i64;
            low += from * stride;
            if from < to && stride > 0 {
                // With several rows in the range, any column may have bytes in it.
                break;
            }
        }
        if low >= end || low + span <= start && span == item {
            return None;
        }
        let mut first = geometry.offset();
        let (mut lowest, mut highest) = (0i64, item as i64);
        for (axis, &stride) in strides.iter().enumerate().filter(|(axis, _)| shape[*axis] > 1) {
            first += stride * found.origin[axis];
            let reach = stride * (found.shape[axis] - 1);
            if reach < 0 { lowest += reach } else { highest += reach }
        }
        (found.first, found.low, found.high) = (first, (first + lowest) as u64, (first + highest) as u64);
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::read::mask::Missing;
    use crate::array::tests::{Lcg, NATIVE, encoded, encoded_in_chunks, stored};
    use crate::array::{Datatype, DeclaredShape};
    use crate::codec::Codec;
    use crate::source::read_vec_at;

    fn array(shape: &[i64], strides: Option<&[i64]>, offset: i64, item: u64, payload: Payload) -> Array {
        let shape = DeclaredShape::Fixed(shape.to_vec());
        Array {
            datatype: Datatype::Ascii(item),
            byteorder: NATIVE,
            geometry: Geometry::new(&shape, strides, offset, item, payload.length()).unwrap(),
            payload,
            missing: Missing::Nothing,
            decoded_bytes: 1 << 20,
            warnings: Vec::new(),
            owner: None,
        }
    }

    fn chunk(place: [u64; 3], origin: &[i64], shape: &[i64], first: i64, is_complete: bool) -> Chunk {
        let [offset, length, decoded_length] = place;
        Chunk { offset, length, decoded_length, origin: origin.to_vec(), shape: shape.to_vec(), first, is_complete }
    }

    #[test]
    fn most_arrays_are_one_chunk() {
        let map = array(&[2, 3], None, 4, 2, stored(&[0; 30], 100)).payload_chunks().unwrap();
        assert_eq!(map, ChunkMap { codec: None, chunks: vec![chunk([104, 12, 12], &[0, 0], &[2, 3], 0, true)] });
        let map = array(&[2, 3], Some(&[-12, 4]), 14, 2, stored(&[0; 30], 100)).payload_chunks().unwrap();
        assert_eq!(map.chunks, [chunk([102, 22, 22], &[0, 0], &[2, 3], 12, true)]);
        assert_eq!(array(&[], None, 4, 2, stored(&[0; 6], 0)).payload_chunks().unwrap().chunks[0].shape, []);
        assert_eq!(array(&[2, 0], None, 4, 2, stored(&[0; 6], 0)).payload_chunks().unwrap().chunks, []);
        for &codec in Codec::ALL {
            let payload = encoded(&[0; 30], codec);
            let Payload::Encoded { used_size, .. } = payload else { unreachable!() };
            let map = array(&[2, 3], None, 4, 2, payload).payload_chunks().unwrap();
            assert_eq!(map.codec, Some(codec.into()));
            let place = if codec == Codec::Lz4 { [9, used_size - 4, 30] } else { [5, used_size, 30] };
            assert_eq!(map.chunks, [chunk(place, &[0, 0], &[2, 3], 4, true)]);
        }
    }

    #[test]
    fn frames_are_found_and_too_many_chunks_are_refused() {
        let Payload::Encoded { source, offset, used_size, data_size, cache, .. } = encoded(&[0; 30], Codec::Lz4f)
        else {
            unreachable!()
        };
        let codec = Codec::Lz4.into();
        let frame = Payload::Encoded { source, offset, used_size, data_size, codec, cache };
        let map = array(&[30], None, 0, 1, frame).payload_chunks().unwrap();
        assert_eq!((map.codec, map.chunks.len()), (Some(Codec::Lz4f.into()), 1));
        let mut many = array(&[300], None, 0, 1, encoded_in_chunks(&[0; 300], 2));
        assert_eq!(many.payload_chunks().unwrap().chunks.len(), 150);
        many.decoded_bytes = 1000;
        assert_eq!(many.payload_chunks().unwrap_err().status(), crate::Status::Limit);
    }

    /// Tests each element: the chunks that hold its bytes must contain it, at the stated position.
    #[test]
    fn every_element_is_found_in_its_chunks() {
        let mut random = Lcg(11);
        for _ in 0..2000 {
            let item = 1 + random.below(4);
            let shape: Vec<i64> = (0..random.below(4)).map(|_| 1 + random.below(5) as i64).collect();
            let mut axes: Vec<usize> = (0..shape.len()).collect();
            if random.below(2) == 0 {
                axes.reverse();
            }
            let (mut strides, mut offset, mut stride) = (vec![0; shape.len()], 0, item as i64);
            for axis in axes {
                stride += [0, 0, 1, 3][random.below(4) as usize];
                strides[axis] = [stride, stride, -stride, 0, 2][random.below(5) as usize];
                offset += ((1 - shape[axis]) * strides[axis]).max(0);
                stride *= shape[axis];
            }
            let bytes = random.bytes(offset as usize * 2 + stride as usize * 2 + 20);
            let array = array(
                &shape,
                Some(&strides),
                offset + random.below(3) as i64,
                item,
                encoded_in_chunks(&bytes, 1 + random.below(40) as usize),
            );
            let map = array.payload_chunks().unwrap();
            let Payload::Encoded { source, .. } = array.payload() else { unreachable!() };
            let decoded: Vec<Vec<u8>> = map
                .chunks
                .iter()
                .map(|chunk| {
                    let stored = read_vec_at(&**source, chunk.offset, chunk.length).unwrap();
                    assert_eq!(u64::from(u32::from_le_bytes(*stored.first_chunk().unwrap())), chunk.decoded_length);
                    lz4_flex::block::decompress_size_prepended(&stored).unwrap()
                })
                .collect();
            let mut used = vec![false; map.chunks.len()];
            for number in 0..array.element_count() {
                let (mut rest, mut index) = (number, vec![0; shape.len()]);
                for axis in (0..shape.len()).rev() {
                    index[axis] = rest % shape[axis];
                    rest /= shape[axis];
                }
                let at = array.geometry.offset()
                    + index.iter().zip(&strides).map(|(index, stride)| index * stride).sum::<i64>();
                let mut found = vec![None; item as usize];
                for ((chunk, decoded), used) in map.chunks.iter().zip(&decoded).zip(&mut used) {
                    let from: Vec<i64> =
                        index.iter().zip(&chunk.origin).map(|(index, origin)| index - origin).collect();
                    if !from.iter().zip(&chunk.shape).all(|(index, count)| (0..*count).contains(index)) {
                        continue;
                    }
                    let first =
                        chunk.first + from.iter().zip(&strides).map(|(index, stride)| index * stride).sum::<i64>();
                    for (byte, found) in found.iter_mut().enumerate() {
                        let place = first + byte as i64;
                        if let Some(&value) = usize::try_from(place).ok().and_then(|place| decoded.get(place)) {
                            assert_eq!(*found, None);
                            *found = Some(value);
                            *used = true;
                        } else {
                            assert!(!chunk.is_complete);
                        }
                    }
                }
                let expected: Vec<_> = bytes[at as usize..][..item as usize].iter().copied().map(Some).collect();
                assert_eq!(found, expected, "{array:?} {index:?} {map:?}");
            }
            let gaps = strides.iter().zip(&shape).any(|(stride, count)| *count > 1 && stride.unsigned_abs() > item);
            assert!(gaps || used.iter().all(|&used| used), "{array:?} {map:?}");
        }
    }
}
