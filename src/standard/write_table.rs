//! Tables in memory as tables of ASDF files.

use super::made::Elements;
use super::notes::{self, Notes};
use super::tags::{ASTROPY_UNIT, Tags};
use super::write_column::{Storable, set_made};
use crate::array::{Datatype, Field};
use crate::error::{Error, Result, Status};
use crate::file::{ArrayOptions, Node};
use crate::table::Table;
use crate::tree::path::escape;
use std::sync::Arc;

/// What a table becomes in an ASDF file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum TableForm {
    /// A `core/table`, or since version 1.6.0 of the standard a `table/table`: an array for each column.
    #[default]
    Standard = 0,
    /// What astropy writes of its own tables, `tag:astropy.org:astropy/table/table`: the same columns.
    Astropy = 1,
    /// An array of records, a field for each column. It holds nothing but names and values, none of them missing.
    Records = 2,
    /// A mapping of arrays, or of quantities where there is a unit, each under the name of its column.
    Arrays = 3,
}

impl TableForm {
    /// All of them, in the order of their numbers in the C interface.
    pub const ALL: [TableForm; 4] = [TableForm::Standard, TableForm::Astropy, TableForm::Records, TableForm::Arrays];
}

/// How to store a table in an ASDF file.
#[derive(Clone, Debug, Default)]
pub struct TableWriteOptions {
    /// What it becomes.
    pub form: TableForm,
    /// How each of its arrays is stored.
    pub arrays: ArrayOptions,
    /// Whether units, descriptions and metadata may be left out where the form has no place for them, rather than be an
    /// error.
    pub leave_out: bool,
}

impl Node {
    /// Stores a table at `path`. Its numbers are not copied: the table is kept until the file is written, and texts and
    /// masks are made then.
    ///
    /// Numbers keep their type. Texts become strings of as many UTF-32 units as the longest has, so numbers of 128 bits
    /// and JSON, which are kept as text, become strings too. What the tables of ASDF have no key for (that these were no
    /// strings, the format that values are shown in) is noted in `meta/__ecsv__`, from where [`Node::table`] takes it.
    /// Metadata are copied with their arrays. What is missing is told by masks.
    ///
    /// Fails with [`Status::Unsupported`] for cells of different length, and for what the form has no place for; with
    /// [`Status::ValueRange`] for a text that ends with NUL; and as storing arrays does. What fails before anything is
    /// stored leaves the tree as it was.
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
        if !options.leave_out {
            check_place(table, &columns, options.form)?;
        }
        if options.form == TableForm::Records
            && let Some(column) = columns.iter().find(|column| column.is_masked())
        {
            let error = Error::new(Status::Unsupported, "elements are missing, which an array of records cannot tell");
            return Err(error.in_table_column(&column.header.name));
        }
        if matches!(options.form, TableForm::Standard | TableForm::Astropy) {
            // Metadata that the standard of the file cannot hold are found before anything is stored.
            let of_columns = table.header().columns.iter().filter_map(|column| column.meta.as_ref());
            table.header().meta.iter().chain(of_columns).try_for_each(|meta| self.check_copy(meta))?;
        }
        let tags = Tags::of(self.file().standard().effective)?;
        match options.form {
            TableForm::Standard => self.set_columns(path, table, &columns, (&tags, &tags.table), options),
            TableForm::Astropy => {
                self.set_columns(path, table, &columns, (&tags, &tags.astropy_table), options)?;
                self.set_sequence(&format!("{path}/colnames"), true)?;
                for column in &columns {
                    self.set_string(&format!("{path}/colnames/-"), &column.header.name)?;
                }
                self.set_bool(&format!("{path}/qtable"), false)
            }
            TableForm::Records => self.set_records(path, table, &columns, options),
            TableForm::Arrays => self.set_arrays(path, &columns, tags.quantity, options),
        }
    }

    /// A table of columns with the tag of that table.
    fn set_columns(
        &self,
        path: &str,
        table: &Table,
        columns: &[Storable],
        (tags, tag): (&Tags, &str),
        options: &TableWriteOptions,
    ) -> Result<()> {
        self.set_mapping(path, false)?;
        self.set_tag(path, Some(tag))?;
        self.set_sequence(&format!("{path}/columns"), false)?;
        for (index, column) in columns.iter().enumerate() {
            self.set_mapping(&format!("{path}/columns/-"), false)?;
            let path = format!("{path}/columns/{index}");
            self.set_tag(&path, Some(&tags.column))?;
            self.set_string(&format!("{path}/name"), &column.header.name)?;
            column.set(self, &format!("{path}/data"), &options.arrays)?;
            // Without a tag a unit is spelled as in ECSV: the standard's is in the spelling of VOUnit.
            for (key, text) in [("unit", &column.header.unit), ("description", &column.header.description)] {
                if let Some(text) = text {
                    self.set_string(&format!("{path}/{key}"), text)?;
                }
            }
            notes::write_meta(self, &path, column.header.meta.as_ref(), &Notes::of_column(column.header))?;
        }
        notes::write_meta(self, path, table.header().meta.as_ref(), &Notes::of_table(table.header()))
    }

    /// An array of records.
    fn set_records(&self, path: &str, table: &Table, columns: &[Storable], options: &TableWriteOptions) -> Result<()> {
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
        set_made(self, path, (&datatype, &[table.row_count() as i64]), records, &options.arrays)
    }

    /// A mapping of arrays and quantities.
    fn set_arrays(
        &self,
        path: &str,
        columns: &[Storable],
        quantity: Result<String>,
        options: &TableWriteOptions,
    ) -> Result<()> {
        let has_units = columns.iter().any(|column| column.header.unit.is_some());
        let quantity = if has_units { quantity? } else { String::new() };
        self.set_mapping(path, false)?;
        for column in columns {
            let path = format!("{path}/{}", escape(&column.header.name));
            let Some(unit) = &column.header.unit else {
                column.set(self, &path, &options.arrays)?;
                continue;
            };
            self.set_mapping(&path, false)?;
            self.set_tag(&path, Some(&quantity))?;
            column.set(self, &format!("{path}/value"), &options.arrays)?;
            self.set_string(&format!("{path}/unit"), unit)?;
            self.set_tag(&format!("{path}/unit"), Some(ASTROPY_UNIT))?;
        }
        Ok(())
    }
}

/// Fails with [`Status::Unsupported`] if a form has no place for something that is said of the table.
fn check_place(table: &Table, columns: &[Storable], form: TableForm) -> Result<()> {
    let (has_units, name) = match form {
        TableForm::Standard | TableForm::Astropy => return Ok(()),
        TableForm::Records => (false, "an array of records"),
        TableForm::Arrays => (true, "a mapping of arrays"),
    };
    let refused = |what: &str| Error::new(Status::Unsupported, format!("{name} has no place for {what}"));
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
