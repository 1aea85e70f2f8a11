//! How the stored elements of an array become those that the caller asks for.
//!
//! A kernel works on packed elements; where they lie is the business of the copy.

use super::missing_test::Test;
use super::native::Fix;
use super::numbers as convert;
use super::numbers::Convert;
use super::stage::Stage;
use crate::array::element::datatype::{ByteOrder, Datatype};
use crate::array::element::scalar_type::ScalarType;
use crate::array::element::text;
use crate::array::element::text::Encoding;
use crate::error::{Error, Result, Status};

/// The way from one stored datatype to one in memory.
pub(crate) struct Kernel {
    source: Datatype,
    target: Datatype,
    /// Bytes of a stored element and of one in memory.
    sizes: [usize; 2],
    fix: Fix,
    way: Way,
    clamp: bool,
}

enum Way {
    /// Made native the elements are right.
    InPlace,
    Numbers(Convert),
    Text([Encoding; 2]),
    /// Truth values instead of the elements.
    Test(Test),
}

/// An element that does not fit: its number, and what to say of it.
pub(crate) struct Misfit {
    pub(crate) index: usize,
    status: Status,
    what: String,
}

impl Kernel {
    /// Fails with [`Status::Conversion`] if there is no such way.
    pub(crate) fn new(source: &Datatype, byteorder: ByteOrder, target: &Datatype, clamp: bool) -> Result<Kernel> {
        let way = match (source, target) {
            _ if source.is_alike(target) => Way::InPlace,
            (Datatype::Scalar(source), Datatype::Scalar(target)) => Way::Numbers(convert::find(*source, *target)?),
            _ => match (Encoding::of(source), Encoding::of(target)) {
                (Some(from), Some(to)) => Way::Text([from, to]),
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
            way,
            clamp,
        })
    }

    /// A kernel for the way back, from native elements in memory to `stored` ones, native as well. Strings of bytes in
    /// memory are UTF-8.
    pub(crate) fn to_store(memory: &Datatype, stored: &Datatype, clamp: bool) -> Result<Kernel> {
        let mut kernel = Kernel::new(memory, ByteOrder::NATIVE, stored, clamp)?;
        if let Way::Text([from @ Encoding::Bytes, _]) = &mut kernel.way {
            *from = Encoding::Utf8;
        }
        Ok(kernel)
    }

    /// A kernel that tells of each element whether it is missing.
    pub(crate) fn test(source: &Datatype, byteorder: ByteOrder, test: Test) -> Result<Kernel> {
        let own = Kernel::new(source, byteorder, source, false)?;
        let target = ScalarType::Bool8;
        Ok(Kernel { way: Way::Test(test), sizes: [own.sizes[0], target.size()], target: target.into(), ..own })
    }

    /// What the elements become.
    pub(crate) fn target(&self) -> &Datatype {
        &self.target
    }

    /// Bytes of a stored element.
    pub(crate) fn source_size(&self) -> usize {
        self.sizes[0]
    }

    /// Bytes of an element in memory.
    pub(crate) fn target_size(&self) -> usize {
        self.sizes[1]
    }

    /// Whether stored bytes can be put where the result belongs and be made right there by [`Kernel::fix`].
    pub(crate) fn is_in_place(&self) -> bool {
        matches!(self.way, Way::InPlace)
    }

    /// Whether the stored bytes are the result.
    pub(crate) fn is_copy(&self) -> bool {
        self.is_in_place() && self.fix.is_nothing()
    }

    /// Whether [`Kernel::convert`] needs its input prepared by [`Kernel::fix`].
    pub(crate) fn swaps(&self) -> bool {
        self.fix.swaps()
    }

    /// Makes stored elements native, where they are.
    pub(crate) fn fix(&self, bytes: &mut [u8]) {
        self.fix.apply(bytes);
    }

    /// As [`Kernel::fix`], from one place to another.
    pub(crate) fn fix_into(&self, input: &[u8], output: &mut [u8], stage: &mut Stage) {
        self.fix.apply_into(input, output, stage);
    }

    /// Converts packed native elements; not for kernels that work in place.
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
        match &self.way {
            Way::InPlace => Ok(()),
            Way::Test(test) => {
                test.apply(input, output);
                Ok(())
            }
            Way::Numbers(convert) => convert(input, output, clamp, stage).map_err(|index| {
                let element = input.get(index * self.sizes[0]..).unwrap_or_default();
                let value = self.source.scalar().map_or(String::new(), |scalar| convert::show(scalar, element));
                Misfit {
                    index,
                    status: Status::Overflow,
                    what: format!("is {value}, which {} cannot hold", self.target),
                }
            }),
            Way::Text(encodings) => {
                text::convert(*encodings, self.sizes, input, output, clamp).map_err(|(index, (status, mut what))| {
                    if status == Status::Overflow {
                        what += &format!(", which {} cannot hold", self.target);
                    }
                    Misfit { index, status, what }
                })
            }
        }
    }

    /// Converts packed native elements one by one. Those that are missing need not fit: what does not is clamped, and
    /// what is no text becomes none.
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

    /// The error for an element that does not fit; `number` counts the elements of the whole result in C order.
    pub(crate) fn error(&self, number: i64, misfit: &Misfit) -> Error {
        Error::new(misfit.status, format!("element {number} {}", misfit.what))
    }
}
