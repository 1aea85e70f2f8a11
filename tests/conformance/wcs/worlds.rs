//! Comparison of a WCS with what the manifest says.

use super::numbers::{Tolerance, columns, compare};
use super::transforms::{boxed, cases, evaluated};
use crate::verdict::Findings;
use asdfkit::file::File;
use asdfkit::wcs::{BuildOptions, EvaluateOptions, Frame, FrameKind, Layout, Wcs};
use asdfkit::{Error, Status};
use serde_json::Value;

/// Direction of an evaluation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Forward,
    Back,
}

fn points(
    wcs: &Wcs,
    direction: Direction,
    inputs: &[Vec<f64>],
    with_bounding_box: bool,
) -> Result<Vec<Vec<f64>>, Error> {
    let mut options = EvaluateOptions::default();
    options.with_bounding_box = Some(with_bounding_box);
    options.threads = 2;
    let count = inputs.first().map_or(0, Vec::len);
    let (pixels, worlds) = wcs.forward()?.arity();
    let input = inputs.concat();
    let layout = Layout::columns(count);
    let outputs = if direction == Direction::Forward { worlds } else { pixels };
    // Points one after the other, so that both layouts are used.
    let mut output = vec![0.0; outputs * count];
    let interleaved = Layout::points(outputs);
    match direction {
        Direction::Forward => wcs.pixel_to_world(count, &input, layout, &mut output, interleaved, &options)?,
        Direction::Back => wcs.world_to_pixel(count, &input, layout, &mut output, interleaved, &options)?,
    };
    Ok((0..outputs).map(|axis| output.iter().skip(axis).step_by(outputs).copied().collect()).collect())
}

pub(super) fn judge(entry: &Value, file: &File, findings: &mut Findings) -> Result<(), Error> {
    let wcs = Wcs::from_node(&file.root()?.at(entry["path"].as_str().unwrap_or_default())?, &BuildOptions::default())?;
    let frames: Vec<&Frame> = wcs.frames().collect();
    let wanted = entry["frames"].as_array().map(Vec::as_slice).unwrap_or_default();
    findings.same("", "the number of frames", frames.len(), wanted.len());
    findings.same("", "the name", wcs.name().unwrap_or_default(), entry["name"].as_str().unwrap_or_default());
    let shape: Option<Vec<i64>> =
        entry["pixel_shape"].as_array().map(|shape| shape.iter().filter_map(Value::as_i64).collect());
    findings.same("", "the pixel shape", wcs.pixel_shape(), shape.as_deref());
    for (got, want) in frames.iter().zip(wanted) {
        frame(got, want, findings);
    }
    let (pixels, worlds) = wcs.forward()?.arity();
    findings.same("", "the pixel axes", Some(pixels as u64), entry["n_pixel"].as_u64());
    findings.same("", "the world axes", Some(worlds as u64), entry["n_world"].as_u64());
    super::transforms::bounding_box(&entry["bounding_box"], wcs.forward()?, findings);
    if let Some(rows) = entry["axis_correlation"].as_array() {
        let want: Vec<Vec<bool>> =
            rows.iter().map(|row| row.as_array().into_iter().flatten().filter_map(Value::as_bool).collect()).collect();
        findings.same("", "the correlation of axes", wcs.axis_correlation()?, want);
    }
    forward(entry, &wcs, findings)?;
    back(&entry["world_to_pixel"], entry, &wcs, findings)
}

fn forward(entry: &Value, wcs: &Wcs, findings: &mut Findings) -> Result<(), Error> {
    let forward = &entry["pixel_to_world"];
    let tolerance = Tolerance::of(entry, forward);
    let inputs = columns(&forward["in"]);
    let got = points(wcs, Direction::Forward, &inputs, false)?;
    compare("pixel_to_world", &got, &columns(&forward["out"]), tolerance, findings);
    if forward["out_bbox"].is_array() {
        let got = points(wcs, Direction::Forward, &inputs, true)?;
        compare("with box", &got, &columns(&forward["out_bbox"]), tolerance, findings);
    }
    for case in entry["bbox_cases"].as_array().into_iter().flatten() {
        cases("bbox_cases", entry, case, wcs.forward()?, &boxed(), findings)?;
    }
    for part in entry["between"].as_array().into_iter().flatten() {
        let name = |key: &str| part[key].as_str().unwrap_or_default();
        let transform = wcs.transform(name("from"), name("to"))?;
        let got = evaluated(&transform, &columns(&part["in"]), &EvaluateOptions::default())?;
        compare("between", &got, &columns(&part["out"]), tolerance, findings);
    }
    if entry["footprint"].is_array() {
        compare("footprint", &wcs.footprint(false)?, &columns(&entry["footprint"]), tolerance, findings);
    }
    Ok(())
}

fn back(want: &Value, entry: &Value, wcs: &Wcs, findings: &mut Findings) -> Result<(), Error> {
    match want["method"].as_str() {
        None => {}
        Some("none") => {
            if let Ok(numerical) = wcs.is_inverse_numerical() {
                findings.differ("world_to_pixel", format_args!("there is an inverse, numerical: {numerical}"));
            }
        }
        Some(method) => {
            findings.same("world_to_pixel", "numerical", wcs.is_inverse_numerical()?, method == "numerical");
            let got = points(wcs, Direction::Back, &columns(&want["in"]), false)?;
            compare("world_to_pixel", &got, &columns(&want["out"]), Tolerance::of(entry, want), findings);
        }
    }
    Ok(())
}

fn frame(got: &Frame, want: &Value, findings: &mut Findings) {
    let at = format!("frame {}", got.name);
    findings.same(&at, "the name", Some(got.name.as_str()), want["name"].as_str());
    // A manifest can leave frames at their names.
    if want["kind"].is_null() {
        return;
    }
    findings.same(&at, "the kind", Some(got.kind.name()), want["kind"].as_str());
    if got.kind == FrameKind::Named {
        return;
    }
    let texts = |key: &str| -> Vec<String> {
        want[key].as_array().into_iter().flatten().filter_map(|text| text.as_str().map(str::to_owned)).collect()
    };
    let of =
        |read: fn(&asdfkit::wcs::FrameAxis) -> &String| -> Vec<String> { got.axes.iter().map(read).cloned().collect() };
    let order: Vec<usize> = want["axes_order"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|place| place.as_u64().map(|p| p as usize))
        .collect();
    findings.same(&at, "the order of axes", got.axes_order.clone(), order);
    findings.same(&at, "the names of axes", of(|axis| &axis.name), texts("axes_names"));
    findings.same(&at, "the units", of(|axis| &axis.unit), texts("units"));
    findings.same(&at, "the types", of(|axis| &axis.axis_type), texts("axes_types"));
    findings.same(&at, "the physical types", of(|axis| &axis.physical_type), texts("physical_types"));
    if let Some(reference) = want["reference_frame"].as_str() {
        findings.same(&at, "the reference frame", got.reference.as_ref().map(|r| r.name.as_str()), Some(reference));
    }
    for (inner, want) in got.frames.iter().zip(want["frames"].as_array().into_iter().flatten()) {
        frame(inner, want, findings);
    }
}

/// Returns the stage at which a WCS fails, with the error.
pub(super) fn fails(
    entry: &Value,
    file: &File,
    path: &str,
    options: &BuildOptions,
) -> Result<Option<(&'static str, Error)>, Error> {
    let wcs = match Wcs::from_node(&file.root()?.at(path)?, options) {
        Ok(wcs) => wcs,
        Err(error) => return Ok(Some(("build", error))),
    };
    match wcs.forward() {
        // A missing transform is none that could not be built.
        Err(error) if error.status() == Status::NoTransform => return Ok(Some(("evaluate", error))),
        Err(error) => return Ok(Some(("build", error))),
        Ok(_) => {}
    }
    let inputs = columns(&entry["in"]);
    if !inputs.is_empty()
        && let Err(error) = points(&wcs, Direction::Forward, &inputs, false)
    {
        return Ok(Some(("evaluate", error)));
    }
    Ok(wcs.is_inverse_numerical().err().map(|error| ("inverse", error)))
}
