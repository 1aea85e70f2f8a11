//! Violations of schemas, and their entries in a report.

use crate::error::Warning;
use crate::report::{Entry, Kind, Severity};
use crate::schema::Schemas;
use crate::schema::language::rule::{Dependency, Place, Rule};
use crate::schema::language::value::{described, names_of};
use crate::tree::{NodeId, Tree, fragment_of, path};
use std::sync::Arc;

/// A rule that a node violates.
#[derive(Clone, Debug)]
pub(in crate::schema) struct Failure {
    pub(super) node: NodeId,
    pub(super) schema: Place,
    /// Index of the rule in its schema.
    pub(super) rule: usize,
    pub(super) detail: Detail,
    /// Number of nodes above this one at which a schema was applied.
    pub(super) depth: usize,
    /// The failure of the schema of a choice that comes closest.
    pub(super) nearest: Option<Arc<Failure>>,
}

/// More about a failure.
#[derive(Clone, Debug)]
pub(super) enum Detail {
    None,
    /// A key that is missing, or not allowed.
    Key(Box<str>),
    /// A number that was found.
    Count(u64),
}

impl Failure {
    /// Returns the failure and its explanations as entries of a report.
    pub(in crate::schema) fn entries(&self, schemas: &Schemas, tree: &Tree) -> Vec<Entry> {
        let mut entries = vec![self.entry(schemas, tree, Severity::Error)];
        let mut nearest = self.nearest.as_deref();
        while let Some(failure) = nearest {
            entries.push(failure.entry(schemas, tree, Severity::Note));
            nearest = failure.nearest.as_deref();
        }
        entries
    }

    fn entry(&self, schemas: &Schemas, tree: &Tree, severity: Severity) -> Entry {
        let location = tree.location(self.node);
        let rule = schemas.rule(self.schema, self.rule);
        let message = rule.map_or_else(String::new, |rule| self.message(rule, schemas, tree));
        let message = match severity {
            Severity::Note => format!("the nearest choice fails: {message}"),
            _ => message,
        };
        let keyword = rule.map_or("", Rule::keyword);
        let schema = self.address(schemas, keyword);
        let warning = Warning { message: message.clone(), location };
        let entry = Entry::from(&warning);
        Entry {
            severity,
            kind: Kind::Diagnostic,
            text: format!("{warning} [{schema}]"),
            code: Some(keyword),
            subject: Some(schema),
            ..entry
        }
    }

    /// Returns the URI of the violated keyword.
    fn address(&self, schemas: &Schemas, keyword: &str) -> String {
        let (uri, tree) = schemas.document_of(self.schema);
        let pointer = tree.map(|tree| tree.path(self.schema.node)).unwrap_or_default();
        format!("{uri}{}", fragment_of(&format!("{pointer}/{}", path::escape(keyword))))
    }

    fn message(&self, rule: &Rule, schemas: &Schemas, tree: &Tree) -> String {
        let found = described(tree, tree.dealias(self.node));
        let (_, schema) = schemas.document_of(self.schema);
        let text = |node: NodeId| schema.map(|schema| schema.text(schema.dealias(node))).unwrap_or_default();
        let (key, count) = match &self.detail {
            Detail::Key(key) => (&**key, 0),
            Detail::Count(count) => ("", *count),
            Detail::None => ("", 0),
        };
        match rule {
            Rule::Type(types) => format!("expected {}, found {found}", names_of(*types)),
            Rule::Enum(values) => {
                let items = schema.map(|schema| schema.items(*values)).unwrap_or_default();
                let shown: Vec<&str> = items.iter().take(12).map(|item| text(*item)).collect();
                let more = if items.len() > shown.len() { ", …" } else { "" };
                format!("{found} is not one of {}{more}", shown.join(", "))
            }
            Rule::Minimum(limit, false) => format!("{found} is less than the minimum {}", text(*limit)),
            Rule::Minimum(limit, true) => format!("{found} is not greater than {}", text(*limit)),
            Rule::Maximum(limit, false) => format!("{found} is greater than the maximum {}", text(*limit)),
            Rule::Maximum(limit, true) => format!("{found} is not less than {}", text(*limit)),
            Rule::MultipleOf(divisor) => format!("{found} is not a multiple of {}", text(*divisor)),
            Rule::MinLength(least) => format!("{found} has {count} characters; at least {least} are required"),
            Rule::MaxLength(most) => format!("{found} has {count} characters; at most {most} are allowed"),
            Rule::Pattern(_, pattern) => format!("{found} does not match the pattern '{}'", text(*pattern)),
            Rule::MinItems(least) => format!("the list has {count} items; at least {least} are required"),
            Rule::MaxItems(most) => format!("the list has {count} items; at most {most} are allowed"),
            Rule::MoreItems(most, _) => format!("the list has more than {most} items"),
            Rule::UniqueItems => format!("item {count} of the list repeats an earlier one"),
            Rule::MinProperties(least) => format!("the mapping has {count} keys; at least {least} are required"),
            Rule::MaxProperties(most) => format!("the mapping has {count} keys; at most {most} are allowed"),
            Rule::Required(_) => format!("the required key '{key}' is missing"),
            Rule::MoreProperties(_) => format!("the key '{key}' is not allowed here"),
            Rule::Dependencies(_) => format!("the key '{key}' is missing, which another key requires"),
            Rule::AnyOf(schemas) => format!("{found} matches none of {} schemas", schemas.len()),
            Rule::OneOf(schemas) if count > 1 => {
                format!("{found} matches {count} of {} schemas instead of exactly one", schemas.len())
            }
            Rule::OneOf(schemas) => format!("{found} matches none of {} schemas", schemas.len()),
            Rule::Not(_) => format!("{found} matches a schema that it must not match"),
            Rule::Tag(tag) => match tree.tag(tree.dealias(self.node)) {
                Some(found) => format!("expected the tag {tag}, found {found}"),
                None => format!("expected the tag {tag}, found {found} without a tag"),
            },
            Rule::Ndim(rank) => format!("expected an array with {rank} dimensions, found {count}"),
            Rule::MaxNdim(rank) => format!("expected an array with at most {rank} dimensions, found {count}"),
            Rule::Datatype(wanted, exact) => {
                let kind = if *exact { "exactly the datatype" } else { "a datatype that fits into" };
                format!(
                    "expected an array with {kind} {}",
                    schema.map_or_else(String::new, |schema| shown(schema, *wanted))
                )
            }
            Rule::Reference(_)
            | Rule::Items(_)
            | Rule::ItemList(_)
            | Rule::Properties(_)
            | Rule::PatternProperties(_)
            | Rule::AllOf(_) => String::new(),
        }
    }
}

/// Describes a datatype in a schema.
fn shown(schema: &Tree, datatype: NodeId) -> String {
    let items: Vec<&str> = schema.items(datatype).iter().map(|item| schema.text(schema.dealias(*item))).collect();
    match schema.text(datatype) {
        "" if items.iter().all(|item| !item.is_empty()) => format!("[{}]", items.join(", ")),
        "" => "of the record".to_owned(),
        name => name.to_owned(),
    }
}

impl Dependency {
    /// Returns the keys that are required.
    pub(super) fn keys(&self) -> &[NodeId] {
        match self {
            Dependency::Keys(keys) => keys,
            Dependency::Schema(_) => &[],
        }
    }
}
