//! Validation of a tree: each tagged node by the schemas of its tag, and the root by one that the caller names.

use super::Schemas;
use super::check::arrays::Arrays;
use super::check::evaluate::{Evaluation, is_reference};
use super::language::value::{Members, OBJECT, types_of};
use crate::error::{Error, Result, Status, Warning};
use crate::report::{Entry, Report, Severity};
use crate::reserve;
use crate::tags::StandardVersion;
use crate::tree::{Kind, NodeId, Tree};
use foldhash::{HashSet, HashSetExt};

/// Node to validate, with its surroundings.
pub(crate) struct Subject<'a> {
    pub(crate) tree: &'a Tree,
    /// The node whose content is validated.
    pub(crate) node: NodeId,
    pub(crate) arrays: &'a dyn Arrays,
    pub(crate) standard: StandardVersion,
    /// URI of a schema that the node must match, besides those of the tags.
    pub(crate) schema: Option<&'a str>,
}

impl Schemas {
    /// Validates a node with all nodes below it. An entry of the report is an error for each violated keyword, followed
    /// by notes that explain it; a warning tells that a schema is missing.
    ///
    /// Fails with [`Status::Schema`] for a malformed schema, and with [`Status::Limit`].
    pub(crate) fn validate(&self, subject: &Subject) -> Result<Report> {
        let tree = subject.tree;
        let mut evaluation = Evaluation::new(self, tree, subject.arrays);
        let mut warnings: Vec<Warning> = Vec::new();
        let mut reported: HashSet<String> = HashSet::new();
        for node in tagged_nodes(tree, subject.node)? {
            let Some(tag) = tree.foreign_tag(node) else { continue };
            for uri in self.uris_of_tag(tag, subject.standard) {
                match self.place(uri) {
                    Ok(place) => evaluation.apply(place, node).map_err(|error| at(tree, node, error))?,
                    Err(error) if error.status() == Status::SchemaNotFound => {
                        if reported.insert(uri.to_owned()) {
                            let message = format!("the schema '{uri}' of the tag {tag} is missing");
                            let warning = Warning { message, location: tree.location(node) };
                            reserve::push(&mut warnings, warning)?;
                        }
                    }
                    Err(error) => return Err(error),
                }
            }
        }
        if let Some(uri) = subject.schema {
            evaluation.apply(self.place(uri)?, subject.node)?;
        }
        self.report(&evaluation, tree, &warnings)
    }

    fn report(&self, evaluation: &Evaluation, tree: &Tree, warnings: &[Warning]) -> Result<Report> {
        let mut seen: HashSet<String> = HashSet::new();
        let mut entries = reserve::collected(warnings.iter().map(|warning| Ok(Entry::from(warning))))?;
        for failure in &evaluation.failures {
            let found = failure.entries(self, tree);
            let is_new = match found.first() {
                Some(entry) => reserve::insert(&mut seen, entry.text.clone())?,
                None => true,
            };
            if is_new {
                reserve::extend(&mut entries, found)?;
            }
        }
        let dropped = evaluation.found.saturating_sub(evaluation.failures.len() as u64);
        Ok(Report::new(in_order(entries)?, dropped))
    }
}

/// Sorts the entries of a validation by their places. Notes stay behind the error that they explain.
pub(crate) fn in_order(entries: Vec<Entry>) -> Result<Vec<Entry>> {
    let mut groups: Vec<Vec<Entry>> = Vec::new();
    for entry in entries {
        match groups.last_mut() {
            Some(group) if entry.severity == Severity::Note => group.push(entry),
            _ => reserve::push(&mut groups, vec![entry])?,
        }
    }
    reserve::sort_by_key(&mut groups, |group| group.first().and_then(|entry| entry.offset))?;
    reserve::collected(groups.into_iter().flatten().map(Ok))
}

/// Adds the place of the node to the error of applying its schema, unless it has another one.
fn at(tree: &Tree, node: NodeId, error: Error) -> Error {
    if error.location().path.is_some() || error.location().file.is_some() { error } else { tree.locate(error, node) }
}

/// Returns the tagged nodes at and below a node, each once. Nodes inside of JSON references are left out.
fn tagged_nodes(tree: &Tree, start: NodeId) -> Result<Vec<NodeId>> {
    let mut found = Vec::new();
    let mut seen: HashSet<NodeId> = HashSet::new();
    let has_aliases = tree.alias_targets().next().is_some();
    let mut pending = vec![start];
    while let Some(node) = pending.pop() {
        let node = tree.dealias(node);
        if has_aliases && !reserve::insert(&mut seen, node)? {
            continue;
        }
        if is_reference(tree, node) {
            continue;
        }
        if tree.foreign_tag(node).is_some() {
            reserve::push(&mut found, node)?;
        }
        match tree.kind(node) {
            // The single pairs of an ordered mapping are no nodes of their own for schemas.
            Kind::Mapping | Kind::Sequence if types_of(tree, node) == OBJECT => {
                let members = Members::of(tree, node);
                reserve::extend(&mut pending, members.pairs().chunks_exact(2).rev().map(|pair| pair[1]))?;
            }
            Kind::Sequence if tree.plain_items(node).is_none() => {
                reserve::extend(&mut pending, tree.items(node).iter().rev().copied())?;
            }
            _ => {}
        }
    }
    Ok(found)
}
