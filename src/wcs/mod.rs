//! Transforms and world coordinates: trees of the tags `transform/*` and `gwcs/*`, and FITS headers, evaluated forward
//! and back.
//!
//! A [`Transform`] is a function of several real numbers to several real numbers. It is built once from a
//! [`Node`](crate::file::Node), and then evaluated for any number of points.

// Loops over points index several columns at once, and published constants keep all their digits.
#![allow(clippy::needless_range_loop, clippy::excessive_precision)]

mod build;
mod fits;
mod kernel;
mod kind;
mod model;
mod options;
mod projection;
mod read;
mod transform;
mod unit;
mod world;

pub use fits::SipCards;
pub use model::{Evaluation, Layout};
pub use options::{BuildOptions, CardOptions, EvaluateOptions, SipOptions};
pub use transform::{Transform, TransformPart};
pub use world::{Frame, FrameAxis, FrameKind, ReferenceFrame, SkyGeometry, Wcs};
