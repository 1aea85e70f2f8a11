//! Table: columns of the same number of rows, in order.

use super::column::Column;
use super::header::{ColumnHeader, Header};
use crate::error::{Error, Result, Status, Warning, Warnings};
use std::sync::Arc;

/// Columns of the same number of rows, in order.
#[derive(Clone, Debug)]
pub struct Table {
    pub(crate) header: Arc<Header>,
    pub(crate) columns: Vec<Arc<Column>>,
    pub(crate) row_count: usize,
    pub(crate) warnings: Warnings,
}

impl Table {
    /// Makes a table of these columns, in the order of the header.
    ///
    /// Fails with [`Status::InvalidArgument`] if
    ///
    /// * the number of columns is not that of the header;
    /// * a column differs in type or shape from its header;
    /// * a column does not have `row_count` rows.
    pub fn new(header: Arc<Header>, columns: Vec<Arc<Column>>, row_count: usize) -> Result<Table> {
        if columns.len() != header.columns.len() {
            let message =
                format!("there are {} columns, but the header describes {}", columns.len(), header.columns.len());
            return Err(Error::new(Status::InvalidArgument, message));
        }
        for (column, declared) in columns.iter().zip(&header.columns) {
            check_column(declared, column, row_count)?;
        }
        Ok(Table { header, columns, row_count, warnings: Warnings::default() })
    }

    /// Returns the table with these warnings for its reader.
    #[must_use]
    pub(crate) fn with_warnings(mut self, warnings: Vec<Warning>) -> Table {
        self.warnings = warnings.into_iter().collect();
        self
    }

    /// Returns the description of the columns and of the table as a whole.
    pub fn header(&self) -> &Arc<Header> {
        &self.header
    }

    /// Returns the columns, in the order of the header.
    pub fn columns(&self) -> &[Arc<Column>] {
        &self.columns
    }

    /// Returns the number of rows.
    pub fn row_count(&self) -> usize {
        self.row_count
    }

    /// Returns the index of the column with this name. Names are compared exactly.
    ///
    /// Fails with [`Status::NotFound`] if there is no such column.
    pub fn position(&self, name: &str) -> Result<usize> {
        self.header.position(name)
    }

    /// Returns the column with this name.
    ///
    /// Fails with [`Status::NotFound`] if there is no such column.
    pub fn column(&self, name: &str) -> Result<&Arc<Column>> {
        let position = self.position(name)?;
        self.columns.get(position).ok_or_else(|| Error::new(Status::Internal, "a table lacks a column of its header"))
    }

    /// Adds warnings for the reader of the table. Each warning is kept once.
    pub fn warn(&mut self, warnings: Vec<Warning>) {
        warnings.into_iter().for_each(|warning| self.warnings.add(warning));
    }

    /// Returns the warnings about the table, which could be read in spite of them.
    pub fn warnings(&self) -> &[Warning] {
        self.warnings.as_slice()
    }
}

/// Fails with [`Status::InvalidArgument`] unless a column has the type of its header and `row_count` rows.
pub(crate) fn check_column(declared: &ColumnHeader, column: &Column, row_count: usize) -> Result<()> {
    if column.element_type() != declared.element_type || *column.cell_shape() != declared.cell_shape {
        let message = format!("the values of the column '{}' differ in type or shape from its header", declared.name);
        return Err(Error::new(Status::InvalidArgument, message));
    }
    if column.row_count() != row_count {
        let message =
            format!("the column '{}' has {} rows, but the table has {row_count}", declared.name, column.row_count());
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
