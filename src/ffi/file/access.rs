//! Which other files a file may lead to: the setters of the open options, and the callback that opens them.
//!
//! # Other files
//!
//! Elements of an array can be in another file, and a reference can lead into one. Such files are opened when they are
//! needed, each once, and only if the options that the first file was opened with allow it. They are opened with the
//! same options, closed with the first file, and count for ASDF_OPTION_LIMIT_EXTERNAL_FILES and
//! ASDF_OPTION_LIMIT_EXTERNAL_DEPTH. If one cannot be had, only what needs it fails. Without such options that is
//! ASDF_ERR_EXTERNAL_REFERENCE; what the options rule out is ASDF_ERR_ACCESS_DENIED. Neither ".." nor symbolic links
//! lead out of a directory that is allowed, and nothing is ever fetched from a network.
//!
//! Names are URIs, relative to that of the file they stand in; a file that was not opened by name has neither a URI nor
//! a directory.
//!
//! ```c
//! asdf_options *options = NULL;
//! asdf_options_new(&options);
//! asdf_options_set_int(options, ASDF_OPTION_ACCESS, ASDF_ACCESS_SAME_DIRECTORY);
//! asdf_file_open("exploded.asdf", options, &file);
//! ```

use super::open::{asdf_close_callback, asdf_read_callback};
use crate::ffi::boundary::handle::null_pointer;
use crate::ffi::options::handle::change;
use crate::ffi::options::keys::ASDF_OPTION_RESOLVER;
use crate::ffi::options::values::Value;

use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::asdf_options;
use crate::ffi::file::lent::LentResolver;
use crate::file::Access;
use std::ffi::{c_char, c_void};
use std::sync::Arc;

/// No other files: the default.
pub const ASDF_ACCESS_DENY: i32 = 0;
/// Regular files in the directory of the first file, and below.
pub const ASDF_ACCESS_SAME_DIRECTORY: i32 = 1;

/// Opens what a URI names, as a source that the program implements.
///
/// It is called inside the call that needs the file, on the thread of that call. It must not throw, longjmp or use the
/// file that leads there or another that leads to it (see Callbacks above). It may be called as long as that file or
/// what hangs on it lives. The source that it gives is closed with the file that leads there.
///
/// @param user   what was given with the callback
/// @param uri    what is wanted, without a fragment: absolute, or relative if the first file was not opened by name
/// @param read   gets the callback that gives bytes; NULL before
/// @param close  gets the callback that releases what read reads from; NULL before, and may stay so
/// @param source gets what is given to both as user; NULL before
/// @param length gets the number of bytes of the source; 0 before. With a negative one the call fails with
///               ASDF_ERR_CALLBACK
/// @return ASDF_OK; ASDF_ERR_ACCESS_DENIED or ASDF_ERR_FILE_NOT_FOUND, with which the call fails then; or another
///         number, with which it fails with ASDF_ERR_CALLBACK. Unless it is ASDF_OK, close is not called
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

/// Lets the program open other files, whatever their scheme.
///
/// @param options the options
/// @param resolve opens what a URI names
/// @param close   releases what user stands for: called once, when the options, their copies, and the files and readers
///                opened with them are freed, by the call that frees the last of them, on its thread. Its answer is
///                ignored. NULL for none. If this call fails, it is not called
/// @param user    given to the callbacks; may be NULL
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
