//! The decoder of tile-compressed images in FITS files, which a program or another library sets.
//!
//! # Tile-compressed images
//!
//! Arrays of an ASDF tree in a FITS file can be tile-compressed images, as those that fpack writes. libasdfkit_formats
//! decodes them: asdf_formats_load() sets it as the decoder. Without a decoder such arrays fail with
//! ASDF_ERR_UNSUPPORTED.

use crate::error::{Error, Status};
use crate::ffi::boundary::float_environment::as_caller;
use crate::ffi::boundary::guard::guard;
use crate::ffi::boundary::status::{ASDF_OK, asdf_status};
use crate::ffi::boundary::thread::{clear_last_error, with_last_error};
use crate::file::{ImageDecoder, set_image_decoder};
use std::ffi::c_void;
use std::sync::Arc;

/// Decodes pixels of a tile-compressed image.
///
/// It is called inside the call that reads the pixels, on the thread of that call. If several threads use files, it is
/// called on several threads at once. It must not throw, longjmp or use the file (see Callbacks above). The bytes of the
/// HDU may be damaged or malicious.
///
/// @param user     pointer given with the callback
/// @param hdu      header and data of the HDU
/// @param hdu_size size of header and data in bytes
/// @param first    number of the first pixel, in the order of the file
/// @param count    number of pixels, at least 1
/// @param pixels   gets the pixels as an image without compression stores them: big-endian, of the type of ZBITPIX,
///                 before BSCALE and BZERO are applied
/// @param capacity size of `pixels` in bytes, which is that of `count` pixels
/// @return ASDF_OK, or a status that becomes that of the call, with the message of asdf_error_set() if that was called
pub type asdf_image_decode_callback = Option<
    unsafe extern "C" fn(
        user: *mut c_void,
        hdu: *const c_void,
        hdu_size: usize,
        first: i64,
        count: i64,
        pixels: *mut c_void,
        capacity: usize,
    ) -> asdf_status,
>;

/// Sets the decoder of tile-compressed images in FITS files, for all files and threads of the process. Arrays that were
/// read before keep the decoder that they had, so callback and pointer stay valid until the end of the process.
///
/// @param decode decodes pixels; NULL for no decoder, as in the beginning
/// @param user   pointer passed to the callback; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_image_decoder_set(decode: asdf_image_decode_callback, user: *mut c_void) -> asdf_status {
    guard(|_| {
        set_image_decoder(decode.map(|decode| {
            let user = User(user);
            let decoder: Arc<ImageDecoder> = Arc::new(move |hdu: &[u8], first, count, pixels: &mut [u8]| {
                let user = user.get();
                let (from, to) = (hdu.as_ptr().cast(), pixels.as_mut_ptr().cast());
                clear_last_error();
                // SAFETY: the program gave the callback with this `user`; the other arguments are ours and live long
                // enough.
                let code = as_caller(|| unsafe { decode(user, from, hdu.len(), first, count, to, pixels.len()) });
                if code == ASDF_OK {
                    return Ok(());
                }
                // A decoder can tell the reason by asdf_error_set.
                let told = with_last_error(|error| error.filter(|error| error.status().code() == code).cloned());
                Err(told.unwrap_or_else(|| {
                    let status = Status::from_code(code).unwrap_or(Status::Callback);
                    Error::new(status, format!("the decoder of tile-compressed images returned {code}"))
                }))
            });
            decoder
        }))
    })
}

/// A pointer of the program, which only goes back to the program.
#[derive(Clone, Copy)]
struct User(*mut c_void);

impl User {
    fn get(self) -> *mut c_void {
        self.0
    }
}

// SAFETY: the library does not use what the pointer leads to. The program promises that its callback works on any thread.
unsafe impl Send for User {}
// SAFETY: as above.
unsafe impl Sync for User {}
