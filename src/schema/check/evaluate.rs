//! Applying a schema to a node, and through it others to the nodes below.
//!
//! Schemas that are being applied stand on an explicit stack: neither the depth of a tree nor that of a schema is the
//! depth of the call stack. The number of steps is bounded, and a reference that leads back to itself at the same node
//! fails.

use super::arrays::Arrays;
use super::failure::{Detail, Failure};
use super::leaf::Leaf;
use crate::error::{Error, Result, Status};
use crate::reserve;
use crate::schema::Schemas;
use crate::schema::language::compile::is_note;
use crate::schema::language::rule::{Dependency, Place, Rule, Schema};
use crate::schema::language::value::{self, Members, Types, types_of};
use crate::tree::{Key, Kind, NodeId, Scalar, Tree};
use foldhash::{HashMap, HashMapExt};
use std::sync::Arc;

/// Maximum number of steps for a tree, and more for each node.
const MAX_STEPS: u64 = 1 << 22;
const STEPS_PER_NODE: u64 = 1 << 8;
/// Maximum number of schemas that are being applied at once.
const MAX_STACK: usize = 1 << 16;
/// Maximum number of failures that are kept.
const MAX_FAILURES: usize = 1 << 10;

/// A schema that is being applied to a node.
struct Frame<'a> {
    place: Place,
    schema: &'a Schema,
    /// Tree of the document of the schema.
    document: &'a Tree,
    /// The node, which is not an alias.
    node: NodeId,
    types: Types,
    members: Members<'a>,
    depth: usize,
    /// Index of the current rule.
    rule: usize,
    /// Number of schemas that the current rule has applied.
    step: usize,
    /// Numbers of failures before this schema, before the current rule, and before its last step.
    before: Mark,
    before_rule: Mark,
    before_step: Mark,
    /// Number of schemas of a choice that hold.
    matched: usize,
    /// True if the schema is the target of a reference or reached by an alias; its result is then remembered.
    is_remembered: bool,
}

impl<'a> Frame<'a> {
    /// Returns the node for rules that concern it alone.
    fn leaf<'f>(&'f self, tree: &'f Tree, arrays: &'f dyn Arrays) -> Leaf<'f> {
        Leaf { schema: self.document, tree, node: self.node, types: self.types, members: &self.members, arrays }
    }
}

/// A number of failures: those kept, and all.
#[derive(Clone, Copy, Default, PartialEq)]
struct Mark {
    kept: usize,
    all: u64,
}

/// Application of schemas to nodes of one tree.
pub(in crate::schema) struct Evaluation<'a> {
    schemas: &'a Schemas,
    tree: &'a Tree,
    arrays: &'a dyn Arrays,
    stack: Vec<Frame<'a>>,
    pub(in crate::schema) failures: Vec<Failure>,
    /// Number of all failures, kept or not.
    pub(in crate::schema) found: u64,
    steps: u64,
    /// Results of targets of references: whether the schema holds. `None` while it is being applied.
    results: HashMap<(Place, NodeId), Option<bool>>,
}

impl<'a> Evaluation<'a> {
    pub(in crate::schema) fn new(schemas: &'a Schemas, tree: &'a Tree, arrays: &'a dyn Arrays) -> Evaluation<'a> {
        let steps = MAX_STEPS + STEPS_PER_NODE.saturating_mul(tree.node_count() as u64);
        let results = HashMap::new();
        Evaluation { schemas, tree, arrays, stack: Vec::new(), failures: Vec::new(), found: 0, steps, results }
    }

    /// Applies a schema to a node. Fails with [`Status::Schema`] if a schema is malformed, and with [`Status::Limit`] if
    /// it takes too many steps.
    pub(in crate::schema) fn apply(&mut self, place: Place, node: NodeId) -> Result<()> {
        self.stack.clear();
        self.enter(place, node, 0, false)?;
        while let Some(mut frame) = self.stack.pop() {
            self.steps = self.steps.checked_sub(1).ok_or_else(|| self.too_costly(frame.node))?;
            match frame.schema.rules.get(frame.rule) {
                Some(rule) => {
                    let next = self.next(&mut frame, rule)?;
                    match next {
                        Some((place, node, by_reference)) => {
                            frame.step += 1;
                            frame.before_step = self.mark();
                            let depth = frame.depth + usize::from(node != frame.node);
                            self.stack.push(frame);
                            self.enter(place, node, depth, by_reference)?;
                        }
                        None => {
                            frame.rule += 1;
                            frame.step = 0;
                            frame.matched = 0;
                            frame.before_rule = self.mark();
                            self.stack.push(frame);
                        }
                    }
                }
                None => self.leave(&frame),
            }
        }
        Ok(())
    }

    fn mark(&self) -> Mark {
        Mark { kept: self.failures.len(), all: self.found }
    }

    /// Forgets the failures after a mark.
    fn return_to(&mut self, mark: Mark) {
        self.failures.truncate(mark.kept);
        self.found = mark.all;
    }

    fn too_costly(&self, node: NodeId) -> Error {
        self.tree.locate(Error::new(Status::Limit, "checking the schemas takes too many steps"), node)
    }

    /// Begins to apply a schema, unless its result is known.
    fn enter(&mut self, place: Place, node: NodeId, depth: usize, by_reference: bool) -> Result<()> {
        let is_remembered = by_reference || self.tree.kind(node) == Kind::Alias;
        let node = self.tree.dealias(node);
        if is_reference(self.tree, node) {
            return Ok(());
        }
        if is_remembered {
            match self.results.insert((place, node), None) {
                // Failures are reported once; a choice needs them again.
                Some(Some(false)) | None => {}
                Some(Some(true)) => {
                    self.results.insert((place, node), Some(true));
                    return Ok(());
                }
                Some(None) => return self.check_circle(place, depth),
            }
        }
        if self.stack.len() >= MAX_STACK {
            return Err(self.tree.locate(Error::limit("schemas inside of schemas", MAX_STACK as u64), node));
        }
        let (schema, document) = self.schemas.schema(place)?;
        let before = self.mark();
        self.stack.push(Frame {
            place,
            schema,
            document,
            node,
            types: types_of(self.tree, node),
            members: Members::of(self.tree, node),
            depth,
            rule: 0,
            step: 0,
            before,
            before_rule: before,
            before_step: before,
            matched: 0,
            is_remembered,
        });
        Ok(())
    }

    /// Fails if references lead back to a schema at the same node. A tree that contains itself is checked once.
    fn check_circle(&self, place: Place, depth: usize) -> Result<()> {
        let mut here = self.stack.iter().rev().take_while(|frame| frame.depth == depth);
        if here.any(|frame| frame.place == place) {
            let (uri, _) = self.schemas.document_of(place);
            let message = format!("a reference in the schema '{uri}' leads back to itself");
            return Err(Error::new(Status::Schema, message));
        }
        Ok(())
    }

    fn leave(&mut self, frame: &Frame) {
        if frame.is_remembered {
            let holds = frame.before.all == self.found;
            self.results.insert((frame.place, frame.node), Some(holds));
        }
    }

    fn fail(&mut self, frame: &Frame, node: NodeId, detail: Detail, nearest: Option<Arc<Failure>>) {
        self.found += 1;
        if self.failures.len() < MAX_FAILURES {
            let (schema, rule, depth) = (frame.place, frame.rule, frame.depth);
            self.failures.push(Failure { node, schema, rule, detail, depth, nearest });
        }
    }

    /// Returns the next schema that a rule applies, its node, and whether it is the target of a reference. `None` if
    /// the rule is done.
    fn next(&mut self, frame: &mut Frame<'a>, rule: &'a Rule) -> Result<Option<(Place, NodeId, bool)>> {
        // For the failure that the step may find.
        reserve::room_for(&mut self.failures, 1)?;
        let (step, node) = (frame.step, frame.node);
        let is = |types| frame.types & types != 0;
        let document = frame.place.document;
        let inside = |schema: NodeId| Place { document, node: frame.document.dealias(schema) };
        let apply = |schema: NodeId, node| Ok(Some((inside(schema), node, false)));
        match rule {
            Rule::Reference(reference) if step == 0 => {
                Ok(Some((self.schemas.target(document, reference)?, node, true)))
            }
            Rule::AllOf(schemas) => match schemas.get(step) {
                Some(schema) => apply(*schema, node),
                None => Ok(None),
            },
            Rule::Items(schema) if is(value::ARRAY) => match self.item(frame, step)? {
                Some(item) => apply(*schema, item),
                None => Ok(None),
            },
            Rule::ItemList(schemas) if is(value::ARRAY) => match schemas.get(step).zip(self.item(frame, step)?) {
                Some((schema, item)) => apply(*schema, item),
                None => Ok(None),
            },
            Rule::MoreItems(first, schema) if is(value::ARRAY) => match (self.item(frame, first + step)?, schema) {
                (Some(item), Some(schema)) => apply(*schema, item),
                (Some(item), None) => {
                    self.fail(frame, item, Detail::None, None);
                    Ok(None)
                }
                (None, _) => Ok(None),
            },
            Rule::Properties(_) | Rule::PatternProperties(_) | Rule::MoreProperties(_) | Rule::Dependencies(_)
                if is(value::OBJECT) =>
            {
                self.next_property(frame, rule)
            }
            Rule::AnyOf(schemas) | Rule::OneOf(schemas) => self.next_choice(frame, rule, schemas),
            Rule::Not(schema) => {
                if step == 0 {
                    return apply(*schema, node);
                }
                let holds = frame.before_step == self.mark();
                self.return_to(frame.before_rule);
                if holds {
                    self.fail(frame, node, Detail::None, None);
                }
                Ok(None)
            }
            Rule::Reference(_) => Ok(None),
            leaf => {
                let found = frame.leaf(self.tree, self.arrays).check(leaf)?;
                if let Some(detail) = found {
                    self.fail(frame, node, detail, None);
                }
                Ok(None)
            }
        }
    }

    fn item(&self, frame: &Frame, index: usize) -> Result<Option<NodeId>> {
        Ok(self.tree.try_items(frame.node)?.get(index).copied())
    }

    /// Returns the next schema of a rule about the keys of a mapping. `frame.matched` counts the looked-at keys.
    fn next_property(&mut self, frame: &mut Frame<'a>, rule: &'a Rule) -> Result<Option<(Place, NodeId, bool)>> {
        let (tree, document, node) = (self.tree, frame.document, frame.node);
        let inside = |schema: NodeId| Place { document: frame.place.document, node: document.dealias(schema) };
        match rule {
            Rule::Properties(properties) => {
                while let Some((key, schema)) = properties.get(frame.matched) {
                    frame.matched += 1;
                    if let Some(value) = frame.members.find(document.key(*key)) {
                        return Ok(Some((inside(*schema), value, false)));
                    }
                }
                Ok(None)
            }
            Rule::PatternProperties(patterns) => {
                let count = frame.members.pairs().len() / 2;
                while frame.matched < count * patterns.0.len() {
                    let (index, pattern) = (frame.matched % count, frame.matched / count);
                    frame.matched += 1;
                    self.steps = self.steps.checked_sub(1).ok_or_else(|| self.too_costly(node))?;
                    let Some((pattern, _, schema)) = patterns.0.get(pattern) else { break };
                    let Some(&[key, value]) = frame.members.pairs().get(2 * index..2 * index + 2) else { break };
                    if matches(tree, key, pattern)? {
                        return Ok(Some((inside(*schema), value, false)));
                    }
                }
                Ok(None)
            }
            Rule::MoreProperties(more) => {
                while let Some(&[key_node, value]) = frame.members.pairs().get(2 * frame.matched..2 * frame.matched + 2)
                {
                    frame.matched += 1;
                    let key = tree.key(key_node);
                    if is_note(tree, key_node) {
                        continue;
                    }
                    if more.named.is_some_and(|named| document.find(named, key).is_some()) {
                        continue;
                    }
                    let mut is_named = false;
                    for (pattern, ..) in &more.patterns.0 {
                        self.steps = self.steps.checked_sub(1).ok_or_else(|| self.too_costly(node))?;
                        is_named = is_named || matches(tree, key_node, pattern)?;
                    }
                    match more.schema {
                        _ if is_named => {}
                        Some(schema) => return Ok(Some((inside(schema), value, false))),
                        None => self.fail(frame, value, Detail::Key(Box::from(&*key.text())), None),
                    }
                }
                Ok(None)
            }
            Rule::Dependencies(dependencies) => {
                while let Some((key, dependency)) = dependencies.get(frame.matched) {
                    frame.matched += 1;
                    if frame.members.find(document.key(*key)).is_none() {
                        continue;
                    }
                    if let Dependency::Schema(schema) = dependency {
                        return Ok(Some((inside(*schema), node, false)));
                    }
                    let leaf = frame.leaf(tree, self.arrays);
                    if let Some(missing) = leaf.missing(dependency.keys()) {
                        self.fail(frame, node, Detail::Key(missing), None);
                    }
                }
                Ok(None)
            }
            _ => Ok(None),
        }
    }

    /// Returns the next schema of a choice. Afterwards, its failures are replaced by that of the choice.
    fn next_choice(
        &mut self,
        frame: &mut Frame<'a>,
        rule: &Rule,
        schemas: &[NodeId],
    ) -> Result<Option<(Place, NodeId, bool)>> {
        if frame.step > 0 && frame.before_step == self.mark() {
            frame.matched += 1;
            if matches!(rule, Rule::AnyOf(_)) {
                self.return_to(frame.before_rule);
                return Ok(None);
            }
        }
        if let Some(schema) = schemas.get(frame.step) {
            let place = Place { document: frame.place.document, node: frame.document.dealias(*schema) };
            return Ok(Some((place, frame.node, false)));
        }
        let nearest = if frame.matched == 0 { self.nearest(frame) } else { None };
        self.return_to(frame.before_rule);
        if frame.matched != 1 {
            self.fail(frame, frame.node, Detail::Count(frame.matched as u64), nearest);
        }
        Ok(None)
    }

    /// Returns the failure that a reader most likely wants to see of a choice without a match: the deepest one. Of those
    /// at one depth, a wrong type or tag tells least.
    fn nearest(&self, frame: &Frame) -> Option<Arc<Failure>> {
        let failures = self.failures.get(frame.before_rule.kept..)?;
        let rank = |failure: &Failure| {
            let rule = self.schemas.rule(failure.schema, failure.rule);
            let is_other_kind = matches!(rule, Some(Rule::Type(_) | Rule::Tag(_) | Rule::Enum(_)));
            (failure.depth, !is_other_kind)
        };
        let mut best: Option<&Failure> = None;
        for failure in failures {
            if best.is_none_or(|best| rank(failure) > rank(best)) {
                best = Some(failure);
            }
        }
        best.map(|failure| Arc::new(failure.clone()))
    }
}

/// Returns whether an expression is found in a key. It is not in keys that are no strings.
fn matches(tree: &Tree, key: NodeId, pattern: &crate::schema::pattern::Pattern) -> Result<bool> {
    let Key::String(text) = tree.key(key) else { return Ok(false) };
    if is_note(tree, key) {
        return Ok(false);
    }
    pattern.is_in(text).map_err(|_| {
        tree.locate(Error::new(Status::Limit, "a pattern for keys takes too many steps for this key"), key)
    })
}

/// Returns whether the node is a JSON reference. What it leads to may be in another file, so no schema applies to it.
pub(in crate::schema) fn is_reference(tree: &Tree, node: NodeId) -> bool {
    if tree.kind(node) != Kind::Mapping {
        return false;
    }
    let reference = tree.find(node, Key::String("$ref")).map(|value| tree.dealias(value));
    reference
        .is_some_and(|value| tree.kind(value) == Kind::Scalar && matches!(tree.scalar(value), Ok(Scalar::String(_))))
}
