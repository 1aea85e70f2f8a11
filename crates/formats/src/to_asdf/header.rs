//! Headers in the tree: the cards that the tag `fits/fits` can hold, and all cards as an array.

use crate::core::{Node, Options};
use crate::failure::Result;
use crate::fits::CARD;
use crate::fits::card::{Card, Value};
use crate::fits::file::{Hdu, Kind};
use crate::fits::group::{Group, groups};
use crate::fits::header::Header;
use crate::report::Report;

use super::data::{TEXT_DATATYPE_ASCII, UINT8};

/// Largest size of a text in the schema of the tag.
const MAX_TEXT: usize = 60;

/// A card as the tag holds it: keyword, value, comment.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    pub(crate) keyword: String,
    /// `None` for an entry of a keyword alone.
    pub(crate) value: Option<Value>,
    pub(crate) comment: String,
}

/// Keyword in the header of an image for one of the compressed image.
pub(crate) enum ImageKeyword {
    Same,
    Renamed(String),
    /// It describes the table of the tiles.
    None,
}

/// Finds the keyword of the image for one of the table that holds its tiles.
pub(crate) fn image_keyword(keyword: &str) -> ImageKeyword {
    let stem = keyword.trim_end_matches(|digit: char| digit.is_ascii_digit());
    let renamed = match stem {
        "ZSIMPLE" => "SIMPLE",
        "ZTENSION" => "XTENSION",
        "ZBITPIX" => "BITPIX",
        "ZNAXIS" => return ImageKeyword::Renamed(keyword[1..].to_owned()),
        "ZPCOUNT" => "PCOUNT",
        "ZGCOUNT" => "GCOUNT",
        "ZEXTEND" => "EXTEND",
        "ZBLOCKED" => "BLOCKED",
        "ZHECKSUM" => "CHECKSUM",
        "ZDATASUM" => "DATASUM",
        "XTENSION" | "BITPIX" | "NAXIS" | "PCOUNT" | "GCOUNT" | "TFIELDS" | "THEAP" | "TTYPE" | "TFORM" | "TUNIT"
        | "TDISP" | "TDIM" | "TNULL" | "TSCAL" | "TZERO" | "ZIMAGE" | "ZTILE" | "ZCMPTYPE" | "ZNAME" | "ZVAL"
        | "ZMASKCMP" | "ZQUANTIZ" | "ZDITHER" | "ZSCALE" | "ZZERO" | "ZBLANK" | "CHECKSUM" | "DATASUM" => {
            return ImageKeyword::None;
        }
        _ => return ImageKeyword::Same,
    };
    ImageKeyword::Renamed(renamed.to_owned())
}

/// Returns true if a card is the name that an HDU gets for being compressed, which the image never had.
fn is_default_name(card: &Card) -> bool {
    card.keyword == "EXTNAME" && card.text() == Some("COMPRESSED_IMAGE")
}

/// Entries that the tag holds for a group of cards. Empty if it can hold none.
pub(crate) fn held_entries(group: &Group, is_compressed: bool) -> Vec<Entry> {
    let mut card = group.card.clone();
    if is_compressed {
        match image_keyword(&card.keyword) {
            ImageKeyword::Same => {}
            ImageKeyword::Renamed(name) => card.keyword = name,
            ImageKeyword::None => return Vec::new(),
        }
        // The image is an extension of its own, which begins with another card.
        if matches!(card.keyword.as_str(), "SIMPLE" | "XTENSION") || is_default_name(&card) {
            return Vec::new();
        }
    }
    let is_plain = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_');
    let keyword_fits = card.keyword.len() <= 8 && card.keyword.bytes().all(is_plain);
    let is_printable = group.raw.iter().flatten().all(|byte| (b' '..=b'~').contains(byte));
    if !keyword_fits || !is_printable || matches!(card.keyword.as_str(), "CONTINUE" | "END") {
        return Vec::new();
    }
    let entry = |value| Entry { keyword: card.keyword.clone(), value, comment: shortened(&card.comment) };
    match card.value {
        Value::Undefined if card.comment.is_empty() => vec![entry(None)],
        Value::Undefined => vec![entry(Some(Value::Text(String::new())))],
        Value::Bool(_) | Value::Integer(_) | Value::Float(_) => vec![entry(Some(card.value.clone()))],
        Value::Text(ref text) if text.len() <= MAX_TEXT && !group.is_continued => {
            vec![entry(Some(Value::Text(text.clone())))]
        }
        Value::Commentary(ref text) => commentary(&card.keyword, text),
        Value::Text(_) | Value::Other(_) => Vec::new(),
    }
}

/// Entries of a COMMENT, a HISTORY or a blank card, whose text may be longer than a text of the tag.
fn commentary(keyword: &str, text: &str) -> Vec<Entry> {
    let entry = |value| Entry { keyword: keyword.to_owned(), value, comment: String::new() };
    if text.is_empty() {
        return vec![entry(None)];
    }
    if !matches!(keyword, "COMMENT" | "HISTORY" | "") {
        return Vec::new();
    }
    if text.len() <= MAX_TEXT {
        return vec![entry(Some(Value::Text(text.to_owned())))];
    }
    let (first, rest) = text.split_at(MAX_TEXT);
    vec![entry(Some(Value::Text(first.to_owned()))), entry(Some(Value::Text(rest.to_owned())))]
}

fn shortened(comment: &str) -> String {
    comment.chars().take(MAX_TEXT).collect()
}

/// Writes the entries of a header.
pub(crate) fn set_header(node: &Node, hdu: &Hdu, place: &str, report: &mut Report) -> Result<()> {
    node.set_sequence("header", 0)?;
    let is_compressed = hdu.kind == Kind::CompressedImage;
    let all = groups(&hdu.header.cards);
    if is_compressed {
        let value = Some(Value::Text("IMAGE".into()));
        set_entry(node, &Entry { keyword: "XTENSION".into(), value, comment: String::new() })?;
    }
    let mut left = 0;
    for group in &all {
        let entries = held_entries(group, is_compressed);
        let is_of_table = !matches!(image_keyword(&group.card.keyword), ImageKeyword::Same);
        let is_structure = is_compressed && (is_of_table || is_default_name(&group.card));
        left += usize::from(entries.is_empty() && !is_structure);
        for entry in &entries {
            set_entry(node, entry)?;
        }
    }
    if left > 0 {
        report.note(place, format!("{left} cards that the tag fits/fits cannot hold are only under the key cards"));
    }
    Ok(())
}

fn set_entry(node: &Node, entry: &Entry) -> Result<()> {
    let list = node.make_node("header/-")?;
    list.set_sequence("", 1)?;
    if entry.keyword.is_empty() && entry.value.is_none() {
        return Ok(());
    }
    list.set_string("-", &entry.keyword)?;
    match &entry.value {
        None => return Ok(()),
        Some(Value::Bool(value)) => list.set_flag("-", i32::from(*value))?,
        Some(Value::Integer(value)) => list.set_i64("-", *value)?,
        Some(Value::Float(value)) => list.set_f64("-", *value)?,
        Some(Value::Text(text) | Value::Commentary(text) | Value::Other(text)) => list.set_string("-", text)?,
        Some(Value::Undefined) => list.set_string("-", "")?,
    }
    if !entry.comment.is_empty() {
        list.set_string("-", &entry.comment)?;
    }
    Ok(())
}

/// Writes all cards as an array: texts of 80 bytes, or bytes if they are not ASCII.
pub(crate) fn set_cards(node: &Node, header: &Header) -> Result<()> {
    let bytes = header.cards.concat();
    let count = i64::try_from(header.cards.len()).unwrap_or(i64::MAX);
    if bytes.is_ascii() && !bytes.contains(&0) {
        let options = Options::new()?;
        options.set_text_datatype(TEXT_DATATYPE_ASCII, CARD as i64)?;
        return node.set_array("header", 0, &[count], &bytes, Some(&options));
    }
    node.set_array("header", UINT8, &[count, CARD as i64], &bytes, None)
}
