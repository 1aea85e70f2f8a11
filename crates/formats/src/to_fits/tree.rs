//! Any tree as a FITS file, by this rule:
//!
//! - Scalars become cards of the primary header. The keyword is the last part of the path if it has at most 8
//!   characters and no other scalar has it; otherwise it is `HIERARCH` and the parts of the path. Quantities have their
//!   unit in the comment, in brackets.
//! - Arrays become image extensions, tables become binary tables. EXTNAME is the path, in capital letters with dots.
//!   Arrays of complex numbers and texts become tables of one column.
//! - Items of sequences are named by their number.
//! - World coordinates become cards of the images that they belong to: those beside them, or those of their size.
//!
//! Everything else is a loss, which the report names.

use super::entries::node_type;
use super::hdus::{element_of, kind, start_extension, write_as_table, write_image};
use super::output::Output;
use super::structure::{group_of, is_structural};
use super::table;
use crate::core::{Array, Node, SPELLING_FITS, SPELLING_VOUNIT, respell_unit};
use crate::element::Element;
use crate::failure::Result;
use crate::fits::card::{Card, Value};
use crate::fits::format::format;
use crate::fits::group::{Group, groups, raw_cards};
use crate::fits::image::ImageForm;
use crate::report::Report;

/// A node that becomes an HDU.
struct Extension {
    path: Vec<String>,
    node: Node,
    is_table: bool,
}

/// World coordinates in the tree.
struct Coordinates {
    path: Vec<String>,
    cards: Vec<Group>,
    pixels: Vec<i64>,
    is_used: bool,
}

/// Kind of the tree.
#[derive(Default)]
struct Content {
    scalars: Vec<(Vec<String>, Value, String)>,
    extensions: Vec<Extension>,
    coordinates: Vec<Coordinates>,
}

/// Writes a tree.
pub(crate) fn write(root: &Node, output: &mut Output, report: &mut Report) -> Result<()> {
    let mut content = collect(root, report)?;
    let primary = scalar_cards(&content.scalars, report);
    write_image(primary, None, false, output)?;
    let mut names: Vec<String> = Vec::new();
    for extension in &content.extensions {
        let place = extension.path.join("/");
        let name = extension_name(&extension.path);
        let version = names.iter().filter(|other| **other == name).count() + 1;
        let mut groups = vec![group_of(Card::new("EXTNAME", Value::Text(name.clone()), "path in the tree"))];
        if version > 1 {
            let number = Value::Integer(i64::try_from(version).unwrap_or(1));
            groups.push(group_of(Card::new("EXTVER", number, "")));
        }
        names.push(name);
        if extension.is_table {
            write_table(extension, groups, &place, output, report)?;
        } else {
            write_array(extension, groups, &mut content.coordinates, &place, output, report)?;
        }
    }
    for coordinates in content.coordinates.iter().filter(|coordinates| !coordinates.is_used) {
        report.loss(coordinates.path.join("/"), "no image has the size of these world coordinates");
    }
    Ok(())
}

fn is_coordinates(tag: &str) -> bool {
    tag.contains("gwcs/wcs-") || tag.contains("/wcs/wcs-")
}

/// Finds scalars, arrays, tables and coordinates in the order of the tree.
fn collect(root: &Node, report: &mut Report) -> Result<Content> {
    let mut content = Content::default();
    let mut waiting: Vec<(Vec<String>, Node)> = vec![(Vec::new(), root.get("")?)];
    while let Some((path, node)) = waiting.pop() {
        let place = path.join("/");
        let tag = node.tag();
        if is_coordinates(&tag) {
            add_coordinates(&mut content, path, &node, report);
            continue;
        }
        match node.kind("")? {
            kind::MAPPING | kind::SEQUENCE => {
                if !tag.is_empty() && !path.is_empty() && !tag.starts_with("tag:yaml.org") {
                    report.note(&place, format!("the tag {tag} is not written, only what is below it"));
                }
                let is_mapping = node.kind("")? == kind::MAPPING;
                let count = node.count("")?;
                for index in (0..count).rev() {
                    let name = if is_mapping {
                        match node.key(index) {
                            Ok(key) => key,
                            Err(_) => {
                                report.loss(&place, "a key that is no text");
                                continue;
                            }
                        }
                    } else {
                        index.to_string()
                    };
                    let is_of_library = path.is_empty() && matches!(name.as_str(), "asdf_library" | "history");
                    if !is_of_library {
                        let mut below = path.clone();
                        below.push(name);
                        waiting.push((below, node.item("", index)?));
                    }
                }
            }
            kind::ARRAY | kind::NUMBER_LIST => content.extensions.push(Extension { path, node, is_table: false }),
            kind::TABLE => content.extensions.push(Extension { path, node, is_table: true }),
            kind::QUANTITY => add_quantity(&mut content, path, node, report),
            other => match scalar(&node, other) {
                Some(value) => content.scalars.push((path, value, String::new())),
                None => report.loss(&place, "FITS has no form for a node of this kind"),
            },
        }
    }
    Ok(content)
}

fn scalar(node: &Node, kind: i32) -> Option<Value> {
    match kind {
        kind::NULL => Some(Value::Undefined),
        kind::BOOL => node.get_bool("").ok().map(|value| Value::Bool(value != 0)),
        kind::INTEGER => node.get_i64("").ok().map(Value::Integer),
        kind::FLOAT => node.get_f64("").ok().filter(|value| value.is_finite()).map(Value::Float),
        kind::STRING | kind::TIMESTAMP => node.get_string("").ok().map(Value::Text),
        // The text of a time; a mapping with a format and a scale has none.
        kind::TIME if node.node_type("").is_ok_and(|kind| kind != 8 && kind != node_type::SEQUENCE) => {
            node.get_string("").ok().map(Value::Text)
        }
        _ => None,
    }
}

fn add_quantity(content: &mut Content, path: Vec<String>, node: Node, report: &mut Report) {
    let unit = node.unit("").unwrap_or_default();
    if let Ok(value) = node.get_f64("value") {
        if value.is_finite() {
            content.scalars.push((path, Value::Float(value), format!("[{unit}]")));
        } else {
            report.loss(path.join("/"), "FITS has no value for a number that is not finite");
        }
    } else {
        content.extensions.push(Extension { path, node, is_table: false });
    }
}

fn add_coordinates(content: &mut Content, path: Vec<String>, node: &Node, report: &mut Report) {
    let wcs = node.get_wcs("");
    let made = wcs.and_then(|wcs| Ok((wcs.pixel_shape(), wcs.cards()?)));
    match made {
        Ok((pixels, bytes)) => {
            let cards = groups(&raw_cards(&bytes))
                .into_iter()
                .filter(|group| !is_structural(&group.card.keyword) && group.card.keyword != "END")
                .collect();
            content.coordinates.push(Coordinates { path, cards, pixels, is_used: false });
        }
        Err(failure) => report.loss(path.join("/"), format!("no cards for its world coordinates: {}", failure.message)),
    }
}

/// Keyword of a scalar.
fn keyword(path: &[String], scalars: &[(Vec<String>, Value, String)]) -> String {
    let short = |path: &[String]| path.last().map(|name| name.to_uppercase()).unwrap_or_default();
    let last = short(path);
    let is_plain = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_');
    let is_short = !last.is_empty() && last.len() <= 8 && last.bytes().all(is_plain);
    // Keywords with a meaning for the structure of a file.
    let is_taken = is_structural(&last)
        || matches!(last.as_str(), "END" | "COMMENT" | "HISTORY" | "CONTINUE" | "HIERARCH" | "EXTEND" | "GROUPS")
        || matches!(last.as_str(), "BSCALE" | "BZERO" | "BLANK" | "CHECKSUM" | "DATASUM" | "EXTNAME" | "EXTVER")
        || last.bytes().all(|byte| byte.is_ascii_digit());
    let is_once = scalars.iter().filter(|(other, ..)| short(other) == last).count() == 1;
    if is_short && !is_taken && is_once {
        return last;
    }
    let parts: Vec<String> = path.iter().map(|part| part.to_uppercase()).collect();
    format!("HIERARCH {}", parts.join(" "))
}

fn scalar_cards(scalars: &[(Vec<String>, Value, String)], report: &mut Report) -> Vec<Group> {
    let mut all = Vec::new();
    for (path, value, comment) in scalars {
        let keyword = keyword(path, scalars);
        let is_clear = !keyword.contains('=');
        let card = Card { keyword, value: value.clone(), comment: comment.clone() };
        match format(&card).filter(|_| is_clear) {
            Some(raw) => {
                if raw.len() == 1 && Card::parse(&raw[0]).comment != *comment {
                    report.loss(path.join("/"), "the card has no room for the unit");
                }
                all.push(Group { is_continued: raw.len() > 1, raw, card });
            }
            None => report.loss(path.join("/"), "no card can hold this key and its value"),
        }
    }
    all
}

/// Name of an extension, from its path.
fn extension_name(path: &[String]) -> String {
    let name = path.join(".").to_uppercase();
    let printable = name.chars().map(|letter| if (' '..='~').contains(&letter) { letter } else { '_' });
    printable.take(60).collect()
}

fn write_table(
    extension: &Extension,
    groups: Vec<Group>,
    place: &str,
    output: &mut Output,
    report: &mut Report,
) -> Result<()> {
    let node = &extension.node;
    let mut columns = Vec::new();
    let mut rows: Option<i64> = None;
    for index in 0..node.count("columns")? {
        let column = table::tree_column(node, "", index);
        let name = table::tree_column_name(node, "", index).unwrap_or_else(|_| index.to_string());
        let reason = match &column {
            Err(failure) => Some(failure.message.clone()),
            Ok(column) => match column.shape.first() {
                Some(own) if *rows.get_or_insert(*own) == *own => None,
                _ => Some("it has another number of rows than the columns before it".to_owned()),
            },
        };
        if let Some(reason) = reason {
            report.loss(format!("{place}/{name}"), format!("the column is not written: {reason}"));
            continue;
        }
        let item = format!("columns/{index}");
        if ["scale", "format", "base_format", "location"].iter().any(|key| node.exists(&format!("{item}/{key}"))) {
            report.loss(format!("{place}/{name}"), "scale, format and place of times are not written");
        }
        columns.extend(column);
    }
    if columns.is_empty() && node.count("columns")? > 0 {
        report.loss(place, "the table is not written: it has no column that FITS can hold");
        return Ok(());
    }
    if extension.node.exists("meta") && extension.node.count("meta").unwrap_or(0) > 0 {
        report.loss(format!("{place}/meta"), "metadata of tables are not written");
    }
    start_extension(output, place, report)?;
    table::write(groups, &columns, place, output, report)?;
    Ok(())
}

fn write_array(
    extension: &Extension,
    mut groups: Vec<Group>,
    coordinates: &mut [Coordinates],
    place: &str,
    output: &mut Output,
    report: &mut Report,
) -> Result<()> {
    let array = extension.node.get_array("");
    let array = array.or_else(|_| extension.node.get_array("value"));
    let (array, element) = match array.and_then(|array| element_of(&array).map(|element| (array, element))) {
        Ok(found) => found,
        Err(failure) => {
            report.loss(place, format!("the array is not written: {}", failure.message));
            return Ok(());
        }
    };
    if ImageForm::storing(element).is_none() {
        return write_as_table(&groups, array, place, output, report);
    }
    if array.has_mask()
        && matches!(element, Element::Int8 | Element::Uint16 | Element::Uint32 | Element::Uint64 | Element::Bool8)
    {
        report.loss(place, "FITS has no missing elements in images of this datatype");
    }
    if element == Element::Bool8 {
        report.note(place, "the elements are bytes now: 0 and 1");
    }
    let unit = array.unit();
    if !unit.is_empty() {
        let unit = respell_unit(&unit, SPELLING_VOUNIT, SPELLING_FITS).unwrap_or(unit);
        groups.push(group_of(Card::new("BUNIT", Value::Text(unit), "")));
    }
    add_cards(&mut groups, &extension.path, &array, coordinates)?;
    write_image(groups, Some(&array), false, output)
}

/// Adds the cards of the world coordinates that belong to an image.
fn add_cards(groups: &mut Vec<Group>, path: &[String], array: &Array, all: &mut [Coordinates]) -> Result<()> {
    let shape = array.shape()?;
    let [.., height, width] = shape[..] else { return Ok(()) };
    let parent = |path: &[String]| path.split_last().map(|(_, parent)| parent.to_vec()).unwrap_or_default();
    let fits = |coordinates: &Coordinates| coordinates.pixels.is_empty() || coordinates.pixels[..] == [width, height];
    let beside = all.iter().position(|coordinates| parent(&coordinates.path) == parent(path) && fits(coordinates));
    let is_only = all.len() == 1;
    let found = beside.or_else(|| {
        all.iter().position(|coordinates| fits(coordinates) && (is_only || !coordinates.pixels.is_empty()))
    });
    if let Some(coordinates) = found.map(|index| &mut all[index]) {
        groups.extend(coordinates.cards.iter().cloned());
        coordinates.is_used = true;
    }
    Ok(())
}
