//! Compilation of models to programs. Remapped inputs cost nothing: they are other registers.

use super::chooser::Chooser;
use super::part::{Model, Operation, Part, Where};
use super::program::{Program, Step};
use crate::error::{Error, Result, Status};
use crate::standard::units::Conversion;
use crate::wcs::kernel::elementary::{Arithmetic, Constant, Scale};
use crate::wcs::kernel::{Kernel, Point, each};
use crate::wcs::unit::Unit;
use std::sync::Arc;

/// Largest number of steps. Parts that are shared are evaluated at each place, so that a few lines can ask for any number.
const MAX_STEPS: usize = 100_000;
/// Largest number of choices within choices.
const MAX_NESTING: usize = 8;

/// Work that remains.
enum Task {
    /// Evaluate a part on registers.
    Emit(usize, Vec<usize>),
    /// Evaluate a part on the last result.
    Then(usize),
    /// Join the last two results.
    Join,
    /// Apply the operation of a part to the last two results.
    Operate(usize),
}

/// A program in the making. Each register is written once.
struct Compiler<'a> {
    parts: &'a [Part],
    steps: Vec<Step>,
    /// Units of the registers.
    units: Vec<Option<Unit>>,
    wanted: Vec<Option<Unit>>,
    places: &'a Arc<[Where]>,
    nesting: usize,
}

impl Program {
    /// Makes the program of a model. `input_units` are those of the values, if known.
    pub(in crate::wcs) fn new(model: &Model, input_units: &[Option<Unit>]) -> Result<Program> {
        let places = model.parts.iter().map(|part| part.place.clone()).collect();
        Program::nested(&model.parts, model.root, input_units, &places, 0)
    }

    fn nested(
        parts: &[Part],
        root: usize,
        input_units: &[Option<Unit>],
        places: &Arc<[Where]>,
        nesting: usize,
    ) -> Result<Program> {
        let whole = &parts[root];
        let count = whole.inputs.len();
        let mut units = input_units.to_vec();
        units.resize(count, None);
        let mut compiler = Compiler { parts, steps: Vec::new(), units, wanted: vec![None; count], places, nesting };
        let inputs: Vec<usize> = (0..count).collect();
        let outputs = compiler.emit(root, inputs.clone())?;
        let output_units = outputs.iter().map(|&register| compiler.units[register].clone()).collect();
        let mut program = Program {
            registers: compiler.units.len(),
            steps: compiler.steps,
            inputs,
            outputs,
            output_units,
            input_units: compiler.wanted,
            places: places.clone(),
        };
        program.fuse();
        program.reuse_registers();
        Ok(program)
    }
}

impl Compiler<'_> {
    /// Appends the steps of a part, and returns the registers of its outputs.
    fn emit(&mut self, root: usize, inputs: Vec<usize>) -> Result<Vec<usize>> {
        let mut tasks = vec![Task::Emit(root, inputs)];
        let mut results: Vec<Vec<usize>> = Vec::new();
        let mut budget = MAX_STEPS;
        while let Some(task) = tasks.pop() {
            budget = budget.checked_sub(1).ok_or_else(|| Error::limit("steps of a transform", MAX_STEPS as u64))?;
            match task {
                Task::Emit(part, inputs) => self.start(part, inputs, &mut tasks, &mut results)?,
                Task::Then(part) => {
                    let inputs = results.pop().unwrap_or_default();
                    tasks.push(Task::Emit(part, inputs));
                }
                Task::Join => {
                    let right = results.pop().unwrap_or_default();
                    if let Some(left) = results.last_mut() {
                        left.extend(right);
                    }
                }
                Task::Operate(part) => {
                    let (right, left) = (results.pop().unwrap_or_default(), results.pop().unwrap_or_default());
                    results.push(self.operate(part, &left, &right)?);
                }
            }
        }
        Ok(results.pop().unwrap_or_default())
    }

    fn start(
        &mut self,
        number: usize,
        inputs: Vec<usize>,
        tasks: &mut Vec<Task>,
        results: &mut Vec<Vec<usize>>,
    ) -> Result<()> {
        let part = &self.parts[number];
        if inputs.len() != part.inputs.len() {
            return Err(part.error(Status::Arity, "the number of inputs does not fit"));
        }
        match &part.operation {
            Operation::Kernel(kernel) => results.push(self.kernel(number, kernel.clone(), inputs)?),
            Operation::Remap(mapping) => {
                let inputs = self.converted(number, inputs)?;
                results.push(mapping.iter().map(|&input| inputs[input]).collect());
            }
            Operation::Compose(first, second) => {
                tasks.push(Task::Then(*second));
                tasks.push(Task::Emit(*first, inputs));
            }
            Operation::Concatenate(left, right) => {
                let (one, other) = inputs.split_at(self.parts[*left].inputs.len());
                tasks.push(Task::Join);
                tasks.push(Task::Emit(*right, other.to_vec()));
                tasks.push(Task::Emit(*left, one.to_vec()));
            }
            Operation::Arithmetic(_, left, right) => {
                tasks.push(Task::Operate(number));
                tasks.push(Task::Emit(*right, inputs.clone()));
                tasks.push(Task::Emit(*left, inputs));
            }
            Operation::Fix(of, values) => {
                let mut remaining = inputs.into_iter();
                let mut all = Vec::new();
                for input in 0..self.parts[*of].inputs.len() {
                    match values.iter().find(|(fixed, _)| *fixed == input) {
                        Some((_, value)) => {
                            let kernel = Arc::new(Constant { value: *value, inputs: 0 });
                            all.extend(self.step(number, kernel, Vec::new(), vec![None]));
                        }
                        None => all.extend(remaining.next()),
                    }
                }
                tasks.push(Task::Emit(*of, all));
            }
            Operation::Choose(choice) => {
                if self.nesting == MAX_NESTING {
                    return Err(Error::limit("selectors within selectors", MAX_NESTING as u64));
                }
                let compiled =
                    |part: usize| Program::nested(self.parts, part, &[], self.places, self.nesting + 1).map(Arc::new);
                let chooser = Chooser {
                    key: choice.key.map(compiled).transpose()?,
                    rule: choice.rule.clone(),
                    alternatives: choice.parts.iter().map(|&part| compiled(part)).collect::<Result<_>>()?,
                    undefined: choice.undefined,
                    arity: (part.inputs.len(), part.outputs.len()),
                };
                results.push(self.kernel(number, Arc::new(chooser), inputs)?);
            }
        }
        Ok(())
    }

    /// Appends a step, and returns the registers of its outputs.
    fn step(
        &mut self,
        part: usize,
        kernel: Arc<dyn Kernel>,
        inputs: Vec<usize>,
        units: Vec<Option<Unit>>,
    ) -> Vec<usize> {
        let outputs: Vec<usize> = (self.units.len()..self.units.len() + units.len()).collect();
        self.units.extend(units);
        self.steps.push(Step { kernel, inputs, outputs: outputs.clone(), part });
        outputs
    }

    /// Appends the step of a part that is a kernel.
    fn kernel(&mut self, number: usize, kernel: Arc<dyn Kernel>, inputs: Vec<usize>) -> Result<Vec<usize>> {
        let inputs = self.converted(number, inputs)?;
        let part = &self.parts[number];
        let units = (0..part.outputs.len())
            .map(|output| match &part.units.times {
                Some(factor) => {
                    inputs.get(output).and_then(|&register| Some(self.units[register].as_ref()?.times(factor)))
                }
                None => part.units.outputs.get(output).cloned().flatten(),
            })
            .collect();
        Ok(self.step(number, kernel, inputs, units))
    }

    /// Returns registers with the inputs in the units that a part asks for.
    fn converted(&mut self, number: usize, inputs: Vec<usize>) -> Result<Vec<usize>> {
        let part = &self.parts[number];
        if part.units.inputs.is_empty() {
            return Ok(inputs);
        }
        let mut all = Vec::with_capacity(inputs.len());
        for (index, register) in inputs.into_iter().enumerate() {
            let Some(Some(wanted)) = part.units.inputs.get(index) else {
                all.push(register);
                continue;
            };
            let Some(unit) = self.units[register].clone() else {
                if let Some(declared) = self.wanted.get_mut(register) {
                    declared.get_or_insert_with(|| wanted.clone());
                }
                all.push(register);
                continue;
            };
            let conversion = match unit.factor_to(wanted) {
                Some(1.0) => None,
                Some(factor) => Some(each(Scale(factor))),
                None if part.units.spectral.contains(&index) => {
                    unit.spectral_to(wanted).map(|conversion| each(Converted(conversion)))
                }
                None => None,
            };
            match conversion {
                Some(kernel) => all.extend(self.step(number, kernel, vec![register], vec![Some(wanted.clone())])),
                None if unit.factor_to(wanted).is_none() && part.units.strict => {
                    let message =
                        format!("input {index} has the unit '{unit}', which is not convertible to '{wanted}'");
                    return Err(part.error(Status::Units, &message));
                }
                None => all.push(register),
            }
        }
        Ok(all)
    }

    /// Appends the elementwise operation of a part on two results.
    fn operate(&mut self, number: usize, left: &[usize], right: &[usize]) -> Result<Vec<usize>> {
        let part = &self.parts[number];
        let Operation::Arithmetic(operator, ..) = part.operation else { return Ok(Vec::new()) };
        let mut outputs = Vec::new();
        for (&one, &other) in left.iter().zip(right) {
            let mut other = other;
            let unit = match (operator, self.units[one].clone(), self.units[other].clone()) {
                (Arithmetic::Add | Arithmetic::Subtract, Some(unit), Some(second)) => {
                    let factor = second.factor_to(&unit).ok_or_else(|| {
                        part.error(Status::Units, &format!("'{unit}' and '{second}' cannot be added"))
                    })?;
                    if factor != 1.0 {
                        other = self.step(number, each(Scale(factor)), vec![other], vec![Some(unit.clone())])[0];
                    }
                    Some(unit)
                }
                (Arithmetic::Multiply, Some(unit), Some(second)) => Some(unit.times(&second)),
                (Arithmetic::Divide, Some(unit), Some(second)) => Some(unit.over(&second)),
                _ => None,
            };
            outputs.extend(self.step(number, each(operator), vec![one, other], vec![unit]));
        }
        Ok(outputs)
    }
}

/// A conversion between units.
#[derive(Clone, Debug)]
struct Converted(Conversion);

impl Point<1, 1> for Converted {
    fn at(&self, [x]: [f64; 1]) -> [f64; 1] {
        [self.0.apply(x)]
    }

    fn slopes(&self, [x]: [f64; 1]) -> Option<[[f64; 1]; 1]> {
        Some([[match self.0 {
            Conversion::Linear { factor, .. } => factor,
            Conversion::Reciprocal { numerator } => -numerator / (x * x),
            _ => return None,
        }]])
    }
}
