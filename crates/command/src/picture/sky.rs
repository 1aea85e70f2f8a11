//! The sky behind an image, by the WCS of its file.

use super::place::Place;
use crate::core::failure::Result;
use crate::core::worlds::World;
use asdfkit::file::Node;
use asdfkit::wcs::{EvaluateOptions, Frame, FrameKind, Layout};
use asdfkit_pictures::plot::{SkyGrid, SkyNames};

/// Number of points along a side of the image.
const POINTS: usize = 65;
/// Reference frames whose longitudes are right ascensions.
const EQUATORIAL: [&str; 7] = ["icrs", "fk5", "fk4", "fk4noeterms", "gcrs", "cirs", "precessedgeocentric"];

/// Returns the sky behind a part of an array: at the WCS of a path, by the cards beside the array in a tree of FITS, or at
/// the first WCS of the file that fits.
pub(super) fn behind(place: &Place, root: &Node, path: Option<&str>) -> Result<Option<SkyGrid>> {
    match path {
        Some(path) => grid(place, &World::find(root, path)?),
        None => {
            // A WCS that cannot be read is told by `asdfkit info`; the image is worth a look without it.
            let world = match beside(place, root) {
                Some(world) => Some(world),
                None => World::first(root, |world| Ok(world.ok().filter(|world| fits(place, world)))).ok(),
            };
            Ok(world.and_then(|world| grid(place, &world).ok().flatten()))
        }
    }
}

/// Returns the WCS of the cards beside an array: `fits/1/header` for `fits/1/data`.
fn beside(place: &Place, root: &Node) -> Option<World> {
    let path = format!("{}/header", place.path.strip_suffix("/data")?);
    let list = path.strip_suffix("/header")?.rsplit_once('/')?.0;
    let is_fits = root.tag(list).ok()?.is_some_and(|tag| tag.contains("/fits/fits-"));
    is_fits.then(|| World::of_header(&root.at(&path).ok()?, path).ok().flatten()).flatten()
}

/// Returns whether the last dimensions of an array are the pixels of a WCS.
fn fits(place: &Place, world: &World) -> bool {
    let shape = place.array.shape();
    match world.wcs.array_shape() {
        Some(expected) if expected.len() <= shape.len() => shape.ends_with(&expected),
        Some(_) => false,
        // Without a shape, a bounding box that is much smaller or larger belongs to another array.
        None => {
            let boxes = world.wcs.bounding_box().unwrap_or_default();
            let is_near = |(extent, limits): (&i64, &Option<[f64; 2]>)| match limits {
                Some([_, high]) => *high <= *extent as f64 + 1.0 && *high >= *extent as f64 / 2.0,
                None => true,
            };
            shape.len() >= 2 && shape.iter().rev().zip(&boxes).all(is_near)
        }
    }
}

fn grid(place: &Place, world: &World) -> Result<Option<SkyGrid>> {
    let (inputs, outputs) = world.wcs.forward()?.arity();
    let kept = place.selection.kept();
    let rank = place.array.shape().len();
    let [rows, columns] = kept[..] else { return Ok(None) };
    let Some(frame) = world.frame() else { return Ok(None) };
    let Some([longitude, latitude]) = celestial(frame) else { return Ok(None) };
    let factor = |axis: usize| match frame.axes.get(axis).map(|axis| axis.unit.as_str()) {
        Some("deg" | "") => Some(1.0),
        Some("rad") => Some(1_f64.to_degrees()),
        Some("arcsec") => Some(1.0 / 3600.0),
        _ => None,
    };
    let (Some(longitude_factor), Some(latitude_factor)) = (factor(longitude), factor(latitude)) else {
        return Ok(None);
    };
    // Pixel axis 0 is the last dimension.
    if inputs > rank || outputs == 0 || [rows, columns].iter().any(|dimension| rank - 1 - dimension >= inputs) {
        return Ok(None);
    }
    let selection = &place.selection;
    let mut points = Vec::with_capacity(POINTS * POINTS * inputs);
    for index in 0..POINTS * POINTS {
        let (column, row) = (index % POINTS, index / POINTS);
        for axis in 0..inputs {
            let dimension = rank - 1 - axis;
            let (start, step) = (selection.start[dimension] as f64, selection.step[dimension] as f64);
            let part = match dimension {
                dimension if dimension == columns => column as f64 / (POINTS - 1) as f64,
                dimension if dimension == rows => row as f64 / (POINTS - 1) as f64,
                _ => {
                    points.push(start);
                    continue;
                }
            };
            // From the outer edge of the first pixel to that of the last one.
            points.push(start + step * (part * selection.count[dimension] as f64 - 0.5));
        }
    }
    let mut worlds = vec![0.0; POINTS * POINTS * outputs];
    let mut options = EvaluateOptions::default();
    options.with_bounding_box = Some(false);
    let (from, to) = (Layout::points(inputs), Layout::points(outputs));
    world.wcs.pixel_to_world(POINTS * POINTS, &points, from, &mut worlds, to, &options)?;
    let values =
        |axis: usize, factor: f64| worlds.iter().skip(axis).step_by(outputs).map(|value| value * factor).collect();
    let names = World::names(Some(frame), outputs, "world");
    let in_hours = world.reference().is_some_and(|name| EQUATORIAL.contains(&name));
    let named = |axis: usize| match names.get(axis) {
        Some(name) if name == "lon" && in_hours => "right ascension".to_owned(),
        Some(name) if name == "lat" && in_hours => "declination".to_owned(),
        Some(name) => name.clone(),
        None => String::new(),
    };
    Ok(Some(SkyGrid {
        names: SkyNames { longitude: named(longitude), latitude: named(latitude), in_hours },
        columns: POINTS,
        rows: POINTS,
        longitudes: values(longitude, longitude_factor),
        latitudes: values(latitude, latitude_factor),
    }))
}

/// Returns the coordinates that are longitude and latitude.
fn celestial(frame: &Frame) -> Option<[usize; 2]> {
    let of = std::iter::once(frame).chain(&frame.frames).find(|frame| frame.kind == FrameKind::Celestial)?;
    Some([*of.axes_order.first()?, *of.axes_order.get(1)?])
}
