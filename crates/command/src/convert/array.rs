//! Arrays of numpy and raw bytes become arrays of ASDF files.

use super::arguments::Arguments;
use super::format::Format;
use super::npy::{self, Header};
use crate::core::failure::{Failure, Result};
use crate::core::input::Input;
use crate::core::new_file::{self, tell_new_warnings};
use crate::core::output::Output;
use asdfkit::array::{ByteOrder, Datatype, Order};
use asdfkit::file::{ArrayBytes, ArrayData, ArrayOptions, File, NewOptions};
use asdfkit::source::Source;
use asdfkit::{Error, Status};
use std::sync::Arc;

/// Place of an array in a new ASDF file.
const PLACE: &str = "/data";
/// Bytes that hold any header of an `.npy` file.
const HEAD: usize = (1 << 20) + 12;

/// Writes an ASDF file with the array.
pub(super) fn convert(input: &Input, arguments: &Arguments, from: Format, output: &mut Output) -> Result<()> {
    let source = input.source()?;
    let header = match from {
        Format::Npy => {
            let mut head = vec![0; HEAD];
            let length = source.read_at(0, &mut head)?;
            npy::read(&head[..length])?
        }
        _ => raw_header(arguments)?,
    };
    let item = header.datatype.item_size()?;
    let bytes = header.shape.iter().try_fold(item, |size, extent| size.checked_mul(u64::try_from(*extent).ok()?));
    let bytes = bytes.ok_or_else(|| Failure::usage("the array is too large"))?;
    let present = source.len().saturating_sub(header.start);
    if present != bytes {
        let message = format!(
            "the shape {:?} of {} takes {bytes} bytes, but the file has {present}",
            header.shape, header.datatype
        );
        return Err(Error::new(Status::Truncated, message).in_file(&arguments.source.to_string_lossy().into()).into());
    }
    let file = File::new(&NewOptions::default());
    let options = ArrayOptions {
        compression: arguments.packing.compression()?,
        byteorder: header.byteorder,
        ..ArrayOptions::default()
    };
    let (root, path) = (file.root()?, arguments.path.as_deref().unwrap_or(PLACE));
    let swaps = header.byteorder != ByteOrder::NATIVE;
    match &header.datatype {
        Datatype::Scalar(scalar) if !header.fortran_order => {
            // The unit that is swapped: a complex number has two.
            let unit = if scalar.name().starts_with("complex") { scalar.size() / 2 } else { scalar.size() };
            let part = Elements { source, start: header.start, length: bytes, unit: if swaps { unit } else { 1 } };
            root.set_array_source(path, &header.datatype, &header.shape, Arc::new(part), &options)?;
        }
        datatype if swaps && matches!(datatype, Datatype::Record(_)) => {
            return Err(Failure::usage("records in the byte order of another machine are not converted"));
        }
        datatype => {
            let unit = match (datatype, swaps) {
                (Datatype::Scalar(scalar), true) if scalar.name().starts_with("complex") => scalar.size() / 2,
                (Datatype::Scalar(scalar), true) => scalar.size(),
                (Datatype::Ucs4(_), true) => 4,
                _ => 1,
            };
            let part = Elements { source, start: header.start, length: bytes, unit };
            let size = usize::try_from(bytes).map_err(|_| Failure::usage("the array is too large"))?;
            let mut memory = Vec::new();
            memory.try_reserve_exact(size).map_err(|_| Error::new(Status::OutOfMemory, "the array does not fit"))?;
            memory.resize(size, 0);
            part.read_at(0, &mut memory)?;
            let order = if header.fortran_order { Order::Fortran } else { Order::C };
            let bytes = ArrayBytes::Shared(Arc::new(memory));
            let data = ArrayData { datatype: datatype.clone(), shape: &header.shape, bytes, order };
            root.set_array_data(path, &data, &options)?;
        }
    }
    new_file::write_asdf(&arguments.target, output, |target| Ok(file.write(target, &arguments.write_options())?))?;
    tell_new_warnings(&file, &arguments.target, 0);
    Ok(())
}

/// Returns the description of raw bytes from the arguments.
fn raw_header(arguments: &Arguments) -> Result<Header> {
    let (Some(datatype), Some(shape)) = (&arguments.datatype, &arguments.shape) else {
        return Err(Failure::usage("raw bytes need --datatype and --shape"));
    };
    if shape.iter().any(|extent| *extent < 0) {
        return Err(Failure::usage("an extent is negative"));
    }
    let (datatype, byteorder) = npy::parse_datatype(datatype)?;
    Ok(Header { datatype, byteorder, fortran_order: false, shape: shape.clone(), start: 0 })
}

/// Elements of a file in native byte order.
struct Elements {
    source: Arc<dyn Source>,
    start: u64,
    length: u64,
    /// Bytes that are put in the opposite order; 1 for none.
    unit: usize,
}

impl Source for Elements {
    fn len(&self) -> u64 {
        self.length
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> asdfkit::Result<usize> {
        let count = buffer.len().min(usize::try_from(self.length.saturating_sub(offset)).unwrap_or(usize::MAX));
        let buffer = &mut buffer[..count];
        let unit = self.unit as u64;
        if unit == 1 || (offset.is_multiple_of(unit) && count.is_multiple_of(self.unit)) {
            self.read_whole(offset, buffer)?;
            return Ok(count);
        }
        // Pieces may cut a unit: read whole units around them.
        let first = offset - offset % unit;
        let mut around = vec![0; (offset + count as u64).next_multiple_of(unit) as usize - first as usize];
        self.read_whole(first, &mut around)?;
        let skipped = (offset - first) as usize;
        buffer.copy_from_slice(&around[skipped..skipped + count]);
        Ok(count)
    }
}

impl Elements {
    /// Reads whole units.
    fn read_whole(&self, offset: u64, buffer: &mut [u8]) -> asdfkit::Result<()> {
        if self.source.read_at(self.start + offset, buffer)? != buffer.len() {
            return Err(Error::new(Status::Truncated, "the file ends before the array"));
        }
        if self.unit > 1 {
            buffer.chunks_exact_mut(self.unit).for_each(<[u8]>::reverse);
        }
        Ok(())
    }
}
