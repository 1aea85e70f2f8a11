//! Descriptions in the Ndarray Data Language: reading, and what is wrong with them.
//!
//! # Descriptions
//!
//! A description is a YAML text that tells what a file of arrays holds: groups, arrays, the dimension coordinates that
//! belong to their axes, attributes, datatypes, and how all that is stored (Ndarray Data Language, NDL 0.6.1).
//!
//! Reading one succeeds whenever the text is YAML. What is wrong or odd in it is a list of diagnostics, in the order of
//! the text; what is right is there although something else is wrong. asdf_ndl_is_valid() tells whether there are
//! errors among them.
//!
//! ```c
//! asdf_ndl *description = NULL;
//! int64_t count;
//! char line[512];
//! asdf_ndl_read("model.yaml", NULL, &description);
//! asdf_ndl_diagnostic_count(description, &count);
//! for (int64_t i = 0; i < count; i++) {
//!     asdf_ndl_diagnostic_text(description, i, line, sizeof line, NULL);
//!     puts(line);   // model.yaml:12:7: E-VALUE-RANGE: /a: 300 is not in the range of int8
//! }
//! asdf_ndl_free(description);
//! ```

use crate::error::{Error, Result, Status};
use crate::ffi::boundary::caller::Caller;
use crate::ffi::boundary::guard::{guard, guard_handle, guard_retain, guard_silently};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_ndl, asdf_options};
use crate::ffi::options::keys::*;
use crate::ffi::options::taken::{Taken, take};
use crate::ndl::ReadLimits;
use crate::ndl::asdf::{Described, Note};
use crate::ndl::{Diagnostic, Parsed, ReadOptions, Severity, parse, read_file};
use std::ffi::c_char;
use std::sync::Arc;

impl Class for asdf_ndl {
    const TAG: u32 = u32::from_be_bytes(*b"NDLD");
    const NAME: &'static str = "asdf_ndl";
    type Value = ReadDescription;
}

/// Not everybody would read the text so.
pub const ASDF_NDL_WARNING: i32 = 1;
/// The description is not valid.
pub const ASDF_NDL_ERROR: i32 = 2;

/// What an `asdf_ndl` stands for.
pub struct ReadDescription {
    /// The name of the file that it was read from.
    file: Option<Arc<str>>,
    pub(super) parsed: Parsed,
    /// What could not be told of the ASDF file that it describes.
    pub(super) notes: Vec<Note>,
}

impl ReadDescription {
    /// Fails if the text could not be read at all.
    pub(super) fn new(file: Option<Arc<str>>, parsed: Parsed) -> Result<ReadDescription> {
        match parsed.unreadable().map(Diagnostic::to_error) {
            None => Ok(ReadDescription { file, parsed, notes: Vec::new() }),
            Some(error) => Err(match &file {
                Some(file) => error.in_file(file),
                None => error,
            }),
        }
    }

    /// One that no text was read for.
    pub(super) fn of_asdf(described: Described) -> ReadDescription {
        let parsed = Parsed { description: described.description, ..Parsed::default() };
        ReadDescription { file: None, parsed, notes: described.notes }
    }

    pub(super) fn note(&self, index: i64) -> Result<&Note> {
        let note = usize::try_from(index).ok().and_then(|index| self.notes.get(index));
        note.ok_or_else(|| {
            let message = format!("there is no note {index}, but {} of them", self.notes.len());
            Error::new(Status::OutOfRange, message)
        })
    }

    fn diagnostic(&self, index: i64) -> Result<&Diagnostic> {
        let diagnostics = &self.parsed.diagnostics;
        let diagnostic = usize::try_from(index).ok().and_then(|index| diagnostics.get(index));
        diagnostic.ok_or_else(|| {
            let message = format!("there is no diagnostic {index}, but {} of them", diagnostics.len());
            Error::new(Status::OutOfRange, message)
        })
    }
}

/// How a description is read.
pub(super) fn read_options(options: &Taken) -> ReadOptions {
    let usual = ReadLimits::default();
    let depth = options.count(ASDF_OPTION_LIMIT_DEPTH).map(|depth| u32::try_from(depth).unwrap_or(u32::MAX));
    ReadOptions {
        strict: options.flag(ASDF_OPTION_WARNINGS_AS_ERRORS, false),
        allow_unknown_keys: options.flag(ASDF_OPTION_UNKNOWN_KEYS, false),
        limits: ReadLimits {
            bytes: options.count(ASDF_OPTION_LIMIT_TREE_BYTES).unwrap_or(usual.bytes),
            depth: depth.map_or(usual.depth, |depth| depth.min(ReadLimits::MAX_DEPTH)),
            nodes: options.count(ASDF_OPTION_LIMIT_NODES).unwrap_or(usual.nodes),
            ..usual
        },
    }
}

/// Reads a description from a file.
///
/// A text that is not YAML is ASDF_ERR_YAML, one that is neither UTF-8 nor UTF-16 with a byte order mark
/// ASDF_ERR_ENCODING, one that is too long or too deep ASDF_ERR_LIMIT; the details of the error name line and column.
///
/// @param path    the name of the file
/// @param options how to read it, or NULL
/// @param ndl     gets the description; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_read(
    path: *const c_char,
    options: *const asdf_options,
    ndl: *mut *mut asdf_ndl,
) -> asdf_status {
    guard_handle(ndl, "ndl", |caller| {
        let options = take(caller, options, "asdf_ndl_read")?;
        let path = caller.file_name(path, "path")?;
        let parsed = read_file(path, &read_options(&options))?;
        ReadDescription::new(Some(path.to_string_lossy().into()), parsed)
    })
}

/// Reads a description from memory, as asdf_ndl_read() does from a file.
///
/// @param text    the text
/// @param length  its length in bytes
/// @param options how to read it, or NULL
/// @param ndl     gets the description; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_parse(
    text: *const c_char,
    length: usize,
    options: *const asdf_options,
    ndl: *mut *mut asdf_ndl,
) -> asdf_status {
    guard_handle(ndl, "ndl", |caller| {
        let options = take(caller, options, "asdf_ndl_parse")?;
        // Not only UTF-8 is a text here.
        let bytes = caller.bytes(text.cast(), length, "text")?;
        ReadDescription::new(None, parse(bytes, &read_options(&options)))
    })
}

/// Tells whether there is no error in a description.
///
/// @param ndl   the description
/// @param valid gets 1 or 0
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_is_valid(ndl: *const asdf_ndl, valid: *mut i32) -> asdf_status {
    guard(|caller| {
        let valid = caller.out(valid, "valid")?;
        valid.put(caller.handle(ndl, "ndl")?.parsed.is_valid().into());
        Ok(())
    })
}

/// The number of diagnostics, at most 1000; others are not kept.
///
/// @param ndl   the description
/// @param count gets the number
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_diagnostic_count(ndl: *const asdf_ndl, count: *mut i64) -> asdf_status {
    guard(|caller| {
        let count = caller.out(count, "count")?;
        count.put_number(caller.handle(ndl, "ndl")?.parsed.diagnostics.len() as u64);
        Ok(())
    })
}

/// How bad something is, and where it stands.
///
/// @param ndl      the description
/// @param index    number of the diagnostic from 0, in the order of the text; outside is ASDF_ERR_OUT_OF_RANGE
/// @param severity gets ASDF_NDL_WARNING or ASDF_NDL_ERROR; may be NULL
/// @param line     gets the line of the text, from 1; 0 of a description that was not read. May be NULL
/// @param column   gets the column in characters, from 1; 0 of a description that was not read. May be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_diagnostic(
    ndl: *const asdf_ndl,
    index: i64,
    severity: *mut i32,
    line: *mut i64,
    column: *mut i64,
) -> asdf_status {
    guard(|caller| {
        let diagnostic = caller.handle(ndl, "ndl")?.diagnostic(index)?;
        caller.optional_out(severity).put(match diagnostic.severity {
            Severity::Warning => ASDF_NDL_WARNING,
            Severity::Error => ASDF_NDL_ERROR,
        });
        caller.optional_out(line).put_number(diagnostic.line);
        caller.optional_out(column).put_number(diagnostic.column);
        Ok(())
    })
}

fn put_text(
    ndl: *const asdf_ndl,
    index: i64,
    (buffer, capacity, needed): (*mut c_char, usize, *mut usize),
    text: impl FnOnce(&ReadDescription, &Diagnostic) -> String,
) -> asdf_status {
    guard(|caller: &Caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        let description = caller.handle(ndl, "ndl")?;
        out.put(&text(description, description.diagnostic(index)?))
    })
}

/// The code of a diagnostic, which says what kind of thing it is: "E-VALUE-RANGE", "W-TYPE-MISSING" and so on.
///
/// @param ndl      the description
/// @param index    number of the diagnostic; outside is ASDF_ERR_OUT_OF_RANGE
/// @param buffer   gets the code
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the code; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_diagnostic_code(
    ndl: *const asdf_ndl,
    index: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    put_text(ndl, index, (buffer, capacity, needed), |_, diagnostic| diagnostic.code.name().to_owned())
}

/// What a diagnostic belongs to: a path name, with "@" and the name of an attribute if it belongs to one; "" for the
/// document.
///
/// @param ndl      the description
/// @param index    number of the diagnostic; outside is ASDF_ERR_OUT_OF_RANGE
/// @param buffer   gets the place
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the place; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_diagnostic_place(
    ndl: *const asdf_ndl,
    index: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    put_text(ndl, index, (buffer, capacity, needed), |_, diagnostic| diagnostic.place.clone())
}

/// What is wrong, in words, without the place.
///
/// @param ndl      the description
/// @param index    number of the diagnostic; outside is ASDF_ERR_OUT_OF_RANGE
/// @param buffer   gets the message
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the message; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_diagnostic_message(
    ndl: *const asdf_ndl,
    index: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    put_text(ndl, index, (buffer, capacity, needed), |_, diagnostic| diagnostic.message.clone())
}

/// All of a diagnostic as compilers show it: "model.yaml:12:7: E-VALUE-RANGE: /a: 300 is not in the range of int8".
/// The name of the file is left out of a description that was not read from one, line and column if it was not read.
///
/// @param ndl      the description
/// @param index    number of the diagnostic; outside is ASDF_ERR_OUT_OF_RANGE
/// @param buffer   gets the line
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the line; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_diagnostic_text(
    ndl: *const asdf_ndl,
    index: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    put_text(ndl, index, (buffer, capacity, needed), |description, diagnostic| match &description.file {
        Some(file) => format!("{file}:{diagnostic}"),
        None => diagnostic.to_string(),
    })
}

/// Gives another owner of a description.
///
/// @param ndl     the description
/// @param another gets the owner, to be freed as well; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_retain(ndl: *const asdf_ndl, another: *mut *mut asdf_ndl) -> asdf_status {
    guard_retain(ndl, "ndl", another)
}

/// Gives up a description; the last owner frees it.
///
/// @param ndl the description, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_free(ndl: *mut asdf_ndl) {
    guard_silently(|caller| caller.release(ndl));
}
