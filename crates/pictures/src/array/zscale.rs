//! ZScale: the range around the median in which the sorted values of an image lie on a line. The algorithm is that of
//! IRAF's task `display`; numbers and order of the steps are those of astropy.

use super::interval::Limits;

/// Number of values that are looked at.
const SAMPLES: usize = 1000;
/// Contrast: the slope of the line is divided by it.
const CONTRAST: f64 = 0.25;
/// Smallest number of values, and smallest share of all, that must lie on the line.
const FEWEST: usize = 5;
const SHARE: f64 = 0.5;
/// Values further from the line than so many standard deviations are rejected.
const REJECTED: f64 = 2.5;
/// Number of rounds of rejection.
const ROUNDS: usize = 5;

/// Returns the limits. There is at least one value.
pub(super) fn limits(values: &[f64]) -> Limits {
    let stride = (values.len() as f64 / SAMPLES as f64).max(1.0) as usize;
    let mut samples: Vec<f64> = values.iter().copied().step_by(stride).take(SAMPLES).collect();
    samples.sort_by(f64::total_cmp);
    let count = samples.len();
    let (Some(&low), Some(&high)) = (samples.first(), samples.last()) else {
        return Limits { low: 0.0, high: 1.0 };
    };
    match slope(&samples) {
        None => Limits { low, high },
        Some(slope) => {
            let slope = slope / CONTRAST;
            let center = (count - 1) / 2;
            let median = (samples[center] + samples[count / 2]) / 2.0;
            Limits {
                low: low.max(median - (center as f64 - 1.0) * slope),
                high: high.min(median + (count - center) as f64 * slope),
            }
        }
    }
}

/// Returns the slope of the line through sorted values; `None` if too few of them lie on one.
fn slope(samples: &[f64]) -> Option<f64> {
    let count = samples.len();
    let fewest = FEWEST.max((count as f64 * SHARE) as usize);
    let growth = ((count as f64 * 0.01) as usize).max(1);
    let mut rejected = vec![false; count];
    let (mut good, mut before) = (count, count + 1);
    let mut found = None;
    for _ in 0..ROUNDS {
        if good >= before || good < fewest {
            break;
        }
        let (slope, offset) = line(samples, &rejected);
        found = Some(slope);
        let distance = |index: usize| samples[index] - (slope * index as f64 + offset);
        let kept = || (0..count).filter(|index| !rejected[*index]).map(distance);
        let mean = kept().sum::<f64>() / good as f64;
        let variance = kept().map(|distance| (distance - mean).powi(2)).sum::<f64>() / good as f64;
        let threshold = REJECTED * variance.sqrt();
        let worse: Vec<bool> = (0..count).map(|index| rejected[index] || distance(index).abs() > threshold).collect();
        rejected = grown(&worse, growth);
        before = good;
        good = rejected.iter().filter(|rejected| !**rejected).count();
    }
    found.filter(|_| good >= fewest)
}

/// Returns slope and offset of the line that fits the values that are not rejected best.
fn line(samples: &[f64], rejected: &[bool]) -> (f64, f64) {
    let kept = || samples.iter().enumerate().filter(|(index, _)| !rejected[*index]);
    let count = kept().count().max(1) as f64;
    let mean_index = kept().map(|(index, _)| index as f64).sum::<f64>() / count;
    let mean = kept().map(|(_, value)| value).sum::<f64>() / count;
    let (mut products, mut squares) = (0.0, 0.0);
    for (index, value) in kept() {
        let distance = index as f64 - mean_index;
        products += distance * (value - mean);
        squares += distance * distance;
    }
    let slope = if squares > 0.0 { products / squares } else { 0.0 };
    (slope, mean - slope * mean_index)
}

/// Rejects the neighbours of rejected values, too: `growth` values around each in all.
fn grown(rejected: &[bool], growth: usize) -> Vec<bool> {
    let after = (growth - 1) / 2;
    let near = |index: usize| {
        let last = (index + after).min(rejected.len() - 1);
        let first = (index + after + 1).saturating_sub(growth);
        rejected.get(first..=last).is_some_and(|part| part.contains(&true))
    };
    (0..rejected.len()).map(near).collect()
}
