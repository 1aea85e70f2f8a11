//! Texts that libFuzzer finds, judged as the tests of YAML judge theirs: this library and libyaml read the same, or the
//! difference is intended.
#![no_main]

#[path = "../../../tests/yaml/judge.rs"]
mod judge;
#[path = "../../../tests/yaml/libyaml.rs"]
mod libyaml;
#[path = "../../../tests/yaml/steps.rs"]
mod steps;

use libfuzzer_sys::fuzz_target;
use steps::{Step, anchors_of, steps_of};

fuzz_target!(|text: &str| {
    // libyaml has no types, and so no limit on the digits of a number in another base.
    if text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word.len() > 10_000) {
        return;
    }
    judge::judge(text);
});
