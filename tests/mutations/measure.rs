//! What a piece of work costs: time on the processor, memory at most.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The stack of the threads that read hostile files: small, as in threads of some languages' runtimes.
pub(crate) const STACK: usize = 256 << 10;

/// Seconds that the calling thread has spent on a processor; nothing where the system does not tell.
fn processor_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split_whitespace().next()?.parse::<u64>().ok()? as f64 * 1e-9)
}

/// The most memory the process has held since the last [`forget_peak`], in bytes.
fn peak() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().trim_end_matches(" kB").parse::<u64>().ok()? << 10)
}

fn forget_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// Runs `work` in a thread with a small stack and tells what it took: seconds, and bytes above what was held before.
pub(crate) fn cost<T: Send>(work: impl FnOnce() -> T + Send) -> (T, f64, u64) {
    forget_peak();
    let before = peak().unwrap_or(0);
    let run = || {
        let start = processor_seconds();
        let out = work();
        (out, processor_seconds().zip(start).map_or(0.0, |(end, start)| end - start))
    };
    let (out, seconds) = std::thread::scope(|scope| {
        std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run).unwrap().join().unwrap()
    });
    (out, seconds, peak().unwrap_or(0).saturating_sub(before))
}

/// Ends the process if one case runs on for minutes: a child that hangs must not stay behind.
pub(crate) struct Watch(AtomicU64);

impl Watch {
    pub(crate) const fn new() -> Watch {
        Watch(AtomicU64::new(0))
    }

    pub(crate) fn start(&'static self, patience: Duration) {
        std::thread::spawn(move || {
            let mut last = self.0.load(Ordering::Relaxed);
            loop {
                std::thread::sleep(patience);
                let now = self.0.load(Ordering::Relaxed);
                if now == last {
                    println!("HANG");
                    std::process::exit(3);
                }
                last = now;
            }
        });
    }

    pub(crate) fn next_case(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}
