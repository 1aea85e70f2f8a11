//! File descriptors: standard input and output that were closed when the process began, and the number of others.
//!
//! Rust's runtime opens `/dev/null` in their place before `main`, so that writing would succeed and lose everything.
//! Therefore a function that the system's loader calls before the runtime looks at them.

#![allow(unsafe_code)]

use std::sync::atomic::{AtomicBool, Ordering};

static INPUT_CLOSED: AtomicBool = AtomicBool::new(false);
static OUTPUT_CLOSED: AtomicBool = AtomicBool::new(false);

/// Returns whether standard input was closed.
pub(crate) fn is_input_closed() -> bool {
    INPUT_CLOSED.load(Ordering::Relaxed)
}

/// Returns whether standard output was closed.
pub(crate) fn is_output_closed() -> bool {
    OUTPUT_CLOSED.load(Ordering::Relaxed)
}

/// Raises the number of files that the process may open as far as the system allows: an exploded file has one for each
/// array.
pub(crate) fn allow_many() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let limit = getrlimit(Resource::Nofile);
        // Without success, opening too many files fails with a message that tells the reason.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum });
    }
}

#[cfg(unix)]
mod before_main {
    use super::{INPUT_CLOSED, OUTPUT_CLOSED};
    use std::sync::atomic::Ordering;

    // SAFETY: the loader calls the functions in this section one after another, before `main`. The function below has
    // the type that it expects; it may ignore the arguments.
    #[used]
    #[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
    #[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
    static LOOK: extern "C" fn() = look;

    /// Needs nothing of Rust's runtime: one system call for each descriptor.
    extern "C" fn look() {
        for (descriptor, closed) in [(libc::STDIN_FILENO, &INPUT_CLOSED), (libc::STDOUT_FILENO, &OUTPUT_CLOSED)] {
            // SAFETY: the call takes any number, and reads no memory of the process.
            let flags = unsafe { libc::fcntl(descriptor, libc::F_GETFD) };
            closed.store(flags < 0, Ordering::Relaxed);
        }
    }
}
