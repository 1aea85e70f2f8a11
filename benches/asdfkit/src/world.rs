//! World coordinates: an imaging WCS evaluated for its pixels, forward and back.

use asdfkit::file::{File, Node};
use asdfkit::wcs::{BuildOptions, EvaluateOptions, Layout, Wcs};
use measure::Job;
use std::hint::black_box;

/// Pixels along an axis.
const SIZE: usize = 4096;

fn node(job: &Job) -> Node {
    File::open(&job.input).and_then(|file| file.root()?.at("wcs")).expect("the input has a WCS")
}

fn options(job: &Job) -> EvaluateOptions {
    let mut options = EvaluateOptions::default();
    options.threads = job.threads;
    options
}

/// Pixels of a grid over the image, column by column of coordinates.
fn grid(points: usize) -> Vec<f64> {
    let step = (SIZE / points) as f64;
    let along = (0..points * points).map(|point| (point % points) as f64 * step);
    let across = (0..points * points).map(|point| (point / points) as f64 * step);
    along.chain(across).collect()
}

/// Mean of all numbers in thousandths, the same for programs whose last digits differ.
fn check(values: &[f64]) -> f64 {
    (values.iter().sum::<f64>() / values.len() as f64 * 1e3).round()
}

/// All pixels to the sky.
pub(crate) fn forward(job: &Job) {
    let wcs = Wcs::from_node(&node(job), &BuildOptions::default()).expect("the WCS is valid");
    let (input, layout) = (grid(SIZE), Layout::columns(SIZE * SIZE));
    let mut output = vec![0.0; input.len()];
    job.measure(|| {
        wcs.pixel_to_world(SIZE * SIZE, &input, layout, &mut output, layout, &options(job)).expect("it is evaluated");
        check(&output[..SIZE])
    });
}

/// The sky to pixels: by the inverse in the file, or numerically. gwcs takes milliseconds for a point without an inverse,
/// and finds wrong pixels; the check is the number of points.
pub(crate) fn back(job: &Job, points: usize) {
    let wcs = Wcs::from_node(&node(job), &BuildOptions::default()).expect("the WCS is valid");
    let (count, layout) = (points * points, Layout::columns(points * points));
    let (pixels, mut sky) = (grid(points), vec![0.0; 2 * points * points]);
    wcs.pixel_to_world(count, &pixels, layout, &mut sky, layout, &options(job)).expect("it is evaluated");
    let mut found = vec![0.0; sky.len()];
    job.measure(|| {
        wcs.world_to_pixel(count, &sky, layout, &mut found, layout, &options(job)).expect("it is evaluated");
        black_box(&found);
        count as f64
    });
    if wcs.is_inverse_numerical().expect("there is an inverse") {
        let worst = found.iter().zip(&pixels).map(|(is, wanted)| (is - wanted).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-8, "{worst} pixels");
    }
}

/// A single pixel.
pub(crate) fn pixel(job: &Job) {
    let wcs = Wcs::from_node(&node(job), &BuildOptions::default()).expect("the WCS is valid");
    let (mut sky, layout) = ([0.0; 2], Layout::columns(1));
    let options = options(job);
    job.measure(|| {
        wcs.pixel_to_world(1, black_box(&[100.0, 200.0]), layout, &mut sky, layout, &options).expect("it is evaluated");
        check(&sky)
    });
}

/// The WCS from its nodes, ready for evaluation.
pub(crate) fn build(job: &Job) {
    let node = node(job);
    job.measure(|| {
        let wcs = Wcs::from_node(&node, &BuildOptions::default()).expect("the WCS is valid");
        wcs.forward().expect("there is a transform").arity().0 as f64
    });
}
