//! From text to a [`Description`], with all that is wrong or odd in it.
//!
//! Scalars are typed late, against the datatype that is declared for them; where none is, by the core schema of YAML
//! 1.2. After an error inside an entity reading goes on with the next thing, so that one run finds all of them.

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
use crate::limits::Limits;
use crate::yaml::{Unmerged, parse_unmerged};
use crate::{Error, Result, Status};
use diagnostics::Diagnostics;
use reader::Reader;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
pub(super) use storage::StorageOf;
pub(super) use values::is_apart;

/// How a description is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// Whether each warning is an error.
    pub strict: bool,
    /// Whether keys that the language does not know are warned of only.
    pub allow_unknown_keys: bool,
    /// How much a text may cost.
    pub limits: ReadLimits,
}

/// How much the text of a description may cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadLimits {
    /// Bytes of the text, at most [`Limits::MAX_TREE_BYTES`].
    pub bytes: u64,
    /// Levels of lists and mappings, aliases expanded; at most [`ReadLimits::MAX_DEPTH`].
    pub depth: u32,
    /// Scalars, lists and mappings, aliases expanded.
    pub nodes: u64,
    /// Diagnostics that are kept; the others are counted.
    pub diagnostics: usize,
}

impl ReadLimits {
    /// The reader's own recursion goes as deep as the text does.
    pub const MAX_DEPTH: u32 = 128;
    /// Levels of lists in a value, its dimensions and those within its elements.
    pub const MAX_VALUE_DEPTH: usize = 64;
}

impl Default for ReadLimits {
    fn default() -> ReadLimits {
        ReadLimits { bytes: 1 << 30, depth: ReadLimits::MAX_DEPTH, nodes: 2_000_000, diagnostics: 1000 }
    }
}

/// A description that was read, and what is to be told of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parsed {
    /// The description; as much of it as could be read, which is nothing if the text is not YAML.
    pub description: Description,
    /// What is wrong and odd, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// Errors in all, those included that were not kept.
    pub error_count: u64,
    /// Warnings in all, those included that were not kept.
    pub warning_count: u64,
}

impl Parsed {
    /// Number of diagnostics that were counted but not kept.
    pub fn dropped_count(&self) -> u64 {
        (self.error_count.saturating_add(self.warning_count)).saturating_sub(self.diagnostics.len() as u64)
    }

    /// Whether there is no error.
    pub fn is_valid(&self) -> bool {
        self.error_count == 0
    }

    /// Why nothing could be read at all: the text is not YAML, or exceeds a limit.
    pub fn unreadable(&self) -> Option<&Diagnostic> {
        let codes = [Code::YamlSyntax, Code::Encoding, Code::Limit];
        self.diagnostics.iter().find(|diagnostic| {
            diagnostic.place.is_empty() && diagnostic.severity == Severity::Error && codes.contains(&diagnostic.code)
        })
    }
}

/// Reads the text of a description: UTF-8, or UTF-16 with a byte order mark.
pub fn parse(bytes: &[u8], options: &ReadOptions) -> Parsed {
    let mut diagnostics = Diagnostics::new(options);
    let description = read(bytes, options, &mut diagnostics).unwrap_or_default();
    diagnostics.finish(description)
}

/// Reads a description from a file.
///
/// Fails if the file cannot be read, or is longer than the limit ([`Status::Limit`]); what is wrong with its text is
/// among the diagnostics.
pub fn read_file(path: &Path, options: &ReadOptions) -> Result<Parsed> {
    let name: Arc<str> = path.to_string_lossy().into();
    let most = options.limits.bytes;
    let read = || {
        let file = std::fs::File::open(path).map_err(|error| Error::io("opening", &error))?;
        let mut bytes = Vec::new();
        let length = file.metadata().map_or(0, |metadata| metadata.len()).min(most);
        let room = usize::try_from(length).map_err(|_| Error::out_of_memory(length))?;
        bytes.try_reserve_exact(room).map_err(|_| Error::out_of_memory(length))?;
        let longest = most.saturating_add(1);
        file.take(longest).read_to_end(&mut bytes).map_err(|error| Error::io("reading", &error))?;
        if bytes.len() as u64 > most { Err(Error::limit("the bytes of the text", most)) } else { Ok(bytes) }
    };
    let bytes = read().map_err(|error: Error| error.in_file(&name))?;
    Ok(parse(&bytes, options))
}

/// Reads the text of a description, whose values are `apart`: in the place of each stands a list of its position there.
pub(super) fn parse_apart(text: String, apart: &[&Value], options: &ReadOptions) -> Parsed {
    let mut diagnostics = Diagnostics::new(options);
    let description = read_text(text, apart, &mut diagnostics).unwrap_or_default();
    diagnostics.finish(description)
}

/// Nothing if the rules of the YAML level, or the kind of the document, leave nothing to read.
fn read(bytes: &[u8], options: &ReadOptions, diagnostics: &mut Diagnostics) -> Option<Description> {
    let limits = &options.limits;
    if bytes.len() as u64 > limits.bytes {
        let error = Error::limit("the bytes of the text", limits.bytes).at_line(1, 1);
        diagnostics.add_error(&error);
        return None;
    }
    let text = encoding::decode(bytes).map_err(|error| diagnostics.add_error(&error)).ok()?;
    read_text(text, &[], diagnostics)
}

fn read_text(text: String, apart: &[&Value], diagnostics: &mut Diagnostics) -> Option<Description> {
    let options = diagnostics.options();
    let unmerged = unmerged(text, &options.limits, diagnostics)?;
    let reader = Reader { apart, ..Reader::new(&unmerged.tree, options, diagnostics) };
    yaml_rules::check(reader, unmerged.is_empty)?.read_document()
}

/// The one document of a text.
fn unmerged(text: String, limits: &ReadLimits, diagnostics: &mut Diagnostics) -> Option<Unmerged> {
    let limits = Limits {
        tree_bytes: limits.bytes,
        depth: limits.depth.min(ReadLimits::MAX_DEPTH),
        nodes: limits.nodes,
        anchors: limits.nodes,
        ..Limits::default()
    };
    let unmerged = parse_unmerged(text, &limits).map_err(|error| diagnostics.add_error(&error)).ok()?;
    if let Some((line, column)) = unmerged.second_document {
        diagnostics.add_at(Code::MultiDoc, "", || (line, column), "a second document begins; a description is one");
        return None;
    }
    Some(unmerged)
}

impl Diagnostics<'_> {
    fn add_error(&mut self, error: &Error) {
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
