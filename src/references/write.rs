//! References as JSON.

use super::export::{Exported, ExportedArray, Reference};
use super::values::{quoted, quoted_document};
use crate::error::Result;
use crate::reserve::{self, GrowingText};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::collections::BTreeSet;
use std::fmt::Write;

const GROUP: &str = r#"{"zarr_format":2}"#;

impl Exported {
    /// Returns the references as JSON (kerchunk, version 1). The key `asdfkit` holds the sizes and times of the files,
    /// and the report.
    pub fn to_json(&self) -> Result<String> {
        let mut out = GrowingText::default();
        out.push_str("{\"version\":1,\"refs\":{");
        for (number, (key, document)) in self.documents()?.iter().enumerate() {
            let comma = if number == 0 { "" } else { "," };
            push(&mut out, format_args!("{comma}\n{}:{}", quoted(key), quoted_document(document)?));
        }
        for array in &self.arrays {
            let prefix = array.key();
            array.for_each_chunk(|name, reference| match reference {
                Some(Reference::Bytes { url, offset, length }) => {
                    let key = quoted(&format!("{prefix}/{name}"));
                    push(&mut out, format_args!(",\n{key}:[{},{offset},{length}]", quoted(url)));
                }
                Some(Reference::Inline(bytes)) => {
                    let key = quoted(&format!("{prefix}/{name}"));
                    push(&mut out, format_args!(",\n{key}:\"base64:{}\"", STANDARD.encode(bytes)));
                }
                None => {}
            });
        }
        push(&mut out, format_args!("}},\n\"asdfkit\":{}}}\n", self.about_json()?));
        out.finish()
    }

    /// Returns the files with their sizes and times, and the report, as JSON.
    pub fn about_json(&self) -> Result<String> {
        let mut out = GrowingText::default();
        out.push_str("{\"files\":[");
        for (number, file) in self.files.iter().enumerate() {
            let comma = if number == 0 { "" } else { "," };
            push(&mut out, format_args!("{comma}\n{{\"url\":{}", quoted(&file.url)));
            if let Some(size) = file.size {
                push(&mut out, format_args!(",\"size\":{size}"));
            }
            if let Some(modified) = file.modified {
                push(&mut out, format_args!(",\"modified_ns\":{modified}"));
            }
            out.push_str("}");
        }
        push(&mut out, format_args!("],\n\"notes\":{}}}", self.report.to_json()?));
        out.finish()
    }

    /// Returns the documents of groups and arrays with their keys: `.zgroup`, `a/.zarray`, `a/.zattrs`.
    pub fn documents(&self) -> Result<Vec<(String, String)>> {
        let mut documents = vec![(".zgroup".to_owned(), GROUP.to_owned())];
        let mut groups = BTreeSet::new();
        for array in &self.arrays {
            let names = &array.variable.names;
            for length in 1..names.len() {
                let group = names[..length].join("/");
                if groups.insert(group.clone()) {
                    reserve::push(&mut documents, (format!("{group}/.zgroup"), GROUP.to_owned()))?;
                }
            }
            let key = array.key();
            reserve::push(&mut documents, (format!("{key}/.zarray"), array.metadata()))?;
            reserve::push(&mut documents, (format!("{key}/.zattrs"), array.attributes()))?;
        }
        if !groups.is_empty() {
            let consolidated = consolidated(&documents)?;
            reserve::room_for(&mut documents, 1)?;
            documents.insert(1, (".zmetadata".to_owned(), consolidated));
        }
        Ok(documents)
    }
}

/// Returns all documents as one. Readers need it to find groups.
fn consolidated(documents: &[(String, String)]) -> Result<String> {
    let mut out = GrowingText::default();
    out.push_str("{\"metadata\":{");
    for (number, (key, document)) in documents.iter().enumerate() {
        let comma = if number == 0 { "" } else { "," };
        push(&mut out, format_args!("{comma}{}:{document}", quoted(key)));
    }
    out.push_str("},\"zarr_consolidated_format\":1}");
    out.finish()
}

impl ExportedArray {
    /// Returns the document `.zarray`. Codecs are filters, because some readers ignore compressors.
    fn metadata(&self) -> String {
        let filters = match &self.variable.filters[..] {
            [] => "null".to_owned(),
            filters => format!("[{}]", filters.join(",")),
        };
        format!(
            "{{\"zarr_format\":2,\"shape\":{},\"chunks\":{},\"dtype\":{},\"compressor\":null,\"filters\":{filters},\
             \"fill_value\":{},\"order\":\"C\",\"dimension_separator\":\".\"}}",
            list(&self.shape),
            list(&self.chunk),
            quoted(&self.variable.dtype),
            self.variable.fill.as_deref().unwrap_or("null"),
        )
    }

    /// Returns the document `.zattrs`.
    fn attributes(&self) -> String {
        let names: Vec<String> = self.dimensions.iter().map(|name| quoted(name)).collect();
        let unit = self.variable.unit.as_deref().map_or(String::new(), |unit| format!(",\"units\":{}", quoted(unit)));
        format!("{{\"_ARRAY_DIMENSIONS\":[{}]{unit}}}", names.join(","))
    }

    /// Calls `work` for each chunk in C order, with its name such as `0.3`.
    pub fn for_each_chunk(&self, mut work: impl FnMut(&str, Option<Reference<'_>>)) {
        let counts = self.chunk_counts();
        let mut index = vec![0_i64; counts.len()];
        let mut name = String::new();
        for _ in 0..self.len() {
            name.clear();
            for (axis, at) in index.iter().enumerate() {
                let point = if axis == 0 { "" } else { "." };
                push(&mut name, format_args!("{point}{at}"));
            }
            work(if name.is_empty() { "0" } else { &name }, self.reference(&index));
            for (at, &count) in index.iter_mut().zip(counts).rev() {
                *at += 1;
                if *at < count {
                    break;
                }
                *at = 0;
            }
        }
    }
}

fn list(numbers: &[i64]) -> String {
    let texts: Vec<String> = numbers.iter().map(i64::to_string).collect();
    format!("[{}]", texts.join(","))
}

/// Writes to a text that remembers its failures.
fn push(out: &mut impl Write, text: std::fmt::Arguments<'_>) {
    let _ = out.write_fmt(text);
}
