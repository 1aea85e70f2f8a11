//! Callbacks and file descriptors of the program, used for longer than a call.

use super::access::asdf_resolve_callback;
use super::codec::{asdf_decode_callback, asdf_encode_callback};
use super::open::{asdf_close_callback, asdf_read_callback};
use crate::codec::CustomCodec;
use crate::error::{Error, Result, Status};
use crate::ffi::boundary::float_environment::as_caller;
use crate::ffi::boundary::handle::null_pointer;
use crate::ffi::boundary::lent::{Lent, Release};
use crate::ffi::boundary::status::{ASDF_OK, asdf_status};
use crate::progress;
use crate::source::Source;
use std::ffi::{CString, c_void};
use std::sync::Arc;

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

/// A codec whose encoder and decoder are callbacks of the program.
pub(super) struct LentCodec {
    decode: asdf_decode_callback,
    encode: asdf_encode_callback,
    lent: Lent,
}

impl LentCodec {
    pub(super) fn new(
        decode: asdf_decode_callback,
        encode: asdf_encode_callback,
        close: asdf_close_callback,
        user: *mut c_void,
    ) -> LentCodec {
        LentCodec { decode, encode, lent: Lent::new(user, Release::Ignored(close)) }
    }

    /// Makes the library responsible: the close callback runs after the last use of the codec.
    pub(super) fn own(&self) {
        self.lent.own();
    }
}

/// Converts the result of a codec callback to an error, unless it is ASDF_OK.
fn codec_failure(status: asdf_status, verb: &str) -> Result<()> {
    let known = match Status::from_code(status) {
        None if status == ASDF_OK => return Ok(()),
        Some(status @ (Status::Corrupt | Status::Truncated | Status::DecodedSize | Status::OutOfMemory)) => status,
        _ => Status::Callback,
    };
    Err(Error::new(known, format!("the callback that {verb} the block returned {status}")))
}

impl CustomCodec for LentCodec {
    fn decode(&self, stored: &[u8], out: &mut [u8]) -> Result<usize> {
        let Some(decode) = self.decode else { return Err(null_pointer("decode")) };
        let mut decoded = 0;
        let (from, to) = (stored.as_ptr().cast(), out.as_mut_ptr().cast());
        // SAFETY: the program gave the callback with this `user`; the other arguments are ours and live long enough.
        let status = as_caller(|| unsafe { decode(self.lent.user(), from, stored.len(), to, out.len(), &mut decoded) });
        codec_failure(status, "decodes")?;
        Ok(decoded)
    }

    fn encode(&self, data: &[u8], out: &mut Vec<u8>) -> Result<()> {
        let Some(encode) = self.encode else {
            return Err(Error::new(
                Status::Unsupported,
                "the codec of the block can only decode; use a codec with an encode callback",
            ));
        };
        let start = out.len();
        let mut room = data.len().saturating_add(data.len() / 16).saturating_add(1024);
        let mut again = true;
        loop {
            out.try_reserve(room).map_err(|_| Error::out_of_memory(room as u64))?;
            out.resize(start + room, 0);
            let buffer = out.get_mut(start..).unwrap_or_default();
            let (from, to) = (data.as_ptr().cast(), buffer.as_mut_ptr().cast());
            let mut encoded = 0;
            // SAFETY: the program gave the callback with this `user`; the other arguments are ours and live long
            // enough.
            let status = as_caller(|| unsafe { encode(self.lent.user(), from, data.len(), to, room, &mut encoded) });
            if status == Status::BufferTooSmall.code() && again && encoded > room {
                (room, again) = (encoded, false);
                continue;
            }
            codec_failure(status, "encodes")?;
            if encoded > room {
                let message =
                    format!("the encode callback returned a size of {encoded} bytes for a buffer of {room} bytes");
                return Err(Error::new(Status::Callback, message));
            }
            out.truncate(start + encoded);
            return Ok(());
        }
    }
}

/// Opens other files by a callback of the program.
pub(super) struct LentResolver {
    resolve: asdf_resolve_callback,
    lent: Lent,
}

impl LentResolver {
    /// Creates the resolver, which is responsible for `user` immediately.
    pub(super) fn new(resolve: asdf_resolve_callback, close: asdf_close_callback, user: *mut c_void) -> LentResolver {
        let lent = Lent::new(user, Release::Ignored(close));
        lent.own();
        LentResolver { resolve, lent }
    }

    /// Returns the source that the program opens for a URI; `None` if it denies access.
    pub(super) fn open(&self, uri: &str) -> Result<Option<Arc<dyn Source>>> {
        let Some(resolve) = self.resolve else { return Err(null_pointer("resolve")) };
        progress::check()?;
        let uri = CString::new(uri).map_err(|_| Error::new(Status::Path, "the URI contains a NUL"))?;
        let (mut read, mut close, mut source, mut length) = (None, None, std::ptr::null_mut(), 0);
        // SAFETY: the program gave the callback with this `user`; the other arguments are ours and live long enough.
        let status = as_caller(|| unsafe {
            resolve(self.lent.user(), uri.as_ptr(), &mut read, &mut close, &mut source, &mut length)
        });
        let failure = match Status::from_code(status) {
            None if status == ASDF_OK => {
                let opened = CallbackSource::new(read, close, source, u64::try_from(length).unwrap_or_default());
                opened.own();
                if length < 0 {
                    format!("the resolver callback returned a source of {length} bytes; the length must be 0 or more")
                } else if read.is_none() {
                    "the resolver callback returned no read callback".to_owned()
                } else {
                    return Ok(Some(Arc::new(opened)));
                }
            }
            Some(Status::AccessDenied) => return Ok(None),
            Some(Status::FileNotFound) => {
                return Err(Error::new(Status::FileNotFound, "the resolver callback found no such file"));
            }
            _ => format!("the resolver callback returned {status}"),
        };
        Err(Error::new(Status::Callback, failure))
    }
}

/// Duplicates a descriptor, so that the program keeps its own.
#[cfg(unix)]
pub(super) fn duplicate(descriptor: i32) -> Result<std::fs::File> {
    use std::os::fd::BorrowedFd;
    if descriptor < 0 {
        let message = format!("{descriptor} is not a file descriptor; pass one that is 0 or more");
        return Err(Error::new(Status::InvalidArgument, message));
    }
    // SAFETY: not -1. It is only used for a duplication, which fails if the descriptor is not open.
    let borrowed = unsafe { BorrowedFd::borrow_raw(descriptor) };
    let owned = borrowed.try_clone_to_owned();
    owned.map(std::fs::File::from).map_err(|error| Error::io("cannot duplicate the file descriptor", &error))
}

/// Other systems have no such descriptors.
#[cfg(not(unix))]
pub(super) fn duplicate(_: i32) -> Result<std::fs::File> {
    Err(Error::new(Status::Unsupported, "file descriptors are not supported on this system; open the file by name"))
}
