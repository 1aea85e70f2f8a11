//! Limits of the machine without a library: the payload of 1 GiB read into memory, or written from memory to a file.
//!
//! A workload that ends in `-pread` reads by positioned reads, one that ends in `-mmap` through a map of the file.

mod kernels;

use kernels::{convert, swap};
use measure::{Buffer, Job, check_of, field, open_payload, tiles};
use std::fs::File;
use std::io::Write;
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;

const SIZE: usize = 1 << 30;

fn main() {
    let job = Job::from_arguments();
    let (kind, way) = job.workload.rsplit_once('-').unwrap_or_default();
    if matches!(way, "pread" | "mmap") {
        return read(&job, kind, way == "mmap");
    }
    let mut buffer = Buffer::new(SIZE);
    match job.workload.as_str() {
        "w9-large" => {
            buffer.copy_from_slice(measure::bytes_of(&field(SIZE / 4)));
            let remove = || drop(std::fs::remove_file(&job.output));
            job.measure_after(remove, || {
                let mut file = File::create(&job.output).expect("the output opens");
                file.write_all(&buffer).expect("the output is written");
                if job.synced {
                    file.sync_all().expect("the output comes to the disk");
                }
                0.0
            });
        }
        "w9-stream" => {
            let remove = || drop(std::fs::remove_file(&job.output));
            job.measure_after(remove, || {
                let mut file = File::create(&job.output).expect("the output opens");
                for _ in 0..4096 {
                    file.write_all(&buffer[..1 << 20]).expect("the output is written");
                }
                0.0
            });
        }
        "w12" => {
            let make = || std::fs::write(&job.output, &buffer[..1 << 20]).expect("the output is written");
            job.measure_after(make, || {
                let mut file = File::options().append(true).open(&job.output).expect("the output opens");
                for _ in 0..128 {
                    file.write_all(&buffer[..1 << 20]).expect("the output is written");
                    if job.synced {
                        file.sync_data().expect("the output comes to the disk");
                    }
                }
                0.0
            });
        }
        other => panic!("no workload {other}"),
    }
}

/// Bytes read at a time before they are swapped or converted: they stay in the cache of a core.
const PIECE: usize = 128 << 10;
/// Bytes of a row of the image of float32.
const ROW: usize = 4 * 16384;

/// Measures a read of the payload.
fn read(job: &Job, kind: &str, mapped: bool) {
    let mut out = Buffer::new(match kind {
        "w3" => 2 * SIZE,
        "w4-tile" => 4 << 20,
        "w4-strip" => 1 << 20,
        _ => SIZE,
    });
    let mut piece = vec![0; PIECE];
    job.measure(|| {
        let input = Input::open(job, mapped);
        match kind {
            "w1" => input.copy(0, &mut out),
            "w2" => input.pieces(&mut piece, |bytes, at| swap(bytes, &mut out[at..at + bytes.len()])),
            "w3" => input.pieces(&mut piece, |bytes, at| convert(bytes, &mut out[2 * at..2 * (at + bytes.len())])),
            "w4-tile" => {
                return tiles()
                    .map(|[row, column]| {
                        for (index, part) in out.chunks_exact_mut(4096).enumerate() {
                            input.copy(ROW * (row as usize + index) + 4 * column as usize, part);
                        }
                        check_of(&out)
                    })
                    .sum();
            }
            "w4-strip" => {
                let mut rows = out.chunks_exact_mut(64).enumerate();
                rows.by_ref().for_each(|(row, part)| input.copy(ROW * row + 4 * 8000, part));
            }
            other => panic!("no workload {other}"),
        }
        check_of(&out)
    });
}

/// The payload of the input: a file, or a map of it.
struct Input {
    file: File,
    start: usize,
    map: &'static [u8],
}

impl Input {
    fn open(job: &Job, mapped: bool) -> Input {
        let (file, start) = open_payload(job);
        let mut map: &[u8] = &[];
        if mapped {
            let size = start + SIZE;
            // SAFETY: the mapping covers the file, is only read, and is unmapped when the input is dropped.
            map = unsafe {
                let address =
                    libc::mmap(std::ptr::null_mut(), size, libc::PROT_READ, libc::MAP_SHARED, file.as_raw_fd(), 0);
                assert_ne!(address, libc::MAP_FAILED, "the input is mapped");
                std::slice::from_raw_parts(address.cast::<u8>(), size)
            };
        }
        Input { file, start, map }
    }

    fn copy(&self, at: usize, out: &mut [u8]) {
        match self.map {
            [] => self.file.read_exact_at(out, (self.start + at) as u64).expect("the input is read"),
            map => out.copy_from_slice(&map[self.start + at..][..out.len()]),
        }
    }

    /// Calls `visit` with each piece of the payload and its position.
    fn pieces(&self, buffer: &mut [u8], mut visit: impl FnMut(&[u8], usize)) {
        for at in (0..SIZE).step_by(PIECE) {
            if self.map.is_empty() {
                self.copy(at, buffer);
                visit(buffer, at);
            } else {
                visit(&self.map[self.start + at..][..PIECE], at);
            }
        }
    }
}

impl Drop for Input {
    fn drop(&mut self) {
        if !self.map.is_empty() {
            // SAFETY: the map was made by `open`, and nobody else has it.
            unsafe { libc::munmap(self.map.as_ptr().cast_mut().cast(), self.map.len()) };
        }
    }
}
