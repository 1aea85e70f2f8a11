//! Columns of times in tables in memory, as astropy stores them in ECSV: values in a format, or the two halves of a
//! Julian date, described in the metadata under `__serialized_columns__`.

use super::entry;
use super::object::Object;
use super::serialized::{SCHEMA, Serialized, with_entry};
use super::time_layout::Layout;
use super::time_values;
use crate::error::{Error, Result, Status};
use crate::file::Node;
use crate::standard::kind::NodeKind;
use crate::standard::object_kind::ObjectKind;
use crate::standard::time::{Time, TimeDelta, TimeOptions};
use crate::table::serialized::INFO;
use crate::table::{Column, ColumnHeader, Header, LogicalColumn, Table, logical_columns};
use std::collections::HashSet;
use std::sync::Arc;

impl Table {
    /// Returns whether a column is one of times or of spans of time: [`NodeKind::Time`], [`NodeKind::TimeDelta`], or
    /// `None` for any other.
    ///
    /// Fails with [`Status::NotFound`] if there is no such column.
    pub fn time_kind(&self, name: &str) -> Result<Option<NodeKind>> {
        let found = logical_columns(self.header()).into_iter().find(|column| column.name == name);
        let Some(found) = found else { return self.position(name).map(|_| None) };
        Ok(match found.class.as_deref().and_then(ObjectKind::of_class) {
            Some(ObjectKind::Time) => Some(NodeKind::Time),
            Some(ObjectKind::TimeDelta) => Some(NodeKind::TimeDelta),
            _ => None,
        })
    }

    /// Reads a column of points in time: one of class `Time` of astropy in any of its forms, or a plain column of texts.
    /// The first axis of the times is the rows. Missing cells and elements are missing points in time. The options tell
    /// scale and format where the column tells none, and the table of leap seconds.
    ///
    /// Fails with
    ///
    /// - [`Status::NotFound`] if there is no such column,
    /// - [`Status::WrongType`] for a column of another kind,
    /// - [`Status::TagContent`] for texts that are not times,
    /// - [`Status::Unsupported`] for an unknown format, scale or attribute, and for cells of different length.
    pub fn time(&self, name: &str, options: &TimeOptions) -> Result<Time> {
        let read = || match self.object(name)? {
            Some((object, parts)) if object.kind == ObjectKind::Time => time_values::times(&object, &parts, options),
            Some((object, _)) => Err(of_another_class(&object, "times")),
            None => time_values::plain_times(self.column(name)?, options),
        };
        read().map_err(|error| in_column(error, name))
    }

    /// Reads a column of spans of time: one of class `TimeDelta` of astropy in any of its forms. The first axis of the
    /// spans is the rows.
    ///
    /// Fails as [`Table::time`] does.
    pub fn time_delta(&self, name: &str) -> Result<TimeDelta> {
        let read = || match self.object(name)? {
            Some((object, parts)) if object.kind == ObjectKind::TimeDelta => time_values::spans(&object, &parts),
            Some((object, _)) => Err(of_another_class(&object, "spans of time")),
            None => {
                self.column(name)?;
                Err(Error::new(Status::WrongType, "the column is not one of spans of time"))
            }
        };
        read().map_err(|error| in_column(error, name))
    }

    /// Appends a column of points in time, which astropy reads as a `Time` with the same format, scale, mask and place.
    /// The first extent of the times is the number of rows.
    ///
    /// The column is stored in its format if both doubles of each time can be read from it again, and otherwise as the
    /// two columns `name.jd1` and `name.jd2`.
    ///
    /// Fails with [`Status::InvalidArgument`] for another number of rows, if the table already has a column of one of
    /// these names, and if its metadata are no mapping.
    pub fn add_time(&mut self, name: &str, time: &Time) -> Result<()> {
        self.check_new(name, time.shape())?;
        self.add_object(name, Layout::of_times(name, time)?)
    }

    /// Appends a column of spans of time, which astropy reads as a `TimeDelta`.
    ///
    /// Fails as [`Table::add_time`] does.
    pub fn add_time_delta(&mut self, name: &str, spans: &TimeDelta) -> Result<()> {
        self.check_new(name, spans.shape())?;
        self.add_object(name, Layout::of_spans(name, spans)?)
    }

    /// Replaces the cells of a column of points in time from a row on. The new times are converted to the scale of the
    /// column, which keeps its format and place. Missing times make missing cells.
    ///
    /// The first axis of the times is the rows; times of the shape of a cell are a single row. Fails with
    /// [`Status::WrongType`] for a column that is not one of class `Time` of astropy, with [`Status::OutOfRange`] for rows
    /// beyond the last one, with [`Status::InvalidArgument`] for cells of another shape, with [`Status::ValueRange`] if a
    /// column of dates gets a time of day, and like [`Table::time`] and [`Time::to_scale`].
    pub fn set_time(&mut self, name: &str, row: usize, times: &Time) -> Result<()> {
        if self.time_kind(name)? != Some(NodeKind::Time) {
            let message = format!("the column '{name}' is not one of times");
            return Err(Error::new(Status::WrongType, message));
        }
        let own = self.time(name, &TimeOptions::default())?;
        let cell = own.shape().get(1..).unwrap_or_default();
        let rows = match times.shape().split_first() {
            _ if times.shape() == cell => 1,
            Some((rows, rest)) if rest == cell => usize::try_from(*rows).unwrap_or(usize::MAX),
            _ => {
                let message = format!("the cells have the shape {cell:?}, and the times {:?}", times.shape());
                return Err(Error::new(Status::InvalidArgument, message).in_table_column(name));
            }
        };
        if row.checked_add(rows).is_none_or(|end| end > self.row_count()) {
            let message =
                format!("the table has {} rows; {rows} rows from row {row} on do not exist", self.row_count());
            return Err(Error::new(Status::OutOfRange, message));
        }
        let times = times.to_scale(own.scale())?;
        let first = own.dates().len() / self.row_count().max(1) * row;
        let mut dates = own.dates().to_vec();
        let mut missing: Vec<bool> = (0..dates.len()).map(|index| own.is_missing(index)).collect();
        for (index, date) in times.dates().iter().enumerate() {
            (dates[first + index], missing[first + index]) = (*date, times.is_missing(index));
        }
        let options = TimeOptions { scale: Some(own.scale()), format: Some(own.format()), ..TimeOptions::default() };
        let mut made = Time::new(dates, own.shape(), &options)?.with_missing(missing)?;
        if !own.location().is_empty() {
            made = made.with_location(own.location().to_vec())?;
        }
        if own.is_dates_only() {
            made = made.with_dates_only()?;
        }
        *self = self.with_times(name, &made)?;
        Ok(())
    }

    /// Returns the table with other points in time, in the place of a column of times.
    pub(super) fn with_times(&self, name: &str, time: &Time) -> Result<Table> {
        self.with_layout(name, Layout::of_times(name, time)?)
    }

    /// Returns the table with the columns of an object in the place of a column. Description, format and metadata of the
    /// column are kept.
    pub(super) fn with_layout(&self, name: &str, mut layout: Layout) -> Result<Table> {
        let logical = logical_columns(self.header()).into_iter().find(|column| column.name == name);
        let logical = logical.ok_or_else(|| Error::new(Status::Internal, "a column of times has been lost"))?;
        let members: Vec<usize> = logical.members.iter().filter_map(|member| member.position).collect();
        let old = members.first().and_then(|&first| self.header().columns.get(first));
        for (header, _) in &mut layout.columns {
            if let Some(old) = old.filter(|_| header.unit.is_none()) {
                header.description.clone_from(&old.description);
                header.format.clone_from(&old.format);
                header.meta.clone_from(&old.meta);
            }
        }
        let info = match &logical.attributes {
            Some(attributes) if attributes.exists(INFO)? => Some(attributes.at(INFO)?),
            _ => None,
        };
        let mut columns: Vec<(ColumnHeader, Arc<Column>)> = Vec::new();
        for (position, own) in self.header().columns.iter().cloned().zip(self.columns().iter().cloned()).enumerate() {
            if members.first() == Some(&position) {
                columns.append(&mut layout.columns);
            }
            if !members.contains(&position) {
                columns.push(own);
            }
        }
        let (headers, columns) = columns.into_iter().unzip();
        let header = Header { columns: headers, ..Header::clone(self.header()) };
        let mut table = Table::new(Arc::new(header), columns, self.row_count())?;
        table.describe_object(name, layout.object, info)?;
        table.warn(self.warnings().to_vec());
        Ok(table)
    }

    /// Returns the object that is a column, and its columns with their masks applied; `None` for a plain column.
    pub(super) fn object(&self, name: &str) -> Result<Option<(Object, Table)>> {
        let found = logical_columns(self.header()).into_iter().find(|column| column.name == name);
        let Some(LogicalColumn { attributes: Some(attributes), .. }) = &found else { return Ok(None) };
        let object = entry::object_of(attributes)?
            .ok_or_else(|| Error::new(Status::WrongType, "the column has a class or an attribute that is not known"))?;
        let parts = found.as_ref().map(|column| column.parts(self)).transpose()?;
        Ok(parts.map(|parts| (object, parts)))
    }

    fn check_new(&self, name: &str, shape: &[i64]) -> Result<()> {
        if logical_columns(self.header()).iter().any(|column| column.name == name) {
            let message = format!("the table already has a column '{name}'");
            return Err(Error::new(Status::InvalidArgument, message));
        }
        match shape.first() {
            Some(&rows) if usize::try_from(rows).ok() == Some(self.row_count()) => Ok(()),
            rows => {
                let given = rows.map_or("a single time".to_owned(), |rows| format!("{rows} times"));
                let message = format!("the column '{name}' has {given} for {} rows", self.row_count());
                Err(Error::new(Status::InvalidArgument, message))
            }
        }
    }

    fn add_object(&mut self, name: &str, layout: Layout) -> Result<()> {
        let mut table = self.clone();
        for (header, column) in layout.columns {
            table.add_column(header, column)?;
        }
        table.describe_object(name, layout.object, None)?;
        *self = table;
        Ok(())
    }

    /// Adds the entry of an object to the metadata.
    fn describe_object(&mut self, name: &str, object: Object, info: Option<Node>) -> Result<()> {
        let entry = Serialized { name: name.to_owned(), object, info };
        let of_columns = self.header().columns.iter().zip(self.columns());
        let masked: HashSet<&str> =
            of_columns.filter(|(_, column)| column.cells().is_some()).map(|(header, _)| &*header.name).collect();
        let meta = with_entry(self.header().meta.as_ref(), &entry, &masked)?;
        self.replace_meta(meta);
        if self.header().schema.is_none() {
            self.set_schema(Some(SCHEMA));
        }
        Ok(())
    }
}

/// Adds the name of a column to an error, and gives it the status for content of a file.
fn in_column(error: Error, name: &str) -> Error {
    match error.status() {
        Status::NotFound => error,
        Status::InvalidArgument | Status::OutOfRange => {
            Error::new(Status::TagContent, error.message()).in_table_column(name)
        }
        _ => error.in_table_column(name),
    }
}

fn of_another_class(object: &Object, wanted: &str) -> Error {
    let message = format!("the column is not one of {wanted}, but of class {}", object.kind.class());
    Error::new(Status::WrongType, message)
}
