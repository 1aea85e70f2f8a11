//! Chunk maps: file and position of the bytes of an array.
//!
//! # Chunk maps
//!
//! A chunk is a piece of a file that can be read and decoded on its own. For each chunk of an array, the chunk map has
//! its position, its compression and its elements. Programs use it to read in parallel by themselves, or to write
//! references to the bytes for other formats. The map is made without decoding.
//!
//! Uncompressed elements are one chunk, from the first to the last byte that an element occupies. Compressed elements
//! are one chunk, too, except with the codec "lz4", which has many chunks. The bytes of an lz4 chunk are its decoded
//! size, as a little-endian 32-bit integer, followed by an LZ4 block.
//!
//! To find elements in the decoded bytes of a chunk: the element at the origin of the chunk begins at the byte that
//! asdf_chunk_map_first_element() returns. The strides of asdf_array_strides() lead from there to the other elements.
//! Their byte order is that of asdf_array_byte_order().
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

/// Value of an `asdf_chunk_map`.
pub struct FileChunks {
    file: Option<Arc<str>>,
    map: ChunkMap,
}

impl FileChunks {
    fn chunk(&self, index: i64) -> Result<&Chunk> {
        let chunk = usize::try_from(index).ok().and_then(|index| self.map.chunks.get(index));
        chunk.ok_or_else(|| {
            let message = format!("chunk {index} does not exist: there are {}", self.map.chunks.len());
            Error::new(Status::OutOfRange, message)
        })
    }
}

/// Makes the chunk map of an array. Only the sizes before lz4 chunks are read.
///
/// An array without elements has no chunks, and so has an array whose elements are in the tree.
///
/// @param array the array; ASDF_ERR_UNSUPPORTED if its file is not written yet, or is compressed as a whole
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

/// Gets the number of chunks that hold elements of the array.
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

/// Gets the file that contains all chunks: the name under which it was opened, or the URI that was passed to the
/// resolver; "" for a file without a name, or if there are no chunks.
///
/// @param map      the chunk map
/// @param buffer   gets the name
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
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

/// Gets the codec of all chunks: "zlib", "lz4" and so on; "" if they are not compressed. An LZ4 frame is "lz4f",
/// whatever the label of its block.
///
/// @param map      the chunk map
/// @param buffer   gets the name of the codec
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
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

/// Gets the position and the size of the bytes of a chunk.
///
/// @param map     the chunk map
/// @param index   number of the chunk, in the order of the file; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param offset  gets the offset of the first byte in the file; may be NULL
/// @param length  gets the number of bytes in the file; may be NULL
/// @param decoded gets the number of bytes after decoding; may be NULL
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

/// Gets the origin of a chunk: the lowest index along each axis of the elements that it may contain bytes of.
///
/// @param map      the chunk map
/// @param index    number of the chunk; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param origin   gets one index for each axis; a buffer of ASDF_MAX_RANK numbers is always large enough
/// @param capacity size of the buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the rank; 0 to get only the
///                 rank
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

/// Gets the shape of a chunk: the extents, from its origin on, of a box that includes every element the chunk contains
/// bytes of.
///
/// @param map      the chunk map
/// @param index    number of the chunk; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param shape    gets the extents; a buffer of ASDF_MAX_RANK numbers is always large enough
/// @param capacity size of the buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the rank; 0 to get only the
///                 rank
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

/// Gets the offset of the element at the origin of a chunk in the decoded bytes.
///
/// @param map         the chunk map
/// @param index       number of the chunk; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param first       gets the offset in bytes; negative or beyond the last byte if the element is not in the chunk
/// @param is_complete gets 1 if the chunk contains all bytes of all elements of its box, so that it can be used as an
///                    array on its own; otherwise 0. May be NULL
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

/// Adds an owner to a chunk map.
///
/// @param map     the chunk map
/// @param another gets another handle of the same object, to be freed as well; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_chunk_map_retain(
    map: *const asdf_chunk_map,
    another: *mut *mut asdf_chunk_map,
) -> asdf_status {
    guard_retain(map, "map", another)
}

/// Gives up one owner of a chunk map. The last owner frees it.
///
/// @param map the chunk map, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_chunk_map_free(map: *mut asdf_chunk_map) {
    guard_silently(|caller| caller.release(map));
}
