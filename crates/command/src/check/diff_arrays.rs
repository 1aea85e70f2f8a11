//! Differences between two arrays, element by element.

use super::difference::{Difference, Differences, Tolerance};
use crate::core::call::check_interrupt;
use crate::core::elements::{Leaf, datatype_text, element_json, leaves};
use crate::core::failure::Result;
use crate::core::region::{Pieces, Selection};
use asdfkit::array::{Array, Datatype, ReadOptions, Region};
use asdfkit::report::Operation;

/// Number of bytes of each array in one comparison.
const PIECE_BYTES: u64 = 4 << 20;

/// Adds the differences between two arrays at a path.
pub(super) fn compare(
    path: &str,
    arrays: [&Array; 2],
    tolerance: Tolerance,
    threads: usize,
    out: &mut Differences,
) -> Result<()> {
    let [old, new] = arrays;
    if old.shape() != new.shape() {
        let message = format!("shape {:?} -> {:?}", old.shape(), new.shape());
        out.add(Difference::new(Operation::Change, path, message));
        return Ok(());
    }
    let alike = old.datatype().is_alike(new.datatype());
    if !alike {
        let names = [datatype_text(old.datatype()), datatype_text(new.datatype())];
        out.add(Difference::new(Operation::Change, path, format!("datatype {} -> {}", names[0], names[1])));
        // Numbers of different types are compared by their values; other elements have nothing in common.
        if old.datatype().scalar().is_none() || new.datatype().scalar().is_none() {
            return Ok(());
        }
    }
    let parts = [leaves(old.datatype())?, leaves(new.datatype())?];
    let mut found = Found::default();
    let all = Selection::all(old.shape());
    let item = old.datatype().item_size()?.max(new.datatype().item_size()?).max(1);
    let most = i64::try_from(PIECE_BYTES / item).unwrap_or(i64::MAX).max(1);
    let mut sides = [Side::default(), Side::default()];
    let mut done = 0;
    for (start, count) in Pieces::new(&all, most) {
        check_interrupt()?;
        let region = Region { start: &start, count: &count, step: None };
        for (side, array) in sides.iter_mut().zip(arrays) {
            side.read(array, &region, threads)?;
        }
        let [left, right] = &sides;
        if !alike || left.bytes != right.bytes || left.mask != right.mask {
            found.compare(&sides, &parts, tolerance, done);
        }
        done += count.iter().product::<i64>() as u64;
    }
    if let Some(difference) = found.difference(path, old.shape(), done) {
        out.add(difference);
    }
    Ok(())
}

/// A piece of one array.
#[derive(Default)]
struct Side {
    bytes: Vec<u8>,
    mask: Vec<u8>,
    item: usize,
}

impl Side {
    fn read(&mut self, array: &Array, region: &Region, threads: usize) -> Result<()> {
        let datatype: &Datatype = array.datatype();
        let options = ReadOptions { threads, ..ReadOptions::default() };
        let size = array.region_size(region.count, datatype)? as usize;
        if self.bytes.len() != size {
            self.bytes.clear();
            self.bytes.try_reserve(size).map_err(|_| asdfkit::Error::out_of_memory(size as u64))?;
            self.bytes.resize(size, 0);
        }
        self.item = datatype.item_size()? as usize;
        if array.is_masked() {
            self.mask.resize(region.count.iter().product::<i64>() as usize, 0);
            array.read_masked(Some(region), datatype, &mut self.bytes, &mut self.mask, &options)?;
        } else {
            array.read_region(region, datatype, &mut self.bytes, &options)?;
        }
        Ok(())
    }

    fn element(&self, index: usize) -> &[u8] {
        &self.bytes[index * self.item..(index + 1) * self.item]
    }

    fn is_missing(&self, index: usize) -> bool {
        self.mask.get(index).is_some_and(|missing| *missing != 0)
    }
}

/// Elements that differ.
#[derive(Default)]
struct Found {
    count: u64,
    /// Number of the first element in C order, and its old and new value.
    first: Option<(u64, serde_json::Value, serde_json::Value)>,
    largest: Option<f64>,
}

impl Found {
    fn compare(&mut self, sides: &[Side; 2], parts: &[Vec<Leaf>; 2], tolerance: Tolerance, before: u64) {
        let [old, new] = sides;
        if old.item == 0 || new.item == 0 {
            return;
        }
        for index in 0..old.bytes.len() / old.item {
            let missing = [old.is_missing(index), new.is_missing(index)];
            let (left, right) = (old.element(index), new.element(index));
            let differs = match missing {
                [true, true] => false,
                [false, false] => self.differ(left, right, parts, tolerance),
                _ => true,
            };
            if !differs {
                continue;
            }
            self.count += 1;
            if self.first.is_none() {
                let value = |missing: bool, parts: &[Leaf], element: &[u8]| match missing {
                    true => serde_json::Value::Null,
                    false => element_json(parts, element),
                };
                let values = (value(missing[0], &parts[0], left), value(missing[1], &parts[1], right));
                self.first = Some((before + index as u64, values.0, values.1));
            }
        }
    }

    /// Returns whether two elements differ, and keeps the largest difference.
    fn differ(&mut self, left: &[u8], right: &[u8], parts: &[Vec<Leaf>; 2], tolerance: Tolerance) -> bool {
        let mut differs = false;
        for (old, new) in parts[0].iter().zip(&parts[1]) {
            match (old.numbers(left), new.numbers(right)) {
                (Some(old), Some(new)) => {
                    // The exact integers decide where a double cannot.
                    if old.exact.is_some() && old.exact == new.exact {
                        continue;
                    }
                    let exact = old.exact.zip(new.exact).map(|(old, new)| old.abs_diff(new) as f64);
                    let pairs = [(old.real, new.real), (old.imaginary, new.imaginary)];
                    let equal = match exact {
                        Some(distance) => distance <= tolerance.absolute + tolerance.relative * new.real.abs(),
                        None => pairs.iter().all(|(old, new)| tolerance.equal(*old, *new)),
                    };
                    if !equal {
                        differs = true;
                        let distance =
                            exact.unwrap_or_else(|| (old.real - new.real).hypot(old.imaginary - new.imaginary));
                        if distance.is_finite() {
                            self.largest = Some(self.largest.map_or(distance, |known| known.max(distance)));
                        }
                    }
                }
                _ => {
                    let (mut one, mut other) = (String::new(), String::new());
                    old.write_text(left, &mut one);
                    new.write_text(right, &mut other);
                    differs |= one != other;
                }
            }
        }
        differs
    }

    fn difference(self, path: &str, shape: &[i64], total: u64) -> Option<Difference> {
        let (number, old, new) = self.first?;
        let index = index_of(number, shape);
        let mut message = format!("{} of {total} elements differ, the first at {index:?}: {old} -> {new}", self.count);
        if let Some(largest) = self.largest {
            message.push_str(&format!(", largest difference {largest:?}"));
        }
        Some(Difference {
            old: Some(old),
            new: Some(new),
            first: Some(index),
            elements: Some(self.count),
            largest: self.largest,
            ..Difference::new(Operation::Change, path, message)
        })
    }
}

/// Returns the indices of the element with a number in C order.
fn index_of(mut number: u64, shape: &[i64]) -> Vec<i64> {
    let mut index = vec![0; shape.len()];
    for (position, extent) in index.iter_mut().zip(shape).rev() {
        let extent = u64::try_from(*extent).unwrap_or(1).max(1);
        *position = (number % extent) as i64;
        number /= extent;
    }
    index
}
