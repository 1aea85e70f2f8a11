//! Recovery: whatever is recovered is a file that opens, and whose blocks and tree can be read.
#![no_main]

use asdfkit::file::{File, RecoverOptions};
use asdfkit::source::MemorySource;
use asdfkit_fuzz::folder::folder;
use asdfkit_fuzz::judge::take;
use libfuzzer_sys::fuzz_target;
use std::sync::{Arc, LazyLock};
use tempfile::TempDir;

static FOLDER: LazyLock<TempDir> = LazyLock::new(folder);

fuzz_target!(|bytes: &[u8]| {
    let path = FOLDER.path().join("recovered.asdf");
    let mut options = RecoverOptions::default();
    options.whole_blocks = bytes.len() % 2 == 1;
    options.write.replace = true;
    options.write.durable = false;
    options.open.limits.decoded_bytes = 16 << 20;
    let source = Arc::new(MemorySource::of_vec(bytes.to_vec()));
    if take(File::recover_source(source, &path, &options)).is_none() {
        return;
    }
    let file = File::open(&path).unwrap_or_else(|error| panic!("the recovered file does not open: {error}"));
    let root = file.root().unwrap_or_else(|error| panic!("the recovered file has no tree: {error}"));
    let _ = take(root.count(""));
    let count = take(file.block_count());
    assert!(count.is_some(), "the blocks of the recovered file cannot be counted");
    let _ = take(file.verify());
});
