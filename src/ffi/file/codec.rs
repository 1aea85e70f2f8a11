//! Codecs that the program implements, as handles that are added to options.
//!
//! # Codecs
//!
//! Each block has a label of four bytes that names its codec. A program can add its own codecs to those of the library
//! through options: a call that opens files accepts any number of codecs; a call that stores an array compresses it
//! with the codec that was added last.
//!
//! ```c
//! asdf_codec *codec = NULL;
//! asdf_codec_new("runs", decode_runs, encode_runs, NULL, NULL, &codec);
//! asdf_options_add_codec(options, codec);   // to open files, or to set an array
//! asdf_codec_free(codec);
//! ```

use super::callbacks::asdf_close_callback;
use crate::codec::{CustomCodec, Label, LabelledCodec};
use crate::error::{Error, Result, Status};
use crate::ffi::boundary::float_environment::as_caller;
use crate::ffi::boundary::guard::{guard_handle, guard_retain, guard_silently};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::handle::null_pointer;
use crate::ffi::boundary::lent::{Lent, Release};
use crate::ffi::options::handle::change;
use crate::ffi::options::keys::ASDF_OPTION_CUSTOM_CODECS;

use crate::ffi::boundary::status::{ASDF_OK, asdf_status};
use crate::ffi::boundary::types::{asdf_codec, asdf_options};
use std::ffi::{c_char, c_void};
use std::sync::Arc;

impl Class for asdf_codec {
    const TAG: u32 = u32::from_be_bytes(*b"CODE");
    const NAME: &'static str = "asdf_codec";
    type Value = LabelledCodec;
}

/// Decodes the stored bytes of a block.
///
/// It is called inside the call that needs the bytes, on the thread of that call, even if the call uses several
/// threads. If several threads use files, it is called on several threads at once. It must not throw, longjmp or use
/// the file (see Callbacks above). The stored bytes may be damaged or malicious.
///
/// @param user        pointer given with the callback
/// @param stored      the stored bytes
/// @param stored_size size of the stored bytes
/// @param out         gets the decoded bytes
/// @param out_size    required number of decoded bytes: the size that the block declares, which may be 0
/// @param decoded     gets the number of bytes written to out; if it is not out_size, the call fails with
///                    ASDF_ERR_DECODED_SIZE
/// @return ASDF_OK, or a failure: ASDF_ERR_CORRUPT, ASDF_ERR_TRUNCATED, ASDF_ERR_DECODED_SIZE and
///         ASDF_ERR_OUT_OF_MEMORY become the status of the call; any other number makes it fail with ASDF_ERR_CALLBACK
pub type asdf_decode_callback = Option<
    unsafe extern "C" fn(
        user: *mut c_void,
        stored: *const c_void,
        stored_size: usize,
        out: *mut c_void,
        out_size: usize,
        decoded: *mut usize,
    ) -> asdf_status,
>;

/// Encodes the bytes of a block, inside the call that writes or saves the file. The rules of asdf_decode_callback
/// apply.
///
/// @param user     pointer given with the callback
/// @param data     bytes to encode
/// @param size     number of bytes to encode, at least 1
/// @param out      gets the encoded bytes
/// @param capacity size of out in bytes: slightly more than size in the first call
/// @param encoded  gets the number of bytes written to out, or with ASDF_ERR_BUFFER_TOO_SMALL the required size of out
/// @return ASDF_OK, or ASDF_ERR_BUFFER_TOO_SMALL to be called once more with an out of the required size, or a failure:
///         ASDF_ERR_OUT_OF_MEMORY becomes the status of the call; any other number makes it fail with ASDF_ERR_CALLBACK
pub type asdf_encode_callback = Option<
    unsafe extern "C" fn(
        user: *mut c_void,
        data: *const c_void,
        size: usize,
        out: *mut c_void,
        capacity: usize,
        encoded: *mut usize,
    ) -> asdf_status,
>;

/// Creates a codec.
///
/// @param label  label in the headers of blocks: 1 to 4 printable ASCII characters; ASDF_ERR_INVALID_ARGUMENT for other
///               texts and for labels of the library's own codecs
/// @param decode decodes blocks
/// @param encode encodes blocks; NULL for a codec that only reads
/// @param close  releases user. It is called once, when the handle and all options, files and arrays that use the codec
///               are freed. NULL for none. It is not called if this call fails
/// @param user   pointer passed to the callbacks; may be NULL
/// @param codec  gets the codec; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_codec_new(
    label: *const c_char,
    decode: asdf_decode_callback,
    encode: asdf_encode_callback,
    close: asdf_close_callback,
    user: *mut c_void,
    codec: *mut *mut asdf_codec,
) -> asdf_status {
    guard_handle(codec, "codec", |caller| {
        let label = label_of(caller.text(label, "label")?)?;
        if decode.is_none() {
            return Err(null_pointer("decode"));
        }
        let lent = Arc::new(LentCodec::new(decode, encode, close, user));
        let made = LabelledCodec::new(label, lent.clone())?;
        lent.own();
        Ok(made)
    })
}

fn label_of(text: &str) -> Result<Label> {
    let mut label = [0; 4];
    match label.get_mut(..text.len()) {
        Some(start) => start.copy_from_slice(text.as_bytes()),
        None => {
            let message = format!("the codec label '{}' has more than 4 characters", text.escape_debug());
            return Err(Error::new(Status::InvalidArgument, message));
        }
    }
    Ok(Label(label))
}

/// Adds a codec to options. Files opened with these options, and the files that they refer to, can then be read with
/// the codec. Arrays stored with these options are compressed with the codec that was added last; they can be read
/// again only with that codec.
///
/// @param options the options
/// @param codec   the codec; it replaces an earlier one with the same label. If it cannot encode, writing a file with
///                such an array fails with ASDF_ERR_UNSUPPORTED
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_options_add_codec(options: *mut asdf_options, codec: *const asdf_codec) -> asdf_status {
    change(options, |caller, values| {
        values.add_codec(ASDF_OPTION_CUSTOM_CODECS, caller.handle(codec, "codec")?.clone());
        Ok(())
    })
}

/// Adds an owner to a codec.
///
/// @param codec   the codec
/// @param another gets another handle of the same codec, to be freed as well; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_codec_retain(codec: *const asdf_codec, another: *mut *mut asdf_codec) -> asdf_status {
    guard_retain(codec, "codec", another)
}

/// Gives up one owner of a codec. Options, files and arrays that use the codec keep it alive.
///
/// @param codec the codec, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_codec_free(codec: *mut asdf_codec) {
    guard_silently(|caller| caller.release(codec));
}

/// A codec whose encoder and decoder are callbacks of the program.
struct LentCodec {
    decode: asdf_decode_callback,
    encode: asdf_encode_callback,
    lent: Lent,
}

impl LentCodec {
    fn new(
        decode: asdf_decode_callback,
        encode: asdf_encode_callback,
        close: asdf_close_callback,
        user: *mut c_void,
    ) -> LentCodec {
        LentCodec { decode, encode, lent: Lent::new(user, Release::Ignored(close)) }
    }

    /// Makes the library responsible: the close callback runs after the last use of the codec.
    fn own(&self) {
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
