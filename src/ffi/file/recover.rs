//! Recovery of damaged files into new ones, with a report of the losses.
//!
//! # Recovering
//!
//! Reading never guesses: if a file is truncated or damaged, opening it fails, or reading its damaged arrays fails.
//! asdf_file_recover() writes the readable rest of such a file into a new file, and reports the losses.
//!
//! ```c
//! asdf_report *losses = NULL;
//! if (asdf_file_recover("damaged.asdf", "recovered.asdf", 0, NULL, &losses) != ASDF_OK) return report();
//! print_report(losses);   // array /a, block 0: 5 of 10 rows are there
//! asdf_report_free(losses);
//! ```

use super::options::{open_options, write_options};
use crate::error::{Error, Status};
use crate::ffi::boundary::guard::guard_handle_if_requested;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_options, asdf_report};
use crate::ffi::options::taken::take;
use crate::file::{File, RecoverOptions};
use std::ffi::c_char;

/// Drop truncated blocks completely, even their readable rows.
pub const ASDF_RECOVER_WHOLE_BLOCKS: i32 = 1;

/// Writes the readable parts of a damaged or truncated file into a new file. The damaged file is only read.
///
/// - Tree: a truncated tree keeps its top-level entries up to the last complete one.
/// - Lost blocks: blocks keep their numbers; a block without readable bytes becomes an empty block. Its arrays keep
///   their descriptions. Reading them fails, or returns no rows if their number of rows follows from the size of the
///   block.
/// - Truncated blocks: an uncompressed block keeps its readable bytes. Its arrays keep the complete rows, and their
///   shapes are reduced accordingly.
/// - Damaged blocks: blocks that do not match their checksums are kept.
/// - Compressed files: a file that is compressed as a whole, such as image.asdf.gz, is decompressed as far as possible.
///   Offsets in the report then refer to its content.
/// - History: if anything was lost, the new file gets a history entry.
///
/// The report has an entry for each loss. If applicable and known, it has the path of the array, the number of the
/// block, the offset in the damaged file, and the numbers of lost bytes and rows. Its code is one of:
///
/// - "L-TREE": entries of the tree are lost, from the given offset on.
/// - "L-BLOCK": a whole block is lost; an empty block has its number.
/// - "L-BLOCK-END": the end of a block is lost.
/// - "L-BLOCK-DAMAGED": a block is kept, but its bytes do not match its checksum, cannot be decoded, or its header
///   contradicts its neighbours.
/// - "L-BLOCK-NAME": the recovered tree does not refer to a block; or the number of a block is unknown, and the block
///   is left out.
/// - "L-ARRAY": all elements of an array are lost.
/// - "L-ARRAY-END": the last rows of an array are lost.
/// - "L-ARRAY-DAMAGED": an array is kept, but its block is damaged.
/// - "L-BYTES": bytes of the damaged file have an unknown purpose or, in a file that is compressed as a whole, cannot be
///   decompressed.
///
/// @param path     name of the damaged file; ASDF_ERR_NOT_ASDF if it does not begin like an ASDF file;
///                 ASDF_ERR_TRUNCATED if nothing can be recovered
/// @param new_path name of the new file; ASDF_ERR_FILE_EXISTS if it exists, unless ASDF_OPTION_REPLACE is 1;
///                 ASDF_ERR_INVALID_ARGUMENT if it is the damaged file, a pipe or a device
/// @param what     ASDF_RECOVER_WHOLE_BLOCKS or 0; ASDF_ERR_INVALID_ARGUMENT for any other number
/// @param options  options, or NULL for the defaults
/// @param report   gets the losses, possibly none; NULL on failure. May be NULL. After a failure no new file exists,
///                 except after ASDF_ERR_NOT_DURABLE
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_recover(
    path: *const c_char,
    new_path: *const c_char,
    what: i32,
    options: *const asdf_options,
    report: *mut *mut asdf_report,
) -> asdf_status {
    guard_handle_if_requested(report, "report", |caller| {
        let (path, new_path) = (caller.file_name(path, "path")?, caller.file_name(new_path, "new_path")?);
        if what & !ASDF_RECOVER_WHOLE_BLOCKS != 0 {
            let message = format!("the argument 'what' is {what}; use ASDF_RECOVER_WHOLE_BLOCKS or 0");
            return Err(Error::new(Status::InvalidArgument, message));
        }
        let taken = take(caller, options, "asdf_file_recover")?;
        let options = RecoverOptions {
            whole_blocks: what & ASDF_RECOVER_WHOLE_BLOCKS != 0,
            open: open_options(&taken)?,
            write: write_options(&taken)?,
        };
        Ok(File::recover(path, new_path, &options)?.losses.iter().collect())
    })
}
