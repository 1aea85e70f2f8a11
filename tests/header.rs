//! `include/asdf.h` is what the code of the room `ffi` says. `UPDATE_HEADER=1 cargo test header` writes it anew.
//!
//! Each file of the room becomes a group: the part of its opening comment from the heading on, then what cbindgen
//! finds in it.

use asdfkit::ffi::options::table::{CALLS, COMMON, option_of};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The files that make groups, in reading order.
const GROUPS: &[&str] = &[
    "boundary/version",
    "boundary/status",
    "boundary/error",
    "boundary/types",
    "boundary/report",
    "boundary/lent",
    "options/keys",
    "options/handle",
    "file/open",
    "node/look",
    "node/read",
    "array/datatype",
    "array/options",
    "array/read",
    "array/mask",
    "array/view",
    "array/chunk_map",
    "node/write",
    "node/edit",
    "file/history",
    "node/large_array",
    "file/write",
    "node/stream",
    "file/recover",
    "table/look",
    "table/read",
    "table/build",
    "table/logical",
    "table/asdf",
    "ndl/read",
    "ndl/walk",
    "ndl/datatype",
    "ndl/storage",
    "ndl/values",
    "ndl/build",
    "ndl/write",
    "ndl/compare",
    "ndl/asdf",
    "table/ecsv_read",
    "table/ecsv_write",
    "table/arrow",
    "file/blocks",
    "boundary/buffer",
    "file/access",
    "file/codec",
];

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("src/ffi/{name}.rs"))
}

/// The opening comment of a file from its heading on: title and text.
fn heading(name: &str) -> (String, String) {
    let code = std::fs::read_to_string(source(name)).unwrap();
    let comment = code.lines().map_while(|line| line.strip_prefix("//!"));
    let mut lines =
        comment.map(|line| line.strip_prefix(' ').unwrap_or(line)).skip_while(|line| !line.starts_with("# "));
    let title = lines.next().unwrap_or_else(|| panic!("src/ffi/{name}.rs has no heading"));
    let mut text = String::new();
    let mut example = false;
    for line in lines {
        if line.starts_with("```") {
            example = !example;
        } else {
            let indent = if example && !line.is_empty() { "    " } else { "" };
            writeln!(text, "{indent}{line}").unwrap();
        }
    }
    (title[2..].to_owned(), text.trim_matches('\n').to_owned())
}

fn comment(out: &mut String, text: &str) {
    out.push_str("/*\n");
    for line in text.lines() {
        writeln!(out, "{}", format!(" * {line}").trim_end()).unwrap();
    }
    out.push_str(" */\n");
}

fn declarations(name: &str) -> String {
    let config = cbindgen::Config::from_file(concat!(env!("CARGO_MANIFEST_DIR"), "/cbindgen.toml")).unwrap();
    let bindings = cbindgen::Builder::new().with_config(config).with_src(source(name)).generate().unwrap();
    let mut out = Vec::new();
    bindings.write(&mut out);
    compact_constants(String::from_utf8(out).unwrap().trim())
}

/// Puts the comments of constants behind them, in columns.
fn compact_constants(declarations: &str) -> String {
    let mut out = String::new();
    let mut constants: Vec<(&str, &str)> = Vec::new();
    let parts = declarations.split("\n\n").map(|part| {
        let constant = part.strip_prefix("/**\n * ").and_then(|part| part.split_once("\n */\n#define "));
        (part, constant.filter(|(comment, code)| !comment.contains('\n') && comment.len() + code.len() < 80))
    });
    for (part, constant) in parts.chain([("", None)]) {
        if let Some((comment, code)) = constant {
            constants.push((code, comment));
            continue;
        }
        let width = constants.iter().map(|(code, _)| code.len()).max().unwrap_or(0);
        for (code, comment) in &constants {
            writeln!(out, "#define {code:<width$} /**< {comment} */").unwrap();
        }
        if !constants.is_empty() {
            out.push('\n');
            constants.clear();
        }
        write!(out, "{part}\n\n").unwrap();
    }
    out.trim_end().to_owned()
}

/// Opaque types as their file has them; cbindgen orders them by name.
fn in_order_of_source(declarations: &str, name: &str) -> String {
    let code = std::fs::read_to_string(source(name)).unwrap();
    let mut parts: Vec<&str> = declarations.split("\n\n").collect();
    parts.sort_by_key(|part| code.find(&format!("pub enum {} {{}}", part.rsplit([' ', ';']).nth(1).unwrap())));
    parts.join("\n\n")
}

/// The tables of what each call knows.
fn option_tables(out: &mut String) {
    let mut text =
        String::from("Options of calls. Each table names the calls, then option, type and default; a default\n");
    text.push_str("that is not given stands in the meaning of the option above.\n");
    let table = |text: &mut String, keys: &[i32]| {
        for &key in keys {
            let option = option_of(key).unwrap();
            let row = format!("  {:<34} {:<28} {}", option.name, option.kind.in_words(), option.default);
            writeln!(text, "{}", row.trim_end()).unwrap();
        }
    };
    text.push_str("\nEvery call with options\n");
    table(&mut text, COMMON);
    for calls in CALLS {
        let lasts = if calls.lasts { ", which last as long as what the call makes" } else { "" };
        write!(text, "\n{}{lasts}\n ", calls.title).unwrap();
        let mut width = 1;
        for function in calls.functions {
            if width + function.len() > 110 {
                text.push_str("\n ");
                width = 1;
            }
            write!(text, " {function}").unwrap();
            width += function.len() + 1;
        }
        text.push('\n');
        table(&mut text, &calls.keys.concat());
    }
    out.push('\n');
    comment(out, &text);
}

fn header() -> String {
    let (title, overview) = heading("mod");
    let mut out = String::new();
    comment(&mut out, &format!("{title}\n\n{overview}\n\nSPDX-License-Identifier: MIT OR Apache-2.0"));
    out.push_str("\n#ifndef ASDFKIT_ASDF_H\n#define ASDFKIT_ASDF_H\n\n#include <stddef.h>\n#include <stdint.h>\n\n");
    out.push_str("#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    for name in GROUPS {
        let (title, text) = heading(name);
        let rule = "-".repeat(116 - title.len());
        out.push('\n');
        comment(&mut out, format!("{title} {rule}\n\n{text}").trim_end());
        // What cbindgen cannot write stands beside.
        let beside = std::fs::read_to_string(source(name).with_extension("h")).unwrap_or_default();
        out.push_str(&beside.lines().map(|line| format!("{line}\n")).collect::<String>());
        let mut code = declarations(name);
        if *name == "boundary/types" {
            code = in_order_of_source(&code, name);
        }
        write!(out, "\n{code}\n").unwrap();
        if *name == "options/keys" {
            option_tables(&mut out);
        }
    }
    out.push_str("\n#ifdef __cplusplus\n} /* extern \"C\" */\n#endif\n\n#endif /* ASDFKIT_ASDF_H */\n");
    out
}

#[test]
fn the_header_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("include/asdf.h");
    let expected = header();
    if std::env::var_os("UPDATE_HEADER").is_some() {
        std::fs::write(&path, &expected).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    let difference = found.lines().zip(expected.lines()).position(|(found, expected)| found != expected);
    assert!(
        found == expected,
        "include/asdf.h is not current from line {} on: run UPDATE_HEADER=1 cargo test header",
        difference.unwrap_or(0) + 1
    );
}

#[test]
fn no_line_is_too_long() {
    for line in header().lines() {
        assert!(line.chars().count() <= 120, "{line}");
    }
}

#[test]
fn each_file_with_functions_is_a_group() {
    let room = source("mod").parent().unwrap().to_owned();
    let mut folders = vec![room.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(&room).unwrap().with_extension("").to_str().unwrap().to_owned();
            let exports = std::fs::read_to_string(&path).unwrap().contains("#[unsafe(no_mangle)]");
            assert!(!exports || GROUPS.contains(&&*name), "src/ffi/{name}.rs is not in the header");
        }
    }
}

/// The functions that the header declares, each with its comment and its declaration.
fn functions() -> Vec<(String, String, String)> {
    let header = header();
    let mut out = Vec::new();
    for part in header.split("/**\n").skip(1) {
        let (comment, code) = part.split_once("*/").unwrap();
        let declaration = code.split(';').next().unwrap().trim();
        if let Some((before, _)) = declaration.split_once('(')
            && !declaration.starts_with("typedef")
            && !declaration.starts_with('#')
        {
            let name = before.rsplit([' ', '*']).next().unwrap();
            out.push((name.to_owned(), comment.to_owned(), declaration.to_owned()));
        }
    }
    out
}

#[test]
fn each_function_is_documented_to_the_last_parameter() {
    for (name, comment, declaration) in functions() {
        assert!(comment.contains("@since "), "{name} has no @since");
        let parameters = &declaration[declaration.find('(').unwrap() + 1..declaration.rfind(')').unwrap()];
        for parameter in parameters.split(',').filter(|parameter| parameter.trim() != "void") {
            let parameter = parameter.rsplit([' ', '*', '\n']).next().unwrap();
            let described = comment.split_whitespace().collect::<Vec<_>>();
            assert!(
                described.windows(2).any(|words| words == ["@param", parameter]),
                "{name} does not describe its parameter {parameter}"
            );
        }
    }
}

/// The C tests without white space: those of arguments, and all others.
fn c_tests() -> (String, String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c");
    let (mut arguments, mut others) = (String::new(), String::new());
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "c") {
            let text = std::fs::read_to_string(&path).unwrap();
            let into = if path.ends_with("test_arguments.c") { &mut arguments } else { &mut others };
            into.extend(text.split_whitespace());
        }
    }
    (arguments, others)
}

#[test]
fn each_function_with_options_has_a_table() {
    let tables: Vec<&str> = CALLS.iter().flat_map(|calls| calls.functions).copied().collect();
    let mut declared = Vec::new();
    for (name, _, declaration) in functions() {
        if declaration.contains("const asdf_options *options") && !name.starts_with("asdf_options_") {
            assert!(tables.contains(&&*name), "{name} stands in no table of src/ffi/options/table.rs");
            declared.push(name);
        }
    }
    for name in tables {
        assert!(declared.iter().any(|function| function == name), "{name} is no function with options");
    }
}

#[test]
fn each_function_is_called_from_c() {
    let (_, tests) = c_tests();
    for (name, ..) in functions() {
        // Some go to a helper by name.
        let called = [format!("{name}("), format!("{name},"), format!("{name})")];
        assert!(called.iter().any(|call| tests.contains(call)), "no C test calls {name}");
    }
}

#[test]
fn each_pointer_is_tried_with_null_and_each_handle_with_another_kind() {
    let (tests, _) = c_tests();
    for (name, comment, declaration) in functions() {
        if !declaration.starts_with("asdf_status ") {
            continue;
        }
        let comment: Vec<&str> = comment.split_whitespace().filter(|word| *word != "*").collect();
        let comment = comment.join(" ").replace("NULL on failure", "");
        let parameters = &declaration[declaration.find('(').unwrap() + 1..declaration.rfind(')').unwrap()];
        for parameter in parameters.split(',').filter(|parameter| parameter.contains('*')) {
            let (kind, parameter) = parameter.trim().rsplit_once('*').unwrap();
            let described = comment.split(" @").find(|part| part.starts_with(&format!("param {parameter} "))).unwrap();
            let refused = format!("REQUIRED({parameter},{name}(");
            assert!(described.contains("NULL") || tests.contains(&refused), "{refused} is not tried");
            let handle = kind.trim_start_matches("const ").starts_with("asdf_") && !kind.contains('*');
            let typed = format!("TYPED({parameter},{name}(");
            assert!(!handle || tests.contains(&typed), "{typed} is not tried");
        }
    }
}
