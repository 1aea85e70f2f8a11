//! Recovery: copying the readable parts of a damaged file into a new file, with a report of the losses.
//!
//! Only on request; ordinary reading never guesses.

mod arrays;
#[cfg(test)]
mod changed_test;
pub(super) mod repair;
mod report;
mod tree;
mod unfinished;

use super::blocks::number_of;
use super::blocks::plan::plan_options;
use super::disk::draft::name_left;
use super::disk::interrupted::read_settled;
use super::disk::replace::{Destination, Replaced, Replacement};
use super::open::decompressed::{compression_of, decompress_readable};
use super::open::named_blocks::{block_source, for_each_node};
use super::open::writer_name::{begin_tree, name_library};
use super::tree::history;
use super::write::output::{Output, Target, end_line};
use super::{File, OpenOptions, Software, WriteOptions};
use crate::error::{Error, Result, Status};
use crate::layout::{self, BlockRequest, ChecksumMatch, Planner, Salvage, SalvagedBlock};
use crate::progress::{self, Counted};
use crate::reserve;
use crate::source::{FileSource, Source, read_vec_at};
use crate::tags::StandardVersion;
use crate::tree::Tree;
use crate::yaml::{self, EmitOptions};
use arrays::{Arrays, Kept};
pub use report::{Loss, LossKind, Recovery};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use unfinished::UnfinishedBlocks;

/// Maximum number of further array paths in the history entry of a recovered file.
const MAX_NAMED: usize = 20;

/// Options for recovering a file.
#[derive(Clone, Debug, Default)]
pub struct RecoverOptions {
    /// Drop blocks that end early as a whole. Otherwise their complete rows are kept.
    pub whole_blocks: bool,
    /// Limits and codecs for reading.
    pub open: OpenOptions,
    /// Options for writing the new file.
    pub write: WriteOptions,
}

impl File {
    /// Copies the readable parts of a damaged or truncated file into a new file, and returns the losses. The damaged
    /// file is not changed.
    ///
    /// * A damaged tree keeps its top-level entries up to the last complete one.
    /// * Blocks keep their numbers. A lost block becomes an empty one. Its arrays keep their descriptions, and reading
    ///   them fails. If the number of rows follows from the block, they have no rows.
    /// * An uncompressed block that ends early keeps its bytes. Its arrays keep their complete rows, with an adapted
    ///   shape. Arrays in a compressed block that ends early are lost.
    /// * After an unreadable header, in a file without index, blocks are kept only if the tree confirms their numbers.
    /// * Blocks are compared with their checksums. Blocks that do not match are kept and reported.
    /// * A file that is compressed as a whole, such as `image.asdf.gz`, is decompressed as far as possible. Offsets in
    ///   the losses then refer to its content.
    ///
    /// If anything was lost, an entry in the history of the new file reports it.
    ///
    /// Fails with [`Status::FileExists`] if `new_path` exists, unless [`WriteOptions::replace`] is set. Fails with
    /// [`Status::InvalidArgument`] if `new_path` is the damaged file, a pipe or a device. Fails with
    /// [`Status::Truncated`] if nothing can be recovered, with [`Status::FileChanged`] if the damaged file changes each
    /// time it is read, and with the errors of reading the header and of writing.
    /// After a failure there is no new file, except after [`Status::NotDurable`].
    pub fn recover(path: impl AsRef<Path>, new_path: impl AsRef<Path>, options: &RecoverOptions) -> Result<Recovery> {
        let (path, new_path) = (path.as_ref(), new_path.as_ref());
        let name = path.to_string_lossy().into();
        // An output that exists is refused before the input is read.
        let target = new_file(new_path, options)?;
        let opened = || FileSource::open(path).map_err(|error| name_left(path, error));
        let open = || Ok(Arc::new(opened()?) as Arc<dyn Source>);
        let recovered = read_settled(path, open, |source, _| Recovered::of(source, &target, new_path, options));
        recovered.map_err(|error: Error| error.in_file(&name))?.keep()
    }

    /// Copies the readable parts of a damaged file, whose bytes come from a source. Otherwise like [`File::recover`].
    pub fn recover_source(
        source: Arc<dyn Source>,
        new_path: impl AsRef<Path>,
        options: &RecoverOptions,
    ) -> Result<Recovery> {
        let new_path = new_path.as_ref();
        Recovered::of(source, &new_file(new_path, options)?, new_path, options)?.keep()
    }

    /// Returns the damage found in the bytes of blocks. `unsure` are the numbers of blocks with doubtful headers.
    fn damage(&self, unsure: &[usize]) -> Result<Vec<Loss>> {
        let mut losses = Vec::new();
        let mut damaged = Vec::new();
        for number in 0..self.block_count()? {
            // A header can be damaged although the checksum matches, so compressed blocks are decoded as well.
            let judged = self.verify_block(number as i64).and_then(|checksum| match checksum {
                ChecksumMatch::Mismatch => Err(Error::new(Status::Checksum, "the bytes do not match the checksum")),
                _ => self.check_decoding(number as i64),
            });
            let is_sure = usize::try_from(number).is_ok_and(|number| !unsure.contains(&number));
            let message = match judged {
                Ok(()) if is_sure => continue,
                Ok(()) => "the header of the block contradicts the bytes around the block".to_owned(),
                Err(error) if is_damage(&error) => error.message().to_owned(),
                Err(error) => return Err(error),
            };
            losses.push(Loss::new(LossKind::BlockDamaged, message).of_block(number));
            damaged.push(number);
        }
        if !damaged.is_empty() {
            for (path, number) in arrays_in_blocks(&*self.tree()?, &damaged, self.block_count()?)? {
                let message = "bytes of the array may be wrong";
                losses.push(Loss::new(LossKind::ArrayDamaged, message).of_block(number).of_array(path));
            }
        }
        Ok(losses)
    }
}

/// Returns the paths of the arrays in the blocks of these numbers, each with the number of its block.
fn arrays_in_blocks(tree: &Tree, numbers: &[u64], count: u64) -> Result<Vec<(String, u64)>> {
    let mut arrays = Vec::new();
    for_each_node(tree, |id| {
        let number = block_source(tree, id).and_then(|(_, index)| number_of(index, count));
        if let Some(number) = number.filter(|number| numbers.contains(number)) {
            reserve::push(&mut arrays, (tree.path(id), number))?;
        }
        Ok(())
    })?;
    Ok(arrays)
}

/// Returns the place of the new file.
fn new_file(new_path: &Path, options: &RecoverOptions) -> Result<PathBuf> {
    Destination::file(new_path, options.write.replace)
        .map_err(|error| error.in_file(&new_path.to_string_lossy().into()))
}

/// A recovered file that does not have its name yet. A damaged file that changes meanwhile is read again, so only the
/// last attempt may give the new file its name.
struct Recovered<'a> {
    replacement: Replacement,
    recovery: Recovery,
    new_path: &'a Path,
    durable: bool,
}

impl Recovered<'_> {
    /// Recovers into a new file at `target`, which messages call `new_path`.
    fn of<'a>(
        source: Arc<dyn Source>,
        target: &Path,
        new_path: &'a Path,
        options: &RecoverOptions,
    ) -> Result<Recovered<'a>> {
        let of_new = |error: Error| error.in_file(&new_path.to_string_lossy().into());
        let (source, undecoded) = decompressed(source, &options.open)?;
        if source.is_at(target)? {
            let message = "the file cannot be recovered into itself; give the new file another name";
            return Err(of_new(Error::new(Status::InvalidArgument, message)));
        }
        // Blocks are copied, then compared with their checksums.
        let total = source.len().saturating_mul(2);
        let _expectation = progress::expect(Counted::StoredAndWritten, Some(total))?;
        let originals = source.opened_file();
        let mut replacement =
            Replacement::begin(target, options.write.replace, originals.as_slice()).map_err(of_new)?;
        let (mut losses, unsure) = recover_to(source.clone(), Target::File(replacement.file()), options, undecoded)?;
        losses.extend(damage(replacement.file(), options, &unsure)?);
        source.check_unchanged()?;
        Ok(Recovered { replacement, recovery: Recovery { losses }, new_path, durable: options.write.durable })
    }

    /// Gives the new file its name.
    fn keep(self) -> Result<Recovery> {
        let replaced = self.replacement.commit(self.durable).and_then(Replaced::finish);
        replaced.map_err(|error| error.in_file(&self.new_path.to_string_lossy().into()))?;
        Ok(self.recovery)
    }
}

/// Returns the content of a source that is compressed as a whole, as far as it can be decompressed, and the loss of the
/// rest. Returns any other source itself.
fn decompressed(source: Arc<dyn Source>, options: &OpenOptions) -> Result<(Arc<dyn Source>, Option<Loss>)> {
    let Some(compression) = compression_of(&*source)? else { return Ok((source, None)) };
    let (content, damage) = decompress_readable(compression, source, options)?;
    let loss = damage.map(|error| {
        let message = format!("bytes after this offset could not be decompressed: {}", error.message());
        Loss::new(LossKind::Bytes, message).at(content.len(), None)
    });
    Ok((content, loss))
}

/// Returns the damage found in the bytes of blocks of a file that was just written.
fn damage(file: &std::fs::File, options: &RecoverOptions, unsure: &[usize]) -> Result<Vec<Loss>> {
    let file = file.try_clone().map_err(|error| Error::io("cannot open the new file", &error))?;
    let OpenOptions { limits, codecs, .. } = options.open.clone();
    File::open_descriptor(file, &OpenOptions { limits, codecs, ..OpenOptions::default() })?.damage(unsure)
}

/// Returns true if an error means damaged bytes, not a limit of the machine. An unknown compression label can be
/// damage.
fn is_damage(error: &Error) -> bool {
    matches!(error.status(), Status::Corrupt | Status::Truncated | Status::Checksum | Status::UnknownCodec)
}

/// Writes the readable parts of a source. Returns the losses after `known`, and the numbers of blocks with doubtful
/// headers.
fn recover_to(
    source: Arc<dyn Source>,
    target: Target,
    options: &RecoverOptions,
    known: Option<Loss>,
) -> Result<(Vec<Loss>, Vec<usize>)> {
    let limits = &options.open.limits;
    let mut salvage = Salvage::read(source.clone(), limits)?;
    let unfinished = unfinished::find(&source, &mut salvage, &options.open)?;
    let mut losses = Vec::from_iter(known);
    let has_tree = salvage.tree.is_some();
    let mut tree = None;
    if let Some(text) = salvage.tree.take() {
        let read = tree::read(text, limits)?;
        if let Some((range, line)) = read.lost {
            let message = format!("the tree could not be read from line {line} on");
            losses.push(Loss::new(LossKind::Tree, message).at(range.start, range.end - range.start));
        }
        tree = read.tree;
    }
    if tree.is_none() && salvage.blocks.is_empty() {
        return Err(Error::new(Status::Truncated, "nothing of the file can be recovered").at_offset(source.len()));
    }
    let standard = salvage.standard.effective;
    let was_read = tree.is_some();
    let mut tree = tree.unwrap_or_else(|| {
        let mut tree = Tree::new();
        begin_tree(&mut tree, standard);
        tree
    });
    tree.remember_original();
    let (kept, losses) = {
        let mut arrays = Arrays {
            tree: &mut tree,
            salvage: &mut salvage,
            file_length: source.len(),
            limits,
            keeps_rows: !options.whole_blocks,
            losses,
        };
        (arrays.settle()?, arrays.losses)
    };
    let header = salvage.header.clone();
    let mut text = read_vec_at(&*source, header.start, header.end - header.start)?;
    end_line(&mut text);
    let header_length = text.len() as u64;
    if has_tree {
        add_history_entry(&mut tree, standard, &losses)?;
        name_library(&mut tree, standard)?;
        let body = if was_read {
            yaml::splice(&tree, limits)?
        } else {
            let mut body = String::new();
            yaml::emit(&tree, &mut body, &EmitOptions::of_limits(limits))?;
            body
        };
        reserve::room_for(&mut text, body.len() + 1)?;
        text.extend_from_slice(body.as_bytes());
        end_line(&mut text);
    }
    write(&source, header_length, &text, (&kept, &unfinished), Output::new(target), options)?;
    Ok((losses, salvage.unsure))
}

/// Adds a history entry about the losses.
fn add_history_entry(tree: &mut Tree, standard: StandardVersion, losses: &[Loss]) -> Result<()> {
    if losses.is_empty() {
        return Ok(());
    }
    let mut description = "recovered from a damaged file; parts were lost".to_owned();
    let paths: Vec<&str> = losses.iter().filter_map(|loss| loss.path.as_deref()).collect();
    if let Some((first, others)) = paths.split_first() {
        description.push_str(": the arrays ");
        description.push_str(first);
        for path in others.iter().take(MAX_NAMED) {
            description.push_str(", ");
            description.push_str(path);
        }
        if others.len() > MAX_NAMED {
            description.push_str(&format!(" and {} more", others.len() - MAX_NAMED));
        }
    }
    let software =
        Software { name: env!("CARGO_PKG_NAME"), version: env!("CARGO_PKG_VERSION"), author: None, homepage: None };
    match history::append(tree, standard, &description, Some(software), None) {
        // Other content in place of the history is kept.
        Err(error) if error.status() == Status::WrongType => Ok(()),
        result => result,
    }
}

fn write(
    shared: &Arc<dyn Source>,
    header_length: u64,
    text: &[u8],
    (kept, unfinished): (&[Kept], &UnfinishedBlocks),
    mut output: Output,
    RecoverOptions { open, write: options, .. }: &RecoverOptions,
) -> Result<()> {
    let source = &**shared;
    output.put(text)?;
    let tree_length = text.len() as u64 - header_length;
    let mut planner = Planner::new(header_length, tree_length, !kept.is_empty(), &plan_options(options))?;
    output.put(&layout::slack_bytes(planner.slack())?)?;
    for kept in kept {
        let (header, range) = match kept {
            Kept::Found(SalvagedBlock::Whole(header)) => (header, header.stored_range(source.len())?),
            Kept::Found(SalvagedBlock::Cut(header, there)) => {
                if let Some(unfinished) = unfinished.get(&header.offset) {
                    unfinished.write(shared, *there, &mut planner, &mut output, &open.limits, options)?;
                    continue;
                }
                let start = header.payload_offset().min(source.len());
                (header, start..start.saturating_add(*there).min(source.len()))
            }
            Kept::Found(SalvagedBlock::Lost(_)) | Kept::Empty => {
                output.put(&planner.add(&BlockRequest::default())?.encode())?;
                continue;
            }
        };
        let stored_size = range.end - range.start;
        let is_whole = matches!(kept, Kept::Found(SalvagedBlock::Whole(_)));
        let checksum = if is_whole && !header.is_streamed() {
            header.checksum
        } else if options.checksums {
            layout::md5_of_range(source, range.clone())?
        } else {
            [0; 16]
        };
        let request = BlockRequest {
            stored_size,
            data_size: if header.is_compressed() { header.data_size } else { stored_size },
            compression: header.compression,
            checksum,
            ..BlockRequest::default()
        };
        output.put(&planner.add(&request)?.encode())?;
        output.copy(source, range)?;
    }
    output.put(&planner.index()?)?;
    output.finish()
}
