//! Reads of whole arrays and regions into the caller's memory.

use super::copy::{Stored, copy};
use super::encoded::{Decoding, Encoded};
use super::options::ReadOptions;
use super::parts::copy_on_threads;
use crate::array::convert::kernel::Kernel;
use crate::array::convert::masking::Masking;
use crate::array::element::text::text_of;
use crate::array::payload::fetch::Fetch;
use crate::array::place::destination::{Destination, Order};
use crate::array::place::region::{Region, Selection};
use crate::array::{Array, Datatype, Payload};
use crate::error::{Error, Result, Status, Warning};
use crate::limits::Limit;
use crate::progress::{self, Counted};
use crate::source::{settle, try_zeroed, zeroed_bytes};

impl Array {
    /// Reads all elements as `target`, in native byte order, into the start of `out`. The layout is C order unless the
    /// options say otherwise. Bytes of `out` outside the elements stay unchanged.
    ///
    /// Conversion of numbers:
    ///
    /// * To an integer: the value must be exactly representable; otherwise the read fails with [`Status::Overflow`].
    ///   NaN fails, too.
    /// * To a float: rounds to the nearest value. A finite number that would become infinite is an overflow.
    /// * From bool8: 0 or 1, also for bool8 itself.
    /// * Real to complex: the imaginary part is 0.
    /// * Complex to real: an imaginary part other than 0 is an overflow; clamping drops it.
    /// * From a number to bool8: not possible ([`Status::Conversion`]).
    ///
    /// Elements of the same type keep their bits.
    ///
    /// With `options.conversion`, numbers are rounded to binary64 first, then the function is applied, and its value is
    /// converted like a number of the file. Between integers the result is exact: an integer whose value in the new unit
    /// is not an integer fails with [`Status::Overflow`]. Other elements than numbers fail with [`Status::Conversion`].
    ///
    /// Strings convert to strings of another length or encoding. In memory, [`Datatype::Ascii`] holds UTF-8. A string
    /// that is too long is an overflow; clamping cuts it at the end of a character. Invalid text fails with
    /// [`Status::Encoding`]. Strings read as their own datatype are not checked.
    ///
    /// Records are read only as records, packed: `target` must have the same fields, in any byte order.
    ///
    /// Fails with
    ///
    /// * [`Status::BufferTooSmall`] if `out` is smaller than [`Array::byte_size`], or than the strides require;
    /// * [`Status::InvalidArgument`] for strides that do not fit the shape;
    /// * [`Status::Masked`] if the array has a mask and `options.fill` is `None` (see also [`Array::read_masked`] and
    ///   [`Array::without_mask`]);
    /// * the errors of reading and decoding.
    ///
    /// After a failure the content of `out` is unspecified.
    pub fn read(&self, target: &Datatype, out: &mut [u8], options: &ReadOptions) -> Result<()> {
        self.read_checked(None, target, out, None, options)
    }

    /// Reads the elements of a region; otherwise like [`Array::read`].
    ///
    /// Only the necessary part of compressed bytes is decoded: the touched chunks if the codec has chunks, otherwise
    /// all bytes up to the last one needed. Unlike a read of the whole array, later bytes are not verified. Decoded
    /// bytes are kept for later reads, within the options of the file.
    ///
    /// Fails with [`Status::OutOfRange`] unless the region lies within the array.
    pub fn read_region(&self, region: &Region, target: &Datatype, out: &mut [u8], options: &ReadOptions) -> Result<()> {
        self.read_checked(Some(region), target, out, None, options)
    }

    /// Reads a region, or the whole array, and a mask: one byte for each element, in the same order, 1 if the element
    /// is missing and 0 if not. Otherwise like [`Array::read_region`].
    ///
    /// A missing element need not fit. Without `options.fill` its place in `out` gets the stored value, or the nearest
    /// one that fits, or zeros for invalid text. In an array without a mask no element is missing. Fails with
    /// [`Status::BufferTooSmall`] if `mask` has fewer bytes than there are elements, and like [`Array::read_mask`].
    pub fn read_masked(
        &self,
        region: Option<&Region>,
        target: &Datatype,
        out: &mut [u8],
        mask: &mut [u8],
        options: &ReadOptions,
    ) -> Result<()> {
        self.read_checked(region, target, out, Some(mask), options)
    }

    fn read_checked(
        &self,
        region: Option<&Region>,
        target: &Datatype,
        out: &mut [u8],
        mask: Option<&mut [u8]>,
        options: &ReadOptions,
    ) -> Result<()> {
        self.checked(|| Ok(((), self.read_padded(region, target, out, mask, options, None)?)))
    }

    /// Reads a region like [`Array::read_region`], with the payload bytes from `fetch`.
    pub(super) fn read_fetched(
        &self,
        region: &Region,
        fetch: &mut dyn Fetch,
        target: &Datatype,
        out: &mut [u8],
        options: &ReadOptions,
    ) -> Result<Vec<Warning>> {
        self.read_padded(Some(region), target, out, None, options, Some(fetch))
    }

    /// Returns the size in bytes of all elements as `target`.
    pub fn byte_size(&self, target: &Datatype) -> Result<u64> {
        Ok(Destination::new(self.shape(), target.item_size()?, &Order::C)?.size())
    }

    /// Returns the size in bytes of a region as `target`. `count` holds the number of elements along each dimension.
    ///
    /// Fails with [`Status::InvalidArgument`] if the number of dimensions differs from that of the array, and with
    /// [`Status::OutOfRange`] if a count is negative or larger than the dimension.
    pub fn region_size(&self, count: &[i64], target: &Datatype) -> Result<u64> {
        let start = vec![0; count.len()];
        let checked = Region { start: &start, count, step: None }.check(self.shape());
        let size = checked.and_then(|()| Ok(Destination::new(count, target.item_size()?, &Order::C)?.size()));
        size.map_err(|error| self.locate(error))
    }

    /// Like [`Array::read_elements`], but pads strings as the options say.
    fn read_padded(
        &self,
        region: Option<&Region>,
        target: &Datatype,
        out: &mut [u8],
        mask: Option<&mut [u8]>,
        options: &ReadOptions,
        fetch: Option<&mut dyn Fetch>,
    ) -> Result<Vec<Warning>> {
        let warnings = self.read_elements(region, target, out, mask, options, fetch)?;
        if options.blank_padded && target.holds_text() {
            let destination = Destination::new(self.selected_shape(region)?, target.item_size()?, &options.order)?;
            destination.pad(target, out)?;
        }
        Ok(warnings)
    }

    /// Reads elements and their mask, or fills missing ones. Strings are padded with NULs.
    fn read_elements(
        &self,
        region: Option<&Region>,
        target: &Datatype,
        out: &mut [u8],
        mask: Option<&mut [u8]>,
        options: &ReadOptions,
        fetch: Option<&mut dyn Fetch>,
    ) -> Result<Vec<Warning>> {
        self.payload.check()?;
        if mask.is_none() && options.fill.is_none() {
            self.check_unmasked()?;
        }
        let kernel =
            Kernel::new(&self.datatype, self.byteorder, target, options.clamp)?.with_function(options.function())?;
        let shape = self.selected_shape(region)?;
        let destination = Destination::new(shape, target.item_size()?, &options.order)?;
        let out = destination.part_of(out, "the elements take")?;
        let decoding = Decoding::new(region, options);
        let count: i64 = shape.iter().product();
        let stored = (count.unsigned_abs()).saturating_mul(kernel.source_size() as u64);
        let _expectation = progress::expect(Counted::Elements, Some(stored))?;
        let layout = match (&mask, self.is_masked()) {
            (None, false) => {
                let Some(fetch) = fetch else {
                    return self.read_values(region, &kernel, &destination, out, None, decoding);
                };
                return self.read_values_by(region, &kernel, &destination, out, |selection, out| {
                    copy(selection, fetch, &kernel, &destination, out, None).map(|()| Vec::new())
                });
            }
            _ => destination.of_mask()?,
        };
        let mut own;
        let mask = match mask {
            Some(mask) => layout.part_of(mask, "the mask takes")?,
            None => {
                own = try_zeroed(layout.size() as usize)?;
                &mut own[..]
            }
        };
        let (test, mut warnings) = self.mark(region, &layout, mask, decoding)?;
        if !self.is_masked() {
            return self.read_values(region, &kernel, &destination, out, None, decoding);
        }
        let fill = options.fill.as_ref().map(|fill| fill.convert(target)).transpose()?;
        let mut masking = Masking::new(mask, test);
        warnings.extend(self.read_values(region, &kernel, &destination, out, Some(&mut masking), decoding)?);
        if let Some(fill) = fill {
            masking.fill(&fill, &layout, out)?;
        }
        Ok(warnings)
    }

    /// Returns the shape of a region, or of the array without one. Fails unless the region lies within the array.
    pub(crate) fn selected_shape<'a>(&'a self, region: Option<&Region<'a>>) -> Result<&'a [i64]> {
        match region {
            Some(region) => {
                region.check(self.shape())?;
                Ok(region.count)
            }
            None => Ok(self.shape()),
        }
    }

    /// Reads the stored values of elements into memory of sufficient size, which the caller has checked. Those that
    /// `masking` marks as missing need not fit.
    fn read_values(
        &self,
        region: Option<&Region>,
        kernel: &Kernel,
        destination: &Destination,
        out: &mut [u8],
        masking: Option<&mut Masking>,
        decoding: Decoding,
    ) -> Result<Vec<Warning>> {
        self.read_values_by(region, kernel, destination, out, |selection, out| match &self.payload {
            Payload::Chunked(chunks) => {
                self.copy_from_chunks(chunks, region, (kernel, destination), out, masking, decoding)
            }
            _ => self.copy_from_payload(selection, kernel, destination, out, masking, decoding),
        })
    }

    /// Like [`Array::read_values`], with `copy` as the function that copies a selection.
    fn read_values_by(
        &self,
        region: Option<&Region>,
        kernel: &Kernel,
        destination: &Destination,
        out: &mut [u8],
        copy: impl FnOnce(&Selection, &mut [u8]) -> Result<Vec<Warning>>,
    ) -> Result<Vec<Warning>> {
        if kernel.source_size() == 0 {
            // Strings or records of size 0: there is nothing to read.
            destination.for_each_piece(&mut |piece| out[piece].fill(0))?;
            return Ok(Vec::new());
        }
        if kernel.target_size() == 0 {
            let message = format!("{} cannot hold any text", kernel.target());
            return Err(Error::new(Status::Conversion, message));
        }
        let Some(selection) = Selection::new(&self.geometry, region, destination) else {
            return Ok(Vec::new());
        };
        let mut warnings = copy(&selection, out)?;
        if matches!(self.datatype, Datatype::Ascii(_)) && kernel.is_in_place() {
            let mut is_ascii = true;
            destination.for_each_piece(&mut |piece| is_ascii &= out[piece].is_ascii())?;
            if !is_ascii {
                warnings.push(Warning::new("a string has bytes above 127, which are not ASCII"));
            }
        }
        Ok(warnings)
    }

    /// Reads the string at an index, without trailing NULs. `index` has one entry for each dimension. Otherwise like
    /// [`Array::read`].
    ///
    /// Fails with [`Status::Conversion`] for elements that are not strings, with [`Status::OutOfRange`] for an index
    /// outside the array, with [`Status::Encoding`] for invalid text, and with [`Status::Limit`] for a string larger
    /// than `limits.decoded_bytes` of the open call.
    pub fn read_string(&self, index: &[i64], options: &ReadOptions) -> Result<String> {
        self.checked(|| self.read_text(index, None, options))
    }

    /// Reads the string at an index. Sets the first byte of `mask` to 1 if the string is missing, else to 0. Otherwise
    /// like [`Array::read_string`]; see also [`Array::read_masked`].
    pub fn read_string_masked(&self, index: &[i64], mask: &mut [u8], options: &ReadOptions) -> Result<String> {
        self.checked(|| self.read_text(index, Some(mask), options))
    }

    fn read_text(
        &self,
        index: &[i64],
        mut mask: Option<&mut [u8]>,
        options: &ReadOptions,
    ) -> Result<(String, Vec<Warning>)> {
        let size = self.datatype.item_size()?;
        if size > self.decoded_bytes {
            return Err(Limit::DecodedBytes.exceeded("memory for a string", self.decoded_bytes));
        }
        if !matches!(self.datatype, Datatype::Ascii(_) | Datatype::Ucs4(_)) {
            return text_of(&self.datatype, &[]).map(|text| (text, Vec::new()));
        }
        let ones = vec![1; index.len()];
        let region = Region { start: index, count: &ones, step: None };
        let mut element = zeroed_bytes(size)?;
        let options = ReadOptions { order: Order::C, ..options.clone() };
        let warnings =
            self.read_elements(Some(&region), &self.datatype, &mut element, mask.as_deref_mut(), &options, None)?;
        let is_missing = mask.is_some_and(|mask| mask.first() == Some(&1));
        match text_of(&self.datatype, &element) {
            Err(_) if is_missing => Ok((String::new(), warnings)),
            text => Ok((text?, warnings)),
        }
    }

    /// Fails with [`Status::Masked`] if elements may be missing.
    pub(super) fn check_unmasked(&self) -> Result<()> {
        if self.is_masked() {
            let message =
                "the array has a mask; request the mask, pass a fill value, or read the array without its mask";
            return Err(Error::new(Status::Masked, message));
        }
        Ok(())
    }

    pub(super) fn copy_from_payload(
        &self,
        selection: &Selection,
        kernel: &Kernel,
        destination: &Destination,
        out: &mut [u8],
        masking: Option<&mut Masking>,
        decoding: Decoding,
    ) -> Result<Vec<Warning>> {
        match &self.payload {
            Payload::Stored { source, offset, length } => {
                let mut stored = Stored::new(&**source, *offset, *length);
                let copied = match masking {
                    None => copy_on_threads(selection, &stored, kernel, destination, out, decoding.threads),
                    masking => copy(selection, &mut stored, kernel, destination, out, masking),
                };
                settle(&**source, copied)?;
                Ok(Vec::new())
            }
            Payload::Encoded { source, offset, cache, .. } => {
                let Some(compressed) = self.payload.compressed(self.decoded_bytes) else { return Ok(Vec::new()) };
                let encoded = Encoded { compressed, cache, decoding };
                let outcome = settle(&**source, encoded.copy(selection, kernel, destination, out, masking))?;
                Ok(outcome.map_or_else(Vec::new, |outcome| outcome.warnings(*offset)))
            }
            Payload::Chunked(chunks) => {
                self.copy_packed_chunks(chunks, selection, (kernel, destination), out, masking, decoding)
            }
            Payload::Absent { .. } => self.payload.check().map(|()| Vec::new()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::read::mask::Missing;
    use crate::array::tests::{NATIVE, array, contiguous, encoded, stored};
    use crate::array::{ByteOrder, DeclaredShape, Field, Geometry, ScalarType};
    use crate::codec::Codec;
    use crate::limits::Limits;

    #[test]
    fn regions_outside_are_refused() {
        let array = contiguous(ScalarType::Int8, NATIVE, &[4, 6], stored(&[0; 24], 0));
        let read = |start: &[i64], count: &[i64], step: Option<&[i64]>| {
            let region = Region { start, count, step };
            array.read_region(&region, &ScalarType::Int8.into(), &mut [0; 24], &ReadOptions::default())
        };
        read(&[0, 0], &[4, 6], None).unwrap();
        read(&[4, 6], &[0, 0], None).unwrap();
        read(&[3, 1], &[1, 3], Some(&[i64::MAX, 2])).unwrap();
        read(&[3, 5], &[4, 6], Some(&[-1, -1])).unwrap();
        read(&[3, 5], &[1, 2], Some(&[i64::MIN, -5])).unwrap();
        read(&[4, 0], &[0, 0], Some(&[-1, -1])).unwrap();
        type Case = (&'static [i64], &'static [i64], Option<&'static [i64]>, Status);
        let cases: &[Case] = &[
            (&[0], &[4], None, Status::InvalidArgument),
            (&[0, 0], &[4, 6], Some(&[1]), Status::InvalidArgument),
            (&[0, 0], &[4, 6], Some(&[1, 0]), Status::InvalidArgument),
            (&[0, 0], &[4, 6], Some(&[1, -1]), Status::OutOfRange),
            (&[3, 5], &[5, 6], Some(&[-1, -1]), Status::OutOfRange),
            (&[3, 6], &[4, 1], Some(&[-1, -1]), Status::OutOfRange),
            (&[3, 5], &[2, 2], Some(&[i64::MIN, -1]), Status::OutOfRange),
            (&[1, 0], &[4, 6], None, Status::OutOfRange),
            (&[0, 7], &[1, 0], None, Status::OutOfRange),
            (&[-1, 0], &[1, 1], None, Status::OutOfRange),
            (&[0, 0], &[1, -1], None, Status::OutOfRange),
            (&[0, 0], &[2, 2], Some(&[1, i64::MAX]), Status::OutOfRange),
            (&[i64::MAX, 0], &[1, 1], None, Status::OutOfRange),
            (&[0, 0], &[i64::MAX, i64::MAX], None, Status::OutOfRange),
        ];
        for &(start, count, step, status) in cases {
            assert_eq!(read(start, count, step).unwrap_err().status(), status, "{start:?} {count:?} {step:?}");
        }
    }

    #[test]
    fn a_short_buffer_error_states_the_required_size() {
        let array = contiguous(ScalarType::Int16, NATIVE, &[5], stored(&[0; 10], 0));
        let error = array.read(&ScalarType::Float64.into(), &mut [0; 39], &ReadOptions::default()).unwrap_err();
        assert_eq!(error.status(), Status::BufferTooSmall);
        assert_eq!(error.message(), "the elements take 40 bytes, but the buffer has 39 bytes");
        assert_eq!(array.byte_size(&ScalarType::Float64.into()).unwrap(), 40);
    }

    #[test]
    fn overflow_names_the_element_of_the_result() {
        let mut bytes: Vec<u8> = (0..60i16).flat_map(i16::to_be_bytes).collect();
        bytes[2 * 34..][..2].copy_from_slice(&(-2i16).to_be_bytes());
        // Fortran order: memory is not filled in payload order.
        let shape = DeclaredShape::Fixed(vec![10, 6]);
        let geometry = Geometry::new(&shape, Some(&[2, 20]), 0, 2, Some(120)).unwrap();
        let array = array(ScalarType::Int16, ByteOrder::Big, geometry, stored(&bytes, 3));
        let target = ScalarType::Uint8.into();
        let error = array.read(&target, &mut [0; 60], &ReadOptions::default()).unwrap_err();
        assert_eq!(error.status(), Status::Overflow);
        assert_eq!(error.message(), "element 27 is -2, which uint8 cannot hold");
        for order in [Order::Fortran, Order::Strided(vec![-7, 100])] {
            let options = ReadOptions { order, ..ReadOptions::default() };
            let error = array.read(&target, &mut [0; 564], &options).unwrap_err();
            assert_eq!(error.message(), "element 27 is -2, which uint8 cannot hold");
        }
        let mut out = [9; 60];
        array.read(&target, &mut out, &ReadOptions { clamp: true, ..ReadOptions::default() }).unwrap();
        assert_eq!((out[27], out[28]), (0, 44));
    }

    #[test]
    fn damaged_and_short_payloads_are_errors() {
        let bytes: Vec<u8> = (0..200).collect();
        let status = |payload: Payload, shape: &[i64], target: ScalarType| {
            let array = contiguous(ScalarType::Uint8, NATIVE, shape, payload);
            array.read(&target.into(), &mut [0; 400], &ReadOptions::default()).map_err(|error| error.status())
        };
        for &codec in Codec::ALL {
            for target in [ScalarType::Uint8, ScalarType::Int16] {
                let whole = encoded(&bytes, codec);
                assert_eq!(status(whole.clone(), &[200], target), Ok(()));
                assert_eq!(status(whole.clone(), &[20], target), Ok(()));
                let Payload::Encoded { source, offset, used_size, data_size, codec, cache } = whole else {
                    unreachable!()
                };
                for used_size in 0..used_size {
                    let payload = Payload::Encoded {
                        source: source.clone(),
                        offset,
                        used_size,
                        data_size,
                        codec: codec.clone(),
                        cache: cache.clone(),
                    };
                    assert!(status(payload, &[150], target).is_err(), "{codec:?} {used_size}");
                }
                let payload = Payload::Encoded { source, offset, used_size, data_size: 199, codec, cache };
                assert_eq!(status(payload, &[199], target), Err(Status::DecodedSize));
            }
        }
        let Payload::Stored { source, .. } = stored(&bytes, 0) else { unreachable!() };
        let payload = Payload::Stored { source, offset: 10, length: 200 };
        assert_eq!(status(payload.clone(), &[200], ScalarType::Uint8), Err(Status::Truncated));
        assert_eq!(status(payload, &[190], ScalarType::Uint8), Ok(()));
    }

    #[test]
    fn decoding_out_of_order_respects_the_limit() {
        let bytes = vec![1; 3000];
        let shape = DeclaredShape::Fixed(vec![100, 30]);
        let geometry = Geometry::new(&shape, Some(&[10, 10]), 0, 1, Some(3000)).unwrap();
        let mut array = array(ScalarType::Uint8, NATIVE, geometry, encoded(&bytes, Codec::Zlib));
        array.read(&ScalarType::Uint8.into(), &mut [0; 3000], &ReadOptions::default()).unwrap();
        array.decoded_bytes = 2999;
        let error = array.read(&ScalarType::Uint8.into(), &mut [0; 3000], &ReadOptions::default()).unwrap_err();
        assert_eq!(error.status(), Status::Limit);
    }

    #[test]
    fn warnings_about_compressed_bytes_are_reported() {
        let Payload::Encoded { source, offset, used_size, data_size, codec, cache } = encoded(&[5; 100], Codec::Zlib)
        else {
            unreachable!()
        };
        let payload = Payload::Encoded { source, offset, used_size: used_size + 2, data_size, codec, cache };
        let array = contiguous(ScalarType::Uint8, NATIVE, &[100], payload);
        let (target, options) = (ScalarType::Uint8.into(), ReadOptions::default());
        let warnings = array.read_padded(None, &target, &mut [0; 100], None, &options, None).unwrap();
        assert_eq!(warnings[0].message, "2 bytes after the compressed data are ignored");
    }

    #[test]
    fn unreadable_arrays_report_the_cause() {
        let status = |array: &Array, target: &Datatype| {
            array.read(target, &mut [0; 99], &ReadOptions::default()).unwrap_err().status()
        };
        let int8: Datatype = ScalarType::Int8.into();
        let mut array = contiguous(ScalarType::Int8, NATIVE, &[4], stored(&[0; 4], 0));
        assert_eq!(status(&array, &Datatype::Ascii(3)), Status::Conversion);
        array.missing = Missing::Pending(None);
        assert_eq!(status(&array, &int8), Status::Masked);
        array.missing = Missing::Nothing;
        array.datatype = Datatype::Ascii(1);
        assert_eq!(status(&array, &int8), Status::Conversion);
        assert_eq!(status(&array, &Datatype::Ascii(0)), Status::Conversion);
        array.payload = Payload::absent(&Error::new(Status::FileNotFound, "elsewhere"), None);
        assert_eq!(status(&array, &int8), Status::FileNotFound);
    }

    fn typed(datatype: Datatype, byteorder: ByteOrder, shape: &[i64], bytes: &[u8]) -> Array {
        let payload = stored(bytes, 3);
        let item = datatype.item_size().unwrap();
        let declared = DeclaredShape::Fixed(shape.to_vec());
        let geometry = Geometry::new(&declared, None, 0, item, payload.length()).unwrap();
        Array { datatype, ..array(ScalarType::Int8, byteorder, geometry, payload) }
    }

    #[test]
    fn strings_are_read_whole_converted_and_one_by_one() {
        let texts = ["", "ab", "é😀", "a\0b", "xyz", "z"];
        let units = |text: &str| text.chars().chain(['\0'; 4]).take(4).map(u32::from).collect::<Vec<_>>();
        let bytes: Vec<u8> = texts.iter().flat_map(|text| units(text)).flat_map(u32::to_be_bytes).collect();
        let array = typed(Datatype::Ucs4(4), ByteOrder::Big, &[3, 2], &bytes);
        let read = |target: &Datatype, clamp| {
            let mut out = vec![9; array.byte_size(target).unwrap() as usize];
            array.read(target, &mut out, &ReadOptions { clamp, ..ReadOptions::default() }).map(|_| out)
        };
        let native: Vec<u8> = texts.iter().flat_map(|text| units(text)).flat_map(u32::to_ne_bytes).collect();
        assert_eq!(read(&Datatype::Ucs4(4), false).unwrap(), native);
        let utf8 = read(&Datatype::Ascii(6), false).unwrap();
        assert_eq!(utf8[6..18], *b"ab\0\0\0\0\xC3\xA9\xF0\x9F\x98\x80");
        let error = read(&Datatype::Ascii(5), false).unwrap_err();
        assert_eq!(error.message(), "element 2 has 6 bytes, which [ascii, 5] cannot hold");
        assert_eq!(error.status(), Status::Overflow);
        assert_eq!(read(&Datatype::Ascii(2), true).unwrap(), *b"\0\0ab\xC3\xA9a\0xyz\0");
        for (number, text) in texts.iter().enumerate() {
            let index = [number as i64 / 2, number as i64 % 2];
            assert_eq!(array.read_string(&index, &ReadOptions::default()).unwrap(), *text);
        }
        let status = |index: &[i64]| array.read_string(index, &ReadOptions::default()).unwrap_err().status();
        assert_eq!([status(&[3, 0]), status(&[0])], [Status::OutOfRange, Status::InvalidArgument]);
        let numbers = contiguous(ScalarType::Int8, NATIVE, &[1], stored(&[0], 0));
        let error = numbers.read_string(&[0], &ReadOptions::default()).unwrap_err();
        assert_eq!(error.status(), Status::Conversion);
    }

    #[test]
    fn invalid_text_is_read_unchanged() {
        let array = typed(Datatype::Ascii(2), ByteOrder::Big, &[2], b"ab\xE9\0");
        let mut out = [0; 4];
        let options = ReadOptions::default();
        let warnings = array.read_padded(None, &Datatype::Ascii(2), &mut out, None, &options, None).unwrap();
        assert_eq!((&out, warnings.len()), (b"ab\xE9\0", 1));
        let error = array.read(&Datatype::Ucs4(2), &mut [0; 16], &ReadOptions::default()).unwrap_err();
        assert_eq!(error.status(), Status::Encoding);
        assert_eq!(error.message(), "element 1 has the byte 0xE9 at 0, which is not ASCII");
        let empty = typed(Datatype::Ascii(0), ByteOrder::Big, &[i64::MAX], b"");
        empty.read(&Datatype::Ascii(0), &mut [], &ReadOptions::default()).unwrap();
        let region = Region { start: &[9], count: &[2], step: None };
        let mut out = [9; 4];
        empty.read_region(&region, &Datatype::Ascii(2), &mut out, &ReadOptions::default()).unwrap();
        assert_eq!(out, [0; 4]);
        let strided = ReadOptions { order: Order::Strided(vec![3]), ..ReadOptions::default() };
        let mut out = *b"+++++++";
        empty.read_region(&region, &Datatype::Ascii(2), &mut out, &strided).unwrap();
        assert_eq!(out, *b"\0\0+\0\0++");
        // Bytes between the elements must stay unchanged.
        let mut out = [0xFF; 7];
        let array = typed(Datatype::Ascii(2), ByteOrder::Big, &[2], b"abcd");
        assert_eq!(array.read_padded(None, &Datatype::Ascii(2), &mut out, None, &strided, None).unwrap(), []);
    }

    #[test]
    fn records_are_read_packed_and_native() {
        let field = |name: &str, datatype: Datatype, byteorder| Field {
            name: Some(name.to_owned()),
            datatype,
            byteorder,
            shape: Vec::new(),
        };
        let fields = |order| [field("a", ScalarType::Int16.into(), order), field("b", Datatype::Ascii(1), None)];
        let stored = Datatype::Record(fields(Some(ByteOrder::Big)).into());
        let array = typed(stored.clone(), ByteOrder::Little, &[2], &[1, 2, b'x', 3, 4, b'y']);
        let mut out = [0; 6];
        for target in [&stored, &Datatype::Record(fields(None).into())] {
            array.read(target, &mut out, &ReadOptions::default()).unwrap();
            assert_eq!((i16::from_ne_bytes([out[0], out[1]]), out[2]), (0x102, b'x'));
            assert_eq!((i16::from_ne_bytes([out[3], out[4]]), out[5]), (0x304, b'y'));
        }
        let other = Datatype::Record([field("a", ScalarType::Int16.into(), None)].into());
        let error = array.read(&other, &mut out, &ReadOptions::default()).unwrap_err();
        assert_eq!(error.status(), Status::Conversion);
    }

    #[test]
    fn rows_of_an_array_in_another_file_cannot_be_counted() {
        let text = "{source: other.asdf, datatype: int8, byteorder: big, shape: ['*']}";
        let tree = crate::yaml::parse(format!("%YAML 1.1\n--- {text}\n"), 0, 1, &Limits::default()).unwrap().tree;
        let descriptor = crate::array::Descriptor::parse(&tree, tree.root(), &Limits::default()).unwrap();
        let payload = Payload::absent(&Error::new(Status::FileNotFound, "elsewhere"), None);
        let error = Array::open(&descriptor, payload, &Limits::default()).unwrap_err();
        assert_eq!(error.status(), Status::FileNotFound);
    }
}
