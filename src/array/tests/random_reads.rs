//! Random reads, compared with reads of single elements.
//!
//! Random shapes, strides, payloads, regions and layouts cover every path through the copy.

use super::{
    Lcg, NATIVE, array, cached, contiguous, encoded, encoded_in_chunks, limits, stored, stored_by_caller,
    stored_in_file,
};
use crate::array::convert::kernel::Kernel;
use crate::array::convert::stage::Stage;
use crate::array::{
    Array, ByteOrder, Datatype, DeclaredShape, Geometry, Order, Payload, ReadOptions, Region, ScalarType,
};
use crate::codec::Codec;
use crate::error::Status;

/// An array of random shape, strides and offset, and the number of bytes it needs.
pub(super) fn random_geometry(random: &mut Lcg, item: usize) -> (Geometry, usize) {
    let shape: Vec<i64> = (0..random.below(5)).map(|_| random.below(7) as i64).collect();
    let mut strides = vec![0; shape.len()];
    let mut order: Vec<usize> = (0..shape.len()).rev().collect();
    if random.below(3) == 0 {
        order.reverse();
    }
    let mut stride = item as i64;
    for axis in order {
        strides[axis] = match random.below(8) {
            0 => random.below(40) as i64 - 20,
            1 => 0,
            _ => stride,
        };
        stride = stride * shape[axis].max(1) + if random.below(4) == 0 { random.below(50) as i64 } else { 0 };
        if random.below(5) == 0 {
            strides[axis] = -strides[axis];
        }
    }
    let reach = |sign: i64| -> i64 {
        shape.iter().zip(&strides).map(|(&count, &stride)| ((count - 1).max(0) * stride * sign).max(0)).sum()
    };
    let offset = reach(-1) + random.below(9) as i64;
    let length = (offset + reach(1)) as usize + item + random.below(3) as usize * 7;
    let declared = DeclaredShape::Fixed(shape);
    let geometry = Geometry::new(&declared, Some(&strides), offset, item as u64, Some(length as u64)).unwrap();
    (geometry, length)
}

pub(super) fn random_region(random: &mut Lcg, shape: &[i64]) -> [Vec<i64>; 3] {
    let mut region = [Vec::new(), Vec::new(), Vec::new()];
    for &length in shape {
        let step = 1 + random.below(3) as i64;
        let start = random.below(length as u64 + 1) as i64;
        let backwards = random.below(3) == 0;
        let room = if backwards { start } else { length - 1 - start };
        let most = if start < length { room / step + 1 } else { 0 };
        let step = if backwards { -step } else { step };
        for (part, value) in region.iter_mut().zip([start, random.below(most as u64 + 1) as i64, step]) {
            part.push(value);
        }
    }
    region
}

/// A random memory layout for elements of this shape and size. Returns the layout, the first byte of each element in C
/// order, and the required size in bytes.
pub(super) fn random_order(random: &mut Lcg, shape: &[i64], item: usize) -> (Order, Vec<usize>, usize) {
    let mut axes: Vec<usize> = (0..shape.len()).collect();
    let order = match random.below(4) {
        0 => Some(Order::C),
        1 => Some(Order::Fortran),
        _ => None,
    };
    if order != Some(Order::Fortran) {
        axes.reverse();
    }
    if order.is_none() && !axes.is_empty() {
        let turns = random.below(axes.len() as u64) as usize;
        axes.rotate_left(turns);
    }
    let mut strides = vec![0; shape.len()];
    let (mut stride, mut first, mut end) = (item as i64, 0, item as i64);
    for axis in axes {
        if order.is_none() {
            stride += [0, 0, 1, 8, 100][random.below(5) as usize];
        }
        let reach = (shape[axis] - 1).max(0) * stride;
        let backwards = order.is_none() && random.below(4) == 0;
        strides[axis] = if backwards { -stride } else { stride };
        first += if backwards { reach } else { 0 };
        end += reach;
        stride *= shape[axis].max(1);
    }
    let count: i64 = shape.iter().product();
    let places = (0..count).map(|number| {
        let mut rest = number;
        let places = shape.iter().zip(&strides).rev().map(|(&count, &stride)| {
            let index = rest % count;
            rest /= count;
            index * stride
        });
        (first + places.sum::<i64>()) as usize
    });
    let needed = if count == 0 { 0 } else { end as usize };
    (order.unwrap_or(Order::Strided(strides.clone())), places.collect(), needed)
}

/// Reads the elements of a region one by one.
fn naive(bytes: &[u8], array: &Array, region: &Region, kernel: &Kernel) -> Vec<u8> {
    let item = kernel.source_size();
    let total: i64 = region.count.iter().product();
    let mut out = Vec::new();
    for number in 0..total {
        let mut rest = number;
        let mut at = array.geometry.offset();
        for axis in (0..region.count.len()).rev() {
            let index = region.start[axis] + rest % region.count[axis] * region.step.unwrap()[axis];
            rest /= region.count[axis];
            at += index * array.geometry.strides()[axis];
        }
        let mut element = bytes[at as usize..][..item].to_vec();
        kernel.fix(&mut element);
        if kernel.is_in_place() {
            out.extend(element);
        } else {
            let mut converted = vec![0; kernel.target_size()];
            assert!(kernel.convert(&element, &mut converted, &mut Stage::none()).is_ok());
            out.extend(converted);
        }
    }
    out
}

#[test]
fn every_region_equals_its_elements_read_one_by_one() {
    let mut random = Lcg(7);
    let mut compared = 0;
    let options = ReadOptions { clamp: true, ..ReadOptions::default() };
    for round in 0..6000 {
        let scalar = ScalarType::ALL[random.below(ScalarType::ALL.len() as u64) as usize];
        let target =
            if round % 2 == 0 { scalar } else { ScalarType::ALL[random.below(ScalarType::ALL.len() as u64) as usize] };
        let byteorder = if random.below(2) == 0 { ByteOrder::Little } else { ByteOrder::Big };
        let Ok(kernel) = Kernel::new(&scalar.into(), byteorder, &target.into(), true) else { continue };
        let (geometry, length) = random_geometry(&mut random, scalar.size());
        let bytes = random.bytes(length);
        let payload = match random.below(9) {
            0 | 1 => encoded(&bytes, Codec::ALL[random.below(Codec::ALL.len() as u64) as usize]),
            2 => encoded_in_chunks(&bytes, 8 + random.below(60) as usize),
            3 | 4 => stored_in_file(&bytes, random.below(20)),
            5 | 6 => stored_by_caller(&bytes, random.below(20)),
            _ => stored(&bytes, random.below(20)),
        };
        let kept = [limits(0, 0), limits(1 << 20, 0), limits(400, 0), limits(1, 1 << 20)];
        let payload = cached(payload, kept[random.below(4) as usize].clone());
        let array = array(scalar, byteorder, geometry, payload);
        let [start, count, step] = random_region(&mut random, array.shape());
        let region = Region { start: &start, count: &count, step: Some(&step) };
        let elements = naive(&bytes, &array, &region, &kernel);
        let (order, places, needed) = random_order(&mut random, &count, kernel.target_size());
        let mut expected = vec![0xA5; needed + 3];
        for (element, &place) in elements.chunks(kernel.target_size()).zip(&places) {
            expected[place..][..element.len()].copy_from_slice(element);
        }
        let mut found = vec![0xA5; expected.len()];
        let ordered = ReadOptions { order, threads: random.below(3) as usize, ..options.clone() };
        array.read_region(&region, &target.into(), &mut found, &ordered).unwrap();
        assert_eq!(found, expected, "{scalar} {target} {array:?} {region:?} {ordered:?}");
        compared += usize::from(!expected.is_empty());
        if needed > 0 {
            let short = array.read_region(&region, &target.into(), &mut found[..needed - 1], &ordered);
            assert_eq!(short.unwrap_err().status(), Status::BufferTooSmall);
        }

        let ones = vec![1; array.shape().len()];
        let zeros = vec![0; array.shape().len()];
        let whole = Region { start: &zeros, count: array.shape(), step: Some(&ones) };
        let expected = naive(&bytes, &array, &whole, &kernel);
        let mut found = vec![0; array.byte_size(&target.into()).unwrap() as usize];
        for _ in 0..2 {
            array.read(&target.into(), &mut found, &options).unwrap();
            assert_eq!(found, expected, "{scalar} {target} {array:?}");
        }
    }
    assert!(compared > 1500, "{compared}");
}

#[test]
fn large_elements_take_every_path() {
    let mut random = Lcg(5);
    for round in 0..600 {
        let item = random.below(60) as usize + 1;
        let (geometry, length) = random_geometry(&mut random, item);
        let bytes: Vec<u8> = random.bytes(length).iter().map(|byte| byte & 0x7F).collect();
        let payload = if round % 4 == 0 { encoded(&bytes, Codec::Zlib) } else { stored(&bytes, 7) };
        let datatype = Datatype::Ascii(item as u64);
        let array = Array { datatype: datatype.clone(), ..array(ScalarType::Int8, NATIVE, geometry, payload) };
        let [start, count, step] = random_region(&mut random, array.shape());
        let region = Region { start: &start, count: &count, step: Some(&step) };
        for target in [datatype, Datatype::Ascii(item as u64 + 3), Datatype::Ucs4(item as u64)] {
            let kernel = Kernel::new(&array.datatype, NATIVE, &target, false).unwrap();
            let expected = naive(&bytes, &array, &region, &kernel);
            let mut found = vec![0xA5; expected.len()];
            array.read_region(&region, &target, &mut found, &ReadOptions::default()).unwrap();
            assert_eq!(found, expected, "{array:?} {region:?}");
        }
    }
}

/// A failing element and a truncated file give the same error on any number of threads.
#[test]
fn threads_report_the_first_error() {
    let mut values: Vec<i32> = (0..3000).collect();
    for place in [2711, 1234, 2002] {
        values[place] = 40_000;
    }
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_ne_bytes()).collect();
    for payload in [stored(&bytes, 3), stored_in_file(&bytes, 3), stored_by_caller(&bytes, 3)] {
        let numbers = contiguous(ScalarType::Int32, NATIVE, &[30, 100], payload);
        for threads in 1..5 {
            let options = ReadOptions { threads, ..ReadOptions::default() };
            let mut out = vec![0; 6000];
            let error = numbers.read(&ScalarType::Int16.into(), &mut out, &options).unwrap_err();
            assert_eq!(error.status(), Status::Overflow);
            assert!(error.message().starts_with("element 1234 is 40000"), "{error}");
        }
    }
    let Payload::Stored { source, .. } = stored_in_file(&bytes, 0) else { unreachable!() };
    source.file().unwrap().set_len(5000).unwrap();
    let payload = Payload::Stored { source, offset: 0, length: bytes.len() as u64 };
    let numbers = contiguous(ScalarType::Int32, NATIVE, &[3000], payload);
    for threads in 1..5 {
        let options = ReadOptions { threads, ..ReadOptions::default() };
        let error = numbers.read(&ScalarType::Int32.into(), &mut vec![0; 12_000], &options).unwrap_err();
        assert_eq!(error.status(), Status::FileChanged);
    }
}
