//! Options for opening, creating and writing files.

pub(super) mod access;
pub(super) mod external_names;
pub(super) mod uri;
pub(super) mod validation;

use super::{Access, ExternalNames, Validation};
use crate::array::{ByteOrder, Order, TemporaryFiles};
use crate::codec::{ChunkCodecs, Codecs, Compression};
use crate::limits::Limits;
use crate::remote::Remote;
use crate::tags::StandardVersion;
use std::ffi::OsString;

/// Options for opening a file.
#[derive(Clone, Debug)]
pub struct OpenOptions {
    /// Bounds on memory and work.
    pub limits: Limits,
    /// Maximum size of decoded blocks that stay in memory after a partial read, in bytes, so that the next read does
    /// not decode them again. `None`, the default, and larger values mean `limits.decoded_bytes`; 0 keeps nothing. The
    /// cache is shared with other files that this file refers to.
    pub cache_bytes: Option<u64>,
    /// Location of decoded blocks that exceed `cache_bytes`, up to `limits.temporary_bytes`.
    pub temporary_files: TemporaryFiles,
    /// Compare each block with its checksum before its bytes are used for the first time.
    pub verify_checksums: bool,
    /// Read through a memory map instead of positioned reads. On some machines this is faster. If another process
    /// shortens the file while it is open, a signal ends this process. Files that cannot be mapped are read by
    /// position.
    pub mapped: bool,
    /// Lock a file that is opened for update. Opening fails with [`Status::Locked`](crate::Status::Locked) if another
    /// handle of this library, in this or another process, has the file open for update. On file systems without locks,
    /// opening never fails for this reason.
    pub lock: bool,
    /// Sync to disk before elements of a file opened for update are overwritten, so that the old elements can be
    /// restored even after a power cut.
    pub durable: bool,
    /// Fail if the file has warnings. This reads all block headers.
    pub strict: bool,
    /// Other files that may be opened because this file refers to them. They are opened with the same options.
    pub access: Access,
    /// Codecs for decoding payloads.
    pub codecs: Codecs,
    /// Fail with [`Status::Invalid`](crate::Status::Invalid) unless the content matches its schemas.
    pub validation: Option<Validation>,
    /// The library that reads files on servers.
    pub remote: Remote,
}

impl Default for OpenOptions {
    fn default() -> OpenOptions {
        OpenOptions {
            limits: Limits::default(),
            cache_bytes: None,
            temporary_files: TemporaryFiles::default(),
            verify_checksums: false,
            mapped: false,
            lock: true,
            durable: true,
            strict: false,
            access: Access::default(),
            codecs: Codecs::default(),
            validation: None,
            remote: Remote::default(),
        }
    }
}

/// Options for creating a file.
#[derive(Clone, Debug)]
pub struct NewOptions {
    /// Version of the standard. It determines the versions of the tags.
    pub standard: StandardVersion,
    /// Write what readers of the first version of the format need: offset and strides of each array, blocks right after
    /// the tree, and headers of blocks without padding. [`WriteOptions::alignment`] and [`WriteOptions::tree_slack`]
    /// have no effect then. Such readers also need a standard up to 1.5.0, whose arrays have the tag
    /// `core/ndarray-1.0.0`.
    pub old_readers: bool,
    /// Bounds on memory and work. They also hold for content that is created in memory.
    pub limits: Limits,
}

impl Default for NewOptions {
    fn default() -> NewOptions {
        NewOptions { standard: StandardVersion::NEWEST_STABLE, old_readers: false, limits: Limits::default() }
    }
}

/// Way of saving the changes of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SaveMode {
    /// In place if that is possible and writes less than a new file; otherwise as a new file.
    #[default]
    Auto,
    /// As a new file that replaces the old one. Every reader sees either the old file or the new one.
    Whole,
    /// In place only; otherwise saving fails.
    InPlace,
}

/// Form in which an ASDF file is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Container {
    /// A file of its own. Arrays whose elements are in HDUs of a FITS file get blocks.
    #[default]
    Asdf,
    /// In a FITS file: the HDU `ASDF` holds the ASDF file. A file that a FITS file holds stays in a copy of it. In a new
    /// FITS file, arrays that images can hold are HDUs of their own, with names made of their keys.
    Fits,
}

/// Options for writing a file.
#[derive(Clone, Debug)]
pub struct WriteOptions {
    /// Replace an existing file of the same name. Otherwise writing fails with
    /// [`Status::FileExists`](crate::Status::FileExists). Pipes and character devices can be written without this
    /// option. [`File::save`](crate::file::File::save) does not need it.
    pub replace: bool,
    /// Sync data and name to disk, so that a power cut leaves either the old file or the new one.
    pub durable: bool,
    /// Alignment of payloads in the file, in bytes: a power of two, at most 4096; 1 for no alignment.
    pub alignment: u32,
    /// Bytes to leave free after the tree for later growth; `None` for an amount that depends on the size of the tree.
    pub tree_slack: Option<u64>,
    /// Write MD5 checksums of blocks, unless [`ArrayOptions::checksum`] decides for a block.
    pub checksums: bool,
    /// Write a block index.
    pub block_index: bool,
    /// Maximum number of threads for compression and checksums, including the calling thread; 0 means 1. The output
    /// does not depend on it.
    pub threads: usize,
    /// Pattern for the file names of external arrays without a name of their own.
    pub external_names: ExternalNames,
    /// Way of saving changes of a file opened for update.
    pub save_mode: SaveMode,
    /// Form of a file that is written under another name.
    pub container: Container,
    /// Rewrite the file in this version of the standard: tags, forms and implied defaults become those of the version.
    /// Writing fails with [`Status::Unsupported`](crate::Status::Unsupported), and names the node, if the version has no
    /// form for it. Elements of arrays do not change. Saving then needs a new file.
    pub as_standard: Option<StandardVersion>,
    /// Write nothing, and fail with [`Status::Invalid`](crate::Status::Invalid), unless the content matches its schemas.
    pub validation: Option<Validation>,
}

impl Default for WriteOptions {
    fn default() -> WriteOptions {
        WriteOptions {
            replace: false,
            durable: true,
            alignment: 64,
            tree_slack: None,
            checksums: true,
            block_index: true,
            threads: 1,
            external_names: ExternalNames::default(),
            save_mode: SaveMode::Auto,
            container: Container::Asdf,
            as_standard: None,
            validation: None,
        }
    }
}

/// Location of the elements of a new array.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Storage {
    /// In a separate block of the file.
    #[default]
    Internal,
    /// In the tree, as text.
    Inline,
    /// In a separate file in the same directory, as its only block (exploded form).
    External,
    /// In the last block, which extends to the end of the file. Only one array of a file can be streamed.
    Streamed,
}

/// Options for storing a new array.
#[derive(Clone, Debug)]
pub struct ArrayOptions {
    /// Location: block, tree or another file.
    pub storage: Storage,
    /// Name of the other file, in the directory of this one; `None` for a name from [`WriteOptions::external_names`].
    pub external_name: Option<OsString>,
    /// Byte order in the file; by default that of the machine.
    pub byteorder: ByteOrder,
    /// Order of the elements in the block, without gaps. Every reader supports C order, the default. Fortran order is
    /// written with strides in the tree. For elements in the tree this has no meaning, because they are nested lists.
    pub stored_order: Order,
    /// Compression; `None` stores the bytes uncompressed.
    pub compression: Option<Compression>,
    /// Bytes to reserve after the payload for later growth.
    pub slack: u64,
    /// Write an MD5 checksum; `None` for the choice of [`WriteOptions::checksums`].
    pub checksum: Option<bool>,
    /// Shape of the chunks of a chunked array, in the form of asdf-zarr: each chunk is a block of its own. `None` for an
    /// array in one block.
    pub chunks: Option<Vec<i64>>,
    /// Codecs of zarr for the chunks. Without a compressor, [`ArrayOptions::compression`] compresses what the filters
    /// made.
    pub chunk_codecs: ChunkCodecs,
    /// Maximum number of threads that encode chunks, including the calling thread.
    pub threads: usize,
    /// Keep the tag, the comments and the other keys, such as a mask, of an array that is at the same path. Otherwise
    /// the new array replaces them. The elements are stored in a block.
    pub keep: bool,
}

impl Default for ArrayOptions {
    fn default() -> ArrayOptions {
        ArrayOptions {
            storage: Storage::Internal,
            external_name: None,
            byteorder: ByteOrder::NATIVE,
            stored_order: Order::C,
            compression: None,
            slack: 0,
            checksum: None,
            chunks: None,
            chunk_codecs: ChunkCodecs::default(),
            threads: 1,
            keep: false,
        }
    }
}
