//! Hostile files: thousands of damaged files, and bombs made by hand. None may cause harm or lose content silently.
//!
//! `make test` tries a sample of them in this process. `make torture` tries all of them in child processes and measures
//! these.

mod bombs;
mod child;
mod fits;
mod measure;
mod mutants;
mod random;
mod visit;

use asdfkit::codec::Codec;
use bombs::BOMBS;
use measure::cost;
use mutants::{Mutant, Rule};
use visit::{Told, description, visit};

/// Maximum number of bytes read from one array or block.
const BUFFER: usize = 16 << 20;
/// Number of nodes on which all calls are tried, whether they fit the node or not.
const THOROUGH: usize = 300;
/// Maximum CPU time per file in seconds. For hostile files most of it is spent on the thorough reading in `visit`.
const MAX_SECONDS: f64 = 2.0;

/// Maximum memory in bytes for a file of this size. Nested empty lists such as `- - -` or `[],[],` need the most.
fn memory_allowed(size: usize) -> u64 {
    (64 << 20) + 24 * size as u64
}

/// Maximum memory for describing the file, and for writing and reading the description. Each list may become a group
/// with a long path name.
fn memory_allowed_described(size: usize) -> u64 {
    (128 << 20) + 128 * size as u64
}

/// Returns the violations in the reading of a mutant, compared with the undamaged file.
fn judge(rule: Rule, told: &Told, whole: &Told) -> Vec<String> {
    let mut violations = told.violations.clone();
    let same = told.content == whole.content;
    match rule {
        Rule::Free => {}
        Rule::Told if same || !told.alarms.is_subset(&whole.alarms) => {}
        Rule::Told => violations.push("other content, and nothing said so".to_owned()),
        Rule::Harmless if same => {}
        Rule::Harmless => violations.push("other content".to_owned()),
    }
    violations
}

#[test]
fn some_damaged_files() {
    let share = 97;
    let mut failures = Vec::new();
    for base in mutants::bases() {
        let ((), _, _) = cost(|| {
            let whole = visit(base.bytes.clone(), base.directory());
            assert!(whole.content.is_some(), "{} does not open: {whole:?}", base.name);
            let mut number = 0;
            mutants::each(&base, 1, &mut |Mutant { kind, rule, bytes }| {
                number += 1;
                if number % share == 0 {
                    let mut found = judge(rule, &visit(bytes.clone(), base.directory()), &whole);
                    found.extend(description(bytes));
                    failures.extend(found.iter().map(|text| format!("{} {number} ({kind}): {text}", base.name)));
                }
            });
        });
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn some_bombs() {
    // These take seconds without optimization.
    let slow = |name: &str| ["zeros by", "inline data doubled", "billion laughs"].iter().any(|s| name.starts_with(s));
    for (name, make) in BOMBS.iter().filter(|(name, _)| !slow(name)) {
        let bytes = make();
        if bytes.len() < 20_000 {
            let (mut told, _, _) = cost(|| visit(bytes.clone(), None));
            told.violations.extend(description(bytes));
            assert!(told.violations.is_empty(), "{name}: {:?}", told.violations);
        }
    }
}

/// A file of zeros with a compression factor of a thousand is not an attack.
#[test]
#[ignore = "slow without optimization"]
fn honest_compression_is_believed() {
    let honest = |name: &str| Codec::ALL.iter().any(|codec| name == format!("zeros by {}", codec.name()));
    for (name, make) in BOMBS.iter().filter(|(name, _)| honest(name)) {
        let told = visit(make(), None);
        assert!(told.content.is_some() && told.violations.is_empty() && told.alarms.is_empty(), "{name}: {told:?}");
    }
}
