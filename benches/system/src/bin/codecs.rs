//! The codecs and checksums of C libraries without a file format: their best possible speed.

use measure::{Buffer, Job, check_of, open_payload};
use std::ffi::{c_char, c_int, c_ulong, c_void};
use std::fs;
use std::os::unix::fs::FileExt;

unsafe extern "C" {
    fn uncompress(out: *mut u8, out_size: *mut c_ulong, bytes: *const u8, size: c_ulong) -> c_int;
    fn compress2(out: *mut u8, out_size: *mut c_ulong, bytes: *const u8, size: c_ulong, level: c_int) -> c_int;
    fn compressBound(size: c_ulong) -> c_ulong;
    fn LZ4_decompress_safe(bytes: *const c_char, out: *mut c_char, size: c_int, room: c_int) -> c_int;
    fn LZ4_compress_default(bytes: *const c_char, out: *mut c_char, size: c_int, room: c_int) -> c_int;
    fn LZ4_compressBound(size: c_int) -> c_int;
    fn EVP_MD_CTX_new() -> *mut c_void;
    fn EVP_MD_CTX_free(context: *mut c_void);
    fn EVP_md5() -> *const c_void;
    fn EVP_DigestInit_ex(context: *mut c_void, kind: *const c_void, engine: *mut c_void) -> c_int;
    fn EVP_DigestUpdate(context: *mut c_void, bytes: *const c_void, size: usize) -> c_int;
    fn EVP_DigestFinal_ex(context: *mut c_void, out: *mut u8, size: *mut u32) -> c_int;
}

fn main() {
    let job = Job::from_arguments();
    match job.workload.as_str() {
        "w5-int16" => inflate(&job, 256 << 20),
        "w5-float32" => inflate(&job, 64 << 20),
        "w5-lz4" => decode_lz4(&job, 256 << 20),
        "w5-deflate" => deflate(&job),
        "w5-lz4-encode" => encode_lz4(&job),
        "w6-verify" => verify(&job, 1 << 30),
        "w6-blocks" => verify_blocks(&job),
        "w6-write" => write(&job),
        other => panic!("no workload {other}"),
    }
}

/// Returns the stored bytes of the input's block.
fn payload(job: &Job) -> Vec<u8> {
    let (_, start) = open_payload(job);
    fs::read(&job.input).expect("the input is read").split_off(start)
}

fn inflate(job: &Job, size: usize) {
    let (stored, mut out) = (payload(job), Buffer::new(size));
    job.measure(|| {
        let mut length = out.len() as c_ulong;
        // SAFETY: both lengths are those of the buffers.
        let status = unsafe { uncompress(out.as_mut_ptr(), &mut length, stored.as_ptr(), stored.len() as c_ulong) };
        assert_eq!((status, length), (0, out.len() as c_ulong), "the stream is decoded");
        check_of(&out)
    });
}

fn decode_lz4(job: &Job, size: usize) {
    let (stored, mut out) = (payload(job), Buffer::new(size));
    job.measure(|| {
        let (mut rest, mut done) = (&stored[..], 0);
        while done < out.len() {
            let (counted, after) = rest.split_first_chunk().expect("there is a chunk");
            let (chunk, others) = after.split_at(u32::from_be_bytes(*counted) as usize);
            let (bytes, room) = (&chunk[4..], &mut out[done..]);
            let room_size = room.len().min(4 << 20) as c_int;
            // SAFETY: both lengths are those of slices.
            let decoded = unsafe {
                LZ4_decompress_safe(bytes.as_ptr().cast(), room.as_mut_ptr().cast(), bytes.len() as c_int, room_size)
            };
            done += usize::try_from(decoded).expect("the chunk is decoded");
            rest = others;
        }
        check_of(&out)
    });
}

fn deflate(job: &Job) {
    let mut bytes = payload(job);
    bytes.truncate(64 << 20);
    // SAFETY: the function only computes a number.
    let mut out = Buffer::new(unsafe { compressBound(bytes.len() as c_ulong) } as usize);
    job.measure(|| {
        let mut length = out.len() as c_ulong;
        // SAFETY: both lengths are those of the buffers.
        let status = unsafe { compress2(out.as_mut_ptr(), &mut length, bytes.as_ptr(), bytes.len() as c_ulong, 6) };
        assert_eq!(status, 0, "the bytes are encoded");
        fs::write(&job.output, &out[..length as usize]).expect("the output is written");
        0.0
    });
}

/// Encodes chunks of 4 MiB and writes them.
fn encode_lz4(job: &Job) {
    let mut bytes = payload(job);
    bytes.truncate(64 << 20);
    // SAFETY: the function only computes a number.
    let room = unsafe { LZ4_compressBound(4 << 20) };
    let mut chunk = Buffer::new(room as usize);
    job.measure(|| {
        let mut out = Vec::new();
        for part in bytes.chunks(4 << 20) {
            // SAFETY: both lengths are those of the buffers.
            let size = unsafe {
                LZ4_compress_default(part.as_ptr().cast(), chunk.as_mut_ptr().cast(), part.len() as c_int, room)
            };
            out.extend_from_slice(&(size + 4).to_be_bytes());
            out.extend_from_slice(&(part.len() as u32).to_le_bytes());
            out.extend_from_slice(&chunk[..size as usize]);
        }
        fs::write(&job.output, &out).expect("the output is written");
        0.0
    });
}

/// Computes the MD5 sum of a gibibyte in memory and writes the bytes.
fn write(job: &Job) {
    let values = measure::field(1 << 28);
    let remove = || drop(fs::remove_file(&job.output));
    job.measure_after(remove, || {
        let mut hasher = Md5::new();
        hasher.update(measure::bytes_of(&values));
        assert_ne!(hasher.finish(), [0; 16]);
        fs::write(&job.output, measure::bytes_of(&values)).expect("the output is written");
        0.0
    });
}

/// Reads all blocks and compares their MD5 sums.
fn verify_blocks(job: &Job) {
    let mut piece = vec![0; 256 << 10];
    job.measure(|| {
        let (file, mut start) = open_payload(job);
        let mut count = 0;
        let mut header = [0; 54];
        while file.read_exact_at(&mut header, start as u64 - 54).is_ok() && header.starts_with(b"\xD3BLK") {
            let size = u64::from_be_bytes(*header[14..].first_chunk().expect("the header has a size"));
            let (mut hasher, end) = (Md5::new(), start as u64 + size);
            let mut at = start as u64;
            while at < end {
                let length = piece.len().min((end - at) as usize);
                file.read_exact_at(&mut piece[..length], at).expect("the input is read");
                hasher.update(&piece[..length]);
                at += length as u64;
            }
            assert_eq!(hasher.finish(), header[38..], "the checksum is right");
            start = end as usize + 54;
            count += 1;
        }
        f64::from(count)
    });
}

/// The MD5 of libcrypto.
struct Md5(*mut c_void);

impl Md5 {
    fn new() -> Md5 {
        // SAFETY: the context is new, and is freed when the value is dropped.
        unsafe {
            let context = EVP_MD_CTX_new();
            EVP_DigestInit_ex(context, EVP_md5(), std::ptr::null_mut());
            Md5(context)
        }
    }

    fn update(&mut self, bytes: &[u8]) {
        // SAFETY: the length is that of the slice.
        unsafe { EVP_DigestUpdate(self.0, bytes.as_ptr().cast(), bytes.len()) };
    }

    fn finish(self) -> [u8; 16] {
        let mut sum = [0; 16];
        // SAFETY: an MD5 sum has 16 bytes.
        unsafe { EVP_DigestFinal_ex(self.0, sum.as_mut_ptr(), std::ptr::null_mut()) };
        sum
    }
}

impl Drop for Md5 {
    fn drop(&mut self) {
        // SAFETY: the context was made by `new`, and nobody else has it.
        unsafe { EVP_MD_CTX_free(self.0) };
    }
}

/// Reads the payload into memory and computes its MD5 sum piece by piece.
fn verify(job: &Job, size: usize) {
    let mut out = Buffer::new(size);
    job.measure(|| {
        let (file, start) = open_payload(job);
        let mut head = [0; 16];
        file.read_exact_at(&mut head, start as u64 - 16).expect("the checksum is read");
        let mut position = start as u64;
        let mut hasher = Md5::new();
        for piece in out.chunks_mut(256 << 10) {
            file.read_exact_at(piece, position).expect("the input is read");
            position += piece.len() as u64;
            hasher.update(piece);
        }
        assert_eq!(hasher.finish(), head, "the checksum is right");
        check_of(&out)
    });
}
