//! Random arrays of all datatypes, shapes and ways to store them.

use crate::random::Lcg;
use crate::texts;
use asdfkit::array::{ByteOrder, Datatype, Field, Order, ScalarType};
use asdfkit::codec::{Codec, Compression};
use asdfkit::file::{ArrayBytes, ArrayData, ArrayOptions, Node, Storage};
use asdfkit::{Limits, Result};

/// Most elements of an array, so that a case takes little time.
const MOST: i64 = 300;

fn byteorder(random: &mut Lcg) -> ByteOrder {
    *random.pick(&[ByteOrder::Little, ByteOrder::Big])
}

/// Returns a datatype; rarely one that cannot be made.
pub(crate) fn datatype(random: &mut Lcg, depth: usize) -> Result<Datatype> {
    Ok(match random.below(if depth == 0 { 8 } else { 12 }) {
        0..6 => Datatype::Scalar(*random.pick(ScalarType::ALL)),
        6 => Datatype::Ascii(*random.pick(&[0, 1, 2, 5, 300])),
        7 => Datatype::Ucs4(*random.pick(&[0, 1, 2, 5, 300])),
        _ => {
            let fields = (0..random.below(4)).map(|_| {
                Ok(Field {
                    name: (random.below(5) > 0).then(|| texts::name(random)),
                    datatype: datatype(random, depth - 1)?,
                    byteorder: (random.below(2) == 0).then(|| byteorder(random)),
                    shape: (0..random.below(6).saturating_sub(3)).map(|_| random.below(4) as i64).collect(),
                })
            });
            Datatype::record(fields.collect::<Result<_>>()?)?
        }
    })
}

/// Returns extents; rarely of a rank beyond the limit, or negative.
pub(crate) fn shape(random: &mut Lcg) -> Vec<i64> {
    let rank = match random.below(40) {
        0 => *random.pick(&[31, 32, 33, 40]),
        _ => random.below(4),
    };
    let mut left = MOST;
    let extents = (0..rank).map(|_| {
        let extent = match random.below(12) {
            0 => 0,
            1..4 => 1,
            _ => 1 + random.below(left.clamp(1, 20) as usize) as i64,
        };
        left /= extent.max(1);
        extent.min(left.max(1))
    });
    let mut shape: Vec<i64> = extents.collect();
    if random.below(200) == 0 {
        shape.push(*random.pick(&[-1, i64::MAX, i64::MIN]));
    }
    shape
}

/// Appends elements in native byte order.
pub(crate) fn fill(random: &mut Lcg, datatype: &Datatype, count: usize, out: &mut Vec<u8>) {
    for _ in 0..count {
        match datatype {
            Datatype::Scalar(ScalarType::Bool8) => out.push(random.below(2) as u8),
            Datatype::Scalar(scalar) => scalar_bytes(random, *scalar, out),
            Datatype::Ascii(length) => {
                let end = random.below(*length as usize + 1);
                out.extend((0..*length as usize).map(|at| if at < end { random.below(128) as u8 } else { 0 }));
            }
            Datatype::Ucs4(length) => {
                let text: Vec<char> = texts::text(random).chars().collect();
                let units = (0..*length as usize).map(|at| text.get(at).map_or(0, |unit| *unit as u32));
                out.extend(units.flat_map(u32::to_ne_bytes));
            }
            Datatype::Record(fields) => {
                for field in fields.iter() {
                    let count = field.shape.iter().product::<i64>() as usize;
                    fill(random, &field.datatype, count, out);
                }
            }
        }
    }
}

/// Appends a number: any bits for integers. Not-a-numbers are the usual ones, because text keeps no others.
fn scalar_bytes(random: &mut Lcg, scalar: ScalarType, out: &mut Vec<u8>) {
    let hard =
        [0.0, -0.0, 1.0, -1.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN_POSITIVE, 5e-324, 0.1];
    let mut part = |random: &mut Lcg, size: usize| match size {
        2 => out.extend((random.pick(&[0_u16, 0x8000, 0x3c00, 0x7e00, 0x7c00, 0xfc00, 1, 0x7bff])).to_ne_bytes()),
        4 => out.extend((*random.pick(&hard) as f32).to_ne_bytes()),
        _ => out.extend(random.pick(&hard).to_ne_bytes()),
    };
    match scalar {
        ScalarType::Float16 => part(random, 2),
        ScalarType::Float32 => part(random, 4),
        ScalarType::Float64 => part(random, 8),
        ScalarType::Complex64 => (0..2).for_each(|_| part(random, 4)),
        ScalarType::Complex128 => (0..2).for_each(|_| part(random, 8)),
        _ => {
            let extremes = [0, 0xff, 0x7f, 0x80];
            let extreme = extremes.get(random.below(8)).copied();
            out.extend((0..scalar.size()).map(|_| extreme.unwrap_or(random.below(256) as u8)));
        }
    }
}

fn compression(random: &mut Lcg, item_size: u64) -> Result<Option<Compression>> {
    let _ = item_size;
    match random.below(3) {
        0 => Compression::new(*random.pick(Codec::ALL), None).map(Some),
        _ => Ok(None),
    }
}

fn options(random: &mut Lcg, item_size: u64) -> Result<ArrayOptions> {
    let storages = [Storage::Internal, Storage::Internal, Storage::Inline, Storage::Inline, Storage::Streamed];
    let storage = *random.pick(&storages);
    Ok(ArrayOptions {
        storage,
        byteorder: byteorder(random),
        stored_order: if random.below(4) == 0 { Order::Fortran } else { Order::C },
        compression: if storage == Storage::Internal { compression(random, item_size)? } else { None },
        slack: if storage == Storage::Internal { *random.pick(&[0, 0, 1, 1000]) } else { 0 },
        checksum: *random.pick(&[None, Some(true), Some(false)]),
        keep: random.below(10) == 0,
        ..ArrayOptions::default()
    })
}

/// Sets an array at a path, sometimes with a mask.
pub(crate) fn set(random: &mut Lcg, root: &Node, path: &str) -> Result<()> {
    let (datatype, shape) = (datatype(random, 3)?, shape(random));
    let count = shape.iter().try_fold(1_i64, |count, &extent| count.checked_mul(extent)).unwrap_or(0).clamp(0, MOST);
    let item_size = datatype.item_size()?;
    let mut bytes = Vec::new();
    if item_size.saturating_mul(count as u64) < 1 << 22 {
        fill(random, &datatype, count as usize, &mut bytes);
    }
    let options = options(random, item_size)?;
    let data = ArrayData { datatype, shape: &shape, bytes: ArrayBytes::Copied(&bytes), order: Order::C };
    root.set_array_data(path, &data, &options)?;
    if random.below(6) == 0 {
        let mask: Vec<u8> = (0..count).map(|_| random.below(2) as u8).collect();
        let datatype = Datatype::Scalar(ScalarType::Bool8);
        let data = ArrayData { datatype, shape: &shape, bytes: ArrayBytes::Copied(&mask), order: Order::C };
        let storage = *random.pick(&[Storage::Internal, Storage::Inline]);
        let options = ArrayOptions { storage, ..ArrayOptions::default() };
        root.set_array_data(&format!("{path}/mask"), &data, &options)?;
    }
    assert!(shape.len() <= Limits::MAX_RANK as usize);
    Ok(())
}
