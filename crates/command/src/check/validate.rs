//! `asdfkit validate`: whether files match their schemas, and whether they keep the promise of a description.

use super::diff::of_description;
use super::difference::Differences;
use crate::core::failure::{Failure, Outcome, Result};
use crate::core::input::{Format, Input};
use crate::core::output::{Output, Report, Style, printable};
use crate::core::schemas::{Loaded, RootSchema};
use crate::core::size::count;
use asdfkit::ndl::{self, ConformanceOptions, Description, asdf::DescribeOptions};
use asdfkit::report::Severity;
use asdfkit::table::ecsv;
use clap::Args;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::PathBuf;

/// Check that files match the schemas of their tags, or keep the promise of a description in NDL
///
/// Give --schemas, --schema or --promise; several are checked together. The exit code is 1 if a file fails. Differences
/// from a promise are marked - if content is missing, + if it is additional, and ~ if it differs.
#[derive(Args, Debug)]
#[command(override_usage = "asdfkit validate [OPTIONS] <FILE>... [--schemas <PACKAGE>...]")]
pub(crate) struct Arguments {
    /// Files to read; `-` is standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Check the schemas of packages: paths of folders and wheels, or names of packages such as rad; without any, those
    /// on the search path. Follows the files
    #[arg(short, long, value_name = "PACKAGE", num_args = 0..)]
    schemas: Option<Vec<String>>,
    #[command(flatten)]
    root: RootSchema,
    /// Description that the files promise to keep
    #[arg(short, long, value_name = "DESCRIPTION")]
    promise: Option<PathBuf>,
    /// Allow groups, arrays and attributes that the description lacks
    #[arg(long, requires = "promise")]
    subset: bool,
}

/// Schemas and description to check files against.
pub(crate) struct Demands {
    schemas: Option<Loaded>,
    promise: Option<Description>,
}

impl Arguments {
    /// Loads schemas and description. The description can come from standard input, which is read once.
    pub(crate) fn demands(&self) -> Result<Demands> {
        if self.files.is_empty() {
            return Err(Failure::usage(
                "no file is named; files stand before --schemas, which takes all names after it",
            ));
        }
        let with_schemas = self.schemas.is_some() || self.root.is_given();
        if !with_schemas && self.promise.is_none() {
            return Err(Failure::usage("give at least one of --schemas, --schema, --promise"));
        }
        Ok(Demands {
            schemas: if with_schemas { Some(self.root.load(self.schemas.as_deref())?) } else { None },
            promise: self.promise.as_deref().map(super::ndl::valid).transpose()?,
        })
    }
}

/// Checks one file.
pub(crate) fn run(input: &Input, demands: &Demands, arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    let by_schemas = demands.schemas.as_ref().map(|loaded| Validity::of(input, loaded)).transpose()?;
    let by_promise = demands.promise.as_ref().map(|promise| differences(input, promise, arguments)).transpose()?;
    let keeps = by_promise.as_ref().is_none_or(Differences::is_empty);
    let is_valid = by_schemas.as_ref().is_none_or(Validity::is_valid);
    match (&by_schemas, &by_promise) {
        (Some(validity), Some(differences)) if output.json => {
            let mut document = differences.json();
            document["schemas"] = validity.json();
            output.document(&document)?;
        }
        _ => {
            if let Some(validity) = &by_schemas {
                output.report(validity)?;
            }
            if let Some(differences) = &by_promise {
                if !output.json {
                    let verdict = if keeps { "keeps the promise" } else { "does not keep the promise" };
                    output.line(&format!("{}: {verdict}", printable(&input.name())))?;
                }
                output.report(differences)?;
            }
        }
    }
    Ok(Outcome::of(keeps && is_valid))
}

/// Compares a file with a description.
fn differences(input: &Input, promise: &Description, arguments: &Arguments) -> Result<Differences> {
    let description = match input.format()? {
        Format::Ndl => input.description(&ndl::ReadOptions::default())?.description,
        _ => ndl::asdf::describe(&input.asdf()?, &DescribeOptions::default())?.description,
    };
    let name = arguments.promise.as_deref().unwrap_or_else(|| "".as_ref()).to_string_lossy().into_owned();
    let mut violations = Differences::new([name, input.name()], usize::MAX, false);
    for violation in promise.violations(&description, &ConformanceOptions { subset: arguments.subset })? {
        violations.add(of_description(&violation));
    }
    Ok(violations)
}

/// Violations of schemas in one file.
struct Validity {
    name: String,
    report: asdfkit::Report,
    /// The report as JSON.
    findings: Value,
}

impl Validity {
    fn of(input: &Input, loaded: &Loaded) -> Result<Validity> {
        let schema = loaded.schema.as_deref();
        let report = match input.format()? {
            Format::Asdf => input.asdf()?.validate(&loaded.schemas, schema).map_err(|error| loaded.named(error))?,
            Format::Ecsv => {
                let reader = input.table(&ecsv::ReadOptions::default())?;
                reader.header().validate(&loaded.schemas, schema).map_err(|error| loaded.named(error))?
            }
            Format::Ndl => return Err(Failure::usage("a description in NDL has no schemas; use --promise")),
        };
        let findings = serde_json::from_str(&report.to_json()?).unwrap_or_default();
        Ok(Validity { name: input.name(), report, findings })
    }

    fn errors(&self) -> u64 {
        let errors = self.report.entries().iter().filter(|entry| entry.severity == Severity::Error);
        errors.count() as u64 + self.report.dropped()
    }

    fn is_valid(&self) -> bool {
        self.errors() == 0
    }
}

impl Report for Validity {
    fn json(&self) -> Value {
        json!({"file": self.name, "valid": self.is_valid(), "errors": self.errors(), "findings": self.findings})
    }

    fn text(&self, out: &mut dyn Write, style: Style) -> io::Result<()> {
        for entry in self.report.entries() {
            let text = printable(&entry.text);
            match entry.severity {
                Severity::Error => writeln!(out, "{text}")?,
                Severity::Warning => writeln!(out, "{} {text}", style.bad("warning:"))?,
                Severity::Note => writeln!(out, "  {}", style.faint(text))?,
            }
        }
        let name = style.name(printable(&self.name));
        match self.errors() {
            0 => writeln!(out, "{name}: {}", style.good("valid")),
            errors => writeln!(out, "{name}: {}", style.bad(format!("invalid, {}", count(errors, "violation")))),
        }
    }
}
