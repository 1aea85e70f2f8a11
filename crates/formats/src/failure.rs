//! Failures: a status of the core and a message.

/// Statuses of the core, as `asdf.h` numbers them.
pub(crate) mod status {
    pub(crate) const INVALID_ARGUMENT: i32 = 101;
    pub(crate) const NULL_POINTER: i32 = 102;
    pub(crate) const WRONG_HANDLE: i32 = 103;
    pub(crate) const BUFFER_TOO_SMALL: i32 = 106;
    pub(crate) const OUT_OF_RANGE: i32 = 108;
    pub(crate) const UNSUPPORTED: i32 = 110;
    pub(crate) const IO: i32 = 201;
    pub(crate) const FILE_NOT_FOUND: i32 = 202;
    pub(crate) const PERMISSION_DENIED: i32 = 203;
    pub(crate) const NO_SPACE: i32 = 204;
    pub(crate) const OUT_OF_MEMORY: i32 = 205;
    pub(crate) const FILE_EXISTS: i32 = 210;
    pub(crate) const INTERNAL: i32 = 299;
    pub(crate) const TRUNCATED: i32 = 304;
    pub(crate) const FITS_HEADER: i32 = 309;
    pub(crate) const CORRUPT: i32 = 402;
    pub(crate) const NOT_FOUND: i32 = 504;
    pub(crate) const WRONG_TYPE: i32 = 505;
    pub(crate) const BAD_ARRAY: i32 = 601;
}

/// Why a call failed.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) status: i32,
    pub(crate) message: String,
}

pub(crate) type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    pub(crate) fn new(status: i32, message: impl Into<String>) -> Failure {
        Failure { status, message: message.into() }
    }

    /// Keeps the failure of a callback, of which the core learns only that it failed.
    pub(crate) fn remember(self) {
        REMEMBERED.with(|kept| kept.replace(Some(self)));
    }

    /// Takes the failure of the last callback on this thread.
    pub(crate) fn remembered() -> Option<Failure> {
        REMEMBERED.with(|kept| kept.take())
    }

    /// Puts the name of the FITS file before a message about one of its HDUs.
    pub(crate) fn in_fits_file(self, path: &std::path::Path) -> Failure {
        if !self.message.starts_with("HDU ") {
            return self;
        }
        Failure::new(self.status, format!("{}: {}", path.display(), self.message))
    }

    /// Failure of the system with a file.
    pub(crate) fn file(path: &std::path::Path, error: &std::io::Error) -> Failure {
        use std::io::ErrorKind;
        let status = match error.kind() {
            ErrorKind::NotFound => status::FILE_NOT_FOUND,
            ErrorKind::PermissionDenied => status::PERMISSION_DENIED,
            ErrorKind::AlreadyExists => status::FILE_EXISTS,
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => status::NO_SPACE,
            ErrorKind::OutOfMemory => status::OUT_OF_MEMORY,
            _ => status::IO,
        };
        Failure::new(status, format!("{}: {error}", path.display()))
    }
}

thread_local! {
    static REMEMBERED: std::cell::RefCell<Option<Failure>> = const { std::cell::RefCell::new(None) };
    static LAST: std::cell::RefCell<String> = const { std::cell::RefCell::new(String::new()) };
}

/// Keeps the message of the failure of a call, which a caller without the core can ask for.
pub(crate) fn set_last(failure: &Failure) {
    LAST.with(|kept| kept.borrow_mut().clone_from(&failure.message));
}

/// Message of the last failed call on this thread; empty without any.
pub(crate) fn last_message() -> String {
    LAST.with(|kept| kept.borrow().clone())
}

/// Memory of a size that a file states, filled with zeros.
pub(crate) fn zeros<T: Clone + Default>(count: usize) -> Result<Vec<T>> {
    let mut memory = Vec::new();
    memory
        .try_reserve_exact(count)
        .map_err(|_| Failure::new(status::OUT_OF_MEMORY, format!("no memory for {count} elements")))?;
    memory.resize(count, T::default());
    Ok(memory)
}
