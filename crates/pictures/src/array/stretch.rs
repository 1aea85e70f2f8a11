//! Growth of brightness with the value. The functions and their constants come from astropy.

use super::interval::Limits;

/// Constant of the logarithmic stretch.
const LOG: f64 = 1000.0;
/// Part of the range up to which the asinh stretch is about linear.
const ASINH: f64 = 0.1;

/// Growth of brightness with the value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stretch {
    /// Brightness is proportional to the value.
    #[default]
    Linear,
    /// Square root.
    Sqrt,
    /// Logarithm.
    Log,
    /// Inverse hyperbolic sine: linear for small values, logarithmic for large ones.
    Asinh,
}

impl Stretch {
    /// Returns the brightness, from 0 to 1, at a place in the range.
    pub fn apply(self, place: f64) -> f64 {
        match self {
            Stretch::Linear => place,
            Stretch::Sqrt => place.sqrt(),
            Stretch::Log => (LOG * place + 1.0).ln() / (LOG + 1.0).ln(),
            Stretch::Asinh => (place / ASINH).asinh() / (1.0 / ASINH).asinh(),
        }
    }
}

/// Range and stretch of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scaling {
    /// Values of the first and the last colour.
    pub limits: Limits,
    /// Growth of brightness in between.
    pub stretch: Stretch,
}

impl Scaling {
    /// Returns the brightness of a value, from 0 to 1; NaN for NaN.
    pub fn brightness(&self, value: f64) -> f64 {
        let Limits { low, high } = self.limits;
        if value.is_nan() {
            return value;
        }
        // Halves, since the whole range may be larger than the largest number.
        let range = high / 2.0 - low / 2.0;
        let place = if range > 0.0 { (value / 2.0 - low / 2.0) / range } else { f64::from(u8::from(value > low)) };
        self.stretch.apply(place.clamp(0.0, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_are_those_of_astropy() {
        // Values of LogStretch(), AsinhStretch() and SqrtStretch() at 0.25.
        let near =
            |stretch: Stretch, expected: f64| assert!((stretch.apply(0.25) - expected).abs() < 1e-12, "{stretch:?}");
        near(Stretch::Linear, 0.25);
        near(Stretch::Sqrt, 0.5);
        near(Stretch::Log, 0.799_775_518_979_912_8);
        near(Stretch::Asinh, 0.549_402_487_299_148_4);
        for stretch in [Stretch::Linear, Stretch::Sqrt, Stretch::Log, Stretch::Asinh] {
            assert_eq!((stretch.apply(0.0), stretch.apply(1.0)), (0.0, 1.0));
        }
    }

    #[test]
    fn values_beyond_the_range_have_the_outer_colours() {
        let scaling = |low, high| Scaling { limits: Limits { low, high }, stretch: Stretch::Linear };
        let usual = scaling(0.0, 10.0);
        assert_eq!([-5.0, 5.0, 50.0, f64::INFINITY].map(|value| usual.brightness(value)), [0.0, 0.5, 1.0, 1.0]);
        assert!(usual.brightness(f64::NAN).is_nan());
        assert_eq!(scaling(f64::MIN, f64::MAX).brightness(0.0), 0.5);
        assert_eq!(scaling(3.0, 3.0).brightness(3.0), 0.0);
    }
}
