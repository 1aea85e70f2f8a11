//! Parses a text into a [`Description`] and a list of diagnostics.
//!
//! The declared datatype decides how a scalar is read; without one, the core schema of YAML 1.2 applies. After an
//! error, reading continues with the next object, so that one run finds all errors.

mod attributes;
mod budget;
mod datatypes;
mod diagnostics;
mod elements;
mod encoding;
mod entities;
mod hints;
mod inference;
mod objects;
pub(super) mod parts;
mod reader;
mod references;
mod regions;
mod shapes;
mod storage;
mod structure;
#[cfg(test)]
mod tests;
mod values;
mod yaml_rules;

use super::{Code, Description, Diagnostic, Severity, Value};
use crate::hint;
use crate::limits::{Limit, Limits};
use crate::reserve;
use crate::source::{FileSource, Source, read_vec_at};
use crate::yaml::{Unmerged, parse_unmerged};
use crate::{Error, Result, Status};
use diagnostics::Diagnostics;
use reader::Reader;
use std::path::Path;
use std::sync::Arc;
pub(super) use storage::StorageOf;
pub(super) use values::is_detachable;

/// Options for reading a description.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// True to treat each warning as an error.
    pub strict: bool,
    /// True to report unknown keys as warnings, not as errors.
    pub allow_unknown_keys: bool,
    /// Limits of memory and time for the text.
    pub limits: ReadLimits,
}

/// Limits of memory and time for the text of a description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadLimits {
    /// Maximum size of the text in bytes, at most [`Limits::MAX_TREE_BYTES`].
    pub bytes: u64,
    /// Maximum depth of lists and mappings with aliases expanded, at most [`ReadLimits::MAX_DEPTH`].
    pub depth: u32,
    /// Maximum number of scalars, lists and mappings, with aliases expanded.
    pub nodes: u64,
    /// Maximum number of diagnostics that are kept; all are counted.
    pub diagnostics: usize,
}

impl ReadLimits {
    /// Upper bound of [`ReadLimits::depth`], because the reader recurses as deep as the text.
    pub const MAX_DEPTH: u32 = 128;
    /// Maximum depth of lists in a value: its dimensions plus the lists inside its elements.
    pub(crate) const MAX_VALUE_DEPTH: usize = 64;

    /// Sets the limit on the size of a text, its depth or its nodes. Other limits do not concern descriptions.
    pub fn set(&mut self, limit: Limit, value: u64) {
        match limit {
            Limit::TreeBytes => self.bytes = value,
            Limit::Depth => self.depth = value.min(ReadLimits::MAX_DEPTH.into()) as u32,
            Limit::Nodes => self.nodes = value,
            _ => {}
        }
    }
}

impl Default for ReadLimits {
    fn default() -> ReadLimits {
        ReadLimits {
            bytes: Limits::default().tree_bytes,
            depth: ReadLimits::MAX_DEPTH,
            nodes: 2_000_000,
            diagnostics: 1000,
        }
    }
}

/// A parsed description with its diagnostics.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parsed {
    /// The description without its wrong parts; empty if the text is not YAML.
    pub description: Description,
    /// Errors and warnings, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// Number of all errors, kept or not.
    pub error_count: u64,
    /// Number of all warnings, kept or not.
    pub warning_count: u64,
    /// True if the system refused memory, which tells nothing about the text. The description is then incomplete, and
    /// [`Parsed::is_valid`] is false.
    pub is_refused: bool,
}

impl Parsed {
    /// Number of diagnostics that were counted but not kept.
    pub(crate) fn dropped_count(&self) -> u64 {
        (self.error_count.saturating_add(self.warning_count)).saturating_sub(self.diagnostics.len() as u64)
    }

    /// Returns true if there are no errors.
    pub fn is_valid(&self) -> bool {
        self.error_count == 0
    }

    /// Returns the error that prevented reading anything: the text is not YAML, or exceeds a limit.
    pub fn unreadable(&self) -> Option<&Diagnostic> {
        let codes = [Code::YamlSyntax, Code::Encoding, Code::Limit];
        self.diagnostics.iter().find(|diagnostic| {
            diagnostic.place.is_empty() && diagnostic.severity == Severity::Error && codes.contains(&diagnostic.code)
        })
    }
}

/// Memory of a description for each node of its text, in bytes. An array or a coordinate, with seven nodes or more, takes
/// about 2,500.
const BYTES_OF_NODE: u64 = 384;

/// Parses the text of a description, in UTF-8 or in UTF-16 with a byte order mark.
pub fn parse(bytes: &[u8], options: &ReadOptions) -> Parsed {
    let mut diagnostics = Diagnostics::new(options);
    let description = read(bytes, options, &mut diagnostics).unwrap_or_default();
    diagnostics.finish(description)
}

/// Reads a description from a file.
///
/// Fails if the file cannot be read or is a pipe or a device, and with [`Status::Limit`] if it is too long. Errors in
/// its text become diagnostics.
pub fn read_file(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Parsed> {
    let path = path.as_ref();
    let name: Arc<str> = path.to_string_lossy().into();
    let most = options.limits.bytes;
    let read = || {
        let source = FileSource::open(path)?;
        match source.len() > most {
            true => Err(Limit::TreeBytes.exceeded("the bytes of the text", most)),
            false => read_vec_at(&source, 0, source.len()),
        }
    };
    let bytes = read().map_err(|error: Error| error.in_file(&name))?;
    Ok(parse(&bytes, options))
}

/// Parses a text with detached values. In the place of each value, the text has a list of its position in `detached`.
pub(super) fn parse_detached(text: String, detached: &[&Value], options: &ReadOptions) -> Parsed {
    let mut diagnostics = Diagnostics::new(options);
    let description = read_text(text, detached, &mut diagnostics).unwrap_or_default();
    diagnostics.finish(description)
}

/// Returns `None` if a YAML rule is broken or the document is not a mapping.
fn read(bytes: &[u8], options: &ReadOptions, diagnostics: &mut Diagnostics) -> Option<Description> {
    let limits = &options.limits;
    if bytes.len() as u64 > limits.bytes {
        let error = Limit::TreeBytes.exceeded("the bytes of the text", limits.bytes).at_line(1, 1);
        diagnostics.add_error(&error);
        return None;
    }
    if let Some(format) = hint::file_format(bytes) {
        let message = format!("not a description: the file seems to be {format}");
        diagnostics.add_error(&Error::new(Status::Yaml, message).at_line(1, 1));
        return None;
    }
    let text = encoding::decode(bytes).map_err(|error| diagnostics.add_error(&error)).ok()?;
    read_text(text, &[], diagnostics)
}

fn read_text(text: String, detached: &[&Value], diagnostics: &mut Diagnostics) -> Option<Description> {
    let options = diagnostics.options();
    let unmerged = unmerged(text, &options.limits, diagnostics)?;
    let room = (unmerged.tree.node_count() as u64).saturating_mul(BYTES_OF_NODE);
    reserve::expect_room(room).map_err(|error| diagnostics.add_error(&error)).ok()?;
    let reader = Reader { detached, ..Reader::new(&unmerged.tree, options, diagnostics) };
    yaml_rules::check(reader, unmerged.is_empty)?.read_document()
}

/// Parses the single document of a text.
fn unmerged(text: String, limits: &ReadLimits, diagnostics: &mut Diagnostics) -> Option<Unmerged> {
    let limits = Limits {
        tree_bytes: limits.bytes,
        depth: limits.depth.min(ReadLimits::MAX_DEPTH),
        nodes: limits.nodes,
        anchors: limits.nodes,
        ..Limits::default()
    };
    let failed = |error| diagnostics.add_error(&with_own_option(error, &limits));
    let unmerged = parse_unmerged(text, &limits).map_err(failed).ok()?;
    if let Some((line, column)) = unmerged.second_document {
        diagnostics.add_at(
            Code::MultiDoc,
            "",
            || (line, column),
            "a second document begins here; a description must be a single document",
        );
        return None;
    }
    Some(unmerged)
}

/// Names the option that raises the limit in descriptions, where one option limits nodes and anchors.
fn with_own_option(error: Error, limits: &Limits) -> Error {
    match error.option() {
        Some(option) if option == Limit::Anchors.option() => error.with_hint("").with_option(Limit::Nodes.option()),
        Some(option) if option == Limit::Depth.option() && limits.depth >= ReadLimits::MAX_DEPTH => error.with_hint(""),
        _ => error,
    }
}

impl Diagnostics<'_> {
    /// Reports the error of a part that was not read.
    pub(super) fn add_error(&mut self, error: &Error) {
        if error.status() == Status::OutOfMemory {
            return self.refuse(error);
        }
        let code = match error.status() {
            Status::Encoding => Code::Encoding,
            Status::Limit => Code::Limit,
            Status::Tree => Code::KeyType,
            _ => Code::YamlSyntax,
        };
        let place = (error.location().line.unwrap_or(1), error.location().column.unwrap_or(1));
        self.add_at(code, "", || place, error.message());
    }
}
