//! Functional models: spectral lines, profiles, power laws.

use super::special::{faddeeva_real, j1, sersic_constant};
use super::{Inputs, Inverse, Kernel, OutOfDomain};
use std::f64::consts::{LN_2, LN_10, PI};
use std::sync::Arc;

/// Role of a parameter, which says in which unit it is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::wcs) enum Role {
    /// A length along the inputs.
    Along,
    /// The inverse of a length along the inputs.
    Inverse,
    /// A value of the output.
    Value,
    /// An angle, in radians.
    Angle,
    /// Any other number.
    Plain,
}

/// Function that gives the parameters of an inverse.
type Parameters = fn(&[f64]) -> Vec<f64>;

/// A type of functional model.
pub(in crate::wcs) struct Definition {
    pub(in crate::wcs) name: &'static str,
    pub(in crate::wcs) inputs: usize,
    pub(in crate::wcs) parameters: &'static [(&'static str, Role)],
    /// Value at a point, from the values of the parameters.
    at: fn(&[f64], &[f64]) -> f64,
    /// The box that the type brings.
    limits: fn(&[f64]) -> Option<Vec<[f64; 2]>>,
    /// Name of the inverse, and its parameters.
    inverse: Option<(&'static str, Parameters)>,
}

use Role::{Along, Angle, Inverse as PerLength, Plain, Value};

const DEFAULT: Definition =
    Definition { name: "", inputs: 1, parameters: &[], at: |_, _| f64::NAN, limits: |_| None, inverse: None };

const AMPLITUDE: (&str, Role) = ("amplitude", Value);
const X_0: (&str, Role) = ("x_0", Along);
const Y_0: (&str, Role) = ("y_0", Along);

/// A model with its parameters.
#[derive(Clone)]
pub(in crate::wcs) struct Functional {
    definition: &'static Definition,
    parameters: Vec<f64>,
}

impl std::fmt::Debug for Functional {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{:?}", self.definition.name, self.parameters)
    }
}

/// Returns the type of this name.
pub(in crate::wcs) fn definition(name: &str) -> Option<&'static Definition> {
    DEFINITIONS.iter().find(|definition| definition.name == name)
}

impl Functional {
    /// Makes the kernel.
    pub(in crate::wcs) fn kernel(definition: &'static Definition, mut parameters: Vec<f64>) -> Arc<dyn Kernel> {
        // The constant of a Sérsic profile is the same for all points.
        if definition.name.starts_with("sersic") {
            parameters.push(sersic_constant(parameters[2]));
        }
        Arc::new(Functional { definition, parameters })
    }
}

impl Kernel for Functional {
    fn arity(&self) -> (usize, usize) {
        (self.definition.inputs, 1)
    }

    fn evaluate(&self, inputs: &Inputs, outputs: &mut [Vec<f64>]) -> Result<(), OutOfDomain> {
        let [output] = outputs else { return Ok(()) };
        let x = inputs.get(0);
        let y = if self.definition.inputs == 2 { inputs.get(1) } else { x };
        for ((result, x), y) in output.iter_mut().zip(x).zip(y) {
            *result = (self.definition.at)(&self.parameters, &[*x, *y]);
        }
        Ok(())
    }

    fn inverse(&self) -> Inverse {
        match self.definition.inverse {
            Some((name, parameters)) => match definition(name) {
                Some(found) => Inverse::Kernel(Functional::kernel(found, parameters(&self.parameters))),
                None => Inverse::None,
            },
            None => Inverse::None,
        }
    }

    fn default_box(&self) -> Option<Vec<[f64; 2]>> {
        (self.definition.limits)(&self.parameters)
    }
}

fn around(center: f64, distance: f64) -> Option<Vec<[f64; 2]>> {
    Some(vec![[center - distance, center + distance]])
}

fn around_2d(center: [f64; 2], distance: [f64; 2]) -> Option<Vec<[f64; 2]>> {
    Some((0..2).map(|axis| [center[axis] - distance[axis], center[axis] + distance[axis]]).collect())
}

/// Returns half of the extents of a rotated ellipse.
fn ellipse_extents(a: f64, b: f64, theta: f64) -> [f64; 2] {
    let (sine, cosine) = theta.sin_cos();
    let t = (-b * theta.tan()).atan2(a);
    let dx = (a * t.cos() * cosine - b * t.sin() * sine).abs();
    let t = b.atan2(a * theta.tan());
    let dy = (b * t.sin() * cosine + a * t.cos() * sine).abs();
    [dx, dy]
}

/// Returns the distance along the rotated axes.
fn turned(x: f64, y: f64, theta: f64) -> [f64; 2] {
    let (sine, cosine) = theta.sin_cos();
    [x * cosine + y * sine, -x * sine + y * cosine]
}

fn gaussian2d(p: &[f64], v: &[f64]) -> f64 {
    let (x, y) = (v[0] - p[1], v[1] - p[2]);
    let (sine, cosine) = p[5].sin_cos();
    let (along, across) = (p[3] * p[3], p[4] * p[4]);
    let a = 0.5 * (cosine * cosine / along + sine * sine / across);
    let b = 0.5 * (2.0 * p[5]).sin() * (1.0 / along - 1.0 / across);
    let c = 0.5 * (sine * sine / along + cosine * cosine / across);
    p[0] * (-(a * x * x + b * x * y + c * y * y)).exp()
}

fn voigt(p: &[f64], v: &[f64]) -> f64 {
    let [x_0, amplitude, lorentz, gauss] = [p[0], p[1], p[2], p[3]];
    let scale = LN_2.sqrt() / gauss;
    let w = faddeeva_real(2.0 * (v[0] - x_0) * scale, lorentz * scale);
    w * (PI * LN_2).sqrt() * amplitude * lorentz / gauss
}

fn sersic2d(p: &[f64], v: &[f64]) -> f64 {
    let [u, w] = turned(v[0] - p[3], v[1] - p[4], p[6]);
    let (u, w) = (u.abs() / p[1], w.abs() / ((1.0 - p[5]) * p[1]));
    let z = (u * u + w * w).sqrt();
    p[0] * (-p[7] * (z.powf(1.0 / p[2]) - 1.0)).exp()
}

fn king(p: &[f64], v: &[f64]) -> f64 {
    let [amplitude, core, tide] = [p[0], p[1], p[2]];
    let x = v[0];
    let here = 1.0 / (x * x + core * core).sqrt() - 1.0 / (tide * tide + core * core).sqrt();
    let inside = if x >= tide || x < 0.0 { 0.0 } else { 1.0 };
    amplitude * core * core * here * here * inside
}

fn airy_disk(p: &[f64], v: &[f64]) -> f64 {
    const FIRST_ZERO: f64 = 1.219_669_891_266_504_5;
    let (x, y) = (v[0] - p[1], v[1] - p[2]);
    let z = PI * (x * x + y * y).sqrt() * FIRST_ZERO / p[3];
    // NaN gives the amplitude, as in Python.
    if z.is_nan() || z <= 0.0 {
        return p[0];
    }
    let ratio = 2.0 * j1(z) / z;
    p[0] * ratio * ratio
}

fn trapezoid(p: &[f64], v: &[f64]) -> f64 {
    let [amplitude, x_0, width, slope] = [p[0], p[1], p[2], p[3]];
    let x = v[0];
    let (x2, x3) = (x_0 - width / 2.0, x_0 + width / 2.0);
    let (x1, x4) = (x2 - amplitude / slope, x3 + amplitude / slope);
    if x >= x1 && x < x2 {
        slope * (x - x1)
    } else if x >= x2 && x < x3 {
        amplitude
    } else if x >= x3 && x < x4 {
        slope * (x4 - x)
    } else {
        0.0
    }
}

fn trapezoid_disk(p: &[f64], v: &[f64]) -> f64 {
    let [amplitude, x_0, y_0, radius, slope] = [p[0], p[1], p[2], p[3], p[4]];
    let distance = ((v[0] - x_0).powi(2) + (v[1] - y_0).powi(2)).sqrt();
    if distance <= radius {
        amplitude
    } else if distance <= radius + amplitude / slope {
        amplitude + slope * (radius - distance)
    } else {
        0.0
    }
}

fn smoothly_broken(p: &[f64], v: &[f64]) -> f64 {
    let [amplitude, x_break, alpha_1, alpha_2, delta] = [p[0], p[1], p[2], p[3], p[4]];
    let x = v[0] / x_break;
    let t = x.ln() / delta;
    let factor = (alpha_1 - alpha_2) * delta;
    if t > 30.0 {
        amplitude * x.powf(-alpha_2) / 2f64.powf(factor)
    } else if t < -30.0 {
        amplitude * x.powf(-alpha_1) / 2f64.powf(factor)
    } else if t.is_nan() {
        0.0
    } else {
        amplitude * x.powf(-alpha_1) * ((1.0 + t.exp()) / 2.0).powf(factor)
    }
}

fn blackbody(p: &[f64], v: &[f64]) -> f64 {
    const H: f64 = 6.62607015e-34;
    const K: f64 = 1.380649e-23;
    const C: f64 = 299792458.0;
    let frequency = v[0];
    let exponent = H * frequency / (K * p[1]);
    p[0] * (2.0 * H * frequency * frequency * frequency / (C * C) / exponent.exp_m1()) * 1e3
}

fn inside(is_inside: bool, amplitude: f64) -> f64 {
    if is_inside { amplitude } else { 0.0 }
}

fn same(p: &[f64]) -> Vec<f64> {
    p.to_vec()
}

fn swapped(p: &[f64]) -> Vec<f64> {
    vec![p[1], p[0]]
}

const WAVE: &[(&str, Role)] = &[AMPLITUDE, ("frequency", PerLength), ("phase", Plain)];
const ARC: &[(&str, Role)] = &[("amplitude", Along), ("frequency", PerLength), ("phase", Plain)];

static DEFINITIONS: &[Definition] = &[
    Definition {
        name: "gaussian1d",
        parameters: &[AMPLITUDE, ("mean", Along), ("stddev", Along)],
        at: |p, v| p[0] * (-0.5 * (v[0] - p[1]) * (v[0] - p[1]) / (p[2] * p[2])).exp(),
        limits: |p| around(p[1], 5.5 * p[2]),
        ..DEFAULT
    },
    Definition {
        name: "gaussian2d",
        inputs: 2,
        parameters: &[
            AMPLITUDE,
            ("x_mean", Along),
            ("y_mean", Along),
            ("x_stddev", Along),
            ("y_stddev", Along),
            ("theta", Angle),
        ],
        at: gaussian2d,
        limits: |p| around_2d([p[1], p[2]], ellipse_extents(5.5 * p[3], 5.5 * p[4], p[5])),
        ..DEFAULT
    },
    Definition {
        name: "lorentz1d",
        parameters: &[AMPLITUDE, X_0, ("fwhm", Along)],
        at: |p, v| {
            let (half, x) = (p[2] / 2.0, v[0] - p[1]);
            p[0] * (half * half) / (x * x + half * half)
        },
        limits: |p| around(p[1], 25.0 * p[2]),
        ..DEFAULT
    },
    Definition {
        name: "voigt1d",
        parameters: &[X_0, ("amplitude_L", Value), ("fwhm_L", Along), ("fwhm_G", Along)],
        at: voigt,
        ..DEFAULT
    },
    Definition {
        name: "moffat1d",
        parameters: &[AMPLITUDE, X_0, ("gamma", Along), ("alpha", Plain)],
        at: |p, v| p[0] * (1.0 + ((v[0] - p[1]) / p[2]).powi(2)).powf(-p[3]),
        ..DEFAULT
    },
    Definition {
        name: "moffat2d",
        inputs: 2,
        parameters: &[AMPLITUDE, X_0, Y_0, ("gamma", Along), ("alpha", Plain)],
        at: |p, v| {
            let squared = ((v[0] - p[1]).powi(2) + (v[1] - p[2]).powi(2)) / (p[3] * p[3]);
            p[0] * (1.0 + squared).powf(-p[4])
        },
        ..DEFAULT
    },
    Definition {
        name: "sersic1d",
        parameters: &[AMPLITUDE, ("r_eff", Along), ("n", Plain)],
        at: |p, v| p[0] * (-p[3] * ((v[0] / p[1]).powf(1.0 / p[2]) - 1.0)).exp(),
        ..DEFAULT
    },
    Definition {
        name: "sersic2d",
        inputs: 2,
        parameters: &[AMPLITUDE, ("r_eff", Along), ("n", Plain), X_0, Y_0, ("ellip", Plain), ("theta", Angle)],
        at: sersic2d,
        ..DEFAULT
    },
    Definition {
        name: "king_projected_analytic1d",
        parameters: &[AMPLITUDE, ("r_core", Along), ("r_tide", Along)],
        at: king,
        limits: |p| Some(vec![[0.0, p[2]]]),
        ..DEFAULT
    },
    Definition {
        name: "plummer1d",
        parameters: &[("mass", Value), ("r_plum", Along)],
        at: |p, v| {
            let ratio = v[0] / p[1];
            3.0 * p[0] / (4.0 * PI * p[1] * p[1] * p[1]) * (1.0 + ratio * ratio).powf(-2.5)
        },
        ..DEFAULT
    },
    Definition {
        name: "drude1d",
        parameters: &[AMPLITUDE, X_0, ("fwhm", Along)],
        at: |p, v| {
            let width = (p[2] / p[1]).powi(2);
            p[0] * width / ((v[0] / p[1] - p[1] / v[0]).powi(2) + width)
        },
        limits: |p| around(p[1], 50.0 * p[2]),
        ..DEFAULT
    },
    Definition {
        name: "ricker_wavelet1d",
        parameters: &[AMPLITUDE, X_0, ("sigma", Along)],
        at: |p, v| {
            let u = (v[0] - p[1]).powi(2) / (2.0 * p[2] * p[2]);
            p[0] * (1.0 - 2.0 * u) * (-u).exp()
        },
        limits: |p| around(p[1], 10.0 * p[2]),
        ..DEFAULT
    },
    Definition {
        name: "ricker_wavelet2d",
        inputs: 2,
        parameters: &[AMPLITUDE, X_0, Y_0, ("sigma", Along)],
        at: |p, v| {
            let u = ((v[0] - p[1]).powi(2) + (v[1] - p[2]).powi(2)) / (2.0 * p[3] * p[3]);
            p[0] * (1.0 - u) * (-u).exp()
        },
        ..DEFAULT
    },
    Definition {
        name: "airy_disk2d",
        inputs: 2,
        parameters: &[AMPLITUDE, X_0, Y_0, ("radius", Along)],
        at: airy_disk,
        ..DEFAULT
    },
    Definition {
        name: "box1d",
        parameters: &[AMPLITUDE, X_0, ("width", Along)],
        at: |p, v| inside(v[0] >= p[1] - p[2] / 2.0 && v[0] <= p[1] + p[2] / 2.0, p[0]),
        limits: |p| around(p[1], p[2] / 2.0),
        ..DEFAULT
    },
    Definition {
        name: "box2d",
        inputs: 2,
        parameters: &[AMPLITUDE, X_0, ("x_width", Along), Y_0, ("y_width", Along)],
        at: |p, v| {
            let x = v[0] >= p[1] - p[2] / 2.0 && v[0] <= p[1] + p[2] / 2.0;
            let y = v[1] >= p[3] - p[4] / 2.0 && v[1] <= p[3] + p[4] / 2.0;
            inside(x && y, p[0])
        },
        limits: |p| around_2d([p[1], p[3]], [p[2] / 2.0, p[4] / 2.0]),
        ..DEFAULT
    },
    Definition {
        name: "trapezoid1d",
        parameters: &[AMPLITUDE, X_0, ("width", Along), ("slope", Plain)],
        at: trapezoid,
        limits: |p| around(p[1], p[2] / 2.0 + p[0] / p[3]),
        ..DEFAULT
    },
    Definition {
        name: "trapezoid_disk2d",
        inputs: 2,
        parameters: &[AMPLITUDE, X_0, Y_0, ("R_0", Along), ("slope", Plain)],
        at: trapezoid_disk,
        limits: |p| around_2d([p[1], p[2]], [p[3] + p[0] / p[4]; 2]),
        ..DEFAULT
    },
    Definition {
        name: "disk2d",
        inputs: 2,
        parameters: &[AMPLITUDE, X_0, Y_0, ("R_0", Along)],
        at: |p, v| inside((v[0] - p[1]).powi(2) + (v[1] - p[2]).powi(2) <= p[3] * p[3], p[0]),
        limits: |p| around_2d([p[1], p[2]], [p[3]; 2]),
        ..DEFAULT
    },
    Definition {
        name: "ring2d",
        inputs: 2,
        parameters: &[AMPLITUDE, X_0, Y_0, ("r_in", Along), ("width", Along)],
        at: |p, v| {
            let squared = (v[0] - p[1]).powi(2) + (v[1] - p[2]).powi(2);
            inside(squared >= p[3] * p[3] && squared <= (p[3] + p[4]).powi(2), p[0])
        },
        limits: |p| around_2d([p[1], p[2]], [p[3] + p[4]; 2]),
        ..DEFAULT
    },
    Definition {
        name: "ellipse2d",
        inputs: 2,
        parameters: &[AMPLITUDE, X_0, Y_0, ("a", Along), ("b", Along), ("theta", Angle)],
        at: |p, v| {
            let [u, w] = turned(v[0] - p[1], v[1] - p[2], p[5]);
            inside((u / p[3]).powi(2) + (w / p[4]).powi(2) <= 1.0, p[0])
        },
        limits: |p| around_2d([p[1], p[2]], ellipse_extents(p[3], p[4], p[5])),
        ..DEFAULT
    },
    Definition {
        name: "sine1d",
        parameters: WAVE,
        at: |p, v| p[0] * (2.0 * PI * (p[1] * v[0] + p[2])).sin(),
        inverse: Some(("arcsine1d", same)),
        ..DEFAULT
    },
    Definition {
        name: "cosine1d",
        parameters: WAVE,
        at: |p, v| p[0] * (2.0 * PI * (p[1] * v[0] + p[2])).cos(),
        inverse: Some(("arccosine1d", same)),
        ..DEFAULT
    },
    Definition {
        name: "tangent1d",
        parameters: WAVE,
        at: |p, v| p[0] * (2.0 * PI * (p[1] * v[0] + p[2])).tan(),
        limits: |p| Some(vec![[(-0.25 - p[2]) / p[1], (0.25 - p[2]) / p[1]]]),
        inverse: Some(("arctangent1d", same)),
        ..DEFAULT
    },
    Definition {
        name: "arcsine1d",
        parameters: ARC,
        at: |p, v| ((v[0] / p[0]).asin() / (2.0 * PI) - p[2]) / p[1],
        limits: |p| Some(vec![[-p[0], p[0]]]),
        inverse: Some(("sine1d", same)),
        ..DEFAULT
    },
    Definition {
        name: "arccosine1d",
        parameters: ARC,
        at: |p, v| ((v[0] / p[0]).acos() / (2.0 * PI) - p[2]) / p[1],
        limits: |p| Some(vec![[-p[0], p[0]]]),
        inverse: Some(("cosine1d", same)),
        ..DEFAULT
    },
    Definition {
        name: "arctangent1d",
        parameters: ARC,
        at: |p, v| ((v[0] / p[0]).atan() / (2.0 * PI) - p[2]) / p[1],
        inverse: Some(("tangent1d", same)),
        ..DEFAULT
    },
    Definition {
        name: "exponential1d",
        parameters: &[AMPLITUDE, ("tau", Along)],
        at: |p, v| p[0] * (v[0] / p[1]).exp(),
        inverse: Some(("logarithmic1d", swapped)),
        ..DEFAULT
    },
    Definition {
        name: "logarithmic1d",
        parameters: &[AMPLITUDE, ("tau", Along)],
        at: |p, v| p[0] * (v[0] / p[1]).ln(),
        inverse: Some(("exponential1d", swapped)),
        ..DEFAULT
    },
    Definition {
        name: "power_law1d",
        parameters: &[AMPLITUDE, X_0, ("alpha", Plain)],
        at: |p, v| p[0] * (v[0] / p[1]).powf(-p[2]),
        ..DEFAULT
    },
    Definition {
        name: "broken_power_law1d",
        parameters: &[AMPLITUDE, ("x_break", Along), ("alpha_1", Plain), ("alpha_2", Plain)],
        at: |p, v| p[0] * (v[0] / p[1]).powf(-if v[0] < p[1] { p[2] } else { p[3] }),
        ..DEFAULT
    },
    Definition {
        name: "smoothly_broken_power_law1d",
        parameters: &[AMPLITUDE, ("x_break", Along), ("alpha_1", Plain), ("alpha_2", Plain), ("delta", Plain)],
        at: smoothly_broken,
        ..DEFAULT
    },
    Definition {
        name: "exponential_cutoff_power_law1d",
        parameters: &[AMPLITUDE, X_0, ("alpha", Plain), ("x_cutoff", Along)],
        at: |p, v| p[0] * (v[0] / p[1]).powf(-p[2]) * (-v[0] / p[3]).exp(),
        ..DEFAULT
    },
    Definition {
        name: "log_parabola1d",
        parameters: &[AMPLITUDE, X_0, ("alpha", Plain), ("beta", Plain)],
        at: |p, v| {
            let x = v[0] / p[1];
            p[0] * x.powf(-p[2] - p[3] * x.ln())
        },
        ..DEFAULT
    },
    Definition {
        name: "schechter1d",
        parameters: &[("phi_star", Value), ("m_star", Along), ("alpha", Plain)],
        at: |p, v| {
            let flux = 10f64.powf(-0.4 * (v[0] - p[1]));
            0.4 * LN_10 * p[0] * flux.powf(p[2] + 1.0) * (-flux).exp()
        },
        ..DEFAULT
    },
    Definition { name: "blackbody", parameters: &[("scale", Plain), ("temperature", Plain)], at: blackbody, ..DEFAULT },
];
