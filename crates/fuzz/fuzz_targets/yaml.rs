//! Texts that libFuzzer finds, judged as the tests of YAML judge theirs: this library and libyaml read the same, or the
//! difference is intended.
#![no_main]

#[allow(dead_code, reason = "the tests use the list of differences")]
#[path = "../../../tests/yaml/judge.rs"]
mod judge;
#[allow(dead_code, reason = "the tests use the emitter")]
#[path = "../../../tests/yaml/libyaml.rs"]
mod libyaml;
#[path = "../../../tests/yaml/steps.rs"]
mod steps;

use asdfkit::internals::parse;
use asdfkit::{Error, Limits, Status};
use libfuzzer_sys::fuzz_target;
use steps::{Step, anchors_of, steps_of};

fuzz_target!(|text: &str| {
    // libyaml has no types, and so no limit on the digits of a number in another base.
    let is_long_number =
        |error: Error| error.status() == Status::Limit && error.message().contains("in a base other than ten");
    if parse(text.to_owned(), 0, 1, &Limits::default()).is_err_and(is_long_number) {
        return;
    }
    judge::judge(text);
});
