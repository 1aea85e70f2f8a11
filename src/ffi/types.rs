//! The opaque types of C, and what each stands for.
//!
//! # Handles
//!
//! All are opaque and counted; the conventions above tell of owners and threads.

use super::array_options::{ArrayChoices, ReadChoices};
use super::chunk_map::FileChunks;
use super::handle::Class;
use super::ndl::ReadDescription;
use super::ndl_write::NdlWriteChoices;
use super::options::OpenChoices;
use super::table_bridge::TableNodeChoices;
use super::table_logical::LogicalColumns;
use crate::array::{Datatype, Order, View};
use crate::codec::LabelledCodec;
use crate::file::{File, NewOptions, Node, NodeArray, Recovery, Stream, WriteOptions};
use crate::ndl::asdf::{CreateOptions, DescribeOptions, Note};
use crate::ndl::{Builder, Difference, ReadOptions};
use crate::process::{ForkMutex, ForkRwLock};
use crate::table::Table;
use crate::table::ecsv::{self, TableReader, TableWriter};

/// An ASDF file: opened for reading, or new and being made.
pub enum asdf_file {}

impl Class for asdf_file {
    const TAG: u32 = u32::from_be_bytes(*b"FILE");
    const NAME: &'static str = "asdf_file";
    type Value = File;
}

/// A place in the tree of a file, which it keeps alive.
pub enum asdf_node {}

impl Class for asdf_node {
    const TAG: u32 = u32::from_be_bytes(*b"NODE");
    const NAME: &'static str = "asdf_node";
    type Value = Node;
}

/// An n-dimensional array, wherever its elements are. It does not change, and keeps its bytes alive.
pub enum asdf_array {}

impl Class for asdf_array {
    const TAG: u32 = u32::from_be_bytes(*b"ARRA");
    const NAME: &'static str = "asdf_array";
    type Value = NodeArray;
}

/// A file that is being written with an array whose rows are pushed as they come. One thread at a time can use it.
pub enum asdf_stream {}

impl Class for asdf_stream {
    const TAG: u32 = u32::from_be_bytes(*b"STRM");
    const NAME: &'static str = "asdf_stream";
    type Value = ForkMutex<OpenStream>;
}

/// What an `asdf_stream` holds: the stream and how rows are in memory.
pub struct OpenStream {
    pub(super) stream: Stream,
    pub(super) order: Order,
}

/// Elements of an array where they are stored, without a copy; good until freed, also after the file was closed.
pub enum asdf_view {}

impl Class for asdf_view {
    const TAG: u32 = u32::from_be_bytes(*b"VIEW");
    const NAME: &'static str = "asdf_view";
    type Value = View;
}

/// Where the bytes of an array are, chunk by chunk. It does not change, and needs nothing else to be alive.
pub enum asdf_chunk_map {}

impl Class for asdf_chunk_map {
    const TAG: u32 = u32::from_be_bytes(*b"CMAP");
    const NAME: &'static str = "asdf_chunk_map";
    type Value = FileChunks;
}

/// What was lost of a file that was recovered. It does not change.
pub enum asdf_recovery {}

impl Class for asdf_recovery {
    const TAG: u32 = u32::from_be_bytes(*b"RECO");
    const NAME: &'static str = "asdf_recovery";
    type Value = Recovery;
}

/// What the elements of an array are: a scalar, a string of fixed length, or a record. It does not change.
pub enum asdf_datatype {}

impl Class for asdf_datatype {
    const TAG: u32 = u32::from_be_bytes(*b"TYPE");
    const NAME: &'static str = "asdf_datatype";
    type Value = Datatype;
}

/// A table in memory: columns of one length with what is said of them.
pub enum asdf_table {}

impl Class for asdf_table {
    const TAG: u32 = u32::from_be_bytes(*b"TABL");
    const NAME: &'static str = "asdf_table";
    type Value = ForkRwLock<Table>;
}

/// The columns of a table as the program had them that wrote it. They do not change.
pub enum asdf_logical_columns {}

impl Class for asdf_logical_columns {
    const TAG: u32 = u32::from_be_bytes(*b"LCOL");
    const NAME: &'static str = "asdf_logical_columns";
    type Value = LogicalColumns;
}

/// A table that is being written batch by batch. One thread at a time can use it.
pub enum asdf_table_writer {}

impl Class for asdf_table_writer {
    const TAG: u32 = u32::from_be_bytes(*b"TWRI");
    const NAME: &'static str = "asdf_table_writer";
    type Value = ForkMutex<TableWriter>;
}

/// A table that is being read batch by batch. One thread at a time can use it.
pub enum asdf_table_reader {}

impl Class for asdf_table_reader {
    const TAG: u32 = u32::from_be_bytes(*b"TREA");
    const NAME: &'static str = "asdf_table_reader";
    type Value = ForkMutex<TableReader>;
}

/// Bytes that the library made, because only it knew how many. They do not change.
pub enum asdf_buffer {}

impl Class for asdf_buffer {
    const TAG: u32 = u32::from_be_bytes(*b"BUFF");
    const NAME: &'static str = "asdf_buffer";
    type Value = Vec<u8>;
}

/// A way of compressing blocks that the program brings. It does not change.
pub enum asdf_codec {}

impl Class for asdf_codec {
    const TAG: u32 = u32::from_be_bytes(*b"CODE");
    const NAME: &'static str = "asdf_codec";
    type Value = LabelledCodec;
}

/// How to open a file.
pub enum asdf_open_options {}

impl Class for asdf_open_options {
    const TAG: u32 = u32::from_be_bytes(*b"OOPE");
    const NAME: &'static str = "asdf_open_options";
    type Value = ForkRwLock<OpenChoices>;
}

/// How to make a new file.
pub enum asdf_new_options {}

impl Class for asdf_new_options {
    const TAG: u32 = u32::from_be_bytes(*b"ONEW");
    const NAME: &'static str = "asdf_new_options";
    type Value = ForkRwLock<NewOptions>;
}

/// How to write a file.
pub enum asdf_write_options {}

impl Class for asdf_write_options {
    const TAG: u32 = u32::from_be_bytes(*b"OWRI");
    const NAME: &'static str = "asdf_write_options";
    type Value = ForkRwLock<WriteOptions>;
}

/// How to store a new array.
pub enum asdf_array_options {}

impl Class for asdf_array_options {
    const TAG: u32 = u32::from_be_bytes(*b"OARR");
    const NAME: &'static str = "asdf_array_options";
    type Value = ForkRwLock<ArrayChoices>;
}

/// How to read a table from an ASDF file, or to store it in one.
pub enum asdf_table_node_options {}

impl Class for asdf_table_node_options {
    const TAG: u32 = u32::from_be_bytes(*b"OTNO");
    const NAME: &'static str = "asdf_table_node_options";
    type Value = ForkRwLock<TableNodeChoices>;
}

/// How to read bytes or elements.
pub enum asdf_read_options {}

impl Class for asdf_read_options {
    const TAG: u32 = u32::from_be_bytes(*b"OREA");
    const NAME: &'static str = "asdf_read_options";
    type Value = ForkRwLock<ReadChoices>;
}

/// A description of what a file holds, in the Ndarray Data Language. It does not change, and needs nothing else to be
/// alive.
pub enum asdf_ndl {}

impl Class for asdf_ndl {
    const TAG: u32 = u32::from_be_bytes(*b"NDLD");
    const NAME: &'static str = "asdf_ndl";
    type Value = ReadDescription;
}

/// A description that is being made, which one thread at a time changes.
pub enum asdf_ndl_builder {}

impl Class for asdf_ndl_builder {
    const TAG: u32 = u32::from_be_bytes(*b"NDLB");
    const NAME: &'static str = "asdf_ndl_builder";
    type Value = ForkMutex<Builder>;
}

/// What the elements of something described are, with all that is in them. It does not change, and needs nothing else
/// to be alive.
pub enum asdf_ndl_datatype {}

impl Class for asdf_ndl_datatype {
    const TAG: u32 = u32::from_be_bytes(*b"NDLT");
    const NAME: &'static str = "asdf_ndl_datatype";
    type Value = crate::ndl::Datatype;
}

/// How to read a description.
pub enum asdf_ndl_read_options {}

impl Class for asdf_ndl_read_options {
    const TAG: u32 = u32::from_be_bytes(*b"ONDL");
    const NAME: &'static str = "asdf_ndl_read_options";
    type Value = ForkRwLock<ReadOptions>;
}

/// How to write a description.
pub enum asdf_ndl_write_options {}

impl Class for asdf_ndl_write_options {
    const TAG: u32 = u32::from_be_bytes(*b"ONDW");
    const NAME: &'static str = "asdf_ndl_write_options";
    type Value = ForkRwLock<NdlWriteChoices>;
}

/// In what two descriptions differ. It does not change, and needs nothing else to be alive.
pub enum asdf_ndl_differences {}

impl Class for asdf_ndl_differences {
    const TAG: u32 = u32::from_be_bytes(*b"NDIF");
    const NAME: &'static str = "asdf_ndl_differences";
    type Value = Vec<Difference>;
}

/// What was not made as a description says. It does not change, and needs nothing else to be alive.
pub enum asdf_ndl_notes {}

impl Class for asdf_ndl_notes {
    const TAG: u32 = u32::from_be_bytes(*b"NNOT");
    const NAME: &'static str = "asdf_ndl_notes";
    type Value = Vec<Note>;
}

/// How to describe an ASDF file.
pub enum asdf_ndl_describe_options {}

impl Class for asdf_ndl_describe_options {
    const TAG: u32 = u32::from_be_bytes(*b"ODSC");
    const NAME: &'static str = "asdf_ndl_describe_options";
    type Value = ForkRwLock<DescribeOptions>;
}

/// How to make an ASDF file from a description.
pub enum asdf_ndl_create_options {}

impl Class for asdf_ndl_create_options {
    const TAG: u32 = u32::from_be_bytes(*b"OCRE");
    const NAME: &'static str = "asdf_ndl_create_options";
    type Value = ForkRwLock<CreateOptions>;
}

/// How to read ECSV.
pub enum asdf_ecsv_read_options {}

impl Class for asdf_ecsv_read_options {
    const TAG: u32 = u32::from_be_bytes(*b"OERE");
    const NAME: &'static str = "asdf_ecsv_read_options";
    type Value = ForkRwLock<ecsv::ReadOptions>;
}

/// How to write ECSV.
pub enum asdf_ecsv_write_options {}

impl Class for asdf_ecsv_write_options {
    const TAG: u32 = u32::from_be_bytes(*b"OEWR");
    const NAME: &'static str = "asdf_ecsv_write_options";
    type Value = ForkRwLock<ecsv::WriteOptions>;
}
