//! Writing an array whose length is not known before: its rows are pushed as they come.
//!
//! All goes once, and straight, into the file that is to get the name at the end; only the tree, which has room for the
//! number of rows, and the header of the block are filled in then.

use super::external::Sources;
use super::open_block::OpenBlock;
use super::output::{Output, Target};
use super::whole::begin_single;
use crate::array::{self, Datatype, InMemory, Order};
use crate::error::{Error, Result, Status};
use crate::file::disk::draft;
use crate::file::disk::replace::{Destination, Replacement};
use crate::file::disk::temporary::Temporary;
use crate::file::edit::values::check_packed_block;
use crate::file::open::block_uses::count_from_start;
use crate::file::open::standard_tags;
use crate::file::{ArrayOptions, ExternalNames, File, Storage, WriteOptions};
use crate::layout::{self, Planner};
use crate::process::Process;
use crate::progress::{self, Counted};
use crate::tree::edit::Content;
use crate::tree::{NodeId, Style, Tree};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Bytes that are compressed, added to the checksum and written together.
const CHUNK: usize = 1 << 20;

/// Bytes that the name of a file has at most.
const LONGEST_NAME: usize = 255;

/// An array that is being written row by row, as the last block of a file of its own. Dropped before
/// [`Stream::finish`], it leaves nothing behind.
///
/// Besides the tree it holds 1 MiB of rows and what the codec needs: nothing more without compression, 1 MiB for each
/// thread with zlib, 4 MiB for each with lz4.
pub struct Stream {
    name: Arc<str>,
    rows: i64,
    state: State,
    process: Process,
}

enum State {
    Open(Box<Open>),
    /// What was pushed is not all in the file.
    Failed(Status, Arc<str>),
    Finished,
}

struct Open {
    file: File,
    replacement: Replacement,
    external: Option<External>,
    /// The files of other arrays that are beside the one with the name.
    sources: Sources,
    options: WriteOptions,
    /// The tree that is written, and the node of the array in it.
    tree: Tree,
    node: NodeId,
    /// Bytes from the start of the file to the first block.
    room: u64,
    planner: Planner,
    block: OpenBlock,
    slack: u64,
    is_streamed: bool,
    datatype: Datatype,
    row_shape: Vec<i64>,
    array: ArrayOptions,
    rows: i64,
    waiting: Vec<u8>,
}

/// The file of its own that the rows go to, beside the one that gets the name.
struct External {
    temporary: Temporary,
    /// The name that it is to have, or nothing for one by the pattern of the options.
    name: Option<OsString>,
    main: PathBuf,
}

/// Where rows are written.
fn output_of<'a>(replacement: &'a mut Replacement, external: &'a mut Option<External>) -> Output<'a> {
    Output(Target::File(match external {
        Some(external) => external.temporary.file_mut(),
        None => replacement.file(),
    }))
}

impl File {
    /// Begins to write this file under the name `path`, with an array at the path `node_path` of the tree whose rows are
    /// to be pushed. Without that array it is what [`File::write`] would write now; later changes have no part in it, and
    /// this file gets neither the array nor anything else.
    ///
    /// With [`Storage::Streamed`] the block runs to the end of the file and the tree does not say how many rows it has:
    /// uncompressed, without checksum and block index. With [`Storage::External`] the rows are in another file beside,
    /// which gets its name before the one that names it.
    ///
    /// Fails with [`Status::FileExists`] if a file has the name, now or when the stream is finished, unless
    /// [`WriteOptions::replace`] is set. Fails with [`Status::InvalidArgument`] for other storage or another order, for a
    /// streamed block with compression or slack, for rows of no bytes, and for the name of a pipe or a device; with
    /// [`Status::Unsupported`] for codecs that need all bytes at once; and as writing does.
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
        Ok(Stream { name, rows: 0, state: State::Open(Box::new(open)), process: Process::current() })
    }

    fn open_stream(
        &self,
        path: &Path,
        node_path: &str,
        datatype: Datatype,
        row_shape: &[i64],
        array: &ArrayOptions,
        options: &WriteOptions,
    ) -> Result<Open> {
        self.check_writable()?;
        self.check_complete(options)?;
        let is_streamed = array.storage == Storage::Streamed;
        check_packed_block(array)?;
        if is_streamed && (array.compression.is_some() || array.slack > 0) {
            let message = "a streamed block can be neither compressed nor have slack";
            return Err(Error::new(Status::InvalidArgument, message));
        }
        let row_size = array::packed_size(&datatype, row_shape)?;
        if row_size == 0 || row_shape.len() as u32 >= self.limits().rank {
            let message = "the rows of a stream have at least one byte, and an axis less than an array can have";
            return Err(Error::new(Status::InvalidArgument, message));
        }
        let target = Destination::file(path, options.replace)?;
        let _expectation = self.expect_to_write(true, options)?;
        let sources = self.prepare(Some(&target), options)?;
        let is_external = array.storage == Storage::External;
        if let (Some(name), true) = (&array.external_name, is_external) {
            ExternalNames::check(name)?;
        }
        if !is_external && self.store().apart().streamed().is_some() {
            let message = "the file has a streamed block, after which no other can follow";
            return Err(Error::new(Status::InvalidArgument, message));
        }
        let mut tree = self.tree().clone();
        sources.set_in(self, &mut tree);
        let (stored, number) = self.store().counts()?;
        if number >= self.limits().blocks {
            return Err(Error::limit("blocks", self.limits().blocks));
        }
        if self.is_changed_copy() {
            standard_tags::name_library(&mut tree, self.standard_version())?;
        }
        let node = tree.place(tree.root(), node_path)?;
        if node == tree.root() {
            return Err(Error::new(Status::InvalidArgument, "the root of the tree cannot be replaced"));
        }
        if !is_external {
            count_from_start(&mut tree, stored, number);
        }
        let shape: Vec<i64> = std::iter::once(0).chain(row_shape.iter().copied()).collect();
        let orders = (&Order::C, array.byteorder);
        array::describe_stored(&mut tree, node, number as i64, &datatype, orders, &shape)?;
        tree.set_tag(node, Some(&self.array_tag(&datatype)?));
        // As long as any number of rows can be.
        array::describe_rows(&mut tree, node, (!is_streamed).then_some(i64::MAX))?;

        if is_external {
            // As long as any name can be.
            name_source(&mut tree, node, &"%25".repeat(LONGEST_NAME))?;
        }
        let mut replacement = Replacement::begin(&target, options.replace)?;
        let mut output = Output(Target::File(replacement.file()));
        let head = self.head_with(&self.text_of(&tree)?)?;
        let (mut external, room, planner);
        if is_external {
            room = self.write_whole(&head, &mut output, options)?;
            let temporary = draft::create(&target)?;
            external = Some(External { temporary, name: array.external_name.clone(), main: target });
            planner = begin_single(self, &mut output_of(&mut replacement, &mut external), options)?;
        } else {
            let (before, last) = self.write_before_last(&head, true, &mut output, options)?;
            let missing = || Error::new(Status::Internal, "the file ends with another block");
            (room, planner, external) = (before, last.ok_or_else(missing)?, None);
        }
        let mut output = output_of(&mut replacement, &mut external);
        let compression = array.compression.as_ref();
        let checksum = !is_streamed && array.checksum.unwrap_or(options.checksums);
        let block = OpenBlock::begin(compression, checksum, None, options.threads, &planner, &mut output)?;
        Ok(Open {
            file: self.clone(),
            replacement,
            external,
            sources,
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
        })
    }
}

impl Stream {
    /// Adds rows, packed in memory in this order: native, each row and all of them as an array whose first axis counts them.
    ///
    /// Fails with [`Status::InvalidArgument`] unless the memory holds them, and with [`Status::Encoding`] for strings that
    /// are not what the datatype says; then nothing is added. After [`Status::Cancelled`] the first of the rows are added,
    /// as many as [`Stream::rows`] has grown by. After any other failure nothing more can be pushed.
    pub fn push(&mut self, rows: i64, bytes: &[u8], order: &Order) -> Result<()> {
        self.check_own()?;
        let result = match &mut self.state {
            State::Open(open) => match open.check(rows, bytes, order) {
                Ok(memory) => match open.push(&memory, rows, bytes) {
                    Err(error) if error.status() == Status::Cancelled => {
                        self.rows = open.rows;
                        return Err(error.in_file(&self.name));
                    }
                    pushed => pushed.map(|()| self.rows = open.rows),
                },
                Err(error) => return Err(error.in_file(&self.name)),
            },
            State::Failed(status, message) => Err(Error::new(*status, &**message)),
            State::Finished => Err(Error::new(Status::Closed, "the stream was finished")),
        };
        self.after(result)
    }

    /// The number of rows that were pushed.
    pub fn rows(&self) -> i64 {
        self.rows
    }

    /// Writes what is left and gives the file its name. If that fails, what had the name before keeps it. After
    /// [`Status::NotDurable`] the file has the name; only waiting for that failed.
    pub fn finish(&mut self) -> Result<()> {
        self.check_own()?;
        let result = match std::mem::replace(&mut self.state, State::Finished) {
            // What is left is little, and what was pushed must not be lost.
            State::Open(open) => progress::undisturbed(|| open.finish()),
            State::Failed(status, message) => {
                let message = format!("a failure came before: {message}");
                self.state = State::Failed(status, message.as_str().into());
                return Err(Error::new(Status::Incomplete, message).in_file(&self.name));
            }
            State::Finished => Err(Error::new(Status::Closed, "the stream was finished")),
        };
        result.map_err(|error| error.in_file(&self.name))
    }

    /// Fails with [`Status::Forked`] in a child of the process that writes.
    fn check_own(&self) -> Result<()> {
        self.process.check().map_err(|error| error.in_file(&self.name))
    }

    /// After a failure the file would lack something, so it is given up.
    fn after(&mut self, result: Result<()>) -> Result<()> {
        result.map_err(|error| {
            if let State::Open(_) = self.state {
                self.state = State::Failed(error.status(), error.message().into());
            }
            error.in_file(&self.name)
        })
    }
}

impl Open {
    fn check(&self, rows: i64, bytes: &[u8], order: &Order) -> Result<InMemory> {
        let shape: Vec<i64> = std::iter::once(rows).chain(self.row_shape.iter().copied()).collect();
        let memory = InMemory::new(&self.datatype, &shape, order, bytes.len())?;
        if self.rows.checked_add(rows).is_none() {
            return Err(Error::new(Status::InvalidArgument, "no array has so many rows"));
        }
        array::check_text_in(&memory, &self.datatype, bytes)?;
        Ok(memory)
    }

    fn push(&mut self, memory: &InMemory, rows: i64, bytes: &[u8]) -> Result<()> {
        let _expectation = progress::expect(Counted::Elements, Some(bytes.len() as u64))?;
        let row_size = array::packed_size(&self.datatype, &self.row_shape)?.max(1);
        let Open { replacement, external, block, waiting, array, .. } = self;
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
                return progress::settle();
            }
            done += piece.len() as u64;
            while !piece.is_empty() {
                let (now, later) = piece.split_at(piece.len().min(CHUNK - waiting.len()));
                waiting.extend_from_slice(now);
                piece = later;
                if waiting.len() == CHUNK {
                    block.put(waiting, &mut output)?;
                    waiting.clear();
                }
            }
            Ok(())
        };
        let added = progress::undisturbed(|| memory.for_each_piece(bytes, array.byteorder, &mut add));
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
        output.put(&self.planner.index())?;
        output.finish()?;
        if let Some(External { temporary, name, main }) = self.external {
            let (options, sources) = (&self.options, &mut self.sources);
            let uri = self.file.name_external(&main, temporary, name.as_ref(), options, sources)?;
            name_source(&mut self.tree, self.node, &uri)?;
        }
        if !self.is_streamed {
            array::describe_rows(&mut self.tree, self.node, Some(self.rows))?;
            let mut head = self.file.head_with(&self.file.text_of(&self.tree)?)?;
            let grown = || Error::new(Status::Internal, "the tree became longer by the number of rows");
            let slack = self.room.checked_sub(head.len() as u64).ok_or_else(grown)?;
            head.extend_from_slice(&layout::slack_bytes(slack)?);
            let mut output = Output(Target::File(self.replacement.file()));
            output.patch(0, &head)?;
            output.finish()?;
        }
        let replaced = self.replacement.commit(self.options.durable)?;
        self.sources.keep();
        replaced.finish()
    }
}

/// Lets an array be in the file of this URI.
fn name_source(tree: &mut Tree, node: NodeId, uri: &str) -> Result<()> {
    let source = tree.find_token(node, "source");
    let source = source.ok_or_else(|| Error::new(Status::Internal, "the array has no source"))?;
    tree.replace(source, Content::Scalar(uri, Style::Automatic));
    Ok(())
}
