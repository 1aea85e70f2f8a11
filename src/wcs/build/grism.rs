//! Dispersion of slitless spectra: JWST's transforms between the direct image and the dispersed one.
//!
//! A trace is a curve with a parameter from 0 to 1. Its coordinates are polynomials of the parameter, whose coefficients
//! can depend on the place in the direct image.

use super::fields::{Fields, items, numbers};
use super::made::Made;
use crate::error::{Result, Status};
use crate::file::{Node, NodeType};
use crate::wcs::kernel::{Inputs, Kernel, OutOfDomain};
use crate::wcs::model::{Model, Part, Program, Scratch};
use std::sync::Arc;

const KEYS: [&str; 3] = ["lmodels", "xmodels", "ymodels"];

/// A function of the parameter of a trace, or of a wavelength.
#[derive(Debug)]
enum Curve {
    /// A function of the parameter alone.
    Plain(Arc<Program>),
    /// Coefficients of the powers of the parameter, each a function of the place.
    Dependent(Vec<Arc<Program>>),
}

impl Curve {
    fn at(&self, t: f64, place: [f64; 2]) -> std::result::Result<f64, OutOfDomain> {
        let value = |program: &Program, columns: &[Vec<f64>]| {
            let results = program.apply(columns, 1, &mut Scratch::default())?;
            Ok(results.first().and_then(|column| column.first().copied()).unwrap_or(f64::NAN))
        };
        match self {
            Curve::Plain(program) => value(program, &[vec![t]]),
            Curve::Dependent(coefficients) => {
                let mut sum = 0.0;
                let mut power = 1.0;
                for coefficient in coefficients {
                    sum += value(coefficient, &[vec![place[0]], vec![place[1]]])? * power;
                    power *= t;
                }
                Ok(sum)
            }
        }
    }
}

/// Trace of a spectral order.
#[derive(Debug)]
struct Trace {
    order: f64,
    wavelength: Curve,
    x: Curve,
    y: Curve,
}

/// Instrument; some formulas depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Instrument {
    Nircam,
    Niriss,
    Miri,
}

#[derive(Debug)]
struct Grism {
    instrument: Instrument,
    forward: bool,
    /// True if spectra lie along the columns of the detector.
    column: bool,
    /// Rotation of the trace.
    theta: f64,
    traces: Vec<Trace>,
}

type Point = std::result::Result<f64, OutOfDomain>;

impl Grism {
    /// Returns the samples of the parameter, and the values of a curve there.
    fn sampled(curve: impl Fn(f64) -> Point, count: usize) -> std::result::Result<Vec<(f64, f64)>, OutOfDomain> {
        (0..count)
            .map(|index| {
                let t = index as f64 / (count - 1) as f64;
                Ok((curve(t)?, t))
            })
            .collect()
    }

    fn shift(&self, trace: &Trace, t: f64, place: [f64; 2]) -> std::result::Result<[f64; 2], OutOfDomain> {
        let (x, y) = (trace.x.at(t, place)?, trace.y.at(t, place)?);
        if self.theta == 0.0 {
            return Ok([x, y]);
        }
        let (sine, cosine) = self.theta.to_radians().sin_cos();
        Ok([x * cosine - y * sine, x * sine + y * cosine])
    }

    /// Returns the wavelength at a distance from the place in the direct image.
    fn wavelength(&self, trace: &Trace, distance: [f64; 2], place: [f64; 2]) -> Point {
        let axis = usize::from(self.column);
        let along = if self.column { &trace.y } else { &trace.x };
        let t = match (self.instrument, along) {
            (Instrument::Nircam, Curve::Plain(_)) => {
                let (start, end) = (along.at(0.0, place)?, along.at(1.0, place)?);
                (distance[axis] - start) / (end - start)
            }
            (Instrument::Nircam, Curve::Dependent(_)) => {
                let samples = Grism::sampled(|t| along.at(t, place), 40)?;
                interpolated(distance[axis], samples, false)
            }
            _ => {
                let samples = Grism::sampled(|t| Ok(self.shift(trace, t, place)?[axis]), 10)?;
                interpolated(distance[axis], samples, true)
            }
        };
        trace.wavelength.at(t, place)
    }

    /// Returns the parameter of the trace at a wavelength.
    fn parameter(&self, trace: &Trace, wavelength: f64, place: [f64; 2]) -> Point {
        if self.instrument != Instrument::Nircam {
            return trace.wavelength.at(wavelength, place);
        }
        let samples = Grism::sampled(|t| trace.wavelength.at(t, place), 40)?;
        match &trace.wavelength {
            Curve::Plain(_) => Ok(interpolated_unsorted(wavelength, &samples)),
            Curve::Dependent(_) => Ok(nearest(wavelength, &samples)),
        }
    }
}

/// Returns the value for x by linear interpolation in pairs of x and value: constant outside, or continued there.
fn interpolated(x: f64, mut samples: Vec<(f64, f64)>, continued: bool) -> f64 {
    samples.sort_by(|one, other| one.0.total_cmp(&other.0));
    if !continued {
        return interpolated_unsorted(x, &samples);
    }
    let low = samples.partition_point(|sample| sample.0 <= x).saturating_sub(1).min(samples.len() - 2);
    let ((x0, y0), (x1, y1)) = (samples[low], samples[low + 1]);
    let fraction = (x - x0) / (x1 - x0);
    y0 * (1.0 - fraction) + y1 * fraction
}

fn interpolated_unsorted(x: f64, samples: &[(f64, f64)]) -> f64 {
    let (first, last) = (samples[0], samples[samples.len() - 1]);
    if x.is_nan() {
        return f64::NAN;
    }
    if x <= first.0 {
        return first.1;
    }
    if x >= last.0 {
        return last.1;
    }
    let low = samples.partition_point(|sample| sample.0 <= x).clamp(1, samples.len() - 1) - 1;
    let ((x0, y0), (x1, y1)) = (samples[low], samples[low + 1]);
    (y1 - y0) / (x1 - x0) * (x - x0) + y0
}

/// Returns the parameter where the squared distance to a wavelength is smallest: where the line through its derivatives
/// at the nearest sample and the one before or behind it is zero. This is the rule of stdatamodels 6.0.0.
fn nearest(wavelength: f64, samples: &[(f64, f64)]) -> f64 {
    let distance: Vec<f64> = samples.iter().map(|(value, _)| (value - wavelength).powi(2)).collect();
    let last = distance.len() - 1;
    let least = (0..=last).fold(0, |best, index| if distance[index] < distance[best] { index } else { best });
    if least == 0 || least == last {
        return samples[least].1;
    }
    let slope = |index: usize| match index {
        0 => distance[1] - distance[0],
        _ if index == last => distance[last] - distance[last - 1],
        _ => (distance[index + 1] - distance[index - 1]) / 2.0,
    };
    let here = slope(least);
    if here == 0.0 {
        return samples[least].1;
    }
    // A negative derivative has its zero behind the interval: the line goes on.
    let (left, right) = if here < 0.0 { (least - 1, least) } else { (least, least + 1) };
    let (t0, t1) = (samples[left].1, samples[right].1);
    let gradient = (slope(right) - slope(left)) / (t1 - t0);
    t1 - slope(right) / gradient
}

impl Kernel for Grism {
    fn arity(&self) -> (usize, usize) {
        if self.forward { (5, 4) } else { (4, 5) }
    }

    fn evaluate(&self, inputs: &Inputs, outputs: &mut [Vec<f64>]) -> std::result::Result<(), OutOfDomain> {
        for point in 0..inputs.count {
            let here = |input: usize| inputs.get(input)[point];
            let order = here(if self.forward { 4 } else { 3 });
            let trace = self.traces.iter().find(|trace| trace.order == order.trunc());
            let located = |fault: OutOfDomain| OutOfDomain { point: fault.point + point };
            let results: [f64; 5] = match (trace, self.forward) {
                (None, _) => [f64::NAN; 5],
                (Some(trace), true) => {
                    let place = [here(2), here(3)];
                    let distance = [here(0) - place[0], here(1) - place[1]];
                    let wavelength = self.wavelength(trace, distance, place).map_err(located)?;
                    [place[0], place[1], wavelength, order, 0.0]
                }
                (Some(trace), false) => {
                    let place = [here(0), here(1)];
                    let t = self.parameter(trace, here(2), place).map_err(located)?;
                    let [x, y] = self.shift(trace, t, place).map_err(located)?;
                    [place[0] + x, place[1] + y, place[0], place[1], order]
                }
            };
            for (output, value) in outputs.iter_mut().zip(results) {
                output[point] = value;
            }
        }
        Ok(())
    }
}

/// Returns the transforms of an order: one, or a list of them.
fn of_order(node: &Node) -> Result<Vec<Node>> {
    match node.node_type("")? {
        NodeType::Sequence if node.foreign_tag("")?.is_none() => items(node),
        _ => Ok(vec![node.clone()]),
    }
}

pub(super) fn children(fields: &Fields) -> Result<Vec<Node>> {
    let mut all = Vec::new();
    for key in KEYS {
        for node in items(&fields.required(key)?)? {
            all.extend(of_order(&node)?);
        }
    }
    Ok(all)
}

pub(super) fn make(name: &str, fields: &Fields, children: &[usize], parts: &[Part]) -> Result<Made> {
    let variant = match fields.text("model_type")? {
        Some(variant) => variant,
        None => fields.required_text("class_name")?,
    };
    let instrument = match name {
        "nircam_grism_dispersion" => Instrument::Nircam,
        "niriss_grism_dispersion" => Instrument::Niriss,
        _ => Instrument::Miri,
    };
    let forward = variant.contains("Forward");
    if !forward && !variant.contains("Backward") {
        return fields.bad("model_type", &format!("there is no type '{variant}'"));
    }
    let orders = numbers(&fields.required("orders")?)?.values;
    let mut remaining = children.iter();
    let mut curves: Vec<std::vec::IntoIter<Curve>> = Vec::new();
    let all: Arc<Vec<Part>> = Arc::new(parts.to_vec());
    for key in KEYS {
        let mut of_key = Vec::new();
        for node in items(&fields.required(key)?)? {
            let count = of_order(&node)?.len();
            let programs = remaining
                .by_ref()
                .take(count)
                .map(|&root| Program::new(&Model { parts: all.clone(), root }, &[]).map(Arc::new))
                .collect::<Result<Vec<_>>>()?;
            of_key.push(curve(fields, key, programs)?);
        }
        if of_key.len() != orders.len() {
            return fields.bad(key, "expected an entry for each order");
        }
        curves.push(of_key.into_iter());
    }
    let mut traces = Vec::new();
    for order in orders {
        let mut next = |index: usize| curves.get_mut(index).and_then(Iterator::next);
        if let (Some(wavelength), Some(x), Some(y)) = (next(0), next(1), next(2)) {
            traces.push(Trace { order, wavelength, x, y });
        }
    }
    let column = variant.contains("Column") || instrument == Instrument::Miri;
    let theta = if instrument == Instrument::Niriss { fields.number("theta")?.unwrap_or(0.0) } else { 0.0 };
    let made = Made::kernel(Arc::new(Grism { instrument, forward, column, theta, traces }));
    Ok(if forward {
        made.names(&["x", "y", "x0", "y0", "order"], &["x", "y", "wavelength", "order"])
    } else {
        made.names(&["x", "y", "wavelength", "order"], &["x", "y", "x0", "y0", "order"])
    })
}

fn curve(fields: &Fields, key: &str, mut programs: Vec<Arc<Program>>) -> Result<Curve> {
    let inputs = programs.first().map_or(0, |program| program.arity().0);
    if programs.iter().any(|program| program.arity() != (inputs, 1)) {
        return Err(fields.error(key, Status::Arity, "expected transforms of equal numbers of inputs to one output"));
    }
    match (inputs, programs.len()) {
        (1, 1) => Ok(Curve::Plain(programs.remove(0))),
        (2, 1..) => Ok(Curve::Dependent(programs)),
        _ => {
            Err(fields.error(key, Status::Arity, "expected a function of the parameter, or coefficients of the place"))
        }
    }
}
