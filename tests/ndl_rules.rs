//! Rules of the description language, tested from outside: diagnostics of valid and invalid texts, and texts made to
//! cost much.

use asdfkit::ndl::{CdlOptions, Code, Language, Parsed, ReadOptions, TextOptions, parse};
use std::fmt::Write;

const RULES: &str = include_str!("ndl/rules.txt");

fn read(text: &str) -> Parsed {
    parse(text.as_bytes(), &ReadOptions::default())
}

/// Returns the bytes of a text with escapes.
fn unescaped(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some((before, escape)) = rest.split_once('\\') {
        out.extend_from_slice(before.as_bytes());
        let (kind, after) = escape.split_at(1);
        rest = after;
        match kind {
            "n" => out.push(b'\n'),
            "r" => out.push(b'\r'),
            "t" => out.push(b'\t'),
            "\\" => out.push(b'\\'),
            "x" => {
                out.push(u8::from_str_radix(&after[..2], 16).unwrap());
                rest = &after[2..];
            }
            "u" => {
                let (digits, after) = after.strip_prefix('{').and_then(|after| after.split_once('}')).unwrap();
                let character = char::from_u32(u32::from_str_radix(digits, 16).unwrap()).unwrap();
                out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                rest = after;
            }
            _ => panic!("the escape \\{kind}"),
        }
    }
    out.extend_from_slice(rest.as_bytes());
    out
}

#[test]
fn each_text_causes_exactly_its_diagnostics() {
    let mut wrong = Vec::new();
    let rules = RULES.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(" | "));
    assert!(rules.clone().count() > 400);
    for (expected, text) in rules {
        let parsed = parse(&unescaped(text), &ReadOptions::default());
        let mut found = String::new();
        for diagnostic in &parsed.diagnostics {
            let comma = if found.is_empty() { "" } else { ", " };
            let (line, column, code) = (diagnostic.line, diagnostic.column, diagnostic.code.name());
            let place = if diagnostic.place.is_empty() { String::new() } else { format!(" {}", diagnostic.place) };
            write!(found, "{comma}{line}:{column} {code}{place}").unwrap();
        }
        let expected = String::from_utf8(unescaped(expected)).unwrap();
        if found != expected.replace("valid", "") {
            wrong.push(format!("{text}\n    {found} instead of {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn valid_texts_survive_writing() {
    for (expected, text) in RULES.lines().filter_map(|line| line.split_once(" | ")) {
        let bytes = unescaped(text);
        let parsed = parse(&bytes, &ReadOptions::default());
        if !parsed.is_valid() {
            assert!(expected.contains(" E-"), "{text}");
            continue;
        }
        for grouped in [false, true] {
            let options = TextOptions { grouped, ..TextOptions::default() };
            let canonical = parsed.description.to_text(&options).unwrap();
            let again = read(&canonical);
            assert!(again.is_valid(), "{text}\n{canonical}\n{:?}", again.diagnostics);
            assert!(parsed.description.means_the_same(&again.description).unwrap(), "{text}\n{canonical}");
            assert_eq!(again.description.to_text(&options).unwrap(), canonical, "{text}");
        }
        // These may fail, but only with an error.
        parsed.description.to_json().unwrap();
        let _ = parsed.description.to_cdl(&CdlOptions { values: true, ..CdlOptions::default() });
        for language in [Language::C, Language::Fortran] {
            let _ = parsed.description.generate(language, "tried");
        }
    }
}

/// Each of these would take gigabytes or minutes.
/// NEL, LS and PS end lines in YAML 1.1 only. Here they are content, wherever a letter is.
#[test]
fn separators_of_yaml_1_1_are_content() {
    let bodies = [
        "  a: 'xéy'\n  b: \"éé\"\n",
        "  a: xéy\n  b: éx\n  c: xé\n",
        "  a: xé  y é\n",
        "  xéy: z\n  'é': z\n",
        "  a: 'xé\n    éy'\n",
        "  a: \"xé\\\n    éy\"\n",
        "  a: x\n    éy\n",
        "  a: |\n    xé\n    éy\n\n",
        "  a: >\n    xé\n    éy\n     éz\n",
        "  a: x # é b: y\n  # é\n  c: z\n",
        "  a: [x, 'é']\n",
        "  a: {shape: [2], datatype: [ucs4, 3], value: [xéy, éz]}\n",
        "  a: \"\\u00e9é\"\n",
    ];
    for body in bodies {
        // The letter takes as many bytes as the separator.
        for (separator, letter) in [("\u{85}", "é"), ("\u{2028}", "한"), ("\u{2029}", "한")] {
            let text = |letter| format!("attributes:\n{}", body.replace('é', letter));
            let (expected, found) = (read(&text(letter)), read(&text(separator)));
            let escape = separator.escape_unicode().to_string();
            let found_text = format!("{:?}", found.description).replace(&escape, letter);
            assert_eq!(found_text, format!("{:?}", expected.description), "{body:?} with {escape}");
            assert_eq!(found.error_count, expected.error_count, "{body:?} with {escape}");
        }
    }
}

#[test]
fn texts_made_to_cost_much_are_refused() {
    let long = "t".repeat(100_000);
    let aliases = "*a,".repeat(20_000);
    let deep = "/a".repeat(10_000);
    let many = |line: &dyn Fn(usize) -> String| (0..20_000).map(line).collect::<String>();
    for text in [
        format!("x-a: &a {long}\nx-b: [{aliases}]"),
        format!("x-a: &a {long}\nx-b: [{}]", "{*a : 1},".repeat(20_000)),
        format!("attributes:\n  a: &a {long}\n  b: {{shape: [20000], type: string, value: [{aliases}]}}"),
        format!("x-a: &a /{long}\nndarrays: {{a: {{shape: [{aliases}], type: int8}}}}"),
        format!("x-a: &a [{long}, {long}]\nx-b: [{aliases}]"),
        format!("? {deep}\n:"),
        format!(
            "? /{long}\n: {{ndarrays: {{{}}}}}",
            many(&|number| format!("n{number}: {{shape: [], type: int8}},\n"))
        ),
    ] {
        let parsed = read(&text);
        assert_eq!(parsed.unreadable().map(|diagnostic| diagnostic.code), Some(Code::Limit), "{}", &text[..40]);
    }
}

/// Time and memory must grow linearly with the text, not with its square.
#[test]
fn long_texts_take_linear_time() {
    const COUNT: usize = 10_000;
    let many = |line: &dyn Fn(usize) -> String| (0..COUNT).map(line).collect::<String>();
    let long = "t".repeat(1_000_000);
    let parsed = read(&format!("? /{long}\n: {{attributes: {{{}}}}}", many(&|number| format!("n{number}: ,"))));
    assert_eq!(parsed.error_count, COUNT as u64);
    assert!(!parsed.diagnostics.is_empty() && parsed.diagnostics.len() < 20);
    let constants = many(&|number| format!("c{number}: {number},"));
    let parsed = read(&format!(
        "ndarrays: {{a: {{shape: [{COUNT}], type: {{enum: {{members: {{{constants}}}}}}}, value: [{}]}}}}",
        many(&|_| format!("{},", COUNT - 1))
    ));
    assert!(parsed.is_valid());
    let members = many(&|number| format!("m{number}: int8,"));
    let parsed = read(&format!(
        "ndarrays: {{a: {{shape: [{COUNT}], type: {{compound: [{members}]}}, value: [{}]}}}}",
        "{},".repeat(COUNT)
    ));
    assert_eq!(parsed.error_count, COUNT as u64);
    let alike = "n".repeat(60);
    let text = format!("ndarrays:\n{}", many(&|number| format!("  {alike}{number}: {{shape: [~], type: int8}}\n")));
    let description = read(&text).description;
    for language in [Language::C, Language::Fortran] {
        assert!(description.generate(language, "tried").unwrap().len() > text.len());
    }
    assert!(description.to_cdl(&CdlOptions::default()).unwrap().contains(&format!("unlimited_1_{COUNT}")));
}
