//! Runs a corpus of descriptions in the Ndarray Data Language with their manifest: diagnostics, validity in both modes,
//! model and sizes.

use crate::ndl_asdf;
use crate::verdict::{Findings, Verdict};
use asdfkit::ndl::{Code, Description, Diagnostic, Parsed, ReadOptions, Severity, TextOptions, parse};
use serde_json::{Value, json};
use std::path::Path;

/// Returns the verdict of each entry of a manifest, in order.
pub(crate) fn run(manifest: &Path) -> Result<Vec<(String, Verdict)>, String> {
    let fault = |error: &dyn std::fmt::Display| format!("{}: {error}", manifest.display());
    let text = std::fs::read_to_string(manifest).map_err(|error| fault(&error))?;
    let content: Value = serde_json::from_str(&text).map_err(|error| fault(&error))?;
    let samples = content["samples"].as_array().ok_or_else(|| fault(&"there is no list of samples"))?;
    let directory = manifest.parent().unwrap_or(Path::new("."));
    let verdict = |sample: &Value| {
        let mut findings = Findings::new(false);
        judge(directory, sample, &mut findings);
        (sample["file"].as_str().unwrap_or("?").to_owned(), findings.verdict())
    };
    let mut verdicts: Vec<(String, Verdict)> = samples.iter().map(verdict).collect();
    let files = directory.join("asdf");
    if files.is_dir() {
        verdicts.extend(ndl_asdf::run(&files)?);
    }
    Ok(verdicts)
}

fn judge(directory: &Path, sample: &Value, findings: &mut Findings) {
    let read = |name: &Value| std::fs::read(directory.join(name.as_str().unwrap_or_default()));
    let bytes = match read(&sample["file"]) {
        Ok(bytes) => bytes,
        Err(error) => return findings.differ("", error),
    };
    let fragment = Fragment::of(sample["kind"].as_str().unwrap_or_default());
    let Some(fragment) = fragment else { return findings.differ("", "the kind of the sample is unknown") };
    let (bytes, lines) = fragment.document(&bytes);
    let lenient = parse(&bytes, &ReadOptions::default());
    let strict = parse(&bytes, &ReadOptions { strict: true, ..ReadOptions::default() });
    findings.same("", "validity", Some(lenient.is_valid()), sample["valid"].as_bool());
    findings.same("", "strict validity", Some(strict.is_valid()), sample["strict_valid"].as_bool());
    if strict.diagnostics.iter().any(|diagnostic| diagnostic.severity != Severity::Error) {
        findings.differ("", "a warning when read strictly");
    }
    compare_diagnostics(&lenient, lines, &sample["diagnostics"], findings);
    match fragment {
        Fragment::Document => {
            compare_document(&lenient, sample, findings);
            if lenient.is_valid() {
                ndl_asdf::round_trip(&lenient.description, findings);
            }
        }
        // For a fragment that is not a document, only the diagnostics are compared.
        _ if sample["result"].is_null() => {}
        _ => {
            let model = model(&lenient.description);
            let part = &model["ndarrays"]["/x"][fragment.key()];
            difference("", part, &sample["result"], findings);
        }
    }
    if !sample["equals"].is_null() {
        match read(&sample["equals"]) {
            Ok(other) => {
                let other = parse(&other, &ReadOptions::default()).description;
                let is_same = lenient.description.means_the_same(&other).is_ok_and(|same| same);
                findings.same("", "whether it equals the other", is_same, true);
            }
            Err(error) => findings.differ("", error),
        }
    }
}

fn compare_document(parsed: &Parsed, sample: &Value, findings: &mut Findings) {
    if !sample["model"].is_null() {
        difference("", &model(&parsed.description), &sample["model"], findings);
    }
    if !sample["sizes"].is_null() {
        difference("", &sizes(&parsed.description), &sample["sizes"], findings);
    }
    if let Some(canonical) = sample["canonical"].as_str() {
        compare_text(&parsed.description, canonical, findings);
    }
}

fn model(description: &Description) -> Value {
    let json = description.to_json().map_err(|error| error.to_string());
    let model = json.and_then(|json| serde_json::from_str(&json).map_err(|error| error.to_string()));
    model.unwrap_or_else(|error| json!({"error": error}))
}

fn sizes(description: &Description) -> Value {
    match description.sizes() {
        Ok(sizes) => {
            let of_arrays = sizes.arrays.into_iter().map(|size| {
                let number = |number: Option<u128>| number.and_then(|number| u64::try_from(number).ok());
                let [elements, itemsize, bytes] = [size.elements, size.element_bytes, size.bytes].map(number);
                (size.path, json!({"elements": elements, "itemsize": itemsize, "bytes": bytes}))
            });
            of_arrays.collect::<serde_json::Map<_, _>>().into()
        }
        Err(error) => json!({"error": error.to_string()}),
    }
}

/// Checks that the canonical text is the expected one, and that it reads back as the same description with the same
/// text.
fn compare_text(description: &Description, expected: &str, findings: &mut Findings) {
    let text = match description.to_text(&TextOptions::default()) {
        Ok(text) => text,
        Err(error) => return findings.differ("", error),
    };
    let mut lines = text.lines().zip(expected.lines()).zip(1..);
    if let Some(((is, expected), number)) = lines.find(|((is, expected), _)| is != expected) {
        findings.differ("", format_args!("line {number} of the canonical text is '{is}' instead of '{expected}'"));
    } else {
        findings.same("", "the length of the canonical text", text.len(), expected.len());
    }
    let again = parse(text.as_bytes(), &ReadOptions::default());
    findings.same("", "validity of the canonical text", again.is_valid(), true);
    let is_same = description.means_the_same(&again.description).is_ok_and(|same| same);
    findings.same("", "whether the canonical text means the same", is_same, true);
    let is_fixed = again.description.to_text(&TextOptions::default()).is_ok_and(|other| other == text);
    findings.same("", "whether the canonical text is its own", is_fixed, true);
}

/// Checks that the diagnostics are the expected ones, in any order. Lines are compared if they are given.
fn compare_diagnostics(parsed: &Parsed, lines: u64, expected: &Value, findings: &mut Findings) {
    let mut rest: Vec<&Diagnostic> = parsed.diagnostics.iter().collect();
    for wanted in expected.as_array().map(Vec::as_slice).unwrap_or_default() {
        let is_wanted = |found: &&Diagnostic| {
            let severity = if found.severity == Severity::Error { "error" } else { "warning" };
            // The exact line of a YAML syntax error depends on the parser.
            let line = if found.code == Code::YamlSyntax { Value::Null } else { (found.line - lines).into() };
            (wanted[0] == severity && wanted[1] == found.code.name() && wanted[2] == found.place.as_str())
                && (line == wanted[3] || wanted[3].is_null() && found.code == Code::YamlSyntax)
                && wanted.as_array().is_some_and(|parts| parts.len() <= 4)
        };
        match rest.iter().position(is_wanted) {
            Some(position) => {
                rest.remove(position);
            }
            None => findings.differ("", format_args!("{wanted} is missing")),
        }
    }
    for found in rest {
        findings.differ("", format_args!("not expected: {found}"));
    }
}

/// Reports the first few places where two JSON values differ. The order of keys is ignored.
fn difference(at: &str, is: &Value, expected: &Value, findings: &mut Findings) {
    match (is, expected) {
        (Value::Object(is), Value::Object(expected)) => {
            for (key, value) in is {
                difference(&format!("{at}/{key}"), value, expected.get(key).unwrap_or(&Value::Null), findings);
                if !expected.contains_key(key) {
                    findings.differ(at, format_args!("'{key}' is not expected"));
                }
            }
            for key in expected.keys().filter(|&key| !is.contains_key(key)) {
                findings.differ(at, format_args!("'{key}' is missing"));
            }
        }
        (Value::Array(is), Value::Array(expected)) if is.len() == expected.len() => {
            for (index, (is, expected)) in is.iter().zip(expected).enumerate() {
                difference(&format!("{at}/{index}"), is, expected, findings);
            }
        }
        _ => {
            if is != expected {
                findings.differ(at, format_args!("{is} instead of {expected}"));
            }
        }
    }
}

/// Kind of a sample: a document, or the value of one key of an array.
#[derive(Clone, Copy)]
enum Fragment {
    Document,
    Type,
    Shape,
}

impl Fragment {
    fn of(kind: &str) -> Option<Fragment> {
        Some(match kind {
            "document" => Fragment::Document,
            "fragment-type" => Fragment::Type,
            "fragment-shape" => Fragment::Shape,
            _ => return None,
        })
    }

    fn key(self) -> &'static str {
        if let Fragment::Type = self { "type" } else { "shape" }
    }

    /// Returns a document that contains the sample, and the number of lines before the sample.
    fn document(self, bytes: &[u8]) -> (Vec<u8>, u64) {
        let rest = match self {
            Fragment::Document => return (bytes.to_vec(), 0),
            Fragment::Type => "shape: []",
            Fragment::Shape => "type: int8",
        };
        let text = String::from_utf8_lossy(bytes);
        let indented = text.lines().map(|line| format!("    {line}\n"));
        (format!("ndarrays:\n  x:\n    {rest}\n{}", indented.collect::<String>()).into_bytes(), 3)
    }
}
