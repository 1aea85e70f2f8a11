//! Descriptions of files: reading, writing, comparing, conversion from and to ASDF files.

use asdfkit::file::File;
use asdfkit::ndl::asdf::{CreateOptions, DescribeOptions, create, describe};
use asdfkit::ndl::{ConformanceOptions, Description, DifferenceOptions, ReadOptions, TextOptions, read_file};
use measure::Job;
use std::path::Path;

fn read(path: &Path) -> Description {
    let mut options = ReadOptions::default();
    options.limits.nodes = u64::MAX;
    let parsed = read_file(path, &options).expect("the description is read");
    assert!(parsed.is_valid(), "{:?}", parsed.diagnostics.first());
    parsed.description
}

/// Reads a description.
pub(crate) fn read_text(job: &Job) {
    job.measure(|| check_of(&read(&job.input)));
}

/// Writes the canonical text of a description that is read beforehand.
pub(crate) fn write_text(job: &Job) {
    let description = read(&job.input);
    job.measure(|| {
        let text = description.to_text(&TextOptions::default()).expect("the description is written");
        std::fs::write(&job.output, text).expect("the file is written");
        check_of(&description)
    });
}

/// Compares two descriptions that are read beforehand, then checks one as a file against the other as a specification.
pub(crate) fn compare(job: &Job) {
    let (one, other) = (read(&job.input), read(&job.input));
    job.measure(|| {
        let differences = one.differences(&other, &DifferenceOptions::default()).expect("they are compared");
        let violations = one.violations(&other, &ConformanceOptions::default()).expect("they are compared");
        (differences.len() + violations.len()) as f64
    });
}

/// Opens an ASDF file and creates its description.
pub(crate) fn describe_file(job: &Job) {
    job.measure(|| {
        let file = File::open(&job.input).expect("the input opens");
        check_of(&describe(&file, &DescribeOptions::default()).expect("the file is described").description)
    });
}

/// Creates an ASDF file from a description that is read beforehand, without waiting for the disk.
pub(crate) fn create_file(job: &Job) {
    let description = read(&job.input);
    let mut options = CreateOptions { max_bytes: u64::MAX, ..CreateOptions::default() };
    options.write.replace = true;
    options.write.durable = false;
    job.measure(|| {
        create(&description, &job.output, &options).expect("the file is made");
        check_of(&description)
    });
}

/// Returns the sum of the number of arrays and the number of values.
fn check_of(description: &Description) -> f64 {
    let values = description.ndarrays.iter().filter_map(|(_, ndarray)| ndarray.value.as_ref());
    (description.ndarrays.len() + values.map(|value| value.elements().len()).sum::<usize>()) as f64
}
