//! Transforms: functions of several numbers to several numbers.

use super::build::build;
use super::model::{Blocks as _, Columns, Evaluation, Layout, Limits, Model, Program, Run};
use super::options::{BuildOptions, EvaluateOptions};
use super::unit::Unit;
use crate::error::{Error, Result, Status};
use crate::file::Node;
use std::fmt;
use std::sync::Arc;

/// A transform of the tree, ready for evaluation. It does not keep the file open.
///
/// ```
/// # use asdfkit::file::{File, OpenOptions};
/// # use std::sync::Arc;
/// # use asdfkit::wcs::{BuildOptions, EvaluateOptions, Layout, Transform};
/// let text = "#ASDF 1.0.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n\
///     shift: !transform/shift-1.2.0 {offset: 2.5}\n...\n";
/// let file = File::open_memory(Arc::new(text.to_owned()), &OpenOptions::default())?;
/// let shift = Transform::from_node(&file.root()?.at("shift")?, &BuildOptions::default())?;
/// let mut values = [1.0, 2.0, 3.0];
/// shift.evaluate_in_place(3, &mut values, Layout::columns(3), &EvaluateOptions::default())?;
/// assert_eq!(values, [3.5, 4.5, 5.5]);
/// assert_eq!(shift.inverse()?.at(&[3.5])?, [1.0]);
/// # Ok::<(), asdfkit::Error>(())
/// ```
#[derive(Clone)]
pub struct Transform {
    pub(super) model: Model,
    pub(super) program: Arc<Program>,
    /// Units of the values, if the caller sets them.
    units: Option<Units>,
}

#[derive(Clone, Debug, Default)]
struct Units {
    inputs: Vec<Option<Unit>>,
    outputs: Vec<Option<Unit>>,
}

impl fmt::Debug for Transform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (inputs, outputs) = self.arity();
        f.debug_struct("Transform")
            .field("tag", &self.tag())
            .field("inputs", &inputs)
            .field("outputs", &outputs)
            .finish()
    }
}

/// Part of a transform, for descriptions.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TransformPart {
    /// Full tag.
    pub tag: String,
    /// JSON Pointer of the node in its file; empty for a part that is not a node of its own.
    pub path: String,
    /// Name in the file.
    pub name: Option<String>,
    /// Number of inputs.
    pub inputs: usize,
    /// Number of outputs.
    pub outputs: usize,
}

impl Transform {
    /// Builds the transform at a node.
    ///
    /// Fails with [`Status::UnknownTransform`] if it is, or contains, a transform whose tag is not known.
    pub fn from_node(node: &Node, options: &BuildOptions) -> Result<Transform> {
        Transform::of(build(node, options)?)
    }

    pub(super) fn of(model: Model) -> Result<Transform> {
        let program = Arc::new(Program::new(&model, &[])?);
        Ok(Transform { model, program, units: None })
    }

    /// Makes the transform of a model whose inputs and outputs have units.
    pub(super) fn with(model: Model, inputs: Vec<Option<Unit>>, outputs: Vec<Option<Unit>>) -> Result<Transform> {
        let mut program = Program::new(&model, &inputs)?;
        program.convert_outputs(&outputs, &model.whole().place)?;
        Ok(Transform { model, program: Arc::new(program), units: Some(Units { inputs, outputs }) })
    }

    /// Returns the transform for values in these units, `None` for those that the transform itself has. Units that the
    /// transform does not know are ignored.
    ///
    /// Fails with [`Status::Units`] if a unit cannot be converted.
    pub fn in_units(&self, inputs: &[Option<&str>], outputs: &[Option<&str>]) -> Result<Transform> {
        let read = |units: &[Option<&str>]| units.iter().map(|unit| unit.map(Unit::read)).collect();
        Transform::with(self.model.clone(), read(inputs), read(outputs))
    }

    /// Returns the numbers of inputs and outputs.
    pub fn arity(&self) -> (usize, usize) {
        self.program.arity()
    }

    /// Returns the names of the inputs.
    pub fn inputs(&self) -> &[String] {
        &self.model.whole().inputs
    }

    /// Returns the names of the outputs.
    pub fn outputs(&self) -> &[String] {
        &self.model.whole().outputs
    }

    /// Returns the full tag.
    pub fn tag(&self) -> &str {
        &self.model.whole().place.tag
    }

    /// Returns the name in the file.
    pub fn name(&self) -> Option<&str> {
        self.model.whole().name.as_deref()
    }

    /// Returns the unit of an input, if the transform or the caller gives it one.
    pub fn input_unit(&self, input: usize) -> Option<String> {
        let given = self.units.as_ref().and_then(|units| units.inputs.get(input)?.as_ref());
        given.or(self.program.input_units.get(input)?.as_ref()).map(ToString::to_string)
    }

    /// Returns the unit of an output, if it has one.
    pub fn output_unit(&self, output: usize) -> Option<String> {
        self.program.output_units.get(output)?.as_ref().map(ToString::to_string)
    }

    /// Returns the parts that are nodes of the file. A part follows its own parts.
    pub fn parts(&self) -> impl Iterator<Item = TransformPart> + '_ {
        let nodes = self.model.parts.iter().filter(|part| !part.place.tag.is_empty());
        nodes.map(|part| TransformPart {
            tag: part.place.tag.to_string(),
            path: part.place.location.path.clone().unwrap_or_default(),
            name: part.name.clone(),
            inputs: part.inputs.len(),
            outputs: part.outputs.len(),
        })
    }

    /// Returns the inverse: the one in the file, or else the analytic one.
    ///
    /// Fails with [`Status::NoInverse`] if a part has none, and with [`Status::Singular`] if the values of parameters
    /// make it impossible.
    pub fn inverse(&self) -> Result<Transform> {
        let model = self.model.inverse()?;
        match &self.units {
            None => Transform::of(model),
            Some(Units { inputs, outputs }) => Transform::with(model, outputs.clone(), inputs.clone()),
        }
    }

    /// Returns the interval of each input, `None` for one without limits. Fails with [`Status::NotFound`] if there is no
    /// bounding box, and with [`Status::Unsupported`] if it depends on the values of inputs.
    pub fn bounding_box(&self) -> Result<Vec<Option<[f64; 2]>>> {
        let whole = self.model.whole();
        match whole.limits.as_deref() {
            None => Err(whole.error(Status::NotFound, "the transform has no bounding box")),
            Some(Limits::Box(limits)) => Ok(limits.0.clone()),
            Some(Limits::Compound(_)) => {
                Err(whole.error(Status::Unsupported, "the bounding box depends on the values of inputs"))
            }
        }
    }

    /// Returns for each output and each input whether the output depends on the input. What is not known counts as
    /// dependent.
    pub fn dependence(&self) -> Vec<Vec<bool>> {
        self.model.dependence()
    }

    /// Returns the transform with constants for some inputs, by their indices.
    pub fn fixed(&self, values: &[(usize, f64)]) -> Result<Transform> {
        let (inputs, _) = self.arity();
        let is_bad = |(index, (input, _)): (usize, &(usize, f64))| {
            *input >= inputs || values[..index].iter().any(|(other, _)| other == input)
        };
        if values.iter().enumerate().any(is_bad) {
            return Err(Error::new(Status::InvalidArgument, "the transform has no such input, or it is fixed twice"));
        }
        Transform::of(self.model.fixed(values))
    }

    fn run(&self, options: &EvaluateOptions) -> Run {
        let limits = self.model.whole().limits.clone();
        self.run_within(limits.filter(|_| options.with_bounding_box == Some(true)), None, options)
    }

    /// Returns the evaluation of points that are within these limits: of inputs and of outputs.
    pub(super) fn run_within(
        &self,
        limits: Option<Arc<Limits>>,
        output_limits: Option<Arc<Limits>>,
        options: &EvaluateOptions,
    ) -> Run {
        let program = self.program.clone();
        Run { program, limits, output_limits, fill: options.fill, needs_box: options.strict_boxes }
    }

    /// Evaluates `count` points. Inputs are read from one slice, outputs written to another.
    ///
    /// Fails with [`Status::OutOfDomain`] for a point outside of a table that asks for this error. Outputs are then
    /// partly written.
    pub fn evaluate(
        &self,
        count: usize,
        input: &[f64],
        input_layout: Layout,
        output: &mut [f64],
        output_layout: Layout,
        options: &EvaluateOptions,
    ) -> Result<Evaluation> {
        let inputs = Columns::From(input, input_layout);
        let evaluation = self.run(options).evaluate(count, inputs, output, output_layout, options.threads)?;
        evaluation.checked(count, options.strict_convergence)
    }

    /// Evaluates `count` points, and writes outputs over the inputs. The slice has room for as many coordinates as there
    /// are inputs or outputs, whichever is more.
    pub fn evaluate_in_place(
        &self,
        count: usize,
        data: &mut [f64],
        layout: Layout,
        options: &EvaluateOptions,
    ) -> Result<Evaluation> {
        let evaluation = self.run(options).evaluate(count, Columns::InPlace, data, layout, options.threads)?;
        evaluation.checked(count, options.strict_convergence)
    }

    /// Evaluates a single point.
    pub fn at(&self, point: &[f64]) -> Result<Vec<f64>> {
        let mut output = vec![0.0; self.arity().1];
        if point.len() != self.arity().0 {
            return Err(Error::new(Status::InvalidArgument, format!("expected {} coordinates", self.arity().0)));
        }
        let layout = Layout::columns(1);
        self.evaluate(1, point, layout, &mut output, layout, &EvaluateOptions::default())?;
        Ok(output)
    }
}
