//! What became of a description otherwise than it says, when a file was made from it.
//!
//! # Notes
//!
//! What an ASDF file cannot hold as a description says, as filters that are no codec, is noted when the file is made.
//!
//! ```c
//! asdf_ndl_notes *notes = NULL;
//! int64_t count = 0;
//! char line[512];
//! asdf_ndl_create_asdf_noted(description, "empty.asdf", NULL, &notes);
//! asdf_ndl_notes_count(notes, &count);
//! for (int64_t i = 0; i < count; i++) {
//!     asdf_ndl_notes_text(notes, i, line, sizeof line, NULL);
//!     puts(line);   // /image: its filters are no codec of ASDF; the block is not compressed
//! }
//! asdf_ndl_notes_free(notes);
//! ```

use super::walk::at;
use crate::ffi::boundary::guard::{guard, guard_retain, guard_silently};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::asdf_ndl_notes;
use crate::ndl::asdf::Note;
use std::ffi::c_char;

impl Class for asdf_ndl_notes {
    const TAG: u32 = u32::from_be_bytes(*b"NNOT");
    const NAME: &'static str = "asdf_ndl_notes";
    type Value = Vec<Note>;
}

/// The number of notes.
///
/// @param notes the notes
/// @param count gets the number
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_notes_count(notes: *const asdf_ndl_notes, count: *mut i64) -> asdf_status {
    guard(|caller| {
        let count = caller.out(count, "count")?;
        count.put_number(caller.handle(notes, "notes")?.len() as u64);
        Ok(())
    })
}

/// One note as a line: the path name, a colon, and what became of it.
///
/// @param notes    the notes
/// @param index    number of the note, from 0; outside is ASDF_ERR_OUT_OF_RANGE
/// @param buffer   gets the line
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the line; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_notes_text(
    notes: *const asdf_ndl_notes,
    index: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        let notes = caller.handle(notes, "notes")?;
        out.put(&at(index, "note", |position| notes.get(position))?.to_string())
    })
}

/// Gives another owner of notes.
///
/// @param notes   the notes
/// @param another gets the owner, to be freed as well; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_notes_retain(
    notes: *const asdf_ndl_notes,
    another: *mut *mut asdf_ndl_notes,
) -> asdf_status {
    guard_retain(notes, "notes", another)
}

/// Gives up notes; the last owner frees them.
///
/// @param notes the notes, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_notes_free(notes: *mut asdf_ndl_notes) {
    guard_silently(|caller| caller.release(notes));
}
