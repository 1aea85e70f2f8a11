//! The elements of an array of a file as those of a table's column, read into memory.

use crate::array::{Datatype, ReadOptions, Region};
use crate::error::{Error, Result, Status};
use crate::file::NodeArray;
use crate::source::try_zeroed;
use crate::table::{Bitmap, CellShape, Column, ColumnParts, ElementType, Text, Values};

/// Elements of strings that are decoded at a time take about so many bytes.
const PIECE: u64 = 1 << 20;
/// A column may take as many bytes as are stored, or so many where its elements overlap.
const OVERLAPPING_BYTES: u64 = 64 << 20;

/// An array as a column: the first axis are the rows, the others the shape of a cell. Missing elements are those of the
/// array's mask; a cell of several is missing if all of them are.
pub(super) fn read_column(array: &NodeArray, options: &ReadOptions) -> Result<Column> {
    let Some((&rows, cell)) = array.shape().split_first() else {
        let message = "a column has rows, but the array is a single element";
        return Err(array.locate(Error::new(Status::BadArray, message)));
    };
    let size = |extent: i64| usize::try_from(extent).map_err(|_| array.locate(Error::out_of_memory(extent as u64)));
    let (row_count, count) = (size(rows)?, size(array.element_count())?);
    check_size(array)?;
    let mut mask = if array.is_masked() { Some(try_zeroed(count)?) } else { None };
    let values = match array.datatype() {
        Datatype::Scalar(scalar) => {
            let mut values = Values::zeroed(*scalar, count)?;
            let target = Datatype::from(*scalar);
            if let Some(out) = values.bytes_mut() {
                match &mut mask {
                    Some(mask) => array.read_masked(None, &target, out, mask, options)?,
                    None => array.read(&target, out, options)?,
                }
            }
            values
        }
        Datatype::Ascii(_) | Datatype::Ucs4(_) => Values::Text(read_text(array, mask.as_deref_mut(), options)?),
        Datatype::Record(_) => {
            return Err(array.locate(Error::new(Status::Internal, "the fields of records are columns each")));
        }
    };
    let (cells, elements) = match mask {
        Some(mask) if cell.is_empty() => (present(&mask)?, None),
        Some(mask) => (present_cells(&mask, row_count)?, present(&mask)?),
        None => (None, None),
    };
    let cell_shape = match cell {
        [] => CellShape::Scalar,
        // No extent is negative.
        _ => CellShape::Fixed(cell.iter().map(|&extent| extent as u64).collect()),
    };
    let element_type = ElementType::of_values(&values);
    Column::new(ColumnParts { element_type, cell_shape, values, offsets: None, cells, elements, row_count })
}

/// Fails with [`Status::Limit`] for elements that take more bytes than they have, by strides that lead to some again.
fn check_size(array: &NodeArray) -> Result<()> {
    let item_size = array.datatype().item_size()?.max(1);
    let needed = (array.element_count() as u64).saturating_mul(item_size);
    let most = array.payload().length().unwrap_or(0).max(OVERLAPPING_BYTES);
    if needed > most {
        return Err(array.locate(Error::limit("the bytes of a column whose elements overlap", most)));
    }
    Ok(())
}

/// All strings of an array, and in `mask` which of them are missing.
fn read_text(array: &NodeArray, mut mask: Option<&mut [u8]>, options: &ReadOptions) -> Result<Text> {
    let mut text = Text::new();
    let longest = match array.datatype() {
        Datatype::Ascii(length) => Some(*length),
        Datatype::Ucs4(length) => length.checked_mul(4),
        _ => None,
    };
    // With a byte more than they have strings are never copied as they are, but decoded.
    let size = longest.and_then(|longest| longest.checked_add(1)).ok_or_else(|| Error::out_of_memory(u64::MAX))?;
    let target = Datatype::Ascii(size);
    let shape = array.shape().to_vec();
    let (rows, of_row) = match shape.split_first() {
        Some((&rows, cell)) => (rows, cell.iter().product::<i64>() as u64),
        None => (0, 0),
    };
    if of_row == 0 {
        return Ok(text);
    }
    let row_size = of_row.checked_mul(size).ok_or_else(|| Error::out_of_memory(u64::MAX))?;
    let at_once = (PIECE / row_size).max(1) as i64;
    let bytes = row_size.saturating_mul(at_once.min(rows) as u64);
    let mut buffer = try_zeroed(usize::try_from(bytes).map_err(|_| Error::out_of_memory(bytes))?)?;
    let mut start = vec![0; shape.len()];
    let mut count = shape.clone();
    let mut row = 0;
    while row < rows {
        let taken = at_once.min(rows - row);
        if let (Some(start), Some(count)) = (start.first_mut(), count.first_mut()) {
            (*start, *count) = (row, taken);
        }
        let region = Region { start: &start, count: &count, step: None };
        let elements = taken as usize * of_row as usize;
        let part = buffer.get_mut(..elements * size as usize).unwrap_or_default();
        let first = row as usize * of_row as usize;
        match mask.as_deref_mut().and_then(|mask| mask.get_mut(first..first + elements)) {
            Some(mask) => array.read_masked(Some(&region), &target, part, mask, options)?,
            None => array.read_region(&region, &target, part, options)?,
        }
        for element in part.chunks_exact(size as usize) {
            text.push(without_nuls(element)?)?;
        }
        row += taken;
    }
    Ok(text)
}

/// A decoded string without the NULs that fill it up.
fn without_nuls(element: &[u8]) -> Result<&str> {
    let end = element.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    let text = std::str::from_utf8(element.get(..end).unwrap_or_default());
    text.map_err(|_| Error::new(Status::Encoding, "a string is not valid UTF-8"))
}

/// What is there of what a mask tells; nothing if nothing is missing.
fn present(mask: &[u8]) -> Result<Option<Bitmap>> {
    if mask.iter().all(|&missing| missing == 0) {
        return Ok(None);
    }
    let mut bitmap = Bitmap::default();
    for &missing in mask {
        bitmap.push(missing == 0)?;
    }
    Ok(Some(bitmap))
}

/// The cells of which any element is there; nothing if no cell is missing.
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
