//! `asdfkit history`: entries of the history of a file.

use super::session::Saving;
use crate::core::failure::{Failure, Outcome, Result};
use crate::core::output::Output;
use asdfkit::Status;
use asdfkit::file::Software;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Add an entry to the history of a file, by `history add`; info shows the entries
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) action: Action,
}

/// Actions on the history.
#[derive(Subcommand, Debug)]
pub(crate) enum Action {
    /// Add an entry
    Add(Add),
}

/// A new entry.
#[derive(Args, Debug)]
pub(crate) struct Add {
    /// File to change
    pub(crate) file: PathBuf,
    /// Description of the change
    description: String,
    /// Time with offset, such as 2027-01-31T04:05:06Z; now by default
    #[arg(long)]
    time: Option<String>,
    /// Program that did it
    #[arg(long, value_name = "NAME", requires = "software_version")]
    software: Option<String>,
    /// Version of the program
    #[arg(long, value_name = "VERSION", requires = "software")]
    software_version: Option<String>,
    #[command(flatten)]
    saving: Saving,
}

/// Adds an entry.
pub(crate) fn add(arguments: &Add, output: &mut Output) -> Result<Outcome> {
    arguments.saving.change(&arguments.file, output, |file| {
        let software = match (&arguments.software, &arguments.software_version) {
            (Some(name), Some(version)) => Some(Software { name, version, author: None, homepage: None }),
            _ => None,
        };
        let added = file.add_history(&arguments.description, software, arguments.time.as_deref());
        added.map_err(|error| match error.status() {
            Status::InvalidArgument => Failure::usage(error.message()),
            _ => error.into(),
        })?;
        Ok(vec![format!("add the history entry '{}'", arguments.description)])
    })?;
    Ok(Outcome::Yes)
}
