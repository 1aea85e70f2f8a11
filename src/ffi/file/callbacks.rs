//! Sources that the program implements: their callbacks, and the source that calls them.
//!
//! # Sources
//!
//! A program can implement the source of a file, of a table or of an array: the library asks a callback for the bytes
//! that it needs, and calls another one when it no longer needs the source.

use crate::error::{Error, Result, Status};
use crate::ffi::boundary::float_environment::as_caller;
use crate::ffi::boundary::handle::null_pointer;
use crate::ffi::boundary::lent::{Lent, Release};
use crate::ffi::boundary::status::{ASDF_OK, asdf_status};
use crate::ffi::boundary::thread::{replace_last_error, take_last_error};
use crate::progress;
use crate::source::{RawRanges, Source, failure_of_reader};
use std::ffi::c_void;

/// Reads bytes of a source that the program implements.
///
/// It is called inside the call that needs the bytes, on the thread of that call, even if the call uses several
/// threads. If several threads use the file, it may be called on several threads at once. It must not throw, longjmp,
/// or use the file or the reader (see Callbacks above).
///
/// @param user   pointer given with the callback
/// @param offset position of the first byte
/// @param buffer gets the bytes
/// @param size   number of bytes to read, at least 1, never beyond the end of the source
/// @param got    gets the number of bytes read, at least 1; if it is less than size, the callback is called again for
///               the rest
/// @return ASDF_OK, or any other number for failure: the call that needed the bytes fails with ASDF_ERR_CALLBACK
pub type asdf_read_callback = Option<
    unsafe extern "C" fn(
        user: *mut c_void,
        offset: i64,
        buffer: *mut c_void,
        size: usize,
        got: *mut usize,
    ) -> asdf_status,
>;

/// Reads several ranges of a source that the program implements, for which a request takes long.
///
/// It is called as asdf_read_callback is. It fills all buffers, or fails.
///
/// @param user    pointer given with the callback
/// @param count   number of ranges, at least 1
/// @param offsets position of the first byte of each range
/// @param sizes   number of bytes of each range, at least 1. Ranges do not reach beyond the end of the source
/// @param buffers memory for the bytes of each range
/// @return ASDF_OK, or a failure. One of ASDF_ERR_FILE_NOT_FOUND, ASDF_ERR_PERMISSION_DENIED, ASDF_ERR_ACCESS_DENIED,
///         ASDF_ERR_FILE_CHANGED, ASDF_ERR_TRUNCATED, ASDF_ERR_IO, ASDF_ERR_OUT_OF_MEMORY, ASDF_ERR_CANCELLED and
///         ASDF_ERR_UNSUPPORTED becomes the status of the call that needed the bytes, with the message that the callback
///         gave to asdf_error_set(). Any other number makes the call fail with ASDF_ERR_CALLBACK
pub type asdf_read_ranges_callback = Option<
    unsafe extern "C" fn(
        user: *mut c_void,
        count: usize,
        offsets: *const i64,
        sizes: *const usize,
        buffers: *const *mut c_void,
    ) -> asdf_status,
>;

/// Releases the data that other callbacks use. It is called once, inside the call that ends the last use, on the thread
/// of that call:
///
/// - source: asdf_file_close(), or the _free function of the reader or of the last handle that depends on the file
/// - elements of an array: as for asdf_release_callback
/// - codec or resolver: the _free function of the last codec, options, file, node, array or reader that uses it, or the
///   call that unsets or replaces it in the last options
///
/// It must not throw, longjmp or use the file (see Callbacks above). It is never called in a forked child of the
/// process that passed the callback.
///
/// @param user pointer given with the callback
/// @return ASDF_OK, or any other number for failure, which asdf_file_close() reports and other calls ignore
pub type asdf_close_callback = Option<unsafe extern "C" fn(user: *mut c_void) -> asdf_status>;

/// A source whose bytes a callback of the program reads.
pub(crate) struct CallbackSource {
    read: asdf_read_callback,
    length: u64,
    lent: Lent,
}

impl CallbackSource {
    pub(crate) fn new(
        read: asdf_read_callback,
        close: asdf_close_callback,
        user: *mut c_void,
        length: u64,
    ) -> CallbackSource {
        CallbackSource { read, length, lent: Lent::new(user, Release::Reported(close)) }
    }

    /// Makes the library responsible: the close callback runs after the last use of the source.
    pub(crate) fn own(&self) {
        self.lent.own();
    }
}

impl Source for CallbackSource {
    fn len(&self) -> u64 {
        self.length
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let Some(read) = self.read else { return Err(null_pointer("read")) };
        let available = usize::try_from(self.length.saturating_sub(offset)).unwrap_or(usize::MAX);
        let mut done = 0;
        while let Some(rest) = buffer.get_mut(done..available.min(buffer.len())).filter(|rest| !rest.is_empty()) {
            // The callback decides how many calls this takes, and how long each takes.
            progress::check()?;
            let at = offset + done as u64;
            let asked = rest.len();
            let mut got = 0;
            let offset = i64::try_from(at).map_err(|_| Error::limit("an offset in a source", i64::MAX as u64))?;
            // SAFETY: the program gave the callback with this `user`; buffer and `got` are ours and live long enough.
            let status =
                as_caller(|| unsafe { read(self.lent.user(), offset, rest.as_mut_ptr().cast(), asked, &mut got) });
            let failure = match got {
                _ if status != ASDF_OK => format!("the read callback returned {status} for a request of {asked} bytes"),
                0 => format!(
                    "the read callback returned 0 bytes, but {} bytes remain before the end of the source",
                    self.length - at
                ),
                _ if got > asked => {
                    format!("the read callback returned a count of {got} bytes for a request of {asked}")
                }
                _ => {
                    done += got;
                    continue;
                }
            };
            return Err(Error::new(Status::Callback, failure).at_offset(at));
        }
        Ok(done)
    }
}

/// A source whose ranges a callback of the program reads.
pub(crate) struct RangesSource {
    read: asdf_read_ranges_callback,
    length: u64,
    request_cost: u64,
    lent: Lent,
}

impl RangesSource {
    pub(crate) fn new(
        read: asdf_read_ranges_callback,
        close: asdf_close_callback,
        user: *mut c_void,
        length: u64,
        request_cost: u64,
    ) -> RangesSource {
        RangesSource { read, length, request_cost, lent: Lent::new(user, Release::Reported(close)) }
    }

    /// Makes the library responsible: the close callback runs after the last use of the source.
    pub(crate) fn own(&self) {
        self.lent.own();
    }
}

impl Source for RangesSource {
    fn len(&self) -> u64 {
        self.length
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let available = usize::try_from(self.length.saturating_sub(offset)).unwrap_or(usize::MAX);
        let size = available.min(buffer.len());
        match buffer.get_mut(..size).filter(|wanted| !wanted.is_empty()) {
            Some(wanted) => self.read_ranges(&mut [(offset, wanted)]).map(|()| size),
            None => Ok(0),
        }
    }

    fn read_ranges(&self, ranges: &mut [(u64, &mut [u8])]) -> Result<()> {
        let Some(read) = self.read else { return Err(null_pointer("read")) };
        let raw = RawRanges::new(ranges, self.length)?;
        let Some(&first) = raw.offsets.first() else { return Ok(()) };
        progress::check()?;
        let before = take_last_error();
        // SAFETY: the program gave the callback with this `user`; the arrays and the buffers are ours, have `count`
        // elements and the stated sizes, and live long enough.
        let status = as_caller(|| unsafe {
            let (offsets, sizes, buffers) = (raw.offsets.as_ptr(), raw.sizes.as_ptr(), raw.buffers.as_ptr());
            read(self.lent.user(), raw.offsets.len(), offsets, sizes, buffers)
        });
        let said = take_last_error();
        replace_last_error(before);
        if status == ASDF_OK {
            return Ok(());
        }
        let said = |status| said.filter(|said| said.status() == status).map(|said| said.message().to_owned());
        Err(failure_of_reader(status, said).at_offset(first as u64))
    }

    fn request_cost(&self) -> u64 {
        self.request_cost
    }
}
