//! Version of the library at compile time and at run time.
//!
//! # Version
//!
//! The constants are those of the header that the program was compiled with. The functions return those of the library
//! that it runs with.

use crate::ffi::boundary::guard::guard_silently;
use std::ffi::{CStr, c_char};

/// Major version of this header.
pub const ASDF_VERSION_MAJOR: i32 = 0;
/// Minor version of this header.
pub const ASDF_VERSION_MINOR: i32 = 1;
/// Patch version of this header.
pub const ASDF_VERSION_PATCH: i32 = 0;
/// Number of the binary interface (ABI) of this header.
pub const ASDF_ABI: i32 = 1;

const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
    Ok(version) => version,
    Err(_) => c"",
};

/// Returns the version of the library at run time, such as "0.1.0". It may be newer than this header.
///
/// @return static string
/// @since 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn asdf_library_version() -> *const c_char {
    VERSION.as_ptr()
}

/// Gets the version of the library at run time, as numbers.
///
/// @param major gets the major version; may be NULL
/// @param minor gets the minor version; may be NULL
/// @param patch gets the patch version; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_library_version_numbers(major: *mut i32, minor: *mut i32, patch: *mut i32) {
    guard_silently(|caller| {
        caller.optional_out(major).put(ASDF_VERSION_MAJOR);
        caller.optional_out(minor).put(ASDF_VERSION_MINOR);
        caller.optional_out(patch).put(ASDF_VERSION_PATCH);
        Ok(())
    });
}

/// Returns the number of the binary interface (ABI) of the library at run time. Programs that load the library
/// dynamically should compare it with ASDF_ABI: if the numbers differ, functions may be missing or take other
/// arguments.
///
/// @return the number
/// @since 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn asdf_library_abi() -> i32 {
    ASDF_ABI
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_package() {
        let numbers = format!("{ASDF_VERSION_MAJOR}.{ASDF_VERSION_MINOR}.{ASDF_VERSION_PATCH}");
        assert_eq!(VERSION.to_str().unwrap(), numbers);
        assert_eq!(env!("ASDFKIT_ABI"), ASDF_ABI.to_string());
    }
}
