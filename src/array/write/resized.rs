//! Arrays with a new shape: each dimension is cut off or extended at its end.

use super::made::MadeElements;
use crate::array::{Array, Datatype, Order, ReadOptions, Region, packed_size};
use crate::error::{Error, Result, Status};
use crate::source::{OwnSource, Source, SourceKind, try_zeroed};
use std::sync::Arc;

/// A source of the elements in the new shape, packed in C order and native. Elements that the old array lacks are
/// `fill`.
struct Resized {
    array: Array,
    shape: Vec<i64>,
    fill: Vec<u8>,
    length: u64,
}

impl Array {
    /// Returns the bytes of the array in another shape with the same number of dimensions, packed in C order in the
    /// array's byte order. Elements keep their indices. New elements are `fill`, one native element, or zero. The
    /// source reads the array on demand, in pieces.
    ///
    /// Fails with [`Status::InvalidArgument`] for another number of dimensions, an invalid shape, and a fill value of
    /// another size.
    pub(crate) fn resized(&self, shape: &[i64], fill: Option<&[u8]>) -> Result<impl Source + use<>> {
        let (rank, item) = (self.shape().len(), self.datatype().item_size()? as usize);
        if shape.len() != rank {
            let message = format!(
                "the array has {rank} dimensions, and the number cannot change; the new shape has {}",
                shape.len()
            );
            return Err(Error::new(Status::InvalidArgument, message));
        }
        let length = packed_size(self.datatype(), shape)?;
        let fill = match fill {
            None => try_zeroed(item)?,
            Some(fill) if fill.len() == item => fill.to_vec(),
            Some(fill) => {
                let message = format!("an element takes {item} bytes, but the fill value has {}", fill.len());
                return Err(Error::new(Status::InvalidArgument, message));
            }
        };
        let (datatype, byteorder) = (self.datatype().clone(), self.byteorder());
        let resized = Resized { array: self.without_mask().without_owner(), shape: shape.to_vec(), fill, length };
        MadeElements::unchecked(Arc::new(resized), &datatype, shape, byteorder)
    }
}

impl Resized {
    fn datatype(&self) -> &Datatype {
        self.array.datatype()
    }

    /// Writes a box of the new array that begins with the element of this number and fits into `out`. `out` must hold
    /// at least one element. Returns the number of bytes.
    fn elements(&self, number: u64, out: &mut [u8]) -> Result<usize> {
        let (shape, item) = (&self.shape, self.fill.len());
        let mut start = vec![0; shape.len()];
        let mut rest = number as i64;
        for (index, &extent) in start.iter_mut().zip(shape).rev() {
            *index = rest % extent;
            rest /= extent;
        }
        let room = (out.len() / item) as i64;
        let (mut count, mut strides) = (vec![1; shape.len()], vec![item as i64; shape.len()]);
        let mut taken = 1;
        for axis in (0..shape.len()).rev() {
            strides[axis] = taken * item as i64;
            count[axis] = (room / taken).min(shape[axis] - start[axis]);
            taken *= count[axis];
            if start[axis] != 0 || count[axis] < shape[axis] {
                // The outer dimensions have one index here, so their strides do not matter.
                break;
            }
        }
        let out = &mut out[..taken as usize * item];
        let old = self.array.shape();
        let there: Vec<i64> = (0..shape.len()).map(|axis| (old[axis] - start[axis]).clamp(0, count[axis])).collect();
        if there != count {
            out.chunks_exact_mut(item).for_each(|element| element.copy_from_slice(&self.fill));
        }
        if there.iter().all(|&count| count > 0) {
            let region = Region { start: &start, count: &there, step: None };
            let options = ReadOptions { order: Order::Strided(strides), ..ReadOptions::default() };
            self.array.read_region(&region, self.datatype(), out, &options)?;
        }
        Ok(out.len())
    }
}

impl Source for Resized {
    fn len(&self) -> u64 {
        self.length
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let item = self.fill.len();
        let available = usize::try_from(self.length.saturating_sub(offset)).unwrap_or(usize::MAX);
        let wanted = available.min(buffer.len());
        let mut done = 0;
        while done < wanted && item > 0 {
            let at = offset + done as u64;
            let (number, within) = (at / item as u64, (at % item as u64) as usize);
            if within == 0 && wanted - done >= item {
                done += self.elements(number, &mut buffer[done..wanted])?;
                continue;
            }
            let mut element = try_zeroed(item)?;
            self.elements(number, &mut element)?;
            let part = &element[within..item.min(within + wanted - done)];
            buffer[done..done + part.len()].copy_from_slice(part);
            done += part.len();
        }
        Ok(done)
    }

    fn abilities(&self) -> Option<&dyn OwnSource> {
        Some(self)
    }
}

impl OwnSource for Resized {
    fn kind(&self) -> SourceKind {
        SourceKind::Computed { unit: self.fill.len() as u64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::tests::Lcg;
    use crate::array::{ArraySource, ByteOrder, DeclaredShape, Descriptor, Payload, ScalarType};
    use crate::limits::Limits;
    use crate::source::{MemorySource, read_exact_at};

    fn array(shape: &[i64]) -> Array {
        let count: i64 = shape.iter().product();
        let bytes: Vec<u8> = (0..count as u16).flat_map(|value| (value + 1).to_be_bytes()).collect();
        let mut tree = crate::tree::Tree::new();
        let node = tree.place(tree.root(), "a").unwrap();
        let descriptor = Descriptor {
            node,
            source: ArraySource::Block(0),
            shape: Some(DeclaredShape::Fixed(shape.to_vec())),
            datatype: Some(ScalarType::Uint16.into()),
            byteorder: ByteOrder::Big,
            offset: 0,
            strides: None,
            mask: None,
            warnings: Vec::new(),
        };
        let length = bytes.len() as u64;
        let payload = Payload::Stored { source: Arc::new(MemorySource::of_vec(bytes)), offset: 0, length };
        Array::open(&descriptor, payload, &Limits::default()).unwrap()
    }

    #[test]
    fn elements_keep_their_indices() {
        let mut random = Lcg(5);
        for round in 0..400 {
            let rank = 1 + random.below(3) as usize;
            let old: Vec<i64> = (0..rank).map(|_| 1 + random.below(5) as i64).collect();
            let new: Vec<i64> = (0..rank).map(|_| random.below(7) as i64).collect();
            let fill = 0xABCDu16;
            let source = array(&old).resized(&new, Some(&fill.to_ne_bytes())).unwrap();
            let count: i64 = new.iter().product();
            let mut expected = Vec::new();
            for number in 0..count {
                let (mut rest, mut position, mut size, mut inside) = (number, 0, 1, true);
                for axis in (0..rank).rev() {
                    let index = rest % new[axis];
                    rest /= new[axis];
                    inside &= index < old[axis];
                    position += index * size;
                    size *= old[axis];
                }
                let value = if inside { position as u16 + 1 } else { fill };
                expected.extend(value.to_be_bytes());
            }
            assert_eq!(source.len(), expected.len() as u64);
            let mut found = vec![0; expected.len()];
            let step = 1 + random.below(9) as usize;
            for (part, start) in found.chunks_mut(step).zip((0..).step_by(step)) {
                assert_eq!(source.read_at(start, part).unwrap(), part.len());
            }
            assert_eq!(found, expected, "{round}: {old:?} {new:?}");
            read_exact_at(&source, 0, &mut found).unwrap();
            assert_eq!(found, expected, "{round}: {old:?} {new:?}");
        }
    }

    #[test]
    fn invalid_shapes_and_fill_values_are_refused() {
        let status = |shape: &[i64], fill: Option<&[u8]>| array(&[2, 3]).resized(shape, fill).err().unwrap().status();
        assert_eq!(status(&[6], None), Status::InvalidArgument);
        assert_eq!(status(&[2, -1], None), Status::InvalidArgument);
        assert_eq!(status(&[i64::MAX, 3], None), Status::InvalidArgument);
        assert_eq!(status(&[2, 2], Some(&[1])), Status::InvalidArgument);
    }
}
