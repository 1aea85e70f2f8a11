//! Inline records: each record is a list of its fields, nested like the datatype.
//!
//! The rank is that of the stated shape, or 1. Deeper lists belong to the records.

use super::lists::{Lists, resolve};
use super::{check_repeated, room};
use crate::array::element::datatype::{Datatype, Field};
use crate::array::element::leaf::bad;
use crate::array::element::leaf::leaf;
use crate::array::payload::Payload;
use crate::array::payload::stored;
use crate::array::place::geometry::element_count;
use crate::error::{Error, Result, Status};
use crate::limits::Limits;
use crate::source::try_zeroed;
use crate::tree::{Kind, NodeId, Tree};

/// Returns the records as packed native bytes. If a value is null, also returns one byte for each scalar or string, in
/// order: 1 for null, else 0.
pub(super) fn store(
    tree: &Tree,
    data: NodeId,
    datatype: &Datatype,
    shape: &[i64],
    limits: &Limits,
) -> Result<(Payload, Option<Vec<u8>>)> {
    if tree.kind(data) != Kind::Sequence {
        return Err(bad(tree, data, "inline records must be in a list"));
    }
    let count = element_count(shape)? as u64;
    if count == 0 {
        // Dimensions below an empty list are known only from the shape.
        if tree.item_count(data) > 0 {
            let lists = Lists { tree, data, shape: shape.to_vec(), of_lists: true };
            lists.count()?;
            lists.elements().try_for_each(|found| found.map(drop))?;
        }
        return Ok((stored(Vec::new()), None));
    }
    check_repeated(tree, data, count.saturating_mul(datatype.leaf_count()))?;
    let size = datatype.item_size()?;
    let mut bytes = room(tree, data, count, size, limits)?;
    let mut reader = ElementReader { tree, leaves: 0, nulls: Vec::new() };
    reader.elements(data, datatype, shape, &mut bytes)?;
    Ok((stored(bytes), reader.missing()?))
}

struct ElementReader<'a> {
    tree: &'a Tree,
    /// The number of values read so far, and the indices of nulls among them.
    leaves: usize,
    nulls: Vec<usize>,
}

impl ElementReader<'_> {
    /// Recurses once for each level of records; their number is bounded.
    fn elements(&mut self, data: NodeId, datatype: &Datatype, shape: &[i64], out: &mut [u8]) -> Result<()> {
        let size = datatype.item_size()? as usize;
        let of_lists = matches!(datatype, Datatype::Record(_));
        let lists = Lists { tree: self.tree, data, shape: shape.to_vec(), of_lists };
        let mut rest = out;
        for found in lists.elements() {
            let node = found?.node;
            let Some((element, after)) = std::mem::take(&mut rest).split_at_mut_checked(size) else {
                return Err(Error::new(Status::Internal, "there are more inline elements than the shape has"));
            };
            rest = after;
            match datatype {
                Datatype::Record(fields) => self.record(node, fields, element)?,
                leaf_type => self.leaf(node, leaf_type, element)?,
            }
        }
        Ok(())
    }

    fn record(&mut self, node: NodeId, fields: &[Field], out: &mut [u8]) -> Result<()> {
        let items = self.tree.items(node);
        if self.tree.kind(node) != Kind::Sequence || items.len() != fields.len() {
            let message = format!("a record must be a list of its {} fields", fields.len());
            return Err(bad(self.tree, node, message));
        }
        let mut rest = out;
        for (field, &item) in fields.iter().zip(items) {
            let Some((part, after)) = std::mem::take(&mut rest).split_at_mut_checked(field.size()? as usize) else {
                return Err(Error::new(Status::Internal, "a record is longer than its datatype"));
            };
            rest = after;
            self.elements(resolve(self.tree, item)?, &field.datatype, &field.shape, part)?;
        }
        Ok(())
    }

    fn leaf(&mut self, node: NodeId, datatype: &Datatype, out: &mut [u8]) -> Result<()> {
        let leaf = leaf(self.tree, node)?;
        if leaf.is_null() {
            self.nulls.try_reserve(1).map_err(|_| Error::out_of_memory(size_of::<usize>() as u64))?;
            self.nulls.push(self.leaves);
        }
        self.leaves += 1;
        leaf.put(self.tree, node, datatype, out)
    }

    fn missing(&self) -> Result<Option<Vec<u8>>> {
        if self.nulls.is_empty() {
            return Ok(None);
        }
        let mut missing = try_zeroed(self.leaves)?;
        for &number in &self.nulls {
            if let Some(missing) = missing.get_mut(number) {
                *missing = 1;
            }
        }
        Ok(Some(missing))
    }
}

#[cfg(test)]
mod tests {
    use crate::array::tests::tree;
    use crate::array::{Array, Descriptor, ReadOptions};
    use crate::error::{Result, Status};
    use crate::limits::Limits;

    fn open(text: &str) -> Result<Array> {
        let tree = tree(text);
        let descriptor = Descriptor::parse(&tree, tree.root(), &Limits::default())?;
        Array::open_inline(&tree, &descriptor, &Limits::default())
    }

    fn bytes(text: &str) -> Vec<u8> {
        let array = open(text).unwrap();
        let mut out = vec![0; array.byte_size(array.datatype()).unwrap() as usize];
        array.read(array.datatype(), &mut out, &ReadOptions::default()).unwrap();
        out
    }

    #[test]
    fn records_are_lists_of_their_fields() {
        assert_eq!(bytes("{data: [[1, ab], [2, c]], datatype: [uint8, [ascii, 2]]}"), *b"\x01ab\x02c\0");
        let nested = "{data: [[[1, [2, 3]], [[4], [5]]]], datatype: [
            {name: a, datatype: [uint8, {datatype: uint8, shape: [2]}]}, {name: b, datatype: uint8, shape: [2, 1]}]}";
        assert_eq!(bytes(nested), [1, 2, 3, 4, 5]);
        let records = open("{data: [[[1], [2]]], datatype: [uint8], shape: [1, 2]}").unwrap();
        assert_eq!(records.shape(), [1, 2]);
        assert_eq!(bytes("{data: [7, 8], datatype: [uint8, int8], shape: []}"), [7, 8]);
        for data in ["[], datatype: [uint8], shape: [0, 3]", "[[], []], datatype: [uint8, int8], shape: [2, 0]"] {
            assert_eq!(bytes(&format!("{{data: {data}}}")), [0_u8; 0], "{data}");
        }
        assert!(open("{data: [[1, null]], datatype: [uint8, int8]}").unwrap().is_masked());
    }

    #[test]
    fn invalid_records_are_refused_at_their_location() {
        let cases = [
            ("{data: [[1, 2], [3]], datatype: [int8, int8]}", Status::BadArray, "/data/1"),
            ("{data: [1], datatype: [int8]}", Status::BadArray, "/data/0"),
            ("{data: 1, datatype: [int8]}", Status::BadArray, "/data"),
            ("{data: [[[1]]], datatype: [int8]}", Status::BadArray, "/data/0/0"),
            ("{data: [[1]], datatype: [{datatype: int8, shape: [1]}]}", Status::BadArray, "/data/0/0"),
            ("{data: [[1]], datatype: [int8], shape: [2]}", Status::BadArray, "/data"),
            ("{data: [[1]], datatype: [int8], shape: [0]}", Status::BadArray, "/data"),
            ("{data: [[300]], datatype: [int8]}", Status::Overflow, "/data/0/0"),
            ("{data: [[a]], datatype: [int8]}", Status::Conversion, "/data/0/0"),
            ("{data: [[[]]], datatype: [{datatype: int8, shape: [0, 1000000000]}]}", Status::Limit, "/data"),
        ];
        for (text, status, path) in cases {
            let error = open(text).unwrap_err();
            assert_eq!((error.status(), error.location().path.as_deref()), (status, Some(path)), "{text}");
        }
    }
}
