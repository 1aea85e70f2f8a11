//! Failures: a status of the core and a message, which is kept for the thread.

use std::cell::RefCell;

/// Statuses of the core, as `asdf.h` numbers them.
pub(crate) mod status {
    pub(crate) const INVALID_ARGUMENT: i32 = 101;
    pub(crate) const NULL_POINTER: i32 = 102;
    pub(crate) const BUFFER_TOO_SMALL: i32 = 106;
    pub(crate) const UNSUPPORTED: i32 = 110;
    pub(crate) const IO: i32 = 201;
    pub(crate) const FILE_NOT_FOUND: i32 = 202;
    pub(crate) const PERMISSION_DENIED: i32 = 203;
    pub(crate) const OUT_OF_MEMORY: i32 = 205;
    pub(crate) const FILE_CHANGED: i32 = 206;
    pub(crate) const INTERNAL: i32 = 299;
    pub(crate) const TRUNCATED: i32 = 304;
    pub(crate) const NOT_FOUND: i32 = 504;
}

/// Why a call failed.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) status: i32,
    pub(crate) message: String,
}

pub(crate) type Result<T> = std::result::Result<T, Failure>;

thread_local! {
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

impl Failure {
    pub(crate) fn new(status: i32, message: impl Into<String>) -> Failure {
        Failure { status, message: message.into() }
    }

    /// Keeps the message as the last one of this thread.
    pub(crate) fn keep(&self) {
        let _ = LAST.try_with(|last| last.replace(self.message.clone()));
    }
}

/// Returns the last message of this thread; empty for none.
pub(crate) fn last_message() -> String {
    LAST.try_with(|last| last.borrow().clone()).unwrap_or_default()
}
