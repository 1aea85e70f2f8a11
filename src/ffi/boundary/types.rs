//! The opaque types of C, and what each stands for.
//!
//! # Handles
//!
//! All are opaque and counted; the conventions above tell of owners and threads.

/// An ASDF file: opened for reading, or new and being made.
pub enum asdf_file {}

/// A place in the tree of a file, which it keeps alive.
pub enum asdf_node {}

/// An n-dimensional array, wherever its elements are. It does not change, and keeps its bytes alive.
pub enum asdf_array {}

/// A file that is being written with an array whose rows are pushed as they come. One thread at a time can use it. It
/// changes, so it has one owner.
pub enum asdf_stream {}

/// Elements of an array where they are stored, without a copy; good until freed, also after the file was closed.
pub enum asdf_view {}

/// Places of the bytes of an array, chunk by chunk. It does not change, and needs nothing else to be alive.
pub enum asdf_chunk_map {}

/// Datatype of array elements: a scalar, a string of fixed length, or a record. It does not change.
pub enum asdf_datatype {}

/// A table in memory: columns of one length with what is said of them.
pub enum asdf_table {}

/// The columns of a table as the program had them that wrote it. They do not change.
pub enum asdf_logical_columns {}

/// A table that is being written batch by batch. One thread at a time can use it. It changes, so it has one owner.
pub enum asdf_table_writer {}

/// A table that is being read batch by batch. One thread at a time can use it. It changes, so it has one owner.
pub enum asdf_table_reader {}

/// Bytes that the library made, because only it knew how many. They do not change.
pub enum asdf_buffer {}

/// A list of what was found: warnings, diagnostics, notes, differences or losses. It does not change, and needs nothing
/// else to be alive.
pub enum asdf_report {}

/// A way of compressing blocks that the program brings. It does not change.
pub enum asdf_codec {}

/// A description of what a file holds, in the Ndarray Data Language. It does not change, and needs nothing else to be
/// alive.
pub enum asdf_ndl {}

/// A description that is being made, which one thread at a time changes. It has one owner.
pub enum asdf_ndl_builder {}

/// What the elements of something described are, with all that is in them. It does not change, and needs nothing else
/// to be alive.
pub enum asdf_ndl_datatype {}

/// What calls may be told beyond their arguments. NULL in its place means the defaults. It changes, so it has one owner;
/// asdf_options_copy() gives another one of the same content.
pub enum asdf_options {}
