//! `asdfkit recompress`, `explode`, `implode` and `compact`: other forms of the same content.

use super::session::Saving;
use crate::core::arguments::{Packing, Target, Threads};
use crate::core::failure::{Failure, Outcome, Result};
use crate::core::input::{Input, is_standard};
use crate::core::new_file::{self, tell_new_warnings};
use crate::core::output::Output;
use crate::core::size::of_bytes;
use crate::core::tree_path::TreePath;
use crate::core::walk::Walk;
use asdfkit::array::ArraySource;
use asdfkit::file::File;
use clap::Args;
use std::cmp::Ordering;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Store arrays with another compression
#[derive(Args, Debug)]
pub(crate) struct Recompress {
    /// File to change
    pub(crate) file: PathBuf,
    /// Paths of arrays; all arrays in blocks by default
    paths: Vec<TreePath>,
    #[command(flatten)]
    packing: Packing,
    #[command(flatten)]
    saving: Saving,
}

/// Write a copy with each block in a file of its own
#[derive(Args, Debug)]
pub(crate) struct Explode {
    /// File to read
    pub(crate) file: PathBuf,
    #[command(flatten)]
    target: Target,
    #[command(flatten)]
    threads: Threads,
}

/// Write a copy that includes the arrays that are stored in other files
#[derive(Args, Debug)]
pub(crate) struct Implode {
    /// File to read
    pub(crate) file: PathBuf,
    #[command(flatten)]
    target: Target,
    #[command(flatten)]
    threads: Threads,
}

/// Make a file as small as possible: remove unused blocks, gaps and free space
#[derive(Args, Debug)]
pub(crate) struct Compact {
    /// File to change
    pub(crate) file: PathBuf,
    #[command(flatten)]
    saving: Saving,
}

/// Changes the compression of arrays.
pub(crate) fn recompress(arguments: &Recompress, output: &mut Output) -> Result<Outcome> {
    if arguments.packing.codec.is_none() {
        return Err(Failure::usage("--codec is missing; none stores arrays uncompressed"));
    }
    let compression = arguments.packing.compression()?;
    arguments.saving.change(&arguments.file, output, |file| {
        let root = file.root()?;
        let paths = match arguments.paths.is_empty() {
            true => arrays_in_blocks(file)?,
            false => arguments.paths.iter().map(|path| String::from(&**path)).collect(),
        };
        let mut done = Vec::new();
        for path in paths {
            root.recompress_array(&path, compression.clone())?;
            done.push(format!("store {path} with {}", arguments.packing.codec.as_deref().unwrap_or("none")));
        }
        Ok(done)
    })?;
    Ok(Outcome::Yes)
}

/// Returns the path of one array for each block that arrays use.
fn arrays_in_blocks(file: &File) -> Result<Vec<String>> {
    let mut walk = Walk::new(file.root()?, String::new());
    let (mut paths, mut blocks) = (Vec::new(), HashSet::new());
    let count = file.block_count()? as i64;
    while let Some(visit) = walk.next()? {
        if visit.node_type.is_none() {
            continue;
        }
        if visit.alias_of.is_none() && visit.node.is_array("")? {
            let array = visit.node.array("")?;
            if let Some(&ArraySource::Block(index)) = array.source()
                && blocks.insert(if index < 0 { index + count } else { index })
            {
                paths.push(visit.path.clone());
            }
        }
        walk.enter(&visit)?;
    }
    Ok(paths)
}

/// Writes an exploded copy.
pub(crate) fn explode(arguments: &Explode, _: &mut Output) -> Result<Outcome> {
    if is_standard(arguments.target.path()) {
        return Err(Failure::usage("many files are not written to standard output"));
    }
    let file = Input::open(&arguments.file)?.asdf()?;
    let known = file.warnings().len();
    file.explode(arguments.target.path(), &arguments.target.options(arguments.threads))?;
    tell_new_warnings(&file, arguments.target.path(), known);
    Ok(Outcome::Yes)
}

/// Writes a copy that stands alone.
pub(crate) fn implode(arguments: &Implode, output: &mut Output) -> Result<Outcome> {
    let file = Input::open(&arguments.file)?.asdf()?;
    let known = file.warnings().len();
    let options = arguments.target.options(arguments.threads);
    new_file::write_asdf(arguments.target.path(), output, |target| Ok(file.implode(target, &options)?))?;
    tell_new_warnings(&file, arguments.target.path(), known);
    Ok(Outcome::Yes)
}

fn size(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |metadata| metadata.len())
}

/// Makes a file as small as possible.
pub(crate) fn compact(arguments: &Compact, output: &mut Output) -> Result<Outcome> {
    let (path, saving) = (&arguments.file, &arguments.saving);
    let before = size(path);
    let (removed, after) = if saving.dry_run {
        saving.try_on_copy(path, |copy, options| {
            let file = saving.open(copy)?;
            let blocks = file.block_count()?;
            file.compact(options)?;
            Ok((blocks - file.block_count()?, size(copy)))
        })?
    } else {
        let file = saving.open(path)?;
        saving.back_up(path)?;
        let (known, blocks) = (file.warnings().len(), file.block_count()?);
        file.compact(&saving.options())?;
        tell_new_warnings(&file, path, known);
        (blocks - file.block_count()?, size(path))
    };
    let mut lines = Vec::new();
    if removed > 0 {
        lines.push(format!("remove unused blocks: {removed}"));
    }
    lines.push(match after.cmp(&before) {
        Ordering::Less => format!("shrink the file from {} to {}", of_bytes(before), of_bytes(after)),
        Ordering::Equal => format!("keep the size of the file, {}: it is the smallest", of_bytes(before)),
        Ordering::Greater => {
            format!("grow the file from {} to {}, with room for its tree", of_bytes(before), of_bytes(after))
        }
    });
    saving.report(path, lines, output)?;
    Ok(Outcome::Yes)
}
