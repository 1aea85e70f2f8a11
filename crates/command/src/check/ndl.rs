//! `asdfkit ndl`: descriptions in the Ndarray Data Language.

use super::diff;
use super::difference::Differences;
use crate::core::arguments::Files;
use crate::core::failure::{Failure, Outcome, Result};
use crate::core::input::{Input, is_standard};
use crate::core::limits;
use crate::core::new_file;
use crate::core::output::{Output, Report, Style, complain, printable};
use crate::core::tree_path::TreePath;
use asdfkit::Error;
use asdfkit::file::WriteOptions;
use asdfkit::ndl::{self, CdlOptions, Description, Language, Parsed, TextOptions};
use clap::{Args, Subcommand, ValueEnum};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Check, make, compare and translate descriptions in the Ndarray Data Language (NDL)
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) action: Action,
}

/// Actions on descriptions.
#[derive(Subcommand, Debug)]
pub(crate) enum Action {
    /// Check descriptions
    Check(Check),
    /// Describe an ASDF file
    Describe(Describe),
    /// Compare two descriptions; the exit code is 1 if they differ
    Diff(Pair),
    /// Create an ASDF file from a description
    Create(Create),
    /// Translate a description to CDL, which ncgen reads
    Cdl(Cdl),
    /// Write a C header for a description
    Header(Code),
    /// Write a Fortran module for a description
    Module(Code),
}

/// Descriptions to check.
#[derive(Args, Debug)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) files: Files,
    /// Count warnings as errors
    #[arg(short, long)]
    strict: bool,
}

/// A file to describe.
#[derive(Args, Debug)]
pub(crate) struct Describe {
    /// ASDF file; `-` is standard input
    file: PathBuf,
    /// Arrays whose values are written
    #[arg(long, value_enum, default_value_t = Shown::Inline)]
    values: Shown,
    /// Path name of a group or an array to describe alone
    #[arg(long, value_name = "PATH")]
    only: Option<TreePath>,
    /// Describe asdf_library and history, too
    #[arg(short, long)]
    all: bool,
    /// Keep facts without a form in NDL under x-asdf keys
    #[arg(long)]
    annotate: bool,
}

/// Arrays whose values are part of a description.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Shown {
    /// No values
    None,
    /// Arrays with elements in the tree
    Inline,
    /// Dimension coordinates
    Coordinates,
    /// All arrays
    All,
}

/// Two descriptions.
#[derive(Args, Debug)]
pub(crate) struct Pair {
    /// Old description
    old: PathBuf,
    /// New description
    new: PathBuf,
}

/// A file to create.
#[derive(Args, Debug)]
pub(crate) struct Create {
    /// Description; `-` is standard input
    description: PathBuf,
    /// New ASDF file; `-` is standard output
    file: PathBuf,
    /// Replace an existing file
    #[arg(short, long)]
    force: bool,
    /// Extent of unlimited dimensions
    #[arg(long, default_value_t = 0, value_name = "NUMBER")]
    extent: u64,
    /// Minimum length of strings, in characters
    #[arg(long, value_name = "NUMBER")]
    string_length: Option<u64>,
    /// Maximum size of all arrays together, in bytes; the same as --limit created-bytes=BYTES
    #[arg(long, value_name = "BYTES")]
    max_bytes: Option<u64>,
}

/// A description to translate to CDL.
#[derive(Args, Debug)]
pub(crate) struct Cdl {
    /// Description; `-` is standard input
    file: PathBuf,
    /// Name of the data set; that of the file by default
    #[arg(long)]
    name: Option<String>,
    /// Write the values of arrays, too
    #[arg(long)]
    values: bool,
}

/// A description to translate to source code.
#[derive(Args, Debug)]
pub(crate) struct Code {
    /// Description; `-` is standard input
    file: PathBuf,
    /// Prefix of the names in C, or name of the Fortran module; that of the file by default
    #[arg(long)]
    name: Option<String>,
}

/// Runs an action on one description or one pair. [`Action::Check`] runs by [`check`].
pub(crate) fn run(action: &Action, output: &mut Output) -> Result<Outcome> {
    match action {
        Action::Check(_) => Err(Failure::usage("no file")),
        Action::Describe(arguments) => describe(arguments, output),
        Action::Diff(arguments) => {
            let inputs = [Input::open(&arguments.old)?, Input::open(&arguments.new)?];
            let mut differences = Differences::new([inputs[0].name(), inputs[1].name()], usize::MAX, false);
            diff::compare_descriptions(&inputs, &mut differences)?;
            output.report(&differences)?;
            Ok(Outcome::of(differences.is_empty()))
        }
        Action::Create(arguments) => create(arguments, output),
        Action::Cdl(arguments) => {
            let name = name_of(arguments.name.as_deref(), &arguments.file);
            let options = CdlOptions { name, values: arguments.values };
            let file = arguments.file.to_string_lossy().into();
            let text = valid(&arguments.file)?.to_cdl(&options).map_err(|error| error.in_file(&file))?;
            put(output, &text)
        }
        Action::Header(arguments) => translate(arguments, Language::C, output),
        Action::Module(arguments) => translate(arguments, Language::Fortran, output),
    }
}

/// Checks one description.
pub(crate) fn check(input: &Input, arguments: &Check, output: &mut Output) -> Result<Outcome> {
    let options = ndl::ReadOptions { strict: arguments.strict, ..ndl::ReadOptions::default() };
    let parsed = input.description(&options)?;
    let outcome = Outcome::of(parsed.is_valid());
    output.report(&Checked { name: input.name(), parsed })?;
    Ok(outcome)
}

/// Reads a description that must be valid.
pub(crate) fn valid(path: &Path) -> Result<Description> {
    let input = Input::open(path)?;
    let parsed = input.description(&ndl::ReadOptions::default())?;
    match parsed.diagnostics.iter().find(|diagnostic| diagnostic.severity == ndl::Severity::Error) {
        Some(diagnostic) => Err(diagnostic.to_error().in_file(&input.name().into()).into()),
        None => Ok(parsed.description),
    }
}

fn put(output: &mut Output, text: &str) -> Result<Outcome> {
    match output.json {
        true => output.document(&json!({"text": text}))?,
        false => output.stream().write_all(text.as_bytes())?,
    }
    Ok(Outcome::Yes)
}

/// Returns the given name, or the letters, digits and underscores of the name of a file.
fn name_of(given: Option<&str>, path: &Path) -> String {
    let stem = if is_standard(path) { None } else { path.file_stem() };
    let stem = given.map(str::to_owned).or(stem.map(|stem| stem.to_string_lossy().into_owned()));
    let name: String = stem.unwrap_or_else(|| "description".to_owned());
    match given {
        Some(_) => name,
        None => name.chars().map(|one| if one.is_ascii_alphanumeric() { one } else { '_' }).collect(),
    }
}

fn translate(arguments: &Code, language: Language, output: &mut Output) -> Result<Outcome> {
    let name = name_of(arguments.name.as_deref(), &arguments.file);
    let text = valid(&arguments.file)?.generate(language, &name)?;
    put(output, &text)
}

fn describe(arguments: &Describe, output: &mut Output) -> Result<Outcome> {
    let file = Input::open(&arguments.file)?.asdf()?;
    let options = ndl::asdf::DescribeOptions {
        values: match arguments.values {
            Shown::None => ndl::asdf::Values::None,
            Shown::Inline => ndl::asdf::Values::Inline,
            Shown::Coordinates => ndl::asdf::Values::Coordinates,
            Shown::All => ndl::asdf::Values::All,
        },
        only: arguments.only.as_ref().map(|path| path.shown().to_owned()),
        all: arguments.all,
        annotate: arguments.annotate,
        ..ndl::asdf::DescribeOptions::default()
    };
    let described = ndl::asdf::describe(&file, &options)?;
    for note in &described.notes {
        complain(&format!("note: {}", printable(&note.to_string())));
    }
    if output.json {
        let text = described.description.to_json()?;
        output.stream().write_all(text.as_bytes())?;
        output.stream().write_all(b"\n")?;
        return Ok(Outcome::Yes);
    }
    let text = described.description.to_text(&TextOptions::default())?;
    put(output, &text)
}

fn create(arguments: &Create, output: &mut Output) -> Result<Outcome> {
    let description = valid(&arguments.description)?;
    let options = ndl::asdf::CreateOptions {
        max_bytes: arguments.max_bytes.unwrap_or_else(limits::created_bytes),
        string_length: arguments.string_length,
        extent: arguments.extent,
        write: WriteOptions { replace: arguments.force, ..WriteOptions::default() },
        ..ndl::asdf::CreateOptions::default()
    };
    let told = |error: Error| -> Failure {
        if error.option().is_some() {
            return Failure::from(error.in_file(&arguments.description.to_string_lossy().into()));
        }
        // The library does not know what the option is called here.
        let message = error.message().replace("set the length in the options", "set it by --string-length");
        let place = error.location().path.clone();
        let named = Error::new(error.status(), message).in_file(&arguments.description.to_string_lossy().into());
        place.into_iter().fold(named, Error::at_path).into()
    };
    let notes = new_file::write_asdf(&arguments.file, output, |target| {
        ndl::asdf::create(&description, target, &options).map_err(told)
    })?;
    for note in notes {
        complain(&format!("note: {}", printable(&note.to_string())));
    }
    Ok(Outcome::Yes)
}

struct Checked {
    name: String,
    parsed: Parsed,
}

impl Report for Checked {
    fn json(&self) -> Value {
        let diagnostics = self.parsed.diagnostics.iter().map(|diagnostic| {
            json!({
                "severity": if diagnostic.severity == ndl::Severity::Error { "error" } else { "warning" },
                "code": diagnostic.code.name(),
                "place": diagnostic.place,
                "line": diagnostic.line,
                "column": diagnostic.column,
                "message": diagnostic.message,
            })
        });
        json!({
            "file": self.name,
            "valid": self.parsed.is_valid(),
            "errors": self.parsed.error_count,
            "warnings": self.parsed.warning_count,
            "diagnostics": diagnostics.collect::<Vec<_>>(),
        })
    }

    fn text(&self, out: &mut dyn Write, style: Style) -> io::Result<()> {
        let name = style.name(printable(&self.name));
        for diagnostic in &self.parsed.diagnostics {
            writeln!(out, "{name}:{}", printable(&diagnostic.to_string()))?;
        }
        if self.parsed.diagnostics.is_empty() {
            writeln!(out, "{name}: {}", style.good("valid"))?;
        }
        Ok(())
    }
}
