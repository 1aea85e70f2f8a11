//! Logical columns: the columns of the program that wrote a table. astropy stores quantities, times and coordinates as
//! one or several columns of the file, and describes them in the metadata under `__serialized_columns__`.
//!
//! An unknown class or a reference to a column that does not exist is no error: the table can still be read.

use super::serialized::{CLASS, COLUMN_TAG, entries, is_masked, plain_text, referred, text_under};
use super::{Bitmap, CellShape, Column, ColumnParts, Header, Table, Values};
use crate::error::{Error, Result, Status};
use crate::file::Node;
use crate::tree::{Kind, NodeId, Tree, path};
use std::collections::HashSet;
use std::sync::Arc;

/// Column of the file that is part of a logical column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Path of the attribute that the column stores: `value`, `ra/value`. Empty if the logical column is this column of
    /// the file.
    pub attribute: String,
    /// Name of the column in the file.
    pub name: String,
    /// Index among the columns of the header; `None` if there is no such column.
    pub position: Option<usize>,
}

/// Column as the program that wrote the table had it.
#[derive(Clone, Debug)]
pub struct LogicalColumn {
    /// Name of the logical column.
    pub name: String,
    /// Dotted name of the Python class; `None` for a plain column of the file.
    pub class: Option<String>,
    /// Columns of the file that it consists of, in the order of the file. Columns that do not exist come last.
    pub members: Vec<Member>,
    /// All metadata of the column: a mapping in which references to columns have a tag of their own. `None` for a plain
    /// column of the file.
    pub attributes: Option<Node>,
    /// Unit of the column as a whole, as it is spelled in the file.
    pub unit: Option<String>,
}

impl LogicalColumn {
    /// Returns an attribute that is text, such as `scale` and `format` of a time or `frame` of a coordinate.
    pub fn attribute(&self, path: &str) -> Option<String> {
        self.attributes.as_ref()?.string(path).ok()
    }

    /// Returns the values from a table, if the logical column stores them in one column of the file.
    ///
    /// A second column may be a mask. In a text column only the mask marks missing values; elsewhere the mask adds to
    /// the cells or elements that are already missing. Values are copied only if there is a mask.
    ///
    /// Fails with [`Status::WrongType`] if the values are stored in several columns. The same status means that the
    /// mask is not of type bool, or does not have one value for each element or for each cell. Fails with
    /// [`Status::NotFound`] if a column does not exist.
    pub fn values(&self, table: &Table) -> Result<Arc<Column>> {
        let data: Vec<&Member> = self.data_members().collect();
        let [data] = data[..] else {
            let message = format!("the column '{}' is made of {} columns of the file", self.name, self.members.len());
            return Err(Error::new(Status::WrongType, message));
        };
        self.values_of(data, table)
    }

    /// Returns the columns of the file that hold the values as a table, each under its name in the file. Masks are
    /// applied as in [`LogicalColumn::values`] and are not columns of the result.
    ///
    /// Fails as [`LogicalColumn::values`] does, and with [`Status::WrongType`] if two attributes refer to the same
    /// column.
    pub fn parts(&self, table: &Table) -> Result<Table> {
        let mut header = Header::default();
        let mut columns = Vec::new();
        let mut names = HashSet::new();
        for member in self.data_members() {
            if !names.insert(&member.name) {
                let message = format!(
                    "two attributes of the column '{}' refer to the same column '{}' of the file",
                    self.name, member.name
                );
                return Err(Error::new(Status::WrongType, message));
            }
            columns.push(self.values_of(member, table)?);
            let declared = table.header().columns.get(table.position(&member.name)?);
            header.columns.extend(declared.cloned());
        }
        Table::new(Arc::new(header), columns, table.row_count())
    }

    /// Returns the members that are not masks of others.
    fn data_members(&self) -> impl Iterator<Item = &Member> {
        self.members.iter().filter(|member| !self.is_mask(member))
    }

    /// Returns the values of a member, combined with its mask if there is one.
    fn values_of(&self, member: &Member, table: &Table) -> Result<Arc<Column>> {
        let values = table.column(&member.name)?;
        let object = member.attribute.strip_suffix("data");
        let mask = self.members.iter().find(|other| object.is_some() && other.attribute.strip_suffix("mask") == object);
        match mask {
            None => Ok(values.clone()),
            Some(mask) => {
                let masked = masked(values.clone(), table.column(&mask.name)?);
                masked.map(Arc::new).map_err(|error| error.in_table_column(&self.name))
            }
        }
    }

    /// Returns whether a member is the mask of another one.
    fn is_mask(&self, member: &Member) -> bool {
        let Some(object) = member.attribute.strip_suffix("mask") else { return false };
        self.members.iter().any(|other| other.attribute.strip_suffix("data") == Some(object))
    }
}

/// Returns the logical columns of a table. A logical column that is made of several columns of the file stands at the
/// position of the first of them. Logical columns without any existing column come last.
pub fn logical_columns(header: &Header) -> Vec<LogicalColumn> {
    let mut columns = header.meta.as_ref().map_or_else(Vec::new, |meta| serialized(meta, header));
    let used: HashSet<usize> = columns.iter().flat_map(|column| &column.members).filter_map(|it| it.position).collect();
    let plain = header.columns.iter().enumerate().filter(|(position, _)| !used.contains(position));
    columns.extend(plain.map(|(position, column)| LogicalColumn {
        name: column.name.clone(),
        class: None,
        members: vec![Member { attribute: String::new(), name: column.name.clone(), position: Some(position) }],
        attributes: None,
        unit: column.unit.clone(),
    }));
    columns.sort_by_key(|column| column.members.first().and_then(|first| first.position).unwrap_or(usize::MAX));
    columns
}

/// Returns the names of the text columns in which an empty field is an empty text, since a mask marks missing values or
/// none is missing.
pub(super) fn with_empty_texts(tree: &Tree, meta: NodeId) -> HashSet<String> {
    let Some(entries) = entries(tree, meta) else { return HashSet::new() };
    let masked = tree.pairs(entries).chunks_exact(2).filter_map(|pair| {
        let entry = tree.dealias(pair[1]);
        let data = tree.find_token(entry, "data").filter(|_| is_masked(tree, entry))?;
        referred(tree, tree.dealias(data)).map(str::to_owned)
    });
    masked.collect()
}

/// Returns the logical columns that the metadata describe.
fn serialized(meta: &Node, header: &Header) -> Vec<LogicalColumn> {
    let described = meta.in_tree(|tree, meta| {
        let Some(entries) = entries(tree, meta) else { return Vec::new() };
        let entry = |pair: &[NodeId]| {
            let attributes = tree.dealias(pair[1]);
            let members = members(tree, attributes, header);
            let class = text_under(tree, attributes, CLASS).map(str::to_owned);
            let unit = unit(tree, attributes, &members, header);
            (
                attributes,
                LogicalColumn { name: tree.key(pair[0]).text().into_owned(), class, members, attributes: None, unit },
            )
        };
        tree.pairs(entries).chunks_exact(2).map(entry).collect()
    });
    let with_attributes = |(id, column)| LogicalColumn { attributes: Some(meta.file().node(id)), ..column };
    described.unwrap_or_default().into_iter().map(with_attributes).collect()
}

/// Returns the references to columns below an entry, in the order of the file. An alias is followed only if it leads to
/// a reference, so that the time is proportional to the size of the entry.
fn members(tree: &Tree, entry: NodeId, header: &Header) -> Vec<Member> {
    let mut members = Vec::new();
    let mut open = vec![(String::new(), entry)];
    while let Some((object, id)) = open.pop() {
        for pair in tree.pairs(id).chunks_exact(2) {
            let value = tree.dealias(pair[1]);
            let attribute = format!("{object}{}", path::escape(&tree.key(pair[0]).text()));
            if let Some(name) = referred(tree, value) {
                let position = header.position(name).ok();
                members.push(Member { attribute, name: name.to_owned(), position });
            } else if tree.tag(value) == Some(COLUMN_TAG) && value == pair[1] && tree.kind(value) == Kind::Mapping {
                open.push((attribute + "/", value));
            }
        }
    }
    members.sort_by_key(|member| member.position.unwrap_or(usize::MAX));
    members
}

/// Returns the unit of an entry; without one, the unit of the only column that holds its values.
fn unit(tree: &Tree, entry: NodeId, members: &[Member], header: &Header) -> Option<String> {
    let under = |mapping, key| tree.find_token(mapping, key).map(|value| tree.dealias(value));
    let declared = under(entry, "unit").or_else(|| under(under(entry, "__info__")?, "unit"));
    if let Some(unit) = declared {
        return text_under(tree, unit, "unit").or_else(|| plain_text(tree, unit)).map(str::to_owned);
    }
    let mut values = members.iter().filter(|member| !member.attribute.ends_with("mask"));
    match (values.next(), values.next()) {
        (Some(only), None) => header.columns.get(only.position?)?.unit.clone(),
        _ => None,
    }
}

/// Returns a column in which the values that a mask marks are missing as well. The values are copied if the column is
/// shared.
pub(super) fn masked(data: Arc<Column>, mask: &Column) -> Result<Column> {
    let Values::Bool8(truths) = mask.values() else {
        return Err(Error::new(Status::WrongType, "the mask is not of type bool"));
    };
    let of_cells = *mask.cell_shape() == CellShape::Scalar;
    if mask.row_count() != data.row_count()
        || !of_cells && (mask.cell_shape() != data.cell_shape() || mask.offsets() != data.offsets())
    {
        return Err(Error::new(Status::WrongType, "the mask and the values differ in shape"));
    }
    let is_shown = |index: usize| mask.has_element(index) && truths.get(index) == Some(&0);
    let (mut cells, mut elements) = (data.cells().cloned(), data.elements().cloned());
    if of_cells {
        cells = Some(bitmap_of(data.row_count(), |row| data.has_cell(row) && is_shown(row))?);
    } else {
        elements = Some(bitmap_of(truths.len(), |index| data.has_element(index) && is_shown(index))?);
    }
    match Arc::try_unwrap(data) {
        Ok(own) => Column::new(ColumnParts { cells, elements, ..own.into_parts() }),
        Err(shared) => shared.with_missing(cells, elements),
    }
}

fn bitmap_of(count: usize, bit: impl Fn(usize) -> bool) -> Result<Bitmap> {
    let mut bitmap = Bitmap::default();
    for index in 0..count {
        bitmap.push(bit(index))?;
    }
    Ok(bitmap)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::ScalarType;
    use crate::table::ecsv::{Input, ReadOptions, read_header};
    use crate::table::{CellShape, ElementType, Text};

    fn header(columns: &[&str], meta: &str) -> Header {
        let mut text = "# %ECSV 1.0\n# ---\n# datatype:\n".to_owned();
        for column in columns {
            text += &format!("# - {{name: {column}, unit: u, datatype: string}}\n");
        }
        for line in meta.lines() {
            text += &format!("# {line}\n");
        }
        text += &(columns.join(" ") + "\n");
        let mut input = Input::of_memory(Arc::new(text.into_bytes())).unwrap();
        read_header(&mut input, &ReadOptions::default()).unwrap().header
    }

    fn shown(column: &LogicalColumn) -> String {
        let members = column.members.iter().map(|it| format!("{}={}@{:?}", it.attribute, it.name, it.position));
        let members = members.collect::<Vec<_>>().join(" ");
        format!("{}: {} [{}]", column.name, column.class.as_deref().unwrap_or("-"), members)
    }

    #[test]
    fn columns_of_the_file_become_members() {
        let meta = "meta: !!omap\n- __serialized_columns__:\n    sc:\n      __class__: a.SkyCoord\n      frame: icrs\n      \
                    dec: !astropy.table.SerializedColumn\n        __class__: b.Latitude\n        unit: &u !x {unit: deg}\n        \
                    value: !astropy.table.SerializedColumn {name: sc.dec}\n      ra: !astropy.table.SerializedColumn\n        \
                    unit: *u\n        name: {name: {}}\n        value: &r !astropy.table.SerializedColumn {name: sc.ra}\n    \
                    q: {__class__: c.Quantity, unit: *u, value: !astropy.table.SerializedColumn {name: q}}\n    \
                    lost: {__class__: d.Lost, value: !astropy.table.SerializedColumn {name: nosuch}, more: *r}\n    odd: 5\n";
        let columns = logical_columns(&header(&["a", "sc.ra", "sc.dec", "q"], meta));
        let shown: Vec<_> = columns.iter().map(shown).collect();
        let expected = [
            "a: - [=a@Some(0)]",
            "sc: a.SkyCoord [ra/value=sc.ra@Some(1) dec/value=sc.dec@Some(2)]",
            "lost: d.Lost [more=sc.ra@Some(1) value=nosuch@None]",
            "q: c.Quantity [value=q@Some(3)]",
            "odd: - []",
        ];
        assert_eq!(shown, expected);
        let units: Vec<_> = columns.iter().map(|column| column.unit.as_deref()).collect();
        assert_eq!(units, [Some("u"), None, None, Some("deg"), None]);
        assert_eq!(columns[1].attribute("frame").as_deref(), Some("icrs"));
        assert_eq!(columns[1].attribute("dec/__class__").as_deref(), Some("b.Latitude"));
        assert_eq!(columns[1].attribute("scale"), None);
        for odd in ["", "meta: 5", "meta: {__serialized_columns__: [1]}", "meta: [a]"] {
            assert_eq!(logical_columns(&header(&["a", "b"], odd)).len(), 2, "{odd}");
        }
    }

    fn texts(texts: &[&str]) -> Column {
        let mut values = Text::new();
        texts.iter().for_each(|text| values.push(text).unwrap());
        Column::scalars(ElementType::String, Values::Text(values), None).unwrap()
    }

    fn truths(cell_shape: CellShape, values: &[u8], row_count: usize) -> Column {
        let element_type = ElementType::Scalar(ScalarType::Bool8);
        let values = Values::Bool8(values.to_vec());
        Column::new(ColumnParts {
            element_type,
            cell_shape,
            values,
            offsets: None,
            cells: None,
            elements: None,
            row_count,
        })
        .unwrap()
    }

    #[test]
    fn masks_mark_missing_values() {
        let meta = "meta: {__serialized_columns__: {s: {__class__: astropy.table.column.MaskedColumn, data: \
                    !astropy.table.SerializedColumn {name: s}, mask: !astropy.table.SerializedColumn {name: s.mask}}}}";
        let header = header(&["s", "s.mask"], meta);
        assert_eq!(header.columns.iter().map(|column| column.has_empty_texts).collect::<Vec<_>>(), [true, false]);
        let logical = logical_columns(&header);
        assert_eq!(logical.len(), 1);
        let table_of = |mask: Column| {
            let mut header = header.clone();
            (header.columns[1].element_type, header.columns[1].cell_shape) =
                (mask.element_type(), mask.cell_shape().clone());
            Table::new(Arc::new(header), vec![Arc::new(texts(&["", "x", "y"])), Arc::new(mask)], 3).unwrap()
        };
        let found = logical[0].values(&table_of(truths(CellShape::Scalar, &[0, 1, 0], 3))).unwrap();
        assert_eq!([0, 1, 2].map(|row| found.has_cell(row)), [true, false, true]);
        assert_eq!(found.values().text().unwrap().iter().collect::<Vec<_>>(), ["", "x", "y"]);
        for wrong in [truths(CellShape::Fixed(vec![2]), &[0; 6], 3), texts(&["", "", ""])] {
            assert_eq!(logical[0].values(&table_of(wrong)).unwrap_err().status(), Status::WrongType);
        }
    }

    #[test]
    fn masks_may_be_of_elements() {
        let data = truths(CellShape::Fixed(vec![2]), &[1; 4], 2);
        let data = Arc::new(data);
        let found = masked(data.clone(), &truths(CellShape::Fixed(vec![2]), &[0, 1, 0, 0], 2)).unwrap();
        assert_eq!([0, 1, 2, 3].map(|element| found.has_element(element)), [true, false, true, true]);
        let found = masked(data, &truths(CellShape::Scalar, &[1, 0], 2)).unwrap();
        assert_eq!([0, 1, 2, 3].map(|element| found.has_element(element)), [false, false, true, true]);
    }
}
