//! Writes tables in memory as tables of ASDF files.

use super::made::Elements;
use super::notes::{self, Notes};
use super::write_column::{Storable, set_generated};
use crate::array::{Datatype, Field};
use crate::error::{Error, Result, Status};
use crate::file::{ArrayOptions, Node};
use crate::standard::tags::Tags;
use crate::table::Table;
use crate::tags;
use crate::tree::path::escape;
use std::sync::Arc;

/// The form of a table in an ASDF file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TableForm {
    /// A `core/table`, or since version 1.6.0 of the standard a `table/table`: one array per column.
    #[default]
    Standard,
    /// The form that astropy writes, `tag:astropy.org:astropy/table/table`, with the same columns.
    Astropy,
    /// An array of records, one field per column. It stores only names and values; no element may be missing.
    Records,
    /// A mapping with one entry per column, under its name: an array, or a quantity for a column with a unit.
    Arrays,
}

impl TableForm {
    /// All forms.
    pub const ALL: [TableForm; 4] = [TableForm::Standard, TableForm::Astropy, TableForm::Records, TableForm::Arrays];
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
    /// Fails with
    ///
    /// - [`Status::Unsupported`] for cells of different length and for properties that the form cannot store,
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
        self.setting(path, || self.store_table(path, table, options))
    }

    fn store_table(&self, path: &str, table: &Table, options: &TableWriteOptions) -> Result<()> {
        let headers = table.header().columns.iter();
        let columns = headers.zip(table.columns()).map(|(header, column)| Storable::new(header, column));
        let columns = columns.collect::<Result<Vec<_>>>()?;
        if columns.is_empty() && table.row_count() > 0 {
            let message = "a table without columns cannot have rows in an ASDF file";
            return Err(Error::new(Status::InvalidArgument, message));
        }
        if !options.leave_out {
            check_properties(table, &columns, options.form)?;
        }
        if options.form == TableForm::Records
            && let Some(column) = columns.iter().find(|column| column.is_masked())
        {
            let error = Error::new(
                Status::Unsupported,
                "the column has missing elements, which an array of records cannot store",
            );
            return Err(error.in_table_column(&column.header.name));
        }
        if options.form == TableForm::Records && table.position("").is_ok() {
            let message = "a column without a name cannot be a field of records, because readers name such a field";
            return Err(Error::new(Status::Unsupported, message));
        }
        if matches!(options.form, TableForm::Standard | TableForm::Astropy) {
            // Find metadata that the file's version of the standard cannot store before anything is stored.
            let of_columns = table.header().columns.iter().filter_map(|column| column.meta.as_ref());
            table.header().meta.iter().chain(of_columns).try_for_each(|meta| self.check_copy(meta))?;
        }
        let tags = Tags::of(self.file().standard().effective)?;
        let place = self.make(path)?;
        match options.form {
            TableForm::Standard => place.set_columns(table, &columns, (&tags, &tags.table), options),
            TableForm::Astropy => {
                place.set_columns(table, &columns, (&tags, &tags.astropy_table), options)?;
                place.set_sequence("colnames", true)?;
                for column in &columns {
                    place.set_string("colnames/-", &column.header.name)?;
                }
                place.set_bool("qtable", false)
            }
            TableForm::Records => place.set_records(table, &columns, options),
            TableForm::Arrays => place.set_arrays(&columns, tags.quantity, options),
        }
    }

    /// Stores a table of columns with the given table tag in this node.
    fn set_columns(
        &self,
        table: &Table,
        columns: &[Storable],
        (tags, tag): (&Tags, &str),
        options: &TableWriteOptions,
    ) -> Result<()> {
        self.set_mapping("", false)?;
        self.set_tag("", Some(tag))?;
        self.set_sequence("columns", false)?;
        for column in columns {
            let place = self.make("columns/-")?;
            place.set_mapping("", false)?;
            place.set_tag("", Some(&tags.column))?;
            place.set_string("name", &column.header.name)?;
            column.set(&place, "data", &options.arrays)?;
            // Units are written without a tag, in the spelling of ECSV: the standard's unit tag means VOUnit spelling.
            for (key, text) in [("unit", &column.header.unit), ("description", &column.header.description)] {
                if let Some(text) = text {
                    place.set_string(key, text)?;
                }
            }
            notes::write_meta(&place, column.header.meta.as_ref(), &Notes::of_column(column.header))?;
        }
        notes::write_meta(self, table.header().meta.as_ref(), &Notes::of_table(table.header()))
    }

    /// Stores an array of records in this node.
    fn set_records(&self, table: &Table, columns: &[Storable], options: &TableWriteOptions) -> Result<()> {
        let fields = columns.iter().map(|column| Field {
            name: Some(column.header.name.clone()),
            datatype: column.datatype.clone(),
            byteorder: None,
            shape: column.cell.clone(),
        });
        let datatype = Datatype::record(fields.collect())?;
        let parts = columns.iter().map(|column| {
            let count = column.column.cell_shape().element_count().unwrap_or(0);
            (column.column.clone(), column.datatype.clone(), count)
        });
        let records = Arc::new(Elements::records(parts.collect(), table.row_count())?);
        set_generated(self, "", (&datatype, &[table.row_count() as i64]), records, &options.arrays)
    }

    /// Stores a mapping of arrays and quantities in this node.
    fn set_arrays(&self, columns: &[Storable], quantity: Result<String>, options: &TableWriteOptions) -> Result<()> {
        let has_units = columns.iter().any(|column| column.header.unit.is_some());
        let quantity = if has_units { quantity? } else { String::new() };
        self.set_mapping("", false)?;
        for column in columns {
            // A column may be named "-"; a leading "/" keeps an empty name a token.
            let path = format!("/{}", escape(&column.header.name));
            let Some(unit) = &column.header.unit else {
                column.set(self, &path, &options.arrays)?;
                continue;
            };
            self.set_mapping(&path, false)?;
            self.set_tag(&path, Some(&quantity))?;
            column.set(self, &format!("{path}/value"), &options.arrays)?;
            self.set_string(&format!("{path}/unit"), unit)?;
            self.set_tag(&format!("{path}/unit"), Some(tags::FULL_ASTROPY_UNIT))?;
        }
        Ok(())
    }
}

/// Fails with [`Status::Unsupported`] if a form cannot store a property of the table.
fn check_properties(table: &Table, columns: &[Storable], form: TableForm) -> Result<()> {
    let (has_units, name) = match form {
        TableForm::Standard | TableForm::Astropy => return Ok(()),
        TableForm::Records => (false, "an array of records"),
        TableForm::Arrays => (true, "a mapping of arrays"),
    };
    let refused = |what: &str| Error::new(Status::Unsupported, format!("{name} cannot store {what}"));
    if table.header().meta.is_some() {
        return Err(refused("the metadata of a table"));
    }
    for column in columns {
        let header = column.header;
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
