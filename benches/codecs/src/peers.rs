//! The C libraries for comparison, called in the simplest way.

use std::ffi::{c_int, c_uchar, c_ulong, c_void};

/// Encodes one zlib stream at level 6.
pub fn deflate(data: &[u8]) -> Vec<u8> {
    // SAFETY: the output has the size that the library states as sufficient.
    unsafe {
        let mut length = libz_sys::compressBound(data.len() as c_ulong);
        let mut out = vec![0; length as usize];
        let status = libz_sys::compress2(out.as_mut_ptr(), &mut length, data.as_ptr(), data.len() as c_ulong, 6);
        assert_eq!(status, libz_sys::Z_OK);
        out.truncate(length as usize);
        out
    }
}

pub fn inflate(stored: &[u8], out: &mut [u8]) {
    let mut length = out.len() as c_ulong;
    // SAFETY: both slices are passed with their lengths.
    let status =
        unsafe { libz_sys::uncompress(out.as_mut_ptr(), &mut length, stored.as_ptr(), stored.len() as c_ulong) };
    assert_eq!((status, length as usize), (libz_sys::Z_OK, out.len()));
}

/// Encodes LZ4 blocks of 4 MiB each.
pub fn lz4_chunks(data: &[u8]) -> Vec<Vec<u8>> {
    let compress = |chunk: &[u8]| {
        // SAFETY: the output has the size that the library states as sufficient.
        unsafe {
            let mut out = vec![0_u8; lz4_sys::LZ4_compressBound(chunk.len() as c_int) as usize];
            let (from, to) = (chunk.as_ptr().cast(), out.as_mut_ptr().cast());
            let size = lz4_sys::LZ4_compress_default(from, to, chunk.len() as c_int, out.len() as c_int);
            assert!(size > 0);
            out.truncate(size as usize);
            out
        }
    };
    data.chunks(4 << 20).map(compress).collect()
}

pub fn lz4(chunks: &[Vec<u8>], out: &mut [u8]) {
    for (chunk, out) in chunks.iter().zip(out.chunks_mut(4 << 20)) {
        let (from, to) = (chunk.as_ptr().cast(), out.as_mut_ptr().cast());
        // SAFETY: both slices are passed with their lengths.
        let size = unsafe { lz4_sys::LZ4_decompress_safe(from, to, chunk.len() as c_int, out.len() as c_int) };
        assert_eq!(size as usize, out.len());
    }
}

/// Returns MD5 of the system's OpenSSL, if it is installed.
pub fn md5() -> Option<impl Fn(&[u8]) -> [u8; 16]> {
    type Md5 = unsafe extern "C" fn(*const c_void, usize, *mut c_uchar) -> *mut c_uchar;
    // SAFETY: the function has had this type in every version of the library.
    let function = unsafe {
        let library = libc::dlopen(c"libcrypto.so.3".as_ptr(), libc::RTLD_NOW);
        if library.is_null() {
            return None;
        }
        let symbol = libc::dlsym(library, c"MD5".as_ptr());
        if symbol.is_null() {
            return None;
        }
        std::mem::transmute::<*mut c_void, Md5>(symbol)
    };
    Some(move |data: &[u8]| {
        let mut digest = [0; 16];
        // SAFETY: the digest has 16 bytes.
        unsafe { function(data.as_ptr().cast(), data.len(), digest.as_mut_ptr()) };
        digest
    })
}
