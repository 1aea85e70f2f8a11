//! Transforms of the pipeline of JWST.

use super::fields::{Fields, content, items, quantity, refused};
use super::made::Made;
use super::rotation::{angles_in, axes_in};
use super::spectroscopy::glass;
use super::{arity, push};
use crate::error::{Result, Status};
use crate::file::{Node, NodeType};
use crate::wcs::kernel::each;
use crate::wcs::kernel::jwst::{
    Condition, Directions, FromPlane, GratingAngle, GratingWavelength, IndexFromPrism, Logical, Prism, PrismIndex,
    SliceNumber, ToPlane,
};
use crate::wcs::kernel::spectroscopy::Zemax;
use crate::wcs::model::{Choice, Operation, Part, Rule};

/// Slit number that stands for none.
const NO_SLIT_ID: f64 = -9999.0;

/// Returns the transforms in a transform.
pub(super) fn children(name: &str, fields: &Fields) -> Result<Vec<Node>> {
    match name {
        "gwa_to_slit" | "slit_to_gwa" | "slit_to_msa" | "msa_to_slit" | "niriss_soss" => {
            items(&fields.required("models")?)
        }
        _ => Ok(Vec::new()),
    }
}

pub(super) fn make(name: &str, fields: &Fields, children: &[usize], parts: &mut Vec<Part>) -> Result<Made> {
    match name {
        "miri_ab2slice" => Ok(Made::kernel(each(SliceNumber {
            zero: fields.required_number("beta_zero")?,
            width: fields.required_number("beta_del")?,
            channel: fields.required_number("channel")?,
        }))
        .names(&["beta"], &["slice"])),
        "refraction_index_from_prism" => {
            let kernel = each(IndexFromPrism(fields.required_number("prism_angle")?));
            Ok(Made::kernel(kernel).names(&["alpha_in", "beta_in", "alpha_out"], &["n"]))
        }
        "logical" => logical(fields),
        "grating_equation" => grating(fields),
        "rotation_sequence" => {
            let (axes, angles) = (axes_in(fields)?, angles_in(fields)?);
            if axes.len() != angles.len() {
                return fields.bad("angles", "expected an angle for each letter of 'axes_order'");
            }
            let turns = axes.into_iter().zip(angles).collect();
            Ok(Made::kernel(each(Directions(turns))))
        }
        "snell" => snell(fields),
        "coords" => match fields.required_text("model_type")?.as_str() {
            "to_dircos" | "unitless2directional" => Ok(Made::kernel(each(FromPlane))),
            "from_dircos" | "directional2unitless" => Ok(Made::kernel(each(ToPlane))),
            other => fields.bad("model_type", &format!("there is no type '{other}'")),
        },
        "niriss_soss" => {
            let orders = super::fields::numbers(&fields.required("spectral_orders")?)?.values;
            let chosen = chosen(fields, "spectral_orders", orders, children, parts)?;
            let (inputs, outputs) = arity(parts, chosen);
            let order = [inputs - 1].into_iter().chain(0..inputs - 1).collect();
            let first = push(parts, Operation::Remap(order), inputs, inputs);
            let chain = push(parts, Operation::Compose(first, chosen), inputs, outputs);
            let last = push(parts, Operation::Remap((1..outputs).collect()), outputs, outputs - 1);
            let made = Made::operation(Operation::Compose(chain, last), inputs, outputs - 1);
            let usual = (inputs, outputs) == (3, 4);
            Ok(if usual { made.names(&["x", "y", "spectral_order"], &["ra", "dec", "lam"]) } else { made })
        }
        _ => {
            let ids = slit_ids(&fields.required("slits")?)?;
            let chosen = chosen(fields, "slits", ids, children, parts)?;
            let (inputs, outputs) = arity(parts, chosen);
            let order: Vec<usize> = match name {
                "slit_to_msa" => (1..outputs).chain([0]).collect(),
                _ => (0..outputs).collect(),
            };
            let last = push(parts, Operation::Remap(order), outputs, outputs);
            Ok(Made::operation(Operation::Compose(chosen, last), inputs, outputs))
        }
    }
}

/// Appends the choice of a transform by the number that is the first input.
fn chosen(fields: &Fields, key: &str, numbers: Vec<f64>, children: &[usize], parts: &mut Vec<Part>) -> Result<usize> {
    let Some(&first) = children.first().filter(|_| children.len() == numbers.len()) else {
        return fields.bad(key, "expected a transform for each entry, at least one");
    };
    let (inputs, outputs) = arity(parts, first);
    if children.iter().any(|&part| arity(parts, part) != (inputs, outputs)) {
        return refused(&fields.node, Status::Arity, "the transforms have other numbers of inputs or outputs");
    }
    let choice = Choice { key: None, rule: Rule::Equal(numbers), parts: children.to_vec(), undefined: f64::NAN };
    Ok(push(parts, Operation::Choose(choice), inputs + 1, outputs + 1))
}

/// Reads the numbers of slits: numbers, texts of numbers, or records that begin with one.
fn slit_ids(slits: &Node) -> Result<Vec<f64>> {
    let number = |node: &Node| -> Result<f64> {
        if node.node_type("")? != NodeType::String {
            return Ok(quantity(node)?.value);
        }
        match content(node.string(""))?.trim().parse() {
            Ok(number) => Ok(number),
            Err(_) => refused(node, Status::Unsupported, "names of slits that are not numbers are not supported"),
        }
    };
    let mut ids = Vec::new();
    for slit in items(slits)? {
        if slit.node_type("")? != NodeType::Sequence {
            ids.push(number(&slit)?);
            continue;
        }
        let record = items(&slit)?;
        let id = match record.get(19) {
            Some(id) => Some(number(id)?).filter(|id| *id != NO_SLIT_ID),
            None => None,
        };
        match (id, record.first()) {
            (Some(id), _) => ids.push(id),
            (None, Some(name)) => ids.push(number(name)?),
            (None, None) => return refused(&slit, Status::TagContent, "the record of the slit is empty"),
        }
    }
    Ok(ids)
}

fn logical(fields: &Fields) -> Result<Made> {
    let condition = match fields.required_text("condition")?.to_ascii_uppercase().as_str() {
        "GT" => Condition::Greater,
        "LT" => Condition::Less,
        "EQ" => Condition::Equal,
        "NE" => Condition::Unequal,
        other => return fields.bad("condition", &format!("there is no condition '{other}'")),
    };
    let (compare_to, value) = (fields.required_number("compareto")?, fields.required_number("value")?);
    Ok(Made::kernel(each(Logical { condition, compare_to, value })).names(&["x"], &["x"]))
}

fn grating(fields: &Fields) -> Result<Made> {
    let density = fields.required_number("groove_density")? * fields.required_number("order")?;
    match fields.required_text("output")?.as_str() {
        "wavelength" => {
            Ok(Made::kernel(each(GratingWavelength(density))).names(&["alpha_in", "beta_in", "alpha_out"], &["lam"]))
        }
        "angle" => Ok(Made::kernel(each(GratingAngle(density)))
            .names(&["lam", "alpha_in", "beta_in", "z"], &["alpha_out", "beta_out", "zout"])),
        other => fields.bad("output", &format!("there is no output '{other}'")),
    }
}

fn snell(fields: &Fields) -> Result<Made> {
    let glass = glass(fields, "kcoef", "lcoef")?;
    let tcoef: [f64; 6] = fields.exactly("tcoef")?;
    let (temperature, ref_temperature) = (fields.required_number("temp")?, fields.required_number("ref_temp")?);
    let [d0, d1, d2, e0, e1, e2] = tcoef;
    let ref_pressure = fields.required_number("ref_pressure")?;
    let index = if temperature - ref_temperature < 20.0 {
        PrismIndex::Constant(glass)
    } else {
        // The pipeline takes the reference pressure for the pressure, too.
        PrismIndex::Thermal(Zemax {
            glass,
            d: [d0, d1, d2],
            e: [e0, e1, e2],
            temperature,
            ref_temperature,
            pressure: ref_pressure,
            ref_pressure,
        })
    };
    let prism = Prism { index, angle: fields.required_number("prism_angle")? };
    Ok(Made::kernel(each(prism)).names(&["lam", "alpha_in", "beta_in", "zin"], &["alpha_out", "beta_out", "zout"]))
}
