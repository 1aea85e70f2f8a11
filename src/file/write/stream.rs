//! Writing an array of unknown length: its rows are pushed one after the other.
//!
//! Rows are written once, directly into the new file. Only the tree, which has space for the number of rows, and the
//! header of the block are completed at the end. Until then the tree says that the rows reach to the end of the file, so
//! what a killed writer leaves can be read and recovered.

use super::open_block::OpenBlock;
use super::output::{Output, Target};
use super::prepared::Prepared;
use super::whole::begin_single;
use crate::array::{self, Datatype, InMemory, Order};
use crate::error::{Error, Result, Status};
use crate::file::disk::draft;
use crate::file::disk::replace::{Destination, Replacement};
use crate::file::disk::rights::Grant;
use crate::file::disk::temporary::Temporary;
use crate::file::edit::values::check_packed_block;
use crate::file::open::named_blocks::count_from_start;
use crate::file::open::writer_name;
use crate::file::options::uri::reference_to;
use crate::file::{ArrayOptions, ExternalNames, File, Storage, WriteOptions};
use crate::layout::{self, Planner};
use crate::process::Process;
use crate::progress::{self, Counted};
use crate::tree::edit::Content;
use crate::tree::{NodeId, Style, Tree};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Size of the pieces that are compressed, added to the checksum and written, in bytes.
const CHUNK: usize = 1 << 20;

/// Rows that wait are written after the push that makes them this many bytes, ...
const FLUSHED: usize = 64 << 10;

/// ... and after a push that comes so long after the last write.
const FLUSH_AFTER: Duration = Duration::from_secs(1);

/// An array that is written row by row, as the last block of a file. If dropped before [`Stream::finish`], it leaves no
/// file behind.
///
/// Memory is needed for the tree, 1 MiB of rows, and the codec: nothing without compression, 1 MiB per thread with
/// zlib, 4 MiB per thread with lz4.
pub struct Stream {
    name: Arc<str>,
    rows: i64,
    state: StreamState,
    process: Process,
}

debug_by_name!(Stream, "Stream");

enum StreamState {
    Open(Box<OpenStream>),
    /// Rows are missing in the file.
    Failed(Status, Arc<str>),
    Finished,
}

struct OpenStream {
    /// The file without the array.
    prepared: Prepared,
    replacement: Replacement,
    external: Option<External>,
    options: WriteOptions,
    /// Tree of the new file, and the node of the array in it.
    tree: Tree,
    node: NodeId,
    /// Number of bytes before the first block.
    room: u64,
    planner: Planner,
    block: OpenBlock,
    slack: u64,
    is_streamed: bool,
    datatype: Datatype,
    row_shape: Vec<i64>,
    array: ArrayOptions,
    rows: i64,
    /// Bytes of rows that are not written yet, and the time of the last write.
    waiting: Vec<u8>,
    written_at: Instant,
}

/// Separate file with the rows, if the array is external.
struct External {
    temporary: Temporary,
    /// Requested name; `None` for a name from the pattern of the options.
    name: Option<OsString>,
    main: PathBuf,
}

/// Returns the output for the rows.
fn output_of<'a>(replacement: &'a mut Replacement, external: &'a mut Option<External>) -> Output<'a> {
    Output::new(Target::File(match external {
        Some(external) => external.temporary.file_mut(),
        None => replacement.file(),
    }))
}

impl File {
    /// Begins to write this file at `path`, with an additional array at `node_path` whose rows are pushed later. All
    /// other content is that of [`File::write`] at this moment; later changes have no effect. This file itself does not
    /// get the array.
    ///
    /// With [`Storage::Streamed`] the block extends to the end of the file, and the tree does not contain the number of
    /// rows. The block is uncompressed and has no checksum, and the file has no block index. With [`Storage::External`]
    /// the rows are in a separate file, which gets its name before the main file.
    ///
    /// Fails with [`Status::FileExists`] if `path` exists, now or when the stream is finished, unless
    /// [`WriteOptions::replace`] is set. Fails with [`Status::InvalidArgument`] for other storage or another order, for
    /// a streamed block with compression or slack, for rows without bytes, and if `path` is a pipe or a device. Fails
    /// with [`Status::Unsupported`] for codecs that need all bytes at once, and with the errors of writing.
    pub fn stream(
        &self,
        path: &Path,
        node_path: &str,
        datatype: impl Into<Datatype>,
        row_shape: &[i64],
        array: &ArrayOptions,
        options: &WriteOptions,
    ) -> Result<Stream> {
        let name: Arc<str> = path.to_string_lossy().into();
        let open = self.open_stream(path, node_path, datatype.into(), row_shape, array, options);
        let open = open.map_err(|error| error.in_file(&name))?;
        Ok(Stream { name, rows: 0, state: StreamState::Open(Box::new(open)), process: Process::current() })
    }

    fn open_stream(
        &self,
        path: &Path,
        node_path: &str,
        datatype: Datatype,
        row_shape: &[i64],
        array: &ArrayOptions,
        options: &WriteOptions,
    ) -> Result<OpenStream> {
        self.check_writable()?;
        self.check_complete(options)?;
        self.check_valid(options.validation.as_ref())?;
        let is_streamed = array.storage == Storage::Streamed;
        check_packed_block(array)?;
        if is_streamed && (array.compression.is_some() || array.slack > 0) {
            let message = "a streamed block cannot have compression or slack";
            return Err(Error::new(Status::InvalidArgument, message));
        }
        let row_size = array::packed_size(&datatype, row_shape)?;
        if row_size == 0 || row_shape.len() as u32 >= self.limits().rank {
            let message =
                "the rows of a stream must have at least one byte, and fewer dimensions than the limit for arrays";
            return Err(Error::new(Status::InvalidArgument, message));
        }
        let target = Destination::file(path, options.replace)?;
        let _expectation = self.expect_to_write(true, options)?;
        let prepared = Prepared::for_new_file(self, Some(&target), options)?;
        let store = &prepared.store;
        let is_external = array.storage == Storage::External;
        if let (Some(name), true) = (&array.external_name, is_external) {
            ExternalNames::check(name)?;
        }
        if !is_external && store.unnumbered().streamed().is_some() {
            let message = "the file has a streamed block already, and no block can follow it";
            return Err(Error::new(Status::InvalidArgument, message));
        }
        let mut tree = prepared.tree.duplicate()?;
        prepared.sources.set_in(store, &mut tree);
        let (stored, number) = store.counts()?;
        if !is_external {
            store.check_more(1, self.limits())?;
        }
        if prepared.is_copy() {
            writer_name::name_library(&mut tree, self.standard_version())?;
        }
        let node = tree.place(tree.root(), node_path)?;
        if node == tree.root() {
            return Err(Error::new(Status::InvalidArgument, "the root of the tree cannot be replaced"));
        }
        if !is_external {
            count_from_start(&mut tree, stored, number)?;
        }
        let shape: Vec<i64> = std::iter::once(0).chain(row_shape.iter().copied()).collect();
        let orders = (&Order::C, array.byteorder);
        array::describe_stored(&mut tree, node, number as i64, &datatype, orders, &shape)?;
        tree.set_tag(node, Some(&array::array_tag(&datatype, self.standard_version())?));
        let mut replacement = Replacement::begin(&target, options.replace, &prepared.originals())?;
        let mut external = match is_external {
            true => {
                let temporary = draft::create(&target, &Grant::beside(&target, &prepared.originals())?)?;
                Some(External { temporary, name: array.external_name.clone(), main: target })
            }
            false => None,
        };
        let head = prepared.head_of_stream(&mut tree, node, is_streamed, external.as_ref())?;
        self.warn(replacement.take_warnings());
        let mut output = Output::new(Target::File(replacement.file()));
        let (room, planner);
        if is_external {
            room = prepared.write_whole(&head, &mut output, options)?;
            planner = begin_single(self.standard_version(), &mut output_of(&mut replacement, &mut external), options)?;
        } else {
            let (before, last) = prepared.write_before_last(&head, true, &mut output, options)?;
            let missing = || Error::new(Status::Internal, "the file ends with another block");
            (room, planner) = (before, last.ok_or_else(missing)?);
        }
        let mut output = output_of(&mut replacement, &mut external);
        let compression = array.compression.as_ref();
        let checksum = !is_streamed && array.checksum.unwrap_or(options.checksums);
        let block = OpenBlock::begin(compression, checksum, None, options.threads, &planner, &mut output)?;
        Ok(OpenStream {
            prepared,
            replacement,
            external,
            options: options.clone(),
            tree,
            node,
            room,
            planner,
            block,
            slack: array.slack,
            is_streamed,
            datatype,
            row_shape: row_shape.to_vec(),
            array: array.clone(),
            rows: 0,
            waiting: Vec::new(),
            written_at: Instant::now(),
        })
    }
}

impl Prepared {
    /// Returns the head of the file while rows are pushed: the array extends to the end of the file that has the rows.
    /// There is space for the largest number of rows and the longest file name. Only the final head of a streamed block
    /// is the same.
    fn head_of_stream(
        &self,
        tree: &mut Tree,
        node: NodeId,
        is_streamed: bool,
        external: Option<&External>,
    ) -> Result<Vec<u8>> {
        array::describe_rows(tree, node, (!is_streamed).then_some(i64::MAX))?;
        if external.is_some() {
            name_source(tree, node, &"%25".repeat(draft::LONGEST_NAME))?;
        }
        let space = self.head_with(tree)?.len();
        array::describe_rows(tree, node, None)?;
        if let Some(name) = external.and_then(|external| external.temporary.path()?.file_name()) {
            name_source(tree, node, &reference_to(name))?;
        }
        let mut head = self.head_with(tree)?;
        head.extend_from_slice(&layout::slack_bytes(space.saturating_sub(head.len()) as u64)?);
        Ok(head)
    }
}

impl Stream {
    /// Adds rows. The elements are in native byte order, laid out in `order`. The first axis of the array in `bytes`
    /// counts the rows.
    ///
    /// Fails with [`Status::InvalidArgument`] if the length of `bytes` does not match, and with [`Status::Encoding`]
    /// for strings that are not valid for the datatype; then nothing is added. After [`Status::Cancelled`] some of the
    /// rows are added; [`Stream::rows`] returns how many the stream has. After any other failure, no more rows can be
    /// pushed.
    pub fn push(&mut self, rows: i64, bytes: &[u8], order: &Order) -> Result<()> {
        self.check_own()?;
        let result = match &mut self.state {
            StreamState::Open(open) => match open.check(rows, bytes, order) {
                Ok(memory) => match open.push(&memory, rows, bytes) {
                    Err(error) if error.status() == Status::Cancelled => {
                        self.rows = open.rows;
                        return Err(error.in_file(&self.name));
                    }
                    pushed => pushed.map(|()| self.rows = open.rows),
                },
                Err(error) => return Err(error.in_file(&self.name)),
            },
            StreamState::Failed(status, message) => Err(Error::new(*status, &**message)),
            StreamState::Finished => Err(Error::new(Status::Closed, "the stream was finished")),
        };
        self.after(result)
    }

    /// Returns the number of rows pushed so far.
    pub fn rows(&self) -> i64 {
        self.rows
    }

    /// Writes the remaining rows and gives the file its name. A failure leaves an existing file of that name unchanged.
    /// After [`Status::NotDurable`] the file has the name, but it was not synced to disk.
    pub fn finish(&mut self) -> Result<()> {
        self.check_own()?;
        let result = match std::mem::replace(&mut self.state, StreamState::Finished) {
            // Little work is left, and the rows that were pushed must not be lost.
            StreamState::Open(open) => progress::without_cancelling(|| open.finish()),
            StreamState::Failed(status, message) => {
                let message = format!("an earlier call failed: {message}");
                self.state = StreamState::Failed(status, message.as_str().into());
                return Err(Error::new(Status::Incomplete, message).in_file(&self.name));
            }
            StreamState::Finished => Err(Error::new(Status::Closed, "the stream was finished")),
        };
        result.map_err(|error| error.in_file(&self.name))
    }

    /// Fails with [`Status::Forked`] in a child of the writing process.
    fn check_own(&self) -> Result<()> {
        self.process.check().map_err(|error| error.in_file(&self.name))
    }

    /// After a failure the file would lack rows, so the stream takes no more of them and cannot be finished.
    fn after(&mut self, result: Result<()>) -> Result<()> {
        result.map_err(|error| {
            if let StreamState::Open(_) = self.state {
                self.state = StreamState::Failed(error.status(), error.message().into());
            }
            error.in_file(&self.name)
        })
    }
}

impl OpenStream {
    fn check(&self, rows: i64, bytes: &[u8], order: &Order) -> Result<InMemory> {
        let shape: Vec<i64> = std::iter::once(rows).chain(self.row_shape.iter().copied()).collect();
        let memory = InMemory::new(&self.datatype, &shape, order, bytes.len())?;
        if self.rows.checked_add(rows).is_none() {
            return Err(Error::new(Status::InvalidArgument, "the number of rows exceeds 64 signed bits"));
        }
        array::check_text_in(&memory, &self.datatype, bytes)?;
        Ok(memory)
    }

    fn push(&mut self, memory: &InMemory, rows: i64, bytes: &[u8]) -> Result<()> {
        let _expectation = progress::expect(Counted::Elements, Some(bytes.len() as u64))?;
        let row_size = array::packed_size(&self.datatype, &self.row_shape)?.max(1);
        let OpenStream { replacement, external, block, waiting, written_at, array, .. } = self;
        waiting.try_reserve(CHUNK.saturating_sub(waiting.len())).map_err(|_| Error::out_of_memory(CHUNK as u64))?;
        let mut output = output_of(replacement, external);
        let mut done: u64 = 0;
        // Set by a wish to end the call, and then the end of the row that is being added.
        let mut end = u64::MAX;
        let mut add = |mut piece: &[u8]| {
            if end == u64::MAX && done > 0 && progress::is_cancelled() {
                end = done.next_multiple_of(row_size);
            }
            let wanted = usize::try_from(end - done).unwrap_or(usize::MAX);
            piece = piece.get(..wanted).unwrap_or(piece);
            if piece.is_empty() {
                return progress::fail_if_cancelled();
            }
            done += piece.len() as u64;
            while !piece.is_empty() {
                let (now, later) = piece.split_at(piece.len().min(CHUNK - waiting.len()));
                waiting.extend_from_slice(now);
                piece = later;
                if waiting.len() == CHUNK {
                    block.put(waiting, &mut output)?;
                    waiting.clear();
                    *written_at = Instant::now();
                }
            }
            Ok(())
        };
        let added = progress::without_cancelling(|| memory.for_each_piece(bytes, array.byteorder, &mut add));
        // A program that is killed loses only the rows that wait.
        let is_due = |waiting: &[u8]| waiting.len() >= FLUSHED || written_at.elapsed() >= FLUSH_AFTER;
        if added.is_ok() && is_due(waiting) {
            block.put(waiting, &mut output)?;
            waiting.clear();
            *written_at = Instant::now();
        }
        match added {
            Err(error) if error.status() == Status::Cancelled => {
                self.rows += i64::try_from(done / row_size).unwrap_or(rows);
                Err(error)
            }
            // A wish that came with the last row is too late.
            added => added.map(|()| {
                progress::commit_anyway();
                self.rows += rows;
            }),
        }
    }

    fn finish(mut self: Box<Self>) -> Result<()> {
        let slack = self.slack;
        let mut output = output_of(&mut self.replacement, &mut self.external);
        self.block.put(&self.waiting, &mut output)?;
        self.block.finish(|_, _| Ok(slack), self.is_streamed, &mut self.planner, &mut output)?;
        output.put(&self.planner.index()?)?;
        output.finish()?;
        if let Some(External { temporary, name, main }) = self.external {
            let uri = self.prepared.name_external(&main, temporary, name.as_ref(), &self.options)?;
            name_source(&mut self.tree, self.node, &uri)?;
        }
        if !self.is_streamed {
            array::describe_rows(&mut self.tree, self.node, Some(self.rows))?;
            let mut head = self.prepared.head_with(&self.tree)?;
            let grown = || Error::new(Status::Internal, "the tree is longer than the space reserved for it");
            let slack = self.room.checked_sub(head.len() as u64).ok_or_else(grown)?;
            head.extend_from_slice(&layout::slack_bytes(slack)?);
            let mut output = Output::new(Target::File(self.replacement.file()));
            output.patch(0, &head)?;
            output.finish()?;
        }
        let mut replaced = self.replacement.commit(self.options.durable)?;
        self.prepared.sources.keep();
        self.prepared.file.warn(replaced.take_warnings());
        replaced.finish()
    }
}

/// Sets the source of an array to a URI.
fn name_source(tree: &mut Tree, node: NodeId, uri: &str) -> Result<()> {
    let source = tree.find_token(node, "source");
    let source = source.ok_or_else(|| Error::new(Status::Internal, "the array has no source"))?;
    tree.replace(source, Content::Scalar(uri, Style::Automatic));
    Ok(())
}
