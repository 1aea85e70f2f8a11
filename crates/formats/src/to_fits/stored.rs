//! Data as they were stored, and whether the data in the tree still follow from them.

use std::io::Write;

use super::image::regions;
use super::table::{TreeColumn, tree_columns};
use crate::core::{Array, Node};
use crate::element::{Element, swap_into};
use crate::failure::{Failure, Result, status, zeros};
use crate::fits::BLOCK;
use crate::fits::compressed::{Compressed, Structure};
use crate::fits::file::{Hdu, Kind};
use crate::fits::image::ImageForm;
use crate::fits::table::Table;
use crate::fits::text_table::TextTable;
use crate::to_asdf::{column_names, is_held};

const PIECE: usize = 1 << 17;

/// Returns true if the data in the tree follow from the stored ones: nobody edited them.
pub(crate) fn is_unchanged(node: &Node, stored: &Array, hdu: &Hdu) -> Result<bool> {
    match hdu.kind {
        Kind::Image => image(node, stored, hdu),
        Kind::CompressedImage => compressed(node, stored, hdu),
        Kind::BinaryTable => {
            let columns = tree_columns(node, "data")?;
            with_bytes(stored, hdu, |bytes| binary_table(columns, bytes, hdu))?
        }
        Kind::TextTable => {
            let columns = tree_columns(node, "data")?;
            with_bytes(stored, hdu, |bytes| text_table(columns, bytes, hdu))?
        }
        Kind::Other => Ok(true),
    }
}

/// Calls a function with the bytes of an array, as the file has them.
pub(crate) fn with_bytes<T>(stored: &Array, hdu: &Hdu, use_bytes: impl FnOnce(&[u8]) -> T) -> Result<T> {
    let size: i64 = stored.shape()?.iter().product();
    if usize::try_from(size).ok() != Some(hdu.data_size) {
        return Err(Failure::new(
            status::BAD_ARRAY,
            format!("cards/{}/stored has {size} bytes, but its header states {}", hdu.header.hdu, hdu.data_size),
        ));
    }
    let mut use_bytes = Some(use_bytes);
    let direct = stored.with_stored(1, |bytes, _| use_bytes.take().map(|use_bytes| use_bytes(bytes)));
    if let Some(Some(result)) = direct {
        return Ok(result);
    }
    let mut bytes: Vec<u8> = zeros(hdu.data_size)?;
    if size > 0 {
        stored.read(&[0], &[size], Element::Uint8.code(), &mut bytes, None)?;
    }
    let use_bytes = use_bytes.ok_or_else(|| Failure::new(status::INTERNAL, "bytes used twice"))?;
    Ok(use_bytes(&bytes))
}

/// Returns true if elements are equal bit by bit, or both NaN.
fn same(element: Element, one: &[u8], other: &[u8]) -> bool {
    if one == other {
        return true;
    }
    let nan32 = |bytes: &[u8; 4]| f32::from_ne_bytes(*bytes).is_nan();
    let nan64 = |bytes: &[u8; 8]| f64::from_ne_bytes(*bytes).is_nan();
    match element {
        Element::Float32 => {
            let (one, other) = (one.as_chunks::<4>().0, other.as_chunks::<4>().0);
            one.iter().zip(other).all(|(one, other)| one == other || nan32(one) && nan32(other))
        }
        Element::Float64 => {
            let (one, other) = (one.as_chunks::<8>().0, other.as_chunks::<8>().0);
            one.iter().zip(other).all(|(one, other)| one == other || nan64(one) && nan64(other))
        }
        _ => false,
    }
}

/// Compares an array of the tree with elements that a function makes, piece by piece.
fn compare(
    data: &Array,
    element: Element,
    shape: &[i64],
    mut make: impl FnMut(usize, &mut [u8]) -> Result<()>,
) -> Result<bool> {
    if data.shape()? != shape || data.code()? != element.code() || data.has_mask() {
        return Ok(false);
    }
    let size = element.size();
    let (mut here, mut there) = (Vec::new(), Vec::new());
    let mut first = 0;
    for region in regions(shape, PIECE) {
        here.resize(region.elements * size, 0);
        there.resize(region.elements * size, 0);
        data.read(&region.start, &region.count, element.code(), &mut here, None)?;
        make(first, &mut there)?;
        if !same(element, &here, &there) {
            return Ok(false);
        }
        first += region.elements;
    }
    Ok(true)
}

fn image(node: &Node, stored: &Array, hdu: &Hdu) -> Result<bool> {
    let form = ImageForm::of(&hdu.header, hdu.bitpix);
    let plain = form.stored().element();
    let shape = hdu.shape();
    if stored.shape()? != shape || stored.code()? != plain.code() {
        return Ok(false);
    }
    let pieces = regions(&shape, PIECE);
    let mut next = pieces.iter();
    compare(&node.get_array("data")?, form.element(), &shape, |_, elements| {
        let Some(region) = next.next() else { return Ok(()) };
        let mut native: Vec<u8> = zeros(region.elements * plain.size())?;
        stored.read(&region.start, &region.count, plain.code(), &mut native, None)?;
        let mut bytes: Vec<u8> = zeros(native.len())?;
        swap_into(plain.size(), &native, &mut bytes);
        form.decode(&bytes, elements);
        Ok(())
    })
}

fn compressed(node: &Node, stored: &Array, hdu: &Hdu) -> Result<bool> {
    let made = with_bytes(stored, hdu, |bytes| {
        let structure = Structure::of(hdu, bytes).and_then(|structure| {
            let count = structure.shape.iter().product::<i64>();
            structure.check(hdu, bytes, 0, usize::try_from(count).unwrap_or(usize::MAX))?;
            Ok(structure)
        });
        (structure, alone(hdu, bytes))
    })?;
    let (Ok(structure), file) = made else { return Ok(false) };
    let file = file.map_err(|error| Failure::new(status::IO, format!("temporary file: {error}")))?;
    let image = Compressed::open_at(file.path(), 1, 0, structure.form)?;
    compare(&node.get_array("data")?, structure.form.element(), &structure.shape, |first, elements| {
        image.read(first, elements)
    })
}

/// Writes an HDU to a temporary file of its own, for cfitsio.
fn alone(hdu: &Hdu, data: &[u8]) -> std::io::Result<tempfile::NamedTempFile> {
    let mut file = tempfile::Builder::new().prefix("asdfkit-").suffix(".fits").tempfile()?;
    let mut bytes = Vec::new();
    for card in
        ["SIMPLE  =                    T", "BITPIX  =                    8", "NAXIS   =                    0", "END"]
    {
        bytes.extend(format!("{card:<80}").into_bytes());
    }
    bytes.resize(BLOCK, b' ');
    bytes.extend_from_slice(hdu.header.cards.as_flattened());
    bytes.extend(format!("{:<80}", "END").into_bytes());
    bytes.resize(bytes.len().next_multiple_of(BLOCK), b' ');
    file.write_all(&bytes)?;
    file.write_all(data)?;
    file.write_all(&vec![0; data.len().next_multiple_of(BLOCK) - data.len()])?;
    file.flush()?;
    Ok(file)
}

fn binary_table(columns: Vec<TreeColumn>, bytes: &[u8], hdu: &Hdu) -> Result<bool> {
    let table = Table::read(hdu, bytes)?;
    let names = column_names(table.columns.iter().map(|column| column.name.as_str()));
    let held: Vec<usize> = (0..names.len()).filter(|&index| is_held(&table, index, bytes.len())).collect();
    if held.len() != columns.len() {
        return Ok(false);
    }
    for index in held {
        let column = &table.columns[index];
        let Some(tree) = columns.iter().find(|tree| tree.name == names[index]) else { return Ok(false) };
        if !tree.is_like(column, table.rows) {
            return Ok(false);
        }
        let item = column.elements();
        let rows = (PIECE / column.cell_size().max(1)).max(1);
        for first in (0..table.rows).step_by(rows) {
            let count = rows.min(table.rows - first);
            let (here, mask) = tree.read(column.element, first, count)?;
            let mut there: Vec<u8> = zeros(count * column.cell_size())?;
            table.decode(column, bytes, first, &mut there)?;
            if !same(column.element, &here, &there) {
                return Ok(false);
            }
            if column.null.is_none() {
                let mut missing: Vec<u8> = zeros(count * item)?;
                table.mask(column, bytes, first, &mut missing);
                let is_same = if mask.is_empty() { missing.iter().all(|&byte| byte == 0) } else { mask == missing };
                if !is_same {
                    return Ok(false);
                }
            }
        }
    }
    Ok(true)
}

fn text_table(columns: Vec<TreeColumn>, bytes: &[u8], hdu: &Hdu) -> Result<bool> {
    let table = TextTable::read(hdu)?;
    let names = column_names(table.columns.iter().map(|column| column.name.as_str()));
    let held = table.columns.iter().filter(|column| column.element.size() > 0).count();
    if held != columns.len() {
        return Ok(false);
    }
    for (column, name) in table.columns.iter().zip(&names).filter(|(column, _)| column.element.size() > 0) {
        let Some(tree) = columns.iter().find(|tree| tree.name == *name) else { return Ok(false) };
        let fits = tree.shape == [i64::try_from(table.rows).unwrap_or(0)] && tree.element() == Some(column.element);
        if !fits {
            return Ok(false);
        }
        let (here, _) = tree.read(column.element, 0, table.rows)?;
        let mut there: Vec<u8> = zeros(table.rows * column.element.size())?;
        table.decode(column, bytes, 0, &mut there);
        if !same(column.element, &here, &there) {
            return Ok(false);
        }
    }
    Ok(true)
}
