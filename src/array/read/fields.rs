//! Records: one field of all records as an array, and iteration over the packed bytes of records.

use crate::array::element::datatype::{Datatype, Field};
use crate::array::place::geometry::{Geometry, c_strides, element_count, uncountable};
use crate::array::{Array, DeclaredShape};
use crate::error::{Error, Result, Status};
use crate::limits::Limits;

impl Array {
    /// Returns one field of all records as an array. Its dimensions are those of the array, then those of the field.
    ///
    /// A field without a name is called `f` and its number, counted from 0. Reads nothing. Fails with
    /// [`Status::WrongType`] if the elements are not records, with [`Status::NotFound`] for an unknown name, and with
    /// [`Status::Limit`] for too many dimensions.
    pub fn field(&self, name: &str) -> Result<Array> {
        self.field_named(name).map_err(|error| self.locate(error))
    }

    fn field_named(&self, name: &str) -> Result<Array> {
        let Datatype::Record(fields) = &self.datatype else {
            let message = format!("only records have fields, but the elements are {}", self.datatype);
            return Err(Error::new(Status::WrongType, message));
        };
        let named = fields.iter().position(|field| field.name.as_deref() == Some(name));
        let numbered = || {
            let index = name.strip_prefix('f')?.parse::<usize>().ok()?;
            fields.get(index).filter(|field| field.name.is_none()).map(|_| index)
        };
        let Some(index) = named.or_else(numbered) else {
            let message = format!("the records {} have no field '{name}'", self.datatype);
            return Err(Error::new(Status::NotFound, message));
        };
        self.field_at(index)
    }

    /// Returns the array of the field at this position.
    pub(super) fn field_at(&self, index: usize) -> Result<Array> {
        let fields = match &self.datatype {
            Datatype::Record(fields) => &fields[..],
            _ => &[],
        };
        let (before, field) = (fields.get(..index).unwrap_or_default(), fields.get(index));
        let field = field.ok_or_else(|| Error::new(Status::Internal, "the index of a field is out of range"))?;
        let mut offset = self.geometry.offset();
        // In an array without records, the offset of a field may lie outside the bytes.
        for field in if self.element_count() == 0 { &[] } else { before } {
            let size = i64::try_from(field.size()?).map_err(|_| uncountable())?;
            offset = offset.checked_add(size).ok_or_else(uncountable)?;
        }
        let rank = self.shape().len() + field.shape.len();
        if rank > Limits::MAX_RANK as usize {
            return Err(Error::limit("the dimensions of an array", Limits::MAX_RANK.into()));
        }
        let item_size = field.datatype.item_size()?;
        let inner = c_strides(&field.shape, element_count(&field.shape)?, item_size as i64)?;
        let shape = [self.shape(), &field.shape].concat();
        let strides = [self.geometry.strides(), &inner].concat();
        let shape = DeclaredShape::Fixed(shape);
        let geometry = Geometry::new(&shape, Some(&strides), offset, item_size, self.payload.length())?;
        Ok(Array {
            datatype: field.datatype.clone(),
            byteorder: field.byteorder.unwrap_or(self.byteorder),
            geometry,
            missing: self.missing.of_field(index, field)?,
            warnings: Vec::new(),
            ..self.clone()
        })
    }
}

/// Calls `visit` with each scalar or string field of packed elements, in order: its datatype and its packed bytes.
pub(crate) fn for_each_leaf(
    datatype: &Datatype,
    elements: &[u8],
    visit: &mut dyn FnMut(&Datatype, &[u8]) -> Result<()>,
) -> Result<()> {
    let Datatype::Record(fields) = datatype else { return visit(datatype, elements) };
    for record in records(datatype, elements)? {
        for (field, bytes) in in_record(fields, record)? {
            for_each_leaf(&field.datatype, bytes, visit)?;
        }
    }
    Ok(())
}

/// Iterates over packed elements; empty if elements have size 0.
pub(crate) fn records<'a>(datatype: &Datatype, elements: &'a [u8]) -> Result<std::slice::ChunksExact<'a, u8>> {
    let size = usize::try_from(datatype.item_size()?).map_err(|_| uncountable())?;
    Ok(elements.chunks_exact(size.max(1)))
}

/// Returns the fields of a packed record with their bytes.
pub(crate) fn in_record<'a>(fields: &'a [Field], record: &'a [u8]) -> Result<Vec<(&'a Field, &'a [u8])>> {
    let mut parts = Vec::with_capacity(fields.len());
    let mut rest = record;
    for field in fields {
        let size = usize::try_from(field.size()?).map_err(|_| uncountable())?;
        let (bytes, after) = rest.split_at_checked(size).ok_or_else(uncountable)?;
        parts.push((field, bytes));
        rest = after;
    }
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use crate::Status;
    use crate::array::tests::{stored, tree};
    use crate::array::{Array, Descriptor, ReadOptions, ScalarType};
    use crate::limits::Limits;

    fn open(text: &str, bytes: &[u8]) -> Array {
        let tree = tree(text);
        let descriptor = Descriptor::parse(&tree, tree.root(), &Limits::default()).unwrap();
        Array::open(&descriptor, stored(bytes, 1), &Limits::default()).unwrap()
    }

    fn numbers(array: &Array) -> Vec<i64> {
        let target = ScalarType::Int64.into();
        let mut out = vec![0; array.byte_size(&target).unwrap() as usize];
        array.read(&target, &mut out, &ReadOptions::default()).unwrap();
        out.as_chunks().0.iter().map(|&bytes| i64::from_ne_bytes(bytes)).collect()
    }

    #[test]
    fn fields_are_arrays_with_strides() {
        let text = "{source: 0, shape: [2], byteorder: big, datatype: [
            uint8,
            {name: pair, datatype: [{name: x, datatype: int16}, {datatype: uint8}], shape: [2], byteorder: little},
            {name: last, datatype: int16}]}";
        let records = open(text, &[1, 2, 0, 3, 4, 0, 5, 0, 6, 11, 12, 0, 13, 14, 0, 15, 0, 16]);
        assert_eq!(numbers(&records.field("f0").unwrap()), [1, 11]);
        assert_eq!(numbers(&records.field("last").unwrap()), [6, 16]);
        let pair = records.field("pair").unwrap();
        assert_eq!((pair.shape(), pair.geometry().strides()), (&[2, 2][..], &[9, 3][..]));
        assert_eq!(numbers(&pair.field("x").unwrap()), [2, 4, 12, 14]);
        assert_eq!(numbers(&pair.field("f1").unwrap()), [3, 5, 13, 15]);
        let status = |array: &Array, name: &str| array.field(name).unwrap_err().status();
        assert_eq!(status(&records, "x"), Status::NotFound);
        assert_eq!([status(&records, "f1"), status(&records, "f3"), status(&records, "f")], [Status::NotFound; 3]);
        assert_eq!(status(&records.field("last").unwrap(), "x"), Status::WrongType);
    }

    #[test]
    fn fields_without_elements_and_reversed_records() {
        let none = "{source: 0, shape: [0], byteorder: big, datatype: [{name: a, datatype: int32}, {name: b, datatype: int8}]}";
        assert_eq!(open(none, &[1]).field("b").unwrap().shape(), &[0]);
        let text = "{source: 0, shape: [2], strides: [-3], offset: 3, byteorder: big, datatype: [
            {name: none, datatype: float64, shape: [0, 2]}, {name: a, datatype: uint8}, {name: b, datatype: int16}]}";
        let records = open(text, &[1, 0, 2, 3, 0, 4]);
        assert_eq!(numbers(&records.field("a").unwrap()), [3, 1]);
        assert_eq!(numbers(&records.field("b").unwrap()), [4, 2]);
        assert_eq!(records.field("none").unwrap().shape(), [2, 0, 2]);
        assert_eq!(numbers(&records.field("none").unwrap()), []);
    }
}
