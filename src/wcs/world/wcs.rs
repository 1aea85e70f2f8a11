//! A WCS: coordinate frames in a row, with the transforms between them.

use super::frame::Frame;
use super::latitude::OnSphere;
use super::newton::Newton;
use crate::error::{Error, Result, Status};
use crate::wcs::model::{Blocks as _, Columns, Evaluation, Layout, Limits, Model, Run, Where};
use crate::wcs::options::EvaluateOptions;
use crate::wcs::transform::Transform;
use crate::wcs::unit::Unit;
use once_cell::race::OnceBox;
use std::fmt;
use std::sync::Arc;

/// A frame, and the transform to the next one.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) frame: Frame,
    pub(super) transform: std::result::Result<Model, Error>,
    pub(super) place: Where,
}

/// Method that finds pixels for world coordinates.
#[derive(Clone, Debug)]
enum Backward {
    Transform(Transform),
    Numerical(Arc<Newton>),
}

/// World coordinates of an image or a spectrum: frames, and the transforms from each to the next.
///
/// Pixel (0, 0) is the center of the first pixel, and the fastest axis comes first.
///
/// ```no_run
/// # use asdfkit::file::File;
/// # use asdfkit::wcs::{BuildOptions, Wcs};
/// let file = File::open("r0000101001001001001_0001_wfi01_cal.asdf")?;
/// let wcs = Wcs::from_node(&file.root()?.at("roman/meta/wcs")?, &BuildOptions::default())?;
/// let sky = wcs.world(&[1024.0, 2048.0])?;
/// println!("right ascension {}, declination {} degrees", sky[0], sky[1]);
/// let pixel = wcs.pixel(&sky)?;
/// # Ok::<(), asdfkit::Error>(())
/// ```
#[derive(Clone)]
pub struct Wcs {
    name: Option<String>,
    steps: Vec<Step>,
    pixel_shape: Option<Vec<i64>>,
    /// Made at the first use. Nothing that a fork could leave locked: two threads can make it, and one wins.
    forward: OnceBox<Result<Transform>>,
    backward: OnceBox<Result<Backward>>,
}

impl fmt::Debug for Wcs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let frames: Vec<&str> = self.steps.iter().map(|step| step.frame.name.as_str()).collect();
        f.debug_struct("Wcs").field("name", &self.name).field("frames", &frames).finish_non_exhaustive()
    }
}

impl Wcs {
    pub(super) fn new(name: Option<String>, steps: Vec<Step>, pixel_shape: Option<Vec<i64>>) -> Wcs {
        Wcs { name, steps, pixel_shape, forward: OnceBox::new(), backward: OnceBox::new() }
    }

    /// Makes a WCS of one transform between two frames.
    pub(in crate::wcs) fn of_model(
        name: Option<String>,
        pixels: Frame,
        model: Model,
        world: Frame,
        pixel_shape: Option<Vec<i64>>,
    ) -> Wcs {
        let place = Where::default();
        let missing = place.error(Status::NoTransform, "no transform follows the last frame");
        let first = Step { frame: pixels, transform: Ok(model), place: place.clone() };
        let last = Step { frame: world, transform: Err(missing), place };
        Wcs::new(name, vec![first, last], pixel_shape)
    }

    /// Returns the name.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Returns the frames in the order of the steps. The first is that of pixels, the last that of the world.
    pub fn frames(&self) -> impl ExactSizeIterator<Item = &Frame> {
        self.steps.iter().map(|step| &step.frame)
    }

    /// Returns the numbers of pixels along the axes, the fastest axis first.
    pub fn pixel_shape(&self) -> Option<&[i64]> {
        self.pixel_shape.as_deref()
    }

    /// Returns the shape of the array of the pixels: the slowest axis first.
    pub fn array_shape(&self) -> Option<Vec<i64>> {
        self.pixel_shape.as_ref().map(|shape| shape.iter().rev().copied().collect())
    }

    fn world_frame(&self) -> Option<&Frame> {
        self.steps.last().map(|step| &step.frame)
    }

    fn index(&self, frame: &str) -> Result<usize> {
        let found = self.steps.iter().position(|step| step.frame.name == frame);
        found.ok_or_else(|| Error::new(Status::NotFound, format!("the WCS has no frame '{frame}'")))
    }

    /// Returns the transform from one frame to another, by their names: forward, or the inverses of the steps back.
    ///
    /// Inputs and outputs have the units of the frames. Fails with the error of a step whose transform is missing or
    /// could not be built.
    pub fn transform(&self, from: &str, to: &str) -> Result<Transform> {
        let (start, end) = (self.index(from)?, self.index(to)?);
        if start > end { self.inverse_between(end, start) } else { self.between(start, end) }
    }

    /// Returns the transform from pixels to the world.
    pub fn forward(&self) -> Result<&Transform> {
        let made = || Box::new(self.between(0, self.steps.len() - 1));
        self.forward.get_or_init(made).as_ref().map_err(Clone::clone)
    }

    fn models(&self, start: usize, end: usize) -> Result<Vec<Model>> {
        if start == end {
            let place = &self.steps[start].place;
            return Err(place.error(Status::NoTransform, "no transform leads from a frame to itself"));
        }
        self.steps[start..end].iter().map(|step| step.transform.clone()).collect()
    }

    fn between(&self, start: usize, end: usize) -> Result<Transform> {
        let models = self.models(start, end)?;
        let units = models.iter().any(|model| model.whole().has_units);
        let first = models[0].whole().limits.clone();
        let Some(mut model) = Model::chain(&models) else {
            return Err(self.steps[start].place.error(Status::NoTransform, "there is no transform"));
        };
        // A chain has the box of its first step.
        model.set_limits(first);
        self.in_units(model, start, end, units)
    }

    fn inverse_between(&self, start: usize, end: usize) -> Result<Transform> {
        let models = self.models(start, end)?;
        let units = models.iter().any(|model| model.whole().has_units);
        let inverses = models.iter().rev().map(Model::inverse).collect::<Result<Vec<_>>>()?;
        let Some(model) = Model::chain(&inverses) else {
            return Err(self.steps[start].place.error(Status::NoTransform, "there is no transform"));
        };
        self.in_units(model, end, start, units)
    }

    /// Makes a transform whose inputs and outputs have the units of frames, if any parameter has a unit.
    fn in_units(&self, model: Model, start: usize, end: usize, units: bool) -> Result<Transform> {
        let of = |step: usize| -> Vec<Option<Unit>> { if units { self.steps[step].frame.units() } else { Vec::new() } };
        Transform::with(model, of(start), of(end))
    }

    /// Returns the names of the inputs of the first transform, if it could be built.
    pub(in crate::wcs) fn first_inputs(&self) -> Option<&[String]> {
        Some(&self.steps.first()?.transform.as_ref().ok()?.whole().inputs)
    }

    /// Returns whether a parameter of a transform has a unit.
    pub(in crate::wcs) fn has_units(&self) -> bool {
        self.steps.iter().any(|step| step.transform.as_ref().is_ok_and(|model| model.whole().has_units))
    }

    /// Returns the bounding box of the pixels: that of the first step.
    pub fn bounding_box(&self) -> Result<Vec<Option<[f64; 2]>>> {
        self.forward()?.bounding_box()
    }

    fn limits(&self) -> Option<Arc<Limits>> {
        self.steps.first()?.transform.as_ref().ok()?.whole().limits.clone()
    }

    /// Computes the world coordinates of `count` pixels. Unless the options say otherwise, points outside of the
    /// bounding box of the first step have the fill value.
    pub fn pixel_to_world(
        &self,
        count: usize,
        input: &[f64],
        input_layout: Layout,
        output: &mut [f64],
        output_layout: Layout,
        options: &EvaluateOptions,
    ) -> Result<Evaluation> {
        let inputs = Columns::From(input, input_layout);
        self.forward_run(options)?.evaluate(count, inputs, output, output_layout, options.threads)
    }

    /// Like [`Wcs::pixel_to_world`], but writes world coordinates over the pixels.
    pub fn pixel_to_world_in_place(
        &self,
        count: usize,
        data: &mut [f64],
        layout: Layout,
        options: &EvaluateOptions,
    ) -> Result<Evaluation> {
        self.forward_run(options)?.evaluate(count, Columns::InPlace, data, layout, options.threads)
    }

    /// Returns the bounding box, unless the options turn it off.
    fn limits_unless_off(&self, options: &EvaluateOptions) -> Option<Arc<Limits>> {
        self.limits().filter(|_| options.with_bounding_box != Some(false))
    }

    fn forward_run(&self, options: &EvaluateOptions) -> Result<Run> {
        Ok(self.forward()?.run_within(self.limits_unless_off(options), None, options))
    }

    fn backward(&self) -> Result<&Backward> {
        let made = || match self.inverse_between(0, self.steps.len() - 1) {
            Ok(transform) => Ok(Backward::Transform(transform)),
            Err(error) if matches!(error.status(), Status::NoInverse | Status::Singular) => {
                Newton::new(self.forward()?, self.world_frame(), self.limits().as_deref(), self.pixel_shape())
                    .map_or(Err(error), |newton| Ok(Backward::Numerical(Arc::new(newton))))
            }
            Err(error) => Err(error),
        };
        self.backward.get_or_init(|| Box::new(made())).as_ref().map_err(Clone::clone)
    }

    /// Returns whether pixels are found by iteration, because a step has no inverse.
    pub fn is_inverse_numerical(&self) -> Result<bool> {
        Ok(matches!(self.backward()?, Backward::Numerical(_)))
    }

    /// Computes the pixels of `count` points in world coordinates.
    ///
    /// If each step has an inverse in the file or an analytic one, these are applied. Otherwise pixels are found by
    /// iteration; a point for which it does not converge is NaN and is counted. Unless the options say otherwise,
    /// results outside of the bounding box of the first step are replaced by the fill value. A latitude beyond ±90°
    /// counts as NaN.
    pub fn world_to_pixel(
        &self,
        count: usize,
        input: &[f64],
        input_layout: Layout,
        output: &mut [f64],
        output_layout: Layout,
        options: &EvaluateOptions,
    ) -> Result<Evaluation> {
        self.invert(count, Columns::From(input, input_layout), output, output_layout, options)
    }

    /// Like [`Wcs::world_to_pixel`], but writes pixels over the world coordinates.
    pub fn world_to_pixel_in_place(
        &self,
        count: usize,
        data: &mut [f64],
        layout: Layout,
        options: &EvaluateOptions,
    ) -> Result<Evaluation> {
        self.invert(count, Columns::InPlace, data, layout, options)
    }

    fn invert(
        &self,
        count: usize,
        inputs: Columns,
        output: &mut [f64],
        layout: Layout,
        options: &EvaluateOptions,
    ) -> Result<Evaluation> {
        let limits = self.limits_unless_off(options);
        let latitude = self.latitude();
        let evaluation = match self.backward()? {
            Backward::Transform(transform) => {
                let function = transform.run_within(None, limits, options);
                OnSphere { function, latitude }.evaluate(count, inputs, output, layout, options.threads)
            }
            Backward::Numerical(newton) => {
                let function = newton.solver(limits, options);
                OnSphere { function, latitude }.evaluate(count, inputs, output, layout, options.threads)
            }
        };
        evaluation?.checked(count, options.strict_convergence)
    }

    /// Returns the world coordinates of a pixel, also outside of the bounding box.
    pub fn world(&self, pixel: &[f64]) -> Result<Vec<f64>> {
        self.forward()?.at(pixel)
    }

    /// Returns the pixel of a point in world coordinates, also outside of the bounding box. Its coordinates are NaN if
    /// an iteration does not converge.
    ///
    /// Fails with [`Status::InvalidArgument`] for a latitude beyond ±90°.
    pub fn pixel(&self, world: &[f64]) -> Result<Vec<f64>> {
        let (pixels, axes) = self.forward()?.arity();
        if world.len() != axes {
            return Err(Error::new(Status::InvalidArgument, format!("expected {axes} coordinates")));
        }
        self.check_world(world)?;
        let mut output = vec![0.0; pixels];
        let options = EvaluateOptions { with_bounding_box: Some(false), ..EvaluateOptions::default() };
        let layout = Layout::columns(1);
        self.world_to_pixel(1, world, layout, &mut output, layout, &options)?;
        Ok(output)
    }

    /// Returns the index of the array element that contains a pixel: the slowest axis first. The index for NaN is
    /// `i64::MIN`.
    pub fn array_index(&self, pixel: &[f64]) -> Vec<i64> {
        let index = |value: f64| if value.is_nan() { i64::MIN } else { (value + 0.5).floor() as i64 };
        pixel.iter().rev().map(|value| index(*value)).collect()
    }

    /// Returns for each world coordinate and each pixel axis whether the coordinate depends on the axis.
    pub fn axis_correlation(&self) -> Result<Vec<Vec<bool>>> {
        Ok(self.forward()?.dependence())
    }
}
