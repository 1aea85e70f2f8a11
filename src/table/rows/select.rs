//! Tables of some rows and columns of another table.

use super::runs::Runs;
use crate::error::{Error, Result, Status};
use crate::table::prune::pruned;
use crate::table::{Header, Table, logical_columns};
use std::collections::HashSet;
use std::sync::Arc;

/// Rows of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rows<'a> {
    /// All rows. Their values are not copied.
    #[default]
    All,
    /// The rows of these numbers, counted from 0, in this order. A row can be taken several times.
    Numbers(&'a [i64]),
    /// The rows whose byte is not 0. There is one byte for each row.
    Mask(&'a [u8]),
}

impl Table {
    /// Returns a table of some rows and columns, in the order in which they are given; `None` takes all columns. Units,
    /// descriptions, formats, metadata and schema are kept.
    ///
    /// The name of a [logical column](logical_columns) stands for all columns that it is made of. If only
    /// some of them are taken, the description of the logical column is removed from the metadata.
    ///
    /// Fails with
    ///
    /// * [`Status::NotFound`] if there is no column of a name;
    /// * [`Status::InvalidArgument`] if a column is taken twice, or if a mask has another length than the table;
    /// * [`Status::OutOfRange`] for the number of a row that does not exist.
    pub fn select(&self, rows: Rows, columns: Option<&[&str]>) -> Result<Table> {
        let narrow = columns.map(|names| self.of_columns(names)).transpose()?;
        let narrow = narrow.as_ref().unwrap_or(self);
        match rows {
            Rows::All => Ok(narrow.clone()),
            Rows::Numbers(numbers) => narrow.of_runs(&Runs::of_numbers(numbers, self.row_count)?),
            Rows::Mask(mask) => narrow.of_runs(&Runs::of_mask(mask, self.row_count)?),
        }
    }

    /// Returns a table of `count` rows from the row `first` on, each `step` rows after the one before. A negative step
    /// goes backwards. `None` takes as many rows as there are.
    ///
    /// Fails with [`Status::OutOfRange`] for rows that do not exist, and with [`Status::InvalidArgument`] for a step of
    /// 0.
    pub fn slice(&self, first: u64, count: Option<u64>, step: i64) -> Result<Table> {
        self.of_runs(&Runs::of_slice(first, count, step, self.row_count)?)
    }

    /// Returns a table of these rows.
    pub(super) fn of_runs(&self, rows: &Runs) -> Result<Table> {
        let columns = self.columns.iter().zip(&self.header.columns).map(|(column, declared)| {
            let gathered = column.gathered(rows).map(Arc::new);
            gathered.map_err(|error| error.in_table_column(&declared.name))
        });
        let columns = columns.collect::<Result<_>>()?;
        Ok(Table { header: self.header.clone(), columns, row_count: rows.count(), warnings: self.warnings.clone() })
    }

    /// Returns a table of these columns, which are shared.
    fn of_columns(&self, names: &[&str]) -> Result<Table> {
        let positions = self.positions(names)?;
        let taken: Vec<_> =
            positions.iter().filter_map(|&position| self.header.columns.get(position).cloned()).collect();
        let known: HashSet<&str> = taken.iter().map(|column| &*column.name).collect();
        let meta = self.header.meta.as_ref().map(|meta| pruned(meta, &known)).transpose()?.flatten();
        let header = Header { columns: taken, meta, ..self.header.without_columns() };
        let columns = positions.iter().filter_map(|&position| self.columns.get(position).cloned()).collect();
        Ok(Table { header: Arc::new(header), columns, row_count: self.row_count, warnings: self.warnings.clone() })
    }

    /// Returns the positions of the columns with these names. The name of a logical column stands for its members.
    fn positions(&self, names: &[&str]) -> Result<Vec<usize>> {
        let logical = logical_columns(&self.header);
        let mut positions = Vec::new();
        let mut known = HashSet::new();
        for name in names {
            let found = logical.iter().find(|column| column.name == *name);
            let members = found.map(|column| column.members.iter().filter_map(|member| member.position));
            let mut of_name: Vec<usize> = members.into_iter().flatten().collect();
            // Several attributes can refer to the same column.
            of_name.dedup();
            if of_name.is_empty() {
                of_name.push(self.position(name)?);
            }
            if !of_name.iter().all(|position| known.insert(*position)) {
                let message = format!("the column '{name}' is selected twice");
                return Err(Error::new(Status::InvalidArgument, message));
            }
            positions.append(&mut of_name);
        }
        Ok(positions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::ecsv::{ReadOptions, TableReader};

    const TEXT: &str = "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: t, unit: s, datatype: int8, meta: {k: 1}}\n\
        # - {name: p.ra, datatype: float64}\n# - {name: p.dec, datatype: float64}\n# meta: !!omap\n# - author: me\n\
        # - __serialized_columns__:\n#     p:\n#       __class__: astropy.coordinates.sky_coordinate.SkyCoord\n\
        #       ra: !astropy.table.SerializedColumn {name: p.ra}\n#       dec: !astropy.table.SerializedColumn {name: p.dec}\n\
        # schema: astropy-2.0\nt p.ra p.dec\n1 10 -1\n2 20 -2\n3 30 -3\n";

    fn table() -> Table {
        let bytes = Arc::new(TEXT.as_bytes().to_vec());
        TableReader::of_memory(bytes, &ReadOptions::default()).unwrap().read_all().unwrap()
    }

    fn names(table: &Table) -> Vec<&str> {
        table.header().columns.iter().map(|column| &*column.name).collect()
    }

    fn numbers(table: &Table) -> Vec<u8> {
        table.column("t").unwrap().values().bytes().unwrap().to_vec()
    }

    #[test]
    fn rows_and_columns_are_selected() {
        let table = table();
        let part = table.select(Rows::Numbers(&[2, 0, 2]), Some(&["p", "t"])).unwrap();
        assert_eq!((names(&part), numbers(&part)), (vec!["p.ra", "p.dec", "t"], vec![3, 1, 3]));
        let (header, column) = (part.header(), &part.header().columns[2]);
        assert_eq!((column.unit.as_deref(), header.schema.as_deref()), (Some("s"), Some("astropy-2.0")));
        assert_eq!(column.meta.as_ref().unwrap().i64("k").unwrap(), 1);
        assert_eq!(header.meta.as_ref().unwrap().string("author").unwrap(), "me");
        assert_eq!(logical_columns(header).len(), 2);
        assert_eq!(numbers(&table.select(Rows::Mask(&[0, 1, 9]), None).unwrap()), [2, 3]);
        assert_eq!(numbers(&table.slice(2, None, -2).unwrap()), [3, 1]);
        let all = table.select(Rows::All, Some(&["t"])).unwrap();
        assert!(Arc::ptr_eq(&all.columns()[0], &table.columns()[0]));
        let none = table.select(Rows::Numbers(&[]), Some(&[])).unwrap();
        assert_eq!((none.row_count(), none.columns().len()), (0, 0));
    }

    #[test]
    fn descriptions_of_parts_of_columns_are_removed() {
        let table = table();
        let part = table.select(Rows::All, Some(&["p.dec", "t"])).unwrap();
        assert_eq!(names(&part), ["p.dec", "t"]);
        let meta = part.header().meta.as_ref().unwrap();
        assert_eq!((meta.count("").unwrap(), meta.string("author").unwrap().as_str()), (1, "me"));
        assert_eq!(logical_columns(part.header()).len(), 2);
        // The other table keeps its metadata.
        assert_eq!(table.header().meta.as_ref().unwrap().count("").unwrap(), 2);
    }

    #[test]
    fn columns_must_exist_and_be_taken_once() {
        let table = table();
        let status = |rows, columns: &[&str]| table.select(rows, Some(columns)).unwrap_err().status();
        assert_eq!(status(Rows::All, &["q"]), Status::NotFound);
        assert_eq!(status(Rows::All, &["t", "t"]), Status::InvalidArgument);
        assert_eq!(status(Rows::All, &["p", "p.ra"]), Status::InvalidArgument);
        assert_eq!(status(Rows::Numbers(&[3]), &["t"]), Status::OutOfRange);
        assert_eq!(status(Rows::Mask(&[1]), &["t"]), Status::InvalidArgument);
        assert_eq!(table.slice(0, Some(4), 1).unwrap_err().status(), Status::OutOfRange);
    }
}
