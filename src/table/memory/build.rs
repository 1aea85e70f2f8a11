//! Builds a table from the caller's memory, column by column.

use crate::array::{ByteOrder, Datatype, InMemory, Order, ScalarType, packed_size, text_of_memory};
use crate::error::{Error, Result, Status, Warnings};
use crate::file::Node;
use crate::limits::Limits;
use crate::table::ecsv::check_kept_text;
use crate::table::metadata;
use crate::table::serialized::{entries, entries_or_new};
use crate::table::{Bitmap, CellShape, Column, ColumnHeader, ColumnParts, ElementType, Header, Table, Text, Values};
use crate::tree::path::escape;
use std::borrow::Cow;
use std::sync::Arc;

/// Elements of a column in the caller's memory.
#[derive(Clone, Debug)]
pub struct ColumnData<'a> {
    /// Type of an element: a number, a truth value, or a string of fixed length. A [`Datatype::Ascii`] string holds
    /// UTF-8, and its length counts bytes. NULs at the end of a string are not part of the text.
    pub datatype: Datatype,
    /// Elements in native byte order.
    pub bytes: &'a [u8],
    /// Order of the elements in `bytes`.
    pub order: Order,
    /// One byte for each element in C order, nonzero if the element is missing; `None` for a column without a mask.
    pub mask: Option<&'a [u8]>,
    /// Also removes the blanks at the ends of strings, with which Fortran pads them.
    pub blank_padded: bool,
}

impl Table {
    /// Makes a table of `row_count` rows and no columns.
    pub fn of_rows(row_count: usize) -> Table {
        Table { header: Arc::new(Header::default()), columns: Vec::new(), row_count, warnings: Warnings::default() }
    }

    /// Makes a table of the columns in the header, without rows.
    pub fn without_rows(header: Arc<Header>) -> Result<Table> {
        let column = |declared: &ColumnHeader| {
            let values = match declared.element_type {
                ElementType::Scalar(scalar) => Values::of_type(scalar),
                _ => Values::Text(Text::new()),
            };
            let offsets = matches!(declared.cell_shape, CellShape::Variable(_)).then(|| vec![0]);
            let (element_type, cell_shape) = (declared.element_type, declared.cell_shape.clone());
            let (cells, elements, row_count) = (None, None, 0);
            let parts = ColumnParts { element_type, cell_shape, values, offsets, cells, elements, row_count };
            Ok(Arc::new(Column::new(parts)?))
        };
        let columns = header.columns.iter().map(column).collect::<Result<_>>()?;
        Table::new(header, columns, 0)
    }

    /// Appends a column. Clones of the table made before do not get it.
    ///
    /// Fails with [`Status::InvalidArgument`] if the table already has a column of this name. The same status means
    /// that the column does not have the number of rows of the table, or the type and shape in `header`.
    pub fn add_column(&mut self, header: ColumnHeader, column: Arc<Column>) -> Result<()> {
        if self.header.position(&header.name).is_ok() {
            let message = format!("the table already has a column '{}'", header.name);
            return Err(Error::new(Status::InvalidArgument, message));
        }
        super::table::check_column(&header, &column, self.row_count)?;
        self.columns.try_reserve(1).map_err(|_| Error::out_of_memory(size_of::<Arc<Column>>() as u64))?;
        Arc::make_mut(&mut self.header).columns.push(header);
        self.columns.push(column);
        Ok(())
    }

    /// Appends a column whose cells hold one element each, or arrays of the same shape, slowest axis first. `data` is
    /// an array of one such cell for each row.
    ///
    /// Fails with [`Status::InvalidArgument`] if memory or mask do not have the size of that array, and as
    /// [`Table::add_column`] does. Fails with [`Status::Encoding`] for a string that is not valid UTF-8 or UTF-32, and
    /// with [`Status::Conversion`] for records.
    pub fn add_array(&mut self, name: &str, shape: &[i64], data: &ColumnData) -> Result<()> {
        let extents = extents(shape)?;
        let cell_shape = if extents.is_empty() { CellShape::Scalar } else { CellShape::Fixed(extents) };
        let whole = [&[row_extent(self.row_count)?], shape].concat();
        let values = values(data, &whole)?;
        let elements = present(data.mask, values.len())?;
        let cells = elements.as_ref().map(|elements| cells_with(elements, self.row_count)).transpose()?;
        let elements = elements.filter(|_| cell_shape != CellShape::Scalar);
        let (element_type, row_count) = (ElementType::of_values(&values), self.row_count);
        self.add(name, ColumnParts { element_type, cell_shape, values, offsets: None, cells, elements, row_count })
    }

    /// Appends a column whose cells hold arrays of different lengths. `lengths` holds the number of elements in the
    /// cell of each row, or -1 for a missing cell. The elements of all cells are contiguous. The last extent of a cell
    /// is its length divided by the product of `shape`, which holds the extents before the last.
    ///
    /// Fails as [`Table::add_array`] does, and with [`Status::InvalidArgument`] for lengths that do not match the rows,
    /// `shape` or `data`.
    pub fn add_variable(&mut self, name: &str, shape: &[i64], lengths: &[i64], data: &ColumnData) -> Result<()> {
        let cell_shape = CellShape::Variable(extents(shape)?);
        if lengths.len() != self.row_count {
            let message =
                format!("there are {} cell lengths, but the table has {} rows", lengths.len(), self.row_count);
            return Err(Error::new(Status::InvalidArgument, message));
        }
        let mut offsets = Vec::new();
        offsets.try_reserve_exact(lengths.len() + 1).map_err(|_| Error::out_of_memory(8 * lengths.len() as u64))?;
        let mut end = 0_i64;
        offsets.push(end);
        let mut cells = None;
        for (row, &length) in lengths.iter().enumerate() {
            if length == -1 {
                cells.get_or_insert(Bitmap::filled(true, lengths.len())?).set(row, false);
            } else {
                let next = (length >= 0).then(|| end.checked_add(length)).flatten();
                end = next.ok_or_else(|| {
                    Error::new(Status::InvalidArgument, format!("row {row}: a cell cannot have {length} elements"))
                })?;
            }
            offsets.push(end);
        }
        let values = values(data, &[end])?;
        let elements = present(data.mask, values.len())?;
        let (element_type, row_count) = (ElementType::of_values(&values), self.row_count);
        self.add(
            name,
            ColumnParts { element_type, cell_shape, values, offsets: Some(offsets), cells, elements, row_count },
        )
    }

    /// Appends a column of one text in each cell, `None` for a missing cell. The texts are strings, JSON values, or
    /// numbers that are kept as text. With `is_masked` the column has a mask even if no text is missing.
    ///
    /// Fails as [`Table::add_column`] does. Fails with [`Status::ValueRange`] for a text that is not a valid number or
    /// JSON value of `element_type`. Fails with [`Status::InvalidArgument`] for a type that is not kept as text.
    pub fn add_texts<'a>(
        &mut self,
        name: &str,
        element_type: ElementType,
        is_masked: bool,
        texts: impl Iterator<Item = Option<Cow<'a, str>>>,
    ) -> Result<()> {
        let (mut values, mut cells) = (Text::new(), Bitmap::default());
        for text in texts {
            if let Some(text) = &text {
                check_kept_text(text, element_type)
                    .map_err(|error| Error::because_of(&format!("row {}", values.len()), &error))?;
            }
            cells.push(text.is_some())?;
            values.push(text.as_deref().unwrap_or_default())?;
        }
        let cells = (is_masked || cells.count_zeros() > 0).then_some(cells);
        let column = Column::scalars(element_type, Values::Text(values), cells)?;
        self.add_column(ColumnHeader::new(name, element_type, CellShape::Scalar), Arc::new(column))
    }

    fn add(&mut self, name: &str, parts: ColumnParts) -> Result<()> {
        let header = ColumnHeader::new(name, parts.element_type, parts.cell_shape.clone());
        self.add_column(header, Arc::new(Column::new(parts)?))
    }

    /// Changes the unit, description, format or metadata of a column. Clones of the table made before keep the old
    /// ones.
    ///
    /// Fails with [`Status::NotFound`] if there is no such column. Fails with [`Status::InvalidArgument`] if `change`
    /// alters the name, the element type or the cell shape; the column is then unchanged.
    pub fn describe_column(&mut self, name: &str, change: impl FnOnce(&mut ColumnHeader)) -> Result<()> {
        let position = self.position(name)?;
        let header = Arc::make_mut(&mut self.header);
        let Some(column) = header.columns.get_mut(position) else { return Ok(()) };
        let mut changed = column.clone();
        change(&mut changed);
        if changed.name != column.name
            || changed.element_type != column.element_type
            || changed.cell_shape != column.cell_shape
        {
            let message = format!("the name and the type of the column '{name}' cannot be changed");
            return Err(Error::new(Status::InvalidArgument, message));
        }
        *column = changed;
        Ok(())
    }
}

impl Table {
    /// Sets the metadata of a column to a copy of `meta`, or removes them.
    ///
    /// Fails with [`Status::NotFound`] if there is no such column, and as [`Table::set_meta`] does.
    pub fn set_column_meta(&mut self, name: &str, meta: Option<&Node>) -> Result<()> {
        self.position(name)?;
        let meta = meta.map(checked_copy).transpose()?;
        self.describe_column(name, |column| column.meta = meta)
    }

    /// Sets the metadata of the table as a whole to a copy of `meta`, or removes them. Clones of the table made before
    /// keep the old ones.
    ///
    /// The entries of the table under `__serialized_columns__` stay: they describe columns of times and other objects.
    /// They replace entries of the same names in `meta`, which can be false for this table.
    ///
    /// Fails with [`Status::Tree`] and the path of the node for metadata that the header of an ECSV table cannot hold:
    /// arrays, other tags of ASDF and of programs, and cycles. Tables that are read from an ASDF file can have such
    /// metadata.
    pub fn set_meta(&mut self, meta: Option<&Node>) -> Result<()> {
        let meta = meta.map(checked_copy).transpose()?;
        let meta = with_entries_of(self.header.meta.as_ref(), meta)?;
        Arc::make_mut(&mut self.header).meta = meta;
        Ok(())
    }

    /// Sets the metadata with their entries under `__serialized_columns__`.
    pub(crate) fn replace_meta(&mut self, meta: Node) {
        Arc::make_mut(&mut self.header).meta = Some(meta);
    }

    /// Sets or removes the name of the convention that the metadata follow.
    pub fn set_schema(&mut self, schema: Option<&str>) {
        Arc::make_mut(&mut self.header).schema = schema.map(str::to_owned);
    }
}

/// Adds the entries of `__serialized_columns__` of old metadata to new ones, in the place of entries of the same names.
fn with_entries_of(old: Option<&Node>, new: Option<Node>) -> Result<Option<Node>> {
    let Some(old) = old else { return Ok(new) };
    let kept: Vec<(String, Node)> = old.in_tree(|tree, id| {
        let pairs = entries(tree, id).map_or(&[][..], |entries| tree.pairs(entries)).chunks_exact(2);
        pairs.map(|pair| (tree.key(pair[0]).text().into_owned(), old.file().node(pair[1]))).collect()
    })?;
    if kept.is_empty() {
        return Ok(new);
    }
    let meta = new.map_or_else(Node::new_mapping, Ok)?;
    let place = meta.edit("", |tree| entries_or_new(tree, meta.id(), "keep what describes the columns"))?;
    for (name, entry) in kept {
        meta.file().node(place).copy_from(&format!("/{}", escape(&name)), &entry, None)?;
    }
    Ok(Some(meta))
}

/// Returns a copy of metadata that ECSV can hold.
fn checked_copy(meta: &Node) -> Result<Node> {
    meta.in_tree(metadata::check)??;
    copied(meta)
}

/// Returns a copy of a node, in a tree of its own.
pub(in crate::table) fn copied(node: &Node) -> Result<Node> {
    let root = node.file().for_copies().root()?;
    root.copy_from("meta", node, None)?;
    root.at("meta")
}

/// Returns the extents of a cell as unsigned numbers.
fn extents(shape: &[i64]) -> Result<Vec<u64>> {
    if shape.len() >= Limits::MAX_RANK as usize {
        let message = format!("a column has at most {} axes, including the axis of its rows", Limits::MAX_RANK);
        return Err(Error::new(Status::InvalidArgument, message));
    }
    let extent = |&extent: &i64| {
        u64::try_from(extent)
            .map_err(|_| Error::new(Status::InvalidArgument, format!("an extent of a cell cannot be {extent}")))
    };
    shape.iter().map(extent).collect()
}

fn row_extent(row_count: usize) -> Result<i64> {
    i64::try_from(row_count).map_err(|_| Error::out_of_memory(row_count as u64))
}

/// Returns the elements in C order as values of their own type.
pub(super) fn values(data: &ColumnData, shape: &[i64]) -> Result<Values> {
    packed_size(&data.datatype, shape)?;
    let memory = InMemory::new(&data.datatype, shape, &data.order, data.bytes.len())?;
    let packed = match data.order {
        Order::C => Cow::Borrowed(data.bytes),
        _ => Cow::Owned(memory.pack(data.bytes, &Order::C, ByteOrder::NATIVE)?),
    };
    match &data.datatype {
        Datatype::Scalar(scalar) => of_scalars(*scalar, &packed),
        Datatype::Ascii(_) | Datatype::Ucs4(_) => {
            let count = usize::try_from(memory.count()).map_err(|_| Error::out_of_memory(u64::MAX))?;
            of_strings(data, count, &packed)
        }
        Datatype::Record(_) => {
            Err(Error::new(Status::Conversion, "a column cannot hold records: add a column for each field"))
        }
    }
}

fn of_scalars(scalar: ScalarType, packed: &[u8]) -> Result<Values> {
    let mut values = Values::zeroed(scalar, packed.len() / scalar.size())?;
    if let Some(bytes) = values.bytes_mut() {
        bytes.iter_mut().zip(packed).for_each(|(to, from)| *to = *from);
    }
    if let Values::Bool8(truths) = &mut values {
        truths.iter_mut().for_each(|truth| *truth = u8::from(*truth != 0));
    }
    Ok(values)
}

fn of_strings(data: &ColumnData, count: usize, packed: &[u8]) -> Result<Values> {
    let size = packed.len().checked_div(count).unwrap_or_default();
    let mut text = Text::new();
    for index in 0..count {
        let element = packed.get(index * size..).and_then(|rest| rest.get(..size)).unwrap_or_default();
        let string = text_of_memory(&data.datatype, element);
        let string = string.map_err(|error| Error::because_of(&format!("element {index}"), &error))?;
        text.push(if data.blank_padded { string.trim_end_matches([' ', '\0']) } else { &string })?;
    }
    Ok(Values::Text(text))
}

/// Returns the validity bitmap of the elements; `None` without a mask.
pub(super) fn present(mask: Option<&[u8]>, count: usize) -> Result<Option<Bitmap>> {
    let Some(mask) = mask else { return Ok(None) };
    if mask.len() != count {
        let message = format!("the number of elements of the mask is {}, not {count}", mask.len());
        return Err(Error::new(Status::InvalidArgument, message));
    }
    let mut present = Bitmap::default();
    for &missing in mask {
        present.push(missing == 0)?;
    }
    Ok(Some(present))
}

/// Returns the validity bitmap of the cells: a cell is present if at least one of its elements is, or if it has none.
fn cells_with(elements: &Bitmap, row_count: usize) -> Result<Bitmap> {
    let of_cell = elements.len().checked_div(row_count).unwrap_or_default();
    let mut cells = Bitmap::default();
    for row in 0..row_count {
        cells.push(of_cell == 0 || (row * of_cell..(row + 1) * of_cell).any(|index| elements.get(index)))?;
    }
    Ok(cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn data<'a>(scalar: ScalarType, bytes: &'a [u8], mask: Option<&'a [u8]>) -> ColumnData<'a> {
        ColumnData { datatype: scalar.into(), bytes, order: Order::C, mask, blank_padded: false }
    }

    #[test]
    fn memory_becomes_columns() {
        let mut table = Table::of_rows(2);
        table.add_array("truth", &[], &data(ScalarType::Bool8, &[0, 7], None)).unwrap();
        table.add_array("grid", &[2], &data(ScalarType::Uint8, &[1, 2, 3, 4], Some(&[0, 1, 2, 3]))).unwrap();
        table.add_variable("lists", &[], &[-1, 3], &data(ScalarType::Int8, &[1, 2, 3], Some(&[0, 0, 1]))).unwrap();
        let before = table.clone();
        table.describe_column("grid", |column| column.unit = Some("m".to_owned())).unwrap();
        assert_eq!((before.columns().len(), before.header().columns[1].unit.as_deref()), (3, None));
        assert_eq!(table.column("truth").unwrap().values(), &Values::Bool8(vec![0, 1]));
        let grid = table.column("grid").unwrap();
        assert_eq!([0, 1].map(|row| grid.has_cell(row)), [true, false]);
        assert_eq!([0, 1, 2, 3].map(|index| grid.has_element(index)), [true, false, false, false]);
        let lists = table.column("lists").unwrap();
        assert_eq!((lists.offsets(), lists.has_cell(0), lists.has_element(2)), (Some(&[0, 0, 3][..]), false, false));
        let fortran = ColumnData { order: Order::Fortran, ..data(ScalarType::Uint8, &[1, 2, 3, 4], None) };
        table.add_array("fortran", &[2], &fortran).unwrap();
        assert_eq!(table.column("fortran").unwrap().values(), &Values::Uint8(vec![1, 3, 2, 4]));
    }

    #[test]
    fn refused_data_leave_the_table_unchanged() {
        let mut table = Table::of_rows(2);
        let mut refused = |name: &str, shape: &[i64], bytes: &[u8], mask: Option<&[u8]>| {
            let error = table.add_array(name, shape, &data(ScalarType::Uint8, bytes, mask)).unwrap_err();
            assert_eq!((error.status(), table.columns().len()), (Status::InvalidArgument, 0));
        };
        refused("a", &[], &[1], None);
        refused("a", &[2], &[1, 2], None);
        refused("a", &[], &[1, 2], Some(&[0]));
        refused("a", &[-1], &[], None);
        refused("a", &[i64::MAX, i64::MAX], &[], None);
        refused("a", &[1; 32], &[1, 2], None);
        table.add_array("a", &[], &data(ScalarType::Uint8, &[1, 2], None)).unwrap();
        assert!(table.add_array("a", &[], &data(ScalarType::Uint8, &[1, 2], None)).is_err());
        let renamed = table.describe_column("a", |column| column.name = "b".to_owned());
        assert_eq!(renamed.unwrap_err().status(), Status::InvalidArgument);
        assert!(table.position("a").is_ok());
    }
}
