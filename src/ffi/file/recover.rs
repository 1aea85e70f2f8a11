//! Recovering damaged files into new ones, and what was lost.
//!
//! # Recovering
//!
//! Reading never guesses: a file that was cut or damaged is an error, or has arrays that are. On request, what is left
//! of it can be written into a new file, with a report of what is not.
//!
//! ```c
//! asdf_report *losses = NULL;
//! if (asdf_file_recover("damaged.asdf", "recovered.asdf", 0, NULL, &losses) != ASDF_OK) return report();
//! print_report(losses);   // array /a, block 0: 5 of 10 rows are there
//! asdf_report_free(losses);
//! ```

use super::options::{open_options, write_options};
use crate::error::{Error, Status};
use crate::ffi::boundary::guard::guard_wanted_handle;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_options, asdf_report};
use crate::ffi::options::taken::take;
use crate::file::{File, RecoverOptions};
use std::ffi::c_char;

/// Drop blocks that end early as a whole, with the rows that are there.
pub const ASDF_RECOVER_WHOLE_BLOCKS: i32 = 1;

/// Writes what can be read of a damaged file, or of one that was cut short, into a new file. The damaged file is only
/// read.
///
/// A tree that breaks off keeps its entries at the top level up to the last that is whole. Blocks keep their numbers:
/// one of which nothing is left becomes a block of no bytes. Its arrays keep their descriptions; reading them fails, or
/// shows no rows if the number of rows was to follow from the block. An uncompressed block that ends early keeps the
/// bytes that are there, and its arrays whole rows, with a shape that says so. Blocks that do not match their checksums
/// are kept. If anything was lost, the history of the new file says so.
///
/// The code of a loss tells what was lost. A loss has the path of its array, the number of its block, an offset in the
/// damaged file, and the numbers of bytes and rows that are missing, as far as they apply and are known.
///
/// - "L-TREE": entries of the tree, from a byte of the damaged file on.
/// - "L-BLOCK": all of a block; one of no bytes has its number.
/// - "L-BLOCK-END": the end of a block.
/// - "L-BLOCK-DAMAGED": nothing of a block, but its bytes are not those that were written.
/// - "L-BLOCK-NAME": what named a block that is there, or its number.
/// - "L-ARRAY": all elements of an array.
/// - "L-ARRAY-END": the last rows of an array.
/// - "L-ARRAY-DAMAGED": nothing of an array, but its block is damaged.
/// - "L-BYTES": bytes of the damaged file of which nothing is known.
///
/// @param path     name of the damaged file; one whose first lines are not those of an ASDF file is
///                 ASDF_ERR_NOT_ASDF, and one of which nothing can be recovered ASDF_ERR_TRUNCATED
/// @param new_path name of the new file. A file that has it is ASDF_ERR_FILE_EXISTS unless ASDF_OPTION_REPLACE is set;
///                 the damaged file itself, a pipe and a device are ASDF_ERR_INVALID_ARGUMENT
/// @param what     ASDF_RECOVER_WHOLE_BLOCKS or 0; another number is ASDF_ERR_INVALID_ARGUMENT
/// @param options  how to read the file and write the new one, or NULL
/// @param report   gets the losses, none if nothing was lost; NULL on failure, when there is no new file either unless
///                 the status is ASDF_ERR_NOT_DURABLE. It may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_recover(
    path: *const c_char,
    new_path: *const c_char,
    what: i32,
    options: *const asdf_options,
    report: *mut *mut asdf_report,
) -> asdf_status {
    guard_wanted_handle(report, "report", |caller| {
        let (path, new_path) = (caller.file_name(path, "path")?, caller.file_name(new_path, "new_path")?);
        if what & !ASDF_RECOVER_WHOLE_BLOCKS != 0 {
            let message = format!("{what} is neither 0 nor ASDF_RECOVER_WHOLE_BLOCKS");
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
