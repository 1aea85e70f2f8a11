//! `asdfkit set`, `delete` and `rename`: edits of the tree. Comments and the text of other nodes stay.

use super::session::Saving;
use crate::core::failure::{Failure, Outcome, Result};
use crate::core::files::{Kinds, expanded, path_of};
use crate::core::output::Output;
use crate::core::tree_path::TreePath;
use crate::core::value::large_integer;
use asdfkit::file::{File, Node, NodeType};
use asdfkit::units::{Spelling, Unit};
use asdfkit::{Error, NodeKind, Status, TimeOptions};
use clap::{Args, ValueEnum};
use serde_json::Value;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Set the value at a path
///
/// A value that exists keeps its type: 141 in place of 139.8 is a float. It keeps its tag, too: in place of a time or a unit
/// only another one is taken. A new value, which needs --create, is read as YAML reads it: 12 is an integer, 1.5 and 1e5 are
/// floats, true a boolean, null is null, 2027-01-31 a date; other text is a string. A JSON list or object sets a part of the
/// tree. Several files are changed only if the change is possible in each of them.
#[derive(Args, Debug)]
pub(crate) struct Set {
    /// Files to change, or folders of them; then the path of the value, such as meta/exposure/time, and the new value
    ///
    /// A value that begins with a hyphen and is no number stands after `--`.
    #[arg(required = true, num_args = 1.., value_names = ["FILE", "PATH", "VALUE"], allow_negative_numbers = true)]
    arguments: Vec<OsString>,
    /// Type of the value, instead of that of the old value or the one that YAML sees
    #[arg(short = 't', long = "type", value_enum, value_name = "TYPE")]
    kind: Option<Kind>,
    /// Add the value if there is none, and make the mappings of its path that are missing
    #[arg(short, long)]
    create: bool,
    #[command(flatten)]
    saving: Saving,
}

/// Type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// Text
    String,
    /// An integer of any size
    Integer,
    /// A floating-point number
    Float,
    /// true or false
    Boolean,
    /// null
    Null,
    /// A date, or a date with time
    Timestamp,
    /// A complex number, such as 1+2j
    Complex,
    /// A JSON document
    Json,
}

/// Delete the nodes at paths
#[derive(Args, Debug)]
pub(crate) struct Delete {
    /// File to change
    pub(crate) file: PathBuf,
    /// Paths of the nodes
    #[arg(required = true)]
    paths: Vec<TreePath>,
    #[command(flatten)]
    saving: Saving,
}

/// Give a node another key, or move it to another path
///
/// Mappings of the new path that are missing are made.
#[derive(Args, Debug)]
pub(crate) struct Rename {
    /// File to change
    pub(crate) file: PathBuf,
    /// Path of the node
    path: TreePath,
    /// New key; with a /, a whole path from the root
    name: String,
    #[command(flatten)]
    saving: Saving,
}

impl Set {
    /// Returns the files, the path and the value.
    pub(crate) fn parts(&self) -> Result<(Vec<PathBuf>, TreePath, &str)> {
        let [first, others @ .., path, value] = &self.arguments[..] else {
            return Err(Failure::usage("set takes a file, a path and a value"));
        };
        let value = value.to_str().ok_or_else(|| Failure::usage("the value is not UTF-8"))?;
        let files: Vec<PathBuf> = std::iter::once(first).chain(others).map(PathBuf::from).collect();
        // A value of several words that is not quoted looks like more files.
        if let Some(name) = files[1..].iter().find(|name| !name.exists()) {
            let message = format!(
                "'{}' is no file: files stand first, then one path and one value; quotes keep words of a value together",
                name.display()
            );
            return Err(Failure::usage(message));
        }
        Ok((expanded(&files, Kinds::Asdf)?, path_of(path)?, value))
    }

    /// Makes the change in memory only, which fails if the change is not possible.
    pub(crate) fn check(&self, file: &Path, path: &TreePath, value: &str) -> Result<()> {
        self.saving.try_in_memory(file, |file| self.apply(file, path, value))
    }

    /// Changes the tree of a file. Returns what was done.
    fn apply(&self, file: &File, path: &TreePath, value: &str) -> Result<Vec<String>> {
        let root = file.root()?;
        check_parents(&root, path)?;
        if !self.create {
            check_exists(&root, path)?;
        }
        let old = shown(&root, path)?;
        check_kept(&root, path, value, self.kind)?;
        let holder = path.rsplit_once('/').map(|(holder, key)| (holder.to_owned(), key));
        let kind_of_holder = match &holder {
            Some((holder, _)) if root.exists(holder)? => Some(root.kind(holder)?),
            _ => None,
        };
        let time = || holder.as_ref().map(|(holder, _)| root.time(holder, &TimeOptions::default())).transpose();
        let was_time = kind_of_holder == Some(NodeKind::Time) && time().is_ok();
        let tag = match self.kind {
            // The library chooses the form of an integer by its size.
            None if is_large_integer(&root, path)? => None,
            None if old.is_some() => root.tag(path)?.filter(|tag| !tag.starts_with("tag:yaml.org,2002:")),
            _ => None,
        };
        match tag {
            Some(tag) => put_tagged(&root, path, value, &tag)?,
            // The unit of a quantity is one, also without a tag.
            None if kind_of_holder == Some(NodeKind::Quantity)
                && holder.as_ref().is_some_and(|(_, key)| *key == "unit") =>
            {
                root.set_string(path, &unit_text(path, value, Spelling::VoUnit)?)?;
            }
            None => {
                let kind = match self.kind {
                    Some(kind) => Some(kind),
                    None => kept_kind(&root, path, value)?,
                };
                put(&root, path, value, kind)?;
            }
        }
        if was_time {
            time().map_err(|error| refusal(path, format!("the time would be unreadable: {}", error.message())))?;
        }
        let new = shown(&root, path)?.unwrap_or_default();
        Ok(vec![match old {
            Some(old) => format!("change {path} from {old} to {new}"),
            None => format!("add {path} as {new}"),
        }])
    }
}

/// Sets a value in one file.
pub(crate) fn set(file: &Path, path: &TreePath, value: &str, arguments: &Set, output: &mut Output) -> Result<Outcome> {
    arguments.saving.change(file, output, |file| arguments.apply(file, path, value))?;
    Ok(Outcome::Yes)
}

/// Fails if there is no node at the path: a key of it may be misspelt.
fn check_exists(root: &Node, path: &str) -> Result<()> {
    match root.at(path) {
        Err(error) if error.status() == Status::NotFound => Err(Failure::from(error).with_advice("--create adds it")),
        _ => Ok(()),
    }
}

/// Fails if a scalar would replace an array, a quantity, a mapping or a sequence, even if `kind` is chosen: what is in them
/// would be lost by a mistake in the path.
fn check_kept(root: &Node, path: &str, value: &str, kind: Option<Kind>) -> Result<()> {
    if !root.exists(path)? || !matches!(root.node_type(path)?, NodeType::Mapping | NodeType::Sequence) {
        return Ok(());
    }
    let is_json = value.starts_with(['{', '[']) && matches!(kind, None | Some(Kind::Json));
    let advice = "`asdfkit delete` removes it first";
    let message = match root.kind(path)? {
        NodeKind::Quantity => format!("a quantity is there; its number is {path}/value, its unit {path}/unit"),
        NodeKind::Time if root.exists(&format!("{path}/value"))? => {
            format!("a time is there; its text or number is {path}/value")
        }
        // The integer is a value, not a mapping for content.
        NodeKind::Integer if is_large_integer(root, path)? => return Ok(()),
        _ if root.is_array(path)? => format!("an array is there; {advice}"),
        _ if is_json => return Ok(()),
        kind => format!("a {} is there, and '{value}' is none; {advice}", kind.name()),
    };
    Err(refusal(path, message))
}

/// Makes the failure for a value that a place does not take.
fn refusal(path: &str, message: String) -> Failure {
    Error::new(Status::InvalidArgument, message).at_path(path).into()
}

fn too_large(value: &str) -> String {
    format!("'{value}' is beyond the range of floats; .inf is infinity")
}

/// Returns the text of a unit in a spelling.
fn unit_text(path: &str, text: &str, spelling: Spelling) -> Result<String> {
    if Unit::parse(text, spelling).is_ok() {
        return Ok(text.to_owned());
    }
    let notation = match spelling {
        Spelling::VoUnit => "VOUnit, such as m.s**-1",
        _ => "astropy, such as m / s",
    };
    let found = Unit::parse(text, Spelling::Generic).and_then(|unit| unit.text(spelling));
    found.map_err(|_| refusal(path, format!("'{text}' is no unit in the notation of {notation}")))
}

/// Replaces a value that has a tag beyond those of YAML, and keeps the tag. Fails if the tag does not allow the value.
fn put_tagged(root: &Node, path: &str, value: &str, tag: &str) -> Result<()> {
    match (root.kind(path)?, root.node_type(path)?) {
        (_, NodeType::Mapping | NodeType::Sequence) => put(root, path, value, Some(Kind::Json))?,
        (NodeKind::Time, _) => root.set_time(path, value)?,
        (NodeKind::Unit, _) => {
            let is_standard = tag.contains("stsci.edu:asdf/unit/");
            let spelling = if is_standard { Spelling::VoUnit } else { Spelling::Generic };
            root.set_string(path, &unit_text(path, value, spelling)?)?;
        }
        (NodeKind::Complex, _) => put(root, path, value, Some(Kind::Complex))?,
        _ => put(root, path, value, kept_kind(root, path, value)?)?,
    }
    Ok(root.set_tag(path, Some(tag))?)
}

/// Returns the type that a value must have to replace the old one; `None` if it may have any. Fails for a value that the
/// old type does not have.
fn kept_kind(root: &Node, path: &str, value: &str) -> Result<Option<Kind>> {
    if !root.exists(path)? {
        return Ok(None);
    }
    let old = root.node_type(path)?;
    let refused = |what: &str| {
        Err(refusal(path, format!("the value there is {what}, and '{value}' is not; --type changes the type")))
    };
    match old {
        NodeType::Null => Ok(None),
        NodeType::String => Ok(Some(Kind::String)),
        NodeType::Float if float(value).is_some() => Ok(Some(Kind::Float)),
        NodeType::Float if is_decimal(value) => Err(refusal(path, too_large(value))),
        NodeType::Float => refused("a float"),
        NodeType::Integer if integer_digits(value).is_some() => Ok(Some(Kind::Integer)),
        NodeType::Integer => refused("an integer"),
        NodeType::Mapping if is_large_integer(root, path)? => match integer_digits(value) {
            Some(_) => Ok(Some(Kind::Integer)),
            None => refused("an integer"),
        },
        NodeType::Bool if seen(value)? == NodeType::Bool => Ok(Some(Kind::Boolean)),
        NodeType::Bool => refused("true or false"),
        NodeType::Timestamp if seen(value)? == NodeType::Timestamp => Ok(Some(Kind::Timestamp)),
        NodeType::Timestamp => refused("a date"),
        NodeType::Mapping if value.starts_with('{') => Ok(Some(Kind::Json)),
        NodeType::Mapping => refused("a mapping"),
        NodeType::Sequence if value.starts_with('[') => Ok(Some(Kind::Json)),
        NodeType::Sequence => refused("a sequence"),
        _ => refused("of another kind"),
    }
}

/// Fails for a path below an array: other keys in its node are no content.
fn check_parents(root: &Node, path: &str) -> Result<()> {
    for (end, _) in path.match_indices('/').filter(|(end, _)| *end > 0) {
        let parent = &path[..end];
        if root.exists(parent)? && root.is_array(parent)? {
            let message = "an array has no keys; regions of arrays are written by programs";
            return Err(Error::new(Status::WrongType, message).at_path(parent.to_owned()).into());
        }
    }
    Ok(())
}

/// Returns whether an integer is at the path that is stored as a mapping, as those of any size are.
fn is_large_integer(root: &Node, path: &str) -> Result<bool> {
    Ok(root.exists(path)? && root.node_type(path)? == NodeType::Mapping && root.kind(path)? == NodeKind::Integer)
}

/// Returns a short text of a node; `None` if there is none.
fn shown(root: &Node, path: &str) -> Result<Option<String>> {
    if !root.exists(path)? {
        return Ok(None);
    }
    Ok(Some(match root.node_type(path)? {
        NodeType::Mapping if is_large_integer(root, path)? => match large_integer(&root.at(path)?)? {
            Some(digits) => format!("{digits} (integer)"),
            None => "an integer that cannot be read".to_owned(),
        },
        NodeType::Mapping => "a mapping".to_owned(),
        NodeType::Sequence => "a sequence".to_owned(),
        kind => format!("{} ({})", root.text(path)?, format!("{kind:?}").to_lowercase()),
    }))
}

/// Returns the type that YAML sees in a text, by letting a file read it.
fn seen(text: &str) -> Result<NodeType> {
    // A plain scalar of one line. Everything else is a string.
    let risky = |character: char| "#:,[]{}&*!|>'\"%@`".contains(character) || character.is_control();
    if text.is_empty() || text.trim() != text || text.contains(risky) && !text.starts_with(|c: char| c.is_ascii_digit())
    {
        return Ok(NodeType::String);
    }
    let document = format!("#ASDF 1.0.0\n%YAML 1.1\n---\nvalue: {text}\n...\n");
    let options = asdfkit::file::OpenOptions::default();
    match File::open_memory(std::sync::Arc::new(document.into_bytes()), &options) {
        Ok(file) => Ok(file.root()?.node_type("value").unwrap_or(NodeType::String)),
        Err(_) => Ok(NodeType::String),
    }
}

fn put(root: &Node, path: &str, text: &str, kind: Option<Kind>) -> Result<()> {
    let kind = match kind {
        Some(kind) => kind,
        None if text.starts_with(['{', '[']) => Kind::Json,
        None => match seen(text)? {
            NodeType::Null => Kind::Null,
            NodeType::Bool => Kind::Boolean,
            // YAML 1.1 also sees a number in 1:30, which no shell user means.
            NodeType::Integer if integer_digits(text).is_some() => Kind::Integer,
            NodeType::Float if float(text).is_some() => Kind::Float,
            NodeType::Timestamp => Kind::Timestamp,
            // YAML 1.1 sees none in 1e5.
            NodeType::String if is_decimal(text) => Kind::Float,
            _ => Kind::String,
        },
    };
    let wrong = |what: &str| Failure::usage(format!("'{text}' is not {what}"));
    match kind {
        Kind::String => root.set_string(path, text)?,
        Kind::Integer => match text.parse::<i64>() {
            Ok(value) => root.set_i64(path, value)?,
            Err(_) => root.set_integer(path, &integer_digits(text).ok_or_else(|| wrong("an integer"))?)?,
        },
        Kind::Float if is_decimal(text) && float(text).is_none() => return Err(refusal(path, too_large(text))),
        Kind::Float => root.set_f64(path, float(text).ok_or_else(|| wrong("a floating-point number"))?)?,
        Kind::Boolean => match text.to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" => root.set_bool(path, true)?,
            "false" | "no" | "off" => root.set_bool(path, false)?,
            _ => return Err(wrong("true or false")),
        },
        Kind::Null => root.set_null(path)?,
        Kind::Timestamp => root.set_timestamp(path, text)?,
        Kind::Complex => {
            let (real, imaginary) = complex(text).ok_or_else(|| wrong("a complex number such as 1+2j"))?;
            root.set_complex(path, real, imaginary)?;
        }
        Kind::Json => {
            let value = serde_json::from_str(text).map_err(|error| wrong(&format!("JSON: {error}")))?;
            put_json(root, path, &value)?;
        }
    }
    Ok(())
}

/// Returns the decimal digits of an integer in a notation of YAML 1.1.
fn integer_digits(text: &str) -> Option<String> {
    let plain: String = text.chars().filter(|character| *character != '_').collect();
    let (sign, digits) = match plain.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", plain.strip_prefix('+').unwrap_or(&plain)),
    };
    let based = |digits: &str, base| u128::from_str_radix(digits, base).ok().map(|value| format!("{sign}{value}"));
    if let Some(hexadecimal) = digits.strip_prefix("0x") {
        return based(hexadecimal, 16);
    }
    if let Some(binary) = digits.strip_prefix("0b") {
        return based(binary, 2);
    }
    if digits.len() > 1 && digits.starts_with('0') {
        return based(digits, 8);
    }
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then(|| format!("{sign}{digits}"))
}

/// Reads a number as YAML 1.1 or as Rust writes it.
fn float(text: &str) -> Option<f64> {
    let plain: String = text.chars().filter(|character| *character != '_').collect();
    match plain.to_ascii_lowercase().as_str() {
        ".inf" | "+.inf" => Some(f64::INFINITY),
        "-.inf" => Some(f64::NEG_INFINITY),
        ".nan" => Some(f64::NAN),
        // A number too large is not meant to be infinite.
        number => number.parse().ok().filter(|value: &f64| value.is_finite() || !is_decimal(number)),
    }
}

/// Returns whether a text is a number in digits, of any size.
fn is_decimal(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit()) && text.parse::<f64>().is_ok()
}

/// Reads a complex number such as `1.5-2e3j`.
fn complex(text: &str) -> Option<(f64, f64)> {
    let inner = text.trim().strip_suffix(['j', 'i'])?;
    let bytes = inner.as_bytes();
    let split =
        (1..bytes.len()).rev().find(|&at| matches!(bytes[at], b'+' | b'-') && !matches!(bytes[at - 1], b'e' | b'E'));
    match split {
        Some(at) => Some((inner[..at].parse().ok()?, inner[at..].parse().ok()?)),
        None => Some((0.0, inner.parse().ok()?)),
    }
}

/// Sets a part of a tree from JSON, whose depth the parser limits.
fn put_json(root: &Node, path: &str, value: &Value) -> Result<()> {
    match value {
        Value::Null => root.set_null(path)?,
        Value::Bool(value) => root.set_bool(path, *value)?,
        Value::String(text) => root.set_string(path, text)?,
        Value::Number(number) => {
            let digits = number.to_string();
            match digits.contains(['.', 'e', 'E']) {
                true => root.set_f64(path, digits.parse().unwrap_or(f64::NAN))?,
                false => root.set_integer(path, &digits)?,
            }
        }
        Value::Array(items) => {
            root.set_sequence(path, items.len() <= 8 && items.iter().all(|item| !item.is_object()))?;
            for (index, item) in items.iter().enumerate() {
                root.insert_item(path, None)?;
                put_json(root, &format!("{path}/{index}"), item)?;
            }
        }
        Value::Object(pairs) => {
            root.set_mapping(path, pairs.is_empty())?;
            for (key, item) in pairs {
                put_json(root, &format!("{path}/{}", crate::core::walk::escape(key)), item)?;
            }
        }
    }
    Ok(())
}

/// Deletes nodes.
pub(crate) fn delete(arguments: &Delete, output: &mut Output) -> Result<Outcome> {
    arguments.saving.change(&arguments.file, output, |file| {
        let root = file.root()?;
        let mut done = Vec::new();
        for path in &arguments.paths {
            root.remove(path)?;
            done.push(format!("delete {path}"));
        }
        Ok(done)
    })?;
    Ok(Outcome::Yes)
}

/// Renames or moves a node.
pub(crate) fn rename(arguments: &Rename, output: &mut Output) -> Result<Outcome> {
    arguments.saving.change(&arguments.file, output, |file| {
        let root = file.root()?;
        let (path, name) = (&arguments.path, &arguments.name);
        if name.contains('/') {
            let Ok(to) = name.parse::<TreePath>();
            if root.exists(&to)? {
                let message = "a node exists at the new path; delete it first";
                return Err(Error::new(Status::InvalidArgument, message).at_path(&*to).into());
            }
            root.move_to(path, &to)?;
        } else {
            root.rename_key(path, name)?;
        }
        Ok(vec![format!("rename {path} to {name}")])
    })?;
    Ok(Outcome::Yes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_the_notations_of_yaml() {
        assert_eq!(integer_digits("0x1F").as_deref(), Some("31"));
        assert_eq!(integer_digits("-0b11").as_deref(), Some("-3"));
        assert_eq!(integer_digits("017").as_deref(), Some("15"));
        assert_eq!(integer_digits("+1_000").as_deref(), Some("1000"));
        assert_eq!(integer_digits("1x"), None);
        assert_eq!(complex("1.5-2e3j"), Some((1.5, -2e3)));
        assert_eq!(complex("1e-2+3j"), Some((1e-2, 3.0)));
        assert_eq!(complex("-4j"), Some((0.0, -4.0)));
        assert_eq!(complex("4"), None);
        assert_eq!((float("1e5"), float("1e400"), float("-.inf")), (Some(1e5), None, Some(f64::NEG_INFINITY)));
        assert!(is_decimal("1e400") && !is_decimal("1:30") && !is_decimal("e5") && !is_decimal("inf"));
    }

    #[test]
    fn yaml_decides_the_type_of_a_text() {
        for (text, expected) in [
            ("12", NodeType::Integer),
            ("1.5", NodeType::Float),
            ("true", NodeType::Bool),
            ("null", NodeType::Null),
            ("2027-01-31T04:05:06Z", NodeType::Timestamp),
            ("a: b", NodeType::String),
            ("M 51", NodeType::String),
            ("", NodeType::String),
            ("# no", NodeType::String),
        ] {
            assert_eq!(seen(text).unwrap(), expected, "{text}");
        }
    }
}
