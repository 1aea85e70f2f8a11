//! Writing a file: under a name, over the file that was opened, to memory, or to a descriptor.
//!
//! # Writing
//!
//! Each call writes the current state of the file, which can then be changed and written again. If a setter failed,
//! writing fails with ASDF_ERR_INCOMPLETE.
//!
//! ```c
//! asdf_options *options = NULL;
//! asdf_options_new(&options);
//! asdf_options_set_text(options, ASDF_OPTION_EXTERNAL_NAMES, "part{number}.asdf", 17);
//! if (asdf_file_write(file, "image.asdf", NULL) != ASDF_OK) return report();        // a new file
//! if (asdf_file_explode(file, "exploded.asdf", options) != ASDF_OK) return report();
//! asdf_options_free(options);
//! ```
//!
//! asdf_file_save() saves in one of two ways (ASDF_OPTION_SAVE_MODE):
//!
//! - As a whole: a new file replaces the old one.
//! - In place: the tree is written into the space before the first block (in a file without blocks, to the end of the
//!   file). New blocks replace the block index and everything after it. The cost depends on the size of the tree, not
//!   of the file.
//!
//! During a save in place, an undo journal ".NAME.asdf-journal" exists beside the file. After an interruption this
//! library restores the file with it; other readers may see a mix of old and new data. A journal does nothing to a file
//! that another program replaced or changed since; a warning then says how to keep or drop it. A save in place is not
//! possible in these cases:
//!
//! - The tree has outgrown its space. The new file has more of it (ASDF_OPTION_TREE_SLACK), so that later changes fit.
//! - A new array takes over the number of the block of the array that it replaces, or a mask that of the mask before.
//! - Elements were overwritten (asdf_array_write_region()) since the last save, and other parts of the file changed.
//! - An array was copied from another handle of the same file.
//! - The file has several names (hard links).
//!
//! A file that is written whole shares blocks with the old one, if the file system supports it (XFS, Btrfs and others).
//!
//! ASDF in a FITS file is saved in its HDU `ASDF`, which grows if it is the last one; other HDUs stay, byte for byte.
//! Checksums of HDUs (DATASUM, CHECKSUM) are renewed where their bytes changed and a header has them, and with them the
//! hash of the headers in the tree (`_fits_hash`), so that the tree counts for `stdatamodels`. A save in place writes up
//! to 16 MiB of ASDF anew.
//!
//! After ASDF_ERR_NOT_DURABLE the new file is in place and counts as saved, but a power cut may bring back the old
//! file. After any other error the old file remains.

use super::descriptor::duplicate;
use super::options::write_options;
use crate::error::{Error, Status};
use crate::ffi::basics::buffer::buffer_of;
use crate::ffi::boundary::guard::{guard, guard_handle};
use crate::ffi::options::taken::take;

use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_buffer, asdf_file, asdf_options};
use crate::file::Repairs;
use std::ffi::c_char;

/// In place if possible, and if the file is larger than both 256 KiB and the data to write in place; otherwise as a new
/// file.
pub const ASDF_SAVE_AUTO: i32 = 0;
/// As a new file that replaces the old one: every reader sees either the old file or the new one.
pub const ASDF_SAVE_WHOLE: i32 = 1;
/// In place; if that is not possible, fails with ASDF_ERR_NOT_IN_PLACE and writes nothing.
pub const ASDF_SAVE_IN_PLACE: i32 = 2;

/// An ASDF file of its own. Arrays whose elements are in HDUs of a FITS file get blocks.
pub const ASDF_CONTAINER_ASDF: i32 = 0;
/// A FITS file, whose HDU `ASDF` holds the ASDF file. From a FITS file the other HDUs are copied. In a new one, arrays
/// of numbers that images can hold are HDUs, with the names of their keys in capitals.
pub const ASDF_CONTAINER_FITS: i32 = 1;

/// Writes a file under a name. An existing file of that name is replaced only with ASDF_OPTION_REPLACE. It stays
/// unchanged until the new one is completely on disk. After a failure it stays unchanged, and no new file is left.
/// ASDF_ERR_NOT_DURABLE is the exception: the new file has the name, but waiting until the name is on disk failed.
///
/// A file opened for reading is copied byte for byte; besides ASDF_OPTION_REPLACE, only ASDF_OPTION_DURABLE and
/// ASDF_OPTION_CONTAINER have an effect. A file opened for update is written with its changes; replacing it under its
/// own name equals asdf_file_save(). To a pipe or a character device the file is written as by
/// asdf_file_write_descriptor(). ASDF in a FITS file is written as an ASDF file, unless ASDF_OPTION_CONTAINER says
/// otherwise: the data of the HDUs that arrays name become blocks.
///
/// @param file    the file
/// @param path    name of the file; any bytes where the system allows names that are not UTF-8. ASDF_ERR_FILE_EXISTS
///                if it exists, unless ASDF_OPTION_REPLACE is 1. ASDF_ERR_INVALID_ARGUMENT if it is the name of this
///                file and the file was opened for reading
/// @param options options, or NULL for the defaults
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_write(
    file: *const asdf_file,
    path: *const c_char,
    options: *const asdf_options,
) -> asdf_status {
    guard(|caller| {
        let file = caller.handle(file, "file")?;
        file.write(caller.file_name(path, "path")?, &write_options(&take(caller, options, "asdf_file_write")?)?)
    })
}

/// Saves the changes of a file that was opened by asdf_file_open_for_update(). Without changes nothing is written.
/// Changes of the tree and elements that asdf_array_write_region() has overwritten are saved together.
///
/// The text of the tree changes only where nodes changed, and in `asdf_library`, which then names this library;
/// everywhere else it keeps its comments, order, styles and tags. Existing blocks keep their stored bytes and their
/// numbers, even if no array uses them any more. Blocks of new arrays follow them.
///
/// There are two ways to save; ASDF_OPTION_SAVE_MODE selects one:
///
/// - As a whole: a new file replaces the old one, as in asdf_file_write(). The name always refers to either the old or
///   the new file. Handles that have the old file open keep it.
/// - In place: only the changes are written. Other handles that have the file open get ASDF_ERR_FILE_CHANGED. After an
///   interruption, opening the file for reading shows its state before the save, with a warning; opening it for update
///   restores that state on disk.
///
/// Nodes stay valid; asdf_node_position() still returns their positions at the time of opening. The file can be changed
/// and saved again, also after a failure. After ASDF_ERR_NOT_DURABLE the file counts as saved: saving it again without
/// a change writes nothing and does not wait.
///
/// @param file    the file; ASDF_ERR_FILE_CHANGED if someone else changed it after it was opened;
///                ASDF_ERR_INVALID_ARGUMENT if it is a new file; ASDF_ERR_NOT_IN_PLACE if the options require a save in
///                place that is not possible
/// @param options options, or NULL for the defaults
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_save(file: *mut asdf_file, options: *const asdf_options) -> asdf_status {
    guard(|caller| {
        let file = caller.handle(file, "file")?;
        file.save(&write_options(&take(caller, options, "asdf_file_save")?)?)
    })
}

/// Saves a file that was opened by asdf_file_open_for_update(), changed or not, in its smallest form: without unused
/// blocks, without gaps between blocks, and with only the space after the tree that the options set. Blocks are copied
/// as they are stored. A new file replaces the old one, as in asdf_file_write(). A file without changes and without
/// unused blocks stays as it is if it would become larger.
///
/// Only this call changes the numbers of blocks:
///
/// - It updates the numbers in the tree of this file, and `asdf_library`. The rest of the text stays unchanged.
/// - It cannot update other files that refer to blocks of this file by number.
/// - An integer under the key `source` outside an array may be the number of a block. Such a block keeps its number;
///   unused blocks before it become empty.
/// - If a key that contains "block" has an integer value, all blocks stay.
///
/// @param file    the file; same errors as asdf_file_save()
/// @param options options, or NULL for the defaults
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_compact(file: *mut asdf_file, options: *const asdf_options) -> asdf_status {
    guard(|caller| {
        let file = caller.handle(file, "file")?;
        file.compact(&write_options(&take(caller, options, "asdf_file_compact")?)?)
    })
}

/// Write the block index, if it is missing or wrong.
pub const ASDF_REPAIR_INDEX: i32 = 1;
/// Add checksums to blocks that have none. Streamed blocks never have one.
pub const ASDF_REPAIR_ABSENT_CHECKSUMS: i32 = 2;
/// Replace checksums of the decoded bytes, as older writers stored them.
pub const ASDF_REPAIR_DECODED_CHECKSUMS: i32 = 4;
/// Replace checksums that do not match, whatever the cause.
pub const ASDF_REPAIR_WRONG_CHECKSUMS: i32 = 8;

/// Repairs the block index and the checksums of a file that was opened by asdf_file_open_for_update(). Tree and
/// payloads stay unchanged. If nothing needs repair, nothing is written.
///
/// After an error the file stays unchanged:
///
/// - ASDF_ERR_INVALID_ARGUMENT if the file has unsaved changes
/// - ASDF_ERR_TRUNCATED if the file ends within a block
/// - ASDF_ERR_LAYOUT if something other than an index follows the last block
/// - the error of the codec if a block must be decoded to check its checksum, and decoding fails
///
/// @param file      the file
/// @param what      a sum of ASDF_REPAIR_ constants
/// @param options   options, or NULL for the defaults
/// @param index     gets 1 if the index was written, 0 if not; may be NULL
/// @param checksums gets the number of blocks whose checksum was changed; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_repair(
    file: *mut asdf_file,
    what: i32,
    options: *const asdf_options,
    index: *mut i32,
    checksums: *mut i64,
) -> asdf_status {
    guard(|caller| {
        let (index, checksums) = (caller.optional_out(index), caller.optional_out(checksums));
        let file = caller.handle(file, "file")?;
        let all = ASDF_REPAIR_INDEX
            | ASDF_REPAIR_ABSENT_CHECKSUMS
            | ASDF_REPAIR_DECODED_CHECKSUMS
            | ASDF_REPAIR_WRONG_CHECKSUMS;
        if what & !all != 0 {
            let message = format!("the argument 'what' is {what}, which is not a sum of ASDF_REPAIR_ constants");
            return Err(Error::new(Status::InvalidArgument, message));
        }
        let repairs = Repairs {
            index: what & ASDF_REPAIR_INDEX != 0,
            absent_checksums: what & ASDF_REPAIR_ABSENT_CHECKSUMS != 0,
            decoded_checksums: what & ASDF_REPAIR_DECODED_CHECKSUMS != 0,
            wrong_checksums: what & ASDF_REPAIR_WRONG_CHECKSUMS != 0,
        };
        let repaired = file.repair(repairs, &write_options(&take(caller, options, "asdf_file_repair")?)?)?;
        index.put(repaired.index.into());
        checksums.put_number(repaired.checksums);
        Ok(())
    })
}

/// Writes a file to memory, with the same content as asdf_file_write().
///
/// @param file    the file
/// @param options options, or NULL for the defaults
/// @param buffer  gets the bytes; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_write_memory(
    file: *const asdf_file,
    options: *const asdf_options,
    buffer: *mut *mut asdf_buffer,
) -> asdf_status {
    guard_handle(buffer, "buffer", |caller| {
        let file = caller.handle(file, "file")?;
        file.write_to_memory(&write_options(&take(caller, options, "asdf_file_write_memory")?)?).map(buffer_of)
    })
}

/// Writes a file sequentially to a descriptor, from its current position on; pipes are allowed. Bytes written before a
/// failure remain. The descriptor stays open.
///
/// The library does not change signal handlers. Writing to a pipe without a reader raises SIGPIPE, which ends the
/// program unless it ignores the signal; then the call fails with ASDF_ERR_IO.
///
/// @param file       the file
/// @param descriptor file descriptor, open for writing
/// @param options    options, or NULL for the defaults
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_write_descriptor(
    file: *const asdf_file,
    descriptor: i32,
    options: *const asdf_options,
) -> asdf_status {
    guard(|caller| {
        let file = caller.handle(file, "file")?;
        let options = write_options(&take(caller, options, "asdf_file_write_descriptor")?)?;
        file.write_to(&mut duplicate(descriptor)?, &options)
    })
}

/// Writes a copy of a file in the exploded form: a main file, and one file for each block beside it. Arrays that share
/// a block share its file. The text of the tree stays, except for the sources of the arrays and `asdf_library`. Payloads
/// are copied as they are stored.
///
/// The block files are written first, under names from ASDF_OPTION_EXTERNAL_NAMES; they never replace existing files.
/// Then the main file gets its name. After a failure none of the new files remains, and an existing main file stays
/// unchanged; after ASDF_ERR_NOT_DURABLE all new files are in place. If the program is killed during the call, complete
/// block files may remain; exploding the file again reuses them.
///
/// A block that no array uses stays in the main file under its number, and so does a block that something other than an
/// array may refer to. Arrays in other files stay there, unless their relative URIs would point elsewhere from the new
/// main file. In that case their blocks are copied, if the options that the file was opened with allow it.
///
/// @param file    the file: opened for reading, for update (with its changes), or new
/// @param path    name of the main file; ASDF_ERR_FILE_EXISTS if it exists, unless ASDF_OPTION_REPLACE is 1;
///                ASDF_ERR_INVALID_ARGUMENT if it is this file, a pipe or a device
/// @param options options, or NULL for the defaults
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_explode(
    file: *const asdf_file,
    path: *const c_char,
    options: *const asdf_options,
) -> asdf_status {
    guard(|caller| {
        let file = caller.handle(file, "file")?;
        file.explode(caller.file_name(path, "path")?, &write_options(&take(caller, options, "asdf_file_explode")?)?)
    })
}

/// Writes a copy of a file that contains the blocks of arrays in other files (the reverse of asdf_file_explode()).
/// Arrays in the same file share a block. The text of the tree stays, except for the sources of these arrays and
/// `asdf_library`. Payloads are copied as they are stored. Blocks keep their numbers, and the added blocks follow.
/// References into the trees of other files stay references.
///
/// @param file    the file. The options that it was opened with must allow the other files; ASDF_ERR_EXTERNAL_REFERENCE
///                if they allow none
/// @param path    name of the file to write; ASDF_ERR_FILE_EXISTS if it exists, unless ASDF_OPTION_REPLACE is 1;
///                ASDF_ERR_INVALID_ARGUMENT if it is this file, a pipe or a device
/// @param options options, or NULL for the defaults
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_implode(
    file: *const asdf_file,
    path: *const c_char,
    options: *const asdf_options,
) -> asdf_status {
    guard(|caller| {
        let file = caller.handle(file, "file")?;
        file.implode(caller.file_name(path, "path")?, &write_options(&take(caller, options, "asdf_file_implode")?)?)
    })
}

/// Allows a file to be written although a setter failed. The value of that setter is missing in the file.
///
/// @param file the file
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_forget_failure(file: *mut asdf_file) -> asdf_status {
    guard(|caller| caller.handle(file, "file")?.forget_failure())
}
