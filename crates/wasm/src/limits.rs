//! Limits of a tab of a browser.

use asdfkit::Limits;

/// Returns the limits of a tab. It has no files for what does not fit in memory.
pub(crate) fn limits() -> Limits {
    Limits {
        tree_bytes: 256 << 20,
        nodes: 4_000_000,
        decoded_bytes: 768 << 20,
        temporary_bytes: 0,
        table_bytes: 512 << 20,
        ..Limits::default()
    }
}
