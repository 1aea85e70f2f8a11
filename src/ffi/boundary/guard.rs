//! Guards: every call from C runs inside one. It turns errors and panics into a status and stores them for the thread.

use super::caller::Caller;
use super::float_environment::DefaultEnvironment;
use super::handle;
use super::handle::{Class, null_pointer};
use super::status::{ASDF_OK, asdf_status};
use super::thread::{UsedFiles, note_success, replace_used_files, store_last_error};
use crate::error::{Error, Result, Status};
use crate::progress;
use crate::reserve;
use std::cell::{Cell, RefCell, UnsafeCell};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

/// Runs a call and stores its error for the thread.
pub(crate) fn guard(work: impl FnOnce(&Caller) -> Result<()>) -> asdf_status {
    match run(|caller| reserve::check_at_begin().and_then(|()| work(caller))) {
        Ok(()) => {
            note_success();
            ASDF_OK
        }
        Err(error) => store_last_error(error),
    }
}

/// Runs a call that a program makes to clean up, also after a failure of another call that it has yet to report.
pub(crate) fn guard_cleanup(work: impl FnOnce(&Caller) -> Result<()>) -> asdf_status {
    match run(work) {
        Ok(()) => ASDF_OK,
        Err(error) => store_last_error(error),
    }
}

/// Runs a call that creates a handle.
///
/// The output is set to NULL before any other argument is checked, and stays NULL unless the whole call succeeds.
pub(crate) fn guard_handle<C: Class>(
    out: *mut *mut C,
    argument: &str,
    work: impl FnOnce(&Caller) -> Result<C::Value>,
) -> asdf_status {
    guard_out(out, argument, |caller| unless_cancelled(work(caller)?).map(handle::make))
}

/// Runs a call that creates a handle; the output may be NULL.
pub(crate) fn guard_handle_if_requested<C: Class>(
    out: *mut *mut C,
    argument: &str,
    work: impl FnOnce(&Caller) -> Result<C::Value>,
) -> asdf_status {
    if out.is_null() { guard(|caller| work(caller).map(drop)) } else { guard_handle(out, argument, work) }
}

/// Runs a call that creates a handle, or succeeds without one. In the second case, and after a failure, the output is
/// NULL.
pub(crate) fn guard_handle_or_null<C: Class>(
    out: *mut *mut C,
    argument: &str,
    work: impl FnOnce(&Caller) -> Result<Option<C::Value>>,
) -> asdf_status {
    guard_out(out, argument, |caller| Ok(unless_cancelled(work(caller)?)?.map_or(std::ptr::null_mut(), handle::make)))
}

/// Runs a call that adds an owner to a handle; the output is NULL after a failure.
pub(crate) fn guard_retain<C: Class>(handle: *const C, argument: &str, another: *mut *mut C) -> asdf_status {
    guard_out(another, "another", |caller| caller.retain(handle, argument))
}

/// Runs a call that creates several handles of one kind. Each output comes with the name of its argument, and with
/// `true` if it may be NULL. All outputs are NULL after a failure.
pub(crate) fn guard_handles<C: Class, const N: usize>(
    outs: [(*mut *mut C, &str, bool); N],
    work: impl FnOnce(&Caller) -> Result<[Option<C::Value>; N]>,
) -> asdf_status {
    guard(|caller| {
        for (out, _, _) in outs {
            caller.optional_out(out).put(std::ptr::null_mut());
        }
        if let Some((_, argument, _)) = outs.iter().find(|(out, _, optional)| out.is_null() && !optional) {
            return Err(null_pointer(argument));
        }
        for ((out, _, _), value) in outs.into_iter().zip(unless_cancelled(work(caller)?)?) {
            if let (Some(value), false) = (value, out.is_null()) {
                caller.optional_out(out).put(handle::make(value));
            }
        }
        Ok(())
    })
}

/// Result of a call, unless it was cancelled.
fn unless_cancelled<T>(made: T) -> Result<T> {
    progress::fail_if_cancelled().map(|()| made)
}

fn guard_out<C: Class>(out: *mut *mut C, argument: &str, work: impl FnOnce(&Caller) -> Result<*mut C>) -> asdf_status {
    guard(|caller| {
        let out = caller.out(out, argument)?;
        out.put(std::ptr::null_mut());
        out.put(work(caller)?);
        Ok(())
    })
}

/// Runs a call that must not change the stored error, because it reads that error or frees a handle.
pub(crate) fn guard_silently(work: impl FnOnce(&Caller) -> Result<()>) -> asdf_status {
    match run(work) {
        Ok(()) => ASDF_OK,
        Err(error) => error.status().code(),
    }
}

thread_local! {
    /// Nesting depth of guards on this thread; callbacks may call the library again.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    /// Whether code of this thread has panicked, also where the panic was caught before it reached the guard.
    static HAS_PANICKED: Cell<bool> = const { Cell::new(false) };
    static PANIC_LOCATION: RefCell<Option<String>> = const { RefCell::new(None) };
}

struct CallFromC {
    /// Files of the call whose callback made this call.
    outer: UsedFiles,
    _environment: DefaultEnvironment,
}

impl CallFromC {
    fn enter() -> CallFromC {
        let environment = DefaultEnvironment::enter();
        silence_own_panics();
        let _ = DEPTH.try_with(|depth| depth.set(depth.get() + 1));
        let outer = replace_used_files([0; 2]);
        CallFromC { outer, _environment: environment }
    }
}

impl Drop for CallFromC {
    fn drop(&mut self) {
        let _ = DEPTH.try_with(|depth| depth.set(depth.get() - 1));
        if HAS_PANICKED.try_with(|panicked| panicked.replace(false)).unwrap_or(false) {
            let _ = PANIC_LOCATION.try_with(RefCell::take);
        }
        replace_used_files(self.outer);
    }
}

fn run(work: impl FnOnce(&Caller) -> Result<()>) -> Result<()> {
    let _inside = CallFromC::enter();
    let outer = progress::suspend();
    let refused = reserve::refused();
    let done = catch_unwind(AssertUnwindSafe(|| work(&Caller::new()))).unwrap_or_else(|payload| {
        let text = (payload.downcast_ref::<&str>().copied())
            .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
            .unwrap_or("unknown cause");
        let place = PANIC_LOCATION.try_with(|place| place.take()).ok().flatten().unwrap_or_default();
        let error = Error::new(Status::Internal, format!("a defect of the library, please report it: {text}{place}"));
        // The destructor of the payload can panic, too.
        std::mem::forget(payload);
        Err(error)
    });
    outer.finish(done).map_err(|error| if reserve::refused() == refused { error } else { error.in_shortage() })
}

/// The hook that the library replaced. It is a static, so that the library's own hook holds nothing and needs no
/// memory, which memory checkers would report at the end of the program.
struct PreviousHook(UnsafeCell<Option<Hook>>);

type Hook = Box<dyn Fn(&PanicHookInfo<'_>) + Sync + Send>;

// SAFETY: it is written once, before the hook that reads it is set, which synchronizes the two.
unsafe impl Sync for PreviousHook {}

static PREVIOUS_HOOK: PreviousHook = PreviousHook(UnsafeCell::new(None));

/// Installs a panic hook that prints nothing for panics inside a guard, and calls the previous hook for all others.
fn silence_own_panics() {
    // An atomic instead of a lock: the child of a fork could wait forever for a lock. A second thread does not wait
    // either.
    static IS_DONE: AtomicBool = AtomicBool::new(false);
    // A panicking thread cannot change the hook, and a destructor on it may call the library.
    if std::thread::panicking() || IS_DONE.load(Ordering::Relaxed) || IS_DONE.swap(true, Ordering::Relaxed) {
        return;
    }
    // SAFETY: only the first call gets here, and no hook of this library exists yet that would read it.
    unsafe { *PREVIOUS_HOOK.0.get() = Some(std::panic::take_hook()) };
    std::panic::set_hook(Box::new(|info| {
        if DEPTH.try_with(Cell::get).unwrap_or(0) == 0 {
            // SAFETY: it was written before this hook was set, and never changes again.
            if let Some(previous) = unsafe { &*PREVIOUS_HOOK.0.get() } {
                previous(info);
            }
            return;
        }
        let place = info.location().map(|at| format!(" ({}:{})", at.file(), at.line()));
        let _ = HAS_PANICKED.try_with(|panicked| panicked.set(true));
        let _ = PANIC_LOCATION.try_with(|kept| kept.replace(place));
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ffi::boundary::thread::with_last_error;
    use crate::ffi::boundary::types::asdf_buffer;
    use std::sync::Arc;

    #[test]
    fn a_panic_becomes_a_status_that_tells_the_place() {
        assert_eq!(guard(|_| panic!("seven {}", 7)), Status::Internal.code());
        let message = with_last_error(|error| error.unwrap().message().to_owned());
        assert!(message.contains("seven 7 (src/ffi/boundary/guard.rs:"), "{message}");
        assert_eq!(DEPTH.get(), 0);
    }

    #[test]
    fn a_handle_output_is_null_after_a_failure_and_after_a_panic() {
        let poison = std::ptr::without_provenance_mut::<asdf_buffer>(64);
        for panics in [false, true] {
            let mut out = poison;
            let status = guard_handle(&raw mut out, "out", |_| {
                if panics { panic!("of the test") } else { Err(Error::new(Status::Yaml, "")) }
            });
            assert!(status != ASDF_OK && out.is_null());
        }
        let mut out = poison;
        assert_eq!(guard_handle_or_null(&raw mut out, "out", |_| Ok(None)), ASDF_OK);
        assert!(out.is_null());
        let null = std::ptr::null_mut();
        assert_eq!(guard_handle_if_requested::<asdf_buffer>(null, "out", |_| Ok(Arc::new(Vec::new()))), ASDF_OK);
        let status = guard_handle::<asdf_buffer>(null, "out", |_| panic!("the call has no place for its result"));
        assert_eq!(status, Status::NullPointer.code());
    }

    #[test]
    fn success_and_silent_failures_keep_the_last_error() {
        let fail = |status| move |_: &Caller| Err(Error::new(status, ""));
        assert_eq!(guard(fail(Status::Yaml)), 501);
        assert_eq!(guard(|_| Ok(())), ASDF_OK);
        assert_eq!(guard_silently(fail(Status::Limit)), 701);
        assert_eq!(with_last_error(|error| error.unwrap().status()), Status::Yaml);
    }
}
