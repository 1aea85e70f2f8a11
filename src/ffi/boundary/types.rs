//! The opaque types of C.
//!
//! # Handles
//!
//! All handles are opaque and count their owners; see Handles and Threads above.

/// An ASDF file: opened for reading or for update, or new.
pub enum asdf_file {}

/// A place in the tree of a file. It keeps the file alive.
pub enum asdf_node {}

/// An n-dimensional array, stored in a block, in the tree or in another file. It never changes, and keeps its bytes
/// alive.
pub enum asdf_array {}

/// A file that is being written, with an array whose rows are pushed one after another. One thread at a time can use
/// it. It changes, so it has one owner.
pub enum asdf_stream {}

/// Elements of an array where they are stored, without a copy. It stays valid until it is freed, even after the file is
/// closed.
pub enum asdf_view {}

/// Positions of the bytes of an array, chunk by chunk. It never changes and does not depend on other handles.
pub enum asdf_chunk_map {}

/// Datatype of array elements: a scalar, a string of fixed length, or a record. It never changes.
pub enum asdf_datatype {}

/// A table in memory: columns of equal length with their units, descriptions and metadata.
pub enum asdf_table {}

/// The columns of a table as the program that wrote the table had them, such as times and coordinates of astropy. They
/// never change.
pub enum asdf_logical_columns {}

/// A table that is being written in batches. One thread at a time can use it. It changes, so it has one owner.
pub enum asdf_table_writer {}

/// A table that is being read in batches. One thread at a time can use it. It changes, so it has one owner.
pub enum asdf_table_reader {}

/// Points in time: Julian dates with a scale, a format and a shape. They never change and do not depend on other
/// handles.
pub enum asdf_time {}

/// World coordinates of an image or a spectrum: frames, and the transforms between them. They never change and do not
/// depend on other handles.
pub enum asdf_wcs {}

/// A function of several numbers to several numbers, as trees describe it. It never changes and does not depend on other
/// handles.
pub enum asdf_transform {}

/// Coordinates: named components with units, and attributes. They keep their file open, and never change.
pub enum asdf_coordinates {}

/// Bytes that the library allocated because only it knew their number. They never change.
pub enum asdf_buffer {}

/// A list of findings: warnings, diagnostics, notes, differences or losses. It never changes and does not depend on
/// other handles.
pub enum asdf_report {}

/// A compression method for blocks that the program implements. It never changes.
pub enum asdf_codec {}

/// A description of the content of a file in the Ndarray Data Language (NDL). It never changes and does not depend on
/// other handles.
pub enum asdf_ndl {}

/// A description that is being built. One thread at a time can use it. It changes, so it has one owner.
pub enum asdf_ndl_builder {}

/// Datatype of the elements of an array, attribute or coordinate in a description, with all nested types. It never
/// changes and does not depend on other handles.
pub enum asdf_ndl_datatype {}

/// Schemas of the nodes of trees. Several threads can validate with them; adding needs exclusive access.
pub enum asdf_schemas {}

/// Settings of calls beyond their arguments. NULL means the defaults. It changes, so it has one owner;
/// asdf_options_copy() makes another handle with the same content.
pub enum asdf_options {}
