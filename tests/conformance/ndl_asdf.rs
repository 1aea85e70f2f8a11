//! Descriptions converted to ASDF files and back: each valid description with datatypes, and ASDF files with their
//! expected descriptions.

use crate::verdict::{Findings, Verdict};
use asdfkit::file::{File, OpenOptions, WriteOptions};
use asdfkit::ndl::asdf::{CreateOptions, DescribeOptions, Values, create, describe};
use asdfkit::ndl::{Description, Difference, DifferenceOptions, Operation, ReadOptions, parse};
use asdfkit::{Result, Status};
use std::path::Path;

/// Statuses of descriptions that ASDF cannot store.
const REFUSED: [Status; 3] = [Status::Incomplete, Status::Unsupported, Status::Limit];

/// Creates a file from a description and describes the file. Only differences that concern files alone are permitted.
pub(crate) fn round_trip(description: &Description, findings: &mut Findings) {
    let described =
        match through_file(description, DescribeOptions { values: Values::All, ..DescribeOptions::default() }) {
            Ok(described) => described,
            Err(error) if REFUSED.contains(&error.status()) => return,
            Err(error) => return findings.differ("as an ASDF file", error),
        };
    compare(description, &described, &DifferenceOptions::default(), findings);
}

fn through_file(description: &Description, options: DescribeOptions) -> Result<Description> {
    let io = |error| asdfkit::Error::io("cannot make a directory", &error);
    let directory = tempfile::tempdir().map_err(io)?;
    let path = directory.path().join("made.asdf");
    let write = WriteOptions { durable: false, ..WriteOptions::default() };
    create(description, &path, &CreateOptions { string_length: Some(8), write, ..CreateOptions::default() })?;
    let file = File::open_with(&path, &OpenOptions { strict: true, ..OpenOptions::default() })?;
    Ok(describe(&file, &options)?.description)
}

/// Returns the verdict of each ASDF file of a directory that has a description beside it.
pub(crate) fn run(directory: &Path) -> std::result::Result<Vec<(String, Verdict)>, String> {
    let fault = |error: &dyn std::fmt::Display| format!("{}: {error}", directory.display());
    let mut names = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(|error| fault(&error))? {
        let name = entry.map_err(|error| fault(&error))?.file_name().to_string_lossy().into_owned();
        if let Some(name) = name.strip_suffix(".asdf") {
            names.push(name.to_owned());
        }
    }
    names.sort_unstable();
    let mut verdicts = Vec::new();
    for name in names {
        let (expected, values) = match name.strip_prefix("skeleton-") {
            Some(sample) => (directory.join(format!("../{sample}.yaml")), Values::None),
            None => (directory.join(format!("{name}.ndl.yaml")), Values::Inline),
        };
        // The corpus may be incomplete: a file made from a description may be without it.
        if expected.is_file() {
            let mut findings = Findings::new(false);
            judge(&directory.join(format!("{name}.asdf")), &expected, values, &mut findings);
            verdicts.push((format!("asdf/{name}.asdf"), findings.verdict()));
        }
    }
    Ok(verdicts)
}

fn judge(file: &Path, expected: &Path, values: Values, findings: &mut Findings) {
    let text = match std::fs::read(expected) {
        Ok(text) => text,
        Err(error) => return findings.differ("", error),
    };
    let expected = parse(&text, &ReadOptions::default()).description;
    let file = File::open(file);
    let described = file.and_then(|file| describe(&file, &DescribeOptions { values, ..DescribeOptions::default() }));
    match described {
        Ok(described) => {
            let options = DifferenceOptions { ignore_values: values == Values::None, ..DifferenceOptions::default() };
            compare(&expected, &described.description, &options, findings);
        }
        Err(error) => findings.error("", &error),
    }
}

/// Returns whether a difference concerns files only: a file has a byte order, a number of rows and values even if its
/// description has none.
fn is_of_files(difference: &Difference) -> bool {
    let whats = ["storage.endian", "storage.shape", "storage.size", "value"];
    difference.operation == Operation::Add && whats.contains(&difference.what.as_str())
}

fn compare(expected: &Description, described: &Description, options: &DifferenceOptions, findings: &mut Findings) {
    match expected.differences(described, options) {
        Ok(differences) => {
            for difference in differences.iter().filter(|difference| !is_of_files(difference)) {
                findings.differ("", difference);
            }
        }
        Err(error) => findings.differ("", error),
    }
}
