//! Elements in the caller's memory, in any layout, as the packed bytes of a block.
//!
//! Elements are packed on demand, so that borrowed memory is written without a second copy of it.

use crate::array::DeclaredShape;
use crate::array::convert::kernel::Kernel;
use crate::array::element::blanks::strip;
use crate::array::element::datatype::{ByteOrder, Datatype};
use crate::array::payload::fetch::Memory;
use crate::array::place::destination::{Destination, Order};
use crate::array::place::geometry::{Geometry, c_strides, check_elements, check_shape};
use crate::array::place::region::{Region, Selection};
use crate::array::read::copy::copy;
use crate::array::read::options::ReadOptions;
use crate::error::{Error, Result, Status};
use crate::source::{Map, MemorySource, OwnSource, SharedBytes, Source, try_zeroed, zeroed_bytes};

/// Size in bytes of the elements processed together.
const PIECE: u64 = if cfg!(test) { 100 } else { 64 * 1024 };

/// The layout of native elements in the caller's memory. Every element lies inside the memory.
pub(crate) struct InMemory {
    datatype: Datatype,
    geometry: Geometry,
}

impl InMemory {
    /// Fails with [`Status::InvalidArgument`] unless all elements lie within `size` bytes. Packed elements must fill
    /// the memory exactly.
    pub(crate) fn new(datatype: &Datatype, shape: &[i64], order: &Order, size: usize) -> Result<InMemory> {
        let item = datatype.item_size()?;
        let invalid = |message: String| Error::new(Status::InvalidArgument, message);
        let place = |strides: Option<&[i64]>, offset| {
            Geometry::new(&DeclaredShape::Fixed(shape.to_vec()), strides, offset, item, None)
                .map_err(|error| invalid(error.message().to_owned()))
        };
        let geometry = match order {
            Order::C => {
                check_elements(datatype, shape, size)?;
                place(None, 0)?
            }
            Order::Fortran => {
                let count = check_elements(datatype, shape, size)?;
                place(Some(&fortran_strides(shape, count, item as i64)?), 0)?
            }
            Order::Strided(strides) => {
                check_shape(shape)?;
                let geometry = place(Some(strides), 0)?;
                // The packed size must not overflow, although overlapping elements may need little memory.
                if geometry.count().checked_mul(geometry.item_size()).is_none() {
                    return Err(invalid(format!(
                        "{} elements of {datatype} are too large to store: more than 2^63 - 1 bytes",
                        geometry.count()
                    )));
                }
                let (low, high) = geometry.extent().map_err(|error| invalid(error.message().to_owned()))?;
                let needed = if geometry.count() == 0 { 0 } else { high.saturating_sub(low) };
                if needed > size as i128 {
                    let message =
                        format!("{datatype} {shape:?} with these strides takes {needed} bytes, but {size} are given");
                    return Err(invalid(message));
                }
                // `-low` is less than the size of the memory.
                place(Some(strides), -low as i64)?
            }
        };
        Ok(InMemory { datatype: datatype.clone(), geometry })
    }

    /// Returns the same layout without byte orders of fields, so that packing in native order keeps all bytes native.
    pub(crate) fn native(&self) -> InMemory {
        InMemory { datatype: self.datatype.without_byteorder(), geometry: self.geometry.clone() }
    }

    /// The number of elements.
    pub(crate) fn count(&self) -> i64 {
        self.geometry.count()
    }

    /// Calls `visit` with all elements in C order: packed pieces of whole elements.
    pub(crate) fn for_each_piece(
        &self,
        bytes: &[u8],
        byteorder: ByteOrder,
        visit: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        let packing = Packing::new(self, &Order::C, byteorder)?;
        let item = packing.item();
        let most = (PIECE / item.max(1)).max(1) * item;
        let mut piece = try_zeroed(most.min(packing.length) as usize)?;
        let mut position = 0;
        while position < packing.length {
            let count = most.min(packing.length - position) as usize;
            packing.fill(bytes, position, &mut piece[..count])?;
            visit(&piece[..count])?;
            position += count as u64;
        }
        Ok(())
    }

    /// Reads all elements as `target` into the start of `out`, like [`Array::read`](crate::array::Array::read). No
    /// element is missing.
    pub(crate) fn read(&self, bytes: &[u8], target: &Datatype, out: &mut [u8], options: &ReadOptions) -> Result<()> {
        let kernel =
            Kernel::new(&self.datatype, ByteOrder::NATIVE, target, options.clamp)?.with_function(options.function())?;
        let destination = Destination::new(self.geometry.shape(), target.item_size()?, &options.order)?;
        let out = destination.part_of(out, "the elements take")?;
        match Selection::new(&self.geometry, None, &destination) {
            Some(selection) => copy(&selection, &mut Memory(bytes), &kernel, &destination, out, None),
            None => Ok(()),
        }
    }

    /// Returns all elements, packed.
    pub(crate) fn pack(&self, bytes: &[u8], order: &Order, byteorder: ByteOrder) -> Result<Vec<u8>> {
        let packing = Packing::new(self, order, byteorder)?;
        let mut out = zeroed_bytes(packing.length)?;
        packing.fill(bytes, 0, &mut out)?;
        Ok(out)
    }

    /// Returns the bytes of a chunk with these strides and this size: the elements of the box, and zeros.
    pub(crate) fn chunk(
        &self,
        bytes: &[u8],
        byteorder: ByteOrder,
        (origin, extents): (&[i64], &[i64]),
        (strides, size): (&[i64], u64),
    ) -> Result<Vec<u8>> {
        let kernel = Kernel::new(&self.datatype, byteorder, &self.datatype, false)?;
        let mut out = zeroed_bytes(size)?;
        let region = Region { start: origin, count: extents, step: None };
        let destination = Destination::new(extents, kernel.target_size() as u64, &Order::Strided(strides.to_vec()))?;
        let part = destination.part_of(&mut out, "the chunk takes")?;
        if kernel.source_size() > 0
            && let Some(selection) = Selection::new(&self.geometry, Some(&region), &destination)
        {
            copy(&selection, &mut Memory(bytes), &kernel, &destination, part, None)?;
        }
        Ok(out)
    }

    /// Returns a source of packed elements, which packs them on each read.
    pub(crate) fn packed(
        &self,
        bytes: SharedBytes,
        order: &Order,
        byteorder: ByteOrder,
    ) -> Result<impl OwnSource + use<>> {
        Ok(Packed { bytes, packing: Packing::new(self, order, byteorder)? })
    }
}

/// Returns elements in memory packed in C order, with NULs in place of the blanks that pad strings.
///
/// Fails with [`Status::InvalidArgument`] unless all elements lie within the memory. Packed elements must fill it
/// exactly.
pub(crate) fn without_blanks(datatype: &Datatype, shape: &[i64], order: &Order, bytes: &[u8]) -> Result<Vec<u8>> {
    let memory = InMemory::new(datatype, shape, order, bytes.len())?.native();
    let mut packed = memory.pack(bytes, &Order::C, ByteOrder::NATIVE)?;
    strip(datatype, &mut packed)?;
    Ok(packed)
}

/// Returns the strides in bytes of packed elements in Fortran order.
pub(super) fn fortran_strides(shape: &[i64], count: i64, item_size: i64) -> Result<Vec<i64>> {
    let reversed: Vec<i64> = shape.iter().rev().copied().collect();
    let mut strides = c_strides(&reversed, count, item_size)?;
    strides.reverse();
    Ok(strides)
}

/// The conversion of elements in memory to the packed bytes of a block.
struct Packing {
    /// The dimension that is stored slowest comes first.
    geometry: Geometry,
    /// Swaps bytes between memory and block; the operation is its own inverse.
    kernel: Kernel,
    length: u64,
}

impl Packing {
    fn new(memory: &InMemory, order: &Order, byteorder: ByteOrder) -> Result<Packing> {
        let geometry = match order {
            Order::C => memory.geometry.clone(),
            Order::Fortran => memory.geometry.reversed(),
            Order::Strided(_) => {
                let message = "a block must be packed in C order or Fortran order, not strided";
                return Err(Error::new(Status::InvalidArgument, message));
            }
        };
        let kernel = Kernel::new(&memory.datatype, byteorder, &memory.datatype, false)?;
        // Cannot overflow: checked in [`InMemory::new`].
        let length = (geometry.count() * geometry.item_size()) as u64;
        Ok(Packing { geometry, kernel, length })
    }

    fn item(&self) -> u64 {
        self.kernel.source_size() as u64
    }

    /// Packs the bytes from packed byte `position` on. The caller must have checked that there are enough.
    fn fill(&self, bytes: &[u8], mut position: u64, out: &mut [u8]) -> Result<()> {
        let item = self.kernel.source_size();
        let mut rest = out;
        while !rest.is_empty() {
            let within = (position % item as u64) as usize;
            let number = (position / item as u64) as i64;
            let done = if within == 0 && rest.len() >= item {
                self.elements(bytes, number, rest)?
            } else {
                let mut element = try_zeroed(item)?;
                self.elements(bytes, number, &mut element)?;
                let part = &element[within..item.min(within + rest.len())];
                rest[..part.len()].copy_from_slice(part);
                part.len()
            };
            rest = &mut rest[done..];
            position += done as u64;
        }
        Ok(())
    }

    /// Packs a box of the array that begins with the element of this number and fits into `out`. `out` must hold at
    /// least one element. Returns the number of bytes.
    fn elements(&self, bytes: &[u8], number: i64, out: &mut [u8]) -> Result<usize> {
        let shape = self.geometry.shape();
        let mut start = vec![0; shape.len()];
        let mut rest = number;
        for (index, &extent) in start.iter_mut().zip(shape).rev() {
            *index = rest % extent;
            rest /= extent;
        }
        let item = self.kernel.source_size();
        let room = (out.len() / item) as i64;
        let mut count = vec![1; shape.len()];
        let mut taken = 1;
        for axis in (0..shape.len()).rev() {
            count[axis] = (room / taken).min(shape[axis] - start[axis]);
            taken *= count[axis];
            if count[axis] < shape[axis] {
                break;
            }
        }
        let size = taken as usize * item;
        let region = Region { start: &start, count: &count, step: None };
        let destination = Destination::new(&count, item as u64, &Order::C)?;
        if let Some(selection) = Selection::new(&self.geometry, Some(&region), &destination) {
            copy(&selection, &mut Memory(bytes), &self.kernel, &destination, &mut out[..size], None)?;
        }
        Ok(size)
    }
}

/// Elements in shared memory, packed on each read.
struct Packed {
    bytes: SharedBytes,
    packing: Packing,
}

impl Source for Packed {
    fn len(&self) -> u64 {
        self.packing.length
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let available = self.packing.length.saturating_sub(offset);
        let count = usize::try_from(available).unwrap_or(usize::MAX).min(buffer.len());
        self.packing.fill((*self.bytes).as_ref(), offset, &mut buffer[..count])?;
        Ok(count)
    }

    fn abilities(&self) -> Option<&dyn OwnSource> {
        Some(self)
    }
}

impl OwnSource for Packed {
    fn map(&self, offset: u64, length: u64) -> Result<Option<Map>> {
        let Packing { geometry, kernel, length: available } = &self.packing;
        let inside = offset.checked_add(length).is_some_and(|end| end <= *available);
        if !inside || !kernel.is_copy() || !geometry.is_contiguous() {
            return Ok(None);
        }
        MemorySource::new(self.bytes.clone()).map(geometry.offset() as u64 + offset, length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::ScalarType;
    use crate::array::tests::{Lcg, NATIVE};
    use std::sync::Arc;

    fn strided(strides: &[i64]) -> Order {
        Order::Strided(strides.to_vec())
    }

    fn in_memory(shape: &[i64], order: &Order, size: usize) -> Result<InMemory> {
        InMemory::new(&ScalarType::Int32.into(), shape, order, size)
    }

    #[test]
    fn memory_is_packed_in_both_orders_from_any_byte_on() {
        let mut random = Lcg(11);
        for round in 0..300 {
            let shape: Vec<i64> = (0..random.below(4)).map(|_| 1 + random.below(6) as i64).collect();
            let strides: Vec<i64> = shape.iter().map(|_| random.below(60) as i64 - 30).collect();
            let reach = |sign: i64| -> i64 {
                shape.iter().zip(&strides).map(|(&count, &stride)| ((count - 1) * stride * sign).max(0)).sum()
            };
            let size = (reach(-1) + reach(1) + 4) as usize + random.below(3) as usize;
            let bytes = random.bytes(size);
            let memory = in_memory(&shape, &strided(&strides), bytes.len()).unwrap();
            let order = if round % 2 == 0 { Order::C } else { Order::Fortran };
            let byteorder = if random.below(2) == 0 { ByteOrder::Little } else { ByteOrder::Big };

            let mut expected = Vec::new();
            for number in 0..shape.iter().product() {
                let mut rest: i64 = number;
                let mut at = reach(-1);
                let mut step = |axis: usize| {
                    at += rest % shape[axis] * strides[axis];
                    rest /= shape[axis];
                };
                match order {
                    Order::Fortran => (0..shape.len()).for_each(&mut step),
                    _ => (0..shape.len()).rev().for_each(&mut step),
                }
                let mut element = bytes[at as usize..][..4].to_vec();
                if byteorder != NATIVE {
                    element.reverse();
                }
                expected.extend(element);
            }
            assert_eq!(memory.pack(&bytes, &order, byteorder).unwrap(), expected, "{shape:?} {strides:?}");
            let source = memory.packed(Arc::new(bytes.clone()), &order, byteorder).unwrap();
            for _ in 0..10 {
                let position = random.below(expected.len() as u64 + 1) as usize;
                let mut part = vec![0; random.below(30) as usize];
                let count = source.read_at(position as u64, &mut part).unwrap();
                assert_eq!(count, part.len().min(expected.len() - position));
                assert_eq!(part[..count], expected[position..][..count]);
            }
            if let Some(map) = source.map(0, source.len()).unwrap() {
                assert_eq!(*map, *expected);
            }
            let mut pieces = Vec::new();
            let mut visit = |piece: &[u8]| {
                pieces.extend_from_slice(piece);
                Ok(())
            };
            memory.for_each_piece(&bytes, NATIVE, &mut visit).unwrap();
            assert_eq!(pieces, memory.pack(&bytes, &Order::C, NATIVE).unwrap());
        }
    }

    #[test]
    fn packed_memory_is_mapped_without_copy() {
        let bytes: Arc<Vec<u8>> = Arc::new((0..24).collect());
        let map = |order: &Order, stored_order: &Order, byteorder, size| {
            let memory = in_memory(&[2, 3], order, 24).unwrap();
            let source = memory.packed(bytes.clone(), stored_order, byteorder).unwrap();
            source.map(0, size).unwrap().map(|map| map.to_vec())
        };
        assert_eq!(map(&Order::C, &Order::C, NATIVE, 24), Some(bytes.to_vec()));
        assert_eq!(map(&strided(&[12, 4]), &Order::C, NATIVE, 24), Some(bytes.to_vec()));
        assert_eq!(map(&Order::Fortran, &Order::Fortran, NATIVE, 24), Some(bytes.to_vec()));
        assert_eq!(map(&Order::Fortran, &Order::C, NATIVE, 24), None);
        assert_eq!(map(&Order::C, &Order::C, NATIVE, 25), None);
        let other = if NATIVE == ByteOrder::Little { ByteOrder::Big } else { ByteOrder::Little };
        assert_eq!(map(&Order::C, &Order::C, other, 24), None);
    }

    #[test]
    fn elements_outside_the_memory_are_refused() {
        let refused = |shape: &[i64], order: &Order, size| {
            let error = in_memory(shape, order, size).err().unwrap();
            assert_eq!(error.status(), Status::InvalidArgument, "{error}");
        };
        let accepted = |shape: &[i64], order: &Order, size| in_memory(shape, order, size).map(|_| ()).unwrap();
        accepted(&[2, 3], &strided(&[-12, 4]), 24);
        refused(&[2, 3], &strided(&[-12, 4]), 23);
        refused(&[2, 3], &strided(&[12]), 24);
        refused(&[-1], &strided(&[4]), 24);
        accepted(&[0, 3], &strided(&[i64::MIN, i64::MAX]), 0);
        accepted(&[1, 1], &strided(&[i64::MIN, i64::MAX]), 4);
        accepted(&[1 << 40], &strided(&[0]), 4);
        refused(&[1 << 62], &strided(&[0]), 4);
        refused(&[i64::MAX, i64::MAX], &strided(&[0, 0]), 4);
        refused(&[2], &strided(&[i64::MIN]), 4);
        refused(&[3, 3], &strided(&[i64::MIN, i64::MAX]), 4);
        refused(&[2, 2], &strided(&[i64::MAX, i64::MAX]), 24);
        refused(&[i64::MAX], &strided(&[i64::MAX]), 24);
        refused(&[i64::MAX; 2], &strided(&[i64::MAX; 2]), 24);
        for order in [Order::C, Order::Fortran] {
            accepted(&[2, 3], &order, 24);
            refused(&[2, 3], &order, 25);
            refused(&[i64::MAX, 3], &order, 25);
        }
        let memory = in_memory(&[1], &Order::C, 4).unwrap();
        let error = memory.pack(&[0; 4], &strided(&[4]), NATIVE).unwrap_err();
        assert_eq!(error.status(), Status::InvalidArgument);
    }
}
