//! Overwriting the elements of a region with elements of the caller's memory: the inverse of a read.
//!
//! Elements are written in as few pieces as a read would need. Bytes between elements are read first and written back
//! unchanged. The caller's [`WritablePayload`] accesses the file.

use super::describe::check_text;
use super::in_memory::without_blanks;
use crate::array::Array;
use crate::array::convert::kernel::Kernel;
use crate::array::convert::native::Fix;
use crate::array::convert::stage::Stage;
use crate::array::element::datatype::{ByteOrder, Datatype};
use crate::array::place::descriptor::DeclaredShape;
use crate::array::place::destination::{Destination, Order};
use crate::array::place::geometry::Geometry;
use crate::array::place::region::{Region, Selection};
use crate::array::read::copy::{Plan, gather, grow, scatter};
use crate::array::read::options::ReadOptions;
use crate::error::{Error, Result, Status};
use crate::progress::{self, Counted};

/// The writable bytes of a payload.
pub(crate) trait WritablePayload {
    /// Announces a range of bytes that may be changed: `size` bytes from `offset` on.
    fn prepare(&mut self, offset: u64, size: u64) -> Result<()>;

    /// Called after the last `prepare` and before the first `fetch` or `store`.
    fn begin(&mut self) -> Result<()>;

    /// Fills `buffer` with the bytes from `offset` on.
    fn fetch(&mut self, offset: u64, buffer: &mut [u8]) -> Result<()>;

    /// Overwrites the bytes from `offset` on.
    fn store(&mut self, offset: u64, bytes: &[u8]) -> Result<()>;
}

/// A payload that discards all writes.
pub(crate) struct DiscardedWrites;

impl WritablePayload for DiscardedWrites {
    fn prepare(&mut self, _: u64, _: u64) -> Result<()> {
        Ok(())
    }

    fn begin(&mut self) -> Result<()> {
        Ok(())
    }

    fn fetch(&mut self, _: u64, _: &mut [u8]) -> Result<()> {
        Ok(())
    }

    fn store(&mut self, _: u64, _: &[u8]) -> Result<()> {
        Ok(())
    }
}

impl Array {
    /// Writes native elements of the type `memory`, laid out in `bytes` as the options say, over those of a region.
    /// Elements that cannot be converted are found before anything is written.
    ///
    /// Conversion rules are those of [`Array::read`] in the other direction; `ascii` strings in memory are UTF-8. Fails
    /// like a read, and with [`Status::Unsupported`] if elements of the array share bytes.
    pub(crate) fn write_region_to(
        &self,
        region: Option<&Region>,
        memory: &Datatype,
        bytes: &[u8],
        options: &ReadOptions,
        payload: &mut dyn WritablePayload,
    ) -> Result<()> {
        if self.is_masked() {
            let message = "the array has a mask, which the write would not update; write to the array without its mask";
            return Err(Error::new(Status::Masked, message));
        }
        options.check_no_function()?;
        let shape = self.selected_shape(region)?;
        let conversion = Conversion::new(memory, &self.datatype, self.byteorder, options.clamp)?;
        // The layout of elements of size 0 does not matter.
        let order = if conversion.made == 0 { &Order::C } else { &options.order };
        let source = Destination::to_read(shape, conversion.made as u64, order)?;
        let bytes = given_elements(bytes, source.size(), conversion.made > 0 && !matches!(order, Order::Strided(_)))?;
        if conversion.item == 0 {
            return conversion.check_empty();
        }
        if options.blank_padded && memory.holds_text() && conversion.made > 0 {
            let packed = without_blanks(memory, shape, order, bytes)?;
            let options = ReadOptions { order: Order::C, blank_padded: false, ..options.clone() };
            return self.write_region_to(region, memory, &packed, &options, payload);
        }
        let Some(selection) = Selection::new(&self.geometry, region, &source) else { return Ok(()) };
        if !selection.is_forward(conversion.item) || selection.axes.iter().any(|axis| axis.source == 0) {
            let message = "elements of the array share bytes, so they cannot be overwritten one by one";
            return Err(Error::new(Status::Unsupported, message));
        }
        let passes = if conversion.may_fail() { 2 } else { 1 };
        let _expectation = progress::expect(Counted::Elements, Some(source.size().saturating_mul(passes)))?;
        if conversion.may_fail() {
            conversion.write(&selection, &source, bytes, &mut DiscardedWrites)?;
        }
        conversion.plan(&selection).for_each_read(&selection, &mut |read| payload.prepare(read.source, read.size))?;
        payload.begin()?;
        conversion.write(&selection, &source, bytes, payload)
    }
}

impl Array {
    /// Returns an array of so many packed rows like those of this one, without their bytes.
    pub(crate) fn of_rows(&self, rows: i64) -> Result<Array> {
        let shape = std::iter::once(rows).chain(self.shape().iter().skip(1).copied()).collect();
        let item_size = self.datatype.item_size()?;
        let geometry = Geometry::new(&DeclaredShape::Fixed(shape), None, 0, item_size, None)?;
        let payload = crate::array::payload::stored(Vec::new());
        Ok(Array { geometry, payload, owner: None, warnings: Vec::new(), ..self.clone() })
    }
}

/// Returns the first `needed` of the caller's bytes, those of the elements of a region.
///
/// Fails with [`Status::BufferTooSmall`] if there are fewer bytes, and with [`Status::InvalidArgument`] if `is_packed` and
/// there are more: more packed elements than the region has are meant for another region.
pub(super) fn given_elements(bytes: &[u8], needed: u64, is_packed: bool) -> Result<&[u8]> {
    let given = bytes.len();
    let bytes = usize::try_from(needed).ok().and_then(|needed| bytes.get(..needed)).ok_or_else(|| {
        let message = format!("the elements take {needed} bytes, but the buffer has {given} bytes");
        Error::new(Status::BufferTooSmall, message)
    })?;
    if is_packed && bytes.len() < given {
        let message = format!("the elements of the region take {needed} bytes, but {given} bytes are given");
        return Err(Error::new(Status::InvalidArgument, message));
    }
    Ok(bytes)
}

/// The conversion of elements in memory to stored ones.
struct Conversion<'a> {
    kernel: Kernel,
    /// Turns native elements into stored ones.
    fix: Fix,
    stored: &'a Datatype,
    holds_text: bool,
    /// Size in bytes of an element in memory (`made`) and of a stored one (`item`).
    made: usize,
    item: usize,
}

impl Conversion<'_> {
    fn new<'a>(memory: &Datatype, stored: &'a Datatype, byteorder: ByteOrder, clamp: bool) -> Result<Conversion<'a>> {
        let kernel = Kernel::to_store(memory, stored, clamp)?;
        let (made, item) = (kernel.source_size(), kernel.target_size());
        let fix = Fix::new(stored, byteorder)?;
        Ok(Conversion { kernel, fix, stored, holds_text: stored.holds_text(), made, item })
    }

    fn may_fail(&self) -> bool {
        !self.kernel.is_in_place() || self.holds_text
    }

    /// Fails unless strings are valid for their datatype.
    fn check(&self, elements: &[u8]) -> Result<()> {
        if self.holds_text { check_text(self.stored, elements) } else { Ok(()) }
    }

    fn is_copy(&self) -> bool {
        self.kernel.is_in_place() && self.fix.is_nothing()
    }

    fn plan<'a>(&self, selection: &'a Selection) -> Plan<'a> {
        Plan::of_overwriting(selection, self.item, self.kernel.is_in_place(), self.is_copy())
    }

    /// A stored element of size 0 takes only elements of size 0.
    fn check_empty(&self) -> Result<()> {
        if self.made == 0 {
            return Ok(());
        }
        let message = format!("{} cannot hold any text", self.stored);
        Err(Error::new(Status::Conversion, message))
    }

    fn write(
        &self,
        selection: &Selection,
        source: &Destination,
        bytes: &[u8],
        payload: &mut dyn WritablePayload,
    ) -> Result<()> {
        let (plan, is_copy) = (self.plan(selection), self.is_copy());
        let (mut buffer, mut packed, mut made) = (Vec::new(), Vec::new(), Vec::new());
        plan.for_each_read(selection, &mut |read| {
            let size = usize::try_from(read.size).map_err(|_| Error::out_of_memory(read.size))?;
            if plan.direct && is_copy {
                let piece = &bytes[read.target as usize..][..size];
                self.check(piece)?;
                let mut at = read.source;
                for part in piece.chunks(progress::piece_size(size).max(1)) {
                    payload.store(at, part)?;
                    at += part.len() as u64;
                    progress::advance(Counted::Elements, part.len() as u64)?;
                }
                return Ok(());
            }
            grow(&mut buffer, size)?;
            let buffer = &mut buffer[..size];
            if plan.elements(&read).saturating_mul(self.item as u64) < read.size {
                payload.fetch(read.source, buffer)?;
            }
            plan.for_each_row(&read, self.item.max(self.made), &mut |from, row, at| {
                let input = if self.made == 0 {
                    &[]
                } else if row.target == self.made as isize || row.count == 1 {
                    &bytes[at as usize..][..row.count * self.made]
                } else {
                    grow(&mut packed, row.count * self.made)?;
                    let packed = &mut packed[..row.count * self.made];
                    gather(bytes, at, row.target, self.made, packed);
                    packed
                };
                let number = |index: usize| source.number((at + row.target * index as isize) as usize);
                if row.source == self.item as u64 {
                    return self.convert(input, &mut buffer[from..][..row.count * self.item], &number);
                }
                grow(&mut made, row.count * self.item)?;
                let made = &mut made[..row.count * self.item];
                self.convert(input, made, &number)?;
                scatter(made, self.item, buffer, from as isize, row.source as isize);
                Ok(())
            })?;
            payload.store(read.source, buffer)?;
            progress::advance(Counted::Elements, plan.elements(&read).saturating_mul(self.made as u64))
        })
    }

    /// Converts packed elements in memory to packed stored ones. `number` returns the number of an element in the
    /// region.
    fn convert(&self, input: &[u8], output: &mut [u8], number: &dyn Fn(usize) -> i64) -> Result<()> {
        if self.kernel.is_in_place() {
            self.check(input)?;
            self.fix.apply_into(input, output, &mut Stage::none());
            return Ok(());
        }
        if self.made == 0 {
            // Strings of size 0.
            output.fill(0);
            return Ok(());
        }
        let result = self.kernel.convert(input, output, &mut Stage::none());
        result.map_err(|misfit| self.kernel.error(number(misfit.index), &misfit))?;
        self.check(output)?;
        self.fix.apply(output);
        Ok(())
    }
}
