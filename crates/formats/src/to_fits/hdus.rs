//! A node with the tag `fits/fits` as the file that it describes.

use super::entries::{self, card_of};
use super::image::{self, write_pixels};
use super::merge::merge;
use super::output::Output;
use super::stored::{is_unchanged, with_bytes};
use super::structure::{first_cards, group_of, set, set_scaling};
use super::table;
use crate::core::{Array, Node};
use crate::element::Element;
use crate::failure::{Failure, Result, status, zeros};
use crate::fits::CARD;
use crate::fits::card::{Card, Value};
use crate::fits::file::{Hdu, Kind, structure};
use crate::fits::format::format;
use crate::fits::group::{Group, groups, raw_cards};
use crate::fits::header::Header;
use crate::fits::image::ImageForm;
use crate::report::Report;
use crate::to_asdf::Entry;

/// Kinds of nodes in the core.
pub(crate) mod kind {
    pub(crate) const NULL: i32 = 0;
    pub(crate) const BOOL: i32 = 1;
    pub(crate) const INTEGER: i32 = 2;
    pub(crate) const FLOAT: i32 = 3;
    pub(crate) const STRING: i32 = 5;
    pub(crate) const TIMESTAMP: i32 = 6;
    pub(crate) const ARRAY: i32 = 8;
    pub(crate) const NUMBER_LIST: i32 = 9;
    pub(crate) const SEQUENCE: i32 = 10;
    pub(crate) const MAPPING: i32 = 11;
    pub(crate) const TABLE: i32 = 12;
    pub(crate) const QUANTITY: i32 = 14;
    pub(crate) const TIME: i32 = 15;
}

/// Writes all HDUs of a node.
pub(crate) fn write(root: &Node, key: &str, output: &mut Output, report: &mut Report) -> Result<()> {
    let key = key.replace('~', "~0").replace('/', "~1");
    let count = root.count(&key)?;
    for index in 0..count {
        let node = root.item(&key, index)?;
        let path = format!("cards/{index}");
        let cards = if root.exists(&path) { Some(root.get(&path)?) } else { None };
        write_hdu(&node, cards.as_ref(), &format!("{key}/{index}"), output, report)
            .map_err(|failure| Failure::new(failure.status, format!("HDU {index}: {}", failure.message)))?;
    }
    for index in 0..root.count("")? {
        let name = root.key(index)?;
        if name != key && !matches!(name.as_str(), "cards" | "wcs" | "asdf_library" | "history") {
            report.loss(name, "only the HDUs of the tag fits/fits are written");
        }
    }
    Ok(())
}

/// Exact cards beside an HDU, and the structure that they state.
fn exact_hdu(cards: Option<&Node>, index: usize) -> Result<Option<Hdu>> {
    let Some(cards) = cards.filter(|cards| cards.exists("header")) else { return Ok(None) };
    let array = cards.get_array("header")?;
    let (shape, code) = (array.shape()?, array.code()?);
    let is_text = code == 51 && shape.len() == 1 && array.text_length()? == CARD as i64;
    if !is_text && (code != 11 || shape.len() != 2 || shape[1] != CARD as i64) {
        return Err(Failure::new(status::BAD_ARRAY, format!("cards/{index}/header is not an array of cards")));
    }
    let count = usize::try_from(shape[0]).unwrap_or(0);
    let mut bytes: Vec<u8> = zeros(count * CARD)?;
    array.read(&vec![0; shape.len()], &shape, 0, &mut bytes, None)?;
    // A text ends before NULs, which no card holds.
    bytes.iter_mut().filter(|byte| is_text && **byte == 0).for_each(|byte| *byte = b' ');
    structure(Header::of_cards(raw_cards(&bytes), index)).map(Some)
}

fn write_hdu(node: &Node, cards: Option<&Node>, place: &str, output: &mut Output, report: &mut Report) -> Result<()> {
    let tree_entries = entries::read(node)?;
    let exact = exact_hdu(cards, output.hdus)?;
    let Some(hdu) = exact else {
        let groups = groups_of(&tree_entries, place, report);
        return write_data(node, groups, false, place, output, report);
    };
    let is_compressed = hdu.kind == Kind::CompressedImage;
    let merged = merge(groups(&hdu.header.cards), tree_entries.clone(), is_compressed, place, report);
    let stored = cards.filter(|cards| cards.exists("stored")).map(|cards| cards.get_array("stored")).transpose()?;
    let Some(stored) = stored else {
        return write_data(node, merged.groups, merged.is_changed, place, output, report);
    };
    if is_unchanged(node, &stored, &hdu)? {
        return write_stored(&stored, &hdu, merged.groups, merged.is_changed, output);
    }
    if is_compressed {
        report.note(place, "the image was changed and is written without compression");
        let groups = groups_of(&tree_entries, place, report);
        return write_data(node, groups, true, place, output, report);
    }
    write_data(node, merged.groups, true, place, output, report)
}

/// Makes all cards from the entries.
fn groups_of(entries: &[Entry], place: &str, report: &mut Report) -> Vec<Group> {
    let mut all = Vec::new();
    for entry in entries {
        let card = card_of(entry);
        match format(&card) {
            Some(raw) => all.push(Group { is_continued: raw.len() > 1, raw, card }),
            None => report.loss(place, format!("no card can hold the entry {}", entry.keyword)),
        }
    }
    all
}

fn raw_of(groups: &[Group]) -> Vec<crate::fits::card::Raw> {
    groups.iter().flat_map(|group| group.raw.iter().copied()).collect()
}

/// Has checksums renewed if the header has any and something changed.
fn renew(groups: &[Group], is_changed: bool, output: &mut Output) {
    let has_sums = groups.iter().any(|group| matches!(group.card.keyword.as_str(), "CHECKSUM" | "DATASUM"));
    if is_changed && has_sums {
        output.renew_checksums();
    }
}

/// Writes the data as they were stored.
fn write_stored(stored: &Array, hdu: &Hdu, groups: Vec<Group>, is_changed: bool, output: &mut Output) -> Result<()> {
    output.header(&raw_of(&groups))?;
    renew(&groups, is_changed, output);
    if hdu.kind == Kind::Image {
        write_pixels(stored, ImageForm::of(&hdu.header, hdu.bitpix).stored(), output)?;
    } else {
        with_bytes(stored, hdu, |bytes| output.bytes(bytes))??;
    }
    output.pad(if hdu.kind == Kind::TextTable { b' ' } else { 0 })
}

/// Writes the data in the tree.
fn write_data(
    node: &Node,
    groups: Vec<Group>,
    is_changed: bool,
    place: &str,
    output: &mut Output,
    report: &mut Report,
) -> Result<()> {
    let data = if node.exists("data") { node.kind("data")? } else { kind::NULL };
    match data {
        kind::NULL => write_image(groups, None, is_changed, output),
        kind::ARRAY | kind::NUMBER_LIST => {
            let array = node.get_array("data")?;
            let says_none = groups.iter().any(|group| group.card.keyword == "NAXIS" && group.card.integer() == Some(0));
            if says_none && array.shape()? == [0] {
                return write_image(groups, None, is_changed, output);
            }
            if ImageForm::storing(element_of(&array)?).is_none() {
                return write_as_table(&groups, array, place, output, report);
            }
            write_image(groups, Some(&array), is_changed, output)
        }
        kind::TABLE => {
            let columns = table::tree_columns(node, "data")?;
            start_extension(output, place, report)?;
            let changed = table::write(groups.clone(), &columns, place, output, report)?;
            renew(&groups, is_changed || changed, output);
            Ok(())
        }
        _ => Err(Failure::new(status::WRONG_TYPE, "data is no array and no table")),
    }
}

/// Writes an empty primary HDU if an extension would be the first.
pub(crate) fn start_extension(output: &mut Output, place: &str, report: &mut Report) -> Result<()> {
    if output.hdus == 0 {
        report.note(place, "a table cannot be the first HDU: an empty one is written before it");
        write_image(Vec::new(), None, false, output)?;
    }
    Ok(())
}

/// Writes an array that no image can hold as a table with one row.
pub(crate) fn write_as_table(
    groups: &[Group],
    array: Array,
    place: &str,
    output: &mut Output,
    report: &mut Report,
) -> Result<()> {
    start_extension(output, place, report)?;
    let unit = array.unit();
    let column = table::TreeColumn::new("data".into(), unit, array)?;
    let kept = groups.iter().filter(|group| !super::structure::is_structural(&group.card.keyword)).cloned().collect();
    table::write(kept, &[column], place, output, report)?;
    Ok(())
}

/// Type of the elements of an array in a FITS file.
pub(crate) fn element_of(array: &Array) -> Result<Element> {
    match array.code()? {
        // binary16: every value is one of binary32.
        21 => Ok(Element::Float32),
        code => {
            let length = if matches!(code, 51 | 52) { usize::try_from(array.text_length()?).unwrap_or(0) } else { 0 };
            Element::of_code(code, length)
                .ok_or_else(|| Failure::new(status::UNSUPPORTED, "FITS has no data of this datatype"))
        }
    }
}

/// Writes an image, or an HDU without data.
pub(crate) fn write_image(
    mut groups: Vec<Group>,
    array: Option<&Array>,
    is_changed: bool,
    output: &mut Output,
) -> Result<()> {
    let extension = groups
        .iter()
        .find(|group| group.card.keyword == "XTENSION")
        .and_then(|group| group.card.text())
        .filter(|name| matches!(*name, "IMAGE" | "IUEIMAGE") || array.is_none())
        .unwrap_or("IMAGE")
        .to_owned();
    let extension = (output.hdus > 0).then_some(extension.as_str());
    let form = match array {
        Some(array) => ImageForm::storing(element_of(array)?),
        None => None,
    };
    let old = groups.iter().find(|group| group.card.keyword == "BITPIX").and_then(|group| group.card.integer());
    let bitpix = form.map_or_else(|| old.unwrap_or(8), |form| form.bitpix);
    let axes = match array {
        None => Vec::new(),
        Some(array) => {
            let mut axes = array.shape()?;
            axes.reverse();
            // Without an axis there are no data.
            if axes.is_empty() { vec![1] } else { axes }
        }
    };
    let mut changed = set(&mut groups, &first_cards(extension, bitpix, &axes, 0));
    if let Some(form) = form {
        changed |= set_scaling(&mut groups, form);
        let is_missing =
            array.is_some_and(Array::has_mask) && !groups.iter().any(|group| group.card.keyword == "BLANK");
        if let Some(blank) = image::blank(form.element()).filter(|_| is_missing) {
            groups.push(group_of(Card::new("BLANK", Value::Integer(blank), "missing value")));
        }
    }
    output.header(&raw_of(&groups))?;
    renew(&groups, is_changed || changed, output);
    if let (Some(array), Some(form)) = (array, form) {
        write_pixels(array, form, output)?;
    }
    output.pad(0)
}
