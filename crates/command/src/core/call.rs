//! Progress bars and interruption of calls to the library.

use super::failure::{Failure, Result};
use asdfkit::progress::{self, Progress};
use asdfkit::{Error, Status};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Time after which a call shows a progress bar.
const PATIENCE: Duration = Duration::from_millis(500);
/// Exit code of a program that a second Ctrl-C ends.
const INTERRUPTED: i32 = 130;

static STOPPED: AtomicBool = AtomicBool::new(false);

/// Makes the first Ctrl-C cancel the running call, and a second one end the process. Both leave files whole.
pub(crate) fn watch_interrupts() {
    let handler = || {
        if STOPPED.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
    };
    // Without a handler, Ctrl-C ends the process at once. Files stay whole, since saving is atomic.
    let _ = ctrlc::set_handler(handler);
}

/// Fails after Ctrl-C. Loops outside the library call this.
pub(crate) fn check_interrupt() -> Result<()> {
    match STOPPED.load(Ordering::Relaxed) {
        true => Err(Failure::Library(Error::new(Status::Cancelled, "interrupted"))),
        false => Ok(()),
    }
}

/// Runs `work`, whose calls to the library show their progress on a terminal and stop after Ctrl-C.
pub(crate) fn with_progress<T>(what: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    let bar = Arc::new(Bar::new(what));
    let shown = bar.clone();
    let progress = Progress::new(move |done, total| {
        if STOPPED.load(Ordering::Relaxed) {
            return ControlFlow::Break(());
        }
        shown.show(done, total);
        ControlFlow::Continue(())
    });
    let mut result = None;
    let scope = progress::scope(&progress, || {
        result = Some(work());
        Ok(())
    });
    bar.clear();
    let result = result.unwrap_or_else(|| Err(Failure::usage("the call did not run")))?;
    scope?;
    Ok(result)
}

/// A progress bar on standard error, shown only if the work takes long.
struct Bar {
    what: String,
    start: Instant,
    terminal: bool,
    shown: Mutex<Option<ProgressBar>>,
}

impl Bar {
    fn new(what: &str) -> Bar {
        let terminal = std::io::stderr().is_terminal();
        Bar { what: what.to_owned(), start: Instant::now(), terminal, shown: Mutex::new(None) }
    }

    fn show(&self, done: u64, total: Option<u64>) {
        if !self.terminal || self.start.elapsed() < PATIENCE {
            return;
        }
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        let bar = shown.get_or_insert_with(|| {
            let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr());
            let form = match total {
                Some(_) => "{msg} {wide_bar} {bytes}/{total_bytes} {bytes_per_sec}, {eta} left",
                None => "{msg} {bytes} {bytes_per_sec}",
            };
            if let Ok(style) = ProgressStyle::with_template(form) {
                bar.set_style(style);
            }
            bar.with_message(self.what.clone()).with_elapsed(self.start.elapsed())
        });
        if let Some(total) = total {
            bar.set_length(total);
        }
        bar.set_position(done);
    }

    fn clear(&self) {
        if let Some(bar) = self.shown.lock().unwrap_or_else(PoisonError::into_inner).take() {
            bar.finish_and_clear();
        }
    }
}
