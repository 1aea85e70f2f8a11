//! Every call from C runs inside a guard: errors and panics become a status and are remembered for the thread.

use super::caller::Caller;
use super::error::remember;
use super::status::{ASDF_OK, asdf_status};
use crate::error::{Error, Result, Status};
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

/// Runs a call and remembers how it failed.
pub(super) fn guard(work: impl FnOnce(&Caller) -> Result<()>) -> asdf_status {
    match run(work) {
        Ok(()) => ASDF_OK,
        Err(error) => remember(error),
    }
}

/// Runs a call that leaves the remembered error alone, because it asks for that very error or frees something.
pub(super) fn guard_silently(work: impl FnOnce(&Caller) -> Result<()>) -> asdf_status {
    match run(work) {
        Ok(()) => ASDF_OK,
        Err(error) => error.status().code(),
    }
}

thread_local! {
    /// How many guards the thread is in; callbacks may call the library again.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    static PANIC_PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
    static LEFT: RefCell<Option<Error>> = const { RefCell::new(None) };
}

/// Leaves a failure where no error can be answered, such as while something is dropped.
pub(super) fn leave_failure(error: Error) {
    let _ = LEFT.try_with(|left| left.replace(Some(error)));
}

/// The failure that was left last on this thread, which is forgotten.
pub(super) fn take_left_failure() -> Option<Error> {
    LEFT.try_with(RefCell::take).ok().flatten()
}

struct Inside;

impl Inside {
    fn enter() -> Inside {
        silence_own_panics();
        let _ = DEPTH.try_with(|depth| depth.set(depth.get() + 1));
        Inside
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        let _ = DEPTH.try_with(|depth| depth.set(depth.get() - 1));
    }
}

fn run(work: impl FnOnce(&Caller) -> Result<()>) -> Result<()> {
    let _inside = Inside::enter();
    catch_unwind(AssertUnwindSafe(|| work(&Caller::new()))).unwrap_or_else(|payload| {
        let text = (payload.downcast_ref::<&str>().copied())
            .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
            .unwrap_or("of unknown cause");
        let place = PANIC_PLACE.try_with(|place| place.take()).ok().flatten().unwrap_or_default();
        let error = Error::new(Status::Internal, format!("a defect of the library, please report it: {text}{place}"));
        // A payload whose destructor panics must not get out either.
        std::mem::forget(payload);
        Err(error)
    })
}

/// Panics inside a guard print nothing; all others are reported as before.
fn silence_own_panics() {
    static ONCE: Once = Once::new();
    // The hook cannot be changed by a thread that panics, from whose destructors a call may come.
    if std::thread::panicking() {
        return;
    }
    ONCE.call_once(|| {
        let previous = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if DEPTH.try_with(Cell::get).unwrap_or(0) == 0 {
                return previous(info);
            }
            let place = info.location().map(|at| format!(" ({}:{})", at.file(), at.line()));
            let _ = PANIC_PLACE.try_with(|kept| kept.replace(place));
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ffi::error::with_last;

    #[test]
    fn a_panic_becomes_a_status_that_tells_the_place() {
        assert_eq!(guard(|_| panic!("seven {}", 7)), Status::Internal.code());
        let message = with_last(|error| error.unwrap().message().to_owned());
        assert!(message.contains("seven 7 (src/ffi/guard.rs:"), "{message}");
        assert_eq!(DEPTH.get(), 0);
    }

    #[test]
    fn success_and_silent_failures_keep_the_last_error() {
        let fail = |status| move |_: &Caller| Err(Error::new(status, ""));
        assert_eq!(guard(fail(Status::Yaml)), 501);
        assert_eq!(guard(|_| Ok(())), ASDF_OK);
        assert_eq!(guard_silently(fail(Status::Limit)), 701);
        assert_eq!(with_last(|error| error.unwrap().status()), Status::Yaml);
    }
}
