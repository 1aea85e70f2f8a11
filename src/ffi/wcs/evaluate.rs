//! Evaluation of points in the memory of the program.

use crate::error::{Error, Result, Status};
use crate::ffi::boundary::arguments::count;
use crate::ffi::boundary::caller::{Caller, Memory};
use crate::ffi::options::keys::*;
use crate::ffi::options::taken::Taken;
use crate::wcs::{BuildOptions, EvaluateOptions, Evaluation, Layout, Transform, Wcs};

/// A function of points.
pub(super) enum Function<'a> {
    Transform(&'a Transform),
    PixelToWorld(&'a Wcs),
    WorldToPixel(&'a Wcs),
}

/// Coordinates of an argument: first element, number of elements, strides of axes and points.
pub(super) struct Coordinates<P> {
    pub(super) start: P,
    pub(super) length: usize,
    pub(super) axis_stride: i64,
    pub(super) point_stride: i64,
}

impl<P> Coordinates<P> {
    fn layout(&self, argument: &str) -> Result<Layout> {
        let stride = |stride: i64| {
            usize::try_from(stride).map_err(|_| {
                let message = format!("a stride of the argument '{argument}' is {stride}, but must be 0 or more");
                Error::new(Status::InvalidArgument, message)
            })
        };
        Ok(Layout { axis_stride: stride(self.axis_stride)?, point_stride: stride(self.point_stride)? })
    }

    /// Returns the number of elements that points take. Fails with `status` if the argument has fewer.
    fn taken(&self, (axes, points): (usize, usize), layout: Layout, argument: &str, status: Status) -> Result<usize> {
        needed(layout, axes, points).filter(|needed| *needed <= self.length).ok_or_else(|| {
            let message = format!(
                "{axes} coordinates of {points} points with these strides are more than the {} of the {argument}",
                self.length
            );
            Error::new(status, message)
        })
    }
}

/// Returns the number of elements that coordinates take; `None` for more than memory can hold.
fn needed(layout: Layout, axes: usize, points: usize) -> Option<usize> {
    if axes == 0 || points == 0 {
        return Some(0);
    }
    let last_axis = (axes - 1).checked_mul(layout.axis_stride)?;
    let last_point = (points - 1).checked_mul(layout.point_stride)?;
    last_axis.checked_add(last_point)?.checked_add(1)
}

impl Function<'_> {
    fn arity(&self) -> Result<(usize, usize)> {
        Ok(match self {
            Function::Transform(transform) => transform.arity(),
            Function::PixelToWorld(wcs) => wcs.forward()?.arity(),
            Function::WorldToPixel(wcs) => {
                let (pixels, world) = wcs.forward()?.arity();
                (world, pixels)
            }
        })
    }

    fn apart(
        &self,
        count: usize,
        input: (&[f64], Layout),
        output: (&mut [f64], Layout),
        options: &EvaluateOptions,
    ) -> Result<Evaluation> {
        let ((from, from_layout), (to, to_layout)) = (input, output);
        match self {
            Function::Transform(transform) => transform.evaluate(count, from, from_layout, to, to_layout, options),
            Function::PixelToWorld(wcs) => wcs.pixel_to_world(count, from, from_layout, to, to_layout, options),
            Function::WorldToPixel(wcs) => wcs.world_to_pixel(count, from, from_layout, to, to_layout, options),
        }
    }

    fn in_place(
        &self,
        count: usize,
        data: &mut [f64],
        layout: Layout,
        options: &EvaluateOptions,
    ) -> Result<Evaluation> {
        match self {
            Function::Transform(transform) => transform.evaluate_in_place(count, data, layout, options),
            Function::PixelToWorld(wcs) => wcs.pixel_to_world_in_place(count, data, layout, options),
            Function::WorldToPixel(wcs) => wcs.world_to_pixel_in_place(count, data, layout, options),
        }
    }

    /// Evaluates points whose coordinates are arguments of the running call.
    pub(super) fn evaluate(
        &self,
        caller: &Caller,
        points: i64,
        input: &Coordinates<*const f64>,
        output: &Coordinates<*mut f64>,
        options: &EvaluateOptions,
    ) -> Result<Evaluation> {
        let points = count(points, "count")?;
        let (from_layout, to_layout) = (input.layout("input")?, output.layout("output")?);
        let (inputs, outputs) = self.arity()?;
        let read = input.taken((inputs, points), from_layout, "input", Status::InvalidArgument)?;
        let written = output.taken((outputs, points), to_layout, "output", Status::BufferTooSmall)?;
        match caller.memory((input.start, read), (output.start, written))? {
            Memory::Apart(from, to) => self.apart(points, (from, from_layout), (to, to_layout), options),
            Memory::Shared { memory, input: 0, output: 0 } if from_layout == to_layout => {
                self.in_place(points, memory, to_layout, options)
            }
            Memory::Shared { memory, input, output } => {
                let copy = copied(memory.get(input..).unwrap_or_default(), from_layout, inputs, points)?;
                let to = memory.get_mut(output..).unwrap_or_default();
                self.apart(points, (&copy, Layout::columns(points)), (to, to_layout), options)
            }
        }
    }
}

/// Copies coordinates whose memory the outputs share.
fn copied(memory: &[f64], layout: Layout, axes: usize, points: usize) -> Result<Vec<f64>> {
    let size = axes.saturating_mul(points);
    let mut copy = Vec::new();
    let too_large = |_| Error::out_of_memory(8 * size as u64);
    copy.try_reserve_exact(size).map_err(too_large)?;
    for axis in 0..axes {
        let column = memory.get(axis * layout.axis_stride..).unwrap_or_default();
        copy.extend((0..points).map(|point| column.get(point * layout.point_stride).copied().unwrap_or(f64::NAN)));
    }
    Ok(copy)
}

/// Options of building transforms.
pub(super) fn build_options(options: &Taken) -> BuildOptions {
    let usual = BuildOptions::default();
    BuildOptions { strict_labels: options.flag(ASDF_OPTION_STRICT_LABELS, usual.strict_labels), ..usual }
}

/// Options of evaluating transforms.
pub(super) fn evaluate_options(options: &Taken) -> Result<EvaluateOptions> {
    let usual = EvaluateOptions::default();
    let fill = match options.fill() {
        None => usual.fill,
        Some(fill) => fill.number()?,
    };
    let iterations = options.count(ASDF_OPTION_ITERATIONS).and_then(|count| usize::try_from(count).ok());
    Ok(EvaluateOptions {
        with_bounding_box: options.int(ASDF_OPTION_BOUNDING_BOX).map(|flag| flag != 0),
        fill,
        strict_boxes: options.flag(ASDF_OPTION_STRICT_BOXES, usual.strict_boxes),
        threads: options.threads(),
        tolerance: options.float(ASDF_OPTION_TOLERANCE).unwrap_or(usual.tolerance),
        iterations: iterations.unwrap_or(usual.iterations),
        strict_convergence: options.flag(ASDF_OPTION_STRICT_CONVERGENCE, usual.strict_convergence),
    })
}
