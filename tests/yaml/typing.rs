//! Types of plain scalars, compared with a table made by PyYAML. If the environment variable `ASDFKIT_PYTHON` names a
//! Python with PyYAML, also compared with PyYAML itself.

use super::Random;
use asdfkit::internals::{Scalar, resolve};
use std::io::Write;
use std::process::{Command, Stdio};

/// Returns the meaning of a plain scalar in the notation of `type_scalars.py`.
fn meaning(text: &str) -> String {
    match resolve(text, true, None).unwrap() {
        Scalar::Null => "null".to_owned(),
        Scalar::Bool(value) => format!("bool {}", if value { "True" } else { "False" }),
        Scalar::Integer(value) => format!("int {value}"),
        Scalar::Float(value) if value.is_nan() => "float nan".to_owned(),
        Scalar::Float(value) => format!("float {:016x}", value.to_bits()),
        Scalar::Timestamp(_) => "timestamp".to_owned(),
        Scalar::String(_) | Scalar::Binary(_) => "str".to_owned(),
    }
}

#[test]
fn the_table_agrees() {
    let table = include_str!("scalars.txt");
    for line in table.lines() {
        let (text, expected) = line.split_once('\t').unwrap();
        let text: String = serde_json::from_str(text).unwrap();
        assert_eq!(meaning(&text), expected, "{text:?}");
    }
    assert!(table.lines().count() > 150);
}

#[test]
fn pyyaml_agrees() {
    let Some(python) = std::env::var_os("ASDFKIT_PYTHON") else {
        eprintln!("not run: ASDFKIT_PYTHON does not name a Python with PyYAML");
        return;
    };
    let texts = generated();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/yaml/type_scalars.py");
    let mut child =
        Command::new(python).arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("Python starts");
    let mut input = child.stdin.take().unwrap();
    let lines: String = texts.iter().map(|text| serde_json::to_string(text).unwrap() + "\n").collect();
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    let answers = String::from_utf8(output.stdout).unwrap();
    assert_eq!(answers.lines().count(), texts.len());
    for (text, expected) in texts.iter().zip(answers.lines()) {
        assert_eq!(meaning(text), expected.trim_start(), "{text:?}");
    }
}

/// Returns texts near the limits of the grammar: changed examples, and random characters of numbers and dates.
fn generated() -> Vec<String> {
    let examples: Vec<String> = include_str!("scalars.txt")
        .lines()
        .map(|line| serde_json::from_str(line.split_once('\t').unwrap().0).unwrap())
        .collect();
    let alphabets =
        ["0123456789", "01_.+-:", "0123456789.eE+-_:xb", "-:TtZ. 0123", "yesnotrufalYESNO~", "0.infNaNINF+-"];
    let mut random = Random(11);
    let mut texts = Vec::new();
    for _ in 0..100_000 {
        let alphabet: Vec<char> = random.pick(&alphabets).chars().collect();
        texts.push((0..1 + random.below(8)).map(|_| alphabet[random.below(alphabet.len())]).collect());
        let mut text: Vec<char> = examples[random.below(examples.len())].chars().collect();
        for _ in 0..=random.below(2) {
            let character = alphabet[random.below(alphabet.len())];
            let place = random.below(text.len() + 1);
            match random.below(3) {
                0 if place < text.len() => drop(text.remove(place)),
                1 if place < text.len() => text[place] = character,
                _ => text.insert(place, character),
            }
        }
        texts.push(text.into_iter().collect());
    }
    texts
}
