//! Conversion of stored elements to the datatype that the caller asks for.
//!
//! A kernel works on packed elements. The copy moves elements between packed buffers and their positions.

use super::function::Conversion;
use super::missing_test::Test;
use super::native::Fix;
use super::numbers as convert;
use super::numbers::Convert;
use super::scaled::Scaled;
use super::stage::Stage;
use crate::array::element::datatype::{ByteOrder, Datatype};
use crate::array::element::scalar_type::ScalarType;
use crate::array::element::text;
use crate::array::element::text::Encoding;
use crate::error::{Error, Result, Status};

/// The conversion from a stored datatype to one in memory.
pub(crate) struct Kernel {
    source: Datatype,
    target: Datatype,
    /// Size in bytes of a stored element and of an element in memory.
    sizes: [usize; 2],
    fix: Fix,
    method: Method,
    clamp: bool,
}

enum Method {
    /// No conversion: [`Kernel::fix`] is enough.
    InPlace,
    Numbers(Convert),
    /// Numbers, through a function.
    Scaled(Scaled),
    Text([Encoding; 2]),
    /// A truth value for each element: whether it is missing.
    Test(Test),
}

/// An element that cannot be converted: its index, and the reason as a predicate for the error message.
#[derive(Debug)]
pub(crate) struct Misfit {
    pub(crate) index: usize,
    status: Status,
    what: String,
}

impl Kernel {
    /// Fails with [`Status::Conversion`] if there is no conversion between the datatypes.
    pub(crate) fn new(source: &Datatype, byteorder: ByteOrder, target: &Datatype, clamp: bool) -> Result<Kernel> {
        let method = match (source, target) {
            _ if source.is_alike(target) => Method::InPlace,
            (Datatype::Scalar(source), Datatype::Scalar(target)) => Method::Numbers(convert::find(*source, *target)?),
            _ => match (Encoding::of(source), Encoding::of(target)) {
                (Some(from), Some(to)) => Method::Text([from, to]),
                _ => {
                    let message = format!("there is no conversion from {source} to {target}");
                    return Err(Error::new(Status::Conversion, message));
                }
            },
        };
        let size = |datatype: &Datatype| -> Result<usize> {
            let size = datatype.item_size()?;
            usize::try_from(size).map_err(|_| Error::out_of_memory(size))
        };
        Ok(Kernel {
            sizes: [size(source)?, size(target)?],
            fix: Fix::new(source, byteorder)?,
            source: source.clone(),
            target: target.clone(),
            method,
            clamp,
        })
    }

    /// Returns the kernel with a function of the stored numbers. Fails with [`Status::Conversion`] for elements that are
    /// not numbers.
    pub(crate) fn with_function(self, function: Option<Conversion>) -> Result<Kernel> {
        let Some(function) = function else { return Ok(self) };
        match (&self.source, &self.target) {
            (Datatype::Scalar(source), Datatype::Scalar(target)) => {
                let scaled = Scaled::new(*source, *target, function)?;
                Ok(Kernel { method: Method::Scaled(scaled), ..self })
            }
            _ => {
                let message = format!("elements of type {} cannot be converted to another unit", self.source);
                Err(Error::new(Status::Conversion, message))
            }
        }
    }

    /// Returns a kernel that converts native elements in memory to `stored` ones in native byte order. `ascii` strings
    /// in memory are UTF-8.
    pub(crate) fn to_store(memory: &Datatype, stored: &Datatype, clamp: bool) -> Result<Kernel> {
        let mut kernel = Kernel::new(memory, ByteOrder::NATIVE, stored, clamp)?;
        if let Method::Text([from @ Encoding::Bytes, _]) = &mut kernel.method {
            *from = Encoding::Utf8;
        }
        Ok(kernel)
    }

    /// Returns a kernel whose results are truth values: whether each element is missing.
    pub(crate) fn test(source: &Datatype, byteorder: ByteOrder, test: Test) -> Result<Kernel> {
        let own = Kernel::new(source, byteorder, source, false)?;
        let target = ScalarType::Bool8;
        Ok(Kernel { method: Method::Test(test), sizes: [own.sizes[0], target.size()], target: target.into(), ..own })
    }

    /// The datatype of the results.
    pub(crate) fn target(&self) -> &Datatype {
        &self.target
    }

    /// Size of a stored element in bytes.
    pub(crate) fn source_size(&self) -> usize {
        self.sizes[0]
    }

    /// Size of a result in bytes.
    pub(crate) fn target_size(&self) -> usize {
        self.sizes[1]
    }

    /// Returns whether the stored bytes can be read into the memory of the result and made native there by
    /// [`Kernel::fix`].
    pub(crate) fn is_in_place(&self) -> bool {
        matches!(self.method, Method::InPlace)
    }

    /// Returns whether the stored bytes are the result without any change.
    pub(crate) fn is_copy(&self) -> bool {
        self.is_in_place() && self.fix.is_nothing()
    }

    /// Returns whether the bytes need swapping: [`Kernel::convert`] then needs input prepared by [`Kernel::fix`].
    pub(crate) fn swaps(&self) -> bool {
        self.fix.swaps()
    }

    /// Makes stored elements native in place.
    pub(crate) fn fix(&self, bytes: &mut [u8]) {
        self.fix.apply(bytes);
    }

    /// Like [`Kernel::fix`], but writes the native elements to `output`.
    pub(crate) fn fix_into(&self, input: &[u8], output: &mut [u8], stage: &mut Stage) {
        self.fix.apply_into(input, output, stage);
    }

    /// Converts packed native elements. Not for kernels that work in place.
    pub(crate) fn convert(
        &self,
        input: &[u8],
        output: &mut [u8],
        stage: &mut Stage,
    ) -> std::result::Result<(), Misfit> {
        self.convert_with(input, output, self.clamp, stage)
    }

    fn convert_with(
        &self,
        input: &[u8],
        output: &mut [u8],
        clamp: bool,
        stage: &mut Stage,
    ) -> std::result::Result<(), Misfit> {
        match &self.method {
            Method::InPlace => Ok(()),
            Method::Test(test) => {
                test.apply(input, output);
                Ok(())
            }
            Method::Numbers(convert) => convert(input, output, clamp, stage).map_err(|index| {
                let element = input.get(index * self.sizes[0]..).unwrap_or_default();
                let value = self.source.scalar().map_or(String::new(), |scalar| convert::show(scalar, element));
                Misfit {
                    index,
                    status: Status::Overflow,
                    what: format!("is {value}, which {} cannot hold", self.target),
                }
            }),
            Method::Scaled(scaled) => scaled.convert(input, output, clamp, stage).map_err(|index| {
                let element = input.get(index * self.sizes[0]..).unwrap_or_default();
                Misfit { index, status: Status::Overflow, what: scaled.describe(element) }
            }),
            Method::Text(encodings) => {
                text::convert(*encodings, self.sizes, input, output, clamp).map_err(|(index, (status, mut what))| {
                    if status == Status::Overflow {
                        what += &format!(", which {} cannot hold", self.target);
                    }
                    Misfit { index, status, what }
                })
            }
        }
    }

    /// Converts packed native elements one by one. A missing element never fails: it is clamped, or set to zeros if it
    /// is not valid text.
    pub(crate) fn convert_present(
        &self,
        input: &[u8],
        output: &mut [u8],
        is_missing: impl Fn(usize) -> bool,
    ) -> std::result::Result<(), Misfit> {
        let pairs = input.chunks_exact(self.sizes[0].max(1)).zip(output.chunks_exact_mut(self.sizes[1].max(1)));
        for (index, (element, made)) in pairs.enumerate() {
            let missing = is_missing(index);
            match self.convert_with(element, made, self.clamp || missing, &mut Stage::none()) {
                Err(_) if missing => made.fill(0),
                result => result.map_err(|misfit| Misfit { index, ..misfit })?,
            }
        }
        Ok(())
    }

    /// Returns the error for an element that cannot be converted. `number` is its number in the whole result, in C
    /// order.
    pub(crate) fn error(&self, number: i64, misfit: &Misfit) -> Error {
        Error::new(misfit.status, format!("element {number} {}", misfit.what))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::element::leaf::Leaf;

    fn converted(kernel: &Kernel, elements: &[u8]) -> std::result::Result<Vec<u8>, Misfit> {
        let mut native = elements.to_vec();
        kernel.fix(&mut native);
        let mut out = vec![7; elements.len() / kernel.source_size() * kernel.target_size()];
        kernel.convert(&native, &mut out, &mut Stage::none()).map(|()| out)
    }

    #[test]
    fn missing_elements_become_truth_values() {
        let source = ScalarType::Int16;
        let kernel = Kernel::test(&source.into(), ByteOrder::Big, Test::equal(Leaf::Integer(258), source)).unwrap();
        assert_eq!((kernel.source_size(), kernel.target_size()), (2, 1));
        assert_eq!(kernel.target(), &ScalarType::Bool8.into());
        assert!(!kernel.is_in_place() && !kernel.is_copy());
        assert_eq!(converted(&kernel, &[1, 2, 2, 1, 1, 2]).unwrap(), [1, 0, 1]);
    }

    #[test]
    fn a_function_is_applied_between_the_types() {
        let kernel = |source: &Datatype, target: ScalarType, function| {
            Kernel::new(source, ByteOrder::Big, &target.into(), false).unwrap().with_function(function)
        };
        let half = Some(Conversion::Linear { factor: 0.5, offset: 1.0 });
        let scaled = kernel(&ScalarType::Int16.into(), ScalarType::Float32, half).unwrap();
        assert_eq!((scaled.source_size(), scaled.target_size()), (2, 4));
        assert_eq!(converted(&scaled, &[0, 5, 1, 0]).unwrap(), [3.5_f32, 129.0].map(f32::to_ne_bytes).concat());
        let plain = kernel(&ScalarType::Int16.into(), ScalarType::Float32, None).unwrap();
        assert_eq!(converted(&plain, &[0, 5]).unwrap(), 5_f32.to_ne_bytes());
        let misfit = converted(&kernel(&ScalarType::Int16.into(), ScalarType::Int16, half).unwrap(), &[0, 4, 0, 5]);
        let error = plain.error(9, &misfit.err().unwrap());
        assert_eq!(error.status(), Status::Overflow);
        assert_eq!(error.message(), "element 9 is 5, which becomes 3.5; int16 cannot hold it");
        let text = Kernel::new(&Datatype::Ascii(3), ByteOrder::Big, &Datatype::Ascii(3), false).unwrap();
        assert_eq!(text.with_function(half).err().unwrap().status(), Status::Conversion);
    }

    #[test]
    fn missing_elements_never_fail() {
        let kernel =
            Kernel::new(&ScalarType::Int16.into(), ByteOrder::NATIVE, &ScalarType::Int8.into(), false).unwrap();
        let input = [300_i16, -7, 300].map(i16::to_ne_bytes).concat();
        let mut out = [9; 3];
        let misfit = kernel.convert_present(&input, &mut out, |index| index == 0).unwrap_err();
        assert_eq!((misfit.index, misfit.status), (2, Status::Overflow));
        kernel.convert_present(&input, &mut out, |index| index != 1).unwrap();
        assert_eq!(out.map(|byte| byte as i8), [127, -7, 127]);
    }
}
