//! `asdfkit copy`: parts of files into other files.

use super::session::Saving;
use crate::core::failure::{Outcome, Result};
use crate::core::input::{Input, is_standard};
use crate::core::new_file::{self, tell_new_warnings};
use crate::core::output::Output;
use crate::core::tree_path::TreePath;
use asdfkit::file::{ArrayOptions, File, NewOptions, WriteOptions};
use asdfkit::{Error, Status};
use clap::Args;
use std::path::PathBuf;

/// Copy a part of a file, with its arrays, into another file, which is created if it does not exist
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// File to copy from; `-` is standard input
    from: PathBuf,
    /// Path of the part; / is the whole tree, for a new file or with a path TO
    path: TreePath,
    /// File to copy to; `-` writes a new file to standard output
    pub(crate) file: PathBuf,
    /// Path in that file; the same path by default
    to: Option<TreePath>,
    #[command(flatten)]
    saving: Saving,
}

/// Copies a part.
pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    let source = Input::open(&arguments.from)?.asdf()?;
    let path = &arguments.path;
    let node = source.root()?.at(path)?;
    let to = arguments.to.as_ref().unwrap_or(path);
    let line = format!("copy {path} from {} to {to}", arguments.from.display());
    let (target, saving) = (arguments.file.as_path(), &arguments.saving);
    // Arrays in other files are copied, too, so that the copy stands alone.
    let bring = ArrayOptions::default();
    if !is_standard(target) && target.exists() {
        if to.is_root() {
            let message = "the whole tree of a file that exists is not replaced; give a path in it, or a new file";
            return Err(Error::new(Status::InvalidArgument, message).in_file(&target.to_string_lossy().into()).into());
        }
        saving.change(target, output, |file| {
            file.root()?.copy_from(to, &node, Some(&bring))?;
            Ok(vec![line])
        })?;
        return Ok(Outcome::Yes);
    }
    let options = WriteOptions { replace: false, ..saving.options() };
    if path.is_root() && to.is_root() {
        if !saving.dry_run {
            let known = source.warnings().len();
            new_file::write_asdf(target, output, |target| Ok(source.implode(target, &options)?))?;
            tell_new_warnings(&source, target, known);
        }
    } else {
        let file = File::new(&NewOptions { standard: source.standard().effective, ..NewOptions::default() });
        file.root()?.copy_from(to, &node, Some(&bring))?;
        if !saving.dry_run {
            new_file::write_asdf(target, output, |target| Ok(file.write(target, &options)?))?;
            tell_new_warnings(&file, target, 0);
        }
    }
    if saving.dry_run || !is_standard(target) {
        saving.report(target, vec![line], output)?;
    }
    Ok(Outcome::Yes)
}
