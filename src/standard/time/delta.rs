//! Spans of time: numbers of days as two doubles, stored as astropy's `time/timedelta`.

use super::julian_date::JulianDate;
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
        Ok(TimeDelta { days, shape: shape.to_vec(), scale, format: format.to_owned() })
    }

    /// Returns the spans in days, in C order.
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
        let (first, shape) = numbers(&required(&node, "jd1")?)?;
        let (second, second_shape) = numbers(&required(&node, "jd2")?)?;
        if shape != second_shape {
            let message = "'jd1' and 'jd2' of a span of time have different shapes";
            return Err(node.locate(Error::new(Status::TagContent, message)));
        }
        let sum = |(jd1, jd2): (&f64, &f64)| JulianDate::new(*jd1, *jd2).map_err(|error| node.locate(error));
        let days = first.iter().zip(&second).map(sum).collect::<Result<_>>()?;
        TimeDelta::new(days, &shape, scale, &format)
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
                [value] if delta.shape.is_empty() => scratch.set_f64(key, value)?,
                _ => scratch.set_array_data(key, &ArrayData::of_slice(&values, &delta.shape), options)?,
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

/// Reads a number or an array of numbers, with its shape.
fn numbers(node: &Node) -> Result<(Vec<f64>, Vec<i64>)> {
    match node.node_type("")? {
        NodeType::Mapping | NodeType::Sequence => {
            let array = node.array("")?;
            Ok((array.read_vec_with(None, &ReadOptions::default())?, array.shape().to_vec()))
        }
        _ => Ok((vec![node.f64("")?], Vec::new())),
    }
}
