//! Points in time as nodes: `time/time` in the version of the file's standard, as asdf-astropy writes it.

use super::format::TimeFormat;
use super::place;
use super::points::Time;
use super::scale::TimeScale;
use crate::array::{Datatype, Order};
use crate::error::{Error, Result, Status};
use crate::file::{ArrayBytes, ArrayData, ArrayOptions, File, NewOptions, Node};
use crate::tags::{self, standard_tag};

/// Key of the points in time in the file where they are prepared.
const PREPARED: &str = "time";

impl Node {
    /// Stores points in time at `path`, as a `time/time` in the version of the file's standard. Several become an array
    /// with the storage of the options.
    ///
    /// The values are stored in the format of the times. Formats that the standard does not store become text of dates
    /// with 3, 6 or 9 decimals of a second, as needed, and their name. Epochs of years become text. Numbers have the
    /// precision of a double, which is 40 microseconds for Julian dates. The scale is stored unless it is UTC.
    ///
    /// Fails with [`Status::Unsupported`] for a single time that is missing and for the scale `local`, and with
    /// [`Status::OutOfRange`] for dates that have no text in the format.
    pub fn set_times(&self, path: &str, time: &Time, options: &ArrayOptions) -> Result<()> {
        let standard = self.file().standard_version();
        let tag = standard_tag(tags::TIME, standard)?;
        let scratch = File::new(&NewOptions { standard, ..NewOptions::default() }).root()?;
        let form = Form::of(time, &tag)?;
        form.write(&scratch, time, options)?;
        scratch.set_tag(PREPARED, Some(&tag))?;
        self.copy_from(path, &scratch.at(PREPARED)?, Some(options))
    }
}

/// Form in which points in time are stored.
struct Form {
    stored: TimeFormat,
    /// Format under the key `format`.
    format: Option<TimeFormat>,
    /// Format under the key `base_format`.
    base: Option<TimeFormat>,
    scale: Option<TimeScale>,
    is_first_version: bool,
}

impl Form {
    fn of(time: &Time, tag: &str) -> Result<Form> {
        use TimeFormat::{
            Byear, ByearStr, Fits, GalexSec, Iso, Isot, Jyear, JyearStr, Stardate, TaiSeconds, UnixTai, Utime, Yday,
        };
        if time.scale() == TimeScale::Local {
            return Err(Error::new(Status::Unsupported, "the standard has no scale 'local' of times"));
        }
        let minor = tag.rsplit_once("-1.").and_then(|(_, version)| version.split('.').next()?.parse::<u32>().ok());
        let minor = minor.unwrap_or(u32::MAX);
        let format = time.format();
        let since = match format {
            UnixTai => 2,
            Utime | TaiSeconds => 3,
            GalexSec => 4,
            _ => 0,
        };
        let stored = match format {
            Iso | Isot | Yday | ByearStr | JyearStr => format,
            Byear => ByearStr,
            Jyear => JyearStr,
            // Only this format has text for years beyond 0 to 9999.
            Fits => Fits,
            Stardate | TimeFormat::PlotDate => Isot,
            _ if format.is_number() && minor >= since => format,
            _ => Isot,
        };
        let base = (format != stored || format == Fits) && minor >= 2 && minor >= since && format != Stardate;
        let scale = time.scale();
        let is_implied = scale == TimeScale::Utc && stored.default_scale() == TimeScale::Utc;
        Ok(Form {
            stored,
            format: Some(stored).filter(|stored| stored.is_number()),
            base: Some(format).filter(|_| base),
            scale: Some(scale).filter(|_| !is_implied),
            is_first_version: minor == 0,
        })
    }

    fn write(&self, scratch: &Node, time: &Time, options: &ArrayOptions) -> Result<()> {
        let is_mapping = !time.shape().is_empty()
            || self.format.is_some()
            || self.base.is_some()
            || self.scale.is_some()
            || !time.location().is_empty();
        if !is_mapping {
            return self.write_values(scratch, PREPARED, time, options);
        }
        scratch.set_mapping(PREPARED, false)?;
        let node = scratch.at(PREPARED)?;
        self.write_values(&node, "value", time, options)?;
        let format = self.format.map(|format| ("format", format.name()));
        let base = self.base.map(|base| ("base_format", base.name()));
        let scale = self.scale.map(|scale| ("scale", scale.name()));
        for (key, name) in [format, base, scale].into_iter().flatten() {
            node.set_string(key, name)?;
        }
        match time.location() {
            [] => Ok(()),
            places => place::write(&node, places, time.shape(), self.is_first_version),
        }
    }

    fn write_values(&self, node: &Node, path: &str, time: &Time, options: &ArrayOptions) -> Result<()> {
        if time.shape().is_empty() {
            if time.is_missing(0) {
                let message = "a single time that is missing cannot be stored";
                return Err(Error::new(Status::Unsupported, message));
            }
            return match self.stored.is_number() {
                true => node.set_f64(path, time.numbers(self.stored)?.first().copied().unwrap_or(f64::NAN)),
                false => node.set_string(path, &time.text(0, self.stored, None)?),
            };
        }
        if self.stored.is_number() {
            let mut numbers = time.numbers(self.stored)?;
            // Astropy refuses NaN, even below a mask.
            numbers.iter_mut().filter(|number| number.is_nan()).for_each(|number| *number = 0.0);
            node.set_array_data(path, &ArrayData::of_slice(&numbers, time.shape()), options)?;
        } else {
            self.write_texts(node, path, time, options)?;
        }
        if let Some(missing) = time.missing() {
            node.set_array_data(&format!("{path}/mask"), &ArrayData::of_slice(missing, time.shape()), options)?;
        }
        Ok(())
    }

    /// Writes texts as an array of strings of one length, in UTF-32 units.
    fn write_texts(&self, node: &Node, path: &str, time: &Time, options: &ArrayOptions) -> Result<()> {
        const FILLER: &str = "2000-01-01T00:00:00.000";
        let mut texts = Vec::new();
        for index in 0..time.dates().len() {
            let is_missing = time.is_missing(index);
            texts.push(if is_missing { FILLER.to_owned() } else { time.text(index, self.stored, None)? });
        }
        let longest = texts.iter().map(String::len).max().unwrap_or(0).max(1);
        // The texts are ASCII.
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(texts.len().saturating_mul(longest * 4)).map_err(|_| Error::out_of_memory(u64::MAX))?;
        for text in &texts {
            let padded = text.bytes().chain(std::iter::repeat(0)).take(longest);
            bytes.extend(padded.flat_map(|byte| u32::from(byte).to_ne_bytes()));
        }
        let datatype = Datatype::Ucs4(longest as u64);
        let bytes = ArrayBytes::Copied(&bytes);
        node.set_array_data(path, &ArrayData { datatype, shape: time.shape(), bytes, order: Order::C }, options)
    }
}
