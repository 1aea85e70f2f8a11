//! Writing a file: to a path, in the place of the one that was opened, into memory, to a descriptor.
//!
//! # Writing
//!
//! What is written is the file as it is at that moment; it can be changed and written again. If a setter failed, it is
//! ASDF_ERR_INCOMPLETE.
//!
//! A file is saved as a new file that takes the place of the old one, or in place (ASDF_OPTION_SAVE_MODE). In place,
//! the tree is written into the room between it and the first block (in a file without blocks, to the end of the file),
//! and new blocks replace the block index and what is behind it: the cost follows the tree, not the file. An undo
//! journal beside the file, ".NAME.asdf-journal", lasts as long as the save. This library repairs with it what was
//! interrupted; other readers may meet a mix. These cannot be saved in place: a tree that has outgrown its room, unless
//! the file system can insert room (ASDF_OPTION_INSERT_ROOM); an array with another block under the same number; a file
//! with several names (hard links).
//!
//! Room is inserted on ext4, where it is one transaction, if a page begins in the room (as in files larger than 256 KiB
//! that this library wrote) and nobody has views of the file by this library. Elsewhere the file is written anew, with
//! its blocks shared by both files where the file system can do that (XFS, Btrfs and others).
//!
//! After ASDF_ERR_NOT_DURABLE alone the new file is in place and counts as saved, but a power cut may bring the old one
//! back. After any other error the old file stands.

use super::options::write_options;
use crate::error::{Error, Status};
use crate::ffi::boundary::buffer::buffer_of;
use crate::ffi::boundary::guard::{guard, guard_handle};
use crate::ffi::options::taken::take;

use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_buffer, asdf_file, asdf_options};
use crate::ffi::file::lent::duplicate;
use crate::file::Repairs;
use std::ffi::c_char;

/// In place if that can be done and the file is larger than 256 KiB and than what is to be written in place; otherwise
/// as a new file.
pub const ASDF_SAVE_AUTO: i32 = 0;
/// As a new file that takes the place of the old one: every reader finds the old file or the new one.
pub const ASDF_SAVE_WHOLE: i32 = 1;
/// In place; what cannot be saved in place is ASDF_ERR_NOT_IN_PLACE, and nothing is written.
pub const ASDF_SAVE_IN_PLACE: i32 = 2;

/// Writes a file under a name. A file that has the name is replaced only with ASDF_OPTION_REPLACE. Until all of the new
/// one is on the disk the old one stays as it was; if anything fails it stays for good, and nothing else is left behind.
/// ASDF_ERR_NOT_DURABLE is the exception: the new file has the name, but waiting for the name failed.
///
/// A file that was opened for reading is copied byte for byte, and of the other options only the durability counts. One
/// that was opened for update is written with its changes; replaced under its own name it is saved, as by
/// asdf_file_save(). To a pipe or a character device the file is written as by asdf_file_write_descriptor().
///
/// @param file    the file
/// @param path    name of the file. Where the system allows other bytes than UTF-8 in names, they are taken as they are.
///                A file that has the name is ASDF_ERR_FILE_EXISTS unless ASDF_OPTION_REPLACE is set. The own name of
///                a file that was opened for reading is ASDF_ERR_INVALID_ARGUMENT
/// @param options how to write it, or NULL
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

/// Saves the changes of a file that was opened by asdf_file_open_for_update(); without any, nothing is written.
///
/// The text of the tree is changed where nodes were, and stays as it is everywhere else, with its comments, order,
/// styles and tags. Blocks stay as they are stored, under their numbers; those of new arrays follow, and those that
/// nothing names any more stay.
///
/// Either all is written to a new file that then takes the place of the old one, as asdf_file_write() does it: under
/// the name there is always either the old file or the new one, and who has the old one open keeps it. Or what changes
/// is written where the file lies; ASDF_OPTION_SAVE_MODE says when, and forbids the one or the other. Who
/// has the file open then gets ASDF_ERR_FILE_CHANGED. If that is interrupted, the file reads as before the save when
/// it is opened next, with a warning, and is made so when it is opened for update.
///
/// Nodes stay valid; asdf_node_position() still tells where they were when the file was opened. The file can be
/// changed and saved again, also after a failure. After ASDF_ERR_NOT_DURABLE it is saved: to save it again without a
/// change writes nothing and waits for nothing.
///
/// @param file    the file. One that somebody else changed since it was opened is ASDF_ERR_FILE_CHANGED, a new one
///                ASDF_ERR_INVALID_ARGUMENT, one that needs to be written anew against the options
///                ASDF_ERR_NOT_IN_PLACE
/// @param options how to write it, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_save(file: *mut asdf_file, options: *const asdf_options) -> asdf_status {
    guard(|caller| {
        let file = caller.handle(file, "file")?;
        file.save(&write_options(&take(caller, options, "asdf_file_save")?)?)
    })
}

/// Saves a file that was opened by asdf_file_open_for_update(), changed or not, as small as it can be: without the
/// blocks that nothing in its tree names, without gaps between the others, and with no more room behind the tree than
/// the options ask for. Blocks are copied as they are stored. A whole new file takes the place of the old one, as with
/// asdf_file_write().
///
/// This is the one call that changes the numbers of blocks: the tree gets the new ones, and its text stays as it is
/// everywhere else; other files that name blocks of this one by number are not known. A block that something else than
/// an array may name, by an integer under the key `source`, stays under its number, and blocks before it that nothing
/// names lose their bytes only. All blocks stay if a key that speaks of blocks has an integer.
///
/// @param file    the file; it fails as asdf_file_save() does
/// @param options how to write it, or NULL
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
/// Give checksums to blocks that have none. Streamed blocks never have one.
pub const ASDF_REPAIR_ABSENT_CHECKSUMS: i32 = 2;
/// Replace those that are of the decoded bytes, as older writers made them.
pub const ASDF_REPAIR_DECODED_CHECKSUMS: i32 = 4;
/// Replace those that do not match, whatever happened to the bytes.
pub const ASDF_REPAIR_WRONG_CHECKSUMS: i32 = 8;

/// Mends what a file that was opened by asdf_file_open_for_update() says of its blocks. Tree and payloads stay as they
/// are; if there is nothing to mend, nothing is written.
///
/// The file must have no changes that wait to be saved, else it is ASDF_ERR_INVALID_ARGUMENT. A block that the file
/// ends in is ASDF_ERR_TRUNCATED, something else than an index behind the last block ASDF_ERR_LAYOUT, and a block that
/// must be decoded to judge its checksum and cannot be, whatever decoding it reports. Such files stay as they are.
///
/// @param file      the file
/// @param what      a sum of ASDF_REPAIR_ constants
/// @param options   how to write it, or NULL
/// @param index     gets whether the index was written; may be NULL
/// @param checksums gets the number of blocks that got another checksum; may be NULL
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
            let message = format!("{what} is not a sum of ASDF_REPAIR_ constants");
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

/// Writes a file into memory, as asdf_file_write() writes it.
///
/// @param file    the file
/// @param options how to write it, or NULL
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

/// Writes a file to a descriptor, from where it stands on, in one go from front to back: a pipe will do. What was
/// written before a failure cannot be taken back. The descriptor stays open.
///
/// The library leaves signals alone: a program that does not ignore SIGPIPE ends when it writes to a pipe that nobody
/// reads any more; one that does gets ASDF_ERR_IO.
///
/// @param file       the file
/// @param descriptor file descriptor, open for writing
/// @param options    how to write it, or NULL
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

/// Writes a copy of a file under a name, with each block in a file of its own beside it: the exploded form. Two arrays
/// on one block share a file. The text of the tree and the payloads stay as they are stored.
///
/// The files of blocks are written first, under names that ASDF_OPTION_EXTERNAL_NAMES decides, and replace
/// none; then the main file takes its name. If anything fails, none of them stays, and an existing main file stays as
/// it was; after ASDF_ERR_NOT_DURABLE all are in place. If the program is killed meanwhile, some may be left, whole;
/// exploding the file again takes them for its own.
///
/// A block that no array names stays in the main file under its number, and so do those that something else than an
/// array may name. Arrays in other files stay there, unless their URIs would mean others where the main file is: then
/// their blocks come along, if the options that the file was opened with allow it.
///
/// @param file    the file: opened for reading, for update (with its changes), or new
/// @param path    name of the main file. A file that has it is ASDF_ERR_FILE_EXISTS unless ASDF_OPTION_REPLACE is set;
///                the file itself, a pipe and a device are ASDF_ERR_INVALID_ARGUMENT
/// @param options how to write it, or NULL
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

/// Writes a copy of a file under a name, to which the blocks of arrays in other files are brought. Arrays on the same
/// file share a block. The text of the tree and the payloads stay as they are stored; blocks keep their numbers, and
/// those that are brought follow. References into the trees of other files stay references.
///
/// @param file    the file. The options that it was opened with must allow the other files: if they allow none, it is
///                ASDF_ERR_EXTERNAL_REFERENCE
/// @param path    name of the file to write. A file that has it is ASDF_ERR_FILE_EXISTS unless ASDF_OPTION_REPLACE is
///                set; the file itself, a pipe and a device are ASDF_ERR_INVALID_ARGUMENT
/// @param options how to write it, or NULL
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

/// Lets a file be written although a setter failed, without what that was to set.
///
/// @param file the file
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_forget_failure(file: *mut asdf_file) -> asdf_status {
    guard(|caller| caller.handle(file, "file")?.forget_failure())
}
