//! Spans of time: numbers of days as two doubles, stored as astropy's `time/timedelta`.

use super::julian_date::JulianDate;
use super::points::{Nanoseconds, RESOLUTION};
use super::read_node::{is_delta_tag, optional};
use super::scale::{DAY, TimeScale};
use crate::array::ReadOptions;
use crate::error::{Error, Result, Status};
use crate::file::{ArrayData, ArrayOptions, File, NewOptions, Node, NodeType};
use crate::tags;

/// One or more spans of time.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeDelta {
    days: Vec<JulianDate>,
    shape: Vec<i64>,
    missing: Option<Vec<bool>>,
    scale: Option<TimeScale>,
    format: String,
}

impl TimeDelta {
    /// Makes spans of time of days. An empty shape stands for a single one. Astropy knows the formats `sec`, `jd`,
    /// `datetime` and `quantity_str`, in which it shows the spans.
    ///
    /// Fails with [`Status::InvalidArgument`] if the number of spans is not the product of the shape.
    pub fn new(days: Vec<JulianDate>, shape: &[i64], scale: Option<TimeScale>, format: &str) -> Result<TimeDelta> {
        let count =
            shape.iter().try_fold(1_i64, |product, &extent| product.checked_mul(extent).filter(|_| extent >= 0));
        if count != i64::try_from(days.len()).ok() {
            let message = format!("the shape {shape:?} does not hold {} spans of time", days.len());
            return Err(Error::new(Status::InvalidArgument, message));
        }
        Ok(TimeDelta { days, shape: shape.to_vec(), missing: None, scale, format: format.to_owned() })
    }

    /// Makes spans of time of nanoseconds.
    pub fn from_nanoseconds(
        nanoseconds: &[i64],
        shape: &[i64],
        scale: Option<TimeScale>,
        format: &str,
    ) -> Result<TimeDelta> {
        TimeDelta::from_ticks(nanoseconds, 1_000_000_000, shape, scale, format)
    }

    /// Makes spans of time of ticks. `per_second` is the number of ticks in a second.
    pub(in crate::standard) fn from_ticks(
        ticks: &[i64],
        per_second: i64,
        shape: &[i64],
        scale: Option<TimeScale>,
        format: &str,
    ) -> Result<TimeDelta> {
        let of_day = DAY * per_second as f64;
        let days = ticks.iter().map(|&ticks| {
            let rounded = ticks as f64;
            let rest = (i128::from(ticks) - rounded as i128) as f64;
            JulianDate::quotient(rounded, rest, of_day)
        });
        TimeDelta::new(days.collect(), shape, scale, format)
    }

    /// Marks spans of time as missing.
    ///
    /// Fails with [`Status::InvalidArgument`] if the mask has another length.
    pub fn with_missing(mut self, missing: Vec<bool>) -> Result<TimeDelta> {
        if missing.len() != self.days.len() {
            let message = format!("the mask has {} elements, the spans have {}", missing.len(), self.days.len());
            return Err(Error::new(Status::InvalidArgument, message));
        }
        self.missing = Some(missing).filter(|missing| missing.contains(&true));
        Ok(self)
    }

    /// Returns which spans are missing; `None` if none is.
    pub fn missing(&self) -> Option<&[bool]> {
        self.missing.as_deref()
    }

    /// Returns whether a span is missing.
    pub fn is_missing(&self, index: usize) -> bool {
        self.missing.as_ref().is_some_and(|missing| missing.get(index) == Some(&true))
    }

    /// Returns the spans in nanoseconds; `None` for missing ones.
    ///
    /// Fails with [`Status::OutOfRange`] for spans of more than 292 years.
    pub fn nanoseconds(&self) -> Result<Vec<Option<Nanoseconds>>> {
        let of_span = |(index, days): (usize, &JulianDate)| {
            if self.is_missing(index) {
                return Ok(None);
            }
            let exact = days.times(DAY * 1e9);
            let whole = exact.jd1() as i128 + exact.jd2().round_ties_even() as i128;
            let rest = exact.jd2() - exact.jd2().round_ties_even();
            let whole = i64::try_from(whole).map_err(|_| {
                let message = "nanoseconds in 64 bits hold spans of at most 292 years";
                Error::new(Status::OutOfRange, message).with_more(&format!("span number {index}"))
            })?;
            Ok(Some(Nanoseconds { whole, rest: if rest.abs() < RESOLUTION { 0.0 } else { rest } }))
        };
        self.days.iter().enumerate().map(of_span).collect()
    }

    /// Returns the spans in days, in C order. Those of missing spans are 0 or any other.
    pub fn days(&self) -> &[JulianDate] {
        &self.days
    }

    /// Returns the spans in seconds of 1/86400 day, in C order.
    pub fn seconds(&self) -> Vec<f64> {
        self.days.iter().map(|days| days.jd1() * DAY + days.jd2() * DAY).collect()
    }

    /// Returns the shape; it is empty for a single span.
    pub fn shape(&self) -> &[i64] {
        &self.shape
    }

    /// Returns the scale in which the spans are uniform, if the file tells.
    pub fn scale(&self) -> Option<TimeScale> {
        self.scale
    }

    /// Returns the name of the format.
    pub fn format(&self) -> &str {
        &self.format
    }
}

impl Node {
    /// Reads the spans of time at `path`, astropy's `time/timedelta`. Fails with [`Status::WrongType`] for any other
    /// node.
    pub fn time_delta(&self, path: &str) -> Result<TimeDelta> {
        let node = self.at(path)?.resolved()?;
        if !node.foreign_tag("")?.is_some_and(|tag| is_delta_tag(&tag)) {
            return Err(node.locate(Error::new(Status::WrongType, "the node is not a span of time")));
        }
        let format = required(&node, "format")?.text("")?;
        let scale = match optional(&node, "scale")? {
            Some(scale) => {
                let name = scale.text("")?;
                Some(TimeScale::from_name(&name).ok_or_else(|| {
                    let message = format!("the scale '{}' of times is unknown", name.escape_debug());
                    scale.locate(Error::new(Status::Unsupported, message))
                })?)
            }
            None => None,
        };
        let (first, shape, missing) = numbers(&required(&node, "jd1")?)?;
        let (second, second_shape, also_missing) = numbers(&required(&node, "jd2")?)?;
        if shape != second_shape {
            let message = "'jd1' and 'jd2' of a span of time have different shapes";
            return Err(node.locate(Error::new(Status::TagContent, message)));
        }
        let sum = |(jd1, jd2): (&f64, &f64)| JulianDate::new(*jd1, *jd2).map_err(|error| node.locate(error));
        let days = first.iter().zip(&second).map(sum).collect::<Result<_>>()?;
        let missing = missing.iter().zip(&also_missing).map(|(one, other)| *one || *other).collect();
        TimeDelta::new(days, &shape, scale, &format)?.with_missing(missing)
    }

    /// Stores spans of time at `path` as astropy's `time/timedelta`, in the version that belongs to the file's standard.
    /// Several become arrays with the storage of the options.
    pub fn set_time_delta(&self, path: &str, delta: &TimeDelta, options: &ArrayOptions) -> Result<()> {
        let standard = self.file().standard_version();
        let scratch = File::new(&NewOptions { standard, ..NewOptions::default() }).root()?;
        scratch.set_string("delta/format", &delta.format)?;
        let parts: [fn(&JulianDate) -> f64; 2] = [|days| days.jd1(), |days| days.jd2()];
        for (key, part) in ["delta/jd1", "delta/jd2"].into_iter().zip(parts) {
            let values: Vec<f64> = delta.days.iter().map(part).collect();
            match values[..] {
                [_] if delta.shape.is_empty() && delta.is_missing(0) => {
                    let message = "a single span of time that is missing cannot be stored";
                    return Err(Error::new(Status::Unsupported, message));
                }
                [value] if delta.shape.is_empty() => scratch.set_f64(key, value)?,
                _ => scratch.set_array_data(key, &ArrayData::of_slice(&values, &delta.shape), options)?,
            }
            if let Some(missing) = delta.missing() {
                let mask = ArrayData::of_slice(missing, &delta.shape);
                scratch.set_array_data(&format!("{key}/mask"), &mask, options)?;
            }
        }
        if let Some(scale) = delta.scale {
            scratch.set_string("delta/scale", scale.name())?;
        }
        scratch.set_tag("delta", Some(&tags::astropy_tag("time/timedelta", standard)))?;
        self.copy_from(path, &scratch.at("delta")?, Some(options))
    }
}

fn required(node: &Node, key: &str) -> Result<Node> {
    optional(node, key)?.ok_or_else(|| {
        let message = format!("the span of time has no key '{key}'");
        node.locate(Error::new(Status::TagContent, message))
    })
}

/// Reads a number or an array of numbers, with its shape and the missing ones, which are 0.
fn numbers(node: &Node) -> Result<(Vec<f64>, Vec<i64>, Vec<bool>)> {
    match node.node_type("")? {
        NodeType::Mapping | NodeType::Sequence => {
            let array = node.array("")?;
            let (mut numbers, missing) = array.read_masked_vec(None, &ReadOptions::default())?;
            numbers.iter_mut().zip(&missing).filter(|(_, is)| **is).for_each(|(number, _)| *number = 0.0);
            Ok((numbers, array.shape().to_vec(), missing))
        }
        _ => Ok((vec![node.f64("")?], Vec::new(), vec![false])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nanoseconds_are_exact() {
        let spans = [0, 1, -1, 86_400_000_000_000, 123_456_789_012_345_678, i64::MAX, i64::MIN, i64::MAX - 511];
        let delta = TimeDelta::from_nanoseconds(&spans, &[8], None, "jd").unwrap();
        let back = delta.nanoseconds().unwrap();
        assert_eq!(back, spans.map(|whole| Some(Nanoseconds { whole, rest: 0.0 })));
        assert_eq!((delta.days()[3].jd1(), delta.days()[3].jd2()), (1.0, 0.0));
        let third = JulianDate::quotient(1e-9, 0.0, 3.0 * DAY);
        let delta = TimeDelta::new(vec![third, JulianDate::default()], &[2], None, "sec").unwrap();
        let delta = delta.with_missing(vec![false, true]).unwrap();
        let [Some(part), None] = delta.nanoseconds().unwrap()[..] else { panic!() };
        assert!(part.whole == 0 && (part.rest - 1.0 / 3.0).abs() < 1e-9);
        let long = TimeDelta::new(vec![JulianDate::new(1e6, 0.0).unwrap()], &[], None, "jd").unwrap();
        assert_eq!(long.nanoseconds().unwrap_err().status(), Status::OutOfRange);
        assert_eq!(long.with_missing(Vec::new()).unwrap_err().status(), Status::InvalidArgument);
    }
}
