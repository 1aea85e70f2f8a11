//! Transforms from the nodes of a tree. Aliased nodes are built once; neither depth nor width costs stack.

mod compound;
mod elementary;
pub(super) mod fields;
mod functional;
mod grism;
mod jwst;
mod kind;
mod labels;
mod limits;
mod made;
mod polynomial;
mod projection;
mod rotation;
mod selector;
mod spectroscopy;
mod tabular;

use self::fields::{Fields, place_of, refused};
use self::kind::Kind;
use self::labels::Labels;
use self::made::Made;
use super::model::{Model, Operation, Part};
use super::options::BuildOptions;
use crate::error::{Error, Result, Status};
use crate::file::{Node, NodeKey};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Largest number of transforms within each other.
const MAX_DEPTH: usize = 512;
/// Largest number of parts.
const MAX_PARTS: usize = 1 << 20;

/// A transform whose own transforms are being built.
struct Open {
    fields: Fields,
    identity: u64,
    kind: Kind,
    /// The transforms that the kind asks for, in order.
    children: Vec<Node>,
    inverse: Option<Node>,
}

enum Task {
    /// The transform at a place, which can be an alias.
    Enter(Node),
    Leave(Box<Open>),
}

/// A model in the making.
#[derive(Default)]
struct Builder {
    parts: Vec<Part>,
    /// Parts by the identity of their nodes.
    built: HashMap<u64, usize>,
    open: HashSet<u64>,
    labels: Labels,
    options: BuildOptions,
}

/// Builds the transform at a node.
pub(super) fn build(node: &Node, options: &BuildOptions) -> Result<Model> {
    let mut builder = Builder { options: options.clone(), ..Builder::default() };
    let mut tasks = vec![Task::Enter(node.clone())];
    while let Some(task) = tasks.pop() {
        match task {
            Task::Enter(place) => builder.enter(&place, &mut tasks)?,
            Task::Leave(open) => builder.leave(&open)?,
        }
    }
    let root = builder.built.get(&node.identity("")?).copied().unwrap_or_default();
    Ok(Model { parts: Arc::new(builder.parts), root })
}

impl Builder {
    fn enter(&mut self, place: &Node, tasks: &mut Vec<Task>) -> Result<()> {
        let identity = place.identity("")?;
        if self.built.contains_key(&identity) {
            return Ok(());
        }
        if self.open.contains(&identity) {
            return refused(place, Status::ReferenceCycle, "the transform contains itself");
        }
        let node = place.resolved()?;
        let kind = Kind::of(&node)?;
        let fields = Fields::new(&node)?;
        let children = kind.children(&fields)?;
        let inverse = fields.get("inverse")?;
        if self.open.len() >= MAX_DEPTH {
            return Err(node.locate(Error::limit("transforms within each other", MAX_DEPTH as u64)));
        }
        if self.parts.len() >= MAX_PARTS {
            return Err(node.locate(Error::limit("transforms in a transform", MAX_PARTS as u64)));
        }
        self.open.insert(identity);
        let nested: Vec<Node> = children.iter().chain(&inverse).cloned().collect();
        tasks.push(Task::Leave(Box::new(Open { fields, identity, kind, children, inverse })));
        tasks.extend(nested.into_iter().rev().map(Task::Enter));
        Ok(())
    }

    fn leave(&mut self, open: &Open) -> Result<()> {
        let part = |node: &Node| -> Result<usize> {
            let found = self.built.get(&node.identity("")?).copied();
            found.ok_or_else(|| node.locate(Error::new(Status::Internal, "a transform was not built")))
        };
        let children = open.children.iter().map(part).collect::<Result<Vec<_>>>()?;
        let inverse = open.inverse.as_ref().map(part).transpose()?;
        let fields = &open.fields;
        let before = self.parts.len();
        let made = open.kind.make(fields, &children, &mut self.parts, &mut self.labels, &self.options)?;
        let mut part = self.named(fields, made)?;
        // Parts that are no nodes of their own fail at the node that they are made for.
        for helper in self.parts[before..].iter_mut().filter(|helper| helper.place.location.path.is_none()) {
            helper.place.location.clone_from(&part.place.location);
        }
        part.units.spectral.extend(spectral_inputs(fields, &part)?);
        part.limits = limits::limits(fields, &part)?.or(part.limits);
        if let Some(inverse) = inverse {
            let other = &self.parts[inverse];
            // The inverse of a label mapper finds the labels of the outputs of the selected transforms. In a pair of
            // transforms, of which the first repeats inputs, each can have the inverse of the pair.
            let is_free = open.kind == Kind::LabelMapper
                || matches!(part.operation, Operation::Remap(_))
                || part.inputs.len() != part.outputs.len();
            if !is_free && (other.inputs.len(), other.outputs.len()) != (part.outputs.len(), part.inputs.len()) {
                let message = "the inverse has other numbers of inputs and outputs";
                return Err(fields.error("inverse", Status::Arity, message));
            }
            part.inverse = Some(inverse);
        }
        self.parts.push(part);
        self.built.insert(open.identity, self.parts.len() - 1);
        self.open.remove(&open.identity);
        Ok(())
    }

    /// Returns the part with the names in the file, or those of its type.
    fn named(&self, fields: &Fields, made: Made) -> Result<Part> {
        let Made { mut part, .. } = made;
        part.place = place_of(&fields.node);
        part.name = fields.get("name")?.and_then(|name| name.string("").ok());
        for (key, names) in [("inputs", &mut part.inputs), ("outputs", &mut part.outputs)] {
            if let Some(given) = fields.texts(key)? {
                if given.len() != names.len() {
                    let message =
                        format!("the transform has {} {key}, but {} names for them", names.len(), given.len());
                    return Err(fields.error(key, Status::Arity, &message));
                }
                *names = given;
            }
        }
        Ok(part)
    }
}

/// Returns the inputs that can be any spectral coordinate.
fn spectral_inputs(fields: &Fields, part: &Part) -> Result<Vec<usize>> {
    let Some(node) = fields.get("input_units_equivalencies")? else { return Ok(Vec::new()) };
    let mut inputs = Vec::new();
    for (key, value) in node.pairs()? {
        let NodeKey::String(name) = key else { continue };
        let Some(input) = part.inputs.iter().position(|input| *input == name) else { continue };
        for equivalency in value.children()? {
            if equivalency.exists("name")? && equivalency.text("name")? == "spectral" {
                inputs.push(input);
            }
        }
    }
    Ok(inputs)
}

/// Returns the number of inputs and outputs of a part.
fn arity(parts: &[Part], number: usize) -> (usize, usize) {
    (parts[number].inputs.len(), parts[number].outputs.len())
}

/// Appends a part, and returns its number.
fn push(parts: &mut Vec<Part>, operation: Operation, inputs: usize, outputs: usize) -> usize {
    parts.push(Part::bare(operation, inputs, outputs));
    parts.len() - 1
}
