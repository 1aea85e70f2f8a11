//! Text of the gwcs tree of a FITS WCS, as Python's gwcs reads it.

use super::celestial::Celestial;
use super::chain::{Chain, Leaf};
use super::description::Description;
use super::frames::{pixels, world};
use super::linear::Dense;
use super::series::Series2d;
use super::sip::{Distortion, Sip};
use super::undistort::Undistortion;
use crate::error::Result;
use crate::float::Notation;
use crate::tags::{self, StandardVersion, newest_minor, standard_tag};
use crate::wcs::projection::parameters_of;
use crate::wcs::unit::Unit;
use crate::wcs::world::{Frame, FrameKind, ReferenceFrame};
use std::fmt::Write as _;

/// Least half of the size of the image that is assumed where the header does not give its size.
const HALF_SIZE: f64 = 256.0;
/// Distance from the exact pixel up to which polynomials are an inverse within the image.
const USEFUL: f64 = 1e-3;
/// The same if the size of the image is not known.
const EXACT: f64 = 1e-6;

/// Writer of trees for a version of the standard.
pub(super) struct TreeWriter {
    array: String,
    time: String,
}

/// Returns a transform in flow style: its name with the newest version of all standards, and its fields.
fn transform(name: &str, fields: &str) -> String {
    let minor = newest_minor(name).unwrap_or(0);
    format!("!transform/{name}-1.{minor}.0 {{{fields}}}")
}

fn number(value: f64) -> String {
    let mut text = String::new();
    Notation::YAML.write(&mut text, value);
    text
}

fn list<T>(items: impl IntoIterator<Item = T>, text: impl Fn(T) -> String) -> String {
    let items: Vec<String> = items.into_iter().map(text).collect();
    format!("[{}]", items.join(", "))
}

fn pair(name: &str, left: &str, right: &str) -> String {
    transform(name, &format!("forward: [{left}, {right}]"))
}

/// Returns transforms one after the other, or side by side.
fn folded(name: &str, parts: &[String]) -> String {
    let (first, rest) = parts.split_first().map_or(("", &[][..]), |(first, rest)| (first.as_str(), rest));
    rest.iter().fold(first.to_owned(), |all, part| pair(name, &all, part))
}

fn shift(offset: f64) -> String {
    transform("shift", &format!("offset: {}", number(offset)))
}

/// Returns a quoted text.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

impl TreeWriter {
    pub(super) fn new(standard: StandardVersion) -> Result<TreeWriter> {
        let short = |name: &str| -> Result<String> {
            let tag = standard_tag(name, standard)?;
            Ok(tag.strip_prefix(tags::STANDARD).map_or_else(|| format!("!<{tag}>"), |name| format!("!{name}")))
        };
        Ok(TreeWriter { array: short(tags::NDARRAY)?, time: short(tags::TIME)? })
    }

    /// Returns the text of the node of a WCS.
    pub(super) fn wcs(&self, description: &Description, chain: &Chain) -> String {
        let limits = description.shape.as_ref().map(|shape| {
            // The last axis comes first.
            let ends: Vec<String> =
                shape.iter().rev().map(|&length| format!("[-0.5, {}]", number(length as f64 - 0.5))).collect();
            if let [only] = &ends[..] { only.clone() } else { format!("[{}]", ends.join(", ")) }
        });
        let mut transform = self.chain(chain, description);
        if let Some(limits) = limits
            && transform.pop().is_some()
        {
            let _ = write!(transform, ", bounding_box: {limits}}}");
        }
        let shape = description.shape.as_ref().map_or("null".to_owned(), |shape| list(shape, ToString::to_string));
        let step = |frame: &Frame, transform: &str| {
            let frame = self.frame(frame);
            format!("!<tag:stsci.edu:gwcs/step-1.1.0> {{frame: {frame}, transform: {transform}}}")
        };
        format!(
            "!<tag:stsci.edu:gwcs/wcs-1.2.0>\n  name: {}\n  pixel_shape: {shape}\n  steps:\n  - {}\n  - {}\n",
            quoted(description.name.as_deref().unwrap_or_default()),
            step(&pixels(description), &transform),
            step(&world(description), "null"),
        )
    }

    /// Returns a chain. Chains have few levels.
    fn chain(&self, chain: &Chain, description: &Description) -> String {
        let (name, chains) = match chain {
            Chain::Leaf(leaf) => return self.leaf(leaf, description),
            Chain::Compose(chains) => ("compose", chains),
            Chain::Join(chains) => ("concatenate", chains),
        };
        let parts: Vec<String> = chains.iter().map(|chain| self.chain(chain, description)).collect();
        folded(name, &parts)
    }

    fn leaf(&self, leaf: &Leaf, description: &Description) -> String {
        match leaf {
            Leaf::Shift(offset) => shift(*offset),
            Leaf::Scale(factor) => transform("scale", &format!("factor: {}", number(*factor))),
            Leaf::Affine([a, b, c, d]) => {
                let matrix = self.rows(&[vec![*a, *b], vec![*c, *d]]);
                let zeros = format!("{} [0.0, 0.0]", self.array);
                transform("affine", &format!("matrix: {matrix}, translation: {zeros}"))
            }
            Leaf::Dense(dense) => dense_transform(dense),
            Leaf::Remap(mapping) => remap(mapping, mapping.len()),
            Leaf::Sip(sip) => self.sip(sip, description),
            Leaf::Sky(celestial) => sky(celestial),
            Leaf::Exponential(value) => {
                let value = number(*value);
                transform("exponential1d", &format!("amplitude: {value}, tau: {value}"))
            }
        }
    }

    /// Returns a matrix as an array.
    fn rows(&self, matrix: &[Vec<f64>]) -> String {
        format!("{} {}", self.array, list(matrix, |row| list(row, |element| number(*element))))
    }

    /// Returns a polynomial of two variables.
    fn polynomial(&self, series: &Series2d, more: &str) -> String {
        let degree = series.degree();
        let rows: Vec<Vec<f64>> = (0..=degree).map(|i| (0..=degree).map(|j| series.get(i, j)).collect()).collect();
        transform("polynomial", &format!("coefficients: {}{more}", self.rows(&rows)))
    }

    /// Returns two polynomials of the same variables, with more fields of the composition of all.
    fn polynomials(&self, one: &Series2d, other: &Series2d, more: &str, inverse: &str) -> String {
        let both = pair("concatenate", &self.polynomial(one, more), &self.polynomial(other, more));
        transform("compose", &format!("forward: [{}, {both}]{inverse}", remap(&[0, 1, 0, 1], 2)))
    }

    fn sip(&self, sip: &Sip, description: &Description) -> String {
        let inverse = self.sip_inverse(sip, description);
        let inverse = inverse.map_or_else(String::new, |inverse| format!(", inverse: {inverse}"));
        let (u, v) = sums(&sip.forward);
        self.polynomials(&u, &v, "", &inverse)
    }

    /// Returns the inverse of a distortion: polynomials that are exact within the image.
    ///
    /// If the size of the image is not known, the reference pixel is taken for its center. Where no polynomials are
    /// exact, the inverse is that of the header.
    fn sip_inverse(&self, sip: &Sip, description: &Description) -> Option<String> {
        let [x, y] = [0, 1].map(|axis| description.pixel.get(axis).copied().unwrap_or_default());
        let fitted = match &description.shape {
            Some(shape) => {
                let end = |axis: usize| shape.get(axis).map_or(0.0, |length| *length as f64 - 0.5);
                let (low, high) = ([-0.5 - x, -0.5 - y], [end(0) - x, end(1) - y]);
                Undistortion::fitted(&sip.forward, low, high, USEFUL)
            }
            None => {
                let half = [x, y].map(|center| (1.25 * center.abs()).max(HALF_SIZE));
                Undistortion::fitted(&sip.forward, half.map(|size| -size), half, EXACT)
            }
        };
        if let Some(Undistortion { square, u, v }) = fitted {
            let domain = list(square.domain, |ends| list(ends, number));
            let more = format!(", domain: {domain}, window: [[-1.0, 1.0], [-1.0, 1.0]]");
            return Some(self.polynomials(&u, &v, &more, ""));
        }
        let (u, v) = sums(sip.backward.as_ref()?);
        Some(self.polynomials(&u, &v, "", ""))
    }

    /// Returns a frame.
    fn frame(&self, frame: &Frame) -> String {
        let name = quoted(&frame.name);
        if frame.kind == FrameKind::Composite {
            let frames = list(&frame.frames, |frame| self.frame(frame));
            return format!("!<tag:stsci.edu:gwcs/composite_frame-1.0.0> {{frames: {frames}, name: {name}}}");
        }
        let order = list(&frame.axes_order, ToString::to_string);
        let tag = format!("!<tag:stsci.edu:gwcs/{}-1.0.0>", frame.kind.name());
        if frame.kind == FrameKind::Stokes {
            return format!("{tag} {{axes_order: {order}, name: {name}}}");
        }
        // Names, units and types are in the order of the frame: longitude, latitude.
        let mut sorted = frame.axes_order.clone();
        sorted.sort_unstable();
        let places = frame.axes_order.iter().filter_map(|place| sorted.iter().position(|other| other == place));
        let axes: Vec<_> = places.filter_map(|place| frame.axes.get(place)).collect();
        let names = list(&axes, |axis| quoted(&axis.name));
        let units = list(&axes, |axis| {
            let is_known = Unit::read(&axis.unit).is_known();
            format!("!unit/unit-1.0.0 {}", quoted(if is_known { &axis.unit } else { "" }))
        });
        let types = list(&axes, |axis| quoted(&axis.physical_type));
        let mut text = format!(
            "{tag} {{axes_names: {names}, axes_order: {order}, axis_physical_types: {types}, name: {name}, unit: {units}"
        );
        if frame.kind == FrameKind::Generic {
            let types = list(&axes, |axis| quoted(&axis.axis_type));
            let _ = write!(text, ", axes_type: {types}, naxes: {}", axes.len());
        }
        if let Some(reference) = frame.reference.as_ref().and_then(|reference| self.reference(reference)) {
            let _ = write!(text, ", reference_frame: {reference}");
        }
        text.push('}');
        text
    }

    /// Returns a reference frame; `None` for one without a tag.
    fn reference(&self, reference: &ReferenceFrame) -> Option<String> {
        let version = match reference.name.as_str() {
            "icrs" => "1.1.0",
            "fk5" | "fk4" | "fk4noeterms" | "galactic" => "1.0.0",
            _ => return None,
        };
        let mut attributes = Vec::new();
        for (key, value) in &reference.attributes {
            attributes.push(format!("{key}: {} {{scale: tt, value: {}}}", self.time, quoted(value)));
        }
        let attributes = attributes.join(", ");
        let tag = format!("!<tag:astropy.org:astropy/coordinates/frames/{}-{version}>", reference.name);
        Some(format!("{tag} {{frame_attributes: {{{attributes}}}}}"))
    }
}

/// Returns the transforms from the plane of a projection to the sky.
fn sky(celestial: &Celestial) -> String {
    let name = celestial.projection.name;
    let parameters = parameters_of(name).map_or(&[][..], |(_, parameters)| parameters);
    let mut fields = String::new();
    for ((key, ..), value) in parameters.iter().zip(&celestial.projection.values) {
        let value = number(*value);
        let _ = write!(fields, ", {key}: {value}");
        // Python's readers have another spelling of this one.
        if *key == "lambda" {
            let _ = write!(fields, ", lam: {value}");
        }
    }
    let [longitude, latitude, of_pole] = celestial.pole;
    let rotation = |direction: &str, angles: [f64; 3]| {
        let [phi, theta, psi] = angles.map(number);
        transform("rotate3d", &format!("direction: {direction}, phi: {phi}, theta: {theta}, psi: {psi}"))
    };
    let rotate = rotation("native2celestial", celestial.pole);
    let project = transform(name, &format!("direction: pix2sky{fields}"));
    let mut whole = pair("compose", &project, &rotate);
    // The inverse of the rotation gives longitudes from 0 to 360 degrees. Rotations by Euler angles give those from
    // -180 to 180 that the projection needs.
    if celestial.is_ranged && whole.pop().is_some() {
        let rotate = rotation("zxz", [90.0 + longitude, 90.0 - latitude, 90.0 - of_pole]);
        let project = transform(name, &format!("direction: sky2pix{fields}"));
        let _ = write!(whole, ", inverse: {}}}", pair("compose", &rotate, &project));
    }
    if celestial.origin == [0.0; 2] {
        return whole;
    }
    let [x, y] = celestial.origin.map(shift);
    pair("compose", &pair("concatenate", &x, &y), &whole)
}

fn remap(mapping: &[usize], inputs: usize) -> String {
    let is_identity = mapping.len() == inputs && mapping.iter().enumerate().all(|(place, axis)| place == *axis);
    if is_identity {
        return transform("identity", &format!("n_dims: {inputs}"));
    }
    transform("remap_axes", &format!("mapping: {}, n_inputs: {inputs}", list(mapping, ToString::to_string)))
}

/// Returns the polynomials of a distortion with the variables themselves added.
fn sums(distortion: &Distortion) -> (Series2d, Series2d) {
    let with = |series: &Series2d, i: usize, j: usize| {
        let mut sum = Series2d::zero(series.degree().max(1));
        Series2d::terms(series.degree()).for_each(|(i, j)| sum.set(i, j, series.get(i, j)));
        sum.set(i, j, sum.get(i, j) + 1.0);
        sum
    };
    (with(&distortion.f, 1, 0), with(&distortion.g, 0, 1))
}

/// Returns the product with a matrix of more than two axes. Trees have matrices of two axes only.
fn dense_transform(dense: &Dense) -> String {
    let inverse = rows_in_planes(&dense.inverse, "");
    rows_in_planes(&dense.matrix, &format!(", inverse: {inverse}"))
}

fn rows_in_planes(matrix: &[Vec<f64>], more: &str) -> String {
    let count = matrix.len();
    let mapping: Vec<usize> = (0..count).flat_map(|_| 0..count).collect();
    let rows: Vec<String> = matrix.iter().map(|row| sum_of_planes(row)).collect();
    let fields = format!("forward: [{}, {}]{more}", remap(&mapping, count), folded("concatenate", &rows));
    transform("compose", &fields)
}

/// Returns the product of a row with its inputs: the first two inputs become one, and so on.
fn sum_of_planes(row: &[f64]) -> String {
    let mut steps = Vec::new();
    for index in 1..row.len() {
        let first = if index == 1 { row[0] } else { 1.0 };
        let plane = transform(
            "planar2d",
            &format!("slope_x: {}, slope_y: {}, intercept: 0.0", number(first), number(row[index])),
        );
        let left = row.len() - 1 - index;
        let rest = (left > 0).then(|| transform("identity", &format!("n_dims: {left}")));
        steps.push(rest.map_or_else(|| plane.clone(), |rest| pair("concatenate", &plane, &rest)));
    }
    folded("compose", &steps)
}
