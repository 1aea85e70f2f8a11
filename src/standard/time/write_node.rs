//! Points in time as nodes: `time/time` in the version of the file's standard, as asdf-astropy writes it.

use super::exact::Exactness;
use super::format::TimeFormat;
use super::julian_date::JulianDate;
use super::place;
use super::points::{Time, TimeOptions};
use super::scale::TimeScale;
use crate::array::{Datatype, Order};
use crate::error::{Error, Result, Status};
use crate::file::{ArrayBytes, ArrayData, ArrayOptions, File, NewOptions, Node};
use crate::reserve;
use crate::tags::{self, standard_tag};

/// Key of the points in time in the file where they are prepared.
const PREPARED: &str = "time";

impl Node {
    /// Stores points in time at `path`, as a `time/time` in the version of the file's standard. Several become an array
    /// with the storage of the options.
    ///
    /// The values are stored in the format of the times, if it holds them. Formats that the standard does not store, and
    /// numbers that a double does not hold, become text of dates and the name of the format. Texts have 3, 6, 9 or 12
    /// decimals of a second, as needed. Epochs of years become text. The scale is stored unless it is UTC.
    ///
    /// Fails with [`Status::Unsupported`] for a single time that is missing and for the scale `local`, with
    /// [`Status::OutOfRange`] for dates that have no text, and with [`Status::ValueRange`] for times that text does not
    /// hold: on the days of a step of UTC before 1972.
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
    values: Stored,
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
            Byear, ByearStr, Fits, GalexSec, Iso, Isot, Jyear, JyearStr, PlotDate, Stardate, TaiSeconds, UnixTai,
            Utime, Yday,
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
        let usual = match format {
            Iso | Isot | Yday | ByearStr | JyearStr => format,
            Byear => ByearStr,
            Jyear => JyearStr,
            // Only this format has text for years beyond 0 to 9999.
            Fits => Fits,
            PlotDate | Stardate => Isot,
            _ if format.is_number() && minor >= since => format,
            _ => Isot,
        };
        let (stored, values) = Stored::of(time, usual)?;
        let base = (format != stored || format == Fits) && minor >= 2 && minor >= since;
        let scale = time.scale();
        let is_implied = scale == TimeScale::Utc && stored.default_scale() == TimeScale::Utc;
        Ok(Form {
            values,
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
            return match &self.values {
                Stored::Numbers(numbers) => node.set_f64(path, numbers.first().copied().unwrap_or(f64::NAN)),
                Stored::Texts(texts) => node.set_string(path, texts.first().map_or("", |text| text)),
            };
        }
        match &self.values {
            Stored::Numbers(numbers) => {
                // Astropy refuses NaN, even below a mask.
                let numbers = numbers.iter().map(|&number| Ok(if number.is_nan() { 0.0 } else { number }));
                let numbers = reserve::collected(numbers)?;
                node.set_array_data(path, &ArrayData::of_slice(&numbers, time.shape()), options)?;
            }
            Stored::Texts(texts) => write_texts(node, path, texts, time.shape(), options)?,
        }
        if let Some(missing) = time.missing() {
            node.set_array_data(&format!("{path}/mask"), &ArrayData::of_slice(missing, time.shape()), options)?;
        }
        Ok(())
    }
}

/// Values in the form in which they are stored.
enum Stored {
    Numbers(Vec<f64>),
    Texts(Vec<String>),
}

impl Stored {
    /// Returns the values in a format, or in another one if that does not hold them exactly.
    fn of(time: &Time, usual: TimeFormat) -> Result<(TimeFormat, Stored)> {
        if let Some(numbers) = time.exact_numbers(usual, Exactness::Resolution)? {
            return Ok((usual, Stored::Numbers(numbers)));
        }
        let is_text = !usual.is_number();
        for format in [usual, TimeFormat::Isot, TimeFormat::Fits].into_iter().skip(usize::from(!is_text)) {
            // Any date stands for a missing one.
            let filler = Time::new(vec![JulianDate::new(2_451_544.5, 0.0)?], &[], &TimeOptions::default())?;
            let filler = filler.text(0, format, None)?;
            match time.exact_texts(format, (Exactness::Resolution, 12), &filler) {
                Ok(Some((texts, _))) => return Ok((format, Stored::Texts(texts))),
                Err(error) if error.status() != Status::OutOfRange || format == TimeFormat::Fits => return Err(error),
                _ => {}
            }
        }
        let message = "a time on the day of a step of UTC before 1972 has no text that is read as the same time";
        Err(Error::new(Status::ValueRange, message))
    }
}

/// Writes texts as an array of strings of one length, in UTF-32 units.
fn write_texts(node: &Node, path: &str, texts: &[String], shape: &[i64], options: &ArrayOptions) -> Result<()> {
    let longest = texts.iter().map(String::len).max().unwrap_or(0).max(1);
    // The texts are ASCII.
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(texts.len().saturating_mul(longest * 4)).map_err(|_| Error::out_of_memory(u64::MAX))?;
    for text in texts {
        let padded = text.bytes().chain(std::iter::repeat(0)).take(longest);
        bytes.extend(padded.flat_map(|byte| u32::from(byte).to_ne_bytes()));
    }
    let datatype = Datatype::Ucs4(longest as u64);
    let bytes = ArrayBytes::Copied(&bytes);
    node.set_array_data(path, &ArrayData { datatype, shape, bytes, order: Order::C }, options)
}
