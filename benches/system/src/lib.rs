//! What the programs against C libraries share.

use std::ffi::CString;
use std::path::Path;

/// A path as C takes it.
pub fn c_path(path: &Path) -> CString {
    CString::new(path.as_os_str().as_encoded_bytes()).expect("a path has no NUL")
}
