//! Logarithmic units: magnitudes, decibels, dex.

/// A logarithm as a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Magnitude,
    Decibel,
    Dex,
}

impl Function {
    /// Returns the name of the unit.
    pub(super) fn name(self) -> &'static str {
        match self {
            Function::Magnitude => "mag",
            Function::Decibel => "dB",
            Function::Dex => "dex",
        }
    }

    /// Returns the decimal logarithm of the ratio that one unit stands for.
    pub(super) fn dex(self) -> f64 {
        match self {
            Function::Magnitude => -0.4,
            Function::Decibel => 0.1,
            Function::Dex => 1.0,
        }
    }
}
