//! Functional models.

use super::fields::{Fields, Quantity};
use super::made::Made;
use crate::error::Result;
use crate::wcs::kernel::functional::{Functional, Role, definition};
use crate::wcs::model::PartUnits;
use crate::wcs::unit::Unit;

pub(super) fn make(name: &str, fields: &Fields) -> Result<Made> {
    let Some(definition) = definition(name) else { return fields.bad("", "there is no such model") };
    let mut quantities: Vec<Quantity> = Vec::new();
    for (key, _) in definition.parameters {
        // The schema of two models has a wrong name for one of their parameters.
        let given = match (*key, fields.quantity(key)?) {
            ("tau", None) => fields.quantity("r_core")?,
            (_, given) => given,
        };
        quantities.push(match given {
            Some(given) => given,
            None => fields.required_quantity(key)?,
        });
    }
    let roles = || definition.parameters.iter().zip(&quantities);
    let along = roles().find_map(|((_, role), quantity)| match role {
        Role::Along => quantity.unit.clone(),
        Role::Inverse => quantity.unit.as_ref().map(Unit::inverse),
        _ => None,
    });
    let output = match name {
        // The values of these are along the inputs of their inverses.
        "arcsine1d" | "arccosine1d" | "arctangent1d" => {
            roles().find(|((_, role), _)| *role == Role::Inverse).and_then(|(_, q)| q.unit.as_ref().map(Unit::inverse))
        }
        _ => roles().find(|((_, role), _)| *role == Role::Value).and_then(|(_, quantity)| quantity.unit.clone()),
    };
    let along = match name {
        "arcsine1d" | "arccosine1d" | "arctangent1d" => quantities[0].unit.clone(),
        _ => along,
    };
    let mut values = Vec::new();
    for ((key, role), quantity) in roles() {
        let wanted = match (role, name) {
            (Role::Along, _) => along.clone(),
            (Role::Angle, _) => Some(Unit::radian()),
            (Role::Plain, "blackbody") if *key == "temperature" => Some(Unit::read("K")),
            _ => None,
        };
        values.push(match &wanted {
            Some(wanted) => fields.in_unit(key, quantity, wanted)?,
            None => quantity.value,
        });
    }
    check(name, &values, fields)?;
    let strict = quantities.iter().any(|quantity| quantity.unit.is_some());
    let mut made = Made::kernel(Functional::kernel(definition, values));
    let (mut inputs, mut outputs, mut spectral) = (vec![along; definition.inputs], vec![output], Vec::new());
    if name == "blackbody" {
        inputs = vec![Some(Unit::read("Hz"))];
        outputs = vec![Some(Unit::read("erg cm-2 s-1 Hz-1 sr-1"))];
        spectral.push(0);
    }
    made.part.units = PartUnits { inputs, outputs, times: None, strict, spectral };
    made.part.has_units = strict;
    Ok(made)
}

/// Refuses values for which a model is not defined.
fn check(name: &str, values: &[f64], fields: &Fields) -> Result<()> {
    match name {
        "exponential1d" | "logarithmic1d" if values[1] == 0.0 => fields.bad("tau", "zero is not allowed"),
        "smoothly_broken_power_law1d" if values[0].is_nan() || values[0] <= 0.0 => {
            fields.bad("amplitude", "the amplitude must be positive")
        }
        "smoothly_broken_power_law1d" if values[4].is_nan() || values[4] < 0.001 => {
            fields.bad("delta", "the value must be at least 0.001")
        }
        _ => Ok(()),
    }
}
