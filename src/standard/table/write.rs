//! Writes tables in memory as tables of ASDF files.

use super::made::Elements;
use super::notes::{self, Notes};
use super::object::{Attribute, Object};
use super::plan::{Columns, Converted, Plan, Planned};
use super::spooled::SpooledColumn;
use super::stored_unit::{set_column_unit, set_unit};
use super::write_column::{Storable, set_generated};
use super::write_object::ObjectWriter;
use crate::array::{Datatype, Field};
use crate::error::{Error, Result, Status};
use crate::file::{ArrayOptions, Node};
use crate::standard::object_kind::ObjectKind;
use crate::standard::tags::Tags;
use crate::table::Table;
use crate::tree::path::escape;
use std::sync::Arc;

/// The form of a table in an ASDF file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TableForm {
    /// The form of astropy if the table has objects of astropy, and otherwise that of the standard.
    #[default]
    Automatic,
    /// A `core/table`, or since version 1.6.0 of the standard a `table/table`: one array per column.
    Standard,
    /// The form that astropy writes, `tag:astropy.org:astropy/table/table`. Quantities, times and coordinates that the
    /// metadata describe under `__serialized_columns__` become the same objects again.
    Astropy,
    /// An array of records, one field per column. It stores only names and values; no element may be missing.
    Records,
    /// A mapping with one entry per column, under its name: an array, or a quantity for a column with a unit. Cells of
    /// different lengths are a mapping of two arrays, `values` and `lengths`.
    Arrays,
}

impl TableForm {
    /// All forms.
    pub const ALL: [TableForm; 5] =
        [TableForm::Automatic, TableForm::Standard, TableForm::Astropy, TableForm::Records, TableForm::Arrays];
}

/// Options for storing a table in an ASDF file.
#[derive(Clone, Debug, Default)]
pub struct TableWriteOptions {
    /// Form of the table in the file.
    pub form: TableForm,
    /// Storage of each array.
    pub arrays: ArrayOptions,
    /// If true, units, descriptions and metadata that the form cannot store are left out. Otherwise they are an error.
    pub leave_out: bool,
}

impl Node {
    /// Stores a table at `path`. Numbers are not copied: the file keeps the table until it is written. Texts and
    /// masks are generated then.
    ///
    /// Numbers keep their type. Texts become strings of fixed length in UTF-32 units, the length of the longest.
    /// Numbers of 128 bits and JSON, which are kept as text, also become strings. Properties for which ASDF tables have
    /// no key (the original type of such strings, the display format) are stored in `meta/__ecsv__`, and
    /// [`Node::table`] restores them from there. Metadata are copied with their arrays. Masks mark missing elements.
    ///
    /// Cells of different lengths are two arrays: the elements of all cells, and the number of elements in each, -1 for a
    /// missing cell. The numbers are the `data` of the column, and a mapping of `values` and `lengths` is in
    /// `meta/__ecsv__/cells`. It also has the `shape` of a cell before its last axis, if a cell has several.
    ///
    /// Fails with
    ///
    /// - [`Status::Unsupported`] for cells of different lengths in records and for properties that the form cannot store,
    /// - [`Status::ValueRange`] for a text that ends with NUL,
    /// - [`Status::InvalidArgument`] for rows without a column,
    /// - the errors of storing arrays.
    ///
    /// A failure before anything is stored leaves the tree unchanged.
    ///
    /// ```
    /// use asdfkit::file::{File, NewOptions};
    /// use asdfkit::table::{CellShape, Column, ColumnHeader, ElementType, Header, Table, Values};
    /// use asdfkit::{TableReadOptions, TableWriteOptions};
    /// use std::sync::Arc;
    ///
    /// let values = Values::Int32(vec![7, 8]);
    /// let column = Arc::new(Column::scalars(ElementType::of_values(&values), values, None)?);
    /// let mut header = ColumnHeader::new("flux", column.element_type(), CellShape::Scalar);
    /// header.unit = Some("Jy".into());
    /// let header = Header { columns: vec![header], ..Header::default() };
    /// let table = Table::new(Arc::new(header), vec![column], 2)?;
    ///
    /// let root = File::new(&NewOptions::default()).root()?;
    /// root.set_table("catalogue", &table, &TableWriteOptions::default())?;
    /// let table = root.table("catalogue", &TableReadOptions::default())?;
    /// assert_eq!(table.header().columns[0].unit.as_deref(), Some("Jy"));
    /// # Ok::<(), asdfkit::Error>(())
    /// ```
    pub fn set_table(&self, path: &str, table: &Table, options: &TableWriteOptions) -> Result<()> {
        self.setting(path, || self.store_table(path, &Columns::Memory(table), options))
    }

    /// Stores a table at `path` whose elements are in a temporary file. `empty` is the table without rows.
    pub(super) fn set_spooled_table(
        &self,
        path: &str,
        empty: &Table,
        columns: &[SpooledColumn],
        options: &TableWriteOptions,
    ) -> Result<()> {
        self.setting(path, || self.store_table(path, &Columns::Spooled(empty, columns), options))
    }

    fn store_table(&self, path: &str, columns: &Columns, options: &TableWriteOptions) -> Result<()> {
        let table = columns.table();
        let plan = match options.form {
            TableForm::Automatic | TableForm::Astropy => Plan::with_objects(columns)?,
            _ => Plan::plain(columns)?,
        };
        let form = match options.form {
            TableForm::Automatic if plan.has_objects() => TableForm::Astropy,
            TableForm::Automatic => TableForm::Standard,
            form => form,
        };
        check_has_columns(table)?;
        let tags = Tags::of(self.file().standard().effective)?;
        if matches!(form, TableForm::Standard | TableForm::Astropy) {
            // Find metadata that the file's version of the standard cannot store before anything is stored.
            let of_columns = table.header().columns.iter().filter_map(|column| column.meta.as_ref());
            table.header().meta.iter().chain(of_columns).try_for_each(|meta| self.check_copy(meta))?;
            if plan.has_objects() {
                tags.quantity.clone()?;
            }
            let place = self.make(path)?;
            let tag = if form == TableForm::Astropy { &tags.astropy_table } else { &tags.table };
            place.set_columns(table, &plan, (&tags, tag), options)?;
            if form == TableForm::Astropy {
                place.set_sequence("colnames", true)?;
                for column in &plan.columns {
                    place.set_string("colnames/-", column.name())?;
                }
                place.set_bool("qtable", plan.is_quantity_table(table.header().is_quantity_table))?;
            }
            return Ok(());
        }
        let columns: Vec<Storable> = plan.into_plain().collect();
        if !options.leave_out {
            check_properties(table, &columns, form)?;
        }
        if form == TableForm::Records {
            check_records(table, &columns)?;
            return self.make(path)?.set_records(table, &columns, options);
        }
        self.make(path)?.set_arrays(&columns, &tags, options)
    }

    /// Stores a table of columns with the given table tag in this node.
    fn set_columns(
        &self,
        table: &Table,
        plan: &Plan,
        (tags, tag): (&Tags, &str),
        options: &TableWriteOptions,
    ) -> Result<()> {
        self.set_mapping("", false)?;
        self.set_tag("", Some(tag))?;
        self.set_sequence("columns", false)?;
        for column in &plan.columns {
            let place = self.make("columns/-")?;
            match column {
                Planned::Plain(column) => place.set_column(column, tags, options)?,
                Planned::Records { name, fields } => place.set_record_column(table, (name, fields), tags, options)?,
                Planned::Object { name, object, parts, converted, .. } => {
                    let writer = ObjectWriter { tags, arrays: &options.arrays, parts };
                    let plain = quantity_of_column(object, parts);
                    let set = || match (plain, converted) {
                        (Some(column), _) => place.set_column(column, tags, options),
                        (None, Some(converted)) => writer.converted(&place, object, converted),
                        (None, None) => writer.column(&place, object),
                    };
                    set().map_err(|error| error.in_table_column(name))?;
                }
            }
        }
        let meta = plan.remaining_metadata(table.header().meta.as_ref())?;
        let notes =
            if plan.has_objects() { Notes::of_astropy_table(table.header()) } else { Notes::of_table(table.header()) };
        let writer = ObjectWriter { tags, arrays: &options.arrays, parts: &[] };
        notes::write_meta(self, meta.as_ref(), &notes, &writer)?;
        for column in &plan.columns {
            match column {
                Planned::Object { name, info: Some(info), .. } => notes::write_info(self, name, info)?,
                Planned::Object { name, converted: Some(Converted::Spans(_)), parts, .. } => {
                    let part = parts.iter().find(|part| part.header.name == *name);
                    part.map_or(Ok(()), |part| notes::write_info_of_column(self, &part.header))?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Stores a column with its name, unit, description and metadata in this node.
    fn set_column(&self, column: &Storable, tags: &Tags, options: &TableWriteOptions) -> Result<()> {
        let header = &column.header;
        self.set_mapping("", false)?;
        self.set_tag("", Some(&tags.column))?;
        self.set_string("name", &header.name)?;
        column.set(self, "data", &options.arrays)?;
        if let Some(unit) = &header.unit {
            set_column_unit(self, unit, tags)?;
        }
        if let Some(text) = &header.description {
            self.set_string("description", text)?;
        }
        let writer = ObjectWriter { tags, arrays: &options.arrays, parts: &[] };
        notes::write_meta(self, header.meta.as_ref(), &Notes::of_column(header), &writer)?;
        match &column.cells {
            Some(cells) => cells.set_noted(self, &options.arrays),
            None => Ok(()),
        }
    }

    /// Stores records as one column in this node.
    fn set_record_column(
        &self,
        table: &Table,
        (name, fields): (&str, &[(String, Storable)]),
        tags: &Tags,
        options: &TableWriteOptions,
    ) -> Result<()> {
        self.set_mapping("", false)?;
        self.set_tag("", Some(&tags.column))?;
        self.set_string("name", name)?;
        let named: Vec<(&str, &Storable)> = fields.iter().map(|(name, column)| (&**name, column)).collect();
        set_records(self, "data", &named, table.row_count(), options)
    }

    /// Stores an array of records in this node.
    fn set_records(&self, table: &Table, columns: &[Storable], options: &TableWriteOptions) -> Result<()> {
        let named: Vec<(&str, &Storable)> = columns.iter().map(|column| (&*column.header.name, column)).collect();
        set_records(self, "", &named, table.row_count(), options)
    }

    /// Stores a mapping of arrays and quantities in this node.
    fn set_arrays(&self, columns: &[Storable], tags: &Tags, options: &TableWriteOptions) -> Result<()> {
        let has_units = columns.iter().any(|column| column.header.unit.is_some());
        let quantity = if has_units { tags.quantity.clone()? } else { String::new() };
        self.set_mapping("", false)?;
        for column in columns {
            // A column may be named "-"; a leading "/" keeps an empty name a token.
            let path = format!("/{}", escape(&column.header.name));
            if let Some(cells) = &column.cells {
                let unit = column.header.unit.as_deref().map(|unit| (unit, &*quantity));
                cells
                    .set(self, &path, unit, tags, &options.arrays)
                    .map_err(|error| error.in_table_column(&column.header.name))?;
                continue;
            }
            let Some(unit) = &column.header.unit else {
                column.set(self, &path, &options.arrays)?;
                continue;
            };
            self.set_mapping(&path, false)?;
            self.set_tag(&path, Some(&quantity))?;
            column.set(self, &format!("{path}/value"), &options.arrays)?;
            set_unit(&self.at(&path)?, "unit", unit, tags)?;
        }
        Ok(())
    }
}

/// Stores an array of records at `path`, with a field for each column.
fn set_records(
    node: &Node,
    path: &str,
    columns: &[(&str, &Storable)],
    rows: usize,
    options: &TableWriteOptions,
) -> Result<()> {
    let fields = columns.iter().map(|(name, column)| Field {
        name: Some((*name).to_owned()),
        datatype: column.datatype.clone(),
        byteorder: None,
        shape: column.cell.clone(),
    });
    let datatype = Datatype::record(fields.collect())?;
    let part_of = |column: &Storable| {
        let in_memory = column.column();
        let in_memory = in_memory.ok_or_else(|| Error::new(Status::Internal, "records are made in memory"))?;
        let count = in_memory.cell_shape().element_count().unwrap_or(0);
        Ok((in_memory.clone(), column.datatype.clone(), count))
    };
    let parts = columns.iter().map(|(_, column)| part_of(column)).collect::<Result<_>>()?;
    let records = Arc::new(Elements::records(parts, rows)?);
    set_generated(node, path, (&datatype, &[rows as i64]), records, &options.arrays)
}

/// Returns the column of a quantity that is stored as a column with a unit, of which astropy makes the same quantity.
/// Such a node has a description and metadata, and its unit can be that of a magnitude.
fn quantity_of_column<'a>(object: &Object, parts: &'a [Storable]) -> Option<&'a Storable> {
    use ObjectKind::{Decibel, Dex, Magnitude, Quantity};
    let Some(Attribute::Column(name)) = object.get("value") else { return None };
    let part = parts.iter().find(|part| part.header.name == *name && part.header.unit.is_some())?;
    let header = &part.header;
    let has_notes =
        header.description.is_some() || header.meta.is_some() || Notes::of_column(header) != Notes::default();
    match object.kind {
        Magnitude | Decibel | Dex => Some(part),
        Quantity if has_notes => Some(part),
        _ => None,
    }
}

/// Fails for rows without columns.
pub(super) fn check_has_columns(table: &Table) -> Result<()> {
    if table.columns().is_empty() && table.row_count() > 0 {
        let message = "a table without columns cannot have rows in an ASDF file";
        return Err(Error::new(Status::InvalidArgument, message));
    }
    Ok(())
}

/// Fails if the columns cannot be fields of records.
fn check_records(table: &Table, columns: &[Storable]) -> Result<()> {
    if let Some(column) = columns.iter().find(|column| column.lacks_elements()) {
        let message = "the column has missing elements, which an array of records cannot store";
        return Err(Error::new(Status::Unsupported, message).in_table_column(&column.header.name));
    }
    if let Some(column) = columns.iter().find(|column| column.cells.is_some()) {
        let message = "the cells have different lengths, which an array of records cannot store";
        return Err(Error::new(Status::Unsupported, message).in_table_column(&column.header.name));
    }
    if table.position("").is_ok() {
        let message = "a column without a name cannot be a field of records, because readers name such a field";
        return Err(Error::new(Status::Unsupported, message));
    }
    Ok(())
}

/// Fails with [`Status::Unsupported`] if a form cannot store a property of the table.
fn check_properties(table: &Table, columns: &[Storable], form: TableForm) -> Result<()> {
    let (has_units, name) = match form {
        TableForm::Automatic | TableForm::Standard | TableForm::Astropy => return Ok(()),
        TableForm::Records => (false, "an array of records"),
        TableForm::Arrays => (true, "a mapping of arrays"),
    };
    let refused = |what: &str| Error::new(Status::Unsupported, format!("{name} cannot store {what}"));
    if table.header().meta.is_some() {
        return Err(refused("the metadata of a table"));
    }
    for column in columns {
        let header = &column.header;
        let has_notes = Notes::of_column(header) != Notes::default();
        let what = [
            (header.unit.is_some() && !has_units, "a unit"),
            (header.description.is_some(), "a description"),
            (header.meta.is_some(), "metadata"),
            (has_notes, "a format, or a datatype that ASDF does not have"),
        ];
        if let Some((_, what)) = what.into_iter().find(|(is_there, _)| *is_there) {
            return Err(refused(what).in_table_column(&header.name));
        }
    }
    Ok(())
}
