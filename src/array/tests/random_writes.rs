//! Random writes over regions, compared with writes of single elements.

use super::random_reads::{random_geometry, random_order, random_region};
use super::{Lcg, NATIVE, array, contiguous, stored};
use crate::array::convert::kernel::Kernel;
use crate::array::convert::stage::Stage;
use crate::array::write::overwrite::WritablePayload;
use crate::array::{Array, ByteOrder, Datatype, Order, ReadOptions, Region, ScalarType};
use crate::error::{Result, Status};

struct Bytes(Vec<u8>);

impl WritablePayload for Bytes {
    fn prepare(&mut self, _: u64, _: u64) -> Result<()> {
        Ok(())
    }

    fn begin(&mut self) -> Result<()> {
        Ok(())
    }

    fn fetch(&mut self, position: u64, buffer: &mut [u8]) -> Result<()> {
        buffer.copy_from_slice(&self.0[position as usize..][..buffer.len()]);
        Ok(())
    }

    fn store(&mut self, position: u64, bytes: &[u8]) -> Result<()> {
        self.0[position as usize..][..bytes.len()].copy_from_slice(bytes);
        Ok(())
    }
}

/// Writes elements one by one; `None` if two of them share bytes.
fn naive(bytes: &[u8], array: &Array, region: &Region, elements: &[u8]) -> Option<Vec<u8>> {
    let item = array.geometry.item_size() as usize;
    let (mut out, mut taken) = (bytes.to_vec(), vec![false; bytes.len()]);
    for (number, element) in elements.chunks(item).enumerate() {
        let mut rest = number as i64;
        let mut at = array.geometry.offset();
        for axis in (0..region.count.len()).rev() {
            let index = region.start[axis] + rest % region.count[axis] * region.step.unwrap()[axis];
            rest /= region.count[axis];
            at += index * array.geometry.strides()[axis];
        }
        let place = at as usize..at as usize + item;
        if taken[place.clone()].contains(&true) {
            return None;
        }
        taken[place.clone()].fill(true);
        out[place].copy_from_slice(element);
    }
    Some(out)
}

#[test]
fn every_region_equals_its_elements_written_one_by_one() {
    let mut random = Lcg(17);
    let (mut compared, mut refused) = (0, 0);
    for round in 0..6000 {
        let mut scalar = || ScalarType::ALL[random.below(ScalarType::ALL.len() as u64) as usize];
        let (from, to) = (scalar(), scalar());
        let from = if round % 2 == 0 { to } else { from };
        let byteorder = if random.below(2) == 0 { ByteOrder::Little } else { ByteOrder::Big };
        let Ok(kernel) = Kernel::new(&from.into(), NATIVE, &to.into(), true) else { continue };
        let (geometry, length) = random_geometry(&mut random, to.size());
        let bytes = random.bytes(length);
        let array = array(to, byteorder, geometry, stored(&bytes, 0));
        let [start, count, step] = random_region(&mut random, array.shape());
        let region = Region { start: &start, count: &count, step: Some(&step) };
        let (order, places, needed) = random_order(&mut random, &count, from.size());
        let is_strided = matches!(order, Order::Strided(_));
        let memory = random.bytes(needed + 3);
        let mut elements = Vec::new();
        let own = Kernel::new(&to.into(), byteorder, &to.into(), false).unwrap();
        for &place in &places {
            let mut element = memory[place..][..from.size()].to_vec();
            if from != to {
                let mut converted = vec![0; to.size()];
                assert!(kernel.convert(&element, &mut converted, &mut Stage::none()).is_ok());
                element = converted;
            }
            own.fix(&mut element);
            elements.extend(element);
        }
        let options = ReadOptions { order, clamp: true, ..ReadOptions::default() };
        let mut place = Bytes(bytes.clone());
        let given = if is_strided { &memory[..] } else { &memory[..needed] };
        let result = array.write_region_to(Some(&region), &from.into(), given, &options, &mut place);
        match (result, naive(&bytes, &array, &region, &elements)) {
            (Ok(()), Some(expected)) => {
                assert_eq!(place.0, expected, "{from} {to} {array:?} {region:?} {options:?}");
                compared += usize::from(!elements.is_empty());
            }
            // Some regions without shared bytes are refused as well.
            (Err(error), _) if error.status() == Status::Unsupported => {
                assert_eq!(place.0, bytes);
                refused += 1;
            }
            (result, expected) => panic!("{result:?} {} {array:?} {region:?}", expected.is_some()),
        }
        if needed > 0 && !elements.is_empty() {
            let short = array.write_region_to(Some(&region), &from.into(), &memory[..needed - 1], &options, &mut place);
            assert_eq!(short.unwrap_err().status(), Status::BufferTooSmall);
        }
        if !is_strided {
            let long = array.write_region_to(Some(&region), &from.into(), &memory, &options, &mut place);
            assert_eq!(long.unwrap_err().status(), Status::InvalidArgument);
        }
    }
    assert!(compared > 1500 && refused < compared / 3, "{compared} {refused}");
}

#[test]
fn misfits_change_nothing() {
    let array = contiguous(ScalarType::Int8, NATIVE, &[3000], stored(&[1; 3000], 0));
    let mut values = vec![2i16; 3000];
    values[2999] = 128;
    let memory: Vec<u8> = values.iter().flat_map(|value| value.to_ne_bytes()).collect();
    let mut place = Bytes(vec![1; 3000]);
    let options = ReadOptions::default();
    let error = array.write_region_to(None, &ScalarType::Int16.into(), &memory, &options, &mut place).unwrap_err();
    assert_eq!(error.message(), "element 2999 is 128, which int8 cannot hold");
    assert_eq!((error.status(), place.0), (Status::Overflow, vec![1; 3000]));
}

#[test]
fn one_value_fills_a_region() {
    let array = contiguous(ScalarType::Int16, ByteOrder::Big, &[4, 5], stored(&[0; 40], 0));
    let mut place = Bytes(vec![0; 40]);
    let region = Region { start: &[1, 0], count: &[2, 3], step: Some(&[1, 2]) };
    let options = ReadOptions { order: Order::Strided(vec![0, 0]), ..ReadOptions::default() };
    let one = 258u32.to_ne_bytes();
    array.write_region_to(Some(&region), &ScalarType::Uint32.into(), &one, &options, &mut place).unwrap();
    let rows: Vec<&[u8]> = place.0.chunks(10).collect();
    assert_eq!([rows[0], rows[3]], [&[0; 10], &[0; 10]]);
    assert_eq!([rows[1], rows[2]], [&[1, 2, 0, 0, 1, 2, 0, 0, 1, 2]; 2]);
}

#[test]
fn strings_are_checked_and_converted() {
    let text = |stored_as: Datatype, count: i64| {
        let item = stored_as.item_size().unwrap();
        let payload = stored(&vec![0; (item * count as u64) as usize], 0);
        let declared = crate::array::DeclaredShape::Fixed(vec![count]);
        let geometry = crate::array::Geometry::new(&declared, None, 0, item, payload.length()).unwrap();
        Array { datatype: stored_as, ..array(ScalarType::Int8, ByteOrder::Big, geometry, payload) }
    };
    let write = |array: &Array, memory: &Datatype, bytes: &[u8]| {
        let mut place = Bytes(vec![7; 16]);
        let written = array.write_region_to(None, memory, bytes, &ReadOptions::default(), &mut place);
        written.map(|()| place.0).map_err(|error| error.status())
    };
    let wide = text(Datatype::Ucs4(2), 2);
    let found = write(&wide, &Datatype::Ascii(3), b"a\0\0\xC3\xA9b").unwrap();
    assert_eq!(found, [0, 0, 0, b'a', 0, 0, 0, 0, 0, 0, 0, 0xE9, 0, 0, 0, b'b']);
    assert_eq!(write(&wide, &Datatype::Ascii(3), b"abc\0\0\0"), Err(Status::Overflow));
    assert_eq!(write(&wide, &Datatype::Ascii(3), b"a\xC3\0\0\0\0"), Err(Status::Encoding));
    assert_eq!(write(&wide, &Datatype::Ascii(0), b"").unwrap(), [0; 16]);
    assert_eq!(write(&wide, &ScalarType::Int8.into(), b"ab"), Err(Status::Conversion));
    let narrow = text(Datatype::Ascii(8), 2);
    assert_eq!(write(&narrow, &Datatype::Ascii(8), b"ab\0\0\0\0\0\0c\0\0\0\0\0\0\0").unwrap()[..2], *b"ab");
    assert_eq!(write(&narrow, &Datatype::Ascii(8), &[0xE9; 16]), Err(Status::Encoding));
    assert_eq!(write(&narrow, &Datatype::Ascii(2), "\u{E9}ab".as_bytes()), Err(Status::Encoding));
    assert_eq!(write(&text(Datatype::Ascii(0), 2), &Datatype::Ascii(1), b"\0\0"), Err(Status::Conversion));
}
