//! Keywords that state the structure of an HDU, and follow from its data.

use super::entries::same_value;
use crate::fits::card::{Card, Value};
use crate::fits::format::format;
use crate::fits::group::Group;
use crate::fits::image::ImageForm;

/// Returns true if a keyword states the structure of an HDU.
pub(crate) fn is_structural(keyword: &str) -> bool {
    let stem = keyword.trim_end_matches(|digit: char| digit.is_ascii_digit());
    matches!(keyword, "SIMPLE" | "XTENSION" | "BITPIX" | "PCOUNT" | "GCOUNT" | "TFIELDS" | "THEAP") || stem == "NAXIS"
}

/// Returns true if a keyword describes a column, which a table that is built anew replaces.
pub(crate) fn is_of_column(keyword: &str) -> bool {
    let stem = keyword.trim_end_matches(|digit: char| digit.is_ascii_digit());
    stem.len() < keyword.len()
        && matches!(stem, "TTYPE" | "TFORM" | "TUNIT" | "TNULL" | "TSCAL" | "TZERO" | "TDIM" | "TDISP" | "TBCOL")
}

/// A group with one new card. The keywords here are short, so every value has room.
pub(crate) fn group_of(card: Card) -> Group {
    let raw = format(&card).unwrap_or_default();
    Group { is_continued: raw.len() > 1, raw, card }
}

/// First cards of an HDU: type, BITPIX, axes (fastest first), and for extensions PCOUNT and GCOUNT.
pub(crate) fn first_cards(extension: Option<&str>, bitpix: i64, axes: &[i64], heap: i64) -> Vec<Card> {
    let mut cards = vec![match extension {
        None => Card::new("SIMPLE", Value::Bool(true), "conforms to FITS standard"),
        Some(name) => Card::new("XTENSION", Value::Text(name.into()), "extension"),
    }];
    cards.push(Card::new("BITPIX", Value::Integer(bitpix), "array data type"));
    let rank = i64::try_from(axes.len()).unwrap_or(i64::MAX);
    cards.push(Card::new("NAXIS", Value::Integer(rank), "number of array dimensions"));
    for (axis, &extent) in axes.iter().enumerate() {
        cards.push(Card::new(&format!("NAXIS{}", axis + 1), Value::Integer(extent), ""));
    }
    if extension.is_some() {
        cards.push(Card::new("PCOUNT", Value::Integer(heap), "number of parameters"));
        cards.push(Card::new("GCOUNT", Value::Integer(1), "number of groups"));
    }
    cards
}

/// Makes a header state a structure. Cards that state it already stay as they are. Returns whether one changed.
pub(crate) fn set(groups: &mut Vec<Group>, required: &[Card]) -> bool {
    let rank = required.iter().find(|card| card.keyword == "NAXIS").and_then(Card::integer).unwrap_or(0);
    let before = groups.len();
    groups.retain(|group| {
        let axis = group.card.keyword.strip_prefix("NAXIS").and_then(|axis| axis.parse::<i64>().ok());
        axis.is_none_or(|axis| axis <= rank)
    });
    let mut is_changed = groups.len() != before;
    let find = |groups: &[Group], keyword: &str| groups.iter().position(|group| group.card.keyword == keyword);
    let all_there = required.iter().all(|card| {
        find(groups, &card.keyword).is_some_and(|index| same_value(&groups[index].card.value, &card.value))
    });
    let starts_right = groups.first().is_some_and(|group| group.card.keyword == required[0].keyword);
    if all_there && starts_right {
        return is_changed;
    }
    is_changed = true;
    let mut first = Vec::new();
    for card in required {
        match find(groups, &card.keyword) {
            Some(index) => {
                let old = groups.remove(index);
                if same_value(&old.card.value, &card.value) {
                    first.push(old);
                } else {
                    first.push(group_of(Card { comment: old.card.comment, ..card.clone() }));
                }
            }
            None => first.push(group_of(card.clone())),
        }
    }
    // The other kind of HDU begins with another card.
    groups.retain(|group| !matches!(group.card.keyword.as_str(), "SIMPLE" | "XTENSION"));
    first.append(groups);
    *groups = first;
    is_changed
}

/// Makes BSCALE, BZERO and BLANK agree with the stored form of an image. Returns whether one changed.
pub(crate) fn set_scaling(groups: &mut Vec<Group>, form: ImageForm) -> bool {
    let value = |groups: &[Group], keyword: &str| {
        groups.iter().find(|group| group.card.keyword == keyword).and_then(|group| group.card.float())
    };
    let zero = form.zero().unwrap_or(0.0);
    let is_right = value(groups, "BSCALE").unwrap_or(1.0) == 1.0 && value(groups, "BZERO").unwrap_or(0.0) == zero;
    let mut is_changed = !is_right;
    if !is_right {
        groups.retain(|group| !matches!(group.card.keyword.as_str(), "BSCALE" | "BZERO"));
        if zero != 0.0 {
            let first = groups.iter().take_while(|group| is_structural(&group.card.keyword)).count();
            let number = format!("{zero:.0}");
            let value = number.parse().map_or(Value::Other(number), Value::Integer);
            groups.insert(first, group_of(Card::new("BZERO", value, "offset of unsigned integers")));
            groups.insert(first, group_of(Card::new("BSCALE", Value::Integer(1), "")));
        }
    }
    if form.bitpix < 0 {
        let before = groups.len();
        groups.retain(|group| group.card.keyword != "BLANK");
        is_changed |= groups.len() != before;
    }
    is_changed
}
