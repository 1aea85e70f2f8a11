//! ASDF files in memory, made of a tree and the payloads of blocks.

use asdfkit::file::{File, OpenOptions};
use std::sync::Arc;

/// Head of a file whose tags have the usual handle.
pub const HEAD: &str =
    "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n";

/// Returns a file with this text as tree, and uncompressed blocks.
pub fn file_of(tree: &[u8], payloads: &[&[u8]]) -> Vec<u8> {
    let mut bytes = [HEAD.as_bytes(), tree, b"\n...\n"].concat();
    for payload in payloads {
        bytes.extend(b"\xd3BLK\0\x30\0\0\0\0\0\0\0\0");
        for _ in 0..3 {
            bytes.extend((payload.len() as u64).to_be_bytes());
        }
        bytes.extend([0; 16]);
        bytes.extend(*payload);
    }
    bytes
}

/// Opens a file in memory whose caches stay small.
pub fn open(bytes: Vec<u8>) -> asdfkit::Result<File> {
    let mut options = OpenOptions { cache_bytes: Some(1 << 20), ..OpenOptions::default() };
    options.limits.decoded_bytes = 16 << 20;
    options.limits.temporary_bytes = 16 << 20;
    File::open_memory(Arc::new(bytes), &options)
}
