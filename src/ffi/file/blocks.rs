//! Binary blocks of a file: headers, payloads and checksums.
//!
//! # Blocks
//!
//! Blocks hold the bytes of arrays. These functions serve programs that inspect the file itself rather than its arrays.
//! Blocks are numbered from 0; a negative index counts from the end, -1 is the last block. An index out of range is
//! ASDF_ERR_BLOCK_NOT_FOUND. In a new file, the blocks are those of its arrays; a block whose array was replaced or
//! removed counts until the file is written. Sizes and offsets that are unknown before writing are -1.
//!
//! ```c
//! int64_t count = 0, absent, stored, decoded;
//! asdf_file_block_count(file, &count);
//! if (asdf_file_verify(file, NULL, &absent, &stored, &decoded) == ASDF_ERR_CHECKSUM) return damaged();
//! ```

use crate::error::Result;
use crate::ffi::boundary::guard::{guard, guard_handle};
use crate::ffi::boundary::outputs::too_small;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_file, asdf_options, asdf_report};
use crate::ffi::options::taken::take;
use crate::file::{BlockInfo, ChecksumMatch};
use std::ffi::{c_char, c_void};

/// The block has no checksum.
pub const ASDF_CHECKSUM_ABSENT: i32 = 0;
/// The checksum matches the stored bytes.
pub const ASDF_CHECKSUM_STORED: i32 = 1;
/// The checksum matches the decoded bytes, as some writers of compressed blocks store it.
pub const ASDF_CHECKSUM_DECODED: i32 = 2;
/// The checksum matches neither: the block is damaged.
pub const ASDF_CHECKSUM_MISMATCH: i32 = 3;

/// Gets the number of blocks. In a file without a block index this reads the header of every block.
///
/// @param file  the file
/// @param count gets the number
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_block_count(file: *const asdf_file, count: *mut i64) -> asdf_status {
    guard(|caller| {
        let count = caller.out(count, "count")?;
        count.put_number(caller.handle(file, "file")?.block_count()?);
        Ok(())
    })
}

/// Checks the header of every block, so that the warnings of the file are complete (asdf_file_report()).
///
/// @param file the file
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_check_blocks(file: *const asdf_file) -> asdf_status {
    guard(|caller| caller.handle(file, "file")?.check_blocks())
}

/// Writes one number of a block.
fn put_number(
    file: *const asdf_file,
    index: i64,
    out: (*mut i64, &str),
    number: impl FnOnce(BlockInfo) -> Option<u64>,
) -> asdf_status {
    guard(|caller| {
        let (out, argument) = out;
        let out = caller.out(out, argument)?;
        out.put_number(number(caller.handle(file, "file")?.block(index)?));
        Ok(())
    })
}

/// Gets the offset of the header of a block.
///
/// @param file   the file
/// @param index  number of the block, from 0; a negative one counts from the end
/// @param offset gets the offset in bytes from the start of the file
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_block_offset(file: *const asdf_file, index: i64, offset: *mut i64) -> asdf_status {
    put_number(file, index, (offset, "offset"), |block| block.offset)
}

/// Gets the offset of the payload of a block.
///
/// @param file   the file
/// @param index  number of the block, from 0; a negative one counts from the end
/// @param offset gets the offset in bytes from the start of the file
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_block_payload_offset(
    file: *const asdf_file,
    index: i64,
    offset: *mut i64,
) -> asdf_status {
    put_number(file, index, (offset, "offset"), |block| block.payload_offset)
}

/// Gets the size that is allocated for the payload of a block.
///
/// @param file  the file
/// @param index number of the block, from 0; a negative one counts from the end
/// @param size  gets the number of bytes; -1 for a streamed block
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_block_allocated_size(
    file: *const asdf_file,
    index: i64,
    size: *mut i64,
) -> asdf_status {
    put_number(file, index, (size, "size"), |block| block.allocated_size)
}

/// Gets the stored (possibly compressed) size of the payload of a block.
///
/// @param file  the file
/// @param index number of the block, from 0; a negative one counts from the end
/// @param size  gets the number of bytes
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_block_stored_size(
    file: *const asdf_file,
    index: i64,
    size: *mut i64,
) -> asdf_status {
    put_number(file, index, (size, "size"), |block| block.stored_size)
}

/// Gets the decoded size of the payload of a block.
///
/// @param file  the file
/// @param index number of the block, from 0; a negative one counts from the end
/// @param size  gets the number of bytes
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_block_decoded_size(
    file: *const asdf_file,
    index: i64,
    size: *mut i64,
) -> asdf_status {
    put_number(file, index, (size, "size"), |block| Some(block.decoded_size))
}

/// Gets the compression label of a block: "zlib", "bzp2", "lz4", "lz4f", "zstd" or the label of another codec; empty if
/// the block is not compressed. Unprintable bytes are escaped.
///
/// @param file     the file
/// @param index    number of the block, from 0; a negative one counts from the end
/// @param buffer   gets the label
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_block_compression(
    file: *const asdf_file,
    index: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        out.put(&caller.handle(file, "file")?.block(index)?.compression.to_string())
    })
}

/// Gets the MD5 checksum in the header of a block.
///
/// @param file     the file
/// @param index    number of the block, from 0; a negative one counts from the end
/// @param checksum gets 16 bytes; all zero if the block has no checksum
/// @param capacity size of the buffer in bytes; ASDF_ERR_BUFFER_TOO_SMALL if less than 16
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_block_checksum(
    file: *const asdf_file,
    index: i64,
    checksum: *mut u8,
    capacity: usize,
) -> asdf_status {
    guard(|caller| {
        caller.out(checksum, "checksum")?;
        let found = caller.handle(file, "file")?.block(index)?.checksum;
        let out = caller.buffer(checksum.cast(), capacity, "checksum")?;
        out.get_mut(..found.len()).ok_or_else(|| too_small(capacity, found.len()))?.copy_from_slice(&found);
        Ok(())
    })
}

/// Tests whether a block is streamed: its payload extends to the end of the file.
///
/// @param file     the file
/// @param index    number of the block, from 0; a negative one counts from the end
/// @param streamed gets 1 or 0
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_block_is_streamed(
    file: *const asdf_file,
    index: i64,
    streamed: *mut i32,
) -> asdf_status {
    guard(|caller| {
        let streamed = caller.out(streamed, "streamed")?;
        streamed.put(caller.handle(file, "file")?.block(index)?.streamed.into());
        Ok(())
    })
}

/// Reads the stored payload of a block, without decoding it.
///
/// @param file     the file
/// @param index    number of the block, from 0; a negative one counts from the end
/// @param options  options, or NULL for the defaults
/// @param bytes    gets the bytes; may be NULL if there are none
/// @param capacity size of the buffer in bytes; ASDF_ERR_BUFFER_TOO_SMALL if less than the stored size
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_read_block_stored(
    file: *const asdf_file,
    index: i64,
    options: *const asdf_options,
    bytes: *mut c_void,
    capacity: usize,
) -> asdf_status {
    guard(|caller| {
        take(caller, options, "asdf_file_read_block_stored")?;
        let file = caller.handle(file, "file")?;
        file.read_stored_block(index, caller.buffer(bytes, capacity, "bytes")?)
    })
}

/// Reads and decodes the payload of a block.
///
/// @param file     the file
/// @param index    number of the block, from 0; a negative one counts from the end
/// @param options  options, or NULL for the defaults
/// @param bytes    gets the bytes; may be NULL if there are none
/// @param capacity size of the buffer in bytes; ASDF_ERR_BUFFER_TOO_SMALL if less than the decoded size
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_read_block(
    file: *const asdf_file,
    index: i64,
    options: *const asdf_options,
    bytes: *mut c_void,
    capacity: usize,
) -> asdf_status {
    guard(|caller| {
        take(caller, options, "asdf_file_read_block")?;
        let file = caller.handle(file, "file")?;
        file.read_decoded_block(index, caller.buffer(bytes, capacity, "bytes")?)
    })
}

/// Checks that the file is whole, without reading the elements of arrays. Fails with the first problem:
///
/// - a block that does not match its checksum (ASDF_ERR_CHECKSUM), is cut (ASDF_ERR_TRUNCATED), or has no checksum and
///   cannot be decoded
/// - an array whose block is missing or too short, or a chunked array (asdf-zarr) whose chunks are missing
/// - a reference that leads nowhere; other files are opened only if the open options allow it
///
/// A block with an unknown codec is no problem: it cannot be checked. Warnings of the file, such as that of an
/// incomplete last row, are in asdf_file_report().
///
/// @param file    the file
/// @param options options, or NULL for the defaults
/// @param absent  gets the number of blocks without a checksum; may be NULL
/// @param stored  gets the number of blocks whose checksum matches the stored bytes; may be NULL
/// @param decoded gets the number of blocks whose checksum matches the decoded bytes; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_verify(
    file: *const asdf_file,
    options: *const asdf_options,
    absent: *mut i64,
    stored: *mut i64,
    decoded: *mut i64,
) -> asdf_status {
    guard(|caller| {
        let threads = take(caller, options, "asdf_file_verify")?.threads();
        let found = caller.handle(file, "file")?.verify_on_threads(threads)?;
        caller.optional_out(absent).put_number(found.absent);
        caller.optional_out(stored).put_number(found.stored);
        caller.optional_out(decoded).put_number(found.decoded);
        Ok(())
    })
}

/// Checks that the file is whole, as asdf_file_verify() does, and gets all findings instead of the first one. Damage is
/// a finding here, not an error.
///
/// The entries of the report are, in this order:
///
/// - damage: kind ASDF_REPORT_KIND_ERROR, severity ASDF_SEVERITY_ERROR; the code is the name of the status, such as
///   "CHECKSUM"
/// - parts that cannot be checked, such as a block with an unknown codec: kind ASDF_REPORT_KIND_ERROR, severity
///   ASDF_SEVERITY_WARNING
/// - warnings of the file: kind ASDF_REPORT_KIND_WARNING
/// - notes, such as blocks that no node uses: kind ASDF_REPORT_KIND_NOTE
///
/// The file is whole if no entry has the severity ASDF_SEVERITY_ERROR.
///
/// @param file    the file
/// @param options options, or NULL for the defaults
/// @param report  gets the findings, possibly none; NULL on failure, such as ASDF_ERR_IO or ASDF_ERR_LIMIT
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_inspect(
    file: *const asdf_file,
    options: *const asdf_options,
    report: *mut *mut asdf_report,
) -> asdf_status {
    guard_handle(report, "report", |caller| {
        let threads = take(caller, options, "asdf_file_inspect")?.threads();
        let file = caller.handle(file, "file")?;
        let found = file.inspect(threads)?;
        Ok(found.report(&file.report()))
    })
}

/// Compares a block with its checksum. A mismatch is an outcome here, not an error.
///
/// @param file    the file
/// @param index   number of the block, from 0; a negative one counts from the end
/// @param options options, or NULL for the defaults
/// @param outcome gets one of ASDF_CHECKSUM_...
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_verify_block(
    file: *const asdf_file,
    index: i64,
    options: *const asdf_options,
    outcome: *mut i32,
) -> asdf_status {
    guard(|caller| -> Result<()> {
        let outcome = caller.out(outcome, "outcome")?;
        take(caller, options, "asdf_file_verify_block")?;
        outcome.put(match caller.handle(file, "file")?.verify_block(index)? {
            ChecksumMatch::Absent => ASDF_CHECKSUM_ABSENT,
            ChecksumMatch::Stored => ASDF_CHECKSUM_STORED,
            ChecksumMatch::Decoded => ASDF_CHECKSUM_DECODED,
            ChecksumMatch::Mismatch => ASDF_CHECKSUM_MISMATCH,
        });
        Ok(())
    })
}
