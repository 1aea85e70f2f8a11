//! Recovery: whatever is recovered is a file that opens, and whose blocks and tree can be read.
#![no_main]

use asdfkit::file::{File, RecoverOptions};
use asdfkit::source::MemorySource;
use asdfkit_fuzz::folder::folder;
use asdfkit_fuzz::judge::{judge, take};
use libfuzzer_sys::fuzz_target;
use std::sync::{Arc, LazyLock};
use tempfile::TempDir;

static FOLDER: LazyLock<TempDir> = LazyLock::new(folder);

fuzz_target!(|bytes: &[u8]| {
    let path = FOLDER.path().join("recovered.asdf");
    let mut options = RecoverOptions { whole_blocks: bytes.len() % 2 == 1, ..RecoverOptions::default() };
    options.write.replace = true;
    options.write.durable = false;
    options.open.limits.decoded_bytes = 16 << 20;
    let source = Arc::new(MemorySource::of_vec(bytes.to_vec()));
    let Some(recovery) = take(File::recover_source(source, &path, &options)) else { return };
    let file = File::open(&path).unwrap_or_else(|error| panic!("the recovered file does not open: {error}"));
    let root = file.root().unwrap_or_else(|error| panic!("the recovered file has no tree: {error}"));
    let _ = take(root.count(""));
    let count = take(file.block_count());
    assert!(count.is_some(), "the blocks of the recovered file cannot be counted");
    let Err(error) = file.verify() else { return };
    judge(&error);
    // Damage that stays is reported, or was no damage of the bytes: the source has the same error, perhaps after others.
    let source = File::open_memory(Arc::new(bytes.to_vec()), &options.open);
    let is_old = match source.and_then(|source| source.inspect(1)) {
        Ok(before) => before.problems.iter().any(|before| before.status() == error.status()),
        // A tree that does not open is not judged. Recovery keeps its values, right or wrong.
        Err(before) => before.status() == error.status() || error.location().path.is_some(),
    };
    assert!(is_old || !recovery.losses.is_empty(), "damage that is not reported: {error}");
});
