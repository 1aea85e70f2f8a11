//! Runs a corpus of transforms and world coordinates: values forward and back, bounding boxes, frames, errors.

mod numbers;
mod transforms;
mod worlds;

use crate::hex::hex;
use crate::verdict::{Findings, Verdict};
use asdfkit::file::{Access, File, OpenOptions};
use asdfkit::internals::md5;
use asdfkit::wcs::BuildOptions;
use asdfkit::{Error, Status};
use serde_json::Value;
use std::path::Path;

/// Returns the verdict of each entry of a manifest, in order.
pub(crate) fn run(manifest: &Path) -> Result<Vec<(String, Verdict)>, String> {
    let directory = manifest.parent().unwrap_or(Path::new("."));
    let text = std::fs::read(manifest).map_err(|error| format!("{}: {error}", manifest.display()))?;
    let json: Value = serde_json::from_slice(&text).map_err(|error| format!("{}: {error}", manifest.display()))?;
    let entries = json["files"].as_array().ok_or_else(|| format!("{}: 'files' is missing", manifest.display()))?;
    let verdict = |entry: &Value| {
        let name = entry["file"].as_str().unwrap_or("(an entry without a name)");
        let mut findings = Findings::new(false);
        if let Err(error) = judge(entry, &directory.join(name), &mut findings) {
            findings.differ("", error);
        }
        (name.to_owned(), findings.verdict())
    };
    Ok(entries.iter().map(verdict).collect())
}

fn judge(entry: &Value, path: &Path, findings: &mut Findings) -> Result<(), Error> {
    let bytes = std::fs::read(path).map_err(|error| Error::io("cannot read", &error))?;
    findings.same("", "the size of the file", Some(bytes.len() as u64), entry["size"].as_u64());
    findings.same("", "the MD5 of the file", Some(hex(&md5(&bytes)).as_str()), entry["md5"].as_str());
    let file = File::open_with(path, &OpenOptions { access: Access::SameDirectory, ..OpenOptions::default() })?;
    match entry["kind"].as_str() {
        Some("transform") => transforms::judge(entry, &file, findings),
        Some("wcs") => worlds::judge(entry, &file, findings),
        Some("error") => must_fail(entry, &file, findings),
        kind => {
            findings.differ("", format_args!("the kind {kind:?} is not known"));
            Ok(())
        }
    }
}

/// Returns the status that stands for a code of the corpus.
fn status(code: &str) -> Option<Status> {
    Some(match code {
        "unknown-transform" => Status::UnknownTransform,
        "unknown-version" => Status::TransformVersion,
        "not-a-transform" => Status::NotTransform,
        "bad-node" => Status::WrongType,
        "missing-field" => Status::NotFound,
        "bad-value" => Status::TagContent,
        "bad-shape" => Status::BadArray,
        "arity" => Status::Arity,
        "unit" => Status::Units,
        "cycle" => Status::ReferenceCycle,
        "no-inverse" => Status::NoInverse,
        "singular" => Status::Singular,
        "out-of-bounds" => Status::OutOfDomain,
        "no-transform" => Status::NoTransform,
        "unsupported" => Status::Unsupported,
        "no-convergence" => Status::NoConvergence,
        _ => return None,
    })
}

fn must_fail(entry: &Value, file: &File, findings: &mut Findings) -> Result<(), Error> {
    let path = entry["path"].as_str().unwrap_or_default();
    let mut options = BuildOptions::default();
    options.strict_labels = true;
    let result = match entry["object"].as_str() {
        Some("wcs") => worlds::fails(entry, file, path, &options)?,
        _ => transforms::fails(entry, file, path, &options)?,
    };
    let Some((stage, error)) = result else {
        findings.differ("", "nothing fails");
        return Ok(());
    };
    findings.same("", "the stage of the failure", Some(stage), entry["stage"].as_str());
    let expected = entry["error"].as_str().and_then(status);
    findings.same("", "the status", Some(error.status()), expected);
    findings.same("", "the place", error.location().path.as_deref(), entry["at"].as_str());
    Ok(())
}
