//! Progress callback and its setter.
//!
//! # Progress and cancelling
//!
//! A long call can report its progress to a callback in its options, and the callback can cancel the call. The callback
//! gets the number of processed bytes and the total: bytes of elements to read, of blocks to write or verify, or of
//! text of tables. The number of processed bytes never decreases and never exceeds the total. The total can grow during
//! the call; it is -1 while unknown.
//!
//! The first report comes before the work begins; the next ones are at least 100 ms apart. If the call succeeds, a last
//! report has done = total, or a total of -1 if it stayed unknown. Calls without such work report only if they take
//! longer than 100 ms. A reader, writer or stream that was created with such options reports in each of its calls.
//!
//! If the callback returns a number other than 0, the call fails with ASDF_ERR_CANCELLED:
//!
//! - A file to write or change stays as it was before the call, and no other file is left. A call can no longer be
//!   cancelled once the new content is about to take effect, or once asdf_array_write_region() has overwritten its
//!   first element; then it continues.
//! - Buffers and masks have unspecified content. Bytes already written to a descriptor remain.
//! - A stream has complete rows; asdf_stream_row_count() returns their number. The next row can be pushed.
//! - A table reader returns the same rows in its next call. A table writer may have written some of the rows: append
//!   the same table again to write the others; until then no other table can be appended.
//! - All handles stay usable, and unsaved changes can be saved again. A cancelled setter counts as a failed one.
//!
//! ```c
//! int32_t show(void *user, int64_t done, int64_t total) {
//!     draw_bar(user, done, total);
//!     return button_was_pressed(user);
//! }
//!
//! asdf_options_set_progress(options, show, NULL, window);
//! asdf_status status = asdf_file_save(file, options);
//! if (status == ASDF_ERR_CANCELLED) asdf_file_save(file, NULL);   // later
//! ```

use super::callbacks::asdf_close_callback;
use crate::ffi::boundary::float_environment::as_caller;
use crate::ffi::boundary::handle::null_pointer;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::thread::BusyFiles;
use crate::ffi::boundary::types::asdf_options;
use crate::ffi::options::handle::change;
use crate::ffi::options::keys::ASDF_OPTION_PROGRESS;
use crate::ffi::options::values::Value;
use crate::process::Process;
use crate::progress::Progress;
use std::ffi::c_void;
use std::ops::ControlFlow;

/// Receives the progress of a call.
///
/// It is called inside the reporting call, on the thread of that call. It must not throw, longjmp, or free handles that
/// the call uses. Calls with a file, stream, reader or writer that the reporting call uses, or with handles that depend
/// on it, fail with ASDF_ERR_INVALID_ARGUMENT. All other calls are allowed.
///
/// @param user  pointer given with the callback
/// @param done  number of processed bytes
/// @param total total number of bytes; -1 if unknown
/// @return 0 to continue; any other number ends the call with ASDF_ERR_CANCELLED
pub type asdf_progress_callback = Option<unsafe extern "C" fn(user: *mut c_void, done: i64, total: i64) -> i32>;

/// Sets a callback that receives the progress of calls and can cancel them.
///
/// @param options  the options
/// @param progress receives the progress of a call
/// @param close    releases user. It is called once, inside the call that frees the last of the options, their copies,
///                 and the readers, writers and streams created with them, on the thread of that call. Its result is
///                 ignored. NULL for none. It is not called if this call fails
/// @param user     pointer passed to the callbacks; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_options_set_progress(
    options: *mut asdf_options,
    progress: asdf_progress_callback,
    close: asdf_close_callback,
    user: *mut c_void,
) -> asdf_status {
    change(options, |_, values| {
        if progress.is_none() {
            return Err(null_pointer("progress"));
        }
        let lent = LentProgress { progress, close, user, process: Process::current() };
        let progress = Progress::new(move |done, total| lent.report(done, total));
        values.set_object(ASDF_OPTION_PROGRESS, Value::Progress(progress));
        Ok(())
    })
}

/// Progress callback of the program.
struct LentProgress {
    progress: asdf_progress_callback,
    close: asdf_close_callback,
    user: *mut c_void,
    /// The only one that closes it.
    process: Process,
}

// SAFETY: the header says that the callback is called on the threads that make calls with the options.
unsafe impl Send for LentProgress {}
// SAFETY: as above.
unsafe impl Sync for LentProgress {}

impl LentProgress {
    fn report(&self, done: u64, total: Option<u64>) -> ControlFlow<()> {
        let Some(progress) = self.progress else { return ControlFlow::Continue(()) };
        let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let _busy = BusyFiles::begin();
        // SAFETY: the program gave the callback with this `user`.
        match as_caller(|| unsafe { progress(self.user, number(done), total.map_or(-1, number)) }) {
            0 => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        }
    }
}

impl Drop for LentProgress {
    fn drop(&mut self) {
        if let (Some(close), true) = (self.close, self.process.is_current()) {
            // SAFETY: the program gave the callback with this `user`, and this is the only time that it is called.
            as_caller(|| unsafe { close(self.user) });
        }
    }
}
