//! Tables of the tree as binary tables.

use super::image::missing_value;
use super::output::Output;
use super::structure::{group_of, is_of_column, set};
use crate::core::{Array, Node, SPELLING_FITS, SPELLING_VOUNIT, respell_unit};
use crate::element::Element;
use crate::failure::{Failure, Result, status, zeros};
use crate::fits::card::{Card, Value};
use crate::fits::column::{Column, Conversion, Form};
use crate::fits::group::Group;
use crate::fits::header::Header;
use crate::report::Report;
use crate::to_asdf::column_names;

/// Number of bytes of rows that are made at a time.
const PIECE: usize = 1 << 20;

/// A column of a table in the tree.
pub(crate) struct TreeColumn {
    pub(crate) name: String,
    pub(crate) unit: String,
    pub(crate) shape: Vec<i64>,
    array: Array,
    code: i32,
    /// Number of characters of a text.
    length: usize,
}

/// Columns of the table at a path. Fails for a node that is no table.
pub(crate) fn tree_columns(node: &Node, path: &str) -> Result<Vec<TreeColumn>> {
    let list = format!("{path}/columns");
    let count = node.count(&list)?;
    (0..count).map(|index| tree_column(node, path, index)).collect()
}

/// The column with a number of the table at a path. A quantity or a time is a column of astropy, whose name is in the table.
pub(crate) fn tree_column(node: &Node, path: &str, index: i64) -> Result<TreeColumn> {
    let column = node.item(&format!("{path}/columns"), index)?;
    let array = column.get_array("data").or_else(|failure| column.get_array("value").map_err(|_| failure))?;
    TreeColumn::new(tree_column_name(node, path, index)?, column.unit("").unwrap_or_default(), array)
}

/// The name of a column of a table in the tree.
pub(crate) fn tree_column_name(node: &Node, path: &str, index: i64) -> Result<String> {
    match node.get_string(&format!("{path}/colnames/{index}")) {
        Ok(name) => Ok(name),
        Err(_) => node.get_string(&format!("{path}/columns/{index}/name")),
    }
}

impl TreeColumn {
    pub(crate) fn new(name: String, unit: String, array: Array) -> Result<TreeColumn> {
        let (shape, code) = (array.shape()?, array.code()?);
        let length = if matches!(code, 51 | 52) { usize::try_from(array.text_length()?).unwrap_or(0) } else { 0 };
        Ok(TreeColumn { name, unit, shape, array, code, length })
    }

    /// Type of the elements; `None` if FITS has no such type.
    pub(crate) fn element(&self) -> Option<Element> {
        match self.code {
            // binary16: every value is one of binary32.
            21 => Some(Element::Float32),
            code => Element::of_code(code, self.length),
        }
    }

    /// Returns true if a column has the elements of this one, before encoding.
    pub(crate) fn is_like(&self, column: &Column, rows: usize) -> bool {
        self.element() == Some(column.element) && self.has_shape(column, rows)
    }

    fn has_shape(&self, column: &Column, rows: usize) -> bool {
        let extents = std::iter::once(rows).chain(column.cell.iter().copied());
        let shape: Vec<i64> = extents.map(|extent| i64::try_from(extent).unwrap_or(-1)).collect();
        self.shape == shape
    }

    /// Returns true if a column can store this one.
    fn fits(&self, column: &Column, rows: usize) -> bool {
        if column.form.descriptor.is_some() || !self.has_shape(column, rows) {
            return false;
        }
        match (self.element(), column.element) {
            (Some(Element::Ascii(length) | Element::Ucs4(length)), Element::Ascii(room)) => length <= room,
            (Some(element), other) => element == other,
            (None, _) => false,
        }
    }

    /// Elements and mask of some rows. The mask is empty if there is none.
    pub(crate) fn read(&self, element: Element, first: usize, rows: usize) -> Result<(Vec<u8>, Vec<u8>)> {
        let number = |value: usize| i64::try_from(value).unwrap_or(i64::MAX);
        let mut start = vec![0; self.shape.len()];
        let mut count = self.shape.clone();
        if let (Some(start), Some(count)) = (start.first_mut(), count.first_mut()) {
            *start = number(first);
            *count = number(rows);
        }
        let elements =
            count.iter().try_fold(1_usize, |product, &extent| product.checked_mul(usize::try_from(extent).ok()?));
        let elements = elements.ok_or_else(|| Failure::new(status::BAD_ARRAY, "the column is larger than memory"))?;
        let is_text = matches!(element, Element::Ascii(_) | Element::Ucs4(_));
        let size = if is_text { self.array.item_size()? } else { element.size() };
        let mut bytes: Vec<u8> = zeros(elements * size)?;
        let mut mask: Vec<u8> = zeros(if self.array.has_mask() { elements } else { 0 })?;
        if elements > 0 {
            let wanted = (!mask.is_empty()).then_some(mask.as_mut_slice());
            self.array.read(&start, &count, if is_text { 0 } else { element.code() }, &mut bytes, wanted)?;
        }
        if let Element::Ascii(room) = element
            && self.element() != Some(element)
        {
            bytes = texts(&bytes, self.code, self.length, room)?;
        }
        Ok((bytes, mask))
    }

    /// Longest text in bytes, which is that of the type for ASCII. `None` if a text cannot be one of FITS.
    fn text_width(&self) -> Option<usize> {
        Some(self.length)
    }

    /// Column that stores this one.
    fn column(&self, number: usize, offset: usize) -> Option<Column> {
        let element = self.element()?;
        let (code, conversion) = match element {
            Element::Bool8 => (b'L', Conversion::Logical),
            Element::Uint8 => (b'B', Conversion::Swap),
            Element::Int8 => (b'B', Conversion::Offset),
            Element::Int16 => (b'I', Conversion::Swap),
            Element::Uint16 => (b'I', Conversion::Offset),
            Element::Int32 => (b'J', Conversion::Swap),
            Element::Uint32 => (b'J', Conversion::Offset),
            Element::Int64 => (b'K', Conversion::Swap),
            Element::Uint64 => (b'K', Conversion::Offset),
            Element::Float32 => (b'E', Conversion::Swap),
            Element::Float64 => (b'D', Conversion::Swap),
            Element::Complex64 => (b'C', Conversion::Swap),
            Element::Complex128 => (b'M', Conversion::Swap),
            Element::Ascii(_) | Element::Ucs4(_) => (b'A', Conversion::Bytes),
        };
        let element = match element {
            Element::Ascii(_) | Element::Ucs4(_) => Element::Ascii(self.text_width()?),
            other => other,
        };
        let cell: Vec<usize> = self.shape.iter().skip(1).map(|&extent| usize::try_from(extent).unwrap_or(0)).collect();
        let width = if code == b'A' { element.size() } else { 1 };
        let repeat = cell.iter().try_fold(width, |product, &extent| product.checked_mul(extent))?;
        let null = match element {
            Element::Uint8 => Some(255),
            Element::Int16 => Some(i16::MIN.into()),
            Element::Int32 => Some(i32::MIN.into()),
            Element::Int64 => Some(i64::MIN),
            _ => None,
        };
        Some(Column {
            number,
            name: self.name.clone(),
            unit: respell_unit(&self.unit, SPELLING_VOUNIT, SPELLING_FITS).unwrap_or_else(|| self.unit.clone()),
            form: Form { repeat, code, descriptor: None },
            offset,
            cell,
            element,
            conversion,
            null: null.filter(|_| self.array.has_mask()),
        })
    }
}

/// Texts as ASCII of a fixed number of bytes.
fn texts(bytes: &[u8], code: i32, length: usize, room: usize) -> Result<Vec<u8>> {
    let width = if code == 52 { 4 } else { 1 };
    if length == 0 || room == 0 {
        let count = if length == 0 { 0 } else { bytes.len() / (length * width) };
        return zeros(count * room);
    }
    let count = bytes.len() / (length * width);
    let mut all: Vec<u8> = zeros(count * room)?;
    for (text, to) in bytes.chunks_exact(length * width).zip(all.chunks_exact_mut(room)) {
        for (index, unit) in text.chunks_exact(width).enumerate() {
            let value = unit.try_into().map_or(u32::from(unit[0]), u32::from_ne_bytes);
            let Some(to) = to.get_mut(index) else { break };
            // Bytes beyond ASCII come from FITS files that hold Latin-1.
            *to = u8::try_from(value)
                .map_err(|_| Failure::new(status::UNSUPPORTED, format!("FITS has no character U+{value:04X}")))?;
        }
    }
    Ok(all)
}

/// Cards of a column.
fn cards_of(column: &Column) -> Vec<Card> {
    let number = column.number;
    let text = |keyword: &str, text: String| Card::new(&format!("{keyword}{number}"), Value::Text(text), "");
    let mut cards = vec![
        text("TTYPE", column.name.clone()),
        text("TFORM", format!("{}{}", column.form.repeat, char::from(column.form.code))),
    ];
    if !column.unit.is_empty() {
        cards.push(text("TUNIT", column.unit.clone()));
    }
    let is_text = column.form.code == b'A';
    if column.cell.len() > usize::from(!is_text) {
        let first = is_text.then(|| column.element.size());
        let extents: Vec<String> =
            first.into_iter().chain(column.cell.iter().rev().copied()).map(|extent| extent.to_string()).collect();
        cards.push(text("TDIM", format!("({})", extents.join(","))));
    }
    let zero = match column.element {
        Element::Int8 => "-128",
        Element::Uint16 => "32768",
        Element::Uint32 => "2147483648",
        Element::Uint64 => "9223372036854775808",
        _ => "",
    };
    if !zero.is_empty() {
        cards.push(Card::new(&format!("TSCAL{number}"), Value::Integer(1), ""));
        let value = zero.parse().map_or(Value::Other(zero.into()), Value::Integer);
        cards.push(Card::new(&format!("TZERO{number}"), value, ""));
    }
    if let Some(null) = column.null {
        cards.push(Card::new(&format!("TNULL{number}"), Value::Integer(null), "missing value"));
    }
    cards
}

/// Columns that a header describes, each with its column in the tree, if they fit. `None` otherwise.
fn described(
    groups: &[Group],
    columns: &[TreeColumn],
    rows: usize,
    hdu: usize,
) -> Option<Vec<(Column, Option<usize>)>> {
    let raw = groups.iter().flat_map(|group| group.raw.iter().copied()).collect();
    let header = Header::of_cards(raw, hdu);
    let fields = header.integer("TFIELDS").and_then(|fields| usize::try_from(fields).ok())?;
    let mut offset = 0_usize;
    let mut all = Vec::new();
    for number in 1..=fields.min(999) {
        let column = Column::read(&header, number, offset).ok()?;
        offset = offset.checked_add(column.form.width()?)?;
        all.push(column);
    }
    let names = column_names(all.iter().map(|column| column.name.as_str()));
    let mut used = 0;
    let mut pairs = Vec::new();
    for (column, name) in all.into_iter().zip(names) {
        if column.cell_size() == 0 {
            pairs.push((column, None));
            continue;
        }
        let index = columns.iter().position(|tree| tree.name == name)?;
        let needs_null = columns[index].array.has_mask() && column.null.is_none();
        let can_miss = column.conversion == Conversion::Logical || missing_is_nan(column.element);
        if !columns[index].fits(&column, rows) || needs_null && !can_miss {
            return None;
        }
        used += 1;
        pairs.push((column, Some(index)));
    }
    (used == columns.len()).then_some(pairs)
}

fn missing_is_nan(element: Element) -> bool {
    matches!(element, Element::Float32 | Element::Float64 | Element::Complex64 | Element::Complex128)
}

/// Writes the columns as a binary table. The header keeps its cards where these describe the columns.
pub(crate) fn write(
    mut groups: Vec<Group>,
    columns: &[TreeColumn],
    place: &str,
    output: &mut Output,
    report: &mut Report,
) -> Result<bool> {
    let stated = groups.iter().find(|group| group.card.keyword == "NAXIS2").and_then(|group| group.card.integer());
    // A table without columns has rows, too.
    let rows = columns.first().map_or(stated, |column| column.shape.first().copied());
    let rows = usize::try_from(rows.unwrap_or(0)).unwrap_or(0);
    if columns.iter().any(|column| column.shape.first().copied() != i64::try_from(rows).ok()) {
        return Err(Failure::new(status::BAD_ARRAY, format!("{place}: the columns have different numbers of rows")));
    }
    let mut is_changed = false;
    let kept = described(&groups, columns, rows, output.hdus);
    let is_anew = kept.is_none();
    let pairs = kept.unwrap_or_else(|| anew(columns, place, report));
    let width = |column: &Column| column.form.width().unwrap_or(0);
    let row_size: usize = pairs.iter().map(|(column, _)| width(column)).sum();
    let axes = [row_size, rows].map(|extent| i64::try_from(extent).unwrap_or(i64::MAX));
    let mut required = super::structure::first_cards(Some("BINTABLE"), 8, &axes, 0);
    required.push(Card::new("TFIELDS", Value::Integer(i64::try_from(pairs.len()).unwrap_or(0)), "number of columns"));
    if is_anew {
        let before = groups.len();
        groups.retain(|group| !is_of_column(&group.card.keyword));
        is_changed |= before != groups.len();
    }
    groups.retain(|group| group.card.keyword != "THEAP");
    is_changed |= set(&mut groups, &required);
    if is_anew {
        let cards = pairs.iter().flat_map(|(column, _)| cards_of(column)).map(group_of);
        let rest = groups.split_off(required.len());
        groups.extend(cards);
        groups.extend(rest);
    }
    let cards: Vec<_> = groups.iter().flat_map(|group| group.raw.iter().copied()).collect();
    output.header(&cards)?;
    write_rows(&pairs, columns, rows, row_size, place, output, report)?;
    output.pad(0)?;
    Ok(is_changed || is_anew)
}

/// Columns that are described anew.
fn anew(columns: &[TreeColumn], place: &str, report: &mut Report) -> Vec<(Column, Option<usize>)> {
    let mut pairs: Vec<(Column, Option<usize>)> = Vec::new();
    let mut offset = 0;
    for (index, tree) in columns.iter().enumerate() {
        match tree.column(pairs.len() + 1, offset) {
            Some(column) => {
                offset += column.form.width().unwrap_or(0);
                if tree.array.has_mask()
                    && column.null.is_none()
                    && column.conversion != Conversion::Logical
                    && !missing_is_nan(column.element)
                {
                    report.loss(place, format!("the mask of column {} has no form in FITS", tree.name));
                }
                pairs.push((column, Some(index)));
            }
            None => report.loss(place, format!("column {} has a datatype that FITS lacks", tree.name)),
        }
    }
    pairs
}

fn write_rows(
    pairs: &[(Column, Option<usize>)],
    columns: &[TreeColumn],
    rows: usize,
    row_size: usize,
    place: &str,
    output: &mut Output,
    report: &mut Report,
) -> Result<()> {
    let step = (PIECE / row_size.max(1)).max(1);
    let mut is_reported = vec![false; pairs.len()];
    for first in (0..rows).step_by(step) {
        let count = step.min(rows - first);
        let mut stored: Vec<u8> = zeros(count * row_size)?;
        for (number, (column, tree)) in pairs.iter().enumerate() {
            let Some(tree) = tree.map(|index| &columns[index]) else { continue };
            let (mut elements, mask) = tree.read(column.element, first, count)?;
            fill_missing(column, tree, &mut elements, &mask);
            let (size, items) = (column.cell_size(), column.elements());
            if size == 0 {
                continue;
            }
            for (row, cell) in elements.chunks_exact(size).enumerate() {
                let start = row * row_size + column.offset;
                let to = &mut stored[start..start + column.form.width().unwrap_or(0)];
                let missing = mask.get(row * items..(row + 1) * items).unwrap_or_default();
                column.encode(cell, missing, to);
                if matches!(column.conversion, Conversion::Scaled { .. })
                    && !is_reported[number]
                    && !is_near(column, to, cell)
                {
                    is_reported[number] = true;
                    report.loss(place, format!("column {}: TSCAL and TZERO cannot hold its new values", column.name));
                }
            }
        }
        output.bytes(&stored)?;
    }
    Ok(())
}

/// Replaces missing elements by the value that stands for them.
fn fill_missing(column: &Column, tree: &TreeColumn, elements: &mut [u8], mask: &[u8]) {
    if mask.is_empty() || column.conversion == Conversion::Logical {
        return;
    }
    let size = column.element.size();
    let value = match column.null {
        Some(null) => {
            let bytes = null.to_le_bytes();
            let mut value = bytes[..size.min(8)].to_vec();
            if cfg!(target_endian = "big") {
                value.reverse();
            }
            value
        }
        None => match missing_value(&tree.array, column.element) {
            Some(value) if missing_is_nan(column.element) => value,
            _ => return,
        },
    };
    for (element, _) in elements.chunks_exact_mut(size).zip(mask).filter(|(_, missing)| **missing != 0) {
        element.copy_from_slice(&value);
    }
}

/// Returns true if the stored numbers of a cell are the nearest ones to its elements.
fn is_near(column: &Column, stored: &[u8], elements: &[u8]) -> bool {
    let Conversion::Scaled { scale, .. } = column.conversion else { return true };
    let mut again = vec![0; elements.len()];
    column.decode(stored, &mut again);
    again.as_chunks::<8>().0.iter().zip(elements.as_chunks::<8>().0).all(|(again, element)| {
        let (again, element) = (f64::from_ne_bytes(*again), f64::from_ne_bytes(*element));
        (again - element).abs() <= scale.abs() || again.is_nan() && element.is_nan()
    })
}
