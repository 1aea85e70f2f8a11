//! Round numbers for axes, and their text.

/// Largest number of ticks of an axis.
const MOST: usize = 200;

/// Returns round numbers in a range, about as many as wanted. A range without numbers in it has none.
pub fn linear_ticks(low: f64, high: f64, wanted: usize) -> (Vec<f64>, f64) {
    let range = high - low;
    if !range.is_finite() || range <= 0.0 {
        return (Vec::new(), 1.0);
    }
    let rough = range / wanted.max(1) as f64;
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    let step = step.into_iter().find(|step| *step >= rough * 0.999).unwrap_or(10.0 * power);
    (multiples(low, high, step), step)
}

/// Returns the multiples of a step in a range.
pub(super) fn multiples(low: f64, high: f64, step: f64) -> Vec<f64> {
    let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
    let count = (last - first + 1.0).clamp(0.0, MOST as f64) as usize;
    // Without a negative zero.
    (0..count).map(|index| (first + index as f64) * step + 0.0).collect()
}

/// Returns the powers of ten in a range of positive numbers.
pub fn log_ticks(low: f64, high: f64, wanted: usize) -> Vec<f64> {
    if !(low > 0.0 && high > low && high.is_finite()) {
        return Vec::new();
    }
    let (first, last) = ((low.log10() - 1e-9).ceil() as i32, (high.log10() + 1e-9).floor() as i32);
    let every = ((last - first).max(0) as usize / wanted.max(1) + 1) as i32;
    (first..=last).filter(|power| power % every == 0).map(|power| 10_f64.powi(power)).collect()
}

/// Returns the number of digits after the decimal point that tells the multiples of a step apart.
pub fn decimals(step: f64) -> usize {
    (-step.abs().log10() - 1e-9).ceil().clamp(0.0, 12.0) as usize
}

/// Returns the text of a number of an axis whose ticks are multiples of `step`.
pub fn number_text(value: f64, step: f64) -> String {
    if step == 0.0 || !step.is_finite() {
        return format!("{value}");
    }
    let magnitude = value.abs().max(step.abs());
    if magnitude >= 1e6 || (magnitude < 1e-3 && magnitude > 0.0) {
        let digits = if value == 0.0 { 0 } else { (value.abs().log10().floor() - step.abs().log10().floor()) as i64 };
        let text = format!("{value:.*e}", digits.clamp(0, 12) as usize);
        return if value == 0.0 { "0".to_owned() } else { text };
    }
    format!("{value:.*}", decimals(step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        assert_eq!(linear_ticks(0.0, 10.0, 5), (vec![0.0, 2.0, 4.0, 6.0, 8.0, 10.0], 2.0));
        assert_eq!(linear_ticks(-0.3, 0.31, 6).0, [-0.2, 0.0, 0.2]);
        assert!(linear_ticks(1.0, 1.0, 5).0.is_empty() && linear_ticks(f64::NAN, 1.0, 5).0.is_empty());
        assert!(linear_ticks(1e15, 1e15 + 0.125, 5).0.len() <= MOST);
        assert_eq!(log_ticks(0.5, 2000.0, 9), [1.0, 10.0, 100.0, 1000.0]);
        assert!(log_ticks(1e-300, 1e300, 6).len() <= 7);
    }

    #[test]
    fn numbers_of_one_axis_have_as_many_digits() {
        assert_eq!([0.0, 0.25, 1.0].map(|value| number_text(value, 0.05)), ["0.00", "0.25", "1.00"]);
        assert_eq!(number_text(1500.0, 500.0), "1500");
        assert_eq!(number_text(2.5e7, 5e6), "2.5e7");
        assert_eq!(number_text(0.0, 5e6), "0");
        assert_eq!(number_text(3e-9, 1e-9), "3e-9");
        assert_eq!(number_text(2.5, 0.0), "2.5");
    }
}
