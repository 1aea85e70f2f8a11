//! Tables and splines.

use super::fields::{Fields, Numbers, items, numbers};
use super::made::Made;
use crate::error::{Result, Status};
use crate::reserve;
use crate::wcs::kernel::each;
use crate::wcs::kernel::spline::{Bicubic, Knots, MAX_DEGREE, Spline};
use crate::wcs::kernel::tabular::{MAX_AXES, Method, Outside, Table};
use crate::wcs::unit::Unit;
use std::sync::Arc;

pub(super) fn table(fields: &Fields) -> Result<Made> {
    let Numbers { values, shape, unit } = fields.required_numbers("lookup_table")?;
    if shape.is_empty() || values.is_empty() || shape.len() > MAX_AXES {
        return fields.misshapen("lookup_table", &format!("expected a table of 1 to {MAX_AXES} axes"));
    }
    let (points, point_unit) = grids(fields, &shape)?;
    let fill =
        fields.get("fill_value")?.map(|node| numbers(&node)).transpose()?.and_then(|fill| fill.values.first().copied());
    let bounds_error = fields.bool("bounds_error")?.unwrap_or(true);
    let outside = match fill {
        _ if bounds_error => Outside::Error,
        Some(value) => Outside::Value(value),
        None => Outside::Extrapolate,
    };
    let method = fields.text("method")?.unwrap_or_else(|| "linear".to_owned());
    let made = match method.as_str() {
        "linear" => Made::kernel(Arc::new(Table::new(points, values, Method::Linear, outside))),
        "nearest" => Made::kernel(Arc::new(Table::new(points, values, Method::Nearest, outside))),
        "splinef2d" => {
            let [rows, columns] = &points[..] else {
                return fields.bad("method", "a bicubic spline needs a table of two axes");
            };
            let rises = |points: &[f64]| points.len() >= 4 && points.windows(2).all(|pair| pair[0] < pair[1]);
            if !rises(rows) || !rises(columns) {
                return fields
                    .misshapen("points", "a bicubic spline needs at least four ascending points along each axis");
            }
            Made::kernel(Arc::new(Bicubic::new([rows, columns], &values, fill.unwrap_or(f64::NAN), bounds_error)?))
        }
        other => return fields.bad("method", &format!("there is no method '{other}'")),
    };
    let made = if shape.len() == 2 { made.names(&["x", "y"], &["y"]) } else { made };
    let strict = unit.is_some() || point_unit.is_some();
    Ok(made.units(point_unit.as_ref(), unit.as_ref(), strict))
}

/// Returns the points along each axis, by default the indices.
fn grids(fields: &Fields, shape: &[usize]) -> Result<(Vec<Vec<f64>>, Option<Unit>)> {
    let mut unit = None;
    let Some(node) = fields.get("points")? else {
        return Ok((shape.iter().map(|extent| indices(*extent)).collect::<Result<_>>()?, unit));
    };
    let mut points = Vec::new();
    let entries = items(&node).unwrap_or_default();
    if entries.len() == shape.len() && !is_number(entries.first())? {
        for entry in entries {
            let grid = numbers(&entry)?;
            unit = unit.or(grid.unit);
            points.push(grid.values);
        }
    } else {
        // The points of a single axis can stand without a list around them.
        let grid = numbers(&node)?;
        unit = grid.unit;
        let rows = if grid.shape.len() == 2 { grid.shape[0].max(1) } else { 1 };
        for along_axis in grid.values.chunks(grid.values.len().div_ceil(rows).max(1)) {
            points.push(reserve::copy_of(along_axis)?);
        }
    }
    if points.len() != shape.len() {
        return fields.misshapen("points", "expected points along each axis of the table");
    }
    for (points, extent) in points.iter().zip(shape) {
        let rises = points.windows(2).all(|pair| pair[0] < pair[1]);
        let falls = points.windows(2).all(|pair| pair[0] > pair[1]);
        if points.len() != *extent {
            return fields.misshapen("points", "the numbers of points and of values along an axis differ");
        }
        if !rises && !falls {
            return fields.bad("points", "the points along an axis must ascend or descend");
        }
    }
    Ok((points, unit))
}

fn indices(count: usize) -> Result<Vec<f64>> {
    let mut all = reserve::list_for(count)?;
    all.extend((0..count).map(|index| index as f64));
    Ok(all)
}

fn is_number(node: Option<&crate::file::Node>) -> Result<bool> {
    use crate::file::NodeType;
    match node {
        Some(node) => Ok(matches!(node.node_type("")?, NodeType::Integer | NodeType::Float)),
        None => Ok(false),
    }
}

pub(super) fn spline(fields: &Fields) -> Result<Made> {
    let degree = fields.integer("degree")?;
    let Some(degree) = degree else {
        return Err(fields.error("degree", Status::NotFound, "the field 'degree' is missing"));
    };
    let degree = match usize::try_from(degree) {
        Ok(degree) if (1..=MAX_DEGREE).contains(&degree) => degree,
        _ => return fields.bad("degree", &format!("expected 1 to {MAX_DEGREE}")),
    };
    let (knots, coefficients) = (fields.required_numbers("knots")?, fields.required_numbers("coefficients")?);
    if knots.shape.len() != 1 || knots.values.len() < 2 * degree + 2 {
        return fields.misshapen("knots", &format!("expected at least {} knots", 2 * degree + 2));
    }
    let rises = knots.values.windows(2).all(|pair| pair[0] <= pair[1]);
    if !rises || knots.values[degree] >= knots.values[knots.values.len() - degree - 1] {
        return fields.bad("knots", "the knots must ascend");
    }
    let knots = Knots { knots: knots.values, degree };
    if coefficients.shape.len() != 1 || coefficients.values.len() < knots.count() {
        return fields.misshapen("coefficients", &format!("expected at least {} coefficients", knots.count()));
    }
    Ok(Made::kernel(each(Spline { knots, coefficients: coefficients.values })))
}
