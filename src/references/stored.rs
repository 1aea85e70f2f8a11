//! The bytes of an array as parts that readers of zarr can read.

use super::variable::{PartBytes, Plain};
use crate::array::{Array, Chunks, Grid, Payload};
use crate::codec::numcodecs::{Stage, block_to_json};
use crate::codec::{AnyCodec, Codec};
use crate::error::{Error, Result, Status};
use crate::limits::Limit;
use crate::reserve;
use crate::source::{Source, read_vec_at};
use std::sync::Arc;

/// The stored bytes, with the dimensions in their order.
pub(super) struct StoredBytes {
    pub(super) bytes: PartBytes,
    /// Dimensions of the array, slowest first.
    pub(super) order: Vec<usize>,
    /// Configurations of codecs, as JSON.
    pub(super) filters: Vec<String>,
    /// True if elements without bytes have a value other than zero.
    pub(super) needs_fill: bool,
}

/// Returns an error about an array that zarr cannot express.
pub(super) fn inexpressible(message: impl Into<String>) -> Error {
    Error::new(Status::Unsupported, message)
}

/// Returns the stored bytes of an array. Fails with [`Status::Unsupported`] if zarr cannot express them.
pub(super) fn stored_bytes(array: &Array, url: &Arc<str>, file_size: u64) -> Result<StoredBytes> {
    array.payload().check()?;
    match array.payload() {
        Payload::Stored { source, offset, .. } => {
            let start = array.start_in_file(source)?;
            let first = array.geometry.offset().unsigned_abs();
            let offset = offset.checked_add(start).and_then(|offset| offset.checked_add(first));
            let offset = offset.ok_or_else(|| inexpressible("the array lies beyond 2^64 bytes"))?;
            let (order, strides, packed_from) = byte_order_of(array);
            let plain = Plain { url: url.clone(), offset, strides, packed_from, file_size };
            Ok(StoredBytes { bytes: PartBytes::Plain(plain), order, filters: Vec::new(), needs_fill: false })
        }
        Payload::Encoded { data_size, .. } => encoded(array, url, *data_size),
        Payload::Chunked(chunks) => chunked(array, chunks, url),
        Payload::Absent { .. } => Err(inexpressible("the array has no bytes")),
    }
}

/// Returns the dimensions in the order in which the bytes have them, the strides along these, and the first dimension of
/// those that are packed.
fn byte_order_of(array: &Array) -> (Vec<usize>, Vec<i64>, usize) {
    let (shape, strides) = (array.shape(), array.geometry.strides());
    let item = array.geometry.item_size();
    let usual: Vec<usize> = (0..shape.len()).collect();
    let mut sorted = usual.clone();
    sorted.sort_by_key(|&axis| (std::cmp::Reverse(strides[axis].unsigned_abs()), std::cmp::Reverse(axis)));
    // Bytes of the elements that are packed.
    let packed = |order: &[usize]| {
        let mut step = item;
        let mut from = order.len();
        for (place, &axis) in order.iter().enumerate().rev() {
            if shape[axis] != 1 && strides[axis] != step {
                break;
            }
            step = step.saturating_mul(shape[axis].max(1));
            from = place;
        }
        (from, step)
    };
    let order = if packed(&usual).0 > 0 && packed(&sorted).1 > packed(&usual).1 { sorted } else { usual };
    let packed_from = packed(&order).0;
    let mut ordered: Vec<i64> = order.iter().map(|&axis| strides[axis]).collect();
    let mut step = item;
    for place in (packed_from..order.len()).rev() {
        ordered[place] = step;
        step = step.saturating_mul(shape[order[place]].max(1));
    }
    (order, ordered, packed_from)
}

/// Returns the chunks of a compressed block. A chunk may be larger than the array, never shorter.
fn encoded(array: &Array, url: &Arc<str>, data_size: u64) -> Result<StoredBytes> {
    let map = array.chunk_map()?;
    let filters = match &map.codec {
        Some(codec) => vec![codec_json(codec)?],
        None => Vec::new(),
    };
    let (order, strides, packed_from) = byte_order_of(array);
    if array.geometry.offset() != 0 || packed_from > 0 {
        return Err(inexpressible("the elements are not packed from the first byte of their compressed block on"));
    }
    let shape: Vec<i64> = order.iter().map(|&axis| array.shape()[axis]).collect();
    let mut chunk: Vec<i64> = shape.iter().map(|&extent| extent.max(1)).collect();
    let row = strides.first().map_or(array.geometry.item_size(), |&stride| stride).unsigned_abs().max(1);
    let decoded = map.chunks.first().map_or(data_size, |chunk| chunk.decoded_length);
    let is_uniform = map.chunks.iter().all(|chunk| chunk.decoded_length == decoded);
    let needed = array.element_count().unsigned_abs().saturating_mul(array.geometry.item_size().unsigned_abs());
    match chunk.first_mut() {
        _ if needed == 0 => {}
        None if decoded == needed => {}
        Some(rows) if is_uniform && decoded.is_multiple_of(row) => {
            *rows = i64::try_from(decoded / row).map_err(|_| inexpressible("a chunk is too long"))?;
        }
        _ if map.chunks.len() > 1 => {
            return Err(inexpressible("the pieces of the compressed block do not have whole rows of equal number"));
        }
        _ => return Err(inexpressible("the compressed block has more bytes than the rows of the array")),
    }
    let places = map.chunks.iter().map(|chunk| Ok(Some([chunk.offset, chunk.length])));
    let places = reserve::collected(places)?;
    let bytes = PartBytes::Chunked { chunk, url: url.clone(), places };
    Ok(StoredBytes { bytes, order, filters, needs_fill: false })
}

fn codec_json(codec: &AnyCodec) -> Result<String> {
    match codec {
        AnyCodec::BuiltIn(codec) => block_to_json(*codec),
        AnyCodec::Custom(_) => Err(inexpressible("readers of zarr do not have the codec of the block")),
    }
}

/// Returns the chunks of a chunked array. The codec of their blocks follows their own codecs.
fn chunked(array: &Array, chunks: &Chunks, url: &Arc<str>) -> Result<StoredBytes> {
    if chunks.store.blocks()?.is_none() {
        return Err(inexpressible("the chunks are in files of their own"));
    }
    let stages = chunks.check()?.stages().iter().map(Stage::to_json).collect::<Result<Vec<String>>>()?;
    let mut order: Vec<usize> = (0..chunks.grid.shape().len()).collect();
    if is_reversed(chunks) {
        order.reverse();
    }
    let permuted = |extents: &[i64]| -> Vec<i64> { order.iter().map(|&axis| extents[axis]).collect() };
    let (shape, chunk) = (permuted(chunks.grid.shape()), permuted(chunks.grid.chunk()));
    let grid = Grid::new(&shape, &chunk)?;
    check_count(grid.len(), array)?;
    let mut places = Vec::new();
    let mut label: Option<Option<String>> = None;
    for number in 0..grid.len() {
        let mut index = vec![0; order.len()];
        for (&axis, at) in order.iter().zip(grid.index(number)) {
            index[axis] = at;
        }
        let stored = chunks.store.chunk(&chunks.grid, chunks.grid.number(&index))?;
        let Some(stored) = stored else {
            reserve::push(&mut places, None)?;
            continue;
        };
        stored.payload.check()?;
        let (place, codec) = place_of(array, &stored.payload)?;
        if *label.get_or_insert_with(|| codec.clone()) != codec {
            return Err(inexpressible("the blocks of the chunks have different codecs"));
        }
        reserve::push(&mut places, Some(place))?;
    }
    let needs_fill =
        places.contains(&None) && chunks.fill.as_ref().is_some_and(|fill| fill.iter().any(|&byte| byte != 0));
    let filters = stages.into_iter().chain(label.flatten()).collect();
    let bytes = PartBytes::Chunked { chunk, url: url.clone(), places };
    Ok(StoredBytes { bytes, order, filters, needs_fill })
}

/// Returns true if the elements of a chunk are in Fortran order and not in C order as well.
fn is_reversed(chunks: &Chunks) -> bool {
    let mut step = chunks.item_size;
    for (&stride, &extent) in chunks.strides.iter().zip(chunks.grid.chunk()).rev() {
        if stride != step && extent > 1 {
            return true;
        }
        step = step.saturating_mul(extent);
    }
    false
}

/// Returns offset and length of a chunk in the file, and the configuration of the codec of its block.
fn place_of(array: &Array, payload: &Payload) -> Result<([u64; 2], Option<String>)> {
    let (source, offset) = payload.place().ok_or_else(|| inexpressible("a chunk has no place in the file"))?;
    let start = array.start_in_file(source)?;
    let Payload::Encoded { used_size, data_size, codec, .. } = payload else {
        return Ok(([offset + start, payload.stored_bytes()], None));
    };
    let codec = codec.of_payload(&**source, offset, *used_size)?;
    let skipped = match codec {
        AnyCodec::BuiltIn(Codec::Lz4) => length_before_lz4(&**source, offset, *used_size)?,
        _ if codec.is_chunked(&**source, offset, *used_size, *data_size)? => {
            return Err(inexpressible("the block of a chunk consists of several pieces"));
        }
        _ => 0,
    };
    Ok(([offset + start + skipped, used_size - skipped], Some(codec_json(&codec)?)))
}

/// Returns the number of bytes before the one piece of an lz4 block.
fn length_before_lz4(source: &dyn Source, offset: u64, used_size: u64) -> Result<u64> {
    let size = read_vec_at(source, offset, used_size.min(4))?;
    let size = size.iter().fold(0_u64, |size, &byte| size << 8 | u64::from(byte));
    let is_single = size + 4 == used_size;
    is_single.then_some(4).ok_or_else(|| inexpressible("the block of a chunk has several pieces of lz4"))
}

/// Fails with [`Status::Limit`] for more chunks than memory holds.
pub(super) fn check_count(count: u64, array: &Array) -> Result<()> {
    let most = array.decoded_bytes / size_of::<Option<[u64; 2]>>() as u64;
    if count <= most {
        return Ok(());
    }
    Err(Limit::DecodedBytes.exceeded("memory for the references of an array", array.decoded_bytes))
}
