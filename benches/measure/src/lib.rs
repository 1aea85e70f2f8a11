//! One measurement in its own process: wall time, CPU time and memory of a piece of work, printed as JSON.
//!
//! All Rust programs of the comparison use this; `python/measure.py` does the same for the Python programs.

mod buffer;
mod heap;

pub use buffer::Buffer;

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Work is repeated for at least this time and at least [`MIN_RUNS`] times.
const ENOUGH: Duration = Duration::from_millis(400);
const MIN_RUNS: usize = 3;
/// Work that takes at least this time is not repeated: its first run counts.
const SLOW: Duration = Duration::from_secs(3);

/// Key of the scalars that are looked up in the large tree.
pub const KEY: &str = "calibration_coefficient_of_detector_040";

/// The command line: `PROGRAM WORKLOAD INPUT OUTPUT [AMOUNT]`.
pub struct Job {
    /// Name of the workload.
    pub workload: String,
    /// The file to read.
    pub input: PathBuf,
    /// The file to write.
    pub output: PathBuf,
    /// Size, for workloads with several sizes.
    pub amount: usize,
    /// True to wait for the disk, for workloads with a name that ends in `-synced`.
    pub synced: bool,
    /// True to read through a map, for workloads with a name that ends in `-mapped`.
    pub mapped: bool,
    /// Number of threads: 2 for workloads with a name that ends in `-threads`, otherwise 1.
    pub threads: usize,
    /// True for an array in chunks, for workloads with a name that has `-chunked` at its end.
    pub chunked: bool,
}

impl Job {
    /// Reads the command line.
    pub fn from_arguments() -> Job {
        let mut arguments = std::env::args().skip(1);
        let mut next = || arguments.next().expect("usage: PROGRAM WORKLOAD INPUT OUTPUT [AMOUNT]");
        let (mut workload, input, output): (String, _, _) = (next(), next().into(), next().into());
        let mut variants = Vec::new();
        while let Some((name, variant @ ("synced" | "mapped" | "threads" | "chunked"))) = workload.rsplit_once('-') {
            variants.push(variant.to_owned());
            workload = name.to_owned();
        }
        let has = |variant: &str| variants.iter().any(|found| found == variant);
        let (synced, mapped, chunked) = (has("synced"), has("mapped"), has("chunked"));
        let threads = if has("threads") { 2 } else { 1 };
        let amount = arguments.next().map_or(0, |amount| amount.parse().expect("a number"));
        Job { workload, input, output, amount, synced, mapped, threads, chunked }
    }

    /// Measures `work` and prints the result. The value of `work` is printed too, for comparison with the other
    /// programs.
    pub fn measure(&self, work: impl FnMut() -> f64) {
        self.measure_after(|| (), work);
    }

    /// Same as [`Job::measure`]; `before` runs before each run and is not measured.
    pub fn measure_after(&self, mut before: impl FnMut(), mut work: impl FnMut() -> f64) {
        before();
        let resident = resident_bytes("VmRSS:");
        heap::start();
        let before_writing = bytes_written();
        let (check, first) = timed(&mut work);
        let io = bytes_written() - before_writing;
        let heap_peak = heap::stop();
        let growth = resident_bytes("VmHWM:").saturating_sub(resident);

        let mut runs = Vec::new();
        if first.0 >= SLOW {
            runs.push(first);
        }
        let mut total = Duration::ZERO;
        while runs.is_empty() || (first.0 < SLOW && (runs.len() < MIN_RUNS || total < ENOUGH)) {
            before();
            let (again, run) = timed(&mut work);
            assert_eq!(check, again, "another result than the first time");
            total += run.0;
            runs.push(run);
        }
        let wall = median(runs.iter().map(|run| run.0).collect()).as_secs_f64();
        let cpu = median(runs.iter().map(|run| run.1).collect()).as_secs_f64();
        println!(
            r#"{{"wall": {wall}, "cpu": {cpu}, "resident": {growth}, "heap": {heap_peak}, "io": {io}, "check": {check}}}"#
        );
    }
}

fn timed(work: &mut impl FnMut() -> f64) -> (f64, (Duration, Duration)) {
    let (wall, cpu) = (Instant::now(), cpu_time());
    let check = work();
    (check, (wall.elapsed(), cpu_time() - cpu))
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn cpu_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is that of a local variable.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Returns a number of bytes from the status of the process: current or peak resident memory.
fn resident_bytes(field: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux tells what is resident");
    let line = status.lines().find(|line| line.starts_with(field)).expect("the field exists");
    let kibibytes: u64 = line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).expect("a number");
    kibibytes << 10
}

/// Returns the number of bytes that the process has written or had the system copy.
fn bytes_written() -> u64 {
    let counts = std::fs::read_to_string("/proc/self/io").expect("Linux counts what is written");
    let count = counts.lines().find_map(|line| line.strip_prefix("wchar: ")).expect("the count exists");
    count.parse().expect("a number")
}

/// Waits until a file is on the disk.
pub fn sync(path: &Path) {
    File::open(path).and_then(|file| file.sync_all()).expect("the file comes to the disk");
}

/// Returns the bytes of numbers, for libraries that write bytes.
pub fn bytes_of(values: &[f32]) -> &[u8] {
    // SAFETY: any four bytes of a float are valid bytes, and u8 has no alignment.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

/// Returns numbers to write: multiples of 1/8.
pub fn field(count: usize) -> Vec<f32> {
    (0..count).map(|index| index as f32 / 8.0).collect()
}

/// Returns the sum of a few 32-bit words spread over the bytes: a cheap check for wrong data.
pub fn check_of(bytes: &[u8]) -> f64 {
    let (words, _) = bytes.as_chunks::<4>();
    words.iter().step_by(words.len().div_ceil(64).max(1)).map(|word| f64::from(u32::from_le_bytes(*word))).sum()
}

/// Opens the input. Also returns the offset of the payload of its first block.
pub fn open_payload(job: &Job) -> (File, usize) {
    let file = File::open(&job.input).expect("the input opens");
    let mut head = [0; 4096];
    file.read_exact_at(&mut head, 0).expect("the input is read");
    let magic = head.windows(4).position(|bytes| bytes == b"\xD3BLK").expect("there is a block");
    (file, magic + 54)
}

/// Returns row and column of the start of 16 tiles of 1024 × 1024, to be read from the image of 16384 × 16384.
pub fn tiles() -> impl Iterator<Item = [i64; 2]> {
    (1..=16).map(|number| [number * 7919 % 15361, number * 10007 % 15361])
}
