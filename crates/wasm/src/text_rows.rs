//! Rows of a table in text. A small text is indexed, so that reading begins near any row. Of a large one, the reader goes on
//! where it stopped, and begins again only for rows before it.

use crate::limits::limits;
use asdfkit::source::Source;
use asdfkit::table::Table;
use asdfkit::table::ecsv::{Input, ReadOptions, TableIndex, TableReader};
use asdfkit::{Error, Result};
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

/// Largest text that is read as a whole to index it: one from this computer, and one from a server.
const INDEXED: [u64; 2] = [256 << 20, 8 << 20];
/// Cost of a request from which on a source is a server.
const OF_SERVER: u64 = 128 << 10;
/// Ranges of rows that are kept for the way back.
const KEPT: usize = 20;

/// The rows of a table in text.
pub(crate) struct TextRows {
    source: Arc<dyn Source>,
    /// The index, once it was tried; `None` in it if there is none.
    index: Option<Option<Arc<TableIndex>>>,
    /// A reader, and the rows of its next batch.
    running: Option<(TableReader, Range<u64>)>,
    kept: VecDeque<(Range<u64>, Table)>,
    /// Number of all rows, once it is known.
    all: Option<u64>,
}

impl TextRows {
    pub(crate) fn of(source: Arc<dyn Source>) -> TextRows {
        TextRows { source, index: None, running: None, kept: VecDeque::new(), all: None }
    }

    /// Reads rows, and tells the number of all if it is known.
    pub(crate) fn read(&mut self, wanted: &Range<u64>) -> Result<(Table, Option<u64>)> {
        let index = self.index()?;
        if let Some(index) = index {
            let mut reader = self.reader(wanted.clone(), 0, Some(index))?;
            return Ok((reader.read_all()?, self.all));
        }
        if let Some((_, table)) = self.kept.iter().find(|(rows, _)| rows == wanted) {
            return Ok((table.clone(), self.all));
        }
        let count = wanted.end.saturating_sub(wanted.start);
        let mut reader = match self.running.take() {
            Some((reader, next)) if next == *wanted => reader,
            _ => self.reader(wanted.start..u64::MAX, count.max(1), None)?,
        };
        let batch = if count > 0 { reader.next_batch()? } else { None };
        let table = batch.map_or_else(|| self.reader(0..0, 0, None)?.read_all(), Ok)?;
        let read = table.row_count() as u64;
        if read == count {
            self.running = Some((reader, wanted.end..wanted.end.saturating_add(count)));
        } else if read > 0 || wanted.start == 0 {
            self.all = Some(wanted.start + read);
        }
        if self.kept.len() == KEPT {
            self.kept.pop_front();
        }
        self.kept.push_back((wanted.clone(), table.clone()));
        Ok((table, self.all))
    }

    /// Reads all rows.
    pub(crate) fn read_all(&mut self) -> Result<Table> {
        let table = self.reader(0..u64::MAX, 0, None)?.read_all()?;
        self.all = Some(table.row_count() as u64);
        Ok(table)
    }

    fn reader(&self, rows: Range<u64>, batch_rows: u64, index: Option<Arc<TableIndex>>) -> Result<TableReader> {
        let options = ReadOptions { limits: limits(), rows, batch_rows, index, ..ReadOptions::default() };
        TableReader::of_source(self.source.clone(), &options)
    }

    /// Returns the index of a small text. A text that has none is read from its beginning.
    fn index(&mut self) -> Result<Option<Arc<TableIndex>>> {
        if let Some(index) = &self.index {
            return Ok(index.clone());
        }
        let most = INDEXED[usize::from(self.source.request_cost() >= OF_SERVER)];
        let options = ReadOptions { limits: limits(), ..ReadOptions::default() };
        let index = match self.source.len() <= most {
            true => {
                let input = Input::of_source(self.source.clone())?;
                // The reader reports an error of the text with its row.
                Error::readable(TableIndex::of_input(input, 0, &options))?.map(Arc::new)
            }
            false => None,
        };
        self.all = index.as_ref().map(|index| index.row_count());
        self.index = Some(index.clone());
        Ok(index)
    }
}
