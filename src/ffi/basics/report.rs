//! Reports: lists of entries with numbered fields. Errors have the same fields.
//!
//! # Reports
//!
//! A report is a list of findings: warnings of a file or a table, damage of a file, diagnostics and notes of a
//! description, differences between descriptions, or losses of a recovered file. All entries have the same fields, and
//! so does the last failure (asdf_error_int(), asdf_error_text()). A report never changes and does not depend on other
//! handles. To see later findings, get a new report: it begins with the entries of the earlier one, in the same order.
//!
//! ```c
//! void print_report(const asdf_report *report) {
//!     int64_t count = 0;
//!     asdf_report_count(report, &count, NULL);
//!     for (int64_t i = 0; i < count; i++) {
//!         char text[512] = "(too long)";
//!         asdf_report_text(report, i, ASDF_REPORT_ENTRY, text, sizeof text, NULL);
//!         puts(text);   // image.asdf:12:7, byte 318, at /meta: ...
//!     }
//! }
//! ```

use super::buffer::buffer_of;
use crate::error::{Error, Result, Status};
use crate::ffi::boundary::arguments::element;
use crate::ffi::boundary::guard::{guard, guard_handle, guard_retain, guard_silently};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_buffer, asdf_report};
use crate::report::{Entry, Kind, Operation, Report, Severity};
use std::ffi::c_char;

impl Class for asdf_report {
    const TAG: u32 = u32::from_be_bytes(*b"REPO");
    const NAME: &'static str = "asdf_report";
    type Value = Report;
}

/// Severity: information; nothing is wrong.
pub const ASDF_SEVERITY_NOTE: i32 = 1;
/// Severity: the data can be used, but check the finding.
pub const ASDF_SEVERITY_WARNING: i32 = 2;
/// Severity: something is wrong or lost.
pub const ASDF_SEVERITY_ERROR: i32 = 3;

/// Kind: an irregularity in a file or a table that can be read.
pub const ASDF_REPORT_KIND_WARNING: i32 = 1;
/// Kind: an error or an irregularity in the text of a description.
pub const ASDF_REPORT_KIND_DIAGNOSTIC: i32 = 2;
/// Kind: information that only the file or only its description has.
pub const ASDF_REPORT_KIND_NOTE: i32 = 3;
/// Kind: a difference between two descriptions.
pub const ASDF_REPORT_KIND_DIFFERENCE: i32 = 4;
/// Kind: data that a recovered file lacks or may have wrong.
pub const ASDF_REPORT_KIND_LOSS: i32 = 5;
/// Kind: damage that asdf_file_inspect() found, or the failure of a call, which asdf_error_int() returns.
pub const ASDF_REPORT_KIND_ERROR: i32 = 6;

/// Operation of a difference: only the newer description has it.
pub const ASDF_OPERATION_ADD: i32 = 1;
/// Operation of a difference: only the older description has it.
pub const ASDF_OPERATION_REMOVE: i32 = 2;
/// Operation of a difference: both have it, with different values.
pub const ASDF_OPERATION_CHANGE: i32 = 3;

/// Integer field: one of ASDF_SEVERITY_...
pub const ASDF_REPORT_SEVERITY: i32 = 1;
/// Integer field: one of ASDF_REPORT_KIND_...
pub const ASDF_REPORT_KIND: i32 = 2;
/// Integer field of differences: one of ASDF_OPERATION_...
pub const ASDF_REPORT_OPERATION: i32 = 3;
/// Integer field: line of the file or text, from 1.
pub const ASDF_REPORT_LINE: i32 = 4;
/// Integer field: column of the line in characters, from 1.
pub const ASDF_REPORT_COLUMN: i32 = 5;
/// Integer field: offset in bytes from the start of the file.
pub const ASDF_REPORT_OFFSET: i32 = 6;
/// Integer field: number of the block.
pub const ASDF_REPORT_BLOCK: i32 = 7;
/// Integer field: number of lost bytes.
pub const ASDF_REPORT_BYTES: i32 = 8;
/// Integer field: number of lost rows of an array.
pub const ASDF_REPORT_ROWS: i32 = 9;
/// Integer field of failures: error number of the operating system (errno).
pub const ASDF_REPORT_OS_NUMBER: i32 = 10;

/// Text field: the whole entry as one line, with the position.
pub const ASDF_REPORT_ENTRY: i32 = 101;
/// Text field: one sentence, without the position.
pub const ASDF_REPORT_MESSAGE: i32 = 102;
/// Text field: stable code of the finding, such as "E-VALUE-RANGE".
pub const ASDF_REPORT_CODE: i32 = 103;
/// Text field: path of the node, or NDL path name in a description.
pub const ASDF_REPORT_PATH: i32 = 104;
/// Text field: name of the file.
pub const ASDF_REPORT_FILE: i32 = 105;
/// Text field: column of a table, or property that differs.
pub const ASDF_REPORT_SUBJECT: i32 = 106;
/// Text field: old or expected value, as JSON on one line.
pub const ASDF_REPORT_OLD: i32 = 107;
/// Text field: new value, as JSON on one line.
pub const ASDF_REPORT_NEW: i32 = 108;

fn severity(severity: Severity) -> i32 {
    match severity {
        Severity::Note => ASDF_SEVERITY_NOTE,
        Severity::Warning => ASDF_SEVERITY_WARNING,
        Severity::Error => ASDF_SEVERITY_ERROR,
    }
}

fn kind(kind: Kind) -> i32 {
    match kind {
        Kind::Warning => ASDF_REPORT_KIND_WARNING,
        Kind::Diagnostic => ASDF_REPORT_KIND_DIAGNOSTIC,
        Kind::Note => ASDF_REPORT_KIND_NOTE,
        Kind::Difference => ASDF_REPORT_KIND_DIFFERENCE,
        Kind::Loss => ASDF_REPORT_KIND_LOSS,
        Kind::Error => ASDF_REPORT_KIND_ERROR,
    }
}

fn operation(operation: Operation) -> i32 {
    match operation {
        Operation::Add => ASDF_OPERATION_ADD,
        Operation::Remove => ASDF_OPERATION_REMOVE,
        Operation::Change => ASDF_OPERATION_CHANGE,
    }
}

/// Getter of a field of an entry.
#[derive(Clone, Copy)]
enum Field {
    Constant(fn(&Entry) -> Option<i32>),
    Number(fn(&Entry) -> Option<u64>),
    Text(fn(&Entry) -> Option<&str>),
}

/// Returns the name of the constant of a field, and its getter.
fn field(number: i32) -> Result<(&'static str, Field)> {
    use Field::{Constant, Number, Text};
    Ok(match number {
        ASDF_REPORT_SEVERITY => ("ASDF_REPORT_SEVERITY", Constant(|entry| Some(severity(entry.severity)))),
        ASDF_REPORT_KIND => ("ASDF_REPORT_KIND", Constant(|entry| Some(kind(entry.kind)))),
        ASDF_REPORT_OPERATION => ("ASDF_REPORT_OPERATION", Constant(|entry| entry.operation.map(operation))),
        ASDF_REPORT_LINE => ("ASDF_REPORT_LINE", Number(|entry| entry.line)),
        ASDF_REPORT_COLUMN => ("ASDF_REPORT_COLUMN", Number(|entry| entry.column)),
        ASDF_REPORT_OFFSET => ("ASDF_REPORT_OFFSET", Number(|entry| entry.offset)),
        ASDF_REPORT_BLOCK => ("ASDF_REPORT_BLOCK", Number(|entry| entry.block)),
        ASDF_REPORT_BYTES => ("ASDF_REPORT_BYTES", Number(|entry| entry.bytes)),
        ASDF_REPORT_ROWS => ("ASDF_REPORT_ROWS", Number(|entry| entry.rows)),
        ASDF_REPORT_OS_NUMBER => ("ASDF_REPORT_OS_NUMBER", Constant(|entry| entry.os_number)),
        ASDF_REPORT_ENTRY => ("ASDF_REPORT_ENTRY", Text(|entry| Some(&entry.text))),
        ASDF_REPORT_MESSAGE => ("ASDF_REPORT_MESSAGE", Text(|entry| Some(&entry.message))),
        ASDF_REPORT_CODE => ("ASDF_REPORT_CODE", Text(|entry| entry.code)),
        ASDF_REPORT_PATH => ("ASDF_REPORT_PATH", Text(|entry| entry.path.as_deref())),
        ASDF_REPORT_FILE => ("ASDF_REPORT_FILE", Text(|entry| entry.file.as_deref())),
        ASDF_REPORT_SUBJECT => ("ASDF_REPORT_SUBJECT", Text(|entry| entry.subject.as_deref())),
        ASDF_REPORT_OLD => ("ASDF_REPORT_OLD", Text(|entry| entry.old.as_deref())),
        ASDF_REPORT_NEW => ("ASDF_REPORT_NEW", Text(|entry| entry.new.as_deref())),
        _ => {
            let message = format!("{number} is not a field number; use a constant ASDF_REPORT_...");
            return Err(Error::new(Status::InvalidArgument, message));
        }
    })
}

/// Returns an integer field of an entry; -1 if it is not known.
pub(super) fn int_of(entry: Option<&Entry>, number: i32) -> Result<i64> {
    let found = match field(number)? {
        (_, Field::Constant(find)) => entry.and_then(find).map(i64::from),
        (_, Field::Number(find)) => entry.and_then(find).map(|number| i64::try_from(number).unwrap_or(i64::MAX)),
        (name, Field::Text(_)) => {
            return Err(Error::new(
                Status::InvalidArgument,
                format!("{name} is a text field; get it with the _text function"),
            ));
        }
    };
    Ok(found.unwrap_or(-1))
}

/// Returns the name of the constant of a text field, and its text; `None` if the entry does not have it.
pub(super) fn text_of(entry: Option<&Entry>, number: i32) -> Result<(&'static str, Option<&str>)> {
    match field(number)? {
        (name, Field::Text(find)) => Ok((name, entry.and_then(find))),
        (name, _) => Err(Error::new(
            Status::InvalidArgument,
            format!("{name} is an integer field; get it with the _int function"),
        )),
    }
}

/// Gets the number of entries of a report.
///
/// @param report  the report
/// @param count   gets the number of entries
/// @param dropped gets the number of findings that are not in the report because there were too many; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_report_count(
    report: *const asdf_report,
    count: *mut i64,
    dropped: *mut i64,
) -> asdf_status {
    guard(|caller| {
        let (count, dropped) = (caller.out(count, "count")?, caller.optional_out(dropped));
        let report = caller.handle(report, "report")?;
        count.put_number(report.entries().len() as u64);
        dropped.put_number(report.dropped());
        Ok(())
    })
}

/// Gets an integer field of an entry. Every entry has ASDF_REPORT_SEVERITY and ASDF_REPORT_KIND.
///
/// @param report the report
/// @param index  number of the entry, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param field  one of the integer fields ASDF_REPORT_...; ASDF_ERR_INVALID_ARGUMENT for any other number
/// @param value  gets the value; -1 if the entry does not have the field
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_report_int(
    report: *const asdf_report,
    index: i64,
    field: i32,
    value: *mut i64,
) -> asdf_status {
    guard(|caller| {
        let value = caller.out(value, "value")?;
        let entry = element(caller.handle(report, "report")?.entries(), index, "entry")?;
        value.put(int_of(Some(entry), field)?);
        Ok(())
    })
}

/// Gets a text field of an entry.
///
/// Every entry has ASDF_REPORT_ENTRY and ASDF_REPORT_MESSAGE. They are meant for people; their wording may change in any
/// release. Programs should test ASDF_REPORT_CODE. In a description, the path of an attribute is the path of its owner,
/// "@" and the attribute's name. An empty path means the root of a tree, or a description as a whole.
///
/// @param report   the report
/// @param index    number of the entry, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param field    one of the text fields ASDF_REPORT_...; ASDF_ERR_INVALID_ARGUMENT for any other number;
///                 ASDF_ERR_NOT_FOUND if the entry does not have the field
/// @param buffer   gets the text
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_report_text(
    report: *const asdf_report,
    index: i64,
    field: i32,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        let entry = element(caller.handle(report, "report")?.entries(), index, "entry")?;
        let (name, text) = text_of(Some(entry), field)?;
        out.put(text.ok_or_else(|| Error::new(Status::NotFound, format!("entry {index} has no {name}")))?)
    })
}

/// Converts a report to JSON: an array of objects, on one line, in UTF-8.
///
/// Each object has the fields of its entry. Their names are those of the constants, in lower case and without
/// ASDF_REPORT_ ("severity", "line", "os_number", ...). "severity" is "note", "warning" or "error"; "kind" is
/// "warning", "diagnostic", "note", "difference" or "loss"; "operation" is "add", "remove" or "change". "old" and "new"
/// are JSON values; other texts are strings.
///
/// @param report the report
/// @param json   gets the JSON, without NUL at its end; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_report_json(report: *const asdf_report, json: *mut *mut asdf_buffer) -> asdf_status {
    guard_handle(json, "json", |caller| Ok(buffer_of(caller.handle(report, "report")?.to_json()?.into_bytes())))
}

/// Adds an owner to a report.
///
/// @param report  the report
/// @param another gets another handle of the same object, to be freed as well; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_report_retain(report: *const asdf_report, another: *mut *mut asdf_report) -> asdf_status {
    guard_retain(report, "report", another)
}

/// Gives up one owner of a report. The last owner frees it.
///
/// @param report the report, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_report_free(report: *mut asdf_report) {
    guard_silently(|caller| caller.release(report));
}
