//! Recovering damaged files into new ones, and what was lost.
//!
//! # Recovering
//!
//! Reading never guesses: a file that was cut or damaged is an error, or has arrays that are. On request, what is left
//! of it can be written into a new file, with a report of what is not.
//!
//! ```c
//! asdf_recovery *recovery = NULL;
//! int64_t losses = 0;
//! if (asdf_file_recover("damaged.asdf", "recovered.asdf", 0, NULL, NULL, &recovery) != ASDF_OK) return report();
//! asdf_recovery_count(recovery, &losses);
//! for (int64_t i = 0; i < losses; i++) {
//!     char text[512];
//!     if (asdf_recovery_text(recovery, i, text, sizeof text, NULL) == ASDF_OK) fprintf(stderr, "%s\n", text);
//! }
//! asdf_recovery_free(recovery);
//! ```

use super::options::{open_options, write_options};
use crate::error::{Error, Result, Status};
use crate::ffi::boundary::guard::{guard, guard_handle, guard_retain, guard_silently};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_options, asdf_recovery};
use crate::ffi::options::taken::take;
use crate::file::{File, Loss, RecoverOptions, Recovery};
use std::ffi::c_char;

impl Class for asdf_recovery {
    const TAG: u32 = u32::from_be_bytes(*b"RECO");
    const NAME: &'static str = "asdf_recovery";
    type Value = Recovery;
}

/// Replace a file that has the new name.
pub const ASDF_RECOVER_REPLACE: i32 = 1;
/// Drop blocks that end early as a whole, with the rows that are there.
pub const ASDF_RECOVER_WHOLE_BLOCKS: i32 = 2;

/// Entries of the tree, from a byte of the damaged file on.
pub const ASDF_LOSS_TREE: i32 = 1;
/// All of a block: one of no bytes has its number.
pub const ASDF_LOSS_BLOCK: i32 = 2;
/// The end of a block.
pub const ASDF_LOSS_BLOCK_END: i32 = 3;
/// Nothing of a block, but its bytes are not those that were written.
pub const ASDF_LOSS_BLOCK_DAMAGED: i32 = 4;
/// All elements of an array.
pub const ASDF_LOSS_ARRAY: i32 = 5;
/// The last rows of an array.
pub const ASDF_LOSS_ARRAY_END: i32 = 6;
/// Nothing of an array, but its block is damaged.
pub const ASDF_LOSS_ARRAY_DAMAGED: i32 = 7;
/// What named a block that is there, or its number.
pub const ASDF_LOSS_BLOCK_NAME: i32 = 8;
/// Bytes of the damaged file of which nothing is known.
pub const ASDF_LOSS_BYTES: i32 = 9;

/// Writes what can be read of a damaged file, or of one that was cut short, into a new file. The damaged file is only
/// read.
///
/// A tree that breaks off keeps its entries at the top level up to the last that is whole. Blocks keep their numbers:
/// one of which nothing is left becomes a block of no bytes. Its arrays keep their descriptions; reading them fails, or
/// shows no rows if the number of rows was to follow from the block. An uncompressed block that ends early keeps the
/// bytes that are there, and its arrays whole rows, with a shape that says so. Blocks that do not match their checksums
/// are kept. If anything was lost, the history of the new file says so.
///
/// @param path          name of the damaged file; one whose first lines are not those of an ASDF file is
///                      ASDF_ERR_NOT_ASDF, and one of which nothing can be recovered ASDF_ERR_TRUNCATED
/// @param new_path      name of the new file; one that is taken is ASDF_ERR_INVALID_ARGUMENT
/// @param what          a sum of ASDF_RECOVER_ constants, or 0
/// @param options       how to read the file and write the new one, or NULL
/// @param recovery      gets the report of what was lost; NULL on failure, when there is no new file either unless it is
///                      ASDF_ERR_NOT_DURABLE
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_recover(
    path: *const c_char,
    new_path: *const c_char,
    what: i32,
    options: *const asdf_options,
    recovery: *mut *mut asdf_recovery,
) -> asdf_status {
    guard_handle(recovery, "recovery", |caller| {
        let (path, new_path) = (caller.file_name(path, "path")?, caller.file_name(new_path, "new_path")?);
        if what & !(ASDF_RECOVER_REPLACE | ASDF_RECOVER_WHOLE_BLOCKS) != 0 {
            let message = format!("{what} is not a sum of ASDF_RECOVER_ constants");
            return Err(Error::new(Status::InvalidArgument, message));
        }
        let taken = take(caller, options, "asdf_file_recover")?;
        let options = RecoverOptions {
            replace: what & ASDF_RECOVER_REPLACE != 0,
            whole_blocks: what & ASDF_RECOVER_WHOLE_BLOCKS != 0,
            open: open_options(&taken)?,
            write: write_options(&taken)?,
        };
        File::recover(path, new_path, &options)
    })
}

/// The number of things that were lost; 0 if nothing was.
///
/// @param recovery the report
/// @param count    gets the number
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_recovery_count(recovery: *const asdf_recovery, count: *mut i64) -> asdf_status {
    guard(|caller| {
        let count = caller.out(count, "count")?;
        count.put_number(caller.handle(recovery, "recovery")?.losses.len() as u64);
        Ok(())
    })
}

/// One thing that was lost.
///
/// @param recovery the report
/// @param index    which one, from 0; outside is ASDF_ERR_OUT_OF_RANGE
/// @param kind     gets what it is, an ASDF_LOSS_ constant
/// @param block    gets the number of the block that it is about, -1 for none; may be NULL
/// @param offset   gets the byte of the damaged file at which it was, -1 if not known; may be NULL
/// @param bytes    gets how many bytes are missing, -1 if not known; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_recovery_loss(
    recovery: *const asdf_recovery,
    index: i64,
    kind: *mut i32,
    block: *mut i64,
    offset: *mut i64,
    bytes: *mut i64,
) -> asdf_status {
    guard(|caller| {
        let kind = caller.out(kind, "kind")?;
        let (block, offset) = (caller.optional_out(block), caller.optional_out(offset));
        let bytes = caller.optional_out(bytes);
        let loss = loss(caller.handle(recovery, "recovery")?, index)?;
        kind.put(loss.kind as i32);
        block.put_number(loss.block);
        offset.put_number(loss.offset);
        bytes.put_number(loss.bytes);
        Ok(())
    })
}

/// The path of the array that was lost; empty if it is not about one.
///
/// @param recovery the report
/// @param index    which one, from 0; outside is ASDF_ERR_OUT_OF_RANGE
/// @param buffer   gets the path
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the path; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_recovery_path(
    recovery: *const asdf_recovery,
    index: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        out.put(loss(caller.handle(recovery, "recovery")?, index)?.path.as_deref().unwrap_or_default())
    })
}

/// What was lost, as a line of text: path, block and byte, as far as they are known, and a sentence.
///
/// @param recovery the report
/// @param index    which one, from 0; outside is ASDF_ERR_OUT_OF_RANGE
/// @param buffer   gets the text
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the text; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_recovery_text(
    recovery: *const asdf_recovery,
    index: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        out.put(&loss(caller.handle(recovery, "recovery")?, index)?.to_string())
    })
}

/// Gives another owner of a report.
///
/// @param recovery the report
/// @param another  gets the owner, to be freed as well; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_recovery_retain(
    recovery: *const asdf_recovery,
    another: *mut *mut asdf_recovery,
) -> asdf_status {
    guard_retain(recovery, "recovery", another)
}

/// Gives up a report.
///
/// @param recovery the report, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_recovery_free(recovery: *mut asdf_recovery) {
    guard_silently(|caller| caller.release(recovery));
}

fn loss(recovery: &Recovery, index: i64) -> Result<&Loss> {
    let loss = usize::try_from(index).ok().and_then(|index| recovery.losses.get(index));
    loss.ok_or_else(|| {
        let message = format!("there is no loss {index} among {}", recovery.losses.len());
        Error::new(Status::OutOfRange, message)
    })
}
