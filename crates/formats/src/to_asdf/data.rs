//! Data of an HDU in the tree.

use std::sync::{Arc, OnceLock};

use super::Pixels;
use super::elements::{ColumnElements, CompressedElements, ImageElements, StoredBytes, TextColumnElements};
use crate::core::{Elements, Node, Options, SPELLING_FITS, SPELLING_VOUNIT, respell_unit};
use crate::element::Element;
use crate::failure::Result;
use crate::fits::compressed::Structure;
use crate::fits::file::{FitsFile, Hdu, Kind};
use crate::fits::header::Header;
use crate::fits::image::{ImageForm, Scaling};
use crate::fits::table::Table;
use crate::fits::text_table::TextTable;
use crate::report::Report;

pub(crate) const UINT8: i32 = 11;
pub(crate) const BOOL8: i32 = 41;
pub(crate) const TEXT_DATATYPE_ASCII: i32 = 51;

/// A padded column may be this many times as large as the cells that it holds.
const MAX_PADDING: usize = 16;

/// Name of an HDU in messages: number, EXTNAME and EXTVER.
pub(crate) fn place_of(header: &Header) -> String {
    match (header.text("EXTNAME"), header.integer("EXTVER")) {
        (Some(name), Some(version)) => format!("HDU {} ({name},{version})", header.hdu),
        (Some(name), None) => format!("HDU {} ({name})", header.hdu),
        _ => format!("HDU {}", header.hdu),
    }
}

/// Writes the data of an HDU to its mapping, and what does not follow from these to that of its cards.
pub(crate) fn set_data(
    node: &Node,
    cards: &Node,
    (file, hdu): (&Arc<FitsFile>, &Hdu),
    pixels: Pixels,
    place: &str,
    report: &mut Report,
) -> Result<()> {
    match hdu.kind {
        Kind::Image if hdu.axes.is_empty() => set_no_data(node, hdu),
        Kind::Image => set_image(node, cards, file, hdu, pixels),
        Kind::CompressedImage => {
            let structure = Structure::of(hdu, file.data(hdu))?;
            let (element, shape) = (structure.form.element(), structure.shape.clone());
            let elements =
                CompressedElements { file: file.clone(), hdu: hdu.header.hdu, structure, opened: OnceLock::new() };
            set_elements(node, "data", element, &shape, Box::new(elements))?;
            set_stored_bytes(cards, file, hdu)
        }
        Kind::BinaryTable => set_table(node, cards, file, hdu, place, report),
        Kind::TextTable => {
            set_text_table(node, file, hdu)?;
            set_stored_bytes(cards, file, hdu)
        }
        Kind::Other => {
            report.note(place, "data of this kind are only under the key cards, as bytes");
            set_no_data(node, hdu)?;
            set_stored_bytes(cards, file, hdu)
        }
    }
}

/// asdf-astropy refuses an extension whose data are null, so it gets an array without elements.
fn set_no_data(node: &Node, hdu: &Hdu) -> Result<()> {
    if hdu.header.hdu == 0 {
        return Ok(());
    }
    let element = ImageForm { bitpix: hdu.bitpix, scaling: Scaling::Plain }.element();
    node.set_array("data", element.code(), &[0], &[], None)
}

fn set_elements(node: &Node, path: &str, element: Element, shape: &[i64], elements: Box<dyn Elements>) -> Result<()> {
    let length = match element {
        Element::Ascii(length) | Element::Ucs4(length) => length,
        _ => return node.set_elements(path, element.code(), shape, elements, None),
    };
    let options = Options::new()?;
    options.set_text_datatype(element.code(), i64::try_from(length).unwrap_or(i64::MAX))?;
    node.set_elements(path, 0, shape, elements, Some(&options))
}

fn set_image(node: &Node, cards: &Node, file: &Arc<FitsFile>, hdu: &Hdu, pixels: Pixels) -> Result<()> {
    let mut form = ImageForm::of(&hdu.header, hdu.bitpix);
    let data = file.data(hdu);
    // Without an undefined pixel, integers stay integers.
    if let Scaling::Physical { scale, zero, blank: Some(_) } = form.scaling
        && scale == 1.0
        && zero == 0.0
        && !form.has_blank(data)
    {
        form = form.stored();
    }
    // The core reads numbers of an HDU as astropy does, which are those of this form, too.
    if pixels == Pixels::Named && form == ImageForm::of(&hdu.header, hdu.bitpix) && !form.is_physical() {
        return set_name(node, hdu, form.element());
    }
    let elements = |form| ImageElements { file: file.clone(), hdu: hdu.header.hdu, form };
    set_elements(node, "data", form.element(), &hdu.shape(), Box::new(elements(form)))?;
    if form.is_physical() {
        let stored = form.stored();
        set_elements(cards, "stored", stored.element(), &hdu.shape(), Box::new(elements(stored)))?;
    }
    Ok(())
}

/// Makes the data an array whose elements are those of the HDU.
fn set_name(node: &Node, hdu: &Hdu, element: Element) -> Result<()> {
    node.set_mapping("data", 1)?;
    node.set_tag("data", "!core/ndarray-1.1.0")?;
    node.set_string("data/source", &format!("fits:{}", hdu.header.hdu))?;
    node.set_string("data/datatype", element.name())?;
    node.set_string("data/byteorder", "big")?;
    node.set_sequence("data/shape", 1)?;
    hdu.shape().iter().try_for_each(|&extent| node.set_i64("data/shape/-", extent))
}

fn set_stored_bytes(cards: &Node, file: &Arc<FitsFile>, hdu: &Hdu) -> Result<()> {
    let size = i64::try_from(hdu.data_size).unwrap_or(i64::MAX);
    let elements = StoredBytes { file: file.clone(), hdu: hdu.header.hdu };
    set_elements(cards, "stored", Element::Uint8, &[size], Box::new(elements))
}

/// Starts a table node.
fn start_table(node: &Node) -> Result<()> {
    node.set_mapping("data", 0)?;
    node.set_tag("data", "!table/table-1.2.0")?;
    node.set_sequence("data/columns", 0)
}

/// Appends a column without its data.
fn add_column(node: &Node, name: &str, unit: &str) -> Result<Node> {
    let column = node.make_node("data/columns/-")?;
    column.set_mapping("", 0)?;
    column.set_tag("", "!table/column-1.2.0")?;
    column.set_string("name", name)?;
    if !unit.is_empty() {
        match respell_unit(unit, SPELLING_FITS, SPELLING_VOUNIT) {
            Some(unit) => {
                column.set_string("unit", &unit)?;
                column.set_tag("unit", "!unit/unit-1.0.0")?;
            }
            // A text that no reader takes for a unit of the standard.
            None => column.set_string("unit", unit)?,
        }
    }
    Ok(column)
}

/// Names of columns as a table of ASDF needs them: each once, with a letter.
pub(crate) fn column_names<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for (index, name) in names.enumerate() {
        let name = name.trim();
        let is_name = name.contains(|letter: char| letter.is_ascii_alphabetic() || letter == '_');
        let base = if is_name { name.to_owned() } else { format!("col{}", index + 1) };
        let mut unique = base.clone();
        let mut count = 1;
        while all.iter().any(|other| other.eq_ignore_ascii_case(&unique)) {
            count += 1;
            unique = format!("{base}_{count}");
        }
        all.push(unique);
    }
    all
}

/// Returns true if the table under the tag holds a column.
pub(crate) fn is_held(table: &Table, index: usize, data_size: usize) -> bool {
    let column = &table.columns[index];
    let Some(size) = table.rows.checked_mul(column.cell_size()) else { return false };
    let has_elements = column.elements() > 0 && column.element.size() > 0;
    match column.form.descriptor {
        None => has_elements,
        Some(_) => has_elements && column.form.repeat == 1 && size / MAX_PADDING <= data_size + 65_536,
    }
}

fn set_table(
    node: &Node,
    cards: &Node,
    file: &Arc<FitsFile>,
    hdu: &Hdu,
    place: &str,
    report: &mut Report,
) -> Result<()> {
    let data = file.data(hdu);
    let table = Arc::new(Table::read(hdu, data)?);
    start_table(node)?;
    let rows = i64::try_from(table.rows).unwrap_or(i64::MAX);
    let names = column_names(table.columns.iter().map(|column| column.name.as_str()));
    for (index, (column, name)) in table.columns.iter().zip(&names).enumerate() {
        if !is_held(&table, index, hdu.data_size) {
            report.note(place, format!("column {} ({name}) is only under the key cards, as bytes", index + 1));
            continue;
        }
        let made = add_column(node, name, &column.unit)?;
        let mut shape = vec![rows];
        shape.extend(column.cell.iter().map(|&extent| i64::try_from(extent).unwrap_or(i64::MAX)));
        let elements = |is_mask| ColumnElements {
            file: file.clone(),
            hdu: hdu.header.hdu,
            table: table.clone(),
            column: index,
            is_mask,
        };
        set_elements(&made, "data", column.element, &shape, Box::new(elements(false)))?;
        if table.needs_mask(column, data) {
            made.set_elements("data/mask", BOOL8, &shape, Box::new(elements(true)), None)?;
        } else if let Some(null) = column.null.filter(|_| table.has_null(column, data)) {
            made.set_i64("data/mask", null)?;
        }
    }
    if table.is_exact(data) { Ok(()) } else { set_stored_bytes(cards, file, hdu) }
}

fn set_text_table(node: &Node, file: &Arc<FitsFile>, hdu: &Hdu) -> Result<()> {
    let table = Arc::new(TextTable::read(hdu)?);
    start_table(node)?;
    let rows = i64::try_from(table.rows).unwrap_or(i64::MAX);
    let names = column_names(table.columns.iter().map(|column| column.name.as_str()));
    for (index, (column, name)) in table.columns.iter().zip(&names).enumerate() {
        if column.element.size() == 0 {
            continue;
        }
        let made = add_column(node, name, &column.unit)?;
        let elements =
            TextColumnElements { file: file.clone(), hdu: hdu.header.hdu, table: table.clone(), column: index };
        set_elements(&made, "data", column.element, &[rows], Box::new(elements))?;
    }
    Ok(())
}
