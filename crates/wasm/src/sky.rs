//! Coordinates on the sky behind a pixel.

use crate::answer::{Answer, refused};
use crate::opened::Opened;
use crate::request::Request;
use asdfkit::wcs::{BuildOptions, EvaluateOptions, Wcs};
use asdfkit::{NodeSearch, Result};
use serde_json::json;

/// Tells longitude and latitude of a pixel in degrees, by the first WCS of the file, and the shape of its arrays. Without a
/// WCS the answer has neither.
pub(crate) fn at(opened: &mut Opened, request: &Request) -> Result<Answer> {
    let (Some(x), Some(y)) = (request.number("x"), request.number("y")) else {
        return Err(refused("the request lacks the pixel 'x' and 'y'"));
    };
    if opened.world.is_none() {
        let root = opened.file()?.root()?;
        let node = NodeSearch::default().first_in(&root, Wcs::is_at)?;
        // It is built once, also if that fails.
        opened.world = Some(None);
        opened.world = Some(node.map(|node| Wcs::from_node(&node, &BuildOptions::default())).transpose()?);
    }
    let Some(Some(wcs)) = &opened.world else { return Ok(json!({}).into()) };
    let mut options = EvaluateOptions::default();
    options.with_bounding_box = Some(false);
    let [longitude, latitude] = wcs.sky(x, y, &options)?;
    let frame = wcs.frames().last().and_then(|frame| frame.reference.as_ref()).map(|frame| frame.name.clone());
    let facts = json!({"longitude": longitude, "latitude": latitude, "frame": frame, "arrayShape": wcs.array_shape()});
    Ok(facts.into())
}
