//! Chunked arrays: metadata in the form of zarr, the map of the chunks, and their blocks.
//!
//! The parts of the input are the metadata, the map, and the chunks.
#![no_main]

use asdfkit::array::{ReadOptions, Region};
use asdfkit::references::{ReferenceOptions, References};
use asdfkit_fuzz::asdf::{file_of, open};
use asdfkit_fuzz::input::parts;
use asdfkit_fuzz::judge::take;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let parts = parts(input);
    let (metadata, blocks) = parts.split_first().expect("there is always one part");
    let mut tree = b"z: !<asdf://asdf-format.org/zarr/tags/zarr-1.0.0>\n  .zarray: ".to_vec();
    tree.extend(*metadata);
    tree.extend(b"\n  chunk_block_map: 0");
    let Some(file) = take(open(file_of(&tree, blocks))) else { return };
    let _ = take(file.check_blocks());
    let _ = take(file.verify());
    let Some(array) = take(file.root()).and_then(|root| take(root.array("z"))) else { return };
    let own = array.datatype().clone();
    if let Some(size) = take(array.byte_size(&own))
        && size <= 1 << 16
    {
        let mut whole = vec![0; size as usize];
        let read = take(array.read(&own, &mut whole, &ReadOptions::default()));
        if read.is_some() && size > 0 && array.shape().iter().all(|&length| length > 0) {
            // The last element is where the whole has it.
            let start: Vec<i64> = array.shape().iter().map(|&length| length - 1).collect();
            let count = vec![1; start.len()];
            let item = size as usize / array.element_count().max(1) as usize;
            let mut last = vec![0; item];
            let region = Region { start: &start, count: &count, step: None };
            array.read_region(&region, &own, &mut last, &ReadOptions::default()).expect("a part of what was read");
            assert_eq!(last, whole[whole.len() - item..]);
        }
    }
    let _ = take(array.chunk_map());
    let _ = take(array.load(&own, false, &ReadOptions::default()).map(|_| ()));
    let mut references = References::new(&ReferenceOptions::default());
    if take(references.add(&file)).is_some() {
        let _ = take(references.finish()).map(|exported| exported.to_json());
    }
});
