//! Sine, cosine and the angle of a direction for several points at once, without branches, so that the compiler makes
//! vector instructions of them. Angles are in degrees.
//!
//! Sine and cosine are those of fdlibm (Sun Microsystems, 1993) after an exact reduction to −45° … 45°, and are within one
//! unit of the last place. The arc tangent is that of Cephes (S. L. Moshier, 1989), within 2.5 units.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

/// Number of points that are computed at once.
pub(super) const LANES: usize = 8;

/// Values of some points.
pub(super) type Lanes = [f64; LANES];

/// Adding and subtracting this rounds a number below 2^51 to an integer.
const TO_INTEGER: f64 = 6_755_399_441_055_744.0;

/// The part of π/180 that is not in its nearest number.
const DEGREE_REST: f64 = 2.948_652_270_870_168_7e-19;

/// Returns a product and its rounding error, from halves of 26 bits (T. J. Dekker, 1971).
#[inline(always)]
fn product(a: f64, b: f64) -> (f64, f64) {
    let upper = |value: f64| f64::from_bits(value.to_bits() & !0x7ff_ffff);
    let (a_high, b_high) = (upper(a), upper(b));
    let (a_low, b_low) = (a - a_high, b - b_high);
    let result = a * b;
    (result, ((a_high * b_high - result) + a_high * b_low + a_low * b_high) + a_low * b_low)
}

/// Returns sine and cosine of angles in degrees, below 10^13 in size.
#[inline(always)]
pub(super) fn sine_cosine(degrees: &Lanes) -> (Lanes, Lanes) {
    let (mut sines, mut cosines) = ([0.0; LANES], [0.0; LANES]);
    for lane in 0..LANES {
        let turns = degrees[lane] * (1.0 / 90.0);
        let shifted = turns + TO_INTEGER;
        let quarter = shifted - TO_INTEGER;
        let reduced = degrees[lane] - quarter * 90.0;
        let (x, error) = product(reduced, PI / 180.0);
        let rest = error + reduced * DEGREE_REST;
        let (sine, cosine) = (sine_of(x, rest), cosine_of(x, rest));
        // The last two bits of the shifted number are those of the number of quarters.
        let bits = shifted.to_bits();
        let (s, c) = if bits & 1 == 0 { (sine, cosine) } else { (cosine, sine) };
        sines[lane] = if bits & 2 == 0 { s } else { -s };
        cosines[lane] = if bits.wrapping_add(1) & 2 == 0 { c } else { -c };
    }
    (sines, cosines)
}

/// Returns the sine of the sum of an angle in radians of at most π/4 and a rest.
#[inline(always)]
fn sine_of(x: f64, rest: f64) -> f64 {
    const S: [f64; 6] = [
        -1.666_666_666_666_663_2e-1,
        8.333_333_333_322_489e-3,
        -1.984_126_982_985_795e-4,
        2.755_731_370_707_006_8e-6,
        -2.505_076_025_340_686_3e-8,
        1.589_690_995_211_550_1e-10,
    ];
    let z = x * x;
    let r = S[1] + z * (S[2] + z * (S[3] + z * (S[4] + z * S[5])));
    x + (z * x * (S[0] + z * r) + rest * (1.0 - 0.5 * z))
}

/// Returns the cosine of the sum of an angle in radians of at most π/4 and a rest.
#[inline(always)]
fn cosine_of(x: f64, rest: f64) -> f64 {
    const C: [f64; 6] = [
        4.166_666_666_666_660_2e-2,
        -1.388_888_888_887_411e-3,
        2.480_158_728_947_673e-5,
        -2.755_731_435_139_066_3e-7,
        2.087_572_321_298_175e-9,
        -1.135_964_755_778_819_5e-11,
    ];
    let z = x * x;
    let r = z * (C[0] + z * (C[1] + z * (C[2] + z * (C[3] + z * (C[4] + z * C[5])))));
    let half = 0.5 * z;
    let w = 1.0 - half;
    w + (((1.0 - w) - half) + (z * r - x * rest))
}

/// Returns the angles of the directions (x, y) in degrees, 0 for (0, 0). Coordinates are finite or NaN.
#[inline(always)]
pub(super) fn angle(y: &Lanes, x: &Lanes) -> Lanes {
    let mut angles = [0.0; LANES];
    for lane in 0..LANES {
        let (x_size, y_size) = (x[lane].abs(), y[lane].abs());
        let is_steep = y_size > x_size;
        // NaN in one of them gets into the quotient.
        let (low, high) = if is_steep { (x_size, y_size) } else { (y_size, x_size) };
        let is_middle = low > 0.414_213_562_373_095_03 * high;
        let (above, below) = if is_middle { (low - high, low + high) } else { (low, high) };
        let below = if below == 0.0 { 1.0 } else { below };
        let small = arc_tangent(above / below);
        let first = if is_middle { FRAC_PI_4 + (small + 3.061_616_997_868_383e-17) } else { small };
        let second = if is_steep { FRAC_PI_2 - (first - 6.123_233_995_736_766e-17) } else { first };
        let third = if x[lane].is_sign_negative() { PI - (second - 1.224_646_799_147_353_2e-16) } else { second };
        angles[lane] = third.copysign(y[lane]) * (180.0 / PI);
    }
    angles
}

/// Returns the arc tangent of a number of at most 0.66 in size.
#[inline(always)]
fn arc_tangent(x: f64) -> f64 {
    const P: [f64; 5] = [
        -8.750_608_600_031_904e-1,
        -1.615_753_718_733_365_2e1,
        -7.500_855_792_314_705e1,
        -1.228_866_684_490_136_1e2,
        -6.485_021_904_942_025e1,
    ];
    const Q: [f64; 5] = [
        2.485_846_490_142_306_4e1,
        1.650_270_098_316_988_6e2,
        4.328_810_604_912_902_5e2,
        4.853_903_996_359_137e2,
        1.945_506_571_482_614e2,
    ];
    let z = x * x;
    let above = (((P[0] * z + P[1]) * z + P[2]) * z + P[3]) * z + P[4];
    let below = ((((z + Q[0]) * z + Q[1]) * z + Q[2]) * z + Q[3]) * z + Q[4];
    x + x * (z * (above / below))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the difference in units of the last place of the wanted value.
    fn units(is: f64, wanted: f64) -> f64 {
        (is - wanted).abs() / (wanted.abs() * f64::EPSILON).max(1e-300)
    }

    #[test]
    fn sines_and_cosines_are_exact_to_the_last_place() {
        let mut worst: f64 = 0.0;
        for block in 0..8000 {
            let degrees: Lanes = std::array::from_fn(|lane| f64::from(block * 8 + lane as i32) * 0.02251 - 720.0);
            let (sines, cosines) = sine_cosine(&degrees);
            for lane in 0..LANES {
                // The standard library, for the angle reduced and converted exactly.
                let quarters = (degrees[lane] / 90.0).round();
                let reduced = degrees[lane] - quarters * 90.0;
                let x = reduced * (PI / 180.0);
                let rest = reduced.mul_add(PI / 180.0, -x) + reduced * DEGREE_REST;
                let (s, c) = x.sin_cos();
                let (s, c) = (s + rest * c, c - rest * s);
                let (s, c) = match quarters.rem_euclid(4.0) as i32 {
                    0 => (s, c),
                    1 => (c, -s),
                    2 => (-s, -c),
                    _ => (-c, s),
                };
                worst = worst.max(units(sines[lane], s)).max(units(cosines[lane], c));
            }
        }
        assert!(worst <= 1.0, "{worst}");
        let (sines, cosines) = sine_cosine(&[90.0; LANES]);
        assert_eq!((sines[0], cosines[0].abs()), (1.0, 0.0));
        assert!(sine_cosine(&[f64::NAN; LANES]).0[0].is_nan() && sine_cosine(&[f64::INFINITY; LANES]).1[0].is_nan());
    }

    #[test]
    fn angles_are_exact_to_the_last_places() {
        let mut worst: f64 = 0.0;
        for block in 0..8000 {
            let turn = |lane: usize| f64::from(block * 8 + lane as i32) * 1e-4;
            let (x, y) = (std::array::from_fn(|lane| turn(lane).cos()), std::array::from_fn(|lane| turn(lane).sin()));
            for (lane, angle) in angle(&y, &x).into_iter().enumerate() {
                worst = worst.max(units(angle, y[lane].atan2(x[lane]) * (180.0 / PI)));
            }
        }
        assert!(worst <= 2.5, "{worst}");
        let at = |y: f64, x: f64| angle(&[y; LANES], &[x; LANES])[0];
        assert_eq!((at(0.0, 0.0), at(1.0, 0.0), at(0.0, -1.0), at(-1.0, 0.0)), (0.0, 90.0, 180.0, -90.0));
        assert_eq!((at(1.0, 1.0), at(-0.0, -1.0)), (45.0, -180.0));
        assert!(at(f64::NAN, 1.0).is_nan() && at(1.0, f64::NAN).is_nan());
    }
}
