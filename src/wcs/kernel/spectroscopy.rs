//! Gratings, refraction and refractive indices, as gwcs defines them.

use super::Point;

/// Wavelength from the sines of the directions before and after a grating.
#[derive(Debug)]
pub(in crate::wcs) struct GratingWavelength {
    /// Product of groove density and order.
    pub(in crate::wcs) density: f64,
}

impl Point<2, 1> for GratingWavelength {
    fn at(&self, [a, b]: [f64; 2]) -> [f64; 1] {
        [(a + b) / self.density]
    }
}

/// Direction behind a grating from wavelength and the direction before it.
#[derive(Debug)]
pub(in crate::wcs) struct GratingAngle {
    pub(in crate::wcs) density: f64,
}

impl Point<3, 3> for GratingAngle {
    fn at(&self, [wavelength, alpha, beta]: [f64; 3]) -> [f64; 3] {
        let (a, b) = (-self.density * wavelength + alpha, -beta);
        [a, b, (1.0 - a * a - b * b).sqrt()]
    }
}

/// Refraction at a plane.
#[derive(Debug)]
pub(in crate::wcs) struct Snell3d;

impl Point<4, 3> for Snell3d {
    fn at(&self, [n, alpha, beta, _]: [f64; 4]) -> [f64; 3] {
        let (a, b) = (alpha / n, beta / n);
        [a, b, (1.0 - a * a - b * b).sqrt()]
    }
}

/// Sellmeier's formula: refractive index of a glass for a wavelength in µm.
#[derive(Clone, Debug)]
pub(in crate::wcs) struct Sellmeier {
    pub(in crate::wcs) b: [f64; 3],
    pub(in crate::wcs) c: [f64; 3],
}

impl Sellmeier {
    pub(in crate::wcs) fn index(&self, wavelength: f64) -> f64 {
        let squared = wavelength * wavelength;
        let sum: f64 = self.b.iter().zip(&self.c).map(|(b, c)| b * squared / (squared - c)).sum();
        (1.0 + sum).sqrt()
    }
}

impl Point<1, 1> for Sellmeier {
    fn at(&self, [wavelength]: [f64; 1]) -> [f64; 1] {
        [self.index(wavelength)]
    }
}

/// Refractive index of a glass at a temperature and a pressure, with the formula of the program Zemax.
#[derive(Clone, Debug)]
pub(in crate::wcs) struct Zemax {
    pub(in crate::wcs) glass: Sellmeier,
    pub(in crate::wcs) d: [f64; 3],
    pub(in crate::wcs) e: [f64; 3],
    /// Kelvin.
    pub(in crate::wcs) temperature: f64,
    pub(in crate::wcs) ref_temperature: f64,
    /// Atmospheres.
    pub(in crate::wcs) pressure: f64,
    pub(in crate::wcs) ref_pressure: f64,
}

impl Zemax {
    pub(in crate::wcs) fn index(&self, wavelength: f64) -> f64 {
        const ZERO: f64 = 273.15;
        let (celsius, reference) = (self.temperature - ZERO, self.ref_temperature - ZERO);
        let delta = celsius - reference;
        let squared = wavelength * wavelength;
        let air = 1.0
            + 1e-8
                * (6432.8 + 2949810.0 * squared / (146.0 * squared - 1.0) + 5540.0 * squared / (41.0 * squared - 1.0));
        let at = |pressure: f64, celsius: f64| 1.0 + (air - 1.0) * pressure / (1.0 + (celsius - 15.0) * 3.4785e-3);
        let observed = at(self.pressure, celsius);
        let measured = at(self.ref_pressure, reference);
        let relative = wavelength * observed / measured;
        let n = self.glass.index(relative);
        let [d0, d1, d2] = self.d;
        let [e0, e1, e2] = self.e;
        let change = d0 * delta
            + d1 * delta * delta
            + d2 * delta * delta * delta
            + (e0 * delta + e1 * delta * delta) / (relative * relative - e2 * e2);
        let change = 0.5 * (n * n - 1.0) / n * change;
        (n * measured + change) / observed
    }
}

impl Point<1, 1> for Zemax {
    fn at(&self, [wavelength]: [f64; 1]) -> [f64; 1] {
        [self.index(wavelength)]
    }
}
