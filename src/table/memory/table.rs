//! Columns of one length, in order.

use super::column::Column;
use super::header::{ColumnHeader, Header};
use crate::error::{Error, Result, Status, Warning, Warnings};
use std::sync::Arc;

/// Columns of one length, in order.
#[derive(Clone, Debug)]
pub struct Table {
    pub(crate) header: Arc<Header>,
    pub(crate) columns: Vec<Arc<Column>>,
    pub(crate) row_count: usize,
    pub(crate) warnings: Warnings,
}

impl Table {
    /// A table of these columns, which are those of the header, in its order.
    ///
    /// Fails with [`Status::InvalidArgument`] if there are more or fewer, if one is of another type than the header
    /// says, or if they are not all of `row_count` rows.
    pub fn new(header: Arc<Header>, columns: Vec<Arc<Column>>, row_count: usize) -> Result<Table> {
        if columns.len() != header.columns.len() {
            let message = format!("{} columns, but the header has {}", columns.len(), header.columns.len());
            return Err(Error::new(Status::InvalidArgument, message));
        }
        for (column, declared) in columns.iter().zip(&header.columns) {
            check_column(declared, column, row_count)?;
        }
        Ok(Table { header, columns, row_count, warnings: Warnings::default() })
    }

    /// The table with what its reader should know besides.
    #[must_use]
    pub fn with_warnings(mut self, warnings: Vec<Warning>) -> Table {
        self.warnings = warnings.into_iter().collect();
        self
    }

    /// What is said of the columns and of the table as a whole.
    pub fn header(&self) -> &Arc<Header> {
        &self.header
    }

    /// The values, one entry for each column of the header.
    pub fn columns(&self) -> &[Arc<Column>] {
        &self.columns
    }

    /// The number of rows.
    pub fn row_count(&self) -> usize {
        self.row_count
    }

    /// The place of the column with this name. Names are compared exactly.
    ///
    /// Fails with [`Status::NotFound`] if there is none.
    pub fn position(&self, name: &str) -> Result<usize> {
        self.header.position(name)
    }

    /// The values of the column with this name.
    ///
    /// Fails with [`Status::NotFound`] if there is none.
    pub fn column(&self, name: &str) -> Result<&Arc<Column>> {
        let position = self.position(name)?;
        self.columns.get(position).ok_or_else(|| Error::new(Status::Internal, "a table lacks a column of its header"))
    }

    /// Adds what a reader should know besides, each thing once.
    pub fn warn(&mut self, warnings: Vec<Warning>) {
        warnings.into_iter().for_each(|warning| self.warnings.add(warning));
    }

    /// What is odd about the table although it can be read.
    pub fn warnings(&self) -> &[Warning] {
        self.warnings.as_slice()
    }
}

/// Fails with [`Status::InvalidArgument`] unless a column is what its header says, and has so many rows.
pub(crate) fn check_column(declared: &ColumnHeader, column: &Column, row_count: usize) -> Result<()> {
    if column.element_type() != declared.element_type || *column.cell_shape() != declared.cell_shape {
        let message = format!("the values of the column '{}' are of another type than its header says", declared.name);
        return Err(Error::new(Status::InvalidArgument, message));
    }
    if column.row_count() != row_count {
        let message = format!("the column '{}' has {} rows, not {row_count}", declared.name, column.row_count());
        return Err(Error::new(Status::InvalidArgument, message));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{CellShape, ElementType, Values};

    fn table(values: Values, declared: ElementType, row_count: usize) -> Result<Table> {
        let column = Column::scalars(ElementType::of_values(&values), values, None)?;
        let header = Header { columns: vec![ColumnHeader::new("a", declared, CellShape::Scalar)], ..Header::default() };
        Table::new(Arc::new(header), vec![Arc::new(column)], row_count)
    }

    #[test]
    fn columns_must_be_those_of_the_header() {
        use crate::array::ScalarType::{Float64, Int32};
        let table_of = |declared, rows| table(Values::Int32(vec![1, 2]), declared, rows);
        assert_eq!(table_of(ElementType::Scalar(Int32), 2).unwrap().column("a").unwrap().row_count(), 2);
        assert_eq!(table_of(ElementType::Scalar(Int32), 3).unwrap_err().status(), Status::InvalidArgument);
        assert_eq!(table_of(ElementType::Scalar(Float64), 2).unwrap_err().status(), Status::InvalidArgument);
        let named = table_of(ElementType::Scalar(Int32), 2).unwrap();
        assert_eq!(named.column("A").unwrap_err().status(), Status::NotFound);
        assert!(Table::new(Arc::default(), named.columns().to_vec(), 2).is_err());
    }
}
