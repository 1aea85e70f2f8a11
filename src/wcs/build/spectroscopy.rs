//! Transforms of gwcs for spectrographs.

use super::fields::Fields;
use super::made::Made;
use crate::error::Result;
use crate::wcs::kernel::each;
use crate::wcs::kernel::spectroscopy::{GratingAngle, GratingWavelength, Sellmeier, Snell3d, Zemax};

pub(super) fn glass(fields: &Fields, b: &str, c: &str) -> Result<Sellmeier> {
    Ok(Sellmeier { b: fields.exactly(b)?, c: fields.exactly(c)? })
}

pub(super) fn make(name: &str, fields: &Fields) -> Result<Made> {
    match name {
        "grating_equation" => grating(fields),
        "snell3d" => {
            Ok(Made::kernel(each(Snell3d))
                .names(&["n", "alpha_in", "beta_in", "gamma_in"], &["alpha", "beta", "gamma"]))
        }
        "sellmeier_glass" => Ok(Made::kernel(each(glass(fields, "B_coef", "C_coef")?)).names(&["wavelength"], &["n"])),
        _ => {
            let zemax = Zemax {
                glass: glass(fields, "B_coef", "C_coef")?,
                d: fields.exactly("D_coef")?,
                e: fields.exactly("E_coef")?,
                temperature: fields.required_number("temperature")?,
                ref_temperature: fields.required_number("ref_temperature")?,
                pressure: fields.required_number("pressure")?,
                ref_pressure: fields.required_number("ref_pressure")?,
            };
            Ok(Made::kernel(each(zemax)).names(&["wavelength"], &["n"]))
        }
    }
}

fn grating(fields: &Fields) -> Result<Made> {
    let groove_density = fields.required_quantity("groove_density")?;
    let density = groove_density.value * fields.required_number("order")?;
    let strict = groove_density.unit.is_some();
    let length = groove_density.unit.as_ref().map(crate::wcs::unit::Unit::inverse);
    match fields.required_text("output")?.as_str() {
        "wavelength" => {
            let made =
                Made::kernel(each(GratingWavelength { density })).names(&["alpha_in", "alpha_out"], &["wavelength"]);
            Ok(made.units(None, length.as_ref(), strict))
        }
        "angle" => {
            let names = (["wavelength", "alpha_in", "beta_in"], ["alpha_out", "beta_out", "gamma_out"]);
            let mut made =
                Made::kernel(each(GratingAngle { density })).names(&names.0, &names.1).units(None, None, strict);
            made.part.units.inputs[0] = length;
            Ok(made)
        }
        other => fields.bad("output", &format!("there is no output '{other}'")),
    }
}
