//! Access to other files that a file refers to: the constants, the resolver callback and its setter.
//!
//! # Other files
//!
//! The elements of an array can be in another file, and a reference can point into one. The library opens such a file
//! when it is first needed, and only if the options of the first file allow it. It is opened with the same options,
//! closed with the first file, and counts for ASDF_OPTION_LIMIT_EXTERNAL_FILES and ASDF_OPTION_LIMIT_EXTERNAL_DEPTH.
//!
//! If a file cannot be opened, only the calls that need it fail:
//!
//! - ASDF_ERR_EXTERNAL_REFERENCE if the options allow no other files (the default)
//! - ASDF_ERR_ACCESS_DENIED if the options do not allow this file
//!
//! Neither ".." nor symbolic links lead out of an allowed directory. A URL in ASDF_OPTION_DIRECTORIES allows files on a
//! server, in this directory and below.
//!
//! Names are URIs, relative to the URI of the file that contains them. A file that was not opened by name has neither a
//! URI nor a directory.
//!
//! ```c
//! asdf_options *options = NULL;
//! asdf_options_new(&options);
//! asdf_options_set_int(options, ASDF_OPTION_ACCESS, ASDF_ACCESS_SAME_DIRECTORY);
//! asdf_file_open("exploded.asdf", options, &file);
//! ```

use super::callbacks::{CallbackSource, asdf_close_callback, asdf_read_callback};
use crate::error::{Error, Result, Status};
use crate::ffi::boundary::float_environment::as_caller;
use crate::ffi::boundary::handle::null_pointer;
use crate::ffi::boundary::lent::{Lent, Release};
use crate::ffi::options::handle::change;
use crate::ffi::options::keys::ASDF_OPTION_RESOLVER;
use crate::ffi::options::values::Value;

use crate::ffi::boundary::status::{ASDF_OK, asdf_status};
use crate::ffi::boundary::types::asdf_options;
use crate::file::Access;
use crate::progress;
use crate::source::Source;
use std::ffi::{CString, c_char, c_void};
use std::sync::Arc;

/// No other files (the default).
pub const ASDF_ACCESS_DENY: i32 = 0;
/// Regular files in the directory of the first file and below. For a file on a server, files of the same server there.
pub const ASDF_ACCESS_SAME_DIRECTORY: i32 = 1;

/// Opens the file that a URI names, as a source that the program implements.
///
/// It is called inside the call that needs the file, on the thread of that call. It must not throw, longjmp, or use the
/// file that contains the URI or any file that refers to that one (see Callbacks above). It may be called until that
/// file and all handles that depend on it are freed. The source that it returns is closed together with the file that
/// contains the URI.
///
/// @param user   pointer given with the callback
/// @param uri    URI of the file, without a fragment: absolute, or relative if the first file was not opened by name
/// @param read   gets the callback that reads bytes; NULL before the call
/// @param close  gets the callback that closes the source; NULL before the call, and may stay NULL
/// @param source gets the user pointer of both callbacks; NULL before the call
/// @param length gets the size of the source in bytes; 0 before the call. If it is negative, the call fails with
///               ASDF_ERR_CALLBACK
/// @return ASDF_OK, or a failure: ASDF_ERR_ACCESS_DENIED and ASDF_ERR_FILE_NOT_FOUND become the status of the call; any
///         other number makes it fail with ASDF_ERR_CALLBACK. After a failure close is not called
pub type asdf_resolve_callback = Option<
    unsafe extern "C" fn(
        user: *mut c_void,
        uri: *const c_char,
        read: *mut asdf_read_callback,
        close: *mut asdf_close_callback,
        source: *mut *mut c_void,
        length: *mut i64,
    ) -> asdf_status,
>;

/// Sets a callback that opens other files, with URIs of any scheme.
///
/// @param options the options
/// @param resolve opens the file that a URI names
/// @param close   releases user. It is called once, inside the call that frees the last of the options, their copies,
///                and the files and readers opened with them, on the thread of that call. Its result is ignored. NULL
///                for none. It is not called if this call fails
/// @param user    pointer passed to the callbacks; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_options_set_resolver(
    options: *mut asdf_options,
    resolve: asdf_resolve_callback,
    close: asdf_close_callback,
    user: *mut c_void,
) -> asdf_status {
    change(options, |_, values| {
        if resolve.is_none() {
            return Err(null_pointer("resolve"));
        }
        let resolver = LentResolver::new(resolve, close, user);
        let access = Access::Callback(Arc::new(move |uri| resolver.open(uri)));
        values.set_object(ASDF_OPTION_RESOLVER, Value::Resolver(access));
        Ok(())
    })
}

/// Opens other files by a callback of the program.
struct LentResolver {
    resolve: asdf_resolve_callback,
    lent: Lent,
}

impl LentResolver {
    /// Creates the resolver, which is responsible for `user` immediately.
    fn new(resolve: asdf_resolve_callback, close: asdf_close_callback, user: *mut c_void) -> LentResolver {
        let lent = Lent::new(user, Release::Ignored(close));
        lent.own();
        LentResolver { resolve, lent }
    }

    /// Returns the source that the program opens for a URI; `None` if it denies access.
    fn open(&self, uri: &str) -> Result<Option<Arc<dyn Source>>> {
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
