//! Missing elements of a read: their mask bytes, and the fill value written in their place.
//!
//! The source of the mask is not known here.

use super::kernel::Kernel;
use super::missing_test::Test;
use super::stage::Stage;
use crate::array::Element;
use crate::array::element::datatype::{ByteOrder, Datatype};
use crate::array::element::text::text_of_memory;
use crate::array::place::destination::Destination;
use crate::error::{Error, Result, Status};
use crate::source::try_zeroed;

/// A fill value, written in place of missing elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fill {
    datatype: Datatype,
    bytes: Vec<u8>,
}

impl Fill {
    /// Makes a fill value of a Rust type.
    pub fn of<T: Element>(value: T) -> Fill {
        Fill { datatype: T::SCALAR_TYPE.into(), bytes: bytemuck::bytes_of(&value).to_vec() }
    }

    /// Makes a fill value from the bytes of one native, packed element. Byte orders in `datatype` are ignored. Fails
    /// with [`Status::InvalidArgument`] if the number of bytes is not the size of the datatype.
    pub fn new(datatype: Datatype, bytes: &[u8]) -> Result<Fill> {
        let size = datatype.item_size()?;
        if size != bytes.len() as u64 {
            let message =
                format!("the fill value has {} bytes, but an element of {datatype} takes {size}", bytes.len());
            return Err(Error::new(Status::InvalidArgument, message));
        }
        Ok(Fill { datatype: datatype.without_byteorder(), bytes: bytes.to_vec() })
    }

    /// Returns the text of a string. Fails with [`Status::Conversion`] for other datatypes, and with
    /// [`Status::Encoding`] if the text is invalid.
    pub fn text(&self) -> Result<String> {
        text_of_memory(&self.datatype, &self.bytes)
    }

    /// Returns a number. Fails with [`Status::Conversion`] for texts and records.
    pub fn number(&self) -> Result<f64> {
        let bytes = self.convert(&f64::SCALAR_TYPE.into())?;
        let message = || Error::new(Status::Conversion, "the fill value is not a number");
        bytes.try_into().map(f64::from_ne_bytes).map_err(|_| message())
    }

    /// Converts the value to a datatype, by the same rules as elements.
    pub(crate) fn convert(&self, target: &Datatype) -> Result<Vec<u8>> {
        let kernel = Kernel::new(&self.datatype, ByteOrder::NATIVE, target, false)?;
        if kernel.is_in_place() {
            let mut bytes = self.bytes.clone();
            kernel.fix(&mut bytes);
            return Ok(bytes);
        }
        let mut out = try_zeroed(kernel.target_size())?;
        kernel.convert(&self.bytes, &mut out, &mut Stage::none()).map_err(|misfit| {
            let error = kernel.error(0, &misfit);
            let message = format!("the fill value does not fit: {}", error.message());
            Error::new(error.status(), message)
        })?;
        Ok(out)
    }
}

/// The mask of a copy, with the test that computes it.
pub(crate) struct Masking<'a> {
    /// One byte for each position in the caller's memory, counted in elements: 1 if the element there is missing.
    mask: &'a mut [u8],
    /// Computes the mask during the copy; `None` if the mask is already set.
    test: Option<Test>,
    /// Buffer for the results of a test.
    results: Vec<u8>,
}

impl<'a> Masking<'a> {
    pub(crate) fn new(mask: &'a mut [u8], test: Option<Test>) -> Masking<'a> {
        Masking { mask, test, results: Vec::new() }
    }

    /// Sets the mask bytes of packed native elements. Their positions begin with `first` and are `step` apart.
    pub(crate) fn look(&mut self, elements: &[u8], (first, step): (isize, isize)) {
        let Some(test) = self.test else { return };
        let count = elements.len() / test.item_size();
        if let (1, Some(mask)) = (step, self.mask.get_mut(first as usize..)) {
            return test.apply(elements, mask.get_mut(..count).unwrap_or_default());
        }
        self.results.resize(count, 0);
        test.apply(elements, &mut self.results);
        let mut place = first;
        for &result in &self.results {
            if let Some(slot) = self.mask.get_mut(place as usize) {
                *slot = result;
            }
            place += step;
        }
    }

    /// Returns whether the element at this position is missing.
    pub(crate) fn is_missing(&self, place: isize) -> bool {
        self.mask.get(place as usize) == Some(&1)
    }

    /// Writes `value` into the positions of missing elements in the caller's memory.
    pub(crate) fn fill(&self, value: &[u8], layout: &Destination, out: &mut [u8]) -> Result<()> {
        let size = value.len();
        layout.for_each_piece(&mut |places| {
            for place in places.filter(|&place| self.is_missing(place as isize)) {
                if let Some(element) = out.get_mut(place * size..).and_then(|rest| rest.get_mut(..size)) {
                    element.copy_from_slice(value);
                }
            }
        })
    }
}
