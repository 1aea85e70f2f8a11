//! The functions of `math_functions`, with the meaning that numpy gives to them.

use super::{Kernel, Point, each};
use std::sync::Arc;

/// A function of one number.
#[derive(Debug)]
struct Unary(fn(f64) -> f64);

impl Point<1, 1> for Unary {
    fn at(&self, [x]: [f64; 1]) -> [f64; 1] {
        [(self.0)(x)]
    }
}

/// A function of two numbers.
#[derive(Debug)]
struct Binary(fn(f64, f64) -> f64);

impl Point<2, 1> for Binary {
    fn at(&self, [a, b]: [f64; 2]) -> [f64; 1] {
        [(self.0)(a, b)]
    }
}

/// Quotient and remainder.
#[derive(Debug)]
struct DivMod;

impl Point<2, 2> for DivMod {
    fn at(&self, [a, b]: [f64; 2]) -> [f64; 2] {
        [floor_divide(a, b), remainder(a, b)]
    }
}

/// Returns the function with this name.
pub(in crate::wcs) fn named(name: &str) -> Option<Arc<dyn Kernel>> {
    if let Some(function) = unary(name) {
        return Some(each(Unary(function)));
    }
    if name == "divmod" {
        return Some(each(DivMod));
    }
    Some(each(Binary(binary(name)?)))
}

fn unary(name: &str) -> Option<fn(f64) -> f64> {
    Some(match name {
        "sin" => f64::sin,
        "cos" => f64::cos,
        "tan" => f64::tan,
        "arcsin" => f64::asin,
        "arccos" => f64::acos,
        "arctan" => f64::atan,
        "sinh" => f64::sinh,
        "cosh" => f64::cosh,
        "tanh" => f64::tanh,
        "arcsinh" => libm::asinh,
        "arccosh" => libm::acosh,
        "arctanh" => libm::atanh,
        "deg2rad" => |x| x * (std::f64::consts::PI / 180.0),
        "rad2deg" => |x| x * (180.0 / std::f64::consts::PI),
        "negative" => |x| -x,
        "positive" => |x| x,
        "absolute" | "fabs" => f64::abs,
        "rint" => f64::round_ties_even,
        "exp" => f64::exp,
        "exp2" => f64::exp2,
        "log" => f64::ln,
        "log2" => f64::log2,
        "log10" => f64::log10,
        "expm1" => f64::exp_m1,
        "log1p" => f64::ln_1p,
        "sqrt" => f64::sqrt,
        "square" => |x| x * x,
        "cbrt" => f64::cbrt,
        "reciprocal" => |x| 1.0 / x,
        _ => return None,
    })
}

fn binary(name: &str) -> Option<fn(f64, f64) -> f64> {
    Some(match name {
        "arctan2" => f64::atan2,
        "hypot" => f64::hypot,
        "add" => |a, b| a + b,
        "subtract" => |a, b| a - b,
        "multiply" => |a, b| a * b,
        "divide" | "true_divide" => |a, b| a / b,
        "power" => f64::powf,
        "logaddexp" => |a, b| log_add(a, b, std::f64::consts::LN_2, f64::exp, f64::ln_1p),
        "logaddexp2" => |a, b| log_add(a, b, 1.0, f64::exp2, |x| x.ln_1p() * std::f64::consts::LOG2_E),
        "floor_divide" => floor_divide,
        "remainder" | "mod" => remainder,
        "fmod" => |a, b| a % b,
        _ => return None,
    })
}

/// Returns the logarithm of the sum of two powers. `doubled` is the logarithm of two.
fn log_add(a: f64, b: f64, doubled: f64, power: fn(f64) -> f64, log_of_one_plus: fn(f64) -> f64) -> f64 {
    if a == b {
        return a + doubled;
    }
    let difference = a - b;
    if difference > 0.0 {
        a + log_of_one_plus(power(-difference))
    } else if difference <= 0.0 {
        b + log_of_one_plus(power(difference))
    } else {
        f64::NAN
    }
}

/// Returns the remainder with the sign of the divisor.
fn remainder(a: f64, b: f64) -> f64 {
    let rest = a % b;
    if b == 0.0 || rest.is_nan() {
        return f64::NAN;
    }
    if rest == 0.0 {
        return 0f64.copysign(b);
    }
    if (rest < 0.0) != (b < 0.0) { rest + b } else { rest }
}

fn floor_divide(a: f64, b: f64) -> f64 {
    if b == 0.0 {
        return a / b;
    }
    // The remainder before its sign of zero is set, as numpy divides by it.
    let mut rest = a % b;
    if rest.is_nan() {
        return f64::NAN;
    }
    let mut quotient = (a - rest) / b;
    if rest != 0.0 && (rest < 0.0) != (b < 0.0) {
        rest += b;
        quotient -= 1.0;
    }
    let _ = rest;
    if quotient == 0.0 {
        return 0f64.copysign(a / b);
    }
    let floor = quotient.floor();
    if quotient - floor > 0.5 { floor + 1.0 } else { floor }
}
