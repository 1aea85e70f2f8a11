//! Reads tables of ASDF files into memory.

use super::keys::{optional, optional_text, required};
use super::notes::{self, Notes};
use super::object::{Attribute, Object};
use super::plain;
use super::read_column::{RowsOf, read_columns};
use super::read_object::{ObjectReader, ReadArrays, representation, scalar};
use super::serialized::{SCHEMA, Serialized, format_of_text};
use super::variable::{self, VariableCells};
use crate::array::{Array, Datatype, ReadOptions};
use crate::error::{Error, Result, Status, Warning};
use crate::file::{Node, NodeKey, NodeType};
use crate::standard::object_kind::ObjectKind;
use crate::standard::tags::{Tagged, meaning};
use crate::standard::time::{TimeFormat, TimeOptions};
use crate::standard::units::node as unit;
use crate::table::{Column, ColumnHeader, ColumnParts, ElementType, Header, Table, logical_columns};
use crate::tree::path::escape;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

/// Treatment of metadata that only ASDF can store: arrays, tags, references.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Metadata {
    /// The metadata stay nodes in the tree of the file, and keep the file open.
    #[default]
    Kept,
    /// The metadata are copied in a form that any YAML reader accepts: lists for arrays, values for tagged nodes, and
    /// targets for references. Units, quantities, times, coordinates and complex numbers get the tags of astropy in ECSV.
    /// The tags of other texts are recorded under `__asdf__/tags`, by path. Fails for arrays with missing elements, units
    /// with unknown tags, and circular references.
    Plain,
}

/// Options for reading a table from an ASDF file.
#[derive(Clone, Debug)]
pub struct TableReadOptions {
    /// Treatment of metadata.
    pub metadata: Metadata,
    /// If true, columns that do not consist of arrays, or that have units or attributes with unknown tags, are left out
    /// with a warning. Otherwise they are an error.
    pub leave_out: bool,
    /// Rows to read, counted from 0. Rows that the table does not have are ignored.
    pub rows: Range<u64>,
    /// Maximum number of threads for decoding, including the calling thread; 0 means 1.
    pub threads: usize,
}

impl Default for TableReadOptions {
    fn default() -> TableReadOptions {
        TableReadOptions { metadata: Metadata::Kept, leave_out: false, rows: 0..u64::MAX, threads: 1 }
    }
}

impl Node {
    /// Reads the table at `path` into memory. The node must be one of these:
    ///
    /// - a `core/table` or `table/table`, with columns of type `core/column` or `table/column`;
    /// - a `tag:astropy.org:astropy/table/table`, whose columns may also be arrays, quantities, times, and records;
    /// - an array of records (`core/ndarray`); each field becomes a column;
    /// - a mapping of arrays, quantities or columns; each becomes a column with its key as name; a mapping of two arrays,
    ///   `values` and `lengths`, becomes a column whose cells have different lengths, see [`Node::set_table`];
    /// - a `core/column` or `table/column`, which becomes a table of one column.
    ///
    /// All versions of these tags are read. A column of records becomes one column for each field, `name.field`. Masks
    /// mark missing elements. Times become the values of their format. Spans of time become the two columns `name.jd1`
    /// and `name.jd2`. Sky coordinates and places on Earth become one column for each array, such as `name.ra`. Classes
    /// and other attributes are stored in the metadata of the table, under `__serialized_columns__` as in ECSV. Units keep their text, except magnitudes: a `units/magunit` of `AB` becomes `mag(AB)`, as in astropy.
    ///
    /// Fails with
    ///
    /// - [`Status::WrongType`] for any other node,
    /// - [`Status::TagContent`] for columns without a name, with equal names, or with different lengths,
    /// - [`Status::Unsupported`] for columns that do not consist of arrays, and for units and texts with unknown tags,
    /// - [`Status::Limit`] if the table takes more memory than its bytes in the file and
    ///   [`Limits::table_bytes`](crate::limits::Limits::table_bytes) together,
    /// - the errors of reading arrays.
    pub fn table(&self, path: &str, options: &TableReadOptions) -> Result<Table> {
        self.columns_at(path, options)?.finish(self.file().limits().table_bytes)
    }

    /// Returns the number of rows of the table at `path`, without reading them. Otherwise like [`Node::table`].
    pub fn table_row_count(&self, path: &str) -> Result<u64> {
        let options = TableReadOptions { leave_out: true, ..TableReadOptions::default() };
        Ok(self.columns_at(path, &options)?.row_count.unwrap_or(0).unsigned_abs())
    }

    /// Finds the arrays of the columns.
    fn columns_at<'a>(&self, path: &str, options: &'a TableReadOptions) -> Result<TableReader<'a>> {
        let node = self.at(path)?;
        let mut reader = TableReader::new(options);
        let tagged = node.foreign_tag("")?.map_or(Tagged::Other, |tag| meaning(&tag));
        match (tagged, node.node_type("")?) {
            (Tagged::Table | Tagged::AstropyTable, NodeType::Mapping) => reader.table(&node, tagged)?,
            (Tagged::Array, _) => reader.records(&node)?,
            (Tagged::Column, NodeType::Mapping) => reader.plain_column(&node, None, false)?,
            (Tagged::Other | Tagged::Object(_), NodeType::Mapping) => reader.mapping(&node)?,
            _ => {
                let message = "the node is not a table, a column, an array of records or a mapping of arrays";
                return Err(node.locate(Error::new(Status::WrongType, message)));
            }
        }
        Ok(reader)
    }
}

/// Properties of a column besides its elements.
#[derive(Default)]
struct ColumnInfo {
    name: String,
    unit: Option<String>,
    description: Option<String>,
    meta: Option<Node>,
    notes: Notes,
}

/// Makes the description of an object from the values of one of its columns.
type ObjectOf = Box<dyn FnOnce(&Column) -> Object>;

/// State of reading one table.
pub(super) struct TableReader<'a> {
    options: &'a TableReadOptions,
    read: ReadOptions,
    names: HashSet<String>,
    row_count: Option<i64>,
    header: Header,
    /// Arrays that become columns, with the properties of these columns. For cells of different lengths, the array has
    /// the lengths.
    pending: Vec<(ColumnInfo, Array)>,
    /// Elements of such cells, with the index of their column.
    variable: Vec<(usize, VariableCells)>,
    /// Times, quantities and similar objects: index of a column of the object, name, and description.
    objects: Vec<(usize, String, ObjectOf)>,
    /// Names of times, and the formats in which astropy shows them.
    shown: Vec<(String, TimeFormat)>,
    /// Description, format and metadata of objects, by name.
    infos: Option<Node>,
    warnings: Vec<Warning>,
}

impl TableReader<'_> {
    fn new(options: &TableReadOptions) -> TableReader<'_> {
        TableReader {
            options,
            read: ReadOptions { threads: options.threads, ..ReadOptions::default() },
            names: HashSet::new(),
            row_count: None,
            header: Header::default(),
            pending: Vec::new(),
            variable: Vec::new(),
            objects: Vec::new(),
            shown: Vec::new(),
            infos: None,
            warnings: Vec::new(),
        }
    }

    fn finish(mut self, table_bytes: u64) -> Result<Table> {
        let all = self.row_count.unwrap_or(0).unsigned_abs();
        let first = self.options.rows.start.min(all);
        let rows = first..self.options.rows.end.clamp(first, all);
        let (info, mut arrays): (Vec<ColumnInfo>, Vec<RowsOf>) =
            self.pending.into_iter().map(|(info, array)| (info, (array, rows.clone()))).unzip();
        for (place, cells) in &self.variable {
            let lengths = arrays.get(*place).map(|(array, _)| array);
            let elements = cells.elements_of(lengths, &rows, &self.read)?;
            arrays.push((cells.values.clone(), elements));
        }
        let mut read = read_columns(&arrays, table_bytes, &self.read)?;
        let elements = read.split_off(info.len());
        for ((place, cells), values) in self.variable.iter().zip(elements) {
            if let Some(column) = read.get_mut(*place) {
                *column = cells.column(values, column)?;
            }
        }
        let mut columns = Vec::new();
        for (info, column) in info.into_iter().zip(read) {
            let column = with_noted_type(column, &info.notes)?;
            let mut header = ColumnHeader::new(info.name, column.element_type(), column.cell_shape().clone());
            header.unit = info.unit;
            header.description = info.description;
            header.meta = info.meta;
            header.format = info.notes.get("format").map(str::to_owned);
            header.declared_subtype = info.notes.get("subtype").map(str::to_owned);
            self.header.columns.push(header);
            columns.push(Arc::new(column));
        }
        let mut serialized = Vec::new();
        // A column with a unit can be a part of an object that ASDF has no form for. Then it is no quantity of its own.
        let described = logical_columns(&self.header).into_iter().filter(|column| column.attributes.is_some());
        let parts: HashSet<String> = described.flat_map(|column| column.members).map(|member| member.name).collect();
        for (place, name, object) in self.objects {
            if let Some(column) = columns.get(place).filter(|_| !parts.contains(&name)) {
                let info = self.infos.as_ref().map(|infos| optional(infos, &escape(&name))).transpose()?.flatten();
                serialized.push(Serialized { object: object(column), info, name });
            }
        }
        if !serialized.is_empty() && self.header.schema.is_none() {
            self.header.schema = Some(SCHEMA.to_owned());
        }
        let of_columns = self.header.columns.iter().zip(&columns);
        let masked =
            of_columns.filter(|(_, column)| column.cells().is_some()).map(|(header, _)| &*header.name).collect();
        self.header.meta = Serialized::add_to(self.header.meta.take(), &serialized, &masked)?;
        let row_count = columns.first().map_or(0, |column| column.row_count());
        let mut table = Table::new(Arc::new(self.header), columns, row_count)?.with_warnings(self.warnings);
        for (name, format) in self.shown {
            if table.object(&name)?.is_some_and(|(object, _)| object.text("format") == Some(format.name())) {
                continue;
            }
            let times = table.time(&name, &TimeOptions::default()).map(|times| times.with_format(format));
            match times {
                Ok(times) => table = table.with_times(&name, &times)?,
                Err(error) => table.warn(vec![Warning::new(error.to_string())]),
            }
        }
        Ok(table)
    }

    /// Reads a node with a table tag.
    fn table(&mut self, node: &Node, tagged: Tagged) -> Result<()> {
        let meta = optional(node, "meta")?;
        self.infos = meta.as_ref().map(notes::infos).transpose()?.flatten();
        let (meta, notes) = notes::read_meta(meta)?;
        self.header.schema = notes.get("schema").map(str::to_owned);
        self.header.meta = self.metadata(meta)?;
        let columns = required(node, "columns")?;
        let count = columns.count("")?;
        let names = match tagged {
            Tagged::AstropyTable => {
                let names = required(node, "colnames")?;
                if names.count("")? != count {
                    let message = format!("'colnames' has {} names for {count} columns", names.count("")?);
                    return Err(names.locate(Error::new(Status::TagContent, message)));
                }
                Some(names)
            }
            _ => None,
        };
        let is_quantity_table = optional(node, "qtable")?.is_some_and(|flag| flag.bool("").unwrap_or(false));
        self.header.is_quantity_table = (tagged == Tagged::AstropyTable).then_some(is_quantity_table);
        for index in 0..count {
            let name = names.as_ref().map(|names| unit::plain_text(&names.item("", index)?)).transpose()?;
            self.column(&columns.item("", index)?, name, is_quantity_table)?;
        }
        Ok(())
    }

    /// Reads a mapping whose values are arrays.
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

    /// Reads an array of records.
    fn records(&mut self, node: &Node) -> Result<()> {
        let array = node.array("")?;
        let Datatype::Record(fields) = array.datatype().clone() else {
            let message =
                format!("only an array of records can be read as a table, not an array of {}", array.datatype());
            return Err(node.locate(Error::new(Status::WrongType, message)));
        };
        for (index, field) in fields.iter().enumerate() {
            let name = field.name.clone().unwrap_or_else(|| format!("f{index}"));
            let column = array.field(&name)?;
            self.array(ColumnInfo { name, ..ColumnInfo::default() }, column, node)?;
        }
        Ok(())
    }

    /// Reads one column of any kind. `name` overrides the name in the column.
    fn column(&mut self, node: &Node, name: Option<String>, is_quantity_table: bool) -> Result<()> {
        let tagged = match node.foreign_tag("")? {
            Some(tag) => meaning(&tag),
            None if node.node_type("")? == NodeType::Sequence => Tagged::Array,
            None => Tagged::Other,
        };
        let info = |name: Option<String>| ColumnInfo { name: name.unwrap_or_default(), ..ColumnInfo::default() };
        match tagged {
            Tagged::Column => self.plain_column(node, name, is_quantity_table),
            Tagged::Array => self.array(info(name), node.array("")?, node),
            Tagged::Mixin => self.array(info(name), required(node, "array")?.array("")?, node),
            Tagged::Quantity => self.quantity(node, name.unwrap_or_default(), is_quantity_table),
            Tagged::Time if node.node_type("")? == NodeType::Mapping => self.time(node, name.unwrap_or_default()),
            Tagged::TimeDelta => self.time_delta(node, &name.unwrap_or_default()),
            Tagged::Object(_) | Tagged::Representation if node.node_type("")? == NodeType::Mapping => {
                let name = name.unwrap_or_default();
                let object = self.object_or_nothing(node, &name, |reader| {
                    let kind = if let Tagged::Object(kind) = tagged { kind } else { representation(node)? };
                    ObjectReader(reader).object_column(node, kind, &name)
                })?;
                if let Some(object) = object {
                    self.remember(name, |_| object);
                }
                Ok(())
            }
            Tagged::Other if variable::is_variable(node)? => self.variable_column(node, name.unwrap_or_default()),
            _ => self.unsupported(node, name),
        }
    }

    /// Reads an array with name, unit, description and metadata.
    fn plain_column(&mut self, node: &Node, name: Option<String>, is_quantity_table: bool) -> Result<()> {
        let meta = optional(node, "meta")?;
        let cells = meta.as_ref().map(notes::cells).transpose()?.flatten();
        let (meta, notes) = notes::read_meta(meta)?;
        let name = name.map_or_else(|| unit::plain_text(&required(node, "name")?), Ok)?;
        let unit = match optional(node, "unit")? {
            Some(unit) => match unit::spelled(&unit)? {
                Some(text) => Some(text),
                None => return self.unknown_unit(&unit, &name),
            },
            None => None,
        };
        let description = optional_text(node, "description")?;
        let array = required(node, "data")?.array("")?;
        // Astropy makes quantities of the columns of such a table that have a unit.
        let quantity = unit.clone().filter(|_| is_quantity_table && matches!(array.datatype(), Datatype::Scalar(_)));
        let info = ColumnInfo { name: name.clone(), unit, description, meta: self.metadata(meta)?, notes };
        if let Some(cells) = cells {
            self.add(info, array, node)?;
            return self.add_elements(&cells);
        }
        self.array(info, array, node)?;
        if let Some(unit) = quantity {
            let kind = ObjectKind::of_unit(&unit);
            self.remember(name.clone(), move |_| Object::measured(kind, unit, Attribute::Column(name)));
        }
        Ok(())
    }

    /// Reads a mapping of the elements of all cells and the lengths of the cells.
    fn variable_column(&mut self, node: &Node, name: String) -> Result<()> {
        let unit = match node.at(variable::VALUES)?.foreign_tag("")?.map(|tag| meaning(&tag)) {
            Some(Tagged::Quantity) => {
                let unit = required(&node.at(variable::VALUES)?, "unit")?;
                match unit::spelled(&unit)? {
                    Some(unit) => Some(unit),
                    None => return self.unknown_unit(&unit, &name),
                }
            }
            _ => None,
        };
        let lengths = required(node, variable::LENGTHS)?;
        self.add(ColumnInfo { name, unit, ..ColumnInfo::default() }, lengths.array("")?, &lengths)?;
        self.add_elements(node)
    }

    /// Adds the elements to the column of lengths that was added last.
    fn add_elements(&mut self, cells: &Node) -> Result<()> {
        if let Some(place) = self.pending.len().checked_sub(1) {
            self.variable.push((place, VariableCells::open(cells)?));
        }
        Ok(())
    }

    /// Reads an array with a unit.
    fn quantity(&mut self, node: &Node, name: String, is_quantity_table: bool) -> Result<()> {
        let unit = required(node, "unit")?;
        let Some(unit) = unit::spelled(&unit)? else {
            return self.unknown_unit(&unit, &name);
        };
        let info = ColumnInfo { unit: Some(unit.clone()), ..self.noted(node, &name)? };
        self.array(info, required(node, "value")?.array("")?, node)?;
        if is_quantity_table {
            let noted = optional_text(node, "class")?.and_then(|class| ObjectKind::of_class(&class));
            let kind = noted.filter(|kind| kind.is_measured()).unwrap_or_else(|| ObjectKind::of_unit(&unit));
            let mut object = Object::measured(kind, unit, Attribute::Column(name.clone()));
            if let Some(wrap) = optional(node, "wrap_angle")? {
                object.attributes.push(("wrap_angle".to_owned(), ObjectReader(self).attribute(&wrap, &name, 0)?));
            }
            self.remember(name, |_| object);
        }
        Ok(())
    }

    /// Reads points in time.
    fn time(&mut self, node: &Node, name: String) -> Result<()> {
        let Some(location) =
            self.object_or_nothing(node, &name, |reader| ObjectReader(reader).location(node, &name))?
        else {
            return Ok(());
        };
        self.array(self.noted(node, &name)?, required(node, "value")?.array("")?, node)?;
        let (stored, shown) = (optional_text(node, "format")?, optional_text(node, "base_format")?);
        let mut attributes = Vec::new();
        for key in ["scale", "in_subfmt", "out_subfmt", "precision"] {
            if let Some(value) = optional(node, key)? {
                attributes.push((key.to_owned(), scalar(&value)?));
            }
        }
        attributes.extend(location.map(|location| ("location".to_owned(), location)));
        attributes.push(("value".to_owned(), Attribute::Column(name.clone())));
        if let Some(format) = shown.as_deref().and_then(TimeFormat::from_name)
            && stored.as_deref() != Some(format.name())
        {
            self.shown.push((name.clone(), format));
        }
        self.remember(name, |column| {
            let format = time_format(stored, shown, column);
            attributes.insert(0, ("format".to_owned(), Attribute::Text(format)));
            Object { kind: ObjectKind::Time, attributes }
        });
        Ok(())
    }

    /// Reads spans of time, which become two columns.
    fn time_delta(&mut self, node: &Node, name: &str) -> Result<()> {
        let mut attributes = vec![("format".to_owned(), scalar(&required(node, "format")?)?)];
        if let Some(scale) = optional(node, "scale")? {
            attributes.push(("scale".to_owned(), scalar(&scale)?));
        }
        for part in ["jd1", "jd2"] {
            let part_name = format!("{name}.{part}");
            let info = ColumnInfo { name: part_name.clone(), ..ColumnInfo::default() };
            self.array(info, required(node, part)?.array("")?, node)?;
            attributes.push((part.to_owned(), Attribute::Column(part_name)));
        }
        self.remember(name.to_owned(), |_| Object { kind: ObjectKind::TimeDelta, attributes });
        Ok(())
    }

    /// Returns the properties of an object that its node holds under a separate key.
    fn noted(&self, node: &Node, name: &str) -> Result<ColumnInfo> {
        let info = ColumnInfo { name: name.to_owned(), ..ColumnInfo::default() };
        let Some(noted) = notes::noted(node)? else { return Ok(info) };
        Ok(ColumnInfo {
            description: optional_text(&noted, "description")?,
            meta: self.metadata(optional(&noted, "meta")?)?,
            notes: Notes::read(&noted)?,
            ..info
        })
    }

    /// Remembers the object of which the column that was added last is a part.
    fn remember(&mut self, name: String, object: impl FnOnce(&Column) -> Object + 'static) {
        if let Some(place) = self.pending.len().checked_sub(1) {
            self.objects.push((place, name, Box::new(object)));
        }
    }

    /// Handles a column that is not an array.
    fn unsupported(&mut self, node: &Node, name: Option<String>) -> Result<()> {
        let name = name.map_or_else(String::new, |name| format!(" '{name}'"));
        let kind = node.tag("")?.map_or_else(|| "is not an array".to_owned(), |tag| format!("has the tag '{tag}'"));
        let message = format!("the column{name} {kind} and cannot be read into a table");
        self.leave_out(node, node.locate(Error::new(Status::Unsupported, message)), "it")
    }

    /// Handles a column with an unknown unit. Its numbers alone could be taken for numbers in another unit.
    fn unknown_unit(&mut self, unit: &Node, name: &str) -> Result<()> {
        self.leave_out(unit, unit::unknown(unit), &format!("the column '{name}'"))
    }

    /// Leaves out a column because of an error at a node, if the options allow it; otherwise fails with that error.
    fn leave_out(&mut self, node: &Node, why: Error, column: &str) -> Result<()> {
        if !self.options.leave_out {
            return Err(why);
        }
        let message = format!("{}: {column} is left out", why.message());
        self.warnings.push(Warning::new(message).at_path(node.path()?));
        Ok(())
    }

    /// Adds the columns of an array: one, or one for each field of its records.
    fn array(&mut self, info: ColumnInfo, array: Array, node: &Node) -> Result<()> {
        let name = info.name.clone();
        let is_records = matches!(array.datatype(), Datatype::Record(_));
        let mut fields_of_object = Vec::new();
        let mut pending = vec![(info, array)];
        while let Some((info, array)) = pending.pop() {
            let Datatype::Record(fields) = array.datatype().clone() else {
                fields_of_object.push(info.name.clone());
                self.add(info, array, node)?;
                continue;
            };
            for (index, field) in fields.iter().enumerate().rev() {
                let name = field.name.clone().unwrap_or_else(|| format!("f{index}"));
                let part = array.field(&name)?;
                let info = ColumnInfo {
                    name: format!("{}.{name}", info.name),
                    unit: info.unit.clone(),
                    ..ColumnInfo::default()
                };
                pending.push((info, part));
            }
        }
        if is_records {
            let field = |column: String| (column[name.len() + 1..].to_owned(), column);
            let fields = Attribute::Fields(fields_of_object.into_iter().map(field).collect());
            let attributes = vec![("data".to_owned(), fields)];
            self.remember(name, |_| Object { kind: ObjectKind::Records, attributes });
        }
        Ok(())
    }

    /// Reads an object, which may add columns. If it cannot be read and the options allow leaving it out, returns `None`
    /// and takes back the columns.
    fn object_or_nothing<T>(
        &mut self,
        node: &Node,
        name: &str,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<Option<T>> {
        let (count, row_count) = (self.pending.len(), self.row_count);
        let error = match read(self) {
            Ok(object) => return Ok(Some(object)),
            Err(error) if error.status() == Status::Unsupported => error,
            Err(error) => return Err(error),
        };
        for (info, _) in self.pending.drain(count..) {
            self.names.remove(&info.name);
        }
        self.row_count = row_count;
        self.leave_out(node, error, &format!("the column '{name}'"))?;
        Ok(None)
    }

    /// Adds a column of the values in an array.
    fn add_values(&mut self, name: &str, unit: Option<String>, array: &Node) -> Result<()> {
        let info = ColumnInfo { name: name.to_owned(), unit, ..ColumnInfo::default() };
        let values = array.array("")?;
        if let Datatype::Record(_) = values.datatype() {
            let message = format!("the attribute '{name}' of a column is an array of records");
            return Err(array.locate(Error::new(Status::Unsupported, message)));
        }
        self.add(info, values, array)
    }

    fn add(&mut self, info: ColumnInfo, array: Array, node: &Node) -> Result<()> {
        let wrong = |message: String| node.locate(Error::new(Status::TagContent, message));
        let Some(&own_rows) = array.shape().first() else {
            let message = "a column needs at least one axis, but the array is a single element";
            return Err(array.locate(Error::new(Status::BadArray, message)));
        };
        let rows = *self.row_count.get_or_insert(own_rows);
        if own_rows != rows {
            return Err(wrong(format!(
                "the column '{}' has {own_rows} rows, but the first column has {rows}",
                info.name
            )));
        }
        if !self.names.insert(info.name.clone()) {
            return Err(wrong(format!("two columns have the name '{}'", info.name)));
        }
        self.pending.push((info, array));
        Ok(())
    }

    /// Converts metadata as the options require.
    fn metadata(&self, meta: Option<Node>) -> Result<Option<Node>> {
        match (meta, self.options.metadata) {
            (Some(meta), Metadata::Plain) => plain::copy(&meta).map(Some),
            (meta, _) => Ok(meta),
        }
    }
}

impl ReadArrays for TableReader<'_> {
    fn read_array(&mut self, name: &str, unit: Option<String>, array: &Node) -> Result<Attribute> {
        self.add_values(name, unit, array)?;
        Ok(Attribute::Column(name.to_owned()))
    }

    fn makes_columns(&self) -> bool {
        true
    }
}

/// Gives a column of texts the element type that its notes declare.
fn with_noted_type(column: Column, notes: &Notes) -> Result<Column> {
    let noted = notes.get("datatype").and_then(ElementType::from_name).filter(|noted| noted.is_text());
    match noted {
        Some(element_type) if column.element_type() == ElementType::String => {
            let parts = column.into_parts();
            Column::new(ColumnParts { element_type, ..parts })
        }
        _ => Ok(column),
    }
}

/// Returns the time format of the values of a column: `stored`, or else the format of their text. `shown` is used if it
/// is another name of the same format.
fn time_format(stored: Option<String>, shown: Option<String>, column: &Column) -> String {
    if let Some(stored) = stored {
        return stored;
    }
    let text = column.values().text();
    let first = (0..column.row_count()).find(|&row| column.has_cell(row)).unwrap_or(0);
    let detected = format_of_text(text.map_or("", |text| text.get(first)));
    match shown {
        Some(shown) if shown == "fits" && detected == "isot" => shown,
        _ => detected.to_owned(),
    }
}
