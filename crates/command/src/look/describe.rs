//! `asdfkit describe`: what the schemas say about an entry.

use crate::core::failure::{Outcome, Result};
use crate::core::input::Input;
use crate::core::output::{Output, Report, Style, printable};
use crate::core::schemas::RootSchema;
use crate::core::tree_path::TreePath;
use asdfkit::schema::Description;
use clap::Args;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::PathBuf;

/// Show what the schemas say about an entry: title, description, type, unit and default
///
/// The entry need not exist. The note of a mapping, which stands under its key //, is shown as well. The exit code is 1
/// if nothing is known about the entry.
#[derive(Args, Debug)]
#[command(override_usage = "asdfkit describe [OPTIONS] <FILE> <PATH> [--schemas <PACKAGE>...]")]
pub(crate) struct Arguments {
    /// File to read; `-` is standard input
    pub(crate) file: PathBuf,
    /// Path of the entry, such as meta/exposure; / is the whole tree
    path: TreePath,
    /// Packages of schemas: paths of folders and wheels, or names of packages such as rad; without any, those on the
    /// search path
    #[arg(short, long, value_name = "PACKAGE", num_args = 0..)]
    schemas: Vec<String>,
    #[command(flatten)]
    root: RootSchema,
}

/// Describes one entry.
pub(crate) fn run(input: &Input, arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    let loaded = arguments.root.load(Some(&arguments.schemas))?;
    let file = input.asdf()?;
    let description = file.root()?.describe(&arguments.path, &loaded.schemas, loaded.schema.as_deref())?;
    let outcome = Outcome::of(!description.is_empty());
    output.report(&Described { name: input.name(), path: arguments.path.shown().to_owned(), description })?;
    Ok(outcome)
}

/// An entry with its description.
struct Described {
    name: String,
    path: String,
    description: Description,
}

impl Report for Described {
    fn json(&self) -> Value {
        let description: Value = serde_json::from_str(&self.description.to_json()).unwrap_or_default();
        json!({"file": self.name, "path": self.path, "description": description})
    }

    fn text(&self, out: &mut dyn Write, style: Style) -> io::Result<()> {
        let Description { title, description, type_name, unit, default, schema, note, .. } = &self.description;
        let heading = title.as_deref().map(|title| format!(": {}", printable(title))).unwrap_or_default();
        writeln!(out, "{}{heading}", style.name(printable(&self.path)))?;
        for line in description.iter().flat_map(|text| text.lines()) {
            writeln!(out, "  {}", printable(line))?;
        }
        for (name, value) in [("type", type_name), ("unit", unit), ("default", default), ("schema", schema)] {
            if let Some(value) = value {
                writeln!(out, "  {}: {}", style.faint(name), printable(value))?;
            }
        }
        match note {
            Some(note) => writeln!(out, "  // {}", printable(note)),
            None if self.description.is_empty() => writeln!(out, "  no schema describes it"),
            None => Ok(()),
        }
    }
}
