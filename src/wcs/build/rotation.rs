//! Rotations, and changes between spherical and cartesian coordinates.

use super::fields::{Fields, quantity};
use super::made::Made;
use crate::error::Result;
use crate::wcs::kernel::each;
use crate::wcs::kernel::rotation::{
    Axis, Cartesian, CartesianToSpherical, FromDirectionCosines, Spherical, SphericalToCartesian, ToDirectionCosines,
    Turns, Wrap, celestial_to_native, native_to_celestial,
};
use crate::wcs::unit::Unit;
use std::sync::Arc;

pub(super) fn make(name: &str, fields: &Fields) -> Result<Made> {
    match name {
        "rotate3d" => euler(fields),
        "rotate_sequence_3d" => sequence(fields),
        "spherical_cartesian" => spherical_cartesian(fields),
        _ => match fields.required_text("transform_type")?.as_str() {
            "to_direction_cosines" => {
                Ok(Made::kernel(each(ToDirectionCosines)).names(&["x", "y", "z"], &["cosa", "cosb", "cosc", "length"]))
            }
            "from_direction_cosines" => {
                Ok(Made::kernel(each(FromDirectionCosines))
                    .names(&["cosa", "cosb", "cosc", "length"], &["x", "y", "z"]))
            }
            other => fields.bad("transform_type", &format!("there is no direction '{other}'")),
        },
    }
}

fn euler(fields: &Fields) -> Result<Made> {
    let angles = ["phi", "theta", "psi"].map(|key| fields.required_angle(key));
    let [phi, theta, psi] = angles;
    let (phi, theta, psi) = (phi?, theta?, psi?);
    let strict = phi.unit.is_some();
    for (key, angle) in [("theta", &theta), ("psi", &psi)] {
        if angle.unit.is_some() != strict {
            return fields.bad(key, "all angles of a rotation must have units, or none");
        }
    }
    // The default of the schema, which writers of the standards before 1.6.0 leave out.
    let direction = fields.text("direction")?.unwrap_or_else(|| "native2celestial".to_owned());
    let (native, celestial) = (["phi_N", "theta_N"], ["alpha_C", "delta_C"]);
    Ok(match direction.as_str() {
        "native2celestial" => {
            let turns = native_to_celestial(phi.value, theta.value, psi.value);
            Made::kernel(Spherical::kernel(turns, true)).names(&native, &celestial)
        }
        "celestial2native" => {
            let turns = celestial_to_native(phi.value, theta.value, psi.value);
            Made::kernel(Spherical::kernel(turns, true)).names(&celestial, &native)
        }
        letters => {
            let axes: Option<Vec<Axis>> = letters.chars().map(Axis::named).collect();
            let Some([first, second, third]) = axes.as_deref() else {
                return fields.bad("direction", &format!("there is no direction '{letters}'"));
            };
            if first == second || second == third {
                return fields.bad("direction", "an axis stands twice in a row");
            }
            let turns = Turns(vec![(*first, phi.value), (*second, theta.value), (*third, psi.value)]);
            Made::kernel(Spherical::kernel(turns, false)).names(&["alpha", "delta"], &["alpha", "delta"])
        }
    }
    .angles(strict))
}

/// Returns the angles of a sequence of rotations, and whether any has a unit.
fn angles(fields: &Fields) -> Result<(Vec<f64>, bool)> {
    let mut strict = false;
    let mut angles = Vec::new();
    match fields.list("angles")? {
        Some(items) if items.iter().all(|item| quantity(item).is_ok()) => {
            for item in &items {
                let angle = quantity(item)?;
                strict |= angle.unit.is_some();
                angles.push(fields.in_unit("angles", &angle, &Unit::degree())?);
            }
        }
        _ => angles = fields.required_numbers("angles")?.values,
    }
    Ok((angles, strict))
}

/// Returns the angles of a sequence of rotations.
pub(super) fn angles_in(fields: &Fields) -> Result<Vec<f64>> {
    Ok(angles(fields)?.0)
}

/// Returns the axes of a sequence of rotations.
pub(super) fn axes_in(fields: &Fields) -> Result<Vec<Axis>> {
    let order = fields.required_text("axes_order")?;
    let axes: Option<Vec<Axis>> = order.chars().map(Axis::named).collect();
    match axes.filter(|axes| !axes.is_empty()) {
        Some(axes) => Ok(axes),
        None => fields.bad("axes_order", "expected the letters x, y, z"),
    }
}

fn sequence(fields: &Fields) -> Result<Made> {
    let (angles, strict) = angles(fields)?;
    let axes = axes_in(fields)?;
    if axes.len() != angles.len() {
        return fields.bad("angles", "expected an angle for each letter of 'axes_order'");
    }
    let turns = Turns(axes.into_iter().zip(angles).collect());
    match fields.required_text("rotation_type")?.as_str() {
        "cartesian" => Ok(Made::kernel(Cartesian::kernel(turns)).names(&["x", "y", "z"], &["x", "y", "z"])),
        "spherical" => {
            Ok(Made::kernel(Spherical::kernel(turns, false)).names(&["lon", "lat"], &["lon", "lat"]).angles(strict))
        }
        other => fields.bad("rotation_type", &format!("there is no type '{other}'")),
    }
}

fn spherical_cartesian(fields: &Fields) -> Result<Made> {
    let wrap = match fields.integer("wrap_lon_at")? {
        None | Some(360) => Wrap::At360,
        Some(180) => Wrap::At180,
        Some(_) => return fields.bad("wrap_lon_at", "expected 180 or 360"),
    };
    match fields.required_text("transform_type")?.as_str() {
        "spherical_to_cartesian" => {
            Ok(Made::kernel(Arc::new(SphericalToCartesian(wrap))).names(&["lon", "lat"], &["x", "y", "z"]))
        }
        "cartesian_to_spherical" => {
            Ok(Made::kernel(Arc::new(CartesianToSpherical(wrap))).names(&["x", "y", "z"], &["lon", "lat"]))
        }
        other => fields.bad("transform_type", &format!("there is no direction '{other}'")),
    }
}
