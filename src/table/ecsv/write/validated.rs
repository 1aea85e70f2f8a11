//! Validation of the description of a table by schemas.

use super::header_writer::HeaderWriter;
use crate::error::{Location, Result, Warning};
use crate::file::{File, Node};
use crate::limits::Limits;
use crate::report::{Entry, Report};
use crate::schema::{Schemas, in_order};
use crate::table::{Header, Table};

impl Table {
    /// Validates the description of the table as [`Header::validate`] does.
    pub fn validate(&self, schemas: &Schemas, schema: Option<&str>) -> Result<Report> {
        self.header().validate(schemas, schema)
    }
}

impl Header {
    /// Validates the description of a table: a mapping as in the header of an ECSV file, with the columns under
    /// `datatype`, the metadata under `meta`, and `schema`. `schema` is the URI of a schema that it must match; besides,
    /// each node with a tag must match the schemas of the tag.
    ///
    /// The report is as that of [`File::validate`]. Lines and columns are those of the ECSV file that the table was read
    /// from. Fails as that function does, and if the description cannot be written as ECSV.
    pub fn validate(&self, schemas: &Schemas, schema: Option<&str>) -> Result<Report> {
        let tree = HeaderWriter::new(self, self.delimiter)?.into_tree();
        let report = File::of_tree(tree, None, &Limits::default()).validate(schemas, schema)?;
        let entries = report.entries().iter().map(|entry| match &self.source {
            Some(source) => placed(entry, source, self).unwrap_or_else(|| entry.clone()),
            None => entry.clone(),
        });
        Ok(Report::new(in_order(entries.collect())?, report.dropped()))
    }
}

/// Returns an entry with its place in the header that the table was read from. `None` if that has no such node.
fn placed(entry: &Entry, source: &Node, header: &Header) -> Option<Entry> {
    let path = entry.path.as_deref()?;
    let column = path.strip_prefix("/datatype/").and_then(|rest| rest.split('/').next());
    if let Some(index) = column {
        let name = source.string(&format!("datatype/{index}/name")).ok()?;
        let is_same = index.parse().ok().and_then(|index: usize| header.columns.get(index))?.name == name;
        is_same.then_some(())?;
    }
    // The entry gets the name of the file.
    let location = Location { file: None, ..source.at(path).ok()?.location().ok()? };
    let (offset, line, column) = (location.offset, location.line, location.column);
    let warning = Warning { message: entry.message.clone(), location };
    let schema = entry.subject.as_deref().map(|schema| format!(" [{schema}]")).unwrap_or_default();
    let file = source.file().name().map(std::sync::Arc::from);
    let entry = Entry { offset, line, column, text: format!("{warning}{schema}"), ..entry.clone() };
    Some(match file {
        Some(file) if entry.file.is_none() => entry.in_file(&file),
        _ => entry,
    })
}
