//! Quantiles of a stream of numbers: exact for few numbers, with a bounded rank error for many.
//!
//! Many numbers go into sorted buffers of one length. Two buffers whose elements stand for `w` numbers each become one
//! buffer by keeping every second element of both; this moves the rank of any number by at most `w`. The sum of these
//! moves is the bound of the rank error.

/// Number of numbers that are kept exactly.
const EXACT: usize = 1 << 20;
/// Length of a buffer.
const LENGTH: usize = 1 << 16;

/// A sample of a stream of numbers, without NaN.
#[derive(Default)]
pub(super) struct Quantiles {
    /// All numbers so far, or those not yet in a buffer.
    incoming: Vec<f64>,
    /// Sorted buffers; an element of the buffer at index `l` stands for 2^l numbers.
    levels: Vec<Option<Vec<f64>>>,
    count: u64,
    /// Largest possible error of a rank.
    error: u64,
}

impl Quantiles {
    /// Adds a number.
    pub(super) fn add(&mut self, number: f64) {
        self.count += 1;
        self.incoming.push(number);
        let most = if self.levels.is_empty() { EXACT } else { LENGTH };
        if self.incoming.len() > most {
            let numbers = std::mem::take(&mut self.incoming);
            let whole = numbers.len() / LENGTH * LENGTH;
            numbers[..whole].chunks(LENGTH).for_each(|part| self.carry(part.to_vec()));
            self.incoming.extend_from_slice(&numbers[whole..]);
        }
    }

    /// Adds a full buffer, like a one to a binary counter.
    fn carry(&mut self, mut buffer: Vec<f64>) {
        buffer.sort_unstable_by(f64::total_cmp);
        let mut level = 0;
        loop {
            if level == self.levels.len() {
                self.levels.push(None);
            }
            let Some(other) = self.levels[level].take() else {
                self.levels[level] = Some(buffer);
                return;
            };
            self.error += 1 << level;
            let mut both = other;
            both.extend_from_slice(&buffer);
            both.sort_unstable_by(f64::total_cmp);
            // The first or the second of each pair, in turns, so that errors of the levels tend to cancel.
            buffer = both.into_iter().skip(level % 2).step_by(2).collect();
            level += 1;
        }
    }

    /// Returns the largest possible error of a rank, as a part of all numbers; 0 if all quantiles are exact.
    pub(super) fn rank_error(&self) -> f64 {
        self.error as f64 / self.count.max(1) as f64
    }

    /// Returns the sample as pairs of number and weight, in ascending order.
    pub(super) fn sorted(&self) -> Vec<(f64, u64)> {
        let mut all: Vec<(f64, u64)> = self.incoming.iter().map(|number| (*number, 1)).collect();
        for (level, buffer) in self.levels.iter().enumerate() {
            all.extend(buffer.iter().flatten().map(|number| (*number, 1 << level)));
        }
        all.sort_unstable_by(|one, other| one.0.total_cmp(&other.0));
        all
    }
}

/// Returns the quantile of a fraction from 0 to 1, interpolated as numpy does by default.
pub(super) fn quantile(sorted: &[(f64, u64)], fraction: f64) -> Option<f64> {
    let count: u64 = sorted.iter().map(|(_, weight)| weight).sum();
    let place = fraction * count.checked_sub(1)? as f64;
    let at = |rank: u64| {
        let mut before = 0;
        let found = sorted.iter().find(|(_, weight)| {
            before += weight;
            rank < before
        });
        found.map(|(number, _)| *number)
    };
    let low = at(place.floor() as u64)?;
    let high = at(place.ceil() as u64)?;
    let part = place.fract();
    Some(if low == high || part == 0.0 { low } else { low + (high - low) * part })
}

/// Numbers of elements in the bins of a histogram, and outside of them.
pub(super) struct Histogram {
    pub(super) counts: Vec<u64>,
    pub(super) below: u64,
    pub(super) above: u64,
}

/// Returns the weights of numbers in equal parts of the range from `least` to `most`.
pub(super) fn histogram(sorted: &[(f64, u64)], least: f64, most: f64, parts: usize) -> Histogram {
    let mut found = Histogram { counts: vec![0; parts], below: 0, above: 0 };
    let width = (most - least) / parts as f64;
    for (number, weight) in sorted.iter().filter(|(number, _)| number.is_finite()) {
        let position = if width > 0.0 { ((number - least) / width) as usize } else { 0 };
        match number {
            number if *number < least => found.below += weight,
            number if *number > most => found.above += weight,
            _ => found.counts[position.min(parts - 1)] += weight,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_numbers_have_exact_quantiles() {
        let mut quantiles = Quantiles::default();
        (0..=10).rev().for_each(|number| quantiles.add(f64::from(number)));
        let sorted = quantiles.sorted();
        assert_eq!(quantiles.rank_error(), 0.0);
        assert_eq!(quantile(&sorted, 0.5), Some(5.0));
        assert_eq!(quantile(&sorted, 0.25), Some(2.5));
        assert_eq!(quantile(&sorted, 1.0), Some(10.0));
        assert_eq!(quantile(&[], 0.5), None);
        assert_eq!(histogram(&sorted, 0.0, 10.0, 5).counts, [2, 2, 2, 2, 3]);
        let inner = histogram(&sorted, 2.0, 6.0, 2);
        assert_eq!((inner.counts, inner.below, inner.above), (vec![2, 3], 2, 4));
    }

    #[test]
    fn the_rank_error_of_many_numbers_is_within_its_bound() {
        let count: u64 = 5_000_011;
        let mut quantiles = Quantiles::default();
        // A permutation of 0..count: the multiplier is prime to the count.
        let mut number = 0;
        for _ in 0..count {
            number = (number + 1_618_033) % count;
            quantiles.add(number as f64);
        }
        let error = quantiles.rank_error();
        assert!(error > 0.0 && error < 1e-4, "{error}");
        let sorted = quantiles.sorted();
        assert_eq!(sorted.iter().map(|(_, weight)| weight).sum::<u64>(), count);
        for fraction in [0.0, 0.01, 0.25, 0.5, 0.75, 0.99, 1.0] {
            let found = quantile(&sorted, fraction).unwrap() / (count - 1) as f64;
            assert!((found - fraction).abs() <= error + 2.0 / count as f64, "{fraction}: {found}");
        }
    }
}
