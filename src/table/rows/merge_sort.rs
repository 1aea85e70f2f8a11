//! Stable sort of row numbers that a progress callback can cancel and that reports a lack of memory. The sort of the
//! standard library does neither.

use super::runs::check_at;
use crate::error::Result;
use crate::reserve::list_for;
use std::cmp::Ordering;

/// Number of rows that are sorted in one step.
const PIECE: usize = if cfg!(test) { 5 } else { 1 << 15 };

/// Returns the numbers from 0 below `count` in the order of `compare`. Equal ones keep their order.
pub(super) fn sorted(count: usize, compare: impl Fn(usize, usize) -> Ordering) -> Result<Vec<usize>> {
    let mut numbers = list_for(count)?;
    numbers.extend(0..count);
    for (step, piece) in numbers.chunks_mut(PIECE).enumerate() {
        check_at(step * PIECE)?;
        // Comparing the numbers last makes this sort, which needs no memory, a stable one.
        piece.sort_unstable_by(|&one, &other| compare(one, other).then(one.cmp(&other)));
    }
    if count <= PIECE {
        return Ok(numbers);
    }
    let mut merged = list_for(count)?;
    let mut width = PIECE;
    while width < count {
        merged.clear();
        for pair in numbers.chunks(width.saturating_mul(2)) {
            let (left, right) = pair.split_at(width.min(pair.len()));
            merge(left, right, &compare, &mut merged)?;
        }
        std::mem::swap(&mut numbers, &mut merged);
        width = width.saturating_mul(2);
    }
    Ok(numbers)
}

/// Appends the numbers of two sorted lists in order. Of equal ones, those of the left list come first.
fn merge(
    left: &[usize],
    right: &[usize],
    compare: impl Fn(usize, usize) -> Ordering,
    out: &mut Vec<usize>,
) -> Result<()> {
    let (mut left, mut right) = (left, right);
    while let ([first, rest @ ..], [other, others @ ..]) = (left, right) {
        check_at(out.len())?;
        if compare(*first, *other).is_le() {
            out.push(*first);
            left = rest;
        } else {
            out.push(*other);
            right = others;
        }
    }
    out.extend_from_slice(left);
    out.extend_from_slice(right);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_that_of_the_standard_library() {
        let mut seed = 1_u64;
        for count in (0..60).chain([200, 1000]) {
            let values: Vec<u64> = (0..count)
                .map(|_| {
                    seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                    seed >> 33 & 0xF
                })
                .collect();
            let mut expected: Vec<usize> = (0..count).collect();
            expected.sort_by_key(|&index| values[index]);
            assert_eq!(sorted(count, |one, other| values[one].cmp(&values[other])).unwrap(), expected);
        }
    }
}
