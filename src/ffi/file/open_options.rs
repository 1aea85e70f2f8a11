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

use crate::array::TemporaryFiles;
use crate::error::{Error, Result, Status};
use crate::ffi::boundary::arguments::{new, set, unknown_number};
use crate::ffi::boundary::guard::guard_silently;
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_new_options, asdf_open_options};
use crate::file::{NewOptions, OpenOptions};
use crate::layout::StandardVersion;
use crate::limits::Limits;
use crate::process::ForkRwLock;
use std::ffi::c_char;

impl Class for asdf_new_options {
    const TAG: u32 = u32::from_be_bytes(*b"ONEW");
    const NAME: &'static str = "asdf_new_options";
    type Value = ForkRwLock<NewOptions>;
}

impl Class for asdf_open_options {
    const TAG: u32 = u32::from_be_bytes(*b"OOPE");
    const NAME: &'static str = "asdf_open_options";
    type Value = ForkRwLock<OpenChoices>;
}

/// What an `asdf_open_options` holds: the options and what only C needs to be told.
#[derive(Clone, Default)]
pub struct OpenChoices {
    pub(super) options: OpenOptions,
    pub(super) borrow: bool,
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
/// Most bytes of one record of a table in text: 256 MiB.
pub const ASDF_LIMIT_RECORD_BYTES: i32 = 11;
/// Most elements in one cell of a table, by its declared shape: 2^24.
pub const ASDF_LIMIT_CELL_ELEMENTS: i32 = 12;
/// Most bytes of memory of a table or batch beyond those stored: 4 GiB.
pub const ASDF_LIMIT_TABLE_BYTES: i32 = 13;

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
    set(options, |_, choices| set_limit(&mut choices.options.limits, limit, value))
}

/// Sets one limit by its number; 0 for the default.
pub(crate) fn set_limit(limits: &mut Limits, limit: i32, value: u64) -> Result<()> {
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
        ASDF_LIMIT_TABLE_BYTES => limits.table_bytes = value.unwrap_or(defaults.table_bytes),
        ASDF_LIMIT_RECORD_BYTES => limits.record_bytes = value.unwrap_or(defaults.record_bytes),
        ASDF_LIMIT_CELL_ELEMENTS => limits.cell_elements = value.unwrap_or(defaults.cell_elements),
        ASDF_LIMIT_EXTERNAL_FILES => limits.external_files = small.unwrap_or(defaults.external_files),
        ASDF_LIMIT_EXTERNAL_DEPTH => limits.external_depth = small.unwrap_or(defaults.external_depth),
        _ => return Err(unknown_number("ASDF_LIMIT_", limit)),
    }
    Ok(())
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
