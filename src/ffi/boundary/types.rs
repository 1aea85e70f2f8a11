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

/// A file that is being written with an array whose rows are pushed as they come. One thread at a time can use it.
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

/// A table that is being written batch by batch. One thread at a time can use it.
pub enum asdf_table_writer {}

/// A table that is being read batch by batch. One thread at a time can use it.
pub enum asdf_table_reader {}

/// Bytes that the library made, because only it knew how many. They do not change.
pub enum asdf_buffer {}

/// A list of what was found: warnings, diagnostics, notes, differences or losses. It does not change, and needs nothing
/// else to be alive.
pub enum asdf_report {}

/// A way of compressing blocks that the program brings. It does not change.
pub enum asdf_codec {}

/// Options of opening a file.
pub enum asdf_open_options {}

/// Options of a new file.
pub enum asdf_new_options {}

/// Options of writing a file.
pub enum asdf_write_options {}

/// Options of storing a new array.
pub enum asdf_array_options {}

/// Options of reading a table from an ASDF file, and of storing one there.
pub enum asdf_table_node_options {}

/// Options of reading bytes or elements.
pub enum asdf_read_options {}

/// A description of what a file holds, in the Ndarray Data Language. It does not change, and needs nothing else to be
/// alive.
pub enum asdf_ndl {}

/// A description that is being made, which one thread at a time changes.
pub enum asdf_ndl_builder {}

/// What the elements of something described are, with all that is in them. It does not change, and needs nothing else
/// to be alive.
pub enum asdf_ndl_datatype {}

/// Options of reading a description.
pub enum asdf_ndl_read_options {}

/// Options of writing a description.
pub enum asdf_ndl_write_options {}

/// Options of describing an ASDF file.
pub enum asdf_ndl_describe_options {}

/// Options of making an ASDF file from a description.
pub enum asdf_ndl_create_options {}

/// Options of reading ECSV.
pub enum asdf_ecsv_read_options {}

/// Options of writing ECSV.
pub enum asdf_ecsv_write_options {}
