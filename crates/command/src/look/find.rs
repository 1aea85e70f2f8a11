//! `asdfkit find`: nodes of trees by key, value, tag or kind.

use super::tree_line::{Line, kind_name};
use crate::core::arguments::Files;
use crate::core::elements::datatype_text;
use crate::core::failure::{Failure, Outcome, Result};
use crate::core::input::Input;
use crate::core::output::{Output, Report, Style, printable};
use crate::core::walk::{Visit, Walk, key_text};
use asdfkit::file::NodeType;
use asdfkit::{Error, NodeKind};
use clap::Args;
use clap::builder::PossibleValuesParser;
use serde_json::{Value, json};
use std::io::{self, Write};

/// Find nodes by key, value, tag or kind; a node must match all that is given
///
/// Patterns may contain * for any text and ? for one character. Case does not matter. The exit code is 1 if nothing is
/// found in a file.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) files: Files,
    /// Pattern of the key
    #[arg(short, long, value_name = "PATTERN")]
    key: Option<String>,
    /// Pattern of the text of a scalar
    #[arg(short = 'v', long, value_name = "PATTERN")]
    value: Option<String>,
    /// Pattern of the tag
    #[arg(short, long, value_name = "PATTERN")]
    tag: Option<String>,
    /// Kind of the node
    #[arg(long, value_name = "KIND", value_parser = PossibleValuesParser::new(KINDS), ignore_case = true)]
    kind: Option<String>,
    /// Pattern of the datatype of an array, such as float*
    #[arg(long, value_name = "PATTERN")]
    datatype: Option<String>,
}

impl Arguments {
    /// Returns the arguments if they tell what to look for.
    pub(crate) fn checked(&self) -> Result<&Arguments> {
        let given = [&self.key, &self.value, &self.tag, &self.kind, &self.datatype];
        if given.iter().all(|one| one.is_none()) {
            return Err(Failure::usage("give at least one of --key, --value, --tag, --kind, --datatype"));
        }
        Ok(self)
    }
}

/// Names of the kinds of nodes.
const KINDS: [&str; 19] = [
    "array",
    "table",
    "column",
    "quantity",
    "unit",
    "time",
    "time delta",
    "coordinates",
    "string",
    "integer",
    "float",
    "bool",
    "null",
    "complex",
    "timestamp",
    "binary",
    "mapping",
    "sequence",
    "reference",
];

/// Returns whether a node is of a kind. A column of a table can be a quantity or a time.
fn is_of_kind(visit: &Visit, kind: &str) -> Result<bool> {
    let is_column = kind.eq_ignore_ascii_case("column") && visit.column.is_some();
    Ok(is_column || kind_name(visit.node.kind("")?).eq_ignore_ascii_case(kind))
}

/// Searches one file.
pub(crate) fn run(input: &Input, arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    let file = input.asdf()?;
    let mut walk = Walk::new(file.root()?, String::new());
    let mut found = Vec::new();
    while let Some(visit) = walk.next()? {
        if let Some(card) = visit.as_card()? {
            if matches(&card, arguments)? {
                found.push(Line::of(&card)?.with_path_as_key());
            }
            continue;
        }
        if matches(&visit, arguments)? {
            found.push(Line::of(&visit)?.with_path_as_key());
        }
        walk.enter(&visit)?;
    }
    let outcome = Outcome::of(!found.is_empty());
    let many = arguments.files.files.len() > 1 || arguments.files.files.iter().any(|path| path.is_dir());
    output.report(&Found { name: input.name(), many, lines: found })?;
    Ok(outcome)
}

fn matches(visit: &Visit, arguments: &Arguments) -> Result<bool> {
    let node = &visit.node;
    if let Some(pattern) = &arguments.key
        && !visit.key.as_ref().is_some_and(|key| is_like(&key_text(key), pattern))
    {
        return Ok(false);
    }
    let Some(node_type) = visit.node_type else {
        let others = [&arguments.value, &arguments.tag, &arguments.datatype].iter().all(|one| one.is_none());
        return Ok(others && arguments.kind.as_deref().is_none_or(|kind| kind.eq_ignore_ascii_case("reference")));
    };
    if let Some(pattern) = &arguments.value {
        let scalar = !matches!(node_type, NodeType::Mapping | NodeType::Sequence);
        if !scalar || !is_like(&node.text("")?, pattern) {
            return Ok(false);
        }
    }
    if let Some(pattern) = &arguments.tag
        && !node.tag("")?.is_some_and(|tag| is_like(&tag, pattern))
    {
        return Ok(false);
    }
    if let Some(kind) = &arguments.kind
        && !is_of_kind(visit, kind)?
    {
        return Ok(false);
    }
    if let Some(pattern) = &arguments.datatype {
        if node.kind("")? != NodeKind::Array {
            return Ok(false);
        }
        let array = Error::readable(node.array(""))?;
        return Ok(array.is_some_and(|array| is_like(&datatype_text(array.datatype()), pattern)));
    }
    Ok(true)
}

/// Returns whether a text matches a pattern as a whole.
fn is_like(text: &str, pattern: &str) -> bool {
    let text: Vec<char> = text.to_lowercase().chars().collect();
    let pattern: Vec<char> = pattern.to_lowercase().chars().collect();
    let (mut at, mut next) = (0, 0);
    // The last star, and the place in the text where the rest after it was tried.
    let mut star: Option<(usize, usize)> = None;
    while at < text.len() {
        match pattern.get(next) {
            Some('*') => {
                star = Some((next, at));
                next += 1;
            }
            Some(wanted) if *wanted == '?' || *wanted == text[at] => {
                at += 1;
                next += 1;
            }
            _ => match &mut star {
                Some((position, tried)) => {
                    *tried += 1;
                    (at, next) = (*tried, *position + 1);
                }
                None => return false,
            },
        }
    }
    pattern[next..].iter().all(|rest| *rest == '*')
}

struct Found {
    name: String,
    /// True to show the name of the file on each line.
    many: bool,
    lines: Vec<Line>,
}

impl Report for Found {
    fn json(&self) -> Value {
        json!({"file": self.name, "found": self.lines.iter().map(Line::json).collect::<Vec<_>>()})
    }

    fn text(&self, out: &mut dyn Write, style: Style) -> io::Result<()> {
        for line in &self.lines {
            if self.many {
                write!(out, "{}:", style.name(printable(&self.name)))?;
            }
            writeln!(out, "{}", line.text(style))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::is_like;

    #[test]
    fn patterns_match_whole_texts() {
        for (text, pattern) in
            [("data", "data"), ("Data", "d*"), ("a.b.c", "*.?"), ("", "*"), ("aab", "*ab"), ("ab", "**b")]
        {
            assert!(is_like(text, pattern), "{text} {pattern}");
        }
        for (text, pattern) in [("data", "dat"), ("data", "?"), ("", "?"), ("abc", "a*b")] {
            assert!(!is_like(text, pattern), "{text} {pattern}");
        }
    }
}
