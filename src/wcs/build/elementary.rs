//! Elementary transforms.

use super::fields::{Fields, content, items, refused};
use super::made::{Made, any_unit};
use crate::error::{Error, Result, Status};
use crate::file::NodeType;
use crate::wcs::kernel::elementary::{Affine, Constant, Copied, Linear, Planar, Redshift, Rotate2d, Scale, Shift};
use crate::wcs::kernel::{each, ufunc};
use crate::wcs::model::{Operation, PartUnits};
use crate::wcs::unit::Unit;
use std::sync::Arc;

/// Largest number of inputs or outputs.
const MAX_AXES: usize = 1024;

pub(super) fn make(name: &str, fields: &Fields) -> Result<Made> {
    match name {
        "shift" => {
            let offset = fields.required_quantity("offset")?;
            let unit = offset.unit.as_ref();
            Ok(Made::kernel(each(Shift(offset.value))).units(unit, unit, unit.is_some()))
        }
        "scale" => {
            let factor = fields.required_quantity("factor")?;
            let unit = factor.unit.as_ref();
            Ok(Made::kernel(each(Scale(factor.value))).units(unit, unit, unit.is_some()))
        }
        "multiplyscale" => {
            let factor = fields.required_quantity("factor")?;
            let mut made = Made::kernel(each(Scale(factor.value)));
            made.part.has_units = factor.unit.is_some();
            made.part.units.times = factor.unit;
            Ok(made)
        }
        "redshift_scale_factor" => Ok(Made::kernel(each(Redshift(fields.required_number("z")?)))),
        "identity" => identity(fields),
        "constant" => constant(fields),
        "remap_axes" => remap(fields),
        "linear1d" => linear(fields),
        "planar2d" => planar(fields),
        "rotate2d" => {
            let angle = fields.required_angle("angle")?;
            let strict = angle.unit.is_some();
            Ok(Made::kernel(each(Rotate2d::new(angle.value))).angles(strict).names(&["x", "y"], &["x", "y"]))
        }
        "affine" => affine(fields),
        "units_mapping" => units_mapping(fields),
        _ => {
            let name = fields.required_text("func_name")?;
            match ufunc::named(&name) {
                Some(kernel) => {
                    let (inputs, outputs) = kernel.arity();
                    let mut made = Made::kernel(kernel);
                    if inputs == 2 && outputs == 2 {
                        made = made.names(&["x0", "x1"], &["x0", "x1"]);
                    }
                    Ok(made)
                }
                None => fields.bad("func_name", &format!("there is no function '{name}'")),
            }
        }
    }
}

fn identity(fields: &Fields) -> Result<Made> {
    let count = fields.integer("n_dims")?.unwrap_or(1);
    match usize::try_from(count) {
        Ok(count) if (1..=MAX_AXES).contains(&count) => {
            Ok(Made::operation(Operation::Remap((0..count).collect()), count, count))
        }
        _ => fields.bad("n_dims", &format!("expected 1 to {MAX_AXES}")),
    }
}

fn constant(fields: &Fields) -> Result<Made> {
    let value = fields.required_quantity("value")?;
    let inputs = match fields.integer("dimensions")? {
        None | Some(1) => 1,
        Some(2) => 2,
        Some(_) => return fields.bad("dimensions", "expected 1 or 2"),
    };
    let made = Made::kernel(Arc::new(Constant { value: value.value, inputs }));
    let strict = value.unit.is_some();
    Ok(made.units(None, value.unit.as_ref(), strict))
}

fn remap(fields: &Fields) -> Result<Made> {
    let nodes = items(&fields.required("mapping")?)?;
    if nodes.is_empty() || nodes.len() > MAX_AXES {
        return fields.bad("mapping", &format!("expected 1 to {MAX_AXES} entries"));
    }
    let mut mapping = Vec::with_capacity(nodes.len());
    for node in &nodes {
        if node.node_type("")? == NodeType::String {
            return refused(node, Status::Unsupported, "constants in mappings are not supported");
        }
        let index = usize::try_from(content(node.i64(""))?).ok().filter(|index| *index < MAX_AXES);
        match index {
            Some(index) => mapping.push(index),
            None => return refused(node, Status::TagContent, "expected the index of an input"),
        }
    }
    let needed = mapping.iter().max().map_or(1, |index| index + 1);
    let inputs = match fields.integer("n_inputs")? {
        None => needed,
        Some(inputs) => match usize::try_from(inputs) {
            Ok(inputs) if (1..=MAX_AXES).contains(&inputs) => inputs,
            _ => return fields.bad("n_inputs", &format!("expected 1 to {MAX_AXES}")),
        },
    };
    if let Some(entry) = mapping.iter().position(|index| *index >= inputs) {
        return fields.bad(&format!("mapping/{entry}"), &format!("there are only {inputs} inputs"));
    }
    let outputs = mapping.len();
    Ok(Made::operation(Operation::Remap(mapping), inputs, outputs))
}

fn linear(fields: &Fields) -> Result<Made> {
    let (slope, intercept) = (fields.quantity("slope")?, fields.quantity("intercept")?);
    let number =
        |quantity: &Option<super::fields::Quantity>, default: f64| quantity.as_ref().map_or(default, |q| q.value);
    let made = Made::kernel(each(Linear { slope: number(&slope, 1.0), intercept: number(&intercept, 0.0) }));
    let given: Vec<_> = slope.iter().chain(&intercept).collect();
    let strict = any_unit(&given);
    let output = intercept.and_then(|quantity| quantity.unit);
    let input = match (&output, slope.and_then(|quantity| quantity.unit)) {
        (Some(output), Some(slope)) => Some(output.over(&slope)),
        (output, _) => output.clone(),
    };
    Ok(made.units(input.as_ref(), output.as_ref(), strict))
}

fn planar(fields: &Fields) -> Result<Made> {
    let parameters = ["slope_x", "slope_y", "intercept"].map(|key| fields.required_quantity(key));
    let [x, y, intercept] = parameters;
    let (x, y, intercept) = (x?, y?, intercept?);
    let strict = any_unit(&[&x, &y, &intercept]);
    let along = |slope: &Option<Unit>| match (&intercept.unit, slope) {
        (Some(output), Some(slope)) => Some(output.over(slope)),
        (output, _) => output.clone(),
    };
    let inputs = vec![along(&x.unit), along(&y.unit)];
    let mut made = Made::kernel(each(Planar([x.value, y.value, intercept.value])));
    made.part.units = PartUnits { inputs, outputs: vec![intercept.unit], times: None, strict, spectral: Vec::new() };
    made.part.has_units = strict;
    Ok(made)
}

fn affine(fields: &Fields) -> Result<Made> {
    let matrix = fields.required_numbers("matrix")?;
    if matrix.shape != [2, 2] {
        return Err(fields.error("matrix", Status::BadArray, "expected a matrix of two rows and two columns"));
    }
    let mut translation = [0.0; 2];
    let mut unit = matrix.unit.clone();
    if let Some(given) = fields.numbers("translation")? {
        if given.values.len() != 2 {
            return Err(fields.error("translation", Status::BadArray, "expected two numbers"));
        }
        translation.copy_from_slice(&given.values);
        unit = given.unit.or(unit);
    }
    let m = &matrix.values;
    let affine = Affine { matrix: [[m[0], m[1]], [m[2], m[3]]], translation };
    let made = Made::kernel(each(affine)).units(unit.as_ref(), unit.as_ref(), unit.is_some());
    Ok(made.names(&["x", "y"], &["x", "y"]))
}

/// Reads the units that astropy's `UnitsMapping` asks for and gives.
fn units_mapping(fields: &Fields) -> Result<Made> {
    let read = |key: &str| -> Result<(Vec<String>, Vec<Option<Unit>>)> {
        let (mut names, mut units) = (Vec::new(), Vec::new());
        for node in items(&fields.required(key)?)? {
            let entry = Fields::new(&node)?;
            names.push(entry.required_text("name")?);
            units
                .push(entry.get("unit")?.map(|unit| content(unit.text(""))).transpose()?.map(|text| Unit::read(&text)));
        }
        Ok((names, units))
    };
    let ((inputs, units), (outputs, units_too)) = (read("unit_inputs")?, read("unit_outputs")?);
    if inputs.len() != outputs.len() || inputs.len() > MAX_AXES {
        return Err(fields.node.locate(Error::new(Status::Arity, "expected as many outputs as inputs")));
    }
    let mut made = Made::kernel(Arc::new(Copied(inputs.len())));
    made.part.has_units = true;
    made.part.units = PartUnits { inputs: units, outputs: units_too, times: None, strict: true, spectral: Vec::new() };
    (made.part.inputs, made.part.outputs) = (inputs, outputs);
    Ok(made)
}
