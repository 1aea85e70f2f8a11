//! Conic projections (CG 5.4). They differ in the relation between latitude and radius.

use super::{DEGREE, NOWHERE, Project, R, argd, asind, atand, cosd, sind, tand};

/// Kind of a conic projection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Conic {
    /// Perspective, COP (CG 5.4.1).
    Perspective,
    /// Equal area, COE (CG 5.4.2).
    EqualArea,
    /// Equidistant, COD (CG 5.4.3).
    Equidistant,
    /// Orthomorphic, COO (CG 5.4.4).
    Orthomorphic,
}

/// A conic projection with its constants.
#[derive(Clone, Debug)]
pub(super) struct Cone {
    kind: Conic,
    /// Mean of the standard parallels.
    sigma: f64,
    /// Ratio of the angle at the apex to the longitude.
    ratio: f64,
    /// Distance of the apex from the origin.
    apex: f64,
    /// Radius or cosine that the kind needs.
    scale: f64,
    /// Product of the sines of the standard parallels, for equal areas.
    product: f64,
}

impl Cone {
    /// Fails if the standard parallels define no cone; tells the parameter.
    pub(super) fn new(kind: Conic, sigma: f64, delta: f64) -> Result<Cone, &'static str> {
        let (theta1, theta2) = (sigma - delta, sigma + delta);
        let mut cone = Cone { kind, sigma, ratio: sind(sigma), apex: 0.0, scale: 0.0, product: 0.0 };
        match kind {
            Conic::Perspective => {
                if cone.ratio == 0.0 {
                    return Err("sigma");
                }
                cone.scale = R * cosd(delta);
                if cosd(delta) == 0.0 {
                    return Err("delta");
                }
                cone.apex = cone.scale * cosd(sigma) / sind(sigma);
            }
            Conic::EqualArea => {
                cone.ratio = (sind(theta1) + sind(theta2)) / 2.0;
                if cone.ratio == 0.0 {
                    return Err("sigma");
                }
                cone.product = 1.0 + sind(theta1) * sind(theta2);
                cone.apex = cone.equal_area_radius(sigma);
            }
            Conic::Equidistant => {
                if delta == 0.0 {
                    cone.apex = R * cosd(sigma) / sind(sigma);
                } else {
                    cone.ratio = R * sind(sigma) * sind(delta) / delta;
                    cone.apex = R * cosd(delta) * cosd(sigma) / cone.ratio;
                }
                if cone.ratio == 0.0 {
                    return Err("sigma");
                }
            }
            Conic::Orthomorphic => {
                let half = |theta: f64| tand((90.0 - theta) / 2.0);
                if theta1 != theta2 {
                    cone.ratio = (cosd(theta2) / cosd(theta1)).ln() / (half(theta2) / half(theta1)).ln();
                } else {
                    cone.ratio = sind(theta1);
                }
                if cone.ratio == 0.0 || cone.ratio.is_nan() {
                    return Err("sigma");
                }
                cone.scale = R * cosd(theta1) / (cone.ratio * half(theta1).powf(cone.ratio));
                if cone.scale == 0.0 {
                    return Err("sigma");
                }
                cone.apex = cone.scale * half(sigma).powf(cone.ratio);
            }
        }
        Ok(cone)
    }

    fn equal_area_radius(&self, theta: f64) -> f64 {
        let squared = if theta == -90.0 {
            self.product + 2.0 * self.ratio
        } else {
            self.product - 2.0 * self.ratio * sind(theta)
        };
        R / self.ratio * squared.sqrt()
    }

    /// Returns the radius at a latitude.
    fn radius(&self, theta: f64) -> Option<f64> {
        Some(match self.kind {
            Conic::Perspective => {
                let from = theta - self.sigma;
                if from.abs() == 90.0 {
                    return None;
                }
                if theta.abs() == 90.0 {
                    // The pole at the apex; the other one has no image.
                    return ((theta < 0.0) == (self.ratio < 0.0)).then_some(0.0);
                }
                let radius = self.apex - self.scale * tand(from);
                if radius * self.ratio < 0.0 {
                    return None;
                }
                radius
            }
            Conic::EqualArea => self.equal_area_radius(theta),
            Conic::Equidistant => self.apex + (self.sigma - theta),
            Conic::Orthomorphic => {
                if theta == -90.0 {
                    return (self.ratio < 0.0).then_some(0.0);
                }
                self.scale * tand((90.0 - theta) / 2.0).powf(self.ratio)
            }
        })
    }

    /// Returns the latitude at a radius.
    fn latitude(&self, radius: f64) -> Option<f64> {
        Some(match self.kind {
            Conic::Perspective => self.sigma + atand(cosd(self.sigma) / sind(self.sigma) - radius / self.scale),
            Conic::EqualArea => {
                if (radius - self.equal_area_radius(-90.0)).abs() < 1e-12 {
                    return Some(-90.0);
                }
                let sine = (self.product - (radius * self.ratio / R).powi(2)) / (2.0 * self.ratio);
                if sine.abs() > 1.0 {
                    return ((sine.abs() - 1.0) < 1e-12).then_some(90f64.copysign(sine));
                }
                asind(sine)
            }
            Conic::Equidistant => self.apex + self.sigma - radius,
            Conic::Orthomorphic => {
                if radius == 0.0 {
                    return (self.ratio > 0.0).then_some(90.0).or(Some(-90.0));
                }
                90.0 - 2.0 * atand((radius / self.scale).powf(1.0 / self.ratio))
            }
        })
    }
}

impl Project for Cone {
    fn sky(&self, x: f64, y: f64) -> [f64; 2] {
        let d = self.apex - y;
        let length = (x * x + d * d).sqrt();
        let radius = if self.sigma < 0.0 { -length } else { length };
        let angle = if radius == 0.0 { 0.0 } else { argd(d / radius, x / radius) };
        match self.latitude(radius) {
            Some(theta) => [angle / self.ratio, theta],
            None => NOWHERE,
        }
    }

    fn plane(&self, phi: f64, theta: f64) -> [f64; 2] {
        let Some(radius) = self.radius(theta) else { return NOWHERE };
        let (sine, cosine) = (self.ratio * phi * DEGREE).sin_cos();
        [radius * sine, self.apex - radius * cosine]
    }
}
