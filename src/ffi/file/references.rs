//! References to the arrays of files, for readers of zarr.
//!
//! # References
//!
//! References are JSON that tells readers of zarr where the chunks of arrays lie in ASDF files (kerchunk, version 1).
//! fsspec with zarr, xarray and Dask then read the arrays as they lie, also from object stores, without this library.
//!
//! ```c
//! asdf_buffer *json = NULL;
//! const void *bytes;
//! size_t size;
//! if (asdf_file_export_references((const asdf_file *const *)&file, 1, NULL, &json) != ASDF_OK) return report();
//! asdf_buffer_bytes(json, &bytes, &size);
//! fwrite(bytes, 1, size, output);
//! asdf_buffer_free(json);
//! ```

use crate::error::{Error, Result, Status};
use crate::ffi::boundary::guard::guard_handle;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_buffer, asdf_file, asdf_options};
use crate::ffi::options::keys::*;
use crate::ffi::options::taken::{Taken, take};
use crate::references::{Join, ReferenceOptions, References};
use crate::source::SharedBytes;
use std::sync::Arc;

/// Makes references to the arrays of one file or several.
///
/// - Uncompressed arrays are divided into parts of whole rows (ASDF_OPTION_SLAB_BYTES). No part is shorter than the
///   others: some readers would fail or read wrong elements.
/// - Blocks of the codecs zlib, bzp2, zstd, blsc and lz4 are chunks with that codec, and so are the chunks of chunked
///   arrays.
/// - Arrays in Fortran order have their dimensions reversed.
/// - With several files, the arrays of the same path become one array, along a new dimension or, if
///   ASDF_OPTION_JOIN_DIMENSION is empty, along one that they have.
/// - A file is known by its URL, size and time: ASDF_OPTION_URL sets the URL.
///
/// Arrays that zarr cannot express are left out: records, elements in the tree, other codecs, strides without rows of
/// packed elements, arrays that differ between the files in more than their elements. The list `notes` under the key
/// `asdfkit` of the JSON has an entry for each of them, in the form of asdf_report_json(), and for masks. Its list
/// `files` has the URL of each file, its `size` in bytes and the time of its last change, `modified_ns`, in nanoseconds
/// since 1970.
///
/// Fails with ASDF_ERR_NOT_FOUND if the node of ASDF_OPTION_ROOT does not exist, with ASDF_ERR_UNSUPPORTED if a file
/// without a name has no URL, and with ASDF_ERR_INVALID_ARGUMENT if two files have the same URL.
///
/// @param files      the files, in the order in which they are joined
/// @param count      their number; ASDF_ERR_INVALID_ARGUMENT if it is less than 1
/// @param options    options, or NULL for the defaults
/// @param references gets the JSON, in UTF-8; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_export_references(
    files: *const *const asdf_file,
    count: i64,
    options: *const asdf_options,
    references: *mut *mut asdf_buffer,
) -> asdf_status {
    guard_handle(references, "references", |caller| {
        let count = usize::try_from(count).ok().filter(|&count| count > 0).ok_or_else(|| {
            Error::new(Status::InvalidArgument, format!("the number of files is {count}, but must be 1 or more"))
        })?;
        let files = caller.numbers(files, count, "files")?;
        let files = files.iter().map(|&file| caller.handle(file, "files")).collect::<Result<Vec<_>>>()?;
        let options = take(caller, options, "asdf_file_export_references")?;
        let mut made = References::new(&reference_options(&options));
        for file in files {
            made.add(file)?;
        }
        Ok(Arc::new(made.finish()?.to_json()?.into_bytes()) as SharedBytes)
    })
}

fn reference_options(options: &Taken) -> ReferenceOptions {
    let default = ReferenceOptions::default();
    let text = |key: i32| options.text(key).unwrap_or_default().to_owned();
    let axis = options.count(ASDF_OPTION_JOIN_AXIS).unwrap_or(0) as usize;
    let join = match options.text(ASDF_OPTION_JOIN_DIMENSION) {
        Some("") => Join::existing(axis),
        Some(dimension) => Join::new(axis, dimension),
        None => Join::new(axis, "file"),
    };
    ReferenceOptions {
        slab_bytes: options.count(ASDF_OPTION_SLAB_BYTES).unwrap_or(default.slab_bytes),
        url: text(ASDF_OPTION_URL),
        root: text(ASDF_OPTION_ROOT),
        join,
        same: options.texts(ASDF_OPTION_SAME).unwrap_or_default(),
        inline_bytes: options.count(ASDF_OPTION_INLINE_BYTES).unwrap_or(default.inline_bytes),
        ..default
    }
}
