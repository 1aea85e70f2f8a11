//! Columns of a table whose batches are gathered in a temporary file, so that their arrays can be stored when the number
//! of rows and the longest texts are known.

use super::cell_parts::parts_of;
use super::made::Elements;
use crate::array::{Datatype, ScalarType, TextEncoding};
use crate::error::{Error, Result, Status};
use crate::source::{
    Sequence, SequenceSource, Source, Spool, SpoolFile, read_exact_at, read_in_units, read_vec_at, try_zeroed,
};
use crate::table::{CellShape, Column, ColumnHeader, ElementType, Header, Table, Values};
use std::path::Path;
use std::sync::Arc;

/// Number of bytes of a mask that are made at a time.
const PIECE: usize = 64 << 10;

/// Size of the end of a text among all texts, in bytes.
const END: u64 = size_of::<u64>() as u64;

/// A table whose batches are gathered.
pub(super) struct TableSpool {
    spool: Spool,
    columns: Vec<ColumnSpool>,
    rows: u64,
}

impl TableSpool {
    /// Begins without rows. The temporary file is in this directory, or in the system's directory for such files.
    pub(super) fn create(header: &Header, directory: Option<&Path>) -> Result<TableSpool> {
        let columns: Vec<ColumnSpool> = header.columns.iter().map(ColumnSpool::new).collect();
        // Values, masks, and the ends of texts.
        Ok(TableSpool { spool: Spool::create(directory, 3 * columns.len())?, columns, rows: 0 })
    }

    /// Appends the rows of a table with the same columns. After a failure the gathered table is incomplete.
    pub(super) fn append(&mut self, batch: &Table) -> Result<()> {
        let columns = self.columns.iter_mut().zip(batch.columns()).zip(&batch.header().columns);
        for ((spooled, column), header) in columns {
            let appended = spooled.append(column, self.rows, &mut self.spool);
            appended.map_err(|error| error.in_table_column(&header.name))?;
        }
        self.rows += batch.row_count() as u64;
        Ok(())
    }

    /// Ends the table. Returns the arrays of the columns, in their order.
    pub(super) fn finish(mut self) -> Result<Vec<SpooledColumn>> {
        for column in &mut self.columns {
            column.elements.end(&mut self.spool)?;
            column.lengths.iter_mut().try_for_each(|lengths| lengths.end(&mut self.spool))?;
        }
        let file = self.spool.finish();
        let made = self.columns.into_iter().map(|ColumnSpool { elements, lengths }| SpooledColumn {
            elements: elements.finish(&file),
            lengths: lengths.map(|lengths| lengths.finish(&file)),
        });
        Ok(made.collect())
    }

    /// Returns the number of rows so far.
    pub(super) fn rows(&self) -> u64 {
        self.rows
    }
}

/// The arrays of a gathered column.
#[derive(Clone)]
pub(super) struct SpooledColumn {
    pub(super) elements: SpooledElements,
    /// Number of elements in each cell, if the cells differ in it.
    pub(super) lengths: Option<SpooledElements>,
}

/// Gathered elements, packed and native.
#[derive(Clone)]
pub(super) struct SpooledElements {
    pub(super) source: Arc<dyn Source>,
    pub(super) datatype: Datatype,
    pub(super) mask: Option<Arc<dyn Source>>,
    /// Number of cells, or of elements for cells of different lengths.
    pub(super) rows: u64,
    pub(super) lacks_elements: bool,
    /// First text that is not missing.
    pub(super) first_text: Option<String>,
}

/// A column that grows.
struct ColumnSpool {
    elements: ElementSpool,
    lengths: Option<ElementSpool>,
}

impl ColumnSpool {
    fn new(header: &ColumnHeader) -> ColumnSpool {
        let lengths = matches!(header.cell_shape, CellShape::Variable(_));
        ColumnSpool {
            elements: ElementSpool::new(header.element_type),
            lengths: lengths.then(|| ElementSpool::new(ElementType::Scalar(ScalarType::Int64))),
        }
    }

    fn append(&mut self, column: &Arc<Column>, rows: u64, spool: &mut Spool) -> Result<()> {
        let Some(lengths) = &mut self.lengths else { return self.elements.append(column, rows, spool) };
        let [values, counts] = parts_of(column)?;
        lengths.append(&counts, rows, spool)?;
        self.elements.append(&values, self.elements.count, spool)
    }
}

/// Elements that grow.
struct ElementSpool {
    kind: Kind,
    values: Sequence,
    mask: Option<Sequence>,
    rows: u64,
    count: u64,
    lacks_elements: bool,
}

enum Kind {
    Numbers(Datatype),
    Texts {
        /// The end of each text among the bytes of all texts.
        ends: Sequence,
        longest: u64,
        first: Option<String>,
    },
}

impl ElementSpool {
    fn new(element_type: ElementType) -> ElementSpool {
        let kind = match element_type {
            ElementType::Scalar(scalar) => Kind::Numbers(scalar.into()),
            _ => Kind::Texts { ends: Sequence::default(), longest: 1, first: None },
        };
        ElementSpool { kind, values: Sequence::default(), mask: None, rows: 0, count: 0, lacks_elements: false }
    }

    /// Appends the elements of a column, whose first row has this number.
    fn append(&mut self, column: &Arc<Column>, row: u64, spool: &mut Spool) -> Result<()> {
        match (&mut self.kind, column.values()) {
            (Kind::Texts { ends, longest, first }, Values::Text(texts)) => {
                let of_row = column.cell_shape().element_count().unwrap_or(1).max(1);
                let mut made = Vec::new();
                made.try_reserve(texts.len().saturating_mul(END as usize))
                    .map_err(|_| Error::out_of_memory(END * texts.len() as u64))?;
                for (index, text) in texts.iter().enumerate() {
                    let is_present = column.has_element(index);
                    if text.ends_with('\0') && is_present {
                        let row = row + index as u64 / of_row;
                        let message =
                            format!("the string in row {row} ends with NUL, which an ASDF string array cannot store");
                        return Err(Error::new(Status::ValueRange, message));
                    }
                    if text.len() as u64 > *longest {
                        *longest = (*longest).max(text.chars().count() as u64);
                    }
                    if first.is_none() && is_present {
                        *first = Some(text.to_owned());
                    }
                    self.values.append(text.as_bytes(), spool)?;
                    made.extend_from_slice(&self.values.len().to_ne_bytes());
                }
                ends.append(&made, spool)?;
            }
            (Kind::Numbers(_), values) => self.values.append(values.bytes().unwrap_or_default(), spool)?,
            (Kind::Texts { .. }, _) => return Err(Error::new(Status::Internal, "a column of texts has numbers")),
        }
        self.append_mask(column, spool)?;
        self.lacks_elements |= column.lacks_elements();
        self.rows += column.row_count() as u64;
        self.count += column.values().len() as u64;
        Ok(())
    }

    fn append_mask(&mut self, column: &Arc<Column>, spool: &mut Spool) -> Result<()> {
        if !column.is_masked() && self.mask.is_none() {
            return Ok(());
        }
        let mask = self.mask.get_or_insert_with(|| Sequence::after_zeros(self.count));
        let missing = Elements::mask(column.clone())?;
        let mut piece = try_zeroed(PIECE.min(column.values().len()))?;
        let mut done = 0;
        while done < missing.len() {
            let count = missing.read_at(done, &mut piece)?;
            mask.append(piece.get(..count).unwrap_or_default(), spool)?;
            done += count as u64;
        }
        Ok(())
    }

    fn end(&mut self, spool: &mut Spool) -> Result<()> {
        self.values.end(spool)?;
        if let Kind::Texts { ends, .. } = &mut self.kind {
            ends.end(spool)?;
        }
        self.mask.iter_mut().try_for_each(|mask| mask.end(spool))
    }

    fn finish(self, file: &Arc<SpoolFile>) -> SpooledElements {
        let ElementSpool { kind, values, mask, rows, count: _, lacks_elements } = self;
        let values = values.source(file);
        let mask = mask.map(|mask| Arc::new(mask.source(file)) as Arc<dyn Source>);
        let (source, datatype, first_text): (Arc<dyn Source>, _, _) = match kind {
            Kind::Numbers(datatype) => (Arc::new(values), datatype, None),
            Kind::Texts { ends, longest, first } => {
                let texts = Texts { bytes: values, ends: ends.source(file), characters: longest };
                (Arc::new(texts), Datatype::Ucs4(longest), first)
            }
        };
        SpooledElements { source, datatype, mask, rows, lacks_elements, first_text }
    }
}

/// Texts as strings of fixed length in UTF-32 units.
struct Texts {
    bytes: SequenceSource,
    ends: SequenceSource,
    characters: u64,
}

impl Texts {
    /// Size of a string in bytes.
    fn size(&self) -> u64 {
        self.characters.saturating_mul(4)
    }

    /// Fills `strings` with whole strings from byte `offset` of all strings on.
    fn fill(&self, offset: u64, strings: &mut [u8]) -> Result<()> {
        let size = self.size().max(1);
        let (first, count) = (offset / size, strings.len() as u64 / size);
        // The end of the text before the first one is where the first one begins.
        let before = first.saturating_sub(1);
        let ends = read_vec_at(&self.ends, before * END, (first + count - before) * END)?;
        let mut ends = ends.as_chunks().0.iter().map(|&end| u64::from_ne_bytes(end));
        let start = if first == 0 { 0 } else { ends.next().unwrap_or_default() };
        let last = ends.clone().next_back().unwrap_or(start);
        let mut bytes = try_zeroed(usize::try_from(last - start).map_err(|_| Error::out_of_memory(last - start))?)?;
        read_exact_at(&self.bytes, start, &mut bytes)?;
        let mut at = start;
        for (end, string) in ends.zip(strings.chunks_exact_mut(size as usize)) {
            let text = bytes.get((at - start) as usize..(end - start) as usize).unwrap_or_default();
            let text = std::str::from_utf8(text);
            TextEncoding::Units.encode(text.map_err(|_| Error::new(Status::Internal, "a text is cut"))?, string);
            at = end;
        }
        Ok(())
    }
}

impl Source for Texts {
    fn len(&self) -> u64 {
        (self.ends.len() / END).saturating_mul(self.size())
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let size = usize::try_from(self.size()).map_err(|_| Error::out_of_memory(self.size()))?;
        read_in_units(self.len(), size, offset, buffer, |at, strings| self.fill(at, strings))
    }
}
