//! Checks that `include/asdf.h` and `include/asdfkit-api.json` agree with the code of the module `ffi`.
//! `UPDATE_HEADER=1 cargo test header` rewrites them.

mod generate;
mod interface;

use asdfkit::ffi::options::table::CALLS;
use generate::{PARTS, header, source};
use interface::{functions, interface};
use std::path::Path;

fn check_current(name: &str, expected: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("include").join(name);
    if std::env::var_os("UPDATE_HEADER").is_some() {
        std::fs::write(&path, expected).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    let difference = found.lines().zip(expected.lines()).position(|(found, expected)| found != expected);
    assert!(
        found == expected,
        "include/{name} is not current from line {} on: run UPDATE_HEADER=1 cargo test header",
        difference.unwrap_or(0) + 1
    );
}

#[test]
fn the_header_is_current() {
    check_current("asdf.h", &header());
}

#[test]
fn the_interface_as_data_is_current() {
    check_current("asdfkit-api.json", &interface());
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
            assert!(
                !exports || PARTS.iter().any(|(_, groups)| groups.contains(&&*name)),
                "src/ffi/{name}.rs is not in the header"
            );
        }
    }
}

#[test]
fn each_function_is_documented_to_the_last_parameter() {
    for function in functions() {
        let name = &function.name;
        assert!(function.comment.contains("@since "), "{name} has no @since");
        for parameter in function.parameters() {
            let described = !function.description(parameter.name).is_empty();
            assert!(described, "{name} does not describe its parameter {}", parameter.name);
        }
    }
}

/// Returns the C tests without white space.
fn c_tests() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c");
    let mut tests = String::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "c") {
            tests.extend(std::fs::read_to_string(&path).unwrap().split_whitespace());
        }
    }
    tests
}

#[test]
fn each_function_with_options_has_a_table() {
    let tables: Vec<&str> = CALLS.iter().flat_map(|calls| calls.functions).copied().collect();
    let mut declared = Vec::new();
    for function in functions() {
        let (name, declaration) = (function.name, function.declaration);
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
    let tests = c_tests();
    for function in functions() {
        let name = function.name;
        // Some functions are passed to a helper by name.
        let called = [format!("{name}("), format!("{name},"), format!("{name})")];
        assert!(called.iter().any(|call| tests.contains(call)), "no C test calls {name}");
    }
}
