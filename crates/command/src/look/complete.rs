//! Paths of a file for completion in a shell.

use crate::core::failure::{Outcome, Result};
use crate::core::input::Input;
use crate::core::output::{Output, printable};
use crate::core::walk::escape;
use asdfkit::file::{NodeKey, NodeType};
use clap::Args;
use std::path::PathBuf;

/// Maximum number of paths.
const MOST: usize = 1000;

/// Write the paths of a file that begin with a text, one on a line
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// File to read
    file: PathBuf,
    /// Beginning of the path
    #[arg(default_value = "")]
    begin: String,
}

/// Writes the paths. A file that cannot be read has none.
pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    if arguments.file.is_file() {
        for path in paths(arguments).unwrap_or_default() {
            output.line(&path)?;
        }
    }
    Ok(Outcome::Yes)
}

fn paths(arguments: &Arguments) -> Result<Vec<String>> {
    let file = Input::open(&arguments.file)?.asdf()?;
    let (parent, begin) = match arguments.begin.rsplit_once('/') {
        Some((parent, begin)) => (format!("{parent}/"), begin),
        None => (String::new(), arguments.begin.as_str()),
    };
    let node = file.root()?.at(parent.trim_end_matches('/'))?;
    let mut found = Vec::new();
    for index in 0..node.count("")?.min(MOST) {
        let key = match node.node_type("")? {
            NodeType::Mapping => match node.key("", index)? {
                NodeKey::String(text) => escape(&text),
                NodeKey::Integer(number) => number.to_string(),
                NodeKey::Bool(truth) => truth.to_string(),
                NodeKey::Other(_) => continue,
            },
            _ => index.to_string(),
        };
        // A line feed would divide a path into two.
        if !key.starts_with(begin) || printable(&key) != key {
            continue;
        }
        let child = node.item("", index)?;
        let is_branch = matches!(child.node_type(""), Ok(NodeType::Mapping | NodeType::Sequence))
            && !child.is_array("").unwrap_or(true);
        found.push(format!("{parent}{key}{}", if is_branch { "/" } else { "" }));
    }
    Ok(found)
}
