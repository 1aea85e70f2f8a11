//! Files that are compressed as a whole, such as `image.asdf.gz`. They are decompressed when they are opened: into
//! memory, or into a temporary file if they are large.

use crate::array::TemporaryFiles;
use crate::codec::FileCompression;
use crate::error::{Error, Result, Status};
use crate::file::OpenOptions;
use crate::progress;
use crate::source::{Map, MemorySource, OwnSource, Source, SourceReader, TemporaryFile, try_zeroed};
use std::io::{BufReader, ErrorKind, Read};
use std::path::Path;
use std::sync::Arc;

/// Number of bytes that are read or decompressed at a time.
const PIECE: usize = 256 * 1024;

/// Number of bytes that are decompressed at a time for a recovery. Damaged data end in an error instead of the piece.
const SMALL_PIECE: usize = 4096;

/// Returns the compression of a source, if its first bytes tell one.
pub(in crate::file) fn compression_of(source: &dyn Source) -> Result<Option<FileCompression>> {
    let mut first = [0; FileCompression::FIRST];
    let count = source.read_at(0, &mut first)?;
    Ok(FileCompression::of(first.get(..count).unwrap_or_default()))
}

/// Error for a compressed file that is opened for update.
pub(super) fn only_read(compression: FileCompression) -> Error {
    let name = compression.name();
    let message =
        format!("the file is compressed with {name} and can only be read; decompress it first to change it in place");
    Error::new(Status::Unsupported, message)
}

/// Decompresses a source.
///
/// Memory and disk are limited as for decoded blocks. Fails with [`Status::Limit`] if the content is larger, and with
/// [`Status::Corrupt`] or [`Status::Truncated`] if the compressed data are damaged.
pub(super) fn decompress(
    compression: FileCompression,
    source: Arc<dyn Source>,
    options: &OpenOptions,
) -> Result<Arc<dyn Source>> {
    match read_content(compression, source, options, PIECE)? {
        (content, None) => Ok(content),
        (_, Some(damage)) => Err(damage),
    }
}

/// Decompresses a damaged source as far as possible. Returns the error that ended the content, if there was one. Fails
/// as [`decompress`] does, except for damaged data.
pub(in crate::file) fn decompress_readable(
    compression: FileCompression,
    source: Arc<dyn Source>,
    options: &OpenOptions,
) -> Result<(Arc<dyn Source>, Option<Error>)> {
    read_content(compression, source, options, SMALL_PIECE)
}

/// Decompresses `piece` bytes at a time, up to the end or to damaged data.
fn read_content(
    compression: FileCompression,
    source: Arc<dyn Source>,
    options: &OpenOptions,
    piece: usize,
) -> Result<(Arc<dyn Source>, Option<Error>)> {
    let stored = SourceReader::new(source.clone(), None);
    let mut reader = compression.reader(BufReader::with_capacity(PIECE, stored))?;
    let mut content = Content { memory: Vec::new(), disk: None, options };
    let mut piece = try_zeroed(piece)?;
    let damage = loop {
        progress::check()?;
        match reader.read(&mut piece) {
            Ok(0) => break None,
            Ok(count) => content.append(piece.get(..count).unwrap_or_default())?,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => {
                source.check_unchanged()?;
                // An error of the source passes through.
                let error = error
                    .downcast::<Error>()
                    .unwrap_or_else(|error| compression.error_of(&error).at_offset(content.len()));
                match error.status() {
                    Status::Corrupt | Status::Truncated => break Some(error),
                    _ => return Err(error),
                }
            }
        }
    };
    source.check_unchanged()?;
    Ok((Arc::new(Decompressed { content: content.source(), source }), damage))
}

/// Decompressed bytes, as long as more follow.
struct Content<'a> {
    memory: Vec<u8>,
    disk: Option<TemporaryFile>,
    options: &'a OpenOptions,
}

impl Content<'_> {
    fn len(&self) -> u64 {
        self.disk.as_ref().map_or(self.memory.len() as u64, TemporaryFile::len)
    }

    fn append(&mut self, bytes: &[u8]) -> Result<()> {
        let limits = &self.options.limits;
        let length = self.len().saturating_add(bytes.len() as u64);
        if self.disk.is_none() && length <= limits.decoded_bytes {
            self.memory.try_reserve(bytes.len()).map_err(|_| Error::out_of_memory(length))?;
            self.memory.extend_from_slice(bytes);
            return Ok(());
        }
        let directory: Option<&Path> = match &self.options.temporary_files {
            TemporaryFiles::Never => return Err(Error::limit("memory for a decompressed file", limits.decoded_bytes)),
            TemporaryFiles::SystemDirectory => None,
            TemporaryFiles::Directory(directory) => Some(directory),
        };
        if length > limits.temporary_bytes {
            return Err(Error::limit("temporary files for a decompressed file", limits.temporary_bytes));
        }
        let disk = match &mut self.disk {
            Some(disk) => disk,
            None => {
                let mut disk = TemporaryFile::create(directory)?;
                disk.append(&std::mem::take(&mut self.memory))?;
                self.disk.insert(disk)
            }
        };
        disk.append(bytes)
    }

    fn source(self) -> Box<dyn Source> {
        match self.disk {
            Some(disk) => Box::new(OnDisk(disk)),
            None => Box::new(MemorySource::of_vec(self.memory)),
        }
    }
}

/// Decompressed bytes in a temporary file.
struct OnDisk(TemporaryFile);

impl Source for OnDisk {
    fn len(&self) -> u64 {
        self.0.len()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let available = usize::try_from(self.len().saturating_sub(offset)).unwrap_or(usize::MAX);
        let count = available.min(buffer.len());
        self.0.read_exact_at(offset, buffer.get_mut(..count).unwrap_or_default())?;
        Ok(count)
    }
}

/// The content of a compressed file. All of it was read, so later changes of the file do not matter.
struct Decompressed {
    content: Box<dyn Source>,
    source: Arc<dyn Source>,
}

impl Source for Decompressed {
    fn len(&self) -> u64 {
        self.content.len()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        self.content.read_at(offset, buffer)
    }

    fn abilities(&self) -> Option<&dyn OwnSource> {
        Some(self)
    }
}

impl OwnSource for Decompressed {
    fn map(&self, offset: u64, length: u64) -> Result<Option<Map>> {
        self.content.map(offset, length)
    }

    fn in_memory(&self, offset: u64, length: u64) -> Option<Map> {
        self.content.in_memory(offset, length)
    }

    fn opened_file(&self) -> Option<Arc<std::fs::File>> {
        self.source.opened_file()
    }

    fn is_at(&self, path: &Path) -> Result<bool> {
        self.source.is_at(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::{File, LossKind, NewOptions, RecoverOptions, WriteOptions};
    use crate::limits::Limits;
    use std::io::Write;

    /// A file with a block of 800,000 bytes.
    fn plain() -> Vec<u8> {
        let file = File::new(&NewOptions::default());
        let numbers: Vec<i32> = (0..200_000).collect();
        file.root().unwrap().set_array("a", &numbers, [200_000]).unwrap();
        file.write_to_memory(&WriteOptions::default()).unwrap()
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn compressed(bytes: &[u8]) -> Vec<Vec<u8>> {
        let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        bzip2.write_all(bytes).unwrap();
        let (one, other) = bytes.split_at(bytes.len() / 2);
        vec![
            gzip(bytes),
            // Two members.
            [gzip(one), gzip(other)].concat(),
            bzip2.finish().unwrap(),
            #[cfg(feature = "xz")]
            {
                let options = lzma_rust2::XzOptions::with_preset(0);
                let mut xz = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
                xz.write_all(bytes).unwrap();
                xz.finish().unwrap()
            },
            #[cfg(feature = "zstd")]
            {
                let mut frame = vec![0; zstd_safe::compress_bound(bytes.len())];
                let size = zstd_safe::compress(&mut frame[..], bytes, 1).unwrap();
                frame.truncate(size);
                frame
            },
        ]
    }

    fn open(bytes: Vec<u8>, options: &OpenOptions) -> Result<File> {
        File::open_memory(Arc::new(bytes), options)
    }

    #[test]
    fn content_is_read_from_memory_and_from_a_temporary_file() {
        let plain = plain();
        for bytes in compressed(&plain) {
            for decoded_bytes in [1 << 30, 100_000] {
                for mapped in [true, false] {
                    let limits = Limits { decoded_bytes, ..Limits::default() };
                    let file = open(bytes.clone(), &OpenOptions { limits, mapped, ..OpenOptions::default() }).unwrap();
                    let array = file.root().unwrap().array("a").unwrap();
                    assert_eq!(array.read_vec::<i32>().unwrap()[199_999], 199_999);
                    assert!(file.warnings().is_empty());
                    assert_eq!(array.chunk_map().unwrap_err().status(), Status::Unsupported);
                }
            }
        }
    }

    #[test]
    fn content_is_bounded() {
        let bytes = gzip(&plain());
        let limited = |decoded_bytes, temporary_bytes, temporary_files| {
            let limits = Limits { decoded_bytes, temporary_bytes, ..Limits::default() };
            open(bytes.clone(), &OpenOptions { limits, temporary_files, ..OpenOptions::default() }).map(drop)
        };
        limited(100_000, 900_000, TemporaryFiles::SystemDirectory).unwrap();
        for refused in [
            limited(100_000, 700_000, TemporaryFiles::SystemDirectory),
            limited(100_000, 900_000, TemporaryFiles::Never),
        ] {
            assert_eq!(refused.unwrap_err().status(), Status::Limit);
        }
    }

    #[test]
    fn damaged_data_and_other_content_are_refused() {
        for bytes in compressed(&plain()) {
            for cut in [7, bytes.len() / 2, bytes.len() - 1] {
                let error = open(bytes[..cut].to_vec(), &OpenOptions::default()).err().unwrap();
                assert_eq!(error.status(), Status::Truncated, "{cut}");
            }
            // This frame of Zstandard has no checksum.
            if FileCompression::of(&bytes) == Some(FileCompression::Zstd) {
                continue;
            }
            let mut damaged = bytes.clone();
            let middle = bytes.len() / 2;
            damaged[middle..middle + 20].fill(0x55);
            let error = open(damaged, &OpenOptions::default()).err().unwrap();
            assert!(matches!(error.status(), Status::Corrupt | Status::Truncated));
        }
        for other in compressed(b"a,b\n1,2\n") {
            assert_eq!(open(other, &OpenOptions::default()).err().unwrap().status(), Status::NotAsdf);
        }
    }

    #[test]
    fn damaged_data_are_recovered_up_to_the_damage() {
        let folder = tempfile::tempdir().unwrap();
        let (path, new) = (folder.path().join("image.asdf.gz"), folder.path().join("new.asdf"));
        let options = RecoverOptions {
            write: WriteOptions { replace: true, ..WriteOptions::default() },
            ..RecoverOptions::default()
        };
        let rows = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            let recovery = File::recover(&path, &new, &options).unwrap();
            let file = File::open(&new).unwrap();
            let numbers = file.root().unwrap().array("a").unwrap().read_vec::<i32>().unwrap();
            assert!(numbers.iter().zip(0..).all(|(number, index)| *number == index));
            (recovery.losses.len(), numbers.len())
        };
        for bytes in compressed(&plain()) {
            assert_eq!(rows(&bytes), (0, 200_000));
        }
        let bytes = gzip(&plain());
        // The checksum of gzip is cut off.
        assert_eq!(rows(&bytes[..bytes.len() - 4]), (1, 200_000));
        let (losses, count) = rows(&bytes[..bytes.len() / 2]);
        assert!(losses == 3 && (50_000..150_000).contains(&count), "{losses} losses, {count} rows");
        let mut damaged = bytes.clone();
        let middle = bytes.len() / 2;
        damaged[middle..middle + 20].fill(0x55);
        std::fs::write(&path, &damaged).unwrap();
        let recovery = File::recover(&path, &new, &options).unwrap();
        assert_eq!(recovery.losses[0].kind, LossKind::Bytes);
        let error = File::recover(&path, &path, &options).unwrap_err();
        assert_eq!(error.status(), Status::InvalidArgument);
    }

    #[test]
    #[cfg(unix)]
    fn copies_get_at_most_the_rights_of_the_compressed_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let [path, copy, new] = ["image.asdf.gz", "image.asdf", "new.asdf"].map(|name| folder.path().join(name));
        std::fs::write(&path, gzip(&plain())).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
        File::open(&path).unwrap().write(&copy, &WriteOptions::default()).unwrap();
        File::recover(&path, &new, &RecoverOptions::default()).unwrap();
        for made in [copy, new] {
            assert_eq!(std::fs::metadata(made).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }

    #[test]
    fn a_compressed_file_is_not_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("image.asdf.gz");
        std::fs::write(&path, gzip(&plain())).unwrap();
        let error = File::open_for_update(&path, &OpenOptions::default()).err().unwrap();
        assert_eq!(error.status(), Status::Unsupported);
        assert!(error.message().contains("gzip"));
        let file = File::open(&path).unwrap();
        file.verify_block(0).unwrap();
        // The content can become a file of its own.
        let copy = folder.path().join("image.asdf");
        file.write(&copy, &WriteOptions::default()).unwrap();
        assert_eq!(std::fs::read(&copy).unwrap(), plain());
    }
}
