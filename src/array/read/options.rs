//! Options of reads.

use crate::array::convert::function::Conversion;
use crate::array::convert::masking::Fill;
use crate::array::place::destination::Order;
use crate::error::{Error, Result, Status};

/// Options of reads.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadOptions {
    /// Converts an element that does not fit to the nearest value that does, instead of failing. Integers and narrow
    /// floats saturate. Conversion to an integer truncates fractions and turns NaN into 0. Conversion of a complex
    /// number to a real one drops the imaginary part.
    pub clamp: bool,
    /// The layout of the elements in memory.
    pub order: Order,
    /// The value written in place of missing elements. It is converted like an element, but never clamped.
    pub fill: Option<Fill>,
    /// Function of the stored numbers, such as the conversion to another unit. The fill value is already in the new unit.
    pub conversion: Option<Conversion>,
    /// Pads strings in memory with blanks instead of NULs, as in Fortran. Writes remove trailing blanks from strings.
    pub blank_padded: bool,
    /// The largest number of threads that read, convert and decode, including the caller's; 0 means 1. Uncompressed
    /// bytes are divided from 2 MiB on, if they come from a file or from memory. All threads have ended when the call
    /// returns.
    pub threads: usize,
}

impl Default for ReadOptions {
    fn default() -> ReadOptions {
        ReadOptions { clamp: false, order: Order::C, fill: None, conversion: None, blank_padded: false, threads: 1 }
    }
}

impl ReadOptions {
    /// The function of the stored numbers; `None` if it returns its argument.
    pub(crate) fn function(&self) -> Option<Conversion> {
        self.conversion.filter(|function| *function != Conversion::IDENTITY)
    }

    /// Fails with [`Status::InvalidArgument`] if there is such a function, for calls that do not apply it.
    pub(crate) fn check_no_function(&self) -> Result<()> {
        match self.function() {
            None => Ok(()),
            Some(_) => Err(Error::new(Status::InvalidArgument, "only reads of arrays and columns convert units")),
        }
    }
}
