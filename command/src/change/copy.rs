//! `asdfkit copy`: parts of files into other files.

use super::session::Saving;
use crate::core::failure::{Outcome, Result};
use crate::core::input::Input;
use crate::core::output::Output;
use asdfkit::file::{ArrayOptions, File, NewOptions, WriteOptions};
use clap::Args;
use std::path::PathBuf;

/// Copy a part of a file, with its arrays, into another file, which is created if it does not exist
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// File to copy from; `-` is standard input
    from: PathBuf,
    /// Path of the part; / is the whole tree
    path: String,
    /// File to copy to
    pub(crate) file: PathBuf,
    /// Path in that file; the same path by default
    to: Option<String>,
    #[command(flatten)]
    saving: Saving,
}

/// Copies a part.
pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    let source = Input::open(&arguments.from)?.asdf()?;
    let path = if arguments.path == "/" { "" } else { arguments.path.as_str() };
    let node = source.root()?.get(path)?;
    let to = match arguments.to.as_deref() {
        None => path,
        Some("/") => "",
        Some(to) => to,
    };
    // Arrays in other files are copied, too, so that the copy stands alone.
    let bring = ArrayOptions::default();
    let line = format!("copy {} from {} to {to}", arguments.path, arguments.from.display());
    let target = arguments.file.as_path();
    if target.exists() {
        arguments.saving.change(target, output, |file| {
            file.root()?.copy_from(to, &node, Some(&bring))?;
            Ok(vec![line])
        })?;
        return Ok(Outcome::Yes);
    }
    let file = File::new(&NewOptions { standard: source.standard().effective, ..NewOptions::default() });
    file.root()?.copy_from(to, &node, Some(&bring))?;
    if !arguments.saving.dry_run {
        file.write(target, &WriteOptions { replace: false, ..arguments.saving.options() })?;
    }
    arguments.saving.report(target, vec![line], output)?;
    Ok(Outcome::Yes)
}
