//! Cost of hostile texts: time in proportion to the length, and memory within a multiple of it.
//!
//! Each text is read by a process of its own. Only on systems that report the peak memory of a process and the
//! work of a thread (Linux).

use asdfkit::internals::parse;
use asdfkit::{Limits, Status};
use std::process::Command;
use std::time::Duration;

const KIB: usize = 1 << 10;
const MIB: u64 = 1 << 20;
/// Environment variable with the name of the shape that a child process reads.
const SHAPE: &str = "ASDFKIT_YAML_SHAPE";
/// Length of the long texts. A reader that is not optimized would take minutes for a mebibyte of each.
const LONG: usize = if cfg!(debug_assertions) { 256 * KIB } else { 1024 * KIB };
/// Length of the short texts.
const SHORT: usize = LONG / 8;
/// Time in which reading is repeated.
const REPEATED: Duration = Duration::from_millis(10);
/// The long text is 8 times as long as the short one. Work that grows with the square takes 64 times as long.
const FACTOR: f64 = 24.0;

/// Lists of lists, a hundred levels deep.
const DEEP: &str = concat!(
    "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[a",
    "]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]], "
);
/// The same as keys.
const DEEP_KEYS: &str = concat!(
    "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[a",
    "]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]:b, "
);

/// Texts that repeat a part, between a start and an end: name, start, part, end. `№` is replaced by a number, which
/// grows.
const SHAPES: &[(&str, &str, &str, &str)] = &[
    ("brackets", "", "[", ""),
    ("braces", "", "{", ""),
    ("closed brackets", "", "[]", ""),
    ("list of empty lists", "[", "[],", "]"),
    ("list of empty mappings", "[", "{},", "]"),
    ("closing brackets", "", "]", ""),
    ("brackets and keys", "", "[a: ", ""),
    ("braces and keys", "", "{a: ", ""),
    ("braces in braces", "", "{{", ""),
    ("keys in braces", "", "{? ", ""),
    ("lists that could be keys", "[", "[a], ", "]"),
    ("lists of lists that could be keys", "[", "[[a]: b, ", "]"),
    ("lists with a colon after each", "[", "[a]:b, ", "]"),
    ("mappings that could be keys", "{", "{a: b} : c, ", "}"),
    ("nested lists that could be keys", "[", "[[[[[[[[a]]]]]]]], ", "]"),
    ("quoted brackets", "[", "['[', \"]\"], ", "]"),
    ("colons after brackets", "[", "[a] :", "]"),
    ("tagged lists", "[", "!t [a], ", "]"),
    ("list of lists by lines", "", "- [a, b]\n", ""),
    ("lines of mappings as keys", "", "{a: b}: c\n", ""),
    ("anchors", "", "&a ", ""),
    ("anchors of items", "", "- &a\n", ""),
    ("anchored items", "[", "&a b, ", "]"),
    ("one long anchor", "&", "a", ""),
    ("aliases", "[&a b", ", *a", "]"),
    ("one long alias", "*", "a", ""),
    ("tags", "", "!a ", ""),
    ("tags of items", "", "- !a b\n", ""),
    ("tags with properties", "[", "!a !b", "]"),
    ("one long tag", "!", "a", " b"),
    ("escapes in a tag", "!", "%41", " b"),
    ("anchors and tags of items", "", "- &a !b c\n", ""),
    ("spaces", "", " ", ""),
    ("tabs", "", "\t", ""),
    ("tabs after a key", "a:", "\t", ""),
    ("spaces in a plain text", "a", " ", "b"),
    ("words with spaces", "", "a    ", ""),
    ("line breaks", "", "\n", ""),
    ("line breaks in a plain text", "a: b", "\n", " c"),
    ("carriage returns", "", "\r", ""),
    ("lines of blanks", "", "  \t\n", ""),
    ("one long key", "", "a", ": b"),
    ("long key with a colon", "", "a:", ": b"),
    ("a quoted key", "'", "a", "': b"),
    ("a key of lines", "'", "a\n", "': b"),
    ("explicit keys", "", "? ", ""),
    ("explicit keys by lines", "", "? a\n", ""),
    ("keys without values", "", "a:\n", ""),
    ("values without keys", "", ": ", ""),
    ("colons", "", ":", ""),
    ("keys in keys", "", "a: ", ""),
    ("nested items", "", "- ", ""),
    ("dashes", "", "-", ""),
    ("question marks", "", "?", ""),
    ("quoted line ends", "\"", "\\\n", "\""),
    ("quoted lines", "'", "a\n", "'"),
    ("quoted blanks and lines", "'a", " \n", "'"),
    ("quotes", "", "'", ""),
    ("double quotes", "", "\"", ""),
    ("escapes", "\"", "\\x41", "\""),
    ("open escapes", "\"", "\\\\", ""),
    ("quoted text without an end", "'", "a ", ""),
    ("quoted items", "[", "'',", "]"),
    ("comments", "", "#\n", ""),
    ("one long comment", "#", "#", ""),
    ("comments after items", "", "- a #\n", ""),
    ("comments in a list", "[a", " #\n", "]"),
    ("comments in a plain text", "a", "\n #", ""),
    ("commas", "", ",", ""),
    ("commas in a list", "[", ",", "]"),
    ("commas after words", "[", "a,", "]"),
    ("words of a list without an end", "[", "a, ", ""),
    ("words of a mapping without an end", "{", "a, ", ""),
    ("pairs of a mapping", "{", "a: b, ", "}"),
    ("pairs of a list", "[", "a: b, ", "]"),
    ("items", "", "- a\n", ""),
    ("items that go on", "", "- a\n  b\n", ""),
    ("literal text", "|\n", " a\n", ""),
    ("folded text", ">\n", " a\n", ""),
    ("folded lines", ">\n", " a\n\n", ""),
    ("folded text further in", ">\n", " a\n  b\n", ""),
    ("empty literal text", "|\n", "\n", ""),
    ("literal items", "", "- |\n", ""),
    ("document markers", "", "---\n", ""),
    ("end markers", "", "...\n", ""),
    ("directives", "", "%A\n", "---\n"),
    ("tag directives", "", "%TAG !a! b\n", "---\n"),
    ("separators", "", "\u{2028}", ""),
    ("separators in a text", "'", "a\u{2028}", "'"),
    ("separators and items", "\u{2028}", "- a\n", ""),
    ("byte order marks", "", "\u{feff}", ""),
    ("byte order marks by lines", "", "\u{feff}\n", ""),
    ("letters", "", "é", ""),
    ("letters of keys", "", "é: é\n", ""),
    ("merges", "a: &a {b: c}\n", "d:\n  <<: *a\n", ""),
    ("merges of one mapping", "a: &a {b: c}\n", "<<: *a\n", ""),
    ("merges of a list", "a: &a {b: c}\nd:\n  <<: [", "*a, ", "]\n"),
    ("equal keys", "", "a: b\n", ""),
    ("numbers", "[", "1.5, ", "]"),
    ("deep blocks", "", "- - - - - - - -\n", ""),
    ("pairs in items", "", "- a: b\n  c: d\n", ""),
    ("nearly runs", "", "a: b\nc:\n d\n", ""),
    ("different keys", "", "a№: b\n", ""),
    ("different keys in braces", "{", "a№: b, ", "}"),
    ("different tags", "", "- !a№ b\n", ""),
    ("different tags in full", "", "- !<a№> b\n", ""),
    ("different anchors", "", "- &a№ b\n", ""),
    ("different anchors and aliases", "[", "&a№ b, *a№, ", "]"),
    ("different handles", "", "%TAG !a№! b\n", "---\n"),
    ("dates that do not exist", "[", "2020-13-02, ", "]"),
    ("large numbers", "[", "123456789012345678901234567890, ", "]"),
    ("deep lists without a colon", "[", DEEP, "]"),
    ("deep lists with a colon", "[", DEEP_KEYS, "]"),
    ("nine levels", "[", "[[[[[[[[[a]]]]]]]]], ", "]"),
    ("nine levels that end badly", "[", "[[[[[[[[[a b: c]]]]]]]]], ", "]"),
    ("lists with blank lines", "[", "[a,\n\n\n\n\n\n\n\n", ""),
    ("keys with blank lines", "", "a:\n\n\n\n\n\n\n\n b\n", ""),
    ("lists that break runs", "[", "a, 'b''c', ", "]"),
];

fn text_of(shape: &str, length: usize) -> String {
    if let Some(text) = halves(shape, length) {
        return text;
    }
    let &(_, start, part, end) = SHAPES.iter().find(|(name, ..)| *name == shape).expect("a known shape");
    let mut text = start.to_owned();
    for number in 0.. {
        match part.split_once('№') {
            None => text.push_str(part),
            Some(_) => text.push_str(&part.replace('№', &number.to_string())),
        }
        if text.len() >= length {
            break;
        }
    }
    text + end
}

fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().trim_end_matches(" kB").parse::<u64>().ok()? << 10)
}

/// Returns the time that the processor has worked for this thread. Other processes do not change it.
fn worked() -> Option<Duration> {
    // The system adds the time up when it looks for another thread.
    std::thread::yield_now();
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    statistics.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// Returns the mean time that reading takes.
fn time_of(text: &str) -> Option<Duration> {
    let (start, mut count) = (worked()?, 0);
    loop {
        let result = parse(text.to_owned(), 0, 1, &Limits::default());
        let is_usual = |status| matches!(status, Status::Yaml | Status::Tree | Status::Limit | Status::TagContent);
        assert!(result.is_ok() || result.is_err_and(|error| is_usual(error.status())));
        count += 1;
        let time = worked()? - start;
        if time >= REPEATED {
            return Some(time / count);
        }
    }
}

/// Runs in child processes; not a separate test.
#[test]
#[ignore = "what the children run"]
fn child() {
    let Ok(shape) = std::env::var(SHAPE) else { return };
    let (short, long) = (text_of(&shape, SHORT), text_of(&shape, LONG));
    let before = peak();
    let (Some(short), Some(long)) = (time_of(&short), time_of(&long)) else { return };
    if let Some((before, after)) = before.zip(peak()) {
        println!("\nCOST {} {} {}", short.as_nanos(), long.as_nanos(), after - before);
    }
}

/// Returns the factor between the times of both lengths, and the peak memory. The memory at the start of the process
/// holds the texts.
fn measured(shape: &str) -> Option<(f64, u64)> {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child", "--ignored", "--nocapture", "--test-threads=1"])
        .env(SHAPE, shape)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{shape}: {text}{}", String::from_utf8_lossy(&output.stderr));
    let cost = text.lines().find_map(|line| line.strip_prefix("COST "))?;
    let mut cost = cost.split(' ').map(|number| number.parse::<u64>().unwrap());
    let (short, long, peak) = (cost.next()?, cost.next()?, cost.next()?);
    println!(
        "{shape}: {long} ns for {LONG} bytes, {:.1} times as long, {} KiB",
        long as f64 / short as f64,
        peak >> 10
    );
    Some((long as f64 / short as f64, peak))
}

/// Texts whose start is as long as the rest: name, and start and part of the rest.
fn halves(shape: &str, length: usize) -> Option<String> {
    let half = length / 2;
    let counted = |part: &str| {
        let mut text = String::new();
        let mut number = 0;
        while text.len() < half {
            text.push_str(&part.replace('№', &number.to_string()));
            number += 1;
        }
        text
    };
    Some(match shape {
        "long prefix of tags" => format!("%TAG ! {}\n---\n{}", "a".repeat(half), counted("- !t№ a\n")),
        "long prefix of two tags" => format!("%TAG ! {}\n---\n{}", "a".repeat(half), counted("- !s a\n- !t a\n")),
        "merges of many keys" => format!("- &a\n{}{}", counted("  a№: b\n"), counted("- <<: *a\n")),
        "many keys in merges" => format!("- &a\n{}- {{<<: [{}]}}\n", counted("  a№: b\n"), counted("*a,")),
        "many anchors of one name" => format!("{}{}", counted("- &a b\n"), counted("- *a\n")),
        "long anchor and its aliases" => format!("- &{} b\n{}", "a".repeat(half), counted("- *a\n")),
        "long line, then errors" => format!("{}\n{}", "a ".repeat(half / 2), counted("a: b\n")),
        "blank lines, then dates" => format!("{}{}", "\n".repeat(half), counted("- 2020-13-02\n")),
        _ => return None,
    })
}

const HALVES: &[&str] = &[
    "long prefix of tags",
    "long prefix of two tags",
    "merges of many keys",
    "many keys in merges",
    "many anchors of one name",
    "long anchor and its aliases",
    "long line, then errors",
    "blank lines, then dates",
];

#[test]
fn hostile_texts_take_time_and_memory_like_others() {
    let bound = 64 * MIB + 20 * LONG as u64;
    for shape in SHAPES.iter().map(|(name, ..)| *name).chain(HALVES.iter().copied()) {
        let Some((factor, peak)) = measured(shape) else { return };
        assert!(peak < bound, "{shape}: {} MiB", peak / MIB);
        assert!(factor < FACTOR, "{shape}: {factor} times as long");
    }
}
