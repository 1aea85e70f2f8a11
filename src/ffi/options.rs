//! The options objects: made with the defaults, changed by setters, read by the calls they are given to.
//!
//! # Options
//!
//! Each kind has a function that makes one with the defaults, setters, and a function that frees it. A call keeps
//! nothing of its options, so they may serve several calls and be freed after any.
//!
//! ```c
//! asdf_open_options *options = NULL;
//! asdf_open_options_new(&options);
//! asdf_open_options_set_verify_checksums(options, 1);
//! asdf_open_options_set_limit(options, ASDF_LIMIT_TREE_BYTES, 16 << 20);
//! asdf_file_open("image.asdf", options, &file);
//! asdf_open_options_free(options);
//! ```

use super::array::{ASDF_BYTEORDER_BIG, ASDF_BYTEORDER_LITTLE};
use super::caller::Caller;
use super::guard::{guard, guard_silently};
use super::handle::Class;
use super::lent::LentMask;
use super::status::asdf_status;
use super::types::{asdf_array_options, asdf_new_options, asdf_open_options, asdf_read_options, asdf_write_options};
use crate::array::{ByteOrder, Order, ReadOptions, TemporaryFiles};
use crate::codec::{Codec, Compression};
use crate::error::{Error, Result, Status};
use crate::file::{ArrayOptions, ExternalNames, OpenOptions, SaveMode, Storage};
use crate::layout::StandardVersion;
use crate::limits::Limits;
use std::ffi::c_char;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What an `asdf_open_options` holds: the options and what only C needs to be told.
#[derive(Clone, Default)]
pub struct OpenChoices {
    pub(super) options: OpenOptions,
    pub(super) borrow: bool,
}

/// What an `asdf_array_options` holds: the options and what only C needs to be told.
#[derive(Clone, Default)]
pub struct ArrayChoices {
    pub(super) options: ArrayOptions,
    pub(super) order: Order,
    pub(super) borrow: bool,
}

/// What an `asdf_read_options` holds: the options and what only C needs to be told.
#[derive(Clone, Default)]
pub struct ReadChoices {
    pub(super) options: ReadOptions,
    pub(super) mask: Option<LentMask>,
}

/// Most bytes of the YAML tree: 1 GiB; at most 4 GiB - 2.
pub const ASDF_LIMIT_TREE_BYTES: i32 = 1;
/// Deepest nesting of collections, in block and in flow style each: 255.
pub const ASDF_LIMIT_DEPTH: i32 = 2;
/// Most nodes of the tree: 100 million.
pub const ASDF_LIMIT_NODES: i32 = 3;
/// Most anchors, and most aliases: 1 million each.
pub const ASDF_LIMIT_ANCHORS: i32 = 4;
/// Most axes of an array: 32, and never more.
pub const ASDF_LIMIT_RANK: i32 = 5;
/// Most blocks: 2^24.
pub const ASDF_LIMIT_BLOCKS: i32 = 6;
/// Most bytes that the library itself holds of decoded blocks: 1 GiB.
pub const ASDF_LIMIT_DECODED_BYTES: i32 = 7;
/// Most other files that one file leads to, also through others: 1,000.
pub const ASDF_LIMIT_EXTERNAL_FILES: i32 = 8;
/// Most files that a look-up may pass through after the one it begins in: 4.
pub const ASDF_LIMIT_EXTERNAL_DEPTH: i32 = 9;
/// Most bytes of temporary files with decoded blocks: 16 GiB.
pub const ASDF_LIMIT_TEMPORARY_BYTES: i32 = 10;

/// In place where that can be done and pays, else as a new file.
pub const ASDF_SAVE_AUTO: i32 = 0;
/// As a new file that takes the place of the old one.
pub const ASDF_SAVE_WHOLE: i32 = 1;
/// In place or not at all.
pub const ASDF_SAVE_IN_PLACE: i32 = 2;

/// The elements have a block of their own.
pub const ASDF_STORAGE_INTERNAL: i32 = 0;
/// The elements are text in the tree.
pub const ASDF_STORAGE_INLINE: i32 = 1;
/// The elements are the only block of another file (the exploded form).
pub const ASDF_STORAGE_EXTERNAL: i32 = 2;
/// The elements are the last block, which runs to the end of the file.
pub const ASDF_STORAGE_STREAMED: i32 = 3;

/// The last index runs fastest, as in C.
pub const ASDF_ORDER_C: i32 = 0;
/// The first index runs fastest, as in Fortran.
pub const ASDF_ORDER_FORTRAN: i32 = 1;

type Options<T> = Mutex<T>;

fn open<T>(options: &Options<T>) -> MutexGuard<'_, T> {
    options.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes options with the defaults.
fn new<T: Default, C: Class<Value = Options<T>>>(options: *mut *mut C) -> asdf_status {
    guard(|caller| {
        caller.handle_out(options, "options")?.put(Options::default());
        Ok(())
    })
}

/// Changes options.
pub(super) fn set<T, C: Class<Value = Options<T>>>(
    options: *mut C,
    change: impl FnOnce(&Caller, &mut T) -> Result<()>,
) -> asdf_status {
    guard(|caller| change(caller, &mut open(caller.handle(options, "options")?)))
}

/// The options that the caller chose, or the defaults.
pub(super) fn chosen<T: Clone + Default, C: Class<Value = Options<T>>>(
    caller: &Caller,
    options: *const C,
) -> Result<T> {
    chosen_as(caller, options, "options")
}

/// The same where there are several options arguments.
pub(super) fn chosen_as<T: Clone + Default, C: Class<Value = Options<T>>>(
    caller: &Caller,
    options: *const C,
    argument: &str,
) -> Result<T> {
    Ok(caller.options(options, argument)?.map_or_else(T::default, |options| open(options).clone()))
}

/// Makes options for opening files: the limits as below, no checksums verified, memory copied.
///
/// @param options gets the options; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_open_options_new(options: *mut *mut asdf_open_options) -> asdf_status {
    new(options)
}

/// Sets how much a file may cost. More than that is ASDF_ERR_LIMIT.
///
/// @param options the options
/// @param limit   one of ASDF_LIMIT_...; another number is ASDF_ERR_INVALID_ARGUMENT
/// @param value   the limit; 0 for the default. More than 32 axes are ASDF_ERR_INVALID_ARGUMENT
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_open_options_set_limit(
    options: *mut asdf_open_options,
    limit: i32,
    value: u64,
) -> asdf_status {
    set(options, |_, choices| {
        let limits = &mut choices.options.limits;
        let defaults = Limits::default();
        let value = (value != 0).then_some(value);
        let small = value.map(|value| u32::try_from(value).unwrap_or(u32::MAX));
        match limit {
            ASDF_LIMIT_TREE_BYTES => limits.tree_bytes = value.unwrap_or(defaults.tree_bytes),
            ASDF_LIMIT_DEPTH => limits.depth = small.unwrap_or(defaults.depth),
            ASDF_LIMIT_NODES => limits.nodes = value.unwrap_or(defaults.nodes),
            ASDF_LIMIT_ANCHORS => limits.anchors = value.unwrap_or(defaults.anchors),
            ASDF_LIMIT_RANK if small > Some(Limits::MAX_RANK) => {
                let message = format!("an array has at most {} axes", Limits::MAX_RANK);
                return Err(Error::new(Status::InvalidArgument, message));
            }
            ASDF_LIMIT_RANK => limits.rank = small.unwrap_or(defaults.rank),
            ASDF_LIMIT_BLOCKS => limits.blocks = value.unwrap_or(defaults.blocks),
            ASDF_LIMIT_DECODED_BYTES => limits.decoded_bytes = value.unwrap_or(defaults.decoded_bytes),
            ASDF_LIMIT_TEMPORARY_BYTES => limits.temporary_bytes = value.unwrap_or(defaults.temporary_bytes),
            ASDF_LIMIT_EXTERNAL_FILES => limits.external_files = small.unwrap_or(defaults.external_files),
            ASDF_LIMIT_EXTERNAL_DEPTH => limits.external_depth = small.unwrap_or(defaults.external_depth),
            _ => return Err(unknown_number("ASDF_LIMIT_", limit)),
        }
        Ok(())
    })
}

/// Sets whether each block is compared with its checksum before its bytes are first given out. A block that differs
/// is ASDF_ERR_CHECKSUM; one without a checksum passes.
///
/// @param options the options
/// @param verify  1 to compare, 0 (the default) not to
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_open_options_set_verify_checksums(
    options: *mut asdf_open_options,
    verify: i32,
) -> asdf_status {
    set(options, |_, choices| {
        choices.options.verify_checksums = verify != 0;
        Ok(())
    })
}

/// Sets whether whatever would be a warning keeps the file from being opened. All block headers are read then.
///
/// @param options the options
/// @param strict  1 to fail, 0 (the default) to warn
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_open_options_set_strict(options: *mut asdf_open_options, strict: i32) -> asdf_status {
    set(options, |_, choices| {
        choices.options.strict = strict != 0;
        Ok(())
    })
}

/// Sets whether asdf_file_open_memory() borrows the bytes instead of copying them. Borrowed bytes must stay valid and
/// unchanged until the file and all that hangs on it, views included, are freed.
///
/// @param options the options
/// @param borrow  1 to borrow, 0 (the default) to copy
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_open_options_set_borrow(options: *mut asdf_open_options, borrow: i32) -> asdf_status {
    set(options, |_, choices| {
        choices.borrow = borrow != 0;
        Ok(())
    })
}

/// Sets whether asdf_array_write_region() waits for the disk before it overwrites what it did not overwrite since the
/// file was saved. If it does not wait, a power cut before the file is saved may leave elements that are neither old nor
/// new; a crash of the program does not.
///
/// @param options the options
/// @param durable 1 (the default) to wait, 0 not to
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_open_options_set_durable(options: *mut asdf_open_options, durable: i32) -> asdf_status {
    set(options, |_, choices| {
        choices.options.durable = durable != 0;
        Ok(())
    })
}

/// Sets whether to read through a map of the file instead of by position, and so also the files that it leads to. On
/// some machines that is faster, on others slower. If somebody else shortens the file while it is open, the program is
/// stopped by SIGBUS, as it is with views.
///
/// @param options the options
/// @param mapped  1 to read through a map what can be mapped, 0 (the default) to read by position
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_open_options_set_mapped(options: *mut asdf_open_options, mapped: i32) -> asdf_status {
    set(options, |_, choices| {
        choices.options.mapped = mapped != 0;
        Ok(())
    })
}

/// Sets whether asdf_file_open_for_update refuses a file that another handle of this library, in this process or another
/// one, has open for update. The lock is advisory: other software does not know it. Where the file system has none,
/// nothing is refused. It ends when the file is closed.
///
/// @param options the options
/// @param lock    1 (the default) to hold the lock and to fail with ASDF_ERR_LOCKED if another does, 0 for no lock
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_open_options_set_lock(options: *mut asdf_open_options, lock: i32) -> asdf_status {
    set(options, |_, choices| {
        choices.options.lock = lock != 0;
        Ok(())
    })
}

/// Sets how many decoded bytes of compressed blocks stay in memory after a part of an array was read, so that the next
/// part of it need not be decoded again. What was used longest ago goes first; closing the file frees all. Whole arrays
/// are decoded into your memory and nothing of them is kept.
///
/// @param options the options
/// @param bytes   the most bytes, for the file and those it leads to together; never more than
///                ASDF_LIMIT_DECODED_BYTES, which is the default. 0 keeps nothing, neither in memory nor on disk
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_open_options_set_cache(options: *mut asdf_open_options, bytes: u64) -> asdf_status {
    set(options, |_, choices| {
        choices.options.cache_bytes = Some(bytes);
        Ok(())
    })
}

/// Sets where the decoded bytes of a block are kept that has more of them than asdf_open_options_set_cache() allows.
/// They go to files without a name, which are gone when the file is closed or the program ends, and take
/// ASDF_LIMIT_TEMPORARY_BYTES at most. Without such files each read of a region decodes the block again, up to what it
/// needs. (Only where elements overlap does that take memory, and more than ASDF_LIMIT_DECODED_BYTES is ASDF_ERR_LIMIT.)
///
/// @param options   the options
/// @param directory name of the directory; NULL (the default) for that of the system, "" for no such files
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_open_options_set_temporary_directory(
    options: *mut asdf_open_options,
    directory: *const c_char,
) -> asdf_status {
    set(options, |caller, choices| {
        choices.options.temporary_files = match directory.is_null() {
            true => TemporaryFiles::SystemDirectory,
            false => match caller.file_name(directory, "directory")? {
                name if name.as_os_str().is_empty() => TemporaryFiles::Never,
                name => TemporaryFiles::Directory(name.to_owned()),
            },
        };
        Ok(())
    })
}

/// Frees options.
///
/// @param options the options, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_open_options_free(options: *mut asdf_open_options) {
    guard_silently(|caller| caller.release(options));
}

/// Makes options for new files: standard 1.6.0.
///
/// @param options gets the options; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_new_options_new(options: *mut *mut asdf_new_options) -> asdf_status {
    new(options)
}

/// Sets the version of the ASDF standard that the file follows; it decides the versions of the tags.
///
/// @param options the options
/// @param version "1.0.0" to "1.6.0", or "1.7.0", which is not stable yet; another is ASDF_ERR_INVALID_ARGUMENT
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_new_options_set_standard(
    options: *mut asdf_new_options,
    version: *const c_char,
) -> asdf_status {
    set(options, |caller, options| {
        let text = caller.text(version, "version")?;
        options.standard = StandardVersion::from_text(text).ok_or_else(|| {
            let message = format!("'{}' is no version of the ASDF standard that is known", text.escape_debug());
            Error::new(Status::InvalidArgument, message)
        })?;
        Ok(())
    })
}

/// Frees options.
///
/// @param options the options, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_new_options_free(options: *mut asdf_new_options) {
    guard_silently(|caller| caller.release(options));
}

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
/// leave an incomplete file; a crash of the program does not.
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

/// Makes options for new arrays: a block of its own without compression and room, elements copied.
///
/// @param options gets the options; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_options_new(options: *mut *mut asdf_array_options) -> asdf_status {
    new(options)
}

/// Sets how the block is compressed.
///
/// @param options the options
/// @param codec   "zlib", "bzp2", "lz4", "lz4f" (one LZ4 frame), "zstd" (one Zstandard frame), "blsc" or "bls2" (one
///                Blosc chunk of format 1 or 2, shuffled and compressed with LZ4; at most 2 GiB); NULL or "" (the
///                default) for none. Another is ASDF_ERR_INVALID_ARGUMENT, one of the last three in a build without it
///                ASDF_ERR_UNKNOWN_CODEC. Every ASDF library reads zlib and bzp2, most read lz4, few the others
/// @param level   0 to 9 for zlib, 1 to 9 for bzp2, 1 to 22 for zstd (the highest take hundreds of megabytes of
///                memory); -1 for the codec's default, the only one that the others have. Another is
///                ASDF_ERR_INVALID_ARGUMENT
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_options_set_compression(
    options: *mut asdf_array_options,
    codec: *const c_char,
    level: i32,
) -> asdf_status {
    set(options, |caller, choices| {
        choices.options.compression = compression(caller, codec, level)?;
        Ok(())
    })
}

/// The compression with this name, NULL or "" for none, and level, -1 for the usual one.
pub(super) fn compression(caller: &Caller, codec: *const c_char, level: i32) -> Result<Option<Compression>> {
    let codec = match caller.optional_text(codec, "codec")? {
        None | Some("") => None,
        Some(name) => Some(Codec::from_name(name)?),
    };
    let level = match level {
        -1 => None,
        _ => Some(
            u32::try_from(level)
                .map_err(|_| Error::new(Status::InvalidArgument, format!("there is no compression level {level}")))?,
        ),
    };
    codec.map(|codec| Compression::new(codec, level)).transpose()
}

/// Sets whether an array that is set where one stands keeps the other keys of that one (its mask, and those that nobody
/// knows), its tag and its comments. It is then in a block; what the mask does not suit is ASDF_ERR_INVALID_ARGUMENT.
///
/// @param options the options
/// @param keep    1 to keep them, 0 (the default) to replace all that stands there
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_options_set_keep(options: *mut asdf_array_options, keep: i32) -> asdf_status {
    set(options, |_, choices| {
        choices.options.keep = keep != 0;
        Ok(())
    })
}

/// Sets where the elements are put.
///
/// An external array is written to a file of its own, beside the file that it is set in and before that, when that is
/// written or saved under a name; into memory or to a descriptor it cannot be written. No file that exists is replaced.
/// To read it later, the open options have to allow other files.
///
/// A streamed array is neither compressed nor has a checksum. Its block comes last, without an index after it, and its
/// first extent is '*' in the tree, so that rows can be appended; one array of a file can be streamed. Once another
/// block follows, it is one like all others.
///
/// @param options the options
/// @param storage ASDF_STORAGE_INTERNAL (the default), ASDF_STORAGE_INLINE, ASDF_STORAGE_EXTERNAL or
///                ASDF_STORAGE_STREAMED; another is ASDF_ERR_INVALID_ARGUMENT
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_options_set_storage(options: *mut asdf_array_options, storage: i32) -> asdf_status {
    set(options, |_, choices| {
        choices.options.storage = storage_of(storage)?;
        Ok(())
    })
}

/// Sets the name of the file that an external array is written to, in the directory of the file that it is set in. If a
/// file of that name exists and holds anything else, writing is ASDF_ERR_FILE_EXISTS.
///
/// @param options the options
/// @param name    the name, without a directory; NULL (the default) for one by asdf_write_options_set_external_names().
///                A path is ASDF_ERR_INVALID_ARGUMENT
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_options_set_external_name(
    options: *mut asdf_array_options,
    name: *const c_char,
) -> asdf_status {
    set(options, |caller, choices| {
        choices.options.external_name = match name.is_null() {
            true => None,
            false => {
                let name = caller.file_name(name, "name")?.as_os_str();
                ExternalNames::check(name)?;
                Some(name.to_owned())
            }
        };
        Ok(())
    })
}

/// Sets in which order elements are in memory, one after the other without gaps. Indices and shapes are those of the
/// array in either order: what a Fortran program declares as a(3, 2) has the shape {3, 2} in ASDF_ORDER_FORTRAN, or
/// {2, 3} in ASDF_ORDER_C.
///
/// @param options the options
/// @param order   ASDF_ORDER_C (the default) or ASDF_ORDER_FORTRAN; another is ASDF_ERR_INVALID_ARGUMENT. It takes the
///                place of strides that were set
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_options_set_order(options: *mut asdf_array_options, order: i32) -> asdf_status {
    set(options, |_, choices| {
        choices.order = order_of(order)?;
        Ok(())
    })
}

/// Sets where each element is in memory, so that a part of a larger array can be written as it lies there. What is
/// between elements does not matter.
///
/// The memory begins with the element at the lowest address, also where strides are negative. From there to the end of
/// the element at the highest address it must reach, else setting an array is ASDF_ERR_INVALID_ARGUMENT. Elements may
/// overlap and need not be aligned.
///
/// The elements are stored packed. Copied ones are packed at once; borrowed ones as they are written, in pieces of
/// 1 MiB, or with the whole array in memory while it is compressed.
///
/// @param options the options
/// @param rank    number of strides: setting an array of another rank with them is ASDF_ERR_INVALID_ARGUMENT
/// @param strides bytes from one element to the next along each axis, slowest axis of the array first; may be negative
///                or zero. They take the place of an order that was set. May be NULL for rank 0
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_options_set_strides(
    options: *mut asdf_array_options,
    rank: i32,
    strides: *const i64,
) -> asdf_status {
    set(options, |caller, choices| {
        choices.order = strides_of(caller, rank, strides)?;
        Ok(())
    })
}

/// Sets in which order the elements follow each other in the file, whatever it is in memory. The array that readers see
/// is the same.
///
/// @param options the options
/// @param order   ASDF_ORDER_C (the default), or ASDF_ORDER_FORTRAN, which the tree tells by strides: this spares
///                turning a large array of Fortran round, but some readers overlook strides. Another is
///                ASDF_ERR_INVALID_ARGUMENT. Without meaning for elements in the tree
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_options_set_stored_order(
    options: *mut asdf_array_options,
    order: i32,
) -> asdf_status {
    set(options, |_, choices| {
        choices.options.stored_order = order_of(order)?;
        Ok(())
    })
}

/// Sets the byte order to store. Borrowed elements are swapped as they are written.
///
/// @param options   the options
/// @param byteorder ASDF_BYTEORDER_LITTLE or ASDF_BYTEORDER_BIG; another is ASDF_ERR_INVALID_ARGUMENT. Default is the
///                  machine's own
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_options_set_byte_order(
    options: *mut asdf_array_options,
    byteorder: i32,
) -> asdf_status {
    set(options, |_, choices| {
        choices.options.byteorder = match byteorder {
            ASDF_BYTEORDER_LITTLE => ByteOrder::Little,
            ASDF_BYTEORDER_BIG => ByteOrder::Big,
            _ => return Err(unknown_number("ASDF_BYTEORDER_", byteorder)),
        };
        Ok(())
    })
}

/// Sets whether the elements are borrowed instead of copied. Borrowed ones must stay valid and unchanged until the file
/// that they are set in, and all that hangs on it, are freed.
///
/// @param options the options
/// @param borrow  1 to borrow, 0 (the default) to copy
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_options_set_borrow(options: *mut asdf_array_options, borrow: i32) -> asdf_status {
    set(options, |_, choices| {
        choices.borrow = borrow != 0;
        Ok(())
    })
}

/// Sets how many bytes are reserved after the payload of the block for later growth.
///
/// @param options the options
/// @param slack   bytes; default 0
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_options_set_slack(options: *mut asdf_array_options, slack: u64) -> asdf_status {
    set(options, |_, choices| {
        choices.options.slack = slack;
        Ok(())
    })
}

/// Sets whether the block gets an MD5 checksum.
///
/// @param options  the options
/// @param checksum 1 or 0; -1 (the default) to do as the options for writing say. Another number is
///                 ASDF_ERR_INVALID_ARGUMENT
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_options_set_checksum(
    options: *mut asdf_array_options,
    checksum: i32,
) -> asdf_status {
    set(options, |_, choices| {
        choices.options.checksum = match checksum {
            -1 => None,
            0 => Some(false),
            1 => Some(true),
            _ => {
                let message = format!("{checksum} is neither 1, 0 nor -1");
                return Err(Error::new(Status::InvalidArgument, message));
            }
        };
        Ok(())
    })
}

/// Frees options.
///
/// @param options the options, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_options_free(options: *mut asdf_array_options) {
    guard_silently(|caller| caller.release(options));
}

/// Makes options for reading: what does not fit is an error, elements arrive in C order without gaps, and no threads are
/// started.
///
/// @param options gets the options; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_read_options_new(options: *mut *mut asdf_read_options) -> asdf_status {
    new(options)
}

/// Sets what becomes of an element that does not fit the datatype asked for. Clamped, it becomes the nearest value that
/// does: integers, float16 and float32 saturate, fractions are cut off on the way to an integer, NaN becomes the
/// integer 0, a complex number on the way to a real one loses its imaginary part.
///
/// @param options the options
/// @param clamp   1 to clamp, 0 (the default) for ASDF_ERR_OVERFLOW
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_read_options_set_clamp(options: *mut asdf_read_options, clamp: i32) -> asdf_status {
    set(options, |_, choices| {
        choices.options.clamp = clamp != 0;
        Ok(())
    })
}

/// Sets in which order elements arrive, one after the other without gaps. Indices and shapes are those of the array in
/// either order: what a Fortran program declares as a(3, 2) has the shape {3, 2} in ASDF_ORDER_FORTRAN, or {2, 3} in
/// ASDF_ORDER_C.
///
/// @param options the options
/// @param order   ASDF_ORDER_C (the default) or ASDF_ORDER_FORTRAN; another is ASDF_ERR_INVALID_ARGUMENT. It takes the
///                place of strides that were set
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_read_options_set_order(options: *mut asdf_read_options, order: i32) -> asdf_status {
    set(options, |_, choices| {
        choices.options.order = order_of(order)?;
        Ok(())
    })
}

/// Sets where elements go: into a larger array, say, or every other one. Bytes between them stay as they are, and so do
/// all bytes after the last, however large the memory is.
///
/// The memory begins with the element at the lowest address, also where strides are negative. From there to the end of
/// the element at the highest address it must have room, else reading is ASDF_ERR_BUFFER_TOO_SMALL. Elements must not
/// overlap: sorted by size, each stride is at least the bytes from the first to the last that the smaller ones reach,
/// else reading is ASDF_ERR_INVALID_ARGUMENT. The stride of an axis with one element does not matter.
///
/// @param options the options
/// @param rank    number of strides: reading an array of another rank with them is ASDF_ERR_INVALID_ARGUMENT
/// @param strides bytes from one element to the next along each axis, slowest axis of the array first. They take the
///                place of an order that was set. May be NULL for rank 0
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_read_options_set_strides(
    options: *mut asdf_read_options,
    rank: i32,
    strides: *const i64,
) -> asdf_status {
    set(options, |caller, choices| {
        choices.options.order = strides_of(caller, rank, strides)?;
        Ok(())
    })
}

/// Sets how many threads may work on one call, the calling one included. Decoding uses several where the codec allows
/// it: lz4 by chunks, bzp2, blsc and bls2 by their blocks. All have ended when the call returns, and callbacks run on
/// the calling thread alone.
///
/// @param options the options
/// @param threads at least 1 (the default); less is ASDF_ERR_INVALID_ARGUMENT
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_read_options_set_threads(options: *mut asdf_read_options, threads: i32) -> asdf_status {
    set(options, |_, choices| {
        choices.options.threads = thread_count(threads)?;
        Ok(())
    })
}

/// Frees options.
///
/// @param options the options, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_read_options_free(options: *mut asdf_read_options) {
    guard_silently(|caller| caller.release(options));
}

fn strides_of(caller: &Caller, rank: i32, strides: *const i64) -> Result<Order> {
    let rank = super::datatype::rank(rank)?;
    Ok(Order::Strided(caller.numbers(strides, rank, "strides")?.to_vec()))
}

pub(super) fn storage_of(storage: i32) -> Result<Storage> {
    match storage {
        ASDF_STORAGE_INTERNAL => Ok(Storage::Internal),
        ASDF_STORAGE_INLINE => Ok(Storage::Inline),
        ASDF_STORAGE_EXTERNAL => Ok(Storage::External),
        ASDF_STORAGE_STREAMED => Ok(Storage::Streamed),
        _ => Err(unknown_number("ASDF_STORAGE_", storage)),
    }
}

fn order_of(order: i32) -> Result<Order> {
    match order {
        ASDF_ORDER_C => Ok(Order::C),
        ASDF_ORDER_FORTRAN => Ok(Order::Fortran),
        _ => Err(unknown_number("ASDF_ORDER_", order)),
    }
}

fn thread_count(threads: i32) -> Result<usize> {
    usize::try_from(threads).ok().filter(|&threads| threads > 0).ok_or_else(|| {
        Error::new(Status::InvalidArgument, format!("{threads} threads can do nothing; at least 1 does"))
    })
}

pub(super) fn unknown_number(constants: &str, number: i32) -> Error {
    Error::new(Status::InvalidArgument, format!("{number} is none of {constants}..."))
}
