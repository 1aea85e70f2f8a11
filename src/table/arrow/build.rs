//! A column that is filled from arrays of Arrow, one after another.

use super::elements::no_values;
use super::plan::{Element, Plan};
use super::view::contradiction;
use super::{ArrayView, Format};
use crate::error::{Error, Result, Status};
use crate::table::ecsv::check_kept_text;
use crate::table::{Bitmap, CellShape, Column, ColumnHeader, ColumnParts, ElementType, Values};
use std::ops::Range;

/// A column that grows.
#[derive(Debug)]
pub(super) struct ColumnBuilder {
    plan: Plan,
    element_type: ElementType,
    cell_shape: CellShape,
    values: Values,
    /// Where cells of variable length begin, and the last one ends.
    offsets: Vec<i64>,
    cells: Presence,
    elements: Presence,
    row_count: usize,
}

impl ColumnBuilder {
    pub(super) fn new(header: &ColumnHeader, plan: Plan) -> ColumnBuilder {
        ColumnBuilder {
            plan,
            element_type: header.element_type,
            cell_shape: header.cell_shape.clone(),
            values: no_values(header.element_type),
            offsets: vec![0],
            cells: Presence::default(),
            elements: Presence::default(),
            row_count: 0,
        }
    }

    /// The column so far; what follows begins another one.
    pub(super) fn take(&mut self) -> Result<Column> {
        let values = std::mem::replace(&mut self.values, no_values(self.element_type));
        let offsets = std::mem::replace(&mut self.offsets, vec![0]);
        let cells = std::mem::take(&mut self.cells).0;
        let mut elements = std::mem::take(&mut self.elements).0;
        // Elements of a missing cell of fixed shape are missing, whatever Arrow says of them.
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

    /// The memory that the cells of an array take although no buffer holds them: texts that stand for nulls, and cells
    /// without elements, which take none but are written one by one.
    pub(super) fn made_bytes(&self, array: &ArrayView) -> Result<u64> {
        let count = match &self.plan.element {
            _ if self.cell_shape.element_count() == Some(0) => array.length,
            Element::Direct(Format::Null) if self.cell_shape == CellShape::Scalar => array.length,
            Element::Direct(Format::Null) => {
                let inside = Inside::of_fixed_lists(array, &self.plan.fixed)?;
                match self.plan.variable {
                    None => inside.items.len(),
                    Some(_) => inside.array.items()?.length,
                }
            }
            _ => 0,
        };
        Ok((count as u64).saturating_mul(size_of::<i64>() as u64))
    }

    /// Appends all cells of an array. After a failure the column is of no use.
    pub(super) fn append(&mut self, array: &ArrayView) -> Result<()> {
        let (rows, before) = (array.length, self.values.len());
        if self.cell_shape == CellShape::Scalar {
            let element = &self.plan.element;
            let may_lack = element.may_lack(array);
            self.cells.extend(self.row_count, rows, may_lack, |row| element.has(array, row))?;
            element.append_to(&mut self.values, array, 0..rows)?;
        } else {
            self.cells.extend(self.row_count, rows, array.validity.is_some(), |row| array.has(row))?;
            match self.plan.variable {
                None => self.append_fixed(array)?,
                Some(large) => self.append_variable(array, large)?,
            }
        }
        self.row_count += rows;
        self.check_texts(before)
    }

    /// Fails unless the elements from this one on, where they are there, are what the type of the column says of them.
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

    /// Appends cells of fixed shape, whose elements are all in one piece.
    fn append_fixed(&mut self, array: &ArrayView) -> Result<()> {
        let inside = Inside::of_fixed_lists(array, &self.plan.fixed)?;
        let before = self.values.len();
        self.append_elements(inside.array, inside.items)?;
        for missing in inside.missing {
            self.elements.lack(before + missing.start..before + missing.end, self.values.len())?;
        }
        Ok(())
    }

    /// Appends cells of variable length. All lists of a cell have to be of one length.
    fn append_variable(&mut self, array: &ArrayView, large: bool) -> Result<()> {
        let inside = Inside::of_fixed_lists(array, &self.plan.fixed)?;
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
                let items = end.checked_sub(start).ok_or_else(|| contradiction("has offsets that go back"))?;
                if *length.get_or_insert(items) != items {
                    let message = format!("the lists in cell {row} are not of one length");
                    return Err(Error::new(Status::Unsupported, message));
                }
                if pending.end != start {
                    self.append_elements(lists.items()?, std::mem::replace(&mut pending, start..start))?;
                }
                pending.end = end;
                count = count.checked_add(items).ok_or_else(|| contradiction("has more values than can be counted"))?;
            }
            let lacks = |list: usize| !lists.has(inside.items.start + list);
            if is_inner && (of_row.clone().any(lacks) || inside.lacks_any(&of_row)) {
                let message = format!("a list inside cell {row} is missing; only whole cells and elements can be");
                return Err(Error::new(Status::Unsupported, message));
            }
            self.offsets.push(count as i64);
        }
        self.append_elements(lists.items()?, pending)
    }

    /// Appends elements of array cells.
    fn append_elements(&mut self, array: &ArrayView, elements: Range<usize>) -> Result<()> {
        let element = &self.plan.element;
        let (before, start) = (self.values.len(), elements.start);
        let has = |place| element.has(array, start + place);
        self.elements.extend(before, elements.len(), element.may_lack(array), has)?;
        element.append_to(&mut self.values, array, elements)
    }
}

/// What is inside the fixed lists of some cells.
struct Inside<'b, 'a> {
    array: &'b ArrayView<'a>,
    /// The items of all cells, which follow one another.
    items: Range<usize>,
    /// Which of those are in a list that is missing though its cell is there, counted from the first.
    missing: Vec<Range<usize>>,
}

impl<'b, 'a> Inside<'b, 'a> {
    fn of_fixed_lists(cells: &'b ArrayView<'a>, lengths: &[u64]) -> Result<Inside<'b, 'a>> {
        let mut inside = Inside { array: cells, items: 0..cells.length, missing: Vec::new() };
        for (depth, &length) in lengths.iter().enumerate() {
            let Inside { array, items, mut missing } = inside;
            if depth > 0 && array.validity.is_some() {
                let lists = 0..items.len();
                missing.extend(lists.filter(|list| !array.has(items.start + list)).map(|list| list..list + 1));
            }
            let times = |count: usize| {
                let product = usize::try_from(length).ok().and_then(|length| count.checked_mul(length));
                product.ok_or_else(|| contradiction("has more values than can be counted"))
            };
            let places = array.places(&items)?;
            // Missing lists lie within the items, so their products are smaller.
            for range in &mut missing {
                *range = times(range.start)?..times(range.end)?;
            }
            inside = Inside { array: array.items()?, items: times(places.start)?..times(places.end)?, missing };
        }
        Ok(inside)
    }

    fn lacks_any(&self, items: &Range<usize>) -> bool {
        self.missing.iter().any(|missing| missing.start < items.end && items.start < missing.end)
    }
}

/// Which cells or elements are there: a list that is not made before one is missing.
#[derive(Debug, Default)]
struct Presence(Option<Bitmap>);

impl Presence {
    fn has(&self, place: usize) -> bool {
        self.0.as_ref().is_none_or(|bits| bits.get(place))
    }

    /// Tells of `count` more beside those `before`.
    fn extend(&mut self, before: usize, count: usize, may_lack: bool, has: impl Fn(usize) -> bool) -> Result<()> {
        let mut told = 0;
        if self.0.is_none() {
            told = if may_lack { (0..count).position(|place| !has(place)).unwrap_or(count) } else { count };
            if told == count {
                return Ok(());
            }
            self.0 = Some(Bitmap::filled(true, before + told)?);
        }
        let Some(bits) = &mut self.0 else { return Ok(()) };
        if !may_lack {
            return bits.extend(true, count - told);
        }
        (told..count).try_for_each(|place| bits.push(has(place)))
    }

    /// Tells that some are missing after all, among `count`.
    fn lack(&mut self, missing: Range<usize>, count: usize) -> Result<()> {
        let bits = match &mut self.0 {
            Some(bits) => bits,
            none => none.insert(Bitmap::filled(true, count)?),
        };
        missing.for_each(|place| bits.set(place, false));
        Ok(())
    }
}
