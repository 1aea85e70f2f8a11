//! The options of new arrays and of reading.
//!
//! # Options of arrays
//!
//! Where and how the elements of a new array are stored, and how elements arrive that are read.

use super::read::{ASDF_BYTEORDER_BIG, ASDF_BYTEORDER_LITTLE};
use crate::array::{ByteOrder, Order, ReadOptions};
use crate::codec::{Codec, Compression};
use crate::error::{Error, Result, Status};
use crate::ffi::boundary::arguments::{new, set, thread_count, unknown_number};
use crate::ffi::boundary::caller::Caller;
use crate::ffi::boundary::guard::guard_silently;
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::lent::LentMask;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_array_options, asdf_read_options};
use crate::file::{ArrayOptions, ExternalNames, Storage};
use crate::process::ForkRwLock;
use std::ffi::c_char;

impl Class for asdf_read_options {
    const TAG: u32 = u32::from_be_bytes(*b"OREA");
    const NAME: &'static str = "asdf_read_options";
    type Value = ForkRwLock<ReadChoices>;
}

impl Class for asdf_array_options {
    const TAG: u32 = u32::from_be_bytes(*b"OARR");
    const NAME: &'static str = "asdf_array_options";
    type Value = ForkRwLock<ArrayChoices>;
}

/// What an `asdf_array_options` holds: the options and what only C needs to be told.
#[derive(Clone, Default)]
pub struct ArrayChoices {
    pub(crate) options: ArrayOptions,
    pub(crate) order: Order,
    pub(crate) borrow: bool,
}

/// What an `asdf_read_options` holds: the options and what only C needs to be told.
#[derive(Clone, Default)]
pub struct ReadChoices {
    pub(crate) options: ReadOptions,
    pub(crate) mask: Option<LentMask>,
}

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
pub(crate) fn compression(caller: &Caller, codec: *const c_char, level: i32) -> Result<Option<Compression>> {
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

pub(super) fn strides_of(caller: &Caller, rank: i32, strides: *const i64) -> Result<Order> {
    let rank = super::datatype::rank(rank)?;
    Ok(Order::Strided(caller.numbers(strides, rank, "strides")?.to_vec()))
}

pub(crate) fn storage_of(storage: i32) -> Result<Storage> {
    match storage {
        ASDF_STORAGE_INTERNAL => Ok(Storage::Internal),
        ASDF_STORAGE_INLINE => Ok(Storage::Inline),
        ASDF_STORAGE_EXTERNAL => Ok(Storage::External),
        ASDF_STORAGE_STREAMED => Ok(Storage::Streamed),
        _ => Err(unknown_number("ASDF_STORAGE_", storage)),
    }
}

pub(super) fn order_of(order: i32) -> Result<Order> {
    match order {
        ASDF_ORDER_C => Ok(Order::C),
        ASDF_ORDER_FORTRAN => Ok(Order::Fortran),
        _ => Err(unknown_number("ASDF_ORDER_", order)),
    }
}
