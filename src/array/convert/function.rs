//! Functions of numbers, such as the conversion between two units.

/// A function from numbers to numbers, for example from values in one unit to values in another.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Conversion {
    /// `factor * value + offset`.
    Linear {
        /// Number of new units in an old one.
        factor: f64,
        /// Value in the new unit for 0 in the old one.
        offset: f64,
    },
    /// `numerator / value`, as from wavelength to frequency.
    Reciprocal {
        /// Product of the values in both units.
        numerator: f64,
    },
    /// `factor * 10^(rate * value)`, from a logarithm to its unit.
    Power {
        /// Number of new units in the unit of the logarithm.
        factor: f64,
        /// Decimal logarithm of the ratio that one old unit stands for.
        rate: f64,
    },
    /// `log10(factor * value) / rate`, from a unit to a logarithm.
    Logarithm {
        /// Number of units of the logarithm in an old unit.
        factor: f64,
        /// Decimal logarithm of the ratio that one new unit stands for.
        rate: f64,
    },
}

impl Conversion {
    /// The function that returns its argument.
    pub const IDENTITY: Conversion = Conversion::Linear { factor: 1.0, offset: 0.0 };

    /// Returns the value in the new unit.
    #[must_use]
    pub fn apply(&self, value: f64) -> f64 {
        match *self {
            // An offset of zero must not change the sign of a zero.
            Conversion::Linear { factor, offset: 0.0 } => factor * value,
            Conversion::Linear { factor, offset } => factor * value + offset,
            Conversion::Reciprocal { numerator } => numerator / value,
            Conversion::Power { factor, rate } => factor * 10_f64.powf(rate * value),
            Conversion::Logarithm { factor, rate } => (factor * value).log10() / rate,
        }
    }

    /// Returns factor and offset; `None` if the function is not linear.
    #[must_use]
    pub fn linear(&self) -> Option<(f64, f64)> {
        match *self {
            Conversion::Linear { factor, offset } => Some((factor, offset)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::float_cmp)]
    fn functions_are_applied() {
        let linear = Conversion::Linear { factor: 3.0, offset: 0.5 };
        assert_eq!([linear.apply(2.0), linear.apply(-1.0)], [6.5, -2.5]);
        assert_eq!(linear.linear(), Some((3.0, 0.5)));
        assert!(Conversion::Linear { factor: 3.0, offset: 0.0 }.apply(-0.0).is_sign_negative());
        assert_eq!(Conversion::IDENTITY.apply(7.25), 7.25);
        let reciprocal = Conversion::Reciprocal { numerator: 6.0 };
        assert_eq!((reciprocal.apply(4.0), reciprocal.linear()), (1.5, None));
        let power = Conversion::Power { factor: 5.0, rate: 2.0 };
        assert_eq!((power.apply(1.5), power.linear()), (5000.0, None));
        let logarithm = Conversion::Logarithm { factor: 10.0, rate: -0.5 };
        assert_eq!((logarithm.apply(100.0), logarithm.linear()), (-6.0, None));
    }
}
