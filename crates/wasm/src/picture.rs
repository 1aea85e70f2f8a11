//! Tiles of images: a region of two dimensions, coloured.

use crate::answer::{Answer, refused};
use crate::opened::Opened;
use crate::region::{Part, requested_array};
use crate::request::Request;
use asdfkit::Result;
use asdfkit::array::{Datatype, ScalarType};
use asdfkit_pictures::array::{ColourMap, Grid, Interval, Limits, Scaling, Stretch};
use serde_json::json;

/// Paints a region of the last two dimensions. The request has `start`, `count` and `step` as for a region, a colour map, a
/// stretch, and either the limits `low` and `high` or an interval from which they follow. The answer has four bytes for
/// each pixel: red, green, blue, opacity, and tells the limits.
pub(crate) fn paint(opened: &Opened, request: &Request) -> Result<Answer> {
    let array = requested_array(opened, request)?;
    let lacking = |key: &str| refused(format!("the request lacks '{key}'"));
    let part = Part {
        start: request.integers("start")?.ok_or_else(|| lacking("start"))?,
        count: request.integers("count")?.ok_or_else(|| lacking("count"))?,
        step: request.integers("step")?.ok_or_else(|| lacking("step"))?,
    };
    let elements = part.element_count()?;
    let [.., height, width] = part.count[..] else { return Err(refused("an image has two dimensions")) };
    let (width, height) = (width.max(0) as usize, height.max(0) as usize);
    if width.checked_mul(height) != Some(elements) {
        return Err(refused("an image has one index in each dimension before the last two"));
    }
    let (bytes, mask) = part.read(&array, &Datatype::Scalar(ScalarType::Float64))?;
    let value = |unit: &[u8]| unit.try_into().map_or(f64::NAN, f64::from_ne_bytes);
    let mut grid = Grid::new(width, height, bytes.chunks_exact(8).map(value).collect());
    grid.masked = mask.iter().map(|missing| *missing != 0).collect();
    let limits = match (request.number("low"), request.number("high")) {
        (Some(low), Some(high)) => Limits { low, high },
        _ => {
            let interval = request.optional_text("interval").unwrap_or("zscale").parse::<Interval>();
            interval.map_err(refused)?.limits(&grid)
        }
    };
    let stretch = match request.optional_text("stretch") {
        None | Some("linear") => Stretch::Linear,
        Some("sqrt") => Stretch::Sqrt,
        Some("log") => Stretch::Log,
        Some("asinh") => Stretch::Asinh,
        Some(other) => return Err(refused(format!("there is no stretch '{other}'"))),
    };
    let raster = colour_map(request)?.paint(&grid, &Scaling { limits, stretch }, false);
    let bytes = raster.bytes().chunks_exact(3).flat_map(|pixel| [pixel[0], pixel[1], pixel[2], 255]).collect();
    let (masked, undefined) = grid.absent();
    let json = json!({
        "width": width, "height": height, "low": limits.low, "high": limits.high,
        "masked": masked, "undefined": undefined,
    });
    Ok(Answer { json, bytes })
}

/// Tells the colours of a map, three bytes each.
pub(crate) fn colours(request: &Request) -> Result<Answer> {
    let bytes = colour_map(request)?.colours().concat();
    Ok(Answer { json: json!({}), bytes })
}

fn colour_map(request: &Request) -> Result<ColourMap> {
    Ok(match request.optional_text("colours") {
        None | Some("viridis") => ColourMap::Viridis,
        Some("grey") => ColourMap::Grey,
        Some("inferno") => ColourMap::Inferno,
        Some("magma") => ColourMap::Magma,
        Some("plasma") => ColourMap::Plasma,
        Some("cubehelix") => ColourMap::Cubehelix,
        Some("red-blue") => ColourMap::RedBlue,
        Some(other) => return Err(refused(format!("there is no colour map '{other}'"))),
    })
}
