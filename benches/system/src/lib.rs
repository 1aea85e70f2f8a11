//! Code that the programs for C libraries share.

use std::ffi::CString;
use std::path::Path;

/// Returns a path as a C string.
pub fn c_path(path: &Path) -> CString {
    CString::new(path.as_os_str().as_encoded_bytes()).expect("a path has no NUL")
}
