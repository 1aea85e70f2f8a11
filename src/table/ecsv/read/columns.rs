//! Reads the description of a table and its columns from the YAML tree of a header.

use super::datatype::Declared;
use crate::error::{Error, Result, Status, Warning};
use crate::file::{File, Node};
use crate::table::ecsv::ReadOptions;
use crate::table::logical::with_empty_texts;
use crate::table::serialized::UNIT_TAG;
use crate::table::{ColumnHeader, Delimiter, ElementType, Header};
use crate::tree::{Kind, NodeId, Scalar, Tree};
use std::collections::HashSet;

/// YAML tree of a header, and the file that its nodes belong to.
pub(crate) struct HeaderTree<'a> {
    tree: &'a Tree,
    file: &'a File,
    options: &'a ReadOptions,
    warnings: Vec<Warning>,
}

impl<'a> HeaderTree<'a> {
    /// Reads the header from the tree of `file`.
    ///
    /// Errors ([`Status::TableHeader`], [`Status::BadDatatype`]) give the place in the text and the path.
    pub(crate) fn read(tree: &'a Tree, file: &'a File, options: &'a ReadOptions) -> Result<(Header, Vec<Warning>)> {
        let mut header_tree = HeaderTree { tree, file, options, warnings: Vec::new() };
        let header = header_tree.header()?;
        Ok((header, header_tree.warnings))
    }

    fn header(&mut self) -> Result<Header> {
        let root = self.tree.dealias(self.tree.root());
        if self.tree.kind(root) != Kind::Mapping {
            return Err(self.wrong(root, "the header must be a YAML mapping"));
        }
        let list = self.value(root, "datatype");
        let list = list.ok_or_else(|| self.wrong(root, "the header has no key 'datatype'"))?;
        if self.tree.kind(list) != Kind::Sequence {
            return Err(self.wrong(list, "'datatype' must be a list of columns"));
        }
        let mut names = HashSet::new();
        let mut columns = Vec::new();
        for &item in self.tree.items(list) {
            let column = self.column(self.tree.dealias(item))?;
            if !names.insert(column.name.clone()) {
                let message = format!("two columns have the name '{}'", column.name);
                return Err(self.wrong(item, message));
            }
            columns.push(column);
        }
        if let Some(meta) = self.value(root, "meta") {
            let names = with_empty_texts(self.tree, meta);
            for column in &mut columns {
                column.has_empty_texts = column.element_type == ElementType::String && names.contains(&column.name);
            }
        }
        Ok(Header {
            columns,
            meta: self.meta(root),
            schema: self.text(root, "schema"),
            delimiter: self.delimiter(root)?,
            ..Header::default()
        })
    }

    fn column(&mut self, column: NodeId) -> Result<ColumnHeader> {
        if self.tree.kind(column) != Kind::Mapping {
            return Err(self.wrong(column, "each column in 'datatype' must be a mapping"));
        }
        let name = self.required(column, "name")?;
        if name.is_empty() {
            return Err(self.wrong(column, "the name of a column is empty"));
        }
        let datatype = self.required(column, "datatype")?;
        let subtype = self.text(column, "subtype");
        let (strict, limits) = (self.options.strict, &self.options.limits);
        let declared = Declared::new(&datatype, subtype.as_deref(), strict, limits);
        let declared = declared.map_err(|error| self.tree.locate(error, column).in_table_column(&name))?;
        if let Some(warning) = declared.warning {
            self.warn(column, format!("the column '{name}': {warning}"));
        }
        Ok(ColumnHeader {
            unit: self.unit(column),
            description: self.text(column, "description"),
            format: self.text(column, "format"),
            meta: self.meta(column),
            declared_datatype: datatype,
            declared_subtype: subtype,
            ..ColumnHeader::new(name, declared.element_type, declared.cell_shape)
        })
    }

    fn delimiter(&self, root: NodeId) -> Result<Delimiter> {
        let Some(value) = self.value(root, "delimiter") else { return Ok(Delimiter::default()) };
        match self.scalar(value) {
            Some(Scalar::String(" ")) => Ok(Delimiter::Space),
            Some(Scalar::String(",")) => Ok(Delimiter::Comma),
            _ => Err(self.wrong(value, "the delimiter must be ' ' or ','")),
        }
    }

    /// Returns the value under a key, which may be null.
    fn value(&self, mapping: NodeId, key: &str) -> Option<NodeId> {
        self.tree.find_token(mapping, key).map(|value| self.tree.dealias(value))
    }

    fn scalar(&self, id: NodeId) -> Option<Scalar<'_>> {
        (self.tree.kind(id) == Kind::Scalar).then(|| self.tree.scalar(id).ok()).flatten()
    }

    /// Returns text that a column must have. A value of another YAML type is refused, since the writer of the file may
    /// have meant something else.
    fn required(&self, column: NodeId, key: &str) -> Result<String> {
        let Some(value) = self.value(column, key) else {
            return Err(self.wrong(column, format!("a column has no key '{key}'")));
        };
        match self.scalar(value) {
            Some(Scalar::String(text)) if self.tree.foreign_tag(value).is_none() => Ok(text.to_owned()),
            _ => Err(self.wrong(value, format!("the {key} of a column must be text: put it in quotes"))),
        }
    }

    /// Returns optional text under a key. Numbers and other scalars are returned as they are spelled. A value that is
    /// not a scalar, or that has an unknown tag, is ignored with a warning.
    fn text(&mut self, mapping: NodeId, key: &str) -> Option<String> {
        let value = self.value(mapping, key)?;
        if let Some(tag) = self.tree.foreign_tag(value) {
            let message = format!("'{key}' is ignored because its tag '{tag}' is unknown");
            self.warn(value, message);
            return None;
        }
        if self.tree.kind(value) != Kind::Scalar {
            self.warn(value, format!("'{key}' is ignored because it is not text"));
            return None;
        }
        match self.scalar(value) {
            Some(Scalar::Null) => None,
            Some(Scalar::String(text)) => Some(text.to_owned()),
            _ => Some(self.tree.text(value).to_owned()),
        }
    }

    /// Returns the unit of a column: text, or a mapping of astropy that has the text under the key `unit`.
    fn unit(&mut self, column: NodeId) -> Option<String> {
        match self.value(column, "unit") {
            Some(unit)
                if self.tree.kind(unit) == Kind::Mapping
                    && self.tree.foreign_tag(unit).is_none_or(|tag| tag == UNIT_TAG)
                    && self.value(unit, "unit").is_some() =>
            {
                self.text(unit, "unit")
            }
            _ => self.text(column, "unit"),
        }
    }

    fn meta(&self, mapping: NodeId) -> Option<Node> {
        let value = self.value(mapping, "meta")?;
        (self.scalar(value) != Some(Scalar::Null)).then(|| self.file.node(value))
    }

    fn wrong(&self, id: NodeId, message: impl Into<String>) -> Error {
        self.tree.locate(Error::new(Status::TableHeader, message), id)
    }

    fn warn(&mut self, id: NodeId, message: String) {
        self.warnings.push(Warning { message, location: self.tree.location(id) });
    }
}
