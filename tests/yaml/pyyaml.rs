//! Texts that PyYAML writes from random data in random styles, widths and indentations, read as PyYAML reads them.
//!
//! Runs if the environment variable `ASDFKIT_PYTHON` names a Python with PyYAML. `ASDFKIT_YAML_TEXTS` sets the number of
//! texts.

use super::{Step, steps_of};
use asdfkit::Limits;
use asdfkit::internals::{Style, parse};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

/// Number of texts of one process.
const CHUNK: usize = 5000;

fn text_of(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

/// Returns a step from its form in `write_yaml.py`.
fn step_of(event: &Value) -> Step {
    let tag = |value: &Value| value.as_str().map(str::to_owned);
    let collection = |style: &Value| if style == "flow" { Style::Flow } else { Style::Block };
    match event[0].as_str() {
        Some("scalar") => {
            let style = match event[3].as_str() {
                Some("'") => Style::SingleQuoted,
                Some("\"") => Style::DoubleQuoted,
                Some("|") => Style::Literal,
                Some(">") => Style::Folded,
                _ => Style::Plain,
            };
            Step::Scalar { value: text_of(&event[1]), tag: tag(&event[2]), style }
        }
        Some("sequence") => Step::Sequence { tag: tag(&event[1]), style: collection(&event[2]) },
        Some("mapping") => Step::Mapping { tag: tag(&event[1]), style: collection(&event[2]) },
        Some("alias") => Step::Alias(event[1].as_u64().expect("a number") as usize),
        _ => Step::End,
    }
}

/// Compares `count` texts that the seed makes. Returns their length.
fn compare(python: &std::ffi::OsStr, count: usize, seed: usize) -> usize {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/yaml/write_yaml.py");
    let mut command = Command::new(python);
    command.arg(script).args([count.to_string(), seed.to_string()]).stdout(Stdio::piped());
    let mut child = command.spawn().expect("Python starts");
    let output = BufReader::new(child.stdout.take().unwrap());
    let (mut read, mut length) = (0, 0);
    for line in output.lines() {
        let line: Value = serde_json::from_str(&line.unwrap()).expect("JSON");
        let text = text_of(&line[0]);
        let expected: Vec<Step> = line[1].as_array().expect("events").iter().map(step_of).collect();
        length += text.len();
        read += 1;
        match parse(text.clone(), 0, 1, &Limits::default()) {
            Ok(parsed) => assert_eq!(steps_of(&parsed.tree), expected, "{text:?}"),
            Err(error) => panic!("{error}: {text:?}"),
        }
    }
    assert!(child.wait().unwrap().success());
    assert_eq!(read, count);
    length
}

#[test]
fn texts_that_pyyaml_writes_read_alike() {
    let Some(python) = std::env::var_os("ASDFKIT_PYTHON") else {
        eprintln!("not run: ASDFKIT_PYTHON does not name a Python with PyYAML");
        return;
    };
    let count: usize = std::env::var("ASDFKIT_YAML_TEXTS").map_or(2000, |count| count.parse().expect("a number"));
    let mut length = 0;
    for seed in 0..count.div_ceil(CHUNK) {
        length += compare(&python, CHUNK.min(count - seed * CHUNK), seed);
    }
    println!("{count} texts of PyYAML, {length} bytes");
}
