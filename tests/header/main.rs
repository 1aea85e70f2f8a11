//! Checks that `include/asdf.h` and `include/asdfkit-api.json` agree with the code of the module `ffi`.
//! `UPDATE_HEADER=1 cargo test header` rewrites them.

mod generate;
mod interface;

use asdfkit::ffi::defaults::default_of;
use asdfkit::ffi::options::table::{CALLS, Kind, OPTIONS};
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

#[test]
fn the_default_of_a_choice_is_one_of_its_constants() {
    let interface: serde_json::Value = serde_json::from_str(&interface()).unwrap();
    let constants = interface["constants"].as_array().unwrap();
    for option in OPTIONS {
        let Kind::Choice(prefix, least, most) = option.kind else { continue };
        let default = default_of(option);
        let known = constants.iter().find(|constant| constant["name"] == *default);
        let number = known.and_then(|constant| constant["value"].as_i64());
        let fits = default.starts_with(prefix) && number.is_some_and(|number| (least..=most).contains(&number));
        assert!(default.is_empty() || fits, "{}: {default}", option.name);
    }
}

/// The header promises a `_retain` function for each kind of handle except those with one owner.
#[test]
fn each_handle_is_freed_and_retained() {
    let interface: serde_json::Value = serde_json::from_str(&interface()).unwrap();
    let introduction = header().split("Contents:").next().unwrap().replace("\n *", "");
    let introduction = introduction.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        introduction
            .contains("Options, streams, table readers, table writers and builders of descriptions have one owner")
    );
    for handle in interface["handles"].as_array().unwrap() {
        let name = handle["name"].as_str().unwrap();
        let has_one_owner = handle["doc"].as_str().unwrap().contains("has one owner");
        assert!(handle["free"].is_string(), "{name} has no _free function");
        assert!(handle["retain"].is_string() != has_one_owner, "{name} has _retain and one owner, or neither");
        let listed = ["asdf_options", "asdf_stream", "asdf_table_reader", "asdf_table_writer", "asdf_ndl_builder"];
        assert_eq!(listed.contains(&name), has_one_owner, "{name}");
    }
}

/// Arguments that are NUL-terminated text: names, keys, paths, tags, URIs, times, datatypes, units to
/// compute with. Other text is a value.
const NAMES: [&str; 31] = [
    "attribute",
    "class_name",
    "datatype",
    "directive",
    "distance_unit",
    "format_name",
    "frame",
    "from",
    "input_unit",
    "key",
    "label",
    "name",
    "neighbour",
    "new_path",
    "new_unit",
    "node_path",
    "other",
    "output_unit",
    "path",
    "prefix",
    "schema",
    "software_author",
    "software_homepage",
    "software_name",
    "software_version",
    "tag",
    "target",
    "time",
    "to",
    "unit",
    "uri",
];

#[test]
fn arguments_have_the_types_of_their_kinds() {
    let interface: serde_json::Value = serde_json::from_str(&interface()).unwrap();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    for function in interface["functions"].as_array().unwrap() {
        let function_name = text(&function["name"]);
        for argument in function["arguments"].as_array().unwrap() {
            let (name, kind) = (text(&argument["name"]), text(&argument["type"]));
            let is_value = text(&argument["role"]) == "text" && !NAMES.contains(&&*name);
            assert!(!is_value, "{function_name}: the value {name} has no length");
            let is_unsigned = kind.starts_with("uint64_t") && !function_name.ends_with("_u64");
            assert!(!is_unsigned, "{function_name}: {name} counts something by {kind}");
        }
    }
    for callback in interface["callbacks"].as_array().unwrap() {
        for parameter in callback["parameters"].as_array().unwrap() {
            assert!(!text(&parameter["type"]).starts_with("uint64_t"), "{}", text(&callback["name"]));
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
