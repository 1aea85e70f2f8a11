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
        "w6-verify" => verify(&job, 1 << 30),
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

/// Reads the payload into memory and computes its MD5 sum piece by piece.
fn verify(job: &Job, size: usize) {
    let mut out = Buffer::new(size);
    job.measure(|| {
        let (file, start) = open_payload(job);
        let mut head = [0; 16];
        file.read_exact_at(&mut head, start as u64 - 16).expect("the checksum is read");
        let mut position = start as u64;
        let mut sum = [0; 16];
        // SAFETY: the context is created, used and freed here, and an MD5 sum has 16 bytes.
        unsafe {
            let context = EVP_MD_CTX_new();
            EVP_DigestInit_ex(context, EVP_md5(), std::ptr::null_mut());
            for piece in out.chunks_mut(256 << 10) {
                file.read_exact_at(piece, position).expect("the input is read");
                position += piece.len() as u64;
                EVP_DigestUpdate(context, piece.as_ptr().cast(), piece.len());
            }
            EVP_DigestFinal_ex(context, sum.as_mut_ptr(), std::ptr::null_mut());
            EVP_MD_CTX_free(context);
        }
        assert_eq!(sum, head, "the checksum is right");
        check_of(&out)
    });
}
