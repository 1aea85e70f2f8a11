//! `asdfkit copy`: parts of files into other files.

use super::cut::{Cut, join};
use super::session::Saving;
use crate::core::failure::{Outcome, Result};
use crate::core::input::{Input, is_standard};
use crate::core::new_file::{self, tell_new_warnings};
use crate::core::output::Output;
use crate::core::tree_path::TreePath;
use crate::core::walk::escape;
use asdfkit::file::{ArrayOptions, File, NewOptions, Node, NodeKey, WriteOptions};
use asdfkit::{Error, Status};
use clap::Args;
use std::path::{Path, PathBuf};

/// Copy a part of a file, with its arrays, into another file, which is created if it does not exist
///
/// Mappings of the path that are missing are made.
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
    /// Region of the image to copy, as in numpy: [100:200,300:400]; its WCS is shifted
    ///
    /// The image is the array at PATH, or the largest one below PATH. Arrays of the same shape, or of its last
    /// dimensions, are cut as well. A single index keeps its dimension. The WCS below PATH, or the one that belongs to
    /// the array, is written for the pixels of the region.
    #[arg(long, value_name = "REGION", allow_hyphen_values = true)]
    region: Option<String>,
    /// Replace a node that is at the path TO, with all below it
    #[arg(short, long)]
    force: bool,
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
    let cut = arguments.region.as_deref().map(|region| Cut::new(&source.root()?, path, region)).transpose()?;
    let threads = saving.options().threads;
    if !is_standard(target) && target.exists() {
        if to.is_root() {
            let message = "the whole tree of a file that exists is not replaced; give a path in it, or a new file";
            return Err(Error::new(Status::InvalidArgument, message).in_file(&target.to_string_lossy().into()).into());
        }
        saving.change(target, output, |file| {
            let root = file.root()?;
            let mut places = std::iter::once(&**to).chain(cut.as_ref().and_then(Cut::path_beside));
            if !arguments.force {
                places.try_for_each(|place| check_free(&root, place))?;
            }
            root.copy_from(to, &node, Some(&bring))?;
            let cut = cut.as_ref().map(|cut| cut.apply(&root, to, threads)).transpose()?;
            Ok(std::iter::once(line).chain(cut.unwrap_or_default()).collect())
        })?;
        return Ok(Outcome::Yes);
    }
    let options = WriteOptions { replace: false, ..saving.options() };
    let mut lines = vec![line];
    if path.is_root() && to.is_root() && cut.is_none() {
        if !saving.dry_run {
            let known = source.warnings().len();
            new_file::write_asdf(target, output, |target| Ok(source.implode(target, &options)?))?;
            tell_new_warnings(&source, target, known);
        }
    } else {
        let file = File::new(&NewOptions { standard: source.standard().effective, ..NewOptions::default() });
        let root = file.root()?;
        if path.is_root() && to.is_root() {
            copy_children(&root, &node, &bring)?;
        } else {
            root.copy_from(to, &node, Some(&bring))?;
        }
        if let Some(cut) = &cut {
            lines.extend(cut.apply(&root, to, threads)?);
        }
        if !saving.dry_run {
            new_file::write_asdf(target, output, |target| Ok(file.write(target, &options)?))?;
            tell_new_warnings(&file, target, 0);
        }
    }
    if saving.dry_run || !is_standard(target) {
        saving.report(target, lines, output)?;
    }
    Ok(Outcome::Yes)
}

/// Fails if there is a node that the copy would replace.
fn check_free(root: &Node, path: &str) -> Result<()> {
    match root.exists(path)? {
        true => {
            let message = "a node exists at this path; --force replaces it";
            Err(Error::new(Status::InvalidArgument, message).at_path(path).into())
        }
        false => Ok(()),
    }
}

/// Writes a new file with the node at a path, under the same path; of an image only a region.
pub(crate) fn cut_out(
    input: &Input,
    path: &TreePath,
    region: Option<&str>,
    target: &Path,
    options: &WriteOptions,
) -> Result<Outcome> {
    let source = input.asdf()?;
    let (root, bring) = (source.root()?, ArrayOptions::default());
    let node = root.at(path)?;
    let cut = region.map(|region| Cut::new(&root, path, region)).transpose()?;
    let file = File::new(&NewOptions { standard: source.standard().effective, ..NewOptions::default() });
    let new = file.root()?;
    match path.is_root() {
        true => copy_children(&new, &node, &bring)?,
        false => new.copy_from(path, &node, Some(&bring))?,
    }
    cut.map(|cut| cut.apply(&new, path, options.threads)).transpose()?;
    file.write(target, options)?;
    tell_new_warnings(&file, target, 0);
    Ok(Outcome::Yes)
}

/// Copies all that the root has, except for what each file has of its own.
fn copy_children(root: &Node, node: &Node, bring: &ArrayOptions) -> Result<()> {
    for (key, value) in node.pairs()? {
        match key {
            NodeKey::String(name) if name == "asdf_library" => {}
            NodeKey::String(name) => root.copy_from(&join("", &escape(&name)), &value, Some(bring))?,
            _ => return Err(Error::new(Status::Unsupported, "a key of the root is not a string").into()),
        }
    }
    Ok(())
}
