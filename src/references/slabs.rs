//! Shapes of the parts into which uncompressed arrays are divided.
//!
//! Readers fail if the last part of an array is shorter than the others. So a part divides the array without a
//! remainder, or the last part continues into the bytes after the array, which readers ignore.

use super::variable::{Part, PartBytes, Plain};

/// Largest number of divisors that are tried.
const MOST_TRIALS: i64 = 1 << 20;

/// Returns the shape of the parts of about `wanted` bytes, for arrays that follow one another along the dimension
/// `joined`. Returns `None` if there is no such shape for all of them.
pub(super) fn slab_shape(parts: &[Part], joined: Option<usize>, wanted: u64) -> Option<Vec<i64>> {
    let plains: Vec<(&[i64], &Plain)> = parts
        .iter()
        .filter_map(|part| match &part.bytes {
            PartBytes::Plain(plain) => Some((&part.shape[..], plain)),
            _ => None,
        })
        .collect();
    let (&(shape, first), rank) = (plains.first()?, plains.first()?.0.len());
    if rank == 0 {
        return Some(Vec::new());
    }
    let mut axis = plains.iter().map(|(_, plain)| plain.packed_from).max()?;
    if axis >= rank {
        return Some(vec![1; rank]);
    }
    if let Some(joined) = joined.filter(|&joined| plains.iter().any(|(other, _)| other[joined] != shape[joined])) {
        // Rows of different length end where the parts end.
        axis = axis.max(joined);
    }
    let step = |axis: usize| first.strides[axis].unsigned_abs().max(1);
    while axis + 1 < rank && step(axis) > wanted {
        axis += 1;
    }
    let mut chunk = vec![1; rank];
    chunk[axis + 1..].iter_mut().zip(&shape[axis + 1..]).for_each(|(chunk, &extent)| *chunk = extent.max(1));
    let longest = plains.iter().map(|(shape, _)| shape[axis]).max()?.max(1);
    let count = i64::try_from(wanted / step(axis)).unwrap_or(i64::MAX).clamp(1, longest);
    chunk[axis] = count;
    // Extents that the part must divide in every case.
    let is_joined = joined == Some(axis);
    let exact = if is_joined { plains.len() - 1 } else { 0 };
    let divisor_of = plains[..exact].iter().fold(0, |divisor, (shape, _)| greatest_divisor(divisor, shape[axis]));
    let all = plains.iter().fold(0, |divisor, (shape, _)| greatest_divisor(divisor, shape[axis]));
    if all == 0 {
        return Some(chunk);
    }
    let nearest = nearest_divisor(all, count);
    if nearest <= count.saturating_mul(2) && nearest >= count - count / 2 {
        chunk[axis] = nearest;
        return Some(chunk);
    }
    let mut reading_past = chunk.clone();
    reading_past[axis] = if divisor_of == 0 { count } else { nearest_divisor(divisor_of, count) };
    let is_within = |(shape, plain): &(&[i64], &Plain)| end_of(plain, shape, &reading_past, axis) <= plain.file_size;
    if plains[exact..].iter().all(is_within) {
        return Some(reading_past);
    }
    chunk[axis] = nearest;
    Some(chunk)
}

/// Returns the offset after the last byte of the parts of this shape. All of them have whole rows along the dimensions
/// after `axis`, and one index along those before it.
fn end_of(plain: &Plain, shape: &[i64], chunk: &[i64], axis: usize) -> u64 {
    let mut end = i128::from(plain.offset);
    for (before, &stride) in plain.strides.iter().enumerate().take(axis) {
        end += i128::from(stride.max(0)) * i128::from(shape[before] - 1).max(0);
    }
    let (extent, count, stride) = (shape[axis], chunk[axis].max(1), i128::from(plain.strides[axis]));
    let parts = i128::from(extent / count + i64::from(extent % count != 0));
    end += parts * i128::from(count) * stride;
    u64::try_from(end).unwrap_or(u64::MAX)
}

fn greatest_divisor(mut a: i64, mut b: i64) -> i64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Returns the divisor of a positive number that is nearest to `wanted`, as a ratio.
fn nearest_divisor(number: i64, wanted: i64) -> i64 {
    let distance = |divisor: i64| (divisor as f64 / wanted.max(1) as f64).ln().abs();
    let mut best = if distance(number) < distance(1) { number } else { 1 };
    let mut small = 1;
    while small <= MOST_TRIALS && small.checked_mul(small).is_some_and(|square| square <= number) {
        if number % small == 0 {
            for divisor in [small, number / small] {
                if distance(divisor) < distance(best) {
                    best = divisor;
                }
            }
        }
        small += 1;
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn part(shape: &[i64], item: i64, file_size: u64) -> Part {
        let mut strides = vec![item; shape.len()];
        for axis in (0..shape.len().saturating_sub(1)).rev() {
            strides[axis] = strides[axis + 1] * shape[axis + 1];
        }
        let plain = Plain { url: Arc::from("u"), offset: 100, strides, packed_from: 0, file_size };
        Part { shape: shape.to_vec(), bytes: PartBytes::Plain(plain) }
    }

    #[test]
    fn slabs_leave_no_remainder() {
        let shape = |parts: &[Part], joined, wanted| slab_shape(parts, joined, wanted).unwrap();
        assert_eq!(shape(&[part(&[100, 10], 8, 8100)], None, 800), [10, 10]);
        assert_eq!(shape(&[part(&[100, 10], 8, 8100)], None, 11 * 80), [10, 10]);
        assert_eq!(shape(&[part(&[100, 10], 8, 8100)], None, 1 << 30), [100, 10]);
        // A prime number of rows: the last slab continues after the array, or there is none.
        assert_eq!(shape(&[part(&[101, 10], 8, 8180 + 9 * 80)], None, 800), [10, 10]);
        assert_eq!(shape(&[part(&[101, 10], 8, 8180 + 9 * 80 - 1)], None, 800), [1, 10]);
        // Rows that are larger than a slab are divided.
        assert_eq!(shape(&[part(&[3, 100, 10], 8, 24100)], None, 800), [1, 10, 10]);
        assert_eq!(shape(&[part(&[], 8, 108)], None, 800), []);
        assert_eq!(shape(&[part(&[0, 3], 8, 108)], None, 800), [1, 3]);
    }

    #[test]
    fn only_the_last_of_several_files_has_a_remainder() {
        let parts = [part(&[100, 10], 8, 1 << 20), part(&[50, 10], 8, 1 << 20), part(&[7, 10], 8, 1 << 20)];
        assert_eq!(slab_shape(&parts, Some(0), 1600).unwrap(), [25, 10]);
        let tight = [part(&[100, 10], 8, 8100), part(&[50, 10], 8, 4100), part(&[7, 10], 8, 660)];
        assert_eq!(slab_shape(&tight, Some(0), 1600).unwrap(), [1, 10]);
        // Files are joined along the second dimension: rows end where the files end. The last file may end before.
        let wide = [part(&[4, 6], 8, 1000), part(&[4, 2], 8, 1000)];
        assert_eq!(slab_shape(&wide, Some(1), 1600).unwrap(), [1, 6]);
        let tight = [part(&[4, 6], 8, 1000), part(&[4, 2], 8, 164)];
        assert_eq!(slab_shape(&tight, Some(1), 1600).unwrap(), [1, 2]);
        let equal = [part(&[4, 6], 8, 1000), part(&[4, 6], 8, 1000)];
        assert_eq!(slab_shape(&equal, Some(1), 1600).unwrap(), [4, 6]);
    }

    #[test]
    fn divisors_are_near() {
        assert_eq!(nearest_divisor(100, 11), 10);
        assert_eq!(nearest_divisor(101, 50), 101);
        assert_eq!(nearest_divisor(101, 3), 1);
        assert_eq!(nearest_divisor(1, 5), 1);
    }
}
