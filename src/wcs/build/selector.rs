//! Selectors: label mappers, which assign a number to a point, and transforms chosen by that number.

use super::fields::{Fields, Numbers, content, items, numbers, quantity, refused, texts};
use super::labels::Labels;
use super::made::Made;
use super::{arity, push};
use crate::error::{Result, Status};
use crate::file::{Node, NodeKey, NodeType};
use crate::wcs::kernel::labels::LabelArray;
use crate::wcs::model::{Choice, Operation, Part, Rule};
use std::sync::Arc;

/// Largest number of labels.
const MAX_LABELS: usize = 1 << 16;

/// Form of a label mapper.
enum Form {
    Array,
    Transform,
    /// Labels or ranges, with a transform for each.
    Models {
        labels: Node,
        models: Vec<Node>,
    },
}

fn form(mapper: &Node) -> Result<Form> {
    if mapper.is_array("")? {
        return Ok(Form::Array);
    }
    if mapper.foreign_tag("")?.is_some_and(|tag| tag.contains("/transform/") || tag.contains(":gwcs/")) {
        return Ok(Form::Transform);
    }
    if mapper.node_type("")? == NodeType::Sequence && section(mapper, "labels")?.is_none() {
        return Ok(Form::Array);
    }
    let missing = |key: &str| refused(mapper, Status::NotFound, &format!("the field '{key}' is missing"));
    let Some(labels) = section(mapper, "labels")? else { return missing("labels") };
    let Some(models) = section(mapper, "models")? else { return missing("models") };
    Ok(Form::Models { labels, models: items(&models)? })
}

/// Returns a value of a mapping, or of a list of mappings with one key each, as ordered mappings are written.
fn section(node: &Node, key: &str) -> Result<Option<Node>> {
    let find = |mapping: &Node| -> Result<Option<Node>> {
        let mut pairs = mapping.pairs()?;
        Ok(pairs.find(|(name, _)| matches!(name, NodeKey::String(name) if name == key)).map(|(_, value)| value))
    };
    match node.node_type("")? {
        NodeType::Mapping => find(node),
        NodeType::Sequence => {
            for entry in node.children()?.take(8) {
                let entry = entry.resolved()?;
                if entry.node_type("")? == NodeType::Mapping
                    && let Some(found) = find(&entry)?
                {
                    return Ok(Some(found));
                }
            }
            Ok(None)
        }
        _ => Ok(None),
    }
}

/// Returns the transforms in a label mapper: that of the inputs if there is one, then the mapper or its models.
pub(super) fn mapper_children(fields: &Fields) -> Result<Vec<Node>> {
    let mut children: Vec<Node> = fields.get("inputs_mapping")?.into_iter().collect();
    let mapper = fields.required("mapper")?;
    match form(&mapper)? {
        Form::Array => {}
        Form::Transform => children.push(mapper),
        Form::Models { models, .. } => children.extend(models),
    }
    Ok(children)
}

pub(super) fn mapper(
    fields: &Fields,
    children: &[usize],
    parts: &mut Vec<Part>,
    labels: &mut Labels,
    strict: bool,
) -> Result<Made> {
    let has_mapping = fields.get("inputs_mapping")?.is_some();
    let (mapping, rest) = children.split_at(usize::from(has_mapping));
    let node = fields.required("mapper")?;
    let inputs_of = |parts: &[Part], default: usize| mapping.first().map_or(default, |&part| arity(parts, part).0);
    let made = match form(&node)? {
        Form::Array => {
            let array = push(parts, Operation::Kernel(Arc::new(label_array(fields, labels, strict)?)), 2, 1);
            let inputs = inputs_of(parts, 2);
            let mut made = chained(fields, mapping, array, inputs, parts)?;
            if inputs == 2 {
                made = made.names(&["x", "y"], &["label"]);
            }
            made
        }
        Form::Transform => {
            let of = rest.first().copied().unwrap_or_default();
            let inputs = inputs_of(parts, arity(parts, of).0);
            chained(fields, mapping, of, inputs, parts)?
        }
        Form::Models { labels, .. } => {
            let rule = rule(fields, &labels)?;
            let (count, inputs) = (rest.len(), rest.first().map_or(1, |&part| arity(parts, part).0));
            let given = match &rule {
                Rule::Equal(labels) | Rule::Near(labels, _) => labels.len(),
                Rule::Within(ranges) => ranges.len(),
            };
            if given != count {
                return fields.bad("mapper", "expected as many transforms as labels");
            }
            let key = match mapping.first() {
                Some(&key) => key,
                None => push(parts, Operation::Remap((0..inputs).collect()), inputs, inputs),
            };
            if arity(parts, key) != (inputs, 1) || rest.iter().any(|&part| arity(parts, part) != (inputs, 1)) {
                return refused(
                    &fields.node,
                    Status::Arity,
                    "the transforms of the mapper have other numbers of inputs",
                );
            }
            let choice = Choice { key: Some(key), rule, parts: rest.to_vec(), undefined: 0.0 };
            Made::operation(Operation::Choose(choice), inputs, 1)
        }
    };
    Ok(made)
}

/// Makes the mapper after the mapping of the inputs, if there is one.
fn chained(fields: &Fields, mapping: &[usize], of: usize, inputs: usize, parts: &mut Vec<Part>) -> Result<Made> {
    let first = match mapping.first() {
        Some(&mapping) => mapping,
        None => push(parts, Operation::Remap((0..inputs).collect()), inputs, inputs),
    };
    let ((_, keys), (wanted, outputs)) = (arity(parts, first), arity(parts, of));
    if keys != wanted || outputs != 1 {
        let message = format!("the mapper has {wanted} inputs and {outputs} outputs, expected {keys} and 1");
        return refused(&fields.node, Status::Arity, &message);
    }
    Ok(Made::operation(Operation::Compose(first, of), inputs, 1))
}

fn label_array(fields: &Fields, labels: &mut Labels, strict: bool) -> Result<LabelArray> {
    let node = fields.required("mapper")?;
    let Numbers { values, shape, .. } = match texts(&node)? {
        Some((texts, shape)) => {
            let values = (0..texts.len()).map(|index| labels.number(texts.get(index))).collect();
            Numbers { values, shape, unit: None }
        }
        None => {
            let numbers = numbers(&node)?;
            Numbers { values: numbers.values.into_iter().map(f64::trunc).collect(), ..numbers }
        }
    };
    let [rows, columns] = shape[..] else {
        return fields.misshapen("mapper", "expected an array of two axes");
    };
    Ok(LabelArray { labels: values, rows, columns, strict })
}

fn rule(fields: &Fields, labels: &Node) -> Result<Rule> {
    let entries = items(labels)?;
    if entries.len() > MAX_LABELS {
        return refused(labels, Status::TagContent, &format!("there are more than {MAX_LABELS} labels"));
    }
    let is_range = match entries.first() {
        Some(entry) => entry.is_array("")? || entry.node_type("")? == NodeType::Sequence,
        None => false,
    };
    if !is_range {
        let labels = entries.iter().map(|entry| Ok(quantity(entry)?.value)).collect::<Result<_>>()?;
        return Ok(Rule::Near(labels, fields.number("atol")?.unwrap_or(1e-8)));
    }
    let mut ranges = Vec::new();
    for entry in &entries {
        match numbers(entry)?.values[..] {
            [low, high] => ranges.push([low, high]),
            _ => return refused(entry, Status::TagContent, "expected the two ends of a range"),
        }
    }
    let mut sorted = ranges.clone();
    sorted.sort_by(|one, other| one[0].total_cmp(&other[0]));
    if sorted.windows(2).any(|pair| pair[0][1] > pair[1][0]) {
        return refused(labels, Status::TagContent, "the ranges overlap");
    }
    Ok(Rule::Within(ranges))
}

/// A label of a selector.
enum Label {
    Number(f64),
    Text(String),
}

/// Returns the labels of a selector with their transforms.
fn selected(fields: &Fields) -> Result<Vec<(Label, Node)>> {
    let selector = fields.required("selector")?;
    let Some(labels) = section(&selector, "labels")? else {
        // Files of old versions have the labels as keys.
        let mut pairs = Vec::new();
        for (key, node) in selector.pairs()? {
            let label = match key {
                NodeKey::Integer(label) => Label::Number(label as f64),
                NodeKey::String(text) => text.parse().map_or(Label::Text(text), Label::Number),
                _ => return refused(&selector, Status::TagContent, "expected numbers or texts as labels"),
            };
            pairs.push((label, node));
        }
        return Ok(pairs);
    };
    let Some(transforms) = section(&selector, "transforms")? else {
        return fields.bad("selector", "the field 'transforms' is missing");
    };
    let (labels, transforms) = (items(&labels)?, items(&transforms)?);
    if labels.len() != transforms.len() || labels.len() > MAX_LABELS {
        return fields.bad("selector", "expected as many transforms as labels");
    }
    let mut pairs = Vec::new();
    for (label, transform) in labels.iter().zip(transforms) {
        if label.node_type("")? == NodeType::String {
            let text = content(label.string(""))?;
            if text.trim().is_empty() {
                return refused(label, Status::TagContent, "a blank is not a label");
            }
            pairs.push((Label::Text(text), transform));
            continue;
        }
        let value = quantity(label)?.value;
        if value == 0.0 {
            return refused(label, Status::TagContent, "0 stands for no label");
        }
        pairs.push((Label::Number(value), transform));
    }
    Ok(pairs)
}

/// Returns the transforms in a selector: the label mapper, then those of the labels.
pub(super) fn regions_children(fields: &Fields) -> Result<Vec<Node>> {
    let mut children = vec![fields.required("label_mapper")?];
    children.extend(selected(fields)?.into_iter().map(|(_, node)| node));
    Ok(children)
}

pub(super) fn regions(fields: &Fields, children: &[usize], parts: &[Part], labels: &mut Labels) -> Result<Made> {
    let number = |(label, _)| match label {
        Label::Number(number) => number,
        Label::Text(text) => labels.number(&text),
    };
    let numbers: Vec<f64> = selected(fields)?.into_iter().map(number).collect();
    let Some((&key, transforms)) = children.split_first() else {
        return fields.bad("selector", "there are no transforms");
    };
    let given = |key: &str| -> Result<Option<usize>> { Ok(fields.list(key)?.map(|names| names.len())) };
    let first = transforms.first().map(|&part| arity(parts, part));
    let inputs = given("inputs")?.or(first.map(|(inputs, _)| inputs)).unwrap_or(arity(parts, key).0);
    let outputs = given("outputs")?.or(first.map(|(_, outputs)| outputs)).unwrap_or(1);
    for &part in transforms {
        if arity(parts, part) != (inputs, outputs) {
            let message = format!("expected {inputs} inputs and {outputs} outputs of each transform");
            return Err(parts[part].error(Status::Arity, &message));
        }
    }
    if arity(parts, key) != (inputs, 1) {
        let message = format!("expected a label mapper with {inputs} inputs");
        return Err(fields.error("label_mapper", Status::Arity, &message));
    }
    let undefined = fields.number("undefined_transform_value")?.unwrap_or(f64::NAN);
    let choice = Choice { key: Some(key), rule: Rule::Equal(numbers), parts: transforms.to_vec(), undefined };
    Ok(Made::operation(Operation::Choose(choice), inputs, outputs))
}
