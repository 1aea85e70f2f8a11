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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::ScalarType;
    use crate::array::element::leaf::Leaf;

    #[test]
    fn fill_values_are_converted_as_elements_are() {
        let fill = Fill::of(-7_i16);
        assert_eq!(fill.convert(&ScalarType::Int16.into()).unwrap(), (-7_i16).to_ne_bytes());
        assert_eq!(fill.convert(&ScalarType::Float32.into()).unwrap(), (-7_f32).to_ne_bytes());
        assert_eq!(fill.number().unwrap().to_bits(), (-7_f64).to_bits());
        let error = fill.convert(&ScalarType::Uint8.into()).unwrap_err();
        assert_eq!(error.status(), Status::Overflow);
        assert_eq!(error.message(), "the fill value does not fit: element 0 is -7, which uint8 cannot hold");
        assert_eq!(fill.text().unwrap_err().status(), Status::Conversion);
        let text = Fill::new(Datatype::Ascii(3), b"ab\0").unwrap();
        assert_eq!(text.text().unwrap(), "ab");
        assert_eq!(text.number().unwrap_err().status(), Status::Conversion);
        let error = Fill::new(ScalarType::Int32.into(), &[1, 2]).unwrap_err();
        assert_eq!(error.status(), Status::InvalidArgument);
        assert_eq!(error.message(), "the fill value has 2 bytes, but an element of int32 takes 4");
    }

    #[test]
    fn mask_bytes_are_set_at_any_distance() {
        let elements = bytemuck::bytes_of(&[5_i16, 0, 5, 1]);
        let test = Some(Test::equal(Leaf::Integer(5), ScalarType::Int16));
        for (first, step, expected) in [
            (1, 1, [9, 1, 0, 1, 0, 9, 9, 9]),
            (0, 2, [1, 9, 0, 9, 1, 9, 0, 9]),
            (6, -2, [0, 9, 1, 9, 0, 9, 1, 9]),
            (6, 1, [9, 9, 9, 9, 9, 9, 9, 9]),
        ] {
            let mut mask = [9; 8];
            Masking::new(&mut mask, test).look(elements, (first, step));
            assert_eq!(mask, expected, "{first}, {step}");
        }
        let mut mask = [0, 1, 2];
        let mut masking = Masking::new(&mut mask, None);
        masking.look(elements, (0, 1));
        assert_eq!([0, 1, 2, 3, -1].map(|place| masking.is_missing(place)), [false, true, false, false, false]);
    }
}
