//! Runs a corpus of files through the library and reports differences: `conformance asdf DIR`, `conformance ecsv DIR`,
//! `conformance ndl DIR`, `conformance wcs DIR`.
//!
//! DIR contains a `manifest.json` with the expected result of each file or, for ASDF files, pairs
//! `NAME.asdf`/`NAME.yaml` with the same content. Prints a line for each entry that fails, and ends with `N passed, N
//! failed, N skipped`. The exit status is 1 if an entry failed and 2 if there was nothing to run.

mod arrays;
mod described;
#[cfg(test)]
mod detects_asdf;
#[cfg(test)]
mod detects_ndl;
#[cfg(test)]
mod detects_tables;
mod hex;
mod manifest;
mod metadata;
mod ndl;
mod ndl_asdf;
mod pairs;
mod tables;
mod timestamp;
mod typed_json;
mod units;
mod verdict;
mod walk;
mod wcs;

use std::path::Path;
use std::process::ExitCode;
use verdict::Verdict;

const USAGE: &str = "usage: conformance asdf|ecsv|ndl|wcs DIR";

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [format, directory] = arguments.as_slice() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let directory = Path::new(directory);
    let verdicts = match format.to_str() {
        Some("asdf") => run_asdf(directory),
        Some("ecsv") => tables::run(&directory.join("manifest.json")),
        Some("ndl") => ndl::run(&directory.join("manifest.json")),
        Some("wcs") => wcs::run(&directory.join("manifest.json")),
        _ => Err(USAGE.to_owned()),
    };
    match verdicts {
        Ok(verdicts) if verdicts.is_empty() => {
            eprintln!("{}: there is nothing to compare", directory.display());
            ExitCode::from(2)
        }
        Ok(verdicts) => report(&verdicts),
        Err(reason) => {
            eprintln!("{reason}");
            ExitCode::from(2)
        }
    }
}

/// Returns the name and verdict of each entry of a corpus of ASDF files.
fn run_asdf(directory: &Path) -> Result<Vec<(String, Verdict)>, String> {
    let manifest = directory.join("manifest.json");
    if manifest.is_file() { manifest::run(&manifest) } else { pairs::run(directory) }
}

fn report(verdicts: &[(String, Verdict)]) -> ExitCode {
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    for (name, verdict) in verdicts {
        match verdict {
            Verdict::Passed => passed += 1,
            Verdict::Skipped => skipped += 1,
            Verdict::Failed(reason) => {
                failed += 1;
                println!("{name}: {}", reason.replace(['\n', '\r'], " "));
            }
        }
    }
    println!("{passed} passed, {failed} failed, {skipped} skipped");
    ExitCode::from(u8::from(failed > 0))
}
