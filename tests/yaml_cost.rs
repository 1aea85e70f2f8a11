//! What hostile texts cost: time that grows with the length alone, and memory within a multiple of it.
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

/// Texts that repeat a part, between a start and an end: name, start, part, end.
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
    ("dates", "[", "2020-13-02, ", "]"),
    ("deep blocks", "", "- - - - - - - -\n", ""),
    ("pairs in items", "", "- a: b\n  c: d\n", ""),
    ("nearly runs", "", "a: b\nc:\n d\n", ""),
    ("lists that break runs", "[", "a, 'b''c', ", "]"),
];

fn text_of(shape: &str, length: usize) -> String {
    let &(_, start, part, end) = SHAPES.iter().find(|(name, ..)| *name == shape).expect("a known shape");
    format!("{start}{}{end}", part.repeat(length / part.len()))
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

#[test]
fn hostile_texts_take_time_and_memory_like_others() {
    let bound = 64 * MIB + 20 * LONG as u64;
    for (shape, ..) in SHAPES {
        let Some((factor, peak)) = measured(shape) else { return };
        assert!(peak < bound, "{shape}: {} MiB", peak / MIB);
        assert!(factor < FACTOR, "{shape}: {factor} times as long");
    }
}
