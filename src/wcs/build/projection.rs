//! Projections, and the imaging chain of FITS.

use super::fields::Fields;
use super::made::Made;
use super::push;
use crate::error::Result;
use crate::wcs::kernel::each;
use crate::wcs::kernel::elementary::{Affine, Scale, Shift};
use crate::wcs::kernel::rotation::{Spherical, native_to_celestial};
use crate::wcs::model::{Operation, Part};
use crate::wcs::projection::{Bad, made, native_latitude, parameters_of};

const PLANE: [&str; 2] = ["x", "y"];
const NATIVE: [&str; 2] = ["phi", "theta"];

/// Returns the values of the parameters of a projection, and whether any has a unit.
fn values(name: &str, fields: &Fields) -> Result<(Vec<f64>, bool)> {
    let mut strict = false;
    let mut values = Vec::new();
    for (key, default, is_angle) in parameters_of(name).map_or(&[][..], |(_, parameters)| parameters) {
        let given = if *is_angle { fields.angle(key)? } else { fields.quantity(key)? };
        let given = match (*key, given) {
            // Python writes `lam` for what the schema calls `lambda`.
            ("lambda", given) => match (fields.quantity("lam")?, given) {
                (Some(one), Some(other)) if one.value != other.value => {
                    return fields.bad("lambda", "'lam' and 'lambda' differ");
                }
                (one, other) => one.or(other),
            },
            (_, given) => given,
        };
        strict |= given.as_ref().is_some_and(|quantity| quantity.unit.is_some());
        values.push(given.map_or(*default, |quantity| quantity.value));
    }
    Ok((values, strict))
}

pub(super) fn make(name: &str, fields: &Fields) -> Result<Made> {
    let to_sky = match fields.text("direction")?.as_deref() {
        None | Some("pix2sky") => true,
        Some("sky2pix") => false,
        Some(other) => return fields.bad("direction", &format!("there is no direction '{other}'")),
    };
    let (values, strict) = values(name, fields)?;
    let kernel = match made(name, &values, to_sky) {
        Ok(kernel) => kernel,
        Err(Bad(parameter)) => {
            let parameter = if parameter == "lambda" && fields.get("lam")?.is_some() { "lam" } else { parameter };
            return fields.bad(parameter, "the value defines no projection");
        }
    };
    let made = Made::kernel(kernel).angles(strict);
    Ok(if to_sky { made.names(&PLANE, &NATIVE) } else { made.names(&NATIVE, &PLANE) })
}

/// Builds the chain from pixels to the sky of an image in FITS: reference pixel, matrix, scales, projection, rotation.
pub(super) fn fits_imaging(fields: &Fields, children: &[usize], parts: &mut Vec<Part>) -> Result<Made> {
    let crpix: [f64; 2] = fields.exactly("crpix")?;
    let crval: [f64; 2] = fields.exactly("crval")?;
    let cdelt: [f64; 2] = fields.exactly("cdelt")?;
    let pc: [f64; 4] = fields.exactly("pc")?;
    let projection = children.first().copied().unwrap_or_default();
    let inner = Fields::new(&fields.required("projection")?.resolved()?)?;
    let name = parts[projection].place.short().to_owned();
    if parameters_of(&name).is_none() {
        return fields.bad("projection", "expected a projection");
    }
    if parts[projection].outputs[0] == PLANE[0] || inner.text("direction")?.as_deref() == Some("sky2pix") {
        return fields.bad("projection", "expected a projection to the sky");
    }
    let (latitude, is_zenithal) = native_latitude(&name, &values(&name, &inner)?.0);
    let pole = if is_zenithal || crval[1] < latitude { 180.0 } else { 0.0 };
    let mut pair = |one, other| {
        let (left, right) = (push(parts, Operation::Kernel(one), 1, 1), push(parts, Operation::Kernel(other), 1, 1));
        push(parts, Operation::Concatenate(left, right), 2, 2)
    };
    let center = pair(each(Shift(-crpix[0])), each(Shift(-crpix[1])));
    let scales = pair(each(Scale(cdelt[0])), each(Scale(cdelt[1])));
    let matrix = Affine { matrix: [[pc[0], pc[1]], [pc[2], pc[3]]], translation: [0.0; 2] };
    let mut matrix = Part::bare(Operation::Kernel(each(matrix)), 2, 2);
    // The place of a singular matrix.
    matrix.place = super::fields::place_of(&fields.node);
    parts.push(matrix);
    let matrix = parts.len() - 1;
    let rotation = Spherical::kernel(native_to_celestial(crval[0], crval[1], pole), true);
    let rotation = push(parts, Operation::Kernel(rotation), 2, 2);
    let chain = [matrix, scales, projection]
        .into_iter()
        .fold(center, |chain, next| push(parts, Operation::Compose(chain, next), 2, 2));
    let made = Made::operation(Operation::Compose(chain, rotation), 2, 2);
    Ok(made.names(&PLANE, &["lon", "lat"]))
}
