//! Options of reads.

use crate::array::convert::masking::Fill;
use crate::array::place::destination::Order;

/// Options of reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// Instead of failing, an element that does not fit becomes the nearest value that does: integers and narrow floats
    /// saturate, fractions are cut off on the way to an integer, NaN becomes the integer 0, and a complex
    /// number on the way to a real one loses its imaginary part.
    pub clamp: bool,
    /// How the elements are laid out in memory.
    pub order: Order,
    /// What to put in the place of elements that are missing. It is converted like an element, but never clamped.
    pub fill: Option<Fill>,
    /// Fill strings in memory up with blanks instead of NULs, as Fortran has them. Elements that are written instead of
    /// read lose the blanks at the ends of strings.
    pub blank_padded: bool,
    /// The most threads to decode with, that of the caller included; 0 is 1. Those that are started have ended when the
    /// call returns.
    pub threads: usize,
}

impl Default for ReadOptions {
    fn default() -> ReadOptions {
        ReadOptions { clamp: false, order: Order::C, fill: None, blank_padded: false, threads: 1 }
    }
}
