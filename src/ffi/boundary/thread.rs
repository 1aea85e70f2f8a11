//! Data of each thread of the program: its last failure, and the files that its running calls use.
//!
//! While a thread ends, its variables no longer exist. Calls of destructors then keep nothing.

use super::status::asdf_status;
use crate::error::{Error, Result};
use crate::progress;
use std::cell::{Cell, RefCell};

/// Files that a call uses; 0 for none. Files that refer to one another share an object, whose address identifies them.
/// No call uses more than two.
pub(super) type UsedFiles = [usize; 2];

thread_local! {
    static LAST_ERROR: RefCell<Option<Error>> = const { RefCell::new(None) };
    /// Set by each call that succeeds, and unset by each failure.
    static HAS_SUCCEEDED: Cell<bool> = const { Cell::new(false) };
    static UNRETURNED_ERROR: RefCell<Option<Error>> = const { RefCell::new(None) };
    /// Files that the running call uses.
    static USED_FILES: Cell<UsedFiles> = const { Cell::new([0; 2]) };
    /// Files of the call whose callback runs.
    static BUSY_FILES: Cell<UsedFiles> = const { Cell::new([0; 2]) };
}

/// Keeps an error as the last one of the thread.
pub(super) fn store_last_error(error: Error) -> asdf_status {
    let code = error.status().code();
    let _ = HAS_SUCCEEDED.try_with(|succeeded| succeeded.set(false));
    let _ = LAST_ERROR.try_with(|last| last.replace(Some(error)));
    code
}

/// Records that a call of the thread has succeeded.
pub(super) fn note_success() {
    let _ = HAS_SUCCEEDED.try_with(|succeeded| succeeded.set(true));
}

/// Returns whether a call of the thread has succeeded since the last one that failed.
pub(crate) fn has_succeeded_since() -> bool {
    HAS_SUCCEEDED.try_with(Cell::get).unwrap_or(false)
}

/// Calls `show` with the last error of the thread.
pub(crate) fn with_last_error<T>(show: impl FnOnce(Option<&Error>) -> T) -> T {
    let last = LAST_ERROR.try_with(|last| last.take()).ok().flatten();
    let shown = show(last.as_ref());
    let _ = LAST_ERROR.try_with(|kept| kept.replace(last));
    shown
}

/// Takes the last error of the thread.
pub(crate) fn take_last_error() -> Option<Error> {
    LAST_ERROR.try_with(RefCell::take).ok().flatten()
}

/// Sets the last error of the thread to one that was taken.
pub(crate) fn replace_last_error(error: Option<Error>) {
    let _ = LAST_ERROR.try_with(|last| last.replace(error));
}

/// Forgets the last error of the thread.
pub(crate) fn clear_last_error() {
    let _ = LAST_ERROR.try_with(|last| last.take());
}

/// Stores a failure of code that cannot return an error, such as a destructor.
pub(crate) fn keep_unreturned_error(error: Error) {
    let _ = UNRETURNED_ERROR.try_with(|left| left.replace(Some(error)));
}

/// Takes the failure that `keep_unreturned_error` stored last on this thread.
pub(crate) fn take_unreturned_error() -> Option<Error> {
    UNRETURNED_ERROR.try_with(RefCell::take).ok().flatten()
}

/// Sets the files that the running call uses, and returns those before.
pub(super) fn replace_used_files(files: UsedFiles) -> UsedFiles {
    USED_FILES.try_with(|used| used.replace(files)).unwrap_or_default()
}

/// Records that the call uses a file. Fails inside the progress callback of another call that uses the file.
pub(super) fn use_file(file: usize) -> Result<()> {
    if BUSY_FILES.try_with(Cell::get).unwrap_or_default().contains(&file) {
        return Err(progress::in_use_error());
    }
    let _ = USED_FILES.try_with(|used| {
        let [first, second] = used.get();
        if first != file && second != file {
            used.set([file, first]);
        }
    });
    Ok(())
}

/// Refuses the files of a call to other calls of this thread, until it is dropped.
pub(crate) struct BusyFiles(UsedFiles);

impl BusyFiles {
    /// Created before a callback runs.
    pub(crate) fn begin() -> BusyFiles {
        let used = USED_FILES.try_with(Cell::get).unwrap_or_default();
        BusyFiles(BUSY_FILES.try_with(|busy| busy.replace(used)).unwrap_or_default())
    }
}

impl Drop for BusyFiles {
    fn drop(&mut self) {
        let _ = BUSY_FILES.try_with(|busy| busy.set(self.0));
    }
}
