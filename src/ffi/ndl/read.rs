//! Descriptions in the Ndarray Data Language: reading, and what is wrong with them.
//!
//! # Descriptions
//!
//! A description is a YAML text that tells what a file of arrays holds: groups, arrays, the dimension coordinates that
//! belong to their axes, attributes, datatypes, and how all that is stored (Ndarray Data Language, NDL 0.6.1).
//!
//! Reading one succeeds whenever the text is YAML. asdf_ndl_report() lists what is wrong or odd in it; what is right is
//! there although something else is wrong. asdf_ndl_is_valid() tells whether there are errors.
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

use crate::error::Result;
use crate::ffi::boundary::guard::{guard, guard_handle, guard_retain, guard_silently};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_ndl, asdf_options, asdf_report};
use crate::ffi::options::keys::*;
use crate::ffi::options::taken::{Taken, take};
use crate::ndl::ReadLimits;
use crate::ndl::asdf::{Described, Note};
use crate::ndl::{Diagnostic, Parsed, ReadOptions, parse, read_file};
use crate::report::{Entry, Report};
use std::ffi::c_char;
use std::sync::Arc;

impl Class for asdf_ndl {
    const TAG: u32 = u32::from_be_bytes(*b"NDLD");
    const NAME: &'static str = "asdf_ndl";
    type Value = ReadDescription;
}

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

    /// Diagnostics of the text, then notes about the file.
    fn report(&self) -> Report {
        let diagnostics = self.parsed.diagnostics.iter().map(|diagnostic| match &self.file {
            Some(file) => Entry::from(diagnostic).in_file(file),
            None => Entry::from(diagnostic),
        });
        let entries = diagnostics.chain(self.notes.iter().map(Entry::from)).collect();
        Report::new(entries, self.parsed.dropped_count())
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
pub unsafe extern "C" fn asdf_ndl_read_memory(
    text: *const c_char,
    length: usize,
    options: *const asdf_options,
    ndl: *mut *mut asdf_ndl,
) -> asdf_status {
    guard_handle(ndl, "ndl", |caller| {
        let options = take(caller, options, "asdf_ndl_read_memory")?;
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

/// Reports the diagnostics and the notes of a description.
///
/// - Diagnostics tell what is wrong or odd, in the order of the text; at most 1000 are kept. Each has a code such as
///   "E-VALUE-RANGE" or "W-TYPE-MISSING", and a path: a path name, with "@" and the name of an attribute if it belongs
///   to one, "" for the document. A description that was built with asdf_ndl_builder_finish() has no lines and columns.
/// - Notes tell what asdf_ndl_describe() left out or wrote in another form, with the path of the node.
///
/// @param ndl    the description
/// @param report gets diagnostics and notes, none if there is nothing to tell; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_report(ndl: *const asdf_ndl, report: *mut *mut asdf_report) -> asdf_status {
    guard_handle(report, "report", |caller| Ok(caller.handle(ndl, "ndl")?.report()))
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
