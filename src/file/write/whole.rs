//! Writing a whole file: to a path atomically, to memory, or to any writer.

use super::block::{write_block, write_streamed};
use super::output::{MemorySink, Output, Target};
use super::prepared::Prepared;
use crate::error::{Error, Result, Status};
use crate::file::blocks::Stored;
use crate::file::blocks::pending::PendingBlock;
use crate::file::blocks::plan::plan_options;
use crate::file::disk::replace::{Destination, write_file};
use crate::file::open::writer_name;
use crate::file::{File, StandardVersion, WriteOptions};
use crate::layout::{self, Planner, TreeSlack};
use crate::progress::{self, Counted, Expectation};
use crate::source::{OwnSource, Source};
use crate::tree::Tree;
use crate::yaml::{self, EmitOptions};
use std::io::Write;
use std::path::Path;

impl File {
    /// Writes the file at `path`. Fails with [`Status::FileExists`] if a file has this name, unless
    /// [`WriteOptions::replace`] is set. If `path` is a pipe or a character device, writes to it as [`File::write_to`]
    /// does.
    ///
    /// An existing file stays unchanged until the new one is complete. After a failure it stays, and no other file is
    /// left behind. Only after [`Status::NotDurable`] the new file is in place; syncing its name failed.
    ///
    /// A symbolic link is followed; a link that leads nowhere is replaced. Owner, group, permissions, access control list
    /// and extended attributes of an existing file are kept as far as the system allows. If they cannot be kept, nobody
    /// gets wider rights, and this file gets a warning. A new copy of a file that was opened gives group and others at
    /// most the rights that they have to that file. A
    /// file that was opened for reading is copied byte for byte, so only the options [`WriteOptions::replace`] and
    /// [`WriteOptions::durable`] apply. ASDF in a FITS file is written as an ASDF file: the data of the HDUs that arrays
    /// name become blocks. With [`WriteOptions::as_standard`] it is
    /// rewritten in another version of the standard. Writing it to its own path is [`Status::InvalidArgument`]. Writing a file
    /// opened for update to its own path, with [`WriteOptions::replace`], saves it.
    pub fn write(&self, path: impl AsRef<Path>, options: &WriteOptions) -> Result<()> {
        let path = path.as_ref();
        let name = path.to_string_lossy().into();
        self.write_path(path, options).map_err(|error| error.in_file(&name))
    }

    fn write_path(&self, path: &Path, options: &WriteOptions) -> Result<()> {
        self.check_complete(options)?;
        let target = match Destination::of(path, options.replace)? {
            Destination::File(target) => target,
            Destination::Stream(mut output) => return self.write_to(&mut output, options),
        };
        if self.is_stored_at(&target)? {
            if self.shared.origin.update.is_some() {
                return self.save_changes(options);
            }
            let message = "the file is open for reading and cannot replace itself; open it for update";
            return Err(Error::new(Status::InvalidArgument, message));
        }
        let _expectation = self.expect_to_write(true, options)?;
        let mut prepared = Prepared::for_new_file(self, Some(&target), options)?;
        let write = |file: &mut std::fs::File| prepared.write_parts(Target::File(file), options);
        let mut replaced = write_file(&target, options.replace, &prepared.originals(), options.durable, write)?;
        prepared.sources.keep();
        self.warn(replaced.take_warnings());
        replaced.finish()
    }

    /// Returns the bytes of the file in memory.
    pub fn write_to_memory(&self, options: &WriteOptions) -> Result<Vec<u8>> {
        let mut sink = MemorySink(Vec::new());
        let _expectation = self.expect_to_write(true, options)?;
        Prepared::for_new_file(self, None, options)?.write_parts(Target::Memory(&mut sink), options)?;
        Ok(sink.0)
    }

    /// Writes the file to a writer that takes bytes in order, such as a pipe. Bytes that were written before a failure
    /// cannot be taken back.
    pub fn write_to(&self, output: &mut dyn Write, options: &WriteOptions) -> Result<()> {
        let _expectation = self.expect_to_write(true, options)?;
        Prepared::for_new_file(self, None, options)?.write_parts(Target::Stream(output), options)
    }

    /// Starts the progress report of a write: of the pending blocks, and with `stored` of those of the opened file.
    pub(crate) fn expect_to_write(&self, stored: bool, options: &WriteOptions) -> Result<Expectation> {
        let store = self.store()?;
        let made = store.appended().iter().chain(store.replaced().values());
        let blocks = made.chain(store.unnumbered().iter().map(|(_, unnumbered)| &unnumbered.block));
        let waiting = blocks.map(|block| block.bytes_to_write(options.checksums)).fold(0, u64::saturating_add);
        let of_file = store.file_length().filter(|_| stored).unwrap_or(0);
        progress::expect(Counted::StoredAndWritten, Some(waiting.saturating_add(of_file)))
    }

    /// Returns true if `path` is the file that was opened.
    pub(super) fn is_stored_at(&self, path: &Path) -> Result<bool> {
        self.store()?.of_file().map_or(Ok(false), |stored| stored.source.is_at(path))
    }

    /// Fails if changes are missing in the file, or if the options are invalid.
    pub(crate) fn check_complete(&self, options: &WriteOptions) -> Result<()> {
        self.own_state()?.check_complete(options)
    }
}

impl Prepared {
    /// Writes the file, in a FITS file if it has a frame.
    pub(super) fn write_parts(&self, target: Target, options: &WriteOptions) -> Result<()> {
        match &self.frame {
            Some(frame) => frame.write(target, |target| self.write_asdf(target, options)),
            None => self.write_asdf(target, options),
        }
    }

    fn write_asdf(&self, target: Target, options: &WriteOptions) -> Result<()> {
        if !self.store.is_changeable() && self.renewed.is_none() {
            return self.write_as_it_is(&mut Output::new(target));
        }
        self.write_with_head(&self.head()?, target, options)
    }

    /// Writes the whole file with this head.
    pub(crate) fn write_with_head(&self, head: &[u8], target: Target, options: &WriteOptions) -> Result<()> {
        let mut output = Output::new(target);
        self.write_whole(head, &mut output, options)?;
        output.finish()
    }

    /// Writes the whole file with this head. Returns the number of bytes before the blocks.
    pub(super) fn write_whole(&self, head: &[u8], output: &mut Output, options: &WriteOptions) -> Result<u64> {
        let has_last = self.store.unnumbered().streamed().is_some();
        let (room, planner) = self.write_before_last(head, has_last, output, options)?;
        if let Some(mut planner) = planner {
            if let Some(block) = self.store.unnumbered().streamed() {
                write_streamed(block, &mut planner, output).map_err(|error| self.locate_block(block, error))?;
            }
            output.put(&planner.index()?)?;
        }
        Ok(room)
    }

    /// Writes everything up to the last block or the block index. With `has_last`, a streamed block follows, which is
    /// not written here. Returns the number of bytes before the blocks, and the planner for what follows; there is none
    /// if the file ends with a stored streamed block.
    pub(super) fn write_before_last(
        &self,
        head: &[u8],
        has_last: bool,
        output: &mut Output,
        options: &WriteOptions,
    ) -> Result<(u64, Option<Planner>)> {
        let store = &self.store;
        output.put(head)?;
        let more_blocks = has_last || !store.appended().is_empty();
        let (text_end, mut plan) = (head.len() as u64, store.plan_options(options));
        if self.is_for_old_readers() {
            (plan.alignment, plan.tree_slack) = (1, TreeSlack::Bytes(0));
        }
        let stored = store.of_file();
        let first = stored.map_or(Ok(None), |stored| stored.first_block())?;
        let (slack, mut planner) = match first {
            Some(first) => {
                let slack = layout::slack_before(first, text_end, plan.tree_slack);
                (slack, Planner::after(text_end + slack, &plan)?)
            }
            None => {
                let planner = Planner::new(0, text_end, more_blocks, &plan)?;
                (planner.slack(), planner)
            }
        };
        output.put(&layout::slack_bytes(slack)?)?;
        if let (Some(stored), Some(first)) = (stored, first)
            && self.write_stored(stored, first, more_blocks, &mut planner, output, options)?
        {
            return Ok((text_end + slack, None));
        }
        self.write_made_blocks(&mut planner, output, options)?;
        Ok((text_end + slack, Some(planner)))
    }

    /// Copies the bytes of a file that was opened for reading.
    fn write_as_it_is(&self, output: &mut Output) -> Result<()> {
        if let Some(stored) = self.store.of_file() {
            output.copy(&*stored.source, 0..stored.source.len())?;
        }
        output.finish()
    }

    /// Copies the stored blocks with their headers and the bytes between them, and writes replaced blocks. Returns true
    /// if the last block is streamed, so that no other block can follow.
    fn write_stored(
        &self,
        stored: &Stored,
        first: u64,
        more_blocks: bool,
        planner: &mut Planner,
        output: &mut Output,
        options: &WriteOptions,
    ) -> Result<bool> {
        let Stored { source, layout, .. } = stored;
        let blocks = &layout.blocks;
        let count = blocks.count()?;
        // Start of the bytes to copy next, and offsets of the blocks in them.
        let (mut start, mut offsets) = (first, Vec::new());
        let mut is_streamed = false;
        for number in 0..count {
            let header = blocks.get(number)?;
            let sized;
            let block = match self.store.replaced().get(&number) {
                // Only the last block can be streamed. If others follow now, it gets sizes.
                None if header.is_streamed() && more_blocks => {
                    sized = self.file.copied(header, stored)?;
                    &sized
                }
                None => {
                    is_streamed = header.is_streamed();
                    offsets.push(header.offset);
                    continue;
                }
                Some(block) => block,
            };
            output.copy(&**source, start..header.offset)?;
            planner.pass(start..header.offset, &offsets)?;
            offsets.clear();
            start = header.end().unwrap_or(blocks.file_length());
            write_block(block, planner, output, options, (number + 1 < count).then_some(start))
                .map_err(|error| self.locate_block(block, error))?;
        }
        if !offsets.is_empty() {
            let end = blocks.get(count - 1)?.end().unwrap_or(blocks.file_length());
            output.copy(&**source, start..end)?;
            planner.pass(start..end, &offsets)?;
        }
        Ok(is_streamed)
    }
}

/// Writes a file with a single block, in the same version of the standard as the file that was prepared.
pub(super) fn write_single(
    prepared: &Prepared,
    block: &PendingBlock,
    target: &mut std::fs::File,
    options: &WriteOptions,
) -> Result<()> {
    let mut output = Output::new(Target::File(target));
    let mut planner = begin_single(prepared.file.standard_version(), &mut output, options)?;
    write_block(block, &mut planner, &mut output, options, None)
        .map_err(|error| prepared.locate_block(block, error))?;
    output.put(&planner.index()?)?;
    output.finish()
}

/// Writes the part before the block of such a file.
pub(super) fn begin_single(standard: StandardVersion, output: &mut Output, options: &WriteOptions) -> Result<Planner> {
    let mut tree = Tree::new();
    writer_name::begin_tree(&mut tree, standard);
    let mut text = String::new();
    yaml::emit(&tree, &mut text, &EmitOptions::default())?;
    let mut head = layout::encode_header_lines(standard, &[])?;
    head.extend_from_slice(text.as_bytes());
    let planner = Planner::new(0, head.len() as u64, true, &plan_options(options))?;
    output.put(&head)?;
    output.put(&layout::slack_bytes(planner.slack())?)?;
    Ok(planner)
}
