//! Options of opening, making and writing files.

pub(super) mod access;
pub(super) mod external_names;
pub(super) mod uri;

use super::{Access, ExternalNames};
use crate::array::{ByteOrder, Order, TemporaryFiles};
use crate::codec::{Codecs, Compression};
use crate::layout::StandardVersion;
use crate::limits::Limits;
use std::ffi::OsString;

/// How to open a file.
#[derive(Clone, Debug)]
pub struct OpenOptions {
    /// What the file may cost.
    pub limits: Limits,
    /// Decoded bytes of compressed blocks that stay in memory after a part of an array was read, so that the next part
    /// need not be decoded again. Never more than `limits.decoded_bytes`, and by default as many; 0 keeps nothing. The
    /// files that this one leads to share them.
    pub cache_bytes: Option<u64>,
    /// Where decoded bytes are kept that are more than that, up to `limits.temporary_bytes`.
    pub temporary_files: TemporaryFiles,
    /// Compare each block with its checksum before its bytes are first given out.
    pub verify_checksums: bool,
    /// Read through a map of the file, which on some machines is faster than to read by position, if nobody else
    /// shortens the file as long as it is open: this process would be stopped by a signal. What cannot be mapped is read
    /// by position.
    pub mapped: bool,
    /// Refuse to open a file for update ([`Status::Locked`](crate::Status::Locked)) that another handle of this library,
    /// here or in another process, has open for update. Where the file system has no locks nothing is refused.
    pub lock: bool,
    /// Wait for the disk before elements of a file that was opened for update are written over, so that also a power cut
    /// leaves what can be undone.
    pub durable: bool,
    /// Refuse a file that would otherwise be read with warnings. Every block header is looked at for that.
    pub strict: bool,
    /// Which other files may be opened because the file names them. They are opened with the same options.
    pub access: Access,
    /// What payloads can be decoded with.
    pub codecs: Codecs,
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
        }
    }
}

/// How to make a new file.
#[derive(Clone, Debug)]
pub struct NewOptions {
    /// The version of the standard to follow, which decides the versions of the tags.
    pub standard: StandardVersion,
    /// Bounds that also hold for what is built in memory.
    pub limits: Limits,
}

impl Default for NewOptions {
    fn default() -> NewOptions {
        NewOptions { standard: StandardVersion::NEWEST_STABLE, limits: Limits::default() }
    }
}

/// How the changes of a file are saved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SaveMode {
    /// In place where that can be done and costs less than to write all, else as a new file.
    #[default]
    Auto,
    /// As a new file, which then takes the place of the old one: every reader finds the one or the other.
    Whole,
    /// Where the file lies, or not at all.
    InPlace,
}

/// How to write a file.
#[derive(Clone, Debug)]
pub struct WriteOptions {
    /// Replace a file that has the name already; otherwise such a file is [`Status::FileExists`](crate::Status::FileExists).
    /// Pipes and character devices are written to, and need no leave. A file that is saved is always replaced.
    pub replace: bool,
    /// Wait until the data and the new name are on the disk, so that a power cut leaves the old file or the new.
    pub durable: bool,
    /// Payloads begin at multiples of this many bytes: a power of two, at most 4096; 1 for no alignment.
    pub alignment: u32,
    /// Bytes to leave free after the tree for later growth; nothing for an amount that follows the tree's size.
    pub tree_slack: Option<u64>,
    /// Whether to write MD5 checksums of blocks that do not say themselves.
    pub checksums: bool,
    /// Whether to write a block index.
    pub block_index: bool,
    /// The most threads to compress with, that of the caller included; 0 is 1. What is written does not depend on it.
    pub threads: usize,
    /// The names of files for arrays that are to be stored apart and have no name of their own.
    pub external_names: ExternalNames,
    /// Whether changes are saved where the file lies.
    pub save_mode: SaveMode,
    /// Whether the blocks may be moved in the file, by room that its file system inserts before them, when the tree has
    /// outgrown its own and the file is saved in place.
    pub insert_room: bool,
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
            insert_room: true,
        }
    }
}

/// Where the elements of a new array are put.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Storage {
    /// In a block of their own.
    #[default]
    Internal,
    /// In the tree, as text.
    Inline,
    /// In the only block of another file beside this one (the exploded form).
    External,
    /// In the last block, which runs to the end of the file; one array of a file can.
    Streamed,
}

/// How to store a new array.
#[derive(Clone, Debug)]
pub struct ArrayOptions {
    /// Block, tree or another file.
    pub storage: Storage,
    /// The name of that other file, in the directory of this one; nothing for one by [`WriteOptions::external_names`].
    pub external_name: Option<OsString>,
    /// The byte order to store; the machine's own by default.
    pub byteorder: ByteOrder,
    /// The order of the elements in the block, which is packed; C by default, which every reader knows. Fortran's is
    /// told by strides in the tree. Elements in the tree are nested lists, for which this means nothing.
    pub stored_order: Order,
    /// How to compress the bytes; nothing to store them as they are.
    pub compression: Option<Compression>,
    /// Bytes to reserve after the payload for later growth.
    pub slack: u64,
    /// Whether to write an MD5 checksum; nothing to do as the write options say.
    pub checksum: Option<bool>,
    /// Whether an array that is set where one stands keeps the other keys of that one, its mask among them, its tag and
    /// its comments, rather than take its place as a whole. It is then in a block.
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
            keep: false,
        }
    }
}
