//! Progress reports, and cancelling of calls.
//!
//! A call that can take long reports to a callback, on the thread that made the call, at most ten times a second. The
//! callback decides whether the call continues. A cancelled call fails with [`Status::Cancelled`] and leaves no
//! changes. The reporter of a call is a variable of its thread, so that inner loops do not need it as an argument.

use crate::error::{Error, Result, Status};
use crate::reserve;
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Minimum time between two reports. The first and the last report can come sooner.
const INTERVAL: Duration = Duration::from_millis(100);
/// Number of bytes copied between two checks of the clock.
const PIECE: usize = 16 << 20;
/// Marks an unknown total.
const UNKNOWN: u64 = u64::MAX;

/// Callback for progress reports. It receives the number of bytes done and the total, which is `None` if unknown.
///
/// The bytes are those of the elements, blocks or text that the call reads, checks or writes. The number never
/// decreases and never exceeds the total.
///
/// The callback must not use the file, stream, reader or writer that the call works on.
#[derive(Clone)]
pub struct Progress {
    report: Arc<Report>,
    interval: Duration,
}

debug_by_name!(Progress, "Progress");

type Report = dyn Fn(u64, Option<u64>) -> ControlFlow<()> + Send + Sync;

impl Progress {
    /// Makes a callback of a closure. It runs on the thread that makes the call.
    pub fn new(report: impl Fn(u64, Option<u64>) -> ControlFlow<()> + Send + Sync + 'static) -> Progress {
        Progress { report: Arc::new(report), interval: INTERVAL }
    }

    /// Makes a callback that is called at every step, without a minimum time between reports.
    #[cfg(test)]
    pub(crate) fn at_every_step(
        report: impl Fn(u64, Option<u64>) -> ControlFlow<()> + Send + Sync + 'static,
    ) -> Progress {
        Progress { interval: Duration::ZERO, ..Progress::new(report) }
    }
}

/// Runs `work`. Calls of this crate in `work` report their progress.
///
/// The first report comes at once, the others at least 100 ms apart, and a last one when `work` succeeds. If the
/// callback returns [`ControlFlow::Break`], the running call fails with [`Status::Cancelled`]. The file that it was
/// writing or changing is then as before. The content of a buffer that it was filling is unspecified. All handles can
/// still be used. [`ControlFlow::Break`] is ignored once a new file or a change is about to take effect.
///
/// The bytes of several calls in one `work` are added. A panic of the callback cancels the call and then continues out
/// of this function.
///
/// ```
/// use asdfkit::file::{File, NewOptions, WriteOptions};
/// use asdfkit::progress::{Progress, scope};
/// use std::ops::ControlFlow;
///
/// # let directory = tempfile::tempdir()?;
/// let file = File::new(&NewOptions::default());
/// file.root()?.set_array("image", &vec![0f32; 512 * 512], [512, 512])?;
/// let path = directory.path().join("image.asdf");
///
/// let progress = Progress::new(|done, total| {
///     println!("{done} of {total:?} bytes");
///     ControlFlow::Continue(())
/// });
/// scope(&progress, || file.write(&path, &WriteOptions::default()))?;
///
/// let impatient = Progress::new(|_, _| ControlFlow::Break(()));
/// let other = directory.path().join("other.asdf");
/// let error = scope(&impatient, || file.write(&other, &WriteOptions::default())).unwrap_err();
/// assert_eq!(error.status(), asdfkit::Status::Cancelled);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn scope<T>(progress: &Progress, work: impl FnOnce() -> Result<T>) -> Result<T> {
    let suspended = suspend();
    enter(progress, "the call");
    let result = work();
    suspended.finish(result)
}

/// Kind of bytes. Only bytes of the kind that the outermost call expects are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Counted {
    /// Elements that are read and converted.
    Elements = 1,
    /// Stored bytes that are compared with their checksum, or searched.
    Stored = 2,
    /// Bytes of blocks that are written.
    Written = 4,
    /// Stored and written bytes, for calls that check and write.
    StoredAndWritten = 6,
    /// Text that is read or written.
    Text = 8,
}

const RUNNING: u8 = 0;
const CANCELLED: u8 = 1;
const COMMITTED: u8 = 2;

/// State of a call. All threads that work for the call share it.
struct Call {
    name: &'static str,
    report: Progress,
    done: AtomicU64,
    total: AtomicU64,
    /// The counted kinds as a bit mask; 0 for none.
    counted: AtomicU8,
    state: AtomicU8,
}

impl Call {
    fn count(&self, what: Counted, bytes: u64) {
        if self.counted.load(Ordering::Relaxed) & what as u8 != 0 {
            self.done.fetch_add(bytes, Ordering::Relaxed);
        }
    }

    /// Returns the number of bytes done, and the total.
    fn numbers(&self) -> (u64, u64) {
        let total = self.total.load(Ordering::Relaxed);
        (self.done.load(Ordering::Relaxed).min(total), total)
    }

    fn is_cancelled(&self) -> bool {
        self.state.load(Ordering::Relaxed) == CANCELLED
    }

    fn error(&self) -> Error {
        let name = self.name;
        let message = match self.numbers() {
            (0, UNKNOWN) => format!("{name} was cancelled"),
            (done, UNKNOWN) => format!("{name} was cancelled after {done} bytes"),
            (done, total) => format!("{name} was cancelled after {done} of {total} bytes"),
        };
        Error::new(Status::Cancelled, message)
    }
}

/// State of a call that only its own thread uses.
struct Reporter {
    /// Time of the last report, or the start of the call.
    last: Instant,
    reported: Option<(u64, u64)>,
    /// True after the error was returned once. Clean-up after it is not cancelled again.
    is_error_returned: bool,
    /// Number of nested calls that expect bytes.
    depth: u32,
    panic: Option<Box<dyn Any + Send>>,
}

/// The call for which a thread works.
struct ThreadCall {
    call: Arc<Call>,
    /// `None` on helping threads.
    reporter: Option<Reporter>,
    /// Number of nested sections that cannot be cancelled.
    uncancellable: u32,
}

thread_local! {
    static HAS_CALL: Cell<bool> = const { Cell::new(false) };
    static IS_REPORTING: Cell<bool> = const { Cell::new(false) };
    static CURRENT: RefCell<Option<ThreadCall>> = const { RefCell::new(None) };
}

fn has_call() -> bool {
    HAS_CALL.try_with(Cell::get).unwrap_or(false)
}

fn set_current(current: Option<ThreadCall>) {
    let _ = HAS_CALL.try_with(|open| open.set(current.is_some()));
    let _ = CURRENT.try_with(|slot| slot.replace(current));
}

fn take_current() -> Option<ThreadCall> {
    if !has_call() {
        return None;
    }
    let _ = HAS_CALL.try_with(|open| open.set(false));
    CURRENT.try_with(RefCell::take).ok().flatten()
}

/// Passes the call of the current thread to `work`, and hides it from calls inside `work`.
fn with_current<T>(work: impl FnOnce(&mut ThreadCall) -> T) -> Option<T> {
    let mut current = take_current()?;
    let done = work(&mut current);
    set_current(Some(current));
    Some(done)
}

/// The suspended call of the thread. Dropping it resumes the call.
pub(crate) struct Suspended(Option<ThreadCall>);

/// Suspends the call of the thread, for an unrelated call.
pub(crate) fn suspend() -> Suspended {
    Suspended(take_current())
}

/// Starts a reporting call on this thread.
pub(crate) fn enter(progress: &Progress, name: &'static str) {
    let call = Call {
        name,
        report: progress.clone(),
        done: AtomicU64::new(0),
        total: AtomicU64::new(UNKNOWN),
        counted: AtomicU8::new(0),
        state: AtomicU8::new(RUNNING),
    };
    let reporter = Reporter { last: Instant::now(), reported: None, is_error_returned: false, depth: 0, panic: None };
    set_current(Some(ThreadCall { call: Arc::new(call), reporter: Some(reporter), uncancellable: 0 }));
}

impl Suspended {
    /// Ends the call that was entered since the suspension. Makes a last report if it succeeded.
    pub(crate) fn finish<T>(self, result: Result<T>) -> Result<T> {
        let Some(mut current) = take_current() else { return result };
        let result =
            result.and_then(|value| if current.call.is_cancelled() { Err(current.call.error()) } else { Ok(value) });
        let ThreadCall { call, reporter: Some(reporter), .. } = &mut current else { return result };
        if result.is_ok() && reporter.reported.is_some() {
            let total = call.total.load(Ordering::Relaxed);
            if total != UNKNOWN {
                call.done.store(total, Ordering::Relaxed);
            }
            if reporter.reported != Some(call.numbers()) {
                reporter.report(call);
            }
        }
        let panic = reporter.panic.take();
        drop(self);
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
        result
    }
}

impl Drop for Suspended {
    fn drop(&mut self) {
        if self.0.is_some() || has_call() {
            set_current(self.0.take());
        }
    }
}

impl Reporter {
    fn report(&mut self, call: &Call) {
        let (done, total) = call.numbers();
        let known = (total != UNKNOWN).then_some(total);
        let before = IS_REPORTING.try_with(|reporting| reporting.replace(true)).unwrap_or(false);
        // A panic must not unwind through code on which other threads wait.
        let answer = catch_unwind(AssertUnwindSafe(|| (call.report.report)(done, known)));
        let _ = IS_REPORTING.try_with(|reporting| reporting.set(before));
        self.reported = Some((done, total));
        self.last = Instant::now();
        let goes_on = match answer {
            Ok(answer) => answer.is_continue(),
            Err(panic) => {
                self.panic.get_or_insert(panic);
                false
            }
        };
        if !goes_on {
            let _ = call.state.compare_exchange(RUNNING, CANCELLED, Ordering::Relaxed, Ordering::Relaxed);
        }
    }
}

impl ThreadCall {
    /// Reports if a report is due. Fails if the call is cancelled.
    fn check(&mut self) -> Result<()> {
        self.check_after(self.call.report.interval)
    }

    /// Reports if `interval` has passed since the last report. Fails if the call is cancelled.
    fn check_after(&mut self, interval: Duration) -> Result<()> {
        let ThreadCall { call, reporter, uncancellable } = self;
        let is_error_returned = match reporter {
            Some(reporter) => {
                // A cancelled call makes no further reports.
                if !call.is_cancelled() && reporter.last.elapsed() >= interval {
                    reporter.report(call);
                }
                reporter.is_error_returned
            }
            None => false,
        };
        if !call.is_cancelled() || is_error_returned || *uncancellable > 0 {
            return Ok(());
        }
        if let Some(reporter) = reporter {
            reporter.is_error_returned = true;
        }
        Err(call.error())
    }
}

/// Returns whether a progress callback is running on this thread.
pub(crate) fn is_reporting() -> bool {
    IS_REPORTING.try_with(Cell::get).unwrap_or(false)
}

/// Returns the error for a handle that the reporting call uses.
pub(crate) fn in_use_error() -> Error {
    let message = "the call that reports its progress uses this, so its callback cannot";
    Error::new(Status::InvalidArgument, message)
}

/// Reports if a report is due. Fails with [`Status::Cancelled`], once, if the call is cancelled, and while the system
/// refuses memory.
pub(crate) fn check() -> Result<()> {
    reserve::check()?;
    if has_call() { with_current(|current| current.check()).unwrap_or(Ok(())) } else { Ok(()) }
}

/// Counts bytes, then does the same as [`check`].
pub(crate) fn advance(what: Counted, bytes: u64) -> Result<()> {
    reserve::check()?;
    if !has_call() {
        return Ok(());
    }
    let count_and_check = |current: &mut ThreadCall| {
        current.call.count(what, bytes);
        current.check()
    };
    with_current(count_and_check).unwrap_or(Ok(()))
}

/// Counts bytes without failing. The next check fails instead.
pub(crate) fn count(what: Counted, bytes: u64) {
    if has_call() {
        with_current(|current| current.call.count(what, bytes));
    }
}

/// Returns how many of `bytes` to copy before the next check: all of them if no call reports.
pub(crate) fn piece_size(bytes: usize) -> usize {
    if has_call() { bytes.min(PIECE) } else { bytes }
}

/// Guard of a call that expects bytes. It is dropped when the call ends.
pub(crate) struct Expectation(());

/// Begins a call that expects `bytes`, if their number is known, and reports at once. Inside another such call it only
/// checks for cancellation.
pub(crate) fn expect(what: Counted, total: Option<u64>) -> Result<Expectation> {
    let begin = |current: &mut ThreadCall| {
        let ThreadCall { call, reporter: Some(reporter), .. } = current else { return current.check() };
        reporter.depth += 1;
        if reporter.depth > 1 {
            return current.check();
        }
        let before = call.total.load(Ordering::Relaxed);
        let is_first = call.counted.load(Ordering::Relaxed) == 0 && reporter.reported.is_none_or(|(done, _)| done == 0);
        // The bytes of several calls in one scope are added.
        let (done, sum) = match (before, total) {
            (UNKNOWN, Some(total)) if is_first => (0, total),
            (UNKNOWN, _) => (call.done.load(Ordering::Relaxed), UNKNOWN),
            (before, Some(total)) => (before, before.saturating_add(total)),
            (before, None) => (before, UNKNOWN),
        };
        call.done.store(done, Ordering::Relaxed);
        call.total.store(sum, Ordering::Relaxed);
        call.counted.store(what as u8, Ordering::Relaxed);
        let _ = call.state.compare_exchange(COMMITTED, RUNNING, Ordering::Relaxed, Ordering::Relaxed);
        if is_first { current.check_after(Duration::ZERO) } else { current.check() }
    };
    // The guard exists before the check, so that the depth is also right if the check fails.
    let expectation = Expectation(());
    if has_call() {
        with_current(begin).unwrap_or(Ok(()))?;
    }
    Ok(expectation)
}

/// Adds bytes to the expected total.
pub(crate) fn expect_more(what: Counted, bytes: u64) {
    if has_call() {
        with_current(|current| {
            let total = &current.call.total;
            let known = total.load(Ordering::Relaxed);
            if known != UNKNOWN && current.call.counted.load(Ordering::Relaxed) & what as u8 != 0 {
                total.store(known.saturating_add(bytes).min(UNKNOWN - 1), Ordering::Relaxed);
            }
        });
    }
}

impl Drop for Expectation {
    fn drop(&mut self) {
        with_current(|current| {
            if let Some(reporter) = &mut current.reporter {
                reporter.depth = reporter.depth.saturating_sub(1);
            }
        });
    }
}

/// Marks the commit point. Fails if the call is cancelled; later cancellations are ignored.
pub(crate) fn commit() -> Result<()> {
    let commit = |current: &mut ThreadCall| {
        if current.uncancellable == 0 && current.call.is_cancelled() {
            return Err(current.call.error());
        }
        current.call.state.store(COMMITTED, Ordering::Relaxed);
        Ok(())
    };
    with_current(commit).unwrap_or(Ok(()))
}

/// Marks the commit point even if the call is cancelled.
pub(crate) fn commit_anyway() {
    with_current(|current| current.call.state.store(COMMITTED, Ordering::Relaxed));
}

/// Fails if the call is cancelled, even if an earlier error was discarded.
pub(crate) fn fail_if_cancelled() -> Result<()> {
    with_current(|current| if current.call.is_cancelled() { Err(current.call.error()) } else { Ok(()) })
        .unwrap_or(Ok(()))
}

/// Runs `work` without cancellation. A cancellation takes effect at the next check after it.
pub(crate) fn without_cancelling<T>(work: impl FnOnce() -> T) -> T {
    struct Section;
    impl Drop for Section {
        fn drop(&mut self) {
            with_current(|current| current.uncancellable = current.uncancellable.saturating_sub(1));
        }
    }
    if !has_call() {
        return work();
    }
    with_current(|current| current.uncancellable += 1);
    let _section = Section;
    work()
}

/// Returns whether the call is cancelled, for loops that end by themselves.
pub(crate) fn is_cancelled() -> bool {
    with_current(|current| {
        let wanted = current.check().is_err();
        wanted || current.call.is_cancelled()
    })
    .unwrap_or(false)
}

/// Share of a call for another thread.
#[derive(Clone)]
pub(crate) struct CallShare(Option<(Arc<Call>, u32)>);

/// Returns a share of the call of this thread.
pub(crate) fn share() -> CallShare {
    CallShare(with_current(|current| (current.call.clone(), current.uncancellable)))
}

impl CallShare {
    /// Runs `work` on a helping thread. It counts bytes and can be cancelled, but makes no reports.
    pub(crate) fn run<T>(&self, work: impl FnOnce() -> T) -> T {
        let Some((call, uncancellable)) = &self.0 else { return work() };
        let _suspended = suspend();
        set_current(Some(ThreadCall { call: call.clone(), reporter: None, uncancellable: *uncancellable }));
        work()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    type Reports = Arc<Mutex<Vec<(u64, Option<u64>)>>>;

    /// Makes a callback that records its reports and cancels at the given report.
    fn recording(last: usize) -> (Progress, Reports) {
        let reports = Reports::default();
        let kept = reports.clone();
        let progress = Progress::new(move |done, total| {
            let mut kept = kept.lock().unwrap();
            kept.push((done, total));
            if kept.len() > last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        (progress, reports)
    }

    fn wait() {
        std::thread::sleep(INTERVAL);
    }

    #[test]
    fn the_first_report_comes_at_once_and_the_last_says_that_all_is_done() {
        let (progress, reports) = recording(99);
        scope(&progress, || {
            let _expectation = expect(Counted::Written, Some(10))?;
            (0..3).try_for_each(|_| advance(Counted::Written, 2))?;
            advance(Counted::Elements, 100)
        })
        .unwrap();
        assert_eq!(*reports.lock().unwrap(), [(0, Some(10)), (10, Some(10))]);
        assert!(!has_call());
    }

    #[test]
    fn calls_within_a_call_are_not_counted_and_those_behind_it_are_added() {
        let (progress, reports) = recording(99);
        scope(&progress, || {
            let outer = expect(Counted::Stored, Some(10))?;
            {
                let _inner = expect(Counted::Elements, Some(500))?;
                advance(Counted::Elements, 500)?;
                advance(Counted::Stored, 4)?;
            }
            expect_more(Counted::StoredAndWritten, 5);
            wait();
            check()?;
            drop(outer);
            let _next = expect(Counted::Text, Some(7))?;
            wait();
            advance(Counted::Text, 1000)
        })
        .unwrap();
        assert_eq!(*reports.lock().unwrap(), [(0, Some(10)), (4, Some(15)), (22, Some(22))]);
    }

    #[test]
    fn a_call_that_expects_nothing_reports_when_it_takes_long() {
        let (progress, reports) = recording(99);
        scope(&progress, check).unwrap();
        assert!(reports.lock().unwrap().is_empty());
        let work = || {
            wait();
            check()
        };
        scope(&progress, work).unwrap();
        assert_eq!(*reports.lock().unwrap(), [(0, None)]);
    }

    #[test]
    fn the_error_comes_once_so_that_work_can_be_undone() {
        let (progress, _) = recording(0);
        let error = scope(&progress, || {
            let failed = expect(Counted::Written, Some(10)).map(drop);
            assert_eq!(failed.as_ref().unwrap_err().status(), Status::Cancelled);
            check().unwrap();
            assert_eq!(fail_if_cancelled().unwrap_err().status(), Status::Cancelled);
            failed
        });
        assert_eq!(error.unwrap_err().message(), "the call was cancelled after 0 of 10 bytes");
        // A discarded error is returned at the end, unless the call was already committed.
        let lost = || drop(expect(Counted::Written, Some(1)));
        let result = scope(&progress, || {
            lost();
            Ok(())
        });
        assert_eq!(result.unwrap_err().status(), Status::Cancelled);
        let result = scope(&progress, || {
            lost();
            commit()
        });
        assert_eq!(result.unwrap_err().status(), Status::Cancelled);
    }

    #[test]
    fn it_is_too_late_once_a_call_is_committed() {
        let (progress, reports) = recording(1);
        let work = || {
            let _expectation = expect(Counted::Written, Some(10))?;
            commit()?;
            wait();
            advance(Counted::Written, 3)?;
            wait();
            advance(Counted::Written, 3)
        };
        scope(&progress, work).unwrap();
        assert_eq!(reports.lock().unwrap().last(), Some(&(10, Some(10))));
        assert_eq!(reports.lock().unwrap().len(), 4);
    }

    #[test]
    fn a_section_is_not_cut_short() {
        let (progress, _) = recording(1);
        let error = scope(&progress, || {
            let _expectation = expect(Counted::Written, Some(10))?;
            without_cancelling(|| {
                wait();
                check().unwrap();
                without_cancelling(check).unwrap();
            });
            check()
        });
        assert_eq!(error.unwrap_err().status(), Status::Cancelled);
    }

    #[test]
    fn threads_that_help_count_and_are_cancelled_but_report_nothing() {
        let current = std::thread::current().id();
        let (seen, count) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicU64::new(0)));
        let (threads, reports) = (seen.clone(), count.clone());
        let progress = Progress::new(move |_, _| {
            threads.lock().unwrap().push(std::thread::current().id());
            if reports.fetch_add(1, Ordering::Relaxed) == 2 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        let error = scope(&progress, || {
            let _expectation = expect(Counted::Elements, Some(1_000_000))?;
            crate::codec::parallel::for_each(0..1000, 4, |_: &mut (), _: i32| {
                std::thread::sleep(Duration::from_millis(2));
                advance(Counted::Elements, 1000)
            })
        });
        assert_eq!(error.unwrap_err().status(), Status::Cancelled);
        assert!(seen.lock().unwrap().iter().all(|&thread| thread == current));
        assert_eq!(count.load(Ordering::Relaxed), 3);
    }

    #[test]
    fn scopes_nest_and_a_panic_of_the_callback_goes_through() {
        let (outer, reports) = recording(99);
        let panics = Progress::new(|_, _| panic!("of the callback"));
        let caught = catch_unwind(AssertUnwindSafe(|| {
            scope(&outer, || {
                let _expectation = expect(Counted::Text, Some(4))?;
                let inner = catch_unwind(AssertUnwindSafe(|| {
                    scope(&panics, || {
                        let error = expect(Counted::Text, Some(1)).map(drop).unwrap_err();
                        assert_eq!(error.status(), Status::Cancelled);
                        Err::<(), _>(error)
                    })
                }));
                assert!(inner.is_err() && has_call() && !is_reporting());
                advance(Counted::Text, 4)
            })
        }));
        assert!(caught.unwrap().is_ok());
        assert_eq!(*reports.lock().unwrap(), [(0, Some(4)), (4, Some(4))]);
    }
}
