//! Limits of the machine without a library: the payload of 1 GiB read into memory, or written from memory to a file.

use measure::{Buffer, Job, check_of, field, open_payload};
use std::fs::File;
use std::io::Write;
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;

const SIZE: usize = 1 << 30;

fn main() {
    let job = Job::from_arguments();
    let mut buffer = Buffer::new(SIZE);
    match job.workload.as_str() {
        "w1-pread" => job.measure(|| {
            let (file, start) = open_payload(&job);
            file.read_exact_at(&mut buffer, start as u64).expect("the input is read");
            check_of(&buffer)
        }),
        "w1-mmap" => job.measure(|| {
            let (file, start) = open_payload(&job);
            copy_from_map(&file, start, &mut buffer);
            check_of(&buffer)
        }),
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
        other => panic!("no workload {other}"),
    }
}

fn copy_from_map(file: &File, start: usize, out: &mut [u8]) {
    let length = start + out.len();
    // SAFETY: the mapping covers the file, is only read, and is unmapped before the function ends.
    unsafe {
        let address = libc::mmap(std::ptr::null_mut(), length, libc::PROT_READ, libc::MAP_SHARED, file.as_raw_fd(), 0);
        assert_ne!(address, libc::MAP_FAILED, "the input is mapped");
        out.copy_from_slice(&std::slice::from_raw_parts(address.cast::<u8>(), length)[start..]);
        libc::munmap(address, length);
    }
}
