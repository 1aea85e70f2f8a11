//! The status that functions return. Its numbers, names and descriptions are those of `crate::Status`; the header
//! defines a constant for each.
//!
//! # Status
//!
//! Most functions return a status. The hundreds digit is the group: 100 the call, 200 the operating system, 300 the
//! bytes of the file, 400 compression, 500 the tree, 600 arrays, 700 limits, 800 tables. A number never changes its
//! meaning. New numbers may be added: treat an unknown one as an error of its group.
//!
//! ```c
//! asdf_status status = asdf_file_open("image.asdf", NULL, &file);
//! if (status == ASDF_ERR_FILE_NOT_FOUND) return make_new_file();
//! if (status != ASDF_OK) fprintf(stderr, "%s\n", asdf_status_name(status));
//! ```

use crate::error::Status;
use std::ffi::{CStr, c_char};

/// ASDF_OK, or one of ASDF_ERR_...
pub type asdf_status = i32;

/// No error.
pub const ASDF_OK: asdf_status = 0;

/// Returns the name of the constant of a status, such as "ASDF_ERR_TRUNCATED".
///
/// @param status any number
/// @return static string; "unknown status" for an unknown number
/// @since 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn asdf_status_name(status: asdf_status) -> *const c_char {
    name(status).as_ptr()
}

fn name(status: asdf_status) -> &'static CStr {
    match Status::from_code(status) {
        Some(status) => status.constant(),
        None if status == ASDF_OK => c"ASDF_OK",
        None => c"unknown status",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_constants() {
        for &status in Status::ALL {
            assert_eq!(name(status.code()).to_str().unwrap(), format!("ASDF_ERR_{}", status.name()));
        }
        assert_eq!(name(0), c"ASDF_OK");
        assert_eq!(name(-1), c"unknown status");
    }
}
