//! Tables of ASDF files as tables in memory.

use super::notes::{self, Notes};
use super::plain;
use super::read_column::read_columns;
use super::serialized::{Class, Serialized, format_of_text};
use super::tags::{Tagged, meaning};
use super::unit;
use crate::array::{Datatype, ReadOptions};
use crate::error::{Error, Result, Status, Warning};
use crate::file::{Node, NodeArray, NodeKey, NodeType};
use crate::table::{Column, ColumnHeader, ColumnParts, ElementType, Header, Table};
use std::collections::HashSet;
use std::sync::Arc;

/// What becomes of metadata that only ASDF can carry: arrays, tags, references.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Metadata {
    /// They are places in the tree of the file, which they keep alive.
    #[default]
    Kept,
    /// They are copied, with lists for arrays, values for what a tag says of them, and what they lead to for references,
    /// so that any YAML reader takes them. Units are spelled as those of columns. The tags of other texts are noted
    /// under `__asdf__/tags`, by path. What is missing of an array, a unit of an unknown kind, and a circle of references is
    /// an error.
    Plain,
}

/// How to read a table from an ASDF file.
#[derive(Clone, Debug)]
pub struct TableReadOptions {
    /// What becomes of metadata.
    pub metadata: Metadata,
    /// Whether columns of kinds that are no arrays (sky coordinates, places on Earth), or with units of unknown kinds, are
    /// left out, with a warning, rather than an error.
    pub leave_out: bool,
    /// The most threads to decode with, that of the caller included; 0 is 1.
    pub threads: usize,
}

impl Default for TableReadOptions {
    fn default() -> TableReadOptions {
        TableReadOptions { metadata: Metadata::Kept, leave_out: false, threads: 1 }
    }
}

impl Node {
    /// The table at `path`, read into memory. It is one of
    ///
    /// - a `core/table` or `table/table`, of `core/column` or `table/column`;
    /// - a `tag:astropy.org:astropy/table/table`, whose columns may also be arrays, quantities, times, and records;
    /// - an array of records (`core/ndarray`), each field of which becomes a column;
    /// - a mapping of arrays, quantities or columns, each of which becomes one under its key.
    ///
    /// All versions of these tags are read. Columns of records become a column for each field, `name.field`. Masks
    /// tell what is missing. Times are the values of their format, spans of time the two parts `name.jd1` and `name.jd2`;
    /// what they are is in the metadata of the table, under `__serialized_columns__`, as ECSV has it. Units are spelled as
    /// astropy prints them: `mag(AB)` for a `units/magunit` of `AB`.
    ///
    /// Fails with [`Status::WrongType`] for anything else, [`Status::TagContent`] for columns without name, of one
    /// name or of different lengths, [`Status::Unsupported`] for columns that are no arrays and for units and texts with
    /// tags that are not known, [`Status::Limit`] for a table that takes more memory than its bytes in the file and
    /// [`Limits::table_bytes`] together, and as reading arrays does.
    ///
    /// [`Limits::table_bytes`]: crate::Limits::table_bytes
    pub fn table(&self, path: &str, options: &TableReadOptions) -> Result<Table> {
        let node = self.get(path)?;
        let mut reading = Reading::new(options);
        let tagged = node.foreign_tag("")?.map_or(Tagged::Other, |tag| meaning(&tag));
        match (tagged, node.node_type("")?) {
            (Tagged::Table | Tagged::AstropyTable, NodeType::Mapping) => reading.table(&node, tagged)?,
            (Tagged::Array, _) => reading.records(&node)?,
            (Tagged::Other, NodeType::Mapping) => reading.mapping(&node)?,
            _ => {
                let message = "a table is asked for, but neither a table nor an array of records nor a mapping of arrays \
                               stands here";
                return Err(node.locate(Error::new(Status::WrongType, message)));
            }
        }
        reading.finish(self.file().limits().table_bytes)
    }
}

/// What is said of a column besides its elements.
#[derive(Default)]
struct Said {
    name: String,
    unit: Option<String>,
    description: Option<String>,
    meta: Option<Node>,
    notes: Notes,
}

/// Makes the class of a column from its values.
type ClassOf = Box<dyn FnOnce(&Column) -> Class>;

/// A table that is being put together.
struct Reading<'a> {
    options: &'a TableReadOptions,
    read: ReadOptions,
    names: HashSet<String>,
    row_count: Option<i64>,
    header: Header,
    /// The arrays that become columns, with what is said of them.
    pending: Vec<(Said, NodeArray)>,
    /// Place, name and class of the columns that are parts of times, quantities and the like.
    classes: Vec<(usize, String, ClassOf)>,
    warnings: Vec<Warning>,
}

impl Reading<'_> {
    fn new(options: &TableReadOptions) -> Reading<'_> {
        Reading {
            options,
            read: ReadOptions { threads: options.threads, ..ReadOptions::default() },
            names: HashSet::new(),
            row_count: None,
            header: Header::default(),
            pending: Vec::new(),
            classes: Vec::new(),
            warnings: Vec::new(),
        }
    }

    fn finish(mut self, table_bytes: u64) -> Result<Table> {
        let (said, arrays): (Vec<Said>, Vec<NodeArray>) = self.pending.into_iter().unzip();
        let mut columns = Vec::new();
        for (said, column) in said.into_iter().zip(read_columns(&arrays, table_bytes, &self.read)?) {
            let column = of_noted_type(column, &said.notes)?;
            let mut header = ColumnHeader::new(said.name, column.element_type(), column.cell_shape().clone());
            header.unit = said.unit;
            header.description = said.description;
            header.meta = said.meta;
            header.format = said.notes.get("format").map(str::to_owned);
            header.declared_subtype = said.notes.get("subtype").map(str::to_owned);
            self.header.columns.push(header);
            columns.push(Arc::new(column));
        }
        let mut serialized = Vec::new();
        for (place, name, class) in self.classes {
            if let Some(column) = columns.get(place) {
                serialized.push(Serialized { name, class: class(column), is_masked: column.cells().is_some() });
            }
        }
        self.header.meta = Serialized::add_to(self.header.meta.take(), &serialized)?;
        let row_count = columns.first().map_or(0, |column| column.row_count());
        let table = Table::new(Arc::new(self.header), columns, row_count)?;
        Ok(table.with_warnings(self.warnings))
    }

    /// A node with a tag of tables.
    fn table(&mut self, node: &Node, tagged: Tagged) -> Result<()> {
        let (meta, notes) = notes::read_meta(optional(node, "meta")?)?;
        self.header.schema = notes.get("schema").map(str::to_owned);
        self.header.meta = self.metadata(meta)?;
        let columns = required(node, "columns")?;
        let count = columns.count("")?;
        let names = match tagged {
            Tagged::AstropyTable => {
                let names = required(node, "colnames")?;
                if names.count("")? != count {
                    let message = format!("{} names are told of {count} columns", names.count("")?);
                    return Err(names.locate(Error::new(Status::TagContent, message)));
                }
                Some(names)
            }
            _ => None,
        };
        let is_quantity_table = optional(node, "qtable")?.is_some_and(|flag| flag.bool("").unwrap_or(false));
        for index in 0..count {
            let name = names.as_ref().map(|names| unit::plain_text(&names.item("", index)?)).transpose()?;
            self.column(&columns.item("", index)?, name, is_quantity_table)?;
        }
        Ok(())
    }

    /// A mapping whose values are arrays.
    fn mapping(&mut self, node: &Node) -> Result<()> {
        for index in 0..node.count("")? {
            let name = match node.key("", index)? {
                NodeKey::String(name) | NodeKey::Other(name) => name,
                NodeKey::Integer(number) => number.to_string(),
                NodeKey::Bool(value) => value.to_string(),
            };
            self.column(&node.item("", index)?, Some(name), false)?;
        }
        Ok(())
    }

    /// An array of records.
    fn records(&mut self, node: &Node) -> Result<()> {
        let array = node.array("")?;
        let Datatype::Record(fields) = array.datatype().clone() else {
            let message = format!("an array of records can be a table, but not one of {}", array.datatype());
            return Err(node.locate(Error::new(Status::WrongType, message)));
        };
        for (index, field) in fields.iter().enumerate() {
            let name = field.name.clone().unwrap_or_else(|| format!("f{index}"));
            let column = array.field(&name)?;
            self.array(Said { name, ..Said::default() }, column, node)?;
        }
        Ok(())
    }

    /// One column, of whatever kind. A name that comes with the table is the one that counts.
    fn column(&mut self, node: &Node, name: Option<String>, is_quantity_table: bool) -> Result<()> {
        let tagged = match node.foreign_tag("")? {
            Some(tag) => meaning(&tag),
            None if node.node_type("")? == NodeType::Sequence => Tagged::Array,
            None => Tagged::Other,
        };
        let said = |name: Option<String>| Said { name: name.unwrap_or_default(), ..Said::default() };
        match tagged {
            Tagged::Column => {
                let (meta, notes) = notes::read_meta(optional(node, "meta")?)?;
                let name = name.map_or_else(|| unit::plain_text(&required(node, "name")?), Ok)?;
                let unit = match optional(node, "unit")? {
                    Some(unit) => match unit::spelled(&unit)? {
                        Some(text) => Some(text),
                        None => return self.unknown_unit(&unit, &name),
                    },
                    None => None,
                };
                let said = Said {
                    name,
                    unit,
                    description: optional_text(node, "description")?,
                    meta: self.metadata(meta)?,
                    notes,
                };
                self.array(said, required(node, "data")?.array("")?, node)
            }
            Tagged::Array => self.array(said(name), node.array("")?, node),
            Tagged::Mixin => self.array(said(name), required(node, "array")?.array("")?, node),
            Tagged::Quantity => {
                let unit = required(node, "unit")?;
                let Some(unit) = unit::spelled(&unit)? else {
                    return self.unknown_unit(&unit, &name.unwrap_or_default());
                };
                let said = Said { unit: Some(unit.clone()), ..said(name) };
                let name = said.name.clone();
                self.array(said, required(node, "value")?.array("")?, node)?;
                if is_quantity_table {
                    self.remember(name, |_| Class::Quantity { unit });
                }
                Ok(())
            }
            Tagged::Time if node.node_type("")? == NodeType::Mapping && optional(node, "location")?.is_none() => {
                let said = said(name);
                let name = said.name.clone();
                self.array(said, required(node, "value")?.array("")?, node)?;
                let (stored, shown) = (optional_text(node, "format")?, optional_text(node, "base_format")?);
                let scale = optional_text(node, "scale")?;
                self.remember(name, |column| Class::Time { format: time_format(stored, shown, column), scale });
                Ok(())
            }
            Tagged::TimeDelta => {
                let name = name.unwrap_or_default();
                for part in ["jd1", "jd2"] {
                    let said = said(Some(format!("{name}.{part}")));
                    self.array(said, required(node, part)?.array("")?, node)?;
                }
                let (format, scale) = (unit::plain_text(&required(node, "format")?)?, optional_text(node, "scale")?);
                self.remember(name, |_| Class::TimeDelta { format, scale });
                Ok(())
            }
            _ => self.unsupported(node, name),
        }
    }

    /// Notes what the column is that was added last.
    fn remember(&mut self, name: String, class: impl FnOnce(&Column) -> Class + 'static) {
        if let Some(place) = self.pending.len().checked_sub(1) {
            self.classes.push((place, name, Box::new(class)));
        }
    }

    /// A column that is no array.
    fn unsupported(&mut self, node: &Node, name: Option<String>) -> Result<()> {
        let name = name.map_or_else(String::new, |name| format!(" '{name}'"));
        let kind = node.tag("")?.map_or_else(|| "no array".to_owned(), |tag| format!("of the kind '{tag}'"));
        let message = format!("the column{name} is {kind}, which tables here cannot hold");
        self.leave_out(node, node.locate(Error::new(Status::Unsupported, message)), "it")
    }

    /// A column with a unit of an unknown kind: its numbers alone could be taken for those of another unit.
    fn unknown_unit(&mut self, unit: &Node, name: &str) -> Result<()> {
        self.leave_out(unit, unit::unknown(unit), &format!("the column '{name}'"))
    }

    /// Leaves a column out because of something at a node, if the options allow it.
    fn leave_out(&mut self, node: &Node, why: Error, column: &str) -> Result<()> {
        if !self.options.leave_out {
            return Err(why);
        }
        let message = format!("{}: {column} is left out", why.message());
        self.warnings.push(Warning::new(message).at_path(node.path()?));
        Ok(())
    }

    /// Adds what an array holds: a column, or one for each field of its records.
    fn array(&mut self, said: Said, array: NodeArray, node: &Node) -> Result<()> {
        let mut pending = vec![(said, array)];
        while let Some((said, array)) = pending.pop() {
            let Datatype::Record(fields) = array.datatype().clone() else {
                self.add(said, array, node)?;
                continue;
            };
            for (index, field) in fields.iter().enumerate().rev() {
                let name = field.name.clone().unwrap_or_else(|| format!("f{index}"));
                let part = array.field(&name)?;
                let said = Said { name: format!("{}.{name}", said.name), unit: said.unit.clone(), ..Said::default() };
                pending.push((said, part));
            }
        }
        Ok(())
    }

    fn add(&mut self, said: Said, array: NodeArray, node: &Node) -> Result<()> {
        let wrong = |message: String| node.locate(Error::new(Status::TagContent, message));
        let Some(&own_rows) = array.shape().first() else {
            let message = "a column has rows, but the array is a single element";
            return Err(array.locate(Error::new(Status::BadArray, message)));
        };
        let rows = *self.row_count.get_or_insert(own_rows);
        if own_rows != rows {
            return Err(wrong(format!("the column '{}' has {own_rows} rows, not {rows}", said.name)));
        }
        if !self.names.insert(said.name.clone()) {
            return Err(wrong(format!("two columns are called '{}'", said.name)));
        }
        self.pending.push((said, array));
        Ok(())
    }

    /// Metadata as the options want them; none if they are null.
    fn metadata(&self, meta: Option<Node>) -> Result<Option<Node>> {
        match (meta, self.options.metadata) {
            (Some(meta), Metadata::Plain) => plain::copy(&meta).map(Some),
            (meta, _) => Ok(meta),
        }
    }
}

/// Texts that are noted to be something else are that.
fn of_noted_type(column: Column, notes: &Notes) -> Result<Column> {
    let noted = notes.get("datatype").and_then(ElementType::from_name).filter(|noted| noted.is_text());
    match noted {
        Some(element_type) if column.element_type() == ElementType::String => {
            let parts = column.into_parts();
            Column::new(ColumnParts { element_type, ..parts })
        }
        _ => Ok(column),
    }
}

/// The format that the values of a column of times are in: the one that is told, else that of their text. The one that
/// they are to be shown in counts if it is the same but for its name.
fn time_format(stored: Option<String>, shown: Option<String>, column: &Column) -> String {
    if let Some(stored) = stored {
        return stored;
    }
    let text = column.values().text();
    let first = (0..column.row_count()).find(|&row| column.has_cell(row)).unwrap_or(0);
    let told = format_of_text(text.map_or("", |text| text.get(first)));
    match shown {
        Some(shown) if shown == "fits" && told == "isot" => shown,
        _ => told.to_owned(),
    }
}

/// What stands under a key; nothing if nothing or null does.
fn optional(node: &Node, key: &str) -> Result<Option<Node>> {
    match node.get(key) {
        Ok(found) if found.node_type("")? == NodeType::Null => Ok(None),
        Ok(found) => Ok(Some(found)),
        Err(error) if error.status() == Status::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn optional_text(node: &Node, key: &str) -> Result<Option<String>> {
    optional(node, key)?.map(|found| unit::plain_text(&found)).transpose()
}

/// What must stand under a key.
fn required(node: &Node, key: &str) -> Result<Node> {
    optional(node, key)?.ok_or_else(|| {
        let message = format!("the node has no key '{key}', which its tag demands");
        node.locate(Error::new(Status::TagContent, message))
    })
}
