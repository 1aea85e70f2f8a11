//! Tables from ECSV and ASDF files, in batches.

use super::arguments::TableText;
use super::failure::{Failure, Result};
use super::input::{Format, Input};
use super::limits;
use super::tree_path::TreePath;
use super::walk::Walk;
use asdfkit::file::File;
use asdfkit::table::arrow::{Array, ArrayView, Field, Importer};
use asdfkit::table::ecsv::TableReader;
use asdfkit::table::{Header, Table, ecsv};
use asdfkit::{NodeKind, TableReadOptions};
use std::ops::Range;
use std::sync::Arc;

/// Rows and columns of a table to read.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// Path of the table in an ASDF file; `None` for the first table.
    pub(crate) path: Option<TreePath>,
    /// Names of the columns, in the wanted order; `None` for all.
    pub(crate) columns: Option<Vec<String>>,
    /// Rows.
    pub(crate) rows: Range<u64>,
    pub(crate) threads: usize,
    /// Format of a table in text.
    pub(crate) text: TableText,
}

/// A table that is read in batches. Columns stand in the wanted order.
pub(crate) enum Batches {
    /// An ECSV file.
    Text(TextBatches),
    /// A table of an ASDF file, and the rows to give.
    Whole(Option<Table>, Range<u64>),
    /// Tables that a reader of another format makes.
    Made(Box<dyn Iterator<Item = Result<Table>>>),
}

/// A table of text that is read in batches.
pub(crate) struct TextBatches {
    reader: Box<TableReader>,
    columns: Option<Vec<String>>,
    /// True after the first batch.
    begun: bool,
}

impl TextBatches {
    /// Makes batches of these columns. Fails if one does not exist.
    pub(crate) fn new(reader: TableReader, columns: Option<Vec<String>>) -> Result<TextBatches> {
        columns.iter().flatten().try_for_each(|name| reader.header().position(name).map(drop))?;
        Ok(TextBatches { reader: Box::new(reader), columns, begun: false })
    }

    /// Returns the next batch. Without any row, the first one has the columns alone.
    fn next(&mut self) -> Result<Option<Table>> {
        let batch = match self.reader.next_batch()? {
            None if self.begun => return Ok(None),
            None => Table::without_rows(self.reader.header().clone())?,
            Some(batch) => batch,
        };
        self.begun = true;
        with_columns(batch, self.columns.as_deref()).map(Some)
    }
}

impl Batches {
    /// Opens a table.
    pub(crate) fn open(input: &Input, part: &Part) -> Result<Batches> {
        match input.format_of_table(&part.text)? {
            Format::Ecsv if part.path.is_some() => {
                let message = "a table in text is the whole file and has no paths; --columns chooses columns";
                Err(Failure::usage(format!("{}: {message}", input.name())))
            }
            Format::Ecsv => {
                let options = ecsv::ReadOptions {
                    columns: part.columns.clone(),
                    rows: part.rows.clone(),
                    threads: part.threads,
                    ..ecsv::ReadOptions::default()
                };
                Ok(Batches::Text(TextBatches::new(input.text_table(&part.text, options)?, part.columns.clone())?))
            }
            Format::Asdf => {
                let file = input.asdf()?;
                let path = match &part.path {
                    Some(path) => String::from(&**path),
                    None => first_table(&file)?.ok_or_else(|| {
                        let message =
                            "the file has no table; give the path of an array of records or of a mapping of arrays";
                        Failure::not_found(message).in_file(&input.name())
                    })?,
                };
                let options = TableReadOptions { threads: part.threads, ..TableReadOptions::default() };
                let table = file.root()?.table(&path, &options)?;
                Ok(Batches::Whole(Some(with_columns(table, part.columns.as_deref())?), part.rows.clone()))
            }
            Format::Ndl => Err(Failure::usage("a description has no rows")),
        }
    }

    /// Returns the next batch, and the rows of it that are wanted. There is at least one batch, possibly without rows, so
    /// that the names and types of the columns are known.
    pub(crate) fn next(&mut self) -> Result<Option<(Table, Range<usize>)>> {
        match self {
            Batches::Text(batches) => Ok(batches.next()?.map(|table| {
                let rows = 0..table.row_count();
                (table, rows)
            })),
            Batches::Whole(table, rows) => Ok(table.take().map(|table| {
                let end = usize::try_from(rows.end).unwrap_or(usize::MAX).min(table.row_count());
                let start = usize::try_from(rows.start).unwrap_or(usize::MAX).min(end);
                (table, start..end)
            })),
            Batches::Made(tables) => tables.next().transpose().map(|table| {
                table.map(|table| {
                    let rows = 0..table.row_count();
                    (table, rows)
                })
            }),
        }
    }

    /// Reads the rest as one table. Batches of other formats are joined as Arrow arrays.
    pub(crate) fn read_all(&mut self) -> Result<Table> {
        match self {
            Batches::Made(tables) => joined(&mut **tables),
            Batches::Text(batches) => with_columns(batches.reader.read_all()?, batches.columns.as_deref()),
            Batches::Whole(table, _) => table.take().ok_or_else(|| Failure::usage("the table was read already")),
        }
    }
}

/// Returns one table of all batches.
pub(crate) fn joined(tables: &mut dyn Iterator<Item = Result<Table>>) -> Result<Table> {
    let mut importer = None;
    let (first, second) = (tables.next().transpose()?, tables.next());
    if let (Some(_), None) = (&first, &second) {
        return first.ok_or_else(|| Failure::usage("the table has no header"));
    }
    for table in first.map(Ok).into_iter().chain(second).chain(tables) {
        let table = table?;
        let importer = match &mut importer {
            Some(importer) => importer,
            None => importer.insert(Importer::new(&Field::of_header(table.header())?, &limits::chosen())?),
        };
        importer.append(&ArrayView::of(&Array::of_table(&table)?))?;
    }
    let mut importer = importer.ok_or_else(|| Failure::usage("the table has no header"))?;
    Ok(importer.take()?)
}

/// Returns a table with these columns only, in this order.
pub(crate) fn with_columns(table: Table, names: Option<&[String]>) -> Result<Table> {
    let Some(names) = names else { return Ok(table) };
    let positions = names.iter().map(|name| table.position(name)).collect::<asdfkit::Result<Vec<_>>>()?;
    let header = table.header();
    let columns = positions.iter().map(|&position| header.columns[position].clone()).collect();
    let header = Arc::new(Header { columns, ..Header::clone(header) });
    let columns = positions.iter().map(|&position| table.columns()[position].clone()).collect();
    Ok(Table::new(header, columns, table.row_count())?)
}

/// Returns the path of the first table of a file.
pub(crate) fn first_table(file: &File) -> Result<Option<String>> {
    let mut walk = Walk::new(file.root()?, String::new());
    while let Some(visit) = walk.next()? {
        if visit.node_type.is_some() && visit.node.kind("")? == NodeKind::Table {
            return Ok(Some(visit.path));
        }
        walk.enter(&visit)?;
    }
    Ok(None)
}
