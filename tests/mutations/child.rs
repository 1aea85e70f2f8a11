//! All hostile files, read in child processes: these may crash or hang, and their time and memory are measured.

use crate::bombs::BOMBS;
use crate::measure::{Watch, cost};
use crate::mutants::{self, Mutant};
use crate::visit::{description, visit};
use crate::{MAX_SECONDS, judge, memory_allowed, memory_allowed_described};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Environment variable with the task of a child: `mutants BASE SEED FROM` or `bombs FROM`. FROM is the first case to
/// try.
const TASK: &str = "ASDFKIT_MUTATIONS_TASK";
/// Address space of a child in KiB, so that an error cannot use up the memory of the machine.
const ADDRESS_SPACE: u64 = 4 << 20;

static WATCH: Watch = Watch::new();

#[test]
#[ignore = "takes minutes"]
fn all_damaged_files() {
    let seeds: u64 = std::env::var("ASDFKIT_MUTATIONS_SEEDS").map_or(1, |text| text.parse().unwrap());
    let mut failures = Vec::new();
    let mut cases = 0;
    for seed in 1..=seeds {
        for (number, base) in mutants::bases().iter().enumerate() {
            let task = format!("mutants {number} {seed}");
            cases += run(&task, &mut |text| failures.push(format!("{}, seed {seed}, {text}", base.name)));
        }
    }
    println!("{cases} damaged files");
    assert!(failures.is_empty(), "{} failures: {failures:#?}", failures.len());
}

#[test]
#[ignore = "takes minutes"]
fn all_bombs() {
    let mut failures = Vec::new();
    let cases = run("bombs", &mut |text| failures.push(text));
    assert_eq!(cases, BOMBS.len());
    assert!(failures.is_empty(), "{} failures: {failures:#?}", failures.len());
}

/// Runs a task in child processes until all cases are tried. After a crash, a new child continues with the next case.
fn run(task: &str, fail: &mut dyn FnMut(String)) -> usize {
    let mut next = 0;
    loop {
        let mut child = Command::new("sh")
            .args(["-c", &format!("ulimit -v {ADDRESS_SPACE}; exec \"$0\" \"$@\"")])
            .arg(std::env::current_exe().unwrap())
            .args(["--exact", "child::child", "--ignored", "--nocapture", "--test-threads=1"])
            .env(TASK, format!("{task} {next}"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let errors = child.stderr.take().unwrap();
        let errors = std::thread::spawn(move || std::io::read_to_string(errors).unwrap_or_default());
        let mut last = String::new();
        let mut done = false;
        for line in BufReader::new(child.stdout.take().unwrap()).lines() {
            let line = line.unwrap();
            if let Some(case) = line.strip_prefix("CASE ") {
                last = case.to_owned();
                next += 1;
            } else if let Some(text) = line.strip_prefix("BAD ") {
                fail(format!("{last}: {text}"));
            }
            done |= line == "DONE";
        }
        let status = child.wait().unwrap();
        if done {
            return next;
        }
        let errors = errors.join().unwrap();
        let tail: Vec<&str> = errors.lines().rev().take(6).collect();
        fail(format!("{last}: {status}: {tail:?}"));
    }
}

/// Runs in child processes; not a separate test.
#[test]
#[ignore = "what the children run"]
fn child() {
    let Ok(task) = std::env::var(TASK) else { return };
    // The first line contains the name of the test.
    println!();
    WATCH.start(Duration::from_secs(60));
    let words: Vec<&str> = task.split(' ').collect();
    let number = |position: usize| words[position].parse::<usize>().unwrap();
    match words[0] {
        "mutants" => all_mutants(number(1), number(2) as u64, number(3)),
        _ => {
            for (name, make) in &BOMBS[number(1)..] {
                case(name);
                let bytes = make();
                let size = bytes.len();
                let (told, seconds, memory) = cost(|| visit(bytes.clone(), None));
                report(size, seconds, memory, memory_allowed(size));
                told.violations.iter().for_each(|text| bad(text));
                let described = describe(bytes);
                if std::env::var_os("ASDFKIT_MUTATIONS_VERBOSE").is_some() {
                    for (what, seconds, memory) in [("read", seconds, memory), ("described", described.0, described.1)]
                    {
                        eprintln!("{seconds:6.2} s {:6} MiB for {:6} KiB: {name}, {what}", memory >> 20, size >> 10);
                    }
                }
            }
        }
    }
    println!("DONE");
}

fn all_mutants(base: usize, seed: u64, from: usize) {
    let base = &mutants::bases()[base];
    let whole = visit(base.bytes.clone(), base.directory());
    if !whole.alarms.is_empty() {
        eprintln!("{}: {:?}", base.name, whole.alarms);
    }
    let mut number = 0;
    mutants::each(base, seed, &mut |Mutant { kind, rule, bytes }| {
        number += 1;
        if number <= from {
            return;
        }
        case(&format!("{number} ({kind})"));
        let size = bytes.len();
        let (told, seconds, memory) = cost(|| visit(bytes.clone(), base.directory()));
        report(size, seconds, memory, memory_allowed(size));
        describe(bytes);
        judge(rule, &told, &whole).iter().for_each(|text| bad(text));
    });
}

/// Announces a case before it runs, so that the parent knows which case ended a child.
fn case(name: &str) {
    WATCH.next_case();
    println!("CASE {name}");
    let _ = std::io::stdout().flush();
}

fn bad(text: &str) {
    println!("BAD {}", text.escape_debug());
}

/// Describes a file. Returns the time in seconds and the memory in bytes.
fn describe(bytes: Vec<u8>) -> (f64, u64) {
    let size = bytes.len();
    let (violation, seconds, memory) = cost(|| description(bytes));
    report(size, seconds, memory, memory_allowed_described(size));
    violation.iter().for_each(|text| bad(text));
    (seconds, memory)
}

fn report(size: usize, seconds: f64, memory: u64, memory_allowed: u64) {
    if seconds > MAX_SECONDS {
        bad(&format!("{seconds:.1} seconds for {size} bytes"));
    }
    if memory > memory_allowed {
        bad(&format!("{} MiB of memory for {size} bytes", memory >> 20));
    }
}

/// Writes a sample of the hostile files into a directory, for tests in other languages.
#[test]
#[ignore = "makes files"]
fn write_files() {
    let Some(directory) = std::env::var_os("ASDFKIT_MUTATIONS_DIRECTORY").map(std::path::PathBuf::from) else { return };
    std::fs::create_dir_all(&directory).unwrap();
    let share: usize = std::env::var("ASDFKIT_MUTATIONS_SHARE").map_or(97, |text| text.parse().unwrap());
    for base in mutants::bases() {
        for other in base.directory().into_iter().flat_map(|others| std::fs::read_dir(others).unwrap()) {
            let other = other.unwrap();
            std::fs::copy(other.path(), directory.join(other.file_name())).unwrap();
        }
        let mut number = 0;
        mutants::each(&base, 1, &mut |Mutant { bytes, .. }| {
            number += 1;
            if number % share == 0 {
                std::fs::write(directory.join(format!("{}-{number}.asdf", base.name)), bytes).unwrap();
            }
        });
    }
    for (number, (_, make)) in BOMBS.iter().enumerate() {
        let bytes = make();
        if bytes.len() < 1 << 20 {
            std::fs::write(directory.join(format!("bomb-{number}.asdf")), bytes).unwrap();
        }
    }
}
