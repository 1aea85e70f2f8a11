//! Elements of arrays as real numbers.

use crate::core::arguments::InUnit;
use crate::core::elements::{Piece, datatype_text, for_each_piece};
use crate::core::failure::{Failure, Result};
use crate::core::region::Selection;
use asdfkit::array::{Array, Datatype, ScalarType};
use asdfkit::units::Conversion;

/// Type of elements in memory, and their conversion.
pub(crate) struct Numbers {
    read_as: (Datatype, Option<Conversion>),
    is_complex: bool,
    threads: usize,
}

impl Numbers {
    /// Fails for elements that are no numbers.
    pub(super) fn of(array: &Array, unit: &InUnit, threads: usize) -> Result<Numbers> {
        let Some(scalar) = array.datatype().scalar() else {
            let text = datatype_text(array.datatype());
            return Err(Failure::usage(format!(
                "elements of the type {text} are no numbers: name a field or a column"
            )));
        };
        let is_complex = matches!(scalar, ScalarType::Complex64 | ScalarType::Complex128);
        let datatype = if is_complex { ScalarType::Complex128 } else { ScalarType::Float64 };
        let (_, conversion) = unit.of(array)?;
        Ok(Numbers { read_as: (datatype.into(), conversion), is_complex, threads })
    }

    /// Calls `take` with each element of a selection, in C order, and whether it is missing. A complex number has its
    /// modulus.
    pub(super) fn each(&self, array: &Array, selection: &Selection, mut take: impl FnMut(f64, bool)) -> Result<()> {
        let size = if self.is_complex { 16 } else { 8 };
        for_each_piece(array, selection, &self.read_as, self.threads, |piece: Piece| {
            for (index, element) in piece.bytes.chunks_exact(size).enumerate() {
                let (first, second) = element.split_at(8);
                let first = f64::from_ne_bytes(first.try_into().unwrap_or_default());
                let value = match second.try_into() {
                    Ok(second) => first.hypot(f64::from_ne_bytes(second)),
                    Err(_) => first,
                };
                take(value, piece.is_missing(index));
            }
            Ok(())
        })
    }
}
