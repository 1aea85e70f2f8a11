//! Names of transforms, and their versions by version of the standard.

/// Newest minor versions of transforms up to standard 1.5.0, each with the names of the transforms. All versions have
/// the form 1.n.0. Versions up to the given one belong to every standard; later versions belong to 1.6.0 and later.
#[rustfmt::skip]
const TRANSFORMS: [(u64, &[&str]); 4] = [
    (0, &[
        "airy_disk2d", "arccosine1d", "arcsine1d", "arctangent1d", "blackbody", "box1d", "box2d", "broken_power_law1d",
        "cosine1d", "disk2d", "domain", "drude1d", "ellipse2d", "exponential1d", "exponential_cutoff_power_law1d",
        "gaussian1d", "gaussian2d", "king_projected_analytic1d", "linear1d", "log_parabola1d", "logarithmic1d",
        "lorentz1d", "math_functions", "moffat1d", "moffat2d", "multiplyscale", "ortho_polynomial", "planar2d",
        "plummer1d", "power_law1d", "property/bounding_box", "property/compound_bounding_box",
        "redshift_scale_factor", "ricker_wavelet1d", "ricker_wavelet2d", "ring2d", "rotate_sequence_3d",
        "schechter1d", "sersic1d", "sersic2d", "sine1d", "smoothly_broken_power_law1d", "spline1d", "tangent1d",
        "trapezoid1d", "trapezoid_disk2d", "voigt1d",
    ]),
    (2, &[
        "add", "airy", "cobe_quad_spherical_cube", "compose", "concatenate", "divide", "fix_inputs", "gnomonic",
        "hammer_aitoff", "healpix", "healpix_polar", "identity", "label_mapper", "mercator", "molleweide", "multiply",
        "parabolic", "plate_carree", "polyconic", "polynomial", "power", "quad_spherical_cube", "regions_selector",
        "sanson_flamsteed", "scale", "shift", "slant_orthographic", "slant_zenithal_perspective", "stereographic",
        "subtract", "tabular", "tangential_spherical_cube", "zenithal_equal_area", "zenithal_equidistant",
    ]),
    (3, &[
        "affine", "bonne_equal_area", "conic_equal_area", "conic_equidistant", "conic_orthomorphic",
        "conic_perspective", "cylindrical_equal_area", "cylindrical_perspective", "remap_axes", "rotate2d", "rotate3d",
        "zenithal_perspective",
    ]),
    (4, &["constant"]),
];

/// Returns the names of all transforms.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    TRANSFORMS.iter().flat_map(|(_, names)| names.iter().copied())
}

/// Returns the newest minor version of a transform up to standard 1.5.0.
pub(crate) fn newest_minor(transform: &str) -> Option<u64> {
    TRANSFORMS.iter().find(|(_, names)| names.contains(&transform)).map(|(newest, _)| *newest)
}
