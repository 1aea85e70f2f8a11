//! Builder of a column from Arrow arrays, appended one after another.

use super::elements::no_values;
use super::field::{Field, keys};
use super::plan::{Element, Plan};
use super::view::invalid_array;
use super::{ArrayView, Format};
use crate::error::{Error, Result, Status};
use crate::table::ecsv::check_kept_text;
use crate::table::{Bitmap, CellShape, Column, ColumnHeader, ColumnParts, ElementType, Values};
use std::ops::Range;

/// Builder of a column.
#[derive(Debug)]
pub(super) struct ColumnBuilder {
    plan: Plan,
    element_type: ElementType,
    cell_shape: CellShape,
    values: Values,
    /// Offsets of cells of variable length in the values, followed by the number of values.
    offsets: Vec<i64>,
    cells: Validity,
    elements: Validity,
    row_count: usize,
    /// True if a validity bitmap is kept if nothing is missing.
    keeps_masks: bool,
}

impl ColumnBuilder {
    /// Starts a column of a field. Arrays that were exported from tables, as the field tells, have a validity bitmap only
    /// for masked columns, which stay masked if nothing is missing. Other programs give a bitmap to any column.
    pub(super) fn new(header: &ColumnHeader, plan: Plan, field: &Field) -> ColumnBuilder {
        ColumnBuilder {
            plan,
            element_type: header.element_type,
            cell_shape: header.cell_shape.clone(),
            values: no_values(header.element_type),
            offsets: vec![0],
            cells: Validity::default(),
            elements: Validity::default(),
            row_count: 0,
            keeps_masks: field.metadata_value(keys::DATATYPE).is_some(),
        }
    }

    /// Returns the column built so far. The next array begins a new column.
    pub(super) fn take(&mut self) -> Result<Column> {
        let values = std::mem::replace(&mut self.values, no_values(self.element_type));
        let offsets = std::mem::replace(&mut self.offsets, vec![0]);
        let cells = std::mem::take(&mut self.cells).0;
        let mut elements = std::mem::take(&mut self.elements).0;
        // All elements of a missing fixed-shape cell are missing, even if Arrow marks them as valid.
        if let (Some(cells), Some(elements), Some(of_cell)) = (&cells, &mut elements, self.cell_shape.element_count()) {
            let of_cell = usize::try_from(of_cell).unwrap_or_default();
            let missing = (0..cells.len()).filter(|&row| !cells.get(row));
            missing.flat_map(|row| row * of_cell..(row + 1) * of_cell).for_each(|element| elements.set(element, false));
        }
        Column::new(ColumnParts {
            element_type: self.element_type,
            cell_shape: self.cell_shape.clone(),
            values,
            offsets: matches!(self.cell_shape, CellShape::Variable(_)).then_some(offsets),
            cells,
            elements,
            row_count: std::mem::take(&mut self.row_count),
        })
    }

    /// Returns the bytes to count for cells that no Arrow buffer holds: nulls that become texts, and cells without
    /// elements. The latter take no memory, but are written one by one.
    pub(super) fn unstored_bytes(&self, array: &ArrayView) -> Result<u64> {
        let count = match &self.plan.element {
            _ if self.cell_shape.element_count() == Some(0) => array.length,
            Element::Direct(Format::Null) if self.cell_shape == CellShape::Scalar => array.length,
            Element::Direct(Format::Null) => {
                let inside = Items::of_fixed_lists(array, &self.plan.fixed)?;
                match self.plan.variable {
                    None => inside.items.len(),
                    Some(_) => inside.array.items()?.length,
                }
            }
            _ => 0,
        };
        Ok((count as u64).saturating_mul(size_of::<i64>() as u64))
    }

    /// Appends all cells of an array. After a failure the column must not be used.
    pub(super) fn append(&mut self, array: &ArrayView) -> Result<()> {
        let (rows, before) = (array.length, self.values.len());
        if self.cell_shape == CellShape::Scalar {
            let element = &self.plan.element;
            let may_have_nulls = element.may_have_nulls(array);
            self.cells.keep(self.keeps_masks && array.validity.is_some(), self.row_count)?;
            self.cells.extend(self.row_count, rows, may_have_nulls, |row| element.has(array, row))?;
            element.append_to(&mut self.values, array, 0..rows)?;
        } else {
            self.cells.keep(self.keeps_masks && array.validity.is_some(), self.row_count)?;
            self.cells.extend(self.row_count, rows, array.validity.is_some(), |row| array.has(row))?;
            match self.plan.variable {
                None => self.append_fixed(array)?,
                Some(large) => self.append_variable(array, large)?,
            }
        }
        self.row_count += rows;
        self.check_texts(before)
    }

    /// Fails unless all present texts from this element on are valid for the element type of the column.
    fn check_texts(&self, first: usize) -> Result<()> {
        let Values::Text(texts) = &self.values else { return Ok(()) };
        let of_cell = self.cell_shape.element_count().and_then(|count| usize::try_from(count).ok());
        for element in first..texts.len() {
            let row = of_cell.and_then(|of_cell| element.checked_div(of_cell));
            if self.elements.has(element) && row.is_none_or(|row| self.cells.has(row)) {
                check_kept_text(texts.get(element), self.element_type)
                    .map_err(|error| Error::because_of(&format!("element {element}"), &error))?;
            }
        }
        Ok(())
    }

    /// Appends cells of fixed shape. Their elements are contiguous.
    fn append_fixed(&mut self, array: &ArrayView) -> Result<()> {
        let inside = Items::of_fixed_lists(array, &self.plan.fixed)?;
        let before = self.values.len();
        self.append_elements(inside.array, inside.items)?;
        for missing in inside.missing {
            self.elements.set_missing(before + missing.start..before + missing.end, self.values.len())?;
        }
        Ok(())
    }

    /// Appends cells of variable length. All lists in a cell must have the same length.
    fn append_variable(&mut self, array: &ArrayView, large: bool) -> Result<()> {
        let inside = Items::of_fixed_lists(array, &self.plan.fixed)?;
        let of_cell = inside.items.len().checked_div(array.length).unwrap_or_default();
        let is_inner = !self.plan.fixed.is_empty();
        let lists = inside.array;
        let first = lists.places(&inside.items)?.start;
        let mut pending = 0..0;
        let mut count = self.values.len();
        let bytes = array.length.saturating_mul(size_of::<i64>());
        self.offsets.try_reserve(array.length).map_err(|_| Error::out_of_memory(bytes as u64))?;
        for row in 0..array.length {
            let of_row = if array.has(row) { row * of_cell..(row + 1) * of_cell } else { 0..0 };
            let mut length = None;
            for list in of_row.clone() {
                let (start, end) = (lists.offset_at(first + list, large)?, lists.offset_at(first + list + 1, large)?);
                let items = end.checked_sub(start).ok_or_else(|| invalid_array("has decreasing offsets"))?;
                if *length.get_or_insert(items) != items {
                    let message = format!("the lists in cell {row} differ in length");
                    return Err(Error::new(Status::Unsupported, message));
                }
                if pending.end != start {
                    self.append_elements(lists.items()?, std::mem::replace(&mut pending, start..start))?;
                }
                pending.end = end;
                count =
                    count.checked_add(items).ok_or_else(|| invalid_array("has too many values for this platform"))?;
            }
            let is_missing = |list: usize| !lists.has(inside.items.start + list);
            if is_inner && (of_row.clone().any(is_missing) || inside.any_missing(&of_row)) {
                let message =
                    format!("a list inside cell {row} is missing: only whole cells and single elements can be missing");
                return Err(Error::new(Status::Unsupported, message));
            }
            self.offsets.push(count as i64);
        }
        self.append_elements(lists.items()?, pending)
    }

    /// Appends elements of array cells.
    fn append_elements(&mut self, array: &ArrayView, elements: Range<usize>) -> Result<()> {
        // Offsets of lists may point anywhere, and nulls have no buffer that ends.
        array.places(&elements)?;
        let element = &self.plan.element;
        let (before, start) = (self.values.len(), elements.start);
        let has = |place| element.has(array, start + place);
        self.elements.keep(self.keeps_masks && array.validity.is_some(), before)?;
        self.elements.extend(before, elements.len(), element.may_have_nulls(array), has)?;
        element.append_to(&mut self.values, array, elements)
    }
}

/// Items inside the fixed lists of some cells.
struct Items<'b, 'a> {
    array: &'b ArrayView<'a>,
    /// Range of the items of all cells, which are contiguous.
    items: Range<usize>,
    /// Ranges of items in a missing list of a cell that is present, counted from the first item.
    missing: Vec<Range<usize>>,
}

impl<'b, 'a> Items<'b, 'a> {
    fn of_fixed_lists(cells: &'b ArrayView<'a>, lengths: &[u64]) -> Result<Items<'b, 'a>> {
        let mut inside = Items { array: cells, items: 0..cells.length, missing: Vec::new() };
        for (depth, &length) in lengths.iter().enumerate() {
            let Items { array, items, mut missing } = inside;
            if depth > 0 && array.validity.is_some() {
                let lists = 0..items.len();
                missing.extend(lists.filter(|list| !array.has(items.start + list)).map(|list| list..list + 1));
            }
            let times = |count: usize| {
                let product = usize::try_from(length).ok().and_then(|length| count.checked_mul(length));
                product.ok_or_else(|| invalid_array("has too many values for this platform"))
            };
            let places = array.places(&items)?;
            // Missing lists lie within the items, so these products are smaller than the checked ones.
            for range in &mut missing {
                *range = times(range.start)?..times(range.end)?;
            }
            inside = Items { array: array.items()?, items: times(places.start)?..times(places.end)?, missing };
        }
        Ok(inside)
    }

    fn any_missing(&self, items: &Range<usize>) -> bool {
        self.missing.iter().any(|missing| missing.start < items.end && items.start < missing.end)
    }
}

/// Validity bitmap of cells or elements. It is allocated when the first one is missing, or when it is kept.
#[derive(Debug, Default)]
struct Validity(Option<Bitmap>);

impl Validity {
    fn has(&self, place: usize) -> bool {
        self.0.as_ref().is_none_or(|bits| bits.get(place))
    }

    /// Allocates the bitmap for the `before` values, if it is wanted.
    fn keep(&mut self, is_wanted: bool, before: usize) -> Result<()> {
        if is_wanted && self.0.is_none() {
            self.0 = Some(Bitmap::filled(true, before)?);
        }
        Ok(())
    }

    /// Appends the validity of `count` values to that of the `before` values.
    fn extend(&mut self, before: usize, count: usize, may_have_nulls: bool, has: impl Fn(usize) -> bool) -> Result<()> {
        let mut valid = 0;
        if self.0.is_none() {
            valid = if may_have_nulls { (0..count).position(|place| !has(place)).unwrap_or(count) } else { count };
            if valid == count {
                return Ok(());
            }
            self.0 = Some(Bitmap::filled(true, before + valid)?);
        }
        let Some(bits) = &mut self.0 else { return Ok(()) };
        if !may_have_nulls {
            return bits.extend(true, count - valid);
        }
        (valid..count).try_for_each(|place| bits.push(has(place)))
    }

    /// Marks a range of `count` values as missing.
    fn set_missing(&mut self, missing: Range<usize>, count: usize) -> Result<()> {
        let bits = match &mut self.0 {
            Some(bits) => bits,
            none => none.insert(Bitmap::filled(true, count)?),
        };
        missing.for_each(|place| bits.set(place, false));
        Ok(())
    }
}
