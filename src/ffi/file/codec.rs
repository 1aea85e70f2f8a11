//! Codecs that the program brings, as handles that options take.
//!
//! # Codecs
//!
//! A block is compressed by the codec that its label of four bytes names. A program can bring codecs beside those of
//! the library, by options: a call that opens files takes any number; a call that stores an array compresses it with
//! the last one.
//!
//! ```c
//! asdf_codec *codec = NULL;
//! asdf_codec_new("runs", decode_runs, encode_runs, NULL, NULL, &codec);
//! asdf_options_add_codec(options, codec);   // to open files, or to set an array
//! asdf_codec_free(codec);
//! ```

use super::open::asdf_close_callback;
use crate::codec::{Label, LabelledCodec};
use crate::error::{Error, Result, Status};
use crate::ffi::boundary::guard::{guard_handle, guard_retain, guard_silently};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::handle::null_pointer;
use crate::ffi::options::handle::change;
use crate::ffi::options::keys::ASDF_OPTION_CUSTOM_CODECS;

use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_codec, asdf_options};
use crate::ffi::file::lent::LentCodec;
use std::ffi::{c_char, c_void};
use std::sync::Arc;

impl Class for asdf_codec {
    const TAG: u32 = u32::from_be_bytes(*b"CODE");
    const NAME: &'static str = "asdf_codec";
    type Value = LabelledCodec;
}

/// Decodes the stored bytes of a block.
///
/// It is called inside the call that needs the bytes, on the thread of that call, also if the call uses several threads.
/// It is called on several threads at once if files are used so. It must not throw, longjmp or use the file (see
/// Callbacks above). The stored bytes may be damaged or made to do harm.
///
/// @param user        what was given with the callback
/// @param stored      the stored bytes
/// @param stored_size how many they are
/// @param out         gets the decoded bytes
/// @param out_size    how many they must be: the size that the block declares, which may be 0
/// @param decoded     gets how many were written to out; anything but out_size is ASDF_ERR_DECODED_SIZE
/// @return ASDF_OK; ASDF_ERR_CORRUPT, ASDF_ERR_TRUNCATED, ASDF_ERR_DECODED_SIZE or ASDF_ERR_OUT_OF_MEMORY, with which
///         the call fails then; or another number, with which it fails with ASDF_ERR_CALLBACK
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

/// Encodes the bytes of a block, inside the call that writes or saves the file. The rules of asdf_decode_callback hold.
///
/// @param user     what was given with the callback
/// @param data     the bytes
/// @param size     how many they are, at least 1
/// @param out      gets the encoded bytes
/// @param capacity room in out: at first somewhat more than size
/// @param encoded  gets how many were written to out, or with ASDF_ERR_BUFFER_TOO_SMALL how much room is needed
/// @return ASDF_OK; ASDF_ERR_BUFFER_TOO_SMALL, after which it is called once more with the room that it needs;
///         ASDF_ERR_OUT_OF_MEMORY, with which the call fails then; or another number, with which it fails with
///         ASDF_ERR_CALLBACK
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

/// Makes a codec.
///
/// @param label  1 to 4 printable ASCII characters, as they stand in the headers of blocks; others, and the labels of
///               codecs that the library has, are ASDF_ERR_INVALID_ARGUMENT
/// @param decode decodes blocks
/// @param encode encodes blocks; NULL for a codec that only reads
/// @param close  releases what user stands for: called once, when the handle and all options, files and arrays that use
///               the codec are freed. NULL for none. If this call fails, it is not called
/// @param user   given to the callbacks; may be NULL
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
            let message = format!("the label '{}' has more than 4 characters", text.escape_debug());
            return Err(Error::new(Status::InvalidArgument, message));
        }
    }
    Ok(Label(label))
}

/// Adds a codec: files opened with the options, and the files that they lead to, can be read with it; arrays stored
/// with the options are compressed with the codec that was added last. Such arrays can be read again only with the
/// codec.
///
/// @param options the options
/// @param codec   the codec, which replaces an earlier one of the same label. One that only reads is
///                ASDF_ERR_UNSUPPORTED when a file with such an array is written
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_options_add_codec(options: *mut asdf_options, codec: *const asdf_codec) -> asdf_status {
    change(options, |caller, values| {
        values.add_codec(ASDF_OPTION_CUSTOM_CODECS, caller.handle(codec, "codec")?.clone());
        Ok(())
    })
}

/// Gives another owner of a codec.
///
/// @param codec   the codec
/// @param another gets the same codec, to be freed as well; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_codec_retain(codec: *const asdf_codec, another: *mut *mut asdf_codec) -> asdf_status {
    guard_retain(codec, "codec", another)
}

/// Frees a codec. Options, files and arrays that use it keep it alive.
///
/// @param codec the codec, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_codec_free(codec: *mut asdf_codec) {
    guard_silently(|caller| caller.release(codec));
}
