//! The projections by name, with their parameters.

use super::conic::{Cone, Conic};
use super::cube::{Csc, Qsc, Tsc};
use super::cylindrical::{Car, Cea, Cyp, Mer};
use super::healpix::{Hpx, Xph};
use super::perspective::Azp;
use super::pseudo::{Ait, Bon, Mol, Par, Pco, Sfl};
use super::slant::{Sin, Szp};
use super::zenithal::{Air, Arc as Equidistant, Stg, Tan, Zea};
use super::{Project, ToPlane, ToSky, cosd, sind};
use crate::wcs::kernel::{Kernel, each};
use std::sync::Arc;

/// A parameter of a projection: name, default, and whether it is an angle.
pub(in crate::wcs) type Parameter = (&'static str, f64, bool);

/// Parameter that defines no projection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::wcs) struct Bad(pub(in crate::wcs) &'static str);

const CONIC: &[Parameter] = &[("sigma", 90.0, true), ("delta", 0.0, true)];

/// Projections with their parameters.
const PROJECTIONS: [(&str, &[Parameter]); 27] = [
    ("gnomonic", &[]),
    ("stereographic", &[]),
    ("zenithal_equidistant", &[]),
    ("zenithal_equal_area", &[]),
    ("plate_carree", &[]),
    ("mercator", &[]),
    ("sanson_flamsteed", &[]),
    ("parabolic", &[]),
    ("molleweide", &[]),
    ("hammer_aitoff", &[]),
    ("polyconic", &[]),
    ("tangential_spherical_cube", &[]),
    ("cobe_quad_spherical_cube", &[]),
    ("quad_spherical_cube", &[]),
    ("healpix_polar", &[]),
    ("zenithal_perspective", &[("mu", 0.0, false), ("gamma", 0.0, true)]),
    ("slant_zenithal_perspective", &[("mu", 0.0, false), ("phi0", 0.0, true), ("theta0", 90.0, true)]),
    ("slant_orthographic", &[("xi", 0.0, false), ("eta", 0.0, false)]),
    ("airy", &[("theta_b", 90.0, true)]),
    ("cylindrical_perspective", &[("mu", 1.0, false), ("lambda", 1.0, false)]),
    ("cylindrical_equal_area", &[("lambda", 1.0, false)]),
    ("conic_perspective", CONIC),
    ("conic_equal_area", CONIC),
    ("conic_equidistant", CONIC),
    ("conic_orthomorphic", CONIC),
    ("bonne_equal_area", &[("theta1", 0.0, true)]),
    ("healpix", &[("H", 4.0, false), ("X", 3.0, false)]),
];

/// Returns the name and the parameters of a projection; `None` if there is none of this name.
pub(in crate::wcs) fn parameters_of(name: &str) -> Option<(&'static str, &'static [Parameter])> {
    PROJECTIONS.iter().find(|(known, _)| *known == name).copied()
}

/// Returns the native latitude of the point in the center of the plane, and whether the projection is zenithal.
pub(in crate::wcs) fn native_latitude(name: &str, values: &[f64]) -> (f64, bool) {
    match name {
        "gnomonic"
        | "stereographic"
        | "zenithal_equidistant"
        | "zenithal_equal_area"
        | "airy"
        | "zenithal_perspective"
        | "slant_zenithal_perspective"
        | "slant_orthographic" => (90.0, true),
        "conic_perspective" | "conic_equal_area" | "conic_equidistant" | "conic_orthomorphic" => {
            (values.first().copied().unwrap_or(90.0), false)
        }
        _ => (0.0, false),
    }
}

/// Returns the projection with these values of its [parameters](parameters_of), to the sky or to the plane.
pub(in crate::wcs) fn made(name: &str, values: &[f64], to_sky: bool) -> Result<Arc<dyn Kernel>, Bad> {
    let value = |index: usize| values.get(index).copied().unwrap_or(f64::NAN);
    let (first, second) = (value(0), value(1));
    Ok(match name {
        "gnomonic" => directed(Tan, to_sky),
        "stereographic" => directed(Stg, to_sky),
        "zenithal_equidistant" => directed(Equidistant, to_sky),
        "zenithal_equal_area" => directed(Zea, to_sky),
        "airy" => directed(Air::new(first).ok_or(Bad("theta_b"))?, to_sky),
        "zenithal_perspective" => {
            refuse(first == -1.0, "mu")?;
            refuse(cosd(second) == 0.0, "gamma")?;
            directed(Azp::new(first, second), to_sky)
        }
        "slant_zenithal_perspective" => {
            refuse(first == -1.0 || 1.0 + first * sind(value(2)) == 0.0, "mu")?;
            directed(Szp::new(first, second, value(2)), to_sky)
        }
        "slant_orthographic" => directed(Sin { xi: first, eta: second }, to_sky),
        "cylindrical_perspective" => {
            refuse(second == 0.0, "lambda")?;
            refuse(first == -second, "mu")?;
            directed(Cyp { mu: first, lambda: second }, to_sky)
        }
        "cylindrical_equal_area" => {
            refuse(first.is_nan() || first <= 0.0 || first > 1.0, "lambda")?;
            directed(Cea { lambda: first }, to_sky)
        }
        "plate_carree" => directed(Car, to_sky),
        "mercator" => directed(Mer, to_sky),
        "sanson_flamsteed" => directed(Sfl, to_sky),
        "parabolic" => directed(Par, to_sky),
        "molleweide" => directed(Mol, to_sky),
        "hammer_aitoff" => directed(Ait, to_sky),
        "conic_perspective" => directed(Cone::new(Conic::Perspective, first, second).map_err(Bad)?, to_sky),
        "conic_equal_area" => directed(Cone::new(Conic::EqualArea, first, second).map_err(Bad)?, to_sky),
        "conic_equidistant" => directed(Cone::new(Conic::Equidistant, first, second).map_err(Bad)?, to_sky),
        "conic_orthomorphic" => directed(Cone::new(Conic::Orthomorphic, first, second).map_err(Bad)?, to_sky),
        "bonne_equal_area" if first == 0.0 => directed(Sfl, to_sky),
        "bonne_equal_area" => directed(Bon::new(first), to_sky),
        "polyconic" => directed(Pco, to_sky),
        "tangential_spherical_cube" => directed(Tsc, to_sky),
        "cobe_quad_spherical_cube" => directed(Csc, to_sky),
        "quad_spherical_cube" => directed(Qsc, to_sky),
        "healpix" => directed(Hpx::new(first, second).map_err(Bad)?, to_sky),
        "healpix_polar" => directed(Xph, to_sky),
        _ => return Err(Bad("")),
    })
}

fn refuse(is_bad: bool, parameter: &'static str) -> Result<(), Bad> {
    if is_bad { Err(Bad(parameter)) } else { Ok(()) }
}

fn directed(projection: impl Project, to_sky: bool) -> Arc<dyn Kernel> {
    if to_sky { each(ToSky(projection)) } else { each(ToPlane(projection)) }
}
