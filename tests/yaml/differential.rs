//! Random texts, read by this library and by libyaml: the same events, or both refuse, or the difference is intended.
//! The environment variable `ASDFKIT_YAML_DOCUMENTS` sets the number of texts of each test.
//! `ASDFKIT_YAML_FOLDER` names a folder of further texts, for example the cases of yaml-test-suite.

use super::Random;
use super::judge::{Verdict, judge};
use super::texts::{lines, lists, long_list, mutated, seeds, soup, texts_in};
use std::collections::HashMap;

fn count(default: usize) -> usize {
    std::env::var("ASDFKIT_YAML_DOCUMENTS").map_or(default, |count| count.parse().expect("a number"))
}

/// Judges texts. At least one of twenty must be read by both readers.
fn judge_all(what: &str, texts: impl Iterator<Item = String>) {
    let mut verdicts: HashMap<Verdict, usize> = HashMap::new();
    for text in texts {
        *verdicts.entry(judge(&text)).or_default() += 1;
    }
    let all: usize = verdicts.values().sum();
    println!("{all} {what}: {verdicts:?}");
    assert!(verdicts.get(&Verdict::Read).is_some_and(|read| *read > all / 20), "{verdicts:?}");
}

/// Judges texts that are made from random numbers.
fn judge_random(what: &str, seed: u64, count: usize, make: fn(&mut Random) -> String) {
    let mut random = Random(seed);
    judge_all(what, (0..count).map(|_| make(&mut random)));
}

#[test]
fn random_parts_read_alike() {
    judge_random("texts of random parts", 31, count(20_000), soup);
}

#[test]
fn mutated_texts_read_alike() {
    let mut random = Random(32);
    let seeds = seeds();
    judge_all("mutated texts", (0..count(50_000)).map(|number| mutated(&seeds[number % seeds.len()], &mut random)));
}

#[test]
fn texts_of_the_corpora_read_alike() {
    judge_all("texts of the corpora", seeds().into_iter());
}

#[test]
fn texts_of_a_folder_read_alike() {
    match std::env::var_os("ASDFKIT_YAML_FOLDER") {
        Some(folder) => judge_all("texts of the folder and beginnings of them", texts_in(folder.into())),
        None => eprintln!("not run: ASDFKIT_YAML_FOLDER does not name a folder"),
    }
}

#[test]
fn lines_that_break_off_read_alike() {
    judge_random("texts of lines", 33, count(20_000), lines);
}

#[test]
fn lists_that_break_off_read_alike() {
    judge_random("lists", 34, count(20_000), lists);
}

#[test]
fn mutated_lines_and_lists_read_alike() {
    let mut random = Random(35);
    let texts = (0..count(20_000)).map(|number| {
        let text = if number % 2 == 0 { lines(&mut random) } else { lists(&mut random) };
        mutated(&text, &mut random)
    });
    judge_all("mutated lines and lists", texts);
}

#[test]
fn lists_longer_than_a_run_read_alike() {
    judge_random("long lists", 36, (count(20_000) / 1000).max(1), long_list);
}
