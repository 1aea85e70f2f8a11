//! Data of an HDU as an array: datatype, shape and bytes of the elements. The rules are those of astropy.
//!
//! The HDU decides. A tree that says otherwise gives a warning.

use super::columns::Columns;
use super::conversion::{Conversion, Scaling};
use super::converted::{ConvertedSource, Part};
use super::file::FitsFile;
use super::hdu::{Hdu, Kind};
use super::name::HduTarget;
use super::tiles::TilesSource;
use crate::array::{Array, ByteOrder, Datatype, DeclaredShape, Descriptor, Mask, Payload, ScalarType};
use crate::error::{Error, Result, Status, Warning};
use crate::limits::{Limit, Limits};
use crate::source::Source;
use std::ops::Range;
use std::sync::Arc;

/// The elements of an HDU.
struct Elements {
    datatype: Datatype,
    /// Datatypes that a tree can give for these elements without a contradiction, besides their own.
    stored: Datatype,
    shape: Vec<i64>,
    /// Conversion of the stored bytes; `None` if they are the elements.
    records: Option<Records>,
    has_blanks: bool,
}

/// Stored records with a conversion.
struct Records {
    count: u64,
    stored_size: u64,
    parts: Vec<Part>,
}

/// Place of the elements of an HDU that can be overwritten.
pub(crate) struct HduPlace {
    /// Bytes of the FITS file.
    pub(crate) range: Range<u64>,
    /// Size of integers whose first bit is stored inverted.
    flipped: Option<u64>,
}

impl HduPlace {
    /// Returns whether the stored bytes differ from the elements.
    pub(crate) fn is_converted(&self) -> bool {
        self.flipped.is_some()
    }

    /// Converts stored bytes from an offset in the range into elements, or elements into stored bytes.
    pub(crate) fn convert(&self, offset: u64, bytes: &mut [u8]) {
        if let Some(size) = self.flipped {
            let first = (size - offset % size) % size;
            bytes.iter_mut().skip(first as usize).step_by(size as usize).for_each(|byte| *byte ^= 0x80);
        }
    }
}

impl FitsFile {
    /// Returns the array that is the data of an HDU. `descriptor` is what the tree says about it, `source` the name of
    /// the HDU. Elements with the value `BLANK` are missing.
    ///
    /// Fails with
    ///
    /// * [`Status::BadArray`] for a source that is no name, and for an HDU without data;
    /// * [`Status::HduNotFound`];
    /// * [`Status::FitsHeader`] and [`Status::Truncated`] for a damaged HDU;
    /// * [`Status::Unsupported`] for tables of text and random groups, and for tile-compressed images without a decoder.
    pub(crate) fn array(&self, descriptor: &Descriptor, source: &str, limits: &Limits) -> Result<Array> {
        self.array_of(self.find(source)?, descriptor, limits)
    }

    /// Same as [`FitsFile::array`] for the HDU that an external array names.
    pub(crate) fn external_array(&self, descriptor: &Descriptor, target: &HduTarget, limits: &Limits) -> Result<Array> {
        self.array_of(self.find_target(target)?, descriptor, limits)
    }

    fn array_of(&self, hdu: &Hdu, descriptor: &Descriptor, limits: &Limits) -> Result<Array> {
        let (elements, payload) = if hdu.kind == Kind::Tiles {
            hdu.check_complete(self.source.len())?;
            let image = hdu.decoded()?;
            let elements = image.elements(&*self.source, limits)?;
            let tiles: Arc<dyn Source> = Arc::new(TilesSource::new(self.source.clone(), hdu, &image)?);
            let payload = image.payload(&tiles, &elements)?;
            (elements, payload)
        } else {
            let elements = hdu.elements(&*self.source, limits)?;
            hdu.check_complete(self.source.len())?;
            let source: Arc<dyn Source> = self.source.clone();
            let payload = hdu.payload(&source, &elements)?;
            (elements, payload)
        };
        let mut described = Descriptor {
            shape: Some(DeclaredShape::Fixed(elements.shape.clone())),
            datatype: Some(elements.datatype.clone()),
            byteorder: ByteOrder::Big,
            offset: 0,
            strides: None,
            ..descriptor.clone()
        };
        described.warnings.extend(elements.differences(descriptor, hdu));
        let array = Array::open(&described, payload, limits)?;
        let is_masked = elements.has_blanks && descriptor.mask.is_none();
        Ok(if is_masked { array.masked_by(Mask::of_nan()) } else { array })
    }

    /// Returns the place where the elements of an HDU can be overwritten.
    ///
    /// Fails with [`Status::Unsupported`] if the elements are converted when they are read, unless they are integers
    /// whose range is moved by half, and for the same reasons as [`FitsFile::array`].
    pub(crate) fn writable(&self, source: &str, limits: &Limits) -> Result<HduPlace> {
        let hdu = self.find(source)?;
        let elements = hdu.elements(&*self.source, limits)?;
        hdu.check_complete(self.source.len())?;
        let range = hdu.data..hdu.data + hdu.value_count()? * hdu.width.unsigned_abs();
        let flipped = match &elements.records {
            None => None,
            Some(Records { parts, .. }) => match &parts[..] {
                [] => None,
                [Part { conversion: Conversion::FlipSign(size), .. }] if hdu.kind == Kind::Image => Some(*size as u64),
                _ => {
                    let message = format!(
                        "the data of {hdu} are converted when they are read (scale, offset, logicals or texts), so they \
                         are not overwritten; set the array again, which stores it in the HDU with ASDF, or convert the \
                         file to ASDF (asdfkit convert) and change that"
                    );
                    return Err(Error::new(Status::Unsupported, message).at_offset(hdu.header.start));
                }
            },
        };
        Ok(HduPlace { range, flipped })
    }

    /// Fails with [`Status::Unsupported`] if the stored bytes of an array are not its elements, which then have no place in
    /// the file.
    pub(crate) fn check_stored(&self, payload: &Payload) -> Result<()> {
        let is_stored = |source: &Arc<dyn Source>| std::ptr::addr_eq(Arc::as_ptr(source), Arc::as_ptr(&self.source));
        if payload.place().is_some_and(|(source, _)| is_stored(source)) {
            return Ok(());
        }
        let message = "the elements of the HDU are scaled, unsigned or converted when they are read, so they have no \
                       place in the file";
        Err(Error::new(Status::Unsupported, message))
    }
}

impl Hdu {
    /// Returns the elements in a source that has the data of the HDU.
    fn payload(&self, source: &Arc<dyn Source>, elements: &Elements) -> Result<Payload> {
        let source = source.clone();
        let Some(Records { count, stored_size, parts }) = &elements.records else {
            let length = self.value_count()? * self.width.unsigned_abs();
            return Ok(Payload::Stored { source, offset: self.data, length });
        };
        let size = parts.iter().map(Part::end).max().unwrap_or(0);
        if count.checked_mul(size).is_none_or(|bytes| bytes > i64::MAX as u64) {
            return Err(self.too_large());
        }
        let (count, stored_size, parts) = (*count, *stored_size, parts.clone());
        let source = Arc::new(ConvertedSource { source, offset: self.data, count, stored_size, size, parts });
        let length = source.len();
        Ok(Payload::Stored { source, offset: 0, length })
    }

    fn elements(&self, source: &dyn Source, limits: &Limits) -> Result<Elements> {
        let unsupported = |what: &str| {
            let message = format!("{self} is {what}");
            Err(Error::new(Status::Unsupported, message).at_offset(self.header.start))
        };
        match self.kind {
            Kind::Image => self.image(limits),
            Kind::Table => self.table(source),
            Kind::Tiles => unsupported(
                "a tile-compressed image (ZIMAGE = T), which is not changed in place; funpack makes a plain image of it",
            ),
            Kind::TextTable => unsupported("a table of text (XTENSION = 'TABLE'), which is not read"),
            Kind::Groups => unsupported("in the form of random groups (GROUPS = T), which is not read"),
        }
    }

    fn image(&self, limits: &Limits) -> Result<Elements> {
        if self.axes.is_empty() {
            let message = format!("{self} has no data (NAXIS = 0)");
            return Err(Error::new(Status::BadArray, message).at_offset(self.header.start));
        }
        let most = limits.rank.min(Limits::MAX_RANK);
        if self.axes.len() > most as usize {
            return Err(Limit::Rank.exceeded("the dimensions of an array", most.into()));
        }
        let stored = match self.width {
            1 => ScalarType::Uint8,
            2 => ScalarType::Int16,
            4 => ScalarType::Int32,
            8 => ScalarType::Int64,
            -4 => ScalarType::Float32,
            _ => ScalarType::Float64,
        };
        let scale = self.header.number("BSCALE")?.unwrap_or(1.0);
        let zero = self.header.number("BZERO")?.unwrap_or(0.0);
        let moved = moved_half(stored).filter(|(_, half)| scale == 1.0 && zero == *half);
        let is_integer = self.width > 0;
        // A value that is no integer means nothing, as in astropy.
        let blank = self.header.integer("BLANK", i64::MIN..=i64::MAX).ok().flatten();
        let blank = blank.filter(|_| is_integer && moved.is_none());
        let (scalar, conversion) = match moved {
            Some((scalar, _)) => (scalar, Some(Conversion::FlipSign(stored.size()))),
            None if scale == 1.0 && zero == 0.0 && blank.is_none() => (stored, None),
            None => {
                let is_wide = matches!(self.width, 4 | 8 | -8);
                let scaling = Scaling { width: self.width, scale, zero, blank, is_wide };
                let scalar = if is_wide { ScalarType::Float64 } else { ScalarType::Float32 };
                (scalar, Some(Conversion::Scale(scaling)))
            }
        };
        let count = self.value_count()?;
        // The image is one record.
        let records = conversion.map(|conversion| Records {
            count: u64::from(count > 0),
            stored_size: count * stored.size() as u64,
            parts: vec![Part { stored: 0, first: 0, count, conversion, heap: None }],
        });
        let shape = self.axes.iter().rev().map(|&extent| extent as i64).collect();
        Ok(Elements { datatype: scalar.into(), stored: stored.into(), shape, records, has_blanks: blank.is_some() })
    }

    fn table(&self, source: &dyn Source) -> Result<Elements> {
        let Columns { fields, stored, parts } = Columns::of_table(self, source)?;
        let [stored_size, count] = self.axes[..] else { return Err(self.header.wrong("NAXIS", "is not 2")) };
        let is_stored = parts.iter().all(|part| part.heap.is_none() && matches!(part.conversion, Conversion::Copy(_)))
            && parts.iter().map(Part::end).max().unwrap_or(0) == stored_size;
        Ok(Elements {
            datatype: Datatype::Record(fields.into()),
            stored: Datatype::Record(stored.into()),
            shape: vec![count as i64],
            records: (!is_stored).then_some(Records { count, stored_size, parts }),
            has_blanks: false,
        })
    }
}

/// Returns the type of integers whose range is moved by half, and the offset that moves it.
pub(super) fn moved_half(stored: ScalarType) -> Option<(ScalarType, f64)> {
    match stored {
        ScalarType::Uint8 => Some((ScalarType::Int8, -128.0)),
        ScalarType::Int16 => Some((ScalarType::Uint16, 32_768.0)),
        ScalarType::Int32 => Some((ScalarType::Uint32, 2_147_483_648.0)),
        ScalarType::Int64 => Some((ScalarType::Uint64, 9_223_372_036_854_775_808.0)),
        _ => None,
    }
}

impl Elements {
    /// Returns warnings about a description that differs from the HDU.
    fn differences(&self, declared: &Descriptor, hdu: &Hdu) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let mut warn = |what: String| warnings.push(Warning::new(format!("{what}; {hdu} decides")));
        let shape = match &declared.shape {
            Some(DeclaredShape::Fixed(shape)) => Some(shape),
            _ => None,
        };
        if shape.is_some_and(|shape| *shape != self.shape) {
            let shape = shape.map_or(&[][..], Vec::as_slice);
            warn(format!("the tree says that the shape is {shape:?}, but the HDU has {:?}", self.shape));
        }
        if let Some(datatype) = &declared.datatype
            && !datatype.is_alike(&self.datatype)
            && !is_stored_form(datatype, &self.stored, &self.datatype)
        {
            warn(format!("the tree says that the elements are {datatype}, but the HDU has {}", self.datatype));
        }
        if declared.offset != 0 || declared.strides.is_some() {
            warn("the tree gives an offset or strides for the data of an HDU".to_owned());
        }
        warnings
    }
}

/// Returns whether a declared datatype is that of the stored values, or of the elements, for each field on its own.
fn is_stored_form(declared: &Datatype, stored: &Datatype, elements: &Datatype) -> bool {
    match (declared, stored, elements) {
        (Datatype::Record(declared), Datatype::Record(stored), Datatype::Record(elements)) => {
            // Fields with numbers of values come last. A tree does not have them.
            let is_length =
                |field: &crate::array::Field| field.name.as_ref().is_some_and(|name| name.contains("_length"));
            elements.iter().skip(declared.len()).all(is_length)
                && declared.len() <= elements.len()
                && declared.iter().zip(stored.iter().zip(elements.iter())).all(|(declared, (stored, element))| {
                    let is_of = |other: &crate::array::Field| {
                        declared.datatype.is_alike(&other.datatype) && declared.shape == other.shape
                    };
                    declared.name == element.name && (is_of(stored) || is_of(element))
                })
        }
        _ => declared.is_alike(stored),
    }
}
