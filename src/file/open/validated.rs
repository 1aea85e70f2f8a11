//! Validation of a file by schemas.

use super::file::File;
use crate::error::{Error, Result, Status};
use crate::file::Validation;
use crate::report::{Entry, Report, Severity};
use crate::reserve;
use crate::schema::{Described, Description, Schemas, Subject, TreeArrays};
use crate::tags::StandardVersion;
use crate::tree::{NodeId, Tree};
use std::sync::Arc;

impl File {
    /// Validates the tree: each node with a tag by the schemas of the tag, and the root by `schema`, the URI of another
    /// schema, if it is not `None`.
    ///
    /// The report has an error for each violated keyword: its path, line and column, the keyword as code, and the URI of
    /// the schema as subject. Notes after an error tell which choice of `anyOf` or `oneOf` comes closest. A warning tells
    /// that a schema is missing. Arrays are checked by their descriptions; no block is read.
    ///
    /// Fails with [`Status::Schema`] for a malformed schema, with [`Status::SchemaNotFound`] if there is no such
    /// `schema`, and with [`Status::Limit`].
    pub fn validate(&self, schemas: &Schemas, schema: Option<&str>) -> Result<Report> {
        let root = self.state()?.tree().root();
        self.validate_node(root, schemas, schema)
    }

    /// Validates a node with all nodes below it.
    pub(crate) fn validate_node(&self, node: NodeId, schemas: &Schemas, schema: Option<&str>) -> Result<Report> {
        let tree = self.tree()?;
        tree.check(node)?;
        self.report_on(&tree, node, self.standard_version(), schemas, schema)
    }

    /// Validates a node of a tree of this file, perhaps one in another version of the standard.
    fn report_on(
        &self,
        tree: &Tree,
        node: NodeId,
        standard: StandardVersion,
        schemas: &Schemas,
        schema: Option<&str>,
    ) -> Result<Report> {
        let arrays = TreeArrays { limits: self.limits() };
        let subject = Subject { tree, node, arrays: &arrays, standard, schema };
        let report = schemas.validate(&subject).map_err(|error| self.name_in(error))?;
        let Some(name) = self.name().map(Arc::from) else { return Ok(report) };
        let entries = report.entries().iter().map(|entry| Ok(entry.clone().in_file(&name)));
        Ok(Report::new(reserve::collected(entries)?, report.dropped()))
    }

    /// Describes the entry at a path below a node by the schemas of the tags on the way, and by `schema`, the URI of a
    /// schema of that node. The entry need not exist.
    pub(crate) fn describe_below(
        &self,
        root: NodeId,
        path: &str,
        schemas: &Schemas,
        schema: Option<&str>,
    ) -> Result<Description> {
        let tree = self.tree()?;
        tree.check(root)?;
        schemas.describe(&Described { tree: &tree, root, standard: self.standard_version(), schema }, path)
    }

    /// Fails with [`Status::Invalid`], located at the first violation, if options demand valid content and it is not.
    pub(crate) fn check_valid(&self, validation: Option<&Validation>) -> Result<()> {
        self.check_valid_tree(&*self.tree()?, self.standard_version(), validation)
    }

    /// Does the same for a tree of this file in this version of the standard.
    pub(crate) fn check_valid_tree(
        &self,
        tree: &Tree,
        standard: StandardVersion,
        validation: Option<&Validation>,
    ) -> Result<()> {
        let Some(Validation { schemas, schema }) = validation else { return Ok(()) };
        let report = self.report_on(tree, tree.root(), standard, schemas, schema.as_deref())?;
        let mut errors = report.entries().iter().filter(|entry| entry.severity == Severity::Error);
        let Some(first) = errors.next() else { return Ok(()) };
        let more = errors.count() as u64 + report.dropped();
        Err(invalid(first, more))
    }
}

/// Creates the error for invalid content. `more` is the number of further violations.
fn invalid(entry: &Entry, more: u64) -> Error {
    let schema = entry.subject.as_deref().unwrap_or_default();
    let error = Error::new(Status::Invalid, format!("{} [{schema}]", entry.message));
    let error = if more > 0 { error.with_more(&format!("and {more} more violations")) } else { error };
    let error = match (entry.offset, entry.line, entry.column) {
        (Some(offset), Some(line), Some(column)) => error.at_offset(offset).at_line(line, column),
        _ => error,
    };
    let error = error.at_path(entry.path.clone().unwrap_or_default());
    entry.file.iter().fold(error, |error, file| error.in_file(file))
}
