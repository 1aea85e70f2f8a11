//! The callback that is told how far a call is.
//!
//! # Progress and cancelling
//!
//! A call that takes long can tell the program how far it is, and the program can end it: with options in which a
//! callback is set. The callback gets the bytes that are done and their total, of whatever takes the time: elements
//! that are read, blocks that are written or compared with their checksums, text of tables. The number of bytes done
//! never goes down and never exceeds the total, which can grow when more turns out to be needed. Where the total is
//! not known before, it is -1.
//!
//! The first report is made before the work begins, the others at least 100 ms apart. When the call succeeds, a last one
//! says that all is done. Calls that do no such work report only if they last longer than 100 ms. A reader, writer or
//! stream that was made with such options reports in each of its calls.
//!
//! A callback that returns anything but 0 ends the call with ASDF_ERR_CANCELLED:
//!
//! - A file that was to be written or changed is as it was before the call, and nothing else is left behind. Once the
//!   new content is about to take effect, and from the first element that asdf_array_write_region() overwrites, it is
//!   too late, and the call goes on.
//! - Buffers and masks have unspecified content. Bytes that were written to a descriptor stay there.
//! - A stream has whole rows, as many as asdf_stream_row_count() tells. The next row can be pushed.
//! - A reader of tables gives the same rows in its next call. A writer has some of the rows: to append the same table
//!   again writes the others, and until then no other table can be appended.
//! - All handles can be used as before, and changes that were not saved can be saved again. A setter that was cancelled
//!   counts as one that failed.
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

use super::open::asdf_close_callback;
use crate::ffi::boundary::guard::Busy;
use crate::ffi::boundary::handle::null_pointer;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::asdf_options;
use crate::ffi::options::handle::change;
use crate::ffi::options::keys::ASDF_OPTION_PROGRESS;
use crate::ffi::options::values::Value;
use crate::process::Process;
use crate::progress::Progress;
use std::ffi::c_void;
use std::ops::ControlFlow;

/// Is told how far a call is.
///
/// It is called on the thread that made the call, while that call lasts. It must not throw, longjmp or free what the
/// call uses. A call on a file, stream, reader or writer that the reporting call uses, or on what hangs on it, fails
/// with ASDF_ERR_INVALID_ARGUMENT. All other calls are allowed.
///
/// @param user  what was given with the callback
/// @param done  bytes that are done
/// @param total all bytes; -1 if that is not known
/// @return 0 to go on; another number ends the call with ASDF_ERR_CANCELLED
pub type asdf_progress_callback = Option<unsafe extern "C" fn(user: *mut c_void, done: i64, total: i64) -> i32>;

/// Lets the program see how far calls are, and end them.
///
/// @param options  the options
/// @param progress is told how far a call is
/// @param close    releases what user stands for: called once, when the options, their copies, and the readers, writers
///                 and streams made with them are freed, by the call that frees the last of them, on its thread. Its
///                 answer is ignored. NULL for none. If this call fails, it is not called
/// @param user     given to the callbacks; may be NULL
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

/// The callback of a program that is told of progress.
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
        let _busy = Busy::begin();
        // SAFETY: the program gave the callback with this `user`.
        match unsafe { progress(self.user, number(done), total.map_or(-1, number)) } {
            0 => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        }
    }
}

impl Drop for LentProgress {
    fn drop(&mut self) {
        if let (Some(close), true) = (self.close, self.process.is_current()) {
            // SAFETY: the program gave the callback with this `user`, and this is the only time that it is called.
            unsafe { close(self.user) };
        }
    }
}
