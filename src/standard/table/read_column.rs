//! Reads the arrays of a file as columns of a table.

use crate::array::{Array, Datatype, PayloadKey, ReadOptions, Region, Rows, Window};
use crate::error::{Error, Result, Status};
use crate::limits::Limit;
use crate::source::try_zeroed;
use crate::table::{Bitmap, CellShape, Column, ColumnParts, ElementType, Text, Values};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Approximate number of bytes of string elements decoded at a time.
const PIECE: u64 = 1 << 20;
/// Maximum size in bytes of a column whose elements overlap, unless its payload is larger; then that size.
const OVERLAPPING_BYTES: u64 = 64 << 20;
/// Maximum size in bytes of rows that are read in one pass over their block, in little memory.
const LONGEST_ROW: u64 = 32 << 20;

/// An array, and the rows of it that become a column. They are rows that it has.
pub(super) type RowsOf = (Array, Range<u64>);

/// Reads arrays as columns. The first axis counts the rows, the others are the shape of a cell. Masked elements are
/// missing; a cell of several elements is missing if all of them are.
///
/// Besides the columns, memory holds a part of one decoded block, or one whole decoded block if its arrays do not
/// follow one another in row order. The block cache afterwards holds no more than before. Fails with [`Status::Limit`]
/// if the columns take more memory than `table_bytes` and their stored bytes together, and with the errors of reading
/// arrays.
pub(super) fn read_columns(arrays: &[RowsOf], table_bytes: u64, options: &ReadOptions) -> Result<Vec<Column>> {
    check_sizes(arrays, table_bytes)?;
    let mut columns: Vec<(usize, Column)> = Vec::new();
    for places in by_payload(arrays) {
        let on_it = places.into_iter().filter_map(|place| Some((place, arrays.get(place)?)));
        let mut group = on_it
            .map(|(place, (array, rows))| Ok((place, PendingColumn::new(array, rows)?)))
            .collect::<Result<Vec<_>>>()?;
        read_group(&mut group, options)?;
        for (place, column) in group {
            columns.push((place, column.finish()?));
        }
    }
    columns.sort_by_key(|(place, _)| *place);
    Ok(columns.into_iter().map(|(_, column)| column).collect())
}

/// Groups the indices of the arrays by payload, in the order of the first array on each.
fn by_payload(arrays: &[RowsOf]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut known: HashMap<PayloadKey, usize> = HashMap::new();
    for (place, (array, _)) in arrays.iter().enumerate() {
        let new = groups.len();
        let group = array.payload().key().map_or(new, |key| *known.entry(key).or_insert(new));
        match groups.get_mut(group) {
            Some(group) => group.push(place),
            None => groups.push(vec![place]),
        }
    }
    groups
}

/// Fails with [`Status::Limit`] if the columns take too much memory: their elements can take far fewer bytes in the
/// file.
fn check_sizes(arrays: &[RowsOf], table_bytes: u64) -> Result<()> {
    let mut allowed = table_bytes;
    let mut payloads: HashSet<PayloadKey> = HashSet::new();
    for (array, rows) in arrays {
        check_overlap(array, rows)?;
        if array.payload().key().is_none_or(|key| payloads.insert(key)) {
            allowed = allowed.saturating_add(array.payload().stored_bytes());
        }
    }
    let mut needed: u64 = 0;
    for (array, rows) in arrays {
        let of_element = match array.datatype() {
            Datatype::Ascii(_) | Datatype::Ucs4(_) => size_of::<i64>() as u64,
            other => other.item_size()?,
        };
        let of_element = of_element + u64::from(array.is_masked());
        needed = needed.saturating_add(element_count(array, rows).saturating_mul(of_element));
        if needed > allowed {
            let limit = "the memory for the values of a table, in bytes, beyond those stored";
            return Err(array.locate(Limit::TableBytes.exceeded(limit, table_bytes)));
        }
    }
    Ok(())
}

/// Returns the number of elements of some rows.
fn element_count(array: &Array, rows: &Range<u64>) -> u64 {
    // Extents are not negative, and `element_count` of the array holds the product of all.
    let cell = array.shape().get(1..).unwrap_or_default();
    cell.iter().fold(rows.end - rows.start, |product, &extent| product.saturating_mul(extent as u64))
}

/// Fails with [`Status::Limit`] if the elements overlap, by strides that address the same bytes repeatedly, and take
/// too much memory.
fn check_overlap(array: &Array, rows: &Range<u64>) -> Result<()> {
    let item_size = array.datatype().item_size()?.max(1);
    let needed = element_count(array, rows).saturating_mul(item_size);
    let most = array.payload().length().unwrap_or(0).max(OVERLAPPING_BYTES);
    if needed > most {
        return Err(array.locate(Error::limit("the bytes of a column whose elements overlap", most)));
    }
    Ok(())
}

/// Reads all columns on one payload.
fn read_group(group: &mut [(usize, PendingColumn)], options: &ReadOptions) -> Result<()> {
    let is_whole =
        |column: &PendingColumn| column.array.is_whole_payload() && !matches!(column.values, Values::Text(_));
    let in_pass = match group {
        [(_, column)] if is_whole(column) => None,
        // A pass begins with the first row.
        _ if group.iter().any(|(_, column)| !column.has_all_rows()) => None,
        _ => group.iter().map(|(_, column)| column.array.rows(LONGEST_ROW)).collect::<Option<Vec<Rows>>>(),
    };
    if let (Some(rows), Some((_, first))) = (in_pass, group.first())
        && let Some(window) = Window::new(first.array)
    {
        return read_in_pass(group, &rows, window, options);
    }
    let Some((_, first)) = group.first() else { return Ok(()) };
    // Keep the decoded block in the cache until its last column is read.
    let cache = first.array.payload().cache().filter(|cache| !cache.is_used());
    let result = group.iter_mut().try_for_each(|(_, column)| column.read(options));
    if let Some(cache) = cache {
        cache.forget();
    }
    result
}

/// Reads columns on one payload in one pass; the rows of each must follow one another there.
fn read_in_pass(
    group: &mut [(usize, PendingColumn)],
    rows: &[Rows],
    mut window: Window,
    options: &ReadOptions,
) -> Result<()> {
    // The column whose next row begins first; no column needs the bytes before it.
    let next = |group: &[(usize, PendingColumn)]| {
        let unfinished = group.iter().zip(rows).filter(|((_, column), _)| column.done < column.rows.end);
        unfinished
            .map(|((_, column), rows)| (rows.start(column.done), column.done, *rows))
            .min_by_key(|(start, ..)| *start)
    };
    while let Some((_, row, of)) = next(group) {
        let advanced = window.advance(&of, row, options.threads);
        if let (Err(error), Some((_, column))) = (&advanced, group.first()) {
            return Err(column.array.locate(error.clone()));
        }
        for ((_, column), rows) in group.iter_mut().zip(rows) {
            let count = window.rows_at_hand(rows, column.done);
            column.read_rows(Some(&window), count, options)?;
        }
    }
    let Some((_, column)) = group.first() else { return Ok(()) };
    column.array.warn(&window.finish().map_err(|error| column.array.locate(error))?);
    Ok(())
}

/// A column that is being read.
struct PendingColumn<'a> {
    array: &'a Array,
    /// Rows to read.
    rows: Range<u64>,
    /// Number of elements of a row.
    of_row: u64,
    /// First row that is not yet read.
    done: u64,
    values: Values,
    mask: Option<Vec<u8>>,
    buffer: Vec<u8>,
}

impl<'a> PendingColumn<'a> {
    fn new(array: &'a Array, rows: &Range<u64>) -> Result<PendingColumn<'a>> {
        let [_, cell @ ..] = array.shape() else {
            let message = "a column needs at least one axis, but the array is a single element";
            return Err(array.locate(Error::new(Status::BadArray, message)));
        };
        let count = element_count(array, rows);
        let count = usize::try_from(count).map_err(|_| array.locate(Error::out_of_memory(count)))?;
        let values = match array.datatype() {
            Datatype::Scalar(scalar) => Values::zeroed(*scalar, count)?,
            Datatype::Ascii(_) | Datatype::Ucs4(_) => {
                let mut text = Text::new();
                text.reserve(count, 0)?;
                Values::Text(text)
            }
            Datatype::Record(_) => {
                return Err(array
                    .locate(Error::new(Status::Internal, "each field of a record must be read as a separate column")));
            }
        };
        let mask = if array.is_masked() { Some(try_zeroed(count)?) } else { None };
        // Extents are not negative, and `element_count` already holds their product.
        let of_row = cell.iter().fold(1_u64, |product, &extent| product.saturating_mul(extent as u64));
        Ok(PendingColumn { array, rows: rows.clone(), of_row, done: rows.start, values, mask, buffer: Vec::new() })
    }

    fn has_all_rows(&self) -> bool {
        self.array.shape().first().is_some_and(|&extent| self.rows == (0..extent as u64))
    }

    /// Returns start and count of the region of some rows.
    fn region_of(&self, first: u64, count: u64) -> [Vec<i64>; 2] {
        let (mut start, mut counts) = (vec![0; self.array.shape().len()], self.array.shape().to_vec());
        if let (Some(start), Some(rows)) = (start.first_mut(), counts.first_mut()) {
            (*start, *rows) = (first as i64, count as i64);
        }
        [start, counts]
    }

    /// Reads all rows that are wanted.
    fn read(&mut self, options: &ReadOptions) -> Result<()> {
        let target = self.array.datatype().clone();
        let count = self.rows.end - self.rows.start;
        let [start, counts] = self.region_of(self.rows.start, count);
        let region = Some(Region { start: &start, count: &counts, step: None }).filter(|_| !self.has_all_rows());
        match (self.values.bytes_mut(), &mut self.mask, &region) {
            (Some(out), Some(mask), region) => self.array.read_masked(region.as_ref(), &target, out, mask, options),
            (Some(out), None, Some(region)) => self.array.read_region(region, &target, out, options),
            (Some(out), None, None) => self.array.read(&target, out, options),
            (None, ..) => self.read_rows(None, count, options),
        }
    }

    /// Reads the next `count` rows, from the window if there is one.
    fn read_rows(&mut self, window: Option<&Window>, count: u64, options: &ReadOptions) -> Result<()> {
        if let Values::Text(_) = self.values {
            return self.read_texts(window, count, options);
        }
        let size = self.array.datatype().item_size()?.saturating_mul(self.of_row);
        let target = self.array.datatype().clone();
        let place = |rows: u64| usize::try_from(rows.saturating_mul(size)).unwrap_or(usize::MAX);
        let done = self.done - self.rows.start;
        let out = self.values.bytes_mut().and_then(|out| out.get_mut(place(done)..place(done + count)));
        if let (Some(window), Some(out), true) = (window, out, count > 0) {
            self.array.read_rows(window, [self.done, count], &target, out, options)?;
        }
        self.done += count;
        Ok(())
    }

    /// Reads the next `count` rows of strings, with their mask.
    fn read_texts(&mut self, window: Option<&Window>, count: u64, options: &ReadOptions) -> Result<()> {
        let array = self.array;
        let longest = match array.datatype() {
            Datatype::Ascii(length) => Some(*length),
            Datatype::Ucs4(length) => length.checked_mul(4),
            _ => None,
        };
        // One extra byte forces decoding: strings of equal size would be copied unchanged.
        let size = longest.and_then(|longest| longest.checked_add(1)).ok_or_else(|| Error::out_of_memory(u64::MAX))?;
        let target = Datatype::Ascii(size);
        if self.of_row == 0 {
            self.done += count;
            return Ok(());
        }
        let row_size = self.of_row.checked_mul(size).ok_or_else(|| Error::out_of_memory(u64::MAX))?;
        let at_once = (PIECE / row_size).max(1);
        let end = self.done + count;
        while self.done < end {
            let taken = at_once.min(end - self.done);
            let bytes = usize::try_from(row_size * taken).map_err(|_| Error::out_of_memory(row_size))?;
            if self.buffer.len() < bytes {
                self.buffer = try_zeroed(bytes)?;
            }
            let [first, elements] = [self.done - self.rows.start, taken].map(|rows| (rows * self.of_row) as usize);
            let [start, counts] = self.region_of(self.done, taken);
            let part = self.buffer.get_mut(..bytes).unwrap_or_default();
            let region = Region { start: &start, count: &counts, step: None };
            let mask = self.mask.as_deref_mut().and_then(|mask| mask.get_mut(first..first + elements));
            match (window, mask) {
                (Some(window), None) => array.read_rows(window, [self.done, taken], &target, part, options)?,
                (_, Some(mask)) => array.read_masked(Some(&region), &target, part, mask, options)?,
                (None, None) => array.read_region(&region, &target, part, options)?,
            }
            if let Values::Text(text) = &mut self.values {
                for element in part.chunks_exact(size as usize) {
                    text.push(without_nuls(element)?)?;
                }
            }
            self.done += taken;
        }
        Ok(())
    }

    fn finish(self) -> Result<Column> {
        let size = |extent: u64| usize::try_from(extent).map_err(|_| self.array.locate(Error::out_of_memory(extent)));
        let row_count = size(self.rows.end - self.rows.start)?;
        let cell = self.array.shape().get(1..).unwrap_or_default();
        let (cells, elements) = match self.mask {
            Some(mask) if cell.is_empty() => (present(&mask)?, None),
            Some(mask) => (present_cells(&mask, row_count)?, present(&mask)?),
            None => (None, None),
        };
        let cell_shape = match cell {
            [] => CellShape::Scalar,
            // No extent is negative.
            _ => CellShape::Fixed(cell.iter().map(|&extent| extent as u64).collect()),
        };
        let (element_type, values) = (ElementType::of_values(&self.values), self.values);
        Column::new(ColumnParts { element_type, cell_shape, values, offsets: None, cells, elements, row_count })
    }
}

/// Returns a decoded string without its padding NULs.
fn without_nuls(element: &[u8]) -> Result<&str> {
    let end = element.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    let text = std::str::from_utf8(element.get(..end).unwrap_or_default());
    text.map_err(|_| Error::new(Status::Encoding, "a string is not valid UTF-8"))
}

/// Converts a mask to a bitmap of the present elements. A mask without a missing element stays a mask.
fn present(mask: &[u8]) -> Result<Option<Bitmap>> {
    let mut bitmap = Bitmap::default();
    for &missing in mask {
        bitmap.push(missing == 0)?;
    }
    Ok(Some(bitmap))
}

/// Returns the cells that have any element; `None` if cells have no elements.
fn present_cells(mask: &[u8], rows: usize) -> Result<Option<Bitmap>> {
    let of_row = mask.len().checked_div(rows).unwrap_or(0);
    if of_row == 0 {
        return Ok(None);
    }
    let mut missing = Vec::new();
    missing.try_reserve_exact(rows).map_err(|_| Error::out_of_memory(rows as u64))?;
    missing.extend(mask.chunks_exact(of_row).map(|cell| u8::from(!cell.contains(&0))));
    present(&missing)
}
