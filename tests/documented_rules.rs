//! docs/reference/ndl-rules.md lists every code of diagnostics, with a text that causes it and a valid one.

use asdfkit::ndl::{Code, ReadOptions, parse};

#[test]
fn each_rule_has_a_wrong_and_a_right_text() {
    let page = include_str!("../docs/reference/ndl-rules.md");
    let mut listed = Vec::new();
    let mut wrong = Vec::new();
    for row in page.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(|cell| cell.trim().trim_matches('`')).collect();
        let [code, _, bad, good] = cells[..] else { panic!("{row}") };
        let codes = |text: &str| -> Vec<&str> {
            let text = text.replace('⏎', "\n").replace('␀', "\0");
            let text = if text.contains("300 nested") { "[".repeat(300) } else { text };
            parse(text.as_bytes(), &ReadOptions::default()).diagnostics.iter().map(|found| found.code.name()).collect()
        };
        listed.push(code);
        if codes(bad) != [code] || !codes(good).is_empty() {
            wrong.push(format!("{code}: {:?} for {bad}; {:?} for {good}", codes(bad), codes(good)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let all: Vec<&str> = Code::ALL.iter().map(|code| code.name()).collect();
    assert_eq!(listed, all);
}
