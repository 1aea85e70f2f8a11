//! Storing a table in the tree of an ASDF file batch by batch, in memory that does not grow with the number of rows.

use super::spooled::TableSpool;
use super::write::{TableForm, TableWriteOptions, check_has_columns};
use crate::array::TemporaryFiles;
use crate::codec::Encoder;
use crate::error::{Error, Result, Status};
use crate::file::Node;
use crate::process::Process;
use crate::progress;
use crate::table::{Header, Table, WriterState};
use std::sync::Arc;

/// Writer of a table in the tree of a file. The rows are gathered in a temporary file without a name, column by column.
/// [`NodeTableWriter::finish`] stores the table in the tree; when the file is written, the arrays get their elements from
/// there. So each column becomes an array of its own, and texts get the length of the longest.
///
/// The temporary file takes about as much space as the table, texts as UTF-8. It disappears with the last file that
/// needs it, or with the process. Memory is needed for a batch, 32 MiB in all for the columns, and eight bytes for each MiB.
pub struct NodeTableWriter {
    node: Node,
    path: String,
    /// The table without rows.
    empty: Table,
    options: TableWriteOptions,
    state: WriterState<TableSpool>,
    process: Process,
}

debug_by_name!(NodeTableWriter, "NodeTableWriter");

impl NodeTableWriter {
    /// Begins a table at `path`, from `node`, whose rows are appended in batches. Nothing is stored before
    /// [`NodeTableWriter::finish`]. The form is that of [`Node::set_table`] with these differences:
    ///
    /// - Points of time that are not stored as their column has them, and spans of time in one column, stay columns of the
    ///   values, described in the metadata under `__serialized_columns__`. So do columns of records.
    /// - [`TableForm::Records`], and codecs that need all bytes at once, such as Blosc, fail with
    ///   [`Status::Unsupported`].
    ///
    /// `files` is the place of the temporary file. Fails with [`Status::InvalidArgument`] for
    /// [`TemporaryFiles::Never`], and as changes of the tree do.
    ///
    /// ```
    /// use asdfkit::file::{File, NewOptions};
    /// use asdfkit::table::{CellShape, Column, ColumnHeader, ElementType, Header, Table, Values};
    /// use asdfkit::{NodeTableWriter, TableReadOptions, TableWriteOptions};
    /// use std::sync::Arc;
    ///
    /// let batch = |values: Vec<i32>| {
    ///     let values = Values::Int32(values);
    ///     let column = Arc::new(Column::scalars(ElementType::of_values(&values), values, None)?);
    ///     let header = ColumnHeader::new("flux", column.element_type(), CellShape::Scalar);
    ///     let (header, rows) = (Header { columns: vec![header], ..Header::default() }, column.row_count());
    ///     Table::new(Arc::new(header), vec![column], rows)
    /// };
    /// let root = File::new(&NewOptions::default()).root()?;
    /// let first = batch(vec![7, 8])?;
    /// let options = TableWriteOptions::default();
    /// let mut writer = NodeTableWriter::begin(&root, "t", first.header(), &options, &Default::default())?;
    /// writer.append(&first)?;
    /// writer.append(&batch(vec![9])?)?;
    /// writer.finish()?;
    /// assert_eq!(root.table("t", &TableReadOptions::default())?.row_count(), 3);
    /// # Ok::<(), asdfkit::Error>(())
    /// ```
    pub fn begin(
        node: &Node,
        path: &str,
        header: &Arc<Header>,
        options: &TableWriteOptions,
        files: &TemporaryFiles,
    ) -> Result<NodeTableWriter> {
        node.file().check_writable()?;
        if options.form == TableForm::Records {
            let message = "an array of records cannot be written in batches; choose another form of the table";
            return Err(Error::new(Status::Unsupported, message));
        }
        options.arrays.compression.as_ref().map_or(Ok(()), Encoder::check)?;
        let directory = match files {
            TemporaryFiles::SystemDirectory => None,
            TemporaryFiles::Directory(directory) => Some(&**directory),
            TemporaryFiles::Never => {
                let message = "a table is written in batches by a temporary file; name a directory for it";
                return Err(Error::new(Status::InvalidArgument, message));
            }
        };
        // A table without rows is stored on trial: a form or a file that cannot hold it is an error before any row is read.
        let empty = Table::without_rows(header.clone())?;
        let columns = TableSpool::create(header, directory)?.finish()?;
        node.file().for_copies().root()?.set_spooled_table("table", &empty, &columns, options)?;
        let spool = TableSpool::create(header, directory)?;
        Ok(NodeTableWriter {
            node: node.clone(),
            path: path.to_owned(),
            empty,
            options: options.clone(),
            state: WriterState::Open(Box::new(spool)),
            process: Process::current(),
        })
    }

    /// Appends the rows of a table. Its columns must have the names and types of the writer's header, in the same order.
    ///
    /// Fails with [`Status::InvalidArgument`] for other columns; nothing is appended, and the writer can still be used.
    /// After any other failure it can only be dropped: [`Status::ValueRange`] for a text that ends with NUL,
    /// [`Status::NoSpace`] if the temporary file does not fit on its disk.
    pub fn append(&mut self, batch: &Table) -> Result<()> {
        self.process.check()?;
        progress::check()?;
        let spool = self.state.open()?;
        self.empty.header().check_batch(batch.header())?;
        check_has_columns(batch)?;
        spool.append(batch).inspect_err(|error| self.state.fail(error))
    }

    /// Returns the number of rows so far; 0 after [`NodeTableWriter::finish`].
    pub fn rows(&self) -> u64 {
        match &self.state {
            WriterState::Open(spool) => spool.rows(),
            _ => 0,
        }
    }

    /// Stores the table in the tree. Its elements stay in the temporary file until the file is written. A failure leaves
    /// the tree unchanged, as with [`Node::set_table`].
    pub fn finish(&mut self) -> Result<()> {
        self.process.check()?;
        let columns = self.state.finish()?.finish()?;
        self.node.set_spooled_table(&self.path, &self.empty, &columns, &self.options)
    }
}
