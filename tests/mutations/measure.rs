//! Cost of a piece of work: CPU time and peak memory.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Stack size for threads that read hostile files: small, as in the runtimes of some languages.
pub(crate) const STACK: usize = 256 << 10;

/// Returns the CPU time of the calling thread in seconds, or `None` if the system does not report it.
fn processor_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split_whitespace().next()?.parse::<u64>().ok()? as f64 * 1e-9)
}

/// Returns the peak memory of the process since the last [`forget_peak`], in bytes.
fn peak() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().trim_end_matches(" kB").parse::<u64>().ok()? << 10)
}

fn forget_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// Runs `work` in a thread with a small stack. Returns its result, the seconds, and the bytes in addition to the memory
/// held before.
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

/// Ends the process if one case runs for minutes, so that a hanging child does not stay behind.
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
