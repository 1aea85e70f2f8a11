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
use crate::ffi::boundary::arguments::{chosen, new, set};
use crate::ffi::boundary::guard::{guard, guard_handle, guard_retain, guard_silently};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_ndl, asdf_ndl_read_options, asdf_report};
use crate::ndl::asdf::{Described, Note};
use crate::ndl::{Diagnostic, Parsed, ReadOptions, parse, read_file};
use crate::process::ForkRwLock;
use crate::report::{Entry, Report};
use std::ffi::c_char;
use std::sync::Arc;

impl Class for asdf_ndl_read_options {
    const TAG: u32 = u32::from_be_bytes(*b"ONDL");
    const NAME: &'static str = "asdf_ndl_read_options";
    type Value = ForkRwLock<ReadOptions>;
}

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

/// Makes options for reading descriptions: warnings are no errors, unknown keys are errors.
///
/// @param options gets the options; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_read_options_new(options: *mut *mut asdf_ndl_read_options) -> asdf_status {
    new(options)
}

/// Whether each warning is an error.
///
/// @param options the options
/// @param strict  1 or 0, the default
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_read_options_set_strict(
    options: *mut asdf_ndl_read_options,
    strict: i32,
) -> asdf_status {
    set(options, |_, options| {
        options.strict = strict != 0;
        Ok(())
    })
}

/// Whether keys that the language does not know give a warning, instead of an error.
///
/// @param options the options
/// @param allow   1 or 0, the default
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_read_options_set_unknown_keys(
    options: *mut asdf_ndl_read_options,
    allow: i32,
) -> asdf_status {
    set(options, |_, options| {
        options.allow_unknown_keys = allow != 0;
        Ok(())
    })
}

/// Frees options.
///
/// @param options the options, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_read_options_free(options: *mut asdf_ndl_read_options) {
    guard_silently(|caller| caller.release(options));
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
    options: *const asdf_ndl_read_options,
    ndl: *mut *mut asdf_ndl,
) -> asdf_status {
    guard_handle(ndl, "ndl", |caller| {
        let path = caller.file_name(path, "path")?;
        let parsed = read_file(path, &chosen(caller, options)?)?;
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
    options: *const asdf_ndl_read_options,
    ndl: *mut *mut asdf_ndl,
) -> asdf_status {
    guard_handle(ndl, "ndl", |caller| {
        // Not only UTF-8 is a text here.
        let bytes = caller.bytes(text.cast(), length, "text")?;
        ReadDescription::new(None, parse(bytes, &chosen(caller, options)?))
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
