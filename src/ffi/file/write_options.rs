//! The options of writing a file.
//!
//! # Options of writing
//!
//! How a file gets to the disk, and what it holds besides tree and elements.

use crate::error::{Error, Status};
use crate::ffi::boundary::arguments::{new, set, thread_count, unknown_number};
use crate::ffi::boundary::guard::guard_silently;
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::asdf_write_options;
use crate::file::{ExternalNames, SaveMode, WriteOptions};
use crate::process::ForkRwLock;
use std::ffi::c_char;

impl Class for asdf_write_options {
    const TAG: u32 = u32::from_be_bytes(*b"OWRI");
    const NAME: &'static str = "asdf_write_options";
    type Value = ForkRwLock<WriteOptions>;
}

/// In place where that can be done and pays, else as a new file.
pub const ASDF_SAVE_AUTO: i32 = 0;
/// As a new file that takes the place of the old one.
pub const ASDF_SAVE_WHOLE: i32 = 1;
/// In place or not at all.
pub const ASDF_SAVE_IN_PLACE: i32 = 2;

/// Makes options for writing files: durable, payloads aligned to 64 bytes, room after the tree that follows its size,
/// checksums, a block index.
///
/// @param options gets the options; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_write_options_new(options: *mut *mut asdf_write_options) -> asdf_status {
    new(options)
}

/// Sets whether asdf_file_write() waits until data and name are on the disk. If it does not, a power cut soon after may
/// leave an incomplete file; a crash of the program does not. If the last wait fails, for the name of a file that is in
/// place, that is ASDF_ERR_NOT_DURABLE.
///
/// @param options the options
/// @param durable 1 (the default) to wait, 0 not to
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_write_options_set_durable(options: *mut asdf_write_options, durable: i32) -> asdf_status {
    set(options, |_, options| {
        options.durable = durable != 0;
        Ok(())
    })
}

/// Sets at multiples of how many bytes of the file payloads begin.
///
/// @param options   the options
/// @param alignment a power of two up to 4096, 1 for no alignment; default 64. Another is ASDF_ERR_INVALID_ARGUMENT
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_write_options_set_alignment(
    options: *mut asdf_write_options,
    alignment: u32,
) -> asdf_status {
    set(options, |_, options| {
        if !alignment.is_power_of_two() || alignment > 4096 {
            let message = format!("an alignment of {alignment} bytes: it is a power of two up to 4096");
            return Err(Error::new(Status::InvalidArgument, message));
        }
        options.alignment = alignment;
        Ok(())
    })
}

/// Sets how many bytes are left free after the tree, so that it can grow later without moving the blocks.
///
/// @param options the options
/// @param slack   bytes; -1 (the default) for a number that follows the tree's size
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_write_options_set_tree_slack(
    options: *mut asdf_write_options,
    slack: i64,
) -> asdf_status {
    set(options, |_, options| {
        options.tree_slack = match slack {
            -1 => None,
            _ => Some(u64::try_from(slack).map_err(|_| {
                Error::new(Status::InvalidArgument, format!("{slack} bytes cannot be left free; -1 is by size"))
            })?),
        };
        Ok(())
    })
}

/// Sets whether MD5 checksums are written, except for arrays whose own options decide.
///
/// @param options   the options
/// @param checksums 1 (the default) to write them, 0 not to
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_write_options_set_checksums(
    options: *mut asdf_write_options,
    checksums: i32,
) -> asdf_status {
    set(options, |_, options| {
        options.checksums = checksums != 0;
        Ok(())
    })
}

/// Sets whether a block index is written, by which readers find a block without going through those before it.
///
/// @param options     the options
/// @param block_index 1 (the default) to write it, 0 not to
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_write_options_set_block_index(
    options: *mut asdf_write_options,
    block_index: i32,
) -> asdf_status {
    set(options, |_, options| {
        options.block_index = block_index != 0;
        Ok(())
    })
}

/// Sets the names of the files that external arrays are written to, beside the main file. Names that exist already are
/// passed over, so that a main file that leads to them stays whole.
///
/// @param options the options
/// @param pattern the name of a file, in which "{number}" stands for a number of at least four digits, from 0000 on, and
///                "{name}" for the name of the main file without its last extension; NULL for the default,
///                "{name}{number}.asdf". One without "{number}", or with a directory, is ASDF_ERR_INVALID_ARGUMENT
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_write_options_set_external_names(
    options: *mut asdf_write_options,
    pattern: *const c_char,
) -> asdf_status {
    set(options, |caller, options| {
        options.external_names = match caller.optional_text(pattern, "pattern")? {
            Some(pattern) => ExternalNames::new(pattern)?,
            None => ExternalNames::default(),
        };
        Ok(())
    })
}

/// Sets how many threads may compress, the calling one included. zlib and lz4 make use of several; what is written does
/// not depend on how many. All have ended when the call returns, and callbacks run on the calling thread alone.
///
/// @param options the options
/// @param threads at least 1 (the default); less is ASDF_ERR_INVALID_ARGUMENT
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_write_options_set_threads(options: *mut asdf_write_options, threads: i32) -> asdf_status {
    set(options, |_, options| {
        options.threads = thread_count(threads)?;
        Ok(())
    })
}

/// Sets whether asdf_file_save() changes the file where it lies.
///
/// In place, the tree is written into the room between it and the first block (in a file without blocks, to the end of
/// the file, which may grow), and new blocks take the place of the block index and what is behind it: a scalar is
/// changed in a file of any size at the cost of its tree. An undo journal beside the file, ".NAME.asdf-journal", is
/// there as long as that lasts; this library reads and repairs with it what was interrupted, other readers may meet a
/// mix. What cannot be saved in place: a tree that has outgrown its room (but see asdf_write_options_set_insert_room()),
/// an array with another block under the same number, a file with several names (hard links).
///
/// @param options the options
/// @param mode    ASDF_SAVE_AUTO (the default): in place if that can be done and the file is larger than 256 KiB and
///                than what is to be written in place. ASDF_SAVE_WHOLE: always as a new file, so that every reader
///                finds the old one or the new one. ASDF_SAVE_IN_PLACE: what cannot be saved in place is
///                ASDF_ERR_NOT_IN_PLACE, and nothing is written. Another number is ASDF_ERR_INVALID_ARGUMENT
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_write_options_set_save_mode(options: *mut asdf_write_options, mode: i32) -> asdf_status {
    set(options, |_, options| {
        options.save_mode = match mode {
            ASDF_SAVE_AUTO => SaveMode::Auto,
            ASDF_SAVE_WHOLE => SaveMode::Whole,
            ASDF_SAVE_IN_PLACE => SaveMode::InPlace,
            _ => return Err(unknown_number("ASDF_SAVE_", mode)),
        };
        Ok(())
    })
}

/// Sets whether the blocks may be moved when a tree has outgrown its room and is to be saved in place: the file system
/// inserts more room before them at once, whatever their size. That is done on ext4, where it is one transaction, if a
/// page begins in the room (as in files larger than 256 KiB that this library wrote), and if nobody has views of the
/// file by this library; programs that map it otherwise see their pages move. Elsewhere, or without this, the file is
/// written anew, with its blocks shared by both files where the file system can do that (XFS, Btrfs and others).
///
/// @param options the options
/// @param insert  1 (the default) to insert room where that can be done, 0 to leave the blocks where they are
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_write_options_set_insert_room(
    options: *mut asdf_write_options,
    insert: i32,
) -> asdf_status {
    set(options, |_, options| {
        options.insert_room = insert != 0;
        Ok(())
    })
}

/// Frees options.
///
/// @param options the options, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_write_options_free(options: *mut asdf_write_options) {
    guard_silently(|caller| caller.release(options));
}
