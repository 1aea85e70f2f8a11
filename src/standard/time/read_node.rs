//! Points in time from nodes: `time/time` in any version and shape, and YAML timestamps.

use super::format::TimeFormat;
use super::julian_date::JulianDate;
use super::place;
use super::points::{Time, TimeOptions};
use super::scale::TimeScale;
use super::stored::{Stored, Values};
use crate::array::{Datatype, ReadOptions, Text};
use crate::error::{Error, Result, Status};
use crate::file::{Node, NodeType};
use crate::limits::Limits;
use crate::standard::units::{Spelling, Unit};
use crate::tags::{self, ASTROPY, STANDARD, name_in};

impl Node {
    /// Reads the points in time at `path`: a `time/time` of any version, whose value is text, a number, a list of texts,
    /// an array or a quantity; or text without a tag, such as a YAML timestamp. The options tell scale and format where
    /// the node tells none, and the table of leap seconds.
    ///
    /// The Julian dates are those of astropy. Format and place on Earth are kept, masked elements and nulls are missing.
    /// Fails with
    ///
    /// - [`Status::WrongType`] for a node of another kind,
    /// - [`Status::TagContent`] for texts that are not times, and for values without a known format,
    /// - [`Status::Unsupported`] for an unknown format or scale,
    /// - [`Status::Units`] for a unit that is not one of time, or one of a place that is not one of length,
    /// - the errors of reading arrays.
    pub fn time(&self, path: &str, options: &TimeOptions) -> Result<Time> {
        let node = self.at(path)?.resolved()?;
        if let Some(tag) = node.foreign_tag("")?.filter(|tag| !is_value_tag(tag) && !is_time_tag(tag)) {
            let message = format!("a node with the tag '{tag}' is not a time");
            return Err(node.locate(Error::new(Status::WrongType, message)));
        }
        let is_array = node.foreign_tag("")?.is_some_and(|tag| is_value_tag(&tag));
        let time = match node.node_type("")? {
            NodeType::Mapping if !is_array => described(&node, options),
            _ => values(&node).and_then(|stored| stored.time(options)),
        };
        time.map_err(|error| located(&node, error))
    }
}

/// Gives an error a place, and the status for content of a file.
fn located(node: &Node, error: Error) -> Error {
    let status = match error.status() {
        Status::InvalidArgument | Status::OutOfRange => Status::TagContent,
        _ => return if error.location().path.is_some() { error } else { node.locate(error) },
    };
    node.locate(Error::new(status, error.message()))
}

fn is_time_tag(tag: &str) -> bool {
    name_in(STANDARD, tag) == Some(tags::TIME)
}

/// Returns whether a tag is one of arrays and quantities.
fn is_value_tag(tag: &str) -> bool {
    matches!(name_in(STANDARD, tag), Some(tags::NDARRAY | tags::QUANTITY))
}

/// Reads a mapping with value, format, scale and place.
fn described(node: &Node, options: &TimeOptions) -> Result<Time> {
    let Some(value) = optional(node, "value")? else {
        return Err(Error::new(Status::WrongType, "the mapping has no key 'value', so it is not a time"));
    };
    let format = optional(node, "format")?.map(|node| known(&node, "format", TimeFormat::from_name)).transpose()?;
    let base = optional(node, "base_format")?.map(|node| known(&node, "format", TimeFormat::from_name)).transpose()?;
    let scale = optional(node, "scale")?.map(|node| known(&node, "scale", TimeScale::from_name)).transpose()?;
    let options = TimeOptions { format: format.or(options.format), scale: scale.or(options.scale), ..options.clone() };
    let stored = match optional(&value, "unit")? {
        Some(_) => with_unit(&value, options.format)?,
        None => values(&value)?,
    };
    let mut time = stored.time(&options)?;
    if let Some(location) = optional(node, "location")? {
        time = time.with_location(place::read(&location)?)?;
    }
    Ok(match base {
        Some(base) => time.with_format(base),
        None => time,
    })
}

/// Returns the value of a key that is neither missing nor null. A node other than a mapping has no keys.
pub(in crate::standard) fn optional(node: &Node, key: &str) -> Result<Option<Node>> {
    if node.node_type("")? != NodeType::Mapping {
        return Ok(None);
    }
    match node.at(key).and_then(|found| found.resolved()) {
        Ok(found) if found.node_type("")? == NodeType::Null => Ok(None),
        Ok(found) => Ok(Some(found)),
        Err(error) if error.status() == Status::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn known<T>(node: &Node, what: &str, from_name: impl Fn(&str) -> Option<T>) -> Result<T> {
    let name = node.text("")?;
    from_name(&name).ok_or_else(|| {
        let message = format!("the {what} '{}' of times is unknown", name.escape_debug());
        node.locate(Error::new(Status::Unsupported, message))
    })
}

/// Reads values without a unit: an array, a list of texts, a text or a number.
fn values(node: &Node) -> Result<Stored> {
    if node.is_array("")? && !is_empty_sequence(node)? {
        return array_values(node);
    }
    match node.node_type("")? {
        NodeType::Sequence => list_values(node),
        NodeType::Float | NodeType::Integer => {
            Ok(Stored { values: Values::Numbers(vec![node.f64("")?], None), shape: Vec::new(), missing: None })
        }
        _ => {
            let mut texts = Text::new();
            texts.push(&node.text("")?)?;
            Ok(Stored { values: Values::Texts(texts), shape: Vec::new(), missing: None })
        }
    }
}

fn is_empty_sequence(node: &Node) -> Result<bool> {
    Ok(node.node_type("")? == NodeType::Sequence && node.count("")? == 0)
}

/// Reads an array of texts or numbers. Masked numbers become NaN.
fn array_values(node: &Node) -> Result<Stored> {
    let array = node.array("")?;
    let (shape, options) = (array.shape().to_vec(), ReadOptions::default());
    let mask_of = |mask: Vec<bool>| Some(mask).filter(|mask| mask.contains(&true));
    if matches!(array.datatype(), Datatype::Ascii(_) | Datatype::Ucs4(_)) {
        let (texts, mask) = array.load_text(true, &options)?;
        let missing = mask.and_then(|mask| mask_of(mask.iter().map(|&byte| byte != 0).collect()));
        return Ok(Stored { values: Values::Texts(texts), shape, missing });
    }
    let (mut numbers, mask) = array.read_masked_vec::<f64>(None, &options)?;
    for (number, _) in numbers.iter_mut().zip(&mask).filter(|(_, is_missing)| **is_missing) {
        *number = f64::NAN;
    }
    Ok(Stored { values: Values::Numbers(numbers, None), shape, missing: None })
}

/// Reads a list of texts, which may be nested. All lists of one depth must have the same length.
fn list_values(node: &Node) -> Result<Stored> {
    // Aliases can repeat lists, but not make more times than the tree has nodes.
    let most = node.in_tree(|tree, _| tree.node_count() as u64)?;
    let mut shape = Vec::new();
    let mut items = vec![node.clone()];
    while let Some(first) = items.first()
        && first.node_type("")? == NodeType::Sequence
    {
        let count = first.count("")?;
        let total = (items.len() as u64).saturating_mul(count as u64);
        if total > most || shape.len() >= Limits::MAX_RANK as usize {
            return Err(node.locate(Error::limit("the number of times in nested lists", most)));
        }
        let mut next = Vec::new();
        next.try_reserve_exact(total as usize).map_err(|_| Error::out_of_memory(total))?;
        for item in &items {
            if item.node_type("")? != NodeType::Sequence || item.count("")? != count {
                let message = "nested lists of times have different lengths";
                return Err(item.locate(Error::new(Status::TagContent, message)));
            }
            for child in item.children()? {
                next.push(child.resolved()?);
            }
        }
        shape.push(count as i64);
        items = next;
    }
    let mut texts = Text::new();
    let mut missing = Vec::new();
    for item in &items {
        let is_missing = item.node_type("")? == NodeType::Null;
        texts.push(&if is_missing { String::new() } else { item.text("")? })?;
        missing.push(is_missing);
    }
    let missing = Some(missing).filter(|missing| missing.contains(&true));
    Ok(Stored { values: Values::Texts(texts), shape, missing })
}

/// Reads a quantity of time as numbers of a format.
fn with_unit(node: &Node, format: Option<TimeFormat>) -> Result<Stored> {
    let refused = |message: String| node.locate(Error::new(Status::Unsupported, message));
    let (unit, day) = (node.parsed_unit("")?, Unit::parse("d", Spelling::Generic)?);
    // A factor above 1 has no rounding error.
    let in_day = day.conversion_to(&unit, &[]).map_err(|error| node.locate(error))?.apply(1.0);
    let days_in = unit.conversion_to(&day, &[]).map_err(|error| node.locate(error))?.apply(1.0);
    let per_day = match format {
        Some(TimeFormat::Jd | TimeFormat::Mjd) => 1.0,
        Some(TimeFormat::Jyear) => 1.0 / 365.25,
        format => format.and_then(TimeFormat::epoch).map(|epoch| epoch.per_day).ok_or_else(|| {
            refused("quantities are times only in a format of days, seconds or Julian years".to_owned())
        })?,
    };
    let value = optional(node, "value")?.ok_or_else(|| refused("the quantity has no value".to_owned()))?;
    let mut stored = values(&value)?;
    let Values::Numbers(numbers, rest) = &mut stored.values else {
        return Err(refused("the value of the quantity is not a number".to_owned()));
    };
    let mut second = Vec::new();
    for number in numbers.iter_mut() {
        if !number.is_finite() {
            second.push(0.0);
            continue;
        }
        let days = match in_day > 1.0 {
            true => JulianDate::quotient(*number, 0.0, in_day),
            false => JulianDate::new(*number, 0.0)?.times(days_in),
        };
        let in_format = days.times(per_day);
        *number = in_format.jd1();
        second.push(in_format.jd2());
    }
    *rest = Some(second);
    Ok(stored)
}

/// Returns whether a tag is astropy's of spans of time.
pub(super) fn is_delta_tag(tag: &str) -> bool {
    name_in(ASTROPY, tag) == Some("time/timedelta")
}
