//! Descriptions in the Ndarray Data Language: reading and diagnostics.
//!
//! # Descriptions
//!
//! A description is a YAML text about the content of a file of arrays: groups, arrays, the dimension coordinates of
//! their axes, attributes, datatypes, and their storage (Ndarray Data Language, NDL 0.6.1).
//!
//! Reading a description succeeds if the text is YAML. asdf_ndl_report() lists errors and irregularities; all correct
//! parts are available in spite of errors elsewhere. asdf_ndl_is_valid() tests whether there are errors.
//!
//! ```c
//! asdf_ndl *description = NULL;
//! asdf_report *diagnostics = NULL;
//! asdf_ndl_read("model.yaml", NULL, &description);
//! asdf_ndl_report(description, &diagnostics);
//! print_report(diagnostics);   // model.yaml:12:7: E-VALUE-RANGE: /a: 300 is not in the range of int8
//! asdf_report_free(diagnostics);
//! asdf_ndl_free(description);
//! ```

use crate::error::{Error, Result, Status};
use crate::ffi::boundary::guard::{guard, guard_handle, guard_retain, guard_silently};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_ndl, asdf_options, asdf_report};
use crate::ffi::options::keys::*;
use crate::ffi::options::taken::{Taken, take};
use crate::ndl::asdf::{Described, Note};
use crate::ndl::{Diagnostic, Parsed, ReadOptions, parse, read_file};
use crate::report::{Entry, Report};
use crate::reserve::collected;
use std::ffi::c_char;
use std::sync::Arc;

impl Class for asdf_ndl {
    const TAG: u32 = u32::from_be_bytes(*b"NDLD");
    const NAME: &'static str = "asdf_ndl";
    type Value = ReadDescription;
}

/// Value of an `asdf_ndl`.
pub struct ReadDescription {
    /// Name of the file that it was read from.
    file: Option<Arc<str>>,
    pub(super) parsed: Parsed,
    /// Notes about content of the described ASDF file that the description cannot express.
    pub(super) notes: Vec<Note>,
}

impl ReadDescription {
    /// Fails if the text could not be read at all.
    pub(super) fn new(file: Option<Arc<str>>, parsed: Parsed) -> Result<ReadDescription> {
        match parsed.unreadable().map(Diagnostic::to_error) {
            _ if parsed.is_refused => Err(Error::new(Status::OutOfMemory, "the description does not fit into memory")),
            None => Ok(ReadDescription { file, parsed, notes: Vec::new() }),
            Some(error) => Err(match &file {
                Some(file) => error.in_file(file),
                None => error,
            }),
        }
    }

    /// A description that was not read from a text.
    pub(super) fn of_asdf(described: Described) -> ReadDescription {
        let parsed = Parsed { description: described.description, ..Parsed::default() };
        ReadDescription { file: None, parsed, notes: described.notes }
    }

    /// Diagnostics of the text, then notes about the file.
    fn report(&self) -> Result<Report> {
        let diagnostics = self.parsed.diagnostics.iter().map(|diagnostic| match &self.file {
            Some(file) => Entry::from(diagnostic).in_file(file),
            None => Entry::from(diagnostic),
        });
        let entries = collected(diagnostics.chain(self.notes.iter().map(Entry::from)).map(Ok))?;
        Ok(Report::new(entries, self.parsed.dropped_count()))
    }
}

/// Options of reading a description.
pub(super) fn read_options(options: &Taken) -> ReadOptions {
    let ReadOptions { strict, allow_unknown_keys, mut limits } = ReadOptions::default();
    options.for_each_limit(|limit, value| limits.set(limit, value));
    ReadOptions {
        strict: options.flag(ASDF_OPTION_WARNINGS_AS_ERRORS, strict),
        allow_unknown_keys: options.flag(ASDF_OPTION_UNKNOWN_KEYS, allow_unknown_keys),
        limits,
    }
}

/// Reads a description from a file.
///
/// Errors, with line and column in the details:
///
/// - ASDF_ERR_YAML if the text is not YAML
/// - ASDF_ERR_ENCODING if it is neither UTF-8 nor UTF-16 with a byte order mark
/// - ASDF_ERR_LIMIT if it is too long or nested too deeply
/// - ASDF_ERR_IO if the name is that of a pipe or a device
///
/// @param path    name of the file
/// @param options options, or NULL for the defaults
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
/// @param options options, or NULL for the defaults
/// @param ndl     gets the description; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_read_memory(
    text: *const c_char,
    length: usize,
    options: *const asdf_options,
    ndl: *mut *mut asdf_ndl,
) -> asdf_status {
    guard_handle(ndl, "ndl", |caller| {
        let options = take(caller, options, "asdf_ndl_read_memory")?;
        // Bytes, because UTF-16 is allowed here.
        let bytes = caller.bytes(text.cast(), length, "text")?;
        ReadDescription::new(None, parse(bytes, &read_options(&options)))
    })
}

/// Tests whether a description has no errors.
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

/// Gets the diagnostics and the notes of a description.
///
/// - Diagnostics are errors and irregularities, in the order of the text; at most 1000 are kept. Each has a code such
///   as "E-VALUE-RANGE" or "W-TYPE-MISSING", and a path: a path name, followed by "@" and the name for an attribute, or
///   "" for the document. If the description was made by asdf_ndl_builder_finish(), they have no lines and columns.
/// - Notes are about content that asdf_ndl_describe() left out or converted, with the path of the node.
///
/// @param ndl    the description
/// @param report gets diagnostics and notes, possibly none; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_report(ndl: *const asdf_ndl, report: *mut *mut asdf_report) -> asdf_status {
    guard_handle(report, "report", |caller| caller.handle(ndl, "ndl")?.report())
}

/// Adds an owner to a description.
///
/// @param ndl     the description
/// @param another gets another handle of the same object, to be freed as well; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_retain(ndl: *const asdf_ndl, another: *mut *mut asdf_ndl) -> asdf_status {
    guard_retain(ndl, "ndl", another)
}

/// Gives up one owner of a description. The last owner frees it.
///
/// @param ndl the description, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_free(ndl: *mut asdf_ndl) {
    guard_silently(|caller| caller.release(ndl));
}
