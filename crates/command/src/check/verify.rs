//! `asdfkit verify`: whether files are whole.

use crate::core::arguments::{Files, TableText, Threads};
use crate::core::elements::for_each_piece;
use crate::core::failure::{Failure, Outcome, Result};
use crate::core::input::{Format, Input};
use crate::core::output::{Output, Report, Style, printable};
use crate::core::region::Selection;
use crate::core::size::count;
use crate::core::walk::Walk;
use asdfkit::file::File;
use asdfkit::{Error, Status, ndl, table::ecsv};
use clap::Args;
use serde_json::{Value, json};
use std::io::{self, Write};

/// Check that files are whole: structure, block index, checksums, and that all arrays can be read
///
/// The exit code is 1 if a file is damaged. Warnings, and parts that cannot be checked, do not change it, unless --strict
/// is given. Notes never change it.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) files: Files,
    /// Do not read arrays; checksums are compared
    #[arg(short, long)]
    quick: bool,
    /// Count warnings, and parts that cannot be checked, as damage
    #[arg(short, long)]
    strict: bool,
    #[command(flatten)]
    text: TableText,
    #[command(flatten)]
    threads: Threads,
}

/// Checks one file.
pub(crate) fn run(input: &Input, arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    let found = findings(input, arguments)?;
    let good = found.good;
    output.report(&found)?;
    Ok(Outcome::of(good))
}

/// Returns what a check finds that reads no arrays, as JSON.
pub(crate) fn summary(input: &Input) -> Result<Value> {
    let (files, text, threads) = (Files::default(), TableText::default(), Threads::default());
    Ok(findings(input, &Arguments { files, quick: true, strict: false, text, threads })?.json())
}

fn findings(input: &Input, arguments: &Arguments) -> Result<Findings> {
    let mut found = Findings { name: input.name(), ..Findings::default() };
    let checked = match input.format_of_table(&arguments.text)? {
        Format::Asdf => check_asdf(input, arguments, &mut found),
        Format::Ecsv => check_table(input, arguments, &mut found),
        Format::Ndl => check_description(input, &mut found),
    };
    match checked {
        Err(Failure::Library(error)) if is_damage(error.status()) => found.problems.push(error.to_string()),
        other => other?,
    }
    let is_clean = found.warnings.is_empty() && found.unchecked.is_empty();
    found.good = found.problems.is_empty() && (is_clean || !arguments.strict);
    Ok(found)
}

/// Returns true for errors about the content of a file. Others are about the system or the limits.
pub(super) fn is_damage(status: Status) -> bool {
    !status.is_of_machine() && !matches!(status, Status::FileNotFound | Status::Limit)
}

/// Findings about one file.
#[derive(Default)]
struct Findings {
    name: String,
    good: bool,
    format: &'static str,
    problems: Vec<String>,
    warnings: Vec<String>,
    /// Parts that cannot be checked.
    unchecked: Vec<String>,
    /// Facts that do no harm.
    notes: Vec<String>,
    blocks: u64,
    /// Numbers of good blocks with and without a checksum.
    with_checksum: u64,
    without_checksum: u64,
    arrays: u64,
    rows: u64,
}

impl Findings {
    /// Adds an error about an array, unless the inspection of the file found it.
    fn add(&mut self, error: &asdfkit::Error) {
        let list = match error.status() {
            Status::UnknownCodec | Status::ExternalReference | Status::AccessDenied => &mut self.unchecked,
            _ => &mut self.problems,
        };
        let message = error.to_string();
        if !list.contains(&message) {
            list.push(message);
        }
    }
}

fn check_asdf(input: &Input, arguments: &Arguments, found: &mut Findings) -> Result<()> {
    found.format = "asdf";
    let file = input.asdf_in_pieces()?;
    let inspection = file.inspect(arguments.threads.number())?;
    // Those of the headers that can be read.
    found.blocks = Error::readable(file.block_count())?.unwrap_or_default();
    found.with_checksum = inspection.verification.stored + inspection.verification.decoded;
    found.without_checksum = inspection.verification.absent;
    found.problems.extend(inspection.problems.iter().map(ToString::to_string));
    found.unchecked.extend(inspection.unchecked.iter().map(ToString::to_string));
    found.notes.extend(inspection.notes.iter().map(ToString::to_string));
    if !arguments.quick {
        read_arrays(&file, arguments, found)?;
    }
    found.warnings = file.warnings().iter().map(ToString::to_string).collect();
    Ok(())
}

/// Reads the elements of all arrays.
fn read_arrays(file: &File, arguments: &Arguments, found: &mut Findings) -> Result<()> {
    let mut walk = Walk::new(file.root()?, String::new());
    while let Some(visit) = walk.next()? {
        if visit.node_type.is_none() || visit.alias_of.is_some() {
            continue;
        }
        if !visit.node.is_array("")? {
            walk.enter(&visit)?;
            continue;
        }
        found.arrays += 1;
        let read = || -> Result<()> {
            let array = visit.node.array("")?;
            if array.is_inline() {
                return Ok(());
            }
            let all = Selection::all(array.shape());
            for_each_piece(&array, &all, &(array.datatype().clone(), None), arguments.threads.number(), |_| Ok(()))
        };
        match read() {
            Err(Failure::Library(error)) if is_damage(error.status()) || error.status() == Status::FileNotFound => {
                found.add(&error);
            }
            other => other?,
        }
    }
    Ok(())
}

fn check_table(input: &Input, arguments: &Arguments, found: &mut Findings) -> Result<()> {
    found.format = "ecsv";
    let options = ecsv::ReadOptions { threads: arguments.threads.number(), ..ecsv::ReadOptions::default() };
    let mut reader = input.text_table(&arguments.text, options)?;
    while let Some(batch) = reader.next_batch()? {
        found.rows += batch.row_count() as u64;
    }
    found.warnings = reader.warnings().iter().map(ToString::to_string).collect();
    Ok(())
}

fn check_description(input: &Input, found: &mut Findings) -> Result<()> {
    found.format = "ndl";
    let parsed = input.description(&ndl::ReadOptions::default())?;
    for diagnostic in &parsed.diagnostics {
        let list = match diagnostic.severity {
            ndl::Severity::Error => &mut found.problems,
            _ => &mut found.warnings,
        };
        list.push(diagnostic.to_string());
    }
    Ok(())
}

impl Report for Findings {
    fn json(&self) -> Value {
        json!({
            "file": self.name,
            "format": self.format,
            "valid": self.good,
            "problems": self.problems,
            "warnings": self.warnings,
            "unchecked": self.unchecked,
            "notes": self.notes,
            "blocks": self.blocks,
            "blocks_with_checksum": self.with_checksum,
            "blocks_without_checksum": self.without_checksum,
            "arrays": self.arrays,
            "rows": self.rows,
        })
    }

    fn text(&self, out: &mut dyn Write, style: Style) -> io::Result<()> {
        let verdict = match (self.good, self.unchecked.is_empty()) {
            (true, true) => style.good("good"),
            (true, false) => style.good("no damage found"),
            (false, _) if self.problems.is_empty() => style.bad("not good"),
            (false, _) => style.bad("damaged"),
        };
        let mut facts = Vec::new();
        match self.format {
            "asdf" => {
                if self.blocks > 0 {
                    let words = if self.good { "with checksum" } else { "with a right checksum" };
                    facts.push(format!("{}, {} {words}", count(self.blocks, "block"), self.with_checksum));
                }
                if self.arrays > 0 {
                    facts.push(count(self.arrays, "array"));
                }
            }
            "ecsv" => facts.push(count(self.rows, "row")),
            _ => {}
        }
        let facts = if facts.is_empty() { String::new() } else { format!(" ({})", facts.join(", ")) };
        writeln!(out, "{}: {verdict}{facts}", style.name(printable(&self.name)))?;
        for problem in &self.problems {
            writeln!(out, "  {}", style.bad(printable(problem)))?;
        }
        for (label, messages) in
            [("cannot be checked", &self.unchecked), ("warning", &self.warnings), ("note", &self.notes)]
        {
            for message in messages {
                writeln!(out, "  {label}: {}", printable(message))?;
            }
        }
        Ok(())
    }
}
