//! Tests of regular expressions. Expected results are those of `re.search` in Python 3.11.

use super::{Pattern, TooCostly};

fn is_in(pattern: &str, text: &str) -> bool {
    let pattern = Pattern::new(pattern).unwrap_or_else(|error| panic!("{pattern}: {error}"));
    pattern.is_in(text).unwrap()
}

#[test]
fn expressions_are_found_as_in_python() {
    for (pattern, found, missed) in [
        ("", &["", "a"][..], &[][..]),
        ("b", &["abc"], &["ac"]),
        ("^a.c$", &["abc", "abc\n"], &["abcd", "a\nc", "abc\n\n"]),
        ("(?s)^a.c\\Z", &["a\nc"], &["abc\n"]),
        ("(?m)^b$", &["a\nb\nc"], &["ab"]),
        ("^(a|bc)*$", &["", "abcbca"], &["ab"]),
        ("^a{2,3}$", &["aa", "aaa"], &["a", "aaaa"]),
        ("^a{,2}$", &["", "aa"], &["aaa"]),
        ("^a{2}b{}$", &["aab{}"], &["aab"]),
        ("^x{a}$", &["x{a}"], &["xa"]),
        ("^(a{2}){2,}$", &["aaaa", "aaaaaa"], &["aaaaa", "aa"]),
        ("[^a-c\\d]", &["d"], &["abc123"]),
        ("^[]a-]+$", &["]a-"], &["b"]),
        ("^[a\\]\\-z]+$", &["a]-z"], &["b"]),
        ("\\bfoo\\b", &["a foo b"], &["food"]),
        ("^\\w+\\s\\d$", &["é_1\u{2003}٣"], &["é-1 3"]),
        ("(?a)^\\w+$", &["e_1"], &["é"]),
        ("(?i)^STRASSE$", &["strasse"], &["straße"]),
        ("(?i)^[a-c]Σ$", &["Bσ", "bς"], &["dσ"]),
        ("^(?i:a)b$", &["Ab"], &["AB"]),
        ("(?x) ^ a b \\  c $ # comment", &["ab c"], &["abc"]),
        ("foo(?=bar)", &["foobar"], &["foobaz"]),
        ("foo(?!bar)", &["foobaz"], &["foobar"]),
        ("(?<=a|b)c", &["bc"], &["dc", "c"]),
        ("(?<!ab)c", &["c", "bc"], &["abc"]),
        ("^(.)(.)\\2\\1$", &["abba"], &["abab"]),
        ("^(?P<q>['\"]).*(?P=q)$", &["'a'"], &["'a\""]),
        ("^(a)?b(?(1)c|d)$", &["abc", "bd"], &["abd", "bc"]),
        ("^(?>a*)a", &[], &["aaa"]),
        ("^a*+a", &[], &["aaa"]),
        ("^(a*)*$", &["", "aaa"], &["b"]),
        ("^(a|b|)+c\\1", &["abc"], &["ab"]),
        ("^\\x41\\u00e9\\101\\0$", &["AéA\0"], &["A"]),
        ("^[\\b\\t]$", &["\u{8}", "\t"], &["b"]),
        ("^(?:a+?b??)+$", &["aab"], &["c"]),
        ("\\A\\d{4}-\\d\\d\\Z", &["2026-01"], &["2026-01\n"]),
        ("a(?#comment)b", &["ab"], &["b"]),
        // Groups of looks and atomic groups are forgotten when these are taken back.
        ("(?!(?m:(?!(?<!b)(a)?(?(1)b|a).)_*))b", &[], &["abab"]),
        ("^(?:(?=(a))ab|a)(?(1)x|c)", &["ac"], &["ax"]),
        ("^(?:(?>(a))b|a)(?(1)x|c)$", &["ac"], &["ax"]),
        ("^(?!(a)b)a(?(1)x|c)", &["ac"], &["ax"]),
    ] {
        found.iter().for_each(|text| assert!(is_in(pattern, text), "{pattern} in {text:?}"));
        missed.iter().for_each(|text| assert!(!is_in(pattern, text), "{pattern} not in {text:?}"));
    }
}

#[test]
fn malformed_expressions_are_refused() {
    for pattern in [
        "(",
        ")",
        "a)",
        "[",
        "[b-a]",
        "*a",
        "a**",
        "a{3,2}",
        "\\",
        "\\q",
        "(?P<a>x)(?P<a>y)",
        "(?P=b)",
        "\\1",
        "(a\\1)",
        "(?<=a+)b",
        "(?<=a|bc)d",
        "[\\d-z]",
        "(?z)",
        "a(?i)b",
        "(?(2)a|b)",
        "(?P<1>a)",
        "\\x4",
        "[\\Z]",
        "^*",
        "a*+*",
    ] {
        assert!(Pattern::new(pattern).is_err(), "{pattern}");
    }
}

#[test]
fn the_work_of_patterns_is_bounded() {
    assert!(Pattern::new(&"a".repeat(1 << 17)).is_err());
    assert!(Pattern::new("((a{1000}){1000}){1000}").is_err());
    assert!(Pattern::new(&"(".repeat(1000)).is_err());
    assert!(!is_in("^(a+)+$", &format!("{}b", "a".repeat(1 << 12))));
    assert!(!is_in("(x+x+)+y", &"x".repeat(1 << 12)));
    let costly = Pattern::new("^(a+)+\\1$").unwrap().is_in(&format!("{}b", "a".repeat(64)));
    assert_eq!(costly, Err(TooCostly));
}
