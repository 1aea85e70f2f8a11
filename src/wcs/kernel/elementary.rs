//! Shift, scale, affine maps, constants, and the elementwise arithmetic of compounds.

use super::{Each, Inputs, Inverse, Kernel, OutOfDomain, Point};

/// x + offset.
#[derive(Clone, Debug)]
pub(in crate::wcs) struct Shift(pub(in crate::wcs) f64);

impl Point<1, 1> for Shift {
    const IS_SHORT: bool = true;

    #[inline(always)]
    fn at(&self, [x]: [f64; 1]) -> [f64; 1] {
        [x + self.0]
    }

    fn slopes(&self, _: [f64; 1]) -> Option<[[f64; 1]; 1]> {
        Some([[1.0]])
    }

    fn inverse(&self) -> Inverse {
        Inverse::of(Each(Shift(-self.0)))
    }
}

/// factor · x.
#[derive(Clone, Debug)]
pub(in crate::wcs) struct Scale(pub(in crate::wcs) f64);

impl Point<1, 1> for Scale {
    const IS_SHORT: bool = true;

    #[inline(always)]
    fn at(&self, [x]: [f64; 1]) -> [f64; 1] {
        [self.0 * x]
    }

    fn slopes(&self, _: [f64; 1]) -> Option<[[f64; 1]; 1]> {
        Some([[self.0]])
    }

    fn inverse(&self) -> Inverse {
        Inverse::of(Each(Scale(1.0 / self.0)))
    }
}

/// (1 + z) · x.
#[derive(Clone, Debug)]
pub(in crate::wcs) struct Redshift(pub(in crate::wcs) f64);

impl Point<1, 1> for Redshift {
    const IS_SHORT: bool = true;

    #[inline(always)]
    fn at(&self, [x]: [f64; 1]) -> [f64; 1] {
        [(1.0 + self.0) * x]
    }

    fn slopes(&self, _: [f64; 1]) -> Option<[[f64; 1]; 1]> {
        Some([[1.0 + self.0]])
    }

    fn inverse(&self) -> Inverse {
        Inverse::of(Each(Redshift(1.0 / (1.0 + self.0) - 1.0)))
    }
}

/// slope · x + intercept.
#[derive(Clone, Debug)]
pub(in crate::wcs) struct Linear {
    pub(in crate::wcs) slope: f64,
    pub(in crate::wcs) intercept: f64,
}

impl Point<1, 1> for Linear {
    const IS_SHORT: bool = true;

    #[inline(always)]
    fn at(&self, [x]: [f64; 1]) -> [f64; 1] {
        [self.slope * x + self.intercept]
    }

    fn slopes(&self, _: [f64; 1]) -> Option<[[f64; 1]; 1]> {
        Some([[self.slope]])
    }

    fn inverse(&self) -> Inverse {
        let slope = 1.0 / self.slope;
        Inverse::of(Each(Linear { slope, intercept: -self.intercept / self.slope }))
    }
}

/// slope_x · x + slope_y · y + intercept.
#[derive(Clone, Debug)]
pub(in crate::wcs) struct Planar(pub(in crate::wcs) [f64; 3]);

impl Point<2, 1> for Planar {
    const IS_SHORT: bool = true;

    #[inline(always)]
    fn at(&self, [x, y]: [f64; 2]) -> [f64; 1] {
        let [slope_x, slope_y, intercept] = self.0;
        [slope_x * x + slope_y * y + intercept]
    }

    fn slopes(&self, _: [f64; 2]) -> Option<[[f64; 2]; 1]> {
        Some([[self.0[0], self.0[1]]])
    }
}

/// Plane rotation by an angle in degrees.
#[derive(Clone, Debug)]
pub(in crate::wcs) struct Rotate2d {
    angle: f64,
    sine: f64,
    cosine: f64,
}

impl Rotate2d {
    pub(in crate::wcs) fn new(angle: f64) -> Rotate2d {
        let (sine, cosine) = angle.to_radians().sin_cos();
        Rotate2d { angle, sine, cosine }
    }
}

impl Point<2, 2> for Rotate2d {
    const IS_SHORT: bool = true;

    #[inline(always)]
    fn at(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [x * self.cosine - y * self.sine, x * self.sine + y * self.cosine]
    }

    fn slopes(&self, _: [f64; 2]) -> Option<[[f64; 2]; 2]> {
        Some([[self.cosine, -self.sine], [self.sine, self.cosine]])
    }

    fn inverse(&self) -> Inverse {
        Inverse::of(Each(Rotate2d::new(-self.angle)))
    }
}

/// Plane matrix and translation.
#[derive(Clone, Debug)]
pub(in crate::wcs) struct Affine {
    pub(in crate::wcs) matrix: [[f64; 2]; 2],
    pub(in crate::wcs) translation: [f64; 2],
}

impl Point<2, 2> for Affine {
    const IS_SHORT: bool = true;

    #[inline(always)]
    fn at(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [[a, b], [c, d]] = self.matrix;
        [a * x + b * y + self.translation[0], c * x + d * y + self.translation[1]]
    }

    fn slopes(&self, _: [f64; 2]) -> Option<[[f64; 2]; 2]> {
        Some(self.matrix)
    }

    fn inverse(&self) -> Inverse {
        let [[a, b], [c, d]] = self.matrix;
        let determinant = a * d - b * c;
        if determinant == 0.0 {
            return Inverse::Singular("matrix");
        }
        let matrix = [[d / determinant, -b / determinant], [-c / determinant, a / determinant]];
        let [u, v] = self.translation;
        let translation = [-(matrix[0][0] * u + matrix[0][1] * v), -(matrix[1][0] * u + matrix[1][1] * v)];
        Inverse::of(Each(Affine { matrix, translation }))
    }
}

/// A number for every point, also where inputs are NaN.
#[derive(Clone, Debug)]
pub(in crate::wcs) struct Constant {
    pub(in crate::wcs) value: f64,
    pub(in crate::wcs) inputs: usize,
}

impl Kernel for Constant {
    fn arity(&self) -> (usize, usize) {
        (self.inputs, 1)
    }

    fn evaluate(&self, inputs: &Inputs, outputs: &mut [Vec<f64>]) -> Result<(), OutOfDomain> {
        for output in outputs {
            output[..inputs.count].fill(self.value);
        }
        Ok(())
    }

    fn slopes(&self, inputs: &Inputs, slopes: &mut [Vec<f64>]) -> bool {
        slopes.iter_mut().for_each(|column| column[..inputs.count].fill(0.0));
        true
    }
}

/// Copies any number of values.
#[derive(Clone, Debug)]
pub(in crate::wcs) struct Copied(pub(in crate::wcs) usize);

impl Kernel for Copied {
    fn arity(&self) -> (usize, usize) {
        (self.0, self.0)
    }

    fn evaluate(&self, inputs: &Inputs, outputs: &mut [Vec<f64>]) -> Result<(), OutOfDomain> {
        for (index, output) in outputs.iter_mut().enumerate() {
            output[..inputs.count].copy_from_slice(inputs.get(index));
        }
        Ok(())
    }

    fn slopes(&self, inputs: &Inputs, slopes: &mut [Vec<f64>]) -> bool {
        for (index, column) in slopes.iter_mut().enumerate() {
            // Output and input of the same index.
            let slope = if index % (self.0 + 1) == 0 { 1.0 } else { 0.0 };
            column[..inputs.count].fill(slope);
        }
        true
    }

    fn dependence(&self) -> Vec<Vec<bool>> {
        (0..self.0).map(|output| (0..self.0).map(|input| input == output).collect()).collect()
    }
}

/// Elementwise operation of a compound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::wcs) enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
}

impl Arithmetic {
    pub(in crate::wcs) fn named(name: &str) -> Option<Arithmetic> {
        Some(match name {
            "add" => Arithmetic::Add,
            "subtract" => Arithmetic::Subtract,
            "multiply" => Arithmetic::Multiply,
            "divide" => Arithmetic::Divide,
            "power" => Arithmetic::Power,
            _ => return None,
        })
    }
}

impl Point<2, 1> for Arithmetic {
    fn at(&self, [a, b]: [f64; 2]) -> [f64; 1] {
        [match self {
            Arithmetic::Add => a + b,
            Arithmetic::Subtract => a - b,
            Arithmetic::Multiply => a * b,
            Arithmetic::Divide => a / b,
            Arithmetic::Power => a.powf(b),
        }]
    }

    fn slopes(&self, [a, b]: [f64; 2]) -> Option<[[f64; 2]; 1]> {
        Some([match self {
            Arithmetic::Add => [1.0, 1.0],
            Arithmetic::Subtract => [1.0, -1.0],
            Arithmetic::Multiply => [b, a],
            Arithmetic::Divide => [1.0 / b, -a / (b * b)],
            Arithmetic::Power => {
                // A negative base has powers with whole exponents alone, which do not vary.
                let by_exponent = if a > 0.0 { a.powf(b) * a.ln() } else { 0.0 };
                [b * a.powf(b - 1.0), by_exponent]
            }
        }])
    }
}
