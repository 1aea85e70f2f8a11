//! Whole files, as `tests/mutations` reads them: the tree, all arrays, all blocks, copies of all parts, a description.
#![no_main]

#[path = "../../../tests/mutations/visit.rs"]
mod visit;

use libfuzzer_sys::fuzz_target;

/// Maximum number of bytes read from one array or block.
const BUFFER: usize = 1 << 16;
/// Number of nodes on which all calls are tried, whether they fit the node or not.
const THOROUGH: usize = 10;

fuzz_target!(|bytes: &[u8]| {
    let told = visit::visit(bytes.to_vec(), None);
    assert!(told.violations.is_empty(), "{:?}", told.violations);
    let problem = visit::description(bytes.to_vec());
    assert_eq!(problem, None);
});
