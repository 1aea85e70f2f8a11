//! `asdfkit diff`: differences in meaning between two files of one format.

use super::diff_arrays;
use super::diff_stored;
use super::diff_tables;
use super::difference::{Difference, Differences, Tolerance};
use super::verify::is_damage;
use crate::core::arguments::{TableText, Threads};
use crate::core::call::with_progress;
use crate::core::failure::{Failure, Outcome, Result};
use crate::core::input::{Format, Input};
use crate::core::output::Output;
use crate::core::tables::Part;
use crate::core::tree_path::TreePath;
use crate::core::value;
use crate::core::walk::{escape, key_text};
use asdfkit::array::Array;
use asdfkit::file::{Key, Node, NodeKey, NodeType};
use asdfkit::report::Operation;
use asdfkit::{Status, ndl};
use clap::Args;
use std::collections::HashSet;
use std::path::PathBuf;

/// Compare two files by their meaning: trees, arrays, tables, descriptions
///
/// Order of keys, styles, comments, compression, byte order, the place of the elements and versions of tags do not
/// matter. An ECSV file and an ASDF file are compared as tables; --path names that of the ASDF file. The exit code is 1 if
/// the files differ.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Old file; `-` is standard input
    old: PathBuf,
    /// New file
    new: PathBuf,
    /// Compare only this path in both files
    #[arg(short, long, default_value = "")]
    path: TreePath,
    /// Numbers may differ by this part of the new number
    #[arg(long, default_value_t = 0.0, value_name = "NUMBER")]
    rtol: f64,
    /// Numbers may differ by this much
    #[arg(long, default_value_t = 0.0, value_name = "NUMBER")]
    atol: f64,
    /// Leave out this path and everything below it; can be repeated
    #[arg(short, long, value_name = "PATH")]
    ignore: Vec<TreePath>,
    /// Compare asdf_library and the history, too
    #[arg(short, long)]
    all: bool,
    /// Show at most this many differences
    #[arg(long, default_value_t = 20, value_name = "NUMBER")]
    show: usize,
    /// Show nothing; the exit code tells the result
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    text: TableText,
    #[command(flatten)]
    threads: Threads,
}

/// Compares two files.
pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    if !(arguments.rtol >= 0.0 && arguments.atol >= 0.0) {
        return Err(Failure::usage("tolerances are numbers from 0"));
    }
    let inputs = [Input::open(&arguments.old)?, Input::open(&arguments.new)?];
    let names = [inputs[0].name(), inputs[1].name()];
    let formats = [inputs[0].format_of_table(&arguments.text)?, inputs[1].format_of_table(&arguments.text)?];
    let are_tables = |format: &Format| matches!(format, Format::Asdf | Format::Ecsv);
    let is_mixed = formats[0] != formats[1];
    if is_mixed && !formats.iter().all(are_tables) {
        return Err(Failure::usage(format!("{} and {} have different formats", names[0], names[1])));
    }
    let tolerance = Tolerance { relative: arguments.rtol, absolute: arguments.atol };
    let mut differences = Differences::new(names, arguments.show, arguments.quiet);
    with_progress("diff", || match formats[0] {
        _ if is_mixed => {
            if !arguments.ignore.is_empty() || arguments.all {
                return Err(Failure::usage(
                    "--ignore and --all are for trees; files of two formats are compared as tables",
                ));
            }
            let part = |format| Part {
                path: Some(arguments.path.clone()).filter(|path| format == Format::Asdf && !path.is_root()),
                columns: None,
                rows: 0..u64::MAX,
                threads: arguments.threads.number(),
                text: arguments.text.clone(),
            };
            diff_tables::compare_formats(&inputs, &formats.map(part), tolerance, &mut differences)
        }
        Format::Asdf => compare_files(&inputs, arguments, tolerance, &mut differences),
        Format::Ecsv => {
            let threads = arguments.threads.number();
            diff_tables::compare(&inputs, &arguments.text, tolerance, threads, &mut differences)
        }
        Format::Ndl => compare_descriptions(&inputs, &mut differences),
    })?;
    output.report(&differences)?;
    Ok(Outcome::of(differences.is_empty()))
}

/// Reads two descriptions and adds their differences.
pub(super) fn compare_descriptions(inputs: &[Input; 2], out: &mut Differences) -> Result<()> {
    let mut parsed = Vec::new();
    for input in inputs {
        let one = input.description(&ndl::ReadOptions::default())?;
        if let Some(diagnostic) = one.diagnostics.iter().find(|one| one.severity == ndl::Severity::Error) {
            return Err(diagnostic.to_error().in_file(&input.name().into()).into());
        }
        parsed.push(one.description);
    }
    for found in parsed[0].differences(&parsed[1], &ndl::DifferenceOptions::default())? {
        out.add(of_description(&found));
    }
    Ok(())
}

/// Returns a difference between descriptions in the form of this command.
pub(super) fn of_description(found: &ndl::Difference) -> Difference {
    let value = |text: &Option<String>| text.as_deref().and_then(|text| serde_json::from_str(text).ok());
    // The text is sign, place, colon and message.
    let text = found.to_string();
    let message = text.splitn(3, ' ').nth(2).unwrap_or(&text).to_owned();
    Difference {
        old: value(&found.old),
        new: value(&found.new),
        ..Difference::new(found.operation, &found.at, message)
    }
}

/// Places that remain to be compared.
struct Comparison<'a> {
    arguments: &'a Arguments,
    tolerance: Tolerance,
    ignored: Vec<String>,
    rest: Vec<(String, Node, Node)>,
    /// Pairs of collections that were compared, also by other paths.
    done: HashSet<(u64, u64)>,
}

fn compare_files(
    inputs: &[Input; 2],
    arguments: &Arguments,
    tolerance: Tolerance,
    out: &mut Differences,
) -> Result<()> {
    let path = String::from(&*arguments.path);
    let old = inputs[0].asdf_in_pieces()?.root()?.at(&path)?;
    let new = inputs[1].asdf_in_pieces()?.root()?.at(&path)?;
    let mut ignored: Vec<String> = arguments.ignore.iter().map(|path| String::from(&**path)).collect();
    if !arguments.all {
        ignored.extend(["/asdf_library".to_owned(), "/history".to_owned()]);
    }
    let mut comparison =
        Comparison { arguments, tolerance, ignored, rest: vec![(path, old, new)], done: HashSet::new() };
    while let Some((path, old, new)) = comparison.rest.pop() {
        comparison.compare(&path, &old, &new, out)?;
    }
    Ok(())
}

/// Returns a tag without its version.
fn unversioned(tag: &str) -> &str {
    match tag.rsplit_once('-') {
        Some((name, version)) if version.starts_with(|first: char| first.is_ascii_digit()) => name,
        _ => tag,
    }
}

/// Returns the type of a node; `None` for a reference that cannot be followed.
fn type_of(node: &Node) -> Result<Option<NodeType>> {
    match node.node_type("") {
        Ok(node_type) => Ok(Some(node_type)),
        Err(error) if error.is_of_machine() => Err(error.into()),
        Err(error) => match node.reference("") {
            Ok(Some(_)) => Ok(None),
            _ => Err(error.into()),
        },
    }
}

/// Returns a short text of a node.
fn shown(node: &Node) -> Result<String> {
    Ok(match type_of(node)? {
        None => format!("reference to {}", node.reference("")?.unwrap_or_default()),
        Some(NodeType::Mapping) => format!("mapping with {}", crate::core::size::count(node.count("")? as u64, "key")),
        Some(NodeType::Sequence) => {
            format!("sequence with {}", crate::core::size::count(node.count("")? as u64, "item"))
        }
        Some(_) => value::scalar(node)?.to_string(),
    })
}

fn key_of(key: &NodeKey) -> Key<'_> {
    match key {
        NodeKey::String(text) => Key::String(text),
        NodeKey::Integer(value) => Key::Integer(*value),
        NodeKey::Bool(value) => Key::Bool(*value),
        NodeKey::Other(text) => Key::Other(text),
    }
}

/// Returns the value of a key; `None` if the mapping lacks it.
fn value_of(node: &Node, key: &NodeKey) -> Result<Option<Node>> {
    match node.at_key("", key_of(key)) {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.status() == Status::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Adds the difference between two arrays of which one at least cannot be read. Fails if only the file tells nothing
/// about the array, or if both fail in the same way.
fn unreadable(path: &str, arrays: [asdfkit::Result<Array>; 2], out: &mut Differences) -> Result<()> {
    let mut texts = Vec::new();
    for array in arrays {
        texts.push(match array {
            Ok(_) => "an array".to_owned(),
            Err(error) if is_damage(error.status()) => format!("an unreadable array ({})", error.message()),
            Err(error) => return Err(error.into()),
        });
    }
    out.add(Difference::new(Operation::Change, path, texts.join(" -> ")));
    Ok(())
}

impl Comparison<'_> {
    fn compare(&mut self, path: &str, old: &Node, new: &Node, out: &mut Differences) -> Result<()> {
        let types = [type_of(old)?, type_of(new)?];
        let (Some(old_type), Some(new_type)) = (types[0], types[1]) else {
            let uris = [old.reference("")?, new.reference("")?];
            if uris[0] != uris[1] || types[0] != types[1] {
                let message = format!("{} -> {}", shown(old)?, shown(new)?);
                out.add(Difference::new(Operation::Change, path, message));
            }
            return Ok(());
        };
        if old.is_array("")? && new.is_array("")? {
            let arrays = match [old.array(""), new.array("")] {
                [Ok(old), Ok(new)] => [old, new],
                [old, new] => return unreadable(path, [old, new], out),
            };
            if diff_stored::are_same([old, new], [&arrays[0], &arrays[1]])? {
                return Ok(());
            }
            let threads = self.arguments.threads.number();
            return diff_arrays::compare(path, [&arrays[0], &arrays[1]], self.tolerance, threads, out);
        }
        let tags = [old.tag("")?.unwrap_or_default(), new.tag("")?.unwrap_or_default()];
        if unversioned(&tags[0]) != unversioned(&tags[1]) {
            let message = format!("tag '{}' -> '{}'", tags[0], tags[1]);
            out.add(Difference::new(Operation::Change, path, message));
        }
        match (old_type, new_type) {
            (NodeType::Mapping, NodeType::Mapping) => {
                if self.is_new_pair(old, new)? {
                    self.compare_mappings(path, [old, new], out)?;
                }
            }
            (NodeType::Sequence, NodeType::Sequence) => {
                if self.is_new_pair(old, new)? {
                    self.compare_sequences(path, old, new, out)?;
                }
            }
            _ => self.compare_scalars(path, old, new, [old_type, new_type], out)?,
        }
        Ok(())
    }

    fn is_new_pair(&mut self, old: &Node, new: &Node) -> Result<bool> {
        Ok(self.done.insert((old.identity("")?, new.identity("")?)))
    }

    fn is_ignored(&self, path: &str) -> bool {
        self.ignored.iter().any(|ignored| ignored == path)
    }

    /// Compares the values of all keys.
    fn compare_mappings(&mut self, path: &str, nodes: [&Node; 2], out: &mut Differences) -> Result<()> {
        let [old, new] = nodes;
        let mut pairs = Vec::new();
        for index in 0..old.count("")? {
            let key = old.key("", index)?;
            let below = format!("{path}/{}", escape(&key_text(&key)));
            if self.is_ignored(&below) {
                continue;
            }
            match value_of(new, &key)? {
                Some(value) => pairs.push((below, old.item("", index)?, value)),
                None => out.add(Difference::new(Operation::Remove, &below, shown(&old.item("", index)?)?)),
            }
        }
        for index in 0..new.count("")? {
            let key = new.key("", index)?;
            let below = format!("{path}/{}", escape(&key_text(&key)));
            if !self.is_ignored(&below) && value_of(old, &key)?.is_none() {
                out.add(Difference::new(Operation::Add, &below, shown(&new.item("", index)?)?));
            }
        }
        self.rest.extend(pairs.into_iter().rev());
        Ok(())
    }

    fn compare_sequences(&mut self, path: &str, old: &Node, new: &Node, out: &mut Differences) -> Result<()> {
        let counts = [old.count("")?, new.count("")?];
        if counts[0] != counts[1] {
            let message = format!("{} items -> {} items", counts[0], counts[1]);
            out.add(Difference::new(Operation::Change, path, message));
        }
        for index in (0..counts[0].min(counts[1])).rev() {
            let below = format!("{path}/{index}");
            if !self.is_ignored(&below) {
                self.rest.push((below, old.item("", index)?, new.item("", index)?));
            }
        }
        Ok(())
    }

    fn compare_scalars(
        &self,
        path: &str,
        old: &Node,
        new: &Node,
        types: [NodeType; 2],
        out: &mut Differences,
    ) -> Result<()> {
        let numeric = |kind| matches!(kind, NodeType::Integer | NodeType::Float);
        let equal = match types {
            [NodeType::Integer, NodeType::Integer] if self.tolerance.relative + self.tolerance.absolute == 0.0 => {
                old.integer("")? == new.integer("")?
            }
            [one, other] if numeric(one) && numeric(other) && (one == other || self.tolerance.absolute > 0.0) => {
                self.tolerance.equal(old.f64("")?, new.f64("")?)
            }
            [NodeType::Binary, NodeType::Binary] => old.binary("")? == new.binary("")?,
            [NodeType::Mapping | NodeType::Sequence, _] | [_, NodeType::Mapping | NodeType::Sequence] => false,
            [one, other] => one == other && value::scalar(old)? == value::scalar(new)?,
        };
        if equal {
            return Ok(());
        }
        let values = |node: &Node, kind| match kind {
            NodeType::Mapping | NodeType::Sequence => Ok(None),
            _ => value::scalar(node).map(Some),
        };
        let message = format!("{} -> {}", shown(old)?, shown(new)?);
        let (before, after) = (values(old, types[0])?, values(new, types[1])?);
        out.add(Difference { old: before, new: after, ..Difference::new(Operation::Change, path, message) });
        Ok(())
    }
}
