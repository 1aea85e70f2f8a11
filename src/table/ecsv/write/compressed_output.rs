//! Output for the text of a table: a file that gets its name at the end, or any stream of bytes, compressed or not.

use super::options::{TextCompression, WriteOptions};
use crate::codec::created;
use crate::error::{Error, Result, Warning};
use crate::file::{Destination, Replacement};
use crate::process::Process;
use std::io::{self, Write};
use std::path::Path;

/// File or stream.
enum Target {
    /// The name is that of the file itself, not of a link to it.
    File(Replacement),
    Stream(Box<dyn Write + Send>),
    /// Discards the output of a compressor that is dropped before the end, so that its stream stays incomplete.
    Discard,
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Target::File(replacement) => replacement.file().write(bytes),
            Target::Stream(stream) => stream.write(bytes),
            Target::Discard => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Target::File(replacement) => replacement.file().flush(),
            Target::Stream(stream) => stream.flush(),
            Target::Discard => Ok(()),
        }
    }
}

enum Encoder {
    Plain(Target),
    Gzip(flate2::write::GzEncoder<Target>),
    Bzip2(bzip2::write::BzEncoder<Target>),
}

impl Encoder {
    fn new(target: Target, compression: TextCompression) -> Result<Encoder> {
        Ok(match compression {
            TextCompression::BySuffix | TextCompression::None => Encoder::Plain(target),
            TextCompression::Gzip => {
                let level = flate2::Compression::default();
                Encoder::Gzip(created("zlib", || flate2::write::GzEncoder::new(target, level))?)
            }
            TextCompression::Bzip2 => {
                let level = bzip2::Compression::default();
                Encoder::Bzip2(created("bzip2", || bzip2::write::BzEncoder::new(target, level))?)
            }
        })
    }

    fn target(&mut self) -> &mut Target {
        match self {
            Encoder::Plain(target) => target,
            Encoder::Gzip(encoder) => encoder.get_mut(),
            Encoder::Bzip2(encoder) => encoder.get_mut(),
        }
    }

    fn stream(&mut self) -> &mut dyn Write {
        match self {
            Encoder::Plain(target) => target,
            Encoder::Gzip(encoder) => encoder,
            Encoder::Bzip2(encoder) => encoder,
        }
    }

    fn end(&mut self) -> io::Result<()> {
        match self {
            Encoder::Plain(_) => Ok(()),
            Encoder::Gzip(encoder) => encoder.try_finish(),
            Encoder::Bzip2(encoder) => encoder.try_finish(),
        }
    }
}

/// Output that stays incomplete unless it is finished.
pub(super) struct Output {
    encoder: Encoder,
    process: Process,
}

impl Output {
    /// Makes a file that gets this name when it is finished, or writes to the pipe or device of this name. Links are
    /// followed.
    pub(super) fn file(path: &Path, options: &WriteOptions) -> Result<Output> {
        let compression = options.compression.of_name(path)?;
        let target = match Destination::of(path, options.replace)? {
            Destination::File(target) => Target::File(Replacement::begin(&target, options.replace, &[])?),
            Destination::Stream(output) => Target::Stream(Box::new(output)),
        };
        Ok(Output { encoder: Encoder::new(target, compression)?, process: Process::current() })
    }

    /// Writes to any stream. It is compressed only if `compression` says so; there is no suffix.
    pub(super) fn stream(stream: Box<dyn Write + Send>, compression: TextCompression) -> Result<Output> {
        Ok(Output { encoder: Encoder::new(Target::Stream(stream), compression)?, process: Process::current() })
    }

    /// Returns the warnings so far: what killed writers of the same file left.
    pub(super) fn take_warnings(&mut self) -> Vec<Warning> {
        match self.encoder.target() {
            Target::File(replacement) => replacement.take_warnings(),
            Target::Stream(_) | Target::Discard => Vec::new(),
        }
    }

    /// Fails with [`Status::Forked`](crate::Status::Forked) in a forked child of the process that opened the output.
    pub(super) fn check_own(&self) -> Result<()> {
        self.process.check()
    }

    /// Returns whether the output is a file without compression. Only such a file can be written from any thread, in
    /// pieces of any size: a stream of the caller is written on its own thread, and the output of a compressor depends
    /// on the sizes of the pieces.
    pub(super) fn is_plain_file(&self) -> bool {
        matches!(self.encoder, Encoder::Plain(Target::File(_)))
    }

    pub(super) fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.encoder.stream().write_all(bytes).map_err(|error| Error::io("cannot write", &error))
    }

    /// Ends the output, and gives a file its name. Adds to `warnings` what the file lacks. With `durable` it is on the
    /// disk when the function returns.
    pub(super) fn finish(mut self, durable: bool, warnings: &mut Vec<Warning>) -> Result<()> {
        let ended = self.encoder.end().and_then(|()| self.encoder.target().flush());
        ended.map_err(|error| Error::io("cannot write", &error))?;
        match std::mem::replace(self.encoder.target(), Target::Discard) {
            Target::File(replacement) => {
                let mut replaced = replacement.commit(durable)?;
                warnings.extend(replaced.take_warnings());
                replaced.finish()
            }
            Target::Stream(_) | Target::Discard => Ok(()),
        }
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        let target = std::mem::replace(self.encoder.target(), Target::Discard);
        if let (Target::Stream(stream), false) = (target, self.process.is_current()) {
            // The parent process writes the buffered data of the stream, so the child must not flush them.
            std::mem::forget(stream);
        }
    }
}
