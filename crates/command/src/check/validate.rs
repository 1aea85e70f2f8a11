//! `asdfkit validate`: whether files keep the promise of a description.

use super::diff::of_description;
use super::difference::Differences;
use crate::core::arguments::Files;
use crate::core::failure::{Outcome, Result};
use crate::core::input::{Format, Input};
use crate::core::output::{Output, printable};
use asdfkit::ndl::{self, ConformanceOptions, Description, asdf::DescribeOptions};
use clap::Args;
use std::path::PathBuf;

/// Check that ASDF files keep the promise of a description in NDL
///
/// The exit code is 1 if a file does not. Missing content is marked -, additional content +, and different content ~.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Description that the files promise to keep
    #[arg(short, long, value_name = "DESCRIPTION")]
    pub(crate) promise: PathBuf,
    #[command(flatten)]
    pub(crate) files: Files,
    /// Allow groups, arrays and attributes that the description lacks
    #[arg(long)]
    subset: bool,
}

/// Checks one file.
pub(crate) fn run(input: &Input, promise: &Description, arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    let description = match input.format()? {
        Format::Ndl => input.description(&ndl::ReadOptions::default())?.description,
        _ => ndl::asdf::describe(&input.asdf()?, &DescribeOptions::default())?.description,
    };
    let name = arguments.promise.to_string_lossy().into_owned();
    let mut violations = Differences::new([name, input.name()], usize::MAX, false);
    for violation in promise.violations(&description, &ConformanceOptions { subset: arguments.subset })? {
        violations.add(of_description(&violation));
    }
    if !output.json {
        let verdict = if violations.is_empty() { "keeps the promise" } else { "does not keep the promise" };
        output.line(&format!("{}: {verdict}", printable(&input.name())))?;
    }
    output.report(&violations)?;
    Ok(Outcome::of(violations.is_empty()))
}
