//! Writes a function for each function of the C interface that the target `calls` tries, from the interface data: it
//! chooses the arguments, as their documentation allows, and judges the result.

use serde_json::Value;
use std::fmt::Write;
use std::path::PathBuf;
use std::{env, fs};

/// Functions that need more than their data tell, or that reach other parts of the system.
fn is_left_out(function: &Value) -> bool {
    let name = text(function, "name");
    let arguments = function["arguments"].as_array().expect("arguments");
    // The number of elements follows from several arguments.
    let is_odd = |argument: &Value| match text(argument, "role") {
        "elements" | "buffer" | "text buffer" => !arguments.iter().any(|other| other["name"] == argument["length"]),
        "struct" => true,
        _ => text(argument, "name") == "descriptor",
    };
    arguments.iter().any(is_odd)
        || ["asdf_error_print", "asdf_image_decoder_set"].contains(&name)
        || text(function, "returns") != "asdf_status" && !name.ends_with("_free")
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

/// Returns the Rust type of an argument.
fn rust_type(c_type: &str) -> String {
    match c_type {
        "int32_t" | "asdf_status" => "i32",
        "int64_t" => "i64",
        "uint32_t" => "u32",
        "uint64_t" => "u64",
        "size_t" => "usize",
        "double" => "f64",
        "float" => "f32",
        _ if c_type.ends_with('*') || c_type.ends_with("_callback") => "*mut c_void",
        _ => panic!("build.rs does not know the type {c_type}"),
    }
    .to_owned()
}

/// Returns the bytes of one element behind a pointer.
fn element_size(c_type: &str) -> usize {
    let of = c_type.trim_start_matches("const ").strip_suffix('*').unwrap_or(c_type).trim_end();
    match of {
        "char" | "uint8_t" | "void" => 1,
        "int32_t" => 4,
        "int64_t" | "size_t" | "double" | "uint64_t" => 8,
        _ if of.ends_with("*const") || of.ends_with('*') => 8,
        _ => panic!("build.rs does not know the elements of {c_type}"),
    }
}

/// Writes the callback of a type: it does nothing, or fails.
fn callback(out: &mut String, callback: &Value) {
    let parameters = callback["parameters"].as_array().expect("parameters");
    let types: Vec<String> = parameters.iter().map(|one| format!("_: {}", rust_type(text(one, "type")))).collect();
    let (returns, value) = match text(callback, "returns") {
        "void" => ("", "".to_owned()),
        "int32_t" => ("-> i32", "0".to_owned()),
        _ => ("-> i32", "IO".to_owned()),
    };
    let (name, types) = (text(callback, "name"), types.join(", "));
    writeln!(out, "extern \"C\" fn {name}({types}) {returns} {{ {value} }}").expect("a text grows");
}

/// Writes the declaration of a function.
fn declaration(out: &mut String, function: &Value) {
    let arguments = function["arguments"].as_array().expect("arguments");
    let types: Vec<String> = arguments.iter().map(|one| format!("_: {}", rust_type(text(one, "type")))).collect();
    let returns = if text(function, "returns") == "void" { "" } else { " -> i32" };
    let (name, types) = (text(function, "name"), types.join(", "));
    writeln!(out, "        pub fn {name}({types}){returns};").expect("a text grows");
}

/// Writes the function that calls a function.
fn call(out: &mut String, function: &Value, handles: &[&str]) {
    let name = text(function, "name");
    let arguments = function["arguments"].as_array().expect("arguments");
    let kind = |argument: &Value| handles.iter().position(|&handle| handle == text(argument, "handle"));
    let is_length = |argument: &Value| arguments.iter().any(|other| other["length"] == argument["name"]);
    let (mut before, mut after) = (String::new(), String::new());
    for (place, _) in arguments.iter().enumerate().filter(|(_, argument)| is_length(argument)) {
        writeln!(before, "    let a{place} = machine.length(choices);").expect("a text grows");
    }
    for (place, argument) in arguments.iter().enumerate().filter(|(_, argument)| !is_length(argument)) {
        let c_type = text(argument, "type");
        let nullable = argument["nullable"].as_bool().unwrap_or(false);
        let length = arguments.iter().position(|other| other["name"] == argument["length"]);
        let value = match (text(argument, "role"), text(argument, "direction")) {
            ("handle", "out") => {
                let kind = kind(argument).expect("a kind of handle");
                writeln!(after, "    machine.keep({kind}, a{place}, status, NAME);").expect("a text grows");
                format!("machine.handle_out(choices, {nullable})")
            }
            ("handle", _) if argument["ownership"] == "the call takes it" => {
                format!("machine.give(choices, {})", kind(argument).expect("a kind of handle"))
            }
            ("handle", _) => {
                format!("machine.handle(choices, {}, {nullable})", kind(argument).expect("a kind of handle"))
            }
            ("elements", _) if c_type.ends_with("*const *") => {
                let length = length.expect("a length");
                let of = c_type.trim_start_matches("const ").split(' ').next().unwrap_or_default();
                match handles.iter().position(|&handle| handle == of) {
                    Some(kind) => format!("machine.handles(choices, {kind}, a{length})"),
                    None => format!("machine.texts(choices, a{length})"),
                }
            }
            ("elements" | "buffer" | "text buffer", direction) => {
                let (length, size) = (length.expect("a length"), element_size(c_type));
                let function = if direction == "out" { "buffer" } else { "elements" };
                format!("machine.{function}(choices, a{length}, {size}, {nullable})")
            }
            ("text", _) => format!("machine.text(choices, {nullable})"),
            ("callback", _) => format!("machine.callback(choices, {c_type} as *mut c_void, {nullable})"),
            ("user", _) => "null_mut()".to_owned(),
            ("value", "out") => format!("machine.value_out(choices, {}, {nullable})", element_size(c_type)),
            ("value", _) => match rust_type(c_type).as_str() {
                "f64" | "f32" => "machine.float(choices) as _".to_owned(),
                _ => "machine.integer(choices) as _".to_owned(),
            },
            (role, direction) => panic!("build.rs does not know {role} {direction} of {name}"),
        };
        writeln!(before, "    let a{place} = {value};").expect("a text grows");
    }
    let values: Vec<String> = (0..arguments.len())
        .map(|place| if is_length(&arguments[place]) { format!("a{place} as _") } else { format!("a{place}") })
        .collect();
    let values = values.join(", ");
    let made = match text(function, "returns") {
        "void" => format!("unsafe {{ c::{name}({values}) }};\n    let status = 0;"),
        _ => format!("let status = unsafe {{ c::{name}({values}) }};"),
    };
    write!(
        out,
        "fn call_{name}(machine: &mut Machine, choices: &mut Choices) {{\n    const NAME: &str = \"{name}\";\n{before}    \
         // SAFETY: handles are alive or of another kind, buffers are as long as the call is told.\n    \
         {made}\n{after}    machine.judge(status, NAME);\n}}\n"
    )
    .expect("a text grows");
}

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("the folder of the crate"));
    let path = root.join("../../include/asdfkit-api.json");
    println!("cargo::rerun-if-changed={}", path.display());
    let data: Value = serde_json::from_str(&fs::read_to_string(path).expect("the interface data")).expect("JSON");
    let list = |key: &str| data[key].as_array().expect("a list").clone();
    let handles = list("handles");
    let handles: Vec<&str> = handles.iter().map(|handle| text(handle, "name")).collect();
    let mut out = String::new();
    list("callbacks").iter().for_each(|one| callback(&mut out, one));
    let functions: Vec<Value> = list("functions").into_iter().filter(|function| !is_left_out(function)).collect();
    out += "pub(super) mod c {\n    use super::c_void;\n    unsafe extern \"C\" {\n";
    functions.iter().for_each(|function| declaration(&mut out, function));
    out += "    }\n}\n";
    functions.iter().for_each(|function| call(&mut out, function, &handles));
    writeln!(out, "pub(super) const CALLS: &[(&str, Call)] = &[").expect("a text grows");
    for function in &functions {
        let name = text(function, "name");
        writeln!(out, "    (\"{name}\", call_{name}),").expect("a text grows");
    }
    writeln!(out, "];\npub(super) const HANDLES: &[&str] = &{handles:?};").expect("a text grows");
    let constants: Vec<i64> = list("constants").iter().filter_map(|constant| constant["value"].as_i64()).collect();
    writeln!(out, "pub(super) const CONSTANTS: &[i64] = &{constants:?};").expect("a text grows");
    for (name, status) in [("IO", "ASDF_ERR_IO"), ("INTERNAL", "ASDF_ERR_INTERNAL")] {
        let constants = list("constants");
        let value = constants.iter().find(|constant| constant["name"] == status).expect("a status");
        writeln!(out, "pub(super) const {name}: i32 = {};", value["value"]).expect("a text grows");
    }
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("a folder for generated code"));
    fs::write(folder.join("calls.rs"), out).expect("the generated code");
}
