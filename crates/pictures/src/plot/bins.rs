//! Histograms: how many values lie in each of some equal parts of their range.

/// Counts of values.
#[derive(Clone, Debug, PartialEq)]
pub struct Bins {
    /// Smallest value.
    pub low: f64,
    /// Largest value.
    pub high: f64,
    /// Number of values in each part of the range. The last part holds the largest value.
    pub counts: Vec<u64>,
}

impl Bins {
    /// Returns the lower end of a part; that after the last one is the upper end of the range.
    pub fn edge(&self, index: usize) -> f64 {
        let part = index as f64 / self.counts.len().max(1) as f64;
        self.low * (1.0 - part) + self.high * part
    }
}

/// Counts finite values in some equal parts of their range, as `numpy.histogram` does. Equal values have a range of 1
/// around them.
pub fn histogram(values: &[f64], count: usize) -> Bins {
    let count = count.max(1);
    let finite = || values.iter().copied().filter(|value| value.is_finite());
    let (mut low, mut high) = (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max));
    if low > high {
        (low, high) = (0.0, 1.0);
    }
    if low == high {
        (low, high) = (low - 0.5, high + 0.5);
    }
    let mut bins = Bins { low, high, counts: vec![0; count] };
    let range = high / 2.0 - low / 2.0;
    for value in finite() {
        let place = (value / 2.0 - low / 2.0) / range * count as f64;
        bins.counts[(place as usize).min(count - 1)] += 1;
    }
    bins
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted() {
        let bins = histogram(&[0.0, 1.0, 1.5, 4.0, f64::NAN, f64::INFINITY], 4);
        assert_eq!((bins.counts.as_slice(), bins.edge(1), bins.edge(4)), (&[1, 2, 0, 1][..], 1.0, 4.0));
        assert_eq!(histogram(&[7.0, 7.0], 2).counts, [0, 2]);
        assert_eq!(histogram(&[], 3).counts, [0, 0, 0]);
        assert_eq!(histogram(&[f64::MIN, f64::MAX], 2).counts, [1, 1]);
    }
}
