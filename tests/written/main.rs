//! The reader of the library reads all that its writers write with success, with the default options and the same
//! content. Writers refuse anything else by a typed error, and then leave the old file and no other one.
//!
//! All writers are tried with random content at the limits: names, texts, depths, ranks, extents, datatypes, storage.
//! The environment variable `ASDFKIT_WRITTEN` sets the number of cases of each kind, `ASDFKIT_WRITTEN_FROM` the first
//! one, to repeat a case that failed.

mod arrays;
mod content;
mod descriptions;
mod refused;
mod tables;
mod texts;
mod trees;

#[path = "../mutations/random.rs"]
mod random;

use asdfkit::{Error, Status};
use random::Lcg;
use std::panic::AssertUnwindSafe;

/// Runs a check for each case, with random numbers of its own. The check returns how many times something was written.
fn cases(default: u64, check: impl Fn(&mut Lcg, &str) -> usize) {
    let number = |name: &str, default| std::env::var(name).map_or(default, |number| number.parse().unwrap());
    let (first, count) = (number("ASDFKIT_WRITTEN_FROM", 0), number("ASDFKIT_WRITTEN", default));
    let (mut written, mut failed) = (0, 0);
    for case in first..first + count {
        let checked = AssertUnwindSafe(|| check(&mut Lcg::new(case), &format!("case {case}")));
        match std::panic::catch_unwind(checked) {
            Ok(writes) => written += writes,
            Err(_) => failed += 1,
        }
    }
    println!("{written} written in {count} cases");
    assert_eq!(failed, 0, "of {count} cases");
    assert!(written > 0 || count < 100);
}

/// Checks that an error is a refusal that a caller can act on.
fn check_refusal(error: &Error, case: &str) {
    let is_typed = !matches!(error.status(), Status::Internal | Status::OutOfMemory | Status::Io);
    assert!(is_typed && !error.message().is_empty(), "{case}: {:?} {error}", error.status());
}

#[test]
fn trees_are_read_as_they_were_written() {
    cases(500, trees::check);
}

#[test]
fn limits_of_writer_and_reader_are_the_same() {
    cases(800, trees::check_limits);
}

#[test]
fn tables_are_read_as_they_were_written() {
    cases(500, tables::check);
}

#[test]
fn descriptions_are_read_as_they_were_written() {
    cases(1_500, descriptions::check);
}
