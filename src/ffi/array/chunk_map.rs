//! Chunk maps: where in which file the bytes of an array are.
//!
//! # Chunk maps
//!
//! A chunk is a piece of a file that can be read and decoded without any others. The map of an array tells of each
//! chunk where it is, how it is compressed and which elements it holds: what programs need that read in parallel by
//! themselves, or write references to the bytes for other formats. Nothing is decoded to find out.
//!
//! Elements that are not compressed are one chunk, from the first byte to the last that an element takes. So are those
//! of every codec but "lz4", whose chunks are found one by one. An lz4 chunk is an LZ4 block behind the number of bytes
//! it decodes to, a 32-bit integer with the least significant byte first.
//!
//! In the decoded bytes of a chunk, the element at its origin begins at the byte that
//! asdf_chunk_map_first_element() tells, and asdf_array_strides() leads from there to the others, in the byte order of
//! asdf_array_byte_order().
//!
//! ```c
//! asdf_chunk_map *map = NULL;
//! int64_t count, offset, length, decoded;
//! asdf_array_chunk_map(image, &map);
//! asdf_chunk_map_count(map, &count);
//! for (int64_t i = 0; i < count; i++) {
//!     asdf_chunk_map_bytes(map, i, &offset, &length, &decoded);
//!     note_range(offset, length);
//! }
//! asdf_chunk_map_free(map);
//! ```

use crate::array::{Chunk, ChunkMap};
use crate::error::{Error, Result, Status};
use crate::ffi::boundary::guard::{guard, guard_handle, guard_retain, guard_silently};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_array, asdf_chunk_map};
use std::ffi::c_char;
use std::sync::Arc;

impl Class for asdf_chunk_map {
    const TAG: u32 = u32::from_be_bytes(*b"CMAP");
    const NAME: &'static str = "asdf_chunk_map";
    type Value = FileChunks;
}

/// What an `asdf_chunk_map` stands for.
pub struct FileChunks {
    file: Option<Arc<str>>,
    map: ChunkMap,
}

impl FileChunks {
    fn chunk(&self, index: i64) -> Result<&Chunk> {
        let chunk = usize::try_from(index).ok().and_then(|index| self.map.chunks.get(index));
        chunk.ok_or_else(|| {
            let message = format!("there is no chunk {index}, but {} of them", self.map.chunks.len());
            Error::new(Status::OutOfRange, message)
        })
    }
}

/// Finds the chunks of an array. Only the sizes that stand before lz4 chunks are read.
///
/// @param array the array. One whose elements are in the tree, or that has none, has no chunks; one in a file that was
///              not written yet is ASDF_ERR_UNSUPPORTED
/// @param map   gets the chunk map; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_chunk_map(array: *const asdf_array, map: *mut *mut asdf_chunk_map) -> asdf_status {
    guard_handle(map, "map", |caller| {
        let array = caller.handle(array, "array")?;
        let map = array.chunk_map()?;
        let file = if map.chunks.is_empty() { None } else { array.data_file()?.name().map(Arc::from) };
        Ok(FileChunks { file, map })
    })
}

/// The number of chunks that hold elements of the array.
///
/// @param map   the chunk map
/// @param count gets the number
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_chunk_map_count(map: *const asdf_chunk_map, count: *mut i64) -> asdf_status {
    guard(|caller| {
        let count = caller.out(count, "count")?;
        count.put_number(caller.handle(map, "map")?.map.chunks.len() as u64);
        Ok(())
    })
}

/// The file that all chunks are in: the name that it was opened by, or the URI that the callback for other files was
/// asked for; "" for a file without a name, and where there are no chunks.
///
/// @param map      the chunk map
/// @param buffer   gets the name
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the name; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_chunk_map_file(
    map: *const asdf_chunk_map,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        out.put(caller.handle(map, "map")?.file.as_deref().unwrap_or_default())
    })
}

/// The compression of each chunk: "zlib", "lz4" and so on, "" for none. An LZ4 frame is "lz4f", whatever its block is
/// labelled.
///
/// @param map      the chunk map
/// @param buffer   gets the name of the codec
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the name; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_chunk_map_codec(
    map: *const asdf_chunk_map,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        let codec = &caller.handle(map, "map")?.map.codec;
        out.put(&codec.as_ref().map_or_else(String::new, |codec| codec.label().to_string()))
    })
}

/// Where the bytes of a chunk are.
///
/// @param map     the chunk map
/// @param index   number of the chunk, in the order of the file; outside is ASDF_ERR_OUT_OF_RANGE
/// @param offset  gets the offset of the first byte in the file; may be NULL
/// @param length  gets the number of bytes in the file; may be NULL
/// @param decoded gets the number of bytes that they decode to; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_chunk_map_bytes(
    map: *const asdf_chunk_map,
    index: i64,
    offset: *mut i64,
    length: *mut i64,
    decoded: *mut i64,
) -> asdf_status {
    guard(|caller| {
        let chunk = caller.handle(map, "map")?.chunk(index)?;
        caller.optional_out(offset).put_number(chunk.offset);
        caller.optional_out(length).put_number(chunk.length);
        caller.optional_out(decoded).put_number(chunk.decoded_length);
        Ok(())
    })
}

/// The first of the elements that a chunk may hold bytes of: the lowest index along each axis.
///
/// @param map      the chunk map
/// @param index    number of the chunk; outside is ASDF_ERR_OUT_OF_RANGE
/// @param origin   gets the index along each axis; ASDF_MAX_RANK of them always have room
/// @param capacity indices that may be written; too few are ASDF_ERR_BUFFER_TOO_SMALL, 0 asks for the rank alone
/// @param rank     gets the number of axes; also if the capacity is too small. May be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_chunk_map_origin(
    map: *const asdf_chunk_map,
    index: i64,
    origin: *mut i64,
    capacity: i32,
    rank: *mut i32,
) -> asdf_status {
    guard(|caller| {
        let out = caller.list_out(origin, capacity, rank, ["origin", "rank"])?;
        out.put(&caller.handle(map, "map")?.chunk(index)?.origin)
    })
}

/// Gets the extents, from its origin on, of the box of elements that a chunk may hold bytes of. All elements of which
/// it does hold bytes are among them.
///
/// @param map      the chunk map
/// @param index    number of the chunk; outside is ASDF_ERR_OUT_OF_RANGE
/// @param shape    gets the extents; ASDF_MAX_RANK of them always have room
/// @param capacity extents that may be written; too few are ASDF_ERR_BUFFER_TOO_SMALL, 0 asks for the rank alone
/// @param rank     gets the number of axes; also if the capacity is too small. May be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_chunk_map_shape(
    map: *const asdf_chunk_map,
    index: i64,
    shape: *mut i64,
    capacity: i32,
    rank: *mut i32,
) -> asdf_status {
    guard(|caller| {
        let out = caller.list_out(shape, capacity, rank, ["shape", "rank"])?;
        out.put(&caller.handle(map, "map")?.chunk(index)?.shape)
    })
}

/// Where the element at the origin of a chunk begins in its decoded bytes.
///
/// @param map         the chunk map
/// @param index       number of the chunk; outside is ASDF_ERR_OUT_OF_RANGE
/// @param first       gets the byte; below 0 or beyond the last if the element is not in the chunk
/// @param is_complete gets 1 if the chunk has all bytes of all elements from its origin on that its shape tells, so that
///                    it can be taken for an array by itself, else 0. May be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_chunk_map_first_element(
    map: *const asdf_chunk_map,
    index: i64,
    first: *mut i64,
    is_complete: *mut i32,
) -> asdf_status {
    guard(|caller| {
        let (first, is_complete) = (caller.out(first, "first")?, caller.optional_out(is_complete));
        let chunk = caller.handle(map, "map")?.chunk(index)?;
        first.put(chunk.first);
        is_complete.put(chunk.is_complete.into());
        Ok(())
    })
}

/// Gives another owner of a chunk map.
///
/// @param map     the chunk map
/// @param another gets the owner, to be freed as well; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_chunk_map_retain(
    map: *const asdf_chunk_map,
    another: *mut *mut asdf_chunk_map,
) -> asdf_status {
    guard_retain(map, "map", another)
}

/// Gives up a chunk map.
///
/// @param map the chunk map, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_chunk_map_free(map: *mut asdf_chunk_map) {
    guard_silently(|caller| caller.release(map));
}
