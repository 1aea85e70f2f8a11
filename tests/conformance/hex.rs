//! Hexadecimal text of bytes.

/// Returns bytes as a manifest writes them.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
