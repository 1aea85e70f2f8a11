//! Comparison of a transform with what the manifest says.

use super::numbers::{Tolerance, columns, compare, number};
use crate::verdict::Findings;
use asdfkit::file::File;
use asdfkit::wcs::{BuildOptions, EvaluateOptions, Layout, Transform};
use asdfkit::{Error, Status};
use serde_json::Value;

/// Returns the outputs for columns of inputs.
pub(super) fn evaluated(
    transform: &Transform,
    inputs: &[Vec<f64>],
    options: &EvaluateOptions,
) -> Result<Vec<Vec<f64>>, Error> {
    let count = inputs.first().map_or(0, Vec::len);
    let input = inputs.concat();
    let outputs = transform.arity().1;
    let mut output = vec![0.0; outputs * count];
    let layout = Layout::columns(count);
    transform.evaluate(count, &input, layout, &mut output, layout, options)?;
    Ok(output.chunks(count.max(1)).map(<[f64]>::to_vec).collect())
}

/// Options that apply bounding boxes.
pub(super) fn boxed() -> EvaluateOptions {
    let mut options = EvaluateOptions::default();
    options.with_bounding_box = Some(true);
    options
}

fn units(value: &Value) -> Vec<Option<&str>> {
    value.as_array().into_iter().flatten().map(Value::as_str).collect()
}

pub(super) fn judge(entry: &Value, file: &File, findings: &mut Findings) -> Result<(), Error> {
    let transform =
        Transform::from_node(&file.root()?.at(entry["path"].as_str().unwrap_or_default())?, &BuildOptions::default())?;
    let (inputs, outputs) = transform.arity();
    findings.same("", "the number of inputs", Some(inputs as u64), entry["n_inputs"].as_u64());
    findings.same("", "the number of outputs", Some(outputs as u64), entry["n_outputs"].as_u64());
    names("the inputs", transform.inputs(), &entry["inputs"], findings);
    names("the outputs", transform.outputs(), &entry["outputs"], findings);
    let forward = &entry["forward"];
    let plain = EvaluateOptions::default();
    if forward.is_object() {
        let transform = transform.in_units(&units(&forward["in_units"]), &units(&forward["out_units"]))?;
        match evaluated(&transform, &columns(&forward["in"]), &plain) {
            Ok(got) => compare("forward", &got, &columns(&forward["out"]), Tolerance::of(entry, forward), findings),
            Err(error) => findings.differ("forward", error),
        }
    }
    let limited = &entry["forward_bbox"];
    if limited.is_object() {
        let got = evaluated(&transform, &columns(&limited["in"]), &boxed())?;
        compare("forward_bbox", &got, &columns(&limited["out"]), Tolerance::of(entry, limited), findings);
    }
    for (key, options) in [("forward_cases", plain), ("forward_bbox_cases", boxed())] {
        for case in entry[key].as_array().into_iter().flatten() {
            cases(key, entry, case, &transform, &options, findings)?;
        }
    }
    bounding_box(&entry["bounding_box"], &transform, findings);
    inverse(entry, &transform, findings)
}

/// Evaluates a transform with some of its inputs fixed.
pub(super) fn cases(
    what: &str,
    entry: &Value,
    case: &Value,
    transform: &Transform,
    options: &EvaluateOptions,
    findings: &mut Findings,
) -> Result<(), Error> {
    let fixed = case["fixed"].as_object().into_iter().flatten();
    let fixed: Vec<(usize, f64)> = fixed
        .filter_map(|(name, value)| Some((transform.inputs().iter().position(|input| input == name)?, number(value))))
        .collect();
    let transform = transform.fixed(&fixed)?;
    let (got, want) = (evaluated(&transform, &columns(&case["in"]), options)?, columns(&case["out"]));
    // A fixed input that is handed on has only one value in Python, whose place in the box is that of the first point.
    let (got, want): (Vec<_>, Vec<_>) = got
        .into_iter()
        .zip(want)
        .filter(|(_, want)| want.windows(2).any(|pair| pair[0].to_bits() != pair[1].to_bits()))
        .unzip();
    compare(what, &got, &want, Tolerance::of(entry, case), findings);
    Ok(())
}

fn names(what: &str, got: &[String], want: &Value, findings: &mut Findings) {
    let want: Vec<&str> = want.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    findings.same("", what, got.iter().map(String::as_str).collect::<Vec<_>>(), want);
}

/// Compares the intervals of a box that does not depend on inputs.
pub(super) fn bounding_box(want: &Value, transform: &Transform, findings: &mut Findings) {
    match (want["kind"].as_str(), transform.bounding_box()) {
        (None, _) => {}
        (Some("box"), Ok(got)) => {
            for (input, interval) in transform.inputs().iter().zip(got) {
                let want = want["intervals"][input].as_array().map(|ends| ends.iter().map(number).collect::<Vec<_>>());
                let close = match (&interval, &want) {
                    (Some(got), Some(want)) => got
                        .iter()
                        .zip(want)
                        .all(|(got, want)| got == want || (got - want).abs() < 1e-12 * (1.0 + want.abs())),
                    (got, want) => got.is_none() && want.is_none(),
                };
                if !close {
                    findings.differ("bounding_box", format_args!("{input}: {interval:?}, expected {want:?}"));
                }
            }
        }
        (Some("compound"), Err(error)) if error.status() == Status::Unsupported => {}
        (_, Err(error)) => findings.differ("bounding_box", error),
        (kind, Ok(_)) => findings.differ("bounding_box", format_args!("the kind is not {kind:?}")),
    }
}

fn inverse(entry: &Value, transform: &Transform, findings: &mut Findings) -> Result<(), Error> {
    let want = &entry["inverse"];
    match (want["exists"].as_bool(), transform.inverse()) {
        (None, _) => {}
        (Some(true), Ok(inverse)) => {
            names("the inputs of the inverse", inverse.inputs(), &want["inputs"], findings);
            names("the outputs of the inverse", inverse.outputs(), &want["outputs"], findings);
            if want["out"].is_array() {
                let inverse = inverse.in_units(&units(&want["in_units"]), &units(&want["out_units"]))?;
                let got = evaluated(&inverse, &columns(&want["in"]), &EvaluateOptions::default())?;
                compare("inverse", &got, &columns(&want["out"]), Tolerance::of(entry, want), findings);
            }
        }
        (Some(true), Err(error)) => findings.differ("inverse", error),
        (Some(false), Ok(_)) => findings.differ("inverse", "there is one, but must not"),
        (Some(false), Err(error)) => {
            let known = [Status::NoInverse, Status::Singular];
            findings.same("inverse", "the status", known.contains(&error.status()), true);
        }
    }
    Ok(())
}

/// Returns the stage at which a transform fails, with the error.
pub(super) fn fails(
    entry: &Value,
    file: &File,
    path: &str,
    options: &BuildOptions,
) -> Result<Option<(&'static str, Error)>, Error> {
    let transform = match Transform::from_node(&file.root()?.at(path)?, options) {
        Ok(transform) => transform,
        Err(error) => return Ok(Some(("build", error))),
    };
    let inputs = columns(&entry["in"]);
    if !inputs.is_empty()
        && let Err(error) = evaluated(&transform, &inputs, &EvaluateOptions::default())
    {
        return Ok(Some(("evaluate", error)));
    }
    Ok(transform.inverse().err().map(|error| ("inverse", error)))
}
