//! Datatypes as numpy writes them: `<i4`, `|S5`, and lists of fields for records.

use super::metadata::MetadataParser;
use crate::array::element::datatype::{ByteOrder, Datatype, Field, parse_size};
use crate::array::element::scalar_type::ScalarType;
use crate::error::{Error, Result, Status};
use crate::tree::{Kind, NodeId};

/// The largest depth of nested records, as that of datatypes.
const MAX_NESTING: usize = 32;

impl MetadataParser<'_> {
    /// Returns the datatype at a node, and the byte order of a type that is no record.
    pub(super) fn dtype(&self, node: NodeId) -> Result<(Datatype, ByteOrder)> {
        let (datatype, order) = self.nested_dtype(node, 0)?;
        Ok((datatype, order.unwrap_or(ByteOrder::Little)))
    }

    fn bad_dtype(&self, node: NodeId, message: impl Into<String>) -> Error {
        self.tree.locate(Error::new(Status::BadDatatype, message), node)
    }

    fn nested_dtype(&self, node: NodeId, depth: usize) -> Result<(Datatype, Option<ByteOrder>)> {
        let node = self.tree.resolve(node)?;
        match self.tree.kind(node) {
            Kind::Scalar => dtype_of(self.tree.text(node)).map_err(|error| self.tree.locate(error, node)),
            Kind::Sequence if depth < MAX_NESTING => {
                let fields: Result<Vec<Field>> =
                    self.tree.items(node).iter().map(|&field| self.dtype_field(field, depth + 1)).collect();
                let record = Datatype::record(fields?).map_err(|error| self.tree.locate(error, node))?;
                Ok((record, None))
            }
            _ => Err(self.bad_dtype(node, "'dtype' must be a text or a list of fields")),
        }
    }

    fn dtype_field(&self, node: NodeId, depth: usize) -> Result<Field> {
        let node = self.tree.resolve(node)?;
        let items = if self.tree.kind(node) == Kind::Sequence { self.tree.items(node) } else { &[] };
        let (&[name, dtype], shape) = match items {
            [name, dtype] => (&[*name, *dtype], None),
            [name, dtype, shape] => (&[*name, *dtype], Some(*shape)),
            _ => return Err(self.bad_dtype(node, "a field must be a list of its name, its type and perhaps its shape")),
        };
        let (datatype, byteorder) = self.nested_dtype(dtype, depth)?;
        let shape = match shape.map(|shape| self.tree.resolve(shape)).transpose()? {
            None => Vec::new(),
            Some(shape) if self.tree.kind(shape) == Kind::Sequence => self.extents(shape, "shape")?,
            Some(shape) => vec![parse_size(self.tree, shape, "a dimension", Status::BadDatatype)?],
        };
        let name = self.tree.resolve(name)?;
        let name = if self.tree.kind(name) == Kind::Scalar { self.tree.text(name) } else { "" };
        let name = (!name.is_empty()).then(|| name.to_owned());
        Ok(Field { name, datatype, byteorder, shape })
    }
}

/// Returns the datatype of a text such as `<i4`, and its byte order. Fails with [`Status::BadDatatype`] for types that
/// ASDF does not have.
pub(super) fn dtype_of(text: &str) -> Result<(Datatype, Option<ByteOrder>)> {
    let unknown = || Error::new(Status::BadDatatype, format!("the datatype '{text}' of zarr is not supported"));
    let (order, rest) = match text.as_bytes().first() {
        Some(b'<') => (Some(ByteOrder::Little), &text[1..]),
        Some(b'>') => (Some(ByteOrder::Big), &text[1..]),
        Some(b'=') => (Some(ByteOrder::NATIVE), &text[1..]),
        Some(b'|') => (None, &text[1..]),
        _ => (None, text),
    };
    let kind = rest.chars().next().ok_or_else(unknown)?;
    // Times have their unit behind the size.
    let size = rest.get(kind.len_utf8()..).unwrap_or_default();
    let size = if matches!(kind, 'M' | 'm') { size.split('[').next().unwrap_or_default() } else { size };
    let size: u64 = match size {
        "" if kind == 'b' => 1,
        size if !size.starts_with('+') => size.parse().map_err(|_| unknown())?,
        _ => return Err(unknown()),
    };
    let scalar = match (kind, size) {
        ('b', 1) => ScalarType::Bool8,
        ('i', 1) => ScalarType::Int8,
        ('i', 2) => ScalarType::Int16,
        ('i' | 'M' | 'm', 8) => ScalarType::Int64,
        ('i', 4) => ScalarType::Int32,
        ('u', 1) => ScalarType::Uint8,
        ('u', 2) => ScalarType::Uint16,
        ('u', 4) => ScalarType::Uint32,
        ('u', 8) => ScalarType::Uint64,
        ('f', 2) => ScalarType::Float16,
        ('f', 4) => ScalarType::Float32,
        ('f', 8) => ScalarType::Float64,
        ('c', 8) => ScalarType::Complex64,
        ('c', 16) => ScalarType::Complex128,
        ('S', size) => return Ok((Datatype::Ascii(size), order)),
        ('U', size) => {
            let datatype = Datatype::Ucs4(size);
            datatype.item_size()?;
            return Ok((datatype, order));
        }
        ('V', size) => {
            let shape = vec![i64::try_from(size).map_err(|_| unknown())?];
            let bytes = Field { name: None, datatype: ScalarType::Uint8.into(), byteorder: None, shape };
            return Ok((Datatype::record(vec![bytes])?, order));
        }
        _ => return Err(unknown()),
    };
    Ok((scalar.into(), order))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_numpy_are_datatypes() {
        for (text, datatype, order) in [
            ("<i4", Datatype::from(ScalarType::Int32), Some(ByteOrder::Little)),
            (">f8", ScalarType::Float64.into(), Some(ByteOrder::Big)),
            ("|b1", ScalarType::Bool8.into(), None),
            ("<M8[ns]", ScalarType::Int64.into(), Some(ByteOrder::Little)),
            ("<m8[25s]", ScalarType::Int64.into(), Some(ByteOrder::Little)),
            ("|S5", Datatype::Ascii(5), None),
            ("<U3", Datatype::Ucs4(3), Some(ByteOrder::Little)),
        ] {
            assert_eq!(dtype_of(text).unwrap(), (datatype, order), "{text}");
        }
        assert_eq!(dtype_of("|V3").unwrap().0.item_size().unwrap(), 3);
        for text in ["|O", "<f16", "<c32", "", "<", "<i3", "|S-1", "<i+4", "é1", "|S18446744073709551616", "<M8x"] {
            let error = dtype_of(text).unwrap_err();
            assert_eq!(error.status(), Status::BadDatatype, "{text}");
        }
    }
}
