//! Fields of a transform in the tree, read with errors that name their places.

use crate::array::{Datatype, ReadOptions, Text};
use crate::error::{Error, Result, Status};
use crate::file::{Node, NodeKey, NodeType};
use crate::reserve;
use crate::tags;
use crate::wcs::model::Where;
use crate::wcs::unit::Unit;
use std::sync::Arc;

/// Largest number of elements of an array in a transform.
const MAX_ELEMENTS: i64 = 1 << 27;

/// A number with its unit.
#[derive(Clone, Debug)]
pub(super) struct Quantity {
    pub(super) value: f64,
    pub(super) unit: Option<Unit>,
}

/// Numbers with their shape and unit.
#[derive(Clone, Debug)]
pub(super) struct Numbers {
    pub(super) values: Vec<f64>,
    pub(super) shape: Vec<usize>,
    pub(super) unit: Option<Unit>,
}

/// A mapping with named fields. A null counts as absent.
#[derive(Clone, Debug)]
pub(in crate::wcs) struct Fields {
    pub(in crate::wcs) node: Node,
    /// Values by the keys that are texts, read once.
    pairs: Vec<(String, Node)>,
}

/// Returns the place of a node.
pub(in crate::wcs) fn place_of(node: &Node) -> Where {
    let tag = node.tag("").ok().flatten().unwrap_or_default();
    Where { tag: Arc::from(tag), location: node.location().unwrap_or_default() }
}

/// Returns an error at a node.
pub(in crate::wcs) fn refused<T>(node: &Node, status: Status, message: &str) -> Result<T> {
    Err(node.locate(Error::new(status, message)))
}

/// Returns the error with the kind of a wrong content, unless it is not about the content.
fn as_content(error: Error, status: Status) -> Error {
    let kept = [Status::Limit, Status::Units, Status::Arity];
    if error.is_of_machine() || kept.contains(&error.status()) {
        return error;
    }
    let location = error.location().clone();
    Where { tag: Arc::from(""), location }.error(status, error.message())
}

/// Turns errors of reading into errors of the content.
pub(in crate::wcs) fn content<T>(result: Result<T>) -> Result<T> {
    result.map_err(|error| as_content(error, Status::TagContent))
}

impl Fields {
    /// Fails with [`Status::WrongType`] if the node is not a mapping.
    pub(in crate::wcs) fn new(node: &Node) -> Result<Fields> {
        if node.node_type("")? != NodeType::Mapping {
            return refused(node, Status::WrongType, "expected a mapping");
        }
        let text = |(key, value)| match key {
            NodeKey::String(key) => Some((key, value)),
            _ => None,
        };
        Ok(Fields { node: node.clone(), pairs: node.pairs()?.filter_map(text).collect() })
    }

    /// Returns a field that is present and not null.
    pub(in crate::wcs) fn get(&self, key: &str) -> Result<Option<Node>> {
        let Some((_, value)) = self.pairs.iter().find(|(name, _)| name == key) else { return Ok(None) };
        let is_null = value.node_type("")? == NodeType::Null && value.foreign_tag("")?.is_none();
        Ok((!is_null).then(|| value.clone()))
    }

    /// Returns a field. Fails with [`Status::NotFound`] if it is absent.
    pub(in crate::wcs) fn required(&self, key: &str) -> Result<Node> {
        self.get(key)?.ok_or_else(|| self.missing(key))
    }

    /// Returns an error at a field, which need not be present.
    pub(in crate::wcs) fn error(&self, key: &str, status: Status, message: &str) -> Error {
        place_of(&self.node).error_at(status, key, message)
    }

    fn missing(&self, key: &str) -> Error {
        self.error(key, Status::NotFound, &format!("the field '{key}' is missing"))
    }

    /// Returns an error of a wrong value of a field.
    pub(in crate::wcs) fn bad<T>(&self, key: &str, message: &str) -> Result<T> {
        Err(self.error(key, Status::TagContent, message))
    }

    /// Returns an error of a wrong shape of a field.
    pub(super) fn misshapen<T>(&self, key: &str, message: &str) -> Result<T> {
        Err(self.error(key, Status::BadArray, message))
    }

    pub(super) fn quantity(&self, key: &str) -> Result<Option<Quantity>> {
        self.get(key)?.map(|node| quantity(&node)).transpose()
    }

    pub(super) fn required_quantity(&self, key: &str) -> Result<Quantity> {
        self.quantity(key)?.ok_or_else(|| self.missing(key))
    }

    /// Returns a number, without its unit.
    pub(super) fn number(&self, key: &str) -> Result<Option<f64>> {
        Ok(self.quantity(key)?.map(|quantity| quantity.value))
    }

    pub(super) fn required_number(&self, key: &str) -> Result<f64> {
        Ok(self.required_quantity(key)?.value)
    }

    /// Returns an angle in degrees. A number without a unit is one.
    pub(super) fn angle(&self, key: &str) -> Result<Option<Quantity>> {
        let Some(quantity) = self.quantity(key)? else { return Ok(None) };
        self.in_unit(key, &quantity, &Unit::degree()).map(|value| Some(Quantity { value, ..quantity }))
    }

    pub(super) fn required_angle(&self, key: &str) -> Result<Quantity> {
        self.angle(key)?.ok_or_else(|| self.missing(key))
    }

    /// Returns the value of a quantity in a unit; a number without a unit stays.
    pub(super) fn in_unit(&self, key: &str, quantity: &Quantity, wanted: &Unit) -> Result<f64> {
        let Some(unit) = &quantity.unit else { return Ok(quantity.value) };
        if !unit.is_known() && unit.factor_to(wanted).is_none() {
            let message = format!("'{unit}' is not a known unit");
            return Err(self.error(&format!("{key}/unit"), Status::Units, &message));
        }
        match unit.factor_to(wanted) {
            Some(factor) => Ok(quantity.value * factor),
            None => {
                let message = format!("the unit '{unit}' is not convertible to '{wanted}'");
                Err(self.error(key, Status::Units, &message))
            }
        }
    }

    pub(super) fn text(&self, key: &str) -> Result<Option<String>> {
        self.get(key)?.map(|node| content(node.string(""))).transpose()
    }

    pub(super) fn required_text(&self, key: &str) -> Result<String> {
        self.text(key)?.ok_or_else(|| self.missing(key))
    }

    pub(super) fn integer(&self, key: &str) -> Result<Option<i64>> {
        self.get(key)?.map(|node| content(node.i64(""))).transpose()
    }

    pub(super) fn bool(&self, key: &str) -> Result<Option<bool>> {
        self.get(key)?.map(|node| content(node.bool(""))).transpose()
    }

    pub(super) fn numbers(&self, key: &str) -> Result<Option<Numbers>> {
        self.get(key)?.map(|node| numbers(&node)).transpose()
    }

    pub(super) fn required_numbers(&self, key: &str) -> Result<Numbers> {
        self.numbers(key)?.ok_or_else(|| self.missing(key))
    }

    /// Returns a fixed number of numbers, of any shape.
    pub(super) fn exactly<const N: usize>(&self, key: &str) -> Result<[f64; N]> {
        let numbers = self.required_numbers(key)?;
        match numbers.values.try_into() {
            Ok(values) => Ok(values),
            Err(_) => self.misshapen(key, &format!("expected {N} numbers")),
        }
    }

    /// Returns the items of a list.
    pub(in crate::wcs) fn list(&self, key: &str) -> Result<Option<Vec<Node>>> {
        self.get(key)?.map(|node| items(&node)).transpose()
    }

    /// Returns a list of texts.
    pub(in crate::wcs) fn texts(&self, key: &str) -> Result<Option<Vec<String>>> {
        match self.list(key)? {
            None => Ok(None),
            Some(items) => items.iter().map(|item| content(item.string(""))).collect::<Result<_>>().map(Some),
        }
    }
}

/// Returns the items of a list.
pub(in crate::wcs) fn items(node: &Node) -> Result<Vec<Node>> {
    if node.node_type("")? != NodeType::Sequence {
        return refused(node, Status::TagContent, "expected a list");
    }
    let mut all = reserve::list_for(node.count("")?)?;
    all.extend(node.children()?);
    Ok(all)
}

fn is_quantity(node: &Node) -> Result<bool> {
    Ok(node.tag("")?.is_some_and(|tag| tags::name_of(&tag) == Some(tags::QUANTITY)))
}

/// Reads a number, with a unit if it is a quantity.
pub(super) fn quantity(node: &Node) -> Result<Quantity> {
    if is_quantity(node)? {
        let numbers = numbers(node)?;
        return match numbers.values.as_slice() {
            [value] => Ok(Quantity { value: *value, unit: numbers.unit }),
            _ => refused(node, Status::BadArray, "expected one number"),
        };
    }
    if node.is_array("")? {
        let numbers = numbers(node)?;
        return match numbers.values.as_slice() {
            [value] => Ok(Quantity { value: *value, unit: None }),
            _ => refused(node, Status::BadArray, "expected one number"),
        };
    }
    match node.node_type("")? {
        NodeType::Integer | NodeType::Float => Ok(Quantity { value: content(node.f64(""))?, unit: None }),
        _ => refused(node, Status::TagContent, "expected a number"),
    }
}

/// Reads an array, a list of numbers, or a quantity of them; a single number has an empty shape.
pub(super) fn numbers(node: &Node) -> Result<Numbers> {
    if is_quantity(node)? {
        let fields = Fields::new(node)?;
        let unit = match fields.get("unit")? {
            None => None,
            Some(unit) => Some(Unit::read(&content(unit.text(""))?)),
        };
        let value = fields.required("value")?;
        if is_quantity(&value)? {
            return refused(&value, Status::TagContent, "the value of a quantity cannot be a quantity");
        }
        return Ok(Numbers { unit, ..numbers(&value)? });
    }
    if matches!(node.node_type("")?, NodeType::Integer | NodeType::Float) {
        return Ok(Numbers { values: vec![content(node.f64(""))?], shape: Vec::new(), unit: None });
    }
    if node.node_type("")? == NodeType::Sequence && node.count("")? == 0 {
        return Ok(Numbers { values: Vec::new(), shape: vec![0], unit: None });
    }
    if let Some(values) = short_list(node)? {
        return Ok(Numbers { shape: vec![values.len()], values, unit: None });
    }
    let wrong = |error: Error| as_content(error, Status::BadArray);
    let array = node.array("").map_err(wrong)?;
    if array.element_count() > MAX_ELEMENTS {
        return Err(node.locate(Error::limit("numbers of a transform", MAX_ELEMENTS as u64)));
    }
    let shape = array.shape().iter().map(|&extent| usize::try_from(extent).unwrap_or(0)).collect();
    Ok(Numbers { values: array.read_vec::<f64>().map_err(wrong)?, shape, unit: None })
}

/// Reads the numbers of a short list without a tag, which costs less than an array does; `None` for any other node.
fn short_list(node: &Node) -> Result<Option<Vec<f64>>> {
    const LONGEST: usize = 4;
    if node.node_type("")? != NodeType::Sequence || node.tag("")?.is_some() || node.count("")? > LONGEST {
        return Ok(None);
    }
    let mut values = Vec::with_capacity(LONGEST);
    for child in node.children()? {
        match (child.node_type("")?, child.f64("")) {
            (NodeType::Integer | NodeType::Float, Ok(value)) => values.push(value),
            _ => return Ok(None),
        }
    }
    Ok(Some(values))
}

/// Reads an array of texts, with its shape; `None` for any other node.
pub(super) fn texts(node: &Node) -> Result<Option<(Text, Vec<usize>)>> {
    let wrong = |error: Error| as_content(error, Status::BadArray);
    if !node.is_array("")? && node.node_type("")? != NodeType::Sequence {
        return Ok(None);
    }
    let array = node.array("").map_err(wrong)?;
    if !matches!(array.datatype(), Datatype::Ascii(_) | Datatype::Ucs4(_)) {
        return Ok(None);
    }
    if array.element_count() > MAX_ELEMENTS {
        return Err(node.locate(Error::limit("labels of a transform", MAX_ELEMENTS as u64)));
    }
    let shape = array.shape().iter().map(|&extent| usize::try_from(extent).unwrap_or(0)).collect();
    let (texts, _) = array.load_text(false, &ReadOptions::default()).map_err(wrong)?;
    Ok(Some((texts, shape)))
}
