//! Polynomials.

use super::fields::{Fields, Numbers, items, numbers};
use super::made::Made;
use crate::error::Result;
use crate::wcs::kernel::polynomial::{Family, Polynomial1d, Polynomial2d, Rescale, Series};
use std::sync::Arc;

/// Largest number of coefficients along an input.
const MAX_TERMS: usize = 4096;

fn coefficients(fields: &Fields) -> Result<Numbers> {
    let numbers = fields.required_numbers("coefficients")?;
    if !(1..=2).contains(&numbers.shape.len()) || numbers.values.is_empty() {
        return fields.misshapen("coefficients", "expected a list or a matrix of coefficients");
    }
    if numbers.shape.iter().any(|extent| *extent > MAX_TERMS) {
        return fields.misshapen("coefficients", &format!("more than {MAX_TERMS} coefficients along an input"));
    }
    Ok(numbers)
}

pub(super) fn power_series(fields: &Fields) -> Result<Made> {
    let Numbers { values, shape, .. } = coefficients(fields)?;
    let rescale = rescale(fields, shape.len(), Some([-1.0, 1.0]))?;
    Ok(Made::kernel(match shape.as_slice() {
        [_] => Arc::new(Polynomial1d { coefficients: values, rescale: rescale[0] }),
        [rows, columns] if rows == columns => Arc::new(Polynomial2d::new(&values, *rows, rescale)),
        _ => return fields.misshapen("coefficients", "expected a square matrix"),
    }))
}

pub(super) fn orthogonal(fields: &Fields) -> Result<Made> {
    let family = match fields.required_text("polynomial_type")?.as_str() {
        "chebyshev" => Family::Chebyshev,
        "legendre" => Family::Legendre,
        "hermite" => Family::Hermite,
        other => return fields.bad("polynomial_type", &format!("there is no family '{other}'")),
    };
    let Numbers { values, shape, .. } = coefficients(fields)?;
    let rescale = rescale(fields, shape.len(), None)?;
    Ok(Made::kernel(Arc::new(Series { family, coefficients: values, shape, rescale })))
}

/// Returns the maps of the inputs from domain to window. Without a domain there is no map, unless there is a default.
fn rescale(fields: &Fields, count: usize, domain: Option<[f64; 2]>) -> Result<[Option<Rescale>; 2]> {
    let (domains, windows) = (pairs(fields, "domain", count)?, pairs(fields, "window", count)?);
    let one = |axis: usize| {
        let from = domains[axis].or(domain)?;
        Rescale::new(from, windows[axis].unwrap_or([-1.0, 1.0]))
    };
    Ok([one(0), one(1)])
}

/// Reads a pair for each input; any of them can be null.
fn pairs(fields: &Fields, key: &str, count: usize) -> Result<[Option<[f64; 2]>; 2]> {
    let mut pairs = [None; 2];
    let Some(node) = fields.get(key)? else { return Ok(pairs) };
    let pair = |values: &[f64]| match *values {
        [low, high] => Ok(Some([low, high])),
        _ => fields.bad(key, "expected two numbers for each input"),
    };
    if count == 1 {
        pairs[0] = pair(&numbers(&node)?.values)?;
        return Ok(pairs);
    }
    let entries = items(&node)?;
    if entries.len() != 2 {
        return fields.bad(key, "expected a pair for each input");
    }
    for (place, entry) in pairs.iter_mut().zip(&entries) {
        if entry.node_type("")? != crate::file::NodeType::Null {
            *place = pair(&numbers(entry)?.values)?;
        }
    }
    Ok(pairs)
}
